/* Constants, followed through the program as the driver's compiler does it: docs/semantics.md, "What the compiler knows". */
#include "tests/slow/follow.h"

#include <string.h>

static unsigned looked_at(const struct condition *c, unsigned i)
{
    return (c->nswizzle ? c->swizzle : 0xe4) >> 2 * i & 3;
}

/* The components of operands that are 1.0 or -1.0, of what multiplies more than one of them. */
static void note_ones(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    bool several = insn->op == OP_DP2 || insn->op == OP_DP3 || insn->op == OP_DP4 || insn->op == OP_DPH || insn->op == OP_DP2A ||
                   insn->op == OP_X2D || insn->op == OP_DST || insn->op == OP_LRP || insn->op == OP_RFL;
    for (unsigned n = 0; several && (insn->type == DT_F32 || (insn->type == DT_F16 && insn->op == OP_DST)) && n < insn->nsrc; n++)
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

/* A MOV between registers of 32 bits, as it is: the numbers that say so, or 0. */
/* The operand that component c of a result is a copy of, word for word or float for float, or -1. */
static int same_as(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool single = insn->type == DT_F32 || insn->type == DT_F16;
    bool halves = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    if (insn->op == OP_MOV)
        return 0;
    if (insn->flags & INSN_PREC)
        return -1;
    if (insn->op == OP_DST && c != 1)
        return single && c > 1 ? (int)c - 2 : -1;
    if (insn->op == OP_CVT)
        return halves && insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_SHORT ? 0 : -1;
    for (unsigned n = 0; (insn->op == OP_MUL || insn->op == OP_DST) && single && n < 2; n++) {
        struct slow_known v;
        if (slow_known_operand(k, program_operand(k->p->text, insn->src + n), c, DT_F32, &v) && (uint32_t)v.bits == 0x3f800000)
            return n ? 0 : 1;
    }
    return -1;
}

static struct slow_known *where(const struct slow_knowledge *k, unsigned kind, uint32_t ref, unsigned c)
{
    struct slow_known *v = slow_of_register(k, kind, ref, c);
    return v ? v : slow_of_short(k, kind, ref, c);
}

static void number_copies(struct slow_knowledge *k, const struct insn *insn, uint32_t number[4])
{
    const struct result *r = &insn->dst;
    if (!insn->nsrc || insn->nsrc > 3 || r->kind != OPND_SYMBOL || r->nindices || condition_restricts(&r->condition) ||
        (type_table[insn->type].bytes != 4 && insn->type != DT_F16) || !where(k, r->kind, r->ref, 0) || program_symbol(k->p->text, r->ref)->size == SIZE_LONG)
        return;
    for (unsigned c = 0; c < 4; c++) {
        int n = r->mask >> c & 1 ? same_as(k, insn, c) : -1;
        const struct operand *o = n < 0 ? NULL : program_operand(k->p->text, insn->src + (unsigned)n);
        bool wide = o && o->kind == OPND_SYMBOL && program_symbol(k->p->text, o->ref)->size == SIZE_LONG;
        struct slow_known *from = !o || o->nindices || o->flags & OPND_SIGNS || wide ? NULL : where(k, o->kind, o->ref, o->swizzle >> 2 * c & 3);
        bool shorts = from && (slow_of_short(k, r->kind, r->ref, 0) || slow_of_short(k, o->kind, o->ref, 0));
        if (!from || (shorts && !slow_is_float(insn->type)))
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
        mask |= (uint8_t)((v->look.truth && !v->known) << c);
        if (insn->dst.mask >> c & 1 && v->look.made)
            made[c] = v->definition;
    }
    return mask & insn->dst.mask;
}

/* The same of what reads it as a float with a sign: what made it. */
static void find_signed(const struct slow_knowledge *k, const struct insn *insn, unsigned n, struct slow_place *place)
{
    const struct operand *o = program_operand(k->p->text, insn->src + n);
    for (unsigned c = 0; c < 4; c++) {
        const struct slow_known *v = slow_held(k, o, c);
        if (insn->dst.mask >> c & 1 && v && (v->look.truth || v->look.made) && program_symbol(k->p->text, o->ref)->size == SIZE_DEFAULT)
            place->of_integers[c] = v->definition;
    }
}

/* .SSAT into a LONG variable takes no notice of a test. */
static bool is_unlooked(const struct slow_knowledge *k, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
}

/* Divisions of 64 bits, and RSQ.F64 into a LONG variable: the block ends behind their test. */
static bool is_called_late(const struct slow_knowledge *k, const struct insn *insn)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG;
    return !op_flows(insn->op) && slow_ends_block(insn) && (insn->op == OP_DIV || insn->op == OP_MOD || (insn->op == OP_RSQ && wide));
}

void slow_follow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    uint32_t number[4] = {0};
    unsigned result = slow_result_type(insn);
    bool tested = condition_restricts(&insn->dst.condition);
    struct slow_place nobody = {0}, *seen = place ? place : &nobody;
    struct slow_known r[4] = {{0}}, shorts[4] = {{0}}, shown[4];      /* shown: to flags, the number that a half is */
    struct slow_look look[4] = {{0}};
    struct slow_spoken said[4] = {{0}};
    struct slow_operands s;
    bool nothing[4];
    if (slow_ends_block(insn) && !is_called_late(k, insn)) {
        slow_begin_block(k);
        memset(k->spent, 0, op_flows(insn->op) ? 0 : sizeof k->spent);
    }
    k->now = insn;
    if (place)
        slow_note_shorts(k, insn, place);
    if (insn->dst.kind == OPND_NONE)
        return;
    for (unsigned c = 0; tested && c < 4; c++) {
        unsigned swizzle = insn->dst.condition.nswizzle ? insn->dst.condition.swizzle : 0xe4;
        unsigned at = swizzle >> 2 * c & 3;
        if (!(insn->dst.mask >> c & 1) || is_unlooked(k, insn))
            continue;
        if (k->near >> ((insn->dst.condition.cc & 1) * 4 + at) & 1)
            seen->as_before |= (uint8_t)(1u << c);
        else
            seen->in_turn |= slow_tests_itself(k->p, insn) && !k->p->divides && (k->p->in_turn || !slow_apart(k->p, insn));
    }
    for (unsigned c = 0; tested && c < 4; c++) {
        unsigned at = looked_at(&insn->dst.condition, c);
        /* that one may have set the flag that this one looks at */
        bool earlier = insn->dst.mask >> at & 1 && !(seen->fails >> at & 1) && (seen->in_turn ? slow_turn_of(insn, at) < slow_turn_of(insn, c) && !(seen->as_before >> c & 1) : insn->cc_update && at < c);
        bool pass = false, known = slow_sees(k, &insn->dst.condition, at, insn, &pass);
        const struct slow_known *f = slow_of_flags(k, insn->dst.condition.cc, at);
        if (!(insn->dst.mask >> c & 1) || is_unlooked(k, insn))
            continue;
        unsigned rule = insn->dst.condition.rule;
        unsigned other = rule == CC_CF ? CC_NCF : rule == CC_OF ? CC_NOF : rule == CC_AB ? CC_BLE : rule == CC_LT ? CC_NSF : rule == CC_GT ? SLOW_NOT_ABOVE_PASSES : rule;     /* fails where that passes */
        if ((f->known || (f->passes >> rule | f->passes >> other) & 1) &&
            !(seen->in_turn && earlier && insn->dst.condition.rule != CC_AB && insn->dst.condition.rule != CC_BLE))
            seen->settled |= (uint8_t)(1u << c);
        if (insn->dst.condition.rule == CC_FL || (known && !pass && !earlier))
            seen->fails |= (uint8_t)(1u << c);
        else if (known && !earlier)
            seen->passes |= (uint8_t)(1u << c);
        else if (!earlier && rule != other)         /* no carry: what looks for one fails */
            seen->fails |= (uint8_t)((f->passes >> other & 1) << c);
        else if (!earlier && (rule == CC_NCF || rule == CC_NOF || rule == CC_BLE))
            seen->passes |= (uint8_t)((f->passes >> rule & 1) << c);
    }
    if (place)
        note_ones(k, insn, place);
    slow_note_test(k, insn, place);
    if (is_called_late(k, insn))
        memset(k->spent, 0, sizeof k->spent);
    if (slow_branches(k->p, insn) || is_called_late(k, insn))
        slow_begin_block(k);
    if (insn->dst.condition.rule == CC_FL)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (slow_fills(insn, c))
            r[c] = slow_filled(insn);
    if (place)
        slow_note_facts(k, insn, place);
    if (foldable(k, insn)) {
        slow_look_up(k, insn, &s);
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && !r[c].known)
                r[c] = slow_known_component(k, insn, &s, c, place);
    } else if (place && insn->op == OP_MUL && is_short(k, insn)) {      /* factors of 1 alone */
        slow_look_up(k, insn, &s);
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1)
                slow_known_component(k, insn, &s, c, place);
    }
    for (unsigned c = 0; c < 4; c++) {
        if (!(insn->dst.mask >> c & 1) || is_short(k, insn))
            continue;
        look[c] = slow_look_at_result(k, insn, c);
        if (place)
            slow_note_answers(k, insn, c, &r[c], look[c], place);
        if (place && r[c].known && op_compares(insn->op))
            place->answered |= (uint8_t)(1u << c);
        if (place && insn->op == OP_CMP && slow_is_negative(k, insn, c))
            place->negative |= (uint8_t)(1u << c);
        if (place && r[c].known && tested && insn->op != OP_SSG && insn->op != OP_DIV && insn->op != OP_XPD && !insn->cc_update) {
            const struct slow_known *old = slow_of_register(k, insn->dst.kind, insn->dst.ref, c);
            place->choice |= old && old->known && !insn->dst.nindices ? 0 : (uint8_t)(1u << c);
        }
    }
    slow_note_turns(k, insn, r, place);
    if (place && (insn->type == DT_F32 || insn->type == DT_F16) && op_votes(insn->op))
        slow_note_said(k, insn, place);
    if (place && insn->type == DT_F32 && op_votes(insn->op))
        place->truths = truths(k, insn, place->made);
    else if (place && slow_signed_truth(k->p, insn) >= 0)
        find_signed(k, insn, (unsigned)slow_signed_truth(k->p, insn), place);
    for (unsigned c = 0; place && is_short(k, insn) && c < 4; c++)
        if (insn->dst.mask >> c & 1)
            slow_short_part(k, insn, c, place);
    for (unsigned c = 0; is_short(k, insn) && slow_of_short(k, insn->dst.kind, insn->dst.ref, 0) && c < 4; c++)
        if (insn->dst.mask >> c & 1)
            shorts[c] = slow_known_to_short(k, insn, c, place);
    memcpy(shown, is_short(k, insn) ? shorts : r, sizeof shown);
    for (unsigned c = 0; is_short(k, insn) && c < 4; c++) {
        if (slow_is_float(result))
            shown[c].bits = slow_known_float((uint32_t)shorts[c].bits & 0xffff, true);
        if (place && insn->dst.mask >> c & 1)
            slow_note_answers(k, insn, c, &shown[c], look[c], place);
    }
    slow_note_flags(k, insn, shown);
    number_copies(k, insn, number);
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            said[c] = slow_said_by(k, insn, c);
    for (unsigned c = 0; c < 4; c++)
        nothing[c] = insn->dst.mask >> c & 1 && !tested && !is_short(k, insn) && slow_is_nothing(k, insn, c, &r[c]);
    slow_unknow(k, insn, seen->fails);
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known *v = slow_of_register(k, insn->dst.kind, insn->dst.ref, c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        if (shorts[c].known && !tested)
            *slow_of_short(k, insn->dst.kind, insn->dst.ref, c) = (struct slow_known){.known = true, .half = shorts[c].half, .bits = shorts[c].bits};
        if (place && r[c].known && !r[c].loose && (slow_is_float(result) || insn->op == OP_CMP || op_orders(insn->op) || ((insn->type == DT_S64 || insn->type == DT_S32) && op_compares(insn->op)))) {
            place->computed |= (uint8_t)(1u << c);
            place->alone |= (uint8_t)(r[c].alone << c);
            place->word[c] = r[c].bits;
        }
        if (place && r[c].known && slow_bytes(result) == 8)
            place->known |= (uint8_t)(1u << c);
        r[c].known &= !tested && insn->dst.kind == OPND_SYMBOL;
        if (v && r[c].known &&
            (program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG) == (slow_bytes(result) == 8))
            *v = (struct slow_known){.known = true, .loose = r[c].loose, .weak = r[c].weak, .elsewhere = r[c].elsewhere, .faint = r[c].faint, .narrow = r[c].narrow,
                                     .bits = r[c].bits};
        else if (v && !tested && !insn->dst.nindices && slow_fills(insn, c))     /* 0 is 0 in any size */
            *v = slow_filled(insn);
        if (v && !insn->dst.nindices && nothing[c] && !(v->known && program_symbol(k->p->text, insn->dst.ref)->size != SIZE_LONG))
            v->nothing = true;
        if (number[c])
            where(k, insn->dst.kind, insn->dst.ref, c)->copy = number[c];
        if (v && !tested && !insn->dst.nindices && k->at != NO_INDEX &&
            (program_symbol(k->p->text, insn->dst.ref)->size == SIZE_LONG) == (slow_bytes(result) == 8)) {
            v->look = look[c];
            v->definition = k->at * 4 + c + 1;
        } else if (v && !tested && !insn->dst.nindices && k->at != NO_INDEX && look[c].truth && slow_bytes(result) == 8) {
            v->look = (struct slow_look){.truth = true};    /* narrowed */
            v->definition = k->at * 4 + c + 1;
        }
        if (said[c].what && !insn->dst.nindices && where(k, insn->dst.kind, insn->dst.ref, c))
            where(k, insn->dst.kind, insn->dst.ref, c)->said = said[c];
        if (insn->cc_update && !tested) {
            bool narrow = slow_bytes(result) == 4, sums = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD || insn->op == OP_SAD;
            struct slow_known f = is_short(k, insn) ? shown[c] : r[c];
            bool narrowed = f.known && slow_is_narrowed(k->p, insn);
            if (narrowed)
                f.bits = slow_resize(k->p, f.bits, result, true, false);
            f.known &= narrow || narrowed;
            f.may_overflow |= may_overflow(insn, f.bits);
            f.type = narrowed ? (slow_is_float(result) ? DT_F32 : result == DT_U64 ? DT_U32 : DT_S32) : !narrow ? DT_NONE : result == DT_U32 && sums ? DT_S32 : result == DT_S32 && insn->op == OP_MOD ? DT_U32 : result;
            f.look = k->at == NO_INDEX ? (struct slow_look){0} : look[c];
            f.definition = k->at == NO_INDEX ? 0 : k->at * 4 + c + 1;
            f.computed = f.known && slow_is_number(k->p, insn, &f);
            f.passes = slow_always(insn, &f) | slow_masked(k, insn, c);
            if (!f.known && insn->op == OP_MOV && insn->type == DT_S32 && (program_operand(k->p->text, insn->src)->flags & (OPND_ABSOLUTE | OPND_NEGATE)) == (OPND_ABSOLUTE | OPND_NEGATE))
                f.passes |= 1u << SLOW_NOT_ABOVE_PASSES;
            f.copy = 0;
            f.faint = false;
            *slow_of_flags(k, insn->cc_update - 1u, c) = f;
        }
    }
}

/* ---- tests ---------------------------------------------------------------------------------------------------------------------- */

bool slow_known_test(const struct slow_knowledge *k, const struct condition *c, bool *passes)
{
    bool all = true, any = false, pass = false;
    *passes = !condition_restricts(c);
    if (*passes || c->rule == CC_FL)
        return true;
    for (unsigned i = 0; i < 4; i++) {
        bool known = slow_sees(k, c, looked_at(c, i), NULL, &pass);
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
        bool pass = false, known = slow_sees(k, c, looked_at(c, i), NULL, &pass);
        all &= known;
        alone &= !known || pass == (looked_at(c, i) == lowest);
    }
    *passes = alone;
    return !alone || all;
}
