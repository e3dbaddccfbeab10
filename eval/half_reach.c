/* How far the driver's compiler sees that halves are copies (docs/semantics.md, "SHORT variables and half arithmetic"): over loops, in an IF and behind it,
 * and in subroutines if what was copied was written in the block that copied it, or loaded. Products are not seen in a loop that stands behind them. */
#include "eval/half_walk.h"

#include "eval/block_ends.h"
#include "eval/forward.h"
#include "eval/half_copies.h"
#include "eval/shorts.h"
#include "eval/unroll.h"
#include "eval/views.h"

#include <string.h>

/* An IF that is open: what its variables held before it, and at the end of its first side. */
struct open_if {
    struct shared_map before, first_side;
    bool has_first;
};

static uint32_t written_by(const struct reach *r, uint32_t var)
{
    return half_writer(r, shared_map_at(&r->held, var));
}

static void hold(struct reach *r, uint32_t var, uint32_t by)
{
    uint32_t held = by == NO_INDEX ? HELD_UNKNOWN : by + 1;

    shared_map_put(&r->held, var, &held);
}

static void join(void *user, uint32_t var, void *to, const void *other)
{
    struct reach *r = user;
    uint32_t a = half_writer(r, to), b = half_writer(r, other), both;

    if (r->at != NO_INDEX && a != b && eval_is_one_writer(r, to, other, var, &both)) {
        memcpy(to, &both, sizeof both);
        return;
    }
    if (r->at != NO_INDEX && a != b) {
        eval_note_half_meeting(r, to, var, r->at);
        eval_note_half_meeting(r, other, var, r->at);
        r->born[var] = r->at;
    }
    if (a == b && a != NO_INDEX)
        return;
    both = HELD_UNKNOWN;
    memcpy(to, &both, sizeof both);
}

static void meet(struct reach *r, struct shared_map *to, const struct shared_map *other, uint32_t at)
{
    r->at = at;
    shared_map_meet(to, other, at == NO_INDEX, join, r);
}

/* What was copied was written in the block at hand, or is no variable; and if that is a copy too, so was it. */
static bool is_of_block(const struct reach *r, const struct insn *insn)
{
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(r->d->p, insn->src + n);
        uint8_t reads = 0;
        for (unsigned c = 0; c < 4; c++)
            reads |= insn->dst.mask >> c & 1 ? eval_component_reads(insn->op, n, c) : 0;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = reads >> c & 1 ? eval_operand_variable(r->l, o, c) : NO_INDEX;
            uint32_t by = var == NO_INDEX ? NO_INDEX : written_by(r, var);
            if (var != NO_INDEX && (r->born[var] < r->block || (by != NO_INDEX && program_insn(r->d->p, by)->op == OP_MOV && !r->passes[by])))
                return false;
        }
    }
    return true;
}

/* A call may have written a variable last: that alone, where the text in front of it does not. */
static bool is_brought(const struct reach *r, uint32_t var)
{
    const uint32_t *held = shared_map_at(&r->held, var);

    return r->brought[var] || (r->elsewhere[var] && !(held && *held));
}

/* The components that are made of what a call wrote, or of a copy of that. */
static uint8_t made_of_call(const struct reach *r, const struct insn *insn)
{
    uint8_t made = 0;

    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = eval_operand_variable(r->l, program_operand(r->d->p, insn->src + n), c);
            uint32_t by = var == NO_INDEX ? NO_INDEX : written_by(r, var);
            bool copied = by != NO_INDEX && program_insn(r->d->p, by)->op == OP_MOV && r->of_call[by];
            for (unsigned k = 0; var != NO_INDEX && (copied || is_brought(r, var)) && k < 4; k++)
                made |= (uint8_t)((insn->dst.mask >> k & eval_component_reads(insn->op, n, k) >> c & 1u) << k);
        }
    return made;
}

/* What one way alone wrote is seen where a SHORT variable is read as a float. */
static bool is_unclear(const struct reach *r, const struct insn *insn, unsigned n, uint32_t var)
{
    uint32_t held;

    memcpy(&held, shared_map_at(&r->held, var), sizeof held);
    return held & HELD_OR_NOTHING && (insn->op == OP_UP2H || !eval_is_short(r->d, OPND_SYMBOL, program_operand(r->d->p, insn->src + n)->ref));
}

static bool is_followed(const struct reach *r, uint32_t i, unsigned c)
{
    switch (r->kind) {
    case REACH_LOADS: return eval_brings_halves(r->d, program_insn(r->d->p, i));
    case REACH_VIEWS: return eval_viewed(r->d, i) >> c & 1;
    default: return true;
    }
}

static void look_at(struct reach *r, uint32_t i)
{
    const struct insn *insn = program_insn(r->d->p, i);
    uint8_t written = eval_changed_short(r->d, r->l, i) & (uint8_t)~eval_moves_nothing(r->d, i);

    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = eval_operand_variable(r->l, program_operand(r->d->p, insn->src + n), c);
            uint32_t by = var == NO_INDEX ? NO_INDEX : written_by(r, var);
            r->out->of[i][n][c] = by != NO_INDEX && (by < r->loop || is_unclear(r, insn, n, var)) ? NO_INDEX : by;
        }
    if (eval_ends_block(insn) && r->l->useful[i])
        r->block = i;
    r->passes[i] = r->kind != REACH_COPIES || is_of_block(r, insn);
    r->of_call[i] = r->kind == REACH_COPIES ? made_of_call(r, insn) : 0;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = written >> c & 1 ? eval_result_variable(r->l, &insn->dst, c) : NO_INDEX;
        if (var == NO_INDEX)
            continue;
        hold(r, var, is_followed(r, i, c) ? i : NO_INDEX);
        r->born[var] = i;
        r->brought[var] = 0;
    }
}

static void forget(void *user, uint32_t var, void *held)
{
    struct reach *r = user;

    if (r->call != NO_INDEX && !eval_called_component(r->l, r->call, var))
        return;
    if (half_writer(r, held) != NO_INDEX)
        r->born[var] = r->at;
    eval_note_half_call(r, held, var);
    r->brought[var] |= r->call == NO_INDEX || eval_outcome(r->d, r->call) != OUTCOME_FAILS;
    memset(held, 0xff, sizeof(uint32_t));
}

/* What a call may write is not held any more behind it; of CALI all. */
static void forget_called(struct reach *r, uint32_t call, uint32_t at)
{
    bool computed = program_insn(r->d->p, call)->op == OP_CALI;
    const struct shared_bits *written = computed ? NULL : eval_written_by_call(r->l, call);

    r->at = at;
    r->call = computed ? NO_INDEX : call;
    if (computed)
        shared_map_each_apart(&r->held, NULL, forget, r);
    else if (written)
        shared_map_each_of(&r->held, written, forget, r);
}

/* What instructions write, and what they call, is not held any more: other ways come to `at`. */
static void forget_written(struct reach *r, uint32_t first, uint32_t last, uint32_t at)
{
    for (uint32_t i = first; i < last; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
            uint32_t var = insn->dst.mask >> c & 1 ? eval_result_variable(r->l, &insn->dst, c) : NO_INDEX;
            if (var == NO_INDEX)
                continue;
            eval_note_half_meeting(r, shared_map_at(&r->held, var), var, at);
            hold(r, var, NO_INDEX);
            r->born[var] = at;
        }
        if (op_calls(insn->op))
            forget_called(r, i, at);
    }
}

/* Into a subroutine goes what every call brings. */
static void enter(struct reach *r, uint32_t call)
{
    const struct insn *insn = program_insn(r->d->p, call);
    uint32_t to = insn->partner;

    if (to >= r->d->p->insns.count || r->unknown[to])
        return;
    if (r->loop)
        shared_map_free(&r->entry[to]);
    else if (r->is_entered[to])
        meet(r, &r->entry[to], &r->held, NO_INDEX);
    else
        shared_map_set(&r->entry[to], &r->held);
    r->is_entered[to] = 1;
}

/* To the end of a copy of a loop's body, or of the last one. */
static void jump(struct reach *r, uint32_t i)
{
    uint32_t to = program_insn(r->d->p, i)->partner;

    if (to >= r->d->p->insns.count || eval_outcome(r->d, i) == OUTCOME_FAILS ||
        (r->kind != REACH_COPIES && eval_form(r->d, to) != FORM_NEXT && eval_form(r->d, to) != FORM_LAST))
        return;
    if (r->is_entered[to])
        meet(r, &r->entry[to], &r->held, to);
    else
        shared_map_set(&r->entry[to], &r->held);
    r->is_entered[to] = 1;
}

static bool begin_if(struct reach *r)
{
    struct open_if open = {.before = shared_map_copy(&r->held)};

    if (eval_push(r->d, &r->ifs, &open) != NO_INDEX)
        return true;
    shared_map_free(&open.before);
    return false;
}

static void end_side(struct reach *r, uint32_t i)
{
    struct open_if *open = r->ifs.count ? vec_at(&r->ifs, r->ifs.count - 1) : NULL;

    if (!open)
        return;
    if (program_insn(r->d->p, i)->op == OP_ELSE) {
        open->first_side = shared_map_copy(&r->held);
        open->has_first = true;
        shared_map_set(&r->held, &open->before);
        return;
    }
    meet(r, &r->held, open->has_first ? &open->first_side : &open->before, i);
    shared_map_free(&open->before);
    shared_map_free(&open->first_side);
    r->ifs.count--;
}

static bool flow(struct reach *r, uint32_t i)
{
    const struct insn *insn = program_insn(r->d->p, i);
    uint8_t form = eval_form(r->d, i);
    bool loops = form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE;

    switch (insn->op) {
    case OP_IF:
        if (form == FORM_KNOWN)
            return true;
        return begin_if(r);
    case OP_ELSE: case OP_ENDIF:
        if (form != FORM_KNOWN)
            end_side(r, i);
        return true;
    case OP_REP:
        if (loops && insn->partner != NO_INDEX)
            forget_written(r, i, insn->partner, i);
        if ((r->kind == REACH_PRODUCTS || r->kind == REACH_VIEWS) && loops && !r->loop && insn->partner != NO_INDEX) {
            r->loop = i + 1;
            r->loop_end = insn->partner;
        }
        return true;
    case OP_ENDREP:
        if (loops && insn->partner != NO_INDEX)
            forget_written(r, insn->partner, i, i);
        if (r->is_entered[i])
            meet(r, &r->held, &r->entry[i], i);
        r->loop = r->loop_end == i ? 0 : r->loop;
        return true;
    case OP_CAL:
        enter(r, i);
        forget_called(r, i, i);
        break;
    case OP_CALI:
        forget_called(r, i, i);
        break;
    case OP_BRK: case OP_CONT:
        jump(r, i);
        break;
    default: break;
    }
    return true;
}

/* Subroutines that are called from behind them, or nobody knows from where. */
static void find_unknown(struct reach *r)
{
    uint32_t n = (uint32_t)r->d->p->insns.count;
    bool computed = false;

    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        computed |= insn->op == OP_CALI;
        if (insn->op == OP_CAL && insn->partner < n && insn->partner <= i)
            r->unknown[insn->partner] = 1;
    }
    if (computed)
        memset(r->unknown, 1, n);
}

static bool walk(struct reach *r)
{
    uint32_t n = (uint32_t)r->d->p->insns.count;

    for (uint32_t i = 0; i < n; i++) {
        if (r->l->label[i]) {           /* whoever calls it */
            shared_map_set(&r->held, &r->entry[i]);
            r->loop = 0;
            r->block = r->part = i;
        }
        look_at(r, i);
        if (op_flows(program_insn(r->d->p, i)->op) && !flow(r, i))
            return false;
    }
    return true;
}

static bool allocate(struct reach *r, size_t n)
{
    r->born = gp5_malloc((r->l->nvars + 1u) * sizeof *r->born);
    r->passes = gp5_malloc(4 * n);
    r->brought = gp5_malloc(r->l->nvars + 1u);
    r->entry = gp5_malloc(n * sizeof *r->entry);
    r->out->of = gp5_malloc(n * sizeof *r->out->of);
    r->out->meets = gp5_malloc(n);
    r->out->cut = gp5_malloc(n * sizeof *r->out->cut);
    r->elsewhere = gp5_malloc(r->l->nvars + 1u);
    if (!r->elsewhere || !r->brought || !r->out->meets || !r->out->cut || !r->born || !r->passes || !r->entry || !r->out->of)
        return eval_out_of_memory(r->d);
    memset(r->out->meets, 0, n);
    memset(r->out->cut, 0, n * sizeof *r->out->cut);
    memset(r->elsewhere, 0, r->l->nvars + 1u);
    memset(r->out->of, 0xff, n * sizeof *r->out->of);
    memset(r->born, 0, (r->l->nvars + 1u) * sizeof *r->born);
    memset(r->brought, 0, r->l->nvars + 1u);
    memset(r->passes, 0, 4 * n);
    r->unknown = r->passes + n;
    r->is_entered = r->unknown + n;
    r->of_call = r->is_entered + n;
    for (size_t i = 0; i < n; i++)
        r->entry[i] = shared_map_none(r->l->nvars, sizeof(uint32_t));
    return true;
}

static bool has_failed(const struct reach *r, size_t n)
{
    bool failed = r->failed || r->held.failed;

    for (size_t i = 0; i < n; i++)
        failed |= r->entry[i].failed;
    return failed;
}

bool eval_find_half_reach(struct decoder *d, const struct liveness *l, enum reach_kind kind, struct half_reach *out)
{
    size_t n = d->p->insns.count + 1;
    struct reach r = {.d = d, .l = l, .out = out, .kind = kind, .held = shared_map_none(l->nvars, sizeof(uint32_t))};
    bool ok;

    vec_init(&r.ifs, sizeof(struct open_if));
    vec_init(&out->alone, sizeof(uint64_t));
    ok = allocate(&r, n);
    if (ok) {
        find_unknown(&r);
        eval_find_written_elsewhere(&r);
        ok = walk(&r);
        if (ok && kind == REACH_COPIES)
            eval_cut_halves(&r);
        ok = ok && (!has_failed(&r, n) || eval_out_of_memory(d));
    }
    for (size_t i = 0; r.is_entered && i < n; i++)
        shared_map_free(&r.entry[i]);
    for (size_t i = 0; i < r.ifs.count; i++) {
        shared_map_free(&((struct open_if *)vec_at(&r.ifs, i))->before);
        shared_map_free(&((struct open_if *)vec_at(&r.ifs, i))->first_side);
    }
    vec_free(&r.ifs);
    shared_map_free(&r.held);
    gp5_free(r.born);
    gp5_free(r.passes);
    gp5_free(r.brought);
    gp5_free(r.elsewhere);
    gp5_free(r.entry);
    return ok;
}

void eval_half_reach_free(struct half_reach *reach)
{
    gp5_free(reach->of);
    gp5_free(reach->meets);
    gp5_free(reach->cut);
    vec_free(&reach->alone);
}
