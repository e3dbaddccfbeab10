/* What a program of a graphics stage declares of primitives and threads. */
#ifndef GP5_ASM_STAGE_SHAPE_H
#define GP5_ASM_STAGE_SHAPE_H

#include "asm/binding_name.h"
#include "asm/program.h"

struct stage_shape {
    uint8_t primitive_in, primitive_out;    /* enum stage_word, of geometry programs */
    uint8_t mode, spacing, order;           /* likewise, of tessellation evaluation programs */
    bool point_mode;
    bool passes;                /* NV_geometry_shader_passthrough: each primitive goes on, with results of its own */
    uint32_t vertices_in;       /* of an input primitive; 0 where the launch says it */
    uint32_t vertices_out;      /* that a geometry invocation may give; threads of a tessellation control program */
    uint32_t invocations;
};

struct stage_shape asm_stage_shape(const struct gp5_program *program);

/* Whether a LONG variable is bound to an attribute: its elements are four words of 64 bits. */
bool asm_is_long_input(const struct gp5_program *program, const struct binding_name *name);

/* Result elements that one geometry invocation can give as points, lines or triangles of their own. */
uint64_t asm_decomposed(const struct stage_shape *shape);

#endif
