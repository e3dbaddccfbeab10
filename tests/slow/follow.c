/* Constants, followed through the program as the driver's compiler does it: docs/semantics.md, "What the compiler knows". */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

enum { FLAGS = 8 };     /* both condition codes come first */

bool slow_knowledge_new(struct slow_knowledge *k, const struct slow_program *p)
{
    *k = (struct slow_knowledge){.p = p, .count = FLAGS + p->nregisters * 4, .at = NO_INDEX};
    k->value = calloc(k->count, sizeof *k->value);
    return k->value != NULL;
}

bool slow_knowledge_copy(struct slow_knowledge *to, const struct slow_knowledge *from)
{
    *to = *from;
    to->value = calloc(from->count, sizeof *to->value);
    if (to->value)
        memcpy(to->value, from->value, from->count * sizeof *to->value);
    return to->value != NULL;
}

void slow_knowledge_free(struct slow_knowledge *k)
{
    free(k->value);
    k->value = NULL;
}

void slow_know_nothing(struct slow_knowledge *k)
{
    memset(k->value, 0, k->count * sizeof *k->value);
    memset(k->spent, 0, sizeof k->spent);
    k->near = k->sums = 0;
}

void slow_know_both(struct slow_knowledge *k, const struct slow_knowledge *other)
{
    k->sums &= other->sums;
    for (unsigned rule = 0; rule < 4; rule++)
        k->spent[rule] |= other->spent[rule];
    for (uint32_t i = 0; i < k->count; i++) {
        struct slow_known *a = &k->value[i];
        const struct slow_known *b = &other->value[i];
        a->known &= b->known && a->bits == b->bits && a->type == b->type;
        a->type = a->type == b->type ? a->type : DT_NONE;
        a->may_overflow |= b->may_overflow;
        a->computed &= b->computed;
        a->called |= b->called;
        a->passes &= b->passes;
        a->copy = a->copy == b->copy ? a->copy : 0;
        a->look = a->definition == b->definition ? a->look : (struct slow_look){0};
        a->loose = a->known && (a->loose || b->loose);
        a->faint = a->known && (a->faint || b->faint);
    }
}

/* ---- what is followed --------------------------------------------------------------------------------------------------------- */

/* The place of a register's component, or NULL: arrays and SHORT variables are not followed. */
static struct slow_known *of_register(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(k->p->text, ref) : NULL;
    if (!s || s->kind != SYM_TEMP || s->array || s->size == SIZE_SHORT)
        return NULL;
    return &k->value[FLAGS + k->p->first[ref] * 4 + c];
}

static struct slow_known *of_flags(const struct slow_knowledge *k, unsigned cc, unsigned c)
{
    return &k->value[(cc & 1) * 4 + c];
}

void slow_unknow(struct slow_knowledge *k, const struct insn *insn)
{
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(k->p, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = of_register(k, insn->dst.kind, insn->dst.ref, c);
        if (!(written >> c & 1))
            continue;
        if (v)
            *v = (struct slow_known){0};
        if (insn->cc_update)
            *of_flags(k, insn->cc_update - 1u, c) = (struct slow_known){0};
    }
}

void slow_take_known(struct slow_knowledge *k, const struct slow_knowledge *from, const struct insn *insn)
{
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(k->p, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = of_register(k, insn->dst.kind, insn->dst.ref, c);
        if (v && written >> c & 1) {
            *v = *of_register(from, insn->dst.kind, insn->dst.ref, c);
            v->called = true;
        }
        if (written >> c & 1 && insn->cc_update)
            *of_flags(k, insn->cc_update - 1u, c) = *of_flags(from, insn->cc_update - 1u, c);
    }
}

static uint32_t size_of_group(const struct gp5_program *p, unsigned c)
{
    return p->group_size[c] ? p->group_size[c] : 1;
}

/* A parameter, or an element of an array of them, that is a constant; a size of the group that the text says. */
static bool is_constant(const struct gp5_program *p, const struct operand *o, unsigned c, unsigned type)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(p, o->index) : NULL;
    const struct binding *b = NULL;
    int64_t at = index ? index->offset : 0;
    if (slow_bytes(type) != 4 || o->nindices > 1 || at < 0 || (index && index->mode == INDEX_RELATIVE))
        return false;
    if (o->kind == OPND_BINDING)
        b = program_binding(p, o->ref);
    if (s && s->kind == SYM_PARAM && s->size == SIZE_DEFAULT && s->array == (index != NULL))
        for (uint32_t i = 0; i < s->nbindings && !b; i++) {
            const struct binding *x = program_binding(p, s->binding + i);
            unsigned last = x->nindices ? x->nindices - 1u : 0;
            int64_t n = x->nindices && x->range[last] ? (int64_t)x->last[last] - x->first[last] + 1 : 1;
            if (at < n)
                b = x;
            at -= n;
        }
    if (b && b->kind == BIND_INVOCATION_GROUPSIZE)
        return p->has_group_size && (o->swizzle >> 2 * c & 3) < 3;
    return b && s && b->kind == BIND_CONSTANT;
}

/* The compiler puts signs on NaNs of doubles, too. */
static uint64_t signed_double(const struct operand *o, uint64_t bits)
{
    const uint64_t top = 1ull << 63;
    bits ^= o->flags & OPND_NEGATE_INNER ? top : 0;
    bits &= o->flags & OPND_ABSOLUTE ? ~top : UINT64_MAX;
    return o->flags & OPND_NEGATE ? bits ^ top : bits;
}

bool slow_known_operand(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *out)
{
    const struct gp5_program *p = k->p->text;
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct slow_known *v;
    *out = (struct slow_known){0};
    if (o->kind == OPND_CONSTANT || is_constant(p, o, c, type)) {
        static const struct slow_launch nowhere = {.groups = {1, 1, 1}};
        struct slow_group group = {.program = k->p, .launch = &nowhere,
                                   .size = {size_of_group(p, 0), size_of_group(p, 1), size_of_group(p, 2)}};
        struct slow_lane lane = {.group = &group};
        struct slow_value all[4];
        struct operand plain = *o;
        plain.flags &= type == DT_F64 ? (uint16_t)~OPND_SIGNS : UINT16_MAX;
        out->known = slow_fetch(&lane, &plain, type, all);
        out->bits = type == DT_F64 ? signed_double(o, all[c].bits) : all[c].bits;
        return out->known;
    }
    v = o->nindices ? NULL : of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
    if (!v || (s->size == SIZE_LONG) != (slow_bytes(type) == 8))
        return false;
    *out = *v;
    out->bits = type == DT_F64 ? signed_double(o, out->bits) : slow_sign(k->p, type, o->flags, out->bits);
    return out->known;
}

/* ---- results ------------------------------------------------------------------------------------------------------------------- */

struct operands {
    struct slow_value value[3][4];
    struct slow_known known[3][4];
    bool has_sign;
};

static void look_up(const struct slow_knowledge *k, const struct insn *insn, struct operands *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        s->has_sign |= operand_has_sign(o);
        for (unsigned i = 0; i < 4; i++)
            if (o->kind != OPND_EXTENDED && slow_known_operand(k, o, i, slow_operand_type(insn, n), &s->known[n][i]))
                s->value[n][i].bits = s->known[n][i].bits;
    }
}

/* Whether all that component c is made of in operand n is known. */
static bool knows(const struct slow_knowledge *k, const struct insn *insn, const struct operands *s, unsigned n, unsigned c, bool *loose,
                  bool *called)
{
    bool known = true;
    for (unsigned i = 0; i < 4; i++)
        if (slow_made_of(k->p, insn, n, c) >> i & 1) {
            known &= s->known[n][i].known;
            *loose |= s->known[n][i].loose;
            *called |= s->known[n][i].called;
        }
    return known;
}

static unsigned component_of(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    unsigned mask = slow_made_of(k->p, insn, n, c);
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

/* The same indices, in the same words. */
static bool same_element(const struct gp5_program *p, const struct operand *a, const struct operand *b)
{
    for (unsigned n = 0; a->nindices == b->nindices && n < a->nindices; n++) {
        const struct index *x = program_index(p, a->index + n), *y = program_index(p, b->index + n);
        bool register_too = x->mode != INDEX_RELATIVE || (!x->element.used && !y->element.used && x->register_kind == y->register_kind &&
                                                          x->reg == y->reg && x->component == y->component);
        if (x->mode != y->mode || x->offset != y->offset || !register_too)
            return false;
    }
    return a->nindices == b->nindices;
}

const struct slow_known *slow_held(const struct slow_knowledge *k, const struct operand *o, unsigned c)
{
    return o->nindices || !k->value ? NULL : of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
}

static bool in_same_words(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    return a->flags == b->flags && a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref &&
           (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3) && same_element(k->p->text, a, b);
}

bool slow_alike(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    const struct slow_known *va = slow_held(k, a, ca), *vb = slow_held(k, b, cb);
    return in_same_words(k, a, b, ca, cb) || (a->flags == b->flags && va && vb && va->copy && va->copy == vb->copy);
}

bool slow_with_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *a = program_operand(k->p->text, insn->src + n);
    return insn->nsrc >= n + 2 && slow_alike(k, a, a + 1, component_of(k, insn, n, c), component_of(k, insn, n + 1, c));
}

/* What comes out whatever the operands are. */
static bool always(const struct slow_knowledge *k, const struct insn *insn, const struct operands *s, const bool known[3], unsigned c,
                   bool same, uint64_t *bits)
{
    uint64_t ones = slow_bytes(insn->type) == 8 ? UINT64_MAX : UINT32_MAX;
    *bits = 0;
    if (insn->flags & INSN_HI)
        return false;
    if (slow_is_float(insn->type))
        return (insn->op == OP_SGT || insn->op == OP_SLT) && same;
    for (unsigned n = 0; n < 2; n++)
        if ((insn->op == OP_AND || insn->op == OP_MUL) && known[n] && !s->value[n][component_of(k, insn, n, c)].bits)
            return true;
    *bits = ones;
    for (unsigned n = 0; n < 2; n++)
        if (insn->op == OP_OR && known[n] && s->value[n][component_of(k, insn, n, c)].bits == ones)
            return true;
    *bits = s->value[1][c].bits;
    if (insn->op == OP_CMP && known[1] && known[2] && *bits == s->value[2][c].bits)
        return true;
    *bits = 0;
    switch (insn->op) {
    case OP_SUB: case OP_XOR: case OP_SNE: case OP_SLT: case OP_SGT: return same;
    case OP_SEQ: case OP_SLE: case OP_SGE:
        *bits = ones;
        return same;
    default: return false;
    }
}

/* A number whose CMP takes the second operand: below zero or no number; an integer as the float that has its bits. */
static bool takes_second(unsigned type, uint32_t a)
{
    uint32_t magnitude = a & 0x7fffffff;
    return magnitude > 0x7f800000 || (a >> 31 && magnitude >= (type == DT_F32 ? 0x00800000u : 1u));
}

/* Where only some operands are known. */
static void in_part(const struct slow_knowledge *k, const struct insn *insn, struct operands *s, const bool known[3], unsigned c,
                    struct slow_place *place)
{
    const struct operand *b = program_operand(k->p->text, insn->src + 1);
    uint8_t bit = (uint8_t)(1u << c);
    bool whole = !slow_is_float(insn->type), single = insn->type == DT_F32 && !(insn->flags & INSN_PREC);
    uint64_t second = s->value[1][component_of(k, insn, 1, c)].bits;
    uint32_t word;
    if (whole && known[1] && !second) {
        if ((insn->op == OP_MOD || (insn->op == OP_DIV && insn->type == DT_U32)) && slow_bytes(insn->type) == 4 &&
            !(b->flags & OPND_SIGNS))
            place->chosen[0] |= bit;
    }
    if (insn->op == OP_CMP && slow_bytes(insn->type) == 4 && known[0])
        place->chosen[takes_second(insn->type, (uint32_t)s->value[0][c].bits) ? 1 : 2] |= bit;
    else if (insn->op == OP_CMP && insn->type == DT_F32 && slow_with_itself(k, insn, 1, c))
        place->chosen[1] |= bit;
    else if (slow_chooses_last(k, insn, c))
        place->chosen[2] |= bit;
    if ((insn->op == OP_MIN || insn->op == OP_MAX) && !whole && insn->type != DT_F16 && !(insn->flags & INSN_HALF) && slow_with_itself(k, insn, 0, c))
        place->chosen[0] |= bit;
    for (unsigned n = insn->op == OP_DIV; n < 2 && !whole && (insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_MAD); n++) {
        uint64_t one = slow_bytes(insn->type) == 8 ? 0x3ff0000000000000 : 0x3f800000, sign = slow_bytes(insn->type) == 8 ? 1ull << 63 : 1u << 31;
        uint64_t bits = s->value[n][component_of(k, insn, n, c)].bits;
        if (!known[n] || (bits | sign) != (one | sign))
            continue;
        place->one[n] |= bit;
        place->minus[n] |= bits & sign ? bit : 0;
        break;
    }
    if (insn->op == OP_DIV && !whole && known[0] && s->value[0][component_of(k, insn, 0, c)].bits << 33 == (uint64_t)0x3f800000 << 33) {
        place->over |= bit;
        place->over_minus |= s->value[0][component_of(k, insn, 0, c)].bits >> 31 ? bit : 0;
    }
    if (insn->op == OP_DIV && insn->type == DT_F32 && !(insn->flags & INSN_HALF) && known[1] && !known[0] &&
        slow_known_reciprocal((uint32_t)s->value[1][0].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
    if (single && insn->op == OP_MAD && known[0] && known[1] && !known[2] &&
        slow_known_product((uint32_t)s->value[0][c].bits, (uint32_t)s->value[1][c].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
    if (single && insn->op == OP_POW && known[0] && slow_logarithm((uint32_t)s->value[0][0].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
}

/* The components of operands that are 1.0 or -1.0, of what multiplies more than one of them. */
static void note_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    bool several = insn->op == OP_DP2 || insn->op == OP_DP3 || insn->op == OP_DP4 || insn->op == OP_DPH || insn->op == OP_DP2A ||
                   insn->op == OP_X2D || insn->op == OP_DST || insn->op == OP_LRP;
    for (unsigned n = 0; several && insn->type == DT_F32 && n < insn->nsrc; n++)
        for (unsigned c = 0; c < 4; c++) {
            struct slow_known v;
            if (!slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, DT_F32, &v) || v.loose)
                continue;
            place->one[n] |= (uint8_t)(((uint32_t)v.bits << 1 == 0x7f000000u) << c);
            place->minus[n] |= (uint8_t)(((uint32_t)v.bits == 0xbf800000u) << c);
        }
}

static bool foldable(const struct slow_knowledge *k, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(k->p->text, insn->dst.ref) : NULL;
    return insn->nsrc <= 3 && !(s && s->size == SIZE_SHORT) && !(insn->flags & (INSN_S24 | INSN_U24 | INSN_FIXED)) &&
           !(insn->flags & INSN_HI && slow_bytes(insn->type) == 8);
}

/* What is not computed of what a load fills in. */
static bool is_function(const struct insn *insn)
{
    switch (insn->op) {
    case OP_DIV: case OP_MOD: case OP_BFE: case OP_BFI: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM: case OP_SAD:
        return !slow_is_float(insn->type);
    default: return insn->flags & INSN_HI;
    }
}

/* Whether a sum of known integers overflows. */
static bool overflows(const struct slow_knowledge *k, const struct insn *insn, const struct operands *s, unsigned c)
{
    int64_t a = (int32_t)s->value[0][component_of(k, insn, 0, c)].bits, b = (int32_t)s->value[1][component_of(k, insn, 1, c)].bits, r;
    if (slow_is_float(insn->type))
        return false;
    switch (insn->op) {
    case OP_ADD: r = a + b; break;
    case OP_SUB: r = a - b; break;
    case OP_MAD: r = (int64_t)(int32_t)((uint32_t)a * (uint32_t)b) + (int32_t)s->value[2][component_of(k, insn, 2, c)].bits; break;
    case OP_SAD:
        r = (insn->type == DT_S32 ? a < b : (uint32_t)a < (uint32_t)b) ? b - a : a - b;
        r = (int64_t)(int32_t)r + (int32_t)s->value[2][component_of(k, insn, 2, c)].bits;
        break;
    default: return false;
    }
    return r != (int32_t)r;
}

static bool is_load(const struct insn *insn)
{
    return insn->width && (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD);
}

/* What a load fills in: where it is subtracted, LDC, LDS and halves leave a number, other loads do not. */
static struct slow_known filled(const struct insn *insn)
{
    return (struct slow_known){.known = true, .loose = true, .faint = insn->type == DT_F32 || (insn->type == DT_S32 && insn->op == OP_LDB),
                               .weak = (insn->op == OP_LDB || insn->op == OP_LOAD) && insn->type != DT_F16};
}

/* Where the zero that a load filled in is a number all the same: as a divisor, and as what CMP looks at. */
static bool counts_as_zero(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    unsigned n = insn->op == OP_DIV || insn->op == OP_MOD;
    const struct slow_known *v = insn->nsrc > n ? slow_held(k, program_operand(k->p->text, insn->src + n), component_of(k, insn, n, c)) : NULL;
    if ((!n && insn->op != OP_CMP) || !v || !v->known || !v->loose || v->bits)
        return false;
    return !v->faint;
}

static struct slow_known component(const struct slow_knowledge *k, const struct insn *insn, struct operands *s, unsigned c,
                                   struct slow_place *place)
{
    struct slow_known r = {0};
    const struct operand *first = program_operand(k->p->text, insn->src);
    bool known[3] = {true, true, true}, loose = false, words = false, called = false;
    if (is_load(insn) && c >= insn->width)
        return filled(insn);
    for (unsigned n = 0; n < insn->nsrc; n++) {
        known[n] = program_operand(k->p->text, insn->src + n)->kind != OPND_EXTENDED && knows(k, insn, s, n, c, &r.loose, &called);
        loose |= r.loose && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
    }
    if (insn->nsrc > 1)
        words = in_same_words(k, first, first + 1, component_of(k, insn, 0, c), component_of(k, insn, 1, c));
    if (always(k, insn, s, known, c, insn->nsrc > 1 && slow_with_itself(k, insn, 0, c), &r.bits)) {
        uint64_t bits;
        r.known = r.loose = true;
        r.weak = !slow_is_float(insn->type) && !always(k, insn, s, known, c, words, &bits);
        return r;
    }
    if (insn->nsrc == 2 && slow_compares_absolute(k, insn, c, &r.bits)) {
        r.known = true;
        return r;
    }
    r.known = known[0] && known[1] && known[2] && !(r.loose && is_function(insn)) &&
              slow_compiled(k->p, insn, s->value, c, s->has_sign, &r.bits);
    r.called = r.known && called;
    r.may_overflow = r.known && overflows(k, insn, s, c);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !slow_is_float(insn->type))     /* the divisor alone decides */
        loose = s->known[1][component_of(k, insn, 1, c)].loose;
    if (place && !r.known && (!loose || counts_as_zero(k, insn, c)))
        in_part(k, insn, s, known, c, place);
    return r;
}

/* Integers whose sign may be an overflow's: sums and products of small ones are taken for sound. */
static bool may_overflow(const struct insn *insn, uint64_t bits)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SHL: case OP_ABS:
        return !slow_is_float(insn->type) && (uint32_t)bits + 0x10000u > 0x20000u;
    default: return false;
    }
}

/* A MOV between registers of 32 bits, as it is: the numbers that say so, or 0. */
static void number_copies(struct slow_knowledge *k, const struct insn *insn, uint32_t number[4])
{
    const struct operand *o = insn->nsrc ? program_operand(k->p->text, insn->src) : NULL;
    const struct result *r = &insn->dst;
    if (insn->op != OP_MOV || type_table[insn->type].bytes != 4 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || o->nindices ||
        o->flags & OPND_SIGNS || r->nindices || condition_restricts(&r->condition) ||
        !of_register(k, r->kind, r->ref, 0) || !of_register(k, o->kind, o->ref, 0) ||
        program_symbol(k->p->text, r->ref)->size != SIZE_DEFAULT || program_symbol(k->p->text, o->ref)->size != SIZE_DEFAULT)
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *from = of_register(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
        if (!(r->mask >> c & 1))
            continue;
        if (!from->copy) {
            uint32_t fresh = (uint32_t)(insn - program_insn(k->p->text, 0)) * 4 + c + 1;
            for (uint32_t i = 0; i < k->count; i++)     /* of an earlier round */
                k->value[i].copy = k->value[i].copy == fresh ? 0 : k->value[i].copy;
            from->copy = fresh;
        }
        number[c] = from->copy;
    }
}

static bool is_short(const struct slow_knowledge *k, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_SHORT;
}

static bool compares(unsigned op)
{
    return op == OP_SLT || op == OP_SLE || op == OP_SGT || op == OP_SGE;
}

void slow_note_uses(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    const struct condition *t = insn->dst.kind == OPND_NONE ? &insn->condition : &insn->dst.condition;
    for (unsigned c = 0; (t->rule == CC_GT || t->rule == CC_LT) && c < 4; c++)
        if (insn->dst.kind == OPND_NONE || insn->dst.mask >> c & 1)
            place->uses[c] = of_flags(k, t->cc, (t->nswizzle ? t->swizzle : 0xe4) >> 2 * c & 3)->look.sum;
}

/* A vote on floats takes what a comparison of integers said, though its -1 is no number. */
static uint8_t truths(const struct slow_knowledge *k, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    uint8_t mask = 0;
    for (unsigned c = 0; !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct slow_known *v = slow_held(k, o, c);
        if (v && v->look.truth && program_symbol(k->p->text, o->ref)->size == SIZE_DEFAULT)
            mask |= (uint8_t)(1u << c);
    }
    return mask & insn->dst.mask;
}

/* .SSAT into a LONG variable takes no notice of a test. */
static bool is_unlooked(const struct slow_knowledge *k, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
}

void slow_follow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    uint32_t number[4] = {0};
    unsigned result = slow_result_type(insn);
    bool tested = condition_restricts(&insn->dst.condition);
    struct slow_known r[4] = {{0}};
    struct slow_look look[4] = {{0}};
    struct operands s;
    if (slow_ends_block(insn->op))
        k->near = 0;
    if (insn->dst.kind == OPND_NONE)
        return;
    for (unsigned c = 0; place && tested && c < 4; c++) {
        unsigned swizzle = insn->dst.condition.nswizzle ? insn->dst.condition.swizzle : 0xe4;
        unsigned at = swizzle >> 2 * c & 3;
        const struct slow_known *f = of_flags(k, insn->dst.condition.cc, at);
        bool earlier = insn->cc_update && insn->dst.mask >> at & 1 && at < c;   /* that one may have set the flag that this one looks at */
        if (!(insn->dst.mask >> c & 1) || is_unlooked(k, insn))
            continue;
        if (f->known || f->passes >> insn->dst.condition.rule & 1)
            place->settled |= (uint8_t)(1u << c);
        bool pass = false, known = slow_sees(k, &insn->dst.condition, at, false, &pass);
        if (insn->dst.condition.rule == CC_FL || (known && !pass && !earlier))
            place->fails |= (uint8_t)(1u << c);
        else if (known && !earlier)
            place->passes |= (uint8_t)(1u << c);
    }
    if (place)
        note_ones(k, insn, place);
    slow_note_test(k, insn, place);
    for (unsigned c = insn->width; is_load(insn) && c < 4; c++)
        r[c] = filled(insn);
    if (place)
        slow_note_facts(k, insn, place);
    if (foldable(k, insn)) {
        look_up(k, insn, &s);
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && !r[c].known)
                r[c] = component(k, insn, &s, c, place);
    } else if (place && insn->op == OP_MUL && is_short(k, insn)) {      /* factors of 1 alone */
        look_up(k, insn, &s);
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1)
                component(k, insn, &s, c, place);
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!(insn->dst.mask >> c & 1) || is_short(k, insn))
            continue;
        look[c] = slow_look_at_result(k, insn, c);
        if (place)
            slow_note_answers(k, insn, c, &r[c], look[c], place);
        if (place && insn->op == OP_CMP && slow_is_negative(k, insn, c))
            place->negative |= (uint8_t)(1u << c);
        if (place && r[c].known && tested && insn->op == OP_MOV && !insn->cc_update) {
            const struct slow_known *old = of_register(k, insn->dst.kind, insn->dst.ref, c);
            place->choice |= old && old->known && !insn->dst.nindices ? 0 : (uint8_t)(1u << c);
        }
    }
    if (place && insn->type == DT_F32 &&
        (insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ || insn->op == OP_TGBALLOT))
        place->truths = truths(k, insn);
    slow_note_flags(k, insn, r);
    number_copies(k, insn, number);
    slow_unknow(k, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = of_register(k, insn->dst.kind, insn->dst.ref, c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        if (place && r[c].known && !r[c].loose && (slow_is_float(result) || insn->op == OP_CMP || compares(insn->op))) {
            place->computed |= (uint8_t)(1u << c);
            place->word[c] = r[c].bits;
        }
        if (place && r[c].known && slow_bytes(result) == 8)
            place->known |= (uint8_t)(1u << c);
        r[c].known &= !tested && insn->dst.kind == OPND_SYMBOL;
        if (v && r[c].known &&
            (program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG) == (slow_bytes(result) == 8))
            *v = (struct slow_known){.known = true, .loose = r[c].loose, .weak = r[c].weak, .called = r[c].called, .faint = r[c].faint,
                                     .bits = r[c].bits};
        else if (v && !tested && !insn->dst.nindices && c >= insn->width && is_load(insn))     /* 0 is 0 in any size */
            *v = filled(insn);
        if (number[c])
            v->copy = number[c];
        if (v && !tested && !insn->dst.nindices && k->at != NO_INDEX &&
            (program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG) == (slow_bytes(result) == 8)) {
            v->look = look[c];
            v->definition = k->at * 4 + c + 1;
        } else if (v && !tested && !insn->dst.nindices && k->at != NO_INDEX && look[c].truth && slow_bytes(result) == 8) {
            v->look = (struct slow_look){.truth = true};    /* narrowed */
            v->definition = k->at * 4 + c + 1;
        }
        if (insn->cc_update && !tested) {
            bool narrow = slow_bytes(result) == 4, sums = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD || insn->op == OP_SAD;
            struct slow_known f = r[c];
            f.known &= narrow;
            f.may_overflow |= may_overflow(insn, f.bits);
            f.type = !narrow ? DT_NONE : result == DT_U32 && sums ? DT_S32 : result == DT_S32 && insn->op == OP_MOD ? DT_U32 : result;
            f.look = k->at == NO_INDEX ? (struct slow_look){0} : look[c];
            f.definition = k->at == NO_INDEX ? 0 : k->at * 4 + c + 1;
            f.computed = f.known && slow_is_number(insn, &f);
            f.passes = slow_always(insn, &f);
            f.copy = 0;
            f.faint = false;
            *of_flags(k, insn->cc_update - 1u, c) = f;
        }
    }
}

/* ---- tests ---------------------------------------------------------------------------------------------------------------------- */

static unsigned looked_at(const struct condition *c, unsigned i)
{
    return (c->nswizzle ? c->swizzle : 0xe4) >> 2 * i & 3;
}

bool slow_known_test(const struct slow_knowledge *k, const struct condition *c, bool *passes)
{
    bool all = true, any = false, pass = false;
    *passes = !condition_restricts(c);
    if (*passes || c->rule == CC_FL)
        return true;
    for (unsigned i = 0; i < 4; i++) {
        bool known = slow_sees(k, c, looked_at(c, i), true, &pass);
        all &= known;
        any |= known && pass;
    }
    *passes = any;
    return any || all;
}

bool slow_known_jump(const struct slow_knowledge *k, const struct condition *c, bool *passes)
{
    unsigned lowest = 3;
    bool several = false, all = true, alone = true;
    for (unsigned i = 0; i < 4; i++) {
        several |= looked_at(c, i) != looked_at(c, 0);
        lowest = looked_at(c, i) < lowest ? looked_at(c, i) : lowest;
    }
    if (!condition_restricts(c) || !several)
        return slow_known_test(k, c, passes);
    for (unsigned i = 0; i < 4; i++) {
        bool pass = false, known = slow_sees(k, c, looked_at(c, i), true, &pass);
        all &= known;
        alone &= !known || pass == (looked_at(c, i) == lowest);
    }
    *passes = alone;
    return !alone || all;
}
