/* CONTs that end inner loops of their own: REP; a; CONT (c); b; BRK (d); ENDREP; is to the driver's compiler REP; REP;
 * a; BRK (!c); ENDREP; b; BRK (d); ENDREP;. Lanes that do not take such a CONT wait behind it for those that go round
 * once more.
 *
 * So it is in a loop without a count, as long as no BRK of it comes before the CONT, nor an IF with a jump of it and
 * more. CONTs with nothing but arithmetic between them are one, and so is one in an IF with nothing else in it; not
 * with the end of the loop, be there a BRK in between: then it has no block of its own. Some test behind it must not be
 * a vote, which all lanes here answer alike. Measured with ballots (docs/semantics.md, "Divergence").
 *
 * Of a uniform-exit loop, that votes and comparisons with numbers alone end, an IF whose sides end with CONTs is one,
 * too.
 * Where all lanes of a warp come to such a loop together, CONTs behind which lanes part nowhere end no loop: those who
 * take one go straight to the beginning, and nobody waits at the end of the body. */
#include "model/state.h"
#include "model/reconverge/internal.h"

#include <string.h>

struct nesting {
    struct reconverge *p;
    struct model *d;
    uint32_t rep, end;          /* the loop */
    uint32_t first, last;       /* the CONTs at hand: NO_INDEX, or where the first one stands and the last one, or
                                 * their IFs, end */
    bool uniform_exit;          /* it is left by votes and comparisons with numbers alone */
    bool counted;               /* but for lanes that count apart */
    bool voted;                 /* a CONT by vote came */
    bool among;                 /* others of the warp may be elsewhere when lanes come to it */
    bool more;                  /* more than arithmetic, IFs with nothing else and jumps came */
    bool apart;                 /* nothing but arithmetic stands in front of the CONTs at hand */
    bool otherwise;             /* some of them stand in an ELSE side */
    bool no_reconverge;         /* CONTs go straight to the beginning, and nobody waits for them */
    bool broken;                /* a BRK came */
    bool stopped;               /* no more of these */
    uint32_t splits;            /* the last place where lanes may part, but for votes */
    uint32_t found;
};

static const struct insn *at(const struct nesting *n, uint32_t i)
{
    return program_insn(n->d->p, i);
}

/* Whether an IF makes no blocks: it has nothing but arithmetic in it, or a vote decides it and nothing jumps in it. */
static bool is_plain_if(const struct nesting *n, uint32_t i)
{
    bool voted = model_asks_a_vote(n->d, i);

    for (uint32_t k = i + 1, end = eval_end_of_if(n->d->p, i); k < end; k++)
        if ((!voted || op_flows(at(n, k)->op)) && !model_is_own_arithmetic(at(n, k)->op) && at(n, k)->op != OP_IF &&
            at(n, k)->op != OP_ELSE && at(n, k)->op != OP_ENDIF)
            return false;
    return true;
}

/* Whether lanes may part at an instruction. */
static bool parts_lanes(const struct nesting *n, uint32_t i)
{
    const struct insn *insn = at(n, i);
    bool restricted = condition_restricts(&insn->condition);

    if (!op_flows(insn->op) || model_form(n->d, i) == FORM_KNOWN)
        return false;
    switch (insn->op) {
    case OP_ENDIF: case OP_ELSE: case OP_ENDREP: return false;
    case OP_REP: return insn->nsrc && program_operand(n->d->p, insn->src)->kind != OPND_CONSTANT;
    case OP_CAL: return restricted;
    case OP_IF: return !is_plain_if(n, i) && at(n, i + 1)->op != OP_BRK;
    case OP_BRK: return model_is_loop_jump(n->d, i) && model_decides_by_lane(n->p, i);
    case OP_CONT: return model_is_loop_jump(n->d, i) && !(restricted && model_asks_a_vote(n->d, i));
    default: return true;
    }
}

/* Whether lanes part nowhere between an instruction and the end of a uniform-exit loop. */
static bool stays_together(const struct nesting *n, uint32_t i)
{
    while (i < n->end && !parts_lanes(n, i))
        i++;
    return i == n->end && !n->counted;
}

/* The CONTs at hand stand in front of the end of a uniform-exit loop: those who take one and the others go on apart. */
static void send_away(struct nesting *n)
{
    for (uint32_t i = n->first; i <= n->last; i++)
        if (at(n, i)->op == OP_CONT && model_is_loop_jump(n->d, i))
            n->d->nested[i] |= NESTED_CONT;
    n->d->nested[n->first] |= NESTED_AWAY;
    n->d->nested[n->last] |= NESTED_AWAY_END;
    n->no_reconverge = true;
}

/* What makes a block of its own comes behind the CONTs at hand. */
static void end_group(struct nesting *n)
{
    if (n->first == NO_INDEX || (!n->uniform_exit && n->last >= n->splits))
        return;
    if (n->uniform_exit && !n->among && !n->apart && stays_together(n, n->last + 1)) {
        if (!n->otherwise)
            send_away(n);
        n->stopped = true;
        return;
    }
    for (uint32_t i = n->first; i <= n->last; i++)
        if (at(n, i)->op == OP_CONT && model_is_loop_jump(n->d, i))
            n->d->nested[i] |= NESTED_CONT;
    n->d->nested[n->last] |= NESTED_END;
    n->first = NO_INDEX;
    n->found++;
    n->stopped |= n->broken;
}

static void take(struct nesting *n, uint32_t from, uint32_t to)
{
    if (n->broken)
        return;
    if (n->first == NO_INDEX) {
        n->first = from;
        n->apart = !n->more;
        n->otherwise = false;
    }
    n->last = to;
}

/* Where a CONT that lanes decide and that comes at once, or its IF, ends; 0: there is none. */
static uint32_t goes_round_at_once(const struct nesting *n, uint32_t i)
{
    uint32_t end;

    while (model_is_own_arithmetic(at(n, i)->op) || model_is_voted_test(at(n, i)))
        i++;
    if (at(n, i)->op == OP_CONT)
        return model_goes_round_by_vote(n->p, i) ? 0 : i;
    if (!reconverge_is_if(n->p, i) || !model_has_conts_alone(&n->p->within[i]))
        return 0;
    for (end = eval_end_of_if(n->d->p, i); i < end; i++)
        if (at(n, i)->op == OP_CONT && model_is_loop_jump(n->d, i) && !model_goes_round_by_vote(n->p, i))
            return end;
    return 0;
}

/* Whether the CONTs of an IF end one of its sides, and stand in no IF in it, and no other CONT comes at once. */
static bool ends_with_conts(const struct nesting *n, uint32_t i, uint32_t end)
{
    uint32_t inner = i, next = end + 1;     /* where an IF in it ends; behind it */
    unsigned sides = 0;

    while (model_is_own_arithmetic(at(n, next)->op))
        next++;
    if (at(n, next)->op == OP_CONT || goes_round_at_once(n, next))
        return false;
    for (uint32_t k = i + 1; k < end; k = model_behind_loop(n->d, k)) {
        uint32_t behind = k + 1;
        if (k > inner && at(n, k)->op == OP_IF && at(n, k)->dst.partner != NO_INDEX)
            inner = eval_end_of_if(n->d->p, k);
        if (at(n, k)->op != OP_CONT || !model_is_loop_jump(n->d, k))
            continue;
        while (model_is_own_arithmetic(at(n, behind)->op))
            behind++;
        if (k < inner || (behind != end && behind != at(n, i)->dst.partner))
            return false;
        sides |= behind == end ? 2 : 1;
    }
    return sides != 3;
}

/* A BRK of a uniform-exit loop. */
static void leave(struct nesting *n)
{
    if (!n->stopped && !n->apart && !n->among && !n->counted)
        end_group(n);
    n->broken = true;
}

/* Whether an IF ends with the CONTs in it. */
static bool is_left_by_conts(const struct nesting *n, uint32_t i, uint32_t end)
{
    for (; i < end; i = model_behind_loop(n->d, i)) {
        uint32_t behind = i + 1;
        if (at(n, i)->op != OP_CONT || !model_is_loop_jump(n->d, i))
            continue;
        while (model_is_own_arithmetic(at(n, behind)->op))
            behind++;
        if (behind != end && !(at(n, behind)->op == OP_ELSE && behind + 1 == end))
            return false;
    }
    return true;
}

/* Whether there is another CONT behind an instruction, but for those by vote in no IF. */
static bool goes_round_behind(const struct nesting *n, uint32_t i)
{
    uint32_t end = i;       /* of the last outermost IF */

    for (; i < n->end; i = model_behind_loop(n->d, i)) {
        if (i >= end && reconverge_is_if(n->p, i))
            end = eval_end_of_if(n->d->p, i);
        if (at(n, i)->op == OP_CONT && model_is_loop_jump(n->d, i) && (i < end || !model_goes_round_by_vote(n->p, i)))
            return true;
    }
    return false;
}

/* An IF of a uniform-exit loop that votes alone send round. */
static void look_at_voted(struct nesting *n, uint32_t i, uint32_t end)
{
    uint32_t last = end, next;      /* of it and the CONTs that come at once */

    end_group(n);
    n->more = true;
    if (n->stopped || n->broken)
        return;
    n->stopped = true;
    if (n->counted) {
        n->stopped = !is_left_by_conts(n, i, end);
        if (!n->stopped && !n->found && !n->voted) {
            take(n, i, end);
            end_group(n);
        }
        n->voted = true;
        return;
    }
    if (!is_left_by_conts(n, i, end)) {
        n->no_reconverge = !goes_round_behind(n, end + 1);
        return;
    }
    while ((next = goes_round_at_once(n, last + 1)) != 0)
        last = next;
    if (stays_together(n, last + 1)) {
        n->no_reconverge = last == end;
        return;
    }
    n->stopped = false;
    take(n, i, end);
    end_group(n);
}

/* An IF and what is in it; where it ends. */
static uint32_t look_at_if(struct nesting *n, uint32_t i)
{
    uint32_t end = eval_end_of_if(n->d->p, i);
    bool more = false, brk = false, cont = false, voted = true, known = model_form(n->d, i) != FORM_PLAIN;

    for (uint32_t k = i + 1; k < end; k = model_behind_loop(n->d, k)) {
        const struct insn *insn = at(n, k);
        if (model_is_loop_jump(n->d, k)) {
            brk |= insn->op == OP_BRK;
            cont |= insn->op == OP_CONT;
            voted &= model_goes_round_by_vote(n->p, k);
        } else {
            more |= !model_is_own_arithmetic(insn->op) && !model_is_voted_test(insn) && insn->op != OP_IF &&
                    insn->op != OP_ELSE && insn->op != OP_ENDIF;
        }
    }
    if (n->uniform_exit && cont && voted && !known) {
        look_at_voted(n, i, end);
        return end;
    }
    if (more)
        end_group(n);
    if (n->uniform_exit && cont && more && !brk && !known && !n->stopped && !n->broken && ends_with_conts(n, i, end) &&
        !stays_together(n, end + 1)) {
        n->more = true;
        take(n, i, end);
        end_group(n);
        return end;
    }
    n->stopped |= (brk || cont) && (more || known || !model_conts_fold(&n->p->within[i]));
    if (cont && !brk && !more) {
        take(n, i, end);
        n->otherwise |= model_goes_otherwise(&n->p->within[i]);
    }
    if (brk && n->uniform_exit)
        leave(n);
    n->more |= more;
    n->broken |= brk;
    return end;
}

static bool always(const struct nesting *n, uint32_t i)
{
    return !condition_restricts(&at(n, i)->condition) || model_outcome(n->d, i) == OUTCOME_PASSES;
}

/* What stands in the body itself; where it ends. */
static uint32_t look_at(struct nesting *n, uint32_t i)
{
    const struct insn *insn = at(n, i);

    if (insn->op == OP_REP) {
        end_group(n);
        n->more = true;
        return model_behind_loop(n->d, i) - 1;
    }
    if (insn->op == OP_IF && insn->dst.partner != NO_INDEX)
        return look_at_if(n, i);
    if (model_is_loop_jump(n->d, i)) {
        n->stopped |= always(n, i);
        if (insn->op == OP_BRK && n->uniform_exit)
            leave(n);
        n->broken |= insn->op == OP_BRK;
        if (n->uniform_exit && model_goes_round_by_vote(n->p, i) && !n->stopped) {
            end_group(n);
            n->more = n->voted = true;
            if (!n->stopped && !n->counted && !stays_together(n, i + 1)) {
                take(n, i, i);
                end_group(n);
            }
        } else if (insn->op == OP_CONT && !n->stopped) {
            take(n, i, i);
        }
    } else if (!model_is_own_arithmetic(insn->op) && insn->op != OP_BRK && insn->op != OP_CONT) {
        n->stopped |= insn->op == OP_RET && always(n, i);
        if (!n->stopped)
            end_group(n);
        n->more |= !model_is_voted_test(insn);
    }
    return i;
}

/* A loop that ends with a CONT is left there. */
static bool ends_with_cont(const struct nesting *n)
{
    return at(n, n->end - 1)->op == OP_CONT && model_is_loop_jump(n->d, n->end - 1);
}

static uint32_t last_split(const struct nesting *n)
{
    for (uint32_t i = n->end - 1; i > n->rep; i--) {
        unsigned op = at(n, i)->op;
        if ((op == OP_IF || op == OP_BRK || op == OP_CONT || op == OP_RET || op == OP_ENDREP || op == OP_CAL ||
             op == OP_CALI) &&
            !model_asks_a_vote(n->d, i))
            return i;
    }
    return n->rep;
}

/* CONTs of a uniform-exit loop that votes decide, and that end no inner loop: the sides of the IF that such a one
 * stands in do not meet, and where nobody waits at the end of the body those who take it go straight to the
 * beginning. */
static void part_voted(struct nesting *n)
{
    uint32_t around = NO_INDEX;     /* the innermost IF */

    for (uint32_t i = n->rep + 1; i < n->end; i = model_behind_loop(n->d, i))
        n->no_reconverge &= at(n, i)->op != OP_CONT || !model_is_loop_jump(n->d, i) || n->d->nested[i] ||
                    model_goes_round_by_vote(n->p, i);
    for (uint32_t i = n->rep + 1; i < n->end; i = model_behind_loop(n->d, i)) {
        if (around != NO_INDEX && i == eval_end_of_if(n->d->p, around))
            around = n->p->within[around].around == around ? NO_INDEX : n->p->within[around].around;
        if (reconverge_is_if(n->p, i))
            around = i;
        if (!model_goes_round_by_vote(n->p, i) || n->d->nested[i])
            continue;
        if (around != NO_INDEX)
            n->p->marks[around] = n->p->marks[at(n, around)->dst.partner] =
                n->p->marks[eval_end_of_if(n->d->p, around)] = SPLIT_IF;
        if (n->no_reconverge)
            n->d->nested[i] = NESTED_CONT | NESTED_AWAY | NESTED_AWAY_END;
    }
}

bool model_find_nested(struct reconverge *p)
{
    struct model *d = p->d;
    uint32_t n = (uint32_t)d->p->insns.count;

    d->nested = arena_alloc(&d->arena, (n + 1) * sizeof *d->nested);
    if (!d->nested)
        return model_out_of_memory(d);
    if (!reconverge_uniform_entries(p))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        struct nesting loop = {.p = p, .d = d, .end = i, .first = NO_INDEX};
        enum loop_exit exit;
        if (!model_ends_endless_loop(d, i))
            continue;
        loop.rep = program_insn(d->p, i)->dst.partner;
        loop.splits = last_split(&loop);
        if (ends_with_cont(&loop))
            continue;
        model_look_into_ifs(p, loop.rep + 1, i);
        loop.among = p->within[loop.rep].has[1];
        exit = model_loop_exit(p, loop.rep, i, loop.among);
        loop.uniform_exit = exit != EXIT_DIVERGENT;
        loop.counted = exit == EXIT_COUNTED;
        for (uint32_t k = loop.rep + 1; k < i && !loop.stopped; k++)
            k = look_at(&loop, k);
        if (loop.uniform_exit)
            part_voted(&loop);
        d->nested[loop.rep] = loop.found | (loop.no_reconverge ? NESTED_NO_RECONVERGE : 0);
    }
    return true;
}
