/* Arrays of temporaries that numbers alone name, or registers that the compiler knows (const_index.c): to the driver's
 * compiler their elements are variables like all others (tests/recordings/patterns/calls.txt, array_*, element_*). So
 * they become that here, and whoever comes later need not know of arrays. Nor of components that SCS, RFL, MATCH and
 * shuffles leave as they are: they are none that these write. */
#include "model/state.h"
#include "model/sroa/sroa.h"

#include "model/tables.h"
#include "model/sroa/const_index.h"
#include "model/analysis/liveness.h"

#include <string.h>

/* Arrays beyond this stay what they are: each element is followed through every block. */
enum { MAX_ELEMENTS = 256 };

struct splitter {
    struct model *d;
    struct elements *to;
    uint32_t *array;            /* of each symbol: where those of its elements begin in `symbol`, or NO_INDEX */
    uint32_t *symbol;           /* of each element: the symbol that it became, or NO_INDEX so far */
    uint32_t nelements;
    struct known_indices indices;
    uint8_t *named;             /* of each symbol: an index that is not known names its elements in what runs */
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

/* One index of what instruction `at` names (NO_INDEX: nobody knows which that is). */
static void look_at_name(struct splitter *s, uint8_t kind, uint32_t ref, uint32_t index, unsigned nindices, uint32_t at)
{
    const struct gp5_program *p = s->d->p;
    uint32_t element;

    for (unsigned k = 0; kind == OPND_SYMBOL && k < nindices; k++) {
        const struct index *x = program_index(p, index + k);
        if (x->mode == INDEX_RELATIVE &&
            (at == NO_INDEX ||
             (s->indices.runs[at] &&
              !eval_index_is_known(&s->indices, x, at, program_symbol(p, ref)->array_size, &element))))
            s->named[ref] = 1;
    }
}

static bool look_at_names(struct splitter *s)
{
    const struct gp5_program *p = s->d->p;
    uint8_t *seen = gp5_malloc(p->operands.count + 1);

    if (!seen)
        return false;
    memset(seen, 0, p->operands.count + 1);
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        const struct result *r = &insn->dst;
        look_at_name(s, r->kind, r->ref, r->index, r->nindices, i);
        if (r->kind == OPND_SYMBOL && s->d->ends.indexed[r->ref] && insn->op == OP_CVT &&
            type_table[insn->type].bytes < 4)
            s->named[r->ref] = 1;       /* it writes those bits alone (result.c) */
        for (uint32_t k = insn->src; k < insn->src + insn->nsrc; k++) {
            const struct operand *o = program_operand(p, k);
            look_at_name(s, operand_named_kind(o), o->ref, o->index, o->nindices, i);
            seen[k] = 1;
        }
    }
    for (uint32_t k = 0; k < p->operands.count; k++) {
        const struct operand *o = program_operand(p, k);
        if (!seen[k])
            look_at_name(s, operand_named_kind(o), o->ref, o->index, o->nindices, NO_INDEX);
    }
    gp5_free(seen);
    return true;
}

/* The arrays that are taken apart; false: there are none. */
static bool find_arrays(struct splitter *s)
{
    const struct gp5_program *p = s->d->p;

    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *a = program_symbol(p, i);
        bool apart = has_pass(s->d, PASS_sroa) && a->kind == SYM_TEMP && a->array && !s->named[i] &&
                     a->array_size <= MAX_ELEMENTS - s->nelements;
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

/* What names an element by a number, or by what instruction `at` (or NO_INDEX) knows, names its variable. */
static void name(struct splitter *s, uint8_t kind, uint32_t *ref, uint32_t index, uint8_t *nindices, uint32_t at)
{
    const struct index *x = *nindices ? program_index(&s->to->program, index) : NULL;
    uint32_t element, size;

    if (kind != OPND_SYMBOL || *ref >= s->to->first || s->array[*ref] == NO_INDEX || *nindices != 1)
        return;
    size = program_symbol(&s->to->program, *ref)->array_size;
    element = (uint32_t)x->offset;
    if (x->mode == INDEX_CONSTANT ? x->offset < 0 || element >= size
                                  : x->mode != INDEX_RELATIVE || at == NO_INDEX || !s->indices.runs[at] ||
                                        !eval_index_is_known(&s->indices, x, at, size, &element))
        return;
    *ref = symbol_of(s, *ref, element);
    *nindices = 0;
}

static void name_all(struct splitter *s)
{
    struct gp5_program *p = &s->to->program;

    for (uint32_t i = 0; i < p->insns.count && !s->failed; i++) {
        struct insn *insn = program_insn(p, i);
        name(s, insn->dst.kind, &insn->dst.ref, insn->dst.index, &insn->dst.nindices, i);
        for (uint32_t k = insn->src; k < insn->src + insn->nsrc; k++) {
            struct operand *o = program_operand(p, k);
            name(s, operand_named_kind(o), &o->ref, o->index, &o->nindices, i);
        }
    }
    for (uint32_t k = 0; k < p->operands.count && !s->failed; k++) {
        struct operand *o = program_operand(p, k);
        name(s, operand_named_kind(o), &o->ref, o->index, &o->nindices, NO_INDEX);
    }
    for (uint32_t i = 0; i < p->indices.count && !s->failed; i++) {
        struct index *x = program_index(p, i);
        if (x->mode != INDEX_RELATIVE || x->register_kind != OPND_SYMBOL || !x->element.used ||
            s->array[x->reg] == NO_INDEX || x->element.value >= program_symbol(p, x->reg)->array_size)
            continue;
        x->reg = symbol_of(s, x->reg, x->element.value);
        x->element.used = false;
    }
}

static bool is_short_array(const struct symbol *s)
{
    return s->kind == SYM_TEMP && s->array && s->size == SIZE_SHORT;
}

static bool has_short_arrays(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (is_short_array(program_symbol(p, i)))
            return true;
    return false;
}

/* Of an array SHORT says nothing: its elements are singles and words of 32 bits. */
static void widen_short_arrays(struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (is_short_array(program_symbol(p, i)))
            program_symbol(p, i)->size = SIZE_DEFAULT;
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

static bool has_arrays(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (program_symbol(p, i)->kind == SYM_TEMP && program_symbol(p, i)->array)
            return true;
    return false;
}

/* An atomic operation, into another variable than a LONG one, that writes some of the components of its mask. */
static bool is_partial(const struct gp5_program *p, const struct insn *insn)
{
    return op_is_atomic(insn->op) && insn->type != DT_F16 && !insn->cc_update &&
           !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

static bool exchanges(const struct insn *insn)
{
    return op_shuffles(insn->op) || insn->op == OP_MATCH;
}

/* Under FL shuffles and MATCH do not write their value either, which they do under any other test (docs/semantics.md,
 * "Shuffles"). */
static bool is_off(const struct insn *insn)
{
    return exchanges(insn) && insn->dst.condition.rule == CC_FL;
}

/* The components that the instruction does not leave as they are; a LONG variable gets undefined ones. */
static uint8_t changed(const struct gp5_program *p, const struct insn *insn)
{
    uint8_t mask = insn->dst.mask;

    if (is_off(insn))
        return 0;
    if (is_partial(p, insn))
        return eval_atomic_written(p, insn);
    return program_is_long(p, insn->dst.kind, insn->dst.ref) ? mask : mask & (uint8_t)~eval_untouched(insn);
}

/* A ballot into y alone asks x (docs/semantics.md, "Ballots, votes and match"). */
static bool asks_x(const struct insn *insn)
{
    return insn->op == OP_TGBALLOT && insn->dst.mask == 2;
}

static bool leaves_any(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (changed(p, program_insn(p, i)) != program_insn(p, i)->dst.mask || asks_x(program_insn(p, i)))
            return true;
    return false;
}

static bool is_reached(const struct model *d, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && model_is_indexed(d, insn->dst.ref);
}

/* Whether the result is an element in memory. */
static bool is_copied(const struct model *d, const struct gp5_program *p, const struct insn *insn)
{
    return is_reached(d, insn) && !program_is_long(p, OPND_SYMBOL, insn->dst.ref);
}

/* Whether the result of a shuffle or MATCH is copied as a whole. */
static bool is_whole(const struct model *d, const struct gp5_program *p, const struct insn *insn)
{
    return exchanges(insn) && (is_copied(d, p, insn) || program_is_long(p, insn->dst.kind, insn->dst.ref));
}

static bool copies_any(const struct model *d)
{
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        if (is_reached(d, program_insn(d->p, i)) || is_whole(d, d->p, program_insn(d->p, i)))
            return true;
    return false;
}

static void mark_copied(const struct model *d, struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        insn->flags |= (is_reached(d, insn) ? EVAL_INSN_REACHED : 0) | (is_copied(d, p, insn) ? EVAL_INSN_COPIED : 0) |
                       (is_whole(d, p, insn) ? EVAL_INSN_WHOLE : 0);
    }
}

static void leave_components(struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        insn->dst.mask = changed(p, insn);
        if (asks_x(insn)) {
            struct operand *o = program_operand(p, insn->src);
            o->swizzle = (uint8_t)((o->swizzle & 3) * 0x55);
        }
    }
}

bool eval_split_arrays(struct model *d)
{
    struct splitter s = {.d = d, .to = &d->elements};
    bool ok, copies = leaves_any(d->p) || copies_any(d);

    if (!d->nvidia || (!copies && !has_arrays(d->p)))
        return true;
    s.array = gp5_malloc((d->p->symbols.count + 1) * sizeof *s.array);
    s.named = gp5_malloc(d->p->symbols.count + 1);
    ok = s.array && s.named && eval_known_indices_new(&s.indices, d->p);
    if (ok) {
        memset(s.named, 0, d->p->symbols.count + 1);
        ok = look_at_names(&s);
    }
    if (ok && (find_arrays(&s) || copies || has_short_arrays(d->p))) {
        s.symbol = gp5_malloc((s.nelements + 1) * sizeof *s.symbol);
        ok = s.symbol && copy(s.to, d->p);
        if (ok) {
            memset(s.symbol, 0xff, s.nelements * sizeof *s.symbol);
            widen_short_arrays(&s.to->program);
            name_all(&s);
            mark_copied(d, &s.to->program);
            leave_components(&s.to->program);
            d->p = &s.to->program;
        }
    }
    eval_known_indices_free(&s.indices);
    gp5_free(s.array);
    gp5_free(s.named);
    gp5_free(s.symbol);
    return (ok && !s.failed) || model_out_of_memory(d);
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
