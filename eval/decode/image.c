/* LOADIM, STOREIM, ATOMIM, IMQ and IMQS as steps: accesses to memory whose address is a texel's. */
#include "eval/decode/decode.h"

#include <string.h>

/* More image units than any implementation has. */
enum { MAX_IMAGES = 4096 };

static bool target_kind(uint8_t target, uint8_t *kind)
{
    static const uint8_t kinds[][2] = {{TARGET_1D, GP5_TEXTURE_1D},           {TARGET_2D, GP5_TEXTURE_2D},
                                       {TARGET_3D, GP5_TEXTURE_3D},           {TARGET_CUBE, GP5_TEXTURE_CUBE},
                                       {TARGET_RECT, GP5_TEXTURE_RECT},       {TARGET_ARRAY1D, GP5_TEXTURE_ARRAY1D},
                                       {TARGET_ARRAY2D, GP5_TEXTURE_ARRAY2D}, {TARGET_ARRAYCUBE, GP5_TEXTURE_ARRAYCUBE},
                                       {TARGET_BUFFER, GP5_TEXTURE_BUFFER},   {TARGET_2DMS, GP5_TEXTURE_2DMS},
                                       {TARGET_ARRAY2DMS, GP5_TEXTURE_ARRAY2DMS}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i][0] == target) {
            *kind = kinds[i][1];
            return true;
        }
    return false;
}

/* ---- which image -------------------------------------------------------------------------------------------- */

/* The units of a variable: they stand in a row. */
static bool units(struct decoder *d, const struct operand *o, const struct symbol *s, struct access *a)
{
    uint32_t first = 0, n = 0;

    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(d->p, s->binding + i);
        uint32_t from = b->nindices ? b->first[0] : 0, to = b->nindices ? b->last[0] : 0;
        if (i == 0)
            first = from;
        if (from != first + n || to < from || to - from >= MAX_IMAGES || n + (to - from) >= MAX_IMAGES)
            return eval_refuse(d, o->span, "the units of %s", s->name);
        n += to - from + 1;
    }
    if (!n)
        return eval_refuse(d, o->span, "%s, which is bound to nothing", s->name);
    a->slot = eval_buffer_slot(d, SPACE_IMAGE, first, n);
    a->nslots = n;
    return !d->no_memory;
}

static bool handle(struct decoder *d, const struct operand *o, struct access *a)
{
    struct operand variable = *o;
    struct fetched f;

    variable.kind = OPND_SYMBOL;
    if (!eval_fetch(d, &variable, DT_U64, 1, false, &f))
        return false;
    a->handle = f.plane[0];
    return true;
}

static bool image(struct decoder *d, const struct operand *o, struct access *a)
{
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    const struct binding *b;

    a->handle = a->slot_index = a->address = NO_PLANE;
    a->space = SPACE_IMAGE;
    a->nslots = 1;
    if (o->kind == OPND_HANDLE)
        return handle(d, o, a);
    if (o->kind != OPND_IMAGE || o->nindices > 1)
        return eval_refuse(d, o->span, "this kind of image");
    if (o->flags & OPND_BY_NAME) {
        if (!units(d, o, program_symbol(d->p, o->ref), a))
            return false;
        a->slot_offset = index ? index->offset : 0;
        return !index || index->mode != INDEX_RELATIVE || eval_fetch_index(d, index, &a->slot_index);
    }
    b = program_binding(d->p, o->ref);
    if (!b->nindices || b->relative || b->range[0])
        return eval_refuse(d, o->span, "this kind of image");
    a->slot = eval_buffer_slot(d, SPACE_IMAGE, b->first[0], 1);
    return !d->no_memory;
}

/* ---- which texel -------------------------------------------------------------------------------------------- */

/* The layer of an array of 1D images stands in z (EXT_shader_image_load_store, Table X.5), and y must be 0; the driver
 * does not look at y. */
static bool coordinates(struct decoder *d, const struct operand *o, struct access *a)
{
    static const uint8_t needed[GP5_TEXTURE_KINDS] = {
        [GP5_TEXTURE_1D] = 1,      [GP5_TEXTURE_BUFFER] = 1,  [GP5_TEXTURE_2D] = 3,
        [GP5_TEXTURE_RECT] = 3,    [GP5_TEXTURE_3D] = 7,      [GP5_TEXTURE_CUBE] = 7,
        [GP5_TEXTURE_ARRAY1D] = 7, [GP5_TEXTURE_ARRAY2D] = 7, [GP5_TEXTURE_ARRAYCUBE] = 7,
        [GP5_TEXTURE_2DMS] = 11,   [GP5_TEXTURE_ARRAY2DMS] = 15};       /* the sample stands in w */
    bool no_y = a->target == GP5_TEXTURE_ARRAY1D && d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
    uint8_t mask = no_y ? 5 : needed[a->target];
    struct fetched f;

    if (!eval_fetch(d, o, DT_S32, mask, false, &f))
        return false;
    for (unsigned i = 0; i < 4; i++)
        a->coord[i] = mask >> i & 1 ? f.plane[i] : eval_layout_word(&d->layout, 0);
    return true;
}

/* ---- instructions ------------------------------------------------------------------------------------------- */

static bool size(struct decoder *d, const struct insn *insn, struct access *a)
{
    a->form = insn->op == OP_IMQS ? IMAGE_SAMPLES : IMAGE_SIZE;
    a->type = DT_S32;
    a->width = 4;
    return image(d, program_operand(d->p, insn->src), a) && eval_access_result(d, insn, STEP_LOAD, a);
}

static bool load(struct decoder *d, const struct insn *insn, struct access *a)
{
    return coordinates(d, program_operand(d->p, insn->src), a) && image(d, program_operand(d->p, insn->src + 1), a) &&
           eval_access_result(d, insn, STEP_LOAD, a);
}

static bool store(struct decoder *d, const struct insn *insn, struct access *a)
{
    struct fetched f;

    if (!eval_fetch_stored(d, insn, insn->src + 1, (uint8_t)((1u << a->width) - 1), &f))
        return false;
    memcpy(a->data, f.plane, sizeof a->data);
    return image(d, program_operand(d->p, insn->src), a) && coordinates(d, program_operand(d->p, insn->src + 2), a) &&
           eval_access_step(d, STEP_STORE, a);
}

static bool atomic(struct decoder *d, const struct insn *insn, struct access *a)
{
    /* Where the test fails the driver writes a 0. */
    if (insn->type == DT_F16 && insn->width == 4 && condition_restricts(&insn->dst.condition) &&
        d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
        return eval_refuse(d, program_test_span(d->p, insn), "ATOMIM.F16X4 with a test");
    return eval_atomic_operands(d, insn, a) && coordinates(d, program_operand(d->p, insn->src + 1), a) &&
           image(d, program_operand(d->p, insn->src + 2), a) && eval_atomic_result(d, insn, a);
}

bool eval_decode_image(struct decoder *d, const struct insn *insn)
{
    struct access a = {.type = insn->type, .width = insn->width, .atomic = insn->atomic, .handle = NO_PLANE};
    struct span target = {program_target_span(d->p, insn).offset, 1};

    if (!target_kind(insn->texture_target, &a.target))
        return eval_refuse(d, target, "images of the target %s", target_table[insn->texture_target].text);
    a.wide = type_table[insn->type].bytes == 8;
    if (a.wide && insn->width == 4)     /* 32 bytes: no texel has as many */
        return eval_refuse(d, insn->span, "%s.%sX4", op_table[insn->op].name, type_table[insn->type].name);
    if (insn->op != OP_IMQ && insn->op != OP_IMQS && insn->op != OP_ATOMIM && !eval_image_moves_bytes(d->p, insn)) {
        a.form = IMAGE_VALUE;
        a.width = 4;
    }
    switch (insn->op) {
    case OP_LOADIM: return load(d, insn, &a) && eval_decode_residency(d, insn);
    case OP_STOREIM: return store(d, insn, &a);
    case OP_ATOMIM: return atomic(d, insn, &a);
    default: return size(d, insn, &a);
    }
}
