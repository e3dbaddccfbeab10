/* What several instructions become together: products that sums take in, negations of negations (docs/semantics.md, "Contraction"),
 * and pairs (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

static bool is_free(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held h)
{
    bool magnitude = program_operand(j->p->text, slow_insn_at(j, place)->src + x->operand)->flags & OPND_ABSOLUTE;
    uint8_t stays = !slow_finds_widened(j, place, h) ? j->stays[h.product] : magnitude ? j->readers[h.product].bare : 0;
    return !((stays | j->readers[h.product].gone) >> h.c & 1);
}

/* Others take it no more. */
static void pass_by(struct joiner *j, uint32_t place, struct held h)
{
    if (slow_finds_widened(j, place, h))
        j->readers[h.product].gone |= (uint8_t)(1u << h.c);
    else
        slow_keep(j, h);
}

/* A round that is a sum takes in the first of its products that may go. */
static void choose(struct joiner *j, uint32_t place, const struct slow_rounding rounds[], const struct slow_rounding *r)
{
    const struct slow_number *x[2] = {&r->a, &r->z};
    struct held h[2] = {slow_nothing, slow_nothing};
    bool can[2], own[2], both, mixed[2] = {false}, bare[2] = {false}, unrounded = false, other = false;
    unsigned k;
    for (k = 0; k < 2; k++) {
        own[k] = x[k]->from == NUMBER_ROUND && rounds[x[k]->round].what == ROUND_PRODUCT && !rounds[x[k]->round].shared;
        can[k] = own[k] || (slow_may_take(j, place, x[k], &h[k]) && is_free(j, place, x[k], h[k]));
        mixed[k] = can[k] && !own[k] && slow_is_mixed(j, place, h[k]);
        bare[k] = mixed[k] && program_operand(j->p->text, slow_insn_at(j, place)->src + x[k]->operand)->flags & OPND_ABSOLUTE;
    }
    both = can[0] && can[1] && !own[0] && !own[1];
    if (!can[0] && !can[1])
        return;
    if (both && !mixed[0] && slow_same_product(j, place, r) &&
             slow_turns(j, place, x[0], h[0]) != slow_turns(j, place, x[1], h[1])) {
        slow_keep(j, h[0]);
        return;
    }
    if (both && mixed[0] != mixed[1]) {
        k = mixed[1];
        pass_by(j, place, h[k]);
        other = slow_turns(j, place, x[k], h[k]);
        can[k] = false;
        unrounded = slow_insn_at(j, place)->op == OP_ADD || slow_insn_at(j, place)->op == OP_SUB;
    }
    if (can[0] && can[1] && !(mixed[1] && slow_is_widened(j, h[1])) && (own[1] || !slow_is_unpacked_number(j, h[1])))
        slow_keep(j, h[1]);
    k = can[0] ? 0 : 1;
    if (mixed[k] && slow_is_widened(j, h[k]))
        j->readers[h[k].product].gone |= (uint8_t)(1u << h[k].c);
    j->plan->place[place].taken[r->slot] = (struct slow_taken){
        .product = true, .own = own[k], .second = k == 1, .negative = slow_turns(j, place, x[k], h[k]),
        .half = mixed[k], .magnitude = bare[k], .unrounded = unrounded, .other_negative = other, .other_magnitude = bare[!k]};
}

/* Of two products that may go the one stays that other sums read as well, where none but this reads the other. */
static void prefer_unshared(struct joiner *j, uint32_t place)
{
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = slow_insn_at(j, place)->dst.mask & j->reach.useful[place] & 1u << c ? slow_summed(j->p, &j->plan->place[place], c, rounds) : 0;
        for (unsigned k = 0; k < n; k++) {
            const struct slow_number *x[2] = {&rounds[k].a, &rounds[k].z};
            struct held h[2];
            bool can = rounds[k].what == ROUND_SUM, shared[2] = {false};
            for (unsigned t = 0; can && t < 2; t++) {
                can = !(x[t]->from == NUMBER_ROUND && rounds[x[t]->round].what == ROUND_PRODUCT && !rounds[x[t]->round].shared) &&
                      slow_may_take(j, place, x[t], &h[t]) && is_free(j, place, x[t], h[t]) && !slow_is_mixed(j, place, h[t]);
                shared[t] = can && j->readers[h[t].product].sums[h[t].c] > 1;
            }
            if (can && h[0].product == h[1].product && h[0].c == h[1].c)
                slow_keep(j, h[0]);
            else if (can && shared[0] != shared[1])
                slow_keep(j, h[shared[0] ? 0 : 1]);
        }
    }
}

static void choose_all(struct joiner *j, uint32_t place)
{
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    uint32_t seen = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = slow_insn_at(j, place)->dst.mask >> c & 1 ? slow_summed(j->p, &j->plan->place[place], c, rounds) : 0;
        for (unsigned k = 0; k < n; k++) {
            if (rounds[k].what != ROUND_SUM || seen >> rounds[k].slot & 1)
                continue;
            seen |= 1u << rounds[k].slot;
            choose(j, place, rounds, &rounds[k]);
        }
    }
}

/* A MOV of the negation of what a MOV negated. */
static void restore(struct joiner *j, uint32_t place)
{
    const struct insn *mov = slow_insn_at(j, place);
    uint8_t restored = 0;
    bool negative;
    if (mov->op != OP_MOV || mov->type != DT_F32 || slow_copied(j, place, 0, &negative) != 0 || !negative)
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct held h = slow_copy_of(j, program_operand(j->p->text, mov->src), c, true);
        if (mov->dst.mask >> c & 1 && h.source != NO_INDEX && !h.negated)
            restored |= (uint8_t)(1u << c);
    }
    if (restored == mov->dst.mask)
        j->plan->place[place].restored = restored;
}

/* Whether a block begins for another reason than the order of accesses to memory. */
static bool comes_with_flow(const struct joiner *j, uint32_t place)
{
    return j->reach.leads[place] &&
           (!place || j->p->label[j->plan->place[place].insn] || op_flows(slow_insn_at(j, place)->op) || op_flows(slow_insn_at(j, place - 1)->op));
}

/* What a variable is still known to hold where a block begins: behind something else than flow what it negates. */
static struct held goes_over(const struct joiner *j, uint32_t place, struct held h)
{
    struct held left = slow_nothing;
    if (!comes_with_flow(j, place)) {
        left.source = h.source;
        left.version = h.version;
        left.negated = h.negated;
    }
    return left;
}

static void each_block(struct joiner *j, void (*look)(struct joiner *, uint32_t), bool ends)
{
    for (uint32_t i = 0; i < j->plan->count; i++) {
        for (uint32_t v = 0; j->reach.leads[i] && v < j->reach.nvars; v++)
            j->held[v] = goes_over(j, i, j->held[v]);
        slow_begin_far(j, i, j->held);
        if (ends) {
            slow_read_far_halves(j, i);
            slow_hold_far_halves(j, i);
        }
        look(j, i);
        slow_give_back_far_halves(j);
        slow_look_at_writes(j, i);
        if (!ends || (i + 1 < j->plan->count && !j->reach.leads[i + 1]))
            continue;
        slow_live_behind(&j->reach, i, j->set);
        for (uint32_t v = 0; v < j->reach.nvars; v++)
            if (slow_in_set(j->set, v) && !(j->far && j->held[v].far) && !slow_is_open_half(j, v))
                slow_keep_behind(j, j->held[v]);
    }
}

/* Where the operand of a negation is remembered. */
static void note_negation(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    for (unsigned c = 0; c < 4; c++) {
        bool negative;
        int k = slow_copied(j, place, c, &negative);
        struct held h = k < 0 ? slow_nothing : slow_held_by(j, program_operand(j->p->text, insn->src + (uint32_t)k), c);
        if (k >= 0 && negative && !(h.source != NO_INDEX && j->version[h.source] == h.version))
            j->plan->place[place].negates |= (uint8_t)(1u << c);
    }
}

static void decide(struct joiner *j, uint32_t place)
{
    slow_find_undone(j, place);
    note_negation(j, place);
    slow_find_same(j, place);
    slow_find_choices(j, place);
    slow_hold_far_halves(j, place);
    choose_all(j, place);
    slow_give_back_far_halves(j);
    restore(j, place);
}

static bool begin(struct joiner *j)
{
    size_t n = j->plan->count;
    if (!slow_reach_new(&j->reach, j->p, j->plan))
        return false;
    j->held = calloc(j->reach.nvars, sizeof *j->held);
    j->version = calloc(j->reach.nvars, sizeof *j->version);
    j->stays = calloc(n + 1, 1);
    j->set = calloc(j->reach.words, sizeof *j->set);
    j->asked = calloc(n + 1, 1);
    j->readers = calloc(n + 1, sizeof *j->readers);
    j->copied = calloc(n * 4 + 1, sizeof *j->copied);
    j->made_far = calloc(n + 1, 1);
    j->in_block = calloc(n + 1, sizeof *j->in_block);
    j->born = calloc(j->reach.nvars, sizeof *j->born);
    j->apart = calloc(n + 1, 1);
    return j->born && j->apart && j->made_far && j->in_block && j->held && j->version && j->stays && j->set && j->asked && j->readers && j->copied;
}

/* Sums whose terms somebody asks for. */
static void note_asked(struct joiner *j)
{
    for (uint32_t i = 0; i < j->plan->count; i++)
        for (unsigned c = 0; j->reach.useful[i] && c < 4; c++) {
            uint32_t sum = j->plan->place[i].uses[c];
            if (sum)
                j->asked[(sum >> 3) - 1] |= (uint8_t)(1u << (sum & 3));
        }
}

/* Of an array that the text indexes by a register what nobody reads is a use too, where several sums read the product. */
static void look_at_unread(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    uint8_t unread = insn->dst.mask & (uint8_t)~(j->reach.useful[place] | j->plan->place[place].fails);
    if (insn->op == OP_ADD || insn->op == OP_SUB || insn->dst.kind != OPND_SYMBOL || !j->p->by_address || !j->p->by_address[insn->dst.ref])
        return;
    for (unsigned k = 0; k < insn->nsrc && (insn->op != OP_MAD || k < 2); k++)
        for (unsigned c = 0, all = slow_reads(j->p, insn, k, unread); c < 4; c++) {
            struct held h = all >> c & 1 ? slow_held_by(j, program_operand(j->p->text, insn->src + k), c) : slow_nothing;
            if (h.product != NO_INDEX)
                j->readers[h.product].compared |= (uint8_t)(1u << h.c);
        }
}

static void look_at_reads(struct joiner *j, uint32_t place)
{
    look_at_unread(j, place);
    slow_look_at_reads(j, place);
}

/* The side of a sum of a product is a use of the product, where another sum reads it. */
static void keep_compared(struct joiner *j)
{
    for (uint32_t i = 0; i < j->plan->count; i++)
        for (unsigned c = 0; c < 4; c++)
            if (j->readers[i].sums[c] > 1 && j->readers[i].compared >> c & 1)
                j->stays[i] |= (uint8_t)(1u << c);
}

static void decide_all(struct joiner *j)
{
    for (uint32_t v = 0; v < j->reach.nvars; v++)
        j->held[v] = slow_nothing;
    memset(j->version, 0, j->reach.nvars * sizeof *j->version);
    for (uint32_t i = 0; i < j->plan->count && !j->failed; i++) {
        for (uint32_t v = 0; j->reach.leads[i] && v < j->reach.nvars; v++) {
            uint32_t words = i ? j->held[v].words : 0;
            j->held[v] = goes_over(j, i, j->held[v]);
            j->held[v].words = words;
        }
        slow_begin_far(j, i, j->held);
        j->part += slow_ends_block(slow_insn_at(j, i)) && (!j->plan->place[i].straight || j->plan->place[i].phased);
        decide(j, i);
        slow_look_at_writes(j, i);
        slow_follow_words(j, i);
    }
}

bool slow_join(struct slow_plan *plan, const struct slow_program *p)
{
    struct joiner j = {.p = p, .plan = plan};
    bool ok = begin(&j);
    for (uint32_t i = 0; ok && i < plan->count; i++) {
        plan->place[i].useful = j.reach.useful[i];
        plan->place[i].block = (i ? plan->place[i - 1].block : 0) + comes_with_flow(&j, i);
        j.in_block[i] = (i ? j.in_block[i - 1] : 0) + j.reach.leads[i];
    }
    ok = ok && slow_find_far(&j) && slow_find_far_halves(&j);
    if (ok) {
        note_asked(&j);
        each_block(&j, look_at_reads, true);
        keep_compared(&j);
        each_block(&j, prefer_unshared, false);
        decide_all(&j);
        ok = !j.failed && slow_find_pairs(&j);
    }
    slow_far_free(&j);
    free(j.held);
    free(j.version);
    free(j.stays);
    free(j.set);
    free(j.begins);
    free(j.ifs);
    free(j.asked);
    free(j.readers);
    free(j.copied);
    free(j.made_far);
    free(j.in_block);
    free(j.born);
    free(j.apart);
    free(j.unseen);
    slow_reach_free(&j.reach);
    return ok;
}
