#include "compare/script/rules.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t rule_ulps(enum number_type type, uint64_t a, uint64_t b)
{
    if (number_is_nan(type, a) || number_is_nan(type, b))
        return UINT64_MAX;
    bool sign_a = number_is_negative(type, a), sign_b = number_is_negative(type, b);
    if (number_types[type].is_float) {
        uint64_t x = number_magnitude(type, a), y = number_magnitude(type, b);
        if (sign_a != sign_b)
            return x + y;                       /* through zero; both are below 2^63 */
        return x > y ? x - y : y - x;
    }
    if (number_types[type].is_signed) {         /* moves the most negative to 0 */
        a ^= number_sign_bit(type);
        b ^= number_sign_bit(type);
    }
    return a > b ? a - b : b - a;
}

static uint64_t flushed(enum number_type type, uint64_t bits)
{
    return number_is_denormal(type, bits) ? bits & number_sign_bit(type) : bits;
}

static double difference(enum number_type type, uint64_t a, uint64_t b)
{
    if (!number_types[type].is_float)
        return (double)rule_ulps(type, a, b);   /* exact up to 2^53; a double of each alone would not be */
    return fabs(number_value(type, a) - number_value(type, b));
}

static bool is_finite(enum number_type type, uint64_t bits)
{
    return !number_is_nan(type, bits) && !number_is_infinite(type, bits);
}

static bool agrees(const struct rule *rule, uint64_t expected, uint64_t got)
{
    enum number_type type = rule->type;
    if (expected == got)
        return true;
    if (number_is_nan(type, expected) || number_is_nan(type, got))
        return false;
    if (rule->kind == RULE_ULP && rule_ulps(type, expected, got) <= rule->ulps)
        return true;
    if (!is_finite(type, expected) || !is_finite(type, got))
        return false;
    double e = fabs(number_value(type, expected)), g = fabs(number_value(type, got));
    if (rule->near_zero > 0 && e <= rule->near_zero && g <= rule->near_zero)
        return true;
    if (rule->kind == RULE_ABSOLUTE)
        return difference(type, expected, got) <= rule->bound;
    if (rule->kind == RULE_RELATIVE)
        return difference(type, expected, got) <= rule->bound * e;
    return false;
}

enum rule_verdict rule_compare(const struct rule *rule, uint64_t expected, uint64_t got)
{
    enum number_type type = rule->type;
    bool ok;
    if (expected == got && rule->denormals != DENORMALS_FLUSHED)
        return RULE_SAME_BITS;
    if (number_is_nan(type, expected) && number_is_nan(type, got))
        return expected == got ? RULE_SAME_BITS : rule->nan_any || type == NUMBER_F64 ? RULE_AGREES : RULE_DIFFERS;
    if (rule->denormals == DENORMALS_FLUSHED)
        expected = flushed(type, expected);
    if (expected == got)
        return RULE_SAME_BITS;
    ok = agrees(rule, expected, got);
    if (!ok && rule->denormals == DENORMALS_ANY)
        ok = agrees(rule, flushed(type, expected), got) || agrees(rule, expected, flushed(type, got)) ||
             agrees(rule, flushed(type, expected), flushed(type, got));
    return ok ? RULE_AGREES : RULE_DIFFERS;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

const char *rule_print(const struct rule *rule, char text[RULE_TEXT])
{
    static const char *const denormals[] = { "", ", denormals flushed", ", denormals any" };
    char kind[64], near_zero[48] = "";
    switch (rule->kind) {
    case RULE_EXACT: snprintf(kind, sizeof kind, "exact"); break;
    case RULE_ULP: snprintf(kind, sizeof kind, "ulp %" PRIu64, rule->ulps); break;
    case RULE_ABSOLUTE: snprintf(kind, sizeof kind, "absolute %g", rule->bound); break;
    case RULE_RELATIVE: snprintf(kind, sizeof kind, "relative %g", rule->bound); break;
    }
    if (rule->near_zero > 0)
        snprintf(near_zero, sizeof near_zero, ", near %g", rule->near_zero);
    snprintf(text, RULE_TEXT, "%s %s%s%s%s", number_types[rule->type].name, kind, near_zero,
             denormals[rule->denormals], rule->nan_any ? ", nan any" : "");
    return text;
}

const char *rule_distance(enum number_type type, uint64_t expected, uint64_t got, char text[RULE_TEXT])
{
    if (number_is_nan(type, expected) || number_is_nan(type, got)) {
        snprintf(text, RULE_TEXT, "%s", number_is_nan(type, expected) == number_is_nan(type, got)
                 ? "different NaN" : "one is NaN");
        return text;
    }
    uint64_t ulps = rule_ulps(type, expected, got);
    if (!number_types[type].is_float) {
        snprintf(text, RULE_TEXT, "off by %" PRIu64, ulps);
        return text;
    }
    int n = snprintf(text, RULE_TEXT, "off by %" PRIu64 " ulp", ulps);
    if (is_finite(type, expected) && is_finite(type, got)) {
        double d = difference(type, expected, got), e = fabs(number_value(type, expected));
        n += snprintf(text + n, (size_t)(RULE_TEXT - n), ", absolute %.3g", d);
        if (e > 0)
            snprintf(text + n, (size_t)(RULE_TEXT - n), ", relative %.3g", d / e);
    }
    return text;
}

static bool bound_of(const char *word, double *bound)
{
    char *end;
    errno = 0;
    *bound = strtod(word, &end);
    return end != word && !*end && isfinite(*bound) && *bound >= 0;
}

static bool count_of(const char *word, uint64_t *count)
{
    return number_parse(NUMBER_U64, word, count) && *word != '-';
}

const char *rule_parse(struct rule *rule, char *const *words, size_t count, size_t *wrong)
{
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : "";
        *wrong = i;
        if (!strcmp(word, "exact")) {
            rule->kind = RULE_EXACT;
            continue;
        }
        if (!strcmp(word, "ulp")) {
            rule->kind = RULE_ULP;
            if (!count_of(value, &rule->ulps))
                return "'ulp' needs a whole number";
        } else if (!strcmp(word, "absolute") || !strcmp(word, "relative")) {
            rule->kind = *word == 'a' ? RULE_ABSOLUTE : RULE_RELATIVE;
            if (!bound_of(value, &rule->bound))
                return "a bound must be a number, 0 or more";
        } else if (!strcmp(word, "near")) {
            if (!bound_of(value, &rule->near_zero))
                return "'near' needs a number, 0 or more";
        } else if (!strcmp(word, "denormals")) {
            if (!strcmp(value, "any")) rule->denormals = DENORMALS_ANY;
            else if (!strcmp(value, "flushed")) rule->denormals = DENORMALS_FLUSHED;
            else if (!strcmp(value, "keep")) rule->denormals = DENORMALS_KEEP;
            else return "'denormals' needs any, flushed or keep";
        } else if (!strcmp(word, "nan")) {
            if (strcmp(value, "any"))
                return "'nan' needs any";
            rule->nan_any = true;
        } else {
            return "no such rule; known: exact, ulp N, absolute E, relative E, near E, "
                   "denormals any|flushed|keep, nan any";
        }
        i++;
    }
    return NULL;
}
