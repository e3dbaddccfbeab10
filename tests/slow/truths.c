/* Comparisons of floats that are held as predicates: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 4096 };    /* longer programs are not looked at */

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place);
}

static bool is_plain(const struct slow_program *p, const struct result *r)
{
    const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(p->text, r->ref) : NULL;
    return s && s->kind == SYM_TEMP && !s->array && !r->nindices && s->size != SIZE_SHORT;
}

unsigned slow_truth_tested(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    const struct slow_place *s = &x->plan->place[place];
    unsigned rule = insn->dst.condition.rule, passes = s->passes;
    if (!condition_restricts(&insn->dst.condition))
        return 0;
    if (rule == CC_NCF || rule == CC_NOF || rule == CC_BLE)     /* of what carries nothing */
        passes |= s->settled & ~(unsigned)s->fails;
    return insn->dst.mask & ~passes;
}

unsigned slow_kept_back(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    const struct slow_place *s = &x->plan->place[place];
    unsigned rule = insn->dst.condition.rule, fails = s->fails;
    if (insn->dst.kind == OPND_NONE || !condition_restricts(&insn->dst.condition))
        return insn->dst.kind != OPND_NONE && rule == CC_FL ? insn->dst.mask : 0;
    if (rule == CC_CF || rule == CC_OF || rule == CC_AB)
        fails |= s->settled & ~(unsigned)s->passes;
    return rule == CC_FL ? insn->dst.mask : insn->dst.mask & fails;
}

bool slow_compares_truth(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    return op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && is_plain(x->p, &insn->dst) &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

static bool hands_on(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    bool any = false;
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
        any |= slow_truth_use(x->p, insn, k) >= USE_COPY;
    return any && insn->op != OP_NOT && is_plain(x->p, &insn->dst) && (!op_compares(insn->op) || insn->type == DT_F32);
}

/* A loop whose rounds stand one behind the other, as a number in the text says. */
static bool is_apart(const struct leaving *x, uint32_t rep)
{
    const struct insn *insn = program_insn(x->p->text, rep);
    uint32_t first = x->plan->first[rep];
    return first != NO_INDEX && x->plan->place[first].straight && insn->nsrc && program_operand(x->p->text, insn->src)->kind == OPND_CONSTANT;
}

/* In a loop as the text has it, but for those. */
bool slow_in_loop(const struct leaving *x, uint32_t insn)
{
    for (uint32_t i = 0; i < insn; i++)
        if (program_insn(x->p->text, i)->op == OP_REP && program_insn(x->p->text, i)->partner > insn && !is_apart(x, i))
            return true;
    return false;
}

/* ---- what are truths ----------------------------------------------------------------------------------------------------- */

uint32_t slow_truth_write(const struct leaving *x, const struct slow_truth_read *r)
{
    if (r->from == FROM_ELSEWHERE)
        return r->outside;
    if (!r->from || r->from & FROM_ELSEWHERE || r->from & (r->from - 1))
        return NO_INDEX;
    return x->writes[r->first + (uint32_t)__builtin_ctzll(r->from)];
}

/* A copy with a sign, with which logic makes no truth. */
static bool is_signed(const struct leaving *x, uint32_t write)
{
    const struct insn *insn = at(x, write / 4);
    return !slow_compares_truth(x, write / 4) && insn->nsrc && slow_truth_use(x->p, insn, slow_truth_operand(x->p, insn)) == USE_SIGN;
}

/* What comes to it is one truth; of logic two are. */
bool slow_reads_truth(const struct leaving *x, const struct slow_truth_read *r)
{
    uint32_t write = slow_truth_write(x, r);
    bool alone = !op_joins_bits(at(x, r->place)->op) || r->use != USE_MAKES || r->operand > 1;
    return slow_holds_truth(x->truth, write) && (alone || (!is_signed(x, write) && !(r->results & ~x->partner[2 * r->place + r->operand])));
}

void slow_find_truth_partners(struct leaving *x)
{
    memset(x->partner, 0, 2 * (size_t)x->plan->count);
    for (uint32_t i = 0; i < x->nreads; i++)
        if (x->reads[i].operand < 2 && slow_holds_truth(x->truth, slow_truth_write(x, &x->reads[i])) && !is_signed(x, slow_truth_write(x, &x->reads[i])))
            x->partner[2 * x->reads[i].place + 1 - x->reads[i].operand] |= x->reads[i].results;
}

static bool take_away(uint8_t *set, uint32_t place, unsigned components)
{
    bool any = set[place] & components;
    set[place] &= (uint8_t)~components;
    return any;
}

static bool take_sources(struct leaving *x, const struct slow_truth_read *r)
{
    bool any = false;
    for (uint64_t from = r->from & ~FROM_ELSEWHERE; from; from &= from - 1) {
        uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
        any |= take_away(x->truth, w / 4, 1u << w % 4);
    }
    if (r->outside != NO_INDEX)
        any |= take_away(x->truth, r->outside / 4, 1u << r->outside % 4);
    return any;
}

bool slow_turns_float(const struct leaving *x, const struct slow_truth_read *r)
{
    const struct insn *insn = at(x, r->place);
    return r->use == USE_SIGN && slow_leaving_main(x, r->place) && slow_operand_type(insn, r->operand) == DT_S32 && !(r->results & x->integers[r->place]) &&
           !program_is_long(x->p->text, insn->dst.kind, insn->dst.ref);
}

static bool look_at_read(struct leaving *x, const struct slow_truth_read *r)
{
    bool truth = slow_reads_truth(x, r), less = false, ok = truth && r->use != USE_WORD, main = slow_leaving_main(x, r->place);
    if (!truth && r->use >= USE_COPY && !slow_compares_truth(x, r->place))
        less |= take_away(x->truth, r->place, r->results);
    if (is_plain(x->p, &at(x, r->place)->dst)) {
        if (r->use == USE_COPY || (r->use == USE_SIGN && !main))
            ok &= !(r->results & ~x->truth[r->place]);
        if (r->use == USE_SIGN && main)
            ok &= !(r->results & x->floats[r->place]) || slow_turns_float(x, r);
    }
    return (!ok && take_sources(x, r)) || less;
}

static void settle(struct leaving *x)
{
    bool less = true;
    while (less) {
        less = false;
        slow_find_truth_partners(x);
        for (uint32_t i = 0; i < x->nreads; i++)
            less |= look_at_read(x, &x->reads[i]);
    }
}

static void find_said(struct leaving *x)
{
    bool less = true;
    memcpy(x->said, x->truth, x->plan->count);
    while (less) {
        less = false;
        for (uint32_t i = 0; i < x->nreads; i++)
            if (x->reads[i].use == USE_COPY && !slow_holds_truth(x->said, slow_truth_write(x, &x->reads[i])))
                less |= take_away(x->said, x->reads[i].place, x->reads[i].results);
    }
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (!slow_compares_truth(x, i) && at(x, i)->op != OP_MOV)
            x->said[i] = 0;
}

static void find_uses(struct leaving *x)
{
    for (uint32_t i = 0; i < x->nreads; i++) {
        struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        const struct slow_place *s = &x->plan->place[r->place];
        r->results &= (uint8_t)~slow_kept_back(x, r->place);
        bool lanes = slow_leaving_main(x, r->place) && op_shuffles(insn->op) && r->operand == 0;
        r->use = !r->results || lanes || slow_is_known_call(x, r) ? USE_ASKS : r->operand < 4 && !(s->computed & r->results) ? (uint8_t)slow_truth_use(x->p, insn, r->operand) : USE_WORD;
        if (r->results && slow_leaving_main(x, r->place) && r->operand < 3 && slow_reads_low_word(x->p, insn, r->operand))
            r->use = USE_NUMBER;
        for (uint64_t from = r->operand < 4 && slow_takes_floats(x->p, insn, r->operand) ? r->from & ~FROM_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
            x->floats[w / 4] |= (uint8_t)(1u << w % 4);
        }
        bool integer = r->results && r->operand < 4 && insn->dst.kind != OPND_NONE && insn->op != OP_MOV && !op_votes(insn->op) && slow_is_word_type(slow_operand_type(insn, r->operand));
        for (uint64_t from = integer ? r->from & ~FROM_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
            x->integers[w / 4] |= (uint8_t)(1u << w % 4);
        }
    }
}

static void drop_unread(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        unsigned read = 0;
        if (!x->truth[i] || slow_compares_truth(x, i))
            continue;
        for (uint32_t k = 0; k < x->nreads; k++)
            if (x->reads[k].place == i && x->reads[k].use >= USE_COPY)
                read |= x->reads[k].results;
        x->truth[i] &= (uint8_t)read;
    }
}

/* Flags of a comparison that a test for being below zero looks at (of LONG variables any); of copies those that are looked at behind the subroutine. */
static void drop_flags(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = at(x, i);
        unsigned left = 0, asked = x->reach.flags[i];
        if (!x->truth[i] || !insn->cc_update)
            continue;
        if (!program_is_long(x->p->text, insn->dst.kind, insn->dst.ref))
            asked &= slow_sign_is_asked(x, i);
        for (unsigned c = 0; !slow_leaving_main(x, i) && c < 4; c++)
            left |= (unsigned)slow_in_set(x->reach.returned, (insn->cc_update - 1u) * 4u + c) << c;
        left &= insn->dst.mask & x->reach.flags[i];
        for (uint32_t k = i + 1; left && !slow_leaving_begins(x, k) && !x->reach.leads[k]; k++)
            if (at(x, k)->cc_update == insn->cc_update && !condition_restricts(&at(x, k)->dst.condition))
                left &= ~(unsigned)at(x, k)->dst.mask;
        x->truth[i] &= (uint8_t)~(slow_compares_truth(x, i) ? asked : left);
    }
}

static bool reads_itself(const struct leaving *x, const struct insn *insn)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        if (o->kind == OPND_EXTENDED || (o->kind == OPND_SYMBOL && o->ref == insn->dst.ref))
            return true;
    }
    return false;
}

static void drop_overlapping(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (!slow_leaving_main(x, i) && slow_compares_truth(x, i) && x->truth[i] != at(x, i)->dst.mask && reads_itself(x, at(x, i)))
            x->truth[i] = 0;
}

static void drop_leaving(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count && !x->failed; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (!((x->truth[i] & x->leaves[i]) >> c & 1))
                continue;
            x->place = i;
            x->symbol = at(x, i)->dst.ref;
            x->c = c;
            if (!slow_leaves_alone(x))
                take_away(x->truth, i, 1u << c);
        }
}

static bool asks_itself(struct leaving *x)
{
    bool any = false;
    slow_find_truth_partners(x);
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        if (slow_leaving_main(x, r->place) || r->use == USE_WORD || !r->results || r->operand > 2 || !slow_reads_truth(x, r))
            continue;
        any |= (r->use == USE_MAKES && op_joins_bits(insn->op)) || slow_asks_truth(x->p, insn, r->operand);
    }
    return any;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static bool reads_one_of(const struct leaving *x, const struct insn *insn, const bool *symbols)
{
    bool any = false;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        any |= (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && symbols[o->ref];
    }
    return any;
}

/* The variables that comparisons write, and those that are made of these. */
static bool *find_symbols(struct leaving *x)
{
    bool *symbols = calloc(x->p->text->symbols.count + 1, sizeof *symbols), more = symbols;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < x->plan->count; i++) {
            const struct insn *insn = at(x, i);
            if (insn->dst.kind == OPND_SYMBOL && !symbols[insn->dst.ref] &&
                (slow_compares_truth(x, i) || (reads_one_of(x, insn, symbols) && hands_on(x, i))))
                more = symbols[insn->dst.ref] = true;
        }
    }
    return symbols;
}

static void find(struct leaving *x)
{
    bool predicates, *symbols = find_symbols(x);
    x->failed |= !symbols;
    x->elements = slow_compares_into_elements(x);
    slow_count_predicates(x);
    predicates = x->predicates;
    for (uint32_t i = 0; symbols && i < x->plan->count; i++) {
        x->part[i] = i && !slow_leaving_begins(x, i) && i != x->reach.entry ? x->part[i - 1] : i;
        if ((slow_compares_truth(x, i) || (reads_one_of(x, at(x, i), symbols) && hands_on(x, i))) && !slow_in_loop(x, x->plan->place[i].insn))
            x->truth[i] = (uint8_t)(at(x, i)->dst.mask & ~(x->plan->place[i].computed | slow_truth_tested(x, i)));
        x->looks_outside |= !slow_leaving_main(x, i) && (x->truth[i] || (at(x, i)->op == OP_CVT && at(x, i)->type2 == DT_F16));
    }
    free(symbols);
    if (!x->failed)
        slow_find_truth_reads(x);
    if (x->failed)
        return;
    slow_find_outside(x, false);
    find_uses(x);
    drop_unread(x);
    find_said(x);
    drop_flags(x);
    x->predicates += !predicates;
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (slow_compares_truth(x, i) && !slow_sees_predicate(x, i))
            x->truth[i] = 0;
    drop_overlapping(x);
    settle(x);
    drop_leaving(x);
    drop_overlapping(x);
    settle(x);
    slow_find_third(x);
    if (!predicates && !asks_itself(x)) {
        x->predicates = 0;
        memset(x->truth, 0, x->plan->count);
    }
    slow_hand_over_truths(x);
    if (x->firm && !x->failed)
        slow_hold_elements(x);
    x->predicates = predicates;
    if (slow_has_wholes(x))
        slow_find_held(x);
    if (!x->failed)
        slow_find_wholes(x, predicates);
}

static bool worth_it(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->plan->count; i++)
        any |= (op_compares(at(x, i)->op) && (at(x, i)->type == DT_F32 || at(x, i)->type == DT_F64)) || slow_signed_truth(x->p, at(x, i), 2) >= 0 || slow_signed_truth(x->p, at(x, i), 3) >= 0;
    return any || slow_has_wholes(x);
}

bool slow_find_leaving(struct slow_plan *plan, const struct slow_program *p)
{
    struct leaving x = {.p = p, .plan = plan, .watch = NO_INDEX};
    size_t n = plan->count + 1;
    if (plan->count > MOST_PLACES || !worth_it(&x))
        return true;
    x.failed = !slow_reach_new(&x.reach, p, plan);
    x.runs = calloc(n, sizeof *x.runs);
    x.part = calloc(n, sizeof *x.part);
    x.behind = malloc(8 * n);
    x.truth = calloc(8 * n, 1);
    x.writes = malloc(4 * n * sizeof *x.writes);
    x.failed |= !x.runs || !x.part || !x.behind || !x.truth || !x.writes;
    if (!x.failed) {
        x.leaves = x.truth + n;
        x.said = x.leaves + n;
        x.floats = x.said + n;
        x.partner = x.floats + n;
        x.signs = x.partner + 2 * n;
        x.integers = x.signs + n;
        find(&x);
    }
    slow_reach_free(&x.reach);
    free(x.runs);
    free(x.part);
    free(x.behind);
    free(x.truth);
    free(x.writes);
    free(x.reads);
    free(x.followed);
    return !x.failed;
}
