/* Where lanes that parted do not meet again where the text would have it: which IFs and loops have no place of their
 * own for that in what the driver's compiler makes of a program. Measured with ballots (tests/tools/divergence.c):
 *
 * - The sides of an IF with a CONT in it go on apart until the pass of the loop ends, when a BRK stands in it or behind
 * it in that pass, and so do those of such IFs in it. An IF with nothing but arithmetic and CONTs in it is a CONT with
 * more conditions, but for some with ELSE. What never runs does not count, and in the last copy of an unrolled body,
 * CONT is a BRK. So do those of an IF with jumps behind which comes only the way around the ELSE side of such an IF. Of
 * such IFs of which one is all that another has, lanes that go around them are one party.
 * - So do the sides of an IF with a CONT that votes decide, in no other IF, when lanes decide no CONT of the pass.
 * - Where an IF has a BAR in it, the side with fewer lanes runs first, and comes to its BARs first.
 * - Those that leave an endless loop that begins with a RET under a test go on apart until they return, each round's by
 * themselves, when the loop stands in no other block and another block of the compiler's begins between that RET and a
 * BRK of its own.
 * - A CONT with no BRK in front of it ends an inner loop of its own (continue_loop.c).
 * - Behind CAL those that came back by different RETs, where votes decide all of them (return.c).
 * - Where an endless loop is the last thing in the body of another one, the lanes that leave it go straight to the next
 * pass of that one: each party by itself, until they leave it. Not when the inner one ends with a BRK, or has one in an
 * IF, or a CONT of the outer one brings lanes together. */
#include "model/state.h"
#include "model/reconverge/internal.h"

#include <string.h>

bool model_is_loop_jump(const struct model *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);

    return (insn->op == OP_BRK || insn->op == OP_CONT) && insn->dst.partner != NO_INDEX &&
           insn->condition.rule != CC_FL && model_form(d, i) != FORM_KNOWN &&
           model_outcome(d, i) != OUTCOME_FAILS;
}

bool model_is_own_arithmetic(unsigned op)
{
    return !op_is(op, K_LOAD | K_STORE | K_ANY_ATOMIC | K_IMAGE_LOAD | K_IMAGE_STORE | K_BARRIER | K_FENCE | K_KILL |
                          K_MATCH | K_SHUFFLE | K_VOTE | K_FLOW | K_SUBGROUP);
}

bool model_is_voted_test(const struct insn *insn)
{
    return op_votes(insn->op) && insn->op != OP_TGBALLOT && insn->cc_update;
}

bool model_asks_a_vote(const struct model *d, uint32_t i)
{
    while (i--) {
        const struct insn *insn = program_insn(d->p, i);
        if (insn->cc_update || op_flows(insn->op))
            return insn->cc_update && op_votes(insn->op);
    }
    return false;
}

/* Of each REP where its loop with all its copies ends. Until then the loops that are open hang together by it. */
static bool find_ends_of_loops(struct model *d)
{
    uint32_t n = (uint32_t)d->p->insns.count, open = NO_INDEX;

    d->loop_ends = arena_alloc(&d->arena, (n + 1) * sizeof *d->loop_ends);
    if (!d->loop_ends)
        return model_out_of_memory(d);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint8_t form = model_form(d, i);
        if (insn->op == OP_REP) {
            d->loop_ends[i] = open;
            open = i;
        } else if (insn->op == OP_ENDREP && open != NO_INDEX && form != FORM_NEXT) {
            uint32_t rep = open;
            open = d->loop_ends[rep];
            d->loop_ends[rep] = i + 1;
        }
    }
    while (open != NO_INDEX) {
        uint32_t rep = open;
        open = d->loop_ends[rep];
        d->loop_ends[rep] = n;
    }
    return true;
}

uint32_t model_behind_loop(const struct model *d, uint32_t i)
{
    return program_insn(d->p, i)->op == OP_REP ? d->loop_ends[i] : i + 1;
}

bool model_ends_endless_loop(const struct model *d, uint32_t end)
{
    const struct insn *insn = program_insn(d->p, end);

    return insn->op == OP_ENDREP && insn->dst.partner != NO_INDEX && !program_insn(d->p, insn->dst.partner)->nsrc &&
           model_form(d, end) == FORM_PLAIN;
}

/* ---- BAR in IF ---------------------------------------------------------------------------------------------- */

/* BAR, or a call: to what may have one. */
static bool comes_to_bar(const struct reconverge *p, uint32_t i)
{
    unsigned op = reconverge_insn(p, i)->op;

    return op == OP_BAR || op == OP_CAL || op == OP_CALI;
}

static void look_for_bars(struct reconverge *p)
{
    uint32_t bar = UINT32_MAX;      /* the next one */

    for (uint32_t i = (uint32_t)p->d->p->insns.count; i--;) {
        if (comes_to_bar(p, i))
            bar = i;
        else if (reconverge_is_if(p, i) && !p->marks[i] &&
                 reconverge_insn(p, reconverge_insn(p, i)->dst.partner)->op == OP_ELSE &&
                 bar < eval_end_of_if(p->d->p, i))
            p->marks[i] = SPLIT_BAR;
    }
}

/* What of a program may make lanes part. */
struct reasons {
    bool conts, loops, bars, returns, exits;
};

static struct reasons find_reasons(const struct gp5_program *p)
{
    struct reasons r = {.conts = false};

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        r.conts |= insn->op == OP_CONT && insn->dst.partner != NO_INDEX;
        r.loops |= i && insn->op == OP_ENDREP && program_insn(p, i - 1)->op == OP_ENDREP;
        r.bars |= insn->op == OP_BAR;
        r.exits |= i && insn->op != OP_ENDREP && program_insn(p, i - 1)->op == OP_BRK;
        r.returns |= insn->op == OP_RET && condition_restricts(&insn->condition);
    }
    return r;
}

static void look_at_loops(struct reconverge *p, const struct reasons *r)
{
    uint32_t n = (uint32_t)p->d->p->insns.count;

    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = reconverge_insn(p, i);
        uint8_t form = model_form(p->d, i);
        if (r->loops && insn->op == OP_ENDREP)
            model_part_loop(p, i);
        if (!r->conts || (insn->op != OP_REP && form != FORM_NEXT) || insn->dst.partner == NO_INDEX)
            continue;
        model_part_pass(p, i + 1, insn->dst.partner,
                        insn->op == OP_REP && insn->nsrc &&
                            form == FORM_PLAIN); /* of an ENDREP between copies: the next copy's end */
    }
}

static bool look_at_returns(struct reconverge *p)
{
    uint8_t *labels = gp5_malloc(p->d->p->insns.count + 1u);
    uint32_t entry;
    bool ok;

    if (!labels)
        return model_out_of_memory(p->d);
    entry = eval_labels(p->d->p, true, labels);
    model_part_returns(p, labels, entry);
    ok = model_find_returns(p->d, labels, entry);
    gp5_free(labels);
    return ok;
}

bool reconverge_find(struct model *d)
{
    uint32_t n = (uint32_t)d->p->insns.count;
    struct reconverge p = {.d = d};
    struct reasons r = find_reasons(d->p);
    bool ok;

    if (!has_pass(d, PASS_reconverge) || !(r.conts || r.loops || r.bars || r.returns || r.exits))
        return true;
    if (!find_ends_of_loops(d))
        return false;
    d->splits = p.marks = arena_alloc(&d->arena, n + 1);
    p.within = gp5_malloc((n + 1) * sizeof *p.within);
    if (!p.marks || !p.within) {
        gp5_free(p.within);
        return model_out_of_memory(d);
    }
    ok = !r.conts || model_find_nested(&p);
    if (ok)
        look_at_loops(&p, &r);
    if (ok && r.conts)
        model_find_predicated(&p);
    gp5_free(p.within);
    if (!ok || (r.returns && !look_at_returns(&p)))
        return false;
    if (r.exits)
        model_part_exits(&p);
    if (r.bars)
        look_for_bars(&p);
    return true;
}
