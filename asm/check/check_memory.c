/* What loads, stores and atomics work on: asm/check/check_internal.h. The driver reads an operand like any other, one
 * component of it, and then says whether it is memory. */
#include "asm/check/check_internal.h"

static const struct {
    uint8_t symbol;
    const char *word;
} memory_table[] = {
    [OC_STORAGE] = {SYM_STORAGE, "STORAGE"},
    [OC_SHARED] = {SYM_SHARED, "SHARED"},
    [OC_CBUFFER] = {SYM_CBUFFER, "CBUFFER"},
    [OC_COUNTER] = {SYM_COUNTER, "COUNTER"},
    [OC_THREAD] = {UINT8_MAX, "thread memory"},
};

bool check_is_memory(unsigned class)
{
    return class == OC_STORAGE || class == OC_SHARED || class == OC_CBUFFER || class == OC_COUNTER ||
           class == OC_THREAD;
}

static struct diag *wrong_kind(struct checker *c, const struct insn *insn, const struct operand *o, unsigned class)
{
    struct span base = program_base(c->program, o);
    return check_error(c, FOR_ALL, base, "%s works on a %s variable, and %.*s is none", op_table[insn->op].name,
                       memory_table[class].word, check_length(base), check_text(c, base));
}

static void check_place(struct checker *c, const struct symbol *s, const struct operand *o, unsigned class)
{
    if (o->flags & (OPND_NEGATE | OPND_ABSOLUTE | OPND_PLUS))
        check_error(c, FOR_SPEC, o->span, "memory has no sign");
    check_indices(c, s, o, NULL);
    struct span suffix = program_suffix(c->program, program_base(c->program, o));
    if (suffix.length && class != OC_CBUFFER)
        check_position(
            check_error(c, FOR_ALL, suffix, "memory has no components: the size of the instruction says them"),
            suffix.offset - 1);
}

void check_memory(struct checker *c, const struct insn *insn, const struct operand *o, unsigned class)
{
    if (o->kind == OPND_NONE) {
        check_unknown_operand(c, o, "variable");
        return;
    }
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
    if (s && s->kind == memory_table[class].symbol) {
        check_place(c, s, o, class);
        return;
    }
    if (class == OC_CBUFFER) {
        if (s && (s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4))
            diag_hint(wrong_kind(c, insn, o, class), "declare it with CBUFFER, or read it as an operand");
        else
            check_operand(c, insn, o, OC_VECTOR);       /* an address, as LOAD takes it */
        return;
    }
    if (class != OC_COUNTER)        /* what misses its component is reported where the dot should be, as what is no
                                     * memory */
        check_operand(c, insn, o, o->nswizzle || o->flags & OPND_BAD_SWIZZLE ? OC_SCALAR : OC_VECTOR);
    struct diag *d = wrong_kind(c, insn, o, class);
    if (class != OC_COUNTER)
        check_position(d, check_next_token(c, span_end(o->span)));
}
