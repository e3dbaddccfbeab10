/* What choices.c and choice_flow.c go by: made and given back. */
#include "eval/choices.h"

#include <string.h>

static void count_calls(struct chooser *c)
{
    uint32_t n = (uint32_t)c->d->p->insns.count;

    memset(c->calls, 0, n * sizeof *c->calls);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(c->d->p, i);
        c->indirect |= insn->op == OP_CALI;
        if (insn->op == OP_CAL && insn->partner < n)
            c->calls[insn->partner]++;
    }
}

static void find_jumps(struct chooser *c)
{
    const struct gp5_program *p = c->d->p;

    memset(c->jumped, 0, (p->insns.count + 1) * sizeof *c->jumped);
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if ((insn->op == OP_BRK || insn->op == OP_CONT) && insn->partner < p->insns.count && eval_form(c->d, i) != FORM_KNOWN && c->jumped[insn->partner] != OP_CONT)
            c->jumped[insn->partner] = insn->op;
    }
}

bool eval_chooser_new(struct chooser *c)
{
    size_t n = c->d->p->insns.count, nvars = c->live->nvars + 1u;

    c->holds = c->copied = shared_map_none(c->live->nvars, sizeof(uint32_t));
    vec_init(&c->written, sizeof(struct earlier));
    vec_init(&c->sides, sizeof(struct side));
    vec_init(&c->found, sizeof(uint32_t));
    c->held = gp5_malloc(nvars * sizeof *c->held);
    c->next = gp5_malloc(nvars * sizeof *c->next);
    c->previous = gp5_malloc(nvars * sizeof *c->previous);
    c->version = gp5_malloc(nvars * sizeof *c->version);
    c->source = gp5_malloc(n * sizeof *c->source);
    c->jumped = gp5_malloc((n + 1) * sizeof *c->jumped);
    c->calls = gp5_malloc(n * sizeof *c->calls);
    c->born = gp5_malloc(nvars * sizeof *c->born);
    c->sided = gp5_malloc(nvars);
    c->far = gp5_malloc(n + 1);
    if (!c->held || !c->next || !c->previous || !c->version || !c->source || !c->jumped || !c->calls || !c->born || !c->sided || !c->far)
        return false;
    memset(c->held, 0xff, nvars * sizeof *c->held);
    memset(c->version, 0, nvars * sizeof *c->version);
    memset(c->born, 0, nvars * sizeof *c->born);
    memset(c->sided, 0, nvars);
    memset(c->far, 0, n);
    count_calls(c);
    find_jumps(c);
    return true;
}

void eval_chooser_free(struct chooser *c)
{
    c->failed |= c->holds.failed || c->copied.failed;
    gp5_free(c->held);
    gp5_free(c->next);
    gp5_free(c->previous);
    gp5_free(c->version);
    gp5_free(c->source);
    gp5_free(c->jumped);
    gp5_free(c->calls);
    gp5_free(c->born);
    gp5_free(c->sided);
    gp5_free(c->far);
    shared_map_free(&c->holds);
    shared_map_free(&c->copied);
    vec_free(&c->written);
    vec_free(&c->sides);
    vec_free(&c->found);
}
