/* Arrays of temporaries that the text names by numbers alone: to the driver's compiler their elements are variables like all others
 * (tests/calls.txt, array_*, element_*). So they become that here, and whoever comes later need not know of arrays. */
#include "eval/elements.h"

#include "eval/decode.h"

#include <string.h>

/* Arrays beyond this stay what they are: each element is followed through every block. */
enum { MAX_ELEMENTS = 256 };

struct splitter {
    struct decoder *d;
    struct elements *to;
    uint32_t *array;            /* of each symbol: where those of its elements begin in `symbol`, or NO_INDEX */
    uint32_t *symbol;           /* of each element: the symbol that it became, or NO_INDEX so far */
    uint32_t nelements;
    bool failed;
};

static bool copy_vec(struct vec *to, const struct vec *from)
{
    vec_init(to, from->element);
    to->data = gp5_malloc(from->count * from->element + 1);
    if (!to->data)
        return false;
    if (from->count)
        memcpy(to->data, from->data, from->count * from->element);
    to->count = to->capacity = from->count;
    return true;
}

/* The arrays that are taken apart; false: there are none. */
static bool find_arrays(struct splitter *s)
{
    const struct gp5_program *p = s->d->p;

    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *a = program_symbol(p, i);
        bool apart = a->kind == SYM_TEMP && a->array && !s->d->ends.indexed[i] && a->array_size <= MAX_ELEMENTS - s->nelements;
        s->array[i] = apart ? s->nelements : NO_INDEX;
        s->nelements += apart ? a->array_size : 0;
    }
    return s->nelements != 0;
}

/* The symbol of an element, which may be new. */
static uint32_t symbol_of(struct splitter *s, uint32_t array, uint32_t element)
{
    uint32_t *known = &s->symbol[s->array[array] + element];
    struct gp5_program *p = &s->to->program;
    size_t at, of;

    if (*known != NO_INDEX)
        return *known;
    at = vec_grow(&p->symbols);
    of = vec_grow(&s->to->of);
    if (at == SIZE_MAX || of == SIZE_MAX) {
        s->failed = true;
        return array;
    }
    *(struct element_of *)vec_at(&s->to->of, of) = (struct element_of){array, element};
    *program_symbol(p, (uint32_t)at) = *program_symbol(p, array);
    program_symbol(p, (uint32_t)at)->array = false;
    program_symbol(p, (uint32_t)at)->array_size = 0;
    return *known = (uint32_t)at;
}

/* What names an element by a number names its variable. */
static void name(struct splitter *s, uint8_t kind, uint32_t *ref, uint32_t index, uint8_t *nindices)
{
    const struct index *at = *nindices ? program_index(&s->to->program, index) : NULL;

    if (kind != OPND_SYMBOL || *ref >= s->to->first || s->array[*ref] == NO_INDEX || *nindices != 1 || at->mode != INDEX_CONSTANT ||
        at->offset < 0 || (uint32_t)at->offset >= program_symbol(&s->to->program, *ref)->array_size)
        return;
    *ref = symbol_of(s, *ref, (uint32_t)at->offset);
    *nindices = 0;
}

static void name_all(struct splitter *s)
{
    struct gp5_program *p = &s->to->program;

    for (uint32_t i = 0; i < p->operands.count && !s->failed; i++) {
        struct operand *o = program_operand(p, i);
        uint8_t kind = o->kind == OPND_EXTENDED ? o->base_kind : o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;
        name(s, kind, &o->ref, o->index, &o->nindices);
    }
    for (uint32_t i = 0; i < p->insns.count && !s->failed; i++) {
        struct result *r = &program_insn(p, i)->dst;
        name(s, r->kind, &r->ref, r->index, &r->nindices);
    }
    for (uint32_t i = 0; i < p->indices.count && !s->failed; i++) {
        struct index *x = program_index(p, i);
        if (x->mode != INDEX_RELATIVE || x->register_kind != OPND_SYMBOL || !x->element.used || s->array[x->reg] == NO_INDEX ||
            x->element.value >= program_symbol(p, x->reg)->array_size)
            continue;
        x->reg = symbol_of(s, x->reg, x->element.value);
        x->element.used = false;
    }
}

static bool copy(struct elements *to, const struct gp5_program *from)
{
    bool ok;

    to->program = *from;
    to->used = true;
    to->first = (uint32_t)from->symbols.count;
    vec_init(&to->of, sizeof(struct element_of));
    ok = copy_vec(&to->program.symbols, &from->symbols);
    ok &= copy_vec(&to->program.operands, &from->operands);
    ok &= copy_vec(&to->program.indices, &from->indices);
    return copy_vec(&to->program.insns, &from->insns) && ok;
}

bool eval_split_arrays(struct decoder *d)
{
    struct splitter s = {.d = d, .to = &d->elements};
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC)
        return true;
    s.array = gp5_malloc((d->p->symbols.count + 1) * sizeof *s.array);
    ok = s.array != NULL;
    if (ok && find_arrays(&s)) {
        s.symbol = gp5_malloc(s.nelements * sizeof *s.symbol);
        ok = s.symbol && copy(s.to, d->p);
        if (ok) {
            memset(s.symbol, 0xff, s.nelements * sizeof *s.symbol);
            name_all(&s);
            d->p = &s.to->program;
        }
    }
    gp5_free(s.array);
    gp5_free(s.symbol);
    return (ok && !s.failed) || eval_out_of_memory(d);
}

void eval_elements_free(struct elements *e)
{
    if (!e->used)
        return;
    vec_free(&e->program.symbols);
    vec_free(&e->program.operands);
    vec_free(&e->program.indices);
    vec_free(&e->program.insns);
    vec_free(&e->of);
    e->used = false;
}
