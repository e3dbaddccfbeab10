/* link: mpfr */
/* --semantics=ideal beside MPFR: every bit of RCP RSQ EX2 LG2 SIN COS POW DIV over operands of all magnitudes,
 * denormals too, and of what is made of them SCS, LIT and NRM. LONG=1: a hundred times as many. */
#include "gp5.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1 << 14, BITS = 240 };

static uint32_t in[2][WORDS] __attribute__((aligned(16))), out[WORDS] __attribute__((aligned(16)));

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static float as_float(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static void evaluate_as(enum gp5_semantics semantics, const char *statement)
{
    char text[600];
    snprintf(text, sizeof text,
             "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 64;\n"
             "STORAGE p[] = { program.storage[0] };\nSTORAGE q[] = { program.storage[1] };\n"
             "STORAGE to[] = { program.storage[2] };\nTEMP i, a, b, r;\n"
             "MUL.U i.x, invocation.globalid.x, 4;\nLDB.F32 a.x, p[i.x];\nLDB.F32 b.x, q[i.x];\n%s\n"
             "STB.F32 r.x, to[i.x];\nEND\n", statement);
    struct gp5_run_options options = {.size = sizeof options, .semantics = semantics};
    struct gp5_buffer buffers[] = {{.binding = 0, .data = (uint8_t *)in[0], .size = sizeof in[0]},
                                   {.binding = 1, .data = (uint8_t *)in[1], .size = sizeof in[1]},
                                   {.binding = 2, .data = (uint8_t *)out, .size = sizeof out}};
    struct gp5_launch launch = {.size = sizeof launch, .groups = {WORDS / 64, 1, 1}, .storage = buffers, .nstorage = 3};
    gp5_program *program = gp5_parse(text, strlen(text));
    gp5_executable *x = gp5_prepare(program, &options, NULL, NULL);
    assert_non_null(x);
    assert_int_equal(gp5_execute(x, &launch, NULL, NULL), GP5_RUN_OK);
    gp5_executable_free(x);
    gp5_program_free(program);
}

static void evaluate(const char *statement)
{
    evaluate_as(GP5_SEMANTICS_IDEAL, statement);
}

struct function {
    const char *name, *statement;
    void (*exact)(mpfr_t r, const mpfr_t a, const mpfr_t b);
    float least, most;          /* of the magnitudes that are not drawn from all bits */
    int positive;               /* the operand is */
};

static void exact_rcp(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_ui_div(r, 1, a, MPFR_RNDN); }
static void exact_rsq(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_rec_sqrt(r, a, MPFR_RNDN); }
static void exact_ex2(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_exp2(r, a, MPFR_RNDN); }
static void exact_lg2(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_log2(r, a, MPFR_RNDN); }
static void exact_sin(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_sin(r, a, MPFR_RNDN); }
static void exact_cos(mpfr_t r, const mpfr_t a, const mpfr_t b) { (void)b; mpfr_cos(r, a, MPFR_RNDN); }
static void exact_pow(mpfr_t r, const mpfr_t a, const mpfr_t b) { mpfr_pow(r, a, b, MPFR_RNDN); }
static void exact_div(mpfr_t r, const mpfr_t a, const mpfr_t b) { mpfr_div(r, a, b, MPFR_RNDN); }

static const struct function functions[] = {
    {"RCP", "RCP r.x, a.x;", exact_rcp, 0.5f, 2, 0},
    {"RSQ", "RSQ r.x, a.x;", exact_rsq, 0.25f, 4, 1},
    {"EX2", "EX2 r.x, a.x;", exact_ex2, 0.001f, 150, 0},
    {"LG2", "LG2 r.x, a.x;", exact_lg2, 0.5f, 2, 1},
    {"SIN", "SIN r.x, a.x;", exact_sin, 0.01f, 100, 0},
    {"COS", "COS r.x, a.x;", exact_cos, 0.01f, 100, 0},
    {"POW", "POW r.x, a.x, b.x;", exact_pow, 0.1f, 10, 1},
    {"DIV", "DIV r.x, a.x, b.x;", exact_div, 0.1f, 10, 0},
    {"SCS's cosine", "SCS r.x, a.x;", exact_cos, 0.01f, 3, 0},
};

/* Half of them of any bits, half within the range in which the function says something. */
static uint32_t draw(const struct function *f, uint64_t *state)
{
    uint32_t word = next(state);
    if (next(state) & 1) {
        float size = f->least * powf(f->most / f->least, (float)(next(state) >> 8) * 0x1p-24f);
        size = word & 1 ? -size : size;
        memcpy(&word, &size, sizeof word);
    }
    return f->positive ? word & 0x7fffffff : word;
}

static uint32_t exact(const struct function *f, uint32_t a, uint32_t b)
{
    mpfr_t x, y, r;
    uint32_t word;
    mpfr_inits2(BITS, x, y, r, (mpfr_ptr)NULL);
    mpfr_set_flt(x, as_float(a), MPFR_RNDN);
    mpfr_set_flt(y, as_float(b), MPFR_RNDN);
    f->exact(r, x, y);
    float result = mpfr_get_flt(r, MPFR_RNDN);
    mpfr_clears(x, y, r, (mpfr_ptr)NULL);
    memcpy(&word, &result, sizeof word);
    return word;
}

static void test_rounding(void **state)
{
    (void)state;
    const char *all = getenv("LONG");
    int rounds = all && *all == '1' ? 100 : 1;
    uint64_t seed = 2026;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const struct function *f = &functions[k];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < WORDS; i++) {
                in[0][i] = draw(f, &seed);
                in[1][i] = f->exact == exact_pow || f->exact == exact_div ? draw(f, &seed) : 0;
            }
            evaluate(f->statement);
            for (int i = 0; i < WORDS; i++) {
                uint32_t want = exact(f, in[0][i], in[1][i]);
                if (isnan(as_float(want)) ? !isnan(as_float(out[i])) : want != out[i])
                    fail_msg("%s of %a, %a: %a, exactly rounded %a", f->name, as_float(in[0][i]), as_float(in[1][i]),
                             as_float(out[i]), as_float(want));
            }
        }
    }
}

/* The witness tells approximations from it: those of --semantics=spec are not rounded correctly. */
static void test_differs(void **state)
{
    (void)state;
    unsigned differ = 0;
    uint64_t seed = 7;
    for (int i = 0; i < WORDS; i++)
        in[0][i] = draw(&functions[4], &seed);
    evaluate_as(GP5_SEMANTICS_SPEC, "SIN r.x, a.x;");
    for (int i = 0; i < WORDS; i++)
        differ += exact(&functions[4], in[0][i], 0) != out[i];
    assert_true(differ > WORDS / 8);
}

/* Of unit vectors, and lighting whose power is a whole one. */
static void test_vectors(void **state)
{
    (void)state;
    for (int i = 0; i < WORDS; i++) {
        float x = (float)(i + 1), y = (float)(i % 7);
        memcpy(&in[0][i], &x, 4);
        memcpy(&in[1][i], &y, 4);
    }
    evaluate("MOV r, 0; MOV r.x, a.x; MOV r.yz, {0, 0, 0, 0}; NRM r.xyz, r;");
    for (int i = 0; i < WORDS; i++)
        assert_true(as_float(out[i]) == 1);
    evaluate("MOV r, {1, 0.5, 0, 0}; MOV r.w, b.x; LIT r, r; MOV r.x, r.z;");
    for (int i = 0; i < WORDS; i++)
        assert_true(as_float(out[i]) == ldexpf(1, -(i % 7)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounding), cmocka_unit_test(test_differs),
                                       cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
