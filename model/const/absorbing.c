/* What an operation gives whatever one of its operands holds: nothing of a product with 0, all bits of an OR with them.
 */
#include "model/tables.h"
#include "model/const/transfer_op.h"

bool model_known_absorbs(const struct fold *f, const bool known[3], bool same, uint64_t *word)
{
    const struct insn *insn = f->insn;
    uint64_t ones = type_table[insn->type].bytes == 8 ? ~0ull : UINT32_MAX;

    *word = 0;
    if (insn->flags & INSN_HI)
        return false;
    if (type_table[insn->type].is_float) {  /* nothing is greater than itself, a NaN neither */
        return same && (insn->op == OP_SGT || insn->op == OP_SLT);
    }
    bool halves = insn->op == OP_AND && type_table[insn->type].bytes == 8;      /* two of 32 bits, each computed */
    for (unsigned n = 0; n < 2; n++)
        if (((insn->op == OP_AND && !halves) || insn->op == OP_MUL) && known[n] && !f->src[n][f->first[n]]) {
            *word = 0;
            return true;
        }
    if (insn->op == OP_OR &&
        ((known[0] && f->src[0][f->first[0]] == ones) || (known[1] && f->src[1][f->first[1]] == ones))) {
        *word = ones;
        return true;
    }
    if ((insn->op == OP_BFE || insn->op == OP_BFI) && known[0] && !(f->src[0][0] & 255) &&
        (insn->op == OP_BFE || known[2])) {
        *word = insn->op == OP_BFE ? 0 : f->src[2][f->first[2]];
        return true;
    }
    if (insn->op == OP_CMP && known[1] && known[2] && f->src[1][f->first[1]] == f->src[2][f->first[2]]) {
        *word = f->src[1][f->first[1]];
        return true;
    }
    if (!same)
        return false;
    switch (insn->op) {
    case OP_SUB: case OP_XOR: case OP_SNE: case OP_SLT: case OP_SGT:
        *word = 0;
        return true;
    case OP_SEQ: case OP_SLE: case OP_SGE:
        *word = ones;
        return true;
    default:
        return false;
    }
}
