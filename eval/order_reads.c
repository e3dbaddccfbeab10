/* Who reads values as a whole, who in halves, and what subroutines read (order.c). */
#include "eval/order.h"

bool eval_order_in_halves(const struct gp5_program *p, const struct insn *insn)
{
    if (insn->type != DT_S64 && insn->type != DT_U64)
        return false;
    switch (insn->op) {
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_SAD: case OP_DIV: case OP_MOD:
    case OP_MIN: case OP_MAX: case OP_CMP: case OP_ABS: case OP_SHL: case OP_SHR:
        return true;
    case OP_MOV: return eval_order_has_sign(insn, program_operand(p, insn->src));
    default: return false;
    }
}

/* ---- as a whole, in halves --------------------------------------------------------------------------------------------------- */

static const struct halving nothing = {0, 0}, once_whole = {1, 0}, once_halves = {0, 1}, twice_whole = {2, 0}, twice_halves = {0, 2};

static struct halving reads_converted(const struct insn *insn)
{
    const struct type_info *from = &type_table[insn->type2], *to = &type_table[insn->type];

    if (from->is_float || (from->bytes == 8 && to->is_float))
        return once_whole;
    return from->bytes == 8 && to->bytes == 8 ? nothing : once_halves;
}

static struct halving reads_doubles(const struct insn *insn, unsigned k)
{
    switch (insn->op) {
    case OP_CMP: return k ? once_halves : once_whole;
    case OP_FRC: case OP_SSG: return twice_whole;
    case OP_RCP: case OP_DIV: return nothing;
    default: return once_whole;
    }
}

static struct halving reads_integers(const struct walk *w, const struct insn *insn, unsigned k)
{
    switch (insn->op) {
    case OP_DIV: case OP_MOD: return twice_halves;
    case OP_CMP: return k ? once_halves : nothing;
    default: return eval_order_in_halves(w->d->p, insn) || op_compares(insn->op) ? once_halves : once_whole;
    }
}

/* How operand k reads its components. */
static struct halving read_by(const struct walk *w, const struct insn *insn, unsigned k)
{
    const struct operand *a = program_operand(w->d->p, insn->src);
    bool into_long = program_is_long(w->d->p, insn->dst.kind, insn->dst.ref);

    if (insn->op == OP_CVT)
        return reads_converted(insn);
    if (insn->op == OP_UP64 || (eval_order_copies(w, insn) && into_long && insn->op != OP_ABS && !eval_order_has_sign(insn, a)))
        return nothing;
    if (insn->op == OP_MOV && !type_table[insn->type].is_float)
        return once_halves;
    if (type_table[insn->type].bytes < 8)
        return type_table[insn->type].is_float ? once_whole : once_halves;
    return type_table[insn->type].is_float ? reads_doubles(insn, k) : reads_integers(w, insn, k);
}

static void add(struct walk *w, const struct origin *from, struct halving how)
{
    if (from->at == NO_INDEX || from->several || from->copied || from->turned || eval_order_is_left(w, from))
        return;
    w->reads_of[from->at].whole += how.whole;
    w->reads_of[from->at].halves += how.halves;
    w->halves |= how.halves != 0;
}

static void count_read(struct walk *w, const struct operand *o, uint8_t components, struct halving how)
{
    for (unsigned c = 0; c < 4; c++) {
        struct origin from = components >> c & 1 ? eval_order_of(w, o, c) : eval_order_unknown;
        add(w, &from, how);
    }
}

void eval_order_count_choice(struct walk *w, const struct origin *now)
{
    add(w, now, once_halves);
}

/* MIN and MAX of integers of 64 bits of one operand. */
static bool takes_same(const struct walk *w, const struct insn *insn)
{
    const struct operand *o = program_operand(w->d->p, insn->src);
    bool wide = insn->type == DT_S64 || insn->type == DT_U64;

    return wide && (insn->op == OP_MIN || insn->op == OP_MAX) && o[0].kind == OPND_SYMBOL && o[1].kind == OPND_SYMBOL && o[0].ref == o[1].ref && !o[0].nindices && !o[1].nindices &&
           o[0].swizzle == o[1].swizzle && o[0].flags == o[1].flags;
}

/* How a copy of 64 bits reads what it copies: a register of 32 bits takes one of the two; CMP.U64 is no copy yet where that counts. */
static struct halving copied_by(const struct walk *w, const struct insn *insn)
{
    bool narrows = (insn->type == DT_S64 || insn->type == DT_U64) && !program_is_long(w->d->p, insn->dst.kind, insn->dst.ref);

    return narrows || (insn->op == OP_CMP && insn->type == DT_U64) ? once_halves : nothing;
}

/* A sum with 0. */
static struct halving added_by(const struct walk *w, const struct insn *insn)
{
    return program_is_long(w->d->p, insn->dst.kind, insn->dst.ref) ? once_whole : once_halves;
}

/* Integers of 32 bits take a register of the pair once for all components; comparisons that the compiler knows, and copies, read nothing. */
static void count_operand(struct walk *w, uint32_t i, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(w->d->p, insn->src + k);
    const struct folded *folded = eval_folded_at(w->d, i);
    uint8_t useful = eval_order_settled(w, i) & (uint8_t)~eval_known_numbers(w->d, i), all = 0;
    bool narrow = type_table[insn->type].bytes < 8 && !type_table[insn->type].is_float;

    for (unsigned c = 0; c < 4; c++) {
        uint8_t components = useful >> c & 1 ? eval_component_reads(insn->op, k, c) : 0;
        int copies = eval_order_taken(folded, insn, c);
        if (copies >= 0 || takes_same(w, insn)) {
            count_read(w, o, copies == (int)k || (copies < 0 && !k) ? components : 0, copied_by(w, insn));
            continue;
        }
        if (!narrow)
            count_read(w, o, components, eval_order_adds_nothing(w, insn, c) ? added_by(w, insn) : read_by(w, insn, k));
        all |= components;
    }
    for (unsigned c = 0; narrow && c < 4; c++)
        for (unsigned lower = 0; lower < c; lower++)
            if ((o->swizzle >> 2 * c & 3) == (o->swizzle >> 2 * lower & 3) && all >> lower & 1)
                all &= (uint8_t)~(1u << c);
    if (narrow)
        count_read(w, o, all, read_by(w, insn, k));
}

/* A parameter that becomes an integer of 64 bits is made in halves. */
static bool extends_parameter(const struct walk *w, const struct insn *insn)
{
    const struct operand *o = program_operand(w->d->p, insn->src);

    return insn->op == OP_MOV && insn->type == DT_S64 && !operand_has_sign(o) && o->kind == OPND_SYMBOL && program_symbol(w->d->p, o->ref)->kind == SYM_PARAM;
}

/* ABS and CVT of integers of 64 bits: two registers, whoever reads them. */
static bool turns_words(const struct insn *insn)
{
    bool integers = (insn->type == DT_S64 || insn->type == DT_U64) && (insn->type2 == DT_S64 || insn->type2 == DT_U64);

    return integers && ((insn->op == OP_ABS && insn->type == DT_S64) || insn->op == OP_CVT);
}

bool eval_order_made(const struct walk *w, uint32_t at, struct halving *made)
{
    const struct insn *insn = program_insn(w->d->p, at / 4);

    *made = nothing;
    if (w->chosen[at / 4] >> at % 4 & 1 || (insn->op == OP_CMP && insn->type == DT_F64) || extends_parameter(w, insn)) {
        *made = once_halves;
        return true;
    }
    if (insn->op == OP_PK64 || (op_compares(insn->op) && insn->type != DT_F64 && type_table[insn->type].bytes == 8)) {
        *made = once_whole;
        return true;
    }
    if (eval_order_in_halves(w->d->p, insn) && insn->op != OP_DIV && insn->op != OP_MOD)
        *made = once_halves;
    if (eval_order_negates_single(w, insn, at % 4) || turns_words(insn)) {
        made->halves = UINT16_MAX;
        return true;
    }
    return eval_order_in_halves(w->d->p, insn) && !eval_order_adds_nothing(w, insn, at % 4);
}

/* A value is made in halves: that counts where nobody reads it so, too. */
static void note_made(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct halving made;

    for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++)
        w->halves |= insn->dst.mask >> c & 1 && eval_order_made(w, 4 * i + c, &made) && made.halves;
}

void eval_order_count_reads(struct walk *w, uint32_t i, const struct insn *insn)
{
    uint8_t useful = eval_order_settled(w, i), moved = insn->width ? (uint8_t)((1u << insn->width) - 1) : 15;
    bool once = insn->dst.kind == OPND_NONE || useful & LIVE_EFFECT;

    note_made(w, i, insn);
    for (unsigned k = 0; !w->dead && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        if (once)
            count_read(w, o, moved, read_by(w, insn, k));
        else
            count_operand(w, i, insn, k);
    }
}

/* ---- subroutines ------------------------------------------------------------------------------------------------------------ */

static void read_of(const struct walk *w, const struct insn *insn, struct part_reads *r)
{
    r->any |= insn->op == OP_CAL || insn->op == OP_CALI;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        uint8_t components = insn->dst.kind == OPND_NONE ? 15 : 0;
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1)
                components |= eval_component_reads(insn->op, k, c);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t slot = components >> c & 1 ? eval_order_slot(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
            if (slot != NO_INDEX)
                shared_bits_add(&r->of, slot);
        }
    }
}

bool eval_order_part_reads(struct walk *w, uint32_t label, uint32_t slot)
{
    struct part_reads *r = w->reads[label];
    uint32_t n = (uint32_t)w->d->p->insns.count;

    if (!r) {
        r = w->reads[label] = gp5_malloc(sizeof *r);
        w->failed |= !r;
        if (!r)
            return true;
        *r = (struct part_reads){.of = shared_bits_none(w->live->nvars)};
        for (uint32_t i = label; i < n && (i == label || !w->live->label[i]); i++)
            read_of(w, program_insn(w->d->p, i), r);
        w->failed |= r->of.failed;
    }
    return r->any || shared_bits_has(&r->of, slot);
}

void eval_order_free_reads(struct walk *w)
{
    for (uint32_t i = 0; w->reads && i < w->d->p->insns.count; i++) {
        if (w->reads[i])
            shared_bits_free(&w->reads[i]->of);
        gp5_free(w->reads[i]);
    }
    gp5_free(w->reads);
    gp5_free(w->reads_of);
    gp5_free(w->reads_before);
}
