/* Texts for JSON, which takes UTF-8 alone. */
#ifndef GP5_COMPARE_JSON_TEXT_H
#define GP5_COMPARE_JSON_TEXT_H

#include <jansson.h>

/* Driver strings and file names may be any bytes: those that are no UTF-8 become '?'. null for NULL. */
json_t *cmp_json_string(const char *text);
/* What may be any n bytes, so that none is lost: where they are no UTF-8 each stands for the character of its
 * number. */
json_t *cmp_json_bytes(const char *bytes, size_t n);

#endif
