/* How a program uses its SHORT variables: which need a word and a float. */
#include "eval/decode/half_storage.h"

#include <string.h>

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

static void look_at(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct result *r = &insn->dst;
    struct shorts *s = &d->shorts;

    if (eval_moves_short(d, insn))
        return;
    if (eval_is_short(d, r->kind, r->ref) && !eval_gives_nothing(d->p, insn) && insn->op < OP_COUNT &&
        shape_table[op_table[insn->op].shape].result != RC_NONE) {
        uint8_t kind = eval_short_kind(d, insn, i);
        *(kind & SHORT_NUMBER ? &s->words[r->ref] : &s->floats[r->ref]) = 1;
        s->copied[r->ref] |= (kind & SHORT_COPY) != 0;
    }
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        if (eval_is_short(d, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref))
            *(eval_is_read_as_word(insn, eval_operand_type(insn, k)) ? &s->words[o->ref] : &s->floats[o->ref]) = 1;
    }
}

/* Components that something else than an integer goes to, and is read there; whether there was something new. */
static bool look_for_mixed(struct decoder *d, const uint8_t *useful, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t *mixed = &d->shorts.mixed[insn->dst.ref], before;

    if (!eval_is_short(d, insn->dst.kind, insn->dst.ref) || insn->op >= OP_COUNT ||
        shape_table[op_table[insn->op].shape].result == RC_NONE)
        return false;
    before = *mixed;
    if (!eval_moves_short(d, insn)) {
        bool known = insn->op == OP_MOV && eval_is_literal(d->p, program_operand(d->p, insn->src));
        *mixed |= eval_short_kind(d, insn, i) == SHORT_NUMBER && !known ? 0 : insn->dst.mask & useful[i];
    } else {
        const struct operand *o = program_operand(d->p, insn->src);
        for (unsigned c = 0; c < 4; c++)
            if (d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
                *mixed |= insn->dst.mask & useful[i] & (uint8_t)(1u << c);
    }
    return *mixed != before;
}

/* The moves from one SHORT variable to another, by what they read: of each symbol the first, of each of them the next;
 * NO_INDEX ends. */
struct moves {
    uint32_t *first, *next;
    struct vec changed;         /* symbols whose moves are to be looked at */
};

static bool find_moves(struct decoder *d, struct moves *m)
{
    uint32_t n = (uint32_t)d->p->insns.count, nsymbols = (uint32_t)d->p->symbols.count;

    vec_init(&m->changed, sizeof(uint32_t));
    m->first = gp5_malloc((nsymbols + (size_t)n) * sizeof *m->first);
    if (!m->first)
        return eval_out_of_memory(d);
    m->next = m->first + nsymbols;
    for (uint32_t s = 0; s < nsymbols; s++)
        m->first[s] = NO_INDEX;
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(d->p, i);
        if (insn->op != OP_MOV || !eval_moves_short(d, insn))
            continue;
        m->next[i] = m->first[program_operand(d->p, insn->src)->ref];
        m->first[program_operand(d->p, insn->src)->ref] = i;
    }
    return true;
}

static bool look_on(struct decoder *d, const uint8_t *useful, struct moves *m, uint32_t i)
{
    return !look_for_mixed(d, useful, i) || eval_push(d, &m->changed, &program_insn(d->p, i)->dst.ref) != NO_INDEX;
}

static bool find_mixed(struct decoder *d)
{
    const uint8_t *useful = model_useful(&d->model);
    struct moves m = {.first = NULL};
    bool ok = useful && find_moves(d, &m);

    for (uint32_t i = 0; ok && i < d->p->insns.count; i++)
        ok = look_on(d, useful, &m, i);
    while (ok && m.changed.count) {
        uint32_t symbol = *(uint32_t *)vec_at(&m.changed, --m.changed.count);
        for (uint32_t i = m.first[symbol]; ok && i != NO_INDEX; i = m.next[i])
            ok = look_on(d, useful, &m, i);
    }
    if (useful) {
        gp5_free(m.first);
        vec_free(&m.changed);
    }
    return ok;
}

static uint32_t root_of(uint32_t *parent, uint32_t symbol)
{
    while (parent[symbol] != symbol)
        symbol = parent[symbol] = parent[parent[symbol]];
    return symbol;
}

/* What is moved from one to another is used as both are. */
static bool move_uses(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    uint32_t n = (uint32_t)d->p->symbols.count, *parent = gp5_malloc(n * sizeof *parent);

    if (!parent)
        return eval_out_of_memory(d);
    for (uint32_t i = 0; i < n; i++)
        parent[i] = i;
    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        if (insn->op == OP_MOV && eval_moves_short(d, insn))
            parent[root_of(parent, insn->dst.ref)] = root_of(parent, program_operand(d->p, insn->src)->ref);
    }
    for (unsigned back = 0; back < 2; back++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t to = back ? i : root_of(parent, i), from = back ? root_of(parent, i) : i;
            s->words[to] |= s->words[from];
            s->floats[to] |= s->floats[from];
            s->copied[to] |= s->copied[from];
        }
    gp5_free(parent);
    return true;
}

static bool allocate(struct decoder *d, uint32_t nsymbols)
{
    struct shorts *s = &d->shorts;

    s->both = arena_alloc(&d->layout.arena, 6 * (size_t)nsymbols);
    if (!s->both)
        return eval_out_of_memory(d);
    s->copied = s->both + nsymbols;
    s->words = s->copied + nsymbols;
    s->floats = s->words + nsymbols;
    s->halves = s->floats + nsymbols;
    s->mixed = s->halves + nsymbols;
    return true;
}

/* Above halves that are made of others stand other bits, in a program without SHORT variables too. */
static bool makes_halves(const struct decoder *d)
{
    bool makes = false;

    for (uint32_t i = 0; !makes && i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        makes = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32;
    }
    return makes;
}

bool eval_find_shorts(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    uint32_t nsymbols = (uint32_t)d->p->symbols.count, n = 0;

    for (uint32_t i = 0; i < nsymbols; i++)
        n += program_symbol(d->p, i)->size == SIZE_SHORT;
    if (!nvidia(d) || (!n && !makes_halves(d)))
        return true;
    if (!allocate(d, nsymbols))
        return false;
    for (s->subroutines = 1; s->subroutines < d->p->insns.count && !d->model.labels[s->subroutines]; s->subroutines++)
        ;
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        look_at(d, i);
    if (!move_uses(d) || !find_mixed(d))
        return false;
    for (uint32_t i = 0; i < nsymbols; i++)
        s->both[i] = s->floats[i] && s->words[i];
    return true;
}
