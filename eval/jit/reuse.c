/* Look-ups in tables that a run makes again: of what was looked up before, in the same table, the result is kept in a
 * spare plane, and what only the second one reads is dead. */
#include "eval/jit/jit_internal.h"

enum { MOST_EARLIER = 6, MOST_COMPARED = 16 };

struct comparing {
    struct native_builder *b;
    unsigned left;              /* so many steps are still looked at */
};

static bool is_op(const struct gp5_executable *x, uint32_t i)
{
    return x->steps[i].quick != STEP_NOTHING && (x->steps[i].kind == STEP_LANE || x->steps[i].kind == STEP_RAW);
}

/* The step of the run that wrote what step `at` finds in a plane, through copies; or NO_STEP. */
static uint32_t writer(const struct native_builder *b, uint32_t *plane, uint32_t at)
{
    for (;;) {
        uint32_t i = eval_native_last_write(&b->uses, *plane, at);
        if (i == NO_STEP || i < b->first)
            return NO_STEP;
        if (b->x->steps[i].kind != STEP_WRITE)
            return i;
        const struct write *out = &b->x->writes[b->x->steps[i].ref];
        unsigned k = 0;
        while (k < out->n && out->to[k] != *plane)
            k++;
        if (k == out->n || out->wide)
            return i;
        *plane = out->from[k];
        at = i;
    }
}

static bool same_op(struct comparing *c, uint32_t i, unsigned a, uint32_t j, unsigned d);

static bool same_value(struct comparing *c, uint32_t p, uint32_t i, uint32_t q, uint32_t j)
{
    const struct gp5_executable *x = c->b->x;
    unsigned a = 0, d = 0;

    i = writer(c->b, &p, i);
    j = writer(c->b, &q, j);
    if (i == j || i == NO_STEP || j == NO_STEP)
        return i == j && p == q;
    if (!is_op(x, i) || !is_op(x, j))
        return false;
    while (a < x->steps[i].op->n && x->steps[i].op->dst[a] != p)
        a++;
    while (d < x->steps[j].op->n && x->steps[j].op->dst[d] != q)
        d++;
    return a < x->steps[i].op->n && d < x->steps[j].op->n && same_op(c, i, a, j, d);
}

/* Component a of step i and d of step j. */
static bool same_op(struct comparing *c, uint32_t i, unsigned a, uint32_t j, unsigned d)
{
    const struct step *s = &c->b->x->steps[i], *t = &c->b->x->steps[j];
    struct native_shape shape, other;

    if (!c->left || eval_native_way_of(c->b->x, s, &shape) != eval_native_way_of(c->b->x, t, &other) || shape.kind ||
        shape.wide || s->mode != t->mode)
        return false;
    c->left--;
    for (unsigned k = 0; k < shape.nsrc; k++) {
        bool first = shape.table && !(shape.quotient && k == 0);
        if (s->op->clear[k] != t->op->clear[k] || s->op->flip[k] != t->op->flip[k])
            return false;
        for (unsigned n = 0; n < (shape.terms ? 4u : 1u); n++)
            if ((!shape.terms || n < shape.terms || (k && n == shape.last)) &&
                !same_value(c, s->op->src[k][shape.terms ? n : first ? 0 : a], i,
                            t->op->src[k][shape.terms ? n : first ? 0 : d], j))
                return false;
    }
    return true;
}

static bool drop(void *user, uint32_t plane, bool wide, bool written)
{
    struct native_builder *b = user;

    (void)wide;
    if (!written)
        eval_native_drop_read(&b->uses, plane, b->at);
    return false;
}

/* Look-ups that later ones are held against: new ones take the places of those that were of no use. */
struct earlier {
    uint32_t step[MOST_EARLIER], n, next;
};

static void remember(struct earlier *e, const struct native_builder *b)
{
    if (e->n < MOST_EARLIER) {
        e->step[e->n++] = b->at;
        return;
    }
    for (unsigned k = 0; k < MOST_EARLIER && b->reuse[e->step[e->next]]; k++)
        e->next = (e->next + 1) % MOST_EARLIER;
    e->step[e->next] = b->at;
    e->next = (e->next + 1) % MOST_EARLIER;
}

void eval_native_find_reuse(struct native_builder *b)
{
    struct earlier e = {.n = 0};
    uint32_t spare = 0;

    for (b->at = b->first; b->at < b->end; b->at++) {
        struct native_shape shape = {.quotient = true};
        uint32_t k = 0;
        bool found = false;
        if (eval_native_tables(b->x, &b->x->steps[b->at]))
            eval_native_way_of(b->x, &b->x->steps[b->at], &shape);
        if (shape.quotient)
            continue;
        while (k < e.n && !found) {
            struct comparing c = {b, MOST_COMPARED};
            found = same_op(&c, e.step[k++], 0, b->at, 0);
        }
        if (!found) {
            remember(&e, b);
        } else if (b->reuse[e.step[k - 1]] || spare < NATIVE_SPARES) {
            uint8_t *kept = &b->reuse[e.step[k - 1]];
            if (!*kept)
                *kept = (uint8_t)(1 + spare++);
            b->reuse[b->at] = *kept | NATIVE_REUSED;
            eval_native_planes(b->x, &b->x->steps[b->at], drop, b);
        }
    }
    if (spare > b->spares)
        b->spares = spare;
}
