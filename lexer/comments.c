/* Comments and blank lines: no tokens, but statements that the printer keeps. */
#include "parser/context.h"

void lexer_comment(struct parser *p, struct span span)
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

void lexer_blank(struct parser *p)
{
    uint32_t n = p->program->nstatements;
    if (n && program_statement(p->program, n - 1).kind == STMT_BLANK)
        return;
    struct statement *s = statement_add(p, STMT_BLANK);
    if (s)
        s->span = (struct span){0, 0};
}
