/* Which of the values that pairs are made of meet others where ways come together, and somebody reads what comes of it: the driver's compiler
 * makes no pairs with those from block to block (docs/numbers.md, "Pairs and single instructions"). Blocks are gone through once, in the
 * order of the text: where a loop begins, what it writes is a meeting. */
#include "eval/pair_writes.h"
#include "eval/pairs.h"

#include "eval/live_blocks.h"
#include "eval/shared_map.h"

#include <string.h>

/* What a variable holds. */
struct value {
    uint32_t id;                /* of what made it; 0: it was there before, or before a call of this part */
    uint32_t block;             /* which made it */
    uint32_t origin, var;       /* what it is a copy of there, that another block made, and where that stood; NO_INDEX: of nothing */
};

struct meeting {
    uint32_t block;             /* NO_INDEX: what a call left */
    bool met;
};

/* An operand of a first one, which another block made. */
struct source {
    uint32_t insn, id, var;     /* as it was made before copies in the block at hand */
    uint8_t component;
};

/* A division by what PK2US made in another block. */
struct quotient {
    uint32_t insn, id;
    uint8_t component;
};

struct meets {
    struct decoder *d;
    const struct liveness *live;
    struct pair_meets *out;
    struct shared_map now, *before;
    uint8_t *reached;
    struct vec meetings, sources, quotients;
    struct pair_writes writes;
    struct shared_bits spoilt;  /* variables that such a call writes behind its first block, which live on */
    uint32_t block, call;       /* at hand; NO_INDEX */
    bool failed;
};

static const struct value nothing;

static uint32_t value_base(const struct meets *m)
{
    return 4 * (uint32_t)m->d->p->insns.count + 1;
}

static void mark(struct meets *m, uint32_t id)
{
    if (id >= value_base(m))
        ((struct meeting *)vec_at(&m->meetings, id - value_base(m)))->met = true;
    else if (id)
        m->out->result[(id - 1) / 4] |= (uint8_t)(1u << (id - 1) % 4);
}

static bool is_met(const struct meets *m, uint32_t id)
{
    if (id >= value_base(m))
        return ((const struct meeting *)vec_at(&m->meetings, id - value_base(m)))->met;
    return id && m->out->result[(id - 1) / 4] >> (id - 1) % 4 & 1;
}

static struct value new_meeting(struct meets *m, uint32_t block)
{
    size_t at = vec_grow(&m->meetings);
    uint32_t id = at == SIZE_MAX ? 0 : value_base(m) + (uint32_t)at;

    m->failed |= at == SIZE_MAX;
    if (at != SIZE_MAX)
        ((struct meeting *)vec_at(&m->meetings, at))->block = block;
    return (struct value){id, NO_INDEX, NO_INDEX, NO_INDEX};
}

static bool is_meeting_of(const struct meets *m, const struct value *v, uint32_t block)
{
    return v->id >= value_base(m) && ((const struct meeting *)vec_at(&m->meetings, v->id - value_base(m)))->block == block;
}

static bool is_wanted(const struct meets *m, uint32_t block, uint32_t var)
{
    return shared_bits_has(&m->live->live_in[block], var);
}

/* ---- ways ------------------------------------------------------------------------------------------------------------------------- */

static void join(void *user, uint32_t var, void *value, const void *other)
{
    struct meets *m = user;
    struct value *into = value;
    const struct value *from = other;
    bool wanted = is_wanted(m, m->block, var);

    if (into->id == from->id)
        return;
    if (wanted)
        mark(m, from->id);
    if (is_meeting_of(m, into, m->block))
        return;
    if (wanted)
        mark(m, into->id);
    *into = new_meeting(m, m->block);
}

/* Back to where a loop begins. */
static void meet_head(void *user, uint32_t var, void *value)
{
    struct meets *m = user;
    const struct value *v = value, *there = shared_map_at(&m->before[m->block], var);

    if ((!there || there->id != v->id) && is_wanted(m, m->block, var))
        mark(m, v->id);
}

static void enter_loop(void *user, uint32_t var, void *value)
{
    struct meets *m = user;
    const struct pair_loop *loop = vec_at(&m->writes.loops, m->writes.head[m->block] - 1);
    struct value *v = value;

    if (!shared_bits_has(&loop->own, var) && (!shared_bits_has(&loop->calls, var / 4) || !shared_bits_has(&m->writes.called, var)))
        return;
    if (is_wanted(m, m->block, var))
        mark(m, v->id);
    if (!is_meeting_of(m, v, m->block))     /* where rounds by twos begin odd ones come in too, and all of them meet in one */
        *v = new_meeting(m, m->block);
}

/* What a call may write is something else behind it. */
static void call(void *user, uint32_t var, void *value)
{
    struct meets *m = user;
    struct value *v = value;
    bool late = shared_bits_has(&m->writes.late, var), tested = condition_restricts(&program_insn(m->d->p, m->call)->condition);

    if (!shared_bits_has(&m->writes.called, var) || eval_outcome(m->d, m->call) == OUTCOME_FAILS)
        return;
    if (is_wanted(m, m->block, var)) {
        if (late)
            shared_bits_add(&m->spoilt, var);
        if (late || (tested && eval_outcome(m->d, m->call) != OUTCOME_PASSES))
            mark(m, v->id);
    }
    *v = new_meeting(m, NO_INDEX);
}

static void go_on(struct meets *m, uint32_t from, const struct edge *edge)
{
    const struct shared_bits *written = edge->call == NO_INDEX ? NULL : eval_written_by_call(m->live, edge->call);
    struct shared_map now = shared_map_copy(&m->now);

    m->block = edge->to;
    m->call = edge->call;
    if (written)
        shared_map_each_of(&now, written, call, m);
    if (edge->to <= from)
        shared_map_each_apart(&now, &m->before[edge->to], meet_head, m);
    else if (!m->reached[edge->to])
        shared_map_set(&m->before[edge->to], &now);
    else
        shared_map_meet(&m->before[edge->to], &now, false, join, m);
    m->reached[edge->to] = 1;
    m->failed |= now.failed;
    shared_map_free(&now);
}

/* ---- instructions ----------------------------------------------------------------------------------------------------------------- */

static const struct value *held(const struct meets *m, const struct operand *o, unsigned c, uint32_t *var)
{
    const struct value *v;

    *var = eval_operand_variable(m->live, o, c);
    v = *var == NO_INDEX ? NULL : shared_map_at(&m->now, *var);
    return v ? v : &nothing;
}

/* What of another block component c of an operand is, over copies in this one. */
static uint32_t made_before(const struct meets *m, const struct operand *o, unsigned c, uint32_t *var)
{
    const struct value *v = held(m, o, c, var);

    if (*var == NO_INDEX || !v->id || v->block != m->block)
        return *var == NO_INDEX ? NO_INDEX : v->id;
    *var = v->var;
    return v->origin;
}

static void note_source(struct meets *m, uint32_t i, unsigned c)
{
    const struct operand *o = eval_pair_source(m->d, i, c);
    struct source s = {.insn = i, .component = (uint8_t)c};
    size_t at;

    s.id = o ? made_before(m, o, c, &s.var) : NO_INDEX;
    if (s.id == NO_INDEX)
        return;
    at = vec_grow(&m->sources);
    m->failed |= at == SIZE_MAX;
    if (at != SIZE_MAX)
        *(struct source *)vec_at(&m->sources, at) = s;
}

/* The number that PK2US makes of what is not above 0 is not known, but to be 0. */
static bool packs_unknown(const struct meets *m, uint32_t id)
{
    const struct folded *folded = id && id < value_base(m) ? eval_folded_at(m->d, (id - 1) / 4) : NULL;

    return folded && folded->packed;
}

bool eval_divides_by_known(const struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = insn->op == OP_DIV || insn->op == OP_MOD ? eval_folded_at(d, i) : NULL;

    return folded && folded->taken[0] && !type_table[insn->type].is_float;
}

bool eval_divides_packed(const struct decoder *d)
{
    bool packs = false, divides = false;

    for (uint32_t i = 0; i < d->p->insns.count && !divides; i++) {
        packs |= program_insn(d->p, i)->op == OP_PK2US;
        divides = packs && eval_divides_by_known(d, i);
    }
    return divides;
}

static void note_quotients(struct meets *m, uint32_t i)
{
    const struct insn *insn = program_insn(m->d->p, i);
    const struct folded *folded = eval_folded_at(m->d, i);

    for (unsigned c = 0; eval_divides_by_known(m->d, i) && c < 4; c++) {
        uint32_t var;
        const struct value *v = held(m, program_operand(m->d->p, insn->src + 1), c, &var);
        size_t at = folded->taken[0] >> c & 1 && var != NO_INDEX && v->block != m->block && packs_unknown(m, v->id) ? vec_grow(&m->quotients) : SIZE_MAX - 1;
        m->failed |= at == SIZE_MAX;
        if (at < SIZE_MAX - 1)
            *(struct quotient *)vec_at(&m->quotients, at) = (struct quotient){i, v->id, (uint8_t)c};
    }
}

/* The operand that component c is a copy of, but for a sign, or -1. */
static int copied(const struct meets *m, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(m->d->p, i);
    const struct folded *folded = eval_folded_at(m->d, i);
    bool plain = !condition_restricts(&insn->dst.condition) && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) && type_table[insn->type].bytes == 4;

    if (!plain || insn->dst.kind != OPND_SYMBOL || program_symbol(m->d->p, insn->dst.ref)->size != SIZE_DEFAULT)
        return -1;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return 0;
    case OP_MUL: return !folded || insn->type != DT_F32 ? -1 : (folded->ones[0] | folded->minus[0]) >> c & 1 ? 1 : (folded->ones[1] | folded->minus[1]) >> c & 1 ? 0 : -1;
    default: return -1;
    }
}

static void write(struct meets *m, uint32_t i)
{
    const struct insn *insn = program_insn(m->d->p, i);
    uint8_t mask = eval_pair_written(m->d, m->live, i);
    struct value fresh[4];

    for (unsigned c = 0; c < 4; c++) {
        int from = mask >> c & 1 ? copied(m, i, c) : -1;
        const struct operand *o = from < 0 ? NULL : program_operand(m->d->p, insn->src + (unsigned)from);
        uint32_t var = NO_INDEX;
        fresh[c] = (struct value){.id = 4 * i + c + 1, .block = m->block, .origin = NO_INDEX, .var = NO_INDEX};
        if (o && insn->op == OP_MOV && !operand_has_sign(o) &&
            eval_operand_variable(m->live, o, c) == eval_result_variable(m->live, &insn->dst, c))
            fresh[c] = *held(m, o, c, &var);        /* itself */
        else if (o)
            fresh[c].origin = made_before(m, o, c, &fresh[c].var);
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = mask >> c & 1 ? eval_result_variable(m->live, &insn->dst, c) : NO_INDEX;
        if (var != NO_INDEX)
            shared_map_put(&m->now, var, &fresh[c]);
    }
}

static void go_through(struct meets *m, uint32_t block)
{
    struct edge edges[MAX_EDGES];
    unsigned n = eval_edges(m->live, block, edges);
    uint32_t last = m->live->start[block + 1] - 1;

    m->block = block;
    if (m->writes.head[block])
        shared_map_each_of(&m->before[block], &((struct pair_loop *)vec_at(&m->writes.loops, m->writes.head[block] - 1))->fours, enter_loop, m);
    shared_map_set(&m->now, &m->before[block]);
    for (uint32_t i = m->live->start[block]; i <= last; i++) {
        const struct insn *insn = program_insn(m->d->p, i);
        for (unsigned c = 0; c < 4; c++)
            if (c == 0 || (insn->op == OP_MIN && insn->dst.mask >> c & 1))
                note_source(m, i, c);
        note_quotients(m, i);
        write(m, i);
    }
    for (unsigned k = 0; k < n; k++)
        if (edges[k].to == block + 1 || eval_form(m->d, last) != FORM_PLAIN || !eval_runs_once(m->d->p, program_insn(m->d->p, last)))
            go_on(m, block, &edges[k]);
}

static void settle(struct meets *m)
{
    for (size_t k = 0; k < m->sources.count; k++) {
        const struct source *s = vec_at(&m->sources, k);
        bool outside = eval_in_subroutine(m->live, s->insn) && !s->id;
        if (outside || is_met(m, s->id) || shared_bits_has(&m->spoilt, s->var))
            m->out->source[s->insn] |= (uint8_t)(1u << s->component);
    }
    for (size_t k = 0; k < m->quotients.count; k++) {
        const struct quotient *q = vec_at(&m->quotients, k);
        if (is_met(m, q->id))
            eval_folded_at(m->d, q->insn)->taken[0] &= (uint8_t)~(1u << q->component);
    }
}

static bool allocate(struct meets *m)
{
    size_t n = m->d->p->insns.count, blocks = m->live->nblocks;

    m->out->result = gp5_malloc(2 * n + 1);
    m->out->source = m->out->result ? m->out->result + n : NULL;
    m->before = gp5_malloc((blocks + 1) * sizeof *m->before);
    m->reached = gp5_malloc(blocks + 1);
    if (!m->out->result || !m->before || !m->reached)
        return false;
    memset(m->out->result, 0, 2 * n + 1);
    memset(m->reached, 0, blocks + 1);
    return true;
}

static void go_over_all(struct meets *m)
{
    uint32_t n = m->live->nblocks;

    for (uint32_t block = 0; block < n; block++) {
        uint32_t first = m->live->start[block];
        m->before[block] = shared_map_none(m->live->nvars, sizeof(struct value));
        m->reached[block] = block == 0 || first == m->live->entry || eval_is_entered(m->live, first);
    }
    m->failed |= !eval_find_pair_writes(m->d, m->live, &m->writes);
    for (uint32_t block = 0; block < n && !m->failed; block++)
        if (m->reached[block])
            go_through(m, block);
    for (uint32_t block = 0; block < n; block++) {
        m->failed |= m->before[block].failed;
        shared_map_free(&m->before[block]);
    }
    if (!m->failed)
        settle(m);
}

bool eval_find_pair_meets(struct decoder *d, const struct liveness *live, struct pair_meets *out)
{
    struct meets m = {.d = d, .live = live, .out = out};

    m.now = shared_map_none(live->nvars, sizeof(struct value));
    m.spoilt = shared_bits_none(live->nvars + 1);
    vec_init(&m.meetings, sizeof(struct meeting));
    vec_init(&m.sources, sizeof(struct source));
    vec_init(&m.quotients, sizeof(struct quotient));
    if (allocate(&m))
        go_over_all(&m);
    else
        m.failed = true;
    m.failed |= m.now.failed || m.spoilt.failed;
    eval_pair_writes_free(&m.writes);
    shared_map_free(&m.now);
    shared_bits_free(&m.spoilt);
    vec_free(&m.meetings);
    vec_free(&m.sources);
    vec_free(&m.quotients);
    gp5_free(m.before);
    gp5_free(m.reached);
    return !m.failed || eval_out_of_memory(d);
}
