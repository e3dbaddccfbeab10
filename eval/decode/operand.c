/* Operands: variables, constants and inputs as planes of the type that an instruction wants, with
 * indexing, conversion of sizes, absolute values and negations resolved. */
#include "eval/numeric/half.h"
#include "eval/decode/decode.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"
#include "eval/decode/vertex_arrays.h"

#include <string.h>

/* ---- from register components to operand components ---------------------------------------------------- */

/* Components of a variable before the swizzle. */
struct source {
    uint32_t plane[4];
    bool wide;
};

static bool broken(const struct decoder *d)
{
    return d->layout.failed || d->layout.full;
}

bool eval_fetch_index(struct decoder *d, const struct index *index, uint32_t *plane)
{
    struct plane_run run;

    if (index->register_kind != OPND_SYMBOL) {
        const struct binding *b = program_binding(d->p, index->reg);
        if (!eval_binding_planes(d, b, 0, TYPE_INT, &run))
            return false;
        *plane = run.plane[index->component];
        return !broken(d) || eval_out_of_memory(d);
    }
    if (!eval_symbol_planes(d, index->reg, index->element.used ? index->element.value : 0, index->span, &run))
        return false;
    *plane = run.plane[index->component];   /* of a LONG variable the low words */
    return true;
}

/* One element of an indexed array into scratch, for the register components in `used`. */
static bool gather(struct decoder *d, const struct operand *o, const struct index *index, uint8_t used,
                   struct source *from)
{
    struct gather g = {.index = NO_PLANE, .offset = index->offset};
    struct array_planes array;

    if (!eval_array_planes(d, o->ref, o->span, &array) || !eval_fetch_index(d, index, &g.index))
        return false;
    g.wide = array.wide;
    g.elements = array.elements;
    g.stride = array.stride;
    for (unsigned c = 0; c < 4; c++) {
        if (!(used >> c & 1))
            continue;
        g.src[g.n] = array.first + c * (array.wide ? 2 : 1);
        from->plane[c] = g.dst[g.n] = eval_layout_scratch(&d->layout);
        g.n++;
    }
    from->wide = array.wide;
    return eval_push_gather(d, &g);
}

static bool variable(struct decoder *d, const struct operand *o, uint8_t type, uint8_t used, struct source *from)
{
    const struct symbol *symbol = program_symbol(d->p, o->ref);
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    struct plane_run run;

    switch (symbol->kind) {
    case SYM_TEMP: case SYM_PARAM: case SYM_ATTRIB: case SYM_OUTPUT: case SYM_ADDRESS:
        break;
    case SYM_BUFFER: case SYM_BUFFER4:
        from->wide = false;
        return eval_fetch_buffer(d, o, used, from->plane);
    default:
        return eval_refuse(d, o->span, "operand %s", symbol->name);
    }
    if (eval_is_vertex_array(d->p, symbol)) {
        from->wide = false;
        return eval_fetch_vertex(d, o, used, from->plane);
    }
    if (o->nindices > 1)
        return eval_refuse(d, o->span, "an operand with two indices");
    if (index && index->mode == INDEX_RELATIVE)
        return gather(d, o, index, used, from);
    if (!eval_symbol_planes(d, o->ref, index ? (uint64_t)index->offset : 0, o->span, &run))
        return false;
    for (unsigned c = 0; c < 4; c++)
        from->plane[c] = run.plane[c] + (run.both && !eval_reads_word(d, type));
    from->wide = run.wide;
    return true;
}

static bool inline_constant(struct decoder *d, const struct operand *o, uint8_t type, struct source *from)
{
    const struct constant *c = program_constant(d->p, o->ref);
    bool half = eval_reads_half(program_insn(d->p, d->insn)), nvidia = d->x->options.semantics == GP5_SEMANTICS_NVIDIA;

    from->wide = type_table[type].bytes == 8;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t word = half     ? num_to_half((uint32_t)eval_constant_word(c, i, DT_F32))
                        : nvidia ? eval_literal_word(d->p, c, i, type)
                                 : eval_constant_word(c, i, type);
        from->plane[i] =
            from->wide ? eval_layout_word64(&d->layout, word) : eval_layout_word(&d->layout, (uint32_t)word);
    }
    return !broken(d) || eval_out_of_memory(d);
}

/* ---- sizes and signs ----------------------------------------------------------------------------------- */

bool eval_map(struct decoder *d, struct kernel_request want, uint8_t needed, struct fetched *f,
              uint32_t clear, uint32_t flip)
{
    struct lane_op op = {.clear = {clear}, .flip = {flip}};
    uint32_t done_from[4], done_to[4];
    unsigned n = 0;

    for (unsigned i = 0; i < 4; i++) {
        unsigned j = 0;
        if (!(needed >> i & 1))
            continue;
        while (j < n && done_from[j] != f->plane[i])
            j++;
        if (j == n) {
            done_from[n] = op.src[0][n] = f->plane[i];
            done_to[n] = op.dst[n] = eval_layout_scratch(&d->layout);
            op.comp[n] = (uint8_t)n;
            n++;
        }
        f->plane[i] = done_to[j];
    }
    op.n = (uint8_t)n;
    return !n || eval_raw(d, &want, &op, NULL);
}

/* A 32-bit value as 64 bits or the reverse. */
static bool resize(struct decoder *d, bool wide, uint8_t type, uint8_t needed, struct fetched *f)
{
    struct kernel_request want = eval_request(d, OP_CVT, type);

    if (wide == (type_table[type].bytes == 8))
        return true;
    switch (type) {
    case DT_F32: want.type2 = DT_F64; break;
    case DT_F64: want.type2 = DT_F32; break;
    case DT_S64: want.type2 = DT_S32; break;
    case DT_U64: want.type2 = DT_U32; break;
    default: return true;   /* an integer keeps its low bits: the low plane */
    }
    return eval_map(d, want, needed, f, 0, 0);
}

static bool negate_integer(struct decoder *d, uint8_t type, uint8_t needed, struct fetched *f)
{
    bool wide = type_table[type].bytes == 8;
    struct kernel_request want = eval_request(d, OP_SUB, type);
    struct lane_op op = {0};
    uint32_t zero = wide ? eval_layout_word64(&d->layout, 0) : eval_layout_word(&d->layout, 0);

    for (unsigned i = 0; i < 4; i++) {
        if (!(needed >> i & 1))
            continue;
        op.comp[op.n] = (uint8_t)op.n;
        op.src[0][op.n] = zero;
        op.src[1][op.n] = f->plane[i];
        f->plane[i] = op.dst[op.n] = eval_layout_scratch(&d->layout);
        op.n++;
    }
    return !op.n || eval_raw(d, &want, &op, NULL);
}

bool eval_integer_signs(struct decoder *d, uint16_t flags, uint8_t type, uint8_t needed, struct fetched *f)
{
    if (flags & OPND_NEGATE_INNER && !negate_integer(d, type, needed, f))
        return false;
    if (flags & OPND_ABSOLUTE && type_table[type].is_signed &&
        !eval_map(d, eval_request(d, OP_ABS, type), needed, f, 0, 0))
        return false;
    return !(flags & OPND_NEGATE) || negate_integer(d, type, needed, f);
}

bool eval_fetch(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, bool signs,
                struct fetched *out)
{
    struct source from = {.plane = {0}};
    uint8_t used = 0;
    unsigned first = 0;
    bool ok = true;

    needed = needed ? needed : 1;
    while (!(needed >> first & 1))
        first++;
    for (unsigned i = 0; i < 4; i++)
        if (needed >> i & 1)
            used |= (uint8_t)(1u << (o->swizzle >> 2 * i & 3));
    switch (o->kind) {
    case OPND_SYMBOL:
        ok = variable(d, o, type, used, &from);
        break;
    case OPND_BINDING: {
        struct plane_run run;
        ok = eval_binding_planes(d, program_binding(d->p, o->ref), 0, TYPE_NONE, &run);
        memcpy(from.plane, run.plane, sizeof from.plane);
        break;
    }
    case OPND_CONSTANT:
        ok = inline_constant(d, o, type, &from);
        break;
    default:
        return eval_refuse(d, o->span, "this kind of operand");
    }
    if (!ok)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        unsigned k = needed >> i & 1 ? i : first;
        out->plane[i] = from.plane[o->swizzle >> 2 * k & 3];
    }
    out->clear = out->flip = 0;
    if (!eval_fetch_half(d, o, type, needed, out) || !resize(d, from.wide, type, needed, out))
        return false;
    if (!type_table[type].is_float) {
        ok = eval_integer_signs(d, o->flags, type, needed, out);
    } else {
        out->clear = o->flags & OPND_ABSOLUTE ? 0x80000000u : 0;
        out->flip = o->flags & OPND_NEGATE ? 0x80000000u : 0;
        if (!(o->flags & OPND_ABSOLUTE) && o->flags & OPND_NEGATE_INNER)
            out->flip ^= 0x80000000u;
        if (!signs && (out->clear || out->flip)) {
            ok = eval_map(d, eval_request(d, OP_MOV, type), needed, out, out->clear, out->flip);
            out->clear = out->flip = 0;
        }
    }
    for (unsigned i = 0; i < 4; i++)    /* components that nobody needs must still name a plane */
        if (!(needed >> i & 1))
            out->plane[i] = out->plane[first];
    return ok && (!broken(d) || eval_out_of_memory(d));
}
