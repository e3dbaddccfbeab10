#include "asm/stage_shape.h"

#include "asm/stage.h"
#include "asm/words.h"

static uint32_t vertices_of(unsigned primitive)
{
    switch (primitive) {
    case STAGE_WORD_POINTS: return 1;
    case STAGE_WORD_LINES: return 2;
    case STAGE_WORD_TRIANGLES: return 3;
    case STAGE_WORD_LINES_ADJACENCY: return 4;
    case STAGE_WORD_TRIANGLES_ADJACENCY: return 6;
    default: return 0;
    }
}

struct stage_shape asm_stage_shape(const struct gp5_program *program)
{
    struct stage_shape shape = {.mode = STAGE_WORD_TRIANGLES,
                                .spacing = STAGE_WORD_EQUAL,
                                .order = STAGE_WORD_CCW,
                                .vertices_out = 1,
                                .invocations = 1};

    for (uint32_t i = 0; i < program->others.count; i++) {
        const struct statement *s = program_other(program, i);
        if (s->kind != STMT_STAGE)
            continue;
        switch (s->ref) {
        case KEY_PRIMITIVE_IN: shape.primitive_in = (uint8_t)s->count; break;
        case KEY_PRIMITIVE_OUT: shape.primitive_out = (uint8_t)s->count; break;
        case KEY_TESS_MODE: shape.mode = (uint8_t)s->count; break;
        case KEY_TESS_SPACING: shape.spacing = (uint8_t)s->count; break;
        case KEY_TESS_VERTEX_ORDER: shape.order = (uint8_t)s->count; break;
        case KEY_TESS_POINT_MODE: shape.point_mode = true; break;
        case KEY_VERTICES_OUT: shape.vertices_out = s->count; break;
        case KEY_INVOCATIONS: shape.invocations = s->count; break;
        default: break;
        }
    }
    shape.vertices_in = vertices_of(shape.primitive_in);
    shape.passes = program->options >> OPTION_NV_geometry_shader_passthrough & 1;
    if (shape.passes) {         /* a primitive of the same kind */
        shape.vertices_out = shape.vertices_in;
        shape.primitive_out = shape.vertices_in == 1   ? STAGE_WORD_POINTS
                              : shape.vertices_in == 2 ? STAGE_WORD_LINE_STRIP
                                                       : STAGE_WORD_TRIANGLE_STRIP;
    }
    return shape;
}

uint64_t asm_decomposed(const struct stage_shape *shape)
{
    uint64_t n = shape->vertices_out;

    switch (shape->primitive_out) {
    case STAGE_WORD_LINE_STRIP: return n > 1 ? 2 * (n - 1) : 0;
    case STAGE_WORD_TRIANGLE_STRIP: return n > 2 ? 3 * (n - 2) : 0;
    default: return n;
    }
}

bool asm_is_long_input(const struct gp5_program *p, const struct binding_name *name)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        for (uint32_t k = 0; s->kind == SYM_ATTRIB && s->size == SIZE_LONG && k < s->nbindings; k++) {
            const struct binding *b = program_binding(p, s->binding + k);
            uint32_t first = b->nindices ? b->first[0] : 0, last = b->nindices && b->range[0] ? b->last[0] : first;
            if (asm_canonical_binding(b->kind) == asm_canonical_binding(name->kind) && name->index[0] >= first &&
                name->index[0] <= last)
                return true;
        }
    }
    return false;
}
