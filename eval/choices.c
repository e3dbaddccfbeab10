/* Copies with a sign that something chooses, or that a later result may be written over: a CMP, or a write under a test. The driver makes a
 * choice between words of that, and puts the signs on without touching another bit: no flush, and a NaN stays what it was (docs/numbers.md,
 * "Pairs and single instructions"). Not over loops that run. Whatever else reads the copy sees arithmetic; so both are computed, and the words kept. */
#include "eval/choices.h"
#include "eval/elements.h"
#include "eval/shorts.h"

#include <string.h>

static bool is_single(const struct decoder *d, const struct result *r)
{
    const struct symbol *s = r->kind == OPND_SYMBOL && !r->nindices ? program_symbol(d->p, r->ref) : NULL;

    return s && s->kind == SYM_TEMP && s->size == SIZE_DEFAULT;
}

/* Where copies are followed: there, and in SHORT variables as floats. */
static bool is_followed(const struct decoder *d, const struct result *r)
{
    return is_single(d, r) || (d->shorts.both && eval_is_short(d, r->kind, r->ref));
}

/* Whether what is copied, or the copy, is in a SHORT variable. */
static bool touches_short(const struct decoder *d, const struct insn *insn, const struct operand *o)
{
    return d->shorts.both && (eval_is_short(d, o->kind, o->ref) || eval_is_short(d, insn->dst.kind, insn->dst.ref));
}

/* The operand of a CMP, MIN or MAX that component c is known to be, or -1. */
static int taken(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, i);

    for (int k = 0; folded && k < 3; k++)
        if (folded->taken[k] >> c & 1)
            return k;
    return d->choices.equal && d->choices.equal[i] >> c & 1 ? 1 : -1;
}

/* Whether a test may keep component c back. */
static bool may_stay(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, i);

    return condition_restricts(&program_insn(d->p, i)->dst.condition) && !(folded && folded->passes & folded->settled & 1u << c);
}

/* The operand that component c copies, with the signs that come of it, whatever its test says; false: it is no copy. */
static bool copied_operand(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = eval_folded_at(d, i);
    bool flip = false;
    int k = insn->op == OP_MOV || insn->op == OP_ABS ? 0 : insn->op == OP_DST && c > 1 ? (int)c - 2 : taken(d, i, c);

    if (k < 0)
        k = eval_copied_factor(d, i, c, &flip);
    for (int one = 0; k < 0 && folded && insn->op == OP_DST && c == 1 && !(insn->flags & INSN_PREC) && one < 2; one++)
        if (folded->ones[one] & 2) {
            flip = folded->minus[one] >> 1 & 1;
            k = 1 - one;
        }
    if (k < 0 || eval_operand_type(insn, 0) != DT_F32 || eval_folded(d, i) >> c & 1 ||
        insn->flags & (INSN_SAT | INSN_SSAT) || (taken(d, i, c) >= 0 && eval_is_half(d, insn)))
        return false;
    *o = *program_operand(d->p, insn->src + (uint32_t)k);
    if (insn->flags & INSN_PREC && touches_short(d, insn, o))
        return false;
    if (eval_bare_components(d, i, o, DT_F32) >> c & 1)
        o->flags &= (uint16_t)~OPND_SIGNS;
    o->flags ^= flip ? OPND_NEGATE : 0;
    if (insn->op == OP_ABS)
        o->flags = (uint16_t)((o->flags & ~(OPND_NEGATE | OPND_NEGATE_INNER)) | OPND_ABSOLUTE);
    return !operand_has_sign(o) || !folded || !(folded->anywhere >> k & 1) || (insn->op != OP_MOV && insn->op != OP_ABS && !eval_loads_first(d, i, (uint32_t)k));
}

/* The same of a copy with a sign that is followed; what undoes another negation is none. */
bool eval_copies_with_sign(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    return is_followed(d, &program_insn(d->p, i)->dst) && !eval_undoes_negation(d, i) && d->choices.undone[i][c] == NO_INDEX &&
           copied_operand(d, i, c, o) && operand_has_sign(o);
}

bool eval_signed_copy(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    return !may_stay(d, i, c) && eval_copies_with_sign(d, i, c, o);
}

static bool want(struct chooser *c, uint32_t (*at)[4], unsigned component, uint32_t copy)
{
    if (copy != NO_INDEX)
        (*at)[component] = copy;
    for (uint32_t k = copy; k != NO_INDEX; k = c->d->choices.base[k / 4][k % 4])
        c->d->choices.kept[k / 4][k % 4] = 0;           /* wanted */
    return copy != NO_INDEX;
}

/* A component that is copied to itself: no choice, and nothing is written over. */
static bool moves_itself(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct result *r = &program_insn(d->p, i)->dst;
    struct operand o;

    return copied_operand(d, i, c, &o) && !operand_has_sign(&o) && o.kind == r->kind && o.ref == r->ref && !o.nindices && !r->nindices &&
           (o.swizzle >> 2 * c & 3) == c;
}

/* Both of what is chosen from is the same copy, or the same absolute value: it is no choice. */
static bool same_copy(const struct chooser *c, const struct insn *insn, unsigned comp)
{
    const struct operand *a = program_operand(c->d->p, insn->src + 1), *b = a + 1;
    uint32_t copy = eval_copy_held(c, a, comp);
    struct operand o;

    if (copy == NO_INDEX || eval_copy_held(c, b, comp) != copy || (a->flags | b->flags) & (OPND_NEGATE | OPND_NEGATE_INNER))
        return false;
    if (!((a->flags | b->flags) & OPND_ABSOLUTE))
        return true;
    return eval_signed_copy(c->d, copy / 4, copy % 4, &o) && o.flags & OPND_ABSOLUTE && !(o.flags & OPND_NEGATE);
}

/* Component c of an operand: what it is a copy of, as it was then, and with which signs; itself where it is none. */
struct origin {
    uint32_t variable, version;
    bool is_copy, absolute, negative;
};

static bool origin_of_copy(const struct chooser *c, uint32_t copy, struct origin *at)
{
    struct operand from;

    if (!eval_copies_with_sign(c->d, copy / 4, copy % 4, &from))
        return false;
    *at = (struct origin){eval_copy_source(c, &from, copy % 4), c->source[copy / 4][copy % 4], true, from.flags & OPND_ABSOLUTE, operand_negates(&from)};
    return at->variable != NO_INDEX;
}

static bool origin_of(const struct chooser *c, const struct operand *o, unsigned comp, struct origin *at)
{
    uint32_t var = eval_copy_source(c, o, comp);
    bool absolute = o->flags & OPND_ABSOLUTE;

    *at = (struct origin){.variable = var, .version = var == NO_INDEX ? 0 : eval_copy_version(c, var)};
    if (var == NO_INDEX || (c->held[var] != NO_INDEX && !origin_of_copy(c, c->held[var], at)))
        return false;
    at->negative = operand_negates(o) != (at->negative && !absolute);
    at->absolute |= absolute;
    return true;
}

static bool is_same(const struct origin *a, const struct origin *b)
{
    return (a->is_copy || b->is_copy) && a->variable == b->variable && a->version == b->version && a->absolute == b->absolute && a->negative == b->negative;
}

/* Two operands, one of which at least is a copy, that are the same with the same sign: there is nothing to choose. */
static bool same_origin(const struct chooser *c, const struct operand *a, const struct operand *b, unsigned comp)
{
    struct origin x, y;

    return origin_of(c, a, comp, &x) && origin_of(c, b, comp, &y) && is_same(&x, &y) && (x.absolute || x.negative);
}

/* Whether what copies singles may be kept back by its test: a choice between what it copies and what was there. */
static bool may_copy(const struct decoder *d, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, i);

    return (insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_MUL || insn->op == OP_DST || insn->op == OP_MIN || insn->op == OP_MAX) && insn->type == DT_F32 &&
           condition_restricts(&insn->dst.condition) && insn->dst.condition.rule != CC_FL && !(folded && (folded->settled || (folded->mask && insn->op != OP_DST))) && is_single(d, &insn->dst) && !eval_is_by_address(d, &insn->dst) && !insn->cc_update && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

/* What a CMP chooses from, or a copy under a test. */
static void choose(struct chooser *c, uint32_t i, const struct insn *insn)
{
    struct operand o;

    for (unsigned comp = 0; may_copy(c->d, i, insn) && comp < 4; comp++)
        if (insn->dst.mask >> comp & 1 && !moves_itself(c->d, i, comp) && copied_operand(c->d, i, comp, &o))
            want(c, &c->d->choices.operand[i][0], comp, eval_copy_held(c, &o, comp));
    if (insn->op != OP_CMP || insn->type != DT_F32 || eval_is_half(c->d, insn) || insn->flags & (INSN_SAT | INSN_SSAT))
        return;
    for (unsigned comp = 0; comp < 4; comp++) {
        if (!(insn->dst.mask >> comp & 1) || eval_folded(c->d, i) >> comp & 1 || taken(c->d, i, comp) >= 0 || same_copy(c, insn, comp))
            continue;
        if (same_origin(c, program_operand(c->d->p, insn->src + 1), program_operand(c->d->p, insn->src + 2), comp)) {
            c->d->choices.equal[i] |= (uint8_t)(1u << comp);
            continue;
        }
        for (unsigned k = 1; k < 3; k++)
            if (!(insn->flags & INSN_PREC && eval_is_short(c->d, program_operand(c->d->p, insn->src + k)->kind, program_operand(c->d->p, insn->src + k)->ref)))
                want(c, &c->d->choices.operand[i][k - 1], comp, eval_copy_held(c, program_operand(c->d->p, insn->src + k), comp));
    }
}

static bool is_negation(const struct operand *o)
{
    return operand_negates(o) && !(o->flags & OPND_ABSOLUTE);
}

/* The negation of a negation is a copy of what was negated. */
static void undo(struct chooser *c, uint32_t i, const struct insn *insn)
{
    struct operand now, before;

    if (insn->dst.kind != OPND_SYMBOL || (insn->cc_update && condition_restricts(&insn->dst.condition)) || insn->flags & (INSN_PREC | INSN_HALF) || insn->type != DT_F32 ||
        program_symbol(c->d->p, insn->dst.ref)->size == SIZE_SHORT)
        return;
    for (unsigned comp = 0; comp < 4; comp++) {
        uint32_t copy = insn->dst.mask >> comp & 1 && (eval_is_by_address(c->d, &insn->dst) || !may_stay(c->d, i, comp)) && copied_operand(c->d, i, comp, &now) && is_negation(&now) ? eval_copy_held(c, &now, comp) : NO_INDEX;
        if (copy != NO_INDEX && !eval_is_short(c->d, now.kind, now.ref) && eval_copies_with_sign(c->d, copy / 4, copy % 4, &before) && is_negation(&before))
            want(c, &c->d->choices.undone[i], comp, copy);
    }
}

/* Floats of any size, and halves in words. */
static bool gives_floats(const struct insn *insn)
{
    switch (insn->op) {
    case OP_PK2H: case OP_PK2US: case OP_PK4B: case OP_PK4UB: return true;
    case OP_CVT: return type_table[insn->type].is_float;
    default: return type_table[eval_result_type(insn)].is_float;
    }
}

/* Results that are floats are chosen between; what reads bits of the register that it writes is left alone. */
static bool is_chosen(const struct decoder *d, const struct insn *insn)
{
    bool reads = false, moves = false, lanes = insn->op == OP_SWZ || eval_op_flow(insn->op) != FLOW_NONE;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        reads |= o->kind == OPND_SYMBOL && o->ref == insn->dst.ref;
        moves |= insn->op == OP_MOV && operand_has_sign(o);
    }
    if (!gives_floats(insn) || (reads && (!lanes || moves || !type_table[insn->type].is_float)))
        return false;
    return lanes || op_shuffles(insn->op) || insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ;
}

/* What a result under a test is written over: not in an IF behind the copy, nor behind a jump out of a round. */
static void write_over(struct chooser *c, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(c->d, i);
    uint32_t inside = eval_choice_side(c) > c->jump ? eval_choice_side(c) : c->jump;

    if (!condition_restricts(&insn->dst.condition) || insn->dst.condition.rule == CC_FL ||
        !is_single(c->d, &insn->dst) || eval_is_by_address(c->d, &insn->dst) || insn->cc_update || !is_chosen(c->d, insn))
        return;
    for (unsigned comp = 0; comp < 4; comp++) {
        uint32_t var = eval_variable(c->live, insn->dst.kind, insn->dst.ref, false, comp);
        bool kept = op_shuffles(insn->op) && !eval_fills_element(insn) && comp > 0;      /* whatever the test says */
        if (insn->dst.mask >> comp & 1 && !(((folded ? folded->settled : 0) | c->d->choices.same[i]) >> comp & 1) && var != NO_INDEX && !kept &&
            c->held[var] != NO_INDEX && c->held[var] / 4 >= inside && !moves_itself(c->d, i, comp))
            want(c, &c->d->choices.over[i], comp, c->held[var]);
    }
}

/* Copies under a test of what the variable is a copy of already: no choice. */
static void find_same(struct chooser *c, uint32_t i, const struct insn *insn)
{
    for (unsigned comp = 0; condition_restricts(&insn->dst.condition) && insn->dst.kind != OPND_NONE && comp < 4; comp++) {
        uint32_t var = eval_result_variable(c->live, &insn->dst, comp), copy = var == NO_INDEX ? NO_INDEX : c->held[var];
        struct origin now, before;
        struct operand o;
        if (insn->dst.mask >> comp & 1 && copy != NO_INDEX && is_followed(c->d, &insn->dst) && copied_operand(c->d, i, comp, &o) && origin_of(c, &o, comp, &now) &&
            origin_of_copy(c, copy, &before) && is_same(&now, &before))
            c->d->choices.same[i] |= (uint8_t)(1u << comp);
    }
}

/* The block in which the number was made that component comp of a result is: that of what it copies, if it is a copy. */
static uint32_t born_in(const struct chooser *c, uint32_t i, unsigned comp)
{
    const struct insn *insn = program_insn(c->d->p, i);
    struct operand o;
    uint32_t var;

    if (insn->dst.kind == OPND_NONE || !(insn->dst.mask >> comp & 1) || may_stay(c->d, i, comp) || !copied_operand(c->d, i, comp, &o))
        return c->block;
    var = eval_copy_source(c, &o, comp);
    return var == NO_INDEX ? c->block : c->born[var];
}

static void hold(struct chooser *c, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct folded *folded = eval_folded_at(c->d, i);
    uint8_t written = r->kind == OPND_NONE ? 0 : eval_written(c->live, insn) & (uint8_t)~(folded ? folded->fails : 0);
    bool copies = insn->op == OP_MOV && (type_table[insn->type].bytes == 4 || insn->type == DT_F16) && is_followed(c->d, r) && !condition_restricts(&r->condition) &&
                  (type_table[insn->type].is_float || !touches_short(c->d, insn, program_operand(c->d->p, insn->src))) && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !operand_has_sign(program_operand(c->d->p, insn->src));
    uint32_t fresh[4], born[4];
    struct operand o;

    for (unsigned comp = 0; comp < 4; comp++) {
        fresh[comp] = copies ? eval_copy_held(c, program_operand(c->d->p, insn->src), comp) : NO_INDEX;
        if (copies || may_stay(c->d, i, comp))
            continue;
        if (is_followed(c->d, r) && copied_operand(c->d, i, comp, &o) && !operand_has_sign(&o) && !touches_short(c->d, insn, &o))
            fresh[comp] = eval_copy_held(c, &o, comp);
        if (!eval_signed_copy(c->d, i, comp, &o))
            continue;
        fresh[comp] = i * 4 + comp;
        c->far[i] |= (uint8_t)((born_in(c, i, comp) != c->block) << comp);
        c->d->choices.base[i][comp] = touches_short(c->d, insn, &o) ? NO_INDEX : eval_copy_held(c, &o, comp);
        c->source[i][comp] = eval_copy_source(c, &o, comp) == NO_INDEX ? 0 : eval_copy_version(c, eval_copy_source(c, &o, comp));
    }
    for (unsigned comp = 0; comp < 4; comp++)
        born[comp] = born_in(c, i, comp);
    for (unsigned comp = 0; comp < 4; comp++) {
        uint32_t var = eval_result_variable(c->live, r, comp);
        if (!(written >> comp & 1) || var == NO_INDEX)
            continue;
        c->born[var] = born[comp];
        eval_hold_copy(c, var, c->d->choices.same[i] >> comp & 1 ? c->held[var] : fresh[comp]);
    }
}

/* Whether an instruction may be the negation of something. */
static bool may_negate(const struct decoder *d, uint32_t i, const struct insn *insn)
{
    bool any = false;

    for (unsigned c = 0; insn->type == DT_F32 && c < 4; c++) {
        struct operand o;
        any |= insn->dst.mask >> c & 1 && copied_operand(d, i, c, &o) && is_negation(&o);
    }
    return any;
}

static bool worth_it(const struct decoder *d)
{
    bool copies = false, chooses = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        chooses |= copies && (insn->op == OP_CMP || condition_restricts(&insn->dst.condition) || may_negate(d, i, insn));
        copies |= insn->op == OP_MOV || insn->op == OP_ABS || insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_DST;
    }
    return chooses;
}

static bool allocate(struct choices *out, size_t n)
{
    out->kept = gp5_malloc(n * sizeof *out->kept);
    out->operand = gp5_malloc(n * sizeof *out->operand);
    out->over = gp5_malloc(n * sizeof *out->over);
    out->same = gp5_malloc(n);
    out->equal = gp5_malloc(n);
    out->base = gp5_malloc(n * sizeof *out->base);
    out->undone = gp5_malloc(n * sizeof *out->undone);
    if (!out->kept || !out->operand || !out->over || !out->same || !out->equal || !out->base || !out->undone)
        return false;
    memset(out->kept, 0xff, n * sizeof *out->kept);
    memset(out->operand, 0xff, n * sizeof *out->operand);
    memset(out->over, 0xff, n * sizeof *out->over);
    memset(out->same, 0, n);
    memset(out->equal, 0, n);
    memset(out->base, 0xff, n * sizeof *out->base);
    memset(out->undone, 0xff, n * sizeof *out->undone);
    return true;
}

/* Not where a loop that is unrolled began, or an IF that is known. */
static bool begins_block(const struct decoder *d, uint32_t i)
{
    uint8_t form = eval_form(d, i);

    return eval_ends_block(program_insn(d->p, i)) && form != FORM_OPEN && form != FORM_NEXT && form != FORM_LAST && form != FORM_KNOWN;
}

bool eval_find_choices(struct decoder *d)
{
    size_t n = d->p->insns.count;
    struct chooser c = {.d = d};

    if (!eval_has(d, PASS_select) || !worth_it(d))
        return true;
    c.live = eval_liveness(d);
    if (!c.live)
        return false;
    c.failed = !allocate(&d->choices, n) || !eval_chooser_new(&c);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        const struct insn *insn = program_insn(d->p, i);
        c.block += begins_block(d, i);
        undo(&c, i, insn);
        find_same(&c, i, insn);
        choose(&c, i, insn);
        write_over(&c, i, insn);
        hold(&c, i, insn);
        eval_follow_choices(&c, i, insn->op);
    }
    eval_chooser_free(&c);
    return !c.failed || eval_out_of_memory(d);
}

void eval_choices_free(struct choices *c)
{
    gp5_free(c->kept);
    gp5_free(c->operand);
    gp5_free(c->over);
    gp5_free(c->same);
    gp5_free(c->equal);
    gp5_free(c->undone);
    gp5_free(c->base);
}
