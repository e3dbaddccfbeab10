/* Loops without a count that begin with a comparison of their own counter, and how often they run: docs/semantics.md, "Contraction". */
#include "tests/slow/plan.h"

static const struct insn *at(const struct gp5_program *p, uint32_t i)
{
    return program_insn(p, i);
}

static bool plain_word(const struct gp5_program *p, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    return s && s->kind == SYM_TEMP && !s->array && s->size == SIZE_DEFAULT && !o->nindices && !(o->flags & OPND_SIGNS);
}

static bool writes(const struct insn *insn, uint32_t symbol, unsigned c)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.mask >> c & 1;
}

/* What an ADD or SUB adds to component c of the variable that it reads, 0: it is no such thing. */
static int64_t step_of(const struct gp5_program *p, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(p, insn->src);
    const struct constant *k;
    unsigned from;
    int64_t step;
    if ((insn->op != OP_ADD && insn->op != OP_SUB) || (insn->type != DT_S32 && insn->type != DT_U32) || insn->dst.nindices ||
        insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition) || !plain_word(p, o) || o->ref != insn->dst.ref ||
        (o->swizzle >> 2 * c & 3) != c || o[1].kind != OPND_CONSTANT || o[1].flags & OPND_SIGNS)
        return 0;
    k = vec_at(&p->constants, o[1].ref);
    from = k->scalar ? 0 : o[1].swizzle >> 2 * c & 3;
    if (from >= k->count || !(k->is_integer >> from & 1) || k->value[from].u > INT32_MAX)
        return 0;
    step = (int64_t)k->value[from].u;
    step = k->negative >> from & 1 ? -step : step;
    return insn->op == OP_SUB ? -step : step;
}

/* The comparison that ends it, counter first. */
static unsigned ending(unsigned op, bool second, bool fails)
{
    static const unsigned swapped[][2] = {{OP_SGE, OP_SLE}, {OP_SGT, OP_SLT}, {OP_SLE, OP_SGE}, {OP_SLT, OP_SGT}};
    static const unsigned not_so[][2] = {{OP_SGE, OP_SLT}, {OP_SGT, OP_SLE}, {OP_SLE, OP_SGT}, {OP_SLT, OP_SGE}, {OP_SEQ, OP_SNE}, {OP_SNE, OP_SEQ}};
    for (unsigned i = 0; second && i < 4; i++)
        if (swapped[i][0] == op) {
            op = swapped[i][1];
            break;
        }
    for (unsigned i = 0; fails && i < 6; i++)
        if (not_so[i][0] == op)
            return not_so[i][1];
    return op;
}

static bool comes_to_an_end(const struct slow_counter *c)
{
    if (c->ends == OP_SEQ)
        return c->step == 1 || c->step == -1;
    if (c->ends == OP_SGE || c->ends == OP_SGT)
        return c->step > 0;
    return (c->ends == OP_SLE || c->ends == OP_SLT) && c->step < 0;
}

/* The only way out is the test, and every round counts. */
static bool only_way_out(const struct gp5_program *p, uint32_t rep, uint32_t counts)
{
    unsigned inside = 0;
    for (uint32_t i = rep + 3; i < at(p, rep)->partner; i++) {
        unsigned op = at(p, i)->op;
        if (op == OP_BRK || op == OP_CONT || op == OP_RET || op == OP_CAL || op == OP_CALI || op == OP_REP || op == OP_KIL)
            return false;
        inside += op == OP_IF;
        inside -= op == OP_ENDIF;
        if (i == counts && inside)
            return false;
    }
    return true;
}

bool slow_find_counter(const struct gp5_program *p, uint32_t rep, struct slow_counter *c)
{
    uint32_t end = at(p, rep)->partner;
    const struct insn *test = at(p, rep + 1), *leave;
    if (at(p, rep)->nsrc || end == NO_INDEX || end < rep + 4)
        return false;
    leave = at(p, rep + 2);
    if (!op_compares(test->op) || (test->type != DT_S32 && test->type != DT_U32) || test->nsrc != 2 || !test->cc_update ||
        test->dst.kind != OPND_SYMBOL || test->dst.nindices || !test->dst.mask || test->dst.mask & (test->dst.mask - 1) ||
        condition_restricts(&test->dst.condition) || test->flags & (INSN_SAT | INSN_SSAT) || leave->op != OP_BRK)
        return false;
    c->component = (unsigned)__builtin_ctz(test->dst.mask);
    if (leave->condition.cc != test->cc_update - 1u || leave->condition.swizzle != c->component * 0x55 ||
        (leave->condition.rule != CC_NE && leave->condition.rule != CC_EQ))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(p, test->src + k), *to = program_operand(p, test->src + 1 - k);
        unsigned own = o->swizzle >> 2 * c->component & 3, other = to->swizzle >> 2 * c->component & 3, writers = 0, changes = 0;
        if (!plain_word(p, o) || (!plain_word(p, to) && to->kind != OPND_CONSTANT))
            continue;
        for (uint32_t i = rep + 1; i < end; i++) {
            if (writes(at(p, i), o->ref, own)) {
                writers++;
                c->add = i;
            }
            changes += to->kind == OPND_SYMBOL && writes(at(p, i), to->ref, other);
        }
        if (writers != 1 || changes || c->add == rep + 1 || !(c->step = step_of(p, at(p, c->add), own)))
            continue;
        c->operand = k;
        c->is_signed = test->type == DT_S32;
        c->ends = ending(test->op, k == 1, leave->condition.rule == CC_EQ);
        return comes_to_an_end(c) && only_way_out(p, rep, c->add);
    }
    return false;
}

uint64_t slow_counter_turns(const struct slow_counter *c, uint64_t operand0, uint64_t operand1)
{
    uint32_t start = (uint32_t)(c->operand ? operand1 : operand0), stop = (uint32_t)(c->operand ? operand0 : operand1);
    int64_t a = c->is_signed ? (int32_t)start : (int64_t)start, b = c->is_signed ? (int32_t)stop : (int64_t)stop, way, step = c->step;
    if (c->ends == OP_SEQ)
        return step > 0 ? stop - start : start - stop;
    way = step > 0 ? b - a : a - b;
    step = step > 0 ? step : -step;
    way += c->ends == OP_SGT || c->ends == OP_SLT;
    if (way <= 0)
        return 0;
    way = (way + step - 1) / step;
    return way > UINT32_MAX ? UINT32_MAX : (uint64_t)way;
}
