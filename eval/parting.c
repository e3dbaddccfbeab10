/* Where lanes that parted do not meet again where the text would have it: which IFs and loops have no place of their own for that
 * in what the driver's compiler makes of a program. Measured with ballots (tests/divergence.c):
 *
 * - The sides of an IF with a CONT in it go on apart until the pass of the loop ends, when a BRK stands in it or behind it in that pass,
 *   and so do those of such IFs in it. An IF with nothing but arithmetic and CONTs in it is a CONT with more conditions. What never runs does not count,
 *   and in the last copy of an unrolled body, CONT is a BRK.
 * - Where an IF has a BAR in it, the side with fewer lanes runs first, and comes to its BARs first.
 * - Those that leave an endless loop that begins with a RET under a test go on apart until they return, each round's by themselves, when the loop
 *   stands in no other block and another block of the compiler's begins between that RET and a BRK of its own.
 * - A CONT with no BRK in front of it ends an inner loop of its own (nested.c).
 * - Where an endless loop is the last thing in the body of another one, the lanes that leave it go straight to the next pass of that one: each
 *   party by itself, until they leave it. Not when the inner one ends with a BRK, or has one in an IF, or a CONT of the outer one brings lanes
 *   together. */
#include "eval/parting.h"
#include "eval/labels.h"

#include <string.h>

struct parting {
    struct decoder *d;
    uint8_t *marks;             /* enum parting_mark, of each instruction */
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

uint32_t eval_behind_loop(const struct decoder *d, uint32_t i)
{
    uint32_t depth = 0;

    do {
        unsigned op = program_insn(d->p, i)->op;
        uint8_t form = eval_form(d, i);
        depth += op == OP_REP;
        depth -= op == OP_ENDREP && form != FORM_NEXT && (form != FORM_PHASE || program_insn(d->p, program_insn(d->p, i)->partner)->partner == i);
        i++;
    } while (depth && i < d->p->insns.count);
    return i;
}

static uint32_t behind_loop(const struct parting *p, uint32_t i)
{
    return eval_behind_loop(p->d, i);
}

static uint32_t end_of_if(const struct parting *p, uint32_t i)
{
    uint32_t end = at(p, i)->partner;

    return at(p, end)->op == OP_ELSE ? at(p, end)->partner : end;
}

static bool is_part_of_if(unsigned op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

enum { HAS_BRK = 1, HAS_CONT = 2, HAS_MORE = 4 };

/* What of a loop's jumps stands between two instructions. */
static unsigned jumps_in(const struct parting *p, uint32_t from, uint32_t to)
{
    unsigned has = 0;

    for (uint32_t i = from; i < to;) {
        if (at(p, i)->op == OP_REP) {
            has |= HAS_MORE;
            i = behind_loop(p, i);
            continue;
        }
        if (is_jump(p, i))
            has |= leaves(p, i) ? HAS_BRK : HAS_CONT;
        else if (!is_plain(at(p, i)->op) && !is_part_of_if(at(p, i)->op) && eval_form(p->d, i) != FORM_KNOWN)
            has |= HAS_MORE;
        i++;
    }
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

/* The pass of a loop between two instructions. */
static void look_at_pass(struct parting *p, uint32_t from, uint32_t to)
{
    uint32_t last_brk = from, parted = from;    /* where the outermost such IF ends */

    for (uint32_t i = from; i < to; i = at(p, i)->op == OP_REP ? behind_loop(p, i) : i + 1)
        if (is_jump(p, i) && leaves(p, i))
            last_brk = i;
    for (uint32_t i = from; i < to; i = at(p, i)->op == OP_REP ? behind_loop(p, i) : i + 1)
        if (is_if(p, i) && (last_brk > i || parted > i)) {
            uint32_t end = end_of_if(p, i);
            unsigned has = jumps_in(p, i + 1, end);
            if (!(has & HAS_CONT) || has == HAS_CONT)
                continue;
            mark_if(p, i, end);
            parted = parted > end ? parted : end;
        } else if (is_known_if(p, i)) {
            mark_if(p, i, end_of_if(p, i));
        }
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

    for (uint32_t i = rep + 1; i < end; i = at(p, i)->op == OP_REP ? behind_loop(p, i) : i + 1) {
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
    for (uint32_t i = ret + 1; i < end; i = at(p, i)->op == OP_REP ? behind_loop(p, i) : i + 1) {
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
    if (conts && !eval_find_nested(d))
        return false;
    d->parting = p.marks = gp5_malloc(n + 1);
    if (!p.marks)
        return eval_out_of_memory(d);
    memset(p.marks, 0, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint8_t form = eval_form(d, i);
        if (loops && insn->op == OP_ENDREP)
            look_at_loop(&p, i);
        if (!conts || (insn->op != OP_REP && form != FORM_NEXT) || insn->partner == NO_INDEX || form == FORM_PHASED)
            continue;
        look_at_pass(&p, i + 1, insn->partner);     /* of an ENDREP between copies: the next copy's end */
    }
    if (rets) {
        uint8_t *labels = gp5_malloc(n + 1);
        if (!labels)
            return eval_out_of_memory(d);
        uint32_t entry = eval_labels(d->p, true, labels);
        look_for_returns(&p, labels, entry);
        gp5_free(labels);
    }
    if (bars)
        look_for_bars(&p);
    return true;
}
