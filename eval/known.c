/* Constants in a program, as far as the driver's compiler was seen to follow them (tests/flow.txt, lines count_* and if_*):
 * through copies, arithmetic and comparisons of 32-bit temporaries and of condition codes, over blocks. */
#include "eval/known.h"
#include "eval/machine.h"
#include "eval/sources.h"

bool eval_known_new(struct known *k, const struct gp5_program *p)
{
    *k = (struct known){.p = p, .count = 8};
    k->first = gp5_malloc((p->symbols.count + 1) * sizeof *k->first);
    if (!k->first)
        return false;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array && s->size == SIZE_DEFAULT;
        k->first[i] = follow ? k->count : NO_INDEX;
        k->count += follow ? 4 : 0;
    }
    k->values = gp5_malloc(k->count * sizeof *k->values);
    if (!k->values) {
        gp5_free(k->first);
        k->first = NULL;
        return false;
    }
    eval_known_forget(k);
    return true;
}

bool eval_known_copy(struct known *to, const struct known *from)
{
    *to = *from;
    to->values = gp5_malloc(from->count * sizeof *to->values);
    if (to->values)
        memcpy(to->values, from->values, from->count * sizeof *to->values);
    return to->values != NULL;
}

void eval_known_drop_copy(struct known *k)
{
    gp5_free(k->values);
    k->values = NULL;
}

void eval_known_free(struct known *k)
{
    eval_known_drop_copy(k);
    gp5_free(k->first);
}

void eval_known_forget(struct known *k)
{
    memset(k->values, 0, k->count * sizeof *k->values);
}

void eval_known_meet(struct known *k, const struct known *other)
{
    for (uint32_t i = 0; i < k->count; i++) {
        struct known_value *a = &k->values[i];
        const struct known_value *b = &other->values[i];
        if (a->known && !(b->known && a->word == b->word && a->type == b->type))
            a->known = false;
    }
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

static uint32_t with_signs(const struct operand *o, uint8_t type, uint32_t word)
{
    bool is_float = type_table[type].is_float;

    for (unsigned i = 0; i < 2; i++) {
        if (o->flags & (i ? OPND_NEGATE : OPND_NEGATE_INNER))
            word = is_float ? word ^ 0x80000000u : 0u - word;
        if (!i && o->flags & OPND_ABSOLUTE)
            word = is_float ? word & 0x7fffffffu : word >> 31 ? 0u - word : word;
    }
    return word;
}

bool eval_known_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint32_t *word)
{
    unsigned from = o->swizzle >> 2 * c & 3;

    if (o->nindices || type_table[type].bytes != 4)
        return false;
    if (o->kind == OPND_CONSTANT) {
        *word = with_signs(o, type, (uint32_t)eval_constant_word(program_constant(k->p, o->ref), from, type));
        return true;
    }
    if (o->kind != OPND_SYMBOL || k->first[o->ref] == NO_INDEX)
        return false;
    const struct known_value *v = &k->values[k->first[o->ref] + from];
    *word = with_signs(o, type, v->word);
    return v->known;
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

/* Carry and overflow are not followed, so tests that look at them are not known. */
static bool test_component(const struct known_value *v, uint8_t rule, bool *passes)
{
    bool is_float = type_table[v->type].is_float;
    bool nan = is_float && (v->word & 0x7fffffffu) > 0x7f800000u;
    bool zero = is_float ? !(v->word & 0x7f800000u) : !v->word;     /* denormals are zero */
    bool negative = !nan && !zero && v->word >> 31;

    switch (rule) {
    case CC_EQ: *passes = !nan && zero; return v->known;
    case CC_NE: *passes = nan || !zero; return v->known;
    case CC_LT: *passes = negative; return v->known && !v->may_overflow;
    case CC_GE: *passes = !nan && !negative; return v->known && !v->may_overflow;
    case CC_GT: *passes = !nan && !negative && !zero; return v->known && !v->may_overflow;
    case CC_LE: *passes = !nan && (negative || zero); return v->known && !v->may_overflow;
    case CC_NAN:    /* an integer is none, whatever it is */
        *passes = nan;
        return v->known || (v->type != DT_NONE && !is_float);
    case CC_LEG:
        *passes = !nan;
        return v->known || (v->type != DT_NONE && !is_float);
    default: return false;
    }
}

bool eval_known_test(const struct known *k, const struct condition *test, bool *passes)
{
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4;
    bool all_known = true;

    *passes = test->rule == CC_TR || test->rule == CC_NONE;
    if (*passes || test->rule == CC_FL)
        return true;
    for (unsigned c = 0; c < 4; c++) {
        bool pass = false;
        if (!test_component(&k->values[(test->cc & 1) * 4 + (swizzle >> 2 * c & 3)], test->rule, &pass))
            all_known = false;
        else if (pass)
            *passes = true;
    }
    return *passes || all_known;
}

bool eval_tests_several(const struct condition *test)
{
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4;

    return condition_restricts(test) && swizzle != (swizzle & 3) * 0x55;
}

bool eval_known_jump(const struct known *k, const struct insn *jump, bool *passes)
{
    if ((jump->op == OP_BRK || jump->op == OP_CONT) && eval_tests_several(&jump->condition)) {
        *passes = false;
        return true;
    }
    return eval_known_test(k, &jump->condition, passes);
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

/* The first component of operand n that component c of the result is made of. */
static unsigned component_read(const struct insn *insn, unsigned n, unsigned c)
{
    return eval_component_reads(insn->op, n, c) >> c & 1 ? c : 0;
}

static bool same_register(const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    return a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref && !a->nindices && !b->nindices &&
           a->flags == b->flags && (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3);
}

/* What an operation on integers gives whatever an operand holds. */
static bool whatever(const struct insn *insn, const bool known[3], const uint32_t src[3], bool same, uint32_t *word)
{
    if (type_table[insn->type].is_float)
        return false;
    for (unsigned n = 0; n < 2; n++)
        if ((insn->op == OP_AND || insn->op == OP_MUL) && known[n] && !src[n]) {
            *word = 0;
            return true;
        }
    if (!same)
        return false;
    switch (insn->op) {
    case OP_SUB: case OP_XOR: case OP_SNE: case OP_SLT: case OP_SGT:
        *word = 0;
        return true;
    case OP_SEQ: case OP_SLE: case OP_SGE:
        *word = ~0u;
        return true;
    default:
        return false;
    }
}

static bool fold_component(const struct known *k, const struct insn *insn, unsigned c, uint32_t *word)
{
    uint32_t src[3] = {0};
    bool known[3] = {true, true, true}, same = false;
    const struct operand *o[3];

    if (insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_HALF | INSN_FIXED))
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        unsigned from = component_read(insn, n, c);
        o[n] = program_operand(k->p, insn->src + n);
        known[n] = eval_known_operand(k, o[n], from, insn->type, &src[n]);
        if (n == 1)
            same = same_register(o[0], o[1], component_read(insn, 0, c), from);
    }
    if (whatever(insn, known, src, same, word))
        return true;
    return known[0] && known[1] && known[2] && eval_fold(insn->op, insn->type, src, word);
}

void eval_known_overwrite(struct known *k, const struct insn *insn)
{
    const struct result *r = &insn->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        if (!(r->mask >> c & 1))
            continue;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX)
            k->values[k->first[r->ref] + c] = (struct known_value){0};
        if (insn->cc_update)
            k->values[(insn->cc_update - 1u) * 4 + c] = (struct known_value){0};
    }
}

/* Whether a result's sign may be wrong for an overflow: small results of sums and products are taken for sound. */
static bool may_overflow(const struct insn *insn, uint32_t word)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SHL: case OP_ABS:
        return !type_table[insn->type].is_float && word + 0x10000u > 0x20000u;
    default: return false;
    }
}

/* Flags that are set from a result of this type, known or not. */
static struct known_value flags(const struct insn *insn, struct known_value v)
{
    v.type = type_table[insn->type].bytes == 4 ? insn->type : DT_NONE;
    v.may_overflow = may_overflow(insn, v.word);
    return v;
}

void eval_known_step(struct known *k, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    struct known_value v[4] = {{0}};

    if (r->kind == OPND_NONE)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (r->mask >> c & 1 && !condition_restricts(&insn->dst.condition) && r->kind == OPND_SYMBOL)
            v[c].known = fold_component(k, insn, c, &v[c].word);
    eval_known_overwrite(k, insn);
    for (unsigned c = 0; c < 4; c++) {
        if (!(r->mask >> c & 1))
            continue;
        v[c].type = insn->type;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX && v[c].known)
            k->values[k->first[r->ref] + c] = (struct known_value){.known = true, .word = v[c].word};
        if (insn->cc_update && !condition_restricts(&insn->dst.condition))
            k->values[(insn->cc_update - 1u) * 4 + c] = flags(insn, v[c]);
    }
}
