#include "tests/opsweep.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARP 32u
#define FOLD_ROWS 16u
#define LIT_ROWS 6u

enum shape { V_V, V_VV, V_VS, V_VVV, R_S, R_SS, R_VV, R_VVV, R_V, V_S, SHAPES };

/* How an instruction of a shape stands in a program of 32-bit variables: all of it at once, or a component a time. */
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

enum { TF = 1, TD = 2, TI = 4, TL = 8, HALF = 16, SATURATES = 32, NO_CC = 64, PRECISE = 128 };

static const struct op {
    const char *name;
    enum shape shape;
    unsigned flags;
    int set32, set64;       /* operand sets; -1: by type */
} ops[] = {
#define ALL (TF | TD | TI | TL | HALF | SATURATES)
#define FLOATS (TF | HALF | SATURATES)
    {"MOV", V_V, ALL, -1, -1}, {"ABS", V_V, ALL, -1, -1}, {"SSG", V_V, FLOATS | TD, -1, -1},
    {"FLR", V_V, FLOATS | TD, -1, -1}, {"CEIL", V_V, FLOATS | TD, -1, -1}, {"ROUND", V_V, FLOATS | TD, -1, -1},
    {"TRUNC", V_V, FLOATS | TD, -1, -1}, {"FRC", V_V, FLOATS | TD | PRECISE, -1, -1},
    {"I2F", V_V, TI, -1, -1},
    {"ADD", V_VV, ALL | PRECISE, -1, -1}, {"SUB", V_VV, ALL, -1, -1}, {"MUL", V_VV, ALL | PRECISE, -1, -1},
    {"MAD", V_VVV, ALL | PRECISE, -1, -1}, {"MIN", V_VV, ALL, -1, -1}, {"MAX", V_VV, ALL, -1, -1},
    {"CMP", V_VVV, ALL, -1, -1}, {"LRP", V_VVV, FLOATS | PRECISE, -1, -1}, {"DIV", V_VS, ALL | PRECISE, -1, -1},
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
    {"SEQ", V_VV, ALL, -1, -1}, {"SFL", V_VV, ALL, -1, -1}, {"SGE", V_VV, ALL, -1, -1}, {"SGT", V_VV, ALL, -1, -1},
    {"SLE", V_VV, ALL, -1, -1}, {"SLT", V_VV, ALL, -1, -1}, {"SNE", V_VV, ALL, -1, -1}, {"STR", V_VV, ALL, -1, -1},
    {"AND", V_VV, TI | TL, -1, -1}, {"OR", V_VV, TI | TL, -1, -1}, {"XOR", V_VV, TI | TL, -1, -1},
    {"NOT", V_V, TI | TL, -1, -1}, {"SHL", V_VS, TI | TL, SET_SHIFT, SET_SHIFT64},
    {"SHR", V_VS, TI | TL, SET_SHIFT, SET_SHIFT64}, {"BFE", V_VV, TI, SET_BITS, 0}, {"BFI", V_VVV, TI, SET_BITS, 0},
    {"BFR", V_V, TI, -1, -1}, {"BTC", V_V, TI, -1, -1}, {"BTFL", V_V, TI, -1, -1}, {"BTFM", V_V, TI, -1, -1},
    {"PK2H", R_V, TF | TI | NO_CC, SET_UNIT, 0}, {"PK2US", R_V, TF | TI | NO_CC, SET_UNIT, 0},
    {"PK4B", R_V, TF | TI | NO_CC, SET_UNIT, 0}, {"PK4UB", R_V, TF | TI | NO_CC, SET_UNIT, 0},
    {"UP2H", V_S, TF | TI | SATURATES, SET_F16U, 0}, {"UP2US", V_S, TF | TI | SATURATES, SET_F16U, 0},
    {"UP4B", V_S, TF | TI | SATURATES, SET_F16U, 0}, {"UP4UB", V_S, TF | TI | SATURATES, SET_F16U, 0},
};

static const char *const tests[] = {"EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF", "NSF",
                                    "AB", "BLE", "TR", "FL"};

/* ---- one program ---------------------------------------------------------------------------------------------------- */

struct text {
    char data[16384];
    size_t size;
};

static opsweep_fn *give;       /* set for the time of one sweep */
static void *give_to;

static void fail(const char *what)
{
    fprintf(stderr, "opsweep: %s\n", what);
    exit(2);
}

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->data + t->size, sizeof t->data - t->size, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof t->data - t->size)
        fail("a program is too long");
    t->size += (size_t)n;
}

/* wide: the operands' variables; wide_result: that of r. */
static void begin(struct text *t, bool wide, bool wide_result, bool loads)
{
    t->size = 0;
    put(t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nGROUP_SIZE %u;\n"
           "STORAGE inb[] = { program.storage[0] };\nSTORAGE outb[] = { program.storage[1] };\n", WARP);
    put(t, "%sTEMP a, b, c;\n%sTEMP r;\nTEMP q, i, o;\n", wide ? "LONG " : "", wide_result ? "LONG " : "");
    if (!loads)
        return;
    put(t, "MUL.U i.x, invocation.globalid.x, 48;\nADD.U i.y, i.x, 16;\nADD.U i.z, i.x, 32;\n");
    static const char *const names[] = {"a, inb[i.x]", "b, inb[i.y]", "c, inb[i.z]"};
    for (unsigned k = 0; k < 3; k++)
        put(t, "LDB.%s %s;\n", wide ? "U64X2" : "U32X4", names[k]);
}

static void store(struct text *t, bool wide_result, const char *index)
{
    put(t, "STB.%s r, outb[%s];\n", wide_result ? "U64X2" : "U32X4", index);
}

static void finish(struct text *t, const char *name, enum operand_set set, unsigned lanes, unsigned bytes)
{
    put(t, "END\n");
    struct opsweep_case c = {.name = name, .program = t->data, .size = t->size, .set = set,
                             .groups = (lanes + WARP - 1) / WARP, .bytes = bytes};
    give(give_to, &c);
}

static void prefill(struct text *t, bool wide_result)
{
    put(t, "MOV.%s r, 0xDEADBEEF;\n", wide_result ? "U64" : "U");
}

/* `body` over the whole set, or over the first `lanes` of it. */
static void run(const char *name, enum operand_set set, bool wide_result, const char *body, unsigned lanes)
{
    struct text t;
    char full[256];
    if (lanes == 0 || lanes > operand_sets[set].lanes)
        lanes = operand_sets[set].lanes;
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, 16;\n");
    prefill(&t, wide_result);
    put(&t, "%s\n", body);
    store(&t, wide_result, "o.x");
    snprintf(full, sizeof full, "%s/run/%s", name, operand_sets[set].name);
    finish(&t, full, set, lanes, lanes * 16);
}

static void run_cc(const char *name, enum operand_set set, bool wide_result, const char *body, unsigned lanes)
{
    struct text t;
    char full[256];
    if (lanes == 0 || lanes > operand_sets[set].lanes)
        lanes = operand_sets[set].lanes;
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, 32;\nADD.U o.y, o.x, 16;\n");
    prefill(&t, wide_result);
    put(&t, "MOV.U q, 0x80000000;\nADD.S.CC q, q, q;\nMOV.U q, 0;\n%s\n", body);
    for (unsigned k = 0; k < sizeof tests / sizeof *tests; k++)
        put(&t, "OR.U q (%s), q, %u;\n", tests[k], 1u << k);
    store(&t, wide_result, "o.x");
    put(&t, "STB.U32X4 q, outb[o.y];\n");
    snprintf(full, sizeof full, "%s/cc/%s", name, operand_sets[set].name);
    finish(&t, full, set, lanes, lanes * 32);
}

/* The operand at byte `offset` of a record, as a literal in `to`. */
static void literal(struct text *t, enum operand_set set, const uint8_t *data, unsigned lane, unsigned offset, const char *to)
{
    uint32_t w[4];
    memcpy(w, data + lane * OPERAND_RECORD + offset, 16);
    put(t, "MOV.U %s, {0x%x, 0x%x, 0x%x, 0x%x};\n", operand_sets[set].wide ? "q" : to, w[0], w[1], w[2], w[3]);
    if (operand_sets[set].wide)
        put(t, "PK64.U %s.xy, q;\n", to);
}

static uint8_t *records(enum operand_set set)
{
    uint8_t *data = malloc((size_t)operand_sets[set].lanes * OPERAND_RECORD);
    if (data == NULL)
        fail("out of memory");
    operand_set_fill(set, data);
    return data;
}

static void run_literal(const char *name, enum operand_set set, bool wide_result, const char *body)
{
    struct text t;
    char full[256];
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, %u;\n", LIT_ROWS * 16);
    for (unsigned k = 0; k < LIT_ROWS; k++) {
        literal(&t, set, data, k * 100, 16, "b");
        prefill(&t, wide_result);
        put(&t, "%s\n", body);
        store(&t, wide_result, "o.x");
        put(&t, "ADD.U o.x, o.x, 16;\n");
    }
    snprintf(full, sizeof full, "%s/lit/%s", name, operand_sets[set].name);
    finish(&t, full, set, 32, 32 * LIT_ROWS * 16);
    free(data);
}

static void run_fold(const char *name, enum operand_set set, bool wide_result, const char *body)
{
    struct text t;
    char full[256];
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, false);
    put(&t, "MOV.U o.x, 0;\n");
    for (unsigned k = 0; k < FOLD_ROWS; k++) {
        unsigned lane = (5 + k * 61) % operand_sets[set].lanes;
        literal(&t, set, data, lane, 0, "a");
        if (strstr(body, "b") != NULL)
            literal(&t, set, data, lane, 16, "b");
        if (strstr(body, "c") != NULL)
            literal(&t, set, data, lane, 32, "c");
        prefill(&t, wide_result);
        put(&t, "%s\n", body);
        store(&t, wide_result, "o.x");
        put(&t, "ADD.U o.x, o.x, 16;\n");
    }
    snprintf(full, sizeof full, "%s/fold/%s", name, operand_sets[set].name);
    finish(&t, full, set, 32, FOLD_ROWS * 16);
    free(data);
}

/* ---- the families ------------------------------------------------------------------------------------------------- */

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

static void one_type(const struct op *op, const char *type, char kind)
{
    static const char *const float_forms[] = {"", ".SAT", ".SSAT"};
    bool wide = kind == 'D' || kind == 'L';
    enum operand_set set = set_of(op, kind);
    char name[64], modifiers[48];
    unsigned forms = (kind == 'F' || kind == 'D') && op->flags & SATURATES ? 3 : 1;

    for (unsigned f = 0; f < forms; f++) {
        snprintf(modifiers, sizeof modifiers, "%s%s", type, float_forms[f]);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        run(name, set, wide, body_of(op, modifiers, wide, true), f == 0 ? 0 : 768);
    }
    snprintf(name, sizeof name, "%s%s", op->name, type);
    run_fold(name, set, wide, body_of(op, type, wide, false));
    if (!unary(op) && op->shape != R_V)
        run_literal(name, set, wide, body_of(op, type, wide, false));
    if (kind == 'F' && op->flags & PRECISE) {
        snprintf(modifiers, sizeof modifiers, "%s.PREC", type);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        run(name, set, wide, body_of(op, modifiers, wide, true), 512);
    }
    if (!(op->flags & NO_CC)) {
        bool arithmetic = strstr("ADD SUB MAD SAD MUL MOV", op->name) != NULL;
        snprintf(modifiers, sizeof modifiers, "%s.CC", type);
        snprintf(name, sizeof name, "%s%s", op->name, modifiers);
        run_cc(name, set, wide, body_of(op, modifiers, wide, false), arithmetic && kind != 'F' && kind != 'D' ? 0 : 128);
    }
    if (kind == 'F' && op->flags & HALF) {
        static const char *const half[] = {".F16", ".F32", "H", "R"};
        for (unsigned k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s%s", op->name, half[k]);
            run(name, set, wide, body_of(op, half[k], wide, true), k == 0 ? 768 : 128);
        }
    }
}

static void all_ops(void)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        const struct op *op = &ops[i];
        if (op->flags & TF)
            one_type(op, ".F", 'F');
        if (op->flags & TD)
            one_type(op, ".F64", 'D');
        if (op->flags & TI) {
            char kind = strncmp(op->name, "PK", 2) == 0 ? 'F' : 'I';
            one_type(op, ".S", kind), one_type(op, ".U", kind);
        }
        if (op->flags & TL)
            one_type(op, ".S64", 'L'), one_type(op, ".U64", 'L');
    }
    static const char *const products[] = {".HI.S", ".HI.U", ".S24", ".U24", ".S.HI", ".HI.S64", ".HI.U64"};
    static const struct op mul = {"MUL", V_VV, TI, -1, -1};
    for (unsigned k = 0; k < 7; k++)
        one_type(&mul, products[k], k < 5 ? 'I' : 'L');
}

/* Float operands, results of another size or kind. */
static void float_to_int(void)
{
    static const char *const names[] = {"FLR", "CEIL", "ROUND", "TRUNC"};
    static const struct { const char *type; enum operand_set set; bool wide_result; } forms[] = {
        {".S", SET_F32U, false}, {".U", SET_F32U, false}, {".S", SET_F64U, false}, {".U", SET_F64U, false},
        {".S64", SET_F64U, true}, {".U64", SET_F64U, true}, {".S64", SET_F64U, false}, {".U64", SET_F64U, false},
        {".S64", SET_F32U, true}, {".U64", SET_F32U, true}, {".F", SET_F64U, false}, {".F64", SET_F32U, true},
    };
    char name[64], body[128];
    for (unsigned n = 0; n < 4; n++)
        for (unsigned k = 0; k < sizeof forms / sizeof *forms; k++) {
            snprintf(name, sizeof name, "%s%s%s", names[n], forms[k].type, forms[k].wide_result ? "=L" : "=");
            snprintf(body, sizeof body, "%s%s r, a;", names[n], forms[k].type);
            run(name, forms[k].set, forms[k].wide_result, body, 0);
            if (k < 2) {
                run_fold(name, forms[k].set, forms[k].wide_result, body);
                snprintf(body, sizeof body, "%s%s.CC r, a;", names[n], forms[k].type);
                run_cc(name, forms[k].set, forms[k].wide_result, body, 128);
            }
        }
}

static void conversions(void)
{
    static const char *const types[] = {"F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64"};
    static const char *const roundings[] = {"", ".FLR", ".CEIL", ".TRUNC", ".ROUND"};
    for (unsigned d = 0; d < 11; d++)
        for (unsigned s = 0; s < 11; s++) {
            bool wide = strstr(types[s], "64") != NULL, wide_result = strstr(types[d], "64") != NULL;
            enum operand_set set = s == 0 ? SET_F16U : s == 1 ? SET_F32U : s == 2 ? SET_F64U : wide ? SET_I64U : SET_I32U;
            unsigned n = s < 3 || d < 3 ? 4 : 1;
            if (s + d < 2)
                n = 5;
            for (unsigned k = 0; k < n; k++)
                for (unsigned sat = 0; sat < 2; sat++) {
                    char name[64], body[160];
                    if (sat && k > 1)
                        continue;
                    snprintf(name, sizeof name, "CVT.%s.%s%s%s", types[d], types[s], roundings[k], sat ? ".SAT" : "");
                    if (wide && !wide_result)
                        snprintf(body, sizeof body, "%s r.xy, a;\n%s r.zw, b.xyxy;", name, name);
                    else
                        snprintf(body, sizeof body, "%s r, a;", name);
                    run(name, set, wide_result, body, k || sat ? 512 : 0);
                    if (k == 0 && sat == 0) {
                        snprintf(body, sizeof body, "%s r, a;", name);
                        run_fold(name, set, wide_result, body);
                        if (d % 3 == 0 || s % 4 == 1) {
                            snprintf(body, sizeof body, "%s.CC r, a;", name);
                            run_cc(name, set, wide_result, body, 128);
                        }
                    }
                }
        }
}

/* In a name, statements stand on one line, two blanks apart. */
static void separate(char *name, size_t size)
{
    for (char *p; (p = strchr(name, '\n')) != NULL && strlen(name) + 2 < size;) {
        memmove(p + 2, p + 1, strlen(p));
        p[0] = p[1] = ' ';
    }
}

/* Signs of operands, sizes that differ from the operation's, SHORT variables, contraction. TYPE stands for each type. */
static void one_text(const char *text, enum operand_set set, bool wide_result, bool short_variables)
{
    char name[200], body[512];
    size_t n = 0;
    snprintf(name, sizeof name, "%s%s", short_variables ? "SHORT " : wide_result != (bool)operand_sets[set].wide ?
             wide_result ? "r LONG: " : "r: " : "", text);
    separate(name, sizeof name);
    n = (size_t)snprintf(body, sizeof body, "%s", text);
    if (n >= sizeof body)
        fail("a text is too long");
    run(name, set, wide_result, body, 512);
}

static void each_type(const char *pattern, unsigned types)
{
    static const struct { unsigned bit; const char *type; enum operand_set set; } rows[] = {
        {TF, "F", SET_F32T}, {TI, "S", SET_I32}, {TI, "U", SET_I32}, {TD, "F64", SET_F64}, {TL, "S64", SET_I64},
        {TL, "U64", SET_I64},
    };
    for (unsigned k = 0; k < 6; k++) {
        char text[256];
        size_t n = 0;
        if (!(types & rows[k].bit))
            continue;
        for (const char *p = pattern; *p != '\0' && n + 8 < sizeof text; p++) {
            if (*p == '@')
                n += (size_t)snprintf(text + n, sizeof text - n, "%s", rows[k].type);
            else
                text[n++] = *p;
        }
        text[n] = '\0';
        one_text(text, rows[k].set, operand_sets[rows[k].set].wide, false);
    }
}

static void operand_forms(void)
{
    static const char *const any[] = {
        "MOV.@ r, -a;", "MOV.@ r, |a|;", "MOV.@ r, -|a|;", "ABS.@ r, -a;", "ADD.@ r, -a, b;", "ADD.@ r, a, -b;",
        "ADD.@ r, -a, -b;", "ADD.@ r, |a|, -|b|;", "SUB.@ r, -a, b;", "SUB.@ r, a, -b;", "MUL.@ r, -a, b;",
        "MUL.@ r, -a, -b;", "MAD.@ r, -a, b, c;", "MAD.@ r, a, b, -c;", "MAD.@ r, -a, b, -c;", "MIN.@ r, -a, b;",
        "MAX.@ r, a, |b|;", "SEQ.@ r, -a, b;", "SLT.@ r, -a, b;", "CMP.@ r, -a, b, c;", "CMP.@ r, a, -b, |c|;",
        "DIV.@ r, -a, b.x;", "DIV.@ r, a, -b.x;",
    };
    static const char *const integers[] = {
        "AND.@ r, -a, b;", "NOT.@ r, -a;", "NOT.@ r, |a|;", "SHL.@ r, -a, b.x;", "SHR.@ r, -a, b.x;", "SHR.@ r, a, -b.x;",
        "MOD.@ r, -a, b.x;", "SAD.@ r, -a, b, c;", "SAD.@ r, a, b, -c;",
    };
    static const char *const singles[] = {
        "BFE.@ r, a, -b;", "BFI.@ r, a, -b, c;", "BFI.@ r, a.yxzw, b, c;", "BFR.@ r, -a;", "BTC.@ r, -a;", "BTFM.@ r, -a;",
        "BTFL.@ r, |a|;", "I2F.@ r, -a;", "I2F.@ r, |a|;", "MUL.HI.@ r, -a, b;", "MUL.@.CC r, -a, b;",
    };
    static const char *const floats[] = {
        "RCP.F r, -a.x;", "RSQ.F r, |a.x|;", "RSQ.F r, -a.x;", "EX2.F r, -a.x;", "SIN.F r, -a.x;", "COS.F r, -a.x;",
        "LG2.F r, |a.x|;", "FLR.F r, -a;", "FRC.F r, -a;", "FRC.F r, |a|;", "SSG.F r, -a;", "FLR.S r, -a;", "TRUNC.U r, -a;",
        "ROUND.F r, -|a|;", "MOV.F.SAT r, -a;", "MOV.F.SSAT r, -a;", "DP4.F r, -a, b;", "DP3.F r, a, |b|;",
        "LRP.F r, -a, b, c;", "SWZ.F r, a, w, -y, 0, -1;", "SWZ.F r, a, -x, 1, -0, z;", "SWZ.F.SAT r, a, x, y, z, w;",
        "PK2H.F r, -a;", "PK4UB.F r, -a;", "UP2H.F r, a.y;", "MOV.F r, a;", "MOV.F16 r, a;",
        "POW.F r, a.x, b.x;", "POW.F r, |a.x|, b.x;", "POW.F r, a.x, -b.x;",
        /* contraction, of separate instructions */
        "MUL.F r, a, b;\nADD.F r, r, c;", "MUL.F r, a, b;\nSUB.F r, c, r;", "MUL.F r, a, b;\nSUB.F r, r, c;",
        "MUL.F r, a, b;\nADD.F r, -r, c;", "MUL.F r, a, b;\nADD.F r, |r|, c;", "MUL.F r, a, b;\nADD.F.SAT r, r, c;",
        "MUL.F.SAT r, a, b;\nADD.F r, r, c;", "MUL.F r, a, a;\nMUL.F q, b, b;\nADD.F r, r, q;",
        "MUL.F r, a, b;\nMAD.F r, a, c, r;", "MUL.F r, a, b;\nADD.F r, r.yzwx, c;", "MUL.F r, a, 2.0;\nADD.F r, r, c;",
        "MUL.F r, a, b;\nMAX.F r, r, c;", "MUL.F r, a, b;\nMUL.F r, r, c;", "ADD.F r, a, b;\nADD.F r, r, c;",
        "MOV.F r, a;\nADD.F r, r, b;", "ADD.F r, a, 0.0;", "ADD.F r, a, -0.0;", "MUL.F r, a, 1.0;", "MUL.F r, a, 0.0;",
        "MUL.F r, a, -1.0;", "MUL.F r, a, 2.0;", "SUB.F r, a, a;", "MAD.F r, a, 1.0, b;", "MAD.F r, a, b, 0.0;", "MAD.F r, a, 0.0, b;",
        "MAX.F r, a, 0.0;", "MIN.F r, a, 1.0;\nMAX.F r, r, 0.0;", "MAX.F r, a, 0.0;\nMIN.F r, r, 1.0;", "MIN.F r, a, a;",
        "MAX.F r, a, -a;", "DIV.F r, a, 2.0;", "DIV.F r, a, 3.0;", "DIV.F r, 1.0, a.x;", "SEQ.F r, a, a;", "SNE.F r, a, a;",
        "SGE.F r, a, 0.0;", "SLT.F r, a, 0.0;", "MUL.F r, a, b;\nRCP.F r, r.x;", "RCP.F r, a.x;\nMUL.F r, r, b;",
        "RSQ.F r, a.x;\nRCP.F r, r.x;", "RSQ.F r, a.x;\nMUL.F r, r, a.x;", "EX2.F r, a.x;\nLG2.F r, r.x;",
        "LG2.F r, a.x;\nMUL.F r, r, b.x;\nEX2.F r, r.x;", "ABS.F r, a;\nADD.F r, r, b;", "FLR.F r, a;\nSUB.F r, a, r;",
        "MUL.PREC r, a, b;\nADD.F r, r, c;", "MUL.F r, a, b;\nADD.PREC r, r, c;", "MOV.U r, a;\nADD.F r, -r, 0.0;",
    };
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        each_type(any[i], TF | TI | TD | TL);
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        each_type(integers[i], TI | TL);
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        each_type(singles[i], TI);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        one_text(floats[i], SET_F32T, false, false);
        if (floats[i][1] != 'K' && strstr(floats[i], "\n") == NULL)
            one_text(floats[i], SET_F32U, false, false);
    }
    static const char *const doubles[] = {
        "MUL.F64 r, a, b;\nADD.F64 r, r, c;", "MUL.F64 r, a, b;\nSUB.F64 r, c, r;", "FRC.F64 r, -a;", "FLR.F64 r, -a;",
        "RCP.F64 r, -a.x;", "RSQ.F64 r, |a.x|;", "RSQ.F64 r, -a.x;",
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        one_text(doubles[i], SET_F64, true, false);
}

static void other_sizes(void)
{
    static const struct { const char *text; enum operand_set set; bool wide_result; } rows[] = {
        {"MOV.F64 r, a;", SET_F32U, true}, {"MOV.S64 r, a;", SET_I32U, true}, {"MOV.U64 r, a;", SET_I32U, true},
        {"ADD.F64 r, a, b;", SET_F32, true}, {"ADD.S64 r, a, b;", SET_I32, true}, {"ADD.U64 r, a, b;", SET_I32, true},
        {"MOV.F64 r, -a;", SET_F32U, true}, {"MOV.S64 r, -a;", SET_I32U, true}, {"MOV.U64 r, -a;", SET_I32U, true},
        {"MOV.F64 r, |a|;", SET_F32U, true}, {"MOV.S64 r, |a|;", SET_I32U, true},
        {"MOV.F r, a;", SET_F32U, true}, {"MOV.S r, a;", SET_I32U, true}, {"MOV.U r, a;", SET_I32U, true},
        {"ADD.F r, a, b;", SET_F32, true}, {"ADD.S r, a, b;", SET_I32, true}, {"ADD.U r, a, b;", SET_I32, true},
        {"SEQ.F r, a, b;", SET_F32, true}, {"SEQ.S r, a, b;", SET_I32, true}, {"SEQ.U r, a, b;", SET_I32, true},
        {"SLT.F64 r, a, b;", SET_F32, true}, {"SLT.S64 r, a, b;", SET_I32, true}, {"SLT.U64 r, a, b;", SET_I32, true},
        {"I2F.S r, a;", SET_I32U, true}, {"I2F.U r, a;", SET_I32U, true}, {"I2F.S64 r, a;", SET_I32U, true},
        {"I2F.S64 r, a;", SET_I64U, true}, {"I2F.U64 r, a;", SET_I64U, true}, {"I2F.S64 r, a;", SET_I64U, false},
        {"I2F.U64 r, a;", SET_I64U, false}, {"I2F.S r, a;", SET_I64U, false}, {"I2F.U r, a;", SET_I64U, false},
        {"PK64.F r, a;", SET_I32U, true}, {"PK64.U r, a;", SET_I32U, true}, {"PK64.S r, a;", SET_I32U, true},
        {"UP64.F r, a;", SET_I64U, false}, {"UP64.U r, a;", SET_I64U, false}, {"UP64.S r, a;", SET_I64U, false},
        {"UP64.F.SAT r, a;", SET_I64U, false}, {"UP64.F.CC r, a;", SET_I64U, false},
        {"MOV.F64 r, a;", SET_F64U, false}, {"MOV.S64 r, a;", SET_I64U, false}, {"MOV.U64 r, a;", SET_I64U, false},
        {"MOV.F r, a;", SET_F64U, false}, {"MOV.S r, a;", SET_I64U, false}, {"MOV.U r, a;", SET_I64U, false},
        {"ADD.F64 r, a, b;", SET_F64, false}, {"ADD.S64 r, a, b;", SET_I64, false}, {"ADD.U64 r, a, b;", SET_I64, false},
        {"ADD.F r, a, b;", SET_F64, false}, {"ADD.S r, a, b;", SET_I64, false}, {"ADD.U r, a, b;", SET_I64, false},
        {"MOV.F r, -a;", SET_F64U, false}, {"MOV.S r, -a;", SET_I64U, false}, {"MOV.F r, |a|;", SET_F64U, false},
        {"MOV.F r, a;", SET_F64U, true}, {"MOV.U r, a;", SET_I64U, true}, {"MOV.S r, a;", SET_I64U, true},
        {"SEQ.F64 r, a, b;", SET_F64, false}, {"SEQ.S64 r, a, b;", SET_I64, false}, {"SEQ.U64 r, a, b;", SET_I64, false},
        {"SLT.F64 r, a, b;", SET_F64, false}, {"SLT.S64 r, a, b;", SET_I64, false}, {"STR.F64 r, a, b;", SET_F64, false},
        {"RCP.F64 r, a.x;", SET_F64, false}, {"DIV.F64 r, a, b.x;", SET_F64, false}, {"MAD.F64 r, a, b, c;", SET_F64, false},
        {"ADD.F64.SAT r, a, b;", SET_F64, false}, {"MUL.S r, a, b;", SET_I64, true}, {"MUL.U64 r, a, b;", SET_I32, true},
        {"MUL.S64 r, a, b;", SET_I32, true}, {"MIN.S64 r, a, b;", SET_I32, true}, {"SHR.S64 r, a, b.x;", SET_SHIFT, true},
        {"SHL.U64 r, a, b.x;", SET_SHIFT, true}, {"SHL.U r, a, b.x;", SET_SHIFT64, false}, {"CVT.F32.F64 r, a;", SET_F64U, true},
        {"CVT.S32.F64 r, a;", SET_F64U, true}, {"CVT.U8.U64 r, a;", SET_I64U, true}, {"RCP.F r, a.x;", SET_F64U, false},
        {"BTC.U r, a;", SET_I64U, false}, {"CMP.S64 r, a, b, c;", SET_I32, true}, {"CMP.F64 r, a, b, c;", SET_F32T, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        one_text(rows[i].text, rows[i].set, rows[i].wide_result, false);
}

/* SHORT variables: what an operation of each size leaves in one, and what one gives. */
static void short_variables(void)
{
    static const char *const texts[] = {
        "MOV.U h, a;\nMOV.U r, h;", "MOV.S h, a;\nMOV.S r, h;", "MOV.F h, a;\nMOV.F r, h;", "MOV.F h, a;\nMOV.U r, h;",
        "MOV.U h, a;\nMOV.F r, h;", "MOV.U h, a;\nADD.F r, h, b;", "ADD.F h, a, b;\nMOV.F r, h;", "ADD.F h, a, b;\nMOV.U r, h;",
        "MUL.F h, a, b;\nMOV.F r, h;", "MAD.F h, a, b, c;\nMOV.F r, h;", "ADD.S h, a, b;\nMOV.S r, h;",
        "ADD.U h, a, b;\nMOV.U r, h;", "ADD.S h, a, b;\nADD.S r, h, 0;", "MUL.U h, a, b;\nADD.U r, h, 1;",
        "SEQ.U h, a, b;\nMOV.U r, h;", "SLT.F h, a, b;\nMOV.F r, h;", "MAX.F h, a, b;\nMOV.F r, h;", "MIN.S h, a, b;\nMOV.S r, h;",
        "ADD.F16 h, a, b;\nMOV.F r, h;", "MUL.F16 h, a, b;\nMOV.F r, h;", "RCP.F h, a.x;\nMOV.F r, h;", "EX2.F h, a.x;\nMOV.F r, h;",
        "ABS.F h, a;\nMOV.F r, h;", "FLR.F h, a;\nMOV.F r, h;", "ADD.F.SAT h, a, b;\nMOV.F r, h;", "AND.U h, a, b;\nMOV.U r, h;",
        "MOV.U h, a;\nMUL.F h, h, h;\nMOV.F r, h;", "DP4.F h, a, b;\nMOV.F r, h;", "CVT.F16.F32 h, a;\nMOV.U r, h;",
        "CVT.F16.F32 h, a;\nCVT.F32.F16 r, h;", "UP2H.F h, a.x;\nMOV.F r, h;", "I2F.S h, a;\nMOV.F r, h;", "FLR.S h, a;\nMOV.S r, h;",
        "CMP.F h, a, b, c;\nMOV.F r, h;", "LDB.F32 h.x, inb[i.x];\nMOV.F r, h;", "LDB.F16X4 h, inb[i.x];\nMOV.F r, h;",
        "LDB.F16X4 r, inb[i.x];", "LDB.F16 r, inb[i.x];", "LDB.U16X4 h, inb[i.x];\nMOV.U r, h;", "LDB.S16X4 r, inb[i.x];",
        "LDB.S8X4 r, inb[i.x];", "LDB.U8X4 r, inb[i.x];",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < 2; k++) {
            enum operand_set set = k ? SET_I32 : SET_F32T;
            struct text t;
            char full[256];
            begin(&t, false, false, true);
            put(&t, "SHORT TEMP h;\nMUL.U o.x, invocation.globalid.x, 16;\n");
            prefill(&t, false);
            put(&t, "%s\n", texts[i]);
            store(&t, false, "o.x");
            snprintf(full, sizeof full, "SHORT %s/run/%s", texts[i], operand_sets[set].name);
            separate(full, sizeof full);
            finish(&t, full, set, 512, 512 * 16);
        }
}

/* The carries of negated operands: add, subtract or neither. */
static void carries(void)
{
    static const char *const texts[] = {
        "ADD.@.CC r, a, -b;", "ADD.@.CC r, -a, b;", "ADD.@.CC r, -a, -b;", "SUB.@.CC r, -a, b;", "SUB.@.CC r, a, -b;",
        "MAD.@.CC r, -a, b, c;", "MAD.@.CC r, a, b, -c;", "SAD.@.CC r, a, b, -c;", "MOV.@.CC r, -a;", "ABS.@.CC r, a;",
        "ADD.@.CC r, |a|, b;", "SHL.@.CC r, a, b.x;", "ADD.@.CC r, a, 1;", "ADD.@.CC r, a, 0xffffffff;", "SUB.@.CC r, a, 0;",
        "SUB.@.CC r, a, 1;", "MUL.@.CC r, a, 2;", "SUB.@.CC r, 0, a;",
    };
    char name[96], body[96];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (unsigned k = 0; k < 2; k++) {
            const char *at = strchr(texts[i], '@');
            snprintf(body, sizeof body, "%.*s%c%s", (int)(at - texts[i]), texts[i], k ? 'U' : 'S', at + 1);
            snprintf(name, sizeof name, "%s", body);
            run_cc(name, SET_I32, false, body, 640);
        }
    static const char *const floats[] = {
        "ADD.F.SAT.CC r, a, b;", "ADD.F.SSAT.CC r, a, b;", "MOV.F.SAT.CC r, a;", "ADD.F.CC r, -a, b;", "MOV.F.CC r, -a;",
        "RCP.F.CC r, a.x;", "UP2H.F.CC r, a.x;", "SWZ.F.CC r, a, x, -y, 0, 1;", "MOV.CC r, a;", "MOV.S.CC r, a;", "MOV.F16.CC r, a;",
    };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        run_cc(floats[i], SET_F32, false, floats[i], 640);
}

void opsweep(enum opsweep_part part, opsweep_fn *each, void *user)
{
    give = each;
    give_to = user;
    if (part == OPSWEEP_OPERATIONS) {
        all_ops();
        float_to_int();
        carries();
    } else {
        conversions();
        operand_forms();
        other_sizes();
        short_variables();
    }
}
