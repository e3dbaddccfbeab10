/* Constants in a program, as far as the driver's compiler was seen to follow them (tests/flow.txt, lines count_* and if_*):
 * through copies, arithmetic and comparisons of 32-bit temporaries and of condition codes, over blocks. */
#include "eval/known.h"
#include "eval/decode.h"
#include "eval/sources.h"
#include "eval/traits.h"

bool eval_known_new(struct known *k, const struct gp5_program *p)
{
    *k = (struct known){.p = p, .count = 8, .several = eval_flags_set_often(p)};
    k->first = gp5_malloc((p->symbols.count + 1) * sizeof *k->first);
    if (!k->first)
        return false;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array && (s->size == SIZE_DEFAULT || s->size == SIZE_LONG);
        k->first[i] = follow ? k->count : NO_INDEX;
        k->count += follow ? 4 : 0;
    }
    k->values = gp5_malloc(k->count * sizeof *k->values);
    if (!k->values) {
        gp5_free(k->first);
        k->first = NULL;
        return false;
    }
    for (uint32_t i = 0; i < p->insns.count; i++)
        k->tests |= 1u << program_insn(p, i)->condition.rule | 1u << program_insn(p, i)->dst.condition.rule;
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
    eval_known_part(k);
    k->sums = 0;
    memset(k->spent, 0, sizeof k->spent);
}

void eval_known_meet(struct known *k, const struct known *other)
{
    k->copies = k->copies > other->copies ? k->copies : other->copies;
    k->sums &= other->sums;
    for (unsigned rule = 0; rule < 4; rule++)
        k->spent[rule] |= other->spent[rule];
    for (uint32_t i = 0; i < k->count; i++) {
        struct known_value *a = &k->values[i];
        const struct known_value *b = &other->values[i];
        if (a->known && !(b->known && a->word == b->word && a->type == b->type))
            a->known = false;
        a->type = a->type == b->type ? a->type : DT_NONE;
        a->may_overflow |= b->may_overflow;
        a->computed &= b->computed;
        a->called |= b->called;
        a->passes &= b->passes;
        if (a->copy != b->copy)
            a->copy = 0;
        if (a->definition != b->definition)
            a->trait = (struct trait){0};
        a->loose = a->known && (a->loose || b->loose);
        a->faint = a->known && (a->faint || b->faint);
    }
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
        *word = with_signs(o, type, eval_constant_word(program_constant(k->p, o->ref), from, type));
        return true;
    }
    if (o->kind != OPND_SYMBOL)
        return false;
    if (k->first[o->ref] == NO_INDEX) {
        bool known = constant_parameter(k, o, from, type, word);
        *word = with_signs(o, type, known ? *word : 0);
        return known;
    }
    if (o->nindices || (program_symbol(k->p, o->ref)->size == SIZE_LONG) != (bytes == 8))
        return false;
    const struct known_value *v = &k->values[k->first[o->ref] + from];
    *word = with_signs(o, type, v->word);
    return v->known;
}

/* ---- instructions -------------------------------------------------------------------------------------------------- */

struct known_value *eval_known_held(const struct known *k, const struct operand *o, unsigned c)
{
    if (o->kind != OPND_SYMBOL || o->nindices || k->first[o->ref] == NO_INDEX)
        return NULL;
    return &k->values[k->first[o->ref] + (o->swizzle >> 2 * c & 3)];
}

/* The same variable, or the same element of an array in the same words. */
static bool same_place(const struct gp5_program *p, const struct operand *a, const struct operand *b)
{
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

static bool same_register(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    return same_place(k->p, a, b) && a->flags == b->flags && (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3);
}

bool eval_known_same(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    const struct known_value *va = eval_known_held(k, a, ca), *vb = eval_known_held(k, b, cb);

    return same_register(k, a, b, ca, cb) || (a->flags == b->flags && va && vb && va->copy && va->copy == vb->copy);
}

/* Whether an instruction copies the words of its operand: what it is of a value is a copy. */
static bool copies(const struct known *k, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(k->p, insn->src) : NULL;
    const struct result *r = &insn->dst;

    uint8_t bytes = type_table[insn->type].bytes, size = bytes == 8 ? SIZE_LONG : SIZE_DEFAULT;

    return insn->op == OP_MOV && bytes >= 4 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) && o &&
           !operand_has_sign(o) && r->kind == OPND_SYMBOL && !r->nindices &&
           !condition_restricts(&r->condition) && eval_known_held(k, o, 0) && k->first[r->ref] != NO_INDEX &&
           program_symbol(k->p, r->ref)->size == size && program_symbol(k->p, o->ref)->size == size;
}

/* What an operation gives whatever an operand holds. */
static bool whatever(const struct fold *f, const bool known[3], bool same, uint64_t *word)
{
    const struct insn *insn = f->insn;
    uint64_t ones = type_table[insn->type].bytes == 8 ? ~0ull : UINT32_MAX;

    if (insn->flags & INSN_HI)
        return false;
    if (type_table[insn->type].is_float) {  /* nothing is greater than itself, a NaN neither */
        *word = 0;
        return same && (insn->op == OP_SGT || insn->op == OP_SLT);
    }
    for (unsigned n = 0; n < 2; n++)
        if ((insn->op == OP_AND || insn->op == OP_MUL) && known[n] && !f->src[n][f->first[n]]) {
            *word = 0;
            return true;
        }
    if (insn->op == OP_OR && ((known[0] && f->src[0][f->first[0]] == ones) || (known[1] && f->src[1][f->first[1]] == ones))) {
        *word = ones;
        return true;
    }
    if (insn->op == OP_CMP && known[1] && known[2] && f->src[1][f->first[1]] == f->src[2][f->first[2]]) {
        *word = f->src[1][f->first[1]];
        return true;
    }
    if (!same)
        return false;
    switch (insn->op) {
    case OP_SUB: case OP_XOR: case OP_SNE: case OP_SLT: case OP_SGT:
        *word = 0;
        return true;
    case OP_SEQ: case OP_SLE: case OP_SGE:
        *word = ones;
        return true;
    default:
        return false;
    }
}

static bool is_loose(const struct known *k, const struct operand *o, unsigned c)
{
    return o->kind == OPND_SYMBOL && k->first[o->ref] != NO_INDEX && k->values[k->first[o->ref] + (o->swizzle >> 2 * c & 3)].loose;
}

/* The components of operand n that component c of the result is made of; whether all of them are known. */
static bool fold_operand(const struct known *k, const struct insn *insn, unsigned n, struct fold *f)
{
    const struct operand *o = program_operand(k->p, insn->src + n);
    uint8_t reads = eval_component_reads(insn->op, n, f->component), type = eval_operand_type(insn, n);
    bool known = o->kind != OPND_EXTENDED;

    f->first[n] = (uint8_t)(reads ? __builtin_ctz(reads) : 0);
    f->has_sign |= operand_has_sign(o);
    if (n == 0)
        f->negated = o->flags & (OPND_NEGATE | OPND_NEGATE_INNER) && !(o->flags & OPND_ABSOLUTE);
    if (n == 1)
        f->second_has_sign = operand_has_sign(o);
    for (unsigned i = 0; i < 4; i++) {
        if (!(reads >> i & 1))
            continue;
        known &= eval_known_operand(k, o, i, type, &f->src[n][i]);
        f->loose |= is_loose(k, o, i);
        f->called |= eval_known_held(k, o, i) && eval_known_held(k, o, i)->called;
    }
    return known;
}

/* Of a CMP: the operand that the component comes from, or -1: its first one is known, or the others are the same. */
static int chosen(const struct fold *f, const bool known[3], bool same)
{
    uint8_t type = f->insn->type;

    if (known[0] && type_table[type].bytes == 4)
        return eval_fold_takes_second(type, (uint32_t)f->src[0][f->first[0]]) ? 1 : 2;
    return same && type == DT_F32 ? 1 : -1;
}

/* Factors that are 1.0 or -1.0. */
static void find_ones(const struct fold *f, const bool known[3], struct folded *folded)
{
    const struct insn *insn = f->insn;
    uint64_t one = type_table[insn->type].bytes == 8 ? 0x3ff0000000000000u : 0x3f800000;
    uint64_t sign = type_table[insn->type].bytes == 8 ? 1ull << 63 : 0x80000000u;

    if (insn->op != OP_MUL && insn->op != OP_DIV && insn->op != OP_MAD)
        return;
    if (insn->op == OP_DIV && known[0] && (f->src[0][f->first[0]] & ~sign) == one) {
        folded->over |= (uint8_t)(1u << f->component);
        folded->over_minus |= (uint8_t)(f->src[0][f->first[0]] & sign ? 1u << f->component : 0);
    }
    for (unsigned k = insn->op == OP_DIV; k < 2; k++) {
        uint64_t word = f->src[k][f->first[k]];
        if (!known[k] || (word & ~sign) != one)
            continue;
        folded->ones[k] |= (uint8_t)(1u << f->component);
        folded->minus[k] |= (uint8_t)(word & sign ? 1u << f->component : 0);
        return;
    }
}

/* Of what multiplies several components: those of its operands that are 1.0 or -1.0. */
static void find_all_ones(const struct known *k, const struct insn *insn, struct folded *folded)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_DST: case OP_LRP: break;
    default: return;
    }
    for (unsigned n = 0; insn->type == DT_F32 && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p, insn->src + n);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t word;
            if (is_loose(k, o, c) || !eval_known_operand(k, o, c, DT_F32, &word) || (word & 0x7fffffff) != 0x3f800000)
                continue;
            folded->ones[n] |= (uint8_t)(1u << c);
            folded->minus[n] |= (uint8_t)(word >> 31 << c);
        }
    }
}

/* What is left to do where not all is known; `same`: of MIN and MAX the operands are, of CMP the last two. */
static void fold_partly(const struct known *k, const struct fold *f, const bool known[3], bool same, struct folded *folded)
{
    const struct insn *insn = f->insn;
    uint8_t bit = (uint8_t)(1u << f->component);
    uint64_t b = f->src[1][f->first[1]];
    bool integer = !type_table[insn->type].is_float, narrow = type_table[insn->type].bytes == 4;
    uint32_t word;
    int from;

    if (type_table[insn->type].is_float)
        find_ones(f, known, folded);
    switch (insn->op) {
    case OP_CMP:
        from = chosen(f, known, same);
        if (from < 0 && insn->type == DT_S64 && eval_known_held(k, program_operand(k->p, insn->src), f->first[0]) &&
            eval_trait_of_operand(k, program_operand(k->p, insn->src), f->first[0], DT_S64).sign & TRAIT_LONG)
            from = 2;
        if (from > 0)
            folded->taken[from] |= bit;
        return;
    case OP_MIN: case OP_MAX:
        if (same && !integer && insn->type != DT_F16 && !(insn->flags & INSN_HALF))
            folded->taken[0] |= bit;
        return;
    case OP_DIV: case OP_MOD:
        if (integer && narrow && known[1] && !b && !f->second_has_sign && (insn->op == OP_MOD || insn->type == DT_U32))
            folded->taken[0] |= bit;
        if (integer)
            return;
        /* fall through */
    default:
        if (eval_fold_part(f, known, &word)) {
            folded->part |= bit;
            folded->word[f->component] = word;
        }
    }
}

/* ---- flags ---------------------------------------------------------------------------------------------------------- */

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

/* The terms of a sum whose flags are set. */
static void note_terms(const struct known *k, const struct fold *f, const bool known[3], struct folded *folded)
{
    if (!f->insn->cc_update || type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return;
    for (unsigned n = 0; n < f->insn->nsrc; n++) {
        struct operand o = *program_operand(k->p, f->insn->src + n);
        uint8_t bit = (uint8_t)(1u << f->component);
        const struct known_value *held = eval_known_held(k, &o, f->first[n]);
        if (known[n] && !(held && held->weak)) {
            folded->operands[n] |= bit;
            folded->numbers[n][f->component] = f->src[n][f->first[n]];
        }
        o.flags &= (uint16_t)~OPND_NEGATE;
        if (f->insn->type == DT_S64 && eval_trait_of_operand(k, &o, f->first[n], DT_S64).sign & TRAIT_LONG)
            folded->absolute[n] |= bit;
    }
}

/* Components that a load fills in. */
static bool is_filled(const struct insn *insn, unsigned c)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return insn->width && c >= insn->width;
    default: return false;
    }
}

/* Division by a zero that a load filled in, and a choice by one. */
static bool takes_filled(const struct known *k, const struct insn *insn, const struct fold *f)
{
    unsigned n = insn->op == OP_DIV || insn->op == OP_MOD;
    const struct known_value *v = insn->nsrc > n ? eval_known_held(k, program_operand(k->p, insn->src + n), f->first[n]) : NULL;

    return (n || insn->op == OP_CMP) && v && v->known && v->loose && !v->word && !v->faint;
}

/* Whether a sum of known integers overflows. */
static bool overflows(const struct fold *f, uint64_t word)
{
    uint32_t a = (uint32_t)f->src[0][f->first[0]], b = (uint32_t)f->src[1][f->first[1]], r = (uint32_t)word;

    if (type_table[f->insn->type].is_float || !eval_is_sum(f->insn->op))
        return false;
    if (f->insn->op == OP_MAD || f->insn->op == OP_SAD) {
        b = (uint32_t)f->src[2][f->first[2]];
        a = r - b;
    }
    b = f->insn->op == OP_SUB ? ~b : b;
    return ((a ^ r) & (b ^ r)) >> 31;
}

static bool is_negated(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER && !(o->flags & OPND_ABSOLUTE));
}

/* The signs of what is known are put on by the compiler, of NaNs too. */
static void note_nans(const struct known *k, const struct fold *f, struct folded *folded)
{
    for (unsigned n = 0; f->insn->type == DT_F64 && n < f->insn->nsrc; n++) {
        const struct operand *o = program_operand(k->p, f->insn->src + n);
        uint8_t reads = eval_component_reads(f->insn->op, n, f->component), type = eval_operand_type(f->insn, n);
        uint64_t word;
        bool negated = f->insn->op == OP_MUL ? is_negated(program_operand(k->p, f->insn->src + 1 - n))     /* the sign goes there */
                                             : f->insn->op == OP_SUB && n == 1;
        for (unsigned i = 0; i < 4 && (negated || operand_has_sign(o)) && o->kind != OPND_EXTENDED; i++)
            if (reads >> i & 1 && type == DT_F64 && eval_known_operand(k, o, i, type, &word) && (word << 1) > 0xffe0000000000000u) {
                folded->nans[n] |= (uint8_t)(1u << i);
                folded->numbers[n][i] = word ^ (negated ? 1ull << 63 : 0);
            }
    }
}

/* Vector operations are steps, of which the compiler does those whose operands it knows: all components of the operands. */
static void note_factors(const struct known *k, const struct insn *insn, struct folded *folded)
{
    uint8_t known[3] = {0};

    if (!eval_has_steps(insn))
        return;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned i = 0; i < 4; i++) {
            const struct operand *o = program_operand(k->p, insn->src + n);
            uint64_t word;
            if (o->kind == OPND_EXTENDED || is_loose(k, o, i) || !eval_known_operand(k, o, i, DT_F32, &word))
                continue;
            known[n] |= (uint8_t)(1u << i);
            folded->numbers[n][i] = word;
        }
    memcpy(folded->factors, known, sizeof known);
}

/* Products of NaNs that differ in signs alone are one product, that of the lowest component. */
static void as_before(const struct known *k, const struct insn *insn, unsigned c, const struct fold *f, uint64_t *word)
{
    const uint64_t sign = 1ull << 63;
    uint64_t a = f->src[0][c], b = f->src[1][c], x, y, first;
    bool nan = a << 1 > 0xffe0000000000000u || b << 1 > 0xffe0000000000000u;

    for (unsigned i = 0; nan && i < c; i++) {
        struct fold other = *f;
        if (!(insn->dst.mask >> i & 1) || !eval_known_operand(k, program_operand(k->p, insn->src), i, DT_F64, &x) ||
            !eval_known_operand(k, program_operand(k->p, insn->src + 1), i, DT_F64, &y) || (a ^ x) << 1 || (b ^ y) << 1)
            continue;
        other.component = i;
        other.first[0] = other.first[1] = (uint8_t)i;
        other.src[0][i] = x;
        other.src[1][i] = y;
        if (eval_fold(&other, &first))
            *word = first ^ ((a ^ b ^ x ^ y) & sign);
        return;
    }
}

static bool fold_component(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                           struct folded *folded)
{
    struct fold f = {.insn = insn, .component = c, .unclamped = eval_clamps_nothing(k->p, insn) ||
                                  (insn->type == DT_F32 && insn->flags & INSN_SAT && eval_writes_apart(k->p, insn))};
    bool known[3] = {true, true, true}, words = false, same = false, loose = false, all;

    if (insn->nsrc > 3 || insn->flags & (INSN_S24 | INSN_U24 | INSN_FIXED) || (insn->flags & INSN_HI && type_table[insn->type].bytes != 4))
        return false;
    if (insn->op == OP_UP64 && insn->flags & (INSN_SAT | INSN_SSAT) && program_is_long(k->p, insn->dst.kind, insn->dst.ref))
        return false;       /* clamped when it has been widened */
    if (is_filled(insn, c)) {
        v->word = 0;
        v->loose = true;
        v->faint = insn->type == DT_F32 || (insn->type == DT_S32 && insn->op == OP_LDB);
        v->weak = (insn->op == OP_LDB || insn->op == OP_LOAD) && insn->type != DT_F16;
        return true;
    }
    for (unsigned n = 0; n < insn->nsrc; n++) {
        known[n] = fold_operand(k, insn, n, &f);
        loose |= f.loose && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
    }
    if (insn->nsrc > 1) {
        unsigned n = insn->op == OP_CMP;
        const struct operand *x = program_operand(k->p, insn->src + n), *y = x + 1;
        words = same_register(k, x, y, f.first[n], f.first[n + 1]);
        same = eval_known_same(k, x, y, f.first[n], f.first[n + 1]);
    }
    if (folded) {
        note_terms(k, &f, known, folded);
        note_nans(k, &f, folded);
    }
    v->loose = whatever(&f, known, same, &v->word);
    v->weak = v->loose && same && !words && !type_table[insn->type].is_float;
    if (v->loose)
        return true;
    v->loose = f.loose;
    if (insn->nsrc == 2 && eval_compares_absolute(k, insn, c, &all)) {
        v->word = all ? UINT32_MAX : 0;
        return true;
    }
    all = known[0] && known[1] && known[2] && eval_fold(&f, &v->word);
    if (all && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)))
        as_before(k, insn, c, &f, &v->word);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !type_table[insn->type].is_float)     /* the divisor alone decides */
        loose = is_loose(k, program_operand(k->p, insn->src + 1), f.first[1]);
    v->may_overflow = all && overflows(&f, v->word);
    v->called = all && f.called;
    if (folded && !all && (!loose || takes_filled(k, insn, &f)))
        fold_partly(k, &f, known, same, folded);
    return all;
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
static bool may_overflow(const struct insn *insn, uint64_t word)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SHL: case OP_ABS:
        return !type_table[insn->type].is_float && (uint32_t)word + 0x10000u > 0x20000u;
    default: return false;
    }
}

/* Flags that are set from a result of this type, known or not. */
static struct known_value flags(const struct insn *insn, struct known_value v)
{
    uint8_t type = eval_result_type(insn);

    v.type = type_table[type].bytes != 4                 ? DT_NONE
             : type == DT_U32 && eval_is_sum(insn->op)   ? DT_S32
             : type == DT_S32 && insn->op == OP_MOD      ? DT_U32   /* of unsigned numbers */
                                                         : type;
    v.known &= v.type != DT_NONE;
    v.computed = v.known && eval_is_computed(insn, &v);
    v.may_overflow |= may_overflow(insn, v.word);
    v.passes = eval_always_passes(insn, &v);
    return v;
}

static uint8_t size_of(const struct known *k, const struct result *r)
{
    return r->kind == OPND_SYMBOL ? program_symbol(k->p, r->ref)->size : SIZE_DEFAULT;
}

static bool compares(unsigned op)
{
    return op == OP_SLT || op == OP_SLE || op == OP_SGT || op == OP_SGE;
}

/* What its result copies; numbers are given to what has none yet. */
static void find_copies(struct known *k, const struct insn *insn, uint32_t copy[4])
{
    for (unsigned c = 0; copies(k, insn) && c < 4; c++) {
        struct known_value *from = eval_known_held(k, program_operand(k->p, insn->src), c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        if (!from->copy)
            from->copy = ++k->copies;
        copy[c] = from->copy;
    }
}

static bool votes(const struct insn *insn)
{
    return insn->type == DT_F32 && (insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ || insn->op == OP_TGBALLOT);
}

/* The components of a vote's operand that are what a comparison of integers says: the vote takes that, where the word is no number. */
static uint8_t truths(const struct known *k, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p, insn->src);
    uint8_t mask = 0;

    for (unsigned c = 0; !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct known_value *v = eval_known_held(k, o, c);
        if (insn->dst.mask >> c & 1 && v && v->trait.truth && program_symbol(k->p, o->ref)->size == SIZE_DEFAULT)
            mask |= (uint8_t)(1u << c);
    }
    return mask;
}

/* Whether it is known what a result replaces. */
static bool is_known_result(const struct known *k, const struct result *r, unsigned c)
{
    return r->kind == OPND_SYMBOL && !r->nindices && k->first[r->ref] != NO_INDEX && k->values[k->first[r->ref] + c].known;
}

void eval_known_step(struct known *k, const struct insn *insn, uint32_t at, struct folded *folded)
{
    const struct result *r = &insn->dst;
    struct known_value v[4] = {{0}};
    struct trait trait[4] = {{0}};
    uint32_t copy[4] = {0};
    bool wide = type_table[eval_result_type(insn)].bytes == 8, whole = !condition_restricts(&r->condition);

    if (eval_ends_block(insn->op))
        eval_known_part(k);
    if (r->kind == OPND_NONE)
        return;
    if (folded) {
        find_all_ones(k, insn, folded);
        note_factors(k, insn, folded);
    }
    eval_known_write(k, insn, folded);
    find_copies(k, insn, copy);
    for (unsigned c = 0; c < 4; c++) {
        if (size_of(k, r) == SIZE_SHORT && r->mask >> c & 1 && insn->op == OP_MUL && folded) {
            struct known_value none = {0};
            fold_component(k, insn, c, &none, folded);      /* for its factors alone */
        }
        if (!(r->mask >> c & 1) || size_of(k, r) == SIZE_SHORT)
            continue;
        v[c].known = fold_component(k, insn, c, &v[c], folded);
        trait[c] = eval_trait_of_result(k, insn, at, c);
        if (folded && insn->op == OP_CMP && eval_is_negative(k, insn, c))
            folded->turned |= (uint8_t)(1u << c);
        if (folded && v[c].known && !whole && insn->op == OP_MOV && !is_known_result(k, r, c))
            folded->moved |= (uint8_t)(1u << c);
        if (folded && v[c].known && wide)
            folded->known |= (uint8_t)(1u << c);
        if (folded && v[c].known && !v[c].loose &&
            (type_table[eval_result_type(insn)].is_float || insn->op == OP_CMP || compares(insn->op))) {
            folded->mask |= (uint8_t)(1u << c);
            folded->word[c] = v[c].word;
        }
    }
    if (folded)
        find_answers(k, insn, v, trait, folded);
    if (folded && votes(insn))
        folded->truths = truths(k, insn);
    eval_known_overwrite(k, insn);
    for (unsigned c = 0; c < 4; c++) {
        if (!(r->mask >> c & 1) || !whole)
            continue;
        v[c].known &= r->kind == OPND_SYMBOL;
        v[c].type = insn->type;
        v[c].trait = at == NO_INDEX ? (struct trait){0} : trait[c];
        v[c].definition = at == NO_INDEX ? 0 : at * 4 + c + 1;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX && (size_of(k, r) == SIZE_LONG) == wide && !r->nindices)
            k->values[k->first[r->ref] + c] =
                (struct known_value){.known = v[c].known, .weak = v[c].known && v[c].weak, .called = v[c].called,
                                     .loose = v[c].known && v[c].loose, .faint = v[c].known && v[c].faint, .word = v[c].word, .copy = copy[c],
                                     .trait = v[c].trait, .definition = v[c].definition};
        else if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX && !r->nindices)      /* narrowed */
            k->values[k->first[r->ref] + c] =
                (struct known_value){.known = is_filled(insn, c), .weak = v[c].weak, .loose = v[c].loose, .faint = v[c].faint,
                                     .trait = {.truth = v[c].trait.truth && wide}, .definition = v[c].definition};
        if (insn->cc_update)
            k->values[(insn->cc_update - 1u) * 4 + c] = flags(insn, v[c]);
    }
    eval_known_set_flags(k, insn, v);
}
