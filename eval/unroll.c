/* Loops that the driver's compiler unrolls, and conditions that it knows: the program with copies of loop bodies in the place
 * of loops, and without what never runs, so that what stands in one straight line for the driver does so for the contraction.
 * A copy's instructions are the program's to everybody else: steps carry the original numbers, lanes still count their
 * iterations, and what is known is tested all the same.
 *
 * Measured (tests/flow.txt): a REP whose count is known is unrolled, nested ones as well, if count and body are small enough
 * together and no CAL stands in them; so is a REP without a count that a counter ends (trips.c). What is known goes through the others, as
 * far as no round changes it, and into subroutines and out of them (tests/calls.txt): the walk begins again until that is settled. */
#include "eval/unroll_walk.h"
#include "eval/costs.h"

#include <string.h>

/* The sums that the instruction's own test looks at. */
static void find_uses(const struct unroller *u, const struct insn *insn, struct folded *folded)
{
    if (insn->dst.kind == OPND_NONE)
        eval_known_uses(&u->known, &insn->condition, 15, folded->uses);
    else
        eval_known_uses(&u->known, &insn->dst.condition, insn->dst.mask, folded->uses);
}

uint32_t eval_place_copy(struct unroller *u, uint32_t i, uint8_t form)
{
    u->placed++;
    if (u->dry)
        return 0;
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

void eval_walk_meet(struct unroller *u, struct meeting *m, bool *changed)
{
    if (m && !u->failed && !eval_meet(m, &u->known, changed))
        u->failed = true;
}

void eval_walk_join(struct unroller *u, struct meeting *m)
{
    bool changed = false;

    eval_walk_meet(u, m, &changed);
}

/* Whether nothing between here and there does anything. */
static bool does_nothing(const struct unroller *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (u->live->useful[i])
            return false;
    return true;
}

/* What the test of the flow at `at` sees otherwise than the flags say. */
static void set_tested(struct unroller *u, const struct folded *tested, uint32_t at)
{
    struct folded *folded;

    if (u->failed || u->dry || !(tested->fixed | tested->inverted))
        return;
    folded = vec_at(&u->to->folded, at);
    folded->fixed = tested->fixed;
    folded->fixed_passes = tested->fixed_passes;
    folded->inverted = tested->inverted;
    u->to->nfolded++;
}

static void set_outcome(struct unroller *u, uint32_t at, enum test_outcome outcome)
{
    if (!u->failed && !u->dry)
        ((struct folded *)vec_at(&u->to->folded, at))->outcome = (uint8_t)outcome;
}

/* An IF whose outcome is known: the side that runs. */
static bool expand_known(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, bool passes)
{
    bool goes_on = true;

    u->changed = true;
    set_outcome(u, eval_place_copy(u, i, FORM_KNOWN), passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    if (passes)
        goes_on = eval_walk(u, i + 1, otherwise);
    if (otherwise != end) {
        eval_place_copy(u, otherwise, FORM_KNOWN);
        if (!passes)
            goes_on = eval_walk(u, otherwise + 1, end);
    }
    eval_place_copy(u, end, FORM_KNOWN);
    return goes_on;
}

/* Both sides, each from what is known before them; behind them what both know. */
static bool expand_both(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, uint8_t form, const struct folded *tested)
{
    struct known before, after;
    bool first, second = true;

    if (!eval_known_copy(&before, &u->known)) {
        u->failed = true;
        return true;
    }
    u->branches++;
    set_tested(u, tested, eval_place_copy(u, i, form));
    first = eval_walk(u, i + 1, otherwise);
    after = u->known;
    u->known = before;
    if (otherwise != end) {
        eval_place_copy(u, otherwise, form);
        second = eval_walk(u, otherwise + 1, end);
    }
    eval_place_copy(u, end, form);
    u->branches--;
    if (first && second) {
        eval_known_meet(&u->known, &after, NULL);
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
    struct folded tested = {.mask = 0};
    bool passes, known;

    if (program_insn(u->from, end)->op == OP_ELSE)
        end = program_insn(u->from, end)->partner;
    *last = end;
    known = eval_known_test(&u->known, &insn->condition, &passes);
    eval_known_flow(&u->known, insn, &tested);
    eval_known_part(&u->known);
    if (known || i == u->never)
        return expand_known(u, i, otherwise, end, i == u->never ? u->stays : passes);
    if (does_nothing(u, i + 1, otherwise) && (otherwise == end || does_nothing(u, otherwise + 1, end))) {
        u->changed = true;
        return expand_both(u, i, otherwise, end, FORM_KNOWN, &tested);
    }
    return expand_both(u, i, otherwise, end, FORM_PLAIN, &tested);
}

static bool is_empty(const struct folded *f)
{
    const struct answers *a = &f->answers;
    bool sums = false;

    for (unsigned c = 0; c < 4; c++)
        sums |= a->sum[c] || f->uses[c] || f->made[c];
    return !(f->mask | f->taken[0] | f->taken[1] | f->taken[2] | f->part | f->said | f->heard | f->truths | f->ones[0] | f->ones[1] | f->ones[2]) &&
           !(f->over | f->not_below | f->shown_one | f->nothing[0] | f->nothing[1] | f->shorts[0] | f->shorts[1] | f->shorts[2]) &&
           !(f->nans[0] | f->nans[1] | f->nans[2] | f->factors[0] | f->factors[1] | f->factors[2]) &&
           !(f->settled | f->passes | f->fails | f->known | f->fixed | f->moved | f->turned | f->again) && !f->in_turn &&
           !(f->operands[0] | f->operands[1] | f->operands[2] | f->absolute[0] | f->absolute[1] | f->absolute[2]) && !sums &&
           !(a->not_below | a->no_sign | a->above | a->below | a->positive | a->signless | a->not_above);
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
    uint32_t at = eval_place_copy(u, i, FORM_PLAIN);
    struct folded folded;

    if (u->dry)
        eval_known_step(&u->known, program_insn(u->from, i), NO_INDEX, NULL);
    if (u->failed || u->dry)
        return;
    folded = *(struct folded *)vec_at(&u->to->folded, at);
    eval_known_step(&u->known, program_insn(u->from, i), at, &folded);
    if (is_empty(&folded))
        return;
    *(struct folded *)vec_at(&u->to->folded, at) = folded;
    mark_sums(u, &folded);
    u->to->nfolded++;
}

/* What is known goes along; copies stay in their part. */
static void meet_at_jump(struct unroller *u, const struct insn *insn, struct meeting *to, bool *changed)
{
    struct known plain;

    if (insn->op != OP_RET || !to) {
        eval_walk_meet(u, to, changed);
        return;
    }
    if (!eval_known_copy(&plain, &u->known)) {
        u->failed = true;
        return;
    }
    eval_known_forget_copies(&plain);
    if (!eval_meet(to, &plain, changed))
        u->failed = true;
    eval_known_drop_copy(&plain);
}

/* A jump whose test is known does not end a block where nothing unknown stands around it. False when nothing goes on behind it. */
static bool expand_jump(struct unroller *u, uint32_t i)
{
    const struct insn *insn = program_insn(u->from, i);
    bool passes = false, known = eval_known_jump(&u->known, insn, &passes);
    bool straight = known && insn->op == OP_BRK && u->branches == u->loop_branches && !u->conts;
    struct folded tested = {.mask = 0};
    uint32_t at;

    struct meeting *to = insn->op == OP_RET ? (u->inside ? &u->inside->exit : NULL) : insn->op == OP_BRK ? u->breaks : u->rounds;
    bool less = false;

    u->changed |= straight;
    if (!(known && !passes))
        meet_at_jump(u, insn, to, &less);
    u->learnt |= less && insn->op == OP_RET;
    if (insn->op == OP_CONT && insn->partner == i + 1 && insn->condition.rule != CC_FL)
        eval_walk_meet(u, u->breaks, &less);      /* who does not go on there leaves */
    eval_known_flow(&u->known, insn, &tested);
    at = eval_place_copy(u, i, straight ? FORM_KNOWN : FORM_PLAIN);
    set_tested(u, &tested, at);
    if (known)
        set_outcome(u, at, passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    return !(known && passes);
}

/* A call under a test that is known to pass is one under none. */
static void expand_call(struct unroller *u, uint32_t i)
{
    const struct insn *insn = program_insn(u->from, i);
    struct folded tested = {.mask = 0};
    bool passes = false, known = eval_known_jump(&u->known, insn, &passes);
    uint32_t at;

    eval_known_flow(&u->known, insn, &tested);
    at = eval_place_copy(u, i, FORM_PLAIN);
    set_tested(u, &tested, at);
    if (known && passes)
        set_outcome(u, at, OUTCOME_PASSES);
    eval_walk_call(u, insn);
}

/* What is known there is what all calls know. */
static void come_to_label(struct unroller *u, uint32_t i)
{
    uint32_t k = eval_part_at(u, i);
    const struct meeting *entry = k < u->nparts && u->parts[k].entry.any ? &u->parts[k].entry : NULL;

    u->dead = i != u->entry && !entry;
    if (entry)
        eval_known_set(&u->known, &entry->known);
    else
        eval_known_forget(&u->known);
}

/* The instructions from here to there; false when no lane comes to the end. Nothing is left out in front of a label. */
bool eval_walk(struct unroller *u, uint32_t from, uint32_t to)
{
    bool goes_on = true;

    eval_known_part(&u->known);
    for (uint32_t i = from; i < to && !u->failed; i++) {
        const struct insn *insn = program_insn(u->from, i);
        if (u->labels[i] && !u->dry) {
            come_to_label(u, i);
            goes_on = true;
        }
        if (!goes_on) {
            u->changed = true;
            continue;
        }
        switch (insn->op) {
        case OP_IF:
            goes_on = expand_if(u, i, &i);
            break;
        case OP_REP:
            goes_on = eval_walk_rep(u, i);
            i = insn->partner;
            break;
        case OP_BRK: case OP_CONT: case OP_RET:
            if (i == u->never)
                set_outcome(u, eval_place_copy(u, i, FORM_KNOWN), OUTCOME_FAILS);
            else
                goes_on = expand_jump(u, i);
            break;
        case OP_CAL: case OP_CALI:
            expand_call(u, i);
            break;
        default:
            compute(u, i);
            break;
        }
        if (op_flows(insn->op) && eval_ends_block(insn))      /* the result of what else ends one stands behind that end */
            eval_known_part(&u->known);
    }
    return goes_on;
}

/* What of a program calls for this. */
struct reasons {
    bool product;               /* that could be contracted, or the first of a pair, or shows an order (order.c) */
    bool constant;              /* from which something could be computed */
    bool flow, broken;          /* without its partner */
    bool ends, shorts;          /* what stands behind RET never runs; writes of SHORT variables, who counts all that are there */
    bool parts;                 /* lanes that may go on apart: copies of the body decide where they meet (parting.c) */
    bool flags;                 /* tests that may come out otherwise than the flags say, votes than words do */
};

/* What may be known whatever the operands are. */
static bool may_be_known(unsigned op)
{
    switch (op) {
    case OP_MIN: case OP_MAX: case OP_CMP: case OP_SFL: case OP_STR: case OP_SUB: case OP_XOR: case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE:
    case OP_SGT: case OP_SGE:
        return true;
    default:
        return false;
    }
}

static struct reasons find_reasons(const struct gp5_program *p)
{
    struct reasons r = {.product = false};

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        r.constant |= may_be_known(insn->op);
        r.product |= (insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_MIN) && type_table[insn->type].is_float;
        r.product |= insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_NRM || insn->op == OP_DST;
        r.product |= insn->op == OP_UP2H || insn->op == OP_UP2US || insn->op == OP_UP4UB;
        r.product |= insn->op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16);
        r.product |= insn->type == DT_F32 && (insn->op == OP_CMP || condition_restricts(&insn->dst.condition));     /* chooses: choices.c */
        r.shorts |= insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->size == SIZE_SHORT;     /* copies there */
        r.product |= insn->type == DT_F64 && (insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAX || insn->op == OP_MAD);
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p, insn->src + k);
            r.constant |= o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_INVOCATION_GROUPSIZE) ||
                          (o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_PARAM);
        }
        r.flags |= insn->cc_update != 0 || op_votes(insn->op);
        switch (insn->op) {
        case OP_IF: case OP_ELSE: case OP_REP: case OP_ENDIF: case OP_ENDREP:
            r.flow = true;
            r.broken |= insn->partner == NO_INDEX;
            break;
        case OP_CONT:
            r.parts = true;
            break;
        case OP_RET:
            r.ends = true;
            break;
        default:
            break;
        }
    }
    r.product |= r.shorts;
    return r;
}

static bool add_up_costs(struct unroller *u)
{
    uint32_t n = (uint32_t)u->from->insns.count, sum = 0;

    u->costs = gp5_malloc(((size_t)n + 1) * sizeof *u->costs);
    if (!u->costs)
        return eval_out_of_memory(u->d);
    for (uint32_t i = 0; i < n; i++) {
        u->costs[i] = sum;
        sum += eval_cost(program_insn(u->from, i), u->live->useful[i], u->live->flags[i]);
    }
    u->costs[n] = sum;
    return true;
}

static bool prepare(struct unroller *u, bool flow)
{
    size_t n = u->from->insns.count;

    u->map = gp5_malloc(n * sizeof *u->map);
    u->labels = gp5_malloc(n + 1);
    if (!u->map || !u->labels || !eval_known_new(&u->known, u->from, &u->d->ends))
        return eval_out_of_memory(u->d);
    memset(u->map, 0xff, n * sizeof *u->map);
    memset(u->labels, 0, n + 1);
    for (uint32_t i = 0; i < u->from->symbols.count; i++) {
        const struct symbol *s = program_symbol(u->from, i);
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > n)
            continue;
        u->labels[s->instruction] = 1;
        if (!strcmp(s->name, "main"))
            u->entry = s->instruction;
    }
    if (!eval_find_parts(u))
        return false;
    u->live = flow ? eval_liveness(u->d) : NULL;
    return !flow || (u->live != NULL && add_up_costs(u));
}

static bool has_calls(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (program_insn(p, i)->op == OP_CAL || program_insn(p, i)->op == OP_CALI)
            return true;
    return false;
}

static void expand_all(struct unroller *u)
{
    uint8_t saved[8];

    eval_float_enter(saved, FLOAT_KEEP);
    if (has_calls(u->from))
        eval_walk_calls(u);
    eval_walk(u, 0, (uint32_t)u->from->insns.count);
    eval_float_leave(saved);
}

static void free_all(struct unroller *u)
{
    eval_parts_free(u);
    gp5_free(u->costs);
    gp5_free(u->map);
    gp5_free(u->labels);
    eval_known_free(&u->known);
}

bool eval_unroll(struct decoder *d, struct unrolled *to)
{
    struct vec called;
    struct unroller u = {.d = d, .from = d->p, .to = to, .never = NO_INDEX, .called = &called};
    struct reasons r = find_reasons(d->p);
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || r.broken || !(r.constant || r.parts || r.flags || (r.product && r.flow) || (r.shorts && r.ends)))
        return true;
    to->program = *d->p;
    vec_init(&to->program.insns, sizeof(struct insn));
    vec_init(&to->program.symbols, sizeof(struct symbol));
    vec_init(&to->origin, sizeof(uint32_t));
    vec_init(&to->form, sizeof(uint8_t));
    vec_init(&to->folded, sizeof(struct folded));
    vec_init(&called, sizeof(uint32_t));
    ok = prepare(&u, r.flow);
    if (ok) {
        expand_all(&u);
        u.failed |= *u.known.failed;
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
    vec_free(&called);
    free_all(&u);
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
