/* Numbers and constants. */
#include "parser/context.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_hex(const char *text, size_t length)
{
    return length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/* The value of an INTEGER or HEX token; false when it does not fit in 64 bits. */
static bool integer_value(const char *text, size_t length, uint64_t *value)
{
    bool hex = is_hex(text, length);
    uint64_t v = 0, base = hex ? 16 : 10;
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        uint64_t digit = c <= '9' ? (uint64_t)(c - '0') : (uint64_t)((c | 0x20) - 'a' + 10);
        if (v > (UINT64_MAX - digit) / base)
            return false;
        v = v * base + digit;
    }
    *value = v;
    return true;
}

/* Mesa reads integers, which floats without a point are too, as a long and keeps its lower half; what does not fit in a
 * long is the greatest one there is. */
static int32_t mesa_integer(bool fits, uint64_t value)
{
    return fits && value <= INT64_MAX ? (int32_t)(uint32_t)value : -1;
}

static void warn_of_mesa(struct parser *p, struct token number, int32_t value, bool is_float)
{
    struct diag *d = diag_add(&p->program->diags, DIAG_WARNING, FOR_MESA, (struct span){number.offset, number.length},
                              "Mesa reads %.*s as %d", number.length < 40 ? (int)number.length : 40,
                              p->text + number.offset, (int)value);
    if (is_float)
        diag_hint(d, "with a point behind it the number is what it says");
}

uint64_t parse_integer(struct parser *p, struct token number, uint64_t limit)
{
    uint64_t value;
    unsigned targets = FOR_ALL;
    unsigned long long most = limit;
    bool fits = integer_value(p->text + number.offset, number.length, &value);
    if (fits && value <= limit)
        return value;
    if (fits && value > UINT32_MAX && (uint32_t)value <= most) {    /* the driver keeps the lower half */
        limit = (uint32_t)value;
        targets &= ~(unsigned)FOR_NVIDIA;
    }
    int32_t mesa = mesa_integer(fits, value);
    if (mesa >= 0 && (uint64_t)mesa <= most) {
        targets &= ~(unsigned)FOR_MESA;
        warn_of_mesa(p, number, mesa, false);
    }
    diag_add(&p->program->diags, DIAG_ERROR, targets, (struct span){number.offset, number.length},
             "%.*s is too large here: the limit is %llu", number.length < 40 ? (int)number.length : 40,
             p->text + number.offset, most);
    return limit;
}

/* Up to 15 digits and a small power of ten are exact in double precision; all else is left to strtod. */
static bool quick_float(const char *text, size_t length, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10,
                                   1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = 0;
    int digits = 0, exponent = 0;
    size_t i = 0;
    bool point = false;
    for (; i < length && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); i++) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        digits += mantissa != 0;
        exponent -= point;
        if (digits > 15)
            return false;
    }
    if (i < length) {
        if (length - i > 5)
            return false;
        bool negative = text[i + 1] == '-';
        int written = 0;
        for (i += text[i + 1] == '-' || text[i + 1] == '+' ? 2 : 1; i < length; i++)
            written = written * 10 + (text[i] - '0');
        exponent += negative ? -written : written;
    }
    if (exponent < -22 || exponent > 22)
        return false;
    *value = exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
    return true;
}

/* NVIDIA's driver reads doubles so, with two roundings: up to 19 digits, others count for their place alone
 * (docs/numbers.md). */
static double scaled_float(const char *text, size_t length)
{
    uint64_t mantissa = 0;
    int digits = 0, exponent = 0, written = 0, sign = 1;
    bool point = false;
    size_t i = 0;

    for (; i < length && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); i++) {
        bool kept = digits < 19;
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (kept)
            mantissa = mantissa * 10 + (uint64_t)(text[i] - '0');
        digits += mantissa != 0;
        exponent += (kept ? 0 : 1) - (point ? 1 : 0);
    }
    if (i < length)
        i++;
    if (i < length && (text[i] == '-' || text[i] == '+'))
        sign = text[i++] == '-' ? -1 : 1;
    for (; i < length && written < 100000; i++)
        written = written * 10 + (text[i] - '0');
    return mantissa ? (double)mantissa * pow(10, exponent + sign * written) : 0;
}

static double slow_float(struct parser *p, const char *text, size_t length)
{
    char buffer[128], *copy = buffer;
    const char *point = localeconv()->decimal_point;
    size_t room = length + strlen(point) + 1;
    if (room > sizeof buffer && !(copy = gp5_malloc(room))) {
        p->failed = true;
        return 0;
    }
    const char *dot = memchr(text, '.', length);
    size_t head = dot ? (size_t)(dot - text) : length;
    memcpy(copy, text, head);
    size_t n = head;
    if (dot) {
        n += (size_t)snprintf(copy + n, room - n, "%s", point);
        memcpy(copy + n, dot + 1, length - head - 1);
        n += length - head - 1;
    }
    copy[n] = '\0';
    double value = strtod(copy, NULL);
    if (copy != buffer)
        gp5_free(copy);
    return value;
}

void constant_begin(struct parser *p, struct token open, bool scalar)
{
    p->constant = (struct constant){.scalar = scalar};
    p->constant_span = (struct span){open.offset, open.length};
}

static bool is_float(const char *text, size_t length)
{
    if (is_hex(text, length))
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return true;
    return false;
}

void constant_add(struct parser *p, struct token number, char sign)
{
    struct constant *c = &p->constant;
    const char *text = p->text + number.offset;
    unsigned i = c->count;
    struct span span = {number.offset, number.length};
    if (i >= 4) {
        if (i == 4) {
            struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span,
                                      "a constant has at most four components");
            uint32_t comma = number.offset;
            while (comma > 0 && p->text[comma] != ',')
                comma--;
            if (d)
                d->position = comma;
        }
        c->count = 5;
        return;
    }
    uint8_t bit = (uint8_t)(1u << i);
    c->count++;
    if (sign == '-')
        c->negative |= bit;
    if (!is_float(text, number.length)) {
        c->is_integer |= bit;
        if (is_hex(text, number.length)) {
            c->hex |= bit;
            if (!profile_table[p->program->profile].typed)
                diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "numbers are decimal in ARB programs");
        }
        bool fits = integer_value(text, number.length, &c->value[i].u);
        if (!profile_table[p->program->profile].typed && !(c->hex & bit) && (!fits || c->value[i].u > INT32_MAX))
            warn_of_mesa(p, number, mesa_integer(fits, c->value[i].u), true);
        if (!fits && !profile_table[p->program->profile].typed) {       /* all numbers are floats there */
            c->is_integer &= (uint8_t)~bit;
            c->value[i].f = slow_float(p, text, number.length);
            p->scaled.value[i] = scaled_float(text, number.length);
        } else if (!fits) {
            c->value[i].u = UINT64_MAX;
            diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "%.*s does not fit in 64 bits",
                     number.length < 40 ? (int)number.length : 40, text);
        }
    } else {
        if (!quick_float(text, number.length, &c->value[i].f))
            c->value[i].f = slow_float(p, text, number.length);
        if (profile_table[p->program->profile].typed)   /* only there are doubles */
            p->scaled.value[i] = scaled_float(text, number.length);
    }
    if (c->scalar)
        p->constant_span.length = number.offset + number.length - p->constant_span.offset;
}

/* What NVIDIA's compiler writes among numbers. */
void constant_word(struct parser *p, struct token word, char sign)
{
    struct span span = {word.offset, word.length};
    const char *text = p->text + word.offset;
    bool nan = word.length == 3 && memcmp(text, "NAN", 3) == 0 && profile_table[p->program->profile].typed;
    struct constant *c = &p->constant;
    diag_add(&p->program->diags, DIAG_ERROR, nan ? FOR_SPEC | FOR_MESA : FOR_ALL, span, "%.*s is no number%s",
             word.length < 40 ? (int)word.length : 40, text, nan ? " in the specifications" : "");
    if (c->count >= 4) {
        constant_add(p, word, sign);    /* one too many */
        return;
    }
    c->value[c->count].f = (double)__builtin_nan("");
    p->scaled.value[c->count] = (double)__builtin_nan("");
    if (sign == '-')
        c->negative |= (uint8_t)(1u << c->count);
    c->count++;
}

void constant_close(struct parser *p, struct token close)
{
    p->constant_span.length = close.offset + close.length - p->constant_span.offset;
}

/* Whether F64 reads a float token otherwise. */
static bool is_scaled(const struct parser *p)
{
    const struct constant *c = &p->constant;
    bool differs = false;

    for (unsigned i = 0; i < c->count && i < 4 && profile_table[p->program->profile].typed; i++)
        differs |= !(c->is_integer >> i & 1) && !(c->value[i].f == p->scaled.value[i]);
    return differs;
}

uint32_t constant_keep(struct parser *p)
{
    struct constant *c = PUSH(p, constants, struct constant);
    if (!c)
        return NO_INDEX;
    if (p->constant.count > 4)
        p->constant.count = 4;
    *c = p->constant;
    if (c->is_integer != 15 && is_scaled(p)) {
        struct scaled *scaled = PUSH(p, scaled, struct scaled);
        if (!scaled)
            return NO_INDEX;
        *scaled = p->scaled;
        c->scaled = (uint32_t)p->program->scaled.count;
    }
    p->program->constants_written++;
    return (uint32_t)p->program->constants.count - 1;
}

static bool is_number_byte(const char *at)
{
    char c = *at, lower = (char)(c | 0x20);
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '.' ||
           ((c == '-' || c == '+') && (at[-1] | 0x20) == 'e');
}

/* The scanner has seen that it is well formed: up to four numbers in braces, and perhaps components. */
void constant_vector(struct parser *p, struct token vector)
{
    const char *text = p->text, *at = text + vector.offset, *end = at + vector.length;
    constant_begin(p, (struct token){vector.offset, 1, 0}, false);
    for (at++; *at != '}';) {
        char sign = 0;
        while (*at == ' ' || *at == '\t' || *at == ',')
            at++;
        if (*at == '-' || *at == '+')
            sign = *at++;
        const char *start = at;
        while (is_number_byte(at))
            at++;
        if (at > start)
            constant_add(p, (struct token){(uint32_t)(start - text), (uint32_t)(at - start), 0}, sign);
        else if (*at != '}' && *at != ' ' && *at != '\t')
            break;      /* not reached: the scanner would not have taken it */
    }
    constant_close(p, (struct token){(uint32_t)(at - text), 1, 0});
    p->suffix.length = 0;
    if (at + 1 < end)
        p->suffix = (struct span){(uint32_t)(at + 2 - text), (uint32_t)(end - at - 2)};
}

/* The driver reads the words inf and nan as numbers, and emulators write them. Nobody's name may be one. */
bool constant_named(struct parser *p)
{
    const struct path *path = &p->path;
    const char *text = p->text + path->span.offset;
    if (profile_in(p->program->profile, OLD_VP) || path->nparts != 1 || path->nindices || path->span.length != 3 ||
        names_find(p, text, 3) != NO_INDEX)
        return false;
    bool infinite = memcmp(text, "inf", 3) == 0;
    if (!infinite && memcmp(text, "nan", 3) != 0)
        return false;
    diag_add(&p->program->diags, DIAG_ERROR, FOR_SPEC | FOR_MESA, path->span, "%s is no number in the specifications",
             infinite ? "inf" : "nan");
    constant_begin(p, (struct token){path->span.offset, path->span.length, 0}, true);
    p->constant.count = 1;
    p->constant.value[0].f = infinite ? (double)__builtin_inf() : (double)__builtin_nan("");
    p->suffix.length = 0;
    return true;
}

void parse_suffix(struct parser *p, struct token suffix)
{
    p->suffix = without_dot(p, suffix);
}
