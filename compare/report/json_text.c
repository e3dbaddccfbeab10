#include "compare/report/json_text.h"
#include "asm/arena.h"

#include <string.h>

json_t *cmp_json_string(const char *text)
{
    json_t *s = text ? json_string(text) : json_null();
    if (s)
        return s;
    size_t length = strlen(text);
    char *copy = gp5_malloc(length + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        copy[i] = (unsigned char)text[i] < 128 ? text[i] : '?';
    s = json_string(copy);
    gp5_free(copy);
    return s;
}

json_t *cmp_json_bytes(const char *bytes, size_t n)
{
    json_t *v = json_stringn(bytes, n);
    char *wide = v ? NULL : gp5_malloc(2 * n + 1), *at = wide;

    if (v || !wide)
        return v;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= 0x80)
            *at++ = (char)(0xc0 | c >> 6);
        *at++ = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    v = json_stringn(wide, (size_t)(at - wide));
    gp5_free(wide);
    return v;
}
