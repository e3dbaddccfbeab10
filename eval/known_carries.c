/* What becomes of carries that are tested more than once: docs/numbers.md, "Condition codes". */
#include "eval/known_flags.h"
#include "eval/decode.h"
#include "eval/traits.h"

/* The driver's compiler turns the carry or overflow of a sum around in its place where it wants it the other way, and the next such use finds
 * it turned. Which uses these are was found with 250 sequences of tests: of CF and NOF that of the lowest component by IF, of NCF and OF all
 * others. What is used as it stands is made anew. Each of the four rules has a copy of its own. */
static bool turns(uint8_t rule, bool lowest_of_if)
{
    return (rule == CC_CF || rule == CC_NOF) == lowest_of_if;
}

/* Carry has one state for CF and NCF, overflow for OF and NOF. */
static uint8_t *state_of(struct known *k, uint8_t rule)
{
    return &k->spent[rule - CC_CF];
}

static void set_state(struct known *k, uint8_t rule, uint8_t bit, bool turned)
{
    bool carry = rule == CC_CF || rule == CC_NCF;

    for (unsigned i = 0; i < 2; i++) {
        uint8_t *state = state_of(k, carry ? (i ? CC_NCF : CC_CF) : i ? CC_NOF : CC_OF);
        *state = turned ? *state | bit : *state & (uint8_t)~bit;
    }
}

/* Components of a condition code that a test of flow finds turned. */
uint8_t eval_known_turned(struct known *k, const struct insn *insn)
{
    const struct condition *test = &insn->condition;
    uint8_t lowest = eval_first_alone(test), spent, found = 0;

    if (test->rule < CC_CF || test->rule > CC_NOF || insn->op == OP_CAL || insn->op == OP_CALI || !model_has(k->passes, PASS_carry_tests))
        return 0;
    spent = *state_of(k, test->rule);
    for (unsigned n = 0; n < 4; n++) {
        unsigned i = lowest >> 2 * n & 3;
        uint8_t bit = (uint8_t)(1u << ((test->cc & 1) * 4 + i));
        if (!(k->sums & bit) || (n && i == (lowest >> 2 * (n - 1) & 3u)))
            continue;
        if (turns(test->rule, insn->op == OP_IF && n == 0)) {
            found |= spent & bit ? (uint8_t)(1u << i) : 0;
            set_state(k, test->rule, bit, true);
        } else {
            set_state(k, test->rule, bit, false);
        }
    }
    return found;
}

/* Whether components that later ones still read are put off: not of sums and differences, of what has one result for all components, or goes into a
 * variable of another size. */
static bool writes_late(const struct gp5_program *p, const struct insn *insn)
{
    bool wide = program_is_long(p, insn->dst.kind, insn->dst.ref), apart = false;

    if (insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_DST || op_votes(insn->op) || insn->dst.nindices || wide != (type_table[eval_result_type(insn)].bytes == 8))
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned c = 1; c < 4; c++)
            apart |= eval_component_reads(insn->op, n, c) != eval_component_reads(insn->op, n, 0);
    return apart;
}

/* The components that each component of a result reads of its own variable. */
static void find_own(const struct gp5_program *p, const struct insn *insn, uint8_t reads[4])
{
    bool puts_off = writes_late(p, insn);

    for (unsigned n = 0; puts_off && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p, insn->src + n);
        bool own = o->kind == insn->dst.kind && o->kind != OPND_EXTENDED && o->ref == insn->dst.ref && !o->nindices;
        for (unsigned i = 0; own && i < 4; i++) {
            uint8_t from = eval_component_reads(insn->op, n, i);    /* not of what reads several */
            if (from && !(from & (from - 1)))
                reads[i] |= (uint8_t)(1u << (o->swizzle >> 2 * __builtin_ctz(from) & 3));
        }
    }
    if (insn->op == OP_LIT)
        reads[2] = 2;
}

/* The operand that component c of a result is a copy of: of MOV, and of sums and products with a number that changes nothing; or NULL. */
static const struct operand *copied(const struct known *k, const struct insn *insn, unsigned c)
{
    bool product = insn->op == OP_MUL, sums = insn->op == OP_ADD || insn->op == OP_OR || insn->op == OP_XOR || insn->op == OP_SUB;
    uint64_t word;

    if (insn->op == OP_MOV)
        return program_operand(k->p, insn->src);
    if ((insn->type != DT_U32 && insn->type != DT_S32) || insn->flags & (INSN_HI | INSN_SAT | INSN_SSAT) || (!product && !sums))
        return NULL;
    for (unsigned n = 2; n-- > (insn->op == OP_SUB ? 1u : 0u);) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        if (o->kind == OPND_CONSTANT && eval_known_operand(k, o, c, insn->type, &word) && word == product)
            return program_operand(k->p, insn->src + 1 - n);
    }
    return NULL;
}

/* A component that a copy leaves where it is. */
static bool stays(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = copied(k, insn, c);
    const struct result *r = &insn->dst;

    return o && o->kind == r->kind && o->ref == r->ref && !o->nindices && !r->nindices && !operand_has_sign(o) && (o->swizzle >> 2 * c & 3) == c;
}

/* Components of a result in the order in which the driver writes them: in rounds, of those that no later one that is left still reads, whether that is
 * written or not. */
static uint8_t writing_order(const struct known *k, const struct insn *insn, uint8_t order[4])
{
    uint8_t reads[4] = {0}, left = 15, n = 0;

    find_own(k->p, insn, reads);
    while (left) {
        uint8_t round = 0;
        for (uint8_t c = 0; c < 4; c++) {
            bool waits = false;
            for (unsigned i = c + 1; i < 4; i++)
                waits |= left >> i & 1 && reads[i] >> c & 1;
            if (!(left >> c & 1) || waits)
                continue;
            round |= (uint8_t)(1u << c);
            if (insn->dst.mask >> c & 1 && !stays(k, insn, c))
                order[n++] = c;
        }
        left &= (uint8_t)~round;
    }
    return n;
}

/* Not what is a branch, or sets flags itself. */
static bool is_choice(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LOAD: case OP_LOADIM: return false;
    default: return !insn->cc_update && !op_is_atomic(insn->op) && !op_shuffles(insn->op);
    }
}

static bool is_by_register(const struct gp5_program *p, const struct operand *o)
{
    return o->nindices && program_index(p, o->index)->mode == INDEX_RELATIVE;
}

/* A choice between a number, or a word of a constant buffer, and what is not known has the two the other way round. */
static bool is_number(const struct known *k, const struct insn *insn, unsigned c, bool known)
{
    const struct operand *o = copied(k, insn, c);
    const struct symbol *s = o && o->kind == OPND_SYMBOL && (insn->op == OP_MOV || !is_by_register(k->p, o)) ? program_symbol(k->p, o->ref) : NULL;
    const struct binding *b = o && o->kind == OPND_BINDING ? program_binding(k->p, o->ref) : NULL;
    const struct result *r = &insn->dst;
    bool constant = o && !operand_has_sign(o) && ((s && s->kind != SYM_TEMP && s->kind != SYM_OUTPUT) ||
                    (b && (b->kind == BIND_INVOCATION_GROUPCOUNT || b->kind == BIND_INVOCATION_GROUPSIZE)));

    if (r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX && eval_known_at(k, k->first[r->ref] + c)->known)
        return false;
    return known || constant;
}

/* An element in memory is written by a branch for each component: CF and NOF are turned around by it, in their block, and those behind the first one that
 * look at its flag find it turned; LT and GE are made anew. */
void eval_known_branches(struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t order[4], n = writing_order(k, insn, order), found = 0;
    bool carries = test->rule >= CC_CF && test->rule <= CC_NOF, turned = carries && turns(test->rule, true);

    if (!(insn->flags & EVAL_INSN_COPIED) || !condition_restricts(test) || !is_choice(insn))
        return;
    found = carries ? *state_of(k, test->rule) : 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned at = eval_looks_at(test, order[i]);
        uint8_t flag = (uint8_t)(1u << at), bit = flag & k->sums;
        if (folded && turned && found & bit)
            folded->again |= (uint8_t)(1u << order[i]);
        if (carries)
            set_state(k, test->rule, bit & k->near, turned);
        found |= i == 0 && turned ? bit & k->near : 0;
        k->less &= (uint8_t)~(flag & k->orders & k->near);
        k->not_less &= (uint8_t)~(flag & k->orders & k->near);
    }
}

void eval_known_turn(struct known *k, const struct insn *insn, const struct known_value v[4], struct folded *folded)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t order[4], n;

    if (!is_choice(insn) || insn->flags & EVAL_INSN_COPIED)
        return;
    n = writing_order(k, insn, order);
    if (condition_restricts(test) && test->rule != CC_FL && test->rule != CC_OF && test->rule != CC_NOF)
        for (unsigned i = 0; i < n; i++)        /* the overflow alone is asked anew */
            set_state(k, CC_OF, (uint8_t)(1u << eval_looks_at(test, order[i])) & (k->sums | k->wide_sums), false);
    if (test->rule < CC_CF || test->rule > CC_NOF)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint8_t c = order[i], bit = (uint8_t)(1u << eval_looks_at(test, c)) & (k->sums | k->wide_sums);
        bool turned = turns(test->rule, is_number(k, insn, c, v[c].known));
        if (insn->op == OP_LIT && (c == 0 || c == 3))
            continue;
        if (folded && turned && *state_of(k, test->rule) & bit)
            folded->again |= (uint8_t)(1u << c);
        set_state(k, test->rule, bit & k->near, turned);
    }
}

/* Carries reach the flags where the variable has the size of the operation. */
static bool sums_carries(const struct gp5_program *p, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8, integer = type_table[insn->type].bytes >= 4 && !type_table[insn->type].is_float;

    return eval_is_sum(insn->op) && integer && !condition_restricts(&insn->dst.condition) &&
           (insn->dst.kind == OPND_CC || program_is_long(p, insn->dst.kind, insn->dst.ref) == wide);
}

/* Not those of known numbers, unless nothing else sets the flags; a component less itself only to writes. */
void eval_known_sums(struct known *k, const struct insn *insn, const struct known_value v[4])
{
    uint8_t set = eval_flags_set(insn), sums = sums_carries(k->p, insn) ? set : 0, numbers = 0, itself = 0;
    bool wide = type_table[insn->type].bytes == 8;

    for (unsigned c = 0; set && c < 4; c++) {
        uint8_t bit = (uint8_t)(1u << ((insn->cc_update - 1u) * 4 + c));
        numbers |= v[c].known ? bit : 0;
        itself |= v[c].known && v[c].faint && insn->op == OP_SUB ? bit : 0;
    }
    numbers &= k->several;
    k->sums &= (uint8_t)~set;
    k->sums |= wide ? 0 : sums & (uint8_t)~numbers;
    k->wide_sums &= (uint8_t)~set;
    k->wide_sums |= sums & (wide ? (uint8_t)~(numbers & ~itself) : itself);
    for (unsigned rule = 0; set && rule < 4; rule++)
        k->spent[rule] &= (uint8_t)~set;
}

/* ---- orders ---------------------------------------------------------------------------------------------------------------- */

/* A term that is no number, or 0. */
static bool is_open(const struct known *k, const struct insn *insn, unsigned n, unsigned c)
{
    uint64_t word;

    return !eval_known_operand(k, program_operand(k->p, insn->src + n), c, insn->type, &word) || !word;
}

static bool is_negative(const struct known *k, const struct insn *insn, unsigned n)
{
    return program_operand(k->p, insn->src + n)->flags & OPND_NEGATE;
}

/* Whether a component is a sum of two such terms, not a difference. */
static bool adds_terms(const struct known *k, const struct insn *insn, unsigned c)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB:
        return !is_negative(k, insn, 0) && is_negative(k, insn, 1) == (insn->op == OP_SUB) && is_open(k, insn, 0, c) && is_open(k, insn, 1, c);
    default:
        return !is_negative(k, insn, 2) && is_open(k, insn, 2, c) && (is_open(k, insn, 0, c) || is_open(k, insn, 1, c));
    }
}

/* Components whose order with zero is that of such a sum. */
static uint8_t ordered(const struct known *k, const struct insn *insn)
{
    uint8_t set = 0;

    if (!insn->cc_update || !sums_carries(k->p, insn))
        return 0;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && adds_terms(k, insn, c))
            set |= (uint8_t)(1u << ((insn->cc_update - 1u) * 4 + c));
    return set & eval_flags_set(insn);
}

/* LT of such a sum is turned around by a choice, GE by one between a number and what is not known; each finds what it has turned itself, whatever
 * ended a block since but flow. Other tests make it anew. */
static void turn_order(struct known *k, const struct insn *insn, const struct known_value v[4], struct folded *folded)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t *state = test->rule == CC_LT ? &k->less : test->rule == CC_GE ? &k->not_less : NULL;
    uint8_t order[4], n = writing_order(k, insn, order);

    for (unsigned i = 0; i < n; i++) {
        uint8_t c = order[i], bit = (uint8_t)(1u << eval_looks_at(test, c)) & k->orders;
        bool turned = state && (test->rule == CC_LT) != is_number(k, insn, c, v[c].known);
        if (folded && state && *state & bit && (turned || !(bit & k->near)))
            folded->again |= (uint8_t)(1u << c);
        k->less &= (uint8_t)~(bit & k->near);
        k->not_less &= (uint8_t)~(bit & k->near);
        if (turned)
            *state |= bit & k->near;
    }
}

void eval_known_orders(struct known *k, const struct insn *insn, const struct known_value v[4], struct folded *folded)
{
    uint8_t set = eval_flags_set(insn);

    if (condition_restricts(&insn->dst.condition) && is_choice(insn) && k->orders && !(insn->flags & EVAL_INSN_COPIED))
        turn_order(k, insn, v, folded);
    if (!set)
        return;
    k->orders = (k->orders & (uint8_t)~set) | ordered(k, insn);
    k->less &= (uint8_t)~set;
    k->not_less &= (uint8_t)~set;
}
