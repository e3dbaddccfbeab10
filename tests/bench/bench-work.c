/* Work to measure an evaluator with: tests/bench/bench-work.h. */
#include "tests/bench/bench-work.h"

#include <math.h>
#include <string.h>

/* Planes: the fourth corner is the second and the third less the first, so that two triangles are one
 * surface. */
const float work_corners[WORK_ATTRIBUTES][4][4] = {
    {{0.25f, 0.5f, 0.75f, 1}, {0.5f, 0.25f, 0.5f, 0.75f}, {0.75f, 1, 0.25f, 0.5f}, {1, 0.75f, 0, 0.25f}},
    {{0.25f, 0.375f, 0.5f, 0.375f},
     {0.5f, 0.25f, 0.375f, 0.25f},
     {0.375f, 0.5f, 0.25f, 0.5f},
     {0.625f, 0.375f, 0.125f, 0.375f}},
    {{-1, 1, -1, 1}, {1, -1, 0, 0.5f}, {-0.5f, -0.25f, 1, 0.5f}, {1.5f, -2.25f, 2, 0}},
};
const float work_local[4] = {0.5f, 0.25f, 0.75f, 0.625f};

enum { SIDE = 512 };

/* ---- fragment programs --------------------------------------------------------------------------------- */

static void fragment_head(struct work *w, const char *name)
{
    w->name = name;
    w->fragment = true;
    w->kind = KIND_FLOATS;
    w->side = SIDE;
    w->out_size = (size_t)SIDE * SIDE * 16;
    w->tolerance = 1e-3;
    text_add(&w->assembly, "!!ARBfp1.0\nTEMP x, y, t, d;\nATTRIB k = fragment.texcoord[1];\n"
                           "ATTRIB s = fragment.texcoord[2];\nPARAM c = program.local[0];\n"
                           "MOV x, fragment.texcoord[0];\nMOV y, c;\n");
}

static void fragment_end(struct work *w)
{
    text_add(&w->assembly, "ADD result.color, x, y;\nEND\n");
}

static void fragment_mad(struct work *w)
{
    fragment_head(w, "fragment, vec4 MAD");
    for (int i = 0; i < 128; i++)
        text_add(&w->assembly, "MAD x, y, k, c;\nMAD y, x, k, c;\n");
    fragment_end(w);
}

static void fragment_mix(struct work *w)
{
    fragment_head(w, "fragment, MUL ADD DP3 RCP CMP");
    for (int i = 0; i < 40; i++)
        text_add(&w->assembly, "MUL t, x, k;\nADD t, t, y;\nDP3 d.x, t, k;\nRCP d.y, d.x;\nMUL x, t, d.y;\n"
                               "CMP x, s, x, t;\n");
    fragment_end(w);
}

/* What a surface with a bump map asks for: a normal, light and half vector that are made unit vectors, diffuse and
 * specular light. */
static void fragment_light(struct work *w)
{
    fragment_head(w, "fragment, lighting without textures");
    for (int i = 0; i < 8; i++)
        text_add(&w->assembly,
                 "DP3 d.x, x, x;\nRSQ d.x, d.x;\nMUL t, x, d.x;\nDP3 d.y, k, k;\nRSQ d.y, d.y;\nMUL d, k, d.y;\n"
                 "DP3_SAT d.w, t, d;\nMUL y, y, c;\nMAD y, d.w, k, y;\nADD d, s, k;\nDP3 d.w, d, d;\nRSQ d.w, d.w;\n"
                 "MUL d, d, d.w;\nDP3_SAT d.x, t, d;\nPOW d.x, d.x, c.x;\nMAD y, d.x, c, y;\nMAD x, y, c.y, x;\n");
    fragment_end(w);
}

static void fragment_textured(struct work *w)
{
    fragment_head(w, "fragment, four bilinear textures");
    w->textured = true;
    w->tolerance = 0.02;        /* weights of eight bits beside floats */
    text_add(&w->assembly,
             "TEX x, fragment.texcoord[0], texture[0], 2D;\nTEX t, k, texture[0], 2D;\nMUL x, x, t;\n"
             "TEX t, s, texture[0], 2D;\nMAD x, x, c, t;\nADD d, k, c;\nTEX t, d, texture[0], 2D;\nMUL x, x, t;\n"
             "MAD x, x, k, c;\nMUL y, x, c;\n");
    fragment_end(w);
}

/* Two texels a pixel and more: between two levels. */
static void fragment_mipmapped(struct work *w)
{
    fragment_head(w, "fragment, four mipmapped textures");
    w->textured = w->mipmapped = true;
    w->tolerance = 0.03;        /* what a level is, is a matter of taste */
    text_add(&w->assembly,
             "PARAM m = { 8, 11, 1, 1 };\nMUL t, fragment.texcoord[0], m;\nTEX x, t, texture[0], 2D;\nMUL t, k, m;\n"
             "TEX t, t, texture[0], 2D;\nMUL x, x, t;\nMUL t, s, m.yxzw;\nTEX t, t, texture[0], 2D;\n"
             "MAD x, x, c, t;\nMAD d, k, m.y, c;\nTEX t, d, texture[0], 2D;\nMUL x, x, t;\nMAD x, x, k, c;\n"
             "MUL y, x, c;\n");
    fragment_end(w);
}

const void *work_texels(void)
{
    _Alignas(16) static uint8_t texels[WORK_TEXELS * WORK_TEXELS * 4];

    for (unsigned i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i % 4 == 0 ? i / 4 : i % 4 == 1 ? i / 1024 : i % 4 == 2 ? 255 - i / 4 : 200);
    return texels;
}

/* Smooth, so that two levels have nearly the same. */
const void *work_levels(void)
{
    _Alignas(16) static uint8_t texels[WORK_LEVEL_BYTES];
    size_t at = 0;

    for (unsigned side = WORK_TEXELS; side; side /= 2)
        for (unsigned i = 0; i < side * side; i++)
            for (unsigned c = 0; c < 4; c++)
                texels[at++] = (uint8_t)(128 + 60 * sin(6.2831853 * (i % side + 0.5) / side + c) +
                                         60 * cos(6.2831853 * (i / side + 0.5) / side - c));
    return texels;
}

/* ---- vertex programs ----------------------------------------------------------------------------------- */

const char *const work_inputs[WORK_INPUTS] = {"vertex.position", "vertex.normal", "vertex.texcoord[0]"};
const char *const work_results[WORK_RESULTS] = {"result.position", "result.color"};

/* 60 instructions, as games wrote them: the position in clip and eye space, a normal and a tangent that are made unit
 * vectors, a directional light with LIT, a point light, the light in tangent space, texture coordinates, fog. */
static void vertex_light(struct work *w)
{
    enum { VERTICES = 1000000 };
    w->name = "vertex, lighting";
    w->vertex = true;
    w->kind = KIND_FLOATS;
    w->vertices = VERTICES;
    w->in_size = (size_t)WORK_INPUTS * VERTICES * 16;
    w->out_size = (size_t)WORK_RESULTS * VERTICES * 16;
    w->tolerance = 1e-3;
    text_add(&w->assembly,
             "!!ARBvp1.0\nTEMP e, n, l, h, d, r, b;\nPARAM c = program.local[0];\n"
             "PARAM m[4] = { { .5, .1, 0, .2 }, { 0, .5, .1, .1 }, { .1, 0, .5, 0 }, { 0, 0, 0, 1 } };\n"
             "PARAM sun = { .3, .5, .8, 1 };\nPARAM lamp = { 1, 1.5, 2.5, 0 };\n"
             "DP4 e.x, m[0], vertex.position;\nDP4 e.y, m[1], vertex.position;\nDP4 e.z, m[2], vertex.position;\n"
             "DP4 e.w, m[3], vertex.position;\nDP4 r.x, m[0], e;\nDP4 r.y, m[1], e;\nDP4 r.z, m[2], e;\n"
             "DP4 r.w, m[3], e;\nDP3 n.x, m[0], vertex.normal;\nDP3 n.y, m[1], vertex.normal;\n"
             "DP3 n.z, m[2], vertex.normal;\nDP3 n.w, n, n;\nRSQ n.w, n.w;\nMUL n.xyz, n, n.w;\n"
             "DP3 b.x, m[1], vertex.texcoord[0];\nDP3 b.y, m[2], vertex.texcoord[0];\n"
             "DP3 b.z, m[0], vertex.texcoord[0];\nDP3 b.w, b, n;\nMAD b.xyz, n, -b.w, b;\nXPD h, n, b;\n"
             "DP3 d.x, n, sun;\nADD l.xyz, sun, { 0, 0, 1, 0 };\nDP3 l.w, l, l;\nRSQ l.w, l.w;\nMUL l.xyz, l, l.w;\n"
             "DP3 d.y, n, l;\nMOV d.w, c.z;\nLIT d, d;\nMUL e.w, e.z, c.x;\nADD l, lamp, -e;\nDP3 l.w, l, l;\n"
             "RSQ b.w, l.w;\nMUL l.xyz, l, b.w;\nMAD l.w, l.w, c.x, c.y;\nRCP l.w, l.w;\nDP3 n.w, n, l;\n"
             "MAX n.w, n.w, 0;\nMUL n.w, n.w, l.w;\nMUL result.position, r, c.w;\nMUL r, vertex.texcoord[0], c;\n"
             "MAD r, d.y, lamp, r;\nMAD r, d.z, c, r;\nMAD r, n.w, sun, r;\nDP3 d.x, b, l;\nDP3 d.y, h, l;\n"
             "DP3 d.z, n, l;\nMAD r.xyz, d, c, r;\nDP4 d.x, m[0], vertex.texcoord[0];\n"
             "DP4 d.y, m[1], vertex.texcoord[0];\nMUL d.xy, d, c;\nADD d.z, d.x, d.y;\nMAD r.x, d.z, c.x, r.x;\n"
             "MUL e.z, e.z, c.y;\nSUB e.x, 1, e.z;\nMAX e.x, e.x, 0;\nMIN e.x, e.x, 1;\nMUL d, e.x, r;\n"
             "SUB e.y, 1, e.x;\nMAD r, e.y, c, d;\nMOV result.color, r;\nEND\n");
}

/* ---- all of them --------------------------------------------------------------------------------------- */

void work_make(struct work *work, unsigned n)
{
    static void (*const first[])(struct work *) = {fragment_mad, fragment_mix},
        (*const last[])(struct work *) = {fragment_light, fragment_textured, fragment_mipmapped, vertex_light};
    enum { FIRST = sizeof first / sizeof *first, LAST = sizeof last / sizeof *last };
    _Static_assert(FIRST + WORKS_COMPUTE + LAST == WORKS, "all of them");
    *work = (struct work){0};
    if (n < FIRST)
        first[n](work);
    else if (n < FIRST + WORKS_COMPUTE)
        work_compute[n - FIRST](work);
    else
        last[n - FIRST - WORKS_COMPUTE](work);
}

void work_free(struct work *work)
{
    text_free(&work->assembly);
    text_free(&work->glsl);
}

/* Floats from 0.25 to 0.5: products shrink, sums stay small, and no rounding grows. */
void work_fill(const struct work *work, void *in)
{
    uint32_t state = 12345;
    size_t bytes = work->kind == KIND_DOUBLES ? 8 : 4;
    for (size_t i = 0; i < work->in_size / bytes; i++) {
        state = state * 1664525u + 1013904223u;
        double value = 0.25 + 0.25 * (double)(state >> 8) / 16777216.0;
        float single = (float)value;
        const void *from = work->kind == KIND_DOUBLES ? (const void *)&value
                           : work->kind == KIND_FLOATS ? (const void *)&single : &state;
        memcpy((char *)in + bytes * i, from, bytes);
    }
}

static double number(const struct work *work, const void *data, size_t i)
{
    double wide;
    float single;
    if (work->kind == KIND_DOUBLES) {
        memcpy(&wide, (const char *)data + 8 * i, 8);
        return wide;
    }
    memcpy(&single, (const char *)data + 4 * i, 4);
    return single;
}

size_t work_differences(const struct work *work, const void *a, const void *b)
{
    size_t count = 0, bytes = work->kind == KIND_DOUBLES ? 8 : 4;
    for (size_t i = 0; i < work->out_size / bytes; i++) {
        double y = work->kind == KIND_WORDS ? 0 : number(work, b, i);
        if (work->kind == KIND_WORDS)
            count += memcmp((const char *)a + 4 * i, (const char *)b + 4 * i, 4) != 0;
        else
            count += !(fabs(number(work, a, i) - y) <= work->tolerance * (1 + fabs(y)));
    }
    return count;
}
