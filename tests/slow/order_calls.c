/* What doubles go into subroutines, and which come out of them (order.c). */
#include "tests/slow/order.h"

enum { MAX_DEPTH = 32 };        /* of calls */

/* Whether a subroutine reads a variable, as far as its own text says. */
static bool part_reads(const struct finder *f, uint32_t from, uint32_t v)
{
    for (uint32_t i = from; i < f->p->text->insns.count && (i == from || !f->p->label[i]); i++) {
        const struct insn *insn = program_insn(f->p->text, i);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            return true;
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(f->p->text, insn->src + k);
            unsigned read = slow_reads(f->p, insn, k, insn->dst.kind == OPND_NONE ? SLOW_ACTS : insn->dst.mask);
            for (unsigned c = 0; c < 4; c++)
                if (read >> c & 1 && slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v)
                    return true;
        }
    }
    return false;
}

/* ---- what subroutines do to variables -------------------------------------------------------------------------------------------- */

/* Whether component c of a result is made of what the variable was. */
static bool is_made_of(const struct finder *f, const struct insn *insn, unsigned c, uint32_t v)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        unsigned read = slow_made_of(f->p, insn, k, c);
        for (unsigned from = 0; from < 4; from++)
            if (read >> from & 1 && slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * from & 3) == v)
                return true;
    }
    return false;
}

void slow_order_note_called(struct finder *f)
{
    bool late = false;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        bool returns = insn->op == OP_RET && !f->plan->place[i].straight && condition_restricts(&insn->condition);
        late &= !slow_begins_part(f->p, f->plan, i);
        if (i >= f->reach.entry && i < f->reach.main_end)
            continue;
        late |= insn->op == OP_CAL || insn->op == OP_CALI || returns;
        for (unsigned c = 0; !op_flows(insn->op) && c < 4; c++) {
            uint32_t v = slow_order_target(f, insn, c);
            if (v == NO_INDEX)
                continue;
            if (!f->called[v])
                f->called[v] = (uint8_t)(late * CALLED_LATE + CALLED_CHANGES);
            if (condition_restricts(&insn->dst.condition) || !is_made_of(f, insn, c, v))
                f->called[v] &= (uint8_t)~CALLED_CHANGES;
            f->called[v] |= CALLED_WRITES;
        }
    }
}

/* What it does not read passes it by. */
static void go_to_label(struct finder *f, uint32_t from, uint32_t to)
{
    struct held *there = (to > from ? f->held : f->back[1]) + (size_t)to * f->nvars;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held now = f->now[v];
        struct held before = there[v];
        now.outer = true;
        slow_order_meet(f, &there[v], now, v, MEET_ELSEWHERE * f->plan->count + to, slow_order_is_read(f, to, v) && part_reads(f, f->plan->place[to].insn, v));
        if (before.several && before.first == now.first)        /* nothing else comes by this call */
            there[v] = before;
    }
}

static bool part_writes(const struct finder *f, uint32_t from, uint32_t v, unsigned depth);

/* Whether what an instruction calls writes a variable, or another component of it. */
static bool call_writes(const struct finder *f, const struct insn *call, uint32_t v, unsigned depth)
{
    for (uint32_t i = 0; i < f->p->text->insns.count; i++)
        if (f->p->label[i] && slow_calls(f->p, call, i) && (depth == MAX_DEPTH || part_writes(f, i, v, depth)))
            return true;
    return depth == MAX_DEPTH;
}

static bool part_writes(const struct finder *f, uint32_t from, uint32_t v, unsigned depth)
{
    for (uint32_t i = from; i < f->p->text->insns.count && (i == from || !f->p->label[i]); i++) {
        const struct insn *insn = program_insn(f->p->text, i);
        for (unsigned c = 0; insn->dst.kind != OPND_NONE && insn->dst.condition.rule != CC_FL && c < 4; c++)
            if (slow_order_variable(f, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) == v)
                return true;
        if ((insn->op == OP_CAL || insn->op == OP_CALI) && call_writes(f, insn, v, depth + 1))
            return true;
    }
    return false;
}

/* What the called subroutines write comes from the call, also where a test decides on that: then what stood there meets it. */
static void return_from(struct finder *f, uint32_t place, const struct insn *call)
{
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held there = {.first = 4 * place + v % 4, .called = true, .alone = MANY};
        if (!f->called[v] || !call_writes(f, call, v, 0))
            continue;
        f->made[there.first] = (struct made){.at = there.first, .source = RESULT, .meets = f->made[there.first].meets, .meets_whole = f->made[there.first].meets_whole,
                                            .instead = f->made[there.first].instead};
        if ((condition_restricts(&call->condition) || f->called[v] & CALLED_LATE) && f->now[v].first != NO_INDEX && slow_order_is_read(f, place + 1, v))
            slow_order_note_meeting(f, f->now[v].first);
        f->now[v] = there;
    }
}

void slow_order_call(struct finder *f, uint32_t place, const struct insn *insn)
{
    for (uint32_t i = 0; i < f->p->text->insns.count; i++) {
        bool *several = f->several;
        if (!f->p->label[i] || f->plan->first[i] == NO_INDEX || !slow_calls(f->p, insn, i))
            continue;
        if (f->caller[i] == NO_INDEX)
            f->caller[i] = place;
        for (uint32_t v = 8; f->caller[i] != place && v < f->nvars; v++) {
            several[v] = f->now[v].several;
            f->now[v].several = false;
        }
        go_to_label(f, place, f->plan->first[i]);
        for (uint32_t v = 8; f->caller[i] != place && v < f->nvars; v++)
            f->now[v].several = several[v];
    }
    return_from(f, place, insn);
}
