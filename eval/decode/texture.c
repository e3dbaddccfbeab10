/* Texture instructions as steps: which operand holds what. */
#include "eval/decode/decode.h"
#include "eval/texture/texture.h"

#include <string.h>

/* More textures than any implementation has units. */
enum { MAX_UNITS_OF_VARIABLE = 4096 };

/* ---- targets -------------------------------------------------------------------------------------------------------
 */

/* A target without its comparison: what kind of texture it is. */
static bool find_kind(unsigned target, struct texture_call *t)
{
    switch (target) {
    case TARGET_SHADOW1D: t->shadow = true; /* fall through */
    case TARGET_1D: t->kind = GP5_TEXTURE_1D; break;
    case TARGET_SHADOW2D: t->shadow = true; /* fall through */
    case TARGET_2D: t->kind = GP5_TEXTURE_2D; break;
    case TARGET_3D: t->kind = GP5_TEXTURE_3D; break;
    case TARGET_SHADOWCUBE: t->shadow = true; /* fall through */
    case TARGET_CUBE: t->kind = GP5_TEXTURE_CUBE; break;
    case TARGET_SHADOWRECT: t->shadow = true; /* fall through */
    case TARGET_RECT: t->kind = GP5_TEXTURE_RECT; break;
    case TARGET_SHADOWARRAY1D: t->shadow = true; /* fall through */
    case TARGET_ARRAY1D: t->kind = GP5_TEXTURE_ARRAY1D; break;
    case TARGET_SHADOWARRAY2D: t->shadow = true; /* fall through */
    case TARGET_ARRAY2D: t->kind = GP5_TEXTURE_ARRAY2D; break;
    case TARGET_SHADOWARRAYCUBE: t->shadow = true; /* fall through */
    case TARGET_ARRAYCUBE: t->kind = GP5_TEXTURE_ARRAYCUBE; break;
    case TARGET_BUFFER: t->kind = GP5_TEXTURE_BUFFER; break;
    case TARGET_2DMS: t->kind = GP5_TEXTURE_2DMS; break;
    case TARGET_ARRAY2DMS: t->kind = GP5_TEXTURE_ARRAY2DMS; break;
    default: return false;
    }
    return true;
}

/* ---- units ---------------------------------------------------------------------------------------------------------
 */

/* The units of a variable's bindings, in order. */
static bool add_units(struct decoder *d, const struct operand *o, const struct binding *b, struct texture_call *t)
{
    uint32_t first = b->nindices ? b->first[0] : 0, last = b->nindices ? b->last[0] : 0;

    for (uint32_t unit = first; unit <= last; unit++, t->nunits++) {
        if (t->nunits == MAX_UNITS_OF_VARIABLE)
            return eval_refuse(d, o->span, "more than %d textures in one variable", MAX_UNITS_OF_VARIABLE);
        if (eval_push(d, &d->units, &unit) == NO_INDEX)
            return false;
    }
    return true;
}

static bool find_units(struct decoder *d, const struct operand *o, struct texture_call *t)
{
    const struct symbol *s = o->flags & OPND_BY_NAME ? program_symbol(d->p, o->ref) : NULL;
    const struct index *index = s && o->nindices ? program_index(d->p, o->index) : NULL;

    t->units = (uint32_t)d->units.count;
    t->unit_index = t->handle = NO_PLANE;
    if (!s)
        return add_units(d, o, program_binding(d->p, o->ref), t);
    for (uint32_t i = 0; i < s->nbindings; i++)
        if (!add_units(d, o, program_binding(d->p, s->binding + i), t))
            return false;
    if (o->nindices > 1 || !t->nunits)
        return eval_refuse(d, o->span, "this use of %s", s->name);
    if (!index)
        return true;
    t->unit_offset = index->offset;
    return index->mode != INDEX_RELATIVE || eval_fetch_index(d, index, &t->unit_index);
}

static bool find_texture(struct decoder *d, const struct operand *o, struct texture_call *t)
{
    struct operand variable = *o;
    struct fetched f;

    t->component = o->nswizzle == 1 ? o->swizzle & 3 : 0;
    switch (o->kind) {
    case OPND_TEXTURE:
        return find_units(d, o, t);
    case OPND_HANDLE:
        if (o->flags & OPND_EXTERNAL)
            break;
        variable.kind = OPND_SYMBOL;
        t->component = operand_selector(o, 0) && operand_selector(o, 0) <= 4 ? operand_selector(o, 0) - 1 : 0;
        t->unit_index = NO_PLANE;
        if (!eval_fetch(d, &variable, DT_U64, 1, false, &f))
            return false;
        t->handle = f.plane[0];
        return true;
    default:
        break;
    }
    return eval_refuse(d, o->span, "this kind of texture");
}

/* ---- operands ------------------------------------------------------------------------------------------------------
 */

/* TXF's coordinates and TXQ's level are integers, so are the offsets of TXGO. */
static uint8_t vector_type(unsigned op, unsigned k)
{
    return op_number(op, k + 1) == 'S' ? DT_S32 : DT_F32;
}

static uint8_t component(unsigned c)
{
    return (uint8_t)(1u << c);
}

/* Which components of the coordinates mean something. */
static uint8_t coordinates(const struct texture_call *t)
{
    uint8_t used = (uint8_t)(component(eval_texture_dimensions(t->kind)) - 1);

    if (t->kind == GP5_TEXTURE_ARRAY1D)
        used |= component(1);
    else if (t->kind == GP5_TEXTURE_ARRAY2D || t->kind == GP5_TEXTURE_ARRAY2DMS)
        used |= component(2);
    else if (t->kind == GP5_TEXTURE_ARRAYCUBE)
        used |= component(3);
    if (t->shadow && eval_texture_reference(t->kind) < 4)
        used |= component(eval_texture_reference(t->kind));
    return used;
}

/* Where level or bias and the bound of LODCLAMP stand: 4 and more are the second vector's. There the reference comes
 * first, then the level (EXT_sparse_texture2, Table X.17). */
static void place_levels(struct texture_call *t, unsigned vectors)
{
    bool cubes = t->kind == GP5_TEXTURE_ARRAYCUBE, full = t->shadow && eval_texture_reference(t->kind) >= 3,
         has_level = t->op == OP_TXB || t->op == OP_TXL, behind = t->clamped ? cubes || full : vectors > 1;
    uint8_t next = t->shadow && cubes ? 5 : 4;

    t->level = behind ? next : 3;
    t->least = (uint8_t)(next + (behind && (has_level || (cubes && !t->shadow) || t->kind == GP5_TEXTURE_CUBE)));
}

/* What is used of it. */
static uint8_t second_vector(const struct texture_call *t)
{
    bool has_level = t->op == OP_TXB || t->op == OP_TXL;
    uint8_t used = t->shadow && eval_texture_reference(t->kind) == 4 ? 1 : 0;

    used |= has_level && t->level >= 4 ? component(t->level - 4u) : 0;
    return used | (t->clamped && t->least >= 4 ? component(t->least - 4u) : 0);
}

/* Of operand k, which is the nth vector. */
static uint8_t used_of(const struct texture_call *t, unsigned n)
{
    bool level = t->op == OP_TXP || t->op == OP_TXFMS || (t->op == OP_TXF && t->kind != GP5_TEXTURE_BUFFER) ||
                 ((t->op == OP_TXB || t->op == OP_TXL) && t->level < 4);

    if (t->op == OP_TXQ)
        return 1;
    if (n == 0)
        return coordinates(t) | (level ? component(3) : 0);
    if (t->op == OP_TXGO)
        return 15;
    if (t->op == OP_TXD)
        return (uint8_t)((component(eval_texture_dimensions(t->kind)) - 1) | (n == 2 && t->clamped ? component(3) : 0));
    return second_vector(t);
}

static bool fetch_offset(struct decoder *d, const struct operand *o, struct texture_call *t)
{
    struct fetched f;

    if (t->kind == GP5_TEXTURE_BUFFER)          /* it has none: the driver leaves it out */
        return true;
    if (!eval_fetch(d, o, DT_S32, (uint8_t)(component(eval_texture_dimensions(t->kind)) - 1), false, &f))
        return false;
    t->moved = true;
    memcpy(t->offset_plane, f.plane, sizeof t->offset_plane);
    return true;
}

static unsigned count_vectors(const struct decoder *d, const struct insn *insn)
{
    unsigned n = 0;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        n += !(o->flags & OPND_OFFSET) && o->kind != OPND_TEXTURE && o->kind != OPND_HANDLE;
    }
    return n;
}

/* Vectors, the texture, and perhaps a texel offset, as they stand. */
static bool fetch_operands(struct decoder *d, const struct insn *insn, struct texture_call *t)
{
    bool have_texture = false;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        struct fetched f;
        if (o->flags & OPND_OFFSET) {
            if (!fetch_offset(d, o, t))
                return false;
        } else if (o->kind == OPND_TEXTURE || o->kind == OPND_HANDLE) {
            have_texture = true;
            if (!find_texture(d, o, t))
                return false;
        } else if (t->nvectors < 3) {
            if (!eval_fetch(d, o, vector_type(insn->op, k), used_of(t, t->nvectors), false, &f))
                return false;
            memcpy(t->vector[t->nvectors++], f.plane, sizeof f.plane);
        }
    }
    for (unsigned i = 0; i < insn->ntexels && i < 3; i++)
        t->offset[i] = insn_texel(insn, i);
    return have_texture || eval_refuse(d, insn->span, "a texture of this kind");
}

/* ---- coordinates that are divided ----------------------------------------------------------------------------------
 */

/* One operation on planes into scratch. */
static bool lane_step(struct decoder *d, unsigned op, uint32_t a, uint32_t b, uint32_t clear, uint32_t *to)
{
    struct kernel_request want = eval_request(d, (uint16_t)op, DT_F32);
    struct lane_op lane = {.n = 1, .clear = {clear, clear}};

    for (unsigned i = 0; i < 4; i++) {
        lane.src[0][i] = a;
        lane.src[1][i] = b;
    }
    *to = lane.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &lane, NULL);
}

/* Components times the reciprocal of a plane. */
static bool divide(struct decoder *d, struct texture_call *t, uint8_t components, uint32_t by)
{
    uint32_t reciprocal;

    if (!lane_step(d, OP_RCP, by, by, 0, &reciprocal))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1 && !lane_step(d, OP_MUL, t->vector[0][c], reciprocal, 0, &t->vector[0][c]))
            return false;
    return true;
}

/* TXP divides coordinates and reference, not the layer. */
static bool project(struct decoder *d, struct texture_call *t)
{
    uint8_t components = (uint8_t)(component(eval_texture_dimensions(t->kind)) - 1);

    if (t->shadow && eval_texture_reference(t->kind) < 3)
        components |= component(eval_texture_reference(t->kind));
    return divide(d, t, components, t->vector[0][3]);
}

/* A direction in a cube is divided by its greatest component. */
static bool shorten(struct decoder *d, struct texture_call *t)
{
    uint32_t greatest, least = t->vector[0][2];

    memcpy(t->direction, t->vector[0], sizeof t->direction);
    if (!lane_step(d, OP_MAX, t->vector[0][0], t->vector[0][1], 0x80000000u, &greatest) ||
        !lane_step(d, OP_MAX, greatest, least, 0x80000000u, &greatest))
        return false;
    return divide(d, t, 7, greatest);
}

/* ---- the instruction -----------------------------------------------------------------------------------------------
 */

static bool refuse_rest(struct decoder *d, const struct insn *insn, struct texture_call *t)
{
    const char *target = target_table[insn->texture_target].text;

    if (!find_kind(insn->texture_target, t))
        return eval_refuse(d, insn->span, "the target %s", target);
    if (insn->flags & (INSN_SAT | INSN_SSAT) && !type_table[insn->type].is_float)
        return eval_refuse(d, insn->span, "a saturated integer");
    return true;
}

/* Level and reference in one component: no program of the driver's was seen to mean it. */
static bool shares_component(const struct texture_call *t, unsigned vectors)
{
    bool level = t->op == OP_TXB || t->op == OP_TXL;

    return level && t->shadow && vectors == 1 && eval_texture_reference(t->kind) == 3;
}

static bool texture_result(struct decoder *d, const struct insn *insn, struct texture_call *t)
{
    uint32_t clamp = insn->flags & (INSN_SAT | INSN_SSAT);
    struct step *s;

    t->n = (uint8_t)eval_components(insn->dst.mask, t->comp);
    for (unsigned i = 0; i < t->n; i++)
        t->dst[i] = eval_layout_scratch(&d->layout);
    s = eval_step(d, STEP_TEXTURE);
    if (!s)
        return false;
    s->mode = d->x->options.semantics == GP5_SEMANTICS_NVIDIA ? FLOAT_FLUSH : FLOAT_KEEP;
    s->ref = eval_push(d, &d->textures, t);
    if (s->ref == NO_INDEX)
        return false;
    if (insn->type == DT_F16 && !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), t->n, t->dst))
        return false;
    if (clamp && !eval_after(d, eval_request(d, clamp & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), t->n, t->dst))
        return false;
    return eval_decode_result(d, insn, t->type, t->dst, NULL, 0);
}

bool eval_decode_texture(struct decoder *d, const struct insn *insn)
{
    struct texture_call t = {.op = insn->op, .type = insn->type, .clamped = (insn->flags & INSN_LODCLAMP) != 0};
    bool cube;

    if (!refuse_rest(d, insn, &t))
        return false;
    if (insn->op == OP_TXQ || insn->op == OP_TXQS)
        t.type = DT_S32;
    if (t.type == DT_F16)
        t.type = DT_F32;                /* and its result is rounded */
    t.arb = !(NV_ALL >> d->p->profile & 1);
    cube = t.kind == GP5_TEXTURE_CUBE || t.kind == GP5_TEXTURE_ARRAYCUBE;
    t.quads = asm_has_quads(d->p) &&
              (insn->op == OP_TEX || insn->op == OP_TXB || insn->op == OP_TXP || insn->op == OP_LOD);
    if (insn->op == OP_LOD && !eval_needs_quads(d, insn))
        return false;
    place_levels(&t, count_vectors(d, insn));
    if (shares_component(&t, count_vectors(d, insn)))
        return eval_refuse(d, insn->span, "%s on %s", op_table[insn->op].name, target_table[insn->texture_target].text);
    if (!fetch_operands(d, insn, &t) || (t.op == OP_TXP && !cube && !project(d, &t)))
        return false;
    return (!cube || t.op == OP_TXQ || shorten(d, &t)) && texture_result(d, insn, &t) && eval_decode_residency(d, insn);
}
