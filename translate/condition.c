/* Condition codes: what was written last, as a value or as bits, and tests of it. */
#include "translate/translate.h"

/* Of values of floats: one that is no number is greater, less and equal to nothing. */
static const char *const of_values[CC_COUNT] = {
    [CC_EQ] = "(%s == 0.0)", [CC_NE] = "(%s != 0.0)", [CC_LT] = "(%s < 0.0)", [CC_GE] = "(%s >= 0.0)",
    [CC_GT] = "(%s > 0.0)", [CC_LE] = "(%s <= 0.0)", [CC_NAN] = "(%s != %s)", [CC_LEG] = "(%s == %s)",
    [CC_SF] = "(%s < 0.0 || %s != %s)", [CC_NSF] = "(%s >= 0.0)", [CC_TR] = "(true)", [CC_FL] = "(false)"};

/* Of bits: 1 zero, 2 sign, 4 carry, 8 overflow. */
static const char *const of_bits[CC_COUNT] = {
    [CC_EQ] = "((%s & 3u) == 1u)", [CC_NE] = "((%s & 3u) != 1u)",
    [CC_LT] = "(((%s & 3u) == 2u) != ((%s & 8u) != 0u))", [CC_GE] = "(((%s & 2u) != 0u) == ((%s & 8u) != 0u))",
    [CC_GT] = "((((%s & 2u) != 0u) == ((%s & 8u) != 0u)) && (%s & 1u) == 0u)",
    [CC_LE] = "(((%s & 2u) != 0u) != ((%s & 9u) != 0u))", [CC_NAN] = "((%s & 3u) == 3u)",
    [CC_LEG] = "((%s & 3u) != 3u)", [CC_CF] = "((%s & 4u) != 0u)", [CC_NCF] = "((%s & 4u) == 0u)",
    [CC_OF] = "((%s & 8u) != 0u)", [CC_NOF] = "((%s & 8u) == 0u)", [CC_SF] = "((%s & 2u) != 0u)",
    [CC_NSF] = "((%s & 2u) == 0u)", [CC_AB] = "((%s & 5u) == 4u)", [CC_BLE] = "((%s & 5u) != 4u)",
    [CC_TR] = "(true)", [CC_FL] = "(false)"};

/* The text with its %s replaced by one and the same. */
static const char *fill(struct tr *t, const char *format, const char *value)
{
    const char *out = "";

    for (const char *at = format;; at += 2) {
        const char *next = at;
        while (*next && *next != '%')
            next++;
        out = tr_text(t, "%s%.*s", out, (int)(next - at), at);
        if (!*next)
            return out;
        out = tr_text(t, "%s%s", out, value);
        at = next;
    }
}

const char *tr_test(struct tr *t, const struct condition *c, unsigned component)
{
    const char *format = t->flag_bits ? of_bits[c->rule] : of_values[c->rule];

    if (c->rule == CC_NONE)
        return "(true)";
    if (!format) {
        tr_refuse(t, program_test_span(t->p, t->insn), "a test of %s, which %s cannot say", cc_rule_names[c->rule],
                  t->target->name);
        return "false";
    }
    return fill(t, format, tr_text(t, "gp5_cc%u.%c", c->cc & 1u, "xyzw"[c->swizzle >> 2 * component & 3]));
}

const char *tr_test_any(struct tr *t, const struct condition *c)
{
    const char *out = NULL;
    unsigned seen = 0;

    if (c->rule == CC_NONE)
        return "(true)";
    for (unsigned i = 0; i < 4; i++) {
        unsigned component = c->swizzle >> 2 * i & 3;
        if (seen >> component & 1)
            continue;
        seen |= 1u << component;
        const char *test = tr_test(t, c, i);
        out = out ? tr_text(t, "%s || %s", out, test) : test;
    }
    return out;
}
