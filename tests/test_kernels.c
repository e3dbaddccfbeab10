/* link: mpfr gmp */
/* The lane kernels: every operation that the table has, over operands that find faults, on every level that this processor
 * has: the levels against each other, the results against the scalar model, and single operations against MPFR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/program.h"
#include "eval/machine.h"
#include "eval/prepare.h"
#include "tests/operands.h"
#include "tests/scalar_model.h"

/* Planes of the test: operand k, component c at PLANE_OF(k, c), two planes each; results and results in place behind. */
#define PLANE_OF(k, c) (((k) * 4u + (c)) * 2u)
#define RESULT_PLANE(i) (24u + (i) * 2u)
#define PLANES 32u

struct bench {
    const struct eval_kernels *level[3];
    unsigned levels;
    uint8_t *set[SET_COUNT];
    uint32_t *base;             /* the planes */
    unsigned long checked, modelled, requests;
};

static const struct eval_kernels *table_of(unsigned level)
{
#if defined(__x86_64__)
    return level == 2 ? &eval_kernels_v4 : level == 1 ? &eval_kernels_v3 : &eval_kernels_base;
#else
    (void)level;
    return &eval_kernels_base;
#endif
}

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    if (b == NULL)
        return -1;
    *state = b;
    b->base = aligned_alloc(64, PLANES * WARP_LANES * sizeof *b->base);
    if (b->base == NULL)
        return -1;
    b->levels = 1 + (unsigned)eval_best_level();
    for (unsigned i = 0; i < b->levels; i++)
        b->level[i] = table_of(i);
    for (unsigned s = 0; s < SET_COUNT; s++) {
        b->set[s] = malloc((size_t)operand_sets[s].lanes * OPERAND_RECORD);
        if (b->set[s] == NULL)
            return -1;
        operand_set_fill((enum operand_set)s, b->set[s]);
    }
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    for (unsigned s = 0; s < SET_COUNT; s++)
        free(b->set[s]);
    free(b->base);
    free(b);
    return 0;
}

/* ---- operands ---------------------------------------------------------------------------------------------------------- */

static bool wide_type(unsigned type)
{
    return type_table[type].bytes == 8;
}

/* The type of an operation's operands. */
static unsigned operand_type(const struct kernel_request *w)
{
    switch (w->op) {
    case OP_CVT: return w->type2;
    case OP_FLR: case OP_CEIL: case OP_ROUND: case OP_TRUNC: return wide_type(w->type) ? DT_F64 : DT_F32;
    case OP_UP64: return DT_U64;
    case OP_PK64: case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return DT_U32;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: return DT_F32;
    default: return w->type;
    }
}

static bool wide_result(const struct kernel_request *w)
{
    return w->op == OP_PK64 || (w->op != OP_UP64 && wide_type(w->type));
}

static unsigned operands_of(const struct kernel_request *w)
{
    return w->op < OP_COUNT ? shape_table[op_table[w->op].shape].nsrc : 1;
}

static bool scalar_operand(const struct kernel_request *w, unsigned k)
{
    return w->op < OP_COUNT && shape_table[op_table[w->op].shape].src[k] == OC_SCALAR;
}

static enum operand_set set_of(const struct kernel_request *w)
{
    unsigned type = operand_type(w), n = operands_of(w);
    switch (w->op) {
    case OP_SHL: case OP_SHR: return wide_type(type) ? SET_SHIFT64 : SET_SHIFT;
    case OP_BFE: case OP_BFI: return SET_BITS;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: return SET_UNIT;
    case OP_POW: case OP_LIT: return SET_POW;
    default: break;
    }
    switch (type) {
    case DT_F16: return SET_F16U;
    case DT_F32: return n == 1 ? SET_F32U : n == 2 ? SET_F32 : SET_F32T;
    case DT_F64: return n == 1 ? SET_F64U : SET_F64;
    case DT_S64: case DT_U64: return n == 1 ? SET_I64U : SET_I64;
    default: return n == 1 ? SET_I32U : SET_I32;
    }
}

/* Component c of operand k of a record; 64-bit records have two, which are there twice. */
static uint64_t operand(const uint8_t *record, bool wide, unsigned k, unsigned c)
{
    uint64_t v = 0;
    if (wide)
        memcpy(&v, record + k * 16 + (c & 1) * 8, 8);
    else
        memcpy(&v, record + k * 16 + c * 4, 4);
    return v;
}

struct signs {
    uint32_t clear[3], flip[3];
};

/* The operands of one lane as the model wants them: signs applied, scalars spread. */
static void model_operands(const struct kernel_request *w, const uint8_t *record, const struct signs *signs,
                           uint64_t src[3][4])
{
    bool wide = wide_type(operand_type(w));
    for (unsigned k = 0; k < 3; k++)
        for (unsigned c = 0; c < 4; c++) {
            uint64_t v = operand(record, wide, k, scalar_operand(w, k) ? 0 : c);
            uint64_t clear = wide ? (uint64_t)signs->clear[k] << 32 : signs->clear[k];
            uint64_t flip = wide ? (uint64_t)signs->flip[k] << 32 : signs->flip[k];
            bool nan64 = operand_type(w) == DT_F64 && (v << 1) > 0xffe0000000000000u;
            src[k][c] = nan64 && (clear | flip) ? v | 1ull << 51 : (v & ~clear) ^ flip;
        }
}

/* ---- running a kernel ------------------------------------------------------------------------------------------------------ */

static void load(struct bench *b, const struct kernel_request *w, const uint8_t *records)
{
    bool wide = wide_type(operand_type(w));
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned k = 0; k < 3; k++)
            for (unsigned c = 0; c < 4; c++) {
                uint64_t v = operand(records + l * OPERAND_RECORD, wide, k, c);
                PLANE(b->base, PLANE_OF(k, c))[l] = (uint32_t)v;
                PLANE(b->base, PLANE_OF(k, c) + 1)[l] = (uint32_t)(v >> 32);
            }
}

/* mask: the components; in_place: results over an operand that allows it. */
static struct lane_op op_for(const struct kernel_request *w, unsigned mask, bool in_place, const struct signs *signs)
{
    struct lane_op op = {.n = 0};
    enum op_flow flow = eval_op_flow((enum gp5_op)w->op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            op.comp[op.n++] = (uint8_t)c;
    for (unsigned k = 0; k < 3; k++) {
        bool each = flow == FLOW_EACH || (flow == FLOW_BITS && k > 0);
        for (unsigned i = 0; i < 4; i++) {
            unsigned c = each ? op.comp[i < op.n ? i : 0] : i;
            op.src[k][i] = PLANE_OF(k, scalar_operand(w, k) ? 0 : c);
        }
        op.clear[k] = signs->clear[k];
        op.flip[k] = signs->flip[k];
    }
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = in_place ? PLANE_OF(flow == FLOW_BITS, op.comp[i]) : RESULT_PLANE(i);
    return op;
}

static void run_kernel(struct bench *b, const struct kernel_request *w, const struct kernel *k, const struct lane_op *op,
                       bool with_signs)
{
    uint8_t saved[8];
    bool keep = k->keep_denormals || w->semantics == GP5_SEMANTICS_SPEC;
    eval_float_enter(saved, keep ? FLOAT_KEEP : FLOAT_FLUSH);
    (with_signs ? k->run_signs : k->run)(b->base, op);
    eval_float_leave(saved);
}

static uint64_t result_of(struct bench *b, const struct kernel_request *w, const struct lane_op *op, unsigned i, unsigned l)
{
    uint64_t low = PLANE(b->base, op->dst[i])[l];
    return wide_result(w) ? low | (uint64_t)PLANE(b->base, op->dst[i] + 1)[l] << 32 : low;
}

/* ---- one batch of 32 lanes --------------------------------------------------------------------------------------------------- */

static void say(const struct kernel_request *w, const char *level, const uint64_t src[3][4], unsigned c)
{
    const char *name = w->op < OP_COUNT ? op_table[w->op].name : w->op == EVAL_OP_SAT ? "(SAT)" : w->op == EVAL_OP_SSAT ?
                       "(SSAT)" : "(HALF)";
    print_error("%s.%s.%s rounding %u clamp %u flags %x semantics %u on %s, component %u:", name, type_table[w->type].name,
                type_table[w->type2].name, w->rounding, w->saturate, w->flags, w->semantics, level, c);
    for (unsigned k = 0; k < operands_of(w); k++)
        print_error(" (%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 ")", src[k][0], src[k][1], src[k][2], src[k][3]);
    print_error("\n");
}

static bool same(const struct kernel_request *w, uint64_t got, uint64_t want)
{
    if (got == want)
        return true;
    return w->semantics == GP5_SEMANTICS_SPEC && scalar_is_nan(w, got) && scalar_is_nan(w, want);
}

/* A MOV.F with a sign is arithmetic, which the model knows as a sum. */
static void as_modelled(struct kernel_request *w, const struct signs *signs, uint64_t src[3][4])
{
    if (w->op != OP_MOV || w->type != DT_F32 || w->semantics != GP5_SEMANTICS_NVIDIA || !(signs->clear[0] | signs->flip[0]))
        return;
    w->op = OP_ADD;
    for (unsigned c = 0; c < 4; c++)
        src[1][c] = 0x80000000;
}

static void check_against_model(struct bench *b, const struct kernel_request *w, const struct lane_op *op,
                                const uint8_t *records, const uint32_t undefined[4], const struct signs *signs)
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
            uint64_t expected = want[replicated ? 0 : op->comp[i]], got = result_of(b, w, op, i, l);
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

static void check_batch(struct bench *b, const struct kernel_request *w, const struct kernel *kernels, const uint8_t *records,
                        unsigned mask, const struct signs *signs)
{
    static const struct signs none;
    bool with_signs = memcmp(signs, &none, sizeof none) != 0;
    struct lane_op op = op_for(w, mask, false, signs);
    uint64_t first[4][WARP_LANES];
    uint32_t undefined[4] = {0};

    for (unsigned v = 0; v < b->levels; v++)
        for (unsigned in_place = 0; in_place < 2; in_place++) {
            struct lane_op now = op_for(w, mask, in_place, signs);
            if (in_place && wide_result(w) != wide_type(operand_type(w)) && eval_op_flow((enum gp5_op)w->op) == FLOW_EACH)
                continue;
            load(b, w, records);
            if (v == 0 && !in_place && kernels[v].undefined)
                kernels[v].undefined(b->base, &now, undefined);
            run_kernel(b, w, &kernels[v], &now, with_signs);
            for (unsigned i = 0; i < now.n; i++)
                for (unsigned l = 0; l < WARP_LANES; l++) {
                    uint64_t got = result_of(b, w, &now, i, l);
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
    enum operand_set set = set_of(w);
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

/* ---- the tests ------------------------------------------------------------------------------------------------------------------ */

static const uint8_t semantics[] = {GP5_SEMANTICS_NVIDIA, GP5_SEMANTICS_SPEC};

/* Every row of the instruction table that computes lane by lane, in every type that it takes, has its kernel. */
static void complete(void **state)
{
    static const struct { uint8_t bit, type[2]; } columns[] = {
        {T_F, {DT_F32, DT_F32}}, {T_F64, {DT_F64, DT_F64}}, {T_I, {DT_S32, DT_U32}}, {T_I64, {DT_S64, DT_U64}},
    };
    struct bench *b = *state;
    unsigned found = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        if (eval_op_flow((enum gp5_op)op) == FLOW_NONE || op == OP_CVT || op == OP_I2F || op == OP_SWZ)
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
                    struct kernel_request w = {.op = (uint16_t)op, .type = types[t], .type2 = types[t], .flags = products[f],
                                               .semantics = semantics[s], .profile = PROFILE_NVCP5};
                    if (op != OP_CVT && op != OP_COUNT)
                        check_request(b, &w, 1);
                }
    print_message("%lu operations, %lu results on all levels, %lu of them modelled\n", b->requests, b->checked, b->modelled);
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
    print_message("%lu conversions, %lu results on all levels, %lu of them modelled\n", b->requests, b->checked, b->modelled);
    assert_true(b->requests == (3 * 3 + 8 * 2) * 11 * 5 * 2);
}

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
            run_kernel(b, &widen, &up, &there, false);
            run_kernel(b, &narrow, &down, &back, false);
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

/* ---- MPFR --------------------------------------------------------------------------------------------------------------------------- */

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
    bool wide = wide_type(type);
    struct kernel_request w = {.op = (uint16_t)op, .type = (uint8_t)type, .type2 = (uint8_t)type, .semantics = (uint8_t)how};
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
            struct lane_op o = op_for(&w, 3, false, &none);
            load(b, &w, records);
            run_kernel(b, &w, &k, &o, false);
            for (unsigned l = 0; l < WARP_LANES; l++)
                for (unsigned c = 0; c < 2; c++) {
                    uint64_t v3[3] = {0};
                    for (unsigned n = 0; n < operands_of(&w); n++)
                        v3[n] = operand(records + l * OPERAND_RECORD, wide, n, scalar_operand(&w, n) ? 0 : c);
                    uint64_t got = result_of(b, &w, &o, c, l), want = exactly(op, wide, v3);
                    if (got != want && !(scalar_is_nan(&w, got) && scalar_is_nan(&w, want)))
                        fail_msg("%s.%s on %s: %" PRIx64 " %" PRIx64 " %" PRIx64 " gives %" PRIx64 ", exactly %" PRIx64,
                                 op_table[op].name, type_table[type].name, b->level[v]->level, v3[0], v3[1], v3[2], got, want);
                }
        }
    }
    mpfr_set_emin(least);
    mpfr_set_emax(most);
}

static void rounded_once(void **state)
{
    static const struct { uint16_t op; uint8_t type; } rows[] = {
        {OP_ADD, DT_F32}, {OP_SUB, DT_F32}, {OP_MUL, DT_F32}, {OP_MAD, DT_F32}, {OP_ADD, DT_F64}, {OP_SUB, DT_F64},
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
        uint64_t word = operand(b->set[SET_F64U] + (size_t)i * OPERAND_RECORD, true, 0, i & 1) & ~(1ull << 63);
        struct lane_op op = {.n = 1, .dst = {2}};
        if (word == 0 || word >= 0x7ff0000000000000u)
            continue;
        for (unsigned l = 0; l < WARP_LANES; l++)
            b->base[l] = (uint32_t)word, b->base[WARP_LANES + l] = (uint32_t)(word >> 32);
        run_kernel(b, &w, &k, &op, false);
        mpfr_t x;
        mpfr_init2(x, 53);
        to_mpfr(x, word, true);
        mpfr_rec_sqrt(x, x, MPFR_RNDN);
        int64_t off = (int64_t)(result_of(b, &w, &op, 0, 0) - from_mpfr(x, 0, true));
        mpfr_clear(x);
        assert_in_range(off + 2, 0, 4);
    }
}

/* ---- overflow and carry ----------------------------------------------------------------------------------------------------------------- */

struct sum_flags {
    bool overflow, carry;
};

static struct sum_flags flags_of(unsigned op, unsigned type, const uint64_t v[3])
{
    unsigned bits = wide_type(type) ? 64 : 32;
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
    struct sum_flags f = {.overflow = op == OP_SUB ? sx != sy && sr != sx : sx == sy && sr != sx, .carry = sum >= limit};
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
            enum operand_set set = wide_type(w.type) ? SET_I64 : SET_I32;
            struct lane_op op = op_for(&w, 15, false, &none);
            struct kernel k;
            assert_true(b->level[v]->find(&w, &k));
            assert_non_null(k.carry);
            for (unsigned i = 0; i < operand_sets[set].lanes / WARP_LANES; i++) {
                const uint8_t *records = b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD;
                uint32_t overflow[4], carry[4];
                load(b, &w, records);
                k.carry(b->base, &op, overflow, carry);
                for (unsigned l = 0; l < WARP_LANES; l++)
                    for (unsigned c = 0; c < 4; c++) {
                        uint64_t src[3] = {0};
                        for (unsigned n = 0; n < 3; n++)
                            src[n] = operand(records + l * OPERAND_RECORD, wide_type(w.type), n, c);
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
        cmocka_unit_test(complete), cmocka_unit_test(every_operation), cmocka_unit_test(every_conversion), cmocka_unit_test(every_half),
        cmocka_unit_test(rounded_once), cmocka_unit_test(root_is_near), cmocka_unit_test(overflow_and_carry),
    };
    return cmocka_run_group_tests_name("kernels", tests, setup, teardown);
}
