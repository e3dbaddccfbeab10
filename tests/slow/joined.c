/* What several instructions become together: products that sums take in, negations of negations (docs/semantics.md, "Contraction"),
 * and pairs (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

/* Both of what a CMP chooses from are the same copy, or the same absolute value. */
static bool same_copy(const struct joiner *j, const struct operand *a, const struct operand *b, unsigned c)
{
    uint32_t words = slow_held_by(j, a, c).words;
    struct operand o;
    if (!words || slow_held_by(j, b, c).words != words || (a->flags | b->flags) & (OPND_NEGATE | OPND_NEGATE_INNER))
        return false;
    return !((a->flags | b->flags) & OPND_ABSOLUTE) || (slow_signed_copy(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o) && o.flags & OPND_ABSOLUTE && !(o.flags & OPND_NEGATE));
}

/* Copies under a test of what the variable is a copy of already. */
static void find_same(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    for (unsigned c = 0; condition_restricts(&insn->dst.condition) && insn->dst.kind != OPND_NONE && c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c), words = v == NO_INDEX ? 0 : j->held[v].words, from;
        struct operand now, then;
        if (!(insn->dst.mask >> c & 1) || !words || !slow_copies_with_sign(j->p, s, c, &now) ||
            !slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &then))
            continue;
        from = slow_operand_variable(j, &now, c);
        if (from != NO_INDEX && from == slow_operand_variable(j, &then, (words - 1) % 4) && j->copied[words - 1] == j->version[from] &&
            !((now.flags ^ then.flags) & OPND_ABSOLUTE) && slow_negates(&now) == slow_negates(&then))
            s->same |= (uint8_t)(1u << c);
    }
}

/* Choices between words: docs/numbers.md, "Pairs and single instructions". */
static void find_choices(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    bool lanes = !slow_is_memory(insn->op) && !slow_is_image(insn->op) && !slow_is_texture(insn->op) && !slow_looks_at_others(insn->op);
    bool shuffle = op_shuffles(insn->op), reads = false;
    bool vote = insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ;
    for (unsigned c = 0; insn->op == OP_CMP && insn->type == DT_F32 && !slow_is_half(j->p, insn) && !(insn->flags & (INSN_SAT | INSN_SSAT)) && c < 4; c++) {
        const struct operand *o = program_operand(j->p->text, insn->src + 1);
        bool chosen = (s->chosen[0] | s->chosen[1] | s->chosen[2] | s->computed) >> c & 1;
        if (!(insn->dst.mask >> c & 1) || chosen || same_copy(j, o, o + 1, c))
            continue;
        for (unsigned k = 0; k < 2; k++)
            if (!(insn->flags & INSN_PREC && slow_is_short(j->p, o[k].kind, o[k].ref)))
                s->of_words[k] |= (uint8_t)((slow_held_by(j, o + k, c).words != 0) << c);
    }
    if (insn->op == OP_MOV && insn->type == DT_F32 && condition_restricts(&insn->dst.condition) && insn->dst.condition.rule != CC_FL && !s->settled &&
        !s->computed && slow_is_single(j, insn) && !insn->cc_update && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)))
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1)
                s->of_words[0] |= (uint8_t)((slow_held_by(j, program_operand(j->p->text, insn->src), c).words != 0) << c);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        reads |= o->kind == OPND_SYMBOL && insn->dst.kind == OPND_SYMBOL && o->ref == insn->dst.ref;
    }
    if (!condition_restricts(&insn->dst.condition) || insn->dst.condition.rule == CC_FL || insn->cc_update || !slow_is_single(j, insn) ||
             slow_result_type(insn) != DT_F32 || !(lanes || shuffle || vote) ||
             (reads && (!lanes || insn->op == OP_MOV || !slow_is_float(insn->type))))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, false, c);
        bool kept = slow_untouched(j->p, insn) >> c & 1 || (shuffle && c > 0);
        if (insn->dst.mask >> c & 1 && !((s->settled | s->same) >> c & 1) && v != NO_INDEX && !kept && j->held[v].words && (!j->depth || (j->held[v].words - 1) / 4 >= j->ifs[j->depth - 1]))
            s->over_words |= (uint8_t)(1u << c);
    }
}

/* ---- sums choose --------------------------------------------------------------------------------------------------------------------- */

static bool is_free(const struct joiner *j, uint32_t place, struct held h)
{
    uint8_t stays = slow_finds_widened(j, place, h) ? 0 : j->stays[h.product];
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
    bool can[2], own[2], both, mixed[2] = {false}, unrounded = false, other = false;
    unsigned k;
    for (k = 0; k < 2; k++) {
        own[k] = x[k]->from == NUMBER_ROUND && rounds[x[k]->round].what == ROUND_PRODUCT && !rounds[x[k]->round].shared;
        can[k] = own[k] || (slow_may_take(j, place, x[k], &h[k]) && is_free(j, place, h[k]));
        mixed[k] = can[k] && !own[k] && slow_is_mixed(j, place, h[k]);
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
        other = h[k].negative ^ slow_negates(program_operand(j->p->text, slow_insn_at(j, place)->src + x[k]->operand)) ^ x[k]->negative;
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
        .half = mixed[k], .unrounded = unrounded, .other_negative = other};
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
                      slow_may_take(j, place, x[t], &h[t]) && is_free(j, place, h[t]) && !slow_is_mixed(j, place, h[t]);
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
        look(j, i);
        slow_look_at_writes(j, i);
        if (!ends || (i + 1 < j->plan->count && !j->reach.leads[i + 1]))
            continue;
        slow_live_behind(&j->reach, i, j->set);
        for (uint32_t v = 0; v < j->reach.nvars; v++)
            if (slow_in_set(j->set, v) && !(j->far && j->held[v].far))
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

/* ---- copies with signs go over IF and through loops that are unrolled ------------------------------------------------------------ */

static void forget_words(struct joiner *j)
{
    for (uint32_t v = 0; v < j->reach.nvars; v++)
        j->held[v].words = 0;
}

static void begin_if(struct joiner *j, uint32_t place)
{
    uint32_t n = j->reach.nvars, *begins = realloc(j->begins, (size_t)(j->depth + 1) * 2 * n * sizeof *begins + 1);
    uint32_t *ifs = realloc(j->ifs, (j->depth + 1) * sizeof *ifs);
    j->begins = begins ? begins : j->begins;
    j->ifs = ifs ? ifs : j->ifs;
    if (!begins || !ifs) {
        j->failed = true;
        return;
    }
    ifs[j->depth] = place;
    begins += (size_t)j->depth++ * 2 * n;
    for (uint32_t v = 0; v < n; v++) {
        begins[v] = j->held[v].words;
        begins[n + v] = 0;
    }
}

static void end_side(struct joiner *j, bool both)
{
    uint32_t n = j->reach.nvars, *begins = j->begins + (size_t)(j->depth - 1) * 2 * n;
    for (uint32_t v = 0; v < n; v++) {
        begins[n + v] |= j->held[v].words != begins[v];
        j->held[v].words = both && begins[n + v] ? 0 : begins[v];
    }
    j->depth -= both;
}

/* What a subroutine writes is no copy behind the call; nor is what copies that, but where it is the only call and no lane stays out. */
static void go_over_call(struct joiner *j, const struct insn *call)
{
    bool here = call->op == OP_CAL && !condition_restricts(&call->condition);
    for (uint32_t i = 0; i < j->plan->count; i++) {
        const struct insn *other = slow_insn_at(j, i);
        here &= other == call || (other->op != OP_CALI && (other->op != OP_CAL || other->partner != call->partner));
    }
    uint32_t *written = calloc(j->reach.nvars + 1, sizeof *written);
    if (!written) {
        j->failed = true;
        return;
    }
    if (call->condition.rule != CC_FL)
        slow_forget_called(j, call, written, 0);
    for (uint32_t v = 0; v < j->reach.nvars; v++) {
        uint32_t words = j->held[v].words, from = NO_INDEX;
        struct operand o;
        if (words && !here &&
            slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o))
            from = slow_operand_variable(j, &o, (words - 1) % 4);
        if (written[v] || (from != NO_INDEX && written[from]))
            j->held[v].words = 0;
        j->version[v]++;
    }
    free(written);
}

static void go_on(struct joiner *j, uint32_t place)
{
    const struct slow_place *here = &j->plan->place[place];
    bool clear = false;
    switch (slow_insn_at(j, place)->op) {
    case OP_IF:
        if (!here->straight)
            begin_if(j, place);
        break;
    case OP_ELSE: case OP_ENDIF:
        if (!here->straight && j->depth)
            end_side(j, slow_insn_at(j, place)->op == OP_ENDIF);
        break;
    case OP_REP: clear = !here->straight; break;
    case OP_ENDREP: clear = !here->straight; break;
    case OP_CAL: case OP_CALI: go_over_call(j, slow_insn_at(j, place)); break;
    case OP_RET: clear = true; break;
    default: break;
    }
    if (place + 1 < j->plan->count) {
        uint32_t next = j->plan->place[place + 1].insn;
        clear |= j->p->label[next] && j->plan->first[next] == place + 1;
    }
    if (clear)
        forget_words(j);
}

static bool is_negation(const struct operand *o)
{
    return slow_negates(o) && !(o->flags & OPND_ABSOLUTE);
}

/* The negation of a negation, whichever of MOV, MUL, DIV, DST, MIN, MAX and CMP made them. */
static void undo(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    bool tested = condition_restricts(&insn->dst.condition);
    if (insn->dst.kind != OPND_SYMBOL || (insn->cc_update && tested) || insn->flags & (INSN_PREC | INSN_HALF) || insn->type != DT_F32 ||
        program_symbol(j->p->text, insn->dst.ref)->size == SIZE_SHORT)
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct operand now, before;
        bool stays = tested && !(s->passes >> c & 1);
        int k = insn->dst.mask >> c & 1 && !stays ? slow_copied_operand(j->p, s, c, &now) : -1;
        uint32_t words = k >= 0 && is_negation(&now) && !slow_is_short(j->p, now.kind, now.ref) ? slow_held_by(j, &now, c).words : 0;
        if (words && slow_copies_with_sign(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &before) && is_negation(&before)) {
            s->undone |= (uint8_t)(1u << c);
            s->undone_of[c] = (uint8_t)k;
        }
    }
}

static void decide(struct joiner *j, uint32_t place)
{
    undo(j, place);
    note_negation(j, place);
    find_same(j, place);
    find_choices(j, place);
    choose_all(j, place);
    restore(j, place);
}

bool slow_join(struct slow_plan *plan, const struct slow_program *p)
{
    struct joiner j = {.p = p, .plan = plan};
    bool ok = slow_reach_new(&j.reach, p, plan);
    if (ok) {
        j.held = calloc(j.reach.nvars, sizeof *j.held);
        j.version = calloc(j.reach.nvars, sizeof *j.version);
        j.stays = calloc(plan->count + 1, 1);
        j.set = calloc(j.reach.words, sizeof *j.set);
        j.asked = calloc(plan->count + 1, 1);
        j.readers = calloc(plan->count + 1, sizeof *j.readers);
        j.copied = calloc((size_t)plan->count * 4 + 1, sizeof *j.copied);
        ok = j.held && j.version && j.stays && j.set && j.asked && j.readers && j.copied;
    }
    for (uint32_t i = 0; ok && i < plan->count; i++)
        plan->place[i].useful = j.reach.useful[i];
    for (uint32_t i = 0; ok && i < plan->count; i++)
        plan->place[i].block = (i ? plan->place[i - 1].block : 0) + comes_with_flow(&j, i);
    ok = ok && slow_find_far(&j);
    if (ok) {
        for (uint32_t i = 0; i < plan->count; i++)
            for (unsigned c = 0; j.reach.useful[i] && c < 4; c++)
                if (plan->place[i].uses[c])
                    j.asked[(plan->place[i].uses[c] >> 3) - 1] |= (uint8_t)(1u << (plan->place[i].uses[c] & 3));
        each_block(&j, slow_look_at_reads, true);
        for (uint32_t i = 0; i < plan->count; i++)      /* the side of a sum of a product is a use of the product, where another sum reads it */
            for (unsigned c = 0; c < 4; c++)
                if (j.readers[i].sums[c] > 1 && j.readers[i].compared >> c & 1)
                    j.stays[i] |= (uint8_t)(1u << c);
        each_block(&j, prefer_unshared, false);
        for (uint32_t v = 0; v < j.reach.nvars; v++)
            j.held[v] = slow_nothing;
        memset(j.version, 0, j.reach.nvars * sizeof *j.version);
        for (uint32_t i = 0; i < plan->count && !j.failed; i++) {
            for (uint32_t v = 0; j.reach.leads[i] && v < j.reach.nvars; v++) {
                uint32_t words = i ? j.held[v].words : 0;
                j.held[v] = goes_over(&j, i, j.held[v]);
                j.held[v].words = words;
            }
            slow_begin_far(&j, i, j.held);
            decide(&j, i);
            slow_look_at_writes(&j, i);
            go_on(&j, i);
        }
        ok = !j.failed;
        ok = ok && slow_find_pairs(&j);
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
    slow_reach_free(&j.reach);
    return ok;
}
