/* Constants in a program, as far as the driver's compiler was seen to follow them (tests/flow.txt, lines count_* and if_*):
 * through copies, arithmetic and comparisons of 32-bit temporaries and of condition codes, over blocks. */
#include "eval/known.h"
#include "eval/decode.h"
#include "eval/half.h"
#include "eval/known_values.h"
#include "eval/said.h"
#include "eval/sources.h"
#include "eval/traits.h"
#include "eval/numeric/words.h"
#include "eval/votes.h"

bool eval_known_new(struct known *k, const struct gp5_program *p, const struct block_ends *ends)
{
    *k = (struct known){.p = p, .ends = ends, .count = KNOWN_FLAGS};
    k->first = gp5_malloc((p->symbols.count + 1) * sizeof *k->first);
    k->failed = gp5_malloc(sizeof *k->failed);
    if (!k->first || !k->failed || !eval_flags_set_often(p, ends, &k->several)) {
        eval_known_free(k);
        return false;
    }
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array && (s->size == SIZE_DEFAULT || s->size == SIZE_LONG || s->size == SIZE_SHORT);
        k->first[i] = follow ? k->count : NO_INDEX;
        k->count += follow ? 4 : 0;
    }
    *k->failed = false;
    k->values = eval_known_values_new(k->count, k->failed);
    if (!k->values) {
        eval_known_free(k);
        return false;
    }
    k->turns = eval_turns_taken(p);
    for (uint32_t i = 0; i < p->insns.count; i++)
        k->tests |= 1u << program_insn(p, i)->condition.rule | 1u << program_insn(p, i)->dst.condition.rule;
    eval_known_forget(k);
    return true;
}

bool eval_known_copy(struct known *to, const struct known *from)
{
    *to = *from;
    to->values = eval_known_values_copy(from->values);
    return to->values != NULL;
}

bool eval_known_nothing(struct known *to, const struct known *from)
{
    *to = *from;
    to->values = eval_known_values_new(from->count, from->failed);
    return to->values != NULL;
}

void eval_known_drop_copy(struct known *k)
{
    eval_known_values_free(k->values);
    k->values = NULL;
}

void eval_known_free(struct known *k)
{
    eval_known_drop_copy(k);
    gp5_free(k->first);
    gp5_free(k->failed);
    k->first = NULL;
    k->failed = NULL;
}

void eval_known_forget(struct known *k)
{
    eval_known_values_forget(k->values);
    eval_known_part(k);
    k->sums = k->wide_sums = 0;
    memset(k->spent, 0, sizeof k->spent);
}

void eval_known_meet(struct known *k, const struct known *other, bool *changed)
{
    k->copies = k->copies > other->copies ? k->copies : other->copies;
    k->block = k->block > other->block ? k->block : other->block;
    k->sums &= other->sums;
    k->wide_sums &= other->wide_sums;
    for (unsigned rule = 0; rule < 4; rule++)
        k->spent[rule] |= other->spent[rule];
    eval_known_values_meet(k->values, other->values, changed);
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

static uint64_t with_signs(const struct operand *o, uint8_t type, uint64_t word)
{
    bool is_float = type_table[type].is_float;
    uint64_t sign = 1ull << (type_table[type].bytes * 8 - 1);

    for (unsigned i = 0; i < 2; i++) {
        if (o->flags & (i ? OPND_NEGATE : OPND_NEGATE_INNER))
            word = is_float ? word ^ sign : 0 - word;
        if (!i && o->flags & OPND_ABSOLUTE)
            word = is_float ? word & ~sign : word & sign && type_table[type].is_signed ? 0 - word : word;
    }
    return type_table[type].bytes == 4 ? (uint32_t)word : word;
}

/* The size of a work group that the program says. */
static bool group_size(const struct known *k, const struct binding *b, unsigned c, uint64_t *word)
{
    if (b->kind != BIND_INVOCATION_GROUPSIZE || !k->p->has_group_size || c > 2)
        return false;
    *word = k->p->group_size[c];
    *word = *word ? *word : 1;
    return true;
}

/* A parameter that is a constant of the program, or an element of an array that is one. */
static bool constant_parameter(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    const struct symbol *s = program_symbol(k->p, o->ref);
    const struct index *index = o->nindices ? program_index(k->p, o->index) : NULL;
    const struct binding *b;
    uint32_t at;

    if (s->kind != SYM_PARAM || o->nindices > 1 || s->array != (index != NULL) || s->size != SIZE_DEFAULT ||
        type_table[type].bytes != 4 || (index && (index->mode != INDEX_CONSTANT || index->offset < 0)))
        return false;
    b = eval_element_binding(k->p, s, index ? (uint64_t)index->offset : 0, &at);
    if (!b || b->kind != BIND_CONSTANT)
        return b && group_size(k, b, c, word);
    *word = eval_constant_word(program_constant(k->p, b->constant), c, eval_constant_type(s->type, false));
    return true;
}

bool eval_known_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    unsigned from = o->swizzle >> 2 * c & 3;
    uint8_t bytes = type_table[type].bytes;

    if (bytes < 4)
        return false;
    if (o->kind == OPND_BINDING && !o->nindices && bytes == 4) {
        bool known = group_size(k, program_binding(k->p, o->ref), from, word);
        *word = with_signs(o, type, known ? *word : 0);
        return known;
    }
    if (o->kind == OPND_CONSTANT && !o->nindices) {
        *word = with_signs(o, type, eval_literal_word(program_constant(k->p, o->ref), from, type));
        return true;
    }
    if (o->kind != OPND_SYMBOL)
        return false;
    if (eval_known_is_short(k, o->kind, o->ref)) {
        bool known = eval_known_short(k, o, from, type, word), nan = known && type_table[type].is_float && (*word & 0x7fffffff) > 0x7f800000;
        *word = !known ? 0 : nan ? *word : with_signs(o, type, *word);
        return known;
    }
    if (k->first[o->ref] == NO_INDEX) {
        bool known = constant_parameter(k, o, from, type, word);
        *word = with_signs(o, type, known ? *word : 0);
        return known;
    }
    if (o->nindices || (program_symbol(k->p, o->ref)->size == SIZE_LONG) < (bytes == 8))
        return false;
    const struct known_value *v = eval_known_at(k, k->first[o->ref] + from);
    if (program_symbol(k->p, o->ref)->size == SIZE_LONG && bytes == 4 && type_table[type].is_float && v->word << 1)
        return false;           /* of doubles, zeros alone */
    *word = with_signs(o, type, v->word);
    return v->known;
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

const struct known_value *eval_known_held(const struct known *k, const struct operand *o, unsigned c)
{
    if (o->kind != OPND_SYMBOL || o->nindices || k->first[o->ref] == NO_INDEX)
        return NULL;
    return eval_known_at(k, k->first[o->ref] + (o->swizzle >> 2 * c & 3));
}

bool eval_known_is_loose(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = eval_known_held(k, o, c);

    return v && v->loose;
}

/* What an operand names that the application sets, under a name of the program's or not; or NULL. */
static const struct binding *set_outside(const struct gp5_program *p, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct binding *b = o->nindices ? NULL : o->kind == OPND_BINDING ? program_binding(p, o->ref)
                              : s && s->kind == SYM_PARAM && !s->array && s->nbindings == 1 ? program_binding(p, s->binding) : NULL;

    return b && (b->kind == BIND_PROGRAM_ENV || b->kind == BIND_PROGRAM_LOCAL) && b->nindices == 1 && !b->relative ? b : NULL;
}

/* The same variable, or the same element of an array in the same words. */
static bool same_place(const struct gp5_program *p, const struct operand *a, const struct operand *b)
{
    const struct binding *x = set_outside(p, a), *y = set_outside(p, b);

    if (x && y)
        return x->kind == y->kind && x->first[0] == y->first[0];
    if (a->kind != OPND_SYMBOL || b->kind != OPND_SYMBOL || a->ref != b->ref || a->nindices != b->nindices)
        return false;
    for (unsigned n = 0; n < a->nindices; n++) {
        const struct index *x = program_index(p, a->index + n), *y = program_index(p, b->index + n);
        if (x->mode != y->mode || x->offset != y->offset)
            return false;
        if (x->mode == INDEX_RELATIVE && (x->element.used || y->element.used || x->register_kind != y->register_kind ||
                                          x->reg != y->reg || x->component != y->component))
            return false;
    }
    return true;
}

bool eval_known_same_words(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    return same_place(k->p, a, b) && a->flags == b->flags && (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3);
}

bool eval_known_same(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    const struct known_value *va = eval_known_held(k, a, ca), *vb = eval_known_held(k, b, cb);
    bool of_short = eval_known_is_short(k, a->kind, a->ref) || eval_known_is_short(k, b->kind, b->ref);

    return eval_known_same_words(k, a, b, ca, cb) ||
           (a->flags == b->flags && va && vb && va->copy && va->copy == vb->copy && (!of_short || (k->now->type == DT_F32 && !(k->now->flags & INSN_PREC))));
}

/* The operand whose words component c of a result copies, or -1: what it is of a value is a copy. Of SHORT variables floats are copied. */
static int copied_from(const struct known *k, const struct insn *insn, unsigned c)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    bool single = insn->type == DT_F32 || insn->type == DT_F16;
    uint64_t word;

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) && !(insn->op == OP_MOV && !(insn->flags & (INSN_SAT | INSN_SSAT))))
        return -1;
    switch (insn->op) {
    case OP_MOV: return 0;
    case OP_DST:
        if (c != 1)
            return single && c ? (int)c - 2 : -1;
        break;
    case OP_CVT: return narrows && eval_known_is_short(k, insn->dst.kind, insn->dst.ref) ? 0 : -1;
    case OP_MUL: break;
    default: return -1;
    }
    for (unsigned n = 0; single && n < 2; n++)
        if (eval_known_operand(k, program_operand(k->p, insn->src + n), c, DT_F32, &word) && word == 0x3f800000)
            return 1 - (int)n;
    return -1;
}

static int copies(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct result *r = &insn->dst;
    bool plain = r->kind == OPND_SYMBOL && !r->nindices && !condition_restricts(&r->condition) && k->first[r->ref] != NO_INDEX;
    int n = plain && insn->nsrc ? copied_from(k, insn, c) : -1;
    const struct operand *o = n < 0 ? NULL : program_operand(k->p, insn->src + (unsigned)n);
    bool wide = type_table[insn->type].bytes == 8, to_long, of_long;

    if (!o || operand_has_sign(o) || !eval_known_held(k, o, c) || type_table[insn->type].bytes < 2)
        return -1;
    to_long = program_is_long(k->p, r->kind, r->ref);
    of_long = program_is_long(k->p, o->kind, o->ref);
    if (to_long != wide || of_long != wide)
        return -1;
    if (eval_known_is_short(k, r->kind, r->ref) || eval_known_is_short(k, o->kind, o->ref))
        return type_table[insn->type].is_float && !wide ? n : -1;
    return type_table[insn->type].bytes >= 4 || insn->type == DT_F16 ? n : -1;
}

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
            eval_known_put(k, at, (struct known_value){.passes = eval_known_at(k, at)->passes & eval_lasting(k->p, insn, c)});
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

/* Flags that are set from a result of this type, known or not: of a number of 64 bits that a single register takes, what that holds. */
static struct known_value flags(const struct known *k, const struct insn *insn, struct known_value v)
{
    uint8_t type = eval_result_type(insn);
    bool narrowed = v.known && eval_narrows(k->p, insn);

    if (narrowed) {
        double d;
        memcpy(&d, &v.word, sizeof d);
        v.type = type == DT_F64 ? DT_F32 : type == DT_U64 ? DT_U32 : DT_S32;
        v.word = type == DT_F64 ? num_word((float)d) : (uint32_t)v.word;
        v.computed = eval_is_computed(k->p, insn, &v);
        v.passes = eval_always_passes(insn, &v);
        return v;
    }
    v.type = type_table[type].bytes != 4                 ? DT_NONE
             : type == DT_U32 && eval_is_sum(insn->op)   ? DT_S32
             : type == DT_S32 && insn->op == OP_MOD      ? DT_U32   /* of unsigned numbers */
                                                         : type;
    v.known &= v.type != DT_NONE;
    v.computed = v.known && eval_is_computed(k->p, insn, &v);
    v.may_overflow |= may_overflow(insn, v.word);
    v.passes = eval_always_passes(insn, &v);
    return v;
}

/* MOV of the negative of an absolute value: it is not above 0. */
static bool is_not_above(const struct known *k, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;

    return insn->op == OP_MOV && insn->type == DT_S32 && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE;
}

static void set_flags_of(struct known *k, const struct insn *insn, unsigned c, struct known_value v)
{
    struct known_value to = flags(k, insn, v);

    to.passes |= eval_lasting(k->p, insn, c) | (!v.known && is_not_above(k, insn) ? 1u << CC_LE : 0);
    eval_known_put(k, (insn->cc_update - 1u) * 4 + c, to);
}

/* What tests of the flags that an instruction sets come out as, and which sums an SGT or SLT compares. */
static void find_answers(const struct known *k, const struct insn *insn, const struct known_value v[4], const struct trait t[4],
                         struct folded *folded)
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

/* What its result copies; numbers are given to what has none yet. */
static void find_copies(struct known *k, const struct insn *insn, uint32_t copy[4])
{
    for (unsigned c = 0; c < 4; c++) {
        int n = insn->dst.mask >> c & 1 ? copies(k, insn, c) : -1;
        const struct operand *o = n < 0 ? NULL : program_operand(k->p, insn->src + (unsigned)n);
        const struct known_value *held = o ? eval_known_held(k, o, c) : NULL;
        struct known_value from;
        if (!held)
            continue;
        copy[c] = held->copy;
        if (copy[c])
            continue;
        from = *held;
        copy[c] = from.copy = ++k->copies;
        eval_known_put(k, k->first[o->ref] + (o->swizzle >> 2 * c & 3), from);
    }
}

/* The components of a vote's operand that are what a comparison of integers says: the vote takes that, where the word is no number. */
static uint8_t truths(const struct known *k, const struct insn *insn, uint32_t made[4])
{
    const struct operand *o = program_operand(k->p, insn->src);
    uint8_t mask = 0;

    for (unsigned c = 0; !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct known_value *v = eval_known_held(k, o, c);
        if (!(insn->dst.mask >> c & 1) || !v || program_symbol(k->p, o->ref)->size != SIZE_DEFAULT)
            continue;
        mask |= (uint8_t)((v->trait.truth && !v->known) << c);
        made[c] = v->trait.made ? v->definition : 0;
    }
    return mask;
}

/* The same of what reads it as a float with a sign. */
static void find_signed(const struct known *k, const struct insn *insn, unsigned n, struct folded *folded)
{
    const struct operand *o = program_operand(k->p, insn->src + n);

    for (unsigned c = 0; c < 4; c++) {
        const struct known_value *v = eval_known_held(k, o, c);
        if (!(insn->dst.mask >> c & 1) || !v || !(v->trait.truth || v->trait.made) || program_symbol(k->p, o->ref)->size != SIZE_DEFAULT)
            continue;
        folded->truths |= (uint8_t)(1u << c);
        folded->made[c] = v->definition;
    }
}

/* Whether it is known what a result replaces. */
static bool is_known_result(const struct known *k, const struct result *r, unsigned c)
{
    return r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX && eval_known_at(k, k->first[r->ref] + c)->known;
}

void eval_known_step(struct known *k, const struct insn *insn, uint32_t at, struct folded *folded)
{
    const struct result *r = &insn->dst;
    struct known_value v[4] = {{0}}, shown[4];     /* to flags: of a half in a SHORT variable the number that it is */
    struct trait trait[4] = {{0}};
    struct folded test = {0};
    uint32_t copy[4] = {0};
    bool nothing[4];
    bool wide = type_table[eval_result_type(insn)].bytes == 8, whole = !condition_restricts(&r->condition);
    bool late = eval_calls_itself(insn) && (insn->op != OP_RSQ || program_is_long(k->p, r->kind, r->ref));     /* it ends behind its test */

    if (eval_ends_block(insn) && !late) {
        eval_known_part(k);
        memset(k->spent, 0, op_flows(insn->op) ? 0 : sizeof k->spent);
    }
    k->now = insn;
    if (folded)
        eval_known_shorts(k, insn, folded);
    if (r->kind == OPND_NONE)
        return;
    if (folded)
        eval_known_vector(k, insn, folded);
    eval_known_write(k, insn, folded ? folded : &test);
    if (late)
        memset(k->spent, 0, sizeof k->spent);
    if (eval_jumps_over(insn, k->ends) || late)
        eval_known_part(k);
    if (r->condition.rule == CC_FL)
        return;
    find_copies(k, insn, copy);
    for (unsigned c = 0; c < 4; c++) {
        uint8_t said = r->mask >> c & 1 ? eval_said_of_result(k, insn, c) : 0;
        trait[c].said = said;
        if (size_of(k, r) == SIZE_SHORT && r->mask >> c & 1 && insn->op == OP_MUL && folded) {
            struct known_value none = {0};
            eval_known_component(k, insn, c, &none, folded);      /* for its factors alone */
        }
        if (r->mask >> c & 1 && size_of(k, r) == SIZE_SHORT && folded)
            eval_known_short_part(k, insn, c, folded);
        if (r->mask >> c & 1 && size_of(k, r) == SIZE_SHORT && eval_known_is_short(k, r->kind, r->ref))
            v[c].known = eval_known_to_short(k, insn, c, &v[c], folded);
        if (!(r->mask >> c & 1) || size_of(k, r) == SIZE_SHORT)
            continue;
        v[c].known = eval_known_component(k, insn, c, &v[c], folded);
        trait[c] = eval_trait_of_result(k, insn, at, c);
        trait[c].said = said;
        if (folded && eval_is_sum_above(k, insn, c)) {
            folded->not_below |= (uint8_t)(1u << c);
            folded->shown_one |= insn->cc_update ? (uint8_t)(1u << c) : 0;
        }
        if (folded && insn->op == OP_CMP && (eval_is_negative(k, insn, c) || eval_negates_parameter(k, insn, c)))
            folded->turned |= (uint8_t)(1u << c);
        if (folded && v[c].known && !whole && insn->op != OP_SSG && insn->op != OP_DIV && insn->op != OP_XPD && !is_known_result(k, r, c))
            folded->moved |= (uint8_t)(1u << c);
        if (folded && v[c].known && op_compares(insn->op))
            folded->said |= (uint8_t)(1u << c);
        if (folded && v[c].known && wide)
            folded->known |= (uint8_t)(1u << c);
        if (folded && v[c].known && !v[c].loose &&
            (type_table[eval_result_type(insn)].is_float || insn->op == OP_CMP || op_orders(insn->op) || ((insn->type == DT_S64 || insn->type == DT_S32) && op_compares(insn->op)))) {
            folded->mask |= (uint8_t)(1u << c);
            folded->word[c] = v[c].word;
        }
    }
    eval_known_turn(k, insn, v, folded);
    memcpy(shown, v, sizeof shown);
    for (unsigned c = 0; size_of(k, r) == SIZE_SHORT && c < 4; c++)
        if (type_table[eval_result_type(insn)].is_float)
            shown[c].word = eval_half_to_float((uint16_t)v[c].word);
    if (folded)
        find_answers(k, insn, shown, trait, folded);
    if (folded && op_votes(insn->op) && (insn->type == DT_F32 || insn->type == DT_F16))
        eval_note_said(k, insn, folded);
    if (folded && eval_votes_floats(insn))
        folded->truths = truths(k, insn, folded->made);
    else if (folded && eval_signed_truth(k->p, insn) >= 0)
        find_signed(k, insn, (unsigned)eval_signed_truth(k->p, insn), folded);
    for (unsigned c = 0; c < 4; c++)
        nothing[c] = r->mask >> c & 1 && whole && size_of(k, r) != SIZE_SHORT && eval_known_as_zero(k, insn, c, &v[c]);
    overwrite_but(k, insn, (folded ? folded : &test)->fails);
    for (unsigned c = 0; c < 4; c++) {
        if (!(r->mask >> c & 1) || !whole)
            continue;
        if (eval_known_is_short(k, r->kind, r->ref)) {
            if (!r->nindices)
                eval_known_put(k, k->first[r->ref] + c, (struct known_value){.known = v[c].known, .block = k->block, .half = v[c].half, .word = v[c].word, .copy = copy[c],
                                                                                    .trait = {.said = trait[c].said}});
            if (insn->cc_update)
                set_flags_of(k, insn, c, shown[c]);
            continue;
        }
        v[c].known &= r->kind == OPND_SYMBOL;
        v[c].type = insn->type;
        v[c].trait = at == NO_INDEX ? (struct trait){.said = trait[c].said} : trait[c];
        v[c].definition = at == NO_INDEX ? 0 : at * 4 + c + 1;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX && (size_of(k, r) == SIZE_LONG) == wide && !r->nindices)
            eval_known_put(k, k->first[r->ref] + c,
                (struct known_value){.known = v[c].known, .weak = v[c].known && v[c].weak, .elsewhere = v[c].elsewhere,
                                     .block = k->block, .loose = v[c].known && v[c].loose, .faint = v[c].known && v[c].faint, .narrow = v[c].known && v[c].narrow, .word = v[c].word, .copy = copy[c],
                                     .nothing = !v[c].known && nothing[c], .trait = v[c].trait, .definition = v[c].definition});
        else if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX && !r->nindices)      /* narrowed */
            eval_known_put(k, k->first[r->ref] + c,
                (struct known_value){.known = eval_is_filled(insn, c), .weak = v[c].weak, .loose = v[c].loose, .faint = v[c].faint, .narrow = v[c].narrow,
                                     .nothing = nothing[c],
                                     .trait = {.truth = v[c].trait.truth && wide, .said = v[c].trait.said}, .definition = v[c].definition});
        if (insn->cc_update)
            set_flags_of(k, insn, c, v[c]);
    }
    eval_known_set_flags(k, insn, eval_known_is_short(k, r->kind, r->ref) ? shown : v);
}
