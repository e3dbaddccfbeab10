/* What becomes of a truth: its number where somebody asks for it, and what conversions, signs and comparisons with zero make of it, which
 * the driver's compiler takes from the predicate and not from a word (truths.h). */
#include "eval/truths.h"

#include <string.h>

/* ---- what an instruction does with one -------------------------------------------------------------------------------------- */

static bool is_single(const struct insn *insn)
{
    return insn->type == DT_F32 && !(insn->flags & INSN_HALF);
}

static bool is_integer(uint8_t type)
{
    return type == DT_S32 || type == DT_U32;
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

static bool is_same(const struct decoder *d, const struct insn *insn)
{
    const struct operand *a = program_operand(d->p, insn->src), *b = program_operand(d->p, insn->src + 1);

    return a->kind == b->kind && a->ref == b->ref && a->swizzle == b->swizzle && a->flags == b->flags && !a->nindices && !b->nindices;
}

static bool is_plain_type(uint8_t type)
{
    return type == DT_F32 || is_integer(type);
}

static enum truth_use use_of_move(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size != SIZE_DEFAULT;

    if (!is_plain_type(insn->type) || insn->flags & INSN_HALF)
        return TRUTH_WORD;
    return wide ? TRUTH_MADE : o->flags & OPND_SIGNS ? TRUTH_SIGNED : TRUTH_COPIED;
}

static enum truth_use use_of_logic(const struct insn *insn)
{
    return is_integer(insn->type) ? TRUTH_MADE : TRUTH_WORD;
}

static enum truth_use use_of_sum(const struct decoder *d, const struct insn *insn, unsigned k)
{
    return is_integer(insn->type) && is_number(d, insn, 1 - k, 0) ? TRUTH_COPIED : TRUTH_WORD;
}

static enum truth_use use_of_copy(const struct operand *o)
{
    return o->flags & OPND_SIGNS ? TRUTH_SIGNED : TRUTH_COPIED;
}

static enum truth_use use_of_product(const struct decoder *d, const struct insn *insn, unsigned k)
{
    if (!is_single(insn))
        return TRUTH_WORD;
    return is_number(d, insn, 1 - k, 0x3f800000) ? use_of_copy(program_operand(d->p, insn->src + k)) : is_number(d, insn, 1 - k, 0xbf800000) ? TRUTH_SIGNED : TRUTH_WORD;
}

/* With zero, where that tells true from false. */
static enum truth_use use_of_comparison(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    bool equality = insn->op == OP_SEQ || insn->op == OP_SNE;

    if (!(is_single(insn) || is_integer(insn->type)) || !is_number(d, insn, 1 - k, 0) || o->flags & OPND_ABSOLUTE ||
        (operand_negates(o) && !equality))
        return TRUTH_WORD;
    return eval_truth_outcome(d, insn, k, true, false) != eval_truth_outcome(d, insn, k, false, false) ? TRUTH_MADE : TRUTH_WORD;
}

static enum truth_use use_of_rounding(const struct insn *insn, const struct operand *o, uint8_t from)
{
    bool bare = insn->op == OP_I2F || type_table[insn->type].is_float;

    return is_plain_type(from) && !(insn->flags & INSN_HALF) && !(bare && o->flags & OPND_SIGNS) ? TRUTH_MADE : TRUTH_WORD;
}

enum truth_use eval_truth_use(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src + k) : NULL;
    uint8_t from = insn->nsrc ? eval_operand_type(insn, k) : DT_NONE;

    if (!insn->nsrc || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) ||
        (insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size == SIZE_SHORT))
        return TRUTH_WORD;
    switch (insn->op) {
    case OP_MOV: return use_of_move(d, insn);
    case OP_ABS: return is_plain_type(from) && !(insn->flags & INSN_HALF) ? TRUTH_SIGNED : TRUTH_WORD;
    case OP_I2F: case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND: return use_of_rounding(insn, o, from);
    case OP_CVT: return insn->type2 == DT_F64 ? TRUTH_WORD : insn->type == DT_F32 && insn->type2 == DT_F32 ? TRUTH_COPIED : TRUTH_MADE;
    case OP_ADD: return use_of_sum(d, insn, k);
    case OP_SHL: case OP_SHR: return !k && is_number(d, insn, 1, 0) ? TRUTH_COPIED : TRUTH_WORD;
    case OP_MUL: return use_of_product(d, insn, k);
    case OP_MAX: case OP_MIN: return is_plain_type(insn->type) && is_same(d, insn) ? use_of_copy(o) : TRUTH_WORD;
    case OP_OR: case OP_AND: case OP_XOR: return use_of_logic(insn);
    case OP_CMP: return !k && is_plain_type(insn->type) && !(insn->flags & INSN_HALF) ? TRUTH_ASKED : TRUTH_WORD;
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: return o->flags & OPND_ABSOLUTE ? TRUTH_WORD : TRUTH_ASKED;
    default: return op_compares(insn->op) ? use_of_comparison(d, insn, k) : TRUTH_WORD;
    }
}

bool eval_takes_floats(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    bool copies = insn->op == OP_MOV && insn->dst.kind != OPND_CC && !insn->cc_update && !(program_operand(p, insn->src)->flags & OPND_SIGNS);

    return eval_operand_type(insn, k) == DT_F32 && !op_votes(insn->op) && insn->dst.kind != OPND_NONE && !copies;
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
static uint64_t number_of(uint8_t type, bool negative)
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

/* CVT that is a copy of the word. */
static bool copies(const struct insn *insn)
{
    return insn->op == OP_CVT && ((insn->type == insn->type2 && is_integer(insn->type)) || (insn->type == DT_U32 && insn->type2 == DT_U64));
}

/* A comparison with zero of operand k. */
static bool compares(const struct insn *insn, unsigned k, uint32_t word)
{
    int order = insn->type == DT_F32 ? (word & 0x80000000u ? -1 : word != 0) : insn->type == DT_S32 ? ((int32_t)word > 0) - ((int32_t)word < 0) : word != 0;
    bool is = false;

    eval_fold_compare(insn->op, k ? -order : order, true, &is);
    return is;
}

bool eval_says_truth(const struct insn *insn, bool doubles, bool predicates)
{
    if (insn->op != OP_CVT || type_table[insn->type].is_float || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    switch (insn->type2) {
    case DT_F16: return !doubles;
    case DT_U8: case DT_U16: case DT_U32: case DT_S32: return predicates && insn->type == DT_S16;
    default: return false;
    }
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

uint64_t eval_truth_outcome(const struct decoder *d, const struct insn *insn, unsigned k, bool truth, bool below)
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    uint8_t type = eval_operand_type(insn, k), result = insn->op == OP_CVT ? insn->type : eval_result_type(insn);
    bool negative = comes_out_negative(o, below);
    uint32_t word = !truth ? 0 : type == DT_F32 ? (negative ? 0xbf800000u : 0x3f800000u) : with_signs(o, DT_S32, below ? 0xbf800000u : 0x3f800000u);

    switch (insn->op) {
    case OP_I2F: case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return !truth || (negative && is_unsigned(type)) ? 0 : negative && is_unsigned(result) ? UINT32_MAX : number_of(result, negative);
    case OP_CVT:
        return !truth || (negative && is_unsigned(insn->type2) && !copies(insn)) ? 0 : copies(insn) ? word : number_of(result, negative);
    case OP_ABS:
        return truth ? 0x3f800000u : 0;
    case OP_MUL:
        return word ? word ^ (is_number(d, insn, 1 - k, 0xbf800000) ? 0x80000000u : 0) : 0;
    case OP_MOV:
        return insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size == SIZE_LONG && is_integer(insn->type) && truth && !(o->flags & OPND_SIGNS) ? 1 : word;
    default:
        if (op_compares(insn->op))
            return compares(insn, k, word) ? (insn->type == DT_F32 ? 0x3f800000u : UINT32_MAX) : 0;
        return word;
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------ */

static bool is_logic(unsigned op)
{
    return op == OP_OR || op == OP_AND || op == OP_XOR;
}

/* The words of operand k as they stand. */
static bool words(struct decoder *d, const struct insn *insn, unsigned k, uint32_t plane[4])
{
    struct operand o = *program_operand(d->p, insn->src + k);
    struct fetched f;

    o.flags = 0;
    if (!eval_fetch(d, &o, DT_U32, insn->dst.mask, false, &f))
        return false;
    memcpy(plane, f.plane, sizeof f.plane);
    return true;
}

static bool binary(struct decoder *d, uint16_t op, unsigned n, const uint32_t a[4], const uint32_t b[4], uint32_t to[4])
{
    struct kernel_request want = eval_request(d, op, DT_U32);
    struct lane_op lanes = {.n = (uint8_t)n};

    for (unsigned i = 0; i < n; i++) {
        lanes.comp[i] = (uint8_t)i;
        lanes.src[0][i] = a[i];
        lanes.src[1][i] = b[i];
        lanes.dst[i] = to[i];
    }
    return eval_raw(d, &want, &lanes, NULL);
}

static void fresh(struct decoder *d, uint32_t plane[4])
{
    for (unsigned i = 0; i < 4; i++)
        plane[i] = eval_layout_scratch(&d->layout);
}

/* All bits where the operand is true (those of several: by their words), by components of the result without gaps. */
static bool truths_of(struct decoder *d, const struct insn *insn, unsigned k, unsigned n, const uint8_t comp[4], uint32_t mask[4])
{
    uint32_t all[4], word[4] = {0}, second[4], none = eval_layout_word(&d->layout, 0), zero[4] = {none, none, none, none};

    if (!words(d, insn, k, all))
        return false;
    for (unsigned i = 0; i < n; i++)
        word[i] = all[comp[i]];
    if (is_logic(insn->op)) {
        if (!words(d, insn, 1, all))
            return false;
        for (unsigned i = 0; i < n; i++)
            second[i] = all[comp[i]];
        fresh(d, mask);
        if (!binary(d, insn->op, n, word, second, mask))
            return false;
        memcpy(word, mask, sizeof word);
    }
    fresh(d, mask);
    return binary(d, OP_SNE, n, word, zero, mask);
}

/* Words where it is true and where not; one of them is 0 unless both are the same. */
static bool choose(struct decoder *d, unsigned n, const uint32_t mask[4], uint32_t yes, uint32_t no, uint32_t to[4])
{
    uint32_t at = eval_layout_word(&d->layout, yes ^ no), base = eval_layout_word(&d->layout, no);
    uint32_t change[4] = {at, at, at, at}, from[4] = {base, base, base, base}, changed[4];

    fresh(d, changed);
    return binary(d, OP_AND, n, mask, change, changed) && binary(d, OP_XOR, n, changed, from, to);
}

/* As 1 or -1. */
static uint32_t held_as(uint64_t number, uint8_t type)
{
    uint32_t word = type_table[type].bytes == 8 ? (uint32_t)(number >> 32) | (uint32_t)number : (uint32_t)number;

    return !word ? 0 : word & 0x80000000u ? UINT32_MAX : 1;
}

unsigned eval_truth_operand(const struct decoder *d, const struct insn *insn)
{
    return insn->nsrc < 2 || is_logic(insn->op) || eval_truth_use(d, insn, 0) != TRUTH_WORD ? 0 : 1;
}

/* The words, from operands as they are before anything is written: the number's, for the flags or for all, and the truth's. */
static bool compute_made(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    unsigned k = eval_truth_operand(d, insn);
    bool below = d->truths->below[d->insn] & insn->dst.mask;
    uint64_t yes = eval_truth_outcome(d, insn, k, true, below), no = eval_truth_outcome(d, insn, k, false, below);
    uint8_t type = eval_result_type(insn), comp[4];
    uint32_t mask[4], high[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    if (!truths_of(d, insn, k, n, comp, mask))
        return false;
    fresh(d, to->number);
    fresh(d, to->truth);
    for (unsigned i = 0; i < 4; i++)
        high[i] = to->number[i] + 1;
    return choose(d, n, mask, (uint32_t)yes, (uint32_t)no, to->number) &&
           (type_table[type].bytes < 8 || choose(d, n, mask, (uint32_t)(yes >> 32), (uint32_t)(no >> 32), high)) &&
           choose(d, n, mask, held_as(yes, type), held_as(no, type), to->truth);
}

/* A comparison: the highest bit of 1.0 becomes the lowest. */
static bool decode_held(struct decoder *d, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;
    struct kernel_request want = eval_request_of(d, insn, insn->op), shift = eval_request(d, OP_SHR, wide ? DT_U64 : DT_U32);
    struct lane_op op = {.n = 0}, number;

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    number = op;
    for (unsigned k = 0; k < 2; k++)
        if (!eval_place_operand(d, insn, &op, k, program_operand(d->p, insn->src + k), insn->type))
            return false;
    if (!eval_compute_operand(d, want, &op, &number, 0))
        return false;
    for (unsigned i = 0; i < 4; i++)
        number.src[1][i] = wide ? eval_layout_word64(&d->layout, 61) : eval_layout_word(&d->layout, 29);
    for (unsigned i = 0; i < number.n; i++)
        number.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &shift, &number, NULL) && eval_decode_result(d, insn, shift.type, number.dst, NULL, 0);
}

/* A copy that sets flags: those of the number. */
static bool compute_copy(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    uint32_t mask[4], word[4];
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    fresh(d, to->number);
    if (!truths_of(d, insn, 0, n, comp, mask) || !words(d, insn, 0, word) || !choose(d, n, mask, 0x3f800000u, 0, to->number))
        return false;
    for (unsigned i = 0; i < n; i++)
        to->truth[i] = word[comp[i]];
    return true;
}

bool eval_compute_truths(struct decoder *d, const struct insn *insn, uint8_t *mask, struct truth_words to[2])
{
    struct insn some = *insn;
    uint8_t held;

    memset(to, 0, 2 * sizeof *to);
    if (!d->truths)
        return true;
    held = d->truths->held[d->insn] & *mask;
    to[0].mask = d->truths->made[d->insn] & *mask;
    to[0].held = held;
    held &= (uint8_t)~to[0].mask;
    to[1].mask = to[1].held = insn->op != OP_MOV || insn->cc_update ? held : 0;
    *mask &= (uint8_t)~(to[0].mask | to[1].mask);
    some.dst.mask = to[0].mask;
    if (some.dst.mask && !compute_made(d, &some, &to[0]))
        return false;
    some.dst.mask = to[1].mask;
    return !some.dst.mask || insn->op != OP_MOV || compute_copy(d, &some, &to[1]);
}

/* Those of the components in `mask`, of all that were computed. */
static bool write(struct decoder *d, const struct insn *insn, uint8_t type, const struct truth_words *from, uint8_t mask, const uint32_t plane[4])
{
    struct insn some = *insn;
    uint32_t planes[4] = {0};
    unsigned n = 0, at = 0;

    some.dst.mask = mask;
    for (unsigned c = 0; c < 4; c++) {
        if (mask >> c & 1)
            planes[n++] = plane[at];
        at += from->mask >> c & 1;
    }
    return !mask || eval_decode_result(d, &some, type, planes, NULL, 0);
}

bool eval_write_truths(struct decoder *d, const struct insn *insn, const struct truth_words to[2])
{
    struct insn plain = *insn;
    bool ok = true;

    plain.cc_update = 0;
    for (unsigned i = 0; i < 2 && ok; i++) {
        plain.dst.mask = to[i].mask;
        if (i && to[i].mask && insn->op != OP_MOV) {
            struct insn some = *insn;
            some.dst.mask = to[i].mask;
            return decode_held(d, &some);
        }
        ok = write(d, insn, eval_result_type(insn), &to[i], insn->cc_update ? to[i].mask : to[i].mask & (uint8_t)~to[i].held, to[i].number) &&
             write(d, &plain, DT_S32, &to[i], to[i].mask & to[i].held, to[i].truth);
    }
    return ok;
}

bool eval_ask_truths(struct decoder *d, uint8_t mask, uint32_t plane[4])
{
    struct kernel_request want = eval_request(d, OP_CVT, DT_F32);
    struct lane_op op = {.n = 0};
    uint8_t asks = d->truths ? d->truths->asks[d->insn] & mask : 0;

    want.type2 = DT_S32;
    for (unsigned c = 0; c < 4; c++)
        if (asks >> c & 1) {
            op.comp[op.n] = op.n;
            op.src[0][op.n] = plane[c];
            plane[c] = op.dst[op.n++] = eval_layout_scratch(&d->layout);
        }
    return !op.n || eval_raw(d, &want, &op, NULL);
}
