#include "lsp/document.h"

#include "asm/arena.h"

#include <string.h>

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void forget(struct document *d)
{
    for (size_t i = 0; i < d->nregions; i++)
        gp5_program_free(d->regions[i].program);
    gp5_free(d->regions);
    diag_free_lines(&d->lines);
    gp5_free(d->text);
    gp5_free(d->uri);
}

static bool add_region(struct document *d, size_t offset, size_t length)
{
    struct region *more = gp5_realloc(d->regions, (d->nregions + 1) * sizeof *more);

    if (!more)
        return false;
    d->regions = more;
    more[d->nregions] = (struct region){offset, length, gp5_parse(d->text + offset, length)};
    return more[d->nregions].program && ++d->nregions;
}

/* A text that begins with !! is a program, whatever it holds; so is one without any program, which gets told. Of
 * another each program is judged for itself. */
static bool find_regions(struct document *d)
{
    size_t offset = 0, length;

    d->script = d->size && !(d->size >= 2 && !memcmp(d->text, "!!", 2)) &&
                gp5_find_program(d->text, d->size, &offset, &length);
    if (!d->script)
        return add_region(d, 0, d->size);
    do {
        if (!add_region(d, offset, length))
            return false;
        offset += length;
    } while (gp5_find_program(d->text, d->size, &offset, &length));
    return true;
}

static char *copy(const char *text, size_t size)
{
    char *bytes = gp5_malloc(size + 1);

    if (bytes) {
        memcpy(bytes, text, size);
        bytes[size] = 0;
    }
    return bytes;
}

struct document *document_find(struct document *list, const char *uri)
{
    while (list && strcmp(list->uri, uri) != 0)
        list = list->next;
    return list;
}

static struct document *new_document(void)
{
    struct document *d = gp5_malloc(sizeof *d);

    if (d)
        *d = (struct document){0};
    return d;
}

bool document_set(struct document **list, const char *uri, const char *text, size_t size, json_int_t version,
                  bool utf8)
{
    struct document *old = document_find(*list, uri);
    struct document new = {.size = size, .version = version, .utf8 = utf8, .uri = copy(uri, strlen(uri))};

    new.text = copy(text, size);
    if (!new.uri || !new.text || !find_regions(&new) || !diag_index_lines(&new.lines, new.text, size) ||
        (!old && !(old = new_document()))) {
        forget(&new);
        return false;
    }
    if (old->uri) {
        new.next = old->next;
        forget(old);
    } else {
        new.next = *list;
        *list = old;
    }
    *old = new;
    return true;
}

void document_close(struct document **list, const char *uri)
{
    while (*list && strcmp((*list)->uri, uri) != 0)
        list = &(*list)->next;
    if (*list) {
        struct document *gone = *list;
        *list = gone->next;
        forget(gone);
        gp5_free(gone);
    }
}

void document_close_all(struct document **list)
{
    while (*list)
        document_close(list, (*list)->uri);
}

/* ---- positions --------------------------------------------------------------------------------------------------- */

/* Of the character that begins at a byte: how many bytes it has, and how many units the client counts it as. */
static size_t character(const struct document *d, size_t at, size_t *units)
{
    unsigned char c = (unsigned char)d->text[at];
    size_t bytes = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    if (d->utf8 || bytes > d->size - at)
        bytes = 1;
    *units = bytes == 4 ? 2 : 1;
    return bytes;
}

static size_t line_end(const struct document *d, uint32_t line)
{
    size_t end = line + 1 < d->lines.count ? d->lines.start[line + 1] : d->size;

    while (end > d->lines.start[line] && (d->text[end - 1] == '\n' || d->text[end - 1] == '\r'))
        end--;
    return end;
}

json_t *document_position(const struct document *d, size_t offset)
{
    uint32_t line = diag_line_at(&d->lines, (uint32_t)offset) - 1;
    size_t column = 0, units;

    for (size_t at = d->lines.start[line]; at < offset && at < d->size; column += units)
        at += character(d, at, &units);
    return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)column);
}

json_t *document_range(const struct document *d, size_t offset, size_t length)
{
    return json_pack("{s:o, s:o}", "start", document_position(d, offset), "end",
                     document_position(d, offset + length));
}

size_t document_offset(const struct document *d, const json_t *position)
{
    const json_t *line = json_object_get(position, "line"), *column = json_object_get(position, "character");
    json_int_t n = json_integer_value(line), left = json_integer_value(column);
    size_t at, end, units;

    if (!json_is_integer(line) || !json_is_integer(column) || n < 0 || left < 0)
        return SIZE_MAX;
    if (n >= (json_int_t)d->lines.count)
        return d->size;
    end = line_end(d, (uint32_t)n);
    for (at = d->lines.start[n]; at < end && left > 0; left -= (json_int_t)units)
        at += character(d, at, &units);
    return at;
}

const struct region *document_region(const struct document *d, size_t offset)
{
    for (size_t i = 0; i < d->nregions; i++)
        if (offset >= d->regions[i].offset && offset <= d->regions[i].offset + d->regions[i].length)
            return &d->regions[i];
    return NULL;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

struct word word_at(const struct document *d, size_t offset)
{
    size_t from = offset, to = offset;

    while (from && in_word(d->text[from - 1]))
        from--;
    while (to < d->size && in_word(d->text[to]))
        to++;
    return (struct word){from, to - from};
}

bool word_next(const struct document *d, const struct region *r, size_t *at, struct word *word)
{
    size_t end = r->offset + r->length;

    while (*at < end) {
        char c = d->text[*at];
        if (c == '#') {
            while (*at < end && d->text[*at] != '\n' && d->text[*at] != '\r')
                ++*at;
        } else if (in_word(c)) {
            bool suffix = *at > r->offset && d->text[*at - 1] == '.';
            *word = word_at(d, *at);
            *at = word->offset + word->length;
            if (!suffix && !(c >= '0' && c <= '9'))
                return true;
        } else {
            ++*at;
        }
    }
    return false;
}

uint32_t word_symbol(const struct document *d, const struct region *r, struct word word)
{
    for (uint32_t i = 0; word.length && i < r->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(r->program, i);
        if (strlen(s->name) == word.length && !memcmp(s->name, d->text + word.offset, word.length) && !s->implicit)
            return i;
    }
    return NO_INDEX;
}

json_t *lsp_text(const char *text)
{
    json_t *value = json_string(text);
    char *bytes = value ? NULL : copy(text, strlen(text));

    if (bytes) {
        for (char *c = bytes; *c; c++)
            *c = *c & 0x80 ? '?' : *c;
        value = json_string(bytes);
        gp5_free(bytes);
    }
    return value;
}
