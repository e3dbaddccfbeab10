/* Bindings by the name that a program's text has for them, for who gives a stage its inputs and takes its results. */
#ifndef GP5_ASM_BINDING_NAME_H
#define GP5_ASM_BINDING_NAME_H

#include "asm/isa.h"

/* registers.def's names in brackets: v[OPOS]. A name that ends in # ends in a number below 8, @ is a number below the
 * index. */
struct named_binding {
    uint32_t profiles;
    char letter;
    const char *name;
    uint16_t binding;
    int16_t index;              /* -1: the binding has none */
};
extern const struct named_binding named_bindings[];
extern const size_t named_binding_count;

struct binding_name {
    uint16_t kind;              /* enum gp5_binding */
    uint8_t nindices;
    uint32_t index[2];          /* 0 where none is written */
};

/* "vertex.texcoord[0]", "result.color", "v[OPOS]" in a stage. False when that stage has no such name. */
bool asm_find_binding(enum program_stage stage, const char *text, struct binding_name *name);

/* Of a canonical kind: what one vertex of an input primitive or patch has, or of the output patch; what a patch has.
 * The result that an output's attribute reads back. */
bool asm_is_of_vertex(uint16_t kind);
bool asm_is_of_output_vertex(uint16_t kind);
bool asm_is_of_patch(uint16_t kind);
uint16_t asm_result_of_output(uint16_t kind);

/* Names of one thing are one: result.color.front.primary is result.color. What result.color[0] is depends on the
 * stage. */
uint16_t asm_canonical_binding(uint16_t kind);

#endif
