/* Programs that load from one address twice: small phases of loops take operands otherwise there (order_phases.c). */
#include "tests/slow/order.h"

#include <stdlib.h>

/* What says where a load reads. */
struct source_of_load {
    uint32_t buffer, variable, writer, calls;
    int32_t offset;
};

static bool same(const struct source_of_load *a, const struct source_of_load *b)
{
    return a->buffer == b->buffer && a->variable == b->variable && a->writer == b->writer && a->calls == b->calls && a->offset == b->offset;
}

static bool where_from(const struct finder *f, const struct operand *o, const uint32_t *writer, struct source_of_load *s)
{
    const struct index *x = o->nindices == 1 ? program_index(f->p->text, o->index) : NULL;
    if (!x || o->kind != OPND_SYMBOL)
        return false;
    *s = (struct source_of_load){.buffer = o->ref, .offset = x->offset};
    if (x->mode != INDEX_RELATIVE)
        return true;
    s->variable = slow_variable(f->p, x->register_kind, x->reg, false, x->component);
    if (s->variable == NO_INDEX || x->element.used)
        return false;
    s->writer = writer[s->variable];
    return true;
}

/* Whether a place stands in a loop, but one that is unrolled. */
static bool runs_again(const struct finder *f, uint32_t place)
{
    uint32_t loop = f->plan->place[place].loop;
    while (loop != NO_INDEX && f->plan->place[loop].straight)
        loop = f->plan->place[loop].loop;
    return loop != NO_INDEX;
}

bool slow_order_find_loads(struct finder *f)
{
    uint32_t *writer = calloc(f->nvars, sizeof *writer), ifs = 0, calls = 0;
    struct source_of_load *all = malloc((f->plan->count + 1) * sizeof *all);
    size_t n = 0;
    for (uint32_t i = f->reach.entry; writer && all && i < f->reach.main_end && i < f->plan->count; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        const struct slow_place *place = &f->plan->place[i];
        if (!place->straight && (insn->op == OP_IF || insn->op == OP_ENDIF))
            ifs += insn->op == OP_IF ? 1 : UINT32_MAX;
        calls += insn->op == OP_CAL || insn->op == OP_CALI;
        if (insn->op == OP_LDB && !ifs && !runs_again(f, i) && f->reach.useful[i] & 15 &&
            where_from(f, program_operand(f->p->text, insn->src), writer, all + n))
            all[n++].calls = calls;
        for (unsigned c = 0; insn->dst.kind != OPND_NONE && c < 4; c++) {
            uint32_t v = insn->dst.mask >> c & 1 ? slow_variable(f->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
            if (v != NO_INDEX)
                writer[v] = i + 1;
        }
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a && !f->loads_again; b++)
            f->loads_again = same(all + a, all + b);
    free(writer);
    free(all);
    return writer && all;
}
