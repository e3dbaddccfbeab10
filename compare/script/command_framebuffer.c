/* Commands that choose what is drawn into and what probes look at: piglit's fb, blit and viewport indexed, and layers
 * and samples. */
#include "compare/script/command.h"
#include "compare/script/pixel.h"

#include "compare/driver/texture_words.h"

#include <string.h>

enum { LARGEST = 16384, UNITS = 192 };

/* A compute script looks at textures; any other draws with a pipeline. */
static void begin(struct command *c, enum op_kind kind)
{
    const struct script_program *p = c->s->programs.count ? vec_at(&c->s->programs, 0) : NULL;

    c->op->kind = kind;
    c->s->framebuffers = true;
    if (!p || p->stage != DRIVER_COMPUTE)
        c->s->pipeline = true;
}

static bool number(struct command *c, size_t at, int64_t low, int64_t most, uint32_t *to)
{
    int64_t v;
    if (!command_integer(c, at, low, most, &v))
        return false;
    *to = (uint32_t)v;
    return true;
}

static bool is_word(const struct command *c, size_t at, const char *word)
{
    return at < c->count && !strcmp(c->word[at], word);
}

static bool skip_at(struct command *c, size_t at, const char *message)
{
    return script_stop(c->s, SCRIPT_SKIP, c->offset[at], (uint32_t)strlen(c->word[at]), message);
}

/* fb ms FORMAT WIDTH HEIGHT SAMPLES: 0 of them, as in piglit, is no multisampling. */
static bool samples(struct command *c, size_t at, struct op_framebuffer *o)
{
    uint8_t format;

    o->kind = FRAMEBUFFER_SAMPLES;
    if (!command_format(c, at, &format))
        return false;
    if (!pixel_is_color(gp5_format_info(format)) || format == GP5_FORMAT_DEPTH32F)
        return skip_at(c, at, "framebuffers of this format are not supported");
    o->keeps = gp5_format_info(format)->kind != GP5_KIND_UNORM;
    if (!number(c, at + 1, 1, LARGEST, &o->width) || !number(c, at + 2, 1, LARGEST, &o->height) ||
        !number(c, at + 3, 0, RASTER_SAMPLES, &o->samples))
        return false;
    if (!raster_samples(o->samples))
        return command_wrong_at(c, at + 3, "expected 1, 2, 4, 8 or 16 samples, or 0 for no multisampling");
    o->samples += !o->samples;
    return command_no_more(c, at + 4);
}

/* fb tex 2d UNIT...: a colour each, -1 for none */
static bool textures(struct command *c, size_t at, struct op_framebuffer *o)
{
    int64_t v;

    o->kind = FRAMEBUFFER_TEXTURES;
    for (o->count = 0; at + o->count < c->count && o->count < 8; o->count++) {
        if (!command_integer(c, at + o->count, -1, UNITS - 1, &v))
            return false;
        o->unit[o->count] = (int32_t)v;
    }
    if (!o->count)
        return command_wrong_at(c, at, "expected the unit of a texture");
    return command_no_more(c, at + o->count);
}

/* fb tex layered UNIT: all layers, faces or slices of its first level */
static bool layered(struct command *c, size_t at, struct op_framebuffer *o)
{
    int64_t v;

    o->kind = FRAMEBUFFER_LAYERED;
    o->count = 1;
    if (!command_integer(c, at, 0, UNITS - 1, &v))
        return false;
    o->unit[0] = (int32_t)v;
    return command_no_more(c, at + 1);
}

/* fb tex slice KIND UNIT LEVEL LAYER */
static bool slice(struct command *c, size_t at, struct op_framebuffer *o)
{
    int kind = at < c->count ? texture_word_find(TEXTURE_KIND, c->word[at], strlen(c->word[at])) : -1;
    int64_t v;

    o->kind = FRAMEBUFFER_SLICE;
    o->count = 1;
    if (kind < 0)
        return command_wrong_at(c, at, "expected a kind of texture such as 2DArray");
    o->texture_kind = (uint8_t)kind;
    if (!command_integer(c, at + 1, 0, UNITS - 1, &v))
        return false;
    o->unit[0] = (int32_t)v;
    return number(c, at + 2, 0, 14, &o->level) && number(c, at + 3, 0, LARGEST - 1, &o->layer) &&
           command_no_more(c, at + 4);
}

bool read_fb(struct command *c)
{
    struct op_framebuffer *o = &c->op->u.framebuffer;
    size_t at = is_word(c, 0, "draw") || is_word(c, 0, "read");

    begin(c, OP_FRAMEBUFFER);
    *o = (struct op_framebuffer){ .draws = !is_word(c, 0, "read"), .reads = !is_word(c, 0, "draw"), .samples = 1 };
    if (is_word(c, at, "winsys"))
        return command_no_more(c, at + 1);
    if (is_word(c, at, "ms"))
        return samples(c, at + 1, o);
    if (is_word(c, at, "tex") && is_word(c, at + 1, "2d"))
        return textures(c, at + 2, o);
    if (is_word(c, at, "tex") && is_word(c, at + 1, "slice"))
        return slice(c, at + 2, o);
    if (is_word(c, at, "tex") && is_word(c, at + 1, "layered"))
        return layered(c, at + 2, o);
    return command_wrong_at(c, at + is_word(c, at, "tex"),
                            "expected winsys, ms, tex 2d, tex slice or tex layered, and 'draw' or 'read' before it");
}

/* blit color|depth|stencil linear|nearest */
bool read_blit(struct command *c)
{
    begin(c, OP_BLIT);
    c->op->u.framebuffer = (struct op_framebuffer){ .linear = is_word(c, 1, "linear") };
    if (is_word(c, 0, "depth") || is_word(c, 0, "stencil"))
        return skip_at(c, 0, "only colours are copied");
    if (!is_word(c, 0, "color"))
        return command_wrong_at(c, 0, "expected color, depth or stencil");
    if (!is_word(c, 1, "linear") && !is_word(c, 1, "nearest"))
        return command_wrong_at(c, 1, "expected linear or nearest");
    return command_no_more(c, 2);
}

static struct op_state *state(struct command *c, enum state_word word)
{
    begin(c, OP_STATE);
    c->op->u.state = (struct op_state){ .word = word };
    return &c->op->u.state;
}

/* viewport indexed N x y width height */
bool read_viewport_indexed(struct command *c)
{
    struct op_state *o = state(c, STATE_VIEWPORT);
    if (!number(c, 0, 0, RASTER_VIEWPORTS - 1, &o->index) || !command_floats(c, 1, 4, o->vector))
        return false;
    for (size_t i = 0; i < 4; i++)
        if (!(o->vector[i] >= (i < 2 ? -32768 : 0) && o->vector[i] <= 32768))
            return command_wrong_at(c, 1 + i, i < 2 ? "expected a place from -32768 to 32768"
                                                    : "expected a size from 0 to 32768");
    return command_no_more(c, 5);
}

/* read layer N; read sample N|mean */
bool read_read_layer(struct command *c)
{
    struct op_state *o = state(c, STATE_READ_LAYER);
    return number(c, 0, 0, LARGEST - 1, &o->value) && command_no_more(c, 1);
}

bool read_read_sample(struct command *c)
{
    struct op_state *o = state(c, STATE_READ_SAMPLE);
    if (is_word(c, 0, "mean"))
        return command_no_more(c, 1);
    if (!number(c, 0, 0, RASTER_SAMPLES - 1, &o->value))
        return false;
    o->value++;
    return command_no_more(c, 1);
}
