/* Loops that the driver's compiler unrolls, and conditions that it knows: the program with copies of loop bodies in the place
 * of loops, so that what stands in one straight line for the driver does so for the contraction. A copy's instructions are
 * the program's to everybody else: steps carry the original numbers, and lanes still count their iterations.
 *
 * Measured (tests/flow.txt): a REP with a literal count is unrolled, nested ones as well, if count and body are small
 * enough together and no CONT stands in them. */
#include "eval/unroll.h"

#include <string.h>

/* With so many scalar operations in the body, counts up to this are unrolled; each pair was seen, as was one operation more
 * that is not. Counts between are taken for the next one. */
static const struct { uint32_t count, size; } limits[] = {
    {1, UINT32_MAX}, {2, 192}, {3, 122}, {4, 97}, {5, 74}, {6, 70}, {8, 57}, {9, 50}, {10, 47}, {12, 41}, {14, 39},
    {16, 34}, {18, 33}, {20, 30}, {24, 27}, {28, 23}, {32, 22}, {40, 18}, {48, 17}, {64, 14}, {80, 12}, {96, 11},
    {128, 9}, {160, 8}, {192, 7}, {256, 6}, {320, 5}, {512, 4}, {768, 3}, {1024, 2}, {3500, 1}};

struct unroller {
    struct decoder *d;
    const struct gp5_program *from;
    struct unrolled *to;
    uint32_t *map;              /* the first copy of each instruction */
    bool failed;
};

static uint32_t scalars(const struct insn *insn)
{
    if (insn->dst.kind == OPND_NONE)
        return 0;
    return shape_table[op_table[insn->op].shape].result == RC_SCALAR ? 1 : (uint32_t)__builtin_popcount(insn->dst.mask);
}

/* The literal count of a REP that is unrolled, or 0. */
static uint32_t copies(const struct unroller *u, uint32_t rep)
{
    const struct insn *insn = program_insn(u->from, rep);
    const struct operand *o = insn->nsrc ? program_operand(u->from, insn->src) : NULL;
    uint32_t size = 0, count;
    uint64_t word;

    if (insn->partner == NO_INDEX || !o || o->kind != OPND_CONSTANT || o->flags & (OPND_NEGATE | OPND_ABSOLUTE) ||
        type_table[insn->type].bytes != 4)
        return 0;
    word = eval_constant_word(program_constant(u->from, o->ref), o->swizzle & 3, insn->type);
    if (type_table[insn->type].is_float) {
        uint32_t bits = (uint32_t)word;
        float f;
        memcpy(&f, &bits, sizeof f);
        count = f >= 1 && f < 65536 ? (uint32_t)f : 0;
    } else {
        count = word < 65536 ? (uint32_t)word : 0;
    }
    for (uint32_t i = rep + 1; i < insn->partner; i++) {
        if (program_insn(u->from, i)->op == OP_CONT)
            return 0;
        size += scalars(program_insn(u->from, i));
    }
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        if (count <= limits[i].count)
            return size <= limits[i].size ? count : 0;
    return 0;
}

static uint32_t add(struct unroller *u, uint32_t i, uint8_t form)
{
    size_t at = vec_grow(&u->to->program.insns), origin = vec_grow(&u->to->origin), f = vec_grow(&u->to->form);

    if (at == SIZE_MAX || origin == SIZE_MAX || f == SIZE_MAX || at >= UINT32_MAX - 1) {
        u->failed = true;
        return 0;
    }
    *(struct insn *)vec_at(&u->to->program.insns, at) = *program_insn(u->from, i);
    *(uint32_t *)vec_at(&u->to->origin, origin) = i;
    *(uint8_t *)vec_at(&u->to->form, f) = form;
    if (u->map[i] == NO_INDEX)
        u->map[i] = (uint32_t)at;
    return (uint32_t)at;
}

/* More than this together is not unrolled: nested loops multiply. */
enum { MOST_INSTRUCTIONS = 1 << 16 };

static void expand(struct unroller *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && !u->failed; i++) {
        const struct insn *insn = program_insn(u->from, i);
        uint32_t n = insn->op == OP_REP ? copies(u, i) : 0;
        if (!n || u->to->program.insns.count > MOST_INSTRUCTIONS) {
            add(u, i, FORM_PLAIN);
            continue;
        }
        add(u, i, FORM_OPEN);
        for (uint32_t k = 0; k < n && !u->failed; k++) {
            expand(u, i + 1, insn->partner);
            add(u, insn->partner, k + 1 < n ? FORM_NEXT : FORM_LAST);
        }
        i = insn->partner;
    }
}

/* ---- partners ------------------------------------------------------------------------------------------ */

struct open_block { uint32_t insn, first, breaks, continues; };

static void patch(struct gp5_program *p, uint32_t list, uint32_t to)
{
    while (list != NO_INDEX) {
        uint32_t next = program_insn(p, list)->partner;
        program_insn(p, list)->partner = to;
        list = next;
    }
}

/* The innermost loop of the blocks that are open. */
static struct open_block *loop_of(struct gp5_program *p, struct vec *open)
{
    for (size_t i = open->count; i--;) {
        struct open_block *b = vec_at(open, i);
        if (program_insn(p, b->first)->op == OP_REP)
            return b;
    }
    return NULL;
}

static bool close_loop(struct gp5_program *p, struct vec *open, uint32_t i, uint8_t form)
{
    struct open_block *b = open->count ? vec_at(open, open->count - 1) : NULL;

    if (!b)
        return false;
    program_insn(p, b->insn)->partner = i;      /* REP: its end; an end: the next copy's */
    patch(p, b->continues, i);
    b->continues = NO_INDEX;
    b->insn = i;
    program_insn(p, i)->partner = b->first;
    if (form == FORM_NEXT)
        return true;
    patch(p, b->breaks, i);
    open->count--;
    return true;
}

static bool match(struct unroller *u, struct vec *open)
{
    struct gp5_program *p = &u->to->program;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        struct open_block *b = open->count ? vec_at(open, open->count - 1) : NULL;
        size_t at;
        switch (insn->op) {
        case OP_IF: case OP_REP:
            at = vec_grow(open);
            if (at == SIZE_MAX)
                return false;
            *(struct open_block *)vec_at(open, at) = (struct open_block){i, i, NO_INDEX, NO_INDEX};
            break;
        case OP_ELSE: case OP_ENDIF:
            if (!b)
                break;
            program_insn(p, b->insn)->partner = i;
            insn->partner = b->first;
            b->insn = i;
            if (insn->op == OP_ENDIF)
                open->count--;
            break;
        case OP_ENDREP:
            close_loop(p, open, i, *(uint8_t *)vec_at(&u->to->form, i));
            break;
        case OP_BRK: case OP_CONT:
            b = insn->partner == NO_INDEX ? NULL : loop_of(p, open);
            if (b) {
                insn->partner = insn->op == OP_BRK ? b->breaks : b->continues;
                *(insn->op == OP_BRK ? &b->breaks : &b->continues) = i;
            }
            break;
        case OP_CAL:
            if (insn->partner != NO_INDEX && insn->partner < u->from->insns.count)
                insn->partner = u->map[insn->partner];
            else if (insn->partner != NO_INDEX)
                insn->partner = (uint32_t)p->insns.count;
            break;
        default:
            break;
        }
    }
    return true;
}

static bool move_labels(struct unroller *u)
{
    struct gp5_program *p = &u->to->program;
    size_t n = u->from->symbols.count;

    for (uint32_t i = 0; i < n; i++) {
        size_t at = vec_grow(&p->symbols);
        struct symbol *s;
        if (at == SIZE_MAX)
            return false;
        s = vec_at(&p->symbols, at);
        *s = *program_symbol(u->from, i);
        if (s->kind == SYM_LABEL && s->defined)
            s->instruction = s->instruction < u->from->insns.count ? u->map[s->instruction] : (uint32_t)p->insns.count;
    }
    return true;
}

static bool worth_it(const struct unroller *u)
{
    bool product = false, loop = false;

    for (uint32_t i = 0; i < u->from->insns.count; i++) {
        const struct insn *insn = program_insn(u->from, i);
        product |= (insn->op == OP_MUL || insn->op == OP_DIV) && type_table[insn->type].is_float;
        loop |= insn->op == OP_REP && copies(u, i) > 0;
    }
    return product && loop;
}

bool eval_unroll(struct decoder *d, struct unrolled *to)
{
    struct unroller u = {.d = d, .from = d->p, .to = to};
    struct vec open;
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !worth_it(&u))
        return true;
    u.map = gp5_malloc(d->p->insns.count * sizeof *u.map);
    if (!u.map)
        return eval_out_of_memory(d);
    memset(u.map, 0xff, d->p->insns.count * sizeof *u.map);
    to->program = *d->p;
    vec_init(&to->program.insns, sizeof(struct insn));
    vec_init(&to->program.symbols, sizeof(struct symbol));
    vec_init(&to->origin, sizeof(uint32_t));
    vec_init(&to->form, sizeof(uint8_t));
    vec_init(&open, sizeof(struct open_block));
    to->used = true;
    expand(&u, 0, (uint32_t)d->p->insns.count);
    ok = !u.failed && move_labels(&u) && match(&u, &open);
    vec_free(&open);
    gp5_free(u.map);
    d->p = &to->program;
    return ok || eval_out_of_memory(d);
}

void eval_unroll_free(struct unrolled *to)
{
    if (!to->used)
        return;
    vec_free(&to->program.insns);
    vec_free(&to->program.symbols);
    vec_free(&to->origin);
    vec_free(&to->form);
}
