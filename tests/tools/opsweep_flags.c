#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

/* What the driver's compiler makes of tests of condition codes: of numbers that it knows, of results whose sign it
 * knows, of sums, and what carry and overflow follow. TYPE stands at '@'. */

enum { RUN = 1, FLAGS = 2, LITERAL = 4, KNOWN = 8, BRANCHES = 16, KNOWN_BRANCHES = 32 };

static void give(const struct opsweep_sink *to, const char *text, enum operand_set set, unsigned how)
{
    bool wide = operand_sets[set].wide;
    char name[200];

    opsweep_name(name, sizeof name, text);
    if (how & RUN)
        opsweep_run(to, name, set, wide, text, 768);
    if (how & FLAGS)
        opsweep_run_cc(to, name, set, wide, text, 640);
    if (how & LITERAL)
        opsweep_run_literal_cc(to, name, set, wide, text);
    for (unsigned block = 0; how & KNOWN && block < KNOWN_BLOCKS; block++)
        opsweep_run_known(to, name, set, wide, text, block, true);
    if (how & BRANCHES)
        opsweep_run_branches(to, name, set, wide, text, 320);
    if (how & KNOWN_BRANCHES)
        opsweep_run_known_branches(to, name, set, wide, text);
}

/* A pattern without '@' is one text, with the operands of the first of its types. */
static void each(const struct opsweep_sink *to, const char *pattern, unsigned types, unsigned how)
{
    char text[OPSWEEP_TEXT];
    enum operand_set set;

    for (unsigned k = 0; k < OPSWEEP_TYPES; k++)
        if (opsweep_typed(k, types, pattern, SET_F32, text, &set)) {
            give(to, text, set, how);
            if (strchr(pattern, '@') == NULL)
                return;
        }
}

#define ALL_OF(list, types, how) \
    for (size_t i = 0; i < sizeof(list) / sizeof *(list); i++) \
        each(to, (list)[i], types, how)

/* Numbers that the compiler knows. */
static void known_numbers(const struct opsweep_sink *to)
{
    static const char *const any[] = {
        "MOV.@.CC r, a;", "ABS.@.CC r, a;", "MOV.@.CC r, -a;", "MOV.@.CC r, |a|;", "MOV.@.CC r, -|a|;",
        "ADD.@.CC r, a, b;", "SUB.@.CC r, a, b;",
        "MUL.@.CC r, a, b;", "MAX.@.CC r, a, b;", "MIN.@.CC r, a, b;", "CMP.@.CC r, a, b, c;", "MAD.@.CC r, a, b, c;",
        "MAD.@.CC r, a, b, -c;",
        "MAD.@.CC r, -a, b, c;", "ADD.@.CC r, -a, b;", "ADD.@.CC r, a, -b;", "SUB.@.CC r, -a, -b;",
        "SUB.@.CC r, -a, b;", "SGE.@.CC r, a, b;",
        "SEQ.@.CC r, a, a;", "SUB.@.CC r, a, a;", "MUL.@.CC r, a, a;",
    };
    static const char *const floats[] = {
        "ADD.F.SAT.CC r, a, b;", "MOV.F.SAT.CC r, a;", "MOV.F.SSAT.CC r, a;", "ADD.PREC.CC r, a, b;",
        "MUL.PREC.CC r, a, b;", "RCP.F.CC r, a.x;",
        "SSG.F.CC r, a;", "FLR.F.CC r, a;", "FRC.F.CC r, a;", "DP2.F.CC r, a, b;", "DST.F.CC r, a, b;",
        "LRP.F.CC r, a, b, c;", "POW.F.CC r, a.x, b.x;",
        "EX2.F.CC r, a.x;", "LG2.F.CC r, a.x;", "SLT.F.CC r, a, b;", "DIV.F.CC r, a, b.x;",
        "MOV.F.CC q, a;\nMOV.F r, q;", "MOV.F q, -a;\nMOV.F.CC r, q;",
        "MOV.U q, a;\nMOV.F.CC r, q;", "ADD.F q, a, b;\nMOV.F.CC r, q;", "MOV.S.CC r, a;", "MOV.U.CC r, a;",
    };
    static const char *const wholes[] = {
        "AND.@.CC r, a, b;", "NOT.@.CC r, a;", "SHL.@.CC r, a, b.x;", "SHR.@.CC r, a, b.x;", "SAD.@.CC r, a, b, c;",
        "DIV.@.CC r, a, b.x;", "MOD.@.CC r, a, b.x;",
        "MUL.@.HI.CC r, a, b;", "BFR.@.CC r, a;", "BTC.@.CC r, a;", "I2F.@.CC r, a;", "SLT.@.CC r, a, b;",
        "MOV.F.CC r, a;", "MOV.@ q, a;\nMOV.@.CC r, -q;",
        "SUB.@ q, a, b;\nMOV.@.CC r, q;",
    };
    ALL_OF(any, TF | TI | TD | TL, KNOWN);
    ALL_OF(any, TF | TI, KNOWN_BRANCHES);
    ALL_OF(floats, TF, KNOWN | KNOWN_BRANCHES);
    ALL_OF(wholes, TI, KNOWN | KNOWN_BRANCHES);
}

/* Results whose sign the compiler may know. */
static void known_signs(const struct opsweep_sink *to)
{
    static const char *const floats[] = {
        "MUL.F.CC r, -a, a;", "MUL.F.CC r, -a, -a;", "MUL.F.CC r, |a|, |a|;", "MUL.F.CC r, |a|, |b|;",
        "MUL.F.CC r, -|a|, |b|;", "MUL.F.CC r, a, |a|;",
        "MUL.F.CC r, a, a.yxwz;", "MUL.F.SAT.CC r, a, b;", "MUL.PREC.CC r, a, a;", "MUL.F16.CC r, a, a;",
        "MUL.F.CC r, |a|, 2.0;", "MUL.F.CC r, |a|, -2.0;",
        "MAD.F.CC r, a, a, |b|;", "MAD.F.CC r, |a|, |b|, |c|;", "MAD.F.CC r, a, a, b;", "MAD.F.CC r, a, a, 1.0;",
        "MAD.F.CC r, a, a, 0.0;", "ADD.F.CC r, |a|, |b|;",
        "ADD.F.CC r, -|a|, -|b|;", "SUB.F.CC r, |a|, -|b|;", "SUB.F.CC r, |a|, |b|;", "ADD.F.CC r, |a|, 1.0;",
        "ADD.PREC.CC r, |a|, |b|;", "DP2.F.CC r, a, a;",
        "DP3.F.CC r, a, a;", "DP4.F.CC r, -a, -a;", "DP4.F.CC r, |a|, |b|;", "DP4.F.CC r, a, a.yzwx;",
        "DPH.F.CC r, a, a;", "DP2A.F.CC r, a, a, |b|;",
        "MIN.F.CC r, |a|, |b|;", "MIN.F.CC r, |a|, b;", "MAX.F.CC r, |a|, |b|;", "MAX.F.CC r, |a|, b;",
        "MAX.F.CC r, a, b;", "MIN.F.CC r, -|a|, b;",
        "MOV.F.CC r, -|a|;", "FLR.F.CC r, |a|;", "CEIL.F.CC r, |a|;", "TRUNC.F.CC r, |a|;", "ROUND.F.CC r, |a|;",
        "FRC.F.CC r, |a|;", "SSG.F.CC r, |a|;",
        "RCP.F.CC r, |a.x|;", "RSQ.F.CC r, |a.x|;", "RSQ.F.CC r, a.x;", "EX2.F.CC r, a.x;", "EX2.F.CC r, |a.x|;",
        "LG2.F.CC r, |a.x|;", "LG2.F.CC r, a.x;",
        "SIN.F.CC r, a.x;", "COS.F.CC r, a.x;", "SCS.F.CC r, a.x;", "POW.F.CC r, |a.x|, b.x;", "POW.F.CC r, a.x, 2.0;",
        "POW.F.CC r, 2.0, a.x;", "POW.PREC.CC r, a.x, b.x;",
        "POW.F16.CC r, a.x, b.x;", "DIV.F.CC r, |a|, |b.x|;", "DIV.F.CC r, a, |b.x|;", "DIV.F.CC r, a, a.x;",
        "LIT.F.CC r, a;", "DST.F.CC r, |a|, |b|;", "DST.F.CC r, a, a;",
        "CMP.F.CC r, a, |b|, |c|;", "CMP.F.CC r, a, 1.0, 0.5;", "CMP.F.CC r, a, |b|, c;", "LRP.F.CC r, |a|, |b|, |c|;",
        "X2D.F.CC r, |a|, |b|, |c|;", "NRM.F.CC r, |a|;",
        "XPD.F.CC r, a, b;", "RFL.F.CC r, |a|, b;", "SWZ.F.CC r, a, x, y, z, w;", "RCC.F.CC r, |a.x|;",
        "RCC.F.CC r, a.x;", "STR.F.CC r, a, b;", "MOV.F.SAT.CC r, a;",
        "MOV.F.SSAT.CC r, a;", "ADD.F.SAT.CC r, a, b;", "ABS.F.SAT.CC r, a;", "ABS.F.SSAT.CC r, a;",
        "MUL.F.SSAT.CC r, a, a;", "POW.F.SAT.CC r, a.x, b.x;",
        "POW.F.SSAT.CC r, a.x, b.x;", "ABS.F16.CC r, a;", "MOV.F16.CC r, |a|;", "MAX.F.CC r, a, 0.0;",
        "MAX.F.CC r, a, -1.0;", "MIN.F.CC r, a, 1.0;", "MIN.F.CC r, a, -1.0;",
        "ABS.F q, a;\nMOV.F.CC r, q;", "ABS.F q, a;\nMOV.U.CC r, q;", "ABS.F q, a;\nMOV.S.CC r, q;",
        "ABS.F q, a;\nADD.F.CC r, q, |b|;", "ABS.F q, a;\nMUL.F.CC r, q, |b|;",
        "MUL.F q, a, a;\nMOV.F.CC r, q;", "MUL.F q, a, a;\nMUL.F q, q, |b|;\nMOV.F.CC r, q;",
        "MUL.F q, a, a;\nADD.F.CC r, q, |b|;", "MUL.F q, a, a;\nMUL.F b, b, b;\nADD.F.CC r, q, b;",
        "MUL.F q, a, a;\nADD.F.CC r, q, b;", "MOV.F q, a;\nMUL.F.CC r, q, a;", "ABS.F q, a;\nFLR.F.CC r, q;",
        "ABS.F q, a;\nMOV.F.CC r, -q;", "MUL.F q, a, -a;\nMOV.F.CC r, -q;",
        "POW.F q, a.x, b.x;\nMOV.F.CC r, q;", "POW.F q, a.x, b.x;\nMUL.F.CC r, q, |b|;",
        "LG2.F q, a.x;\nMUL.F q, q, b.x;\nEX2.F.CC r, q.x;", "EX2.F q, a.x;\nMUL.F.CC r, q, q;",
        "RSQ.F q, a.x;\nRCP.F.CC r, q.x;", "DP3.F q, a, a;\nRSQ.F.CC r, q.x;",
        "ABS.F q, a;\nADD.F q, q, 1.0;\nMOV.F.CC r, q;", "MAX.F q, a, 0.0;\nMUL.F.CC r, q, b;", "I2F.U.CC r, a;",
        "I2F.S.CC r, a;",
        "I2F.S.CC r, |a|;", "CVT.F32.F16.CC r, a;", "SEQ.F.CC r, a, b;", "CMP.F q, a, 1.0, 2.0;\nMUL.F.CC r, q, |b|;",
        "TRUNC.F q, |a|;\nMUL.F.CC r, q, q;",
        "MUL.F16 q, a, a;\nMOV.F.CC r, q;", "ABS.F.CC r.z, a;\nMOV.F.CC r.xyw, a;", "MOV.F.CC r, a;\nABS.F.CC r.xz, a;",
    };
    static const char *const wholes[] = {
        "ABS.@.CC r, a;", "MUL.@.CC r, a, a;", "MUL.@.CC r, |a|, |b|;", "MAX.@.CC r, |a|, b;", "MAX.@.CC r, |a|, |b|;",
        "MIN.@.CC r, |a|, |b|;", "MAX.@.CC r, a, 0;", "ADD.@.CC r, |a|, |b|;",
        "ADD.@.CC r, |a|, 0;", "MOV.@ q, |a|;\nMOV.@.CC r, q;", "ABS.@ q, a;\nADD.@.CC r, q, 0;",
        "ABS.@ q, a;\nMOV.@.CC r, -q;", "ABS.@ q, a;\nMAX.@.CC r, q, b;", "SHR.@.CC r, |a|, 0;",
        "SHR.@.CC r, |a|, b.x;", "OR.@.CC r, |a|, |b|;", "AND.@.CC r, |a|, b;", "NOT.@.CC r, |a|;",
        "CMP.@.CC r, a, |b|, |c|;", "DIV.@.CC r, |a|, 1;", "DIV.@.CC r, |a|, b.x;", "MOD.@.CC r, |a|, b.x;",
        "SAD.@.CC r, a, b, 0;", "MAD.@.CC r, |a|, 1, 0;", "MUL.@.CC r, |a|, 1;", "MOV.S.CC r, |a|;", "MOV.U.CC r, |a|;",
        "SEQ.@.CC r, a, b;", "SLT.@.CC r, -1, a;", "SGE.U.CC r, a, 0;",
        "SLT.U.CC r, a, 0;", "SGE.@.CC r, |a|, 0;", "STR.@ q, a, b;\nMOV.S.CC r, q;", "STR.@ q, a, b;\nMOV.U.CC r, q;",
        "MOV.U.CC r, {1, 0, -1, 0x80000000};", "MOV.S.CC r, {1, 0, -1, 0x80000000};",
        "AND.@.CC r, a, {0, 0, -1, 0};", "OR.@.CC r, a, -1;", "OR.@.CC r, a, 0x80000000;", "XOR.@.CC r, a, a;",
        "SHR.U.CC r, a, 1;", "BTC.@.CC r, a;", "BFE.U.CC r, {8, 24, 0, 0}, a;", "BTFM.@.CC r, a;",
        "MUL.@.HI.CC r, |a|, |b|;", "MUL.@.HI.CC r, a, a;",
        "MIN.U.CC r, a, 5;", "MAX.U.CC r, a, 0x80000000;", "NOT.U.CC r, a;", "SHL.@.CC r, 1, a.x;",
        "SHL.@.CC r, 1, 31;", "SHL.@.CC r, -1, 3;",
    };
    static const char *const wide[] = {
        "ABS.@.CC r, -a;", "MOV.@.CC r, |a|;", "MOV.@.CC r, -|a|;", "MUL.@.CC r, a, a;", "MUL.@.CC r, |a|, |b|;",
        "ADD.@.CC r, |a|, |b|;", "MAX.@.CC r, |a|, b;", "MIN.@.CC r, |a|, |b|;", "MOV.@ r, |a|;\nMOV.@.CC r, r;",
        "STR.@.CC r, a, b;",
    };
    static const char *const doubles[] = {"DIV.F64.CC r, |a|, |b.x|;", "RCP.F64.CC r, |a.x|;", "RSQ.F64.CC r, |a.x|;",
     "MAD.F64.CC r, a, a, |b|;", "FLR.F64.CC r, |a|;", "MOV.F64.SAT.CC r, a;"};
    ALL_OF(floats, TF, FLAGS);
    ALL_OF(wholes, TI, FLAGS);
    ALL_OF(wide, TD | TL, FLAGS);
    ALL_OF(doubles, TD, FLAGS);
}

/* Comparisons with zero in instructions, of the same results. */
static void comparisons(const struct opsweep_sink *to)
{
    static const char *const of[] = {
        "ABS.F q, a;", "MUL.F q, a, a;", "POW.F q, a.x, b.x;", "ADD.F q, a, b;", "SUB.F q, a, b;", "ADD.PREC q, a, b;",
        "ADD.F.SAT q, a, b;", "MAD.F q, a, b, c;", "MOV.F q, -|a|;", "ADD.F q, a, 0.5;",
        "MUL.F q, a, b;\nADD.F q, q, c;",
    };
    static const char *const with[] = {"r, q, 0.0;", "r, 0.0, q;", "r, q, -0.0;", "r, q, c;"};
    static const char *const ops[] = {"SEQ", "SNE", "SLT", "SGE", "SGT", "SLE"};
    static const char *const others[] = {
        "SGE.F r, |a|, 0.0;", "SLT.F r, |a|, 0.0;", "SLE.F r, |a|, 0.0;", "SGT.F r, |a|, 0.0;", "SGE.F r, |a|, -1.0;",
        "SLT.F r, |a|, -1.0;", "SGT.F r, -|a|, 0.0;", "SLE.F r, -|a|, 0.0;", "CMP.F r, |a|, b, c;",
        "CMP.F r, -|a|, b, c;",
        "ABS.F q, a;\nCMP.F r, q, b, c;", "MUL.F q, a, a;\nCMP.F r, q, b, c;", "POW.F q, a.x, b.x;\nCMP.F r, q, b, c;",
        "ADD.F q, a, b;\nCMP.F r, q, b, c;", "SUB.F q, a, b;\nCMP.F r, -q, b, c;", "ADD.F q, a, b;\nMAX.F r, q, 0.0;",
        "ADD.F q, a, b;\nSGT.F.CC q, q, 0.0;\nMOV.U r, 0;\nMOV.U r (NE), 1;", "ADD.F q, a, b;\nSGT.PREC r, q, 0.0;",
        "ADD.F q, a, b;\nSGT.F r, -q, 0.0;", "ADD.F q, a, b;\nSGT.F r, |q|, 0.0;", "ADD.F q, a, b;\nSSG.F r, q;",
        "MUL.F q, a, 2.0;\nSGT.F r, q, 0.0;", "MUL.F q, a, 0.5;\nSGT.F r, q, 0.0;", "MUL.F q, a, b;\nSGT.F r, q, 0.0;",
        "SGT.F r, a, b;\nSUB.F q, a, b;\nADD.F r, r, q;", "ADD.F q, a, 1.0;\nSGT.F r, q, 1.0;",
        "ADD.F q, a, b;\nSGT.F r, q, b;",
        "SUB.F q, a, b;\nSLT.F r, q, -b;",
    };
    static const char *const wholes[] = {
        "SGE.@ r, |a|, 0;", "SLT.@ r, |a|, 0;", "SGT.@ r, |a|, -1;", "SLE.@ r, |a|, 0;", "ABS.@ q, a;\nSGE.@ r, q, 0;",
        "ABS.@ q, a;\nSLT.@ r, q, 0;", "SUB.@ q, a, b;\nSGT.@ r, q, 0;", "SUB.@ q, a, b;\nSEQ.@ r, q, 0;",
        "SUB.@ q, a, b;\nSLT.@ r, q, 0;", "ADD.@ q, a, 5;\nSGT.@ r, q, 0;", "ADD.@ q, a, 5;\nSGT.@ r, q, 7;",
        "SHR.@ q, |a|, 0;\nSLT.@ r, q, 0;",
    };
    char text[200];
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (unsigned k = 0; k < 6 * 4; k++) {
            snprintf(text, sizeof text, "%s\n%s.F %s", of[i], ops[k % 6], with[k / 6]);
            give(to, text, SET_F32, RUN);
        }
    ALL_OF(others, TF, RUN);
    ALL_OF(wholes, TI, RUN);
}

/* Flags of sums. */
static void sums(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "ADD.F q, a, b;\nMOV.F.CC r, q;", "ADD.F q, a, b;\nMOV.F.CC r, -q;", "ADD.F q, a, b;\nABS.F.CC r, q;",
        "ADD.F q, a, b;\nMOV.F.CC r, -|q|;", "ADD.F q, a, b;\nMUL.F.CC r, q, 2.0;",
        "ADD.F q, a, b;\nMUL.F.CC r, q, 1.0;",
        "ADD.F q, a, b;\nMUL.F.CC r, q, -1.0;", "ADD.F q, a, b;\nADD.F.CC r, q, 0.0;",
        "ADD.F q, a, b;\nMAX.F.CC r, q, q;", "ADD.F q, a, b;\nADD.F.CC r, q, c;", "ADD.F q, a, b;\nMOV.S.CC r, q;",
        "ADD.F.CC r, a, a;", "ADD.F.CC r, a, -|b|;",
        "ADD.F.CC r, -|a|, b;", "SUB.F.CC r, a, |b|;", "SUB.F.CC r, -a, b;", "SUB.F.CC r, b, a;", "ADD.F32.CC r, a, b;",
        "ADD.F.SSAT.CC r, a, b;", "ADD.F.CC r.zw, a, b;", "ADD.F.CC a, a, b;\nMOV.F r, a;",
        "ADD.F.CC a, a, b;\nMOV.F r, 0;", "MAD.F.CC r, a, 1.0, b;", "MAD.F.CC r, 1.0, a, -b;",
        "MAD.F.CC r, a, -1.0, b;", "MAD.F.CC r, a, 2.0, b;", "DPH.F.CC r, a, b;", "DP2A.F.CC r, a, b, c;",
        "DPH.PREC.CC r, a, b;", "LRP.F.CC r, a, b, c;",
        "FRC.F.CC r, a;", "DP2.F.CC r, a, b;", "X2D.F.CC r, a, b, c;", "MUL.F q, a, b;\nADD.F.CC r, c, q;",
        "MUL.F q, a, b;\nSUB.F.CC r, c, q;", "MUL.F q, a, b;\nMUL.F c, c, b;\nADD.F.CC r, q, c;",
        "MUL.F q, a, b;\nMUL.F c, c, b;\nSUB.F.CC r, q, c;",
        "MUL.PREC q, a, b;\nADD.F.CC r, q, c;", "MUL.F q, a, b;\nADD.PREC.CC r, q, c;",
        "MUL.F q, a, b;\nADD.F.CC r, q, c;\nMAX.F r, r, q;", "MUL.F q, a, b;\nADD.F.CC r, q, c;\nADD.F r, q, b;",
        "DIV.F q, a, b.x;\nADD.F.CC r, q, c;",
        "SLT.F.CC q, a, b;\nADD.F.CC r (NE), a, b;", "SLT.F.CC q, a, b;\nIF NE.x;\nADD.F.CC r, a, b;\nENDIF;",
        "ADD.F.CC r, a, b;\nIF EQ.x;\nMOV.F r, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nADD.F.CC r, a, b;\nIF NE1.x;\nADD.F.CC r, b, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nMOV.F.CC r, c;\nIF NE1.x;\nABS.F.CC r, a;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nABS.F.CC r, a;\nELSE;\nABS.F.CC r, b;\nENDIF;", "ADD.F16.CC r, a, b;",
        "SUB.F.CC r, a, 0x00ffffff;", "ADD.F.CC r, a, 1.5e-38;", "SUB.F.CC r, 1.5e-38, a;",
        "ABS.F.CC r, a;\nIF EQ.x;\nMOV.F r, c;\nENDIF;", "SLT.F.CC1 q, a, b;\nMOV.F.CC r, c;\nABS.F.CC r (NE1), a;",
    };
    /* one test alone: whether the product that a sum takes in is computed by itself too */
    static const char *const rules[] = {"EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "SF", "NSF", "CF", "OF", "AB",
     "BLE"};
    static const char *const products[] = {
        "MUL.F q, a, b;\nADD.F.CC a, q, c;\nMOV.F r.xy, a;\nMOV.U r.zw, 0;\nMOV.U r.zw (@.xyxy), 1;",
        "MUL.F q, a, b;\nSUB.F.CC a, c, q;\nMOV.F r.xy, a;\nMOV.U r.zw, 0;\nMOV.U r.zw (@.xyxy), 1;",
        "MUL.F q, a, b;\nADD.F.CC a.x, q, c;\nMOV.F r, a;\nIF @.x;\nMOV.U r.w, 1;\nENDIF;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nMOV.F.CC r, a;\nMOV.U r.zw (@.xyxy), 1;",
        "MUL.F q, a, b;\nADD.F.CC a, q, c;\nADD.F r, q, b;\nMOV.U r.zw (@.xyxy), 1;",
        "MUL.F q, a, b;\nMUL.F r, a, c;\nADD.F.CC a, q, r;\nMOV.F r.xy, a;\nMOV.U r.zw, 0;\nMOV.U r.zw (@.xyxy), 1;",
        "MUL.F q, a, b;\nADD.F.CC a, q, c;\nMOV.F r, a;\nMOV.U r.w (@.x), 1;",
        "MUL.F q, a, b;\nADD.F.SAT.CC a, q, c;\nMOV.F r.xy, a;\nMOV.U r.zw, 0;\nMOV.U r.zw (@.xyxy), 1;",
    };
    char text[256];
    ALL_OF(texts, TF, FLAGS);
    ALL_OF(texts, TF, LITERAL);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
            const char *at = strchr(products[i], '@');
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - products[i]), products[i], rules[k], at + 1);
            give(to, text, SET_F32T, RUN);
        }
    static const char *const comparing[] = {
        "MUL.F q, a, b;\nADD.F a, q, c;\nSGT.F q, a, 0.0;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSLE.F q, a, 0.0;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSGE.F q, a, 0.0;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSLT.F q, 0.0, a;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSLT.F q, a, 0.0;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nCMP.F q, a, b, c;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nCMP.F q, -a, b, c;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSEQ.F q, a, 0.0;\nMOV.F r.xy, a;\nMOV.F r.zw, q.xyxy;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSGT.F q, a, 0.0;\nADD.F r, a, q;",
        "MUL.F q, a, b;\nADD.F a, q, c;\nSGT.F r, a, 0.0;",
    };
    for (size_t i = 0; i < sizeof comparing / sizeof *comparing; i++)
        give(to, comparing[i], SET_F32T, RUN);
}

/* Carry and overflow. */
static void carries(const struct opsweep_sink *to)
{
    static const char *const terms[] = {"ADD.@.CC r, %s, %s;", "SUB.@.CC r, %s, %s;"};
    static const char *const sides[][2] = {
        {"a", "b"}, {"-a", "b"}, {"a", "-b"}, {"-a", "-b"}, {"|a|", "b"}, {"a", "|b|"}, {"-|a|", "b"}, {"a", "-|b|"},
        {"-|a|", "-|b|"}, {"a", "a"}, {"a", "-a"}, {"-a", "a"}, {"-a", "-a"},
        {"a", "{0, 1, 0x80000000, -1}"}, {"-a", "{0, 1, 0x80000000, -1}"}, {"{0, 1, 0x80000000, -1}", "a"},
        {"{0, 1, 0x80000000, -1}", "-a"}, {"|a|", "{0, 1, 0x80000000, -1}"}, {"-|a|", "{0, 1, 0x80000000, -1}"},
        {"a", "0"}, {"-a", "0"}, {"0", "a"}, {"0", "-a"}, {"a", "5"}, {"-a", "5"}, {"5", "a"}, {"5", "-a"}, {"a", "-5"},
        {"-a", "-5"}, {"-5", "a"}, {"-5", "-a"}, {"{0, 1, 0x80000000, -1}", "-{7, 0, 0, 1}"},
        {"a", "-{0, 1, 0x80000000, -1}"}, {"-a", "-{0, 1, 0x80000000, -1}"}, {"-{0, 1, 0x80000000, -1}", "a"},
        {"-{0, 1, 0x80000000, -1}", "-a"},
    };
    static const char *const wide_sides[][2] = {
        {"a", "b"}, {"-a", "b"}, {"a", "-b"}, {"-a", "-b"}, {"|a|", "b"}, {"a", "|b|"}, {"-|a|", "b"}, {"a", "-|b|"},
        {"a", "a"}, {"a", "-a"},
    };
    static const char *const texts[] = {
        "MAD.@.CC r, a, b, c;", "MAD.@.CC r, -a, b, c;", "MAD.@.CC r, a, -b, c;", "MAD.@.CC r, -a, -b, c;",
        "MAD.@.CC r, a, b, -c;", "MAD.@.CC r, -a, b, -c;", "MAD.@.CC r, a, -b, -c;", "MAD.@.CC r, -a, -b, -c;",
        "MAD.@.CC r, -|a|, b, c;",
        "MAD.@.CC r, |a|, -b, c;", "MAD.@.CC r, a, |b|, -|c|;", "MAD.@.CC r, a, 1, b;", "MAD.@.CC r, a, 1, -b;",
        "MAD.@.CC r, -a, 1, b;", "MAD.@.CC r, a, -1, b;", "MAD.@.CC r, a, -1, -b;", "MAD.@.CC r, a, 2, b;",
        "MAD.@.CC r, -a, 2, b;", "MAD.@.CC r, a, -2, b;",
        "MAD.@.CC r, a, 3, b;", "MAD.@.CC r, -a, 3, b;", "MAD.@.CC r, a, -3, b;", "MAD.@.CC r, a, 0, b;",
        "MAD.@.CC r, a, 0, -b;", "MAD.@.CC r, -a, 0, b;", "MAD.@.CC r, 0, a, -b;", "MAD.@.CC r, 1, -a, b;",
        "MAD.@.CC r, 3, -a, b;", "MAD.@.CC r, -a, b, 0;",
        "MAD.@.CC r, a, b, {0, 1, 0x80000000, -1};", "MAD.@.CC r, a, b, -{0, 1, 0x80000000, -1};",
        "MAD.@.CC r, -a, b, {0, 1, 0x80000000, -1};", "MAD.@.CC r, -a, b, -{0, 1, 0x80000000, -1};",
        "MAD.@.CC r, a, {0, 1, 0x80000000, -1}, b;",
        "MAD.@.CC r, a, {0, 1, 0x80000000, -1}, -b;", "MAD.@.CC r, -a, {0, 1, 0x80000000, -1}, b;",
        "MAD.@.CC r, a, -{0, 1, 0x80000000, -1}, b;", "MAD.@.CC r, {0, 1, 0x80000000, -1}, a, b;",
        "MAD.@.CC r, {0, 1, 0x80000000, -1}, -a, b;", "MAD.@.CC r, {0, 1, 2, 3}, {5, 6, 0x40000000, 9}, a;",
        "MAD.@.CC r, {0, 1, 2, 3}, {5, 6, 0x40000000, 9}, -a;", "MAD.@.CC r, -{0, 1, 2, 3}, {5, 6, 0x40000000, 9}, a;",
        "MAD.@.CC r, -{0, 1, 2, 3}, {5, 6, 0x40000000, 9}, -a;", "MAD.@.CC r, a, a, b;", "MAD.@.CC r, -a, a, b;",
        "MAD.@.CC r, -a, -a, b;",
        "SAD.@.CC r, a, b, c;", "SAD.@.CC r, a, b, -c;", "SAD.@.CC r, a, b, {0, 1, 0x80000000, -1};",
        "SAD.@.CC r, a, b, -{0, 1, 0x80000000, -1};", "SAD.@.CC r, a, {0, 1, 0x80000000, -1}, b;",
        "SAD.@.CC r, a, a, b;", "SAD.@.CC r, a, b, -|c|;",
        "MUL.@ q, a, b;\nADD.@.CC r, q, c;", "MUL.@ q, -a, b;\nADD.@.CC r, q, c;", "MUL.@ q, a, b;\nADD.@.CC r, -q, c;",
        "MUL.@ q, a, b;\nSUB.@.CC r, q, c;", "MOV.@ q, -a;\nADD.@.CC r, q, b;", "MOV.@ q, -b;\nADD.@.CC r, a, q;",
        "MOV.@ q, -b;\nSUB.@.CC r, a, q;",
        "SUB.@ q, 0, b;\nADD.@.CC r, a, q;", "MOV.@ q, 0;\nADD.@.CC r, -a, q;", "MOV.@ q, 0;\nADD.@.CC r, a, -q;",
        "MOV.@ q, 0;\nSUB.@.CC r, a, q;", "XOR.@ q, a, a;\nSUB.@.CC r, a, q;", "AND.@ q, b, 0;\nSUB.@.CC r, a, q;",
        "AND.@ q, b, 0;\nADD.@.CC r, -a, q;", "SUB.@ q, a, a;\nADD.@.CC r, -a, q;",
        "ADD.@ q, a, 5;\nADD.@.CC r, q, 7;", "ADD.@ q, a, 5;\nADD.@.CC r, q, b;", "ADD.@ q, a, 5;\nADD.@.CC r, q, -5;",
        "ADD.@ q, a, 5;\nSUB.@.CC r, q, 5;", "SUB.@ q, a, b;\nADD.@.CC r, q, b;", "ADD.@ q, a, b;\nSUB.@.CC r, q, b;",
        "SHL.@ q, a, 1;\nADD.@.CC r, q, b;", "NOT.@ q, b;\nADD.@.CC r, a, q;",
        "ADD.@ q, a, 0;\nADD.@.CC r, q, b;", "MUL.@ q, a, 3;\nADD.@.CC r, q, b;", "MUL.@ q, a, -1;\nADD.@.CC r, q, b;",
        "MUL.@ q, a, -3;\nADD.@.CC r, q, b;", "ADD.@.CC r, a, b;\nMOV.@ a, r;\nADD.@.CC r, a, r;",
        "SUB.@.CC a, a, b;\nMOV.@ r, a;", "ADD.@.CC r.xy, a, b;", "ADD.@.CC r, a, b;\nADD.@.CC r.yw, a, c;",
        "MOV.@ q, |a|;\nADD.@.CC r, -q, b;", "MOV.@ q, -|a|;\nADD.@.CC r, q, b;", "ABS.@ q, a;\nSUB.@.CC r, b, q;",
        "SEQ.@ q, a, b;\nADD.@.CC r, q, a;", "SEQ.@ q, a, b;\nADD.@.CC r, -q, a;", "SEQ.@ q, a, b;\nSUB.@.CC r, a, q;",
    };
    static const char *const literal[] = {
        "SUB.@.CC r, b, a;", "ADD.@.CC r, -a, b;", "ADD.@.CC r, a, -b;", "ADD.@.CC r, -b, a;", "SUB.@.CC r, -a, b;",
        "SUB.@.CC r, a, -b;", "SUB.@.CC r, -a, -b;", "SUB.@.CC r, -b, -a;", "ADD.@.CC r, -a, -b;",
        "SUB.@.CC r, |a|, b;", "ADD.@.CC r, |a|, -b;", "SUB.@.CC r, a, |b|;",
    };
    char text[160];
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            snprintf(text, sizeof text, terms[k], sides[i][0], sides[i][1]);
            each(to, text, TI, FLAGS);
        }
        for (size_t i = 0; i < sizeof wide_sides / sizeof *wide_sides; i++) {
            snprintf(text, sizeof text, terms[k], wide_sides[i][0], wide_sides[i][1]);
            each(to, text, TL, FLAGS);
        }
    }
    ALL_OF(texts, TI, FLAGS);
    ALL_OF(literal, TI | TL, LITERAL);
}

/* The same tests where they decide an IF or a BRK, one component and all. */
static void branches(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "MOV.F.CC r, a;", "ABS.F.CC r, a;", "ADD.F.CC r, a, b;", "SUB.F.CC r, a, b;", "MUL.F.CC r, a, a;",
        "POW.F.CC r, a.x, b.x;", "MUL.F q, a, b;\nADD.F.CC r, q, c;", "MOV.F.SAT.CC r, a;", "ADD.F.CC r.xz, a, b;",
        "ADD.F q, a, b;\nMOV.F.CC r, -q;",
        "STR.F.CC r, a, b;", "DP4.F.CC r, a, a;", "DPH.F.CC r, a, b;",
    };
    static const char *const wholes[] = {
        "MOV.@.CC r, a;", "ABS.@.CC r, a;", "ADD.@.CC r, a, b;", "SUB.@.CC r, a, b;", "STR.@.CC r, a, b;",
        "SEQ.@.CC r, a, a;", "NOT.@.CC r, 1;", "MAD.@.CC r, a, -b, c;", "ADD.@.CC r, -a, 0;", "SEQ.@.CC r, a, b;",
        "MOV.@.CC r, {1, -1, 0, 0x80000000};", "SEQ.@.CC r.x, a, a;\nMOV.@.CC r.yzw, a;",
        "MOV.@.CC r, {-1, -2, -3, -4};", "MOV.@.CC r, {0, 0, 0, -1};", "MOV.@.CC r, {5, 6, 7, 8};", "MUL.@.CC r, a, a;",
    };
    ALL_OF(texts, TF, BRANCHES);
    ALL_OF(wholes, TI, BRANCHES);
}

/* Which literals, and which numbers made of them, an IF or a BRK takes for what they are. */
static void literals(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "MOV.S q, {-1, 5, 0, 0x80000000};\nMOV.S.CC r, q;", "MOV.S q, {-1, 5, 0, 0x80000000};\nMOV.U.CC r, q;",
        "MOV.U q, {-1, 5, 0, 0x80000000};\nMOV.S.CC r, q;",
        "MOV.U q, {-1, 5, 0, 0x80000000};\nMOV.F.CC r, q;", "MOV.S q, {-1, 5, 0, 0x80000000};\nMOV.F.CC r, q;",
        "MOV.F q, {-1.0, 5.0, -0.0, -2.5};\nMOV.F.CC r, q;", "MOV.F q, {-1.0, 5.0, -0.0, -2.5};\nMOV.S.CC r, q;",
        "MOV.F q, {-1.0, 5.0, -0.0, -2.5};\nMOV.U.CC r, q;", "MOV.F.CC r, {-1.0, 5.0, -0.0, -2.5};",
        "MOV.F.CC r, {-1.0, -2.0, -3.0, -2.5};", "MOV.F.CC r, -{1.0, -5.0, 0.0, 2.5};", "MOV.S.CC r, -{1, 5, 0, 7};",
        "MOV.S.CC r, {5, -1, -7, 2};",
        "NOT.S.CC r, {1, -1, 0, 5};", "NOT.U.CC r, {1, -1, 0, 5};",
        "ADD.F.CC r, {-1.0, 5.0, -0.0, -2.5}, {-1.0, -1.0, -1.0, 2.5};",
        "MUL.F.CC r, {-1.0, 5.0, -0.0, -2.5}, {2.0, -2.0, 2.0, -2.0};", "MUL.S.CC r, {-1, 5, 0, 7}, {3, -2, 1, 9};",
        "MUL.U.CC r, {-1, 5, 0, 7}, {3, -2, 1, 9};", "ADD.S.CC r, {-1, 5, 0, 7}, {-3, -2, 1, -9};",
        "AND.S.CC r, {-1, 5, 0, 7}, {-3, -2, 1, -9};", "OR.U.CC r, {-1, 5, 0, 7}, {-3, -2, 1, -9};",
        "MAX.S.CC r, {-1, 5, 0, -7}, {-3, -2, 1, -9};",
        "SLT.S.CC r, {-1, 5, 0, 7}, {-3, -2, 1, 9};", "SEQ.S.CC r, 5, 5;", "SEQ.U.CC r, 5, 5;",
        "SLT.F.CC r, {-1.0, 5.0, 0.0, 7.0}, 2.0;", "I2F.S.CC r, {-1, 5, 0, -7};", "SHL.S.CC r, {-1, 5, 0, 7}, 30;",
        "SHR.S.CC r, {-1, 5, 0, -7}, 1;", "CMP.S.CC r, {-1, 5, 0, 7}, -3, 4;",
        "ABS.S.CC r, {-1, 5, 0, -7};", "SEQ.S q, 5, 5;\nMOV.S.CC r, q;", "NOT.S q, {1, -1, 0, 5};\nMOV.S.CC r, q;",
        "MUL.F q, {-1.0, 5.0, -0.0, -2.5}, {2.0, -2.0, 2.0, -2.0};\nMOV.F.CC r, q;", "SEQ.S q, a, a;\nMOV.S.CC r, q;",
        "SEQ.S q, a, a;\nMUL.S.CC r, q, 3;",
        "STR.S q, a, a;\nMOV.S.CC r, q;", "SUB.S q, a, a;\nNOT.S.CC r, q;", "XOR.S q, a, a;\nNOT.S.CC r, q;",
        "AND.S q, a, 0;\nNOT.S.CC r, q;", "SEQ.S q, b, b;\nSEQ.S.CC r, q, q;",
        "MOV.F q, {-1.0, 5.0, -0.0, -2.5};\nMUL.F.CC r, q, 3.0;",
        "MOV.S q, {-1, 5, 0, 0x80000000};\nADD.S.CC r, q, 1;", "MOV.S q, {-1, 5, 0, 0x80000000};\nAND.S.CC r, q, -3;",
        "MOV.S q, {-1, 5, 0, 0x80000000};\nSHR.S.CC r, q, 1;", "MOV.S q.x, -1;\nMOV.S q.yzw, a;\nMOV.S.CC r, q;",
        "MOV.S.CC r.x, -1;\nMOV.S.CC r.yzw, a;",
        "MOV.S q, -1;\nMOV.S.CC r.x, q;", "MOV.S.CC r.xy, {-1, -2, 0, 0};",
        "MOV.S q.xy, {-1, -2, 0, 0};\nMOV.S.CC r.xy, q;",
        "MOV.U q, {0x00000001, 0x80000001, 0x7fc00000, 0xffc00001};\nMOV.F.CC r, q;",
        "MOV.U q, {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000};\nABS.F.CC r, q;",
        "MOV.F.CC r, {0.0, -0.0, 1.0, 2.0};", "MOV.F q, {0.0, -0.0, 1.0, 2.0};\nMOV.F.CC r, q;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        give(to, texts[i], strstr(texts[i], ".F") ? SET_F32 : SET_I32, FLAGS | BRANCHES);
}

/* What passes through registers, and over blocks. */
static void passed_on(const struct opsweep_sink *to)
{
    static const char *const floats[] = {
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nABS.F r, a;\nELSE;\nABS.F r, b;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nABS.F r, a;\nELSE;\nMOV.F r, b;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nADD.F r, a, b;\nELSE;\nMOV.F r, c;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nADD.F r, a, b;\nELSE;\nADD.F r, b, c;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nADD.F.CC r, a, b;\nELSE;\nADD.F.CC r, b, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.x];\nADD.F.CC r, c, b;\nELSE;\nLDB.U32X4 c, inb[i.z];\n"
        "ADD.F.CC r, b, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.x];\nABS.F.CC r, c;\nELSE;\nLDB.U32X4 c, inb[i.z];\n"
        "MOV.F.CC r, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.x];\nABS.F.CC r, c;\nELSE;\nLDB.U32X4 c, inb[i.z];\n"
        "ABS.F.CC r, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.x];\nABS.F r, c;\nELSE;\nLDB.U32X4 c, inb[i.z];\n"
        "ABS.F r, c;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nABS.F.CC r, a;\nIF NE1.x;\nLDB.U32X4 c, inb[i.z];\nADD.F b, b, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nADD.F.CC r, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.z];\nADD.F b, b, c;\nENDIF;",
        "SLT.F.CC1 q, a, b;\nADD.F r, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.z];\nADD.F b, b, c;\nENDIF;\nMOV.F.CC r, r;",
        "SLT.F.CC1 q, a, b;\nABS.F r, a;\nIF NE1.x;\nLDB.U32X4 c, inb[i.z];\nADD.F b, b, c;\nENDIF;\nMOV.F.CC r, r;",
        "ADD.F r, a, b;\nMOV.F a, c;\nMOV.F b, c;\nMOV.F.CC r, r;", "ADD.F r, a, b;\nMOV.U r, r;\nMOV.F.CC r, r;",
        "ADD.F r.xy, a, b;\nMOV.F.CC r, r.yxyx;",
        "ABS.F r.xy, a;\nMOV.F.CC r, r.yxyx;", "MOV.F.CC r, b;\nREP.S 2;\nABS.F.CC r, a;\nENDREP;",
        "AND.S q.x, i.x, 3;\nMOV.F.CC r, a;\nREP.S q.x;\nABS.F.CC r, a;\nENDREP;",
        "AND.S q.x, i.x, 3;\nMOV.F.CC r, a;\nREP.S q.x;\nLDB.U32X4 c, inb[i.y];\nABS.F.CC r, c;\nBRK (EQ.x);\nENDREP;",
        "AND.S q.x, i.x, 3;\nADD.S q.x, q, 1;\nABS.F.CC r, b;\nREP.S q.x;\nMOV.F r (GE), c;\nMOV.F.CC r, a;\nENDREP;",
        "AND.S q.x, i.x, 3;\nADD.S q.x, q, 1;\nADD.F.CC r, a, b;\nREP.S q.x;\nMOV.F r (GT), c;\nSUB.F.CC b, b, a;\n"
        "ENDREP;",
        "ABS.F.CC1 r, a;\nMOV.F.CC r, b;\nMOV.U r.x (GE1.z), 7;\nMOV.U r.y (NSF1.y), 7;",
        "MOV.F c, 0.0;\nADD.F q, a, b;\nSGT.F.CC r, q, c;", "ADD.F q, a, b;\nSGT.F.CC r, q, 0.0;",
        "SUB.F q, a, b;\nSLT.F.CC r, q, 0.0;", "SUB.F q, a, b;\nSGT.PREC.CC r, q, 0.0;",
        "SUB.F q, a, b;\nSGT.F.SAT.CC r, q, 0.0;", "SUB.F q, a, b;\nSGT.F.CC r, -q, 0.0;",
        "SUB.F q, a, b;\nSLT.F.CC r, -q, 0.0;", "SUB.F q, a, b;\nSGT.F.CC r, |q|, 0.0;",
        "SUB.F q, a, b;\nCMP.F.CC r, q, 1.0, -1.0;", "SUB.F q, a, b;\nCMP.F.CC r, -q, 1.0, -1.0;",
        "SUB.F q, a, b;\nSGT.F16.CC r, q, 0.0;",
        "SUB.F q, a, b;\nMOV.F q, -q;\nSGT.F.CC r, q, 0.0;", "SUB.F q, a, b;\nSGT.F.CC r, q.yxwz, 0.0;",
        "SUB.F q, a, b;\nMOV.F.CC r.x, q;\nMOV.F.CC r.yzw, b;", "SUB.F q, a, b;\nMOV.F16.CC r, q;",
        "SUB.F16 q, a, b;\nMOV.F.CC r, q;", "SUB.F q, a, b;\nMAX.F.CC r, q, 0.0;",
        "SUB.F q, a, b;\nMIN.F.CC r, q, 1.0;",
        "SUB.F q, a, b;\nMOV.F.SAT.CC r, q;", "SUB.F.SAT q, a, b;\nMOV.F.CC r, q;",
        "SUB.F q, a, b;\nDIV.F.CC r, q, 1.0;", "SUB.F q, a, b;\nSGE.F.CC r, q, 0.0;",
        "SUB.F q, a, b;\nSLE.F.CC r, q, 0.0;", "SUB.F q, a, b;\nSNE.F.CC r, q, 0.0;", "SUB.F q, a, b;\nSSG.F.CC r, q;",
        "SUB.F q, a, b;\nSGT.F.CC r, q, 0.0;\nMAX.F r, r, q;",
        "MUL.F q, a, b;\nADD.F r, q, c;\nADD.F q, q, b;\nMOV.F.CC r, r;\nMAX.F r, r, q;",
        "MUL.F q, a, b;\nADD.F r, q, c;\nSGT.F.CC a, r, 0.0;\nADD.F q, q, b;\nMAX.F r, r, q;\nMAX.F r, r, a;",
        "MUL.F q, a, b;\nADD.F r, q, c;\nSGE.F.CC a, r, 0.0;\nADD.F q, q, b;\nMAX.F r, r, q;\nMAX.F r, r, a;",
        "MUL.F q, a, b;\nADD.F r, q, c;\nSGT.F a, r, 0.0;\nMAX.F.CC r, r, a;",
        "MUL.F q, a, b;\nSUB.F.CC r, q, c;\nMAX.F r, r, q;",
        "MUL.F q, a, b;\nSUB.F.CC r, q, c;\nSUB.F q, q, b;\nMAX.F r, r, q;",
        "DIV.F q, a, b.x;\nSUB.F.CC r, q, c;\nMAX.F r, r, q;", "DIV.F q, a, b.x;\nSUB.F.CC r, q, c;",
        "MUL.F q, a, b;\nADD.F.CC r, q, q;",
        "MUL.F q, a, b;\nSUB.F.CC r, q, q.yxwz;", "MAD.F q, a, 1.0, -b;\nMOV.F.CC r, q;",
        "ADD.F q, a, 0.0;\nMOV.F.CC r, q;", "SUB.F q, |a|, |b|;\nMOV.F.CC r, q;", "ADD.F q, |a|, |b|;\nMOV.F.CC r, q;",
        "ADD.F q, |a|, |b|;\nMOV.F.CC r, -q;", "MUL.F q, a, a;\nMOV.F.CC r, -q;",
        "ADD.F q, |a|, 1.0;\nMUL.F.CC r, q, q;", "ADD.F q, |a|, 1.0;\nADD.F.CC r, q, |b|;",
        "ADD.F q, |a|, 1.0;\nMOV.F.CC r, q;", "MAD.F.CC r, a, a, 2.0;", "MAD.F q, a, a, |b|;\nADD.F.CC r, q, 1.0;",
        "MAX.F q, |a|, |b|;\nADD.F.CC r, q, |b|;", "CMP.F q, a, |b|, |c|;\nMOV.F.CC r, q;",
        "POW.F q, a.x, b.x;\nADD.F.CC r, q, |b|;", "DP3.F q, a, a;\nADD.F.CC r, q, 1.0;",
        "DP3.F q, a, a;\nMOV.F.CC r, q;",
        "ABS.F q, a;\nMUL.F.CC r, q, q;", "ABS.F q, a;\nMIN.F.CC r, q, |b|;", "ABS.F q, a;\nMAX.F.CC r, q, b;",
        "ABS.F q, a;\nMUL.F.CC r, q, 1.0;", "ABS.F q, a;\nMUL.F.CC r, q, -1.0;", "ABS.F q, a;\nMAX.F.CC r, q, q;",
        "ABS.F q, a;\nCMP.F.CC r, b, q, q;", "ABS.F q, a;\nDP4.F.CC r, q, q;",
        "ABS.F q, a;\nMAD.F.CC r, q, q, |b|;", "ABS.F q, a;\nMAD.F.CC r, q, |b|, 0.0;",
        "ABS.F q, a;\nMAD.F.CC r, q, 1.0, |b|;", "ABS.F q, a;\nSUB.F.CC r, 0.0, -q;", "ADD.F.CC r, |a|, 0.0;",
        "ADD.F.CC r, |a|, -0.0;", "ADD.F.CC r, -|a|, -1.0;", "SUB.F.CC r, -1.0, |a|;", "MUL.F.CC r, a, -a;",
        "MAD.F.CC r, -a, a, -|b|;", "MAD.F.CC r, a, a, -|b|;",
        "DP2A.F.CC r, a, a, 1.0;", "DP2A.F.CC r, a, a, b;", "DPH.F.CC r, a, |a|;", "MAD.F.CC r, a, b, |c|;",
        "ADD.F.CC r, |a|, c;", "MOV.F.CC r.x, |a.y|;\nMOV.F.CC r.y, |a.z|;\nMOV.F.CC r.zw, |a.yyyz|;",
        "ABS.F.CC r.x, a.y;\nABS.F.CC r.y, a.z;", "POW.F.CC r.x, a.x, b.x;\nPOW.F.CC r.y, |a.y|, b.y;",
        "SUB.F.CC1 q, a, b;\nMOV.F r.xy (GT1), c;\nMOV.F r.zw (LT1), c;", "MOV.F.SAT.CC r.x, a.x;",
        "MOV.F.SSAT.CC r.x, a.y;", "MOV.F.SAT.CC q.x, a.x;\nMOV.U r.x (NE.x), 1;\nMOV.U r.y (NAN.x), 1;",
        "MOV.F.SSAT.CC q.x, a.y;\nMOV.U r.z (NE.x), 1;\nMOV.U r.w (LT.x), 1;", "ADD.F.SSAT.CC r.x, a.y, b.x;",
        "MUL.F.SAT.CC r.x, a.y, b.x;", "MUL.F.SSAT.CC r, a, b;",
        "SGT.F r, a, a;", "MOV.F q, a;\nSGT.F.CC r, q, a;", "MOV.F q, a;\nSLT.F.CC r, a, q;",
        "MOV.F q, a;\nSGE.F.CC r, a, q;", "MOV.F q, a;\nSEQ.F.CC r, a, q;", "MOV.F q, -a;\nSGT.F.CC r, -q, a;",
        "MOV.F q, a;\nADD.F b, a, c;\nSGT.F.CC r, q, a;", "MOV.F q, a;\nMOV.F a, c;\nSGT.F.CC r, q, a;",
        "MOV.F q, a;\nSUB.F.CC r, q, a;",
    };
    static const char *const wholes[] = {
        "ADD.S q, |a|, 0;\nMOV.S.CC r, q;", "MUL.S q, |a|, 1;\nMOV.S.CC r, q;", "SHR.S q, |a|, 0;\nMOV.S.CC r, q;",
        "DIV.S q, |a|, 1;\nMOV.S.CC r, q;", "SUB.S.CC r, |a|, 0;", "SUB.S.CC r, |a|, 1;", "ADD.S.CC r, |a|, -1;",
        "ADD.S.CC r, -|a|, 0;", "SUB.S.CC r, 0, |a|;", "MOV.S q, -|a|;\nMOV.S.CC r, q;",
        "MOV.S q, -|a|;\nADD.S.CC r, q, 0;",
        "ABS.S q, a;\nMAX.S.CC r, q, q;", "ABS.S q, a;\nMOV.U.CC r, q;", "ABS.S q, a;\nCMP.S.CC r, b, q, q;",
        "ABS.S q, a;\nAND.S.CC r, q, -1;", "ABS.S q, a;\nOR.S.CC r, q, 0;", "ABS.S q, a;\nXOR.S.CC r, q, 0;",
        "ABS.S q, a;\nMAX.S.CC r, q, -1;", "ABS.S q, a;\nMIN.S.CC r, q, -1;", "ABS.S q, a;\nMAD.S.CC r, q, 1, 0;",
        "ABS.S q, a;\nMAD.S.CC r, q, 1, b;",
        "ABS.S q, a;\nMUL.S.CC r, q, -1;", "ABS.S q, a;\nSUB.S.CC r, 0, q;", "ABS.S q, a;\nSLT.S.CC r, q, 0;",
        "ABS.S q, a;\nSGE.S.CC r, q, 0;", "ABS.S q, a;\nSLT.S.CC r, q, 1;", "ABS.S q, a;\nSGT.S.CC r, q, -1;",
        "ABS.S q, a;\nSGT.S.CC r, 0, q;", "ABS.S q, a;\nSLE.S.CC r, 0, q;", "ABS.S q, a;\nSLT.U.CC r, q, 0;",
        "ABS.S q, a;\nCMP.S.CC r, q, b, c;", "ABS.S q, a;\nSHR.S.CC r, q, 31;", "ABS.S q, a;\nSHR.S.CC r, q, 1;",
        "ABS.S q, a;\nDIV.S.CC r, q, 2;", "ABS.S q, a;\nMOD.S.CC r, q, 4;", "ABS.S q, a;\nI2F.S.CC r, q;",
        "ABS.S q, a;\nMAX.S.CC r, q, 0;", "ABS.S q, a;\nMIN.S.CC r, q, 0;",
        "SGT.S.CC r, |a|, -1;", "SLE.S.CC r, |a|, -1;", "SGE.S.CC r, 0, -|a|;", "SLE.S.CC r, -|a|, 0;",
        "SGT.S.CC r, -|a|, 0;", "SLT.S.CC r, |a|, 0;", "CMP.S.CC r, |a|, b, c;", "CMP.S.CC r, -|a|, b, c;",
        "MAX.S.CC r, |a|, 0;", "MIN.S.CC r, |a|, 0;",
        "SLT.S.CC1 q, a, b;\nIF NE1.x;\nABS.S r, a;\nELSE;\nABS.S r, b;\nENDIF;\nMOV.S.CC r, r;",
        "SLT.S.CC1 q, a, b;\nIF NE1.x;\nABS.S.CC r, a;\nELSE;\nMOV.S.CC r, b;\nENDIF;",
        ("SLT.S.CC1 q, a, b;\nIF NE1.x;\nLDB.U32X4 c, inb[i.x];\nABS.S.CC r, c;\nELSE;\nLDB.U32X4 c, inb[i.y];\n"
         "MOV.S.CC r, c;\nENDIF;"),
        "OR.U q, a, -1;\nMOV.S.CC r, q;", "OR.S.CC r, a, {-1, 0x80000000, 0x7fffffff, 0};",
        "OR.U.CC r, a, {-1, 0x80000000, 0x7fffffff, 0};", "AND.U.CC r, a, {0, 1, -1, 0};",
        "MUL.U.CC r, a, {0, 1, -1, 2};", "SHL.U.CC r, 0, a.x;", "SHR.S.CC r, -1, a.x;", "SHR.U.CC r, 0, a.x;",
        "MIN.U.CC r, a, 0;", "MAX.U.CC r, a, -1;", "MAX.S.CC r, a, 0x7fffffff;", "MIN.S.CC r, a, 0x80000000;",
        "SLE.U.CC r, 0, a;", "SGT.U.CC r, 0, a;", "SGT.U.CC r, a, -1;", "SGE.S.CC r, a, 0x80000000;",
        "SLT.S.CC r, a, 0x80000000;", "BFE.U.CC r, {0, 24, 0, 0}, a;", "MOD.U.CC r, a, 1;", "DIV.U.CC r, 0, a.x;",
        "SAD.U.CC r, a, a, 0;", "XOR.U.CC r, a, -1;", "CMP.S.CC r, a, -1, -1;", "CMP.U.CC r, a, -1, -1;",
        "SEQ.U.CC r, a, a;", "SEQ.S.CC r, a, a;", "SNE.U.CC r, a, a;", "SGE.U.CC r, a, a;", "SLE.S.CC r, a, a;",
        "SEQ.S q, a, a;\nSUB.S.CC r, b, q;", "SUB.S.CC r, b, -1;", "XOR.S q, a, a;\nADD.S.CC r, -b, q;",
        "XOR.S q, a, a;\nSUB.S.CC r, q, b;", "XOR.S q, a, a;\nSUB.S.CC r, -b, q;",
        "XOR.S q, a, a;\nMAD.S.CC r, a, b, -q;", "XOR.S q, a, a;\nMAD.S.CC r, -a, q, b;",
        "XOR.S q, a, a;\nSAD.S.CC r, a, b, -q;", "MOV.S q, a;\nSUB.S.CC r, a, q;",
        "MOV.S q, a;\nXOR.S c, q, a;\nSUB.S.CC r, b, c;", "MOV.S q, a;\nSUB.S c, q, a;\nSUB.S.CC r, b, c;",
        "MOV.S q, a;\nSEQ.S.CC r, q, a;", "MOV.S q, a;\nSLT.S.CC r, q, a;", "MOV.S q, a;\nXOR.U.CC r, q, a;",
        "MOV.U q, a;\nSEQ.U.CC r, q, a;",
        "ADD.S.CC r.xy, a, b;\nSUB.S.CC r.zw, a, 0;", "SUB.S.CC r.xy, a, {0, 5, 0, 0};",
        "SUB.S.CC a, a, {0, 5, 0, 0x80000000};\nMOV.S r, a;", "SUB.S.CC a, a.yxwz, {0, 5, 0, 0x80000000};\nMOV.S r, a;",
        "SUB.S.CC r (GE), a, {0, 5, 0, 0x80000000};", "ADD.S.CC a, -a.yxwz, {0, 5, 0, 0x80000000};\nMOV.S r, a;",
    };
    static const char *const wide[] = {
        "SUB.S64.CC r, |b|, a;", "SUB.S64.CC r, -|a|, -|b|;", "MAD.S64.CC r, a, b, -|c|;", "MAD.S64.CC r, a, b, c;",
        "MAD.S64.CC r, -a, b, c;", "MAD.S64.CC r, a, -b, c;", "MAD.S64.CC r, a, b, -c;", "MAD.S64.CC r, -a, b, -c;",
        "MAD.U64.CC r, -a, b, c;", "MAD.S64.CC r, -a, -b, c;",
        "SAD.S64.CC r, a, b, c;", "SAD.S64.CC r, a, b, -c;", "SAD.U64.CC r, a, b, -c;", "SUB.S64.CC r, |a|, |b|;",
        "ABS.S64 r, a;\nMOV.S64.CC r, r;", "ABS.S64 r, a;\nADD.S64.CC r, r, b;", "ABS.S64 r, a;\nSUB.S64.CC r, b, r;",
        "ABS.S64 r, a;\nMOV.S64.CC r, -r;", "SLT.S64.CC r, |a|, b;", "SGE.S64.CC r, |a|, b;",
        "CMP.S64.CC r, |a|, b, c;",
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        give(to, floats[i], SET_F32, FLAGS);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        give(to, wholes[i], SET_I32, FLAGS);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        give(to, wide[i], SET_I64, FLAGS);
}

/* Results that nobody reads but for their flags. */
static void flags_alone(const struct opsweep_sink *to)
{
    static const char *const floats[] = {
        "ABS.F.CC a, a;", "MOV.F.CC a, |a|;", "MUL.F.CC a, a, a;", "POW.F.CC a, a.x, b.x;", "ADD.F.CC a, |a|, |b|;",
        "ADD.F.CC a, |a|, 1.0;", "ADD.F.CC a, a, b;", "SUB.F.CC a, a, b;", "DP4.F.CC a, a, a;",
        "MAD.F.CC a, a, a, |b|;",
        "MIN.F.CC a, |a|, |b|;", "CMP.F.CC a, b, |a|, |c|;", "DST.F.CC a, a, a;", "ABS.F q, a;\nMOV.F.CC a, q;",
        "ABS.F q, a;\nADD.F.CC a, q, |b|;", "ABS.F.CC i, a;", "MOV.F.CC i, |a|;", "MUL.F.CC i, a, a;",
        "SUB.F.CC i, a, b;", "POW.F.CC i, a.x, b.x;",
        "SUB.F q, a, b;\nMOV.F.CC i, q;", "ABS.F q, a;\nMOV.F.CC i, q;", "ABS.F.CC a, a;\nMAX.F r, a, b;",
        "ABS.F.CC a, a;\nADD.F r, a, b;", "ABS.F.CC a, a;\nMOV.F r.x, a;", "MOV.F q, a;\nMOV.F.CC i, |q|;",
        "MUL.F q, a, b;\nABS.F.CC i, q;", "MUL.F q, a, b;\nMUL.F.CC i, q, q;",
        "ABS.F.CC a.xy, a;\nMOV.F r.x, a;", "ABS.F a, a;\nMOV.F.CC r.x, a.y;", "MUL.F q, a, b;\nADD.F.CC i, q, c;",
        "MUL.F q, a, b;\nADD.F.CC i, q, c;\nADD.F r, q, c;", "MUL.F q, a, b;\nADD.F.CC i, q, c;\nMAX.F r, q, c;",
    };
    static const char *const wholes[] = {
        "ABS.@.CC a, a;", "MOV.@.CC a, |a|;", "MOV.@.CC i, |a|;", "ABS.@.CC i, a;", "SUB.@.CC i, a, b;",
        "SUB.@.CC i, a, {0, 5, 0x80000000, 1};", "MAD.@.CC i, -a, b, c;", "ADD.@.CC i, -a, 0;", "SUB.@.CC a, a, 0;",
        "ABS.@ q, a;\nMOV.@.CC i, q;",
        "MOV.@ q, |a|;\nADD.@.CC i, q, b;", "STR.@.CC i, a, b;", "MOV.@.CC i, {1, -1, 0, 0x80000000};",
        "MAD.@.CC i, a, b, -c;", "ADD.@.CC i, a, b;", "SAD.@.CC i, a, b, -{0, 1, 5, -1};",
    };
    ALL_OF(floats, TF, FLAGS);
    ALL_OF(wholes, TI, FLAGS);
}

void opsweep_flags(const struct opsweep_sink *to)
{
    known_numbers(to);
    known_signs(to);
    comparisons(to);
    sums(to);
    carries(to);
    branches(to);
    literals(to);
    passed_on(to);
    flags_alone(to);
}
