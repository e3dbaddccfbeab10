/* Quotients and remainders of what a vector of bytes or shorts with signs was loaded into, in its block: docs/numbers.md. */
#include "eval/numeric/sfu.h"
#include "tests/slow/leaving.h"

#include <string.h>

static bool is_word(const struct slow_program *p, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && !o->nindices && program_symbol(p->text, o->ref)->size == SIZE_DEFAULT && !(o->flags & OPND_SIGNS);
}

static bool is_vector_load(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDC: case OP_LDS: case OP_LOAD: case OP_LOADIM:
        return (insn->type == DT_S16 || insn->type == DT_S8) && insn->width >= 2;
    default:
        return false;
    }
}

/* MOV, CVT.S32.S16, and sums and OR with 0. */
static bool is_copy(const struct slow_program *p, const struct insn *insn)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (insn->op == OP_CVT)
        return insn->type == DT_S32 && insn->type2 == DT_S16;
    if (slow_bytes(insn->type) != 4)
        return false;
    return insn->op == OP_MOV || ((insn->op == OP_ADD || insn->op == OP_OR) && insn->type != DT_F32 && slow_reads_zero(p, insn, 1));
}

static bool was_loaded(const struct slow_program *p, uint32_t place, const struct operand *o, unsigned c)
{
    const struct slow_plan *plan = p->plan;
    if (!is_word(p, o))
        return false;
    c = o->swizzle >> 2 * c & 3;
    while (place > 0 && !slow_begins_part(p, plan, place)) {
        const struct insn *insn = program_insn(p->text, plan->place[--place].insn);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == o->ref && insn->dst.mask >> c & 1) {
            if (insn->dst.nindices || condition_restricts(&insn->dst.condition))
                return false;
            if (is_vector_load(insn))
                return true;
            if (!is_copy(p, insn))
                return false;
            o = program_operand(p->text, insn->src);
            if (!is_word(p, o))
                return false;
            c = o->swizzle >> 2 * c & 3;
        }
        if (slow_ends_block(insn))
            return false;
    }
    return false;
}

static uint32_t quotient(uint32_t a, uint32_t b)
{
    uint32_t upper = a >> 31 ? a & 0xffffff00 : a, bits;
    float single = (float)b;
    double product;
    uint64_t wide;
    memcpy(&bits, &single, sizeof bits);
    bits = eval_sfu_rcp(bits) - 2;
    memcpy(&single, &bits, sizeof single);
    product = (double)upper * (double)single;
    memcpy(&wide, &product, sizeof wide);
    wide &= ~(uint64_t)0x1fffffff;
    memcpy(&product, &wide, sizeof product);
    return product >= 4294967296.0 ? UINT32_MAX : (uint32_t)product;
}

void slow_divide_few(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *by = program_operand(p->text, insn->src + 1);
    uint32_t place = (uint32_t)(l->here - p->plan->place);
    bool divides = insn->op == OP_MOD ? insn->type == DT_U32 || insn->type == DT_S32 : insn->op == OP_DIV && insn->type == DT_U32;
    if (!p->nvidia || !divides || by->kind == OPND_CONSTANT || by->flags & OPND_SIGNS || was_loaded(p, place, by, 0))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t a = (uint32_t)src[0][c].bits, b = (uint32_t)src[1][0].bits, q, rest;
        if (!(insn->dst.mask >> c & 1) || !was_loaded(p, place, program_operand(p->text, insn->src), c))
            continue;
        q = quotient(a, b);
        rest = a - q * b;
        q += rest >= b;
        rest -= rest >= b ? b : 0;
        r[c].bits = !b ? UINT32_MAX : insn->op == OP_MOD ? rest : q;
    }
}
