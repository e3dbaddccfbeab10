/* What several instructions become together: products that sums take in, negations of negations (docs/semantics.md, "Contraction"),
 * and pairs (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

/* What a variable holds: component `c` of the product that a place computes; the negation of a register as it was. */
struct held {
    uint32_t product;           /* place, or NO_INDEX */
    uint8_t c;
    bool negative, negated;     /* negated: of `source`, when that had been written `version` times */
    uint32_t source, version;
    uint32_t words;             /* a copy with a sign: the place and component of that, plus 1; or 0 */
};

/* How many sums read each component of a product; and whether the side of one of them is asked for. */
struct readers {
    uint8_t sums[4], compared;
};

struct joiner {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    struct held *held;
    uint32_t *version;
    uint8_t *stays;             /* of each place: components of its product that must be there */
    uint8_t *asked;             /* of each place: components of its sum whose side is asked for */
    struct readers *readers;    /* of each place: sums that would take its product in */
    uint64_t *set;
};

enum precision { NONE, HALF, SINGLE, DOUBLE };

static const struct insn *insn_at(const struct joiner *j, uint32_t place)
{
    return program_insn(j->p->text, j->plan->place[place].insn);
}

static const struct symbol *target(const struct slow_program *p, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices ? program_symbol(p->text, insn->dst.ref) : NULL;
}

static enum precision precision_of(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *s = target(p, insn);
    unsigned size = s ? s->size : SIZE_DEFAULT;
    if (insn->type == DT_F64 || size == SIZE_LONG)
        return insn->type == DT_F64 && size == SIZE_LONG ? DOUBLE : NONE;
    if (slow_drops_half(p, insn))
        return size == SIZE_SHORT ? NONE : SINGLE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return HALF;
    return insn->type != DT_F32 ? NONE : size == SIZE_SHORT ? HALF : SINGLE;
}

static bool negates(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------------ */

int slow_copied_factor(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c, bool *flip)
{
    *flip = false;
    if (!p->nvidia || (insn->op != OP_MUL && insn->op != OP_DIV) || (insn->type != DT_F32 && (insn->type != DT_F64 || insn->op == OP_DIV)) ||
        insn->flags & (INSN_PREC | INSN_HALF) || (slow_is_half(p, insn) && !slow_is_short(p, insn->dst.kind, insn->dst.ref)) || !((place->one[0] | place->one[1]) >> c & 1))
        return -1;
    *flip = place->minus[place->one[0] >> c & 1 ? 0 : 1] >> c & 1;
    return place->one[0] >> c & 1 ? 1 : 0;
}

/* DST: of y the other factor where one is 1.0; z and w are copies. */
static int copied_distance(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c, bool *flip)
{
    if (!p->nvidia || precision_of(p, insn) != SINGLE || insn->flags & INSN_PREC)
        return -1;
    for (unsigned k = 0; c == 1 && k < 2; k++)
        if (place->one[k] & 2) {
            *flip = place->minus[k] >> 1 & 1;
            return 1 - (int)k;
        }
    return c == 1 ? -1 : (int)c - 2;
}

/* Whether a test may keep the component back. */
static bool is_tested(const struct slow_place *place, const struct insn *insn, unsigned c)
{
    return condition_restricts(&insn->dst.condition) && !(place->passes >> c & 1);
}

/* The operand that component c is a copy of, but for its sign; -1: none. */
static int copied(const struct joiner *j, uint32_t at, unsigned c, bool *negative)
{
    const struct slow_program *p = j->p;
    const struct slow_place *place = &j->plan->place[at];
    const struct insn *insn = insn_at(j, at);
    bool wide = type_table[insn->type].bytes == 8, flip = false;
    int k = insn->op == OP_MOV ? 0 : insn->op == OP_DST ? copied_distance(p, place, insn, c, &flip) : slow_copied_factor(p, place, insn, c, &flip);
    const struct operand *o;
    bool from_wide, to_wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    *negative = false;
    if (k < 0 || is_tested(place, insn, c) || j->reach.flags[at] >> c & 1 || insn->type == DT_F16 ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF))
        return -1;
    o = program_operand(p->text, insn->src + (uint32_t)k);
    from_wide = o->kind == OPND_SYMBOL && program_symbol(p->text, o->ref)->size == SIZE_LONG;
    if (o->flags & OPND_ABSOLUTE || (!slow_is_float(insn->type) && negates(o)) || from_wide != wide || to_wide != wide)
        return -1;
    *negative = negates(o) != flip;
    return k;
}

/* ---- what is held ------------------------------------------------------------------------------------------------------------------ */

static const struct held nothing = {.product = NO_INDEX, .source = NO_INDEX};

static uint32_t variable(const struct joiner *j, const struct operand *o, unsigned c)
{
    return slow_variable(j->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
}

static struct held of_operand(const struct joiner *j, const struct operand *o, unsigned c)
{
    uint32_t v = variable(j, o, c);
    return v == NO_INDEX ? nothing : j->held[v];
}

static void keep(struct joiner *j, struct held h)
{
    if (h.product != NO_INDEX)
        j->stays[h.product] |= (uint8_t)(1u << h.c);
}

static void keep_indices(struct joiner *j, uint32_t first, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct index *x = program_index(j->p->text, first + i);
        uint32_t v = x->mode == INDEX_RELATIVE ? slow_variable(j->p, x->register_kind, x->reg, x->element.used, x->component) : NO_INDEX;
        if (v != NO_INDEX)
            keep(j, j->held[v]);
    }
}

/* Whether component c is the product of two numbers. */
static bool is_product(const struct joiner *j, uint32_t at, unsigned c)
{
    const struct slow_place *place = &j->plan->place[at];
    const struct insn *insn = insn_at(j, at);
    const struct symbol *s = target(j->p, insn);
    enum precision precision = precision_of(j->p, insn);
    bool flip;
    if (!s || is_tested(place, insn, c) || j->reach.flags[at] >> c & 1 || insn->flags & (INSN_PREC | INSN_SAT | INSN_SSAT))
        return false;
    switch (insn->op) {
    case OP_MUL: return precision != NONE && slow_copied_factor(j->p, place, insn, c, &flip) < 0;
    case OP_DIV: return precision == SINGLE && slow_copied_factor(j->p, place, insn, c, &flip) < 0;
    case OP_NRM: return precision == SINGLE;
    case OP_DST: return precision == SINGLE && c == 1 && !((place->one[0] | place->one[1]) & 2);
    case OP_UP2US: case OP_UP4UB: return s->size == SIZE_DEFAULT && insn->type != DT_F16 && !(insn->flags & INSN_HALF);
    default: return false;
    }
}

static struct held of_number(const struct joiner *j, uint32_t place, const struct slow_number *x)
{
    return x->from == NUMBER_OPERAND ? of_operand(j, program_operand(j->p->text, insn_at(j, place)->src + x->operand), x->c) : nothing;
}

/* Whether a sum may take in what one of its numbers holds. */
static bool may_take(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held *h)
{
    const struct insn *sum = insn_at(j, place), *made;
    enum precision of_sum = precision_of(j->p, sum), of_product;
    *h = of_number(j, place, x);
    if (h->product == NO_INDEX || program_operand(j->p->text, sum->src + x->operand)->flags & OPND_ABSOLUTE)
        return false;
    made = insn_at(j, h->product);
    of_product = made->op == OP_UP2US || made->op == OP_UP4UB ? SINGLE : precision_of(j->p, made);
    if (of_sum == NONE && sum->type == DT_F32)
        of_sum = SINGLE;        /* it is widened behind the rounding */
    return of_product == of_sum || (of_product == HALF && of_sum == SINGLE);
}

static void look_at_number(struct joiner *j, uint32_t place, const struct slow_rounding *r, const struct slow_number *x, bool counts)
{
    struct held h;
    struct readers *of;
    if (r->what != ROUND_SUM || !may_take(j, place, x, &h)) {
        keep(j, of_number(j, place, x));
        return;
    }
    of = &j->readers[h.product];
    if (!counts)
        return;
    of->sums[h.c] = of->sums[h.c] < 2 ? of->sums[h.c] + 1 : 2;
    if (j->asked[place] >> r->slot & 1)
        of->compared |= (uint8_t)(1u << h.c);
}

static bool same_product(const struct joiner *j, uint32_t place, const struct slow_rounding *r)
{
    struct held a = of_number(j, place, &r->a), z = of_number(j, place, &r->z);
    return a.product != NO_INDEX && a.product == z.product && a.c == z.c;
}

/* What sums read, of the components that anybody needs; those that are made of rounds. */
static uint8_t look_at_rounds(struct joiner *j, uint32_t place, uint8_t useful)
{
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    uint32_t seen = 0;
    uint8_t made = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = useful >> c & 1 ? slow_summed(j->p, &j->plan->place[place], c, rounds) : 0;
        made |= (uint8_t)((n > 0) << c);
        for (unsigned k = 0; k < n; k++) {
            const struct slow_rounding *r = &rounds[k];
            uint32_t bit = 1u << (r->slot + (r->what == ROUND_SUM ? 0 : SLOW_SLOTS));
            bool fresh = !(seen & bit);
            seen |= bit;
            if (!fresh)
                continue;
            look_at_number(j, place, r, &r->a, true);
            if (r->what != ROUND_SUM)
                look_at_number(j, place, r, &r->b, true);
            if (r->what != ROUND_PRODUCT)
                look_at_number(j, place, r, &r->z, !same_product(j, place, r));
        }
    }
    return made;
}

/* Products that something else than such a sum, or a copy, reads stay. */
static void look_at_reads(struct joiner *j, uint32_t place)
{
    const struct insn *insn = insn_at(j, place);
    uint8_t useful = j->reach.useful[place] & (uint8_t)~(insn->dst.kind == OPND_NONE ? 0 : j->plan->place[place].fails);
    useful &= (uint8_t)~look_at_rounds(j, place, useful);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        unsigned components = slow_reads(j->p, insn, k, useful);
        bool negative;
        for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1 && copied(j, place, c, &negative) != (int)k)
                keep(j, of_operand(j, o, c));
        for (unsigned c = 0; o->kind == OPND_EXTENDED && c < 4; c++) {
            uint32_t v = slow_variable(j->p, o->base_kind, o->ref, o->nindices != 0, c);
            if (v != NO_INDEX)
                keep(j, j->held[v]);
        }
        keep_indices(j, o->index, o->nindices);
    }
    keep_indices(j, insn->dst.index, insn->dst.nindices);
}

static struct held copy_of(const struct joiner *j, const struct operand *o, unsigned c, bool negative)
{
    struct held h = of_operand(j, o, c);
    uint32_t v = variable(j, o, c);
    h.negative ^= negative;
    if (h.source != NO_INDEX && j->version[h.source] == h.version) {
        h.negated ^= negative;
    } else {
        h.source = negative ? v : NO_INDEX;
        h.negated = negative && v != NO_INDEX;
        h.version = v == NO_INDEX ? 0 : j->version[v];
    }
    return h;
}

static bool is_single(const struct joiner *j, const struct insn *insn)
{
    const struct symbol *s = target(j->p, insn);
    return s && s->kind == SYM_TEMP && s->size == SIZE_DEFAULT;
}

/* Copies with a sign, and plain copies of these. */
static void note_words(const struct joiner *j, uint32_t place, struct held fresh[4])
{
    const struct insn *insn = insn_at(j, place);
    bool copies = insn->op == OP_MOV && slow_bytes(insn->type) == 4 && is_single(j, insn) && !condition_restricts(&insn->dst.condition) &&
                  !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) && !operand_has_sign(program_operand(j->p->text, insn->src));
    for (unsigned c = 0; c < 4; c++) {
        struct operand o;
        fresh[c].words = copies ? of_operand(j, program_operand(j->p->text, insn->src), c).words
                         : slow_signed_copy(j->p, &j->plan->place[place], c, &o) ? place * 4 + c + 1 : 0;
    }
}

/* Both of what a CMP chooses from are the same absolute value. */
static bool same_absolute(const struct joiner *j, const struct operand *a, const struct operand *b, unsigned c)
{
    uint32_t words = of_operand(j, a, c).words;
    struct operand o;
    return words && of_operand(j, b, c).words == words && !((a->flags | b->flags) & (OPND_NEGATE | OPND_NEGATE_INNER)) &&
           slow_signed_copy(j->p, &j->plan->place[(words - 1) / 4], (words - 1) % 4, &o) && o.flags & OPND_ABSOLUTE && !(o.flags & OPND_NEGATE);
}

/* Choices between words: docs/numbers.md, "Pairs and single instructions". */
static void find_choices(struct joiner *j, uint32_t place)
{
    const struct insn *insn = insn_at(j, place);
    struct slow_place *s = &j->plan->place[place];
    bool lanes = !slow_is_memory(insn->op) && !slow_is_image(insn->op) && !slow_is_texture(insn->op) && !slow_looks_at_others(insn->op);
    bool shuffle = insn->op == OP_SHFUP || insn->op == OP_SHFDOWN || insn->op == OP_SHFIDX || insn->op == OP_SHFXOR, reads = false;
    bool vote = insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ;
    for (unsigned c = 0; insn->op == OP_CMP && insn->type == DT_F32 && !slow_is_half(j->p, insn) && !(insn->flags & (INSN_SAT | INSN_SSAT)) && c < 4; c++) {
        const struct operand *o = program_operand(j->p->text, insn->src + 1);
        bool chosen = (s->chosen[0] | s->chosen[1] | s->chosen[2] | s->computed) >> c & 1;
        if (!(insn->dst.mask >> c & 1) || chosen || same_absolute(j, o, o + 1, c))
            continue;
        for (unsigned k = 0; k < 2; k++)
            s->of_words[k] |= (uint8_t)((of_operand(j, o + k, c).words != 0) << c);
    }
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        reads |= o->kind == OPND_SYMBOL && insn->dst.kind == OPND_SYMBOL && o->ref == insn->dst.ref;
    }
    if (!condition_restricts(&insn->dst.condition) || insn->dst.condition.rule == CC_FL || s->settled || insn->cc_update || !is_single(j, insn) ||
        slow_result_type(insn) != DT_F32 || !(lanes || shuffle || vote) ||
        (reads && (!lanes || insn->op == OP_MOV || !slow_is_float(insn->type))))
        return;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, false, c);
        bool kept = slow_untouched(j->p, insn) >> c & 1 || (shuffle && c > 0);
        if (insn->dst.mask >> c & 1 && v != NO_INDEX && !kept && j->held[v].words)
            s->over_words |= (uint8_t)(1u << c);
    }
}

static void look_at_writes(struct joiner *j, uint32_t place)
{
    const struct insn *insn = insn_at(j, place);
    struct held fresh[4];
    bool copy[4] = {false};
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(j->p, insn) & (uint8_t)~(j->plan->place[place].fails | slow_untouched(j->p, insn));
    for (unsigned c = 0; c < 4; c++) {
        bool negative;
        int k = copied(j, place, c, &negative);
        fresh[c] = nothing;
        if (j->plan->place[place].computed >> c & 1)
            continue;
        if (is_product(j, place, c)) {
            fresh[c].product = place;
            fresh[c].c = (uint8_t)c;
        } else if (k >= 0) {
            copy[c] = true;
            fresh[c] = copy_of(j, program_operand(j->p->text, insn->src + (uint32_t)k), c, negative);
        }
    }
    note_words(j, place, fresh);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        if (!(written >> c & 1))
            continue;
        if (v == NO_INDEX) {
            if (copy[c])
                keep(j, fresh[c]);      /* to where nobody follows it */
            continue;
        }
        if (is_tested(&j->plan->place[place], insn, c) && j->reach.useful[place] >> c & 1)
            keep(j, j->held[v]);        /* some of the old value stays */
        j->held[v] = fresh[c];
        j->version[v]++;
    }
}

/* ---- sums choose --------------------------------------------------------------------------------------------------------------------- */

/* Whether a number of a sum is taken with the other sign than what it holds. */
static bool turns(const struct joiner *j, uint32_t place, const struct slow_number *x, struct held h)
{
    bool sign = x->from == NUMBER_OPERAND && negates(program_operand(j->p->text, insn_at(j, place)->src + x->operand));
    return h.negative ^ sign ^ x->negative;
}

/* A round that is a sum takes in the first of its products that may go. */
static void choose(struct joiner *j, uint32_t place, const struct slow_rounding rounds[], const struct slow_rounding *r)
{
    const struct slow_number *x[2] = {&r->a, &r->z};
    struct held h[2] = {nothing, nothing};
    bool can[2], own[2];
    unsigned k;
    for (k = 0; k < 2; k++) {
        own[k] = x[k]->from == NUMBER_ROUND && rounds[x[k]->round].what == ROUND_PRODUCT;
        can[k] = own[k] || (may_take(j, place, x[k], &h[k]) && !(j->stays[h[k].product] >> h[k].c & 1));
    }
    if (!can[0] && !can[1])
        return;
    if (can[0] && can[1] && !own[0] && !own[1] && same_product(j, place, r) &&
        turns(j, place, x[0], h[0]) != turns(j, place, x[1], h[1])) {
        keep(j, h[0]);
        return;
    }
    if (can[0] && can[1])
        keep(j, h[1]);
    k = can[0] ? 0 : 1;
    j->plan->place[place].taken[r->slot] = (struct slow_taken){
        .product = true, .own = own[k], .second = k == 1, .negative = turns(j, place, x[k], h[k]),
        .half = !own[k] && precision_of(j->p, insn_at(j, h[k].product)) == HALF && precision_of(j->p, insn_at(j, place)) != HALF};
}

static void choose_all(struct joiner *j, uint32_t place)
{
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    uint32_t seen = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = insn_at(j, place)->dst.mask >> c & 1 ? slow_summed(j->p, &j->plan->place[place], c, rounds) : 0;
        for (unsigned k = 0; k < n; k++) {
            if (rounds[k].what != ROUND_SUM || seen >> rounds[k].slot & 1)
                continue;
            seen |= 1u << rounds[k].slot;
            choose(j, place, rounds, &rounds[k]);
        }
    }
}

/* A MOV of the negation of what a MOV negated. */
static void restore(struct joiner *j, uint32_t place)
{
    const struct insn *mov = insn_at(j, place);
    uint8_t restored = 0;
    bool negative;
    if (mov->op != OP_MOV || mov->type != DT_F32 || copied(j, place, 0, &negative) != 0 || !negative)
        return;
    for (unsigned c = 0; c < 4; c++) {
        struct held h = copy_of(j, program_operand(j->p->text, mov->src), c, true);
        if (mov->dst.mask >> c & 1 && h.source != NO_INDEX && !h.negated)
            restored |= (uint8_t)(1u << c);
    }
    if (restored == mov->dst.mask)
        j->plan->place[place].restored = restored;
}

static void each_block(struct joiner *j, void (*look)(struct joiner *, uint32_t), bool ends)
{
    for (uint32_t i = 0; i < j->plan->count; i++) {
        for (uint32_t v = 0; j->reach.leads[i] && v < j->reach.nvars; v++)
            j->held[v] = nothing;
        look(j, i);
        look_at_writes(j, i);
        if (!ends || (i + 1 < j->plan->count && !j->reach.leads[i + 1]))
            continue;
        slow_live_behind(&j->reach, i, j->set);
        for (uint32_t v = 0; v < j->reach.nvars; v++)
            if (slow_in_set(j->set, v))
                keep(j, j->held[v]);
    }
}

/* Where the operand of a negation is remembered. */
static void note_negation(struct joiner *j, uint32_t place)
{
    const struct insn *insn = insn_at(j, place);
    for (unsigned c = 0; c < 4; c++) {
        bool negative;
        int k = copied(j, place, c, &negative);
        struct held h = k < 0 ? nothing : of_operand(j, program_operand(j->p->text, insn->src + (uint32_t)k), c);
        if (k >= 0 && negative && !(h.source != NO_INDEX && j->version[h.source] == h.version))
            j->plan->place[place].negates |= (uint8_t)(1u << c);
    }
}

static void decide(struct joiner *j, uint32_t place)
{
    note_negation(j, place);
    find_choices(j, place);
    choose_all(j, place);
    restore(j, place);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------------------------------ */

static bool is_root(const struct slow_program *p, const struct insn *insn)
{
    bool divides = insn->op == OP_DIV, prec = insn->flags & INSN_PREC;
    return (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_RCC || divides) && slow_is_float(insn->type) &&
           slow_bytes(slow_result_type(insn)) == 4 && (divides || !prec) && p->nvidia;
}

static const struct operand *inverse_of(const struct slow_program *p, const struct insn *insn)
{
    return program_operand(p->text, insn->src + (insn->op == OP_DIV ? 1 : 0));
}

static bool is_literal(const struct slow_program *p, const struct insn *insn, const struct operand *o, uint64_t bits)
{
    struct slow_value v[4];
    struct slow_group group = {.program = p};
    struct slow_lane lane = {.group = &group};
    if (o->kind != OPND_CONSTANT || operand_has_sign(o) || !slow_fetch(&lane, o, insn->type, v))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && v[c].bits != bits)
            return false;
    return true;
}

int slow_beside(const struct slow_program *p, const struct insn *insn, double literal)
{
    bool wide = insn->type == DT_F64;
    uint64_t bits = literal == 0 ? 0 : wide ? 0x3ff0000000000000 : 0x3f800000;
    if ((insn->type != DT_F32 && !wide) || slow_is_half(p, insn))
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (is_literal(p, insn, program_operand(p->text, insn->src + k), bits))
            return 1 - (int)k;
    return -1;
}

static bool is_first(const struct joiner *j, uint32_t place)
{
    const struct insn *insn = insn_at(j, place);
    const struct symbol *s = target(j->p, insn);
    if (!s || condition_restricts(&insn->dst.condition) || j->plan->place[place].computed || s->size == SIZE_SHORT ||
        insn->flags & (INSN_SAT | INSN_SSAT) || (s->size == SIZE_LONG) != (slow_bytes(slow_result_type(insn)) == 8))
        return false;
    if (insn->op == OP_MIN)
        return !insn->cc_update && slow_beside(j->p, insn, 1) >= 0;
    if (insn->op == OP_RSQ && operand_has_sign(inverse_of(j->p, insn)) && !slow_is_half(j->p, insn))
        return false;
    return is_root(j->p, insn) && insn->op != OP_RCC;
}

/* What a variable was made by, (place * 4 + component) * 8 + kind, plus NEGATIVE for its negative; NO_INDEX, or before anything reaches it
 * ANY. The kind says what of the place's operand: of a MIN the other one than 1.0. */
enum { ANY = UINT32_MAX - 1, NEGATIVE = 4 };
enum { OF_MIN, OF_RCP, OF_RSQ, OF_ROOT };

static uint32_t maker_of(uint32_t made)
{
    return made / 32;
}

static uint32_t made(const struct joiner *j, const uint32_t *state, const struct operand *o, unsigned c)
{
    uint32_t v = variable(j, o, c);
    if (v == NO_INDEX || o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER))
        return NO_INDEX;
    return state[v] < ANY && o->flags & OPND_NEGATE ? state[v] ^ NEGATIVE : state[v];
}

static bool inverts(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = insn_at(j, place);
    return insn->op == OP_RCP || (insn->op == OP_DIV && j->plan->place[place].over >> c & 1);
}

/* MAX of a MIN: what made it, or NO_INDEX. */
static uint32_t clamped(const struct joiner *j, const struct insn *insn, const uint32_t *state)
{
    int k = insn->op == OP_MAX ? slow_beside(j->p, insn, 0) : -1;
    uint32_t from = NO_INDEX;
    for (unsigned c = 0; k >= 0 && c < 4; c++) {
        uint32_t m = made(j, state, program_operand(j->p->text, insn->src + (uint32_t)k), c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        if (m >= ANY || m % 32 != c * 8 + OF_MIN || (from != NO_INDEX && maker_of(m) != maker_of(from)))
            return NO_INDEX;
        from = m;
    }
    return from != NO_INDEX && insn_at(j, maker_of(from))->type == insn->type ? from : NO_INDEX;
}

/* What a place becomes of what another one made, which goes to `from`. */
static enum slow_pair partner(const struct joiner *j, uint32_t place, const uint32_t *state, uint32_t *from)
{
    const struct insn *insn = insn_at(j, place), *first;
    unsigned kind;
    *from = NO_INDEX;
    if (j->plan->place[place].computed)
        return SLOW_NO_PAIR;
    if (!is_root(j->p, insn)) {
        *from = clamped(j, insn, state);
        return *from == NO_INDEX ? SLOW_NO_PAIR : SLOW_PAIR_CLAMP;
    }
    *from = made(j, state, inverse_of(j->p, insn), 0);
    kind = *from % 4;
    if (*from >= ANY || kind == OF_MIN || *from & NEGATIVE)
        return SLOW_NO_PAIR;
    first = insn_at(j, maker_of(*from));
    if (slow_is_half(j->p, first) != slow_is_half(j->p, insn))
        return SLOW_NO_PAIR;
    if (insn->op == OP_RSQ)
        return kind == OF_RCP ? SLOW_PAIR_ROOT : SLOW_NO_PAIR;
    if (kind == OF_ROOT)
        return operand_has_sign(inverse_of(j->p, first)) ? SLOW_NO_PAIR : SLOW_PAIR_RSQ;
    return kind == OF_RCP ? SLOW_PAIR_COPY : SLOW_PAIR_ROOT;
}

static uint32_t result(const struct joiner *j, uint32_t place, const uint32_t *state, unsigned c)
{
    const struct insn *insn = insn_at(j, place);
    uint32_t from, m = (place * 4 + c) * 8;
    enum slow_pair pair = partner(j, place, state, &from);
    bool minus = insn->op == OP_DIV && j->plan->place[place].over_minus >> c & 1;
    if (!is_first(j, place))
        return NO_INDEX;
    if (insn->op == OP_MIN)
        return m + OF_MIN;
    if (insn->op != OP_RSQ && !inverts(j, place, c))
        return NO_INDEX;
    switch (pair) {
    case SLOW_PAIR_COPY: return NO_INDEX;
    case SLOW_PAIR_ROOT: m = from / 8 * 8 + OF_ROOT; break;
    case SLOW_PAIR_RSQ: m = from / 8 * 8 + OF_RSQ; break;
    default: m += insn->op == OP_RSQ ? OF_RSQ : OF_RCP;
    }
    return minus ? m ^ NEGATIVE : m;
}

static void pass_over(const struct joiner *j, uint32_t place, uint32_t *state)
{
    const struct insn *insn = insn_at(j, place);
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(j->p, insn);
    bool short_one = insn->dst.kind == OPND_SYMBOL && program_symbol(j->p->text, insn->dst.ref)->size == SIZE_SHORT;
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&insn->dst.condition) && !short_one;
    uint32_t fresh[4];
    for (unsigned c = 0; c < 4; c++)
        fresh[c] = copies ? made(j, state, program_operand(j->p->text, insn->src), c) : result(j, place, state, c);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        if (v != NO_INDEX && written >> c & 1)
            state[v] = fresh[c];
    }
}

static void settle_pair(const struct joiner *j, uint32_t place, const uint32_t *state)
{
    struct slow_place *s = &j->plan->place[place];
    uint32_t from;
    s->pair = (uint8_t)partner(j, place, state, &from);
    if (s->pair < SLOW_PAIR_COPY)
        return;
    unsigned signs = inverse_of(j->p, insn_at(j, maker_of(from)))->flags & OPND_SIGNS;
    s->moved = signs != 0;
    s->negated = !(signs & OPND_ABSOLUTE) && !(signs & OPND_NEGATE) != !(signs & OPND_NEGATE_INNER);
}

/* Behind a loop that stays one, what places of it (from `left` to `end`) made is nothing. */
static bool flow_into(uint32_t *to, const uint32_t *from, uint32_t n, uint32_t left, uint32_t end)
{
    bool changed = false;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t made = from[v] < ANY && maker_of(from[v]) >= left && maker_of(from[v]) < end ? NO_INDEX : from[v];
        uint32_t next = to[v] == ANY ? made : made == ANY || made == to[v] ? to[v] : NO_INDEX;
        changed |= next != to[v];
        to[v] = next;
    }
    return changed;
}

/* What a subroutine writes is made by nothing behind the call. */
static void forget_called(const struct joiner *j, const struct insn *call, uint32_t *state, unsigned depth)
{
    uint32_t n = (uint32_t)j->p->text->insns.count;
    for (uint32_t i = 0; i < n && depth < SLOW_CALLS; i++) {
        if (!j->p->label[i] || !slow_calls(j->p, call, i))
            continue;
        for (uint32_t k = i; k < n && (k == i || !j->p->label[k]); k++) {
            const struct insn *insn = program_insn(j->p->text, k);
            for (unsigned c = 0; c < 4; c++) {
                uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
                if (v != NO_INDEX)
                    state[v] = NO_INDEX;
            }
            if (insn->op == OP_CAL || insn->op == OP_CALI)
                forget_called(j, insn, state, depth + 1);
        }
    }
}

static bool find_pairs(struct joiner *j)
{
    uint32_t n = j->plan->count, vars = j->reach.nvars;
    uint32_t *states = malloc((size_t)(n + 1) * vars * sizeof *states), *state = malloc(vars * sizeof *state);
    bool changed = true;
    if (!states || !state) {
        free(states);
        free(state);
        return false;
    }
    for (size_t i = 0; i < (size_t)(n + 1) * vars; i++)
        states[i] = ANY;
    for (uint32_t i = 0; i < n; i++)        /* nothing comes into the program, or with a call */
        if (i == 0 || i == j->reach.entry || (j->p->label[j->plan->place[i].insn] && j->plan->first[j->plan->place[i].insn] == i))
            memset(states + (size_t)i * vars, 0xff, vars * sizeof *states);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to[8];
            unsigned count = slow_successors(j->p, j->plan, i, to);
            memcpy(state, states + (size_t)i * vars, vars * sizeof *state);
            pass_over(j, i, state);
            if (insn_at(j, i)->op == OP_CAL || insn_at(j, i)->op == OP_CALI)
                forget_called(j, insn_at(j, i), state, 0);
            for (unsigned k = 0; k < count; k++) {
                uint32_t loop = insn_at(j, i)->op == OP_REP ? i : j->plan->place[i].loop;
                const struct slow_place *rep = loop == NO_INDEX ? NULL : &j->plan->place[loop];
                bool leaves = rep && !rep->straight && to[k] == rep->to;
                changed |= to[k] <= n && flow_into(states + (size_t)to[k] * vars, state, vars, leaves ? loop : 0, leaves ? rep->to : 0);
            }
        }
    }
    for (uint32_t i = 0; i < n; i++)
        settle_pair(j, i, states + (size_t)i * vars);
    free(states);
    free(state);
    return true;
}

bool slow_join(struct slow_plan *plan, const struct slow_program *p)
{
    struct joiner j = {.p = p, .plan = plan};
    bool ok = slow_reach_new(&j.reach, p, plan);
    if (ok) {
        j.held = calloc(j.reach.nvars, sizeof *j.held);
        j.version = calloc(j.reach.nvars, sizeof *j.version);
        j.stays = calloc(plan->count + 1, 1);
        j.set = calloc(j.reach.words, sizeof *j.set);
        j.asked = calloc(plan->count + 1, 1);
        j.readers = calloc(plan->count + 1, sizeof *j.readers);
        ok = j.held && j.version && j.stays && j.set && j.asked && j.readers;
    }
    if (ok) {
        for (uint32_t i = 0; i < plan->count; i++)
            for (unsigned c = 0; j.reach.useful[i] && c < 4; c++)
                if (plan->place[i].uses[c])
                    j.asked[(plan->place[i].uses[c] >> 3) - 1] |= (uint8_t)(1u << (plan->place[i].uses[c] & 3));
        each_block(&j, look_at_reads, true);
        for (uint32_t i = 0; i < plan->count; i++)      /* the side of a sum of a product is a use of the product, where another sum reads it */
            for (unsigned c = 0; c < 4; c++)
                if (j.readers[i].sums[c] > 1 && j.readers[i].compared >> c & 1)
                    j.stays[i] |= (uint8_t)(1u << c);
        each_block(&j, decide, false);
        ok = find_pairs(&j);
    }
    free(j.held);
    free(j.version);
    free(j.stays);
    free(j.set);
    free(j.asked);
    free(j.readers);
    slow_reach_free(&j.reach);
    return ok;
}
