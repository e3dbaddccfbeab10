/* What instructions name (operand_walk.h). */
#include "model/ir/operand_walk.h"

void model_each_index(const struct gp5_program *p, uint32_t first, unsigned n, const struct naming *to)
{
    for (unsigned k = 0; k < n; k++) {
        const struct index *x = program_index(p, first + k);
        if (x->mode == INDEX_RELATIVE)
            to->take(to->user, &(struct named){x->register_kind, x->reg, x->element.used, x->component});
    }
}

void model_each_read(const struct gp5_program *p, const struct insn *insn, const struct naming *to)
{
    model_each_index(p, insn->dst.index, insn->dst.nindices, to);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p, insn->src + k);
        to->take(to->user, &(struct named){operand_named_kind(o), o->ref, o->nindices != 0, 0});
        model_each_index(p, o->index, o->nindices, to);
    }
}
