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

enum { LANES = 65536, SIDE = 512 };

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

const void *work_texels(void)
{
    _Alignas(16) static uint8_t texels[WORK_TEXELS * WORK_TEXELS * 4];

    for (unsigned i = 0; i < sizeof texels && !texels[4]; i++)
        texels[i] = (uint8_t)(i % 4 == 0 ? i / 4 : i % 4 == 1 ? i / 1024 : i % 4 == 2 ? 255 - i / 4 : 200);
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

/* ---- compute programs ---------------------------------------------------------------------------------- */

/* Of each kind: memory and operation in assembly, vectors in GLSL. */
static const struct {
    const char *memory, *vector, *temporaries;
    unsigned bytes;
} kinds[] = {
    [KIND_WORDS] = {"U32X4", "uvec4", "TEMP", 16},
    [KIND_FLOATS] = {"F32X4", "vec4", "TEMP", 16},
    [KIND_DOUBLES] = {"F64X4", "dvec4", "LONG TEMP", 32},
};

/* Each invocation reads `vectors` vectors, x y and so on, and writes one. */
static void compute_head(struct work *w, const char *name, unsigned group, unsigned vectors, unsigned shared,
                         enum work_kind kind)
{
    static const char *const names[] = {"x", "k", "y"};
    unsigned bytes = kinds[kind].bytes;
    w->name = name;
    w->kind = kind;
    w->tolerance = kind == KIND_WORDS ? 0 : kind == KIND_FLOATS ? 1e-4 : 1e-12;
    w->groups = LANES / group;
    w->in_size = (size_t)LANES * bytes * vectors;
    w->out_size = (size_t)LANES * bytes;
    text_add(
        &w->assembly,
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_shuffle;\nOPTION NV_gpu_program_fp64;\n"
        "GROUP_SIZE %u;\n",
        group);
    if (shared)
        text_add(&w->assembly, "SHARED_MEMORY %u;\nSHARED room[] = { program.sharedmem };\n", shared);
    text_add(&w->assembly,
             "STORAGE source[] = { program.storage[0] };\nSTORAGE target[] = { program.storage[1] };\n"
             "TEMP a;\n%s x, k, y, t;\nMUL.U a.x, invocation.globalid.x, %u;\n",
             kinds[kind].temporaries, bytes * vectors);
    text_add(&w->glsl,
             "#version 430\n%slayout(local_size_x = %u) in;\n"
             "layout(std430, binding = 0) readonly buffer S { %s source[]; };\n"
             "layout(std430, binding = 1) writeonly buffer T { %s target[]; };\n",
             kind == KIND_DOUBLES ? "#extension GL_ARB_gpu_shader_fp64 : require\n" : "", group, kinds[kind].vector,
             kinds[kind].vector);
    for (unsigned i = 0; i < vectors; i++)
        text_add(&w->assembly, "LDB.%s %s, source[a.x + %u];\n", kinds[kind].memory, names[i], bytes * i);
}

static void compute_main(struct work *w, unsigned vectors)
{
    static const char *const names[] = {"x", "k", "y"};
    text_add(&w->glsl, "void main() {\nuint g = gl_GlobalInvocationID.x;\n");
    for (unsigned i = 0; i < vectors; i++)
        text_add(&w->glsl, "%s %s = source[g * %uu + %uu];\n", kinds[w->kind].vector, names[i], vectors, i);
}

static void compute_end(struct work *w)
{
    text_add(&w->assembly, "MUL.U a.x, invocation.globalid.x, %u;\nSTB.%s x, target[a.x];\nEND\n",
             kinds[w->kind].bytes, kinds[w->kind].memory);
    text_add(&w->glsl, "target[g] = x;\n}\n");
}

static void compute_mad(struct work *w)
{
    compute_head(w, "compute, vec4 MAD", 128, 3, 0, KIND_FLOATS);
    compute_main(w, 3);
    for (int i = 0; i < 512; i++) {
        text_add(&w->assembly, "MAD.F x, x, k, y;\n");
        text_add(&w->glsl, "x = x * k + y;\n");
    }
    compute_end(w);
}

static void compute_scalar(struct work *w)
{
    compute_head(w, "compute, scalar MAD", 128, 3, 0, KIND_FLOATS);
    compute_main(w, 3);
    for (int i = 0; i < 1024; i++) {
        text_add(&w->assembly, "MAD.F x.x, x.x, k.x, y.x;\n");
        text_add(&w->glsl, "x.x = x.x * k.x + y.x;\n");
    }
    compute_end(w);
}

static void compute_double(struct work *w)
{
    compute_head(w, "compute, F64: dvec4 MAD", 128, 3, 0, KIND_DOUBLES);
    compute_main(w, 3);
    for (int i = 0; i < 128; i++) {
        text_add(&w->assembly, "MAD.F64 x, x, k, y;\n");
        text_add(&w->glsl, "x = x * k + y;\n");
    }
    compute_end(w);
}

static void compute_double_mix(struct work *w)
{
    compute_head(w, "compute, F64: dvec4 MUL SUB ADD MAD", 128, 3, 0, KIND_DOUBLES);
    compute_main(w, 3);
    text_add(&w->glsl, "dvec4 t;\n");
    for (int i = 0; i < 64; i++) {
        text_add(&w->assembly, "MUL.F64 t, x, k;\nSUB.F64 t, y, t;\nADD.F64 x, t, k;\nMAD.F64 x, x, k, t;\n");
        text_add(&w->glsl, "t = x * k;\nt = y - t;\nx = t + k;\nx = x * k + t;\n");
    }
    compute_end(w);
}

static void compute_integer(struct work *w)
{
    compute_head(w, "compute, uvec4 MAD SHR XOR SHL AND ADD", 128, 3, 0, KIND_WORDS);
    compute_main(w, 3);
    text_add(&w->glsl, "uvec4 t;\n");
    for (int i = 0; i < 64; i++) {
        text_add(&w->assembly,
                 "MAD.U x, x, k, y;\nSHR.U t, x, 13;\nXOR.U x, x, t;\nSHL.U t, x, 5;\nAND.U t, t, k;\n"
                 "ADD.U x, x, t;\n");
        text_add(&w->glsl, "x = x * k + y;\nx ^= x >> 13u;\nt = x << 5u;\nt &= k;\nx += t;\n");
    }
    compute_end(w);
}

static void compute_divergent(struct work *w)
{
    compute_head(w, "compute, divergent loops", 128, 1, 0, KIND_WORDS);
    compute_main(w, 1);
    text_add(&w->assembly, "AND.U t.x, x.y, 255;\n"
                           "REP.S ;\n"
                           "SEQ.U.CC t.y, t.x, 0;\n"
                           "BRK (NE.y);\n"
                           "MAD.U x.x, x.x, 1664525, 1013904223;\n"
                           "SHR.U t.z, x.x, 16;\n"
                           "XOR.U x.x, x.x, t.z;\n"
                           "AND.U.CC t.z, x.x, 1;\n"
                           "IF NE.z;\n"
                           "ADD.U x.x, x.x, x.z;\n"
                           "ELSE;\n"
                           "XOR.U x.x, x.x, x.w;\n"
                           "ENDIF;\n"
                           "SUB.U t.x, t.x, 1;\n"
                           "ENDREP;\n");
    text_add(&w->glsl, "for (uint n = x.y & 255u; n != 0u; n--) {\n"
                       "x.x = x.x * 1664525u + 1013904223u;\n"
                       "x.x ^= x.x >> 16u;\n"
                       "if ((x.x & 1u) != 0u) x.x += x.z; else x.x ^= x.w;\n"
                       "}\n");
    compute_end(w);
}

static void compute_scan(struct work *w)
{
    compute_head(w, "compute, warp scans by SHFUP", 128, 1, 0, KIND_WORDS);
    text_free(&w->glsl);
    for (int i = 0; i < 16; i++) {
        for (unsigned step = 1; step < 32; step *= 2)
            text_add(&w->assembly, "SHFUP.U t, x.x, %u, 0;\nAND.U t.y, t.x, t.y;\nADD.U x.x, x.x, t.y;\n",
                     step);
        text_add(&w->assembly, "XOR.U x.x, x.x, x.y;\n");
    }
    compute_end(w);
    text_free(&w->glsl);
}

static void compute_reduction(struct work *w)
{
    enum { GROUP = 256, ROUNDS = 4 };
    compute_head(w, "compute, reductions in shared memory", GROUP, 1, GROUP * 4, KIND_WORDS);
    text_add(&w->assembly, "MUL.U a.y, invocation.localindex.x, 4;\n");
    text_add(&w->glsl, "shared uint room[%u];\n", GROUP);
    compute_main(w, 1);
    text_add(&w->glsl,
             "uint l = gl_LocalInvocationIndex;\nfor (int i = 0; i < %d; i++) {\nroom[l] = x.x;\nbarrier();\n"
             "for (uint s = %uu; s > 0u; s >>= 1u) {\nif (l < s) room[l] += room[l + s];\nbarrier();\n}\n"
             "x.x = x.x * 3u + room[0];\nbarrier();\n}\n",
             ROUNDS, GROUP / 2);
    for (int i = 0; i < ROUNDS; i++) {
        text_add(&w->assembly, "STS.U32 x, room[a.y];\nBAR ;\n");
        for (unsigned s = GROUP / 2; s; s /= 2)
            text_add(&w->assembly,
                     "SLT.U.CC t.x, invocation.localindex.x, %u;\nIF NE.x;\nLDS.U32 t.x, room[a.y + %u];\n"
                     "LDS.U32 k.x, room[a.y];\nADD.U t.x, t.x, k.x;\nSTS.U32 t, room[a.y];\nENDIF;\nBAR ;\n",
                     s, 4 * s);
        text_add(&w->assembly, "LDS.U32 t.x, room[0];\nMAD.U x.x, x.x, 3, t.x;\nBAR ;\n");
    }
    compute_end(w);
}

/* ---- all of them --------------------------------------------------------------------------------------- */

void work_make(struct work *work, unsigned n)
{
    static void (*const makers[WORKS])(struct work *) = {
        fragment_mad,    fragment_mix,      compute_mad,  compute_scalar,
        compute_integer, compute_double,    compute_double_mix, compute_divergent,
        compute_scan,    compute_reduction, fragment_light, fragment_textured,
        vertex_light,
    };
    *work = (struct work){0};
    makers[n](work);
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
