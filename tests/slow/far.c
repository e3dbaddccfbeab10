/* Products that sums of other blocks take in (docs/semantics.md, "Contraction of MUL and ADD"): what each variable holds where a block begins, found by going
 * through the program until nothing changes. Ways that bring different things leave nothing. */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

struct slow_far {
    uint32_t *number;           /* of each place where a block begins: which of the states is there, plus 1 */
    struct held *state;
    bool *any;                  /* of each state: a way leads there */
    uint32_t nvars;
};

/* ---- what is given ---------------------------------------------------------------------------------------------------------------- */

static bool is_given_binding(const struct gp5_program *p, uint32_t ref)
{
    unsigned kind = program_binding(p, ref)->kind;
    return kind == BIND_CONSTANT || kind == BIND_PROGRAM_ENV || kind == BIND_PROGRAM_LOCAL || slow_is_state(kind);
}

static bool is_given(const struct joiner *j, const struct operand *o, unsigned c)
{
    unsigned kind = o->kind == OPND_SYMBOL ? program_symbol(j->p->text, o->ref)->kind : SYM_TEMP;
    if (o->kind == OPND_CONSTANT)
        return true;
    if (o->kind == OPND_BINDING)
        return is_given_binding(j->p->text, o->ref);
    if (o->kind != OPND_SYMBOL)
        return false;
    if (kind == SYM_PARAM || kind == SYM_BUFFER || kind == SYM_BUFFER4)
        return true;
    return kind == SYM_TEMP && slow_held_by(j, o, c).given;
}

bool slow_is_far(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    const struct operand *a = insn->nsrc > 1 ? program_operand(j->p->text, insn->src) : NULL;
    if (insn->type == DT_F64 || (insn->cc_update && condition_restricts(&insn->dst.condition)))
        return false;
    switch (insn->op) {
    case OP_UP2US: case OP_UP4UB: return true;
    case OP_DIV: return j->plan->place[place].part >> c & 1 || is_given(j, a, c);
    case OP_MUL: case OP_DST: return is_given(j, a, c) || is_given(j, a + 1, c);
    default: return false;
    }
}

uint32_t slow_given(const struct joiner *j, uint32_t place, unsigned c, const struct held *fresh, int from, bool negative)
{
    const struct insn *insn = slow_insn_at(j, place);
    const struct slow_place *s = &j->plan->place[place];
    bool known = s->computed >> c & 1, copies = !known && from >= 0 && !negative;
    if (condition_restricts(&insn->dst.condition) && !(s->passes >> c & 1))
        return 0;
    if (copies && fresh->given)
        return fresh->given;
    return known || slow_loads_given(j->p->text, insn) || (copies && is_given(j, program_operand(j->p->text, insn->src + (uint32_t)from), c)) ? 4 * place + c + 1 : 0;
}

/* ---- states ----------------------------------------------------------------------------------------------------------------------- */

static struct held far_part(struct held h)
{
    struct held left = slow_nothing;
    if (!h.far && !h.given)
        return left;
    left = h;
    left.source = NO_INDEX;
    left.version = left.words = 0;
    left.negated = false;
    return left;
}

static bool is_same(struct held a, struct held b)
{
    return a.product == b.product && a.given == b.given && (a.product == NO_INDEX || (a.c == b.c && a.negative == b.negative && a.word == b.word));
}

static struct held *state_at(const struct joiner *j, uint32_t place)
{
    return j->far->state + (size_t)(j->far->number[place] - 1) * j->far->nvars;
}

static bool is_live(const struct joiner *j, uint32_t place, uint32_t v)
{
    return slow_in_set(j->reach.live + (size_t)place * j->reach.words, v);
}

/* Puts what comes along one way to what is there; whether that changes. */
static bool come(struct joiner *j, uint32_t place, const struct held *from)
{
    struct slow_far *f = j->far;
    struct held *to;
    bool fresh, changed = false;
    if (place >= j->plan->count || !f->number[place])
        return false;
    to = state_at(j, place);
    fresh = !f->any[f->number[place] - 1];
    f->any[f->number[place] - 1] = true;
    for (uint32_t v = 0; v < f->nvars; v++) {
        struct held h = from ? far_part(from[v]) : slow_nothing;
        if (fresh ? true : is_same(to[v], h))
            to[v] = fresh ? h : to[v];
        else if (!is_same(to[v], slow_nothing)) {
            to[v] = slow_nothing;
            changed = true;
        }
    }
    return changed | fresh;
}

/* A product that does not get there is a use of it, where it is wanted. */
static void lose(struct joiner *j, uint32_t place, const struct held *from)
{
    for (uint32_t v = 0; place < j->plan->count && j->far->number[place] && v < j->far->nvars; v++)
        if (from[v].far && !is_same(far_part(from[v]), state_at(j, place)[v]) && is_live(j, place, v))
            slow_keep(j, from[v]);
}

/* ---- ways ------------------------------------------------------------------------------------------------------------------------- */

static bool is_way_out(const struct insn *insn)
{
    return insn->op == OP_BRK || insn->op == OP_RET;
}

static bool jumps_once(const struct joiner *j, uint32_t rep)
{
    unsigned n = 0;
    for (uint32_t i = rep + 1; i < j->plan->count && j->plan->place[i].insn < slow_insn_at(j, rep)->partner; i++) {
        const struct insn *insn = slow_insn_at(j, i);
        if ((insn->op == OP_BRK || insn->op == OP_CONT) && j->plan->place[i].loop == rep && !j->plan->place[i].straight)
            n += insn->op == OP_CONT ? 2 : 1;
    }
    return n == 1;
}

static bool counts(const struct joiner *j, uint32_t rep)
{
    return slow_insn_at(j, rep)->nsrc || j->plan->place[rep].phased;
}

/* Whether the compiler begins a loop with what stands before this way out, which it then has twice; not where that is the loop's end. */
static bool turns_over(const struct joiner *j, uint32_t place)
{
    const struct slow_place *s = &j->plan->place[place];
    const struct insn *insn = slow_insn_at(j, place);
    uint32_t rep = s->loop;
    bool is_if = insn->op == OP_IF;
    if (rep == NO_INDEX || s->straight || counts(j, rep) || j->plan->place[rep].straight)
        return false;
    if (is_if ? place + 1 >= j->plan->count || !is_way_out(slow_insn_at(j, place + 1))
              : insn->op != OP_BRK && !(insn->op == OP_RET && condition_restricts(&insn->condition)))
        return false;
    if (s->insn + (is_if ? 3 : 1) == slow_insn_at(j, rep)->partner)
        return false;
    for (uint32_t i = rep + 2; i < place; i++)
        if (j->reach.leads[i])
            return false;
    return true;
}

/* The places that a place goes on to, jumps that always jump to the next one as well. */
static unsigned ways(const struct joiner *j, uint32_t place, uint32_t to[10])
{
    const struct slow_place *s = &j->plan->place[place];
    const struct insn *insn = slow_insn_at(j, place);
    unsigned n, left = 0;
    bool next = false;
    if (s->straight) {
        to[0] = place + 1;
        return 1;
    }
    n = slow_successors(j->p, j->plan, place, to);
    for (unsigned k = 0; k < n; k++) {
        bool out = insn->op == OP_ENDREP && s->loop != NO_INDEX && !counts(j, s->loop) && to[k] == j->plan->place[s->loop].to && jumps_once(j, s->loop);
        next |= to[k] == place + 1;
        if (!out)
            to[left++] = to[k];
    }
    if ((insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET) && !next)
        to[left++] = place + 1;
    return left;
}

/* What is held behind a place, on all ways. */
static void go_on(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    if (insn->op == OP_CAL && !j->plan->place[place].straight && insn->condition.rule != CC_FL) {
        uint32_t *written = calloc(j->far->nvars + 1, sizeof *written);
        if (!written) {
            j->failed = true;
            return;
        }
        slow_forget_called(j, insn, written, 0);
        for (uint32_t v = 0; v < j->far->nvars; v++)
            if (written[v])
                j->held[v] = slow_nothing;
        free(written);
    }
    if (turns_over(j, place)) {
        const struct held *begin = state_at(j, j->plan->place[place].loop + 1);
        for (uint32_t v = 0; v < j->far->nvars; v++)
            if (!is_same(far_part(j->held[v]), begin[v]))
                j->held[v] = slow_nothing;
    }
}

void slow_begin_far(struct joiner *j, uint32_t place, struct held *held)
{
    const struct held *state;
    if (!j->far || !j->far->number[place] || !j->far->any[j->far->number[place] - 1])
        return;
    state = state_at(j, place);
    for (uint32_t v = 0; v < j->far->nvars; v++) {
        struct held was = held[v];
        held[v] = state[v];
        held[v].source = was.source;
        held[v].version = was.version;
        held[v].negated = was.negated;
        held[v].words = was.words;
    }
}

/* Behind the calls of the part that begins at `part`: what came is there as it was. */
static void leave(struct joiner *j, uint32_t part, const struct held *from)
{
    const uint64_t *wanted = j->reach.callers + (size_t)j->plan->place[part].insn * j->reach.words;
    for (uint32_t v = 0; slow_begins_part(j->p, j->plan, part) && v < j->far->nvars; v++)
        if (from[v].far && !is_same(far_part(from[v]), state_at(j, part)[v]) && slow_in_set(wanted, v))
            slow_keep(j, from[v]);
}

/* Once through the program; with `ends`, products that get lost are kept. */
static bool go_through(struct joiner *j, struct held *before, bool ends)
{
    bool changed = false, here = true;
    uint32_t part = 0;
    for (uint32_t i = 0; i < j->plan->count && !j->failed; i++) {
        const struct insn *insn = slow_insn_at(j, i);
        uint32_t to[10], callee = j->plan->place[i].to;
        unsigned n;
        part = slow_begins_part(j->p, j->plan, i) ? i : part;
        if (j->far->number[i]) {
            here = j->far->any[j->far->number[i] - 1];
            memcpy(j->held, state_at(j, i), j->far->nvars * sizeof *j->held);
        }
        if (!here)
            continue;
        slow_look_at_writes(j, i);
        memcpy(before, j->held, j->far->nvars * sizeof *before);
        if (insn->op == OP_CAL && !j->plan->place[i].straight && insn->condition.rule != CC_FL && callee < j->plan->count) {
            if (ends)
                lose(j, callee, before);
            else
                changed |= come(j, callee, callee > i ? before : NULL);
        }
        if (ends && insn->op == OP_RET && !j->plan->place[i].straight)
            leave(j, part, before);
        go_on(j, i);
        n = ways(j, i, to);
        for (unsigned k = 0; k < n; k++) {
            bool out = to[k] >= j->plan->count || slow_begins_part(j->p, j->plan, to[k]);
            if (ends && out)
                leave(j, part, before);
            else if (ends)
                lose(j, to[k], before);
            else if (!out)
                changed |= come(j, to[k], j->held);
        }
    }
    return changed;
}

static bool has_far_products(const struct joiner *j)
{
    bool any = false;
    for (uint32_t i = 0; i < j->plan->count; i++)
        switch (slow_insn_at(j, i)->op) {
        case OP_MUL: case OP_DIV: case OP_DST: case OP_UP2US: case OP_UP4UB: any = true; break;
        case OP_CALI: return false;
        default: break;
        }
    return any;
}

void slow_far_free(struct joiner *j)
{
    if (!j->far)
        return;
    free(j->far->number);
    free(j->far->state);
    free(j->far->any);
    free(j->far);
    j->far = NULL;
}

bool slow_find_far(struct joiner *j)
{
    uint32_t n = 0, nvars = j->reach.nvars;
    struct held *before = calloc(nvars + 1, sizeof *before);
    uint8_t *stays = calloc(j->plan->count + 1, 1);
    struct slow_far *f = calloc(1, sizeof *f);
    bool ok = before && stays && f;
    j->far = f;
    if (ok && has_far_products(j)) {
        f->nvars = nvars;
        f->number = calloc(j->plan->count + 2, sizeof *f->number);
        for (uint32_t i = 0; f->number && i < j->plan->count; i++)
            f->number[i] = j->reach.leads[i] ? ++n : 0;
        f->state = calloc((size_t)(n + 1) * (nvars + 1), sizeof *f->state);
        f->any = calloc(n + 1, sizeof *f->any);
        ok = f->number && f->state && f->any;
        if (ok)
            come(j, 0, NULL);
        if (ok && j->reach.entry < j->plan->count)
            come(j, j->reach.entry, NULL);
        while (ok && go_through(j, before, false))
            ;
        memcpy(j->stays, stays, j->plan->count);
        if (ok)
            go_through(j, before, true);
        for (uint32_t v = 0; v < nvars; v++)
            j->held[v] = slow_nothing;
        memset(j->version, 0, nvars * sizeof *j->version);
        ok &= !j->failed;
    } else {
        free(f);
        j->far = NULL;
    }
    free(before);
    free(stays);
    return ok;
}
