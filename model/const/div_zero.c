/* Zeros that the driver's compiler knows when it divides or chooses by them, and nowhere else (docs/numbers.md, "What
 * is known in part"). */
#include "model/tables.h"
#include "model/const/fold.h"
#include "model/const/lattice.h"
#include "eval/numeric/words.h"
#include "model/analysis/range.h"

#include <math.h>

/* The place in a group that is one wide there. */
static bool is_only_place(const struct known *k, const struct operand *o, unsigned c)
{
    unsigned from = o->swizzle >> 2 * c & 3;

    return o->kind == OPND_BINDING && program_binding(k->p, o->ref)->kind == BIND_INVOCATION_LOCALID &&
           k->p->has_group_size && from < 3 && k->p->group_size[from] <= 1;
}

/* The component of operand n that component c of a result is made of. */
static unsigned component_of(const struct insn *insn, unsigned n, unsigned c)
{
    uint8_t reads = eval_component_reads(insn->op, n, c);

    return reads ? (unsigned)__builtin_ctz(reads) : 0;
}

bool eval_is_zero_to_divisions(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *held = eval_known_held(k, o, c);

    return (held && held->nothing) || is_only_place(k, o, c);
}

/* The number that operand n is known to be; not what a load filled in that divisions do not take. */
static bool number(const struct known *k, const struct insn *insn, unsigned n, unsigned c, uint64_t *word)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    unsigned at = component_of(insn, n, c);
    const struct known_value *held = eval_known_held(k, o, at);

    if (eval_is_zero_to_divisions(k, o, at)) {
        *word = 0;
        return true;
    }
    return o->kind != OPND_EXTENDED && !(held && held->loose && (held->faint || held->narrow)) &&
           eval_known_operand(k, o, at, eval_operand_type(insn, n), word);
}

static bool is_number(const struct known *k, const struct insn *insn, unsigned n, unsigned c, uint64_t wanted)
{
    uint64_t word;

    return number(k, insn, n, c, &word) && word == wanted;
}

/* What PK2H and PK2US pack to 0: PK2US whatever is not above 0, and no number. */
static bool packs_to_zero(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(k->p, insn->src);
    uint64_t word;
    float packed;

    if (o->kind == OPND_EXTENDED)
        return false;
    if (!eval_known_operand(k, o, c, DT_F32, &word))
        return insn->op == OP_PK2US && range_of_operand(k, o, c, DT_F32).sign & RANGE_NOT_ABOVE;
    if (eval_known_is_loose(k, o, c))
        return false;
    packed = num_float((uint32_t)word);
    return insn->op == OP_PK2US ? packed <= 0 : !(word >> 31 & 1) && packed <= 0x1p-25f;
}

/* A known number that a conversion to an integer of 32 bits and less, cut off or to the nearest, makes 0 of. */
static bool converts_to_zero(const struct known *k, const struct insn *insn, unsigned c, uint8_t of)
{
    unsigned bits = type_table[insn->type].bytes * 8;
    double from, whole;
    uint64_t word;

    if (!number(k, insn, 0, c, &word) || insn->rounding == MOD_FLR || insn->rounding == MOD_CEIL)
        return false;
    if (!type_table[of].is_float)
        return !(word & ((1ull << bits) - 1));
    if (of == DT_F16)
        return false;
    from = of == DT_F64 ? num_double(word) : num_float((uint32_t)word);
    whole = insn->op == OP_TRUNC || insn->rounding == MOD_TRUNC ? trunc(from) : rint(from);
    return type_table[insn->type].is_signed ? whole == 0 : whole <= 0;
}

/* An operation of what is 0 to divisions alone. */
static bool of_nothing(const struct known *k, const struct insn *insn, unsigned c)
{
    bool nothing = false, all = insn->nsrc <= 3 && !(insn->flags & INSN_HI);
    struct fold f = {.insn = insn, .component = c};
    uint32_t word;

    for (unsigned n = 0; insn->nsrc <= 3 && n < insn->nsrc; n++) {
        bool zero;
        f.first[n] = (uint8_t)component_of(insn, n, c);
        zero = eval_is_zero_to_divisions(k, program_operand(k->p, insn->src + n), f.first[n]);
        if (zero && (insn->op == OP_AND || (insn->op == OP_MUL && n < 2)))
            return true;
        nothing |= zero;
        all &= number(k, insn, n, c, &f.src[n][f.first[n]]);
    }
    if (!nothing || !all)
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_OR: case OP_XOR: case OP_MIN:
    case OP_MAX: case OP_SHL: case OP_SHR:
        return eval_fold_integer(&f, &word) && !word;
    default: return false;
    }
}

/* Results of 32 bits. */
static bool is_zero(const struct known *k, const struct insn *insn, unsigned c)
{
    bool single = insn->type == DT_F32 && !(insn->flags & INSN_HALF);
    uint64_t word;

    switch (insn->op) {
    case OP_UP4UB: return single && number(k, insn, 0, c, &word) && !(word >> 8 * c & 255);
    case OP_UP2US: return single && number(k, insn, 0, c, &word) && !(word >> 16 * (c & 1) & 65535);
    case OP_CVT: return !type_table[insn->type].is_float && converts_to_zero(k, insn, c, insn->type2);
    case OP_TRUNC: case OP_ROUND: return !type_table[insn->type].is_float && converts_to_zero(k, insn, c, DT_F32);
    case OP_MOD: return is_number(k, insn, 1, c, 1);
    case OP_TGALL: case OP_TGANY:
    case OP_TGBALLOT: return number(k, insn, 0, c, &word) && !(insn->type == DT_F32 ? (uint32_t)word << 1 : word);
    case OP_UP64:
        return !type_table[insn->type].is_float && number(k, insn, 0, c, &word) && !(word >> (c & 1) * 32 & UINT32_MAX);
    case OP_MUL:
        if (insn->flags & INSN_HI && (is_number(k, insn, 0, c, 0) || is_number(k, insn, 1, c, 0)))
            return true;
        break;
    case OP_SHL: case OP_SHR:
        if (is_number(k, insn, 0, c, 0))
            return true;
        break;
    case OP_MOV: case OP_I2F:       /* floats, too */
        return !operand_has_sign(program_operand(k->p, insn->src))
                   ? eval_is_zero_to_divisions(k, program_operand(k->p, insn->src), component_of(insn, 0, c))
                   : of_nothing(k, insn, c);
    default: break;
    }
    return !type_table[insn->type].is_float && of_nothing(k, insn, c);
}

/* Sums and products of known integers of 64 bits. */
static bool lower_word(const struct known *k, const struct insn *insn, unsigned c, uint32_t *word)
{
    uint64_t a, b;

    if ((insn->type != DT_U64 && insn->type != DT_S64) ||
        (insn->op != OP_ADD && insn->op != OP_SUB && insn->op != OP_MUL) || insn->flags & INSN_HI ||
        !number(k, insn, 0, c, &a) || !number(k, insn, 1, c, &b))
        return false;
    *word = (uint32_t)(insn->op == OP_ADD ? a + b : insn->op == OP_SUB ? a - b : a * b);
    return true;
}

/* Whether the lower word of a double is 0 that rounding, a sign, STR or SFL make: of known numbers, though the compiler
 * computes none of them. */
static bool makes_round_double(const struct known *k, const struct insn *insn, unsigned c)
{
    uint64_t word;
    double a;

    if (insn->type != DT_F64)
        return false;
    if (insn->op == OP_STR || insn->op == OP_SFL)
        return true;
    if (!number(k, insn, 0, c, &word))
        return false;
    a = num_double(word);
    switch (insn->op) {
    case OP_SSG: return true;
    case OP_TRUNC: return !(uint32_t)num_word64(trunc(a));
    case OP_FLR: return !(uint32_t)num_word64(floor(a));
    case OP_CEIL: return !(uint32_t)num_word64(ceil(a));
    case OP_ROUND: return !(uint32_t)num_word64(rint(a));
    default: return false;
    }
}

/* 0 of 64 bits that SHL shifts: the compiler does not compute that, but divides as by 0. */
static bool shifts_zero(const struct known *k, const struct insn *insn, unsigned c)
{
    return insn->op == OP_SHL && is_number(k, insn, 0, c, 0);
}

/* The lower word of what a number of 64 bits becomes in a variable. */
static bool is_zero_of_wide(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v,
                            bool to_long)
{
    uint8_t type = eval_result_type(insn);
    uint32_t lower;
    uint64_t word;

    if (!to_long && lower_word(k, insn, c, &lower))
        return !lower;
    if (!to_long && v->known) {
        return type_table[type].is_float ? !num_word((float)num_double(v->word)) : !(uint32_t)v->word;
    }
    if (to_long && (makes_round_double(k, insn, c) || shifts_zero(k, insn, c)))
        return true;
    if (!to_long || insn->op != OP_CVT || insn->type != DT_F64 || insn->type2 != DT_F32 ||
        !number(k, insn, 0, c, &word))
        return false;
    return !(uint32_t)num_word64(num_float((uint32_t)word));
}

bool eval_known_as_zero(const struct known *k, const struct insn *insn, unsigned c, const struct known_value *v)
{
    bool whole = type_table[eval_result_type(insn)].bytes <= 4,
         to_long = program_is_long(k->p, insn->dst.kind, insn->dst.ref);

    if (insn->nsrc > 3 || (insn->flags & (INSN_SAT | INSN_SSAT) && !v->known))
        return false;
    if (!whole)
        return is_zero_of_wide(k, insn, c, v, to_long);
    if (insn->type == DT_F32 && (insn->op == OP_PK2US || insn->op == OP_PK2H))
        return !to_long && packs_to_zero(k, insn, 0) && packs_to_zero(k, insn, 1);
    if (!to_long)
        return is_zero(k, insn, c);
    if (insn->op == OP_MOV && !operand_has_sign(program_operand(k->p, insn->src)) &&
        eval_is_zero_to_divisions(k, program_operand(k->p, insn->src), component_of(insn, 0, c)))
        return true;
    if (!v->known || v->loose)
        return false;
    return !(uint32_t)(type_table[eval_result_type(insn)].is_float ? num_word64(num_float((uint32_t)v->word))
                                                                   : v->word);
}
