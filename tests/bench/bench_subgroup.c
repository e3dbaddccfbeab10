/* Subgroup operations of 32 lanes beside the plain loop over lanes that one would write:
 * gp5_subgroup_apply with all its checks; a loop that gives the same answers, reasons and all, without the
 * checks of a call; a bare loop that gives the values alone and trusts its operands; and the definitions
 * (gp5_subgroup_define). */
#include "gp5.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 32, CALLS = 1000, ROUNDS = 15 };
static const double LEAST = 0.002;

struct work {
    enum gp5_subgroup_op op;
    struct gp5_subgroup group;
    struct gp5_subgroup_operands in;
    enum gp5_subgroup_status (*enter)(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                                      const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out);
    void (*loop)(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason);
    uint32_t value[4 * LANES], result[4 * LANES];
    uint64_t index[LANES];
    struct gp5_ballot ballot[LANES];
    uint8_t reason[4 * LANES];
};

/* ---- the plain loops ----------------------------------------------------------------------------------- */

#define ACTIVE(w, lane) ((w)->group.active.word[0] >> (lane) & 1)

static void scan_loop(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    (void)reason;
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane))
            result[lane] = sum += value[lane];
}

static void scan_loop_reasons(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    uint32_t sum = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane)) {
            result[lane] = sum += value[lane];
            reason[lane] = GP5_SUBGROUP_DEFINED;
        }
}

static inline float as_float(uint32_t word)
{
    float f;
    memcpy(&f, &word, 4);
    return f;
}

static void float_scan_loop(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    (void)reason;
    float sum = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane)) {
            sum += as_float(value[lane]);
            memcpy(&result[lane], &sum, 4);
        }
}

static void float_scan_loop_reasons(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    float sum = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane)) {
            sum += as_float(value[lane]);
            memcpy(&result[lane], &sum, 4);
            reason[lane] = GP5_SUBGROUP_DEFINED;
        }
}

static void partitioned_loop(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    (void)reason;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sum = 0;
        if (!ACTIVE(w, lane))
            continue;
        for (unsigned other = 0; other < LANES; other++)
            if (ACTIVE(w, other) && (w->ballot[lane].word[0] >> other & 1))
                sum += value[other];
        result[lane] = sum;
    }
}

/* Valid is valid for all: a lane at fault would end it, and there is none here. */
static void partitioned_loop_reasons(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sum = 0;
        if (!ACTIVE(w, lane))
            continue;
        if (!(w->ballot[lane].word[0] >> lane & 1)) {
            reason[lane] = GP5_SUBGROUP_PARTITION_WITHOUT_SELF;
            return;
        }
        for (unsigned other = 0; other < LANES; other++)
            if (ACTIVE(w, other) && (w->ballot[lane].word[0] >> other & 1)) {
                if (w->ballot[other].word[0] != w->ballot[lane].word[0]) {
                    reason[lane] = GP5_SUBGROUP_PARTITION_PEER_DIFFERS;
                    return;
                }
                sum += value[other];
            }
        result[lane] = sum;
        reason[lane] = GP5_SUBGROUP_DEFINED;
    }
}

static void rotate_loop(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    (void)reason;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane))
            result[lane] = value[(lane + w->index[lane]) & (LANES - 1)];
}

static void rotate_loop_reasons(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned source = (lane + w->index[lane]) & (LANES - 1);
        if (!ACTIVE(w, lane))
            continue;
        reason[lane] = w->index[lane] != w->index[0] ? GP5_SUBGROUP_NOT_UNIFORM
                          : !ACTIVE(w, source)          ? GP5_SUBGROUP_SOURCE_INACTIVE
                                                        : GP5_SUBGROUP_DEFINED;
        result[lane] = reason[lane] ? 0 : value[source];
    }
}

/* ---- contestants --------------------------------------------------------------------------------------- */

static bool run_calls(void *user)
{
    struct work *w = user;
    struct gp5_subgroup_result out = { .value = w->result, .reason = w->reason };
    bool good = true;
    for (unsigned i = 0; i < CALLS; i++)
        good &= w->enter(w->op, &w->group, &w->in, &out) == GP5_SUBGROUP_OK;
    return good;
}

static bool run_loop(void *user)
{
    struct work *w = user;
    for (unsigned i = 0; i < CALLS; i++)
        for (unsigned k = 0; k < w->in.components; k++)
            w->loop(w, w->value + k * LANES, w->result + k * LANES, w->reason + k * LANES);
    return true;
}

static const struct row {
    const char *name, *op;
    enum gp5_subgroup_type type;
    enum gp5_subgroup_order order;
    uint32_t active;
    unsigned components;        /* of a vector: the loops go over them one by one */
    void (*loop)(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason);
    void (*bare)(struct work *w, const uint32_t *value, uint32_t *result, uint8_t *reason);
} rows[] = {
    { "add scan, uint32", "inclusive_add", GP5_SUBGROUP_U32, 0, UINT32_MAX, 1, scan_loop_reasons, scan_loop },
    { "add scan, uint32, vec4", "inclusive_add", GP5_SUBGROUP_U32, 0, UINT32_MAX, 4, scan_loop_reasons, scan_loop },
    { "add scan, uint32, 20 lanes active", "inclusive_add", GP5_SUBGROUP_U32, 0, 0x7db6db6d, 1, scan_loop_reasons,
     scan_loop },
    { "add scan, float, in sequence", "inclusive_add", GP5_SUBGROUP_F32, 0, UINT32_MAX, 1, float_scan_loop_reasons,
     float_scan_loop },
    { "add scan, float, by doubling", "inclusive_add", GP5_SUBGROUP_F32, GP5_SUBGROUP_DOUBLING, UINT32_MAX, 1,
      float_scan_loop_reasons, float_scan_loop },
    { "add scan, float, by doubling, vec4", "inclusive_add", GP5_SUBGROUP_F32, GP5_SUBGROUP_DOUBLING, UINT32_MAX, 4,
      float_scan_loop_reasons, float_scan_loop },
    { "partitioned add, uint32, 4 subsets", "partitioned_add", GP5_SUBGROUP_U32, 0, UINT32_MAX, 1,
     partitioned_loop_reasons, partitioned_loop },
    { "rotate, uint32", "rotate", GP5_SUBGROUP_U32, 0, UINT32_MAX, 1, rotate_loop_reasons, rotate_loop },
    { "rotate, uint32, vec4", "rotate", GP5_SUBGROUP_U32, 0, UINT32_MAX, 4, rotate_loop_reasons, rotate_loop },
};

static void prepare(struct work *w, const struct row *row)
{
    memset(w, 0, sizeof *w);
    w->op = gp5_subgroup_find(row->op);
    w->group = (struct gp5_subgroup){ .size = LANES, .active = { { row->active } } };
    w->in = (struct gp5_subgroup_operands){
        .type = row->type, .value = w->value, .index = w->index, .ballot = w->ballot, .order = row->order,
        .components = row->components
    };
    for (unsigned i = 0; i < 4 * LANES; i++) {
        float v = (float)(i * 7 % 13) / 4;
        w->value[i] = i * 0x9e3779b9;
        if (row->type == GP5_SUBGROUP_F32)
            memcpy(&w->value[i], &v, 4);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        w->index[lane] = 5;
        w->ballot[lane].word[0] = UINT32_C(0x11111111) << lane % 4;
    }
}

/* Millions of operations a second, one a component; false when a contestant failed or they do not agree. */
static bool measure(const struct row *row, double values[5])
{
    static struct work works[4];
    struct bench_contestant contestants[4];

    for (int i = 0; i < 4; i++) {
        prepare(&works[i], row);
        works[i].enter = i == 0 ? gp5_subgroup_apply : gp5_subgroup_define;
        works[i].loop = i == 1 ? row->loop : row->bare;
        contestants[i] = (struct bench_contestant){ i == 1 || i == 2 ? run_loop : run_calls, &works[i], 0 };
    }
    if (!bench_run(contestants, 4, BENCH_CPU, ROUNDS, LEAST))
        return false;
    for (int i = 1; i < 4; i++)         /* the floats are exact in any order */
        if (memcmp(works[0].result, works[i].result, sizeof works[0].result) != 0)
            return false;
    for (int i = 0; i < 4; i++)
        values[i == 0 ? 0 : i + 1] = CALLS * row->components / contestants[i].seconds * 1e-6;
    values[1] = values[0] / values[2];
    return true;
}

int main(int argc, char **argv)
{
    struct bench_table table = {
        .part = "subgroup",
        .column = { { "gp5 Mop/s", "gp5" }, { "ratio", "ratio" }, { "loop Mop/s", "loop" },
                    { "bare loop", "bare" }, { "definition", "definition" } },
    };
    bench_arguments(argc, argv, &table);
    bench_head(&table, "operations of 32 lanes");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double values[5];
        if (!measure(&rows[i], values)) {
            fprintf(stderr, "%s: the ways do not agree\n", rows[i].name);
            return 1;
        }
        bench_row(&table, rows[i].name, values, NULL);
    }
    return 0;
}
