/* Sums with .SAT that are 1 and more if they are numbers: to whatever computes floats of them, or of copies, they are the number 1.0, whatever their words are. */
#include "eval/decode.h"
#include "eval/decoders.h"
#include "eval/known.h"
#include "eval/trait_reader.h"

#define ONE 0x3f800000u

/* The factor, of two, that 1.0 leaves as it is: a bit, or 0. */
static uint8_t times_one(const struct known *k, const struct operand *o, unsigned c)
{
    bool flip = false;

    return eval_is_one(k->p, o + 1, c, &flip) && !flip ? 1 : eval_is_one(k->p, o, c, &flip) && !flip ? 2 : 0;
}

/* Operands whose float an instruction copies at a component as it stands: bits. */
static uint8_t copied_floats(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct trait_reader r = {k, insn, c};
    const struct operand *o = program_operand(k->p, insn->src);

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_FIXED) || insn->cc_update || insn->dst.kind == OPND_CC ||
        program_is_long(k->p, insn->dst.kind, insn->dst.ref))
        return 0;
    if (insn->op == OP_MOV)
        return insn->type == DT_F32 || insn->type == DT_F16;
    if (insn->type != DT_F32 || insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    switch (insn->op) {
    case OP_CVT: return insn->type2 == DT_F32;
    case OP_DST: return c == 1 ? times_one(k, o, c) : c == 2 ? 1 : c == 3 ? 2 : 0;
    case OP_MIN: case OP_MAX: return eval_reader_same(&r, c) ? 3 : 0;
    case OP_CMP: return eval_known_same(k, o + 1, o + 2, c, c) ? 6 : 0;
    case OP_MUL: return times_one(k, o, c);
    default: return 0;
    }
}

/* The operand that an instruction copies at a component, or -1. */
static int copied(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct trait_reader r = {k, insn, c};
    uint8_t floats;

    if (insn->nsrc == 0 || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_FIXED))
        return -1;
    if (insn->op == OP_CVT && eval_is_word(insn->type))
        return insn->type == insn->type2 ? 0 : -1;
    floats = copied_floats(k, insn, c);
    return floats ? __builtin_ctz(floats) : eval_is_word(insn->type) ? eval_copied_integer(&r) : -1;
}

bool eval_known_makes_one(const struct known *k, const struct insn *insn, unsigned c)
{
    int n = copied(k, insn, c);
    const struct operand *o = n < 0 ? NULL : program_operand(k->p, insn->src + (unsigned)n);
    const struct known_value *v = o && !operand_has_sign(o) ? eval_known_held(k, o, c) : NULL;

    return model_has(k->passes, PASS_sat_one) &&
           (eval_is_sum_above(k, insn, c) ||
            (v && v->one && insn->dst.kind == OPND_SYMBOL && program_symbol(k->p, insn->dst.ref)->size == SIZE_DEFAULT));
}

/* Whether component c computes a float of operand n. */
static bool takes_number(const struct known *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    uint8_t type = eval_operand_type(insn, n);

    if (!type_table[type].is_float)
        return false;
    switch (insn->op) {
    case OP_RSQ: case OP_LG2: return false;
    case OP_POW: return n == 1;
    case OP_STB: case OP_STS: case OP_STORE: return insn->type == DT_F16;
    default: return operand_has_sign(o) || !(copied_floats(k, insn, c) >> n & 1);
    }
}

bool eval_reads_one(const struct known *k, const struct operand *o, unsigned c, uint8_t type)
{
    if (!k->now || type != DT_F32)
        return false;
    for (unsigned n = 0; n < k->now->nsrc && n < 3; n++) {
        const struct operand *x = program_operand(k->p, k->now->src + n);
        if (x->kind == o->kind && x->ref == o->ref && takes_number(k, k->now, n, c))
            return true;
    }
    return false;
}

void eval_known_ones(const struct known *k, const struct insn *insn, struct folded *folded)
{
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        if (o->kind != OPND_SYMBOL || o->nindices || k->first[o->ref] == NO_INDEX)
            continue;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < 4; i++) {
                unsigned from = o->swizzle >> 2 * i & 3;
                if (eval_component_reads(insn->op, n, c) >> i & 1 && takes_number(k, insn, n, c) && eval_known_at(k, k->first[o->ref] + from)->one)
                    folded->as_one[n] |= (uint8_t)(1u << from);
            }
    }
}

void eval_take_ones(struct decoder *d, const struct operand *o, uint8_t type, uint8_t used, uint32_t plane[4])
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    const struct insn *insn = program_insn(d->p, d->insn);

    for (unsigned n = 0; folded && type_table[type].is_float && n < insn->nsrc && n < 3; n++) {
        const struct operand *x = program_operand(d->p, insn->src + n);
        if (x->kind != o->kind || x->ref != o->ref || x->nindices)
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (folded->as_one[n] & used & 1u << c)
                plane[c] = eval_layout_word(&d->layout, ONE);
    }
}

bool eval_write_ones(struct decoder *d, uint32_t i)
{
    const struct folded *folded = eval_folded_at(d, i);

    for (uint32_t at = folded ? folded->late : 0; at;) {
        const struct late_one *one = vec_at(&d->late, at - 1);
        struct insn mov = *program_insn(d->p, one->of);
        struct lane_op op = {.n = 0};
        at = one->next;
        mov.op = OP_MOV;
        mov.type = DT_U32;
        mov.flags = 0;
        mov.cc_update = 0;
        mov.dst.condition = (struct condition){0};
        mov.dst.mask = one->mask;
        op.n = (uint8_t)eval_components(mov.dst.mask, op.comp);
        op.src[0][0] = eval_layout_word(&d->layout, ONE);
        if (!eval_emit(d, &mov, eval_request(d, OP_MOV, DT_U32), &op))
            return false;
    }
    return true;
}
