/* Condition codes where the driver's compiler knows more of a result than its bits, or asks otherwise: docs/numbers.md, "Condition codes".
 * What is known of the signs of numbers that are not known themselves, and which of them are sums, is followed with what is known
 * (follow.c); on which side of zero the terms of a sum put it comes along with the value. */
#include "tests/slow/follow.h"
#include "tests/slow/looks.h"

static bool says_truth(const struct slow_reader *r, unsigned n)
{
    const struct operand *o = slow_reader_operand(r, n);
    const struct slow_known *v = o->kind == OPND_EXTENDED || o->flags & OPND_SIGNS ? NULL : slow_held(r->k, o, slow_reader_component(r, n));
    return v && (v->look.truth || v->look.made) && program_symbol(r->k->p->text, o->ref)->size == SIZE_DEFAULT;
}

static bool is_made_of_truths(const struct slow_reader *r)
{
    struct slow_known v;
    unsigned op = r->insn->op;
    if (!slow_is_word_type(r->insn->type) || r->insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    if (op == OP_CMP) {
        for (unsigned n = 1; n < 3; n++)
            if (slow_reader_operand(r, n)->kind == OPND_EXTENDED ||
                !slow_known_operand(r->k, slow_reader_operand(r, n), slow_reader_component(r, n), r->insn->type, &v) ||
                (v.bits && (uint32_t)v.bits != UINT32_MAX))
                return false;
        return true;
    }
    if (op_is_logic(op))
        return says_truth(r, 0) && (op == OP_NOT || says_truth(r, 1));
    if (op_shuffles(op))
        return r->c == 0;
    return op == OP_TGALL || op == OP_TGANY || op == OP_TGEQ;
}

static struct slow_look look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    bool alone = slow_clamps_behind_flags(k->p, insn), moves = insn->op == OP_MOV || insn->op == OP_ABS;
    unsigned type = insn->type == DT_F16 && moves ? DT_F32 : insn->type;
    struct slow_look x = {0};
    struct insn plain = *insn;
    struct slow_reader r = {k, &plain, c};
    plain.flags &= alone ? ~(uint32_t)INSN_SAT : UINT32_MAX;
    insn = &plain;
    if (is_made_of_truths(&r))
        return (struct slow_look){.made = true};
    if (!insn->nsrc || insn->nsrc > 3 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24 | INSN_FIXED) ||
        (insn->flags & INSN_HALF && !moves) || (insn->flags & INSN_PREC && !moves && !(op_compares(insn->op) && !slow_is_float(type))) || type != slow_result_type(insn))
        return x;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (slow_reader_operand(&r, n)->kind == OPND_EXTENDED)
            return x;
    if (op_compares(insn->op) && !slow_is_float(type)) {
        x.truth = true;
    } else if (type == DT_S64) {
        x.sign = (uint16_t)slow_look_of_long(&r);
    } else if (slow_is_word_type(type) && insn->op == OP_MOV && !(slow_reader_operand(&r, 0)->flags & OPND_SIGNS) && slow_held(k, slow_reader_operand(&r, 0), c)) {
        x = slow_held(k, slow_reader_operand(&r, 0), c)->look;
        x.made = false;
    } else if (slow_is_word_type(type)) {
        x = slow_look_of_integer(&r);
    } else if (type == DT_F32) {
        x.sign = NOT_BELOW;
        if (insn->op != OP_ABS)
            x = insn->op == OP_MOV ? slow_reader_source(&r, 0, type) : slow_look_of_float(&r);
        x.sum = alone ? 0 : x.sum;
    }
    return x;
}

static bool is_parameter(const struct slow_reader *r, unsigned n)
{
    const struct operand *o = slow_reader_operand(r, n);
    const struct slow_known *held = slow_held(r->k, o, r->c);
    if (operand_has_sign(o) || (o->kind != OPND_SYMBOL && o->kind != OPND_BINDING))
        return false;
    return held ? held->look.sign & PARAMETER : !slow_in_register(r->k->p, o);
}

static bool copies_parameter(const struct slow_reader *r)
{
    const struct insn *insn = r->insn;
    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return false;
    if (insn->op == OP_MOV)
        return is_parameter(r, 0);
    for (unsigned n = 0; insn->op == OP_MUL && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && n < 2; n++)
        if (slow_reader_operand(r, n)->kind == OPND_CONSTANT && slow_reader_unit(r, n) > 0)
            return is_parameter(r, 1 - n);
    return false;
}

static bool is_element(const struct slow_program *p, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && o->nindices && program_symbol(p->text, o->ref)->kind == SYM_TEMP && p->indexed[o->ref];
}

bool slow_asks_elements(const struct slow_program *p, const struct insn *insn)
{
    bool asks = op_compares(insn->op);
    for (unsigned n = 0; asks && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p->text, insn->src + n);
        asks = is_element(p, o) || (o->kind == OPND_SYMBOL && p->by_address && p->by_address[o->ref]);
    }
    return asks;
}

/* The result is an element in memory, or a number, a copy or a comparison of what comes of one. */
static bool is_reached(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    const struct slow_program *p = k->p;
    bool asks = op_compares(insn->op), follows = asks || insn->op == OP_MOV;
    if (insn->dst.kind == OPND_SYMBOL && p->by_address && p->by_address[insn->dst.ref])
        return true;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p->text, insn->src + n);
        const struct slow_known *v = slow_held(k, o, c);
        if ((v && v->look.reached && (follows || v->known)) || (asks && is_element(p, o)))
            return true;
    }
    return false;
}

struct slow_look slow_look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_look x = look_at_result(k, insn, c);
    const struct slow_reader r = {k, insn, c};
    x.sign = (uint16_t)((x.sign & ~(PARAMETER | UNIT | MINUS_UNIT)) | (copies_parameter(&r) ? PARAMETER : 0));
    x.reached = is_reached(k, insn, c);
    return x;
}

/* -|0| of what a load of floats filled in: as what is not known. */
bool slow_is_faint_negative(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(k->p->text, insn->src + n), *other = program_operand(k->p->text, insn->src + 1 - n);
    struct slow_known v, w;
    bool both = other->kind != OPND_EXTENDED && slow_known_operand(k, other, c, DT_S32, &w) && w.elsewhere;
    return insn->type == DT_S32 && o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE && o->kind != OPND_EXTENDED && slow_known_operand(k, o, c, DT_S32, &v) &&
           (v.faint || (v.weak && v.loose) || (v.elsewhere && !both));
}

bool slow_compares_absolute(const struct slow_knowledge *k, const struct insn *insn, unsigned c, uint64_t *bits)
{
    struct slow_reader r = {k, insn, c};
    unsigned op = insn->op, n = op == OP_SGT || op == OP_SLE;
    for (unsigned i = 0; (insn->type == DT_S64 || insn->type == DT_S32) && op_compares(op) && i < 2; i++) {
        const struct operand *a = slow_reader_operand(&r, i), *b = slow_reader_operand(&r, 1 - i);
        struct slow_known v;
        bool less = op == OP_SNE || op == (i ? OP_SGT : OP_SLT) || op == (i ? OP_SGE : OP_SLE);
        if (!(a->flags & OPND_ABSOLUTE && a->flags & OPND_NEGATE && a->kind != OPND_EXTENDED && b->kind != OPND_EXTENDED) || slow_is_bare(k, a, c, insn->type) ||
            (slow_known_operand(k, a, c, insn->type, &v) && !slow_is_faint_negative(k, insn, i, c)) || !slow_known_operand(k, b, c, insn->type, &v))
            continue;
        if (insn->type == DT_S64 ? v.bits >> 63 : v.bits != 0) {    /* the negative of one is below it, even where it is below 0 */
            *bits = !less ? 0 : insn->type == DT_S64 ? ~0ull : UINT32_MAX;
            return true;
        }
        if (insn->type == DT_S32 && (op == (i ? OP_SGE : OP_SLE) || op == (i ? OP_SLT : OP_SGT))) {     /* not above 0 */
            *bits = less ? UINT32_MAX : 0;
            return true;
        }
    }
    if (insn->type != DT_S32 || (op != OP_SLT && op != OP_SGE && op != OP_SGT && op != OP_SLE) ||
        slow_reader_operand(&r, 0)->kind == OPND_EXTENDED || slow_reader_operand(&r, 1)->kind == OPND_EXTENDED || !slow_reader_number(&r, 1 - n, 0) ||
        !(slow_reader_source(&r, n, DT_S32).sign & WHOLE))
        return false;
    *bits = op == OP_SGE || op == OP_SLE ? UINT32_MAX : 0;
    return true;
}

bool slow_chooses_last(const struct slow_knowledge *k, const struct insn *insn, unsigned c)
{
    struct slow_reader r = {k, insn, c};
    return insn->op == OP_CMP && insn->type == DT_S64 && slow_held(k, slow_reader_operand(&r, 0), c) && slow_reader_source(&r, 0, DT_S64).sign & LONG_WHOLE;
}

/* The sum whose side component c of an SGT or SLT asks for. */
static uint32_t asked(const struct slow_reader *r, bool *below)
{
    unsigned op = r->insn->op;
    if ((op != OP_SGT && op != OP_SLT) || r->insn->type != DT_F32 || r->insn->flags & (INSN_PREC | INSN_HALF))
        return 0;
    for (unsigned n = 0; n < 2; n++) {
        struct slow_known zero;
        if (slow_reader_operand(r, n)->kind == OPND_EXTENDED || !slow_known_operand(r->k, slow_reader_operand(r, 1 - n), r->c, DT_F32, &zero) || zero.bits << 33 ||
            !slow_reader_look_at(r, slow_reader_operand(r, n), r->c, DT_F32).sum)
            continue;
        *below = (op == OP_SLT) != (n == 1);
        return slow_reader_look_at(r, slow_reader_operand(r, n), r->c, DT_F32).sum;
    }
    return 0;
}

bool slow_reader_is_above(const struct slow_reader *r)
{
    struct insn plain = *r->insn;
    unsigned term[2];
    bool minus[2];
    plain.flags &= (uint32_t)~INSN_SAT;
    if (r->insn->cc_update && (condition_restricts(&r->insn->dst.condition) || slow_clamps_behind_flags(r->k->p, r->insn)))
        return false;
    if (!(r->insn->flags & INSN_SAT) || r->insn->dst.kind != OPND_SYMBOL ||
        program_symbol(r->k->p->text, r->insn->dst.ref)->size != SIZE_DEFAULT)
        return false;
    if (slow_adds_to_squares(r->k, &plain, r->c)) {
        struct slow_known one;
        return slow_known_operand(r->k, slow_reader_operand(r, 2), slow_reader_component(r, 2), DT_F32, &one) && one.bits >= 0x3f800000 && one.bits <= 0x7f800000;
    }
    if (!slow_terms(r->k, &plain, r->c, term, minus))
        return false;
    for (unsigned n = 0; n < 2; n++) {
        struct slow_look other = slow_reader_source(r, term[1 - n], DT_F32);
        struct slow_known v;
        uint32_t word;
        if (slow_reader_operand(r, term[n])->kind == OPND_EXTENDED ||
            !slow_known_operand(r->k, slow_reader_operand(r, term[n]), slow_reader_component(r, term[n]), DT_F32, &v))
            continue;
        word = (uint32_t)v.bits ^ (minus[n] ? 0x80000000 : 0);
        other = minus[1 - n] ? slow_turned_look(other) : other;
        if (word >= 0x3f800000 && word <= 0x7f800000 && other.sign & NOT_BELOW)
            return true;
    }
    return false;
}

/* What place `place` is told of component c, whose result is known as `v` and `x` say. */
/* What is made of one operand, which is a number in the text or a parameter's. */
static bool is_shown(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *o = program_operand(p->text, insn->src);
    return insn->nsrc == 1 && (o->kind == OPND_CONSTANT || (o->kind == OPND_SYMBOL && program_symbol(p->text, o->ref)->kind != SYM_TEMP));
}

/* What a single register gives to a sum of 64 bits, where it is known in its block: a term, or a factor that is 0. */
static bool is_narrow_number(const struct slow_knowledge *k, const struct insn *insn, unsigned n, struct operand o, unsigned c)
{
    struct slow_known number;
    bool zero = o.flags & OPND_ABSOLUTE || (insn->op == OP_MAD && n < 2);
    o.flags = 0;
    return insn->op != OP_SAD && slow_bytes(insn->type) == 8 && o.kind == OPND_SYMBOL && program_symbol(k->p->text, o.ref)->kind == SYM_TEMP &&
           program_symbol(k->p->text, o.ref)->size == SIZE_DEFAULT &&
           slow_known_operand(k, &o, c, DT_U32, &number) && !number.weak && !number.elsewhere && !(zero && number.bits);
}

/* An unsigned word, without a minus, of which anything but a SHORT variable takes the single. */
static bool becomes_single(const struct slow_program *p, const struct insn *insn)
{
    bool converts = insn->op == OP_I2F ? insn->type == DT_U32 : insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_U32;
    return converts && !(insn->flags & INSN_PREC) && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size != SIZE_SHORT &&
           !operand_negates(program_operand(p->text, insn->src));
}

void slow_note_answers(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *v, struct slow_look x,
                       struct slow_place *place)
{
    struct slow_reader r = {k, insn, c};
    struct slow_answers *a = &place->answers;
    unsigned type = slow_result_type(insn);
    uint8_t bit = (uint8_t)(1u << c);
    bool below = false;
    uint32_t sum = asked(&r, &below);
    bool known = v->known && !v->weak;
    place->above |= slow_reader_is_above(&r) ? bit : 0;
    place->flags_above |= insn->cc_update && slow_reader_is_above(&r) ? bit : 0;
    if (sum) {
        place->asks |= bit;
        place->less |= below ? bit : 0;
        place->uses[c] = sum;
    }
    if (becomes_single(k->p, insn)) {
        struct operand word = *slow_reader_operand(&r, 0);
        word.flags &= (uint16_t)~(unsigned)OPND_SIGNS;
        place->absolute_word |= slow_reader_look_at(&r, &word, slow_reader_component(&r, 0), DT_S32).sign & WHOLE ? bit : 0;
    }
    for (unsigned n = 0; insn->cc_update && slow_op_adds(insn->op) && !slow_is_float(insn->type) && n < insn->nsrc; n++) {
        struct operand plain = *slow_reader_operand(&r, n);
        struct slow_known number;
        if (plain.kind == OPND_EXTENDED)
            continue;
        if (slow_known_operand(k, &plain, slow_reader_component(&r, n), slow_operand_type(insn, n), &number) && !number.weak && !number.elsewhere)
            place->number[n] |= bit;
        if (is_narrow_number(k, insn, n, plain, slow_reader_component(&r, n)))
            place->number[n] |= bit;
        plain.flags &= (uint16_t)~OPND_NEGATE;
        if (insn->type == DT_S64 && slow_reader_look_at(&r, &plain, slow_reader_component(&r, n), DT_S64).sign & LONG_WHOLE)
            place->absolute[n] |= bit;
    }
    if (!insn->cc_update)
        return;
    if (known && !(type == DT_F32 && insn->flags & INSN_PREC)) {
        bool more = k->p->several >> ((insn->cc_update - 1) * 4 + c) & 1, tested = condition_restricts(&insn->dst.condition);
        uint64_t truth;
        bool shown = !tested || v->loose || insn->op == OP_STR || is_shown(k->p, insn) || (insn->nsrc == 2 && slow_compares_absolute(k, insn, c, &truth));
        if (slow_apart(k->p, insn))
            return;             /* the machine's flags */
        a->positive |= shown && type != DT_F32 && !v->elsewhere && ((type == DT_U32 && !slow_op_adds(insn->op)) || insn->op == OP_MOD || (type == DT_U64 && slow_is_narrowed(k->p, insn))) ? bit : 0;
        a->signless |= more && (type == DT_F32 || type == DT_S32 || slow_is_narrowed(k->p, insn)) && slow_is_number(k->p, insn, v) && shown ? bit : 0;
    } else if (type == DT_F32) {
        a->not_below |= x.sign & NOT_BELOW ? bit : 0;
        a->above |= x.sign & ABOVE ? bit : 0;
        a->below |= x.sign & BELOW ? bit : 0;
        a->sum[c] = x.sum;
    } else if (x.sign & (type == DT_S64 ? LONG_WHOLE : WHOLE)) {
        a->no_sign |= bit;
        a->not_below |= slow_op_adds(insn->op) ? 0 : bit;
    } else if (slow_op_adds(insn->op) && x.sign & (type == DT_S64 ? MINUS_LONG : MINUS_WHOLE)) {
        a->not_above |= bit;
    }
}
