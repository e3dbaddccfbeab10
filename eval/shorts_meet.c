/* Where ways meet that wrote different things to a SHORT variable: who reads it behind that gets the half, however it came there. */
#include "eval/shorts.h"

#include "eval/sources.h"

#include <string.h>

static uint32_t cell_of(const struct decoder *d, const struct result *r)
{
    uint32_t first = r->kind == OPND_SYMBOL ? d->shorts.first[r->ref] : NO_INDEX;

    return first == NO_INDEX ? NO_INDEX : first + (r->nindices ? 4 * (uint32_t)program_index(d->p, r->index)->offset : 0);
}

static void note(struct decoder *d, uint32_t i, uint8_t *kinds)
{
    const struct insn *insn = program_insn(d->p, i);
    uint32_t cell = cell_of(d, &insn->dst);

    if (cell == NO_INDEX || cell + 4 > d->shorts.ncells || shape_table[op_table[insn->op].shape].result == RC_NONE)
        return;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            kinds[cell + c] |= eval_short_kind(d, insn, i);
}

/* What a subroutine writes, which ends where the next label is; and which ones it calls. */
static bool note_subroutine(struct decoder *d, uint32_t label)
{
    for (uint32_t i = label; i < d->p->insns.count && (i == label || !d->shorts.labels[i]); i++) {
        note(d, i, d->shorts.kinds);
        if (program_insn(d->p, i)->op == OP_CAL && eval_push(d, &d->shorts.calls, &program_insn(d->p, i)->partner) == NO_INDEX)
            return false;
    }
    return true;
}

/* What the instructions from one to another write, and the subroutines that they call. */
static bool note_all(struct decoder *d, uint32_t first, uint32_t last)
{
    struct shorts *s = &d->shorts;
    uint32_t n = (uint32_t)d->p->insns.count;

    s->calls.count = 0;
    for (uint32_t i = first; i < last && i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        note(d, i, s->kinds);
        for (uint32_t k = 0; insn->op == OP_CALI && k < n; k++)     /* any of them */
            note(d, k, s->kinds);
        if (insn->op == OP_CAL && eval_push(d, &s->calls, &insn->partner) == NO_INDEX)
            return false;
    }
    if (!s->calls.count)
        return true;
    memset(s->seen, 0, n);
    while (s->calls.count) {
        uint32_t label = *(uint32_t *)vec_at(&s->calls, --s->calls.count);
        if (label < n && !s->seen[label]++ && !note_subroutine(d, label))
            return false;
    }
    return true;
}

/* One operation on components of a variable in place, under the lanes that run. */
static bool in_place(struct decoder *d, uint16_t operation, uint32_t plane, unsigned stride, uint8_t mask, unsigned from)
{
    struct kernel_request want = eval_request(d, operation, DT_F32);
    struct lane_op op = {.n = 0};

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            op.comp[op.n] = (uint8_t)op.n;
            op.src[0][op.n] = plane + c * stride + from;
            op.dst[op.n++] = plane + c * stride + (operation == EVAL_OP_SHORT ? 0 : from);
        }
    return !op.n || eval_lane(d, &want, &op);
}

/* The components of one element in `mask`: halves; or (`open`) either kind, which the driver takes for either. */
static bool meet(struct decoder *d, uint32_t symbol, uint32_t element, uint8_t mask, bool open)
{
    unsigned stride = eval_is_both(d, symbol) ? 2 : 1;
    struct plane_run run;
    uint32_t plane;

    if (!mask)
        return true;
    if (!eval_symbol_planes(d, symbol, element, program_insn(d->p, d->insn)->span, &run))
        return false;
    plane = run.plane[0];
    if (open)
        return in_place(d, EVAL_OP_OPEN, plane, stride, mask, 0) && in_place(d, EVAL_OP_OPEN, plane, stride, mask, 1);
    return in_place(d, EVAL_OP_HALF, plane, stride, mask, stride - 1) &&
           (stride == 1 || in_place(d, EVAL_OP_SHORT, plane, stride, mask, 1));
}

/* All cells whose kinds are noted; forgets them. */
static bool meet_noted(struct decoder *d)
{
    struct shorts *s = &d->shorts;

    for (uint32_t symbol = 0; symbol < d->p->symbols.count; symbol++) {
        const struct symbol *v = program_symbol(d->p, symbol);
        for (uint32_t e = 0; s->first[symbol] != NO_INDEX && e < (v->array ? v->array_size : 1); e++) {
            uint8_t halves = 0, open = 0;
            for (unsigned c = 0; c < 4; c++) {
                uint32_t cell = s->first[symbol] + 4 * e + c;
                uint8_t kinds = s->kinds[cell] ? s->kinds[cell] | s->before[cell] : 0;
                if (kinds & SHORT_NUMBER && kinds & ~SHORT_NUMBER)
                    open |= (uint8_t)(1u << c);
                else if (kinds && !(kinds & SHORT_NUMBER))
                    halves |= (uint8_t)(1u << c);
                s->kinds[cell] = 0;
            }
            if (!meet(d, symbol, e, halves, false) || !meet(d, symbol, e, open, true))
                return false;
        }
    }
    return true;
}

static bool meet_written(struct decoder *d, uint32_t first, uint32_t last)
{
    return note_all(d, first, last) && meet_noted(d);
}

/* Whether a loop's passes are the program's: not copies that follow each other. */
static bool is_loop(const struct decoder *d, uint32_t rep)
{
    uint8_t form = eval_form(d, rep);

    return form != FORM_OPEN && form != FORM_KNOWN;
}

static bool leaves_within(const struct decoder *d, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        if (program_insn(d->p, i)->op == OP_BRK || program_insn(d->p, i)->op == OP_CONT)
            return true;
    return false;
}

static bool close(struct decoder *d)
{
    const struct open_block *b = vec_at(&d->shorts.open, d->shorts.open.count - 1);
    uint32_t first = b->first;
    bool loop = program_insn(d->p, first)->op == OP_REP;

    d->shorts.open.count--;
    if (!loop && eval_form(d, first) == FORM_KNOWN)
        return true;
    return (loop && !is_loop(d, first) && !leaves_within(d, first, d->insn)) || meet_written(d, first, d->insn);
}

static bool result_of(struct decoder *d, const struct insn *insn)
{
    struct shorts *s = &d->shorts;
    uint32_t cell = cell_of(d, &insn->dst);

    if (cell == NO_INDEX || cell + 4 > s->ncells)
        return true;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && !s->open.count && !condition_restricts(&insn->dst.condition))
            s->before[cell + c] = 0;
    note(d, d->insn, s->before);
    if (!condition_restricts(&insn->dst.condition))
        return true;
    note(d, d->insn, s->kinds);
    return meet_noted(d);
}

/* What became a half, as far as the text tells: in blocks and subroutines nothing ceases to be one. */
static void note_halves(struct decoder *d, const struct insn *insn)
{
    struct shorts *s = &d->shorts;
    const struct result *r = &insn->dst;

    for (uint32_t k = 0; !s->within && (insn->op == OP_CAL || insn->op == OP_CALI) && k < d->p->symbols.count; k++) {
        s->added[k] |= s->called[k] & (uint8_t)~s->halves[k];
        s->halves[k] |= s->called[k];
    }
    if (r->kind != OPND_SYMBOL || insn->op >= OP_COUNT)
        return;
    if (eval_makes_half(d, insn)) {
        s->halves[r->ref] |= r->mask;
        s->added[r->ref] &= (uint8_t)~r->mask;
    } else if (!s->open.count && !s->within && !r->nindices && !condition_restricts(&r->condition))
        s->halves[r->ref] &= (uint8_t)~r->mask;
}

void eval_enter_shorts(struct decoder *d)
{
    struct shorts *s = &d->shorts;

    for (uint32_t k = 0; s->both && !s->within && k < d->p->symbols.count; k++)
        s->halves[k] &= (uint8_t)~s->added[k];
    s->within = true;
}

bool eval_meet_shorts(struct decoder *d, const struct insn *insn)
{
    struct shorts *s = &d->shorts;
    bool ok = true;

    if (s->both)
        note_halves(d, insn);
    if (!s->ncells)
        return true;
    for (uint32_t k = 0; s->labels[d->insn] && d->insn > 0 && k < d->p->insns.count; k++)     /* whoever calls it */
        note(d, k, s->before);
    switch (insn->op) {
    case OP_IF: case OP_REP: {
        struct open_block b = {d->insn, d->nesting};
        if (eval_push(d, &s->open, &b) == NO_INDEX)
            return false;
        if (insn->op == OP_REP && is_loop(d, d->insn) && insn->partner != NO_INDEX)
            ok = meet_written(d, d->insn, insn->partner);
        break;
    }
    case OP_ENDIF: case OP_ENDREP:
        if (s->open.count && d->nesting < ((const struct open_block *)vec_at(&s->open, s->open.count - 1))->nesting)
            ok = close(d);
        else if (s->open.count && eval_form(d, d->insn) == FORM_PHASE)     /* the next phase begins */
            ok = meet_written(d, ((const struct open_block *)vec_at(&s->open, s->open.count - 1))->first, d->insn);
        break;
    case OP_CAL: case OP_CALI:
        ok = meet_written(d, d->insn, d->insn + 1);
        break;
    default:
        ok = result_of(d, insn);
        break;
    }
    return ok;
}
