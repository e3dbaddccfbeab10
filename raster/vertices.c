/* What vertices carry from one stage to the next, by slot; and whether a program names a binding. */
#include "raster/internal.h"

#include "asm/binding_name.h"
#include "asm/program.h"

#include <stdio.h>
#include <string.h>

static const struct { unsigned first, count; const char *words; } rows[] = {
    { SLOT_POSITION, 1, "position" }, { SLOT_COLOR, 1, "color" }, { SLOT_SECONDARY, 1, "color.secondary" },
    { SLOT_BACK, 1, "color.back" }, { SLOT_BACK_SECONDARY, 1, "color.back.secondary" }, { SLOT_FOG, 1, "fogcoord" },
    { SLOT_SIZE, 1, "pointsize" }, { SLOT_PRIMID, 1, "primid" }, { SLOT_TEXCOORD, 8, "texcoord[%u]" },
    { SLOT_ATTRIB, 32, "attrib[%u]" }, { SLOT_CLIP, 8, "clip[%u]" }, { SLOT_CULL, 8, "cull[%u]" },
    { SLOT_LAYER, 1, "layer" }, { SLOT_VIEWPORT, 1, "viewport" },
    { SLOT_VIEWPORTMASK, 1, "viewportmask[0]" },
};

const char *slot_name(char text[48], const char *prefix, unsigned slot)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (slot >= rows[i].first && slot < rows[i].first + rows[i].count) {
            int n = snprintf(text, 48, "%s", prefix);
            snprintf(text + n, 48 - (size_t)n, rows[i].words, slot - rows[i].first);
        }
    return text;
}

void vertices_free(struct vertices *v)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        gp5_free(v->words[i]);
        gp5_free(v->undefined[i]);
    }
    memset(v, 0, sizeof *v);
}

static uint32_t *zeros(size_t count)
{
    uint32_t *words = count < SIZE_MAX / 32 ? gp5_malloc((count + 1) * 16) : NULL;
    if (words)
        memset(words, 0, (count + 1) * 16);
    return words;
}

bool vertices_make(struct vertices *v, size_t count, slot_set slots, bool track)
{
    *v = (struct vertices){ .count = count };
    for (unsigned i = 0; i < SLOTS; i++) {
        if (!(slots >> i & 1))
            continue;
        v->words[i] = zeros(count);
        v->undefined[i] = track ? zeros(count) : NULL;
        if (!v->words[i] || (track && !v->undefined[i])) {
            vertices_free(v);
            return false;
        }
    }
    return true;
}

/* Of two indices the second is the attribute's; the first chooses the vertex. */
static bool has_index(const struct binding *b, const struct binding_name *name)
{
    unsigned last = b->nindices ? b->nindices - 1u : 0;

    if (!name->nindices || b->not_constant[last] || b->relative)
        return true;
    if (!b->nindices)
        return name->index[0] == 0;
    return name->index[0] >= b->first[last] && name->index[0] <= b->last[last];
}

bool program_names(const struct raster_stage *stage, const char *binding)
{
    return raster_names(stage->program, binding);
}

bool raster_names(const gp5_program *p, const char *binding)
{
    enum program_stage id = (enum program_stage)profile_table[p->profile].stage_id;
    struct binding_name name;

    if (!asm_find_binding(id, binding, &name))
        return false;
    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        if (b->kind < BIND_COUNT && asm_canonical_binding(b->kind) == asm_canonical_binding(name.kind) &&
            has_index(b, &name))
            return true;
    }
    return false;
}

bool program_has_option(const struct raster_stage *stage, unsigned option)
{
    return stage->program->options >> option & 1;
}
