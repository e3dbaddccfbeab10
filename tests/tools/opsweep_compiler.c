#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

/* Where the driver's compiler makes something else of an instruction, or of two, than what is written; and where it
 * knows some of the operands. TYPE stands at '@'. */

enum how { RUN, FLAGS, LITERAL, LITERAL_FLAGS, KNOWN };

static void one(const struct opsweep_sink *to, const char *text, enum operand_set set, enum how how)
{
    char name[OPSWEEP_TEXT];
    bool wide = operand_sets[set].wide;
    opsweep_name(name, sizeof name, text);
    switch (how) {
    case RUN: opsweep_run(to, name, set, wide, text, 0); break;
    case FLAGS: opsweep_run_cc(to, name, set, wide, text, 768); break;
    case LITERAL: opsweep_run_literal(to, name, set, wide, text); break;
    case LITERAL_FLAGS: opsweep_run_literal_cc(to, name, set, wide, text); break;
    case KNOWN: opsweep_run_known(to, name, set, wide, text, 2, false); break;
    }
}

static void each(const struct opsweep_sink *to, const char *pattern, unsigned types, enum how how)
{
    char text[OPSWEEP_TEXT];
    enum operand_set set;

    for (unsigned k = 0; k < OPSWEEP_TYPES; k++)
        if (opsweep_typed(k, types, pattern, SET_F32T, text, &set))
            one(to, text, set, how);
}

static void known_forms(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "MOV.@ r, -a;", "MOV.@ r, |a|;", "ABS.@ r, -a;", "ADD.@ r, -a, b;", "ADD.@ r, a, -b;", "SUB.@ r, |a|, b;",
        "MUL.@ r, -a, b;", "MAD.@ r, a, b, -c;", "MIN.@ r, -a, b;", "MAX.@ r, a, |b|;", "SEQ.@ r, -a, b;",
        "SLT.@ r, -a, b;", "CMP.@ r, -a, b, c;", "CMP.@ r, |a|, b, c;",
    };
    static const char *const floats[] = {
        "RCP.F r, -a.x;", "RSQ.F r, |a.x|;", "SIN.F r, -a.x;", "FLR.F r, -a;", "FRC.F r, -a;", "SSG.F r, -a;",
        "FLR.S r, -a;", "TRUNC.U r, -a;", "MOV.F.SAT r, a;", "MOV.F.SAT r, -a;", "MOV.F.SSAT r, a;", "DP4.F r, -a, b;",
        "DP3.F r, a, |b|;", "LRP.F r, -a, b, c;", "SWZ.F r, a, w, -y, 0, -1;", "SWZ.F r, a, x, y, z, w;",
        "PK2H.F r, -a;", "POW.F r, |a.x|, b.x;",
        "MUL.F r, a, b;\nADD.F r, r, c;", "MUL.F r, a, b;\nSUB.F r, c, r;", "MUL.PREC r, a, b;\nADD.F r, r, c;",
        "MUL.F.SAT r, a, b;", "ADD.F.SAT r, a, b;", "ADD.F.SSAT r, a, b;", "MUL.F r, a, b;\nMUL.F r, r, c;",
        "ADD.F r, a, b;\nADD.F r, r, c;", "RSQ.F r, a.x;\nRCP.F r, r.x;", "RCP.F r, a.x;\nMUL.F r, r, b;",
        "LG2.F r, a.x;\nMUL.F r, r, b.x;\nEX2.F r, r.x;", "MUL.F r, a, b;\nMOV.F r, -r;", "MUL.F r, a, b;\nABS.F r, r;",
        "MUL.F r, a, b;\nMAX.F r, r, c;", "MUL.F r, a, b;\nSLT.F r, r, 0.0;", "MUL.F r, a, b;\nFLR.F r, r;",
        "ADD.F r, a, b;\nMAD.F r, r, 1.0, c;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        each(to, texts[i], TF | TI | TD, KNOWN);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        one(to, floats[i], SET_F32T, KNOWN);
    static const char *const wholes[] = {
        "MOD.S r, -a, b.x;", "MOD.S r, a, -b.x;", "SHR.S r, -a, b.x;", "SHL.S r, a, b.x;\nSHR.S r, r, 1;",
        "SAD.S r, a, b, -c;",
        "I2F.S r, -a;", "MUL.HI.S r, -a, b;", "ADD.S.SAT r, a, b;", "MUL.U.SAT r, a, b;",
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        one(to, wholes[i], SET_I32, KNOWN);
}

/* b is known, a is not. */
static void partly_known(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "MUL.F r, b, b;\nADD.F r, r, a;", "MUL.F r, b, b;\nSUB.F r, a, r;", "MUL.F r, b, b;\nADD.F r, r, b;",
        "ADD.F r, b, b;\nMUL.F r, r, a;", "MUL.F r, a, b;\nADD.F r, r, b;", "MAD.F r, b, b, a;", "MAD.F r, a, b, b;",
        "LRP.F r, a, b, b;", "LRP.F r, b, a, a;", "LRP.F r, b, b, a;", "LRP.F r, a, b, a;", "LRP.F r, a, b, b.yxwz;",
        "DP3.F r, b, b;", "DP4.F r, a, b;", "DP2A.F r, b, b, a;", "DP2A.F r, a, b, b;", "DPH.F r, b, a;",
        "XPD.F r, b, b.yzxw;",
        "X2D.F r, b, a, b;", "X2D.F r, a, b, b;", "X2D.F r, b, b, a;", "RFL.F r, b, a;", "RFL.F r, a, b;",
        "NRM.F r, b;",
        "RCP.F r, b.x;\nMUL.F r, r, a;", "DIV.F r, b, a.x;", "DIV.F r, a, b.x;", "DIV.F r, b, b.x;",
        "CMP.F r, b, a, -a;",
        "CMP.F r, a, b, -b;", "POW.F r, b.x, a.x;", "POW.F r, a.x, b.x;", "MIN.F r, b, a;", "MIN.F r, b, b;",
        "DST.F r, a, b;", "DST.F r, b, b;", "SLT.F r, b, b.yxwz;", "MAX.F r, a, b;\nMIN.F r, r, b;", "SGE.F r, b, a;",
        "RSQ.F r, b.x;\nMUL.F r, r, a;", "EX2.F r, b.x;\nADD.F r, r, a;", "SIN.F r, b.x;\nADD.F r, r, a;",
        "FLR.F r, b;\nSUB.F r, b, r;",
        "SCS.F r, b.x;\nADD.F r, r, a;", "MUL.F r, b, b;\nMOV.F q, -r;\nADD.F r, q, a;", "LIT.F r, b;",
    };
    static const char *const wholes[] = {
        "CMP.@ r, b, a, -a;", "MAD.@ r, b, b, a;", "MUL.@ r, b, b;\nADD.@ r, r, a;", "ADD.@ r, b, b;\nADD.@ r, r, a;",
        "SHL.@ r, b, b.x;\nOR.@ r, r, a;", "SHR.@ r, b, b.x;\nOR.@ r, r, a;", "AND.@ r, a, b;\nADD.@ r, r, r;",
        "MIN.@ r, a, b;\nMAX.@ r, r, b;",
        "DIV.@ r, a, b.x;", "MOD.@ r, a, b.x;", "MOD.@ r, -a, b.x;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        one(to, texts[i], SET_F32T, LITERAL);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        each(to, wholes[i], TI, LITERAL);
    static const char *const flags[] = {
        "SUB.@.CC r, b, a;", "SUB.@.CC r, a, b;", "ADD.@.CC r, a, b;", "ADD.@.CC r, -a, b;", "ADD.@.CC r, a, -b;",
        "MAD.@.CC r, a, b, b;",
        "MAD.@.CC r, a, b, a;", "MAD.@.CC r, b, b, a;", "MAD.@.CC r, a, a, b;", "MAD.@.CC r, a, a, -b;",
        "SAD.@.CC r, a, b, a;",
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        each(to, flags[i], TI, LITERAL_FLAGS);
    one(to, "ADD.F.CC r, a, b;", SET_F32, LITERAL_FLAGS);
    one(to, "SUB.F.CC r, a, b;", SET_F32, LITERAL_FLAGS);
    one(to, "SUB.F.CC r, b, a;", SET_F32, LITERAL_FLAGS);
}

static void run_forms(const struct opsweep_sink *to)
{
    static const char *const floats[] = {
        /* the same value twice */
        "MAX.@ r, a, a;", "MIN.@ r, -a, -a;", "MIN.@ r, |a|, |a|;", "MIN.@ r, a, -a;", "MIN.@ r, a, a.yxxx;",
        "MOV.@ r, a;\nMIN.@ r, r, a;",
        "MIN.@.SAT r, a, a;", "MAX.@ a, a, a;\nADD.@ r, a, 0.0;", "ADD.@ r, a, -a;", "SUB.@ r, a, a;",
        "DIV.@ r, a, a.x;", "CMP.@ r, a, b, b;",
        /* clamps */
        "MIN.@ r, 1.0, a;\nMAX.@ r, 0.0, r;", "MIN.@ q, a, 1.0;\nMAX.@ r, q, 0.0;\nADD.@ r, r, q;",
        "MIN.@ r, a, 1.0;\nMAX.@ r, r, -1.0;",
        "MAX.@ r, a, -1.0;\nMIN.@ r, r, 1.0;", "MIN.@ r, -a, 1.0;\nMAX.@ r, r, 0.0;",
        "MIN.@ r, |a|, 1.0;\nMAX.@ r, r, 0.0;",
        "MIN.@ r, a, 1.0;\nMAX.@ r, -r, 0.0;", "MIN.@ r, a, 0.5;\nMAX.@ r, r, 0.0;",
        "MIN.@ r, a, 2.0;\nMAX.@ r, r, 0.0;",
        "ADD.@ r, a, b;\nMIN.@ r, r, 1.0;\nMAX.@ r, r, 0.0;", "MAX.@ r, a, 0.0;\nMIN.@ r, r, 1.0;",
        "MIN.@ r, a, 1.0;\nMOV.@ r, r;\nMAX.@ r, r, 0.0;",
        "MUL.@ r, a, b;\nMAX.@ r, r, 0.0;\nMIN.@ r, r, 1.0;", "MIN.@ r, a, 1.0;\nMIN.@ r, r, 2.0;",
    };
    static const char *const singles[] = {
        "RSQ.F q.x, a.x;\nRCP.F r, q.x;", "RSQ.F r, |a.x|;\nRCP.F r, r.x;", "RSQ.F r, -a.x;\nRCP.F r, r.x;",
        "RSQ.F r, a.x;\nRCP.F r, -r.x;",
        "RSQ.F r, a.x;\nRCP.F r, |r.x|;", "RSQ.F q.x, a.x;\nRCP.F r, q.x;\nADD.F r.y, r, q.x;",
        "RSQ.F r, a.x;\nDIV.F r, 1.0, r.x;",
        "RSQ.F r, a.x;\nDIV.F r, b, r.x;", "RSQ.F r, a.x;\nRCP.F.SAT r, r.x;", "RSQ.F.SAT r, a.x;\nRCP.F r, r.x;",
        "RSQ.F r, a.x;\nMOV.F r, r;\nRCP.F r, r.x;",
        "RCP.F r, a.x;\nRCP.F r, r.x;", "RCP.F r, a.x;\nRSQ.F r, r.x;", "RSQ.PREC r, a.x;\nRCP.PREC r, r.x;",
        "RSQ.F16 r, a.x;\nRCP.F16 r, r.x;",
        "RSQ.F r, a.x;\nRCC.F r, r.x;", "LG2.F r, a.x;\nEX2.F r, r.x;",
        "RSQ.F r, a.x;\nMUL.F r, a.x, r;\nRCP.F r, r.x;",
        "X2D.F a, a, b, c;\nMOV.F r, a;", "X2D.F b, a, b, c;\nMOV.F r, b;", "X2D.F c, a, b, c;\nMOV.F r, c;",
        "X2D.F a, b, c, a;\nMOV.F r, a;",
        "X2D.F r, a, b, c;", "X2D.F c, a, b, c.zwxy;\nMOV.F r, c;", "X2D.F c.xy, a, b, c;\nMOV.F r, c;",
        "X2D.F.CC c, a, b, c;\nMOV.F r, c;",
        "XPD.F a, a, b;\nMOV.F r, a;", "XPD.F b, a, b;\nMOV.F r, b;", "DST.F a, a, b;\nMOV.F r, a;",
        "DST.F b, a, b;\nMOV.F r, b;",
        "LIT.F a, a;\nMOV.F r, a;", "LIT.F a, a.yxwz;\nMOV.F r, a;", "NRM.F a, a;\nMOV.F r, a;",
        "RFL.F a, a, b;\nMOV.F r, a;", "RFL.F b, a, b;\nMOV.F r, b;",
        "SCS.F a, a.x;\nMOV.F r, a;", "DP4.F a, a, b;\nMOV.F r, a;", "LRP.F a, b, a, c;\nMOV.F r, a;",
        "SWZ.F a, a, w, z, y, x;\nMOV.F r, a;",
        "MAD.F16 r, a, b, c;", "ADD.F16 r, a, b;\nMUL.F16 r, r, c;", "SUB.F r, a, a.yxwz;", "FLR.F16 r, -a;",
        "SSG.F16 r, |a|;",
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (strchr(floats[i], 'q') == NULL)
            each(to, floats[i], TF | TD, RUN);
        else
            each(to, floats[i], TF, RUN);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        one(to, singles[i], SET_F32T, RUN);
    static const char *const wholes[] = {
        "MIN.@ r, a, a;", "MAX.@ r, -a, -a;", "CMP.@ r, |a|, b, c;", "CMP.@ r, -|a|, b, c;", "CMP.@ r, a, -b, c;",
        "CMP.@ r, 0, a, b;", "MOD.@ r, -|a|, b.x;",
        "MOD.@ r, |a|, b.x;", "MOD.@ r, a, -b.x;", "MOD.@ r, a, -|b.x|;", "MOD.@ r, -a, -b.x;", "DIV.@ r, -|a|, b.x;",
        "DIV.@ r, |a|, |b.x|;",
        "DIV.@ r, -a, -b.x;", "SLT.@ r, -|a|, b;", "SHR.@ r, -|a|, 3;", "MUL.@ r, -|a|, b;", "SAD.@ r, -a, b, c;",
        "MAX.@ r, -|a|, b;",
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        each(to, wholes[i], strstr(wholes[i], "CMP.@ r, 0") ? TI : TI | TL, RUN);
}

/* Sums of NaNs. */
static void sums_of_nans(const struct opsweep_sink *to)
{
    static const char *const ops[] = {"ADD.F64", "SUB.F64", "MUL.F64"};
    char a[16], b[16], text[128];
    for (unsigned k = 0; k < 3; k++)
        for (unsigned i = 0; i < 16; i++) {
            snprintf(a, sizeof a, i % 4 == 0 ? "a" : i % 4 == 1 ? "-a" : i % 4 == 2 ? "|a|" : "-|a|");
            snprintf(b, sizeof b, i / 4 == 0 ? "b" : i / 4 == 1 ? "-b" : i / 4 == 2 ? "|b|" : "-|b|");
            snprintf(text, sizeof text, "%s r, %s, %s;", ops[k], a, b);
            one(to, text, SET_F64, RUN);
        }
    static const char *const others[] = {
        "MAD.F64 r, a, b, c;", "MAD.F64 r, -a, b, c;", "MAD.F64 r, a, -b, c;", "MAD.F64 r, a, b, -c;",
        "MAD.F64 r, |a|, b, c;", "MAD.F64 r, a, |b|, c;",
        "MAD.F64 r, a, b, |c|;", "ADD.F64 r, b, a;", "ADD.F64 r, a, q.x;", "ADD.F64 r, q.x, a;", "ADD.F64 r, -q.x, a;",
        "ADD.F64 r, a, -q.x;", "MUL.F64 r, a, q.x;",
        "MUL.F64 r, q.x, a;", "MUL.F64 r, -q.x, a;", "MAD.F64 r, q.x, a, b;", "MAD.F64 r, a, q.x, b;",
        "MAD.F64 r, a, b, q.x;", "SUB.F64 r, q.x, a;", "SUB.F64 r, a, q.x;",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(text, sizeof text, "%s%s", strchr(others[i], 'q') ? "CVT.F32.F64 q.x, c.x;\n" : "", others[i]);
        one(to, text, SET_F64, RUN);
    }
    static const char *const literal[] = {"ADD.F64 r, a, b;", "ADD.F64 r, b, a;", "ADD.F64 r, a, -b;",
     "MUL.F64 r, b, a;", "MAD.F64 r, a, b, a;", "MAD.F64 r, a, a, b;"};
    for (size_t i = 0; i < sizeof literal / sizeof *literal; i++) {
        snprintf(text, sizeof text, "PK64.U b.xy, {1, 0xfff40000, 0x54321, 0x7ff80000};\n%s", literal[i]);
        one(to, text, SET_F64, RUN);
    }
}

/* Flags that are not those of the result. */
static void flag_forms(const struct opsweep_sink *to)
{
    static const char *const wholes[] = {
        "ADD.@.CC r, a, 0;", "ADD.@.CC r, 0, a;", "SUB.@.CC r, a, b;", "SUB.@.CC r, 0, -a;", "SUB.@.CC r, a, -1;",
        "ADD.@.CC r, a, -1;", "SUB.@.CC r, a, a;",
        "ADD.@.CC r, a, a;", "ADD.@.CC r, a, -a;", "MAD.@.CC r, a, b, 0;", "MAD.@.CC r, a, 0, b;",
        "MAD.@.CC r, a, 1, b;", "MAD.@.CC r, a, 1, -b;",
        "MAD.@.CC r, -a, b, -c;", "MAD.@.CC r, a, -b, c;", "MAD.@.CC r, -a, -b, c;", "MAD.@.CC r, |a|, b, c;",
        "MAD.@.CC r, a, b, |c|;", "MAD.@.CC r, a, b, -|c|;",
        "SAD.@.CC r, a, b, c;", "SAD.@.CC r, -a, b, c;", "SAD.@.CC r, a, -b, c;", "SAD.@.CC r, a, b, 0;",
        "ADD.@.CC r, |a|, -b;", "ADD.@.CC r, -|a|, b;",
        "SUB.@.CC r, a, |b|;", "SUB.@.CC r, -a, -b;", "ABS.@.CC r, -a;", "ABS.@.CC r, |a|;", "MOV.@.CC r, |a|;",
        "MOV.@.CC r, -|a|;", "MAX.@.CC r, a, 0;",
        "AND.@.CC r, a, 0x7fffffff;", "STR.@.CC r, a, b;", "SFL.@.CC r, a, b;", "SEQ.@.CC r, a, b;",
        "SLT.@.CC r, a, b;", "MIN.@.CC r, a, a;",
    };
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        each(to, wholes[i], TI, FLAGS);
    static const char *const floats[] = {
        "ADD.F.CC r, a, b;", "SUB.F.CC r, a, b;", "ADD.F.CC r, -a, -b;", "ADD.F.CC r, |a|, b;", "ADD.F.CC r, a, 1.0;",
        "ADD.F.CC r, a, 0.0;", "SUB.F.CC r, a, 0.0;",
        "ADD.PREC.CC r, a, b;", "ADD.F.SAT.CC r, a, b;", "ADD.F16.CC r, a, b;", "MUL.F q, a, b;\nADD.F.CC r, q, c;",
        "MAD.F.CC r, a, b, c;", "ABS.F.CC r, -a;",
        "ABS.F.CC r, a;", "MOV.F.CC r, |a|;", "MOV.F.CC r, -|a|;", "POW.F.CC r, a.x, b.x;", "EX2.F.CC r, a.x;",
        "RSQ.F.CC r, a.x;", "STR.F.CC r, a, b;", "SFL.F.CC r, a, b;",
        "SLT.F.CC r, a, b;", "MAX.F.CC r, a, 0.0;", "MAX.F.CC r, a, 1.0;", "MIN.F.CC r, a, a;", "MOV.F.SAT.CC r, a;",
        "RCP.F.CC r, a.x;", "SSG.F.CC r, a;", "FRC.F.CC r, a;",
        "ADD.F.CC r, a, b;\nMOV.F r, r;", "MUL.F.CC r, a, a;", "DP4.F.CC r, a, a;", "LIT.F.CC r, a;",
        "ADD.F.CC r.xy, a, b;", "ADD.F.CC r, a, -a.yxwz;",
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        one(to, floats[i], SET_F32, FLAGS);
    each(to, "ADD.@.CC r, a, b;", TD, FLAGS);
    each(to, "SUB.@.CC r, a, b;", TD, FLAGS);
    each(to, "ABS.@.CC r, a;", TD | TL, FLAGS);
}

/* Conversions to small types whose destination is an element of an array. */
static void small_elements(const struct opsweep_sink *to)
{
    static const char *const types[] = {"S8", "U8", "S16", "U16", "F16", "S32"};
    static const char *const from[] = {"F32", "S32", "U16", "F16"};
    char text[256];
    for (unsigned d = 0; d < 6; d++)
        for (unsigned s = 0; s < 4; s++) {
            snprintf(text, sizeof text,
                     "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nCVT.%s.%s arr[1], a;\nMOV.U r, arr[1];", types[d],
                     from[s]);
            one(to, text, SET_F32T, RUN);
            if (s < 2) {
                snprintf(text, sizeof text,
                         "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nAND.S q.x, b.x, 1;\nCVT.%s.%s arr[q.x], a;\nMOV.U "
                         "r, arr[1];",
                         types[d], from[s]);
                one(to, text, SET_F32T, RUN);
            }
        }
    static const char *const others[] = {
        "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nAND.S q.x, b.x, 1;\nADD.F16 arr[q.x], a, b;\nMOV.U r, arr[1];",
        "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nAND.S q.x, b.x, 1;\nLDB.U8 arr[q.x].x, inb[i.x];\nMOV.U r, arr[1];",
        "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nAND.S q.x, b.x, 1;\nI2F.S arr[q.x], a;\nMOV.U r, arr[1];",
        "TEMP arr[2];\nMOV.U arr[1], 0xDEADBEEF;\nAND.S q.x, b.x, 1;\nUP4UB.F arr[q.x], a.x;\nMOV.U r, arr[1];",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        one(to, others[i], SET_F32T, RUN);
}

void opsweep_compiler_forms(const struct opsweep_sink *to)
{
    known_forms(to);
    partly_known(to);
    run_forms(to);
    sums_of_nans(to);
    flag_forms(to);
    small_elements(to);
}
