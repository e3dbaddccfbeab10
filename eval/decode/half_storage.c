/* SHORT variables. The driver has them in registers of 32 bits. A float that is written there is made a half, in the
 * low bits; who reads it as a float takes the low bits for one, and who reads it as an integer all 32. What was only
 * copied there (MOV, ABS) is read as it was before. */
#include "eval/numeric/half_memory.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

bool eval_is_both(const struct decoder *d, uint32_t symbol)
{
    return d->shorts.both && d->shorts.both[symbol];
}

/* MOV from one SHORT variable to another: word and float go over as they are. */
bool eval_moves_short(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);

    return insn->op == OP_MOV && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !o->flags &&
           eval_is_short(d, o->kind, o->ref) && eval_is_short(d, insn->dst.kind, insn->dst.ref);
}

static uint8_t onto_itself(const struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct operand *o = program_operand(d->p, insn->src);
    uint8_t mask = 0;

    if (insn->op != OP_MOV || insn->cc_update || !eval_moves_short(d, insn) || o->ref != insn->dst.ref)
        return 0;
    for (unsigned c = 0; c < 4; c++)
        if ((o->swizzle >> 2 * c & 3) == c)
            mask |= (uint8_t)(1u << c);
    return mask;
}

uint8_t eval_moves_nothing(const struct decoder *d, uint32_t i)
{
    return i < d->shorts.subroutines || condition_restricts(&program_insn(d->p, i)->dst.condition) ? onto_itself(d, i)
                                                                                                   : 0;
}

/* ---- what stands in them ------------------------------------------------------------------------------------ */

/* CVT between a half and a single, without a clamp or another rounding. */
static bool is_plain_conversion(const struct insn *insn, uint8_t to, uint8_t from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !insn->cc_update &&
           (!insn->rounding || insn->rounding == MOD_ROUND) &&
           !(insn->flags & (to == DT_F16 ? INSN_SSAT : INSN_SAT | INSN_SSAT));
}

static bool is_copied(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    bool flip;

    if (insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition))
        return false;
    if (op_loads(insn->op) || (op_has(insn->op, A_UNPACKS) && insn->op != OP_UP2H))
        return true;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_CVT:
        return !eval_is_literal(d->p, program_operand(d->p, insn->src));
    case OP_DST: case OP_PK2H: return true;
    case OP_MUL:
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && model_copied_factor(&d->model, i, c, &flip) >= 0)
                return true;
        return false;
    default:
        return false;
    }
}

/* One half, or several at once. */
static bool loads_halves(const struct insn *insn)
{
    return insn->type == DT_F16 && op_loads(insn->op);
}

static bool loads_half(const struct insn *insn)
{
    return loads_halves(insn) && insn->width == 1;
}

/* What atomic operations give is the word that they found. */
static bool gives_word(const struct insn *insn)
{
    return op_is(insn->op, K_ATOMIC);
}

uint8_t eval_short_kind(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    bool narrows = is_plain_conversion(insn, DT_F16, DT_F32);

    if (eval_moves_short(d, insn) && d->shorts.both) {
        uint32_t from = program_operand(d->p, insn->src)->ref;
        return (d->shorts.words[from] ? SHORT_NUMBER : 0) | (d->shorts.floats[from] ? SHORT_COPY : 0);
    }
    if (insn->op == OP_PK2H && !insn->cc_update && is_copied(d, insn, i))
        return SHORT_NUMBER | SHORT_COPY;
    if ((insn->op == OP_CVT && !narrows) || op_has(insn->op, A_PACKS) ||
        (!narrows && (!type_table[eval_result_type(insn)].is_float || type_table[eval_result_type(insn)].bytes == 8)) ||
        loads_half(insn) || gives_word(insn))
        return SHORT_NUMBER;
    return is_copied(d, insn, i) ? SHORT_COPY : SHORT_HALF;
}

/* Whether the bits above the half are zeros in component c. A copy of what was a half before is that one, with what
 * stands above it. */
bool eval_clears_upper(const struct decoder *d, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;

    if (condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (op_has(insn->op, A_COPIES))
        return (eval_folded_at(d, d->insn) && eval_folded_at(d, d->insn)->known_short >> c & 1) ||
               !(o && o->kind == OPND_SYMBOL && d->shorts.halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1);
    if (op_loads(insn->op))
        return insn->type != DT_F16;    /* several at once: whatever stands beside them */
    return op_has(insn->op, A_ROUNDS) || insn->op == OP_I2F ||
           (op_has(insn->op, A_UNPACKS) && insn->op != OP_UP2H);
}

/* The half in the low bits of a word as a single, or the other way. */
struct kernel_request eval_half_conversion(const struct decoder *d, bool to_half)
{
    struct kernel_request want = eval_request(d, OP_CVT, to_half ? DT_F16 : DT_F32);

    want.type2 = to_half ? DT_F32 : DT_F16;
    return want;
}

/* ---- who asks ----------------------------------------------------------------------------------------------- */

bool eval_reads_word(const struct decoder *d, uint8_t type)
{
    return d->now ? eval_is_read_as_word(d->now, type) : !type_table[type].is_float;
}

/* Whether an instruction takes halves as they are where its compiler knows them: denormal ones, too. */
static bool keeps_half(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_PK2H || insn->flags & INSN_PREC ||
           (op_has(insn->op, A_COPIES) && eval_is_short(d, insn->dst.kind, insn->dst.ref)) ||
           (eval_is_half(d, insn) && shape_table[op_table[insn->op].shape].result != RC_NONE);
}

/* What the compiler knows to stand there, as floats. */
static void take_known(struct decoder *d, const struct operand *o, uint8_t needed, struct fetched *f)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    const struct insn *insn = program_insn(d->p, d->insn);

    for (unsigned n = 0; folded && n < insn->nsrc && n < 3; n++)
        for (unsigned i = 0; program_operand(d->p, insn->src + n)->ref == o->ref && i < 4; i++) {
            unsigned c = o->swizzle >> 2 * i & 3;
            uint16_t half = folded->halves[n][c];
            if (needed >> i & 1 && folded->shorts[n] >> c & 1)
                f->plane[i] = eval_layout_word(
                    &d->layout, eval_half_to_float(keeps_half(d, d->now) || half & 0x7c00 ? half : half & 0x8000));
        }
}

/* Whether an instruction converts what the register holds, or is left to run time: then that is the half, whatever was
 * copied. */
static bool takes_half(const struct insn *insn)
{
    switch (insn->op) {
    case OP_ROUND: case OP_TRUNC: return true;
    case OP_FLR: case OP_CEIL: return !type_table[eval_result_type(insn)].is_float || insn->flags & INSN_PREC;
    default: return insn->flags & INSN_PREC;
    }
}

bool eval_fetch_half(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, struct fetched *f)
{
    if (d->shorts.both && d->now && eval_is_short(d, o->kind, o->ref) && !eval_is_read_as_word(d->now, type) &&
        !eval_moves_short(d, d->now))
        take_known(d, o, needed, f);
    if (!d->shorts.both || o->kind != OPND_SYMBOL || !d->now || !d->shorts.floats[o->ref])
        return true;
    if (d->now->op == OP_CVT && d->now->type2 == DT_F16)
        return eval_map(d, eval_half_conversion(d, true), needed, f, 0, 0);
    return !type_table[type].is_float || !takes_half(d->now) || !d->shorts.copied[o->ref] ||
           eval_map(d, eval_request(d, EVAL_OP_HALF, DT_F32), needed, f, 0, 0);
}

/* Components of a result that are halves, whatever they go into. */
static uint8_t made_halves(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;
    uint8_t moved = 0;

    if (insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type2 == DT_F16 && insn->type == DT_F32))
        return insn->dst.mask;
    if (insn->op == OP_MOV && o && o->kind == OPND_SYMBOL) {
        for (unsigned c = 0; c < 4; c++)
            if (eval_is_short(d, o->kind, o->ref) || d->shorts.halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
                moved |= (uint8_t)(1u << c);
        return insn->dst.mask & moved;
    }
    if (loads_halves(insn))        /* what was not loaded is a number */
        return insn->dst.mask & (uint8_t)((1u << insn->width) - 1);
    if (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC)     /* they take no notice of .F16 */
        return 0;
    return insn->op != OP_CVT && !op_votes(insn->op) && (insn->type == DT_F16 || insn->flags & INSN_HALF) &&
                   shape_table[op_table[insn->op].shape].result != RC_NONE
               ? insn->dst.mask
               : 0;
}

void eval_note_halves(struct decoder *d, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool always = !d->nesting && d->insn < d->shorts.subroutines && !r->nindices && !condition_restricts(&r->condition);
    uint8_t made;

    if (!d->shorts.both || r->kind != OPND_SYMBOL || insn->op >= OP_COUNT || eval_gives_nothing(d->p, insn))
        return;
    made = made_halves(d, insn);
    d->shorts.halves[r->ref] |= made;
    if (always)
        d->shorts.halves[r->ref] &= (uint8_t)~(r->mask & ~made);
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

void eval_short_form(const struct decoder *d, struct insn *insn)
{
    bool to_short = eval_is_short(d, insn->dst.kind, insn->dst.ref);

    if (!nvidia(d))
        return;
    if (eval_clamps_behind_flags(insn) && eval_sets_flags_alone(d->p, insn, &d->model.ends))
        insn->flags &= ~(uint32_t)INSN_SAT;
    if (to_short && loads_half(insn)) {
        insn->type = DT_U16;        /* a NaN keeps its bits */
    } else if (insn->op != OP_PK2H && eval_packs_words(d, insn)) {
        insn->type = DT_U16;
    } else if (eval_drops_half(d->p, insn)) {
        insn->type = DT_F32;
        insn->flags = (insn->flags & ~(uint32_t)INSN_HALF) | EVAL_INSN_SINGLE;
    } else if (to_short ? is_plain_conversion(insn, DT_F16, DT_F32)
                        : is_plain_conversion(insn, DT_F32, DT_F16) && d->shorts.both &&
                              program_operand(d->p, insn->src)->kind == OPND_SYMBOL &&
                              d->shorts.floats[program_operand(d->p, insn->src)->ref]) {
        insn->op = OP_MOV;
        insn->type = insn->type2 = DT_F32;
        insn->rounding = 0;
    }
}

/* What is computed as a single and made a half then. */
static bool is_narrowed(const struct decoder *d, const struct insn *insn)
{
    if (eval_short_kind(d, insn, d->insn) != SHORT_HALF)
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_TRUNC: case OP_MUL: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        return true;
    default:
        return (insn->flags & EVAL_INSN_SINGLE) != 0;
    }
}

/* The driver clamps a half with the low halves of the singles -1 and 1, which are 0 (or, where that is not what comes
 * out, with something else). */
static bool loses_clamp(const struct decoder *d, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && !(insn->flags & EVAL_INSN_SINGLE) && !op_has(insn->op, A_COPIES) &&
           insn->op != OP_ROUND && insn->op != OP_TRUNC && eval_short_kind(d, insn, d->insn) != SHORT_NUMBER;
}

bool eval_finishes_short(const struct decoder *d, const struct insn *insn)
{
    if (insn->op == OP_PK2H && eval_packs_words(d, insn))
        return true;
    return nvidia(d) && eval_is_short(d, insn->dst.kind, insn->dst.ref) &&
           ((is_narrowed(d, insn) && !eval_sets_flags_alone(d->p, insn, &d->model.ends)) || loses_clamp(d, insn));
}

static bool becomes_zero(unsigned op)
{
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_MIN: case OP_MAX: case OP_FLR: case OP_CEIL:
    case OP_FRC: case OP_CMP:
    case OP_SLT: case OP_LRP: case OP_DP2: case OP_DP2A: case OP_DP3: case OP_DP4: case OP_DPH: case OP_XPD:
    case OP_X2D: case OP_SWZ:
        return true;
    default:
        return false;
    }
}

bool eval_finish_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t from[4])
{
    struct kernel_request want = eval_half_conversion(d, true);

    if (!eval_finishes_short(d, insn))
        return true;
    if (insn->op == OP_PK2H)
        return eval_put_words(d, insn, eval_packs_words(d, insn), n, from);
    if (loses_clamp(d, insn)) {
        for (unsigned i = 0; i < n && becomes_zero(insn->op); i++)
            from[i] = eval_layout_word(&d->layout, 0);
        return becomes_zero(insn->op) || eval_after(d, eval_request(d, EVAL_OP_LOST, DT_F32), n, from);
    }
    if (insn->op != OP_TRUNC) {
        uint8_t mask = insn->dst.mask, single = model_clamps_single(&d->model, d->insn, insn);
        for (unsigned i = 0; i < n; i++, mask &= mask - 1)
            if (!(mask & -mask & single) && !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), 1, from + i))
                return false;
        return true;
    }
    want.rounding = MOD_TRUNC;      /* beyond the largest half: that */
    return eval_after(d, want, n, from) && eval_after(d, eval_half_conversion(d, false), n, from);
}
