/* What an atomic operation gives, and to which components (docs/semantics.md, "Memory"). */
#include "eval/decode/decode.h"
#include "eval/decode/emit.h"

/* Components that hold what stands elsewhere. */
static bool leave_open(struct decoder *d, const struct insn *insn, uint8_t mask)
{
    struct insn lost = *insn;
    uint32_t zero = eval_layout_word(&d->layout, 0), planes[4] = {zero, zero, zero, zero};

    lost.type = DT_U32;
    lost.dst.mask = mask;
    return !mask || (eval_after(d, eval_request(d, EVAL_OP_STRAY, DT_F32), 4, planes) &&
                     eval_decode_result(d, &lost, DT_U32, planes, NULL, 0));
}

/* Of halves in a buffer nothing comes back, but to a LONG variable. */
static uint8_t left_by_halves(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_ATOMB && insn->type == DT_F16 && program_is_long(d->p, insn->dst.kind, insn->dst.ref)
               ? insn->dst.mask
               : 0;
}

bool eval_atomic_result(struct decoder *d, const struct insn *insn, struct access *a)
{
    struct insn of_x = *insn;
    struct gives gives = eval_atomic_gives(d->p, insn);
    uint32_t first = (uint32_t)d->steps.count;
    bool ok;

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return eval_access_result(d, insn, STEP_ATOMIC, a);
    of_x.dst.mask = eval_gives_nothing(d->p, insn) ? 0 : gives.value;
    ok = eval_access_result(d, &of_x, STEP_ATOMIC, a) && leave_open(d, insn, gives.stray | left_by_halves(d, insn));
    for (uint32_t i = first; ok && eval_atomic_is_direct(d->p, insn) && i < d->steps.count; i++) {
        struct step *s = vec_at(&d->steps, i);
        if (s->kind == STEP_ATOMIC)
            s->test = eval_test_of_result(d, insn);
    }
    return ok;
}
