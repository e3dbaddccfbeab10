/* Compare rules: when two numbers agree. docs/drivers.md says each in words; tests/unit/compare/test_rules.c holds
 * the tables.
 *
 * With `denormals flushed` the first (expected) number, if it is denormal, is replaced by the zero of its
 * sign before anything else. Then two numbers agree when their bits are the same, or when one of these holds:
 *   nan any             both are NaN
 *   denormals any       the rest of the rule holds when either or both, if denormal, stand for the zero of
 *                       their sign
 *   near E              both magnitudes are at most E
 *   ulp N               at most N steps apart on the line of all representable values: the zeros are one
 *                       point, the infinities are the last points of it; integers count in ones
 *   absolute E          |expected - got| <= E, both finite
 *   relative E          |expected - got| <= E * |expected|, both finite
 * A NaN agrees by no rule but its own bits and `nan any`. Between two NaNs of 64 bits `nan any` always holds: an
 * operation on doubles passes the bits of one of its NaNs on, and which of two is not modelled. */
#ifndef GP5_COMPARE_RULES_H
#define GP5_COMPARE_RULES_H

#include "compare/script/number.h"

enum rule_kind { RULE_EXACT, RULE_ULP, RULE_ABSOLUTE, RULE_RELATIVE };
enum rule_denormals { DENORMALS_KEEP, DENORMALS_FLUSHED, DENORMALS_ANY };

struct rule {
    enum number_type type;
    enum rule_kind kind;
    uint64_t ulps;              /* RULE_ULP */
    double bound;               /* RULE_ABSOLUTE, RULE_RELATIVE */
    double near_zero;           /* 0: none */
    enum rule_denormals denormals;
    bool nan_any;
};

enum rule_verdict { RULE_SAME_BITS, RULE_AGREES, RULE_DIFFERS };

enum rule_verdict rule_compare(const struct rule *rule, uint64_t expected, uint64_t got);

/* Steps between two values, UINT64_MAX when one of them is NaN. */
uint64_t rule_ulps(enum number_type type, uint64_t a, uint64_t b);

enum { RULE_TEXT = 160 };

/* "f32 ulp 2, near 1e-06, nan any" */
const char *rule_print(const struct rule *rule, char text[RULE_TEXT]);

/* How far off a component is: "3 ulp, absolute 0.5, relative 0.25". */
const char *rule_distance(enum number_type type, uint64_t expected, uint64_t got, char text[RULE_TEXT]);

/* Words after the type: `exact`, `ulp N`, `absolute E`, `relative E`, `near E`, `denormals
 * any|flushed|keep`, `nan any`. Returns NULL, or the message for word number *wrong. */
const char *rule_parse(struct rule *rule, char *const *words, size_t count, size_t *wrong);

#endif
