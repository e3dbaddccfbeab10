/* What the columns of asm/isa.def say of an opcode that computes within a lane is true of its kernels: what it reads,
 * whether its operands may change places, whether it copies, chooses, compares, sums or rounds, and what the driver's
 * compiler computes of constants. Operands are those of test_kernels, with NaNs, infinities, denormals and the limits
 * of integers; what a row does not claim, some input has to refute. cost: 2 */
#include "tests/unit/kernels/kernel_bench.h"
#include "eval/numeric/fenv.h"
#include "model/const/lattice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct number {
    uint64_t word;
    double value;               /* of floats; of integers what may stand beside it */
    bool is_nan, is_denormal;
};

static const uint8_t types[] = {DT_F32, DT_F64, DT_S32, DT_U32, DT_S64, DT_U64};

/* One opcode in one type, under one reading, and what all its inputs have shown of it so far. */
struct subject {
    struct bench *bench;
    struct kernel_request want;
    struct kernel kernel;
    const char *name;
    uint8_t operand_type[3], result_type;
    unsigned nsrc;
    bool exact;                 /* denormals are what they are */
};

/* Of an opcode, over its types: a property that was seen to fail, and components that mattered. */
struct shown {
    uint32_t not;               /* enum op_trait: some input says that it is not so */
    uint32_t tried;             /* it was looked at */
    bool yes, no;               /* TRUE and FALSE came out */
    uint64_t mattered;          /* as op_info's data */
};

static struct number number_of(uint64_t word, uint8_t type)
{
    struct number n = {.word = word};
    uint32_t low = (uint32_t)word;
    float single;

    memcpy(&single, &low, sizeof single);
    if (type == DT_F64)
        memcpy(&n.value, &word, sizeof n.value);
    else if (type_table[type].is_float)
        n.value = (double)single;
    n.is_nan = isnan(n.value);
    n.is_denormal = type_table[type].is_float && n.value != 0 &&
                    fabs(n.value) < (type == DT_F64 ? 0x1p-1022 : 0x1p-126);
    if (!kernel_wide_type(type))
        n.word = low;
    return n;
}

static bool subject_of(struct bench *b, unsigned op, uint8_t type, uint8_t type2, uint8_t semantics, struct subject *s)
{
    struct insn insn = {.op = (uint16_t)op, .type = type, .type2 = type2};

    *s = (struct subject){.bench = b, .name = op_table[op].name, .nsrc = shape_table[op_table[op].shape].nsrc};
    s->want = (struct kernel_request){
        .op = (uint16_t)op, .type = type, .type2 = type2, .semantics = semantics, .profile = PROFILE_NVCP5};
    if (op == OP_I2F && !type_table[type].is_float) {   /* a CVT from that type is what computes it */
        s->want.op = OP_CVT;
        s->want.type = DT_F32;
    }
    if (eval_op_flow((enum gp5_op)op) == FLOW_NONE || !(op_table[op].kind & K_LANES) || s->nsrc > 3 ||
        !b->level[0]->find(&s->want, &s->kernel))
        return false;
    for (unsigned k = 0; k < s->nsrc; k++)
        s->operand_type[k] = eval_operand_type(&insn, k);
    s->result_type = eval_result_type(&insn);
    s->exact = semantics == GP5_SEMANTICS_SPEC || s->kernel.keep_denormals;
    return true;
}

static struct number operand_at(const struct subject *s, const struct lane_op *op, unsigned k, unsigned i, unsigned l)
{
    uint64_t low = PLANE(s->bench->base, op->src[k][i])[l],
             high = kernel_wide_type(s->operand_type[k]) ? PLANE(s->bench->base, op->src[k][i] + 1)[l] : 0;

    return number_of(low | high << 32, s->operand_type[k]);
}

/* The results of the planes as they are. */
static void results(struct subject *s, const struct lane_op *op, uint64_t to[4][WARP_LANES])
{
    kernel_run(s->bench, &s->want, &s->kernel, op, false);
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            to[i][l] = number_of(kernel_result(s->bench, &s->want, op, i, l), s->result_type).word;
}

/* The same, or two NaNs, or two zeros. */
static bool alike(const struct subject *s, uint64_t a, uint64_t b)
{
    struct number x = number_of(a, s->result_type), y = number_of(b, s->result_type);

    return a == b || (x.is_nan && y.is_nan) || (type_table[s->result_type].is_float && x.value == 0 && y.value == 0);
}

/* The same number, where a denormal may have become zero; of either sign if `any_sign`. */
static bool same_number(const struct subject *s, struct number a, uint64_t result, bool any_sign)
{
    struct number r = number_of(result, s->result_type);
    uint64_t top = kernel_wide_type(s->result_type) ? UINT64_C(1) << 63 : 0x80000000;

    if (type_table[s->result_type].is_float)
        return (a.is_nan && r.is_nan) || (a.is_denormal && r.value == 0) || a.word == r.word ||
               (any_sign && (a.word ^ top) == r.word);
    return a.word == r.word || (any_sign && ((0 - a.word) & (2 * top - 1)) == r.word);
}

static void swapped(struct subject *s, const struct lane_op *op, uint64_t was[4][WARP_LANES], struct shown *shown)
{
    uint64_t now[4][WARP_LANES];
    struct lane_op other = *op;

    if (s->nsrc < 2 || kernel_scalar_operand(&s->want, 0) != kernel_scalar_operand(&s->want, 1) ||
        s->operand_type[0] != s->operand_type[1] || eval_op_flow((enum gp5_op)s->want.op) == FLOW_BITS)
        return;
    memcpy(other.src[0], op->src[1], sizeof other.src[0]);
    memcpy(other.src[1], op->src[0], sizeof other.src[1]);
    results(s, &other, now);
    shown->tried |= A_COMMUTES;
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (now[i][l] != was[i][l] && !alike(s, now[i][l], was[i][l]))
                shown->not |= A_COMMUTES;
}

/* Whether the result is an operand's component, and 1.0, -1 or all ones, or 0. */
static void taken(struct subject *s, const struct lane_op *op, uint64_t was[4][WARP_LANES], struct shown *shown)
{
    bool floats = type_table[s->result_type].is_float, wide = kernel_wide_type(s->result_type);
    uint64_t yes = !floats ? wide ? UINT64_MAX : 0xffffffff : wide ? UINT64_C(0x3ff) << 52 : 0x3f800000;

    shown->tried |= A_COPIES | A_CHOOSES | A_COMPARES | A_ROUNDS;
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned l = 0; l < WARP_LANES; l++) {
            struct number a = operand_at(s, op, 0, i, l), r = number_of(was[i][l], s->result_type);
            bool one = false, nan = false;
            for (unsigned k = 0; k < s->nsrc; k++) {
                struct number o = operand_at(s, op, k, i, l);
                one |= same_number(s, o, was[i][l], false);
                nan |= o.is_nan;
            }
            if (s->nsrc != 1 || s->operand_type[0] != s->result_type || !same_number(s, a, was[i][l], true))
                shown->not |= A_COPIES;
            if (s->nsrc < 2 || !one)
                shown->not |= A_CHOOSES;
            if (was[i][l] != yes && was[i][l] != 0)
                shown->not |= A_COMPARES;
            if (nan && was[i][l])
                shown->not |= A_ORDERS;
            shown->yes |= was[i][l] == yes;
            shown->no |= was[i][l] == 0;
            if (s->nsrc != 1 || !type_table[s->operand_type[0]].is_float ||
                (floats && isfinite(a.value) && !(fabs(r.value - a.value) <= 1 && rint(r.value) == r.value)))
                shown->not |= A_ROUNDS;
        }
}

/* One more in the last operand is one more or less in the result. */
static void added(struct subject *s, const struct lane_op *op, uint64_t was[4][WARP_LANES], struct shown *shown)
{
    uint64_t now[4][WARP_LANES], all = kernel_wide_type(s->result_type) ? UINT64_MAX : 0xffffffff;
    unsigned k = s->nsrc - 1;

    if (type_table[s->want.type].is_float || s->nsrc < 2 || kernel_scalar_operand(&s->want, k) ||
        type_table[s->operand_type[k]].is_float)
        return;
    shown->tried |= A_SUM;
    for (unsigned l = 0; l < WARP_LANES; l++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t *low = &PLANE(s->bench->base, PLANE_OF(k, c))[l];
            PLANE(s->bench->base, PLANE_OF(k, c) + 1)[l] += ++*low == 0;
        }
    results(s, op, now);
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            if (((now[i][l] - was[i][l]) & all) != 1 && ((was[i][l] - now[i][l]) & all) != 1)
                shown->not |= A_SUM;
}

/* Each component of each operand, other words in it: what changes, and where not a bit beside those changed. */
static void read_components(struct subject *s, const struct lane_op *op, const uint8_t *records,
                            uint64_t was[4][WARP_LANES], uint64_t *state, struct shown *shown)
{
    uint64_t now[4][WARP_LANES], turned[WARP_LANES];

    for (unsigned k = 0; k < s->nsrc; k++)
        for (unsigned c = 0; c < (kernel_scalar_operand(&s->want, k) ? 1u : 4u); c++) {
            kernel_load(s->bench, &s->want, records);
            for (unsigned l = 0; l < WARP_LANES; l++) {
                uint32_t *low = &PLANE(s->bench->base, PLANE_OF(k, c))[l], *high = low + WARP_LANES;
                uint64_t old = *low | (uint64_t)*high << 32;
                if (l & 1) {        /* a bit, or another lane's words */
                    turned[l] = UINT64_C(1)
                                << (operand_random(state) & (kernel_wide_type(s->operand_type[k]) ? 63 : 31));
                } else {
                    unsigned other = (l + 7 + 2 * (unsigned)(operand_random(state) % 12)) % WARP_LANES;
                    turned[l] = old ^ (PLANE(s->bench->base, PLANE_OF(k, c))[other] |
                                       (uint64_t)PLANE(s->bench->base, PLANE_OF(k, c) + 1)[other] << 32);
                }
                *low ^= (uint32_t)turned[l];
                *high ^= (uint32_t)(turned[l] >> 32);
            }
            results(s, op, now);
            for (unsigned i = 0; i < op->n; i++)
                for (unsigned l = 0; l < WARP_LANES; l++) {
                    if (now[i][l] != was[i][l])
                        shown->mattered |= UINT64_C(1) << (16 * k + 4 * op->comp[i] + c);
                    if ((now[i][l] ^ was[i][l]) & ~turned[l])
                        shown->not |= A_BITWISE;
                }
        }
    shown->tried |= A_BITWISE;
}

static void look_at(struct bench *b, unsigned op, struct shown *shown)
{
    static const struct signs none;
    uint64_t state = op + 1, was[4][WARP_LANES];

    for (unsigned t = 0; t < sizeof types; t++)
        for (unsigned semantics = GP5_SEMANTICS_NVIDIA; semantics <= GP5_SEMANTICS_SPEC; semantics++) {
            struct subject s;
            if (op == OP_CVT || !subject_of(b, op, types[t], types[t], (uint8_t)semantics, &s))
                continue;
            enum operand_set set = kernel_set_of(&s.want);
            unsigned batches = operand_sets[set].lanes / WARP_LANES, step = batches / 96 + 1;
            for (unsigned i = 0; i < batches; i += step) {
                const uint8_t *records = b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD;
                struct lane_op all = kernel_op(&s.want, 15, false, &none);
                kernel_load(b, &s.want, records);
                results(&s, &all, was);
                swapped(&s, &all, was, shown);
                taken(&s, &all, was, shown);
                read_components(&s, &all, records, was, &state, shown);
                kernel_load(b, &s.want, records);
                added(&s, &all, was, shown);
            }
        }
}

/* ---- what the compiler computes of constants ----------------------------------------------------------------------
 */

struct folding {
    uint32_t in;                /* enum op_folds: types in which some input is computed */
    unsigned long same, other;  /* as the kernel does it, and otherwise */
};

static uint32_t folds_in(uint8_t type)
{
    return type == DT_F16   ? F_HALF
           : type == DT_F32 ? F_SINGLE
           : type == DT_F64 ? F_DOUBLE
                            : (kernel_wide_type(type) ? F_LONG : F_WORD);
}

/* One record as constants: what component c of the result is. */
static bool folded(const struct subject *s, const struct insn *insn, const struct lane_op *op, unsigned l, unsigned c,
                   uint64_t *word)
{
    uint8_t saved[8];
    struct fold f = {.insn = insn, .component = c, .half = insn->type == DT_F16};

    for (unsigned k = 0; k < s->nsrc; k++) {
        uint8_t reads = eval_component_reads(insn->op, k, c);
        for (unsigned i = 0; i < 4; i++)
            f.src[k][i] = operand_at(s, op, k, i, l).word;
        f.first[k] = reads ? (uint8_t)__builtin_ctz(reads) : 0;
    }
    eval_float_enter(saved, FLOAT_KEEP);
    bool is = model_fold_computed(&f, word);
    eval_float_leave(saved);
    return is;
}

static void fold_all(struct bench *b, unsigned op, uint8_t type, uint8_t type2, struct folding *folding)
{
    static const struct signs none;
    bool half = type == DT_F16 && op != OP_CVT;
    struct insn insn = {.op = (uint16_t)op, .type = type, .type2 = type2}, precise;
    struct subject s;
    uint64_t was[4][WARP_LANES], word;

    /* halves are kept as singles, and computed by kernels of singles where there are none of halves */
    if (!subject_of(b, op, half ? DT_F32 : type, half ? DT_F32 : type2, GP5_SEMANTICS_NVIDIA, &s))
        return;
    insn.nsrc = (uint8_t)s.nsrc;
    precise = insn;
    precise.flags = INSN_PREC;
    enum operand_set set = kernel_set_of(&s.want);
    unsigned batches = operand_sets[set].lanes / WARP_LANES, step = batches / 32 + 1;
    for (unsigned i = 0; i < batches; i += step) {
        struct lane_op all = kernel_op(&s.want, 15, false, &none);
        kernel_load(b, &s.want, b->set[set] + (size_t)i * WARP_LANES * OPERAND_RECORD);
        results(&s, &all, was);
        for (unsigned l = 0; l < WARP_LANES; l++)
            for (unsigned c = 0; c < 4; c++) {
                if (!(op_table[op].gives >> c & 1))
                    continue;
                if (folded(&s, &precise, &all, l, c, &word))
                    folding->in |= folds_in(type);
                if (!folded(&s, &insn, &all, l, c, &word))
                    continue;
                folding->in |= folds_in(type);
                word = number_of(word, s.result_type).word;
                if (!half && op != OP_CVT && word != was[c][l] &&
                    !(number_of(word, s.result_type).is_nan && number_of(was[c][l], s.result_type).is_nan))
                    folding->other++;
                else
                    folding->same++;
            }
    }
}

static struct folding folding_of(struct bench *b, unsigned op)
{
    static const uint8_t all[] = {DT_F32, DT_F16, DT_F64, DT_S32, DT_U32, DT_S64, DT_U64};
    struct folding f = {0};

    for (unsigned t = 0; t < sizeof all; t++)
        for (unsigned from = 0; from < sizeof all; from++)
            if (op == OP_CVT || from == t)
                fold_all(b, op, all[t], all[from], &f);
    return f;
}

/* What is wrong with a row that says `folds`, or NULL. What is computed of constants does not ask the row
 * (model_fold_computed), and what a kernel computes of the same words at run time asks neither. */
static const char *fold_fault(uint8_t folds, const struct folding *f)
{
    if (folds & F_NEVER && f->in)
        return "says F_NEVER, and constants are computed";
    if (f->in & ~folds)
        return "lacks a type in which constants are computed";
    if (folds & F_ALL & ~f->in)
        return "names a type in which no constants are computed";
    if (f->other && !(folds & F_OTHERWISE))
        return "lacks F_OTHERWISE: of some constants it is another word than at run time";
    if (folds & F_OTHERWISE && !f->other)
        return "says F_OTHERWISE, and all constants give the words of run time";
    return folds & (F_NEVER | F_ALL) ? NULL : "says nothing";
}

static void folds(void **state)
{
    unsigned wrong = 0, compared = 0;

    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct folding f = folding_of(*state, op);
        const char *fault = fold_fault(op_table[op].folds, &f);
        compared += f.same + f.other != 0;
        if (fault) {
            print_message("%s: asm/isa.def %s (%02x, seen in %02x; %lu alike, %lu otherwise)\n", op_table[op].name,
                          fault, op_table[op].folds, f.in, f.same, f.other);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(compared > 40);
}

/* Any other column than the one that stands there is refused. */
static void other_folds(void **state)
{
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct folding f = folding_of(*state, op);
        for (unsigned bit = F_NEVER; bit <= F_OTHERWISE; bit <<= 1) {
            uint8_t otherwise = op_table[op].folds ^ (uint8_t)bit;
            if (!fold_fault(otherwise, &f))
                fail_msg("%s: %02x is taken where asm/isa.def says %02x", op_table[op].name, otherwise,
                         op_table[op].folds);
        }
    }
}

/* What all inputs together say of an opcode. */
static uint32_t proved(const struct shown *shown)
{
    uint32_t is = shown->tried & ~shown->not;

    if (!shown->mattered)           /* made of nothing */
        is &= ~(uint32_t)A_BITWISE;
    if (!shown->yes || !shown->no)
        is &= ~(uint32_t)A_COMPARES;
    return is & ~(uint32_t)(is & A_COMMUTES ? A_ORDERS : A_EQUALS);
}

static void traits(void **state)
{
    static const struct { uint32_t bit; const char *name; } of[] = {
        {A_COMMUTES, "A_COMMUTES"}, {A_COPIES, "A_COPIES"}, {A_CHOOSES, "A_CHOOSES"}, {A_SUM, "A_SUM"},
        {A_ROUNDS, "A_ROUNDS"}, {A_BITWISE, "A_BITWISE"}, {A_ORDERS, "A_ORDERS"}, {A_EQUALS, "A_EQUALS"},
    };
    unsigned looked_at = 0, wrong = 0;

    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct shown shown = {0};
        uint64_t reads = 0;
        look_at(*state, op, &shown);
        if (!shown.tried)
            continue;
        looked_at++;
        for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
            bool says = op_has(op, of[i].bit), is = proved(&shown) & of[i].bit;
            if (says != is) {
                print_message("%s: %s is %s, and its kernels say %s\n", op_table[op].name, of[i].name,
                              says ? "there" : "not there", is ? "yes" : "no");
                wrong++;
            }
        }
        for (unsigned k = 0; k < shape_table[op_table[op].shape].nsrc; k++)
            for (unsigned c = 0; c < 4; c++)
                reads |= (uint64_t)eval_component_reads(op, k, c) << (16 * k + 4 * c);
        for (unsigned c = 0; c < 4; c++)        /* of what it does not write, nothing is known */
            if (!(op_table[op].gives >> 4 >> c & 1)) {
                reads &= ~(UINT64_C(0x000f000f000f) << 4 * c);
                shown.mattered &= ~(UINT64_C(0x000f000f000f) << 4 * c);
            }
        if (shown.mattered != reads) {
            print_message("%s: it reads %llx, and its kernels %llx\n", op_table[op].name, (unsigned long long)reads,
                          (unsigned long long)shown.mattered);
            wrong++;
        }
    }
    print_message("%u opcodes looked at\n", looked_at);
    assert_int_equal(wrong, 0);
    assert_true(looked_at > 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(traits, kernel_bench_setup, kernel_bench_teardown),
        cmocka_unit_test_setup_teardown(folds, kernel_bench_setup, kernel_bench_teardown),
        cmocka_unit_test_setup_teardown(other_folds, kernel_bench_setup, kernel_bench_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
