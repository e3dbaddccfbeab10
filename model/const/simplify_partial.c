/* What is left to do of one component of a result where the driver's compiler knows some of its operands. */
#include "eval/numeric/half_fold.h"
#include "model/tables.h"
#include "eval/numeric/libm_fold.h"
#include "eval/numeric/half_memory.h"
#include "model/const/transfer_op.h"
#include "model/analysis/range.h"

int eval_known_choice(const struct fold *f, const bool known[3], bool same)
{
    uint8_t type = f->half ? f->insn->type : eval_register_type(f->insn->type); /* halves with .SSAT are singles */

    if (known[0] && f->keeps_denormals && type_table[type].is_float && type_table[type].bytes <= 4 &&
        !(f->insn->flags & INSN_PREC))
        return 2;
    if (f->half && f->insn->flags & INSN_PREC)
        return -1;
    if (known[0] && f->half)
        return eval_fold_takes_second(DT_S32, eval_half_to_float(eval_float_to_half((uint32_t)f->src[0][f->first[0]])))
                   ? 1
                   : 2;
    if (known[0] && type_table[type].bytes == 4)
        return eval_fold_takes_second(type, (uint32_t)f->src[0][f->first[0]]) ? 1 : 2;
    return same && f->insn->type == DT_F32 ? 1 : -1;
}

/* Whether factor n is 1.0 or, with `minus`, -1.0. */
static bool is_one(const struct known *k, const struct fold *f, const bool known[3], unsigned n, bool *minus)
{
    bool wide = type_table[f->insn->type].bytes == 8;
    uint64_t one = wide ? 0x3ff0000000000000u : 0x3f800000, sign = wide ? 1ull << 63 : 0x80000000u,
             word = f->src[n][f->first[n]];

    if (!known[n])
        return f->insn->type == DT_F32 && !f->half && f->insn->op != OP_MAD &&
               eval_is_widened_one(k, program_operand(k->p, f->insn->src + n), f->first[n], minus);
    *minus = word & sign;
    return (word & ~sign) == one;
}

/* Factors that are 1.0 or -1.0; of doubles, 0. */
static void find_ones(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
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
    for (unsigned n = insn->op == OP_DIV; n < 2; n++) {
        bool minus;
        if (!is_one(k, f, known, n, &minus))
            continue;
        folded->ones[n] |= (uint8_t)(1u << f->component);
        folded->minus[n] |= (uint8_t)(minus << f->component);
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

    if (f->component != 2 || (f->half && !to_short) || (f->insn->type != DT_F32 && !to_short) ||
        f->insn->flags & INSN_PREC || o->kind == OPND_EXTENDED || eval_known_is_loose(k, o, 1) ||
        !eval_known_operand(k, o, 1, DT_F32, &base) || !eval_fold_positive((uint32_t)base) ||
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

/* Of a MIN that is clamped to 0 and 1: the operand beside a number that bounds nothing, or -1. Two known doubles are
 * compared. */
static int clamped_alone(const struct known *k, const struct fold *f, const bool known[3])
{
    const struct insn *insn = f->insn;
    const struct result *r = &insn->dst;
    bool wide = insn->type == DT_F64, is_long = program_is_long(k->p, r->kind, r->ref);

    if (insn->op != OP_MIN || (insn->type != DT_F32 && !wide) || is_long != wide ||
        eval_known_is_short(k, r->kind, r->ref) || f->unclamped || !(insn->flags & INSN_SAT) ||
        insn->flags & (INSN_PREC | INSN_HALF | EVAL_INSN_COPIED) || (wide && known[0] && known[1]))
        return -1;
    return is_one_or_more(k, insn, 0, f->component) ? 1 : is_one_or_more(k, insn, 1, f->component) ? 0 : -1;
}

/* Division by a known 0. */
static bool leaves_dividend(const struct known *k, const struct insn *insn)
{
    const struct operand *a = program_operand(k->p, insn->src), *b = a + 1;

    return insn->type == DT_U32 || (insn->op == OP_MOD && !((a->flags | b->flags) & OPND_ABSOLUTE));
}

void eval_fold_partly(const struct known *k, const struct fold *f, const bool known[3], bool same,
                      struct folded *folded)
{
    const struct insn *insn = f->insn;
    uint8_t bit = (uint8_t)(1u << f->component);
    uint64_t b = f->src[1][f->first[1]];
    bool integer = !type_table[insn->type].is_float, narrow = type_table[insn->type].bytes == 4;
    uint32_t word;
    int from = twice_less_itself(k, f, known);

    if (type_table[insn->type].is_float)
        find_ones(k, f, known, folded);
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
        from = eval_known_choice(f, known, same);
        if (from > 0 && f->half && known[from])     /* a NaN, which is made at run time */
            from = -1;
        if (from < 0 && insn->type == DT_F32 && !f->half &&
            !program_is_long(k->p, program_operand(k->p, insn->src)->kind, program_operand(k->p, insn->src)->ref) &&
            eval_is_zero_to_divisions(k, program_operand(k->p, insn->src), f->first[0]))
            from = 2;
        if (from < 0 && insn->type == DT_S64 && eval_known_held(k, program_operand(k->p, insn->src), f->first[0]) &&
            range_of_operand(k, program_operand(k->p, insn->src), f->first[0], DT_S64).sign & RANGE_LONG)
            from = 2;
        if (from > 0)
            folded->taken[from] |= bit;
        return;
    case OP_MIN: case OP_MAX:
        if (same && !integer && insn->type != DT_F16 && !(insn->flags & (INSN_HALF | INSN_PREC)) &&
            !at_run_time(k, insn))
            folded->taken[0] |= bit;
        else if (insn->type == DT_F32 && !(insn->flags & (INSN_HALF | INSN_PREC)) &&
                 (from = eval_known_mirrored(k, insn, f->component)) >= 0)
            folded->taken[from] |= bit;
        else if ((from = clamped_alone(k, f, known)) >= 0)
            folded->taken[from] |= bit;
        return;
    case OP_DIV: case OP_MOD:
        if (integer && narrow &&
            ((known[1] && !b) || eval_is_zero_to_divisions(k, program_operand(k->p, insn->src + 1), f->first[1])) &&
            leaves_dividend(k, insn))
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
