/* Syntax errors: which token is wrong, and what the text probably means. */
#include "asm/check/fix.h"
#include "parser/context.h"

#include "asm/check/suggest.h"

#include <ctype.h>
#include <string.h>

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

static uint32_t end_of_line(const struct parser *p)
{
    uint32_t at = p->token.offset + 2;
    while (at < p->program->size && !strchr("\r\n", p->text[at]))
        at++;
    return at;
}

/* The option that makes another language of this header, one that has the word; NULL if there is none. */
static const char *option_for(const struct parser *p, const char *text, size_t length)
{
    const struct profile_info *mine = &profile_table[p->program->profile];
    for (unsigned other = PROFILE_NONE + 1; other < PROFILE_COUNT; other++) {
        const struct profile_info *info = &profile_table[other];
        if (info->option == OPTION_NONE || other == p->program->profile || strcmp(info->header, mine->header) != 0)
            continue;
        unsigned id = words_find_statement(text, length);
        if (id == OP_COUNT + KEY_NONE && !words_find_suffix(text, length, other, &id))
            continue;
        if (id != OP_COUNT + KEY_NONE && words_open(id, other, p->program->options))
            return option_table[info->option].name;
    }
    return NULL;
}

/* Mesa gets no hint: of the options that bring words it takes none. */
static void refuse(struct parser *p, struct span span, const char *option, const char *form, int length,
                   const char *text, int more, const char *what)
{
    for (int mesa = 0; mesa < (option ? 2 : 1); mesa++) {
        unsigned targets = !option ? FOR_ALL : mesa ? FOR_MESA : FOR_ALL & ~(unsigned)FOR_MESA;
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, targets, span, form, length, text, more, what);
        if (option && !mesa)
            fix_option(p->program, d, option);
    }
}

/* The first token of a statement is no opcode and no keyword of this profile. */
static void invalid_statement(struct parser *p, struct span span)
{
    const char *text = p->text + span.offset;
    const char *stage = profile_table[p->program->profile].stage;
    int length = (int)(span.length < 40 ? span.length : 40);
    const char *dot = memchr(text, '.', span.length);
    struct span word = {span.offset, dot ? (uint32_t)(dot - text) : span.length};
    unsigned id = words_find_statement(text, word.length);
    if (is_foreign((unsigned char)*text)) {
        char next = lexer_next_byte(p);
        bool comment = *text == '/' && (next == '/' || next == '*');
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "there is no word with such a byte");
        if (comment)
            fix_comment(p->program, d, span.offset, next);
        if (comment && next == '/')
            p->resume = end_of_line(p);
        return;
    }
    if (is_foreign((unsigned char)lexer_next_byte(p))) {        /* the driver reads it before it judges the word */
        struct span byte = {span.offset + span.length, 1};
        diag_add(&p->program->diags, DIAG_ERROR, FOR_NVIDIA, byte, "there is no word with such a byte");
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL & ~(unsigned)FOR_NVIDIA, span,
                 "invalid statement: nothing begins with '%.*s'", length, text);
        return;
    }
    struct span whole = {span.offset, word.length};
    const char *dialect = option_for(p, text, word.length);
    unsigned gate = words_option(id);
    bool gated = id != OP_COUNT + KEY_NONE && gate && words_open(id, p->program->profile, UINT64_MAX);
    if (gated || (id != OP_COUNT + KEY_NONE && dialect)) {
        const char *option = dialect ? dialect : option_table[gate].name;
        refuse(p, whole, option, "invalid statement: %.*s needs OPTION %.*s", (int)word.length, text,
               (int)strlen(option), option);
        return;
    }
    if (id != OP_COUNT + KEY_NONE) {
        refuse(p, whole, NULL, "invalid statement: %.*s programs have no %.*s", (int)strlen(stage), stage,
               (int)word.length, text);
        return;
    }
    uint32_t suffix = (uint32_t)words_find_suffix(text, word.length, PROFILE_NONE, &id);
    if (suffix && words_open(id, p->program->profile, p->program->options)) {
        refuse(p, whole, dialect, "invalid statement: %.*s takes no %.*s here", (int)strlen(op_table[id].name),
               op_table[id].name, (int)suffix, text + word.length - suffix);
        return;
    }
    struct diag *diag = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span,
                                 "invalid statement: nothing begins with '%.*s'", length, text);
    bool only;
    const char *meant = asm_suggest_statement(p->program, word, &only);
    fix_word(diag, word, meant, only);
}

static void hint_form(struct parser *p, struct diag *diag)
{
    char form[160];
    if (!diag)
        return;
    asm_describe_op((enum gp5_op)p->head.id, form, sizeof form);
    diag_hint(diag, "it is written: %s", form);
}

/* A comment of C, where a token that no statement has was read. */
static bool at_comment(const struct parser *p)
{
    char next = p->token.length == 1 && p->text[p->token.offset] == '/' ? lexer_next_byte(p) : 0;
    return next == '/' || next == '*';
}

static void missing_operand(struct parser *p, struct span span)
{
    bool result = shape_table[op_table[p->head.id].shape].result != RC_NONE && !p->insn->dst.written;
    const char *what = result ? "a destination" : "an operand";
    int length = (int)(span.length < 40 ? span.length : 40);
    if (span.length) {
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%s is missing before '%.*s'", what,
                                  length, p->text + span.offset);
        if (at_comment(p))
            fix_comment(p->program, d, span.offset, lexer_next_byte(p));
        else
            hint_form(p, d);
    } else {
        hint_form(p, diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span,
                              "%s is missing before the end of the program", what));
    }
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
    while (name_start > p->head.offset &&
           (p->text[name_start - 1] == '_' || isalnum((unsigned char)p->text[name_start - 1])))
        name_start--;
    if (name_start < p->last_end && strchr("[(", p->text[name_start - 1]) &&
        isalpha((unsigned char)p->text[name_start]))
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

/* What is wrong between brackets comes behind what is wrong before them: a name that is none, a test where there are
 * none. */
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
    const char *first = name;           /* of fragment.texcoord[ */
    while (first > head && (first[-1] == '.' || is_name_character(first[-1])))
        first--;
    if (first < name && is_among_words(first, strcspn(first, "."), begin, sizeof begin / sizeof *begin))
        return false;
    if (names_find(p, name, length) != NO_INDEX || is_among_words(name, length, begin, sizeof begin / sizeof *begin) ||
        registers_reserve(p, span) || registers_find(p, span) != NO_INDEX)
        return false;
    diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%.*s is not declared", (int)(length < 80 ? length : 80),
             name);
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

/* Behind blanks and comments, those of C too. */
static uint32_t behind_comments(struct parser *p, uint32_t at)
{
    uint32_t begin = at;
    if (at >= p->comments.offset && at - p->comments.offset < p->comments.length)
        return p->comments.offset + p->comments.length;
    const char *text = p->text, *end = text + p->program->size;
    while (at < p->program->size) {
        const char *from = text + at, *to;
        if (strchr(" \t\r\n", *from) && *from) {
            at++;
            continue;
        }
        bool block = end - from > 1 && !memcmp(from, "/*", 2);
        if (*from != '#' && !block && (end - from < 2 || memcmp(from, "//", 2)))
            break;
        for (to = from + 1; to < end; to++)
            if (block ? to > from + 2 && to[-1] == '*' && *to == '/' : *to == '\n' || *to == '\r')
                break;
        at = (uint32_t)(to - text) + (to < end);
    }
    p->comments = (struct span){begin, at - begin};
    return at;
}

/* Whether the look-ahead, or what stands behind the comments of C that it begins, begins a line and, by its word, a
 * statement: then what the one before it lacks is its end. */
static bool begins_statement(struct parser *p)
{
    uint32_t at = p->token.offset, length = 0;
    unsigned id;
    if (p->after_end || at <= p->head.offset)
        return false;
    if (at_comment(p))
        at = behind_comments(p, at);
    const char *word = p->text + at;
    while (at + length < p->program->size && is_name_character(word[length]))
        length++;
    while (strchr(" \t", p->text[at - 1]))
        at--;
    if (!strchr("\r\n", p->text[at - 1]))
        return false;
    return (words_find_statement(word, length) != OP_COUNT + KEY_NONE ||
            words_find_suffix(word, length, p->program->profile, &id)) &&
           names_find(p, word, length) == NO_INDEX;
}

void parse_syntax_error(struct parser *p, bool bad_number, const char *const *expected, size_t count)
{
    static const char *const order[] = {"'}'", "']'", "')'", "';'", "','", "'='", "'['", "'{'", "'|'"};
    enum { FIRST_OPENING = 6 };
    struct diags *d = &p->program->diags;
    const char *text = p->text + p->token.offset;
    int length = (int)(p->token.length < 40 ? p->token.length : 40);
    struct span span = p->token;
    p->resume = begins_statement(p) ? span.offset : 0;
    if (p->after_end) {
        bool nul = span.length && !*text;       /* where Mesa stops reading */
        struct diag *behind = diag_add(d, DIAG_ERROR, nul ? FOR_ALL & ~(unsigned)FOR_MESA : FOR_ALL, span,
                                       "no program text may follow END");
        if (*text == '!')
            diag_hint(behind, "gp5 check --extract judges each program of a file");
        else if (nul)
            diag_hint(behind, "the length that was given counts the NUL behind the string");
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
    if (i < sizeof order / sizeof *order && span.length) {
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "expected %s before '%.*s'", order[i], length, text);
        if (p->resume && diag && !strcmp(order[i], "';'")) {
            fix_end(diag, p->last_end);
            return;
        }
    }
    else if (i < sizeof order / sizeof *order)
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "expected %s before the end of the program", order[i]);
    else if (span.length)
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "'%.*s' is not expected here", length, text);
    else
        diag = diag_add(d, DIAG_ERROR, FOR_ALL, span, "the program ends in the middle of a statement");
    if (at_comment(p))
        fix_comment(p->program, diag, span.offset, lexer_next_byte(p));
    else if (p->head_is_op)
        hint_form(p, diag);
}
