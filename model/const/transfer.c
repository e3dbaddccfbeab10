/* What the driver's compiler learns of a result, by what it knows of the operands (lattice.c). */
#include "model/const/lattice.h"
#include "model/tables.h"
#include "eval/numeric/half_memory.h"
#include "model/const/transfer_op.h"
#include "model/analysis/range.h"
#include "eval/numeric/words.h"

/* Forgets what an instruction writes, but for what its test keeps back for certain. */
static void overwrite_but(struct known *k, const struct insn *insn, uint8_t kept)
{
    const struct result *r = &insn->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && r->condition.rule != CC_FL && c < 4; c++) {
        if (!((r->mask & ~kept) >> c & 1))
            continue;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX)
            eval_known_put(k, k->first[r->ref] + c, (struct known_value){0});
        if (insn->cc_update) {      /* what never carries still does not */
            uint32_t at = (insn->cc_update - 1u) * 4 + c;
            eval_known_put(k, at,
                           (struct known_value){.passes = eval_known_at(k, at)->passes & eval_lasting(k->p, insn)});
        }
    }
}

void eval_known_overwrite(struct known *k, const struct insn *insn)
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

/* Flags that are set from a result of this type, known or not: of a number of 64 bits that a single register takes,
 * what that holds. */
static struct known_value flags(const struct known *k, const struct insn *insn, struct known_value v)
{
    uint8_t type = eval_result_type(insn);
    bool narrowed = v.known && eval_narrows(k->p, insn);

    if (narrowed) {
        v.type = type == DT_F64 ? DT_F32 : type == DT_U64 ? DT_U32 : DT_S32;
        v.word = type == DT_F64 ? num_word((float)num_double(v.word)) : (uint32_t)v.word;
        v.computed = eval_is_computed(k->p, insn, &v);
        v.passes = eval_always_passes(k->p, insn, &v);
        return v;
    }
    v.type = type_table[type].bytes != 4                 ? DT_NONE
             : insn->op == OP_CVT && insn->type == DT_F16 ? DT_U16   /* they may be a NaN's */
             : type == DT_U32 && (eval_is_sum(insn->op) || (v.known && v.weak && op_compares(insn->op))) ? DT_S32
             : type == DT_S32 && insn->op == OP_MOD      ? DT_U32   /* of unsigned numbers */
                                                         : type;
    v.known &= v.type != DT_NONE;
    v.computed = v.known && eval_is_computed(k->p, insn, &v);
    v.may_overflow |= may_overflow(insn, v.word);
    v.passes = eval_always_passes(k->p, insn, &v);
    return v;
}

/* MOV of the negative of an absolute value: it is not above 0. */
static bool is_not_above(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;

    return insn->op == OP_MOV && insn->type == DT_S32 && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE &&
           !eval_is_bare(k, o, c, DT_S32);
}

static void set_flags_of(struct known *k, const struct insn *insn, unsigned c, struct known_value v)
{
    struct known_value to = flags(k, insn, v);

    if (!model_has(k->passes, PASS_known_tests))
        to.passes = 0;
    else
        to.passes |= eval_lasting(k->p, insn) | (v.known ? 0 : eval_branches_know(k, insn, c, v.range)) |
                     (!v.known && is_not_above(k, insn, c) ? 1u << CC_LE : 0);
    eval_known_put(k, (insn->cc_update - 1u) * 4 + c, to);
}

/* What tests of the flags that an instruction sets come out as, and which sums an SGT or SLT compares. */
static void find_answers(const struct known *k, const struct insn *insn, const struct known_value v[4],
                         const struct value_range t[4], struct folded *folded)
{
    for (unsigned c = 0; c < 4; c++) {
        bool below;
        if (!(insn->dst.mask >> c & 1))
            continue;
        if (insn->cc_update)
            eval_answer(k, insn, c, &v[c], t[c], &folded->answers);
        if (eval_compares_sum(k, insn, c, &folded->uses[c], &below)) {
            folded->compares |= (uint8_t)(1u << c);
            folded->less |= (uint8_t)(below << c);
        }
    }
}

static uint8_t size_of(const struct known *k, const struct result *r)
{
    return r->kind == OPND_SYMBOL ? program_symbol(k->p, r->ref)->size : SIZE_DEFAULT;
}

/* Whether it is known what a result replaces. */
static bool is_known_result(const struct known *k, const struct result *r, unsigned c)
{
    return r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX &&
           eval_known_at(k, k->first[r->ref] + c)->known;
}

/* An instruction whose result is learnt. */
struct step_known {
    struct known *k;
    const struct insn *insn;
    uint32_t at;                /* or NO_INDEX */
    struct folded *folded;      /* or NULL */
    uint8_t size;               /* of the result's variable */
    bool is_short, wide, whole; /* one that is followed; 64 bits are made; no test keeps anything back */
    struct known_value value[4], shown[4];      /* `shown` to flags: of a half in a SHORT variable the number that it
                                                 * is */
    struct value_range range[4];
    uint32_t copy[4], alike[4], minus[4];
    bool nothing[4];
};

/* Whether the block ends behind the instruction's test, not before it. */
static bool ends_late(const struct known *k, const struct insn *insn)
{
    return eval_calls_itself(insn) && (insn->op != OP_RSQ || program_is_long(k->p, insn->dst.kind, insn->dst.ref));
}

/* What is known of a component of a SHORT variable. */
static void learn_short(struct step_known *s, unsigned c)
{
    struct known_value none = {0};

    if (s->insn->op == OP_MUL && s->folded)
        eval_known_component(s->k, s->insn, c, &none, s->folded);     /* for its factors alone */
    if (s->folded)
        eval_known_short_part(s->k, s->insn, c, s->folded);
    if (s->is_short)
        s->value[c].known = eval_known_to_short(s->k, s->insn, c, &s->value[c], s->folded);
    if (s->folded && s->is_short && s->value[c].known)
        s->folded->known_short |= (uint8_t)(1u << c);
}

/* What of a component the machine takes from what is known. */
static void hand_over(struct step_known *s, unsigned c)
{
    const struct insn *insn = s->insn;
    const struct known_value *v = &s->value[c];
    struct folded *to = s->folded;
    uint8_t bit = (uint8_t)(1u << c), type = eval_result_type(insn);
    bool is_followed = insn->type == DT_S64 || eval_is_word(insn->type);

    if (insn->op == OP_CMP && (eval_is_negative(s->k, insn, c) || eval_negates_parameter(s->k, insn, c)))
        to->turned |= bit;
    if (!v->known)
        return;
    if (!s->whole && insn->op != OP_SSG && insn->op != OP_DIV && insn->op != OP_XPD &&
        !is_known_result(s->k, &insn->dst, c))
        to->moved |= bit;
    to->known |= s->wide ? bit : 0;
    if (insn->op == OP_BFE ? insn->type == DT_S32
                           : !v->loose && (type_table[type].is_float || insn->op == OP_CMP ||
                                           op_has(insn->op, A_ORDERS) ||
                                           (is_followed && op_compares(insn->op)))) {
        to->mask |= bit;
        to->of_any |= v->of_any ? bit : 0;
        to->word[c] = v->word;
    }
}

static void learn(struct step_known *s, unsigned c)
{
    if (s->size == SIZE_SHORT) {
        learn_short(s, c);
        return;
    }
    s->value[c].known = eval_known_component(s->k, s->insn, c, &s->value[c], s->folded);
    s->range[c] = range_of_result(s->k, s->insn, s->at, c);
    s->value[c].weak |= s->value[c].known && s->value[c].loose && eval_compares_elements(s->k, s->insn);
    if (s->folded)
        hand_over(s, c);
}

/* What a single that goes into a LONG variable is known to be there. */
static uint16_t widened_one(const struct step_known *s, const struct known_value *v)
{
    if (!v->known || v->loose || s->size != SIZE_LONG || eval_result_type(s->insn) != DT_F32)
        return 0;
    return (uint32_t)v->word == 0x3f800000 ? RANGE_ONE : (uint32_t)v->word == 0xbf800000 ? RANGE_MINUS_ONE : 0;
}

/* Whether a LONG variable takes a single that is known. */
static bool is_widened(const struct step_known *s, const struct known_value *v)
{
    return v->known && !v->loose && s->size == SIZE_LONG && eval_result_type(s->insn) == DT_F32;
}

/* What a register holds of a component: all that is known of it; of 64 bits in a single register (`narrowed`) what a
 * load filled in. */
static struct known_value held_by(const struct step_known *s, unsigned c, bool narrowed)
{
    const struct known_value *v = &s->value[c];
    bool filled = eval_is_filled(s->k->p, s->insn, c);

    if (narrowed)
        return (struct known_value){.known = filled,
                                    .widened = !filled && is_widened(s, v),
                                    .word = is_widened(s, v) ? (uint32_t)v->word : 0,
                                    .elsewhere = v->elsewhere && is_widened(s, v),
                                    .block = s->k->block,
                                    .of_any = v->of_any && is_widened(s, v),
                                    .weak = filled && v->weak,
                                    .loose = filled && v->loose,
                                    .faint = filled && v->faint,
                                    .narrow = filled && v->narrow,
                                    .nothing = s->nothing[c],
                                    .range = {.truth = v->range.truth && s->wide, .sign = widened_one(s, v)},
                                    .definition = v->definition};
    return (struct known_value){.known = v->known,
                                .weak = v->known && v->weak,
                                .elsewhere = v->elsewhere || v->range.reached,
                                .block = s->k->block,
                                .of_any = v->of_any,
                                .loose = v->known && v->loose,
                                .faint = v->known && v->faint,
                                .narrow = v->known && v->narrow,
                                .word = v->word,
                                .copy = s->copy[c],
                                .alike = s->alike[c],
                                .minus = s->minus[c],
                                .nothing = (!v->known || v->narrow) && s->nothing[c],
                                .range = v->range,
                                .definition = v->definition};
}

static void put_short(struct step_known *s, unsigned c)
{
    const struct result *r = &s->insn->dst;
    const struct known_value *v = &s->value[c];

    if (!r->nindices)
        eval_known_put(s->k, s->k->first[r->ref] + c,
                       (struct known_value){.known = v->known,
                                            .block = s->k->block,
                                            .of_any = v->of_any,
                                            .half = v->half,
                                            .word = v->word,
                                            .copy = s->copy[c]});
    if (s->insn->cc_update)
        set_flags_of(s->k, s->insn, c, s->shown[c]);
}

static void put(struct step_known *s, unsigned c)
{
    const struct result *r = &s->insn->dst;
    struct known_value *v = &s->value[c];

    v->known &= r->kind == OPND_SYMBOL;
    v->type = s->insn->type;
    v->range = s->at == NO_INDEX ? (struct value_range){0} : s->range[c];
    v->definition = s->at == NO_INDEX ? 0 : s->at * 4 + c + 1;
    if (r->kind == OPND_SYMBOL && s->k->first[r->ref] != NO_INDEX && !r->nindices)
        eval_known_put(s->k, s->k->first[r->ref] + c, held_by(s, c, (s->size == SIZE_LONG) != s->wide));
    if (s->insn->cc_update)
        set_flags_of(s->k, s->insn, c, *v);
}

/* What is known of the result, and what is told of it. */
static void learn_result(struct step_known *s)
{
    const struct result *r = &s->insn->dst;

    eval_known_copies(s->k, s->insn, s->copy);
    eval_known_number_alike(s->k, s->insn, s->alike);
    eval_known_negatives(s->k, s->insn, s->minus);
    for (unsigned c = 0; c < 4; c++)
        if (r->mask >> c & 1)
            learn(s, c);
    memcpy(s->shown, s->value, sizeof s->shown);
    for (unsigned c = 0; s->size == SIZE_SHORT && c < 4; c++)
        if (type_table[eval_result_type(s->insn)].is_float)
            s->shown[c].word = eval_half_to_float((uint16_t)s->value[c].word);
    if (s->folded)
        find_answers(s->k, s->insn, s->shown, s->range, s->folded);
    if (s->folded && op_votes(s->insn->op) && s->insn->type == DT_F32)
        eval_note_voted(s->k, s->insn, s->folded);
    for (unsigned c = 0; c < 4; c++)
        s->nothing[c] =
            r->mask >> c & 1 && s->whole && s->size != SIZE_SHORT && eval_known_as_zero(s->k, s->insn, c, &s->value[c]);
    if (s->folded)
        s->folded->whole = eval_converts_whole(s->k, s->insn);
}

/* Whether every register that an address names is known. */
static bool knows_place(const struct known *k, const struct operand *o)
{
    uint64_t word;

    for (unsigned n = 0; n < o->nindices; n++) {
        const struct index *x = program_index(k->p, o->index + n);
        struct operand from = {
            .kind = x->register_kind, .ref = x->reg, .nswizzle = 1, .swizzle = (uint8_t)(0x55 * x->component)};
        if (x->mode == INDEX_RELATIVE && (x->element.used || !eval_known_operand(k, &from, 0, DT_U32, &word)))
            return false;
    }
    return true;
}

/* Operands of floats that are elements of constants, wherever registers say. */
static uint8_t find_anywhere(const struct known *k, const struct insn *insn)
{
    uint8_t found = 0;

    for (unsigned n = 0; insn->type == DT_F32 && n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        const struct symbol *s = o->kind == OPND_SYMBOL && o->nindices ? program_symbol(k->p, o->ref) : NULL;
        if (s && (s->kind == SYM_PARAM || s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4) && !knows_place(k, o))
            found |= (uint8_t)(1u << n);
    }
    return found;
}

/* What is written under a test that is known to pass: numbers; by flags of another block as if that had learnt them. */
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
            eval_known_put(s->k, s->k->first[r->ref] + c,
                           (struct known_value){.known = true,
                                                .weak = v->weak,
                                                .elsewhere = v->elsewhere || !(test->early >> c & 1),
                                                .block = s->k->block,
                                                .of_any = v->of_any,
                                                .loose = v->loose,
                                                .faint = v->faint,
                                                .narrow = v->narrow,
                                                .word = v->word});
        }
}

void eval_known_step(struct known *k, const struct insn *insn, uint32_t at, struct folded *folded)
{
    const struct result *r = &insn->dst;
    struct folded test = {0};
    struct step_known s = {.k = k, .insn = insn, .at = at, .folded = folded};
    bool late = ends_late(k, insn);

    if (eval_ends_block(insn) && !late) {
        eval_known_part(k);
    }
    k->now = insn;
    if (folded) {
        eval_known_shorts(k, insn, folded);
        eval_known_bare(k, insn, folded);
        folded->anywhere = find_anywhere(k, insn);
    }
    if (r->kind == OPND_NONE)
        return;
    if (folded)
        eval_known_vector(k, insn, folded);
    eval_known_write(k, insn, folded ? folded : &test);
    if (eval_jumps_over(insn, k->ends) || late)
        eval_known_part(k);
    if (r->condition.rule == CC_FL)
        return;
    s.size = size_of(k, r);
    s.is_short = eval_known_is_short(k, r->kind, r->ref);
    s.wide = type_table[eval_result_type(insn)].bytes == 8;
    s.whole = !condition_restricts(&r->condition);
    learn_result(&s);
    overwrite_but(k, insn, (folded ? folded : &test)->fails);
    for (unsigned c = 0; s.whole && c < 4; c++)
        if (r->mask >> c & 1)
            (s.is_short ? put_short : put)(&s, c);
    put_tested(&s, folded ? folded : &test);
    eval_known_set_flags(k, insn);
}
