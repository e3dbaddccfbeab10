/* The evaluator's machine: operands, masks, condition codes, divergence, memory, barriers, contraction,
 * undefinedness.
 *
 * A case is a few instructions and what every lane then holds in r. Around them stand the declarations and
 * the store below; storage 0 holds for lane l the words 4 l, 4 l + 1, 4 l + 2, 4 l + 3, which are in `a`;
 * r starts as 0xdead. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

static const char prologue[] =
    "!!NVcp5.0\n"
    "OPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\n"
    "OPTION NV_gpu_program_fp64;\nOPTION NV_internal;\nOPTION NV_gpu_program5_mem_extended;\n"
    "OPTION NV_shader_atomic_float;\n"
    "GROUP_SIZE %u;\nSHARED_MEMORY 1024;\n"
    "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
    "STORAGE none[] = { program.storage[2] };\nSHARED mem[] = { program.sharedmem };\n"
    "PARAM k[4] = { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16} };\n"
    "PARAM env[4] = { program.env[0..3] };\nPARAM local = program.local[2];\n"
    "TEMP a, b, c, d, e, r, q, t, u, v, w, i, l, A[4];\nLONG TEMP D, E, F;\nSHORT TEMP h;\n"
    "MUL.U i.x, invocation.globalid.x, 16;\n"
    "MOV.U l, invocation.threadid.x;\n"
    "LDB.U32X4 a, in[i.x];\n"
    "MOV.U r, 0xdead;\n";
static const char epilogue[] = "STB.U32X4 r, out[i.x];\n";

#define X4(v) {v, v, v, v}
#define DEAD 0xdeadu

struct evaluation {
    const char *name, *body;    /* body: instructions; '@' begins subroutines, which stand behind the store and a RET */
    uint32_t want[4];           /* of every lane, unless `lanes` says otherwise */
    void (*lanes)(unsigned lane, uint32_t want[4]);
};

/* ---- what differs by lane ------------------------------------------------------------------------------ */

static void own(unsigned l, uint32_t w[4]) { for (unsigned c = 0; c < 4; c++) w[c] = 4 * l + c; }
static void reversed(unsigned l, uint32_t w[4]) { for (unsigned c = 0; c < 4; c++) w[c] = 4 * l + 3 - c; }
static void rotated(unsigned l, uint32_t w[4]) { for (unsigned c = 0; c < 4; c++) w[c] = 4 * l + (c + 1) % 4; }
static void partly(unsigned l, uint32_t w[4]) { own(l, w); w[0] = w[2] = DEAD; }
static void negated(unsigned l, uint32_t w[4]) { for (unsigned c = 0; c < 4; c++) w[c] = 0u - (4 * l + c); }
static void sides(unsigned l, uint32_t w[4])
{
    w[0] = l % 2 ? 0xaaaaaaaa : 0x55555555;
    w[1] = 0xffffffff;
    w[2] = w[3] = DEAD;
}
static void trips(unsigned l, uint32_t w[4]) { w[0] = l; w[1] = 0xffffffff; w[2] = w[3] = DEAD; }
static void trips7(unsigned l, uint32_t w[4]) { w[0] = l & 7; w[1] = 0xffffffff; w[2] = w[3] = DEAD; }
static void quarter(unsigned l, uint32_t w[4]) { w[0] = 0x11111111u << l % 4; w[1] = w[2] = w[3] = DEAD; }
static void odd_sum(unsigned l, uint32_t w[4])
{
    (void)l;
    w[0] = 1 + 3 + 5 + 7 + 9;
    w[1] = w[2] = w[3] = DEAD;
}
static void odd_lanes(unsigned l, uint32_t w[4]) { w[0] = l % 2 ? l : DEAD; w[1] = w[2] = w[3] = DEAD; }
static void below_eight(unsigned l, uint32_t w[4]) { w[0] = l < 8 ? 1 : 2; w[1] = w[2] = w[3] = DEAD; }
/* Who does not take it leaves. */
static void rounds_of_nine(unsigned lane, uint32_t want[4])
{
    want[0] = lane < 1 ? 1 : lane > 9 ? 9 : lane;
}

static void left_early(unsigned l, uint32_t w[4])
{
    w[0] = l < 4 ? 0 : 0xfffffff0;
    for (unsigned c = 1; c < 4; c++)
        w[c] = l < 4 ? 0 : DEAD;
}
static void before_ballot(unsigned l, uint32_t w[4]) { w[0] = l; w[1] = w[2] = w[3] = DEAD; }
static void chosen(unsigned l, uint32_t w[4])
{
    static const uint32_t k[4] = {1, 5, 9, 13};
    for (unsigned c = 0; c < 4; c++)
        w[c] = k[l % 4] + c;
}
static void array_back(unsigned l, uint32_t w[4]) { w[0] = l % 4 == 2 ? 7 : 0; w[1] = w[2] = w[3] = DEAD; }
static void quad_sum(unsigned l, uint32_t w[4])
{
    static const uint32_t bits[] = {0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000};
    w[0] = bits[l % 4 + 1];
    w[1] = bits[(l % 4 ^ 1) + 2];
    w[2] = bits[(l % 4 ^ 2) + 2];
    w[3] = l / 4 == 3 ? 0 : DEAD;
}
static void neighbour(unsigned l, uint32_t w[4]) { w[0] = 4 * ((l + 1) % 32); w[1] = w[2] = w[3] = DEAD; }
static void lane_order(unsigned l, uint32_t w[4]) { w[0] = l; w[1] = w[2] = w[3] = 0; }
static void byte_load(unsigned l, uint32_t w[4]) { w[0] = l % 4 ? 0 : l / 4; w[1] = w[2] = w[3] = DEAD; }

/* Bits of floats. */
#define F_1 0x3f800000u
#define F_2 0x40000000u
#define F_HALF 0x3f000000u

/* ---- the cases ----------------------------------------------------------------------------------------- */

static const struct evaluation operands[] = {
    {"copy", "MOV.U r, a;", {0}, own},
    {"swizzle", "MOV.U r, a.wzyx;", {0}, reversed},
    {"swizzle onto itself", "MOV.U r, a; MOV.U r, r.yzwx;", {0}, rotated},
    {"swizzle in the safe order", "MOV.U r, a; MOV.U r.xyz, r.yzww; MOV.U r.w, a.x;", {0}, rotated},
    {"write mask", "MOV.U r.yw, a;", {0}, partly},
    {"integer negation", "MOV.S r, -a;", {0}, negated},
    {"integer negation twice", "MOV.S r, -a; MOV.S r, -r;", {0}, own},
    {"integer absolute value", "MOV.S r, -a; MOV.S r, |r|;", {0}, own},
    {"the least integer is its own negation", "MOV.S r, 0x80000000; MOV.S r, -r;", X4(0x80000000), NULL},
    {"float negation", "MOV.F t, 1.0; MOV.F r, -t;", X4(0xbf800000), NULL},
    {"negative absolute value", "MOV.F t, 2.0; ADD.F r, -|t|, 1.0;", X4(0xbf800000), NULL},
    {"a bare scalar is every component", "MOV.U r, 5;", X4(5), NULL},
    {"a short vector ends in 0 0 1", "MOV.F r, {2};", {F_2, 0, 0, F_1}, NULL},
    {"a short integer vector", "MOV.U r, {2, 3};", {2, 3, 0, 1}, NULL},
    {"constants of parameters are floats", "MOV.U r, k[0].xyxy;", {F_1, F_2, F_1, F_2}, NULL},
    {"a subtraction of a negation", "SUB.U r, a, -a; SUB.U r, r, a;", {0}, own},
    {"a minus in an integer sum", "ADD.U r, -a, a;", X4(0), NULL},
    {"an indexed parameter", "AND.U t.x, l.x, 3; MOV.F q, k[t.x]; CVT.U32.F32 r, q;", {0}, chosen},
    {"an indexed parameter with an offset",
     "AND.U t.x, l.x, 3; ADD.S t.x, t.x, -1; MOV.F q, k[t.x + 1]; CVT.U32.F32 r, q;",
     {0}, chosen},
    {"an indexed register", "MOV.U A[0], 0; MOV.U A[1], 0; MOV.U A[2], 0; MOV.U A[3], 0; AND.U t.x, l.x, 3;"
     "MOV.U A[t.x], 7; MOV.U r.x, A[2];", {0}, array_back},
    {"an index beyond the array reads 0 and writes nothing",
     "MOV.U A[0], 3; MOV.U A[3], 4; MOV.U t.x, 4; MOV.U A[t.x], 9; MOV.U r, A[t.x]; MOV.U t.x, -1; MOV.U A[t.x], 9;"
     "MOV.U r.y, A[0]; MOV.U r.z, A[3];", {0, 3, 4, 0}, NULL},
    {"program.env and program.local", "MOV.U r, env[1]; MOV.U r.w, local.x;", {104, 105, 106, 208}, NULL},
    {"an indexed env", "MOV.U t.x, 2; MOV.U r, env[t.x];", {108, 109, 110, 111}, NULL},
    {"half of a 64-bit value",
     "CVT.U64.U32 D.x, a.y; SHL.U64 D.x, D.x, 32; ADD.U64 D.x, D.x, 5; MOV.U64 E.y, D.x; UP64.U r, D;"
     "MOV.U r, {1, 2, 3, 4};", {1, 2, 3, 4}, NULL},
    {"an unsigned result into 64 bits has no sign", "MOV.U D.x, 0xffffffff; UP64.U r.xy, D;",
     {0xffffffff, 0, DEAD, DEAD}, NULL},
    {"a signed one has", "MOV.S D.x, 0xffffffff; UP64.U r.xy, D;", {0xffffffff, 0xffffffff, DEAD, DEAD}, NULL},
    {"a float into 64 bits is widened", "MOV.F D.x, 1.0; UP64.U r.xy, D;", {0, 0x3ff00000, DEAD, DEAD}, NULL},
    {"64 bits read as 32", "MOV.S64 D.x, -3; MOV.S r.x, D.x; MOV.F64 E.x, 2.0; MOV.F r.y, E.x;",
     {0xfffffffd, F_2, DEAD, DEAD},
     NULL},
    {"64 bits written to 32", "MOV.F64 D.x, 2.0; ADD.F64 r.x, D.x, D.x;", {0x40800000, DEAD, DEAD, DEAD}, NULL},
    {"saturation", "MOV.F t, {-1, 0.5, 2, 0}; MOV.F.SAT r, t;", {0, F_HALF, F_1, 0}, NULL},
    {"signed saturation", "MOV.F t, {-3, 0.5, 2, -1}; ADD.F.SSAT r, t, 0.0;", {0xbf800000, F_HALF, F_1, 0xbf800000},
     NULL},
    {"SHORT keeps what is copied", "MOV.F t, 2.0020752; ADD.F t, t, l; MOV.F h, t; MOV.F r, h;", X4(0x40002200), NULL},
    {"SHORT rounds a literal", "MOV.F h, 2.0020752; MOV.F r, h;", X4(0x40002000), NULL},
    {"SHORT gives the word of an integer as a half", "SHR.U w, l, 16; ADD.U h, w, 0x12343c00; MOV.F r, h;",
     X4(0x3f800000), NULL},
    {"SHORT gives the half of a float as an integer", "MOV.F t, 2.0020752; ADD.F t, t, l; MOV.F h, t; MOV.U r, h;",
     X4(0x4001), NULL},
    {"half arithmetic with .SSAT is done in single precision", "MOV.F t, 0.10000001; ADD.F16.SSAT r, t, l;",
     X4(0x3dccccce), NULL},
    {"SHORT rounds what is computed", "MOV.F t, 2.0020752; ADD.F h, t, 0.0; MOV.F r, h;", X4(0x40002000), NULL},
    {"SHORT keeps integers", "MOV.U t, 0x12345678; ADD.U h, t, 1; MOV.U r, h;", X4(0x12345679), NULL},
};

static const struct evaluation conditions[] = {
    {"EQ of -0", "MOV.F.CC t, -0.0; MOV.U r (EQ), 1;", X4(1), NULL},
    {"NE LT and the NaN rules",
     "MOV.U t, 0x7fc00000; MOV.F.CC t, t; MOV.U r, 0; ADD.U r.x (NE), r, 1; ADD.U r.x (NAN), r, 2;"
     "ADD.U r.x (LEG), r, 4; ADD.U r.y (EQ), r, 1; ADD.U r.y (LT), r, 2; ADD.U r.y (GT), r, 4; ADD.U r.y (LE), r, 8;"
     "ADD.U r.y (GE), r, 16; ADD.U r.z (BLE), r, 2; ADD.U r.z (NCF), r, 4; ADD.U r.z (NOF), r, 8;"
     "ADD.U r.w (TR), r, 1; ADD.U r.w (FL), r, 2;", {3, 0, 14, 1}, NULL},
    {"carry and overflow of a sum", "MOV.U t, {0xffffffff, 0x7fffffff, 1, 0x80000000}; MOV.U u, {1, 1, 1, 0x80000000};"
     "ADD.S.CC v, t, u; MOV.U r, 0; ADD.U r (CF), r, 1; ADD.U r (OF), r, 2; ADD.U r (AB), r, 4; ADD.U r (SF), r, 8;",
     {1, 10, 0, 3}, NULL},
    {"no borrow is the carry of a difference",
     "MOV.U t, {1, 2, 3, 0x80000000}; MOV.U u, {2, 2, 2, 1}; SUB.S.CC v, t, u;"
     "MOV.U r, 0; ADD.U r (CF), r, 1; ADD.U r (OF), r, 2; ADD.U r (LT), r, 4; ADD.U r (LE), r, 8; ADD.U r (BLE), r, "
     "16;",
     {28, 25, 1, 15}, NULL},
    {"a negated addend makes a difference", "MOV.U t, {1, 2, 3, 4}; MOV.U u, 2; ADD.S.CC v, t, -u; MOV.U r, 0;"
     "ADD.U r (CF), r, 1;", {0, 1, 1, 1}, NULL},
    {"MUL clears carry and overflow",
     "MOV.U t, 0xffffffff; ADD.U.CC v, t, 1; MUL.U.CC v, t, t; MOV.U r, 0; MOV.U r (CF), 1;"
     "MOV.U r (OF), 2;", X4(0), NULL},
    {"flags follow the write mask", "MOV.U.CC t, 0; MOV.U.CC t.xz, 1; MOV.U r, 0; MOV.U r (NE), 1;", {1, 0, 1, 0},
     NULL},
    {"and the condition",
     "SUB.S v, invocation.localindex.x, 99; MOV.U.CC t, {0, 1, 0, 1}; MOV.S.CC v (NE), v; MOV.U r, 0; MOV.U r (LT), 1;",
     {0, 1, 0, 1}, NULL},
    {"the old flags decide", "MOV.U.CC r, 1; MOV.U.CC r (NE), 0; MOV.U r (EQ), 7;", X4(7), NULL},
    {"swizzled test", "MOV.U.CC t, {0, 1, 0, 0}; MOV.U r, 0; MOV.U r (NE.yxxy), 1;", {1, 0, 0, 1}, NULL},
    {"two registers", "MOV.U.CC t, 0; MOV.U.CC1 t, 1; MOV.U r.xy, 0; ADD.U r.x (EQ0), r, 1; ADD.U r.x (NE1), r, 2;"
     "ADD.U r.y (NE0), r, 1; ADD.U r.y (EQ1), r, 2;", {3, 0, DEAD, DEAD}, NULL},
    {"any component lets an IF pass",
     "MOV.U.CC t, {0, 0, 0, 1}; IF NE; MOV.U r.x, 1; ENDIF; IF NE.xyzx; MOV.U r.y, 1; ENDIF;"
     "IF NE.xyzw; MOV.U r.z, 1; ENDIF;", {1, DEAD, 1, DEAD}, NULL},
    {"a ballot's flags are an integer's", "TGBALLOT.U.CC t.x, 1; MOV.U r.x (LT.x), 1;", {1, DEAD, DEAD, DEAD}, NULL},
};

static const struct evaluation flow[] = {
    {"each side sees its own lanes", "AND.U.CC t.x, l.x, 1; IF NE.x; TGBALLOT.U r.x, 1; ELSE; TGBALLOT.U r.x, 1; ENDIF;"
     "TGBALLOT.U r.y, 1;", {0}, sides},
    {"nested sides",
     "AND.U.CC t.x, l.x, 1; IF NE.x; AND.U.CC t.x, l.x, 2; IF NE.x; TGBALLOT.U r.x, 1; ELSE; TGBALLOT.U r.x, 1;"
     "ENDIF; ELSE; AND.U.CC t.x, l.x, 2; IF EQ.x; TGBALLOT.U r.x, 1; ELSE; TGBALLOT.U r.x, 1; ENDIF; ENDIF;", {0},
     quarter},
    {"an empty side", "MOV.U.CC t.x, 0; IF NE.x; MOV.U r, 1; ENDIF; IF EQ.x; MOV.U r.x, 2; ELSE; MOV.U r.x, 3; ENDIF;",
     {2, DEAD, DEAD, DEAD}, NULL},
    {"loops of different lengths", "MOV.U r.x, 0; REP; SGE.U.CC t.x, r.x, l.x; BRK (NE.x); ADD.U r.x, r.x, 1; ENDREP;"
     "TGBALLOT.U r.y, 1;", {0}, trips},
    {"a counted loop by lane",
     "MOV.U r.x, 0; AND.U t.x, l.x, 7; REP.S t.x; ADD.U r.x, r.x, 1; ENDREP; TGBALLOT.U r.y, 1;", {0},
     trips7},
    {"the count is read once", "MOV.U r.x, 0; MOV.U t.x, 3; REP.U t.x; MOV.U t.x, 100; ADD.U r.x, r.x, 1; ENDREP;",
     {3, DEAD, DEAD, DEAD}, NULL},
    {"a negative count", "SUB.S t.x, 0, 1; AND.S t.x, t.x, -1; REP.S t.x; MOV.U r, 1; ENDREP;", X4(DEAD), NULL},
    {"the sign of a literal count is ignored (flow.txt, count_minus)",
     "MOV.U r, 0; REP.S -3; ADD.U r, r, 1; ENDREP;", X4(3), NULL},
    {"a count is rounded down", "MOV.U r.x, 0; REP.F 2.9; ADD.U r.x, r.x, 1; ENDREP; REP.F 0.9; MOV.U r, 9; ENDREP;",
     {2, DEAD, DEAD, DEAD}, NULL},
    {"CONT", "MOV.U r.x, 0; MOV.U t.x, 0; REP.S 10; AND.U.CC u.x, t.x, 1; ADD.U t.x, t.x, 1; CONT (EQ.x);"
     "ADD.U r.x, r.x, t.x; ADD.S r.x, r.x, -1; ENDREP;", {0}, odd_sum},
    {"CONT inside an IF, by lane",
     "MOV.U r.x, 0; REP.S 3; AND.U.CC u.x, l.x, 7; IF NE.x; SLT.U.CC u.x, l.x, 8; CONT (EQ.x);"
     "ENDIF; MOV.U r.x, 1; BRK; ENDREP; SGE.U.CC u.x, l.x, 8; MOV.U r.x (NE.x), 2;", {0}, below_eight},
    {"a call", "CAL one;@ one: MOV.U r.x, 1; RET;", {1, DEAD, DEAD, DEAD}, NULL},
    {"a call of some lanes", "AND.U.CC t.x, l.x, 1; CAL one (NE.x);@ one: MOV.U r.x, l.x; RET;", {0}, odd_lanes},
    {"a call returns early for some",
     "CAL one; MOV.U r.w, 0xdead;@ one: AND.U.CC t.x, l.x, 1; RET (EQ.x); MOV.U r.x, l.x; RET;",
     {0}, odd_lanes},
    {"RET inside a loop inside a call", "CAL one; TGBALLOT.U r.y, 1;@ one: MOV.U r.x, 0; REP; SGE.U.CC t.x, r.x, l.x;"
     "RET (NE.x); ADD.U r.x, r.x, 1; ENDREP;", {0}, trips},
    {"running into a label returns", "CAL one; ADD.U r.x, r.x, 1; CAL two (FL.x);@ one: MOV.U r.x, 1; two: MOV.U r, 9;",
     {2, DEAD, DEAD, DEAD}, NULL},
    {"and into one that nothing calls", "CAL one; ADD.U r.x, r.x, 1;@ one: MOV.U r.x, 1; two: MOV.U r, 9;",
     {2, DEAD, DEAD, DEAD},
     NULL},
    {"CONT at the end of a loop",
     "MOV.U r, 0; REP.S 9; ADD.U r.x, r.x, 1; SLT.U.CC u.x, r.x, l.x; CONT (NE.x); ENDREP;", {0}, rounds_of_nine},
    {"RET in main ends lanes", "SLT.U.CC t.x, l.x, 4; RET (NE.x); TGBALLOT.U r.x, 1;", {0}, left_early},
    {"RET in main inside blocks", "SLT.U.CC t.x, l.x, 4; REP.S 5; IF NE.x; RET; ENDIF; TGBALLOT.U r.x, 1; BRK; ENDREP;",
     {0},
     left_early},
    {"recursion stops at the call depth", "MOV.U r.x, 0; CAL one;@ one: ADD.U r.x, r.x, 1; CAL one; RET;",
     {32, DEAD, DEAD, DEAD}, NULL},
    {"a shuffle from the other side gives 0 and TRUE", "AND.U.CC t.x, l.x, 1; IF NE.x; SHFXOR.U r.xy, l.x, 1, 31; ELSE;"
     "SHFXOR.U r.xy, l.x, 1, 31; ENDIF;", {0xffffffff, 0, DEAD, DEAD}, NULL},
    {"quads", "AND.U t.x, l.x, 3; I2F.U t.x, t.x; QSWZ1.F r.x, t.x, t.x; MOV.F u.x, 2.0; QSWZX.F r.y, t.x, u.x;"
     "QSWZY.F r.z, t.x, u.x; SEQ.U.CC v.x, l.x, 13; IF EQ.x; SHR.U v.x, l.x, 2; SEQ.U.CC v.x, v.x, 3; QSWZ0.F r.w "
     "(NE.x), u.x,"
     "u.x; ENDIF; SEQ.U.CC v.x, l.x, 13; MOV.U r.w (NE.x), 0;", {0}, quad_sum},
    {"lanes whose write is masked still give",
     "AND.U.CC t.x, l.x, 1; SHFXOR.U q.xy (EQ.x), l.x, 1, 31; MOV.U r.x, l.x;", {0},
     before_ballot},
};

static const struct evaluation memory[] = {
    {"a load fills with 0", "LDB.U32 r, in[4];", {1, 0, 0, 0}, NULL},
    {"a load of two", "LDB.U32X2 r, in[8];", {2, 3, 0, 0}, NULL},
    {"a constant offset", "MOV.U t.x, 4; LDB.U32X2 r.xy, in[t.x + 12];", {4, 5, DEAD, DEAD}, NULL},
    {"a crooked address is rounded down", "MOV.U t.x, 4; LDB.U32X2 r.xy, in[t.x + 8];", {2, 3, DEAD, DEAD}, NULL},
    {"a negative offset", "MOV.U t.x, 12; LDB.U32 r.x, in[t.x - 8];", {1, DEAD, DEAD, DEAD}, NULL},
    {"bytes", "LDB.U8 r.x, in[l.x];", {0}, byte_load},
    {"beyond the end reads 0", "MOV.U t.x, 0x7ffffff0; LDB.U32X4 r, in[t.x];", X4(0), NULL},
    {"at the end as well", "LDB.U32X4 r, in[4092];", {1020, 1021, 1022, 1023}, NULL},
    {"an unbound buffer reads 0", "LDB.U32X4 r, none[0]; STB.U32X4 l, none[0]; ATOMB.ADD.U32 r.y, l, none[0];", X4(0),
     NULL},
    {"a store beyond the end is dropped", "MOV.U t.x, 0xfffffff0; STB.U32X4 l, out[t.x]; MOV.U r, 1;", X4(1), NULL},
    {"signed bytes and halves",
     "MOV.U t.x, 0x80ff7f81; STS.U32 t, mem[0]; LDS.S8 r.x, mem[0]; LDS.S8 u.x, mem[1]; MOV.U r.y, u.x;"
     "LDS.U16 u.x, mem[2]; MOV.U r.z, u.x; LDS.S16 u.x, mem[2]; MOV.U r.w, u.x;",
     {0xffffff81, 0x7f, 0x80ff, 0xffff80ff}, NULL},
    {"bytes are stored alone",
     "STS.U32 0xffffffff, mem[0]; STS.U8 0x12, mem[1]; STS.S16 0x3456, mem[2]; LDS.U32 r.x, mem[0];",
     {0x345612ff, DEAD, DEAD, DEAD}, NULL},
    {"half floats", "MOV.F t, {1.0, 2.0, 0.5, 65504}; STS.F16X4 t, mem[0]; LDS.F16X2 r.xy, mem[4];"
     "LDS.U32 u.x, mem[0]; MOV.U r.z, u.x; LDS.F16 u.x, mem[0]; MOV.U r.w, u.x;", {F_HALF, 0x477fe000, 0x40003c00, F_1},
     NULL},
    {"vectors of bytes", "STS.U8X4 {1, 2, 3, 0x104}, mem[0]; LDS.U32 r.x, mem[0]; LDS.U8X2 r.yz, mem[2];",
     {0x04030201, 4, 0, DEAD}, NULL},
    {"64-bit words", "MOV.U64 D, {0x123456789, 2}; STS.U64X2 D, mem[16]; LDS.U32X4 r, mem[16];", {0x23456789, 1, 2, 0},
     NULL},
    {"64 bits loaded to 32", "STS.U32X2 {7, 9}, mem[0]; LDS.U64 r.x, mem[0];", {7, DEAD, DEAD, DEAD}, NULL},
    {"a double is narrowed", "STS.U32X2 {0, 0x40000000}, mem[0]; LDS.F64 r.x, mem[0];", {F_2, DEAD, DEAD, DEAD}, NULL},
    {"through shared memory",
     "MUL.U t.x, l.x, 4; STS.U32 a, mem[t.x]; BAR; ADD.U t.x, l.x, 1; AND.U t.x, t.x, 31; MUL.U t.x, t.x, 4;"
     "LDS.U32 r.x, mem[t.x];", {0}, neighbour},
    {"atomics go in the order of lanes", "MOV.U r, 0; STS.U32 r, mem[0]; BAR; ATOMS.ADD.U32 r, {1}, mem[0];", {0},
     lane_order},
    {"what a conditional load leaves", "MOV.U.CC t, {1, 0, 0, 1}; LDB.U32X4 r (NE), in[0];", {0, DEAD, DEAD, 3}, NULL},
    {"a load's flags", "LDB.U32X4.CC t, in[0]; MOV.U r (EQ), 5;", {5, DEAD, DEAD, DEAD}, NULL},
    {"a saturated load", "STS.F32X4 {-1, 0.5, 2, 1}, mem[0]; LDS.F32X4.SAT r, mem[0]; LDS.F32X2.SSAT r.xy, mem[0];",
     {0xbf800000, F_HALF, F_1, F_1}, NULL},
    {"64-bit atomics", "MOV.U64 D, {0x1ffffffff, 0x300000000}; STS.U64 D, mem[8]; SEQ.U.CC t.x, l.x, 3; IF NE.x;"
     "ATOMS.ADD.U64 E.x, D.y, mem[8]; ENDIF; LDS.U32X2 r.xy, mem[8]; MOV.U64 F, 0x4ffffffff; MOV.U64 F.y, 7; IF NE.x;"
     "ATOMS.CSWAP.U64 E.x, F, mem[8]; ENDIF; LDS.U32X2 u.xy, mem[8]; MOV.U r.zw, u.xxxy;", {0xffffffff, 4, 7, 0}, NULL},
    {"float atomics", "STS.F32 0.5, mem[0]; BAR; ATOMS.ADD.F32 t.x, {1.0}, mem[0]; BAR; LDS.F32 r.x, mem[0];",
     {0x42020000, DEAD, DEAD, DEAD}, NULL},
    {"the address may be the result", "MOV.U r, 16; LDB.U32X4 r, in[r.x];", {4, 5, 6, 7}, NULL},
};

/* MUL and ADD of 1 + 2^-12, 1 + 2^-12 and -(1 + 2^-11): 2^-24 in one rounding, 0 in two
 * (docs/semantics.md). */
#define ONCE X4(0x33800000)
#define TWICE X4(0)
#define ABC "SHR.U w.x, l.x, 31; ADD.U b, w.x, 0x3f800800; MOV.U a, b; ADD.U c, w.x, 0xbf801000;" \
            "ADD.U d, w.x, 0x40000000;"
static const struct evaluation contraction[] = {
    {"mul_add", ABC "MUL.F t, a, b; ADD.F r, t, c;", ONCE, NULL},
    {"add_commuted", ABC "MUL.F t, a, b; ADD.F r, c, t;", ONCE, NULL},
    {"mul_sub", ABC "MUL.F t, a, b; SUB.F r, t, -c;", ONCE, NULL},
    {"sub_mul", ABC "MUL.F t, a, -b; SUB.F r, c, t;", ONCE, NULL},
    {"negated_product", ABC "MUL.F t, a, -b; ADD.F r, -t, c;", ONCE, NULL},
    {"absolute_product", ABC "MUL.F t, a, b; ADD.F r, |t|, c;", TWICE, NULL},
    {"absolute_factor", ABC "MUL.F t, |a|, b; ADD.F r, t, c;", ONCE, NULL},
    {"absolute_addend", ABC "MUL.F t, -a, b; ADD.F r, t, |c|; MOV.F r, -r;", ONCE, NULL},
    {"through_mov", ABC "MUL.F t, a, b; MOV.F u, t; ADD.F r, u, c;", ONCE, NULL},
    {"through_mov_u", ABC "MUL.F t, a, b; MOV.U u, t; ADD.F r, u, c;", ONCE, NULL},
    {"through_mov_neg", ABC "MUL.F t, a, b; MOV.F u, -t; SUB.F r, c, u;", ONCE, NULL},
    {"through_abs", ABC "MUL.F t, a, b; ABS.F u, t; ADD.F r, u, c;", TWICE, NULL},
    {"both_products", ABC "MOV.F e, -1.0; MUL.F t, a, b; MUL.F u, c, e; ADD.F r, t, -u;", ONCE, NULL},
    {"both_products_swap", ABC "MUL.F t, a, b; ADD.F e, c, c; MUL.F u, e, 0.5; ADD.F r, u, t;", TWICE, NULL},
    {"one_shared_product", ABC "ADD.F e, c, c; MUL.F t, e, 0.5; MUL.F u, a, b; ADD.F r, t, u; STB.F32X4 t, out[8192];",
     ONCE, NULL},
    {"one_component_shared", ABC "ADD.F e, c, c; MUL.F t, e, 0.5; MUL.F u, a, b; ADD.F r, t, u; STB.F32 t, out[8192];",
     {0x33800000, 0, 0, 0}, NULL},
    {"product_minus_self", ABC "MUL.F t, a, b; SUB.F r, t, t;", X4(0), NULL},
    {"times_one", "SHR.U w.x, l.x, 31; ADD.U t, w.x, 1; MUL.F r, t, 1.0;", X4(1), NULL},
    {"times_minus_one", "SHR.U w.x, l.x, 31; ADD.U t, w.x, 1; MUL.F r, t, -1.0;", X4(0x80000000), NULL},
    {"double_negation", "SHR.U w.x, l.x, 31; ADD.U t, w.x, 1; MOV.F u, -t; MOV.F r, -u;", X4(1), NULL},
    {"a negation alone flushes", "SHR.U w.x, l.x, 31; ADD.U t, w.x, 1; MOV.F r, -t;", X4(0x80000000), NULL},
    {"the compiler's own does not", "MOV.U t, 1; MOV.F r, -t;", X4(0x80000001), NULL},
    {"the compiler's function is exact", "MOV.F t, 1.0; SIN.F r, t.x;", X4(0x3f576aa4), NULL},
    {"of a known IF one side runs",
     "MOV.U t, 1; MUL.F t, t, 0x7e800000; MUL.F.CC t, t, 1.0; MOV.U r, 1; IF NE.x; MOV.U r, 2; ELSE; MOV.U r, 3; "
     "ENDIF;",
     X4(2), NULL},
    {"a copy of a product", ABC "MUL.F t, a, b; MUL.F u, 1.0, t; ADD.F r, u, c;", ONCE, NULL},
    {"div_add", "SHR.U w.x, l.x, 31; ADD.U a, w.x, 0x40400000; MOV.U b, a; DIV.F t, a, b.x; ADD.F r, t, -1.0;",
     X4(0x33000000), NULL},
    {"two_adds", ABC "MUL.F t, a, b; ADD.F r.xy, t, c; ADD.F r.zw, t, c;", ONCE, NULL},
    {"product_stored", ABC "MUL.F t, a, b; ADD.F r, t, c; STB.F32X4 t, out[8192];", TWICE, NULL},
    {"product_in_max", ABC "MUL.F t, a, b; ADD.F r, t, c; MAX.F q, t, d; STB.F32X4 q, out[8192];", TWICE, NULL},
    {"other_use_dead", ABC "MUL.F t, a, b; ADD.F r, t, c; MAX.F u, t, d;", ONCE, NULL},
    {"mul_sat", ABC "MUL.F.SSAT t, a, b; ADD.F r, t, -1.0;", TWICE, NULL},
    {"add_sat", ABC "MUL.F t, a, b; ADD.F.SAT r, t, c;", ONCE, NULL},
    {"mul_prec", ABC "MUL.F.PREC t, a, b; ADD.F r, t, c;", TWICE, NULL},
    {"add_prec", ABC "MUL.F t, a, b; ADD.F.PREC r, t, c;", TWICE, NULL},
    {"mul_mad_one", ABC "MUL.F t, a, b; MAD.F r, c, 1.0, t;", ONCE, NULL},
    {"mul_mad_addend", ABC "ADD.U e, w.x, 0x3f800000; MUL.F t, a, b; MAD.F r, c, e, t;", TWICE, NULL},
    {"square_add", ABC "MUL.F t, a, a; ADD.F r, t, c;", ONCE, NULL},
    {"f32_f", ABC "MUL.F32 t, a, b; ADD.F r, t, c;", ONCE, NULL},
    {"in_place", ABC "MOV.F t, a; MUL.F t, t, b; ADD.F t, t, c; MOV.F r, t;", ONCE, NULL},
    {"factor_overwritten", ABC "MOV.F v, a; MUL.F t, v, b; MOV.F v, d; ADD.F r, t, c;", ONCE, NULL},
    {"swizzled_product", ABC "MUL.F t, a, b; ADD.F r, t.yxwz, c;", ONCE, NULL},
    {"broadcast_product", ABC "MUL.F t.x, a.x, b.x; ADD.F r, t.x, c;", ONCE, NULL},
    {"part_of_product", ABC "MUL.F t, a, b; ADD.F r.xy, t, c; MOV.F r.zw, t;",
     {0x33800000, 0x33800000, 0x3f801000, 0x3f801000},
     NULL},
    {"masked_product", ABC "MOV.F t, {0, 1.00048828125, 0, 1.00048828125}; MUL.F t.xz, a, b; ADD.F r, t, c;",
     {0x33800000, 0, 0x33800000, 0}, NULL},
    {"cc_masked_product", ABC "MOV.F t, c; ADD.U.CC q, w.x, 1; MUL.F t (NE), a, b; ADD.F r, t, c;", TWICE, NULL},
    {"cc_masked_sum", ABC "MOV.U.CC w, 1; MUL.F t, a, b; ADD.F r (NE), t, c;", ONCE, NULL},
    {"cc_on_product", ABC "MUL.F.CC t, a, b; ADD.F r, t, c; MOV.F q (EQ), 1.0; STB.F32X4 q, out[8192];", TWICE, NULL},
    {"cc_for_nothing", ABC "MUL.F.CC t, a, b; ADD.F r, t, c;", ONCE, NULL},
    {"cc_on_sum", ABC "MUL.F t, a, b; ADD.F.CC r, t, c;", ONCE, NULL},
    {"into_if", ABC "MUL.F t, a, b; SGT.F.CC w.x, d.x, b.x; IF NE.x; ADD.F r, t, c; ENDIF;", TWICE, NULL},
    {"out_of_if", ABC "SGT.F.CC w.x, d.x, b.x; IF NE.x; MUL.F t, a, b; ENDIF; ADD.F r, t, c;", TWICE, NULL},
    {"inside_if", ABC "SGT.F.CC w.x, d.x, b.x; IF NE.x; MUL.F t, a, b; ADD.F r, t, c; ENDIF;", ONCE, NULL},
    {"over_bar", ABC "MUL.F t, a, b; BAR; ADD.F r, t, c;", ONCE, NULL},
    {"over_ballot", ABC "MUL.F t, a, b; TGBALLOT.U q, a; ADD.F r, t, c;", ONCE, NULL},
    {"across a call", ABC "MUL.F t, a, b; CAL sum;@ sum: ADD.F r, t, c; RET;", TWICE, NULL},
    {"rep_runtime", ABC "MOV.U w.x, l.x; AND.U w.x, w.x, 0; ADD.U w.x, w.x, 1; MOV.F t, a; REP.S w.x; MUL.F u, t, b;"
     "ADD.F t, u, c; ENDREP; MOV.F r, t;", ONCE, NULL},
    {"short_result", ABC "MUL.F h, a, b; ADD.F r, h, -1.0;", TWICE, NULL},
};

/* ---- running them -------------------------------------------------------------------------------------- */

static void build(char *text, size_t size, unsigned group, const char *body)
{
    const char *subroutines = strchr(body, '@');
    int n = snprintf(text, size, prologue, group);

    if (subroutines)
        snprintf(text + n, size - (size_t)n, "%.*s\n%sRET;\n%s\nEND\n", (int)(subroutines - body), body, epilogue,
                 subroutines + 1);
    else
        snprintf(text + n, size - (size_t)n, "%s\n%sEND\n", body, epilogue);
}

static const struct gp5_parameter env[4] = {{0, {100, 101, 102, 103}}, {1, {104, 105, 106, 107}},
 {2, {108, 109, 110, 111}},
                                            {3, {112, 113, 114, 115}}};
static const struct gp5_parameter local = {2, {208, 209, 210, 211}};

enum { IN_WORDS = 1024, OUT_WORDS = 4096 };

static enum gp5_run_status launch(struct prepared *p, const struct gp5_run_options *options, uint32_t groups,
                                  uint32_t *out, uint32_t *undefined, struct gp5_report *report)
{
    static _Alignas(64) uint32_t in[IN_WORDS];
    struct gp5_buffer storage[2] = {{0, (uint8_t *)in, sizeof in, NULL},
                                    {1, (uint8_t *)out, OUT_WORDS * 4, undefined}};
    struct gp5_launch l = {.groups = {groups, 1, 1}, .storage = storage, .nstorage = 2, .env = env, .nenv = 4,
                           .local = &local, .nlocal = 1};

    for (uint32_t i = 0; i < IN_WORDS; i++)
        in[i] = i;
    memset(out, 0, OUT_WORDS * 4);
    return gp5_execute(p->executable, &l, options, report);
}

static void run_case(const struct evaluation *e, enum eval_level level, bool track)
{
    struct gp5_run_options options = {.track_undefined = track, .jobs = 1};
    struct gp5_report report = {0};
    uint32_t *out = evaluate_words(OUT_WORDS);
    struct prepared p;
    char text[8192];

    build(text, sizeof text, 32, e->body);
    if (!evaluate_prepare(&p, text, &options, level))
        fail_msg("%s: %s\n%s", e->name, p.message, text);
    if (launch(&p, &options, 1, out, NULL, &report) != GP5_RUN_OK)
        fail_msg("%s: %s", e->name, report.message);
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t want[4];
        memcpy(want, e->want, sizeof want);
        if (e->lanes)
            e->lanes(lane, want);
        if (memcmp(want, out + lane * 4, sizeof want))
            fail_msg("%s, lane %u: got %08x %08x %08x %08x, expected %08x %08x %08x %08x", e->name, lane, out[lane * 4],
                     out[lane * 4 + 1], out[lane * 4 + 2], out[lane * 4 + 3], want[0], want[1], want[2], want[3]);
    }
    gp5_report_free(&report);
    evaluate_free(&p);
    free(out);
}

/* At every level of the machine, plain and tracked. */
static void run_cases(const struct evaluation *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned level = EVAL_LEVEL_BASE; level <= eval_best_level(); level++) {
            run_case(&list[i], (enum eval_level)level, false);
            run_case(&list[i], (enum eval_level)level, true);
        }
}
#define RUN(list) run_cases(list, sizeof list / sizeof *list)

static void test_operands(void **state) { (void)state; RUN(operands); }
static void test_conditions(void **state) { (void)state; RUN(conditions); }
static void test_flow(void **state) { (void)state; RUN(flow); }
static void test_memory(void **state) { (void)state; RUN(memory); }
static void test_contraction(void **state) { (void)state; RUN(contraction); }

/* The text knows no contraction. */
static void test_spec_contracts_nothing(void **state)
{
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_SPEC, .jobs = 1};
    struct gp5_report report;
    uint32_t *out = evaluate_words(OUT_WORDS);
    struct prepared p;
    char text[8192];

    (void)state;
    build(text, sizeof text, 32, ABC "MUL.F t, a, b; ADD.F r, t, c;");
    assert_true(evaluate_prepare(&p, text, &options, eval_best_level()));
    assert_int_equal(launch(&p, &options, 1, out, NULL, &report), GP5_RUN_OK);
    assert_int_equal(out[0], 0);
    gp5_report_free(&report);
    evaluate_free(&p);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),    cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_flow),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_contraction), cmocka_unit_test(test_spec_contracts_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
