/* Pairs: what an instruction becomes of what another one made (docs/numbers.md, "Pairs and single instructions"). */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

static bool is_root(const struct slow_program *p, const struct insn *insn)
{
    bool divides = insn->op == OP_DIV, prec = insn->flags & INSN_PREC;
    return (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_RCC || divides) && slow_is_float(insn->type) &&
           slow_bytes(slow_result_type(insn)) == 4 && (divides || !prec) && p->nvidia;
}

static const struct operand *inverse_of(const struct slow_program *p, const struct insn *insn)
{
    return program_operand(p->text, insn->src + (insn->op == OP_DIV ? 1 : 0));
}

/* The operand beside a bound that MIN or MAX is known to have, or -1. */
int slow_beside(const struct slow_program *p, const struct slow_place *place, unsigned c)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    for (int k = 0; k < 2; k++)
        if (place->bounds[k] >> c & 1 && !(insn->flags & INSN_PREC && slow_is_half(p, insn)))
            return 1 - k;
    return -1;
}

static bool is_first(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    const struct symbol *s = slow_target(j->p, insn);
    if (!s || condition_restricts(&insn->dst.condition) ||
        insn->flags & (INSN_SAT | INSN_SSAT) || (s->size == SIZE_LONG) != (slow_bytes(slow_result_type(insn)) == 8) ||
        (j->p->by_address && j->p->by_address[insn->dst.ref]))
        return false;
    if (insn->op == OP_MIN)
        return !(j->plan->place[place].computed >> c & 1) && slow_beside(j->p, &j->plan->place[place], c) >= 0;
    if (insn->op == OP_RSQ && operand_has_sign(inverse_of(j->p, insn)) && !slow_is_half(j->p, insn))
        return false;
    return is_root(j->p, insn) && insn->op != OP_RCC && !j->plan->place[place].computed;
}

/* What a variable was made by, (place * 4 + component) * 8 + kind, plus NEGATIVE for its negative; NO_INDEX, or before anything reaches it
 * ANY. The kind says what of the place's operand: of a MIN the other one than 1.0. */
enum { ANY = UINT32_MAX - 1, NEGATIVE = 4 };
enum { OF_MIN, OF_RCP, OF_RSQ, OF_ROOT };

/* Beside each variable's, in the second half of a state, what wrote it. */
struct finder {
    const struct joiner *j;
    struct slow_meets meets;    /* or NULL: not asked yet */
    bool over_blocks;           /* some pair is made of two blocks */
};

static uint32_t maker_of(uint32_t made)
{
    return made / 32;
}

const struct operand *slow_pair_source(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    int k = insn->op == OP_MIN ? slow_beside(j->p, &j->plan->place[place], c) : insn->op == OP_DIV ? 1 : insn->op == OP_RCP || insn->op == OP_RSQ ? 0 : -1;
    return k < 0 ? NULL : program_operand(j->p->text, insn->src + (uint32_t)k);
}

static bool in_one_block(const struct joiner *j, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i <= to; i++)
        if (j->reach.leads[i])
            return false;
    return from <= to;
}

/* Whether a place finds what another block made, and that meets other values. */
static bool is_met(const struct finder *f, uint32_t place, uint32_t v, uint32_t what, uint32_t at)
{
    const struct joiner *j = f->j;
    uint32_t from = maker_of(what);
    unsigned c = slow_insn_at(j, from)->op == OP_MIN ? what / 8 % 4 : 0;
    return f->meets.result && ((!in_one_block(j, from, place) && f->meets.source[from] >> c & 1) ||
                               (!in_one_block(j, at, place) && f->meets.result[at] >> v % 4 & 1));
}

static uint32_t made(const struct finder *f, uint32_t place, const uint32_t *state, const struct operand *o, unsigned c)
{
    const struct joiner *j = f->j;
    uint32_t v = slow_operand_variable(j, o, c);
    if (v == NO_INDEX || o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER) || (state[v] < ANY && is_met(f, place, v, state[v], state[j->reach.nvars + v])))
        return NO_INDEX;
    return state[v] < ANY && o->flags & OPND_NEGATE ? state[v] ^ NEGATIVE : state[v];
}

static bool inverts(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    return insn->op == OP_RCP || (insn->op == OP_DIV && j->plan->place[place].over >> c & 1);
}

/* Component c of a MAX of a MIN: what made it, or NO_INDEX. */
static uint32_t clamped(const struct finder *f, uint32_t place, const uint32_t *state, unsigned c)
{
    const struct joiner *j = f->j;
    const struct insn *insn = slow_insn_at(j, place), *first;
    bool apart = insn->cc_update && condition_restricts(&insn->dst.condition);
    int k = insn->op == OP_MAX && !apart && !(j->plan->place[place].computed >> c & 1) ? slow_beside(j->p, &j->plan->place[place], c) : -1;
    uint32_t from = k < 0 ? NO_INDEX : made(f, place, state, program_operand(j->p->text, insn->src + (uint32_t)k), c);
    if (from >= ANY || from % 8 != OF_MIN)
        return NO_INDEX;
    first = slow_insn_at(j, maker_of(from));
    return slow_bytes(first->type) / 8 == slow_bytes(insn->type) / 8 && slow_is_half(j->p, first) == slow_is_half(j->p, insn) ? from : NO_INDEX;
}

/* What a place becomes of what another one made, which goes to `from`. */
static enum slow_pair partner(const struct finder *f, uint32_t place, const uint32_t *state, uint32_t *from)
{
    const struct joiner *j = f->j;
    const struct insn *insn = slow_insn_at(j, place), *first;
    unsigned kind;
    *from = NO_INDEX;
    if (j->plan->place[place].computed || !is_root(j->p, insn))
        return SLOW_NO_PAIR;
    *from = made(f, place, state, inverse_of(j->p, insn), 0);
    kind = *from % 4;
    if (*from >= ANY || kind == OF_MIN || *from & NEGATIVE)
        return SLOW_NO_PAIR;
    first = slow_insn_at(j, maker_of(*from));
    if (slow_is_half(j->p, first) != slow_is_half(j->p, insn))
        return SLOW_NO_PAIR;
    if (insn->op == OP_RSQ)
        return kind == OF_RCP ? SLOW_PAIR_ROOT : SLOW_NO_PAIR;
    if (kind == OF_ROOT)
        return operand_has_sign(inverse_of(j->p, first)) ? SLOW_NO_PAIR : SLOW_PAIR_RSQ;
    return kind == OF_RCP ? SLOW_PAIR_COPY : SLOW_PAIR_ROOT;
}

static uint32_t result(const struct finder *f, uint32_t place, const uint32_t *state, unsigned c)
{
    const struct joiner *j = f->j;
    const struct insn *insn = slow_insn_at(j, place);
    uint32_t from, m = (place * 4 + c) * 8;
    enum slow_pair pair = partner(f, place, state, &from);
    bool minus = insn->op == OP_DIV && j->plan->place[place].over_minus >> c & 1;
    if (!is_first(j, place, c))
        return NO_INDEX;
    if (insn->op == OP_MIN)
        return m + OF_MIN;
    if (insn->op != OP_RSQ && !inverts(j, place, c))
        return NO_INDEX;
    switch (pair) {
    case SLOW_PAIR_COPY: return NO_INDEX;
    case SLOW_PAIR_ROOT: m = from / 8 * 8 + OF_ROOT; break;
    case SLOW_PAIR_RSQ: m = from / 8 * 8 + OF_RSQ; break;
    default: m += insn->op == OP_RSQ ? OF_RSQ : OF_RCP;
    }
    return minus ? m ^ NEGATIVE : m;
}

static void pass_over(const struct finder *f, uint32_t place, uint32_t *state)
{
    const struct joiner *j = f->j;
    const struct insn *insn = slow_insn_at(j, place);
    uint8_t written = insn->dst.kind == OPND_NONE ? 0 : slow_written(j->p, insn);
    bool short_one = insn->dst.kind == OPND_SYMBOL && program_symbol(j->p->text, insn->dst.ref)->size == SIZE_SHORT;
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&insn->dst.condition) && !short_one;
    uint32_t fresh[4];
    for (unsigned c = 0; c < 4; c++)
        fresh[c] = copies ? made(f, place, state, program_operand(j->p->text, insn->src), c) : result(f, place, state, c);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        if (v == NO_INDEX || !(written >> c & 1))
            continue;
        state[v] = fresh[c];
        state[j->reach.nvars + v] = place;
    }
}

static void settle_pair(struct finder *f, uint32_t place, const uint32_t *state)
{
    const struct joiner *j = f->j;
    struct slow_place *s = &j->plan->place[place];
    uint32_t from;
    s->pair = (uint8_t)partner(f, place, state, &from);
    f->over_blocks |= s->pair != SLOW_NO_PAIR && !in_one_block(j, maker_of(from), place);
    s->clamps = 0;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t min = slow_insn_at(j, place)->dst.mask >> c & 1 ? clamped(f, place, state, c) : NO_INDEX;
        s->clamps |= (uint8_t)((min != NO_INDEX) << c);
        f->over_blocks |= min != NO_INDEX && !in_one_block(j, maker_of(min), place);
    }
    s->moved = s->negated = false;
    if (s->pair < SLOW_PAIR_COPY)
        return;
    unsigned signs = inverse_of(j->p, slow_insn_at(j, maker_of(from)))->flags & OPND_SIGNS;
    s->moved = signs != 0;
    s->negated = !(signs & OPND_ABSOLUTE) && !(signs & OPND_NEGATE) != !(signs & OPND_NEGATE_INNER);
}

/* Behind a loop that stays one, what places of it (from `left` to `end`) made is nothing; nor is what different writes left. */
static bool flow_into(uint32_t *to, const uint32_t *from, uint32_t n, uint32_t left, uint32_t end)
{
    bool changed = false;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t made = from[v] < ANY && maker_of(from[v]) >= left && maker_of(from[v]) < end ? NO_INDEX : from[v], next = NO_INDEX;
        if (to[v] == ANY) {
            next = made;
            to[n + v] = from[n + v];
        } else if (made == ANY || (made == to[v] && (made == NO_INDEX || from[n + v] == to[n + v]))) {
            next = to[v];
        }
        changed |= next != to[v];
        to[v] = next;
    }
    return changed;
}

/* What a subroutine writes is made by nothing behind the call. */
void slow_forget_called(const struct joiner *j, const struct insn *call, uint32_t *state, unsigned depth)
{
    uint32_t n = (uint32_t)j->p->text->insns.count;
    for (uint32_t i = 0; i < n && depth < SLOW_CALLS; i++) {
        if (!j->p->label[i] || !slow_calls(j->p, call, i))
            continue;
        for (uint32_t k = i; k < n && (k == i || !j->p->label[k]); k++) {
            const struct insn *insn = program_insn(j->p->text, k);
            for (unsigned c = 0; c < 4; c++) {
                uint32_t v = slow_variable(j->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
                if (v != NO_INDEX)
                    state[v] = NO_INDEX;
            }
            if (insn->op == OP_CAL || insn->op == OP_CALI)
                slow_forget_called(j, insn, state, depth + 1);
        }
    }
}

static void find(struct finder *f, uint32_t *states, uint32_t *state)
{
    const struct joiner *j = f->j;
    uint32_t n = j->plan->count, vars = j->reach.nvars;
    size_t width = 2 * (size_t)vars;
    bool changed = true;
    for (size_t i = 0; i < (size_t)(n + 1) * width; i++)
        states[i] = ANY;
    for (uint32_t i = 0; i < n; i++)        /* nothing comes into the program, or with a call */
        if (i == 0 || i == j->reach.entry || slow_begins_part(j->p, j->plan, i))
            memset(states + (size_t)i * width, 0xff, vars * sizeof *states);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to[8];
            unsigned count = slow_successors(j->p, j->plan, i, to);
            memcpy(state, states + (size_t)i * width, width * sizeof *state);
            pass_over(f, i, state);
            if (slow_insn_at(j, i)->op == OP_CAL || slow_insn_at(j, i)->op == OP_CALI)
                slow_forget_called(j, slow_insn_at(j, i), state, 0);
            for (unsigned k = 0; k < count; k++) {
                uint32_t loop = slow_insn_at(j, i)->op == OP_REP ? i : j->plan->place[i].loop;
                const struct slow_place *rep = loop == NO_INDEX ? NULL : &j->plan->place[loop];
                bool leaves = rep && !rep->straight && to[k] == rep->to;
                changed |= to[k] <= n && flow_into(states + (size_t)to[k] * width, state, vars, leaves ? loop : 0, leaves ? rep->to : 0);
            }
        }
    }
    for (uint32_t i = 0; i < n; i++)
        settle_pair(f, i, states + (size_t)i * width);
}

bool slow_divides_by_known(const struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    return (insn->op == OP_DIV || insn->op == OP_MOD) && !slow_is_float(insn->type) && j->plan->place[place].chosen[0];
}

static bool divides_packed(const struct joiner *j)
{
    bool packs = false, divides = false;
    for (uint32_t i = 0; i < j->plan->count; i++) {
        packs |= slow_insn_at(j, i)->op == OP_PK2US;
        divides |= packs && slow_divides_by_known(j, i);
    }
    return divides;
}

bool slow_find_pairs(struct joiner *j)
{
    size_t width = 2 * (size_t)j->reach.nvars;
    uint32_t *states = malloc((size_t)(j->plan->count + 1) * width * sizeof *states), *state = malloc(width * sizeof *state);
    struct finder f = {.j = j};
    bool ok = states && state;
    if (ok)
        find(&f, states, state);
    if (ok && (f.over_blocks || divides_packed(j))) {
        ok = slow_find_meets(j, &f.meets);
        if (ok)
            find(&f, states, state);
    }
    free(f.meets.result);
    free(f.meets.source);
    free(states);
    free(state);
    return ok;
}
