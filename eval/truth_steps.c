/* What becomes of a truth: its number where somebody asks for it, and steps that make something of it (truths.h). */
#include "eval/truths.h"

#include "eval/votes.h"

#include <string.h>

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

/* The words of operand k as they stand; both of a LONG variable in one. */
static bool words(struct decoder *d, const struct insn *insn, unsigned k, uint32_t plane[4])
{
    struct operand o = *program_operand(d->p, insn->src + k);
    bool wide = (o.kind == OPND_SYMBOL || o.kind == OPND_HANDLE) && program_is_long(d->p, o.kind, o.ref);
    uint32_t both[4], high[4], low[4];
    struct fetched f;
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    o.flags = 0;
    if (!eval_fetch(d, &o, wide ? DT_U64 : DT_U32, insn->dst.mask, false, &f))
        return false;
    memcpy(plane, f.plane, sizeof f.plane);
    if (!wide)
        return true;
    fresh(d, both);
    for (unsigned i = 0; i < n; i++) {
        low[i] = plane[comp[i]];
        high[i] = plane[comp[i]] + 1;
    }
    if (!binary(d, OP_OR, n, low, high, both))
        return false;
    for (unsigned i = 0; i < n; i++)
        plane[comp[i]] = both[i];
    return true;
}

/* All bits where the operand is true (those of several: by their words), by components of the result without gaps. */
static bool truths_of(struct decoder *d, const struct insn *insn, unsigned k, unsigned n, const uint8_t comp[4], uint32_t mask[4])
{
    uint32_t all[4], word[4] = {0}, second[4], none = eval_layout_word(&d->layout, 0), zero[4] = {none, none, none, none};

    if (!words(d, insn, k, all))
        return false;
    for (unsigned i = 0; i < n; i++)
        word[i] = all[comp[i]];
    if (op_joins_bits(insn->op)) {
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
    if (insn->op == OP_CMP)         /* twice the same */
        return 1;
    return insn->nsrc < 2 || op_joins_bits(insn->op) || eval_truth_use(d, insn, 0) != TRUTH_WORD ? 0 : 1;
}

/* The words, from operands as they are before anything is written: the number's, for the flags or for all, and the truth's. */
static bool compute_both(struct decoder *d, const struct insn *insn, unsigned k, uint64_t yes, uint64_t no, struct truth_words *to)
{
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

/* What is made of truths that are read with a sign: z and w of DST each of its own operand. */
static bool compute_signed(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);
    struct insn one = *insn;
    struct truth_words of;

    if (insn->op != OP_DST)
        return compute_both(d, insn, (unsigned)eval_signed_truth(d->p, insn, comp[0]), eval_whole_outcome(d, insn, comp[0]), 0, to);
    for (unsigned i = 0; i < n; i++) {
        one.dst.mask = (uint8_t)(1u << comp[i]);
        if (!compute_both(d, &one, comp[i] - 2u, eval_whole_outcome(d, insn, comp[i]), 0, &of))
            return false;
        to->number[i] = of.number[0];
        to->truth[i] = of.truth[0];
    }
    return true;
}

static bool compute_made(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    unsigned k = eval_truth_operand(d, insn);
    bool below = d->truths->below[d->insn] & insn->dst.mask;
    uint64_t is = eval_truth_outcome(d, insn, k, true, below);

    if (d->truths->turned[d->insn] == d->truths->made[d->insn])
        is = is & 0x80000000u ? 0xbf800000u : 0x3f800000u;
    return compute_both(d, insn, k, is, eval_truth_outcome(d, insn, k, false, below), to);
}

/* Nobody writes the upper words of LONG variables. */
static bool leave_open(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    return !program_is_long(d->p, insn->dst.kind, insn->dst.ref) || eval_after(d, eval_request(d, EVAL_OP_UPPER, DT_F32), n, plane);
}

/* A comparison: the highest bit of 1.0 becomes the lowest. */
static bool decode_held(struct decoder *d, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;
    struct kernel_request want = eval_request_of(d, insn, insn->op), shift = eval_request(d, OP_SHR, wide ? DT_U64 : DT_U32);
    struct lane_op op = {.n = 0}, number;

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    number = op;
    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), insn->type, insn->dst.mask, true, &f) ||
            !eval_view_truths(d, insn, k, insn->dst.mask, f.plane))
            return false;
        eval_place(&op, k, &f, FLOW_EACH);
    }
    if (!eval_compute_operand(d, want, &op, &number, 0))
        return false;
    for (unsigned i = 0; i < 4; i++)
        number.src[1][i] = wide ? eval_layout_word64(&d->layout, 61) : eval_layout_word(&d->layout, 29);
    for (unsigned i = 0; i < number.n; i++)
        number.dst[i] = eval_layout_scratch(&d->layout);
    if (!eval_raw(d, &shift, &number, NULL) || !leave_open(d, insn, number.n, number.dst))
        return false;
    return eval_decode_result(d, insn, program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? DT_U32 : shift.type, number.dst, NULL, 0);
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

/* CMP.U goes to its second operand where what a comparison of integers says is true, of its negative to the third whatever it says; XOR puts the other
 * operand's sign on when that has been turned or not. */
static bool compute_whole(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    struct kernel_request choose_of = eval_request(d, OP_CMP, DT_S32), negate = eval_request(d, OP_SUB, DT_U32), absolute = eval_request(d, OP_ABS, DT_S32);
    unsigned k = insn->op == OP_XOR ? eval_turning_truth(d, insn) : 0;
    bool last = insn->op == OP_CMP && operand_negates(program_operand(d->p, insn->src));
    uint32_t word[4], zero = eval_layout_word(&d->layout, 0);
    struct operand other = *program_operand(d->p, insn->src + 1 - k);
    struct lane_op op = {.n = 0}, sign;

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    sign = op;
    if (!words(d, insn, k, word))
        return false;
    fresh(d, to->number);
    for (unsigned i = 0; i < op.n; i++) {
        op.src[0][i] = last ? zero : word[op.comp[i]];
        op.dst[i] = sign.dst[i] = to->number[i];
        sign.comp[i] = (uint8_t)i;
    }
    if (insn->op == OP_CMP)
        return eval_place_operand(d, insn, &op, 1, program_operand(d->p, insn->src + (last ? 2 : 1)), DT_U32) &&     /* what is not chosen does not count */
               eval_place_operand(d, insn, &op, 2, program_operand(d->p, insn->src + 2), DT_U32) && eval_raw(d, &choose_of, &op, NULL);
    other.flags = 0;
    choose_of = eval_request(d, OP_XOR, DT_U32);
    if (!eval_place_operand(d, insn, &op, 1, &other, DT_U32) || !eval_raw(d, &choose_of, &op, NULL))
        return false;
    other = *program_operand(d->p, insn->src + 1 - k);
    memcpy(sign.src[0], to->number, sizeof sign.src[0]);
    if (other.flags & OPND_ABSOLUTE && insn->type == DT_S32 && !eval_raw(d, &absolute, &sign, NULL))
        return false;
    for (unsigned i = 0; i < op.n; i++) {
        sign.src[0][i] = zero;
        sign.src[1][i] = to->number[i];
    }
    return !operand_negates(&other) || eval_raw(d, &negate, &sign, NULL);
}

/* What is below zero where it is true. */
static bool compute_below(struct decoder *d, const struct insn *insn, struct truth_words *to)
{
    uint32_t mask[4];
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    fresh(d, to->number);
    return truths_of(d, insn, insn->op == OP_SGT, n, comp, mask) && choose(d, n, mask, d->truths->held[d->insn] ? 1 : 0x3f800000u, 0, to->number);
}

bool eval_compute_truths(struct decoder *d, const struct insn *insn, uint8_t *mask, struct truth_words to[3])
{
    bool takes = insn->op == OP_CMP || insn->op == OP_XOR, below = op_compares(insn->op);
    struct insn some = *insn;
    uint8_t held;

    memset(to, 0, 3 * sizeof *to);
    if (!d->truths)
        return true;
    if (takes || below)
        to[2].mask = d->truths->whole[d->insn] & *mask & (uint8_t)~d->truths->made[d->insn];
    else
        to[2].mask = eval_whole_truths(d, insn) & *mask & (uint8_t)~d->truths->made[d->insn];
    some.dst.mask = to[2].mask;
    if (to[2].mask && (takes || below)) {
        if (!(below ? compute_below : compute_whole)(d, &some, &to[2]))
            return false;
    } else if (to[2].mask && !compute_signed(d, &some, &to[2]))
        return false;
    *mask &= (uint8_t)~to[2].mask;
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

bool eval_write_truths(struct decoder *d, const struct insn *insn, const struct truth_words to[3])
{
    struct insn plain = *insn;
    bool ok = true;

    plain.cc_update = 0;
    for (unsigned i = 0; i < 3 && ok; i++) {
        uint32_t truth[4];
        plain.dst.mask = to[i].mask;
        memcpy(truth, to[i].truth, sizeof truth);
        if (i == 1 && to[i].mask && insn->op != OP_MOV) {
            struct insn some = *insn;
            some.dst.mask = to[i].mask;
            return decode_held(d, &some);
        }
        ok = write(d, insn, eval_result_type(insn), &to[i], insn->cc_update ? to[i].mask : to[i].mask & (uint8_t)~to[i].held, to[i].number) &&
             (!(to[i].mask & to[i].held) || leave_open(d, insn, (unsigned)__builtin_popcount(to[i].mask), truth)) &&
             write(d, &plain, DT_S32, &to[i], to[i].mask & to[i].held, truth);
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

/* The negative of one that is negative is none; an absolute value has the sign that stands before it. */
static bool is_seen_negative(const struct operand *o, bool below)
{
    return o->flags & OPND_ABSOLUTE ? operand_negates(o) : below != operand_negates(o);
}

bool eval_views_truths(const struct decoder *d)
{
    const uint8_t *views = d->truths ? &d->truths->views[3 * d->insn] : NULL;

    return views && (views[0] | views[1] | views[2]);
}

bool eval_view_truths(struct decoder *d, const struct insn *insn, unsigned k, uint8_t needs, uint32_t plane[4])
{
    const struct operand *o = program_operand(d->p, insn->src + k);
    struct insn some = *insn;
    uint8_t type = eval_operand_type(insn, k), comp[4], seen = d->truths && k < 3 ? d->truths->views[3 * d->insn + k] & needs : 0;
    bool wide = type_table[type].bytes == 8, below;
    uint32_t mask[4], low[4], high[4];
    uint64_t yes;
    unsigned n;

    if (!seen)
        return true;
    some.dst.mask = seen;
    some.op = OP_MOV;           /* of logic one operand alone is wanted */
    n = eval_components(seen, comp);
    below = d->truths->lower[3 * d->insn + k] & seen;
    below = type_table[type].is_float ? below : is_seen_negative(o, below);     /* signs of floats come later */
    yes = type_table[type].is_float ? eval_truth_number(type, below) : below ? UINT64_MAX : 1;
    if (!truths_of(d, &some, k, n, comp, mask))
        return false;
    fresh(d, low);
    for (unsigned i = 0; i < 4; i++)
        high[i] = low[i] + 1;
    if (!choose(d, n, mask, (uint32_t)yes, 0, low) || (wide && !choose(d, n, mask, (uint32_t)(yes >> 32), 0, high)))
        return false;
    for (unsigned i = 0; i < n; i++)
        plane[comp[i]] = low[i];
    return true;
}
