/* How often loops run, where the driver's compiler knows it, and whether it unrolls them. */
#include "eval/trips.h"
#include "eval/decode.h"
#include "eval/numeric/words.h"

struct trips {
    const struct gp5_program *p;
    const uint32_t *costs;
    const struct known *known;
    bool *no_memory;
};

static uint32_t operations(const struct trips *t, uint32_t from, uint32_t to)
{
    return t->costs[to] - t->costs[from];
}

/* How often a REP runs, if that is known. */
static bool count_of(const struct trips *t, const struct insn *rep, uint32_t *count)
{
    struct operand o;
    uint64_t word;
    uint32_t bits;
    float f;

    if (!rep->nsrc)
        return false;
    o = *program_operand(t->p, rep->src);
    if (o.kind == OPND_CONSTANT)
        o.flags &= (uint16_t)~OPND_NEGATE;      /* as eval/blocks.c */
    if (type_table[rep->type].bytes != 4 || !eval_known_operand(t->known, &o, 0, rep->type, &word))
        return false;
    bits = (uint32_t)word;
    f = num_float(bits);
    if (type_table[rep->type].is_float)
        *count = f >= 1 ? f < 65536 ? (uint32_t)f : UINT32_MAX : 0;
    else
        *count = (int32_t)bits > 0 ? bits : 0;
    return true;
}

/* The operations that a loop needs itself; one that counts for itself adds one more. */
enum { OWN = 3 };

/* How many of a hundred these are. */
static uint32_t saving(uint32_t size, uint32_t own)
{
    return 100 * own / (size + own);
}

/* Whether so many copies of a body are few enough, in a program of so many operations besides. What is saved is the operations that the
 * loop needs itself, and the more of a hundred these are the more copies there may be; more again where the body is most of the program.
 * The first rule is exact in all that was measured. The second one, in thousandths, comes closest of those that were tried: 2 of 551
 * measured edges are beside it. */
static bool fits(uint32_t count, uint32_t size, uint32_t own, uint32_t besides)
{
    uint64_t saved = saving(size, own), all = (uint64_t)size + besides, more = (uint64_t)(count - 1) * (size ? size : 1);

    if (more > 1 << 16)
        return false;
    if (15ull * size >= 8 * all)
        return 1000 * more * all <= 139645 * all + saved * (39228 * all + size * (14080 + 1231 * saved));
    return more <= 140 + 46 * saved;
}

/* From so many scalar operations of nested loops together, the outer one stays a loop: 1,024 times an ADD of four components was
 * not unrolled, 576 times was; 4,096 times an ADD of one still was, and nothing larger was tried. */
static bool too_large(uint64_t iterations, uint32_t size)
{
    return size > 1 && iterations * size >= 4096;
}

/* A loop of so many operations that is copied so often, in a larger one: as it was seen to count there. */
static uint32_t copied_size(uint32_t times, uint32_t size)
{
    return times > 1 << 16 ? UINT32_MAX >> 1 : times * (size + 2) + 1;
}

/* The operations between two instructions, those of loops as often as they run; UINT32_MAX >> 1 or more where that is not known. */
static uint32_t whole_size(const struct trips *t, uint32_t from, uint32_t to)
{
    uint64_t size[16] = {0};
    uint32_t times[16], depth = 0;

    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (insn->op == OP_REP) {
            if (depth == 15 || !count_of(t, insn, &times[depth]))
                return UINT32_MAX;
            size[++depth] = 0;
        } else if (insn->op == OP_ENDREP && depth) {
            uint64_t inner = size[depth--];
            size[depth] += copied_size(times[depth], (uint32_t)inner);
        } else {
            size[depth] += operations(t, i, i + 1);
        }
        if (size[depth] > UINT32_MAX >> 2)
            return UINT32_MAX;
    }
    return (uint32_t)size[0];
}

/* Whether nothing in a loop keeps it from having copies of its body, and how large that is; `nested`: the most that a loop in it runs. */
static bool may_have_copies(const struct trips *t, uint32_t rep, uint32_t count, uint32_t *size, uint32_t *nested)
{
    uint32_t end = program_insn(t->p, rep)->partner, inner;

    *size = *nested = 0;
    for (uint32_t i = rep + 1; i < end; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (insn->op == OP_CONT && i + 1 == end && insn->condition.rule != CC_FL)
            return false;       /* who does not take it leaves the loop */
        if (count > 1 && (insn->op == OP_CAL || insn->op == OP_CALI))
            return false;       /* tests/calls.txt, loop_changes_apart */
        if (insn->op == OP_REP && count > 1 && insn->nsrc) {
            if (!count_of(t, insn, &inner))
                return false;
            *nested = inner > *nested ? inner : *nested;
        }
    }
    *size = operations(t, rep + 1, end);
    return true;
}

/* Whether a loop that runs so often is unrolled. */
static bool unrolls(const struct trips *t, uint32_t rep, uint32_t count)
{
    uint32_t size, nested, besides, own = OWN;

    if (!may_have_copies(t, rep, count, &size, &nested))
        return false;
    besides = operations(t, 0, (uint32_t)t->p->insns.count) - size;
    if (!program_insn(t->p, rep)->nsrc && count > 1) {  /* the last pass is a test, and nothing is left of the counter */
        count--;
        size -= size > 2 ? 2 : size;
        own++;
    }
    return (count <= 1 || fits(count, size, own, besides)) && !too_large((uint64_t)nested * count, size);
}

/* One pass of a loop without a count, from what is known before it: whether it ends there, at which instruction. */
struct pass {
    bool ends, unknown;         /* unknown: it cannot be told */
    bool branches;              /* an IF was met whose outcome is not known */
    bool skips;                 /* a CONT that may be taken was met */
    uint32_t at;
};

static struct pass try_pass(const struct trips *t, struct known *known, uint32_t rep)
{
    uint32_t end = program_insn(t->p, rep)->partner;
    struct pass p = {.at = end};
    bool passes;

    for (uint32_t i = rep + 1; i < end && !p.ends && !p.unknown; i++) {
        const struct insn *insn = program_insn(t->p, i);
        switch (insn->op) {
        case OP_IF:
            if (!eval_known_test(known, &insn->condition, &passes)) {
                uint32_t other = insn->partner, behind = program_insn(t->p, other)->op == OP_ELSE
                                                             ? program_insn(t->p, other)->partner : other;
                p.branches = true;
                for (; i < behind; i++) {
                    const struct insn *inside = program_insn(t->p, i);
                    p.unknown |= inside->op == OP_RET;
                    p.skips |= inside->op == OP_CONT && inside->partner == end;
                    eval_known_overwrite(known, inside);
                }
            } else if (!passes) {
                i = insn->partner;
            }
            eval_known_part(known);
            break;
        case OP_ELSE:
            i = insn->partner;
            eval_known_part(known);
            break;
        case OP_REP: case OP_CAL: case OP_CALI: case OP_RET:
            p.unknown = true;
            break;
        case OP_CONT:
            if (!eval_known_jump(known, insn, &passes))
                p.skips = true;
            else if (passes)
                i = end;
            eval_known_part(known);
            break;
        case OP_BRK:
            p.ends = !p.skips && eval_known_jump(known, insn, &passes) && passes;
            p.at = i;
            eval_known_part(known);
            break;
        default:
            if (p.skips)
                eval_known_overwrite(known, insn);
            else
                eval_known_step(known, insn, NO_INDEX, NULL);
            break;
        }
    }
    return p;
}

/* Whether an instruction counts: the only one of a loop's body that writes its register, and an addition of a literal to it. */
static bool counts(const struct trips *t, uint32_t rep, uint32_t i)
{
    const struct insn *insn = program_insn(t->p, i);
    const struct operand *o = insn->nsrc == 2 ? program_operand(t->p, insn->src) : NULL;

    if (!o || (insn->op != OP_ADD && insn->op != OP_SUB) || type_table[insn->type].is_float || o->ref != insn->dst.ref ||
        o->kind != OPND_SYMBOL || program_operand(t->p, insn->src + 1)->kind != OPND_CONSTANT)
        return false;
    for (uint32_t k = rep + 1; k < program_insn(t->p, rep)->partner; k++) {
        const struct result *r = &program_insn(t->p, k)->dst;
        if (k != i && r->kind == OPND_SYMBOL && r->ref == insn->dst.ref && r->mask & insn->dst.mask)
            return false;
    }
    return true;
}

/* What a pass begins with: of what the body writes, counters alone are followed from one pass to the next. */
static void forget_but_counters(const struct trips *t, struct known *known, uint32_t rep)
{
    for (uint32_t i = rep + 1; i < program_insn(t->p, rep)->partner; i++)
        if (!counts(t, rep, i))
            eval_known_overwrite(known, program_insn(t->p, i));
}

/* How often a loop without a count runs, where values that are known end it. The driver does not unroll it when the end is at
 * the bottom, or (but for a single whole pass) when there is an IF in it whose outcome is not known. */
static bool counted(const struct trips *t, uint32_t rep, uint32_t *count)
{
    uint32_t end = program_insn(t->p, rep)->partner;
    struct known known;
    struct pass p = {0};

    if (!eval_known_copy(&known, t->known)) {
        *t->no_memory = true;
        return false;
    }
    for (*count = 0; !p.ends && !p.unknown && unrolls(t, rep, *count + 1); ++*count) {
        forget_but_counters(t, &known, rep);
        eval_known_part(&known);
        p = try_pass(t, &known, rep);
    }
    eval_known_drop_copy(&known);
    if (!p.ends || (p.branches && *count > 2))
        return false;
    for (p.at++; p.at < end; p.at++)
        if (program_insn(t->p, p.at)->op != OP_ENDIF)
            return true;
    return false;
}

/* Whether a loop without a count always ends in its first pass, whatever its body makes of the values. */
static bool ends_at_once(const struct trips *t, uint32_t rep)
{
    uint32_t end = program_insn(t->p, rep)->partner, depth = 0;
    struct known known;
    bool ends = false;

    if (!eval_known_copy(&known, t->known)) {
        *t->no_memory = true;
        return false;
    }
    for (uint32_t i = rep + 1; i < end; i++)
        eval_known_overwrite(&known, program_insn(t->p, i));
    eval_known_part(&known);
    for (uint32_t i = rep + 1; i < end && !ends; i++) {
        const struct insn *insn = program_insn(t->p, i);
        bool passes;
        if (depth || insn->op == OP_IF)
            eval_known_part(&known);
        depth += insn->op == OP_IF || insn->op == OP_REP;
        depth -= insn->op == OP_ENDIF || insn->op == OP_ENDREP;
        if (insn->op == OP_CAL || insn->op == OP_CALI || insn->op == OP_CONT)
            break;
        if (depth)
            eval_known_overwrite(&known, insn);
        else if (insn->op == OP_BRK)
            ends = eval_known_jump(&known, insn, &passes) && passes;
        else
            eval_known_step(&known, insn, NO_INDEX, NULL);
        if (insn->op == OP_BRK)
            eval_known_part(&known);
    }
    eval_known_drop_copy(&known);
    return ends;
}

bool eval_trips(const struct gp5_program *p, const uint32_t *costs, const struct known *known, uint32_t rep, uint32_t *count, bool *no_memory)
{
    const struct trips t = {p, costs, known, no_memory};
    const struct insn *insn = program_insn(p, rep);

    if (insn->nsrc)
        return count_of(&t, insn, count) && (!*count || unrolls(&t, rep, *count));
    if (ends_at_once(&t, rep)) {
        *count = 1;
        return true;
    }
    return counted(&t, rep, count) && unrolls(&t, rep, *count);
}

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

static bool runs_in_phases(const struct trips *t, uint32_t rep, uint32_t from)
{
    const struct insn *insn = program_insn(t->p, rep);
    uint32_t depth = 0;

    for (uint32_t i = from; i < insn->partner; i++) {
        const struct insn *inside = program_insn(t->p, i);
        depth += inside->op == OP_REP;
        depth -= inside->op == OP_ENDREP;
        if (prevents_phases(inside->op) || depth > 1)
            return false;
    }
    return whole_size(t, from, insn->partner) <= PHASED_SIZE;
}

/* So many operations stand in a loop that is too large to be unrolled, and in the rounds before it that do not divide its count; and a body
 * in which less than so many of a hundred are what the loop itself needs has no copies. */
enum { LOOP_SIZE = 350, LEAST_SAVING = 4 };

/* A count that is known: the largest loop of whole rounds that is small enough, the rest of the rounds before it. `counting`: what a copy in
 * the loop has besides, and one before it has not. */
static bool divides(uint32_t count, uint32_t size, uint32_t counting, struct phases *phases)
{
    uint32_t most = size && saving(size, OWN + counting) >= LEAST_SAVING ? LOOP_SIZE / (size + counting) : 0;

    for (uint32_t k = most; k > 1; k--)
        if (count % k * size + k * (size + counting) <= LOOP_SIZE) {
            *phases = (struct phases){.rounds = {count % k ? count % k : NO_ROUNDS, k, NO_ROUNDS}, .once = count % k != 0};
            return true;
        }
    return false;
}

/* Of a loop that counts for itself: the comparison and the addition are none of its operations, but that a copy in the loop counts. */
static bool counts_in_phases(const struct trips *t, uint32_t rep, struct phases *phases)
{
    uint32_t end = program_insn(t->p, rep)->partner, size;
    const struct insn *compare;
    struct counter c;
    uint64_t word[2];
    unsigned k, component;

    if (!eval_find_counter(t->p, rep, &c))
        return false;
    compare = program_insn(t->p, rep + 1);
    component = (unsigned)__builtin_ctz(compare->dst.mask);
    size = operations(t, rep + 3, end) - operations(t, c.add, c.add + 1);
    for (k = 0; k < 2; k++)
        if (!eval_known_operand(t->known, program_operand(t->p, compare->src + k), component, compare->type, &word[k]))
            break;
    if (k == 2) {
        uint32_t count = eval_counter_rounds(&c, (uint32_t)word[c.operand], (uint32_t)word[1 - c.operand]);
        *phases = (struct phases){.once = false};
        if (count == UINT32_MAX || !divides(count, size, 1, phases))
            return false;
    } else {
        *phases = (struct phases){.rounds = {4, 2, 1}};
        if (!runs_in_phases(t, rep, rep + 3) || size >= PHASED_SIZE)
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
    if (count_of(&t, insn, &count))
        return count != UINT32_MAX && may_have_copies(&t, rep, count, &size, &nested) &&
               divides(count, whole_size(&t, rep + 1, insn->partner), 0, phases);
    *phases = (struct phases){.rounds = {4, 2, 1}};
    return runs_in_phases(&t, rep, rep + 1);
}
