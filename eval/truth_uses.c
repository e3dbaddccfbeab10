/* What an instruction does with a truth, and what comes out of it: conversions, signs and comparisons with zero, which the driver's compiler
 * takes from the predicate and not from a word (truths.h). */
#include "eval/truths.h"

#include "eval/traits.h"

/* ---- what an instruction does with one -------------------------------------------------------------------------------------- */

static bool is_single(const struct insn *insn)
{
    return insn->type == DT_F32 && !(insn->flags & INSN_HALF);
}

/* Operand k as it is written in the program. */
static bool is_number(const struct decoder *d, const struct insn *insn, unsigned k, uint32_t number)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    struct known none = {.p = d->p};
    uint64_t word;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && (o->kind != OPND_CONSTANT || !eval_known_operand(&none, o, c, insn->type, &word) || (uint32_t)word != number))
            return false;
    return true;
}

bool eval_is_written(const struct gp5_program *p, const struct insn *insn, unsigned k, uint64_t number)
{
    const struct operand *o = program_operand(p, insn->src + k);
    struct known none = {.p = p};
    uint64_t word;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && (o->kind != OPND_CONSTANT || !eval_known_operand(&none, o, c, insn->type, &word) || word != number))
            return false;
    return true;
}

bool eval_is_zero(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    return eval_is_written(p, insn, k, 0);
}

/* Operand k and the one behind it. */
static bool is_same(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *a = program_operand(d->p, insn->src + k), *b = program_operand(d->p, insn->src + k + 1);

    return a->kind == b->kind && a->ref == b->ref && a->swizzle == b->swizzle && a->flags == b->flags && !a->nindices && !b->nindices;
}

static bool is_plain_type(uint8_t type)
{
    return type == DT_F32 || eval_is_word(type);
}

static bool is_wide(uint8_t type)
{
    return type != DT_NONE && type_table[type].bytes == 8;
}

static bool is_long(const struct decoder *d, const struct operand *o)
{
    return program_is_long(d->p, o->kind, o->ref);
}

static enum truth_use use_of_move(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size != SIZE_DEFAULT;
    bool half = insn->flags & INSN_HALF || insn->type == DT_F16;

    if (half ? wide || o->flags & OPND_SIGNS : !is_plain_type(insn->type))
        return TRUTH_WORD;
    return wide ? TRUTH_MADE : o->flags & OPND_SIGNS ? TRUTH_SIGNED : TRUTH_COPIED;
}

static enum truth_use use_of_copy(const struct operand *o)
{
    return o->flags & OPND_SIGNS ? TRUTH_SIGNED : TRUTH_COPIED;
}

/* OR and XOR with no bits and AND with all are copies. */
static enum truth_use use_of_logic(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (!eval_is_word(insn->type))
        return TRUTH_WORD;
    return is_number(d, insn, 1 - k, insn->op == OP_AND ? UINT32_MAX : 0) ? use_of_copy(program_operand(d->p, insn->src + k)) : TRUTH_MADE;
}

static enum truth_use use_of_sum(const struct decoder *d, const struct insn *insn, unsigned k)
{
    bool turned = insn->op == OP_SUB && k;

    if (!eval_is_word(insn->type) || !is_number(d, insn, 1 - k, 0))
        return TRUTH_WORD;
    return turned || (program_operand(d->p, insn->src + k)->flags & OPND_SIGNS && insn->op == OP_SUB) ? TRUTH_SIGNED : TRUTH_COPIED;
}

static enum truth_use use_of_product(const struct decoder *d, const struct insn *insn, unsigned k)
{
    bool whole = eval_is_word(insn->type);

    if (!is_single(insn) && !whole)
        return TRUTH_WORD;
    return is_number(d, insn, 1 - k, whole ? 1 : 0x3f800000) ? use_of_copy(program_operand(d->p, insn->src + k)) :
           is_number(d, insn, 1 - k, whole ? UINT32_MAX : 0xbf800000) ? TRUTH_SIGNED : TRUTH_WORD;
}

static enum truth_use use_of_quotient(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (k || !(is_single(insn) || insn->type == DT_U32) || !is_number(d, insn, 1, insn->type == DT_U32 ? 1 : 0x3f800000))
        return TRUTH_WORD;
    return use_of_copy(program_operand(d->p, insn->src));
}

/* A choice between twice the same is one. */
static enum truth_use use_of_choice(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (!is_plain_type(insn->type) || insn->flags & INSN_HALF)
        return TRUTH_WORD;
    if (!k)
        return TRUTH_ASKED;
    return is_same(d, insn, 1) ? use_of_copy(program_operand(d->p, insn->src + k)) : TRUTH_WORD;
}

/* With zero, where that tells true from false. */
static enum truth_use use_of_comparison(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    bool equality = insn->op == OP_SEQ || insn->op == OP_SNE;

    if (!(insn->type == DT_F32 || eval_is_word(insn->type)) || !is_number(d, insn, 1 - k, 0) || o->flags & OPND_ABSOLUTE ||
        (operand_negates(o) && !equality))
        return TRUTH_WORD;
    return eval_truth_outcome(d, insn, k, true, false) != eval_truth_outcome(d, insn, k, false, false) ? TRUTH_MADE : TRUTH_WORD;
}

static enum truth_use use_of_rounding(const struct insn *insn, const struct operand *o, uint8_t from)
{
    bool bare = insn->op == OP_I2F ? operand_negates(o) : type_table[insn->type].is_float && o->flags & OPND_SIGNS;

    return is_plain_type(from) && !(insn->flags & INSN_HALF) && !bare ? TRUTH_MADE : TRUTH_WORD;
}

/* CVT that is a copy of the word. */
static bool copies(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    uint8_t to = insn->type, from = insn->type2;

    if (insn->op != OP_CVT || is_long(d, o) || program_is_long(d->p, insn->dst.kind, insn->dst.ref))
        return false;
    return (to == from && eval_is_word(to)) || (to == DT_U32 && from == DT_U64) || (to == DT_S32 && from == DT_S64) || (to == DT_U64 && from == DT_U32) ||
           (to == DT_S64 && from == DT_S32);
}

/* What reads a LONG variable as 64 bits: copies and conversions; whatever else does takes the number. */
static enum truth_use use_of_whole(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(d->p, insn->src + k);

    switch (insn->op) {
    case OP_MOV: return use_of_copy(o);
    case OP_CVT: return TRUTH_MADE;
    default: return (insn->op == OP_SEQ || insn->op == OP_SNE) && eval_is_zero(d->p, insn, 1 - k) && !(o->flags & OPND_SIGNS) ? TRUTH_MADE : TRUTH_WORD;
    }
}

/* Operations on integers of 32 bits. */
static bool takes_word(const struct insn *insn, unsigned k)
{
    return eval_is_word(eval_operand_type(insn, k)) && insn->op != OP_CVT && !op_votes(insn->op);
}

bool eval_reads_low_word(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (!insn->nsrc || !takes_word(insn, k) || !is_long(d, program_operand(d->p, insn->src + k)))
        return false;
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SAD: case OP_DIV: case OP_MOD: case OP_MIN: case OP_MAX: case OP_ABS: case OP_I2F:
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_SHL: case OP_SHR: case OP_BTC: case OP_BTFL: case OP_BTFM: case OP_BFE:
        return true;
    case OP_CMP:
        return insn->type == DT_S32;
    default:
        return op_compares(insn->op);
    }
}

/* What reads its low word, or the number as one of 32 bits. */
static enum truth_use use_of_part(const struct decoder *d, const struct insn *insn, unsigned k, enum truth_use otherwise)
{
    if (takes_word(insn, k))
        return insn->op != OP_MOV ? TRUTH_ASKED : program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? TRUTH_MADE : use_of_copy(program_operand(d->p, insn->src));
    return otherwise == TRUTH_WORD ? TRUTH_VIEWED : otherwise == TRUTH_COPIED ? TRUTH_MADE : otherwise;
}

/* What takes the number: instructions of 64 bits that read a variable of 32. */
static bool is_viewed(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (!is_wide(eval_operand_type(insn, k)) || is_long(d, program_operand(d->p, insn->src + k)))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_MIN: case OP_MAX: case OP_AND: case OP_OR: case OP_XOR: case OP_CMP:
        return true;
    case OP_DIV: case OP_MOD:
        return !type_table[insn->type].is_float;
    case OP_SHL: case OP_SHR:
        return program_operand(d->p, insn->src + 1)->kind != OPND_CONSTANT;
    default:
        return op_compares(insn->op);
    }
}

bool eval_truth_is_asked(const struct decoder *d, const struct insn *insn, unsigned k)
{
    uint8_t type = eval_operand_type(insn, k);

    if (op_compares(insn->op))
        return !is_wide(type) || eval_is_zero(d->p, insn, 1 - k);
    return op_votes(insn->op) || (insn->op == OP_CMP && !k);
}

static enum truth_use use_of(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src + k) : NULL;
    uint8_t from = insn->nsrc ? eval_operand_type(insn, k) : DT_NONE;

    bool asks = insn->op == OP_CMP && !k;      /* whatever becomes of the answer */

    if (!insn->nsrc || condition_restricts(&insn->dst.condition) || (insn->flags & (INSN_SAT | INSN_SSAT) && !asks) ||
        (insn->flags & INSN_PREC && insn->op != OP_MOV && !asks) || (insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size == SIZE_SHORT))
        return TRUTH_WORD;
    switch (insn->op) {
    case OP_MOV: return use_of_move(d, insn);
    case OP_ABS: return is_plain_type(from) && !(insn->flags & INSN_HALF) ? TRUTH_SIGNED : TRUTH_WORD;
    case OP_I2F: case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND: return use_of_rounding(insn, o, from);
    case OP_CVT: return insn->type2 == DT_F64 ? TRUTH_WORD : insn->type == DT_F32 && insn->type2 == DT_F32 ? TRUTH_COPIED : TRUTH_MADE;
    case OP_NOT: return eval_is_word(insn->type) && operand_negates(o) ? TRUTH_MADE : TRUTH_WORD;
    case OP_ADD: case OP_SUB: return use_of_sum(d, insn, k);
    case OP_DIV: return use_of_quotient(d, insn, k);
    case OP_SHL: case OP_SHR: return !k && is_number(d, insn, 1, 0) ? TRUTH_COPIED : TRUTH_WORD;
    case OP_MUL: return use_of_product(d, insn, k);
    case OP_MAX: case OP_MIN: return is_plain_type(insn->type) && is_same(d, insn, 0) ? use_of_copy(o) : TRUTH_WORD;
    case OP_OR: case OP_AND: case OP_XOR: return use_of_logic(d, insn, k);
    case OP_CMP: return use_of_choice(d, insn, k);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: return o->flags & OPND_ABSOLUTE ? TRUTH_WORD : TRUTH_ASKED;
    default: return op_compares(insn->op) ? use_of_comparison(d, insn, k) : TRUTH_WORD;
    }
}

enum truth_use eval_truth_use(const struct decoder *d, const struct insn *insn, unsigned k)
{
    bool wide = insn->nsrc && is_wide(eval_operand_type(insn, k));

    if (insn->nsrc && is_viewed(d, insn, k))
        return TRUTH_VIEWED;
    if (!insn->nsrc || !is_long(d, program_operand(d->p, insn->src + k)))
        return use_of(d, insn, k);
    if (wide)
        return condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT) ? TRUTH_WORD : use_of_whole(d, insn, k);
    return use_of_part(d, insn, k, use_of(d, insn, k));
}

bool eval_takes_floats(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    bool copies = insn->op == OP_MOV && insn->dst.kind != OPND_CC && !insn->cc_update && !(program_operand(p, insn->src)->flags & OPND_SIGNS);

    return eval_operand_type(insn, k) == DT_F32 && !op_votes(insn->op) && insn->dst.kind != OPND_NONE && !copies;
}

bool eval_takes_integers(const struct insn *insn, unsigned k)
{
    return eval_is_word(eval_operand_type(insn, k)) && insn->op != OP_MOV && !op_votes(insn->op) && insn->dst.kind != OPND_NONE;
}

/* ---- what comes out --------------------------------------------------------------------------------------------------------- */

static uint32_t with_signs(const struct operand *o, uint8_t type, uint32_t word)
{
    bool negate = operand_negates(o);

    if (!word || !negate)
        return word;
    return type == DT_F32 ? word | 0x80000000u : 0u - word;
}

/* Truth as a number of a type, or its negative. */
uint64_t eval_truth_number(uint8_t type, bool negative)
{
    switch (type) {
    case DT_F32: return negative ? 0xbf800000u : 0x3f800000u;
    case DT_F64: return negative ? 0xbff0000000000000u : 0x3ff0000000000000u;
    case DT_F16: return negative ? 0xbc00u : 0x3c00u;
    case DT_U8: case DT_U16: case DT_U32: case DT_U64: return negative ? 0 : 1;
    case DT_S64: return negative ? UINT64_MAX : 1;
    default: return negative ? UINT32_MAX : 1;
    }
}

/* A comparison with zero of operand k. */
static bool compares(const struct insn *insn, unsigned k, uint32_t word)
{
    int order = insn->type == DT_F32 ? (word & 0x80000000u ? -1 : word != 0) : insn->type == DT_S32 ? ((int32_t)word > 0) - ((int32_t)word < 0) : word != 0;
    bool is = false;

    eval_fold_compare(insn->op, k ? -order : order, true, &is);
    return is;
}

/* A conversion between numbers that takes more than one step. */
static bool takes_steps(uint8_t to, uint8_t from, bool to_long, bool from_long)
{
    bool wide = type_table[from].bytes == 8, narrow = type_table[to].bytes < 4;

    if (from == DT_F16)
        return to_long ? to == DT_F16 || to == DT_F32 : to == DT_F64;
    if (type_table[from].is_float)
        return to_long && to == DT_F16;
    if (to_long && from_long && wide)
        return type_table[to].bytes < 8;
    if (to_long)
        return narrow || (type_table[to].bytes == 8 ? wide : to == DT_F32 || !(to == from || (wide && type_table[to].is_signed == type_table[from].is_signed)));
    switch (to) {
    case DT_S8: return from != DT_S8;
    case DT_S16: return from != DT_S8 && from != DT_S16;
    case DT_U64: return wide || type_table[from].is_signed;
    case DT_S64: return wide || !type_table[from].is_signed;
    case DT_F64: return true;
    default: return wide && narrow && !(from_long && !type_table[to].is_float);
    }
}

bool eval_says_truth(const struct gp5_program *p, const struct insn *insn, bool doubles, bool predicates)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p, insn->dst.ref) : NULL;
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;

    if (!o || insn->op != OP_CVT || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    if (insn->type2 == DT_F16 && !type_table[insn->type].is_float)
        return !doubles;
    return predicates && to && to->kind == SYM_TEMP && to->size != SIZE_SHORT && takes_steps(insn->type, insn->type2, to->size == SIZE_LONG, program_is_long(p, o->kind, o->ref));
}

static bool is_unsigned(uint8_t type)
{
    return type == DT_U8 || type == DT_U16 || type == DT_U32 || type == DT_U64;
}

/* The negative of one that is negative is not. */
static bool comes_out_negative(const struct operand *o, bool negative)
{
    return o->flags & OPND_ABSOLUTE ? operand_negates(o) : negative != operand_negates(o);
}

/* The half of a truth goes into a LONG variable as the number. */
static uint8_t converted(const struct decoder *d, const struct insn *insn)
{
    bool to_long = program_is_long(d->p, insn->dst.kind, insn->dst.ref);

    return insn->type == DT_F16 && to_long ? DT_F32 : insn->type;
}

uint64_t eval_truth_outcome(const struct decoder *d, const struct insn *insn, unsigned k, bool truth, bool below)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    uint8_t type = eval_operand_type(insn, k), result = insn->op == OP_CVT ? converted(d, insn) : eval_result_type(insn);
    bool negative = comes_out_negative(o, below);
    uint32_t word = !truth ? 0 : type == DT_F32 ? (negative ? 0xbf800000u : 0x3f800000u) : with_signs(o, DT_S32, below ? 0xbf800000u : 0x3f800000u);

    switch (insn->op) {
    case OP_I2F: case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return !truth || (negative && is_unsigned(type)) ? 0 : negative && is_unsigned(result) ? UINT32_MAX : eval_truth_number(result, negative);
    case OP_CVT:
        return !truth || (negative && is_unsigned(insn->type2) && !copies(d, insn)) ? 0 : copies(d, insn) ? word : eval_truth_number(result, negative);
    case OP_ABS:
        return truth ? 0x3f800000u : 0;
    case OP_NOT:
        return truth ? 0 : UINT32_MAX;
    case OP_SUB:
        return k ? 0u - word : word;
    case OP_MUL:
        if (eval_is_word(insn->type))
            return is_number(d, insn, 1 - k, UINT32_MAX) ? 0u - word : word;
        return word ? word ^ (is_number(d, insn, 1 - k, 0xbf800000) ? 0x80000000u : 0) : 0;
    case OP_MOV:
        if (is_wide(insn->type))
            return !truth ? 0 : type_table[insn->type].is_float ? eval_truth_number(insn->type, negative) : negative ? UINT64_MAX : 1;
        return insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size == SIZE_LONG && eval_is_word(insn->type) && truth && !(o->flags & OPND_SIGNS) ? 1 : word;
    default:
        if (op_compares(insn->op))
            return compares(insn, k, word) ? (insn->type == DT_F32 ? 0x3f800000u : UINT32_MAX) : 0;
        return truth && op_joins_bits(insn->op) && program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? 1 : word;
    }
}
