/* Images: LOADIM, STOREIM, ATOMIM, IMQ and IMQS. What is only written needs no format; what is read has that of the
 * instruction's size and type, in which the application binds it. */
#include "asm/facts.h"
#include "translate/translate.h"

#include <string.h>

/* What GLSL calls a target, and the components of a coordinate; the sample stands in w. */
static const struct target {
    const char *image;
    uint8_t components[3], n;
    bool samples;
} targets[TARGET_COUNT] = {
    [TARGET_1D] = {"image1D", {0}, 1, false},
    [TARGET_2D] = {"image2D", {0, 1}, 2, false},
    [TARGET_3D] = {"image3D", {0, 1, 2}, 3, false},
    [TARGET_CUBE] = {"imageCube", {0, 1, 2}, 3, false},
    [TARGET_RECT] = {"image2DRect", {0, 1}, 2, false},
    [TARGET_ARRAY1D] = {"image1DArray", {0, 2}, 2, false},
    [TARGET_ARRAY2D] = {"image2DArray", {0, 1, 2}, 3, false},
    [TARGET_ARRAYCUBE] = {"imageCubeArray", {0, 1, 2}, 3, false},
    [TARGET_BUFFER] = {"imageBuffer", {0}, 1, false},
    [TARGET_2DMS] = {"image2DMS", {0, 1}, 2, true},
    [TARGET_ARRAY2DMS] = {"image2DMSArray", {0, 1, 2}, 3, true},
};

static const struct {
    uint8_t type, width;
    const char *format;
} formats[] = {{DT_F16, 1, "r16f"},     {DT_F16, 2, "rg16f"},   {DT_F16, 4, "rgba16f"}, {DT_F32, 1, "r32f"},
               {DT_F32, 2, "rg32f"},    {DT_F32, 4, "rgba32f"}, {DT_S8, 1, "r8i"},      {DT_S8, 2, "rg8i"},
               {DT_S8, 4, "rgba8i"},    {DT_S16, 1, "r16i"},    {DT_S16, 2, "rg16i"},   {DT_S16, 4, "rgba16i"},
               {DT_S32, 1, "r32i"},     {DT_S32, 2, "rg32i"},   {DT_S32, 4, "rgba32i"}, {DT_U8, 1, "r8ui"},
               {DT_U8, 2, "rg8ui"},     {DT_U8, 4, "rgba8ui"},  {DT_U16, 1, "r16ui"},   {DT_U16, 2, "rg16ui"},
               {DT_U16, 4, "rgba16ui"}, {DT_U32, 1, "r32ui"},   {DT_U32, 2, "rg32ui"},  {DT_U32, 4, "rgba32ui"}};

static const char *format_of(struct tr *t, unsigned width)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].type == (t->insn->type & DT_MASK) && formats[i].width == width)
            return formats[i].format;
    tr_refuse(t, t->where, "an image of such numbers, which %s has not", t->target->name);
    return "r32ui";
}

/* Words of GLSL by what is read of them: floats, ints, uints. */
static const struct {
    char kind;
    const char *formats;
} known[] = {{'F', " rgba32f rgba16f rg32f rg16f r11f_g11f_b10f r32f r16f rgba16 rgb10_a2 rgba8 rg16 rg8 r16 r8 "
                   "rgba16_snorm rgba8_snorm rg16_snorm rg8_snorm r16_snorm r8_snorm "},
             {'S', " rgba32i rgba16i rgba8i rg32i rg16i rg8i r32i r16i r8i "},
             {'U', " rgba32ui rgba16ui rgb10_a2ui rgba8ui rg32ui rg16ui rg8ui r32ui r16ui r8ui "}};

/* What the application says that it binds, in the place of the instruction's own. */
static const char *format_given(struct tr *t, const struct tr_resource *r)
{
    const struct gp5_translate_options *o = t->options;
    const char *given = NULL;

    for (unsigned i = 0; i < r->n && o->image_format; i++) {
        const char *binding = tr_resource_binding(t, true, r->handle, r->unit[i]);
        const char *one = o->image_format(o->user, binding);
        if (i && (!one != !given || (one && strcmp(one, given))))
            tr_refuse(t, t->where, "%s in another format than its neighbours", binding);
        given = one;
    }
    if (!given)
        return r->format;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].kind == r->kind && strstr(known[i].formats, tr_text(t, " %s ", given)))
            return arena_copy(&t->arena, given, strlen(given));
    tr_refuse(t, t->where, "the format '%.20s' of an image, of which other numbers are read", given);
    return r->format;
}

static const struct target *target_of(struct tr *t)
{
    const struct target *g = &targets[t->insn->texture_target];

    if (g->image && tr_has(t, HAS_GPU5))
        return g;
    tr_refuse(t, t->where, "a %s image, which %s has not", target_table[t->insn->texture_target].text, t->target->name);
    return NULL;
}

/* "ivec2(...)", with the sample. */
static const char *coordinates(struct tr *t, const struct target *g, unsigned k)
{
    static const uint8_t w = 3;
    const char *at = tr_operand(t, k, T_INT, g->components, g->n);

    return g->samples ? tr_text(t, "%s, %s", at, tr_operand(t, k, T_INT, &w, 1)) : at;
}

static struct tr_resource resource(const struct tr *t, enum tr_type type, const char *format)
{
    return (struct tr_resource){.image = true,
                                .target = t->insn->texture_target,
                                .format = format,
                                .kind = type == T_INT    ? 'S'
                                        : type == T_UINT ? 'U'
                                                         : 'F'};
}

/* How the images of an instruction are used. */
static void use(struct tr *t, const struct tr_resource *r, bool reads, bool writes)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct tr_sampler *s = tr_sampler(t, r, r->unit[i]);
        if (!s)
            return;
        s->read |= reads;
        s->written |= writes;
        s->coherent |= (t->insn->flags & INSN_COHERENT) != 0;
        s->is_volatile |= (t->insn->flags & INSN_VOLATILE) != 0;
        if (r->format)
            s->format = r->format;
    }
}

/* ---- loads and questions ---------------------------------------------------------------------------------------- */

struct wanted {
    const struct target *g;
    const uint8_t *components;
    unsigned n;
};

static const char *say_load(struct tr *t, const char *image, void *user)
{
    const struct wanted *w = user;
    char letters[5];
    const char *text = tr_text(t, "imageLoad(%s, %s)", image, coordinates(t, w->g, 0));

    return w->n == 4 ? text : tr_text(t, "%s.%s", text, tr_letters(w->components, w->n, letters));
}

static const char *say_size(struct tr *t, const char *image, void *user)
{
    const struct wanted *w = user;
    unsigned target = t->insn->texture_target, n = w->g->n;
    const char *parts[4], *all = tr_text(t, t->insn->op == OP_IMQS ? "imageSamples(%s)" : "imageSize(%s)", image);

    if (target == TARGET_CUBE)
        n = 2;
    for (unsigned i = 0; i < w->n; i++) {
        unsigned c = w->components[i];
        if (t->insn->op == OP_IMQS)
            parts[i] = c == 0 ? all : "0";
        else if (target == TARGET_ARRAYCUBE && c == 2)
            parts[i] = tr_text(t, "%s.z * 6", all);
        else
            parts[i] = c >= n ? "0" : n == 1 ? all : tr_text(t, "%s.%c", all, "xyz"[c]);
    }
    return tr_join(t, T_INT, parts, w->n);
}

const char *tr_image_load(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    bool size = insn->op != OP_LOADIM;
    struct wanted w = {.g = target_of(t), .components = components, .n = n};

    *type = size ? T_INT : tr_type_of(insn->type);
    if (!w.g)
        return "0";
    if (insn->flags & (INSN_SPARSE | INSN_LODCLAMP))
        tr_refuse(t, t->where, "a sparse image");
    if (insn->op == OP_IMQS && !w.g->samples)
        tr_refuse(t, t->where, "IMQS of an image without samples");
    if (!size && type_table[insn->type & DT_MASK].bytes == 8) {
        tr_refuse(t, t->where, "64 bits of an image, which %s has not", t->target->name);
        return "0";
    }
    bool sized = !size && eval_image_moves_bytes(t->p, insn);
    struct tr_resource r = resource(t, *type, size ? NULL : format_of(t, sized ? insn->width : 4));
    r.kind = size ? 0 : r.kind;
    if (!tr_find_resource(t, program_operand(t->p, insn->src + (size ? 0 : 1)), &r))
        return "0";
    r.format = size ? NULL : format_given(t, &r);
    use(t, &r, !size, false);
    return tr_each_resource(t, &r, size ? say_size : say_load, &w);
}

/* ---- stores and atomic operations ------------------------------------------------------------------------------- */

/* A statement for whichever image it is. */
static void each(struct tr *t, const struct tr_resource *r, const char *before, const char *after)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct tr_sampler *s = tr_sampler(t, r, r->unit[i]);
        if (!s)
            return;
        if (r->at)
            tr_line(t, "%sif (%s == %u) %s%s%s;", i ? "else " : "", r->at, r->number[i], before, s->name, after);
        else
            tr_line(t, "%s%s%s;", before, s->name, after);
    }
}

void tr_image_store(struct tr *t, const struct insn *insn)
{
    static const uint8_t all[4] = {0, 1, 2, 3};
    const struct target *g = target_of(t);
    enum tr_type type = tr_type_of(insn->type);
    struct tr_resource r = resource(t, type, NULL);

    if (!g)
        return;
    if (type_table[insn->type & DT_MASK].bytes == 8) {
        tr_refuse(t, t->where, "64 bits of an image, which %s has not", t->target->name);
        return;
    }
    if (!tr_find_resource(t, program_operand(t->p, insn->src), &r))
        return;
    use(t, &r, false, true);
    each(t, &r, "imageStore(", tr_text(t, ", %s, %s)", coordinates(t, g, 2), tr_operand(t, 1, type, all, 4)));
}

const char *tr_image_atomic(struct tr *t, enum tr_type *type)
{
    static const char *const names[MOD_COUNT] = {
        [MOD_ADD] = "Add", [MOD_MIN] = "Min", [MOD_MAX] = "Max",       [MOD_AND] = "And",
        [MOD_OR] = "Or",   [MOD_XOR] = "Xor", [MOD_EXCH] = "Exchange", [MOD_CSWAP] = "CompSwap"};
    static const uint8_t x = 0, y = 1;
    const struct insn *insn = t->insn;
    const struct target *g = target_of(t);
    unsigned kind = insn->type & DT_MASK;

    *type = tr_type_of(insn->type);
    bool known =
        names[insn->atomic] && (kind == DT_S32 || kind == DT_U32 || (kind == DT_F32 && insn->atomic == MOD_EXCH));
    if (!g || !known) {
        tr_refuse(t, t->where, "an atomic operation on numbers of this type in an image, which %s has not",
                  t->target->name);
        return "0";
    }
    struct tr_resource r = resource(t, *type, format_of(t, 1));
    if (!tr_find_resource(t, program_operand(t->p, insn->src + 2), &r))
        return "0";
    r.format = format_given(t, &r);
    use(t, &r, true, true);
    const char *value = tr_operand(t, 0, *type, &x, 1);
    if (insn->atomic == MOD_CSWAP)
        value = tr_text(t, "%s, %s", value, tr_operand(t, 0, *type, &y, 1));
    tr_line(t, "%s gp5_o = %s;", tr_type_name(*type, 1), *type == T_FLOAT ? "0.0" : *type == T_INT ? "0" : "0u");
    each(t, &r, tr_text(t, "gp5_o = imageAtomic%s(", names[insn->atomic]),
         tr_text(t, ", %s, %s)", coordinates(t, g, 1), value));
    return "gp5_o";
}

/* ---- declarations ----------------------------------------------------------------------------------------------- */

void tr_declare_images(struct tr *t)
{
    for (size_t i = 0; i < t->samplers.count; i++) {
        const struct tr_sampler *s = vec_at(&t->samplers, i);
        const char *kind = s->kind == 'S' ? "i" : s->kind == 'U' ? "u" : "";
        if (!s->image)
            continue;
        bool binding = !tr_has(t, HAS_COMPAT);
        if (binding || s->format)
            tr_printf(&t->declarations, "layout(%s%s%s) ", binding ? tr_text(t, "binding = %u", s->point) : "",
                      binding && s->format ? ", " : "", s->format ? s->format : "");
        tr_printf(&t->declarations, "%s%s%suniform %s%s %s;\n", s->coherent ? "coherent " : "",
                  s->is_volatile ? "volatile " : "", s->format ? "" : "writeonly ", kind, targets[s->target].image,
                  s->name);
    }
}
