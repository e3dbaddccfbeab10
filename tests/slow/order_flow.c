/* Where doubles go on, from place to place, until nothing new comes anywhere (order.c). */
#include "tests/slow/order.h"

#include <string.h>

enum { MAX_ROUNDS = 64 };       /* of walks over the program */

/* Nothing was carried for a test for carries to look at. */
static bool is_settled(const struct finder *f, uint32_t place, unsigned c)
{
    unsigned rule = slow_order_insn(f, place)->dst.condition.rule;
    bool carry = rule == CC_CF || rule == CC_NCF || rule == CC_OF || rule == CC_NOF || rule == CC_AB || rule == CC_BLE;
    return carry && f->plan->place[place].settled >> c & 1;
}

/* A result that is tested and sets flags: a branch goes by it, unless the test fails for want of a carry. */
static bool is_branch(const struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    unsigned rule = insn->dst.condition.rule;
    bool is_never = is_settled(f, place, c) && (rule == CC_CF || rule == CC_OF || rule == CC_AB);
    return insn->cc_update && condition_restricts(&insn->dst.condition) && !is_never && !(insn->flags & INSN_SSAT);
}

bool slow_order_chooses(const struct finder *f, uint32_t place, unsigned c)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct insn *insn = slow_order_insn(f, place);
    if (!condition_restricts(&insn->dst.condition) || (here->passes | here->fails) >> c & 1)
        return false;
    return !is_branch(f, place, c);
}

/* A test that is known to pass makes no branch of numbers, nor of the first component of what is not read there. */
static bool is_certain(const struct finder *f, uint32_t place, unsigned c)
{
    const struct slow_place *here = &f->plan->place[place];
    const struct insn *insn = slow_order_insn(f, place);
    bool lower = insn->dst.mask & ((1u << c) - 1), number = insn->op == OP_MOV && program_operand(f->p->text, insn->src)->kind == OPND_CONSTANT;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        lower |= o->kind == insn->dst.kind && o->ref == insn->dst.ref;
    }
    return here->passes >> c & 1 && (!lower || number || here->known >> c & 1);
}

/* A component is written; behind a branch it meets what stood there, if anybody reads it. */
static void put(struct finder *f, uint32_t place, unsigned c, uint32_t v)
{
    struct held *held = &f->now[v];
    struct held fresh = {.first = 4 * place + c, .outer = f->made[4 * place + c].outer, .called = f->made[4 * place + c].called, .alone = slow_order_alone(f, place, c)};
    if (is_branch(f, place, c)) {
        if (held->first != NO_INDEX && held->first != fresh.first && f->reach.useful[place] >> c & 1 && !is_certain(f, place, c))
            slow_order_note_both(f, held, &fresh);
        if (!is_settled(f, place, c) && !(f->plan->place[place].passes >> c & 1)) {
            slow_order_meet(f, held, fresh, v, MEET_ELSEWHERE * f->plan->count + place, false);
            return;
        }
    }
    *held = fresh;
}

/* A loop's first round begins: values that another round brings others for are several. */
static void enter_loop(struct finder *f, uint32_t rep, uint32_t first, const struct held *before)
{
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held *now = &f->now[v];
        if (f->differs[(size_t)rep * f->nvars + v] && now->first != NO_INDEX)
            *now = (struct held){.first = now->first, .several = true, .outer = now->outer, .called = now->called, .met = rep, .var = v,
                                 .alone = f->differs[(size_t)rep * f->nvars + v] == 2 ? MANY : now->alone};
    }
    slow_order_go_to(f, first, NO_INDEX);
    memcpy(f->now, before, f->nvars * sizeof *f->now);
}

/* Rounds in front of it, that it does not divide by its copies, find what stands there. */
static void begin_loop(struct finder *f, uint32_t rep)
{
    if (slow_order_behind_rest(f, rep) != NO_INDEX)
        slow_order_go_to(f, rep + 1, NO_INDEX);
    else
        enter_loop(f, rep, rep + 1, f->held + (size_t)rep * f->nvars);
}

/* A way that leaves a loop or begins another round or phase, or an ordinary one. A later phase begins with what the one before it leaves. */
static void go_on(struct finder *f, uint32_t place, uint32_t to)
{
    const struct slow_place *here = &f->plan->place[place];
    unsigned op = here->straight && slow_order_insn(f, place)->op == OP_REP ? OP_COUNT : slow_order_insn(f, place)->op;
    uint32_t loop = op == OP_REP ? place : op == OP_ENDREP || op == OP_BRK || op == OP_CONT ? here->loop : NO_INDEX;
    const struct slow_place *head = loop == NO_INDEX ? NULL : &f->plan->place[loop];
    bool is_endless = head && !slow_order_insn(f, loop)->nsrc && !head->phased && !head->straight;
    if (op == OP_ENDREP && is_endless)
        return;
    if (head && to == head->to) {
        if (op == OP_REP && slow_order_behind_rest(f, loop) != NO_INDEX)
            return;
        f->at_head = head->phased && op != OP_BRK && op != OP_CONT;
        slow_order_go_to(f, to, loop);
        f->at_head = false;
    } else if (op == OP_ENDREP && to == place + 1 && to == slow_order_behind_rest(f, loop))
        enter_loop(f, loop, to, f->held + (size_t)place * f->nvars);
    else if (op == OP_REP && to == place + 1)
        begin_loop(f, place);
    else if ((op == OP_REP || op == OP_ENDREP) && !(op == OP_ENDREP && to == place + 1))
        return;
    else
        slow_order_go_to(f, to, NO_INDEX);
}

static void flow_from(struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct slow_place *here = &f->plan->place[place];
    uint32_t to[8];
    unsigned n = slow_successors(f->p, f->plan, place, to), fails = here->fails;
    bool ends = insn->op == OP_ENDREP && here->loop != NO_INDEX;
    memcpy(f->now, f->held + (size_t)place * f->nvars, f->nvars * sizeof *f->now);
    for (unsigned c = 0; c < 4; c++)
        if (slow_order_target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            slow_order_make(f, place, c);
    for (unsigned c = 0; c < 4; c++)
        if (slow_order_target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            put(f, place, c, slow_order_target(f, insn, c));
    if (insn->op == OP_CAL || insn->op == OP_CALI)
        slow_order_call(f, place, insn);
    if (ends && !f->plan->place[here->loop].straight)
        slow_order_meet_head(f, place);
    else if (ends)
        slow_order_note_carried(f, place);
    for (unsigned k = 0; k < n; k++)
        go_on(f, place, to[k]);
    if (ends && place + 1 == f->plan->place[here->loop].to) {
        memcpy(f->now, f->behind + (size_t)here->loop * f->nvars, f->nvars * sizeof *f->now);
        slow_order_go_to(f, place + 1, NO_INDEX);
    }
}

static void forget(const struct finder *f, struct held *held)
{
    for (size_t i = 0; i < (size_t)f->plan->count * f->nvars; i++)
        held[i] = (struct held){.first = NO_INDEX, .alone = MANY};
}

void slow_order_follow(struct finder *f)
{
    size_t size = (size_t)f->plan->count * f->nvars;
    f->changed = true;
    forget(f, f->back[1]);
    for (unsigned round = 0; f->changed && round < MAX_ROUNDS; round++) {
        struct held *before = f->back[1];
        f->changed = false;
        memcpy(f->held, before, size * sizeof *before);
        f->back[1] = f->back[0];
        f->back[0] = before;
        forget(f, f->back[1]);
        forget(f, f->behind);
        for (uint32_t i = 0; i < f->plan->count; i++)
            flow_from(f, i);
        for (size_t i = 0; i < size; i++)
            f->changed |= slow_order_differ(&f->back[0][i], &f->back[1][i]) || f->back[0][i].alone != f->back[1][i].alone;
    }
}
