/* [vertex data]: a line of columns, NAME/TYPE/COUNT, then a line of numbers for each vertex. A NAME is the number of a
 * generic attribute, as piglit has it, or an input as programs name it: vertex.texcoord[0]. */
#include "compare/script/script.h"

#include "asm/binding_name.h"
#include "compare/script/line.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 1 << 22 };

struct column_type {
    const char *name;
    enum number_type type;
};
static const struct column_type types[] = {
    { "float", NUMBER_F32 }, { "double", NUMBER_F32 }, { "half", NUMBER_F32 }, { "int", NUMBER_S32 },
    { "uint", NUMBER_U32 },
};

struct header {
    enum number_type type;
    size_t count;               /* numbers */
};

static bool stop(struct script *s, const struct line *line, size_t at, const char *message)
{
    return script_stop(s, SCRIPT_ERROR, line->offset[at],
                       at < line->count ? (uint32_t)strlen(line->word[at]) : 0, message);
}

/* "3" or "vertex.color". */
static const char *find_binding(struct script *s, const char *name)
{
    struct binding_name binding;
    int64_t number;
    char text[32];

    if (line_integer(name, 0, 15, &number)) {
        snprintf(text, sizeof text, "vertex.attrib[%d]", (int)number);
        return arena_copy(&s->arena, text, strlen(text));
    }
    return asm_find_binding(STAGE_VERTEX, name, &binding) ? name : NULL;
}

static bool find_type(const char *name, size_t length, struct header *h)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && !memcmp(types[i].name, name, length)) {
            h->type = types[i].type;
            return true;
        }
    return false;
}

/* NAME/TYPE/COUNT; NAME/TYPE/vecN is piglit's newer spelling. */
static bool add_column(struct script *s, const struct line *line, size_t at, struct header *h)
{
    char *word = line->word[at], *type = strchr(word, '/'), *count = type ? strchr(type + 1, '/') : NULL;
    int64_t n = 0;

    if (!count)
        return stop(s, line, at, "expected NAME/TYPE/COUNT, such as 0/float/4 or vertex.color/float/4");
    if (!find_type(type + 1, (size_t)(count - type - 1), h))
        return stop(s, line, at, "expected a type: float, int or uint");
    const char *last = count + 1;
    if (!strcmp(last, "float") || !strcmp(last, "int") || !strcmp(last, "uint"))
        n = 1;
    else if (!strncmp(last + (*last == 'i' || *last == 'u'), "vec", 3))
        last += 3 + (*last == 'i' || *last == 'u');
    if (!n && !line_integer(last, 1, 4, &n))
        return stop(s, line, at, "a column has 1 to 4 numbers");
    *type = 0;
    const char *binding = find_binding(s, word);
    if (!binding)
        return script_stop(s, SCRIPT_SKIP, line->offset[at], (uint32_t)strlen(word),
                           "no input of a vertex program: a number or vertex.NAME is");
    for (size_t i = 0; i < s->columns.count; i++)
        if (!strcmp(((struct script_column *)vec_at(&s->columns, i))->binding, binding))
            return stop(s, line, at, "this input is given twice");
    size_t index = vec_grow(&s->columns);
    if (index == SIZE_MAX)
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    struct script_column *c = vec_at(&s->columns, index);
    *c = (struct script_column){ .binding = binding, .type = (uint8_t)h->type, .count = (uint8_t)n };
    return true;
}

static bool add_header(struct script *s, const struct line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        struct header h;
        if (!add_column(s, line, i, &h))
            return false;
    }
    return s->columns.count <= 16 || stop(s, line, 16, "more than 16 inputs");
}

/* Room for twice as many rows. */
static bool make_room(struct script *s)
{
    size_t room = s->room ? 2 * s->room : 64;

    for (size_t i = 0; i < s->columns.count; i++) {
        struct script_column *c = vec_at(&s->columns, i);
        uint32_t *words = arena_alloc(&s->arena, room * 16);
        if (!words)
            return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
        if (s->rows)
            memcpy(words, c->words, s->rows * 16);
        c->words = words;
    }
    s->room = room;
    return true;
}

static bool add_row(struct script *s, const struct line *line)
{
    size_t at = 0;

    if (s->rows >= MOST_ROWS)
        return stop(s, line, 0, "more vertices than a script may have");
    if (s->rows == s->room && !make_room(s))
        return false;
    for (size_t i = 0; i < s->columns.count; i++) {
        struct script_column *c = vec_at(&s->columns, i);
        uint32_t *to = c->words + 4 * s->rows, one = 0x3f800000;
        bool whole = c->type != NUMBER_F32;
        to[0] = to[1] = to[2] = 0;
        to[3] = whole ? 1 : one;
        for (unsigned k = 0; k < c->count; k++, at++) {
            uint64_t bits;
            if (at >= line->count)
                return stop(s, line, at, "a number is missing here");
            if (!number_parse((enum number_type)c->type, line->word[at], &bits))
                return stop(s, line, at, "no number of this column's type");
            to[k] = (uint32_t)bits;
        }
    }
    if (at < line->count)
        return stop(s, line, at, "more numbers than there are columns");
    s->rows++;
    return true;
}

bool script_vertex_data(struct script *s, size_t start, size_t end)
{
    struct line line;

    if (!line_split(&s->arena, s->text, start, end, &line))
        return script_stop(s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
    if (!line.count)
        return true;
    return s->columns.count ? add_row(s, &line) : add_header(s, &line);
}
