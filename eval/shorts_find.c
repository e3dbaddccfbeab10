/* How a program uses its SHORT variables: which need a word and a float, what subroutines make by half arithmetic. */
#include "eval/liveness.h"
#include "eval/shorts.h"

#include <string.h>

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

static void look_at(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct result *r = &insn->dst;
    struct shorts *s = &d->shorts;

    if (eval_moves_short(d, insn))
        return;
    if (eval_is_short(d, r->kind, r->ref) && insn->op < OP_COUNT && shape_table[op_table[insn->op].shape].result != RC_NONE) {
        uint8_t kind = eval_short_kind(d, insn, i);
        *(kind & SHORT_NUMBER ? &s->words[r->ref] : &s->floats[r->ref]) = 1;
        s->copied[r->ref] |= (kind & SHORT_COPY) != 0;
    }
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        if (eval_is_short(d, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref))
            *(eval_is_read_as_word(insn, eval_operand_type(insn, k)) ? &s->words[o->ref] : &s->floats[o->ref]) = 1;
    }
}

/* Components that something else than an integer goes to, and is read there; whether there was something new. */
static bool look_for_mixed(struct decoder *d, const struct liveness *live, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t *mixed = &d->shorts.mixed[insn->dst.ref], before, read;

    if (!eval_is_short(d, insn->dst.kind, insn->dst.ref) || insn->op >= OP_COUNT || shape_table[op_table[insn->op].shape].result == RC_NONE)
        return false;
    before = *mixed;
    read = program_symbol(d->p, insn->dst.ref)->array ? 15 : live->useful[i];
    if (!eval_moves_short(d, insn)) {
        bool known = insn->op == OP_MOV && eval_is_literal(d, program_operand(d->p, insn->src));
        *mixed |= eval_short_kind(d, insn, i) == SHORT_NUMBER && !known ? 0 : insn->dst.mask & read;
    } else {
        const struct operand *o = program_operand(d->p, insn->src);
        for (unsigned c = 0; c < 4; c++)
            if (d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
                *mixed |= insn->dst.mask & read & (uint8_t)(1u << c);
    }
    return *mixed != before;
}

static bool find_mixed(struct decoder *d)
{
    const struct liveness *live = eval_liveness(d);
    bool changes = live != NULL;

    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < d->p->insns.count; i++)
            changes |= look_for_mixed(d, live, i);
    }
    return live != NULL;
}

static bool unite(uint8_t *a, uint8_t *b)
{
    bool changes = *a != *b;

    *a = *b |= *a;
    return changes;
}

/* What is moved from one to another is used as both are; whether there was something new. */
static bool move_uses(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    bool changes = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint32_t from = insn->nsrc ? program_operand(d->p, insn->src)->ref : 0, to = insn->dst.ref;
        if (insn->op != OP_MOV || !eval_moves_short(d, insn))
            continue;
        changes |= unite(&s->words[from], &s->words[to]);
        changes |= unite(&s->floats[from], &s->floats[to]);
        changes |= unite(&s->copied[from], &s->copied[to]);
    }
    return changes;
}

/* What subroutines make by half arithmetic, as far as the text tells. */
static void find_called(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    uint8_t *halves = s->halves;
    bool changes = true;

    s->halves = s->called;      /* MOV asks */
    while (changes) {
        bool within = false;
        changes = false;
        for (uint32_t i = 0; i < d->p->insns.count; i++) {
            const struct result *r = &program_insn(d->p, i)->dst;
            within |= s->labels[i] && i > 0;
            if (!within || r->kind != OPND_SYMBOL || program_insn(d->p, i)->op >= OP_COUNT || !eval_makes_half(d, program_insn(d->p, i)))
                continue;
            changes |= (r->mask & ~s->called[r->ref]) != 0;
            s->called[r->ref] |= r->mask;
        }
    }
    s->halves = halves;
}

static bool allocate(struct decoder *d, uint32_t nsymbols)
{
    struct shorts *s = &d->shorts;

    s->both = gp5_malloc(8 * (size_t)nsymbols);
    s->first = gp5_malloc(nsymbols * sizeof *s->first);
    if (!s->both || !s->first)
        return eval_out_of_memory(d);
    memset(s->both, 0, 8 * (size_t)nsymbols);
    s->copied = s->both + nsymbols;
    s->words = s->copied + nsymbols;
    s->floats = s->words + nsymbols;
    s->halves = s->floats + nsymbols;
    s->mixed = s->halves + nsymbols;
    s->called = s->mixed + nsymbols;
    s->added = s->called + nsymbols;
    return true;
}

static bool allocate_cells(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    size_t size = 2 * (size_t)s->ncells + d->p->insns.count + 1;

    s->kinds = gp5_malloc(size);
    if (!s->kinds)
        return eval_out_of_memory(d);
    memset(s->kinds, 0, size);
    s->before = s->kinds + s->ncells;
    s->seen = s->before + s->ncells;
    return true;
}

bool eval_find_shorts(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    uint32_t nsymbols = (uint32_t)d->p->symbols.count, n = 0;

    vec_init(&s->open, sizeof(struct open_block));
    vec_init(&s->calls, sizeof(uint32_t));
    for (uint32_t i = 0; i < nsymbols; i++)
        n += program_symbol(d->p, i)->size == SIZE_SHORT;
    if (!n || !nvidia(d))
        return true;
    if (!allocate(d, nsymbols))
        return false;
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        look_at(d, i);
    while (move_uses(d))
        ;
    find_called(d);
    if (!find_mixed(d))
        return false;
    for (uint32_t i = 0; i < nsymbols; i++) {
        const struct symbol *v = program_symbol(d->p, i);
        s->both[i] = s->floats[i] && s->words[i];
        s->first[i] = NO_INDEX;
        if (s->both[i] || s->copied[i]) {
            s->first[i] = s->ncells;
            s->ncells += 4 * (v->array ? (uint32_t)v->array_size : 1);
        }
    }
    return allocate_cells(d);
}

void eval_shorts_free(struct shorts *s)
{
    gp5_free(s->both);
    gp5_free(s->first);
    gp5_free(s->kinds);
    vec_free(&s->open);
    vec_free(&s->calls);
}
