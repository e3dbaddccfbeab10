/* Images: which texel LOADIM, STOREIM and ATOMIM reach and what they move, sizes, handles; what is reported of
 * coordinates that no texel has, of targets and numbers that do not go together; races between texels. Expected values
 * are worked out from EXT_shader_image_load_store; what the driver does where the text is open is
 * tests/unit/eval/test_image_cases.c's. */
#include "tests/unit/eval/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OUT = 128, TEXTURES = 7, IMAGES = 8 };
#define HANDLE 0x100000007ull
#define HEAD                                                                                                        \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_bindless_texture;\nOPTION ARB_shader_image_size;\n"     \
    "OPTION EXT_shader_image_load_formatted;\nOPTION NV_shader_atomic_float;\nOPTION NV_shader_thread_group;\n"     \
    "OPTION NV_gpu_program5_mem_extended;\nGROUP_SIZE 32;\nSTORAGE out[] = { program.storage[0] };\nTEMP r, i, t, " \
    "u;\n"                                                                                                          \
    "LONG TEMP D;\nIMAGE im[] = { image[0..3] };\nIMAGE two[2] = { image[1], image[2] };\n"                         \
    "MOV.U i.x, invocation.threadid.x;\nMUL.U i.y, i.x, 16;\nMOV.U t, 0;\nMOV.U r, 0;\n"

/* Texture 0 is {100, 101 ...}; bytes of the others are 1, 2, 3 ... */
static const struct gp5_texture textures[TEXTURES] = {
    {.unit = 0, .kind = GP5_TEXTURE_2D, .format = GP5_FORMAT_R32UI, .size = {8, 4, 1}, .levels = 2},
    {.unit = 1, .kind = GP5_TEXTURE_2D, .format = GP5_FORMAT_RGBA8, .size = {4, 4, 1}, .levels = 1},
    {.unit = 2, .kind = GP5_TEXTURE_ARRAY2D, .format = GP5_FORMAT_RG16UI, .size = {2, 2, 3}, .levels = 1},
    {.unit = 3, .kind = GP5_TEXTURE_ARRAYCUBE, .format = GP5_FORMAT_R8I, .size = {2, 2, 12}, .levels = 2},
    {.unit = 4, .kind = GP5_TEXTURE_3D, .format = GP5_FORMAT_R16F, .size = {2, 2, 2}, .levels = 1},
    {.unit = 5, .kind = GP5_TEXTURE_BUFFER, .format = GP5_FORMAT_RGBA32F, .size = {4, 1, 1}, .levels = 1},
    {.unit = 6, .kind = GP5_TEXTURE_1D, .format = GP5_FORMAT_RG8_SNORM, .size = {4, 1, 1}, .levels = 1},
};

static const struct gp5_image images[IMAGES] = {
    {.unit = 0, .texture = 0, .layered = true, .format = GP5_FORMAT_R32UI, .handle = HANDLE},
    {.unit = 1, .texture = 0, .level = 1, .format = GP5_FORMAT_R32F},
    {.unit = 2, .texture = 1, .format = GP5_FORMAT_RGBA8},
    {.unit = 3, .texture = 2, .layered = true, .format = GP5_FORMAT_RG16UI},
    {.unit = 4, .texture = 2, .layer = 1, .format = GP5_FORMAT_R32I},
    {.unit = 5, .texture = 3, .level = 1, .layered = true, .format = GP5_FORMAT_R8I},
    {.unit = 6, .texture = 4, .layered = true, .format = GP5_FORMAT_R16F},
    {.unit = 7, .texture = 5, .format = GP5_FORMAT_RGBA32F},
};

struct outcome {
    struct gp5_texture texture[TEXTURES];
    uint32_t *out, *undefined;
    struct gp5_report report;
    enum gp5_run_status status;
};

static void make_textures(struct outcome *o)
{
    for (unsigned i = 0; i < TEXTURES; i++) {
        struct gp5_texture *t = &o->texture[i];
        *t = textures[i];
        t->bytes = (size_t)gp5_texture_bytes(t, t->levels);
        t->data = (uint8_t *)evaluate_words(t->bytes / 4 + 1);
        t->undefined = evaluate_words(t->bytes / 4 + 1);
        for (size_t k = 0; k < t->bytes; k++)
            t->data[k] = (uint8_t)(k + 1);
        for (uint32_t k = 0; i == 0 && k < t->bytes / 4; k++) {
            uint32_t word = 100 + k;
            memcpy(t->data + 4 * k, &word, 4);
        }
    }
}

static void run_with(struct outcome *o, const char *body, struct gp5_run_options options, uint32_t groups,
                     const struct gp5_image *list, size_t n)
{
    char text[4096];
    struct prepared p;

    o->out = evaluate_words(OUT);
    o->undefined = evaluate_words(OUT);
    make_textures(o);
    struct gp5_buffer storage = {0, (uint8_t *)o->out, OUT * 4, o->undefined};
    struct gp5_launch launch = {.groups = {groups, 1, 1}, .storage = &storage, .nstorage = 1, .textures = o->texture,
                                .ntextures = TEXTURES, .images = list, .nimages = n};
    snprintf(text, sizeof text, HEAD "%s\nEND\n", body);
    if (!evaluate_prepare(&p, text, &options, eval_best_level()))
        fail_msg("%s\n%s", p.message, text);
    o->status = gp5_execute(p.executable, &launch, &options, &o->report);
    evaluate_free(&p);
}

static void run(struct outcome *o, const char *body, struct gp5_run_options options, uint32_t groups)
{
    run_with(o, body, options, groups, images, IMAGES);
}

static void done(struct outcome *o)
{
    gp5_report_free(&o->report);
    free(o->out);
    free(o->undefined);
    for (unsigned i = 0; i < TEXTURES; i++) {
        free(o->texture[i].data);
        free(o->texture[i].undefined);
    }
}

#define ONE 0x3f800000u

struct load_case {
    const char *name, *body;    /* leaves its result in r */
    uint32_t lane, result[4];
};

static const struct load_case load_cases[] = {
    {"words in rows", "MOV.U t.y, 2; MOV.U t.x, i.x; LOADIM.U32 r, t, image[0], 2D;", 3, {119, 0, 0, 1}},
    {"the value of an integer", "MOV.U t.xy, {7, 3}; LOADIM.U r, t, im[0], 2D;", 0, {131, 0, 0, 1}},
    {"z and w do not matter", "MOV.S t, {1, 1, 77, -5}; LOADIM.U32 r, t, image[0], 2D;", 0, {109, 0, 0, 1}},
    {"the next level", "MOV.U t.xy, {1, 1}; LOADIM.F32 r, t, im[1], 2D;", 0, {137, 0, 0, ONE}},
    {"its value", "MOV.U t.xy, {1, 1}; LOADIM.F r, t, image[1], 2D;", 0, {137, 0, 0, ONE}},
    {"an element chosen by lane",
     "SGT.U u.x, i.x, 15; AND.U u.x, u.x, 1; MOV.U t.xy, {1, 0}; LOADIM.U32 r, t, im[u.x + 1], 2D;", 16,
     {0x08070605, 0, 0, 1}},
    {"an element of a list", "MOV.U t.xy, {1, 0}; LOADIM.U32 r, t, two[1], 2D;", 0, {0x08070605, 0, 0, 1}},
    {"normalised bytes", "LOADIM.F r, t, image[2], 2D;", 0, {0x3b808081, 0x3c008081, 0x3c40c0c1, 0x3c808081}},
    {"bytes as words", "LOADIM.U8X4 r, t, image[2], 2D;", 0, {1, 2, 3, 4}},
    {"halves of a word", "MOV.U t.x, 1; LOADIM.S16X2 r, t, image[2], 2D;", 0, {0x605, 0x807, 0, 0}},
    {"a layer", "MOV.U t.xyz, {1, 0, 2}; LOADIM.U r, t, image[3], ARRAY2D;", 0, {0x2625, 0x2827, 0, 1}},
    {"one layer alone", "MOV.U t.xyz, {1, 1, 9}; LOADIM.S32 r, t, image[4], 2D;", 0, {0x201f1e1d, 0, 0, 1}},
    {"a face of a cube of an array", "MOV.U t.z, 7; LOADIM.S r, t, image[5], ARRAYCUBE;", 0, {56, 0, 0, 1}},
    {"a byte with its sign", "STOREIM.S8 image[5], {200}, t, ARRAYCUBE; LOADIM.S8 r, t, image[5], ARRAYCUBE;", 0,
     {0xffffffc8, 0, 0, 1}},
    {"a slice", "MOV.U t.xyz, {1, 1, 1}; LOADIM.F16 r, t, image[6], 3D;", 0, {0x3a01e000, 0, 0, 0}},
    {"texels of a buffer", "MOV.U t.x, 1; LOADIM.F32X4 r, t, image[7], BUFFER;", 0,
     {0x14131211, 0x18171615, 0x1c1b1a19, 0x201f1e1d}},
    {"two of four components", "MOV.U t.x, 1; LOADIM.F32X4 r.yw, t, image[7], BUFFER;", 0,
     {0, 0x18171615, 0, 0x201f1e1d}},
    {"into its own coordinates", "MOV.U r.xy, {7, 3}; LOADIM.U32 r, r, image[0], 2D;", 0, {131, 0, 0, 1}},
    {"no such texel", "MOV.S t.xy, {-1, 0}; LOADIM.U32 r, t, image[0], 2D;", 0, {0, 0, 0, 1}},
    {"just beyond the level", "MOV.U t.xy, {4, 0}; LOADIM.F32 r, t, image[1], 2D;", 0, {0, 0, 0, ONE}},
    {"two texels in one", "MOV.U t.x, 3; LOADIM.U32X2 r, t, image[0], 2D;", 0, {106, 107, 0, 1}},
    {"and what would be beyond the row", "MOV.U t.x, 4; LOADIM.U32X2 r, t, image[0], 2D;", 0, {0, 0, 0, 1}},
    {"bits of floats as a number", "LOADIM.U r, t, image[2], 2D;", 0, {0x3b808081, 0x3c008081, 0x3c40c0c1, 0x3c808081}},
    {"flags", "MOV.U t.x, 1; LOADIM.U32.CC r, t, image[0], 2D; MOV.U r, 0; MOV.U r (EQ), 5;", 0, {0, 5, 5, 0}},
    {"clamped",
     "LOADIM.F32X4.SAT r, t, image[7], BUFFER; STOREIM.F32X4 image[7], {2.0, -1.0, 0.5, 0}, t, BUFFER; "
     "LOADIM.F32X4.SAT r, t, "
     "image[7], BUFFER;", 0, {ONE, 0, 0x3f000000, 0}},
    {"by handle", "MOV.U64 D.x, 4294967303; MOV.U t.x, 5; LOADIM.U32 r, t, handle(D.x), 2D;", 0, {105, 0, 0, 0}},
    {"sizes", "IMQ r.xy, image[0], 2D;", 0, {8, 4, 0, 0}},
    {"sizes of a level", "IMQ r.xy, im[1], 2D;", 0, {4, 2, 0, 0}},
    {"sizes of an array", "IMQ r.xyz, image[3], ARRAY2D;", 0, {2, 2, 3, 0}},
    {"cubes of an array", "IMQ r.xyz, image[5], ARRAYCUBE;", 0, {1, 1, 2, 0}},
    {"a buffer's size", "IMQ r.x, image[7], BUFFER;", 0, {4, 0, 0, 0}},
};

static void test_loads(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof load_cases / sizeof *load_cases; n++)
        for (unsigned track = 0; track < 2; track++) {
            const struct load_case *c = &load_cases[n];
            struct outcome o;
            char body[1024];
            snprintf(body, sizeof body, "%s\nSTB.U32X4 r, out[i.y];", c->body);
            run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = track, .track_races = false}, 1);
            if (o.status != GP5_RUN_OK || o.report.undefined_words)
                fail_msg("%s: %s", c->name, o.report.message ? o.report.message : "undefined");
            for (unsigned i = 0; i < 4; i++)
                if (o.out[4 * c->lane + i] != c->result[i])
                    fail_msg("%s: %c is 0x%x", c->name, "xyzw"[i], o.out[4 * c->lane + i]);
            done(&o);
        }
}

struct store_case {
    const char *name, *body;
    uint32_t texture, word, value, result;      /* a word of a texture behind it; r.x of lane 0 */
};

static const struct store_case store_cases[] = {
    {"a word", "MOV.U t.xy, {2, 1}; STOREIM.U32 image[0], {77}, t, 2D;", 0, 10, 77, 0},
    {"of each lane its own", "AND.U t.x, i.x, 7; SHR.U t.y, i.x, 3; STOREIM.U32 image[0], i.x, t, 2D;", 0, 31, 31, 0},
    {"an integer's value", "MOV.U t.x, 1; STOREIM.U image[3], {5, 70000}, t, ARRAY2D;", 2, 1, 0xffff0005, 0},
    {"a normalised value", "MOV.U t.x, 3; STOREIM.F image[2], {1.0, 0.5, -1.0, 0.1}, t, 2D;", 1, 3, 0x19007fff, 0},
    {"no type is floats", "STOREIM image[2], {0.0, 1.0, 1.0, 1.0}, t, 2D;", 1, 0, 0xffffff00, 0},
    {"halves as bytes are moved", "MOV.U t.y, 1; STOREIM.U16X2 image[2], {1, 65538}, t, 2D;", 1, 4, 0x00020001, 0},
    {"a float into a half", "MOV.U t.x, 1; STOREIM.F image[6], {1.0}, t, 3D;", 4, 0, 0x3c000201, 0},
    {"outside", "MOV.U t.xy, {8, 0}; STOREIM.U32 image[0], {77}, t, 2D;", 0, 8, 108, 0},
    {"a byte of a word", "MOV.U t.x, 5; STOREIM.U8 image[0], {77}, t, 2D;", 0, 1, 0x4d65, 0},
    {"of no lane", "SGT.U.CC u.x, i.x, 99; IF NE.x; STOREIM.U32 image[0], {77}, t, 2D; ENDIF;", 0, 0, 100, 0},
    {"added", "MOV.U t.xy, {1, 0}; ATOMIM.ADD.U32 u.x, 2, t, image[0], 2D;", 0, 1, 165, 0},
    {"what was there", "MOV.U t.x, i.x; ATOMIM.EXCH.U32 r.x, 7, t, image[0], 2D;", 0, 7, 7, 100},
    {"compared", "ATOMIM.CSWAP.S32 r.x, {100, 9}, t, im[0], 2D;", 0, 0, 9, 100},
    {"a float added",
     "MOV.U t.y, 1; STOREIM.F32 image[1], {1.0}, t, 2D; SEQ.U.CC u.x, i.x, 0; IF NE.x; ATOMIM.ADD.F32 r.x, 0.5, t, "
     "image[1], 2D; "
     "ENDIF;", 0, 36, 0x3fc00000, ONE},
    {"added outside", "MOV.S t.xy, {0, -1}; ATOMIM.ADD.U32 r.x, 2, t, image[0], 2D;", 0, 0, 100, 0},
    {"added by handle", "MOV.U64 D.y, 4294967303; ATOMIM.OR.U32 r.x, 256, t, handle(D.y), 2D;", 0, 0, 356, 100},
};

static void test_stores(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof store_cases / sizeof *store_cases; n++)
        for (unsigned track = 0; track < 2; track++) {
            const struct store_case *c = &store_cases[n];
            struct outcome o;
            uint32_t word;
            char body[1024];
            snprintf(body, sizeof body, "%s\nSTB.U32 r, out[i.y];", c->body);
            run(&o, body, (struct gp5_run_options){.jobs = 1, .track_undefined = track}, 1);
            memcpy(&word, o.texture[c->texture].data + 4 * c->word, 4);
            if (o.status != GP5_RUN_OK || o.report.undefined_words)
                fail_msg("%s: %s", c->name, o.report.message ? o.report.message : "undefined");
            if (word != c->value || o.out[0] != c->result)
                fail_msg("%s: 0x%x, and 0x%x in the register", c->name, word, o.out[0]);
            done(&o);
        }
}

struct reason_case {
    const char *name, *body;    /* the result in r.x */
    bool open;                  /* r.x of lane 0 is undefined */
    const char *reason;
    bool use, spec;             /* reported as a use; under the text's semantics */
};

static const struct reason_case reason_cases[] = {
    {"an undefined coordinate", "LOADIM.U32 r.x, u, image[0], 2D;", true, "u.x was never written", false, false},
    {"one that does not matter", "MOV.U u.xy, 0; LOADIM.U32 r.x, u, image[0], 2D;", false, NULL, false, false},
    {"another target", "LOADIM.U32 r.x, t, image[0], 3D;", true, "LOADIM: the image is not of this target", false,
     false},
    {"an array as if it were a layer", "LOADIM.U32 r.x, t, image[3], 2D;", true, "the image is not of this target",
     false, false},
    {"stored to another target", "STOREIM.U32 image[0], {1}, t, 1D;", false, "STOREIM: the image is not of this target",
     true, false},
    {"integers from floats", "LOADIM.U r.x, t, image[2], 2D;", true,
     "the image has floats and the instruction integers", false, true},
    {"an element that is not there", "LOADIM.U32 r.x, t, im[i.x + 4], 2D;", true,
     "the index is beyond the array of images", false, false},
    {"a wrong handle", "MOV.U64 D.x, 8; LOADIM.U32 r.x, t, handle(D.x), 2D;", true, "no image has the handle", false,
     false},
    {"an undefined handle", "LOADIM.U32 r.x, t, handle(D.x), 2D;", true, "D.x was never written", false, false},
    {"stored at an undefined place", "STOREIM.U32 image[0], {1}, u, 2D;", false, "u.x was never written", true, false},
    {"stored, and loaded again", "STOREIM.U32 image[0], u, t, 2D; LOADIM.U32 r.x, t, image[0], 2D;", true,
     "u.x was never written", false, false},
    {"stored, and sampled", "STOREIM.F image[2], u, t, 2D; TEX r, t, texture[1], 2D;", true, "u.x was never written",
     false, false},
    {"stored, and sampled beside it", "STOREIM.F image[2], {1, 1, 1, 1}, t, 2D; TEX r, 0.5, texture[1], 2D;", false,
     NULL, false, false},
    {"only y was undefined", "MOV.U u.x, 0; STOREIM.U16X2 image[2], u, t, 2D; LOADIM.U32 r.x, t, image[2], 2D;", true,
     "u.y was never written", false,
     false},
    {"defined again",
     "STOREIM.F image[2], u, t, 2D; STOREIM.F image[2], {1, 1, 1, 1}, t, 2D; LOADIM.F r.x, t, image[2], 2D;", false,
     "u.x was never written", false, false},
    {"outside, by the text", "MOV.U t.x, 8; LOADIM.U32 r.x, t, image[0], 2D;", true, "the image has no such texel",
     false, true},
    {"a size of another texel, by the text", "LOADIM.U8 r.x, t, image[0], 2D;", true, "texels have another size", false,
     true},
    {"other components of an atomic operation", "ATOMIM.ADD.U32 r, 1, t, image[0], 2D; MOV.U r.x, r.z;", true,
     "ATOMIM leaves its component z open",
     false, true},
    {"a size that has no y", "IMQ r, image[7], BUFFER; MOV.U r.x, r.y;", true, "IMQ leaves its component y open", false,
     true},
};

static void test_reasons(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof reason_cases / sizeof *reason_cases; n++) {
        const struct reason_case *c = &reason_cases[n];
        struct gp5_run_options options = {.jobs = 1, .track_undefined = true,
                                          .semantics = c->spec ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA};
        struct outcome o;
        bool said = false;
        char body[1024];
        snprintf(body, sizeof body, "%s\nSTB.U32 r, out[i.y];", c->body);
        run(&o, body, options, 1);
        for (size_t i = 0; i < o.report.norigins; i++)
            said |= c->reason && strstr(o.report.origins[i].reason, c->reason) != NULL;
        if (o.status != GP5_RUN_OK || c->open != (o.undefined[0] != 0) || said != (c->open || c->use) ||
            c->use != (o.report.undefined_uses > 0))
            fail_msg("%s: %s, '%s', %u uses", c->name, o.undefined[0] ? "open" : "defined",
                     o.report.norigins ? o.report.origins[0].reason : "", (unsigned)o.report.undefined_uses);
        done(&o);
        options.strict = true;
        run(&o, body, options, 1);
        if (c->reason ? o.status != GP5_RUN_UNDEFINED || !strstr(o.report.message, c->reason) : o.status != GP5_RUN_OK)
            fail_msg("%s, strict: %s", c->name, o.report.message ? o.report.message : "nothing");
        done(&o);
    }
}

struct race_case {
    const char *name, *body;
    uint32_t groups;
    unsigned races;
    bool order;
};

static const struct race_case race_cases[] = {
    {"several values in one texel", "STOREIM.U32 image[0], i.x, t, 2D;", 1, 1, false},
    {"one value", "STOREIM.U32 image[0], {7}, t, 2D;", 1, 0, false},
    {"one value that two numbers come to",
     "MUL.U u, i.x, 1000; MIN.U u, u, 99999; ADD.U u, u, 70000; STOREIM.U image[3], u, t, ARRAY2D;", 1, 0,
     false},
    {"texels of two bytes", "AND.U t.x, i.x, 1; SHR.U t.y, i.x, 1; STOREIM.F16 image[6], i.x, t, 3D;", 1, 0, false},
    {"stored and loaded", "AND.U t.x, i.x, 1;\nSTOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nLOADIM.F u, t, image[2], 2D;",
     1, 1, false},
    {"two images of one texture",
     "STOREIM.U32 image[3], i.x, t, ARRAY2D;\nMOV.U t.x, 1;\nLOADIM.U32 u, t, image[4], 2D;", 1, 1, false},
    {"a barrier between", "STOREIM.U32 image[0], {1}, t, 2D;\nBAR;\nLOADIM.U32 u, t, image[0], 2D;", 1, 0, false},
    {"sums whose order does not show", "ATOMIM.ADD.U32 u.x, i.x, t, image[0], 2D;", 2, 0, false},
    {"sums whose order shows", "ATOMIM.ADD.U32 u.x, i.x, t, image[0], 2D;\nSTB.U32 u, out[i.y];", 1, 1, true},
    {"outside", "MOV.U t.x, 8; STOREIM.U32 image[0], i.x, t, 2D;", 1, 0, false},
    {"sizes", "IMQ u.xy, image[0], 2D; STOREIM.U32 image[0], {7}, t, 2D;", 1, 0, false},
    {"a texture and its image", "STOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nTXF u, t, texture[1], 2D;", 1, 1, false},
    {"a barrier does not order them",
     "AND.U t.x, i.x, 3;\nSTOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nBAR;\nTEX u, t, texture[1], 2D;", 1, 1, false},
    {"fetched and then stored", "TXF u, t, texture[1], 2D;\nBAR;\nSTOREIM.F image[2], {1, 1, 1, 1}, t, 2D;", 1, 1,
     false},
    {"a texel of one's own",
     "AND.U t.x, i.x, 3;\nSHR.U t.y, i.x, 2;\nSTOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nTXF u, t, texture[1], 2D;", 1,
     1, false},
    {"an atomic operation and a texture", "ATOMIM.ADD.U32 u.x, i.x, t, image[0], 2D;\nTXF.U u, t, texture[0], 2D;", 1,
     1, false},
    {"one of four texels", "STOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nTXG u, t, texture[1], 2D;", 1, 1, false},
    {"another level", "STOREIM.U32 image[0], {7}, t, 2D;\nMOV.U t.w, 1;\nTXF.U u, t, texture[0], 2D;", 1, 0, false},
    {"another texel of a texture", "STOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nMOV.U t.x, 2;\nTXF u, t, texture[1], 2D;",
     1, 0, false},
    {"another texture", "STOREIM.U32 image[3], {7}, t, ARRAY2D;\nTXF u, t, texture[1], 2D;", 1, 0, false},
    {"loaded and fetched", "LOADIM.F u, t, image[2], 2D;\nTXF u, t, texture[1], 2D;", 1, 0, false},
    {"a size and a store", "TXQ u, t, texture[1], 2D;\nSTOREIM.F image[2], {1, 1, 1, 1}, t, 2D;", 1, 0, false},
};

/* What a texture gives that an image of the launch stores to is undefined, by the text and on the driver. */
static void test_texture_races(void **state)
{
    static const char body[] =
        "STOREIM.F image[2], {1, 1, 1, 1}, t, 2D;\nBAR;\nTXF r, t, texture[1], 2D;\nSTB.U32X4 r, out[i.y];";

    (void)state;
    for (unsigned strict = 0; strict < 2; strict++) {
        struct outcome o;
        run(&o, body,
            (struct gp5_run_options){.jobs = 1,
                                     .track_races = true,
                                     .track_undefined = true,
                                     .strict = strict,
                                     .semantics = strict ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA},
            1);
        if (strict) {
            assert_int_equal(o.status, GP5_RUN_UNDEFINED);
            assert_non_null(strstr(o.report.message, "a texture is read and an image of it written in one launch"));
        } else {
            assert_true(o.undefined[0] && o.undefined[3]);
            assert_string_equal(o.report.origins[0].reason,
                                "a texture is read and an image of it written in one launch: STOREIM at line 19 "
                                "(group 0, warp 0, lane 31) and TXF at line 21 (group 0, warp 0, lane 0)");
        }
        done(&o);
    }
}

static void test_races(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof race_cases / sizeof *race_cases; n++) {
        const struct race_case *c = &race_cases[n];
        struct outcome o;
        run(&o, c->body, (struct gp5_run_options){.jobs = 1, .track_races = true, .track_undefined = true}, c->groups);
        if (o.status != GP5_RUN_OK || o.report.nrace_list != c->races)
            fail_msg("%s: %zu races %s", c->name, o.report.nrace_list, o.report.message ? o.report.message : "");
        if (c->races && (o.report.race_list->order != c->order || strcmp(o.report.race_list->memory, "textures")))
            fail_msg("%s: in %s", c->name, o.report.race_list->memory);
        done(&o);
    }
}

/* Images that no launch may have. */
static void test_bad_launches(void **state)
{
    static const struct { struct gp5_image image; const char *why; } bad[] = {
        {{.unit = 1, .texture = 9, .format = GP5_FORMAT_R8}, "its texture is not given"},
        {{.unit = 1, .texture = 1, .format = GP5_FORMAT_DEPTH32F}, "there are no images of its format"},
        {{.unit = 1, .texture = 1, .format = 200}, "there are no images of its format"},
        {{.unit = 0, .texture = 1, .format = GP5_FORMAT_R8}, "it is given twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gp5_image list[2] = {images[0], bad[i].image};
        struct outcome o;
        run_with(&o, "MOV.U r, 0;", (struct gp5_run_options){.jobs = 1}, 1, list, 2);
        assert_int_equal(o.status, GP5_RUN_BAD_LAUNCH);
        assert_non_null(strstr(o.report.message, bad[i].why));
        done(&o);
    }
}

/* What has no meaning yet is refused where it stands. */
static void test_refusals(void **state)
{
    static const struct { const char *statement, *why; } cases[] = {
        {"LOADIM.U64X4 D, R, image[0], 2D;", "LOADIM.U64X4 at line 3, column 1"},
        {"LOADIM.U64X4 D, R, image[0], 2D;", "LOADIM.U64X4 at line 3, column 1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp5_run_options options = {.jobs = 1};
        struct prepared p;
        char text[512];
        snprintf(text, sizeof text,
                 "!!NVcp5.0 OPTION EXT_sparse_texture2; OPTION NV_texture_multisample;\n"
                 "GROUP_SIZE 1; TEMP R; LONG TEMP D; MOV.U R, 0;\n%s\nEND\n",
                 cases[i].statement);
        assert_false(evaluate_prepare(&p, text, &options, eval_best_level()));
        if (!p.message || !strstr(p.message, cases[i].why))
            fail_msg("%s: %s", cases[i].statement, p.message ? p.message : "");
        evaluate_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),    cmocka_unit_test(test_stores),        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_races),    cmocka_unit_test(test_texture_races), cmocka_unit_test(test_bad_launches),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
