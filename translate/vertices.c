/* Elements of arrays of inputs and results: of a vertex that an index chooses, and of a place that one chooses, which
 * is said as a choice among all of them. */
#include "asm/binding_name.h"
#include "translate/translate.h"

static struct tr_base refused(void)
{
    return (struct tr_base){.text = "vec4(0.0)", .count = 4, .missing = true};
}

/* What an index chooses from: the elements of a variable, or all of those that a binding's brackets reach. */
struct choice {
    const struct symbol *s;     /* or */
    const struct binding *b;
    uint32_t count;
    const char *vertex;
    bool output;
    struct span where;
};

static struct tr_base element(struct tr *t, const struct choice *c, uint32_t e)
{
    uint32_t at = 0;
    struct binding one;
    const struct binding *b;

    if (c->s) {
        b = tr_element(t, c->s, e, &at);
    } else {
        one = *c->b;
        one.relative = false;
        one.first[0] = one.last[0] = e;
        b = &one;
    }
    if (b)
        return tr_vertex_port(t, b, at, c->vertex, c->output, c->where);
    tr_refuse(t, c->where, "%s has no such element", c->s->name);
    return refused();
}

/* One of all, as a value: the last one where the index is beyond. */
static struct tr_base chosen_value(struct tr *t, const struct choice *c, const char *at)
{
    struct tr_base base = element(t, c, 0);
    const char *text = "";

    for (uint32_t e = 0; e < c->count && !base.missing; e++) {
        struct tr_base one = element(t, c, e);
        const char *value = tr_cast(t, one.text, one.type, base.type, one.count);
        text = e + 1 < c->count ? tr_text(t, "%s(%s) == %u ? %s : ", text, at, e, value)
                                : tr_text(t, "%s%s", text, value);
    }
    base.text = tr_text(t, "(%s)", text);
    return base;
}

static struct tr_base chosen_result(struct tr *t, const struct choice *c, const char *at)
{
    struct tr_base base = element(t, c, 0);
    const char **each = arena_alloc(&t->scratch, (c->count + 1u) * sizeof *each);

    if (!each)
        return refused();
    for (uint32_t e = 0; e < c->count; e++)
        each[e] = element(t, c, e).text;
    base.at = at;
    base.each = each;
    base.choices = c->count;
    return base;
}

static struct tr_base chosen(struct tr *t, const struct choice *c, const struct index *index)
{
    const char *at = tr_index(t, index, 0);

    return c->output ? chosen_result(t, c, at) : chosen_value(t, c, at);
}

struct tr_base tr_chosen_port(struct tr *t, const struct binding *b, bool output, struct span where)
{
    struct choice c = {.b = b, .output = output, .where = where};

    switch (b->kind) {
    case BIND_VERTEX_ATTRIB: c.count = 16; break;
    case BIND_VERTEX_TEXCOORD: case BIND_FRAGMENT_TEXCOORD: case BIND_RESULT_TEXCOORD: c.count = 8; break;
    default: return tr_vertex_port(t, b, 0, NULL, output, where);
    }
    return chosen(t, &c, program_index(t->p, b->index));
}

struct tr_base tr_port_element(struct tr *t, uint32_t symbol, uint32_t index, unsigned nindices, bool output,
                               struct span where)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    const struct index *last = nindices ? program_index(t->p, index + nindices - 1) : NULL;
    const char *vertex = NULL;

    if (s->size == SIZE_LONG && (output || t->stage != STAGE_VERTEX)) {
        tr_refuse(t, where, "%s, whose elements have 64 bits, which goes from stage to stage as words", s->name);
        return refused();
    }
    if (s->per_vertex && nindices) {
        const struct index *first = program_index(t->p, index);
        vertex = first->mode == INDEX_RELATIVE ? tr_index(t, first, 0) : tr_text(t, "%d", first->offset);
        if (nindices == 1)
            last = NULL;
    }
    struct choice c = {s, NULL, s->elements, vertex, output, where};
    if (!s->array || !last)
        return element(t, &c, 0);
    if (last->mode != INDEX_RELATIVE)
        return element(t, &c, (uint32_t)last->offset);
    if (!s->elements) {
        tr_refuse(t, where, "a computed index into %s", s->name);
        return refused();
    }
    return chosen(t, &c, last);
}
