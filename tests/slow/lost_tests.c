/* 64-bit divisions that set the flags that they are tested by: what the compiler's subroutine leaves decides in the place of those (docs/numbers.md,
 * "Condition codes"). */
#include "tests/slow/plan.h"

static unsigned looks_at(const struct condition *test, unsigned c)
{
    return (test->nswizzle ? test->swizzle : 0xe4) >> 2 * c & 3;
}

bool slow_loses_test(const struct slow_program *p, const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    unsigned rule = test->rule;
    bool own = true, divides = (insn->op == OP_DIV || insn->op == OP_MOD) && (insn->type == DT_S64 || insn->type == DT_U64);
    for (unsigned c = 0; c < 4; c++)
        own &= looks_at(test, c) == c;
    if (!p->nvidia || !divides || own || insn->dst.kind != OPND_SYMBOL || insn->dst.nindices || program_symbol(p->text, insn->dst.ref)->size != SIZE_LONG)
        return false;
    return condition_restricts(test) && insn->cc_update == (test->cc & 1) + 1 && rule != CC_FL && rule != CC_RESIDENT && rule != CC_NONRESIDENT;
}

/* Sign and zero as the subroutine leaves them for a component: of x by the first one that is divided. */
static void left(const struct insn *insn, struct slow_value src[3][4], unsigned component, bool *sign, bool *zero)
{
    unsigned first = 0;
    while (!(insn->dst.mask >> first & 1))
        first++;
    uint64_t a = src[0][first].bits, b = src[1][0].bits;
    if (insn->type == DT_U64)
        *sign = component || (b ? a / b : UINT64_MAX) & 1;
    else
        *sign = component == 3 || (component == 0 && (!a || a >> 63) != (insn->op == OP_DIV && (!b || b >> 63)));
    *zero = insn->type == DT_S64 || !*sign;
}

unsigned slow_lost_outcome(const struct insn *insn, struct slow_value src[3][4])
{
    unsigned passing = 0;
    for (unsigned c = 0; c < 4; c++) {
        bool s, z, pass;
        if (!(insn->dst.mask >> c & 1))
            continue;
        left(insn, src, looks_at(&insn->dst.condition, c), &s, &z);
        switch (insn->dst.condition.rule) {
        case CC_EQ: pass = z && !s; break;
        case CC_NE: pass = s || !z; break;
        case CC_LE: pass = s ^ z; break;
        case CC_GT: pass = !(s || z); break;
        case CC_NAN: pass = s && z; break;
        case CC_LEG: pass = !(s && z); break;
        case CC_GE: case CC_NSF: pass = !s; break;
        case CC_NCF: case CC_NOF: case CC_BLE: pass = true; break;
        case CC_CF: case CC_OF: case CC_AB: pass = false; break;
        default: pass = s; break;
        }
        passing |= (unsigned)pass << c;
    }
    return passing;
}
