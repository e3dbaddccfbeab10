/* What follows the result of texture and image instructions: vectors, a texture or an image, a target, an offset.
 * Read from left to right as the driver reads them, so that the first that is out of its place is reported where it
 * stands. */
#include "asm/check/check_internal.h"
#include "asm/check/check_target.h"

struct arguments {
    struct checker *c;
    const struct insn *insn;
    unsigned next;              /* the operand that comes next */
    struct span target;         /* the word of it */
    bool image;
};

static const struct operand *operand_at(const struct arguments *a, unsigned i)
{
    return i < a->insn->nsrc ? program_operand(a->c->program, a->insn->src + i) : NULL;
}

/* The target is no operand: whether it stands before the next one. */
static bool at_target(const struct arguments *a)
{
    const struct operand *o = operand_at(a, a->next);
    return a->insn->texture_target && (!o || a->target.offset < o->span.offset) &&
           (a->next == 0 || a->target.offset > operand_at(a, a->next - 1)->span.offset);
}

static void hint_form(const struct arguments *a, struct diag *d)
{
    char form[160];
    asm_describe_op((enum gp5_op)a->insn->op, form, sizeof form);
    diag_hint(d, "it is written: %s", form);
}

static bool misplaced_for(const struct arguments *a, unsigned targets, struct span span, const char *what)
{
    hint_form(a, check_error(a->c, targets, span, "%.*s stands where %s is expected", check_length(span),
                             check_text(a->c, span), what));
    return false;
}

static bool misplaced(const struct arguments *a, struct span span, const char *what)
{
    return misplaced_for(a, FOR_ALL, span, what);
}

/* The statement ends too early: the driver waits for a comma there. */
static bool missing(const struct arguments *a, const char *what)
{
    if (a->insn->flags & INSN_BROKEN)
        return false;
    struct diag *d = check_error(a->c, FOR_ALL, insn_name(a->insn), "%s needs %s", op_table[a->insn->op].name, what);
    check_position(d, check_next_token(a->c, span_end(a->insn->span)));
    hint_form(a, d);
    return false;
}

static bool is_resource(const struct operand *o)
{
    return o->kind == OPND_TEXTURE || o->kind == OPND_IMAGE || o->kind == OPND_HANDLE;
}

/* The letters that choose a component of the texture; behind a handle they stand behind its parentheses. */
static struct span component_of(const struct checker *c, const struct operand *o, bool *good)
{
    if (o->kind != OPND_HANDLE) {
        *good = o->nswizzle == 1 && !(o->flags & (OPND_BAD_SWIZZLE | OPND_RGBA));
        return program_suffix(c->program, program_base(c->program, o));
    }
    *good = operand_selector(o, 0) <= 4;
    uint32_t letters = check_next_token(c, check_next_token(c, span_end(o->span)) + 1);
    return (struct span){letters, operand_selector(o, 0) != 0};
}

static bool read_vector(struct arguments *a)
{
    const struct operand *o = operand_at(a, a->next);
    if (at_target(a))
        return misplaced(a, a->target, "a vector");
    if (!o)
        return missing(a, "a vector");
    if (is_resource(o) || o->flags & OPND_OFFSET)
        return misplaced(a, o->span, "a vector");
    check_operand(a->c, a->insn, o, OC_VECTOR);
    a->next++;
    return true;
}

/* Only TXG and TXGO choose a component of the texture. */
static void check_component(const struct arguments *a, const struct operand *o)
{
    bool gather = profile_table[a->c->profile].generation >= GEN_NV5 && !a->image &&
                  op_is(a->insn->op, K_GATHER);
    bool good;
    struct span component = component_of(a->c, o, &good);
    if (component.length == 0)
        return;
    if (!gather)
        check_position(check_error(a->c, FOR_ALL, component, "%s has no component here: only TXG and TXGO choose one",
                                   a->image ? "an image" : "a texture"),
                       component.offset - 1);
    else if (!good)
        check_error(a->c, FOR_ALL, component, "one component of the texture is gathered: x, y, z or w");
}

/* What stands for a unit: a texture or an image, a variable of these, a handle. Other variables the driver reads as
 * well; in ARB programs it never complains of them: TEX R0, R1, R2, 2D; loads. */
static bool read_unit(struct arguments *a, const struct operand **wrong)
{
    const struct operand *o = operand_at(a, a->next);
    const char *what = a->image ? "an image" : "a texture";
    if (at_target(a))
        return misplaced(a, a->target, what);
    if (!o)
        return missing(a, what);
    bool right = o->kind == (a->image ? OPND_IMAGE : OPND_TEXTURE) || o->kind == OPND_HANDLE;
    bool variable = o->kind == OPND_SYMBOL && program_symbol(a->c->program, o->ref)->kind != SYM_LABEL &&
                    (a->c->typed || !o->nindices);
    if (o->flags & (OPND_NEGATE | OPND_ABSOLUTE | OPND_PLUS | OPND_OFFSET) || !(right || variable))
        return misplaced(a, o->span, what);
    if (!right)
        *wrong = o;
    if (right)
        check_resource(a->c, o);
    check_component(a, o);
    a->next++;
    return true;
}

static bool read_target(const struct arguments *a, const struct operand *unit, bool second)
{
    const struct operand *o = operand_at(a, a->next);
    if (!at_target(a))
        return o ? misplaced(a, o->span, "a target such as 2D") : missing(a, "a target such as 2D");
    if (a->image)
        check_image_target(a->c, a->insn);
    else
        check_texture_target(a->c, a->insn, unit, second);
    return true;
}

/* TXD has room for the clamp in its operands; TEX and TXB take it as another one. */
static bool takes_second(const struct arguments *a, unsigned vectors)
{
    const struct operand *o = operand_at(a, a->next);
    return profile_table[a->c->profile].generation >= GEN_NV41 && !a->image && vectors == 1 && o && !is_resource(o) &&
           !at_target(a);
}

static void read_rest(struct arguments *a)
{
    const struct operand *o = operand_at(a, a->next);
    if (o && o->flags & OPND_OFFSET && !a->image && a->c->typed) {
        if (profile_table[a->c->profile].generation < GEN_NV5)
            check_error(a->c, FOR_ALL, o->span,
                        "a texel offset is of numbers, as in (1, -2): offset() is of 5.0 programs");
        else if (a->insn->op == OP_TXD || a->insn->op == OP_TXGO)
            check_error(a->c, FOR_ALL, o->span, "%s takes a texel offset in numbers, and not a vector",
                        op_table[a->insn->op].name);
        else
            check_operand(a->c, a->insn, o, OC_VECTOR);
        o = operand_at(a, ++a->next);
    }
    if (o && a->image)
        check_position(check_error(a->c, FOR_ALL, o->span, "nothing may follow the target of an image"),
                       check_next_token(a->c, span_end(a->target)));
    else if (o)
        misplaced(a, o->span, "the end of the statement");
    if (a->insn->ntexels)
        check_offsets(a->c, a->insn);
}

/* The texture of another API has its own kind of handle. */
static void check_external(const struct arguments *a, const struct operand *unit)
{
    if (a->insn->texture_target != TARGET_EXTERNAL || unit->flags & OPND_EXTERNAL)
        return;
    struct diag *d = check_error(a->c, FOR_ALL, unit->span, "the target EXTERNAL goes with exthandle()");
    check_position(d, a->insn->ntexels ? span_end(a->insn->span) - 1
                                                : check_next_token(a->c, span_end(a->insn->span)));
}

void check_arguments(struct checker *c, const struct insn *insn)
{
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    struct arguments a = {.c = c, .insn = insn};
    if (insn->texture_target)
        a.target = program_target_span(c->program, insn);
    const struct operand *unit = NULL, *wrong = NULL;
    unsigned vectors = 0;
    bool second = false;
    for (unsigned i = 0; i < shape->nsrc; i++) {
        a.image |= shape->src[i] == OC_IMAGE;
        vectors += shape->src[i] == OC_VECTOR;
    }
    for (unsigned i = 0; i < shape->nsrc; i++) {
        if (shape->src[i] == OC_VECTOR) {
            if (!read_vector(&a))
                return;
            continue;
        }
        second = takes_second(&a, vectors);
        if (second && !read_vector(&a))
            return;
        unit = operand_at(&a, a.next);
        if (!read_unit(&a, &wrong))
            return;
    }
    if (!read_target(&a, wrong ? NULL : unit, second))
        return;
    read_rest(&a);
    if (wrong)
        misplaced_for(&a, generation_of(c) > GEN_NV4 ? FOR_ALL : FOR_MESA | FOR_SPEC, wrong->span,
                      a.image ? "an image" : "a texture");
    else if (!a.image)
        check_external(&a, unit);
    if (!wrong && !a.image && !c->reported)
        check_unit(c, insn, unit);
}
