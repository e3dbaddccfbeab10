/* Textures of a whole program, and the statements that reach them as images: image 0 and 1 are two sights of one that
 * is only read, of image 2 each lane has two texels of 32 bits, of image 3 texels of any format, as many as fill a
 * word. */
#include "compare/fuzz/whole_internal.h"

#include "compare/driver/texture_words.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[GP5_TEXTURE_2DMS] = {
    "1D", "2D", "3D", "CUBE", "RECT", "ARRAY1D", "ARRAY2D", "ARRAYCUBE", "BUFFER"};

static unsigned format_of_size(struct fuzz_random *r, unsigned bytes)
{
    unsigned format;
    do
        format = 1 + fuzz_below(r, GP5_FORMAT_COUNT - 1);
    while (format == GP5_FORMAT_DEPTH32F || (bytes && gp5_format_info(format)->bytes != bytes));
    return format;
}

/* There are no buffers of signed normalised or packed texels. */
static unsigned format_for(struct fuzz_random *r, unsigned kind)
{
    for (;;) {
        unsigned format = format_of_size(r, 0), numbers = gp5_format_info(format)->kind;
        if (kind != GP5_TEXTURE_BUFFER || (numbers != GP5_KIND_SNORM && numbers < GP5_KIND_PACKED_UNORM))
            return format;
    }
}

/* A power of two of at least n. */
static uint32_t power(uint32_t n)
{
    uint32_t p = 4;
    while (p < n)
        p *= 2;
    return p;
}

/* All sizes are powers of two, but where faces and layers are counted. */
static void shape(struct gp5_texture *t, unsigned kind, uint32_t texels)
{
    uint32_t w = kind == GP5_TEXTURE_CUBE || kind == GP5_TEXTURE_ARRAYCUBE ? 8 : 4, rest = power(texels) / 16;
    t->size[0] = kind == GP5_TEXTURE_1D || kind == GP5_TEXTURE_BUFFER ? power(texels) : w;
    t->size[1] = kind == GP5_TEXTURE_RECT || kind == GP5_TEXTURE_2D ? power(texels) / 4 : w;
    t->size[2] = kind == GP5_TEXTURE_CUBE ? 6 : kind == GP5_TEXTURE_ARRAYCUBE ? 12 : rest ? rest : 1;
    if (kind == GP5_TEXTURE_1D || kind == GP5_TEXTURE_BUFFER || kind == GP5_TEXTURE_ARRAY1D)
        t->size[1] = 1;
    if (kind == GP5_TEXTURE_ARRAY1D)
        t->size[2] = power(texels) / 4;
    if (kind == GP5_TEXTURE_1D || kind == GP5_TEXTURE_BUFFER || kind == GP5_TEXTURE_2D || kind == GP5_TEXTURE_RECT)
        t->size[2] = 1;
}

/* What is undefined is told by words, so that no two lanes may share one. */
static unsigned a_lane(const struct gp5_texture *t)
{
    unsigned bytes = gp5_format_info(t->format)->bytes;
    return bytes < 4 ? 4 / bytes : 1;
}

void whole_draw_images(struct fuzz_random *r, unsigned lanes, struct whole_case *c)
{
    uint32_t all = lanes * c->groups[0] * c->groups[1] * c->groups[2];
    unsigned bytes;
    memset(c->texture, 0, sizeof c->texture);
    c->textures = WHOLE_TEXTURES;
    texture_begin(&c->texture[0], fuzz_below(r, GP5_TEXTURE_2DMS));
    texture_begin(&c->texture[1], GP5_TEXTURE_2D);
    texture_begin(&c->texture[2], fuzz_below(r, GP5_TEXTURE_2DMS));
    shape(&c->texture[0], c->texture[0].kind, 64);
    shape(&c->texture[1], GP5_TEXTURE_2D, 2 * all);
    if (c->texture[0].kind != GP5_TEXTURE_RECT && c->texture[0].kind != GP5_TEXTURE_BUFFER && fuzz_chance(r, 30))
        c->texture[0].levels = 2;
    c->texture[0].format = (uint8_t)format_for(r, c->texture[0].kind);
    c->texture[1].format = (uint8_t)format_of_size(r, 4);
    c->texture[2].format = (uint8_t)format_for(r, c->texture[2].kind);
    shape(&c->texture[2], c->texture[2].kind, all * a_lane(&c->texture[2]));
    for (unsigned i = 0; i < WHOLE_TEXTURES; i++) {
        c->texture[i].unit = i;
        c->texture[i].bytes = (size_t)gp5_texture_bytes(&c->texture[i], c->texture[i].levels);
    }
    bytes = gp5_format_info(c->texture[0].format)->bytes;
    for (unsigned i = 0; i < WHOLE_IMAGES; i++)
        c->image[i] = (struct gp5_image){
            .unit = i, .texture = i ? i - 1 : 0, .layered = true, .format = c->texture[i ? i - 1 : 0].format};
    c->image[0].level = c->texture[0].levels - 1;
    c->image[1].format = (uint8_t)format_of_size(r, bytes);
    c->image[2].format = (uint8_t)format_of_size(r, 4);
}

static const char *number_type(unsigned format)
{
    switch (gp5_format_info(format)->kind) {
    case GP5_KIND_UINT: case GP5_KIND_PACKED_UINT: return "U";
    case GP5_KIND_SINT: return "S";
    default: return "F";
    }
}

/* Values, or what has as many bytes; of another size, where no lane stores, since such accesses reach other lanes'
 * texels. */
static const char *type_for(struct whole_grow *g, unsigned format, bool own)
{
    static const char *const ones[] = {"U8", "S8"}, *const twos[] = {"U16", "S16", "F16", "U8X2", "S8X2"},
                             *const fours[] = {"U32", "S32", "F32", "U16X2", "S16X2", "F16X2", "U8X4", "S8X4"},
                             *const eights[] = {"U32X2", "S32X2", "F32X2", "U16X4", "S16X4", "F16X4"},
                             *const sixteens[] = {"U32X4", "S32X4", "F32X4"};
    const char *number = number_type(format);
    unsigned bytes = gp5_format_info(format)->bytes;
    if (fuzz_chance(g->random, 50)) {
        if (*number == 'F' || fuzz_chance(g->random, 80))
            return number;
        return *number == 'U' ? "S" : "U";
    }
    if (!own && fuzz_chance(g->random, 8))
        bytes = 1u << fuzz_below(g->random, 5);
    switch (bytes) {
    case 1: return FUZZ_PICK(g->random, ones);
    case 2: return FUZZ_PICK(g->random, twos);
    case 4: return FUZZ_PICK(g->random, fours);
    case 8: return FUZZ_PICK(g->random, eights);
    default: return FUZZ_PICK(g->random, sixteens);
    }
}

static const char *const masks[] = {"", "", "", ".x", ".xy", ".yzw"};

static void put_read(struct whole_grow *g)
{
    const struct whole_case *c = g->c;
    const struct gp5_texture *t = &c->texture[0];
    bool second = fuzz_chance(g->random, 40), beyond = fuzz_chance(g->random, 15);
    uint32_t size[3];
    gp5_texture_level(t, second ? 0 : c->image[0].level, size);
    if (t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE)
        size[2] = 4;
    fuzz_text_printf(g->body, "AND.U N.xyz, R%u, {%u, %u, %u};\n", fuzz_below(g->random, 5), beyond ? 15 : size[0] - 1,
                     size[1] - 1, size[2] - 1);
    if (fuzz_chance(g->random, 70)) {
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *suffix = fuzz_chance(g->random, 10) ? ".CC" : "";
        const char *type = type_for(g, c->image[second].format, false);
        fuzz_text_printf(g->body, "LOADIM.%s%s R%u%s, N, image[%u], %s;\n", type, suffix, reg, mask, second,
                         kind_names[t->kind]);
    } else if (gp5_format_info(c->image[0].format)->kind == gp5_format_info(c->image[1].format)->kind) {
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *type = type_for(g, c->image[0].format, false);
        fuzz_text_printf(g->body, "AND.U N.w, A.x, 1;\nLOADIM.%s R%u%s, N, im[N.w], %s;\n", type, reg, mask,
                         kind_names[t->kind]);
    } else {
        unsigned number = fuzz_below(g->random, 2);
        unsigned reg = fuzz_below(g->random, 5);
        fuzz_text_printf(g->body, "IMQ R%u.x, im[%u], %s;\n", reg, number, kind_names[t->kind]);
    }
}

static unsigned log_of(uint32_t n)
{
    unsigned bits = 0;
    while (n >> (bits + 1))
        bits++;
    return bits;
}

/* N becomes the coordinates of texel P.z / 32 - 1 times `each`, and `more`. */
static void put_place(struct whole_grow *g, const struct gp5_texture *t, unsigned each, unsigned more)
{
    unsigned x = log_of(t->size[0]), y = log_of(t->size[1]);
    fuzz_text_printf(g->body, "SHR.U N.w, P.z, %u;\nSUB.U N.w, N.w, %u;\n", 5 - log_of(each), each - more);
    fuzz_text_printf(g->body, "AND.U N.x, N.w, %u;\nSHR.U N.y, N.w, %u;\nSHR.U N.z, N.y, %u;\nAND.U N.y, N.y, %u;\n",
                     t->size[0] - 1, x, y, t->size[1] - 1);
}

static void put_own(struct whole_grow *g)
{
    const struct whole_case *c = g->c;
    unsigned which = 2 + fuzz_below(g->random, 2), format = c->image[which].format;
    const struct gp5_texture *t = &c->texture[which - 1];
    unsigned each = which == 2 ? 2 : a_lane(t);
    put_place(g, t, each, fuzz_below(g->random, each));
    if (fuzz_chance(g->random, 75)) {
        unsigned reg = fuzz_below(g->random, 5);
        const char *sign = fuzz_chance(g->random, 8) ? "-" : "";
        const char *type = type_for(g, format, true);
        fuzz_text_printf(g->body, "STOREIM.%s image[%u], %sR%u, N, %s;\n", type, which, sign, reg,
                         kind_names[t->kind]);
    }
    if (fuzz_chance(g->random, 75)) {
        const char *mask = FUZZ_PICK(g->random, masks);
        unsigned reg = fuzz_below(g->random, 5);
        const char *type = type_for(g, format, true);
        fuzz_text_printf(g->body, "LOADIM.%s R%u%s, N, image[%u], %s;\n", type, reg, mask, which,
                         kind_names[t->kind]);
    }
}

static void put_atomic(struct whole_grow *g)
{
    static const char *const any[] = {
        "ADD.U32", "ADD.S32", "MIN.U32", "MIN.S32", "MAX.U32", "MAX.S32", "AND.U32", "OR.U32", "XOR.S32", "XOR.U32",
                                      "EXCH.U32", "EXCH.S32", "IWRAP.U32", "DWRAP.U32", "CSWAP.U32", "CSWAP.S32",
                                      "ADD.F32", "EXCH.F32"};
    put_place(g, &g->c->texture[1], 2, fuzz_chance(g->random, 50));
    unsigned reg2 = fuzz_below(g->random, 5);
    unsigned reg = fuzz_below(g->random, 5);
    const char *operation = FUZZ_PICK(g->random, any);
    fuzz_text_printf(g->body, "ATOMIM.%s R%u.x, R%u, N, image[2], 2D;\n", operation, reg, reg2);
}

void whole_image(struct whole_grow *g)
{
    unsigned at = fuzz_below(g->random, 100);
    if (at < 45)
        put_read(g);
    else if (at < 80)
        put_own(g);
    else
        put_atomic(g);
}
