/* Memory that runs out: for programs of every kind, and every allocation of all that can be done with one, the nth
 * fails and all after it. Then nothing crashes, nothing is lost, and the answer is either the one that there is with
 * enough memory or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/arena.h"
#include "gp5.h"

/* ---- the allocator ----------------------------------------------------------------------------------------------- */

static long allowed = -1;                   /* -1: without end */
static _Atomic long taken, alive;           /* the evaluator has threads */
static _Atomic bool ran_out;
static bool only_once;                      /* the one fails, those after it do not */

static bool allow(void)
{
    long now = ++taken;
    if (allowed < 0 || now <= allowed || (only_once && now > allowed + 1))
        return true;
    ran_out = true;
    return false;
}

void *gp5_malloc(size_t size)
{
    void *p = allow() ? malloc(size ? size : 1) : NULL;
    alive += p != NULL;
    return p;
}

void *gp5_realloc(void *old, size_t size)
{
    void *p = allow() ? realloc(old, size ? size : 1) : NULL;
    alive += !old && p;
    return p;
}

void gp5_free(void *p)
{
    alive -= p != NULL;
    free(p);
}

/* ---- what is done with a program --------------------------------------------------------------------------------- */

enum { ROOM = 4096 };

struct outcome {
    bool parsed, counted, ran;
    int64_t position;
    size_t formatted, lowered, statements;
    enum gp5_run_status status;
    uint64_t instructions;
};

static bool see(void *user, const struct gp5_metric *metric)
{
    *(uint64_t *)user += metric->value;
    return true;
}

static bool look(void *user, const struct gp5_diagnostic *d)
{
    *(size_t *)user += strlen(d->message);
    return true;
}

static void run(const gp5_program *program, bool track, struct outcome *o)
{
    static _Alignas(16) uint8_t buffer[4][ROOM];
    static uint32_t undefined[ROOM / 4];
    static float colors[4 * 4 * 4], depth[16];
    static uint8_t covered[16];
    struct gp5_run_options options = {.track_undefined = track, .track_races = track, .jobs = track ? 1 : 2,
                                      .max_instructions = 20000};
    struct gp5_buffer storage[2] = {{0, buffer[0], ROOM, track ? undefined : NULL}, {1, buffer[1], ROOM, NULL}};
    struct gp5_buffer cbuffers[1] = {{1, buffer[2], ROOM, NULL}}, counters[1] = {{0, buffer[3], ROOM, NULL}};
    struct gp5_launch launch = {.groups = {2, 1, 1},
                                .storage = storage,
                                .nstorage = 2,
                                .cbuffers = cbuffers,
                                .ncbuffers = 1,
                                .counters = counters,
                                .ncounters = 1,
                                .width = 4,
                                .height = 4,
                                .colors = colors,
                                .ncolors = 1,
                                .depth = depth,
                                .covered = covered};
    struct gp5_report report;
    char *message = NULL;
    size_t offset = 0;
    memset(buffer, 0, sizeof buffer);
    memset(&report, 0, sizeof report);
    gp5_executable *executable = gp5_prepare(program, &options, &message, &offset);
    if (executable) {
        o->ran = true;
        o->status = gp5_execute(executable, &launch, &options, &report);
        o->instructions += report.instructions;
        gp5_report_free(&report);
    }
    gp5_text_free(message);
    gp5_executable_free(executable);
}

static struct outcome use(const char *text, bool track)
{
    struct outcome o = {.position = -2};
    uint64_t sum = 0;
    size_t size = 0;
    char *message = NULL;
    gp5_program *program = gp5_parse(text, strlen(text));
    if (!program)
        return o;
    o.parsed = true;
    o.position = gp5_error_position(program, GP5_TARGET_GP5);
    o.statements = gp5_statement_count(program);
    gp5_diagnostics(program, GP5_TARGET_GP5, look, &size);
    char *formatted = gp5_format(program, &o.formatted);
    gp5_text_free(formatted);
    o.counted = gp5_count(program, see, &sum);
    char *lowered = gp5_lower(program, GP5_LOWER_ALLOW_INTERNAL, &o.lowered, &message);
    gp5_text_free(lowered);
    gp5_text_free(message);
    run(program, track, &o);
    gp5_program_free(program);
    return o;
}

/* ---- programs of every kind -------------------------------------------------------------------------------------- */

#define HEAD \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_shuffle;\nOPTION NV_gpu_program_fp64;\n"
#define STORAGE "GROUP_SIZE 64;\nSTORAGE s[] = { program.storage[0] };\nTEMP a, b, c, m[5];\n"

static const char *const programs[] = {
    "",
    "no program",
    "!!ARBfp1.0",
    "!!NVcp5.0\nGROUP_SIZE 1;\nEND",
    "!!ARBfp1.0\nTEMP a, b;\nPARAM p[4] = { program.local[0..3] }; # kept\nALIAS z = a;\n"
    "MAD a, fragment.color, p[1], {1, 2.5, 3, 4};\nDP3 b, fragment.texcoord[0], p[0];\nKIL b;\n"
    "SWZ z, a, x, -y, 0, 1;\nLRP result.color, a, b, z;\nEND\n",
    "!!ARBfp1.0\nOPTION ARB_fog_linear;\nMOV result.color, fragment.color;\nMOV result.depth.z, fragment.position.z;\n"
    "END\n",
    "!!ARBvp1.0\nPARAM m[4] = { state.matrix.mvp };\nADDRESS A0;\nTEMP r;\nARL A0.x, vertex.position.x;\n"
    "DP4 result.position.x, m[0], vertex.position;\nMOV r, m[A0.x + 1];\nMOV result.color, r;\nEND\n",
    "!!NVfp5.0\nTEMP a;\nIF NE.x;\nDDX a, fragment.attrib[0];\nENDIF;\nMOV result.color, a;\nEND\n",
    "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV R0, c[4];\nEND",
    "!!NVcp5.0\nTEMP a, a;\nMUV a, b;\nADD a;\nMOV.Q a, a;\nIF;\nTEMP e[;\nOPTION late;\nPARAM p = {1, 2\n"
    "MOV a.xxy, $;\n",
    HEAD STORAGE
    "LONG TEMP d;\nREP.U 3;\nIF NE.x;\nMOV.U m[a.x + 1], 7;\nELSE;\nCONT (EQ.x);\nENDIF;\nENDREP;\nCAL f (LT.x);\n"
    "SHFUP.U a.xy, a.x, 1, 31;\nADD.F64 d, d, 1.5;\nSTB.F64 d.x, s[8];\nLDB.U32X4 b, s[16];\nRET;\nf:\n"
    "MUL.S24 c, a, b;\nRET;\nEND\n",
    HEAD
    "SHARED_MEMORY 1024;\n" STORAGE "SHARED h[] = { program.sharedmem };\nMOV.U a.x, invocation.localindex.x;\n"
    "SHL.U a.x, a.x, 2;\n"
    "STS.U32 a.x, h[a.x];\nBAR;\nATOMS.ADD.U32 b.x, a.x, h[0];\nATOMB.MAX.U32 b.y, a.x, s[0];\nLDS.U32 c.x, h[a.x];\n"
    "STB.U32 c.x, s[a.x];\nEND\n",
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION GP5_subgroup;\n" STORAGE
    "SGVAR.LANE.U a.x;\nSGRED.ADD.U b, a.x;\nSGXSCAN.MAX.F c, a;\nSGPART.U c, a.x;\nSGREDP.ADD.U c, a, c;\nSGBAR;\n"
    "STB.U32X4 c, s[0];\nEND\n",
    HEAD STORAGE
    "SUBROUTINETYPE T { f, g };\nSUBROUTINE T v = program.subroutine[0];\nCALI v;\nSTB.U32 a.x, s[0];\nRET;\n"
    "f SUBROUTINENUM(0): MOV.U a, 1;\nRET;\ng SUBROUTINENUM(1): MOV.U a, 2;\nRET;\nEND\n",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* What came with too little memory, beside what there is with enough: each part is there as it should be, or not at
 * all. */
static void compare(const char *text, const struct outcome *got, const struct outcome *whole, long n)
{
    bool good = !got->parsed || (got->position == whole->position && got->statements == whole->statements);
    good &= got->formatted == 0 || got->formatted == whole->formatted;
    good &= got->lowered == 0 || got->lowered == whole->lowered;
    good &= !got->ran || got->status == whole->status || got->status == GP5_RUN_NO_MEMORY;
    if (!good)
        fail_msg("allocation %ld fails, and the answer is another one (run status %d, %d):\n%s", n, (int)got->status,
                 (int)whole->status, text);
    if (alive != 0)
        fail_msg("allocation %ld fails, and %ld blocks are lost:\n%s", n, (long)alive, text);
}

static long fail_each(const char *text, bool track, bool once, unsigned *formatted, unsigned *lowered, unsigned *ran)
{
    allowed = -1;
    taken = 0;
    only_once = once;
    struct outcome whole = use(text, track);
    assert_int_equal(alive, 0);
    assert_true(whole.parsed);
    *formatted += whole.formatted != 0 && whole.counted;
    *lowered += whole.lowered != 0;
    *ran += whole.ran && whole.status == GP5_RUN_OK && whole.instructions;
    long count = taken;
    for (long n = 0; n < count; n++) {
        allowed = n;
        taken = 0;
        ran_out = false;
        struct outcome got = use(text, track);
        compare(text, &got, &whole, n);
        if (!once && !ran_out)
            break;
    }
    allowed = -1;
    return count;
}

static void test_programs(void **state)
{
    (void)state;
    long points = 0;
    unsigned formatted = 0, lowered = 0, ran = 0;
    for (int i = 0; i < PROGRAMS; i++)
        for (int how = 0; how < 4; how++)
            points += fail_each(programs[i], how & 1, how & 2, &formatted, &lowered, &ran);
    print_message("%ld allocations of %d programs failed; %u valid, %u lowered, %u run\n", points, PROGRAMS,
                  formatted / 4, lowered / 4, ran / 4);
    assert_true(points > 1000 && formatted / 4 >= 9 && lowered / 4 >= 5 && ran / 4 >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
