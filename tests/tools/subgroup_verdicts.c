/* What a driver answered to a case, call by call, beside what the reference says. */
#include "tests/tools/subgroup_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE, IN_INDEX = 8, IN_WIDTH, IN_CONTROL, IN_BALLOT = 12, OUT_WHO = 1, OUT_VALID,
 OUT_RESULT = 4 };

/* One subgroup's call of the operation. */
struct call {
    unsigned number;                    /* of the call in the flow */
    size_t first;                       /* record of its lane 0 */
    struct gp5_subgroup group;
    struct gp5_ballot takers;           /* lanes that keep this call's result */
    struct gp5_subgroup_operands in;
    enum gp5_subgroup_op op;            /* that it is judged as */
    const struct gp5_subgroup_info *info;
    uint64_t value[4 * MAX], index[MAX], width[MAX];
    struct gp5_ballot ballot[MAX];
};

/* A result, or a driver's answer, in the reference's layout. */
struct answer {
    uint64_t value[4 * MAX];            /* room for ballots too */
    uint8_t reason[4 * MAX], valid[MAX];
};

static bool bit(const struct gp5_ballot *b, unsigned i)
{
    return b->word[i / 32] >> i % 32 & 1;
}

static void set(struct gp5_ballot *b, unsigned i)
{
    b->word[i / 32] |= 1u << i % 32;
}

static uint64_t load(size_t bytes, const void *plane, size_t i)
{
    uint64_t v = 0;
    memcpy(&v, (const uint8_t *)plane + i * bytes, bytes);      /* little-endian, as the records are */
    return v;
}

static void store(size_t bytes, void *plane, size_t i, uint64_t v)
{
    memcpy((uint8_t *)plane + i * bytes, &v, bytes);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static unsigned calls_of(enum subgroup_form form)
{
    return form == FORM_NESTED ? 3 : form == FORM_LOOP ? SUBGROUP_TRIPS : 1;
}

/* Whether a lane makes call n, and whether it keeps what that gives. */
static bool makes(enum subgroup_form form, uint32_t control, unsigned n, bool *keeps)
{
    static const unsigned nested[3] = {3, 1, 2};
    unsigned trips = control >> 2 & 3;
    bool made = form == FORM_STRAIGHT || (form == FORM_IF && (control & 1)) ||
                (form == FORM_NESTED && (control & 3) == nested[n]) || (form == FORM_LOOP && n < trips);
    *keeps = made && (form != FORM_LOOP || n + 1 == trips);
    return made;
}

static void read_lane(struct call *call, const uint32_t *r, unsigned lane, unsigned components)
{
    size_t bytes = gp5_subgroup_type_size(call->in.type);
    for (unsigned k = 0; k < components; k++)
        store(bytes, call->value, (size_t)k * call->group.size + lane, r[2 * k] | (uint64_t)r[2 * k + 1] << 32);
    call->index[lane] = r[IN_INDEX];
    call->width[lane] = r[IN_WIDTH];
    memcpy(&call->ballot[lane], &r[IN_BALLOT], sizeof call->ballot[lane]);
}

static void make_call(const struct subgroup_case *c, const uint32_t *in, unsigned work_group, unsigned subgroup,
                      unsigned number, struct call *call)
{
    unsigned local = subgroup_case_local(c), start = subgroup * c->size;
    unsigned lanes = local - start < c->size ? local - start : c->size;
    *call = (struct call){
        .number = number, .first = (size_t)work_group * local + start,
        .op = subgroup_case_is_barrier(c) ? GP5_SUBGROUP_DO_SHUFFLE : c->op,
        .group = {.size = c->size, .lanes = lanes, .id = subgroup, .count = (local + c->size - 1) / c->size},
    };
    call->info = gp5_subgroup_info(call->op);
    call->in = (struct gp5_subgroup_operands){.type = c->type,
                                              .components = c->components,
                                              .value = call->value,
                                              .index = call->index,
                                              .ballot = call->ballot,
                                              .width = call->width,
                                              .cluster = c->cluster};
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint32_t *r = in + (call->first + lane) * SUBGROUP_RECORD;
        bool keeps;
        read_lane(call, r, lane, c->components);
        if (makes(c->form, r[IN_CONTROL], number, &keeps))
            set(&call->group.active, lane);
        if (keeps)
            set(&call->takers, lane);
    }
}

typedef void call_fn(void *user, struct call *call);

static void each_call(const struct subgroup_case *c, const uint32_t *in, call_fn *fn, void *user)
{
    for (unsigned g = 0; g < SUBGROUP_WORK_GROUPS; g++)
        for (unsigned s = 0; s * c->size < subgroup_case_local(c); s++)
            for (unsigned n = 0; n < calls_of(c->form); n++) {
                struct call call;
                make_call(c, in, g, s, n, &call);
                fn(user, &call);
            }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static unsigned planes(const struct call *call)
{
    return call->info->answer == GP5_SUBGROUP_A_VALUE ? call->in.components : 1;
}

static size_t element(const struct call *call)
{
    switch (call->info->answer) {
    case GP5_SUBGROUP_A_VALUE: return gp5_subgroup_type_size(call->in.type);
    case GP5_SUBGROUP_A_BOOL: return 1;
    case GP5_SUBGROUP_A_UINT: return 4;
    case GP5_SUBGROUP_A_UINT64: return 8;
    default: return sizeof(struct gp5_ballot);
    }
}

static void evaluate(struct call *call, enum gp5_subgroup_order order, struct answer *a)
{
    struct gp5_subgroup_result result = {.value = a->value, .reason = a->reason, .valid = a->valid};
    memset(a, 0, sizeof *a);
    call->in.order = order;
    gp5_subgroup_apply(call->op, &call->group, &call->in, &result);
}

/* The words of a result: one, or two of a ballot. */
static unsigned words_of(const struct call *call, const struct answer *a, unsigned component, unsigned lane,
                         uint64_t words[2])
{
    size_t at = (size_t)component * call->group.size + lane;
    if (call->info->answer == GP5_SUBGROUP_A_BALLOT) {
        memcpy(words, (const uint8_t *)a->value + at * sizeof(struct gp5_ballot), sizeof(struct gp5_ballot));
        return 2;
    }
    words[0] = load(element(call), a->value, at);
    return 1;
}

static void read_answer(const struct call *call, const uint32_t *out, struct answer *a)
{
    memset(a, 0, sizeof *a);
    for (unsigned lane = 0; lane < call->group.lanes; lane++) {
        const uint32_t *r = out + (call->first + lane) * SUBGROUP_RECORD;
        a->valid[lane] = r[OUT_VALID] != 0;
        for (unsigned k = 0; k < planes(call); k++) {
            size_t at = (size_t)k * call->group.size + lane;
            if (call->info->answer == GP5_SUBGROUP_A_BALLOT)
                memcpy((uint8_t *)a->value + at * sizeof(struct gp5_ballot), &r[OUT_RESULT], sizeof(struct gp5_ballot));
            else
                store(element(call), a->value, at, r[OUT_RESULT + 2 * k] | (uint64_t)r[OUT_RESULT + 2 * k + 1] << 32);
        }
    }
}

static bool is_nan(enum gp5_subgroup_type type, uint64_t v)
{
    switch (type) {
    case GP5_SUBGROUP_F16: return (v & 0x7fff) > 0x7c00;
    case GP5_SUBGROUP_F32: return (v & 0x7fffffff) > 0x7f800000;
    case GP5_SUBGROUP_F64: return (v & (UINT64_MAX >> 1)) > UINT64_C(0x7ff) << 52;
    default: return false;
    }
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

struct judging {
    const struct subgroup_case *c;
    const uint32_t *out;
    unsigned flags;
    struct subgroup_tally *tally;
    subgroup_difference_fn *difference;
    void *user;
    size_t place;
};

/* Bit for bit the same, any NaN of arithmetic for any other. */
static bool agree(const struct call *call, const struct answer *a, const struct answer *b, unsigned component,
                  unsigned lane)
{
    uint64_t x[2], y[2];
    unsigned n = words_of(call, a, component, lane, x);
    words_of(call, b, component, lane, y);
    if (call->info->arithmetic && is_nan(call->in.type, x[0]) && is_nan(call->in.type, y[0]))
        return true;
    return !memcmp(x, y, n * sizeof *x);
}

static bool is_zero(enum gp5_subgroup_type type, uint64_t v)
{
    return v == 0 || v == UINT64_C(1) << (8 * gp5_subgroup_type_size(type) - 1);
}

/* As numbers: either zero for the other. */
static bool agree_in_value(const struct call *call, const struct answer *a, const struct answer *b, unsigned component,
                           unsigned lane)
{
    uint64_t x[2], y[2];
    words_of(call, a, component, lane, x);
    words_of(call, b, component, lane, y);
    return agree(call, a, b, component, lane) || (is_zero(call->in.type, x[0]) && is_zero(call->in.type, y[0]));
}

static void count_orders(void *user, struct call *call)
{
    struct judging *j = user;
    struct answer got, one, two;
    read_answer(call, j->out, &got);
    evaluate(call, GP5_SUBGROUP_SEQUENTIAL, &one);
    evaluate(call, GP5_SUBGROUP_DOUBLING, &two);
    for (unsigned k = 0; k < planes(call); k++)
        for (unsigned lane = 0; lane < call->group.lanes; lane++) {
            if (!bit(&call->takers, lane) || one.reason[k * call->group.size + lane])
                continue;
            j->tally->sequential += agree(call, &got, &one, k, lane);
            j->tally->doubling += agree(call, &got, &two, k, lane);
            j->tally->sequential_value += agree_in_value(call, &got, &one, k, lane);
            j->tally->doubling_value += agree_in_value(call, &got, &two, k, lane);
        }
}

static void note(struct judging *j, const struct call *call, unsigned lane, const char *what, const uint64_t *got,
                 const uint64_t *wanted)
{
    struct subgroup_tally *t = j->tally;
    if (t->first[0])
        return;
    int n = snprintf(t->first, sizeof t->first, "invocation %zu (lane %u, call %u, active %08" PRIx32 "): %s",
                     call->first + lane, lane, call->number, call->group.active.word[0], what);
    if (got && n > 0 && (size_t)n < sizeof t->first)
        snprintf(t->first + n, sizeof t->first - (size_t)n, " %" PRIx64 ", reference %" PRIx64, *got, *wanted);
}

static void check_place(struct judging *j, const struct call *call, unsigned lane)
{
    const uint32_t *r = j->out + (call->first + lane) * SUBGROUP_RECORD;
    uint32_t who = call->group.size | lane << 8 | call->group.id << 16 | call->group.count << 24;
    if (bit(&call->takers, lane) ? r[0] != SUBGROUP_MARK + call->number : r[0] == SUBGROUP_MARK + call->number) {
        j->tally->misplaced++;
        note(j, call, lane, "it is not in the call that it should be in", NULL, NULL);
    } else if (bit(&call->takers, lane) && r[OUT_WHO] != who) {
        uint64_t got = r[OUT_WHO], wanted = who;
        j->tally->layout++;
        note(j, call, lane, "size, lane, subgroup, count", &got, &wanted);
    }
}

static void add_hash(struct subgroup_tally *t, uint64_t word)
{
    t->hash = (t->hash ^ word) * 0x100000001b3u;
}

static void judge_lane(struct judging *j, const struct call *call, const struct answer *got,
                       const struct answer *wanted, unsigned verdict, unsigned k, unsigned lane)
{
    struct subgroup_tally *t = j->tally;
    uint64_t x[2], y[2];
    unsigned n = words_of(call, got, k, lane, x);
    words_of(call, wanted, k, lane, y);
    if (wanted->reason[k * call->group.size + lane]) {
        t->undefined++;
        return;
    }
    bool same = agree(call, got, wanted, k, lane), takes_width = call->info->operands & GP5_SUBGROUP_TAKES_WIDTH;
    for (unsigned i = 0; i < n; i++)
        add_hash(t, same ? y[i] : x[i]);
    if (takes_width)
        add_hash(t, got->valid[lane]);
    if (verdict == GP5_SUBGROUP_WRONG || (takes_width && got->valid[lane] != wanted->valid[lane])) {
        t->wrong++;
        note(j, call, lane, "driver", x, y);
    } else if (same) {
        t->same++;
    } else {
        t->allowed++;
    }
    if (!same && j->difference)
        j->difference(j->user, j->place, x[0], verdict != GP5_SUBGROUP_WRONG);
    j->place++;
}

static void judge_call(void *user, struct call *call)
{
    struct judging *j = user;
    struct answer got, wanted;
    uint8_t verdict[4 * MAX] = {0};
    read_answer(call, j->out, &got);
    evaluate(call, j->tally->order, &wanted);
    gp5_subgroup_judge(call->op, &call->group, &call->in, got.value, j->flags, verdict);
    for (unsigned lane = 0; lane < call->group.lanes; lane++)
        check_place(j, call, lane);
    for (unsigned k = 0; k < planes(call); k++)
        for (unsigned lane = 0; lane < call->group.lanes; lane++)
            if (bit(&call->takers, lane))
                judge_lane(j, call, &got, &wanted, verdict[k * call->group.size + lane], k, lane);
}

void subgroup_case_judge(const struct subgroup_case *c, const uint32_t *in, const uint32_t *out, unsigned flags,
                         struct subgroup_tally *tally, subgroup_difference_fn *difference, void *user)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    struct judging j = {.c = c, .out = out, .flags = flags, .tally = tally, .difference = difference, .user = user};
    *tally = (struct subgroup_tally){.hash = 0xcbf29ce484222325u};
    tally->inexact = (GP5_SUBGROUP_FLOATS >> c->type & 1)
                     && (info->arithmetic == GP5_SUBGROUP_OP_ADD || info->arithmetic == GP5_SUBGROUP_OP_MUL);
    if (tally->inexact)
        each_call(c, in, count_orders, &j);
    tally->order = tally->doubling > tally->sequential ? GP5_SUBGROUP_DOUBLING : GP5_SUBGROUP_SEQUENTIAL;
    each_call(c, in, judge_call, &j);
}

/* ---- the reference as a driver ----------------------------------------------------------------------------------- */

struct answering {
    enum gp5_subgroup_order order;
    const uint32_t *in;
    uint32_t *out;
    subgroup_change_fn *change;
    void *user;
    size_t place;
};

static void answer_lane(struct answering *w, const struct call *call, struct answer *a, unsigned k, unsigned lane)
{
    size_t at = (call->first + lane) * SUBGROUP_RECORD;
    uint32_t *r = w->out + at;
    uint64_t words[2];
    unsigned n = words_of(call, a, k, lane, words);
    if (!a->reason[k * call->group.size + lane] && w->change)
        w->change(w->user, w->place, lane, w->in + at, &words[0], &a->valid[lane]);
    w->place += !a->reason[k * call->group.size + lane];
    r[0] = SUBGROUP_MARK + call->number;
    r[OUT_WHO] = call->group.size | lane << 8 | call->group.id << 16 | call->group.count << 24;
    r[OUT_VALID] = a->valid[lane];
    memcpy(&r[OUT_RESULT + 2 * k], words, n * sizeof *words);
}

static void answer_call(void *user, struct call *call)
{
    struct answering *w = user;
    struct answer a;
    evaluate(call, w->order, &a);
    for (unsigned k = 0; k < planes(call); k++)
        for (unsigned lane = 0; lane < call->group.lanes; lane++)
            if (bit(&call->takers, lane))
                answer_lane(w, call, &a, k, lane);
}

void subgroup_case_answer(const struct subgroup_case *c, const uint32_t *in, enum gp5_subgroup_order order,
                          uint32_t *out, subgroup_change_fn *change, void *user)
{
    struct answering w = {.order = order, .in = in, .out = out, .change = change, .user = user};
    memset(out, 0, subgroup_case_records(c) * SUBGROUP_RECORD * sizeof *out);
    each_call(c, in, answer_call, &w);
}
