/* Products of halves that sums of singles in other blocks take in: what is seen of who wrote a variable (half_reach.c), in loops only what is written there.
 * Where one who reads a variable does not see that, none of its products goes anywhere. */
#include "tests/slow/joined.h"

#include <stdlib.h>
#include <string.h>

static bool is_half_product(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_insn_at(j, place);
    return insn->op != OP_UP2US && insn->op != OP_UP4UB && slow_precision_of(j->p, insn) == HALF && slow_is_product(j, place, c) && !((j->made_far[place] | j->plan->place[place].computed) >> c & 1);
}

static bool adds_singles(const struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    return (insn->op == OP_ADD || insn->op == OP_SUB) && slow_sum_precision(j, place) == SINGLE;
}

static uint32_t written_at(const struct joiner *j, uint32_t place, unsigned c)
{
    const struct result *to = &slow_insn_at(j, place)->dst;
    return slow_variable(j->p, to->kind, to->ref, to->nindices != 0, c);
}

static uint32_t read_by(const struct joiner *j, const struct operand *o, unsigned c)
{
    return o->kind == OPND_SYMBOL ? slow_operand_variable(j, o, c) : NO_INDEX;
}

static void unseen(struct joiner *j, uint32_t v)
{
    if (v != NO_INDEX)
        j->unseen[v] = true;
}

static void unseen_indices(struct joiner *j, uint32_t first, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct index *x = program_index(j->p->text, first + i);
        if (x->mode == INDEX_RELATIVE)
            unseen(j, slow_variable(j->p, x->register_kind, x->reg, x->element.used, x->component));
    }
}

static void look_at(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(j->p->text, insn->src + k);
        unsigned components = slow_reads(j->p, insn, k, j->reach.useful[place]);
        for (unsigned c = 0; c < 4; c++) {
            if (o->kind == OPND_EXTENDED)
                unseen(j, slow_variable(j->p, o->base_kind, o->ref, o->nindices != 0, c));
            else if (components >> c & 1 && (k > 2 || !j->plan->place[place].made_by[k][c]))
                unseen(j, read_by(j, o, c));
        }
        unseen_indices(j, o->index, o->nindices);
    }
    unseen_indices(j, insn->dst.index, insn->dst.nindices);
    for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && condition_restricts(&insn->dst.condition) && c < 4; c++)
        if (insn->dst.mask >> c & 1)
            unseen(j, written_at(j, place, c));
}

bool slow_find_far_halves(struct joiner *j)
{
    struct slow_addresses what;
    bool ok = slow_addresses_find(&what, j->p->text);
    j->unseen = calloc(j->reach.nvars + 1u, sizeof *j->unseen);
    ok = ok && j->unseen && slow_find_half_reach(j->plan, j->p, TOLD_PRODUCTS);
    for (uint32_t i = 0; ok && i < j->plan->count; i++)     /* nobody reads in a subroutine that is not called */
        if (j->reach.useful[i] && what.runs[j->plan->place[i].insn])
            look_at(j, i);
    slow_addresses_forget(&what);
    return ok;
}

/* The product of another block that component c of operand k is. */
static bool reached(const struct joiner *j, uint32_t place, unsigned k, unsigned c, uint32_t *v, struct held *h)
{
    uint32_t by = j->plan->place[place].made_by[k][c];
    *v = read_by(j, program_operand(j->p->text, slow_insn_at(j, place)->src + k), c);
    if (!by || *v == NO_INDEX || j->unseen[*v] || j->in_block[by - 1] == j->in_block[place])
        return false;
    for (unsigned n = 0; n < 4; n++)
        if (written_at(j, by - 1, n) == *v && is_half_product(j, by - 1, n)) {
            *h = j->held[*v];
            h->product = by - 1;
            h->c = (uint8_t)n;
            h->word = h->turned = h->negative = h->far = false;
            return true;
        }
    return false;
}

bool slow_is_open_half(const struct joiner *j, uint32_t v)
{
    struct held h = j->held[v];
    return h.product != NO_INDEX && !h.copied && !j->unseen[v] && is_half_product(j, h.product, h.c) && written_at(j, h.product, h.c) == v;
}

void slow_read_far_halves(struct joiner *j, uint32_t place)
{
    const struct insn *insn = slow_insn_at(j, place);
    struct held h;
    uint32_t v;
    for (unsigned k = 0; j->reach.useful[place] && !adds_singles(j, place) && k < insn->nsrc && k < 3; k++)
        for (unsigned c = 0; c < 4; c++)
            if (slow_reads(j->p, insn, k, j->reach.useful[place]) >> c & 1 && reached(j, place, k, c, &v, &h))
                slow_keep_behind(j, h);
}

void slow_hold_far_halves(struct joiner *j, uint32_t place)
{
    struct held h;
    uint32_t v;
    j->nlent = 0;
    for (unsigned k = 0; adds_singles(j, place) && k < 2; k++)
        for (unsigned c = 0; c < 4; c++) {
            bool lent = false;
            if (!(slow_insn_at(j, place)->dst.mask >> c & 1) || !reached(j, place, k, c, &v, &h))
                continue;
            for (unsigned n = 0; n < j->nlent; n++)
                lent |= j->lent[n].v == v;
            if (lent)
                continue;
            j->lent[j->nlent].v = v;
            j->lent[j->nlent++].held = j->held[v];
            j->held[v] = h;
        }
}

void slow_give_back_far_halves(struct joiner *j)
{
    for (unsigned n = 0; n < j->nlent; n++)
        j->held[j->lent[n].v] = j->lent[n].held;
    j->nlent = 0;
}
