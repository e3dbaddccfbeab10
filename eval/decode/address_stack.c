/* PUSHA and POPA: each lane has a stack of address registers, an array of planes that the lane's depth indexes. What is
 * pushed beyond its end, or popped where there is nothing, is undefined (NV_vertex_program3 2.14.5.43: the program ends
 * abnormally, and so do results). NVIDIA's driver has 31 places; what it pushes beyond them is dropped. */
#include "eval/decode/decode.h"

static bool is_drivers(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

static uint32_t places(const struct decoder *d)
{
    return is_drivers(d) ? 31 : EVAL_CALL_DEPTH;
}

static bool uses_stack(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (op_has(program_insn(p, i)->op, A_STACK))
            return true;
    return false;
}

/* The depth by an operation on words: in every lane where the program begins, else in those that are active. */
static bool set_depth(struct decoder *d, uint16_t operation, uint32_t by, bool all)
{
    struct kernel_request want = eval_request(d, operation, DT_S32);
    uint32_t word = eval_layout_word(&d->layout, by), depth = d->address_stack;
    struct lane_op op = {.n = 1, .dst = {depth}, .src = {{operation == OP_MOV ? word : depth}, {word}}};

    return all ? eval_raw(d, &want, &op, NULL) : eval_lane(d, &want, &op);
}

bool eval_begin_address_stack(struct decoder *d, uint32_t entry)
{
    struct step *s;

    if (!uses_stack(d->p))
        return true;
    d->address_stack = eval_layout_planes(&d->layout, 1 + 4 * EVAL_CALL_DEPTH);
    d->insn = entry;
    if (!set_depth(d, OP_MOV, 0, true))
        return false;
    s = eval_step(d, STEP_BRA);
    if (s)
        s->target = entry;
    return s != NULL;
}

static bool push(struct decoder *d, const struct insn *insn)
{
    struct write out = {.n = 4, .comp = {0, 1, 2, 3}, .registers = true, .index = d->address_stack,
                        .elements = places(d), .stride = 4};
    struct fetched f;
    struct step *s;

    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_S32, 15, false, &f))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        out.from[c] = f.plane[c];
        out.to[c] = d->address_stack + 1 + c;
    }
    s = eval_step(d, STEP_WRITE);
    if (!s)
        return false;
    s->ref = (uint32_t)d->writes.count;
    return eval_push(d, &d->writes, &out) != NO_INDEX && set_depth(d, OP_ADD, 1, false) &&
           (!is_drivers(d) || set_depth(d, OP_MIN, places(d), false));
}

static bool pop(struct decoder *d, const struct insn *insn)
{
    struct gather g = {.n = 4, .index = d->address_stack, .elements = places(d), .stride = 4};
    struct insn words = *insn;

    words.type = DT_S32;
    for (unsigned c = 0; c < 4; c++) {
        g.src[c] = d->address_stack + 1 + c;
        g.dst[c] = eval_layout_scratch(&d->layout);
    }
    return set_depth(d, OP_ADD, UINT32_MAX, false) && eval_push_gather(d, &g) &&
           (!is_drivers(d) || set_depth(d, OP_MAX, 0, false)) &&
           eval_decode_result(d, &words, DT_S32, g.dst, NULL, 0);
}

bool eval_decode_address_stack(struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_PUSHA ? push(d, insn) : pop(d, insn);
}
