/* Copies that stand in registers of their own: a variable that was made a copy before an IF, that something in the IF writes and somebody reads
 * behind it. MIN and MAX in that IF of such a copy and of what was copied are computed; of others they are copies (docs/numbers.md, "Pairs and
 * single instructions"). Of an element of an array that the text indexes by a register it is what was copied that the IF has to write. */
#include "eval/elements.h"
#include "eval/forward.h"
#include "eval/labels.h"
#include "eval/search.h"

#include <stdlib.h>
#include <string.h>

/* An IF around the instruction at hand. */
struct around {
    uint32_t begin, end;        /* it, and its ENDIF */
    size_t changed;             /* where what it changed begins */
};

/* What a variable was written by before. */
struct before {
    uint32_t var, write;
};

struct owner {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *last;             /* of each variable: the instruction that wrote it */
    uint32_t *first;            /* of each variable: where its writes begin in `writes`, sorted */
    uint32_t *writes;
    uint32_t *calls, ncalls;
    struct shared_bits *called; /* what calls write, variables, four together: of call k at ncalls + k, at k below that what is at 2 k and at 2 k + 1 */
    struct vec around, changed;
    bool failed;
};

static uint8_t written(const struct owner *o, uint32_t i)
{
    const struct folded *folded = eval_folded_at(o->d, i);
    const struct insn *insn = program_insn(o->d->p, i);

    return insn->dst.kind == OPND_NONE ? 0 : eval_written(o->live, insn) & (uint8_t)~(folded ? folded->fails : 0);
}

static uint32_t variable(const struct owner *o, uint32_t i, unsigned c)
{
    return eval_result_variable(o->live, &program_insn(o->d->p, i)->dst, c);
}

/* Whether a write is a copy (known.c says of what). */
static bool is_copy(const struct owner *o, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(o->d->p, i);
    const struct folded *folded = eval_folded_at(o->d, i);

    switch (insn->op) {
    case OP_MOV: return true;
    case OP_MUL: return folded && (folded->ones[0] | folded->ones[1]) >> c & 1;
    case OP_DST: return c > 1 || (c == 1 && folded && (folded->ones[0] | folded->ones[1]) & 2);
    default: return false;
    }
}

/* ---- writes ---------------------------------------------------------------------------------------------------------------- */

/* False without memory. */
static bool join_calls(struct owner *o)
{
    uint32_t n = o->ncalls;

    o->called = gp5_malloc((2 * (size_t)n + 1) * sizeof *o->called);
    for (uint32_t k = 0; o->called && k < 2 * n; k++)
        o->called[k] = shared_bits_none(o->live->nvars / 4 + 1);
    for (uint32_t k = 2 * n; o->called && k-- > 1;) {
        const struct shared_bits *own = k < n ? &o->called[2 * k] : eval_written_by_call(o->live, o->calls[k - n]);
        if (own)
            shared_bits_join(&o->called[k], own);
        if (k < n)
            shared_bits_join(&o->called[k], &o->called[2 * k + 1]);
        o->failed |= o->called[k].failed;
    }
    return o->called && !o->failed;
}

/* Whether any of the calls from one to before another writes a variable. */
static bool is_called(const struct owner *o, uint32_t v, uint32_t from, uint32_t to)
{
    bool any = false;

    for (from += o->ncalls, to += o->ncalls; from < to && !any; from /= 2, to /= 2) {
        if (from & 1)
            any = shared_bits_has(&o->called[from++], v / 4);
        if (to & 1)
            any |= shared_bits_has(&o->called[--to], v / 4);
    }
    return any;
}

static bool list_writes(struct owner *o)
{
    uint32_t n = (uint32_t)o->d->p->insns.count, nvars = o->live->nvars;

    o->first = gp5_malloc((nvars + 2u) * sizeof *o->first);
    o->last = gp5_malloc((nvars + 1u) * sizeof *o->last);
    o->writes = gp5_malloc((4u * (size_t)n + 1) * sizeof *o->writes);
    o->calls = gp5_malloc((n + 1u) * sizeof *o->calls);
    if (!o->first || !o->last || !o->writes || !o->calls)
        return false;
    memset(o->first, 0, (nvars + 2u) * sizeof *o->first);
    memset(o->last, 0xff, (nvars + 1u) * sizeof *o->last);
    for (unsigned step = 0; step < 2; step++) {
        for (uint32_t i = 0; i < n; i++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t v = written(o, i) >> c & 1 ? variable(o, i, c) : NO_INDEX;
                if (v == NO_INDEX)
                    continue;
                if (step)
                    o->writes[o->first[v + 1]++] = i;
                else
                    o->first[v + 2]++;
            }
        for (uint32_t v = 2; !step && v < nvars + 2; v++)
            o->first[v] += o->first[v - 1];
    }
    for (uint32_t i = 0; i < n; i++)
        if (op_calls(program_insn(o->d->p, i)->op))
            o->calls[o->ncalls++] = i;
    return join_calls(o);
}

static bool is_written(const struct owner *o, uint32_t v, uint32_t begin, uint32_t end)
{
    uint32_t from = o->first[v], n = o->first[v + 1] - from, k = eval_first_from(o->writes + from, n, begin);

    if (k < n && o->writes[from + k] < end)
        return true;
    return is_called(o, v, eval_first_from(o->calls, o->ncalls, begin), eval_first_from(o->calls, o->ncalls, end));
}

static bool is_read_behind(const struct owner *o, uint32_t v, uint32_t end)
{
    uint32_t block = o->live->block[end];

    return o->live->start[block] == end && shared_bits_has(&o->live->live_in[block], v);
}

/* ---- the instruction at hand ------------------------------------------------------------------------------------------------- */

/* Whether what stands in a variable is a copy that has a register of its own here, since `kept` is one that an IF around it keeps. */
static bool is_own(const struct owner *o, uint32_t v, uint32_t kept, unsigned c, uint32_t at)
{
    uint32_t write = v == NO_INDEX ? NO_INDEX : o->last[v];

    if (write == NO_INDEX || o->live->region[write] != o->live->region[at] || !is_copy(o, write, c))
        return false;
    for (size_t k = 0; k < o->around.count; k++) {
        const struct around *a = vec_at(&o->around, k);
        if (a->begin > write && is_written(o, kept, a->begin, a->end) && is_read_behind(o, kept, a->end))
            return true;
    }
    return false;
}

static void look(struct owner *o, uint32_t i)
{
    const struct insn *insn = program_insn(o->d->p, i);
    struct folded *folded = eval_folded_at(o->d, i);

    if (!folded || !o->around.count || (insn->op != OP_MIN && insn->op != OP_MAX))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v[2];
        for (unsigned k = 0; k < 2; k++) {
            const struct operand *s = program_operand(o->d->p, insn->src + k);
            v[k] = eval_operand_variable(o->live, s, c);
        }
        if (!(folded->taken[0] >> c & 1) || v[0] == v[1] || v[0] == NO_INDEX || v[1] == NO_INDEX)
            continue;
        for (unsigned k = 0; k < 2; k++) {
            const struct operand *s = program_operand(o->d->p, insn->src + k);
            uint32_t kept = s->kind == OPND_SYMBOL && eval_is_indexed(o->d, s->ref) ? v[1 - k] : v[k];
            if (is_own(o, v[k], kept, s->swizzle >> 2 * c & 3, i))
                folded->taken[0] &= (uint8_t)~(1u << c);
        }
    }
}

static void write(struct owner *o, uint32_t i)
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = written(o, i) >> c & 1 ? variable(o, i, c) : NO_INDEX;
        size_t at = v != NO_INDEX && o->around.count ? vec_grow(&o->changed) : 0;
        if (v == NO_INDEX)
            continue;
        if (at == SIZE_MAX)
            o->failed = true;
        else if (o->around.count)
            *(struct before *)vec_at(&o->changed, at) = (struct before){v, o->last[v]};
        o->last[v] = i;
    }
}

/* Back to what was there before the IF. */
static void restore(struct owner *o)
{
    size_t from = ((struct around *)vec_at(&o->around, o->around.count - 1))->changed;

    while (o->changed.count > from) {
        const struct before *b = vec_at(&o->changed, --o->changed.count);
        o->last[b->var] = b->write;
    }
}

static void follow(struct owner *o, uint32_t i)
{
    const struct gp5_program *p = o->d->p;
    const struct insn *insn = program_insn(p, i);
    size_t at;

    if (eval_form(o->d, i) == FORM_KNOWN)
        return;
    switch (insn->op) {
    case OP_IF:
        at = vec_grow(&o->around);
        if (at == SIZE_MAX)
            o->failed = true;
        else
            *(struct around *)vec_at(&o->around, at) = (struct around){i, eval_end_of_if(p, i), o->changed.count};
        break;
    case OP_ELSE: case OP_ENDIF:
        if (o->around.count)
            restore(o);
        o->around.count -= insn->op == OP_ENDIF && o->around.count;
        break;
    default: break;
    }
}

/* Whether anything is asked: a MIN or MAX that is a copy, in an IF. */
static bool worth_it(const struct decoder *d)
{
    bool branches = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        const struct folded *folded = eval_folded_at(d, i);
        branches |= insn->op == OP_IF;
        if (branches && (insn->op == OP_MIN || insn->op == OP_MAX) && folded && folded->taken[0])
            return true;
    }
    return false;
}

bool eval_find_own_copies(struct decoder *d)
{
    struct owner o = {.d = d};

    if (!eval_has(d, PASS_minmax_copy) || !worth_it(d))
        return true;
    o.live = eval_liveness(d);
    if (!o.live)
        return false;
    vec_init(&o.around, sizeof(struct around));
    vec_init(&o.changed, sizeof(struct before));
    o.failed = !list_writes(&o);
    for (uint32_t i = 0; i < d->p->insns.count && !o.failed; i++) {
        look(&o, i);
        write(&o, i);
        follow(&o, i);
    }
    gp5_free(o.first);
    gp5_free(o.last);
    gp5_free(o.writes);
    gp5_free(o.calls);
    for (uint32_t k = 0; o.called && k < 2 * o.ncalls; k++)
        shared_bits_free(&o.called[k]);
    gp5_free(o.called);
    vec_free(&o.around);
    vec_free(&o.changed);
    return !o.failed || eval_out_of_memory(d);
}
