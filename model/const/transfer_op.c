/* One component of a result, as far as the driver's compiler knows its operands: the number, or what is left to do. */
#include "eval/numeric/half.h"
#include "model/const/transfer_op.h"
#include "model/tables.h"
#include "model/cc/flags.h"
#include "eval/numeric/words.h"

#include <string.h>

/* Of LDB two components of 8 or 16 bits, or halves: what they fill in is as known as a literal. */
static bool loads_halves(const struct insn *insn)
{
    return insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4);
}

static bool is_of_any(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *held = model_known_held(k, o, c);

    return held && held->known && held->of_any;
}

/* A double that is made an integer of 32 bits: the single that it becomes before. */
static bool narrowed_operand(const struct known *k, const struct insn *insn, const struct operand *o, unsigned c,
                             uint64_t *word)
{
    bool rounds = insn->op == OP_ROUND || insn->op == OP_TRUNC || insn->op == OP_FLR || insn->op == OP_CEIL;

    if (!rounds || !model_is_word(insn->type) || !program_is_long(k->p, o->kind, o->ref) ||
        !model_known_operand(k, o, c, DT_F64, word))
        return false;
    *word = num_word((float)num_double(*word));
    return true;
}

/* A number below 0 in the text that integers are divided by, or that is divided: its minus is no sign. */
static bool is_negative_number(const struct insn *insn, const struct operand *o)
{
    return (insn->op == OP_DIV || insn->op == OP_MOD) && model_is_word(insn->type) && o->kind == OPND_CONSTANT &&
           !(o->flags & OPND_ABSOLUTE);
}

/* The components of operand n that component c of the result is made of; whether all of them are known. */
static bool fold_operand(const struct known *k, const struct insn *insn, unsigned n, struct fold *f)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    uint8_t reads = eval_component_reads(insn->op, n, f->component), type = eval_operand_type(insn, n);
    bool known = o->kind != OPND_EXTENDED;

    f->first[n] = (uint8_t)(reads ? __builtin_ctz(reads) : 0);
    f->has_sign |= operand_has_sign(o) && !is_negative_number(insn, o);
    if (n == 0)
        f->negated = o->flags & (OPND_NEGATE | OPND_NEGATE_INNER) && !(o->flags & OPND_ABSOLUTE);
    for (unsigned i = 0; i < 4; i++) {
        const struct known_value *held = model_known_held(k, o, i);
        if (!(reads >> i & 1))
            continue;
        known &= model_known_operand(k, o, i, type, &f->src[n][i]) || narrowed_operand(k, insn, o, i, &f->src[n][i]);
        if (eval_reads_half(insn) && o->kind == OPND_CONSTANT)
            f->src[n][i] = num_to_half(
                (uint32_t)eval_constant_word(program_constant(k->p, o->ref), o->swizzle >> 2 * i & 3, DT_F32));
        f->absorbed |= model_known_is_absorbed(k, o, i);
        f->branch_only |= held && held->known && held->branch_only;
        f->of_any |= is_of_any(k, o, i);
    }
    return known;
}

/* An operand that a known choice between halves leaves alone. */
static bool leaves(const struct fold *f, const bool known[3], unsigned n)
{
    return f->insn->op == OP_CMP && f->half && !(f->insn->flags & INSN_PREC) && known[0] &&
           model_known_choice(f, known) != (int)n;
}

/* Whether a sum of known integers overflows. */
static bool overflows(const struct fold *f, uint64_t word)
{
    uint32_t a = (uint32_t)f->src[0][f->first[0]], b = (uint32_t)f->src[1][f->first[1]], r = (uint32_t)word;

    if (type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return false;
    if (f->insn->op == OP_MAD || f->insn->op == OP_SAD) {
        b = (uint32_t)f->src[2][f->first[2]];
        a = r - b;
    }
    b = f->insn->op == OP_SUB ? 0 - b : b;
    return ((a ^ r) & (b ^ r)) >> 31;
}

/* Of CMP whose choice is known the operand that it does not take is not looked at. */
static void spare_other_choice(const struct known *k, struct fold *f, bool known[3])
{
    int taken = f->insn->op == OP_CMP && known[1] != known[2] ? model_known_choice(f, known) : -1;

    if (taken < 0 || !known[taken])
        return;
    f->absorbed = f->branch_only = f->of_any = false;
    fold_operand(k, f->insn, 0, f);
    fold_operand(k, f->insn, (unsigned)taken, f);
    known[1] = known[2] = true;
}

/* Whether the number hangs on what is undefined where some operand is; of a CMP whose choice is known that is what it
 * takes. */
static bool follows_any(const struct known *k, const struct fold *f, const bool known[3])
{
    const struct insn *insn = f->insn;
    int taken =
        insn->op == OP_CMP && known[0] && type_table[insn->type].bytes == 4 ? model_known_choice(f, known) : -1;

    if (taken < 0)
        return f->of_any || !known[0] || !known[1] || !known[2];
    return is_of_any(k, program_operand(k->p, insn->src + (unsigned)taken), f->component);
}

static struct fold begin_fold(const struct known *k, const struct insn *insn, unsigned c)
{
    struct fold f = {.insn = insn, .component = c};
    bool to_long = program_is_long(k->p, insn->dst.kind, insn->dst.ref);

    f.unclamped = eval_clamps_nothing(k->p, insn) ||
                  (eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends) && !to_long);
    f.clamps_widened =
        to_long && insn->type == DT_F32 && insn->flags & INSN_SSAT && (insn->op == OP_MOV || insn->op == OP_ABS);
    f.keeps_denormals = model_known_is_short(k, insn->dst.kind, insn->dst.ref);
    f.half = (insn->type == DT_F16 || insn->flags & INSN_HALF) && !eval_drops_half(k->p, insn);
    f.unclamped |= insn->op == OP_CMP && f.half && insn->flags & INSN_SAT && !to_long &&
                   !f.keeps_denormals; /* what nobody knows is 0: combine.c */
    return f;
}

/* What nothing is known of, whatever its operands are: UP64 into a LONG variable is clamped when it has been widened.
 */
static bool is_left(const struct known *k, const struct insn *insn)
{
    return insn->nsrc > 3 || insn->flags & INSN_FIXED || (insn->flags & INSN_HI && type_table[insn->type].bytes != 4) ||
           (insn->op == OP_UP64 && insn->flags & (INSN_SAT | INSN_SSAT) &&
            program_is_long(k->p, insn->dst.kind, insn->dst.ref));
}

/* The 0 that a load fills in. */
static void fill(const struct insn *insn, struct known_value *v)
{
    v->word = 0;
    v->absorbed = true;
    v->branch_only = insn->op == OP_LOADIM || (insn->op == OP_LDB && !loads_halves(insn));
}

/* Whether SGE or SLT of integers asks if an absolute value is below 0. */
static bool is_sign_of_magnitude(const struct known *k, const struct fold *f, const bool known[3])
{
    const struct insn *insn = f->insn;
    const struct operand *o = program_operand(k->p, insn->src);

    return (insn->op == OP_SGE || insn->op == OP_SLT) && insn->type == DT_S32 && !known[0] && known[1] &&
           !f->src[1][f->first[1]] && (o->flags & OPND_SIGNS) == OPND_ABSOLUTE;
}

/* Whether a result is the first operand: MIN and MAX of one value twice, and divisions by a known 0 (docs/numbers.md,
 * "What is known in part"). */
static bool is_operand(const struct known *k, const struct fold *f, bool same, bool divides)
{
    const struct insn *insn = f->insn;
    const struct operand *o = program_operand(k->p, insn->src);

    if (insn->op == OP_MIN || insn->op == OP_MAX)
        return same && type_table[insn->type].is_float && !f->half &&
               !(o->nindices && program_index(k->p, o->index)->mode == INDEX_RELATIVE);
    return divides && !f->branch_only && !f->src[1][f->first[1]] && model_is_word(insn->type) &&
           (insn->op == OP_MOD ? insn->type == DT_U32 || !((o->flags | o[1].flags) & OPND_ABSOLUTE)
                               : insn->op == OP_DIV && insn->type == DT_U32);
}

bool model_known_component(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                           struct folded *folded)
{
    struct fold f = begin_fold(k, insn, c);
    bool known[3] = {true, true, true}, words = false, same = false, absorbed = false, joined = false,
         all; /* joined: with a number */

    if (is_left(k, insn))
        return false;
    if (eval_is_filled(k->p, insn, c)) {
        fill(insn, v);
        return true;
    }
    for (unsigned n = 0; n < insn->nsrc; n++) {
        known[n] = fold_operand(k, insn, n, &f);
        joined |= insn->nsrc > 1 && known[n] &&
                  !model_known_is_absorbed(k, program_operand(k->p, insn->src + n), f.first[n]) && insn->op != OP_CMP;
        absorbed |= f.absorbed && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
    }
    if (insn->nsrc > 1) {
        unsigned n = insn->op == OP_CMP;
        const struct operand *x = program_operand(k->p, insn->src + n), *y = x + 1;
        words = model_known_same_words(k, x, y, f.first[n], f.first[n + 1]);
        same = words || model_known_same(k, x, y, f.first[n], f.first[n + 1]);
    }
    if (folded && model_has(k->passes, PASS_fold)) {
        model_note_terms(k, &f, known, folded);
        folded->of_any |= (uint8_t)(f.of_any << c);
    }
    spare_other_choice(k, &f, known);
    v->of_any = follows_any(k, &f, known);
    v->absorbed = model_known_absorbs(&f, known, same, &v->word);
    v->branch_only = v->absorbed && same ? (!words || insn->op == OP_SUB) && !type_table[insn->type].is_float
                                         : f.branch_only;
    if (is_sign_of_magnitude(k, &f, known)) {
        v->word = insn->op == OP_SGE ? UINT32_MAX : 0;
        return true;
    }
    v->may_overflow = v->absorbed && overflows(&f, v->word);
    if (v->absorbed)
        return true;
    v->absorbed = f.absorbed && !joined;
    all = known[0] && (known[1] || leaves(&f, known, 1)) && (known[2] || leaves(&f, known, 2)) &&
          model_fold(&f, &v->word);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !type_table[insn->type].is_float) /* the divisor alone decides */
        absorbed = model_known_is_absorbed(k, program_operand(k->p, insn->src + 1), f.first[1]);
    v->may_overflow = all && overflows(&f, v->word);
    if (folded && !all && !absorbed)
        model_fold_partly(k, &f, known, folded);
    if (folded && !all && is_operand(k, &f, same, known[1]))
        folded->ones[1] |= (uint8_t)(1u << c);
    return all;
}
