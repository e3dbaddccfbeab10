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
#include "tests/whole_oracle.h"

enum { LANES = 96, STRIDE = 64 };       /* words that a lane shows: compare/fuzz/whole.c */

static void both(const char *statements, enum gp5_semantics semantics, struct whole_case *c, struct whole_answer *first,
                 struct whole_answer *second)
{
    assert_true(whole_around(5, statements, c));
    assert_true(whole_evaluate(c, semantics, first));
    if (first->status != WHOLE_RAN)
        fail_msg("%s\n%s", first->why, statements);
    whole_oracle(c, semantics, second);
    if (second->status != WHOLE_RAN)
        fail_msg("the oracle: %s", second->why);
}

/* ---- what was wrong once ---------------------------------------------------------------------------------------------- */

/* D0 gets NaNs of different bits. */
#define NANS                                                                                                              \
    "OR.U R0, R0, {1, 0x7ff80000, 1, 0x7ff80000};\nOR.U R1, R1, {2, 0x7ff80000, 4, 0x7ff80000};\n"                      \
    "STB.U32X4 R0, own[P.z];\nSTB.U32X4 R1, own[P.z + 16];\nLDB.U64X4 D0, own[P.z];\n"

/* H0 gets NaNs among halves. */
#define WORDS "SHORT TEMP H0, H1;\nOR.U H0, R0, {0x7c01, 0xfc00, 0xffff, 0x7fff};\n"

static const char *const mended[] = {
    "SLE.S R4, 0, |invocation.groupsize|;\nSGT.S R3, 0, |invocation.localid|;\n",      /* read nothing */
    /* a loop that is copied as often as it runs is not left from one of its copies, whatever CONT does in it */
    "LDB.U64X4 D0, in[P.x + 128];\nLDB.U64X4 D1, in[P.x + 64];\nREP.S 3;\nMUL.F64 D1, D1, D0;\n"
    "AND.U.CC N, invocation.threadid.x, {25, 1, 2, 15};\nCONT (NE.w);\nMOV.U R3, R2;\nENDREP;\nMUL.F64 D2, D1, R0;\n",
    /* y of DST with 1.0 is a copy in a LONG variable too */
    "LDB.U32X4 R1, in[P.x];\nDST.F D1, 1.0, R1;\nDST.F.CC D2, 1.0, -R1;\n", "AND.U R1, R1, 0xffff;\nDST.F D1, 1.0, R1;\n",
    /* what a warp did to the floating-point environment was there for the next one */
    "MUL.S64 D2, D0, D1;\nSGE.F N, R0, R1.yzwx;\nMOV.U R4, N;\nMOV.F64 D1, R3;\n",
    /* carry and overflow were those of the result where that is an operand too */
    "ADD.U.CC0 R2, R2, R0;\n", "MAD.U.CC1 R4, R4, R4, R3;\n", "SAD.S64.CC D1, R1, D0, D1;\n", "SUB.S.CC arr[A.x], arr[A.x], R1;\n",
    /* the flush of LIT was there under the text's semantics */
    "LIT.F R0, R3;\nLIT.F.CC1 R1, R2;\n",
    /* infinities were told from eight bits of a double's exponent */
    "CVT.U8.F64 R0, D0;\nCVT.S64.F64.FLR D1, D0;\nCVT.U16.F64 R1, D2;\n",
    /* ranges were judged without the operand's sign, and without the rounding */
    "CEIL.U R2, |R4|;\nTRUNC.U R1, -R1;\nROUND.U R0, -R3;\nFLR.U64 D0, -R2;\nROUND.U32.CC1 R3, -100;\n",
    /* an undefined condition left indexed results and flags defined */
    "MOV.U arr[A.x] (CF1.y), R4;\n", "ADD.S.CC R0 (LT1.z), R1, R2;\n",
    /* shuffles in divergent flow left shadows behind in registers of the machine's own */
    "SHFIDX.S R3, R0.x, 24, 31;\nAND.U.CC N, invocation.threadid.x, 3;\nIF NE.x;\nSHFXOR.U R0, R4.x, R1.x, 31;\nENDIF;\nOR.U R1 (EQ.y), R1, 2;\n",
    /* what stands before the end of a block at the end of the text was taken for useless */
    "REP.S 3;\nADD.U R0, R0, 1;\nSGT.U.CC N.x, R0.x, R1.x;\nCONT (NE.x);\nENDREP;\n",     /* measured: who does not go on leaves */
    "CVT.U8.F32 arr[1], R0;\nCVT.F16.F32 arr[A.x].yz (GT), R1;\nCVT.S16.S32.CC arr[A.x + 3], R2;\n",  /* measured: the upper bits stay */
    "REP.S 3;\nSGT.U.CC N, R0, R1;\nCONT (NE);\nBRK (LT.xxxy);\nCONT (EQ.zzzz);\nADD.U R0, R0, 1;\nENDREP;\n",     /* measured: the lowest alone of several components */
    /* sides that part went on over the end of an IF (TR), which had a frame of its own */
    "REP.S 2;\nIF TR.x;\nAND.U.CC N, invocation.threadid.x, {1, 2, 1, 1};\nIF NE.x;\nMOV.U R0, 8;\nCONT (EQ.y);\nELSE;\nMOV.U R0, 9;\nENDIF;\nADD.U R1, R1, 7;\nENDIF;\nBRK (TR.x);\nENDREP;\n",
    "REP.S 3;\nIF FL.x;\nELSE;\nAND.U.CC N, invocation.threadid.x, {1, 2, 1, 1};\nIF NE.x;\nMOV.U R0, 8;\nCONT (EQ.y);\nENDIF;\nADD.U R1, R1, 7;\nENDIF;\nBRK (NE.y);\nENDREP;\n",
    "SUB.F.SSAT D0 (FL), R0, R1;\nMUL.F64.SSAT.CC D1.xy (GT), D1, D2;\nMUL.F64.SAT.CC D2.xy (GT), D1, D2;\n", /* measured: no test */
    "SHFXOR.U R0, R1.x, 1, 31;\nSHFUP.F R2.zw, R1.x, 1, 0;\n",
    "CAL sub1;\nlonely:\nADD.U R0, R0, 1;\n",     /* a label that nothing calls */
    "CAL sub1;\nDIV.F R4, R2, R0.x;\n", "CAL sub3;\nDIV.F R4, R2, R0.x;\nIF TR;\nENDIF;\n",
    /* which of two NaNs: where a clamp is dropped, only some components take a product in or are copies, and over flow */
    NANS "SUB.F64.SSAT R2, D0, D0.wzyx;\nADD.F64.PREC.SSAT R3, R4, D0;\n",
    NANS "MAX.F64 D0, D0.xzyz, D0;\n",
    NANS "MUL.F64 D1.x, D0, D0.y;\nSUB.F64 D2, D1, D0.wxzy;\n",
    NANS "MUL.F64 D1, D0, D0.yzwx;\nADD.F64 D2, D1, D0.w;\n",
    NANS "AND.U.CC N, invocation.threadid.x, 3;\nIF NE.x;\nMUL.F64 D0.xy, D0, D0.w;\nENDIF;\nADD.F64 D1, D0, D0.wxyz;\n",
    NANS "AND.U N.x, invocation.localindex.x, 7;\nREP.U N.x;\nMUL.F64 D1, D0, D0.wzyx;\nSUB.F64 D0.xw, D1, D0.y;\nENDREP;\nADD.F64 D2, D0, D1;\n",
    NANS "REP.U 3;\nAND.U.CC N, invocation.threadid.x, 5;\nCONT (NE.x);\nADD.F64 D0.yz, D0.w, D0;\nENDREP;\n",
    NANS "CAL sub2;\nADD.F64 D1, D0, D0.yxwz;\n",
    NANS "REP.S 3;\nMUL.F64 D0, D0, D0.w;\nREP.S 4;\nCONT;\nENDREP;\nENDREP;\n",
    NANS "LDB.U32X4 N, in[P.x];\nSGT.S.CC N, N, N.yzwx;\nIF LT;\nMUL.F64 D0, D0, D0.w;\nREP.S 4;\nENDREP;\nENDIF;\n",
    NANS "ADD.F64 D2, D0.zwzz, D0;\nAND.U N, invocation.localindex.x, 3;\nREP.U N;\nREP.U N;\nMUL.F64 D0, R1, 3.25;\nENDREP;\nENDREP;\n",
    /* machine code put the sign of what CMP chooses onto a NaN that became the one NaN later */
    "SUB.F R0, R2, R3;\nMUL.F R4, R4, R3;\nCMP.F R1, R1, -R0, R0;\nCMP.F R2, R3, -|R4|, R0;\n",
    /* what SCS and shuffles leave alone was a product that nobody read */
    "MUL.F R1, R2, R4;\nSCS.F32 R1, R4.z;\n", "MUL.F R1, R2, R4;\nSHFUP.U R1, R4.z, 1, 0;\nADD.F R0, R1, R3;\n",
    /* flags of components that SCS does not have, seen by the tests of those that it has */
    "MOV.U.CC0 R1, 0;\nSCS.F.CC0 D1 (EQ.w), R4.x;\nOR.U R0 (CF), R0, 4;\n",
    /* measured: the dividend by a zero that is known, also where it is a zero that a load filled in */
    "LDB.U16 R3, in[P.x];\nMOD.S R4, R3, 0;\nDIV.U R2.xy, R3, 0;\nAND.U R1.yz, R1, 0;\nMOD.U R1, R1, 0;\n",
    /* measured: halves in the words of integers are packed as they are, where nothing else is written to the component */
    WORDS "PK2H.F R1, H0;\nPK2H.F R2, H0.zwxy;\nSTB.F16X4 H0, own[P.z];\nLDB.U32X2 R3, own[P.z];\n",
    WORDS "MOV.U H1, H0.yxwz;\nMOV.F H1.x, R2;\nPK2H.F R1, H1;\nPK2H.F R2.xz, H1.zwxy;\nSTB.F16X4 H1, own[P.z];\nLDB.U32X2 R3, own[P.z];\n",
    WORDS "MOV.U H1, H0.yxwz;\nMOV.F H1.x, R2;\nSTB.F16X2 H1.yzzz, own[P.z];\nLDB.U32 R4.x, own[P.z];\n",
    /* flags of a known number that was widened were asked for the number of its lower word */
    "DST.F32.CC D0.xz, -D2, R3;\nSTB.U32 P, own[P.z];\nMOV.U R0, 0;\nOR.U R0.x (EQ), R0, 1;\n",
    /* measured: a CMP of a register's own components chooses words of copies as any other does; an IF that is known is none */
    "AND.U R3, R3, 0x8000ffff;\nMOV.F R4, -R3;\nCMP.F R1, R0, R4, R4.xxxx;\nMUL.F R4.w, -1.0, R3;\nCMP.F D0, R0, R4.xxxx, R4;\n",
    "AND.U R3, R3, 0x8000ffff;\nSEQ.S.CC N, R1, R1;\nIF LT;\nMUL.F R3, 1.0, -R3;\nENDIF;\nCMP.F R3, R3, R2, R3;\n",
    /* measured: what is behind a jump that is known to be taken writes nothing to a SHORT variable */
    "SHORT TEMP H0;\nMOV.F H0, R0;\nMOV.U.CC0 A, 0;\nREP;\nBRK (NE.x);\nMOV.F R4, H0;\nMOV.S R3, 0;\nREP;\nADD.S R3, R3, 2;\nSGE.U.CC N, R3, 1;\nBRK;\nCVT.F16.F32 H0, H0;\nENDREP;\nENDREP;\n",
    "SHORT TEMP H0;\nMOV.F H0, R0;\nMOV.F R4, H0;\nREP;\nBRK;\nADD.U H0, R2, R4;\nENDREP;\nDP3.F16 R3, H0, R4;\nMOV.F R2, H0;\n",
    /* the text's half arithmetic rounds what MOV moves too */
    "MOV.F16 R3, R2;\nMOV.F16.CC R4, -R3;\n",
    /* the value of a shuffle is written under a test that fails, and what it is made of is wanted */
    "MOV.U.CC0 A, 0;\nMUL.F R1, R2, R4;\nSHFXOR.U R3 (NE0), R1.x, 1, 31;\nUP2US.F R0, R2.x;\nSHFXOR.U R4 (FL), R0.x, 3, 31;\n",
    /* a vote of halves that counts nothing is as undefined as what it looks at */
    "SHORT TEMP H0, H1;\nMUL.F H0, R0, R1;\nMOV.U R2, H0;\nTGBALLOT.F H1, R2;\nMOV.U R3, H1;\n",
    /* measured: y of X2D is made of its own z, and that of what only x and z read */
    "CAL mine;\nX2D.F R0, R4, R2, R0;\nMOV.U R1, R0.y;\nMOV.U R0, R1;\nRET;\nmine:\nMOV.U R0.x, R3;\n",
    /* measured: what a comparison with the negative of an absolute value sets in a subroutine are flags of a known number */
    "MOV.S.CC0 A, -3;\nCAL mine;\nMOV.U R3 (LT), 1;\nRET;\nmine:\nSGT.S.CC A, 65536, -|R1|;\n",
    /* measured: the sign of a known NaN is the compiler's, whatever operation makes it; a NaN times itself has its own */
    "OR.S64 D1, D1, -1;\nADD.F64 D0, D2, -D1;\nMUL.F64 D2, D1, -D1;\n",
    /* measured: the word of a SHORT variable is no product; in another one it is again */
    "SHORT TEMP H0, H1;\nMUL.F H1, R0, R3;\nMOV.U R1, H1;\nSUB.F R1, R1, R2;\nMUL.F H1, R0, R4;\nMOV.U R3, H1;\nMOV.U H0, R3;\nADD.F R3, H0, R2;\n",
    /* flags that only later turns of the same result look at were wanted by nobody, nor were their operands */
    "MOV.F R2.y, R3.x;\nMAD.U32.CC0 R2.yw (LE.xxyy), R2, program.local[0], R0;\nSEQ.S.CC N, R0, R0.yzwx;\nADD.U R2.xy, R0, R4;\n",
    "LDB.U32 R2.y, in[P.x];\nMAD.U32.CC0 R2.yw (LE.xxyy), R2, program.local[0], R0;\nSEQ.S.CC N, R0, R0.yzwx;\nADD.U R2.xy, R0, R4;\n",
    "REP.S 2;\nMAD.U32.CC0 R2 (LE.xxyy), R2, program.local[0], R0;\nSEQ.S.CC N, R0, R0.yzwx;\nSHFXOR.F R2, R2, 23, 31;\nENDREP;\nADD.U R2.xy, R0, R4;\n",
    /* what a call adds is no half where the subroutine begins, in its first instruction neither */
    "SHORT TEMP H0, H1;\nCAL mine;\nRET;\nmine:\nMOV.F H1, R1;\nMOV.U R1, H1;\n",
    /* a copy on what was a copy until its negation was found undone; no clamp of what is narrowed, of a known product neither */
    "MOV.F R3, -R3;\nMOV.F R3, -R3;\nMOV.F R3, -R3;\nMOV.F R3, -R3;\n", "REP.S 5;\nMOV.F R3, -R3;\nENDREP;\n",
    "MAD.F64.SSAT R2, {7, 1.0, 0.1, 16777217.0}, {1e30, 3.25, 16777217.0}, D0;\n",
    /* numbers that follow whatever an operand is, that is undefined, made numbers of others that were not */
    "CMP.F R0, 1.0, U, 5.0;\n", "CMP.F R0, 1.0, 5.0, U;\n", "CMP.S R0, -1, 5, U;\n", "CMP.S R0, -1, U, 5;\nADD.S R0, R0, 1;\n",
    "CMP.F R0, U, 5.0, 5.0;\nMUL.F R1, R0, 2.0;\n", "MUL.U R0, U, 0;\nCMP.F R0, R0, R1, R2;\n", "MUL.U R0, U, 0;\nCMP.S R0, R0, R1, R2;\n",
    "AND.U.CC R0, U, 0;\nMOV.U R1 (EQ), 7;\n", "SGE.S.CC R0, U, U;\nMOV.U R2 (LE), 3;\nMOV.U R3 (LT), 3;\n",
    "AND.U R0, U, 0;\nDP3.F R1, R0, {1,2,3};\nXPD.F R2, R0, {1,2,3};\nLIT.F R3, R0;\nDST.F R4, R0, {1,2,3,4};\n",
    "AND.U R0, U, 0;\nTGANY.S R1, R0;\nTGBALLOT.F R2, R0;\nSHFIDX.U R3, R0.x, R0.y, 0;\nMATCH.ALL.U R4, R0.x;\n",
    "SHORT TEMP H0;\nSUB.U R0, U, U;\nMUL.F H0, R0, 3.0;\nMOV.F R1, H0;\nADD.F16 R2, R0, 2.0;\nADD.F R3, H0, R0;\n",
    "SUB.U R0, U, U;\nADD.U.CC R1 (NE), R0, {1,2,3,4};\n", "SUB.U R0.x, U, U;\nMOV.U R0.y, R2;\nADD.F.CC R1 (EQ), R0, {1,2,3,4};\n",
    "AND.U arr[1], U, 0;\nADD.F R1, arr[1], 3.0;\n", "SUB.U N, U, U;\nSUB.S N, N, 3;\nSGE.S R0, |R1|, N;\nADD.S R2, R0, 3;\nSGT.S R2, R0, 4;\n",
    "AND.U R0, U, 0;\nBFE.U R1, {3,3,3,3}, R0;\nBFI.U R2, R0, R0, 7;\nNOT.U R3, R0;\nCVT.F32.S32 R4, R0;\n", "SLT.S R0, U, U;\nADD.S.CC R1, R0, 1;\n",
    "SLT.S R0, U, U;\nADD.S.CC R1, R0, 1;\nMOV.U R2 (LE), 3;\n", "SLT.S R0, U, U;\nADD.S.CC R1, R0, R3;\nMOV.U R2 (LE), 3;\n",
    "SLT.S R0, U, U;\nADD.S.CC R1, R3, R0;\nMOV.U R2 (LE), 3;\n", "SLT.S R0, U, R2;\nADD.S.CC R1, R3, R0;\nMOV.U R2 (LE), 3;\n",
    "MUL.U R0, U, 0;\nADD.S.CC R1, R3, R0;\nMOV.U R2 (LE), 3;\n", "MUL.U R0, U, 0;\nADD.S.CC R1, 1, R0;\nMOV.U R2 (LE), 3;\nMOV.U R3 (CF), 4;\n",
    "MUL.U R0, U, 0;\nMAD.S.CC R1, 1, 3, R0;\nMOV.U R2 (LE), 3;\nMOV.U R3 (CF), 4;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nCMP.F R4, R0, R1, R2;\nCMP.F R3, R0, 2.0, 3.0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nCMP.F R4, R0, R0, R2;\nCMP.F R3, R0, R2, R0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nCMP.F R4, -1.0, R0, R2;\nCMP.F R3, 1.0, R0, 3.0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nXPD.F R1, R0, R2;\nLIT.F R3, R0;\nDST.F R4, R0, R2;\nNRM.F R2, R0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nXPD.F D1, R2, R0;\nLRP.F D2, R0, R2, R3;\nDST.F R4.yw, R0, R2;\nRFL.F R2.x, R2, R0;\nMAD.U64 D0, D0, R0, D2;\n",
    "SHORT TEMP H0, H1;\nMUL.U R0, U, 0;\nADD.F R0, R0, 2.0;\nMOV.F H0, R0;\nMUL.F16 R1, H0, H0;\nADD.F R2, H0, 3.0;\nMAD.F R3, H0, R4, 2.0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nMUL.F R1, R0, R2;\nDIV.F R3, R1, R0.x;\nDP3.F R4, R2, R0;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 2.0;\nMAD.F R1, R0, 3.0, R2;\nDIV.F R3, R2, R0.x;\nPOW.F R4, R0.x, R2.x;\n",
    "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nCMP.F R3, R0, R2, R0;\n", "MUL.U R0, U, 0;\nADD.F R0, R0, 1.0;\nCMP.F R3, -1.0, R0, R2;\n",
    "MUL.U R0, U, 0;\nCMP.F R3, -1.0, R0, R2;\nCMP.S R4, -1, R0, 2;\n",
    /* what SCS, RFL, MATCH and shuffles leave as it was was still known to flags in the scalar evaluator, not in the first one */
    "STR.U R2.z, R0, R3;\nSCS.F R2.z, R3.z;\nMOV.U.CC1 R1.z, R2;\n", "MOV.U R2.w, 0xffffffff;\nRFL.F R2.w, R3, R0;\nAND.U.CC1 R1.w, R2, 0xff00ff00;\n",
    "STR.U R2.z, R0, R3;\nSHFIDX.U R2.z, R3.z, 3, 31;\nMOV.U.CC1 R1.z, R2;\n", "STR.U R2.z, R0, R3;\nMATCH.ANY.U R2.z, R3.z;\nMOV.U.CC1 R1.z, R2;\n",
    /* a sum of numbers was one to LT in the first evaluator behind a loop that may write over it, in an IF */
    "SUB.F R3, 3.0, 16777216.0;\nSGE.F.CC N, R0, R0;\nIF LE;\nAND.U N, invocation.localindex, 3;\nREP.S N;\nSUB.F R3, R0, R1;\nENDREP;\nENDIF;\nMOV.F.CC R2, R3;\nMOV.U R4 (LT), 1;\n",
    "ADD.F R3, -3.0, 1.0;\nSEQ.U.CC N, R1, R2;\nIF EQ.x;\nAND.U N, invocation.localindex, 3;\nREP.S N;\nMOV.U R3, R0;\nENDREP;\nENDIF;\nMOV.F.CC R2, R3;\nMOV.U R4 (LT), 1;\n",
    /* what a register of 32 bits takes of comparisons and differences of 64 bits of something with itself was 0 to divisions in the second one alone */
    "SLT.F64 R2, D0, D0;\nDIV.U32 R1, R4, R2.y;\n", "SUB.S64 R2, D0, D0;\nMOD.U32 R1, R4, R2.x;\n",
    /* shuffles and MATCH write all of an element of an array that computed indices reach, under one test; there a clamp comes behind SSG and MIN */
    "MOV.U arr[2], R4;\nSHFDOWN.S arr[2], R0, 2, 31;\nAND.U N.x, R1, 3;\nMOV.U R3, arr[N.x];\n",
    "MOV.U arr[2], R4;\nSHFIDX.U arr[2].zw, R0, 5, 31;\nMOV.U N, 0;\nMOV.U R3, arr[N.x];\n",
    "MOV.U arr[1], R4;\nMOV.S.CC R2, R1;\nSHFUP.F arr[1].xy (NE), R0, 1, 0;\nAND.U N.x, R1, 3;\nMOV.U arr[N.x], R3;\n",
    "MOV.U arr[1], R4;\nMOV.U.CC R2, {0, 1, 2, 3};\nSHFXOR.F arr[1].y (EQ.y), R0, 1, 31;\nMOV.U N, 1;\nMOV.U R3, arr[N.x];\n",
    "MOV.U arr[2], R4;\nMOV.S.CC R2, R1;\nIF GT.x;\nMATCH.ALL.U arr[2].yw, R0.x;\nMATCH.ALL.S R2, 3;\nENDIF;\nAND.U N.x, R1, 3;\nMOV.U R3, arr[N.x];\n",
    "AND.U N.x, R1, 3;\nSSG.F.SAT arr[N.x], R0;\nSSG.F.SAT.CC R2, R0;\nSSG.F16.SAT arr[2], R1;\nMIN.F.SAT arr[1], R4, 1.0;\nMIN.F.SAT R3, R4, 1.0;\n",
};

static void disagreements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mended / sizeof *mended; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        char why[WHOLE_WHY], text[1024];
        snprintf(text, sizeof text, "%s", mended[i]);
        both(text, GP5_SEMANTICS_SPEC, &c, &first, &second);
        if (whole_compare(&c, &first, &second, why) != WHOLE_SAME)
            fail_msg("%s\n%s", why, text);
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

/* ---- how undefined values spread ------------------------------------------------------------------------------------------ */

/* U is a register that nothing was written to; R0 is loaded. The components of R0 that are undefined in every lane then, and that are
 * defined in every lane; the others are not looked at. */
static const struct rule {
    const char *statements, *open, *defined;
} rules[] = {
    {"MOV.U R0, R1;", "", "xyzw"},
    {"MOV.U R0.xz, U;", "xz", "yw"},
    /* an operation on an undefined value is undefined, whatever the other operands are */
    {"AND.U R0.x, U, 0;", "x", "yzw"}, {"OR.U R0.x, U, 0xffffffff;", "x", "yzw"}, {"MUL.S R0.x, U, 0;", "x", "yzw"},
    {"MUL.F R0.x, U, 0.0;", "x", "yzw"}, {"XOR.U R0.x, U, U;", "x", "yzw"}, {"SUB.S R0.x, U, U;", "x", "yzw"},
    {"SEQ.S R0.x, U, U;", "x", "yzw"}, {"MIN.U R0.x, U, 0;", "x", "yzw"}, {"SHL.U R0.x, U, 31;", "x", "yzw"},
    {"BFE.U R0.x, {0, 0, 0, 0}, U;", "x", "yzw"}, {"MUL.F.SAT R0.x, U, 0.0;", "x", "yzw"}, {"ABS.F R0.x, U;", "x", "yzw"},
    /* selects need all three */
    {"CMP.S R0.x, -1, R1, U;", "x", "yzw"}, {"CMP.S R0.y, U, R1, R1;", "y", "xzw"}, {"LRP.F R0.x, 0.0, U, R1;", "x", "yzw"},
    /* but what reads nothing is defined */
    {"SFL.S R0, U, U;", "", "xyzw"}, {"STR.F R0, U, U;", "", "xyzw"}, {"SWZ.F R0, U, 0, 1, 0, 1;", "", "xyzw"},
    /* component by component; a sum of several needs all of them, and no more */
    {"MOV.U V, R1;\nMOV.U V.w, U;\nDP3.F R0, V, R1;", "", "xyzw"}, {"MOV.U V, R1;\nMOV.U V.w, U;\nDP4.F R0.y, V, R1;", "y", "xzw"},
    {"MOV.U V, R1;\nMOV.U V.z, U;\nDST.F R0, V, R1;", "z", "xyw"}, {"MOV.U V, R1;\nMOV.U V.x, U;\nXPD.F R0.xyz, V, R2;", "yz", "xw"},
    {"MOV.U V, R1;\nMOV.U V.y, U;\nPK64.U D0, V;\nUP64.U R0, D0;", "xy", "zw"},
    /* writing a defined value defines */
    {"MOV.U V, U;\nMOV.U V.x, 1;\nMOV.U R0, V;", "yzw", "x"},
    /* operations that the text leaves open */
    {"DIV.U R0.x, R1, 0;", "x", "yzw"}, {"SHL.U R0.x, R1, 32;", "x", "yzw"}, {"MOD.S R0.x, 5, -3;", "x", "yzw"}, {"RSQ.F R0.x, -1.0;", "x", "yzw"},
    {"LG2.F R0.x, 0.0;", "x", "yzw"}, {"BFE.U R0.x, {20, 20}, R1;", "x", "yzw"}, {"TRUNC.U R0.x, -1.0;", "x", "yzw"}, {"XPD.F R0, R1, R2;", "w", "xyz"},
    {"SCS.F R0, 1.0;", "zw", "xy"},
    /* conditions: a result under an undefined condition is undefined whichever way it goes, and so are its flags */
    {"MOV.U.CC1 V, U;\nMOV.U R0.x (NE1.x), 1;", "x", "yzw"}, {"MOV.U.CC1 V, U;\nMOV.U R0.x (FL1.x), 1;", "", "xyzw"},
    {"MOV.U.CC1 V, U;\nMOV.U R0.x (TR1.x), 1;", "", "xyzw"}, {"MOV.U.CC1 V.y, U;\nMOV.U R0.x (NE1.x), 1;", "", "xyzw"},
    {"MOV.U.CC1 V, U;\nADD.U.CC0 V (EQ1), 1, 1;\nMOV.U R0.x (NE0.x), 1;", "x", "yzw"},
    /* shuffles: undefined is the value of an undefined source, and everything where index or mask is; so are z and w */
    {"SHFIDX.U R0.xy, U.x, 3, 31;", "y", "xzw"}, {"SHFIDX.U R0.xy, R1.x, U.x, 31;", "xy", "zw"}, {"SHFXOR.U R0.xy, R1.x, 1, U.x;", "xy", "zw"},
    {"SHFIDX.U R0, R1.x, 3, 31;", "zw", "xy"},
    {"AND.U.CC N, invocation.threadid.x, 1;\nIF EQ.x;\nSHFXOR.U R0.xy, R1.x, 1, 31;\nENDIF;", "", "zw"},
    /* votes: undefined for everybody when one voter's value is */
    {"AND.U.CC N, invocation.threadid.x, 15;\nMOV.U V.x, 1;\nIF EQ.x;\nMOV.U V.x, U;\nENDIF;\nTGBALLOT.U R0.x, V;", "x", "yzw"},
    {"MOV.U V, U;\nMOV.U V.y, 1;\nTGANY.U R0, V;", "xzw", "y"},
    /* memory: words of buffers, bytes of shared memory, which starts undefined */
    {"STB.U32 U, own[P.z];\nLDB.U32X2 R0.xy, own[P.z];", "x", "yzw"}, {"STB.U8 U, own[P.z + 1];\nLDB.U8 R0.x, own[P.z];", "x", "yzw"},
    {"LDS.U32X2 R0.xy, sm[P.w];", "xy", "zw"}, {"STS.U16 R1, sm[P.w];\nLDS.U8 R0.x, sm[P.w + 1];\nLDS.U32 V.x, sm[P.w];\nMOV.U R0.y, V.x;", "y", "xzw"},
    {"LDB.U32X4 R0.xy, in[0x7fffff00];", "", "xyzw"}, 
    {"ATOMB.ADD.U32 R0, R1, own[P.z];", "yzw", "x"},
    /* indices beyond an array, components that an attribute does not have, unaligned loads */
    {"MOV.U A.x, 4;\nMOV.U R0.x, arr[A.x];", "x", "yzw"}, {"MOV.U R0, invocation.localindex;", "yzw", "x"},
    {"MOV.U R0, invocation.groupid;", "w", "xyz"}, {"MOV.U A.x, 2;\nLDB.U32X2 R0.xy, in[A.x];", "xy", "zw"},
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

static void propagation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        char text[512];
        snprintf(text, sizeof text, "%s\n", rules[i].statements);
        both(text, GP5_SEMANTICS_SPEC, &c, &first, &second);
        look(&rules[i], &first, "the evaluator");
        look(&rules[i], &second, "the oracle");
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

/* What is decided by an undefined value is counted by both. */
static void uses(void **state)
{
    static const struct { const char *statements; bool used; } rows[] = {
        {"MOV.U.CC V, U;\nIF NE.x;\nENDIF;\n", true}, {"MOV.U.CC V, U;\nIF TR.x;\nENDIF;\n", false}, {"MOV.U.CC V.y, U;\nIF NE.x;\nENDIF;\n", false},
        {"REP.S U.x;\nENDREP;\n", true}, {"MOV.U.CC V, U;\nREP.S 2;\nBRK (EQ.w);\nENDREP;\n", true}, {"MOV.U.CC V, U;\nCAL sub1 (NE.x);\n", true},
        {"STB.U32 R1, own[U.x];\n", true}, {"LDB.U32 R1, in[U.x];\n", false}, {"MOV.U A.x, U;\nMOV.U arr[A.x], R1;\n", true},
        {"MOV.U A.x, U;\nMOV.U R1, arr[A.x];\n", false}, {"MOV.U A.x, 9;\nMOV.U arr[A.x], R1;\n", true}, {"ATOMB.ADD.U32 R1.x, R2, own[U.x];\n", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct whole_case c;
        struct whole_answer first, second;
        both(rows[i].statements, GP5_SEMANTICS_SPEC, &c, &first, &second);
        if ((first.uses != 0) != rows[i].used || (second.uses != 0) != rows[i].used)
            fail_msg("%llu uses, the oracle has %llu:\n%s", (unsigned long long)first.uses, (unsigned long long)second.uses, rows[i].statements);
        whole_answer_free(&first);
        whole_answer_free(&second);
        whole_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(disagreements), cmocka_unit_test(propagation), cmocka_unit_test(uses)};
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
