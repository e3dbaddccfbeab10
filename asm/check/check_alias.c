/* Vertex attributes by two names: a generic one and the conventional one that shares its place exclude each other
 * (ARB_vertex_program 2.14.3.1, NV_vertex_program4 2.X.3.2). NVIDIA's driver takes both. */
#include "asm/check/check_internal.h"

static int place_of(const struct binding *b)
{
    switch (b->kind) {
    case BIND_VERTEX_POSITION: return 0;
    case BIND_VERTEX_WEIGHT: return 1;
    case BIND_VERTEX_NORMAL: return 2;
    case BIND_VERTEX_COLOR:
    case BIND_VERTEX_COLOR_PRIMARY: return 3;
    case BIND_VERTEX_COLOR_SECONDARY: return 4;
    case BIND_VERTEX_FOGCOORD: return 5;
    case BIND_VERTEX_TEXCOORD: return 8 + (int)(b->nindices ? b->first[0] & 7 : 0);
    default: return -1;
    }
}

void check_aliases(struct checker *c)
{
    unsigned generic = 0, conventional = 0;
    if (!profile_in(c->profile, ARB_VP | NV_VP))
        return;
    for (uint32_t i = 0; i < c->program->bindings.count; i++) {
        const struct binding *b = program_binding(c->program, i);
        int place = place_of(b);
        if (b->kind == BIND_VERTEX_ATTRIB && !b->relative && b->first[0] < 16)
            generic |= 1u << b->first[0];
        else if (place >= 0)
            conventional |= 1u << place;
        if (generic & conventional) {
            c->reported = 0;
            check_error(c, FOR_MESA | FOR_SPEC, b->span, "%.*s is the same attribute as another that is named before",
                        check_length(b->span), check_text(c, b->span));
            return;
        }
    }
}
