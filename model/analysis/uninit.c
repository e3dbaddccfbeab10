/* Registers that may be read before anything is written to them: what is wanted where the program begins. */
#include "model/analysis/liveness.h"

#include "asm/arena.h"

#include <string.h>

/* Whether a plane may be read before it is written, of a register or a condition code. */
static bool may_be_read(const struct decoder *d, const struct shared_bits *wanted, uint32_t plane)
{
    const struct gp5_executable *x = d->x;
    const struct plane_name *name = &x->names[plane];
    uint32_t var = NO_INDEX;

    for (unsigned cc = 0; cc < CONDITION_CODES; cc++)
        if (plane - x->cc_plane[cc] < 4)
            var = eval_cc_variable(cc, plane - x->cc_plane[cc]);
    if (var == NO_INDEX && name->symbol == NO_INDEX)
        return false;
    if (var == NO_INDEX && !name->array)
        var = eval_variable(d->live, OPND_SYMBOL, name->symbol, false, name->component);
    return var == NO_INDEX || shared_bits_has(wanted, var);
}

/* Whether no step reads what other lanes hold. Those may have come another way, on which nothing was written. */
static bool lanes_are_apart(const struct gp5_executable *x)
{
    for (uint32_t i = 0; i < x->nsteps; i++)
        switch (x->steps[i].kind) {
        case STEP_SHUFFLE: case STEP_VOTE: case STEP_MATCH: case STEP_QUAD: case STEP_GROUP: case STEP_TEXTURE:
            return false;
        default:
            break;
        }
    return true;
}

/* Only where liveness is known already: it is not worth an analysis of its own. */
void eval_find_unwritten(struct decoder *d, uint32_t entry)
{
    struct gp5_executable *x = d->x;
    const struct liveness *l = d->live;
    const struct shared_bits *wanted;

    if (!l || entry >= d->p->insns.count ||
        l->start[l->block[entry]] != entry)
        return;
    wanted = &l->live_in[l->block[entry]];
    x->open_planes = arena_alloc(&x->arena, (x->nplanes + 1u) * sizeof *x->open_planes);
    for (uint32_t plane = 0; x->open_planes && plane < x->nplanes; plane++)
        if (may_be_read(d, wanted, plane))
            x->open_planes[x->nopen++] = plane;
    x->apart = x->open_planes && lanes_are_apart(x);
}
