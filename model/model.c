/* The passes in the order in which they run (model/passes.def), and what decoding asks of their results. */
#include "model/model.h"

#include "asm/label.h"
#include "model/analysis/liveness.h"
#include "model/const/specialize.h"
#include "model/contract/contract.h"
#include "model/expand/expand.h"
#include "model/half/clamp.h"
#include "model/ir/result_mask.h"
#include "model/reconverge/reconverge.h"
#include "model/simplify/pair.h"
#include "model/state.h"

static bool find_labels(struct model *m)
{
    m->labels = arena_alloc(&m->arena, m->p->insns.count + 1u);
    if (!m->labels)
        return model_out_of_memory(m);
    m->entry = eval_labels(m->p, m->nvidia, m->labels);
    return true;
}

bool model_run_passes(struct model *m, const struct gp5_program *text, uint64_t passes, bool nvidia)
{
    *m = (struct model){.text = text, .p = text, .passes = passes, .nvidia = nvidia};
    return (eval_block_ends_new(&m->ends, m->p) || model_out_of_memory(m)) && model_mask_results(m) &&
           model_unroll(m, &m->unrolled) && reconverge_find(m) && find_labels(m) && model_contract(m) &&
           model_find_pairs(m);
}

void model_free(struct model *m)
{
    arena_free(&m->arena);
    model_unroll_free(&m->unrolled);
    model_masked_free(&m->masked);
    eval_block_ends_free(&m->ends);
    model_liveness_forget(m);
}

const uint8_t *model_useful(struct model *m)
{
    return model_liveness(m) ? m->live->useful : NULL;
}

/* It is not worth an analysis of its own. */
bool model_knows_entry(const struct model *m)
{
    const struct liveness *l = m->live;

    return l && m->entry < m->p->insns.count && l->start[l->block[m->entry]] == m->entry;
}

bool model_wants_at_entry(const struct model *m, uint32_t symbol, unsigned cc, unsigned component)
{
    const struct liveness *l = m->live;
    uint32_t var = symbol == NO_INDEX ? model_cc_variable(cc, component)
                                      : model_variable(l, OPND_SYMBOL, symbol, false, component);

    return var == NO_INDEX || shared_bits_has(&l->live_in[l->block[m->entry]], var);
}

uint8_t model_clamps_single(const struct model *m, uint32_t i, const struct insn *insn)
{
    return eval_clamps_single(m, i, insn);
}

unsigned model_all_steps(const struct model *m, uint32_t insn, unsigned c, struct sum_step steps[MAX_SUM_STEPS])
{
    return eval_all_steps(m, insn, c, steps);
}
