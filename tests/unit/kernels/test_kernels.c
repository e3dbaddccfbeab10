/* The lane kernels: every operation that the table has, over operands that find faults, on every level
 * that this processor has: the levels against each other, and the results against the scalar model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "asm/program.h"
#include "tests/unit/kernels/kernel_bench.h"
#include "tests/oracle/scalar_model.h"

/* The operands of one lane as the model wants them: signs applied, scalars spread. */
static void model_operands(const struct kernel_request *w, const uint8_t *record, const struct signs *signs,
                           uint64_t src[3][4])
{
    bool wide = kernel_wide_type(kernel_operand_type(w));
    for (unsigned k = 0; k < 3; k++)
        for (unsigned c = 0; c < 4; c++) {
            uint64_t v = kernel_operand(record, wide, k, kernel_scalar_operand(w, k) ? 0 : c);
            uint64_t clear = wide ? (uint64_t)signs->clear[k] << 32 : signs->clear[k];
            uint64_t flip = wide ? (uint64_t)signs->flip[k] << 32 : signs->flip[k];
            bool nan64 = kernel_operand_type(w) == DT_F64 && (v << 1) > 0xffe0000000000000u;
            src[k][c] = nan64 && (clear | flip) ? v | 1ull << 51 : (v & ~clear) ^ flip;
        }
}

/* ---- one batch of 32 lanes ----------------------------------------------------------------------------- */

static void say(const struct kernel_request *w, const char *level, const uint64_t src[3][4], unsigned c)
{
    const char *name = w->op < OP_COUNT ? op_table[w->op].name : w->op == EVAL_OP_SAT ? "(SAT)"
        : w->op == EVAL_OP_SSAT ?
                       "(SSAT)" : w->op == EVAL_OP_SQRT ? "(SQRT)" : "(HALF)";
    print_error("%s.%s.%s rounding %u clamp %u flags %x semantics %u on %s, component %u:", name,
                type_table[w->type].name,
                type_table[w->type2].name, w->rounding, w->saturate, w->flags, w->semantics, level, c);
    for (unsigned k = 0; k < kernel_operands_of(w); k++)
        print_error(" (%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 ")", src[k][0], src[k][1], src[k][2],
                    src[k][3]);
    print_error("\n");
}

static bool same(const struct kernel_request *w, uint64_t got, uint64_t want)
{
    if (got == want)
        return true;
    return w->semantics == GP5_SEMANTICS_SPEC && scalar_is_nan(w, got) && scalar_is_nan(w, want);
}

/* With a sign a copy is arithmetic, which the model knows as a sum. */
static void copy_with_sign(const struct kernel_request *w, const struct signs *signs, unsigned k, uint64_t *word)
{
    struct kernel_request sum = *w;
    uint64_t src[3][4] = {{*word, *word, *word, *word}, {0x80000000, 0x80000000, 0x80000000, 0x80000000}}, r[4];
    sum.op = OP_ADD;
    if (w->semantics == GP5_SEMANTICS_NVIDIA && (signs->clear[k] | signs->flip[k]) && scalar_model(&sum, src, r))
        *word = r[0];
}

/* MOV.F with a sign, and z and w of DST. */
static void as_modelled(struct kernel_request *w, const struct signs *signs, uint64_t src[3][4])
{
    if (w->op == OP_DST) {
        copy_with_sign(w, signs, 0, &src[0][2]);
        copy_with_sign(w, signs, 1, &src[1][3]);
    }
    if (w->op != OP_MOV || w->type != DT_F32 || w->semantics != GP5_SEMANTICS_NVIDIA ||
        !(signs->clear[0] | signs->flip[0]))
        return;
    w->op = OP_ADD;
    for (unsigned c = 0; c < 4; c++)
        src[1][c] = 0x80000000;
}

static void check_against_model(struct bench *b, const struct kernel_request *w, const struct lane_op *op,
                                const uint8_t *records, const uint32_t undefined[4],
                                    const struct signs *signs)
{
    bool replicated = w->op < OP_COUNT && shape_table[op_table[w->op].shape].result == RC_SCALAR;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint64_t src[3][4], want[4] = {0};
        struct kernel_request m = *w;
        model_operands(w, records + l * OPERAND_RECORD, signs, src);
        as_modelled(&m, signs, src);
        if (!scalar_model(&m, src, want))
            return;
        for (unsigned i = 0; i < op->n; i++) {
            uint64_t expected = want[replicated ? 0 : op->comp[i]], got = kernel_result(b, w, op, i, l);
            if (undefined[i] >> l & 1)
                continue;
            b->modelled++;
            if (!same(w, got, expected)) {
                say(w, "the first level", (const uint64_t(*)[4])src, op->comp[i]);
                fail_msg("got %" PRIx64 ", the model says %" PRIx64, got, expected);
            }
        }
    }
}

static void check_batch(struct bench *b, const struct kernel_request *w, const struct kernel *kernels,
                        const uint8_t *records,
                        unsigned mask, const struct signs *signs)
{
    static const struct signs none;
    bool with_signs = memcmp(signs, &none, sizeof none) != 0;
    struct lane_op op = kernel_op(w, mask, false, signs);
    uint64_t first[4][WARP_LANES];
    uint32_t undefined[4] = {0};

    for (unsigned v = 0; v < b->levels; v++)
        for (unsigned in_place = 0; in_place < 2; in_place++) {
            struct lane_op now = kernel_op(w, mask, in_place, signs);
            if (in_place && kernel_wide_result(w) != kernel_wide_type(kernel_operand_type(w)) &&
                eval_op_flow((enum gp5_op)w->op) == FLOW_EACH)
                continue;
            kernel_load(b, w, records);
            if (v == 0 && !in_place && kernels[v].undefined)
                kernels[v].undefined(b->base, &now, undefined);
            kernel_run(b, w, &kernels[v], &now, with_signs);
            for (unsigned i = 0; i < now.n; i++)
                for (unsigned l = 0; l < WARP_LANES; l++) {
                    uint64_t got = kernel_result(b, w, &now, i, l);
                    if (v == 0 && !in_place) {
                        first[i][l] = got;
                    } else if (got != first[i][l]) {
                        uint64_t src[3][4];
                        model_operands(w, records + l * OPERAND_RECORD, signs, src);
                        say(w, b->level[v]->level, (const uint64_t(*)[4])src, now.comp[i]);
                        fail_msg("%s%s gives %" PRIx64 ", the first level %" PRIx64, b->level[v]->level,
                                 in_place ? " in place" : "", got, first[i][l]);
                    }
                    b->checked++;
                }
            if (v == 0 && !in_place)
                check_against_model(b, w, &op, records, undefined, signs);
        }
}

/* Every `stride`-th batch of the set. */
static void check_request(struct bench *b, const struct kernel_request *w, unsigned stride)
{
    static const struct signs signs[] = {
        {{0}, {0}}, {{0}, {0x80000000, 0, 0x80000000}}, {{0x80000000, 0x80000000, 0}, {0, 0x80000000, 0}},
    };
    struct kernel kernels[3];
    enum operand_set set = kernel_set_of(w);
    unsigned batches = operand_sets[set].lanes / WARP_LANES;

    for (unsigned v = 0; v < b->levels; v++) {
        bool found = b->level[v]->find(w, &kernels[v]);
        if (v == 0 && !found)
            return;
        assert_true(found);
        assert_int_equal(kernels[v].keep_denormals, kernels[0].keep_denormals);
        assert_int_equal(kernels[v].run_signs != NULL, kernels[0].run_signs != NULL);
    }
    for (unsigned i = b->requests++ % stride; i < batches; i += stride) {
        const uint8_t *records = b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD;
        bool with_signs = kernels[0].run_signs != NULL && i % 4 > 1;
        check_batch(b, w, kernels, records, i % 8 == 7 ? 10 : 15, &signs[with_signs ? 1 + i % 2 : 0]);
    }
}

/* ---- the tests ----------------------------------------------------------------------------------------- */

static const uint8_t semantics[] = {GP5_SEMANTICS_NVIDIA, GP5_SEMANTICS_SPEC};

/* Every row of the instruction table that computes lane by lane, in every type that it takes, has its
 * kernel, if a dialect has it that is evaluated. */
static void complete(void **state)
{
    static const struct { uint8_t bit, type[2]; } columns[] = {
        {T_F, {DT_F32, DT_F32}}, {T_F64, {DT_F64, DT_F64}}, {T_I, {DT_S32, DT_U32}},
        {T_I64, {DT_S64, DT_U64}},
    };
    struct bench *b = *state;
    unsigned found = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (eval_op_flow((enum gp5_op)op) == FLOW_NONE || op == OP_CVT || op == OP_I2F || op == OP_SWZ ||
            !(op_table[op].profiles & (CP5 | AFP)))
            continue;
        for (unsigned i = 0; i < 16; i++) {
            struct kernel_request w = {.op = (uint16_t)op, .type = columns[i / 4].type[i & 1],
                                       .semantics = semantics[i >> 1 & 1], .profile = PROFILE_NVCP5};
            struct kernel k;
            w.type2 = w.type;
            if (!(op_table[op].types & columns[i / 4].bit))
                continue;
            if (!b->level[0]->find(&w, &k))
                fail_msg("no kernel for %s.%s", op_table[op].name, type_table[w.type].name);
            found++;
        }
    }
    print_message("%u kernels asked for\n", found);
    assert_true(found > 400);
}

static void every_operation(void **state)
{
    static const uint8_t types[] = {DT_F32, DT_F64, DT_S32, DT_U32, DT_S64, DT_U64};
    static const uint32_t products[] = {0, INSN_HI, INSN_S24, INSN_U24};
    struct bench *b = *state;
    b->checked = b->modelled = b->requests = 0;
    for (unsigned op = 0; op < EVAL_OP_COUNT; op++)
        for (unsigned t = 0; t < sizeof types; t++)
            for (unsigned s = 0; s < 2; s++)
                for (unsigned f = 0; f < (op == OP_MUL ? 4 : 1); f++) {
                    struct kernel_request w = {.op = (uint16_t)op, .type = types[t], .type2 = types[t],
                                               .flags = products[f],
                                               .semantics = semantics[s], .profile = PROFILE_NVCP5};
                    if (op != OP_CVT && op != OP_COUNT)
                        check_request(b, &w, 1);
                }
    print_message("%lu operations, %lu results on all levels, %lu of them modelled\n", b->requests,
                  b->checked, b->modelled);
    assert_true(b->requests > 300);
}

static void every_conversion(void **state)
{
    static const uint8_t roundings[] = {0, MOD_ROUND, MOD_CEIL, MOD_FLR, MOD_TRUNC};
    static const uint8_t clamps[] = {0, INSN_SAT, INSN_SSAT};
    struct bench *b = *state;
    b->checked = b->modelled = b->requests = 0;
    for (unsigned dst = DT_F16; dst < DT_COUNT; dst++)
        for (unsigned src = DT_F16; src < DT_COUNT; src++)
            for (unsigned r = 0; r < 5; r++)
                for (unsigned c = 0; c < 3; c++)
                    for (unsigned s = 0; s < 2; s++) {
                        struct kernel_request w = {.op = OP_CVT, .type = (uint8_t)dst, .type2 = (uint8_t)src,
                                                   .rounding = roundings[r], .saturate = clamps[c],
                                                   .semantics = semantics[s], .profile = PROFILE_NVCP5};
                        if (c < 2 || type_table[dst].is_float)
                            check_request(b, &w, r == 0 && c == 0 ? 1 : 4);
                    }
    print_message("%lu conversions, %lu results on all levels, %lu of them modelled\n", b->requests,
                  b->checked, b->modelled);
    assert_true(b->requests == (3 * 3 + 8 * 2) * 11 * 5 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete), cmocka_unit_test(every_operation), cmocka_unit_test(every_conversion),
    };
    return cmocka_run_group_tests_name("kernels", tests, kernel_bench_setup, kernel_bench_teardown);
}
