/* What can go of a test script: sections, lines, words, files of a list; and of each program what program.c finds. */
#include "compare/reduce/reduce.h"

#include <string.h>

static size_t line_end(const struct reduction *r, size_t at)
{
    const char *newline = memchr(r->text + at, '\n', r->size - at);
    return newline ? (size_t)(newline - r->text) + 1 : r->size;
}

/* A section: its header's line, and where it ends. At first the text before any of them. */
struct section {
    size_t header, body, end;
};

static bool next_section(const struct reduction *r, struct section *s)
{
    s->header = s->end;
    s->body = s->header < r->size && r->text[s->header] == '[' ? line_end(r, s->header) : s->header;
    for (s->end = s->body; s->end < r->size && r->text[s->end] != '[';)
        s->end = line_end(r, s->end);
    return s->header < r->size;
}

static bool is_program(const struct reduction *r, const struct section *s)
{
    size_t at = s->body;
    while (at < s->end && strchr(" \t\r\n", r->text[at]))
        at++;
    return s->body > s->header && s->end - at > 2 && !memcmp(r->text + at, "!!", 2);
}

static bool sections(struct reduction *r)
{
    struct edits e;
    edits_begin(&e, r, 0);
    for (struct section s = {0}; next_section(r, &s);) {
        edits_cut(&e, s.header, s.end, "", 0);
        edits_close(&e);
    }
    return edits_try(&e);
}

static bool lines(struct reduction *r)
{
    struct edits e;
    edits_begin(&e, r, 0);
    for (struct section s = {0}; next_section(r, &s);)
        for (size_t at = s.body, end; !is_program(r, &s) && at < s.end; at = end) {
            end = line_end(r, at);
            edits_cut(&e, at, end, "", 0);
            edits_close(&e);
        }
    return edits_try(&e);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Words behind the first of a line: without them, or (once) a number above 1 as 1. */
static void line_words(struct edits *e, const struct reduction *r, size_t at, size_t end, bool numbers)
{
    bool first = true;
    while (at < end) {
        size_t from = at, digits = 0;
        while (at < end && is_blank(r->text[at]))
            at++;
        size_t word = at;
        while (at < end && !is_blank(r->text[at]))
            digits += r->text[at] >= '0' && r->text[at] <= '9', at++;
        if (!first && !numbers && at > word) {
            edits_cut(e, from, at, "", 0);
            edits_close(e);
        } else if (!first && at > word && digits == at - word && (digits > 1 || r->text[word] > '1')) {
            edits_cut(e, word, at, "1", 1);
            edits_close(e);
        }
        first &= at == word;
    }
}

static bool words(struct reduction *r, bool numbers)
{
    bool any = false;
    struct section s = {0};
    size_t behind;
    for (; next_section(r, &s); s.end = r->size - behind) {
        behind = r->size - s.end;
        for (size_t at = s.body; !is_program(r, &s) && s.body > s.header && at < r->size - behind;) {
            size_t end = line_end(r, at), rest = r->size - end;
            struct edits e;
            edits_begin(&e, r, 0);
            line_words(&e, r, at, end, numbers);
            any |= edits_try(&e);
            at = r->size - rest;
        }
    }
    return any;
}

/* Blanks in a row, outside of programs, as one. */
static bool blanks(struct reduction *r)
{
    struct edits e;
    edits_begin(&e, r, 0);
    for (struct section s = {0}; next_section(r, &s);)
        for (size_t at = s.body, from; !is_program(r, &s) && at < s.end; at++) {
            for (from = at; at < s.end && (r->text[at] == ' ' || r->text[at] == '\t'); at++)
                ;
            if (at - from < 2)
                continue;
            edits_cut(&e, from, at, " ", 1);
            edits_close(&e);
        }
    return edits_try(&e);
}

static bool programs(struct reduction *r)
{
    bool any = false;
    struct section s = {0};
    while (next_section(r, &s)) {
        size_t at = s.body;
        if (!is_program(r, &s))
            continue;
        while (is_blank(r->text[at]))
            at++;
        any |= reduce_region(r, at, &s.end);
    }
    return any;
}

static void print_programs(struct reduction *r)
{
    struct section s = {0};
    while (next_section(r, &s)) {
        size_t at = s.body;
        if (!is_program(r, &s))
            continue;
        while (is_blank(r->text[at]))
            at++;
        reduce_print(r, at, &s.end);
    }
}

void reduce_script(struct reduction *r)
{
    bool any;
    do {
        any = sections(r);
        any |= lines(r);
        any |= programs(r);
        any |= words(r, false);
        any |= words(r, true);
        any |= blanks(r);
    } while (any && !reduce_over(r));
    print_programs(r);
}
