#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

enum shape { V_V, V_VV, V_VS, V_VVV, R_S, R_SS, R_VV, R_VVV, R_V, V_S, SHAPES };

/* How an instruction of a shape stands in a program of 32-bit variables: all of it at once, or a component
 * a time. */
static const char *const operands_text[SHAPES] = {
    [V_V] = "r, a", [V_VV] = "r, a, b", [V_VS] = "r, a, b.x", [V_VVV] = "r, a, b, c", [R_S] = "r, a.x",
    [R_SS] = "r, a.x, b.x", [R_VV] = "r, a, b", [R_VVV] = "r, a, b, c", [R_V] = "r, a", [V_S] = "r, a.x",
};
static const char *const spread_text[SHAPES][4] = {
    [R_S] = {"r.x, a.x", "r.y, a.y", "r.z, a.z", "r.w, a.w"},
    [R_SS] = {"r.x, a.x, b.x", "r.y, a.y, b.y", "r.z, a.z, b.z", "r.w, a.w, b.w"},
    [R_VV] = {"r.x, a, b", "r.y, b, c", "r.z, a, c", "r.w, a.wzyx, b"},
    [R_VVV] = {"r.x, a, b, c", "r.y, b, c, a", "r.z, c.zwxy, a.zwxy, b.zwxy", "r.w, a.wzyx, b.wzyx, c.wzyx"},
    [R_V] = {"r.x, a", "r.y, b", "r.z, c", "r.w, a.wzyx"},
};

enum { HALF = 16, SATURATES = 32, NO_CC = 64, PRECISE = 128 };

static const struct op {
    const char *name;
    enum shape shape;
    unsigned flags;
    int set32, set64;       /* operand sets; -1: by type */
} ops[] = {
#define ALL (TF | TD | TI | TL | HALF | SATURATES)
#define FLOATS (TF | HALF | SATURATES)
    {"MOV", V_V, ALL, -1, -1}, {"ABS", V_V, ALL, -1, -1}, {"SSG", V_V, FLOATS | TD, -1, -1},
    {"FLR", V_V, FLOATS | TD, -1, -1}, {"CEIL", V_V, FLOATS | TD, -1, -1},
    {"ROUND", V_V, FLOATS | TD, -1, -1},
    {"TRUNC", V_V, FLOATS | TD, -1, -1}, {"FRC", V_V, FLOATS | TD | PRECISE, -1, -1},
    {"I2F", V_V, TI, -1, -1},
    {"ADD", V_VV, ALL | PRECISE, -1, -1}, {"SUB", V_VV, ALL, -1, -1}, {"MUL", V_VV, ALL | PRECISE, -1, -1},
    {"MAD", V_VVV, ALL | PRECISE, -1, -1}, {"MIN", V_VV, ALL, -1, -1}, {"MAX", V_VV, ALL, -1, -1},
    {"CMP", V_VVV, ALL, -1, -1}, {"LRP", V_VVV, FLOATS | PRECISE, -1, -1},
    {"DIV", V_VS, ALL | PRECISE, -1, -1},
    {"MOD", V_VS, TI | TL, -1, -1}, {"SAD", V_VVV, TI | TL, -1, -1},
    {"DP2", R_VV, FLOATS | PRECISE, SET_F32T, 0}, {"DP2A", R_VVV, FLOATS | PRECISE, SET_F32T, 0},
    {"DP3", R_VV, FLOATS | PRECISE, SET_F32T, 0}, {"DP4", R_VV, FLOATS | PRECISE, SET_F32T, 0},
    {"DPH", R_VV, FLOATS | PRECISE, SET_F32T, 0}, {"DST", V_VV, FLOATS | PRECISE, SET_F32T, 0},
    {"NRM", V_V, FLOATS | PRECISE, SET_F32T, 0}, {"RFL", V_VV, FLOATS | PRECISE, SET_F32T, 0},
    {"X2D", V_VVV, FLOATS | PRECISE, SET_F32T, 0}, {"XPD", V_VV, FLOATS | PRECISE, SET_F32T, 0},
    {"LIT", V_V, FLOATS | PRECISE, SET_POW, 0},
    {"RCP", R_S, FLOATS | TD | PRECISE, -1, -1}, {"RSQ", R_S, FLOATS | TD | PRECISE, -1, -1},
    {"RCC", R_S, FLOATS | PRECISE, -1, -1}, {"EX2", R_S, FLOATS | PRECISE, -1, -1},
    {"LG2", R_S, FLOATS | PRECISE, -1, -1}, {"POW", R_SS, FLOATS | PRECISE, SET_POW, 0},
    {"SIN", R_S, FLOATS | PRECISE, -1, -1}, {"COS", R_S, FLOATS | PRECISE, -1, -1},
    {"SCS", V_S, FLOATS | PRECISE, -1, -1},
    {"SEQ", V_VV, ALL, -1, -1}, {"SFL", V_VV, ALL, -1, -1}, {"SGE", V_VV, ALL, -1, -1},
    {"SGT", V_VV, ALL, -1, -1},
    {"SLE", V_VV, ALL, -1, -1}, {"SLT", V_VV, ALL, -1, -1}, {"SNE", V_VV, ALL, -1, -1},
    {"STR", V_VV, ALL, -1, -1},
    {"AND", V_VV, TI | TL, -1, -1}, {"OR", V_VV, TI | TL, -1, -1}, {"XOR", V_VV, TI | TL, -1, -1},
    {"NOT", V_V, TI | TL, -1, -1}, {"SHL", V_VS, TI | TL, SET_SHIFT, SET_SHIFT64},
    {"SHR", V_VS, TI | TL, SET_SHIFT, SET_SHIFT64}, {"BFE", V_VV, TI, SET_BITS, 0},
    {"BFI", V_VVV, TI, SET_BITS, 0},
    {"BFR", V_V, TI, -1, -1}, {"BTC", V_V, TI, -1, -1}, {"BTFL", V_V, TI, -1, -1}, {"BTFM", V_V, TI, -1, -1},
    {"PK2H", R_V, TF | TI | NO_CC, SET_UNIT, 0}, {"PK2US", R_V, TF | TI | NO_CC, SET_UNIT, 0},
    {"PK4B", R_V, TF | TI | NO_CC, SET_UNIT, 0}, {"PK4UB", R_V, TF | TI | NO_CC, SET_UNIT, 0},
    {"UP2H", V_S, TF | TI | SATURATES, SET_F16U, 0}, {"UP2US", V_S, TF | TI | SATURATES, SET_F16U, 0},
    {"UP4B", V_S, TF | TI | SATURATES, SET_F16U, 0}, {"UP4UB", V_S, TF | TI | SATURATES, SET_F16U, 0},
};

/* ---- the families -------------------------------------------------------------------------------------- */

/* The instruction of a shape; spread over the components where it has one result and 32-bit operands. */
static const char *body_of(const struct op *op, const char *modifiers, bool wide, bool spread)
{
    static char body[512];
    size_t n = 0;
    if (spread && spread_text[op->shape][0] != NULL) {
        for (unsigned c = 0; c < (wide ? 2u : 4u); c++)
            n += (size_t)snprintf(body + n, sizeof body - n, "%s%s%s %s;", c ? "\n" : "", op->name, modifiers,
                                  spread_text[op->shape][c]);
    } else {
        snprintf(body, sizeof body, "%s%s %s;", op->name, modifiers, operands_text[op->shape]);
    }
    return body;
}

static bool unary(const struct op *op)
{
    return op->shape == V_V || op->shape == R_S || op->shape == V_S;
}

static enum operand_set set_of(const struct op *op, char type)
{
    bool wide = type == 'D' || type == 'L';
    if (!wide && op->set32 >= 0)
        return (enum operand_set)op->set32;
    if (wide && op->set64 >= 0)
        return (enum operand_set)op->set64;
    switch (type) {
    case 'F': return unary(op) ? SET_F32U : op->shape == V_VVV ? SET_F32T : SET_F32;
    case 'D': return unary(op) ? SET_F64U : SET_F64;
    case 'I': return unary(op) ? SET_I32U : SET_I32;
    default: return unary(op) ? SET_I64U : SET_I64;
    }
}

static void one_type(const struct opsweep_sink *to, const struct op *op, const char *type, char kind)
{
    static const char *const float_forms[] = {"", ".SAT", ".SSAT"};
    bool wide = kind == 'D' || kind == 'L';
    enum operand_set set = set_of(op, kind);
    char name[64], modifiers[48];
    unsigned forms = (kind == 'F' || kind == 'D') && op->flags & SATURATES ? 3 : 1;

    for (unsigned f = 0; f < forms; f++) {
        snprintf(modifiers, sizeof modifiers, "%s%s", type, float_forms[f]);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        opsweep_run(to, name, set, wide, body_of(op, modifiers, wide, true), f == 0 ? 0 : 768);
    }
    snprintf(name, sizeof name, "%s%s", op->name, type);
    opsweep_run_fold(to, name, set, wide, body_of(op, type, wide, false));
    if (!unary(op) && op->shape != R_V)
        opsweep_run_literal(to, name, set, wide, body_of(op, type, wide, false));
    if (kind == 'F' && op->flags & PRECISE) {
        snprintf(modifiers, sizeof modifiers, "%s.PREC", type);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        opsweep_run(to, name, set, wide, body_of(op, modifiers, wide, true), 512);
    }
    if (!(op->flags & NO_CC)) {
        bool arithmetic = strstr("ADD SUB MAD SAD MUL MOV", op->name) != NULL;
        snprintf(modifiers, sizeof modifiers, "%s.CC", type);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        opsweep_run_cc(to, name, set, wide, body_of(op, modifiers, wide, false), arithmetic && kind != 'F' &&
                       kind != 'D' ? 0 : 128);
    }
    if (kind == 'F' && op->flags & HALF) {
        static const char *const half[] = {".F16", ".F32", "H", "R"};
        for (unsigned k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s%s", op->name, half[k]);
            opsweep_run(to, name, set, wide, body_of(op, half[k], wide, true), k == 0 ? 768 : 128);
        }
    }
}

static void all_ops(const struct opsweep_sink *to)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const struct op *op = &ops[i];
        if (op->flags & TF)
            one_type(to, op, ".F", 'F');
        if (op->flags & TD)
            one_type(to, op, ".F64", 'D');
        if (op->flags & TI) {
            char kind = strncmp(op->name, "PK", 2) == 0 ? 'F' : 'I';
            one_type(to, op, ".S", kind), one_type(to, op, ".U", kind);
        }
        if (op->flags & TL)
            one_type(to, op, ".S64", 'L'), one_type(to, op, ".U64", 'L');
    }
    static const char *const products[] = {".HI.S", ".HI.U", ".S24", ".U24", ".S.HI", ".HI.S64", ".HI.U64"};
    static const struct op mul = {"MUL", V_VV, TI, -1, -1};
    for (unsigned k = 0; k < 7; k++)
        one_type(to, &mul, products[k], k < 5 ? 'I' : 'L');
}

/* Float operands, results of another size or kind. */
static void float_to_int(const struct opsweep_sink *to)
{
    static const char *const names[] = {"FLR", "CEIL", "ROUND", "TRUNC"};
    static const struct { const char *type; enum operand_set set; bool wide_result; } forms[] = {
        {".S", SET_F32U, false}, {".U", SET_F32U, false}, {".S", SET_F64U, false}, {".U", SET_F64U, false},
        {".S64", SET_F64U, true}, {".U64", SET_F64U, true}, {".S64", SET_F64U, false},
        {".U64", SET_F64U, false},
        {".S64", SET_F32U, true}, {".U64", SET_F32U, true}, {".F", SET_F64U, false}, {".F64", SET_F32U, true},
    };
    char name[64], body[128];
    for (unsigned n = 0; n < 4; n++)
        for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
            snprintf(name, sizeof name, "%s%s%s", names[n], forms[k].type, forms[k].wide_result ? "=L" : "=");
            snprintf(body, sizeof body, "%s%s r, a;", names[n], forms[k].type);
            opsweep_run(to, name, forms[k].set, forms[k].wide_result, body, 0);
            if (k < 2) {
                opsweep_run_fold(to, name, forms[k].set, forms[k].wide_result, body);
                snprintf(body, sizeof body, "%s%s.CC r, a;", names[n], forms[k].type);
                opsweep_run_cc(to, name, forms[k].set, forms[k].wide_result, body, 128);
            }
        }
}

static void conversions(const struct opsweep_sink *to)
{
    static const char *const types[] = {"F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32",
                                        "U64"};
    static const char *const roundings[] = {"", ".FLR", ".CEIL", ".TRUNC", ".ROUND"};
    for (unsigned d = 0; d < 11; d++)
        for (unsigned s = 0; s < 11; s++) {
            bool wide = strstr(types[s], "64") != NULL, wide_result = strstr(types[d], "64") != NULL;
            enum operand_set set = s == 0 ? SET_F16U : s == 1 ? SET_F32U : s == 2 ? SET_F64U : wide
                ? SET_I64U : SET_I32U;
            unsigned n = s < 3 || d < 3 ? 4 : 1;
            if (s + d < 2)
                n = 5;
            for (unsigned k = 0; k < n; k++)
                for (unsigned sat = 0; sat < 2; sat++) {
                    char name[64], body[160];
                    if (sat && k > 1)
                        continue;
                    snprintf(name, sizeof name, "CVT.%s.%s%s%s", types[d], types[s], roundings[k], sat
                             ? ".SAT" : "");
                    if (wide && !wide_result)
                        snprintf(body, sizeof body, "%s r.xy, a;\n%s r.zw, b.xyxy;", name, name);
                    else
                        snprintf(body, sizeof body, "%s r, a;", name);
                    opsweep_run(to, name, set, wide_result, body, k || sat ? 512 : 0);
                    if (k == 0 && sat == 0) {
                        snprintf(body, sizeof body, "%s r, a;", name);
                        opsweep_run_fold(to, name, set, wide_result, body);
                        if (d % 3 == 0 || s % 4 == 1) {
                            snprintf(body, sizeof body, "%s.CC r, a;", name);
                            opsweep_run_cc(to, name, set, wide_result, body, 128);
                        }
                    }
                }
        }
}

/* ---- what the compiler computes ------------------------------------------------------------------------ */

static void known_type(const struct opsweep_sink *to, const struct op *op, const char *type, char kind)
{
    static const char *const forms[] = {"", ".SAT", ".PREC", ".F16"};
    bool wide = kind == 'D' || kind == 'L', divides = strcmp(op->name, "DIV") == 0 || strcmp(op->name, "MOD") == 0;
    enum operand_set set = set_of(op, kind);
    char name[64], modifiers[48];

    if (divides && kind == 'L')     /* the driver's compiler hangs on a division by a literal 0 */
        return;
    for (unsigned f = 0; f < (kind == 'F' || kind == 'D' ? 4 : 1); f++) {
        if ((f == 1 && !(op->flags & SATURATES)) || (f == 2 && (kind != 'F' || !(op->flags & PRECISE))) ||
            (f == 3 && (kind != 'F' || !(op->flags & HALF))))
            continue;
        snprintf(modifiers, sizeof modifiers, "%s%s", f == 3 ? "" : type, forms[f]);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        for (unsigned block = 0; block < (f ? 1 : KNOWN_BLOCKS); block++)
            opsweep_run_known(to, name, set, wide, body_of(op, modifiers, wide, true), block, false);
    }
    if (op->flags & NO_CC)
        return;
    snprintf(modifiers, sizeof modifiers, "%s.CC", type);
    snprintf(name, sizeof name, "%s%s", op->name, modifiers);
    opsweep_run_known(to, name, set, wide, body_of(op, modifiers, wide, false), 0, true);
    if (!unary(op) && op->shape != R_V)
        opsweep_run_literal_cc(to, name, set, wide, body_of(op, modifiers, wide, false));
}

static void known_ops(const struct opsweep_sink *to)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const struct op *op = &ops[i];
        char kind = strncmp(op->name, "PK", 2) == 0 ? 'F' : 'I';
        if (op->flags & TF)
            known_type(to, op, ".F", 'F');
        if (op->flags & TD)
            known_type(to, op, ".F64", 'D');
        if (op->flags & TI)
            known_type(to, op, ".S", kind), known_type(to, op, ".U", kind);
        if (op->flags & TL)
            known_type(to, op, ".S64", 'L'), known_type(to, op, ".U64", 'L');
    }
}

static void known_conversions(const struct opsweep_sink *to)
{
    static const char *const types[] = {"F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64"};
    for (unsigned d = 0; d < 11; d++)
        for (unsigned s = 0; s < 11; s++) {
            static const enum operand_set sets[] = {SET_F16U, SET_F32U, SET_F64U};
            bool wide = strstr(types[s], "64") != NULL, wide_result = strstr(types[d], "64") != NULL;
            char name[64], body[96];
            snprintf(name, sizeof name, "CVT.%s.%s", types[d], types[s]);
            snprintf(body, sizeof body, "%s r%s, a;", name, wide || wide_result ? ".xy" : "");
            opsweep_run_known(to, name, s < 3 ? sets[s] : wide ? SET_I64U : SET_I32U, wide_result, body, 1, false);
        }
}

/* Whether a program's operands are pairs: two components, beside which there are two that nobody wrote. */
static bool pairs(const char *name)
{
    const char *set = strrchr(name, '/');
    return set != NULL && strstr(set, "64") != NULL;
}

/* The carry of a difference of what nobody wrote: which of the two that the compiler makes of it. */
static bool turns_nothing(const char *name)
{
    return strncmp(name, "MAD.S64.CC r, -a, b, c;", 23) == 0 || strncmp(name, "MAD.S64.CC r, a, -b, c;", 23) == 0 ||
           strncmp(name, "MAD.U64.CC r, -a, b, c;", 23) == 0 || strncmp(name, "ABS.S64 r, a;  SUB.S64.CC", 25) == 0;
}

uint32_t opsweep_compared(const char *name, size_t word)
{
    const char *slash = strchr(name, '/');
    if (strncmp(name, "SSG.F16", 7) == 0 || strncmp(name, "SSGH", 4) == 0)
        return 0;
    if (strncmp(name, "SHORT LDB.F32 h.x", 17) == 0)
        return word % 4 == 0 ? UINT32_MAX : 0;
    if (slash == NULL)
        return UINT32_MAX;
    if ((strstr(slash, "/knowncc") != NULL || strstr(slash, "/litcc") != NULL ||
         (strstr(slash, "/cc/") != NULL && turns_nothing(name))) &&
        pairs(name))
        return word % 8 < 6 ? UINT32_MAX : 0;
    if (strncmp(name, "CVT.", 4) != 0)
        return UINT32_MAX;
    if (strncmp(slash, "/fold/", 6) == 0 && strncmp(slash - 2, "64", 2) == 0 && strncmp(name + 5, "64", 2) != 0)
        return word % 4 < 2 ? UINT32_MAX : 0;
    return strncmp(name, "CVT.F16.", 8) == 0 && strncmp(slash - 4, ".SAT", 4) == 0 ? 0xffff : UINT32_MAX;
}

bool opsweep_leaves_open(const char *name)
{
    return strncmp(name, "HALF ", 5) == 0 || strncmp(name, "SHORT ", 6) == 0;
}

uint64_t opsweep_digest(const char *name, const uint8_t *data, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word =
            data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)data[i + 2] << 16 | (uint32_t)data[i + 3] << 24;
        hash = (hash ^ (word & opsweep_compared(name, i / 4))) * 0x100000001b3u;
    }
    return hash;
}

void opsweep(enum opsweep_part part, opsweep_fn *each, void *user)
{
    struct opsweep_sink to = {each, user};
    if (part == OPSWEEP_OPERATIONS) {
        all_ops(&to);
        float_to_int(&to);
        opsweep_carries(&to);
    } else if (part == OPSWEEP_COMPILER) {
        known_ops(&to);
        known_conversions(&to);
        opsweep_compiler_forms(&to);
    } else if (part == OPSWEEP_FLAGS) {
        opsweep_flags(&to);
    } else if (part == OPSWEEP_HALVES) {
        opsweep_halves(&to);
    } else if (part == OPSWEEP_PAIRS) {
        opsweep_pairs(&to);
    } else {
        conversions(&to);
        opsweep_operand_forms(&to);
        opsweep_other_sizes(&to);
        opsweep_short_variables(&to);
    }
}
