/* The lines of [require]: what a driver must have before the test is given to it. */
#include "compare/script/script.h"

#include "compare/script/line.h"

#include <ctype.h>
#include <string.h>

bool script_require_test(const char *word, enum require_test *test)
{
    static const struct { const char *word; enum require_test test; } tests[] = {
        { "==", TEST_EQ }, { "=", TEST_EQ }, { "!=", TEST_NE }, { "<", TEST_LT }, { "<=", TEST_LE },
        { ">", TEST_GT }, { ">=", TEST_GE },
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(word, tests[i].word)) {
            *test = tests[i].test;
            return true;
        }
    return false;
}

static bool stop_at(struct script *s, const struct line *line, size_t word, enum script_status status,
                    const char *message)
{
    return script_stop(s, status, line->offset[word],
                       word < line->count ? (uint32_t)strlen(line->word[word]) : 0, message);
}

static bool add(struct script *s, const struct script_requirement *requirement)
{
    size_t index = vec_grow(&s->requirements);
    if (index == SIZE_MAX)
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    *(struct script_requirement *)vec_at(&s->requirements, index) = *requirement;
    return true;
}

static bool gl_version(struct script *s, const struct line *line)
{
    struct script_requirement r = { .kind = REQUIRE_GL };
    const char *v = line->count > 2 ? line->word[2] : "";
    if (line->count < 2 || !script_require_test(line->word[1], &r.test))
        return stop_at(s, line, 1, SCRIPT_ERROR, "expected a comparison such as >=");
    if (line->count != 3 || !isdigit((unsigned char)v[0]) || v[1] != '.' || !isdigit((unsigned char)v[2]) ||
        v[3])
        return stop_at(s, line, 2, SCRIPT_ERROR, "expected a version such as 2.1");
    r.version = (v[0] - '0') * 10 + (v[2] - '0');
    return add(s, &r);
}

/* NAME_words, as extensions are called; piglit wants GL_ before it and lets a line without it pass. */
static bool extension_like(const char *name)
{
    size_t vendor = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    return vendor >= 2 && name[vendor] == '_' && islower((unsigned char)name[vendor + 1]) &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static bool extension(struct script *s, const struct line *line)
{
    const char *word = line->word[0], *name = word + (*word == '!');
    if (!strncmp(name, "GL_", 3))
        name += 3;
    if (!extension_like(name))
        return stop_at(s, line, 0, SCRIPT_ERROR, "no such requirement");
    if (line->count > 1)
        return stop_at(s, line, 1, SCRIPT_ERROR, "nothing more is expected here");
    char *copy = arena_alloc(&s->arena, strlen(name) + 4);
    if (!copy)
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    memcpy(copy, "GL_", 3);
    strcpy(copy + 3, name);
    return add(s, &(struct script_requirement){
        .kind = *word == '!' ? REQUIRE_NO_EXTENSION : REQUIRE_EXTENSION, .name = copy });
}

static bool size(struct script *s, const struct line *line)
{
    int64_t v[2];
    for (size_t i = 0; i < 2; i++)
        if (i + 1 >= line->count || !line_integer(line->word[i + 1], 1, 4096, &v[i]))
            return stop_at(s, line, i + 1, SCRIPT_ERROR, "expected a size from 1 to 4096");
    s->width = (uint32_t)v[0];
    s->height = (uint32_t)v[1];
    return true;
}

bool script_require(struct script *s, size_t start, size_t end)
{
    static const char *const skipped[] = { "GLSL", "INT", "rlimit", "SSO", "SEPARABLE", "SPIRV" };
    struct line line;
    if (!line_split(&s->arena, s->text, start, end, &line))
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    if (!line.count || !strcmp(line.word[0], "depthbuffer"))
        return true;
    if (!strcmp(line.word[0], "GL"))
        return gl_version(s, &line);
    if (!strcmp(line.word[0], "SIZE"))
        return size(s, &line);
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (!strcmp(line.word[0], skipped[i]))
            return stop_at(s, &line, 0, SCRIPT_SKIP, "this requirement is not supported");
    if (!strncmp(line.word[0], "GL_MAX_", 7) || !strncmp(line.word[0], "GL_NUM_", 7))
        return stop_at(s, &line, 0, SCRIPT_SKIP, "this requirement is not supported");
    return extension(s, &line);
}
