/* Tests of what comparisons of floats said: by which of them the flags were set, over calls of the main program too, and who else asks (predicates.c). */
#include "eval/labels.h"
#include "eval/truths.h"

#include <string.h>

enum { CALLS_FOLLOWED = 4 };      /* calls in calls; an even number */

/* The condition code that an instruction sets. */
static unsigned code_set(const struct insn *insn)
{
    return (insn->cc_update - 1u) & 1u;
}

static bool parts_sides(uint16_t op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

static bool does_nothing(const struct truth_search *s, uint32_t i)
{
    uint8_t kept = eval_kept_back(s, i);

    return !s->l->useful[i] || (kept && !(program_insn(s->p, i)->dst.mask & ~kept));
}

bool eval_decides_nothing(const struct truth_search *s, uint32_t at)
{
    uint32_t end = eval_end_of_if(s->p, at);
    bool nothing = true;

    for (uint32_t i = at + 1; i < end; i++)
        nothing &= parts_sides(program_insn(s->p, i)->op) || does_nothing(s, i);
    return nothing;
}

static bool tells_zero(uint16_t rule)
{
    return rule == CC_EQ || rule == CC_NE || rule == CC_GT || rule == CC_LE;
}

/* Whether the main program asks flags that are set at `from`, or in a subroutine that is called there, for nothing but zero before it comes to a test. */
static bool is_asked_for_zero(const struct truth_search *s, uint32_t from, uint32_t to, unsigned cc)
{
    bool zero = true;

    for (uint32_t i = from + 1; i < to; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; s->l->useful[i] && k < 2; k++)
            zero &= !condition_restricts(tests[k]) || (tests[k]->cc & 1u) != cc || tells_zero(tests[k]->rule);
    }
    return zero;
}

static bool compares_floats(const struct insn *insn)
{
    return op_compares(insn->op) && type_table[insn->type].is_float;
}

/* MOV, CVT and what rounds: what they make of a truth is made of the predicate. Not so of the word, as a float to 32 bits. */
static bool passes_on(const struct gp5_program *p, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;

    if (!o || o->kind != OPND_SYMBOL || o->nindices || program_symbol(p, o->ref)->size != SIZE_DEFAULT || condition_restricts(&insn->dst.condition) ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF))
        return false;
    switch (insn->op) {
    case OP_MOV: return type_table[insn->type].bytes == 4;
    case OP_FLR: return insn->type == DT_F32 && !(o->flags & OPND_SIGNS);
    case OP_CVT: return type_table[insn->type2].bytes <= 4 && (type_table[insn->type].bytes < 4 || type_table[insn->type].is_float || (insn->type != DT_S64 && insn->type != DT_U64 && !type_table[insn->type2].is_float));
    default: return false;
    }
}

/* Whether component c of what an instruction of the main program passes on is what a comparison of floats said, whatever flow stands between. */
static bool says_truth(const struct truth_search *s, uint32_t at, unsigned c)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, at)->src);
    uint32_t sides = 0;

    c = o->swizzle >> 2 * c & 3;
    while (at > s->l->entry) {
        const struct insn *insn = program_insn(s->p, --at);
        bool plain = eval_form(s->d, at) == FORM_PLAIN;
        if (plain && (insn->op == OP_ENDIF || insn->op == OP_ENDREP || (insn->op == OP_ELSE && !sides)))
            sides++;
        else if (plain && (insn->op == OP_IF || insn->op == OP_REP)) {
            if (!sides && insn->op == OP_REP)
                return false;
            sides -= sides > 0;
        }
        if (insn->dst.kind != OPND_SYMBOL || insn->dst.ref != o->ref || !(insn->dst.mask >> c & 1))
            continue;
        if (sides || condition_restricts(&insn->dst.condition))
            return false;
        if (compares_floats(insn) || !passes_on(s->p, insn))
            return compares_floats(insn);
        o = program_operand(s->p, insn->src);
        c = o->swizzle >> 2 * c & 3;
    }
    return false;
}

/* Whether an instruction sets the flags of what a comparison of floats said: it is one, or in the main program made of one. */
static bool sets_truth(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = compares_floats(insn);

    for (unsigned c = 0; !any && c < 4 && eval_in_main(s, at) && passes_on(s->p, insn); c++)
        any = insn->dst.mask >> c & 1 && says_truth(s, at, c);
    return any;
}

/* A test of what a comparison of floats said, not in a subroutine where the main program may look at these flags. */
bool eval_tests_comparison(const struct truth_search *s, uint32_t i, const struct condition *test, bool called)
{
    unsigned cc = test->cc & 1u;

    if (!condition_restricts(test) || !tells_zero(test->rule) ||
        eval_form(s->d, i) == FORM_KNOWN || eval_outcome(s->d, i) != OUTCOME_TESTED || (program_insn(s->p, i)->op == OP_IF && eval_decides_nothing(s, i)))
        return false;
    if (s->setter[cc] == NO_INDEX || !sets_truth(s, s->setter[cc]))
        return false;
    if (called)
        return !(s->looked_at >> cc & 1);
    if (eval_in_main(s, s->setter[cc]) && compares_floats(program_insn(s->p, s->setter[cc])) && (op_flows(program_insn(s->p, i)->op) || type_table[program_insn(s->p, i)->type].is_float))
        return true;
    return is_asked_for_zero(s, s->set_at[cc], i, cc);
}

/* What sets each condition code last in every subroutine, by what it is in those one call less deep. */
static void find_deeper(const struct truth_search *s, uint32_t (*const inner)[2], uint32_t (*to)[2])
{
    uint32_t part = 0;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!i || s->l->label[i])
            to[part = i][0] = to[i][1] = NO_INDEX;
        if (insn->cc_update)
            to[part][code_set(insn)] = i;
        for (unsigned cc = 0; insn->op == OP_CAL && insn->partner < s->p->insns.count && cc < 2; cc++)
            if (inner[insn->partner][cc] != NO_INDEX)
                to[part][cc] = inner[insn->partner][cc];
    }
}

void eval_find_last_setters(struct truth_search *s)
{
    size_t n = s->p->insns.count;
    uint32_t (*deeper)[2] = s->sets_last + n;

    memset(s->sets_last, 0xff, n * sizeof *s->sets_last);       /* NO_INDEX: no call is followed */
    for (unsigned calls = 0; calls < CALLS_FOLLOWED; calls += 2) {
        find_deeper(s, s->sets_last, deeper);
        find_deeper(s, deeper, s->sets_last);
    }
}

/* Follows what sets the condition codes, over calls of the main program as well. */
void eval_follow_setters(struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);

    if (insn->cc_update)
        s->setter[code_set(insn)] = s->set_at[code_set(insn)] = i;
    for (unsigned cc = 0; insn->op == OP_CAL && eval_in_main(s, i) && insn->partner < s->p->insns.count && cc < 2; cc++) {
        uint32_t setter = s->sets_last[insn->partner][cc];
        if (setter == NO_INDEX)
            continue;
        s->setter[cc] = setter;
        s->set_at[cc] = i;
    }
}
