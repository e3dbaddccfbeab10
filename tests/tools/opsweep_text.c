#include "tests/tools/opsweep_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARP 32u
#define FOLD_ROWS 16u
#define LIT_ROWS 6u
#define KNOWN_ROWS 40u
#define FLAG_ROWS 8u
#define BRANCH_ROWS 4u
#define HALF_STEP 7u       /* records from one lane to the next */

static const char *const tests[] = {"EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "CF", "NCF", "OF",
                                    "NOF", "SF", "NSF",
                                    "AB", "BLE", "TR", "FL"};

/* ---- one program --------------------------------------------------------------------------------------- */

struct text {
    char data[65536];
    size_t size;
    bool internal;              /* with OPTION NV_internal */
};

void opsweep_fail(const char *what)
{
    fprintf(stderr, "opsweep: %s\n", what);
    exit(2);
}

void opsweep_name(char *name, size_t size, const char *text)
{
    snprintf(name, size, "%s", text);
    for (char *p; (p = strchr(name, '\n')) != NULL && strlen(name) + 2 < size;) {
        memmove(p + 2, p + 1, strlen(p));
        p[0] = p[1] = ' ';
    }
}

bool opsweep_typed(unsigned k, unsigned types, const char *pattern, enum operand_set floats, char text[OPSWEEP_TEXT],
                   enum operand_set *set)
{
    static const struct { unsigned bit; const char *type; enum operand_set set; } rows[OPSWEEP_TYPES] = {
        {TF, "F", SET_F32}, {TI, "S", SET_I32}, {TI, "U", SET_I32}, {TD, "F64", SET_F64}, {TL, "S64", SET_I64},
        {TL, "U64", SET_I64},
    };
    size_t n = 0;
    if (!(types & rows[k].bit))
        return false;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (n + 8 >= OPSWEEP_TEXT)
            opsweep_fail("a text is too long");
        if (*p == '@')
            n += (size_t)snprintf(text + n, OPSWEEP_TEXT - n, "%s", rows[k].type);
        else
            text[n++] = *p;
    }
    text[n] = '\0';
    *set = rows[k].bit == TF ? floats : rows[k].set;
    return true;
}

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->data + t->size, sizeof t->data - t->size, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof t->data - t->size)
        opsweep_fail("a program is too long");
    t->size += (size_t)n;
}

/* wide: the operands' variables; wide_result: that of r. */
static void begin(struct text *t, bool wide, bool wide_result, bool loads)
{
    t->size = 0;
    put(t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\n%sGROUP_SIZE %u;\n"
           "STORAGE inb[] = { program.storage[0] };\nSTORAGE outb[] = { program.storage[1] };\n",
           t->internal ? "OPTION NV_internal;\n" : "", WARP);
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

static void finish(const struct opsweep_sink *to, struct text *t, const char *name, enum operand_set set,
                   unsigned lanes, unsigned bytes)
{
    put(t, "END\n");
    struct opsweep_case c = {.name = name, .program = t->data, .size = t->size, .set = set,
                             .groups = (lanes + WARP - 1) / WARP, .bytes = bytes};
    to->give(to->user, &c);
}

static void prefill(struct text *t, bool wide_result)
{
    put(t, "MOV.%s r, 0xDEADBEEF;\n", wide_result ? "U64" : "U");
}

/* `body` over the whole set, or over the first `lanes` of it. */
void opsweep_run(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                 const char *body, unsigned lanes)
{
    struct text t;
    char full[256];
    if (lanes == 0 || lanes > operand_sets[set].lanes)
        lanes = operand_sets[set].lanes;
    t.internal = strncmp(name, "internal ", 9) == 0;
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, 16;\n");
    prefill(&t, wide_result);
    put(&t, "%s\n", body);
    store(&t, wide_result, "o.x");
    snprintf(full, sizeof full, "%s/run/%s", name, operand_sets[set].name);
    finish(to, &t, full, set, lanes, lanes * 16);
}

static void clear_flags(struct text *t)
{
    put(t, "MOV.U q, 0x80000000;\nADD.S.CC q, q, q;\nMOV.U q, 0;\n");
}

static void store_flags(struct text *t, const char *body, bool wide_result)
{
    if (strchr(body, 'q') != NULL)
        put(t, "MOV.U q, 0;\n");
    for (unsigned k = 0; k < sizeof tests / sizeof *tests; k++)
        put(t, "OR.U q (%s), q, %u;\n", tests[k], 1u << k);
    store(t, wide_result, "o.x");
    put(t, "STB.U32X4 q, outb[o.y];\n");
}

/* Stores what body left: r, and in q what its flags say. */
typedef void look_fn(struct text *t, const char *body, bool wide_result);

static void run_flags(const struct opsweep_sink *to, const char *name, const char *way, enum operand_set set,
                      bool wide_result, const char *body, unsigned lanes, look_fn *look)
{
    struct text t;
    char full[256];
    t.internal = false;
    if (lanes == 0 || lanes > operand_sets[set].lanes)
        lanes = operand_sets[set].lanes;
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, 32;\nADD.U o.y, o.x, 16;\n");
    prefill(&t, wide_result);
    clear_flags(&t);
    put(&t, "%s\n", body);
    look(&t, body, wide_result);
    snprintf(full, sizeof full, "%s/%s/%s", name, way, operand_sets[set].name);
    finish(to, &t, full, set, lanes, lanes * 32);
}

void opsweep_run_cc(const struct opsweep_sink *to, const char *name, enum operand_set set,
                    bool wide_result, const char *body, unsigned lanes)
{
    run_flags(to, name, "cc", set, wide_result, body, lanes, store_flags);
}

/* The operand at byte `offset` of a record, as a literal in `to`. */
static void literal(struct text *t, enum operand_set set, const uint8_t *data, unsigned lane,
                    unsigned offset, const char *to)
{
    uint32_t w[4];
    memcpy(w, data + lane * OPERAND_RECORD + offset, 16);
    put(t, "MOV.U %s, {0x%x, 0x%x, 0x%x, 0x%x};\n", operand_sets[set].wide ? "q" : to, w[0], w[1], w[2],
        w[3]);
    if (operand_sets[set].wide)
        put(t, "PK64.U %s.xy, q;\n", to);
}

static uint8_t *records(enum operand_set set)
{
    uint8_t *data = malloc((size_t)operand_sets[set].lanes * OPERAND_RECORD);
    if (data == NULL)
        opsweep_fail("out of memory");
    operand_set_fill(set, data);
    return data;
}

static void known_operands(struct text *t, enum operand_set set, const uint8_t *data, unsigned lane, const char *body)
{
    literal(t, set, data, lane, 0, "a");
    if (strchr(body, 'b') != NULL)
        literal(t, set, data, lane, 16, "b");
    if (strchr(body, 'c') != NULL)
        literal(t, set, data, lane, 32, "c");
}

/* Body, with what it left, and the next place for a result. */
static void compute(struct text *t, bool wide_result, const char *body, bool flags)
{
    prefill(t, wide_result);
    if (flags)
        clear_flags(t);
    put(t, "%s\n", body);
    if (flags)
        store_flags(t, body, wide_result);
    else
        store(t, wide_result, "o.x");
    put(t, flags ? "ADD.U o.xy, o, 32;\n" : "ADD.U o.x, o.x, 16;\n");
}

static void run_literal(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                        const char *body, bool flags)
{
    struct text t;
    char full[256];
    t.internal = false;
    unsigned bytes = flags ? 32 : 16;
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, true);
    put(&t, "MUL.U o.x, invocation.globalid.x, %u;\n", LIT_ROWS * bytes);
    if (flags)
        put(&t, "ADD.U o.y, o.x, 16;\n");
    for (unsigned k = 0; k < LIT_ROWS; k++) {
        literal(&t, set, data, k * 100, 16, "b");
        compute(&t, wide_result, body, flags);
    }
    snprintf(full, sizeof full, "%s/lit%s/%s", name, flags ? "cc" : "", operand_sets[set].name);
    finish(to, &t, full, set, 32, 32 * LIT_ROWS * bytes);
    free(data);
}

void opsweep_run_literal(const struct opsweep_sink *to, const char *name, enum operand_set set,
                         bool wide_result, const char *body)
{
    run_literal(to, name, set, wide_result, body, false);
}

void opsweep_run_literal_cc(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                            const char *body)
{
    run_literal(to, name, set, wide_result, body, true);
}

void opsweep_run_fold(const struct opsweep_sink *to, const char *name, enum operand_set set,
                      bool wide_result, const char *body)
{
    struct text t;
    char full[256];
    t.internal = false;
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, false);
    put(&t, "MOV.U o.x, 0;\n");
    for (unsigned k = 0; k < FOLD_ROWS; k++) {
        known_operands(&t, set, data, (5 + k * 61) % operand_sets[set].lanes, body);
        compute(&t, wide_result, body, false);
    }
    snprintf(full, sizeof full, "%s/fold/%s", name, operand_sets[set].name);
    finish(to, &t, full, set, 32, FOLD_ROWS * 16);
    free(data);
}

void opsweep_run_known(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                       const char *body, unsigned block, bool flags)
{
    struct text t;
    char full[256];
    t.internal = false;
    unsigned n = flags ? FLAG_ROWS : KNOWN_ROWS, lanes = operand_sets[set].lanes, total = KNOWN_ROWS * KNOWN_BLOCKS;
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, false);
    put(&t, "MOV.U o, {0, 16, 0, 0};\n");
    for (unsigned k = 0; k < n; k++) {
        known_operands(&t, set, data, (k * (total / n) + block) * lanes / total, body);
        compute(&t, wide_result, body, flags);
    }
    snprintf(full, sizeof full, "%s/known%s%u/%s", name, flags ? "cc" : "", block, operand_sets[set].name);
    finish(to, &t, full, set, 32, n * (flags ? 32 : 16));
    free(data);
}

/* Bit k of q.x: IF with the kth test of all components; of q.y: with that of .xyxy; of q.z: BRK; of q.w: IF with that
 * of .y. */
static void branch_on_flags(struct text *t, const char *body, bool wide_result)
{
    static const char *const swizzles[] = {"", ".xyxy", ".y"};
    if (strchr(body, 'q') != NULL)
        put(t, "MOV.U q, 0;\n");
    for (unsigned k = 0; k + 2 < sizeof tests / sizeof *tests; k++) {
        bool carries = strpbrk(tests[k], "CO") != NULL || strcmp(tests[k], "AB") == 0 || strcmp(tests[k], "BLE") == 0;
        for (unsigned i = 0; i < 3; i++)
            if (i != 1 || !carries)
                put(t, "IF %s%s;\nOR.U q.%c, q, %u;\nENDIF;\n", tests[k], swizzles[i], "xyw"[i], 1u << k);
        put(t, "OR.U q.z, q, %u;\nREP;\nBRK (%s);\nAND.U q.z, q, %u;\nBRK;\nENDREP;\n", 1u << k, tests[k], ~(1u << k));
    }
    store(t, wide_result, "o.x");
    put(t, "STB.U32X4 q, outb[o.y];\n");
}

void opsweep_run_branches(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                          const char *body, unsigned lanes)
{
    run_flags(to, name, "branch", set, wide_result, body, lanes, branch_on_flags);
}

void opsweep_run_known_branches(const struct opsweep_sink *to, const char *name, enum operand_set set, bool wide_result,
                                const char *body)
{
    struct text t;
    char full[256];
    t.internal = false;
    unsigned lanes = operand_sets[set].lanes;
    uint8_t *data = records(set);
    begin(&t, operand_sets[set].wide, wide_result, false);
    put(&t, "MOV.U o, {0, 16, 0, 0};\n");
    for (unsigned k = 0; k < BRANCH_ROWS; k++) {
        known_operands(&t, set, data, (k < 2 ? k * 11 : k * 131 + 7) % lanes, body);
        prefill(&t, wide_result);
        clear_flags(&t);
        put(&t, "%s\n", body);
        branch_on_flags(&t, body, wide_result);
        put(&t, "ADD.U o.xy, o, 32;\n");
    }
    snprintf(full, sizeof full, "%s/knownbranch/%s", name, operand_sets[set].name);
    finish(to, &t, full, set, 32, BRANCH_ROWS * 32);
    free(data);
}

void opsweep_run_short(const struct opsweep_sink *to, const char *name, enum operand_set set,
                       const char *body,
                       unsigned lanes)
{
    struct text t;
    char full[256];
    t.internal = false;
    begin(&t, false, false, true);
    put(&t, "SHORT TEMP h;\nMUL.U o.x, invocation.globalid.x, 16;\n");
    prefill(&t, false);
    put(&t, "%s\n", body);
    store(&t, false, "o.x");
    snprintf(full, sizeof full, "%s/run/%s", name, operand_sets[set].name);
    finish(to, &t, full, set, lanes, lanes * 16);
}

void opsweep_run_halves(const struct opsweep_sink *to, const char *name, enum operand_set set, const char *body,
                        unsigned lanes)
{
    struct text t;
    char full[256];
    const char *apart = strchr(body, '@');
    t.size = 0;
    put(&t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nOPTION NV_shader_thread_group;\n"
            "OPTION NV_shader_thread_shuffle;\nOPTION NV_shader_atomic_float;\nOPTION NV_shader_atomic_fp16_vector;\n"
            "OPTION NV_gpu_program5_mem_extended;\nGROUP_SIZE %u;\n", WARP);
    put(&t, "STORAGE inb[] = { program.storage[0] };\nSTORAGE outb[] = { program.storage[1] };\n"
            "TEMP a, b, c, r, q, t, i, o;\nSHORT TEMP h, g, k[3];\nLONG TEMP D;\n");
    put(&t, "MUL.U i.x, invocation.globalid.x, %u;\nADD.U i.y, i.x, 16;\nADD.U i.z, i.x, 32;\n",
        OPERAND_RECORD * HALF_STEP);
    put(&t, "LDB.U32X4 a, inb[i.x];\nLDB.U32X4 b, inb[i.y];\nLDB.U32X4 c, inb[i.z];\nMUL.U o.x, invocation.globalid.x, "
            "16;\n");
    prefill(&t, false);
    put(&t, "%.*s\n", apart ? (int)(apart - body) : (int)strlen(body), body);
    store(&t, false, "o.x");
    if (apart)
        put(&t, "RET;\n%s", apart + 1);
    snprintf(full, sizeof full, "%s/run/%s", name, operand_sets[set].name);
    finish(to, &t, full, set, lanes, lanes * 16);
}
