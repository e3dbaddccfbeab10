/* A failing program made small: with one of its stores alone, then as compare/reduce makes programs small. */
#include "asm/arena.h"
#include "compare/fuzz/whole_run.h"
#include "compare/reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

struct shrinker {
    struct whole_case *c;
    bool (*fails)(void *user, const struct whole_case *c);
    void *user;
    const char *places;         /* the program at first */
    bool guarded, changed;
};

static const char *line_end(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* Where a lane finds its part of the buffers: without these, lanes that write to one place seem to differ. */
static bool finds_place(const char *line)
{
    static const char *const lines[] = {"MAD.U N", "MUL.U N", "MAD.U P", "MUL.U P", "AND.U P"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strncmp(line, lines[i], strlen(lines[i])))
            return true;
    return false;
}

/* Whether all such lines of one text stand in the other, in their order. */
static bool has_places(const char *text, const char *places)
{
    for (; *places; places = line_end(places)) {
        size_t n = (size_t)(line_end(places) - places);
        if (!finds_place(places))
            continue;
        while (*text && strncmp(text, places, n))
            text = line_end(text);
        if (!*text)
            return false;
        text = line_end(text);
    }
    return true;
}

/* A RET in front of each label: a main program that runs into what something calls hangs the driver, and takes its
 * neighbours' answers with it. */
static bool is_guarded(const char *text)
{
    bool ret = true;
    for (const char *end; *text; text = end) {
        end = line_end(text);
        if (memchr(text, ':', (size_t)(end - text)) && !ret)
            return false;
        ret = !strncmp(text, "RET", 3);
    }
    return true;
}

static bool still_fails(void *user, const char *text, size_t size)
{
    struct shrinker *s = user;
    struct fuzz_text old = s->c->program;
    if (!has_places(text, s->places) || (s->guarded && !is_guarded(text)))
        return false;
    s->c->program = (struct fuzz_text){.bytes = (char *)(uintptr_t)text, .size = size};
    bool fails = s->fails(s->user, s->c);
    s->c->program = old;
    return fails;
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

static void smaller_text(struct shrinker *s)
{
    struct fuzz_text small = {0}, *old = &s->c->program;
    struct reduction r = {.still = still_fails, .user = s, .size = old->size, .text = gp5_malloc(old->size + 1)};
    if (!r.text)
        return;
    memcpy(r.text, old->bytes, old->size);
    r.text[r.size] = 0;
    s->places = old->bytes;
    s->guarded = is_guarded(r.text);
    reduce_program(&r);
    fuzz_text_add(&small, r.text, r.size);
    fuzz_text_put(&small, "");
    gp5_free(r.text);
    if (r.kept && !small.failed) {
        fuzz_text_free(old);
        *old = small;
        s->changed = true;
    } else {
        fuzz_text_free(&small);
    }
}

bool whole_shrink(struct whole_case *c, bool (*fails)(void *user, const struct whole_case *c), void *user)
{
    struct shrinker s = {.c = c, .fails = fails, .user = user};
    fewer_groups(&s);
    keep_one_store(&s);
    smaller_text(&s);
    return s.changed;
}
