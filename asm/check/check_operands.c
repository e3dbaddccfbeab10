/* Operands, from left to right. */
#include "asm/check/check_internal.h"

#include <string.h>

static const char *const memory_users[] = {
    [SYM_STORAGE] = "LDB, STB and ATOMB", [SYM_SHARED] = "LDS, STS and ATOMS", [SYM_COUNTER] = "ATOMCTR"};

/* Stores and atomics may have memory in the wrong place, which the driver reads before it says so. */
static bool uses_memory(const struct insn *insn, const struct symbol *s)
{
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    for (unsigned i = 0; i < shape->nsrc; i++)
        if ((shape->src[i] == OC_STORAGE && s->kind == SYM_STORAGE) ||
            (shape->src[i] == OC_SHARED && s->kind == SYM_SHARED))
            return true;
    return false;
}

static void check_symbol(struct checker *c, const struct insn *insn, const struct operand *o)
{
    const struct symbol *s = program_symbol(c->program, o->ref);
    switch (s->kind) {
    case SYM_STORAGE:
    case SYM_SHARED:
    case SYM_COUNTER:
        if (uses_memory(insn, s)) {
            check_indices(c, s, o, NULL);
            c->misplaced = o;
            return;
        }
        check_error(c, FOR_ALL, program_base(c->program, o), "%s is memory: only %s work on it", s->name,
                    memory_users[s->kind]);
        return;
    case SYM_OUTPUT:
        check_error(c, FOR_ALL, program_base(c->program, o), "%s is an output: it can be written and not read",
                    s->name);
        return;
    case SYM_CBUFFER:
        diag_hint(check_error(c, FOR_ALL, program_base(c->program, o), "%s is a CBUFFER variable: only LDC reads it",
                              s->name),
                  "load it into a TEMP with LDC first, or declare it with BUFFER");
        return;
    case SYM_ADDRESS:
        check_error(c, FOR_ALL, program_base(c->program, o), "%s is an address register: it can index and not be read",
                    s->name);
        return;
    case SYM_LABEL:
    case SYM_SUBROUTINE_TYPE:
    case SYM_SUBROUTINE:
    case SYM_ALIAS:
        check_error(c, FOR_ALL, program_base(c->program, o), "%s is no variable", s->name);
        return;
    default:
        if (s->array || s->per_vertex || o->nindices)
            check_indices(c, s, o, NULL);
    }
}

static void check_binding(struct checker *c, const struct operand *o)
{
    const struct binding *b = program_binding(c->program, o->ref);
    const struct binding_info *info = &binding_table[b->kind];
    if (info->class == BC_VERTEX)
        check_position(check_error(c, FOR_ALL, program_base(c->program, o),
                                   "one vertex is meant here, as in vertex[0].position"),
                       b->span.offset + (uint32_t)strlen("vertex"));
    else if (info->class != BC_ATTRIB && info->class != BC_PARAM) {
        struct span base = program_base(c->program, o);
        bool parameter = c->typed && strncmp(info->words, "program.", 8) == 0;
        const char *dot = parameter ? memchr(check_text(c, base), '.', base.length) : NULL;
        check_position(check_error(c, FOR_ALL, base, "%.*s cannot be read directly", check_length(base),
                                   check_text(c, base)),
                       dot ? check_next_token(c, (uint32_t)(dot - c->program->text) + 1) : base.offset);
    }
    else if (check_whole_binding(c, b, program_base(c->program, o)))
        return;
    else if (o->nindices)
        check_error(c, FOR_ALL, program_base(c->program, o), "%.*s has one index too many",
                    check_length(program_base(c->program, o)), check_text(c, program_base(c->program, o)));
    else
        check_binding_indices(c, b);
}

static bool has_suffix(const struct operand *o)
{
    return o->nswizzle || o->flags & OPND_BAD_SWIZZLE;
}

/* 1.y: Mesa reads the number 1. and the name y. */
static bool is_integer_with_suffix(const struct checker *c, const struct operand *o)
{
    if (o->kind != OPND_CONSTANT)
        return false;
    const struct constant *constant = program_constant(c->program, o->ref);
    return constant->scalar && constant->is_integer & 1;
}

/* A bare number has one component. The driver reads 1.x as a number with something behind it, and 1.0.x as a number. */
static void check_number_suffix(struct checker *c, const struct operand *o)
{
    struct span base = program_base(c->program, o), suffix = program_suffix(c->program, base);
    struct diag *d = check_error(c, FOR_ALL, suffix, "a bare number has no components");
    bool integer = program_constant(c->program, o->ref)->is_integer & 1;
    check_position(d, integer ? base.offset : suffix.offset - 1);
    diag_hint(d, "write it in braces, or leave the component out");
}

/* The next token; behind a dot that stands there the one after it. */
static uint32_t behind_dot(const struct checker *c, uint32_t offset)
{
    uint32_t next = check_next_token(c, offset);
    return next < c->program->size && c->program->text[next] == '.' ? check_next_token(c, next + 1) : next;
}

/* PARAM p = 0.5: a number, and no vector of it. */
static bool is_number(const struct checker *c, const struct operand *o)
{
    if (o->kind == OPND_CONSTANT)
        return program_constant(c->program, o->ref)->scalar;
    bool numbers = profile_in(c->profile, NUMBERS);
    const struct symbol *s = o->kind == OPND_SYMBOL && numbers ? program_symbol(c->program, o->ref) : NULL;
    if (!s || s->kind != SYM_PARAM || s->array || s->nbindings != 1 || s->parameter)
        return false;
    const struct binding *b = program_binding(c->program, s->binding);
    return b->kind == BIND_CONSTANT && b->constant != NO_INDEX && program_constant(c->program, b->constant)->scalar;
}

/* R0. x: to Mesa a dot and its components are one word. */
void check_glued(struct checker *c, struct span letters)
{
    uint32_t dot = letters.offset;
    if (c->typed || !letters.length || c->program->text[dot - 1] == '.')
        return;
    while (dot > 0 && c->program->text[dot] != '.')
        dot--;
    check_position(check_error(c, FOR_MESA, letters, "Mesa reads components only right behind their dot"), dot);
}

static void check_swizzle(struct checker *c, const struct operand *o, unsigned class)
{
    if (has_suffix(o))
        check_glued(c, program_suffix(c->program, program_base(c->program, o)));
    if (has_suffix(o) && !c->typed && is_integer_with_suffix(c, o))
        check_error(c, FOR_MESA, program_suffix(c->program, program_base(c->program, o)),
                    "a number with a point and no digits behind it is read, and then a name");
    if (o->kind == OPND_SYMBOL && has_suffix(o) && is_number(c, o)) {
        struct span dot = program_suffix(c->program, program_base(c->program, o));
        check_position(check_error(c, FOR_NVIDIA, dot, "%s is a number, and has no components",
                                   program_symbol(c->program, o->ref)->name), dot.offset - 1);
        return;
    }
    if (o->kind == OPND_CONSTANT && profile_in(c->profile, NUMBERS) && has_suffix(o) &&
        program_constant(c->program, o->ref)->scalar) {
        check_number_suffix(c, o);
        return;
    }
    if (class != OC_SCALAR && !(o->flags & (OPND_BAD_SWIZZLE | OPND_RGBA)))
        return;
    if (class == OC_SCALAR && o->nswizzle == 1 && !(o->flags & (OPND_BAD_SWIZZLE | OPND_RGBA)) &&
        (profile_in(c->profile, NUMBERS) || o->kind != OPND_CONSTANT))
        return;
    bool written = has_suffix(o);
    struct span span = program_suffix(c->program, program_base(c->program, o));
    if (class == OC_SCALAR) {
        bool bare = is_number(c, o);
        if (!written && !(bare && profile_in(c->profile, NUMBERS))) {
            struct diag *d = check_error(c, FOR_ALL, program_base(c->program, o),
                                         "one component is asked for here");
            check_position(d, behind_dot(c, span_end(program_base(c->program, o))));
            diag_hint(d, bare ? "add it: {%.*s}.x" : "add it: %.*s.x", check_length(program_base(c->program, o)),
                      check_text(c, program_base(c->program, o)));
        } else if (written && (o->flags & OPND_BAD_SWIZZLE || o->nswizzle != 1)) {
            check_suffix(c, SUFFIX_SCALAR, span, "one component is asked for here: x, y, z or w");
        }
    } else if (o->flags & OPND_BAD_SWIZZLE) {
        struct diag *d = check_suffix(c, SUFFIX_VECTOR, span, "%.*s is no swizzle: one letter of xyzw, or four",
                                      check_length(span), check_text(c, span));
        check_second_dot(c, d, span, false);
    }
    if (o->flags & OPND_RGBA && !profile_in(c->profile, COLOURS))
        check_colours(c, span, "swizzles");
}

/* ARL: the driver takes whole operands and reads their x. */
static void check_component(struct checker *c, unsigned targets, const struct operand *o)
{
    struct span base = program_base(c->program, o);
    if (o->nswizzle == 1)
        return;
    struct diag *d = check_error(c, targets, base, "one component is asked for here");
    check_position(d, has_suffix(o) ? program_suffix(c->program, base).offset : check_next_token(c, span_end(base)));
}

/* CALI's operand: a subroutine variable, or one of an array of them. */
static void check_subroutine(struct checker *c, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
    struct span base = program_base(c->program, o);
    if (!s || s->kind != SYM_SUBROUTINE)
        check_error(c, FOR_ALL, base, "CALI calls through a SUBROUTINE variable, and %.*s is none", check_length(base),
                    check_text(c, base));
    else if (s->array || o->nindices)
        check_indices(c, s, o, NULL);
}

void check_operand(struct checker *c, const struct insn *insn, const struct operand *o, unsigned class)
{
    if (o->flags & OPND_PLUS && c->profile == PROFILE_VP10)
        check_position(check_error(c, FOR_ALL, (struct span){o->span.offset, 1}, "operands have no + in !!VP1.0"),
                       check_next_token(c, o->span.offset + 1));
    if (class == OC_KILL && c->profile == PROFILE_FP10) {
        check_error(c, FOR_ALL, o->span, "%s takes a test here, such as NE.x", op_table[insn->op].name);
        return;
    }
    if (class == OC_ADDRESS) {
        check_address_operand(c, insn, o);
        return;
    }
    if (class == OC_SUBROUTINE) {
        check_subroutine(c, o);
        return;
    }
    if (check_is_memory(class)) {
        check_memory(c, insn, o, class);
        return;
    }
    if (!profile_in(c->profile, CONDITIONS) && o->flags & OPND_ABSOLUTE) {
        const char *bar = memchr(check_text(c, o->span), '|', o->span.length);
        check_position(check_error(c, FOR_ALL, o->span, "there are no absolute values in ARB programs: use ABS"),
                       (uint32_t)(bar - c->program->text));
    }
    switch (o->kind) {
    case OPND_NONE:
    case OPND_CC:
        check_unknown_operand(c, o, "operand");
        return;
    case OPND_SYMBOL:
    case OPND_HANDLE:
        check_symbol(c, insn, o);
        break;
    case OPND_BINDING:
        check_binding(c, o);
        break;
    case OPND_TEXTURE:
    case OPND_IMAGE:
        if (class != OC_TEXTURE && class != OC_IMAGE)
            check_error(c, FOR_ALL, program_base(c->program, o), "%.*s cannot be read directly",
                        check_length(program_base(c->program, o)), check_text(c, program_base(c->program, o)));
        break;
    default:
        break;
    }
    check_operand_type(c, insn, o);
    check_swizzle(c, o, class);
    if (insn->op == OP_ARL && profile_in(c->profile, AVP | VP10 | VP11))
        check_component(c, FOR_MESA | FOR_SPEC, o);
    bool absolute = o->flags & OPND_ABSOLUTE;
    bool no_effect = absolute && !(o->flags & OPND_NEGATE) && !type_table[insn->type2].is_signed;
    if (insn->op == OP_CVT && o->flags & (OPND_NEGATE | OPND_ABSOLUTE)) {
        struct diag *d = check_error(c, no_effect ? FOR_SPEC : FOR_ALL, o->span, "CVT takes no %s",
                                     absolute ? "absolute value" : "negated operand");
        check_position(d, check_next_token(c, span_end(o->span)));
    }
}

/* The first of SWZ's selectors that is r, g, b or a. */
static struct span first_colour(const struct checker *c, const struct operand *o)
{
    const char *text = c->program->text;
    uint32_t at = span_end(program_base(c->program, o));
    while (at < span_end(o->span) && text[at] != ',')
        at++;
    while (at < span_end(o->span) && !strchr("rgba", text[at]))
        at++;
    return (struct span){at, at < span_end(o->span)};
}

/* SWZ's operand has its signs and components in the selectors. */
static void check_bare(struct checker *c, const struct operand *o)
{
    if (o->flags & OPND_RGBA && o->flags & OPND_XYZW && profile_in(c->profile, COLOURS))
        check_error(c, FOR_MESA | FOR_SPEC, o->span, "the selectors are of xyzw or of rgba, and not of both");
    else if (o->flags & OPND_RGBA && !profile_in(c->profile, COLOURS))
        check_colours(c, first_colour(c, o), "selectors");
    if (o->flags & (OPND_NEGATE | OPND_ABSOLUTE | OPND_PLUS)) {
        check_error(c, FOR_MESA | FOR_SPEC, o->span, "SWZ's operand has no sign: each selector has its own");
    } else if (has_suffix(o)) {
        struct span suffix = program_suffix(c->program, program_base(c->program, o));
        struct diag *d =
            check_error(c, FOR_MESA | FOR_SPEC, suffix, "SWZ's operand has no swizzle: the selectors are one");
        check_position(d, suffix.offset - 1);
    }
}

/* What is interpolated anew is an input. */
static void check_input(struct checker *c, const struct insn *insn)
{
    if (insn->nsrc == 0)
        return;
    const struct operand *o = program_operand(c->program, insn->src);
    bool input =
        (o->kind == OPND_SYMBOL && program_symbol(c->program, o->ref)->kind == SYM_ATTRIB) ||
        (o->kind == OPND_BINDING && binding_table[program_binding(c->program, o->ref)->kind].class == BC_ATTRIB);
    if (input)
        return;
    struct diag *d = check_error(c, FOR_ALL, o->span, "%s interpolates an input, and %.*s is none",
                                 op_table[insn->op].name, check_length(o->span), check_text(c, o->span));
    check_position(d, check_next_token(c, span_end(o->span)));
}

/* SPIR-V and GLSL want a constant as well. */
static void check_cluster(struct checker *c, const struct insn *insn)
{
    unsigned k = insn->op == OP_SGROTC ? 2 : 1;
    if (insn->nsrc <= k || program_operand(c->program, insn->src + k)->kind == OPND_CONSTANT)
        return;
    const struct operand *o = program_operand(c->program, insn->src + k);
    check_error(c, FOR_ALL, o->span, "the size of a cluster is a constant");
}

void check_operands(struct checker *c, const struct insn *insn)
{
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    c->misplaced = NULL;
    for (unsigned i = 0; i < shape->nsrc; i++)
        if (shape->src[i] == OC_TEXTURE || shape->src[i] == OC_IMAGE) {
            check_arguments(c, insn);
            return;
        }
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        unsigned class = i < 4 ? shape->src[i] : OC_NONE;
        if (o->kind == OPND_LABEL)
            continue;
        if (o->kind == OPND_EXTENDED) {
            struct operand base = *o;
            base.kind = o->base_kind;
            check_bare(c, &base);
            check_operand(c, insn, &base, OC_VECTOR);
            continue;
        }
        check_operand(c, insn, o, class);
        if (i == 0 && op_is(insn->op, K_INTERPOLATION))
            check_input(c, insn);
    }
    if (insn->op == OP_SGREDC || insn->op == OP_SGROTC)
        check_cluster(c, insn);
    if (insn->condition.written)
        check_condition(c, insn, &insn->condition);
    if (c->misplaced)
        check_error(c, FOR_ALL, c->misplaced->span, "memory stands where a register is expected");
}
