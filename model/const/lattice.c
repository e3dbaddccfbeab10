/* Constants in a program, as far as the driver's compiler was seen to follow them (tests/recordings/patterns/flow.txt,
 * lines count_* and if_*): through copies, arithmetic and comparisons of 32-bit temporaries and of condition codes,
 * over blocks. */
#include "eval/state/element_binding.h"
#include "model/const/lattice.h"
#include "model/tables.h"
#include "model/const/lattice_store.h"

#include <string.h>

bool model_known_new(struct known *k, const struct gp5_program *p, const struct block_ends *ends, uint64_t passes)
{
    uint8_t set = 0, before = 0;        /* in the block at hand; in those before it */

    *k = (struct known){.p = p, .ends = ends, .passes = passes, .count = KNOWN_FLAGS};
    k->first = gp5_malloc((p->symbols.count + 1) * sizeof *k->first);
    k->failed = gp5_malloc(sizeof *k->failed);
    if (!k->first || !k->failed) {
        model_known_free(k);
        return false;
    }
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array &&
                      (s->size == SIZE_DEFAULT || s->size == SIZE_LONG || s->size == SIZE_SHORT);
        k->first[i] = follow ? k->count : NO_INDEX;
        k->count += follow ? 4 : 0;
    }
    *k->failed = false;
    k->values = model_known_values_new(k->count, k->failed);
    if (!k->values) {
        model_known_free(k);
        return false;
    }
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        uint8_t sets = insn->cc_update ? (uint8_t)(insn->dst.mask << (insn->cc_update - 1u) * 4) : 0;
        k->tests |= 1u << insn->condition.rule | 1u << insn->dst.condition.rule;
        if (eval_ends_block(insn) || eval_jumps_over(insn, ends)) {
            before |= set;
            set = 0;
        }
        k->several |= sets & (before | (condition_restricts(&insn->dst.condition) ? set : 0));
        set |= sets;
    }
    model_known_forget(k);
    return true;
}

bool model_known_copy(struct known *to, const struct known *from)
{
    *to = *from;
    to->values = model_known_values_copy(from->values);
    return to->values != NULL;
}

void model_known_drop_copy(struct known *k)
{
    model_known_values_free(k->values);
    k->values = NULL;
}

void model_known_free(struct known *k)
{
    model_known_drop_copy(k);
    gp5_free(k->first);
    gp5_free(k->failed);
    k->first = NULL;
    k->failed = NULL;
}

void model_known_forget(struct known *k)
{
    model_known_values_forget(k->values);
}

void model_known_meet(struct known *k, const struct known *other, bool *changed)
{
    k->copies = k->copies > other->copies ? k->copies : other->copies;
    model_known_values_meet(k->values, other->values, changed);
}

/* ---- operands ------------------------------------------------------------------------------------------------------
 */

static uint64_t with_signs(const struct operand *o, uint8_t type, uint64_t word)
{
    bool is_float = type_table[type].is_float;
    uint64_t sign = 1ull << (type_table[type].bytes * 8 - 1);

    for (unsigned i = 0; i < 2; i++) {
        if (o->flags & (i ? OPND_NEGATE : OPND_NEGATE_INNER))
            word = is_float ? word ^ sign : 0 - word;
        if (!i && o->flags & OPND_ABSOLUTE)
            word = is_float ? word & ~sign : word & sign && type_table[type].is_signed ? 0 - word : word;
    }
    return type_table[type].bytes == 4 ? (uint32_t)word : word;
}

/* The size of a work group that the program says. */
static bool group_size(const struct known *k, const struct binding *b, unsigned c, uint64_t *word)
{
    if (b->kind != BIND_INVOCATION_GROUPSIZE || !k->p->has_group_size || c > 2)
        return false;
    *word = k->p->group_size[c];
    *word = *word ? *word : 1;
    return true;
}

/* A parameter that is a constant of the program, or an element of an array that is one. */
static bool constant_parameter(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    const struct symbol *s = program_symbol(k->p, o->ref);
    const struct index *index = o->nindices ? program_index(k->p, o->index) : NULL;
    const struct binding *b;
    uint32_t at;

    if (s->kind != SYM_PARAM || o->nindices > 1 || s->array != (index != NULL) || s->size != SIZE_DEFAULT ||
        type_table[type].bytes != 4 || (index && (index->mode != INDEX_CONSTANT || index->offset < 0)))
        return false;
    b = eval_element_binding(k->p, s, index ? (uint64_t)index->offset : 0, &at);
    if (!b || b->kind != BIND_CONSTANT)
        return b && group_size(k, b, c, word);
    *word = eval_constant_word(program_constant(k->p, b->constant), c, eval_constant_type(s->type, false));
    return true;
}

static bool names_no_number(const struct gp5_program *p, uint32_t binding)
{
    uint16_t kind = program_binding(p, binding)->kind;

    return kind != BIND_CONSTANT && kind != BIND_INVOCATION_GROUPSIZE;
}

bool model_known_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word)
{
    unsigned from = o->swizzle >> 2 * c & 3;
    uint8_t bytes = type_table[type].bytes;

    if (bytes < 4)
        return false;
    if (o->kind == OPND_BINDING && !o->nindices && bytes == 4) {
        bool known = group_size(k, program_binding(k->p, o->ref), from, word);
        *word = with_signs(o, type, known ? *word : 0);
        return known;
    }
    if (o->kind == OPND_CONSTANT && !o->nindices) {
        *word = with_signs(o, type, eval_literal_word(k->p, program_constant(k->p, o->ref), from, type));
        return true;
    }
    if (o->kind != OPND_SYMBOL)
        return false;
    if (model_known_is_short(k, o->kind, o->ref)) {
        bool known = model_known_short(k, o, from, type, word),
             nan = known && type_table[type].is_float && (*word & 0x7fffffff) > 0x7f800000;
        *word = !known ? 0 : nan ? *word : with_signs(o, type, *word);
        return known;
    }
    if (k->first[o->ref] == NO_INDEX) {
        bool known = constant_parameter(k, o, from, type, word);
        *word = with_signs(o, type, known ? *word : 0);
        return known;
    }
    if (o->nindices || (program_symbol(k->p, o->ref)->size == SIZE_LONG) < (bytes == 8))
        return false;
    const struct known_value *v = model_known_at(k, k->first[o->ref] + from);
    if (program_symbol(k->p, o->ref)->size == SIZE_LONG && bytes == 4 && type_table[type].is_float && v->word << 1)
        return false;           /* of doubles, zeros alone */
    *word = with_signs(o, type, v->word);
    return v->known;
}

bool model_known_is_nothing(const struct known *k, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(k->p, o->ref) : NULL;
    const struct known_value *v;

    if (!s || k->first[o->ref] == NO_INDEX)
        return s && s->kind == SYM_PARAM ? !s->array && s->nbindings == 1 && names_no_number(k->p, s->binding)
                                         : s || (o->kind == OPND_BINDING && names_no_number(k->p, o->ref));
    if (o->nindices)
        return false;
    v = model_known_at(k, k->first[o->ref]);
    return !(v[0].known | v[1].known | v[2].known | v[3].known | v[0].boolean | v[1].boolean | v[2].boolean |
             v[3].boolean);
}

const struct known_value *model_known_held(const struct known *k, const struct operand *o, unsigned c)
{
    if (o->kind != OPND_SYMBOL || o->nindices || k->first[o->ref] == NO_INDEX)
        return NULL;
    return model_known_at(k, k->first[o->ref] + (o->swizzle >> 2 * c & 3));
}

bool model_known_is_absorbed(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = model_known_held(k, o, c);

    return v && v->absorbed;
}

/* What an operand names that the application sets, or a stage before this one, under a name of the program's or not; or
 * NULL. */
static const struct binding *set_outside(const struct gp5_program *p, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(p, o->ref) : NULL;
    const struct binding *b = o->nindices               ? NULL
                              : o->kind == OPND_BINDING ? program_binding(p, o->ref)
                              : s && (s->kind == SYM_PARAM || s->kind == SYM_ATTRIB) && !s->array && s->nbindings == 1
                                  ? program_binding(p, s->binding)
                                  : NULL;

    return b && !b->relative &&
                   (((b->kind == BIND_PROGRAM_ENV || b->kind == BIND_PROGRAM_LOCAL) && b->nindices == 1) ||
                    (binding_table[b->kind].class == BC_ATTRIB && strchr("FN", binding_table[b->kind].type)))
               ? b
               : NULL;
}

/* Of an attribute a number that no copy has (struct known_value), 0 of what is none. */
static uint32_t attribute_number(const struct gp5_program *p, const struct operand *o, unsigned c)
{
    const struct binding *b = set_outside(p, o);

    return b && binding_table[b->kind].class == BC_ATTRIB
               ? UINT32_C(0x80000000) | (uint32_t)b->kind << 20 | (b->first[0] & 0xff) << 12 |
                     (b->first[1] & 0x3ff) << 2 | (o->swizzle >> 2 * c & 3)
               : 0;
}

uint32_t model_known_copied(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = model_known_held(k, o, c);

    return v ? v->copy : attribute_number(k->p, o, c);
}

/* The same variable, or the same element of an array in the same words. */
static bool same_place(const struct gp5_program *p, const struct operand *a, const struct operand *b)
{
    const struct binding *x = set_outside(p, a), *y = set_outside(p, b);

    if (x && y)
        return x->kind == y->kind && x->first[0] == y->first[0] && x->first[1] == y->first[1];
    if (a->kind != OPND_SYMBOL || b->kind != OPND_SYMBOL || a->ref != b->ref || a->nindices != b->nindices)
        return false;
    for (unsigned n = 0; n < a->nindices; n++) {
        const struct index *x = program_index(p, a->index + n), *y = program_index(p, b->index + n);
        if (x->mode != y->mode || x->offset != y->offset)
            return false;
        if (x->mode == INDEX_RELATIVE && (x->element.used || y->element.used || x->register_kind != y->register_kind ||
                                          x->reg != y->reg || x->component != y->component))
            return false;
    }
    return true;
}

bool model_known_same_words(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca,
                            unsigned cb)
{
    return same_place(k->p, a, b) && a->flags == b->flags && (a->swizzle >> 2 * ca & 3) == (b->swizzle >> 2 * cb & 3);
}

bool model_known_same(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb)
{
    uint32_t copy = model_known_copied(k, a, ca);
    bool of_short = model_known_is_short(k, a->kind, a->ref) || model_known_is_short(k, b->kind, b->ref);

    return model_known_same_words(k, a, b, ca, cb) ||
           (a->flags == b->flags && copy && copy == model_known_copied(k, b, cb) &&
            (!of_short || (k->now->type == DT_F32 && !(k->now->flags & INSN_PREC))));
}
