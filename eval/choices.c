/* Copies with a sign that something chooses, or that a later result may be written over: a CMP, or a write under a test. The driver makes a
 * choice between words of that, and puts the signs on without touching another bit: no flush, and a NaN stays what it was (docs/numbers.md,
 * "Pairs and single instructions"). Not over loops that run. Whatever else reads the copy sees arithmetic; so both are computed, and the words kept. */
#include "eval/forward.h"
#include "eval/shared_map.h"
#include "eval/shorts.h"

#include <string.h>

/* What a variable holds: component of a copy with a sign, 4 * instruction + component, or NO_INDEX. */
struct chooser {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *held;             /* of each variable */
    struct shared_map holds;    /* of each: 1 where that is a copy */
    struct shared_map copied;   /* of each: the first of those that hold a copy of it, and 1 */
    uint32_t *next, *previous;  /* of those: the one behind it, and before it, or NO_INDEX */
    uint32_t *version;          /* of each variable: how often it was written so far; what calls add for all of them */
    uint32_t called;
    struct vec found;           /* uint32_t: variables that were looked for */
    uint32_t (*source)[4];      /* of each copy: the version of what it copies */
    uint32_t *calls;            /* of each label, by the instruction behind it */
    bool indirect;              /* CALI calls somewhere */
    struct vec written, sides;  /* struct earlier: what was written in the IFs around; struct side: these */
    uint8_t *jumped;            /* of each instruction: lanes jump there out of a loop, or to its next round */
    bool failed;
};

struct side {
    size_t from;                /* where what is written in it begins */
    uint32_t at;                /* the IF */
};

/* What a variable held before it was written. */
struct earlier {
    uint32_t var, held;
};

static bool is_single(const struct decoder *d, const struct result *r)
{
    const struct symbol *s = r->kind == OPND_SYMBOL && !r->nindices ? program_symbol(d->p, r->ref) : NULL;

    return s && s->kind == SYM_TEMP && s->size == SIZE_DEFAULT;
}

/* Where copies are followed: there, and in SHORT variables as floats. */
static bool is_followed(const struct decoder *d, const struct result *r)
{
    return is_single(d, r) || (!r->nindices && d->shorts.both && eval_is_short(d, r->kind, r->ref));
}

static bool touches_short(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);

    return d->shorts.both && (eval_is_short(d, o->kind, o->ref) || eval_is_short(d, insn->dst.kind, insn->dst.ref));
}

/* The operand of a CMP, MIN or MAX that component c is known to be, or -1. */
static int taken(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, i);

    for (int k = 0; folded && k < 3; k++)
        if (folded->taken[k] >> c & 1)
            return k;
    return -1;
}

/* Whether a test may keep component c back. */
static bool may_stay(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, i);

    return condition_restricts(&program_insn(d->p, i)->dst.condition) && !(folded && folded->passes >> c & 1);
}

/* The operand that component c copies, with the signs that come of it, whatever its test says; false: it is no copy. */
static bool copied_operand(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    const struct insn *insn = program_insn(d->p, i);
    bool flip = false;
    int k = insn->op == OP_MOV || insn->op == OP_ABS ? 0 : insn->op == OP_DST && c > 1 ? (int)c - 2 : taken(d, i, c);

    if (k < 0)
        k = eval_copied_factor(d, i, c, &flip);
    if (k < 0 || eval_operand_type(insn, 0) != DT_F32 || eval_folded(d, i) >> c & 1 ||
        insn->flags & (INSN_SAT | INSN_SSAT) || (insn->flags & INSN_PREC && touches_short(d, insn)) || (taken(d, i, c) >= 0 && eval_is_half(d, insn)))
        return false;
    *o = *program_operand(d->p, insn->src + (uint32_t)k);
    o->flags ^= flip ? OPND_NEGATE : 0;
    if (insn->op == OP_ABS)
        o->flags = (uint16_t)((o->flags & ~(OPND_NEGATE | OPND_NEGATE_INNER)) | OPND_ABSOLUTE);
    return true;
}

/* The same of a copy with a sign that is followed; what undoes another negation is none. */
static bool copies_with_sign(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    return is_followed(d, &program_insn(d->p, i)->dst) && !eval_undoes_negation(d, i) && d->choices.undone[i][c] == NO_INDEX &&
           copied_operand(d, i, c, o) && operand_has_sign(o);
}

static bool signed_copy(const struct decoder *d, uint32_t i, unsigned c, struct operand *o)
{
    return !may_stay(d, i, c) && copies_with_sign(d, i, c, o);
}

static uint32_t held(const struct chooser *c, const struct operand *o, unsigned component)
{
    uint32_t var = eval_variable(c->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * component & 3);

    return var == NO_INDEX ? NO_INDEX : c->held[var];
}

static bool want(struct chooser *c, uint32_t (*at)[4], unsigned component, uint32_t copy)
{
    if (copy != NO_INDEX)
        (*at)[component] = copy;
    for (uint32_t k = copy; k != NO_INDEX; k = c->d->choices.base[k / 4][k % 4])
        c->d->choices.kept[k / 4][k % 4] = 0;           /* wanted */
    return copy != NO_INDEX;
}

/* Both of what is chosen from is the same copy, or the same absolute value: it is no choice. */
static bool same_copy(const struct chooser *c, const struct insn *insn, unsigned comp)
{
    const struct operand *a = program_operand(c->d->p, insn->src + 1), *b = a + 1;
    uint32_t copy = held(c, a, comp);
    struct operand o;

    if (copy == NO_INDEX || held(c, b, comp) != copy || (a->flags | b->flags) & (OPND_NEGATE | OPND_NEGATE_INNER))
        return false;
    if (!((a->flags | b->flags) & OPND_ABSOLUTE))
        return true;
    return signed_copy(c->d, copy / 4, copy % 4, &o) && o.flags & OPND_ABSOLUTE && !(o.flags & OPND_NEGATE);
}

/* Whether a MOV of singles may be kept back by its test: a choice between what it copies and what was there. */
static bool may_copy(const struct decoder *d, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, i);

    return insn->op == OP_MOV && insn->type == DT_F32 && condition_restricts(&insn->dst.condition) && insn->dst.condition.rule != CC_FL &&
           !(folded && (folded->settled || folded->mask)) && is_single(d, &insn->dst) && !insn->cc_update && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

/* What a CMP chooses from, or a MOV under a test. */
static void choose(struct chooser *c, uint32_t i, const struct insn *insn)
{
    for (unsigned comp = 0; may_copy(c->d, i, insn) && comp < 4; comp++)
        if (insn->dst.mask >> comp & 1)
            want(c, &c->d->choices.operand[i][0], comp, held(c, program_operand(c->d->p, insn->src), comp));
    if (insn->op != OP_CMP || insn->type != DT_F32 || eval_is_half(c->d, insn) || insn->flags & (INSN_SAT | INSN_SSAT))
        return;
    for (unsigned comp = 0; comp < 4; comp++) {
        if (!(insn->dst.mask >> comp & 1) || eval_folded(c->d, i) >> comp & 1 || taken(c->d, i, comp) >= 0 || same_copy(c, insn, comp))
            continue;
        for (unsigned k = 1; k < 3; k++)
            if (!(insn->flags & INSN_PREC && eval_is_short(c->d, program_operand(c->d->p, insn->src + k)->kind, program_operand(c->d->p, insn->src + k)->ref)))
                want(c, &c->d->choices.operand[i][k - 1], comp, held(c, program_operand(c->d->p, insn->src + k), comp));
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
        uint32_t copy = insn->dst.mask >> comp & 1 && !may_stay(c->d, i, comp) && copied_operand(c->d, i, comp, &now) && is_negation(&now) ? held(c, &now, comp) : NO_INDEX;
        if (copy != NO_INDEX && !eval_is_short(c->d, now.kind, now.ref) && copies_with_sign(c->d, copy / 4, copy % 4, &before) && is_negation(&before))
            want(c, &c->d->choices.undone[i], comp, copy);
    }
}

/* Results of singles are chosen between; what reads bits of the register that it writes is left alone. */
static bool is_chosen(const struct decoder *d, const struct insn *insn)
{
    bool reads = false, lanes = eval_op_flow(insn->op) != FLOW_NONE;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        reads |= o->kind == OPND_SYMBOL && o->ref == insn->dst.ref;
    }
    if (eval_result_type(insn) != DT_F32 || (reads && (!lanes || insn->op == OP_MOV || !type_table[insn->type].is_float)))
        return false;
    return lanes || op_shuffles(insn->op) || insn->op == OP_TGALL || insn->op == OP_TGANY || insn->op == OP_TGEQ;
}

/* What a result under a test is written over: not in an IF behind the copy. */
static void write_over(struct chooser *c, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(c->d, i);
    uint32_t inside = c->sides.count ? ((struct side *)vec_at(&c->sides, c->sides.count - 1))->at : 0;

    if (!condition_restricts(&insn->dst.condition) || insn->dst.condition.rule == CC_FL ||
        !is_single(c->d, &insn->dst) || insn->cc_update || !is_chosen(c->d, insn))
        return;
    for (unsigned comp = 0; comp < 4; comp++) {
        uint32_t var = eval_variable(c->live, insn->dst.kind, insn->dst.ref, false, comp);
        bool kept = eval_untouched(insn->op) >> comp & 1 || (op_shuffles(insn->op) && comp > 0);     /* whatever the test says */
        if (insn->dst.mask >> comp & 1 && !(((folded ? folded->settled : 0) | c->d->choices.same[i]) >> comp & 1) && var != NO_INDEX && !kept && c->held[var] != NO_INDEX && c->held[var] / 4 >= inside)
            want(c, &c->d->choices.over[i], comp, c->held[var]);
    }
}

static uint32_t source_of(const struct chooser *c, const struct operand *o, unsigned comp)
{
    return eval_variable(c->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * comp & 3);
}

static uint32_t version_of(const struct chooser *c, uint32_t var)
{
    return c->version[var] + c->called;
}

/* The variable that a copy is one of, or NO_INDEX. */
static uint32_t copied_variable(const struct chooser *c, uint32_t copy)
{
    struct operand o;

    return copy != NO_INDEX && copies_with_sign(c->d, copy / 4, copy % 4, &o) ? source_of(c, &o, copy % 4) : NO_INDEX;
}

static uint32_t first_copy(const struct chooser *c, uint32_t source)
{
    const uint32_t *first = shared_map_at(&c->copied, source);

    return first && *first ? *first - 1u : NO_INDEX;
}

static void set_first_copy(struct chooser *c, uint32_t source, uint32_t var)
{
    uint32_t first = var + 1u;          /* 0 of NO_INDEX */

    shared_map_put(&c->copied, source, &first);
}

static void put_held(struct chooser *c, uint32_t var, uint32_t to)
{
    uint32_t from = copied_variable(c, c->held[var]), source = copied_variable(c, to), is_copy = to != NO_INDEX;

    if (c->held[var] == to)
        return;
    if (from != NO_INDEX && c->previous[var] != NO_INDEX)
        c->next[c->previous[var]] = c->next[var];
    else if (from != NO_INDEX)
        set_first_copy(c, from, c->next[var]);
    if (from != NO_INDEX && c->next[var] != NO_INDEX)
        c->previous[c->next[var]] = c->previous[var];
    c->held[var] = to;
    shared_map_put(&c->holds, var, &is_copy);
    if (source == NO_INDEX)
        return;
    c->previous[var] = NO_INDEX;
    c->next[var] = first_copy(c, source);
    if (c->next[var] != NO_INDEX)
        c->previous[c->next[var]] = var;
    set_first_copy(c, source, var);
}

static void note_found(void *user, uint32_t var, void *value)
{
    struct chooser *c = user;

    (void)value;
    c->failed |= eval_push(c->d, &c->found, &var) == NO_INDEX;
}

static void note_copies(void *user, uint32_t source, void *value)
{
    struct chooser *c = user;

    (void)source;
    for (uint32_t var = *(const uint32_t *)value - 1u; var != NO_INDEX; var = c->next[var])
        note_found(c, var, NULL);
}

static uint32_t found(const struct chooser *c, size_t at)
{
    return *(const uint32_t *)vec_at(&c->found, at);
}

/* Nothing is known to be a copy any more. */
static void forget_all(struct chooser *c)
{
    c->found.count = 0;
    shared_map_each_apart(&c->holds, NULL, note_found, c);
    for (size_t k = 0; k < c->found.count; k++)
        c->held[found(c, k)] = NO_INDEX;
    shared_map_free(&c->holds);
    shared_map_free(&c->copied);
}

static void set_held(struct chooser *c, uint32_t var, uint32_t to)
{
    size_t at = c->sides.count && c->held[var] != to ? vec_grow(&c->written) : 0;

    if (at == SIZE_MAX)
        c->failed = true;
    else if (c->sides.count && c->held[var] != to)
        *(struct earlier *)vec_at(&c->written, at) = (struct earlier){var, c->held[var]};
    put_held(c, var, to);
    c->version[var]++;
}

/* Copies under a test of what the variable is a copy of already: no choice. */
static void find_same(struct chooser *c, uint32_t i, const struct insn *insn)
{
    for (unsigned comp = 0; condition_restricts(&insn->dst.condition) && insn->dst.kind != OPND_NONE && comp < 4; comp++) {
        uint32_t var = eval_variable(c->live, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, comp), copy = var == NO_INDEX ? NO_INDEX : c->held[var];
        struct operand o, before;
        if (!(insn->dst.mask >> comp & 1) || copy == NO_INDEX || !copies_with_sign(c->d, i, comp, &o) || !copies_with_sign(c->d, copy / 4, copy % 4, &before))
            continue;
        var = source_of(c, &o, comp);
        if (var != NO_INDEX && var == source_of(c, &before, copy % 4) && c->source[copy / 4][copy % 4] == version_of(c, var) &&
            (o.flags & OPND_ABSOLUTE) == (before.flags & OPND_ABSOLUTE) && operand_negates(&o) == operand_negates(&before))
            c->d->choices.same[i] |= (uint8_t)(1u << comp);
    }
}

static void hold(struct chooser *c, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct folded *folded = eval_folded_at(c->d, i);
    uint8_t written = r->kind == OPND_NONE ? 0 : eval_written(c->live, insn) & (uint8_t)~(folded ? folded->fails : 0);
    bool copies = insn->op == OP_MOV && (type_table[insn->type].bytes == 4 || insn->type == DT_F16) && is_followed(c->d, r) && !condition_restricts(&r->condition) &&
                  (type_table[insn->type].is_float || !touches_short(c->d, insn)) && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !operand_has_sign(program_operand(c->d->p, insn->src));
    uint32_t fresh[4];
    struct operand o;

    for (unsigned comp = 0; comp < 4; comp++) {
        fresh[comp] = copies ? held(c, program_operand(c->d->p, insn->src), comp) : NO_INDEX;
        if (copies || may_stay(c->d, i, comp))
            continue;
        if (is_followed(c->d, r) && copied_operand(c->d, i, comp, &o) && !operand_has_sign(&o) && !touches_short(c->d, insn))
            fresh[comp] = held(c, &o, comp);
        if (!signed_copy(c->d, i, comp, &o))
            continue;
        fresh[comp] = i * 4 + comp;
        c->d->choices.base[i][comp] = touches_short(c->d, insn) ? NO_INDEX : held(c, &o, comp);
        c->source[i][comp] = source_of(c, &o, comp) == NO_INDEX ? 0 : version_of(c, source_of(c, &o, comp));
    }
    for (unsigned comp = 0; comp < 4; comp++) {
        uint32_t var = eval_variable(c->live, r->kind, r->ref, r->nindices != 0, comp);
        if (!(written >> comp & 1) || var == NO_INDEX)
            continue;
        set_held(c, var, c->d->choices.same[i] >> comp & 1 ? c->held[var] : fresh[comp]);
    }
}

/* Goes back to where the innermost IF begins; at its end what its sides wrote is not known. */
static void end_side(struct chooser *c, bool both)
{
    size_t from = ((struct side *)vec_at(&c->sides, c->sides.count - 1))->from;

    for (size_t i = c->written.count; i-- > from;) {
        const struct earlier *e = vec_at(&c->written, i);
        put_held(c, e->var, both ? NO_INDEX : e->held);
    }
    c->sides.count -= both;
    if (!c->sides.count)
        c->written.count = 0;
}

/* Whether a subroutine is called here alone: it stands in the place of the call then. */
static bool is_called_once(const struct chooser *c, const struct insn *call)
{
    return !c->indirect && call->op == OP_CAL && call->partner < c->d->p->insns.count && c->calls[call->partner] == 1;
}

static void count_calls(struct chooser *c)
{
    uint32_t n = (uint32_t)c->d->p->insns.count;

    memset(c->calls, 0, n * sizeof *c->calls);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(c->d->p, i);
        c->indirect |= insn->op == OP_CALI;
        if (insn->op == OP_CAL && insn->partner < n)
            c->calls[insn->partner]++;
    }
}

/* What a subroutine writes is a copy no more behind the call; nor, unless it stands in the place of the call and all lanes run it, is what copies
 * that. */
static void go_over_call(struct chooser *c, uint32_t i, const struct insn *call)
{
    bool stands_here = !condition_restricts(&call->condition) && is_called_once(c, call);
    const struct shared_bits *written = call->condition.rule != CC_FL ? eval_written_by_call(c->live, i) : NULL;

    c->found.count = 0;
    if (written)
        shared_map_each_of(&c->holds, written, note_found, c);
    if (written && !stands_here)
        shared_map_each_of(&c->copied, written, note_copies, c);
    for (size_t k = 0; k < c->found.count; k++)
        if (c->held[found(c, k)] != NO_INDEX)
            set_held(c, found(c, k), NO_INDEX);
    c->called++;
}

/* Choices go over IF, ELSE and ENDIF, over calls, and through loops that are unrolled, but not over others. */
static void follow(struct chooser *c, uint32_t i, unsigned op)
{
    uint8_t form = eval_form(c->d, i);
    bool ends = false;
    size_t at;

    switch (op) {
    case OP_IF:
        if (form == FORM_KNOWN)     /* there is but one way */
            break;
        at = vec_grow(&c->sides);
        if (at == SIZE_MAX)
            c->failed = true;
        else
            *(struct side *)vec_at(&c->sides, at) = (struct side){c->written.count, i};
        break;
    case OP_ELSE: case OP_ENDIF:
        if (c->sides.count && form != FORM_KNOWN)
            end_side(c, op == OP_ENDIF);
        break;
    case OP_REP: ends = form != FORM_OPEN; break;
    case OP_ENDREP: ends = c->jumped[i] || (form != FORM_NEXT && form != FORM_LAST); break;
    case OP_CAL: case OP_CALI: go_over_call(c, i, program_insn(c->d->p, i)); break;
    case OP_RET: ends = true; break;
    default: break;
    }
    if (ends || (i + 1 < c->d->p->insns.count && (c->live->label[i + 1] || i + 1 == c->live->entry)))
        forget_all(c);
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

bool eval_find_choices(struct decoder *d)
{
    size_t n = d->p->insns.count;
    struct chooser c = {.d = d};
    struct choices *out = &d->choices;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !worth_it(d))
        return true;
    c.live = eval_liveness(d);
    if (!c.live)
        return false;
    c.held = gp5_malloc((c.live->nvars + 1u) * sizeof *c.held);
    c.next = gp5_malloc((c.live->nvars + 1u) * sizeof *c.next);
    c.previous = gp5_malloc((c.live->nvars + 1u) * sizeof *c.previous);
    c.holds = c.copied = shared_map_none(c.live->nvars, sizeof(uint32_t));
    out->kept = gp5_malloc(n * sizeof *out->kept);
    out->operand = gp5_malloc(n * sizeof *out->operand);
    out->over = gp5_malloc(n * sizeof *out->over);
    out->same = gp5_malloc(n);
    out->base = gp5_malloc(n * sizeof *out->base);
    out->undone = gp5_malloc(n * sizeof *out->undone);
    c.version = gp5_malloc((c.live->nvars + 1u) * sizeof *c.version);
    c.source = gp5_malloc(n * sizeof *c.source);
    c.jumped = gp5_malloc(n + 1);
    c.calls = gp5_malloc(n * sizeof *c.calls);
    if (!c.held || !c.next || !c.previous || !c.version || !c.source || !c.jumped || !c.calls || !out->kept || !out->operand || !out->over || !out->same || !out->undone || !out->base) {
        gp5_free(c.held);
        gp5_free(c.next);
        gp5_free(c.previous);
        gp5_free(c.version);
        gp5_free(c.source);
        gp5_free(c.jumped);
        gp5_free(c.calls);
        return eval_out_of_memory(d);
    }
    memset(out->same, 0, n);
    count_calls(&c);
    memset(c.jumped, 0, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if ((program_insn(d->p, i)->op == OP_BRK || program_insn(d->p, i)->op == OP_CONT) && program_insn(d->p, i)->partner < n && eval_form(d, i) != FORM_KNOWN)
            c.jumped[program_insn(d->p, i)->partner] = 1;
    memset(c.version, 0, c.live->nvars * sizeof *c.version);
    memset(out->kept, 0xff, n * sizeof *out->kept);
    memset(out->operand, 0xff, n * sizeof *out->operand);
    memset(out->over, 0xff, n * sizeof *out->over);
    memset(out->undone, 0xff, n * sizeof *out->undone);
    memset(out->base, 0xff, n * sizeof *out->base);
    vec_init(&c.written, sizeof(struct earlier));
    vec_init(&c.sides, sizeof(struct side));
    vec_init(&c.found, sizeof(uint32_t));
    memset(c.held, 0xff, c.live->nvars * sizeof *c.held);
    for (uint32_t i = 0; i < n && !c.failed; i++) {
        const struct insn *insn = program_insn(d->p, i);
        undo(&c, i, insn);
        find_same(&c, i, insn);
        choose(&c, i, insn);
        write_over(&c, i, insn);
        hold(&c, i, insn);
        follow(&c, i, insn->op);
    }
    c.failed |= c.holds.failed || c.copied.failed;
    gp5_free(c.held);
    gp5_free(c.next);
    gp5_free(c.previous);
    gp5_free(c.version);
    gp5_free(c.source);
    gp5_free(c.jumped);
    gp5_free(c.calls);
    shared_map_free(&c.holds);
    shared_map_free(&c.copied);
    vec_free(&c.written);
    vec_free(&c.sides);
    vec_free(&c.found);
    return !c.failed || eval_out_of_memory(d);
}

void eval_choices_free(struct choices *c)
{
    gp5_free(c->kept);
    gp5_free(c->operand);
    gp5_free(c->over);
    gp5_free(c->same);
    gp5_free(c->undone);
    gp5_free(c->base);
}

/* ---- decoding --------------------------------------------------------------------------------------------------------- */

/* The words of one component, with its signs. */
static bool keep_words(struct decoder *d, uint32_t i, unsigned c)
{
    struct operand o;
    struct fetched f;
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};
    uint32_t base = d->choices.base[i][c];

    if (!signed_copy(d, i, c, &o))
        return true;
    bool clears = o.flags & OPND_ABSOLUTE, flips = operand_negates(&o);
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!eval_fetch(d, &o, DT_F32, (uint8_t)(1u << c), true, &f))
        return false;
    op.src[0][0] = f.plane[c];
    if (base != NO_INDEX && base / 4 < i)
        op.src[0][0] = d->choices.kept[base / 4][base % 4];
    for (unsigned step = 0; step < 2; step++) {
        struct kernel_request request = eval_request(d, step ? OP_XOR : OP_AND, DT_U32);
        op.src[1][0] = eval_layout_word(&d->layout, step ? flips ? 0x80000000u : 0 : clears ? 0x7fffffff : UINT32_MAX);
        op.dst[0] = step ? eval_layout_planes(&d->layout, 1) : eval_layout_scratch(&d->layout);
        if (!eval_raw(d, &request, &op, NULL))
            return false;
        op.src[0][0] = op.dst[0];
    }
    d->choices.kept[i][c] = op.dst[0];
    return true;
}

/* What is written over becomes the words, before the test decides. */
static bool restore_words(struct decoder *d, uint32_t i)
{
    struct insn mov = *program_insn(d->p, i);
    struct lane_op op = {.n = 0};

    mov.dst.condition = (struct condition){0};
    mov.dst.mask = 0;
    mov.cc_update = 0;
    mov.op = OP_MOV;
    mov.type = DT_U32;
    mov.flags = 0;
    for (unsigned c = 0; c < 4; c++)
        mov.dst.mask |= (uint8_t)((d->choices.over[i][c] != NO_INDEX) << c);
    op.n = (uint8_t)eval_components(mov.dst.mask, op.comp);
    for (unsigned k = 0; k < op.n; k++) {
        uint32_t from = d->choices.over[i][op.comp[k]];
        op.src[0][k] = d->choices.kept[from / 4][from % 4];
    }
    return !op.n || eval_emit(d, &mov, eval_request(d, OP_MOV, DT_U32), &op);
}

bool eval_keep_words(struct decoder *d, uint32_t i)
{
    if (!d->choices.kept)
        return true;
    for (unsigned c = 0; c < 4; c++)
        if (d->choices.kept[i][c] != NO_PLANE && !keep_words(d, i, c))
            return false;
    return restore_words(d, i);
}

void eval_take_words(const struct decoder *d, struct lane_op *op)
{
    for (unsigned k = 1; d->choices.kept && k < 3; k++)
        for (unsigned j = 0; j < op->n; j++) {
            uint32_t from = d->choices.operand[d->insn][k - 1][op->comp[j]];
            if (from != NO_INDEX)
                op->src[k][j] = d->choices.kept[from / 4][from % 4];
        }
}

uint32_t eval_copied_words(const struct decoder *d, unsigned c)
{
    uint32_t from = d->choices.kept && program_insn(d->p, d->insn)->op == OP_MOV ? d->choices.operand[d->insn][0][c] : NO_INDEX;

    return from == NO_INDEX ? NO_PLANE : d->choices.kept[from / 4][from % 4];
}

bool eval_choose_words(struct decoder *d, const struct insn *insn, bool *done)
{
    struct lane_op op = {.n = 0};
    bool any = false;

    for (unsigned k = 0; d->choices.kept && insn->op == OP_CMP && k < 2; k++)
        for (unsigned c = 0; c < 4; c++)
            any |= insn->dst.mask >> c & 1 && d->choices.operand[d->insn][k][c] != NO_INDEX;
    if (!any)
        return true;
    *done = true;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned k = 0; k < 3; k++)
        if (!eval_place_operand(d, insn, &op, k, program_operand(d->p, insn->src + k), DT_F32))
            return false;
    eval_take_words(d, &op);
    return eval_emit(d, insn, eval_request_of(d, insn, OP_CMP), &op);
}

uint8_t eval_undone(const struct decoder *d)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->choices.kept && c < 4; c++)
        mask |= (uint8_t)((d->choices.undone[d->insn][c] != NO_INDEX) << c);
    return mask;
}

bool eval_write_undone(struct decoder *d, const struct insn *insn, uint8_t mask)
{
    struct insn some = *insn;
    struct kernel_request flip = eval_request(d, OP_XOR, DT_U32), widen = eval_request(d, OP_CVT, DT_F64);
    bool wide = program_is_long(d->p, insn->dst.kind, insn->dst.ref);
    struct lane_op op = {.n = 0};

    some.dst.mask = mask;
    widen.type2 = DT_F32;
    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned k = 0; k < op.n; k++) {
        uint32_t from = d->choices.undone[d->insn][op.comp[k]];
        op.src[0][k] = d->choices.kept[from / 4][from % 4];
        op.src[1][k] = eval_layout_word(&d->layout, 0x80000000u);
        op.dst[k] = eval_layout_scratch(&d->layout);
    }
    return !mask || (eval_raw(d, &flip, &op, NULL) && (!wide || eval_after(d, widen, op.n, op.dst)) &&
                     eval_decode_result(d, &some, wide ? DT_F64 : DT_F32, op.dst, NULL, 0));
}
