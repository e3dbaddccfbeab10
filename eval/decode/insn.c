/* An instruction as steps: which file decodes it, and what there is to know of any. */
#include "eval/decode/decode.h"
#include "eval/decode/temp_alloc.h"
#include "eval/decode/result_emit.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"
#include "eval/texture/texture.h"

#include "asm/binding_name.h"

#include <string.h>

static bool decode_kill(struct decoder *d, const struct insn *insn)
{
    struct lane_op op = {.n = 4, .comp = {0, 1, 2, 3}};
    struct op_track track = {.op = OP_KIL, .nsrc = 1};
    struct fetched f = {.plane = {0}};
    struct step *s;
    uint32_t at;

    if (!insn->nsrc) {
        s = eval_step(d, STEP_KILL);
        if (!s)
            return false;
        s->test = eval_test_of_flow(d, insn);
        s->target = NO_STEP;
        return true;
    }
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

/* ARL and ARR are FLR.S and ROUND.S into an address register. */
static bool decode_address(struct decoder *d, const struct insn *insn)
{
    struct insn rounded = *insn;

    rounded.op = insn->op == OP_ARL ? OP_FLR : OP_ROUND;
    rounded.type = DT_S32;
    return eval_decode_lanes(d, &rounded);
}

/* ARA: x and z are the sum of the operand's x and z, y and w of its y and w. */
static bool decode_address_sum(struct decoder *d, const struct insn *insn)
{
    struct insn sum = *insn;
    struct lane_op op = {.n = (uint8_t)eval_components(insn->dst.mask, op.comp)};
    struct fetched f;

    sum.type = DT_S32;
    if (!op.n || !eval_fetch(d, program_operand(d->p, insn->src), DT_S32, 15, false, &f))
        return !op.n;
    for (unsigned i = 0; i < op.n; i++) {
        op.src[0][i] = f.plane[op.comp[i] & 1];
        op.src[1][i] = f.plane[(op.comp[i] & 1) + 2];
    }
    return eval_emit(d, &sum, eval_request(d, OP_ADD, DT_S32), &op);
}

bool eval_needs_quads(struct decoder *d, const struct insn *insn)
{
    if (asm_has_quads(d->p))
        return true;
    return profile_table[d->p->profile].stage_id == STAGE_COMPUTE
               ? eval_refuse(d, insn->span, "%s without OPTION NV_derivative_group_quads or _linear",
                             op_table[insn->op].name)
               : eval_refuse(d, insn->span, "%s in a %s program, whose lanes form no quads", op_table[insn->op].name,
                             profile_table[d->p->profile].stage);
}

/* IPAC and IPAS: with one sample a pixel, at its centre, all of them are there. */
static bool decode_at_centre(struct decoder *d, const struct insn *insn)
{
    struct insn copy = *insn;

    copy.op = OP_MOV;
    return eval_decode_lanes(d, &copy);
}

/* EMIT, EMITS and ENDPRIM: of EMITS the plane of the stream. */
static bool decode_emit(struct decoder *d, const struct insn *insn)
{
    struct fetched f = {.plane = {NO_PLANE}};
    struct step *s;

    if (insn->nsrc && !eval_fetch(d, program_operand(d->p, insn->src), DT_S32, 1, false, &f))
        return false;
    s = eval_step(d, insn->op == OP_ENDPRIM ? STEP_END_PRIMITIVE : STEP_EMIT);
    if (s)
        s->ref = f.plane[0];
    return s != NULL;
}

static const struct binding *result_binding(const struct decoder *d, const struct result *r, uint32_t element,
                                            uint32_t *at)
{
    const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(d->p, r->ref) : NULL;

    *at = 0;
    if (r->kind == OPND_BINDING)
        return program_binding(d->p, r->ref);
    return s && s->kind == SYM_OUTPUT && s->nbindings ? eval_element_binding(d->p, s, element, at) : NULL;
}

/* What one thread leaves for the patch all of its threads have from here on. */
static bool share_result(struct decoder *d, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct index *index = r->nindices ? program_index(d->p, r->index) : NULL;
    bool any = index && index->mode == INDEX_RELATIVE;
    uint32_t first = any || !index ? 0 : (uint32_t)index->offset,
             last = any ? program_symbol(d->p, r->ref)->array_size - 1 : first, at;

    for (uint32_t e = first; e <= last; e++) {
        const struct binding *b = result_binding(d, r, e, &at);
        struct write share = {.n = (uint8_t)eval_components(r->mask, share.comp),
                              .registers = !any && !condition_restricts(&r->condition)};    /* all lanes write it */
        struct step *s;
        if (!b || !asm_is_of_patch(asm_canonical_binding(b->kind)))
            return true;
        for (unsigned i = 0; i < share.n; i++) {
            uint32_t number = (b->nindices ? b->first[0] : 0) + at;
            share.to[i] = eval_layout_source(&d->layout, b->kind, number, share.comp[i]);
            share.from[i] = eval_layout_source(&d->layout, b->kind, number | SHARED_BEFORE, share.comp[i]);
        }
        s = eval_step(d, STEP_SHARE);
        if (!s)
            return false;
        s->ref = (uint32_t)d->writes.count;
        if (eval_push(d, &d->writes, &share) == NO_INDEX)
            return false;
    }
    return true;
}

static bool decode(struct decoder *d, const struct insn *insn)
{
    if (op_has(insn->op, A_UNBUILT) || insn->op >= OP_COUNT)
        return eval_refuse(d, insn->span, "%s", insn->op < OP_COUNT ? op_table[insn->op].name : "this instruction");
    switch ((enum opcode_kind)op_table[insn->op].kind) {
    case K_EMIT: return decode_emit(d, insn);
    case K_ADDRESS:
        return op_has(insn->op, A_STACK) ? eval_decode_address_stack(d, insn)
               : insn->op == OP_ARA      ? decode_address_sum(d, insn)
                                         : decode_address(d, insn);
    case K_FLOW: return insn->op == OP_CALI ? eval_decode_indirect(d, insn) : eval_decode_flow(d, insn);
    case K_LOAD: case K_STORE: case K_ATOMIC: return eval_decode_access(d, insn);
    case K_IMAGE_LOAD: case K_IMAGE_STORE: case K_IMAGE_ATOMIC: case K_IMAGE_QUERY: return eval_decode_image(d, insn);
    case K_SAMPLE: case K_GATHER: case K_FETCH: case K_QUERY: return eval_decode_texture(d, insn);
    case K_COUNTER: return eval_decode_counter(d, insn);
    case K_SHUFFLE: case K_VOTE: case K_MATCH: return eval_decode_exchange(d, insn);
    case K_DERIVATIVE: return eval_needs_quads(d, insn) && eval_decode_derivative(d, insn);
    case K_INTERPOLATION: return insn->op == OP_IPAO ? eval_decode_offset(d, insn) : decode_at_centre(d, insn);
    case K_QUAD: return eval_decode_quad(d, insn);
    case K_BARRIER: return eval_step(d, STEP_BARRIER) != NULL;
    case K_FENCE: return eval_step(d, STEP_NOTHING) != NULL;     /* no two fragments of a launch are of one pixel */
    case K_KILL: case K_DEMOTE: return decode_kill(d, insn);
    case K_SUBGROUP: return eval_decode_group(d, insn);
    default: return eval_decode_lanes(d, insn);
    }
}

/* The driver's .SSAT (tests/recordings/patterns/questions3.txt, ssat_*): into a LONG variable takes no notice of a
 * condition, from F64 into a single one it clamps nothing. */
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

    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->type == DT_F64 &&
           (insn->op == OP_RCP || insn->op == OP_DIV) && program_is_long(d->p, insn->dst.kind, insn->dst.ref) &&
           condition_restricts(&insn->dst.condition) && !insn->cc_update &&
           !(folded && (folded->passes | folded->fails));
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
    memset(&d->compared, 0xff, sizeof d->compared);
    if (!eval_keep_factors(d, i) || !eval_keep_operand(d, i))
        return false;
    forget_half(d, &insn);
    eval_short_form(d, &insn);
    insn.dst.mask &= (uint8_t)~eval_moves_nothing(d, i);
    if (divides_unclamped(d, &insn))
        insn.flags &= ~(uint32_t)INSN_SAT;
    first = (uint32_t)d->steps.count;
    if (!decode(d, &insn))
        return false;
    eval_note_halves(d, &insn);
    d->now = NULL;
    /* What nobody reads can race all the same, at the address that was computed for it. */
    for (uint32_t k = first;
         d->model.contraction.dead && d->model.contraction.dead[i] && !d->x->options.track_races && k < d->steps.count;
         k++)
        ((struct step *)vec_at(&d->steps, k))->quick = STEP_NOTHING;
    if (d->x->shape.vertices_out && profile_table[d->p->profile].stage_id == STAGE_CONTROL && !share_result(d, &insn))
        return false;
    /* Nothing to do, but it is an instruction all the same. */
    return (!d->first_step || eval_step(d, STEP_NOTHING) != NULL) && eval_give_back_planes(d);
}
