/* Subgroup operations of 32 lanes beside the plain loop over lanes that one would write: gp5_subgroup_apply with all its checks
 * and reasons, the definitions (gp5_subgroup_define), and the loop, which checks nothing but who is active. */
#include "gp5.h"
#include "tests/bench.h"

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
    void (*loop)(const struct work *w);
    uint32_t value[LANES], result[LANES];
    uint64_t index[LANES];
    struct gp5_ballot ballot[LANES];
    uint8_t reason[LANES];
};

/* ---- the plain loops ---------------------------------------------------------------------------------------------- */

#define ACTIVE(w, lane) ((w)->group.active.word[0] >> (lane) & 1)

static void scan_loop(const struct work *w)
{
    uint32_t sum = 0, *result = (uint32_t *)w->result;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane))
            result[lane] = sum += w->value[lane];
}

static void float_scan_loop(const struct work *w)
{
    float sum = 0, v;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane)) {
            memcpy(&v, &w->value[lane], 4);
            sum += v;
            memcpy((void *)&w->result[lane], &sum, 4);
        }
}

static void partitioned_loop(const struct work *w)
{
    uint32_t *result = (uint32_t *)w->result;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t sum = 0;
        if (!ACTIVE(w, lane))
            continue;
        for (unsigned other = 0; other < LANES; other++)
            if (ACTIVE(w, other) && (w->ballot[lane].word[0] >> other & 1))
                sum += w->value[other];
        result[lane] = sum;
    }
}

static void rotate_loop(const struct work *w)
{
    uint32_t *result = (uint32_t *)w->result;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (ACTIVE(w, lane))
            result[lane] = w->value[(lane + w->index[lane]) & (LANES - 1)];
}

/* ---- contestants -------------------------------------------------------------------------------------------------- */

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
    void (*volatile loop)(const struct work *w) = ((struct work *)user)->loop;
    for (unsigned i = 0; i < CALLS; i++)
        loop(user);
    return true;
}

static const struct row {
    const char *name, *op;
    enum gp5_subgroup_type type;
    enum gp5_subgroup_order order;
    uint32_t active;
    void (*loop)(const struct work *w);
} rows[] = {
    { "add scan, uint32", "inclusive_add", GP5_SUBGROUP_U32, 0, UINT32_MAX, scan_loop },
    { "add scan, uint32, 20 lanes active", "inclusive_add", GP5_SUBGROUP_U32, 0, 0x7db6db6d, scan_loop },
    { "add scan, float, in sequence", "inclusive_add", GP5_SUBGROUP_F32, 0, UINT32_MAX, float_scan_loop },
    { "add scan, float, by doubling", "inclusive_add", GP5_SUBGROUP_F32, GP5_SUBGROUP_DOUBLING, UINT32_MAX,
      float_scan_loop },
    { "partitioned add, uint32, 4 subsets", "partitioned_add", GP5_SUBGROUP_U32, 0, UINT32_MAX, partitioned_loop },
    { "rotate, uint32", "rotate", GP5_SUBGROUP_U32, 0, UINT32_MAX, rotate_loop },
};

static void prepare(struct work *w, const struct row *row)
{
    memset(w, 0, sizeof *w);
    w->op = gp5_subgroup_find(row->op);
    w->group = (struct gp5_subgroup){ .size = LANES, .active = { { row->active } } };
    w->in = (struct gp5_subgroup_operands){
        .type = row->type, .value = w->value, .index = w->index, .ballot = w->ballot, .order = row->order
    };
    w->loop = row->loop;
    for (unsigned lane = 0; lane < LANES; lane++) {
        float v = (float)(lane * 7 % 13) / 4;
        w->value[lane] = lane * 0x9e3779b9;
        if (row->type == GP5_SUBGROUP_F32)
            memcpy(&w->value[lane], &v, 4);
        w->index[lane] = 5;
        w->ballot[lane].word[0] = UINT32_C(0x11111111) << lane % 4;
    }
}

/* Millions of operations a second; false when a contestant failed or they do not agree. */
static bool measure(const struct row *row, double values[4])
{
    static struct work works[3];
    struct bench_contestant contestants[3];

    for (int i = 0; i < 3; i++) {
        prepare(&works[i], row);
        works[i].enter = i == 0 ? gp5_subgroup_apply : gp5_subgroup_define;
        contestants[i] = (struct bench_contestant){ i == 2 ? run_loop : run_calls, &works[i], 0 };
    }
    if (!bench_run(contestants, 3, BENCH_CPU, ROUNDS, LEAST))
        return false;
    if (memcmp(works[0].result, works[1].result, sizeof works[0].result) != 0
        || memcmp(works[0].result, works[2].result, sizeof works[0].result) != 0)   /* the floats are exact in any order */
        return false;
    values[0] = CALLS / contestants[0].seconds * 1e-6;
    values[1] = CALLS / contestants[2].seconds * 1e-6;
    values[2] = values[0] / values[1];
    values[3] = CALLS / contestants[1].seconds * 1e-6;
    return true;
}

int main(int argc, char **argv)
{
    struct bench_table table = {
        .part = "subgroup",
        .column = { { "gp5 Mop/s", "gp5" }, { "loop Mop/s", "loop" }, { "ratio", "ratio" },
                    { "definition", "definition" } },
    };
    bench_arguments(argc, argv, &table);
    bench_head(&table, "operations of 32 lanes");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double values[4];
        if (!measure(&rows[i], values)) {
            fprintf(stderr, "%s: the ways do not agree\n", rows[i].name);
            return 1;
        }
        bench_row(&table, rows[i].name, values, NULL);
    }
    return 0;
}
