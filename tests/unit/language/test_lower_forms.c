/* Forms of the subgroup instructions, each beside statements that say the same: what the instruction is
 * evaluated to, what it is lowered to, and those statements agree. And what is undefined, with its reason. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LANES = 64, GROUPS = 4, IN = 4, OUT = 4 };

/* a: four words of a lane's own; d.x: two of them; i: its place. Results go to r, from e.x where they have 64
 * bits. In groups 0 and 1 every lane is there, in 2 and 3 those that a.w is odd of. */
struct form {
    const char *statements, *same;
};

static const struct form forms[] = {
    /* Vectors: by component, after the swizzle. */
    {"SGRED.ADD.U r, a.wzyx;",
     "SGRED.ADD.U r.x, a.w; SGRED.ADD.U r.y, a.z; SGRED.ADD.U r.z, a.y; SGRED.ADD.U r.w, a.x;"},
    {"SGISCAN.MAX.S r.xz, a;", "SGISCAN.MAX.S r.x, a.x; SGISCAN.MAX.S r.z, a.z;"},
    {"SGXSCAN.XOR.U r.yw, a.xxyy;", "SGXSCAN.XOR.U r.y, a.x; SGXSCAN.XOR.U r.w, a.y;"},
    {"SGREDC.MUL.U r, a, 8;",
     "SGREDC.MUL.U r.x, a.x, 8; SGREDC.MUL.U r.y, a.y, 8; SGREDC.MUL.U r.z, a.z, 8; SGREDC.MUL.U r.w, a.w, 8;"},
    {"SGPART.U p, a.z; SGREDP.ADD.U r.xy, a, p;",
     "SGPART.U p.x, a.z; SGREDP.ADD.U r.x, a.x, p.x; SGREDP.ADD.U r.y, a.y, p.x;"},
    {"SGRED.ADD.S8 r.xyz, a;", "SGRED.ADD.S8 r.x, a.x; SGRED.ADD.S8 r.y, a.y; SGRED.ADD.S8 r.z, a.z;"},
    {"SGSHFXOR.U r, a.yxwz, 6;",
     "SGSHFXOR.U r.x, a.y, 6; SGSHFXOR.U r.y, a.x, 6; SGSHFXOR.U r.z, a.w, 6; SGSHFXOR.U r.w, a.z, 6;"},
    {"SGFIRST.U r, a;", "SGFIRST.U r.x, a.x; SGFIRST.U r.y, a.y; SGFIRST.U r.z, a.z; SGFIRST.U r.w, a.w;"},
    {"SGEQ.U r, a.zzxx;", "SGEQ.U r.x, a.z; MOV.U r.y, r.x; SGEQ.U r.z, a.x; MOV.U r.w, r.z;"},
    {"SGALL.U r.xy, a.zwzw;", "SGALL.U r.x, a.z; SGALL.U r.y, a.w;"},
    {"SGRED.MIN.U64 e.xy, d; UP64.U r, e;", "SGRED.MIN.U64 e.x, d.x; SGRED.MIN.U64 e.y, d.y; UP64.U r, e;"},
    {"SGISCAN.ADD.U64 e.xy, d.yxxx; UP64.U r, e;",
     "SGISCAN.ADD.U64 e.x, d.y; SGISCAN.ADD.U64 e.y, d.x; UP64.U r, e;"},
    {"SGQSWAPD.U r.xyz, a;", "SGSHFXOR.U r.x, a.x, 3; SGSHFXOR.U r.y, a.y, 3; SGSHFXOR.U r.z, a.z, 3;"},
    {"SGQBCAST.U r.w, a.y, 1;",
     "AND.U i.z, invocation.threadid.x, 28; OR.U i.z, i.z, 1; SGSHFIDX.U r.w, a.y, i.z;"},

    /* A whole vector: the AND of its components. */
    {"SGEQ.U r.xy, a.zwzw; AND.U r.x, r.x, r.y; MOV.U r.y, 0;", "PK64.U e.x, a.zwzw; SGEQ.U64 r.x, e.x;"},
    {"AND.U a.w, a.w, 3; SGPART.U p.x, a.z; SGPART.U c.x, a.w; AND.U r.x, p.x, c.x;",
     "AND.U a.w, a.w, 3; PK64.U e.x, a.zwzw; SGPART.U64 r.x, e.x;"},

    /* Variables. */
    {"SGVAR.SIZE.U r;", "MOV.U r, {32, 32, 32, 32};"},
    {"SGVAR.LANE.U r.x;", "AND.U r.x, invocation.localindex.x, 31;"},
    {"SGVAR.ID.U r.x;", "SHR.U r.x, invocation.localindex.x, 5;"},
    {"SGVAR.COUNT.U r.x;", "MOV.U r.x, 2;"},
    {"SGVAR.EQMASK.U r.x;", "AND.U i.z, invocation.localindex.x, 31; SHL.U r.x, 1, i.z;"},
    {"SGVAR.GEMASK.U r.x;", "AND.U i.z, invocation.localindex.x, 31; SHL.U r.x, 0xffffffff, i.z;"},
    {"SGVAR.GTMASK.U r.x;", "AND.U i.z, invocation.localindex.x, 31; SHL.U r.x, 0xfffffffe, i.z;"},
    {"SGVAR.LEMASK.U r.x;",
     "AND.U i.z, invocation.localindex.x, 31; SHL.U r.x, 0xfffffffe, i.z; NOT.U r.x, r.x;"},
    {"SGVAR.LTMASK.U r.x;",
     "AND.U i.z, invocation.localindex.x, 31; SHL.U r.x, 0xffffffff, i.z; NOT.U r.x, r.x;"},
    {"SGVAR.GTMASK.U64 e.x; UP64.U r.xy, e;", "SGVAR.GTMASK.U r.x;"},
    {"SGVAR.LEMASK.U64 e.x; UP64.U r.xy, e;", "SGVAR.LEMASK.U r.x;"},
    {"SGVAR.ID.U64 e.x; UP64.U r.xy, e;", "SGVAR.ID.U r.x;"},
    {"SGVAR.COUNT.U64 e.x; UP64.U r.xy, e;", "SGVAR.COUNT.U r.x;"},
    {"SGVAR.SIZE.S r.x;", "MOV.S r.x, 32;"},

    /* Election, ballots, votes. */
    {"SGELECT.U r;", "TGBALLOT.U i.z, 1; BTFL.U i.z, i.z; SEQ.U r, i.z, invocation.threadid.x;"},
    {"SGELECT.F r.x;", "SGELECT.U r.x; AND.U r.x, r.x, 0x3f800000;"},
    {"SGBALLOT.U r, a.z;", "TGBALLOT.U r.x, a.z;"},
    {"SGBALLOT.U64 e.x, a.z; UP64.U r.xy, e;", "TGBALLOT.U r.x, a.z;"},
    {"MOV.U64 e.y, 0x100000000; AND.U64 e.y, e.y, d.x; SGBALLOT.U64 e.x, e.y; UP64.U r.xy, e;",
     "AND.U i.z, a.y, 1; TGBALLOT.U r.x, i.z;"},
    {"SGBALLOT.U p, a.z; SGBINV.U r.x, p; SGBBIT.U r.y, p, 3; SGBBIT.U r.z, p, i.w;",
     "SNE.U r.x, a.z, 0; TGBALLOT.U p.x, a.z; SHR.U r.y, p.x, 3; AND.U r.y, r.y, 1; MOV.S r.y, -r.y; SHR.U r.z, p.x, "
     "i.w;"
     " AND.U r.z, r.z, 1; MOV.S r.z, -r.z;"},

    /* The barriers: what a lane wrote before is there after. */
    {"SHL.U i.z, invocation.localindex.x, 2; STS.U32 a.x, all[i.z]; SGBAR; SGFIRST.U i.z, i.z; LDS.U32 r.x, all[i.z]; "
     "SGBAR;",
     "SGFIRST.U r.x, a.x;"},
    {"SHL.U i.z, invocation.localindex.x, 2; STS.U32 a.x, all[i.z]; SGMEMBAR.SHARED; SGFIRST.U i.z, i.z; LDS.U32 r.x, "
     "all[i.z];"
     " SGMEMBAR.BUFFER; SGMEMBAR.IMAGE; SGMEMBAR;",
     "SGFIRST.U r.x, a.x;"},

    /* Rotation: delta counts modulo the group's size, in any width; CTA is the whole work group's. */
    {"SGROT.U r.x, a.x, 37;", "SGROT.U r.x, a.x, 5;"},
    {"SGROT.U r.x, a.x, 0xfffffffd;", "SGROT.U r.x, a.x, 29;"},
    {"MOV.U i.z, 6; MOV.U i.w, 1; PK64.U e.y, i.zwzw; SGROT.U r.x, a.x, e.y;", "SGROT.U r.x, a.x, 6;"},
    {"SGROTC.U r.x, a.x, 21, 16;", "SGROTC.U r.x, a.x, 5, 16;"},
    {"SGROTC.U r.x, a.x, 3, 1;", "MOV.U r.x, a.x;"},
    {"SGROTC.U r.x, a.x, 3, 32;", "SGROT.U r.x, a.x, 3;"},
    {"SGROT.CTA.U r.xy, a, 7;", "SGROT.U r.xy, a, 7;"},
    {"SGROTC.CTA.F64 e.x, d.x, 1, 2; UP64.U r.xy, e;", "SGSHFXOR.U64 e.x, d.x, 1; UP64.U r.xy, e;"},
    {"SGROT.U r.x, a.x, 4;",
     "ADD.U i.z, invocation.threadid.x, 4; AND.U i.z, i.z, 31; SGSHFIDX.U r.x, a.x, i.z;"},

    /* Write masks, condition codes, results in the place of operands, signs, literals. */
    {"SGT.U.CC1 i.z, a.x, a.y; SGRED.ADD.U r.xy (NE1.z), a.x;",
     "SGT.U.CC1 i.z, a.x, a.y; SGRED.ADD.U i.w, a.x; MOV.U r.xy (NE1.z), i.w;"},
    {"SGT.U.CC0 i.z, a.x, a.y; SGT.U.CC1 i.w, a.y, a.z; SGRED.MAX.U r.x (NE0.z), a.x; SGREDC.ADD.U r.y (NE1.w), a.y, "
     "4;",
     "SGRED.MAX.U i.z, a.x; SGREDC.ADD.U i.w, a.y, 4; SGT.U.CC0 p.x, a.x, a.y; MOV.U r.x (NE0.x), i.z; SGT.U.CC0 p.x, "
     "a.y, a.z;"
     " MOV.U r.y (NE0.x), i.w;"},
    {"SGRED.MIN.S.CC1 r.x, a.x; MOV.U r.y (LT1.x), 7;",
     "SGRED.MIN.S r.x, a.x; MOV.S.CC1 i.z, r.x; MOV.U r.y (LT1.z), 7;"},
    {"SGREDC.ADD.S16.CC1 r.x, a.x, 4; MOV.U r.y (LT1.x), 7;",
     "SGREDC.ADD.S16 r.x, a.x, 4; MOV.S.CC1 i.z, r.x; MOV.U r.y (LT1.z), 7;"},
    {"SGANY.U.CC1 r.x, a.z; MOV.U r.y (NE1.x), 7;",
     "SGANY.U r.x, a.z; MOV.S.CC1 i.z, r.x; MOV.U r.y (NE1.z), 7;"},
    {"SGSHFDN.U.CC1 r.x, a.x, 0; MOV.U r.y (EQ1.x), 7;",
     "MOV.U r.x, a.x; MOV.U.CC1 i.z, a.x; MOV.U r.y (EQ1.z), 7;"},
    {"MOV.U r.y, a.x; SGISCAN.ADD.U r.y, r.y;", "SGISCAN.ADD.U r.y, a.x;"},
    {"MOV.U r.x, a.x; SGRED.MUL.U16 r.x, r.x;", "SGRED.MUL.U16 r.x, a.x;"},
    {"MOV.U r.x, a.z; SGPART.U r.x, r.x;", "SGPART.U r.x, a.z;"},
    {"MOV.U r.x, a.z; SGEQ.U r.x, r.x;", "SGEQ.U r.x, a.z;"},
    {"SGPART.U p.x, a.z; MOV.U r.x, a.x; SGREDP.XOR.U r.x, r.x, p;",
     "SGPART.U p.x, a.z; SGREDP.XOR.U r.x, a.x, p;"},
    {"SGPART.U r.x, a.z; SGISCANP.ADD.U r.x, a.x, r;", "SGPART.U p.x, a.z; SGISCANP.ADD.U r.x, a.x, p;"},
    {"MOV.U r, a; SGSHFXOR.U r, r, 1;", "SGSHFXOR.U r, a, 1;"},
    {"MOV.U64 e.x, d.x; SGISCAN.MAX.S64 e.x, e.x; UP64.U r.xy, e;",
     "SGISCAN.MAX.S64 e.x, d.x; UP64.U r.xy, e;"},
    {"SGRED.ADD.S r.x, -a.x;", "MOV.S i.z, -a.x; SGRED.ADD.S r.x, i.z;"},
    {"I2F.S p, a; SGRED.MAX.F r.x, |p.x|; SGISCAN.MIN.F r.y, -|p.y|;",
     "I2F.S p, a; MOV.F p.z, |p.x|; SGRED.MAX.F r.x, p.z; MOV.F p.z, -|p.y|; SGISCAN.MIN.F r.y, p.z;"},
    {"SGRED.ADD.U r.x, 1; SGISCAN.ADD.U r.y, 1; SGXSCAN.ADD.U r.z, 1;",
     "TGBALLOT.U p.x, 1; BTC.U r.x, p.x; AND.U p.y, p.x, invocation.threadlemask.x; BTC.U r.y, p.y;"
     " AND.U p.y, p.x, invocation.threadltmask.x; BTC.U r.z, p.y;"},
    {"SGRED.ADD.U r.x, invocation.localindex.x;",
     "MOV.U i.z, invocation.localindex.x; SGRED.ADD.U r.x, i.z;"},

    /* Halves are rounded where they are computed with and compared, short integers cut. */
    {"I2F.U p.x, a.x; SGREDC.ADD.F16 r.x, p.x, 1;",
     "I2F.U p.x, a.x; PK2H.F p.x, p.xxxx; SHL.U i.z, invocation.localindex.x, 2; STS.U32 p.x, all[i.z];"
     " LDS.U32 p.x, all[i.z]; UP2H.F r.x, p.x;"},           /* beside each other PK2H and UP2H are a copy */
    {"MOV.F p.x, 1.0001; SGVAR.LANE.U i.z; I2F.U p.y, i.z; MAD.F p.x, p.y, 0.000001, p.x; SGEQ.F16 r.x, p.x; SGEQ.F "
     "r.y, p.x;"
     " SGELECT.U i.z; SGRED.ADD.U i.w, 1; SEQ.U.CC1 i.w, i.w, 1; MOV.U r.y (NE1.w), 0;",
     "MOV.F r.x, 1.0;"},
    {"OR.U p.x, a.z, 0xab00; SGVAR.LANE.U i.z; SHL.U i.z, i.z, 9; XOR.U p.x, p.x, i.z; SGPART.U8 r.x, p.x;",
     "SGPART.U r.x, a.z;"},
    {"SHL.U p.x, a.x, 16; OR.U p.x, p.x, a.z; SGEQ.S16 r.x, p.x;", "SGEQ.U r.x, a.z;"},
};

static const char frame[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\nOPTION NV_shader_thread_group;\n"
    "OPTION NV_shader_thread_shuffle;\nOPTION GP5_subgroup;\nGROUP_SIZE 64;\nSHARED_MEMORY 256;\n"
    "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
    "SHARED all[] = { program.sharedmem };\n"
    "TEMP a, i, p, r, c;\nLONG TEMP d, e;\nMUL.U i.x, invocation.groupid.x, 64;\n"
    "ADD.U i.x, i.x, invocation.localindex.x;\n"
    "SHL.U i.x, i.x, 4;\nLDB.U32X4 a, in[i.x];\nPK64.U d, a;\nMOV.U r, {0, 0, 0, 0};\nMOV.U64 e, {0, 0, 0, 0};\n"
    "MOV.U p, {0, 0, 0, 0};\nAND.U i.w, a.x, 31;\nSGE.U c.x, invocation.groupid.x, 2;\nNOT.U c.y, a.w;\n"
    "AND.U c.x, c.x, c.y;\n"
    "AND.U c.x, c.x, 1;\nSEQ.U.CC c.x, c.x, 0;\nIF NE.x;\n%s\nENDIF;\nSTB.U32X4 r, out[i.x];\nEND\n";

struct runs { uint32_t *in, *out[3], *undefined[3]; };

static void open_runs(struct runs *r)
{
    uint64_t seed = 8;
    r->in = evaluate_words(GROUPS * LANES * IN);
    for (unsigned k = 0; k < 3; k++) {
        r->out[k] = evaluate_words(GROUPS * LANES * OUT);
        r->undefined[k] = evaluate_words(GROUPS * LANES * OUT);
    }
    for (unsigned i = 0; i < GROUPS * LANES; i++) {
        for (unsigned k = 0; k < IN; k++)
            r->in[i * IN + k] = evaluate_random(&seed);
        r->in[i * IN + 2] = i / LANES % 2 ? 3 : evaluate_random(&seed) % 3;     /* few values, or one */
    }
}

static void close_runs(struct runs *r)
{
    free(r->in);
    for (unsigned k = 0; k < 3; k++) {
        free(r->out[k]);
        free(r->undefined[k]);
    }
}

static char *in_frame(const char *statements)
{
    size_t size = sizeof frame + strlen(statements);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, frame, statements);
    return text;
}

static char *lower(const char *text, unsigned flags)
{
    gp5_program *p = gp5_parse(text, strlen(text));
    char *message = NULL, *lowered = p ? gp5_lower(p, flags, NULL, &message) : NULL;
    if (!lowered)
        fail_msg("%s\n%s", message ? message : "no memory", text);
    gp5_program_free(p);
    return lowered;
}

static void run(struct runs *r, unsigned k, const char *text)
{
    struct gp5_run_options options = {.track_undefined = true, .jobs = 1};
    struct gp5_report report;
    size_t n = GROUPS * LANES * OUT;
    memset(r->out[k], 0, n * 4);
    memset(r->undefined[k], 0, n * 4);
    if (evaluate(text, &options, GROUPS, r->in, GROUPS * LANES * IN, r->out[k], n, r->undefined[k], &report) !=
        GP5_RUN_OK)
        fail_msg("%s\n%s", report.message ? report.message : "it does not run", text);
    gp5_report_free(&report);
}

/* Words that are undefined on one side are not compared; that something was is. */
static void compare(const struct runs *r, unsigned k, const char *statements, const char *what)
{
    unsigned compared = 0;
    for (unsigned i = 0; i < GROUPS * LANES * OUT; i++) {
        if (r->undefined[0][i])
            continue;
        if (r->undefined[k][i] || r->out[0][i] != r->out[k][i])
            fail_msg("%s\nlane %u, component %u: %08x; "
             "%s %08x%s", statements, i / OUT, i % OUT, r->out[0][i], what, r->out[k][i],
                     r->undefined[k][i] ? ", undefined" : "");
        compared++;
    }
    assert_true(compared > GROUPS * LANES);
}

static void same_as_statements(void **state)
{
    struct runs r;
    (void)state;
    open_runs(&r);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *text = in_frame(forms[i].statements), *same = in_frame(forms[i].same);
        run(&r, 0, text);
        run(&r, 1, same);
        compare(&r, 1, forms[i].statements, "the statements give");
        for (unsigned flags = 0; flags < 2; flags++) {
            char *lowered = lower(text, flags ? GP5_LOWER_ALLOW_INTERNAL : 0);
            run(&r, 2, lowered);
            compare(&r, 2, forms[i].statements, "lowered:");
            gp5_text_free(lowered);
        }
        free(text);
        free(same);
    }
    close_runs(&r);
}

/* What is undefined, and a part of what is said of it. */
static const struct form undefined_forms[] = {
    {"SGREDC.ADD.U r.x, a.x, 3;", "power of two"},
    {"SGREDC.ADD.U r.x, a.x, 0;", "power of two"},
    {"SGREDC.ADD.U r.x, a.x, 64;", "larger"},
    {"SGROTC.U r.x, a.x, 1, 12;", "power of two"},
    {"SGROTC.U r.x, a.x, 1, 64;", "larger"},
    {"SGBCAST.U r.x, a.x, i.w;", "must be the same in all"},
    {"SGBCAST.U r.x, a.x, 32;", "outside"},
    {"SGROT.U r.x, a.x, i.w;", "must be the same in all"},
    {"PK64.U e.x, a.zxzx; SGROT.U r.x, a.x, e.x;", "must be the same in all"},
    {"SHR.U i.z, invocation.localindex.x, 5; SGROT.CTA.U r.x, a.x, i.z;", "must be the same in all"},
    {"SGBINV.U r.x, a;", "must be the same in all"},
    {"SGBBIT.U r.x, a, 32;", "index"},
    {"SGQBCAST.U r.x, a.x, 4;", "index"},
    {"SGQBCAST.U r.x, a.x, i.w;", "must be the same in all"},
    {"MOV.U p.x, 0; SGBLSB.U r.x, p;", "no bit"},
    {"MOV.U p.x, 0; SGBMSB.U r.x, p;", "no bit"},
    {"SGSHFIDX.U r.x, a.x, 32;", "outside"},
    {"SGSHFUP.U r.x, a.x, 1;", "outside"},
    {"SGSHFDN.U r.x, a.x, 1;", "outside"},
    {"SGSHFXOR.U r.x, a.x, 32;", "outside"},
    {"SGSHFXOR.U r.x, a.x, 1;", "was inactive"},
    {"SGROT.U r.x, a.x, 1;", "was inactive"},
    {"SGQSWAPH.U r.x, a.x;", "was inactive"},
    {"MOV.U p.x, 0; SGREDP.ADD.U r.x, a.x, p;", "own"},
    {"SGVAR.GEMASK.U p.x; SGISCANP.ADD.U r.x, a.x, p;", "another"},
    {"MOV.F p.x, 0x7fc00000; MOV.U p.x, 0x7fc00000; SGRED.MIN.F r.x, p.x;", "NaN"},
    {"SGNVIDX.U r.xy, a.x, 1, i.w;", "width"},
    {"SGNVUP.U r.xy, a.x, 1, 64;", "width"},
};

static const char *reasons_of(struct runs *r, const char *text, const char *wanted, char *all, size_t size)
{
    struct gp5_run_options options = {.track_undefined = true, .jobs = 1};
    struct gp5_report report;
    size_t n = GROUPS * LANES * OUT, at = 0;
    const char *found = NULL;
    memset(r->out[0], 0, n * 4);
    assert_int_equal(evaluate(text, &options, GROUPS, r->in, GROUPS * LANES * IN, r->out[0], n, r->undefined[0],
                              &report), GP5_RUN_OK);
    for (size_t i = 0; i < report.norigins; i++) {
        at += (size_t)snprintf(all + at, size - at, "%s\n", report.origins[i].reason);
        if (at >= size)
            break;
        if (strstr(report.origins[i].reason, wanted))
            found = wanted;
    }
    gp5_report_free(&report);
    return found;
}

static void undefined_with_a_reason(void **state)
{
    struct runs r;
    (void)state;
    open_runs(&r);
    for (size_t i = 0; i < sizeof undefined_forms / sizeof *undefined_forms; i++) {
        char *text = in_frame(undefined_forms[i].statements), all[4000] = "";
        if (!reasons_of(&r, text, undefined_forms[i].same, all, sizeof all))
            fail_msg("%s is to be undefined: %s; "
             "it is told: %s", undefined_forms[i].statements, undefined_forms[i].same, all);
        free(text);
    }
    close_runs(&r);
}

/* Rows of a family have OP in the place of an operation, CMP in that of a mask's comparison. */
static bool in_family(const char *table, const char *name)
{
    static const char *const words[] = {"Add", "Mul", "Min", "Max", "And", "Or", "Xor", "EqMask", "GeMask", "GtMask",
     "LeMask", "LtMask"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(name, words[i]);
        char family[96];
        if (!at)
            continue;
        snprintf(family, sizeof family, "%.*s%s%s", (int)(at - name), name, strlen(words[i]) > 3 ? "CMPMask" : "OP",
                 at + strlen(words[i]));
        if (strstr(table, family))
            return true;
    }
    return false;
}

/* Every operation of the reference has a row with its instruction and its lowering. */
static void documented(void **state)
{
    char *text = calloc(1, 200000), name[80];
    FILE *f = fopen("docs/subgroups.md", "rb");
    (void)state;
    assert_non_null(f);
    assert_non_null(text);
    assert_true(fread(text, 1, 199999, f) > 10000);
    fclose(f);
    char *table = strstr(text, "| GLSL | gp5 | lowered to |"), *end = table ? strstr(table, "\n\n") : NULL;
    assert_non_null(end);
    *end = 0;
    for (int op = 0; op < GP5_SUBGROUP_OP_COUNT; op++) {
        snprintf(name, sizeof name, "`%s`", gp5_subgroup_info((enum gp5_subgroup_op)op)->glsl);
        if (!strstr(table, name) && !in_family(table, name))
            fail_msg("docs/subgroups.md does not say what %s is in the assembly", name);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(documented), cmocka_unit_test(same_as_statements),
                                       cmocka_unit_test(undefined_with_a_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
