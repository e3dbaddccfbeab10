/* Parameters in arrays that a register indexes: a program in which one of their vectors stands twice, in two of them or
 * in one, fails to load (ARB_vertex_program 2.14.3.2, NV_gpu_program4 2.X.3.3). Constants may. NVIDIA's driver says so
 * at the end of the program, whether what indexes them is called or not. */
#include "asm/check/check_internal.h"

#include <stdlib.h>
#include <string.h>

/* A run of vectors: of parameters, or rows of one of several matrices. */
struct run {
    const char *words;
    size_t length;              /* of the words without .row[] */
    uint32_t which, first, last;
    const struct binding *binding;
};

static struct run run_of(const struct binding *b)
{
    static const char row[] = ".row[]";
    const char *words = binding_table[b->kind].words;
    size_t length = strlen(words),
           rows = length > sizeof row - 1 && strcmp(words + length - (sizeof row - 1), row) == 0 ? 1 : 0;
    unsigned last = b->nindices ? b->nindices - 1u : 0;
    struct run r = {.words = words, .length = length - rows * (sizeof row - 1), .binding = b};

    if (!rows && strncmp(words, "state.matrix.", 13) == 0) {
        r.which = b->nindices ? b->first[0] : 0;
        r.last = 3;
    } else if (b->nindices) {
        r.which = last ? b->first[0] : 0;
        r.first = b->first[last];
        r.last = b->range[last] ? b->last[last] : b->first[last];
    }
    return r;
}

static int by_name(const struct run *a, const struct run *b)
{
    int order = strncmp(a->words, b->words, a->length < b->length ? a->length : b->length);

    if (order == 0 && a->length != b->length)
        order = a->length < b->length ? -1 : 1;
    if (order == 0 && a->which != b->which)
        order = a->which < b->which ? -1 : 1;
    return order;
}

static int by_place(const void *x, const void *y)
{
    const struct run *a = x, *b = y;
    int order = by_name(a, b);

    if (order == 0 && a->first != b->first)
        order = a->first < b->first ? -1 : 1;
    if (order == 0)
        order =
            (a->binding->span.offset > b->binding->span.offset) - (a->binding->span.offset < b->binding->span.offset);
    return order;
}

/* The PARAM arrays that a register indexes somewhere. */
static void mark_indexed(const struct gp5_program *p, bool *indexed)
{
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const struct operand *o = program_operand(p, i);
        const struct symbol *s = o->kind == OPND_SYMBOL && o->nindices ? program_symbol(p, o->ref) : NULL;
        if (s && s->kind == SYM_PARAM && s->array && program_index(p, o->index)->mode == INDEX_RELATIVE)
            indexed[o->ref] = true;
    }
}

static bool collect(const struct gp5_program *p, const bool *indexed, struct vec *runs)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        for (uint32_t k = 0; indexed[i] && k < s->nbindings; k++) {
            const struct binding *b = program_binding(p, s->binding + k);
            size_t at = b->kind == BIND_CONSTANT ? 0 : vec_grow(runs);
            if (at == SIZE_MAX)
                return false;
            if (b->kind != BIND_CONSTANT)
                *(struct run *)vec_at(runs, at) = run_of(b);
        }
    }
    return true;
}

void check_arrays(struct checker *c, uint32_t end)
{
    struct vec runs;
    bool *indexed = gp5_malloc(c->program->symbols.count + 1);
    const struct run *before = NULL;

    vec_init(&runs, sizeof(struct run));
    if (indexed)
        memset(indexed, 0, c->program->symbols.count + 1);
    if (indexed && c->program->indices.count)
        mark_indexed(c->program, indexed);
    if (indexed && collect(c->program, indexed, &runs) && runs.count)
        qsort(runs.data, runs.count, sizeof(struct run), by_place);
    for (size_t i = 0; i < runs.count; i++) {
        const struct run *r = vec_at(&runs, i);
        if (before && by_name(before, r) == 0 && r->first <= before->last) {
            const struct binding *later =
                r->binding->span.offset < before->binding->span.offset ? before->binding : r->binding;
            const struct binding *other = later == r->binding ? before->binding : r->binding;
            struct diag *d;
            c->reported = 0;
            d = check_error(c, FOR_ALL & ~(unsigned)FOR_GP5, later->span,
                            "%.*s stands in an array that a register indexes, and so does %.*s",
                            check_length(later->span), check_text(c, later->span), check_length(other->span),
                            check_text(c, other->span));
            check_position(d, end);
            diag_hint(d, "a vector has one place in such arrays: index one of them by numbers, or declare one array");
            break;
        }
        before = before && by_name(before, r) == 0 && before->last > r->last ? before : r;
    }
    vec_free(&runs);
    gp5_free(indexed);
}
