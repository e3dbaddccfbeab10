/* Passes over the lanes of a warp: all at once, or so many at a time. */
#include "eval/jit/emit_flow.h"

void eval_native_begin(struct native_builder *b)
{
    if (b->code.avx2) {
        x86_avx2_keep_last(&b->code, !b->flow && b->layout != LAYOUT_WIDE);
        return;
    }
    x86_vector(&b->code, X86_TERNARY, NATIVE_NAN, NATIVE_NAN, x86_reg(NATIVE_NAN), 0, 0xff);
    x86_vector(&b->code, X86_SHIFT, X86_SHR, NATIVE_NAN, x86_reg(NATIVE_NAN), 0, 1);
}

size_t eval_native_begin_lanes(struct native_builder *b, bool go_on)
{
    const uint8_t times[] = {0xba, (uint8_t)(WARP_LANES / native_lanes(b)), 0, 0, 0};   /* mov edx, times */
    size_t begin;

    if (b->layout != LAYOUT_WHOLE && !go_on)
        x86_bytes(&b->code, times, sizeof times);
    begin = b->code.size;
    b->code.zeroed = false;
    if (b->masked && b->code.avx2)
        x86_avx2_lanes(&b->code);
    else if (b->masked)
        x86_mask_from(&b->code, NATIVE_LANES, RSI);
    if (b->masked && b->layout == LAYOUT_WHOLE)
        x86_mask_high(&b->code, NATIVE_LANES + 1, NATIVE_LANES);
    return begin;
}

/* Back, for the next lanes. */
void eval_native_next_lanes(struct native_builder *b, size_t begin)
{
    uint8_t lanes = (uint8_t)native_lanes(b);
    const uint8_t on[] = {0x48, 0x83, 0xc7, (uint8_t)(4 * lanes)},  /* add rdi, bytes */
        masks[] = {0xc1, 0xee, lanes},                              /* shr esi, lanes */
        times[] = {0xff, 0xca};                                     /* dec edx */

    if (b->layout == LAYOUT_WHOLE)
        return;
    if (b->frames)
        x86_gpr_plus(&b->code, RBP, NATIVE_FRAMES * native_lanes(b) / WARP_LANES);
    x86_bytes(&b->code, on, sizeof on);
    if (b->masked)
        x86_bytes(&b->code, masks, sizeof masks);
    x86_bytes(&b->code, times, sizeof times);
    x86_jump_to(&b->code, X86_JNZ, begin);
}

void eval_native_pause(struct native_builder *b)
{
    if (!b->passing)
        return;
    b->passing = false;
    if (b->flow)
        eval_native_release(b);
    else if (b->layout != LAYOUT_WIDE)
        eval_native_spill(b);
    eval_native_next_lanes(b, b->pass);
    if (b->frames)
        x86_gpr(&b->code, X86_MOV, true, RBP, RSP);
    x86_gpr_plus(&b->code, RDI, (uint32_t)-(int32_t)(WARP_LANES * sizeof(uint32_t)));
}

void eval_native_resume(struct native_builder *b)
{
    if (b->passing)
        return;
    b->passing = true;
    if (b->flow)
        x86_gpr(&b->code, X86_MOV, true, RDI, FLOW_PLANES);
    if (b->masked)
        x86_gpr(&b->code, X86_MOV, false, RSI, b->flow ? FLOW_ACTIVE : R9);
    b->pass = eval_native_begin_lanes(b, false);
}

/* ---- component by component ----------------------------------------------------------------------------------- */

/* Whether nothing but one component, the same in all of the steps up to `end`, has to do with each plane that they
 * write. Those are marked by it first, in b->seen. */
static bool are_apart(struct native_builder *b, uint32_t end, bool marked)
{
    uint32_t mark = (UINT32_MAX / 8 - b->at) * 8;

    for (uint32_t i = b->at; i < end; i++) {
        const struct native_shape *shape = eval_native_shape_of(b, &b->x->steps[i]);
        const struct lane_op *op = b->x->steps[i].op;
        if (b->x->steps[i].quick == STEP_NOTHING)
            continue;
        if (!shape->wide)
            return false;
        for (unsigned n = 0; n < op->n; n++)
            for (unsigned k = 0; k <= (marked ? shape->nsrc : 0u); k++) {
                uint32_t *seen = &b->seen[k ? op->src[k - 1][n] : op->dst[n]];
                if (!marked)
                    *seen = mark + op->comp[n];
                else if (*seen - mark < 4 && *seen - mark != op->comp[n])
                    return false;
            }
    }
    return true;
}

/* Two at a time: one alone would be a chain without anything beside it. */
bool eval_native_by_component(struct native_builder *b, uint32_t end)
{
    uint32_t first = b->at;

    if (!are_apart(b, end, false) || !are_apart(b, end, true))
        return false;
    for (unsigned c = 0; c < 4; c += 2)
        for (b->at = first; b->at < end; b->at++)
            for (unsigned k = c; k < c + 2 && b->x->steps[b->at].quick != STEP_NOTHING; k++)
                eval_native_component_of(b, &b->x->steps[b->at], k);
    b->at--;
    return true;
}
