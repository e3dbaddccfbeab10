#include "lsp/context.h"

#include "asm/words.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Where the statement that holds `offset` begins, blanks passed over; *comment: the place is in a comment. */
static size_t statement_start(const struct document *d, const struct region *r, size_t offset, bool *comment)
{
    const char *header = gp5_header(r->program);
    size_t start = r->offset + (header ? strlen(header) : 0);

    *comment = offset < start;
    for (size_t i = start; i < offset; i++) {
        if (d->text[i] == '#')
            *comment = true;
        else if (ends_line(d->text[i]))
            *comment = false;
        else if (!*comment && (d->text[i] == ';' || d->text[i] == ':'))
            start = i + 1;
    }
    for (bool skips = false; start < offset && (skips || d->text[start] == '#' || is_blank(d->text[start])); start++)
        skips = (skips || d->text[start] == '#') && !ends_line(d->text[start]);
    return start;
}

static bool in_path(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("_$.[]", c);
}

struct context lsp_context_at(const struct document *d, const struct region *r, size_t offset)
{
    bool comment;
    size_t start = statement_start(d, r, offset, &comment), end = start;
    struct context c = {.kind = LSP_OPERAND, .opcode = word_at(d, start), .typed = {offset, 0}};

    if (comment) {
        c.kind = LSP_COMMENT;
        return c;
    }
    while (end < offset && !is_blank(d->text[end]))
        end++;
    while (c.typed.offset > start && d->text[c.typed.offset - 1] && in_path(d->text[c.typed.offset - 1]))
        c.typed.offset--;
    if (end == offset) {        /* still in the statement's first word */
        const char *dot = memchr(d->text + start, '.', offset - start);
        c.kind = dot ? LSP_MODIFIER : LSP_OPCODE;
        while (dot && memchr(d->text + c.typed.offset, '.', offset - c.typed.offset))
            c.typed.offset++;
    } else if (c.opcode.length == 6 && !memcmp(d->text + c.opcode.offset, "OPTION", 6)) {
        c.kind = LSP_OPTION;
    }
    c.typed.length = offset - c.typed.offset;
    return c;
}

uint64_t lsp_options(const struct gp5_program *program)
{
    uint64_t options = 0;

    for (size_t i = 0; i < program->nstatements; i++) {
        const struct statement whole_s = program_statement(program, i), *s = &whole_s;
        if (s->kind == STMT_OPTION && s->ref < OPTION_COUNT)
            options |= UINT64_C(1) << s->ref;
    }
    return options;
}

unsigned lsp_find_op(const struct document *d, struct word word)
{
    const char *text = d->text + word.offset;
    size_t length = word.length;

    for (const char *sat = "_SAT"; length > strlen(sat) && !memcmp(text + length - strlen(sat), sat, strlen(sat));)
        length -= strlen(sat);
    for (size_t suffixes = 0; suffixes < 3 && length > 1; suffixes++, length--) {
        unsigned op = asm_find_op(text, length);
        if (op != OP_UNKNOWN)
            return op;
        if (!strchr("CRHX", text[length - 1]))
            break;
    }
    return OP_UNKNOWN;
}

unsigned lsp_find_keyword(const struct document *d, struct word word)
{
    unsigned key = 0;

    while (key < KEY_COUNT && (strlen(keyword_table[key].name) != word.length ||
                               memcmp(keyword_table[key].name, d->text + word.offset, word.length) != 0))
        key++;
    return key;
}
