/* SHORT variables as the driver has them (docs/semantics.md): a register has a float, as who reads it as one gets it, and a word. A float that was
 * only copied there is more than a half as long as nothing else can have been written on the way to who reads it. */
#include "tests/slow/follow.h"

#include "tests/scalar_soft.h"

enum { WORD = SLOW_SHORT_WORD, HALF = SLOW_SHORT_HALF, COPY = SLOW_SHORT_COPY };

/* ---- who reads --------------------------------------------------------------------------------------------------------------- */

static const struct insn *insn_of(const struct slow_program *p, uint32_t place)
{
    return program_insn(p->text, p->plan->place[place].insn);
}

static bool writes(const struct slow_program *p, uint32_t place, uint32_t symbol, unsigned c)
{
    const struct insn *insn = insn_of(p, place);
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && slow_written(p, insn) >> c & 1;
}

enum { MOVES = 8 };             /* from one SHORT variable to another that are followed */

/* Whether nothing but words of integers that are not known goes to a component. */
static bool has_words(const struct slow_program *p, uint32_t symbol, unsigned c, unsigned depth)
{
    for (uint32_t i = 0; depth < MOVES && i < p->plan->count; i++) {
        struct insn form;
        const struct operand *o;
        if (!writes(p, i, symbol, c) || !(p->plan->place[i].useful >> c & 1))
            continue;
        form = slow_short_form(p, insn_of(p, i));
        o = form.nsrc ? program_operand(p->text, form.src) : NULL;
        if (o && slow_moves_short(p, &form) ? !has_words(p, o->ref, o->swizzle >> 2 * c & 3, depth + 1)
                                 : slow_kind_into_short(p, &form, &p->plan->place[i]) != WORD || (form.op == OP_MOV && slow_is_constant(p, o)))
            return false;
    }
    return true;
}

/* The components that PK2H and stores of halves take as they are, out of words; not what is known to be written there, but where nothing else is. */
static uint8_t packs_words(const struct slow_lane *l, const struct insn *insn)
{
    const struct slow_program *p = l->group->program;
    bool stores = op_stores_anywhere(insn->op), to_image = insn->op == OP_STOREIM;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src + to_image) : NULL;
    unsigned n = stores ? insn->width : 2;
    uint8_t words = 0;
    if (!o || !(stores ? insn->type == DT_F16 : insn->op == OP_PK2H && !insn->cc_update) || (o->flags && !to_image) || !slow_is_short(p, o->kind, o->ref))
        return 0;
    for (unsigned c = 0; c < n; c++) {
        unsigned from = o->swizzle >> 2 * c & 3;
        bool known = l->here->shorts[0] >> from & 1;
        words |= (uint8_t)((!known || has_words(p, o->ref, from, 0)) << c);
    }
    return words;
}

/* Such halves, undefined where the float is: what stands above them nobody looks at. */
static bool fetch_low(struct slow_lane *l, const struct operand *o, struct slow_value half[4])
{
    struct slow_value single[4];
    if (!slow_fetch(l, o, DT_F32, single) || !slow_fetch(l, o, DT_U32, half))
        return false;
    for (unsigned c = 0; c < 4; c++)
        half[c] = (struct slow_value){.bits = half[c].bits & 0xffff, .open = single[c].open};
    return true;
}

bool slow_stored_halves(struct slow_lane *l, const struct insn *insn, uint8_t *mask, struct slow_value half[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src + (insn->op == OP_STOREIM));
    struct operand plain = *o;
    uint8_t words = p->nvidia ? packs_words(l, insn) : 0, unpacked;
    uint64_t bits[4];
    bool open[4];
    *mask = 0;
    if (insn->type != DT_F16)
        return true;
    plain.flags &= (uint16_t)~OPND_SIGNS;       /* images: they are dropped */
    unpacked = o->flags && insn->op != OP_STOREIM ? 0 : slow_unpacked(l, o, bits, open);
    *mask = words | unpacked;
    if (words && !fetch_low(l, &plain, half))
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
    uint8_t words = insn->op == OP_PK2H && p->nvidia ? packs_words(l, insn) : 0, unpacked = 0;
    struct slow_value v[4];
    uint64_t bits[4];
    bool open[4];
    if (insn->op == OP_PK2H && !insn->cc_update && !(insn->flags & INSN_PREC) && !o->flags)
        unpacked = slow_unpacked(l, o, bits, open) & 3;
    if (!(words | unpacked))
        return true;
    if (words && !fetch_low(l, o, v))
        return false;
    for (unsigned c = 0; c < 2; c++)
        if (unpacked >> c & 1)
            v[c] = (struct slow_value){.bits = bits[c], .open = open[c]};
    words |= unpacked;
    for (unsigned c = 0; c < 8; c++)
        if (words >> c / 4 & 1) {
            unsigned shift = c / 4 * 16;
            r[c & 3].open |= v[c / 4].open;
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
        if (own && (slow_moves_short(p, &form) || (slow_kind_into_short(p, &form, &p->plan->place[i]) & COPY && !slow_is_load(&form))))
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
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        if (program_operand(p->text, insn->src + n)->ref == o->ref && l->here->shorts[n] >> c & 1) {
            v->bits = slow_known_float(l->here->halves[n][c], keeps);
            v->open = false;
            return true;
        }
    return false;
}

/* A word that is a number to the compiler, as is what it computes of it, whatever stands above the half. */
static bool is_known_word(const struct slow_lane *l, const struct operand *o, unsigned c)
{
    const struct insn *insn = program_insn(l->group->program->text, l->here->insn);
    for (unsigned n = 0; l->here->computed && n < insn->nsrc && n < 3; n++)
        if (program_operand(l->group->program->text, insn->src + n)->ref == o->ref && l->here->shorts[n] >> c & 1)
            return true;
    return false;
}

/* Whether the compiler sees what component c of a variable was copied from, all the way into the subroutine. */
static bool sees_copy(const struct slow_lane *l, const struct operand *o, unsigned c, const struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    const struct insn *insn = program_insn(p->text, l->here->insn);
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        for (unsigned k = 0; k < 4; k++) {
            const struct operand *read = program_operand(p->text, insn->src + n);
            if (read->ref == o->ref && (read->swizzle >> 2 * k & 3u) == c && v->wrote && l->here->seen[n][k] == v->wrote)
                return true;
        }
    return false;
}

static void leave(struct slow_value *v, unsigned met)
{
    if (met & SHORT_HALF)
        v->bits = soft_widened(soft_narrowed(v->bits));
    if (met & SHORT_UPPER)
        v->word_open = true;
}

void slow_leave_shorts(struct slow_lane *l)
{
    const struct slow_program *p = l->group->program;
    for (uint32_t i = 0; l->here && i < p->text->symbols.count; i++) {
        for (unsigned c = 0; slow_is_short(p, OPND_SYMBOL, i) && c < 4; c++) {
            struct slow_value *v = &l->registers[p->first[i]][c];
            if (v->wrote)
                leave(v, slow_short_met_within(l, v, i, c));
        }
    }
}

/* Whether another block copied there what is a half here. */
static bool is_cut(const struct slow_lane *l, const struct operand *o, unsigned c)
{
    const struct slow_program *p = l->group->program;
    const struct insn *insn = program_insn(p->text, l->here->insn);
    for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
        if (program_operand(p->text, insn->src + n)->ref == o->ref && l->here->cut[n] >> c & 1)
            return true;
    return false;
}

/* What is read where flow, or a call, stands between it and what wrote it: where ways meet, the half. */
static void read_over_flow(const struct slow_lane *l, const struct operand *o, unsigned c, bool word, struct slow_value *v)
{
    const struct slow_program *p = l->group->program;
    bool outside = slow_came_in(l, v);
    unsigned met = outside ? slow_short_met_outside(l, v, o->ref, c) : slow_short_met(l, v, o->ref, c);
    leave(v, met);
    if (!word && is_cut(l, o, c))
        v->bits = soft_widened(soft_narrowed(v->bits));
    if (!(met & SHORT_HALF) && l->calls && (outside || !slow_short_is_own(l, o->ref, c)) && !word && takes_copies(p, o->ref) && !sees_copy(l, o, c, v))
        v->bits = soft_widened(soft_narrowed(v->bits));
}

/* What converts the register's half, or is left to run time. */
static bool takes_half(const struct insn *insn)
{
    bool converts = insn->op == OP_ROUND || insn->op == OP_TRUNC || ((insn->op == OP_FLR || insn->op == OP_CEIL) && !slow_is_float(slow_result_type(insn)));
    return converts || insn->flags & INSN_PREC;
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
        v->open = v->word_open && !is_known_word(l, o, c);
    } else if (form.op == OP_CVT) {
        v->bits = soft_narrowed(v->bits);
    } else if (takes_half(&form)) {
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
           (insn->op != OP_CVT && insn->op != OP_MOV && !op_votes(insn->op) && (insn->type == DT_F16 || insn->flags & INSN_HALF));
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
    unsigned kind = slow_kind_into_short(p, insn, l->here);
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
        to->word_open = to->open || !clears_upper(insn, l->here->upper & ~l->here->known_short & 1u << c);
        if (to->under_test)
            to->bits = soft_widened(to->word);
    }
    slow_view_short(l, insn, c, slow_moves_short(p, insn), kind & WORD, kind == COPY, to);
    return true;
}
