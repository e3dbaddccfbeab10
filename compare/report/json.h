/* Pieces of JSON that reports share. */
#ifndef GP5_COMPARE_JSON_H
#define GP5_COMPARE_JSON_H

#include "compare/report/json_text.h"
#include "compare/world/test.h"

json_t *cmp_json_count(uint64_t v);
/* Where values became undefined and why: an array of line, reason, words. */
/* The names of passes (reference_not_modelled). */
json_t *cmp_json_not_modelled(uint64_t passes);
json_t *cmp_json_reasons(const struct test_result *r);

#endif
