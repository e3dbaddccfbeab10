/* What the machine is told of operands that the driver's compiler knows: terms of sums that set flags, NaNs with signs,
 * factors of vector operations. */
#include "model/tables.h"
#include "model/const/transfer_op.h"
#include "model/analysis/range.h"

#include <string.h>

/* A number that a register of 32 bits gives to a sum of 64: a term, or a factor that is 0, of which a minus before it
 * is none. */
static bool is_narrow_number(const struct known *k, const struct insn *insn, unsigned n, unsigned c, uint64_t *word)
{
    struct operand o = *program_operand(k->p, insn->src + n);
    bool negated = o.flags & OPND_NEGATE, absolute = o.flags & OPND_ABSOLUTE, factor = insn->op == OP_MAD && n < 2;

    o.flags = 0;
    if (type_table[insn->type].bytes != 8 || insn->op == OP_SAD || o.kind != OPND_SYMBOL ||
        program_symbol(k->p, o.ref)->kind != SYM_TEMP || program_symbol(k->p, o.ref)->size != SIZE_DEFAULT ||
        !eval_known_operand(k, &o, c, DT_U32, word) || ((factor || absolute) && *word))
        return false;
    *word = insn->type == DT_S64 ? (uint64_t)(int64_t)(int32_t)*word : *word;
    *word = negated ? 0 - *word : *word;
    return true;
}

void eval_note_terms(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    if (!f->insn->cc_update || type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return;
    for (unsigned n = 0; n < f->insn->nsrc; n++) {
        struct operand o = *program_operand(k->p, f->insn->src + n);
        uint8_t bit = (uint8_t)(1u << f->component);
        const struct known_value *held = eval_known_held(k, &o, f->first[n]);
        uint64_t word = known[n] ? f->src[n][f->first[n]] : 0;
        if ((known[n] || is_narrow_number(k, f->insn, n, f->first[n], &word)) &&
            !(held && (held->weak || held->elsewhere || held->block != k->block))) {
            folded->operands[n] |= bit;
            folded->numbers[n][f->component] = word;
        }
        o.flags &= (uint16_t)~OPND_NEGATE;
        if (f->insn->type == DT_S64 && range_of_operand(k, &o, f->first[n], DT_S64).sign & RANGE_LONG)
            folded->absolute[n] |= bit;
    }
}

/* The word of an operand of 32 bits that an operation on doubles takes, if it is known. */
static bool narrow_word(const struct known *k, const struct operand *o, unsigned c, uint64_t *word)
{
    return o->kind != OPND_CONSTANT && o->kind != OPND_EXTENDED && !program_is_long(k->p, o->kind, o->ref) &&
           !eval_known_is_short(k, o->kind, o->ref) && !eval_known_is_loose(k, o, c) &&
           eval_known_operand(k, o, c, DT_F32, word);
}

static bool is_known_nan(const struct known *k, const struct operand *o, unsigned c, uint64_t *word)
{
    return o->kind != OPND_EXTENDED && eval_known_operand(k, o, c, DT_F64, word) && (*word << 1) > 0xffe0000000000000u;
}

/* What becomes of a known NaN of 32 bits, which is quiet: not times a number. */
static bool is_narrow_nan(const struct known *k, const struct insn *insn, unsigned n, unsigned c, uint64_t *word)
{
    const struct operand *o = program_operand(k->p, insn->src), *other = o + 1 - n;
    bool number = insn->op == OP_MUL && !is_known_nan(k, other, c, word) && other->kind != OPND_EXTENDED &&
                  (eval_known_operand(k, other, c, DT_F64, word) ||
                   (narrow_word(k, other, c, word) && (*word & 0x7fffffffu) <= 0x7f800000u));

    if (number || !narrow_word(k, o + n, c, word) || (*word & 0x7fffffffu) <= 0x7f800000u)
        return false;
    *word = (insn->op == OP_ABS ? 0 : *word >> 31) << 63 | 0x7ff8000000000000u | (*word & 0x7fffffu) << 29;
    return true;
}

/* Whether the sign of the factor `other` goes to the known NaN that it is multiplied with. */
static bool gives_sign(const struct known *k, const struct operand *other, unsigned c)
{
    uint64_t word;

    return operand_negates(other) && !is_known_nan(k, other, c, &word) && !narrow_word(k, other, c, &word);
}

void eval_note_nans(const struct known *k, const struct fold *f, struct folded *folded)
{
    const struct insn *insn = f->insn;

    for (unsigned n = 0; insn->type == DT_F64 && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p, insn->src);
        uint8_t reads = eval_component_reads(insn->op, n, f->component);
        for (unsigned i = 0; i < 4 && eval_operand_type(insn, n) == DT_F64; i++) {
            uint64_t word;
            bool wide = reads >> i & 1 && is_known_nan(k, o + n, i, &word), flips;
            if (!(reads >> i & 1) || (!wide && !is_narrow_nan(k, insn, n, i, &word)))
                continue;
            flips = insn->op == OP_MUL ? gives_sign(k, o + 1 - n, f->component) : insn->op == OP_SUB && n == 1;
            if (flips || operand_has_sign(o + n) || (!wide && insn->op == OP_ABS)) {
                folded->nans[n] |= (uint8_t)(1u << i);
                folded->numbers[n][i] = word ^ (flips ? 1ull << 63 : 0);
            }
        }
    }
}

/* ---- operations over several components -------------------------------------------------------------------- */

/* Of what multiplies several components: those of its operands that are 1.0 or -1.0. */
static void find_all_ones(const struct known *k, const struct insn *insn, struct folded *folded)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_DST: case OP_LRP:
    case OP_RFL: break;
    default: return;
    }
    for (unsigned n = 0; (insn->type == DT_F32 || (insn->type == DT_F16 && insn->op == OP_DST)) && n < insn->nsrc;
         n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t word;
            if (eval_known_is_loose(k, o, c) || !eval_known_operand(k, o, c, DT_F32, &word) ||
                (word & 0x7fffffff) != 0x3f800000)
                continue;
            folded->ones[n] |= (uint8_t)(1u << c);
            folded->minus[n] |= (uint8_t)(word >> 31 << c);
        }
    }
}

/* What MIN and MAX clamp to, if they are a pair (pair.c). */
static void find_bounds(const struct known *k, const struct insn *insn, struct folded *folded)
{
    bool wide = insn->type == DT_F64;
    uint64_t bound = insn->op == OP_MAX ? 0 : wide ? 0x3ff0000000000000u : 0x3f800000;

    if ((insn->op != OP_MIN && insn->op != OP_MAX) || (insn->type != DT_F32 && insn->type != DT_F16 && !wide))
        return;
    for (unsigned n = 0; n < 2; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            const struct known_value *v = o->kind == OPND_SYMBOL ? eval_known_held(k, o, c) : NULL;
            uint64_t word;
            if ((wide && o->kind == OPND_SYMBOL && !program_is_long(k->p, o->kind, o->ref)) || (v && v->faint) ||
                !eval_known_operand(k, o, c, wide ? DT_F64 : DT_F32, &word))
                continue;
            word = insn->op == OP_MAX ? word << (wide ? 1 : 33) : word;     /* of either sign */
            folded->bounds[n] |= (uint8_t)((word == bound) << c);
        }
    }
}

/* Vector operations are steps, of which the compiler does those whose operands it knows: all components of the
 * operands. */
static void note_factors(const struct known *k, const struct insn *insn, struct folded *folded)
{
    uint8_t known[3] = {0};

    if (!eval_has_steps(insn))
        return;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned i = 0; i < 4; i++) {
            const struct operand *o = program_operand(k->p, insn->src + n);
            uint64_t word;
            if (o->kind == OPND_EXTENDED || eval_known_is_loose(k, o, i) || !eval_known_operand(k, o, i, DT_F32, &word))
                continue;
            known[n] |= (uint8_t)(1u << i);
            folded->numbers[n][i] = word;
        }
    memcpy(folded->factors, known, sizeof known);
}

void eval_known_vector(const struct known *k, const struct insn *insn, struct folded *folded)
{
    find_all_ones(k, insn, folded);
    find_bounds(k, insn, folded);
    note_factors(k, insn, folded);
    eval_known_alike(k, insn, folded);
}

void eval_note_voted(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct operand *o = program_operand(k->p, insn->src);

    for (unsigned c = 0; !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct known_value *v = eval_known_held(k, o, c);
        if (insn->dst.mask >> c & 1 && v && v->range.truth && (!v->known || v->range.reached) &&
            program_symbol(k->p, o->ref)->size == SIZE_DEFAULT)
            folded->booleans |= (uint8_t)(1u << c);
    }
}
