/* Comparisons of floats that are held as predicates: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 4096, MOST_WRITES = 62 };  /* longer programs are not looked at; more writes of a component in a part come from elsewhere */

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place);
}

static bool is_plain(const struct slow_program *p, const struct result *r)
{
    const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(p->text, r->ref) : NULL;
    return s && s->kind == SYM_TEMP && !s->array && !r->nindices && s->size == SIZE_DEFAULT;
}

static bool compares_floats(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    return op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && is_plain(x->p, &insn->dst) &&
           !condition_restricts(&insn->dst.condition) && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

static bool hands_on(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    if (!is_plain(x->p, &insn->dst) || (op_compares(insn->op) && insn->type != DT_F32))
        return false;
    return slow_truth_use(x->p, insn, 0) >= USE_COPY;
}

/* In a loop as the text has it, also where it is taken apart. */
static bool in_loop(const struct leaving *x, uint32_t insn)
{
    for (uint32_t i = 0; i < insn; i++)
        if (program_insn(x->p->text, i)->op == OP_REP && program_insn(x->p->text, i)->partner > insn)
            return true;
    return false;
}

/* ---- who reads what ------------------------------------------------------------------------------------------------------ */

struct follower {
    struct leaving *x;
    uint32_t begin, end, symbol, variable, first;
    unsigned c;
    bool call_reads, call_writes;
    uint64_t *in;
};

static bool writes(const struct follower *f, uint32_t place)
{
    const struct insn *insn = at(f->x, place);
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == f->symbol && !insn->dst.nindices && insn->dst.condition.rule != CC_FL &&
           slow_written(f->x->p, insn) >> f->c & 1;
}

static bool indexes(const struct follower *f, uint32_t first, unsigned n)
{
    bool any = false;
    for (unsigned i = 0; i < n; i++) {
        const struct index *index = program_index(f->x->p->text, first + i);
        any |= index->mode == INDEX_RELATIVE && index->component == f->c &&
               slow_variable(f->x->p, index->register_kind, index->reg, index->element.used, index->component) == f->variable;
    }
    return any;
}

static void note(struct follower *f, uint32_t place, unsigned k, unsigned results, uint64_t from)
{
    struct leaving *x = f->x;
    if (slow_leaving_main(x, place) && !(from & ~FROM_ELSEWHERE))
        return;
    if (x->nreads == x->room) {
        struct slow_truth_read *more = realloc(x->reads, (2 * x->room + 64) * sizeof *more);
        if (!more) {
            x->failed = true;
            return;
        }
        x->reads = more;
        x->room = 2 * x->room + 64;
    }
    x->reads[x->nreads++] = (struct slow_truth_read){.place = place, .first = f->first, .variable = f->variable, .from = from,
                                                     .operand = (uint8_t)k, .results = (uint8_t)results};
}

static void note_reads(struct follower *f, uint32_t place, uint64_t in)
{
    const struct insn *insn = at(f->x, place);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->x->p->text, insn->src + k);
        unsigned results = slow_reads_component(f->x, place, k, f->symbol, f->c);
        if (indexes(f, o->index, o->nindices))
            note(f, place, 4, 15, in);
        if (results)
            note(f, place, o->kind == OPND_EXTENDED ? 4 : k, results, in);
    }
    if (indexes(f, insn->dst.index, insn->dst.nindices) || ((insn->op == OP_CAL || insn->op == OP_CALI) && f->call_reads))
        note(f, place, 4, 15, in);
}

static uint64_t behind(const struct follower *f, uint32_t place, uint64_t in)
{
    const struct insn *insn = at(f->x, place);
    uint64_t bit = FROM_ELSEWHERE;
    if ((insn->op == OP_CAL || insn->op == OP_CALI) && f->call_writes)
        return FROM_ELSEWHERE;
    if (!writes(f, place))
        return in;
    for (uint32_t i = f->first; i < f->x->nwrites; i++)
        if (f->x->writes[i] == 4 * place + f->c)
            bit = 1ull << (i - f->first);
    return condition_restricts(&insn->dst.condition) ? in | bit : bit;
}

/* What other subroutines do with it. */
static void look_at_calls(struct follower *f)
{
    f->call_reads = f->call_writes = false;
    for (uint32_t i = 0; i < f->x->plan->count; i++) {
        const struct insn *insn = at(f->x, i);
        if ((i >= f->begin && i < f->end) || slow_leaving_main(f->x, i))
            continue;
        f->call_writes |= writes(f, i);
        f->call_reads |= indexes(f, insn->dst.index, insn->dst.nindices);
        for (unsigned k = 0; k < insn->nsrc; k++)
            f->call_reads |= slow_reads_component(f->x, i, k, f->symbol, f->c) != 0;
    }
}

static void follow(struct follower *f)
{
    struct leaving *x = f->x;
    uint32_t to[8];
    bool changed = true;
    look_at_calls(f);
    memset(f->in + f->begin, 0, (f->end - f->begin) * sizeof *f->in);
    f->in[f->begin] = FROM_ELSEWHERE;
    while (changed) {
        changed = false;
        for (uint32_t i = f->begin; i < f->end; i++) {
            uint64_t out = f->in[i] ? behind(f, i, f->in[i]) : 0;
            unsigned ways = out ? slow_successors(x->p, x->plan, i, to) : 0;
            for (unsigned k = 0; k < ways; k++) {
                if (to[k] == NO_INDEX || to[k] < f->begin || to[k] >= f->end || (to[k] == x->plan->place[i].to && slow_has_first_round(x, i)))
                    continue;
                changed |= (f->in[to[k]] | out) != f->in[to[k]];
                f->in[to[k]] |= out;
            }
        }
    }
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint64_t out = f->in[i] ? behind(f, i, f->in[i]) : 0;
        unsigned ways = out ? slow_successors(x->p, x->plan, i, to) : 0;
        bool ends = at(x, i)->op == OP_RET;
        if (f->in[i])
            note_reads(f, i, f->in[i]);
        for (unsigned k = 0; k < ways; k++)
            ends |= to[k] != NO_INDEX && slow_leaving_begins(x, to[k]) && !(to[k] == x->plan->place[i].to && slow_has_first_round(x, i));
        for (uint32_t w = f->first; ends && !slow_leaving_main(x, i) && w < x->nwrites; w++)
            if (out >> (w - f->first) & 1)
                x->leaves[x->writes[w] / 4] |= (uint8_t)(1u << x->writes[w] % 4);
    }
}

static void look_at_variable(struct follower *f)
{
    struct leaving *x = f->x;
    bool any = false;
    f->first = x->nwrites;
    for (uint32_t i = f->begin; i < f->end; i++) {
        if (!writes(f, i))
            continue;
        any |= x->truth[i] >> f->c & 1;
        if (x->nwrites - f->first == MOST_WRITES)
            x->truth[i] &= (uint8_t)~(1u << f->c);
        else
            x->writes[x->nwrites++] = 4 * i + f->c;
    }
    if (any)
        follow(f);
}

static void find_reads(struct leaving *x)
{
    struct follower f = {.x = x};
    f.in = malloc((x->plan->count + 1) * sizeof *f.in);
    x->failed |= !f.in;
    for (f.begin = 0; !x->failed && f.begin < x->plan->count; f.begin = f.end) {
        for (f.end = f.begin + 1; f.end < x->plan->count && x->part[f.end] == x->part[f.begin]; f.end++)
            ;
        for (f.symbol = 0; f.symbol < x->p->text->symbols.count; f.symbol++)
            for (f.c = 0; f.c < 4; f.c++) {
                f.variable = slow_variable(x->p, OPND_SYMBOL, f.symbol, false, f.c);
                if (f.variable != NO_INDEX)
                    look_at_variable(&f);
            }
    }
    free(f.in);
}

/* ---- what are truths ----------------------------------------------------------------------------------------------------- */

static uint32_t only_write(const struct leaving *x, const struct slow_truth_read *r)
{
    if (!r->from || r->from & FROM_ELSEWHERE || r->from & (r->from - 1))
        return NO_INDEX;
    return x->writes[r->first + (uint32_t)__builtin_ctzll(r->from)];
}

static bool holds(const uint8_t *set, uint32_t write)
{
    return write != NO_INDEX && set[write / 4] >> write % 4 & 1;
}

static bool is_logic(unsigned op)
{
    return op == OP_AND || op == OP_OR || op == OP_XOR;
}

/* What comes to it is one truth; of logic two are. */
static bool reads_truth(const struct leaving *x, const struct slow_truth_read *r)
{
    return holds(x->truth, only_write(x, r)) &&
           (!is_logic(at(x, r->place)->op) || r->operand > 1 || !(r->results & ~x->partner[2 * r->place + r->operand]));
}

static void find_partners(struct leaving *x)
{
    memset(x->partner, 0, 2 * (size_t)x->plan->count);
    for (uint32_t i = 0; i < x->nreads; i++)
        if (x->reads[i].operand < 2 && holds(x->truth, only_write(x, &x->reads[i])))
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
    return any;
}

static bool look_at_read(struct leaving *x, const struct slow_truth_read *r)
{
    bool truth = reads_truth(x, r), less = false, ok = truth && r->use != USE_WORD, main = slow_leaving_main(x, r->place);
    if (!truth && r->use >= USE_COPY && !compares_floats(x, r->place))
        less |= take_away(x->truth, r->place, r->results);
    if (is_plain(x->p, &at(x, r->place)->dst)) {
        if (r->use == USE_COPY || (r->use == USE_SIGN && !main))
            ok &= !(r->results & ~x->truth[r->place]);
        if (r->use == USE_SIGN && main)
            ok &= !(r->results & x->floats[r->place]);
    }
    return (!ok && take_sources(x, r)) || less;
}

static void settle(struct leaving *x)
{
    bool less = true;
    while (less) {
        less = false;
        find_partners(x);
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
            if (x->reads[i].use == USE_COPY && !holds(x->said, only_write(x, &x->reads[i])))
                less |= take_away(x->said, x->reads[i].place, x->reads[i].results);
    }
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (!compares_floats(x, i) && at(x, i)->op != OP_MOV)
            x->said[i] = 0;
}

static void find_uses(struct leaving *x)
{
    for (uint32_t i = 0; i < x->nreads; i++) {
        struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        const struct slow_place *s = &x->plan->place[r->place];
        if (insn->dst.kind != OPND_NONE)
            r->results &= (uint8_t)~s->fails;
        r->use = !r->results ? USE_ASKS : r->operand < 4 && !(s->computed & r->results) ? (uint8_t)slow_truth_use(x->p, insn, r->operand) : USE_WORD;
        for (uint64_t from = r->operand < 4 && slow_takes_floats(x->p, insn, r->operand) ? r->from & ~FROM_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
            x->floats[w / 4] |= (uint8_t)(1u << w % 4);
        }
    }
}

static void drop_unread(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        unsigned read = 0;
        if (!x->truth[i] || compares_floats(x, i))
            continue;
        for (uint32_t k = 0; k < x->nreads; k++)
            if (x->reads[k].place == i && x->reads[k].use >= USE_COPY)
                read |= x->reads[k].results;
        x->truth[i] &= (uint8_t)read;
    }
}

/* Flags of a comparison that anybody looks at; of copies those that are looked at behind the subroutine. */
static void drop_flags(struct leaving *x)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = at(x, i);
        unsigned left = 0;
        if (!x->truth[i] || !insn->cc_update)
            continue;
        for (unsigned c = 0; !slow_leaving_main(x, i) && c < 4; c++)
            left |= (unsigned)slow_in_set(x->reach.returned, (insn->cc_update - 1u) * 4u + c) << c;
        left &= insn->dst.mask & x->reach.flags[i];
        for (uint32_t k = i + 1; left && !slow_leaving_begins(x, k) && !x->reach.leads[k]; k++)
            if (at(x, k)->cc_update == insn->cc_update && !condition_restricts(&at(x, k)->dst.condition))
                left &= ~(unsigned)at(x, k)->dst.mask;
        x->truth[i] &= (uint8_t)~(compares_floats(x, i) ? x->reach.flags[i] : left);
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
        if (compares_floats(x, i) && x->truth[i] != at(x, i)->dst.mask && reads_itself(x, at(x, i)))
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
    find_partners(x);
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        unsigned op = at(x, r->place)->op;
        any |= !slow_leaving_main(x, r->place) && r->use == USE_MAKES && reads_truth(x, r) && (op_compares(op) || is_logic(op));
    }
    return any;
}

/* ---- what comes of them -------------------------------------------------------------------------------------------------- */

static void find_negatives(struct leaving *x)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < x->nreads; i++) {
            const struct slow_truth_read *r = &x->reads[i];
            uint32_t write = only_write(x, r);
            struct slow_place *to = &x->plan->place[r->place], *from = write == NO_INDEX ? NULL : &x->plan->place[write / 4];
            if (!from || !(from->of_truth >> write % 4 & 1) || !(r->results & ~to->below))
                continue;
            if (!(slow_of_truth(x->p, at(x, write / 4), true, from->below >> write % 4 & 1) & 0x80000000u))
                continue;
            to->below |= r->results;
            more = true;
        }
    }
}

static void hand_over(struct leaving *x)
{
    find_partners(x);
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        struct slow_place *s = &x->plan->place[r->place];
        uint32_t write = only_write(x, r);
        bool main = slow_leaving_main(x, r->place);
        if (holds(x->said, write) && slow_says_truth(insn, at(x, write / 4)->type == DT_F64, x->predicates))
            s->of_truth |= r->results & insn->dst.mask;
        if (!reads_truth(x, r))
            continue;
        if (r->use >= USE_SIGN || (r->use == USE_COPY && insn->op != OP_MOV && !main))
            s->of_truth |= r->results & insn->dst.mask;
        if (r->use == USE_ASKS && !main && op_votes(insn->op))
            s->truths |= r->results & insn->dst.mask;
        else if (r->use == USE_ASKS && !main)
            s->counts |= r->results;
    }
    for (uint32_t i = 0; i < x->plan->count; i++)
        x->plan->place[i].leaves = slow_leaving_main(x, i) ? 0 : x->truth[i];
    find_negatives(x);
}

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
                (compares_floats(x, i) || (reads_one_of(x, insn, symbols) && hands_on(x, i))))
                more = symbols[insn->dst.ref] = true;
        }
    }
    return symbols;
}

static void find(struct leaving *x)
{
    bool predicates, *symbols = find_symbols(x);
    x->failed |= !symbols;
    slow_count_predicates(x);
    predicates = x->predicates;
    for (uint32_t i = 0; symbols && i < x->plan->count; i++) {
        x->part[i] = i && !slow_leaving_begins(x, i) && i != x->reach.entry ? x->part[i - 1] : i;
        if ((compares_floats(x, i) || (reads_one_of(x, at(x, i), symbols) && hands_on(x, i))) && !in_loop(x, x->plan->place[i].insn))
            x->truth[i] = (uint8_t)(at(x, i)->dst.mask & ~x->plan->place[i].computed);
    }
    free(symbols);
    if (!x->failed)
        find_reads(x);
    if (x->failed)
        return;
    find_uses(x);
    drop_unread(x);
    find_said(x);
    drop_flags(x);
    x->predicates += !predicates;
    for (uint32_t i = 0; i < x->plan->count; i++)
        if (compares_floats(x, i) && !slow_sees_predicate(x, i))
            x->truth[i] = 0;
    drop_overlapping(x);
    settle(x);
    drop_leaving(x);
    drop_overlapping(x);
    settle(x);
    if (!predicates && !asks_itself(x)) {
        x->predicates = 0;
        memset(x->truth, 0, x->plan->count);
    }
    hand_over(x);
}

static bool worth_it(const struct leaving *x)
{
    bool any = false;
    for (uint32_t i = 0; i < x->plan->count; i++)
        any |= op_compares(at(x, i)->op) && (at(x, i)->type == DT_F32 || at(x, i)->type == DT_F64);
    return any;
}

bool slow_find_leaving(struct slow_plan *plan, const struct slow_program *p)
{
    struct leaving x = {.p = p, .plan = plan};
    size_t n = plan->count + 1;
    if (plan->count > MOST_PLACES || !worth_it(&x))
        return true;
    x.failed = !slow_reach_new(&x.reach, p, plan);
    x.runs = calloc(n, sizeof *x.runs);
    x.part = calloc(n, sizeof *x.part);
    x.behind = malloc(4 * n);
    x.truth = calloc(6 * n, 1);
    x.writes = malloc(4 * n * sizeof *x.writes);
    x.failed |= !x.runs || !x.part || !x.behind || !x.truth || !x.writes;
    if (!x.failed) {
        x.leaves = x.truth + n;
        x.said = x.leaves + n;
        x.floats = x.said + n;
        x.partner = x.floats + n;
        find(&x);
    }
    slow_reach_free(&x.reach);
    free(x.runs);
    free(x.part);
    free(x.behind);
    free(x.truth);
    free(x.writes);
    free(x.reads);
    return !x.failed;
}
