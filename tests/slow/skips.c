/* CONTs that are nothing, and CONTs that are IFs: docs/numbers.md, "Doubles", docs/semantics.md, "Contraction". */
#include "tests/slow/plan.h"

static const struct insn *at(const struct slow_knowledge *k, uint32_t i)
{
    return program_insn(k->p->text, i);
}

/* What is known of a jump of the loop that ends at `end`, by flags that no round of it sets. */
static bool known_in_all_rounds(const struct slow_knowledge *k, const struct insn *jump, uint32_t end, bool *passes)
{
    for (uint32_t n = at(k, end)->partner; n < end; n++)
        if (at(k, n)->op == OP_CAL || at(k, n)->op == OP_CALI || at(k, n)->cc_update == 1 + (jump->condition.cc & 1))
            return false;
    return slow_known_jump(k, &jump->condition, passes);
}

uint32_t slow_body_end(const struct gp5_program *text, uint32_t rep)
{
    uint32_t i = rep + 1;
    while (i < program_insn(text, rep)->partner) {
        const struct insn *insn = program_insn(text, i);
        if (insn->op == OP_CONT && !condition_restricts(&insn->condition))
            return i;
        while (insn->op == OP_IF || insn->op == OP_REP || insn->op == OP_ELSE) {   /* over it */
            i = insn->partner;
            insn = program_insn(text, i);
        }
        i++;
    }
    return program_insn(text, rep)->partner;
}

bool slow_ends_body(const struct slow_knowledge *k, const struct insn *insn, uint32_t i)
{
    bool passes;
    if (insn->op != OP_CONT)
        return false;
    if (!condition_restricts(&insn->condition))
        return slow_body_end(k->p->text, at(k, insn->partner)->partner) == i;
    return insn->partner == i + 1 && known_in_all_rounds(k, insn, i + 1, &passes) && passes;
}

uint32_t slow_skipping_cont(const struct gp5_program *text, uint32_t rep)
{
    uint32_t end = program_insn(text, rep)->partner, last = slow_body_end(text, rep), found = NO_INDEX, inside = 0, jumps = 0;
    for (uint32_t i = rep + 1; i < last; i++) {
        const struct insn *insn = program_insn(text, i);
        bool own = insn->op == OP_RET || ((insn->op == OP_CONT || insn->op == OP_BRK) && insn->partner == end);
        if (insn->op == OP_IF || insn->op == OP_REP)
            inside++;
        if (insn->op == OP_ENDIF || insn->op == OP_ENDREP)
            inside--;
        jumps += own;
        if (own && insn->op == OP_CONT && !inside && i + 1 < last && condition_restricts(&insn->condition))
            found = i;
    }
    return jumps == 1 ? found : NO_INDEX;
}

/* A jump that looks at several components is as many. */
static bool is_several_jumps(const struct insn *jump)
{
    uint8_t s = jump->condition.swizzle;
    return !jump->condition.nswizzle || (s & 3) != (s >> 2 & 3) || (s & 15) != s >> 4;
}

bool slow_skips(const struct slow_knowledge *k, uint32_t rep, uint32_t i)
{
    if (i != slow_skipping_cont(k->p->text, rep))
        return false;
    for (uint32_t n = at(k, rep)->partner; --n > i;)
        if (op_stores(at(k, n)->op))
            return false;
    return !is_several_jumps(at(k, i));
}
