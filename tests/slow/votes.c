/* Votes of floats on what logic makes of truths: -1 counts there too where votes alone read it (docs/semantics.md, "Ballots, votes and match"). */
#include "tests/slow/leaving.h"

#include <stdlib.h>

enum { ANY = 9 };               /* operand */

static const struct insn *at(const struct slow_reach *r, uint32_t place)
{
    return program_insn(r->p->text, r->plan->place[place].insn);
}

static bool votes(const struct insn *insn)
{
    return insn->type == DT_F32 && op_votes(insn->op);
}

static bool indexes(const struct slow_reach *r, uint32_t first, unsigned n, uint32_t v)
{
    bool any = false;
    for (unsigned k = 0; k < n; k++) {
        const struct index *x = program_index(r->p->text, first + k);
        any |= x->mode == INDEX_RELATIVE && slow_variable(r->p, x->register_kind, x->reg, x->element.used, x->component) == v;
    }
    return any;
}

/* The components of operand k: of a store so many as it stores, of an atomic operation one, of a shuffle the first. */
static unsigned taken(const struct slow_reach *r, const struct insn *insn, unsigned k, uint8_t useful)
{
    unsigned components = useful & SLOW_ACTS && insn->dst.kind == OPND_NONE ? 15 : 0;
    bool atomic = insn->op == OP_ATOM || insn->op == OP_ATOMB || insn->op == OP_ATOMS;
    for (unsigned c = 0; c < 4; c++)
        components |= useful >> c & 1 ? slow_made_of(r->p, insn, k, c) : 0;
    if (op_shuffles(insn->op))
        return components ? 1 : 0;
    if (k || insn->type == DT_F16 || insn->atomic == MOD_CSWAP)
        return components;
    return atomic ? 1 : op_stores(insn->op) ? (1u << insn->width) - 1 : components;
}

/* Otherwise than as a vote. */
static bool reads(const struct slow_reach *r, uint32_t place, unsigned by, uint32_t v)
{
    const struct insn *insn = at(r, place);
    uint8_t useful = r->useful[place];
    if (indexes(r, insn->dst.index, insn->dst.nindices, v))
        return true;
    for (unsigned k = 0; useful && !votes(insn) && k < insn->nsrc; k++) {
        if (by != ANY && by != k)
            continue;
        const struct operand *o = program_operand(r->p->text, insn->src + k);
        unsigned components = taken(r, insn, k, useful);
        if (indexes(r, o->index, o->nindices, v))
            return true;
        for (unsigned c = 0; c < 4; c++) {
            if (o->kind == OPND_EXTENDED && slow_variable(r->p, o->base_kind, o->ref, o->nindices != 0, c) == v)
                return true;
            if (components >> c & 1 && o->kind != OPND_EXTENDED &&
                slow_variable(r->p, o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v)
                return true;
        }
    }
    return false;
}

static bool writes(const struct slow_reach *r, uint32_t place, uint32_t v)
{
    const struct result *to = &at(r, place)->dst;
    unsigned written = slow_written(r->p, at(r, place));
    bool any = false;
    for (unsigned c = 0; c < 4 && to->kind == OPND_SYMBOL; c++)
        any |= written >> c & 1 && slow_variable(r->p, to->kind, to->ref, to->nindices != 0, c) == v;
    return any;
}

static bool is_left(unsigned op)
{
    return op == OP_CAL || op == OP_CALI || op == OP_BRK || op == OP_CONT || op == OP_RET;
}

/* A loop that one of the two, or both, are in; those that are copied have several ends. */
static bool is_around(const struct slow_reach *r, uint32_t loop, uint32_t a, uint32_t b)
{
    uint32_t from = r->plan->place[loop].insn, to = at(r, loop)->partner, x = r->plan->place[a].insn, y = r->plan->place[b].insn;
    if (from > to) {
        uint32_t swap = from;
        from = to;
        to = swap;
    }
    return (x > from && x < to) || (y > from && y < to);
}

/* Between what made it and the vote, which stand in the same IFs and loops. */
/* `x`: calls between the two do not count, where no subroutine names the variable; or NULL. */
static bool is_used_before(const struct slow_reach *r, uint32_t from, uint32_t vote, uint32_t v, const struct leaving *x)
{
    int depth = 0;
    bool calls = x && slow_leaving_main(x, from) && slow_leaving_main(x, vote);
    for (uint32_t i = 0; calls && i < r->plan->count; i++)
        calls = slow_leaving_main(x, i) || !(reads(r, i, ANY, v) || writes(r, i, v));
    for (uint32_t i = from + 1; i < vote; i++) {
        const struct slow_place *s = &r->plan->place[i];
        unsigned op = at(r, i)->op;
        bool loop = (op == OP_REP || op == OP_ENDREP) && !s->straight;
        if (s->straight && (op == OP_IF || op == OP_ELSE || op == OP_ENDIF))
            continue;
        if ((is_left(op) && !(calls && (op == OP_CAL || op == OP_CALI))) || slow_begins_part(r->p, r->plan, i) || reads(r, i, ANY, v) || writes(r, i, v))
            return true;
        depth += op == OP_IF ? 1 : op == OP_ENDIF ? -1 : 0;
        if (depth < 0 || (loop && is_around(r, i, from, vote)))
            return true;
    }
    return depth;
}

/* A subroutine that calls none and is called under no test reads it in the vote alone. */
static bool is_used_once(const struct slow_reach *r, uint32_t vote, uint32_t v)
{
    uint32_t i = vote;
    if (vote >= r->entry && vote < r->main_end)
        return false;
    while (i && !slow_is_label(r, i))
        i--;
    for (uint32_t k = 0; k < r->p->text->insns.count; k++) {
        const struct insn *call = program_insn(r->p->text, k);
        if (call->op == OP_CALI || (call->op == OP_CAL && condition_restricts(&call->condition) && call->partner == r->plan->place[i].insn))
            return false;
    }
    do {
        if (op_calls(at(r, i)->op) || (i != vote && reads(r, i, ANY, v)))
            return false;
        i++;
    } while (!slow_is_label(r, i));
    return true;
}

static bool is_used_behind(const struct slow_reach *r, uint32_t vote, uint32_t v, uint64_t *set)
{
    for (uint32_t i = vote;; i++) {
        if (i > vote && reads(r, i, ANY, v))
            return true;
        if (writes(r, i, v))
            return condition_restricts(&at(r, i)->dst.condition);
        if (i + 1 >= r->plan->count || r->leads[i + 1]) {
            bool calls = at(r, i)->op == OP_CAL, wanted;
            slow_live_behind(r, i, set);
            wanted = slow_in_set(set, v);
            if (calls)
                slow_live_returned(r, i, set);
            return wanted || (calls && slow_in_set(set, v));
        }
    }
}

bool slow_find_votes(struct slow_plan *plan, const struct slow_program *p)
{
    struct slow_reach r = {0};
    uint64_t *set = NULL;
    bool any = false, ok = true;
    for (uint32_t i = 0; i < plan->count; i++)
        for (unsigned c = 0; c < 4; c++)
            any |= plan->place[i].made[c] != 0;
    if (any) {
        ok = slow_reach_new(&r, p, plan);
        set = ok ? malloc(r.words * sizeof *set) : NULL;
        ok = set;
    }
    for (uint32_t i = 0; any && ok && i < plan->count; i++)
        for (unsigned c = 0; c < 4; c++) {
            struct slow_place *s = &plan->place[i];
            const struct operand *o = program_operand(p->text, at(&r, i)->src);
            uint32_t v = s->made[c] ? slow_variable(p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
            uint32_t from = v == NO_INDEX ? NO_INDEX : (s->made[c] - 1) / 4;
            unsigned op = v == NO_INDEX ? OP_COUNT : at(&r, from)->op;
            bool logic = op_joins_bits(op), behind = v != NO_INDEX && !(op_shuffles(op) && at(&r, i)->dst.ref != o->ref) && slow_loop_between(&r, from, i);
            if (logic && !(behind && at(&r, i)->dst.ref == o->ref) && slow_stands_beside(&r, from, i))
                s->truths |= (uint8_t)(1u << c);
            if (v != NO_INDEX && !behind && !is_used_before(&r, from, i, v, NULL) && ((op_votes(op) && is_used_once(&r, i, v)) || !is_used_behind(&r, i, v, set)))
                s->truths |= (uint8_t)(1u << c);
        }
    slow_reach_free(&r);
    free(set);
    return ok;
}

/* ---- read as floats, with a sign ----------------------------------------------------------------------------------------- */

static bool rounds(unsigned op)
{
    return op == OP_FLR || op == OP_CEIL || op == OP_TRUNC || op == OP_ROUND;
}

static bool is_below(const struct operand *o)
{
    return o->flags & OPND_ABSOLUTE && operand_negates(o);
}

static unsigned literals(const struct slow_program *p, const struct insn *insn, unsigned k, uint32_t word)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    unsigned set = 0;
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++) {
        struct slow_known v;
        if (insn->dst.mask >> c & 1 && slow_known_operand(&nothing, o, c, DT_F32, &v) && (uint32_t)v.bits == word)
            set |= 1u << c;
    }
    return set;
}

/* A copy with a sign; in a LONG variable an absolute value. */
static bool counts_with_sign(const struct operand *o, bool to_long)
{
    return to_long ? o->flags & OPND_ABSOLUTE && !operand_negates(o) : o->flags & OPND_SIGNS;
}

/* Components of a product with 1.0 or -1.0 in which a sign of the other factor counts; first those that -1.0 turns. */
static unsigned turned(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    bool to_long = program_is_long(p->text, insn->dst.kind, insn->dst.ref);
    unsigned minus = to_long ? 0 : literals(p, insn, 1 - k, 0xbf800000u);
    return minus ? minus : counts_with_sign(program_operand(p->text, insn->src + k), to_long) ? literals(p, insn, 1 - k, 0x3f800000u) : 0;
}

/* Of DST: the operand of z or w, where that has a sign and nothing but z or w takes that component of it. */
static int signed_copy(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    const struct operand *o = program_operand(p->text, insn->src);
    unsigned times = 0, k = c - 2, from;
    if (c < 2 || !counts_with_sign(o + k, program_is_long(p->text, insn->dst.kind, insn->dst.ref)))
        return -1;
    from = o[k].swizzle >> 2 * c & 3;
    for (unsigned n = 0; n < 2; n++) {
        if (o[n].kind != o[k].kind || o[n].ref != o[k].ref)
            continue;
        times += insn->dst.mask & 2 && (o[n].swizzle >> 2 & 3) == from;
        times += insn->dst.mask >> (n + 2) & 1 && (o[n].swizzle >> 2 * (n + 2) & 3) == from;
    }
    return times > 1 ? -1 : (int)k;
}

int slow_signed_truth(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool to_long = program_is_long(p->text, insn->dst.kind, insn->dst.ref);
    if (!o || !p->nvidia || insn->type == DT_F16 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) ||
        insn->dst.kind != OPND_SYMBOL || program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT)
        return -1;
    if (rounds(insn->op)) {
        bool ok = slow_is_float(insn->type) ? o->flags & OPND_ABSOLUTE && !operand_negates(o) : o->flags & OPND_SIGNS && !is_below(o);
        return ok && slow_bytes(insn->type) == 4 ? 0 : -1;
    }
    if (insn->type != DT_F32 || insn->cc_update)
        return -1;
    if (insn->op == OP_ABS || (insn->op == OP_MOV && counts_with_sign(o, to_long)))
        return 0;
    if (insn->op == OP_DST)
        return signed_copy(p, insn, c);
    for (unsigned k = 0; insn->op == OP_MUL && k < 2; k++)
        if (turned(p, insn, k))
            return (int)k;
    return -1;
}

uint64_t slow_of_whole(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    unsigned k = (unsigned)slow_signed_truth(p, insn, c);
    const struct operand *o = program_operand(p->text, insn->src + k);
    bool below = o->flags & OPND_ABSOLUTE ? operand_negates(o) : !operand_negates(o);
    if (rounds(insn->op) || program_is_long(p->text, insn->dst.kind, insn->dst.ref))
        return slow_result_type(insn) == DT_F32 ? 0x3f800000u : 1;
    if (insn->op == OP_MUL && literals(p, insn, 1 - k, 0xbf800000u))
        below = !below;
    return insn->op == OP_ABS || !below ? 1 : UINT32_MAX;
}

/* Something else between two places takes it for a float or with a sign, or finds lanes by it. */
static bool counts_between(const struct slow_reach *r, uint32_t from, uint32_t to, uint32_t here, uint32_t v)
{
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = at(r, i);
        for (unsigned k = 0; i != here && k < insn->nsrc; k++)
            if ((op_shuffles(insn->op) || program_operand(r->p->text, insn->src + k)->flags & OPND_SIGNS || slow_takes_floats(r->p, insn, k)) && reads(r, i, k, v))
                return true;
    }
    return false;
}

/* Who reads the truth behind it does not matter where it is rounded into a LONG variable, or into an array that the text indexes by a register, and
 * no loop runs between the two. */
static bool is_taken_along(const struct leaving *x, uint32_t made, uint32_t here, uint32_t v)
{
    const struct insn *insn = at(&x->reach, here);
    bool to_long = program_is_long(x->p->text, insn->dst.kind, insn->dst.ref);
    if (!rounds(insn->op))
        return false;
    if (to_long && !counts_between(&x->reach, 0, x->plan->count, here, v))
        return true;
    return (to_long || (x->p->by_address && x->p->by_address[insn->dst.ref])) &&
           !slow_loop_between(&x->reach, made, here) && !counts_between(&x->reach, made + 1, here, here, v);
}

/* What is rounded may be kept back; what is copied has to be written. */
static bool is_kept_back(const struct slow_place *s, const struct insn *insn, unsigned c)
{
    if (!condition_restricts(&insn->dst.condition))
        return false;
    return !rounds(insn->op) && !(s->passes >> c & 1);
}

void slow_find_wholes(struct leaving *x, bool predicates)
{
    uint64_t *set = malloc(x->reach.words * sizeof *set);
    x->failed |= !set;
    for (uint32_t i = 0; set && i < x->plan->count; i++) {
        struct slow_place *s = &x->plan->place[i];
        for (unsigned c = 0; c < 4; c++) {
            const struct insn *insn = at(&x->reach, i);
            int k = slow_signed_truth(x->p, insn, c);
            if (k < 0 || is_kept_back(s, insn, c))
                continue;
            const struct operand *o = program_operand(x->p->text, insn->src + (unsigned)k);
            uint32_t made = s->of_integers[c] ? (s->of_integers[c] - 1) / 4 : NO_INDEX;
            uint32_t v = made == NO_INDEX ? NO_INDEX : slow_variable(x->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
            bool of_floats = made != NO_INDEX && x->plan->place[made].of_truth && slow_leaving_main(x, made);
            unsigned by = made == NO_INDEX ? OP_COUNT : at(&x->reach, made)->op;
            if (!predicates && !op_is_logic(by))     /* logic is done with predicates */
                continue;
            if (made != NO_INDEX && !rounds(insn->op) && slow_is_under_test(x, made, 32))
                continue;
            if (v == NO_INDEX || of_floats || (insn->op == OP_MUL && !(turned(x->p, insn, (unsigned)k) >> c & 1)))
                continue;
            if (is_taken_along(x, made, i, v) ||
                (!slow_loop_between(&x->reach, made, i) && !is_used_before(&x->reach, made, i, v, x) && !is_used_behind(&x->reach, i, v, set)))
                s->whole |= (uint8_t)(1u << c & insn->dst.mask & ~s->computed);
        }
    }
    free(set);
}
