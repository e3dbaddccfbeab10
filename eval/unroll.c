/* Loops that the driver's compiler unrolls, and conditions that it knows: the program with copies of loop bodies in the place
 * of loops, and without what never runs, so that what stands in one straight line for the driver does so for the contraction.
 * A copy's instructions are the program's to everybody else: steps carry the original numbers, lanes still count their
 * iterations, and what is known is tested all the same.
 *
 * Measured (tests/flow.txt): a REP whose count is known is unrolled, nested ones as well, if count and body are small enough
 * together and no CAL stands in them; so is a REP without a count that a counter ends (trips.c). */
#include "eval/unroll.h"
#include "eval/trips.h"
#include "eval/liveness.h"

#include <string.h>

struct unroller {
    struct decoder *d;
    const struct gp5_program *from;
    struct unrolled *to;
    uint32_t *map;              /* the first copy of each instruction */
    uint8_t *labels;            /* instructions that a label stands before */
    uint32_t *called;           /* of labels: the last call that they were looked at for */
    uint32_t *queue;
    uint32_t calls;
    const struct liveness *live;    /* of the program as it was written */
    struct known known;
    unsigned branches;          /* IFs around whose outcome is not known */
    unsigned loop_branches;     /* of those, the ones around the innermost loop */
    bool conts;                 /* something may go on behind a BRK of the innermost loop that is taken: it has a CONT, or rounds */
    bool changed, failed;
};

/* The sums that the instruction's own test looks at. */
static void find_uses(const struct unroller *u, const struct insn *insn, struct folded *folded)
{
    if (insn->dst.kind == OPND_NONE)
        eval_known_uses(&u->known, &insn->condition, 15, folded->uses);
    else
        eval_known_uses(&u->known, &insn->dst.condition, insn->dst.mask, folded->uses);
}

static uint32_t add(struct unroller *u, uint32_t i, uint8_t form)
{
    size_t at = vec_grow(&u->to->program.insns), origin = vec_grow(&u->to->origin), f = vec_grow(&u->to->form);
    size_t folded = vec_grow(&u->to->folded);

    if (at == SIZE_MAX || origin == SIZE_MAX || f == SIZE_MAX || folded == SIZE_MAX || at >= UINT32_MAX - 1) {
        u->failed = true;
        return 0;
    }
    *(struct insn *)vec_at(&u->to->program.insns, at) = *program_insn(u->from, i);
    *(uint32_t *)vec_at(&u->to->origin, origin) = i;
    *(uint8_t *)vec_at(&u->to->form, f) = form;
    *(struct folded *)vec_at(&u->to->folded, folded) = (struct folded){.mask = 0};
    find_uses(u, program_insn(u->from, i), vec_at(&u->to->folded, folded));
    if (u->map[i] == NO_INDEX)
        u->map[i] = (uint32_t)at;
    return (uint32_t)at;
}

static void will_forget(struct unroller *u, const struct insn *call, uint32_t *n)
{
    if (call->op == OP_CAL && call->partner < u->from->insns.count && u->called[call->partner] != u->calls) {
        u->called[call->partner] = u->calls;
        u->queue[(*n)++] = call->partner;
    } else if (call->op == OP_CALI) {
        eval_known_forget(&u->known);
    }
}

/* What a subroutine and those that it calls write is not known behind its call. */
static void forget_called(struct unroller *u, const struct insn *call)
{
    uint32_t n = 0;

    u->calls++;
    will_forget(u, call, &n);
    for (uint32_t next = 0; next < n; next++)
        for (uint32_t i = u->queue[next]; i < u->from->insns.count && (i == u->queue[next] || !u->labels[i]); i++) {
            eval_known_overwrite(&u->known, program_insn(u->from, i));
            will_forget(u, program_insn(u->from, i), &n);
        }
}

static void forget_written(struct unroller *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(u->from, i);
        eval_known_overwrite(&u->known, insn);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            forget_called(u, insn);
    }
}

/* More than this together is not unrolled: nested loops multiply. */
enum { MOST_INSTRUCTIONS = 1 << 16 };

static bool expand(struct unroller *u, uint32_t from, uint32_t to);

/* From where on a pass may not be run: the first CONT of the loop, or the outermost IF around it; the end when there is none. */
static uint32_t first_skipped(const struct gp5_program *p, uint32_t rep)
{
    uint32_t end = program_insn(p, rep)->partner, outermost = rep, depth = 0;

    for (uint32_t i = rep + 1; i < end; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->op == OP_IF && depth++ == 0)
            outermost = i;
        depth -= insn->op == OP_ENDIF;
        if (insn->op == OP_CONT && insn->partner == end)
            return depth ? outermost : i;
    }
    return end;
}

static void unroll(struct unroller *u, uint32_t rep, uint32_t count)
{
    uint32_t end = program_insn(u->from, rep)->partner, skipped = first_skipped(u->from, rep);
    bool goes_on = true;

    u->changed = true;
    add(u, rep, FORM_OPEN);
    for (uint32_t k = 0; k < count && goes_on && !u->failed; k++) {
        goes_on = expand(u, rep + 1, end) || skipped < end;
        forget_written(u, skipped, end);
        add(u, end, k + 1 < count && goes_on ? FORM_NEXT : FORM_LAST);
    }
    if (!count)
        add(u, end, FORM_LAST);
    if (count > 1 && eval_loop_left(u->from, rep + 1, end))
        forget_written(u, rep + 1, end);
}

/* A loop with several copies of its body: as many as each phase has. */
static void expand_phases(struct unroller *u, uint32_t rep, const struct phases *phases)
{
    uint32_t end = program_insn(u->from, rep)->partner, at = add(u, rep, FORM_PHASED), skipped = first_skipped(u->from, rep);

    u->changed = u->conts = true;
    if (!u->failed) {
        struct folded *folded = vec_at(&u->to->folded, at);
        for (unsigned p = 0; p < PHASES; p++)
            folded->word[p] = phases->rounds[p];
        folded->word[PHASES] = phases->once;
    }
    for (unsigned p = 0; p < PHASES && !u->failed; p++) {
        uint32_t copies = phases->rounds[p] == NO_ROUNDS ? 0 : phases->rounds[p];
        if (p > 0 || !phases->once)
            forget_written(u, rep + 1, end);
        for (uint32_t k = 0; k < copies && !u->failed; k++) {
            expand(u, rep + 1, end);
            forget_written(u, skipped, end);
            add(u, end, k + 1 < copies ? FORM_NEXT : FORM_PHASE);
        }
        if (!copies)
            add(u, end, FORM_PHASE);
    }
    forget_written(u, rep + 1, end);
}

static void expand_rep(struct unroller *u, uint32_t rep)
{
    const struct insn *insn = program_insn(u->from, rep);
    unsigned branches = u->loop_branches;
    bool conts = u->conts;
    struct phases phases;
    uint32_t count;

    u->loop_branches = u->branches;
    u->conts = first_skipped(u->from, rep) < insn->partner;
    if (u->to->program.insns.count <= MOST_INSTRUCTIONS && eval_trips(u->from, &u->known, rep, &count, &u->failed)) {
        unroll(u, rep, count);
    } else if (u->to->program.insns.count <= MOST_INSTRUCTIONS && eval_phases(u->from, &u->known, rep, &phases)) {
        expand_phases(u, rep, &phases);
    } else {
        forget_written(u, rep + 1, insn->partner);
        add(u, rep, FORM_PLAIN);
        expand(u, rep + 1, insn->partner);
        forget_written(u, rep + 1, insn->partner);
        add(u, insn->partner, FORM_PLAIN);
    }
    u->loop_branches = branches;
    u->conts = conts;
}

/* Whether nothing between here and there does anything. */
static bool does_nothing(const struct unroller *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (u->live->useful[i])
            return false;
    return true;
}

static void set_outcome(struct unroller *u, uint32_t at, enum test_outcome outcome)
{
    if (!u->failed)
        ((struct folded *)vec_at(&u->to->folded, at))->outcome = (uint8_t)outcome;
}

/* An IF whose outcome is known: the side that runs. */
static bool expand_known(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, bool passes)
{
    bool goes_on = true;

    u->changed = true;
    set_outcome(u, add(u, i, FORM_KNOWN), passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    if (passes)
        goes_on = expand(u, i + 1, otherwise);
    if (otherwise != end) {
        add(u, otherwise, FORM_KNOWN);
        if (!passes)
            goes_on = expand(u, otherwise + 1, end);
    }
    add(u, end, FORM_KNOWN);
    return goes_on;
}

/* Both sides, each from what is known before them; behind them what both know. */
static bool expand_both(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, uint8_t form)
{
    struct known before, after;
    bool first, second = true;

    if (!eval_known_copy(&before, &u->known)) {
        u->failed = true;
        return true;
    }
    u->branches++;
    add(u, i, form);
    first = expand(u, i + 1, otherwise);
    after = u->known;
    u->known = before;
    if (otherwise != end) {
        add(u, otherwise, form);
        second = expand(u, otherwise + 1, end);
    }
    add(u, end, form);
    u->branches--;
    if (first && second) {
        eval_known_meet(&u->known, &after);
    } else if (first) {
        before = u->known;
        u->known = after;
        after = before;
    }
    eval_known_drop_copy(&after);
    return first || second;
}

static bool expand_if(struct unroller *u, uint32_t i, uint32_t *last)
{
    const struct insn *insn = program_insn(u->from, i);
    uint32_t otherwise = insn->partner, end = otherwise;
    bool passes;

    if (program_insn(u->from, end)->op == OP_ELSE)
        end = program_insn(u->from, end)->partner;
    *last = end;
    if (eval_known_test(&u->known, &insn->condition, &passes))
        return expand_known(u, i, otherwise, end, passes);
    if (does_nothing(u, i + 1, otherwise) && (otherwise == end || does_nothing(u, otherwise + 1, end))) {
        u->changed = true;
        return expand_both(u, i, otherwise, end, FORM_KNOWN);
    }
    return expand_both(u, i, otherwise, end, FORM_PLAIN);
}

static bool is_empty(const struct folded *f)
{
    const struct answers *a = &f->answers;
    bool sums = false;

    for (unsigned c = 0; c < 4; c++)
        sums |= a->sum[c] || f->uses[c];
    return !(f->mask | f->taken[0] | f->taken[1] | f->taken[2] | f->part | f->ones[0] | f->ones[1] | f->settled | f->known) &&
           !(f->operands[0] | f->operands[1] | f->operands[2] | f->absolute[0] | f->absolute[1] | f->absolute[2]) && !sums &&
           !(a->not_below | a->no_sign | a->above | a->below | a->exact | a->positive);
}

/* Sums have their terms compared for whoever asks. */
static void mark_sums(struct unroller *u, const struct folded *f)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t sum = f->answers.sum[c] ? f->answers.sum[c] : f->compares >> c & 1 ? f->uses[c] : 0;
        if (sum)
            ((struct folded *)vec_at(&u->to->folded, eval_sum_index(sum)))->compared |= (uint8_t)(1u << (sum & 3));
    }
}

/* An instruction that is no flow. */
static void compute(struct unroller *u, uint32_t i)
{
    uint32_t at = add(u, i, FORM_PLAIN);
    struct folded folded;

    if (u->failed)
        return;
    folded = *(struct folded *)vec_at(&u->to->folded, at);
    eval_known_step(&u->known, program_insn(u->from, i), at, &folded);
    if (is_empty(&folded))
        return;
    *(struct folded *)vec_at(&u->to->folded, at) = folded;
    mark_sums(u, &folded);
    u->to->nfolded++;
}

/* A jump whose test is known does not end a block where nothing unknown stands around it. False when nothing goes on behind it. */
static bool expand_jump(struct unroller *u, uint32_t i)
{
    const struct insn *insn = program_insn(u->from, i);
    bool passes = false, known = eval_known_jump(&u->known, insn, &passes);
    bool straight = known && insn->op == OP_BRK && u->branches == u->loop_branches && !u->conts;
    uint32_t at;

    u->changed |= straight;
    at = add(u, i, straight ? FORM_KNOWN : FORM_PLAIN);
    if (known)
        set_outcome(u, at, passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    return !(known && passes);
}

/* The instructions from here to there; false when no lane comes to the end. Nothing is left out in front of a label. */
static bool expand(struct unroller *u, uint32_t from, uint32_t to)
{
    bool goes_on = true;

    for (uint32_t i = from; i < to && !u->failed; i++) {
        const struct insn *insn = program_insn(u->from, i);
        if (u->labels[i]) {
            eval_known_forget(&u->known);
            goes_on = true;
        }
        if (!goes_on)
            continue;
        switch (insn->op) {
        case OP_IF:
            goes_on = expand_if(u, i, &i);
            break;
        case OP_REP:
            expand_rep(u, i);
            i = insn->partner;
            break;
        case OP_BRK: case OP_CONT: case OP_RET:
            goes_on = expand_jump(u, i);
            break;
        case OP_CAL: case OP_CALI:
            add(u, i, FORM_PLAIN);
            forget_called(u, insn);
            break;
        default:
            compute(u, i);
            break;
        }
    }
    return goes_on;
}

/* What of a program calls for this. */
struct reasons {
    bool product;               /* that could be contracted, or the first of a pair */
    bool constant;              /* from which something could be computed */
    bool flow, broken;          /* without its partner */
    bool parts;                 /* lanes that may go on apart: copies of the body decide where they meet (parting.c) */
    bool flags;                 /* tests that may come out otherwise than the flags say */
};

static struct reasons find_reasons(const struct gp5_program *p)
{
    struct reasons r = {.product = false};

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        r.constant |= insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_CMP;
        r.product |= (insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_MIN) && type_table[insn->type].is_float;
        r.product |= insn->op == OP_RCP || insn->op == OP_RSQ;
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p, insn->src + k);
            r.constant |= o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_INVOCATION_GROUPSIZE) ||
                          (o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_PARAM);
        }
        r.flags |= insn->cc_update != 0;
        switch (insn->op) {
        case OP_IF: case OP_ELSE: case OP_REP: case OP_ENDIF: case OP_ENDREP:
            r.flow = true;
            r.broken |= insn->partner == NO_INDEX;
            break;
        case OP_CONT:
            r.parts = true;
            break;
        default:
            break;
        }
    }
    return r;
}

static bool prepare(struct unroller *u, bool flow)
{
    size_t n = u->from->insns.count;

    u->map = gp5_malloc(n * sizeof *u->map);
    u->labels = gp5_malloc(n + 1);
    u->called = gp5_malloc(n * sizeof *u->called);
    u->queue = gp5_malloc(n * sizeof *u->queue);
    if (!u->map || !u->labels || !u->called || !u->queue || !eval_known_new(&u->known, u->from))
        return eval_out_of_memory(u->d);
    memset(u->map, 0xff, n * sizeof *u->map);
    memset(u->labels, 0, n + 1);
    memset(u->called, 0, n * sizeof *u->called);
    for (uint32_t i = 0; i < u->from->symbols.count; i++) {
        const struct symbol *s = program_symbol(u->from, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= n)
            u->labels[s->instruction] = 1;
    }
    u->live = flow ? eval_liveness(u->d) : NULL;
    return !flow || u->live != NULL;
}

static void expand_all(struct unroller *u)
{
    uint8_t saved[8];

    eval_float_enter(saved, FLOAT_KEEP);
    expand(u, 0, (uint32_t)u->from->insns.count);
    eval_float_leave(saved);
}

bool eval_unroll(struct decoder *d, struct unrolled *to)
{
    struct unroller u = {.d = d, .from = d->p, .to = to};
    struct reasons r = find_reasons(d->p);
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || r.broken || !(r.constant || r.parts || r.flags || (r.product && r.flow)))
        return true;
    to->program = *d->p;
    vec_init(&to->program.insns, sizeof(struct insn));
    vec_init(&to->program.symbols, sizeof(struct symbol));
    vec_init(&to->origin, sizeof(uint32_t));
    vec_init(&to->form, sizeof(uint8_t));
    vec_init(&to->folded, sizeof(struct folded));
    ok = prepare(&u, r.flow);
    if (ok) {
        expand_all(&u);
        u.changed = (u.changed && (r.product || r.parts)) || to->nfolded > 0;
        ok = (!u.failed && (!u.changed || eval_link_unrolled(u.from, to, u.map))) || eval_out_of_memory(d);
    }
    to->used = true;
    if (u.changed) {
        d->p = &to->program;
        eval_liveness_forget(d);
    } else {
        eval_unroll_free(to);
    }
    gp5_free(u.map);
    gp5_free(u.labels);
    gp5_free(u.called);
    gp5_free(u.queue);
    eval_known_free(&u.known);
    return ok;
}

void eval_unroll_free(struct unrolled *to)
{
    if (!to->used)
        return;
    vec_free(&to->program.insns);
    vec_free(&to->program.symbols);
    vec_free(&to->origin);
    vec_free(&to->form);
    vec_free(&to->folded);
    to->used = false;
}
