/* What an atomic operation gives, and to which components (docs/semantics.md, "Memory"). */
#include "eval/decode/emit.h"
#include "model/analysis/liveness.h"

/* A number of 64 bits goes to a variable of 32, or one of 32 to a LONG one: by way of another register, of which the driver's compiler has x alone. */
static bool is_resized(const struct gp5_program *p, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;

    if (insn->type == DT_F16 || insn->dst.kind != OPND_SYMBOL || (insn->op != OP_ATOM && insn->op != OP_ATOMB && insn->op != OP_ATOMS))
        return false;
    return wide ? program_symbol(p, insn->dst.ref)->size == SIZE_DEFAULT : program_is_long(p, OPND_SYMBOL, insn->dst.ref);
}

/* ATOM and ATOMS write x whatever the mask names, and a test on the result holds back the operation itself. */
static bool is_direct(const struct gp5_program *p, const struct insn *insn)
{
    return (insn->op == OP_ATOM || insn->op == OP_ATOMS) && !is_resized(p, insn);
}

/* x, which gets the number or its lower word, and components that get what stands elsewhere. */
struct gives {
    uint8_t value, stray;
};

static struct gives given(const struct gp5_program *p, const struct insn *insn)
{
    uint8_t mask = insn->dst.mask, others = mask & 14;
    bool any = is_direct(p, insn) && !(insn->type == DT_F16 && insn->width == 4), lone = !(mask & (mask - 1)) && !condition_restricts(&insn->dst.condition);

    if (!is_resized(p, insn) || (type_table[insn->type].bytes == 8 && lone))
        others = 0;
    return (struct gives){.value = any ? mask != 0 : mask & 1, .stray = others};
}

uint8_t eval_atomic_written(const struct gp5_program *p, const struct insn *insn)
{
    struct gives gives = given(p, insn);

    return gives.value | gives.stray;
}

/* Components that hold what stands elsewhere. */
static bool leave_open(struct decoder *d, const struct insn *insn, uint8_t mask)
{
    struct insn lost = *insn;
    uint32_t zero = eval_layout_word(&d->layout, 0), planes[4] = {zero, zero, zero, zero};

    lost.type = DT_U32;
    lost.dst.mask = mask;
    return !mask || (eval_after(d, eval_request(d, EVAL_OP_STRAY, DT_F32), 4, planes) && eval_decode_result(d, &lost, DT_U32, planes, NULL, 0));
}

/* Of halves in a buffer nothing comes back, but to a LONG variable. */
static uint8_t left_by_halves(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_ATOMB && insn->type == DT_F16 && program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? insn->dst.mask : 0;
}

bool eval_atomic_result(struct decoder *d, const struct insn *insn, struct access *a)
{
    struct insn of_x = *insn;
    struct gives gives = given(d->p, insn);
    uint32_t first = (uint32_t)d->steps.count;
    bool ok;

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return eval_access_result(d, insn, STEP_ATOMIC, a);
    of_x.dst.mask = eval_gives_nothing(d->p, insn) ? 0 : gives.value;
    ok = eval_access_result(d, &of_x, STEP_ATOMIC, a) && leave_open(d, insn, gives.stray | left_by_halves(d, insn));
    for (uint32_t i = first; ok && is_direct(d->p, insn) && i < d->steps.count; i++) {
        struct step *s = vec_at(&d->steps, i);
        if (s->kind == STEP_ATOMIC)
            s->test = eval_test_of_result(d, insn);
    }
    return ok;
}
