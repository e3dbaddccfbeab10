/* What programs seldom have, for settings that are rare: loops without a count, flow on flags as they stand and on
 * known numbers, BAR where lanes part, addresses that are not a multiple of a size or out of range, results under masks
 * and tests where other files write whole registers. */
#include "compare/fuzz/whole_internal.h"

#include <string.h>

static const char *const rules[] = {
    "EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF", "NSF", "AB", "BLE", "TR", "FL"};
static const char *const selections[] = {"", ".x", ".y", ".z", ".w", ".xxyy", ".wzyx", ".yyyw", ".zzxx"};
static const char *const masks[] = {"", "", "", ".x", ".y", ".xy", ".zw", ".xyz", ".w", ".yw", ".xz"};

/* A test of either condition code, as an IF or a mask has it. */
static void put_test(struct whole_grow *g)
{
    const char *rule = FUZZ_PICK(g->random, rules);
    const char *which = fuzz_chance(g->random, 25) ? "1" : fuzz_chance(g->random, 20) ? "0" : "";
    const char *selection = FUZZ_PICK(g->random, selections);
    fuzz_text_printf(g->body, "%s%s%s", rule, which, selection);
}

/* The mask of a result, and perhaps a test. */
static void put_mask(struct whole_grow *g)
{
    fuzz_text_put(g->body, FUZZ_PICK(g->random, masks));
    if (fuzz_chance(g->random, 35)) {
        fuzz_text_put(g->body, " (");
        put_test(g);
        fuzz_text_put(g->body, ")");
    }
}

static unsigned draw(struct whole_grow *g, unsigned below)
{
    return fuzz_below(g->random, below);
}

static char letter(struct whole_grow *g)
{
    return "xyzw"[draw(g, 4)];
}

/* ---- flow -------------------------------------------------------------------------------------------------------- */

/* Flags of a number that the compiler knows, of arithmetic, of a comparison of what lanes have, or none. */
static void put_flags(struct whole_grow *g)
{
    static const char *const known[] = {
        "MOV.U.CC N, {0, 1, 2, 0x80000000}", "MOV.S.CC1 N, {-1, 0, 3, -4}", "MOV.F.CC N, {1.0, -1.0, 0.0, -0.5}",
        "MUL.F.CC N, {0.5, -2.0, 0.0, 1e-30}, {4.0, 3.0, -1.0, 1e-30}",
        "SEQ.S.CC N, R1, R1", "SGT.F.CC N, R2, R2", "AND.U.CC1 N, R3, 0", "OR.U.CC N, R3, -1", "SUB.S.CC N, R4, R4",
        "ADD.S.CC N, {5, -5, 0x7fffffff, 1}, {-5, 2, 1, -2}"};
    static const char *const found[] = {
        "ADD.F.CC", "SUB.F.CC1", "MUL.F.CC", "ADD.S.CC", "SUB.U.CC", "ADD.U.CC1", "AND.U.CC", "SGE.F.CC", "SLT.S.CC1",
        "SNE.U.CC", "MAX.F.CC", "MIN.S.CC"};
    unsigned at = draw(g, 10), a = draw(g, 5), b = draw(g, 5);
    if (at < 3) {
        fuzz_text_printf(g->body, "%s;\n", FUZZ_PICK(g->random, known));
    } else if (at < 6) {
        const char *operation = FUZZ_PICK(g->random, found);
        fuzz_text_printf(g->body, "%s N, R%u, R%u;\n", operation, a, b);
    } else if (at < 8) {
        const char *operation = FUZZ_PICK(g->random, found);
        fuzz_text_printf(g->body, "LDB.U32X4 N, in[P.x + %u];\n%s N", 16 * a, operation);
        put_mask(g);
        fuzz_text_put(g->body, ", N.wzyx, N;\n");
    }
}

static void put_some(struct whole_grow *g, unsigned most)
{
    for (unsigned i = 0, n = 1 + draw(g, most); i < n && g->left; i++)
        g->statement(g);
}

static void put_if(struct whole_grow *g)
{
    bool uniform = g->uniform;
    put_flags(g);
    fuzz_text_put(g->body, "IF ");
    put_test(g);
    fuzz_text_put(g->body, ";\n");
    g->depth++;
    g->uniform = false;
    if (!fuzz_chance(g->random, 10))
        put_some(g, 3);
    if (fuzz_chance(g->random, 40)) {
        fuzz_text_put(g->body, "ELSE;\n");
        put_some(g, 3);
    }
    fuzz_text_put(g->body, "ENDIF;\n");
    g->depth--;
    g->uniform = uniform;
}

static void put_leave(struct whole_grow *g)
{
    put_flags(g);
    fuzz_text_put(g->body, fuzz_chance(g->random, 50) ? "BRK (" : "CONT (");
    put_test(g);
    fuzz_text_put(g->body, ");\n");
}

static void put_return(struct whole_grow *g)
{
    if (!g->subroutine && g->depth)
        return;
    put_flags(g);
    fuzz_text_put(g->body, "RET (");
    put_test(g);
    fuzz_text_put(g->body, ");\n");
    if (!g->subroutine)
        g->uniform = false;     /* for good */
}

static void put_call(struct whole_grow *g)
{
    unsigned to = g->subroutine + 1 + draw(g, WHOLE_SUBROUTINES);
    if (to > WHOLE_SUBROUTINES)
        return;
    put_flags(g);
    fuzz_text_printf(g->body, "CAL sub%u (", to);
    put_test(g);
    fuzz_text_put(g->body, ");\n");
}

/* A count that is a float, below zero, or large. */
static void put_count(struct whole_grow *g)
{
    static const char *const counts[] = {
        "REP.F 2.5", "REP.F -3.0", "REP.S -3", "REP.U 7", "REP.S 12", "REP.U 33", "REP.F 0.75", "REP 4"};
    unsigned at = draw(g, 4);
    char c = letter(g);
    unsigned reg = draw(g, 5);
    if (at < 2)
        fuzz_text_printf(g->body, "%s;\n", FUZZ_PICK(g->random, counts));
    else if (at < 3)
        fuzz_text_printf(g->body, "AND.U N.x, R%u.%c, 7;\nI2F.U N.x, N;\nMUL.F.PREC N.x, N, 0.75;\nREP.F N.x;\n", reg,
                         c);
    else
        fuzz_text_printf(g->body, "AND.U N.%c, R%u.%c, 7;\nREP.S N.%c;\n", c, reg, c, c);
}

/* A loop that counts for itself: B0 to B2 are the main program's and the subroutines', of each loop around a
 * component. */
static void put_counting(struct whole_grow *g, bool *at_end)
{
    static const char *const up[] = {
        "SGE.S", "SGT.S", "SGE.U"}, *const down[] = {"SLE.S", "SLT.S"}, *const ends[] = {"NE.x", "LT.x"};
    bool grows = fuzz_chance(g->random, 60), by_register = fuzz_chance(g->random, 30),
         adds_first = fuzz_chance(g->random, 40);
    unsigned s = g->subroutine, most = draw(g, 9), step = 1 + draw(g, 3), reg = draw(g, 5);
    char c = "xy"[g->loops], limit = "zw"[g->loops];
    const char *operation = grows ? FUZZ_PICK(g->random, up) : FUZZ_PICK(g->random, down);
    const char *end = FUZZ_PICK(g->random, ends);       /* of one component: of several BRK asks for the lowest alone */
    *at_end = !g->leaves && fuzz_chance(g->random, 30);
    fuzz_text_printf(g->body, "MOV.S B%u.%c, %u;\n", s, c, grows ? 0 : most);
    if (by_register)
        fuzz_text_printf(g->body, "AND.U B%u.%c, R%u.x, %u;\n", s, limit, reg, grows ? 7 : 1);
    fuzz_text_put(g->body, "REP;\n");
    if (adds_first && !*at_end)
        fuzz_text_printf(g->body, "%s.S B%u.%c, B%u, %u;\n", grows ? "ADD" : "SUB", s, c, s, step);
    if (by_register)
        fuzz_text_printf(g->body, "%s.CC N.x, B%u.%c, B%u.%c;\n", operation, s, c, s, limit);
    else
        fuzz_text_printf(g->body, "%s.CC N.x, B%u.%c, %u;\n", operation, s, c, grows ? most : 0);
    fuzz_text_printf(g->body, "BRK (%s);\n", strcmp(operation, "SGE.U") ? end : "NE.x");
    if (!adds_first && !*at_end)
        fuzz_text_printf(g->body, "%s.S B%u.%c, B%u, %u;\n", grows ? "ADD" : "SUB", s, c, s, step);
}

static void put_loop(struct whole_grow *g)
{
    bool uniform = g->uniform, leaves = g->leaves, at_end = false, counts = fuzz_chance(g->random, 60);
    unsigned step = 1 + draw(g, 3);
    char c = "xy"[g->loops];
    g->leaves = fuzz_chance(g->random, 50);
    g->uniform = false;
    if (counts)
        put_counting(g, &at_end);
    else
        put_count(g);
    g->depth++;
    g->loops++;
    put_some(g, 3);
    if (g->leaves && fuzz_chance(g->random, 40)) {
        put_leave(g);
        put_some(g, 2);
    }
    if (fuzz_chance(g->random, 30))
        fuzz_text_printf(g->body, "ADD.U R%u.%c, R%u, B%u.%c;\n", draw(g, 5), letter(g), step, g->subroutine, c);
    g->loops--;
    g->depth--;
    if (at_end)     /* both ways of counting end, whichever it is */
        fuzz_text_printf(g->body, "ADD.S B%u.%c, B%u, %u;\nSGT.S.CC N.x, B%u.%c, 9;\nBRK (NE.x);\n", g->subroutine, c,
                         g->subroutine, step, g->subroutine, c);
    fuzz_text_put(g->body, "ENDREP;\n");
    g->leaves = leaves;
    g->uniform = uniform;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Types of an access and how many bytes they have. */
static const struct access { const char *type; unsigned bytes; bool wide; } accesses[] = {
    {"F32", 4, false}, {"U32", 4, false}, {"S32X2", 8, false}, {"U32X4", 16, false}, {"F32X4", 16, false},
    {"U8", 1, false}, {"S8", 1, false}, {"U16", 2, false},
    {"S16", 2, false}, {"F16", 2, false}, {"U8X4", 4, false}, {"S16X2", 4, false}, {"F16X2", 4, false},
    {"F16X4", 8, false}, {"S8X2", 2, false},
    {"U64", 8, true}, {"F64", 8, true}, {"S64X2", 16, true}, {"F64X4", 32, true}, {"U64X4", 32, true}};

static const struct access *draw_access(struct whole_grow *g)
{
    return &accesses[draw(g, sizeof accesses / sizeof *accesses)];
}

static void put_load(struct whole_grow *g)
{
    static const char *const far_away[] = {"0x7fc", "0x800", "0x7fffff00", "0xfffffffc", "-16", "1021"};
    const struct access *a = draw_access(g);
    unsigned at = draw(g, a->bytes > 16 ? 2 : 4), to = draw(g, a->wide ? 3 : 5), off = draw(g, 40), reg = draw(g, 5);
    char c = letter(g);
    static const char *const names[] = {"LDB", "LDC", "LDS", "LDB"}, *const buffers[] = {"in", "cb", "sm", "own"};
    fuzz_text_printf(g->body, "AND.U N.w, R%u.%c, %s;\n", reg, c, at == 2 ? "0" : at == 1 ? "0x1df" : "0x3df");
    if (fuzz_chance(g->random, 20))
        fuzz_text_printf(g->body, "ADD.U N.w, N, %s;\n", FUZZ_PICK(g->random, far_away));
    if (at >= 2) {      /* nobody else's */
        fuzz_text_printf(g->body, "%s.%s %c%u", names[at], a->type, a->wide ? 'D' : 'R', to);
        put_mask(g);
        fuzz_text_printf(g->body, ", %s[P.%c%s];\n", buffers[at], at == 2 ? 'w' : 'z',
                         a->bytes < 16 && off & 1 ? " + 3" : "");
        return;
    }
    fuzz_text_printf(g->body, "%s.%s %c%u", names[at], a->type, a->wide ? 'D' : 'R', to);
    put_mask(g);
    fuzz_text_printf(g->body, ", %s[N.w + %u];\n", buffers[at], off);
}

/* Into the lane's own place: 32 bytes of storage, 16 that are shared. */
static void put_store(struct whole_grow *g)
{
    const struct access *a = draw_access(g);
    bool shared = fuzz_chance(g->random, 40) && a->bytes <= 16;
    unsigned from = draw(g, a->wide ? 3 : 5), room = (shared ? 16 : 32) - a->bytes, off = room ? draw(g, room + 1) : 0;
    const char *sign = fuzz_chance(g->random, 15) ? "-" : "";
    fuzz_text_printf(g->body, "%s.%s %s%c%u, %s[P.%c + %u];\n", shared ? "STS" : "STB", a->type, sign,
                     a->wide ? 'D' : 'R', from, shared ? "sm" : "own", shared ? 'w' : 'z', off);
    if (fuzz_chance(g->random, 60))
        fuzz_text_printf(g->body, "%s.U32X4 R%u, %s[P.%c];\n", shared ? "LDS" : "LDB", draw(g, 5),
                         shared ? "sm" : "own", shared ? 'w' : 'z');
}

static void put_atomic(struct whole_grow *g)
{
    static const char *const narrow[] = {
        "ADD.U32", "ADD.S32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.S32", "EXCH.U32",
        "IWRAP.U32", "DWRAP.U32",
                                         "CSWAP.U32", "CSWAP.S32", "ADD.F32", "EXCH.F32"};
    static const char *const wide[] = {
        "ADD.U64", "MIN.U64", "MAX.S64", "AND.U64", "OR.U64", "XOR.U64", "EXCH.U64", "CSWAP.U64", "MIN.S64", "MAX.U64"};
    bool shared = fuzz_chance(g->random, 50), is_wide = fuzz_chance(g->random, 30),
         crossed = fuzz_chance(g->random, 10);
    const char *operation = is_wide ? FUZZ_PICK(g->random, wide) : FUZZ_PICK(g->random, narrow);
    unsigned to = draw(g, 3), from = draw(g, 3), off = is_wide ? 8 * draw(g, 2) : draw(g, 13);
    const char *sign = fuzz_chance(g->random, 20) ? "-" : "";
    fuzz_text_printf(g->body, "%s.%s %c%u", shared ? "ATOMS" : "ATOMB", operation, is_wide != crossed ? 'D' : 'R', to);
    if (crossed && g->settings->driver)     /* the other components of a result of another size are undefined */
        fuzz_text_put(g->body, ".x");
    else
        put_mask(g);
    fuzz_text_printf(g->body, ", %s%c%u, %s[P.%c + %u];\n", sign, is_wide ? 'D' : 'R', from, shared ? "sm" : "own",
                     shared ? 'w' : 'z', off);
}

/* Elements of arrays, one of them of 64 bits; out of bounds only where nothing is written. */
static void put_element(struct whole_grow *g)
{
    static const char *const ops[] = {"MOV.U64", "ADD.U64", "MUL.F64", "SUB.S64", "MAX.F64", "XOR.U64"};
    unsigned at = draw(g, 6), to = draw(g, 5), from = draw(g, 5);
    const char *operation = FUZZ_PICK(g->random, ops);
    char c = letter(g);
    switch (at) {
    case 0: fuzz_text_printf(g->body, "AND.U A.y, R%u.%c, 1;\n%s da[A.y + 1]", from, c, operation); break;
    case 1: fuzz_text_printf(g->body, "%s da[%u]", operation, from % 3); break;
    case 2: fuzz_text_printf(g->body, "AND.U A.y, R%u.%c, 3;\nMOV.U arr[A.y]", from, c); break;
    case 3: fuzz_text_printf(g->body, "AND.U A.w, R%u.%c, 1;\nMOV.U R%u", from, c, to); break;
    default: fuzz_text_printf(g->body, "AND.U A.y, R%u.%c, 1;\n%s D%u", from, c, operation, to % 3);
    }
    put_mask(g);
    if (at == 2)
        fuzz_text_printf(g->body, ", R%u;\n", to);
    else if (at == 3)
        fuzz_text_printf(g->body, ", arr[A.w + %u].%c;\n", from % 3, c);
    else if (strncmp(operation, "MOV", 3))
        fuzz_text_printf(g->body, ", D%u, da[%s];\n", from % 3, at < 2 ? "2" : "A.y");
    else
        fuzz_text_printf(g->body, ", da[%s];\n", at < 2 ? "0" : "A.y");
}

/* ---- other lanes ------------------------------------------------------------------------------------------------- */

static void put_together(struct whole_grow *g)
{
    static const char *const ops[] = {
        "TGALL.F", "TGANY.S", "TGEQ.U", "TGBALLOT.U", "TGANY.F", "TGALL.U", "TGBALLOT.F", "TGEQ.F"},
        *const sources[] = {"R", "-R", "R"};
    static const char *const shuffles[] = {
        "SHFUP.F", "SHFDOWN.U", "SHFIDX.S", "SHFXOR.U"}, *const matches[] = {"MATCH.ANY.U", "MATCH.ALL.U",
        "MATCH.ANY.F", "MATCH.ALL.S"};
    unsigned at = draw(g, 10), to = draw(g, 5), from = draw(g, 5), number = draw(g, 32);
    bool may_match = !g->settings->driver, lit = fuzz_chance(g->random, 20);
    char c = letter(g);
    const char *sign = FUZZ_PICK(g->random, sources), *vote = FUZZ_PICK(g->random, ops),
               *shuffle = FUZZ_PICK(g->random, shuffles), *match = FUZZ_PICK(g->random, matches);
    if (at < 2) {
        fuzz_text_put(g->body, fuzz_chance(g->random, 70) && g->bars ? "BAR;\n" : "MEMBAR;\n");
    } else if (at < 6) {
        fuzz_text_printf(g->body, "%s R%u", vote, to);
        put_mask(g);
        if (lit)
            fuzz_text_put(g->body, ", {0, 1, -1, 2};\n");
        else
            fuzz_text_printf(g->body, ", %s%u.%c%c%c%c;\n", sign, from, c, letter(g), c, letter(g));
    } else if (at < 8 || !may_match) {
        fuzz_text_printf(g->body, "%s R%u", shuffle, to);
        put_mask(g);
        fuzz_text_printf(g->body, ", R%u.%c, %u, 31;\n", from, c, number);
    } else {
        fuzz_text_printf(g->body, "%s R%u", match, to);
        put_mask(g);
        fuzz_text_printf(g->body, ", R%u.%c;\n", from, c);
    }
}

/* ---- halves ------------------------------------------------------------------------------------------------------ */

/* A half or a single with a swizzle, and where the operation is typed perhaps a sign, or a literal. */
static void put_half_operand(struct whole_grow *g, bool scalar, bool typed)
{
    static const char *const literals[] = {
        "0.5", "1.0", "-1.0", "{1.0, 65504, -0.0, 1e-7}", "3e-5", "0.0", "{2.0, -1.0, 0.1, 1.0}"},
        *const swizzles[] = {"", "", ".x", ".w", ".yxwz", ".zzxy"};
    unsigned at = draw(g, 20), reg = draw(g, 5);
    const char *name = at < 12   ? "H"
                       : at < 15 ? "ha["
                                 : "R",
               *literal = FUZZ_PICK(g->random, literals), *swizzle = FUZZ_PICK(g->random, swizzles);
    const char *sign = fuzz_chance(g->random, 15) ? "-" : fuzz_chance(g->random, 10) ? "|" : "";
    if (fuzz_chance(g->random, 12) && !scalar && typed) {
        fuzz_text_put(g->body, literal);
        return;
    }
    sign = typed ? sign : "";
    fuzz_text_printf(g->body, "%s%s%u%s%s%s", sign, name, at < 15 ? reg % 2 : reg, at >= 12 && at < 15 ? "]" : "",
                     scalar && !(*swizzle && !swizzle[2]) ? ".y" : swizzle, *sign == '|' ? "|" : "");
}

/* h: such an operand; s: a component of one; # stands for the operation's type. */
static void put_half(struct whole_grow *g)
{
    static const struct { const char *name, *shape; } ops[] = {
        {"ADD.#", "hh"}, {"SUB.#", "hh"}, {"MUL.#", "hh"}, {"MAD.#", "hhh"}, {"MIN.#", "hh"}, {"MAX.#", "hh"},
        {"MOV.#", "h"}, {"ABS.#", "h"}, {"FLR.#", "h"}, {"ROUND.#", "h"},
        {"FRC.#", "h"}, {"SSG.#", "h"}, {"CMP.#", "hhh"}, {"LRP.#", "hhh"}, {"DP2.#", "hh"}, {"DP3.#", "hh"},
        {"DP4.#", "hh"}, {"DPH.#", "hh"}, {"DST.#", "hh"}, {"XPD.#", "hh"}, {"NRM.#", "h"},
        {"RCP.#", "s"}, {"RSQ.#", "s"}, {"EX2.#", "s"}, {"LG2.#", "s"}, {"POW.#", "ss"}, {"SIN.#", "s"},
        {"DIV.#", "hs"}, {"SLT.#", "hh"}, {"SGE.#", "hh"}, {"SEQ.#", "hh"}, {"LIT.#", "h"},
        {"CVT.F16.F32", "h"}, {"CVT.F32.F16", "h"}, {"CVT.U16.U32", "h"}, {"PK2H", "h"}, {"UP2H", "s"}, {"MOV.U", "h"},
        {"AND.U", "hh"}, {"ADD.S", "hh"}, {"SHR.U", "hs"}, {"I2F.S", "h"}};
    static const char *const clamps[] = {"", "", "", "", ".SAT", ".SSAT", ".CC", ".CC1"};
    unsigned which = draw(g, sizeof ops / sizeof *ops), to = draw(g, 5), clamp = draw(g, 8);
    bool typed = strchr(ops[which].name, '#'), half = fuzz_chance(g->random, 50),
         precise = !g->settings->spec && !g->settings->contract && strlen(ops[which].shape) > 1;
    size_t n = strcspn(ops[which].name, "#");
    fuzz_text_printf(g->body, "%.*s%s%s%s ", (int)n, ops[which].name, typed ? half ? "F16" : "F" : "",
                     typed && precise ? ".PREC" : "",
                     typed && (clamp > 5 || !strchr("SCLF", ops[which].name[0])) ? clamps[clamp] : "");
    fuzz_text_printf(g->body, to < 3 ? "H%u" : "R%u", to < 3 ? to % 2 : to);
    put_mask(g);
    for (const char *s = ops[which].shape; *s; s++) {
        fuzz_text_put(g->body, ", ");
        put_half_operand(g, *s == 's', typed);
    }
    fuzz_text_put(g->body, ";\n");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void whole_rare_declare(struct fuzz_text *t, const struct whole_settings *settings)
{
    fuzz_text_put(t, "TEMP B0, B1, B2;\nLONG TEMP da[3];\n");
    if (settings->halves)
        fuzz_text_put(t, "SHORT TEMP ha[2];\n");
}

const char *whole_rare_groups(struct fuzz_random *r, struct whole_case *c, unsigned *lanes)
{
    static const struct {
        const char *text;
        unsigned lanes;
    } sizes[] = {{"96", 96},     {"100", 100},   {"128", 128},   {"65", 65},     {"31", 31},    {"2", 2},
                 {"8 8 2", 128}, {"3 5 7", 105}, {"16 1 3", 48}, {"1 33 1", 33}, {"1 1 40", 40}};
    unsigned i = fuzz_below(r, sizeof sizes / sizeof *sizes);
    if (!c->wider && fuzz_chance(r, 25)) {
        c->groups[1] = 1 + fuzz_below(r, 2);
        c->groups[2] = 1 + fuzz_below(r, 3);
    }
    *lanes = sizes[i].lanes;
    if (c->wider && c->groups[0] * *lanes > 192)        /* each lane has a counter of its own, the last ones are
                                                         * everybody's */
        c->groups[0] = 1;
    return sizes[i].text;
}

void whole_rare_start(struct whole_grow *g)
{
    fuzz_text_put(
        g->body,
        "MOV.S B0, 0;\nMOV.S B1, 0;\nMOV.S B2, 0;\nMOV.U64 da[0], D0;\nMOV.U64 da[1], D1.wzyx;\nMOV.U64 da[2], D2;\n");
    if (g->settings->halves)
        fuzz_text_put(g->body, "MOV.F H0, R0;\nMOV.F H1, R1;\nMOV.F ha[0], R2;\nMOV.F ha[1], R3.wzyx;\n");
}

void whole_rare(struct whole_grow *g)
{
    unsigned at = draw(g, 100);
    if (g->settings->halves && fuzz_chance(g->random, 30))
        put_half(g);
    else if (at < 22 && g->depth < 4)
        put_if(g);
    else if (at < 40 && g->depth < 4 && g->loops < 2)
        put_loop(g);
    else if (at < 45 && g->leaves)
        put_leave(g);
    else if (at < 47)
        put_return(g);
    else if (at < 53)
        put_call(g);
    else if (at < 58)
        put_flags(g);
    else if (at < 68)
        put_load(g);
    else if (at < 77)
        put_store(g);
    else if (at < 84)
        put_atomic(g);
    else if (at < 91)
        put_element(g);
    else
        put_together(g);
}
