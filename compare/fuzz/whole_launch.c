/* What a launch gives besides buffers and parameters: GPU addresses, atomic counters, subroutines, the size of
 * groups. */
#include "compare/fuzz/whole_internal.h"

/* ---- GPU addresses ----------------------------------------------------------------------------------------------- */

/* Q.z is where the input stands, Q.y where the far buffer does, Q.w the lane's own slot in it; Q.x is for addresses
 * that are made. */
static const char *result(struct whole_grow *g)
{
    static const char *const masks[] = {
        "", "", "", ".x", ".xy", ".w", ".yzw", ".xyz (NE.x)", " (GT)", ".xy (EQ.yxzw)", ".zw (LT.w)"};
    return FUZZ_PICK(g->random, masks);
}

static void put_far_load(struct whole_grow *g)
{
    static const char *const words[] = {
        "F32", "U32", "S32", "F32X4", "U32X4", "F32X4", "U32X4", "S8", "U8", "S16", "U16", "F16", "U16X2", "S8X4",
                                        "F16X2", "F16X4", "U8X2"};
    static const char *const wides[] = {"F64", "U64", "S64", "F64X2", "U64X2", "S64X4", "F64X4"};
    bool wide = fuzz_chance(g->random, 25);
    char letter = "xyzw"[fuzz_below(g->random, 4)];
    unsigned reg = fuzz_below(g->random, 5);
    fuzz_text_printf(g->body, "AND.U N.w, R%u.%c, 0x3e0;\nADD.U64 Q.x, Q.z, N.w;\n", reg, letter);
    const char *to = result(g);
    unsigned reg2 = fuzz_below(g->random, wide ? 3 : 5);
    const char *type = wide ? FUZZ_PICK(g->random, wides) : FUZZ_PICK(g->random, words);
    fuzz_text_printf(g->body, "LOAD.%s %c%u%s, Q.x;\n", type, wide ? 'D' : 'R', reg2, to);
}

static void put_far_store(struct whole_grow *g)
{
    static const char *const words[] = {"F32", "U32X2", "U32X4", "U8", "S16", "F16", "U16X4", "S8X2", "F16X4"};
    static const char *const wides[] = {"U64", "F64X2", "U64X4"};
    bool wide = fuzz_chance(g->random, 25);
    unsigned reg = fuzz_below(g->random, wide ? 3 : 5);
    const char *sign = fuzz_chance(g->random, 12) ? "-" : "";
    const char *type = wide ? FUZZ_PICK(g->random, wides) : FUZZ_PICK(g->random, words);
    fuzz_text_printf(g->body, "STORE.%s %s%c%u, Q.w;\n", type, sign, wide ? 'D' : 'R', reg);
    if (fuzz_chance(g->random, 60))
        fuzz_text_printf(g->body, "LOAD.U32X4 R%u, Q.w;\n", fuzz_below(g->random, 5));
}

static void put_far_atomic(struct whole_grow *g)
{
    static const char *const any[] = {
        "ADD.U32", "ADD.S32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.S32", "XOR.U32",
                                      "EXCH.U32", "EXCH.S32", "IWRAP.U32", "DWRAP.U32", "CSWAP.U32", "CSWAP.S32",
                                      "ADD.F32", "EXCH.F32",
                                      "ADD.F16X2", "MIN.F16X2", "MAX.F16X2", "EXCH.F16X2"};
    static const char *const wide[] = {
        "ADD.U64", "ADD.S64", "MIN.U64", "MAX.S64", "AND.U64", "OR.U64", "XOR.U64", "EXCH.U64", "CSWAP.U64",
                                       "MIN.S64", "MAX.U64", "ADD.F64", "EXCH.F64"};
    static const char *const commuting[] = {
        "ADD.U32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.U32"};
    static const char *const masks[] = {".x", ".x", ".x", "", ".yz", ".x (NE.x)", ".x (GT.w)", " (LE)"};
    unsigned at = fuzz_below(g->random, 10), which = fuzz_below(g->random, 8);
    if (at < 5) {
        unsigned reg2 = fuzz_below(g->random, 5);
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *operation = FUZZ_PICK(g->random, any);
        fuzz_text_printf(g->body, "ADD.U64 Q.x, Q.w, 4;\nATOM.%s R%u%s, R%u, Q.x;\n", operation, reg, mask,
                         reg2);
    } else if (at < 7) {
        unsigned reg2 = fuzz_below(g->random, 3);
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 3);
        const char *operation = FUZZ_PICK(g->random, wide);
        fuzz_text_printf(g->body, "ADD.U64 Q.x, Q.w, 8;\nATOM.%s D%u%s, D%u, Q.x;\n", operation, reg, mask,
                         reg2);
    } else {
        char letter = "xyzw"[fuzz_below(g->random, 4)];
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "ADD.U64 Q.x, Q.y, %u;\nATOM.%s Z.x, R%u.%c, Q.x;\n", 4 * which,
                         commuting[which], reg, letter);
    }
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* c[K.x] is the lane's own; the last ones are everybody's, and nobody looks at what they were. */
static void put_counter(struct whole_grow *g)
{
    static const char *const counts[] = {".INCR.U", ".DECR.U", ".GET.U", ".INCR.S", ".DECR", ".GET", ""};
    static const char *const operations[] = {
        "ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "CSWAP", "IWRAP", "DWRAP"};
    static const char *const masks[] = {".x", ".x", ".x", "", ".yz", ".x (NE.x)", ".xw (LT.yyyy)"};
    unsigned at = fuzz_below(g->random, 10);
    if (at < 4) {
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *operation = FUZZ_PICK(g->random, counts);
        fuzz_text_printf(g->body, "ATOMCTR%s R%u%s, c[K.x];\n", operation, reg, mask);
    } else if (at < 8) {
        unsigned reg2 = fuzz_below(g->random, 5);
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *operation = FUZZ_PICK(g->random, operations);
        fuzz_text_printf(g->body, "ATOMCTROP.%s.U R%u%s, c[K.x], R%u;\n", operation, reg, mask, reg2);
    } else if (at < 9) {
        unsigned number = 200 + fuzz_below(g->random, 4);
        const char *form = fuzz_chance(g->random, 50) ? "INCR" : "DECR";
        fuzz_text_printf(g->body, "ATOMCTR.%s.U Z.x, c[%u];\n", form, number);
    } else {
        unsigned reg = fuzz_below(g->random, 5);
        const char *operation = FUZZ_PICK(g->random, counts);
        fuzz_text_printf(g->body, "ATOMCTR%s R%u.x, c[K.x + 2000];\n", operation, reg);
    }
}

void whole_far(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 100);
    if (at < 30)
        put_far_load(g);
    else if (at < 45)
        put_far_store(g);
    else if (at < 75)
        put_far_atomic(g);
    else
        put_counter(g);
}

/* ---- subroutines ------------------------------------------------------------------------------------------------- */

static const uint32_t numbers[WHOLE_SUBROUTINES] = {7, 3};

void whole_indirect(struct whole_grow *g)
{
    bool conditional = fuzz_chance(g->random, 30);
    if (g->subroutine)      /* they could come back to themselves */
        return;
    if (conditional)
        whole_condition(g);
    if (fuzz_chance(g->random, 35))
        fuzz_text_put(g->body, "CALI one");
    else if (fuzz_chance(g->random, 25))
        fuzz_text_printf(g->body, "CALI some[%u]", fuzz_below(g->random, 4));
    else
        fuzz_text_printf(g->body, "AND.U A.y, %s.x, 3;\nCALI some[A.y]",
                         fuzz_chance(g->random, 50) ? "invocation.threadid" : fuzz_chance(g->random, 50) ? "R1" : "R3");
    fuzz_text_put(g->body, conditional ? " (NE.y);\n" : ";\n");
}

void whole_label(struct whole_grow *g)
{
    if (g->settings->wider)
        fuzz_text_printf(g->body, "sub%u SUBROUTINENUM(%u):\n", g->subroutine, numbers[g->subroutine - 1]);
    else
        fuzz_text_printf(g->body, "sub%u:\n", g->subroutine);
}

/* ---- halves ------------------------------------------------------------------------------------------------------ */

/* H0 and H1 are SHORT. Sums and products have .PREC unless contraction is wanted: the second evaluator does not
 * contract. */
void whole_more(struct whole_grow *g)
{
    static const char *const two[] = {"ADD", "SUB", "MUL", "MIN", "MAX"};
    static const char *const clamps[] = {"", "", "", "", ".SAT", ".SSAT"};
    const char *precise = g->settings->contract ? "" : ".PREC";
    unsigned at = fuzz_below(g->random, 100), a = fuzz_below(g->random, 5), b = fuzz_below(g->random, 5),
             c = fuzz_below(g->random, 5);
    if (at < 20)
        fuzz_text_printf(g->body, "RSQ.F64%s D%u, D%u.%c;\n", FUZZ_PICK(g->random, clamps), a % 3, b % 3,
                         "xyzw"[c % 4]);
    else if (at < 50) {
        const char *sign = fuzz_chance(g->random, 20) ? "-" : "";
        const char *clamp = FUZZ_PICK(g->random, clamps);
        const char *operation = FUZZ_PICK(g->random, two);
        fuzz_text_printf(g->body, "%s.F16%s%s R%u, %sR%u, R%u;\n", operation, precise, clamp, a, sign, b, c);
    } else if (at < 60)
        fuzz_text_printf(g->body, "MAD.F16%s R%u, R%u, R%u.wzyx, R%u;\n", precise, a, b, c, fuzz_below(g->random, 5));
    else if (at < 80) {
        const char *clamp = FUZZ_PICK(g->random, clamps);
        const char *operation = FUZZ_PICK(g->random, two);
        fuzz_text_printf(g->body, "%s.F%s%s H%u, R%u, R%u;\nMOV.U R%u, H%u;\n", operation, precise, clamp,
                         a % 2, b, c, b, a % 2);
    } else if (at < 90)
        fuzz_text_printf(g->body, "MOV.%s H%u, R%u;\nMOV.U R%u, H%u;\n", fuzz_chance(g->random, 50) ? "U" : "F", a % 2,
                         b, c, a % 2);
    else
        fuzz_text_printf(g->body, "ADD.U H%u, R%u, R%u;\nADD.F%s R%u, H%u, R%u;\n", a % 2, b, c, precise, c, a % 2, b);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void whole_launch_declare(struct fuzz_text *t)
{
    fuzz_text_put(t, "PARAM ptr = program.local[4];\nLONG TEMP Q;\nTEMP K;\nCOUNTER c[] = { program.counter[0] };\n"
                     "SUBROUTINETYPE T { sub1, sub2 }; SUBROUTINE T one = program.subroutine[0]; "
                     "SUBROUTINE T some[] = { program.subroutine[1..4] };\n");
}

void whole_launch_start(struct whole_grow *g)
{
    fuzz_text_printf(g->body,
                     "MAD.U K.x, invocation.groupid.x, %u, invocation.localindex.x;\nMAD.U K.y, K.x, %u, %u;\n",
                     g->lanes, WHOLE_FAR_SLOT, WHOLE_FAR_SLOT);
    fuzz_text_put(g->body, "PK64.U Q.xy, ptr;\nMOV.U64 Q.zw, Q.xyxy;\nMOV.U64 Q.y, Q.w;\nADD.U64 Q.w, Q.w, K.y;\n");
}

/* What became of the lane's own counter, to the end of its far slot. */
void whole_launch_end(struct whole_grow *g)
{
    fuzz_text_printf(g->body, "ADD.U64 Q.x, Q.w, %u;\nATOMCTR.GET.U N.x, c[K.x];\nSTORE.U32 N, Q.x;\n",
                     WHOLE_FAR_SLOT - 4);
}

void whole_launch_draw(struct fuzz_random *r, struct whole_case *c)
{
    for (unsigned i = 0; i < WHOLE_CHOSEN; i++)
        c->subroutines[i] = numbers[fuzz_below(r, WHOLE_SUBROUTINES)];
    for (size_t at = 0; at < WHOLE_COUNTERS; at++)
        c->counters[at] = (uint8_t)fuzz_below(r, fuzz_chance(r, 30) ? 256 : 2);
}
