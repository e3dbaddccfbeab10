/* SHORT variables that have a word and a float: what an instruction leaves in either; halves that go over as they are.
 */
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

static bool each_plane(struct decoder *d, struct kernel_request want, unsigned n, const uint32_t from[4],
                       const uint32_t to[4])
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
static bool narrow(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t single[4],
                   const uint32_t word[4])
{
    uint8_t comp[4];

    eval_components(insn->dst.mask, comp);
    for (unsigned clears = 0; clears < 2; clears++) {
        uint32_t from[4], to[4];
        unsigned some = 0;
        for (unsigned i = 0; i < n; i++)
            if (eval_clears_upper(d, insn, comp[i]) == clears) {
                from[some] = single[i];
                to[some++] = word[i];
            }
        if (some && !each_plane(d, clears ? eval_half_conversion(d, true) : eval_request(d, EVAL_OP_SHORT, DT_F32),
                                some, from, to))
            return false;
    }
    return true;
}

/* The pairs that a MOV reads, in scratch. */
static bool move_pairs(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    const struct operand *o = program_operand(d->p, insn->src);
    uint32_t from[2][4], to[2][4];
    struct plane_run run;
    uint8_t comp[4];

    eval_components(insn->dst.mask, comp);
    if (!eval_symbol_planes(d, o->ref, 0, o->span, &run))
        return false;
    for (unsigned i = 0; i < n; i++) {
        plane[i] = to[0][i] = eval_layout_scratch(&d->layout);
        to[1][i] = to[0][i] + 1;
        from[0][i] = run.plane[o->swizzle >> 2 * comp[i] & 3];
        from[1][i] = from[0][i] + 1;
    }
    return each_plane(d, eval_request(d, OP_MOV, DT_U32), n, from[0], to[0]) &&
           each_plane(d, eval_request(d, OP_MOV, DT_U32), n, from[1], to[1]);
}

bool eval_pair_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4])
{
    uint8_t kind = eval_short_kind(d, insn, d->insn);
    bool number = kind & SHORT_NUMBER;
    uint32_t word[4], single[4];

    if (eval_moves_short(d, insn))
        return move_pairs(d, insn, n, plane);
    for (unsigned i = 0; i < n; i++) {
        word[i] = eval_layout_scratch(&d->layout);
        single[i] = word[i] + 1;
    }
    if (!each_plane(d, eval_request(d, OP_MOV, DT_U32), n, plane, number ? word : single))
        return false;
    if (insn->op == OP_PK2H && number && kind & SHORT_COPY) {      /* PK2H: its x, packed and unpacked again */
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 1, false, &f))
            return false;
        memcpy(plane, word, n * sizeof *plane);
        return each_plane(d, eval_request(d, OP_MOV, DT_U32), n, f.plane, single);
    }
    memcpy(plane, word, n * sizeof *plane);
    return number ? each_plane(d, eval_half_conversion(d, false), n, word, single) : narrow(d, insn, n, single, word);
}

/* Whether it may hold what is no word of an integer, or a known one. */
static bool is_mixed(const struct decoder *d, const struct operand *o, unsigned c)
{
    return eval_is_short(d, o->kind, o->ref) && d->shorts.mixed[o->ref] >> (o->swizzle >> 2 * c & 3) & 1;
}

/* Whether component c of the instruction's first operand is a number to the compiler. */
static bool is_known(const struct decoder *d, const struct operand *o, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    return folded && folded->shorts[0] >> (o->swizzle >> 2 * c & 3) & 1;
}

/* The operand that PK2H packs, or that is stored; of others the first one. */
static uint32_t packed_operand(const struct insn *insn)
{
    return insn->src + (insn->op == OP_STOREIM);
}

/* The components of what PK2H packs, or a store makes halves of, that are so already: words in SHORT variables. They go
 * over as they are. */
uint8_t eval_packs_words(const struct decoder *d, const struct insn *insn)
{
    bool stores = op_is(insn->op, K_STORE | K_IMAGE_STORE), words;
    const struct operand *o = insn->nsrc ? program_operand(d->p, packed_operand(insn)) : NULL;
    uint8_t mask = 0;

    if (!o || !(stores ? insn->type == DT_F16 : insn->op == OP_PK2H && !insn->cc_update) ||
        (o->flags && insn->op != OP_STOREIM) || !nvidia(d))
        return 0;
    words = d->shorts.both && eval_is_short(d, o->kind, o->ref) && eval_is_both(d, o->ref);
    for (unsigned c = 0; c < (stores ? insn->width : 2u); c++)
        if (words && (!is_mixed(d, o, c) || !is_known(d, o, c)))
            mask |= (uint8_t)(1u << c);
    return mask;
}

/* The low half of a word of which nobody may know the upper one. */
static bool take_low(struct decoder *d, const struct operand *o, unsigned c, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, EVAL_OP_LOW, DT_F32);
    struct lane_op op = {.n = 1};
    struct fetched f;

    if (!eval_fetch(d, o, DT_F32, (uint8_t)(1u << c), false, &f))
        return false;
    op.src[0][0] = f.plane[c];
    op.src[1][0] = *plane;
    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* The words of such components. */
static bool fetch_packed(struct decoder *d, const struct operand *o, uint8_t words, uint32_t plane[4])
{
    struct fetched f;

    if (!eval_fetch(d, o, DT_U32, words, false, &f))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (words >> c & 1)
            plane[c] = f.plane[c];
        if (words >> c & 1 && !take_low(d, o, c, &plane[c]))
            return false;
    }
    return true;
}

bool eval_fetch_halves(struct decoder *d, const struct operand *o, uint8_t needed, struct fetched *f, bool *done)
{
    const struct insn *store = program_insn(d->p, d->insn);
    uint8_t words = eval_packs_words(d, store);

    *done = words != 0 && d->now && d->now->type != store->type;
    if (!*done)
        return true;
    return eval_fetch(d, o, DT_F32, needed, false, f) && eval_map(d, eval_half_conversion(d, true), needed, f, 0, 0) &&
           fetch_packed(d, o, words, f->plane);
}

/* All components of a result are the same, with the words' low halves in place of what was packed. */
bool eval_put_words(struct decoder *d, const struct insn *insn, uint8_t words, unsigned n, uint32_t from[4])
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

/* ---- CVT to a half that it clamps --------------------------------------------------------------------------- */

bool eval_leaves_above(const struct decoder *d, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;
    bool clamps = insn->op == OP_CVT && insn->type == DT_F16 && insn->flags & (INSN_SAT | INSN_SSAT);

    return clamps && nvidia(d) && s && s->size == SIZE_DEFAULT && !s->array;
}

bool eval_open_above(struct decoder *d, uint8_t numbers, unsigned n, const uint8_t comp[4], uint32_t from[4])
{
    uint32_t open[4];
    unsigned left = 0;

    for (unsigned i = 0; i < n; i++)
        if (!(numbers >> comp[i] & 1))
            open[left++] = from[i];
    if (left && !eval_after(d, eval_request(d, EVAL_OP_ABOVE, DT_F32), left, open))
        return false;
    left = 0;
    for (unsigned i = 0; i < n; i++)
        if (!(numbers >> comp[i] & 1))
            from[i] = open[left++];
    return true;
}
