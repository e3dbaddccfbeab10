/* Which of two NaNs an operation on doubles keeps: docs/numbers.md, "Doubles". The compiler puts operands into an order by where their
 * values come from, which is found here for every place of a plan: which results reach it, through flow as it goes. */
#include "tests/slow/order.h"

#include <stdlib.h>
#include <string.h>

uint32_t slow_order_variable(const struct finder *f, unsigned kind, uint32_t symbol, bool indexed, unsigned c)
{
    uint32_t v = slow_variable(f->p, kind, symbol, indexed, c);
    return v != NO_INDEX && program_symbol(f->p->text, symbol)->size == SIZE_LONG ? v : NO_INDEX;
}

uint32_t slow_order_target(const struct finder *f, const struct insn *insn, unsigned c)
{
    if (insn->dst.kind == OPND_NONE || !(slow_written(f->p, insn) >> c & 1))
        return NO_INDEX;
    return slow_order_variable(f, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
}

struct held slow_order_held(const struct finder *f, const struct operand *o, unsigned c)
{
    uint32_t v = slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
    return v == NO_INDEX ? (struct held){.first = NO_INDEX, .alone = MANY} : f->now[v];
}

bool slow_order_is_copy(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *a = program_operand(p->text, insn->src);
    if (insn->flags & (INSN_SAT | INSN_SSAT) || slow_bytes(insn->type) != 8)
        return false;
    return (insn->op == OP_MOV && (insn->type == DT_F64 || !slow_order_is_signed(insn, a))) || (insn->op == OP_ABS && insn->type == DT_F64);
}

/* Besides what instructions of its kind always are (slow_order_is_copy). */
int slow_order_copied(const struct slow_place *place, const struct insn *insn, unsigned c)
{
    bool computes = insn->flags & INSN_PREC && (insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_MUL);       /* not seen to be a copy */
    for (int k = 0; !computes && k < 3; k++)
        if (place->chosen[k] >> c & 1)
            return k;
    if (insn->op == OP_CMP && insn->type == DT_U64)      /* no number is below 0 */
        return 2;
    for (int k = 0; k < 2 && !computes && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)); k++)
        if (place->one[k] >> c & 1)
            return 1 - k;
    return -1;
}

/* NOT of 64 bits of a literal, a parameter or a register of 32 bits that is known. */
static bool is_known_complement(const struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct operand *o = program_operand(f->p->text, insn->src);
    if (insn->op != OP_NOT || slow_bytes(insn->type) != 8)
        return false;
    return o->kind == OPND_CONSTANT || (o->kind == OPND_SYMBOL && program_symbol(f->p->text, o->ref)->kind == SYM_PARAM) || f->plan->place[place].narrow[0] >> c & 1;
}

void slow_order_make(struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct slow_place *here = &f->plan->place[place];
    struct made *m = &f->made[4 * place + c], fresh = {.at = 4 * place + c, .source = RESULT, .meets = m->meets, .paired = m->paired, .meets_whole = m->meets_whole, .instead = m->instead};
    int k = slow_order_copied(here, insn, c);
    k = k < 0 && slow_order_is_copy(f->p, insn) ? 0 : k;
    if (condition_restricts(&insn->dst.condition) && !(here->passes >> c & 1))
        ;
    else if (here->known >> c & 1 || (insn->op == OP_STR && slow_bytes(insn->type) == 8) || is_known_complement(f, place, c))
        fresh.source = KNOWN;
    else if (insn->op == OP_LDB || insn->op == OP_LOAD)
        fresh.source = LOADED;
    else if (insn->op == OP_LDC && (here->placed || slow_loads_given(f->p->text, insn)))
        fresh.source = BUFFER;
    else if (k >= 0) {
        const struct operand *o = program_operand(f->p->text, insn->src + (uint32_t)k);
        struct held h = slow_order_held(f, o, c);
        if (h.first != NO_INDEX) {
            const struct made *from = &f->made[h.first];
            fresh = (struct made){.at = from->at, .source = from->source, .several = h.several || from->several,
                                  .outer = h.outer, .meets = m->meets, .paired = m->paired, .meets_whole = m->meets_whole, .instead = m->instead, .called = h.called || from->called, .met = from->met, .var = from->var};
            if (h.several) {
                fresh.at = h.first;
                fresh.met = h.met;
                fresh.var = h.var;
            }
            fresh.turned = from->turned || insn->op == OP_CVT || (insn->type == DT_F64 && (insn->op == OP_ABS || o->flags & OPND_SIGNS));
        }
    }
    else if (insn->op == OP_PK64 && c > 1 && insn->dst.mask >> (c - 2) & 1)
        fresh.at = 4 * place + c - 2;       /* the same value */
    *m = fresh;
}

static bool ends_stretch(const struct finder *f, uint32_t place)
{
    const struct slow_place *here = &f->plan->place[place];
    switch (here->straight ? OP_COUNT : slow_order_insn(f, place)->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI: return true;
    default: return slow_begins_part(f->p, f->plan, place);
    }
}

static bool leaves_block(const struct finder *f, uint32_t place)
{
    unsigned op = slow_order_insn(f, place)->op;
    return !f->plan->place[place].straight && (op == OP_BRK || op == OP_CONT || op == OP_RET) && !slow_order_jumps_over_nothing(f, place);
}

static void order_all(struct finder *f)
{
    slow_order_first_loads(f);
    for (uint32_t i = 0, part = 0, jumps = 0; i < f->plan->count; i++) {
        part += ends_stretch(f, i);
        jumps += leaves_block(f, i);
        f->part[i] = part;
        f->block[i] = part + jumps;
    }
    for (uint32_t i = 0; i < f->plan->count; i++) {
        memcpy(f->now, f->held + (size_t)i * f->nvars, f->nvars * sizeof *f->now);
        slow_order_count(f, i);
    }
    for (uint32_t i = 0; i < f->plan->count; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        slow_order_begin_place(f, i, slow_begins_part(f->p, f->plan, i), ends_stretch(f, i));
        if (i == 0 || ends_stretch(f, i) || leaves_block(f, i))
            f->latest = NO_INDEX;
        memcpy(f->now, f->held + (size_t)i * f->nvars, f->nvars * sizeof *f->now);
        slow_order_find_same(f, i, insn);
        if (slow_is_ordered(insn))
            slow_order_operands(f, i, insn);
        slow_order_widen_alone(f, i, insn);
        if (op_is_atomic(insn->op) || ((insn->op == OP_LDB || insn->op == OP_LOAD) && f->reach.useful[i]))
            f->latest = i;
        slow_order_write_singles(f, i, insn);
    }
}

static bool has_doubles(const struct slow_program *p)
{
    for (uint32_t i = 0; i < p->text->insns.count; i++)
        if (slow_is_ordered(program_insn(p->text, i)))
            return true;
    return false;
}

static bool in_phases(const struct finder *f, uint32_t place)
{
    uint32_t loop = f->plan->place[place].loop;
    while (loop != NO_INDEX && !f->plan->place[loop].phased)
        loop = f->plan->place[loop].loop;
    return loop != NO_INDEX;
}

/* The copies of an unrolled loop need as doubles what one of them needs; the phases of a loop need it by themselves. */
static bool find_needed(struct finder *f)
{
    uint8_t *all = calloc(f->p->text->insns.count + 1, 1);
    for (uint32_t i = 0; all && i < f->plan->count; i++)
        all[f->plan->place[i].insn] |= in_phases(f, i) ? 0 : f->reach.useful[i];
    for (uint32_t i = 0; all && i < f->plan->count; i++)
        f->needed[i] = in_phases(f, i) ? f->reach.useful[i] : all[f->plan->place[i].insn];
    free(all);
    return all;
}

bool slow_find_order(struct slow_plan *plan, const struct slow_program *p)
{
    struct finder f = {.p = p, .plan = plan, .nvars = 8 + p->nregisters * 4};
    size_t n = plan->count + 1;
    bool ok = true;
    if (!has_doubles(p))
        return true;
    ok = slow_reach_new(&f.reach, p, plan);
    f.held = malloc(n * f.nvars * sizeof *f.held);
    f.now = malloc(f.nvars * sizeof *f.now);
    f.made = calloc(4 * n, sizeof *f.made);
    f.element = malloc((p->text->symbols.count + 1) * sizeof *f.element);
    f.nsingles = f.nvars;
    for (uint32_t i = 0; f.element && i < p->text->symbols.count; i++)
        f.nsingles += slow_order_place_elements(&f, i);
    f.parameters = f.nsingles;
    f.nsingles += slow_order_place_parameters(p->text);
    f.widened = calloc(f.nsingles + 4 * n, sizeof *f.widened);
    f.single = malloc(f.nsingles * sizeof *f.single);
    f.when = calloc(4 * n, sizeof *f.when);
    f.side = malloc(n * sizeof *f.side);
    f.closed = calloc(n + 1, 1);
    f.called = calloc(f.nvars, 1);
    f.several = calloc(f.nvars, sizeof *f.several);
    f.caller = malloc((p->text->insns.count + 1) * sizeof *f.caller);
    for (unsigned k = 0; k < 2; k++)
        f.back[k] = malloc(n * f.nvars * sizeof *f.held);
    f.behind = malloc(n * f.nvars * sizeof *f.held);
    f.differs = calloc(n * f.nvars, sizeof *f.differs);
    f.again = calloc(MEETINGS * n * f.nvars, sizeof *f.again);
    f.part = malloc(n * sizeof *f.part);
    f.block = malloc(n * sizeof *f.block);
    f.terms = calloc(f.nvars, sizeof *f.terms);
    f.brought = calloc(4 * n, sizeof *f.brought);
    f.needed = calloc(n, 1);
    f.same = calloc(4 * n, 1);
    ok = ok && f.back[0] && f.back[1] && f.behind && f.differs && f.again && f.part && f.block && f.terms && f.brought && f.needed && f.same && f.caller && f.several && f.held && f.now && f.made && f.widened && f.when && f.element && f.single && f.side && f.closed && f.called;
    if (ok) {
        memset(f.single, 0xff, f.nsingles * sizeof *f.single);
        memset(f.caller, 0xff, (p->text->insns.count + 1) * sizeof *f.caller);
        slow_order_note_called(&f);
        ok = find_needed(&f);
    }
    if (ok)
        slow_order_follow(&f);
    ok = ok && slow_order_find_loads(&f) && slow_order_find_keeps(&f);
    if (ok)
        order_all(&f);
    free(f.back[0]);
    free(f.back[1]);
    free(f.behind);
    free(f.differs);
    free(f.again);
    free(f.part);
    free(f.block);
    free(f.terms);
    free(f.brought);
    free(f.needed);
    free(f.same);
    free(f.held);
    free(f.now);
    free(f.made);
    free(f.widened);
    free(f.when);
    free(f.single);
    free(f.element);
    free(f.side);
    free(f.closed);
    free(f.called);
    free(f.several);
    free(f.caller);
    slow_reach_free(&f.reach);
    return ok;
}
