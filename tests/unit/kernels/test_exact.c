/* link: mpfr gmp */
/* Arithmetic on constants as the driver's compiler does it (eval/numeric/libm_fold.c), against MPFR: functions rounded
 * to the nearest float, also where they come close to half way between two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "eval/numeric/libm_fold.h"
#include "tests/tools/operands.h"

static float float_of(uint32_t w)
{
    float f;
    memcpy(&f, &w, sizeof f);
    return f;
}

static uint32_t word_of(float f)
{
    uint32_t w;
    memcpy(&w, &f, sizeof w);
    return w;
}

static const struct {
    const char *name;
    enum exact_function function;
} functions[] = {
    {"RCP", EXACT_RCP}, {"RSQ", EXACT_RSQ}, {"EX2", EXACT_EX2}, {"LG2", EXACT_LG2}, {"SIN", EXACT_SIN},
    {"COS", EXACT_COS},
};

static void exactly(mpfr_t r, enum exact_function f, float x)
{
    mpfr_set_flt(r, x, MPFR_RNDN);
    switch (f) {
    case EXACT_RCP: mpfr_ui_div(r, 1, r, MPFR_RNDN); break;
    case EXACT_RSQ: mpfr_rec_sqrt(r, r, MPFR_RNDN); break;
    case EXACT_EX2: mpfr_exp2(r, r, MPFR_RNDN); break;
    case EXACT_LG2: mpfr_log2(r, r, MPFR_RNDN); break;
    case EXACT_SIN: mpfr_sin(r, r, MPFR_RNDN); break;
    case EXACT_COS: mpfr_cos(r, r, MPFR_RNDN); break;
    }
}

static double in_double(enum exact_function f, double x)
{
    switch (f) {
    case EXACT_RCP: return 1 / x;
    case EXACT_RSQ: return 1 / sqrt(x);
    case EXACT_EX2: return exp2(x);
    case EXACT_LG2: return log2(x);
    case EXACT_SIN: return sin(x);
    default: return cos(x);
    }
}

/* Whether a double stands in the middle thousandth between two floats. */
static bool near_half_way(double d)
{
    uint64_t w;
    memcpy(&w, &d, sizeof w);
    int64_t off = (int64_t)(w & 0x1fffffff) - 0x10000000;
    return off > -0x40000 && off < 0x40000;
}

static void check_function(unsigned i, uint32_t word)
{
    uint32_t flushed = exact_flush(word), got = exact_function(functions[i].function, word), want;
    mpfr_t r;
    mpfr_init2(r, 24);
    exactly(r, functions[i].function, float_of(flushed));
    want = exact_flush(word_of(mpfr_get_flt(r, MPFR_RNDN)));
    mpfr_clear(r);
    if (exact_is_nan(want))
        want = EXACT_NAN;
    if (functions[i].function == EXACT_RSQ && flushed == 0x80000000)
        want = 0xff800000;      /* as 1 / sqrt(-0) is in C; MPFR has +infinity */
    if (got != want)
        fail_msg("%s of %08x: %08x, exactly %08x", functions[i].name, word, got, want);
}

static void functions_are_exact(void **state)
{
    uint64_t seed = 7;
    unsigned near = 0;
    (void)state;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        for (unsigned k = 0; k < NASTY_COUNT; k++)
            check_function(i, nasty_f32[k]);
        for (unsigned k = 0; k < 4000; k++)
            check_function(i, (uint32_t)operand_random(&seed));
        for (unsigned k = 0; k < 400000; k++) {
            uint32_t word = (uint32_t)operand_random(&seed);
            double d = in_double(functions[i].function, float_of(exact_flush(word)));
            if (isfinite(d) && fabs(d) > 0x1p-120 && near_half_way(d)) {
                check_function(i, word);
                near++;
            }
        }
    }
    assert_true(near > 500);
}

/* Sums that the recording has: where they lie half way they are not always rounded to even. */
static void sums_half_way(void **state)
{
    static const uint32_t rows[][3] = {
        {0xb91394e1, 0x39eba0aa, 0x39a1d639}, {0x0172e580, 0x80ce15ad, 0x010bdaa9},
        {0x04596000, 0x8b357fdf, 0x8b357c79},
        {0x5e80a774, 0xe05c64c6, 0xe04c4fd7}, {0x654b92ec, 0xe47be2aa, 0x650c9a41},
        /* the exponent is not the larger operand's */
        {0x1e8bc000, 0x9dcff4a1, 0x1e2f85b0}, {0x4f800000, 0xc3000000, 0x4f800000},
        {0x40000000, 0xbf000001, 0x3fc00000},
        /* magnitudes are added */
        {0x4b7fffff, 0x3f000000, 0x4b800000}, {0x007fffff, 0x01000000, 0x01400000},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(exact_sum(rows[i][0], rows[i][1], false), rows[i][2]);
    assert_int_equal(exact_sum(0x007fffff, 0x80000001, false), 0);
    assert_int_equal(exact_sum(0x007fffff, 0x80000001, true), 0x007ffffe);
    assert_int_equal(exact_product(0x807fffff, 0x40000000, false), 0x80fffffe);
    assert_int_equal(exact_product(0x34000000, 0x007fffff, true), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_exact), cmocka_unit_test(sums_half_way),
    };
    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
