/* Copies of halves that meet other writes (docs/semantics.md, "SHORT variables and half arithmetic"): in other blocks than their own they are halves. */
#include "eval/half_walk.h"

#include "eval/block_ends.h"
#include "eval/half_copies.h"
#include "eval/shorts.h"
#include "eval/unroll.h"

#include <stdlib.h>
#include <string.h>

static bool is_live(const struct reach *r, uint32_t at, uint32_t var)
{
    return shared_bits_has(&r->l->live_in[r->l->block[at]], var);
}

void eval_note_half_meeting(struct reach *r, const uint32_t *held, uint32_t var, uint32_t at)
{
    uint32_t by = half_writer(r, held);

    if (by == NO_INDEX || r->kind != REACH_COPIES || !is_live(r, at, var))
        return;
    for (unsigned c = 0; c < 4; c++)
        if (eval_result_variable(r->l, &program_insn(r->d->p, by)->dst, c) == var)
            r->out->meets[by] |= (uint8_t)(1u << c);
}

static bool is_never_written(const struct reach *r, uint32_t held, uint32_t var)
{
    return !held && r->part == r->l->entry && !r->elsewhere[var];
}

bool eval_is_one_writer(struct reach *r, const uint32_t *a, const uint32_t *b, uint32_t var, uint32_t *both)
{
    uint64_t place = (uint64_t)r->at << 32 | var;

    if (r->kind != REACH_COPIES || program_insn(r->d->p, r->at)->op != OP_ENDIF || !(is_never_written(r, *a, var) || is_never_written(r, *b, var)))
        return false;
    *both = *a ? *a : *b;
    if (*both == HELD_UNKNOWN)
        return true;
    *both |= HELD_OR_NOTHING;
    r->failed |= eval_push(r->d, &r->out->alone, &place) == NO_INDEX;
    return true;
}

/* Whether a call writes a variable whatever happens; not by calls of its own. */
static bool writes_for_certain(const struct reach *r, const struct insn *call, uint32_t var)
{
    uint32_t n = (uint32_t)r->d->p->insns.count, label = call->partner;
    unsigned open = 0;

    if (call->op != OP_CAL || condition_restricts(&call->condition))
        return false;
    for (uint32_t i = label; i < n && (i == label || !r->l->label[i]); i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        enum form form = eval_form(r->d, i);
        if (insn->op == OP_RET)
            return false;
        if (insn->op == OP_REP && form != FORM_OPEN && form != FORM_KNOWN && insn->partner < n) {
            i = insn->partner;
            continue;
        }
        if (form != FORM_KNOWN)
            open += insn->op == OP_IF ? 1u : insn->op == OP_ENDIF ? -1u : 0;
        for (unsigned c = 0; !open && c < 4; c++)
            if (eval_changed_short(r->d, r->l, i) >> c & 1 && eval_result_variable(r->l, &insn->dst, c) == var && !condition_restricts(&insn->dst.condition))
                return true;
    }
    return false;
}

void eval_note_half_call(struct reach *r, const uint32_t *held, uint32_t var)
{
    uint32_t behind = r->call + 1;

    if (r->call == NO_INDEX || r->kind != REACH_COPIES || behind >= r->d->p->insns.count || r->l->label[behind] || half_writer(r, held) == NO_INDEX)
        return;
    if (is_live(r, behind, var) && !writes_for_certain(r, program_insn(r->d->p, r->call), var))
        eval_note_half_meeting(r, held, var, behind);
}

void eval_find_written_elsewhere(struct reach *r)
{
    for (uint32_t i = 0; i < r->d->p->insns.count; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        if ((i >= r->l->entry && i < r->l->main_end) || insn->dst.kind != OPND_SYMBOL)
            continue;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = insn->dst.mask >> c & 1 ? eval_result_variable(r->l, &insn->dst, c) : NO_INDEX;
            if (var != NO_INDEX)
                r->elsewhere[var] = 1;
        }
    }
}

/* The blocks: IFs that hold nothing end none. */
static uint32_t *number_blocks(const struct reach *r)
{
    uint32_t n = (uint32_t)r->d->p->insns.count, *acts = gp5_malloc((n + 1u) * sizeof *acts), number = 0;
    uint8_t *idle = gp5_malloc(n + 1u);

    if (!acts || !idle) {
        gp5_free(acts);
        gp5_free(idle);
        return NULL;
    }
    memset(idle, 0, n + 1u);
    acts[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        unsigned op = program_insn(r->d->p, i)->op;
        acts[i + 1] = acts[i] + (op != OP_IF && op != OP_ELSE && op != OP_ENDIF && r->l->useful[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = program_insn(r->d->p, i)->op == OP_IF ? program_insn(r->d->p, i)->partner : NO_INDEX, other = NO_INDEX;
        if (to < n && program_insn(r->d->p, to)->op == OP_ELSE) {
            other = to;
            to = program_insn(r->d->p, to)->partner;
        }
        if (to < n && acts[to + 1] == acts[i])
            idle[i] = idle[to] = idle[other < n ? other : i] = 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        bool begins = i && r->l->block[i] != r->l->block[i - 1], flows = op_flows(insn->op);
        if (begins && !r->l->label[i] && idle[i])
            begins = op_flows(program_insn(r->d->p, i - 1)->op) && !idle[i - 1];
        else if (begins && !r->l->label[i] && idle[i - 1])
            begins = flows || (eval_ends_block(insn) && r->l->useful[i]);
        acts[i] = number += begins;
    }
    gp5_free(idle);
    return acts;
}

void eval_cut_halves(struct reach *r)
{
    uint32_t part = 0, *block = number_blocks(r);

    r->failed |= !block;

    for (uint32_t i = 0; block && i < r->d->p->insns.count; i++) {
        const struct insn *insn = program_insn(r->d->p, i);
        part = r->l->label[i] ? i : part;
        for (unsigned n = 0; n < insn->nsrc && n < 3; n++)
            for (unsigned c = 0; c < 4; c++) {
                const struct operand *o = program_operand(r->d->p, insn->src + n);
                uint32_t by = r->out->of[i][n][c], var = eval_operand_variable(r->l, o, c);
                bool meets = false;
                if (by == NO_INDEX || block[by] == block[i])
                    continue;
                for (unsigned k = 0; k < 4; k++)
                    meets |= r->out->meets[by] >> k & 1 && eval_result_variable(r->l, &program_insn(r->d->p, by)->dst, k) == var;
                if (!meets && !(r->of_call[by] >> (o->swizzle >> 2 * c & 3) & 1) && (part == r->l->entry || r->passes[by]))
                    continue;
                r->out->of[i][n][c] = NO_INDEX;
                r->out->cut[i][n] |= (uint8_t)(1u << (o->swizzle >> 2 * c & 3));
            }
    }
    gp5_free(block);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------------------------- */

static int by_place_and_variable(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

bool eval_has_one_writer(const struct decoder *d, uint32_t insn, uint32_t var)
{
    uint64_t place = (uint64_t)insn << 32 | var;
    const struct half_copies *h = d->half_copies;

    return h && h->alone.count && bsearch(&place, h->alone.data, h->alone.count, sizeof place, by_place_and_variable);
}

void eval_keep_meetings(struct half_copies *h, struct half_reach *from)
{
    h->cut = from->cut;
    h->alone = from->alone;
    from->cut = NULL;
    vec_init(&from->alone, sizeof(uint64_t));
    if (h->alone.count)
        qsort(h->alone.data, h->alone.count, sizeof(uint64_t), by_place_and_variable);
}
