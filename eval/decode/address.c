/* Memory that no STORAGE variable names: GPU addresses (LOAD, STORE, ATOM) and atomic counters. */
#include "eval/decode/decode.h"

bool eval_pointer(struct decoder *d, const struct operand *o, struct access *a)
{
    struct fetched f;

    a->space = SPACE_GLOBAL;
    a->slot_index = NO_PLANE;
    a->nslots = 1;
    if (!eval_fetch(d, o, DT_U64, 1, false, &f))      /* of 32 bits: the address's low ones */
        return false;
    a->address = f.plane[0];
    return true;
}

/* A COUNTER variable is of words, and its index counts them. */
static bool counter(struct decoder *d, const struct operand *o, struct access *a)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(d->p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    const struct binding *b;

    a->space = SPACE_COUNTER;
    a->address = a->slot_index = NO_PLANE;
    a->nslots = 1;
    if (!s || s->kind != SYM_COUNTER || !s->nbindings || o->nindices > 1)
        return eval_refuse(d, o->span, "this kind of counter");
    b = program_binding(d->p, s->binding);
    if (!b->nindices || b->range[0])
        return eval_refuse(d, o->span, "this use of %s", s->name);
    a->slot = eval_buffer_slot(d, SPACE_COUNTER, b->first[0], 1);
    a->offset = (uint32_t)((b->nindices > 1 ? b->first[1] : 0) + (index ? (uint64_t)index->offset : 0)) * 4u;
    return (!index || index->mode != INDEX_RELATIVE || eval_element_offset(d, index, 4, &a->address)) && !d->no_memory;
}

bool eval_decode_counter(struct decoder *d, const struct insn *insn)
{
    struct access a = {.type = insn->type, .width = 1, .atomic = insn->atomic ? insn->atomic : MOD_INCR}; /* measured */
    unsigned nsrc = shape_table[op_table[insn->op].shape].nsrc;
    struct fetched f;

    if ((!insn->atomic && insn->op != OP_ATOMCTR) || type_table[insn->type].bytes != 4 ||
        type_table[insn->type].is_float)
        return eval_refuse(d, insn->span, "%s without an operation on words", op_table[insn->op].name);
    for (unsigned i = 0; i < 4; i++)
        a.operand[i] = eval_layout_word(&d->layout, 0);
    for (unsigned k = 1; k < nsrc; k++) {
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), insn->type, insn->atomic == MOD_CSWAP ? 3 : 1, false,
                        &f))
            return false;
        for (unsigned i = 0; i < 4; i++)
            a.operand[i] = f.plane[i];
    }
    return counter(d, program_operand(d->p, insn->src), &a) && eval_atomic_result(d, insn, &a);
}
