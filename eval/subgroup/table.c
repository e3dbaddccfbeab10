/* The rows of operations, types and reasons. */
#include "eval/subgroup/subgroup.h"

#include <string.h>

const struct gp5_subgroup_info sub_rows[GP5_SUBGROUP_OP_COUNT] = {
#define GP5_SUBGROUP_X(ID, name, glsl, spirv, class_, arithmetic, types, operands, answer)                  \
    { name, glsl, spirv, GP5_SUBGROUP_##class_, GP5_SUBGROUP_##arithmetic, GP5_SUBGROUP_##types, operands,  \
      GP5_SUBGROUP_##answer },
    GP5_SUBGROUP_OPERATIONS(GP5_SUBGROUP_X)
#undef GP5_SUBGROUP_X
};

const struct gp5_subgroup_info *gp5_subgroup_info(enum gp5_subgroup_op op)
{
    return (unsigned)op < GP5_SUBGROUP_OP_COUNT ? &sub_rows[op] : NULL;
}

enum gp5_subgroup_op gp5_subgroup_find(const char *name)
{
    unsigned op = 0;
    while (op < GP5_SUBGROUP_OP_COUNT && strcmp(sub_rows[op].name, name) != 0 && strcmp(sub_rows[op].glsl, name) != 0)
        op++;
    return (enum gp5_subgroup_op)op;
}

const char *gp5_subgroup_type_name(enum gp5_subgroup_type type)
{
#define GP5_SUBGROUP_X(ID, name, bytes) name,
    static const char *const names[] = { GP5_SUBGROUP_TYPE_LIST(GP5_SUBGROUP_X) };
#undef GP5_SUBGROUP_X
    return (unsigned)type < GP5_SUBGROUP_TYPE_COUNT ? names[type] : NULL;
}

size_t gp5_subgroup_type_size(enum gp5_subgroup_type type)
{
#define GP5_SUBGROUP_X(ID, name, bytes) bytes,
    static const uint8_t sizes[] = { GP5_SUBGROUP_TYPE_LIST(GP5_SUBGROUP_X) };
#undef GP5_SUBGROUP_X
    return (unsigned)type < GP5_SUBGROUP_TYPE_COUNT ? sizes[type] : 0;
}

const char *gp5_subgroup_reason_text(enum gp5_subgroup_reason reason)
{
#define GP5_SUBGROUP_X(ID, text) text,
    static const char *const texts[] = { GP5_SUBGROUP_REASONS(GP5_SUBGROUP_X) };
#undef GP5_SUBGROUP_X
    return (unsigned)reason < GP5_SUBGROUP_REASON_COUNT ? texts[reason] : NULL;
}

struct gp5_subgroup_barrier gp5_subgroup_barrier(enum gp5_subgroup_op op)
{
    enum { ALL_MEMORY = GP5_SUBGROUP_BUFFER_MEMORY | GP5_SUBGROUP_SHARED_MEMORY | GP5_SUBGROUP_IMAGE_MEMORY };

    switch (op) {
    case GP5_SUBGROUP_DO_BARRIER:
        return (struct gp5_subgroup_barrier){ true, ALL_MEMORY };
    case GP5_SUBGROUP_DO_MEMORY_BARRIER:
        return (struct gp5_subgroup_barrier){ false, ALL_MEMORY };
    case GP5_SUBGROUP_DO_MEMORY_BARRIER_BUFFER:
        return (struct gp5_subgroup_barrier){ false, GP5_SUBGROUP_BUFFER_MEMORY };
    case GP5_SUBGROUP_DO_MEMORY_BARRIER_SHARED:
        return (struct gp5_subgroup_barrier){ false, GP5_SUBGROUP_SHARED_MEMORY };
    case GP5_SUBGROUP_DO_MEMORY_BARRIER_IMAGE:
        return (struct gp5_subgroup_barrier){ false, GP5_SUBGROUP_IMAGE_MEMORY };
    default:
        return (struct gp5_subgroup_barrier){ false, 0 };
    }
}
