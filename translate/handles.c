/* Textures and images: units, elements of arrays of them, and handles. A handle is followed back to the parameter that
 * a PK64 made it of: what the application would have put there is a sampler or an image of the translation. */
#include "translate/translate.h"

#include <string.h>

enum { MOST_UNITS = 80 }; /* gl_MaxCombinedTextureImageUnits, at least */

/* ---- handles ---------------------------------------------------------------------------------------------------- */

static const struct operand *handle_operand(const struct tr *t, const struct insn *insn)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(t->p, insn->src + k);
        if (o->kind == OPND_HANDLE)
            return o;
    }
    return NULL;
}

static bool writes(const struct insn *insn, uint32_t symbol, uint8_t component)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.mask >> component & 1;
}

/* Whether two packings are of the same parameter, which no index chooses. */
static bool same(const struct tr *t, const struct insn *a, const struct insn *b)
{
    const struct operand *x = program_operand(t->p, a->src), *y = program_operand(t->p, b->src);

    if (a->op != OP_PK64 || b->op != OP_PK64 || x->kind != y->kind || x->ref != y->ref || x->nindices != y->nindices ||
        x->swizzle != y->swizzle)
        return false;
    for (unsigned i = 0; i < x->nindices; i++) {
        const struct index *p = program_index(t->p, x->index + i), *q = program_index(t->p, y->index + i);
        if (p->mode != INDEX_CONSTANT || q->mode != INDEX_CONSTANT || p->offset != q->offset)
            return false;
    }
    return true;
}

static bool begins_block(const struct tr *t, uint32_t insn)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction == insn)
            return true;
    }
    return false;
}

/* The instruction that gave the component its value, or NO_INDEX: the last one of the block, or one of several that
 * all give the same. */
static uint32_t definition(const struct tr *t, uint32_t use, uint32_t symbol, uint8_t component)
{
    uint32_t found = NO_INDEX;

    for (uint32_t i = use; i-- > 0;) {
        const struct insn *insn = program_insn(t->p, i);
        if (begins_block(t, i + 1) || op_is(insn->op, K_FLOW))
            break;
        if (writes(insn, symbol, component))
            return condition_restricts(&insn->dst.condition) ? NO_INDEX : i;
    }
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (!writes(insn, symbol, component))
            continue;
        if (found != NO_INDEX && !same(t, program_insn(t->p, found), insn))
            return NO_INDEX;
        if (found == NO_INDEX && !same(t, insn, insn))
            return NO_INDEX;
        found = i;
    }
    return found;
}

/* The parameter that a component of an instruction's operand is of. */
static bool parameter(struct tr *t, const struct operand *o, uint8_t half, struct tr_handle *h)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(t->p, o->ref) : NULL;
    const struct index *index = o->nindices == 1 ? program_index(t->p, o->index) : NULL;
    uint8_t low = o->swizzle >> 4 * half & 3, high = o->swizzle >> (4 * half + 2) & 3;

    if (!s || s->kind != SYM_PARAM || operand_has_sign(o) || o->nindices > 1 || high != low + 1 || low & 1)
        return false;
    h->symbol = o->ref;
    h->half = low >> 1;
    h->element = index ? (uint32_t)index->offset : 0;
    h->chosen = index && index->mode == INDEX_RELATIVE ? t->chosen++ : NO_INDEX;
    return true;
}

bool tr_find_handles(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->insns.count; i++) {
        const struct insn *insn = program_insn(t->p, i);
        const struct operand *o = handle_operand(t, insn);
        struct tr_handle h = {.insn = i};
        if (!o)
            continue;
        uint8_t component = o->swizzle & 3;
        uint32_t def = o->flags & OPND_EXTERNAL ? NO_INDEX : definition(t, i, o->ref, component);
        const struct insn *made = def == NO_INDEX ? NULL : program_insn(t->p, def);
        if (!made || made->op != OP_PK64 || !parameter(t, program_operand(t->p, made->src), component & 1, &h)) {
            tr_refuse(t, o->span, "a handle that is not at once a parameter's, which %s has not", t->target->name);
            return false;
        }
        h.made = def;
        size_t at = vec_grow(&t->handles);
        if (at == SIZE_MAX) {
            t->arena.failed = true;
            return false;
        }
        *(struct tr_handle *)vec_at(&t->handles, at) = h;
        /* What the same packing chooses is the same index. */
        for (size_t k = 0; k < at; k++) {
            struct tr_handle *before = vec_at(&t->handles, k), *self = vec_at(&t->handles, at);
            if (before->made == def && before->chosen != NO_INDEX && self->chosen != NO_INDEX) {
                self->chosen = before->chosen;
                break;
            }
        }
    }
    return true;
}

void tr_keep_index(struct tr *t, const struct insn *insn)
{
    uint32_t i = (uint32_t)(insn - program_insn(t->p, 0)), kept = NO_INDEX;

    for (size_t k = 0; k < t->handles.count; k++) {
        const struct tr_handle *h = vec_at(&t->handles, k);
        if (h->made != i || h->chosen == NO_INDEX || h->chosen == kept)
            continue;
        const struct operand *o = program_operand(t->p, insn->src);
        kept = h->chosen;
        tr_line(t, "gp5_chosen%u = %s;", kept, tr_index(t, program_index(t->p, o->index), 0));
    }
}

void tr_declare_handles(struct tr *t)
{
    for (uint32_t i = 0; i < t->chosen; i++)
        tr_printf(&t->variables, "int gp5_chosen%u = 0;\n", i);
}

static const struct tr_handle *handle_of(const struct tr *t, const struct insn *insn)
{
    uint32_t i = (uint32_t)(insn - program_insn(t->p, 0));

    for (size_t k = 0; k < t->handles.count; k++) {
        const struct tr_handle *h = vec_at(&t->handles, k);
        if (h->insn == i)
            return h;
    }
    return NULL;
}

/* ---- samplers and images ---------------------------------------------------------------------------------------- */

static bool is_same(const struct tr_sampler *s, const struct tr_resource *r, uint32_t unit)
{
    return s->unit == unit && s->handle == r->handle && s->image == r->image;
}

/* The one of a unit or a handle, made when it is new. Of an image what is stored only needs no format. */
struct tr_sampler *tr_sampler(struct tr *t, const struct tr_resource *r, uint32_t unit)
{
    unsigned others = 0;

    for (size_t i = 0; i < t->samplers.count; i++) {
        struct tr_sampler *s = vec_at(&t->samplers, i);
        if (!is_same(s, r, unit))
            continue;
        if (s->target == r->target && (!r->kind || s->kind == r->kind) &&
            (!r->format || !s->format || !strcmp(r->format, s->format)))
            return s;
        others++;
    }
    if (others && r->image && !r->handle)
        tr_refuse(t, t->where, "image[%u] in two formats or as two targets, which %s has not", unit, t->target->name);
    size_t at = vec_grow(&t->samplers);
    const char *name = tr_text(t, "%s%s%s%u", t->own_prefix, r->image ? "image" : "texture", r->handle ? "_local" : "",
                               r->handle ? unit / 2 : unit);
    if (r->handle && unit % 2)
        name = tr_text(t, "%szw", name);
    if (others)
        name = tr_text(t, "%s_%u", name, others + 1);
    name = arena_copy(&t->arena, name, strlen(name));
    if (at == SIZE_MAX || !name) {
        t->arena.failed = true;
        return NULL;
    }
    struct tr_sampler *s = vec_at(&t->samplers, at);
    *s = (struct tr_sampler){.unit = unit,
                             .target = r->target,
                             .kind = r->kind ? r->kind : 'F',
                             .name = name,
                             .image = r->image,
                             .handle = r->handle};
    return s;
}

/* Whether an element of a variable is a handle of something else than what is asked for. */
static bool is_other(const struct tr *t, const struct tr_handle *h, uint32_t element, const struct insn *insn)
{
    for (size_t i = 0; i < t->handles.count; i++) {
        const struct tr_handle *other = vec_at(&t->handles, i);
        const struct insn *user = program_insn(t->p, other->insn);
        if (other->chosen != NO_INDEX || other->symbol != h->symbol || other->element != element)
            continue;
        bool image = op_is(insn->op, K_IMAGE);
        if (op_is(user->op, K_IMAGE) != image || user->texture_target != insn->texture_target ||
            (!image && tr_type_of(user->type) != tr_type_of(insn->type)))
            return true;
    }
    return false;
}

static bool of_handle(struct tr *t, const struct operand *o, struct tr_resource *r)
{
    const struct tr_handle *h = handle_of(t, t->insn);
    const struct symbol *s = h ? program_symbol(t->p, h->symbol) : NULL;
    uint32_t last = s && h->chosen != NO_INDEX ? (s->elements ? s->elements : 1) - 1 : h ? h->element : 0;

    r->handle = true;
    r->at = h && h->chosen != NO_INDEX ? tr_text(t, "gp5_chosen%u", h->chosen) : NULL;
    for (uint32_t e = h ? h->element : 1; h && e <= last; e++) {
        uint32_t at;
        const struct binding *b = tr_element(t, s, e, &at);
        if (r->at && is_other(t, h, e, t->insn))
            continue;
        if (!b || b->kind != BIND_PROGRAM_LOCAL || r->n == MOST_CHOICES) {
            if (r->at && r->n)
                break;
            tr_refuse(t, o->span, "a handle that is no local parameter's");
            return false;
        }
        r->number[r->n] = e - h->element;
        r->unit[r->n++] = 2 * (b->first[0] + at) + h->half;
    }
    if (!r->n)
        tr_refuse(t, o->span, "a handle of none that there is");
    return r->n > 0;
}

/* All units of a variable, of which an index chooses one. */
static bool of_variable(struct tr *t, const struct operand *o, struct tr_resource *r)
{
    const struct symbol *s = program_symbol(t->p, o->ref);
    const struct index *index = o->nindices ? program_index(t->p, o->index + o->nindices - 1u) : NULL;
    uint32_t at, e = 0;
    const struct binding *b;

    if (!index || index->mode != INDEX_RELATIVE) {
        b = tr_element(t, s, index ? (uint32_t)index->offset : 0, &at);
        if (!b) {
            tr_refuse(t, o->span, "an element that %s has not", s->name);
            return false;
        }
        r->unit[r->n++] = (b->nindices ? b->first[0] : 0) + at;
        return true;
    }
    if (!tr_has(t, HAS_INTEGERS)) {
        tr_refuse(t, o->span, "a texture that an index chooses, which %s has not", t->target->name);
        return false;
    }
    r->at = tr_index(t, index, 0);
    while ((b = tr_element(t, s, e, &at)) != NULL && r->n < MOST_CHOICES) {
        r->number[r->n] = e++;
        r->unit[r->n++] = (b->nindices ? b->first[0] : 0) + at;
    }
    if (b || !r->n)
        tr_refuse(t, o->span, "an index among more than %d textures", MOST_CHOICES);
    return r->n > 0;
}

const char *tr_resource_binding(struct tr *t, bool image, bool handle, uint32_t unit)
{
    return handle ? tr_text(t, "program.local[%u].%s", unit / 2, unit % 2 ? "zw" : "xy")
                  : tr_text(t, "%s[%u]", image ? "image" : "texture", unit);
}

bool tr_find_resource(struct tr *t, const struct operand *o, struct tr_resource *r)
{
    bool found = true;

    if (o->kind == OPND_HANDLE) {
        found = of_handle(t, o, r);
    } else if (o->flags & OPND_BY_NAME) {
        found = of_variable(t, o, r);
    } else {
        const struct binding *b = program_binding(t->p, o->ref);
        if (b->relative) {
            tr_refuse(t, o->span, "a texture that is chosen by a computed index");
            return false;
        }
        r->unit[r->n++] = b->nindices ? b->first[0] : 0;
    }
    return found;
}

const char *tr_each_resource(struct tr *t, const struct tr_resource *r,
                             const char *(*say)(struct tr *, const char *, void *), void *user)
{
    const char *text = "";

    for (unsigned i = 0; i < r->n; i++) {
        struct tr_sampler *s = tr_sampler(t, r, r->unit[i]);
        const char *one = s ? say(t, s->name, user) : NULL;
        if (!one)
            return NULL;
        if (!r->at)
            return one;
        text = i + 1 < r->n ? tr_text(t, "%s%s == %u ? %s : ", text, r->at, r->number[i], one)
                            : tr_text(t, "%s%s", text, one);
    }
    return tr_text(t, "(%s)", text);
}

static bool has_own_unit(const struct tr_sampler *s)
{
    return !s->handle && s->unit < MOST_UNITS;
}

/* What handles name has no unit of its own, and there may be none so high: it gets those that are left. */
void tr_place_resources(struct tr *t)
{
    for (unsigned image = 0; image < 2; image++) {
        uint64_t taken[2] = {0, 0};
        uint32_t next = 0;
        for (size_t i = 0; i < t->samplers.count; i++) {
            struct tr_sampler *s = vec_at(&t->samplers, i);
            if (s->image == image && has_own_unit(s)) {
                s->point = s->unit;
                taken[s->unit / 64] |= UINT64_C(1) << s->unit % 64;
            }
        }
        for (size_t i = 0; i < t->samplers.count; i++) {
            struct tr_sampler *s = vec_at(&t->samplers, i);
            if (s->image != image || has_own_unit(s))
                continue;
            while (next < MOST_UNITS && taken[next / 64] >> next % 64 & 1)
                next++;
            s->point = next++;
            if (s->point >= MOST_UNITS)
                tr_refuse(t, t->where, "more textures than the %d units that there are for sure", MOST_UNITS);
        }
    }
}
