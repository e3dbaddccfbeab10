/* Statements in the order of the text, and instructions put together. */
#include "parser/context.h"

#include "asm/modifiers.h"

#include <string.h>

/* The place of the next instruction: it is counted only when it is complete. */
static bool next_place(struct parser *p)
{
    struct vec *insns = &p->program->insns;
    if (insns->count == insns->capacity) {
        if (vec_grow(insns) == SIZE_MAX) {
            p->failed = true;
            p->insn = &p->spare;
            return false;
        }
        insns->count--;
    }
    p->insn = (struct insn *)insns->data + insns->count;
    return true;
}

void statement_next(struct parser *p)
{
    static const struct insn none = {0};
    next_place(p);
    *p->insn = none;
    p->first_operand = (uint32_t)p->program->operands.count;
    p->first_symbol = (uint32_t)p->program->symbols.count;
    p->first_binding = (uint32_t)p->program->bindings.count;
    p->head_is_op = p->pending = p->head_taken = false;
    p->option_name.length = 0;
    p->nselects = 0;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Its place counts from the beginning of the instruction. */
static void add_modifier(struct parser *p, unsigned id, uint32_t offset, uint32_t length, bool suffix)
{
    struct modifier *m = p->insn->nmodifiers < UINT8_MAX ? PUSH(p, modifiers, struct modifier) : NULL;
    if (!m)
        return;
    *m = (struct modifier){.id = (uint8_t)id, .suffix = suffix, .span = {offset - p->head.offset, length}};
    p->insn->nmodifiers++;
}

/* MUL .U: what hangs on an opcode behind a space. */
void statement_more_modifiers(struct parser *p, struct token suffix)
{
    p->head.length = suffix.offset + suffix.length - p->head.offset;
    p->head_memo = NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* RC0_SAT: a precision, a condition code, a clamp; each may be missing. */
static void take_suffix(struct parser *p, uint32_t at, uint32_t length)
{
    uint32_t end = at + length;
    if (at < end && (p->text[at] == 'R' || p->text[at] == 'H' || p->text[at] == 'X')) {
        p->insn->flags |= p->text[at] == 'H' ? INSN_HALF : p->text[at] == 'X' ? INSN_FIXED : 0;
        add_modifier(p, p->text[at] == 'H' ? MOD_F16 : MOD_F32, at, 1, true);
        at++;
    }
    if (at < end && p->text[at] == 'C') {
        uint32_t letters = at + 1 < end && p->text[at + 1] != '_' ? 2 : 1;
        add_modifier(p, letters == 1 ? MOD_CC : p->text[at + 1] == '0' ? MOD_CC0 : MOD_CC1, at, letters, true);
        at += letters;
    }
    if (at < end)
        add_modifier(p, end - at == 4 ? MOD_SAT : MOD_SSAT, at + 1, end - at - 1, true);
}

static void take_modifiers(struct parser *p)
{
    const char *text = p->text + p->head.offset, *end = text + p->head.length, *at = text;
    p->insn->modifier = (uint32_t)p->program->modifiers.count;
    while (at < end && *at != '.')
        at++;
    if (p->head_suffix)
        take_suffix(p, (uint32_t)(at - p->text) - p->head_suffix, p->head_suffix);
    while (at < end) {
        do
            at++;
        while (at < end && is_space(*at));
        const char *next = at;
        while (next < end && *next != '.' && !is_space(*next))
            next++;
        size_t length = (size_t)(next - at);
        add_modifier(p, words_find_modifier(at, length), (uint32_t)(at - p->text), (uint32_t)length, false);
        at = next;
        while (at < end && *at != '.')
            at++;
    }
}

/* Lists of arguments are as long as somebody writes them; no instruction takes more than this. */
enum { MOST_OPERANDS = 8 };

static uint8_t count_operands(struct parser *p)
{
    size_t count = p->program->operands.count - p->first_operand;
    if (count <= MOST_OPERANDS)
        return (uint8_t)count;
    diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL,
             program_operand(p->program, p->first_operand + MOST_OPERANDS)->span, "%s has too many operands",
             op_table[p->head.id].name);
    return MOST_OPERANDS;
}

static void copy_head(struct insn *to, const struct insn *from)
{
    to->nmodifiers = from->nmodifiers;
    to->modifier = from->modifier;
    to->type = from->type;
    to->type2 = from->type2;
    to->width = from->width;
    to->atomic = from->atomic;
    to->rounding = from->rounding;
    to->cc_update = from->cc_update;
    to->flags = from->flags;
}

/* What the opcode's word says; the same word says it again. */
static void take_head(struct parser *p)
{
    struct insn *insn = p->insn;
    struct head_memo *memo = p->head_memo;
    insn->op = p->head.id;
    if (!insn->dst.written)
        insn->dst.partner = NO_INDEX;
    if (memo && memo->known) {
        copy_head(insn, &memo->insn);
        return;
    }
    take_modifiers(p);
    asm_resolve_modifiers(p->program, insn);
    if (memo) {
        memo->known = true;
        memo->insn = (struct insn){.op = insn->op, .dst.partner = NO_INDEX};
        copy_head(&memo->insn, insn);
    }
}

static uint32_t keep_instruction(struct parser *p, uint32_t flags)
{
    struct insn *insn = p->insn;
    insn->src = p->first_operand;
    insn->nsrc = count_operands(p);
    insn->span = (struct span){p->head.offset, p->last_end - p->head.offset};
    if (!p->head_taken)
        take_head(p);
    insn->flags |= flags;
    if (p->failed)
        return NO_INDEX;
    p->program->nstatements++;
    return (uint32_t)p->program->insns.count++;
}

void statement_instruction(struct parser *p)
{
    uint32_t index = keep_instruction(p, 0);
    if (index != NO_INDEX)
        flow_instruction(p, index);
    statement_next(p);
}

/* What was read of a statement before a syntax error is judged as well: the driver meets it first. */
void statement_broken(struct parser *p)
{
    if (p->option_name.length) {    /* that there is no such option comes first */
        statement_option(p, p->option_name);
        return;
    }
    if (p->head_is_op) {
        uint32_t index = keep_instruction(p, INSN_BROKEN);
        if (index != NO_INDEX)
            flow_instruction(p, index);
    }
    else if (p->text[p->head.offset] != '/')        /* a comment of C stands for no statement */
        statement_add(p, STMT_BROKEN);
    declare_reset(p);
    statement_next(p);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Whoever reads an opcode or END takes what follows for its operands, or for text behind the end. */
static void label_is_a_word(struct parser *p, struct token name)
{
    const char *text = p->text + name.offset;
    bool end = name.length == 3 && memcmp(text, "END", 3) == 0;
    unsigned whose = end ? FOR_ALL : *text >= 'A' && *text <= 'Z' ? declare_reserved_for(p, name) : 0;
    struct diag *d = NULL;

    if (!(whose & FOR_NVIDIA))      /* a keyword, which some texts reserve and the driver does not */
        return;
    d = diag_add(&p->program->diags, DIAG_ERROR, whose, (struct span){name.offset, name.length},
                 "'%.*s' is a reserved word", (int)(name.length < 80 ? name.length : 80), text);
    if (d)
        d->position = program_next_token(p->program, name.offset + name.length);
}

void statement_label(struct parser *p, struct token name, const struct token *number)
{
    uint32_t named = names_find(p, p->text + name.offset, name.length),
             symbol = names_find_label(p, p->text + name.offset, name.length);
    struct span span = {name.offset, name.length};
    struct diag *again = NULL;
    bool variable = named != NO_INDEX && program_symbol(p->program, named)->kind != SYM_LABEL,
         twice = symbol != NO_INDEX && program_symbol(p->program, symbol)->defined;
    if (variable || twice)      /* no text forbids a label to have a variable's name */
        again = diag_add(&p->program->diags, DIAG_ERROR, twice ? FOR_ALL : FOR_ALL & ~(unsigned)FOR_SPEC, span,
                         "'%.*s' is declared already", (int)(name.length < 80 ? name.length : 80),
                         p->text + name.offset);
    if (again && !variable)
        again->position = program_next_token(p->program, name.offset + name.length);
    if (named == NO_INDEX)
        label_is_a_word(p, name);
    if (symbol == NO_INDEX || twice)
        symbol = names_add(p, SYM_LABEL, span);
    struct statement *s = statement_add(p, STMT_LABEL);
    if (s && symbol != NO_INDEX) {
        struct symbol *label = program_symbol(p->program, symbol);
        label->defined = true;
        label->span = span;
        label->instruction = (uint32_t)p->program->insns.count;
        label->depth = (uint32_t)p->blocks.count;
        label->numbered = number != NULL;
        label->number = number ? (uint32_t)parse_integer(p, *number, INT32_MAX) : 0;
        s->ref = symbol;
    }
    statement_next(p);
}

void statement_option(struct parser *p, struct token name)
{
    struct statement *s = statement_add(p, STMT_OPTION);
    if (s) {
        enum gp5_option option = asm_find_option(p->text + name.offset, name.length);
        s->ref = option;
        s->count = name.offset;
        if (option != OPTION_UNKNOWN)
            p->program->options |= UINT64_C(1) << option;
        if (option != OPTION_UNKNOWN)
            p->program->profile = asm_profile_with(p->program->profile, option);
        memset(p->memo, 0, sizeof p->memo);     /* an option may bring bindings */
        p->heads_met = 0;                       /* and opcodes */
    }
    statement_next(p);
}

void statement_end(struct parser *p)
{
    struct statement *s = statement_add(p, STMT_END);
    if (s)
        s->span = (struct span){p->end.offset, p->end.length};
}
