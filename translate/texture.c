/* Texture instructions. */
#include "translate/translate.h"

#include <string.h>

enum { MOST_UNITS = 80 };       /* gl_MaxCombinedTextureImageUnits, at least */

/* What GLSL calls a target: its sampler, the functions before 1.30, and the components that a coordinate has, with a
 * layer and what depth is compared with. */
static const struct target {
    const char *sampler, *old;
    uint8_t components[4], n;
    uint8_t gradient;           /* components of a derivative */
    bool shadow;
    uint32_t needs;
} targets[TARGET_COUNT] = {
    [TARGET_1D] = {"sampler1D", "texture1D", {0}, 1, 1, false, 0},
    [TARGET_2D] = {"sampler2D", "texture2D", {0, 1}, 2, 2, false, 0},
    [TARGET_3D] = {"sampler3D", "texture3D", {0, 1, 2}, 3, 3, false, 0},
    [TARGET_CUBE] = {"samplerCube", "textureCube", {0, 1, 2}, 3, 3, false, 0},
    [TARGET_RECT] = {"sampler2DRect", "texture2DRect", {0, 1}, 2, 2, false, 0},
    [TARGET_SHADOW1D] = {"sampler1DShadow", "shadow1D", {0, 1, 2}, 3, 1, true, 0},
    [TARGET_SHADOW2D] = {"sampler2DShadow", "shadow2D", {0, 1, 2}, 3, 2, true, 0},
    [TARGET_SHADOWRECT] = {"sampler2DRectShadow", "shadow2DRect", {0, 1, 2}, 3, 2, true, 0},
    [TARGET_SHADOWCUBE] = {"samplerCubeShadow", NULL, {0, 1, 2, 3}, 4, 3, true, HAS_INTEGERS},
    [TARGET_ARRAY1D] = {"sampler1DArray", NULL, {0, 1}, 2, 1, false, HAS_INTEGERS},
    [TARGET_ARRAY2D] = {"sampler2DArray", NULL, {0, 1, 2}, 3, 2, false, HAS_INTEGERS},
    [TARGET_ARRAYCUBE] = {"samplerCubeArray", NULL, {0, 1, 2, 3}, 4, 3, false, HAS_GPU5},
    [TARGET_SHADOWARRAY1D] = {"sampler1DArrayShadow", NULL, {0, 1, 2}, 3, 1, true, HAS_INTEGERS},
    [TARGET_SHADOWARRAY2D] = {"sampler2DArrayShadow", NULL, {0, 1, 2, 3}, 4, 2, true, HAS_INTEGERS},
    [TARGET_BUFFER] = {"samplerBuffer", NULL, {0}, 1, 1, false, HAS_INTEGERS},
    [TARGET_2DMS] = {"sampler2DMS", NULL, {0, 1}, 2, 2, false, HAS_INTEGERS},
    [TARGET_ARRAY2DMS] = {"sampler2DMSArray", NULL, {0, 1, 2}, 3, 2, false, HAS_INTEGERS},
};

/* What GLSL ES lacks. */
static bool is_in_es(unsigned target)
{
    return target == TARGET_2D || target == TARGET_3D || target == TARGET_CUBE || target == TARGET_SHADOW2D ||
           target == TARGET_SHADOWCUBE || target == TARGET_ARRAY2D || target == TARGET_SHADOWARRAY2D;
}

static const char *sampler(struct tr *t, uint32_t unit, unsigned target, char kind)
{
    unsigned others = 0;

    for (size_t i = 0; i < t->samplers.count; i++) {
        const struct tr_sampler *s = vec_at(&t->samplers, i);
        if (s->unit != unit)
            continue;
        if (s->target == target && s->kind == kind)
            return s->name;
        others++;
    }
    size_t at = vec_grow(&t->samplers);
    const char *name = others ? tr_text(t, "gp5_texture%u_%u", unit, others + 1) : tr_text(t, "gp5_texture%u", unit);
    name = arena_copy(&t->arena, name, strlen(name));
    if (at == SIZE_MAX || !name) {
        t->arena.failed = true;
        return "";
    }
    *(struct tr_sampler *)vec_at(&t->samplers, at) =
        (struct tr_sampler){.unit = unit, .target = (uint8_t)target, .kind = kind, .name = name};
    return name;
}

static const struct operand *texture_operand(const struct tr *t)
{
    return program_operand(t->p, t->insn->src + t->insn->nsrc - 1u);
}

static const char *sampler_of(struct tr *t, char kind)
{
    const struct operand *o = texture_operand(t);
    const struct binding *b = NULL;
    uint32_t at = 0;

    if (o->kind == OPND_TEXTURE && o->flags & OPND_BY_NAME) {
        const struct symbol *s = program_symbol(t->p, o->ref);
        const struct index *index = o->nindices ? program_index(t->p, o->index + o->nindices - 1u) : NULL;
        if (!(index && index->mode == INDEX_RELATIVE))
            b = tr_element(t, s, index ? (uint32_t)index->offset : 0, &at);
    } else if (o->kind == OPND_TEXTURE) {
        b = program_binding(t->p, o->ref);
    }
    if (!b || b->relative) {
        tr_refuse(t, o->span, "a texture that is chosen by a computed index or a handle");
        return "";
    }
    uint32_t unit = (b->nindices ? b->first[0] : 0) + at;
    if (unit >= MOST_UNITS)
        tr_refuse(t, o->span, "texture[%u]: %d units are what there is for sure", unit, MOST_UNITS);
    return sampler(t, unit, t->insn->texture_target, kind);
}

static const char *coordinates(struct tr *t, const struct target *g)
{
    return tr_operand(t, 0, T_FLOAT, g->components, g->n);
}

static const char *one(struct tr *t, unsigned k, uint8_t component)
{
    return tr_operand(t, k, T_FLOAT, &component, 1);
}

/* Texel offsets that are numbers. */
static const char *offsets(struct tr *t, const struct target *g)
{
    const struct insn *insn = t->insn;

    if (!insn->ntexels)
        return "";
    tr_needs_integers(t, t->where, "an offset of texels");
    return g->gradient == 1   ? tr_text(t, ", %d", insn_texel(insn, 0))
           : g->gradient == 2 ? tr_text(t, ", ivec2(%d, %d)", insn_texel(insn, 0), insn_texel(insn, 1))
                              : tr_text(t, ", ivec3(%d, %d, %d)", insn_texel(insn, 0), insn_texel(insn, 1),
                                        insn_texel(insn, 2));
}

static const char *projective(struct tr *t, const struct target *g, const char *name, const char *s, const char *more)
{
    static const uint8_t all[4] = {0, 1, 2, 3};
    const char *offset = *more ? "Offset" : "";

    if (t->insn->texture_target == TARGET_CUBE)
        return tr_text(t, "%s(%s, %s / %s)", name, s, coordinates(t, g), one(t, 0, 3));
    if (t->insn->texture_target > TARGET_SHADOWRECT) {
        tr_refuse(t, t->where, "TXP of a %s texture", target_table[t->insn->texture_target].text);
        return "";
    }
    return tr_text(t, "%sProj%s(%s, %s%s)", name, offset, s, tr_operand(t, 0, T_FLOAT, all, 4), more);
}

/* GLSL 1.20 has levels in vertex shaders, elsewhere by an extension. */
static const char *with_level(struct tr *t, const struct target *g, const char *name, const char *s, bool old)
{
    const char *at = coordinates(t, g), *more = offsets(t, g), *offset = *more ? "Offset" : "";

    if (g->n == 4 && t->insn->op != OP_TXD) {
        tr_refuse(t, t->where, "%s of a %s texture: w is no level", op_table[t->insn->op].name,
                  target_table[t->insn->texture_target].text);
        return "";
    }
    if (old && (t->insn->op == OP_TXD || t->stage == STAGE_FRAGMENT))
        t->needed |= NEED_LOD;
    if (t->insn->op != OP_TXD &&
        (t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT))
        return tr_text(t, "%s%s(%s, %s%s)", name, offset, s, at, more);
    if (t->insn->op != OP_TXD)
        return tr_text(t, "%sLod%s(%s, %s, %s%s)", name, offset, s, at, one(t, 0, 3), more);
    return tr_text(t, "%sGrad%s%s(%s, %s, %s, %s%s)", name, offset, old ? "ARB" : "", s, at,
                   tr_operand(t, 1, T_FLOAT, g->components, g->gradient),
                   tr_operand(t, 2, T_FLOAT, g->components, g->gradient), more);
}

static const char *fetch(struct tr *t, const struct target *g, const char *s)
{
    const char *at = tr_operand(t, 0, T_INT, g->components, g->n), *more = offsets(t, g);
    static const uint8_t w = 3;
    bool level = t->insn->texture_target != TARGET_BUFFER && t->insn->texture_target != TARGET_RECT;

    tr_needs_integers(t, t->where, op_table[t->insn->op].name);
    if (g->shadow || t->insn->texture_target == TARGET_CUBE || t->insn->texture_target == TARGET_ARRAYCUBE)
        tr_refuse(t, t->where, "TXF of a %s texture", target_table[t->insn->texture_target].text);
    if (!level && !*more)
        return tr_text(t, "texelFetch(%s, %s)", s, at);
    return tr_text(t, "texelFetch%s(%s, %s, %s%s)", *more ? "Offset" : "", s, at,
                   level ? tr_operand(t, 0, T_INT, &w, 1) : "0", more);
}

/* The functions of 1.30 and later are called alike. */
static const char *call(struct tr *t, const struct target *g, const char *s)
{
    bool old = !tr_has(t, HAS_INTEGERS) || (g->shadow && g->old && tr_has(t, HAS_COMPAT) && !t->insn->ntexels);
    const char *name = old ? g->old : "texture", *at, *more;
    bool rect = t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT;

    switch (t->insn->op) {
    case OP_TEX: case OP_TXB:
        /* Before the fragments there are no derivatives: a bias moves the base level. */
        if (t->insn->op == OP_TXB && t->stage != STAGE_FRAGMENT)
            return with_level(t, g, name, s, old);
        at = coordinates(t, g);
        more = offsets(t, g);
        if (t->insn->op == OP_TEX || rect)
            return tr_text(t, "%s%s(%s, %s%s)", name, *more ? "Offset" : "", s, at, more);
        if (g->n == 4) {
            tr_refuse(t, t->where, "TXB of a %s texture: w is no bias", target_table[t->insn->texture_target].text);
            return "";
        }
        return tr_text(t, "%s%s(%s, %s%s, %s)", name, *more ? "Offset" : "", s, at, more, one(t, 0, 3));
    case OP_TXP: return projective(t, g, name, s, offsets(t, g));
    case OP_TXL: case OP_TXD: return with_level(t, g, name, s, old);
    case OP_TXF: return fetch(t, g, s);
    default: return NULL;
    }
}

/* The size of a level, and how many levels there are. */
static const char *size(struct tr *t, const struct target *g, const char *s, const uint8_t *components, unsigned n)
{
    static const uint8_t x = 0;
    const char *parts[4], *level = tr_operand(t, 0, T_INT, &x, 1);
    unsigned target = t->insn->texture_target, dimensions = g->gradient;
    bool levels = target != TARGET_RECT && target != TARGET_SHADOWRECT && target != TARGET_BUFFER &&
                  target != TARGET_2DMS && target != TARGET_ARRAY2DMS;

    tr_needs_integers(t, t->where, "TXQ");
    if (target == TARGET_CUBE || target == TARGET_SHADOWCUBE)
        dimensions = 2;
    else if (target == TARGET_ARRAY1D || target == TARGET_ARRAY2D || target == TARGET_SHADOWARRAY1D ||
             target == TARGET_SHADOWARRAY2D || target == TARGET_ARRAY2DMS)
        dimensions++;
    for (unsigned i = 0; i < n; i++) {
        const char *all = tr_text(t, "textureSize(%s%s%s)", s, levels ? ", " : "", levels ? level : "");
        if (components[i] == 3 && !tr_has(t, HAS_GPU5))
            tr_refuse(t, t->where, "TXQ of how many levels there are, which %s cannot say", t->target->name);
        parts[i] = components[i] < dimensions ? dimensions == 1 ? all : tr_text(t, "%s.%c", all, "xyz"[components[i]])
                   : components[i] == 3       ? levels ? tr_text(t, "textureQueryLevels(%s)", s) : "1"
                                              : "0";
    }
    return tr_join(t, T_INT, parts, n);
}

const char *tr_texture(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    const struct target *g = &targets[insn->texture_target];
    char letters[5];

    *type = insn->op == OP_TXQ ? T_INT : tr_type_of(insn->type);
    if (!g->sampler || !tr_has(t, g->needs) || (tr_has(t, IS_ES) && !is_in_es(insn->texture_target))) {
        tr_refuse(t, t->where, "a %s texture, which %s has not", target_table[insn->texture_target].text,
                  t->target->name);
        return "";
    }
    bool fetched = insn->texture_target == TARGET_BUFFER || insn->texture_target == TARGET_2DMS ||
                   insn->texture_target == TARGET_ARRAY2DMS;
    if (fetched && insn->op != OP_TXF && insn->op != OP_TXQ) {
        tr_refuse(t, t->where, "%s of a %s texture", op_table[insn->op].name, target_table[insn->texture_target].text);
        return "";
    }
    if (insn->flags & (INSN_SPARSE | INSN_LODCLAMP)) {
        tr_refuse(t, t->where, "a sparse texture, or a level that is held");
        return "";
    }
    if (insn->texture_target == TARGET_RECT || insn->texture_target == TARGET_SHADOWRECT)
        t->needed |= NEED_RECT;
    char kind = insn->op == OP_TXQ ? 'F' : *type == T_INT ? 'S' : *type == T_UINT ? 'U' : 'F';
    if (g->shadow && kind != 'F') {
        tr_refuse(t, t->where, "integers of a texture that is compared");
        return "";
    }
    if (kind != 'F')
        tr_needs_integers(t, t->where, "integers of a texture");
    const char *s = sampler_of(t, kind);
    if (insn->op == OP_TXQ)
        return size(t, g, s, components, n);
    const char *text = call(t, g, s);
    if (!text)
        return NULL;
    bool vector = g->old && tr_has(t, HAS_COMPAT) && !insn->ntexels;
    if (g->shadow && !vector)
        text = tr_text(t, "vec4(vec3(%s), 1.0)", text);
    return n == 4 ? text : tr_text(t, "%s.%s", text, tr_letters(components, n, letters));
}

void tr_declare_samplers(struct tr *t)
{
    for (size_t i = 0; i < t->samplers.count; i++) {
        const struct tr_sampler *s = vec_at(&t->samplers, i);
        const char *kind = s->kind == 'S' ? "i" : s->kind == 'U' ? "u" : "";
        if (tr_has(t, HAS_LOCATIONS) && !tr_has(t, HAS_COMPAT))
            tr_printf(&t->declarations, "layout(binding = %u) ", s->unit);
        tr_printf(&t->declarations, "uniform %s%s%s %s;\n", tr_has(t, IS_ES) ? "highp " : "", kind,
                  targets[s->target].sampler, s->name);
    }
}
