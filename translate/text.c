/* Growing texts, and texts of the instruction at hand. */
#include "translate/translate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 256, INDENT = 4, DEEPEST = 20 };

static bool reserve(struct tr_text *text, size_t size)
{
    if (text->failed)
        return false;
    if (size > text->capacity - text->size) {
        size_t capacity = text->capacity * 2 + size + 480;
        char *grown = gp5_realloc(text->lent ? NULL : text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return false;
        }
        if (text->lent)
            memcpy(grown, text->bytes, text->size);
        text->lent = false;
        text->bytes = grown;
        text->capacity = capacity;
    }
    return true;
}

void tr_lend(struct tr_text *text, char *room, size_t size)
{
    *text = (struct tr_text){.bytes = room, .capacity = size, .lent = true};
}

void tr_text_free(struct tr_text *text)
{
    if (!text->lent)
        gp5_free(text->bytes);
}

void tr_put(struct tr_text *text, const char *bytes, size_t size)
{
    if (!size || !reserve(text, size))
        return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

void tr_puts(struct tr_text *text, const char *string)
{
    tr_put(text, string, strlen(string));
}

static void put_rest(struct tr_text *text, const char *format, va_list list)
{
    va_list again;

    va_copy(again, list);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0 || !reserve(text, (size_t)size + 1))
        return;
    vsnprintf(text->bytes + text->size, (size_t)size + 1, format, list);
    text->size += (size_t)size;
}

static void put_number(struct tr_text *text, unsigned long long n, bool negative)
{
    char digits[24], *at = digits + sizeof digits;

    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    if (negative)
        *--at = '-';
    tr_put(text, at, (size_t)(digits + sizeof digits - at));
}

/* What is nearly always asked for is done here, in a third of vsnprintf's time; that has all that begins with another
 * conversion. */
static void put_list(struct tr_text *text, const char *format, va_list given)
{
    va_list list;

    va_copy(list, given);
    for (;;) {
        for (; *format && *format != '%'; text->bytes[text->size++] = *format++)
            if (text->size == text->capacity && !reserve(text, 1)) {
                va_end(list);
                return;
            }
        if (!*format)
            break;
        if (format[1] == 's') {
            tr_puts(text, va_arg(list, const char *));
        } else if (format[1] == 'u') {
            put_number(text, va_arg(list, unsigned), false);
        } else if (format[1] == 'd') {
            long long n = va_arg(list, int);
            put_number(text, (unsigned long long)(n < 0 ? -n : n), n < 0);
        } else if (format[1] == 'c') {
            char c = (char)va_arg(list, int);
            tr_put(text, &c, 1);
        } else if (!strncmp(format, "%.*s", 4)) {
            int most = va_arg(list, int);
            const char *string = va_arg(list, const char *);
            tr_put(text, string, strnlen(string, (size_t)most));
            format += 2;
        } else {
            put_rest(text, format, list);
            break;
        }
        format += 2;
    }
    va_end(list);
}

void tr_printf(struct tr_text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    put_list(text, format, list);
    va_end(list);
}

void tr_line(struct tr *t, const char *format, ...)
{
    va_list list;

    for (unsigned i = 0; i < t->depth && i < DEEPEST; i++)
        tr_put(t->out, "    ", INDENT);
    va_start(list, format);
    put_list(t->out, format, list);
    va_end(list);
    tr_put(t->out, "\n", 1);
}

const char *tr_text(struct tr *t, const char *format, ...)
{
    va_list list;

    t->line.size = 0;
    va_start(list, format);
    put_list(&t->line, format, list);
    va_end(list);
    const char *text = t->line.failed ? NULL : arena_copy(&t->scratch, t->line.bytes, t->line.size);
    if (text)
        return text;
    t->scratch.failed = true;
    return "";
}

void tr_refuse(struct tr *t, struct span where, const char *format, ...)
{
    char line[LINE];
    va_list list;

    if (t->refusal)
        return;
    va_start(list, format);
    int size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    t->refused_at = where;
    t->refusal = arena_copy(&t->arena, line, size < 0 ? 0 : size < LINE ? (size_t)size : LINE - 1);
}

const char *tr_type_name(enum tr_type type, unsigned n)
{
    static const char *const names[T_TYPES][4] = {
        [T_FLOAT] = {"float", "vec2", "vec3", "vec4"},
        [T_INT] = {"int", "ivec2", "ivec3", "ivec4"},
        [T_UINT] = {"uint", "uvec2", "uvec3", "uvec4"},
        [T_DOUBLE] = {"double", "dvec2", "dvec3", "dvec4"},
        [T_INT64] = {"int64_t", "i64vec2", "i64vec3", "i64vec4"},
        [T_UINT64] = {"uint64_t", "u64vec2", "u64vec3", "u64vec4"}};

    return names[type][n - 1];
}

/* By the letter of isa.def's column of numbers. */
static enum tr_type number_type(const struct insn *insn, unsigned place)
{
    switch (op_number(insn->op, place)) {
    case 'F': return type_table[insn->type & DT_MASK].bytes == 8 ? T_DOUBLE : T_FLOAT;
    case 'S': return T_INT;
    case 'U': return type_table[insn->type & DT_MASK].bytes == 8 ? T_UINT64 : T_UINT;
    case 'W': case 'H': return T_UINT;
    case 'D': return T_UINT64;
    case 'L': {
        enum tr_type narrow = tr_type_of(insn->type);
        return narrow == T_FLOAT ? T_DOUBLE : narrow == T_INT ? T_INT64 : T_UINT64;
    }
    case '2': return insn->op == OP_CVT && insn->type2 == DT_F16 ? T_UINT : tr_type_of(insn->type2);
    default: return insn->op == OP_CVT && insn->type == DT_F16 ? T_UINT : tr_type_of(insn->type);
    }
}

enum tr_type tr_operand_type(const struct insn *insn, unsigned k)
{
    return number_type(insn, k + 1);
}

enum tr_type tr_result_type(const struct insn *insn)
{
    return number_type(insn, 0);
}

enum tr_type tr_type_of(uint8_t data_type)
{
    switch (data_type & DT_MASK) {
    case DT_S8: case DT_S16: case DT_S32: return T_INT;
    case DT_U8: case DT_U16: case DT_U32: return T_UINT;
    case DT_F64: return T_DOUBLE;
    case DT_S64: return T_INT64;
    case DT_U64: return T_UINT64;
    default: return T_FLOAT;
    }
}
