/* Textures whose four texels are taken as they are, and questions about textures. */
#include "translate/texture.h"

static const struct operand *texture_of(const struct tr *t)
{
    for (unsigned k = 0; k < t->insn->nsrc; k++) {
        const struct operand *o = program_operand(t->p, t->insn->src + k);
        if (o->kind == OPND_TEXTURE || o->kind == OPND_HANDLE)
            return o;
    }
    return NULL;
}

/* The letter behind the texture. */
static unsigned component_of(const struct operand *o)
{
    if (o->kind == OPND_HANDLE)
        return operand_selector(o, 0) && operand_selector(o, 0) <= 4 ? operand_selector(o, 0) - 1u : 0;
    return o->nswizzle == 1 ? o->swizzle & 3 : 0;
}

static const char *last_argument(struct tr *t, const struct call *c)
{
    unsigned target = t->insn->texture_target;

    if (target == TARGET_SHADOWARRAYCUBE)
        return c->second ? tr_vector(t, c->second, T_FLOAT, 0) : "0.0";
    if (!c->target->shadow)
        return NULL;
    uint8_t reference = c->target->components[c->target->n - 1];
    return tr_operand(t, 0, T_FLOAT, &reference, 1);
}

/* Coordinates without what depth is compared with. */
static const char *place(struct tr *t, const struct call *c)
{
    unsigned n = c->target->n - (c->target->shadow && t->insn->texture_target != TARGET_SHADOWARRAYCUBE ? 1 : 0);

    return tr_operand(t, 0, T_FLOAT, c->target->components, n);
}

/* Of each offset the texel that a filter would have first there. */
static const char *gather_each(struct tr *t, const struct call *c, const char *s, const char *reference)
{
    const char *parts[4], *at = place(t, c);
    unsigned component = component_of(texture_of(t));

    for (uint8_t i = 0; i < 4; i++) {
        const char *offset =
            tr_text(t, "ivec2(%s, %s)", tr_operand(t, 1, T_INT, &i, 1), tr_operand(t, 2, T_INT, &i, 1));
        parts[i] = reference ? tr_text(t, "textureGatherOffset(%s, %s, %s, %s).w", s, at, reference, offset)
                             : tr_text(t, "textureGatherOffset(%s, %s, %s, %u).w", s, at, offset, component);
    }
    return tr_join(t, tr_type_of(t->insn->type), parts, 4);
}

const char *tr_gather(struct tr *t, const struct call *c, const char *s)
{
    unsigned target = t->insn->texture_target, component = component_of(texture_of(t));
    bool cube = target == TARGET_CUBE || target == TARGET_SHADOWCUBE || target == TARGET_ARRAYCUBE ||
                target == TARGET_SHADOWARRAYCUBE;
    bool flat = target == TARGET_2D || target == TARGET_RECT || target == TARGET_ARRAY2D || target == TARGET_SHADOW2D ||
                target == TARGET_SHADOWRECT || target == TARGET_SHADOWARRAY2D;
    const char *reference = last_argument(t, c);

    if (!tr_has(t, HAS_GPU5) || (!cube && !flat)) {
        tr_refuse(t, t->where, "%s of a %s texture, which %s has not", op_table[t->insn->op].name,
                  target_table[target].text, t->target->name);
        return "vec4(0.0)";
    }
    if (t->insn->op == OP_TXGO) {
        if (cube)
            tr_refuse(t, t->where, "TXGO of a %s texture", target_table[target].text);
        return gather_each(t, c, s, reference);
    }
    if (*c->offset && cube)
        tr_refuse(t, t->where, "an offset of texels of a cube");
    const char *name = *c->offset ? "textureGatherOffset" : "textureGather";
    if (reference)
        return tr_text(t, "%s(%s, %s, %s%s)", name, s, place(t, c), reference, c->offset);
    return tr_text(t, "%s(%s, %s%s, %u)", name, s, place(t, c), c->offset, component);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

/* The level that would be taken, and the one that was computed. */
static const char *level(struct tr *t, const struct call *c, const char *s, const uint8_t *components, unsigned n)
{
    unsigned dimensions = c->target->gradient;
    const char *parts[4];

    if (!tr_has(t, HAS_GPU5) || t->stage != STAGE_FRAGMENT)
        tr_refuse(t, t->where, "LOD, which %s has not here", t->target->name);
    if (t->insn->texture_target == TARGET_RECT || t->insn->texture_target == TARGET_SHADOWRECT)
        tr_refuse(t, t->where, "LOD of a %s texture", target_table[t->insn->texture_target].text);
    const char *all =
        tr_text(t, "textureQueryLod(%s, %s)", s, tr_operand(t, 0, T_FLOAT, c->target->components, dimensions));
    for (unsigned i = 0; i < n; i++)
        parts[i] = components[i] < 2    ? tr_text(t, "%s.%c", all, "xy"[components[i]])
                   : components[i] == 2 ? "0.0"
                                        : "1.0";
    return tr_join(t, T_FLOAT, parts, n);
}

static bool has_levels(unsigned target)
{
    return target != TARGET_RECT && target != TARGET_SHADOWRECT && target != TARGET_BUFFER && target != TARGET_2DMS &&
           target != TARGET_ARRAY2DMS;
}

static unsigned dimensions_of(unsigned target, const struct target *g)
{
    switch (target) {
    case TARGET_CUBE:
    case TARGET_SHADOWCUBE:
        return 2;
    case TARGET_ARRAYCUBE:
    case TARGET_SHADOWARRAYCUBE:
        return 3;
    case TARGET_ARRAY1D:
    case TARGET_ARRAY2D:
    case TARGET_SHADOWARRAY1D:
    case TARGET_SHADOWARRAY2D:
    case TARGET_ARRAY2DMS:
        return g->gradient + 1u;
    default:
        return g->gradient;
    }
}

/* The size of a level, and how many levels there are. */
static const char *size(struct tr *t, const struct call *c, const char *s, const uint8_t *components, unsigned n)
{
    static const uint8_t x = 0;
    const char *parts[4], *number = tr_operand(t, 0, T_INT, &x, 1);
    unsigned target = t->insn->texture_target, dimensions = dimensions_of(target, c->target);
    bool levels = has_levels(target);

    tr_needs_integers(t, t->where, "TXQ");
    for (unsigned i = 0; i < n; i++) {
        const char *all = tr_text(t, "textureSize(%s%s%s)", s, levels ? ", " : "", levels ? number : "");
        if (components[i] == 3 && !tr_has(t, HAS_GPU5))
            tr_refuse(t, t->where, "TXQ of how many levels there are, which %s cannot say", t->target->name);
        parts[i] = components[i] < dimensions ? dimensions == 1 ? all : tr_text(t, "%s.%c", all, "xyz"[components[i]])
                   : components[i] == 3 ? levels ? tr_text(t, "textureQueryLevels(%s)", s) : "1"
                                              : "0";
    }
    return tr_join(t, T_INT, parts, n);
}

static const char *samples(struct tr *t, const char *s, const uint8_t *components, unsigned n)
{
    const char *parts[4];

    if (!tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "TXQS, which %s has not", t->target->name);
    if (t->insn->texture_target != TARGET_2DMS && t->insn->texture_target != TARGET_ARRAY2DMS)
        tr_refuse(t, t->where, "TXQS of a texture without samples");
    for (unsigned i = 0; i < n; i++)
        parts[i] = components[i] == 0 ? tr_text(t, "textureSamples(%s)", s) : "0";
    return tr_join(t, T_INT, parts, n);
}

const char *tr_query(struct tr *t, const struct call *c, const char *s, const uint8_t *components, unsigned n)
{
    return t->insn->op == OP_LOD    ? level(t, c, s, components, n)
           : t->insn->op == OP_TXQS ? samples(t, s, components, n)
                                    : size(t, c, s, components, n);
}
