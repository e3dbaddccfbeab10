#include "tests/tools/texture_cases.h"
#include "tests/tools/operands.h"

#include "eval/numeric/half_memory.h"

#include <stdio.h>
#include <string.h>

const char *const texture_places_names[PLACES_COUNT] = {"normal", "texels", "divided", "numbers", "slopes"};

/* ---- numbers by chance, the same everywhere ---------------------------------------------------------------------- */

static uint32_t next(uint64_t *state)
{
    return (uint32_t)(operand_random(state) >> 16);
}

/* In steps of 2^-16: exact. */
static float between(uint64_t *state, int least, int most)
{
    return (float)(least * 65536 + (int64_t)(next(state) % (uint32_t)((most - least) * 65536))) / 65536;
}

/* Among other coordinates those on which rounding turns: halves of 1/256 of a texel, texels, what is far out. */
static float coordinate(uint64_t *state)
{
    static const float nasty[] = {0, -0.0f, 1, -1, 0.5f, 2, 1e-30f, -1e-30f, 1e10f, -1e10f, 0.99999994f, 1.0000001f,
     65536.5f};
    uint32_t kind = next(state) % 16;

    if (kind == 0)
        return nasty[next(state) % (sizeof nasty / sizeof *nasty)];
    if (kind < 6)
        return (float)(int)(next(state) % 16384 - 4096) / 4096;
    return between(state, -2, 3);
}

static void put_float(uint8_t *to, float f)
{
    memcpy(to, &f, sizeof f);
}

static void put_word(uint8_t *to, uint32_t word)
{
    memcpy(to, &word, sizeof word);
}

/* Two to a power, with a sign. */
static float slope(uint64_t *state)
{
    float f = 1 + between(state, 0, 1);

    for (uint32_t n = next(state) % 8; n > 0; n--)
        f /= 2;
    return next(state) & 1 ? f : -f;
}

static void one_lane(enum texture_places places, uint64_t *state, uint8_t *at)
{
    for (unsigned i = 0; i < 4; i++) {
        float f = coordinate(state);
        switch (places) {
        case PLACES_TEXELS: put_float(at + 4 * i, f * 8); break;
        case PLACES_DIVIDED: put_float(at + 4 * i, i < 3 ? f : 0.25f + between(state, 0, 4)); break;
        case PLACES_NUMBERS: put_word(at + 4 * i, next(state) % 12 - 2); break;
        case PLACES_SLOPES: put_float(at + 4 * i, between(state, 0, 1)); break;
        default: put_float(at + 4 * i, i < 3 ? f : between(state, -1, 5)); break;
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        if (places == PLACES_SLOPES)
            put_float(at + 16 + 4 * i, slope(state));
        else if (places == PLACES_NUMBERS)
            put_word(at + 16 + 4 * i, next(state) % 5);
        else
            put_float(at + 16 + 4 * i, between(state, -1, 5) / 4);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (places == PLACES_SLOPES)
            put_float(at + 32 + 4 * i, slope(state));
        else
            put_word(at + 32 + 4 * i, next(state) % 20 - 10);
    }
}

void texture_places(enum texture_places places, uint8_t *data)
{
    uint64_t state = 1000 + places;

    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++)
        one_lane(places, &state, data + lane * TEXTURE_RECORD);
}

uint64_t texture_digest(const uint8_t *results)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (unsigned i = 0; i < TEXTURE_RESULTS; i += 4) {
        uint32_t word;
        memcpy(&word, results + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* ---- texels ------------------------------------------------------------------------------------------------------ */

static uint64_t seed_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    return hash;
}

static void fill_levels(const struct gp5_texture *t, uint8_t *data)
{
    for (uint32_t level = 0; level < t->levels; level++)
        for (uint64_t at = gp5_texture_bytes(t, level); at < gp5_texture_bytes(t, level + 1); at += 4)
            put_float(data + at, (float)level);
}

/* Floats and halves stay small; depths are of 0 ... 1. */
void texture_fill(const struct texture_case *c, uint8_t *data)
{
    const struct gp5_format_info *info = gp5_format_info(c->texture.format);
    uint64_t state = seed_of(c->name);

    if (c->levels) {
        fill_levels(&c->texture, data);
        return;
    }
    for (size_t at = 0; at < c->texture.bytes; at++)
        data[at] = (uint8_t)next(&state);
    for (size_t at = 0; info->kind == GP5_KIND_FLOAT && at < c->texture.bytes; at += info->bits / 8) {
        bool depth = c->texture.format == GP5_FORMAT_DEPTH32F;
        float f = depth ? (float)(next(&state) % 9) / 8 : between(&state, -4, 4);
        uint32_t word;
        memcpy(&word, &f, sizeof word);
        uint16_t half = eval_float_to_half(word);
        memcpy(data + at, info->bits == 16 ? (const void *)&half : (const void *)&word, info->bits / 8);
    }
    for (size_t at = 0; info->kind == GP5_KIND_PACKED_FLOAT && at < c->texture.bytes; at += 4) {
        uint32_t word;      /* exponents of all ones are infinities and NaNs: none of these */
        memcpy(&word, data + at, sizeof word);
        put_word(data + at, word & ~(UINT32_C(1) << 10 | UINT32_C(1) << 21 | UINT32_C(1) << 31));
    }
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

struct maker {
    void (*each)(void *user, const struct texture_case *c);
    void *user;
};

/* A target: its name, its kind of texture, the size of one. */
struct target { const char *name; uint8_t kind; uint16_t size[3]; uint8_t levels; };

static const struct target targets[] = {
    {"1D", GP5_TEXTURE_1D, {37, 1, 1}, 6},       {"2D", GP5_TEXTURE_2D, {16, 12, 1}, 5},
    {"3D", GP5_TEXTURE_3D, {8, 4, 5}, 4},        {"CUBE", GP5_TEXTURE_CUBE, {8, 8, 6}, 4},
    {"RECT", GP5_TEXTURE_RECT, {9, 7, 1}, 1},    {"ARRAY1D", GP5_TEXTURE_ARRAY1D, {16, 1, 3}, 5},
    {"ARRAY2D", GP5_TEXTURE_ARRAY2D, {8, 6, 3}, 4}, {"ARRAYCUBE", GP5_TEXTURE_ARRAYCUBE, {4, 4, 18}, 3},
};
enum { TARGETS = sizeof targets / sizeof *targets };

static void begin(struct texture_case *c, const struct target *t, uint8_t format)
{
    static const float border[4] = {0.75f, -0.3f, 1.25f, 0.123456f};
    static const uint32_t numbers[4] = {1000, 0xfffffff0, 3, 200};
    const struct gp5_format_info *info = gp5_format_info(format);
    bool whole = info->kind == GP5_KIND_UINT || info->kind == GP5_KIND_SINT || info->kind == GP5_KIND_PACKED_UINT;

    memset(c, 0, sizeof *c);
    c->texture.kind = t->kind;
    c->texture.format = format;
    for (unsigned i = 0; i < 3; i++)
        c->texture.size[i] = t->size[i];
    c->texture.levels = t->levels;
    c->texture.sampler.min_lod = -1000;
    c->texture.sampler.max_lod = 1000;
    memcpy(c->texture.sampler.border, whole ? (const void *)numbers : (const void *)border, sizeof border);
    c->places = t->kind == GP5_TEXTURE_RECT ? PLACES_TEXELS : PLACES_NORMAL;
    if (t->kind == GP5_TEXTURE_RECT)
        for (unsigned i = 0; i < 3; i++)
            c->texture.sampler.wrap[i] = GP5_WRAP_CLAMP_TO_EDGE;
}

static void filters(struct texture_case *c, unsigned filter, unsigned wrap)
{
    struct gp5_sampler *s = &c->texture.sampler;

    if (c->texture.levels == 1 && filter >= GP5_FILTER_NEAREST_MIPMAP_NEAREST)
        filter = filter % 2;
    s->min_filter = (uint8_t)filter;
    s->mag_filter = filter % 2 ? GP5_FILTER_LINEAR : GP5_FILTER_NEAREST;
    for (unsigned i = 0; i < 3; i++)
        s->wrap[i] = (uint8_t)wrap;
}

static const char *options_of(const char *code)
{
    if (strstr(code, "2DMS"))
        return strstr(code, "SPARSE") ? "OPTION NV_texture_multisample;\nOPTION EXT_sparse_texture2;\n"
                                      : "OPTION NV_texture_multisample;\nOPTION ARB_shader_texture_image_samples;\n";
    return strstr(code, "SPARSE") || strstr(code, "LODCLAMP") ? "OPTION EXT_sparse_texture2;\n" : "";
}

/* The program around an instruction that reads a, b and c and leaves its result in r. */
static void finish(const struct maker *m, struct texture_case *c, const char *name, const char *code)
{
    snprintf(c->name, sizeof c->name, "%s", name);
    snprintf(c->program, sizeof c->program,
             "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\n%sGROUP_SIZE 64;\nSTORAGE in[] = { program.storage[0] };\n"
             "STORAGE out[] = { program.storage[1] };\nTEXTURE several[] = { texture[0..1] };\nTEMP a, b, c, r, i;\n"
             "MUL.U i.x, invocation.groupid.x, 64;\nADD.U i.x, i.x, invocation.localindex.x;\nMUL.U i.y, i.x, 48;\n"
             "ADD.U i.z, i.y, 16;\nADD.U i.w, i.y, 32;\nLDB.F32X4 a, in[i.y];\nLDB.F32X4 b, in[i.z];\n"
             "LDB.F32X4 c, in[i.w];\n"
             "MOV.U r, {7, 7, 7, 7};\n%s\nMUL.U i.y, i.x, 16;\nSTB.F32X4 r, out[i.y];\nEND\n",
             options_of(code), code);
    c->texture.bytes = (size_t)gp5_texture_bytes(&c->texture, c->texture.levels);
    m->each(m->user, c);
}

static const char *const filter_names[] = {"nearest", "linear", "nearest_nearest", "linear_nearest", "nearest_linear",
 "linear_linear"};
static const char *const wrap_names[] = {"repeat", "edge", "border", "mirror", "mirror_edge"};

/* Every target with every wrap mode and filter. */
static void make_targets(const struct maker *m)
{
    struct texture_case c;
    char name[96], code[160];

    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned filter = 0; filter < GP5_FILTERS; filter++)
            for (unsigned wrap = 0; wrap < GP5_WRAPS; wrap++) {
                if (targets[t].kind == GP5_TEXTURE_RECT && (filter > 1 || (wrap != 1 && wrap != 2)))
                    continue;
                begin(&c, &targets[t], filter % 2 ? GP5_FORMAT_RGBA8 : GP5_FORMAT_RG32F);
                filters(&c, filter, wrap);
                snprintf(name, sizeof name, "%s_%s_%s", targets[t].name, filter_names[filter], wrap_names[wrap]);
                snprintf(code, sizeof code, "%s r, a, %stexture[0], %s;",
                         targets[t].kind == GP5_TEXTURE_RECT ? "TEX" : "TXL",
                         targets[t].kind == GP5_TEXTURE_ARRAYCUBE ? "b, " : "", targets[t].name);
                finish(m, &c, name, code);
            }
}

/* Every format with three filters. */
static void make_formats(const struct maker *m)
{
    static const uint8_t used[] = {GP5_FILTER_NEAREST, GP5_FILTER_LINEAR, GP5_FILTER_LINEAR_MIPMAP_LINEAR};
    struct texture_case c;
    char name[96], code[160];

    for (unsigned format = 1; format < GP5_FORMAT_COUNT; format++) {
        const struct gp5_format_info *info = gp5_format_info(format);
        bool sign = info->kind == GP5_KIND_SINT,
             whole = sign || info->kind == GP5_KIND_UINT || info->kind == GP5_KIND_PACKED_UINT;
        for (unsigned f = 0; f < (whole ? 1 : 3); f++) {
            begin(&c, &targets[1], (uint8_t)format);
            filters(&c, used[f], GP5_WRAP_CLAMP_TO_BORDER);
            snprintf(name, sizeof name, "format_%s_%s", info->name, filter_names[used[f]]);
            snprintf(code, sizeof code, "TXL%s r, a, texture[0], 2D;", sign ? ".S" : whole ? ".U" : "");
            finish(m, &c, name, code);
        }
        if (format == GP5_FORMAT_DEPTH32F)
            continue;
        begin(&c, &targets[1], (uint8_t)format);
        c.places = PLACES_NUMBERS;
        snprintf(name, sizeof name, "fetch_%s", info->name);
        snprintf(code, sizeof code, "TXF%s r, a, texture[0], 2D;", sign ? ".S" : whole ? ".U" : "");
        finish(m, &c, name, code);
    }
}

/* An instruction by itself: the target's number, what it is called besides, the code. */
struct single {
    uint8_t target, format, places, filter, wrap, compare;
    const char *name, *code;
};
enum { T1D, T2D, T3D, TCUBE, TRECT, TA1D, TA2D, TACUBE };
#define F32 GP5_FORMAT_RGBA32F
#define D32 GP5_FORMAT_DEPTH32F
#define TRI GP5_FILTER_LINEAR_MIPMAP_LINEAR

static const struct single singles[] = {
    {T1D, F32, PLACES_NUMBERS, 0, 0, 0, "fetch_1D", "TXF r, a, texture[0], 1D;"},
    {T3D, F32, PLACES_NUMBERS, 0, 0, 0, "fetch_3D", "TXF r, a, texture[0], 3D;"},
    {TRECT, F32, PLACES_NUMBERS, 0, 1, 0, "fetch_RECT", "MOV.U a.w, b.x; TXF r, a, texture[0], RECT;"},
    {TA1D, F32, PLACES_NUMBERS, 0, 0, 0, "fetch_ARRAY1D", "MOV.U a.w, b.x; TXF r, a, texture[0], ARRAY1D;"},
    {TA2D, F32, PLACES_NUMBERS, TRI, 0, 0, "fetch_ARRAY2D", "MOV.U a.w, b.x; TXF r, a, texture[0], ARRAY2D;"},
    {T2D, F32, PLACES_NUMBERS, TRI, 0, 0, "fetch_offset", "MOV.U a.w, b.x; TXF r, a, texture[0], 2D, (-2, 3);"},
    {T2D, F32, PLACES_NUMBERS, TRI, 0, 0, "fetch_moved", "MOV.U a.w, b.x; TXF r, a, texture[0], 2D, offset(c);"},
    {T3D, F32, PLACES_NUMBERS, TRI, 0, 0, "fetch_moved_3D", "MOV.U a.w, b.x; TXF r, a, texture[0], 3D, offset(c);"},
    {T1D, F32, PLACES_NUMBERS, 0, 0, 0, "size_1D", "TXQ r, a, texture[0], 1D;"},
    {T2D, F32, PLACES_NUMBERS, 0, 0, 0, "size_2D", "TXQ r, a, texture[0], 2D;"},
    {T3D, F32, PLACES_NUMBERS, 0, 0, 0, "size_3D", "TXQ r, a, texture[0], 3D;"},
    {TCUBE, F32, PLACES_NUMBERS, 0, 0, 0, "size_CUBE", "TXQ r, a, texture[0], CUBE;"},
    {TRECT, F32, PLACES_NUMBERS, 0, 1, 0, "size_RECT", "TXQ r, a, texture[0], RECT;"},
    {TA1D, F32, PLACES_NUMBERS, 0, 0, 0, "size_ARRAY1D", "TXQ r, a, texture[0], ARRAY1D;"},
    {TA2D, F32, PLACES_NUMBERS, 0, 0, 0, "size_ARRAY2D", "TXQ r, a, texture[0], ARRAY2D;"},
    {TACUBE, F32, PLACES_NUMBERS, 0, 0, 0, "size_ARRAYCUBE", "TXQ r, a, texture[0], ARRAYCUBE;"},
    {T2D, F32, PLACES_NORMAL, TRI, 0, 0, "tex_2D", "TEX r, a, texture[0], 2D;"},
    {T2D, F32, PLACES_NORMAL, TRI, 0, 0, "tex_bias_2D", "TXB r, a, texture[0], 2D;"},
    {TACUBE, F32, PLACES_NORMAL, TRI, 0, 0, "tex_bias_ARRAYCUBE", "TXB r, a, b, texture[0], ARRAYCUBE;"},
    {T1D, F32, PLACES_DIVIDED, 1, 3, 0, "project_1D", "TXP r, a, texture[0], 1D;"},
    {T2D, F32, PLACES_DIVIDED, 1, 0, 0, "project_2D", "TXP r, a, texture[0], 2D;"},
    {T3D, F32, PLACES_DIVIDED, 0, 2, 0, "project_3D", "TXP r, a, texture[0], 3D;"},
    {TCUBE, F32, PLACES_DIVIDED, 1, 1, 0, "project_CUBE", "TXP r, a, texture[0], CUBE;"},
    {TRECT, F32, PLACES_DIVIDED, 1, 1, 0, "project_RECT", "TXP r, a, texture[0], RECT;"},
    {TA1D, F32, PLACES_DIVIDED, 1, 0, 0, "project_ARRAY1D", "TXP r, a, texture[0], ARRAY1D;"},
    {TA2D, F32, PLACES_DIVIDED, 1, 0, 0, "project_ARRAY2D", "TXP r, a, texture[0], ARRAY2D;"},
    {T1D, D32, PLACES_DIVIDED, 1, 0, GP5_COMPARE_LESS, "project_SHADOW1D", "TXP r, a, texture[0], SHADOW1D;"},
    {T2D, D32, PLACES_DIVIDED, 1, 0, GP5_COMPARE_LESS, "project_SHADOW2D", "TXP r, a, texture[0], SHADOW2D;"},
    {TRECT, D32, PLACES_DIVIDED, 1, 1, GP5_COMPARE_LESS, "project_SHADOWRECT", "TXP r, a, texture[0], SHADOWRECT;"},
    {TA1D, D32, PLACES_DIVIDED, 1, 0, GP5_COMPARE_LESS, "project_SHADOWARRAY1D",
     "TXP r, a, texture[0], SHADOWARRAY1D;"},
    {T2D, F32, PLACES_NORMAL, 0, 0, 0, "gather_x", "TXG r, a, texture[0], 2D;"},
    {T2D, F32, PLACES_NORMAL, TRI, 2, 0, "gather_z", "TXG r, a, texture[0].z, 2D;"},
    {T2D, F32, PLACES_NORMAL, 0, 3, 0, "gather_offset", "TXG r, a, texture[0].w, 2D, (7, -8);"},
    {T2D, F32, PLACES_NORMAL, 0, 0, 0, "gather_moved", "TXG r, a, texture[0].y, 2D, offset(c);"},
    {TRECT, F32, PLACES_TEXELS, 0, 1, 0, "gather_RECT", "TXG r, a, texture[0], RECT;"},
    {TCUBE, F32, PLACES_NORMAL, 0, 1, 0, "gather_CUBE", "TXG r, a, texture[0].y, CUBE;"},
    {TA2D, F32, PLACES_NORMAL, 0, 0, 0, "gather_ARRAY2D", "TXG r, a, texture[0].y, ARRAY2D;"},
    {TACUBE, F32, PLACES_NORMAL, 0, 1, 0, "gather_ARRAYCUBE", "TXG r, a, texture[0].y, ARRAYCUBE;"},
    {T2D, D32, PLACES_NORMAL, 0, 0, GP5_COMPARE_GEQUAL, "gather_SHADOW2D", "TXG r, a, texture[0], SHADOW2D;"},
    {TRECT, D32, PLACES_TEXELS, 0, 1, GP5_COMPARE_GEQUAL, "gather_SHADOWRECT", "TXG r, a, texture[0], SHADOWRECT;"},
    {TA2D, D32, PLACES_NORMAL, 0, 0, GP5_COMPARE_GEQUAL, "gather_SHADOWARRAY2D",
     "TXG r, a, texture[0], SHADOWARRAY2D;"},
    {TCUBE, D32, PLACES_NORMAL, 0, 1, GP5_COMPARE_GEQUAL, "gather_SHADOWCUBE", "TXG r, a, texture[0], SHADOWCUBE;"},
    {TACUBE, D32, PLACES_NORMAL, 0, 1, GP5_COMPARE_GEQUAL, "gather_SHADOWARRAYCUBE",
     "TXG r, a, b, texture[0], SHADOWARRAYCUBE;"},
    {T2D, F32, PLACES_NORMAL, 0, 0, 0, "gather_apart", "ADD.S b, c.yzwx, 3; TXGO r, a, c, b, texture[0], 2D;"},
    {T2D, F32, PLACES_NORMAL, 0, 2, 0, "gather_apart_far", "MUL.S b, c.wzxy, 7; TXGO r, a, b, c, texture[0].z, 2D;"},
    {TRECT, F32, PLACES_TEXELS, 0, 1, 0, "gather_apart_RECT", "TXGO r, a, c, c.yzwx, texture[0], RECT;"},
    {TA2D, F32, PLACES_NORMAL, 0, 3, 0, "gather_apart_ARRAY2D", "TXGO r, a, c, c.yzwx, texture[0], ARRAY2D;"},
    {T2D, D32, PLACES_NORMAL, 0, 0, GP5_COMPARE_LESS, "gather_apart_SHADOW2D",
     "TXGO r, a, c, c.yzwx, texture[0], SHADOW2D;"},
    {T1D, D32, PLACES_NORMAL, TRI, 0, GP5_COMPARE_LESS, "shadow_1D", "TXL r, a, texture[0], SHADOW1D;"},
    {TRECT, D32, PLACES_TEXELS, 1, 2, GP5_COMPARE_LESS, "shadow_RECT", "TEX r, a, texture[0], SHADOWRECT;"},
    {TA1D, D32, PLACES_NORMAL, TRI, 0, GP5_COMPARE_LESS, "shadow_ARRAY1D", "TXL r, a, texture[0], SHADOWARRAY1D;"},
    {TA2D, D32, PLACES_NORMAL, 1, 0, GP5_COMPARE_GREATER, "shadow_ARRAY2D", "TEX r, a, texture[0], SHADOWARRAY2D;"},
    {TCUBE, D32, PLACES_NORMAL, 1, 1, GP5_COMPARE_GREATER, "shadow_CUBE", "TEX r, a, texture[0], SHADOWCUBE;"},
    {TACUBE, D32, PLACES_NORMAL, 1, 1, GP5_COMPARE_GREATER, "shadow_ARRAYCUBE",
     "TEX r, a, b, texture[0], SHADOWARRAYCUBE;"},
    {T2D, D32, PLACES_NORMAL, 1, 0, GP5_COMPARE_NONE, "shadow_of_none", "TEX r, a, texture[0], SHADOW2D;"},
    {T2D, D32, PLACES_NORMAL, 1, 0, GP5_COMPARE_LESS, "none_of_shadow", "TEX r, a, texture[0], 2D;"},
    {T2D, GP5_FORMAT_R32F, PLACES_NORMAL, 1, 0, GP5_COMPARE_LESS, "shadow_of_color", "TEX r, a, texture[0], SHADOW2D;"},
    {T2D, F32, PLACES_NORMAL, TRI, 0, 0, "offset", "TXL r, a, texture[0], 2D, (7, -8);"},
    {T2D, F32, PLACES_NORMAL, TRI, 2, 0, "offset_border", "TXL r, a, texture[0], 2D, (-3, 2);"},
    {T2D, F32, PLACES_NORMAL, TRI, 3, 0, "moved", "TXL r, a, texture[0], 2D, offset(c);"},
    {T3D, F32, PLACES_NORMAL, 0, 4, 0, "moved_3D", "TXL r, a, texture[0], 3D, offset(c);"},
    {T1D, F32, PLACES_NORMAL, TRI, 1, 0, "moved_1D", "TXL r, a, texture[0], 1D, offset(c);"},
    {TRECT, F32, PLACES_TEXELS, 1, 2, 0, "moved_RECT", "TEX r, a, texture[0], RECT, offset(c);"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "bits_as_integers", "TXL.U r, a, texture[0], 2D;"},
    {T2D, GP5_FORMAT_RGBA8UI, PLACES_NORMAL, 1, 0, 0, "integers_filtered", "TXL.U r, a, texture[0], 2D;"},
    {T2D, GP5_FORMAT_RGBA8UI, PLACES_NORMAL, 0, 0, 0, "integers_as_bits", "TXL r, a, texture[0], 2D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "several", "MOV.U b.x, c.x; TEX r, a, several[b.x], 2D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "no_texture", "TEX r, a, texture[3], 2D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "no_texture_fetched", "TXF.U r, c, texture[3], 2D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "no_texture_size", "TXQ r, c, texture[3], 2D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "other_target", "TEX r, a, texture[0], 3D;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "masked", "TEX.SAT r.yw, a, texture[0], 2D;"},
    {T2D, F32, PLACES_NORMAL, TRI, 0, 0, "sparse",
     "TXL.SPARSE r, a, texture[0], 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6; MOV.U r.w (RESIDENT.x), "
     "8;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "sparse_several",
     "TEX.SPARSE r, a, texture[0], 2D; MOV.U.CC a.x, r; TXL.SPARSE.CC r, a, texture[0], 2D; MOV.U r.y (RESIDENT), 5; "
     "MOV.U r.z (LT.z), 6;"},
    {T2D, F32, PLACES_NUMBERS, 0, 0, 0, "sparse_fetch",
     "TXF.SPARSE r, a, texture[0], 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 0, 0, 0, "sparse_gather",
     "TXG.SPARSE r, a, texture[0].y, 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 0, 0, 0, "sparse_gather_apart",
     "TXGO.SPARSE r, a, c, c.yzwx, texture[0], 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 0, 2, 0, "sparse_border",
     "TEX.SPARSE r, a, texture[0], 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "sparse_masked",
     "TEX.SPARSE r.y, a, texture[0], 2D; MOV.U r.x (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {TCUBE, F32, PLACES_NORMAL, 1, 1, 0, "sparse_CUBE",
     "TXL.SPARSE r, a, texture[0], CUBE; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {TACUBE, D32, PLACES_NORMAL, 1, 1, GP5_COMPARE_GREATER, "sparse_SHADOWARRAYCUBE",
     "TEX.SPARSE r, a, b, texture[0], SHADOWARRAYCUBE; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "sparse_no_texture",
     "TEX.SPARSE r, a, texture[3], 2D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "sparse_other_target",
     "TEX.SPARSE r, a, texture[0], 3D; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), 6;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "resident_if",
     "TXL.SPARSE r, a, texture[0], 2D; IF RESIDENT; MOV.U r.y, 5; ELSE; MOV.U r.z, 6; ENDIF; IF NONRESIDENT; MOV.U "
     "r.x, 7; ENDIF;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "resident_loop",
     "MOV.U r.w, 0; REP 4; TXL.SPARSE r.x, a, texture[0], 2D; ADD.U r.w, r.w, 1; BRK (RESIDENT); ENDREP;"},
    {T2D, F32, PLACES_NORMAL, 1, 0, 0, "flags", "TEX.CC r, a, texture[0], 2D; MOV.U r (LT), 5;"},
};

static void make_singles(const struct maker *m)
{
    struct texture_case c;

    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        begin(&c, &targets[singles[i].target], singles[i].format);
        filters(&c, singles[i].filter, singles[i].wrap);
        c.places = (enum texture_places)singles[i].places;
        c.texture.sampler.compare = singles[i].compare;
        finish(m, &c, singles[i].name, singles[i].code);
    }
}

static void shadow(const struct maker *m, unsigned target, uint8_t format, unsigned filter, unsigned wrap,
                   const char *name, const char *code)
{
    struct texture_case c;

    begin(&c, &targets[target], format);
    filters(&c, filter, wrap);
    c.texture.sampler.compare = GP5_COMPARE_LESS;
    finish(m, &c, name, code);
}

/* A comparison with what is no depth. */
static void make_colors(const struct maker *m)
{
    struct texture_case c;
    char name[96], code[160];

    for (unsigned format = 1; format < GP5_FORMAT_DEPTH32F; format++) {
        const struct gp5_format_info *info = gp5_format_info(format);
        bool sign = info->kind == GP5_KIND_SINT,
             whole = sign || info->kind == GP5_KIND_UINT || info->kind == GP5_KIND_PACKED_UINT;
        for (unsigned linear = 0; linear < (whole ? 1 : 2); linear++) {
            begin(&c, &targets[T2D], (uint8_t)format);
            filters(&c, linear, GP5_WRAP_REPEAT);
            c.texture.sampler.compare = GP5_COMPARE_GREATER;
            snprintf(name, sizeof name, "shadow_%s_%s", info->name, filter_names[linear]);
            snprintf(code, sizeof code, "TEX%s r, a, texture[0], SHADOW2D;", sign ? ".S" : whole ? ".U" : "");
            finish(m, &c, name, code);
        }
    }
    shadow(m, T2D, GP5_FORMAT_R32F, 0, GP5_WRAP_REPEAT, "gather_shadow_R32F", "TXG r, a, texture[0], SHADOW2D;");
    shadow(m, T2D, GP5_FORMAT_RGBA8, 0, GP5_WRAP_REPEAT, "gather_shadow_RGBA8", "TXG r, a, texture[0].y, SHADOW2D;");
    shadow(m, TA2D, GP5_FORMAT_R16, 1, GP5_WRAP_REPEAT, "shadow_ARRAY2D_R16", "TEX r, a, texture[0], SHADOWARRAY2D;");
    shadow(m, TCUBE, GP5_FORMAT_R32F, 1, GP5_WRAP_CLAMP_TO_EDGE, "shadow_CUBE_R32F",
           "TEX r, a, texture[0], SHADOWCUBE;");
}

static void make_comparisons(const struct maker *m)
{
    static const char *const names[] = {"none", "never", "less", "equal", "lequal", "greater", "notequal", "gequal",
     "always"};
    struct texture_case c;
    char name[96];

    for (unsigned compare = 1; compare < GP5_COMPARES; compare++)
        for (unsigned linear = 0; linear < 2; linear++) {
            begin(&c, &targets[T2D], D32);
            filters(&c, linear ? TRI : GP5_FILTER_NEAREST, GP5_WRAP_CLAMP_TO_BORDER);
            c.texture.sampler.compare = (uint8_t)compare;
            snprintf(name, sizeof name, "compare_%s_%s", names[compare], linear ? "linear" : "nearest");
            finish(m, &c, name, "FLR a.z, a; MUL a.z, a.z, 0.25; TXL r, a, texture[0], SHADOW2D;");
        }
}

/* Bounds and bias of levels; sizes at which coordinates have other fractions; a buffer. */
static void make_samplers(const struct maker *m)
{
    static const struct { const char *name, *code; float least, most, bias; } bounds[] = {
        {"bounds", "TXL r, a, texture[0], 2D;", 1.3f, 3.77f, 0},
        {"bias", "TXL r, a, texture[0], 2D;", -1000, 1000, 0.7f},
        {"bias_below", "TXL r, a, texture[0], 2D;", 0.3f, 2.6f, -0.3333f},
        {"bounds_of_tex", "TEX r, a, texture[0], 2D;", 1.3f, 3.77f, 0.4f},
        {"bounds_of_gather", "TXG r, a, texture[0], 2D;", 1.3f, 3.77f, 0.4f},
    };
    static const uint16_t sizes[] = {1, 2, 3, 100, 255, 1000, 1023, 4096, 8191, 8192, 10000, 16383, 16384};
    static const struct target buffer = {"BUFFER", GP5_TEXTURE_BUFFER, {9, 1, 1}, 1};
    struct texture_case c;
    char name[96];

    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        begin(&c, &targets[T2D], GP5_FORMAT_RGBA8);
        filters(&c, TRI, GP5_WRAP_REPEAT);
        c.texture.sampler.min_lod = bounds[i].least;
        c.texture.sampler.max_lod = bounds[i].most;
        c.texture.sampler.bias = bounds[i].bias;
        finish(m, &c, bounds[i].name, bounds[i].code);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct target wide = {"1D", GP5_TEXTURE_1D, {sizes[i], 1, 1}, 1};
        begin(&c, &wide, GP5_FORMAT_R16);
        filters(&c, GP5_FILTER_LINEAR, GP5_WRAP_MIRRORED_REPEAT);
        snprintf(name, sizeof name, "width_%u", sizes[i]);
        finish(m, &c, name, "TEX r, a, texture[0], 1D;");
    }
    begin(&c, &buffer, GP5_FORMAT_RGBA8);
    c.places = PLACES_NUMBERS;
    finish(m, &c, "fetch_BUFFER", "TXF r, a, texture[0], BUFFER;");
    begin(&c, &buffer, GP5_FORMAT_RG16UI);
    c.places = PLACES_NUMBERS;
    finish(m, &c, "fetch_BUFFER_U", "TXF.U r, a, texture[0], BUFFER;");
    begin(&c, &buffer, GP5_FORMAT_R32F);
    c.places = PLACES_NUMBERS;
    finish(m, &c, "size_BUFFER", "TXQ r, a, texture[0], BUFFER;");
}

/* Levels of detail from derivatives. */
static void make_slopes(const struct maker *m)
{
    static const struct { struct target target; enum gp5_wrap wrap; const char *before; } sized[] = {
        {{"1D", GP5_TEXTURE_1D, {64, 1, 1}, 7}, GP5_WRAP_REPEAT, ""},
        {{"2D", GP5_TEXTURE_2D, {64, 16, 1}, 7}, GP5_WRAP_REPEAT, ""},
        {{"3D", GP5_TEXTURE_3D, {32, 16, 8}, 6}, GP5_WRAP_REPEAT, ""},
        {{"ARRAY2D", GP5_TEXTURE_ARRAY2D, {32, 32, 2}, 6}, GP5_WRAP_REPEAT, ""},
        {{"CUBE", GP5_TEXTURE_CUBE, {64, 64, 6}, 7}, GP5_WRAP_CLAMP_TO_EDGE, "MAD a, a, 2, -1; "},
        {{"ARRAYCUBE", GP5_TEXTURE_ARRAYCUBE, {16, 16, 12}, 5}, GP5_WRAP_CLAMP_TO_EDGE, "MAD a, a, 2, -1; "},
    };
    struct texture_case c;
    char name[96], code[160];

    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        const struct target *target = &sized[i].target;

        begin(&c, target, GP5_FORMAT_R32F);
        filters(&c, TRI, sized[i].wrap);
        c.places = PLACES_SLOPES;
        c.levels = true;
        snprintf(name, sizeof name, "slopes_%s", target->name);
        snprintf(code, sizeof code, "%sTXD r, a, b, c, texture[0], %s;", sized[i].before, target->name);
        finish(m, &c, name, code);
    }
}

/* A bound that the instruction gives; the sampler's bounds and bias are beside it in some. */
static void make_clamps(const struct maker *m)
{
    static const struct { const char *name, *code; uint8_t target; float least, most, bias; } clamps[] = {
        {"clamp_2D", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], 2D;", T2D, -1000, 1000, 0},
        {"clamp_2D_bounds", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], 2D;", T2D, 1.3f, 2.6f, 0},
        {"clamp_2D_bias", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], 2D;", T2D, -1000, 1000, 0.7f},
        {"clamp_1D", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], 1D;", T1D, -1000, 1000, 0},
        {"clamp_3D", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], 3D;", T3D, -1000, 1000, 0},
        {"clamp_CUBE", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], CUBE;", TCUBE, -1000, 1000, 0},
        {"clamp_RECT", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], RECT;", TRECT, -1000, 1000, 0},
        {"clamp_ARRAY1D", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], ARRAY1D;", TA1D, -1000, 1000, 0},
        {"clamp_ARRAY2D", "MAD c.w, c.w, 2, 2; TXD.LODCLAMP r, a, b, c, texture[0], ARRAY2D;", TA2D, -1000, 1000, 0},
        {"clamp_nan", "LG2 c.w, -1.0; TXD.LODCLAMP r, a, b, c, texture[0], 2D;", T2D, -1000, 1000, 0},
        {"clamp_alone",
         "MAD c.w, c.w, 4, 2; MUL b, b, 1e-10; MUL c.xyz, c, 1e-10; TXD.LODCLAMP r, a, b, c, texture[0], 2D;", T2D,
         -1000, 1000, 0.7f},
    };
    struct texture_case c;

    for (size_t i = 0; i < sizeof clamps / sizeof *clamps; i++) {
        begin(&c, &targets[clamps[i].target], GP5_FORMAT_R32F);
        filters(&c, TRI, GP5_WRAP_CLAMP_TO_EDGE);
        c.places = PLACES_SLOPES;
        c.levels = true;
        c.texture.sampler.min_lod = clamps[i].least;
        c.texture.sampler.max_lod = clamps[i].most;
        c.texture.sampler.bias = clamps[i].bias;
        finish(m, &c, clamps[i].name, clamps[i].code);
    }
}

/* Textures of several samples. */
static void make_samples(const struct maker *m)
{
    static const struct target sized[] = {{"2DMS", GP5_TEXTURE_2DMS, {9, 7, 1}, 1},
     {"ARRAY2DMS", GP5_TEXTURE_ARRAY2DMS, {5, 6, 4}, 1}};
    static const uint8_t formats[] = {GP5_FORMAT_RGBA8, GP5_FORMAT_R8_SNORM, GP5_FORMAT_RG16, GP5_FORMAT_RGBA16_SNORM,
     GP5_FORMAT_R16F,
                                      GP5_FORMAT_RGBA16F, GP5_FORMAT_R32F, GP5_FORMAT_RGBA32F, GP5_FORMAT_RGB10_A2,
                                      GP5_FORMAT_R11F_G11F_B10F,
                                      GP5_FORMAT_R8UI, GP5_FORMAT_RG32UI, GP5_FORMAT_RGBA16I, GP5_FORMAT_RGB10_A2UI};
    static const struct { const char *name, *code; } others[] = {
        {"of_4", "TXFMS r, a, texture[0], 2DMS;"},
        {"sparse",
         "AND.U a.w, a.w, 3; TXFMS.SPARSE r, a, texture[0], 2DMS; MOV.U r.y (RESIDENT), 5; MOV.U r.z (NONRESIDENT), "
         "6;"},
        {"bits", "AND.U a.w, a.w, 3; TXFMS.U r, a, texture[0], 2DMS;"},
        {"masked", "AND.U a.w, a.w, 3; TXFMS.SAT r.yw, a, texture[0], 2DMS;"},
        {"size", "TXQ r, a, texture[0], 2DMS;"},
        {"count", "TXQS r, texture[0], 2DMS;"},
        {"no_texture", "TXFMS r, a, texture[3], 2DMS;"},
        {"no_texture_count", "TXQS r, texture[3], 2DMS;"},
        {"no_texture_size", "TXQ r, a, texture[3], 2DMS;"},
        {"other_target", "TXFMS r, a, texture[0], ARRAY2DMS;"},
    };
    struct texture_case c;
    char name[96], code[160];

    for (unsigned t = 0; t < 2; t++)
        for (unsigned samples = 2; samples <= 8; samples *= 2)
            for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
                const struct gp5_format_info *info = gp5_format_info(formats[f]);
                bool sign = info->kind == GP5_KIND_SINT,
                     whole = sign || info->kind == GP5_KIND_UINT || info->kind == GP5_KIND_PACKED_UINT;
                begin(&c, &sized[t], formats[f]);
                c.places = PLACES_NUMBERS;
                c.texture.samples = samples;
                snprintf(name, sizeof name, "samples_%s_%u_%s", sized[t].name, samples, info->name);
                snprintf(code, sizeof code, "SHR.S a.w, a.w, 1; TXFMS%s r, a, texture[0], %s;",
                         sign    ? ".S"
                         : whole ? ".U"
                                 : "",
                         sized[t].name);
                finish(m, &c, name, code);
            }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        begin(&c, &sized[0], GP5_FORMAT_RGBA32F);
        c.places = PLACES_NUMBERS;
        c.texture.samples = 4;
        snprintf(name, sizeof name, "samples_%s", others[i].name);
        finish(m, &c, name, others[i].code);
    }
    begin(&c, &sized[1], GP5_FORMAT_RGBA8);
    c.places = PLACES_NUMBERS;
    c.texture.samples = 2;
    finish(m, &c, "samples_array_size", "TXQ r, a, texture[0], ARRAY2DMS;");
    begin(&c, &sized[1], GP5_FORMAT_RGBA8);
    c.places = PLACES_NUMBERS;
    c.texture.samples = 2;
    finish(m, &c, "samples_array_count", "TXQS r, texture[0], ARRAY2DMS;");
    begin(&c, &sized[0], GP5_FORMAT_RGBA8);
    c.places = PLACES_NUMBERS;
    c.texture.samples = 4;
    finish(m, &c, "samples_sampled", "I2F.S a, a; TEX r, a, texture[0], 2D;");
    begin(&c, &targets[T2D], GP5_FORMAT_RGBA8);
    c.places = PLACES_NUMBERS;
    finish(m, &c, "samples_of_none", "TXFMS r, a, texture[0], 2DMS;");
}

void texture_cases(void (*each)(void *user, const struct texture_case *c), void *user)
{
    struct maker m = {each, user};

    make_targets(&m);
    make_formats(&m);
    make_singles(&m);
    make_comparisons(&m);
    make_colors(&m);
    make_samplers(&m);
    make_slopes(&m);
    make_clamps(&m);
    make_samples(&m);
}
