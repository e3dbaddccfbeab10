/* The index of a LOOP: A0.x begins as floor(a.y), and ENDLOOP adds floor(a.z). Each block has its own; behind it that
 * of the block around counts again. */
#include "eval/decode/decode.h"
#include "eval/decode/loop_index.h"
#include "eval/decode/variables.h"

/* A0, where the program names it. */
static uint32_t index_register(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (program_symbol(p, i)->kind == SYM_ADDRESS)
            return i;
    return NO_INDEX;
}

/* A0.x becomes the result of an operation on words, in the active lanes. */
static bool set_index(struct decoder *d, uint32_t symbol, unsigned operation, uint32_t a, uint32_t b)
{
    struct insn write = {.op = OP_MOV, .type = DT_S32, .dst = {.kind = OPND_SYMBOL, .ref = symbol, .mask = 1}};
    struct lane_op op = {.n = 1, .src = {{a, a, a, a}, {b, b, b, b}}};

    return eval_emit(d, &write, eval_request(d, (uint16_t)operation, DT_S32), &op);
}

static bool keep(struct decoder *d, uint32_t from, uint32_t to)
{
    struct kernel_request want = eval_request(d, OP_MOV, DT_U32);
    struct lane_op op = {.n = 1, .dst = {to}, .src = {{from}}};

    return eval_raw(d, &want, &op, NULL);
}

/* floor(a.y) and floor(a.z) into fresh planes. */
static bool whole(struct decoder *d, const struct operand *o, uint32_t first, uint32_t step)
{
    struct kernel_request want = eval_request(d, OP_FLR, DT_S32);
    struct lane_op op = {.n = 2, .comp = {1, 2}, .dst = {first, step}};
    struct fetched f;

    if (!eval_fetch(d, o, DT_F32, 6, false, &f))
        return false;
    op.src[0][0] = f.plane[1];
    op.src[0][1] = f.plane[2];
    return eval_raw(d, &want, &op, NULL);
}

bool eval_begin_index(struct decoder *d, const struct insn *insn)
{
    struct loop_index loop = {.symbol = index_register(d->p)};
    struct plane_run run;
    uint32_t first;

    if (!(insn->flags & INSN_INDEXED))
        return true;
    loop.saved = eval_layout_planes(&d->layout, 3);
    loop.step = loop.saved + 1;
    first = loop.saved + 2;
    if (loop.symbol != NO_INDEX &&
        (!eval_symbol_planes(d, loop.symbol, 0, insn->span, &run) || !keep(d, run.plane[0], loop.saved) ||
         !whole(d, program_operand(d->p, insn->src), first, loop.step) ||
         !set_index(d, loop.symbol, OP_MOV, first, first)))
        return false;
    return eval_push(d, &d->indexed, &loop) != NO_INDEX;
}

bool eval_advance_index(struct decoder *d, const struct insn *insn)
{
    const struct loop_index *loop;
    struct plane_run run;

    if (!(insn->flags & INSN_INDEXED) || !d->indexed.count)
        return true;
    loop = vec_at(&d->indexed, d->indexed.count - 1);
    return loop->symbol == NO_INDEX || (eval_symbol_planes(d, loop->symbol, 0, insn->span, &run) &&
                                        set_index(d, loop->symbol, OP_ADD, run.plane[0], loop->step));
}

bool eval_end_index(struct decoder *d, const struct insn *insn)
{
    struct loop_index loop;

    if (!(insn->flags & INSN_INDEXED) || !d->indexed.count)
        return true;
    loop = *(struct loop_index *)vec_at(&d->indexed, d->indexed.count - 1);
    d->indexed.count--;
    return loop.symbol == NO_INDEX || set_index(d, loop.symbol, OP_MOV, loop.saved, loop.saved);
}
