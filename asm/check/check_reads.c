/* How much one instruction reads: in the older headers one input and one parameter (NV_vertex_program 2.14.1.8,
 * NV_fragment_program 3.11.4.3). */
#include "asm/check/check_internal.h"

#include <math.h>

struct reads {
    const struct operand *input, *parameter;    /* the first of each */
    double values[4];           /* of constants: those of a fragment program share one register of four */
    unsigned nvalues;
    bool inputs, parameters;    /* there are too many */
};

static bool same_binding(const struct binding *a, const struct binding *b)
{
    return a->kind == b->kind && a->first[0] == b->first[0];
}

static bool same_index(const struct checker *c, const struct operand *a, const struct operand *b)
{
    if (a->nindices != b->nindices)
        return false;
    for (unsigned i = 0; i < a->nindices; i++) {
        const struct index *x = program_index(c->program, a->index + i), *y = program_index(c->program, b->index + i);
        if (x->mode != y->mode || x->offset != y->offset ||
            (x->mode == INDEX_RELATIVE && (x->reg != y->reg || x->component != y->component)))
            return false;
    }
    return true;
}

static double component(const struct constant *constant, unsigned i)
{
    if (constant->scalar)
        i = 0;
    if (i >= constant->count)
        return i == 3 ? 1 : 0;
    double value = constant->is_integer >> i & 1 ? (double)constant->value[i].u : constant->value[i].f;
    return constant->negative >> i & 1 ? -value : value;
}

/* The constant that an operand is: written out, or a name for one that the program cannot change. */
static const struct constant *constant_of(const struct checker *c, const struct operand *o)
{
    if (o->kind == OPND_CONSTANT)
        return program_constant(c->program, o->ref);
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
    if (!s || s->kind != SYM_PARAM || s->array || s->nbindings != 1 || s->parameter)
        return NULL;
    const struct binding *b = program_binding(c->program, s->binding);
    return b->constant == NO_INDEX ? NULL : program_constant(c->program, b->constant);
}

static bool same_constant(const struct constant *a, const struct constant *b)
{
    for (unsigned i = 0; i < 4; i++)
        if (component(a, i) != component(b, i))
            return false;
    return true;
}

static void add_value(struct reads *reads, double value)
{
    value = fabs(value);        /* an operand has its own sign */
    for (unsigned i = 0; i < reads->nvalues; i++)
        if (reads->values[i] == value)
            return;
    if (reads->nvalues == 4)
        reads->parameters = true;
    else
        reads->values[reads->nvalues++] = value;
}

static bool same_parameter(struct checker *c, const struct operand *a, const struct operand *b)
{
    const struct constant *x = constant_of(c, a), *y = constant_of(c, b);
    if (x && y)
        return profile_in(c->profile, FP10) || same_constant(x, y);
    return !x && !y && a->ref == b->ref && same_index(c, a, b);
}

static void read_operand(struct checker *c, struct reads *reads, const struct operand *o)
{
    const struct constant *constant = constant_of(c, o);
    bool binding = o->kind == OPND_BINDING;
    if (binding && binding_table[program_binding(c->program, o->ref)->kind].class == BC_ATTRIB) {
        if (reads->input &&
            !same_binding(program_binding(c->program, reads->input->ref), program_binding(c->program, o->ref)))
            reads->inputs = true;
        reads->input = o;
    } else if (constant || (o->kind == OPND_SYMBOL && program_symbol(c->program, o->ref)->kind == SYM_PARAM)) {
        if (reads->parameter && !same_parameter(c, reads->parameter, o))
            reads->parameters = true;
        reads->parameter = o;
        for (unsigned i = 0; constant && profile_in(c->profile, FP10) && i < 4; i++)
            add_value(reads, component(constant, o->swizzle >> 2 * i & 3));
    }
}

void check_reads(struct checker *c, const struct insn *insn)
{
    struct reads reads = {.nvalues = 0};
    if (insn->flags & INSN_BROKEN)
        return;
    for (unsigned i = 0; i < insn->nsrc; i++)
        read_operand(c, &reads, program_operand(c->program, insn->src + i));
    if (!reads.inputs && !reads.parameters)
        return;
    struct diag *d = check_error(c, FOR_ALL, insn_name(insn), "an instruction reads one %s here",
                                 reads.inputs ? "input" : "parameter or constant");
    check_position(d, check_next_token(c, span_end(insn->span)));
    diag_hint(d, "copy one of them into a register first");
}
