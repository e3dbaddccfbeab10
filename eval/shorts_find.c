/* How a program uses its SHORT variables: which need a word and a float, what subroutines make by half arithmetic. */
#include "eval/indices.h"
#include "eval/liveness.h"
#include "eval/shorts.h"

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

    if (eval_moves_short(d, insn)) {
        s->moved[r->ref] = 1;
        return;
    }
    if (eval_is_short(d, r->kind, r->ref) && !eval_gives_nothing(d->p, insn) && insn->op < OP_COUNT && shape_table[op_table[insn->op].shape].result != RC_NONE) {
        uint8_t kind = eval_short_kind(d, insn, i);
        *(kind & SHORT_NUMBER ? &s->words[r->ref] : &s->floats[r->ref]) = 1;
        s->copied[r->ref] |= (kind & SHORT_COPY) != 0;
        s->moved[r->ref] |= kind & SHORT_COPY && insn->op != OP_LDB && insn->op != OP_LDS && insn->op != OP_LDC && insn->op != OP_LOAD;
    }
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        if (eval_is_short(d, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref))
            *(eval_is_read_as_word(insn, eval_operand_type(insn, k)) ? &s->words[o->ref] : &s->floats[o->ref]) = 1;
    }
}

/* Components that something else than an integer goes to, and is read there; whether there was something new. */
static bool look_for_mixed(struct decoder *d, const struct liveness *live, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t *mixed = &d->shorts.mixed[insn->dst.ref], before;

    if (!eval_is_short(d, insn->dst.kind, insn->dst.ref) || insn->op >= OP_COUNT || shape_table[op_table[insn->op].shape].result == RC_NONE)
        return false;
    before = *mixed;
    if (!eval_moves_short(d, insn)) {
        bool known = insn->op == OP_MOV && eval_is_literal(d, program_operand(d->p, insn->src));
        *mixed |= eval_short_kind(d, insn, i) == SHORT_NUMBER && !known ? 0 : insn->dst.mask & live->useful[i];
    } else {
        const struct operand *o = program_operand(d->p, insn->src);
        for (unsigned c = 0; c < 4; c++)
            if (d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
                *mixed |= insn->dst.mask & live->useful[i] & (uint8_t)(1u << c);
    }
    return *mixed != before;
}

/* The moves from one SHORT variable to another, by what they read: of each symbol the first, of each of them the next; NO_INDEX ends. */
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

static bool look_on(struct decoder *d, const struct liveness *live, struct moves *m, uint32_t i)
{
    return !look_for_mixed(d, live, i) || eval_push(d, &m->changed, &program_insn(d->p, i)->dst.ref) != NO_INDEX;
}

static bool find_mixed(struct decoder *d)
{
    const struct liveness *live = eval_liveness(d);
    struct moves m = {.first = NULL};
    bool ok = live && find_moves(d, &m);

    for (uint32_t i = 0; ok && i < d->p->insns.count; i++)
        ok = look_on(d, live, &m, i);
    while (ok && m.changed.count) {
        uint32_t symbol = *(uint32_t *)vec_at(&m.changed, --m.changed.count);
        for (uint32_t i = m.first[symbol]; ok && i != NO_INDEX; i = m.next[i])
            ok = look_on(d, live, &m, i);
    }
    if (live) {
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

/* What subroutines that are called make by half arithmetic, as far as the text tells; `runs`: of each instruction, whether it is in one. */
static bool find_called(struct decoder *d, const uint8_t *runs)
{
    struct shorts *s = &d->shorts;
    uint8_t *halves = s->halves;
    bool changes = true;

    s->halves = s->called;      /* MOV asks */
    while (changes) {
        bool within = false;
        changes = false;
        for (uint32_t i = 0; i < d->p->insns.count; i++) {
            const struct result *r = &program_insn(d->p, i)->dst;
            within |= s->labels[i] && i > 0;
            if (!within || !runs[i] || r->kind != OPND_SYMBOL || program_insn(d->p, i)->op >= OP_COUNT || eval_drops_half(d->p, program_insn(d->p, i)))
                continue;
            uint8_t made = eval_made_halves(d, program_insn(d->p, i)) & (uint8_t)~eval_moves_nothing(d, i);
            changes |= (made & ~s->called[r->ref]) != 0;
            s->called[r->ref] |= made;
        }
    }
    s->halves = halves;
    for (uint32_t k = 0; k < d->p->symbols.count; k++)
        if (s->called[k] && eval_push(d, &s->callable, &k) == NO_INDEX)
            return false;
    return true;
}

static bool look_at_calls(struct decoder *d)
{
    struct known_indices indices;
    bool ok = eval_known_indices_new(&indices, d->p);

    ok = ok ? find_called(d, indices.runs) : eval_out_of_memory(d);
    eval_known_indices_free(&indices);
    return ok;
}

static bool allocate(struct decoder *d, uint32_t nsymbols)
{
    struct shorts *s = &d->shorts;

    s->both = gp5_malloc(9 * (size_t)nsymbols);
    s->first = gp5_malloc(nsymbols * sizeof *s->first);
    if (!s->both || !s->first)
        return eval_out_of_memory(d);
    memset(s->both, 0, 9 * (size_t)nsymbols);
    s->copied = s->both + nsymbols;
    s->words = s->copied + nsymbols;
    s->floats = s->words + nsymbols;
    s->halves = s->floats + nsymbols;
    s->mixed = s->halves + nsymbols;
    s->called = s->mixed + nsymbols;
    s->added = s->called + nsymbols;
    s->moved = s->added + nsymbols;
    return true;
}

static bool allocate_cells(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    size_t n = d->p->insns.count + 1;

    s->kinds = gp5_malloc(3 * (size_t)s->ncells + 1);
    s->symbol_of = gp5_malloc((s->ncells / 4 + 1) * sizeof *s->symbol_of);
    s->seen = gp5_malloc(n * sizeof *s->seen);
    s->owner = gp5_malloc((s->ncells + 1u) * sizeof *s->owner);
    if (!s->kinds || !s->symbol_of || !s->seen || !s->owner)
        return eval_out_of_memory(d);
    memset(s->kinds, 0, 3 * (size_t)s->ncells + 1);
    memset(s->owner, 0, (s->ncells + 1u) * sizeof *s->owner);
    memset(s->seen, 0, n * sizeof *s->seen);
    s->before = s->kinds + s->ncells;
    s->all = s->before + s->ncells;
    for (uint32_t i = 0; i < d->p->symbols.count; i++)
        if (s->first[i] != NO_INDEX)
            s->symbol_of[s->first[i] / 4] = i;
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

    vec_init(&s->open, sizeof(struct open_block));
    vec_init(&s->calls, sizeof(uint32_t));
    vec_init(&s->noted, sizeof(uint32_t));
    vec_init(&s->cleared, sizeof(uint32_t));
    vec_init(&s->callable, sizeof(uint32_t));
    for (uint32_t i = 0; i < nsymbols; i++)
        n += program_symbol(d->p, i)->size == SIZE_SHORT;
    if (!nvidia(d) || (!n && !makes_halves(d)))
        return true;
    if (!allocate(d, nsymbols))
        return false;
    for (s->subroutines = 1; s->subroutines < d->p->insns.count && !s->labels[s->subroutines]; s->subroutines++)
        ;
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        look_at(d, i);
    if (!move_uses(d) || !look_at_calls(d) || !find_mixed(d))
        return false;
    for (uint32_t i = 0; i < nsymbols; i++) {
        s->both[i] = s->floats[i] && s->words[i];
        s->first[i] = NO_INDEX;
        if (s->both[i] || s->copied[i]) {
            s->first[i] = s->ncells;
            s->ncells += 4;
        }
    }
    return allocate_cells(d);
}

void eval_shorts_free(struct shorts *s)
{
    gp5_free(s->both);
    gp5_free(s->first);
    gp5_free(s->kinds);
    vec_free(&s->open);
    vec_free(&s->calls);
    vec_free(&s->noted);
    vec_free(&s->cleared);
    vec_free(&s->callable);
    gp5_free(s->symbol_of);
    gp5_free(s->seen);
    gp5_free(s->owner);
}
