/* Constants, followed through the program as the driver's compiler does it: docs/semantics.md, "What the compiler knows". */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

#include <string.h>

/* Of MIN and MAX: what they bound to 1.0, and to 0 of either sign. */
static void note_bounds(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    bool wide = insn->type == DT_F64, max = insn->op == OP_MAX;
    uint64_t one = wide ? 0x3ff0000000000000 : 0x3f800000;
    for (unsigned n = 0; (max || insn->op == OP_MIN) && slow_is_float(insn->type) && n < 2; n++)
        for (unsigned c = 0; c < 4; c++) {
            const struct operand *o = program_operand(k->p->text, insn->src + n);
            struct slow_known v;
            if ((wide && o->kind == OPND_SYMBOL && !program_is_long(k->p->text, o->kind, o->ref)) || !slow_known_operand(k, o, c, wide ? DT_F64 : DT_F32, &v) || v.faint)
                continue;
            place->bounds[n] |= (uint8_t)((max ? !(v.bits << (wide ? 1 : 33)) : v.bits == one) << c);
        }
}

static bool foldable(const struct slow_knowledge *k, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(k->p->text, insn->dst.ref) : NULL;
    return insn->nsrc <= 3 && !(s && s->size == SIZE_SHORT) && !(insn->flags & INSN_FIXED) &&
           !(insn->flags & INSN_HI && slow_bytes(insn->type) == 8);
}

/* Integers whose sign may be an overflow's: sums of small ones are taken for sound. */
static bool may_overflow(const struct insn *insn, uint64_t bits)
{
    switch (insn->op) {
    case OP_ADD: case OP_SUB: case OP_MAD:
        return !slow_is_float(insn->type) && (uint32_t)bits + 0x10000u > 0x20000u;
    default: return false;
    }
}

struct slow_known *slow_followed(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    struct slow_known *v = slow_of_register(k, kind, ref, c);
    return v ? v : slow_of_short(k, kind, ref, c);
}

static bool is_short(const struct slow_knowledge *k, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_SHORT;
}

void slow_note_uses(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    const struct condition *t = insn->dst.kind == OPND_NONE ? &insn->condition : &insn->dst.condition;
    for (unsigned c = 0; (t->rule == CC_GT || t->rule == CC_LT) && c < 4; c++)
        if (insn->dst.kind == OPND_NONE || insn->dst.mask >> c & 1)
            place->uses[c] = slow_of_flags(k, t->cc, (t->nswizzle ? t->swizzle : 0xe4) >> 2 * c & 3)->look.sum;
}

/* A vote on floats takes what a comparison of integers said, though its -1 is no number. */
static uint8_t truths(const struct slow_knowledge *k, const struct insn *insn, uint32_t made[4])
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    uint8_t mask = 0;
    for (unsigned c = 0; !(o->flags & OPND_ABSOLUTE) && c < 4; c++) {
        const struct slow_known *v = slow_held(k, o, c);
        if (!v || program_symbol(k->p->text, o->ref)->size != SIZE_DEFAULT)
            continue;
        mask |= (uint8_t)((v->look.truth && (!v->known || v->look.reached)) << c);
        if (insn->dst.mask >> c & 1 && v->look.made)
            made[c] = v->definition;
    }
    return mask & insn->dst.mask;
}

/* The same of what reads it as a float with a sign: what made it. */
static void find_signed(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    for (unsigned c = 0; c < 4; c++) {
        int n = slow_signed_truth(k->p, insn, c);
        const struct operand *o = n < 0 ? NULL : program_operand(k->p->text, insn->src + (unsigned)n);
        const struct slow_known *v = o ? slow_held(k, o, c) : NULL;
        if (insn->dst.mask >> c & 1 && v && (v->look.truth || v->look.made) && program_symbol(k->p->text, o->ref)->size == SIZE_DEFAULT)
            place->of_integers[c] = v->definition;
    }
}

/* Divisions of 64 bits, and RSQ.F64 into a LONG variable: the block ends behind their test. */
static bool is_called_late(const struct slow_knowledge *k, const struct insn *insn)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
    return !op_flows(insn->op) && slow_ends_block(insn) && (insn->op == OP_DIV || insn->op == OP_MOD || (insn->op == OP_RSQ && wide));
}

/* An instruction whose result is learnt. */
struct learning {
    struct slow_knowledge *k;
    const struct insn *insn;
    struct slow_place *place;   /* or NULL */
    struct slow_place *seen;    /* that, or nobody's */
    unsigned result;            /* its type */
    bool tested, to_short;
    struct slow_known r[4], shorts[4], shown[4];        /* shown: to flags, the number that a half is */
    struct slow_look look[4];
    struct slow_spoken said[4];
    uint32_t number[4], twin[4], minus[4];
    bool nothing[4], one[4];
};

static bool is_written(const struct learning *l, unsigned c)
{
    return (l->insn->dst.mask & slow_written(l->k->p, l->insn)) >> c & 1;
}

static void learn_numbers(struct learning *l)
{
    struct slow_operands s;
    bool folds = foldable(l->k, l->insn), factors = l->place && l->insn->op == OP_MUL && l->to_short;       /* of 1 alone */
    for (unsigned c = 0; c < 4; c++)
        if (slow_fills(l->k->p, l->insn, c))
            l->r[c] = slow_filled(l->insn);
    if (l->place)
        slow_note_facts(l->k, l->insn, l->place);
    if (!folds && !factors)
        return;
    slow_look_up(l->k, l->insn, &s);
    for (unsigned c = 0; c < 4; c++) {
        if (!is_written(l, c))
            continue;
        if (!folds)
            slow_known_component(l->k, l->insn, &s, c, l->place);
        else if (!l->r[c].known)
            l->r[c] = slow_known_component(l->k, l->insn, &s, c, l->place);
    }
}

/* What a place is told of a component, but for the number. */
static void note_look(struct learning *l, unsigned c)
{
    const struct insn *insn = l->insn;
    const struct slow_known *old = slow_of_register(l->k, insn->dst.kind, insn->dst.ref, c);
    uint8_t bit = (uint8_t)(1u << c);
    l->place->sums |= l->one[c] && slow_is_float(insn->type) ? bit : 0;
    slow_note_answers(l->k, insn, c, &l->r[c], l->look[c], l->place);
    if (l->r[c].known && op_compares(insn->op))
        l->place->answered |= bit;
    if (insn->op == OP_CMP && slow_is_negative(l->k, insn, c))
        l->place->negative |= bit;
    if (l->r[c].known && l->tested && insn->op != OP_SSG && insn->op != OP_DIV && insn->op != OP_XPD && !insn->cc_update)
        l->place->choice |= old && old->known && !insn->dst.nindices ? 0 : bit;
}

static void note_votes(struct learning *l)
{
    const struct insn *insn = l->insn;
    if ((insn->type == DT_F32 || insn->type == DT_F16) && op_votes(insn->op))
        slow_note_said(l->k, insn, l->place);
    if (insn->type == DT_F32 && op_votes(insn->op))
        l->place->truths = truths(l->k, insn, l->place->made);
    else
        find_signed(l->k, insn, l->place);
}

static void learn_halves(struct learning *l)
{
    for (unsigned c = 0; l->place && c < 4; c++)
        if (is_written(l, c))
            slow_short_part(l->k, l->insn, c, l->place);
    for (unsigned c = 0; slow_of_short(l->k, l->insn->dst.kind, l->insn->dst.ref, 0) && c < 4; c++)
        if (is_written(l, c))
            l->shorts[c] = slow_known_to_short(l->k, l->insn, c, l->place);
    for (unsigned c = 0; l->place && c < 4; c++)
        l->place->known_short |= (uint8_t)((l->shorts[c].known && is_written(l, c)) << c);
    memcpy(l->shown, l->shorts, sizeof l->shown);
    for (unsigned c = 0; c < 4; c++) {
        if (slow_is_float(l->result))
            l->shown[c].bits = slow_known_float((uint32_t)l->shorts[c].bits & 0xffff, true);
        if (l->place && is_written(l, c))
            slow_note_answers(l->k, l->insn, c, &l->shown[c], l->look[c], l->place);
    }
}

/* What the machine takes from what is known of a component. */
static void note_number(struct learning *l, unsigned c)
{
    const struct insn *insn = l->insn;
    const struct slow_known *r = &l->r[c];
    bool followed = insn->type == DT_S64 || slow_is_word_type(insn->type);
    if (!r->known)
        return;
    if (insn->op == OP_BFE ? insn->type == DT_S32 : !r->loose && (slow_is_float(l->result) || insn->op == OP_CMP || op_orders(insn->op) || (followed && op_compares(insn->op)))) {
        l->place->computed |= (uint8_t)(1u << c);
        l->place->alone |= (uint8_t)(r->alone << c);
        l->place->takes[c] = r->takes;
        l->place->word[c] = r->bits;
    }
    if (slow_bytes(l->result) == 8)
        l->place->known |= (uint8_t)(1u << c);
    if (!r->weak && !r->faint)
        l->place->settled_number |= (uint8_t)(1u << c);
}

/* A comparison of integers that nobody knows, into a variable of 32 bits under a test that is known to pass. */
static bool says_surely(const struct learning *l, unsigned c)
{
    const struct result *to = &l->insn->dst;
    return op_compares(l->insn->op) && l->seen->passes >> c & 1 && l->look[c].truth && !l->r[c].known && !l->insn->cc_update && to->kind == OPND_SYMBOL &&
           program_symbol(l->k->p->text, to->ref)->size == SIZE_DEFAULT;
}

/* What a register of the size of the result or of another one (`narrowed`) says of what was written under no test, or `surely`. */
static void look_at_held(struct learning *l, unsigned c, bool fits, bool surely, struct slow_known *v)
{
    if ((l->tested && !surely) || l->insn->dst.nindices || l->k->at == NO_INDEX)
        return;
    if (!fits && !(l->look[c].truth && slow_bytes(l->result) == 8) && !slow_unit_in_long(l->k->p, l->insn, &l->r[c]))
        return;
    v->look = l->tested ? (struct slow_look){.truth = true} : fits ? l->look[c] : (struct slow_look){.truth = l->look[c].truth && slow_bytes(l->result) == 8, .sign = slow_unit_in_long(l->k->p, l->insn, &l->r[c])};
    v->definition = l->k->at * 4 + c + 1;
}

/* What a variable holds now. */
static void hold(struct learning *l, unsigned c)
{
    const struct result *to = &l->insn->dst;
    struct slow_known *v = slow_of_register(l->k, to->kind, to->ref, c), *r = &l->r[c];
    bool is_long = to->kind == OPND_SYMBOL && program_symbol(l->k->p->text, to->ref)->size == SIZE_LONG, fits = is_long == (slow_bytes(l->result) == 8), surely = says_surely(l, c);
    /* under a test that is known to pass; by flags of another block it is as if that had learnt the number */
    bool through = l->tested && slow_bytes(l->result) == 4 && l->seen->passes >> c & 1 && !to->nindices && fits && !l->to_short;
    if (l->shorts[c].known && !l->tested)
        *slow_of_short(l->k, to->kind, to->ref, c) = (struct slow_known){.known = true, .half = l->shorts[c].half, .bits = l->shorts[c].bits};
    if (l->place)
        note_number(l, c);
    r->known &= (!l->tested || through) && to->kind == OPND_SYMBOL;
    if (v && r->known && !r->loose && !fits && is_long && l->result == DT_F32 && !to->nindices)
        *v = (struct slow_known){.widened = true, .elsewhere = r->elsewhere, .bits = (uint32_t)r->bits};
    if (v && r->known && fits)
        *v = (struct slow_known){.known = true, .loose = r->loose, .weak = r->weak, .elsewhere = r->elsewhere || (through && !(l->seen->as_before >> c & 1)) || l->look[c].reached, .faint = r->faint, .narrow = r->narrow,
                                 .bits = r->bits};
    else if (v && !l->tested && !to->nindices && slow_fills(l->k->p, l->insn, c))     /* 0 is 0 in any size */
        *v = slow_filled(l->insn);
    if (v && !to->nindices && l->nothing[c] && !(v->known && !is_long && !v->narrow))
        v->nothing = true;
    if (v && !l->tested && !to->nindices) {
        v->one = l->one[c];
        v->minus = l->minus[c];
    }
    if (l->number[c])
        slow_followed(l->k, to->kind, to->ref, c)->copy = l->number[c];
    if (l->twin[c])
        v->twin = l->twin[c];
    if (v)
        look_at_held(l, c, fits, surely, v);
    if (l->said[c].what && !to->nindices && slow_followed(l->k, to->kind, to->ref, c))
        slow_followed(l->k, to->kind, to->ref, c)->said = l->said[c];
}

/* The type that flags are of: of a number of 64 bits that a single register takes (`narrowed`) what that holds. */
static unsigned type_of_flags(const struct insn *insn, unsigned result, bool narrowed, bool weak)
{
    if (narrowed)
        return slow_is_float(result) ? DT_F32 : result == DT_U64 ? DT_U32 : DT_S32;
    if (slow_bytes(result) != 4)
        return DT_NONE;
    if (insn->op == OP_CVT && insn->type == DT_F16)     /* they may be a NaN's */
        return DT_U16;
    return result == DT_U32 && (slow_op_adds(insn->op) || (weak && op_compares(insn->op))) ? DT_S32 : result == DT_S32 && insn->op == OP_MOD ? DT_U32 : result;
}

/* What a branch sees of the sign of a component that is not known: of what is clamped, of a sum with 0 of an absolute value, of an OR with a literal. */
static uint32_t seen_by_branches(const struct learning *l, unsigned c)
{
    const struct insn *insn = l->insn;
    if (insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    if (l->result == DT_F32)
        return insn->flags & INSN_SAT && !slow_clamps_behind_flags(l->k->p, insn) ? 1u << SLOW_SIGNLESS | 1u << SLOW_RAISED : 0;
    if (slow_op_adds(insn->op))
        return l->result == DT_S32 && l->look[c].sign & WHOLE ? 1u << SLOW_SIGNLESS : 0;
    for (unsigned n = 0; insn->op == OP_OR && slow_is_word_type(insn->type) && n < 2; n++) {
        const struct operand *o = program_operand(l->k->p->text, insn->src + n);
        if (o->kind == OPND_CONSTANT && !operand_has_sign(o) && slow_literal(l->k->p, o, o->swizzle >> 2 * c & 3, insn->type) >> 31 & 1)
            return 1u << SLOW_LOWERED;
    }
    return 0;
}

static void set_flags(struct learning *l, unsigned c)
{
    const struct insn *insn = l->insn;
    struct slow_known f = l->to_short ? l->shown[c] : l->r[c];
    bool narrowed = f.known && slow_is_narrowed(l->k->p, insn);
    unsigned signs = insn->nsrc ? program_operand(l->k->p->text, insn->src)->flags & (OPND_ABSOLUTE | OPND_NEGATE) : 0;
    if (narrowed)
        f.bits = slow_resize(l->k->p, f.bits, l->result, true, false);
    f.known &= slow_bytes(l->result) == 4 || narrowed;
    f.may_overflow |= may_overflow(insn, f.bits);
    f.type = type_of_flags(insn, l->result, narrowed, f.known && f.weak);
    f.look = l->k->at == NO_INDEX ? (struct slow_look){0} : l->look[c];
    f.definition = l->k->at == NO_INDEX ? 0 : l->k->at * 4 + c + 1;
    f.computed = f.known && slow_is_number(l->k->p, insn, &f);
    f.passes = slow_always(l->k->p, insn, &f);
    f.passes |= f.known ? 0 : seen_by_branches(l, c);
    if (!f.known && insn->op == OP_MOV && insn->type == DT_S32 && signs == (OPND_ABSOLUTE | OPND_NEGATE) &&
        !slow_is_bare(l->k, program_operand(l->k->p->text, insn->src), c, DT_S32))
        f.passes |= 1u << SLOW_NOT_ABOVE_PASSES;
    f.copy = 0;
    f.faint = false;
    *slow_of_flags(l->k, insn->cc_update - 1u, c) = f;
}

/* What is known of the result, and what is told of it. */
static void learn_result(struct learning *l)
{
    learn_numbers(l);
    for (unsigned c = 0; !l->to_short && c < 4; c++) {
        if (!is_written(l, c))
            continue;
        l->look[c] = slow_look_at_result(l->k, l->insn, c);
        l->r[c].weak |= l->r[c].known && l->r[c].loose && slow_asks_elements(l->k->p, l->insn);
        l->one[c] = !l->r[c].known && slow_makes_one(l->k, l->insn, c);
        if (l->place)
            note_look(l, c);
    }
    slow_note_turns(l->k, l->insn, l->r, l->place);
    slow_note_orders(l->k, l->insn, l->r, l->place);
    if (l->place)
        note_votes(l);
    memcpy(l->shown, l->r, sizeof l->shown);
    if (l->to_short)
        learn_halves(l);
    slow_note_flags(l->k, l->insn, l->shown);
    slow_number_copies(l->k, l->insn, l->number);
    slow_note_twins(l->k, l->insn, l->twin);
    slow_number_negatives(l->k, l->insn, l->minus);
    for (unsigned c = 0; c < 4; c++)
        if (is_written(l, c))
            l->said[c] = slow_said_by(l->k, l->insn, c);
    for (unsigned c = 0; c < 4; c++)
        l->nothing[c] = is_written(l, c) && !l->tested && !l->to_short && slow_is_nothing(l->k, l->insn, c, &l->r[c]);
    l->seen->packed = slow_packs_unknown(l->k, l->insn);
}

static bool is_constant(const struct gp5_program *p, const struct operand *o)
{
    unsigned kind = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref)->kind : SYM_TEMP;
    return kind == SYM_PARAM || kind == SYM_BUFFER || kind == SYM_BUFFER4;
}

/* Whether every register that an address names is known. */
static bool is_placed(const struct slow_knowledge *k, const struct operand *o)
{
    bool all = true;
    for (unsigned n = 0; n < o->nindices; n++) {
        const struct index *x = program_index(k->p->text, o->index + n);
        struct slow_known v;
        struct operand from = {.kind = x->register_kind, .ref = x->reg, .nswizzle = 1, .swizzle = (uint8_t)(0x55 * x->component)};
        if (x->mode == INDEX_RELATIVE)
            all = all && !x->element.used && slow_known_operand(k, &from, 0, DT_U32, &v);
    }
    return all;
}

void slow_follow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    struct slow_place nobody = {0};
    struct learning l = {.k = k, .insn = insn, .place = place, .seen = place ? place : &nobody, .result = slow_result_type(insn),
                         .tested = condition_restricts(&insn->dst.condition), .to_short = is_short(k, insn)};
    bool late = is_called_late(k, insn);
    uint8_t orders = op_flows(insn->op) ? k->orders & k->turned_orders[0] : k->orders;     /* they outlast a block */
    if (slow_ends_block(insn) && !late) {
        slow_begin_block(k);
        k->orders = orders;
        memset(k->spent, 0, op_flows(insn->op) ? 0 : sizeof k->spent);
    }
    k->now = insn;
    if (place) {
        slow_note_shorts(k, insn, place);
        slow_note_read_ones(k, insn, place);
        slow_note_bare(k, insn, place);
    }
    if (insn->dst.kind == OPND_NONE)
        return;
    slow_note_outcomes(k, insn, l.seen);
    if (place) {
        slow_note_ones(k, insn, place);
        note_bounds(k, insn, place);
    }
    if (place && insn->op == OP_LDC)
        place->placed = is_placed(k, program_operand(k->p->text, insn->src));
    for (unsigned n = 0; place && insn->type == DT_F32 && n < insn->nsrc && n < 3; n++)
        if (is_constant(k->p->text, program_operand(k->p->text, insn->src + n)) && !is_placed(k, program_operand(k->p->text, insn->src + n)))
            place->anywhere |= (uint8_t)(1u << n);
    slow_note_test(k, insn, place);
    slow_note_branches(k, insn, place);
    if (late)
        memset(k->spent, 0, sizeof k->spent);
    if (slow_branches(k->p, insn) || late)
        slow_begin_block(k);
    k->orders = orders;
    if (insn->dst.condition.rule == CC_FL)
        return;
    learn_result(&l);
    slow_unknow(k, insn, l.seen->fails);
    for (unsigned c = 0; c < 4; c++) {
        if (!is_written(&l, c))
            continue;
        hold(&l, c);
        if (insn->cc_update && !l.tested)
            set_flags(&l, c);
    }
}
