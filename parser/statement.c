/* Statements in the order of the text, instructions put together, and syntax errors. */
#include "parser/context.h"

#include "asm/modifiers.h"
#include "asm/suggest.h"

#include <ctype.h>
#include <string.h>

struct statement *statement_add(struct parser *p, enum statement_kind kind)
{
    struct statement *s = PUSH(p, statements, struct statement);
    if (s)
        *s = (struct statement){.kind = (uint8_t)kind, .span = {p->head.offset, p->last_end - p->head.offset}};
    return s;
}

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
    p->head_is_op = p->pending = false;
    p->option_name.length = 0;
    p->nselects = 0;
}

void parse_comment(struct parser *p, struct span span)
{
    bool trailing = p->at_start && !p->line_break && !p->in_statement;
    struct statement *s = statement_add(p, STMT_COMMENT);
    if (!s)
        return;
    p->line_break = false;
    s->trailing = trailing;
    s->span = span;
    while (s->span.length && (p->text[span.offset + s->span.length - 1] == ' ' ||
                              p->text[span.offset + s->span.length - 1] == '\t'))
        s->span.length--;
}

void parse_blank(struct parser *p)
{
    size_t n = p->program->statements.count;
    if (n && program_statement(p->program, (uint32_t)n - 1)->kind == STMT_BLANK)
        return;
    struct statement *s = statement_add(p, STMT_BLANK);
    if (s)
        s->span = (struct span){0, 0};
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void add_modifier(struct parser *p, unsigned id, uint32_t offset, uint32_t length, bool suffix)
{
    struct modifier *m = p->insn->nmodifiers < UINT8_MAX ? PUSH(p, modifiers, struct modifier) : NULL;
    if (!m)
        return;
    *m = (struct modifier){.id = (uint8_t)id, .suffix = suffix, .span = {offset, length}};
    p->insn->nmodifiers++;
}

/* MUL .U: what hangs on an opcode behind a space. */
void statement_more_modifiers(struct parser *p, struct token suffix)
{
    p->head.length = suffix.offset + suffix.length - p->head.offset;
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
        add_modifier(p, words_find_modifier(&p->words, at, length), (uint32_t)(at - p->text), (uint32_t)length, false);
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

static uint32_t keep_instruction(struct parser *p, uint32_t flags)
{
    struct insn *insn = p->insn;
    insn->op = (uint16_t)p->head.id;
    insn->src = p->first_operand;
    insn->nsrc = count_operands(p);
    insn->partner = NO_INDEX;
    insn->span = (struct span){p->head.offset, p->last_end - p->head.offset};
    take_modifiers(p);
    asm_resolve_modifiers(p->program, insn);
    insn->flags |= flags;
    struct statement *s = statement_add(p, STMT_INSTRUCTION);
    if (!s || p->failed)
        return NO_INDEX;
    s->ref = (uint32_t)p->program->insns.count++;
    return s->ref;
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
    else
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
    uint32_t symbol = names_find(p, p->text + name.offset, name.length);
    struct span span = {name.offset, name.length};
    struct diag *again = NULL;
    if (symbol == NO_INDEX || program_symbol(p->program, symbol)->kind != SYM_LABEL ||
        program_symbol(p->program, symbol)->defined) {
        if (symbol != NO_INDEX)
            again = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "'%.*s' is declared already",
                     (int)(name.length < 80 ? name.length : 80), p->text + name.offset);
        if (again && program_symbol(p->program, symbol)->kind == SYM_LABEL)
            again->position = program_next_token(p->program, name.offset + name.length);
        if (symbol == NO_INDEX)
            label_is_a_word(p, name);
        symbol = names_add(p, SYM_LABEL, span);
    }
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
    }
    statement_next(p);
}

void statement_end(struct parser *p)
{
    struct statement *s = statement_add(p, STMT_END);
    if (s)
        s->span = (struct span){p->end.offset, p->end.length};
}

/* ---- syntax errors ----------------------------------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, expected[i]) == 0)
            return true;
    return false;
}

/* A byte that no token begins with. */
static bool is_foreign(unsigned char byte)
{
    static const char known[] = " \t\r\n_$.,;:=[]{}()|+-#";
    return byte && !isalnum(byte) && !memchr(known, byte, sizeof known - 1);
}

/* The option that makes another language of this header, one that has the word; NULL if there is none. */
static const char *option_for(const struct parser *p, const char *text, size_t length)
{
    const struct profile_info *mine = &profile_table[p->program->profile];
    for (unsigned other = PROFILE_NONE + 1; other < PROFILE_COUNT; other++) {
        const struct profile_info *info = &profile_table[other];
        if (info->option == OPTION_NONE || other == p->program->profile || strcmp(info->header, mine->header) != 0)
            continue;
        unsigned id = words_find_statement(&p->words, text, length);
        if (id == OP_COUNT + KEY_NONE && !words_find_suffix(&p->words, text, length, other, &id))
            continue;
        if (id != OP_COUNT + KEY_NONE && words_open(id, other, p->program->options))
            return option_table[info->option].name;
    }
    return NULL;
}

static void hint_option(const struct parser *p, struct diag *diag, const char *text, size_t length)
{
    const char *option = option_for(p, text, length);
    if (option)
        diag_hint(diag, "OPTION %s; brings it", option);
}

/* The first token of a statement is no opcode and no keyword of this profile. */
static void invalid_statement(struct parser *p, struct span span)
{
    const char *text = p->text + span.offset;
    const char *stage = profile_table[p->program->profile].stage;
    int length = (int)(span.length < 40 ? span.length : 40);
    const char *dot = memchr(text, '.', span.length);
    struct span word = {span.offset, dot ? (uint32_t)(dot - text) : span.length};
    unsigned id = words_find_statement(&p->words, text, word.length);
    if (is_foreign((unsigned char)lexer_next_byte(p))) {        /* the driver reads it before it judges the word */
        struct span byte = {span.offset + span.length, 1};
        diag_add(&p->program->diags, DIAG_ERROR, FOR_NVIDIA, byte, "there is no word with such a byte");
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL & ~(unsigned)FOR_NVIDIA, span, "invalid statement: nothing begins with '%.*s'",
                 length, text);
        return;
    }
    unsigned option = words_option(id);
    if (id != OP_COUNT + KEY_NONE && option && words_open(id, p->program->profile, UINT64_MAX)) {
        diag_hint(diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){span.offset, word.length},
                           "invalid statement: %.*s needs OPTION %s", (int)word.length, text, option_table[option].name),
                  "add OPTION %s;", option_table[option].name);
        return;
    }
    if (id != OP_COUNT + KEY_NONE) {
        hint_option(p, diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){span.offset, word.length},
                                "invalid statement: %s programs have no %.*s", stage, (int)word.length, text),
                    text, word.length);
        return;
    }
    uint32_t suffix = (uint32_t)words_find_suffix(&p->words, text, word.length, PROFILE_NONE, &id);
    if (suffix && words_open(id, p->program->profile, p->program->options)) {
        hint_option(p, diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){span.offset, word.length},
                                "invalid statement: %s takes no %.*s here", op_table[id].name, (int)suffix,
                                text + word.length - suffix),
                    text, word.length);
        return;
    }
    struct diag *diag = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span,
                                 "invalid statement: nothing begins with '%.*s'", length, text);
    const char *meant = asm_suggest_statement(p->program, word);
    if (diag && meant)
        diag_hint(diag, "did you mean %s?", meant);
}

static void hint_form(struct parser *p, struct diag *diag)
{
    char form[160];
    if (!diag)
        return;
    asm_describe_op((enum gp5_op)p->head.id, form, sizeof form);
    diag_hint(diag, "it is written: %s", form);
}

static void missing_operand(struct parser *p, struct span span)
{
    bool result = shape_table[op_table[p->head.id].shape].result != RC_NONE && !p->insn->dst.written;
    const char *what = result ? "a destination" : "an operand";
    int length = (int)(span.length < 40 ? span.length : 40);
    if (span.length)
        hint_form(p, diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%s is missing before '%.*s'", what, length,
                              p->text + span.offset));
    else
        hint_form(p, diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%s is missing before the end of the program",
                              what));
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool is_among_words(const char *text, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

/* Whether a suffix may follow what was read last: a name without components, an element, or a vector. */
static bool takes_suffix(const struct parser *p)
{
    if (!p->head_is_op)
        return p->bad_item;     /* the beginning of a binding, which was reported */
    if (p->last_end <= p->head.offset + p->head.length)
        return profile_table[p->program->profile].typed;        /* MOV. R0 */
    char last = p->text[p->last_end - 1];
    if (last == '}')
        return true;
    uint32_t name_start = p->last_end;
    while (name_start > p->head.offset && (p->text[name_start - 1] == '_' || isalnum((unsigned char)p->text[name_start - 1])))
        name_start--;
    if (name_start < p->last_end && strchr("[(", p->text[name_start - 1]) && isalpha((unsigned char)p->text[name_start]))
        return true;            /* c[A0.], (EQ.) */
    struct span path = p->path.span;
    if (path.offset + path.length != p->last_end || asm_find_target(p->text + path.offset, path.length))
        return false;
    bool name = names_find(p, p->text + path.offset, p->path.first) != NO_INDEX;
    return last == ']' || !name || path.length == p->path.first;
}

/* The bracket that the error stands in, or NULL. */
static const char *open_bracket(const struct parser *p, char open, char close)
{
    const char *head = p->text + p->head.offset;
    for (const char *at = p->text + p->token.offset; at-- > head && *at != close;)
        if (*at == open)
            return at;
    return NULL;
}

/* What is wrong between brackets comes behind what is wrong before them: a name that is none, a test where there are none. */
static bool wrong_before(struct parser *p)
{
    static const char *const begin[] = {"program", "result", "state", "texture", "vertex", "fragment", "primitive",
                                        "invocation", "image"};
    const char *bracket = open_bracket(p, '[', ']'), *parenthesis = open_bracket(p, '(', ')');
    const char *head = p->text + p->head.offset;
    if (parenthesis && !profile_in(p->program->profile, CONDITIONS) &&
        !memchr(head, ',', (size_t)(parenthesis - head))) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){(uint32_t)(parenthesis - p->text), 1},
                 "%s programs have no condition codes", profile_table[p->program->profile].stage);
        return true;
    }
    const char *name = bracket;
    while (name && name > head && (name[-1] == ' ' || name[-1] == '\t'))
        name--;
    const char *end = name;
    while (name && name > head && is_name_character(name[-1]))
        name--;
    if (!name || name == end || name == head)
        return false;
    size_t length = (size_t)(end - name);
    struct span span = {(uint32_t)(name - p->text), (uint32_t)length};
    if (names_find(p, name, length) != NO_INDEX || is_among_words(name, length, begin, sizeof begin / sizeof *begin) ||
        registers_reserve(p, span) || registers_find(p, span) != NO_INDEX)
        return false;
    diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%.*s is not declared", (int)(length < 80 ? length : 80), name);
    return true;
}

/* A dot with no word behind it. The driver has taken the dot and misses the word. */
static bool lonely_dot(struct parser *p)
{
    struct span span = p->token;
    if (span.length != 1 || p->text[span.offset] != '.' || !takes_suffix(p))
        return false;
    diag_add(&p->program->diags, DIAG_ERROR, FOR_MESA | FOR_SPEC, span, "a dot with nothing behind it");
    struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_NVIDIA, span, "a dot with nothing behind it");
    if (d)
        d->position = lexer_next_offset(p);
    return true;
}

/* PARAM = 1: the driver takes whatever stands there for the name, and misses what comes behind. */
static bool missing_name(struct parser *p)
{
    struct span span = p->token;
    bool declares = !p->head_is_op && p->declared.kind && p->declared.kind != SYM_TEMP &&
                    p->declared.kind != SYM_ADDRESS && p->last_symbol == NO_INDEX;
    if (!declares || !span.length)
        return false;
    int length = (int)(span.length < 40 ? span.length : 40);
    diag_add(&p->program->diags, DIAG_ERROR, FOR_MESA | FOR_SPEC, span, "a name is expected before '%.*s'", length,
             p->text + span.offset);
    struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_NVIDIA, span, "'%.*s' is no name", length,
                              p->text + span.offset);
    if (d)
        d->position = lexer_next_offset(p);
    return true;
}

void parse_syntax_error(struct parser *p, bool bad_number, const char *const *expected, size_t count)
{
    static const char *const order[] = {"'}'", "']'", "')'", "';'", "','", "'='", "'['", "'{'", "'|'"};
    enum { FIRST_OPENING = 6 };
    struct diags *d = &p->program->diags;
    const char *text = p->text + p->token.offset;
    int length = (int)(p->token.length < 40 ? p->token.length : 40);
    struct span span = p->token;
    if (p->after_end) {
        diag_add(d, DIAG_ERROR, FOR_ALL, span, "no program text may follow END");
        return;
    }
    if (bad_number) {
        uint32_t digits = 0;    /* Mesa reads a number and then a name */
        while (digits < span.length && (text[digits] == '.' || (text[digits] >= '0' && text[digits] <= '9')))
            digits++;
        struct diag *mesa = diag_add(d, DIAG_ERROR, FOR_MESA, span, "invalid suffix on the number %.*s", length, text);
        if (mesa && is_among("INTEGER", expected, count))
            mesa->position = span.offset + digits;
        diag_add(d, DIAG_ERROR, FOR_NVIDIA | FOR_SPEC, span, "invalid suffix on the number %.*s", length, text);
        return;
    }
    if (span.offset == p->head.offset && span.length) {
        invalid_statement(p, span);
        return;
    }
    if (lonely_dot(p) || missing_name(p) || (p->head_is_op && wrong_before(p)))
        return;
    struct diag *diag;
    size_t i = is_among("WORD", expected, count) ? FIRST_OPENING : 0;
    if (i && (is_among("'}'", expected, count) || is_among("']'", expected, count) || is_among("')'", expected, count)))
        i = 0;
    if (i && p->head_is_op) {
        missing_operand(p, span);
        return;
    }
    while (i < sizeof order / sizeof *order && !is_among(order[i], expected, count))
        i++;
    if (i < sizeof order / sizeof *order && span.length)
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "expected %s before '%.*s'", order[i], length, text);
    else if (i < sizeof order / sizeof *order)
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "expected %s before the end of the program", order[i]);
    else if (span.length)
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "'%.*s' is not expected here", length, text);
    else
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "the program ends in the middle of a statement");
    if (p->head_is_op)
        hint_form(p, diag);
}
