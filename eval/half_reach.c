/* How far the driver's compiler sees that halves are copies (docs/semantics.md, "SHORT variables and half arithmetic"): over loops, behind an IF and on its
 * other side, but not on its first side, nor behind one that does nothing; and in subroutines that are called neither under a test nor on such a side, if
 * what was copied was written in the block that copied it. */
#include "eval/half_reach.h"

#include "eval/block_ends.h"
#include "eval/forward.h"
#include "eval/unroll.h"

#include <string.h>

static const uint32_t NOTHING = NO_INDEX;

/* An IF that is open: what its variables held before it, and at the end of its first side; and where it begins. */
struct open_if {
    uint32_t *before, *first_side;
    uint32_t begin;
};

struct reach {
    struct decoder *d;
    const struct liveness *l;
    struct half_reach *out;
    uint32_t *held;             /* of each variable: who wrote it */
    uint32_t *born;             /* and where its value came to be: there, or where ways met */
    uint32_t hidden;            /* what was written before this instruction is not seen */
    uint32_t block;             /* the block at hand begins here */
    uint8_t *passes;            /* of each instruction: subroutines see that it is a copy */
    uint32_t **entry;           /* of each instruction with a label: what is held there, or NULL */
    uint8_t *unknown;           /* of each such: something calls it that comes later, or that nobody knows */
    struct vec ifs;
};

static uint32_t *new_state(const struct reach *r, const uint32_t *from)
{
    uint32_t *state = gp5_malloc((r->l->nvars + 1u) * sizeof *state);

    if (!state)
        eval_out_of_memory(r->d);
    for (uint32_t v = 0; state && v < r->l->nvars; v++)
        state[v] = from ? from[v] : NOTHING;
    return state;
}

static void meet(const struct reach *r, uint32_t *to, const uint32_t *other, uint32_t at)
{
    for (uint32_t v = 0; v < r->l->nvars; v++) {
        if (at != NO_INDEX && to[v] != other[v])
            r->born[v] = at;
        to[v] = to[v] == other[v] ? to[v] : NOTHING;
    }
}

/* The variable of component c of an operand, after the swizzle. */
static uint32_t variable_of(const struct reach *r, const struct operand *o, unsigned c)
{
    return o->kind == OPND_SYMBOL ? eval_variable(r->l, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
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
            uint32_t var = reads >> c & 1 ? variable_of(r, o, c) : NO_INDEX;
            uint32_t by = var == NO_INDEX ? NO_INDEX : r->held[var];
            if (var != NO_INDEX && (r->born[var] < r->block || (by != NO_INDEX && program_insn(r->d->p, by)->op == OP_MOV && !r->passes[by])))
                return false;
        }
    }
    return true;
}

static void look_at(struct reach *r, uint32_t i)
{
    const struct insn *insn = program_insn(r->d->p, i);
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : eval_written(r->l, insn);

    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = variable_of(r, program_operand(r->d->p, insn->src + n), c);
            uint32_t by = var == NO_INDEX ? NO_INDEX : r->held[var];
            r->out->of[i][n][c] = by != NO_INDEX && by < r->hidden ? NO_INDEX : by;
        }
    if (eval_ends_block(insn) && r->l->useful[i])
        r->block = i;
    r->passes[i] = is_of_block(r, insn);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = written >> c & 1 ? eval_variable(r->l, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
        if (var != NO_INDEX)
            r->held[var] = r->born[var] = i;
    }
}

static void forget(struct reach *r, uint32_t var, uint32_t at)
{
    r->held[var] = NOTHING;
    r->born[var] = at;
}

/* What instructions write, and what they call, is not held any more: other ways come to `at`. */
static void forget_written(struct reach *r, uint32_t first, uint32_t last, uint32_t at)
{
    for (uint32_t i = first; i < last; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
            uint32_t var = insn->dst.mask >> c & 1 ? eval_variable(r->l, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
            if (var != NO_INDEX)
                forget(r, var, at);
        }
        for (uint32_t v = 0; (insn->op == OP_CAL || insn->op == OP_CALI) && v < r->l->nvars; v++)
            if (r->held[v] != NOTHING && (insn->op == OP_CALI || eval_called_writes(r->l, i, v)))
                forget(r, v, at);
    }
}

/* Into a subroutine goes what every call brings. */
static bool enter(struct reach *r, uint32_t call)
{
    const struct insn *insn = program_insn(r->d->p, call);
    bool always = !condition_restricts(&insn->condition) && !r->hidden;
    uint32_t to = insn->partner, *state;

    if (to >= r->d->p->insns.count || r->unknown[to])
        return true;
    state = new_state(r, always ? r->held : NULL);
    if (!state)
        return false;
    for (uint32_t v = 0; v < r->l->nvars; v++)
        state[v] = state[v] != NO_INDEX && r->passes[state[v]] ? state[v] : NOTHING;
    if (r->entry[to]) {
        meet(r, r->entry[to], state, NO_INDEX);
        gp5_free(state);
    } else {
        r->entry[to] = state;
    }
    return true;
}

static bool begin_if(struct reach *r, uint32_t i)
{
    struct open_if open = {.before = new_state(r, r->held), .begin = i};

    r->hidden = i + 1;
    return open.before && eval_push(r->d, &r->ifs, &open) != NO_INDEX;
}

static bool does_nothing(const struct reach *r, uint32_t first, uint32_t last)
{
    for (uint32_t i = first + 1; i < last; i++)
        if (r->l->useful[i] || r->l->flags[i])
            return false;
    return true;
}

static bool end_side(struct reach *r, uint32_t i)
{
    struct open_if *open = r->ifs.count ? vec_at(&r->ifs, r->ifs.count - 1) : NULL;

    r->hidden = 0;
    if (!open)
        return true;
    if (program_insn(r->d->p, i)->op == OP_ELSE) {
        open->first_side = new_state(r, r->held);
        if (open->first_side)
            memcpy(r->held, open->before, r->l->nvars * sizeof *r->held);
        return open->first_side != NULL;
    }
    meet(r, r->held, open->first_side ? open->first_side : open->before, i);
    r->hidden = does_nothing(r, open->begin, i) ? i + 1 : 0;
    gp5_free(open->before);
    gp5_free(open->first_side);
    r->ifs.count--;
    return true;
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
        return begin_if(r, i);
    case OP_ELSE: case OP_ENDIF:
        return form == FORM_KNOWN || end_side(r, i);
    case OP_REP:
        if (loops && insn->partner != NO_INDEX)
            forget_written(r, i, insn->partner, i);
        r->hidden = loops ? 0 : r->hidden;
        return true;
    case OP_ENDREP:
        if (loops && insn->partner != NO_INDEX)
            forget_written(r, insn->partner, i, i);
        r->hidden = loops ? 0 : r->hidden;
        return true;
    case OP_CAL:
        if (!enter(r, i))
            return false;
        forget_written(r, i, i + 1, i);
        break;
    case OP_CALI:
        forget_written(r, i, i + 1, i);
        break;
    default: break;
    }
    r->hidden = 0;
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
            for (uint32_t v = 0; v < r->l->nvars; v++) {
                r->held[v] = r->entry[i] ? r->entry[i][v] : NOTHING;
                r->born[v] = 0;
            }
            r->hidden = 0;
            r->block = i;
        }
        look_at(r, i);
        if (op_flows(program_insn(r->d->p, i)->op) && !flow(r, i))
            return false;
    }
    return true;
}

bool eval_find_half_reach(struct decoder *d, const struct liveness *l, struct half_reach *out)
{
    size_t n = d->p->insns.count + 1;
    struct reach r = {.d = d, .l = l, .out = out, .held = gp5_malloc(2 * (l->nvars + 1u) * sizeof(uint32_t)), .passes = gp5_malloc(2 * n),
                      .entry = gp5_malloc(n * sizeof *r.entry)};
    bool ok;

    out->of = gp5_malloc(n * sizeof *out->of);
    vec_init(&r.ifs, sizeof(struct open_if));
    ok = (r.held && r.passes && r.entry && out->of) || eval_out_of_memory(d);
    if (ok) {
        memset(out->of, 0xff, n * sizeof *out->of);
        memset(r.held, 0xff, (l->nvars + 1u) * sizeof *r.held);
        r.born = r.held + l->nvars + 1;
        memset(r.born, 0, (l->nvars + 1u) * sizeof *r.born);
        memset(r.passes, 0, 2 * n);
        for (size_t i = 0; i < n; i++)
            r.entry[i] = NULL;
        r.unknown = r.passes + n;
        find_unknown(&r);
        ok = walk(&r);
    }
    for (size_t i = 0; r.entry && r.unknown && i < n; i++)
        gp5_free(r.entry[i]);
    for (size_t i = 0; i < r.ifs.count; i++) {
        gp5_free(((struct open_if *)vec_at(&r.ifs, i))->before);
        gp5_free(((struct open_if *)vec_at(&r.ifs, i))->first_side);
    }
    vec_free(&r.ifs);
    gp5_free(r.held);
    gp5_free(r.passes);
    gp5_free(r.entry);
    return ok;
}
