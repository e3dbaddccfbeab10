/* Operands as expressions: swizzles, signs, constants, and bits of one type as another. */
#include "asm/facts.h"
#include "translate/translate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tr_letters(const uint8_t *components, unsigned n, char letters[5])
{
    for (unsigned i = 0; i < n; i++)
        letters[i] = "xyzw"[components[i]];
    letters[n] = 0;
    return letters;
}

/* ---- numbers ------------------------------------------------------------------------------------------------- */

/* Most numbers of programs have few digits, and are told without trying one after the other. NULL if it has more. */
static const char *few_digits(struct tr *t, double value)
{
    static const long scale[] = {1, 10, 100, 1000};
    double size = fabs(value);

    if (size != 0 && (size < 0.001 || size >= 99999.5))
        return NULL;
    for (unsigned k = 0; k < 4; k++) {
        long n = (long)(size * (double)scale[k] + 0.5);
        /* A quotient of such numbers is far from the middle of two floats: rounding it twice is rounding once. */
        if ((float)((double)n / (double)scale[k]) != (float)size)
            continue;
        const char *sign = signbit(value) ? "-" : "";
        unsigned whole = (unsigned)(n / scale[k]), rest = (unsigned)(n % scale[k]);
        if (!k)
            return tr_text(t, "%s%u.0", sign, whole);
        const char *zeros = rest * 10 >= (unsigned)scale[k] ? "" : rest * 100 >= (unsigned)scale[k] ? "0" : "00";
        return tr_text(t, "%s%u.%s%u", sign, whole, zeros, rest);
    }
    return NULL;
}

/* The shortest text that is read as the same number. */
static const char *finite(struct tr *t, double value, bool wide)
{
    const char *few = wide ? NULL : few_digits(t, value);
    char text[40];

    if (few)
        return few;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text - 4, "%.*g", digits, value);
        if (wide ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value)
            break;
    }
    bool point = strpbrk(text, ".e") != NULL;
    return tr_text(t, "%s%s%s", text, point ? "" : ".0", wide ? "lf" : "");
}

static const char *single(struct tr *t, uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value) || tr_hides_constants(t)) {
        if (tr_has(t, HAS_BITS))
            return tr_text(t, "uintBitsToFloat(0x%08xu)", bits);
        if (isinf(value))
            return value < 0 ? "-1e39" : "1e39";
        tr_refuse(t, t->where, "a constant that is no number, which %s cannot say", t->target->name);
        return "0.0";
    }
    return finite(t, (double)value, false);
}

const char *tr_literal(struct tr *t, uint64_t bits, enum tr_type type)
{
    double value;

    switch (type) {
    case T_INT:
        if ((uint32_t)bits == 0x80000000u)
            return "int(0x80000000u)";
        return tr_text(t, "%d", (int32_t)(uint32_t)bits);
    case T_UINT: return tr_text(t, (uint32_t)bits > 0xffffu ? "0x%xu" : "%uu", (uint32_t)bits);
    case T_INT64: return tr_text(t, "int64_t(0x%llxul)", (unsigned long long)bits);
    case T_UINT64: return tr_text(t, "0x%llxul", (unsigned long long)bits);
    case T_DOUBLE:
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            return finite(t, value, true);
        return tr_text(t, "packDouble2x32(uvec2(0x%xu, 0x%xu))", (uint32_t)bits, (uint32_t)(bits >> 32));
    default: return single(t, (uint32_t)bits);
    }
}

static uint8_t data_type_of(enum tr_type type)
{
    static const uint8_t types[T_TYPES] = {[T_FLOAT] = DT_F32,  [T_INT] = DT_S32,   [T_UINT] = DT_U32,
                                           [T_DOUBLE] = DT_F64, [T_INT64] = DT_S64, [T_UINT64] = DT_U64};

    return types[type];
}

static const char *join(struct tr *t, enum tr_type type, const char *const *parts, unsigned n)
{
    bool same = true;

    if (n == 1)
        return parts[0];
    for (unsigned i = 1; i < n; i++)
        same = same && strcmp(parts[i], parts[0]) == 0;
    const char *name = tr_type_name(type, n);
    if (same)
        return tr_text(t, "%s(%s)", name, parts[0]);
    return n == 2   ? tr_text(t, "%s(%s, %s)", name, parts[0], parts[1])
           : n == 3 ? tr_text(t, "%s(%s, %s, %s)", name, parts[0], parts[1], parts[2])
                    : tr_text(t, "%s(%s, %s, %s, %s)", name, parts[0], parts[1], parts[2], parts[3]);
}

const char *tr_join(struct tr *t, enum tr_type type, const char *const *parts, unsigned n)
{
    return join(t, type, parts, n);
}

const char *tr_constant(struct tr *t, const struct constant *c, enum tr_type type, const uint8_t *components,
                        unsigned n)
{
    const char *parts[4];

    for (unsigned i = 0; i < n; i++)
        parts[i] = tr_literal(t, eval_constant_word(c, components[i], data_type_of(type)), type);
    return join(t, type, parts, n);
}

/* ---- types --------------------------------------------------------------------------------------------------- */

static bool is_wide(enum tr_type type)
{
    return type >= T_DOUBLE;
}

/* What has the same kind in the other size. */
static const enum tr_type other[T_TYPES] = {T_DOUBLE, T_INT64, T_UINT64, T_FLOAT, T_INT, T_UINT};

const char *tr_stored(struct tr *t, const char *text, enum tr_type from, enum tr_type to, unsigned n)
{
    if (is_wide(from) == is_wide(to))
        return tr_cast(t, text, from, to, n);
    t->needed |= NEED_INT64;
    return tr_cast(t, tr_text(t, "%s(%s)", tr_type_name(other[from], n), text), other[from], to, n);
}

const char *tr_cast(struct tr *t, const char *text, enum tr_type from, enum tr_type to, unsigned n)
{
    static const char *const casts[T_TYPES][T_TYPES] = {
        [T_FLOAT] = {[T_INT] = "floatBitsToInt", [T_UINT] = "floatBitsToUint"},
        [T_INT] = {[T_FLOAT] = "intBitsToFloat", [T_UINT] = "uint"},
        [T_UINT] = {[T_FLOAT] = "uintBitsToFloat", [T_INT] = "int"},
        [T_DOUBLE] = {[T_INT64] = "doubleBitsToInt64", [T_UINT64] = "doubleBitsToUint64"},
        [T_INT64] = {[T_DOUBLE] = "int64BitsToDouble", [T_UINT64] = "uint64_t"},
        [T_UINT64] = {[T_DOUBLE] = "uint64BitsToDouble", [T_INT64] = "int64_t"}};

    if (from == to)
        return text;
    t->needed |= is_wide(from) != is_wide(to) ? NEED_INT64 : 0;
    if (is_wide(from) != is_wide(to))
        return tr_text(t, "%s(%s)", tr_type_name(to, n), tr_cast(t, text, from, other[to], n));
    const char *function = casts[from][to];
    if (!function) {
        tr_refuse(t, t->where, "bits of %s looked at as %s", tr_type_name(from, 1), tr_type_name(to, 1));
        return text;
    }
    if ((from == T_INT && to == T_UINT) || (from == T_UINT && to == T_INT) || (from == T_INT64 && to == T_UINT64) ||
        (from == T_UINT64 && to == T_INT64))
        function = tr_type_name(to, n);
    else
        tr_needs_bits(t, t->where, "bits of one type looked at as another");
    return tr_text(t, "%s(%s)", function, text);
}

/* ---- operands ------------------------------------------------------------------------------------------------ */

static const char *fill(unsigned component, enum tr_type type)
{
    static const char *const zeros[T_TYPES] = {"0.0", "0", "0u", "0.0lf", "int64_t(0)", "0ul"};
    static const char *const ones[T_TYPES] = {"1.0", "1", "1u", "1.0lf", "int64_t(1)", "1ul"};

    return component == 3 ? ones[type] : zeros[type];
}

/* These components of what a base is, as `type`. */
static const char *components_of(struct tr *t, const struct tr_base *base, enum tr_type type, const uint8_t *components,
                                 unsigned n)
{
    const char *parts[4];
    char letters[5];
    bool whole = n == 4, inside = true;

    for (unsigned i = 0; i < n; i++) {
        whole = whole && components[i] == i;
        inside = inside && components[i] < base->count;
    }
    if (inside && base->count > 1)
        return tr_cast(t,
                       whole && base->count == 4
                           ? base->text
                           : tr_text(t, "%s.%s", base->text, tr_letters(components, n, letters)),
                       base->type, type, n);
    for (unsigned i = 0; i < n; i++) {
        if (components[i] >= base->count)
            parts[i] = fill(components[i], type);
        else if (base->count == 1)
            parts[i] = tr_cast(t, base->text, base->type, type, 1);
        else
            parts[i] = tr_cast(t, tr_text(t, "%s.%c", base->text, "xyzw"[components[i]]), base->type, type, 1);
    }
    return join(t, type, parts, n);
}

static const char *signs(struct tr *t, const struct operand *o, enum tr_type type, const char *text)
{
    bool negative = operand_negates(o), has_signs = type != T_UINT && type != T_UINT64;

    if (o->flags & OPND_ABSOLUTE && !has_signs)     /* nothing is dropped, and a minus inside counts */
        negative = !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
    else if (o->flags & OPND_ABSOLUTE)
        text = tr_text(t, "abs(%s)", text);
    return negative ? tr_text(t, "-%s", text) : text;
}

/* Of a constant, which has no name, its numbers. */
static const char *named(struct tr *t, const struct operand *o, const struct tr_base *base, enum tr_type type,
                         const uint8_t *components, unsigned n)
{
    if (operand_named_kind(o) == OPND_CONSTANT)
        return tr_constant(t, program_constant(t->p, o->ref), type, components, n);
    return components_of(t, base, type, components, n);
}

static const char *extended(struct tr *t, const struct operand *o, enum tr_type type, const uint8_t *components,
                            unsigned n)
{
    struct tr_base base = {0};
    bool sign = operand_has_sign(o);
    uint8_t plain[4] = {0};
    const char *parts[4];
    bool simple = true;
    unsigned negated = 0;

    if (operand_named_kind(o) != OPND_CONSTANT)
        base = tr_operand_base(t, o);
    for (unsigned i = 0; i < n; i++) {
        uint8_t e = operand_selector(o, components[i]);
        plain[i] = e & 7;
        simple = simple && plain[i] <= SWZ_W;
        negated += e & SWZ_NEGATE ? 1 : 0;
    }
    if (simple && (negated == 0 || negated == n)) {
        const char *text = signs(t, o, type, named(t, o, &base, type, plain, n));
        if (negated && sign)
            text = tr_text(t, "(%s)", text);
        return negated ? tr_text(t, "-%s", text) : text;
    }
    for (unsigned i = 0; i < n; i++) {
        parts[i] = plain[i] == SWZ_ZERO  ? fill(0, type)
                   : plain[i] == SWZ_ONE ? fill(3, type)
                              : signs(t, o, type, named(t, o, &base, type, &plain[i], 1));
        if (parts[i][0] == '-')
            parts[i] = tr_text(t, "(%s)", parts[i]);
        if (operand_selector(o, components[i]) & SWZ_NEGATE)
            parts[i] = tr_text(t, "-%s", parts[i]);
    }
    return join(t, type, parts, n);
}

const char *tr_value_of(struct tr *t, const struct operand *o, const struct tr_base *base, enum tr_type type,
                        const uint8_t *components, unsigned n)
{
    uint8_t chosen[4] = {0};

    for (unsigned i = 0; i < n; i++)
        chosen[i] = o->swizzle >> 2 * components[i] & 3;
    return signs(t, o, type, components_of(t, base, type, chosen, n));
}

const char *tr_value(struct tr *t, const struct operand *o, enum tr_type type, const uint8_t *components, unsigned n)
{
    uint8_t chosen[4] = {0};
    const char *text;

    if (o->kind == OPND_EXTENDED)
        return extended(t, o, type, components, n);     /* what has a sign is the operand, and not its 0 and 1 */
    for (unsigned i = 0; i < n; i++)
        chosen[i] = o->swizzle >> 2 * components[i] & 3;
    if (o->kind == OPND_CONSTANT) {
        text = tr_constant(t, program_constant(t->p, o->ref), type, chosen, n);
    } else {
        struct tr_base base = tr_operand_base(t, o);
        text = components_of(t, &base, type, chosen, n);
    }
    /* A minus before a minus is a decrement. */
    if (text[0] == '-' && operand_has_sign(o))
        text = tr_text(t, "(%s)", text);
    return signs(t, o, type, text);
}

const char *tr_operand(struct tr *t, unsigned k, enum tr_type type, const uint8_t *components, unsigned n)
{
    const char *text = tr_value(t, program_operand(t->p, t->insn->src + k), type, components, n);

    if (type != T_FLOAT || !t->half || !tr_has(t, HAS_GPU5) || t->insn->flags & INSN_FIXED ||
        op_table[t->insn->op].modifiers & M_TEX || !eval_is_half_of(t->p, false, t->insn))
        return text;
    t->needed |= NEED_HALF;     /* what is computed with halves takes halves */
    return tr_text(t, "gp5_half(%s)", text);
}
