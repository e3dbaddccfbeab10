/* link: mpfr gmp */
/* How far the approximated functions are from exact mathematics: the bounds of docs/numbers.md, "Approximated
 * functions", against MPFR.
 *
 * `test_bounds measure [N]` prints the largest error of every row over N operands instead (1,000,000). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/program.h"
#include "tests/unit/kernels/kernel_bench.h"

/* Units in the last place of the result; units of the last place of 1.0 where the result is below 1, as hardware that
 * computes in fixed point bounds the absolute error; for POW a, b units in the last place, divided by 1 + |b| + |LG2 of
 * the result|: the error of LG2 a is multiplied by b, and its product with b is rounded. */
enum measure { ULP, OF_ONE, OF_POWER };

/* Operands are spread evenly over the words from `from` to `to` (of doubles the upper words), of both signs if
 * `negative`. The second operand of DIV is as the first; that of POW is a float from -8 to 8. */
struct row {
    const char *name;
    uint16_t op;
    uint8_t type;
    uint32_t from, to;
    bool negative;
    enum measure measure;
    double bound;
};
static const struct row rows[] = {
    {"RCP, result normal", OP_RCP, DT_F32, 0x00800000, 0x7e800000, true, ULP, 1.0},
    {"RSQ", OP_RSQ, DT_F32, 0x00800000, 0x7f7fffff, false, ULP, 1.75},
    {"EX2, -126 to 126", OP_EX2, DT_F32, 0x33000000, 0x42fbffff, true, ULP, 2.25},
    {"LG2, from 2", OP_LG2, DT_F32, 0x40000000, 0x7f7fffff, false, ULP, 1.5},
    {"LG2, from 0.5 to 2", OP_LG2, DT_F32, 0x3f000000, 0x40000000, false, OF_ONE, 2.0},
    {"LG2, to 0.5", OP_LG2, DT_F32, 0x00800000, 0x3effffff, false, ULP, 2.5},
    {"SIN, within pi", OP_SIN, DT_F32, 0x00800000, 0x40490fdb, true, OF_ONE, 4.0},
    {"COS, within pi", OP_COS, DT_F32, 0x00800000, 0x40490fdb, true, OF_ONE, 4.0},
    {"DIV, all within 2^-60 to 2^60", OP_DIV, DT_F32, 0x21800000, 0x5d800000, true, ULP, 2.25},
    {"POW, base within 2^-8 to 2^8, exponent within 8", OP_POW, DT_F32, 0x3b800000, 0x43800000, false, OF_POWER, 2.0},
    {"RSQ.F64", OP_RSQ, DT_F64, 0x00100000, 0x7fefffff, false, ULP, 2.0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint32_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

static double as_number(uint64_t word, bool wide)
{
    double d;
    float f;
    uint32_t low = (uint32_t)word;
    memcpy(&d, &word, 8);
    memcpy(&f, &low, 4);
    return wide ? d : (double)f;
}

static uint64_t draw(const struct row *r, uint64_t *seed)
{
    uint32_t word = r->from + (uint32_t)((uint64_t)next(seed) * (r->to - r->from) >> 32);
    if (r->negative && next(seed) >> 31)
        word |= 0x80000000u;
    return r->type == DT_F64 ? (uint64_t)word << 32 | next(seed) : word;
}

static void exactly(mpfr_t y, const struct row *r, double a, double b)
{
    mpfr_t x;
    mpfr_init2(x, 53);
    mpfr_set_d(x, a, MPFR_RNDN);
    switch (r->op) {
    case OP_RCP: mpfr_ui_div(y, 1, x, MPFR_RNDN); break;
    case OP_RSQ: mpfr_rec_sqrt(y, x, MPFR_RNDN); break;
    case OP_EX2: mpfr_exp2(y, x, MPFR_RNDN); break;
    case OP_LG2: mpfr_log2(y, x, MPFR_RNDN); break;
    case OP_SIN: mpfr_sin(y, x, MPFR_RNDN); break;
    case OP_COS: mpfr_cos(y, x, MPFR_RNDN); break;
    case OP_DIV: mpfr_div_d(y, x, b, MPFR_RNDN); break;
    default: mpfr_set_d(y, b, MPFR_RNDN), mpfr_pow(y, x, y, MPFR_RNDN); break;
    }
    mpfr_clear(x);
}

/* The error in the row's units. */
static double error(const struct row *r, double b, double got, const mpfr_t exact)
{
    long digits = r->type == DT_F64 ? 53 : 24, exponent = mpfr_zero_p(exact) ? 0 : (long)mpfr_get_exp(exact);
    double power = fabs((double)exponent);
    mpfr_t off;
    if (r->measure == OF_ONE && exponent < 1)
        exponent = 1;
    mpfr_init2(off, 100);
    mpfr_sub_d(off, exact, got, MPFR_RNDN);
    mpfr_mul_2si(off, off, digits - exponent, MPFR_RNDN);
    double units = fabs(mpfr_get_d(off, MPFR_RNDA));
    mpfr_clear(off);
    return r->measure == OF_POWER ? units / (1 + fabs(b) + power) : units;
}

static double largest(struct bench *b, const struct row *r, unsigned count)
{
    struct kernel_request w = {.op = r->op, .type = r->type, .type2 = r->type};
    struct lane_op op = {.n = 1, .dst = {4}, .src = {{0}, {2}}};
    struct kernel k;
    uint64_t seed = 1;
    bool wide = r->type == DT_F64;
    double most = 0;
    mpfr_t exact;

    assert_true(b->level[0]->find(&w, &k));
    mpfr_init2(exact, 100);
    for (unsigned n = 0; n < count; n += WARP_LANES) {
        uint64_t first[WARP_LANES], second[WARP_LANES];
        for (unsigned l = 0; l < WARP_LANES; l++) {
            float f = (float)((int32_t)next(&seed) * 0x1p-28);
            uint32_t word;
            memcpy(&word, &f, 4);
            first[l] = draw(r, &seed);
            second[l] = r->op == OP_POW ? word : draw(r, &seed);
            PLANE(b->base, 0)[l] = (uint32_t)first[l], PLANE(b->base, 1)[l] = (uint32_t)(first[l] >> 32);
            PLANE(b->base, 2)[l] = (uint32_t)second[l];
        }
        kernel_run(b, &w, &k, &op, false);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t word = PLANE(b->base, 4)[l] | (wide ? (uint64_t)PLANE(b->base, 5)[l] << 32 : 0);
            exactly(exact, r, as_number(first[l], wide), as_number(second[l], wide));
            double e = error(r, as_number(second[l], wide), as_number(word, wide), exact);
            if (!(e <= most))
                most = e;
        }
    }
    mpfr_clear(exact);
    return most;
}

static void within_the_bounds(void **state)
{
    for (unsigned i = 0; i < ROWS; i++) {
        double most = largest(*state, &rows[i], 100000);
        if (!(most <= rows[i].bound))
            fail_msg("%s: an error of %g, where %g is stated", rows[i].name, most, rows[i].bound);
        /* A bound that is far above what is seen says little. */
        assert_true(most > rows[i].bound / 4);
    }
}

static int measure(unsigned count)
{
    void *state = NULL;
    if (kernel_bench_setup(&state) != 0)
        return 2;
    for (unsigned i = 0; i < ROWS; i++)
        printf("%-50s %.3f (bound %g)\n", rows[i].name, largest(state, &rows[i], count), rows[i].bound);
    return kernel_bench_teardown(&state) == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_the_bounds)};
    if (argc > 1 && strcmp(argv[1], "measure") == 0)
        return measure(argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000000);
    return cmocka_run_group_tests_name("bounds", tests, kernel_bench_setup, kernel_bench_teardown);
}
