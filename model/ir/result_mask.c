/* Components that SCS, RFL, MATCH, shuffles and atomic operations leave as they are are none that these write, a ballot
 * into y alone asks x, and of an array SHORT says nothing: its elements are singles and words of 32 bits. */
#include "model/ir/result_mask.h"
#include "model/state.h"

#include <string.h>

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

static bool is_short_array(const struct symbol *s)
{
    return s->kind == SYM_TEMP && s->array && s->size == SIZE_SHORT;
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

/* The components that the instruction does not leave as they are; a LONG variable gets undefined ones. Under FL
 * shuffles and MATCH do not write their value either, which they do under any other test (docs/semantics.md,
 * "Shuffles"). */
static uint8_t changed(const struct gp5_program *p, const struct insn *insn)
{
    uint8_t mask = insn->dst.mask;

    if (exchanges(insn) && insn->dst.condition.rule == CC_FL)
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

/* Whether the result is an element in memory; and of a shuffle or MATCH, one that is copied as a whole. */
static uint32_t marks(const struct model *m, const struct gp5_program *p, const struct insn *insn)
{
    bool is_long = program_is_long(p, insn->dst.kind, insn->dst.ref),
         copied = insn->dst.kind == OPND_SYMBOL && model_is_indexed(m, insn->dst.ref) && !is_long;

    return (copied ? EVAL_INSN_COPIED : 0) | (exchanges(insn) && (copied || is_long) ? EVAL_INSN_WHOLE : 0);
}

static bool changes_any(const struct model *m)
{
    const struct gp5_program *p = m->p;

    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (is_short_array(program_symbol(p, i)))
            return true;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (changed(p, insn) != insn->dst.mask || asks_x(insn) || marks(m, p, insn))
            return true;
    }
    return false;
}

bool model_mask_results(struct model *m)
{
    struct gp5_program *p = &m->masked.program;
    bool ok;

    if (!m->nvidia || !changes_any(m))
        return true;
    *p = *m->p;
    m->masked.used = true;
    ok = copy_vec(&p->symbols, &m->p->symbols);
    ok &= copy_vec(&p->operands, &m->p->operands);
    ok &= copy_vec(&p->insns, &m->p->insns);
    if (!ok)
        return model_out_of_memory(m);
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (is_short_array(program_symbol(p, i)))
            program_symbol(p, i)->size = SIZE_DEFAULT;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        struct insn *insn = program_insn(p, i);
        insn->flags |= marks(m, p, insn);
        insn->dst.mask = changed(p, insn);
        if (asks_x(insn)) {
            struct operand *o = program_operand(p, insn->src);
            o->swizzle = (uint8_t)((o->swizzle & 3) * 0x55);
        }
    }
    m->p = p;
    return true;
}

void model_masked_free(struct masked *masked)
{
    if (!masked->used)
        return;
    vec_free(&masked->program.symbols);
    vec_free(&masked->program.operands);
    vec_free(&masked->program.insns);
    masked->used = false;
}
