/* The commands of [test]. One row a command: its first words, where it comes from, what reads the rest. */
#include "compare/script.h"

#include "compare/line.h"

#include <string.h>

struct command {
    struct script *s;
    struct op *op;
    char **word;                /* what stands behind the command's name */
    const uint32_t *offset;
    size_t count;
};

typedef bool command_fn(struct command *c);

static bool wrong_at(struct command *c, size_t word, const char *message)
{
    size_t at = word < c->count ? word : c->count;
    return script_stop(c->s, SCRIPT_ERROR, c->offset[at], at < c->count ? (uint32_t)strlen(c->word[at]) : 0,
                       message);
}

/* ---- reading words ------------------------------------------------------------------------------------- */

static bool integer(struct command *c, size_t at, int64_t low, int64_t high, int64_t *value)
{
    *value = 0;
    if (at >= c->count)
        return wrong_at(c, at, "a number is missing here");
    return line_integer(c->word[at], low, high, value) || wrong_at(c, at, "expected a whole number in range");
}

static bool floats(struct command *c, size_t at, size_t count, float *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        if (at + i >= c->count)
            return wrong_at(c, at + i, "a number is missing here");
        if (!number_parse(NUMBER_F32, c->word[at + i], &bits))
            return wrong_at(c, at + i, "expected a number");
        memcpy(&values[i], &(uint32_t){ (uint32_t)bits }, sizeof *values);
    }
    return true;
}

static bool no_more(struct command *c, size_t count)
{
    return c->count <= count || wrong_at(c, count, "nothing more is expected here");
}

static bool number_type(struct command *c, size_t at, enum number_type *type)
{
    if (at < c->count && number_type_named(c->word[at], type))
        return true;
    return wrong_at(c, at, "expected a type: u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 hex");
}

static bool binding(struct command *c, size_t at, uint32_t *value)
{
    int64_t v;
    if (!integer(c, at, 0, SCRIPT_BINDING_LIMIT - 1, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

static bool offset_at(struct command *c, size_t at, size_t *offset)
{
    int64_t v;
    if (!integer(c, at, 0, DATA_LIMIT - 1, &v))
        return false;
    *offset = (size_t)v;
    return true;
}

static bool values(struct command *c, size_t at, struct op_probe_buffer *p)
{
    if (at >= c->count)
        return wrong_at(c, at, "a value is missing here");
    p->count = c->count - at;
    p->values = arena_alloc(&c->s->arena, p->count * sizeof *p->values);
    for (size_t i = 0; p->values && i < p->count; i++)
        if (!number_parse(p->type, c->word[at + i], &p->values[i]))
            return wrong_at(c, at + i, "no number of this type");
    return p->values || script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
}

/* ---- buffers and parameters ---------------------------------------------------------------------------- */

static bool buffer(struct command *c, enum buffer_kind kind)
{
    struct op_buffer *b = &c->op->u.buffer;
    size_t wrong = 0;
    c->op->kind = OP_BUFFER;
    b->kind = kind;
    if (!binding(c, 0, &b->binding))
        return false;
    size_t at = c->count > 1 && !strcmp(c->word[1], "append") ? 2 : 1;
    b->action = at == 2 ? BUFFER_APPEND : BUFFER_SET;
    const char *error = data_parse(&c->s->arena, c->s->folder, c->word + at, c->count - at, &b->data, &wrong);
    return !error || wrong_at(c, at + wrong, error);
}

static bool storage(struct command *c)
{
    return buffer(c, BUFFER_STORAGE);
}

static bool cbuffer(struct command *c)
{
    return buffer(c, BUFFER_CONSTANT);
}

/* piglit: ssbo N SIZE, ssbo N subdata TYPE OFFSET VALUE */
static bool ssbo(struct command *c)
{
    struct op_buffer *b = &c->op->u.buffer;
    int64_t size;
    enum number_type type = NUMBER_U32;
    uint64_t bits;
    c->op->kind = OP_BUFFER;
    b->kind = BUFFER_STORAGE;
    if (!binding(c, 0, &b->binding))
        return false;
    if (c->count < 2 || strcmp(c->word[1], "subdata")) {
        if (!integer(c, 1, 0, DATA_LIMIT, &size) || !no_more(c, 2))
            return false;
        b->action = BUFFER_SET;
        b->data.size = (size_t)size;
        return true;
    }
    b->action = BUFFER_PATCH;
    if (!number_type(c, 2, &type) || !offset_at(c, 3, &b->offset) || !no_more(c, 5))
        return false;
    if (c->count < 5 || !number_parse(type, c->word[4], &bits))
        return wrong_at(c, 4, "no number of this type");
    b->data.size = number_types[type].bytes;
    b->data.bytes = arena_alloc(&c->s->arena, b->data.size);
    if (!b->data.bytes)
        return script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    number_store(type, bits, b->data.bytes);
    return true;
}

/* parameter env_fp I (x, y, z, w) */
static bool parameter(struct command *c)
{
    static const struct { const char *word; bool vertex, local; } kinds[] = {
        { "env_vp", true, false }, { "local_vp", true, true }, { "env_fp", false, false },
        { "local_fp", false, true }, { "env_cp", false, false }, { "local_cp", false, true },
    };
    struct op_parameter *p = &c->op->u.parameter;
    float value[4];
    c->op->kind = OP_PARAMETER;
    for (size_t i = 0; c->count && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(c->word[0], kinds[i].word)) {
            p->vertex = kinds[i].vertex;
            p->local = kinds[i].local;
            if (!binding(c, 1, &p->index) || !floats(c, 2, 4, value) || !no_more(c, 6))
                return false;
            memcpy(p->bits, value, sizeof p->bits);
            return true;
        }
    return wrong_at(c, 0, "expected env_fp, local_fp, env_cp, local_cp, env_vp or local_vp");
}

static bool layout(struct command *c)
{
    struct op_layout *l = &c->op->u.layout;
    int64_t count;
    c->op->kind = OP_LAYOUT;
    if (!c->count || strcmp(c->word[0], "storage"))
        return wrong_at(c, 0, "expected storage");
    l->kind = BUFFER_STORAGE;
    if (!binding(c, 1, &l->binding) || !number_type(c, 2, &l->type) || !integer(c, 3, 1, 65536, &count) ||
        !no_more(c, 4 + (size_t)(count < SCRIPT_COLUMNS ? count : SCRIPT_COLUMNS)))
        return false;
    l->count = (size_t)count;
    for (size_t i = 4; i < c->count; i++)
        l->names[i - 4] = c->word[i];
    return true;
}

/* compare storage N TYPE RULE..., compare color TYPE RULE..., compare storage N none REASON... */
static bool compare(struct command *c)
{
    struct op_rule *r = &c->op->u.rule;
    size_t at = 1, wrong = 0;
    c->op->kind = OP_RULE;
    if (c->count && !strcmp(c->word[0], "storage")) {
        r->kind = BUFFER_STORAGE;
        if (!binding(c, at++, &r->binding))
            return false;
    } else if (c->count && !strcmp(c->word[0], "color")) {
        r->kind = BUFFER_COLOR;
    } else {
        return wrong_at(c, 0, "expected storage or color");
    }
    if (at < c->count && !strcmp(c->word[at], "none")) {
        c->op->kind = OP_NO_RULE;
        if (at + 1 >= c->count)
            return wrong_at(c, at + 1, "say here why it is not compared");
        size_t end = c->offset[c->count - 1] + strlen(c->word[c->count - 1]);
        r->reason = arena_copy(&c->s->arena, c->s->text + c->offset[at + 1], end - c->offset[at + 1]);
        return r->reason || script_stop(c->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    }
    if (!number_type(c, at, &r->rule.type))
        return false;
    if (r->kind == BUFFER_COLOR && r->rule.type != NUMBER_F32)
        return wrong_at(c, at, "colours are f32");
    const char *error = rule_parse(&r->rule, c->word + at + 1, c->count - at - 1, &wrong);
    return !error || wrong_at(c, at + 1 + wrong, error);
}

/* ---- running ------------------------------------------------------------------------------------------- */

static bool compute(struct command *c)
{
    c->op->kind = OP_COMPUTE;
    for (size_t i = 0; i < 3; i++) {
        int64_t v;
        if (!integer(c, i, 0, 65535, &v))
            return false;
        c->op->u.groups[i] = (uint32_t)v;
    }
    return no_more(c, 3);
}

static bool draw(struct command *c, bool pixels, bool textured)
{
    struct op_draw *d = &c->op->u.draw;
    c->op->kind = OP_DRAW;
    d->pixels = pixels;
    d->textured = textured;
    return floats(c, 0, 4, d->rect) && (!textured || floats(c, 4, 4, d->texture)) &&
           no_more(c, textured ? 8 : 4);
}

static bool draw_rect(struct command *c)
{
    return draw(c, false, false);
}

static bool draw_rect_ortho(struct command *c)
{
    return draw(c, true, false);
}

static bool draw_rect_tex(struct command *c)
{
    return draw(c, false, true);
}

static bool clear(struct command *c)
{
    c->op->kind = OP_CLEAR;
    return no_more(c, 0);
}

static bool clear_color(struct command *c)
{
    c->op->kind = OP_CLEAR_COLOR;
    return floats(c, 0, 4, c->op->u.vector) && no_more(c, 4);
}

static bool color(struct command *c)
{
    c->op->kind = OP_COLOR;
    return floats(c, 0, 4, c->op->u.attribute.value) && no_more(c, 4);
}

static bool texcoord(struct command *c)
{
    int64_t unit;
    c->op->kind = OP_TEXCOORD;
    if (!integer(c, 0, 0, SCRIPT_TEXCOORDS - 1, &unit))
        return false;
    c->op->u.attribute.index = (uint32_t)unit;
    return floats(c, 1, 4, c->op->u.attribute.value) && no_more(c, 5);
}

/* interpolate texcoord N|color N|fogcoord and four corners */
static bool interpolate(struct command *c)
{
    struct op_interpolate *p = &c->op->u.interpolate;
    int64_t index = 0;
    size_t at = 1;
    c->op->kind = OP_INTERPOLATE;
    if (c->count && !strcmp(c->word[0], "texcoord")) {
        p->kind = DRIVER_TEXCOORD;
        if (!integer(c, at++, 0, SCRIPT_TEXCOORDS - 1, &index))
            return false;
    } else if (c->count && !strcmp(c->word[0], "color")) {
        p->kind = DRIVER_COLOR;
        if (!integer(c, at++, 0, SCRIPT_COLORS - 1, &index))
            return false;
    } else if (c->count && !strcmp(c->word[0], "fogcoord")) {
        p->kind = DRIVER_FOGCOORD;
    } else {
        return wrong_at(c, 0, "expected texcoord, color or fogcoord");
    }
    p->index = (uint32_t)index;
    return floats(c, at, 16, p->corner[0]) && no_more(c, at + 16);
}

static bool ortho(struct command *c)
{
    c->op->kind = OP_ORTHO;
    c->op->u.ortho.window = c->count == 0;
    return c->count == 0 || (floats(c, 0, 4, c->op->u.ortho.box) && no_more(c, 4));
}

static bool framebuffer_float(struct command *c)
{
    c->op->kind = OP_FLOAT_COLORS;
    return no_more(c, 0);
}

static bool record(struct command *c)
{
    int64_t block = 0;
    c->op->kind = OP_RECORD;
    if (c->count && !strcmp(c->word[0], "full"))
        return no_more(c, 1);
    if (!c->count || strcmp(c->word[0], "digest"))
        return wrong_at(c, 0, "expected full or digest");
    c->op->u.record.digest = true;
    if (!integer(c, 1, 64, DATA_LIMIT, &block) || !no_more(c, 2))
        return false;
    if (block % 4)
        return wrong_at(c, 1, "a block is a multiple of 4 bytes");
    c->op->u.record.block = (size_t)block;
    return true;
}

/* Has no meaning for an assembly program here, and does no harm. */
static bool nothing(struct command *c)
{
    c->op = NULL;
    return true;
}

/* ---- probes -------------------------------------------------------------------------------------------- */

/* probe storage N OFFSET|all TYPE VALUE... */
static bool probe_storage(struct command *c)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    c->op->kind = OP_PROBE_BUFFER;
    p->kind = BUFFER_STORAGE;
    if (!binding(c, 0, &p->binding))
        return false;
    if (c->count > 1 && !strcmp(c->word[1], "all"))
        p->all = true;
    else if (!offset_at(c, 1, &p->offset))
        return false;
    return number_type(c, 2, &p->type) && values(c, 3, p);
}

/* piglit: probe ssbo TYPE N OFFSET OP VALUE */
static bool probe_ssbo(struct command *c)
{
    struct op_probe_buffer *p = &c->op->u.probe_buffer;
    c->op->kind = OP_PROBE_BUFFER;
    p->kind = BUFFER_STORAGE;
    if (!number_type(c, 0, &p->type) || !binding(c, 1, &p->binding) || !offset_at(c, 2, &p->offset))
        return false;
    if (c->count < 4 || !script_require_test(c->word[3], &p->test))
        return wrong_at(c, 3, "expected a comparison such as ==");
    return values(c, 4, p) && no_more(c, 5);
}

static bool probe_undefined(struct command *c)
{
    struct op_probe_where *p = &c->op->u.where;
    int64_t count;
    c->op->kind = OP_PROBE_UNDEFINED;
    if (!c->count || strcmp(c->word[0], "storage"))
        return wrong_at(c, 0, "expected storage");
    if (!binding(c, 1, &p->binding) || !offset_at(c, 2, &p->offset) ||
        !integer(c, 3, 1, DATA_LIMIT / 4, &count))
        return false;
    if (p->offset % 4)
        return wrong_at(c, 2, "an undefined word stands at a multiple of 4 bytes");
    p->count = (size_t)count;
    return no_more(c, 4);
}

static bool probe_pixels(struct command *c, bool relative, bool all, bool is_rect, unsigned components)
{
    struct op_probe_pixels *p = &c->op->u.probe_pixels;
    size_t where = all ? 0 : is_rect ? 4 : 2;
    c->op->kind = OP_PROBE_PIXELS;
    p->relative = relative;
    p->all = all;
    p->components = components;
    return floats(c, 0, where, p->rect) && floats(c, where, components, p->expected) &&
           no_more(c, where + components);
}

static bool probe_rgba(struct command *c) { return probe_pixels(c, false, false, false, 4); }
static bool probe_rgb(struct command *c) { return probe_pixels(c, false, false, false, 3); }
static bool probe_all_rgba(struct command *c) { return probe_pixels(c, false, true, false, 4); }
static bool probe_all_rgb(struct command *c) { return probe_pixels(c, false, true, false, 3); }
static bool probe_rect_rgba(struct command *c) { return probe_pixels(c, false, false, true, 4); }
static bool relative_rgba(struct command *c) { return probe_pixels(c, true, false, false, 4); }
static bool relative_rgb(struct command *c) { return probe_pixels(c, true, false, false, 3); }
static bool relative_rect_rgba(struct command *c) { return probe_pixels(c, true, false, true, 4); }
static bool relative_rect_rgb(struct command *c) { return probe_pixels(c, true, false, true, 3); }

static bool probe_coverage(struct command *c, bool covered)
{
    int64_t x, y;
    c->op->kind = OP_PROBE_COVERED;
    c->op->u.where.covered = covered;
    if (!integer(c, 0, 0, c->s->width - 1, &x) || !integer(c, 1, 0, c->s->height - 1, &y))
        return false;
    c->op->u.where.x = (uint32_t)x;
    c->op->u.where.y = (uint32_t)y;
    return no_more(c, 2);
}

static bool probe_covered(struct command *c) { return probe_coverage(c, true); }
static bool probe_discarded(struct command *c) { return probe_coverage(c, false); }

static bool tolerance(struct command *c)
{
    c->op->kind = OP_TOLERANCE;
    return floats(c, 0, 4, c->op->u.vector) && no_more(c, 4);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

static const struct command_row {
    const char *words;
    enum command_class class;
    command_fn *read;
} commands[] = {
    { "ssbo", COMMAND_PIGLIT, ssbo },
    { "compute", COMMAND_PIGLIT, compute },
    { "probe ssbo", COMMAND_PIGLIT, probe_ssbo },
    { "parameter", COMMAND_PIGLIT, parameter },
    { "clear color", COMMAND_PIGLIT, clear_color },
    { "clear depth", COMMAND_PIGLIT, nothing },
    { "clear", COMMAND_PIGLIT, clear },
    { "color", COMMAND_PIGLIT, color },
    { "texcoord", COMMAND_PIGLIT, texcoord },
    { "ortho", COMMAND_PIGLIT, ortho },
    { "draw rect", COMMAND_PIGLIT, draw_rect },
    { "draw rect ortho", COMMAND_PIGLIT, draw_rect_ortho },
    { "draw rect tex", COMMAND_PIGLIT, draw_rect_tex },
    { "probe rgba", COMMAND_PIGLIT, probe_rgba },
    { "probe rgb", COMMAND_PIGLIT, probe_rgb },
    { "probe all rgba", COMMAND_PIGLIT, probe_all_rgba },
    { "probe all rgb", COMMAND_PIGLIT, probe_all_rgb },
    { "probe rect rgba", COMMAND_PIGLIT, probe_rect_rgba },
    { "relative probe rgba", COMMAND_PIGLIT, relative_rgba },
    { "relative probe rgb", COMMAND_PIGLIT, relative_rgb },
    { "relative probe rect rgba", COMMAND_PIGLIT, relative_rect_rgba },
    { "relative probe rect rgb", COMMAND_PIGLIT, relative_rect_rgb },
    { "tolerance", COMMAND_PIGLIT, tolerance },
    { "memory barrier", COMMAND_PIGLIT, nothing },
    { "shade model smooth", COMMAND_PIGLIT, nothing },
    { "link success", COMMAND_PIGLIT, nothing },

    { "storage", COMMAND_GP5, storage },
    { "cbuffer", COMMAND_GP5, cbuffer },
    { "layout", COMMAND_GP5, layout },
    { "compare", COMMAND_GP5, compare },
    { "record", COMMAND_GP5, record },
    { "interpolate", COMMAND_GP5, interpolate },
    { "framebuffer float", COMMAND_GP5, framebuffer_float },
    { "probe storage", COMMAND_GP5, probe_storage },
    { "probe undefined", COMMAND_GP5, probe_undefined },
    { "probe covered", COMMAND_GP5, probe_covered },
    { "probe discarded", COMMAND_GP5, probe_discarded },

    { "active shader program", COMMAND_SKIPPED, NULL },
    { "active uniform", COMMAND_SKIPPED, NULL },
    { "atomic counter", COMMAND_SKIPPED, NULL },
    { "atomic counters", COMMAND_SKIPPED, NULL },
    { "blend barrier", COMMAND_SKIPPED, NULL },
    { "blit", COMMAND_SKIPPED, NULL },
    { "block", COMMAND_SKIPPED, NULL },
    { "calllist", COMMAND_SKIPPED, NULL },
    { "clip plane", COMMAND_SKIPPED, NULL },
    { "compute group size", COMMAND_SKIPPED, NULL },
    { "deletelist", COMMAND_SKIPPED, NULL },
    { "depthfunc", COMMAND_SKIPPED, NULL },
    { "disable", COMMAND_SKIPPED, NULL },
    { "draw arrays", COMMAND_SKIPPED, NULL },
    { "draw instanced rect", COMMAND_SKIPPED, NULL },
    { "draw rect ortho patch", COMMAND_SKIPPED, NULL },
    { "draw rect patch", COMMAND_SKIPPED, NULL },
    { "enable", COMMAND_SKIPPED, NULL },
    { "endlist", COMMAND_SKIPPED, NULL },
    { "fb", COMMAND_SKIPPED, NULL },
    { "fbfetch barrier", COMMAND_SKIPPED, NULL },
    { "frustum", COMMAND_SKIPPED, NULL },
    { "hint", COMMAND_SKIPPED, NULL },
    { "image texture", COMMAND_SKIPPED, NULL },
    { "link error", COMMAND_SKIPPED, NULL },
    { "newlist", COMMAND_SKIPPED, NULL },
    { "patch parameter", COMMAND_SKIPPED, NULL },
    { "polygon mode", COMMAND_SKIPPED, NULL },
    { "probe atomic counter", COMMAND_SKIPPED, NULL },
    { "probe depth", COMMAND_SKIPPED, NULL },
    { "probe warn all rgba", COMMAND_SKIPPED, NULL },
    { "probe xfb buffer", COMMAND_SKIPPED, NULL },
    { "program binary save restore", COMMAND_SKIPPED, NULL },
    { "provoking vertex", COMMAND_SKIPPED, NULL },
    { "relative probe rect rgba int", COMMAND_SKIPPED, NULL },
    { "resident image texture", COMMAND_SKIPPED, NULL },
    { "resident texture", COMMAND_SKIPPED, NULL },
    { "shade model flat", COMMAND_SKIPPED, NULL },
    { "subuniform", COMMAND_SKIPPED, NULL },
    { "texparameter", COMMAND_SKIPPED, NULL },
    { "texture", COMMAND_SKIPPED, NULL },
    { "ubo array index", COMMAND_SKIPPED, NULL },
    { "uniform", COMMAND_SKIPPED, NULL },
    { "verify", COMMAND_SKIPPED, NULL },
    { "vertex attrib", COMMAND_SKIPPED, NULL },
    { "viewport indexed", COMMAND_SKIPPED, NULL },
    { "viewport swizzle", COMMAND_SKIPPED, NULL },
    { "xfb", COMMAND_SKIPPED, NULL },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const char *script_command_name(size_t index, enum command_class *class)
{
    if (index >= COMMANDS)
        return NULL;
    *class = commands[index].class;
    return commands[index].words;
}

/* How many words of the line a row takes, 0 when it does not begin with them. */
static size_t matches(const struct command_row *row, const struct line *line)
{
    const char *rest = row->words;
    size_t n = 0;
    while (*rest) {
        size_t length = strcspn(rest, " ");
        if (n >= line->count || strlen(line->word[n]) != length || memcmp(line->word[n], rest, length))
            return 0;
        rest += length + (rest[length] == ' ');
        n++;
    }
    return n;
}

bool script_command(struct script *s, size_t start, size_t end, uint32_t number)
{
    const struct command_row *row = NULL;
    struct op op = { .offset = (uint32_t)start, .line = number };
    struct line line;
    size_t words = 0;
    if (!line_split(&s->arena, s->text, start, end, &line))
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    if (!line.count)
        return true;
    for (int i = 0; i < COMMANDS; i++) {
        size_t n = matches(&commands[i], &line);
        if (n > words) {
            words = n;
            row = &commands[i];
        }
    }
    op.offset = line.offset[0];
    uint32_t length = line.offset[line.count - 1] + (uint32_t)strlen(line.word[line.count - 1]) - op.offset;
    if (!row)
        return script_stop(s, SCRIPT_ERROR, op.offset, length, "no such command");
    if (!row->read)
        return script_stop(s, SCRIPT_SKIP, op.offset, length, "this command is not supported yet");
    struct command c = { s, &op, line.word + words, line.offset + words, line.count - words };
    if (!row->read(&c))
        return false;
    if (!c.op)
        return true;
    size_t index = vec_grow(&s->ops);
    if (index == SIZE_MAX)
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    *(struct op *)vec_at(&s->ops, index) = op;
    return true;
}
