/* Results as steps (result_emit.h). */
#include "eval/decode/result_emit.h"

static bool write_step(struct decoder *d, const struct insn *insn, const struct write *out)
{
    uint32_t ref = eval_push(d, &d->writes, out);
    struct step *s = ref == NO_INDEX ? NULL : eval_step(d, STEP_WRITE);

    if (!s)
        return false;
    s->test = d->earlier ? (struct test){.rule = CC_NE, .cc = EARLIER, .swizzle = 0xe4} : eval_test_of_result(d, insn);
    s->test.flow = d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&      /* it is a branch */
                   (insn->cc_update || (insn->dst.kind == OPND_SYMBOL && model_is_indexed(&d->model, insn->dst.ref)));
    s->ref = ref;
    return true;
}

static bool write_floats(struct decoder *d, const struct insn *insn, const struct write *out)
{
    struct write floats = *out;

    floats.cc_update = 0;
    for (unsigned i = 0; i < out->n; i++) {
        floats.from[i]++;
        floats.to[i]++;
    }
    return write_step(d, insn, &floats);
}

/* Of a SHORT variable with two words (`both`) the floats are written first, while the condition is what it was. */
bool eval_write_result(struct decoder *d, const struct insn *insn, const struct write *out, bool both)
{
    return (!both || write_floats(d, insn, out)) && write_step(d, insn, out);
}

bool eval_keep_outcome(struct decoder *d, const struct insn *insn)
{
    struct insn plain = *insn;
    struct write out = {.cc_update = EARLIER + 1, .flag_type = DT_S32, .index = NO_PLANE};
    uint32_t fails = eval_layout_word(&d->layout, 0), passes = eval_layout_word(&d->layout, 1);

    plain.dst.condition = (struct condition){0};
    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    for (unsigned i = 0; i < out.n; i++) {
        out.from[i] = out.to[i] = out.flag_from[i] = fails;
        out.answers.more[i] = NO_PLANE;
    }
    if (!write_step(d, &plain, &out))
        return false;
    for (unsigned i = 0; i < out.n; i++)
        out.from[i] = out.to[i] = out.flag_from[i] = passes;
    return write_step(d, insn, &out);
}
