/* What the driver's compiler holds as a predicate: comparisons of floats are held so too where the program has one (truths.h). */
#include "eval/truths.h"

/* A test of what a comparison said, in a subroutine not one of floats whose flags the main program may look at; that is never below zero. */
static bool tests_comparison(const struct truth_search *s, uint32_t i, bool called)
{
    const struct condition *test = &program_insn(s->p, i)->condition;

    if (!condition_restricts(test) || test->rule == CC_FL || test->rule == CC_LT || test->rule == CC_GE ||
        eval_form(s->d, i) == FORM_KNOWN || eval_outcome(s->d, i) != OUTCOME_TESTED)
        return false;
    while (i-- && !s->l->label[i + 1]) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->cc_update && insn->cc_update - 1u == (test->cc & 1u))
            return op_compares(insn->op) && !(called && type_table[insn->type].is_float && s->looked_at >> (test->cc & 1u) & 1);
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

static bool is_same(const struct operand *a, const struct operand *b)
{
    return a->kind == b->kind && a->ref == b->ref && a->swizzle == b->swizzle && a->flags == b->flags && !a->nindices && !b->nindices;
}

/* Flags of a comparison of integers, that nobody knows, into a variable of 32 bits; of 64 bits only of one that orders them. */
static bool compares_integers(const struct truth_search *s, uint32_t i, bool wide)
{
    const struct insn *insn = program_insn(s->p, i);
    bool orders = insn->op != OP_SEQ && insn->op != OP_SNE;

    return op_compares(insn->op) && s->l->flags[i] && !type_table[insn->type].is_float && (!wide || orders) &&
           !(insn->dst.kind == OPND_SYMBOL && program_is_long(s->p, insn->dst.kind, insn->dst.ref)) &&
           !is_same(program_operand(s->p, insn->src), program_operand(s->p, insn->src + 1));
}

/* In subroutines one of floats that is no move to one of the two. */
static bool selects_there(const struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);

    for (unsigned k = 1; k < 3; k++)
        if (program_operand(s->p, insn->src + k)->kind == OPND_SYMBOL && program_operand(s->p, insn->src + k)->ref == insn->dst.ref)
            return false;
    return insn->type == DT_F32 && !insn->cc_update;
}

/* What stands in the operand of a vote, if its block has loaded it. */
static uint16_t loaded_by(const struct truth_search *s, uint32_t i)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, i)->src);

    for (uint32_t k = i; o->kind == OPND_SYMBOL && k-- && !s->l->label[k + 1];) {
        const struct insn *insn = program_insn(s->p, k);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == o->ref)
            return insn->op;
        if (insn->op == OP_IF || insn->op == OP_ENDIF || insn->op == OP_ELSE || insn->op == OP_REP || insn->op == OP_ENDREP || insn->op == OP_CAL)
            break;
    }
    return OP_COUNT;
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
        return tests_comparison(s, i, called);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return loaded_by(s, i) != OP_LDS && (!called || s->l->flags[i] || loaded_by(s, i) == OP_LDB);
    case OP_CMP:
        return selects(s, i, wide) && (wide || !called || selects_there(s, i));
    case OP_DIV:
        return insn->type == DT_F64;
    case OP_MOD: case OP_RCP:
        return wide && insn->type != DT_U64;
    default:
        return compares_integers(s, i, wide);
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

static uint8_t looked_at_in_main(const struct truth_search *s)
{
    uint8_t codes = 0;

    for (uint32_t i = s->l->entry; i < s->l->main_end; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; s->l->useful[i] && k < 2; k++)
            codes |= (uint8_t)(condition_restricts(tests[k]) ? 1u << (tests[k]->cc & 1u) : 0);
    }
    return codes;
}

/* Marks the subroutines that are called, and counts the predicates in what runs. */
void eval_count_predicates(struct truth_search *s)
{
    bool more = true, called = false;

    s->looked_at = looked_at_in_main(s);
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

