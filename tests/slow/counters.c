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
static bool only_way_out(const struct gp5_program *p, const struct slow_counter *c)
{
    unsigned inside = 0;
    for (uint32_t i = c->first; i < c->last; i++) {
        unsigned op = at(p, i)->op;
        if (op == OP_BRK || op == OP_CONT || op == OP_RET || op == OP_CAL || op == OP_CALI || op == OP_REP || op == OP_KIL)
            return false;
        inside += op == OP_IF;
        inside -= op == OP_ENDIF;
        if (i == c->add && inside)
            return false;
    }
    return true;
}

/* BRK; IF BRK ENDIF; IF ELSE BRK ENDIF; IF body ELSE BRK ENDIF. */
static bool find_way_out(const struct gp5_program *p, uint32_t end, struct slow_counter *c)
{
    const struct insn *test = at(p, c->test);
    uint32_t endif;
    c->brk = c->test;
    c->first = c->test + 1;
    c->last = end;
    if (test->op != OP_IF)
        return test->op == OP_BRK;
    endif = test->partner;
    c->when_passed = at(p, endif)->op == OP_ELSE;
    if (c->when_passed)
        endif = at(p, endif)->partner;
    c->brk = endif - 1;
    if (at(p, c->brk)->op != OP_BRK || condition_restricts(&at(p, c->brk)->condition) || c->brk != (c->when_passed ? test->partner : c->test) + 1)
        return false;
    if (c->when_passed && test->partner > c->test + 1) {
        c->last = test->partner;
        return endif + 1 == end;
    }
    c->first = endif + 1;
    return true;
}

/* An addition of a literal, and the loop is left on its flags; only signed ones. */
static bool leaves_on_sum(const struct gp5_program *p, uint32_t rep, struct slow_counter *c)
{
    const struct insn *sum = at(p, c->comparison);
    const struct condition *test = &at(p, c->test)->condition;
    unsigned writers = 0, op;
    if (sum->type != DT_S32 || !sum->cc_update || sum->dst.kind != OPND_SYMBOL || !sum->dst.mask || sum->dst.mask & (sum->dst.mask - 1))
        return false;
    c->component = (unsigned)__builtin_ctz(sum->dst.mask);
    switch (test->rule) {
    case CC_LT: op = OP_SLT; break;
    case CC_LE: op = OP_SLE; break;
    case CC_EQ: op = OP_SEQ; break;
    case CC_NE: op = OP_SNE; break;
    case CC_GE: op = OP_SGE; break;
    case CC_GT: op = OP_SGT; break;
    default: return false;
    }
    if (test->cc != sum->cc_update - 1u || test->swizzle != c->component * 0x55 || !(c->step = step_of(p, sum, c->component)))
        return false;
    for (uint32_t i = rep + 1; i < at(p, rep)->partner; i++)
        writers += writes(at(p, i), sum->dst.ref, c->component);
    c->add = c->comparison;
    c->sum = c->is_signed = true;
    c->operand = 0;
    c->ends = ending(op, false, c->when_passed);
    return writers == 1 && comes_to_an_end(c) && only_way_out(p, c);
}

static bool leaves_on_comparison(const struct gp5_program *p, uint32_t rep, struct slow_counter *c)
{
    const struct insn *test = at(p, c->comparison), *leave = at(p, c->test);
    if (!op_compares(test->op) || (test->type != DT_S32 && test->type != DT_U32) || test->nsrc != 2 || !test->cc_update ||
        test->dst.kind != OPND_SYMBOL || test->dst.nindices || !test->dst.mask || test->dst.mask & (test->dst.mask - 1) ||
        condition_restricts(&test->dst.condition) || test->flags & (INSN_SAT | INSN_SSAT))
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
        for (uint32_t i = rep + 1; i < at(p, rep)->partner; i++) {
            if (writes(at(p, i), o->ref, own)) {
                writers++;
                c->add = i;
            }
            changes += to->kind == OPND_SYMBOL && writes(at(p, i), to->ref, other);
        }
        if (writers != 1 || changes || c->add == c->comparison || !(c->step = step_of(p, at(p, c->add), own)))
            continue;
        c->before = c->add < c->comparison;
        c->operand = k;
        c->is_signed = test->type == DT_S32;
        c->ends = ending(test->op, k == 1, (leave->condition.rule == CC_EQ) != c->when_passed);
        return comes_to_an_end(c) && (c->before || c->add >= c->first) && only_way_out(p, c);
    }
    return false;
}

bool slow_find_counter(const struct gp5_program *p, uint32_t rep, struct slow_counter *c)
{
    uint32_t end = at(p, rep)->partner;
    if (at(p, rep)->nsrc || end == NO_INDEX || end < rep + 4)
        return false;
    *c = (struct slow_counter){.comparison = rep + 1};
    if (!op_compares(at(p, rep + 1)->op) && op_compares(at(p, rep + 2)->op))
        c->comparison++;
    c->test = c->comparison + 1;
    return find_way_out(p, end, c) && (leaves_on_sum(p, rep, c) || leaves_on_comparison(p, rep, c));
}

uint64_t slow_counter_turns(const struct slow_counter *c, uint64_t operand0, uint64_t operand1)
{
    uint32_t start = (uint32_t)(c->operand ? operand1 : operand0), stop = (uint32_t)(c->operand ? operand0 : operand1);
    int64_t a, b, way, step = c->step;
    if (c->known)
        return c->turns;
    if (c->sum)
        stop = (uint32_t)-step;
    a = c->is_signed ? (int32_t)start : (int64_t)start;
    b = c->is_signed ? (int32_t)stop : (int64_t)stop;
    a += c->before ? step : 0;
    if (c->ends == OP_SEQ)
        return (step > 0 ? stop - start : start - stop) - c->before;
    way = step > 0 ? b - a : a - b;
    step = step > 0 ? step : -step;
    way += c->ends == OP_SGT || c->ends == OP_SLT;
    if (way <= 0)
        return 0;
    way = (way + step - 1) / step;
    return way > UINT32_MAX ? UINT32_MAX : (uint64_t)way;
}
