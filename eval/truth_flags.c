/* Flags that are tested for being below zero: of what a comparison of integers says, -1 or 0, that is the comparison itself, which the compiler
 * then holds as a predicate (predicates.c). */
#include "eval/truths.h"

#include <string.h>

static bool asks_sign(const struct condition *test)
{
    return condition_restricts(test) && (test->rule == CC_LT || test->rule == CC_GE || test->rule == CC_SF || test->rule == CC_NSF);
}

static uint8_t components(const struct condition *test, uint8_t mask)
{
    uint8_t set = 0;

    for (unsigned c = 0; c < 4; c++)
        set |= (uint8_t)((mask >> c & 1) << (test->swizzle >> 2 * c & 3));
    return (uint8_t)(set << 4 * (test->cc & 1u));
}

/* Wanted before an instruction, by what is wanted behind it: four components of each condition code. */
static uint8_t through(const struct truth_search *s, uint32_t i, uint8_t wanted)
{
    const struct insn *insn = program_insn(s->p, i);

    if (insn->cc_update && !condition_restricts(&insn->dst.condition))
        wanted &= (uint8_t)~(insn->dst.mask << 4 * (insn->cc_update - 1u));
    if (s->l->useful[i] && asks_sign(&insn->dst.condition))
        wanted |= components(&insn->dst.condition, insn->dst.mask);
    if (s->l->useful[i] && asks_sign(&insn->condition) && !(insn->op == OP_IF && eval_decides_nothing(s, i)))
        wanted |= components(&insn->condition, 15);
    return wanted;
}

static uint8_t behind_block(const struct truth_search *s, uint32_t block, uint8_t returned)
{
    uint32_t last = s->l->start[block + 1] - 1;
    const struct insn *insn = program_insn(s->p, last);
    bool ends = (insn->op == OP_RET && insn->condition.rule != CC_FL) || last + 1 >= s->p->insns.count || s->l->label[last + 1];
    uint8_t wanted = (ends || s->returns[block]) && !eval_in_main(s, last) ? returned : 0;
    bool plainly = insn->op == OP_CAL && insn->partner < s->p->insns.count && (!condition_restricts(&insn->condition) || eval_outcome(s->d, last) == OUTCOME_PASSES);

    for (uint32_t k = s->next_of[block]; k < s->next_of[block + 1] && !plainly; k++)
        wanted |= s->signs[s->l->start[s->next[k]]];
    return insn->op == OP_CAL && insn->partner < s->p->insns.count ? wanted | s->signs[insn->partner] : wanted;
}

void eval_find_sign_tests(struct truth_search *s)
{
    bool changed = true;
    uint8_t returned = 0;

    memset(s->signs, 0, s->p->insns.count + 1);
    while (changed) {
        changed = false;
        for (uint32_t b = s->l->nblocks; b--;) {
            uint32_t last = s->l->start[b + 1] - 1;
            uint8_t wanted = behind_block(s, b, returned);
            for (uint32_t i = last + 1; i-- > s->l->start[b];) {
                wanted = through(s, i, wanted);
                changed |= wanted != s->signs[i];
                s->signs[i] = wanted;
            }
        }
        for (uint32_t b = 0; b < s->l->nblocks; b++) {
            uint16_t op = program_insn(s->p, s->l->start[b + 1] - 1)->op;
            uint8_t more = (op == OP_CAL || op == OP_CALI) && b + 1 < s->l->nblocks ? s->signs[s->l->start[b + 1]] : 0;
            changed |= more & ~returned;
            returned |= more;
        }
    }
    s->signs_returned = returned;
}

uint8_t eval_sign_is_asked(const struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);
    bool last = i + 1 >= s->p->insns.count || s->l->label[i + 1];
    uint8_t behind = !last ? s->signs[i + 1] : eval_in_main(s, i) ? 0 : s->signs_returned;

    return insn->cc_update ? behind >> 4 * (insn->cc_update - 1u) & insn->dst.mask : 0;
}

/* Condition codes that something that runs tests for more than carry and overflow, which copies never set. */
uint8_t eval_told_more(const struct truth_search *s)
{
    uint8_t codes = 0;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; s->l->useful[i] && k < 2; k++) {
            bool carry = tests[k]->rule == CC_CF || tests[k]->rule == CC_NCF || tests[k]->rule == CC_OF || tests[k]->rule == CC_NOF;
            codes |= (uint8_t)(condition_restricts(tests[k]) && !carry ? 1u << (tests[k]->cc & 1u) : 0);
        }
    }
    return codes;
}
