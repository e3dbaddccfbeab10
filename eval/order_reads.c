/* Who reads loads as a whole, who in halves, and what subroutines read (order.c). */
#include "eval/order.h"

bool eval_order_in_halves(const struct gp5_program *p, const struct insn *insn)
{
    if (insn->type != DT_S64 && insn->type != DT_U64)
        return false;
    switch (insn->op) {
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SAD: case OP_DIV: case OP_MOD:
    case OP_MIN: case OP_MAX: case OP_CMP: case OP_ABS: case OP_SHL: case OP_SHR:
        return true;
    case OP_MOV: return program_operand(p, insn->src)->flags & OPND_SIGNS;
    default: return false;
    }
}

/* ---- loads ----------------------------------------------------------------------------------------------------------------- */

/* How operand k reads its components: as a whole, by what computes with halves, or neither. */
static enum loaded_read read_by(const struct walk *w, const struct insn *insn, unsigned k)
{
    const struct operand *a = program_operand(w->d->p, insn->src);
    bool is_whole = insn->type == DT_S64 || insn->type == DT_U64;

    if (eval_order_in_halves(w->d->p, insn))
        return READ_IN_HALVES;
    if ((is_whole && op_compares(insn->op)) || insn->op == OP_UP64 ||
        (insn->op == OP_CMP && insn->type == DT_F64 && k))
        return 0;
    return insn->op == OP_ABS || !eval_order_copies(w, insn) || a->flags & OPND_SIGNS ? READ_ONCE : 0;
}

static void count_read(struct walk *w, const struct operand *o, uint8_t components, enum loaded_read how)
{
    for (unsigned c = 0; c < 4; c++) {
        struct origin from = components >> c & 1 ? eval_order_of(w, o, c) : eval_order_unknown;
        if (from.at == NO_INDEX || from.at != from.own || from.several || from.from != FROM_LOADED)
            continue;
        w->reads_of[from.at] |= (uint8_t)(how == READ_ONCE && w->reads_of[from.at] & READ_ONCE ? READ_AGAIN : how);
    }
}

void eval_order_count_reads(struct walk *w, uint32_t i, const struct insn *insn)
{
    uint8_t useful = w->live->useful[i];
    bool once = insn->dst.kind == OPND_NONE || useful & LIVE_EFFECT;

    for (unsigned k = 0; !w->dead && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        if (once)
            count_read(w, o, 15, read_by(w, insn, k));
        for (unsigned c = 0; !once && c < 4; c++)
            if (useful >> c & 1)
                count_read(w, o, eval_component_reads(insn->op, k, c), read_by(w, insn, k));
    }
}

/* ---- subroutines ------------------------------------------------------------------------------------------------------------ */

static void read_of(const struct walk *w, const struct insn *insn, struct part_reads *r)
{
    r->any |= insn->op == OP_CAL || insn->op == OP_CALI;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        uint8_t components = insn->dst.kind == OPND_NONE ? 15 : 0;
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1)
                components |= eval_component_reads(insn->op, k, c);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t slot = components >> c & 1 ? eval_order_slot(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
            if (slot != NO_INDEX)
                shared_bits_add(&r->of, slot);
        }
    }
}

bool eval_order_part_reads(struct walk *w, uint32_t label, uint32_t slot)
{
    struct part_reads *r = w->reads[label];
    uint32_t n = (uint32_t)w->d->p->insns.count;

    if (!r) {
        r = w->reads[label] = gp5_malloc(sizeof *r);
        w->failed |= !r;
        if (!r)
            return true;
        *r = (struct part_reads){.of = shared_bits_none(w->live->nvars)};
        for (uint32_t i = label; i < n && (i == label || !w->live->label[i]); i++)
            read_of(w, program_insn(w->d->p, i), r);
        w->failed |= r->of.failed;
    }
    return r->any || shared_bits_has(&r->of, slot);
}

void eval_order_free_reads(struct walk *w)
{
    for (uint32_t i = 0; w->reads && i < w->d->p->insns.count; i++) {
        if (w->reads[i])
            shared_bits_free(&w->reads[i]->of);
        gp5_free(w->reads[i]);
    }
    gp5_free(w->reads);
    gp5_free(w->reads_of);
    gp5_free(w->reads_before);
}
