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
        size_t capacity = text->capacity * 2 + size + 1024;
        char *grown = gp5_realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return false;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    return true;
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

static void put_list(struct tr_text *text, const char *format, va_list list)
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
    char line[LINE];
    va_list list;

    va_start(list, format);
    int size = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (size < 0)
        return "";
    char *text = arena_alloc(&t->scratch, (size_t)size + 1);
    if (!text)
        return "";
    if (size < LINE) {
        memcpy(text, line, (size_t)size + 1);
    } else {
        va_start(list, format);
        vsnprintf(text, (size_t)size + 1, format, list);
        va_end(list);
    }
    return text;
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
