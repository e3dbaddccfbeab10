/* What NVIDIA's driver answered to questions that the specifications leave open of the graphics stages
 * (tests/tools/experiments/stage_questions.c asks them), held against the evaluator. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gp5.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 64 };

struct question {
    const char *text;
    struct gp5_launch launch;
    struct gp5_array inputs[2], result;
    struct gp5_buffer storage;
    struct gp5_texture texture;
    _Alignas(16) uint32_t memory[WORDS], words[WORDS];
    float texels[4 * 85];
};

static const uint32_t floats[] = {0x3f800000, 0x40000000, 0x40400000, 0x40800000};      /* 1 to 4 */

static void ask(struct question *q, const char *result, size_t elements)
{
    struct gp5_run_options options = {.size = sizeof options, .semantics = GP5_SEMANTICS_NVIDIA, .jobs = 1};
    struct gp5_report report = {0};
    char *message = NULL;
    size_t offset;
    gp5_program *program = gp5_parse(q->text, strlen(q->text));
    gp5_executable *x = gp5_prepare(program, &options, &message, &offset);

    if (!x)
        fail_msg("%s", message);
    q->result = (struct gp5_array){.binding = result, .words = q->words, .count = elements};
    q->launch.size = sizeof q->launch;
    q->launch.results = &q->result;
    q->launch.nresults = 1;
    q->launch.inputs = q->inputs;
    q->storage = (struct gp5_buffer){.data = (uint8_t *)q->memory, .size = sizeof q->memory};
    q->launch.storage = &q->storage;
    q->launch.nstorage = 1;
    if (gp5_execute(x, &q->launch, &options, &report) != GP5_RUN_OK)
        fail_msg("%s", report.message);
    gp5_report_free(&report);
    gp5_executable_free(x);
    gp5_program_free(program);
}

static void are(const uint32_t *got, const uint32_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != expected[i])
            fail_msg("word %zu: %08x, the driver gave %08x", i, got[i], expected[i]);
}

/* ---- fragments of one quad -------------------------------------------------------------------------------------- */

#define FRAGMENT                                                                                                       \
    "!!NVfp5.0\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\n"                                    \
    "OPTION NV_shader_storage_buffer;\nSTORAGE s[] = { program.storage[0] };\nTEMP t, u, v;\n"
#define NUMBER "MAD t.x, fragment.position.y, 10.0, fragment.position.x;\n"

static void ask_quad(struct question *q)
{
    q->launch.width = q->launch.height = 2;
    ask(q, "result.color", 4);
}

/* Q45: lanes are (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1). */
static void test_order_of_a_quad(void **state)
{
    struct question q = {.text = FRAGMENT NUMBER "QSWZ0 u.x, t.x, 0.0;\nQSWZ1 u.y, t.x, 0.0;\nQSWZ2 u.z, t.x, 0.0;\n"
                                                 "QSWZ3 u.w, t.x, 0.0;\nMOV result.color, u;\nEND\n"};
    static const uint32_t each[4] = {0x40b00000, 0x40d00000, 0x41780000, 0x41840000};

    (void)state;
    ask_quad(&q);
    for (unsigned i = 0; i < 4; i++)
        are(q.words + 4 * i, each, 4);
}

/* Q44: where a lane of the quad is not active the others get 0. */
static void test_half_a_quad(void **state)
{
    struct question q = {.text = FRAGMENT NUMBER
                         "MOV u, 99.0;\nSLT.CC v.x, fragment.position.x, 1.0;\nIF NE.x;\nQSWZ0 u.x, t.x, 5.0;\n"
                         "QSWZ1 u.y, t.x, 5.0;\nQSWZX u.z, t.x, 5.0;\nENDIF;\nMOV result.color, u;\nEND\n"};
    static const uint32_t active[4] = {0, 0, 0, 0x42c60000},
                          other[4] = {0x42c60000, 0x42c60000, 0x42c60000, 0x42c60000};

    (void)state;
    ask_quad(&q);
    for (unsigned i = 0; i < 4; i++)
        are(q.words + 4 * i, i % 2 ? other : active, 4);
}

/* Q46: a sum of floats, but beside a 0 in the text. */
static void test_sum_of_a_quad(void **state)
{
    struct question sum = {.text =
                               FRAGMENT "LDB.U32X4 t, s[0];\nLDB.U32X4 v, s[16];\nQSWZ0 u.x, t.x, v.x;\nMOV u.y, 1.0;\n"
                                        "QSWZ0 u.z, t.z, v.x;\nQSWZ0 u.w, t.x, v.y;\nMOV result.color, u;\nEND\n"};
    struct question copy = {.text =
                                FRAGMENT "LDB.U32X4 t, s[0];\nQSWZ0 u.x, t.x, 0.0;\nQSWZ0 u.y, t.y, 0.0;\n"
                                         "QSWZ0 u.z, t.z, 0.0;\nQSWZ0 u.w, t.x, -0.0;\nMOV result.color, u;\nEND\n"};
    static const uint32_t memory[8] = {0x80000000, 1, 0x7fa00001, 0, 0, 0x80000000, 0, 0};

    (void)state;
    memcpy(sum.memory, memory, sizeof memory);
    ask_quad(&sum);
    are(sum.words, (const uint32_t[]){0, 0x3f800000, 0x7fffffff, 0x80000000}, 4);
    memcpy(copy.memory, memory, sizeof memory);
    ask_quad(&copy);
    are(copy.words, (const uint32_t[]){0x80000000, 1, 0x7fa00001, 0x80000000}, 4);
}

/* Q40: who was discarded votes as a helper; Q170: and stores no more. */
static void test_discarded(void **state)
{
    struct question votes = {.text = FRAGMENT "SUB t.x, fragment.position.x, 1.0;\nKIL t.x;\nTGBALLOT.U u.x, 1;\n"
                                              "MOV.U result.color, u.x;\nEND\n"};
    struct question stores = {.text = FRAGMENT
                              "FLR t.xy, fragment.position;\nMAD t.z, t.y, 2.0, t.x;\nTRUNC.S u.x, t.z;\n"
                              "MUL.S u.x, u.x, 4;\nSTB.U32 7, s[u.x];\nSUB t.x, fragment.position.x, 1.0;\n"
                              "KIL t.x;\nSTB.U32 9, s[u.x + 16];\nMOV result.color, 1.0;\nEND\n"};

    (void)state;
    ask_quad(&votes);
    assert_int_equal(votes.words[4], 0xf);
    ask_quad(&stores);
    are(stores.memory, (const uint32_t[]){7, 7, 7, 7, 0, 9, 0, 9}, 8);
}

static void give_levels(struct question *q)
{
    size_t n = 0;

    for (unsigned level = 0, size = 8; size; level++, size /= 2)
        for (unsigned i = 0; i < 4 * size * size; i++)
            q->texels[n++] = (float)level;
    q->texture = (struct gp5_texture){.kind = GP5_TEXTURE_2D,
                                      .format = GP5_FORMAT_RGBA32F,
                                      .size = {8, 8, 1},
                                      .levels = 4,
                                      .data = (uint8_t *)q->texels,
                                      .bytes = sizeof q->texels};
    q->texture.sampler =
        (struct gp5_sampler){.min_filter = GP5_FILTER_LINEAR_MIPMAP_LINEAR, .min_lod = -0.5f, .max_lod = 2.25f};
    q->launch.textures = &q->texture;
    q->launch.ntextures = 1;
}

/* Q143: LOD, x within the bounds and the levels that there are, y before them. */
static void test_level_of_detail(void **state)
{
    static const struct { const char *scale; uint32_t x, y;
    } answers[] = {{"0.03125", 0, 0xc0000000},
                   {"0.125", 0, 0},
                   {"0.25", 0x3f800000, 0x3f800000},
                   {"0.375", 0x3fcb0000, 0x3fcb0000},
                   {"1.0", 0x40100000, 0x40400000},
                   {"8.0", 0x40100000, 0x40c00000},
                   {"0.0", 0, 0xc2000000}};

    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        char text[400];
        struct question q = {.text = text};
        snprintf(text, sizeof text,
                 FRAGMENT "MUL t, fragment.position, %s;\nLOD u, t, texture[0], 2D;\nMOV result.color, u;\nEND\n",
                 answers[i].scale);
        give_levels(&q);
        ask_quad(&q);
        are(q.words, (const uint32_t[]){answers[i].x, answers[i].y}, 2);
    }
}

/* Q167: with one sample SAMPLE attributes are those of the centre; DDX of what is made of them is a difference. */
static void test_derivative_at_a_sample(void **state)
{
    static const float across[4] = {1, 3, 1, 3};
    static const uint32_t each[3] = {0x40800000, 0x42000000, 0};      /* 4; 36 - 4 */
    uint32_t words[16] = {0};
    struct question q = {.text = FRAGMENT
                         "SAMPLE ATTRIB a = fragment.texcoord[0];\nMUL t, a, 2.0;\nMUL u.x, t.x, t.x;\nDDX v.x, t.x;\n"
                         "DDX v.y, u.x;\nDDY v.z, t.x;\nMOV result.color, v;\nEND\n"};

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        memcpy(&words[4 * i], &across[i], sizeof *words);
    q.inputs[0] = (struct gp5_array){.binding = "fragment.texcoord[0]", .words = words, .count = 4};
    q.launch.ninputs = 1;
    ask_quad(&q);
    for (unsigned i = 0; i < 4; i++)
        are(q.words + 4 * i, each, 3);
}

/* ---- vertices, primitives, patches ------------------------------------------------------------------------------- */

/* Q30: shuffles between vertices; Q174: vertex.id counts from the first vertex, base and all; Q175: instances from 0.
 */
static void test_numbers(void **state)
{
    struct question q = {
        .text = "!!NVvp5.0\nOPTION NV_shader_thread_shuffle;\nTEMP t;\nSHFXOR.U t.xy, vertex.id.x, 1, 31;\n"
                "MOV.U result.position.x, vertex.id.x;\nMOV.U result.position.y, vertex.instance.x;\n"
                "MOV.U result.position.z, t.y;\nEND\n"};

    (void)state;
    q.launch.count = 2;
    q.launch.instances = 2;
    q.launch.first = 4;
    ask(&q, "result.position", 4);
    for (unsigned i = 0; i < 4; i++)
        are(q.words + 4 * i, (const uint32_t[]){4 + i % 2, i / 2, 5 - i % 2}, 3);
}

/* A product goes into a sum as a whole only where nothing else wants it, and what is behind a program wants results. */
static void test_product_of_a_result(void **state)
{
    struct question q = {
        .text = "!!NVvp4.0\nOUTPUT o = result.texcoord[0];\nTEMP t;\nMOV t, vertex.position;\nMOV result.position, t;\n"
                "MUL o.xy, t, t.y;\nMUL o.z, t.z, t.w;\nADD t.x, t.x, t.y;\nDIV o.w, t.x, t.x;\nEND\n"};

    (void)state;
    q.inputs[0] = (struct gp5_array){.binding = "vertex.position", .words = (uint32_t *)(uintptr_t)floats, .count = 1};
    q.launch.ninputs = 1;
    q.launch.count = 1;
    ask(&q, "result.texcoord[0]", 1);
    are(q.words, (const uint32_t[]){0x40000000, 0x40800000, 0x41400000, 0x3f800000}, 4);
}

/* Generic attribute n is the conventional one in every dialect (draw_questions): what a new context has, the array of
 * either name; a normal's array has no w. */
static void test_attributes(void **state)
{
    static const char *const texts[] = {
        "!!ARBvp1.0\nMOV result.position, vertex.attrib[%u];\nEND\n",
        "!!NVvp5.0\nMOV result.position, vertex.attrib[%u];\nEND\n",
        "!!VP2.0\nMOV o[HPOS], v[%u];\nEND\n"};
    static const uint32_t fresh[4][4] = {{0, 0, 0, 0x3f800000},
                                         {0x3f800000, 0, 0, 0x3f800000},
                                         {0, 0, 0x3f800000, 0x3f800000},
                                         {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000}};
    static const uint32_t normal[4] = {0x3f800000, 0x40000000, 0x40400000, 0x3f800000};
    static const struct { unsigned number; const char *given; } arrays[] = {
        {2, "vertex.normal"}, {3, "vertex.color"}, {9, "vertex.texcoord[1]"}};
    char text[96];

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *to = i == 2 ? "o[HPOS]" : "result.position";
        for (unsigned n = 0; n < 4; n++) {
            struct question q = {.text = text};
            snprintf(text, sizeof text, texts[i], n);
            q.launch.count = 1;
            ask(&q, to, 1);
            are(q.words, fresh[n], 4);
        }
        for (unsigned n = 0; n < (i == 2 ? 0 : 3); n++) {
            struct question q = {.text = text};
            snprintf(text, sizeof text, texts[i], arrays[n].number);
            q.inputs[0] = (struct gp5_array){
                .binding = arrays[n].given, .words = (uint32_t *)(uintptr_t)floats, .count = 1};
            q.launch.ninputs = 1;
            q.launch.count = 1;
            ask(&q, to, 1);
            are(q.words, n ? floats : normal, 4);
        }
    }
    struct question q = {.text = "!!NVvp4.0\nMOV result.position, vertex.normal;\nEND\n"};
    q.inputs[0] =
        (struct gp5_array){.binding = "vertex.attrib[2]", .words = (uint32_t *)(uintptr_t)floats, .count = 1};
    q.launch.ninputs = 1;
    q.launch.count = 1;
    ask(&q, "result.position", 1);
    are(q.words, floats, 4);
}

/* Q165: without derivatives TEX and TXB take the first level. */
static void test_levels_of_vertices(void **state)
{
    struct question q = {.text = "!!NVvp5.0\nTEMP t, u;\nMOV t, {0.5, 0.5, 0, 1.5};\nTEX u, t, texture[0], 2D;\n"
                                 "MOV result.position, u.x;\nTXB u, t, texture[0], 2D;\nMOV result.position.y, u.x;\n"
                                 "TXL u, t, texture[0], 2D;\nMOV result.position.z, u.x;\nEND\n"};

    (void)state;
    give_levels(&q);
    q.launch.count = 1;
    ask(&q, "result.position", 1);
    are(q.words, (const uint32_t[]){0, 0, 0x3fc00000}, 3);
}

/* Q172: what is emitted beyond VERTICES_OUT is dropped. */
static void test_too_many_vertices(void **state)
{
    struct question q = {
        .text =
            "!!NVgp5.0\nPRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 2;\nMOV result.texcoord[0], 1.0;\n"
            "EMIT;\nMOV result.texcoord[0], 2.0;\nEMIT;\nMOV result.texcoord[0], 3.0;\nEMIT;\nEND\n"};

    (void)state;
    q.launch.count = 2;
    ask(&q, "result.texcoord[0]", 4);
    for (unsigned i = 0; i < 4; i++)
        are(q.words + 4 * i, (const uint32_t[]){floats[i % 2]}, 1);
}

#define CONTROL                                                                                                        \
    "!!NVtcp5.0\nOPTION NV_shader_thread_group;\nVERTICES_OUT 4;\nINT TEMP n, c;\nTEMP t;\n"                           \
    "MOV.S n.x, primitive.invocation;\n"

static void ask_patch(struct question *q)
{
    q->launch.count = 1;
    q->launch.patch_vertices = 4;
    ask(q, "result.texcoord[0]", 4);
}

/* Q65: threads of a patch part and meet as those of a group do. */
static void test_threads_of_a_patch(void **state)
{
    struct question loop = {.text = CONTROL
                            "MOV.U t, 0;\nREP;\nTGBALLOT.U t.x, 1;\nADD.U t.z, t.z, 1;\nSGT.S.CC c.x, t.z, n.x;\n"
                            "BRK (NE.x);\nENDREP;\nTGBALLOT.U t.y, 1;\nMOV.U result.texcoord[0], t;\nEND\n"};
    struct question ended = {.text = CONTROL
                             "MOV result.texcoord[0], 1.0;\nSEQ.S.CC c.x, n.x, 1;\nRET (NE.x);\nTGBALLOT.U t.y, 1;\n"
                             "MOV t.z, vertex.out[1].texcoord[0].x;\nMOV result.texcoord[0].yz, t;\nEND\n"};
    struct question sides = {.text = CONTROL
                             "MOV result.texcoord[0], 1.0;\nMOV t.z, 3.0;\nSLT.S.CC c.x, n.x, 2;\nIF NE.x;\n"
                             "MOV result.texcoord[0].w, 2.0;\nELSE;\nMOV t.z, vertex.out[0].texcoord[0].w;\nENDIF;\n"
                             "MOV result.texcoord[0].z, t;\nEND\n"};

    (void)state;
    ask_patch(&loop);
    for (unsigned i = 0; i < 4; i++)
        are(loop.words + 4 * i, (const uint32_t[]){0xfu << i & 0xf, 0xf, i + 1}, 3);
    ask_patch(&ended);
    for (unsigned i = 0; i < 4; i++)
        are(ended.words + 4 * i, (const uint32_t[]){floats[0], i == 1 ? floats[0] : 0xd, floats[0]}, 3);
    ask_patch(&sides);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sides.words[4 * i + 2], floats[i < 2 ? 2 : 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_a_quad),    cmocka_unit_test(test_half_a_quad),
        cmocka_unit_test(test_sum_of_a_quad),      cmocka_unit_test(test_discarded),
        cmocka_unit_test(test_level_of_detail),    cmocka_unit_test(test_derivative_at_a_sample),
        cmocka_unit_test(test_product_of_a_result), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_levels_of_vertices), cmocka_unit_test(test_too_many_vertices),
        cmocka_unit_test(test_threads_of_a_patch)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
