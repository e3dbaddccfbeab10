/* Every cause of undefinedness is told: the instruction, its line, the lane, the cause; and --strict ends the run with
 * it.
 * "# here" stands behind the instruction that must be named. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1024, INVOCATIONS = 40 };    /* two warps, the second one of eight */

#define HEAD                                                                                                           \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\n"  \
    "OPTION NV_shader_atomic_float;\nOPTION NV_internal;\nOPTION EXT_sparse_texture2;\nGROUP_SIZE 40;\nSHARED_MEMORY " \
    "1024;\n"                                                                                                          \
    "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\nSHARED mem[] = { "               \
    "program.sharedmem };\n"                                                                                           \
    "TEMP r, l, n, t, arr[4];\nLONG TEMP D;\nMUL.U l.x, invocation.localindex.x, 4;\nMOV.U n.x, "                      \
    "invocation.localindex.x;\nMOV.U t, 0;\n"
#define TAIL "\nSTB.U32 r, out[l.x];\nEND\n"

struct cause {
    const char *body, *reason;
    uint32_t lane;              /* the first one */
    bool spec, races;
};

static const struct cause causes[] = {
    /* registers that were never written */
    {"STB.U32 t, out[0];\nMOV.U r.x, r.y; # here", "r.y was never written", 0, false, false},
    {"ADD.U r.x, n, arr[2].z; # here", "arr[2].z was never written", 0, false, false},
    {"MOV.U r, 1;\nMOV.U r.x (GT1.y), 2; # here", "CC1.y was never written", 0, false, false},
    {"MOV.U r, 1;\nMOV.U r.x (RESIDENT), 2; # here", "no access with SPARSE came before", 0, false, false},
    {"SGT.U.CC t.x, n.x, 6;\nIF EQ.x;\nMOV.U r.x, 1;\nENDIF;\nADD.U r.x, r.x, 1; # here", "r.x was never written", 7,
     false, false},
    {"LDS.U32 r.x, mem[l.x]; # here", "this shared memory was never written", 0, false, false},
    {"MOV.U r.x, invocation.localindex.y; # here", "invocation.localindex.y has no value", 0, false, false},
    /* out of range */
    {"MOV.U arr[0], 0;\nMOV.U arr[1], 0;\nMOV.U arr[2], 0;\nMOV.U arr[3], 0;\nMOV.U r.x, arr[n.x].x; # here",
     "the index is beyond the array", 4,
     false, false},
    {"LDB.U32 r.x, in[l.x + 1]; # here", "the address is not a multiple of the access's size", 0, true, false},
    {"LOAD.U32 r.x, D.x; # here", "D.x was never written", 0, false, false},
    {"MOV.U64 D.x, 4096;\nLOAD.U32 r.x, D.x; # here", "no buffer stands at the address", 0, false, false},
    {"TEX r, t, texture[3], 2D; # here", "TEX: nothing is bound to the unit", 0, true, false},
    {"LOADIM.U32 r, t, image[3], 2D; # here", "LOADIM: the unit has no image that can be accessed", 0, true, false},
    {"SHL.U r.x, 1, n.x; # here", "SHL: shift count out of range", 0, true, false},
    {"DIV.U r.x, 7, n.x; # here", "DIV: division by zero", 0, true, false},
    {"SSG.F16 r.x, n.x; # here", "SSG: of halves the driver gives a register that nobody wrote", 0, false, false},
    /* lanes */
    {"SLT.U.CC t.x, n.x, 5;\nMOV.U r.x, 0;\nIF NE.x;\nSHFIDX.U r.xy, n.x, 9, 31; # here\nMOV.U r.x, r.y;\nENDIF;",
     "lane 9 was inactive when lane 0 read it", 0, true, false},
    {"SHFDOWN.U r.xy, n.x, 2, 31; # here\nMOV.U r.x, r.y;", "lane 8 was inactive when lane 6 read it", 6, true, false},
    {"MOV.U r.x, 0;\nSGE.U.CC t.x, n.x, 32;\nIF NE.x;\nSHFIDX.U r.xy, n.x, 9, 31; # here\nMOV.U r.x, r.y;\nENDIF;",
     "lane 9 was inactive when lane 0 read it", 0,
     true, false},
    /* BAR */
    {"MOV.U r.x, 0;\nSLT.U.CC t.x, n.x, 5;\nIF NE.x;\nBAR; # here\nENDIF;", "BAR does not reach every invocation of", 0,
     false, false},
    {"MOV.U r.x, 0;\nSGE.U.CC t.x, n.x, 32;\nIF NE.x;\nBAR;\nELSE;\nBAR; # here\nENDIF;",
     "BAR does not reach every invocation of", 0, false, false},
    {"MOV.U r.x, 0;\nSLT.U.CC t.x, n.x, 5;\nRET (NE.x);\nBAR; # here", "BAR does not reach every invocation of", 5,
     false, false},
    {"MOV.U r.x, 0;\nSGE.U.CC t.x, n.x, 32;\nRET (NE.x);\nBAR; # here", "BAR does not reach every invocation of", 0,
     false, false},
    {"MOV.U r.x, 0;\nREP;\nADD.U r.x, r.x, 1;\nSGE.U t.x, n.x, 32;\nSGE.U t.y, r.x, 2;\nOR.U.CC t.y, t.x, t.y;\n"
     "IF NE.y;\nBAR; # here\nENDIF;\n"
     "SGE.U t.z, r.x, 3;\nSGE.U t.y, r.x, 2;\nAND.U t.y, t.x, t.y;\nOR.U.CC t.z, t.z, t.y;\nBRK (NE.z);\nENDREP;",
     "BAR does not reach every invocation of", 0, false, false},
    /* races */
    {"STS.U32 n, mem[l.x];\nADD.U t.x, l.x, 4;\nMIN.U t.x, t.x, 156;\nLDS.U32 r.x, mem[t.x]; # here", "data race: ", 0,
     false, true},
    {"STB.U32 n, out[l.x + 2048];\nADD.U t.x, l.x, 4;\nMIN.U t.x, t.x, 156;\nLDB.U32 r.x, out[t.x + 2048]; # here",
     "data race: ", 0, false, true},
    {"STS.U32 n, mem[0]; # here\nBAR;\nLDS.U32 r.x, mem[0];", "data race: ", 1, false, true},
    {"STS.U32 0, mem[0];\nBAR;\nATOMS.ADD.U32 r.x, 1, mem[0]; # here", "the order of atomic operations shows: ", 1,
     false, true},
    {"ATOMB.EXCH.U32 t.x, n.x, out[2048]; # here\nBAR;\nLDB.U32 r.x, out[2048];",
     "the order of atomic operations shows: ", 1, false, true},
    /* components that are left open */
    {"ATOMB.ADD.U32 r, 1, out[l.x + 2048]; # here\nMOV.U r.x, r.y;", "ATOMB leaves its component y open", 0, true,
     false},
    {"SHFXOR.U r, n.x, 1, 31; # here\nMOV.U r.x, r.z;", "SHFXOR leaves its component z open", 0, true, false},
    {"I2F.S t, n.x;\nRFL r, t, t; # here\nMOV.U r.x, r.w;", "RFL: the instruction has no w", 0, true, false},
    {"MOV.U r.x, invocation.clocklo.x; # here", "the clock differs from one run to the next", 0, false, false},
};

static unsigned line_of(const char *text, size_t offset)
{
    unsigned line = 1;

    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    return line;
}

static enum gp5_run_status run(const struct cause *c, const char *text, bool strict, struct gp5_report *report)
{
    struct gp5_run_options options = {.semantics = c->spec ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA,
                                      .track_undefined = true,
                                      .track_races = c->races,
                                      .strict = strict,
                                      .jobs = 1};
    uint32_t *in = evaluate_words(WORDS), *out = evaluate_words(WORDS), *undefined = evaluate_words(WORDS);
    enum gp5_run_status status = evaluate(text, &options, 1, in, WORDS, out, WORDS, undefined, report);

    free(in);
    free(out);
    free(undefined);
    return status;
}

static void test_causes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        const struct cause *c = &causes[i];
        const struct gp5_origin *found = NULL;
        struct gp5_report report;
        char text[4096], where[32];
        enum gp5_run_status status;
        unsigned line;

        snprintf(text, sizeof text, HEAD "%s" TAIL, c->body);
        line = line_of(text, (size_t)(strstr(text, "# here") - text));
        status = run(c, text, false, &report);
        for (size_t k = 0; k < report.norigins && !found; k++)
            if (line_of(text, report.origins[k].offset) == line &&
                !strncmp(report.origins[k].reason, c->reason, strlen(c->reason)))
                found = &report.origins[k];
        for (size_t k = 0; k < report.norigins && !found; k++)
            print_error("    line %u, lane %u: %s\n", line_of(text, report.origins[k].offset), report.origins[k].lane,
                        report.origins[k].reason);
        if (!found)
            fail_msg("%s: line %u, %s: not told (status %d %s)", c->body, line, c->reason, status,
                     report.message ? report.message : "");
        if (found->lane != c->lane)
            fail_msg("%s: lane %u", c->body, found->lane);
        gp5_report_free(&report);
        status = run(c, text, true, &report);
        snprintf(where, sizeof where, "line %u", line);
        if (status != GP5_RUN_UNDEFINED || !strstr(report.message, c->reason) || !strstr(report.message, where))
            fail_msg("%s: strict: %d, %s", c->body, status, report.message ? report.message : "");
        gp5_report_free(&report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_causes)};

    return cmocka_run_group_tests_name("honest", tests, NULL, NULL);
}
