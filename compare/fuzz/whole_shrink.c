/* A failing program made small: without statements, blocks, modifiers and signs that the failure does not need. */
#include "compare/fuzz/whole_run.h"

#include <stdlib.h>
#include <string.h>

struct shrinker {
    struct whole_case *c;
    bool (*fails)(void *user, const struct whole_case *c);
    void *user;
    bool changed;
};

/* The text without [from, to), with `in` there instead; kept when it still fails. */
static bool without(struct shrinker *s, size_t from, size_t to, const char *in)
{
    struct fuzz_text old = s->c->program, t = {0};
    fuzz_text_add(&t, old.bytes, from);
    fuzz_text_put(&t, in);
    fuzz_text_add(&t, old.bytes + to, old.size - to);
    s->c->program = t;
    if (!t.failed && s->fails(s->user, s->c)) {
        fuzz_text_free(&old);
        s->changed = true;
        return true;
    }
    fuzz_text_free(&t);
    s->c->program = old;
    return false;
}

static size_t line_end(const struct whole_case *c, size_t at)
{
    const char *end = memchr(c->program.bytes + at, '\n', c->program.size - at);
    return end ? (size_t)(end - c->program.bytes) + 1 : c->program.size;
}

static bool begins(const struct whole_case *c, size_t at, const char *word)
{
    size_t n = strlen(word);
    return c->program.size - at >= n && memcmp(c->program.bytes + at, word, n) == 0;
}

/* 0 at the end: what was tried there may have shortened the text. */
static char letter(const struct whole_case *c, size_t at)
{
    return at < c->program.size ? c->program.bytes[at] : '\0';
}

/* Where a lane finds its part of the buffers: without these, lanes that write to one place seem to differ. */
static bool finds_place(const struct whole_case *c, size_t at)
{
    static const char *const lines[] = {"MAD.U N", "MUL.U N", "MAD.U P", "MUL.U P", "AND.U P"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (begins(c, at, lines[i]))
            return true;
    return false;
}

/* A RET in front of a label: a main program that runs into what something calls hangs the driver, and takes its
 * neighbours' answers with it. */
static bool ends_part(const struct whole_case *c, size_t at)
{
    size_t next = line_end(c, at), end = next < c->program.size ? line_end(c, next) : next;
    return begins(c, at, "RET") && memchr(c->program.bytes + next, ':', end - next) != NULL;
}

/* Runs of lines, from half of the program down to one; what did not go is tried again in shorter runs. */
static void drop_lines(struct shrinker *s)
{
    size_t lines = 0;
    for (size_t i = 0; i < s->c->program.size; i = line_end(s->c, i))
        lines++;
    for (size_t run = lines / 2; run; run /= 2)
        for (size_t at = 0; at < s->c->program.size;) {
            size_t end = at;
            for (size_t i = 0; i < run && end < s->c->program.size && !finds_place(s->c, end) && !ends_part(s->c, end);
                 i++)
                end = line_end(s->c, end);
            if (end == at)
                at = line_end(s->c, at);
            else if (!without(s, at, end, ""))
                at = end;
        }
}

/* The line that closes the block that opens at `at`, or the text's size; `middle` gets an ELSE of it. */
static size_t closing(const struct whole_case *c, size_t at, size_t *middle)
{
    unsigned depth = 0;
    *middle = c->program.size;
    for (; at < c->program.size; at = line_end(c, at)) {
        if (begins(c, at, "IF") || begins(c, at, "REP"))
            depth++;
        if (begins(c, at, "ELSE") && depth == 1)
            *middle = at;
        if ((begins(c, at, "ENDIF") || begins(c, at, "ENDREP")) && --depth == 0)
            return at;
    }
    return at;
}

/* Blocks as a whole, then their first and last lines alone, then one side of an IF. */
static void drop_blocks(struct shrinker *s)
{
    for (size_t at = 0; at < s->c->program.size; at = line_end(s->c, at)) {
        size_t middle, end, first;
        if (!begins(s->c, at, "IF") && !begins(s->c, at, "REP"))
            continue;
        end = closing(s->c, at, &middle);
        if (end == s->c->program.size || without(s, at, line_end(s->c, end), ""))
            continue;
        first = line_end(s->c, at);
        if (middle < end && (without(s, middle, end, "") || without(s, first, middle, "")))
            continue;
        if (middle >= end) {
            struct fuzz_text inside = {0};
            fuzz_text_add(&inside, s->c->program.bytes + first, end - first);
            fuzz_text_put(&inside, "");
            if (!inside.failed && inside.bytes)
                without(s, at, line_end(s->c, end), inside.bytes);
            fuzz_text_free(&inside);
        }
    }
}

/* Pieces within a line: what stands in parentheses, modifiers, signs, swizzles. */
static void drop_pieces(struct shrinker *s)
{
    static const char *const pieces[] = {".SAT", ".SSAT", ".CC0", ".CC1", ".CC", "-", "|", ".PREC"};
    for (size_t at = 0; at < s->c->program.size; at++) {
        const char *end;
        if (letter(s->c, at) == '(' && (end = memchr(s->c->program.bytes + at, ')', s->c->program.size - at)) && at &&
            without(s, at - 1, (size_t)(end - s->c->program.bytes) + 1, ""))
            continue;
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            if (begins(s->c, at, pieces[i]) && without(s, at, at + strlen(pieces[i]), ""))
                break;
        if (letter(s->c, at) == '|' && (end = memchr(s->c->program.bytes + at + 1, '|', s->c->program.size - at - 1))) {
            size_t close = (size_t)(end - s->c->program.bytes);
            struct fuzz_text inside = {0};
            fuzz_text_add(&inside, s->c->program.bytes + at + 1, close - at - 1);
            if (inside.bytes)
                without(s, at, close + 1, inside.bytes);
            fuzz_text_free(&inside);
        }
        if (letter(s->c, at) == '.') {
            size_t n = 1;
            while (letter(s->c, at + n) && strchr("xyzw", letter(s->c, at + n)))
                n++;
            if (n > 1)
                without(s, at, at + n, "");
        }
    }
}

/* What only one of the stores that show registers needs, if that fails: most programs are a third as long then. */
static void keep_one_store(struct shrinker *s)
{
    struct fuzz_text old = s->c->program, slice = {0};
    for (unsigned i = 0; whole_slice(s->c, i, &slice); i++) {
        s->c->program = slice;
        if (slice.size < old.size && s->fails(s->user, s->c)) {
            fuzz_text_free(&old);
            s->changed = true;
            return;
        }
        s->c->program = old;
        fuzz_text_free(&slice);
    }
    fuzz_text_free(&slice);
}

static void fewer_groups(struct shrinker *s)
{
    uint32_t groups = s->c->groups[0];
    s->c->groups[0] = 1;
    if (groups > 1 && s->fails(s->user, s->c))
        s->changed = true;
    else
        s->c->groups[0] = groups;
}

bool whole_shrink(struct whole_case *c, bool (*fails)(void *user, const struct whole_case *c), void *user)
{
    struct shrinker s = {.c = c, .fails = fails, .user = user};
    bool any = false;
    do {
        s.changed = false;
        fewer_groups(&s);
        keep_one_store(&s);
        drop_blocks(&s);
        drop_lines(&s);
        drop_pieces(&s);
        any |= s.changed;
    } while (s.changed);
    return any;
}
