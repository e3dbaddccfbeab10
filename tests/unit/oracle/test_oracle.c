/* link: mpfr gmp */
/* Two evaluators side by side: programs that one of them once got wrong, and the rules by which undefined values spread
 * (docs/semantics.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "compare/fuzz/whole_run.h"
#include "tests/oracle/whole_oracle.h"

enum { LANES = 96, STRIDE = 64 };       /* words that a lane shows: compare/fuzz/whole.c */

/* NVIDIA's numbers without its compiler. */
static const char *model_of(enum gp5_semantics semantics)
{
    return semantics == GP5_SEMANTICS_NVIDIA ? "none" : NULL;
}

static void both(const char *statements, enum gp5_semantics semantics, struct whole_case *c, struct whole_answer *first,
                 struct whole_answer *second)
{
    assert_true(whole_around(5, statements, c));
    assert_true(whole_evaluate_with(c, semantics, model_of(semantics), first));
    if (first->status != WHOLE_RAN)
        fail_msg("%s\n%s", first->why, statements);
    whole_oracle(c, semantics, second);
    if (second->status != WHOLE_RAN)
        fail_msg("the oracle: %s", second->why);
}

/* ---- what was wrong once ---------------------------------------------------------------------------------------- */

/* H0 gets NaNs among halves. */
#define WORDS "SHORT TEMP H0, H1;\nOR.U H0, R0, {0x7c01, 0xfc00, 0xffff, 0x7fff};\n"

static const char *const mended[] = {
    /* reads nothing */
    "SLE.S R4, 0, |invocation.groupsize|;\nSGT.S R3, 0, |invocation.localid|;\n",
    /* what a warp did to the floating-point environment was there for the next one */
    "MUL.S64 D2, D0, D1;\nSGE.F N, R0, R1.yzwx;\nMOV.U R4, N;\nMOV.F64 D1, R3;\n",
    /* carry and overflow were those of the result where that is an operand too */
    "ADD.U.CC0 R2, R2, R0;\n", "MAD.U.CC1 R4, R4, R4, R3;\n", "SAD.S64.CC D1, R1, D0, D1;\n",
    "SUB.S.CC arr[A.x], arr[A.x], R1;\n",
    /* the flush of LIT was there under the text's semantics */
    "LIT.F R0, R3;\nLIT.F.CC1 R1, R2;\n",
    /* infinities were told from eight bits of a double's exponent */
    "CVT.U8.F64 R0, D0;\nCVT.S64.F64.FLR D1, D0;\nCVT.U16.F64 R1, D2;\n",
    /* ranges were judged without the operand's sign, and without the rounding */
    "CEIL.U R2, |R4|;\nTRUNC.U R1, -R1;\nROUND.U R0, -R3;\nFLR.U64 D0, -R2;\nROUND.U32.CC1 R3, -100;\n",
    /* an undefined condition left indexed results and flags defined */
    "MOV.U arr[A.x] (CF1.y), R4;\n", "ADD.S.CC R0 (LT1.z), R1, R2;\n",
    /* shuffles in divergent flow left shadows behind in registers of the machine's own */
    "SHFIDX.S R3, R0.x, 24, 31;\nAND.U.CC N, invocation.threadid.x, 3;\nIF NE.x;\nSHFXOR.U R0, R4.x, R1.x, 31;\n"
    "ENDIF;\n"
    "OR.U R1 (EQ.y), R1, 2;\n",
    /* what stands before the end of a block at the end of the text was taken for useless; who does not go on leaves */
    "REP.S 3;\nADD.U R0, R0, 1;\nSGT.U.CC N.x, R0.x, R1.x;\nCONT (NE.x);\nENDREP;\n",
    /* the upper bits stay */
    "CVT.U8.F32 arr[1], R0;\nCVT.F16.F32 arr[A.x].yz (GT), R1;\nCVT.S16.S32.CC arr[A.x + 3], R2;\n",
    /* the lowest alone of several components */
    "REP.S 3;\nSGT.U.CC N, R0, R1;\nCONT (NE);\nBRK (LT.xxxy);\nCONT (EQ.zzzz);\nADD.U R0, R0, 1;\nENDREP;\n",
    /* sides of an IF in one that all take, or nobody */
    "REP.S 2;\nIF TR.x;\nAND.U.CC N, invocation.threadid.x, {1, 2, 1, 1};\nIF NE.x;\nMOV.U R0, 8;\n"
    "CONT (EQ.y);\nELSE;\n"
    "MOV.U R0, 9;\nENDIF;\nADD.U R1, R1, 7;\nENDIF;\nBRK (TR.x);\nENDREP;\n",
    "REP.S 3;\nIF FL.x;\nELSE;\nAND.U.CC N, invocation.threadid.x, {1, 2, 1, 1};\nIF NE.x;\nMOV.U R0, 8;\n"
    "CONT (EQ.y);\n"
    "ENDIF;\nADD.U R1, R1, 7;\nENDIF;\nBRK (NE.y);\nENDREP;\n",
    /* no test */
    "SUB.F.SSAT D0 (FL), R0, R1;\nMUL.F64.SSAT.CC D1.xy (GT), D1, D2;\nMUL.F64.SAT.CC D2.xy (GT), D1, D2;\n",
    "SHFXOR.U R0, R1.x, 1, 31;\nSHFUP.F R2.zw, R1.x, 1, 0;\n",
    /* a label that nothing calls */
    "CAL sub1;\nlonely:\nADD.U R0, R0, 1;\n", "CAL sub3;\nDIV.F R4, R2, R0.x;\nIF TR;\nENDIF;\n",
    /* machine code put the sign of what CMP chooses onto a NaN that became the one NaN later */
    "SUB.F R0, R2, R3;\nMUL.F R4, R4, R3;\nCMP.F R1, R1, -R0, R0;\nCMP.F R2, R3, -|R4|, R0;\n",
    /* what SCS and shuffles leave alone is wanted */
    "MUL.F R1, R2, R4;\nSCS.F32 R1, R4.z;\n", "MUL.F R1, R2, R4;\nSHFUP.U R1, R4.z, 1, 0;\nADD.F R0, R1, R3;\n",
    /* flags of components that SCS does not have, seen by the tests of those that it has */
    "MOV.U.CC0 R1, 0;\nSCS.F.CC0 D1 (EQ.w), R4.x;\nOR.U R0 (CF), R0, 4;\n",
    /* halves in the words of integers are packed as they are */
    WORDS "PK2H.F R1, H0;\nPK2H.F R2, H0.zwxy;\nSTB.F16X4 H0, own[P.z];\nLDB.U32X2 R3, own[P.z];\n",
    /* the text's half arithmetic rounds what MOV moves too */
    "MOV.F16 R3, R2;\nMOV.F16.CC R4, -R3;\n",
    /* the value of a shuffle is written under a test that fails */
    "MOV.U.CC0 A, 0;\nMUL.F R1, R2, R4;\nSHFXOR.U R3 (NE0), R1.x, 1, 31;\nUP2US.F R0, R2.x;\n"
    "SHFXOR.U R4 (FL), R0.x, 3, 31;\n",
    /* a vote of halves that counts nothing is as undefined as what it looks at */
    "SHORT TEMP H0, H1;\nMUL.F H0, R0, R1;\nMOV.U R2, H0;\nTGBALLOT.F H1, R2;\nMOV.U R3, H1;\n",
    /* results that set the flags that they are tested by */
    "MOV.F R2.y, R3.x;\nMAD.U32.CC0 R2.yw (LE.xxyy), R2, program.local[0], R0;\nSEQ.S.CC N, R0, R0.yzwx;\n"
    "ADD.U R2.xy, R0, R4;\n",
    /* undefined operands of what needs none of them */
    "CMP.F R0, 1.0, U, 5.0;\n", "CMP.S R0, -1, U, 5;\nADD.S R0, R0, 1;\n", "MUL.U R0, U, 0;\nCMP.F R0, R0, R1, R2;\n",
    "AND.U R0, U, 0;\nDP3.F R1, R0, {1,2,3};\nXPD.F R2, R0, {1,2,3};\nLIT.F R3, R0;\nDST.F R4, R0, {1,2,3,4};\n",
    "AND.U R0, U, 0;\nTGANY.S R1, R0;\nTGBALLOT.F R2, R0;\nSHFIDX.U R3, R0.x, R0.y, 0;\nMATCH.ALL.U R4, R0.x;\n",
    "AND.U R0, U, 0;\nBFE.U R1, {3,3,3,3}, R0;\nBFI.U R2, R0, R0, 7;\nNOT.U R3, R0;\nCVT.F32.S32 R4, R0;\n",
    /* shuffles and MATCH write all of an element of an array that computed indices reach, under one test; there a clamp
     * comes behind SSG and MIN */
    "MOV.U arr[2], R4;\nSHFDOWN.S arr[2], R0, 2, 31;\nAND.U N.x, R1, 3;\nMOV.U R3, arr[N.x];\n",
    "MOV.U arr[2], R4;\nSHFIDX.U arr[2].zw, R0, 5, 31;\nMOV.U N, 0;\nMOV.U R3, arr[N.x];\n",
    "MOV.U arr[1], R4;\nMOV.S.CC R2, R1;\nSHFUP.F arr[1].xy (NE), R0, 1, 0;\nAND.U N.x, R1, 3;\nMOV.U arr[N.x], R3;\n",
    "MOV.U arr[1], R4;\nMOV.U.CC R2, {0, 1, 2, 3};\nSHFXOR.F arr[1].y (EQ.y), R0, 1, 31;\nMOV.U N, 1;\n"
    "MOV.U R3, arr[N.x];\n",
    "MOV.U arr[2], R4;\nMOV.S.CC R2, R1;\nIF GT.x;\nMATCH.ALL.U arr[2].yw, R0.x;\nMATCH.ALL.S R2, 3;\nENDIF;\n"
    "AND.U N.x, R1, 3;\nMOV.U R3, arr[N.x];\n",
    "AND.U N.x, R1, 3;\nSSG.F.SAT arr[N.x], R0;\nSSG.F.SAT.CC R2, R0;\nSSG.F16.SAT arr[2], R1;\n"
    "MIN.F.SAT arr[1], R4, 1.0;\n"
    "MIN.F.SAT R3, R4, 1.0;\n",
};

static void disagreements(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof mended / sizeof *mended; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        char why[WHOLE_WHY], text[1024];
        snprintf(text, sizeof text, "%s", mended[i / 2]);
        both(text, i % 2 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, &c, &first, &second);
        if (whole_compare(&c, &first, &second, why) != WHOLE_SAME)
            fail_msg("%s\n%s", why, text);
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

/* ---- how undefined values spread -------------------------------------------------------------------------------- */

/* U is a register that nothing was written to; R0 is loaded. The components of R0 that are undefined in every lane
 * then, and that are defined in every lane; the others are not looked at. */
static const struct rule {
    const char *statements, *open, *defined;
} rules[] = {
    {"MOV.U R0, R1;", "", "xyzw"},
    {"MOV.U R0.xz, U;", "xz", "yw"},
    /* an operation on an undefined value is undefined, whatever the other operands are */
    {"AND.U R0.x, U, 0;", "x", "yzw"}, {"OR.U R0.x, U, 0xffffffff;", "x", "yzw"}, {"MUL.S R0.x, U, 0;", "x", "yzw"},
    {"MUL.F R0.x, U, 0.0;", "x", "yzw"}, {"XOR.U R0.x, U, U;", "x", "yzw"}, {"SUB.S R0.x, U, U;", "x", "yzw"},
    {"SEQ.S R0.x, U, U;", "x", "yzw"}, {"MIN.U R0.x, U, 0;", "x", "yzw"}, {"SHL.U R0.x, U, 31;", "x", "yzw"},
    {"BFE.U R0.x, {0, 0, 0, 0}, U;", "x", "yzw"}, {"MUL.F.SAT R0.x, U, 0.0;", "x", "yzw"},
    {"ABS.F R0.x, U;", "x", "yzw"},
    /* selects need all three */
    {"CMP.S R0.x, -1, R1, U;", "x", "yzw"}, {"CMP.S R0.y, U, R1, R1;", "y", "xzw"},
    {"LRP.F R0.x, 0.0, U, R1;", "x", "yzw"},
    /* but what reads nothing is defined */
    {"SFL.S R0, U, U;", "", "xyzw"}, {"STR.F R0, U, U;", "", "xyzw"}, {"SWZ.F R0, U, 0, 1, 0, 1;", "", "xyzw"},
    /* component by component; a sum of several needs all of them, and no more */
    {"MOV.U V, R1;\nMOV.U V.w, U;\nDP3.F R0, V, R1;", "", "xyzw"},
    {"MOV.U V, R1;\nMOV.U V.w, U;\nDP4.F R0.y, V, R1;", "y", "xzw"},
    {"MOV.U V, R1;\nMOV.U V.z, U;\nDST.F R0, V, R1;", "z", "xyw"},
    {"MOV.U V, R1;\nMOV.U V.x, U;\nXPD.F R0.xyz, V, R2;", "yz", "xw"},
    {"MOV.U V, R1;\nMOV.U V.y, U;\nPK64.U D0, V;\nUP64.U R0, D0;", "xy", "zw"},
    /* writing a defined value defines */
    {"MOV.U V, U;\nMOV.U V.x, 1;\nMOV.U R0, V;", "yzw", "x"},
    /* operations that the text leaves open */
    {"DIV.U R0.x, R1, 0;", "x", "yzw"}, {"SHL.U R0.x, R1, 32;", "x", "yzw"}, {"MOD.S R0.x, 5, -3;", "x", "yzw"},
    {"RSQ.F R0.x, -1.0;", "x", "yzw"},
    {"LG2.F R0.x, 0.0;", "x", "yzw"}, {"BFE.U R0.x, {20, 20}, R1;", "x", "yzw"}, {"TRUNC.U R0.x, -1.0;", "x", "yzw"},
    {"XPD.F R0, R1, R2;", "w", "xyz"},
    {"SCS.F R0, 1.0;", "zw", "xy"},
    /* conditions: a result under an undefined condition is undefined whichever way it goes, and so are its flags */
    {"MOV.U.CC1 V, U;\nMOV.U R0.x (NE1.x), 1;", "x", "yzw"}, {"MOV.U.CC1 V, U;\nMOV.U R0.x (FL1.x), 1;", "", "xyzw"},
    {"MOV.U.CC1 V, U;\nMOV.U R0.x (TR1.x), 1;", "", "xyzw"}, {"MOV.U.CC1 V.y, U;\nMOV.U R0.x (NE1.x), 1;", "", "xyzw"},
    {"MOV.U.CC1 V, U;\nADD.U.CC0 V (EQ1), 1, 1;\nMOV.U R0.x (NE0.x), 1;", "x", "yzw"},
    /* shuffles: undefined is the value of an undefined source, and everything where index or mask is; so are z and w */
    {"SHFIDX.U R0.xy, U.x, 3, 31;", "y", "xzw"}, {"SHFIDX.U R0.xy, R1.x, U.x, 31;", "xy", "zw"},
    {"SHFXOR.U R0.xy, R1.x, 1, U.x;", "xy", "zw"},
    {"SHFIDX.U R0, R1.x, 3, 31;", "zw", "xy"},
    {"AND.U.CC N, invocation.threadid.x, 1;\nIF EQ.x;\nSHFXOR.U R0.xy, R1.x, 1, 31;\nENDIF;", "", "zw"},
    /* votes: undefined for everybody when one voter's value is */
    {"AND.U.CC N, invocation.threadid.x, 15;\nMOV.U V.x, 1;\nIF EQ.x;\nMOV.U V.x, U;\nENDIF;\n"
     "TGBALLOT.U R0.x, V;", "x", "yzw"},
    {"MOV.U V, U;\nMOV.U V.y, 1;\nTGANY.U R0, V;", "xzw", "y"},
    /* memory: words of buffers, bytes of shared memory, which starts undefined */
    {"STB.U32 U, own[P.z];\nLDB.U32X2 R0.xy, own[P.z];", "x", "yzw"},
    {"STB.U8 U, own[P.z + 1];\nLDB.U8 R0.x, own[P.z];", "x", "yzw"},
    {"LDS.U32X2 R0.xy, sm[P.w];", "xy", "zw"},
    {"STS.U16 R1, sm[P.w];\nLDS.U8 R0.x, sm[P.w + 1];\nLDS.U32 V.x, sm[P.w];\nMOV.U R0.y, V.x;", "y", "xzw"},
    {"LDB.U32X4 R0.xy, in[0x7fffff00];", "", "xyzw"}, 
    {"ATOMB.ADD.U32 R0, R1, own[P.z];", "yzw", "x"},
    /* indices beyond an array, components that an attribute does not have, unaligned loads */
    {"MOV.U A.x, 4;\nMOV.U R0.x, arr[A.x];", "x", "yzw"}, {"MOV.U R0, invocation.localindex;", "yzw", "x"},
    {"MOV.U R0, invocation.groupid;", "w", "xyz"}, {"MOV.U A.x, 2;\nLDB.U32X2 R0.xy, in[A.x];", "xy", "zw"},
};

/* With NVIDIA's numbers: what the driver was measured to do one thing for is defined. */
static const struct rule measured[] = {
    {"DIV.U R0.x, R1, 0;", "", "xyzw"}, {"SHL.U R0.x, R1, 32;", "", "xyzw"}, {"MOD.S R0.x, 5, -3;", "", "xyzw"},
    {"XPD.F R0, R1, R2;", "", "xyzw"}, {"ATOMB.ADD.U32 R0, R1, own[P.z];", "", "xyzw"},
    {"ATOMB.EXCH.U32 R0.x, U, own[P.z];\nLDB.U32 V.x, own[P.z];\nMOV.U R0.y, V.x;", "y", "xzw"},
    {"ATOMB.AND.U32 R0.x, U, own[P.z];\nLDB.U32 V.x, own[P.z];\nMOV.U R0.y, V.x;", "y", "xzw"},
    /* and what a test or an operation looks at counts, whatever comes out */
    {"MUL.U R0.x, U, 0;\nADD.F R0.y, 1.0, R0.x;", "xy", "zw"},
    {"MOV.S.CC1 V, U;\nMOV.U R0.x (LEG1.x), 1;\nMOV.U R0.y (NE1.x), 1;", "xy", "zw"},
};

static void look(const struct rule *r, const struct whole_answer *a, const char *whose)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned c = 0; c < 4; c++) {
            bool open = a->open[WHOLE_OUTPUT][lane * STRIDE + 24 + c];
            if (strchr(r->open, "xyzw"[c]) && *r->open && !open)
                fail_msg("%s finds R0.%c defined in lane %u:\n%s", whose, "xyzw"[c], lane, r->statements);
            if (strchr(r->defined, "xyzw"[c]) && *r->defined && open)
                fail_msg("%s finds R0.%c undefined in lane %u:\n%s", whose, "xyzw"[c], lane, r->statements);
        }
}

static void check_rules(const struct rule *list, size_t n, enum gp5_semantics semantics)
{
    for (size_t i = 0; i < n; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        char text[512];
        snprintf(text, sizeof text, "%s\n", list[i].statements);
        both(text, semantics, &c, &first, &second);
        look(&list[i], &first, "the evaluator");
        look(&list[i], &second, "the oracle");
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

static void propagation(void **state)
{
    (void)state;
    check_rules(rules, sizeof rules / sizeof *rules, GP5_SEMANTICS_SPEC);
    check_rules(measured, sizeof measured / sizeof *measured, GP5_SEMANTICS_NVIDIA);
}

/* What is decided by an undefined value is counted by both. */
static void uses(void **state)
{
    static const struct { const char *statements; bool used; } rows[] = {
        {"MOV.U.CC V, U;\nIF NE.x;\nENDIF;\n", true}, {"MOV.U.CC V, U;\nIF TR.x;\nENDIF;\n", false},
        {"MOV.U.CC V.y, U;\nIF NE.x;\nENDIF;\n", false},
        {"REP.S U.x;\nENDREP;\n", true}, {"MOV.U.CC V, U;\nREP.S 2;\nBRK (EQ.w);\nENDREP;\n", true},
        {"MOV.U.CC V, U;\nCAL sub1 (NE.x);\n", true},
        {"STB.U32 R1, own[U.x];\n", true}, {"LDB.U32 R1, in[U.x];\n", false},
        {"MOV.U A.x, U;\nMOV.U arr[A.x], R1;\n", true},
        {"MOV.U A.x, U;\nMOV.U R1, arr[A.x];\n", false}, {"MOV.U A.x, 9;\nMOV.U arr[A.x], R1;\n", true},
        {"ATOMB.ADD.U32 R1.x, R2, own[U.x];\n", true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        both(rows[i / 2].statements, i % 2 ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA, &c, &first, &second);
        if ((first.uses != 0) != rows[i / 2].used || (second.uses != 0) != rows[i / 2].used)
            fail_msg("%llu uses, the oracle has %llu:\n%s", (unsigned long long)first.uses,
                     (unsigned long long)second.uses, rows[i / 2].statements);
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(disagreements), cmocka_unit_test(propagation),
                                       cmocka_unit_test(uses)};
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
