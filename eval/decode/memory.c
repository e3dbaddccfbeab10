/* Loads, stores, atomics, shuffles and votes as steps. */
#include "eval/decode/half_storage.h"

#include <string.h>

/* ---- memory -------------------------------------------------------------------------------------------- */

/* More buffers than any implementation binds. */
enum { MAX_BINDINGS = 4096 };

/* Which buffers a variable spans and where it starts in them. */
static bool locate(struct decoder *d, const struct operand *o, const struct symbol *s, struct access *a)
{
    const struct binding *b;
    unsigned at;

    if (!s->nbindings)
        return eval_refuse(d, o->span, "%s, which is bound to nothing", s->name);
    b = program_binding(d->p, s->binding);
    if (a->space == SPACE_SHARED) {
        a->offset = b->nindices ? b->first[0] : 0;
        return true;
    }
    at = b->nindices > 1 ? 1 : 0;
    if (at)
        a->offset = b->first[1];
    a->nslots = b->nindices && b->range[0] && b->last[0] >= b->first[0] ? b->last[0] - b->first[0] + 1 : 1;
    if (a->nslots > MAX_BINDINGS)
        return eval_refuse(d, o->span, "%u buffers in one variable", a->nslots);
    a->slot = eval_buffer_slot(d, a->space, b->nindices ? b->first[0] : 0, a->nslots);
    return !d->no_memory;
}

static bool slot_index(struct decoder *d, const struct index *index, struct access *a)
{
    a->slot_offset = index->offset;
    if (index->mode != INDEX_RELATIVE)
        return true;
    return eval_fetch_index(d, index, &a->slot_index);
}

static bool address(struct decoder *d, const struct operand *o, struct access *a)
{
    const struct symbol *s;
    const struct index *index = NULL;

    a->address = a->slot_index = NO_PLANE;
    a->nslots = 1;
    if (a->space == SPACE_GLOBAL)
        return eval_pointer(d, o, a);
    if (o->kind != OPND_SYMBOL)
        return eval_refuse(d, o->span, "this kind of memory operand");
    s = program_symbol(d->p, o->ref);
    switch (s->kind) {
    case SYM_STORAGE: a->space = SPACE_STORAGE; break;
    case SYM_SHARED: a->space = SPACE_SHARED; break;
    case SYM_CBUFFER: a->space = SPACE_CONSTANT; break;
    default: return eval_refuse(d, o->span, "memory of %s", s->name);
    }
    if (!locate(d, o, s, a))
        return false;
    if (o->nindices == 2) {
        if (!slot_index(d, program_index(d->p, o->index), a))
            return false;
        index = program_index(d->p, o->index + 1);
    } else if (o->nindices == 1 && s->two_indices) {
        if (!slot_index(d, program_index(d->p, o->index), a))
            return false;
    } else if (o->nindices == 1) {
        index = program_index(d->p, o->index);
    }
    if (!index)
        return true;
    a->offset += (uint32_t)index->offset;
    return index->mode != INDEX_RELATIVE || eval_fetch_index(d, index, &a->address);
}

bool eval_access_result(struct decoder *d, const struct insn *insn, uint8_t kind, struct access *a)
{
    uint32_t clamp = insn->flags & (INSN_SAT | INSN_SSAT);
    bool halves = a->atomic && insn->type == DT_F16;
    uint8_t type =
        halves && !program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? DT_U32 : eval_register_type(insn->type);
    bool direct;

    a->n = (uint8_t)eval_components(insn->dst.mask, a->comp);
    a->result_used = !d->useful || d->useful[d->insn] & insn->dst.mask;
    direct = !clamp && eval_direct(d, insn, type, a->data);
    if (d->failed)
        return false;
    if (clamp && !type_table[type].is_float)
        return eval_refuse(d, insn->span, "a saturated integer");
    for (unsigned i = 0; i < a->n && !direct; i++)
        a->data[i] = eval_layout_scratch(&d->layout);
    if (!eval_access_step(d, kind, a))
        return false;
    if (clamp && !eval_after(d, eval_request(d, clamp & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, type), a->n, a->data))
        return false;
    return direct || eval_decode_result(d, insn, type, a->data, NULL, 0);
}

/* Of a vector of two the driver sets x or y to 0 where the mask has the other one, and z or w. */
static bool clear_other(struct decoder *d, const struct insn *insn, uint8_t type)
{
    struct insn other = *insn;
    uint32_t zero = eval_layout_word64(&d->layout, 0), planes[4] = {zero, zero, zero, zero};

    other.dst.mask = insn->width == 2 ? eval_load_mask(d->p, insn) & (uint8_t)~insn->dst.mask : 0;
    other.cc_update = 0;
    if (!other.dst.mask || d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return true;
    return eval_decode_result(d, &other, type, planes, NULL, 0);
}

/* The driver drops the signs of what it packs: halves, and several bytes or words of 16 bits. */
/* The words of an operand with its signs, as signed integers. */
static bool negate_words(struct decoder *d, const struct operand *o, uint32_t plane[4])
{
    struct kernel_request want = eval_request(d, o->flags & OPND_ABSOLUTE ? OP_ABS : OP_SUB, DT_S64);

    if (o->flags & OPND_ABSOLUTE && !eval_after(d, want, 4, plane))
        return false;
    if (o->flags & OPND_NEGATE) {
        struct lane_op op = {.n = 4, .comp = {0, 1, 2, 3}};
        want.op = OP_SUB;
        for (unsigned i = 0; i < 4; i++) {
            op.src[0][i] = eval_layout_word64(&d->layout, 0);
            op.src[1][i] = plane[i];
            plane[i] = op.dst[i] = eval_layout_scratch(&d->layout);
        }
        return eval_raw(d, &want, &op, NULL);
    }
    return true;
}

/* The driver's stores of four 64-bit components with a sign: x is what w is, and the signs of F64 are those of integers
 * but for x. */
static bool fetch_four_wide(struct decoder *d, const struct insn *insn, const struct operand *o, struct fetched *f)
{
    struct operand plain = *o, of_w = *o;
    struct fetched x;

    plain.flags &= (uint16_t)~OPND_SIGNS;
    of_w.swizzle = (uint8_t)((o->swizzle >> 6) * 0x55);
    if (!eval_fetch(d, insn->type == DT_F64 ? &plain : o, insn->type, 15, false, f) ||
        !eval_fetch(d, &of_w, insn->type, 1, false, &x) || (insn->type == DT_F64 && !negate_words(d, o, f->plane)))
        return false;
    f->plane[0] = x.plane[0];
    return true;
}

bool eval_fetch_stored(struct decoder *d, const struct insn *insn, uint32_t operand, uint8_t needed, struct fetched *f)
{
    struct operand o = *program_operand(d->p, operand);
    bool turns = o.flags & (insn->type == DT_U64 ? OPND_NEGATE | OPND_NEGATE_INNER : OPND_SIGNS);
    bool halves, packed = insn->type == DT_F16 || (type_table[insn->type].bytes < 4 && insn->width > 1);

    if (packed && d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
        o.flags &= (uint16_t)~OPND_SIGNS;
    if (turns && type_table[insn->type].bytes == 8 && insn->width == 4 &&
        d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
        return fetch_four_wide(d, insn, &o, f);
    return eval_fetch_halves(d, &o, needed, f, &halves) &&
           (halves || eval_fetch(d, &o, eval_register_type(insn->type), needed, false, f));
}

/* Of the components that LOAD and LDS move in one go, 32 bits or more each, the driver tests the last one's condition
 * for all; but each of four with 64 bits has its own, and each that is narrowed. */
static struct insn tested_together(const struct decoder *d, const struct insn *insn)
{
    struct insn together = *insn;
    struct condition *c = &together.dst.condition;
    uint8_t moved = insn->dst.mask & ((1u << insn->width) - 1u), swizzle = c->nswizzle ? c->swizzle : 0xe4;

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA || (insn->op != OP_LOAD && insn->op != OP_LDS) || !moved ||
        type_table[insn->type].bytes < 4 ||
        (type_table[insn->type].bytes == 8 &&
         (insn->width == 4 || !program_is_long(d->p, insn->dst.kind, insn->dst.ref))))
        return together;
    unsigned last = 31u - (unsigned)__builtin_clz(moved);
    for (unsigned i = 0; i < 4; i++)
        if (moved >> i & 1)
            swizzle = (uint8_t)((swizzle & ~(3u << 2 * i)) | (swizzle >> 2 * last & 3u) << 2 * i);
    c->swizzle = swizzle;
    c->nswizzle = 4;
    return together;
}

static bool decode_atomic(struct decoder *d, const struct insn *insn, struct access *a)
{
    return eval_atomic_operands(d, insn, a) && address(d, program_operand(d->p, insn->src + 1), a) &&
           eval_atomic_result(d, insn, a);
}

bool eval_decode_access(struct decoder *d, const struct insn *insn)
{
    struct access a = {.type = insn->type, .width = insn->width, .atomic = insn->atomic};
    uint8_t type = eval_register_type(insn->type);
    struct insn together;
    struct fetched f;

    a.wide = type_table[type].bytes == 8;
    if (insn->op == OP_LOAD || insn->op == OP_STORE || insn->op == OP_ATOM)
        a.space = SPACE_GLOBAL;
    if (insn->type == DT_NONE || !insn->width)
        return eval_refuse(d, insn->span, "%s without a storage modifier", op_table[insn->op].name);
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD:
        together = tested_together(d, insn);
        if (insn->width == 4 && d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
            together.dst.mask = eval_load_mask(d->p, insn);
        return address(d, program_operand(d->p, insn->src), &a) && eval_access_result(d, &together, STEP_LOAD, &a) &&
               clear_other(d, &together, type);
    case OP_STB: case OP_STS: case OP_STORE:
        if (!eval_fetch_stored(d, insn, insn->src, (uint8_t)((1u << insn->width) - 1), &f))
            return false;
        memcpy(a.data, f.plane, sizeof a.data);
        return address(d, program_operand(d->p, insn->src + 1), &a) && eval_access_step(d, STEP_STORE, &a);
    default:    /* ATOMB, ATOMS, ATOM */
        if (!insn->atomic)
            return eval_refuse(d, insn->span, "%s without an operation", op_table[insn->op].name);
        return decode_atomic(d, insn, &a);
    }
}
