/* Which blocks become machine code: IF and REP whose every step is ours, or one that the machine can be called for. */
#include "eval/jit/jit_internal.h"

#include <string.h>

/* What the machine does for us. */
static bool is_call(const struct step *s)
{
    switch (s->kind) {
    case STEP_LANE: case STEP_RAW: case STEP_WRITE: case STEP_GATHER: case STEP_LOAD: case STEP_STORE: case STEP_ATOMIC:
    case STEP_SHUFFLE: case STEP_VOTE: case STEP_MATCH: case STEP_QUAD:
        return true;
    default:
        return false;
    }
}

static bool is_inside(const struct step *s)
{
    switch (s->kind) {
    case STEP_IF: case STEP_ELSE: case STEP_ENDIF: case STEP_REP: case STEP_ENDREP: case STEP_NEXT: case STEP_BRK:
    case STEP_CONT:
        return true;
    default:
        return s->quick == STEP_NOTHING || is_call(s);
    }
}

/* An IF that brings lanes behind a loop: neither it nor what it stands in is ours. */
static bool is_out(const struct step *s)
{
    return s->kind == STEP_OUT || s->kind == STEP_OUT_ELSE;
}

/* Backwards: where the block of each IF and REP ends, unless something in it is none of ours. While a block is open its
 * last step's entry says which one is around it. */
void eval_native_find_blocks(struct native_builder *b)
{
    const struct gp5_executable *x = b->x;
    uint32_t depth = 0, end = x->nsteps;    /* the last step of the innermost block */

    memset(b->block_end, 0, (x->nsteps + 1u) * sizeof *b->block_end);
    if (x->parts)       /* the machine notes where lanes part */
        return;
    for (uint32_t i = x->nsteps; i--;) {
        const struct step *s = &x->steps[i];
        if (s->kind == STEP_ENDIF || s->kind == STEP_ENDREP) {
            b->block_end[i] = end;
            b->landing[i] |= LANDING_OURS;
            end = i;
            depth++;
        } else if (depth && (s->kind == STEP_IF || s->kind == STEP_REP || is_out(s))) {
            uint32_t last = end;
            uint8_t found = is_out(s) ? 0 : b->landing[last];
            end = b->block_end[last];
            depth--;
            b->block_end[last] = 0;
            b->landing[last] &= LANDING;
            if (found & LANDING_OURS)
                b->block_end[i] = last + 1;
            else if (depth)
                b->landing[end] &= (uint8_t)~LANDING_OURS;
            if (s->kind == STEP_IF && found & LANDING_LEAVES) {
                b->landing[i] |= LANDING_LEAVES;
                b->landing[end] |= depth ? LANDING_LEAVES : 0;
            }
        } else if (depth && (s->kind == STEP_BRK || s->kind == STEP_CONT)) {
            b->landing[end] |= LANDING_LEAVES;
        } else if (depth && !is_inside(s)) {
            b->landing[end] &= (uint8_t)~LANDING_OURS;
        }
    }
}
