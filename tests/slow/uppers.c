/* What stands above a half that MOV or ABS copies into a SHORT variable, or that CVT makes again: of what was a half before, whatever stood there. Which variables may hold halves
 * follows the text: in blocks and subroutines nothing ceases to be one, and behind a call what subroutines make one may be one. */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct insn *form;                  /* of each place, as it is executed */
    bool *runs;                         /* of each place: it does at all */
    uint8_t *halves, *called, *added;   /* of each symbol: components that may be halves; that subroutines make so; that calls added */
};

/* Conversions to half, or SHORT variables. */
static bool is_asked(const struct slow_program *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->text->symbols.count; i++)
        any |= program_symbol(p->text, i)->size == SIZE_SHORT;
    for (uint32_t i = 0; i < p->text->insns.count && !any; i++)
        any = program_insn(p->text, i)->op == OP_CVT && program_insn(p->text, i)->type == DT_F16;
    return any;
}

/* Components of a result that are halves. */
static uint8_t made_halves(const struct finder *f, const struct insn *insn, const uint8_t *halves)
{
    const struct operand *o = insn->nsrc ? program_operand(f->p->text, insn->src) : NULL;
    bool all = insn->op == OP_UP2H || (insn->op == OP_CVT ? insn->type2 == DT_F16 && insn->type == DT_F32
                                                          : !op_votes(insn->op) && (insn->type == DT_F16 || insn->flags & INSN_HALF));
    uint8_t made = 0;
    if (insn->op == OP_MOV && o && o->kind == OPND_SYMBOL) {
        for (unsigned c = 0; c < 4; c++)
            made |= (uint8_t)((slow_is_short(f->p, o->kind, o->ref) || halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1) << c);
        return made & insn->dst.mask;
    }
    return all ? insn->dst.mask & (slow_loads_halves(insn) ? (1u << insn->width) - 1 : 15u) : 0;
}

static bool is_label(const struct finder *f, uint32_t place)
{
    return f->plan->place[place].insn > 0 && slow_begins_part(f->p, f->plan, place);
}

static bool has_result(const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL;
}

static void find_called(struct finder *f)
{
    bool changes = true;
    while (changes) {
        bool within = false;
        changes = false;
        for (uint32_t i = 0; i < f->plan->count; i++) {
            struct insn form = f->form[i];
            uint8_t *called = &f->called[has_result(&form) ? form.dst.ref : 0];
            uint8_t made = has_result(&form) ? made_halves(f, &form, f->called) : 0;
            within |= is_label(f, i);
            if (!within || !f->runs[i] || !(made & ~*called))
                continue;
            *called |= made;
            changes = true;
        }
    }
}

/* Where the last copy of a loop's body, or an IF, ends. */
static bool closes(const struct finder *f, uint32_t place, unsigned op)
{
    const struct slow_place *here = &f->plan->place[place];
    return op == OP_ENDIF || (op == OP_ENDREP && here->loop != NO_INDEX && f->plan->place[here->loop].to == place + 1);
}

static void follow(struct finder *f)
{
    size_t nsymbols = f->p->text->symbols.count;
    unsigned depth = 0;
    bool within = false;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        struct insn form = f->form[i];
        const struct operand *o = form.nsrc ? program_operand(f->p->text, form.src) : NULL;
        bool begins = !within && is_label(f, i), calls;
        within |= begins;
        calls = !within && (form.op == OP_CAL || form.op == OP_CALI);
        bool asks = form.op == OP_MOV || form.op == OP_ABS || (form.op == OP_CVT && form.type == DT_F16);
        for (size_t k = 0; begins && k < nsymbols; k++)
            f->halves[k] &= (uint8_t)~f->added[k];
        for (unsigned c = 0; o && asks && o->kind == OPND_SYMBOL && c < 4; c++)
            f->plan->place[i].upper |= (uint8_t)((f->halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1) << c);
        for (size_t k = 0; calls && k < nsymbols; k++) {
            f->added[k] |= f->called[k] & (uint8_t)~f->halves[k];
            f->halves[k] |= f->called[k];
        }
        depth += form.op == OP_IF || form.op == OP_REP;
        depth -= depth && closes(f, i, form.op);
        if (!has_result(&form))
            continue;
        uint8_t made = made_halves(f, &form, f->halves);
        f->halves[form.dst.ref] |= made;
        f->added[form.dst.ref] &= (uint8_t)~made;
        if (!depth && !within && !form.dst.nindices && !condition_restricts(&form.dst.condition))
            f->halves[form.dst.ref] &= (uint8_t)~(slow_written(f->p, &form) & ~made);
    }
}

bool slow_find_uppers(struct slow_plan *plan, const struct slow_program *p)
{
    size_t n = p->text->symbols.count + 1;
    struct finder f = {.p = p, .plan = plan};
    bool ok;
    if (!is_asked(p))
        return true;
    f.form = calloc(plan->count + 1u, sizeof *f.form);
    f.halves = calloc(n, 1);
    f.called = calloc(n, 1);
    f.added = calloc(n, 1);
    f.runs = calloc(plan->count + 1u, sizeof *f.runs);
    ok = f.runs && f.form && f.halves && f.called && f.added;
    for (uint32_t i = 0; ok && i < plan->count; i++) {
        const struct insn *insn = program_insn(p->text, plan->place[i].insn);
        f.form[i] = slow_short_form(p, insn);
        f.form[i].dst.mask &= (uint8_t)~slow_moves_nothing(p, plan->place[i].insn);
    }
    if (ok) {
        slow_mark_runs(p, plan, plan->first[p->entry], f.runs);
        find_called(&f);
        follow(&f);
    }
    free(f.runs);
    free(f.form);
    free(f.halves);
    free(f.called);
    free(f.added);
    return ok;
}
