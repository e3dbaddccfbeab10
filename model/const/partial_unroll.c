/* Loops that are not unrolled whole and have several copies of their bodies all the same: how many. */
#include "model/const/loop_size.h"
#include "model/tables.h"

/* What keeps a loop from that: what leaves it, and what looks at other lanes. */
static bool prevents_phases(unsigned op)
{
    switch (op) {
    case OP_BRK: case OP_CONT: case OP_RET: case OP_CAL: case OP_CALI: case OP_BAR: case OP_KIL: case OP_MATCH:
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR: case OP_TGALL: case OP_TGANY: case OP_TGEQ:
    case OP_TGBALLOT:
    case OP_QSWZ0: case OP_QSWZ1: case OP_QSWZ2: case OP_QSWZ3: case OP_QSWZX: case OP_QSWZY:
        return true;
    default:
        return eval_is_group(op);
    }
}

/* 18 scalar operations were seen to be few enough, 19 not (tests/recordings/patterns/loops.txt, running,
 * running_with_*). */
enum { PHASED_SIZE = 18 };

/* Whether a CONT is an IF that keeps no loop from phases: not one around stores. A test of several components is
 * several jumps. */
static bool is_inner_if(const struct trips *t, uint32_t rep, uint32_t i)
{
    for (uint32_t k = i + 1; i == eval_cont_as_if(t->p, rep) && k < program_insn(t->p, rep)->partner; k++)
        if (op_stores(program_insn(t->p, k)->op))
            return false;
    return i == eval_cont_as_if(t->p, rep) && !eval_tests_several(&program_insn(t->p, i)->condition);
}

/* A shuffle or vote that nobody reads is gone before. */
static bool is_left_out(const struct trips *t, uint32_t i)
{
    return !op_flows(program_insn(t->p, i)->op) && !eval_loop_operations(t, i, i + 1);
}

/* Whether a loop runs no round. */
static bool is_idle(const struct trips *t, uint32_t i)
{
    uint32_t count;

    return program_insn(t->p, i)->op == OP_REP && eval_loop_count(t, program_insn(t->p, i), &count) && !count;
}

/* Whether nothing is left behind a CONT in its round: it is none. */
static bool jumps_over_nothing(const struct trips *t, uint32_t rep, uint32_t i)
{
    uint32_t end = program_insn(t->p, rep)->partner;

    if (program_insn(t->p, i)->op != OP_CONT || program_insn(t->p, i)->partner != end || i + 1 == end)
        return false;
    for (uint32_t k = i + 1; k < end; k++) {
        uint16_t op = program_insn(t->p, k)->op;
        if (is_idle(t, k))
            k = program_insn(t->p, k)->partner;
        else if ((op_flows(op) && op != OP_IF && op != OP_ELSE && op != OP_ENDIF) || eval_loop_operations(t, k, k + 1))
            return false;
    }
    return true;
}

/* `leave`: a BRK that is the loop's own. */
static bool runs_in_phases(const struct trips *t, uint32_t rep, uint32_t from, uint32_t leave)
{
    uint32_t end = eval_end_of_body(t->p, rep), depth = 0;

    for (uint32_t i = from; i < end; i++) {
        const struct insn *inside = program_insn(t->p, i);
        if (is_idle(t, i)) {
            i = inside->partner;
            continue;
        }
        depth += inside->op == OP_REP;
        depth -= inside->op == OP_ENDREP;
        if ((prevents_phases(inside->op) && !is_left_out(t, i) && i != leave && !is_inner_if(t, rep, i) &&
             !jumps_over_nothing(t, rep, i) && !eval_goes_round_anyway(t->p, t->known, i)) ||
            depth > 1)
            return false;
    }
    return eval_loop_size(t, from, end) <= PHASED_SIZE;
}

/* Whether a CONT under a test ends a body: who does not take it leaves. */
static bool leaves_at_bottom(const struct trips *t, uint32_t rep)
{
    uint32_t last = program_insn(t->p, rep)->partner - 1;
    const struct insn *insn = program_insn(t->p, last);

    return last > rep && insn->op == OP_CONT && insn->partner == last + 1 && condition_restricts(&insn->condition) &&
           insn->condition.rule != CC_FL && !eval_goes_round_anyway(t->p, t->known, last);
}

/* So many operations stand in a loop that is too large to be unrolled, and in the rounds before it that do not divide
 * its count; and a body in which less than so many of a hundred are what the loop itself needs has no copies. */
enum { LOOP_SIZE = 350, LEAST_SAVING = 4 };

/* A count that is known: the largest loop of whole rounds that is small enough, the rest of the rounds before it.
 * `counting`: what a copy in the loop has besides, and one before it has not. */
static bool divides(uint32_t count, uint32_t size, uint32_t counting, struct phases *phases)
{
    uint32_t most =
        size && eval_loop_saving(size, LOOP_OWN + counting) >= LEAST_SAVING ? LOOP_SIZE / (size + counting) : 0;

    for (uint32_t k = most; k > 1; k--)
        if (count % k * size + k * (size + counting) <= LOOP_SIZE) {
            *phases =
                (struct phases){.rounds = {count % k ? count % k : NO_ROUNDS, k, NO_ROUNDS}, .once = count % k != 0};
            return true;
        }
    return false;
}

/* Of a loop that counts for itself: the comparison and the addition are none of its operations, but that a copy in the
 * loop counts where they are two. */
static bool counts_in_phases(const struct trips *t, uint32_t rep, struct phases *phases)
{
    uint32_t end = program_insn(t->p, rep)->partner, size;
    const struct insn *compare;
    struct counter c;
    uint64_t word[2];
    unsigned k, component;

    if (!eval_find_counter(t->p, rep, &c))
        return false;
    compare = program_insn(t->p, c.compare);
    component = (unsigned)__builtin_ctz(compare->dst.mask);
    size = eval_loop_operations(t, c.body, end) - (c.add >= c.body ? eval_loop_operations(t, c.add, c.add + 1) : 0);
    for (k = 0; k < 2; k++)
        if (!eval_known_operand(t->known, program_operand(t->p, compare->src + k), component, compare->type, &word[k]))
            break;
    if (k == 2) {
        c.rounds = eval_counter_rounds(&c, (uint32_t)word[c.operand],
                                       c.at_once ? (uint32_t)-c.step : (uint32_t)word[1 - c.operand]);
        c.known = c.at_once;
        *phases = (struct phases){.once = false};
        if (c.rounds == UINT32_MAX || !divides(c.rounds, size, c.at_once ? 0 : 1, phases))
            return false;
    } else {
        *phases = (struct phases){.rounds = {4, 2, 1}};
        if (c.at_once || !runs_in_phases(t, rep, c.body, c.leave) || size >= PHASED_SIZE)
            return false;
    }
    phases->counts = true;
    phases->counter = c;
    return true;
}

bool eval_phases(const struct gp5_program *p, const uint32_t *costs, const struct known *known, uint32_t rep,
                 struct phases *phases)
{
    const struct trips t = {p, costs, known, NULL};
    const struct insn *insn = program_insn(p, rep);
    uint32_t count, size, nested;

    if (!insn->nsrc)
        return counts_in_phases(&t, rep, phases);
    if (eval_loop_count(&t, insn, &count))
        return count != UINT32_MAX && !leaves_at_bottom(&t, rep) &&
               eval_may_have_copies(&t, rep, count, &size, &nested) &&
               divides(count, eval_loop_size(&t, rep + 1, eval_end_of_body(p, rep)), 0, phases);
    *phases = (struct phases){.rounds = {4, 2, 1}};
    return runs_in_phases(&t, rep, rep + 1, NO_INDEX);
}
