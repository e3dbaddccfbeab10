/* DIV.U and MOD of what a load of several bytes or shorts with signs has put into its block: to the driver's compiler that is a number of few bits, which it
 * divides as singles, though negative ones have 32 (docs/numbers.md). */
#include "eval/block_ends.h"
#include "eval/decode.h"
#include "eval/decoders.h"

#include <string.h>

/* Planes of the components at hand. */
struct planes { uint32_t of[4]; };

struct stepper {
    struct decoder *d;
    unsigned n;
    bool ok;
};

static bool loads_few(const struct insn *insn)
{
    bool loads = insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD || insn->op == OP_LOADIM;

    return loads && insn->width > 1 && (insn->type == DT_S8 || insn->type == DT_S16);
}

static bool is_plain(const struct decoder *d, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && !o->nindices && !(o->flags & OPND_SIGNS) && program_symbol(d->p, o->ref)->size == SIZE_DEFAULT;
}

/* What an instruction copies as it is; -1: it does not. */
static int copied(const struct decoder *d, const struct insn *insn)
{
    bool words = insn->op == OP_CVT ? insn->type == DT_S32 && insn->type2 == DT_S16 : type_table[insn->type].bytes == 4;
    bool is_float = type_table[insn->type].is_float;

    if (!words || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    if (insn->op == OP_MOV || insn->op == OP_CVT)
        return 0;
    return (insn->op == OP_ADD || insn->op == OP_OR) && !is_float && eval_is_zero(d->p, insn, 1) ? 0 : -1;
}

/* Which components of each variable have been loaded so in the block at hand; `block` says for which block that holds. */
struct loaded { uint8_t *of; uint32_t *block, now; };

static uint8_t few_of(const struct decoder *d, const struct loaded *l, const struct operand *o)
{
    uint8_t few = is_plain(d, o) && l->block[o->ref] == l->now ? l->of[o->ref] : 0, is = 0;

    for (unsigned c = 0; few && c < 4; c++)
        is |= (uint8_t)((few >> (o->swizzle >> 2 * c & 3) & 1) << c);
    return is;
}

static bool may_divide_few(const struct decoder *d, const struct insn *insn)
{
    const struct operand *b;

    if (!(insn->op == OP_MOD || insn->op == OP_DIV) || !(insn->type == DT_U32 || (insn->type == DT_S32 && insn->op == OP_MOD)))
        return false;
    b = program_operand(d->p, insn->src + 1);
    return b->kind != OPND_CONSTANT && !(b->flags & OPND_SIGNS);
}

static void note_write(struct loaded *l, const struct insn *insn, uint8_t few)
{
    const struct result *r = &insn->dst;

    if (eval_ends_block(insn))      /* what such an instruction loads is behind that end */
        l->now++;
    if (r->kind != OPND_SYMBOL)
        return;
    if (l->block[r->ref] != l->now)
        l->of[r->ref] = 0;
    l->block[r->ref] = l->now;
    l->of[r->ref] &= (uint8_t)~r->mask;
    if (!r->nindices && !condition_restricts(&r->condition))
        l->of[r->ref] |= r->mask & (loads_few(insn) ? 15 : few);
}

bool eval_find_few(struct decoder *d)
{
    uint32_t n = (uint32_t)d->p->insns.count, symbols = (uint32_t)d->p->symbols.count;
    struct loaded l = {.now = 1};
    bool any = false;

    for (uint32_t i = 0; eval_has(d, PASS_div_small) && i < n && !any; i++)
        any = loads_few(program_insn(d->p, i));
    if (!any)
        return true;
    d->few = gp5_malloc(n);
    l.of = gp5_malloc(symbols + 1u);
    l.block = gp5_malloc((symbols + 1u) * sizeof *l.block);
    if (d->few && l.of && l.block) {
        memset(d->few, 0, n);
        memset(l.of, 0, symbols + 1u);
        memset(l.block, 0, (symbols + 1u) * sizeof *l.block);
        for (uint32_t i = 0; i < n; i++) {
            const struct insn *insn = program_insn(d->p, i);
            const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;
            int k = copied(d, insn);
            l.now += d->shorts.labels[i];
            if (may_divide_few(d, insn) && !(few_of(d, &l, o + 1) & 1))
                d->few[i] = few_of(d, &l, o) & insn->dst.mask;
            note_write(&l, insn, k < 0 ? 0 : few_of(d, &l, o + k));
        }
    }
    gp5_free(l.of);
    gp5_free(l.block);
    return (d->few && l.of && l.block) || eval_out_of_memory(d);
}

static struct planes step(struct stepper *s, struct kernel_request want, const struct planes *a, const struct planes *b)
{
    struct lane_op op = {.n = (uint8_t)s->n};
    struct planes out = {{0}};

    for (unsigned i = 0; i < s->n; i++) {
        op.src[0][i] = a->of[i];
        op.src[1][i] = b ? b->of[i] : 0;
        op.dst[i] = out.of[i] = eval_layout_scratch(&s->d->layout);
    }
    s->ok = s->ok && eval_raw(s->d, &want, &op, NULL);
    return out;
}

static struct planes words(struct stepper *s, uint16_t op, struct planes a, struct planes b)
{
    return step(s, eval_request(s->d, op, DT_U32), &a, &b);
}

static struct planes word(struct stepper *s, uint32_t number)
{
    uint32_t plane = eval_layout_word(&s->d->layout, number);

    return (struct planes){{plane, plane, plane, plane}};
}

static struct planes convert(struct stepper *s, struct planes a, uint8_t to, uint8_t from, uint8_t rounding)
{
    struct kernel_request want = eval_request(s->d, OP_CVT, to);

    want.type2 = from;
    want.rounding = rounding;
    return step(s, want, &a, NULL);
}

/* The upper 24 bits of a number and the reciprocal less two of its last places, multiplied towards zero; one more where the remainder says so. */
static struct planes divide(struct stepper *s, struct planes a, struct planes b, bool remainder)
{
    uint32_t mask = eval_layout_word64(&s->d->layout, ~(uint64_t)0x1fffffff);
    struct planes places = word(s, 31), sign = step(s, eval_request(s->d, OP_SHR, DT_S32), &a, &places);
    struct planes upper = words(s, OP_SUB, a, words(s, OP_AND, words(s, OP_AND, sign, a), word(s, 255)));
    struct planes single = convert(s, b, DT_F32, DT_U32, 0), inverse = step(s, eval_request(s->d, OP_RCP, DT_F32), &single, NULL);
    struct planes x = convert(s, convert(s, upper, DT_F32, DT_U32, 0), DT_F64, DT_F32, 0);
    struct planes y = convert(s, words(s, OP_SUB, inverse, word(s, 2)), DT_F64, DT_F32, 0), bits = {{mask, mask, mask, mask}};
    struct planes product = step(s, eval_request(s->d, OP_MUL, DT_F64), &x, &y);
    struct planes quotient, rest, more, none = words(s, OP_SEQ, b, word(s, 0));

    product = step(s, eval_request(s->d, OP_AND, DT_U64), &product, &bits);
    quotient = convert(s, product, DT_U32, DT_F64, MOD_TRUNC);
    rest = words(s, OP_SUB, a, words(s, OP_MUL, quotient, b));
    more = words(s, OP_SGE, rest, b);
    return words(s, OP_OR, none, remainder ? words(s, OP_SUB, rest, words(s, OP_AND, more, b)) : words(s, OP_SUB, quotient, more));
}

bool eval_decode_few(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct operand *a = program_operand(d->p, insn->src), *b = a + 1;
    struct lane_op op = {.n = 0};
    struct stepper s = {.d = d, .ok = true};
    struct planes dividend, divisor, r;
    struct kernel_request want;
    uint8_t few = d->few ? d->few[d->insn] : 0;

    if (!few)
        return true;
    *done = true;
    s.n = op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    if (!eval_place_operand(d, insn, &op, 0, a, insn->type) || !eval_place_operand(d, insn, &op, 1, b, insn->type))
        return false;
    memcpy(dividend.of, op.src[0], sizeof dividend.of);
    memcpy(divisor.of, op.src[1], sizeof divisor.of);
    want = eval_request_of(d, insn, insn->op);
    r = step(&s, want, &dividend, &divisor);
    dividend = divide(&s, dividend, divisor, insn->op == OP_MOD);
    for (unsigned i = 0; i < op.n; i++)
        r.of[i] = few >> op.comp[i] & 1 ? dividend.of[i] : r.of[i];
    return s.ok && eval_decode_result(d, insn, insn->type, r.of, NULL, 0);
}
