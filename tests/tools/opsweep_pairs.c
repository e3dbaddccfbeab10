#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

/* Pairs of reciprocals and roots with signs, operations some of whose operands are known, vectors that are written
 * where they are read, NaNs of doubles that are known, and clamps of integers. */

enum { LANES = 768 };

static void one(const struct opsweep_sink *to, enum operand_set set, bool wide_result, const char *text)
{
    char name[OPSWEEP_TEXT];
    opsweep_name(name, sizeof name, text);
    opsweep_run(to, name, set, wide_result, text, LANES);
}

static void reciprocals(const struct opsweep_sink *to)
{
    static const char *const firsts[] = {"RCP.F q.x, %sa.x;", "RSQ.F q.x, %sa.x;", "DIV.F q.x, 1.0, %sa.x;",
     "DIV.F q.x, -1.0, %sa.x;", "RCP.F16 q.x, %sa.x;"};
    static const char *const seconds[] = {"RCP.F r, %sq.x;", "RSQ.F r, %sq.x;", "RCC.F r, %sq.x;",
     "DIV.F r, {1.0, -1.0, 1.0, 3.0}, %sq.x;",
                                          "DIV.F r, b, %sq.x;", "RCC.F16 r, %sq.x;"};
    char first[64], second[96], text[OPSWEEP_TEXT];
    for (unsigned i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (unsigned k = 0; k < sizeof seconds / sizeof *seconds; k++)
            for (unsigned sign = 0; sign < 4; sign++) {
                snprintf(first, sizeof first, firsts[i], sign & 1 ? "-" : "");
                snprintf(second, sizeof second, seconds[k], sign & 2 ? "-" : "");
                snprintf(text, sizeof text, "%s\n%s", first, second);
                one(to, SET_F32T, false, text);
            }
    static const char *const others[] = {
        "RCP.F q.x, a.x;\nRSQ.F q.x, q.x;\nRCP.F r, q.x;", "RSQ.F q.x, a.x;\nRCP.F q.x, q.x;\nRSQ.F r, q.x;",
        "RCP.F q.x, |a.x|;\nRCP.F r, q.x;",
        "RCP.F.CC q.x, a.x;\nRCP.F r, q.x;", "DIV.PREC q.x, 1.0, a.x;\nDIV.PREC r, b, q.x;",
        "RCP.PREC q.x, a.x;\nDIV.F r, b, q.x;",
        "RCP.F q.x, a.x;\nDIV.F r, b, q.x;\nADD.F r, r, c;", "RCP.F q.x, -a.x;\nMOV.F q.y, -q.x;\nRCP.F r, -q.y;",
        "RCP.F q.x, a.x;\nRCP.F.SAT r, q.x;",
        "RCP.F q.x, a.x;\nMOV.F.CC q.y, -q.x;\nRCP.F r, -q.y;",
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        one(to, SET_F32T, false, others[i]);
}

/* `known`: components of b that are literals. */
static void partly(const struct opsweep_sink *to)
{
    static const char *const texts[] = {
        "DP2.F r, a, b;", "DP3.F r, a, b;", "DP3.F r, b, b;", "DP4.F r, a, b;", "DP4.F r, b, b;", "DPH.F r, b, b;",
        "DPH.F r, a, b;", "DP2A.F r, b, b, a;", "DP2A.F r, a, b, b;",
        "XPD.F r, a, b;", "XPD.F r, b, b.yzxw;", "X2D.F r, a, b, b;", "X2D.F r, b, a, b;", "X2D.F r, b, b, b;",
        "X2D.F r, a, -b, |b|;", "RFL.F r, b, a;", "RFL.F r, a, b;",
        "RFL.F r, b, b;", "NRM.F r, b;", "LIT.F r, b;", "MAD.F r, b, b, a;", "DIV.F r, a, b.x;", "LRP.F r, b, b, a;",
        "DP4.PREC r, b, b;", "X2D.PREC r, a, b, b;",
        "RFL.PREC r, b, a;", "MAD.PREC r, b, b, a;", "DIV.PREC r, a, b.x;", "MAD.F16 r, b, b, a;", "DP4.F16 r, b, b;",
        "X2D.F16 r, a, b, b;", "RFL.F16 r, b, a;", "DIV.F16 r, a, b.x;",
        "NRM.F16 r, b;", "X2D.F.SAT r, a, b, b;", "RFL.F.SAT r, b, a;", "DP3.F.SSAT r, b, b;",
    };
    static const char *const known[] = {
        "MOV.U b, {0x3f9e0652, 0xbf471bd4, 0x40555555, 0x3dcccccd};", "MOV.U b.x, 0x3f9e0652;",
        "MOV.U b.y, 0xbf471bd4;",
        "MOV.U b.zw, {0, 0, 0x40555555, 0x3dcccccd};", "MOV.U b.yz, {0, 0x3e471bd5, 0x40555555, 0};",
    };
    char text[OPSWEEP_TEXT];
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
            snprintf(text, sizeof text, "%s\n%s", known[k], texts[i]);
            one(to, SET_F32T, false, text);
        }
}

static void in_place(const struct opsweep_sink *to)
{
    static const char *const b[] = {"b", "-b", "|b|", "b.yxwz", "c"}, *const c[] = {"c", "-c", "c.zwxy", "b"},
    *const a[] = {"a", "-a.yxzw"};
    static const char *const modifiers[] = {"F", "PREC", "F.SAT"};
    char text[OPSWEEP_TEXT];
    for (unsigned i = 0; i < sizeof b / sizeof *b; i++)
        for (unsigned j = 0; j < sizeof c / sizeof *c; j++)
            for (unsigned k = 0; k < 4; k++) {
                snprintf(text, sizeof text, "X2D.F %c, %s, %s, %s;\nMOV.F r, %c;", k & 1 ? 'c' : 'b', a[k / 2], b[i],
                         c[j], k & 1 ? 'c' : 'b');
                one(to, SET_F32T, false, text);
            }
    for (unsigned m = 1; m < sizeof modifiers / sizeof *modifiers; m++) {
        snprintf(text, sizeof text, "X2D.%s b, a, -b, c;\nMOV.F r, b;", modifiers[m]);
        one(to, SET_F32T, false, text);
    }
}

/* Numbers that are known come by literals of their own, or all through one variable. */
static void doubles(const struct opsweep_sink *to)
{
    static const uint32_t high[] = {0x7ff80000, 0xfff40000, 0x3ff00000, 0xbff00000, 0x80000000, 0xfff00000, 0xc00c0000};
    static const uint32_t low[] = {0x123, 0xabc, 0, 0, 0, 0, 0};
    static const char *const texts[] = {"MUL.F64 r.x, a, b;", "ADD.F64 r.x, a, -b;"};
    char text[OPSWEEP_TEXT], name[OPSWEEP_TEXT];
    for (unsigned i = 0; i < 7; i++)
        for (unsigned k = 0; k < 7; k++)
            for (unsigned t = 0; t < 2; t++) {
                if (i > 1 && k > 1)
                    continue;
                snprintf(text, sizeof text, "PK64.U a.x, {0x%x, 0x%x, 0, 0};\nPK64.U b.x, {0x%x, 0x%x, 0, 0};\n%s",
                         low[i], high[i], low[k], high[k], texts[t]);
                opsweep_name(name, sizeof name, text);
                opsweep_run(to, name, SET_F64, true, text, 32);
            }
    static const char *const forms[] = {
        "ADD.F64 r, a, -b;", "SUB.F64 r, a, b;", "SUB.F64 r, b, a;", "SUB.F64 r, -b, a;", "MUL.F64 r, -a, b;",
        "MUL.F64 r, |b|, -a;", "MUL.F64 r, b, -|a|;", "MAD.F64 r, a, -b, c;",
        "MAD.F64 r, a, c, -b;", "MAD.F64 r, -a, b, c;", "MIN.F64 r, a, -b;", "MAX.F64 r, |b|, a;",
        "DIV.F64 r, a, -b.x;", "DIV.F64 r, -b, a.x;", "CMP.F64 r, a, -b, c;", "MOV.F64 r, -b;",
        "ABS.F64 r, b;", "RCP.F64 r, -b.x;",
    };
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        snprintf(text, sizeof text, "PK64.U b.xy, {0x123, 0x7ff80000, 0xabc, 0xfff40000};\n%s", forms[i]);
        one(to, SET_F64, true, text);
    }
}

static void clamps(const struct opsweep_sink *to)
{
    static const char *const types[] = {"S8", "U8", "S16", "U16", "S32", "U32", "S64", "U64"};
    static const struct { const char *type; enum operand_set set; } from[] = {
        {"F16", SET_F16U}, {"F32", SET_F32U}, {"F64", SET_F64U}, {"S8", SET_I32U}, {"U16", SET_I32U}, {"S32", SET_I32U},
        {"U32", SET_I32U}, {"S64", SET_I64U}, {"U64", SET_I64U},
    };
    static const char *const sums[] = {"ADD", "MUL"};
    static const char *const sizes[] = {"S", "U", "S64", "U64"};
    char text[64], name[OPSWEEP_TEXT];
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        for (unsigned k = 0; k < sizeof from / sizeof *from; k++)
            for (unsigned wide = 0; wide < 2; wide++) {
                snprintf(text, sizeof text, "CVT.%s.%s.SAT r, a;", types[i], from[k].type);
                snprintf(name, sizeof name, "internal %s%s", wide ? "long " : "", text);
                opsweep_run(to, name, from[k].set, wide, text, LANES);
            }
    for (unsigned k = 0; k < 4; k++) {
        enum operand_set set = k < 2 ? SET_I32 : SET_I64;
        for (unsigned i = 0; i < 2; i++) {
            snprintf(text, sizeof text, "%s.%s.SAT r, a, b;", sums[i], sizes[k]);
            snprintf(name, sizeof name, "internal %s", text);
            opsweep_run(to, name, set, k > 1, text, LANES);
        }
        snprintf(text, sizeof text, "MAD.%s.SAT r, a, b, c;", sizes[k]);
        snprintf(name, sizeof name, "internal %s", text);
        opsweep_run(to, name, set, k > 1, text, LANES);
    }
    static const char *const packs[] = {"PK64.F r, a;", "PK64.S r, a;", "PK64.U r, a;"},
    *const unpacks[] = {"UP64.F r, a;", "UP64.S r, a;", "UP64.F.SAT r, a;", "UP64.F.SSAT r, a;"};
    for (unsigned i = 0; i < sizeof packs / sizeof *packs; i++)
        one(to, SET_F32T, false, packs[i]);
    for (unsigned i = 0; i < sizeof unpacks / sizeof *unpacks; i++)
        one(to, SET_F64U, true, unpacks[i]);
}

void opsweep_pairs(const struct opsweep_sink *to)
{
    reciprocals(to);
    partly(to);
    in_place(to);
    doubles(to);
    clamps(to);
}
