/* Where ways meet that wrote different things to a SHORT variable: who reads it behind that gets the half, however it came there. */
#include "eval/liveness.h"
#include "eval/search.h"
#include "eval/shorts.h"

#include "eval/sources.h"

#include <stdlib.h>

static uint32_t cell_of(const struct decoder *d, const struct result *r)
{
    return r->kind == OPND_SYMBOL ? d->shorts.first[r->ref] : NO_INDEX;
}

uint8_t eval_came_in(const struct decoder *d, const struct operand *o)
{
    const struct shorts *s = &d->shorts;
    uint32_t first = o->kind == OPND_SYMBOL && eval_is_short(d, o->kind, o->ref) && s->within && s->ncells && s->moved[o->ref] ? s->first[o->ref] : NO_INDEX;
    uint8_t mask = 0;

    if (first == NO_INDEX)
        return mask;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t cell = first + (o->swizzle >> 2 * c & 3);
        mask |= (uint8_t)((cell < s->ncells && s->all[cell] & SHORT_COPY && s->owner[cell] != s->part) << c);
    }
    return mask;
}

static bool note_cell(struct decoder *d, uint32_t cell)
{
    return d->shorts.kinds[cell] || eval_push(d, &d->shorts.noted, &cell) != NO_INDEX;
}

/* The components that an instruction changes as far as others see: none where its test is known to fail, or where it moves them onto themselves in
 * the main program. */
static uint8_t changed(struct decoder *d, uint32_t i)
{
    const struct liveness *live = eval_liveness(d);
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = eval_folded_at(d, i);

    if (!live || insn->dst.kind == OPND_NONE || insn->dst.condition.rule == CC_FL)
        return 0;
    return eval_written(live, insn) & (uint8_t)~(folded ? folded->fails : 0) & (i < d->shorts.subroutines ? (uint8_t)~eval_onto_itself(d, i) : 15);
}

static uint8_t noted_kind(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    uint8_t kind = eval_short_kind(d, insn, i);

    return kind & SHORT_NUMBER && !(kind & SHORT_COPY && eval_moves_short(d, insn)) ? kind : kind | SHORT_FLOAT;
}

/* What an instruction writes, but for some components, among what a region writes (`kinds`), or elsewhere. */
static bool note_but(struct decoder *d, uint32_t i, uint8_t some, uint8_t *kinds)
{
    const struct insn *insn = program_insn(d->p, i);
    uint32_t cell = cell_of(d, &insn->dst);
    uint8_t mask;

    if (cell == NO_INDEX || cell + 4 > d->shorts.ncells || shape_table[op_table[insn->op].shape].result == RC_NONE)
        return true;
    mask = changed(d, i) & (uint8_t)~some;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            if (kinds == d->shorts.kinds && !note_cell(d, cell + c))
                return false;
            kinds[cell + c] |= noted_kind(d, insn, i);
        }
    return true;
}

static bool note(struct decoder *d, uint32_t i, uint8_t *kinds)
{
    return note_but(d, i, 0, kinds);
}

bool eval_note_shorts(struct decoder *d)
{
    for (uint32_t i = 0; d->shorts.ncells && i < d->p->insns.count; i++)
        note(d, i, d->shorts.all);
    for (uint32_t cell = 0; cell < d->shorts.ncells; cell++)
        if (eval_push(d, &d->shorts.cleared, &cell) == NO_INDEX)
            return false;
    return true;
}

/* What a subroutine writes, which ends where the next label is; and which ones it calls. */
static bool note_subroutine(struct decoder *d, uint32_t label)
{
    for (uint32_t i = label; i < d->p->insns.count && (i == label || !d->shorts.labels[i]); i++) {
        if (!note(d, i, d->shorts.kinds))
            return false;
        if (program_insn(d->p, i)->op == OP_CAL && eval_push(d, &d->shorts.calls, &program_insn(d->p, i)->partner) == NO_INDEX)
            return false;
    }
    return true;
}

/* What any subroutine may write. */
static bool note_any(struct decoder *d)
{
    struct shorts *s = &d->shorts;

    for (uint32_t cell = 0; cell < s->ncells; cell++) {
        if (s->all[cell] && !note_cell(d, cell))
            return false;
        s->kinds[cell] |= s->all[cell];
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
        if (!note(d, i, s->kinds) || (insn->op == OP_CALI && !note_any(d)))
            return false;
        if (insn->op == OP_CAL && eval_push(d, &s->calls, &insn->partner) == NO_INDEX)
            return false;
    }
    if (!s->calls.count)
        return true;
    s->looks++;
    while (s->calls.count) {
        uint32_t label = *(uint32_t *)vec_at(&s->calls, --s->calls.count);
        if (label >= n || s->seen[label] == s->looks)
            continue;
        s->seen[label] = s->looks;
        if (!note_subroutine(d, label))
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
            op.dst[op.n++] = plane + c * stride + from;
        }
    return !op.n || eval_lane(d, &want, &op);
}

/* The components of a variable in `mask` are halves: of a word, too, who reads it as a float gets the low half. What stands above the half nobody
 * knows of those in `words`, where it may be one of a float. */
static bool meet(struct decoder *d, uint32_t symbol, uint8_t mask, uint8_t words)
{
    unsigned stride = eval_is_both(d, symbol) ? 2 : 1;
    struct plane_run run;
    uint32_t plane;

    if (!(mask | words))
        return true;
    if (!eval_symbol_planes(d, symbol, 0, program_insn(d->p, d->insn)->span, &run))
        return false;
    plane = run.plane[0];
    if (stride == 1 && d->shorts.words[symbol])
        return in_place(d, EVAL_OP_OPEN, plane, stride, words, 0);
    return in_place(d, EVAL_OP_HALF, plane, stride, mask, stride - 1) &&
           (stride == 1 || in_place(d, EVAL_OP_OPEN, plane, stride, words, 0));
}

/* The components of one variable, and forgets their kinds. */
static bool meet_variable(struct decoder *d, uint32_t first)
{
    struct shorts *s = &d->shorts;
    uint32_t symbol = s->symbol_of[first / 4];
    uint8_t halves = 0, words = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint8_t kinds = s->kinds[first + c] ? s->kinds[first + c] | s->before[first + c] : 0;
        if (kinds & ~SHORT_NUMBER)
            halves |= (uint8_t)(1u << c);
        if (kinds & SHORT_FLOAT)
            words |= (uint8_t)(1u << c);
        s->kinds[first + c] = 0;
    }
    return meet(d, symbol, halves, words);
}

/* All cells whose kinds are noted; forgets them. */
static bool meet_noted(struct decoder *d)
{
    struct vec *noted = &d->shorts.noted;
    bool ok = true;

    if (noted->count)
        qsort(noted->data, noted->count, sizeof(uint32_t), eval_by_number);
    for (size_t i = 0; ok && i < noted->count; i++) {
        uint32_t first = *(uint32_t *)vec_at(noted, i) & ~3u;
        ok = (i && *(uint32_t *)vec_at(noted, i - 1) >= first) || meet_variable(d, first);
    }
    noted->count = 0;
    return ok;
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
    uint8_t mask;

    if (cell == NO_INDEX || cell + 4 > s->ncells || shape_table[op_table[program_insn(d->p, d->insn)->op].shape].result == RC_NONE)
        return true;
    mask = changed(d, d->insn);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && !s->open.count && !condition_restricts(&insn->dst.condition)) {
            uint32_t at = cell + c;
            if (s->before[at] == s->all[at] && eval_push(d, &s->cleared, &at) == NO_INDEX)
                return false;
            s->before[at] = 0;
            s->owner[at] = s->part;
        }
    note(d, d->insn, s->before);
    if (!condition_restricts(&insn->dst.condition))
        return true;
    return note_but(d, d->insn, eval_onto_itself(d, d->insn), s->kinds) && meet_noted(d);
}

/* What became a half, as far as the text tells: in blocks and subroutines nothing ceases to be one. */
static void note_halves(struct decoder *d, const struct insn *insn)
{
    struct shorts *s = &d->shorts;
    const struct result *r = &insn->dst;
    uint8_t made;

    for (size_t i = 0; !s->within && (insn->op == OP_CAL || insn->op == OP_CALI) && i < s->callable.count; i++) {
        uint32_t k = *(uint32_t *)vec_at(&s->callable, i);
        s->added[k] |= s->called[k] & (uint8_t)~s->halves[k];
        s->halves[k] |= s->called[k];
    }
    if (r->kind != OPND_SYMBOL || insn->op >= OP_COUNT || eval_gives_nothing(d->p, insn))
        return;
    made = eval_made_halves(d, insn);
    s->halves[r->ref] |= made;
    s->added[r->ref] &= (uint8_t)~made;
    if (!s->open.count && !s->within && !r->nindices && !condition_restricts(&r->condition))
        s->halves[r->ref] &= (uint8_t)~(r->mask & ~made);
}

void eval_enter_shorts(struct decoder *d)
{
    struct shorts *s = &d->shorts;

    for (uint32_t k = 0; s->both && !s->within && k < d->p->symbols.count; k++)
        s->halves[k] &= (uint8_t)~s->added[k];
    s->within = true;
    s->part++;
}

static bool begin_block(struct decoder *d)
{
    struct open_block b = {d->insn, d->nesting};

    return eval_push(d, &d->shorts.open, &b) != NO_INDEX;
}

static bool ends_block(const struct decoder *d)
{
    const struct vec *open = &d->shorts.open;

    return open->count && d->nesting < ((const struct open_block *)vec_at(open, open->count - 1))->nesting;
}

/* Where no SHORT variable is used that anything could meet in. */
static bool follow_blocks(struct decoder *d, uint16_t op)
{
    if (op == OP_IF || op == OP_REP)
        return begin_block(d);
    if ((op == OP_ENDIF || op == OP_ENDREP) && ends_block(d))
        d->shorts.open.count--;
    return true;
}

bool eval_meet_shorts(struct decoder *d, const struct insn *insn)
{
    struct shorts *s = &d->shorts;
    bool ok = true;

    if (s->both)
        note_halves(d, insn);
    if (!s->ncells)
        return !s->both || follow_blocks(d, insn->op);
    while (s->labels[d->insn] && d->insn > 0 && s->cleared.count) {     /* whoever calls it */
        uint32_t cell = *(uint32_t *)vec_at(&s->cleared, --s->cleared.count);
        s->before[cell] |= s->all[cell];
    }
    switch (insn->op) {
    case OP_IF: case OP_REP:
        ok = begin_block(d);
        if (ok && insn->op == OP_REP && is_loop(d, d->insn) && insn->partner != NO_INDEX)
            ok = meet_written(d, d->insn, insn->partner);
        break;
    case OP_ENDIF: case OP_ENDREP:
        if (ends_block(d))
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
