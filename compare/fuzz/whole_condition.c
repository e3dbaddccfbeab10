/* What the flow of a whole program asks for. */
#include "compare/fuzz/whole_internal.h"

/* From values that are defined: input that is loaded on the spot, or what tells lanes apart. Seldom from any
 * register. */
void whole_condition(struct whole_grow *g)
{
    static const char *const compare[] = {"SGT", "SLT", "SEQ", "SNE", "SGE"};
    unsigned at = fuzz_below(g->random, 100);
    if (at < 40) {
        unsigned number3 = 1 + fuzz_below(g->random, 15);
        unsigned reg = fuzz_below(g->random, 3);
        unsigned number2 = 1 + fuzz_below(g->random, 7);
        unsigned number = 1 + fuzz_below(g->random, 31);
        fuzz_text_printf(g->body, "AND.U.CC N, invocation.threadid.x, {%u, %u, %u, %u};\n", number, number2,
                         reg, number3);
    } else if (at < 92) {
        const char *form = fuzz_chance(g->random, 50) ? "S" : "F";
        const char *comparison = FUZZ_PICK(g->random, compare);
        fuzz_text_printf(g->body, "LDB.U32X4 N, in[P.x];\n%s.%s.CC N, N, N.yzwx;\n", comparison, form);
    } else {
        unsigned reg2 = fuzz_below(g->random, 5);
        unsigned reg = fuzz_below(g->random, 5);
        const char *comparison = FUZZ_PICK(g->random, compare);
        fuzz_text_printf(g->body, "%s.S.CC N, R%u, R%u;\n", comparison, reg, reg2);
    }
}
