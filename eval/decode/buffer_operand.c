/* Operands that stand in buffers, and the step of any access. */
#include "eval/decode/decode.h"

#include <string.h>

uint32_t eval_buffer_slot(struct decoder *d, uint8_t space, uint32_t first, uint32_t n)
{
    struct buffer_slot fresh;
    size_t count = d->slots.count;
    uint32_t matched = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct buffer_slot *have = vec_at(&d->slots, i);
        matched = have->space == space && have->binding == first + matched ? matched + 1 : 0;
        if (matched == n)
            return i + 1 - n;
    }
    for (uint32_t i = 0; i < n; i++) {
        memset(&fresh, 0, sizeof fresh);
        fresh.binding = first + i;
        fresh.space = space;
        if (eval_push(d, &d->slots, &fresh) == NO_INDEX)
            return 0;
    }
    return (uint32_t)count;
}

/* The driver rounds an address down to a multiple of what is moved, in constant buffers to one of four bytes
 * (tests/recordings/patterns/questions.txt, misaligned_*); the text leaves it open. */
static uint32_t address_bits(const struct decoder *d, const struct access *a, bool store)
{
    uint32_t bytes = type_table[a->type].bytes * (a->width ? a->width : 1u);

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA || a->space > SPACE_GLOBAL || a->space == SPACE_COUNTER)
        return UINT32_MAX;
    if (bytes > 16)     /* loaded by halves, stored by components (tests/suites/launch/wide_vectors.shader_test) */
        bytes = store ? 8 : 16;
    return ~((a->space == SPACE_CONSTANT && bytes > 4 ? 4 : bytes) - 1u);
}

bool eval_access_step(struct decoder *d, uint8_t kind, const struct access *a)
{
    struct step *s = eval_step(d, kind);
    struct access aligned = *a;

    if (!s)
        return false;
    aligned.keep = address_bits(d, a, kind == STEP_STORE);
    s->ref = eval_push(d, &d->accesses, &aligned);
    return s->ref != NO_INDEX;
}

bool eval_element_offset(struct decoder *d, const struct index *index, uint32_t bytes, uint32_t *offset)
{
    struct kernel_request want = eval_request(d, OP_SHL, DT_S32);
    struct lane_op op = {.n = 1};
    uint32_t plane;

    if (!eval_fetch_index(d, index, &plane))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        op.src[0][i] = plane;
        op.src[1][i] = eval_layout_word(&d->layout, bytes == 16 ? 4 : 2);
    }
    *offset = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

bool eval_fetch_buffer(struct decoder *d, const struct operand *o, uint8_t used, uint32_t plane[4])
{
    const struct symbol *s = program_symbol(d->p, o->ref);
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    const struct binding *b = s->nbindings ? program_binding(d->p, s->binding) : NULL;
    bool vectors = s->kind == SYM_BUFFER4;
    uint32_t bytes = vectors ? 16 : 4;
    struct access a = {.space = SPACE_CONSTANT, .type = DT_U32, .width = vectors ? 4 : 1, .nslots = 1,
                       .address = NO_PLANE, .slot_index = NO_PLANE};

    if (!b || !b->nindices || o->nindices > 1 || s->nbindings > 1 || b->range[0])
        return eval_refuse(d, o->span, "this use of %s", s->name);
    a.slot = eval_buffer_slot(d, SPACE_CONSTANT, b->first[0], 1);
    a.offset = (uint32_t)((b->nindices > 1 ? b->first[1] : 0) + (index ? (uint64_t)index->offset : 0)) * bytes;
    if (index && index->mode == INDEX_RELATIVE && !eval_element_offset(d, index, bytes, &a.address))
        return false;
    a.n = (uint8_t)eval_components(vectors ? used : 1, a.comp);
    for (unsigned i = 0; i < a.n; i++)
        a.data[i] = eval_layout_scratch(&d->layout);
    for (unsigned c = 0, i = 0; c < 4; c++)     /* a word stands in all four */
        plane[c] = !vectors ? a.data[0] : used >> c & 1 ? a.data[i++] : a.data[0];
    return !d->no_memory && eval_access_step(d, STEP_LOAD, &a);
}
