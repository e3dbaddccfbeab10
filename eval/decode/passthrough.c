/* PASSTHROUGH results of geometry programs: of each vertex of the input primitive what the attribute of the same name
 * has (NV_geometry_shader_passthrough). Who reads them is stage_geometry.c. */
#include "eval/decode/decode.h"

#include "asm/binding_name.h"

#include <stdio.h>
#include <string.h>

/* The components behind the last point of the statement's words, or all. */
static uint8_t mask_of(const struct gp5_program *p, struct span span)
{
    const char *end = p->text + span.offset + span.length, *point = end;
    uint8_t mask = 0;

    while (point > p->text + span.offset && point[-1] != '.')
        point--;
    for (const char *c = point; c < end && *c != ' ' && *c != ';'; c++) {
        const char *at = strchr("xyzw", *c);
        if (!at || !*at)
            return 15;
        mask |= (uint8_t)(1u << (at - "xyzw"));
    }
    return mask ? mask : 15;
}

static bool pass_through(struct decoder *d, const struct binding *b, uint32_t number, uint8_t mask)
{
    struct passed_result passed = {.kind = asm_canonical_binding(b->kind), .index = number, .mask = mask};
    const char *words = binding_table[b->kind].words + strlen("result");
    struct binding_name name;
    char text[96];

    snprintf(text, sizeof text, "vertex%.*s[%u]", (int)strcspn(words, "["), words, number);
    if (!strchr(words, '['))
        text[strlen("vertex") + strlen(words)] = 0;
    if (!asm_find_binding(STAGE_GEOMETRY, text, &name))
        return eval_refuse(d, b->span, "PASSTHROUGH of %.*s", (int)b->span.length, d->p->text + b->span.offset);
    for (uint32_t vertex = 0; vertex < d->x->shape.vertices_in && vertex < 3; vertex++)
        for (unsigned c = 0; c < 4; c++)
            passed.plane[vertex][c] = eval_layout_source(&d->layout, asm_canonical_binding(name.kind),
                                                         name.index[0] << 8 | vertex, c);
    return eval_push(d, &d->passed, &passed) != NO_INDEX;
}

bool eval_decode_passthrough(struct decoder *d)
{
    for (uint32_t i = 0; i < d->p->others.count; i++) {
        const struct statement *s = program_other(d->p, i);
        const struct binding *b = s->kind == STMT_PASSTHROUGH ? program_binding(d->p, s->ref) : NULL;
        uint32_t first = b && b->nindices ? b->first[0] : 0,
                 last = b && b->nindices && b->range[0] ? b->last[0] : first;
        for (uint32_t n = first; b && n <= last; n++)
            if (!pass_through(d, b, n, mask_of(d->p, s->span)))
                return false;
    }
    return true;
}
