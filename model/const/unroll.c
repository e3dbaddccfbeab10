/* Loops in the walk through a program: copies of their bodies, and what is known in each pass. */
#include "model/const/sccp.h"
#include "model/const/loop_size.h"
#include "model/reconverge/reconverge.h"
#include "model/const/trip_count.h"


/* More than this together is not unrolled: nested loops multiply. */
enum { MOST_INSTRUCTIONS = 1 << 16 };

static bool has_cont(const struct unroller *u, uint32_t rep)
{
    const struct gp5_program *p = u->from;
    uint32_t end = model_end_of_body(p, rep);

    for (uint32_t i = rep + 1; i < end; i++)
        if (program_insn(p, i)->op == OP_CONT && program_insn(p, i)->dst.partner == program_insn(p, rep)->dst.partner &&
            !model_goes_round_anyway(p, &u->known, i) && i != u->idle)
            return true;
    return false;
}

/* One pass of the body: false when nobody comes to its end, where what is known is what all know who do. */
static bool expand_pass(struct unroller *u, uint32_t rep)
{
    struct meet_point again = {.any = false};
    bool any;

    u->rounds = &again;
    if (model_walk(u, rep + 1, program_insn(u->from, rep)->dst.partner))
        model_walk_join(u, &again);
    any = again.any;
    if (any && !u->failed)
        model_known_set(&u->known, &again.known);
    meet_point_free(&again);
    u->rounds = NULL;
    return any;
}

static void unroll(struct unroller *u, uint32_t rep, uint32_t count)
{
    uint32_t end = program_insn(u->from, rep)->dst.partner, idle = u->idle, bottom = u->bottom;
    bool goes_on = true;

    u->changed = true;
    u->idle = model_is_single_round(u->from, rep, count) ? end - 1 : NO_INDEX;
    u->conts = has_cont(u, rep);
    model_place_copy(u, rep, FORM_OPEN);
    for (uint32_t k = 0; k < count && goes_on && !u->failed; k++) {
        u->bottom = k + 1 < count ? end - 1 : NO_INDEX;
        goes_on = expand_pass(u, rep);
        model_place_copy(u, end, k + 1 < count && goes_on ? FORM_NEXT : FORM_LAST);
    }
    u->idle = idle;
    u->bottom = bottom;
    if (!count)
        model_place_copy(u, end, FORM_LAST);
    if (goes_on)
        model_walk_join(u, u->breaks);
}

/* Deeper loops than this forget what their bodies write: each is walked through some times. */
enum { MOST_LOOPS = 3 };

/* What is known where any pass begins: what none changes. */
static void settle(struct unroller *u, uint32_t rep)
{
    struct meet_point head = {.any = false}, left = {.any = false}, *breaks = u->breaks;
    bool changed = true, dry = u->dry, was_changed = u->changed;
    uint32_t placed = u->placed;

    if (u->loops > MOST_LOOPS) {
        model_walk_forget(u, rep + 1, program_insn(u->from, rep)->dst.partner);
        return;
    }
    model_walk_meet(u, &head, &changed);
    u->dry = true;
    u->breaks = &left;
    while (changed && !u->failed) {
        changed = false;
        model_known_set(&u->known, &head.known);
        if (expand_pass(u, rep))
            model_walk_meet(u, &head, &changed);
        u->placed = placed;
    }
    u->dry = dry;
    u->breaks = breaks;
    u->changed = was_changed;
    if (!u->failed)
        model_known_set(&u->known, &head.known);
    meet_point_free(&left);
    meet_point_free(&head);
}

static void expand_loop(struct unroller *u, uint32_t rep)
{
    bool endless = !program_insn(u->from, rep)->nsrc;

    if (!endless)
        model_walk_join(u, u->breaks);       /* no pass at all */
    settle(u, rep);
    model_place_copy(u, rep, FORM_PLAIN);
    if (expand_pass(u, rep) && !endless)
        model_walk_join(u, u->breaks);
    model_place_copy(u, program_insn(u->from, rep)->dst.partner, FORM_PLAIN);
}

/* False when nobody comes out of it. */
bool model_walk_rep(struct unroller *u, uint32_t rep)
{
    struct meet_point breaks = {.any = false}, *outer_breaks = u->breaks, *outer_rounds = u->rounds;
    unsigned branches = u->loop_branches;
    /* A LOOP goes round as it stands: nobody knows the driver to unroll one. */
    bool indexed = program_insn(u->from, rep)->flags & INSN_INDEXED;
    bool conts = u->conts, room = u->placed <= MOST_INSTRUCTIONS && !indexed, out;
    bool merged = has_pass(u->d, PASS_reconverge) && model_merges_exits(u->from, rep);
    uint32_t count;

    u->loop_branches = u->branches;
    u->conts = has_cont(u, rep);
    u->breaks = &breaks;
    u->loops++;
    if (room && !merged && has_pass(u->d, PASS_unroll) &&
        model_trips(u->from, u->costs, &u->known, rep, &count, &u->failed))
        unroll(u, rep, count);
    else
        expand_loop(u, rep);
    out = breaks.any;
    if (out && !u->failed)
        model_known_set(&u->known, &breaks.known);
    meet_point_free(&breaks);
    u->breaks = outer_breaks;
    u->rounds = outer_rounds;
    u->loops--;
    u->loop_branches = branches;
    u->conts = conts;
    return out;
}
