/* SHORT variables. The driver has them in registers of 32 bits. A float that is written there is made a half, in the low bits; who reads it as a
 * float takes the low bits for one, and who reads it as an integer all 32. What was only copied there (MOV, ABS) is read as it was before,
 * where the compiler sees that it is that, which is as far as no two ways meet that wrote different things. */
#include "eval/half_copies.h"
#include "eval/liveness.h"
#include "eval/sources.h"

#include <string.h>

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

bool eval_is_short(const struct decoder *d, uint8_t kind, uint32_t ref)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(d->p, ref) : NULL;

    return s && s->size == SIZE_SHORT && (s->kind == SYM_TEMP || s->kind == SYM_OUTPUT) && !(s->array && d->indexed[ref]);
}

bool eval_is_both(const struct decoder *d, uint32_t symbol)
{
    return d->shorts.both && d->shorts.both[symbol];
}

/* CVT looks at words and writes words, but a half that it converts is that of the float. */
static bool reads_word(const struct insn *insn, uint8_t type)
{
    switch (insn->op) {
    case OP_CVT: return insn->type2 != DT_F16;
    case OP_UP2H: case OP_UP2US: case OP_UP4B: case OP_UP4UB: return true;
    default: return !type_table[type].is_float;
    }
}

/* MOV from one SHORT variable to another: word and float go over as they are. */
static bool moves_short(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);

    return insn->op == OP_MOV && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !o->flags && eval_is_short(d, o->kind, o->ref) &&
           eval_is_short(d, insn->dst.kind, insn->dst.ref);
}

/* ---- what stands in them ------------------------------------------------------------------------------------------------------- */

static bool is_literal(const struct decoder *d, const struct operand *o)
{
    return o->kind == OPND_CONSTANT || (o->kind == OPND_BINDING && program_binding(d->p, o->ref)->kind == BIND_CONSTANT);
}

/* CVT between a half and a single, without a clamp or another rounding. */
static bool is_plain_conversion(const struct insn *insn, uint8_t to, uint8_t from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !insn->cc_update &&
           (!insn->rounding || insn->rounding == MOD_ROUND) && !(insn->flags & (to == DT_F16 ? INSN_SSAT : INSN_SAT | INSN_SSAT));
}

static bool is_copied(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    bool flip;

    if (insn->flags & (INSN_SAT | INSN_SSAT) || condition_restricts(&insn->dst.condition))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_CVT:
        return !is_literal(d, program_operand(d->p, insn->src));
    case OP_UP4B: case OP_UP4UB: case OP_UP2US: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: case OP_DST: case OP_PK2H:
        return true;
    case OP_MUL:
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && eval_copied_factor(d, i, c, &flip) >= 0)
                return true;
        return false;
    default:
        return false;
    }
}

static bool loads_half(const struct insn *insn)
{
    return insn->type == DT_F16 && insn->width == 1 && (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD);
}

/* Whether a word is moved there that a single was narrowed to. */
static bool takes_narrowed(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    bool any = false;

    for (unsigned c = 0; d->half_copies && d->half_copies->to && !type_table[eval_result_type(insn)].is_float && c < 4; c++) {
        struct half_view v = d->half_copies->to[i][AS_WORD][c];
        any |= insn->dst.mask >> c & 1 && v.kind && v.kind < HALF_LOW && v.insn != i;
    }
    return any;
}

uint8_t eval_short_kind(const struct decoder *d, const struct insn *insn, uint32_t i)
{
    bool narrows = is_plain_conversion(insn, DT_F16, DT_F32);

    if (moves_short(d, insn) && d->shorts.both) {
        uint32_t from = program_operand(d->p, insn->src)->ref;
        return (d->shorts.words[from] ? SHORT_NUMBER : 0) | (d->shorts.floats[from] ? SHORT_COPY : 0);
    }
    if (insn->op == OP_PK2H && !insn->cc_update && is_copied(d, insn, i))
        return SHORT_NUMBER | SHORT_COPY;
    if (takes_narrowed(d, insn, i))
        return SHORT_NUMBER | SHORT_COPY;
    if ((insn->op == OP_CVT && !narrows) || insn->op == OP_PK2H || insn->op == OP_PK2US || insn->op == OP_PK4B || insn->op == OP_PK4UB ||
        (!narrows && !type_table[eval_result_type(insn)].is_float) || loads_half(insn))
        return SHORT_NUMBER;
    return is_copied(d, insn, i) ? SHORT_COPY : SHORT_HALF;
}

/* The components of a variable that a copy reads. */
static uint8_t read_components(const struct insn *insn, const struct operand *o)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            mask |= (uint8_t)(1u << (o->swizzle >> 2 * c & 3));
    return mask;
}

/* Whether the bits above the half are zeros in component c. A copy of what was a half before is that one, with what stands above it. */
static bool clears_upper(const struct decoder *d, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;

    if (condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS:
        return !(o && o->kind == OPND_SYMBOL && d->shorts.halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1);
    case OP_ROUND: case OP_TRUNC: case OP_FLR: case OP_CEIL: case OP_I2F: case OP_UP4B: case OP_UP4UB:
    case OP_UP2US: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD:
        return true;
    default:
        return false;
    }
}

/* The half in the low bits of a word as a single, or the other way. */
static struct kernel_request conversion(const struct decoder *d, bool to_half)
{
    struct kernel_request want = eval_request(d, OP_CVT, to_half ? DT_F16 : DT_F32);

    want.type2 = to_half ? DT_F32 : DT_F16;
    return want;
}

/* ---- who asks -------------------------------------------------------------------------------------------------------------------- */

bool eval_reads_word(const struct decoder *d, uint8_t type)
{
    return d->now ? reads_word(d->now, type) : !type_table[type].is_float;
}

bool eval_fetch_half(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, struct fetched *f)
{
    if (!d->shorts.both || o->kind != OPND_SYMBOL || !d->now || !d->shorts.floats[o->ref])
        return true;
    if (d->now->op == OP_CVT && d->now->type2 == DT_F16)
        return eval_map(d, conversion(d, true), needed, f, 0, 0);
    return !type_table[type].is_float || !(d->now->flags & INSN_PREC) || !d->shorts.copied[o->ref] ||
           eval_map(d, eval_request(d, EVAL_OP_HALF, DT_F32), needed, f, 0, 0);
}

bool eval_makes_half(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;

    if (insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type2 == DT_F16 && insn->type == DT_F32))
        return true;
    if (insn->op == OP_MOV && o && o->kind == OPND_SYMBOL)
        return eval_is_short(d, o->kind, o->ref) || d->shorts.halves[o->ref] & read_components(insn, o);
    return insn->op != OP_CVT && (insn->type == DT_F16 || insn->flags & INSN_HALF) && shape_table[op_table[insn->op].shape].result != RC_NONE;
}

static void look_at(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct result *r = &insn->dst;
    struct shorts *s = &d->shorts;

    if (moves_short(d, insn))
        return;
    if (eval_is_short(d, r->kind, r->ref) && insn->op < OP_COUNT && shape_table[op_table[insn->op].shape].result != RC_NONE) {
        uint8_t kind = eval_short_kind(d, insn, i);
        *(kind & SHORT_NUMBER ? &s->words[r->ref] : &s->floats[r->ref]) = 1;
        s->copied[r->ref] |= (kind & SHORT_COPY) != 0;
    }
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        if (eval_is_short(d, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref))
            *(reads_word(insn, eval_operand_type(insn, k)) ? &s->words[o->ref] : &s->floats[o->ref]) = 1;
    }
}

/* Components that something else than an integer goes to, and is read there; whether there was something new. */
static bool look_for_mixed(struct decoder *d, const struct liveness *live, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t *mixed = &d->shorts.mixed[insn->dst.ref], before, read;

    if (!eval_is_short(d, insn->dst.kind, insn->dst.ref) || insn->op >= OP_COUNT || shape_table[op_table[insn->op].shape].result == RC_NONE)
        return false;
    before = *mixed;
    read = program_symbol(d->p, insn->dst.ref)->array ? 15 : live->useful[i];
    if (!moves_short(d, insn)) {
        bool known = insn->op == OP_MOV && is_literal(d, program_operand(d->p, insn->src));
        *mixed |= eval_short_kind(d, insn, i) == SHORT_NUMBER && !known ? 0 : insn->dst.mask & read;
    } else {
        const struct operand *o = program_operand(d->p, insn->src);
        for (unsigned c = 0; c < 4; c++)
            if (d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)
                *mixed |= insn->dst.mask & read & (uint8_t)(1u << c);
    }
    return *mixed != before;
}

static bool find_mixed(struct decoder *d)
{
    const struct liveness *live = eval_liveness(d);
    bool changes = live != NULL;

    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < d->p->insns.count; i++)
            changes |= look_for_mixed(d, live, i);
    }
    return live != NULL;
}

static bool unite(uint8_t *a, uint8_t *b)
{
    bool changes = *a != *b;

    *a = *b |= *a;
    return changes;
}

/* What is moved from one to another is used as both are; whether there was something new. */
static bool move_uses(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    bool changes = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        uint32_t from = insn->nsrc ? program_operand(d->p, insn->src)->ref : 0, to = insn->dst.ref;
        if (insn->op != OP_MOV || !moves_short(d, insn))
            continue;
        changes |= unite(&s->words[from], &s->words[to]);
        changes |= unite(&s->floats[from], &s->floats[to]);
        changes |= unite(&s->copied[from], &s->copied[to]);
    }
    return changes;
}

/* What subroutines make by half arithmetic, as far as the text tells. */
static void find_called(struct decoder *d)
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
            if (!within || r->kind != OPND_SYMBOL || program_insn(d->p, i)->op >= OP_COUNT || !eval_makes_half(d, program_insn(d->p, i)))
                continue;
            changes |= (r->mask & ~s->called[r->ref]) != 0;
            s->called[r->ref] |= r->mask;
        }
    }
    s->halves = halves;
}

static bool allocate(struct decoder *d, uint32_t nsymbols)
{
    struct shorts *s = &d->shorts;

    s->both = gp5_malloc(8 * (size_t)nsymbols);
    s->first = gp5_malloc(nsymbols * sizeof *s->first);
    if (!s->both || !s->first)
        return eval_out_of_memory(d);
    memset(s->both, 0, 8 * (size_t)nsymbols);
    s->copied = s->both + nsymbols;
    s->words = s->copied + nsymbols;
    s->floats = s->words + nsymbols;
    s->halves = s->floats + nsymbols;
    s->mixed = s->halves + nsymbols;
    s->called = s->mixed + nsymbols;
    s->added = s->called + nsymbols;
    return true;
}

static bool allocate_cells(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    size_t size = 2 * (size_t)s->ncells + d->p->insns.count + 1;

    s->kinds = gp5_malloc(size);
    if (!s->kinds)
        return eval_out_of_memory(d);
    memset(s->kinds, 0, size);
    s->before = s->kinds + s->ncells;
    s->seen = s->before + s->ncells;
    return true;
}

bool eval_find_shorts(struct decoder *d)
{
    struct shorts *s = &d->shorts;
    uint32_t nsymbols = (uint32_t)d->p->symbols.count, n = 0;

    vec_init(&s->open, sizeof(struct open_block));
    vec_init(&s->calls, sizeof(uint32_t));
    for (uint32_t i = 0; i < nsymbols; i++)
        n += program_symbol(d->p, i)->size == SIZE_SHORT;
    if (!n || !nvidia(d))
        return true;
    if (!allocate(d, nsymbols))
        return false;
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        look_at(d, i);
    while (move_uses(d))
        ;
    find_called(d);
    if (!find_mixed(d))
        return false;
    for (uint32_t i = 0; i < nsymbols; i++) {
        const struct symbol *v = program_symbol(d->p, i);
        s->both[i] = s->floats[i] && s->words[i];
        s->first[i] = NO_INDEX;
        if (s->both[i] || s->copied[i]) {
            s->first[i] = s->ncells;
            s->ncells += 4 * (v->array ? (uint32_t)v->array_size : 1);
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
}

/* ---- word and float ---------------------------------------------------------------------------------------------------------------- */

/* One operation a component, from one plane of each pair to another. */
static bool each(struct decoder *d, struct kernel_request want, unsigned n, const uint32_t from[4], const uint32_t to[4])
{
    struct lane_op op = {.n = (uint8_t)n};

    for (unsigned i = 0; i < n; i++) {
        op.comp[i] = (uint8_t)i;
        op.src[0][i] = from[i];
        op.dst[i] = to[i];
    }
    return eval_raw(d, &want, &op, NULL);
}

/* Halves with zeros above them, and others. */
static bool narrow(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t single[4], const uint32_t word[4])
{
    uint8_t comp[4];

    eval_components(insn->dst.mask, comp);
    for (unsigned clears = 0; clears < 2; clears++) {
        uint32_t from[4], to[4];
        unsigned some = 0;
        for (unsigned i = 0; i < n; i++)
            if (clears_upper(d, insn, comp[i]) == clears) {
                from[some] = single[i];
                to[some++] = word[i];
            }
        if (some && !each(d, clears ? conversion(d, true) : eval_request(d, EVAL_OP_SHORT, DT_F32), some, from, to))
            return false;
    }
    return true;
}

/* The pairs that a MOV reads, in scratch. */
static bool move_pairs(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    const struct operand *o = program_operand(d->p, insn->src);
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    uint32_t from[2][4], to[2][4];
    struct plane_run run;
    uint8_t comp[4];

    eval_components(insn->dst.mask, comp);
    if (!eval_symbol_planes(d, o->ref, index ? (uint64_t)index->offset : 0, o->span, &run))
        return false;
    for (unsigned i = 0; i < n; i++) {
        plane[i] = to[0][i] = eval_layout_scratch(&d->layout);
        to[1][i] = to[0][i] + 1;
        from[0][i] = run.plane[o->swizzle >> 2 * comp[i] & 3];
        from[1][i] = from[0][i] + 1;
    }
    return each(d, eval_request(d, OP_MOV, DT_U32), n, from[0], to[0]) && each(d, eval_request(d, OP_MOV, DT_U32), n, from[1], to[1]);
}

/* Of a word that was narrowed the float is what it was before; of a half that was unpacked, the word. */
static bool put_origins(struct decoder *d, const struct insn *insn, unsigned n, bool number, const uint32_t word[4], const uint32_t single[4])
{
    uint32_t from[4], to[4];
    unsigned some = 0;
    uint8_t comp[4];

    eval_components(insn->dst.mask, comp);
    for (unsigned i = 0; i < n; i++) {
        struct half_view v = eval_half_to(d, number ? AS_WORD : AS_FLOAT, comp[i]);
        if ((v.insn == d->insn && insn->op != OP_UP2H) || !(number ? v.kind && v.kind < HALF_LOW : eval_is_unpacked(v)))
            continue;
        if (!eval_half_origin(d, v, &from[some]))
            return false;
        to[some++] = number ? single[i] : word[i];
    }
    return !some || each(d, eval_request(d, OP_MOV, DT_U32), some, from, to);
}

bool eval_pair_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    uint8_t kind = eval_short_kind(d, insn, d->insn);
    bool number = kind & SHORT_NUMBER;
    uint32_t word[4], single[4];

    if (moves_short(d, insn))
        return move_pairs(d, insn, n, plane);
    for (unsigned i = 0; i < n; i++) {
        word[i] = eval_layout_scratch(&d->layout);
        single[i] = word[i] + 1;
    }
    if (!each(d, eval_request(d, OP_MOV, DT_U32), n, plane, number ? word : single))
        return false;
    if (insn->op == OP_PK2H && number && kind & SHORT_COPY) {      /* PK2H: its x, packed and unpacked again */
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 1, false, &f))
            return false;
        memcpy(plane, word, n * sizeof *plane);
        return each(d, eval_request(d, OP_MOV, DT_U32), n, f.plane, single);
    }
    memcpy(plane, word, n * sizeof *plane);
    return (number ? each(d, conversion(d, false), n, word, single) : narrow(d, insn, n, single, word)) &&
           put_origins(d, insn, n, number, word, single) && (number || eval_keep_copied(d, insn, n, single));
}

/* ---- instructions ---------------------------------------------------------------------------------------------------------------- */

/* The components of what PK2H packs, or a store makes halves of, that are so already: words of integers in SHORT variables, or halves that
 * were unpacked. They go over as they are. */
static uint8_t packs_words(const struct decoder *d, const struct insn *insn)
{
    bool stores = insn->op == OP_STB || insn->op == OP_STS || insn->op == OP_STORE, words;
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;
    uint8_t mask = 0;

    if (!o || !(stores ? insn->type == DT_F16 : insn->op == OP_PK2H && !insn->cc_update) || o->flags || !nvidia(d))
        return 0;
    words = d->shorts.both && eval_is_short(d, o->kind, o->ref) && eval_is_both(d, o->ref);
    for (unsigned c = 0; c < (stores ? insn->width : 2u); c++)
        if (eval_is_unpacked(eval_half_from(d, AS_FLOAT, c)) || (words && !(d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1)))
            mask |= (uint8_t)(1u << c);
    return mask;
}

/* The words of such components. */
static bool fetch_packed(struct decoder *d, const struct operand *o, uint8_t words, uint32_t plane[4])
{
    struct fetched f;

    if (!eval_fetch(d, o, DT_U32, words, false, &f))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        struct half_view v = eval_half_from(d, AS_FLOAT, c);
        if (words >> c & 1)
            plane[c] = f.plane[c];
        if (words >> c & 1 && eval_is_unpacked(v) && !eval_half_origin(d, v, &plane[c]))
            return false;
    }
    return true;
}

bool eval_fetch_halves(struct decoder *d, const struct operand *o, uint8_t needed, struct fetched *f, bool *done)
{
    const struct insn *store = program_insn(d->p, d->insn);
    uint8_t words = packs_words(d, store);

    *done = words != 0 && d->now && d->now->type != store->type;
    if (!*done)
        return true;
    return eval_fetch(d, o, DT_F32, needed, false, f) && eval_map(d, conversion(d, true), needed, f, 0, 0) &&
           fetch_packed(d, o, words, f->plane);
}

bool eval_copies_short(const struct decoder *d, const struct insn *insn)
{
    return nvidia(d) && insn->type == DT_F32 && !(insn->flags & INSN_HALF) && eval_is_short(d, insn->dst.kind, insn->dst.ref);
}

void eval_short_form(const struct decoder *d, struct insn *insn)
{
    bool to_short = eval_is_short(d, insn->dst.kind, insn->dst.ref);

    if (!nvidia(d))
        return;
    if (to_short && loads_half(insn)) {
        insn->type = DT_U16;        /* a NaN keeps its bits */
    } else if (insn->op != OP_PK2H && packs_words(d, insn)) {
        insn->type = DT_U16;
    } else if (eval_drops_half(insn)) {
        insn->type = DT_F32;
        insn->flags = (insn->flags & ~(uint32_t)INSN_HALF) | EVAL_INSN_SINGLE;
    } else if (to_short ? is_plain_conversion(insn, DT_F16, DT_F32)
                        : is_plain_conversion(insn, DT_F32, DT_F16) && d->shorts.both &&
                              program_operand(d->p, insn->src)->kind == OPND_SYMBOL &&
                              d->shorts.floats[program_operand(d->p, insn->src)->ref]) {
        insn->op = OP_MOV;
        insn->type = insn->type2 = DT_F32;
        insn->rounding = 0;
    }
}

/* What is computed as a single and made a half then. */
static bool is_narrowed(const struct decoder *d, const struct insn *insn)
{
    if (eval_short_kind(d, insn, d->insn) != SHORT_HALF)
        return false;
    switch (insn->op) {
    case OP_MOV: case OP_ABS: case OP_ROUND: case OP_TRUNC: case OP_MUL: case OP_UP4B: case OP_UP4UB: case OP_UP2US:
        return true;
    default:
        return (insn->flags & EVAL_INSN_SINGLE) != 0;
    }
}

/* The driver clamps a half with the low halves of the singles -1 and 1, which are 0 (or, where that is not what comes out, with something else). */
static bool loses_clamp(const struct decoder *d, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && !(insn->flags & EVAL_INSN_SINGLE) && insn->op != OP_MOV && insn->op != OP_ABS && insn->op != OP_ROUND &&
           insn->op != OP_TRUNC && eval_short_kind(d, insn, d->insn) != SHORT_NUMBER;
}

bool eval_finishes_short(const struct decoder *d, const struct insn *insn)
{
    if (insn->op == OP_PK2H && packs_words(d, insn))
        return true;
    return nvidia(d) && eval_is_short(d, insn->dst.kind, insn->dst.ref) && (is_narrowed(d, insn) || loses_clamp(d, insn));
}

static bool becomes_zero(unsigned op)
{
    switch (op) {
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_MIN: case OP_MAX: case OP_FLR: case OP_CEIL: case OP_FRC: case OP_CMP:
    case OP_SLT: case OP_LRP: case OP_DP2: case OP_DP2A: case OP_DP3: case OP_DP4: case OP_DPH: case OP_XPD: case OP_X2D: case OP_SWZ:
        return true;
    default:
        return false;
    }
}

/* All components of a result are the same, with the words' low halves in place of what was packed. */
static bool put_words(struct decoder *d, const struct insn *insn, uint8_t words, unsigned n, uint32_t from[4])
{
    struct kernel_request insert = eval_request(d, OP_BFI, DT_U32);
    uint32_t plane[4];

    if (!fetch_packed(d, program_operand(d->p, insn->src), words, plane))
        return false;
    for (unsigned c = 0; c < 2; c++) {
        struct lane_op op = {.n = (uint8_t)n};
        if (!(words >> c & 1))
            continue;
        op.src[0][0] = eval_layout_word(&d->layout, 16);
        op.src[0][1] = eval_layout_word(&d->layout, 16 * c);
        op.src[0][2] = op.src[0][3] = eval_layout_word(&d->layout, 0);
        for (unsigned i = 0; i < n; i++) {
            op.comp[i] = (uint8_t)i;
            op.src[1][i] = plane[c];
            op.src[2][i] = from[i];
            op.dst[i] = from[i] = eval_layout_scratch(&d->layout);
        }
        if (!eval_raw(d, &insert, &op, NULL))
            return false;
    }
    return true;
}

bool eval_finish_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t from[4])
{
    struct kernel_request want = conversion(d, true);

    if (!eval_finishes_short(d, insn))
        return true;
    if (insn->op == OP_PK2H)
        return put_words(d, insn, packs_words(d, insn), n, from);
    if (loses_clamp(d, insn)) {
        for (unsigned i = 0; i < n && becomes_zero(insn->op); i++)
            from[i] = eval_layout_word(&d->layout, 0);
        return becomes_zero(insn->op) || eval_after(d, eval_request(d, EVAL_OP_LOST, DT_F32), n, from);
    }
    if (insn->op != OP_TRUNC)
        return eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), n, from);
    want.rounding = MOD_TRUNC;      /* beyond the largest half: that */
    return eval_after(d, want, n, from) && eval_after(d, conversion(d, false), n, from);
}
