/* How often loops run, where the driver's compiler knows it, and whether it unrolls them. */
#include "eval/loop_sizes.h"
#include "eval/decode.h"
#include "eval/numeric/words.h"

#include <stdlib.h>

uint32_t eval_loop_operations(const struct trips *t, uint32_t from, uint32_t to)
{
    return t->costs[to] - t->costs[from];
}

/* How often a REP runs, if that is known. */
bool eval_loop_count(const struct trips *t, const struct insn *rep, uint32_t *count)
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

/* How many of a hundred these are. */
uint32_t eval_loop_saving(uint32_t size, uint32_t own)
{
    return 100 * own / (size + own);
}

/* Whether so many copies of a body are few enough, in a program of so many operations besides. What is saved is the operations that the
 * loop needs itself, and the more of a hundred these are the more copies there may be; more again where the body is most of the program.
 * The first rule is exact in all that was measured. The second one, in thousandths, comes closest of those that were tried: 2 of 551
 * measured edges are beside it. */
static bool fits(uint32_t count, uint32_t size, uint32_t own, uint32_t besides)
{
    uint64_t saved = eval_loop_saving(size, own), all = (uint64_t)size + besides, more = (uint64_t)(count - 1) * (size ? size : 1);

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
uint32_t eval_loop_size(const struct trips *t, uint32_t from, uint32_t to)
{
    uint64_t size[16] = {0};
    uint32_t times[16], depth = 0;

    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = program_insn(t->p, i);
        if (insn->op == OP_REP) {
            if (depth == 15 || !eval_loop_count(t, insn, &times[depth]))
                return UINT32_MAX;
            size[++depth] = 0;
        } else if (insn->op == OP_ENDREP && depth) {
            uint64_t inner = size[depth--];
            size[depth] += copied_size(times[depth], (uint32_t)inner);
        } else {
            size[depth] += eval_loop_operations(t, i, i + 1);
        }
        if (size[depth] > UINT32_MAX >> 2)
            return UINT32_MAX;
    }
    return (uint32_t)size[0];
}

/* Whether nothing in a loop keeps it from having copies of its body, and how large that is; `nested`: the most that a loop in it runs. */
static void overwrite(const struct trips *t, struct known *known, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        eval_known_overwrite(known, program_insn(t->p, i));
}

/* From the beginning of a loop's body to one in it, through the IFs and loops around that. */
static void come_to_nested(const struct trips *t, struct known *known, uint32_t rep, uint32_t inner)
{
    overwrite(t, known, rep + 1, program_insn(t->p, rep)->partner);
    for (uint32_t i = rep + 1; i < inner; i++) {
        const struct insn *insn = program_insn(t->p, i);
        uint32_t last = insn->partner;
        switch (insn->op) {
        case OP_REP:
            overwrite(t, known, i, last);
            i = last > inner ? i : last;
            break;
        case OP_IF:     /* into the side that it stands in, over one that it does not */
            if (last < inner) {
                overwrite(t, known, i, last);
                i = last;
                if (program_insn(t->p, last)->op == OP_ELSE && program_insn(t->p, last)->partner < inner) {
                    overwrite(t, known, last, program_insn(t->p, last)->partner);
                    i = program_insn(t->p, last)->partner;
                }
            }
            break;
        default:
            eval_known_step(known, insn, NO_INDEX, NULL);
            break;
        }
        eval_known_part(known);
    }
}

/* How often a loop in it runs, as it is known there in any round. */
static bool nested_count(const struct trips *t, uint32_t rep, uint32_t inner, uint32_t *count)
{
    struct known known;
    struct trips there = {t->p, t->costs, &known, t->no_memory};
    bool found;

    if (eval_loop_count(t, program_insn(t->p, inner), count))
        return true;
    if (!eval_known_copy(&known, t->known)) {
        if (t->no_memory)
            *t->no_memory = true;
        return false;
    }
    come_to_nested(t, &known, rep, inner);
    found = eval_loop_count(&there, program_insn(t->p, inner), count);
    eval_known_drop_copy(&known);
    return found;
}

bool eval_may_have_copies(const struct trips *t, uint32_t rep, uint32_t count, uint32_t *size, uint32_t *nested)
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
            if (!nested_count(t, rep, i, &inner))
                return false;
            *nested = inner > *nested ? inner : *nested;
        }
    }
    *size = eval_loop_operations(t, rep + 1, end);
    return true;
}

/* Whether a loop that runs so often is unrolled. */
static bool unrolls(const struct trips *t, uint32_t rep, uint32_t count)
{
    uint32_t size, nested, besides, own = LOOP_OWN;
    struct counter c;

    if (!eval_may_have_copies(t, rep, count, &size, &nested))
        return false;
    besides = eval_loop_operations(t, 0, (uint32_t)t->p->insns.count) - size;
    if (!program_insn(t->p, rep)->nsrc && count > 1) {  /* the last pass is a test, and nothing is left of the counter */
        uint32_t counting = eval_find_counter(t->p, rep, &c) && c.at_once ? 1 : 2;
        count--;
        size -= size > counting ? counting : size;
        own += counting - 1;

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

/* Components that a loop's body writes, each as often as it does, sorted: four times the symbol, and the component. */
struct written {
    uint64_t *at;
    size_t n;
};

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* False without memory. */
static bool find_written(const struct trips *t, uint32_t rep, struct written *w)
{
    uint32_t end = program_insn(t->p, rep)->partner;

    *w = (struct written){.at = gp5_malloc(4 * ((size_t)end - rep) * sizeof *w->at)};
    for (uint32_t i = rep + 1; w->at && i < end; i++) {
        const struct result *r = &program_insn(t->p, i)->dst;
        for (unsigned c = 0; r->kind == OPND_SYMBOL && c < 4; c++)
            if (r->mask >> c & 1)
                w->at[w->n++] = 4 * (uint64_t)r->ref + c;
    }
    if (w->n)
        qsort(w->at, w->n, sizeof *w->at, by_number);
    return w->at != NULL;
}

/* Besides by an instruction that does or does not write it itself. */
static bool is_written(const struct written *w, uint64_t component, bool itself)
{
    const uint64_t *at = w->n ? bsearch(&component, w->at, w->n, sizeof *w->at, by_number) : NULL;

    return at && (!itself || (at > w->at && at[-1] == component) || (at + 1 < w->at + w->n && at[1] == component));
}

/* Whether an instruction counts: the only one of a loop's body that writes its register, and an addition of a literal to it. */
static bool counts(const struct trips *t, const struct written *w, uint32_t i)
{
    const struct insn *insn = program_insn(t->p, i);
    const struct operand *o = insn->nsrc == 2 ? program_operand(t->p, insn->src) : NULL;

    if (!o || (insn->op != OP_ADD && insn->op != OP_SUB) || type_table[insn->type].is_float || o->ref != insn->dst.ref ||
        o->kind != OPND_SYMBOL || program_operand(t->p, insn->src + 1)->kind != OPND_CONSTANT)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && is_written(w, 4 * (uint64_t)insn->dst.ref + c, insn->dst.kind == OPND_SYMBOL))
            return false;
    return true;
}

/* What a pass begins with: of what the body writes, counters alone are followed from one pass to the next. */
static void forget_but_counters(const struct trips *t, const struct written *w, struct known *known, uint32_t rep)
{
    for (uint32_t i = rep + 1; i < program_insn(t->p, rep)->partner; i++)
        if (!counts(t, w, i))
            eval_known_overwrite(known, program_insn(t->p, i));
}

/* Whether what is in front of a BRK, or of the IF around it, is an unsigned addition whose flags it tests. */
static bool tests_unsigned_sum(const struct gp5_program *p, uint32_t rep, uint32_t leave)
{
    uint32_t i = leave - 1;

    if (program_insn(p, i)->op == OP_ELSE || program_insn(p, i)->op == OP_IF)
        i--;
    if (i <= rep)
        return false;
    return (program_insn(p, i)->op == OP_ADD || program_insn(p, i)->op == OP_SUB) && program_insn(p, i)->type == DT_U32 &&
           program_insn(p, i)->cc_update;
}

/* Whether nothing is done behind a BRK that is not taken: of one in the ELSE of an IF that is what the other side does. */
static bool stands_at_bottom(const struct gp5_program *p, uint32_t leave, uint32_t end)
{
    uint32_t i = leave - 1, depth = 0;

    for (uint32_t k = leave + 1; k < end; k++)
        if (program_insn(p, k)->op != OP_ENDIF)
            return false;
    while (depth || program_insn(p, i)->op != OP_ELSE) {
        unsigned op = program_insn(p, i)->op;
        depth += op == OP_ENDIF || op == OP_ENDREP;
        if ((op == OP_IF || op == OP_REP) && !depth--)
            return true;
        i--;
    }
    return program_insn(p, i - 1)->op == OP_IF;
}

/* How often a loop without a count runs, where values that are known end it. The driver does not unroll it when the end is at
 * the bottom, or (but for a single whole pass) when there is an IF in it whose outcome is not known. */
static bool counted(const struct trips *t, uint32_t rep, uint32_t *count)
{
    uint32_t end = program_insn(t->p, rep)->partner;
    struct known known;
    struct pass p = {0};
    struct written written = {.n = 0};

    if (!find_written(t, rep, &written) || !eval_known_copy(&known, t->known)) {
        gp5_free(written.at);
        *t->no_memory = true;
        return false;
    }
    for (*count = 0; !p.ends && !p.unknown && unrolls(t, rep, *count + 1); ++*count) {
        forget_but_counters(t, &written, &known, rep);
        eval_known_part(&known);
        p = try_pass(t, &known, rep);
    }
    eval_known_drop_copy(&known);
    gp5_free(written.at);
    if (!p.ends || (p.branches && *count > 2) || tests_unsigned_sum(t->p, rep, p.at))
        return false;
    return !stands_at_bottom(t->p, p.at, end);
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
        return eval_loop_count(&t, insn, count) && (!*count || unrolls(&t, rep, *count));
    if (ends_at_once(&t, rep)) {
        *count = 1;
        return true;
    }
    return counted(&t, rep, count) && unrolls(&t, rep, *count);
}
