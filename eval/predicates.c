/* What the driver's compiler holds as a predicate: comparisons of floats are held so too where the program has one (truths.h). */
#include "eval/truths.h"

/* A test of what a comparison of floats said; that is never below zero. */
static bool tests_comparison(const struct truth_search *s, uint32_t i)
{
    const struct condition *test = &program_insn(s->p, i)->condition;

    if (!condition_restricts(test) || test->rule == CC_FL || test->rule == CC_LT || test->rule == CC_GE ||
        eval_form(s->d, i) == FORM_KNOWN || eval_outcome(s->d, i) != OUTCOME_TESTED)
        return false;
    while (i-- && !s->l->label[i + 1]) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->cc_update && insn->cc_update - 1u == (test->cc & 1u))
            return op_compares(insn->op);
    }
    return false;
}

/* A choice by what nobody knows, that is neither narrowed nor an absolute value, between two things; not in halves. */
static bool selects(const struct truth_search *s, uint32_t i, bool wide)
{
    const struct insn *insn = program_insn(s->p, i);
    const struct operand *o = program_operand(s->p, insn->src);
    const struct folded *folded = eval_folded_at(s->d, i);
    uint8_t taken = folded ? (uint8_t)(folded->mask | folded->taken[0] | folded->taken[1] | folded->taken[2]) : 0;

    return insn->type != DT_F16 && !(insn->flags & INSN_HALF) && !(o->flags & OPND_ABSOLUTE) && program_is_long(s->p, o->kind, o->ref) == wide &&
           insn->dst.mask & ~taken;
}

/* What the compiler holds as a predicate: flags that a comparison of integers sets, those of one of floats that a branch tests, in the
 * main program votes and selections, and what divisions of 64 bits are made of. `called`: in a subroutine. */
static bool is_predicate(const struct truth_search *s, uint32_t i, bool called)
{
    const struct insn *insn = program_insn(s->p, i);
    bool wide = insn->type != DT_NONE && type_table[insn->type].bytes == 8;

    if (!s->l->useful[i])
        return false;
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return tests_comparison(s, i);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return !called || s->l->flags[i];
    case OP_CMP:
        return selects(s, i, wide) && (wide || !called);
    case OP_DIV:
        return insn->type == DT_F64;
    case OP_MOD: case OP_RCP:
        return wide;
    default:
        return op_compares(insn->op) && s->l->flags[i] && insn->type != DT_F32 && !wide;
    }
}


static void call_label(struct truth_search *s, uint32_t to, bool *more)
{
    if (to < s->p->insns.count && !s->called[to] && s->l->label[to])
        s->called[to] = *more = true;
}

static void find_called(struct truth_search *s, uint32_t from, bool *more)
{
    for (uint32_t i = from; i < s->p->insns.count && (i == from || !s->l->label[i]); i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->op == OP_CAL)
            call_label(s, insn->partner, more);
        for (uint32_t k = 0; insn->op == OP_CALI && k < s->p->symbols.count; k++) {
            const struct symbol *label = program_symbol(s->p, k);
            if (label->kind == SYM_LABEL && label->defined && label->numbered)
                call_label(s, label->instruction, more);
        }
    }
}

static bool divides_doubles(const struct insn *insn)
{
    return insn->op == OP_DIV && insn->type == DT_F64;
}

/* Marks the subroutines that are called, and counts the predicates in what runs. */
void eval_count_predicates(struct truth_search *s)
{
    bool more = true, called = false;

    find_called(s, s->l->entry, &more);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++)
            if (s->called[i])
                find_called(s, i, &more);
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        called = s->l->label[i] ? s->called[i] : called;
        if ((eval_in_main(s, i) || called) && is_predicate(s, i, !eval_in_main(s, i)))
            s->predicates++;
    }
}

/* Whether there is any but for divisions of doubles behind it in its subroutine. */
bool eval_has_predicates(const struct truth_search *s, uint32_t insn)
{
    uint32_t behind = 0;

    for (uint32_t i = insn + 1; !eval_in_main(s, insn) && i < s->p->insns.count && !s->l->label[i]; i++)
        behind += divides_doubles(program_insn(s->p, i)) && is_predicate(s, i, true);
    return s->predicates > behind;
}

