/* Where the values of operands come from, and which of two comes first (order.c). */
#include "eval/order.h"

struct rank {
    uint8_t from;
    int64_t at;
};

struct origin eval_order_of(const struct walk *w, const struct operand *o, unsigned c)
{
    uint32_t slot = eval_order_slot(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);

    struct origin from = slot == NO_INDEX ? eval_order_unknown : eval_order_get(&w->now, slot);

    from.part = slot == NO_INDEX ? w->part : from.part; /* no caller's, as what is not known is */
    return from;
}

/* A copy of a load is that load as far as its block goes. */
static bool is_webbed(const struct walk *w, const struct origin *o)
{
    uint32_t of = o->own != NO_INDEX && o->from == FROM_LOADED && w->block_of[o->own / 4] == w->block ? o->at : o->own;

    return of != NO_INDEX && w->webbed[of / 4] >> of % 4 & 1;
}

int64_t eval_order_time(uint32_t i, bool is_result, unsigned place)
{
    return 32 * (int64_t)i + (is_result ? 16 : 0) + place;
}

/* When a component was made, or the register of 32 bits that it was copied from became a double. */
static int64_t time_of(const struct walk *w, uint32_t at)
{
    return w->made_at[at] ? w->made_at[at] : eval_order_time(at / 4, true, at % 4);
}

enum turn { SEVERAL, LOAD };

/* Where a value stands among the loads: behind those of straight-line code before it, what has several values before the others. */
static struct rank among_loads(const struct walk *w, uint32_t at, enum turn turn)
{
    return (struct rank){FROM_LOADED, (int64_t)w->stretch_of[at / 4] << 34 | (int64_t)turn << 32 | at};
}

/* What ways lead to with different values stands where its first one does; where it meets others again, as a result, where that was made before
 * copies; where a call has left one in the place of another, behind all others. */
static struct rank rank_of_several(const struct walk *w, uint32_t i, const struct origin *from)
{
    uint32_t first = from->several ? from->own : from->at;

    if (from->called && w->live->region[first / 4] == w->live->region[i])
        return (struct rank){FROM_RESULT, INT64_MAX - 1 - first};
    if (eval_order_is_again(w, from) || w->live->region[first / 4] != w->live->region[i])
        return (struct rank){FROM_RESULT, -time_of(w, from->at)};
    return among_loads(w, first, SEVERAL);
}

/* What a call has left stands behind all other results, higher components first; what it has made of what stood there before them, and behind loads. */
static struct rank rank_of_called(const struct origin *from)
{
    return from->changed ? (struct rank){FROM_DIVIDED, INT64_MAX - from->own} : (struct rank){FROM_RESULT, INT64_MAX - 1 - from->own};
}

/* What the last load of a block made is still as it was loaded, as far as the block goes. */
static bool is_last_load(const struct walk *w, const struct origin *from)
{
    return from->from == FROM_LOADED && from->own == from->at && from->own / 4 == w->last_load;
}

/* A result of integers of 64 bits that meets others is one register where its block ends: operations on it in other blocks take that. The last load of a block
 * is one there for all of them. */
bool eval_order_is_left(const struct walk *w, const struct origin *from)
{
    uint32_t i = from->own / 4, bit = 1u << from->own % 4;
    bool meets = (w->webbed[i] | w->halved[i]) & bit && !(w->keeps_loads && from->from == FROM_LOADED);

    return meets && w->block_of[i] != w->block && from->own == from->at && (from->from == FROM_LOADED ? w->ends_loads[i] : from->from == FROM_RESULT);
}

/* Whether a load stays one where it meets others, but not what a loop's rounds bring. */
static bool stays_load(const struct walk *w, const struct origin *from)
{
    return w->keeps_loads && from->from == FROM_LOADED && !(w->brought[from->own / 4] >> from->own % 4 & 1);
}

/* A load, or what integers of 64 bits or a test leave, is two registers where it is made, read and met in halves at least as often as as a whole, and
 * becomes one here. */
static bool is_in_halves(const struct walk *w, const struct origin *from)
{
    const struct halving *r = &w->reads_before[from->at];
    uint32_t i = from->at / 4, bit = 1u << from->at % 4;
    bool meets = from->own == from->at && !is_last_load(w, from);
    struct halving made = {0, 0};

    if (from->turned || eval_order_is_left(w, from))
        return false;
    if (from->from != FROM_LOADED && (from->from != FROM_RESULT || !eval_order_made(w, from->at, &made)))
        return false;
    made.halves += r->halves + (meets && w->halved[i] & bit);
    made.whole += r->whole + (meets && w->met_whole[i] & bit);
    return made.halves && made.halves >= made.whole;
}

/* What an earlier phase of a loop leaves where nobody reads the variable behind the loop, or where the phase is computed without a jump. */
static bool is_left_by_phase(const struct walk *w, const struct origin *from, uint32_t slot)
{
    const struct surrounding *f = eval_order_loop(w);

    if (!f || eval_form(w->d, f->begin) != FORM_PHASED || from->own / 4 < f->begin || from->own / 4 > f->phase)
        return false;
    return f->small[f->phases] || (f->phases == PHASES - 1 && !eval_order_wanted(w, program_insn(w->d->p, f->begin)->partner + 1, slot));
}

/* What a round of a loop leaves is held where the first of the values stood that it replaces: outside of its own block it stands there. */
static bool is_in_place(const struct walk *w, const struct origin *from, uint32_t slot)
{
    return w->replaces[from->own] != NO_INDEX && w->block_of[from->own / 4] != w->block && !is_left_by_phase(w, from, slot);
}

static bool is_root(const struct insn *insn)
{
    return insn->op == OP_RSQ && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition);
}

/* Whether a loop has phases of four rounds, two and one. */
static bool has_phases(const struct walk *w, uint32_t rep)
{
    const struct folded *folded = eval_folded_at(w->d, rep);

    return program_insn(w->d->p, rep)->nsrc && eval_form(w->d, rep) == FORM_PHASED && folded && folded->word[0] == 4 && folded->word[1] == 2;
}

/* What its rounds bring. */
static bool is_brought(const struct surrounding *f, const struct origin *from)
{
    return from->several && from->met == MEETINGS * f->begin + AT;
}

/* The loop whose first phase is at hand, which is a loop itself. Not in programs that load from one address twice. */
static const struct surrounding *first_phase(const struct walk *w)
{
    const struct surrounding *f = eval_order_loop(w);

    if (!f || f->phases || w->loads_again || !has_phases(w, f->begin))
        return NULL;
    return f;
}

/* The last component that DIV.F64 computes. */
static bool is_last_quotient(const struct walk *w, uint32_t at)
{
    const struct insn *insn = program_insn(w->d->p, at / 4);

    return insn->op == OP_DIV && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition) &&
           !((insn->dst.mask & w->live->useful[at / 4]) >> at % 4 >> 1);
}

static struct rank rank_of(struct walk *w, uint32_t i, const struct operand *o, unsigned k, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    struct origin from = eval_order_of(w, o, c);
    bool webbed = is_webbed(w, &from) && !is_last_load(w, &from) && !stays_load(w, &from);

    if (o->kind == OPND_CONSTANT || (folded && folded->narrow[k] >> c & 1))
        return (struct rank){FROM_CONSTANT, k};
    if (eval_order_is_copied(w, i, o, c))
        return (struct rank){FROM_COPIED, -eval_order_time(i, false, 4 * k + (o->swizzle >> 2 * c & 3))};
    if (from.at == NO_INDEX || !eval_order_is_wide(w, o))
        return (struct rank){FROM_RESULT, -eval_order_widened(w, i, o, k, c)};
    if (from.several || from.copied)
        return rank_of_several(w, i, &from);
    if (from.called && from.own == from.at && from.part == w->part && !webbed)
        return rank_of_called(&from);
    if (webbed && from.other_side)
        return (struct rank){FROM_OTHER_SIDE, -(int64_t)from.own};
    switch (from.from) {
    case FROM_CONSTANT: return (struct rank){FROM_CONSTANT, k};
    case FROM_BUFFER: return (struct rank){FROM_BUFFER, 1 - (int)k};
    default:
        if (is_in_halves(w, &from))
            return (struct rank){FROM_HALVES, -eval_order_time(i, false, 4 * k + (o->swizzle >> 2 * c & 3))};
        if (is_in_place(w, &from, eval_order_slot(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3)))
            return (struct rank){FROM_RESULT, -time_of(w, w->replaces[from.own])};
        webbed |= from.own == from.at && w->halved[from.at / 4] >> from.at % 4 & 1 && !is_last_load(w, &from);
        if (from.from == FROM_LOADED && !webbed)
            return from.at == w->first[from.at % 4] ? (struct rank){FROM_FIRST_LOAD, from.at % 4} : among_loads(w, from.at, LOAD);
        if (from.own == from.at && is_last_quotient(w, from.at) && eval_order_is_wide(w, program_operand(w->d->p, program_insn(w->d->p, i)->src + !k)) && eval_order_ends_here(w, i, from.at))
            return (struct rank){FROM_HALVES, -eval_order_time(i, false, 4 * k + (o->swizzle >> 2 * c & 3))};
        if (from.own == from.at && is_root(program_insn(w->d->p, from.at / 4)))
            return (struct rank){FROM_ROOT, from.at};
        if (from.own == from.at && eval_order_divides(program_insn(w->d->p, from.at / 4)))
            return (struct rank){FROM_DIVIDED, from.at};
        return (struct rank){FROM_RESULT, -(eval_order_outlives(w, i, from.at) ? eval_order_time(from.at / 4, false, from.at % 4) : time_of(w, from.at))};
    }
}

static bool before(const struct rank *a, const struct rank *b)
{
    return a->from != b->from ? a->from < b->from : a->at < b->at;
}

/* The factor of a MAD that is known to be 1 or -1, or -1: it is a sum, which takes the other factor or the addend
 * first. */
static int factor_of_one(const struct folded *folded, const struct insn *insn, unsigned c)
{
    for (int k = 0; insn->op == OP_MAD && folded && k < 2; k++)
        if ((folded->ones[k] | folded->narrow_one[k]) >> c & 1)
            return k;
    return -1;
}

/* Whether several values met before a subroutine that calls bring several of, or are of a variable that subroutines write. */
static bool is_changed(const struct walk *w, const struct origin *from)
{
    return from->met != NO_INDEX && (from->met % MEETINGS == BEHIND_CALLS || shared_map_at(&w->in_sub, from->slot));
}

/* Whether a caller made it, and nothing in this subroutine meets it. */
static bool is_outer(const struct walk *w, const struct operand *o, unsigned c)
{
    struct origin from = eval_order_of(w, o, c);

    if (!eval_order_is_wide(w, o) || w->in_main || from.part == w->part)
        return false;
    return from.several || from.copied ? !is_changed(w, &from) : !is_webbed(w, &from) || stays_load(w, &from);
}

/* An operation that reads such a value, and nothing known, nor two registers, stays as it is written, its second operand first. */
static bool is_as_written(const struct walk *w, const struct folded *folded, const struct operand *o, unsigned nsrc, unsigned c, const struct rank *r)
{
    bool known = r[0].from == FROM_HALVES || r[1].from == FROM_HALVES || o[0].kind == OPND_CONSTANT || o[1].kind == OPND_CONSTANT || (folded && (folded->narrow[0] | folded->narrow[1]) >> c & 1);

    for (unsigned k = 0; !known && k < nsrc; k++)
        if (is_outer(w, o + k, c))
            return true;
    return false;
}

/* In a small phase: whether operand k becomes a double there and the other one was loaded in front of the loop, or it is carried
 * from round to round. */
static bool comes_first_again(const struct walk *w, const struct operand *o, unsigned k, unsigned c, const struct rank *r)
{
    uint32_t rep = eval_order_small_loop(w), slot[2];
    struct origin from;

    if (rep == NO_INDEX || o[0].kind == OPND_CONSTANT || o[1].kind == OPND_CONSTANT || r[k].from == FROM_CONSTANT || r[1 - k].from == FROM_CONSTANT)
        return false;
    for (unsigned n = 0; n < 2; n++)
        slot[n] = eval_order_slot(w, o[n].kind, o[n].ref, o[n].nindices != 0, o[n].swizzle >> 2 * c & 3);
    from = eval_order_of(w, o + 1 - k, c);
    return (eval_order_is_carried(w, slot[k]) && !eval_order_is_carried(w, slot[1 - k])) ||
           (!eval_order_is_wide(w, o + k) && (r[1 - k].from == FROM_FIRST_LOAD || r[1 - k].from == FROM_LOADED) && !from.several && !from.copied && from.at / 4 < rep);
}

/* In the first phase of a loop: whether operand k is a register, which becomes a double there, and the other one what rounds bring, or whether it is made in the
 * loop and the other one a parameter, which is a double before that. */
static bool comes_first_in_loop(const struct walk *w, const struct operand *o, unsigned k, unsigned c, const struct rank *r)
{
    const struct surrounding *f = first_phase(w);
    struct origin mine = eval_order_of(w, o + k, c), other = eval_order_of(w, o + 1 - k, c);

    if (!f || o[0].kind == OPND_CONSTANT || o[1].kind == OPND_CONSTANT || r[0].from == FROM_CONSTANT || r[1].from == FROM_CONSTANT)
        return false;
    if (eval_order_is_parameter(w, o + 1 - k))
        return mine.at != NO_INDEX && (is_brought(f, &mine) || mine.own / 4 > f->begin);
    return !eval_order_is_wide(w, o + k) && !eval_order_is_parameter(w, o + k) && is_brought(f, &other);
}

static bool swaps(const struct walk *w, const struct folded *folded, const struct operand *o, unsigned nsrc, unsigned c, const struct rank *r, int one)
{
    for (unsigned k = 0; one < 0 && k < 2; k++)
        if (comes_first_again(w, o, k, c, r) || comes_first_in_loop(w, o, k, c, r))
            return k == 1;
    if (one >= 0)
        return before(&r[1 - one], &r[2]) == (one == 0);
    return is_as_written(w, folded, o, nsrc, c, r) || before(&r[1], &r[0]);
}

void eval_order_find(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct operand *o = program_operand(w->d->p, insn->src);
    const struct folded *folded = eval_folded_at(w->d, i);

    w->order[i] = 0;
    eval_order_widen(w, i, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct rank r[3];
        int one = factor_of_one(folded, insn, c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            r[k] = folded && k < 2 && (folded->nothing[k] | folded->narrow_zero[k]) >> c & 1 ? (struct rank){FROM_RESULT, INT64_MAX} : rank_of(w, i, o + k, k, c);
        if (swaps(w, folded, o, insn->nsrc, c, r, one))
            w->order[i] |= (uint8_t)(1u << c);
    }
}
