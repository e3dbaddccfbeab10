/* Programs whose fragments need not be shaded one by one where their inputs are the same: nothing of them asks which
 * fragment it is, looks at other lanes, or leaves anything but results. */
#include "raster/internal.h"

#include "asm/binding_name.h"
#include "asm/program.h"

static bool is_interpolated(uint16_t kind)
{
    switch (asm_canonical_binding(kind)) {
    case BIND_FRAGMENT_COLOR_PRIMARY:
    case BIND_FRAGMENT_COLOR_SECONDARY:
    case BIND_FRAGMENT_COLOR:
    case BIND_FRAGMENT_TEXCOORD:
    case BIND_FRAGMENT_FOGCOORD:
    case BIND_FRAGMENT_ATTRIB:
    case BIND_FRAGMENT_CLIP:
    case BIND_FRAGMENT_CULL:
    case BIND_FRAGMENT_LAYER:
    case BIND_FRAGMENT_VIEWPORT:
    case BIND_FRAGMENT_FACING:
    case BIND_PRIMITIVE_ID: return true;
    default: return false;
    }
}

bool fragments_alike(const gp5_program *program)
{
    enum {
        OTHERS = K_STORE | K_ANY_ATOMIC | K_IMAGE_STORE | K_VOTE | K_MATCH | K_SHUFFLE | K_QUAD | K_INTERPOLATION |
                 K_SUBGROUP
    };

    for (uint32_t i = 0; i < program->insns.count; i++)
        if (op_is(program_insn(program, i)->op, OTHERS))
            return false;
    for (uint32_t i = 0; i < program->bindings.count; i++) {
        uint16_t kind = program_binding(program, i)->kind;
        if (kind < BIND_COUNT && binding_table[kind].class == BC_ATTRIB && !is_interpolated(kind))
            return false;
    }
    return true;
}
