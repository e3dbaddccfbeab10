/* One component of a result, as far as the driver's compiler knows its operands: the number, or what is left to do. */
#include "eval/exact.h"
#include "eval/fold.h"
#include "eval/half.h"
#include "eval/known.h"
#include "eval/numeric/words.h"
#include "eval/decode.h"
#include "eval/sources.h"
#include "eval/traits.h"

bool eval_is_filled(const struct insn *insn, unsigned c)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return insn->width && c >= insn->width;
    case OP_LOADIM:     /* of the types that came later, whatever the format: images.c, filled() */
        return insn->width && c >= insn->width && (insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4));
    default: return false;
    }
}

/* Of LDB two components of 8 or 16 bits, or halves: what they fill in is as known as a literal. */
static bool loads_halves(const struct insn *insn)
{
    return insn->type == DT_F16 || (insn->width > 1 && type_table[insn->type].bytes < 4);
}

/* What an operation gives whatever an operand holds. */
static bool whatever(const struct fold *f, const bool known[3], bool same, uint64_t *word)
{
    const struct insn *insn = f->insn;
    uint64_t ones = type_table[insn->type].bytes == 8 ? ~0ull : UINT32_MAX;

    if (insn->flags & INSN_HI)
        return false;
    if (type_table[insn->type].is_float) {  /* nothing is greater than itself, a NaN neither */
        *word = 0;
        return same && (insn->op == OP_SGT || insn->op == OP_SLT);
    }
    for (unsigned n = 0; n < 2; n++)
        if ((insn->op == OP_AND || insn->op == OP_MUL) && known[n] && !f->src[n][f->first[n]]) {
            *word = 0;
            return true;
        }
    if (insn->op == OP_OR && ((known[0] && f->src[0][f->first[0]] == ones) || (known[1] && f->src[1][f->first[1]] == ones))) {
        *word = ones;
        return true;
    }
    if ((insn->op == OP_BFE || insn->op == OP_BFI) && known[0] && !(f->src[0][0] & 255) && (insn->op == OP_BFE || known[2])) {
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

/* What CMP of integers is to choose by, of a number that another block learnt: signs of the operand are not looked at, and what is unsigned is never
 * below zero. As bits of a float that choose so. */
static uint64_t learnt_choice(const struct insn *insn, uint64_t word)
{
    return insn->type == DT_S32 && word >> 31 & 1 ? UINT32_MAX : 0;
}

/* The components of operand n that component c of the result is made of; whether all of them are known. */
static bool fold_operand(const struct known *k, const struct insn *insn, unsigned n, struct fold *f)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    uint8_t reads = eval_component_reads(insn->op, n, f->component), type = eval_operand_type(insn, n);
    bool known = o->kind != OPND_EXTENDED;

    f->first[n] = (uint8_t)(reads ? __builtin_ctz(reads) : 0);
    f->has_sign |= operand_has_sign(o);
    if (n == 0)
        f->negated = o->flags & (OPND_NEGATE | OPND_NEGATE_INNER) && !(o->flags & OPND_ABSOLUTE);
    for (unsigned i = 0; i < 4; i++) {
        const struct known_value *held = eval_known_held(k, o, i);
        if (!(reads >> i & 1))
            continue;
        known &= eval_known_operand(k, o, i, type, &f->src[n][i]);
        if (eval_reads_half(insn) && o->kind == OPND_CONSTANT)
            f->src[n][i] = eval_constant_half(program_constant(k->p, o->ref), o->swizzle >> 2 * i & 3);
        if (n == 0 && insn->op == OP_CMP && (insn->type == DT_S32 || insn->type == DT_U32) && held && held->known && !eval_known_is_short(k, o->kind, o->ref) &&
            (held->elsewhere || held->block != k->block))
            f->src[n][i] = learnt_choice(insn, held->word);
        f->loose |= eval_known_is_loose(k, o, i);
        f->elsewhere |= held && (held->elsewhere || held->block != k->block);
        f->weak |= held && held->known && held->weak;
        f->faint |= held && held->known && held->faint;
        f->narrow |= held && held->known && held->narrow;
    }
    return known;
}

/* Of a CMP: the operand that the component comes from, or -1: its first one is known, or the others are the same. Into SHORT variables it is the
 * last one, whatever the first one is known to be. */
static int chosen(const struct fold *f, const bool known[3], bool same)
{
    uint8_t type = f->insn->type;

    if (known[0] && f->keeps_denormals && type_table[type].is_float && type_table[type].bytes <= 4 && !(f->insn->flags & INSN_PREC))
        return 2;
    if (f->half && f->insn->flags & INSN_PREC)
        return -1;
    if (known[0] && f->half)
        return eval_fold_takes_second(DT_S32, eval_half_to_float(eval_float_to_half((uint32_t)f->src[0][f->first[0]]))) ? 1 : 2;
    if (known[0] && type_table[type].bytes == 4)
        return eval_fold_takes_second(type, (uint32_t)f->src[0][f->first[0]]) ? 1 : 2;
    return same && type == DT_F32 ? 1 : -1;
}

/* An operand that a known choice between halves leaves alone. */
static bool leaves(const struct fold *f, const bool known[3], unsigned n)
{
    return f->insn->op == OP_CMP && f->half && !(f->insn->flags & INSN_PREC) && known[0] && chosen(f, known, false) != (int)n;
}

/* Factors that are 1.0 or -1.0; of doubles, 0. */
static void find_ones(const struct fold *f, const bool known[3], struct folded *folded)
{
    const struct insn *insn = f->insn;
    uint64_t one = type_table[insn->type].bytes == 8 ? 0x3ff0000000000000u : 0x3f800000;
    uint64_t sign = type_table[insn->type].bytes == 8 ? 1ull << 63 : 0x80000000u;

    if (insn->op != OP_MUL && insn->op != OP_DIV && insn->op != OP_MAD)
        return;
    if (insn->op == OP_DIV && known[0] && (f->src[0][f->first[0]] & ~sign) == one) {
        folded->over |= (uint8_t)(1u << f->component);
        folded->over_minus |= (uint8_t)(f->src[0][f->first[0]] & sign ? 1u << f->component : 0);
    }
    for (unsigned k = 0; k < 2 && insn->op != OP_DIV && insn->type == DT_F64; k++)
        folded->nothing[k] |= (uint8_t)((known[k] && f->src[k][f->first[k]] << 1 == 0) << f->component);
    for (unsigned k = insn->op == OP_DIV; k < 2; k++) {
        uint64_t word = f->src[k][f->first[k]];
        if (!known[k] || (word & ~sign) != one)
            continue;
        folded->ones[k] |= (uint8_t)(1u << f->component);
        folded->minus[k] |= (uint8_t)(word & sign ? 1u << f->component : 0);
        return;
    }
}

/* Elements of arrays that a computed index names: MIN and MAX of such a one with itself are computed. */
static bool at_run_time(const struct known *k, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p, insn->src);

    return o->kind == OPND_SYMBOL && o->nindices && program_symbol(k->p, o->ref)->kind == SYM_TEMP &&
           program_index(k->p, o->index)->mode == INDEX_RELATIVE;
}

/* Of a MAD of single floats: the factor that twice itself less itself leaves, or -1. */
static int twice_less_itself(const struct known *k, const struct fold *f, const bool known[3])
{
    const struct insn *insn = f->insn;
    struct operand addend;

    if (insn->op != OP_MAD || insn->type != DT_F32 || insn->flags & (INSN_PREC | INSN_HALF))
        return -1;
    addend = *program_operand(k->p, insn->src + 2);
    addend.flags ^= OPND_NEGATE;
    for (unsigned n = 0; n < 2; n++)
        if (known[n] && !known[1 - n] && (uint32_t)f->src[n][f->first[n]] == 0x40000000 &&
            eval_known_same(k, program_operand(k->p, insn->src + 1 - n), &addend, f->first[1 - n], f->first[2]))
            return 1 - (int)n;
    return -1;
}

/* Of LIT's second component, above 0. */
static bool known_logarithm(const struct known *k, const struct fold *f, uint32_t *word)
{
    const struct operand *o = program_operand(k->p, f->insn->src);
    bool to_short = eval_known_is_short(k, f->insn->dst.kind, f->insn->dst.ref);
    uint64_t base;

    if (f->component != 2 || (f->half && !to_short) || (f->insn->type != DT_F32 && !to_short) || f->insn->flags & INSN_PREC || o->kind == OPND_EXTENDED ||
        eval_known_is_loose(k, o, 1) || !eval_known_operand(k, o, 1, DT_F32, &base) || !eval_fold_positive((uint32_t)base) ||
        (uint32_t)base == 0x7f800000)
        return false;
    *word = to_short ? eval_half_function(EXACT_LG2, (uint32_t)base) : exact_function(EXACT_LG2, (uint32_t)base);
    if (to_short && *word << 1 == 0xff000000)       /* of what is 0 as a half, or infinite */
        return false;
    return *word != EXACT_NAN;
}

/* Whether component c of operand n is known to be 1.0 or more. */
static bool is_one_or_more(const struct known *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    uint64_t word;

    if (insn->type == DT_F64 && eval_known_operand(k, o, c, DT_F64, &word))
        return word >= 0x3ff0000000000000u && word <= 0x7ff0000000000000u;
    if (insn->type == DT_F64 && (o->kind != OPND_SYMBOL || program_is_long(k->p, o->kind, o->ref)))
        return false;
    return eval_known_operand(k, o, c, DT_F32, &word) && word >= 0x3f800000 && word <= 0x7f800000;
}

/* Of a MIN that is clamped to 0 and 1: the operand beside a number that bounds nothing, or -1. Two known doubles are compared. */
static int clamped_alone(const struct known *k, const struct fold *f, const bool known[3])
{
    const struct insn *insn = f->insn;
    const struct result *r = &insn->dst;
    bool wide = insn->type == DT_F64, is_long = program_is_long(k->p, r->kind, r->ref);

    if (insn->op != OP_MIN || (insn->type != DT_F32 && !wide) || is_long != wide || eval_known_is_short(k, r->kind, r->ref) || f->unclamped ||
        !(insn->flags & INSN_SAT) || insn->flags & (INSN_PREC | INSN_HALF) || (wide && known[0] && known[1]))
        return -1;
    return is_one_or_more(k, insn, 0, f->component) ? 1 : is_one_or_more(k, insn, 1, f->component) ? 0 : -1;
}

/* Division by a known 0. */
static bool leaves_dividend(const struct known *k, const struct insn *insn)
{
    const struct operand *a = program_operand(k->p, insn->src), *b = a + 1;

    return insn->type == DT_U32 || (insn->op == OP_MOD && !((a->flags | b->flags) & OPND_ABSOLUTE));
}

/* What is left to do where not all is known; `same`: of MIN and MAX the operands are, of CMP the last two. */
static void fold_partly(const struct known *k, const struct fold *f, const bool known[3], bool same, struct folded *folded)
{
    const struct insn *insn = f->insn;
    uint8_t bit = (uint8_t)(1u << f->component);
    uint64_t b = f->src[1][f->first[1]];
    bool integer = !type_table[insn->type].is_float, narrow = type_table[insn->type].bytes == 4;
    uint32_t word;
    int from = twice_less_itself(k, f, known);

    if (type_table[insn->type].is_float)
        find_ones(f, known, folded);
    if (from >= 0) {
        folded->taken[from] |= bit;
        return;
    }
    switch (insn->op) {
    case OP_LIT:
        if (known_logarithm(k, f, &word)) {
            folded->part |= bit;
            folded->word[f->component] = word;
        }
        return;
    case OP_CMP:
        from = chosen(f, known, same);
        if (from > 0 && f->half && known[from])     /* a NaN, which is made at run time */
            from = -1;
        if (from < 0 && insn->type == DT_S64 && eval_known_held(k, program_operand(k->p, insn->src), f->first[0]) &&
            eval_trait_of_operand(k, program_operand(k->p, insn->src), f->first[0], DT_S64).sign & TRAIT_LONG)
            from = 2;
        if (from > 0)
            folded->taken[from] |= bit;
        return;
    case OP_MIN: case OP_MAX:
        if (same && !integer && insn->type != DT_F16 && !(insn->flags & (INSN_HALF | INSN_PREC)) && !at_run_time(k, insn))
            folded->taken[0] |= bit;
        else if ((from = clamped_alone(k, f, known)) >= 0)
            folded->taken[from] |= bit;
        return;
    case OP_DIV: case OP_MOD:
        if (integer && narrow && ((known[1] && !b) || eval_divides_by_zero(k, insn, f->first[1])) && leaves_dividend(k, insn))
            folded->taken[0] |= bit;
        if (integer)
            return;
        /* fall through */
    default:
        if (eval_fold_double_part(f, known, &folded->word[f->component])) {
            folded->part |= bit;
        } else if (eval_fold_part(f, known, &word)) {
            folded->part |= bit;
            folded->word[f->component] = word;
        }
    }
}

/* ---- what the machine does otherwise then ------------------------------------------------------------------ */

/* The terms of a sum whose flags are set. */
static void note_terms(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    if (!f->insn->cc_update || type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return;
    for (unsigned n = 0; n < f->insn->nsrc; n++) {
        struct operand o = *program_operand(k->p, f->insn->src + n);
        uint8_t bit = (uint8_t)(1u << f->component);
        const struct known_value *held = eval_known_held(k, &o, f->first[n]);
        if (known[n] && !(held && held->weak)) {
            folded->operands[n] |= bit;
            folded->numbers[n][f->component] = f->src[n][f->first[n]];
        }
        o.flags &= (uint16_t)~OPND_NEGATE;
        if (f->insn->type == DT_S64 && eval_trait_of_operand(k, &o, f->first[n], DT_S64).sign & TRAIT_LONG)
            folded->absolute[n] |= bit;
    }
}

/* Division by a zero that a load filled in, and a choice by one. */
static bool takes_filled(const struct known *k, const struct insn *insn, const struct fold *f)
{
    unsigned n = insn->op == OP_DIV || insn->op == OP_MOD;
    const struct known_value *v = insn->nsrc > n ? eval_known_held(k, program_operand(k->p, insn->src + n), f->first[n]) : NULL;

    if (!v || !v->known || !v->loose || (v->word && insn->op != OP_CMP) || v->faint)
        return false;
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

static bool is_known_nan(const struct known *k, const struct operand *o, unsigned c)
{
    uint64_t word;

    return o->kind != OPND_EXTENDED && eval_known_operand(k, o, c, DT_F64, &word) && (word << 1) > 0xffe0000000000000u;
}

/* The signs of what is known are put on by the compiler, of NaNs too; that of the other factor not where both are NaNs. */
static void note_nans(const struct known *k, const struct fold *f, struct folded *folded)
{
    for (unsigned n = 0; f->insn->type == DT_F64 && n < f->insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p, f->insn->src + n);
        uint8_t reads = eval_component_reads(f->insn->op, n, f->component), type = eval_operand_type(f->insn, n);
        uint64_t word;
        bool negated = f->insn->op == OP_MUL ? operand_negates(program_operand(k->p, f->insn->src + 1 - n)) &&    /* the sign goes there */
                                                        !is_known_nan(k, program_operand(k->p, f->insn->src + 1 - n), f->component)
                                             : f->insn->op == OP_SUB && n == 1;
        for (unsigned i = 0; i < 4 && (negated || operand_has_sign(o)) && o->kind != OPND_EXTENDED; i++)
            if (reads >> i & 1 && type == DT_F64 && eval_known_operand(k, o, i, type, &word) && (word << 1) > 0xffe0000000000000u) {
                folded->nans[n] |= (uint8_t)(1u << i);
                folded->numbers[n][i] = word ^ (negated ? 1ull << 63 : 0);
            }
    }
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
    int taken = f->insn->op == OP_CMP && known[1] != known[2] ? chosen(f, known, false) : -1;

    if (taken < 0 || !known[taken])
        return;
    f->loose = f->elsewhere = f->weak = f->faint = f->narrow = false;
    fold_operand(k, f->insn, 0, f);
    fold_operand(k, f->insn, (unsigned)taken, f);
    known[1] = known[2] = true;
}

bool eval_known_component(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                          struct folded *folded)
{
    struct fold f = {.insn = insn, .component = c, .unclamped = eval_clamps_nothing(k->p, insn) ||
                                  (eval_clamps_behind_flags(insn) && eval_sets_flags_alone(k->p, insn, k->ends) && !program_is_long(k->p, insn->dst.kind, insn->dst.ref)) ||
                                  ((insn->type == DT_F32 || insn->type == DT_F64) && insn->flags & INSN_SAT && eval_writes_apart(k->p, insn))};
    bool known[3] = {true, true, true}, words = false, same = false, loose = false, joined = false, all;     /* joined: with a number */

    if (insn->nsrc > 3 || insn->flags & INSN_FIXED || (insn->flags & INSN_HI && type_table[insn->type].bytes != 4) ||
        (eval_reads_turns(k->p, insn) && eval_reads_turn(k->p, insn, c)))
        return false;
    f.keeps_denormals = eval_known_is_short(k, insn->dst.kind, insn->dst.ref);
    f.narrows = eval_narrows(k->p, insn);
    f.half = (insn->type == DT_F16 || insn->flags & INSN_HALF) && !eval_drops_half(insn);
    if (insn->op == OP_UP64 && insn->flags & (INSN_SAT | INSN_SSAT) && program_is_long(k->p, insn->dst.kind, insn->dst.ref))
        return false;       /* clamped when it has been widened */
    if (eval_is_filled(insn, c)) {
        v->word = 0;
        v->loose = true;
        v->weak = insn->op == OP_LOADIM || (insn->op == OP_LDB && !loads_halves(insn));
        v->faint = v->weak && insn->op == OP_LDB && (type_table[insn->type].is_float || insn->type == DT_S32 || insn->type == DT_S64);
        v->narrow = v->weak && insn->op == OP_LDB && (insn->type == DT_S8 || insn->type == DT_S16);
        return true;
    }
    for (unsigned n = 0; n < insn->nsrc; n++) {
        known[n] = fold_operand(k, insn, n, &f);
        joined |= insn->nsrc > 1 && known[n] && !eval_known_is_loose(k, program_operand(k->p, insn->src + n), f.first[n]) && insn->op != OP_CMP;
        loose |= f.loose && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
    }
    if (insn->nsrc > 1) {
        unsigned n = insn->op == OP_CMP;
        const struct operand *x = program_operand(k->p, insn->src + n), *y = x + 1;
        words = eval_known_same_words(k, x, y, f.first[n], f.first[n + 1]);
        same = eval_known_same(k, x, y, f.first[n], f.first[n + 1]);
    }
    if (folded) {
        note_terms(k, &f, known, folded);
        note_nans(k, &f, folded);
    }
    spare_other_choice(k, &f, known);
    v->loose = whatever(&f, known, same, &v->word);
    v->weak = v->loose && same ? (!words || insn->op == OP_SUB) && !type_table[insn->type].is_float
                               : f.weak || (v->loose && insn->op == OP_BFE && !known[1]);
    v->faint = v->loose && same && insn->op == OP_SUB;
    if (v->loose)
        return true;
    v->loose = f.loose && !(joined && !f.faint && !f.narrow);
    v->faint = f.faint;
    v->narrow = f.narrow;
    v->elsewhere = f.elsewhere;
    if (insn->nsrc == 2 && eval_compares_absolute(k, insn, c, &all)) {
        v->elsewhere = false;           /* of the number that it is compared with, not of the absolute value */
        for (unsigned n = 0; n < 2; n++) {
            const struct known_value *held = known[n] ? eval_known_held(k, program_operand(k->p, insn->src + n), f.first[n]) : NULL;
            v->elsewhere |= held && (held->elsewhere || held->block != k->block);
        }
        v->word = !all ? 0 : type_table[insn->type].bytes == 8 ? UINT64_MAX : UINT32_MAX;
        return true;
    }
    all = known[0] && (known[1] || leaves(&f, known, 1)) && (known[2] || leaves(&f, known, 2)) && eval_fold(&f, &v->word);
    if (all && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)))
        as_before(k, insn, c, &f, &v->word);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !type_table[insn->type].is_float)     /* the divisor alone decides */
        loose = eval_known_is_loose(k, program_operand(k->p, insn->src + 1), f.first[1]);
    v->may_overflow = all && overflows(&f, v->word);
    if (folded && !all && (!loose || takes_filled(k, insn, &f)))
        fold_partly(k, &f, known, same, folded);
    return all;
}

/* ---- operations over several components -------------------------------------------------------------------- */

/* Of what multiplies several components: those of its operands that are 1.0 or -1.0. */
static void find_all_ones(const struct known *k, const struct insn *insn, struct folded *folded)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_DST: case OP_LRP: case OP_RFL: break;
    default: return;
    }
    for (unsigned n = 0; (insn->type == DT_F32 || (insn->type == DT_F16 && insn->op == OP_DST)) && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t word;
            if (eval_known_is_loose(k, o, c) || !eval_known_operand(k, o, c, DT_F32, &word) || (word & 0x7fffffff) != 0x3f800000)
                continue;
            folded->ones[n] |= (uint8_t)(1u << c);
            folded->minus[n] |= (uint8_t)(word >> 31 << c);
        }
    }
}

/* Vector operations are steps, of which the compiler does those whose operands it knows: all components of the operands. */
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
    note_factors(k, insn, folded);
    eval_known_alike(k, insn, folded);
}
