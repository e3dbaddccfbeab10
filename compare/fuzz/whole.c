/* A whole program with its inputs: declarations, what every lane starts with, statements, and what every lane shows. */
#include "compare/fuzz/whole_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- flow -------------------------------------------------------------------------------------------------------- */

static const char *const flow_tests[] = {
    "NE.x", "EQ.y", "GT.z", "LT.x", "GE.w", "LE.y", "NE.xyzw", "EQ.x", "NE.w", "TR.x"};

static void put_block(struct whole_grow *g, unsigned most)
{
    for (unsigned i = 0, n = 1 + fuzz_below(g->random, most); i < n && g->left; i++)
        g->statement(g);
}

static void put_if(struct whole_grow *g)
{
    bool uniform = g->uniform;
    whole_condition(g);
    fuzz_text_printf(g->body, "IF %s;\n", FUZZ_PICK(g->random, flow_tests));
    g->depth++;
    g->uniform = false;
    put_block(g, 4);
    if (fuzz_chance(g->random, 50)) {
        fuzz_text_put(g->body, "ELSE;\n");
        put_block(g, 3);
    }
    fuzz_text_put(g->body, "ENDIF;\n");
    g->depth--;
    g->uniform = uniform;
}

static void put_leave(struct whole_grow *g)
{
    whole_condition(g);
    const char *test = FUZZ_PICK(g->random, flow_tests);
    const char *leave = fuzz_chance(g->random, 50) ? "BRK" : "CONT";
    fuzz_text_printf(g->body, "%s (%s);\n", leave, test);
}

static void put_loop(struct whole_grow *g)
{
    bool uniform = g->uniform, leaves = g->leaves, counted = fuzz_chance(g->random, 50);
    if (counted) {
        fuzz_text_printf(g->body, "REP.S %u;\n", fuzz_below(g->random, 5));
    } else {
        const char *form2 = fuzz_chance(g->random, 50) ? "U" : "S";
        const char *form = fuzz_chance(g->random, 50) ? "invocation.threadid.x" : "invocation.localindex.x";
        fuzz_text_printf(g->body, "AND.U N.x, %s, 3;\nREP.%s N.x;\n", form, form2);
        g->uniform = false;
    }
    g->depth++;
    g->loops++;
    g->leaves = fuzz_chance(g->random, 50);
    if (g->leaves) {        /* who has left comes to no BAR of the loop */
        g->uniform = false;
        put_block(g, 2);
        put_leave(g);
    }
    put_block(g, 3);
    fuzz_text_put(g->body, "ENDREP;\n");
    g->loops--;
    g->depth--;
    g->leaves = leaves;
    g->uniform = uniform;
}

static void put_call(struct whole_grow *g)
{
    unsigned to = g->subroutine + 1 + fuzz_below(g->random, WHOLE_SUBROUTINES);
    if (to > WHOLE_SUBROUTINES)
        return;
    if (fuzz_chance(g->random, 50)) {
        whole_condition(g);
        fuzz_text_printf(g->body, "CAL sub%u (%s);\n", to, FUZZ_PICK(g->random, flow_tests));
    } else {
        fuzz_text_printf(g->body, "CAL sub%u;\n", to);
    }
}

static void put_index(struct whole_grow *g)
{
    char letter = "xyzw"[fuzz_below(g->random, 4)];
    unsigned reg = fuzz_below(g->random, 5);
    fuzz_text_printf(g->body, "AND.U A.x, R%u.%c, 3;\n", reg, letter);
}

static void put_statement(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 100);
    if (!g->left)
        return;
    g->left--;
    if (g->settings->table && fuzz_chance(g->random, 65))
        whole_table(g);
    else if (g->settings->dense && fuzz_chance(g->random, 65))
        whole_dense(g);
    else if (g->settings->rare && fuzz_chance(g->random, 40))
        whole_rare(g);
    else if (g->settings->wider && fuzz_chance(g->random, 18))
        whole_far(g);
    else if (g->settings->wider && fuzz_chance(g->random, 6))
        whole_indirect(g);
    else if (g->settings->halves && fuzz_chance(g->random, 12))
        whole_more(g);
    else if (g->settings->forms && fuzz_chance(g->random, 25))
        whole_form(g);
    else if (at < 10 && g->depth < 4)
        put_if(g);
    else if (at < 16 && g->depth < 4 && g->loops < 2)
        put_loop(g);
    else if (at < 19)
        put_call(g);
    else if (at < 21 && g->leaves)
        put_leave(g);
    else if (at < 22 && g->subroutine && g->depth)
        fuzz_text_put(g->body, "RET (NE.x);\n");
    else if (at < 26)
        put_index(g);
    else if (at < 28)
        whole_condition(g);
    else if (at < 44 && g->settings->products && fuzz_chance(g->random, 80))
        whole_compute(g);
    else if (at < 38)
        whole_memory(g);
    else if (at < 48)
        whole_together(g);
    else
        whole_compute(g);
}

/* ---- what every lane starts with, and shows ---------------------------------------------------------------------- */

static void put_start(struct whole_grow *g, bool holes)
{
    fuzz_text_printf(g->body, "MAD.U N.x, invocation.groupid.x, %u, invocation.localindex.x;\n", g->lanes);
    if (g->c->groups[1] > 1 || g->c->groups[2] > 1)
        fuzz_text_printf(g->body,
                         "MAD.U N.x, invocation.groupid.y, %u, N.x;\nMAD.U N.x, invocation.groupid.z, %u, N.x;\n",
                         g->lanes * g->c->groups[0], g->lanes * g->c->groups[0] * g->c->groups[1]);
    fuzz_text_printf(g->body, "MUL.U P.y, N.x, %u;\nMAD.U P.z, N.x, %u, %u;\nMUL.U P.w, invocation.localindex.x, 16;\n",
                     WHOLE_STRIDE, WHOLE_SLOT, WHOLE_SLOT);
    fuzz_text_printf(g->body, "MUL.U N.y, N.x, %u;\nAND.U P.x, N.y, 0x3e0;\n",
                     16 * (1 + 2 * fuzz_below(g->random, 20)));
    fuzz_text_put(g->body, "MOV.U.CC0 A, 0;\nMOV.U.CC1 N, 1;\nMOV.U Z, 0;\n");
    for (unsigned i = 0; i < 5; i++)
        if (!holes || fuzz_chance(g->random, 60))
            fuzz_text_printf(g->body, "LDB.U32X4 R%u, in[P.x + %u];\n", i, 16 * fuzz_below(g->random, 32));
    for (unsigned i = 0; i < 3; i++)
        if (!holes || fuzz_chance(g->random, 60))
            fuzz_text_printf(g->body, "LDB.U64X4 D%u, in[P.x + %u];\n", i, 32 * fuzz_below(g->random, 16));
    for (unsigned i = 0; i < 4; i++)
        if (!holes || fuzz_chance(g->random, 60)) {
            const char *form = fuzz_chance(g->random, 50) ? ".wzyx" : "";
            unsigned reg = fuzz_below(g->random, 5);
            fuzz_text_printf(g->body, "MOV.U arr[%u], R%u%s;\n", i, reg, form);
        }
}

static void put_end(struct whole_grow *g)
{
    for (unsigned i = 0; i < 3; i++)
        fuzz_text_printf(g->body, "STB.U64X4 D%u, out[P.y + %u];\n", i, 32 * i);
    for (unsigned i = 0; i < 5; i++)
        fuzz_text_printf(g->body, "STB.U32X4 R%u, out[P.y + %u];\n", i, 96 + 16 * i);
    for (unsigned i = 0; i < 4; i++)
        fuzz_text_printf(g->body, "STB.U32X4 arr[%u], out[P.y + %u];\n", i, 176 + 16 * i);
    fuzz_text_put(g->body, "MOV.U N, 0;\nMOV.U N (LT), 1;\nOR.U N (EQ), N, 2;\nOR.U N (CF), N, 4;\nOR.U N (OF), N, 8;\n"
                           "OR.U N (SF1), N, 16;\nOR.U N (EQ1), N, 32;\nOR.U N (CF1), N, 64;\nOR.U N (OF1), N, 128;\n");
    fuzz_text_put(g->body, "STB.U32X4 N, out[P.y + 240];\n");
}

/* `size` NULL: the launch gives it. */
static void put_header(struct fuzz_text *t, const char *size, const char *more, const struct whole_case *c,
                       const struct whole_settings *settings)
{
    static const char *const options[] = {
        "NV_shader_storage_buffer", "NV_shader_thread_group", "NV_shader_thread_shuffle", "NV_internal",
                                          "NV_gpu_program_fp64", "NV_gpu_program5_mem_extended",
                                          "NV_shader_atomic_float",
                                          "NV_shader_atomic_int64"};
    fuzz_text_put(t, "!!NVcp5.0\n");
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        fuzz_text_printf(t, "OPTION %s;\n", options[o]);
    fuzz_text_put(t, c->wider ? "OPTION NV_shader_atomic_counters;\nOPTION NV_shader_atomic_float64;\nOPTION "
                                "NV_shader_atomic_fp16_vector;\n"
                              : "");
    fuzz_text_put(t, c->textures ? "OPTION EXT_shader_image_load_formatted;\nOPTION ARB_shader_image_size;\n" : "");
    if (settings->forms)
        whole_forms_declare(t, c);
    if (size)
        fuzz_text_printf(t, "GROUP_SIZE %s;\n", size);
    else
        fuzz_text_put(t, "OPTION ARB_compute_variable_group_size;\n");
    fuzz_text_put(t, settings->rare ? "SHARED_MEMORY 2048;\n" : "SHARED_MEMORY 1024;\n");
    fuzz_text_put(t, c->textures ? "IMAGE im[] = { image[0..1] };\n" : "");
    fuzz_text_printf(t,
                     "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
                     "STORAGE own[] = { program.storage[2] };\nSHARED sm[] = { program.sharedmem };\n"
                     "CBUFFER cb[] = { program.buffer[0] };\nBUFFER4 cv[] = { program.buffer[0] };\nBUFFER cw[] = { "
                     "program.buffer[1] };\n"
                     "PARAM ps[] = { program.local[0..2], {1, 2.5, -3, 0.125}, program.local[3] };\n"
                     "TEMP R0, R1, R2, R3, R4;\nTEMP arr[4];\nTEMP A, N, P, Z%s;\nLONG TEMP D0, D1, D2;\n",
                     more);
    if (c->wider)
        whole_launch_declare(t);
    if (settings->forms)
        whole_forms_variables(t);
    if (settings->halves)
        fuzz_text_put(t, "SHORT TEMP H0, H1;\n");
    if (settings->rare)
        whole_rare_declare(t, settings);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

static uint32_t draw_word(struct fuzz_random *r)
{
    static const uint32_t nasty[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x80800000,
                                     0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7fffffff, 0xffffffff,
                                     0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x4f000000, 0xcf000000, 0x4f800000,
                                     0x3f000000, 0x40000000, 0x4b800000, 0x33800000, 0x477ff000, 31,         32,
                                     33,         63,         64,         0x7ff00000, 0xfff00000, 0x000fffff, 0x7fefffff,
                                     0x3ff00000, 0x41e00000, 0x43e00000};
    switch (fuzz_below(r, 5)) {
    case 0: return FUZZ_PICK(r, nasty);
    case 1: return fuzz_below(r, 100) - (fuzz_chance(r, 40) ? 50 : 0);
    case 2: return (uint32_t)fuzz_next(r);
    case 3: return (0x3c000000 + (uint32_t)fuzz_below(r, 0x07000000)) | (fuzz_chance(r, 50) ? 0x80000000 : 0);
    default: return 0x3f800000 + (fuzz_below(r, 2048) << 12);
    }
}

static bool draw_data(struct fuzz_random *r, unsigned lanes, struct whole_case *c)
{
    uint32_t all = lanes * c->groups[0] * c->groups[1] * c->groups[2];
    size_t size[WHOLE_PLACES] = {2048, (size_t)all * WHOLE_STRIDE, (size_t)(all + 1) * WHOLE_SLOT,
                                 c->wider ? (size_t)(all + 1) * WHOLE_FAR_SLOT : 0};
    for (unsigned i = 0; i < c->textures; i++)
        size[WHOLE_BUFFERS + i] = c->texture[i].bytes;
    for (unsigned i = 0; i < WHOLE_PLACES; i++) {
        free(c->storage[i]);
        c->size[i] = size[i];
        c->storage[i] = calloc(size[i] + 1, 1);
        if (!c->storage[i])
            return false;
        for (size_t at = 0; i != WHOLE_OUTPUT && at < size[i]; at += 4) {
            uint32_t word = draw_word(r);
            memcpy(c->storage[i] + at, &word, 4);
        }
    }
    for (size_t at = 0; at < WHOLE_CONSTANTS; at += 4) {
        uint32_t word = draw_word(r);
        memcpy(c->constants + at, &word, 4);
    }
    for (unsigned i = 0; i < 16; i++)
        c->local[i / 4][i % 4] = draw_word(r);
    if (c->wider)
        whole_launch_draw(r, c);
    return true;
}

bool whole_grow(const struct whole_settings *settings, uint64_t number, struct whole_case *c)
{
    static const struct { const char *text; unsigned lanes; uint32_t size[3]; } sizes[] = {
        {"32", 32, {32, 1, 1}}, {"32", 32, {32, 1, 1}}, {"64", 64, {64, 1, 1}}, {"48", 48, {48, 1, 1}},
        {"7", 7, {7, 1, 1}},
        {"1", 1, {1, 1, 1}}, {"4 8", 32, {4, 8, 1}}, {"5 4 3", 60, {5, 4, 3}}, {"33", 33, {33, 1, 1}}};
    struct fuzz_random mix = {settings->seed}, r = {fuzz_next(&mix) ^ number * 0x9e3779b97f4a7c15u};
    struct fuzz_text body = {0};
    struct whole_grow g = {
        .random = &r, .settings = settings, .body = &body, .c = c, .uniform = true, .statement = put_statement};
    const char *size;
    unsigned i;
    fuzz_next(&r);
    c->program.size = 0;
    c->program.failed = false;
    c->groups[0] = 1 + (fuzz_chance(&r, 25) ? 1 + fuzz_below(&r, 2) : 0);
    c->groups[1] = c->groups[2] = 1;
    i = fuzz_below(&r, sizeof sizes / sizeof *sizes);
    g.lanes = sizes[i].lanes;
    size = sizes[i].text;
    c->wider = settings->wider;
    memset(c->group_size, 0, sizeof c->group_size);
    if (c->wider && fuzz_chance(&r, 30))
        memcpy(c->group_size, sizes[i].size, sizeof c->group_size);
    if (settings->rare && !c->group_size[0]) {
        size = whole_rare_groups(&r, c, &g.lanes);
        g.bars = fuzz_chance(&r, 30) && !settings->spec;
        g.uniform = !g.bars;
    }
    c->textures = 0;
    if (settings->images || settings->forms)
        whole_draw_images(&r, g.lanes, c);
    c->own = settings->forms && !settings->driver;
    if (settings->forms)
        whole_draw_samplers(&r, c, settings->driver);
    put_header(&c->program, c->group_size[0] ? NULL : size, "", c, settings);
    g.left = 1 + fuzz_below(&r, settings->statements ? settings->statements : 24);
    put_start(&g, fuzz_chance(&r, 12) && !settings->driver);     /* with holes there are registers that nothing is
                                                                  * written to */
    if (c->wider)
        whole_launch_start(&g);
    if (settings->rare)
        whole_rare_start(&g);
    if (settings->dense)
        whole_dense_begin(&g);
    while (g.left)
        put_statement(&g);
    put_end(&g);
    if (c->wider)
        whole_launch_end(&g);
    fuzz_text_put(&body, "RET;\n");
    g.leaves = false;
    for (g.subroutine = 1; g.subroutine <= WHOLE_SUBROUTINES; g.subroutine++) {
        g.uniform = false;
        g.left = 1 + fuzz_below(&r, 5);
        whole_label(&g);
        while (g.left)
            put_statement(&g);
        fuzz_text_put(&body,
                      (g.subroutine < WHOLE_SUBROUTINES && !settings->rare) || fuzz_chance(&r, 50) ? "RET;\n" : "");
    }
    fuzz_text_add(&c->program, body.bytes ? body.bytes : "", body.size);
    fuzz_text_put(&c->program, "END\n");
    c->program.failed |= body.failed;
    fuzz_text_free(&body);
    return !c->program.failed && draw_data(&r, g.lanes, c);
}

bool whole_around(uint64_t seed, const char *statements, struct whole_case *c)
{
    struct whole_settings settings = {.seed = seed};
    struct fuzz_random r = {seed};
    struct fuzz_text body = {0};
    struct whole_grow g = {.random = &r, .settings = &settings, .body = &body, .c = c, .statement = put_statement};
    *c = (struct whole_case){.groups = {2, 1, 1}};
    g.lanes = 48;
    put_header(&c->program, "48", ", U, V", c, &settings);
    put_start(&g, false);
    fuzz_text_put(&body, statements);
    put_end(&g);
    fuzz_text_put(&body,
                  "RET;\nsub1:\nMOV.U R0, R1;\nsub2:\nRET;\nsub3:\nIF NE.x;\nSNE.F R3, R3, R2;\nELSE;\nENDIF;\n");
    fuzz_text_add(&c->program, body.bytes ? body.bytes : "", body.size);
    fuzz_text_put(&c->program, "END\n");
    c->program.failed |= body.failed;
    fuzz_text_free(&body);
    return !c->program.failed && draw_data(&r, g.lanes, c);
}

void whole_free(struct whole_case *c)
{
    fuzz_text_free(&c->program);
    for (unsigned i = 0; i < WHOLE_PLACES; i++)
        free(c->storage[i]);
    *c = (struct whole_case){0};
}
