/* Which writes come to which reads within the main program and within each subroutine, of the components that truths may stand in
 * (truths.h). */
#include "eval/truths.h"

#include "eval/names.h"
#include "eval/search.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WRITES = 62 };       /* of one component in one part; the others are as from elsewhere */

#define SEVERAL UINT32_MAX

struct flow {
    struct truth_search *s;
    uint32_t begin, end;        /* blocks of the part */
    uint32_t *writer, *reader;  /* of each variable: the one subroutine that writes it, and 1; 0: none does; SEVERAL; the same of those that read it */
    uint32_t nsymbols, *symbols, *seen;         /* those that the part names; of each: where the last part began that was seen to do so, and 1 */
    uint32_t *calls, ncalls;    /* instructions */
    uint32_t symbol, variable, first, count;
    unsigned component;
    uint64_t *in;               /* of each block */
};

/* An atomic operation on one word takes one component. */
static bool adds_one(const struct insn *insn, unsigned k)
{
    return (insn->op == OP_ATOMB || insn->op == OP_ATOMS || insn->op == OP_ATOM) && !k && insn->width <= 1;
}

uint8_t eval_components_reading(const struct truth_search *s, uint32_t at, unsigned k, unsigned component)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct operand *o = program_operand(s->p, insn->src + k);
    uint8_t useful = s->l->useful[at] & (uint8_t)~eval_kept_back(s, at), results = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint8_t read = insn->op == OP_ATOMIM && !k ? (uint8_t)(1u << c) : adds_one(insn, k) ? 1 : eval_component_reads(insn->op, k, c);
        if (!(useful >> c & 1 || (useful & LIVE_EFFECT && insn->dst.kind == OPND_NONE)))
            continue;
        for (unsigned i = 0; i < 4; i++)
            if (read >> i & 1 && (o->swizzle >> 2 * i & 3) == component)
                results |= (uint8_t)(1u << c);
    }
    return results;
}

uint8_t eval_truth_components(const struct truth_search *s, uint32_t at, unsigned k, unsigned component)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, at)->src + k);

    if (o->kind == OPND_EXTENDED && eval_variable(s->l, o->base_kind, o->ref, o->nindices != 0, component) == s->variable)
        return 15;
    if ((o->kind != OPND_SYMBOL && o->kind != OPND_HANDLE) ||
        eval_variable(s->l, OPND_SYMBOL, o->ref, o->nindices != 0, component) != s->variable)
        return 0;
    return eval_components_reading(s, at, k, component);
}

uint8_t eval_element_components(const struct truth_search *s, uint32_t at, unsigned k)
{
    const struct operand *o = program_operand(s->p, program_insn(s->p, at)->src + k);

    if (!eval_may_be_element(s, operand_named_kind(o), o->ref, o->index, o->nindices))
        return 0;
    return o->kind == OPND_EXTENDED ? 15 : eval_components_reading(s, at, k, s->component);
}

static bool is_write(const struct flow *f, const struct insn *insn)
{
    const struct result *r = &insn->dst;

    return r->kind == OPND_SYMBOL && r->condition.rule != CC_FL && eval_written(f->s->l, insn) >> f->component & 1 &&
           eval_result_variable(f->s->l, r, f->component) == f->variable;
}

/* The bit of a write. */
static uint64_t bit_of(const struct flow *f, uint32_t at)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (*(const uint32_t *)vec_at(&f->s->writes, f->first + i) == 4 * at + f->component)
            return 1ull << i;
    return TRUTH_ELSEWHERE;
}

static void add_part(uint32_t *to, uint32_t part)
{
    *to = !*to || *to == part + 1 ? part + 1 : SEVERAL;
}

/* What an instruction of a subroutine does with a component of a symbol. */
static void add_use(struct flow *f, uint32_t i, uint32_t symbol)
{
    struct truth_search *s = f->s;
    const struct insn *insn = program_insn(s->p, i);

    for (f->component = 0; f->component < 4; f->component++) {
        bool reads;
        s->variable = f->variable = eval_variable(s->l, OPND_SYMBOL, symbol, false, f->component);
        if (f->variable == NO_INDEX)
            return;
        reads = eval_is_index(s->l, insn->dst.index, insn->dst.nindices, f->variable);
        for (unsigned k = 0; k < insn->nsrc; k++)
            reads |= eval_truth_components(s, i, k, f->component) != 0;
        if (is_write(f, insn))
            add_part(&f->writer[f->variable], s->part[i]);
        if (reads)
            add_part(&f->reader[f->variable], s->part[i]);
    }
}

static void find_called(struct flow *f)
{
    const struct truth_search *s = f->s;

    for (uint32_t symbol = 0; symbol < s->p->symbols.count; symbol++)
        for (uint32_t k = s->named_of[symbol]; k < s->named_of[symbol + 1]; k++)
            if (!eval_in_main(s, s->named[k]))
                add_use(f, s->named[k], symbol);
}

static bool is_other(uint32_t parts, uint32_t here)
{
    return parts && parts != here + 1;
}

static void note(struct flow *f, uint32_t at, unsigned k, uint8_t results, uint64_t from)
{
    struct truth_read read = {.insn = at, .first = f->first, .from = from, .operand = (uint8_t)k, .component = (uint8_t)f->component,
                              .variable = f->variable, .symbol = f->symbol, .outside = NO_INDEX, .results = results, .main = eval_in_main(f->s, at)};
    size_t i;

    if (!(from & ~TRUTH_ELSEWHERE) && read.main && !(f->s->followed && f->writer[f->variable]))
        return;
    read.results &= (uint8_t)~eval_kept_back(f->s, at);
    i = vec_grow(&f->s->reads);
    if (i == SIZE_MAX) {
        f->s->failed = true;
        return;
    }
    read.before = f->s->last_read[at];
    f->s->last_read[at] = (uint32_t)i + 1;
    *(struct truth_read *)vec_at(&f->s->reads, i) = read;
}

/* The instructions of a block that name the symbol at hand, or call: each once, in their order. */
struct mentions {
    const uint32_t *list[2];
    uint32_t n[2], end;
};

static struct mentions mentions_in(const struct flow *f, uint32_t block, bool calls)
{
    const struct truth_search *s = f->s;
    uint32_t begin = s->l->start[block];
    struct mentions of = {{s->named + s->named_of[f->symbol], f->calls}, {s->named_of[f->symbol + 1] - s->named_of[f->symbol], calls ? f->ncalls : 0}, s->l->start[block + 1]};

    for (unsigned k = 0; k < 2; k++) {
        uint32_t at = eval_first_from(of.list[k], of.n[k], begin);
        of.list[k] += at;
        of.n[k] -= at;
    }
    return of;
}

static uint32_t next_of(struct mentions *of)
{
    uint32_t i = NO_INDEX;

    for (unsigned k = 0; k < 2; k++)
        if (of->n[k] && *of->list[k] < i)
            i = *of->list[k];
    for (unsigned k = 0; k < 2; k++)
        while (of->n[k] && *of->list[k] == i) {
            of->list[k]++;
            of->n[k]--;
        }
    return i < of->end ? i : NO_INDEX;
}

static bool is_tested_call(const struct truth_search *s, uint32_t i)
{
    return condition_restricts(&program_insn(s->p, i)->condition) && eval_outcome(s->d, i) != OUTCOME_PASSES;
}

/* Through a block; with `reads` they are noted. */
static uint64_t through(struct flow *f, uint32_t block, uint64_t in, bool reads, bool call_reads, bool call_writes)
{
    struct truth_search *s = f->s;
    bool looks = s->marked[block] == s->mark || (s->calls[block] && (call_reads || call_writes));
    struct mentions of = {.end = 0};

    if (looks)
        of = mentions_in(f, block, call_reads || call_writes);
    for (uint32_t i = next_of(&of); i != NO_INDEX; i = next_of(&of)) {
        const struct insn *insn = program_insn(s->p, i);
        bool calls = insn->op == OP_CAL || insn->op == OP_CALI, tested;
        for (unsigned k = 0; reads && k < insn->nsrc; k++) {
            const struct operand *o = program_operand(s->p, insn->src + k);
            uint8_t results = eval_truth_components(s, i, k, f->component);
            if (eval_is_index(s->l, o->index, o->nindices, f->variable))
                note(f, i, 4, 15, in);
            if (results)
                note(f, i, o->kind == OPND_EXTENDED ? 4 : k, results, in);
        }
        if (reads && (eval_is_index(s->l, insn->dst.index, insn->dst.nindices, f->variable) || (calls && call_reads)))
            note(f, i, 4, 15, in);
        if (calls && call_writes)
            in = (s->chooses && is_tested_call(s, i) ? in : 0) | TRUTH_ELSEWHERE;
        if (!is_write(f, insn))
            continue;
        tested = eval_truth_tested(s, i) >> f->component & 1;
        if (tested && s->chooses && eval_is_choice(s, i)) {      /* a value of its own, which takes that before it for a number */
            if (reads && s->l->useful[i] >> f->component & 1)
                note(f, i, 4, (unsigned)1 << f->component, in);
            tested = false;
        }
        in = (tested ? in : 0) | bit_of(f, i);
    }
    return in;
}

static bool ends_part(const struct truth_search *s, uint32_t block)
{
    uint32_t last = s->l->start[block + 1] - 1;
    const struct insn *insn = program_insn(s->p, last);

    return insn->op == OP_RET || last + 1 >= s->p->insns.count || s->l->label[last + 1] || s->returns[block];
}

static void follow(struct flow *f)
{
    struct truth_search *s = f->s;
    uint32_t here = s->part[s->l->start[f->begin]];
    bool changed = true, reads = is_other(f->reader[f->variable], here), writes = is_other(f->writer[f->variable], here);

    memset(f->in + f->begin, 0, (f->end - f->begin) * sizeof *f->in);
    f->in[f->begin] = TRUTH_ELSEWHERE;
    while (changed) {
        changed = false;
        for (uint32_t b = f->begin; b < f->end; b++) {
            uint64_t out = f->in[b] ? through(f, b, f->in[b], false, reads, writes) : 0;
            for (uint32_t k = s->next_of[b]; out && k < s->next_of[b + 1]; k++) {
                uint32_t to = s->next[k];
                if (to >= f->begin && to < f->end && (f->in[to] | out) != f->in[to]) {
                    f->in[to] |= out;
                    changed = true;
                }
            }
        }
    }
    for (uint32_t b = f->begin; b < f->end; b++) {
        uint64_t out = f->in[b] ? through(f, b, f->in[b], true, reads, writes) : 0;
        for (uint32_t i = 0; ends_part(s, b) && !eval_in_main(s, s->l->start[b]) && i < f->count; i++) {
            uint32_t write = *(const uint32_t *)vec_at(&s->writes, f->first + i);
            s->leaves[write / 4] |= (uint8_t)((out >> i & 1) << write % 4);
        }
    }
}

/* The writes of a component in a part, if any may be a truth, or the symbol is to be followed; then they are. */
static void look(struct flow *f)
{
    struct truth_search *s = f->s;
    uint32_t begin = s->l->start[f->begin], end = s->l->start[f->end], before = NO_INDEX;
    uint32_t n = s->named_of[f->symbol + 1] - s->named_of[f->symbol];
    const uint32_t *named = s->named + s->named_of[f->symbol];
    bool any = s->followed && s->followed[f->symbol];

    f->first = (uint32_t)s->writes.count;
    f->count = 0;
    for (uint32_t k = eval_first_from(named, n, begin); k < n && named[k] < end; k++) {
        uint32_t i = named[k];
        size_t at;
        if (i == before || !is_write(f, program_insn(s->p, i)))
            continue;
        before = i;
        any |= s->truth[i] >> f->component & 1;
        if (f->count == MAX_WRITES) {
            s->truth[i] &= (uint8_t)~(1u << f->component);
            continue;
        }
        at = vec_grow(&s->writes);
        if (at == SIZE_MAX) {
            s->failed = true;
            return;
        }
        *(uint32_t *)vec_at(&s->writes, at) = 4 * i + f->component;
        f->count++;
    }
    s->variable = f->variable;
    if (any || (s->looks_outside && !eval_in_main(s, begin)))
        follow(f);
}

static void add_symbol(void *user, const struct named *named)
{
    struct flow *f = user;

    if (named->kind != OPND_SYMBOL || f->seen[named->ref] == f->begin + 1)
        return;
    f->seen[named->ref] = f->begin + 1;
    f->symbols[f->nsymbols++] = named->ref;
}

/* The symbols that the part names, in their order. */
static void find_symbols(struct flow *f)
{
    const struct truth_search *s = f->s;

    f->nsymbols = 0;
    for (uint32_t i = s->l->start[f->begin]; i < s->l->start[f->end]; i++)
        eval_each_named(s->p, program_insn(s->p, i), &(struct naming){add_symbol, f});
    qsort(f->symbols, f->nsymbols, sizeof *f->symbols, eval_by_number);
}

static void look_at_part(struct flow *f)
{
    find_symbols(f);
    for (uint32_t k = 0; k < f->nsymbols; k++) {
        f->symbol = f->symbols[k];
        eval_mark_symbol(f->s, f->symbol);
        for (f->component = 0; f->component < 4 && !f->s->failed; f->component++) {
            f->variable = eval_variable(f->s->l, OPND_SYMBOL, f->symbol, false, f->component);
            if (f->variable != NO_INDEX)
                look(f);
        }
    }
}

bool eval_truth_reads(struct truth_search *s)
{
    struct flow f = {.s = s};
    size_t nvars = s->l->nvars + 1u, nsymbols = s->p->symbols.count + 1;

    f.in = gp5_malloc((s->l->nblocks + 1) * sizeof *f.in);
    f.writer = gp5_malloc(2 * nvars * sizeof *f.writer);
    f.symbols = gp5_malloc(2 * nsymbols * sizeof *f.symbols);
    f.calls = gp5_malloc((s->p->insns.count + (size_t)1) * sizeof *f.calls);
    s->failed |= !f.in || !f.writer || !f.symbols || !f.calls;
    if (!s->failed) {
        for (uint32_t i = 0; i < s->p->insns.count; i++)
            if (op_calls(program_insn(s->p, i)->op))
                f.calls[f.ncalls++] = i;
        f.reader = f.writer + nvars;
        f.seen = f.symbols + nsymbols;
        memset(f.writer, 0, 2 * nvars * sizeof *f.writer);
        memset(f.seen, 0, nsymbols * sizeof *f.seen);
        find_called(&f);
    }
    for (f.begin = 0; !s->failed && f.begin < s->l->nblocks; f.begin = f.end) {
        uint32_t part = s->part[s->l->start[f.begin]];
        f.end = f.begin + 1;
        while (f.end < s->l->nblocks && s->part[s->l->start[f.end]] == part)
            f.end++;
        look_at_part(&f);
    }
    gp5_free(f.in);
    gp5_free(f.writer);
    gp5_free(f.symbols);
    gp5_free(f.calls);
    return !s->failed;
}
