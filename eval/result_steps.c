/* Results as steps (result_steps.h). */
#include "eval/result_steps.h"

static bool write_step(struct decoder *d, const struct insn *insn, const struct write *out)
{
    uint32_t ref = eval_push(d, &d->writes, out);
    struct step *s = ref == NO_INDEX ? NULL : eval_step(d, STEP_WRITE);

    if (!s)
        return false;
    s->test = d->earlier ? (struct test){.rule = CC_NE, .cc = EARLIER, .swizzle = 0xe4} : eval_test_of_result(d, insn);
    s->test.flow = d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&      /* it is a branch */
                   (insn->cc_update || (insn->dst.kind == OPND_SYMBOL && eval_is_indexed(d, insn->dst.ref)));
    s->ref = ref;
    return true;
}

/* Some components of a write alone. */
static struct write some_of(const struct write *out, uint8_t components)
{
    struct write some = *out;
    uint8_t n = 0;

    some.answers.subtracted = some.answers.exact = 0;
    for (unsigned i = 0; i < out->n; i++) {
        if (!(components >> out->comp[i] & 1))
            continue;
        some.skipped[n] = (uint8_t)(i - n);
        some.comp[n] = out->comp[i];
        some.from[n] = out->from[i];
        some.to[n] = out->to[i];
        some.flag_from[n] = out->flag_from[i];
        some.answers.more[n] = out->answers.more[i];
        some.answers.less[n] = out->answers.less[i];
        some.answers.zero[n] = out->answers.zero[i];
        some.answers.sign[0][n] = out->answers.sign[0][i];
        some.answers.sign[1][n] = out->answers.sign[1][i];
        some.answers.subtracted |= (uint8_t)((out->answers.subtracted >> i & 1) << n);
        some.answers.exact |= (uint8_t)((out->answers.exact >> i & 1) << n);
        n++;
    }
    some.n = n;
    return some;
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
static bool write_some(struct decoder *d, const struct insn *insn, const struct write *some, bool both)
{
    return (!both || write_floats(d, insn, some)) && write_step(d, insn, some);
}

/* Components one after the other, so that later ones see the flags that earlier ones set. */
static bool write_in_turn(struct decoder *d, const struct insn *insn, const struct write *out, bool both)
{
    uint8_t groups[4];
    unsigned n = eval_turns(insn, eval_folded_at(d, d->insn)->early, groups);

    for (unsigned k = 0; k < n; k++) {
        struct write some = some_of(out, groups[k]);
        if (!write_some(d, insn, &some, both))
            return false;
    }
    return true;
}

static bool is_written_in_turn(const struct folded *folded, const struct insn *insn)
{
    return folded && folded->in_turn && eval_tests_others(insn);
}

bool eval_is_written_apart(const struct decoder *d, const struct insn *insn)
{
    return is_written_in_turn(eval_folded_at(d, d->insn), insn);
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

bool eval_write_result(struct decoder *d, const struct insn *insn, const struct write *out, bool both)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    if (d->earlier)
        return write_some(d, insn, out, both);
    if (is_written_in_turn(folded, insn))
        return write_in_turn(d, insn, out, both);
    return write_some(d, insn, out, both);
}
