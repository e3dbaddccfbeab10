/* Loops that are not unrolled whole and have several copies of their bodies all the same: how many. */
#include "eval/loop_sizes.h"
#include "eval/decode.h"

/* What keeps a loop from that: what leaves it, and what looks at other lanes. */
static bool prevents_phases(unsigned op)
{
    switch (op) {
    case OP_BRK: case OP_CONT: case OP_RET: case OP_CAL: case OP_CALI: case OP_BAR: case OP_KIL: case OP_MATCH:
    case OP_SHFUP: case OP_SHFDOWN: case OP_SHFIDX: case OP_SHFXOR: case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
    case OP_QSWZ0: case OP_QSWZ1: case OP_QSWZ2: case OP_QSWZ3: case OP_QSWZX: case OP_QSWZY:
        return true;
    default:
        return eval_is_group(op);
    }
}

/* 18 scalar operations were seen to be few enough, 19 not (tests/loops.txt, running, running_with_*). */
enum { PHASED_SIZE = 18 };

/* Whether an instruction writes a register. */
static bool writes(const struct insn *insn, uint32_t ref)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == ref;
}

/* Whether no round of a loop writes a register. */
static bool stays(const struct trips *t, uint32_t rep, uint32_t ref)
{
    for (uint32_t i = rep + 1; i < program_insn(t->p, rep)->partner; i++)
        if (writes(program_insn(t->p, i), ref))
            return false;
    return true;
}

/* Whether an operand of instruction `at` is the same in each round: none writes it, or it is loaded from one place in each. */
static bool is_same(const struct trips *t, uint32_t rep, uint32_t at, const struct operand *o)
{
    bool same = true;

    if (o->kind != OPND_SYMBOL)
        return true;
    for (uint32_t i = at; --i > rep;) {
        const struct insn *load = program_insn(t->p, i);
        const struct operand *from = program_operand(t->p, load->src);
        if (!writes(load, o->ref))
            continue;
        for (unsigned n = 0; n < from->nindices; n++) {
            const struct index *x = program_index(t->p, from->index + n);
            same &= x->mode != INDEX_RELATIVE || stays(t, rep, x->reg);
        }
        return (load->op == OP_LDB || load->op == OP_LDC || load->op == OP_LOAD) && same;
    }
    return stays(t, rep, o->ref);
}

/* Whether no round of a loop changes what a test in it looks at: flags that are set in front of the loop, or of what stays. */
static bool is_of_all_rounds(const struct trips *t, uint32_t rep, uint32_t i)
{
    for (uint32_t k = i; --k > rep;) {
        const struct insn *insn = program_insn(t->p, k);
        if (insn->cc_update != (program_insn(t->p, i)->condition.cc & 1) + 1)
            continue;
        for (unsigned n = 0; n < insn->nsrc; n++)
            if (!is_same(t, rep, k, program_operand(t->p, insn->src + n)))
                return false;
        return true;
    }
    return true;
}

/* Whether a CONT is an IF that keeps no loop from phases. A test of several components is several jumps; one that no round changes makes a loop for each of its
 * outcomes, which is not built, unless it is known. */
static bool is_inner_if(const struct trips *t, uint32_t rep, uint32_t i)
{
    bool passes;

    return i == eval_cont_as_if(t->p, rep) && !eval_tests_several(&program_insn(t->p, i)->condition) &&
           (!is_of_all_rounds(t, rep, i) || eval_knows_jump(t->p, t->known, rep, program_insn(t->p, i), &passes));
}

/* `leave`: a BRK that is the loop's own. */
static bool runs_in_phases(const struct trips *t, uint32_t rep, uint32_t from, uint32_t leave)
{
    uint32_t end = eval_end_of_body(t->p, rep), depth = 0;

    for (uint32_t i = from; i < end; i++) {
        const struct insn *inside = program_insn(t->p, i);
        depth += inside->op == OP_REP;
        depth -= inside->op == OP_ENDREP;
        if ((prevents_phases(inside->op) && i != leave && !is_inner_if(t, rep, i) && !eval_goes_round_anyway(t->p, t->known, i)) || depth > 1)
            return false;
    }
    return eval_loop_size(t, from, end) <= PHASED_SIZE;
}

/* So many operations stand in a loop that is too large to be unrolled, and in the rounds before it that do not divide its count; and a body
 * in which less than so many of a hundred are what the loop itself needs has no copies. */
enum { LOOP_SIZE = 350, LEAST_SAVING = 4 };

/* A count that is known: the largest loop of whole rounds that is small enough, the rest of the rounds before it. `counting`: what a copy in
 * the loop has besides, and one before it has not. */
static bool divides(uint32_t count, uint32_t size, uint32_t counting, struct phases *phases)
{
    uint32_t most = size && eval_loop_saving(size, LOOP_OWN + counting) >= LEAST_SAVING ? LOOP_SIZE / (size + counting) : 0;

    for (uint32_t k = most; k > 1; k--)
        if (count % k * size + k * (size + counting) <= LOOP_SIZE) {
            *phases = (struct phases){.rounds = {count % k ? count % k : NO_ROUNDS, k, NO_ROUNDS}, .once = count % k != 0};
            return true;
        }
    return false;
}

/* Of a loop that counts for itself: the comparison and the addition are none of its operations, but that a copy in the loop counts where they
 * are two. */
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
        c.rounds = eval_counter_rounds(&c, (uint32_t)word[c.operand], c.at_once ? (uint32_t)-c.step : (uint32_t)word[1 - c.operand]);
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

bool eval_phases(const struct gp5_program *p, const uint32_t *costs, const struct known *known, uint32_t rep, struct phases *phases)
{
    const struct trips t = {p, costs, known, NULL};
    const struct insn *insn = program_insn(p, rep);
    uint32_t count, size, nested;

    if (!insn->nsrc)
        return counts_in_phases(&t, rep, phases);
    if (eval_loop_count(&t, insn, &count))
        return count != UINT32_MAX && eval_may_have_copies(&t, rep, count, &size, &nested) &&
               divides(count, eval_loop_size(&t, rep + 1, eval_end_of_body(p, rep)), 0, phases);
    *phases = (struct phases){.rounds = {4, 2, 1}};
    return runs_in_phases(&t, rep, rep + 1, NO_INDEX);
}
