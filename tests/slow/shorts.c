/* SHORT variables as the driver has them (docs/semantics.md): a register has a float, as who reads it as one gets it, and a word. A float that was
 * only copied there is more than a half as long as nothing else can have been written on the way to who reads it. Where the two
 * kinds of writes meet, what is read is undefined. */
#include "tests/slow/follow.h"

#include "tests/scalar_soft.h"

enum { WORD = SLOW_SHORT_WORD, HALF = SLOW_SHORT_HALF, COPY = SLOW_SHORT_COPY };

bool slow_is_short(const struct slow_program *p, unsigned kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p->text, ref) : NULL;
    return p->nvidia && s && s->size == SIZE_SHORT && p->first[ref] != NO_INDEX && !(s->array && p->indexed[ref]);
}

static bool converts(const struct insn *insn, unsigned to, unsigned from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !insn->cc_update &&
           (!insn->rounding || insn->rounding == MOD_ROUND) && !(insn->flags & (to == DT_F16 ? INSN_SSAT : INSN_SAT | INSN_SSAT));
}

bool slow_sets_flags_alone(const struct slow_program *p, const struct insn *insn)
{
    return insn->cc_update && insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->kind == SYM_TEMP && !p->read[insn->dst.ref];
}

bool slow_clamps_behind_flags(const struct slow_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SAT && slow_sets_flags_alone(p, insn) && (insn->type == DT_F32 || insn->type == DT_F16) && insn->op != OP_CMP &&
           shape_table[op_table[insn->op].shape].result != RC_SCALAR;
}

struct insn slow_short_form(const struct slow_program *p, const struct insn *insn)
{
    struct insn form = *insn;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref);
    if (!p->nvidia)
        return form;
    if (slow_clamps_behind_flags(p, insn))
        form.flags &= ~(uint32_t)INSN_SAT;
    if (to_short && insn->type == DT_F16 && insn->width == 1 &&
        (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD)) {
        form.type = DT_U16;
    } else if (slow_drops_half(p, insn)) {
        form.type = DT_F32;
        form.flags = (form.flags & ~(uint32_t)INSN_HALF) | SLOW_SINGLE;
    } else if (p->nvidia && insn->type == DT_F16 && (insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC)) {
        form.type = DT_F32;     /* they take no notice of it */
    } else if (to_short ? converts(insn, DT_F16, DT_F32) : converts(insn, DT_F32, DT_F16) && o && slow_is_short(p, o->kind, o->ref)) {
        form.op = OP_MOV;
        form.type = form.type2 = DT_F32;
        form.rounding = 0;
    }
    return form;
}

bool slow_moves_short(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *o = program_operand(p->text, insn->src);
    return insn->op == OP_MOV && !o->flags && !(insn->flags & (INSN_SAT | INSN_SSAT)) && slow_is_short(p, o->kind, o->ref);
}

static bool is_literal(const struct slow_program *p, const struct operand *o)
{
    return o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(p->text, o->ref)->kind == BIND_CONSTANT);
}

/* `place`, or NULL where nobody asks about known factors. */
static unsigned kind_of(const struct slow_program *p, const struct insn *insn, const struct slow_place *place)
{
    bool plain = !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition), flip;
    switch (insn->op) {
    case OP_CVT: return WORD;
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB:
        return WORD | (insn->op == OP_PK2H && plain && !insn->cc_update ? COPY : 0);
    default: break;
    }
    if (!slow_is_float(slow_result_type(insn)) || slow_bytes(slow_result_type(insn)) == 8 || insn->op == OP_ATOMB || insn->op == OP_ATOMS ||
        insn->op == OP_ATOM)
        return WORD;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: return plain && !is_literal(p, program_operand(p->text, insn->src)) ? COPY : HALF;
    case OP_UP4B: case OP_UP4UB: case OP_UP2US: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: case OP_DST: return plain ? COPY : HALF;
    case OP_MUL:
        for (unsigned c = 0; place && plain && c < 4; c++)
            if (insn->dst.mask >> c & 1 && slow_copied_factor(p, place, insn, c, &flip) >= 0)
                return COPY;
        return HALF;
    case OP_CMP: return place && plain && place->chosen[2] & insn->dst.mask && !(insn->flags & INSN_PREC) ? COPY : HALF;    /* a known choice */
    default: return HALF;
    }
}

/* ---- who reads --------------------------------------------------------------------------------------------------------------- */

bool slow_reads_word(const struct insn *insn, unsigned type)
{
    switch (insn->op) {
    case OP_CVT: return insn->type2 != DT_F16;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return true;
    case OP_ATOMB: case OP_ATOMS: case OP_ATOM: return insn->type != DT_F16 || insn->width != 4 || !slow_is_float(type);
    default: return !slow_is_float(type) || slow_bytes(type) == 8;
    }
}

static const struct insn *insn_of(const struct slow_program *p, uint32_t place)
{
    return program_insn(p->text, p->plan->place[place].insn);
}

static bool writes(const struct slow_program *p, uint32_t place, uint32_t symbol, unsigned c)
{
    const struct insn *insn = insn_of(p, place);
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && slow_written(p, insn) >> c & 1 && !(slow_untouched(p, insn) >> c & 1);
}

unsigned slow_short_kind(const struct slow_program *p, uint32_t i)
{
    const struct insn *insn = program_insn(p->text, i);
    struct insn form = slow_short_form(p, insn);
    return kind_of(p, &form, p->plan->first[i] == NO_INDEX ? NULL : &p->plan->place[p->plan->first[i]]);
}

enum { MOVES = 8 };             /* from one SHORT variable to another that are followed */

/* Whether nothing but words of integers that are not known goes to a component. */
static bool has_words(const struct slow_program *p, uint32_t symbol, unsigned c, unsigned depth)
{
    for (uint32_t i = 0; depth < MOVES && i < p->plan->count; i++) {
        struct insn form;
        const struct operand *o;
        if (!writes(p, i, symbol, c) || (!program_symbol(p->text, symbol)->array && !(p->plan->place[i].useful >> c & 1)))
            continue;
        form = slow_short_form(p, insn_of(p, i));
        o = form.nsrc ? program_operand(p->text, form.src) : NULL;
        if (o && slow_moves_short(p, &form) ? !has_words(p, o->ref, o->swizzle >> 2 * c & 3, depth + 1)
                                 : kind_of(p, &form, &p->plan->place[i]) != WORD || (form.op == OP_MOV && is_literal(p, o)))
            return false;
    }
    return true;
}

/* The components that PK2H and stores of halves take as they are, out of words. */
static uint8_t packs_words(const struct slow_program *p, const struct insn *insn)
{
    bool stores = insn->op == OP_STB || insn->op == OP_STS || insn->op == OP_STORE;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    unsigned n = stores ? insn->width : 2;
    uint8_t words = 0;
    if (!o || !(stores ? insn->type == DT_F16 : insn->op == OP_PK2H && !insn->cc_update) || o->flags || !slow_is_short(p, o->kind, o->ref))
        return 0;
    for (unsigned c = 0; c < n; c++)
        words |= (uint8_t)(has_words(p, o->ref, o->swizzle >> 2 * c & 3, 0) << c);
    return words;
}

bool slow_stored_halves(struct slow_lane *l, const struct insn *insn, uint8_t *mask, struct slow_value half[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    uint8_t words = p->nvidia ? packs_words(p, insn) : 0, unpacked;
    uint64_t bits[4];
    bool open[4];
    *mask = 0;
    if (insn->type != DT_F16)
        return true;
    unpacked = o->flags ? 0 : slow_unpacked(l, o, bits, open);
    *mask = words | unpacked;
    if (words && !slow_fetch(l, o, DT_U32, half))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (unpacked >> c & 1)
            half[c] = (struct slow_value){.bits = bits[c], .open = open[c]};
    return true;
}

bool slow_pack_words(struct slow_lane *l, const struct insn *insn, struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    uint8_t words = insn->op == OP_PK2H && p->nvidia ? packs_words(p, insn) : 0, unpacked = 0;
    struct slow_value v[4];
    uint64_t bits[4];
    bool open[4];
    if (insn->op == OP_PK2H && !insn->cc_update && !o->flags)
        unpacked = slow_unpacked(l, o, bits, open) & 3;
    if (!(words | unpacked))
        return true;
    if (words && !slow_fetch(l, o, DT_U32, v))
        return false;
    for (unsigned c = 0; c < 2; c++)
        if (unpacked >> c & 1)
            v[c].bits = bits[c];
    words |= unpacked;
    for (unsigned c = 0; c < 8; c++)
        if (words >> c / 4 & 1) {
            unsigned shift = c / 4 * 16;
            r[c & 3].bits = (r[c & 3].bits & ~(UINT64_C(0xffff) << shift)) | (v[c / 4].bits & 0xffff) << shift;
        }
    return true;
}

/* Copies that are no loads go to a variable. */
static bool takes_copies(const struct slow_program *p, uint32_t symbol)
{
    for (uint32_t i = 0; i < p->plan->count; i++) {
        struct insn form = slow_short_form(p, insn_of(p, i));
        bool own = insn_of(p, i)->dst.kind == OPND_SYMBOL && insn_of(p, i)->dst.ref == symbol;
        if (own && (slow_moves_short(p, &form) || (kind_of(p, &form, &p->plan->place[i]) & COPY && !slow_is_load(&form))))
            return true;
    }
    return false;
}

/* What is known to stand there, as a float. */
static bool take_known(const struct slow_lane *l, const struct insn *form, const struct operand *o, unsigned c, struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    const struct insn *insn = program_insn(p->text, l->here->insn);
    bool copies = (form->op == OP_MOV || form->op == OP_ABS) && slow_is_short(p, form->dst.kind, form->dst.ref);
    bool keeps = copies || form->op == OP_PK2H || form->flags & INSN_PREC ||
                 (slow_is_half(p, form) && shape_table[op_table[form->op].shape].result != RC_NONE);
    for (unsigned n = 0; !o->nindices && n < insn->nsrc && n < 3; n++)
        if (program_operand(p->text, insn->src + n)->ref == o->ref && l->here->shorts[n] >> c & 1) {
            v->bits = slow_known_float(l->here->halves[n][c], keeps);
            v->open = false;
            return true;
        }
    return false;
}

/* Whether the compiler sees what component c of a variable was copied from, all the way into the subroutine. */
static bool sees_copy(const struct slow_lane *l, const struct operand *o, unsigned c, const struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    const struct insn *insn = program_insn(p->text, l->here->insn);
    for (unsigned n = 0; !o->nindices && n < insn->nsrc && n < 3; n++)
        for (unsigned k = 0; k < 4; k++) {
            const struct operand *read = program_operand(p->text, insn->src + n);
            if (read->ref == o->ref && (read->swizzle >> 2 * k & 3u) == c && v->wrote && l->here->seen[n][k] == v->wrote)
                return true;
        }
    return false;
}

/* What is read where flow, or a call, stands between it and what wrote it: where ways meet, the half. */
static void read_over_flow(const struct slow_lane *l, const struct operand *o, unsigned c, bool word, struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    bool outside = slow_came_in(l, v);
    enum slow_meeting met = outside ? slow_short_met_outside(l, v, o->ref, c) : slow_short_met(l, v, o->ref, c);
    if (outside && met == SHORT_ALONE) {
        if (!word && takes_copies(p, o->ref) && !sees_copy(l, o, c, v))
            v->bits = soft_widened(soft_narrowed(v->bits));
        return;
    }
    if (met == SHORT_HALVES || (met != SHORT_ALONE && v->unrounded && !word))
        v->bits = soft_widened(soft_narrowed(v->bits));
    if (met == SHORT_HALVES) {
        v->word = soft_narrowed(v->bits);
        v->word_open = true;
    } else if (met == SHORT_EITHER) {
        v->open = v->word_open = true;      /* one kind is taken for the other */
    }
}

bool slow_read_short(struct slow_lane *l, const struct operand *o, unsigned type, unsigned c, struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    const struct insn *insn = l->here ? program_insn(p->text, l->here->insn) : NULL;
    struct insn form;
    if (!insn || !v->wrote)
        return true;
    form = slow_short_form(p, insn);
    if (!slow_reads_word(&form, type) && !(slow_moves_short(p, &form) && slow_is_short(p, form.dst.kind, form.dst.ref)) && take_known(l, &form, o, c, v)) {
        v->bits = form.op == OP_CVT ? soft_narrowed(v->bits) : v->bits;
        return true;
    }
    read_over_flow(l, o, c, slow_reads_word(&form, type), v);
    if (slow_reads_word(&form, type)) {
        v->bits = v->word;
        v->open = v->word_open;
    } else if (form.op == OP_CVT) {
        v->bits = soft_narrowed(v->bits);
    } else if (form.flags & INSN_PREC) {
        v->bits = soft_widened(soft_narrowed(v->bits));
    }
    return true;
}

/* ---- what is written --------------------------------------------------------------------------------------------------------- */

static bool clears_upper(const struct insn *insn, bool of_half)
{
    if (insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: return !of_half;
    case OP_ROUND: case OP_TRUNC: case OP_FLR: case OP_CEIL: case OP_I2F: case OP_UP4B: case OP_UP4UB: case OP_UP2US: return true;
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return insn->type != DT_F16;
    default: return false;
    }
}

bool slow_makes_half(const struct insn *insn)
{
    return insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type2 == DT_F16 && insn->type == DT_F32) ||
           (insn->op != OP_CVT && insn->op != OP_MOV && (insn->type == DT_F16 || insn->flags & INSN_HALF));
}

bool slow_moved_halves(struct slow_lane *l, const struct insn *insn, struct slow_value from[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    struct operand plain;
    for (unsigned c = 0; c < 4; c++)
        from[c] = (struct slow_value){.half = slow_makes_half(insn)};
    for (unsigned c = 0; p->nvidia && insn->op == OP_PK2H && o->kind == OPND_CONSTANT && c < 4; c++)
        from[c].bits = slow_literal(p, o, o->swizzle >> 2 * c & 3, DT_F32);
    if (!p->nvidia || !o || (insn->op != OP_MOV && insn->op != OP_ABS && insn->op != OP_PK2H) || o->kind != OPND_SYMBOL || p->first[o->ref] == NO_INDEX)
        return true;
    plain = *o;
    plain.flags = 0;
    if (!slow_register(l, &plain, from))
        return false;
    for (unsigned c = 0; slow_moves_short(p, insn) && c < 4; c++)
        if (from[c].wrote)
            read_over_flow(l, o, o->swizzle >> 2 * c & 3, false, &from[c]);
    return true;
}

bool slow_write_short(struct slow_lane *l, const struct insn *insn, unsigned c, const struct slow_value from[4], struct slow_value *to)
{
    const struct slow_program *p = l->group->program;
    bool of_short = insn->nsrc && slow_is_short(p, program_operand(p->text, insn->src)->kind, program_operand(p->text, insn->src)->ref);
    unsigned kind = kind_of(p, insn, l->here);
    to->half = from[c].half || (insn->op == OP_MOV && of_short);
    if (!slow_is_short(p, insn->dst.kind, insn->dst.ref))
        return true;
    to->wrote = (uint32_t)(l->here - p->plan->place) + 1;
    to->calls = l->calls;
    to->under_test = condition_restricts(&insn->dst.condition);
    if (slow_moves_short(p, insn)) {
        to->bits = from[c].bits;
        to->open = from[c].open;
        to->word = from[c].word;
        to->word_open = from[c].wrote ? from[c].word_open : from[c].open;
    } else if (kind & WORD) {
        to->word = to->bits & 0xffffffff;
        to->word_open = to->open;
        to->bits = kind & COPY ? from[0].bits : soft_widened(to->bits);
    } else {
        to->word = soft_narrowed(to->bits);
        to->word_open = to->open || !clears_upper(insn, l->here->upper >> c & 1);
        if (to->under_test)
            to->bits = soft_widened(to->word);
    }
    slow_view_short(l, insn, c, slow_moves_short(p, insn), kind & WORD, kind == COPY, to);
    return true;
}

/* ---- what is computed -------------------------------------------------------------------------------------------------------- */

bool slow_drops_half(const struct slow_program *p, const struct insn *insn)
{
    return p->nvidia && insn->flags & INSN_SSAT && (insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_CVT;
}

bool slow_loses_short_clamp(const struct slow_program *p, const struct insn *insn, bool *zero)
{
    static const uint16_t zeros[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAD, OP_MIN, OP_MAX, OP_FLR, OP_CEIL, OP_FRC, OP_CMP, OP_SLT, OP_LRP, OP_DP2, OP_DP2A,
                                     OP_DP3, OP_DP4, OP_DPH, OP_XPD, OP_X2D, OP_SWZ};
    bool clamped = insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_ROUND || insn->op == OP_TRUNC;
    *zero = false;
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        *zero |= zeros[i] == insn->op;
    return insn->flags & INSN_SSAT && !(insn->flags & SLOW_SINGLE) && !clamped && slow_is_short(p, insn->dst.kind, insn->dst.ref) &&
           !(kind_of(p, insn, NULL) & WORD);
}

/* Clamps of halves that the driver does in another way: of copies with a sign, a NaN is 1 then; CMP.F16.SAT gives 0. */
void slow_clamp_copy(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref), wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool sign = o && (insn->op == OP_ABS || (insn->op == OP_MOV && operand_has_sign(o) && !(o->flags & OPND_ABSOLUTE && o->flags & OPND_NEGATE)));
    if (!p->nvidia || insn->flags & SLOW_SINGLE)
        return;
    for (unsigned c = 0; sign && insn->flags & INSN_SSAT && to_short && slow_operand_type(insn, 0) == DT_F32 && !condition_restricts(&insn->dst.condition) && c < 4; c++)
        if (soft_unpack(src[0][c].bits & 0xffffffff, 32, false).kind == SOFT_NAN)
            r[c].bits = 0x3f800000;
    if (insn->op == OP_CMP && insn->flags & INSN_SAT && slow_is_half(p, insn) && !to_short && !wide)
        for (unsigned c = 0; c < 4; c++)
            r[c] = (struct slow_value){.bits = 0};
}

void slow_finish_short(const struct slow_program *p, const struct insn *insn, const struct slow_place *place, struct slow_value *v)
{
    bool zero;
    if (!slow_is_short(p, insn->dst.kind, insn->dst.ref))
        return;
    if (slow_loses_short_clamp(p, insn, &zero)) {
        v->bits = zero ? 0 : v->bits;
        v->open = zero ? false : true;
        return;
    }
    if (kind_of(p, insn, place) != HALF || slow_sets_flags_alone(p, insn))
        return;
    switch (insn->op) {
    case OP_TRUNC:
        v->bits = soft_widened(soft_pack(soft_unpack(v->bits, 32, false), 16, SOFT_ZERO, false, 0x7fff));
        break;
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_MUL: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        v->bits = soft_widened(soft_narrowed(v->bits));
        break;
    default:
        if (insn->flags & SLOW_SINGLE)
            v->bits = soft_widened(soft_narrowed(v->bits));
    }
}
