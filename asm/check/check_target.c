/* Units, targets and texel offsets: asm/check/check_target.h. */
#include "asm/check/fix.h"
#include "asm/check/check_target.h"

void check_resource(struct checker *c, const struct operand *o)
{
    if (o->kind == OPND_HANDLE && !has_option(c, OPTION_NV_bindless_texture)) {
        diag_hint(check_error(c, FOR_ALL, o->span, "handle() needs OPTION NV_bindless_texture"),
                  "add OPTION NV_bindless_texture;");
        return;
    }
    if (o->kind != OPND_TEXTURE && o->kind != OPND_IMAGE)
        return;
    if (!(o->flags & OPND_BY_NAME))
        check_binding_indices(c, program_binding(c->program, o->ref));
    else
        check_element(c, o);
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

/* ---- units ------------------------------------------------------------------------------------------------------- */

static void use_unit_for(struct checker *c, unsigned targets, uint8_t *used, const struct insn *insn, uint32_t unit)
{
    if (*used && *used != insn->texture_target) {
        struct diag *d =
            check_error(c, targets, program_target_span(c->program, insn),
                        "texture unit %u is used as %s before: a unit has one target", unit, target_table[*used].text);
        check_position(d, check_next_token(c, span_end(insn->span)));
    }
    *used = insn->texture_target;
}

/* By the specifications an instruction uses all units of an array, by the driver's reading that of its number. */
static void use_unit(struct checker *c, const struct insn *insn, uint32_t unit, bool meant)
{
    if (unit >= MAX_UNITS)
        return;
    uint8_t *driver = &c->unit_target[unit], *text = &c->unit_target_text[unit];
    if (meant && *driver == *text) {
        use_unit_for(c, FOR_ALL, driver, insn, unit);
        *text = *driver;
        return;
    }
    use_unit_for(c, FOR_SPEC, text, insn, unit);
    if (meant)
        use_unit_for(c, FOR_ALL & ~(unsigned)FOR_SPEC, driver, insn, unit);
}

void check_unit(struct checker *c, const struct insn *insn, const struct operand *o)
{
    if (o->kind != OPND_TEXTURE)
        return;
    if (!(o->flags & OPND_BY_NAME)) {
        const struct binding *b = program_binding(c->program, o->ref);
        use_unit(c, insn, b->nindices ? b->first[0] : 0, true);
        return;
    }
    const struct symbol *s = program_symbol(c->program, o->ref);
    const struct index *index = o->nindices ? program_index(c->program, o->index) : NULL;
    int64_t n = 0;      /* of one element, or of all */
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        uint32_t first = b->nindices ? b->first[0] : 0, last = b->nindices ? b->last[0] : 0;
        for (uint32_t unit = first; unit <= last && unit < MAX_UNITS; unit++, n++)
            use_unit(c, insn, unit, !index || index->mode != INDEX_CONSTANT || index->offset == n);
    }
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

struct target_set {
    uint16_t op;
    uint32_t profiles;
    uint32_t usual, longer;     /* a bit a target */
};

static const struct target_set target_sets[] = {
#define T(id) (UINT32_C(1) << TARGET_##id)
#define TEXTURE(op, profiles, usual, longer) {OP_##op, profiles, usual, longer},
#include "asm/targets.def"
#undef TEXTURE
#undef T
};

/* What the instruction takes in this profile. */
static struct target_set targets_of(const struct checker *c, const struct insn *insn)
{
    struct target_set all = {.op = insn->op};
    for (size_t i = 0; i < sizeof target_sets / sizeof *target_sets; i++)
        if (target_sets[i].op == insn->op && target_sets[i].profiles >> c->profile & 1) {
            all.usual |= target_sets[i].usual;
            all.longer |= target_sets[i].longer;
        }
    if (insn->flags & INSN_LODCLAMP && insn->op != OP_TXD) {     /* the clamp is one vector more, on every target */
        all.longer |= all.usual;
        all.usual = 0;
    }
    return all;
}

/* The option that a target needs besides its profile. */
static enum gp5_option target_option(unsigned target)
{
    switch (target) {
    case TARGET_2DMS:
    case TARGET_ARRAY2DMS: return OPTION_NV_texture_multisample;
    case TARGET_RENDERBUFFER: return OPTION_NV_explicit_multisample;
    default: return OPTION_NONE;
    }
}

/* Forms with a level and a reference that have no room in one vector, or need none: the driver knows them with
 * NV_internal alone. */
static bool is_internal(const struct checker *c, const struct insn *insn, bool second)
{
    unsigned target = insn->texture_target;
    bool shadow = target == TARGET_SHADOW1D || target == TARGET_SHADOW2D || target == TARGET_SHADOWRECT ||
                  target == TARGET_SHADOWCUBE || target == TARGET_SHADOWARRAY1D || target == TARGET_SHADOWARRAY2D ||
                  target == TARGET_SHADOWARRAYCUBE;
    if (generation_of(c) < GEN_NV41 || !shadow)
        return false;
    if (insn->op == OP_TXB)
        return second && (target == TARGET_SHADOWARRAY2D || target == TARGET_SHADOWARRAYCUBE);
    return insn->op == OP_TXL && (second || target == TARGET_SHADOWCUBE || target == TARGET_SHADOWARRAY2D);
}

/* Whether the instruction takes the target, and with as many vectors as it has. */
static void check_form(struct checker *c, const struct insn *insn, bool second)
{
    struct target_set set = targets_of(c, insn);
    uint32_t usual = set.usual, longer = set.longer;
    uint32_t bit = UINT32_C(1) << insn->texture_target;
    const char *name = op_table[insn->op].name, *target = target_table[insn->texture_target].text;
    enum gp5_option option = target_option(insn->texture_target);
    if (!((usual | longer) & bit))
        check_error(c, FOR_NVIDIA, program_target_span(c->program, insn), "%s does not take the target %s", name,
                    target);
    else if (!has_option(c, option))
        diag_hint(check_error(c, FOR_NVIDIA | FOR_SPEC, program_target_span(c->program, insn),
                              "the target %s needs OPTION %s", target, option_table[option].name),
                  "add OPTION %s;", option_table[option].name);
    else if ((second ? longer : usual) & bit && is_internal(c, insn, second) && !has_option(c, OPTION_NV_internal))
        diag_hint(check_error(c, FOR_NVIDIA, program_target_span(c->program, insn),
                              "this form of %s on %s needs OPTION NV_internal", name, target),
                  "add OPTION NV_internal;");
    else if ((second ? longer : usual) & bit)
        return;
    else if (second)
        diag_hint(check_error(c, FOR_NVIDIA, program_target_span(c->program, insn), "%s on %s takes no second vector",
                              name, target),
                  "leave out the vector before the texture");
    else
        diag_hint(check_error(c, FOR_NVIDIA, program_target_span(c->program, insn), "%s on %s takes a second vector",
                              name, target),
                  "four components are not enough for the coordinates, the layer and the reference or the level");
}

void check_texture_target(struct checker *c, const struct insn *insn, const struct operand *unit, bool second)
{
    (void)unit;
    if (c->typed || insn->op == OP_TXQS) {
        check_form(c, insn, second);
        return;
    }
    if (is_fragment_target(c, insn->texture_target))
        return;
    struct diag *d =
        check_error(c, FOR_ALL, program_target_span(c->program, insn), "%s programs have no texture target %s",
                    profile_table[c->profile].stage, target_table[insn->texture_target].text);
    if (insn->texture_target == TARGET_SHADOW1D || insn->texture_target == TARGET_SHADOW2D ||
        insn->texture_target == TARGET_SHADOWRECT)
        fix_option(c->program, d, "ARB_fragment_program_shadow");
}

void check_image_target(struct checker *c, const struct insn *insn)
{
    switch (insn->texture_target) {
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
        return;
    default:
        check_error(c, FOR_ALL, program_target_span(c->program, insn), "there are no images of the target %s",
                    target_table[insn->texture_target].text);
    }
}

/* ---- texel offsets ----------------------------------------------------------------------------------------------- */

/* How many components of a texel offset mean something for a target. The driver takes two on arrays of cubes, where
 * they mean nothing. */
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
    case TARGET_BUFFER:
        return 0;
    default:
        return 2;
    }
}

void check_offsets(struct checker *c, const struct insn *insn)
{
    struct span target = program_target_span(c->program, insn);
    if (!c->typed) {
        check_position(check_error(c, FOR_ALL, target, "fragment programs have no texel offsets"),
                       check_next_token(c, span_end(target)));
        return;
    }
    for (unsigned i = offset_components(insn->texture_target); i < insn->ntexels; i++)
        if (insn_texel(insn, i)) {
            struct diag *d =
                check_error(c, FOR_ALL, target, "a texel offset on %s has %u of three numbers: the others are 0",
                            target_table[insn->texture_target].text, offset_components(insn->texture_target));
            check_position(d, span_end(insn->span) - 1);
            return;
        }
}
