#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

/* Signs of operands, sizes that differ from the operation's, SHORT variables, contraction. TYPE stands for
 * each type. */
static void one_text(const struct opsweep_sink *to, const char *text, enum operand_set set, bool wide_result)
{
    char plain[OPSWEEP_TEXT], name[OPSWEEP_TEXT + 16];
    bool same = wide_result == (bool)operand_sets[set].wide;

    opsweep_name(plain, sizeof plain, text);
    snprintf(name, sizeof name, "%s%s", same ? "" : wide_result ? "r LONG: " : "r: ", plain);
    opsweep_run(to, name, set, wide_result, text, 512);
}

static void each_type(const struct opsweep_sink *to, const char *pattern, unsigned types)
{
    char text[OPSWEEP_TEXT];
    enum operand_set set;

    for (unsigned k = 0; k < OPSWEEP_TYPES; k++)
        if (opsweep_typed(k, types, pattern, SET_F32T, text, &set))
            one_text(to, text, set, operand_sets[set].wide);
}

void opsweep_operand_forms(const struct opsweep_sink *to)
{
    static const char *const any[] = {
        "MOV.@ r, -a;", "MOV.@ r, |a|;", "MOV.@ r, -|a|;", "ABS.@ r, -a;", "ADD.@ r, -a, b;",
            "ADD.@ r, a, -b;",
        "ADD.@ r, -a, -b;", "ADD.@ r, |a|, -|b|;", "SUB.@ r, -a, b;", "SUB.@ r, a, -b;", "MUL.@ r, -a, b;",
        "MUL.@ r, -a, -b;", "MAD.@ r, -a, b, c;", "MAD.@ r, a, b, -c;", "MAD.@ r, -a, b, -c;",
            "MIN.@ r, -a, b;",
        "MAX.@ r, a, |b|;", "SEQ.@ r, -a, b;", "SLT.@ r, -a, b;", "CMP.@ r, -a, b, c;",
            "CMP.@ r, a, -b, |c|;",
        "DIV.@ r, -a, b.x;", "DIV.@ r, a, -b.x;",
    };
    static const char *const integers[] = {
        "AND.@ r, -a, b;", "NOT.@ r, -a;", "NOT.@ r, |a|;", "SHL.@ r, -a, b.x;", "SHR.@ r, -a, b.x;",
            "SHR.@ r, a, -b.x;",
        "MOD.@ r, -a, b.x;", "SAD.@ r, -a, b, c;", "SAD.@ r, a, b, -c;",
    };
    static const char *const singles[] = {
        "BFE.@ r, a, -b;", "BFI.@ r, a, -b, c;", "BFI.@ r, a.yxzw, b, c;", "BFR.@ r, -a;", "BTC.@ r, -a;",
            "BTFM.@ r, -a;",
        "BTFL.@ r, |a|;", "I2F.@ r, -a;", "I2F.@ r, |a|;", "MUL.HI.@ r, -a, b;", "MUL.@.CC r, -a, b;",
    };
    static const char *const floats[] = {
        "RCP.F r, -a.x;", "RSQ.F r, |a.x|;", "RSQ.F r, -a.x;", "EX2.F r, -a.x;", "SIN.F r, -a.x;",
            "COS.F r, -a.x;",
        "LG2.F r, |a.x|;", "FLR.F r, -a;", "FRC.F r, -a;", "FRC.F r, |a|;", "SSG.F r, -a;", "FLR.S r, -a;",
            "TRUNC.U r, -a;",
        "ROUND.F r, -|a|;", "MOV.F.SAT r, -a;", "MOV.F.SSAT r, -a;", "DP4.F r, -a, b;", "DP3.F r, a, |b|;",
        "LRP.F r, -a, b, c;", "SWZ.F r, a, w, -y, 0, -1;", "SWZ.F r, a, -x, 1, -0, z;",
            "SWZ.F.SAT r, a, x, y, z, w;",
        "PK2H.F r, -a;", "PK4UB.F r, -a;", "UP2H.F r, a.y;", "MOV.F r, a;", "MOV.F16 r, a;",
        "POW.F r, a.x, b.x;", "POW.F r, |a.x|, b.x;", "POW.F r, a.x, -b.x;",
        /* contraction, of separate instructions */
        "MUL.F r, a, b;\nADD.F r, r, c;", "MUL.F r, a, b;\nSUB.F r, c, r;", "MUL.F r, a, b;\nSUB.F r, r, c;",
        "MUL.F r, a, b;\nADD.F r, -r, c;", "MUL.F r, a, b;\nADD.F r, |r|, c;",
            "MUL.F r, a, b;\nADD.F.SAT r, r, c;",
        "MUL.F.SAT r, a, b;\nADD.F r, r, c;", "MUL.F r, a, a;\nMUL.F q, b, b;\nADD.F r, r, q;",
        "MUL.F r, a, b;\nMAD.F r, a, c, r;", "MUL.F r, a, b;\nADD.F r, r.yzwx, c;",
            "MUL.F r, a, 2.0;\nADD.F r, r, c;",
        "MUL.F r, a, b;\nMAX.F r, r, c;", "MUL.F r, a, b;\nMUL.F r, r, c;", "ADD.F r, a, b;\nADD.F r, r, c;",
        "MOV.F r, a;\nADD.F r, r, b;", "ADD.F r, a, 0.0;", "ADD.F r, a, -0.0;", "MUL.F r, a, 1.0;",
            "MUL.F r, a, 0.0;",
        "MUL.F r, a, -1.0;", "MUL.F r, a, 2.0;", "SUB.F r, a, a;", "MAD.F r, a, 1.0, b;",
            "MAD.F r, a, b, 0.0;", "MAD.F r, a, 0.0, b;",
        "MAX.F r, a, 0.0;", "MIN.F r, a, 1.0;\nMAX.F r, r, 0.0;", "MAX.F r, a, 0.0;\nMIN.F r, r, 1.0;",
            "MIN.F r, a, a;",
        "MAX.F r, a, -a;", "DIV.F r, a, 2.0;", "DIV.F r, a, 3.0;", "DIV.F r, 1.0, a.x;", "SEQ.F r, a, a;",
            "SNE.F r, a, a;",
        "SGE.F r, a, 0.0;", "SLT.F r, a, 0.0;", "MUL.F r, a, b;\nRCP.F r, r.x;",
            "RCP.F r, a.x;\nMUL.F r, r, b;",
        "RSQ.F r, a.x;\nRCP.F r, r.x;", "RSQ.F r, a.x;\nMUL.F r, r, a.x;", "EX2.F r, a.x;\nLG2.F r, r.x;",
        "LG2.F r, a.x;\nMUL.F r, r, b.x;\nEX2.F r, r.x;", "ABS.F r, a;\nADD.F r, r, b;",
            "FLR.F r, a;\nSUB.F r, a, r;",
        "MUL.PREC r, a, b;\nADD.F r, r, c;", "MUL.F r, a, b;\nADD.PREC r, r, c;",
            "MOV.U r, a;\nADD.F r, -r, 0.0;",
    };
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        each_type(to, any[i], TF | TI | TD | TL);
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        each_type(to, integers[i], TI | TL);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        each_type(to, singles[i], TI);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        one_text(to, floats[i], SET_F32T, false);
        if (floats[i][1] != 'K' && strstr(floats[i], "\n") == NULL)
            one_text(to, floats[i], SET_F32U, false);
    }
    static const char *const doubles[] = {
        "MUL.F64 r, a, b;\nADD.F64 r, r, c;", "MUL.F64 r, a, b;\nSUB.F64 r, c, r;", "FRC.F64 r, -a;",
            "FLR.F64 r, -a;",
        "RCP.F64 r, -a.x;", "RSQ.F64 r, |a.x|;", "RSQ.F64 r, -a.x;",
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        one_text(to, doubles[i], SET_F64, true);
}

void opsweep_other_sizes(const struct opsweep_sink *to)
{
    static const struct { const char *text; enum operand_set set; bool wide_result; } rows[] = {
        {"MOV.F64 r, a;", SET_F32U, true}, {"MOV.S64 r, a;", SET_I32U, true},
        {"MOV.U64 r, a;", SET_I32U, true},
        {"ADD.F64 r, a, b;", SET_F32, true}, {"ADD.S64 r, a, b;", SET_I32, true},
        {"ADD.U64 r, a, b;", SET_I32, true},
        {"MOV.F64 r, -a;", SET_F32U, true}, {"MOV.S64 r, -a;", SET_I32U, true},
        {"MOV.U64 r, -a;", SET_I32U, true},
        {"MOV.F64 r, |a|;", SET_F32U, true}, {"MOV.S64 r, |a|;", SET_I32U, true},
        {"MOV.F r, a;", SET_F32U, true}, {"MOV.S r, a;", SET_I32U, true}, {"MOV.U r, a;", SET_I32U, true},
        {"ADD.F r, a, b;", SET_F32, true}, {"ADD.S r, a, b;", SET_I32, true},
        {"ADD.U r, a, b;", SET_I32, true},
        {"SEQ.F r, a, b;", SET_F32, true}, {"SEQ.S r, a, b;", SET_I32, true},
        {"SEQ.U r, a, b;", SET_I32, true},
        {"SLT.F64 r, a, b;", SET_F32, true}, {"SLT.S64 r, a, b;", SET_I32, true},
        {"SLT.U64 r, a, b;", SET_I32, true},
        {"I2F.S r, a;", SET_I32U, true}, {"I2F.U r, a;", SET_I32U, true}, {"I2F.S64 r, a;", SET_I32U, true},
        {"I2F.S64 r, a;", SET_I64U, true}, {"I2F.U64 r, a;", SET_I64U, true},
        {"I2F.S64 r, a;", SET_I64U, false},
        {"I2F.U64 r, a;", SET_I64U, false}, {"I2F.S r, a;", SET_I64U, false},
        {"I2F.U r, a;", SET_I64U, false},
        {"PK64.F r, a;", SET_I32U, true}, {"PK64.U r, a;", SET_I32U, true}, {"PK64.S r, a;", SET_I32U, true},
        {"UP64.F r, a;", SET_I64U, false}, {"UP64.U r, a;", SET_I64U, false},
        {"UP64.S r, a;", SET_I64U, false},
        {"UP64.F.SAT r, a;", SET_I64U, false}, {"UP64.F.CC r, a;", SET_I64U, false},
        {"MOV.F64 r, a;", SET_F64U, false}, {"MOV.S64 r, a;", SET_I64U, false},
        {"MOV.U64 r, a;", SET_I64U, false},
        {"MOV.F r, a;", SET_F64U, false}, {"MOV.S r, a;", SET_I64U, false}, {"MOV.U r, a;", SET_I64U, false},
        {"ADD.F64 r, a, b;", SET_F64, false}, {"ADD.S64 r, a, b;", SET_I64, false},
        {"ADD.U64 r, a, b;", SET_I64, false},
        {"ADD.F r, a, b;", SET_F64, false}, {"ADD.S r, a, b;", SET_I64, false},
        {"ADD.U r, a, b;", SET_I64, false},
        {"MOV.F r, -a;", SET_F64U, false}, {"MOV.S r, -a;", SET_I64U, false},
        {"MOV.F r, |a|;", SET_F64U, false},
        {"MOV.F r, a;", SET_F64U, true}, {"MOV.U r, a;", SET_I64U, true}, {"MOV.S r, a;", SET_I64U, true},
        {"SEQ.F64 r, a, b;", SET_F64, false}, {"SEQ.S64 r, a, b;", SET_I64, false},
        {"SEQ.U64 r, a, b;", SET_I64, false},
        {"SLT.F64 r, a, b;", SET_F64, false}, {"SLT.S64 r, a, b;", SET_I64, false},
        {"STR.F64 r, a, b;", SET_F64, false},
        {"RCP.F64 r, a.x;", SET_F64, false}, {"DIV.F64 r, a, b.x;", SET_F64, false},
        {"MAD.F64 r, a, b, c;", SET_F64, false},
        {"ADD.F64.SAT r, a, b;", SET_F64, false}, {"MUL.S r, a, b;", SET_I64, true},
        {"MUL.U64 r, a, b;", SET_I32, true},
        {"MUL.S64 r, a, b;", SET_I32, true}, {"MIN.S64 r, a, b;", SET_I32, true},
        {"SHR.S64 r, a, b.x;", SET_SHIFT, true},
        {"SHL.U64 r, a, b.x;", SET_SHIFT, true}, {"SHL.U r, a, b.x;", SET_SHIFT64, false},
        {"CVT.F32.F64 r, a;", SET_F64U, true},
        {"CVT.S32.F64 r, a;", SET_F64U, true}, {"CVT.U8.U64 r, a;", SET_I64U, true},
        {"RCP.F r, a.x;", SET_F64U, false},
        {"BTC.U r, a;", SET_I64U, false}, {"CMP.S64 r, a, b, c;", SET_I32, true},
        {"CMP.F64 r, a, b, c;", SET_F32T, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        one_text(to, rows[i].text, rows[i].set, rows[i].wide_result);
}

/* SHORT variables: what an operation of each size leaves in one, and what one gives. */
void opsweep_short_variables(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "MOV.U h, a;\nMOV.U r, h;", "MOV.S h, a;\nMOV.S r, h;", "MOV.F h, a;\nMOV.F r, h;",
            "MOV.F h, a;\nMOV.U r, h;",
        "MOV.U h, a;\nMOV.F r, h;", "MOV.U h, a;\nADD.F r, h, b;", "ADD.F h, a, b;\nMOV.F r, h;",
            "ADD.F h, a, b;\nMOV.U r, h;",
        "MUL.F h, a, b;\nMOV.F r, h;", "MAD.F h, a, b, c;\nMOV.F r, h;", "ADD.S h, a, b;\nMOV.S r, h;",
        "ADD.U h, a, b;\nMOV.U r, h;", "ADD.S h, a, b;\nADD.S r, h, 0;", "MUL.U h, a, b;\nADD.U r, h, 1;",
        "SEQ.U h, a, b;\nMOV.U r, h;", "SLT.F h, a, b;\nMOV.F r, h;", "MAX.F h, a, b;\nMOV.F r, h;",
            "MIN.S h, a, b;\nMOV.S r, h;",
        "ADD.F16 h, a, b;\nMOV.F r, h;", "MUL.F16 h, a, b;\nMOV.F r, h;", "RCP.F h, a.x;\nMOV.F r, h;",
            "EX2.F h, a.x;\nMOV.F r, h;",
        "ABS.F h, a;\nMOV.F r, h;", "FLR.F h, a;\nMOV.F r, h;", "ADD.F.SAT h, a, b;\nMOV.F r, h;",
            "AND.U h, a, b;\nMOV.U r, h;",
        "MOV.U h, a;\nMUL.F h, h, h;\nMOV.F r, h;", "DP4.F h, a, b;\nMOV.F r, h;",
            "CVT.F16.F32 h, a;\nMOV.U r, h;",
        "CVT.F16.F32 h, a;\nCVT.F32.F16 r, h;", "UP2H.F h, a.x;\nMOV.F r, h;", "I2F.S h, a;\nMOV.F r, h;",
            "FLR.S h, a;\nMOV.S r, h;",
        "CMP.F h, a, b, c;\nMOV.F r, h;", "LDB.F32 h.x, inb[i.x];\nMOV.F r, h;",
            "LDB.F16X4 h, inb[i.x];\nMOV.F r, h;",
        "LDB.F16X4 r, inb[i.x];", "LDB.F16 r, inb[i.x];", "LDB.U16X4 h, inb[i.x];\nMOV.U r, h;",
            "LDB.S16X4 r, inb[i.x];",
        "LDB.S8X4 r, inb[i.x];", "LDB.U8X4 r, inb[i.x];",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < 2; k++) {
            char plain[OPSWEEP_TEXT], name[OPSWEEP_TEXT + 16];
            opsweep_name(plain, sizeof plain, texts[i]);
            snprintf(name, sizeof name, "SHORT %s", plain);
            opsweep_run_short(to, name, k ? SET_I32 : SET_F32T, texts[i], 512);
        }
}

/* The carries of negated operands: add, subtract or neither. */
void opsweep_carries(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "ADD.@.CC r, a, -b;", "ADD.@.CC r, -a, b;", "ADD.@.CC r, -a, -b;", "SUB.@.CC r, -a, b;",
            "SUB.@.CC r, a, -b;",
        "MAD.@.CC r, -a, b, c;", "MAD.@.CC r, a, b, -c;", "SAD.@.CC r, a, b, -c;", "MOV.@.CC r, -a;",
            "ABS.@.CC r, a;",
        "ADD.@.CC r, |a|, b;", "SHL.@.CC r, a, b.x;", "ADD.@.CC r, a, 1;", "ADD.@.CC r, a, 0xffffffff;",
            "SUB.@.CC r, a, 0;",
        "SUB.@.CC r, a, 1;", "MUL.@.CC r, a, 2;", "SUB.@.CC r, 0, a;",
    };
    char name[96], body[96];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < 2; k++) {
            const char *at = strchr(texts[i], '@');
            snprintf(body, sizeof body, "%.*s%c%s", (int)(at - texts[i]), texts[i], k ? 'U' : 'S', at + 1);
            snprintf(name, sizeof name, "%s", body);
            opsweep_run_cc(to, name, SET_I32, false, body, 640);
        }
    static const char *const floats[] = {
        "ADD.F.SAT.CC r, a, b;", "ADD.F.SSAT.CC r, a, b;", "MOV.F.SAT.CC r, a;", "ADD.F.CC r, -a, b;",
            "MOV.F.CC r, -a;",
        "RCP.F.CC r, a.x;", "UP2H.F.CC r, a.x;", "SWZ.F.CC r, a, x, -y, 0, 1;", "MOV.CC r, a;",
            "MOV.S.CC r, a;", "MOV.F16.CC r, a;",
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        opsweep_run_cc(to, floats[i], SET_F32, false, floats[i], 640);
}
