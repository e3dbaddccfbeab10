/* What the texts of NVIDIA's options of ARB programs forbid, and the driver takes: letters behind opcodes that their
 * tables do not have, signs inside of bars, packed values in SHORT variables. The rows are those of
 * tests/cli/option_texts.txt. */
#include "asm/check/check_internal.h"

#include <string.h>

/* ADDRC_SAT: where its letters begin and how many there are, but for those of _SAT and _SSAT. */
static struct span letters_of(const struct checker *c, const struct insn *insn)
{
    struct span word = check_first_word(c, insn->span);
    const char *text = check_text(c, word), *clamp = memchr(text, '_', word.length);
    uint32_t name = (uint32_t)strlen(op_table[insn->op].name),
             end = clamp ? (uint32_t)(clamp - text) : word.length;
    return (struct span){word.offset + name, end > name ? end - name : 0};
}

/* Table X.5 of NV_fragment_program_option, and of NV_fragment_program2. */
static void check_letters(struct checker *c, const struct insn *insn)
{
    bool first = c->profile == PROFILE_ARBFP1;
    if (insn->op != OP_CMP && !(first && (insn->op == OP_SCS || insn->op == OP_SWZ || insn->op == OP_XPD)))
        return;
    struct span letters = letters_of(c, insn);
    if (!letters.length || (!first && letters.length == 1 && *check_text(c, letters) == 'C'))
        return;
    check_error(c, FOR_SPEC, letters, "%s takes no %.*s in the table of OPTION %s", op_table[insn->op].name,
                check_length(letters), check_text(c, letters), first ? "NV_fragment_program" : "NV_fragment_program2");
}

static bool is_short(const struct checker *c, unsigned kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(c->program, ref)->size == SIZE_SHORT;
}

/* What is packed has 32 bits. */
static void check_packed(struct checker *c, const struct insn *insn)
{
    switch (insn->op) {
    case OP_PK2H:
    case OP_PK2US:
    case OP_PK4B:
    case OP_PK4UB:
        if (is_short(c, insn->dst.kind, insn->dst.ref))
            check_error(c, FOR_SPEC, check_result_span(c, insn), "%s writes 32 bits: not to a SHORT variable",
                        op_table[insn->op].name);
        break;
    case OP_UP2H:
    case OP_UP2US:
    case OP_UP4B:
    case OP_UP4UB:
        if (insn->nsrc) {
            const struct operand *o = program_operand(c->program, insn->src);
            if (is_short(c, o->kind, o->ref))
                check_error(c, FOR_SPEC, o->span, "%s reads 32 bits: not of a SHORT variable",
                            op_table[insn->op].name);
        }
        break;
    default:
        break;
    }
}

void check_option_text(struct checker *c, const struct insn *insn)
{
    if (c->typed || profile_in(c->profile, AFP1 | AFP2))
        check_packed(c, insn);
    if (c->typed)
        check_typed_text(c, insn);
    if (!profile_in(c->profile, AVP2 | AVP3 | AFP1 | AFP2))
        return;
    if (profile_in(c->profile, AFP1 | AFP2))
        check_letters(c, insn);
    for (uint32_t i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(c->program, insn->src + i);
        if (o->flags & OPND_NEGATE_INNER)
            check_error(c, FOR_SPEC, o->span, "a sign stands before the bars and not behind the first");
    }
}
