/* The table of what is known: docs/semantics.md, "What the compiler knows". */
#include "tests/slow/follow.h"

#include <stdlib.h>
#include <string.h>

enum { FLAGS = 8 };     /* both condition codes come first */

bool slow_knowledge_new(struct slow_knowledge *k, const struct slow_program *p)
{
    *k = (struct slow_knowledge){.p = p, .count = FLAGS + p->nregisters * 4, .at = NO_INDEX};
    k->value = calloc(k->count, sizeof *k->value);
    return k->value != NULL;
}

bool slow_knowledge_copy(struct slow_knowledge *to, const struct slow_knowledge *from)
{
    *to = *from;
    to->value = calloc(from->count, sizeof *to->value);
    if (to->value)
        memcpy(to->value, from->value, from->count * sizeof *to->value);
    return to->value != NULL;
}

void slow_knowledge_free(struct slow_knowledge *k)
{
    free(k->value);
    k->value = NULL;
}

void slow_know_nothing(struct slow_knowledge *k)
{
    memset(k->value, 0, k->count * sizeof *k->value);
    memset(k->spent, 0, sizeof k->spent);
    k->near = k->sums = k->wide_sums = k->orders = 0;
}

/* What was learnt before was learnt elsewhere. */
void slow_begin_block(struct slow_knowledge *k)
{
    k->near = 0;
    k->orders &= k->turned_orders[0];
    for (uint32_t i = 0; k->value && i < k->count; i++) {
        k->value[i].elsewhere = true;
        k->value[i].twin = 0;
    }
}

static bool says_same(const struct slow_spoken *a, const struct slow_spoken *b)
{
    bool signs = true;
    for (unsigned i = 0; i < 2; i++)
        signs &= a->sign[i].magnitude == b->sign[i].magnitude && a->sign[i].minus == b->sign[i].minus;
    return signs && a->what == b->what && a->half == b->half && a->changed == b->changed;
}

void slow_know_both(struct slow_knowledge *k, const struct slow_knowledge *other)
{
    k->sums &= other->sums;
    k->wide_sums &= other->wide_sums;
    k->orders &= other->orders;
    for (unsigned i = 0; i < 2; i++)
        k->turned_orders[i] &= other->turned_orders[i];
    for (unsigned rule = 0; rule < 4; rule++)
        k->spent[rule] |= other->spent[rule];
    for (uint32_t i = 0; i < k->count; i++) {
        struct slow_known *a = &k->value[i];
        const struct slow_known *b = &other->value[i];
        a->known &= b->known && a->bits == b->bits && a->type == b->type;
        a->widened &= b->widened && a->bits == b->bits;
        a->type = a->type == b->type ? a->type : DT_NONE;
        a->may_overflow |= b->may_overflow;
        a->computed &= b->computed;
        a->elsewhere |= b->elsewhere;
        a->passes &= b->passes;
        a->copy = a->copy == b->copy ? a->copy : 0;
        a->twin = 0;
        a->minus = a->minus == b->minus && a->definition == b->definition ? a->minus : 0;
        a->outside = a->outside == b->outside ? a->outside : 0;
        a->look = a->definition == b->definition ? a->look : (struct slow_look){0};
        a->definition = a->definition == b->definition ? a->definition : 0;     /* nor is it one where this meets either of them again */
        a->said = says_same(&a->said, &b->said) ? a->said : (struct slow_spoken){0};
        a->loose = a->known && (a->loose || b->loose);
        a->faint = a->known && (a->faint || b->faint);
        a->narrow = a->known && (a->narrow || b->narrow);
        a->nothing &= b->nothing;
        a->one &= b->one;
    }
}

/* ---- what is followed --------------------------------------------------------------------------------------------------------- */

/* The place of a register's component, or NULL: arrays and SHORT variables are not followed. */
struct slow_known *slow_of_register(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(k->p->text, ref) : NULL;
    if (!s || s->kind != SYM_TEMP || s->array || s->size == SIZE_SHORT)
        return NULL;
    return &k->value[FLAGS + k->p->first[ref] * 4 + c];
}

struct slow_known *slow_of_any(const struct slow_knowledge *k, uint32_t ref, unsigned c)
{
    return &k->value[FLAGS + k->p->first[ref] * 4 + c];
}

static struct slow_known *written_one(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_known *v = slow_of_short(k, insn->dst.kind, insn->dst.ref, c);
    return v ? v : slow_of_register(k, insn->dst.kind, insn->dst.ref, c);
}

struct slow_known *slow_of_flags(const struct slow_knowledge *k, unsigned cc, unsigned c)
{
    return &k->value[(cc & 1) * 4 + c];
}

void slow_unknow(struct slow_knowledge *k, const struct insn *insn, unsigned kept)
{
    uint8_t written = insn->dst.kind == OPND_NONE || insn->dst.condition.rule == CC_FL ? 0 : slow_written(k->p, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = written_one(k, insn, c);
        if (!((written & ~kept) >> c & 1))
            continue;
        if (v)
            *v = (struct slow_known){0};
        if (insn->cc_update) {
            struct slow_known *f = slow_of_flags(k, insn->cc_update - 1u, c);
            *f = (struct slow_known){.passes = f->passes & slow_carryless(k->p, insn)};
        }
    }
}

void slow_take_known(struct slow_knowledge *k, const struct slow_knowledge *from, const struct insn *insn)
{
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(k->p, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = written_one(k, insn, c);
        if (v && written >> c & 1) {
            *v = *written_one(from, insn, c);
            v->outside = 0;
            v->elsewhere = true;
            v->twin = 0;
        }
        if (written >> c & 1 && insn->cc_update)
            *slow_of_flags(k, insn->cc_update - 1u, c) = *slow_of_flags(from, insn->cc_update - 1u, c);
    }
}

static uint32_t size_of_group(const struct gp5_program *p, unsigned c)
{
    return p->group_size[c] ? p->group_size[c] : 1;
}

/* A parameter, or an element of an array of them, that is a constant; a size of the group that the text says. */
static bool is_constant(const struct gp5_program *p, const struct operand *o, unsigned c, unsigned type)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(p, o->index) : NULL;
    const struct binding *b = NULL;
    int64_t at = index ? index->offset : 0;
    if (slow_bytes(type) != 4 || o->nindices > 1 || at < 0 || (index && index->mode == INDEX_RELATIVE))
        return false;
    if (o->kind == OPND_BINDING)
        b = program_binding(p, o->ref);
    if (s && s->kind == SYM_PARAM && s->size == SIZE_DEFAULT && s->array == (index != NULL))
        for (uint32_t i = 0; i < s->nbindings && !b; i++) {
            const struct binding *x = program_binding(p, s->binding + i);
            unsigned last = x->nindices ? x->nindices - 1u : 0;
            int64_t n = x->nindices && x->range[last] ? (int64_t)x->last[last] - x->first[last] + 1 : 1;
            if (at < n)
                b = x;
            at -= n;
        }
    if (b && b->kind == BIND_INVOCATION_GROUPSIZE)
        return p->has_group_size && (o->swizzle >> 2 * c & 3) < 3;
    return b && s && b->kind == BIND_CONSTANT;
}

/* The compiler puts signs on NaNs of doubles, too. */
uint64_t slow_signed_double(const struct operand *o, uint64_t bits)
{
    const uint64_t top = 1ull << 63;
    bits ^= o->flags & OPND_NEGATE_INNER ? top : 0;
    bits &= o->flags & OPND_ABSOLUTE ? ~top : UINT64_MAX;
    return o->flags & OPND_NEGATE ? bits ^ top : bits;
}

bool slow_known_operand(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *out)
{
    const struct gp5_program *p = k->p->text;
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct slow_known *v;
    *out = (struct slow_known){0};
    if (o->kind == OPND_CONSTANT || is_constant(p, o, c, type)) {
        static const struct slow_launch nowhere = {.groups = {1, 1, 1}};
        struct slow_group group = {.program = k->p, .launch = &nowhere,
                                   .size = {size_of_group(p, 0), size_of_group(p, 1), size_of_group(p, 2)}};
        struct slow_lane lane = {.group = &group};
        struct slow_value all[4];
        struct operand plain = *o;
        plain.flags &= type == DT_F64 ? (uint16_t)~OPND_SIGNS : UINT16_MAX;
        out->known = slow_fetch(&lane, &plain, type, all);
        out->bits = type == DT_F64 ? slow_signed_double(o, all[c].bits) : all[c].bits;
        return out->known;
    }
    if (slow_of_short(k, o->kind, o->ref, 0))
        return slow_known_short(k, o, o->swizzle >> 2 * c & 3, type, out);
    v = o->nindices ? NULL : slow_of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
    if (!v || (s->size == SIZE_LONG) < (slow_bytes(type) == 8))
        return false;
    if (s->size == SIZE_LONG && slow_bytes(type) == 4 && slow_is_float(type) && v->bits << 1)   /* of doubles, zeros alone */
        return false;
    if (slow_is_read_as_one(k, o, c, type)) {
        *out = (struct slow_known){.known = true, .elsewhere = v->elsewhere, .bits = slow_sign(k->p, type, o->flags, 0x3f800000)};
        return true;
    }
    *out = *v;
    if (slow_bytes(type) == 4)      /* the lower word of a LONG variable */
        out->bits = (uint32_t)out->bits;
    out->bits = type == DT_F64 ? slow_signed_double(o, out->bits) : slow_sign(k->p, type, o->flags, out->bits);
    return out->known;
}

/* The number of a parameter of the environment or the program, above its kind; 0: it is none. */
static uint64_t parameter(const struct gp5_program *p, const struct operand *o)
{
    const struct binding *b = o->kind == OPND_BINDING ? program_binding(p, o->ref) : NULL;
    if (o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_PARAM && !program_symbol(p, o->ref)->array && program_symbol(p, o->ref)->nbindings == 1)
        b = program_binding(p, program_symbol(p, o->ref)->binding);
    if (!b || o->nindices || b->nindices != 1 || b->relative || (b->kind != BIND_PROGRAM_ENV && b->kind != BIND_PROGRAM_LOCAL))
        return 0;
    return (uint64_t)b->kind << 32 | b->first[0];
}

/* The same indices, in the same words. */
static bool same_element(const struct gp5_program *p, const struct operand *a, const struct operand *b)
{
    for (unsigned n = 0; a->nindices == b->nindices && n < a->nindices; n++) {
        const struct index *x = program_index(p, a->index + n), *y = program_index(p, b->index + n);
        bool register_too = x->mode != INDEX_RELATIVE || (!x->element.used && !y->element.used && x->register_kind == y->register_kind &&
                                                          x->reg == y->reg && x->component == y->component);
        if (x->mode != y->mode || x->offset != y->offset || !register_too)
            return false;
    }
    return a->nindices == b->nindices;
}

const struct slow_known *slow_held(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    return o->nindices || !k->value ? NULL : slow_of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
}

bool slow_in_same_words(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    uint64_t x = parameter(k->p->text, a), y = parameter(k->p->text, b);
    bool same = x && y ? x == y : a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref && same_element(k->p->text, a, b);
    return same && a->flags == b->flags && (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3);
}

static const struct slow_known *held_anywhere(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    const struct slow_known *v = slow_held(k, o, c);
    return v || o->nindices || !k->value ? v : slow_of_short(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
}

bool slow_alike(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    const struct slow_known *va = held_anywhere(k, a, ca), *vb = held_anywhere(k, b, cb);
    bool floats = k->now && k->now->type == DT_F32 && !(k->now->flags & INSN_PREC);
    bool shorts = slow_of_short(k, a->kind, a->ref, 0) || slow_of_short(k, b->kind, b->ref, 0);
    return slow_in_same_words(k, a, b, ca, cb) || (a->flags == b->flags && va && vb && va->copy && va->copy == vb->copy && (!shorts || floats));
}
