/* Phases of a loop that the driver's compiler computes without a jump, since they are small: that of two rounds, and that of one (order_loads.c). What they
 * take is counted as it stands behind its other steps: once what is the same, nothing for copies and for what nobody reads. */
#include "eval/block_ends.h"
#include "eval/order.h"

#include <string.h>

/* So many operations are few enough (docs/numbers.md, "Doubles"). */
enum { MOST_OF_TWO = 6, MOST_OF_ONE = 8, MOST_OF_SIDE = 7, MOST = MOST_OF_ONE };

/* What a component is before the operations of a phase, or behind them. */
struct computed {
    uint32_t op, flags, types, signs[3];
    struct identity operand[3];
};

struct sizing {
    struct walk *w;
    struct computed table[MOST + 1];    /* each costs something: there are never more */
    uint32_t number[MOST + 1];
    uint32_t size, most, entries, numbers;
};

enum { CONVERSION = OP_COUNT, NARROWING };

/* What an operand's component is. */
static struct identity identify(const struct sizing *z, const struct operand *o, unsigned from)
{
    uint32_t var = eval_variable(z->w->live, o->kind, o->ref, o->nindices != 0, from);

    if (var == NO_INDEX)
        return (struct identity){IS_OTHER | (uint32_t)o->kind << 8 | from << 16, o->ref};
    return z->w->valued[var].sizing == z->w->sizings ? z->w->valued[var].is : (struct identity){IS_VARIABLE, var};
}

/* Counts what is computed, unless it has been, and gives its number. */
static struct identity count(struct sizing *z, const struct computed *x, uint32_t cost, bool may_be_same)
{
    for (uint32_t n = 0; may_be_same && n < z->entries; n++)
        if (!memcmp(&z->table[n], x, sizeof *x))
            return (struct identity){IS_NUMBER, z->number[n]};
    z->size += cost;
    if (cost && may_be_same && z->size <= z->most) {
        z->table[z->entries] = *x;
        z->number[z->entries++] = z->numbers;
    }
    return (struct identity){IS_NUMBER, z->numbers++};
}

/* A register of 32 bits that an operation on doubles reads, and a LONG one that one on singles reads, becomes the other first. */
static struct identity read_component(struct sizing *z, const struct insn *insn, const struct operand *o, unsigned from)
{
    bool wide = program_is_long(z->w->d->p, o->kind, o->ref), doubles = type_table[insn->type].bytes == 8;
    struct computed x = {.op = doubles ? CONVERSION : NARROWING, .operand = {identify(z, o, from)}};

    if (o->kind == OPND_CONSTANT || wide == doubles || insn->op == OP_CVT || !type_table[insn->type].is_float)
        return x.operand[0];
    return count(z, &x, 1, !o->nindices);
}

static void set_identity(struct sizing *z, const struct insn *insn, unsigned c, struct identity is)
{
    uint32_t var = eval_result_variable(z->w->live, &insn->dst, c);

    if (var != NO_INDEX)
        z->w->valued[var] = (struct valued){z->w->sizings, is};
}

/* The operations of one component, but for what becomes a double or a single (docs/numbers.md, "Doubles"). */
static uint32_t operations(const struct gp5_program *p, const struct insn *insn)
{
    bool pairs = insn->type == DT_S64 || insn->type == DT_U64, wide = type_table[insn->type].bytes == 8;

    if (op_compares(insn->op))
        return pairs ? 4 : wide ? 3 : 1;
    switch (insn->op) {
    case OP_MOV: return (program_operand(p, insn->src)->flags & OPND_SIGNS) != 0;
    case OP_CVT: return pairs && type_table[insn->type2].bytes < 8 && !type_table[insn->type2].is_float ? 2 : 1;
    case OP_CMP: return wide ? 4 : 2;
    case OP_MUL: return pairs ? 4 : insn->flags & (INSN_S24 | INSN_U24) ? 3 : insn->type == DT_F16 ? 4 : 1;
    case OP_FRC: case OP_LRP: case OP_XPD: case OP_X2D: case OP_SIN: case OP_COS: case OP_SCS: case OP_DIV: case OP_BFE: case OP_BFI: case OP_BTFL:
    case OP_PK2H: case OP_DP2:
        return 2;
    case OP_SSG: case OP_POW: case OP_DP3: case OP_DP2A: case OP_UP4B: return 3;
    case OP_DP4: case OP_DPH: return 4;
    case OP_NRM: return 5;
    case OP_ADD: case OP_SUB: case OP_MAD: return insn->type == DT_F16 ? 4 : pairs ? 2 : 1;
    default: return pairs ? 2 : 1;
    }
}

/* Component c of a result. `counted`: all of its components are one operation, which has been. */
static struct identity count_component(struct sizing *z, uint32_t i, const struct insn *insn, unsigned c, bool counted)
{
    const struct folded *folded = eval_folded_at(z->w->d, i);
    bool test = condition_restricts(&insn->dst.condition) && !(folded && folded->passes >> c & 1), same = !counted && !test && !insn->dst.nindices && insn->op != OP_SWZ;
    bool wide = program_is_long(z->w->d->p, insn->dst.kind, insn->dst.ref), floats = type_table[insn->type].is_float && insn->op != OP_CVT;
    struct computed x = {.op = insn->op, .flags = insn->flags, .types = (uint32_t)insn->type << 8 | insn->type2};

    for (unsigned k = 0; k < insn->nsrc && k < 3; k++) {
        const struct operand *o = program_operand(z->w->d->p, insn->src + k);
        uint8_t reads = eval_component_reads(insn->op, k, c);
        for (unsigned r = 0; r < 4; r++)
            if (reads >> r & 1)
                x.operand[k] = read_component(z, insn, o, o->swizzle >> 2 * r & 3);
        x.signs[k] = o->flags & OPND_SIGNS;
        same &= !(reads & (reads - 1));
    }
    z->size += (floats && wide != (type_table[insn->type].bytes == 8)) + (test && wide ? 2 : 0) + (insn->cc_update && z->w->live->flags[i] >> c & 1);
    return count(z, &x, counted ? 0 : operations(z->w->d->p, insn), same);
}

/* A copy is what it copies. */
static bool copies(const struct walk *w, const struct insn *insn)
{
    const struct operand *a = program_operand(w->d->p, insn->src);

    return insn->op == OP_MOV && !condition_restricts(&insn->dst.condition) && !insn->dst.nindices && !(insn->flags & (INSN_SAT | INSN_SSAT)) &&
           !(a->flags & OPND_SIGNS) && program_is_long(w->d->p, insn->dst.kind, insn->dst.ref) == program_is_long(w->d->p, a->kind, a->ref);
}

static void count_instruction(struct sizing *z, uint32_t i, const struct insn *insn, uint8_t useful)
{
    const struct operand *a = program_operand(z->w->d->p, insn->src);
    const struct folded *folded = eval_folded_at(z->w->d, i);
    uint8_t passes = folded ? folded->passes : 0;
    struct identity is[4];
    bool counted = false;

    useful &= folded ? (uint8_t)~folded->fails : 15;
    z->size += condition_restricts(&insn->dst.condition) && (insn->dst.mask & useful & ~passes) != 0;      /* the test */

    for (unsigned c = 0; c < 4; c++)
        if ((insn->dst.mask & useful) >> c & 1) {
            is[c] = copies(z->w, insn) ? identify(z, a, a->swizzle >> 2 * c & 3) : count_component(z, i, insn, c, counted);
            counted = shape_table[op_table[insn->op].shape].result == RC_SCALAR;
        }
    for (unsigned c = 0; c < 4; c++)
        if ((insn->dst.mask & useful) >> c & 1)
            set_identity(z, insn, c, is[c]);
}

/* What keeps a phase from that: flow, what others see, loads, and what takes a subroutine of the compiler's. */
static bool hinders(const struct insn *insn, uint8_t useful)
{
    bool doubles = insn->type == DT_F64 || insn->type == DT_U64 || insn->type == DT_S64;

    if (op_flows(insn->op) || eval_ends_block(insn) || insn->dst.kind == OPND_NONE || useful & LIVE_EFFECT)
        return true;
    switch (insn->op) {
    case OP_RCP: case OP_DIV: case OP_RSQ: case OP_MOD: return doubles || insn->type == DT_S32 || insn->type == DT_U32;
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return true;
    default: return false;
    }
}

static bool is_small(struct walk *w, uint32_t from, uint32_t to, uint32_t most)
{
    struct sizing z = {.w = w, .most = most};

    w->sizings++;
    for (uint32_t i = from; i < to && z.size <= most; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        uint8_t useful = w->live->useful[i];
        if (insn->op == OP_ENDREP || !useful)
            continue;
        if (hinders(insn, useful))
            return false;
        count_instruction(&z, i, insn, useful);
    }
    return z.size <= most;
}

bool eval_order_is_short(struct walk *w, uint32_t from, uint32_t to)
{
    struct sizing z = {.w = w, .most = MOST_OF_SIDE};

    w->sizings++;
    for (uint32_t i = from; i < to && z.size <= z.most; i++)
        if (w->live->useful[i] && !op_flows(program_insn(w->d->p, i)->op))
            count_instruction(&z, i, program_insn(w->d->p, i), w->live->useful[i]);
    return z.size <= z.most;
}

void eval_order_size_phases(struct walk *w, struct surrounding *f)
{
    const struct insn *rep = program_insn(w->d->p, f->begin);
    const struct folded *folded = eval_folded_at(w->d, f->begin);
    uint32_t four, two;

    if (!w->loads_again || !w->in_main || !rep->nsrc || eval_form(w->d, f->begin) != FORM_PHASED || !folded || folded->word[0] != 4 || folded->word[1] != 2)
        return;
    four = w->live->phase[f->begin + 1];
    two = w->live->phase[four + 1];
    f->small[1] = is_small(w, four + 1, two, MOST_OF_TWO);
    f->small[2] = is_small(w, two + 1, rep->partner, MOST_OF_ONE);
}

/* The loop around, if it is one that has such phases. */
static const struct surrounding *loop_around(const struct walk *w)
{
    const struct surrounding *f = eval_order_top(w);

    return f && f->loop && f->small[f->phases] ? f : NULL;
}

bool eval_order_is_carried(const struct walk *w, uint32_t slot)
{
    const struct surrounding *f = loop_around(w);

    return f && f->phases == 2 && slot != NO_INDEX && shared_bits_has(&w->changes[f->begin]->slots, slot) && eval_order_wanted(w, f->begin + 1, slot) &&
           (f->small[1] || eval_order_get(&w->now, slot).own / 4 > f->phase);
}

uint32_t eval_order_small_loop(const struct walk *w)
{
    const struct surrounding *f = loop_around(w);

    return f ? f->begin : NO_INDEX;
}
