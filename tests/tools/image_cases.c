/* The programs of tests/tools/image_cases.h. */
#include "tests/tools/image_cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char head[] =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_bindless_texture;\nOPTION ARB_shader_image_size;\n"
    "OPTION EXT_shader_image_load_formatted;\nOPTION NV_shader_atomic_float;\nOPTION NV_shader_atomic_fp16_vector;\n"
    "OPTION NV_gpu_program5_mem_extended;\nOPTION NV_gpu_program_fp64;\n";
static const char declarations[] =
    "GROUP_SIZE 64;\nSTORAGE in[] = { program.storage[0] };\n"
    "STORAGE out[] = { program.storage[1] };\nIMAGE im[] = { image[0..3] };\nPARAM h = program.local[0];\n"
    "TEMP n, c, v, r, s;\n"
    "LONG TEMP D;\nMAD.U n.x, invocation.groupid.x, 64, invocation.localindex.x;\nMUL.U n.y, n.x, 16;\n";

static const char *const kind_names[GP5_TEXTURE_2DMS] = {"1D", "2D", "3D", "CUBE", "RECT", "ARRAY1D", "ARRAY2D",
 "ARRAYCUBE", "BUFFER"};

struct maker {
    struct image_case c;
    void (*each)(void *user, const struct image_case *c);
    void *user;
    bool sparse;
};

static void put(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct maker *m, const char *format, ...)
{
    size_t at = strlen(m->c.program);
    va_list args;

    va_start(args, format);
    vsnprintf(m->c.program + at, sizeof m->c.program - at, format, args);
    va_end(args);
}

/* One texture, random unless something else is said, seen as a whole by image 0. */
static void start(struct maker *m, unsigned kind, unsigned format, uint32_t w, uint32_t h, uint32_t d, uint32_t levels)
{
    struct gp5_texture *t = &m->c.texture;

    memset(&m->c, 0, sizeof m->c);
    m->c.groups = 64;
    m->c.fill = IMAGE_DATA_RANDOM;
    t->kind = (uint8_t)kind;
    t->format = (uint8_t)format;
    t->size[0] = w;
    t->size[1] = h;
    t->size[2] = d;
    t->levels = levels;
    t->bytes = (size_t)gp5_texture_bytes(t, levels);
    m->c.image[0] = (struct gp5_image){.layered = true, .format = (uint8_t)format};
    m->c.images = 1;
    put(m, "%s%s%s", head, m->sparse ? "OPTION EXT_sparse_texture2;\n" : "", declarations);
}

static void finish(struct maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void finish(struct maker *m, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(m->c.name, sizeof m->c.name, format, args);
    va_end(args);
    put(m, "END\n");
    m->c.seed = (uint32_t)image_hash((const uint8_t *)m->c.name, strlen(m->c.name));
    m->each(m->user, &m->c);
}

/* An invocation a texel of a 2D texture; the result of each is 16 bytes. */
static void squares(struct maker *m, unsigned format, unsigned bits)
{
    uint32_t w = 1u << bits;

    start(m, GP5_TEXTURE_2D, format, w, w, 1, 1);
    m->c.groups = w * w / 64;
    put(m, "AND.U c.x, n.x, %u;\nSHR.U c.y, n.x, %u;\nMOV.U c.zw, 0;\n", w - 1, bits);
}

static void show(struct maker *m)
{
    put(m, "STB.U32X4 r, out[n.y];\n");
    m->c.output = m->c.groups * 64 * 16;
}

static const char *format_name(unsigned format)
{
    return gp5_format_info(format)->name;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void load_value(struct maker *m, unsigned format, const char *type)
{
    const struct gp5_format_info *info = gp5_format_info(format);
    bool codes = info->components == 1 && info->bits == 16;

    squares(m, format, codes && *type == 'F' ? 8 : info->bits ? 5 : 6);
    if (codes && *type == 'F')
        m->c.fill = IMAGE_DATA_CODES;
    put(m, "LOADIM.%s r, c, image[0], 2D;\n", type);
    show(m);
    finish(m, "load_%s_%s", format_name(format), type);
}

static void store_value(struct maker *m, unsigned format, const char *type)
{
    squares(m, format, 6);
    m->c.input = !*type || type[1] == 'F' ? IMAGE_DATA_FLOATS : IMAGE_DATA_INTEGERS;
    m->c.returns = true;
    put(m, "LDB.U32X4 v, in[n.y];\nSTOREIM%s image[0], v, c, 2D;\n", type);
    finish(m, "store_%s_%s", format_name(format), *type ? type + 1 : "default");
}

static void values(struct maker *m)
{
    static const char *const loads[] = {"F", "U", "S", "F.SAT", "F.SSAT"};
    static const char *const stores[] = {"", ".F", ".U", ".S"};

    for (unsigned format = 1; format < GP5_FORMAT_COUNT; format++) {
        if (format == GP5_FORMAT_DEPTH32F)
            continue;
        for (unsigned i = 0; i < 5; i++)
            load_value(m, format, loads[i]);
        for (unsigned i = 0; i < 4; i++)
            store_value(m, format, stores[i]);
    }
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static void bytes(struct maker *m)
{
    static const uint8_t formats[] = {GP5_FORMAT_R8UI, GP5_FORMAT_R8_SNORM, GP5_FORMAT_R16I, GP5_FORMAT_RG8,
     GP5_FORMAT_R16F, GP5_FORMAT_R32UI,
                                      GP5_FORMAT_R32F, GP5_FORMAT_RGBA8, GP5_FORMAT_R11F_G11F_B10F, GP5_FORMAT_RG32I,
                                      GP5_FORMAT_RGBA16F,
                                      GP5_FORMAT_RGBA32UI, GP5_FORMAT_RGBA32F};
    static const char *const types[] = {"U8", "S8", "U16", "S16", "U32", "S32", "F16", "F32", "U64", "S64", "F64"};
    static const char *const widths[] = {"", "X2", "X4"};

    for (size_t f = 0; f < sizeof formats; f++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (unsigned w = 0; w < 3; w++) {
                const char *wide = strstr(types[t], "64") ? "D" : "r";
                if (*wide == 'D' && w == 2)     /* 32 bytes: the driver makes no sense of them */
                    continue;
                squares(m, formats[f], 3);
                put(m, "MOV.U %s, {7, 8, 9, 10};\nLOADIM.%s%s %s, c, image[0], 2D;\n", wide, types[t], widths[w], wide);
                if (*wide == 'D')
                    put(m, "MOV.U r.xy, D.x;\nUP64 r.xy, D.x;\nUP64 r.zw, D.yyyy;\n");
                show(m);
                finish(m, "load_%s_%s%s", format_name(formats[f]), types[t], widths[w]);
                squares(m, formats[f], 3);
                m->c.input = types[t][0] == 'F' ? IMAGE_DATA_FLOATS : IMAGE_DATA_INTEGERS;
                m->c.returns = true;
                put(m, "LDB.U32X4 v, in[n.y];\n");
                if (*wide == 'D')
                    put(m, "PK64.U D.x, v.xyxy;\nPK64.U D.y, v.zwzw;\nMOV.U64 D.zw, D.xxxy;\n");
                put(m, "STOREIM.%s%s image[0], %s, c, 2D;\n", types[t], widths[w], *wide == 'D' ? "D" : "v");
                finish(m, "store_%s_%s%s", format_name(formats[f]), types[t], widths[w]);
            }
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

struct shape { uint8_t kind; uint32_t size[3], levels; };
static const struct shape shapes[] = {
    {GP5_TEXTURE_1D, {6, 1, 1}, 2},      {GP5_TEXTURE_2D, {5, 3, 1}, 2},      {GP5_TEXTURE_3D, {4, 3, 5}, 2},
    {GP5_TEXTURE_CUBE, {4, 4, 6}, 2},    {GP5_TEXTURE_RECT, {5, 3, 1}, 1},    {GP5_TEXTURE_ARRAY1D, {4, 1, 3}, 2},
    {GP5_TEXTURE_ARRAY2D, {5, 4, 3}, 2}, {GP5_TEXTURE_ARRAYCUBE, {3, 3, 12}, 1}, {GP5_TEXTURE_BUFFER, {7, 1, 1}, 1},
};

static bool has_layers(unsigned kind)
{
    return kind == GP5_TEXTURE_3D || kind == GP5_TEXTURE_CUBE || kind >= GP5_TEXTURE_ARRAY1D
               ? kind != GP5_TEXTURE_BUFFER
               : false;
}

static unsigned single(unsigned kind)
{
    return kind == GP5_TEXTURE_ARRAY1D ? GP5_TEXTURE_1D : has_layers(kind) ? GP5_TEXTURE_2D : kind;
}

/* Each lane reads, stores to or counts up the texel that its four words name; all store the same. */
static void coordinates_of(struct maker *m, const struct shape *s, uint32_t level, bool layered, unsigned format)
{
    static const char *const names[] = {"load", "value", "store", "atomic", "count"};
    unsigned kind = layered ? s->kind : single(s->kind);

    for (unsigned what = 0; what < 5; what++) {
        const char *size = gp5_format_info(format)->bytes == 4   ? "U32"
                           : gp5_format_info(format)->bytes == 1 ? "U8"
                                                                 : "U32X4";
        if (what > 2 && gp5_format_info(format)->bytes != 4)
            continue;
        start(m, s->kind, format, s->size[0], s->size[1], s->size[2], s->levels);
        m->c.image[0].level = level;
        m->c.image[0].layered = layered;
        m->c.image[0].layer = layered ? 0 : level && s->kind == GP5_TEXTURE_3D ? 1 : s->size[2] / 2;
        m->c.input = IMAGE_DATA_COORDINATES;
        put(m, "LDB.U32X4 c, in[n.y];\n");
        switch (what) {
        case 0: put(m, "LOADIM.%s r, c, image[0], %s;\n", size, kind_names[kind]); break;
        case 1: put(m, "LOADIM.U r, c, image[0], %s;\n", kind_names[kind]); break;
        case 2: put(m, "STOREIM.%s image[0], {305419896, 2, 3, 4}, c, %s;\n", size, kind_names[kind]); break;
        case 3:
            put(m, "MOV.U r, {7, 8, 9, 10};\nATOMIM.AND.U32 r, {4294967295}, c, image[0], %s;\n", kind_names[kind]);
            break;
        default: put(m, "MUL.U v.x, n.x, 2654435761;\nATOMIM.ADD.U32 r.x, v, c, image[0], %s;\n", kind_names[kind]);
        }
        if (what < 2 || what == 3)
            show(m);
        m->c.returns = what >= 2;
        finish(m, "at_%s%s_%s_level%u_%s", kind_names[s->kind], layered ? "" : "_layer", format_name(format), level,
               names[what]);
    }
}

static void coordinates(struct maker *m)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t level = 0; level < shapes[i].levels; level++) {
            coordinates_of(m, &shapes[i], level, true, GP5_FORMAT_R32UI);
            if (has_layers(shapes[i].kind))
                coordinates_of(m, &shapes[i], level, false, GP5_FORMAT_R32UI);
            if (level == 0) {
                coordinates_of(m, &shapes[i], level, true, GP5_FORMAT_R8UI);
                coordinates_of(m, &shapes[i], level, true, GP5_FORMAT_RGBA32UI);
            }
        }
}

/* ---- atomic operations ------------------------------------------------------------------------------------------- */

static void atomic(struct maker *m, const char *operation, const char *type, unsigned format)
{
    bool floats = type[0] == 'F';

    squares(m, format, 6);
    m->c.fill = floats ? IMAGE_DATA_FLOATS : IMAGE_DATA_INTEGERS;
    m->c.input = m->c.fill;
    m->c.returns = true;
    /* Not the operands that the texels have: those of another lane. */
    put(m, "ADD.U s.x, n.x, 1237;\nAND.U s.x, s.x, 4095;\nMUL.U s.x, s.x, 16;\nLDB.U32X4 v, in[s.x];\n");
    if (!strcmp(operation, "CSWAP"))
        put(m, "LOADIM.U32 r, c, image[0], 2D;\nAND.U.CC s.x, n.x, 1;\nMOV.U v.x (NE.x), r.x;\nBAR;\n");
    put(m, "MOV.U r, {7, 8, 9, 10};\nATOMIM.%s.%s r, v, c, image[0], 2D;\n", operation, type);
    show(m);
    finish(m, "atomic_%s_%s_%s", operation, type, format_name(format));
}

static void atomics(struct maker *m)
{
    static const char *const unsigned_ones[] = {"ADD", "MIN", "MAX", "IWRAP", "DWRAP", "AND", "OR", "XOR", "EXCH",
     "CSWAP"};
    static const char *const signed_ones[] = {"ADD", "MIN", "MAX", "AND", "OR", "XOR", "EXCH", "CSWAP"};
    static const char *const halves[] = {"ADD", "MIN", "MAX", "EXCH"};
    static const uint8_t formats[] = {GP5_FORMAT_R32UI, GP5_FORMAT_R32I, GP5_FORMAT_R32F, GP5_FORMAT_RGBA8};

    for (size_t f = 0; f < sizeof formats; f++) {
        for (size_t i = 0; i < 10; i++)
            atomic(m, unsigned_ones[i], "U32", formats[f]);
        for (size_t i = 0; i < 8; i++)
            atomic(m, signed_ones[i], "S32", formats[f]);
        atomic(m, "ADD", "F32", formats[f]);
        atomic(m, "EXCH", "F32", formats[f]);
    }
    for (size_t i = 0; i < 4; i++) {
        atomic(m, halves[i], "F16X2", GP5_FORMAT_RG16F);
        atomic(m, halves[i], "F16X2", GP5_FORMAT_R32UI);
        atomic(m, halves[i], "F16X4", GP5_FORMAT_RGBA16F);
        atomic(m, halves[i], "F16X4", GP5_FORMAT_RG32UI);
    }
    atomic(m, "ADD", "U32", GP5_FORMAT_R8UI);
    atomic(m, "ADD", "U32", GP5_FORMAT_R16UI);
    atomic(m, "ADD", "U32", GP5_FORMAT_RG32UI);
    atomic(m, "ADD", "U32", GP5_FORMAT_RGBA32UI);
    atomic(m, "ADD", "F16X4", GP5_FORMAT_RG16F);
    atomic(m, "ADD", "F16X2", GP5_FORMAT_RGBA16F);
}

/* Accesses of another size than the texels', on rows of odd lengths. */
static void other_sizes(struct maker *m)
{
    static const uint8_t formats[] = {GP5_FORMAT_R8UI, GP5_FORMAT_RG16F, GP5_FORMAT_RGBA32UI};
    static const char *const types[] = {"U8", "U16", "U32", "U32X2", "U32X4"};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t f = 0; f < sizeof formats; f++)
            for (size_t t = 0; t < sizeof types / sizeof *types; t++)
                for (unsigned store = 0; store < 3; store++) {
                    const struct shape *s = &shapes[i];
                    if (store == 2 && strcmp(types[t], "U32"))
                        continue;
                    start(m, s->kind, formats[f], s->size[0], s->size[1], s->size[2], s->levels);
                    m->c.image[0].level = f == 1 && s->levels > 1;
                    m->c.input = IMAGE_DATA_COORDINATES;
                    m->c.returns = store > 0;
                    put(m, "LDB.U32X4 c, in[n.y];\n");
                    if (store == 2)
                        put(m, "ATOMIM.ADD.U32 r.x, n, c, image[0], %s;\n", kind_names[s->kind]);
                    else if (store)
                        put(m, "STOREIM.%s image[0], {305419896, 2, 3, 4}, c, %s;\n", types[t], kind_names[s->kind]);
                    else
                        put(m, "LOADIM.%s r, c, image[0], %s;\n", types[t], kind_names[s->kind]);
                    if (!store)
                        show(m);
                    finish(m, "size_%s_%s_%s_%s", kind_names[s->kind], format_name(formats[f]), types[t],
                           store == 2 ? "atomic" : store ? "store" : "load");
                }
}

/* Each alpha from 0 to 1, in steps of 2^-16. */
static void ramp(struct maker *m)
{
    squares(m, GP5_FORMAT_RGB10_A2, 8);
    m->c.returns = true;
    put(m, "I2F.U v, n.x;\nMUL.F v, v, 0.0000152587890625;\nSTOREIM.F image[0], v, c, 2D;\n");
    finish(m, "ramp_RGB10_A2");
}

/* Half of the groups store, half of them compare and fail: does a failing CSWAP write back what it read? */
static void failing(struct maker *m)
{
    squares(m, GP5_FORMAT_R32UI, 8);
    m->c.groups *= 2;
    m->c.returns = true;
    put(m, "SHR.U s.x, n.x, 6;\nAND.U s.x, s.x, 1;\nSHR.U s.y, n.x, 7;\nSHL.U s.y, s.y, 6;\nAND.U s.z, n.x, 63;\nADD.U "
           "s.z, s.y, s.z;\n"
           "AND.U c.x, s.z, 255;\nSHR.U c.y, s.z, 8;\nMOV.U c.zw, 0;\n"
           "SNE.U.CC s.w, s.x, 0;\nIF NE.w;\nREP.S 64;\nATOMIM.CSWAP.U32 r.x, {7, 8}, c, image[0], 2D;\nENDREP;\n"
           "ELSE;\n"
           "STOREIM.U32 image[0], {99}, c, 2D;\nENDIF;\n");
    finish(m, "cswap_that_fails");
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void sizes(struct maker *m)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t level = 0; level < shapes[i].levels; level++)
            for (unsigned layered = 0; layered < 2; layered++) {
                const struct shape *s = &shapes[i];
                unsigned kind = layered ? s->kind : single(s->kind);
                start(m, s->kind, GP5_FORMAT_RG8, s->size[0], s->size[1], s->size[2], s->levels);
                m->c.groups = 1;
                m->c.image[0].level = level;
                m->c.image[0].layered = layered;
                m->c.image[0].layer = layered ? 0 : level && s->kind == GP5_TEXTURE_3D ? 1 : s->size[2] / 2;
                put(m, "MOV.U r, {7, 8, 9, 10};\nIMQ r, image[0], %s;\n", kind_names[kind]);
                show(m);
                finish(m, "size_%s%s_level%u", kind_names[s->kind], layered ? "" : "_layer", level);
            }
}

/* A statement that leaves its result in r. Image 0 is R32UI, of 4 levels; the images are its levels. */
static void small(struct maker *m, const char *name, unsigned format, bool returns, const char *statements)
{
    start(m, GP5_TEXTURE_2D, format, 8, 8, 1, 4);
    m->c.groups = 1;
    m->c.images = 4;
    m->c.handle = true;
    m->c.returns = returns;
    for (unsigned i = 0; i < 4; i++)
        m->c.image[i] = (struct gp5_image){.unit = i, .level = i, .layered = true, .format = (uint8_t)format};
    put(m,
        "AND.U c.x, n.x, 7;\nSHR.U c.y, n.x, 3;\nMOV.U c.zw, 0;\nMOV.U r, {7, 8, 9, 10};\nLDB.U32X4 v, in[n.y];\n%s\n",
        statements);
    show(m);
    finish(m, "%s", name);
}

static void the_rest(struct maker *m)
{
    static const struct { const char *name, *statements; bool returns; } cases[] = {
        {"handle_load", "PK64.U D.x, h;\nLOADIM.U32 r, c, handle(D.x), 2D;", false},
        {"handle_value", "PK64.U D.x, h;\nLOADIM.U r, c, handle(D.x), 2D;", false},
        {"handle_store", "PK64.U D.x, h;\nSTOREIM.U32 handle(D.x), v, c, 2D;", true},
        {"handle_store_value", "PK64.U D.x, h;\nSTOREIM.U handle(D.x), v, c, 2D;", true},
        {"handle_atomic", "PK64.U D.x, h;\nATOMIM.ADD.U32 r, v, c, handle(D.x), 2D;", true},
        {"handle_size", "PK64.U D.x, h;\nIMQ r.xy, handle(D.x), 2D;", false},
        {"handle_outside", "PK64.U D.x, h;\nMUL.U c.x, c.x, 3;\nLOADIM.U32 r, c, handle(D.x), 2D;", false},
        {"handle_other_size", "PK64.U D.x, h;\nLOADIM.U32X2 r, c, handle(D.x), 2D;", false},
        {"element_constant", "LOADIM.U32 r, c, im[2], 2D;", false},
        {"element_by_lane", "AND.U s.x, n.x, 3;\nLOADIM.U32 r, c, im[s.x], 2D;", false},
        {"element_by_lane_store", "SHR.U s.x, n.x, 4;\nSHR.U c.xy, c, s.x;\nSTOREIM.U32 im[s.x], {305419896}, c, 2D;",
         true},
        {"element_by_lane_atomic", "AND.U s.x, n.x, 3;\nMOV.U c, 0;\nATOMIM.ADD.U32 s.y, n.x, c, im[s.x], 2D;", true},
        {"element_size", "AND.U s.x, n.x, 3;\nIMQ r.xy, im[s.x], 2D;", false},
        {"flags",
         "LOADIM.U32.CC r, c, image[0], 2D;\nMOV.U r, 0;\nMOV.U r (LT), 1;\n"
         "MOV.U s, 0; MOV.U s (EQ), 2; ADD.U r, r, s;", false},
        {"value_flags",
         "LOADIM.U.CC r, c, image[0], 2D;\nMOV.U r, 0;\nMOV.U r (LT), 1;\nMOV.U s, 0; MOV.U s (EQ), 2; ADD.U r, r, s;",
         false},
        {"masked", "LOADIM.U32 r.yw, c, image[0], 2D;", false},
        {"conditional", "MOV.U.CC s, v;\nLOADIM.U32 r (LT), c, image[0], 2D;", false},
        {"swizzled", "LOADIM.U32 r, c.yxzw, image[0], 2D;\nSTOREIM.U32 image[0], r.x, c.yxzw, 2D;", true},
        {"negated", "LOADIM.U32 r, -c, image[0], 2D;", false},
        {"into_long", "MOV.U64 D, 0;\nLOADIM.S32 D.x, c, image[0], 2D;\nUP64 r.xy, D.x;", false},
        {"into_long_value", "MOV.U64 D, 0;\nLOADIM.S D.x, c, image[0], 2D;\nUP64 r.xy, D.x;", false},
        {"from_long", "PK64.U D.x, v;\nSTOREIM.U32 image[0], D.x, c, 2D;", true},
        {"unbound_load", "LOADIM.U32 r, c, image[6], 2D;", false},
        {"unbound_load4", "LOADIM.U32X4 r, c, image[6], 2D;", false},
        {"unbound_value", "LOADIM.F r, c, image[6], 2D;", false},
        {"unbound_store", "STOREIM.U32 image[6], v, c, 2D;", true},
        {"unbound_atomic", "ATOMIM.ADD.U32 r, v, c, image[6], 2D;", true},
        {"unbound_size", "IMQ r, image[6], 2D;", false},
        {"branch",
         "SGT.S.CC s, v, 0;\nIF NE.x;\nLOADIM.U32 r, c, image[0], 2D;\nELSE;\nSTOREIM.U32 image[1], {9}, c, 2D;\n"
         "ENDIF;", true},
        {"order",
         "STOREIM.U32 image[0], v, c, 2D;\nLOADIM.U32 r, c, image[0], 2D;\nADD.U v, v, 1;\n"
         "STOREIM.U image[0], v, c, 2D;\n"
                  "LOADIM.U r.y, c.xyzw, image[0], 2D;\nLOADIM.U r.w, c, image[0], 2D;", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        small(m, cases[i].name, GP5_FORMAT_R32UI, cases[i].returns, cases[i].statements);
    for (unsigned i = 0; i < 3; i++) {
        static const uint8_t formats[] = {GP5_FORMAT_R32F, GP5_FORMAT_RGBA8, GP5_FORMAT_R11F_G11F_B10F};
        static const char *const names[] = {"R32F", "RGBA8", "R11F"};
        char name[64];
        snprintf(name, sizeof name, "handle_load_%s", names[i]);
        small(m, name, formats[i], false, "PK64.U D.x, h;\nLOADIM.F32 r, c, handle(D.x), 2D;");
        snprintf(name, sizeof name, "handle_value_%s", names[i]);
        small(m, name, formats[i], false, "PK64.U D.x, h;\nMUL.U c.x, c.x, 2;\nLOADIM.F r, c, handle(D.x), 2D;");
        snprintf(name, sizeof name, "outside_value_%s", names[i]);
        small(m, name, formats[i], false, "MUL.U c.x, c.x, 2;\nLOADIM.F r, c, image[0], 2D;");
        snprintf(name, sizeof name, "outside_load_%s", names[i]);
        small(m, name, formats[i], false, "MUL.U c.x, c.x, 2;\nLOADIM.U32 r, c, image[0], 2D;");
        snprintf(name, sizeof name, "handle_size_%s", names[i]);
        small(m, name, formats[i], false, "PK64.U D.x, h;\nIMQ r, handle(D.x), 2D;");
        snprintf(name, sizeof name, "element_by_lane_%s", names[i]);
        small(m, name, formats[i], false, "AND.U s.x, n.x, 3;\nLOADIM.U32 r, c, im[s.x], 2D;");
    }
    small(m, "long_U64", GP5_FORMAT_RG32UI, false,
          "MOV.U64 D, 0;\nLOADIM.U64 D, c, image[0], 2D;\nUP64 r.xy, D.zzzz;\nUP64 r.zw, D.wwww;");
    small(m, "long_F64", GP5_FORMAT_RG32UI, false,
          "MOV.U64 D, 0;\nLOADIM.F64 D, c, image[0], 2D;\nUP64 r.xy, D.zzzz;\nUP64 r.zw, D.wwww;");
    small(m, "long_F64_floats", GP5_FORMAT_RG32F, false,
          "MOV.U64 D, 0;\nLOADIM.F64 D, c, image[0], 2D;\nUP64 r.xy, D.zzzz;\nUP64 r.zw, D.wwww;");
    small(m, "long_U64X2", GP5_FORMAT_RGBA32F, false,
          "MOV.U64 D, 0;\nLOADIM.U64X2 D, c, image[0], 2D;\nUP64 r.xy, D.zzzz;\nUP64 r.zw, D.wwww;");
    small(m, "unbound_float", GP5_FORMAT_R32F, false, "LOADIM.F32 r, c, image[6], 2D;");
    small(m, "unbound_halves", GP5_FORMAT_R32F, false, "LOADIM.U16X2 r, c, image[6], 2D;");
    small(m, "unbound_cswap", GP5_FORMAT_R32F, false, "ATOMIM.CSWAP.U32 r, {0, 1}, c, image[6], 2D;");
    small(m, "coherent", GP5_FORMAT_R32UI, true,
          "STOREIM.U32.COH image[0], v, c, 2D;\nMEMBAR;\nLOADIM.U32.COH r, c, image[0], 2D;\n"
          "STOREIM.U32.VOL image[1], v, c, 2D;\nLOADIM.U32.VOL r.y, c, image[1], 2D;");
    small(m, "short", GP5_FORMAT_R32F, true,
          "SHORT TEMP q;\nLOADIM.F q, c, image[0], 2D;\nMOV.F r, q;\nSTOREIM.F image[0], q, c, 2D;");
    small(m, "literal", GP5_FORMAT_RGBA8, true,
          "STOREIM.F image[0], {0.25, 0.5, 0.75, 1.0}, c, 2D;\nLOADIM.F r, c, image[0], 2D;");
    small(m, "products", GP5_FORMAT_R32F, true,
          "MUL.F s, v, v.yzwx;\nLOADIM.F32 r, c, image[0], 2D;\nADD.F r, r, s;\nSTOREIM.F image[0], r, c, 2D;");
    static const struct { const char *name, *statements; bool returns; } tested[] = {
        {"load4", "LOADIM.U32X4 r (LT), c, image[0], 2D;", false},
        {"load4_swizzled", "LOADIM.U32X4 r (LT.yxwz), c, image[0], 2D;", false},
        {"load4_masked", "LOADIM.U32X4 r.xz (GE.wwyx), c, image[0], 2D;", false},
        {"load2", "LOADIM.U32X2 r (LT), c, image[1], 2D;", false},
        {"load_one", "LOADIM.U32 r (LT), c, image[1], 2D;", false},
        {"load_one_swizzled", "LOADIM.U32 r (LT.wzyx), c, image[1], 2D;", false},
        {"load_halves", "LOADIM.F16X4 r (LT), c, image[1], 2D;", false},
        {"load_bytes", "LOADIM.U8X4 r (LT.yyxx), c, image[1], 2D;", false},
        {"value", "LOADIM.F r (LT), c, image[0], 2D;", false},
        {"value_swizzled", "LOADIM.F r (LT.wwzx), c, image[0], 2D;", false},
        {"value_masked", "LOADIM.F r.yw (GE.zyxx), c, image[0], 2D;", false},
        {"size", "IMQ r (LT), image[0], 2D;", false}, {"size_masked", "IMQ r.yz, image[0], 2D;", false},
        {"long", "MOV.U64 D, 3;\nLOADIM.U64X2 D (LT), c, image[0], 2D;\nUP64 r.xy, D.x;\nUP64 r.zw, D.yyyy;", false},
        {"atomic", "ATOMIM.ADD.U32 r.x (LT), v, c, image[0], 2D;", true},
        {"atomic_swizzled", "ATOMIM.ADD.U32 r.x (LT.y), v, c, image[0], 2D;", true},
        {"atomic_all", "ATOMIM.ADD.U32 r (LT), v, c, image[0], 2D;", true},
        {"atomic_y", "ATOMIM.ADD.U32 r.y, v, c, image[0], 2D;", true},
        {"atomic_zw", "ATOMIM.ADD.U32 r.zw, v, c, image[0], 2D;", true},
        {"atomic_y_tested", "ATOMIM.ADD.U32 r.y (LT), v, c, image[0], 2D;", true},
        {"atomic_cc", "ATOMIM.ADD.S32.CC1 r.x, v, c, image[0], 2D;\nMOV.U r.y (LT1.x), 5;\nMOV.U r.z (EQ1.x), 6;",
         true},
        {"atomic_cswap", "ATOMIM.CSWAP.U32 r (GE), v, c, image[0], 2D;", true},
        {"atomic_halves", "ATOMIM.ADD.F16X2 r (LT), v, c, image[0], 2D;", true},
        {"atomic_halves4", "ATOMIM.MAX.F16X4 r.xy, v, c, image[0], 2D;", true},
        {"atomic_halves4_y", "ATOMIM.MAX.F16X4 r.y, v, c, image[0], 2D;", true},
        {"atomic_float", "ATOMIM.ADD.F32 r (LT), v, c, image[0], 2D;", true},
        {"atomic_long", "MOV.U64 D, 3;\nATOMIM.ADD.S32 D.x, v, c, image[0], 2D;\nUP64 r.xy, D.x;", true}};
    for (size_t i = 0; i < sizeof tested / sizeof *tested; i++) {
        char name[64], text[512];
        snprintf(name, sizeof name, "tested_%s", tested[i].name);
        snprintf(text, sizeof text, "MOV.S.CC s, v.yzwx;\n%s", tested[i].statements);
        small(m, name, GP5_FORMAT_RGBA32UI, tested[i].returns, text);
    }
    static const struct { const char *name, *between; bool returns; } products[] = {
        {"value", "LOADIM.F r, c, image[0], 2D;", false}, {"size", "IMQ h1.xy, image[0], 2D;", false},
        {"store", "STOREIM.F32 image[1], v, c, 2D;", true}, {"store_value", "STOREIM.F image[1], v, c, 2D;", true},
        {"atomic", "ATOMIM.ADD.U32 h1.x, n, c, image[1], 2D;", true},
        {"handle", "PK64.U D.x, h;\nLOADIM.F32 h1, c, handle(D.x), 2D;", false}};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        char name[64], text[512];
        snprintf(name, sizeof name, "products_over_%s", products[i].name);
        snprintf(text, sizeof text, "TEMP h1;\nLDB.U32X4 r, in[n.y + 1024];\nMUL.F s, v, v.yzwx;\n%s\nADD.F r, r, s;",
                 products[i].between);
        small(m, name, GP5_FORMAT_R32F, products[i].returns, text);
    }
    static const struct { const char *type, *source; } signs[] = {
        {"U8X4", "-v"}, {"S8X2", "|v|"}, {"S16X4", "-|v|"}, {"U16X2", "-v"}, {"F16", "-v"}, {"F16X2", "|v|"},
        {"F16X4", "-|v|"}, {"F16X4", "-v.wzyx"},
        {"U32", "-v"}, {"S32", "|v|"}, {"S8", "-v"}, {"U16", "-v"}, {"S16", "|v|"}, {"U32X4", "-v"}, {"S32X2", "-|v|"},
        {"F32X2", "|v|"}, {"U", "-v"},
        {"S", "-|v|"}, {"F", "|v|"}, {"S", "-v"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char text[256], name[64];
        snprintf(name, sizeof name, "sign_%s_%s%s%s", signs[i].type, strchr(signs[i].source, '-') ? "minus" : "",
                 strchr(signs[i].source, '|') ? "abs" : "", strchr(signs[i].source, '.') ? "_swizzled" : "");
        snprintf(text, sizeof text, "STOREIM.%s image[0], %s, c, 2D;\nMOV.U r, 0;", signs[i].type, signs[i].source);
        small(m, name, GP5_FORMAT_RGBA32UI, true, text);
    }
    small(m, "sign_atomic", GP5_FORMAT_R32UI, true, "ATOMIM.ADD.S32 r.x, -v, c, image[0], 2D;");
    small(m, "float_flags", GP5_FORMAT_R32F, false,
          "LOADIM.F32.CC r, c, image[0], 2D;\nMOV.U r, 0;\nMOV.U r (LT), 1;\n"
          "MOV.U s, 0; MOV.U s (EQ), 2; ADD.U r, r, s;");
    small(m, "float_clamped", GP5_FORMAT_R32F, false, "LOADIM.F32.SAT r, c, image[0], 2D;");
    small(m, "float_clamped_signed", GP5_FORMAT_R32F, false, "LOADIM.F32.SSAT r, c, image[0], 2D;");
    small(m, "float_from_negated", GP5_FORMAT_R32F, true, "STOREIM.F image[0], -v, c, 2D;\nMOV.U r, 0;");
    small(m, "float_bytes_negated", GP5_FORMAT_R32F, true, "STOREIM.F32 image[0], -|v|, c, 2D;\nMOV.U r, 0;");
}

/* An image said to be of another kind than it is: nobody promises anything, and the driver is only asked not to die. */
static void targets(struct maker *m)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (unsigned kind = 0; kind < GP5_TEXTURE_2DMS; kind++) {
            const struct shape *s = &shapes[i];
            if (kind == s->kind)
                continue;
            start(m, s->kind, GP5_FORMAT_R32UI, s->size[0], s->size[1], s->size[2], s->levels);
            m->c.input = IMAGE_DATA_COORDINATES;
            put(m, "LDB.U32X4 c, in[n.y];\nLOADIM.U32 r, c, image[0], %s;\n", kind_names[kind]);
            show(m);
            finish(m, "target_%s_as_%s", kind_names[s->kind], kind_names[kind]);
        }
}

/* Signs of what atomic operations on floats take. */
static void float_signs(struct maker *m)
{
    static const struct { const char *type, *operation; uint8_t format; } operations[] = {
        {"F32", "ADD", GP5_FORMAT_R32F}, {"F32", "EXCH", GP5_FORMAT_R32F}, {"F16X2", "ADD", GP5_FORMAT_RG16F},
        {"F16X2", "MIN", GP5_FORMAT_RG16F},
        {"F16X2", "EXCH", GP5_FORMAT_RG16F}, {"F16X4", "ADD", GP5_FORMAT_RGBA16F}, {"F16X4", "MAX", GP5_FORMAT_RGBA16F},
        {"F16X4", "EXCH", GP5_FORMAT_RGBA16F}};
    static const struct { const char *name, *before, *behind; } signs[] = {{"minus", "-", ""}, {"abs", "|", "|"},
     {"minus_abs", "-|", "|"}};

    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
            char text[256], name[64];
            snprintf(name, sizeof name, "sign_atomic_%s_%s_%s", operations[i].operation, operations[i].type,
                     signs[k].name);
            snprintf(text, sizeof text, "ATOMIM.%s.%s r, %sv%s, c, image[0], 2D;", operations[i].operation,
                     operations[i].type, signs[k].before, signs[k].behind);
            small(m, name, operations[i].format, true, text);
        }
}

/* What LOADIM.SPARSE says of texels of images that are not sparse. */
static void residency(struct maker *m)
{
    static const char shown[] =
        "MOV.U s.x, 0;\nMOV.U s.x (RESIDENT), 5;\nMOV.U s.y, 0;\nMOV.U s.y (NONRESIDENT), 6;\nXOR.U r.xy, r, s;";
    static const struct { const char *name, *code; } cases[] = {
        {"inside", "LOADIM.U32.SPARSE r, c, image[0], 2D;"}, {"value", "LOADIM.F.SPARSE r, c, image[0], 2D;"},
        {"outside", "MUL.U c.x, c.x, 3;\nLOADIM.U32.SPARSE r, c, image[0], 2D;"},
        {"nowhere", "LOADIM.U32.SPARSE r, c, image[6], 2D;"},
        {"handle", "PK64.U D.x, h;\nLOADIM.U32.SPARSE r, c, handle(D.x), 2D;"}};

    m->sparse = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], name[64];
        snprintf(name, sizeof name, "resident_%s", cases[i].name);
        snprintf(text, sizeof text, "%s\n%s", cases[i].code, shown);
        small(m, name, GP5_FORMAT_R32UI, false, text);
    }
    m->sparse = false;
}

void image_cases(void (*each)(void *user, const struct image_case *c), void *user)
{
    struct maker m = {.each = each, .user = user};

    values(&m);
    bytes(&m);
    coordinates(&m);
    atomics(&m);
    sizes(&m);
    other_sizes(&m);
    ramp(&m);
    failing(&m);
    the_rest(&m);
    targets(&m);
    float_signs(&m);
    residency(&m);
}
