/* What an instruction writes: where that comes from, and which branches go by it (order.c). */
#include "eval/order.h"

bool eval_order_copies(const struct walk *w, const struct insn *insn)
{
    const struct operand *a = program_operand(w->d->p, insn->src);
    bool is_signed = eval_order_has_sign(insn, a);

    if (insn->flags & (INSN_SAT | INSN_SSAT) || type_table[insn->type].bytes != 8 || !insn->nsrc || !eval_order_is_wide(w, a))
        return false;
    switch (insn->op) {
    case OP_MOV: return insn->type == DT_F64 || !is_signed;
    case OP_ABS: return insn->type == DT_F64;
    default: return false;
    }
}

/* The operand that the compiler knows component c to come from, or -1. It does not see it of MIN, MAX and products under .PREC. */
int eval_order_taken(const struct folded *folded, const struct insn *insn, unsigned c)
{
    bool computes = insn->flags & INSN_PREC && (insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_MUL);

    for (int k = 0; folded && !computes && k < 3; k++)
        if (folded->taken[k] >> c & 1)
            return k;
    if (insn->op == OP_CMP && insn->type == DT_U64)      /* nothing is below 0 */
        return 2;
    for (int k = 0; folded && !computes && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && k < 2; k++)
        if (folded->ones[k] >> c & 1)
            return 1 - k;
    return -1;
}

bool eval_order_adds_nothing(const struct walk *w, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(w->d->p, insn->src);

    for (unsigned k = 0; insn->op == OP_ADD && k < 2; k++)
        if (o[k].kind == OPND_CONSTANT && !eval_literal_word(program_constant(w->d->p, o[k].ref), o[k].swizzle >> 2 * c & 3, insn->type))
            return true;
    return false;
}

/* 0 less a register of 32 bits: two registers, whoever reads it. */
bool eval_order_negates_single(const struct walk *w, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(w->d->p, insn->src), *of = insn->op == OP_SUB ? o + 1 : o;
    bool from_zero = insn->op == OP_SUB && o->kind == OPND_CONSTANT && !eval_literal_word(program_constant(w->d->p, o->ref), o->swizzle >> 2 * c & 3, insn->type);

    return eval_order_in_halves(w->d->p, insn) && (from_zero || (insn->op == OP_MOV && operand_negates(o))) && of->kind == OPND_SYMBOL &&
           program_symbol(w->d->p, of->ref)->kind == SYM_TEMP && !eval_order_is_wide(w, of);
}

/* NOT of 64 bits of a literal, a parameter, or a register of 32 bits that is known, is known. */
static bool is_known_not(const struct walk *w, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(w->d->p, i);
    const struct operand *o = program_operand(w->d->p, insn->src);
    const struct folded *folded = eval_folded_at(w->d, i);

    return insn->op == OP_NOT && eval_order_in_halves(w->d->p, insn) &&
           (o->kind == OPND_CONSTANT || (o->kind == OPND_SYMBOL && program_symbol(w->d->p, o->ref)->kind == SYM_PARAM) || (folded && folded->narrow[0] >> c & 1));
}

static struct origin made(const struct walk *w, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    struct origin o = {.at = 4 * i + c, .own = 4 * i + c, .alone = eval_order_in_halves(w->d->p, insn) && !eval_order_adds_nothing(w, insn, c) ? NO_INDEX : MANY, .met = NO_INDEX, .slot = NO_INDEX,
                       .part = w->part, .from = FROM_RESULT};
    int taken = eval_order_taken(folded, insn, c);

    if (condition_restricts(&insn->dst.condition) && !(folded && folded->passes >> c & 1)) {
        o.alone = !type_table[insn->type].is_float && eval_order_chooses(w, i, c) ? NO_INDEX : o.alone;
        return o;
    }
    if ((folded && folded->known >> c & 1) || (insn->op == OP_STR && type_table[insn->type].bytes == 8) || is_known_not(w, i, c)) {
        o.from = FROM_CONSTANT;
    } else if (insn->op == OP_LDB || insn->op == OP_LOAD) {
        o.from = FROM_LOADED;
        o.alone = o.own;
    } else if (insn->op == OP_LDC && (eval_loads_given(w->d->p, insn) || (folded && folded->placed))) {
        o.from = FROM_BUFFER;
    } else if (taken >= 0 || eval_order_copies(w, insn)) {
        const struct operand *a = program_operand(w->d->p, insn->src + (taken >= 0 ? (uint32_t)taken : 0));
        struct origin from = eval_order_is_wide(w, a) ? eval_order_of(w, a, c) : eval_order_unknown;
        if (from.at == NO_INDEX)
            return o;
        if (from.several)
            from.at = from.own;
        from.copied |= from.several;
        from.turned |= insn->op == OP_CVT || (insn->type == DT_F64 && (insn->op == OP_ABS || a->flags & OPND_SIGNS));
        from.several = false;
        from.other_side = false;
        from.own = o.own;
        from.alone = o.alone;
        return from;
    } else if (insn->op == OP_PK64 && c > 1 && insn->dst.mask >> (c - 2) & 1) {
        o.at = 4 * i + c - 2;           /* z and w are the values of x and y */
    }
    return o;
}

/* Nothing was carried for the test of component c to look at. */
static bool is_settled(const struct folded *folded, const struct insn *insn, unsigned c)
{
    return eval_looks_at_carry(insn->dst.condition.rule) && folded && folded->settled >> c & 1;
}

/* A branch goes by a result of 64 bits that is tested and sets flags. `settled`: nothing was carried for the test to look at. */
static bool is_branch(const struct folded *folded, const struct insn *insn, unsigned c)
{
    uint8_t rule = insn->dst.condition.rule;
    bool is_never = is_settled(folded, insn, c) && (rule == CC_CF || rule == CC_OF || rule == CC_AB);

    return insn->cc_update && condition_restricts(&insn->dst.condition) && !is_never &&
           !(insn->flags & INSN_SSAT);
}

bool eval_order_chooses(const struct walk *w, uint32_t i, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    const struct insn *insn = program_insn(w->d->p, i);

    return condition_restricts(&insn->dst.condition) && !((folded ? folded->passes | folded->fails : 0) >> c & 1) && !is_branch(folded, insn, c);
}

static bool is_in_loop(const struct walk *w)
{
    for (size_t i = 0; i < w->around.count; i++)
        if (((const struct surrounding *)vec_at(&w->around, i))->loop)
            return true;
    return false;
}

static bool reads_itself(const struct walk *w, const struct insn *insn)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        if (o->kind == insn->dst.kind && o->ref == insn->dst.ref)
            return true;
    }
    return false;
}

/* Where a test is known to pass there is no branch for a number, nor for the first component that is written if the variable is not read there. */
static bool is_plain(const struct walk *w, const struct folded *folded, const struct insn *insn, unsigned c)
{
    bool first = !(insn->dst.mask & ((1u << c) - 1)) && !reads_itself(w, insn), number = insn->op == OP_MOV && program_operand(w->d->p, insn->src)->kind == OPND_CONSTANT;

    return folded && folded->passes >> c & 1 && (first || number || folded->known >> c & 1);
}

/* A component is written: where a branch goes by that, it meets what stood there, if anybody reads it. */
static void put(struct walk *w, uint32_t i, const struct insn *insn, unsigned c, struct origin fresh)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    uint32_t slot = w->slot[insn->dst.ref] + c;
    struct origin now = eval_order_get(&w->now, slot);

    if (is_branch(folded, insn, c)) {
        if (w->live->useful[i] >> c & 1 && now.own != NO_INDEX && now.own != fresh.own && !is_plain(w, folded, insn, c))
            eval_order_web_both(w, &now, &fresh);
        if (!is_settled(folded, insn, c) && !(folded && folded->passes >> c & 1)) {
            w->meeting = MEETINGS * i + AT;
            eval_order_meet(w, &now, &fresh, slot, false);
            fresh = now;
        }
    } else if (w->live->useful[i] >> c & 1 && !is_in_loop(w) && eval_order_chooses(w, i, c)) {
        eval_order_count_choice(w, &now);
        w->chosen[i] |= (uint8_t)((now.part == w->part) << c);
        w->halves |= now.part == w->part;
    }
    eval_order_put(w, slot, &fresh);
}

static void note_last_load(struct walk *w, uint32_t i)
{
    if (w->last_load != NO_INDEX)
        w->ends_loads[w->last_load] = 0;
    w->ends_loads[i] = 1;
    w->last_load = i;
}

void eval_order_step(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct folded *folded = eval_folded_at(w->d, i);
    uint8_t read = w->live->passing ? w->live->passing[i] : w->live->useful[i];     /* what a test that is known to pass writes over is not */
    struct origin fresh[4];

    if (!w->dead && !w->keeps_loads && w->live->useful[i] && eval_order_divides(insn) && !op_is_atomic(insn->op))
        w->keeps_loads = w->learnt = true;
    eval_order_lead(w, i, insn);
    eval_order_count_reads(w, i, insn);
    if (((insn->op == OP_LDB || insn->op == OP_LOAD) && w->live->useful[i]) || op_is_atomic(insn->op))
        note_last_load(w, i);
    if (eval_is_ordered(insn))
        eval_order_find(w, i, insn);
    eval_order_note_widened(w, i, insn);
    eval_order_write_singles(w, i, insn);
    if (r->kind != OPND_SYMBOL || w->slot[r->ref] == NO_INDEX || r->nindices)
        return;
    for (unsigned c = 0; c < 4; c++)
        fresh[c] = made(w, i, insn, c);
    for (unsigned c = 0; c < 4; c++) {
        if (!(eval_written(w->live, insn) >> c & 1) || (folded && folded->fails >> c & 1))
            continue;
        put(w, i, insn, c, fresh[c]);
        if (fresh[c].from == FROM_LOADED && fresh[c].at == fresh[c].own && w->first[c] == NO_INDEX && read >> c & 1)
            w->first[c] = fresh[c].at;
    }
}
