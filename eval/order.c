/* Which of two doubles an operation takes first, which shows where both are NaN: the driver's compiler orders the
 * operands of ADD, SUB, MUL, MIN and MAX and the factors of MAD by where they come from (docs/numbers.md, "Doubles").
 * Loads come in the order of the text, results of other instructions after them and the last one first; what two ways
 * lead to stands where its first value would.
 *
 * One walk finds which values go into such meetings, and others the order; it follows flow as it goes: what leaves a loop,
 * goes on to its next round or returns takes its values along. */
#include "eval/liveness.h"
#include "eval/sources.h"

#include <string.h>

enum source { FROM_CONSTANT, FROM_BUFFER, FROM_LOADED, FROM_MERGED, FROM_RESULT };

/* Where a component's value was made: four times the instruction and the component. */
struct origin {
    uint32_t at;                /* through copies; or NO_INDEX */
    uint32_t own;               /* what wrote the variable */
    uint8_t from;
    bool several;               /* ways lead here with different values */
    bool copied;                /* a copy of what ways lead to with different values */
};

/* An IF or a loop around. */
struct surrounding {
    uint32_t begin;             /* the IF or REP */
    bool loop, dead;            /* dead: nobody comes to it */
    struct origin *before;
    struct origin *behind;      /* of an IF what its first side left, of a loop what those had who are out; NULL: nobody */
    struct origin *next;        /* what those had who are on to the next round, or NULL */
};

struct rank {
    uint8_t from;
    int64_t at;
};

enum { MAX_WALKS = 8 };

struct walk {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *slot;             /* of each symbol: its first origin, or NO_INDEX */
    uint32_t nslots;
    struct origin *now;
    struct origin **entered;    /* of each instruction: what stands before it when it is called first, or NULL */
    uint32_t *caller;           /* of each: the first call */
    uint8_t *several;
    uint8_t *in_sub;            /* of each origin: whether a subroutine writes it */
    struct vec around;          /* struct surrounding */
    bool dead;                  /* nobody comes here */
    uint64_t *widened;          /* of each variable of 32 bits: where it was last made a double, and `stretch` above */
    uint32_t stretch;           /* of straight-line code: conversions hold as long as one lasts */
    uint8_t *webbed;            /* of each instruction: components that meet others */
    uint8_t *order;             /* of each instruction: components whose first two operands change places */
    uint8_t **changes;          /* of each REP: origins that another round brings others for; or NULL */
    bool learnt;                /* other values come to a subroutine or a round than in the walk before */
    bool failed;
};

static const struct origin unknown = {.at = NO_INDEX, .own = NO_INDEX, .from = FROM_RESULT};

static uint32_t slot_of(const struct walk *w, uint8_t kind, uint32_t ref, bool indexed, unsigned c)
{
    return kind != OPND_SYMBOL || indexed || w->slot[ref] == NO_INDEX ? NO_INDEX : w->slot[ref] + c;
}

/* ---- where ways meet ------------------------------------------------------------------------------------------------------ */

static void web(struct walk *w, const struct origin *o)
{
    if (o->own != NO_INDEX)
        w->webbed[o->own / 4] |= (uint8_t)(1u << o->own % 4);
}

/* What a subroutine leaves makes no loads meet where an IF or a loop ends. */
static bool is_call(const struct walk *w, const struct origin *o)
{
    uint16_t op = program_insn(w->d->p, o->own / 4)->op;

    return op == OP_CAL || op == OP_CALI;
}

static void web_both(struct walk *w, const struct origin *a, const struct origin *b)
{
    if (is_call(w, a) || is_call(w, b))
        return;
    web(w, a);
    web(w, b);
}

static bool wanted(const struct walk *w, uint32_t insn, uint32_t symbol, unsigned c)
{
    if (insn >= w->d->p->insns.count)
        return false;
    const uint64_t *set = w->live->live_in + (size_t)w->live->block[insn] * w->live->words;
    uint32_t var = eval_variable(w->live, OPND_SYMBOL, symbol, false, c);

    return var != NO_INDEX && set[var / 64] >> var % 64 & 1;
}

/* Copies of others do not stand in their place. */
static void make_several(struct origin *o)
{
    if (o->own != o->at || o->copied)
        o->from = FROM_RESULT;
    o->several = true;
    o->copied = false;
}

/* Two values of one variable, if it is read from instruction `insn` on. */
static void meet(struct walk *w, struct origin *a, const struct origin *b, bool is_wanted)
{
    bool b_first = a->own == NO_INDEX || (b->own != NO_INDEX && b->own < a->own);

    if (b->own == NO_INDEX)
        return;
    if (a->own == b->own) {
        a->several |= b->several;
        return;
    }
    if (a->own == NO_INDEX) {
        *a = *b;
        return;
    }
    if (is_wanted)
        web_both(w, a, b);
    if (b_first)
        *a = *b;
    make_several(a);
}

static void meet_all(struct walk *w, const struct origin *other, uint32_t insn)
{
    for (uint32_t s = 0; s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++)
            meet(w, &w->now[w->slot[s] + c], &other[w->slot[s] + c], wanted(w, insn, s, c));
}

static struct origin *copy_of(struct walk *w, const struct origin *from)
{
    struct origin *copy = gp5_malloc((w->nslots + 1u) * sizeof *copy);

    w->failed |= copy == NULL;
    if (copy)
        memcpy(copy, from, w->nslots * sizeof *copy);
    return copy;
}

/* One more way to a place before instruction `insn`; `from` NULL: nobody comes. */
static void come(struct walk *w, struct origin **there, const struct origin *from, uint32_t insn)
{
    struct origin *now = w->now;

    if (!from)
        return;
    if (!*there) {
        *there = copy_of(w, from);
        return;
    }
    w->now = *there;
    meet_all(w, from, insn);
    w->now = now;
}

static const struct origin *here(const struct walk *w)
{
    return w->dead ? NULL : w->now;
}

/* Goes on with what came to a place, which is taken. */
static void go_on(struct walk *w, struct origin **from)
{
    w->dead = *from == NULL;
    if (w->dead)
        return;
    gp5_free(w->now);
    w->now = *from;
    *from = NULL;
}

static struct surrounding *top(const struct walk *w)
{
    return w->around.count ? vec_at(&w->around, w->around.count - 1) : NULL;
}

static struct surrounding *innermost_loop(const struct walk *w)
{
    for (size_t i = w->around.count; i--;) {
        struct surrounding *f = vec_at(&w->around, i);
        if (f->loop)
            return f;
    }
    return NULL;
}

static void open_around(struct walk *w, uint32_t i, bool loop)
{
    size_t at = vec_grow(&w->around);

    if (at == SIZE_MAX) {
        w->failed = true;
        return;
    }
    *(struct surrounding *)vec_at(&w->around, at) = (struct surrounding){.begin = i, .loop = loop, .dead = w->dead, .before = copy_of(w, w->now)};
}

static void close_around(struct walk *w)
{
    struct surrounding *f = top(w);

    gp5_free(f->before);
    gp5_free(f->behind);
    gp5_free(f->next);
    w->around.count--;
}

/* ---- branches -------------------------------------------------------------------------------------------------------------- */

static void second_side(struct walk *w)
{
    struct surrounding *f = top(w);

    if (!f || f->loop)
        return;
    if (!w->dead)
        f->behind = copy_of(w, w->now);
    if (!w->failed)
        memcpy(w->now, f->before, w->nslots * sizeof *w->now);
    w->dead = f->dead;
    f->dead = true;             /* nobody goes by it */
}

static void close_branch(struct walk *w, uint32_t i)
{
    struct surrounding *f = top(w);

    if (!f || f->loop)
        return;
    come(w, &f->behind, here(w), i);
    come(w, &f->behind, f->dead ? NULL : f->before, i);
    go_on(w, &f->behind);
    close_around(w);
}

/* ---- loops ----------------------------------------------------------------------------------------------------------------- */

/* Another round begins with what stands here: other values than at first, which the next walk takes in. */
static void meet_head(struct walk *w, uint32_t rep)
{
    const struct surrounding *f = top(w);
    uint8_t *changes = w->changes[rep];

    for (uint32_t s = 0; !w->dead && changes && s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++) {
            const struct origin *before = &f->before[w->slot[s] + c], *end = &w->now[w->slot[s] + c];
            if (before->own == NO_INDEX || end->own == NO_INDEX || (before->own == end->own && !end->several))
                continue;
            w->learnt |= !changes[w->slot[s] + c];
            changes[w->slot[s] + c] = 1;
            if (before->own != end->own && wanted(w, rep + 1, s, c))
                web_both(w, before, end);
        }
}

static void open_loop(struct walk *w, uint32_t rep)
{
    if (!w->changes[rep]) {
        w->changes[rep] = gp5_malloc(w->nslots + 1);
        w->failed |= !w->changes[rep];
        if (!w->failed)
            memset(w->changes[rep], 0, w->nslots);
    }
    for (uint32_t i = 0; !w->failed && i < w->nslots; i++)
        if (w->changes[rep][i] && w->now[i].own != NO_INDEX)
            make_several(&w->now[i]);
}

/* The end of a copy of the body. */
static void end_round(struct walk *w, uint32_t i, uint8_t form)
{
    struct surrounding *f = top(w);
    const struct insn *rep;
    bool counted, last;

    if (!f || !f->loop)
        return;
    rep = program_insn(w->d->p, f->begin);
    counted = rep->nsrc != 0;
    last = form == FORM_PHASE ? rep->partner == i : form != FORM_NEXT;
    if (f->next) {
        come(w, &f->next, here(w), NO_INDEX);
        go_on(w, &f->next);
    }
    if (form == FORM_PLAIN || form == FORM_PHASE)
        meet_head(w, f->begin);
    if (form == FORM_LAST || form == FORM_PHASE || (form == FORM_PLAIN && counted))
        come(w, &f->behind, here(w), form == FORM_LAST ? NO_INDEX : rep->partner + 1);
    if (!last && form == FORM_PHASE) {
        if (w->dead)
            memcpy(w->now, f->before, w->nslots * sizeof *w->now);
        w->dead = f->dead;      /* else a later phase begins with what this one leaves */
    }
    if (!last)
        return;
    if ((form == FORM_PLAIN || form == FORM_PHASE) && counted && !f->dead)
        come(w, &f->behind, f->before, rep->partner + 1);
    go_on(w, &f->behind);
    close_around(w);
}

static void leave(struct walk *w, uint32_t i, const struct insn *insn)
{
    struct surrounding *f = innermost_loop(w);
    const struct insn *rep = f ? program_insn(w->d->p, f->begin) : NULL;
    bool at_bottom = insn->op == OP_CONT && insn->partner == i + 1;

    if (f && (insn->op == OP_BRK || at_bottom))         /* no loads meet behind copies of a body */
        come(w, &f->behind, here(w), eval_form(w->d, f->begin) == FORM_OPEN ? NO_INDEX : rep->partner + 1);
    if (f && insn->op == OP_CONT)
        come(w, &f->next, here(w), NO_INDEX);       /* no loads meet there */
    w->dead |= !condition_restricts(&insn->condition);
}

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

/* What subroutines write comes from the call of one, or has another value besides when the call depends on a
 * test. */
static void call(struct walk *w, uint32_t i, const struct insn *insn)
{
    for (uint32_t s = 0; i + 1 < w->d->p->insns.count && s < w->d->p->symbols.count; s++)
        for (unsigned c = 0; w->slot[s] != NO_INDEX && c < 4; c++) {
            struct origin *now = &w->now[w->slot[s] + c], there = {.at = 4 * i + c, .own = 4 * i + c, .from = FROM_RESULT};
            if (!w->in_sub[w->slot[s] + c])
                continue;
            if (!condition_restricts(&insn->condition)) {
                *now = there;
                continue;
            }
            if (wanted(w, i + 1, s, c))
                web(w, now);
            meet(w, now, &there, false);
        }
}

/* Behind a label the values are those of its calls. Whether it is several that a variable has there, the first one says, and whether
 * others bring another first value. */
static void come_from(struct walk *w, uint32_t i, uint32_t target)
{
    struct origin *there = target < w->d->p->insns.count ? w->entered[target] : NULL;
    uint8_t *several = w->several;

    if (target >= w->d->p->insns.count)
        return;
    if (!there) {
        w->learnt = true;
        w->caller[target] = i;
    }
    for (uint32_t v = 0; w->caller[target] != i && v < w->nslots; v++) {
        several[v] = w->now[v].several;
        w->now[v].several = false;
    }
    come(w, &w->entered[target], w->now, target);
    for (uint32_t v = 0; w->caller[target] != i && v < w->nslots; v++)
        w->now[v].several = several[v];
}

/* CALI goes to any label with a number. */
static void come_indirectly(struct walk *w, uint32_t from)
{
    for (uint32_t i = 0; i < w->d->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(w->d->p, i);
        if (s->kind == SYM_LABEL && s->defined && s->numbered)
            come_from(w, from, s->instruction);
    }
}

static void enter(struct walk *w, uint32_t label)
{
    while (w->around.count)
        close_around(w);
    w->dead = w->entered[label] == NULL;
    for (uint32_t i = 0; w->dead && i < w->nslots; i++)
        w->now[i] = unknown;
    if (!w->dead)
        memcpy(w->now, w->entered[label], w->nslots * sizeof *w->now);
}

/* ---- instructions --------------------------------------------------------------------------------------------------------- */

static bool is_wide(const struct walk *w, const struct operand *o)
{
    return program_is_long(w->d->p, o->kind, o->ref);
}

/* Whether the result is the operand, but for its sign. */
static bool copies(const struct walk *w, const struct insn *insn)
{
    const struct operand *a = program_operand(w->d->p, insn->src);
    bool is_signed = a->flags & OPND_SIGNS;

    if (insn->flags & (INSN_SAT | INSN_SSAT) || type_table[insn->type].bytes != 8 || !insn->nsrc || !is_wide(w, a))
        return false;
    switch (insn->op) {
    case OP_MOV: return insn->type == DT_F64 || !is_signed;
    case OP_ABS: return insn->type == DT_F64;
    default: return false;
    }
}

static struct origin origin_of(const struct walk *w, const struct operand *o, unsigned c)
{
    uint32_t slot = slot_of(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);

    return slot == NO_INDEX ? unknown : w->now[slot];
}

/* The operand that the compiler knows component c to come from, or -1. */
static int taken_from(const struct folded *folded, unsigned c)
{
    for (int k = 0; folded && k < 3; k++)
        if (folded->taken[k] >> c & 1)
            return k;
    return -1;
}

static struct origin made(const struct walk *w, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    struct origin o = {.at = 4 * i + c, .own = 4 * i + c, .from = FROM_RESULT};
    int taken = taken_from(folded, c);

    if (condition_restricts(&insn->dst.condition))
        return o;
    if (folded && folded->known >> c & 1) {
        o.from = FROM_CONSTANT;
    } else if (insn->op == OP_LDB || insn->op == OP_LOAD) {
        o.from = FROM_LOADED;
    } else if (insn->op == OP_LDC) {
        o.from = FROM_BUFFER;
    } else if (taken >= 0 || copies(w, insn)) {
        const struct operand *a = program_operand(w->d->p, insn->src + (taken >= 0 ? (uint32_t)taken : 0));
        struct origin from = is_wide(w, a) ? origin_of(w, a, c) : unknown;
        if (from.at == NO_INDEX)
            return o;
        if (from.several)
            from.at = from.own;
        from.copied |= from.several;
        from.several = false;
        from.own = o.own;
        return from;
    }
    return o;
}

/* An operand of 32 bits becomes a double here, or has become one in front of this. */
static struct rank rank_of_widened(struct walk *w, uint32_t i, const struct operand *o, unsigned k, unsigned c)
{
    uint32_t var = eval_variable(w->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
    uint32_t now = 4 * i + c;

    if (var == NO_INDEX || o->flags & (OPND_NEGATE_INNER | OPND_ABSOLUTE))
        return (struct rank){FROM_RESULT, -4 * (int64_t)now - k};
    if (w->widened[var] >> 34 != w->stretch)
        w->widened[var] = (uint64_t)w->stretch << 34 | 4 * (uint64_t)now | k;
    return (struct rank){FROM_RESULT, -(int64_t)(w->widened[var] & (((uint64_t)1 << 34) - 1))};
}

static struct rank rank_of(struct walk *w, uint32_t i, const struct operand *o, unsigned k, unsigned c)
{
    struct origin from = origin_of(w, o, c);
    bool webbed = from.own != NO_INDEX && w->webbed[from.own / 4] >> from.own % 4 & 1;

    if (o->kind == OPND_CONSTANT)
        return (struct rank){FROM_CONSTANT, k};
    if (from.at == NO_INDEX || !is_wide(w, o))
        return rank_of_widened(w, i, o, k, c);
    if (from.several || from.copied)
        return (struct rank){from.from == FROM_LOADED ? FROM_LOADED : FROM_MERGED, from.several ? from.own : from.at};
    switch (from.from) {
    case FROM_CONSTANT: return (struct rank){FROM_CONSTANT, k};
    case FROM_BUFFER: return (struct rank){FROM_BUFFER, 1 - (int)k};
    default:
        if (from.from == FROM_LOADED && !(webbed && from.own == from.at))
            return (struct rank){FROM_LOADED, from.at};
        return (struct rank){FROM_RESULT, -4 * (int64_t)from.at - 3};
    }
}

static bool is_ordered(const struct insn *insn)
{
    return insn->type == DT_F64 && (insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MUL || insn->op == OP_MIN ||
                                    insn->op == OP_MAX || insn->op == OP_MAD);
}

static bool before(const struct rank *a, const struct rank *b)
{
    return a->from != b->from ? a->from < b->from : a->at < b->at;
}

/* The factor of a MAD that is the literal 1 or -1, or -1: it is a sum, which takes the other factor or the addend
 * first. */
static int factor_of_one(const struct walk *w, const struct insn *insn, unsigned c)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        if (o->kind == OPND_CONSTANT &&
            eval_constant_word(program_constant(w->d->p, o->ref), o->swizzle >> 2 * c & 3, DT_F64) << 1 == 0x7fe0000000000000)
            return (int)k;
    }
    return -1;
}

static void find(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct operand *o = program_operand(w->d->p, insn->src);

    w->order[i] = 0;
    for (unsigned c = 0; c < 4; c++) {
        struct rank r[3];
        int one = insn->op == OP_MAD ? factor_of_one(w, insn, c) : -1;
        if (!(insn->dst.mask >> c & 1))
            continue;
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            r[k] = rank_of(w, i, o + k, k, c);
        if (one >= 0 ? before(&r[1 - one], &r[2]) == (one == 0) : before(&r[1], &r[0]))
            w->order[i] |= (uint8_t)(1u << c);
    }
}

static void step(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    struct origin fresh[4];

    if (is_ordered(insn))
        find(w, i, insn);
    for (unsigned c = 0; r->kind == OPND_SYMBOL && c < 4; c++) {
        uint32_t var = r->mask >> c & 1 ? eval_variable(w->live, r->kind, r->ref, r->nindices != 0, c) : NO_INDEX;
        if (var != NO_INDEX)
            w->widened[var] = 0;
    }
    if (r->kind != OPND_SYMBOL || w->slot[r->ref] == NO_INDEX || r->nindices)
        return;
    for (unsigned c = 0; c < 4; c++)
        fresh[c] = made(w, i, insn, c);
    for (unsigned c = 0; c < 4; c++)
        if (eval_written(w->live, insn) >> c & 1)
            w->now[w->slot[r->ref] + c] = fresh[c];
}

/* Where straight-line code ends. */
static bool is_flow(uint16_t op, uint8_t form, const struct surrounding *f)
{
    bool jumped_to = f && f->loop && (f->next || f->behind);

    switch (op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI:
        return form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE ||
               ((form == FORM_LAST || form == FORM_NEXT) && jumped_to && (form == FORM_LAST || f->next));
    default: return false;
    }
}

static void flow(struct walk *w, uint32_t i, const struct insn *insn, uint8_t form)
{
    bool plain = form == FORM_PLAIN;

    switch (insn->op) {
    case OP_IF:
        if (plain)
            open_around(w, i, false);
        return;
    case OP_ELSE:
        if (plain)
            second_side(w);
        return;
    case OP_ENDIF:
        if (plain)
            close_branch(w, i);
        return;
    case OP_REP:
        open_around(w, i, true);
        if (!w->failed && (plain || form == FORM_PHASED))
            open_loop(w, i);
        return;
    case OP_ENDREP: end_round(w, i, form); return;
    case OP_BRK: case OP_CONT: case OP_RET:
        if (plain && insn->op == OP_RET)
            w->dead |= !condition_restricts(&insn->condition);
        else if (plain)
            leave(w, i, insn);
        return;
    case OP_CAL: case OP_CALI:
        if (w->dead)
            return;
        if (insn->op == OP_CAL)
            come_from(w, i, insn->partner);
        else
            come_indirectly(w, i);
        call(w, i, insn);
        return;
    default: step(w, i, insn);
    }
}

static void walk_all(struct walk *w)
{
    uint32_t n = (uint32_t)w->d->p->insns.count;

    for (uint32_t i = 0; i < w->nslots; i++)
        w->now[i] = unknown;
    memset(w->widened, 0, w->live->nvars * sizeof *w->widened);
    w->stretch = 1;
    w->learnt = false;
    w->dead = w->live->entry != 0;
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        uint8_t form = eval_form(w->d, i);
        w->stretch += w->live->label[i] || is_flow(insn->op, form, top(w));
        if (i == w->live->entry && i) {
            enter(w, i);
            w->dead = false;
        } else if (w->live->label[i]) {
            enter(w, i);
        }
        flow(w, i, insn, form);
    }
    while (w->around.count)
        close_around(w);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static bool number(struct walk *w)
{
    const struct gp5_program *p = w->d->p;
    size_t n = p->insns.count + 1;

    w->slot = gp5_malloc((p->symbols.count + 1) * sizeof *w->slot);
    w->webbed = gp5_malloc(n);
    w->order = gp5_malloc(n);
    w->widened = gp5_malloc((w->live->nvars + 1u) * sizeof *w->widened);
    if (!w->slot || !w->webbed || !w->order || !w->widened)
        return false;
    memset(w->webbed, 0, n);
    memset(w->order, 0, n);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array && s->size == SIZE_LONG;
        w->slot[i] = follow ? w->nslots : NO_INDEX;
        w->nslots += follow ? 4 : 0;
    }
    w->now = gp5_malloc((w->nslots + 1) * sizeof *w->now);
    w->in_sub = gp5_malloc(w->nslots + 1);
    w->entered = gp5_malloc(n * sizeof *w->entered);
    w->caller = gp5_malloc(n * sizeof *w->caller);
    w->several = gp5_malloc(w->nslots + 1);
    w->changes = gp5_malloc(n * sizeof *w->changes);
    if (w->entered)
        memset(w->entered, 0, n * sizeof *w->entered);
    if (w->changes)
        memset(w->changes, 0, n * sizeof *w->changes);
    if (!w->now || !w->in_sub || !w->entered || !w->caller || !w->several || !w->changes)
        return false;
    memset(w->in_sub, 0, w->nslots);
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct result *r = &program_insn(p, i)->dst;
        for (unsigned c = 0; (i < w->live->entry || i >= w->live->main_end) && r->kind != OPND_NONE && c < 4; c++) {
            uint32_t slot = r->mask >> c & 1 ? slot_of(w, r->kind, r->ref, r->nindices != 0, c) : NO_INDEX;
            if (slot != NO_INDEX)
                w->in_sub[slot] = 1;
        }
    }
    return true;
}

static bool worth_it(const struct decoder *d)
{
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        if (is_ordered(program_insn(d->p, i)))
            return true;
    return false;
}

bool eval_find_order(struct decoder *d)
{
    struct walk w = {.d = d};

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !worth_it(d))
        return true;
    w.live = eval_liveness(d);
    if (!w.live)
        return false;
    vec_init(&w.around, sizeof(struct surrounding));
    w.failed = !number(&w);
    for (unsigned pass = 0; (pass < 2 || (w.learnt && pass < MAX_WALKS)) && !w.failed; pass++)
        walk_all(&w);
    while (w.around.count)
        close_around(&w);
    vec_free(&w.around);
    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        gp5_free(w.entered ? w.entered[i] : NULL);
        gp5_free(w.changes ? w.changes[i] : NULL);
    }
    gp5_free(w.changes);
    gp5_free(w.slot);
    gp5_free(w.now);
    gp5_free(w.webbed);
    gp5_free(w.widened);
    gp5_free(w.in_sub);
    gp5_free(w.caller);
    gp5_free(w.several);
    gp5_free(w.entered);
    d->order = w.order;
    return !w.failed || eval_out_of_memory(d);
}

/* ---- decoding ------------------------------------------------------------------------------------------------------------- */

uint8_t eval_swapped(const struct decoder *d, uint32_t insn)
{
    return d->order ? d->order[insn] : 0;
}

/* The components of `mask`, their first two operands in the order as written or the other one. */
static bool place_operands(struct decoder *d, const struct insn *insn, uint8_t mask, bool swap, struct lane_op *op)
{
    op->n = (uint8_t)eval_components(mask, op->comp);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        unsigned from = swap && k < 2 ? 1 - k : k;
        struct operand o = *program_operand(d->p, insn->src + from);
        struct fetched f;
        if (swap && insn->op == OP_SUB && from == 1)
            o.flags ^= OPND_NEGATE;
        if (!eval_fetch(d, &o, DT_F64, mask, true, &f))
            return false;
        if (!eval_place_nans(d, from, mask, &f))
            return false;
        eval_place(op, k, &f, FLOW_EACH);
    }
    return true;
}

bool eval_decode_ordered(struct decoder *d, const struct insn *insn)
{
    uint32_t by_component[4] = {0};
    uint8_t swapped = insn->dst.mask & eval_swapped(d, d->insn);

    for (unsigned swap = 0; swap < 2; swap++) {
        uint8_t mask = swap ? swapped : insn->dst.mask & (uint8_t)~swapped;
        struct kernel_request want = eval_request_of(d, insn, swap && insn->op == OP_SUB ? OP_ADD : insn->op);
        struct lane_op op = {0};
        if (!mask)
            continue;
        if (!place_operands(d, insn, mask, swap, &op))
            return false;
        if (mask == insn->dst.mask)
            return eval_emit(d, insn, want, &op);
        if (!eval_partial(d, insn, want, &op, by_component))
            return false;
    }
    return eval_join_partials(d, insn, by_component);
}
