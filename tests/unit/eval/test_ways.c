/* However a program is run, it gives the same: plain, tracked, watched by an observer (which makes
 * everything run that nobody needs), at every level of the machine, on one thread or more. Random programs
 * with divergence, calls, condition codes, clamps and products that feed sums. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROGRAMS = 400, WORDS = 4096, MAX_DEPTH = 3 };

struct text {
    char bytes[16384];
    size_t length;
    uint64_t random;
};

static unsigned below(struct text *t, unsigned n)
{
    return evaluate_random(&t->random) % n;
}

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, args);
    va_end(args);
    assert_true(t->length < sizeof t->bytes);
}

/* ---- random text --------------------------------------------------------------------------------------- */

static char component(struct text *t)
{
    return "xyzw"[below(t, 4)];
}

static void source(struct text *t)
{
    add(t, "%s%c", below(t, 3) ? "" : "-", 'a' + (int)below(t, 5));
    switch (below(t, 4)) {
    case 0: add(t, ".%c", component(t)); break;
    case 1: {
        char x = component(t), y = component(t), z = component(t), w = component(t);
        add(t, ".%c%c%c%c", x, y, z, w);
        break;
    }
    default: break;
    }
}

static void scalar(struct text *t)
{
    char name = (char)('a' + below(t, 5)), c = component(t);
    add(t, "%c.%c", name, c);
}

static void result(struct text *t)
{
    static const char *const masks[] = {"", "", ".x", ".yz", ".xw", ".xyz", ".w"};
    static const char *const tests[] = {"", "", "", "", " (NE.x)", " (LT)", " (EQ1.yxwz)"};

    add(t, "%c%s", 'a' + (int)below(t, 5), masks[below(t, 7)]);
    add(t, "%s", tests[below(t, 7)]);
}

/* Of doubles: p, q and r. */
static void double_operation(struct text *t)
{
    static const char *const ops[] = {"ADD", "SUB", "MUL", "MAD", "MAD", "DIV", "MOV", "MIN"},
                 *const masks[] = {"", ".x", ".yz", ".xw"}, *const signs[] = {"", "", "-", "|"};
    unsigned op = below(t, 8), sources = op == 6 ? 1 : op == 3 || op == 4 ? 3 : 2;

    add(t, "%s.F64 %c%s%s", ops[op], 'p' + (int)below(t, 3), masks[below(t, 4)], below(t, 6) ? "" : " (NE.x)");
    for (unsigned i = 0; i < sources; i++) {
        const char *sign = signs[below(t, 4)];
        add(t, ", %s%c", sign, 'p' + (int)below(t, 3));
        if (op == 5 && i == 1)
            add(t, ".%c", component(t));
        add(t, "%s", *sign == '|' ? "|" : "");
    }
    add(t, ";\n");
}

/* 64-bit integers, on the bits of doubles. */
static void wide_operation(struct text *t)
{
    static const char *const ops[] = {"ADD", "SUB", "AND", "OR", "XOR", "SHL", "SHR", "MUL", "MIN", "MAX", "MAD", "NOT",
     "MOV"},
                 *const masks[] = {"", ".x", ".yz", ".xw"}, *const types[] = {"U64", "S64"};
    unsigned op = below(t, 13), type = below(t, 2), sources = op > 10 ? 1 : op == 10 ? 3 : 2;

    add(t, "%s.%s %c%s%s", ops[op], types[type], 'p' + (int)below(t, 3), masks[below(t, 4)],
        below(t, 6) ? "" : " (NE.x)");
    for (unsigned i = 0; i < sources; i++)
        if (i == 1 && (op == 5 || op == 6))
            add(t, ", a.%c", component(t));
        else
            add(t, ", %c", 'p' + (int)below(t, 3));
    add(t, ";\n");
}

/* Floats as integers. */
static void conversion(struct text *t)
{
    static const char *const ops[] = {"ROUND", "TRUNC", "FLR", "CEIL", "CVT", "CVT"},
    *const modes[] = {"", ".TRUNC", ".FLR", ".SAT"};
    unsigned op = below(t, 6), type = below(t, 2), mode = below(t, 4);
    char to = (char)('a' + below(t, 5)), from = (char)('a' + below(t, 5));

    if (op < 4)
        add(t, "%s.%s %c, %s%c;\n", ops[op], type ? "S" : "U", to, mode ? "" : "-", from);
    else
        add(t, "CVT%s.%s.F32 %c, %c;\n", modes[mode], type ? "S32" : "U32", to, from);
}

static void approximation(struct text *t)
{
    static const char *const ops[] = {"RCP", "RSQ", "EX2", "LG2", "SIN", "COS", "POW"},
    *const signs[] = {"", "", "-", "|"};
    unsigned op = below(t, 8), sign = below(t, 4);
    const char *end = sign == 3 ? "|" : "";

    add(t, "%s.F ", ops[op % 7]);
    result(t);
    add(t, ", %s", signs[sign]);
    scalar(t);
    add(t, "%s", end);
    if (op == 6) {
        add(t, below(t, 2) ? ", -" : ", ");
        scalar(t);
    }
    add(t, ";\n");
}

static void operation(struct text *t)
{
    static const char *const sums[] = {"MUL", "ADD", "SUB", "ADD", "MUL"},
    *const ccs[] = {"", "", "", "", ".CC", ".CC1"},
                 *const ends[] = {"", "", "", ".SAT", ".PREC"}, *const integers[] = {"ADD", "SUB", "XOR", "AND"},
                 *const vectors[] = {"DP3", "DP4", "XPD", "DST", "DPH"}, *const moves[] = {"F", "U", "S"},
                 *const threes[] = {"MAD.F", "MAD.F", "CMP.F", "CMP.S"};
    unsigned kind = below(t, 100), sources = 2;

    if (kind < 40) {
        const char *op = sums[below(t, 5)], *cc = ccs[below(t, 6)];
        add(t, "%s.F%s%s ", op, cc, ends[below(t, 5)]);
    } else if (kind < 50) {
        const char *op = threes[below(t, 4)];
        add(t, "%s%s ", op, ccs[below(t, 6)]);
        sources = 3;
    } else if (kind < 68) {
        const char *type = moves[below(t, 3)];
        add(t, "MOV.%s%s ", type, ccs[below(t, 6)]);
        sources = 1;
    } else if (kind < 76) {
        add(t, "%s.F ", vectors[below(t, 5)]);
    } else if (kind < 84) {
        const char *op = integers[below(t, 4)];
        add(t, "%s.U%s ", op, ccs[below(t, 6)]);
    } else if (kind < 90) {
        add(t, "SHFXOR.U %c.xy, ", 'a' + (int)below(t, 5));
        scalar(t);
        add(t, ", 1, 31;\n");
        return;
    } else if (kind < 92) {
        conversion(t);
        return;
    } else if (kind < 95) {
        add(t, "DIV.F ");
        result(t);
        add(t, ", ");
        source(t);
        add(t, below(t, 2) ? ", -" : ", ");
        scalar(t);
        add(t, ";\n");
        return;
    } else if (kind < 96) {
        add(t, "MUL.F ");
        result(t);
        add(t, ", ");
        source(t);
        add(t, ", 1.0;\n");
        return;
    } else {
        approximation(t);
        return;
    }
    result(t);
    for (unsigned i = 0; i < sources; i++) {
        add(t, ", ");
        source(t);
    }
    add(t, ";\n");
}

static void block(struct text *t, unsigned depth, bool in_loop)
{
    for (unsigned n = 2 + below(t, 5); n--;) {
        unsigned kind = below(t, 100);
        if (depth < MAX_DEPTH && kind < 12) {
            add(t, "IF NE.%c;\n", component(t));
            block(t, depth + 1, in_loop);
            if (below(t, 2)) {
                add(t, "ELSE;\n");
                block(t, depth + 1, in_loop);
            }
            add(t, "ENDIF;\n");
        } else if (depth < MAX_DEPTH && kind < 20) {
            add(t, "REP.S %u;\n", 1 + below(t, 3));
            block(t, depth + 1, true);
            add(t, "ENDREP;\n");
        } else if (in_loop && kind < 25) {
            add(t, "%s;\n", below(t, 2) ? "BRK (LT.x)" : "CONT (NE.y)");
        } else if (kind < 29) {
            add(t, "CAL sub;\n");
        } else if (kind < 31) {
            add(t, "RET (GT.z);\n");
        } else if (kind < 42) {
            double_operation(t);
        } else {
            operation(t);
        }
    }
}

static void write_program(struct text *t, uint64_t seed)
{
    t->length = 0;
    t->random = seed;
    add(t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_shuffle;\n"
           "OPTION NV_gpu_program_fp64;\nGROUP_SIZE 48;\nSTORAGE in[] = { program.storage[0] };\n"
           "STORAGE out[] = { program.storage[1] };\nTEMP a, b, c, d, e, i;\nLONG TEMP p, q, r;\n"
           "main: MUL.U i.x, invocation.globalid.x, 16;\nLDB.U32X4 a, in[i.x];\nLDB.U32X4 b, in[i.x + 64];\n"
           "LDB.U32X4 c, in[i.x + 1024];\n"
           "LDB.F64X4 p, in[i.x + 2048];\nLDB.F64X2 q.xy, in[i.x + 32];\nMOV.F64 q.zw, p.yxyx;\nMOV.F64 r, q;\n"
           "MOV.F.CC d.xy, b;\nMOV.F.CC1 c, c;\n");
    block(t, 0, false);
    add(t, "STB.U32X4 a, out[i.x];\nSTB.U32X4 b, out[i.x + 4096];\n"
           "STB.F64X2 p, out[i.x + 8192];\nSTB.F64X2 q, out[i.x + 12288];\nRET;\nsub:\n");
    for (unsigned i = 0; i < 4; i++)
        operation(t);
    add(t, "RET;\nEND\n");
}

/* Doubles alone: what is done about NaNs in one function of machine code. */
static void write_double_program(struct text *t, uint64_t seed)
{
    t->length = 0;
    t->random = seed + 2000000;
    add(t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nGROUP_SIZE 32;\n"
           "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\nTEMP a, i, j;\n"
           "LONG TEMP p, q, r;\n"
           "MUL.U i.x, invocation.globalid.x, 32;\nLDB.U32X4 a, in[i.x + 16];\nLDB.F64X4 p, in[i.x];\n"
           "LDB.F64X4 q, in[i.x + 4096];\n"
           "LDB.F64X4 r, in[i.x + 8192];\nMOV.S.CC j, invocation.localid.x;\n");
    for (unsigned n = 1 + below(t, 6); n--;)
        if (below(t, 4) || seed % 2)
            double_operation(t);
        else
            wide_operation(t);
    add(t, "STB.F64X4 p, out[i.x];\nSTB.F64X4 q, out[i.x + 4096];\nSTB.F64X4 r, out[i.x + 8192];\nEND\n");
}

/* ---- programs that are mostly flow --------------------------------------------------------------------- */

static const char *const rules[] = {"EQ", "NE", "LT", "GE", "GT", "LE", "NAN", "LEG", "CF", "NCF", "OF", "NOF", "SF",
 "NSF",
                                    "AB", "BLE", "TR", "FL"};

static void test_of(struct text *t)
{
    static const char *const swizzles[] = {".x", ".y", ".z", ".w", "", ".yxxw"};
    const char *rule = below(t, 3) ? rules[below(t, 6)] : rules[below(t, 18)];

    add(t, "%s%s%s", rule, below(t, 4) ? "" : "1", swizzles[below(t, 6)]);
}

/* Of integers and floats that machine code has rows for, and a few that it has not. */
static void small_operation(struct text *t)
{
    static const char *const integers[] = {"ADD", "SUB", "XOR", "AND", "MUL", "SHR", "SEQ", "SLT", "MIN"},
                 *const floats[] = {"ADD", "MUL", "SUB", "SGE", "MIN", "DP3"}, *const ccs[] = {"", "", ".CC", ".CC1"};
    unsigned kind = below(t, 100);
    char name = (char)('a' + below(t, 5));

    if (kind < 55) {
        const char *op = integers[below(t, 9)], *type = below(t, 2) ? "S" : "U", *cc = ccs[below(t, 4)];
        add(t, "%s.%s%s ", op, type, cc);
        result(t);
        add(t, ", %c.%c, ", name, component(t));
        if (below(t, 3))
            scalar(t);
        else
            add(t, "%u", below(t, 70));
    } else if (kind < 80) {
        const char *op = floats[below(t, 6)], *cc = ccs[below(t, 4)];
        add(t, "%s.F%s ", op, cc);
        result(t);
        add(t, ", %c, ", name);
        source(t);
    } else if (kind < 88) {
        add(t, "LDB.U32 %c.%c, in[i.x + %u]", name, component(t), 4 * below(t, 64));
    } else if (kind < 94) {
        add(t, "MOV.U %c.%c (", name, component(t));
        test_of(t);
        add(t, "), %c.%c", 'a' + (int)below(t, 5), component(t));
    } else {
        add(t, "MAD.F %c, %c, %c.%c, ", name, 'a' + (int)below(t, 5), 'a' + (int)below(t, 5), component(t));
        source(t);
    }
    add(t, ";\n");
}

static void flow_block(struct text *t, unsigned depth, bool in_loop)
{
    for (unsigned n = 1 + below(t, 5); n--;) {
        unsigned kind = below(t, 100);
        if (depth < MAX_DEPTH && kind < 20) {
            add(t, "IF ");
            test_of(t);
            add(t, ";\n");
            flow_block(t, depth + 1, in_loop);
            if (below(t, 2)) {
                add(t, "ELSE;\n");
                flow_block(t, depth + 1, in_loop);
            }
            add(t, "ENDIF;\n");
        } else if (depth < MAX_DEPTH && kind < 30) {    /* a count that differs from lane to lane, or a known one */
            if (below(t, 3))
                add(t, "AND.U i.z, %c.%c, 7;\nREP.S i.z;\n", 'a' + (int)below(t, 5), component(t));
            else
                add(t, "REP.S %u;\n", 1 + below(t, 4));
            flow_block(t, depth + 1, true);
            add(t, "ENDREP;\n");
        } else if (depth < MAX_DEPTH && kind < 34) {    /* no count: a counter ends it */
            add(t, "AND.U i.%c, %c.%c, 15;\nREP;\nSUB.S.CC i.%c, i.%c, 1;\nBRK (LT.%c);\n", "wyz"[depth],
                'a' + (int)below(t, 5), component(t), "wyz"[depth], "wyz"[depth], "wyz"[depth]);
            flow_block(t, depth + 1, true);
            add(t, "ENDREP;\n");
        } else if (in_loop && kind < 42) {
            add(t, "%s (", below(t, 2) ? "BRK" : "CONT");
            test_of(t);
            add(t, ");\n");
        } else {
            small_operation(t);
        }
    }
}

static void write_flow_program(struct text *t, uint64_t seed)
{
    t->length = 0;
    t->random = seed + 1000000;
    add(t, "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE %u;\nSTORAGE in[] = { program.storage[0] };\n"
           "STORAGE out[] = { program.storage[1] };\nTEMP a, b, c, d, e, i;\n"
           "MUL.U i.x, invocation.globalid.x, 16;\nLDB.U32X4 a, in[i.x];\nLDB.U32X4 b, in[i.x + 64];\n"
           "LDB.U32X4 c, in[i.x + 1024];\nMOV.F.CC d, b;\nMOV.S.CC1 e, c;\n", 32 + 16 * below(t, 2));
    flow_block(t, 0, false);
    flow_block(t, 0, false);
    add(t, "STB.U32X4 a, out[i.x];\nSTB.U32X4 b, out[i.x + 4096];\nSTB.U32X4 c, out[i.x + 8192];\n"
           "STB.U32X4 d, out[i.x + 12288];\nEND\n");
}

/* ---- running ------------------------------------------------------------------------------------------- */

struct way {
    const char *name;
    bool tracked, watched;
    unsigned jobs;
    int level;                  /* -1: the best */
};

static const struct way ways[] = {
    {"plain", false, false, 1, -1},   {"watched", false, true, 1, -1}, {"tracked", true, false, 1, -1},
    {"tracked and watched", true, true, 1, -1}, {"on three threads", true, false, 3, -1},
    {"tracked without machine code", true, false, 1, EVAL_LEVEL_V4},
    {"tracked at the base level", true, false, 1, EVAL_LEVEL_BASE},
    {"at the base level", false, false, 1, EVAL_LEVEL_BASE}, {"at level v3", false, false, 1, EVAL_LEVEL_V3},
    {"without machine code", false, false, 1, EVAL_LEVEL_V4},
    {"by machine code for AVX2", false, false, 1, EVAL_LEVEL_AVX2},
    {"tracked by machine code for AVX2", true, false, 1, EVAL_LEVEL_AVX2},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct counts {
    uint64_t instructions, lanes;
};

static void run(const char *text, const struct way *way, const uint32_t *in, uint32_t *out, uint32_t *undefined,
                struct counts *counts)
{
    struct gp5_run_options options = {.track_undefined = way->tracked, .jobs = way->jobs};
    struct eval_observer nobody = {0};
    struct gp5_buffer storage[2] = {{0, (uint8_t *)(uintptr_t)in, WORDS * 4, NULL},
                                    {1, (uint8_t *)out, WORDS * 4, way->tracked ? undefined : NULL}};
    struct gp5_launch launch = {.groups = {4, 1, 1}, .storage = storage, .nstorage = 2};
    enum eval_level level = way->level < 0 ? eval_best_level() : (enum eval_level)way->level;
    struct gp5_report report;
    struct prepared p;

    if (!evaluate_prepare(&p, text, &options, level))
        fail_msg("%s\n%s", p.message, text);
    memset(out, 0, WORDS * 4);
    if (eval_execute(p.executable, &launch, &options, way->watched ? &nobody : NULL, &report) != GP5_RUN_OK)
        fail_msg("%s: %s\n%s", way->name, report.message, text);
    *counts = (struct counts){report.instructions, report.lanes};
    gp5_report_free(&report);
    evaluate_free(&p);
}

/* Who looks on sees instructions that nobody needs, and one of those may be the first to read what is undefined: the
 * words are the same, their reasons need not be. */
static bool same_undefined(const uint32_t *a, const uint32_t *b, bool watched)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (watched ? !a[i] != !b[i] : a[i] != b[i])
            return false;
    return true;
}

struct words {
    uint32_t *in, *first, *out, *undefined[2];
};

static struct words make_words(void)
{
    struct words w = {evaluate_words(WORDS), evaluate_words(WORDS), evaluate_words(WORDS),
                      {evaluate_words(WORDS), evaluate_words(WORDS)}};
    uint64_t random = 7;

    for (unsigned i = 0; i < WORDS;
         i++) { /* small floats of either sign, and some other words, NaNs of any kind among them */
        w.in[i] = i % 7 ? 0x3f000000u + (evaluate_random(&random) & 0x80ffffff) : evaluate_random(&random);
        if (i % 35 == 0)
            w.in[i] |= 0x7ff00000;
    }
    return w;
}

static void free_words(struct words *w)
{
    free(w->in);
    free(w->first);
    free(w->out);
    free(w->undefined[0]);
    free(w->undefined[1]);
}

static void run_all_ways(const char *text, unsigned n, struct words *w)
{
    struct counts counted, again;

    run(text, &ways[0], w->in, w->first, NULL, &counted);
    for (unsigned i = 1; i < WAYS; i++) {
        if (ways[i].level > (int)eval_best_level())
            continue;
        run(text, &ways[i], w->in, w->out, w->undefined[i > 2], &again);
        if (memcmp(w->first, w->out, WORDS * 4) || again.instructions != counted.instructions ||
            again.lanes != counted.lanes)
            fail_msg("program %u is another one %s:\n%s", n, ways[i].name, text);
        if (i > 2 && ways[i].tracked && !same_undefined(w->undefined[0], w->undefined[1], ways[i].watched))
            fail_msg("program %u has other undefined words %s:\n%s", n, ways[i].name, text);
    }
}

static void test_ways(void **state)
{
    static struct text t;
    struct words w = make_words();
    uint64_t undefined_seen = 0;

    (void)state;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        write_program(&t, n);
        run_all_ways(t.bytes, n, &w);
        for (unsigned i = 0; i < WORDS; i++)
            undefined_seen += w.undefined[0][i] != 0;
    }
    assert_true(undefined_seen > 1000);     /* d and e start undefined */
    free_words(&w);
}

static void test_flow(void **state)
{
    static struct text t;
    struct words w = make_words();

    (void)state;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        write_flow_program(&t, n);
        run_all_ways(t.bytes, n, &w);
    }
    free_words(&w);
}

static void test_doubles(void **state)
{
    static struct text t;
    struct words w = make_words();
    uint64_t random = 11;

    (void)state;
    for (unsigned i = 1; i < WORDS; i += 2)
        if (evaluate_random(&random) % 4 == 0)
            w.in[i] |= 0x7ff00000;
    for (unsigned n = 0; n < PROGRAMS; n++) {
        write_double_program(&t, n);
        run_all_ways(t.bytes, n, &w);
    }
    free_words(&w);
}

/* Sums of products with as many operands and results as there are, where few registers are left for planes. */
static void test_few_registers(void **state)
{
    static const char
        head[] = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 48;\n"
                 "STORAGE in[] = { program.storage[0] };\n"
                 "STORAGE out[] = { program.storage[1] };\nTEMP a, b, c, d, e, f, i;\n"
                 "MUL.U i.x, invocation.globalid.x, 16;\nLDB.U32X4 a, in[i.x];\n"
                 "LDB.U32X4 b, in[i.x + 64];\n"
                 "LDB.U32X4 c, in[i.x + 1024];\nLDB.U32X4 d, in[i.x + 2048];\n"
                 "LDB.U32X4 e, in[i.x + 4096];\n"
                 "LDB.U32X4 f, in[i.x + 512];\n",
        sums[] = "ADD.F a, a, e;\nMUL.F b, b, d;\nDP4.F c, a, b;\nRSQ.F d, -a.y;\nDPH.F e, -c, d;\nDP4.F a, -b, |e|;\n"
                 "RCP.F b.yzw, |a.x|;\nCMP.F c, a, d, b;\nDP3.F d.xw, c, e;\n"
                 "ADD.F a, a, e;\nCMP.F d.yz, f.wxyz, a, f;\n",
        foot[] = "STB.U32X4 a, out[i.x];\nSTB.U32X4 b, out[i.x + 4096];\nSTB.U32X4 c, out[i.x + 8192];\n"
                 "STB.U32X4 d, out[i.x + 12288];\nEND\n";
    struct words w = make_words();
    char text[4096];

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        snprintf(text, sizeof text, "%s%s%s%s%s%s%s", head, sums, sums, n ? "MOV.F.CC i.y, a.x;\nIF GT.y;\n" : "", sums,
                 n ? "ENDIF;\n" : "", foot);
        run_all_ways(text, n, &w);
    }
    free_words(&w);
}

/* A subroutine that the text ends with goes back to its caller, who reads what it left. */
static void test_last_subroutine(void **state)
{
    static const char text[] =
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 48;\nSTORAGE in[] = { program.storage[0] };\n"
        "STORAGE out[] = { program.storage[1] };\nTEMP a, b, i;\nLONG TEMP p, q;\n"
        "MUL.U i.x, invocation.globalid.x, 16;\nLDB.U32X4 a, in[i.x];\nLDB.U32X4 b, in[i.x + 64];\n"
        "LDB.U64X2 p.xy, in[i.x + 1024];\nLDB.U64X2 q.xy, in[i.x + 2048];\nCAL sub;\nSTB.U32X4 a, out[i.x];\n"
        "STB.U64X2 p, out[i.x + 4096];\nRET;\n"
        "sub:\nMAD.F b, a, b, a;\nMUL.F a, b, b;\nAND.U64 p.y, p.x, q.y;\nXOR.U64 q.x, p.y, q.y;\n"
        "ADD.U64 p.x, q.x, p.y;\nEND\n";
    struct words w = make_words();

    (void)state;
    run_all_ways(text, 0, &w);
    free_words(&w);
}

/* A loop that does not end comes to the limit at the same instruction of the same loop. */
static void test_limit(void **state)
{
    static const char text[] =
        "!!NVcp5.0\nGROUP_SIZE 48;\nTEMP a;\nMOV.U.CC a, invocation.localindex;\nREP;\nIF NE.x;\n"
        "REP;\nADD.U a.x, a.x, 1;\nBRK (EQ.x);\nENDREP;\nENDIF;\nBRK (EQ.x);\nENDREP;\nEND\n";
    struct gp5_run_options options = {.jobs = 1, .max_instructions = 12345};
    struct gp5_launch launch = {.groups = {1, 1, 1}};
    struct gp5_report first = {0}, report;

    (void)state;
    for (enum eval_level level = EVAL_LEVEL_BASE; level <= eval_best_level(); level++) {
        struct prepared p;
        assert_true(evaluate_prepare(&p, text, &options, level));
        assert_int_equal(eval_execute(p.executable, &launch, &options, NULL, &report), GP5_RUN_LIMIT);
        evaluate_free(&p);
        if (level == EVAL_LEVEL_BASE) {
            first = report;
            continue;
        }
        assert_string_equal(report.message, first.message);
        assert_int_equal(report.offset, first.offset);
        assert_int_equal(report.instructions, first.instructions);
        assert_int_equal(report.lanes, first.lanes);
        gp5_report_free(&report);
    }
    gp5_report_free(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_flow),
     cmocka_unit_test(test_doubles),
                                       cmocka_unit_test(test_few_registers),
                                       cmocka_unit_test(test_last_subroutine),
                                       cmocka_unit_test(test_limit)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
