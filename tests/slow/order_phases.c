/* How much is left to compute in a phase of a loop: docs/numbers.md, "Doubles". The phases of two rounds and of one that are small are put into an order
 * as straight-line code is, in programs that load from one address twice. */
#include "tests/slow/order.h"

#include <string.h>

enum { MOST_OF_TWO = 6, MOST_OF_ONE = 8, MOST_OF_SIDE = 7, STEPS = 8 };

struct step {
    bool converts;              /* a single to a double, or back: of the first term alone */
    uint32_t op, flags, type, type2, signs[3];
    struct term term[3];
    uint32_t number;            /* of its result */
};

struct count {
    struct finder *f;
    uint32_t size, limit, steps, next;
    struct step step[STEPS];
};

static bool same_term(const struct term *a, const struct term *b)
{
    return a->given == b->given && a->number == b->number && (a->given || (a->kind == b->kind && a->component == b->component));
}

static bool same_step(const struct step *a, const struct step *b)
{
    if (a->converts != b->converts || a->op != b->op || a->flags != b->flags || a->type != b->type || a->type2 != b->type2)
        return false;
    for (unsigned k = 0; k < 3; k++)
        if (!same_term(&a->term[k], &b->term[k]) || a->signs[k] != b->signs[k])
            return false;
    return true;
}

/* The number of what a step makes, which costs nothing where it has been made. */
static struct term take(struct count *t, struct step s, uint32_t cost, bool unique)
{
    for (uint32_t n = 0; !unique && n < t->steps; n++)
        if (same_step(&t->step[n], &s))
            return (struct term){.given = true, .number = t->step[n].number};
    s.number = t->next++;
    t->size += cost;
    if (cost && !unique && t->size <= t->limit)
        t->step[t->steps++] = s;
    return (struct term){.given = true, .number = s.number};
}

static struct term term_of(const struct count *t, const struct operand *o, unsigned component)
{
    uint32_t v = slow_variable(t->f->p, o->kind, o->ref, o->nindices != 0, component);
    if (v == NO_INDEX)
        return (struct term){.number = o->ref, .kind = 1u + o->kind, .component = component};
    return t->f->terms[v].phase == t->f->phase ? t->f->terms[v].is : (struct term){.number = v};
}

static struct term read_one(struct count *t, const struct insn *insn, const struct operand *o, unsigned component)
{
    struct term term = term_of(t, o, component);
    struct step s = {.converts = true, .type = slow_bytes(insn->type) == 8, .term = {term}};
    if (o->kind == OPND_CONSTANT || insn->op == OP_CVT || !slow_is_float(insn->type) || program_is_long(t->f->p->text, o->kind, o->ref) == (slow_bytes(insn->type) == 8))
        return term;
    return take(t, s, 1, o->nindices != 0);
}

static bool is_plain_copy(const struct count *t, const struct insn *insn)
{
    const struct operand *a = program_operand(t->f->p->text, insn->src);
    if (insn->op != OP_MOV || condition_restricts(&insn->dst.condition) || insn->dst.nindices || insn->flags & (INSN_SAT | INSN_SSAT) || a->flags & OPND_SIGNS)
        return false;
    return program_is_long(t->f->p->text, insn->dst.kind, insn->dst.ref) == program_is_long(t->f->p->text, a->kind, a->ref);
}

/* What a component takes besides what becomes a double or a single. */
static uint32_t steps_of(const struct finder *f, const struct insn *insn)
{
    bool halves = insn->type == DT_S64 || insn->type == DT_U64, long_type = slow_bytes(insn->type) == 8;
    switch (insn->op) {
    case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT: case OP_SGE: return halves ? 4 : long_type ? 3 : 1;
    case OP_MOV: return program_operand(f->p->text, insn->src)->flags & OPND_SIGNS ? 1 : 0;
    case OP_CVT: return halves && slow_bytes(insn->type2) < 8 && !slow_is_float(insn->type2) ? 2 : 1;
    case OP_CMP: return long_type ? 4 : 2;
    case OP_FRC: case OP_LRP: case OP_XPD: case OP_X2D: case OP_DP2: return 2;
    case OP_SIN: case OP_COS: case OP_SCS: case OP_DIV: return 2;
    case OP_BFE: case OP_BFI: case OP_BTFL: case OP_PK2H: return 2;
    case OP_DP3: case OP_DP2A: case OP_SSG: case OP_POW: case OP_UP4B: return 3;
    case OP_DP4: case OP_DPH: return 4;
    case OP_NRM: return 5;
    case OP_MUL:
        if (insn->flags & (INSN_S24 | INSN_U24))
            return halves ? 4 : 3;
        return halves || insn->type == DT_F16 ? 4 : 1;
    case OP_ADD: case OP_SUB: case OP_MAD: return insn->type == DT_F16 ? 4 : halves ? 2 : 1;
    default: return halves ? 2 : 1;
    }
}

static struct term compute(struct count *t, uint32_t place, const struct insn *insn, unsigned c, bool counted)
{
    struct step s = {.op = insn->op, .flags = insn->flags, .type = insn->type, .type2 = insn->type2};
    bool tested = condition_restricts(&insn->dst.condition) && !(t->f->plan->place[place].passes >> c & 1), unique = counted || tested || insn->dst.nindices || insn->op == OP_SWZ;
    bool is_long = program_is_long(t->f->p->text, insn->dst.kind, insn->dst.ref);
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++) {
        const struct operand *o = program_operand(t->f->p->text, insn->src + k);
        unsigned reads = slow_made_of(t->f->p, insn, k, c);
        for (unsigned r = 0; r < 4; r++)
            if (reads >> r & 1)
                s.term[k] = read_one(t, insn, o, o->swizzle >> 2 * r & 3);
        s.signs[k] = o->flags & OPND_SIGNS;
        unique |= __builtin_popcount(reads) > 1;
    }
    if (slow_is_float(insn->type) && insn->op != OP_CVT && is_long != (slow_bytes(insn->type) == 8))
        t->size++;
    if (tested && is_long)
        t->size += 2;
    if (insn->cc_update && t->f->reach.flags[place] >> c & 1)
        t->size++;
    return take(t, s, counted ? 0 : steps_of(t->f, insn), unique);
}

static void count_one(struct count *t, uint32_t place, const struct insn *insn, unsigned components)
{
    const struct slow_place *here = &t->f->plan->place[place];
    struct term made[4];
    bool counted = false;
    components &= ~(unsigned)here->fails;
    if (condition_restricts(&insn->dst.condition) && components & ~(unsigned)here->passes)
        t->size++;
    for (unsigned c = 0; c < 4; c++) {
        const struct operand *a = program_operand(t->f->p->text, insn->src);
        if (!(components >> c & 1))
            continue;
        made[c] = is_plain_copy(t, insn) ? term_of(t, a, a->swizzle >> 2 * c & 3) : compute(t, place, insn, c, counted);
        counted = shape_table[op_table[insn->op].shape].result == RC_SCALAR;
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = components >> c & 1 ? slow_variable(t->f->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
        if (v != NO_INDEX)
            t->f->terms[v] = (struct named){t->f->phase, made[c]};
    }
}

/* Flow, what others see, loads, and what is computed in a subroutine of the compiler's. */
static bool prevents(const struct insn *insn, unsigned useful)
{
    bool whole = insn->type != DT_F32 && insn->type != DT_F16;
    if (op_flows(insn->op) || slow_ends_block(insn) || insn->dst.kind == OPND_NONE || useful & SLOW_ACTS)
        return true;
    if (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD)
        return true;
    return whole && (insn->op == OP_RCP || insn->op == OP_DIV || insn->op == OP_RSQ || insn->op == OP_MOD);
}

static bool is_small(struct finder *f, uint32_t from, uint32_t to, uint32_t limit)
{
    struct count t = {.f = f, .limit = limit};
    f->phase++;
    for (uint32_t i = from; i < to && t.size <= limit; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        unsigned useful = f->reach.useful[i];
        if (insn->op == OP_ENDREP || !useful)
            continue;
        if (prevents(insn, useful))
            return false;
        count_one(&t, i, insn, insn->dst.mask & useful);
    }
    return t.size <= limit;
}

bool slow_order_is_short(struct finder *f, uint32_t from, uint32_t to)
{
    struct count t = {.f = f, .limit = MOST_OF_SIDE};
    f->phase++;
    for (uint32_t i = from; i < to && t.size <= t.limit; i++)
        if (f->reach.useful[i] && !op_flows(slow_order_insn(f, i)->op))
            count_one(&t, i, slow_order_insn(f, i), slow_order_insn(f, i)->dst.mask & f->reach.useful[i]);
    return t.size <= t.limit;
}

uint32_t slow_order_small_phase(struct finder *f, uint32_t place, bool *last, bool *both)
{
    uint32_t rep = f->plan->place[place].loop, two, one;
    const struct slow_place *loop = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    if (!f->loads_again || !loop || place < f->reach.entry || place >= f->reach.main_end || !loop->phased ||
        !slow_order_insn(f, rep)->nsrc || loop->phases.rounds[0] != 4 || loop->phases.rounds[1] != 2)
        return NO_INDEX;
    two = loop->phase[SLOW_PHASES - 2];
    one = loop->phase[SLOW_PHASES - 1];
    *last = place >= one;
    *both = place >= two && is_small(f, two, one, MOST_OF_TWO);
    if (place < two || (*last ? !is_small(f, one, loop->to, MOST_OF_ONE) : !*both))
        return NO_INDEX;
    return rep;
}
