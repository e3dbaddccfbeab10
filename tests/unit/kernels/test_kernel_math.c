/* link: mpfr gmp */
/* Single operations of the lane kernels against exact mathematics: MPFR, every half, and sums in 128 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "asm/program.h"
#include "tests/unit/kernels/kernel_bench.h"
#include "tests/oracle/scalar_model.h"

/* Every half widens to what it is, and comes back. */
static void every_half(void **state)
{
    struct bench *b = *state;
    struct kernel_request widen = {.op = OP_CVT, .type = DT_F32, .type2 = DT_F16}, narrow = widen;
    struct kernel up, down;
    narrow.type = DT_F16, narrow.type2 = DT_F32;
    for (unsigned v = 0; v < b->levels; v++) {
        assert_true(b->level[v]->find(&widen, &up) && b->level[v]->find(&narrow, &down));
        for (uint32_t h = 0; h < 65536; h += WARP_LANES) {
            struct lane_op there = {.n = 1, .dst = {1}}, back = {.n = 1, .dst = {2}, .src = {{1}}};
            for (uint32_t l = 0; l < WARP_LANES; l++)
                b->base[l] = h + l;
            kernel_run(b, &widen, &up, &there, false);
            kernel_run(b, &narrow, &down, &back, false);
            for (uint32_t l = 0; l < WARP_LANES; l++) {
                uint32_t half = h + l, magnitude = half & 0x7fff, word = PLANE(b->base, 1)[l];
                float f;
                memcpy(&f, &word, 4);
                if (magnitude > 0x7c00) {
                    assert_int_equal(word, 0x7fffffff);
                    assert_int_equal(PLANE(b->base, 2)[l], 0x7fff);
                    continue;
                }
                double exact = magnitude == 0x7c00 ? (double)INFINITY
                             : magnitude < 0x400 ? (magnitude & 0x3ff) * 0x1p-24
                             : (1024 + (magnitude & 0x3ff)) * ldexp(1.0, (int)(magnitude >> 10) - 25);
                assert_true(f == (half & 0x8000 ? -exact : exact));
                assert_int_equal(word >> 31, half >> 15);
                assert_int_equal(PLANE(b->base, 2)[l], half);
            }
        }
    }
}

/* ---- MPFR ---------------------------------------------------------------------------------------------- */

static uint64_t from_mpfr(mpfr_t x, int ternary, bool wide)
{
    mpfr_subnormalize(x, ternary, MPFR_RNDN);
    if (wide) {
        double d = mpfr_get_d(x, MPFR_RNDN);
        uint64_t word;
        memcpy(&word, &d, 8);
        return word;
    }
    float f = mpfr_get_flt(x, MPFR_RNDN);
    uint32_t word;
    memcpy(&word, &f, 4);
    return word;
}

static void to_mpfr(mpfr_t x, uint64_t word, bool wide)
{
    double d;
    float f;
    uint32_t low = (uint32_t)word;
    memcpy(&d, &word, 8);
    memcpy(&f, &low, 4);
    mpfr_set_d(x, wide ? d : (double)f, MPFR_RNDN);
}

/* a op b (op c), rounded once: what the fused and the single operations must give. */
static uint64_t exactly(unsigned op, bool wide, const uint64_t v[3])
{
    mpfr_t a, b, c, r;
    int t = 0;
    mpfr_inits2(53, a, b, c, (mpfr_ptr)NULL);
    mpfr_init2(r, wide ? 53 : 24);
    to_mpfr(a, v[0], wide), to_mpfr(b, v[1], wide), to_mpfr(c, v[2], wide);
    switch (op) {
    case OP_ADD: t = mpfr_add(r, a, b, MPFR_RNDN); break;
    case OP_SUB: t = mpfr_sub(r, a, b, MPFR_RNDN); break;
    case OP_MUL: t = mpfr_mul(r, a, b, MPFR_RNDN); break;
    case OP_DIV: t = mpfr_div(r, a, b, MPFR_RNDN); break;
    case OP_MAD: t = mpfr_fma(r, a, b, c, MPFR_RNDN); break;
    default: t = mpfr_ui_div(r, 1, a, MPFR_RNDN); break;
    }
    uint64_t word = from_mpfr(r, t, wide);
    mpfr_clears(a, b, c, r, (mpfr_ptr)NULL);
    return word;
}

static void against_mpfr(struct bench *b, unsigned op, unsigned type, enum gp5_semantics how)
{
    bool wide = kernel_wide_type(type);
    struct kernel_request w = {.op = (uint16_t)op, .type = (uint8_t)type, .type2 = (uint8_t)type,
                               .semantics = (uint8_t)how};
    enum operand_set set = wide ? SET_F64 : op == OP_MAD ? SET_F32T : SET_F32;
    static const struct signs none;
    mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();

    mpfr_set_emin(wide ? -1073 : -148);
    mpfr_set_emax(wide ? 1024 : 128);
    for (unsigned v = 0; v < b->levels; v++) {
        struct kernel k;
        assert_true(b->level[v]->find(&w, &k));
        k.keep_denormals = true;            /* exact results include denormal ones */
        for (unsigned i = 0; i < operand_sets[set].lanes / WARP_LANES; i++) {
            const uint8_t *records = b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD;
            struct lane_op o = kernel_op(&w, 3, false, &none);
            kernel_load(b, &w, records);
            kernel_run(b, &w, &k, &o, false);
            for (unsigned l = 0; l < WARP_LANES; l++)
                for (unsigned c = 0; c < 2; c++) {
                    uint64_t v3[3] = {0};
                    for (unsigned n = 0; n < kernel_operands_of(&w); n++)
                        v3[n] = kernel_operand(records + l * OPERAND_RECORD, wide, n,
                                               kernel_scalar_operand(&w, n) ? 0 : c);
                    uint64_t got = kernel_result(b, &w, &o, c, l), want = exactly(op, wide, v3);
                    if (got != want && !(scalar_is_nan(&w, got) && scalar_is_nan(&w, want)))
                        fail_msg("%s.%s on %s: %" PRIx64 " %" PRIx64 " %" PRIx64 " gives %" PRIx64
                                 ", exactly %" PRIx64,
                                 op_table[op].name, type_table[type].name, b->level[v]->level, v3[0], v3[1],
                                     v3[2], got, want);
                }
        }
    }
    mpfr_set_emin(least);
    mpfr_set_emax(most);
}

static void rounded_once(void **state)
{
    static const struct { uint16_t op; uint8_t type; } rows[] = {
        {OP_ADD, DT_F32}, {OP_SUB, DT_F32}, {OP_MUL, DT_F32}, {OP_MAD, DT_F32}, {OP_ADD, DT_F64},
        {OP_SUB, DT_F64},
        {OP_MUL, DT_F64}, {OP_MAD, DT_F64}, {OP_DIV, DT_F64}, {OP_RCP, DT_F64},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        against_mpfr(*state, rows[i].op, rows[i].type, GP5_SEMANTICS_NVIDIA);
    against_mpfr(*state, OP_DIV, DT_F32, GP5_SEMANTICS_SPEC);
}

/* The reciprocal root of doubles is an approximation: within two units of the last place of the exact one. */
static void root_is_near(void **state)
{
    struct bench *b = *state;
    struct kernel_request w = {.op = OP_RSQ, .type = DT_F64, .type2 = DT_F64};
    struct kernel k;
    assert_true(b->level[0]->find(&w, &k));
    for (unsigned i = 0; i < operand_sets[SET_F64U].lanes; i++) {
        uint64_t word = kernel_operand(b->set[SET_F64U] + (size_t)i * OPERAND_RECORD, true, 0,
                                       i & 1) & ~(1ull << 63);
        struct lane_op op = {.n = 1, .dst = {2}};
        if (word == 0 || word >= 0x7ff0000000000000u)
            continue;
        for (unsigned l = 0; l < WARP_LANES; l++)
            b->base[l] = (uint32_t)word, b->base[WARP_LANES + l] = (uint32_t)(word >> 32);
        kernel_run(b, &w, &k, &op, false);
        mpfr_t x;
        mpfr_init2(x, 53);
        to_mpfr(x, word, true);
        mpfr_rec_sqrt(x, x, MPFR_RNDN);
        int64_t off = (int64_t)(kernel_result(b, &w, &op, 0, 0) - from_mpfr(x, 0, true));
        mpfr_clear(x);
        assert_in_range(off + 2, 0, 4);
    }
}

/* ---- overflow and carry -------------------------------------------------------------------------------- */

struct sum_flags {
    bool overflow, carry;
};

static struct sum_flags flags_of(unsigned op, unsigned type, const uint64_t v[3])
{
    unsigned bits = kernel_wide_type(type) ? 64 : 32;
    unsigned __int128 limit = (unsigned __int128)1 << bits, mask = limit - 1, x = v[0], y = v[1], z = v[2];
    bool is_signed = type == DT_S32 || type == DT_S64;
    if (op == OP_MAD)
        x = x * y & mask, y = z;
    if (op == OP_SAD) {
        __int128 sx = (__int128)x, sy = (__int128)y, top = (__int128)1 << (bits - 1);
        if (is_signed)
            sx = (sx ^ top) - top, sy = (sy ^ top) - top;
        x = (unsigned __int128)(sx < sy ? sy - sx : sx - sy) & mask, y = z;
    }
    unsigned __int128 sum = op == OP_SUB ? x + (~y & mask) + 1 : x + y;
    bool sx = x >> (bits - 1) & 1, sy = y >> (bits - 1) & 1, sr = sum >> (bits - 1) & 1;
    struct sum_flags f = {.overflow = op == OP_SUB ? sx != sy && sr != sx : sx == sy && sr != sx,
                          .carry = sum >= limit};
    return f;
}

static void overflow_and_carry(void **state)
{
    static const uint16_t ops[] = {OP_ADD, OP_SUB, OP_MAD, OP_SAD};
    static const uint8_t types[] = {DT_S32, DT_U32, DT_S64, DT_U64};
    static const struct signs none;
    struct bench *b = *state;
    for (unsigned v = 0; v < b->levels; v++)
        for (unsigned t = 0; t < 16; t++) {
            struct kernel_request w = {.op = ops[t % 4], .type = types[t / 4], .type2 = types[t / 4]};
            enum operand_set set = kernel_wide_type(w.type) ? SET_I64 : SET_I32;
            struct lane_op op = kernel_op(&w, 15, false, &none);
            struct kernel k;
            assert_true(b->level[v]->find(&w, &k));
            assert_non_null(k.carry);
            for (unsigned i = 0; i < operand_sets[set].lanes / WARP_LANES; i++) {
                const uint8_t *records = b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD;
                uint32_t overflow[4], carry[4];
                kernel_load(b, &w, records);
                k.carry(b->base, &op, overflow, carry);
                for (unsigned l = 0; l < WARP_LANES; l++)
                    for (unsigned c = 0; c < 4; c++) {
                        uint64_t src[3] = {0};
                        for (unsigned n = 0; n < 3; n++)
                            src[n] = kernel_operand(records + l * OPERAND_RECORD, kernel_wide_type(w.type),
                                                    n, c);
                        struct sum_flags f = flags_of(w.op, w.type, src);
                        assert_int_equal(overflow[c] >> l & 1, f.overflow);
                        assert_int_equal(carry[c] >> l & 1, f.carry);
                    }
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half), cmocka_unit_test(rounded_once), cmocka_unit_test(root_is_near),
        cmocka_unit_test(overflow_and_carry),
    };
    return cmocka_run_group_tests_name("kernel math", tests, kernel_bench_setup, kernel_bench_teardown);
}
