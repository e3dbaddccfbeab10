/* How often loops run, where the driver's compiler knows it, and whether it unrolls them. */
#include "model/const/exit_slice.h"
#include "model/const/loop_size.h"
#include "model/tables.h"
#include "asm/label.h"

#include <stdlib.h>
#include <string.h>

/* Whether so many copies of a body are few enough, in a program of so many operations besides. What is saved is the
 * operations that the loop needs itself, and the more of a hundred these are the more copies there may be; more again
 * where the body is most of the program. The first rule is exact in all that was measured. The second one, in
 * thousandths, comes closest of those that were tried: 2 of 551 measured edges are beside it. */
static bool fits(uint32_t count, uint32_t size, uint32_t own, uint32_t besides)
{
    uint64_t saved = model_loop_saving(size, own), all = (uint64_t)size + besides,
             more = (uint64_t)(count - 1) * (size ? size : 1);

    if (more > 1 << 16)
        return false;
    if (15ull * size >= 8 * all)
        return 1000 * more * all <= 139645 * all + saved * (39228 * all + size * (14080 + 1231 * saved));
    return more <= 140 + 46 * saved;
}

/* From so many scalar operations of nested loops together, the outer one stays a loop: 1,024 times an ADD of four
 * components was not unrolled, 576 times was; 4,096 times an ADD of one still was, and nothing larger was tried. */
static bool too_large(uint64_t iterations, uint32_t size)
{
    return size > 1 && iterations * size >= 4096;
}

/* What a loop's copies are made of: of one, or of several. */
struct copying {
    bool may;
    uint32_t size, nested, besides, own;
};

static struct copying copying(const struct trips *t, uint32_t rep, uint32_t count)
{
    struct copying of = {.own = LOOP_OWN};
    struct counter c;

    of.may = model_may_have_copies(t, rep, count, &of.size, &of.nested);
    if (!of.may)
        return of;
    of.besides = model_loop_operations(t, 0, (uint32_t)t->p->insns.count) - of.size;
    if (!program_insn(t->p, rep)->nsrc && count > 1) {  /* the last pass is a test, and nothing is left of the
                                                         * counter */
        uint32_t counting = eval_find_counter(t->p, rep, &c) && c.at_once ? 1 : 2;
        of.size -= of.size > counting ? counting : of.size;
        of.own += counting - 1;
    }
    return of;
}

/* Whether a loop that runs so often is unrolled. */
static bool is_copied(const struct trips *t, const struct copying *of, uint32_t rep, uint32_t count)
{
    if (!program_insn(t->p, rep)->nsrc && count > 1)
        count--;
    return of->may && (count <= 1 || fits(count, of->size, of->own, of->besides)) &&
           !too_large((uint64_t)of->nested * count, of->size);
}

static bool unrolls(const struct trips *t, uint32_t rep, uint32_t count)
{
    struct copying of = copying(t, rep, count);

    return is_copied(t, &of, rep, count);
}

/* One pass of a loop without a count, from what is known before it: whether it ends there, at which instruction. */
struct pass {
    bool ends, unknown;         /* unknown: it cannot be told */
    bool branches;              /* an IF was met whose outcome is not known */
    bool skips;                 /* a CONT that may be taken was met */
    uint32_t at;
};

/* Both sides of an IF whose outcome is not known; where it ends. */
static uint32_t pass_over_if(const struct trips *t, struct known *known, uint32_t rep, const uint32_t *next, uint32_t i,
                             struct pass *p)
{
    uint32_t end = program_insn(t->p, rep)->dst.partner, behind = eval_end_of_if(t->p, i);

    p->branches = true;
    for (; i < behind; i = next[i + 1 - rep]) {
        const struct insn *inside = program_insn(t->p, i);
        p->unknown |= inside->op == OP_RET;
        p->skips |= inside->op == OP_CONT && inside->dst.partner == end;
        model_known_overwrite(known, inside);
    }
    return behind;
}

static struct pass try_pass(const struct trips *t, struct known *known, uint32_t rep, const uint32_t *next)
{
    uint32_t end = program_insn(t->p, rep)->dst.partner;
    struct pass p = {.at = end};
    bool passes;

    model_known_begin_block(known);
    for (uint32_t i = next[1]; i < end && !p.ends && !p.unknown; i = i < end ? next[i + 1 - rep] : end) {
        const struct insn *insn = program_insn(t->p, i);
        switch (insn->op) {
        case OP_IF:
            if (!model_known_test(known, &insn->condition, &passes))
                i = pass_over_if(t, known, rep, next, i, &p);
            else if (!passes)
                i = insn->dst.partner;
            break;
        case OP_ELSE:
            i = insn->dst.partner;
            break;
        case OP_REP: case OP_CAL: case OP_CALI: case OP_RET:
            p.unknown = true;
            break;
        case OP_CONT:
            if (!model_known_jump(known, insn, &passes))
                p.skips = true;
            else if (passes)
                i = end;
            break;
        case OP_BRK:
            p.ends = !p.skips && model_known_jump(known, insn, &passes) && passes;
            p.at = i;
            break;
        default:
            if (p.skips)
                model_known_overwrite(known, insn);
            else
                model_known_step(known, insn, NULL);
            break;
        }
        model_known_flow(known, insn);
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
    uint32_t end = program_insn(t->p, rep)->dst.partner;

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

/* Whether an instruction counts: the only one of a loop's body that writes its register, and an addition of a literal
 * to it. */
static bool counts(const struct trips *t, const struct written *w, uint32_t i)
{
    const struct insn *insn = program_insn(t->p, i);
    const struct operand *o = insn->nsrc == 2 ? program_operand(t->p, insn->src) : NULL;

    if (!o || (insn->op != OP_ADD && insn->op != OP_SUB) || type_table[insn->type].is_float ||
        o->ref != insn->dst.ref || o->kind != OPND_SYMBOL ||
        program_operand(t->p, insn->src + 1)->kind != OPND_CONSTANT)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && is_written(w, 4 * (uint64_t)insn->dst.ref + c, insn->dst.kind == OPND_SYMBOL))
            return false;
    return true;
}

/* Whether anything is known of what an instruction writes. */
static bool knows_any(const struct known *known, const struct insn *insn)
{
    uint32_t first = insn->dst.kind == OPND_SYMBOL ? known->first[insn->dst.ref] : NO_INDEX;
    bool any = false;

    for (unsigned c = 0; first != NO_INDEX && c < 4; c++) {
        const struct known_value *v = model_known_at(known, first + c);
        if (insn->dst.mask >> c & 1)
            any |= v->known || v->absorbed || v->half || v->copy || v->boolean;
    }
    return any;
}

/* What a pass begins with: of what the body writes, counters alone are followed from one pass to the next; whether
 * there are any that something is known of. */
static bool forget_but_counters(const struct trips *t, const struct written *w, struct known *known, uint32_t rep,
                                const uint32_t *next)
{
    bool any = false;

    for (uint32_t i = next[1]; i < program_insn(t->p, rep)->dst.partner; i = next[i + 1 - rep])
        if (counts(t, w, i))
            any |= knows_any(known, program_insn(t->p, i));
        else
            model_known_overwrite(known, program_insn(t->p, i));
    return any;
}

/* Whether what is in front of a BRK, or of the IF around it, is an unsigned addition whose flags it tests. */
static bool tests_unsigned_sum(const struct gp5_program *p, uint32_t rep, uint32_t leave)
{
    uint32_t i = leave - 1;

    if (program_insn(p, i)->op == OP_ELSE || program_insn(p, i)->op == OP_IF)
        i--;
    if (i <= rep)
        return false;
    return (program_insn(p, i)->op == OP_ADD || program_insn(p, i)->op == OP_SUB) &&
           program_insn(p, i)->type == DT_U32 && program_insn(p, i)->cc_update;
}

/* Whether nothing is done behind a BRK that is not taken: of one in the ELSE of an IF that is what the other side does.
 */
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

/* Passes until one ends: the last of them, and how many. Without counters that are known all are alike once they begin
 * alike. */
static struct pass try_passes(const struct trips *t, const struct written *w, struct known *known, uint32_t rep,
                              const uint32_t *next, uint32_t *count)
{
    struct copying of = copying(t, rep, 1);
    struct pass p = {0};

    for (*count = 0; !p.ends && !p.unknown && is_copied(t, &of, rep, *count + 1); ++*count) {
        if (!forget_but_counters(t, w, known, rep, next) && *count)
            break;
        p = try_pass(t, known, rep, next);
        if (!*count && !p.ends && !p.unknown)
            of = copying(t, rep, 2);
    }
    return p;
}

/* How often a loop without a count runs, where values that are known end it. The driver does not unroll it when the end
 * is at the bottom, or (but for a single whole pass) when there is an IF in it whose outcome is not known. */
static bool counted(const struct trips *t, uint32_t rep, uint32_t *count)
{
    uint32_t end = program_insn(t->p, rep)->dst.partner, *next = exit_slice_find(t->known, rep);
    struct known known;
    struct pass p;
    struct written written = {.n = 0};

    if (!next || !find_written(t, rep, &written) || !model_known_copy(&known, t->known)) {
        gp5_free(written.at);
        gp5_free(next);
        *t->no_memory = true;
        return false;
    }
    p = try_passes(t, &written, &known, rep, next, count);
    model_known_drop_copy(&known);
    gp5_free(written.at);
    gp5_free(next);
    if (!p.ends || (p.branches && *count > 2) || tests_unsigned_sum(t->p, rep, p.at))
        return false;
    return !stands_at_bottom(t->p, p.at, end);
}

/* Whether a loop without a count always ends in its first pass, whatever its body makes of the values. */
static bool ends_at_once(const struct trips *t, uint32_t rep)
{
    uint32_t end = program_insn(t->p, rep)->dst.partner, depth = 0;
    struct known known;
    bool ends = false;

    if (!model_known_copy(&known, t->known)) {
        *t->no_memory = true;
        return false;
    }
    for (uint32_t i = rep + 1; i < end; i++)
        model_known_overwrite(&known, program_insn(t->p, i));
    for (uint32_t i = rep + 1; i < end && !ends; i++) {
        const struct insn *insn = program_insn(t->p, i);
        bool passes;
        depth += insn->op == OP_IF || insn->op == OP_REP;
        depth -= insn->op == OP_ENDIF || insn->op == OP_ENDREP;
        if (insn->op == OP_CAL || insn->op == OP_CALI || insn->op == OP_CONT)
            break;
        if (depth)
            model_known_overwrite(&known, insn);
        else if (insn->op == OP_BRK)
            ends = model_known_jump(&known, insn, &passes) && passes;
        else
            model_known_step(&known, insn, NULL);
        model_known_flow(&known, insn);
    }
    model_known_drop_copy(&known);
    return ends;
}

bool model_trips(const struct gp5_program *p, const uint32_t *costs, const struct known *known, uint32_t rep,
                 uint32_t *count, bool *no_memory)
{
    const struct trips t = {p, costs, known, no_memory};
    const struct insn *insn = program_insn(p, rep);

    if (insn->nsrc)
        return model_loop_count(&t, insn, count) && (!*count || unrolls(&t, rep, *count));
    if (ends_at_once(&t, rep)) {
        *count = 1;
        return true;
    }
    return counted(&t, rep, count) && unrolls(&t, rep, *count);
}
