/* Programs in string literals and in logs: asm/text/unwrap.h. */
#include "asm/text/unwrap.h"

#include "asm/arena.h"
#include "gp5.h"

#include <string.h>

struct reader {
    const char *bytes;
    size_t size, at;
    struct unwrapped *u;
};

static void put(struct reader *r, char c, size_t place)
{
    r->u->place[r->u->size] = (uint32_t)place;
    r->u->text[r->u->size++] = c;
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

static int hex_digit(char c)
{
    char lower = (char)(c | 0x20);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Behind a backslash. */
static void read_escape(struct reader *r, size_t place)
{
    static const char letters[] = "ntrvfab", values[] = "\n\t\r\v\f\a\b";
    char c = r->bytes[r->at++];
    const char *letter = memchr(letters, c, sizeof letters - 1);
    if (letter) {
        put(r, values[letter - letters], place);
    } else if (is_octal(c)) {
        unsigned value = (unsigned)(c - '0');
        for (int i = 0; i < 2 && r->at < r->size && is_octal(r->bytes[r->at]); i++)
            value = value * 8 + (unsigned)(r->bytes[r->at++] - '0');
        put(r, (char)value, place);
    } else if (c == 'x' && r->at < r->size && hex_digit(r->bytes[r->at]) >= 0) {
        unsigned value = 0;
        for (int i = 0; i < 2 && r->at < r->size && hex_digit(r->bytes[r->at]) >= 0; i++)
            value = value * 16 + (unsigned)hex_digit(r->bytes[r->at++]);
        put(r, (char)value, place);
    } else if (c != '\n' && c != '\r') {        /* at the end of a line it joins the next one */
        put(r, c, place);
    }
}

/* Up to the quote, and on in a literal that follows. */
static void read_literals(struct reader *r)
{
    while (r->at < r->size) {
        size_t place = r->at;
        char c = r->bytes[r->at++];
        if (c == '\\' && r->at < r->size) {
            read_escape(r, place);
        } else if (c != '"') {
            put(r, c, place);
        } else {
            size_t next = r->at;
            while (next < r->size && strchr(" \t\r\n\\", r->bytes[next]) && r->bytes[next])
                next++;
            if (next == r->size || r->bytes[next] != '"')
                return;
            r->at = next + 1;
        }
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t line_end(const struct reader *r, size_t at)
{
    const char *end = memchr(r->bytes + at, '\n', r->size - at);
    return end ? (size_t)(end - r->bytes) : r->size;
}

/* Whether the line at `at` begins as the prefix does; digits are any digits. */
static bool has_prefix(const struct reader *r, size_t at, size_t prefix, size_t length)
{
    if (r->size - at < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char a = r->bytes[at + i], b = r->bytes[prefix + i];
        if (a != b && !(is_digit(a) && is_digit(b)))
            return false;
    }
    return true;
}

static void read_lines(struct reader *r, size_t prefix, size_t length)
{
    size_t at = prefix;
    while (at < r->size && has_prefix(r, at, prefix, length)) {
        size_t end = line_end(r, at);
        for (size_t i = at + length; i < end; i++)
            put(r, r->bytes[i], i);
        if (end < r->size)
            put(r, '\n', end);
        at = end + 1;
        r->at = at < r->size ? at : r->size;
    }
}

bool asm_unwrap(const char *bytes, size_t size, size_t header, struct unwrapped *u)
{
    struct reader r = {bytes, size, header, u};
    size_t prefix = header;
    *u = (struct unwrapped){0};
    while (prefix > 0 && bytes[prefix - 1] != '\n')
        prefix--;
    bool quoted = header > 0 && bytes[header - 1] == '"';
    size_t next = line_end(&r, header) + 1;
    bool blank = strspn(bytes + prefix, " \t") >= header - prefix;
    if (!quoted && (blank || next >= size || !has_prefix(&r, next, prefix, header - prefix)))
        return false;
    u->text = gp5_malloc(size - prefix + 1);
    u->place = gp5_malloc((size - prefix + 1) * sizeof *u->place);
    if (!u->text || !u->place) {
        asm_unwrap_free(u);
        return true;
    }
    if (quoted)
        read_literals(&r);
    else
        read_lines(&r, prefix, header - prefix);
    size_t offset = 0, length = 0;
    u->place[u->size] = (uint32_t)r.at;
    if (gp5_find_program(u->text, u->size, &offset, &length) && offset == 0)
        u->size = length;
    return true;
}

void asm_unwrap_free(struct unwrapped *u)
{
    gp5_free(u->text);
    gp5_free(u->place);
    *u = (struct unwrapped){0};
}
