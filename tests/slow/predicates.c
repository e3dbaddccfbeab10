/* What the driver's compiler holds as predicates, and who asks for signs of flags: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include "tests/slow/joined.h"

#include <stdlib.h>

/* ---- flags that are tested for being below zero ------------------------------------------------------------------------------ */

static unsigned asked_by(const struct condition *test, unsigned mask)
{
    unsigned set = 0;
    if (!condition_restricts(test) || (test->rule != CC_LT && test->rule != CC_GE && test->rule != CC_SF && test->rule != CC_NSF))
        return 0;
    for (unsigned c = 0; c < 4; c++)
        set |= mask >> c & 1 ? 1u << (test->swizzle >> 2 * c & 3) : 0;
    return set << 4 * (test->cc & 1u);
}

/* An IF with nothing that anybody needs on its sides, and in those of others there. */
bool slow_is_over_nothing(const struct leaving *x, uint32_t place)
{
    unsigned depth = 1;
    if (slow_leaving_at(x, place)->op != OP_IF)
        return false;
    for (uint32_t i = place + 1; depth && i < x->plan->count; i++) {
        unsigned op = slow_leaving_at(x, i)->op;
        depth += op == OP_IF;
        depth -= op == OP_ENDIF;
        unsigned kept = slow_kept_back(x, i);
        if (op != OP_IF && op != OP_ELSE && op != OP_ENDIF && x->reach.useful[i] && !(kept && kept == slow_leaving_at(x, i)->dst.mask))
            return false;
    }
    return true;
}

static uint8_t asked_behind(const struct leaving *x, uint32_t place, uint8_t returned)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct slow_place *s = &x->plan->place[place];
    bool calls = insn->op == OP_CAL && insn->partner != NO_INDEX && x->plan->first[insn->partner] != NO_INDEX, main = slow_leaving_main(x, place);
    bool surely = calls && (!condition_restricts(&insn->condition) || s->outcome == TEST_PASSES);
    uint32_t to[8];
    unsigned ways = slow_successors(x->p, x->plan, place, to);
    uint8_t asked = calls ? x->signs[x->plan->first[insn->partner]] : 0;
    if (insn->op == OP_RET && insn->condition.rule != CC_FL)
        asked |= main ? 0 : returned;
    for (unsigned k = 0; k < ways && !surely; k++)
        if (to[k] != s->to || !slow_has_first_round(x->p, s, insn))
            asked |= to[k] == NO_INDEX || slow_leaving_begins(x, to[k]) ? (main ? 0 : returned) : x->signs[to[k]];
    return asked;
}

static void find_sign_tests(struct leaving *x)
{
    uint8_t returned = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = x->plan->count; i-- > 0;) {
            const struct insn *insn = slow_leaving_at(x, i);
            unsigned asked = asked_behind(x, i, returned);
            if (insn->cc_update && !condition_restricts(&insn->dst.condition))
                asked &= ~((unsigned)insn->dst.mask << 4 * (insn->cc_update - 1u));
            if (x->reach.useful[i])
                asked |= asked_by(&insn->dst.condition, insn->dst.mask) | (slow_is_over_nothing(x, i) ? 0 : asked_by(&insn->condition, 15));
            changed |= asked != x->signs[i];
            x->signs[i] = (uint8_t)asked;
        }
        for (uint32_t i = 0; i + 1 < x->plan->count; i++)
            if ((slow_leaving_at(x, i)->op == OP_CAL || slow_leaving_at(x, i)->op == OP_CALI) && x->signs[i + 1] & ~returned) {
                returned |= x->signs[i + 1];
                changed = true;
            }
    }
    x->returned_signs = returned;
}

unsigned slow_sign_is_asked(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    unsigned behind = !slow_leaving_begins(x, place + 1) ? x->signs[place + 1] : slow_leaving_main(x, place) ? 0 : x->returned_signs;
    if (!insn->cc_update)
        return 0;
    return behind >> 4 * (insn->cc_update - 1u) & insn->dst.mask;
}

/* ---- predicates ---------------------------------------------------------------------------------------------------------- */

/* Whether integers are compared for their flags, and it is not known what comes out; those of 64 bits only for their order. */
static bool tells_integers(const struct leaving *x, uint32_t place, bool wide)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *a = program_operand(x->p->text, insn->src), *b = program_operand(x->p->text, insn->src + 1);
    unsigned asked = op_compares(insn->op) ? slow_sign_is_asked(x, place) & ~(unsigned)x->plan->place[place].computed : 0;
    for (unsigned c = 0; asked && c < 4; c++)       /* what is compared with itself says nothing */
        if (a->kind == b->kind && a->ref == b->ref && a->flags == b->flags && !a->nindices && !b->nindices && (a->swizzle >> 2 * c & 3) == (b->swizzle >> 2 * c & 3))
            asked &= ~(1u << c);
    if (!asked || slow_is_float(insn->type) || (wide && (insn->op == OP_SEQ || insn->op == OP_SNE)))
        return false;
    return !program_is_long(x->p->text, insn->dst.kind, insn->dst.ref);
}

/* Subroutines read it: the main program loads it anew in each block. */
bool slow_is_called_with(const struct leaving *x, uint32_t symbol)
{
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        for (unsigned k = 0; x->runs[i] && !slow_leaving_main(x, i) && x->reach.useful[i] && k < insn->nsrc; k++) {
            const struct operand *o = program_operand(x->p->text, insn->src + k);
            if (o->kind == OPND_SYMBOL && o->ref == symbol)
                return true;
        }
    }
    return false;
}

static bool has_operand(const struct leaving *x, const struct insn *insn, uint32_t symbol)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        if ((o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && o->ref == symbol)
            return true;
    }
    return false;
}

/* MOV, and MUL by 1.0: which operand is copied; -1: something else. */
static int moved(const struct leaving *x, const struct insn *insn)
{
    if (condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    if (insn->op == OP_MUL && insn->type == DT_F32)
        return slow_reads_number(x->p, insn, 0, 0x3f800000) ? 1 : slow_reads_number(x->p, insn, 1, 0x3f800000) ? 0 : -1;
    return insn->op == OP_MOV && slow_bytes(insn->type) == 4 ? 0 : -1;
}

static bool part_writes(const struct leaving *x, uint32_t begin, uint32_t symbol, unsigned c, unsigned depth)
{
    bool any = depth == SLOW_CALLS;
    for (uint32_t i = begin; !any && i < x->plan->count && (i == begin || !slow_leaving_begins(x, i)); i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        any = insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && !insn->dst.nindices && insn->dst.condition.rule != CC_FL && slow_written(x->p, insn) >> c & 1;
        for (uint32_t k = 0; !any && k < x->p->text->insns.count; k++)
            any = x->p->label[k] && x->plan->first[k] != NO_INDEX && slow_calls(x->p, insn, k) && part_writes(x, x->plan->first[k], symbol, c, depth + 1);
    }
    return any;
}

bool slow_comes_from_call(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    bool any = false;
    for (uint32_t k = 0; !any && k < x->p->text->insns.count; k++)
        any = x->p->label[k] && x->plan->first[k] != NO_INDEX && slow_calls(x->p, slow_leaving_at(x, place), k) && part_writes(x, x->plan->first[k], symbol, c, 0);
    return any;
}

/* Whether a component is what LDB has loaded, or an atomic operation found, or floats compared as in its block (or before an IF that this is
 * in, or what stands in between and does not read the variable), or a copy of that, or what a call left there.
 * LOADED: of LDB and atomic operations; LOADED_OR_COMPARED: what comparisons of integers said as well, and votes where it goes to a subroutine (`called`). */
enum origin { LOADED, LOADED_OR_TRUE, LOADED_OR_COMPARED };

static bool comes_from_load(const struct leaving *x, uint32_t place, const struct operand *o, unsigned c, enum origin from, bool called)
{
    bool alone = from == LOADED;
    unsigned depth = 0;
    uint32_t rep = NO_INDEX;
    bool has_sign = o->flags & OPND_SIGNS, within;
    uint32_t asks = place, symbol = o->ref;
    unsigned first = o->swizzle >> 2 * c & 3;
    if (o->kind != OPND_SYMBOL || o->nindices)
        return o->kind == OPND_SYMBOL && program_symbol(x->p->text, o->ref)->kind == SYM_TEMP && !alone;
    c = o->swizzle >> 2 * c & 3;
    while (!slow_leaving_begins(x, place) && place--) {
        const struct insn *insn = slow_leaving_at(x, place);
        uint32_t text = x->plan->place[place].insn;
        bool written = insn->dst.kind == OPND_SYMBOL && insn->dst.ref == o->ref && insn->dst.mask >> c & 1, joins = !x->plan->place[place].straight && rep == NO_INDEX;
        if (insn->op == OP_ENDREP && rep == NO_INDEX)
            rep = program_insn(x->p->text, text)->partner;
        else if (insn->op == OP_REP && joins)
            return false;
        else if (joins && (insn->op == OP_ENDIF || (insn->op == OP_ELSE && !depth)))
            depth++;
        else if (joins && depth && insn->op == OP_IF)
            depth--;
        within = depth || rep != NO_INDEX;
        rep = text == rep ? NO_INDEX : rep;
        if (within && (written || has_operand(x, insn, o->ref)))
            return !written && slow_leaving_main(x, place) && slow_is_called_with(x, o->ref);
        if (!within && slow_comes_from_call(x, place, o->ref, c))
            return !alone || !slow_was_used(x, asks, symbol, first);
        if (!written)
            continue;
        if (op_compares(insn->op))
            return !alone && (from == LOADED_OR_COMPARED || slow_is_float(insn->type) || (has_sign && !slow_leaving_main(x, place)));
        if (called && op_votes(insn->op) && insn->op != OP_TGBALLOT)
            return !alone;
        if (moved(x, insn) < 0)
            return insn->op == OP_LDB || insn->op == OP_ATOMB || (op_shuffles(insn->op) && !alone);
        o = program_operand(x->p->text, insn->src + (unsigned)moved(x, insn));
        has_sign |= o->flags & OPND_SIGNS;
        if (o->kind != OPND_SYMBOL || o->nindices)      /* an element; parameters are loaded by nobody */
            return o->kind == OPND_SYMBOL && program_symbol(x->p->text, o->ref)->kind == SYM_TEMP && !alone;
        c = o->swizzle >> 2 * c & 3;
    }
    return false;
}

/* Components of a result that somebody reads, or whose flags somebody looks at. */
static unsigned wanted(const struct leaving *x, uint32_t place)
{
    return (x->reach.useful[place] | x->reach.flags[place]) & 15u;
}

/* Its subroutine has not written the component, and whoever calls that has loaded it (`fresh`: and nobody used it). */
static bool callers_load(const struct leaving *x, uint32_t place, const struct operand *o, unsigned c, enum origin from, bool fresh)
{
    uint32_t begin = place;
    unsigned component = o->swizzle >> 2 * c & 3;
    struct operand bare = *o;
    bool called = false;
    bare.flags &= (uint16_t)~OPND_SIGNS;
    while (begin && !slow_leaving_begins(x, begin))
        begin--;
    for (uint32_t i = begin; i < place; i++) {
        const struct result *r = &slow_leaving_at(x, i)->dst;
        if (r->kind == OPND_SYMBOL && r->ref == o->ref && r->mask >> component & 1)
            return false;
    }
    if (fresh && slow_was_used(x, place, o->ref, component))
        return false;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        bool calls = insn->op == OP_CAL && insn->partner != NO_INDEX && x->plan->first[insn->partner] == begin;
        if (insn->op == OP_CALI || (calls && !(slow_leaving_main(x, i) && comes_from_load(x, i, &bare, c, from, true) && !(fresh && slow_was_used(x, i, o->ref, component)))))
            return false;
        called |= calls;
    }
    return called;
}

/* It is written over there, or no caller wants it any more. */
static bool is_gone(const struct leaving *x, uint32_t place, const struct operand *o, unsigned c)
{
    const struct result *r = &slow_leaving_at(x, place)->dst;
    uint32_t begin = place, v = slow_variable(x->p, OPND_SYMBOL, o->ref, false, o->swizzle >> 2 * c & 3);
    uint64_t *set;
    bool gone = v != NO_INDEX;
    if (gone && r->kind == OPND_SYMBOL && !r->nindices && r->ref == o->ref && r->mask >> (o->swizzle >> 2 * c & 3) & 1)
        return true;
    while (begin && !slow_leaving_begins(x, begin))
        begin--;
    set = malloc(x->reach.words * sizeof *set);
    gone &= set != NULL;
    for (uint32_t i = 0; gone && i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        if (insn->op != OP_CAL || insn->partner == NO_INDEX || x->plan->first[insn->partner] != begin)
            continue;
        slow_live_returned(&x->reach, i, set);
        gone = !slow_in_set(set, v);
    }
    free(set);
    return gone;
}

/* Nothing that runs writes it: in its part nothing before, in others nothing at all; in the main program, of what a subroutine asks. */
static bool is_never_written(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    bool main = slow_leaving_main(x, place);
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        bool counts = slow_leaving_main(x, i) ? !main || i < place : x->runs[i] && (x->part[i] != x->part[place] || i < place);
        if (counts && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.condition.rule != CC_FL && slow_written(x->p, insn) >> c & 1)
            return false;
    }
    return true;
}

/* Whether component c of a vote or a choice asks what was loaded and not used, or compared, where it stands or before its subroutine; of a choice also what was
 * never written. */
static bool asks_for(const struct leaving *x, uint32_t place, unsigned c, enum origin from)
{
    const struct insn *insn = slow_leaving_at(x, place);
    struct operand o = *program_operand(x->p->text, insn->src);
    bool plain = o.kind == OPND_SYMBOL && !o.nindices && program_symbol(x->p->text, o.ref)->kind == SYM_TEMP;
    if (!(insn->dst.mask & wanted(x, place) & 1u << c) || slow_asks_used(x, place, c) || x->plan->place[place].computed >> c & 1)
        return false;
    if (from == LOADED_OR_COMPARED)
        o.flags &= (uint16_t)~OPND_SIGNS;
    if (comes_from_load(x, place, &o, c, from, false) || (plain && from == LOADED_OR_COMPARED && is_never_written(x, place, o.ref, o.swizzle >> 2 * c & 3)))
        return true;
    return plain && !slow_leaving_main(x, place) && is_gone(x, place, &o, c) && callers_load(x, place, &o, c, LOADED_OR_COMPARED, true);
}

/* A choice between two things that nobody knows; not in halves. Narrow ones look at a variable as it is, absolute values of unsigned numbers alone; in the main program it asks what
 * its block has loaded and not used. Of 64 bits absolute values without a minus count of unsigned numbers and doubles. */
static bool selects(const struct leaving *x, uint32_t place, bool wide)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src);
    const struct slow_place *s = &x->plan->place[place];
    unsigned decided = s->computed | s->chosen[0] | s->chosen[1] | s->chosen[2];
    bool plain = !(o->flags & OPND_ABSOLUTE), variable = o->kind == OPND_SYMBOL && program_symbol(x->p->text, o->ref)->kind == SYM_TEMP;
    bool narrow = !program_is_long(x->p->text, o->kind, o->ref) && (o->kind != OPND_SYMBOL || variable);     /* parameters are as wide as they are read */
    if (insn->type == DT_F16 || insn->flags & INSN_HALF || (wide ? narrow : program_is_long(x->p->text, o->kind, o->ref)) || !(insn->dst.mask & ~decided))
        return false;
    for (unsigned c = 0; !wide && c < 4; c++)
        decided |= (unsigned)!asks_for(x, place, c, LOADED_OR_COMPARED) << c;
    if (!(insn->dst.mask & ~decided))
        return false;
    return wide ? plain || operand_negates(o) || insn->type != DT_S64 : variable && (plain || insn->type == DT_U32);
}

static bool asks_load(const struct leaving *x, uint32_t place)
{
    bool any = false;
    for (unsigned c = 0; c < 4 && !(program_operand(x->p->text, slow_leaving_at(x, place)->src)->flags & OPND_ABSOLUTE); c++)
        any |= asks_for(x, place, c, LOADED_OR_TRUE);
    return any;
}

/* MOV and OR with 0 whose flags are wanted: the operand whose bits they are the flags of, or NULL. */
static const struct operand *flagged(const struct leaving *x, const struct insn *insn)
{
    const struct gp5_program *p = x->p->text;
    const struct operand *o = program_operand(p, insn->src);
    if (!insn->cc_update || slow_bytes(insn->type) != 4 || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_HALF | INSN_PREC | INSN_SAT | INSN_SSAT))
        return NULL;
    if (insn->dst.kind != OPND_CC && (insn->dst.kind != OPND_SYMBOL || program_symbol(p, insn->dst.ref)->size != SIZE_DEFAULT))
        return NULL;
    if (insn->op != OP_MOV && !(insn->op == OP_OR && (slow_reads_zero(x->p, insn, 0) || slow_reads_zero(x->p, insn, 1))))
        return NULL;
    o += insn->op == OP_OR && slow_reads_zero(x->p, insn, 0);
    return o->kind == OPND_SYMBOL && !o->nindices && !(o->flags & OPND_SIGNS) && program_symbol(p, o->ref)->size == SIZE_DEFAULT ? o : NULL;
}

/* Something asks a condition code for more than carry and overflow. */
static bool asks_more(const struct leaving *x, unsigned cc)
{
    for (uint32_t i = 0; i < x->plan->count; i++)
        for (unsigned k = 0; k < 2 && x->reach.useful[i]; k++) {
            const struct condition *test = k ? &slow_leaving_at(x, i)->dst.condition : &slow_leaving_at(x, i)->condition;
            if (condition_restricts(test) && (test->cc & 1u) == cc && test->rule != CC_CF && test->rule != CC_NCF && test->rule != CC_OF && test->rule != CC_NOF)
                return true;
        }
    return false;
}

/* Such flags of what was loaded, and not used: in the same part, or before its calls if it is written over, or nobody wants it any more behind these. */
static bool shows_load(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = insn->nsrc && x->reach.flags[place] & insn->dst.mask ? flagged(x, insn) : NULL;
    o = o && asks_more(x, insn->cc_update - 1u) ? o : NULL;
    for (unsigned c = 0; o && c < 4; c++) {
        if (!(x->reach.flags[place] & insn->dst.mask & 1u << c) || slow_variable(x->p, OPND_SYMBOL, o->ref, false, o->swizzle >> 2 * c & 3) == NO_INDEX)
            continue;
        if ((comes_from_load(x, place, o, c, LOADED, false) && !slow_copies_used(x, place, o, c)) || (!slow_leaving_main(x, place) && is_gone(x, place, o, c) && callers_load(x, place, o, c, LOADED, false)))
            return true;
    }
    return false;
}

/* Of 64 bits without a sign, into a LONG variable; its flags are wanted. */
static bool divides_with_flags(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    return insn->type == DT_U64 && (insn->op == OP_DIV || insn->op == OP_MOD) && insn->cc_update && x->reach.flags[place] & insn->dst.mask &&
           program_is_long(x->p->text, insn->dst.kind, insn->dst.ref);
}

/* Of S64, by a number above 0 in the text. */
static bool divides_by_number(const struct leaving *x, const struct insn *insn)
{
    const struct operand *by = program_operand(x->p->text, insn->src + 1);
    struct slow_knowledge nothing = {.p = x->p, .at = NO_INDEX};
    bool all = insn->type == DT_S64 && by->kind == OPND_CONSTANT;
    for (unsigned c = 0; all && c < 4; c++) {
        struct slow_known v;
        if (insn->dst.mask >> c & 1)
            all = slow_known_operand(&nothing, by, c, insn->type, &v) && (int64_t)v.bits > 0;
    }
    return all;
}

static bool is_predicate(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    bool wide = insn->type != DT_NONE && type_table[insn->type].bytes == 8;
    if (!x->runs[place] || !x->reach.useful[place])
        return false;
    if (slow_names_unbounded(x, place))
        return true;
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET: return slow_tests_truth(x, place, &insn->condition);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return slow_sign_is_asked(x, place) || asks_load(x, place);
    case OP_CMP: return selects(x, place, wide);
    case OP_DIV:
        return divides_with_flags(x, place) || divides_by_number(x, insn) ||
               (insn->type == DT_F64 && !(__builtin_popcount(insn->dst.mask) == 1 && (slow_reads_zero(x->p, insn, 1) || slow_reads_number(x->p, insn, 1, 1ull << 63))));
    case OP_RCP:
        if (program_operand(x->p->text, insn->src)->kind == OPND_CONSTANT)
            return false;
        /* fall through */
    case OP_MOD:
        return divides_with_flags(x, place) || (wide && insn->type != DT_U64 && insn->dst.mask & ~(unsigned)x->plan->place[place].computed);
    default:
        return shows_load(x, place) || tells_integers(x, place, wide) ||
               (slow_leaving_main(x, place) && insn->type != DT_NONE && slow_tests_truth(x, place, &insn->dst.condition));
    }
}

void slow_count_predicates(struct leaving *x)
{
    find_sign_tests(x);
    slow_mark_runs(x->p, x->plan, x->reach.entry, x->runs);
    for (uint32_t i = 0; i < x->plan->count; i++) {
        bool is = is_predicate(x, i), divides = slow_leaving_at(x, i)->op == OP_DIV && slow_leaving_at(x, i)->type == DT_F64;
        x->predicates += is;
        x->firm |= is && x->elements && !divides;
    }
}

bool slow_sees_predicate(const struct leaving *x, uint32_t place)
{
    uint32_t n = x->predicates;
    for (uint32_t i = place + 1; !slow_leaving_main(x, place) && !slow_leaving_begins(x, i); i++)
        n -= slow_leaving_at(x, i)->op == OP_DIV && slow_leaving_at(x, i)->type == DT_F64 && slow_leaving_at(x, i)->dst.mask == 15 && is_predicate(x, i);
    return n;
}
