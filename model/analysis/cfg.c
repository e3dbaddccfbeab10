/* Where the blocks of a program begin. */
#include "model/analysis/cfg.h"
#include "asm/driver_block.h"
#include "asm/label.h"
#include "model/const/lattice.h"

#include <string.h>

/* Whether an instruction that else ends a block has been unrolled away: the end of a copy is one all the same when
 * something jumps there. */
static bool passes(const struct liveness *l, const uint8_t *jumped_to, uint32_t i)
{
    switch (model_form(l->d, i)) {
    case FORM_OPEN: case FORM_KNOWN:
        return true;
    case FORM_NEXT: case FORM_LAST:
        return !(jumped_to[i] & 1);
    default:
        return false;
    }
}

/* The ENDREP behind a loop and all its copies. */
static bool closes_loop(const struct liveness *l, uint32_t i)
{
    return program_insn(l->p, i)->op == OP_ENDREP && model_form(l->d, i) != FORM_NEXT;
}

/* Whether every component's test of a result is known. */
static bool is_settled(const struct liveness *l, uint32_t i)
{
    const struct folded *folded = model_folded_at(l->d, i);

    return folded && !(program_insn(l->p, i)->dst.mask & ~(folded->passes | folded->fails));
}

static bool is_never_taken(const struct insn *insn)
{
    return (op_calls(insn->op) || insn->op == OP_RET || insn->op == OP_BRA) && insn->condition.rule == CC_FL;
}

/* Whether products are not taken over it, though it is no flow: what looks at a buffer's size or jumps over a write
 * ends a block, and the driver's doubles are divided by calls. What nobody needs is gone by then, but for those
 * (tests/recordings/patterns/blocks.txt, product_*, live_*); so is a loop's LDB of one word of 32 bits, which loads the
 * same each time (tests/recordings/patterns/loops.txt, large_with_load). */
static bool parts_products(const struct liveness *l, uint32_t i, bool in_loop, const uint8_t *useful)
{
    const struct insn *insn = program_insn(l->p, i);

    if (!l->nvidia)
        return false;
    if (insn->type == DT_F64 && (insn->op == OP_RCP || insn->op == OP_DIV))
        return true;
    if ((useful && !useful[i]) || insn->dst.condition.rule == CC_FL)
        return false;
    if (insn->op == OP_LOADIM || insn->op == OP_ATOMIM)       /* tests/tools/image_cases.c, products* */
        return false;
    if (insn->op == OP_LDB && in_loop && insn->width == 1 && type_table[insn->type].bytes == 4)
        return false;
    return eval_ends_block(insn) || (eval_jumps_over(insn, &l->d->ends) && !is_settled(l, i));
}

static void find_calls(struct liveness *l)
{
    uint32_t n = (uint32_t)l->p->insns.count;

    memset(l->behind_call, 0, n + 1);
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint16_t op = program_insn(l->p, i)->op;
        if ((op == OP_CAL || op == OP_CALI) &&
            l->block[i + 1] != l->block[i]) /* one that is never made ends no block */
            l->behind_call[l->block[i + 1]] = 1;
    }
}

/* The parts that subroutines call, a bit each, by part; false where one is called by a number, or there are too many.
 */
static bool calls_of_parts(const struct liveness *l, uint32_t calls[EVAL_CALL_DEPTH])
{
    uint32_t n = (uint32_t)l->p->insns.count, first[EVAL_CALL_DEPTH], parts = 0, part = 0;

    for (uint32_t i = 0; i < n; i++)
        if (l->label[i] && parts < EVAL_CALL_DEPTH)
            first[parts++] = i;
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(l->p, i);
        while (part < parts && first[part] <= i)
            part++;
        if (!part || (i >= l->entry && i < l->main_end))
            continue;
        if (insn->op == OP_CALI)
            return false;
        for (uint32_t k = 0; insn->op == OP_CAL && k < parts; k++)
            calls[part - 1] |= (uint32_t)(first[k] == insn->dst.partner) << k;
    }
    return parts < EVAL_CALL_DEPTH;
}

/* Whether calls may come to be deeper than EVAL_CALL_DEPTH, beyond which they have no effect: a subroutine leads back
 * to itself. */
static bool may_be_deep(const struct liveness *l)
{
    uint32_t calls[EVAL_CALL_DEPTH] = {0};
    bool deep = !calls_of_parts(l, calls);

    for (uint32_t by = 0; by < EVAL_CALL_DEPTH; by++)
        for (uint32_t from = 0; from < EVAL_CALL_DEPTH; from++)
            calls[from] |= calls[from] >> by & 1 ? calls[by] : 0;
    for (uint32_t part = 0; part < EVAL_CALL_DEPTH; part++)
        deep |= calls[part] >> part & 1;
    return deep;
}

void model_find_blocks(struct liveness *l, uint8_t *leader, const uint8_t *useful)
{
    uint32_t n = (uint32_t)l->p->insns.count, depth = 0;

    memset(leader, 0, n + 1);
    leader[0] = 2;
    l->entry = l->main_end = eval_labels(l->p, l->nvidia, l->label);
    for (l->main_end += l->main_end < n; l->main_end < n && !l->label[l->main_end]; l->main_end++)
        ;
    l->goes_on = memchr(l->label, LABEL_GOES_ON, n + 1) != NULL;
    if (l->goes_on)
        l->main_end = l->entry;
    l->deep = l->goes_on || may_be_deep(l);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(l->p, i);
        if ((insn->op == OP_BRK || insn->op == OP_CONT) && insn->dst.partner < n && model_form(l->d, i) != FORM_KNOWN)
            leader[insn->dst.partner] = 1;      /* for now: something jumps there */
    }
    l->nblocks = 0;
    for (uint32_t i = 0; i < n; i++) {
        unsigned op = program_insn(l->p, i)->op;
        depth += op == OP_REP;
        depth -= depth && closes_loop(l, i);
        if (op_flows(op)) {
            if (!passes(l, leader, i) && !is_never_taken(program_insn(l->p, i)))
                leader[i + 1] |= 2, leader[i] |= 2;
        } else if (parts_products(l, i, depth, useful)) {
            leader[i + eval_jumps_over(program_insn(l->p, i), &l->d->ends)] |=
                2; /* a load's result is the next one's */
        }
    }
    for (uint32_t i = 0; i <= n; i++)
        leader[i] >>= 1;
    for (uint32_t i = 0; i < n; i++)
        leader[i] |= l->label[i] != LABEL_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (leader[i])
            l->start[l->nblocks++] = i;
        l->block[i] = l->nblocks - 1;
    }
    l->start[l->nblocks] = n;
    find_calls(l);
}

bool model_flow_begins(const struct liveness *l, uint32_t block)
{
    uint32_t at = l->start[block];

    return !at || l->label[at] || op_flows(program_insn(l->p, at - 1)->op) || op_flows(program_insn(l->p, at)->op);
}

bool model_has_dead_end(const struct liveness *l)
{
    for (uint32_t i = 0; i < l->p->insns.count; i++)
        if (!l->useful[i] && !op_flows(program_insn(l->p, i)->op) && parts_products(l, i, false, NULL) &&
            !parts_products(l, i, false, l->useful))
            return true;
    return false;
}

bool model_runs_once(const struct gp5_program *p, const struct insn *insn)
{
    const struct operand *o = program_operand(p, insn->src);
    struct known none = {.p = p};
    uint64_t count;

    return insn->op == OP_REP &&
           (!insn->nsrc || (o->kind == OPND_CONSTANT && model_known_operand(&none, o, 0, DT_S32, &count) &&
                            (int32_t)(uint32_t)count > 0));
}
