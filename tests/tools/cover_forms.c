/* Forms of instructions that compute, and of flow. */
#include "tests/tools/cover_forms.h"

#include "asm/isa.h"

#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- the frame --------------------------------------------------------------------------------------------------- */

/* Lanes start with a, b, c (words), la, lb (wide), ha (SHORT), and show r, lr, hr, arr and the flags. P.x is a place in
 * the input, P.z the lane's own slot, P.w likewise in shared memory, A.x is 0 ... 3. */
void cover_program(const char *declarations, const char *statements, char text[COVER_PROGRAM])
{
    bool group = strncmp(statements, "SG", 2) == 0, together = group;
    static const char *const others[] = {"TG", "SHF", "MATCH", "QSWZ", "DDX", "DDY", "BAR", "CAL", "IF", "REP"};
    for (size_t i = 0; i < COUNT(others); i++)
        together |= strncmp(statements, others[i], strlen(others[i])) == 0;
    size_t n = (size_t)snprintf(text, COVER_PROGRAM, "!!NVcp5.0\n");
    for (unsigned o = OPTION_NONE + 1; o < OPTION_COUNT; o++)
        if (option_table[o].profiles >> PROFILE_NVCP5 & 1 && o != OPTION_ARB_compute_variable_group_size &&
            !(DERIVATIVE_GROUP_OPTIONS >> o & 1) && (group || o != OPTION_GP5_subgroup))
            n += (size_t)snprintf(text + n, COVER_PROGRAM - n, "OPTION %s;\n", option_table[o].name);
    n += (size_t)snprintf(
        text + n, COVER_PROGRAM - n,
        "GROUP_SIZE %s;\nSHARED_MEMORY 2560;\nSTORAGE in[] = { program.storage[0] };\n"
        "STORAGE out[] = { program.storage[1] };\n"
        "STORAGE own[] = { program.storage[2] };\nSHARED sm[] = { program.sharedmem };\n"
        "CBUFFER cb[] = { program.buffer[0] };\n"
        "BUFFER4 cv[] = { program.buffer[0] };\nBUFFER cw[] = { program.buffer[1] };\n"
        "PARAM ps[] = { program.local[0..2], {1, 2.5, -3, 0.125}, program.local[3] };\n"
        "PARAM pe[] = { program.env[0..3] };\n"
        "PARAM ptr = program.local[4];\nINT PARAM ip = {7, -2, 3, 4};\nCOUNTER ct[] = { program.counter[0] };\n"
        "TEXTURE tx[] = { texture[0..2] };\nIMAGE im[] = { image[0..2] };\n"
        "SUBROUTINETYPE T { one, two };\nSUBROUTINE T call = program.subroutine[0];\n"
        "SUBROUTINE T calls[] = { program.subroutine[1..3] };\n"
        "TEMP a, b, c, r, A, N, P;\nTEMP arr[4];\nLONG TEMP la, lb, lc, lr, Q;\nLONG TEMP larr[2];\n"
        "SHORT TEMP ha, hb, hr;\n%s"
        "MUL.U P.y, invocation.localindex.x, %d;\nMAD.U P.z, invocation.localindex.x, %d, %d;\n"
        "MUL.U P.w, invocation.localindex.x, %d;\n"
        "MUL.U P.x, invocation.localindex.x, 96;\nAND.U P.x, P.x, 0x3e0;\nAND.U A.x, invocation.localindex.x, 3;\n"
        "AND.U A.y, invocation.localindex.x, 1;\n"
        "LDB.U32X4 a, in[P.x];\nLDB.U32X4 b, in[P.x + 16];\nLDB.U32X4 c, in[P.x + 32];\nLDB.U64X4 la, in[P.x + 64];\n"
        "LDB.U64X4 lb, in[P.x + 128];\n"
        "MOV.U64 lc, la.yzwx;\nMOV.U r, b.wzyx;\nMOV.U64 lr, lb;\nMOV.U ha, a;\nMOV.U hb, b;\nMOV.U hr, c;\n"
        "MOV.U arr[0], a;\nMOV.U arr[1], b;\nMOV.U arr[2], c.yzwx;\nMOV.U arr[3], a.zwxy;\nMOV.U64 larr[0], la;\n"
        "MOV.U64 larr[1], lb;\n"
        "PK64.U Q.xy, ptr;\nMOV.U64 Q.zw, Q.xyxy;\nADD.U64 Q.z, Q.z, P.x;\nADD.U64 Q.w, Q.w, P.z;\n"
        "ADD.S.CC N, a, b;\nSUB.S.CC1 N, c, a;\nMOV.U N, 0;\n",
        together ? "8 5" : "3 2", declarations, COVER_STRIDE, COVER_SLOT, COVER_SLOT, COVER_SLOT);
    snprintf(text + n, COVER_PROGRAM - n,
             "%s\nSTB.U32X4 r, out[P.y];\nSTB.U64X4 lr, out[P.y + 32];\nMOV.U N, hr;\nSTB.U32X4 N, out[P.y + 16];\n"
             "STB.U32X4 arr[0], out[P.y + 64];\nSTB.U32X4 arr[1], out[P.y + 80];\nSTB.U32X4 arr[2], out[P.y + 96];\n"
             "STB.U32X4 arr[3], out[P.y + 112];\n"
             "MOV.U N, 0;\nMOV.U N (LT), 1;\nOR.U N (EQ), N, 2;\nOR.U N (CF), N, 4;\nOR.U N (OF), N, 8;\n"
             "OR.U N (SF1), N, 16;\nOR.U N (EQ1), N, 32;\n"
             "OR.U N (CF1), N, 64;\nOR.U N (OF1), N, 128;\nSTB.U32X4 N, out[P.y + 128];\nRET;\n"
             "one SUBROUTINENUM(3):\nADD.U r, r, a;\nRET;\ntwo SUBROUTINENUM(5):\nXOR.U r, r, b;\nRET;\nEND\n",
             statements);
}

/* ---- types and modifiers ----------------------------------------------------------------------------------------- */

/* The types that an opcode takes, "" for none. */
static unsigned types_of(const struct op_info *op, const char *types[16])
{
    static const struct { unsigned bits; const char *name; } all[] = {
        {T_F, "F"}, {T_F, "F32"}, {T_F, "F16"}, {T_F64, "F64"}, {T_I, "S"}, {T_I, "U"}, {T_I, "S32"}, {T_I, "U32"},
        {T_I64, "S64"}, {T_I64, "U64"},
        {T_SHORT, "S8"}, {T_SHORT, "U8"}, {T_SHORT, "S16"}, {T_SHORT, "U16"}};
    unsigned n = 0;
    types[n++] = "";
    for (size_t i = 0; i < COUNT(all); i++)
        if (op->types & all[i].bits)
            types[n++] = all[i].name;
    return n;
}

static bool is_wide(const char *type)
{
    return strchr(type, '6') && strchr(type, '4');
}

/* What may stand between name and type. */
static unsigned modifiers_of(const struct op_info *op, const char *list[48])
{
    static const struct { unsigned bits; const char *text; } all[] = {
        {0, ""}, {0, ".PREC"}, {0, ".NTC"}, {M_CC, ".CC"}, {M_CC, ".CC1"}, {M_SAT, ".SAT"}, {M_SAT, ".SSAT"},
        {M_SAT | M_CC, ".SAT.CC"},
        {M_SAT | M_CC, ".SSAT.CC"}, {M_HALF, "H"}, {M_HALF, "R"}, {M_MUL, ".HI"}, {M_MUL, ".S24"}, {M_MUL, ".U24"},
        {M_MUL | M_CC, ".HI.CC"},
        {M_DERIVATIVE, ".FINE"}, {M_DERIVATIVE, ".COARSE"}, {M_MATCH, ".ANY"}, {M_MATCH, ".ALL"}, {M_CTA, ".CTA"},
        {M_OPERATOR, ".ADD"},
        {M_OPERATOR, ".MUL"}, {M_OPERATOR, ".MIN"}, {M_OPERATOR, ".MAX"}, {M_OPERATOR, ".AND"}, {M_OPERATOR, ".OR"},
        {M_OPERATOR, ".XOR"},
        {M_VARIABLE, ".SIZE"}, {M_VARIABLE, ".LANE"}, {M_VARIABLE, ".ID"}, {M_VARIABLE, ".COUNT"},
        {M_VARIABLE, ".EQMASK"}, {M_VARIABLE, ".GEMASK"},
        {M_VARIABLE, ".GTMASK"}, {M_VARIABLE, ".LEMASK"}, {M_VARIABLE, ".LTMASK"}, {M_MEMORY, ".BUFFER"},
        {M_MEMORY, ".SHARED"}, {M_MEMORY, ".IMAGE"}};
    unsigned n = 0;
    for (size_t i = 0; i < COUNT(all); i++)
        if ((op->modifiers & all[i].bits) == all[i].bits)
            list[n++] = all[i].text;
    return n;
}

/* Instructions of registers alone. */
static bool computes(unsigned op)
{
    const struct shape_info *s = &shape_table[op_table[op].shape];
    if (!(op_table[op].profiles >> PROFILE_NVCP5 & 1) || op_table[op].modifiers & (M_STORAGE | M_ATOMIC | M_CVT) ||
        s->result == RC_ADDRESS)
        return false;
    for (unsigned k = 0; k < s->nsrc; k++)
        if (s->src[k] != OC_VECTOR && s->src[k] != OC_SCALAR && s->src[k] != OC_EXTENDED)
            return false;
    return s->result != RC_NONE || s->nsrc == 0;
}

/* Operand k as an instruction of the type is wont to have it. */
static void plain_operand(char *text, size_t size, unsigned op, unsigned k, bool wide)
{
    static const char *const words[] = {"a", "b", "c"}, *const wides[] = {"la", "lb", "lc"};
    const char *name = wide ? wides[k % 3] : words[k % 3];
    switch (shape_table[op_table[op].shape].src[k]) {
    case OC_SCALAR: snprintf(text, size, "%s.%c", name, "xyzw"[k & 3]); break;
    case OC_EXTENDED: snprintf(text, size, "%s, -x, 0, w, 1", name); break;
    default: snprintf(text, size, "%s", name);
    }
}

static bool is_cluster(unsigned op, unsigned k)
{
    return (op == OP_SGREDC && k == 1) || (op == OP_SGROTC && k == 2);
}

/* Numbers that must be the same everywhere, or be literals. */
static const char *given_operand(unsigned op, unsigned k)
{
    if (is_cluster(op, k))
        return "8";
    if ((op == OP_SGBCAST || op == OP_SGQBCAST) && k == 1)
        return "2";
    if ((op == OP_SGROT || op == OP_SGROTC) && k == 1)
        return "5";
    if (op == OP_SGNVIDX || op == OP_SGNVUP || op == OP_SGNVDOWN || op == OP_SGNVXOR)
        return k == 1 ? "3" : k == 2 ? "16" : NULL;
    return NULL;
}

static void statement(cover_sink *to, void *user, unsigned op, const char *modifiers, const char *type,
                      const char *result, const char *operand, unsigned which)
{
    const struct shape_info *s = &shape_table[op_table[op].shape];
    char text[COVER_LINE], one[64];
    bool suffix = modifiers[0] && modifiers[0] != '.';
    size_t n = (size_t)snprintf(text, sizeof text, "%s%s%s%s", op_table[op].name, suffix ? modifiers : "",
                                type[0] ? "." : "", type);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s", suffix ? "" : modifiers);
    if (s->result != RC_NONE)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s%s", result, s->nsrc ? "," : "");
    for (unsigned k = 0; k < s->nsrc; k++) {
        const char *given = given_operand(op, k);
        plain_operand(one, sizeof one, op, k, is_wide(type) || op == OP_UP64);
        n += (size_t)snprintf(text + n, sizeof text - n, " %s%s",
                              operand && k == which ? operand
                              : given               ? given
                                                    : one,
                              k + 1 < s->nsrc ? "," : "");
    }
    snprintf(text + n, sizeof text - n, ";\n");
    to(user, text);
}

/* Every opcode in every type with every modifier, and conversions. */
void cover_numbers(cover_sink *to, void *user)
{
    static const char *const all[] = {"F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64"};
    static const char *const more[] = {"", ".ROUND", ".FLR", ".CEIL", ".TRUNC", ".SAT", ".SSAT", ".CC"};
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const char *types[16], *modifiers[48];
        unsigned ntypes = types_of(&op_table[op], types), nmodifiers = modifiers_of(&op_table[op], modifiers);
        for (unsigned t = 0; computes(op) && t < ntypes; t++)
            for (unsigned m = 0; m < nmodifiers; m++) {
                bool wide = is_wide(types[t]) || op == OP_PK64;
                if (t && (!strcmp(modifiers[m], ".PREC") || !strcmp(modifiers[m], ".NTC")))
                    continue;
                statement(to, user, op, modifiers[m], types[t], wide ? "lr" : "r", NULL, 0);
                if (op_table[op].types & (T_F64 | T_I64) && modifiers[m][0] != 'H')
                    statement(to, user, op, modifiers[m], types[t], wide ? "r" : "lr", NULL, 0);
            }
    }
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < COUNT(all); k++)
            for (size_t m = 0; m < COUNT(more); m++) {
                char text[COVER_LINE];
                snprintf(text, sizeof text, "CVT.%s.%s%s %s, %s;\n", all[i], all[k], more[m],
                         is_wide(all[i]) ? "lr" : "r", is_wide(all[k]) ? "la" : "a");
                to(user, text);
            }
}

/* ---- operands and results ---------------------------------------------------------------------------------------- */

/* Every opcode with every kind of operand and result. */
void cover_operands(cover_sink *to, void *user)
{
    static const char *const vectors[] = {
        "-a", "|a|", "-|a|", "a.yxwz", "a.x", "la", "-la", "|la|.y", "ha", "-ha", "arr[1]", "arr[A.x]",
        "-arr[A.x].wzyx", "larr[A.y]", "larr[1]", "ps[0]", "ps[3]",
        "ps[A.x]", "ps[A.x + 1]", "pe[1]", "pe[A.x]", "program.local[2]", "program.env[2]", "ip", "{1, -2.5, 3, 0.5}",
        "{1, 2}", "2.5", "-3",
        "cv[2]", "cv[A.x]", "cw[3]", "cw[A.x + 1]", "invocation.localid", "invocation.threadid", "program.buffer[0][1]",
        "state.fog.color"};
    static const char *const scalars[] = {"-a.y", "|a.z|", "la.y", "ha.x", "arr[A.x].z", "ps[A.x].y", "pe[1].w", "7",
     "0.5", "{1, 2, 3, 4}.z", "cv[A.x].w",
                                          "cw[A.x].x", "invocation.localindex.x", "program.local[1].z"};
    static const char *const extended[] = {"a, y, -z, -0, 1", "arr[A.x], w, z, y, x", "ps[0], 0, 0, 1, -w",
     "-a, x, x, -1, y"};
    static const char *const results[] = {"hr", "arr[A.x]", "arr[2].yw", "r.x", "lr.yz", "larr[A.y]", "r (GT.x)",
     "r.xzw (NE1.yyxw)", "lr (LE)", "hr.xy (EQ.w)", "arr[A.x + 1]"};
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const struct shape_info *s = &shape_table[op_table[op].shape];
        const char *types[16], *modifiers[48];
        unsigned ntypes = types_of(&op_table[op], types);
        modifiers_of(&op_table[op], modifiers);
        const char *needed = op_table[op].modifiers & M_OPERATOR   ? ".MIN"
                             : op_table[op].modifiers & M_VARIABLE ? ".LANE"
                             : op_table[op].modifiers & M_MATCH    ? ".ANY"
                                                                   : "";
        for (unsigned t = 0; computes(op) && s->result != RC_NONE && t < ntypes; t++) {
            const char *type = types[t];
            bool first = t == 0, last_wide = is_wide(type) && (t + 1 == ntypes || !is_wide(types[t + 1])),
                 half = !strcmp(type, "F16"), whole = !strcmp(type, "S");
            if (!first && !last_wide && !half && !whole)
                continue;
            const char *result = is_wide(type) || op == OP_PK64 ? "lr" : "r";
            for (unsigned k = 0; k < s->nsrc; k++) {
                const char *const *list = s->src[k] == OC_SCALAR     ? scalars
                                          : s->src[k] == OC_EXTENDED ? extended
                                                                     : vectors;
                size_t n = s->src[k] == OC_SCALAR     ? COUNT(scalars)
                           : s->src[k] == OC_EXTENDED ? COUNT(extended)
                                                      : COUNT(vectors);
                for (size_t i = 0; !is_cluster(op, k) && i < n; i++)
                    statement(to, user, op, needed, type, result, list[i], k);
            }
            for (size_t i = 0; i < COUNT(results); i++) {
                statement(to, user, op, needed, type, results[i], NULL, 0);
                if (op_table[op].modifiers & M_CC)
                    statement(to, user, op, needed[0] ? needed : ".CC", type, results[i], NULL, 0);
            }
        }
    }
}

/* ---- flow -------------------------------------------------------------------------------------------------------- */

void cover_flow(cover_sink *to, void *user)
{
    static const char *const counts[] = {"REP.S 3", "REP.U 2", "REP.F 2.5", "REP 2", "REP.F64 la.x", "REP.S64 A.x",
     "REP.U A.x", "REP.S A.y", "REP.F ps[3].y", "REP.U ha.x"};
    static const char *const others[] = {
        "CALI call;\n", "CALI calls[1];\n", "CALI calls[A.y];\n", "CALI calls[A.y] (GT.x);\n", "CALI call (LE1.w);\n",
        "BAR;\n", "MEMBAR;\n", "MEMBAR.CTA;\n",
        "SGBAR;\n", "SGMEMBAR;\n", "SGMEMBAR.SHARED;\n",
        "REP;\nADD.U N.y, N.y, 1;\nSUB.U.CC N.x, N.y, A.x;\nBRK (GE.x);\nENDREP;\n",
        "REP.S 3;\nADD.U r, r, b;\nCONT (LT.x);\nADD.U r, r, c;\nENDREP;\n", "RET (GT.x);\n",
        "IF FL;\nMOV.U r, 1;\nENDIF;\n"};
    char text[COVER_LINE];
    for (unsigned rule = CC_NONE + 1; rule < CC_COUNT; rule++)
        for (unsigned cc = 0; cc < 2; cc++)
            for (unsigned form = 0; form < 4; form++) {
                char test[32];
                snprintf(test, sizeof test, "%s%s%s", cc_rule_names[rule], cc ? "1" : "",
                         form & 1   ? ".yxwz"
                         : form & 2 ? ".z"
                                    : "");
                snprintf(text, sizeof text, "MOV.U r (%s), a;\n", test);
                to(user, text);
                snprintf(text, sizeof text, "IF %s;\nMOV.U r, c;\nELSE;\nADD.U r, r, 1;\nENDIF;\n", test);
                to(user, text);
                snprintf(text, sizeof text, "CAL one (%s);\n", test);
                to(user, text);
                snprintf(text, sizeof text, "REP.S 2;\nBRK (%s);\nADD.U r, r, 1;\nENDREP;\n", test);
                to(user, text);
                snprintf(text, sizeof text, "TXF.SPARSE c, A.x, texture[0], 2D;\nMOV.U r (%s), a;\n", test);
                to(user, text);
            }
    for (size_t i = 0; i < COUNT(counts); i++) {
        snprintf(text, sizeof text, "%s;\nADD.U r, r, b;\nENDREP;\n", counts[i]);
        to(user, text);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        to(user, others[i]);
}
