/* Look-ups in tables that a run makes again: of what was looked up before, in the same table, the result is kept in a
 * spare plane, and what only the second one reads is dead. By value numbering: planes whose numbers are the same hold
 * the same values. */
#include "eval/jit/jit_internal.h"

enum { TABLE_SIZE = 2048 };

/* An expression that has a number: an operation, or one with an operand more. Of three of the same hash the one that
 * was asked for longest ago is forgotten, and numbered anew. */
struct native_numbered {
    uint32_t left, next;        /* the number of what stands before the last operand, and that; 0 and the operation */
    uint32_t number;
    uint32_t looked_up;         /* 1 + the step that did */
};

bool eval_native_make_numbers(struct native_builder *b)
{
    uint32_t planes = b->x->nplanes + NATIVE_SPARES + 2;

    if (b->numbered)
        return !b->arena.failed;
    b->number = arena_alloc(&b->arena, planes * sizeof *b->number);
    b->numbered = arena_alloc(&b->arena, TABLE_SIZE * sizeof *b->numbered);
    return !b->arena.failed;
}

/* Numbers up to `known` are of runs before this one. */
static uint32_t number_of(struct native_builder *b, uint32_t plane, uint32_t known)
{
    if (b->number[plane] <= known)
        b->number[plane] = ++b->numbers;
    return b->number[plane];
}

static bool is_numbered(const struct native_numbered *e, uint32_t left, uint32_t next, uint32_t known)
{
    return e->left == left && e->next == next && e->number > known;
}

static struct native_numbered *numbered(struct native_builder *b, uint32_t left, uint32_t next, uint32_t known)
{
    struct native_numbered *e = &b->numbered[((left * 31 + next) * 0x9e3779b1u) >> 22 << 1];

    if (!is_numbered(e, left, next, known)) {
        struct native_numbered first = e[1];
        if (!is_numbered(&first, left, next, known))
            first = (struct native_numbered){left, next, ++b->numbers, 0};
        e[1] = e[0];
        e[0] = first;
    }
    return e;
}

/* Component i of an operation. */
static struct native_numbered *expression(struct native_builder *b, const struct step *s,
                                          const struct native_shape *shape, unsigned i, uint32_t known)
{
    uint32_t how = (uint32_t)shape->way << 8 | s->mode;
    struct native_numbered *e;

    for (unsigned k = 0; k < shape->nsrc; k++)
        how = how << 2 | (s->op->clear[k] ? 2 : 0) | (s->op->flip[k] ? 1 : 0);
    e = numbered(b, 0, how, known);
    for (unsigned k = 0; k < shape->nsrc; k++) {
        bool first = shape->table && !(shape->quotient && k == 0);
        for (unsigned n = 0; n < (shape->terms ? 4u : 1u); n++)
            if (!shape->terms || n < shape->terms || (k && n == shape->last))
                e = numbered(b, e->number, number_of(b, s->op->src[k][shape->terms ? n : first ? 0 : i], known), known);
    }
    return e;
}

static bool renew(void *user, uint32_t plane, bool wide, bool written)
{
    struct native_builder *b = user;

    for (unsigned high = 0; written && high <= wide; high++)
        b->number[plane + high] = ++b->numbers;
    return false;
}

static void number_copies(struct native_builder *b, const struct write *out, uint32_t known)
{
    uint32_t from[4];

    for (unsigned i = 0; i < out->n; i++)
        from[i] = number_of(b, out->from[i], known);
    for (unsigned i = 0; i < out->n; i++)
        b->number[out->to[i]] = from[i];
}

static bool drop(void *user, uint32_t plane, bool wide, bool written)
{
    struct native_builder *b = user;

    (void)wide;
    if (!written)
        eval_native_drop_read(&b->uses, plane, b->at);
    return false;
}

/* The look-up at hand: what one before it kept, if there is one. */
static void look_up(struct native_builder *b, struct native_numbered *e, uint32_t *spare)
{
    uint8_t *kept = e->looked_up ? &b->reuse[e->looked_up - 1] : NULL;

    if (!kept || (!*kept && *spare == NATIVE_SPARES)) {
        e->looked_up = b->at + 1;
        return;
    }
    if (!*kept)
        *kept = (uint8_t)(*spare)++;
    b->reuse[b->at] = *kept | NATIVE_REUSED;
    eval_native_planes(b, &b->x->steps[b->at], drop, b);
}

void eval_native_find_reuse(struct native_builder *b)
{
    uint32_t spare = NATIVE_KEPT, known = b->numbers;

    for (b->at = b->first; b->at < b->end; b->at++) {
        const struct step *s = &b->x->steps[b->at];
        const struct native_shape *shape = eval_native_shape_of(b, s);
        uint32_t number[4];
        if (s->quick == STEP_NOTHING)
            continue;
        if (s->kind == STEP_WRITE && !b->x->writes[s->ref].wide) {
            number_copies(b, &b->x->writes[s->ref], known);
            continue;
        }
        if (!shape->way || shape->kind || shape->wide) {
            eval_native_planes(b, s, renew, b);
            continue;
        }
        for (unsigned i = 0; i < s->op->n; i++) {
            struct native_numbered *e = expression(b, s, shape, i, known);
            if (i == 0 && shape->table && !shape->quotient)
                look_up(b, e, &spare);
            number[i] = e->number;
        }
        for (unsigned i = 0; i < s->op->n; i++)
            b->number[s->op->dst[i]] = number[i];
    }
    if (spare > b->spares)
        b->spares = spare;
}
