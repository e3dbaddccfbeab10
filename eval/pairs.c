/* Pairs of instructions that the driver's compiler makes one of (docs/numbers.md, "Pairs"):
 *
 *   RCP of RSQ, RSQ of RCP      the square root, which the hardware has by itself
 *   DIV by RSQ                  a product with that
 *   RCP of RCP                  a copy
 *   MAX(MIN(x, 1.0), 0.0)       the clamp of .SAT
 *
 * also through MOVs, and over blocks, where every way to the second one comes from the same first one. Not into subroutines nor out
 * of them (tests/calls.txt, pair_* and clamp_*); out of a loop that stays one neither, where lanes would have to keep operands of their own.
 * Both instructions are computed; the second one from the operand of the first, which is kept for it. */
#include "eval/forward.h"
#include "eval/sources.h"

#include <string.h>

/* What a variable holds: a result of one of the first instructions. */
struct made {
    uint32_t insn;              /* or NO_INDEX */
    uint8_t component;
};

struct pairing {
    struct decoder *d;
    const struct liveness *live;
    struct made *made;          /* of each variable */
};

/* In .insn: no way has come here yet. Blocks times variables beyond that many are looked at one by one. */
enum { UNREACHED = UINT32_MAX - 1, MAX_HELD = 1 << 22 };

static const struct made nothing = {.insn = NO_INDEX};

static bool has_root(const struct decoder *d, const struct insn *insn)
{
    return (insn->op == OP_RCP || insn->op == OP_RSQ) && insn->type != DT_F64 && !(insn->flags & INSN_PREC) &&
           eval_result_type(insn) == DT_F32 && d->p->profile == PROFILE_NVCP5;
}

/* The operand of a MIN or a MAX beside the literal `word` (of 32 or the upper half of 64 bits) in all components, or -1. */
static int beside(const struct decoder *d, const struct insn *insn, uint32_t word)
{
    bool wide = insn->type == DT_F64;

    if ((insn->type != DT_F32 && !wide) || eval_is_half(d, insn))
        return -1;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        bool all = o->kind == OPND_CONSTANT && !operand_has_sign(o);
        for (unsigned c = 0; all && c < 4; c++) {
            uint64_t value = eval_constant_word(program_constant(d->p, o->ref), o->swizzle >> 2 * c & 3, insn->type);
            all = !(insn->dst.mask >> c & 1) || value == (wide ? (uint64_t)word << 32 : word);
        }
        if (all)
            return 1 - (int)k;
    }
    return -1;
}

static uint32_t one_of(const struct insn *insn)
{
    return insn->type == DT_F64 ? 0x3ff00000 : 0x3f800000;
}

/* Whether an instruction can be the first of a pair. */
static bool is_first(const struct decoder *d, uint32_t i, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    if (!s || insn->dst.nindices || condition_restricts(&insn->dst.condition) || insn->cc_update || eval_folded(d, i) ||
        insn->flags & (INSN_SAT | INSN_SSAT) || s->size == SIZE_SHORT ||
        (s->size == SIZE_LONG) != (type_table[eval_result_type(insn)].bytes == 8))
        return false;
    if (insn->op == OP_MIN)
        return beside(d, insn, one_of(insn)) >= 0;
    return has_root(d, insn) && !operand_has_sign(program_operand(d->p, insn->src));
}

static struct made held(const struct pairing *p, const struct operand *o, unsigned c)
{
    uint32_t var = eval_variable(p->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);

    return var == NO_INDEX || operand_has_sign(o) ? nothing : p->made[var];
}

/* The first instruction that this one is taken together with, or NO_INDEX. */
static uint32_t partner(const struct pairing *p, uint32_t i, const struct insn *insn)
{
    const struct decoder *d = p->d;
    const struct insn *first;
    struct made m;
    int k;

    if (eval_folded(d, i))
        return NO_INDEX;
    if (has_root(d, insn) || (insn->op == OP_DIV && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && !eval_is_half(d, insn))) {
        m = held(p, program_operand(d->p, insn->src + (insn->op == OP_DIV)), 0);
        first = m.insn >= UNREACHED ? NULL : program_insn(d->p, m.insn);
        if (!first || first->op == OP_MIN || (insn->op != OP_RCP && first->op == insn->op) ||
            (insn->op == OP_DIV && first->op != OP_RSQ) || eval_is_half(d, first) != eval_is_half(d, insn))
            return NO_INDEX;
        return m.insn;
    }
    k = insn->op == OP_MAX ? beside(d, insn, 0) : -1;
    m = k < 0 ? nothing : held(p, program_operand(d->p, insn->src + (uint32_t)k), (unsigned)__builtin_ctz(insn->dst.mask | 16));
    if (m.insn >= UNREACHED || program_insn(d->p, m.insn)->op != OP_MIN || program_insn(d->p, m.insn)->type != insn->type)
        return NO_INDEX;
    for (unsigned c = 0; c < 4; c++)    /* the operand is kept by component */
        if (insn->dst.mask >> c & 1) {
            struct made other = held(p, program_operand(d->p, insn->src + (uint32_t)k), c);
            if (other.insn != m.insn || other.component != c)
                return NO_INDEX;
        }
    return m.insn;
}

static void writes(struct pairing *p, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool first = is_first(p->d, i, insn);
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&r->condition) && !insn->cc_update && r->kind == OPND_SYMBOL &&
                  program_symbol(p->d->p, r->ref)->size != SIZE_SHORT;
    struct made fresh[4];

    for (unsigned c = 0; c < 4; c++)
        fresh[c] = first    ? (struct made){.insn = i, .component = (uint8_t)c}
                   : copies ? held(p, program_operand(p->d->p, insn->src), c)
                            : nothing;
    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        uint32_t var = eval_variable(p->live, r->kind, r->ref, r->nindices != 0, c);
        if (r->mask >> c & 1 && var != NO_INDEX)
            p->made[var] = fresh[c];
    }
}

static bool allocate(struct pairing *p)
{
    size_t n = p->d->p->insns.count;
    struct pairs *out = &p->d->pairs;

    if (out->first)
        return true;
    out->first = gp5_malloc(n * sizeof *out->first);
    out->kept = gp5_malloc(n * sizeof *out->kept);
    if (!out->first || !out->kept)
        return eval_out_of_memory(p->d);
    memset(out->first, 0xff, n * sizeof *out->first);
    memset(out->kept, 0xff, n * sizeof *out->kept);
    return true;
}

/* One block from what is held before it; with `find` the pairs are noted. */
static bool go_through(struct pairing *p, uint32_t block, bool find)
{
    for (uint32_t i = p->live->start[block]; i < p->live->start[block + 1]; i++) {
        const struct insn *insn = program_insn(p->d->p, i);
        uint32_t first = find ? partner(p, i, insn) : NO_INDEX;
        if (first != NO_INDEX) {
            if (!allocate(p))
                return false;
            p->d->pairs.first[i] = first;
            p->d->pairs.kept[first][0] = 0;     /* wanted */
        }
        writes(p, i, insn);
    }
    return true;
}

/* What holds on all ways that come in; what no way has reached yet holds nothing against it. */
static bool merge(const struct pairing *p, struct made *into, const struct edge *edge)
{
    bool changed = false;

    for (uint32_t i = 0; i < p->live->nvars; i++) {
        struct made from = p->made[i];
        bool inside = from.insn >= edge->left && from.insn < edge->left_end;
        if (inside || (edge->call != NO_INDEX && from.insn != NO_INDEX && eval_called_writes(p->live, edge->call, i)))
            from = nothing;
        if (into[i].insn == from.insn && into[i].component == from.component)
            continue;
        from = into[i].insn == UNREACHED ? from : nothing;
        changed |= into[i].insn != from.insn || into[i].component != from.component;
        into[i] = from;
    }
    return changed;
}

static bool spread(struct pairing *p, struct made *before, uint8_t *again, uint32_t block)
{
    struct edge edges[MAX_EDGES];
    unsigned n;

    again[block] = 0;
    memcpy(p->made, before + (size_t)block * p->live->nvars, p->live->nvars * sizeof *p->made);
    if (!go_through(p, block, false))
        return false;
    n = eval_edges(p->live, block, edges);
    for (unsigned k = 0; k < n; k++)
        if (merge(p, before + (size_t)edges[k].to * p->live->nvars, &edges[k]))
            again[edges[k].to] = 1;
    return true;
}

/* Where nothing is known to come from elsewhere: the beginning, and labels. */
static void start(const struct pairing *p, struct made *before, uint8_t *again)
{
    for (uint32_t block = 0; block < p->live->nblocks; block++) {
        uint32_t first = p->live->start[block];
        bool enters = block == 0 || first == p->live->entry || eval_is_entered(p->live, first);
        for (uint32_t i = 0; i < p->live->nvars; i++)
            before[(size_t)block * p->live->nvars + i] = (struct made){.insn = enters ? NO_INDEX : UNREACHED};
        again[block] = enters;
    }
}

static bool find_all(struct pairing *p)
{
    size_t n = (size_t)p->live->nblocks * p->live->nvars;
    struct made *before = n < MAX_HELD ? gp5_malloc(n * sizeof *before + 1) : NULL;
    uint8_t *again = gp5_malloc(p->live->nblocks + 1u);
    bool ok = again && (before || n >= MAX_HELD), changed = true;

    if (!ok)
        eval_out_of_memory(p->d);
    if (ok && before)
        start(p, before, again);
    while (ok && before && changed) {
        changed = false;
        for (uint32_t block = 0; ok && block < p->live->nblocks; block++)
            if (again[block]) {
                changed = true;
                ok = spread(p, before, again, block);
            }
    }
    for (uint32_t block = 0; ok && block < p->live->nblocks; block++) {
        for (uint32_t i = 0; i < p->live->nvars; i++)
            p->made[i] = before ? before[(size_t)block * p->live->nvars + i] : nothing;
        for (uint32_t i = 0; i < p->live->nvars; i++)
            if (p->made[i].insn == UNREACHED)
                p->made[i] = nothing;
        ok = go_through(p, block, true);
    }
    gp5_free(before);
    gp5_free(again);
    return ok;
}

static bool worth_it(const struct decoder *d)
{
    bool first = false, second = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        unsigned op = program_insn(d->p, i)->op;
        second |= first && (op == OP_RCP || op == OP_RSQ || op == OP_DIV || op == OP_MAX);
        first |= op == OP_RSQ || op == OP_RCP || op == OP_MIN;
    }
    return second;
}

bool eval_find_pairs(struct decoder *d)
{
    struct pairing p = {.d = d};
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !worth_it(d))
        return true;
    p.live = eval_liveness(d);
    if (!p.live)
        return false;
    p.made = gp5_malloc((p.live->nvars + 1u) * sizeof *p.made);
    ok = p.made ? find_all(&p) : eval_out_of_memory(d);
    gp5_free(p.made);
    return ok;
}

void eval_pairs_free(struct pairs *p)
{
    gp5_free(p->first);
    gp5_free(p->kept);
}

/* ---- decoding --------------------------------------------------------------------------------------------------------- */

bool eval_is_paired(const struct decoder *d, uint32_t insn)
{
    return d->pairs.first && d->pairs.first[insn] != NO_INDEX;
}

bool eval_keep_operand(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    unsigned k = insn->op == OP_MIN ? (unsigned)beside(d, insn, one_of(insn)) : 0;
    struct kernel_request want = eval_request(d, OP_MOV, insn->type == DT_F16 ? DT_F32 : insn->type);
    struct lane_op op = {.n = 0};
    struct fetched f;

    if (!d->pairs.first || d->pairs.kept[i][0] == NO_PLANE)
        return true;
    op.n = (uint8_t)eval_components(insn->op == OP_MIN ? insn->dst.mask : 1, op.comp);
    if (!eval_fetch(d, program_operand(d->p, insn->src + k), want.type, insn->op == OP_MIN ? insn->dst.mask : 1, false, &f))
        return false;
    memset(d->pairs.kept[i], 0xff, sizeof d->pairs.kept[i]);
    for (unsigned j = 0; j < op.n; j++) {
        op.src[0][j] = f.plane[op.comp[j]];
        op.dst[j] = d->pairs.kept[i][op.comp[j]] = eval_layout_planes(&d->layout, 2);
    }
    return eval_raw(d, &want, &op, NULL);
}

bool eval_root(struct decoder *d, uint32_t insn, uint32_t *plane)
{
    uint32_t first = d->pairs.first[insn];
    struct kernel_request want = eval_request(d, EVAL_OP_SQRT, eval_is_half(d, program_insn(d->p, first)) ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 1, .src = {{d->pairs.kept[first][0]}}};

    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* The operand of the first, through one operation or none, as the result. */
static bool from_kept(struct decoder *d, const struct insn *insn, uint16_t operation)
{
    const uint32_t *kept = d->pairs.kept[d->pairs.first[d->insn]];
    uint8_t type = eval_result_type(insn), comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);
    struct kernel_request want = eval_request(d, OP_MOV, type);
    struct lane_op op = {.n = (uint8_t)n};
    uint32_t root = NO_PLANE;

    memcpy(op.comp, comp, sizeof op.comp);
    if (!n || (operation == EVAL_OP_SQRT && !eval_root(d, d->insn, &root)))
        return n == 0;
    for (unsigned i = 0; i < n; i++)
        op.src[0][i] = root != NO_PLANE ? root : kept[operation == EVAL_OP_SAT ? comp[i] : 0];
    if (operation == EVAL_OP_SAT)
        want.saturate = INSN_SAT;
    else
        want.saturate = insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
    return eval_emit(d, insn, want, &op);
}

bool eval_decode_pair(struct decoder *d, const struct insn *insn)
{
    const struct insn *first = program_insn(d->p, d->pairs.first[d->insn]);
    struct lane_op op = {.n = 0};
    struct fetched f;
    uint32_t root;

    if (insn->op == OP_MAX)
        return from_kept(d, insn, EVAL_OP_SAT);
    if (insn->op != OP_DIV)
        return from_kept(d, insn, insn->op == first->op ? OP_MOV : EVAL_OP_SQRT);
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    if (!op.n)
        return true;
    if (!eval_root(d, d->insn, &root) || !eval_fetch(d, program_operand(d->p, insn->src), DT_F32, insn->dst.mask, true, &f))
        return false;
    eval_place(&op, 0, &f, FLOW_EACH);
    for (unsigned i = 0; i < 4; i++)
        op.src[1][i] = root;
    return eval_emit(d, insn, eval_request_of(d, insn, OP_MUL), &op);
}
