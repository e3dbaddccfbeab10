/* What follows the result of texture and image instructions: vectors, a texture or an image, a target, an offset. */
#include "asm/check_internal.h"

/* The place of the texture or image among the operands: nsrc if there is none. */
static unsigned find_resource(const struct checker *c, const struct insn *insn)
{
    unsigned i = 0;
    for (; i < insn->nsrc; i++) {
        uint8_t kind = program_operand(c->program, insn->src + i)->kind;
        if (kind == OPND_TEXTURE || kind == OPND_IMAGE || kind == OPND_HANDLE)
            break;
    }
    return i;
}

static unsigned count_class(const struct shape_info *shape, unsigned class)
{
    unsigned n = 0;
    for (unsigned i = 0; i < shape->nsrc; i++)
        n += shape->src[i] == class;
    return n;
}

/* Missing at the end: the driver waits for a comma there. */
static void missing(struct checker *c, const struct insn *insn, const char *what)
{
    char form[160];
    asm_describe_op((enum gp5_op)insn->op, form, sizeof form);
    struct diag *d = check_error(c, FOR_ALL, insn_name(insn), "%s needs %s", op_table[insn->op].name, what);
    check_position(d, check_next_token(c, span_end(insn->span)));
    diag_hint(d, "it is written: %s", form);
}

static void misplaced(struct checker *c, const struct insn *insn, unsigned targets, struct span span, const char *what)
{
    char form[160];
    asm_describe_op((enum gp5_op)insn->op, form, sizeof form);
    diag_hint(check_error(c, targets, span, "%.*s stands where %s is expected", check_length(span), check_text(c, span),
                          what),
              "it is written: %s", form);
}

/* In ARB programs the driver takes any variable for a texture: TEX R0, R1, R2, 2D; loads. */
static unsigned find_variable(struct checker *c, const struct insn *insn, unsigned wanted)
{
    const struct operand *o = wanted < insn->nsrc ? program_operand(c->program, insn->src + wanted) : NULL;
    if (c->typed || !o || o->kind != OPND_SYMBOL || o->nindices || o->flags)
        return insn->nsrc;
    misplaced(c, insn, FOR_MESA | FOR_SPEC, o->span, "a texture");
    return wanted;
}

static void check_resource(struct checker *c, const struct operand *o)
{
    if (o->kind == OPND_HANDLE && !has_option(c, OPTION_NV_bindless_texture)) {
        diag_hint(check_error(c, FOR_ALL, o->span, "handle() needs OPTION NV_bindless_texture"),
                  "add OPTION NV_bindless_texture;");
        return;
    }
    if (o->kind == OPND_TEXTURE || o->kind == OPND_IMAGE) {
        if (o->flags & (OPND_NEGATE | OPND_ABSOLUTE | OPND_PLUS))
            check_error(c, FOR_ALL, o->span, "a texture has no sign");
        if (!(o->flags & OPND_BY_NAME))
            check_binding_indices(c, program_binding(c->program, o->ref));
    }
}

static bool is_fragment_target(const struct checker *c, unsigned target)
{
    switch (target) {
    case TARGET_1D:
    case TARGET_2D:
    case TARGET_3D:
    case TARGET_CUBE:
    case TARGET_RECT:
        return true;
    case TARGET_SHADOW1D:
    case TARGET_SHADOW2D:
    case TARGET_SHADOWRECT:
        return has_option(c, OPTION_ARB_fragment_program_shadow);
    default:
        return false;
    }
}

/* A texture unit has one target in a program. */
static void check_unit(struct checker *c, const struct insn *insn, const struct operand *o)
{
    if (o->kind != OPND_TEXTURE || o->flags & OPND_BY_NAME)
        return;
    const struct binding *b = program_binding(c->program, o->ref);
    uint32_t unit = b->nindices ? b->first[0] : 0;
    if (unit >= MAX_UNITS)
        return;
    if (c->unit_target[unit] && c->unit_target[unit] != insn->texture_target)
        check_error(c, FOR_ALL, insn_target(insn), "texture unit %u is used as %s before: a unit has one target", unit,
                    target_table[c->unit_target[unit]].text);
    c->unit_target[unit] = insn->texture_target;
}

static const struct {
    uint32_t usual, longer;     /* a bit a target */
} target_sets[OP_COUNT] = {
#define T(id) (UINT32_C(1) << TARGET_##id)
#define TEXTURE(op, usual, longer) [OP_##op] = {usual, longer},
#include "asm/targets.def"
#undef TEXTURE
#undef T
};

/* Whether the instruction takes the target, and with as many vectors as it has. */
static void check_form(struct checker *c, const struct insn *insn, unsigned more)
{
    uint32_t usual = target_sets[insn->op].usual, longer = target_sets[insn->op].longer;
    uint32_t bit = UINT32_C(1) << insn->texture_target;
    const char *name = op_table[insn->op].name, *target = target_table[insn->texture_target].text;
    if (!usual || (more ? longer : usual) & bit)
        return;
    if (!((usual | longer) & bit))
        check_error(c, FOR_NVIDIA, insn_target(insn), "%s does not take the target %s", name, target);
    else if (more)
        diag_hint(check_error(c, FOR_NVIDIA, insn_target(insn), "%s on %s takes no second vector", name, target),
                  "leave out the vector before the texture");
    else
        diag_hint(check_error(c, FOR_NVIDIA, insn_target(insn), "%s on %s takes a second vector", name, target),
                  "four components are not enough for the coordinates, the layer and the reference or the level");
}

static void check_target(struct checker *c, const struct insn *insn, const struct operand *resource)
{
    if (c->typed)
        return;
    if (!is_fragment_target(c, insn->texture_target)) {
        struct diag *d = check_error(c, FOR_ALL, insn_target(insn), "fragment programs have no texture target %s",
                                     target_table[insn->texture_target].text);
        if (insn->texture_target == TARGET_SHADOW1D || insn->texture_target == TARGET_SHADOW2D ||
            insn->texture_target == TARGET_SHADOWRECT)
            diag_hint(d, "add OPTION ARB_fragment_program_shadow;");
        return;
    }
    check_unit(c, insn, resource);
}

/* Texture instructions take a second vector where the target or a modifier asks for it. */
static bool may_have_more(const struct checker *c, const struct insn *insn)
{
    return c->typed && (insn->op == OP_TEX || insn->op == OP_TXB || insn->op == OP_TXL || insn->op == OP_TXG ||
                        insn->op == OP_TXD);
}

static bool is_image_target(unsigned target)
{
    switch (target) {
    case TARGET_1D:
    case TARGET_2D:
    case TARGET_3D:
    case TARGET_CUBE:
    case TARGET_RECT:
    case TARGET_ARRAY1D:
    case TARGET_ARRAY2D:
    case TARGET_ARRAYCUBE:
    case TARGET_BUFFER:
    case TARGET_2DMS:
    case TARGET_ARRAY2DMS:
        return true;
    default:
        return false;
    }
}

/* How many components of a texel offset mean something for a target. */
static unsigned offset_components(unsigned target)
{
    switch (target) {
    case TARGET_1D:
    case TARGET_SHADOW1D:
    case TARGET_ARRAY1D:
    case TARGET_SHADOWARRAY1D:
        return 1;
    case TARGET_3D:
        return 3;
    case TARGET_CUBE:
    case TARGET_SHADOWCUBE:
    case TARGET_ARRAYCUBE:
    case TARGET_SHADOWARRAYCUBE:
    case TARGET_BUFFER:
        return 0;
    default:
        return 2;
    }
}

static void check_offsets(struct checker *c, const struct insn *insn)
{
    struct span target = insn_target(insn);
    if (!c->typed) {
        check_position(check_error(c, FOR_ALL, target, "fragment programs have no texel offsets"),
                       check_next_token(c, span_end(target)));
        return;
    }
    for (unsigned i = offset_components(insn->texture_target); i < insn->ntexture_offsets; i++)
        if (insn->texture_offset[i]) {
            struct diag *d = check_error(c, FOR_ALL, target, "a texel offset on %s has %u components: the others are 0",
                                         target_table[insn->texture_target].text,
                                         offset_components(insn->texture_target));
            check_position(d, span_end(insn->span) - 1);
            return;
        }
}

void check_arguments(struct checker *c, const struct insn *insn)
{
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    bool image = count_class(shape, OC_IMAGE) > 0;
    const char *what = image ? "an image" : "a texture";
    unsigned vectors = count_class(shape, OC_VECTOR), at = find_resource(c, insn);
    bool first = shape->src[0] == OC_IMAGE && vectors == 2;         /* STOREIM */
    unsigned wanted = first ? 0 : vectors;
    if (at == insn->nsrc && !image)
        at = find_variable(c, insn, wanted);
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        if (i == at) {
            if (i < wanted)
                misplaced(c, insn, FOR_ALL, o->span, "a vector");
            check_resource(c, o);
            struct span component = program_suffix(c->program, program_base(c->program, o));
            if (!image && c->typed && component.length && o->kind == OPND_TEXTURE && insn->op != OP_TXG &&
                insn->op != OP_TXGO)
                check_error(c, FOR_NVIDIA, component, "only TXG and TXGO choose a component of the texture");
        } else if (i < at && i >= wanted && !(may_have_more(c, insn) && i == wanted && at < insn->nsrc)) {
            misplaced(c, insn, FOR_ALL, o->span, what);
        } else if (i > at && !(first && i <= vectors) && !(o->flags & OPND_OFFSET && !image)) {
            misplaced(c, insn, FOR_ALL, o->span, insn->texture_target ? "the end of the statement" : "a target");
        } else {
            check_operand(c, insn, o, OC_VECTOR);
        }
    }
    if (insn->flags & INSN_BROKEN)
        return;
    if (at == insn->nsrc)
        missing(c, insn, what);
    else if (first && insn->nsrc < 3)
        missing(c, insn, "a vector and coordinates");
    else if (!insn->texture_target)
        missing(c, insn, "a target such as 2D");
    else if (insn->target_offset < program_operand(c->program, insn->src + at)->span.offset)
        misplaced(c, insn, FOR_ALL, insn_target(insn), what);
    else {
        check_target(c, insn, program_operand(c->program, insn->src + at));
        if (c->typed && !image)
            check_form(c, insn, at > vectors);
        if (image && !is_image_target(insn->texture_target))
            check_error(c, FOR_ALL, insn_target(insn), "there are no images of the target %s",
                        target_table[insn->texture_target].text);
    }
    if (insn->ntexture_offsets)
        check_offsets(c, insn);
}
