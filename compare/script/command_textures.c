/* Commands for textures, samplers and images. */
#include "compare/script/command.h"

#include "compare/script/pixel.h"
#include "compare/script/sampler.h"
#include "compare/driver/texture_words.h"

#include <string.h>

enum { UNITS = 192, IMAGE_UNITS = 64, LARGEST = 1 << 27 };

static bool no_memory(struct command *c)
{
    return script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
}

static bool word_at(struct command *c, size_t at, enum texture_word what, const char *message, int *found)
{
    *found = at < c->count ? texture_word_find(what, c->word[at], strlen(c->word[at])) : -1;
    return *found >= 0 || command_wrong_at(c, at, message);
}

bool command_format(struct command *c, size_t at, uint8_t *format)
{
    int found;
    if (!word_at(c, at, TEXTURE_FORMAT, "expected a format such as RGBA8 or R32UI", &found))
        return false;
    *format = (uint8_t)found;
    return true;
}

static bool unit_at(struct command *c, size_t at, int64_t limit, uint32_t *unit)
{
    int64_t v;
    if (!command_integer(c, at, 0, limit - 1, &v))
        return false;
    *unit = (uint32_t)v;
    return true;
}

/* Up to three sizes behind each other; how many words they take goes into *used. Arrays of one dimension have their
 * layers second in words, as GL counts them, and third in struct gp5_texture. */
static bool sizes_at(struct command *c, size_t at, struct gp5_texture *t, size_t *used)
{
    uint32_t size[3] = { 1, t->size[1], t->size[2] };
    size_t n = 0;
    for (int64_t v; n < 3 && at + n < c->count && c->word[at + n][0] >= '0' && c->word[at + n][0] <= '9'; n++) {
        if (!command_integer(c, at + n, 1, LARGEST, &v))
            return false;
        size[n] = (uint32_t)v;
    }
    if (!n)
        return command_wrong_at(c, at, "expected a size: width, height, depth or layers");
    bool cube = t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE;
    if (cube && n == 1)
        size[1] = size[0];
    if (t->kind == GP5_TEXTURE_ARRAY1D && n == 2) {
        size[2] = size[1];
        size[1] = 1;
    }
    memcpy(t->size, size, sizeof size);
    *used = n;
    return true;
}

/* Sizes and levels are there: whether they go together. */
static bool finish(struct command *c, struct op_texture *o, size_t at)
{
    struct gp5_texture *t = &o->texture;
    texture_measure(t);
    const char *wrong = gp5_texture_check(t);
    if (wrong)
        return command_wrong_at(c, at, wrong);
    if (t->bytes > DATA_LIMIT)
        return command_wrong_at(c, at, "more than 256 MiB in one texture");
    return true;
}

static bool begin(struct command *c, size_t unit, unsigned kind)
{
    struct op_texture *o = &c->op->u.texture;
    c->op->kind = OP_TEXTURE;
    memset(o, 0, sizeof *o);
    texture_begin(&o->texture, kind);
    return unit_at(c, unit, UNITS, &o->texture.unit);
}

/* texture UNIT KIND FORMAT WIDTH [HEIGHT [DEPTH]] [levels N|all] [samples N] [DATA] */
static bool texture(struct command *c)
{
    int kind;
    size_t used = 0, at = 3, wrong = 0;
    struct op_texture *o = &c->op->u.texture;
    if (!word_at(c, 1, TEXTURE_KIND, "expected 1D 2D 3D CUBE RECT ARRAY1D ARRAY2D ARRAYCUBE BUFFER 2DMS or ARRAY2DMS",
                 &kind) ||
        !begin(c, 0, (unsigned)kind) || !command_format(c, 2, &o->texture.format) ||
        !sizes_at(c, at, &o->texture, &used))
        return false;
    at += used;
    if (at < c->count && !strcmp(c->word[at], "levels")) {
        int64_t levels = texture_levels(&o->texture);
        if ((at + 1 >= c->count || strcmp(c->word[at + 1], "all")) && !command_integer(c, at + 1, 1, 15, &levels))
            return false;
        o->texture.levels = (uint32_t)levels;
        at += 2;
    }
    if (at < c->count && gp5_texture_is_multisample((unsigned)kind)) {
        int64_t samples;
        if (strcmp(c->word[at], "samples"))
            return command_wrong_at(c, at, "expected samples N");
        if (!command_integer(c, at + 1, 1, 32, &samples))
            return false;
        o->texture.samples = (uint32_t)samples;
        at += 2;
    }
    if (!finish(c, o, 3))
        return false;
    if (at >= c->count)
        return true;
    const char *error = data_parse(&c->s->arena, c->s->folder, c->word + at, c->count - at, &o->data, &wrong);
    if (error)
        return command_wrong_at(c, at + wrong, error);
    if (o->data.size != o->texture.bytes)
        return command_wrong_at(c, at, "the data is not as large as the levels of the texture");
    return true;
}

/* ---- piglit's -------------------------------------------------------------------------------------------- */

/* One level of squares: colors[] by the square that `pick` says a texel is in. */
static bool picture(struct command *c, size_t at, unsigned (*pick)(uint32_t x, uint32_t y, const uint32_t half[2]),
                    const float (*colors)[4])
{
    struct op_texture *o = &c->op->u.texture;
    const struct gp5_format_info *info = gp5_format_info(o->texture.format);
    uint32_t half[2] = { o->texture.size[0] / 2, o->texture.size[1] / 2 };
    if (!finish(c, o, at))
        return false;
    if (!pixel_is_color(info))
        return script_stop(c->s, SCRIPT_SKIP, c->op->offset, 1, "this format is not supported for piglit's textures");
    o->data.size = o->texture.bytes;
    o->data.bytes = arena_alloc(&c->s->arena, o->data.size);
    if (!o->data.bytes)
        return no_memory(c);
    for (uint32_t y = 0; y < o->texture.size[1]; y++)
        for (uint32_t x = 0; x < o->texture.size[0]; x++)
            pixel_put(info, colors[pick(x, y, half)],
                      o->data.bytes + ((size_t)y * o->texture.size[0] + x) * info->bytes);
    return true;
}

static unsigned quadrant(uint32_t x, uint32_t y, const uint32_t half[2])
{
    return (x >= half[0]) + 2u * (y >= half[1]);
}

static unsigned square(uint32_t x, uint32_t y, const uint32_t half[2])
{
    return ((half[0] ? x / half[0] : x) ^ (half[1] ? y / half[1] : y)) & 1;
}

static bool size_at(struct command *c, size_t at, struct gp5_texture *t)
{
    for (size_t i = 0; i < 2; i++) {
        int64_t v;
        if (!command_integer(c, at + i, 1, 16384, &v))
            return false;
        t->size[i] = (uint32_t)v;
    }
    return true;
}

/* texture rgbw UNIT (W, H) [FORMAT]: red, green, blue and white quarters */
bool read_texture_rgbw(struct command *c)
{
    static const float colors[4][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 1 } };
    if (!begin(c, 0, GP5_TEXTURE_2D) || !size_at(c, 1, &c->op->u.texture.texture) ||
        (c->count > 3 && !command_format(c, 3, &c->op->u.texture.texture.format)) || !command_no_more(c, 4))
        return false;
    return picture(c, 1, quadrant, colors);
}

/* texture junk 2DArray UNIT (W, H, LAYERS): what is in it nobody knows; here zeros */
bool read_texture_junk(struct command *c)
{
    struct op_texture *o = &c->op->u.texture;
    if (!c->count || strcmp(c->word[0], "2DArray"))
        return command_wrong_at(c, 0, "expected 2DArray");
    if (!begin(c, 1, GP5_TEXTURE_ARRAY2D))
        return false;
    for (size_t i = 0; i < 3; i++) {
        int64_t v;
        if (!command_integer(c, 2 + i, 1, i < 2 ? 16384 : 2048, &v))
            return false;
        o->texture.size[i] = (uint32_t)v;
    }
    o->texture.format = GP5_FORMAT_RGBA8;
    return command_no_more(c, 5) && finish(c, o, 2);
}

/* texture checkerboard UNIT LEVEL (W, H) (r, g, b, a) (r, g, b, a): 2 x 2 fields */
bool read_texture_checkerboard(struct command *c)
{
    float colors[2][4];
    int64_t level;
    if (!begin(c, 0, GP5_TEXTURE_2D) || !command_integer(c, 1, 0, 14, &level))
        return false;
    if (level)
        return script_stop(c->s, SCRIPT_SKIP, c->offset[1], 1, "a checkerboard is level 0 here");
    if (!size_at(c, 2, &c->op->u.texture.texture) || !command_floats(c, 4, 8, colors[0]) || !command_no_more(c, 12))
        return false;
    c->op->u.texture.texture.format = GP5_FORMAT_RGBA8;
    return picture(c, 2, square, (const float (*)[4])colors);
}

/* texture miptree UNIT: 8 x 8, its levels red, green, blue, white */
bool read_texture_miptree(struct command *c)
{
    static const float colors[4][4] = { { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 0, 0, 1, 1 }, { 1, 1, 1, 1 } };
    struct op_texture *o = &c->op->u.texture;
    if (!begin(c, 0, GP5_TEXTURE_2D) || !command_no_more(c, 1))
        return false;
    o->texture.format = GP5_FORMAT_RGBA8;
    o->texture.size[0] = o->texture.size[1] = 8;
    o->texture.levels = 4;
    o->texture.sampler.min_filter = GP5_FILTER_NEAREST_MIPMAP_NEAREST;
    for (int i = 0; i < 3; i++)
        o->texture.sampler.wrap[i] = GP5_WRAP_CLAMP_TO_EDGE;
    if (!finish(c, o, 0))
        return false;
    o->data.size = o->texture.bytes;
    o->data.bytes = arena_alloc(&c->s->arena, o->data.size);
    if (!o->data.bytes)
        return no_memory(c);
    for (uint32_t level = 0; level < 4; level++)
        for (size_t at = (size_t)gp5_texture_bytes(&o->texture, level);
             at < (size_t)gp5_texture_bytes(&o->texture, level + 1); at += 4)
            pixel_put(gp5_format_info(o->texture.format), colors[level], o->data.bytes + at);
    return true;
}

/* Depths from left to right, 0 to 1, that compare: texture shadow2D UNIT (W, H) and its like. */
static bool shadow(struct command *c, unsigned kind, size_t sizes)
{
    struct op_texture *o = &c->op->u.texture;
    int64_t v = 1;
    if (!begin(c, 0, kind))
        return false;
    for (size_t i = 0; i < sizes; i++) {
        if (!command_integer(c, 1 + i, 1, 16384, &v))
            return false;
        o->texture.size[i] = (uint32_t)v;
    }
    o->texture.format = GP5_FORMAT_DEPTH32F;
    o->texture.sampler.compare = GP5_COMPARE_GREATER;
    for (int i = 0; i < 3; i++)
        o->texture.sampler.wrap[i] = GP5_WRAP_CLAMP_TO_EDGE;
    if (!command_no_more(c, 1 + sizes) || !finish(c, o, 1))
        return false;
    o->data.size = o->texture.bytes;
    o->data.bytes = arena_alloc(&c->s->arena, o->data.size);
    if (!o->data.bytes)
        return no_memory(c);
    for (size_t i = 0; i < o->data.size / 4; i++) {
        uint32_t width = o->texture.size[0];
        float depth = width > 1 ? (float)(i % width) / (float)(width - 1) : 0;
        memcpy(o->data.bytes + 4 * i, &depth, sizeof depth);
    }
    return true;
}

bool read_texture_shadow1d(struct command *c) { return shadow(c, GP5_TEXTURE_1D, 1); }
bool read_texture_shadow2d(struct command *c) { return shadow(c, GP5_TEXTURE_2D, 2); }
bool read_texture_shadow_rect(struct command *c) { return shadow(c, GP5_TEXTURE_RECT, 2); }

/* texture storage UNIT TARGET FORMAT (LEVELS W [H [D]]) */
bool read_texture_storage(struct command *c)
{
    int kind;
    size_t used = 0;
    int64_t levels;
    struct op_texture *o = &c->op->u.texture;
    if (!word_at(c, 1, TEXTURE_KIND, "no such target", &kind) || !begin(c, 0, (unsigned)kind) ||
        !command_format(c, 2, &o->texture.format) || !command_integer(c, 3, 1, 15, &levels) ||
        !sizes_at(c, 4, &o->texture, &used) || !command_no_more(c, 4 + used))
        return false;
    o->texture.levels = (uint32_t)levels;
    o->texture.sampler.mag_filter = GP5_FILTER_LINEAR;      /* as GL begins */
    o->texture.sampler.min_filter = kind == GP5_TEXTURE_RECT ? GP5_FILTER_LINEAR : GP5_FILTER_NEAREST_MIPMAP_LINEAR;
    return finish(c, o, 4);
}

bool read_texture(struct command *c)
{
    if (c->count && (c->word[0][0] < '0' || c->word[0][0] > '9'))
        return script_stop(c->s, SCRIPT_SKIP, c->op->offset, (uint32_t)strlen("texture"),
                           "this kind of piglit's textures is not supported yet");
    return texture(c);
}

/* ---- samplers -------------------------------------------------------------------------------------------- */

static bool keep_words(struct command *c, size_t at, struct op_sampler *o)
{
    struct gp5_sampler try = { .min_filter = 0 };
    size_t wrong = 0;
    o->count = c->count > at ? c->count - at : 0;
    o->words = arena_alloc(&c->s->arena, (o->count + 1) * sizeof *o->words);
    if (!o->words)
        return no_memory(c);
    for (size_t i = 0; i < o->count; i++) {
        o->words[i] = arena_copy(&c->s->arena, c->word[at + i], strlen(c->word[at + i]));
        if (!o->words[i])
            return no_memory(c);
    }
    const char *error = sampler_set(&try, o->words, o->count, &wrong);
    return !error || command_wrong_at(c, at + wrong, error);
}

/* sampler UNIT WORD VALUE... */
bool read_sampler(struct command *c)
{
    struct op_sampler *o = &c->op->u.sampler;
    c->op->kind = OP_SAMPLER;
    memset(o, 0, sizeof *o);
    return unit_at(c, 0, UNITS, &o->unit) && keep_words(c, 1, o);
}

/* texparameter TARGET NAME VALUE... */
bool read_texparameter(struct command *c)
{
    static const struct { const char *piglit, *ours; } names[] = {
        { "compare_func", "compare" }, { "depth_mode", "depth_mode" }, { "min", "min" }, { "mag", "mag" },
        { "wrap_s", "wrap_s" },
        { "wrap_t", "wrap_t" }, { "wrap_r", "wrap_r" }, { "lod_bias", "bias" }, { "border_color", "border" }
    };
    struct op_sampler *o = &c->op->u.sampler;
    int kind;
    c->op->kind = OP_SAMPLER;
    memset(o, 0, sizeof *o);
    if (!word_at(c, 0, TEXTURE_KIND, "no such target", &kind))
        return false;
    o->by_kind = true;
    o->kind = (uint8_t)kind;
    if (c->count > 2 && !strcmp(c->word[1], "depth_mode") && strcmp(c->word[2], "luminance") &&
        strcmp(c->word[2], "intensity"))
        return script_stop(c->s, SCRIPT_SKIP, c->offset[2], (uint32_t)strlen(c->word[2]),
                           "this depth mode is not supported");
    for (size_t i = 0; c->count > 1 && i < sizeof names / sizeof *names; i++)
        if (!strcmp(c->word[1], names[i].piglit)) {
            c->word[1] = (char *)names[i].ours;
            return keep_words(c, 1, o);
        }
    return script_stop(c->s, SCRIPT_SKIP, c->op->offset, (uint32_t)strlen("texparameter"),
                       "this parameter of textures is not supported");
}

/* ---- images ---------------------------------------------------------------------------------------------- */

/* image UNIT TEXTURE FORMAT [level N] [layer N] */
bool read_image(struct command *c)
{
    struct gp5_image *image = &c->op->u.image;
    c->op->kind = OP_IMAGE;
    *image = (struct gp5_image){ .layered = true };
    if (!unit_at(c, 0, IMAGE_UNITS, &image->unit) || !unit_at(c, 1, UNITS, &image->texture) ||
        !command_format(c, 2, &image->format))
        return false;
    size_t at = 3;
    for (; at + 1 < c->count; at += 2) {
        if (!strcmp(c->word[at], "level")) {
            if (!unit_at(c, at + 1, 15, &image->level))
                return false;
        } else if (!strcmp(c->word[at], "layer")) {
            image->layered = false;
            if (!unit_at(c, at + 1, 16384, &image->layer))
                return false;
        } else {
            return command_wrong_at(c, at, "expected level or layer");
        }
    }
    return command_no_more(c, at);
}

/* piglit: image texture UNIT FORMAT: level 0 and layer 0 of the texture in that unit */
bool read_image_texture(struct command *c)
{
    struct gp5_image *image = &c->op->u.image;
    c->op->kind = OP_IMAGE;
    *image = (struct gp5_image){ .layered = false };
    if (!unit_at(c, 0, IMAGE_UNITS, &image->unit) || !command_format(c, 1, &image->format))
        return false;
    image->texture = image->unit;
    return command_no_more(c, 2);
}
