/* What the driver's compiler holds as a predicate: comparisons of floats are held so too where the program has one (truths.h). */
#include "eval/forward.h"
#include "eval/known_values.h"
#include "eval/truths.h"

#include <string.h>

/* Components in which two operands are the same. */
static uint8_t same_components(const struct operand *a, const struct operand *b)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (uint8_t)(((a->swizzle ^ b->swizzle) >> 2 * c & 3 ? 0u : 1u) << c);
    return a->kind == b->kind && a->ref == b->ref && a->flags == b->flags && !a->nindices && !b->nindices ? mask : 0;
}

/* Flags of a comparison of integers, that nobody knows, into a variable of 32 bits; of 64 bits only of one that orders them. */
static bool compares_integers(const struct truth_search *s, uint32_t i, bool wide)
{
    const struct insn *insn = program_insn(s->p, i);
    const struct operand *o = insn->nsrc > 1 ? program_operand(s->p, insn->src) : NULL;
    bool orders = insn->op != OP_SEQ && insn->op != OP_SNE;

    return op_compares(insn->op) && eval_sign_is_asked(s, i) & ~eval_folded(s->d, i) & ~same_components(&o[0], &o[1]) && !type_table[insn->type].is_float && (!wide || orders) &&
           !program_is_long(s->p, insn->dst.kind, insn->dst.ref);
}

/* The operand that is copied, by MOV or a product with 1.0; -1: none is. */
static int copies_words(const struct gp5_program *p, const struct insn *insn)
{
    if (condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return -1;
    if (insn->op == OP_MOV)
        return type_table[insn->type].bytes == 4 ? 0 : -1;
    for (unsigned k = 0; k < 2 && insn->op == OP_MUL && insn->type == DT_F32; k++)
        if (eval_is_written(p, insn, k, 0x3f800000))
            return 1 - (int)k;
    return -1;
}

bool eval_call_leaves(const struct truth_search *s, uint32_t i, uint32_t symbol, unsigned c)
{
    uint32_t variable = op_calls(program_insn(s->p, i)->op) ? eval_variable(s->l, OPND_SYMBOL, symbol, false, c) : NO_INDEX;

    return variable != NO_INDEX && eval_called_component(s->l, i, variable);
}

/* Whether nothing that runs writes a component before an instruction of its part (`until`), or in any other part. */
static bool is_unwritten(const struct truth_search *s, uint32_t until, uint32_t symbol, unsigned c)
{
    for (uint32_t k = s->named_of[symbol]; k < s->named_of[symbol + 1]; k++) {
        uint32_t i = s->named[k];
        const struct result *r = &program_insn(s->p, i)->dst;
        bool runs = eval_in_main(s, i) ? eval_in_main(s, until) == (i < until) || !eval_in_main(s, until) : s->called[s->part[i]] && !(s->part[i] == s->part[until] && i >= until);
        if (runs && r->kind == OPND_SYMBOL && r->ref == symbol && r->condition.rule != CC_FL && eval_written(s->l, program_insn(s->p, i)) >> c & 1)
            return false;
    }
    return true;
}

bool eval_is_called_with(const struct truth_search *s, uint32_t ref)
{
    bool called = false, any = false;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        called = s->l->label[i] ? s->called[i] : called;
        for (unsigned k = 0; called && !eval_in_main(s, i) && s->l->useful[i] && k < insn->nsrc; k++)
            any |= program_operand(s->p, insn->src + k)->kind == OPND_SYMBOL && program_operand(s->p, insn->src + k)->ref == ref;
    }
    return any;
}

static bool names(const struct gp5_program *p, const struct insn *insn, uint32_t ref)
{
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p, insn->src + k);
        any |= (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && o->ref == ref;
    }
    return any;
}

static bool is_temporary(const struct gp5_program *p, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_TEMP;
}

/* Whether a component is what its block has loaded from a buffer (or an atomic operation found there), or what a comparison of floats said, or
 * a copy of that (not of a parameter), or in a subroutine a negative of what one of integers said, or what a call has left. An IF leads on into its sides,
 * other calls end no block, nor does what stands in between and does not read the variable. ASKED_LOADS: what is loaded alone; ASKED_ANY: also what a
 * comparison of integers said. `called`: to a subroutine, which may ask what a vote said. */
enum asked { ASKED_LOADS, ASKED_TRUTHS, ASKED_ANY };

static bool is_asked_for(const struct truth_search *s, uint32_t i, const struct operand *o, unsigned c, enum asked what, bool called)
{
    bool sign = (o->flags & OPND_SIGNS) != 0, loads = what == ASKED_LOADS;
    uint32_t sides = 0, loop = NO_INDEX, from = i, symbol = o->ref;
    unsigned component = o->swizzle >> 2 * c & 3;
    bool inside;
    int copied;

    if (o->kind != OPND_SYMBOL || o->nindices)
        return o->kind == OPND_SYMBOL && !loads && is_temporary(s->p, o);
    c = o->swizzle >> 2 * c & 3;
    while (i && !s->l->label[i]) {
        const struct insn *insn = program_insn(s->p, --i);
        bool plain = eval_form(s->d, i) == FORM_PLAIN;
        bool writes = insn->dst.kind == OPND_SYMBOL && insn->dst.ref == o->ref && insn->dst.mask >> c & 1;
        if (insn->op == OP_ENDREP && loop == NO_INDEX)
            loop = insn->partner;
        else if (plain && insn->op == OP_REP && loop == NO_INDEX)
            return false;
        else if (plain && loop == NO_INDEX && (insn->op == OP_ENDIF || (insn->op == OP_ELSE && !sides)))
            sides++;
        else if (plain && loop == NO_INDEX && sides && insn->op == OP_IF)
            sides--;
        inside = sides || loop != NO_INDEX;
        loop = i == loop ? NO_INDEX : loop;
        if (inside && (writes || names(s->p, insn, o->ref)))
            return !writes && eval_in_main(s, i) && eval_is_called_with(s, o->ref);
        if (eval_call_leaves(s, i, o->ref, c) && !inside)
            return !loads || !eval_is_used(s, from, symbol, component);
        if (!writes)
            continue;
        if (op_compares(insn->op))
            return !loads && (what == ASKED_ANY || type_table[insn->type].is_float || (sign && !eval_in_main(s, i)));
        if (op_votes(insn->op) && insn->op != OP_TGBALLOT && called)
            return !loads;
        copied = copies_words(s->p, insn);
        if (copied < 0)
            return insn->op == OP_LDB || insn->op == OP_ATOMB || (op_shuffles(insn->op) && !loads);
        o = program_operand(s->p, insn->src + (unsigned)copied);
        sign |= (o->flags & OPND_SIGNS) != 0;
        if (o->kind != OPND_SYMBOL || o->nindices)
            return !loads && is_temporary(s->p, o);
        c = o->swizzle >> 2 * c & 3;
    }
    return false;
}

/* Whether a component of a variable comes into a subroutine as all that call it have loaded it; with `unused` nothing has computed with it. */
static bool is_called_with_load(const struct truth_search *s, uint32_t i, const struct operand *o, unsigned c, enum asked what, bool unused)
{
    uint32_t label = s->part[i], calls = 0, at = i;
    unsigned component = o->swizzle >> 2 * c & 3;
    struct operand plain = *o;

    plain.flags &= (uint16_t)~OPND_SIGNS;
    while (at-- > label) {
        const struct result *r = &program_insn(s->p, at)->dst;
        if (r->kind == OPND_SYMBOL && r->ref == o->ref && r->mask >> component & 1)
            return false;
    }
    if (unused && eval_is_used(s, i, o->ref, component))
        return false;
    for (i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool here = insn->op == OP_CAL && insn->partner == label;
        if (insn->op == OP_CALI || (here && (!eval_in_main(s, i) || !is_asked_for(s, i, &plain, c, what, true) || (unused && eval_is_used(s, i, o->ref, component)))))
            return false;
        calls += here;
    }
    return calls;
}

/* Whether an instruction writes over a component of an operand, or nobody reads that when its subroutine has ended. */
static bool is_gone(const struct truth_search *s, uint32_t at, const struct operand *o, unsigned c)
{
    const struct result *r = &program_insn(s->p, at)->dst;
    uint32_t variable = eval_operand_variable(s->l, o, c);
    bool gone = variable != NO_INDEX;

    if (gone && r->kind == OPND_SYMBOL && r->ref == o->ref && !r->nindices && r->mask >> (o->swizzle >> 2 * c & 3) & 1)
        return true;
    for (uint32_t i = 0; gone && i + 1 < s->p->insns.count; i++)
        if (program_insn(s->p, i)->op == OP_CAL && program_insn(s->p, i)->partner == s->part[at])
            gone = !shared_bits_has(&s->l->live_in[s->l->block[i + 1]], variable);
    return gone;
}

/* Components that a vote or a choice asks and that have been loaded, and not used, or compared; in a subroutine also where its callers have done so. A choice
 * may ask what nothing has written. */
static uint8_t asks_loads(const struct truth_search *s, uint32_t i, enum asked what)
{
    const struct insn *insn = program_insn(s->p, i);
    struct operand o = *program_operand(s->p, insn->src);
    uint8_t mask = (s->l->useful[i] | s->l->flags[i]) & insn->dst.mask & (uint8_t)~(eval_asks_used(s, i) | eval_folded(s->d, i)), asked = 0;

    o.flags &= (uint16_t)(what == ASKED_ANY ? ~OPND_SIGNS : 0xffff);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && (is_asked_for(s, i, &o, c, what, false) ||
                              (is_temporary(s->p, &o) && !o.nindices && ((what == ASKED_ANY && is_unwritten(s, i, o.ref, o.swizzle >> 2 * c & 3)) ||
                                                                        (!eval_in_main(s, i) && is_gone(s, i, &o, c) && is_called_with_load(s, i, &o, c, ASKED_ANY, true))))))
            asked |= (uint8_t)(1u << c);
    return asked;
}

/* A choice by what nobody knows, that is not narrowed, between two things, not in halves: of 32 bits by what a register of the program holds; not by an
 * absolute value, but its negative, of a signed number of 64 bits, and of 32 bits of an unsigned one alone. */
static bool selects(const struct truth_search *s, uint32_t i, bool wide)
{
    const struct insn *insn = program_insn(s->p, i);
    const struct operand *o = program_operand(s->p, insn->src);
    const struct folded *folded = eval_folded_at(s->d, i);
    uint8_t taken = folded ? (uint8_t)(folded->mask | folded->taken[0] | folded->taken[1] | folded->taken[2]) : 0;
    bool absolute = o->flags & OPND_ABSOLUTE, temporary = is_temporary(s->p, o), parameter = o->kind == OPND_SYMBOL && !temporary;

    if (insn->type == DT_F16 || insn->flags & INSN_HALF || (program_is_long(s->p, o->kind, o->ref) != wide && !(wide && parameter)))
        return false;
    if (wide ? absolute && !operand_negates(o) && insn->type == DT_S64 : !temporary || (absolute && insn->type != DT_U32))
        return false;
    return insn->dst.mask & ~taken & (wide ? 15 : asks_loads(s, i, ASKED_ANY));
}

/* The operand that an instruction copies with the flags of the copy, as it stands; -1: it does none of that. */
static int flags_copy(const struct truth_search *s, const struct insn *insn)
{
    bool narrow = insn->dst.kind == OPND_CC || (insn->dst.kind == OPND_SYMBOL && program_symbol(s->p, insn->dst.ref)->size == SIZE_DEFAULT);

    if (!insn->cc_update || !narrow || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF) ||
        type_table[insn->type].bytes != 4)
        return -1;
    if (insn->op == OP_MOV)
        return 0;
    for (unsigned k = 0; k < 2 && insn->op == OP_OR; k++)
        if (eval_is_zero(s->p, insn, k))
            return 1 - (int)k;
    return -1;
}

/* Flags of a copy of what has been loaded, and not used, which somebody looks at; in a subroutine also of what its callers have loaded, where
 * the copy writes over it or nobody reads it behind the call. */
static bool looks_at_load(const struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);
    uint8_t looked = insn->cc_update && s->told >> (insn->cc_update - 1u) & 1 ? s->l->flags[i] & insn->dst.mask : 0;
    int k = looked ? flags_copy(s, insn) : -1;
    const struct operand *o = k < 0 ? NULL : program_operand(s->p, insn->src + (unsigned)k);
    bool any = false;

    if (!o || o->kind != OPND_SYMBOL || o->nindices || o->flags & OPND_SIGNS || program_symbol(s->p, o->ref)->size != SIZE_DEFAULT)
        return false;
    for (unsigned c = 0; c < 4 && !any; c++)
        any = looked >> c & 1 && eval_operand_variable(s->l, o, c) != NO_INDEX &&
              ((is_asked_for(s, i, o, c, ASKED_LOADS, false) && !eval_copies_used(s, i, o, c)) || (!eval_in_main(s, i) && is_gone(s, i, o, c) && is_called_with_load(s, i, o, c, ASKED_LOADS, false)));
    return any;
}

/* A division of unsigned numbers into a LONG variable, whose flags somebody looks at. */
static bool divides_for_flags(const struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);

    return insn->type == DT_U64 && insn->op != OP_RCP && insn->cc_update && s->l->flags[i] & insn->dst.mask && program_is_long(s->p, insn->dst.kind, insn->dst.ref);
}

static bool divides_by_zero(const struct gp5_program *p, const struct insn *insn)
{
    return eval_is_zero(p, insn, 1) || eval_is_written(p, insn, 1, 1ull << 63);
}

/* Of S64 by a number above 0 that is the same for all components. */
static bool divides_by_number(const struct truth_search *s, const struct insn *insn)
{
    const struct operand *o = program_operand(s->p, insn->src + 1);
    struct known none = {.p = s->p};
    uint64_t word;

    if (insn->type != DT_S64 || o->kind != OPND_CONSTANT)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && (!eval_known_operand(&none, o, c, insn->type, &word) || (int64_t)word <= 0))
            return false;
    return true;
}

static bool is_one(uint8_t mask)
{
    return !(mask & (mask - 1));
}

/* What the compiler holds as a predicate: flags that a comparison of integers sets, those of one of floats that a branch tests, in the
 * main program votes and selections, and what divisions of 64 bits are made of. `called`: in a subroutine. */
static bool is_predicate(const struct truth_search *s, uint32_t i, bool called)
{
    const struct insn *insn = program_insn(s->p, i);
    bool wide = insn->type != DT_NONE && type_table[insn->type].bytes == 8;

    if (!s->l->useful[i])
        return false;
    if (!called && eval_names_unbounded(s, i))
        return true;
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return eval_tests_comparison(s, i, &insn->condition, called);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return eval_sign_is_asked(s, i) || (!(program_operand(s->p, insn->src)->flags & OPND_ABSOLUTE) && asks_loads(s, i, ASKED_TRUTHS));
    case OP_CMP:
        return selects(s, i, wide);
    case OP_DIV:
        return divides_for_flags(s, i) || divides_by_number(s, insn) || (insn->type == DT_F64 && !(is_one(insn->dst.mask) && divides_by_zero(s->p, insn)));
    case OP_RCP:
        if (program_operand(s->p, insn->src)->kind == OPND_CONSTANT)
            return false;
        /* fall through */
    case OP_MOD:
        return divides_for_flags(s, i) || (wide && insn->type != DT_U64 && insn->dst.mask & ~eval_folded(s->d, i));
    default:
        return looks_at_load(s, i) || compares_integers(s, i, wide) || (!called && insn->type != DT_NONE && eval_tests_comparison(s, i, &insn->dst.condition, false));
    }
}

static void call_label(struct truth_search *s, uint32_t to, bool *more)
{
    if (to < s->p->insns.count && !s->called[to] && s->l->label[to])
        s->called[to] = *more = true;
}

static void find_called(struct truth_search *s, uint32_t from, bool *more)
{
    for (uint32_t i = from; i < s->p->insns.count && (i == from || !s->l->label[i]); i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->op == OP_CAL)
            call_label(s, insn->partner, more);
        for (uint32_t k = 0; insn->op == OP_CALI && k < s->p->symbols.count; k++) {
            const struct symbol *label = program_symbol(s->p, k);
            if (symbol_is_numbered(label))
                call_label(s, label->instruction, more);
        }
    }
}

static bool divides_doubles(const struct insn *insn)
{
    return insn->op == OP_DIV && insn->type == DT_F64;
}

static uint8_t looked_at_in_main(const struct truth_search *s)
{
    uint8_t codes = 0;

    for (uint32_t i = s->l->entry; i < s->l->main_end; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; s->l->useful[i] && k < 2; k++)
            codes |= (uint8_t)(condition_restricts(tests[k]) ? 1u << (tests[k]->cc & 1u) : 0);
    }
    return codes;
}

/* Marks the subroutines that are called, and counts the predicates in what runs. */
void eval_count_predicates(struct truth_search *s)
{
    bool more = true, called = false;

    s->looked_at = looked_at_in_main(s);
    s->told = eval_told_more(s);
    eval_find_last_setters(s);
    find_called(s, s->l->entry, &more);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++)
            if (s->called[i])
                find_called(s, i, &more);
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        s->divisions += divides_doubles(program_insn(s->p, i));
    for (uint32_t i = 0; i < s->p->insns.count && (s->predicates <= s->divisions || (s->elements && !s->firm)); i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!i || s->l->label[i])
            s->setter[0] = s->setter[1] = NO_INDEX;
        called = s->l->label[i] ? s->called[i] : called;
        if ((eval_in_main(s, i) || called) && is_predicate(s, i, !eval_in_main(s, i))) {
            s->predicates++;
            s->firm += s->elements && !divides_doubles(insn);
        }
        eval_follow_setters(s, i);
    }
}

/* Whether there is any but for divisions of four doubles behind it in its subroutine. */
bool eval_has_predicates(const struct truth_search *s, uint32_t insn)
{
    uint32_t behind = 0;

    if (s->predicates > s->divisions)
        return true;
    for (uint32_t i = insn + 1; !eval_in_main(s, insn) && i < s->p->insns.count && !s->l->label[i]; i++)
        behind += divides_doubles(program_insn(s->p, i)) && program_insn(s->p, i)->dst.mask == 15 && is_predicate(s, i, true);
    return s->predicates > behind;
}

