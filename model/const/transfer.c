/* What the driver's compiler learns of a result, by what it knows of the operands (lattice.c). */
#include "model/const/lattice.h"
#include "model/tables.h"
#include "eval/numeric/half_memory.h"
#include "model/const/transfer_op.h"
#include "model/cc/flags.h"
#include "eval/numeric/words.h"

/* Forgets what an instruction writes, but for what its test keeps back for certain. */
static void overwrite_but(struct known *k, const struct insn *insn, uint8_t kept)
{
    const struct result *r = &insn->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && r->condition.rule != CC_FL && c < 4; c++) {
        if (!((r->mask & ~kept) >> c & 1))
            continue;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX)
            model_known_drop(k, k->first[r->ref] + c);
        if (insn->cc_update)
            model_known_drop(k, (insn->cc_update - 1u) * 4 + c);
    }
}

void model_known_overwrite(struct known *k, const struct insn *insn)
{
    overwrite_but(k, insn, 0);
}

/* Whether a result's sign may be wrong for an overflow: small results of sums are taken for sound. */
static bool may_overflow(const struct insn *insn, uint64_t word)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MAD:
        return !type_table[insn->type].is_float && (uint32_t)word + 0x10000u > 0x20000u;
    default: return false;
    }
}

/* Flags that are set from a result of this type, known or not. */
static void set_flags_of(struct known *k, const struct insn *insn, unsigned c, struct known_value v)
{
    uint8_t type = eval_result_type(insn);

    v.type = type_table[type].bytes != 4                 ? DT_NONE
             : insn->op == OP_CVT && insn->type == DT_F16 ? DT_U16   /* they may be a NaN's */
             : type == DT_U32 && (eval_is_sum(insn->op) ||
                                  (v.known && v.branch_only && (!v.absorbed || op_compares(insn->op)))) ? DT_S32
             : type == DT_S32 && insn->op == OP_MOD      ? DT_U32   /* of unsigned numbers */
                                                         : type;
    v.known &= v.type != DT_NONE;
    v.may_overflow |= may_overflow(insn, v.word);
    v.computed = v.known && model_is_computed(insn, &v);
    v.copy = k->block;
    model_known_put(k, (insn->cc_update - 1u) * 4 + c, v);
}

static uint8_t size_of(const struct known *k, const struct result *r)
{
    return r->kind == OPND_SYMBOL ? program_symbol(k->p, r->ref)->size : SIZE_DEFAULT;
}

/* Whether it is known what a result replaces. */
static bool is_known_result(const struct known *k, const struct result *r, unsigned c)
{
    return r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX &&
           model_known_at(k, k->first[r->ref] + c)->known;
}

/* An instruction whose result is learnt. */
struct step_known {
    struct known *k;
    const struct insn *insn;
    struct folded *folded;      /* or NULL */
    uint8_t size;               /* of the result's variable */
    bool is_short, wide, whole; /* one that is followed; 64 bits are made; no test keeps anything back */
    struct known_value value[4], shown[4];      /* `shown` to flags: of a half in a SHORT variable the number that it
                                                 * is */
    uint32_t copy[4];
};

/* What is known of a component of a SHORT variable. */
static void learn_short(struct step_known *s, unsigned c)
{
    struct known_value none = {0};

    if (s->insn->op == OP_MUL && s->folded)
        model_known_component(s->k, s->insn, c, &none, s->folded);     /* for its factors alone */
    if (s->is_short)
        s->value[c].known = model_known_to_short(s->k, s->insn, c, &s->value[c], s->folded);
    if (s->folded && s->is_short && s->value[c].known && model_has(s->k->passes, PASS_fold))
        s->folded->known_short |= (uint8_t)(1u << c);
}

/* What of a component the machine takes from what is known. */
static void hand_over(struct step_known *s, unsigned c)
{
    const struct insn *insn = s->insn;
    const struct known_value *v = &s->value[c];
    struct folded *to = s->folded;
    uint8_t bit = (uint8_t)(1u << c), type = eval_result_type(insn);
    bool is_followed = insn->type == DT_S64 || model_is_word(insn->type);

    if (!v->known || !model_has(s->k->passes, PASS_fold))
        return;
    if (!s->whole && insn->op != OP_SSG && insn->op != OP_DIV && insn->op != OP_XPD &&
        !is_known_result(s->k, &insn->dst, c))
        to->moved |= bit;
    if (insn->op == OP_BFE ? insn->type == DT_S32
                           : !v->absorbed && (type_table[type].is_float || insn->op == OP_CMP ||
                                           op_has(insn->op, A_ORDERS) ||
                                           (is_followed && op_compares(insn->op)))) {
        to->mask |= bit;
        to->of_any |= v->of_any ? bit : 0;
        to->word[c] = v->word;
    }
}

/* What a comparison of integers says, or a copy or the negative of that. */
static bool is_boolean(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    const struct known_value *v = insn->op == OP_MOV ? model_known_held(k, o, c) : NULL;

    if (!o || insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    return op_compares(insn->op) ? !type_table[insn->type].is_float
                                 : v && v->boolean && (model_is_word(insn->type) || !operand_has_sign(o));
}

static void learn(struct step_known *s, unsigned c)
{
    if (s->size == SIZE_SHORT) {
        learn_short(s, c);
        return;
    }
    s->value[c].known = model_known_component(s->k, s->insn, c, &s->value[c], s->folded);
    s->value[c].boolean = is_boolean(s->k, s->insn, c);
    if (s->folded)
        hand_over(s, c);
}

/* What a register holds of a component: all that is known of it; of 64 bits in a single register (`narrowed`) what a
 * load filled in. */
static struct known_value held_by(const struct step_known *s, unsigned c, bool narrowed)
{
    const struct known_value *v = &s->value[c];
    bool known = narrowed ? eval_is_filled(s->k->p, s->insn, c) : v->known;

    return (struct known_value){.known = known,
                                .branch_only = known && v->branch_only,
                                .of_any = !narrowed && v->of_any,
                                .absorbed = known && v->absorbed,
                                .word = narrowed ? 0 : v->word,
                                .copy = narrowed ? 0 : s->copy[c],
                                .boolean = v->boolean && (!narrowed || s->wide)};
}

static void put_short(struct step_known *s, unsigned c)
{
    const struct result *r = &s->insn->dst;
    const struct known_value *v = &s->value[c];

    if (!r->nindices)
        model_known_put(
            s->k, s->k->first[r->ref] + c,
            (struct known_value){
                .known = v->known, .of_any = v->of_any, .half = v->half, .word = v->word, .copy = s->copy[c]});
    if (s->insn->cc_update)
        set_flags_of(s->k, s->insn, c, s->shown[c]);
}

static void put(struct step_known *s, unsigned c)
{
    const struct result *r = &s->insn->dst;
    struct known_value *v = &s->value[c];

    v->known &= r->kind == OPND_SYMBOL;
    v->type = s->insn->type;
    if (r->kind == OPND_SYMBOL && s->k->first[r->ref] != NO_INDEX && !r->nindices)
        model_known_put(s->k, s->k->first[r->ref] + c, held_by(s, c, (s->size == SIZE_LONG) != s->wide));
    if (s->insn->cc_update)
        set_flags_of(s->k, s->insn, c, *v);
}

/* What is known of the result (`nothing`: but for what it copies), and what is told of it. */
static void learn_result(struct step_known *s, bool nothing)
{
    const struct result *r = &s->insn->dst;

    model_known_copies(s->k, s->insn, s->copy);
    for (unsigned c = 0; c < 4; c++)
        if (!nothing && r->mask >> c & 1)
            learn(s, c);
    memcpy(s->shown, s->value, sizeof s->shown);
    for (unsigned c = 0; s->size == SIZE_SHORT && c < 4; c++)
        if (type_table[eval_result_type(s->insn)].is_float)
            s->shown[c].word = eval_half_to_float((uint16_t)s->value[c].word);
    for (unsigned c = 0; s->folded && s->insn->cc_update && c < 4; c++)
        if (r->mask >> c & 1 && model_has(s->k->passes, PASS_known_tests))
            eval_answer(s->k, s->insn, c, &s->shown[c], &s->folded->answers);
    if (s->folded && op_votes(s->insn->op) && s->insn->type == DT_F32)
        model_note_voted(s->k, s->insn, s->folded);
}

/* Whether a component hangs on no operand: LIT's x is 1 whatever it is given. */
static bool gives_by_itself(const struct insn *insn)
{
    bool gives = false;

    for (unsigned c = 0; c < 4; c++)
        gives |= insn->dst.mask >> c & 1 && !eval_component_reads(insn->op, 0, c);
    return gives;
}

/* Whether nothing can be learnt of a result and its instruction, since nothing is known of its operands: most have
 * floats that are not compared, and are no copies. */
static bool learns_nothing(const struct known *k, const struct insn *insn)
{
    bool ordinary = type_table[insn->type].is_float && insn->nsrc && insn->nsrc <= 3 && !insn->cc_update &&
                    insn->op != OP_MIN && insn->op != OP_MAX && !gives_by_itself(insn) && insn->op != OP_CVT &&
                    insn->op != OP_UP64 && !op_compares(insn->op) && !op_votes(insn->op) &&
                    !op_is(insn->op, K_LOAD | K_IMAGE_LOAD) && !(insn->flags & (INSN_FIXED | INSN_HI)) &&
                    size_of(k, &insn->dst) != SIZE_SHORT;

    for (unsigned n = 0; ordinary && n < insn->nsrc; n++)
        ordinary = model_known_is_nothing(k, program_operand(k->p, insn->src + n));
    return ordinary;
}

/* What is written under a test that is known to pass: numbers. */
static void put_tested(struct step_known *s, const struct folded *test)
{
    const struct result *r = &s->insn->dst;
    uint8_t passes = s->whole || s->wide || s->is_short || s->size == SIZE_SHORT || r->nindices ||
                             r->kind != OPND_SYMBOL || s->size == SIZE_LONG || s->k->first[r->ref] == NO_INDEX
                         ? 0
                         : test->passes & r->mask;

    for (unsigned c = 0; c < 4; c++)
        if (passes >> c & 1 && s->value[c].known) {
            const struct known_value *v = &s->value[c];
            model_known_put(s->k, s->k->first[r->ref] + c,
                            (struct known_value){.known = true, .branch_only = v->branch_only, .of_any = v->of_any,
                                                 .absorbed = v->absorbed, .word = v->word});
        }
}

void model_known_step(struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct result *r = &insn->dst;
    struct folded test = {0};
    struct step_known s = {.k = k, .insn = insn, .folded = folded};
    bool late = eval_calls_itself(insn) && (insn->op != OP_RSQ || program_is_long(k->p, r->kind, r->ref));
    bool nothing = learns_nothing(k, insn);

    if (eval_ends_block(insn) && !late)     /* late: behind its test */
        model_known_begin_block(k);
    k->now = insn;
    if (folded && !nothing)
        model_known_shorts(k, insn, folded);
    if (r->kind == OPND_NONE)
        return;
    if (folded && !nothing)
        model_known_vector(k, insn, folded);
    model_known_write(k, insn, folded ? folded : &test);
    if (eval_jumps_over(insn, k->ends) || late)
        model_known_begin_block(k);
    if (r->condition.rule == CC_FL)
        return;
    if (nothing && insn->op != OP_MOV) {
        overwrite_but(k, insn, (folded ? folded : &test)->fails);
        return;
    }
    s.size = size_of(k, r);
    s.is_short = model_known_is_short(k, r->kind, r->ref);
    s.wide = type_table[eval_result_type(insn)].bytes == 8;
    s.whole = !condition_restricts(&r->condition);
    learn_result(&s, nothing);
    overwrite_but(k, insn, (folded ? folded : &test)->fails);
    for (unsigned c = 0; s.whole && c < 4; c++)
        if (r->mask >> c & 1)
            (s.is_short ? put_short : put)(&s, c);
    put_tested(&s, folded ? folded : &test);
}
