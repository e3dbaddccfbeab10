/* What of a whole program one store needs: the statements that its value is made of, found backwards over names of
 * variables. A guess that is tried and not trusted, and short for that: an array is one variable, and a loop needs all
 * that is named in it. */
#include "compare/fuzz/whole_run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 10, FLAGS = 40 };    /* R0 to R9, then D, H and the rest; CC0, CC1 */

struct slice {
    const char **line;          /* where each begins, and behind the last the end */
    bool *keep;
    size_t lines;
    uint64_t live;              /* who is wanted below: a bit a variable */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static uint64_t variable(const char *word, size_t size)
{
    static const char *const others[] = {"arr", "A", "N", "P", "Z", "Q"}, numbered[] = "RDH";
    const char *kind = strchr(numbered, word[0]);
    if (size == 2 && kind && isdigit((unsigned char)word[1]))
        return UINT64_C(1) << ((kind - numbered) * VARIABLES + word[1] - '0');
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (size == strlen(others[i]) && memcmp(word, others[i], size) == 0)
            return UINT64_C(1) << (3 * VARIABLES + i);
    return 0;
}

/* Variables that are named in [at, end), and flags that a test in parentheses looks at. */
static uint64_t named(const char *at, const char *end)
{
    uint64_t all = 0;
    while (at < end) {
        const char *from = at;
        while (at < end && is_word(*at))
            at++;
        if (at > from)
            all |= variable(from, (size_t)(at - from));
        else if (*at++ == '(' && at < end && isupper((unsigned char)*at)) {
            while (at < end && is_word(*at))
                at++;
            all |= UINT64_C(1) << (FLAGS + (at[-1] == '1'));
        }
    }
    return all;
}

static bool is_op(const char *at, const char *end, const char *op)
{
    size_t n = strlen(op);
    return (size_t)(end - at) > n && memcmp(at, op, n) == 0 && !is_word(at[n]);
}

/* The result of a statement that does nothing else than write it: where it begins; NULL of any other line. */
static const char *result_of(const char *at, const char *end)
{
    const char *word = at;
    while (word < end && *word != ' ')
        word++;
    size_t n = 0;
    while (word < end && word + 1 + n < end && is_word(word[1 + n]))
        n++;
    bool effect =
        word - at < 2 || !isupper((unsigned char)at[1]) || memcmp(at, "ST", 2) == 0 || memcmp(at, "AT", 2) == 0;
    if (effect && !is_op(at, end, "STR"))
        return NULL;
    return n && memchr(at, ',', (size_t)(end - at)) && variable(word + 1, n) ? word + 1 : NULL;
}

static bool has(const char *at, const char *end, const char *what)
{
    const char *found = strstr(at, what);
    return found && found < end;
}

static bool shows(const char *at, const char *end)
{
    return end - at > 3 && memcmp(at, "STB", 3) == 0 && has(at, end, "out[P.y");
}

/* A line above the store, from below: whether it is kept, and who is wanted above it. `loops` are around it. */
static void look(struct slice *s, size_t i, unsigned loops)
{
    const char *at = s->line[i], *end = s->line[i + 1], *result = result_of(at, end), *sources;
    const uint64_t flags[2] = {UINT64_C(1) << FLAGS, UINT64_C(2) << FLAGS};
    s->keep[i] = !shows(at, end);
    if (!s->keep[i])
        return;
    if (!result) {
        s->live |= named(at, end) | flags[0] | flags[1];
        return;
    }
    sources = memchr(result, ',', (size_t)(end - result));
    size_t n = 0;
    while (is_word(result[n]))
        n++;
    uint64_t writes = variable(result, n), sets = has(at, result, ".CC1")  ? flags[1]
                                                  : has(at, result, ".CC") ? flags[0]
                                                                           : 0;
    s->keep[i] = ((writes | sets) & s->live) != 0;
    if (!s->keep[i])
        return;
    if (!loops && result + n == sources)
        s->live &= ~writes;
    s->live |= named(result + n, end);
}

static bool begin(struct slice *s, const char *text, size_t size)
{
    const char *end = text + size;
    for (const char *c = text; c < end; c++)
        s->lines += *c == '\n';
    s->line = calloc(s->lines + 1, sizeof *s->line);
    s->keep = calloc(s->lines + 1, sizeof *s->keep);
    if (!s->line || !s->keep)
        return false;
    for (size_t i = 0; i <= s->lines; i++) {
        s->line[i] = text;
        text = i < s->lines ? (const char *)memchr(text, '\n', (size_t)(end - text)) + 1 : text;
    }
    return true;
}

/* Backwards from the store. */
static void walk(struct slice *s, size_t store)
{
    unsigned loops = 0;
    s->live = named(s->line[store], s->line[store + 1]);
    s->keep[store] = true;
    for (size_t i = store; i-- > 0;) {
        const char *at = s->line[i], *end = s->line[i + 1];
        if (is_op(at, end, "ENDREP")) {
            unsigned depth = 1;
            loops++;
            for (size_t k = i; k-- > 0 && depth;) {
                depth += is_op(s->line[k], s->line[k + 1], "ENDREP");
                depth -= is_op(s->line[k], s->line[k + 1], "REP");
                s->live |= named(s->line[k], s->line[k + 1]) | (UINT64_C(3) << FLAGS);
            }
        } else if (is_op(at, end, "REP") && loops) {
            loops--;
        }
        look(s, i, loops);
    }
}

bool whole_slice(const struct whole_case *c, unsigned number, struct fuzz_text *out)
{
    struct slice s = {0};
    size_t store = 0;
    bool found = begin(&s, c->program.bytes, c->program.size);
    for (size_t i = 0; found && i < s.lines; i++) {
        found = !memchr(s.line[i], ':',
                        (size_t)(s.line[i + 1] - s.line[i])); /* what is called stands elsewhere than it runs */
        if (shows(s.line[i], s.line[i + 1]) && number-- == 0)
            store = i;
    }
    found &= store > 0;
    if (found) {
        walk(&s, store);
        for (size_t i = store + 1; i < s.lines; i++)
            s.keep[i] = !result_of(s.line[i], s.line[i + 1]) && !shows(s.line[i], s.line[i + 1]);
        for (size_t i = 0; i < s.lines; i++)
            if (s.keep[i])
                fuzz_text_add(out, s.line[i], (size_t)(s.line[i + 1] - s.line[i]));
        fuzz_text_put(out, "");
    }
    free(s.line);
    free(s.keep);
    return found && !out->failed;
}
