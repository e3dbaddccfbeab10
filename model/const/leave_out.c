/* What passes that are off (model/passes.def) would have told the decoder of an instruction is taken out of struct
 * folded: one rule a pass. */
#include "model/const/lattice.h"
#include "model/tables.h"

#include <string.h>

#define CLEAR(field) memset(&(field), 0, sizeof(field))

/* Results, and operands that are numbers. */
static void without_fold(struct folded *f)
{
    f->mask = f->of_any = f->known = f->known_short = f->moved = 0;
    f->anywhere = 0;
    CLEAR(f->shorts);
    CLEAR(f->nans);
    CLEAR(f->operands);
}

static void without_ones(struct folded *f)
{
    CLEAR(f->ones);
    CLEAR(f->minus);
    f->over = f->over_minus = 0;
}

static void without_tests(struct folded *f)
{
    f->settled = f->passes = f->fails = f->fixed = f->fixed_passes = 0;
    f->answers.positive = f->answers.signless = 0;
}

static void without_ranges(struct folded *f)
{
    f->whole = f->turned = 0;
    CLEAR(f->bare);
    CLEAR(f->absolute);
    f->answers.not_below = f->answers.no_sign = f->answers.above = f->answers.below = f->answers.not_above = 0;
}

static void without_sum_compare(struct folded *f)
{
    f->compares = f->less = f->compared = 0;
    CLEAR(f->uses);
    CLEAR(f->answers.sum);
}

static void without_votes(struct folded *f)
{
    f->booleans = 0;
}

static void without_part(uint64_t passes, const struct insn *insn, struct folded *f)
{
    bool off = (insn->op == OP_MAD && !model_has(passes, PASS_mad_const)) ||
               (insn->op == OP_POW && !model_has(passes, PASS_pow_const)) ||
               (insn->op == OP_DIV && !model_has(passes, PASS_div_const));

    f->part = off ? 0 : f->part;
}

void eval_known_leave_out(uint64_t passes, const struct insn *insn, struct folded *f)
{
    static const struct {
        enum model_pass pass;
        void (*without)(struct folded *);
    } rules[] = {
        {PASS_fold, without_fold},
        {PASS_mul_one, without_ones},
        {PASS_known_tests, without_tests},
        {PASS_ranges, without_ranges},
        {PASS_sum_compare, without_sum_compare},
        {PASS_vote_booleans, without_votes},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!model_has(passes, rules[i].pass))
            rules[i].without(f);
    without_part(passes, insn, f);
    if (!model_has(passes, PASS_known_operand)) {
        CLEAR(f->taken);
        CLEAR(f->chosen);
    }
    if (!model_has(passes, PASS_expand_const)) {
        CLEAR(f->factors);
        CLEAR(f->alike);
    }
    if (!model_has(passes, PASS_pairs))
        CLEAR(f->bounds);
}
