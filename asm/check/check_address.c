/* Address registers and what they index, in the dialects that have ADDRESS: ARB and older vertex programs, and A0 of
 * NV_fragment_program2. */
#include "asm/check/check_internal.h"

#include <string.h>

/* Where only A0.x exists. */
static bool one_component(const struct checker *c)
{
    return profile_in(c->profile, AVP | VP10 | VP11 | AFP2);
}

static void check_mask(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    struct span place = check_result_span(c, insn);
    if (insn->op == OP_POPA) {
        uint32_t next = check_next_token(c, span_end(place));
        if (r->mask_written && r->mask != 15)
            check_position(check_error(c, FOR_ALL, place, "POPA writes all of an address register: it has no mask"),
                           next);
        else if (r->condition.written && r->condition.rule != CC_TR)
            check_position(check_error(c, FOR_ALL, program_test_span(c->program, insn), "POPA takes no test"),
                           check_next_token(c, span_end(insn->span)));
        return;
    }
    if (!one_component(c) || r->bad_mask || r->mask == 1)
        return;
    uint32_t letters = program_suffix(c->program, place).offset;
    if (r->mask_written)
        check_position(check_error(c, FOR_MESA, place, "an address register has one component here: write .x"),
                       letters - 1);
    struct diag *d = check_error(c, FOR_ALL, place, "an address register has one component here: write .x");
    if (r->mask_written)
        check_position(d, letters);
    else
        check_position(d, check_next_token(c, span_end(place)));
}

void check_address_result(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct symbol *s = r->kind == OPND_SYMBOL ? program_symbol(c->program, r->ref) : NULL;
    if (!s || s->kind != SYM_ADDRESS) {
        struct span place = check_result_span(c, insn);
        struct diag *d = check_error(c, FOR_ALL, place, "%s writes an address register, and %.*s is none",
                                     op_table[insn->op].name, check_length(place), check_text(c, place));
        diag_hint(d, profile_table[c->profile].generation == GEN_ARB ? "declare one: ADDRESS A0;" : "write A0.x");
        return;
    }
    program_symbol(c->program, r->ref)->written = true;
    check_mask(c, insn);
}

void check_address_operand(struct checker *c, const struct insn *insn, const struct operand *o)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
    struct span base = program_base(c->program, o), suffix = program_suffix(c->program, base);
    if (o->kind == OPND_NONE)
        check_error(c, FOR_ALL, base, "%.*s is not declared", check_length(base), check_text(c, base));
    else if (!s || s->kind != SYM_ADDRESS || o->flags & (OPND_NEGATE | OPND_ABSOLUTE | OPND_PLUS))
        check_error(c, FOR_ALL, o->span, "%s takes an address register, whole and without a sign",
                    op_table[insn->op].name);
    else if (suffix.length)
        check_position(check_error(c, FOR_ALL, suffix, "%s takes an address register, whole", op_table[insn->op].name),
                       suffix.offset - 1);
}

static void outside(struct checker *c, unsigned targets, const struct index *index, int32_t least, int32_t most,
                    uint32_t at)
{
    if (index->offset < least || index->offset > most)
        check_position(check_error(c, targets, index->span, "an offset lies between %d and %d here", least, most), at);
}

/* How far an offset may be from the register. Mesa and the specifications count it from -4096 and from -64. */
static void check_offset(struct checker *c, const struct index *index, uint32_t size)
{
    bool old = profile_in(c->profile, VP10 | VP11);
    uint32_t end = span_end(index->span), number = end;
    while (number > index->span.offset && c->program->text[number - 1] >= '0' && c->program->text[number - 1] <= '9')
        number--;
    outside(c, FOR_MESA, index, -4096, 4095, number);
    if (old)
        outside(c, FOR_NVIDIA | FOR_SPEC, index, -64, 63, end);
    else if (c->profile == PROFILE_ARBFP2)
        outside(c, FOR_NVIDIA, index, 0, 9, end);
    else
        outside(c, FOR_NVIDIA, index, size ? 0 : -156, size ? (int32_t)size - 1 : 255, end);
    if (c->profile == PROFILE_ARBVP)        /* the grammar of the options has any integer */
        outside(c, FOR_SPEC, index, -64, 63, number);
    else if (c->profile == PROFILE_ARBFP2 && index->offset < 0)
        check_error(c, FOR_SPEC, index->span, "A0.x has a number added to it, and none taken from it");
    else if (c->profile == PROFILE_ARBFP2)
        outside(c, FOR_SPEC, index, 0, 9, number);
}

void check_address_index(struct checker *c, const struct index *index, bool array, uint32_t size)
{
    struct span span = index->register_span;
    const struct symbol *s = index->register_kind == OPND_SYMBOL ? program_symbol(c->program, index->reg) : NULL;
    if (!array || !s) {
        bool none = !array && profile_in(c->profile, ANY_FP);
        struct diag *d = check_error(c, FOR_ALL, span, "a number%s is expected here%s",
                                     array ? " or an address register" : "",
                                     none ? ": fragment programs have no relative addressing" : "");
        if (!array && !none && s && s->kind == SYM_ADDRESS)
            diag_hint(d, "declare an array, as in PARAM a[] = { program.env[0..3] }; and write a[%s.x]", s->name);
        return;
    }
    if (s->kind != SYM_ADDRESS) {
        check_error(c, FOR_ALL, span, "%s is no address register", s->name);
        return;
    }
    struct span letters = program_suffix(c->program, span);
    if (!index->component_text)
        check_position(check_error(c, FOR_ALL, span, "an index is one component of an address register: %s.x", s->name),
                       check_next_token(c, span_end(span)));
    else if (!index->component_written || (one_component(c) && index->component)) {
        check_position(
            check_error(c, FOR_MESA, letters, "an index is one component of an address register: %s.x", s->name),
            letters.offset - 1);
        check_error(c, FOR_ALL, letters, "an index is one component of an address register: %s.x", s->name);
    } else {
        if (c->profile == PROFILE_ARBFP2 && !c->index_loops)
            check_error(c, FOR_SPEC, span, "A0 has a value between LOOP and ENDLOOP alone");
        check_offset(c, index, size);
    }
}
