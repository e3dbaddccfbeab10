#include "compare/json.h"
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

json_t *cmp_json_count(uint64_t v)
{
    return json_integer((json_int_t)v);
}

json_t *cmp_json_reasons(const struct test_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->reasons.count; i++) {
        const struct undefined_reason *reason = vec_at(&r->reasons, i);
        json_t *o = json_object();
        json_object_set_new(o, "line", cmp_json_count(reason->line));
        json_object_set_new(o, "reason", cmp_json_string(reason->reason));
        json_object_set_new(o, "words", cmp_json_count(reason->words));
        json_array_append_new(list, o);
    }
    return list;
}
