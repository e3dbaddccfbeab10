/* The operations of machine code beside their kernels, on operands out of the ordinary: straight, behind arithmetic
 * whose NaNs are not yet the one, for some of the lanes, on both sides of an IF, in a loop, between doubles, and where
 * registers are few. Every word that a lane is left with must be the same without machine code, with AVX-512 and with
 * AVX2. */
#include "tests/unit/eval/evaluate.h"

#include "eval/jit/jit_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Registers a to e are of singles, h and k are SHORT, p and q LONG. */
static const char *const statements[] = {
    /* Halves. */
    "ADD.F16 d, a, b;", "MUL.F16 d, a, b;", "SUB.F16 d.xz, a.wzyx, -b;", "MAD.F16 d, a, b, c;",
    "MAD.F16 d.yw, -a, |b|, c.w;",
    "MAD.F16 a, a, a, a;", "MAD.F16 b.xyz, c, b, -|a|;", "ADD.F16 h, a, b;\nMUL.F16 k, h, a;\nMOV.F d, k;",
    "MOV.F16 d, a;", "ABS.F16 d, a;", "ROUND.F16 d.xz, -a;", "TRUNC.F16 d, b;",
    "MIN.F16 d, a, b;\nMAX.F16 d.y, a, b;", "MOV.F h, a;\nMOV.U d, h;",
    "MAD.F16 h, a, b, c;\nMOV.F d, h;\nADD.F16 d.x, h, h;",
    "CVT.F16.F32 d, a;", "CVT.F32.F16 d, a;", "CVT.F16.F32 d.yz, a;\nCVT.F32.F16 e, d;",
    /* Packing. */
    "PK2H.F d, a;", "PK2H.F d.xw, -b.zwxy;", "PK2H.F a, a;", "PK2US.F d.yz, a;", "PK2US.F d, -|b|;", "PK4UB.F d, a;",
    "PK4UB.F d.x, -a;",
    "PK4B.F d, a;", "PK4B.F b.zw, -b.wzyx;", "UP2H.F d, a.x;", "UP2H.F d.zw, -a.y;", "UP2H.F a, a.y;",
    "UP2US.F d, a.x;",
    "UP2US.F d.yw, |b.z|;", "UP4UB.F d, a.x;", "UP4UB.F c.xz, c.z;", "UP4B.F d, b.w;", "UP4B.F d.yzw, -b.x;",
    "PK4B.F d.x, a;\nUP4B.F e, d.x;\nMUL.F a, e, b;",
    /* Words and pairs of them. */
    "PK64.U p, a;", "PK64.U p.xy, b;", "PK64.U q.y, a;", "UP64.U d, p;", "UP64.U d.yw, q;", "UP64.U d, p.yxyx;",
    "UP64.F d, -q;",
    "PK64.F p, -a;", "CVT.U64.U32 p, a;", "CVT.S64.S32 p.yw, b;", "CVT.U64.S32 q.xz, a.wzyx;", "CVT.S64.U32 p, c;",
    "CVT.U64.U32 p, a;\nADD.U64 q, q, p;", "PK64.U p, a;\nUP64.U d, p;",
    /* Integers. */
    "MUL.HI.U d, a, b;", "MUL.HI.S d.xw, a, b.z;", "MUL.HI.U a, a, a;", "MUL.S24 d, a, b;", "MUL.U24 d.yz, a.x, b;",
    "MUL.HI.S d, a, -7;",
    "SAD.S d, a, b, c;", "SAD.U d.xy, a, b.wzyx, c;", "SAD.U c, c, c.x, c;", "CMP.U d, a, b, c;",
    "CMP.U a.xz, c, a, b.yzwx;",
    "CVT.U8.U32 d, a;", "CVT.S8.U32 d, a;", "CVT.U16.S32 d, a;", "CVT.S16.S32 d.yw, b;", "CVT.S32.S8 d, a;",
    "CVT.U32.S8 d, a;",
    "CVT.U16.S8 d, a;", "CVT.S16.U8 d, b;", "CVT.S16.S8 d, b;", "CVT.U8.S16 d, b;", "CVT.S32.U16 d, b;",
    "CVT.U16.U8 d, b;",
    "CVT.S8.U16 d, b;", "CVT.U32.S32 d, b;", "CVT.F32.S8 d, a;", "CVT.F32.U8 d.xw, a;", "CVT.F32.S16 d, a;",
    "CVT.F32.U16 d, b.yxwz;",
    "DIV.U d, a, b.x;", "DIV.U a, a, a.w;", "DIV.U d.xz, 7, b.y;", "DIV.U d, b.wzyx, 3;", "DIV.S d, a, b.x;",
    "DIV.S b, c, b.z;", "DIV.S d.yw, a, -5;",
    "MOD.U d, a, b.x;", "MOD.U a.xyz, b, a.w;", "MOD.U d, c, 641;", "MOD.S d, a, b.y;", "MOD.S b, |a|, b.x;",
    "MOD.S d.xw, |c|, 7;", "AND.U e, b, 31;\nDIV.U d, a, e.x;\nMOD.U e, a, e.y;",
    "SHR.U e, b, 9;\nMOD.S d, a, e.x;\nDIV.S f, a, e.z;", "DIV.U d, a, b.x;\nMUL.U e, d, b.x;\nSUB.U e, a, e;",
    "BFR.U d, a;", "BFR.S d.xz, b.wzyx;", "BFR.U c, c.y;", "BTC.U d, a;", "BTC.S d.xw, b.wzyx;", "BTFL.U d, a;",
    "BTFL.S a, a;", "BTFM.U d, a;", "BTFM.S d, b;", "BTFM.U d.yz, c;",
    "BFE.U d, {7, 12, 0, 0}, a;", "BFE.S d, {7, 12, 0, 0}, a.wzyx;", "AND.U e, b, 63;\nBFE.U d, e, a;",
    "AND.U e, b, 63;\nBFE.S d.xz, e, a;",
    "BFE.S d, b, a;", "BFE.U d, c, a;", "AND.U e, c, 0x1f;\nBFI.U d, e, a, b;",
    "AND.U e, c, 0x3f;\nBFI.S b.xyw, e, a, b;",
    "BFI.U a, c, b, a;", "AND.U e, c, 31;\nBFE.S a, e, a;", "BFI.U d, {8, 16, 0, 0}, a, b;",
    /* Flags: carry and overflow, what is known of a sign, under a test. */
    "ADD.U.CC d, a, b;\nMOV.U e (CF), a;\nMOV.U f (OF.yxwz), b;",
    "SUB.S.CC1 d.xz, a, b;\nOR.U e (CF1.x), a, b;\nXOR.U f (OF1.z), f, b;",
    "MAD.S.CC d, a, b, c;\nMOV.U e (AB), a;\nMOV.U f (BLE), b;\nADD.U.CC a, a, 1;\nMOV.U b (OF), 7;",
    "ADD.U.CC a, a, a;\nADD.U.CC b.x, b.x, -1;\nMOV.U e (NCF), 1;\nMOV.U f (NOF), 2;",
    "SUB.U.CC d.x, 5, a.x;\nMOV.U e.xy (CF.x), 1;\nMOV.U f.x (GE.x), 2;",
    "ADD.S.CC d.x, a.x, b.x;\nMOV.U e.x (OF.x), 1;\nIF CF.x;\nMOV.U f, b;\nENDIF;",
    "AND.U.CC d, a, 0xff;\nMOV.U e (GT), a;\nMOV.U f (SF), b;",
    "SHR.U.CC d.x, a.x, 3;\nMOV.U e (NE.x), a;\nMOV.U f (LT.x), b;\nMOV.U c (GE.x), 1;",
    "MOV.F.CC d, |a|;\nMOV.U e (GT), a;\nMOV.U f (EQ), b;",
    "MOV.F.CC d.y, |a|;\nMOV.U e (LE.y), a;\nMOV.U f (NAN.y), b;", "ABS.S.CC d, a;\nMOV.U e (LT), a;\nMOV.U f (NE), b;",
    "MOV.S.CC d, a;\nADD.S.CC e.x (LT.y), a, b;\nMOV.U f (LE.x), b;",
    "MOV.S.CC1 d, b;\nSUB.S.CC1 d.z (GE1.w), a, b;\nMOV.U f (CF1.z), b;\nMOV.U e (OF1.z), b;",
    "MOV.F.CC d, b;\nMUL.F.CC e.w (GT.x), a, b;\nMOV.U f (SF.w), b;",
    "MOV.S.CC d, a;\nMOV.S.CC e.x (LT.y), b;\nMOV.S.CC e.y (EQ.x), c;\nMOV.U f (NE), b;",
    "SLT.S.CC d.x, a, b;\nMOV.U e (GT.x), a;\nMOV.U f (LT.x), b;",
    "SEQ.U.CC d.y, a, b.x;\nIF NE.y;\nMOV.U e, a;\nELSE;\nMOV.U f, a;\nENDIF;",
    "MOV.S.CC d, a;\nMOV.U64 p (LT), q;\nMOV.U64 q.xz (EQ.w), p.y;",
    "MOV.F.CC d.x, b;\nIF LT.x;\nMOV.U64 p, q;\nMOV.U e, a;\nELSE;\nMOV.U64 q.y, p.x;\nENDIF;",
    "ADD.U64 p, p, q;\nSUB.U64 q.xz, p, q.wzyx;", "SUB.S64 p, q, p;\nNOT.U64 q, p;",
    "AND.U64 p, p, q;\nOR.S64 q.y, p, q;\nXOR.U64 q, q, p.x;",
    "CVT.U64.U32 p, a;\nADD.U64 p.xy, p, q.z;\nMOV.U64 q.w, p.y;",
    "ADD.U64 p, p, -1;\nSUB.U64 q, 1, q;\nADD.U64 p.x, p.x, p.x;",
    /* Words of 64-bit values that are read before they are written, with more planes than there are registers. */
    "XOR.U d, d, p;\nMOV.S.CC e.x, a;\nMOV.U64 p (LT.x), q;\nMAD.U b, a, c, d;\nADD.U f, f, b;\nADD.U c, c, f;",
    "XOR.U d, d, p;\nADD.U64 p.xy, p, q;\nMAD.U b, a, c, d;\nSUB.U64 q.z, q, p;\nADD.U f, f, b;\nXOR.U c, c, q;\n"
    "ADD.U e, e, p;",
    /* In a loop a 64-bit value is written under a test whose words are read before a call. */
    ("SLT.F.CC d, a, a.yzwx;\nMOV.U i.z, invocation.localindex.x;\nAND.U i.z, i.z, 3;\nREP.U i.z;\n"
    "MAD.U a.zw (EQ.x), b, p.x, |c.xyww|;\nMUL.U24 e (NCF.y), {7, 40, 0, -1}, f.xyzx;\n"
    "SWZ.F p.xy (LE.y), f, y, y, w, y;\nENDREP;"),
    /* Those that were there before. */
    "MAD.F d, a, b, c;", "MIN.F d, a, b;", "MAX.F d, -a, |b|;", "CMP.F d, a, b, c;", "LRP.F d, a, b, c;",
    "DP4.F d, a, b;", "DPH.F d.y, a, b;",
    "FRC.F d, a;", "SSG.F d, a;", "RCP.F d, a.x;", "LG2.F d, b.y;", "POW.F d, |a.x|, b.y;", "DIV.F d, a, b.x;",
    "RCP.F d.yz, -a.x;", "RSQ.F a, |a.x|;", "EX2.F d, -|b.y|;", "POW.F d.xw, -a.x, -b.y;", "DIV.F a, -a, -b.x;",
    "LG2.F a.x, a.x;\nRCP.F a.x, a.x;\nEX2.F d, a.x;",
    "ADD.F.SAT d, a, b;",
    "ADD.F.SSAT d, a, b;", "SHL.U d, a, b.y;", "SHR.S d, a, b.z;", "MAD.S d, a, b, c;", "CVT.S32.F32.SAT d, a;",
    "CVT.U32.F32.TRUNC d, a;",
    "CVT.F32.U32 d, a;", "SEQ.F d, a, b;", "SLT.S d, a, b;", "ADD.F64 p, p, q;", "MAD.F64 p, p, q, -p;",
    "MUL.U64 p, p, q;",
};

/* What stands around a statement: it takes the place of %s. */
static const struct {
    const char *name, *before, *after;
} places[] = {
    {"straight", "", ""},
    {"behind arithmetic", "ADD.F a, a, b;\nMUL.F b, b, c.x;\nMAD.F c, a, b, c;\nADD.F d, c, d;\n",
     "\nADD.F e, d, a;\n"},
    {"for some lanes", "MOV.S.CC i.y, b.x;\nRET (LT.y);\nADD.F e, a, b;\n", "\nMUL.F e, e, d;\n"},
    {"in an IF", "MOV.S.CC i.y, b.x;\nIF LT.y;\n", "\nENDIF;\nADD.U e, d, a;\n"},
    {"in an ELSE", "MOV.F.CC i.y, b.x;\nIF LT.y;\nMUL.F d, a, b;\nELSE;\n", "\nENDIF;\nMOV.U e, d;\n"},
    {"in a loop", "AND.U i.y, b.x, 3;\nREP;\nSUB.S.CC i.y, i.y, 1;\nBRK (LT.y);\n", "\nADD.U a, a, d;\nENDREP;\n"},
    {"between doubles", "ADD.F64 p, p, q;\nMAD.F64 q, p, q, p;\n", "\nMUL.F64 q, q, p;\nADD.F64 p, p, q;\n"},
    {"with few registers", "ADD.F a, a, e;\nMUL.F b, b, c;\nXOR.U c, c, f;\nADD.U d, e, f;\nMAD.F e, e, f, a;\n",
     "\nADD.F f, f, d;\nMUL.F a, a, b;\nMAD.F b, c, d, e;\nXOR.U e, f, d;\n"},
};

enum { STATEMENTS = sizeof statements / sizeof *statements, PLACES = sizeof places / sizeof *places };
enum { GROUPS = 4, LANES = 48 * GROUPS, IN = 40, OUT = 40, WORDS = LANES * IN };

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static const uint32_t rare[] = {
    /* denormal singles, and the least normal ones */
    0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x7f800000,
    0xff800000, 0x7fffffff, 0xffffffff, 0x7fc00001, 0xffc12345, 0x7f800001, 0xff80ffff, 0x7f7fffff, 0xff7fffff,
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0xbf810204, 0xbf810205, 0x3f000000, 0x3b008081, 0x3b008080,
    0x477fe000, 0x477fefff, 0x477ff000, 0x47800000, 0xc77ff000, 0xc77fefff, /* the greatest halves */
    0x33000000, 0x33000001, 0x32ffffff, 0x33800000, 0x33c00000, 0x387fc000, 0x387fe000, 0x38800000, 0x387fffff,
    0xb8000001, 0x3f801000, 0x3f803000, 0x3f801001, 0x3f800fff, 0x3c801000, 0xbc803000, /* in the middle between two
                                                                                           halves */
    0x7c007c00, 0x7c01fc01, 0x0001ffff, 0x80017e00, 0x03ff0400, 0x7bff8000, 0x00ff00ff, 0x807f80ff, 0x7fff8000,
    0x80008000, 0x00ffffff, 0x01000000, 0x00800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x0000ffff,
    0x00010000, 32,         31,         33,
};
enum { RARE = sizeof rare / sizeof *rare };

/* Rare ones, any words, and singles that are near to halves. */
static uint32_t operand(uint64_t *random)
{
    uint32_t r = evaluate_random(random), any = evaluate_random(random);

    switch (r % 4) {
    case 0: case 1: return rare[any % RARE];
    case 2: return any;
    default:
        return (any & 0x80000000) | ((any >> 24 & 31) + 106) << 23 | (any & 0x7fe000) | (r & 16 ? 0x1000 : 0) |
               (r & 32 ? r >> 28 : 0);
    }
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void write_program(char *text, size_t size, unsigned statement, unsigned place)
{
    int n = snprintf(text, size,
                     "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nGROUP_SIZE 48;\n"
                     "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
                     "TEMP a, b, c, d, e, f, i;\nSHORT TEMP h, k;\nLONG TEMP p, q;\n"
                     "MUL.U i.x, invocation.globalid.x, %d;\n"
                     "LDB.U32X4 a, in[i.x];\nLDB.U32X4 b, in[i.x + 16];\nLDB.U32X4 c, in[i.x + 32];\n"
                     "LDB.U32X4 d, in[i.x + 48];\n"
                     "LDB.U32X4 e, in[i.x + 64];\nLDB.U32X4 f, in[i.x + 80];\nLDB.U64X4 p, in[i.x + 96];\n"
                     "LDB.U64X4 q, in[i.x + 128];\n"
                     "MOV.F h, 0.0;\nMOV.F k, 0.0;\n%s%s%s\n"
                     "STB.U32X4 a, out[i.x];\nSTB.U32X4 b, out[i.x + 16];\nSTB.U32X4 c, out[i.x + 32];\n"
                     "STB.U32X4 d, out[i.x + 48];\n"
                     "STB.U32X4 e, out[i.x + 64];\nSTB.U32X4 f, out[i.x + 80];\nSTB.U64X4 p, out[i.x + 96];\n"
                     "STB.U64X4 q, out[i.x + 128];\nEND\n",
                     4 * IN, places[place].before, statements[statement], places[place].after);

    assert_true(n > 0 && (size_t)n < size);
}

/* Every step of arithmetic is machine code, and needs no call, but for 64-bit values where flow goes. */
static void look_at(const struct gp5_executable *x, const char *text)
{
    struct native_builder b = {.x = x};

    assert_true(eval_native_find_shapes(&b));
    for (uint32_t i = 0; i < x->nsteps;) {
        const struct step *s = &x->steps[i];
        bool native = x->native && s->quick == STEP_NATIVE;
        const struct native_run *run = native ? &x->native->runs[s->native] : NULL;
        uint32_t end = i + (run ? run->steps : 1);
        b.mode = s->mode;
        for (; i < end; i++) {
            s = &x->steps[i];
            if (s->quick != STEP_NOTHING && (s->kind == STEP_LANE || s->kind == STEP_RAW) &&
                !(run && (!run->flow || eval_native_inline(&b, s) || eval_native_is_wide_alone(&b, s))))
                fail_msg("step %u leaves machine code:\n%s", i, text);
        }
    }
    arena_free(&b.arena);
}

static void run(const char *text, enum eval_level level, const uint32_t *in, uint32_t *out)
{
    struct gp5_run_options options = {.jobs = 1};
    struct gp5_buffer storage[2] = {{0, (uint8_t *)(uintptr_t)in, WORDS * 4, NULL},
     {1, (uint8_t *)out, WORDS * 4, NULL}};
    struct gp5_launch launch = {.groups = {GROUPS, 1, 1}, .storage = storage, .nstorage = 2};
    struct gp5_report report;
    struct prepared p;

    memset(out, 0xee, WORDS * 4);
    if (!evaluate_prepare(&p, text, &options, level))
        fail_msg("%s\n%s", p.message, text);
    if (level == EVAL_LEVEL_NATIVE && !strstr(text, "SWZ"))     /* that is there to be a call */
        look_at(p.executable, text);
    if (eval_execute(p.executable, &launch, &options, NULL, &report) != GP5_RUN_OK)
        fail_msg("%s", report.message);
    gp5_report_free(&report);
    evaluate_free(&p);
}

static void compare(unsigned statement, unsigned place, const uint32_t *expected, const uint32_t *got,
                    enum eval_level level, const uint32_t *in)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (got[i] != expected[i]) {
            const uint32_t *lane = in + i / IN * IN;
            fail_msg("%s %s with %s: word %u of lane %u is %08x, by kernels %08x; a %08x %08x %08x %08x, b %08x %08x "
                     "%08x %08x",
                     statements[statement], places[place].name, level == EVAL_LEVEL_AVX2 ? "AVX2" : "AVX-512", i % IN,
                     i / IN, got[i], expected[i], lane[0], lane[1], lane[2], lane[3], lane[4], lane[5], lane[6],
                     lane[7]);
        }
}

static void test_rows(void **state)
{
    static const enum eval_level levels[] = {EVAL_LEVEL_NATIVE, EVAL_LEVEL_AVX2};
    uint32_t *in = evaluate_words(WORDS), *expected = evaluate_words(WORDS), *got = evaluate_words(WORDS);
    uint64_t random = 20;
    char text[4096];

    (void)state;
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned s = 0; s < STATEMENTS; s++) {
            for (unsigned i = 0; i < WORDS; i++)
                in[i] = operand(&random);
            write_program(text, sizeof text, s, place);
            run(text, EVAL_LEVEL_BASE, in, expected);
            for (unsigned l = 0; l < sizeof levels / sizeof *levels; l++)
                if (levels[l] <= eval_best_level()) {
                    run(text, levels[l], in, got);
                    compare(s, place, expected, got, levels[l], in);
                }
        }
    free(in);
    free(expected);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
