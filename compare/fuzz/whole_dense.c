/* Settings that are dense: for the most part what the driver's compiler makes one instruction of, holds as something
 * else, or knows: reciprocals and roots of each other, clamps, copies with signs, halves, doubles that are no numbers,
 * comparisons and votes, numbers and flags, components that stay. Over few registers, so that such results meet. */
#include "compare/fuzz/whole_internal.h"

/* What a letter behind % stands for is in put_piece(). */
static const char *const pairs[] = {
    "RCP.F%k %r, %s", "RCP.F%k %r, %s", "RSQ.F%k %r, %s", "RSQ.F %r, %s", "RCC.F%k %r, %s", "DIV.F%k %r, 1.0, %s",
    "DIV.F %r, {1.0, -1.0, 2.0, 1.0}, %s",
    "DIV.F%k %r, %v, %s", "MIN.F%t %r, %v, 1.0", "MAX.F%k %r, %v, 0.0", "MIN.F %r, %v, 1.0", "MAX.F %r, %v, 0.0",
    "MIN.F%k %r, %v, %v", "MAX.F %r, %v, %v",
    "MOV.F%k %r, %v", "MOV.F%t %r, %v", "MOV.U %r, %v", "MUL.F%k %r, %v, 1.0", "MUL.F %r, -1.0, %v", "ABS.F%k %r, %v",
    "ADD.F.SAT%k %r, |R%n|, {1.0, 2.0, 0.5, 1.0}",
    "MAD.F %r, %v, 2.0, %v", "CMP.F%t %r, %v, %v, %v", "DST.F %r, %v, {1.0, 1.0, 2.0, 1.0}", "PK2US.F %r, %v",
    "DIV.U %r, %v, %s", "MOD.U %r, %v, %s", "RCP.F64%t %d, %z",
    "MIN.F64%t %d, %w, 1.0", "MAX.F64 %d, %w, 0.0", "MUL.F %r, %v, %v", "ADD.F%k %r, %v, %v", "SUB.F%t %r, %v, %v",
    "DP2.F %r, %v, %v", "SWZ.F%t %r, R%n, x, -y, 1, w"};
static const char *const halves[] = {
    "MUL.F16%k %r, %v, %v", "MUL.F16 %r, %v, %v", "ADD.F%k %r, %v, %v", "SUB.F %r, %v, %v", "ADD.F16%t %r, %v, %v",
    "MAD.F16 %r, %v, %v, %v", "MAD.F %r, %v, %v, %v",
    "CVT.F16.F32%t %r, R%n", "CVT.F16.F32 %r, R%n", "CVT.F32.F16%t %r, R%n", "CVT.F32.F16 %r, R%n", "PK2H.F %r, %v",
    "UP2H.F%k %r, %s", "UP2H.F%t %r, %s", "UP2US.F %r, %s", "UP4B.F%t %r, %s",
    "MOV.F%k %r, %v", "MOV.U %r, %v", "RCP.F16 %r, %s", "DIV.F16 %r, 1.0, %s", "MIN.F16 %r, %v, 1.0",
    "MAX.F16 %r, %v, 0.0", "MUL.F16 %r, %v, 1.0", "SLT.F16 %r, %v, %v",
    "LDB.F16X2 R%n, own[P.z]", "LDS.F16X4 R%n, sm[P.w]", "STB.F16X2 R%n, own[P.z]", "SHR.U %r, %v, 16",
    "CMP.F16%t %r, %v, %v, %v", "DP2.F16 %r, %v, %v"};
static const char *const shorts[] = {
    "MOV.F%k %h, %v", "MOV.F%t %h, %v", "MUL.F%k %h, %v, H%i", "MUL.F %h, %v, %v", "ADD.F %h, H%i, %v", "MOV.U %h, %v",
    "MOV.U %r, H%i", "MOV.F%k %r, H%i", "SUB.F%t %r, %v, H%i", "MAD.F %r, H%i, %v, %v",
    "ADD.F %r, -H%i, %v", "RCP.F %h, %s", "CVT.F16.F32 %h, R%n", "UP2H.F %r, H%i.x", "SLT.F%k %h, %v, H%i",
    "TGANY.F %r, H%i", "TGBALLOT.F16 %r, H%i", "MIN.F %h, H%i, 1.0", "MAX.F %h, H%i, 0.0",
    "ADD.S%k %h, H%i, %v", "LDB.F16X2 H%i, own[P.z]", "AND.U %h, H%i, %v", "CMP.F%k %h, H%i, %v, H%i"};
static const char *const doubles[] = {
    "LDB.F64X4 D%l, in[P.x + 64]", "LDB.F64 D%l.x, in[P.x + 128]", "LDC.F64 D%l.x, cb[64]", "LDC.F64X4 D%l, cb[128]",
    "ADD.F64%k %d, %w, %w", "ADD.F64 %d, %w, %w", "SUB.F64%t %d, %w, %w", "MUL.F64 %d, %w, %w",
    "MAD.F64 %d, %w, %w, %w", "MIN.F64%k %d, %w, %w", "MAX.F64 %d, %w, %w", "MOV.F64%t %d, %w", "MOV.U64 %d, %w",
    "ADD.F64 %d, %v, %w", "MUL.F64 %d, %w, %v", "MUL.F64 %d, %w, -1.0",
    "DIV.F64%t %d, %w, %z", "RCP.F64 %d, %z", "AND.U64 %d, %w, %w", "CMP.F64 %d, %w, %w, %w", "PK64.U %d, R%n",
    "MOV.F %r, %w", "OR.U R%n.yw, R%n, 0x7ff80000", "ADD.U64%k %d, %w, %w", "SLT.F64 %r, %w, %w",
    "MAX.S64%k %d, %w, %w", "DIV.U64%k %d, %w, %z", "ADD.F64 %r, %w, %w"};
static const char *const votes[] = {
    "TGANY.F%k %r, %v", "TGALL.F %r, %v", "TGEQ.F %r, %v", "TGBALLOT.F %r, %v", "TGANY.U%k %r, %v", "TGALL.S %r, %v",
    "SLT.F%k %r, %v, %v", "SGE.F %r, %v, %v", "SNE.F %r, %v, 0.0", "SLT.S%k %r, %v, %v", "SGE.U %r, %v, %v",
    "SEQ.S %r, %v, 0", "SEQ.F%k %r, %v, %v", "SNE.F64 %r, %w, %w", "AND.U %r, %v, %v", "OR.S %r, %v, %v",
    "XOR.U %r, %v, %v", "NOT.S %r, %v", "CMP.F %r, %v, %v, %v", "CMP.S%k %r, %v, %v, %v", "CMP.U %r, %v, -1, 0",
    "MOV.F%k %r, %v", "MOV.S%k %r, %v", "MUL.F %r, %v, -1.0", "CVT.S32.F32%k %r, R%n", "CVT.U64.F32 %d, R%n",
    "I2F.S %r, %v", "SHFIDX.S %r, %s, 3, 31", "SHFXOR.F %r, %s, 1, 31", "SGE.S %r, -|R%n|, -1", "FLR.F %r, %v",
    "ROUND.S %r, %v"};
static const char *const flags[] = {
    "ADD.S.CC %r, %v, %v", "SUB.U.CC1 %r, %v, %v", "ADD.F.CC %q (NE.yxwz), %v, %v", "MOV.S.CC %q (LT.wzyx), %v",
    "MUL.F.CC1 %q (GE1.xxyy), %v, %v", "MOV.F.CC %r, %v", "MOV.U.CC %r, {0, 1, 0x80000000, 0x7fc00000}",
    "MOV.F.CC1 %r, {1.0, -2.0, 0.0, -0.0}", "MOV.U %r, {0xffffffff, 1, 0xffc00000, 7}",
    "MOV.F %r, {0.5, 3.0, -1.0, 1e-30}", "MUL.F.CC %r, R%n, R%n", "ABS.F.CC %r, %v", "SUB.S.CC %r, R%n, R%n",
    "SEQ.F.CC %r, %v, %v",
    "ROUND.S.CC %r, {2.5, -1.5, 3e9, 0.0}", "TRUNC.S.CC %r, %v", "BFE.U.CC %r, {3, 4, 0, 0}, %v",
    "CVT.U8.U32.CC %r, R%n", "CVT.F16.F32.CC %r, R%n", "ADD.U64.CC %d, %w, %w", "MOV.F64.CC %D (NE.yxwz), %w",
    "MIN.S.CC %r, %v, 5", "AND.U.CC %r, %v, 255",
    "SUB.F.SAT.CC %r, %v, %v", "MAD.S.CC %r, %v, %v, %v", "SAD.U.CC %r, %v, %v, %v", "LDC.U32 %r, cb[8]",
    "MUL.F %r, %v, 3.0", "DIV.F %r, %v, 3.0", "SIN.F%k %r, %s"};
static const char *const staying[] = {
    "SCS.F%k %r, %s", "RFL.F%k %r, %v, %v", "SHFIDX.U %r, %s, 5, 31", "SHFUP.F %r, %s, 1, 0", "SHFDOWN.S %r, %s, 2, 31",
    "MATCH.ALL.U %r, %s", "SWZ.F %r, R%n, w, -z, 0, -1", "X2D.F %r, %v, %v, %v", "LIT.F%t %r, %v", "NRM.F %r, %v",
    "DP3.F%t %r, %v, %v", "DPH.F %r, %v, %v", "XPD.F %r, %v, %v", "LRP.F%t %r, %v, %v, %v", "SSG.F%t %r, %v",
    "POW.F%k %r, %s, %s", "FRC.F%t %r, %v", "STR.U %r, %v, %v", "EX2.F%k %r, %s"};

#define TOPIC(list) {list, sizeof(list) / sizeof *(list)}
static const struct {
    const char *const *form;
    unsigned n;
} topics[] = {TOPIC(pairs), TOPIC(halves), TOPIC(doubles), TOPIC(votes), TOPIC(flags), TOPIC(staying), TOPIC(shorts)};
enum { TOPICS = sizeof topics / sizeof *topics };

static void put_swizzle(struct whole_grow *g, bool one)
{
    static const char *const several[] = {"", "", "", "", ".x", ".y", ".yxwz", ".xyxy", ".wzyx", ".zzxx", ".w"};
    const char *swizzle = FUZZ_PICK(g->random, several);
    char c = "xxyz"[fuzz_below(g->random, 4)];

    if (one)
        fuzz_text_printf(g->body, ".%c", c);
    else
        fuzz_text_put(g->body, swizzle);
}

/* A register to read, mostly R0 to R2, with a sign or none. */
static void put_read(struct whole_grow *g, bool wide, bool one)
{
    unsigned sign = fuzz_below(g->random, 12),
             most = wide                         ? 3
                    : fuzz_chance(g->random, 80) ? 3
                                                 : 5,
             reg = fuzz_below(g->random, most), at = fuzz_below(g->random, 40);

    fuzz_text_put(g->body, sign == 0 || sign == 2 ? "-" : "");
    fuzz_text_put(g->body, sign == 1 || sign == 2 ? "|" : "");
    if (at == 0 && !wide)
        fuzz_text_put(g->body, "arr[1]");
    else if (at == 1 && !wide)
        fuzz_text_put(g->body, "arr[A.x]");
    else if (at == 2 && !wide)
        fuzz_text_put(g->body, "ps[1]");
    else
        fuzz_text_printf(g->body, wide ? "D%u" : "R%u", reg);
    put_swizzle(g, one);
    fuzz_text_put(g->body, sign == 1 || sign == 2 ? "|" : "");
}

/* A register to write, some of its components, perhaps under a test, if the form has none. */
static void put_written(struct whole_grow *g, char letter, bool tested)
{
    static const char *const masks[] = {"", "", "", "", ".x", ".x", ".y", ".xy", ".z", ".zw", ".xyz", ".w"};
    static const char *const tests[] = {
        "EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "CF", "NCF", "OF", "SF", "NSF", "TR", "FL", "NE1", "LT1", "CF1"};
    static const char *const selections[] = {"", ".x", ".x", ".y", ".yxwz", ".xxyy", ".z"};
    unsigned most = letter == 'R' && fuzz_chance(g->random, 80) ? 3
                    : letter == 'R'                             ? 5
                    : letter == 'D'                             ? 3
                                                                : 2,
             reg = fuzz_below(g->random, most), at = fuzz_below(g->random, 40);
    const char *mask = FUZZ_PICK(g->random, masks), *test = FUZZ_PICK(g->random, tests),
               *selection = FUZZ_PICK(g->random, selections);

    if (letter == 'R' && at < 2)
        fuzz_text_put(g->body, at ? "arr[2]" : "arr[A.x]");
    else
        fuzz_text_printf(g->body, "%c%u", letter, reg);
    fuzz_text_put(g->body, mask);
    if (!tested && fuzz_chance(g->random, 14))
        fuzz_text_printf(g->body, " (%s%s)", test, selection);
}

static void put_piece(struct whole_grow *g, char what)
{
    static const char *const sets[] = {
        "", "", "", "", "", ".CC", ".CC1"}, *const clamps[] = {"", "", "", ".SAT", ".SSAT"};
    unsigned number = fuzz_below(g->random, 3);

    switch (what) {
    case 'r': put_written(g, 'R', false); break;
    case 'd': put_written(g, 'D', false); break;
    case 'h': put_written(g, 'H', false); break;
    case 'q': put_written(g, 'R', true); break;
    case 'D': put_written(g, 'D', true); break;
    case 'v': put_read(g, false, false); break;
    case 's': put_read(g, false, true); break;
    case 'w': put_read(g, true, false); break;
    case 'z': put_read(g, true, true); break;
    case 'k': fuzz_text_put(g->body, FUZZ_PICK(g->random, sets)); break;
    case 't': fuzz_text_put(g->body, FUZZ_PICK(g->random, clamps)); break;
    case 'i': fuzz_text_printf(g->body, "%u", number % 2); break;
    default: fuzz_text_printf(g->body, "%u", number); break;        /* n: of R, l: of D */
    }
}

/* RET of a subroutine, which a vote or each lane decides. */
static void put_return(struct whole_grow *g)
{
    bool vote = fuzz_chance(g->random, 50);
    char c = "xyzw"[fuzz_below(g->random, 4)];

    fuzz_text_printf(g->body, vote ? "TGANY.S.CC N, R0.%c;\nRET (NE.x);\n" : "SLT.S.CC N, R0.%c, R1;\nRET (NE.x);\n",
                     c);
}

/* SHORT variables are the last one, and there with halves alone. */
static unsigned draw_topic(struct whole_grow *g)
{
    return fuzz_below(g->random, TOPICS - !g->settings->halves);
}

void whole_dense_begin(struct whole_grow *g)
{
    g->topic = draw_topic(g);
}

void whole_dense(struct whole_grow *g)
{
    unsigned other = draw_topic(g), topic = fuzz_chance(g->random, 65) ? g->topic : other;
    const char *form = topics[topic].form[fuzz_below(g->random, topics[topic].n)];

    if (g->subroutine && fuzz_chance(g->random, 6)) {
        put_return(g);
        return;
    }
    for (; *form; form++)
        if (*form == '%')
            put_piece(g, *++form);
        else
            fuzz_text_printf(g->body, "%c", *form);
    fuzz_text_put(g->body, ";\n");
}
