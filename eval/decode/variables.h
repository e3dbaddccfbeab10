/* Variables, bindings and constants as planes (variables.c). */
#ifndef GP5_EVAL_SOURCES_H
#define GP5_EVAL_SOURCES_H

#include "eval/decode/decode.h"
#include "eval/state/element_binding.h"

/* The four components of a vector. */
struct plane_run {
    uint32_t plane[4];
    bool wide;
    bool both;                  /* a SHORT variable: behind each plane stands its word as a float (half_storage.h) */
};

/* An array with all its elements in a row. */
struct array_planes {
    uint32_t first, elements, stride;
    bool wide;
};


/* Element `at` of what a binding covers; constants are of `type` (enum symbol_type). */
bool eval_binding_planes(struct decoder *d, const struct binding *b, uint32_t at, uint8_t type,
                         struct plane_run *out);

/* An element of a variable (0 for one that is no array). */
bool eval_symbol_planes(struct decoder *d, uint32_t symbol, uint64_t element, struct span where,
                        struct plane_run *out);
/* Of a plane of a patch's result: what it was before the last write (stage_control.c). */
#define SHARED_BEFORE 0x10000u

bool eval_place_results(struct decoder *d);
bool eval_array_planes(struct decoder *d, uint32_t symbol, struct span where, struct array_planes *out);

#endif
