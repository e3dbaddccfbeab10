/* Pairs of instructions that the driver's compiler makes one of (docs/numbers.md, "Pairs"):
 *
 *   RCP of RSQ, RSQ of RCP      the square root, which the hardware has by itself
 *   RCP of such a root          RSQ
 *   RCP of RCP                  a copy
 *   RCC, DIV by any of these    the bounds of RCC around it, a product with it
 *   MAX(MIN(x, 1.0), 0.0)       the clamp of .SAT, each component by itself
 *
 * DIV of 1.0 is an RCP here, and of -1.0 the negative of one. The operand of an RCP may have a sign, that of an RSQ not.
 * also through MOVs, and over blocks, where every way to the second one comes from the same first one, but not of values that meet others
 * (pair_meets.c). Not into subroutines nor out
 * of them (tests/recordings/patterns/calls.txt, pair_* and clamp_*); out of a loop that stays one neither, where lanes would have to keep operands of their own.
 * Both instructions are computed; the second one from the operand of the first, which is kept for it. */
#include "eval/pairs.h"

#include "eval/shared_map.h"

#include <string.h>

/* What a variable holds: a result of one of the first instructions. */
struct made {
    uint32_t behind;            /* that instruction, and one more; 0: none */
    uint32_t at;                /* what wrote the variable, and one more */
    uint8_t component;
    uint8_t kind;
    bool negative;              /* it is the negative of that */
    bool has_sign;              /* the operand has one, which RCP and RSQ see */
};

/* What an instruction makes of the operand of the first one. */
enum made_kind { MADE_MIN, MADE_RCP, MADE_RSQ, MADE_ROOT };

struct pairing {
    struct decoder *d;
    const struct liveness *live;
    struct shared_map made;     /* struct made: of each variable */
    struct shared_map *before;  /* of each block: what is held there on all ways that have come */
    uint8_t *reached, *again;   /* of each block: a way has come; what it brought has not gone on yet */
    const struct edge *edge;    /* at hand */
    uint32_t block;
    struct pair_meets meets;    /* or NULL: not asked yet */
    bool over_blocks;           /* some pair is made of two blocks */
};

static const struct made nothing;

static bool is_made(const struct made *m)
{
    return m->behind != 0;
}

static const struct insn *maker(const struct decoder *d, const struct made *m)
{
    return program_insn(d->p, m->behind - 1);
}

static bool has_root(const struct decoder *d, const struct insn *insn)
{
    bool divides = insn->op == OP_DIV;

    return (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_RCC || divides) && insn->type != DT_F64 &&
           (divides || !(insn->flags & INSN_PREC)) && type_table[insn->type].is_float && eval_result_type(insn) == DT_F32 &&
           d->p->profile == PROFILE_NVCP5;
}

/* The component that the instruction's operand is read at is made of a reciprocal, and nothing else. */
static bool is_reciprocal(const struct decoder *d, uint32_t i, const struct insn *insn, unsigned c)
{
    return insn->op == OP_RCP || (insn->op == OP_DIV && eval_pair_dividend(d, i, c));
}

/* Whether component c of an instruction can be the first of a pair. */
static bool is_first(const struct decoder *d, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    if (!s || insn->dst.nindices || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT) ||
        (s->size == SIZE_LONG) != (type_table[eval_result_type(insn)].bytes == 8) || eval_is_indexed(d, insn->dst.ref))
        return false;
    if (insn->op == OP_MIN)
        return !(eval_folded(d, i) >> c & 1) && eval_pair_beside(d, i, c) >= 0;
    if (!has_root(d, insn) || insn->op == OP_RCC || eval_folded(d, i))
        return false;
    return insn->op != OP_RSQ || eval_is_half(d, insn) || !operand_has_sign(eval_pair_inverted(d, insn));
}

/* Whether what another block made meets other values (pair_meets.c). */
static bool is_met(const struct pairing *p, const struct made *m, unsigned c)
{
    unsigned component = maker(p->d, m)->op == OP_MIN ? m->component : 0;

    return p->meets.result && ((p->live->block[m->behind - 1] != p->block && p->meets.source[m->behind - 1] >> component & 1) ||
                               (p->live->block[m->at - 1] != p->block && p->meets.result[m->at - 1] >> c & 1));
}

static struct made held(const struct pairing *p, const struct operand *o, unsigned c)
{
    uint32_t var = eval_operand_variable(p->live, o, c);
    const struct made *at = var == NO_INDEX || o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER) ? NULL : shared_map_at(&p->made, var);
    struct made m = at ? *at : nothing;

    if (is_made(&m) && is_met(p, &m, o->swizzle >> 2 * c & 3))
        return nothing;
    if (o->flags & OPND_NEGATE && is_made(&m))
        m.negative = !m.negative;
    return m;
}

/* What an instruction that takes a reciprocal or a root makes of what an earlier one made; false: they are no pair. */
static bool taken_together(const struct made *m, uint16_t op, enum pair_value *value)
{
    if (op == OP_RSQ) {
        *value = PAIR_ROOT;
        return m->kind == MADE_RCP;
    }
    *value = m->kind == MADE_RCP ? PAIR_COPY : m->kind == MADE_RSQ ? PAIR_ROOT : PAIR_RSQ;
    return m->kind != MADE_ROOT || !m->has_sign;
}

/* What the MIN made that component c of a MAX clamps together with it, if there is one. */
static struct made clamped_by(const struct pairing *p, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct decoder *d = p->d;
    bool apart = insn->cc_update && condition_restricts(&insn->dst.condition);
    int k = insn->op == OP_MAX && !apart && insn->dst.mask >> c & 1 && !(eval_folded(d, i) >> c & 1) ? eval_pair_beside(d, i, c) : -1;
    struct made m = k < 0 ? nothing : held(p, program_operand(d->p, insn->src + (uint32_t)k), c);

    if (!is_made(&m) || m.kind != MADE_MIN || m.negative || eval_is_half(d, maker(d, &m)) != eval_is_half(d, insn) ||
        (maker(d, &m)->type == DT_F64) != (insn->type == DT_F64))
        return nothing;
    return m;
}

/* What the first instruction that this one, no MAX, is taken together with made, and what comes of its operand, if there is one. */
static struct made partner(const struct pairing *p, uint32_t i, const struct insn *insn, enum pair_value *value)
{
    const struct decoder *d = p->d;
    struct made m;

    *value = PAIR_COPY;
    if (eval_folded(d, i) || !has_root(d, insn))
        return nothing;
    m = held(p, eval_pair_inverted(d, insn), 0);
    if (!is_made(&m) || m.kind == MADE_MIN || m.negative || eval_is_half(d, maker(d, &m)) != eval_is_half(d, insn) ||
        !taken_together(&m, insn->op, value))
        return nothing;
    return m;
}

/* What component c of the result is, for later ones. */
static struct made result_of(const struct pairing *p, uint32_t i, const struct insn *insn, const struct made *first, enum pair_value value, unsigned c)
{
    struct made m = {.behind = i + 1, .component = (uint8_t)c, .kind = MADE_MIN};
    bool reciprocal = is_reciprocal(p->d, i, insn, c);

    if (!is_first(p->d, i, insn, c) || (insn->op != OP_MIN && insn->op != OP_RSQ && !reciprocal))
        return nothing;
    if (insn->op == OP_MIN)
        return m;
    m.kind = insn->op == OP_RSQ ? MADE_RSQ : MADE_RCP;
    m.has_sign = operand_has_sign(eval_pair_inverted(p->d, insn));
    if (is_made(first)) {
        m = *first;
        m.kind = value == PAIR_ROOT ? MADE_ROOT : MADE_RSQ;
        if (value == PAIR_COPY)
            return nothing;
    }
    m.negative = insn->op == OP_DIV && eval_pair_dividend(p->d, i, c) < 0;
    return m;
}

static void writes(struct pairing *p, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&r->condition) && r->kind == OPND_SYMBOL && program_symbol(p->d->p, r->ref)->size != SIZE_SHORT;
    enum pair_value value;
    struct made first = partner(p, i, insn, &value), fresh[4];

    for (unsigned c = 0; c < 4; c++)
        fresh[c] = copies ? held(p, program_operand(p->d->p, insn->src), c) : result_of(p, i, insn, &first, value, c);
    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        uint32_t var = eval_result_variable(p->live, r, c);
        fresh[c].at = is_made(&fresh[c]) ? i + 1 : 0;
        if (r->mask >> c & 1 && var != NO_INDEX)
            shared_map_put(&p->made, var, &fresh[c]);
    }
}

static bool allocate(struct pairing *p)
{
    size_t n = p->d->p->insns.count;
    struct pairs *out = &p->d->pairs;

    if (out->first)
        return true;
    out->first = gp5_malloc(n * sizeof *out->first);
    out->clamped = gp5_malloc(n * sizeof *out->clamped);
    out->kept = gp5_malloc(n * sizeof *out->kept);
    out->value = gp5_malloc(n);
    if (!out->first || !out->clamped || !out->kept || !out->value)
        return eval_out_of_memory(p->d);
    memset(out->first, 0xff, n * sizeof *out->first);
    memset(out->clamped, 0xff, n * sizeof *out->clamped);
    memset(out->kept, 0xff, n * sizeof *out->kept);
    return true;
}

/* The pair that an instruction is the second one of, or the pairs, by component. */
static bool note_pairs(struct pairing *p, uint32_t i, const struct insn *insn)
{
    enum pair_value value;
    struct made first = partner(p, i, insn, &value);

    if (is_made(&first)) {
        if (!allocate(p))
            return false;
        p->over_blocks |= p->live->block[first.behind - 1] != p->block;
        p->d->pairs.first[i] = first.behind - 1;
        p->d->pairs.value[i] = (uint8_t)value;
        p->d->pairs.kept[first.behind - 1][0] = 0;    /* wanted */
    }
    for (unsigned c = 0; c < 4; c++) {
        first = clamped_by(p, i, insn, c);
        if (!is_made(&first))
            continue;
        if (!allocate(p))
            return false;
        p->over_blocks |= p->live->block[first.behind - 1] != p->block;
        p->d->pairs.clamped[i][c] = 4 * (first.behind - 1) + first.component;
        p->d->pairs.kept[first.behind - 1][first.component] = 0;
    }
    return true;
}

/* One block from what is held before it; with `find` the pairs are noted. */
static bool go_through(struct pairing *p, uint32_t block, bool find)
{
    p->block = block;
    for (uint32_t i = p->live->start[block]; i < p->live->start[block + 1]; i++) {
        const struct insn *insn = program_insn(p->d->p, i);
        if (find && !note_pairs(p, i, insn))
            return false;
        writes(p, i, insn);
    }
    return true;
}

static bool same(const struct made *a, const struct made *b)
{
    return a->behind == b->behind && (!is_made(a) || (a->at == b->at && a->component == b->component && a->kind == b->kind && a->negative == b->negative));
}

/* What was made in a loop is not held outside of it. */
static void forget_inside(void *user, uint32_t var, void *value)
{
    const struct pairing *p = user;
    struct made *m = value;

    (void)var;
    if (is_made(m) && m->behind - 1 >= p->edge->left && m->behind - 1 < p->edge->left_end)
        *m = nothing;
}

static void forget(void *user, uint32_t var, void *value)
{
    (void)user;
    (void)var;
    *(struct made *)value = nothing;
}

static void join(void *user, uint32_t var, void *value, const void *other)
{
    struct made *into = value, from = *(const struct made *)other;

    forget_inside(user, var, &from);
    if (!same(into, &from))
        *into = nothing;
}

/* What holds on all ways that come in. Whether that is other than it was. */
static bool merge(struct pairing *p, const struct edge *edge)
{
    struct shared_map *into = &p->before[edge->to], made = shared_map_copy(&p->made);
    const struct shared_bits *written = edge->call == NO_INDEX ? NULL : eval_written_by_call(p->live, edge->call);
    bool changed = !p->reached[edge->to];

    p->edge = edge;
    if (written)
        shared_map_each_of(&made, written, forget, NULL);
    if (changed && edge->left < edge->left_end)     /* where the loop begins nothing is held that it makes */
        shared_map_each_apart(&made, &p->before[p->live->block[edge->left + 1]], forget_inside, p);
    if (changed)
        shared_map_set(into, &made);
    else
        changed = shared_map_meet(into, &made, true, join, p);
    p->reached[edge->to] = 1;
    shared_map_free(&made);
    return changed;
}

static bool spread(struct pairing *p, uint32_t block)
{
    struct edge edges[MAX_EDGES];
    unsigned n;

    p->again[block] = 0;
    shared_map_set(&p->made, &p->before[block]);
    if (!go_through(p, block, false))
        return false;
    n = eval_edges(p->live, block, edges);
    for (unsigned k = 0; k < n; k++)
        if (merge(p, &edges[k]))
            p->again[edges[k].to] = 1;
    return true;
}

/* Where nothing is known to come from elsewhere: the beginning, and labels. */
static void start(struct pairing *p)
{
    for (uint32_t block = 0; block < p->live->nblocks; block++) {
        uint32_t first = p->live->start[block];
        p->before[block] = shared_map_none(p->live->nvars, sizeof(struct made));
        p->again[block] = p->reached[block] = block == 0 || first == p->live->entry || eval_is_entered(p->live, first);
    }
}

static bool go_over_all(struct pairing *p)
{
    bool ok = true, changed = true;

    start(p);
    while (ok && changed) {
        changed = false;
        for (uint32_t block = 0; ok && block < p->live->nblocks; block++)
            if (p->again[block]) {
                changed = true;
                ok = spread(p, block);
            }
    }
    for (uint32_t block = 0; ok && block < p->live->nblocks; block++) {
        shared_map_set(&p->made, &p->before[block]);
        ok = go_through(p, block, true);
    }
    for (uint32_t block = 0; block < p->live->nblocks; block++) {
        p->made.failed |= p->before[block].failed;
        shared_map_free(&p->before[block]);
    }
    return ok && (!p->made.failed || eval_out_of_memory(p->d));
}

static bool find_all(struct pairing *p)
{
    size_t n = p->live->nblocks;
    bool ok;

    p->made = shared_map_none(p->live->nvars, sizeof(struct made));
    p->before = gp5_malloc((n + 1) * sizeof *p->before);
    p->again = gp5_malloc(2 * n + 1);
    p->reached = p->again ? p->again + n : NULL;
    ok = p->before && p->again ? go_over_all(p) : eval_out_of_memory(p->d);
    if (ok && (p->over_blocks || eval_divides_packed(p->d))) {         /* once more, with what meets others */
        eval_pairs_free(&p->d->pairs);
        p->d->pairs = (struct pairs){0};
        ok = eval_find_pair_meets(p->d, p->live, &p->meets) && go_over_all(p);
        gp5_free(p->meets.result);
    }
    shared_map_free(&p->made);
    gp5_free(p->before);
    gp5_free(p->again);
    return ok;
}

static bool worth_it(const struct decoder *d)
{
    bool first = false, second = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        unsigned op = program_insn(d->p, i)->op;
        second |= first && (op == OP_RCP || op == OP_RSQ || op == OP_RCC || op == OP_DIV || op == OP_MAX);
        first |= op == OP_RSQ || op == OP_RCP || op == OP_DIV || op == OP_MIN;
    }
    return second;
}

bool eval_find_pairs(struct decoder *d)
{
    struct pairing p = {.d = d};

    if (!eval_has(d, PASS_pairs) || (!worth_it(d) && !eval_divides_packed(d)))
        return true;
    p.live = eval_liveness(d);
    return p.live && find_all(&p);
}

void eval_pairs_free(struct pairs *p)
{
    gp5_free(p->first);
    gp5_free(p->clamped);
    gp5_free(p->kept);
    gp5_free(p->value);
}
