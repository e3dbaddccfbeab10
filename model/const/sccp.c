/* The walk through a program that takes it apart (specialize.c): its instructions are placed once more, and what is
 * known goes along with them, over IF, jumps and labels. */
#include "model/const/sccp.h"
#include "model/const/loop_size.h"
#include "asm/label.h"

uint32_t model_place_copy(struct unroller *u, uint32_t i, uint8_t form)
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
    if (u->map[i] == NO_INDEX)
        u->map[i] = (uint32_t)at;
    return (uint32_t)at;
}

void model_walk_meet(struct unroller *u, struct meet_point *m, bool *changed)
{
    if (m && !u->failed && !model_meet(m, &u->known, changed))
        u->failed = true;
}

void model_walk_join(struct unroller *u, struct meet_point *m)
{
    bool changed = false;

    model_walk_meet(u, m, &changed);
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
    if (u->failed || u->dry)
        return;
    ((struct folded *)vec_at(&u->to->folded, at))->outcome = (uint8_t)outcome;
    u->to->nfolded++;
}

/* An IF whose outcome is known: the side that runs. */
static bool expand_known(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, bool passes)
{
    bool goes_on = true;

    u->changed = true;
    set_outcome(u, model_place_copy(u, i, FORM_KNOWN), passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    if (passes)
        goes_on = model_walk(u, i + 1, otherwise);
    if (otherwise != end) {
        model_place_copy(u, otherwise, FORM_KNOWN);
        if (!passes)
            goes_on = model_walk(u, otherwise + 1, end);
    }
    model_place_copy(u, end, FORM_KNOWN);
    return goes_on;
}

/* Both sides, each from what is known before them; behind them what both know. */
static bool expand_both(struct unroller *u, uint32_t i, uint32_t otherwise, uint32_t end, uint8_t form)
{
    struct known before, after;
    bool first, second = true;

    if (!model_known_copy(&before, &u->known)) {
        u->failed = true;
        return true;
    }
    u->branches++;
    model_place_copy(u, i, form);
    first = model_walk(u, i + 1, otherwise);
    after = u->known;
    u->known = before;
    if (otherwise != end) {
        model_place_copy(u, otherwise, form);
        second = model_walk(u, otherwise + 1, end);
    }
    model_place_copy(u, end, form);
    u->branches--;
    if (first && second) {
        model_known_meet(&u->known, &after, NULL);
    } else if (first) {
        before = u->known;
        u->known = after;
        after = before;
    }
    model_known_drop_copy(&after);
    return first || second;
}

static bool expand_if(struct unroller *u, uint32_t i, uint32_t *last)
{
    const struct insn *insn = program_insn(u->from, i);
    uint32_t otherwise = insn->dst.partner, end = eval_end_of_if(u->from, i);
    bool passes, known;

    *last = end;
    known = model_known_branch(&u->known, insn, &passes);
    if (known)
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

    return !(f->mask | f->part | f->booleans | f->ones[0] | f->ones[1] | f->ones[2] | f->bounds[0] | f->bounds[1]) &&
           !(f->shorts[0] | f->shorts[1] | f->shorts[2] | f->known_short) &&
           !(f->passes | f->fails | f->moved) &&
           !(f->operands[0] | f->operands[1] | f->operands[2]) &&
           !(a->not_below | a->no_sign | a->above | a->below | a->positive | a->signless);
}

/* An instruction that is no flow. */
static void compute(struct unroller *u, uint32_t i)
{
    uint32_t at = model_place_copy(u, i, FORM_PLAIN);
    struct folded folded;

    if (u->dry)
        model_known_step(&u->known, program_insn(u->from, i), NULL);
    if (u->failed || u->dry)
        return;
    memset(&folded, 0, sizeof folded);
    model_known_step(&u->known, program_insn(u->from, i), &folded);
    if (is_empty(&folded))
        return;
    *(struct folded *)vec_at(&u->to->folded, at) = folded;
    u->to->nfolded++;
}

/* A jump whose test is known does not end a block where nothing unknown stands around it. False when nothing goes on
 * behind it. */
static bool expand_jump(struct unroller *u, uint32_t i)
{
    const struct insn *insn = program_insn(u->from, i);
    bool passes = false, known = model_known_branch(&u->known, insn, &passes);
    bool straight = known && insn->op == OP_BRK && u->branches == u->loop_branches && !u->conts;
    uint32_t at;

    u->changed |= straight;
    if (!(known && !passes) && insn->op != OP_RET)
        model_walk_join(u, insn->op == OP_BRK ? u->breaks : u->rounds);
    if (insn->op == OP_CONT && insn->dst.partner == i + 1 && insn->condition.rule != CC_FL)
        model_walk_join(u, u->breaks);       /* who does not go on there leaves */
    at = model_place_copy(u, i, straight ? FORM_KNOWN : FORM_PLAIN);
    if (known)
        set_outcome(u, at, passes ? OUTCOME_PASSES : OUTCOME_FAILS);
    return !(known && passes);
}

/* Behind a CONT that ends a copy: who does not take it leaves the loop. */
static void leave_behind(struct unroller *u, uint32_t i)
{
    uint32_t at = model_place_copy(u, i, FORM_PLAIN);

    if (u->dry || u->failed)
        return;
    *(struct folded *)vec_at(&u->to->folded, at) = (struct folded){.mask = 0};
    program_insn(&u->to->program, at)->op = OP_BRK;
    program_insn(&u->to->program, at)->condition = (struct condition){.rule = CC_NONE};
}

/* A call under a test that is known to pass is one under none. What subroutines write nobody follows. */
static void expand_call(struct unroller *u, uint32_t i)
{
    bool passes = false, known = model_known_branch(&u->known, program_insn(u->from, i), &passes);
    uint32_t at = model_place_copy(u, i, FORM_PLAIN);

    if (known && passes)
        set_outcome(u, at, OUTCOME_PASSES);
    model_known_forget(&u->known);
}

void model_walk_forget(struct unroller *u, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        model_known_overwrite(&u->known, program_insn(u->from, i));
        if (op_calls(program_insn(u->from, i)->op))
            model_known_forget(&u->known);
    }
}

bool model_walk(struct unroller *u, uint32_t from, uint32_t to)
{
    bool goes_on = true;

    model_known_begin_block(&u->known);
    for (uint32_t i = from; i < to && !u->failed; i++) {
        const struct insn *insn = program_insn(u->from, i);
        if (u->labels[i]) {
            model_known_forget(&u->known);
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
            goes_on = model_walk_rep(u, i);
            i = insn->dst.partner;
            break;
        case OP_BRK: case OP_CONT: case OP_RET:
            if (model_goes_round_anyway(u->from, &u->known, i) || (insn->op == OP_CONT && i == u->idle)) {
                u->changed = true;
                i = insn->dst.partner - 1;
            } else {
                bool at_bottom = insn->op == OP_CONT && i == u->bottom && condition_restricts(&insn->condition) &&
                                 insn->condition.rule != CC_FL;
                goes_on = expand_jump(u, i);
                if (goes_on && at_bottom)
                    leave_behind(u, i);
                goes_on &= !at_bottom;
            }
            break;
        case OP_CAL: case OP_CALI:
            expand_call(u, i);
            break;
        default:
            compute(u, i);
            break;
        }
        model_known_flow(&u->known, insn);
    }
    return goes_on;
}
