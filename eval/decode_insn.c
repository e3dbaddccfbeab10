/* An instruction as steps: which file decodes it, and what there is to know of any. */
#include "eval/decode.h"
#include "eval/half_copies.h"
#include "eval/views.h"
#include "eval/keeping.h"
#include "eval/result_steps.h"
#include "eval/shorts.h"
#include "eval/texture.h"

#include <string.h>

static bool decode_kill(struct decoder *d, const struct insn *insn)
{
    struct lane_op op = {.n = 4, .comp = {0, 1, 2, 3}};
    struct op_track track = {.op = OP_KIL, .nsrc = 1};
    struct fetched f = {.plane = {0}};
    struct step *s;
    uint32_t at;

    if (!insn->nsrc)
        return eval_refuse(d, insn->span, "KIL with a test");
    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 15, false, &f))
        return false;
    memcpy(op.src[0], f.plane, sizeof f.plane);
    at = eval_push(d, &d->ops, &op);
    if (at == NO_INDEX || eval_push(d, &d->tracks, &track) == NO_INDEX)
        return false;
    s = eval_step(d, STEP_KILL);
    if (!s)
        return false;
    s->target = at;
    return true;
}

static bool decode(struct decoder *d, const struct insn *insn)
{
    switch (insn->op) {
    case OP_IF:
    case OP_ELSE:
    case OP_ENDIF:
    case OP_REP:
    case OP_ENDREP:
    case OP_BRK:
    case OP_CONT:
    case OP_CAL:
    case OP_RET:
        return eval_decode_flow(d, insn);
    case OP_CALI:
        return eval_decode_indirect(d, insn);
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LDS: case OP_STS: case OP_ATOMS: case OP_LDC:
    case OP_LOAD: case OP_STORE: case OP_ATOM:
        return eval_decode_access(d, insn);
    case OP_LOADIM: case OP_STOREIM: case OP_ATOMIM: case OP_IMQ:
        return eval_decode_image(d, insn);
    case OP_TEX: case OP_TXB: case OP_TXL: case OP_TXD: case OP_TXP: case OP_TXF: case OP_TXG: case OP_TXGO: case OP_TXQ:
    case OP_TXFMS: case OP_TXQS:
        return eval_decode_texture(d, insn);
    case OP_ATOMCTR: case OP_ATOMCTROP:
        return eval_decode_counter(d, insn);
    case OP_SHFUP:
    case OP_SHFDOWN:
    case OP_SHFIDX:
    case OP_SHFXOR:
    case OP_TGALL:
    case OP_TGANY:
    case OP_TGEQ:
    case OP_TGBALLOT: case OP_MATCH:
        return eval_decode_exchange(d, insn);
    case OP_QSWZ0: case OP_QSWZ1: case OP_QSWZ2: case OP_QSWZ3: case OP_QSWZX: case OP_QSWZY:
        return eval_decode_quad(d, insn);
    case OP_BAR:
        return eval_step(d, STEP_BARRIER) != NULL;
    case OP_MEMBAR:
        return eval_step(d, STEP_NOTHING) != NULL;
    case OP_KIL:
        return decode_kill(d, insn);
    default:
        if (eval_is_group(insn->op))
            return eval_decode_group(d, insn);
        if (insn->op >= OP_COUNT || (insn->op != OP_SWZ && eval_op_flow(insn->op) == FLOW_NONE))
            return eval_refuse(d, insn->span, "%s",
                               insn->op < OP_COUNT ? op_table[insn->op].name : "this instruction");
        return eval_decode_lanes(d, insn);
    }
}

bool eval_clamps_nothing(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && insn->type == DT_F64 && !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

bool eval_tests_nothing(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && program_is_long(p, insn->dst.kind, insn->dst.ref);
}

bool eval_clamps_late(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->flags & INSN_SAT && eval_result_type(insn) == DT_F64 &&
           insn->dst.kind != OPND_CC && !program_is_long(d->p, insn->dst.kind, insn->dst.ref);
}

bool eval_clamps_widened(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F64 &&
           insn->flags & (INSN_SAT | INSN_SSAT) && program_is_long(d->p, insn->dst.kind, insn->dst.ref);
}

/* The driver's .SSAT (tests/recordings/patterns/questions3.txt, ssat_*): into a LONG variable takes no notice of a condition, from F64 into a single one it
 * clamps nothing. */
static void forget_half(const struct decoder *d, struct insn *insn)
{
    if (!(insn->flags & INSN_SSAT) || d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return;
    if (eval_tests_nothing(d->p, insn))
        insn->dst.condition = (struct condition){0};
    else if (eval_clamps_nothing(d->p, insn))
        insn->flags &= ~(uint32_t)INSN_SSAT;
}

/* The driver divides doubles by a loop, and forgets .SAT of what it may not write in a LONG variable. */
static bool divides_unclamped(const struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->type == DT_F64 && (insn->op == OP_RCP || insn->op == OP_DIV) &&
           program_is_long(d->p, insn->dst.kind, insn->dst.ref) && condition_restricts(&insn->dst.condition) && !insn->cc_update &&
           !(folded && folded->settled);
}

static bool computes_in_turn(const struct decoder *d, const struct insn *insn)
{
    return eval_has(d, PASS_write_order) && eval_reads_turns(d->p, insn);
}

/* Whether its tests would see flags of a component before it that the driver's do not. */
static bool sees_turns(const struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    return !(folded && folded->in_turn) && eval_sees_turns(insn);
}

static bool decode_in_turn(struct decoder *d, const struct insn *insn)
{
    struct insn some = *insn;
    bool ok = !sees_turns(d, insn) || eval_keep_outcome(d, insn);

    d->earlier = sees_turns(d, insn);
    for (unsigned turn = 0; ok && turn < 4; turn++) {
        some.dst.mask = eval_turn(insn, turn);
        ok = !some.dst.mask || decode(d, &some);
    }
    d->earlier = false;
    return ok;
}

bool eval_decode_instruction(struct decoder *d, uint32_t i)
{
    struct insn insn;
    uint32_t first;

    d->insn = i;
    d->first_step = true;
    d->layout.scratch_used = 0;
    insn = *program_insn(d->p, i);
    d->now = &insn;
    if (!eval_keep_factors(d, i) || !eval_keep_operand(d, i) || !eval_keep_views(d, i) || !eval_keep_words(d, i))
        return false;
    forget_half(d, &insn);
    eval_short_form(d, &insn);
    insn.dst.mask &= (uint8_t)~eval_moves_nothing(d, i);
    if (eval_has(d, PASS_write_order) && eval_writes_apart(d->p, &insn) && (insn.type == DT_F32 || insn.type == DT_F64))
        insn.flags &= ~(uint32_t)INSN_SAT;
    if (divides_unclamped(d, &insn))
        insn.flags &= ~(uint32_t)INSN_SAT;
    if (!eval_keep_halves(d, &insn))
        return false;
    first = (uint32_t)d->steps.count;
    if (!(computes_in_turn(d, &insn) ? decode_in_turn(d, &insn) : decode(d, &insn)) ||
        !eval_meet_shorts(d, &insn))
        return false;
    d->now = NULL;
    /* What nobody reads can race all the same, at the address that was computed for it. */
    for (uint32_t k = first; d->contraction.idle && d->contraction.idle[i] && !d->x->options.track_races && k < d->steps.count; k++)
        ((struct step *)vec_at(&d->steps, k))->quick = STEP_NOTHING;
    /* Nothing to do, but it is an instruction all the same. */
    return (!d->first_step || eval_step(d, STEP_NOTHING) != NULL) && eval_give_back_planes(d);
}
