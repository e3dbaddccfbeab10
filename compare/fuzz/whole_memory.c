/* Instructions that reach memory or other lanes. Nothing races: what is written is a lane's own, or comes between two
 * BARs, or comes out the same in any order. */
#include "compare/fuzz/whole_internal.h"

/* A, an index of a 16-byte element of the input. */
static void put_place(struct whole_grow *g)
{
    const char *form = fuzz_chance(g->random, 10) ? "0xfe0" : "0x3e0";
    char letter = "xyzw"[fuzz_below(g->random, 4)];
    unsigned reg = fuzz_below(g->random, 5);
    fuzz_text_printf(g->body, "AND.U N.w, R%u.%c, %s;\n", reg, letter, form);
}

static void put_load(struct whole_grow *g)
{
    static const char *const words[] = {
        "F32", "U32", "S32", "F32X2", "U32X4", "F32X4", "S32X2", "S8", "U8", "S16", "U16", "F16", "U16X2",
                                        "S8X4", "F16X2", "F16X4", "U8X2"};
    static const char *const wides[] = {"F64", "U64", "S64", "F64X2", "U64X2", "S64X4", "F64X4"};
    static const char *const masks[] = {"", "", "", ".x", ".xy", ".yzw"};
    bool wide = fuzz_chance(g->random, 25), constants = fuzz_chance(g->random, 30);
    const char *type = wide ? FUZZ_PICK(g->random, wides) : FUZZ_PICK(g->random, words);
    put_place(g);
    if (constants)
        fuzz_text_printf(g->body, "AND.U N.w, N.w, 0x1e0;\n");
    const char *mask = FUZZ_PICK(g->random, masks);
    unsigned reg = fuzz_below(g->random, wide ? 3 : 5);
    fuzz_text_printf(g->body, "%s.%s %c%u%s, %s[N.w", constants ? "LDC" : "LDB", type, wide ? 'D' : 'R', reg,
                     mask, constants ? "cb" : "in");
    fuzz_text_put(g->body, fuzz_chance(g->random, 40) ? " + 32];\n" : "];\n");
}

/* A lane's own slot of the scratch buffer: P.z is where it starts. */
static void put_own(struct whole_grow *g)
{
    static const char *const words[] = {"F32", "U32X2", "U32X4", "U8", "S16", "F16", "U16X4"};
    static const char *const wides[] = {"U64", "F64X2", "U64X4"};
    bool wide = fuzz_chance(g->random, 25), moves = fuzz_chance(g->random, 50);
    const char *type = wide ? FUZZ_PICK(g->random, wides) : FUZZ_PICK(g->random, words);
    unsigned reg = fuzz_below(g->random, wide ? 3 : 5);
    const char *sign = fuzz_chance(g->random, 8) && wide ? "-" : "";
    fuzz_text_printf(g->body, "STB.%s %s%c%u, own[P.z];\n", type, sign, wide ? 'D' : 'R', reg);
    if (moves) {
        const char *form = fuzz_chance(g->random, 30) ? " + 16" : "";
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "LDB.U32X4 R%u, own[P.z%s];\n", reg, form);
    }
}

static void put_atomic(struct whole_grow *g)
{
    static const char *const any[] = {
        "ADD.U32", "ADD.S32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.S32", "XOR.U32",
                                      "EXCH.U32", "EXCH.S32", "IWRAP.U32", "DWRAP.U32", "CSWAP.U32", "CSWAP.S32",
                                      "ADD.F32", "EXCH.F32"};
    static const char *const wide[] = {
        "ADD.U64", "ADD.S64", "MIN.U64", "MAX.S64", "AND.U64", "OR.U64", "XOR.U64", "EXCH.U64", "CSWAP.U64",
                                       "MIN.S64", "MAX.U64"};
    static const char *const commuting[] = {
        "ADD.U32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.U32"};
    unsigned at = fuzz_below(g->random, 10);
    char x = "xyzw"[fuzz_below(g->random, 4)];
    if (at < 5) {
        unsigned reg2 = fuzz_below(g->random, 5);
        unsigned reg = fuzz_below(g->random, 5);
        const char *operation = FUZZ_PICK(g->random, any);
        fuzz_text_printf(g->body, "ATOMB.%s R%u.x, R%u, own[P.z + 4];\n", operation, reg, reg2);
    } else if (at < 7) {
        unsigned reg2 = fuzz_below(g->random, 3);
        unsigned reg = fuzz_below(g->random, 3);
        const char *operation = FUZZ_PICK(g->random, wide);
        fuzz_text_printf(g->body, "ATOMB.%s D%u.x, D%u, own[P.z + 8];\n", operation, reg, reg2);
    } else {      /* words that all lanes change, each by an operation of its own: no order shows */
        unsigned which = fuzz_below(g->random, 8);
        fuzz_text_printf(g->body, "ATOMB.%s Z.x, R%u.%c, own[%u];\n", commuting[which], fuzz_below(g->random, 5), x,
                         4 * which);
    }
}

/* Shared memory: each lane its slot, a BAR, any slot, a BAR. */
static void put_shared(struct whole_grow *g)
{
    static const char *const types[] = {"U32X4", "F32", "F32X2", "U32X4", "U8", "S16"};
    if (!g->uniform) {
        unsigned reg2 = fuzz_below(g->random, 5);
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "STS.U32X4 R%u, sm[P.w];\nLDS.U32X4 R%u, sm[P.w];\n", reg, reg2);
        return;
    }
    fuzz_text_put(g->body, "BAR;\n");
    unsigned reg3 = fuzz_below(g->random, 5);
    const char *type = FUZZ_PICK(g->random, types);
    fuzz_text_printf(g->body, "STS.%s R%u, sm[P.w];\n", type, reg3);
    if (fuzz_chance(g->random, 30)) {
        unsigned reg2 = fuzz_below(g->random, 5);
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "ATOMS.ADD.U32 R%u.x, R%u.y, sm[P.w];\n", reg, reg2);
    }
    fuzz_text_put(g->body, "BAR;\n");
    fuzz_text_printf(g->body, "ADD.U N.x, invocation.localindex.x, %u;\nMOD.U N.x, N.x, %u;\nMUL.U N.x, N.x, 16;\n",
                     fuzz_below(g->random, 64), g->lanes);
    unsigned reg4 = fuzz_below(g->random, 5);
    const char *type2 = FUZZ_PICK(g->random, types);
    fuzz_text_printf(g->body, "LDS.%s R%u, sm[N.x];\nBAR;\n", type2, reg4);
}

void whole_memory(struct whole_grow *g)
{
    unsigned at;
    if (g->c->textures && fuzz_chance(g->random, 60)) {
        whole_image(g);
        return;
    }
    at = fuzz_below(g->random, 100);
    if (at < 45)
        put_load(g);
    else if (at < 65)
        put_own(g);
    else if (at < 85)
        put_atomic(g);
    else
        put_shared(g);
}

void whole_together(struct whole_grow *g)
{
    static const char *const shuffles[] = {"SHFUP", "SHFDOWN", "SHFIDX", "SHFXOR"};
    static const char *const votes[] = {"TGALL", "TGANY", "TGEQ", "TGBALLOT"};
    static const char *const types[] = {"F", "S", "U"};
    static const char *const bounds[] = {"31", "0", "0x1807", "0x1000", "0x1c03", "0x181f"};
    unsigned at = fuzz_below(g->random, 100), to = fuzz_below(g->random, 5), from = fuzz_below(g->random, 5);
    char c = "xyzw"[fuzz_below(g->random, 4)];
    if (at < 50) {
        const char *form = fuzz_chance(g->random, 20) ? "x" : fuzz_chance(g->random, 20) ? "y" : "xy";
        const char *type = FUZZ_PICK(g->random, types);
        const char *shuffle = FUZZ_PICK(g->random, shuffles);
        fuzz_text_printf(g->body, "%s.%s R%u.%s, R%u.%c, ", shuffle, type, to, form, from, c);
        if (fuzz_chance(g->random, 60)) {
            const char *bound = FUZZ_PICK(g->random, bounds);
            unsigned number = fuzz_below(g->random, 33);
            fuzz_text_printf(g->body, "%u, %s;\n", number, bound);
        } else {
            const char *bound = FUZZ_PICK(g->random, bounds);
            char letter = "xyzw"[fuzz_below(g->random, 4)];
            unsigned reg = fuzz_below(g->random, 5);
            fuzz_text_printf(g->body, "R%u.%c, %s;\n", reg, letter, bound);
        }
    } else if (at < 85) {
        const char *sign = fuzz_chance(g->random, 10) ? "-" : "";
        const char *suffix = fuzz_chance(g->random, 10) ? ".CC" : "";
        const char *type2 = FUZZ_PICK(g->random, types);
        const char *vote = FUZZ_PICK(g->random, votes);
        fuzz_text_printf(g->body, "%s.%s%s R%u, %sR%u;\n", vote, type2, suffix, to, sign, from);
    } else if (!g->settings->driver) {      /* some of these programs make the driver lose its context */ {
        const char *form2 = fuzz_chance(g->random, 30) ? "F" : "U";
        const char *form = fuzz_chance(g->random, 50) ? "ANY" : "ALL";
        fuzz_text_printf(g->body, "MATCH.%s.%s R%u.x, R%u.%c;\n", form, form2, to, from, c);
    }
    }
}
