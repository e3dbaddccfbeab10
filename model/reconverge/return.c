/* RETs that votes decide: behind CAL the lanes that came back in different ways go on apart, until they return
 * themselves. The driver's compiler has no place for them to meet where no lane decides for itself to return: those
 * that return in the same outermost IF or loop of the subroutine stay together, those that come to its end do, and the
 * others are by themselves, and so are those that were before, behind another such call. So where all RETs under a test
 * look at votes, or there are none, and no CAL of the subroutine stands in a block or under a test, nor behind a RET
 * that lanes decide in another subroutine, nor in one that is called so: else lanes meet behind each.
 *
 * Where lanes decide RETs behind a block with one that a vote decides, they meet as long as nobody takes that one; once
 * some do, those who take a RET at once are by themselves, but of a block with RETs by vote all who take them are
 * together. Measured with ballots (docs/semantics.md, "Divergence"). */
#include "model/state.h"
#include "model/reconverge/reconverge.h"

#include <string.h>

static const struct insn *at(const struct model *d, uint32_t i)
{
    return program_insn(d->p, i);
}

/* Behind the block that begins at an instruction: a loop, an IF whose test is not known; or behind the instruction. */
static uint32_t behind_block(const struct model *d, uint32_t i)
{
    if (at(d, i)->op != OP_IF || at(d, i)->dst.partner == NO_INDEX || model_form(d, i) == FORM_KNOWN)
        return model_behind_loop(d, i);
    return eval_end_of_if(d->p, i) + 1;
}

enum way { NO_RETURN, BY_VOTE, ALWAYS, BY_LANE };

static enum way way_of(const struct model *d, uint32_t i)
{
    const struct condition *c = &at(d, i)->condition;

    if (at(d, i)->op != OP_RET || c->rule == CC_FL || model_outcome(d, i) == OUTCOME_FAILS)
        return NO_RETURN;
    if (!condition_restricts(c) || model_outcome(d, i) == OUTCOME_PASSES)
        return ALWAYS;
    return model_asks_a_vote(d, i) ? BY_VOTE : BY_LANE;
}

/* What is known of the subroutine that begins at an instruction: lanes that parted may call it; no lane decides for
 * itself to return from it, and there are RETs that votes decide; lanes come back from it apart. */
enum { CALLED_APART = 1, NOT_BY_LANE = 2, BY_VOTES = 4, COMES_APART = 8 };

struct subroutines {
    struct model *d;
    const uint8_t *labels;
    uint32_t n, entry;
    uint8_t *known;
    uint32_t *around;           /* of each CAL: where the subroutine begins that it stands in */
    uint32_t *calls, *next;     /* the CALs of a subroutine, and of each the next one of the same; NO_INDEX */
    uint32_t *waiting, nwaiting;
};

static bool calls(const struct subroutines *s, uint32_t i)
{
    return at(s->d, i)->op == OP_CAL && at(s->d, i)->dst.partner < s->n && model_outcome(s->d, i) != OUTCOME_FAILS;
}

static void note(struct subroutines *s, uint32_t first, uint8_t what)
{
    if (!(s->known[first] & what))
        s->waiting[s->nwaiting++] = first;
    s->known[first] |= what;
}

static bool ends(const struct subroutines *s, uint32_t i, uint32_t first)
{
    return i == s->n || (i != first && s->labels[i]);
}

static void look_at_returns(struct subroutines *s, uint32_t first)
{
    uint32_t behind = 0;
    uint8_t known = NOT_BY_LANE;

    for (uint32_t i = first; !ends(s, i, first); i++) {
        enum way way = way_of(s->d, i);
        if (i >= behind)
            behind = behind_block(s->d, i);
        if (way == ALWAYS && behind == i + 1)
            break;
        if (way == BY_LANE || way == ALWAYS)
            return;
        if (way == BY_VOTE)
            known |= BY_VOTES;
    }
    s->known[first] |= known;
}

/* The calls of a subroutine, or of the main program, in blocks, under tests and behind RETs that lanes decide; `all`:
 * all of them. */
static void look_at_calls(struct subroutines *s, uint32_t first, bool all)
{
    uint32_t behind = 0;

    for (uint32_t i = first; !ends(s, i, first); i++) {
        if (i >= behind)
            behind = behind_block(s->d, i);
        if (first != s->entry && way_of(s->d, i) == BY_LANE)
            all = true;
        if (calls(s, i) && (all || behind != i + 1 ||
                            (condition_restricts(&at(s->d, i)->condition) && model_outcome(s->d, i) != OUTCOME_PASSES)))
            note(s, at(s->d, i)->dst.partner, CALLED_APART);
    }
}

static void find_called_apart(struct subroutines *s)
{
    const struct gp5_program *p = s->d->p;

    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *label = program_symbol(p, i);
        if (label->kind == SYM_LABEL && label->numbered && label->instruction < s->n)  /* CALI */
            note(s, label->instruction, CALLED_APART);
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (i == 0 || s->labels[i])
            look_at_calls(s, i, false);
    while (s->nwaiting)
        look_at_calls(s, s->waiting[--s->nwaiting], true);
}

static void find_calls(struct subroutines *s)
{
    uint32_t first = 0;

    for (uint32_t i = 0; i < s->n; i++)
        s->calls[i] = NO_INDEX;
    for (uint32_t i = 0; i < s->n; i++) {
        first = s->labels[i] ? i : first;
        s->around[i] = first;
        if (calls(s, i)) {
            s->next[i] = s->calls[at(s->d, i)->dst.partner];
            s->calls[at(s->d, i)->dst.partner] = i;
        }
    }
}

/* ---- once some took a RET that a vote decided --------------------------------------------------------------- */

/* Whether lanes decide RETs of a subroutine behind a block that has one by vote, none in such a block or in front of
 * it; which calls nothing and has no BAR. */
static bool decides_behind_votes(const struct subroutines *s, uint32_t first)
{
    uint32_t behind = 0;        /* the outermost block */
    bool voted = false, here = false, by_lane = false, lane_here = false;

    for (uint32_t i = first; !ends(s, i, first); i++) {
        uint16_t op = at(s->d, i)->op;
        enum way way = way_of(s->d, i);
        if (i >= behind) {
            behind = behind_block(s->d, i);
            voted |= here;
            here = lane_here = false;
        }
        if (way == ALWAYS)
            return behind == i + 1 && by_lane;
        if (op == OP_CAL || op == OP_CALI || op == OP_BAR || s->d->splits[i] == SPLIT_RETURN)
            return false;
        here |= way == BY_VOTE && behind != i + 1;
        lane_here |= way == BY_LANE;
        if ((way == BY_LANE && !voted) || (here && lane_here))
            return false;
        by_lane |= way == BY_LANE;
    }
    return by_lane;
}

static void mark_once(struct subroutines *s, uint32_t first)
{
    uint32_t behind = 0;

    for (uint32_t i = s->calls[first]; i != NO_INDEX; i = s->next[i])
        if (s->around[i] != s->entry)
            return;
    for (uint32_t i = s->calls[first]; i != NO_INDEX; i = s->next[i])
        s->d->splits[i] = SPLIT_CALL_ONCE;
    for (uint32_t i = first; !ends(s, i, first); i++) {
        enum way way = way_of(s->d, i);
        if (i >= behind)
            behind = behind_block(s->d, i);
        if (way == BY_VOTE || way == BY_LANE)
            s->d->splits[i] = way == BY_VOTE && behind != i + 1 ? SPLIT_RET : SPLIT_RET_ALONE;
    }
}

static void mark(struct subroutines *s, uint32_t first)
{
    for (uint32_t i = first; !ends(s, i, first); i++)
        if (way_of(s->d, i) == BY_VOTE)
            s->d->splits[i] = SPLIT_RET;
    for (uint32_t i = s->calls[first]; i != NO_INDEX; i = s->next[i]) {
        uint32_t around = s->around[i];
        s->d->splits[i] = SPLIT_CALL;
        if (around != s->entry && (s->known[around] & (NOT_BY_LANE | CALLED_APART)) == NOT_BY_LANE)
            note(s, around, COMES_APART);
    }
}

bool model_find_returns(struct model *d, const uint8_t *labels, uint32_t entry)
{
    uint32_t n = (uint32_t)d->p->insns.count, *words = gp5_malloc((n + 1) * 4 * sizeof *words);
    struct subroutines s = {d, labels, n, entry, gp5_malloc(n + 1), words, words + n, words + 2 * n, words + 3 * n, 0};
    bool ok = s.known && words;

    if (ok) {
        memset(s.known, 0, n + 1);
        find_calls(&s);
        find_called_apart(&s);
        for (uint32_t i = 0; i < n; i++) {
            if (s.calls[i] == NO_INDEX || s.known[i] & CALLED_APART)
                continue;
            look_at_returns(&s, i);
            if (s.known[i] & BY_VOTES)
                note(&s, i, COMES_APART);
            else if (decides_behind_votes(&s, i))
                mark_once(&s, i);
        }
        while (s.nwaiting)
            mark(&s, s.waiting[--s.nwaiting]);
    }
    gp5_free(s.known);
    gp5_free(words);
    return ok || model_out_of_memory(d);
}
