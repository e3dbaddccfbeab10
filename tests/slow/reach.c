/* Where each place goes on, which results anybody reads, where blocks begin. */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

static const struct insn *insn_at(const struct slow_reach *r, uint32_t place)
{
    return program_insn(r->p->text, r->plan->place[place].insn);
}

bool slow_in_set(const uint64_t *set, uint32_t var)
{
    return set[var / 64] >> var % 64 & 1;
}

static void include(uint64_t *set, uint32_t var)
{
    if (var != NO_INDEX)
        set[var / 64] |= 1ull << var % 64;
}

static void exclude(uint64_t *set, uint32_t var)
{
    if (var != NO_INDEX)
        set[var / 64] &= ~(1ull << var % 64);
}

/* Components of both condition codes, then of registers; arrays are not followed. */
uint32_t slow_variable(const struct slow_program *p, unsigned kind, uint32_t symbol, bool indexed, unsigned c)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(p->text, symbol) : NULL;
    if (!s || s->kind != SYM_TEMP || s->array || indexed)
        return NO_INDEX;
    return 8 + p->first[symbol] * 4 + c;
}

/* ---- what instructions are --------------------------------------------------------------------------------------------------- */

static bool shows(unsigned op)
{
    switch (op) {
    case OP_STB: case OP_STS: case OP_STORE: case OP_STOREIM: case OP_BAR: case OP_MEMBAR: return true;
    default: return op_flows(op) || op_is_atomic(op);
    }
}

uint8_t slow_written(const struct slow_program *p, const struct insn *insn)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    uint8_t mask = insn->dst.mask, pair = mask & 3;
    if (!p->nvidia)
        return mask;
    if (insn->op == OP_ATOMB && !wide && insn->type == (slow_is_short(p, insn->dst.kind, insn->dst.ref) ? DT_F32 : DT_F16))
        return 0;       /* gives nothing */
    switch (insn->op) {
    case OP_ATOM: case OP_ATOMS: case OP_ATOMB: return slow_atomic_written(p, insn);
    case OP_ATOMIM: case OP_ATOMCTR: case OP_ATOMCTROP: return mask & 1;
    case OP_LOAD: case OP_LDS:
        if (type_table[insn->type].bytes < 4)
            return mask;
        if (type_table[insn->type].bytes == 8 && insn->width == 4)
            return !wide ? mask : mask & 1 ? 15 : 0;
        return insn->width == 2 && mask & 12 && pair && pair != 3 ? mask | 3 : mask;
    default: return mask;
    }
}

bool slow_calls(const struct slow_program *p, const struct insn *insn, uint32_t label)
{
    const struct operand *o = insn->op == OP_CALI ? program_operand(p->text, insn->src) : NULL;
    const struct symbol *variable = o && o->kind == OPND_SYMBOL ? program_symbol(p->text, o->ref) : NULL;
    if (insn->op == OP_CAL)
        return insn->partner == label;
    if (!variable)
        return false;
    for (uint32_t i = 0; i < p->text->symbols.count; i++) {
        const struct symbol *type = program_symbol(p->text, i);
        if (type->kind != SYM_SUBROUTINE_TYPE || strcmp(type->name, program_symbol(p->text, variable->instruction)->name))
            continue;
        for (uint32_t k = 0; k < type->nbindings; k++)
            if (program_symbol(p->text, program_operand(p->text, type->binding + k)->ref)->instruction == label)
                return true;
    }
    return false;
}

/* ---- one place backwards ------------------------------------------------------------------------------------------------------- */

static void read_indices(const struct slow_reach *r, uint32_t first, unsigned n, uint64_t *set)
{
    for (unsigned i = 0; i < n; i++) {
        const struct index *x = program_index(r->p->text, first + i);
        if (x->mode == INDEX_RELATIVE)
            include(set, slow_variable(r->p, x->register_kind, x->reg, x->element.used, x->component));
    }
}

static void read_test(const struct condition *c, uint64_t *set)
{
    for (unsigned i = 0; condition_restricts(c) && c->rule != CC_RESIDENT && c->rule != CC_NONRESIDENT && i < 4; i++)
        include(set, (c->cc & 1) * 4u + ((c->nswizzle ? c->swizzle : 0xe4) >> 2 * i & 3));
}

static void read_operand(const struct slow_reach *r, const struct operand *o, unsigned components, uint64_t *set)
{
    read_indices(r, o->index, o->nindices, set);
    for (unsigned i = 0; i < 4; i++) {
        unsigned kind = o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;
        if (components >> i & 1)
            include(set, slow_variable(r->p, kind, o->ref, o->nindices != 0, o->swizzle >> 2 * i & 3));
        if (o->kind == OPND_EXTENDED)
            include(set, slow_variable(r->p, o->base_kind, o->ref, o->nindices != 0, i));
    }
}

/* What is stored, and what atomic operations take. */
static unsigned taken_by_memory(const struct insn *insn, unsigned k)
{
    bool stores = insn->op == OP_STB || insn->op == OP_STS || insn->op == OP_STORE;
    if (k || (!stores && insn->op != OP_ATOM && insn->op != OP_ATOMB && insn->op != OP_ATOMS))
        return 15;
    if (stores)
        return insn->width == 4 ? 15 : insn->width == 2 ? 3 : 1;
    return insn->type == DT_F16 ? 15 : insn->atomic == MOD_CSWAP ? 3 : 1;
}

/* All that an instruction that does something reads, else what the components that anybody needs are made of. */
unsigned slow_left_out(const struct slow_program *p, const struct slow_place *place, unsigned k)
{
    unsigned left = 0, other = 3 - k;
    for (unsigned c = 0; program_insn(p->text, place->insn)->op == OP_CMP && (k == 1 || k == 2) && c < 4; c++)
        left |= (unsigned)(place->chosen[other] >> c & 1 || (place->computed >> c & 1 && place->takes[c] == other + 1)) << c;
    return left;
}

uint8_t slow_numbers(const struct slow_place *place)
{
    return place->computed | place->known | place->settled_number;
}

unsigned slow_reads(const struct slow_program *p, const struct insn *insn, unsigned k, uint8_t useful)
{
    unsigned components = 0;
    bool whole = useful & SLOW_ACTS || slow_is_memory(insn->op) || slow_is_image(insn->op) || slow_is_texture(insn->op);
    if (useful & 10 && slow_in_two(p, insn))        /* what it has made of x and z by then */
        useful |= insn->dst.mask & 5;
    for (unsigned c = 0; c < 4; c++)
        if (useful >> c & 1)
            components |= slow_made_of(p, insn, k, c);
    return whole ? slow_is_memory(insn->op) ? taken_by_memory(insn, k) : 15 : components;
}

/* Components whose flags later ones that anybody needs are tested by, where they are written in turn. */
static uint8_t tested_in_turn(const struct slow_place *s, const struct insn *insn, uint8_t useful)
{
    uint8_t tested = 0;
    for (unsigned turn = 4; s->in_turn && turn-- > 0;)
        for (unsigned c = 0; c < 4; c++)
            if (slow_turn_of(insn, c) == turn && (useful | tested) & ~s->as_before & insn->dst.mask & 1u << c && insn->dst.mask >> turn & 1 &&
                slow_turn_of(insn, turn) < turn)
                tested |= (uint8_t)(1u << turn);
    return tested;
}

static uint8_t before(const struct slow_reach *r, uint32_t place, uint64_t *set)
{
    const struct insn *insn = insn_at(r, place);
    unsigned rule = insn->dst.condition.rule;
    bool carry = r->sharp && (rule == CC_CF || rule == CC_NCF || rule == CC_OF || rule == CC_NOF || rule == CC_AB || rule == CC_BLE);
    uint8_t passes = carry || r->all_tests ? r->plan->place[place].passes : 0, settled = passes | (carry || r->all_tests ? r->plan->place[place].fails : 0), fails = carry && r->only_passing ? 0 : settled & (uint8_t)~passes;
    r->flags[place] = 0;
    uint8_t useful = shows(insn->op) || insn->flags & INSN_SPARSE ? SLOW_ACTS : 0, written = insn->dst.kind == OPND_NONE ? 0 : slow_written(r->p, insn);
    bool untested = slow_looks_at_no_test(r->p, insn);
    unsigned stays = op_shuffles(insn->op) && !slow_goes_by_copy(r->p, insn) ? 12 : slow_untouched(r->p, insn);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = slow_variable(r->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
        uint32_t cc = insn->cc_update ? (insn->cc_update - 1u) * 4 + c : NO_INDEX;
        if (!(written >> c & 1) || fails >> c & 1)
            continue;
        if (cc != NO_INDEX && slow_in_set(set, cc))
            r->flags[place] |= (uint8_t)(1u << c);
        if ((insn->dst.kind != OPND_CC && (var == NO_INDEX || slow_in_set(set, var))) || (cc != NO_INDEX && slow_in_set(set, cc)))
            useful |= (uint8_t)(1u << c);
    }
    useful |= tested_in_turn(&r->plan->place[place], insn, useful & (uint8_t)~(passes | fails)) & written & (uint8_t)~fails;
    for (unsigned c = 0; c < 4; c++)
        if (written >> c & 1 && !(stays >> c & 1) && !(fails >> c & 1) && (passes >> c & 1 || untested || !condition_restricts(&insn->dst.condition))) {
            exclude(set, slow_variable(r->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c));
            exclude(set, insn->cc_update ? (insn->cc_update - 1u) * 4 + c : NO_INDEX);
        }
    if (!useful)
        return 0;
    if (!r->all_tests || r->plan->place[place].outcome == TEST_LOOKED_AT)
        read_test(&insn->condition, set);
    if (!untested && insn->dst.mask & ~settled && !(r->p->nvidia && rule == CC_FL))
        read_test(&insn->dst.condition, set);
    read_indices(r, insn->dst.index, insn->dst.nindices, set);
    for (unsigned k = 0; k < insn->nsrc; k++)
        read_operand(r, program_operand(r->p->text, insn->src + k), slow_reads(r->p, insn, k, useful & (uint8_t)~(slow_left_out(r->p, &r->plan->place[place], k) | (r->numbers ? slow_numbers(&r->plan->place[place]) : 0))), set);
    if (insn->op == OP_REP && r->plan->place[place].phased && r->plan->place[place].phases.counts) {
        const struct insn *test = insn_at(r, place + 1);
        for (unsigned k = 0; k < 2; k++)
            read_operand(r, program_operand(r->p->text, test->src + k), test->dst.mask, set);
    }
    return useful;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------------- */

/* Whether what begins at a label comes to another one by calls; `seen` has the labels that were looked at. */
static bool comes_to(const struct slow_reach *r, uint32_t from, uint32_t to, bool *seen)
{
    const struct gp5_program *text = r->p->text;
    bool any = false;
    seen[from] = true;
    for (uint32_t i = from; !any && i < text->insns.count && (i == from || !r->p->label[i]); i++) {
        const struct insn *insn = program_insn(text, i);
        if (insn->op == OP_CAL && insn->partner < text->insns.count)
            any = insn->partner == to || (!seen[insn->partner] && comes_to(r, insn->partner, to, seen));
    }
    return any;
}

/* A call beyond the 32nd that are open does nothing: whether some order of calls may come to that. */
static bool calls_nest(const struct slow_reach *r)
{
    uint32_t subroutines = 0, n = (uint32_t)r->p->text->insns.count;
    bool nests = false;
    for (uint32_t i = 0; i < n; i++)
        subroutines += r->p->label[i];
    for (uint32_t i = 0; i < r->plan->count; i++)
        nests |= insn_at(r, i)->op == OP_CALI && !(i >= r->entry && i < r->main_end);
    for (uint32_t i = 0; i < n && subroutines < SLOW_CALLS && !nests; i++) {
        bool *seen = r->p->label[i] ? calloc(n, sizeof *seen) : NULL;
        nests = r->p->label[i] && (!seen || comes_to(r, i, i, seen));
        free(seen);
    }
    return nests || subroutines >= SLOW_CALLS;
}

static void find_blocks(struct slow_reach *r)
{
    uint32_t n = r->plan->count, entry = r->p->entry;
    r->leads[0] = true;
    r->entry = entry < r->p->text->insns.count ? r->plan->first[entry] : n;
    for (r->main_end = r->entry + (r->entry < n); r->main_end < n && !slow_is_label(r, r->main_end); r->main_end++)
        ;
    r->nests = calls_nest(r);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = insn_at(r, i);
        bool never = (insn->op == OP_CAL || insn->op == OP_CALI || insn->op == OP_RET) && insn->condition.rule == CC_FL;
        if (op_flows(insn->op) && !r->plan->place[i].straight && !never)
            r->leads[i] = r->leads[i + 1] = true;
        r->leads[i] |= slow_is_label(r, i);
    }
}

/* A loop loads one word of 32 bits once (tests/loops.txt, large_with_load). */
static bool loads_once(const struct slow_reach *r, uint32_t place)
{
    const struct insn *insn = insn_at(r, place);
    uint32_t at = r->plan->place[place].insn;
    bool in_loop = false;
    for (uint32_t i = 0; i < at; i++) {
        const struct insn *rep = program_insn(r->p->text, i);
        in_loop |= rep->op == OP_REP && rep->partner != NO_INDEX && rep->partner > at;
    }
    return in_loop && insn->op == OP_LDB && insn->width == 1 && type_table[insn->type].bytes == 4;
}

/* Whether no product goes over it: what ends a block, if somebody needs it, but images, and what divides doubles (tests/blocks.txt). */
static bool parts_products(const struct slow_reach *r, uint32_t place)
{
    const struct insn *insn = insn_at(r, place);
    bool settled = !(insn->dst.mask & ~r->plan->place[place].settled);
    if (insn->type == DT_F64 && (insn->op == OP_DIV || insn->op == OP_RCP))
        return true;
    if (!r->useful[place] || insn->dst.condition.rule == CC_FL || insn->op == OP_LOADIM || insn->op == OP_ATOMIM || loads_once(r, place))
        return false;
    return slow_ends_block(insn) || (slow_branches(r->p, insn) && !settled);
}

static void part_products(struct slow_reach *r)
{
    for (uint32_t i = 0; r->p->nvidia && i < r->plan->count; i++) {
        const struct insn *insn = insn_at(r, i);
        uint32_t at = slow_branches(r->p, insn) ? i + 1 : i;        /* what is loaded belongs to the next one */
        if (!op_flows(insn->op) && !r->leads[at] && parts_products(r, i))
            r->leads[at] = true;
    }
}

static bool grow(struct slow_reach *r, uint64_t *have, const uint64_t *set)
{
    bool changed = false;
    for (uint32_t w = 0; w < r->words; w++) {
        changed |= (set[w] & ~have[w]) != 0;
        have[w] |= set[w];
    }
    return changed;
}

/* Backwards until nothing changes. */
static void find_live(struct slow_reach *r, uint64_t *set)
{
    const struct slow_program *p = r->p;
    const struct slow_plan *plan = r->plan;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = plan->count; i--;) {
            bool calls = insn_at(r, i)->op == OP_CAL || insn_at(r, i)->op == OP_CALI;
            slow_live_behind(r, i, set);
            r->useful[i] = before(r, i, set);
            changed |= grow(r, r->live + (size_t)i * r->words, set);
            if (calls) {
                slow_live_returned(r, i, set);
                changed |= grow(r, r->returned, set);
            }
            for (uint32_t k = 0; calls && k < p->text->insns.count; k++)
                if (p->label[k] && slow_calls(p, insn_at(r, i), k))
                    changed |= grow(r, r->callers + (size_t)k * r->words, set);
        }
    }
}

bool slow_reach_new(struct slow_reach *r, const struct slow_program *p, const struct slow_plan *plan)
{
    uint64_t *set;
    *r = (struct slow_reach){.p = p, .plan = plan, .nvars = 8 + p->nregisters * 4};
    r->words = (r->nvars + 63) / 64;
    r->live = calloc((size_t)(plan->count + 1) * r->words, sizeof *r->live);
    r->returned = calloc(r->words, sizeof *r->returned);
    r->callers = calloc((p->text->insns.count + 1) * r->words, sizeof *r->callers);
    r->useful = calloc(plan->count + 1, 1);
    r->passing = calloc(plan->count + 1, 1);
    r->settled = calloc(plan->count + 1, 1);
    r->flags = calloc(plan->count + 1, 1);
    r->asked = calloc(plan->count + 1, 1);
    r->leads = calloc(plan->count + 2, sizeof *r->leads);
    set = calloc(r->words, sizeof *set);
    if (!r->live || !r->returned || !r->callers || !r->useful || !r->passing || !r->settled || !r->flags || !r->asked || !r->leads || !set) {
        free(set);
        return false;
    }
    find_blocks(r);
    for (unsigned pass = 0; pass < 5; pass++) {        /* first as the compiler sees what is of use, for blocks alone, then for loads, for products' flags, and for who reads doubles */
        r->sharp = pass < 2;
        r->only_passing = pass == 1;
        r->all_tests = pass == 2 || pass == 3;
        r->numbers = pass == 3;
        memset(r->live, 0, (size_t)(plan->count + 1) * r->words * sizeof *r->live);
        memset(r->returned, 0, r->words * sizeof *r->returned);
        memset(r->callers, 0, (p->text->insns.count + 1) * r->words * sizeof *r->callers);
        find_live(r, set);
        if (!pass)
            part_products(r);
        if (pass == 2)
            memcpy(r->asked, r->flags, plan->count + 1);
        if (pass == 3)
            memcpy(r->settled, r->useful, plan->count + 1);
        if (pass == 1)
            memcpy(r->passing, r->useful, plan->count + 1);
    }
    free(set);
    return true;
}

void slow_reach_free(struct slow_reach *r)
{
    free(r->live);
    free(r->returned);
    free(r->callers);
    free(r->useful);
    free(r->passing);
    free(r->settled);
    free(r->flags);
    free(r->asked);
    free(r->leads);
    *r = (struct slow_reach){0};
}
