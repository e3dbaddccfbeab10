/* Loops without a count that count for themselves: which they are, and how often they run. The driver's compiler makes
 * copies of their bodies as of loops with a count (tests/recordings/patterns/unrolled.txt, counted*, counting*). */
#include "asm/induction.h"
#include "asm/label.h"

/* The comparison with its operands in the other order. */
static uint16_t mirrored(uint16_t op)
{
    switch (op) {
    case OP_SGE: return OP_SLE;
    case OP_SGT: return OP_SLT;
    case OP_SLE: return OP_SGE;
    case OP_SLT: return OP_SGT;
    default: return op;
    }
}

static uint16_t opposite(uint16_t op)
{
    switch (op) {
    case OP_SGE: return OP_SLT;
    case OP_SGT: return OP_SLE;
    case OP_SLE: return OP_SGT;
    case OP_SLT: return OP_SGE;
    case OP_SEQ: return OP_SNE;
    default: return OP_SEQ;
    }
}

static bool is_word(const struct gp5_program *p, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_TEMP && !program_symbol(p, o->ref)->array &&
           program_symbol(p, o->ref)->size == SIZE_DEFAULT && !o->nindices && !(o->flags & OPND_SIGNS);
}

/* A test of the one component that the comparison writes: NE, or EQ when it ends the loop where the comparison fails.
 */
static bool tests_it(const struct condition *test, const struct insn *compare, unsigned c)
{
    return test->cc == compare->cc_update - 1u && (test->rule == CC_NE || test->rule == CC_EQ) &&
           test->swizzle == c * 0x55;
}

/* Who writes component c of a variable in the body: NO_INDEX when none or several do. */
static uint32_t writer(const struct gp5_program *p, uint32_t rep, uint32_t ref, unsigned c, unsigned *writers)
{
    uint32_t found = NO_INDEX;

    *writers = 0;
    for (uint32_t i = rep + 1; i < program_insn(p, rep)->dst.partner; i++) {
        const struct result *r = &program_insn(p, i)->dst;
        if (r->kind == OPND_SYMBOL && r->ref == ref && r->mask >> c & 1) {
            found = i;
            ++*writers;
        }
    }
    return found;
}

static bool adds_literal(const struct gp5_program *p, uint32_t i, uint32_t ref, unsigned c, int32_t *step)
{
    const struct insn *insn = program_insn(p, i);
    const struct operand *o = program_operand(p, insn->src);
    const struct constant *k;
    unsigned part;

    if (!op_adds(insn->op) || (insn->type != DT_S32 && insn->type != DT_U32) ||
        insn->dst.nindices || insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition) ||
        !is_word(p, o) || o->ref != ref || (o->swizzle >> 2 * c & 3) != c || o[1].kind != OPND_CONSTANT ||
        o[1].flags & OPND_SIGNS)
        return false;
    k = vec_at(&p->constants, o[1].ref);
    part = k->scalar ? 0 : o[1].swizzle >> 2 * c & 3;
    if (part >= k->count || !(k->is_integer >> part & 1) || k->value[part].u > INT32_MAX)
        return false;
    *step = (int32_t)k->value[part].u * ((k->negative >> part & 1) != (insn->op == OP_SUB) ? -1 : 1);
    return true;
}

/* Nothing else leaves the loop or goes round in it, and what counts does so in any round. */
static bool goes_straight(const struct gp5_program *p, uint32_t from, uint32_t to, uint32_t add)
{
    unsigned depth = 0;

    for (uint32_t i = from; i < to; i++) {
        unsigned op = program_insn(p, i)->op;
        if (op_has(op, A_JUMPS | A_LOOPS) || op_is(op, K_KILL))
            return false;
        depth += (unsigned)op_nesting(op);
        if (i == add && depth)
            return false;
    }
    return true;
}

static bool ends(const struct counter *c)
{
    switch (c->leaves) {
    case OP_SGE: case OP_SGT: return c->step > 0;
    case OP_SLE: case OP_SLT: return c->step < 0;
    case OP_SEQ: return c->step == 1 || c->step == -1;
    default: return false;
    }
}

static bool always_leaves(const struct insn *insn)
{
    return insn->op == OP_BRK && !condition_restricts(&insn->condition);
}

/* How the loop is left at its test, and what is its body. */
static bool find_test(const struct gp5_program *p, uint32_t end, struct counter *c)
{
    uint32_t i = c->test, otherwise, behind;

    c->leave = i;
    c->body = i + 1;
    c->end = end;
    if (program_insn(p, i)->op == OP_BRK)
        return true;
    if (program_insn(p, i)->op != OP_IF)
        return false;
    otherwise = program_insn(p, i)->dst.partner;
    behind = eval_end_of_if(p, i);
    c->stays = otherwise != behind;
    c->leave = c->stays ? otherwise + 1 : i + 1;
    if (behind != c->leave + 1 || !always_leaves(program_insn(p, c->leave)))
        return false;
    if (!c->stays || otherwise == i + 1)
        c->body = behind + 1;
    else
        c->end = otherwise;
    return c->end == end || behind + 1 == end;
}

/* `SUB.S.CC w, w, 1; BRK (LT.w);`: a literal is added, and who comes to zero or beyond leaves. */
static bool counts_at_once(const struct gp5_program *p, uint32_t rep, struct counter *c)
{
    static const uint16_t ending[] = {
        [CC_LT] = OP_SLT, [CC_LE] = OP_SLE, [CC_EQ] = OP_SEQ, [CC_GE] = OP_SGE, [CC_GT] = OP_SGT};
    static const uint16_t staying[] = {
        [CC_GE] = OP_SLT, [CC_GT] = OP_SLE, [CC_NE] = OP_SEQ, [CC_LT] = OP_SGE, [CC_LE] = OP_SGT};
    const struct insn *add = program_insn(p, c->compare), *test = program_insn(p, c->test);
    unsigned component, writers, rule = test->condition.rule;
    const struct result *r = &add->dst;

    if (!add->cc_update || r->kind != OPND_SYMBOL || __builtin_popcount(r->mask) != 1 || add->type != DT_S32)
        return false;
    component = (unsigned)__builtin_ctz(r->mask);
    if (test->condition.cc != add->cc_update - 1u || test->condition.swizzle != component * 0x55 ||
        !adds_literal(p, c->compare, r->ref, component, &c->step))
        return false;
    if (c->stays)
        c->leaves = rule < sizeof staying / sizeof *staying ? staying[rule] : 0;
    else
        c->leaves = rule < sizeof ending / sizeof *ending ? ending[rule] : 0;
    writer(p, rep, r->ref, component, &writers);
    c->add = c->compare;
    c->at_once = c->is_signed = true;
    return c->leaves && ends(c) && writers == 1 && goes_straight(p, c->body, c->end, c->add);
}

/* A comparison of the counter with what the loop leaves alone. */
static bool compares_counter(const struct gp5_program *p, uint32_t rep, struct counter *c)
{
    const struct insn *compare = program_insn(p, c->compare), *test = program_insn(p, c->test);
    unsigned component, writers;

    if (!op_compares(compare->op) || (compare->type != DT_S32 && compare->type != DT_U32) || compare->nsrc != 2 ||
        !compare->cc_update || compare->dst.kind != OPND_SYMBOL || compare->dst.nindices ||
        __builtin_popcount(compare->dst.mask) != 1 || condition_restricts(&compare->dst.condition) ||
        compare->flags & (INSN_SAT | INSN_SSAT))
        return false;
    component = (unsigned)__builtin_ctz(compare->dst.mask);
    if (!tests_it(&test->condition, compare, component))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(p, compare->src + k),
                             *other = program_operand(p, compare->src + 1 - k);
        unsigned at = o->swizzle >> 2 * component & 3;
        if (!is_word(p, o) || (!is_word(p, other) && other->kind != OPND_CONSTANT))
            continue;
        c->add = writer(p, rep, o->ref, at, &writers);
        if (writers != 1 || c->add == c->compare || !adds_literal(p, c->add, o->ref, at, &c->step))
            continue;
        if (other->kind == OPND_SYMBOL) {
            writer(p, rep, other->ref, other->swizzle >> 2 * component & 3, &writers);
            if (writers)
                continue;
        }
        c->ahead = c->add < c->compare;
        c->operand = (uint8_t)k;
        c->is_signed = compare->type == DT_S32;
        c->leaves = k ? mirrored(compare->op) : compare->op;
        c->leaves = (test->condition.rule == CC_EQ) != c->stays ? opposite(c->leaves) : c->leaves;
        return ends(c) && (c->ahead || c->add >= c->body) && goes_straight(p, c->body, c->end, c->add);
    }
    return false;
}

bool eval_find_counter(const struct gp5_program *p, uint32_t rep, struct counter *c)
{
    uint32_t end = program_insn(p, rep)->dst.partner, first = rep + 1;

    if (program_insn(p, rep)->nsrc || end == NO_INDEX || end < rep + 4)
        return false;
    if (!op_compares(program_insn(p, first)->op) && op_compares(program_insn(p, first + 1)->op))
        first++;
    *c = (struct counter){.compare = first, .test = first + 1};
    return find_test(p, end, c) && (counts_at_once(p, rep, c) || compares_counter(p, rep, c));
}
