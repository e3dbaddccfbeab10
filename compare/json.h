/* Pieces of JSON that reports share. */
#ifndef GP5_COMPARE_JSON_H
#define GP5_COMPARE_JSON_H

#include "compare/test.h"

#include <jansson.h>

/* Driver strings and file names may be any bytes; JSON takes UTF-8 alone: others become '?'. null for NULL. */
json_t *cmp_json_string(const char *text);
/* What may be any n bytes, so that none is lost: where they are no UTF-8 each stands for the character of its number. */
json_t *cmp_json_bytes(const char *bytes, size_t n);
json_t *cmp_json_count(uint64_t v);
/* Where values became undefined and why: an array of line, reason, words. */
json_t *cmp_json_reasons(const struct test_result *r);

#endif
