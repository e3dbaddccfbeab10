/* One component of a result, as far as the driver's compiler knows its operands: the number, or what is left to do. */
#include "eval/numeric/half.h"
#include "model/const/transfer_op.h"
#include "model/tables.h"
#include "model/analysis/range.h"
#include "eval/numeric/words.h"

#include <string.h>

/* Of LDB two components of 8 or 16 bits, or halves: what they fill in is as known as a literal. */
static bool loads_halves(const struct insn *insn)
{
    return insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4);
}

static bool is_of_any(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *held = eval_known_held(k, o, c);

    return held && held->known && held->of_any;
}

/* What CMP of integers is to choose by, of a number that another block learnt: signs of the operand are not looked at,
 * and what is unsigned is never below zero. As bits of a float that choose so. */
static uint64_t learnt_choice(const struct insn *insn, uint64_t word)
{
    return insn->type == DT_S32 && word >> 31 & 1 ? UINT32_MAX : 0;
}

/* A double that is made an integer of 32 bits: the single that it becomes before. */
static bool narrowed_operand(const struct known *k, const struct insn *insn, const struct operand *o, unsigned c,
                             uint64_t *word)
{
    bool rounds = insn->op == OP_ROUND || insn->op == OP_TRUNC || insn->op == OP_FLR || insn->op == OP_CEIL;

    if (!rounds || !eval_is_word(insn->type) || !program_is_long(k->p, o->kind, o->ref) ||
        !eval_known_operand(k, o, c, DT_F64, word))
        return false;
    *word = num_word((float)num_double(*word));
    return true;
}

/* What singles find in a LONG variable. */
static bool narrowed_number(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    const struct known_value *v = type == DT_F32 && o->kind == OPND_SYMBOL && program_is_long(k->p, o->kind, o->ref)
                                      ? eval_known_held(k, o, c)
                                      : NULL;
    struct operand plain = *o;

    if (!v || v->loose || !(v->widened || v->known))
        return false;
    if (v->widened) {
        *word = v->word;
    } else {
        plain.flags &= (uint16_t)~OPND_SIGNS;
        if (!eval_known_operand(k, &plain, c, DT_F64, word))
            return false;
        *word = num_word((float)num_double(*word));
    }
    *word = o->flags & OPND_ABSOLUTE ? *word & 0x7fffffff : *word;
    *word ^= operand_negates(o) ? 0x80000000u : 0;
    return true;
}

/* A number below 0 in the text that integers are divided by, or that is divided: its minus is no sign. */
static bool is_negative_number(const struct insn *insn, const struct operand *o)
{
    return (insn->op == OP_DIV || insn->op == OP_MOD) && eval_is_word(insn->type) && o->kind == OPND_CONSTANT &&
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
        const struct known_value *held = eval_known_held(k, o, i);
        if (!(reads >> i & 1))
            continue;
        known &= eval_known_operand(k, o, i, type, &f->src[n][i]) || narrowed_operand(k, insn, o, i, &f->src[n][i]) ||
                 narrowed_number(k, o, i, type, &f->src[n][i]);
        if (eval_reads_half(insn) && o->kind == OPND_CONSTANT)
            f->src[n][i] = num_to_half(
                (uint32_t)eval_constant_word(program_constant(k->p, o->ref), o->swizzle >> 2 * i & 3, DT_F32));
        if (n == 0 && insn->op == OP_CMP && eval_is_word(insn->type) && held && held->known &&
            !eval_known_is_short(k, o->kind, o->ref) && (held->elsewhere || held->block != k->block))
            f->src[n][i] = learnt_choice(insn, held->word);
        f->loose |= eval_known_is_loose(k, o, i);
        f->elsewhere |= held && (held->elsewhere || held->block != k->block);
        f->weak |= held && held->known && held->weak;
        f->faint |= held && held->known && held->faint;
        f->narrow |= held && held->known && held->narrow;
        f->of_any |= is_of_any(k, o, i) || (held && held->widened && held->of_any);
    }
    return known;
}

/* An operand that a known choice between halves leaves alone. */
static bool leaves(const struct fold *f, const bool known[3], unsigned n)
{
    return f->insn->op == OP_CMP && f->half && !(f->insn->flags & INSN_PREC) && known[0] &&
           eval_known_choice(f, known, false) != (int)n;
}

/* Division by a zero that a load filled in, and a choice by one. Of one on the other side of a call LDC and LDS have
 * filled in, unsigned integers are divided by that, too. */
static bool takes_filled(const struct known *k, const struct insn *insn, const struct fold *f)
{
    unsigned n = insn->op == OP_DIV || insn->op == OP_MOD;
    const struct known_value *v =
        insn->nsrc > n ? eval_known_held(k, program_operand(k->p, insn->src + n), f->first[n]) : NULL;

    if (v && v->nothing)
        return true;
    if (!v || !v->known || !v->loose || (v->word && insn->op != OP_CMP))
        return false;
    if (v->faint)
        return n && insn->type == DT_U32 && !v->weak && !v->narrow;
    return n ? !v->narrow || (insn->op == OP_DIV && insn->type == DT_S32) : insn->op == OP_CMP;
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
    b = f->insn->op == OP_SUB ? ~b : b;
    return ((a ^ r) & (b ^ r)) >> 31;
}

/* Products of NaNs that differ in signs alone are one product, that of the lowest component. */
static void as_before(const struct known *k, const struct insn *insn, unsigned c, const struct fold *f, uint64_t *word)
{
    const uint64_t sign = 1ull << 63;
    uint64_t a = f->src[0][c], b = f->src[1][c], x, y, first;
    bool nan = a << 1 > 0xffe0000000000000u || b << 1 > 0xffe0000000000000u;

    for (unsigned i = 0; nan && i < c; i++) {
        struct fold other = *f;
        if (!(insn->dst.mask >> i & 1) || !eval_known_operand(k, program_operand(k->p, insn->src), i, DT_F64, &x) ||
            !eval_known_operand(k, program_operand(k->p, insn->src + 1), i, DT_F64, &y) || (a ^ x) << 1 || (b ^ y) << 1)
            continue;
        other.component = i;
        other.first[0] = other.first[1] = (uint8_t)i;
        other.src[0][i] = x;
        other.src[1][i] = y;
        if (eval_fold(&other, &first))
            *word = first ^ ((a ^ b ^ x ^ y) & sign);
        return;
    }
}

/* Of CMP whose choice is known the operand that it does not take is not looked at. */
static void spare_other_choice(const struct known *k, struct fold *f, bool known[3])
{
    int taken = f->insn->op == OP_CMP && known[1] != known[2] ? eval_known_choice(f, known, false) : -1;

    if (taken < 0 || !known[taken])
        return;
    f->loose = f->elsewhere = f->weak = f->faint = f->narrow = f->of_any = false;
    fold_operand(k, f->insn, 0, f);
    fold_operand(k, f->insn, (unsigned)taken, f);
    known[1] = known[2] = true;
}

/* CMP of floats between a number and the same number is that, whatever it asks (in half arithmetic it is not). */
static void spare_question(const struct known *k, struct fold *f, bool known[3])
{
    bool single = f->insn->op == OP_CMP && f->insn->type == DT_F32 && !f->half;

    if (!single || known[0] || !known[1] || !known[2] ||
        (uint32_t)f->src[1][f->first[1]] != (uint32_t)f->src[2][f->first[2]])
        return;
    f->loose = f->elsewhere = f->weak = f->faint = f->narrow = f->of_any = false;
    fold_operand(k, f->insn, 1, f);
    fold_operand(k, f->insn, 2, f);
    f->src[0][f->first[0]] = 0;
    known[0] = true;
}

/* Whether the number hangs on what is undefined where some operand is; of a CMP whose choice is known that is what it
 * takes. */
static bool follows_any(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    const struct insn *insn = f->insn;
    int taken =
        insn->op == OP_CMP && known[0] && type_table[insn->type].bytes == 4 ? eval_known_choice(f, known, false) : -1;

    if (taken < 0)
        return f->of_any || !known[0] || !known[1] || !known[2];
    if (folded)
        folded->chosen[taken] |= (uint8_t)(1u << f->component);
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
    f.keeps_denormals = eval_known_is_short(k, insn->dst.kind, insn->dst.ref);
    f.narrows = eval_narrows(k->p, insn);
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
    v->loose = true;
    v->weak = insn->op == OP_LOADIM || (insn->op == OP_LDB && !loads_halves(insn));
    v->faint = v->weak && insn->op == OP_LDB &&
               (type_table[insn->type].is_float || insn->type == DT_S32 || insn->type == DT_S64);
    v->narrow = v->weak && insn->op == OP_LDB && (insn->type == DT_S8 || insn->type == DT_S16);
}

/* An absolute value that is compared with a number: whether that was learnt in another block, and what a load filled in
 * of this block but floats and signed integers of LDB, is a number like others. */
static void compare_absolute(const struct known *k, const struct fold *f, const bool known[3], struct known_value *v)
{
    bool filled = true;

    v->elsewhere = v->of_any = false;
    for (unsigned n = 0; n < 2; n++) {
        const struct known_value *any = eval_known_held(k, program_operand(k->p, f->insn->src + n), f->first[n]);
        bool looked_at = known[n] && !eval_is_faint_negative(k, f->insn, n, f->first[n]);
        const struct known_value *held =
            looked_at ? eval_known_held(k, program_operand(k->p, f->insn->src + n), f->first[n]) : NULL;
        v->elsewhere |= held && (held->elsewhere || held->block != k->block);
        v->weak &= !known[n] || (any && any->weak);      /* not beside a number that is none of a load's */
        filled &= !(held && (held->faint || held->narrow));
    }
    if (filled && !v->elsewhere)
        v->loose = false;
}

static bool is_learnt_elsewhere(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *held = eval_known_held(k, o, c);

    return held && (held->elsewhere || held->block != k->block);
}

/* A product of a number that another block learnt with 1.0 or -1.0, which is a copy before that number is seen; so is a
 * quotient. */
static bool fold_learnt_copy(const struct known *k, const struct fold *f, uint64_t *word)
{
    const struct insn *insn = f->insn;
    struct insn copy = *insn;
    struct fold as_copy = *f;
    bool multiplies = insn->op == OP_MUL && !(insn->flags & INSN_PREC);

    if (insn->type != DT_F32 || f->half || !(multiplies || insn->op == OP_DIV))
        return false;
    for (unsigned one = multiplies ? 0 : 1; one < 2; one++) {
        const struct operand *factor = program_operand(k->p, insn->src + one),
                             *o = program_operand(k->p, insn->src + 1 - one);
        const struct known_value *a = eval_known_held(k, factor, f->first[one]),
                                 *b = eval_known_held(k, o, f->first[1 - one]);
        uint32_t by = (uint32_t)f->src[one][f->first[one]], sign = by & 0x80000000u;
        if ((by & 0x7fffffffu) != 0x3f800000u || (a && (a->elsewhere || a->block != k->block)) || !b ||
            !(b->elsewhere || b->block != k->block))
            continue;
        copy.op = OP_MOV;
        copy.nsrc = 1;
        as_copy.insn = &copy;
        as_copy.first[0] = f->first[1 - one];
        as_copy.src[0][as_copy.first[0]] = f->src[1 - one][f->first[1 - one]] ^ sign;
        as_copy.has_sign =
            o->flags & OPND_ABSOLUTE || ((o->flags & (OPND_NEGATE | OPND_NEGATE_INNER)) != 0) != (sign != 0);
        return eval_fold(&as_copy, word);
    }
    return false;
}

/* All bits in the text of an OR decide, whatever a load has filled in beside them. */
static bool ors_all_bits(const struct known *k, const struct fold *f, const bool known[3], uint64_t word)
{
    for (unsigned n = 0; f->insn->op == OP_OR && n < 2; n++)
        if (known[n] && program_operand(k->p, f->insn->src + n)->kind == OPND_CONSTANT &&
            f->src[n][f->first[n]] == word)
            return true;
    return false;
}

/* Half arithmetic with 1.0 and with -1.0 is a copy, but of a NaN that is known the one NaN. */
static bool fold_half_nan(const struct fold *f, uint64_t *word)
{
    bool makes =
        (f->insn->op == OP_MUL || f->insn->op == OP_DIV) && f->insn->type == DT_F16 && !(f->insn->flags & INSN_PREC);
    uint32_t a = (uint32_t)f->src[0][f->first[0]], b = makes ? (uint32_t)f->src[1][f->first[1]] : 0;

    if (!makes || !((b & 0x7fffffffu) == 0x3f800000u
                        ? exact_is_nan(a)
                        : (a & 0x7fffffffu) == 0x3f800000u && f->insn->op == OP_MUL && exact_is_nan(b)))
        return false;
    *word = EXACT_NAN;
    return true;
}

bool eval_known_component(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                          struct folded *folded)
{
    struct fold f = begin_fold(k, insn, c);
    bool known[3] = {true, true, true}, read[3], words = false, same = false, loose = false, joined = false,
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
                  !eval_known_is_loose(k, program_operand(k->p, insn->src + n), f.first[n]) && insn->op != OP_CMP;
        loose |= f.loose && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
    }
    if (insn->nsrc > 1) {
        unsigned n = insn->op == OP_CMP;
        const struct operand *x = program_operand(k->p, insn->src + n), *y = x + 1;
        words = eval_known_same_words(k, x, y, f.first[n], f.first[n + 1]) || eval_known_compares_alike(k, insn, c);
        same = words || eval_known_same(k, x, y, f.first[n], f.first[n + 1]) ||
               ((insn->op == OP_MIN || insn->op == OP_MAX) &&
                eval_known_same_outside(k, x, y, f.first[n], f.first[n + 1]));
    }
    if (folded) {
        eval_note_terms(k, &f, known, folded);
        eval_note_nans(k, &f, folded);
        folded->of_any |= (uint8_t)(f.of_any << c);
    }
    memcpy(read, known, sizeof read);
    read[1] &= insn->op != OP_BFE || !is_learnt_elsewhere(k, program_operand(k->p, insn->src + 1), c);
    spare_other_choice(k, &f, known);
    spare_question(k, &f, known);
    v->of_any = follows_any(k, &f, known, folded);
    v->loose = eval_known_whatever(&f, read, same, &v->word);
    v->weak = v->loose && same ? (!words || insn->op == OP_SUB) && !type_table[insn->type].is_float
                               : f.weak || (v->loose && insn->op == OP_BFE && !read[1]);
    v->weak &= !(v->loose && ors_all_bits(k, &f, known, v->word));
    v->elsewhere = v->loose && insn->op == OP_BFE && v->word;
    v->narrow = v->loose && insn->flags & INSN_HI;      /* to carries alone */
    v->faint = v->narrow || (v->loose && same && insn->op == OP_SUB);
    if (v->loose)
        return true;
    v->loose = f.loose && !(joined && !f.faint && !f.narrow);
    v->faint = f.faint;
    v->narrow = f.narrow;
    v->elsewhere = f.elsewhere;
    if (insn->nsrc == 2 && eval_compares_absolute(k, insn, c, &all)) {
        compare_absolute(k, &f, known, v);
        v->word = !all ? 0 : type_table[insn->type].bytes == 8 ? UINT64_MAX : UINT32_MAX;
        return true;
    }
    all = known[0] && (known[1] || leaves(&f, known, 1)) && (known[2] || leaves(&f, known, 2)) &&
          (fold_learnt_copy(k, &f, &v->word) || fold_half_nan(&f, &v->word) || eval_fold(&f, &v->word));
    if (all && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)))
        as_before(k, insn, c, &f, &v->word);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !type_table[insn->type].is_float) /* the divisor alone decides */
        loose = eval_known_is_loose(k, program_operand(k->p, insn->src + 1), f.first[1]);
    v->may_overflow = all && overflows(&f, v->word);
    if (folded && (!all || (insn->op == OP_CMP && v->loose)) && (!loose || takes_filled(k, insn, &f)))
        eval_fold_partly(k, &f, known, same, folded);
    return all;
}
