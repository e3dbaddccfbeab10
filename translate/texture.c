/* Texture instructions: samples and texels. */
#include "translate/texture.h"

#include <string.h>

static const struct target targets[TARGET_COUNT] = {
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
    [TARGET_SHADOWARRAYCUBE] = {"samplerCubeArrayShadow", NULL, {0, 1, 2, 3}, 4, 3, true, HAS_GPU5},
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

static const char *coordinates(struct tr *t, const struct target *g)
{
    return tr_operand(t, 0, T_FLOAT, g->components, g->n);
}

static const char *one(struct tr *t, unsigned k, uint8_t component)
{
    return tr_operand(t, k, T_FLOAT, &component, 1);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

const char *tr_vector(struct tr *t, const struct operand *o, enum tr_type type, uint8_t component)
{
    return tr_value(t, o, type, &component, 1);
}

/* Texel offsets: numbers in brackets, or an operand, which GLSL takes for a gather alone where it is computed. */
static void offsets(struct tr *t, struct call *c, const struct operand *o)
{
    static const uint8_t all[3] = {0, 1, 2};
    const struct insn *insn = t->insn;
    unsigned n = c->target->gradient;

    c->offset = "";
    c->constant = true;
    if (!insn->ntexels && !o)
        return;
    tr_needs_integers(t, t->where, "an offset of texels");
    if (insn->texture_target == TARGET_CUBE || insn->texture_target == TARGET_ARRAYCUBE ||
        insn->texture_target == TARGET_SHADOWCUBE || insn->texture_target == TARGET_SHADOWARRAYCUBE ||
        insn->texture_target == TARGET_2DMS || insn->texture_target == TARGET_ARRAY2DMS ||
        insn->texture_target == TARGET_BUFFER)
        tr_refuse(t, t->where, "an offset of texels of a %s texture", target_table[insn->texture_target].text);
    if (o) {
        c->constant = o->kind == OPND_CONSTANT;
        if (!c->constant && insn->op != OP_TXG)
            tr_refuse(t, o->span, "a computed offset of texels, which %s has not", t->target->name);
        struct operand plain = *o;
        plain.flags &= (uint16_t)~OPND_OFFSET;
        c->offset = tr_text(t, ", %s", tr_value(t, &plain, T_INT, all, n));
        return;
    }
    c->offset = n == 1   ? tr_text(t, ", %d", insn_texel(insn, 0))
                : n == 2 ? tr_text(t, ", ivec2(%d, %d)", insn_texel(insn, 0), insn_texel(insn, 1))
                         : tr_text(t, ", ivec3(%d, %d, %d)", insn_texel(insn, 0), insn_texel(insn, 1),
                                   insn_texel(insn, 2));
}

/* Vectors, the texture, and perhaps a texel offset, as they stand. */
static const struct operand *find_operands(struct tr *t, struct call *c)
{
    const struct operand *texture = NULL, *offset = NULL;
    unsigned vectors = 0;

    c->second = NULL;
    for (unsigned k = 0; k < t->insn->nsrc; k++) {
        const struct operand *o = program_operand(t->p, t->insn->src + k);
        if (o->flags & OPND_OFFSET)
            offset = o;
        else if (o->kind == OPND_TEXTURE || o->kind == OPND_HANDLE)
            texture = o;
        else if (vectors++ == 1)
            c->second = o;
    }
    offsets(t, c, offset);
    return texture;
}

/* Level or bias: w, or x of the second vector where the coordinates take all four. */
static const char *level_of(struct tr *t, const struct call *c)
{
    unsigned target = t->insn->texture_target;

    if (c->second)
        return tr_vector(t, c->second, T_FLOAT, target == TARGET_SHADOWARRAYCUBE ? 1 : 0);
    return c->target->n == 4 ? NULL : one(t, 0, 3);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

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
    bool rect = t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT;
    if (rect && tr_has(t, HAS_GPU5) && t->stage != STAGE_FRAGMENT)      /* as in rect_sample */
        return tr_text(t, "textureProjGrad%s(%s, %s, vec2(0.0), vec2(0.0)%s)", offset, s,
                       tr_operand(t, 0, T_FLOAT, all, 4), more);
    return tr_text(t, "%sProj%s(%s, %s%s)", name, offset, s, tr_operand(t, 0, T_FLOAT, all, 4), more);
}

/* There is one level. Outside of fragments SPIR-V takes a rectangle with gradients alone. */
static const char *rect_sample(struct tr *t, const char *name, const char *s, const char *at, const char *more)
{
    const char *offset = *more ? "Offset" : "";

    if (tr_has(t, HAS_GPU5) && t->stage != STAGE_FRAGMENT)
        return tr_text(t, "textureGrad%s(%s, %s, vec2(0.0), vec2(0.0)%s)", offset, s, at, more);
    return tr_text(t, "%s%s(%s, %s%s)", name, offset, s, at, more);
}

/* GLSL 1.20 has levels in vertex shaders, elsewhere by an extension. */
static const char *with_level(struct tr *t, const struct call *c, const char *name, const char *s, bool old)
{
    const struct target *g = c->target;
    const char *at = coordinates(t, g), *more = c->offset, *offset = *more ? "Offset" : "", *level;
    unsigned target = t->insn->texture_target;

    if (old && (t->insn->op == OP_TXD || t->stage == STAGE_FRAGMENT))
        t->needed |= NEED_LOD;
    if (t->insn->op == OP_TXD) {
        if (target == TARGET_SHADOWARRAYCUBE) {
            tr_refuse(t, t->where, "TXD of a %s texture", target_table[target].text);
            return "";
        }
        return tr_text(t, "%sGrad%s%s(%s, %s, %s, %s%s)", name, offset, old ? "ARB" : "", s, at,
                       tr_operand(t, 1, T_FLOAT, g->components, g->gradient),
                       tr_operand(t, 2, T_FLOAT, g->components, g->gradient), more);
    }
    if (target == TARGET_RECT || target == TARGET_SHADOWRECT)
        return rect_sample(t, name, s, at, more);
    level = level_of(t, c);
    if (!level || (g->shadow && target != TARGET_SHADOW1D && target != TARGET_SHADOW2D &&
                   target != TARGET_SHADOWARRAY1D)) {
        tr_refuse(t, t->where, "%s of a %s texture, which %s has not", op_table[t->insn->op].name,
                  target_table[target].text, t->target->name);
        return "";
    }
    return tr_text(t, "%sLod%s(%s, %s, %s%s)", name, offset, s, at, level, more);
}

static const char *fetch(struct tr *t, const struct call *c, const char *s)
{
    const struct target *g = c->target;
    const char *at = tr_operand(t, 0, T_INT, g->components, g->n), *more = c->offset;
    static const uint8_t w = 3;
    bool level = t->insn->texture_target != TARGET_BUFFER && t->insn->texture_target != TARGET_RECT;

    tr_needs_integers(t, t->where, op_table[t->insn->op].name);
    if (t->insn->texture_target == TARGET_2DMS || t->insn->texture_target == TARGET_ARRAY2DMS) {
        if (t->insn->op != OP_TXFMS)
            tr_refuse(t, t->where, "TXF of a texture of samples");
        return tr_text(t, "texelFetch(%s, %s, %s)", s, at, tr_operand(t, 0, T_INT, &w, 1));
    }
    if (t->insn->op == OP_TXFMS)
        tr_refuse(t, t->where, "TXFMS of a texture without samples");
    if (g->shadow || t->insn->texture_target == TARGET_CUBE || t->insn->texture_target == TARGET_ARRAYCUBE)
        tr_refuse(t, t->where, "TXF of a %s texture", target_table[t->insn->texture_target].text);
    if (!level)
        return tr_text(t, "texelFetch%s(%s, %s%s)", *more ? "Offset" : "", s, at, more);
    return tr_text(t, "texelFetch%s(%s, %s, %s%s)", *more ? "Offset" : "", s, at, tr_operand(t, 0, T_INT, &w, 1), more);
}

/* What takes one component of depth is called by its old name where the built-ins are those of the fixed functions: it
 * gives what DEPTH_TEXTURE_MODE says. */
static bool is_old(const struct tr *t, const struct call *c)
{
    const struct insn *insn = t->insn;
    bool stage = t->stage == STAGE_VERTEX || t->stage == STAGE_FRAGMENT;

    return c->target->shadow && c->target->old && tr_has(t, HAS_COMPAT) && !*c->offset && stage &&
           insn->op != OP_TXG && insn->op != OP_TXGO && (t->generation < GEN_NV4 || !tr_has(t, HAS_INTEGERS));
}

static const char *sample(struct tr *t, const struct call *c, const char *s)
{
    const struct target *g = c->target;
    bool old = !tr_has(t, HAS_INTEGERS) || is_old(t, c);
    const char *name = old ? g->old : "texture", *at, *more = c->offset, *bias;
    unsigned target = t->insn->texture_target;
    bool rect = target == TARGET_RECT || target == TARGET_SHADOWRECT;

    switch (t->insn->op) {
    case OP_TEX: case OP_TXB:
        /* Before the fragments there are no derivatives: a bias moves the base level. */
        if (t->insn->op == OP_TXB && t->stage != STAGE_FRAGMENT)
            return with_level(t, c, name, s, old);
        at = coordinates(t, g);
        if (target == TARGET_SHADOWARRAYCUBE) {
            if (t->insn->op == OP_TXB || !c->second)
                tr_refuse(t, t->where, "TXB of a %s texture", target_table[target].text);
            return tr_text(t, "%s(%s, %s, %s)", name, s, at, c->second ? tr_vector(t, c->second, T_FLOAT, 0) : "0.0");
        }
        if (rect)
            return rect_sample(t, name, s, at, more);
        if (t->insn->op == OP_TEX)
            return tr_text(t, "%s%s(%s, %s%s)", name, *more ? "Offset" : "", s, at, more);
        bias = level_of(t, c);
        if (!bias || target == TARGET_SHADOWARRAY2D) {
            tr_refuse(t, t->where, "TXB of a %s texture: w is no bias", target_table[target].text);
            return "";
        }
        return tr_text(t, "%s%s(%s, %s%s, %s)", name, *more ? "Offset" : "", s, at, more, bias);
    case OP_TXP: return projective(t, g, name, s, more);
    case OP_TXL: case OP_TXD: return with_level(t, c, name, s, old);
    case OP_TXF: case OP_TXFMS: return fetch(t, c, s);
    case OP_TXG: case OP_TXGO: return tr_gather(t, c, s);
    default: return NULL;
    }
}

/* ---- the instruction -------------------------------------------------------------------------------------------- */

struct wanted {
    struct call call;
    const uint8_t *components;
    unsigned n;
};

static const char *say(struct tr *t, const char *s, void *user)
{
    const struct wanted *w = user;
    const struct call *c = &w->call;
    char letters[5];

    if (op_is(t->insn->op, K_QUERY))
        return tr_query(t, c, s, w->components, w->n);
    const char *text = sample(t, c, s);
    if (!text)
        return NULL;
    bool vector = (!tr_has(t, HAS_INTEGERS) && c->target->shadow) || is_old(t, c) ||
                  op_is(t->insn->op, K_GATHER);
    if (c->target->shadow && !vector)
        text = tr_text(t, "vec4(vec3(%s), 1.0)", text);
    return w->n == 4 ? text : tr_text(t, "%s.%s", text, tr_letters(w->components, w->n, letters));
}

/* Whether the target is one that the language and the instruction have. */
static bool check(struct tr *t, const struct target *g)
{
    const struct insn *insn = t->insn;
    unsigned target = insn->texture_target;
    bool fetched = target == TARGET_BUFFER || target == TARGET_2DMS || target == TARGET_ARRAY2DMS;

    if (!g->sampler || !tr_has(t, g->needs) || (tr_has(t, IS_ES) && !is_in_es(target)))
        tr_refuse(t, t->where, "a %s texture, which %s has not", target_table[target].text, t->target->name);
    else if (fetched && !op_is(insn->op, K_FETCH | K_QUERY))
        tr_refuse(t, t->where, "%s of a %s texture", op_table[insn->op].name, target_table[target].text);
    else if (fetched && insn->op == OP_LOD)
        tr_refuse(t, t->where, "LOD of a %s texture", target_table[target].text);
    else if (insn->flags & (INSN_SPARSE | INSN_LODCLAMP))
        tr_refuse(t, t->where, "a sparse texture, or a level that is held");
    else
        return true;
    return false;
}

const char *tr_texture(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    const struct target *g = &targets[insn->texture_target];
    bool size = insn->op == OP_TXQ || insn->op == OP_TXQS;
    struct wanted w = {.call = {.target = g}, .components = components, .n = n};
    struct tr_resource r = {.target = insn->texture_target};

    *type = size ? T_INT : tr_type_of(insn->type);
    if (!check(t, g))
        return "";
    if (insn->texture_target == TARGET_RECT || insn->texture_target == TARGET_SHADOWRECT)
        t->needed |= NEED_RECT;
    r.kind = size ? 0 : *type == T_INT ? 'S' : *type == T_UINT ? 'U' : 'F';
    if (g->shadow && r.kind != 'F') {
        tr_refuse(t, t->where, "integers of a texture that is compared");
        return "";
    }
    if (r.kind != 'F')
        tr_needs_integers(t, t->where, "integers of a texture");
    const struct operand *texture = find_operands(t, &w.call);
    if (!texture)
        tr_refuse(t, t->where, "a texture that a variable chooses");
    if (!texture || !tr_find_resource(t, texture, &r))
        return "";
    return tr_each_resource(t, &r, say, &w);
}

void tr_declare_samplers(struct tr *t)
{
    for (size_t i = 0; i < t->samplers.count; i++) {
        const struct tr_sampler *s = vec_at(&t->samplers, i);
        const char *kind = s->kind == 'S' ? "i" : s->kind == 'U' ? "u" : "";
        if (s->image)
            continue;
        if (tr_has(t, HAS_LOCATIONS) && !tr_has(t, HAS_COMPAT))
            tr_printf(&t->declarations, "layout(binding = %u) ", s->point);
        tr_printf(&t->declarations, "uniform %s%s%s %s;\n", tr_has(t, IS_ES) ? "highp " : "", kind,
                  targets[s->target].sampler, s->name);
    }
}
