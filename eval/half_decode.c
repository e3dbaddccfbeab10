/* What half_copies.c found, computed from what was kept. */
#include "eval/half_copies.h"
#include "eval/keeping.h"

#include "eval/sources.h"

#include <string.h>

static bool copy(struct decoder *d, unsigned n, const uint32_t from[4], const uint32_t to[4])
{
    return !n || eval_each_plane(d, eval_request(d, OP_MOV, DT_U32), n, from, to);
}

uint8_t eval_wanted_halves(const struct decoder *d, const struct insn *insn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->half_copies && d->half_copies->kept && c < 4; c++)
        if (d->half_copies->kept[d->insn][c] != NO_PLANE)
            mask |= (uint8_t)(1u << c);
    return insn->op == OP_PK2H && mask ? 3 : mask;
}

static bool clamps_half(const struct insn *insn)
{
    return insn->op == OP_CVT && insn->type == DT_F16 && insn->flags & (INSN_SAT | INSN_SSAT);
}

bool eval_leaves_above(const struct decoder *d, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    return clamps_half(insn) && d->x->options.semantics == GP5_SEMANTICS_NVIDIA && s && s->size == SIZE_DEFAULT && !s->array;
}

bool eval_open_above(struct decoder *d, const struct insn *insn, uint8_t numbers, unsigned n, const uint8_t comp[4], uint32_t from[4])
{
    uint8_t wanted = eval_wanted_halves(d, insn) & (uint8_t)~numbers;
    uint32_t half[4], kept[4], open[4];
    unsigned some = 0, left = 0;

    for (unsigned i = 0; i < n; i++)
        if (wanted >> comp[i] & 1) {
            half[some] = from[i];
            kept[some++] = d->half_copies->kept[d->insn][comp[i]] = eval_kept_planes(d, 1);
        }
    if (some && (!eval_after(d, eval_half_conversion(d, false), some, half) || !copy(d, some, half, kept)))
        return false;
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

bool eval_keep_halves(struct decoder *d, const struct insn *insn)
{
    uint8_t mask = eval_wanted_halves(d, insn);
    bool words = insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type2 == DT_F16);
    uint32_t from[4], to[4];
    struct fetched f;
    unsigned n = 0;

    if (!mask || eval_leaves_above(d, insn) || (insn->op != OP_CVT && insn->op != OP_UP2H && insn->op != OP_PK2H))
        return true;
    if (!eval_fetch(d, program_operand(d->p, insn->src), insn->op == OP_UP2H ? eval_operand_type(insn, 0) : words ? DT_U32 : DT_F32, mask, false, &f))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            from[n] = f.plane[c];
            to[n++] = d->half_copies->kept[d->insn][c] = eval_kept_planes(d, 1);
        }
    return copy(d, n, from, to);
}

bool eval_keep_copied(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t single[4])
{
    uint8_t mask = eval_wanted_halves(d, insn), comp[4];
    uint32_t from[4], to[4];
    unsigned some = 0;

    if (insn->op == OP_UP2H || insn->op == OP_PK2H || eval_brings_halves(d, insn))
        return true;
    eval_components(insn->dst.mask, comp);
    for (unsigned i = 0; i < n; i++)
        if (mask >> comp[i] & 1) {
            from[some] = single[i];
            to[some++] = d->half_copies->kept[d->insn][comp[i]] = eval_kept_planes(d, 1);
        }
    return copy(d, some, from, to);
}

bool eval_load_halves(struct decoder *d, const struct insn *insn, struct access *a)
{
    uint8_t mask = eval_wanted_halves(d, insn);
    struct kernel_request want = eval_request(d, OP_MOV, DT_U32);
    struct lane_op keep = {.n = 0};

    if (a->space == SPACE_IMAGE)
        a->words = true;
    else
        a->type = DT_U16;
    a->n = (uint8_t)eval_components(insn->dst.mask, a->comp);
    for (unsigned i = 0; i < a->n; i++)
        a->data[i] = eval_layout_scratch(&d->layout);
    for (unsigned i = 0; i < a->n; i++)
        if (mask >> a->comp[i] & 1) {
            keep.comp[keep.n] = (uint8_t)keep.n;
            keep.src[0][keep.n] = a->data[i];
            keep.dst[keep.n++] = d->half_copies->kept[d->insn][a->comp[i]] = eval_kept_planes(d, 1);
        }
    return eval_access_step(d, STEP_LOAD, a) && (!keep.n || eval_lane(d, &want, &keep)) &&
           eval_after(d, eval_half_conversion(d, false), a->n, a->data) && eval_decode_result(d, insn, DT_F32, a->data, NULL, 0);
}

bool eval_half_origin(struct decoder *d, struct half_view v, uint32_t *plane)
{
    uint32_t kept = d->half_copies->kept[v.insn][v.component];

    *plane = kept;
    if (v.kind == HALF_AGAIN)
        return eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), 1, plane);
    if (v.kind == HALF_HIGH || (v.kind == HALF_LOW && eval_is_literal(d, program_operand(d->p, program_insn(d->p, v.insn)->src)))) {
        struct kernel_request want = eval_request(d, v.kind == HALF_HIGH ? OP_SHR : OP_AND, DT_U32);    /* of a literal nothing stands above */
        struct lane_op op = {.n = 1, .src = {{kept}, {eval_layout_word(&d->layout, v.kind == HALF_HIGH ? 16 : 0xffff)}}};
        *plane = op.dst[0] = eval_layout_scratch(&d->layout);
        return eval_raw(d, &want, &op, NULL);
    }
    return true;
}

/* A half of a word that singles were packed in, or that is one narrowed: the driver takes the low half for the upper one too. */
static bool unpacked(struct decoder *d, struct half_view v, bool upper, uint32_t *plane)
{
    v.component = v.kind == HALF_PACKED ? upper : v.component;
    if (!eval_half_origin(d, v, plane))
        return false;
    if (upper && v.kind == HALF_NARROWED)
        return eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), 1, plane);
    return true;
}

/* Nothing stands above what UP2H put into a SHORT variable. */
static bool has_nothing_above(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    struct half_view v = eval_half_from(d, AS_FLOAT, 0);

    return insn->op == OP_UP2H && eval_is_short(d, o->kind, o->ref) && eval_is_unpacked(v) &&
           (program_insn(d->p, v.insn)->op == OP_UP2H || eval_loads_halves(program_insn(d->p, v.insn)));
}

static bool is_copy(const struct decoder *d, const struct insn *insn, unsigned c, struct half_view *v)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16;

    *v = eval_half_from(d, AS_WORD, insn->op == OP_UP2H ? 0 : c);
    if (insn->op == OP_UP2H && v->kind == HALF_AGAIN)
        return false;
    if (v->kind == HALF_CLAMPED)
        return !narrows && !(insn->op == OP_UP2H && c & 1);
    return narrows ? eval_is_unpacked(*v) && !eval_has_neighbours(d, *v) : v->kind && v->kind < HALF_LOW;
}

/* A view of what half arithmetic made of one number: it stands in no pair of halves. */
static bool is_made_alone(const struct decoder *d, struct half_view v)
{
    return v.kind == HALF_ARITHMETIC && program_insn(d->p, v.insn)->op == OP_RCP;
}

/* Components above whose half the driver leaves other bits: of what half arithmetic made, of halves that were loaded several at once, and where it clamps
 * what was a half (into variables of 32 bits see eval_open_above). */
static uint8_t of_halves(const struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    bool clamps = clamps_half(insn);
    uint8_t mask = 0;

    for (unsigned c = 0; insn->op == OP_CVT && insn->type == DT_F16 && c < 4; c++) {
        struct half_view v = eval_half_from(d, AS_WORD, c);
        bool made = d->shorts.halves && o->kind == OPND_SYMBOL && !is_made_alone(d, v) && d->shorts.halves[o->ref] >> (o->swizzle >> 2 * c & 3) & 1;
        if (clamps ? eval_is_unpacked(v) && !eval_leaves_above(d, insn) : made || (eval_is_unpacked(v) && eval_has_neighbours(d, v)))
            mask |= (uint8_t)(1u << c);
    }
    return insn->dst.mask & mask;
}

/* The components that are computed as they stand, or (`kernel`) with another kernel. */
static bool compute(struct decoder *d, const struct insn *insn, uint8_t mask, uint16_t kernel, uint32_t by_component[4])
{
    struct insn some = *insn;
    struct kernel_request want = kernel ? eval_request(d, kernel, DT_F32) : eval_request_of(d, insn, insn->op);
    struct lane_op op = {.n = 0};
    struct fetched f;

    if (!mask)
        return true;
    some.dst.mask = mask;
    op.n = (uint8_t)eval_components(mask, op.comp);
    if (!eval_fetch(d, program_operand(d->p, insn->src), eval_operand_type(insn, 0), insn->op == OP_UP2H ? 1 : mask, kernel == 0, &f))
        return false;
    if (kernel && clamps_half(insn)) {
        if (!eval_map(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), mask, &f, f.clear, f.flip))
            return false;
        f.clear = f.flip = 0;
    }
    eval_place(&op, 0, &f, kernel ? FLOW_EACH : eval_op_flow(want.op));
    return eval_partial(d, &some, want, &op, by_component);
}

/* Whether a conversion makes a half of a single, or the other way; the driver rounds none of the latter. */
static bool converts(const struct insn *insn)
{
    bool narrows = insn->type == DT_F16;

    if (insn->op == OP_UP2H || (insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F16))
        return true;
    return insn->op == OP_CVT && narrows && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
}

static bool clamp(struct decoder *d, const struct insn *insn, uint32_t *plane)
{
    uint16_t op = insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT;

    return !(insn->flags & (INSN_SAT | INSN_SSAT)) || eval_after(d, eval_request(d, op, DT_F32), 1, plane);
}

/* Half arithmetic that ends in a half which is made a single: not steps of singles, copies, words, and what the compiler leaves as it stands. */
static bool ends_in_half(const struct decoder *d, struct half_view v)
{
    const struct insn *insn = program_insn(d->p, v.insn);
    bool flip;

    switch (insn->op) {
    case OP_DST: return v.component == 1;
    case OP_MUL: case OP_DIV: return eval_copied_factor(d, v.insn, v.component, &flip) < 0 && !(insn->flags & INSN_PREC);
    case OP_FLR: case OP_CEIL: case OP_SSG: case OP_XPD: case OP_CVT: case OP_UP2H: case OP_UP2US: case OP_UP4UB: case OP_UP4B: case OP_UP64: case OP_PK64: return false;
    default: return !op_shuffles(insn->op) && !(insn->flags & INSN_PREC);
    }
}

/* Components that CVT to an integer with TRUNC makes of a single that was made of a half: the compiler leaves out the way back to the half, and rounds to
 * nearest. Whoever rounds otherwise looks at the low bits of the single's word. */
static uint8_t of_numbers(const struct decoder *d, const struct insn *insn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; insn->op == OP_CVT && insn->type2 == DT_F16 && !type_table[insn->type].is_float && insn->rounding == MOD_TRUNC && c < 4; c++) {
        struct half_view v = eval_half_from(d, AS_WORD, c);
        if (eval_is_unpacked(v) || (v.kind == HALF_ARITHMETIC && ends_in_half(d, v)))
            mask |= (uint8_t)(1u << c);
    }
    return insn->dst.mask & mask;
}

/* Such components, and the others. */
static bool decode_integers(struct decoder *d, const struct insn *insn, uint8_t numbers)
{
    struct insn of_singles = *insn;
    uint32_t by_component[4] = {0};

    of_singles.type2 = DT_F32;
    of_singles.rounding = MOD_ROUND;
    return compute(d, &of_singles, numbers, 0, by_component) && compute(d, insn, insn->dst.mask & (uint8_t)~numbers, 0, by_component) &&
           eval_join_partials(d, insn, by_component);
}

bool eval_unpack_copies(struct decoder *d, const struct insn *insn, uint32_t by_component[4], bool *copies)
{
    struct half_view v;

    *copies = is_copy(d, insn, 0, &v) && v.kind != HALF_CLAMPED;
    for (unsigned c = 0; *copies && c < 4; c++)
        if (insn->dst.mask >> c & 1 && !unpacked(d, v, c & 1, &by_component[c]))
            return false;
    return true;
}

bool eval_decode_half_copies(struct decoder *d, const struct insn *insn, bool *done)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16, clamps = clamps_half(insn);
    uint32_t by_component[4] = {0};
    uint8_t copies = 0, left = insn->dst.mask, halves, numbers = of_numbers(d, insn);
    struct half_view v;

    *done = numbers != 0;
    if (*done)
        return decode_integers(d, insn, numbers);
    if (!converts(insn) || (insn->op == OP_UP2H && operand_has_sign(program_operand(d->p, insn->src))))     /* signed_words.c */
        return true;
    for (unsigned c = 0; c < 4; c++) {
        if (!(left >> c & 1))
            continue;
        if (c & 1 && has_nothing_above(d, insn))
            by_component[c] = eval_layout_word(&d->layout, 0);
        else if (clamps || !is_copy(d, insn, c, &v))
            continue;
        else if (!(narrows ? eval_half_origin(d, v, &by_component[c])
                           : unpacked(d, v, insn->op == OP_UP2H && c & 1, &by_component[c]) && clamp(d, insn, &by_component[c])))
            return false;
        copies |= (uint8_t)(1u << c);
    }
    left &= (uint8_t)~copies;
    halves = of_halves(d, insn) & left;
    if (!copies && !halves)
        return true;
    *done = true;
    return compute(d, insn, left & (uint8_t)~halves, 0, by_component) && compute(d, insn, halves, EVAL_OP_SHORT, by_component) &&
           eval_join_partials(d, insn, by_component);
}
