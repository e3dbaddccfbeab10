/* Compute programs to measure an evaluator with: tests/bench/bench-work.h. */
#include "tests/bench/bench-work.h"

enum { LANES = 65536 };

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

/* Each takes what another one has, wherever that stands. */
static void compute_hash(struct work *w)
{
    enum { GROUP = 128, ROUNDS = 16 };
    compute_head(w, "compute, hash with shared memory", GROUP, 1, GROUP * 4, KIND_WORDS);
    text_add(&w->assembly, "MUL.U a.y, invocation.localindex.x, 4;\n");
    text_add(&w->glsl, "shared uint room[%u];\n", GROUP);
    compute_main(w, 1);
    text_add(&w->glsl, "uint l = gl_LocalInvocationIndex, y;\n");
    for (int i = 0; i < ROUNDS; i++) {
        text_add(&w->assembly, "STS.U32 x, room[a.y];\nBAR ;\nAND.U a.z, x.x, %u;\nMUL.U a.z, a.z, 4;\n"
                               "LDS.U32 y.x, room[a.z];\nBAR ;\nMAD.U x.x, y.x, 2654435769, x.x;\nSHR.U t.x, x.x, 15;\n"
                               "XOR.U x.x, x.x, t.x;\nMUL.U x.x, x.x, 2246822507;\nSHR.U t.x, x.x, 13;\n"
                               "XOR.U x.x, x.x, t.x;\n", GROUP - 1);
        text_add(&w->glsl, "room[l] = x.x; barrier(); y = room[x.x & %uu]; barrier();\nx.x += y * 2654435769u;\n"
                           "x.x ^= x.x >> 15u; x.x *= 2246822507u; x.x ^= x.x >> 13u;\n", GROUP - 1);
    }
    compute_end(w);
}

/* Of 256 x 256 vectors, in tiles of 16 x 16 by way of shared memory: x of the left factor. */
static void compute_matrix(struct work *w)
{
    enum { TILE = 16, GROUP = TILE * TILE, SIDE = 256 };
    compute_head(w, "compute, matrix product in tiles", GROUP, 1, GROUP * 20, KIND_FLOATS);
    text_add(&w->assembly,
             "TEMP l, b, s;\nAND.U l.x, invocation.localindex.x, 15;\nSHR.U l.y, invocation.localindex.x, 4;\n"
             "SHR.U l.z, invocation.groupid.x, 4;\nAND.U l.w, invocation.groupid.x, 15;\n"
             "MAD.U b.x, l.z, 16, l.y;\nMAD.U b.x, b.x, %d, l.x;\nMUL.U b.x, b.x, 16;\n"
             "MAD.U b.y, l.w, 16, l.x;\nMAD.U b.y, l.y, %d, b.y;\nMUL.U b.y, b.y, 16;\n"
             "MUL.U s.x, invocation.localindex.x, 4;\nMAD.U s.y, invocation.localindex.x, 16, %d;\n"
             "MUL.U s.z, l.y, 64;\nMUL.U s.w, l.x, 16;\nMOV.F x, {0, 0, 0, 0};\nREP.S %d;\n"
             "LDB.F32 t.x, source[b.x];\nLDB.F32X4 y, source[b.y];\nSTS.F32 t, room[s.x];\nSTS.F32X4 y, room[s.y];\n"
             "ADD.U b.x, b.x, 256;\nADD.U b.y, b.y, %d;\nBAR ;\n",
             SIDE, SIDE, GROUP * 4, SIDE / TILE, TILE * SIDE * 16);
    text_add(&w->glsl, "shared float left[%d];\nshared vec4 right[%d];\n", GROUP, GROUP);
    compute_main(w, 1);
    text_add(&w->glsl,
             "uint l = gl_LocalInvocationIndex, lx = l & 15u, ly = l >> 4u, r = gl_WorkGroupID.x / 16u * 16u + ly,\n"
             "c = gl_WorkGroupID.x %% 16u * 16u + lx;\nx = vec4(0);\nfor (uint t = 0u; t < %du; t++) {\n"
             "left[l] = source[r * %du + t * 16u + lx].x;\nright[l] = source[(t * 16u + ly) * %du + c];\nbarrier();\n",
             SIDE / TILE, SIDE, SIDE);
    for (int k = 0; k < TILE; k++) {
        text_add(&w->assembly, "LDS.F32 t.x, room[s.z + %d];\nLDS.F32X4 y, room[s.w + %d];\nMAD.F x, t.x, y, x;\n",
                 4 * k, GROUP * 4 + TILE * 16 * k);
        text_add(&w->glsl, "x += left[ly * 16u + %du] * right[%du + lx];\n", k, TILE * k);
    }
    text_add(&w->assembly, "BAR ;\nENDREP;\n");
    text_add(&w->glsl, "barrier();\n}\n");
    compute_end(w);
}

/* The 32 words of a warp, by shuffles; in GLSL by way of shared memory. */
static void compute_sort(struct work *w)
{
    enum { GROUP = 128, SORTS = 4 };
    compute_head(w, "compute, bitonic sorts by SHFXOR", GROUP, 1, 0, KIND_WORDS);
    text_add(&w->glsl, "shared uint room[%u];\n", GROUP);
    compute_main(w, 1);
    text_add(&w->glsl, "uint l = gl_LocalInvocationIndex, y;\n");
    for (int i = 0; i < SORTS; i++) {
        for (unsigned k = 1; k <= 5; k++)
            for (unsigned j = k; j-- > 0;) {
                text_add(&w->assembly,
                         "SHFXOR.U t, x.x, %u, 31;\nSHL.U k.x, invocation.localindex.x, %u;\n"
                         "SHL.U k.y, invocation.localindex.x, %u;\nXOR.U k.x, k.x, k.y;\nMIN.U k.y, x.x, t.y;\n"
                         "MAX.U k.z, x.x, t.y;\nCMP.S x.x, k.x, k.z, k.y;\n",
                         1u << j, 31 - (k < 5 ? k : 5), 31 - j);
                text_add(&w->glsl,
                         "room[l] = x.x; barrier(); y = room[l ^ %uu]; barrier();\n"
                         "x.x = ((l >> %uu ^ l >> %uu) & 1u) != 0u ? max(x.x, y) : min(x.x, y);\n",
                         1u << j, k, j);
            }
        text_add(&w->assembly, "MAD.U x.x, x.x, 1664525, 1013904223;\n");
        text_add(&w->glsl, "x.x = x.x * 1664525u + 1013904223u;\n");
    }
    compute_end(w);
}

void (*const work_compute[WORKS_COMPUTE])(struct work *) = {
    compute_mad,       compute_scalar, compute_integer,   compute_double, compute_double_mix,
    compute_divergent, compute_scan,   compute_reduction, compute_hash,   compute_matrix,
    compute_sort,
};
