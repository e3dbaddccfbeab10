/* Variables, bindings and constants as planes (variables.c). */
#ifndef GP5_EVAL_SOURCES_H
#define GP5_EVAL_SOURCES_H

#include "eval/decode/decode.h"

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

/* A constant's component as the bits of a type. */
uint64_t eval_constant_word(const struct constant *c, unsigned component, uint8_t type);
/* The same as the driver reads it: doubles are digits times a power of ten, rounded twice. */
uint64_t eval_literal_word(const struct constant *c, unsigned component, uint8_t type);
/* Whether an instruction's operand is a half's bits; those of a component that is written as a number. */
bool eval_reads_half(const struct insn *insn);
uint32_t eval_constant_half(const struct constant *c, unsigned component);
/* Whether an instruction loads from a constant buffer at a place that the text names. */
bool eval_loads_given(const struct gp5_program *p, const struct insn *insn);
/* The type that a constant of a variable declared so is taken for. */
uint8_t eval_constant_type(uint8_t symbol_type, bool wide);

/* Element `at` of what a binding covers; constants are of `type` (enum symbol_type). */
bool eval_binding_planes(struct decoder *d, const struct binding *b, uint32_t at, uint8_t type,
                         struct plane_run *out);

/* An element of a variable (0 for one that is no array). */
bool eval_symbol_planes(struct decoder *d, uint32_t symbol, uint64_t element, struct span where,
                        struct plane_run *out);
/* Which binding element `e` of a variable has; it is the `at`-th of what that covers. NULL for none. */
const struct binding *eval_element_binding(const struct gp5_program *p, const struct symbol *s, uint64_t e, uint32_t *at);
/* Of a plane of a patch's result: what it was before the last write (stage_control.c). */
#define SHARED_BEFORE 0x10000u

bool eval_place_results(struct decoder *d);
bool eval_array_planes(struct decoder *d, uint32_t symbol, struct span where, struct array_planes *out);

#endif
