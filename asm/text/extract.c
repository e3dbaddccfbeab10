/* Programs inside other bytes: gp5_find_program. */
#include "gp5.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

/* "!!", two letters or more, a number with a point: also a header that nobody knows begins a program, which is then
 * judged. */
static size_t header_length(const char *bytes, size_t size, size_t at)
{
    size_t i = at + 2;
    if (size - at < 2 || bytes[at] != '!' || bytes[at + 1] != '!')
        return 0;
    size_t word = i;
    while (i < size && is_letter(bytes[i]))
        i++;
    size_t number = i;
    while (i < size && is_digit(bytes[i]))
        i++;
    if (number - word < 2 || i == number || size - i < 2 || bytes[i] != '.' || !is_digit(bytes[i + 1]))
        return 0;
    while (++i < size && is_digit(bytes[i]))
        ;
    return i - at;
}

/* A header that is spoken of in a comment before the first program begins none. */
static bool in_comment(const char *bytes, size_t at, size_t from)
{
    while (at > from && !ends_line(bytes[at - 1]))
        if (bytes[--at] == '#')
            return true;
    return false;
}

static size_t find_header(const char *bytes, size_t size, size_t from)
{
    for (size_t at = from; at < size; at++) {
        const char *next = memchr(bytes + at, '!', size - at);
        if (!next)
            return size;
        at = (size_t)(next - bytes);
        if (header_length(bytes, size, at) && !in_comment(bytes, at, from))
            return at;
    }
    return size;
}

static size_t line_end(const char *bytes, size_t size, size_t at)
{
    while (at < size && !ends_line(bytes[at]))
        at++;
    return at;
}

/* Whether the statement END stands here: where one may begin, or alone on its line, should a semicolon be missing
 * before it. */
static bool is_end(const char *bytes, size_t size, size_t at, bool statement, bool line)
{
    if (size - at < 3 || memcmp(bytes + at, "END", 3) != 0 || (size - at > 3 && is_word(bytes[at + 3])))
        return false;
    size_t behind = at + 3;
    while (behind < size && (bytes[behind] == ' ' || bytes[behind] == '\t'))
        behind++;
    return statement || (line && (behind == size || ends_line(bytes[behind]) || bytes[behind] == '#'));
}

/* Behind END, or where the text can go on no further: at a NUL, at the next header, at the end. */
static size_t find_end(const char *bytes, size_t size, size_t at)
{
    bool statement = true, line = false;
    while (at < size && bytes[at] != '\0') {
        char c = bytes[at];
        if (c == '#') {
            at = line_end(bytes, size, at);
        } else if (c == ' ' || c == '\t') {
            at++;
        } else if (ends_line(c)) {
            line = true;
            at++;
        } else if (c == '!' && line && header_length(bytes, size, at)) {
            break;
        } else if (is_end(bytes, size, at, statement, line)) {
            return at + 3;
        } else {
            statement = c == ';' || c == ':';
            line = false;
            for (at++; is_word(c) && at < size && is_word(bytes[at]);)
                at++;
        }
    }
    return at;
}

bool gp5_find_program(const void *bytes, size_t size, size_t *offset, size_t *length)
{
    size_t at = *offset < size ? find_header(bytes, size, *offset) : size;
    if (at == size)
        return false;
    *offset = at;
    *length = find_end(bytes, size, at + header_length(bytes, size, at)) - at;
    return true;
}
