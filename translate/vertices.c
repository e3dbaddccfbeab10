/* Elements of arrays of inputs and results: of a vertex that an index chooses, and of a place that one chooses, which
 * is said as a choice among all of them. */
#include "asm/binding_name.h"
#include "translate/translate.h"

static struct tr_base refused(void)
{
    return (struct tr_base){.text = "vec4(0.0)", .count = 4, .missing = true};
}

static struct tr_base element(struct tr *t, const struct symbol *s, uint32_t e, const char *vertex, bool output,
                              struct span where)
{
    uint32_t at = 0;
    const struct binding *b = tr_element(t, s, e, &at);

    if (b)
        return tr_vertex_port(t, b, at, vertex, output, where);
    tr_refuse(t, where, "%s has no such element", s->name);
    return refused();
}

/* One of all, as a value: the last one where the index is beyond. */
static struct tr_base chosen_value(struct tr *t, const struct symbol *s, const char *at, const char *vertex,
                                   struct span where)
{
    struct tr_base base = element(t, s, 0, vertex, false, where);
    const char *text = "";

    for (uint32_t e = 0; e < s->elements && !base.missing; e++) {
        struct tr_base one = element(t, s, e, vertex, false, where);
        const char *value = tr_cast(t, one.text, one.type, base.type, one.count);
        text = e + 1 < s->elements ? tr_text(t, "%s(%s) == %u ? %s : ", text, at, e, value)
                                   : tr_text(t, "%s%s", text, value);
    }
    base.text = tr_text(t, "(%s)", text);
    return base;
}

static struct tr_base chosen_result(struct tr *t, const struct symbol *s, const char *at, struct span where)
{
    struct tr_base base = element(t, s, 0, NULL, true, where);
    const char **each = arena_alloc(&t->scratch, (s->elements + 1u) * sizeof *each);

    if (!each)
        return refused();
    for (uint32_t e = 0; e < s->elements; e++)
        each[e] = element(t, s, e, NULL, true, where).text;
    base.at = at;
    base.each = each;
    base.choices = s->elements;
    return base;
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
    if (!s->array || !last)
        return element(t, s, 0, vertex, output, where);
    if (last->mode != INDEX_RELATIVE)
        return element(t, s, (uint32_t)last->offset, vertex, output, where);
    if (!s->elements) {
        tr_refuse(t, where, "a computed index into %s", s->name);
        return refused();
    }
    const char *at = tr_index(t, last, 0);
    return output ? chosen_result(t, s, at, where) : chosen_value(t, s, at, vertex, where);
}
