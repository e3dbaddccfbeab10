/* DIV and MOD of 64-bit integers that set the flags that they are tested by: the driver's compiler calls a subroutine of its own for them, which leaves
 * something else in the predicates that the sign and the zero were held in (docs/numbers.md, "Condition codes"). Of x it is what the division of the first
 * component that is written ends with, of the others always the same. */
#include "eval/lost_tests.h"

#include "eval/result_steps.h"

static uint8_t swizzle_of(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

bool eval_loses_test(const struct decoder *d, const struct insn *insn)
{
    const struct condition *test = &insn->dst.condition;
    bool divides = (insn->op == OP_DIV || insn->op == OP_MOD) && (insn->type == DT_U64 || insn->type == DT_S64);

    if (!eval_has(d, PASS_div64) || !divides || insn->dst.kind != OPND_SYMBOL || insn->dst.nindices || swizzle_of(test) == 0xe4 ||
        !program_is_long(d->p, insn->dst.kind, insn->dst.ref) || insn->cc_update != (test->cc & 1) + 1)
        return false;
    return condition_restricts(test) && test->rule != CC_FL && test->rule != CC_RESIDENT && test->rule != CC_NONRESIDENT;
}

/* What a rule says of integers; nothing is carried. */
static bool says(unsigned rule, bool sign, bool zero)
{
    switch (rule) {
    case CC_EQ: return !sign && zero;
    case CC_NE: return sign || !zero;
    case CC_LT: case CC_SF: return sign;
    case CC_GT: return !sign && !zero;
    case CC_LE: return sign != zero;
    case CC_NAN: return sign && zero;
    case CC_LEG: return !sign || !zero;
    case CC_CF: case CC_OF: case CC_AB: return false;
    case CC_NCF: case CC_NOF: case CC_BLE: return true;
    default: return !sign;          /* GE, NSF */
    }
}

/* The flags behind the subroutine: of U64 the sign is the opposite of zero, of S64 it is zero always. */
static bool passes(const struct insn *insn, bool sign)
{
    return says(insn->dst.condition.rule, sign, insn->type == DT_S64 || !sign);
}

static bool with_word(struct decoder *d, uint16_t op, uint8_t type, uint64_t word, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, op, type);
    bool wide = type_table[type].bytes == 8;
    struct lane_op lane = {.n = 1, .src = {{*plane}, {wide ? eval_layout_word64(&d->layout, word) : eval_layout_word(&d->layout, (uint32_t)word)}}};

    *plane = lane.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &lane, NULL);
}

static bool with_plane(struct decoder *d, uint16_t op, uint32_t other, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, op, DT_U64);
    struct lane_op lane = {.n = 1, .src = {{*plane}, {other}}};

    *plane = lane.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &lane, NULL);
}

/* The highest bit: whether a number is not above 0. */
static bool not_above(struct decoder *d, uint32_t number, uint32_t *plane)
{
    *plane = number;
    return with_word(d, OP_ADD, DT_U64, UINT64_MAX, plane) && with_plane(d, OP_OR, number, plane);
}

/* The sign that x has then: of U64 the last bit of the quotient; of S64 whether the dividend is not above 0, of DIV the other way round where the divisor is
 * not. */
static bool sign_of_x(struct decoder *d, const struct insn *insn, uint32_t *plane)
{
    struct fetched dividend, divisor;
    uint32_t other = NO_PLANE;
    unsigned first = 0;

    while (!(insn->dst.mask >> first & 1))
        first++;
    if (!eval_fetch(d, program_operand(d->p, insn->src), insn->type, (uint8_t)(1u << first), false, &dividend) ||
        !eval_fetch(d, program_operand(d->p, insn->src + 1), insn->type, 1, false, &divisor))
        return false;
    *plane = dividend.plane[first];
    if (insn->type == DT_U64)
        return with_plane(d, OP_DIV, divisor.plane[0], plane) && with_word(d, OP_AND, DT_U64, 1, plane);
    return not_above(d, dividend.plane[first], plane) && (insn->op == OP_MOD || (not_above(d, divisor.plane[0], &other) && with_plane(d, OP_XOR, other, plane))) &&
           with_word(d, OP_SHR, DT_U64, 63, plane);
}

bool eval_keep_lost_outcome(struct decoder *d, const struct insn *insn)
{
    struct insn plain = *insn;
    struct write out = {.cc_update = EARLIER + 1, .flag_type = DT_S32, .index = NO_PLANE};
    uint32_t fails = eval_layout_word(&d->layout, 0), always = eval_layout_word(&d->layout, 1), of_x = NO_PLANE;

    plain.dst.condition = (struct condition){0};
    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    for (unsigned i = 0; i < out.n; i++) {
        unsigned at = swizzle_of(&insn->dst.condition) >> 2 * out.comp[i] & 3;
        bool one = passes(insn, at ? insn->type == DT_U64 || at == 3 : true), other = at ? one : passes(insn, false);
        if (one != other && of_x == NO_PLANE && (!sign_of_x(d, insn, &of_x) || (other && !with_word(d, OP_XOR, DT_U32, 1, &of_x))))
            return false;
        out.from[i] = out.to[i] = out.flag_from[i] = one != other ? of_x : one ? always : fails;
        out.answers.more[i] = NO_PLANE;
    }
    return eval_write_plain(d, &plain, &out);
}
