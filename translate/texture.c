/* Texture instructions. */
#include "translate/translate.h"

#include <string.h>

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
    return sampler(t, (b->nindices ? b->first[0] : 0) + at, t->insn->texture_target, kind);
}

static const char *coordinates(struct tr *t, const struct target *g)
{
    return tr_operand(t, 0, T_FLOAT, g->components, g->n);
}

static const char *one(struct tr *t, unsigned k, uint8_t component)
{
    return tr_operand(t, k, T_FLOAT, &component, 1);
}

static const char *projective(struct tr *t, const struct target *g, const char *name, const char *s)
{
    static const uint8_t all[4] = {0, 1, 2, 3};

    if (t->insn->texture_target == TARGET_CUBE)
        return tr_text(t, "%s(%s, %s / %s)", name, s, coordinates(t, g), one(t, 0, 3));
    return tr_text(t, "%sProj(%s, %s)", name, s, tr_operand(t, 0, T_FLOAT, all, 4));
}

/* The functions of 1.30 and later are called alike. */
static const char *call(struct tr *t, const struct target *g, const char *s)
{
    bool old = !tr_has(t, HAS_INTEGERS) || (g->shadow && g->old && tr_has(t, HAS_COMPAT));
    const char *name = old ? g->old : "texture", *at = coordinates(t, g);
    bool rect = t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT;

    switch (t->insn->op) {
    case OP_TEX: return tr_text(t, "%s(%s, %s)", name, s, at);
    case OP_TXP: return projective(t, g, name, s);
    case OP_TXB:
        if (rect)
            return tr_text(t, "%s(%s, %s)", name, s, at);
        return tr_text(t, "%s(%s, %s, %s)", name, s, at, one(t, 0, 3));
    default: return NULL;
    }
}

const char *tr_texture(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct target *g = &targets[t->insn->texture_target];
    char letters[5];

    *type = T_FLOAT;
    if (!g->sampler || !tr_has(t, g->needs) || (tr_has(t, IS_ES) && !is_in_es(t->insn->texture_target))) {
        tr_refuse(t, t->where, "a %s texture, which %s has not", target_table[t->insn->texture_target].text,
                  t->target->name);
        return "";
    }
    if (t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT)
        t->needed |= NEED_RECT;
    const char *s = sampler_of(t, 'F'), *text = call(t, g, s);
    if (!text)
        return NULL;
    if (g->shadow && !(g->old && tr_has(t, HAS_COMPAT)))
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
