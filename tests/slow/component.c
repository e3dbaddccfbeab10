/* What the compiler knows of one component of a result (follow.c). */
#include "tests/slow/follow.h"

#include "eval/kernel.h"

#include <string.h>

/* Of CMP of integers what another block learnt has no sign but its own, and none if it is unsigned. */
static uint64_t chosen_by(const struct slow_knowledge *k, const struct insn *insn, unsigned n, const struct operand *o, unsigned c, const struct slow_known *v)
{
    const struct slow_known *held = n || insn->op != OP_CMP || (insn->type != DT_S32 && insn->type != DT_U32) ? NULL : slow_held(k, o, c);
    if (!held || !held->known || !held->elsewhere)
        return v->bits;
    return insn->type == DT_S32 && held->bits & 0x80000000 ? UINT32_MAX : 0;
}

/* What rounds to an integer of 32 bits reads a double as a single. */
static bool known_narrowed(const struct slow_knowledge *k, const struct insn *insn, const struct operand *o, unsigned c, struct slow_known *v)
{
    bool rounds = insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC || insn->op == OP_ROUND;
    if (!rounds || slow_bytes(insn->type) != 4 || slow_is_float(insn->type) || !program_is_long(k->p->text, o->kind, o->ref) || !slow_known_operand(k, o, c, DT_F64, v))
        return false;
    v->bits = slow_resize(k->p, v->bits, DT_F32, true, false);
    return true;
}

/* What singles find in a LONG variable. */
static bool known_as_single(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *v)
{
    const struct slow_known *held = type == DT_F32 && o->kind == OPND_SYMBOL && program_is_long(k->p->text, o->kind, o->ref) ? slow_held(k, o, c) : NULL;
    struct operand plain = *o;
    plain.flags &= (uint16_t)~OPND_SIGNS;
    if (!held || held->loose || (!held->widened && !slow_known_operand(k, &plain, c, DT_F64, v)))
        return false;
    uint32_t single = held->widened ? (uint32_t)held->bits : (uint32_t)slow_resize(k->p, v->bits, DT_F32, true, false);
    *v = *held;
    v->known = true;
    v->bits = slow_sign(k->p, DT_F32, o->flags, single);
    return true;
}

/* Of a quotient or a remainder of integers what stands in the text has no sign: it is another number. */
static bool is_own_number(const struct insn *insn, const struct operand *o)
{
    return slow_is_word_type(insn->type) && (insn->op == OP_MOD || insn->op == OP_DIV) && o->kind == OPND_CONSTANT && !(o->flags & OPND_ABSOLUTE);
}

void slow_look_up(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        s->has_sign |= operand_has_sign(o) && !is_own_number(insn, o);
        for (unsigned i = 0; i < 4; i++)
            if (o->kind != OPND_EXTENDED && (slow_known_operand(k, o, i, slow_operand_type(insn, n), &s->known[n][i]) || known_narrowed(k, insn, o, i, &s->known[n][i]) ||
                                             known_as_single(k, o, i, slow_operand_type(insn, n), &s->known[n][i])))
                s->value[n][i].bits = chosen_by(k, insn, n, o, i, &s->known[n][i]);
        slow_literal_halves(k->p, insn, o, s->value[n]);
    }
}

/* Whether all that component c is made of in operand n is known. */
static bool knows(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, unsigned n, unsigned c,
                  struct slow_known *made)
{
    bool known = true;
    for (unsigned i = 0; i < 4; i++)
        if (slow_made_of(k->p, insn, n, c) >> i & 1) {
            known &= s->known[n][i].known;
            made->loose |= s->known[n][i].loose;
            made->elsewhere |= s->known[n][i].elsewhere;
            made->weak |= s->known[n][i].known && s->known[n][i].weak;
            made->faint |= s->known[n][i].known && s->known[n][i].faint;
            made->narrow |= s->known[n][i].known && s->known[n][i].narrow;
        }
    return known;
}

static unsigned component_of(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    unsigned mask = slow_made_of(k->p, insn, n, c);
    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

/* Elements of arrays that a computed index names: MIN and MAX of such a one with itself are computed. */
static bool at_run_time(const struct slow_knowledge *k, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    return o->kind == OPND_SYMBOL && o->nindices && program_symbol(k->p->text, o->ref)->kind == SYM_TEMP &&
           program_index(k->p->text, o->index)->mode == INDEX_RELATIVE;
}

bool slow_with_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *a = program_operand(k->p->text, insn->src + n);
    return insn->nsrc >= n + 2 && slow_alike(k, a, a + 1, component_of(k, insn, n, c), component_of(k, insn, n + 1, c));
}

/* 2.0 a - a of single floats: the operand that is a, or -1. */
static int once(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, const bool known[3], unsigned c)
{
    struct operand last;
    if (insn->op != OP_MAD || insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC))
        return -1;
    last = *program_operand(k->p->text, insn->src + 2);
    last.flags ^= OPND_NEGATE;
    for (int n = 1; n >= 0; n--)
        if (known[1 - n] && !known[n] && (uint32_t)s->value[1 - n][component_of(k, insn, (unsigned)(1 - n), c)].bits == 0x40000000 &&
            slow_alike(k, program_operand(k->p->text, insn->src + (uint32_t)n), &last, component_of(k, insn, (unsigned)n, c), component_of(k, insn, 2, c)))
            return n;
    return -1;
}

/* What comes out whatever the operands are. */
static bool always(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, const bool known[3], unsigned c,
                   bool same, uint64_t *bits)
{
    uint64_t ones = slow_bytes(insn->type) == 8 ? UINT64_MAX : UINT32_MAX;
    *bits = 0;
    if (insn->flags & INSN_HI) {    /* of a product with what is no larger than that the upper half is 0 */
        uint64_t most = insn->type == DT_U32;
        return insn->op == OP_MUL && slow_is_word_type(insn->type) &&
               ((known[0] && s->value[0][component_of(k, insn, 0, c)].bits <= most) || (known[1] && s->value[1][component_of(k, insn, 1, c)].bits <= most));
    }
    if (slow_is_float(insn->type))
        return (insn->op == OP_SGT || insn->op == OP_SLT) && same;
    for (unsigned n = 0; n < 2; n++)
        if (((insn->op == OP_AND && slow_bytes(insn->type) < 8) || insn->op == OP_MUL) && known[n] && !s->value[n][component_of(k, insn, n, c)].bits)
            return true;
    *bits = ones;
    for (unsigned n = 0; n < 2; n++)
        if (insn->op == OP_OR && known[n] && s->value[n][component_of(k, insn, n, c)].bits == ones)
            return true;
    if ((insn->op == OP_BFE || insn->op == OP_BFI) && known[0] && !(s->value[0][0].bits & 0xff)) {
        *bits = insn->op == OP_BFE ? 0 : s->value[2][c].bits;
        return insn->op == OP_BFE || known[2];
    }
    *bits = UINT32_MAX;         /* of S32 what lies above the highest bit, if nothing is known of this block's */
    if (insn->op == OP_BFE && insn->type == DT_S32 && known[0] && (s->value[0][1].bits & 0xff) >= 32 && (!known[1] || s->known[1][c].elsewhere))
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
/* In half arithmetic. */
/* `lit`: into a SHORT variable, of a y that is known. */
static bool half_part(const struct insn *insn, struct slow_value v[3][4], const bool known[3], bool lit, unsigned c, uint32_t *word)
{
    uint32_t a = (uint32_t)v[0][c].bits, unused;
    switch (insn->op) {
    case OP_DIV: return known[1] && !known[0] && slow_known_half_function(OP_RCP, (uint32_t)v[1][0].bits, word);
    case OP_MAD: return known[0] && known[1] && !known[2] && slow_known_half_product(a, (uint32_t)v[1][c].bits, word);
    case OP_POW:
        a = (uint32_t)v[0][0].bits;
        return known[0] && slow_logarithm(a, &unused) && slow_known_half_function(OP_LG2, a, word);
    case OP_LIT:
        a = (uint32_t)v[0][1].bits;
        return lit && c == 2 && a != 0x7f800000 && slow_logarithm(a, &unused) && slow_known_half_function(OP_LG2, a, word) && *word << 1 != 0xff000000;
    default: return false;
    }
}

/* MIN of what is clamped to 0 and 1 with a number that is not below 1: the other operand, or -1. */
static int clamped_alone(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(k->p->text, insn->dst.ref) : NULL;
    bool wide = insn->type == DT_F64;
    if ((insn->type != DT_F32 && !wide) || (to ? to->size == SIZE_LONG : false) != wide || (to && to->size == SIZE_SHORT) || !(insn->flags & INSN_SAT) ||
        insn->flags & (INSN_PREC | INSN_HALF) || slow_loses_clamp(k->p, insn) || slow_is_in_memory(k->p, &insn->dst))
        return -1;
    for (unsigned n = 0; n < 2; n++) {
        const struct operand *o = program_operand(k->p->text, insn->src + n);
        const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(k->p->text, o->ref) : NULL;
        struct slow_known v;
        if (o->kind == OPND_EXTENDED)
            continue;
        if (wide && slow_known_operand(k, o, c, DT_F64, &v) ? v.bits >= 0x3ff0000000000000 && v.bits <= 0x7ff0000000000000
            : (!wide || (s && s->size != SIZE_LONG)) && slow_known_operand(k, o, c, DT_F32, &v) && v.bits >= 0x3f800000 && v.bits <= 0x7f800000)
            return 1 - (int)n;
    }
    return -1;
}

/* What a known choice leaves alone; into SHORT variables that is the second operand. */
static bool chooses_last(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, unsigned c)
{
    bool to_short = slow_is_short(k->p, insn->dst.kind, insn->dst.ref) && slow_is_float(insn->type) && !(insn->flags & INSN_PREC);
    uint32_t a = (uint32_t)s->value[0][c].bits;
    if (slow_has_half_form(insn))
        a = (uint32_t)slow_apply(k->p, EVAL_OP_HALF, DT_F32, a, 0, 0);
    return to_short || !takes_second(slow_has_half_form(insn) ? DT_S32 : insn->type, a);
}

static void in_part(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s, const bool known[3], unsigned c,
                    struct slow_place *place)
{
    const struct operand *b = program_operand(k->p->text, insn->src + 1);
    uint8_t bit = (uint8_t)(1u << c);
    bool whole = !slow_is_float(insn->type), single = insn->type == DT_F32 && !(insn->flags & INSN_PREC);
    uint64_t second = s->value[1][component_of(k, insn, 1, c)].bits;
    uint32_t word;
    if (whole && slow_bytes(insn->type) == 4 && ((known[1] && !second) || slow_is_zero_to_divisions(k, b, component_of(k, insn, 1, c))) &&
        (insn->type == DT_U32 ? insn->op == OP_MOD || insn->op == OP_DIV : insn->op == OP_MOD && !((b[-1].flags | b->flags) & OPND_ABSOLUTE)))
        place->chosen[0] |= bit;
    if (insn->op == OP_CMP && slow_bytes(insn->type) == 4 && known[0]) {
        unsigned last = chooses_last(k, insn, s, c) ? 2 : 1;
        if (!slow_has_half_form(insn) || !(s->known[last][c].known || insn->flags & INSN_PREC))     /* a known NaN is made at run time, as is all of full precision */
            place->chosen[last] |= bit;
    } else if (insn->op == OP_CMP && insn->type == DT_F32 && slow_with_itself(k, insn, 1, c))
        place->chosen[1] |= bit;
    else if (insn->op == OP_CMP && insn->type == DT_F32 && !slow_has_half_form(insn) && !program_is_long(k->p->text, b[-1].kind, b[-1].ref) &&
             slow_is_zero_to_divisions(k, b - 1, component_of(k, insn, 0, c)))
        place->chosen[2] |= bit;
    else if (slow_chooses_last(k, insn, c))
        place->chosen[2] |= bit;
    if ((insn->op == OP_MIN || insn->op == OP_MAX) && !whole && insn->type != DT_F16 && !(insn->flags & (INSN_HALF | INSN_PREC)) && !at_run_time(k, insn) &&
        (slow_with_itself(k, insn, 0, c) || slow_was_with_itself(k, insn, c)))
        place->chosen[0] |= bit;
    else if ((insn->op == OP_MIN || insn->op == OP_MAX) && insn->type == DT_F32 && !(insn->flags & (INSN_HALF | INSN_PREC)) && slow_mirrored(k, insn, c) >= 0)
        place->chosen[slow_mirrored(k, insn, c)] |= bit;
    if (insn->op == OP_MIN && !(insn->type == DT_F64 && known[0] && known[1]) && clamped_alone(k, insn, c) >= 0)
        place->chosen[clamped_alone(k, insn, c)] |= bit;
    if (once(k, insn, s, known, c) >= 0) {
        place->chosen[once(k, insn, s, known, c)] |= bit;
        return;
    }
    slow_note_units(k, insn, s, known, c, place);
    if (slow_has_half_form(insn)) {
        bool lit = slow_is_short(k->p, insn->dst.kind, insn->dst.ref) && s->known[0][1].known && !s->known[0][1].loose;
        if (!(insn->flags & INSN_PREC) && half_part(insn, s->value, known, lit, c, &word)) {
            place->part |= bit;
            place->word[c] = word;
        }
        return;
    }
    if (insn->op == OP_DIV && insn->type == DT_F32 && known[1] && !known[0] &&
        slow_known_reciprocal((uint32_t)s->value[1][0].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
    if (insn->type == DT_F64 && insn->op == OP_MAD && !(insn->flags & INSN_PREC) && known[0] && known[1] && !known[2] &&
        slow_known_wide_product(s->value[0][c].bits, s->value[1][c].bits, &place->word[c]))
        place->part |= bit;
    if (single && insn->op == OP_MAD && known[0] && known[1] && !known[2] &&
        slow_known_flushed_product((uint32_t)s->value[0][c].bits, (uint32_t)s->value[1][c].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
    if (single && insn->op == OP_LIT && c == 2 && !slow_is_short(k->p, insn->dst.kind, insn->dst.ref) && s->known[0][1].known && !s->known[0][1].loose &&
        (uint32_t)s->value[0][1].bits != 0x7f800000 && slow_logarithm((uint32_t)s->value[0][1].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
    if (single && insn->op == OP_POW && known[0] && slow_logarithm((uint32_t)s->value[0][0].bits, &word)) {
        place->part |= bit;
        place->word[c] = word;
    }
}

/* What is not computed of what a load on the other side of a call fills in. */
static bool is_function(const struct insn *insn)
{
    switch (insn->op) {
    case OP_DIV: case OP_MOD: case OP_BFE: case OP_BFI: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM: case OP_SAD:
        return !slow_is_float(insn->type);
    default: return insn->flags & INSN_HI;
    }
}

/* Whether a sum of known integers overflows. */
static bool overflows(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, unsigned c)
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

/* What a CMP whose choice is known does not take need not be known, nor where it comes from. */
static void spare_other(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, unsigned c, bool known[3],
                        struct slow_known *made)
{
    struct slow_value choice[3][4];
    uint64_t taken;
    if (insn->op != OP_CMP || slow_bytes(insn->type) != 4 || !known[0] || known[1] == known[2])
        return;
    memcpy(choice, s->value, sizeof choice);
    choice[1][component_of(k, insn, 1, c)].bits = 0;
    choice[2][component_of(k, insn, 2, c)].bits = 0x3f800000;
    if (!slow_compiled(k->p, insn, choice, c, s->has_sign, &taken) || !known[taken ? 2 : 1])
        return;
    *made = (struct slow_known){.known = false};
    knows(k, insn, s, 0, c, made);
    knows(k, insn, s, taken ? 2 : 1, c, made);
    known[1] = known[2] = true;
}

/* Nor need a float be known that chooses between a number and itself. */
static void spare_question(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s, unsigned c, bool known[3], struct slow_known *made)
{
    uint64_t a = s->value[1][component_of(k, insn, 1, c)].bits, b = s->value[2][component_of(k, insn, 2, c)].bits;
    if (insn->op != OP_CMP || insn->type != DT_F32 || slow_has_half_form(insn) || known[0] || !known[1] || !known[2] || a != b)
        return;
    *made = (struct slow_known){.known = false};
    knows(k, insn, s, 1, c, made);
    knows(k, insn, s, 2, c, made);
    s->value[0][c].bits = 0;
    known[0] = true;
}

/* What another block learnt, times 1.0 or -1.0 or divided by these: a copy before the number is seen. */
static bool copies_learnt(const struct slow_knowledge *k, const struct insn *insn, const struct slow_operands *s, unsigned c, uint64_t *bits)
{
    bool product = insn->op == OP_MUL && !(insn->flags & INSN_PREC);
    if (insn->type != DT_F32 || slow_has_half_form(insn) || !(product || insn->op == OP_DIV))
        return false;
    for (unsigned n = product ? 0 : 1; n < 2; n++) {
        unsigned i = component_of(k, insn, n, c), j = component_of(k, insn, 1 - n, c);
        uint32_t factor = (uint32_t)s->value[n][i].bits;
        const struct operand *o = program_operand(k->p->text, insn->src + 1 - n);
        struct insn copy = *insn;
        struct slow_value value[3][4];
        if (factor << 1 != 0x7f000000 || s->known[n][i].elsewhere || !s->known[1 - n][j].elsewhere)
            continue;
        copy.op = OP_MOV;
        copy.nsrc = 1;
        memcpy(value, s->value, sizeof value);
        value[0][c] = s->value[1 - n][j];
        value[0][c].bits ^= factor & 0x80000000;
        return slow_compiled(k->p, &copy, value, c, o->flags & OPND_ABSOLUTE || !(o->flags & OPND_SIGNS & ~OPND_ABSOLUTE) != !(factor >> 31), bits);
    }
    return false;
}

struct slow_known slow_known_component(const struct slow_knowledge *k, const struct insn *insn, struct slow_operands *s, unsigned c,
                                       struct slow_place *place)
{
    struct slow_known r = {0}, made = {0};
    const struct operand *first = program_operand(k->p->text, insn->src);
    bool known[3] = {true, true, true}, all[3], loose = false, words = false, same, joined = false;     /* joined: with a number */
    if (slow_fills(k->p, insn, c))
        return slow_filled(insn);
    if (slow_reads_turn(k->p, insn, c))
        return r;
    if (place && (insn->type == DT_F64 || (insn->op == OP_NOT && slow_bytes(insn->type) == 8)))
        slow_note_narrow(k, insn, c, place);
    for (unsigned n = 0; n < insn->nsrc; n++) {
        known[n] = program_operand(k->p->text, insn->src + n)->kind != OPND_EXTENDED && knows(k, insn, s, n, c, &made);
        loose |= made.loose && (n == 0 || insn->op != OP_CMP);     /* of CMP the first one alone decides */
        joined |= insn->nsrc > 1 && insn->op != OP_CMP && known[n] && !s->known[n][component_of(k, insn, n, c)].loose;
    }
    memcpy(all, known, sizeof all);
    spare_other(k, insn, s, c, known, &made);
    spare_question(k, insn, s, c, known, &made);
    if (insn->nsrc > 1)
        words = slow_in_same_words(k, first, first + 1, component_of(k, insn, 0, c), component_of(k, insn, 1, c)) || slow_asks_twins(k, insn, c);
    same = words || (insn->nsrc > 1 && slow_with_itself(k, insn, 0, c));
    if (always(k, insn, s, all, c, same, &r.bits)) {
        uint64_t bits;
        bool of_words = always(k, insn, s, all, c, words, &bits);
        r.known = r.loose = true;
        r.elsewhere = insn->op == OP_BFE && r.bits;
        r.narrow = insn->flags & INSN_HI;       /* carries see it, and nothing that divides or chooses */
        r.faint = r.narrow || (same && insn->op == OP_SUB);       /* a - a is none to DIV, nor to flags */
        if (same)
            r.weak = !slow_is_float(insn->type) && (!of_words || r.faint);
        else
            r.weak = made.weak || (insn->op == OP_BFE && (!known[1] || s->known[1][c].elsewhere));
        for (unsigned n = 0; insn->op == OP_OR && n < 2; n++)      /* all bits in the text decide */
            if (program_operand(k->p->text, insn->src + n)->kind == OPND_CONSTANT && known[n] && r.bits == s->known[n][component_of(k, insn, n, c)].bits)
                r.weak = false;
        return r;
    }
    r = made;
    r.loose &= !joined || made.faint || made.narrow;
    if (insn->nsrc == 2 && slow_compares_absolute(k, insn, c, &r.bits)) {
        r.known = r.alone = true;
        bool filled = false;    /* by a load whose zeros are not looked at */
        r.elsewhere = false;    /* where the number is from that it is compared with */
        for (unsigned n = 0; n < 2; n++) {
            const struct slow_known *v = &s->known[n][component_of(k, insn, n, c)];
            bool looked_at = known[n] && !slow_is_faint_negative(k, insn, n, component_of(k, insn, n, c));
            r.elsewhere |= looked_at && v->elsewhere;
            r.weak &= !known[n] || v->weak;     /* beside any other number it is like that */
            filled |= looked_at && (v->faint || v->narrow);
        }
        if (!r.elsewhere && !filled)
            r.loose = false;
        return r;
    }
    if (insn->op == OP_CMP && slow_has_half_form(insn) && !(insn->flags & INSN_PREC) && known[0])
        known[chooses_last(k, insn, s, c) ? 1 : 2] = true;
    r.known = known[0] && known[1] && known[2] && !(made.faint && is_function(insn)) &&
              (copies_learnt(k, insn, s, c, &r.bits) || slow_compiled(k->p, insn, s->value, c, s->has_sign, &r.bits));
    if (r.known && insn->op == OP_CMP && slow_bytes(insn->type) == 4 && !(slow_has_half_form(insn) && insn->flags & INSN_PREC))
        r.takes = chooses_last(k, insn, s, c) ? 3 : 2;
    r.may_overflow = r.known && overflows(k, insn, s, c);
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && !slow_is_float(insn->type))     /* the divisor alone decides */
        loose = s->known[1][component_of(k, insn, 1, c)].loose;
    if (place && (!r.known || (insn->op == OP_CMP && r.loose)) && (!loose || slow_counts_as_zero(k, insn, c)))
        in_part(k, insn, s, known, c, place);
    return r;
}
