/* Where results go: the register itself, or scratch planes and from there through masks, flags and sizes. */
#include "eval/decode/decode.h"
#include "eval/numeric/words.h"
#include "eval/decode/result_emit.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

unsigned eval_components(uint8_t mask, uint8_t comp[4])
{
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            comp[n++] = (uint8_t)c;
    return n;
}

/* The register planes of a destination's enabled components. */
static bool destination(struct decoder *d, const struct insn *insn, struct write *out, bool *both)
{
    const struct result *r = &insn->dst;
    const struct index *index = r->nindices ? program_index(d->p, r->index) : NULL;
    struct span place = program_result_span(d->p, insn);
    struct operand as_operand = {.kind = r->kind, .ref = r->ref, .span = place};
    struct array_planes array;
    struct plane_run run = {.both = false};
    bool ok;

    *both = false;
    out->index = NO_PLANE;
    out->registers = r->kind != OPND_CC;
    if (!out->registers)
        return true;
    if (r->nindices > 1)
        return eval_refuse(d, place, "a result with two indices");
    if (index && index->mode == INDEX_RELATIVE) {
        if (!eval_array_planes(d, r->ref, place, &array) || !eval_fetch_index(d, index, &out->index))
            return false;
        out->offset = index->offset;
        out->elements = array.elements;
        out->stride = array.stride;
        out->wide = array.wide;
        for (unsigned i = 0; i < out->n; i++)
            out->to[i] = array.first + out->comp[i] * (array.wide ? 2 : 1);
        return true;
    }
    if (r->kind == OPND_SYMBOL)
        ok = eval_symbol_planes(d, r->ref, index ? (uint64_t)index->offset : 0, as_operand.span, &run);
    else
        ok = eval_binding_planes(d, program_binding(d->p, r->ref), 0, TYPE_NONE, &run);
    if (!ok)
        return false;
    out->wide = run.wide;
    *both = run.both;
    for (unsigned i = 0; i < out->n; i++)
        out->to[i] = run.plane[out->comp[i]];
    return true;
}

static bool is_element(const struct decoder *d, const struct result *r)
{
    return r->kind == OPND_SYMBOL && program_symbol(d->p, r->ref)->array && d->model.ends.indexed[r->ref];
}

/* The driver's CVT to 8 or 16 bits writes those alone where its result is an element of an array that a computed index
 * reaches anywhere in the program (tests/recordings/patterns/questions3.txt, array_*). The components that keep what
 * stands above. */
static uint8_t keeps_upper_bits(const struct decoder *d, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    if (!s || s->size == SIZE_LONG || insn->op != OP_CVT || type_table[insn->type].bytes >= 4 ||
        d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return 0;
    return is_element(d, &insn->dst) ? insn->dst.mask : 0;
}

/* With the upper bits of what the result held. */
static bool insert_low_bits(struct decoder *d, const struct insn *insn, uint8_t keep, struct write *out)
{
    const struct result *r = &insn->dst;
    struct operand held = {.kind = r->kind, .ref = r->ref, .index = r->index, .nindices = r->nindices, .swizzle = 0xe4,
                           .span = program_result_span(d->p, insn)};
    struct kernel_request want = eval_request(d, OP_BFI, DT_U32);
    struct lane_op op = {.n = 0};
    struct fetched f;

    if (!eval_fetch(d, &held, DT_U32, r->mask, false, &f))
        return false;
    for (unsigned i = 0; i < 4; i++)
        op.src[0][i] = eval_layout_word(&d->layout, i ? 0 : is_element(d, r) ? 8u * type_table[insn->type].bytes : 16);
    for (unsigned i = 0; i < out->n; i++) {
        unsigned n = op.n;
        if (!(keep >> out->comp[i] & 1))
            continue;
        op.comp[n] = out->comp[i];
        op.src[1][n] = out->from[i];
        op.src[2][n] = f.plane[out->comp[i]];
        op.dst[n] = out->from[i] = eval_layout_scratch(&d->layout);
        op.n++;
    }
    return eval_raw(d, &want, &op, NULL);
}

bool eval_direct(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t to[4])
{
    struct write out = {0};
    bool both;

    if (d->of_any || eval_finishes_short(d, insn) || eval_leaves_above(d, insn) ||
        condition_restricts(&insn->dst.condition) || insn->cc_update || insn->dst.kind == OPND_CC ||
        keeps_upper_bits(d, insn) ||
        (insn->dst.nindices && program_index(d->p, insn->dst.index)->mode == INDEX_RELATIVE))
        return false;
    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    if (!destination(d, insn, &out, &both) || both || out.wide != (type_table[type].bytes == 8))
        return false;
    memcpy(to, out.to, sizeof out.to);
    return true;
}

/* To the size of the destination: widened as the type says, or narrowed. */
static bool fit(struct decoder *d, uint8_t type, unsigned n, uint32_t plane[4], bool wide)
{
    struct kernel_request want = eval_request(d, OP_CVT, type);

    if (wide == (type_table[type].bytes == 8))
        return true;
    switch (type) {
    case DT_F64: want.type = DT_F32; break;
    case DT_F32: want.type = DT_F64; break;
    case DT_S32: want.type = DT_S64; break;
    case DT_U32: want.type = DT_U64; break;
    default: return true;   /* the low planes */
    }
    want.type2 = type;
    return eval_after(d, want, n, plane);
}

/* Where the variable has not the size of the operation the driver takes the flags from what the variable comes to hold,
 * and carry and overflow are clear. */
static bool flags_in_size(const struct decoder *d, uint8_t type, struct write *out)
{
    if (out->wide == (type_table[type].bytes == 8) || d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return false;
    memcpy(out->flag_from, out->from, sizeof out->flag_from);
    out->flag_type = type_table[type].is_float ? (out->wide ? DT_F64 : DT_F32) : out->wide ? DT_S64 : DT_S32;
    out->carry = out->other_carry = NULL;
    memset(out->answers.zero, 0, sizeof out->answers.zero);
    memset(out->answers.sign, 0, sizeof out->answers.sign);
    return true;
}

/* What the compiler knows of tests of these flags. */
static void answer(struct decoder *d, struct write *out, bool resized)
{
    struct write_answers *to = &out->answers;
    const struct folded *folded = eval_folded_at(d, d->insn);
    const struct answers *a;
    bool any = false;

    memset(to->more, 0xff, sizeof to->more);
    memset(to->less, 0xff, sizeof to->less);
    for (unsigned i = 0; i < out->n; i++)
        d->x->answers |= to->zero[i] || to->sign[0][i];
    if (!out->cc_update)
        return;
    for (unsigned i = 0; i < out->n && !resized; i++) {
        to->more[i] = d->compared.more[out->comp[i]];
        to->less[i] = d->compared.less[out->comp[i]];
        d->x->answers |= to->more[i] != NO_PLANE;
    }
    if (!folded)
        return;
    a = &folded->answers;
    to->positive = resized && out->wide ? 0 : a->positive;
    to->signless = resized && out->wide ? 0 : a->signless;
    if (resized)
        return;
    to->not_below = a->not_below;
    to->no_sign = a->no_sign;
    for (unsigned i = 0; i < out->n; i++)
        any |= ((a->not_below | a->no_sign) >> out->comp[i] & 1) != 0;
    d->x->answers |= any;
}

/* An access with SPARSE: a launch has no sparse textures, all texels are there, also where the driver finds no texture.
 */
bool eval_decode_residency(struct decoder *d, const struct insn *insn)
{
    struct insn flags = *insn;
    uint32_t yes = eval_layout_word(&d->layout, 1), from[4] = {yes, yes, yes, yes};

    if (!(insn->flags & INSN_SPARSE))
        return true;
    flags.dst = (struct result){.kind = OPND_CC, .mask = 15};
    flags.cc_update = RESIDENCY + 1;
    return eval_decode_result(d, &flags, DT_U32, from, NULL, 0);
}

/* What carry and overflow follow otherwise than the result's addition. */
static void take_terms(const struct decoder *d, struct write_answers *to)
{
    memcpy(to->zero, d->other_carry.zero, sizeof to->zero);
    memcpy(to->sign, d->other_carry.sign, sizeof to->sign);
    to->subtracted = d->other_carry.subtracted;
    to->exact = d->other_carry.exact;
}

/* The flags of what is copied into a SHORT variable that somebody reads are those of the half. */
static bool copies_half(const struct decoder *d, const struct insn *insn)
{
    const struct insn *written = program_insn(d->p, d->insn);       /* where the flags are set by a step of their own
                                                                     * `insn` has no register */

    return d->shorts.both && eval_is_short(d, written->dst.kind, written->dst.ref) &&
           eval_result_type(insn) == DT_F32 && (op_has(insn->op, A_COPIES) || insn->op == OP_DST) &&
           !eval_sets_flags_alone(d->p, written, &d->model.ends);
}

/* Components that are numbers to the compiler, whatever was computed. */
static void take_numbers(struct decoder *d, const struct insn *insn, uint8_t type, const struct write *out,
                         uint32_t from[4])
{
    const struct folded *folded = d->numbers ? vec_at(&d->model.unrolled.folded, d->insn) : NULL;

    for (unsigned i = 0; i < out->n; i++) {
        uint64_t word = folded ? folded->word[out->comp[i]] : 0;
        if (!(d->numbers >> out->comp[i] & 1))
            continue;
        if (type == DT_F64 && eval_result_type(insn) == DT_F32) /* copy_modifier.c has widened what stands beside it */
            word = num_word64(num_float((uint32_t)word));
        from[i] = type_table[type].bytes == 8 ? eval_layout_word64(&d->layout, word)
                                              : eval_layout_word(&d->layout, (uint32_t)word);
    }
    d->numbers = 0;
}

/* The operand alone that component c of a result is, or -1: what is chosen, or multiplied by 1. */
static int only_operand(const struct decoder *d, const struct insn *insn, unsigned c)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    bool flip;

    if (insn->op == OP_DST && c == 1 && (folded->ones[0] | folded->ones[1]) & 2 && !(insn->flags & INSN_PREC))
        return folded->ones[0] & 2 ? 1 : 0;
    return insn->op == OP_MUL || insn->op == OP_DIV ? model_copied_factor(&d->model, d->insn, c, &flip) : -1;
}

/* Zeros that are undefined where any operand component is that result component c is made of. */
static bool zeros_of_operands(struct decoder *d, unsigned c, uint32_t *plane)
{
    const struct insn *insn = program_insn(d->p, d->insn);
    struct kernel_request want = eval_request(d, OP_AND, DT_U32);
    int only = only_operand(d, insn, c);

    *plane = eval_layout_word(&d->layout, 0);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        uint8_t reads =
            o->kind == OPND_SYMBOL && (only < 0 || only == (int)k) ? eval_component_reads(insn->op, k, c) : 0;
        struct fetched f;
        if (!eval_fetch(d, o, eval_operand_type(insn, k), reads, true, &f))
            return false;
        for (unsigned i = 0; i < 4; i++) {
            struct lane_op op = {.n = 1, .src = {{*plane}, {f.plane[i]}}};
            if (!(reads >> i & 1))
                continue;
            *plane = op.dst[0] = eval_layout_scratch(&d->layout);
            if (!eval_raw(d, &want, &op, NULL))
                return false;
        }
    }
    return true;
}

/* What is computed of numbers that follow whatever an operand is, that operand being undefined, is undefined. */
static bool follow_operands(struct decoder *d, uint8_t type, const struct write *out, uint32_t from[4])
{
    bool wide = type_table[type].bytes == 8;
    struct kernel_request widen = eval_request(d, OP_CVT, DT_U64),
                          want = eval_request(d, OP_OR, wide ? DT_U64 : DT_U32);

    widen.type2 = DT_U32;
    for (unsigned i = 0; i < out->n; i++) {
        struct lane_op op = {.n = 1, .src = {{from[i]}}};
        if (!(d->of_any >> out->comp[i] & 1))
            continue;
        if (!zeros_of_operands(d, out->comp[i], op.src[1]) || (wide && !eval_after(d, widen, 1, op.src[1])))
            return false;
        from[i] = op.dst[0] = eval_layout_scratch(&d->layout);
        if (!eval_raw(d, &want, &op, NULL))
            return false;
    }
    return true;
}

/* CVT to a half into a LONG variable, which holds its bits as those of a single, widened. */
static bool is_widened_half(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_CVT && insn->type == DT_F16 && d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&
           insn->dst.kind == OPND_SYMBOL && program_is_long(d->p, insn->dst.kind, insn->dst.ref);
}

bool eval_decode_result(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t from[4],
                        carry_fn carry, uint32_t carry_op)
{
    struct write out = {.carry = carry,
                        .carry_op = carry_op,
                        .cc_update = insn->cc_update,
                        .other_carry = d->other_carry.carry,
                        .other_op = d->other_carry.op,
                        .other = d->other_carry.of};
    bool resized, both;
    uint8_t keep, numbers = d->numbers;

    take_terms(d, &out.answers);
    d->other_carry = (struct other_carry){.carry = NULL};
    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    take_numbers(d, insn, type, &out, from);
    if (!follow_operands(d, type, &out, from) || !eval_finish_short(d, insn, out.n, from))
        return false;
    out.flag_type = type;
    memcpy(out.flag_from, d->unclamped ? d->unclamped : from, sizeof out.flag_from);
    d->unclamped = NULL;
    if (insn->cc_update && out.n && copies_half(d, insn) &&
        !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), out.n, out.flag_from))
        return false;
    memcpy(out.from, from, sizeof out.from);
    if (!out.n)
        return true;
    if (is_widened_half(d, insn)) {         /* whose bits are no negative number then */
        out.flag_type = DT_S32;
    } else if (insn->op == OP_CVT && insn->type == DT_F16 &&
               insn->cc_update) { /* the flags of the half, not of its bits */
        struct kernel_request want = eval_request(d, OP_CVT, DT_F32);
        want.type2 = DT_F16;
        out.flag_type = DT_F32;
        if (!eval_after(d, want, out.n, out.flag_from))
            return false;
    }
    if (!destination(d, insn, &out, &both))
        return false;
    if (out.registers && insn->op == OP_CVT && insn->type == DT_F16 && out.wide &&
        d->x->options.semantics == GP5_SEMANTICS_NVIDIA) {
        if (!fit(d, DT_F32, out.n, out.from, true))     /* the bits of a half as those of a single */
            return false;
    } else if (out.registers && !fit(d, type, out.n, out.from, out.wide)) {
        return false;
    }
    if (eval_leaves_above(d, insn) && !eval_open_above(d, numbers, out.n, out.comp, out.from))
        return false;
    if (eval_clamps_late(d, insn) && !eval_after(d, eval_request(d, EVAL_OP_SAT, DT_F32), out.n, out.from))
        return false;
    if (eval_clamps_widened(d, insn) &&
        !eval_after(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F64), out.n, out.from))
        return false;
    if (insn->op == OP_CVT && insn->type == DT_F16)
        resized = out.wide && flags_in_size(d, DT_F32, &out);
    else
        resized = out.registers && flags_in_size(d, type, &out);
    resized |= out.registers && out.wide && type_table[type].bytes == 8 &&
               type_table[eval_result_type(insn)].bytes == 4; /* copy_modifier.c */
    answer(d, &out, resized);
    keep = keeps_upper_bits(d, insn);
    if (keep && !insert_low_bits(d, insn, keep, &out))
        return false;
    if (both && !eval_pair_short(d, insn, out.n, out.from))
        return false;
    return eval_write_result(d, insn, &out, both);
}
