/* Registers that may be read before anything is written to them: what is wanted where the program begins. */
#include "eval/decode/decode.h"

#include "asm/arena.h"

#include <string.h>

/* Whether a plane may be read before it is written, of a register or a condition code. */
static bool may_be_read(const struct decoder *d, uint32_t plane)
{
    const struct gp5_executable *x = d->x;
    const struct plane_name *name = &x->names[plane];

    for (unsigned cc = 0; cc < CONDITION_CODES; cc++)
        if (plane - x->cc_plane[cc] < 4)
            return model_wants_at_entry(&d->model, NO_INDEX, cc, plane - x->cc_plane[cc]);
    return name->symbol != NO_INDEX &&
           (name->array || model_wants_at_entry(&d->model, name->symbol, 0, name->component));
}

/* Whether no step reads what other lanes hold. Those may have come another way, on which nothing was written; but not
 * the others of a fragment's quad where there is one way alone. */
static bool lanes_are_apart(const struct gp5_executable *x)
{
    bool others = false, quads = false, ways = profile_table[x->profile].stage_id != STAGE_FRAGMENT;

    for (uint32_t i = 0; i < x->nsteps; i++)
        switch (x->steps[i].kind) {
        case STEP_SHUFFLE: case STEP_VOTE: case STEP_MATCH: case STEP_GROUP:
            others = true;
            break;
        case STEP_QUAD: case STEP_TEXTURE:
            quads = true;
            break;
        default:
            ways |= (step_is_flow(&x->steps[i]) && x->steps[i].kind != STEP_END) || x->steps[i].kind == STEP_CALI ||
                    x->steps[i].kind == STEP_KILL;
            break;
        }
    return !others && !(quads && ways);
}

/* Only where liveness is known already: it is not worth an analysis of its own. */
void eval_find_unwritten(struct decoder *d)
{
    struct gp5_executable *x = d->x;

    if (!model_knows_entry(&d->model))
        return;
    x->open_planes = arena_alloc(&x->arena, (x->nplanes + 1u) * sizeof *x->open_planes);
    for (uint32_t plane = 0; x->open_planes && plane < x->nplanes; plane++)
        if (may_be_read(d, plane))
            x->open_planes[x->nopen++] = plane;
    x->apart = x->open_planes && lanes_are_apart(x);
}
