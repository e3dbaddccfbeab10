/* Where lanes that parted do not meet again where the text would have it: which IFs and loops have no place of their own for that
 * in what the driver's compiler makes of a program. Measured with ballots (tests/divergence.c):
 *
 * - The sides of an IF with a CONT in it go on apart until the pass of the loop ends, when a BRK stands in it or behind it in that pass,
 *   and so do those of such IFs in it. An IF with nothing but arithmetic and CONTs in it is a CONT with more conditions, but for some with ELSE. What never
 *   runs does not count, and in the last copy of an unrolled body, CONT is a BRK. So do those of an IF with jumps behind which comes only the way around
 *   the ELSE side of such an IF. Of such IFs of which one is all that another has, lanes that go around them are one party.
 * - So do the sides of an IF with a CONT that votes decide, in no other IF, when lanes decide no CONT of the pass.
 * - Where an IF has a BAR in it, the side with fewer lanes runs first, and comes to its BARs first.
 * - Those that leave an endless loop that begins with a RET under a test go on apart until they return, each round's by themselves, when the loop
 *   stands in no other block and another block of the compiler's begins between that RET and a BRK of its own.
 * - A CONT with no BRK in front of it ends an inner loop of its own (nested.c).
 * - Behind CAL those that came back by different RETs, where votes decide all of them (returns.c).
 * - Where an endless loop is the last thing in the body of another one, the lanes that leave it go straight to the next pass of that one: each
 *   party by itself, until they leave it. Not when the inner one ends with a BRK, or has one in an IF, or a CONT of the outer one brings lanes
 *   together. */
#include "eval/parting.h"
#include "eval/labels.h"

#include <string.h>

/* An IF of a pass: the one around it, or itself; what stands in its sides; whether ELSE came. */
struct within {
    uint32_t around;
    uint8_t has[2];
    bool in_else;
};

struct parting {
    struct decoder *d;
    uint8_t *marks;             /* enum parting_mark, of each instruction */
    struct within *within;      /* of each IF */
};

static const struct insn *at(const struct parting *p, uint32_t i)
{
    return program_insn(p->d->p, i);
}

bool eval_is_loop_jump(const struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);

    return (insn->op == OP_BRK || insn->op == OP_CONT) && insn->partner != NO_INDEX && insn->condition.rule != CC_FL &&
           eval_form(d, i) != FORM_KNOWN &&
           eval_outcome(d, i) != OUTCOME_FAILS;
}

static bool is_jump(const struct parting *p, uint32_t i)
{
    return eval_is_loop_jump(p->d, i);
}

bool eval_is_own_arithmetic(unsigned op)
{
    switch (op) {
    case OP_LDB: case OP_STB: case OP_ATOMB: case OP_LDS: case OP_STS: case OP_ATOMS: case OP_LDC: case OP_LOAD: case OP_STORE: case OP_ATOM:
    case OP_ATOMCTR: case OP_ATOMCTROP: case OP_LOADIM: case OP_STOREIM: case OP_ATOMIM: case OP_BAR: case OP_MEMBAR: case OP_KIL: case OP_MATCH:
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR: case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return false;
    default:
        return !op_flows(op) && !eval_is_group(op);
    }
}

bool eval_is_voted_test(const struct insn *insn)
{
    return op_votes(insn->op) && insn->op != OP_TGBALLOT && insn->cc_update;
}

bool eval_asks_a_vote(const struct decoder *d, uint32_t i)
{
    while (i--) {
        const struct insn *insn = program_insn(d->p, i);
        if (insn->cc_update || op_flows(insn->op))
            return insn->cc_update && op_votes(insn->op);
    }
    return false;
}

static bool is_plain(unsigned op)
{
    return eval_is_own_arithmetic(op);
}

/* Whether a CONT is as good as a BRK: behind it comes no other pass of the loop. */
static bool leaves(const struct parting *p, uint32_t i)
{
    uint32_t to = at(p, i)->partner;

    if (at(p, i)->op == OP_BRK || eval_form(p->d, to) == FORM_LAST)
        return true;
    if (eval_form(p->d, to) != FORM_NEXT)
        return false;
    for (uint32_t k = to + 1; k < p->d->p->insns.count; k++) {
        if (at(p, k)->op == OP_BRK && eval_outcome(p->d, k) == OUTCOME_PASSES)
            return true;
        if (!is_plain(at(p, k)->op) && eval_form(p->d, k) != FORM_KNOWN)
            return false;
    }
    return false;
}

/* Of each REP where its loop with all its copies ends. Until then the loops that are open hang together by it. */
static bool find_ends_of_loops(struct decoder *d)
{
    uint32_t n = (uint32_t)d->p->insns.count, open = NO_INDEX;

    d->loop_ends = gp5_malloc((n + 1) * sizeof *d->loop_ends);
    if (!d->loop_ends)
        return eval_out_of_memory(d);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint8_t form = eval_form(d, i);
        if (insn->op == OP_REP) {
            d->loop_ends[i] = open;
            open = i;
        } else if (insn->op == OP_ENDREP && open != NO_INDEX && form != FORM_NEXT &&
                   (form != FORM_PHASE || program_insn(d->p, insn->partner)->partner == i)) {
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

uint32_t eval_behind_loop(const struct decoder *d, uint32_t i)
{
    return program_insn(d->p, i)->op == OP_REP ? d->loop_ends[i] : i + 1;
}

static uint32_t behind_loop(const struct parting *p, uint32_t i)
{
    return eval_behind_loop(p->d, i);
}

uint32_t eval_end_of_if(const struct decoder *d, uint32_t i)
{
    uint32_t end = program_insn(d->p, i)->partner;

    return program_insn(d->p, end)->op == OP_ELSE ? program_insn(d->p, end)->partner : end;
}

static uint32_t end_of_if(const struct parting *p, uint32_t i)
{
    return eval_end_of_if(p->d, i);
}

static bool is_part_of_if(unsigned op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

enum { HAS_BRK = 1, HAS_CONT = 2, HAS_MORE = 4, HAS_ALL = 7, HAS_VOTED_CONT = 8, HAS_NESTED_CONT = 16 };

static unsigned what_is(const struct parting *p, uint32_t i)
{
    unsigned op = at(p, i)->op;

    if (op == OP_REP)
        return HAS_MORE;
    if (is_jump(p, i))
        return leaves(p, i) ? HAS_BRK : HAS_CONT;
    return !is_plain(op) && !eval_is_voted_test(at(p, i)) && !is_part_of_if(op) && eval_form(p->d, i) != FORM_KNOWN ? HAS_MORE : 0;
}

/* What of a loop's jumps stands between two instructions. */
static unsigned jumps_in(const struct parting *p, uint32_t from, uint32_t to)
{
    unsigned has = 0;

    for (uint32_t i = from; i < to; i = behind_loop(p, i))
        has |= what_is(p, i);
    return has;
}

static bool is_if(const struct parting *p, uint32_t i)
{
    return at(p, i)->op == OP_IF && at(p, i)->partner != NO_INDEX && eval_form(p->d, i) == FORM_PLAIN;
}

/* Lanes take one side of it, which has no frame: others in it may go on apart over its end. */
static bool is_known_if(const struct parting *p, uint32_t i)
{
    return at(p, i)->op == OP_IF && at(p, i)->partner != NO_INDEX && eval_form(p->d, i) == FORM_KNOWN && eval_outcome(p->d, i) != OUTCOME_TESTED;
}

static void mark_if(struct parting *p, uint32_t i, uint32_t end)
{
    p->marks[i] = p->marks[at(p, i)->partner] = p->marks[end] = PARTING_IF;
}

/* What stands in each IF of a pass, those in it included, but of CONTs that votes decide only its own. Whether lanes decide a CONT of the pass. */
static bool look_into_ifs(struct parting *p, uint32_t from, uint32_t to)
{
    uint32_t around = NO_INDEX;
    bool lanes_decide = false;

    for (uint32_t i = from; i < to; i = behind_loop(p, i)) {
        if (around != NO_INDEX && i == end_of_if(p, around)) {
            struct within *w = &p->within[around];
            struct within *outer = w->around == around ? NULL : &p->within[w->around];
            if (outer)
                outer->has[outer->in_else] |= (w->has[0] | w->has[1]) & (uint8_t)~HAS_VOTED_CONT;
            around = outer ? w->around : NO_INDEX;
        } else if (is_if(p, i)) {
            p->within[i] = (struct within){.around = around == NO_INDEX ? i : around};
            around = i;
        } else {
            unsigned what = what_is(p, i);
            bool nested = eval_nested(p->d, i) & NESTED_CONT, voted = what == HAS_CONT && eval_asks_a_vote(p->d, i);
            lanes_decide |= what == HAS_CONT && !voted;
            if (around == NO_INDEX)
                continue;
            p->within[around].in_else |= at(p, around)->partner == i;
            what |= what == HAS_CONT && nested ? HAS_NESTED_CONT : voted ? HAS_VOTED_CONT : 0;
            p->within[around].has[p->within[around].in_else] |= (uint8_t)what;
        }
    }
    return lanes_decide;
}

/* Whether an IF is the last thing of the THEN side of one whose sides do not meet, and there is something in the ELSE side: behind it comes but
 * the way around that. */
static bool is_last_in_then(const struct parting *p, uint32_t i)
{
    uint32_t around = p->within[i].around, k = end_of_if(p, i) + 1;

    if (around == i || p->marks[around] != PARTING_IF)
        return false;
    while (is_plain(at(p, k)->op))
        k++;
    return at(p, k)->op == OP_ELSE && at(p, around)->partner == k && p->within[around].has[1];
}

/* An IF with CONTs and nothing else. With them in both sides, or, in a loop with a count, in the ELSE side, it is no CONT with more conditions. */
static bool is_cont(const struct within *w, bool counted)
{
    unsigned has = w->has[0] | w->has[1];

    return (has & HAS_ALL) == HAS_CONT && (has & HAS_NESTED_CONT || !(w->has[1] & HAS_CONT) || !(counted || w->has[0] & HAS_CONT));
}

/* Whether one side of an IF is not there: those that do not take the other one go straight to what comes behind it. */
static bool is_one_sided(const struct parting *p, uint32_t i)
{
    uint32_t otherwise = at(p, i)->partner;

    return at(p, otherwise)->op != OP_ELSE || otherwise == i + 1 || at(p, otherwise)->partner == otherwise + 1;
}

/* Whether the IF around another one has nothing else in it but arithmetic in front. */
static bool stands_alone(const struct parting *p, uint32_t i, uint32_t around)
{
    uint32_t before = i - 1, behind = end_of_if(p, i) + 1;

    while (is_plain(at(p, before)->op))
        before--;
    behind += at(p, behind)->op == OP_ELSE && at(p, around)->partner == behind;
    return (before == around || before == at(p, around)->partner) && behind == end_of_if(p, around);
}

/* IFs that are alone in the only side of one another have one such way: IF a; IF b; ...; ENDIF; ENDIF; is IF a and b. */
static void join_ifs(struct parting *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i = behind_loop(p, i)) {
        uint32_t around;
        if (!is_if(p, i) || p->marks[i] != PARTING_IF || (around = p->within[i].around) == i || p->marks[around] != PARTING_IF)
            continue;
        if ((p->within[i].has[0] | p->within[i].has[1]) & (HAS_BRK | HAS_MORE) && is_one_sided(p, around) && is_one_sided(p, i) && stands_alone(p, i, around)) {
            if (!p->d->nested[around])
                p->d->nested[around] = around + 1;
            p->d->nested[i] = p->d->nested[around];
        }
    }
}

/* The pass of a loop between two instructions. */
static void look_at_pass(struct parting *p, uint32_t from, uint32_t to, bool counted)
{
    uint32_t last_brk = from, parted = from;    /* where the outermost such IF ends */
    bool lanes_decide = look_into_ifs(p, from, to);

    for (uint32_t i = from; i < to; i = behind_loop(p, i))
        if (is_jump(p, i) && leaves(p, i))
            last_brk = i;
    for (uint32_t i = from; i < to; i = behind_loop(p, i))
        if (is_if(p, i)) {
            const struct within *w = &p->within[i];
            uint32_t end = end_of_if(p, i);
            unsigned has = w->has[0] | w->has[1];
            bool outer_meets = w->around != i && p->marks[w->around] != PARTING_IF;
            bool parts = (last_brk > i || parted > i) && has & HAS_CONT && !outer_meets && !is_cont(w, counted);
            parts |= !lanes_decide && w->around == i && has & HAS_VOTED_CONT;
            parts |= has & (HAS_BRK | HAS_CONT) && is_last_in_then(p, i);
            if (!parts)
                continue;
            mark_if(p, i, end);
            parted = parted > end ? parted : end;
        } else if (is_known_if(p, i)) {
            mark_if(p, i, end_of_if(p, i));
        }
    join_ifs(p, from, to);
}

/* ---- loops in loops ---------------------------------------------------------------------------------------------------------- */

bool eval_ends_endless_loop(const struct decoder *d, uint32_t end)
{
    const struct insn *insn = program_insn(d->p, end);

    return insn->op == OP_ENDREP && insn->partner != NO_INDEX && !program_insn(d->p, insn->partner)->nsrc && eval_form(d, end) == FORM_PLAIN;
}

static bool is_endless(const struct parting *p, uint32_t end)
{
    return eval_ends_endless_loop(p->d, end);
}

/* The BRKs of an inner loop: those with only arithmetic between them are one. */
static void mark_jumps(struct parting *p, uint32_t from, uint32_t to)
{
    bool same = false;

    for (uint32_t i = from; i < to;) {
        if (at(p, i)->op == OP_REP) {
            i = behind_loop(p, i);
            same = false;
            continue;
        }
        if (at(p, i)->op == OP_BRK && at(p, i)->partner != NO_INDEX) {
            p->marks[i] = same ? PARTING_BRK_TOO : PARTING_BRK;
            same = true;
        } else if (!is_plain(at(p, i)->op)) {
            same = false;
        }
        i++;
    }
}

/* Whether a BRK of a loop stands in an IF. */
static bool breaks_in_if(const struct parting *p, uint32_t rep, uint32_t end)
{
    uint32_t behind = rep;      /* where the outermost IF ends */

    for (uint32_t i = rep + 1; i < end; i = behind_loop(p, i)) {
        if (i > behind && is_if(p, i))
            behind = end_of_if(p, i);
        if (i < behind && at(p, i)->op == OP_BRK && is_jump(p, i))
            return true;
    }
    return false;
}

static void look_at_loop(struct parting *p, uint32_t end)
{
    uint32_t rep, outer;

    if (!is_endless(p, end) || end + 1 >= p->d->p->insns.count || !is_endless(p, end + 1) || at(p, end - 1)->op == OP_BRK)
        return;
    rep = at(p, end)->partner;
    outer = at(p, end + 1)->partner;
    if (jumps_in(p, outer + 1, end + 1) & HAS_CONT)
        return;
    if (breaks_in_if(p, rep, end))
        return;
    p->marks[outer] = PARTING_LOOP;
    mark_jumps(p, rep + 1, end);
}

/* ---- loops that begin with a RET -------------------------------------------------------------------------------------------------- */

/* Whether the compiler makes blocks of an IF: it has more in it than arithmetic and votes. */
static bool makes_blocks(const struct parting *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!is_plain(at(p, i)->op) && !op_votes(at(p, i)->op) && at(p, i)->op != OP_ELSE && eval_outcome(p->d, i) != OUTCOME_FAILS &&
            eval_form(p->d, i) != FORM_KNOWN)
            return true;
    return false;
}

/* Whether a block of the compiler's ends with an instruction that lanes run always. */
static bool ends_a_block(const struct parting *p, uint32_t i)
{
    unsigned op = at(p, i)->op;

    if (op == OP_IF)
        return is_if(p, i) && makes_blocks(p, i + 1, end_of_if(p, i));
    return op != OP_ELSE && op != OP_ENDIF && op_flows(op) && eval_form(p->d, i) != FORM_KNOWN && eval_outcome(p->d, i) != OUTCOME_FAILS;
}

/* The RET that a loop's body begins with, in main also the end of an IF with nothing else in it; or the loop's end. */
static uint32_t first_return(const struct parting *p, uint32_t rep, bool in_main)
{
    uint32_t end = at(p, rep)->partner, i = rep + 1;

    while (i < end && is_plain(at(p, i)->op))
        i++;
    if (in_main && is_if(p, i) && end_of_if(p, i) == i + 2 && at(p, i + 1)->op == OP_RET && is_endless(p, end) && eval_outcome(p->d, i + 1) != OUTCOME_FAILS &&
        !condition_restricts(&at(p, i + 1)->condition))
        return i + 2;
    return is_endless(p, end) && at(p, i)->op == OP_RET && condition_restricts(&at(p, i)->condition) && eval_outcome(p->d, i) == OUTCOME_TESTED ? i : end;
}

static bool writes_symbol(const struct insn *insn, uint32_t symbol)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol;
}

/* Whether what an instruction reads is written in a loop. */
static bool varies(const struct parting *p, uint32_t i, uint32_t rep, unsigned depth)
{
    const struct insn *insn = at(p, i);

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->d->p, insn->src + k);
        for (uint32_t w = rep + 1; o->kind == OPND_SYMBOL && w < at(p, rep)->partner; w++) {
            if (!writes_symbol(at(p, w), o->ref) || !(at(p, w)->dst.mask >> (o->swizzle & 3) & 1))
                continue;
            if (w > i || depth == 8 || varies(p, w, rep, depth + 1))
                return true;
        }
    }
    return false;
}

/* Whether the test that a RET looks at is another in each round. */
static bool is_tested_anew(const struct parting *p, uint32_t rep, uint32_t ret)
{
    for (uint32_t i = ret; i-- > rep;)
        if (at(p, i)->cc_update)
            return varies(p, i, rep, 0);
    return true;
}

/* The BRK behind which lanes go on apart, or NO_INDEX. */
static uint32_t apart_behind(const struct parting *p, uint32_t rep, bool in_main)
{
    uint32_t end = at(p, rep)->partner, ret, brk = end;
    bool ends = false, calls = false;

    if ((ret = first_return(p, rep, in_main)) == end)
        return NO_INDEX;
    for (uint32_t i = ret + 1; i < end; i = behind_loop(p, i)) {
        if (at(p, i)->op == OP_BRK && eval_outcome(p->d, i) != OUTCOME_FAILS) {
            if (brk != end || !ends)
                return NO_INDEX;
            brk = i;
        }
        calls |= at(p, i)->op == OP_CAL || at(p, i)->op == OP_CALI;
        ends |= ends_a_block(p, i);
    }
    return brk == end || (in_main && !calls && !is_tested_anew(p, rep, ret)) ? NO_INDEX : brk;
}

static void mark_returns(struct parting *p, uint32_t rep, uint32_t brk)
{
    if (rep == NO_INDEX || brk == NO_INDEX)
        return;
    p->marks[rep] = PARTING_RETURN;
    p->marks[brk] = PARTING_BRK;
}

/* Those that stand in no other block; not in front of another one that begins with a RET. */
static void look_for_returns(struct parting *p, const uint8_t *labels, uint32_t entry)
{
    uint32_t n = (uint32_t)p->d->p->insns.count, last = NO_INDEX, brk = NO_INDEX;
    bool in_main = entry == 0;

    for (uint32_t i = 0; i < n;) {
        unsigned op = at(p, i)->op;
        if (labels[i]) {
            mark_returns(p, last, brk);
            last = NO_INDEX;
            in_main = i == entry;
        }
        if (op == OP_REP && at(p, i)->partner != NO_INDEX && first_return(p, i, in_main) != at(p, i)->partner) {
            last = i;
            brk = apart_behind(p, i, in_main);
        }
        i = op == OP_REP ? behind_loop(p, i) : op == OP_IF && is_if(p, i) ? end_of_if(p, i) + 1 : i + 1;
    }
    mark_returns(p, last, brk);
}

/* ---- BAR in IF --------------------------------------------------------------------------------------------------------------- */

/* BAR, or a call: to what may have one. */
static bool comes_to_bar(const struct parting *p, uint32_t i)
{
    unsigned op = at(p, i)->op;

    return op == OP_BAR || op == OP_CAL || op == OP_CALI;
}

static void look_for_bars(struct parting *p)
{
    uint32_t bar = UINT32_MAX;      /* the next one */

    for (uint32_t i = (uint32_t)p->d->p->insns.count; i--;) {
        if (comes_to_bar(p, i))
            bar = i;
        else if (is_if(p, i) && !p->marks[i] && at(p, at(p, i)->partner)->op == OP_ELSE && bar < end_of_if(p, i))
            p->marks[i] = PARTING_BAR;
    }
}

bool eval_find_parting(struct decoder *d)
{
    uint32_t n = (uint32_t)d->p->insns.count;
    struct parting p = {.d = d};
    bool conts = false, loops = false, bars = false, rets = false;

    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        conts |= insn->op == OP_CONT && insn->partner != NO_INDEX;
        loops |= i && insn->op == OP_ENDREP && program_insn(d->p, i - 1)->op == OP_ENDREP;
        bars |= insn->op == OP_BAR;
        rets |= insn->op == OP_RET && condition_restricts(&insn->condition);
    }
    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !(conts || loops || bars || rets))
        return true;
    if (!find_ends_of_loops(d) || (conts && !eval_find_nested(d)))
        return false;
    d->parting = p.marks = gp5_malloc(n + 1);
    if (!p.marks)
        return eval_out_of_memory(d);
    memset(p.marks, 0, n + 1);
    p.within = gp5_malloc((n + 1) * sizeof *p.within);
    if (!p.within)
        return eval_out_of_memory(d);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint8_t form = eval_form(d, i);
        if (loops && insn->op == OP_ENDREP)
            look_at_loop(&p, i);
        if (!conts || (insn->op != OP_REP && form != FORM_NEXT) || insn->partner == NO_INDEX || form == FORM_PHASED)
            continue;
        look_at_pass(&p, i + 1, insn->partner, insn->op == OP_REP && insn->nsrc);       /* of an ENDREP between copies: the next copy's end */
    }
    gp5_free(p.within);
    if (rets) {
        uint8_t *labels = gp5_malloc(n + 1);
        if (!labels)
            return eval_out_of_memory(d);
        uint32_t entry = eval_labels(d->p, true, labels);
        look_for_returns(&p, labels, entry);
        bool ok = eval_find_returns(d, labels, entry);
        gp5_free(labels);
        if (!ok)
            return false;
    }
    if (bars)
        look_for_bars(&p);
    return true;
}
