/* When two programs say the same: asm/text/print.h. */
#include "asm/text/print.h"

#include <string.h>

struct pair {
    const struct gp5_program *a, *b;
};

static bool same_text(const struct pair *p, struct span a, struct span b)
{
    return a.length == b.length && memcmp(p->a->text + a.offset, p->b->text + b.offset, a.length) == 0;
}

static bool same_index(const struct pair *p, uint32_t a, uint32_t b)
{
    const struct index *x = program_index(p->a, a), *y = program_index(p->b, b);
    return x->mode == y->mode && x->component == y->component && x->component_written == y->component_written &&
           x->register_kind == y->register_kind && x->reg == y->reg && x->element.used == y->element.used &&
           x->element.value == y->element.value && x->offset == y->offset && x->offset_written == y->offset_written;
}

static bool same_indices(const struct pair *p, uint32_t a, unsigned na, uint32_t b, unsigned nb)
{
    if (na != nb)
        return false;
    for (unsigned i = 0; i < na; i++)
        if (!same_index(p, a + i, b + i))
            return false;
    return true;
}

static bool same_constant(const struct constant *x, const struct constant *y)
{
    if (x->scalar != y->scalar || x->count != y->count || x->is_integer != y->is_integer ||
        x->negative != y->negative || x->hex != y->hex)
        return false;
    for (unsigned i = 0; i < x->count; i++)
        if (x->value[i].u != y->value[i].u)
            return false;
    return true;
}

static bool same_binding(const struct pair *p, uint32_t a, uint32_t b)
{
    const struct binding *x = program_binding(p->a, a), *y = program_binding(p->b, b);
    if (x->kind != y->kind || x->nindices != y->nindices)
        return false;
    for (unsigned i = 0; i < x->nindices; i++)
        if (x->range[i] != y->range[i] || x->first[i] != y->first[i] || x->last[i] != y->last[i])
            return false;
    if (x->constant == NO_INDEX || y->constant == NO_INDEX)
        return x->constant == y->constant;
    return same_constant(program_constant(p->a, x->constant), program_constant(p->b, y->constant));
}

static bool same_reference(const struct pair *p, unsigned kind, unsigned flags, uint32_t a, uint32_t b)
{
    switch (kind) {
    case OPND_BINDING:
        return same_binding(p, a, b);
    case OPND_TEXTURE:
    case OPND_IMAGE:
        return flags & OPND_BY_NAME ? a == b : same_binding(p, a, b);
    case OPND_CONSTANT:
        return same_constant(program_constant(p->a, a), program_constant(p->b, b));
    default:
        return a == b;
    }
}

static bool same_operand(const struct pair *p, uint32_t a, uint32_t b)
{
    const struct operand *x = program_operand(p->a, a), *y = program_operand(p->b, b);
    unsigned kind = x->kind == OPND_EXTENDED ? x->base_kind : x->kind;
    return x->kind == y->kind && x->flags == y->flags && x->nswizzle == y->nswizzle && x->swizzle == y->swizzle &&
           x->base_kind == y->base_kind && x->selectors == y->selectors &&
           same_reference(p, kind, x->flags, x->ref, y->ref) &&
           same_indices(p, x->index, x->nindices, y->index, y->nindices);
}

static bool same_condition(const struct condition *x, const struct condition *y)
{
    return x->rule == y->rule && x->cc == y->cc && x->cc_written == y->cc_written && x->nswizzle == y->nswizzle &&
           x->swizzle == y->swizzle && x->rgba == y->rgba && x->parentheses == y->parentheses &&
           x->written == y->written;
}

static bool same_result(const struct pair *p, const struct result *x, const struct result *y)
{
    return x->written == y->written && x->kind == y->kind && x->mask == y->mask && x->mask_written == y->mask_written &&
           x->rgba == y->rgba && same_reference(p, x->kind, 0, x->ref, y->ref) &&
           same_indices(p, x->index, x->nindices, y->index, y->nindices) &&
           same_condition(&x->condition, &y->condition);
}

static bool same_instruction(const struct pair *p, uint32_t a, uint32_t b)
{
    const struct insn *x = program_insn(p->a, a), *y = program_insn(p->b, b);
    if (x->op != y->op || x->nmodifiers != y->nmodifiers || x->nsrc != y->nsrc || x->type != y->type ||
        x->type2 != y->type2 || x->width != y->width || x->atomic != y->atomic || x->rounding != y->rounding ||
        x->cc_update != y->cc_update || x->flags != y->flags || x->texture_target != y->texture_target ||
        (!x->dst.written && x->dst.partner != y->dst.partner) || x->ntexels != y->ntexels ||
        x->texel_x != y->texel_x || x->texel_y != y->texel_y || x->texel_z != y->texel_z)
        return false;
    if (!same_condition(&x->condition, &y->condition) || !same_result(p, &x->dst, &y->dst))
        return false;
    for (unsigned i = 0; i < x->nsrc; i++)
        if (!same_operand(p, x->src + i, y->src + i))
            return false;
    return true;
}

static bool same_symbol(const struct pair *p, uint32_t a, uint32_t b)
{
    const struct symbol *x = program_symbol(p->a, a), *y = program_symbol(p->b, b);
    if (strcmp(x->name, y->name) != 0 || x->kind != y->kind || x->size != y->size || x->type != y->type ||
        x->interpolation != y->interpolation || x->array != y->array || x->two_indices != y->two_indices ||
        x->size_written != y->size_written || x->array_size != y->array_size || x->nbindings != y->nbindings ||
        x->instruction != y->instruction || x->uses != y->uses || x->numbered != y->numbered ||
        x->number != y->number || x->defined != y->defined)
        return false;
    if (x->kind == SYM_ALIAS)
        return x->binding == y->binding;
    for (uint32_t i = 0; i < x->nbindings; i++)
        if (x->kind == SYM_SUBROUTINE_TYPE ? !same_operand(p, x->binding + i, y->binding + i)
                                           : !same_binding(p, x->binding + i, y->binding + i))
            return false;
    return true;
}

static bool same_statement(const struct pair *p, const struct statement *x, const struct statement *y)
{
    if (x->kind != y->kind || x->trailing != y->trailing)
        return false;
    switch ((enum statement_kind)x->kind) {
    case STMT_COMMENT:
        return same_text(p, x->span, y->span);
    case STMT_INSTRUCTION:
        return same_instruction(p, x->ref, y->ref);
    case STMT_OPTION:
        return same_text(p, (struct span){x->count, x->span.offset + x->span.length - x->count},
                         (struct span){y->count, y->span.offset + y->span.length - y->count});
    case STMT_PASSTHROUGH:
        return x->ref == NO_INDEX || y->ref == NO_INDEX ? x->ref == y->ref : same_binding(p, x->ref, y->ref);
    default:
        return x->ref == y->ref && x->count == y->count;
    }
}

bool asm_program_equal(const struct gp5_program *a, const struct gp5_program *b)
{
    struct pair p = {a, b};
    if (a->profile != b->profile || a->options != b->options || a->nstatements != b->nstatements ||
        a->insns.count != b->insns.count || a->symbols.count != b->symbols.count ||
        memcmp(a->group_size, b->group_size, sizeof a->group_size) != 0 || a->shared_memory != b->shared_memory)
        return false;
    for (uint32_t i = 0; i < a->symbols.count; i++)
        if (!same_symbol(&p, i, i))
            return false;
    for (uint32_t i = 0; i < a->nstatements; i++)
        if (!same_statement(&p, &(struct statement[]){program_statement(a, i)}[0],
                            &(struct statement[]){program_statement(b, i)}[0]))
            return false;
    return true;
}
