/* What programs look up: textures, buffers, counters. See proof.h. */
#include "tests/tools/proof.h"

#include "compare/driver/texture_words.h"

#include <string.h>

enum { MOST_TEXELS = 8 * 8 * 4 * 4, CONSTANT_BYTES = 65536, STORAGE_BYTES = 16384, COUNTER_BYTES = 256 };

/* ---- textures ---------------------------------------------------------------------------------------------------- */

static const struct {
    uint8_t target, kind;
    bool shadow;
} kinds[] = {{TARGET_1D, GP5_TEXTURE_1D, false},
             {TARGET_2D, GP5_TEXTURE_2D, false},
             {TARGET_3D, GP5_TEXTURE_3D, false},
             {TARGET_CUBE, GP5_TEXTURE_CUBE, false},
             {TARGET_RECT, GP5_TEXTURE_RECT, false},
             {TARGET_ARRAY1D, GP5_TEXTURE_ARRAY1D, false},
             {TARGET_ARRAY2D, GP5_TEXTURE_ARRAY2D, false},
             {TARGET_SHADOW1D, GP5_TEXTURE_1D, true},
             {TARGET_SHADOW2D, GP5_TEXTURE_2D, true},
             {TARGET_SHADOWRECT, GP5_TEXTURE_RECT, true},
             {TARGET_SHADOWCUBE, GP5_TEXTURE_CUBE, true},
             {TARGET_SHADOWARRAY1D, GP5_TEXTURE_ARRAY1D, true},
             {TARGET_SHADOWARRAY2D, GP5_TEXTURE_ARRAY2D, true},
             {TARGET_BUFFER, GP5_TEXTURE_BUFFER, false},
             {TARGET_2DMS, GP5_TEXTURE_2DMS, false},
             {TARGET_ARRAY2DMS, GP5_TEXTURE_ARRAY2DMS, false}};

/* One level, the nearest texel: what is a matter of the driver's precision stays out. Texels of a row are alike where
 * the place within a texture may be beside an edge. */
void proof_add_texture(struct proof *p, const struct gp5_program *program, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(program, insn->src + insn->nsrc - 1u) : NULL;
    uint32_t unit = UINT32_MAX;
    const struct binding *b = NULL;
    size_t k = 0;

    if (o && o->kind == OPND_TEXTURE && o->flags & OPND_BY_NAME) {
        const struct symbol *s = program_symbol(program, o->ref);
        b = s->nbindings == 1 && !s->array ? program_binding(program, s->binding) : NULL;
    } else if (o && o->kind == OPND_TEXTURE) {
        b = program_binding(program, o->ref);
    }
    if (b && !b->relative)
        unit = b->nindices ? b->first[0] : 0;
    while (k < sizeof kinds / sizeof *kinds && kinds[k].target != insn->texture_target)
        k++;
    if (unit >= 192 || k == sizeof kinds / sizeof *kinds || p->subject.c.texture_count == PROOF_TEXTURES) {
        p->why = "textures that are not given";
        return;
    }
    for (size_t i = 0; i < p->subject.c.texture_count; i++)
        if (p->textures[i].texture.unit == unit) {
            if (p->textures[i].texture.kind != kinds[k].kind ||
                (p->textures[i].texture.sampler.compare != 0) != kinds[k].shadow)
                p->why = "two textures of one unit";
            return;
        }
    size_t at = p->subject.c.texture_count++;
    struct driver_texture *t = &p->textures[at];
    unsigned kind = kinds[k].kind;
    bool flat = kind == GP5_TEXTURE_1D || kind == GP5_TEXTURE_ARRAY1D || kind == GP5_TEXTURE_BUFFER;
    t->texture = (struct gp5_texture){
        .unit = unit,
        .kind = (uint8_t)kind,
        .format = kinds[k].shadow ? GP5_FORMAT_DEPTH32F : GP5_FORMAT_RGBA32F,
        .size = {8, flat ? 1 : 8,
                 kind == GP5_TEXTURE_3D                                       ? 8
                 : kind == GP5_TEXTURE_CUBE                                   ? 6
                 : kind == GP5_TEXTURE_ARRAY1D || kind == GP5_TEXTURE_ARRAY2D ||
                         kind == GP5_TEXTURE_ARRAY2DMS
                     ? 4
                     : 1},
        .levels = 1,
        .samples = kind == GP5_TEXTURE_2DMS || kind == GP5_TEXTURE_ARRAY2DMS ? 4 : 0,
        .sampler = {.wrap = {GP5_WRAP_CLAMP_TO_EDGE, GP5_WRAP_CLAMP_TO_EDGE, GP5_WRAP_CLAMP_TO_EDGE},
                    .compare = kinds[k].shadow ? GP5_COMPARE_LEQUAL : GP5_COMPARE_NONE,
                    .min_lod = -1000,
                    .max_lod = 1000}};
    unsigned components = kinds[k].shadow ? 1 : 4;
    static float data[PROOF_TEXTURES][MOST_TEXELS * 4];
    t->texture.bytes = (size_t)gp5_texture_bytes(&t->texture, 1);
    if (t->texture.bytes > sizeof data[0])
        p->why = "textures that are not given";
    for (size_t i = 0; i < t->texture.bytes / 4 && i < MOST_TEXELS * 4; i++)
        data[at][i] = components == 1 ? (float)(unit % 3) * 0.25f + 0.25f : (float)(unit % 16 * 4 + i % 4) / 8 + 0.5f;
    t->texture.data = (uint8_t *)data[at];
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Floats and small whole numbers, for all buffers the same. */
static const uint32_t *words(void)
{
    static uint32_t made[CONSTANT_BYTES / 4];

    for (unsigned i = 0; !made[1] && i < CONSTANT_BYTES / 4; i++) {
        float f = (float)(i * 7919 % 4001) / 16.0f - 125.0f;
        made[i] = i * 2654435761u >> 27;
        if (i % 3)
            memcpy(&made[i], &f, sizeof f);
    }
    return made;
}

static void add(struct proof *p, struct driver_buffer *list, size_t *count, uint32_t number, size_t size, bool back)
{
    for (size_t i = 0; i < *count; i++)
        if (list[i].binding == number)
            return;
    if (*count == PROOF_BUFFERS)
        p->why = "more buffers than are given";
    else
        list[(*count)++] = (struct driver_buffer){.binding = number, .data = words(), .size = size, .bring_back = back};
}

void proof_add_buffers(struct proof *p, const struct gp5_program *program, const struct symbol *s)
{
    struct driver_case *c = &p->subject.c;

    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(program, s->binding + i);
        uint32_t first = b->nindices ? b->first[0] : 0, last = b->nindices && b->range[0] ? b->last[0] : first;
        for (uint32_t n = first; n <= last && n < first + PROOF_BUFFERS; n++)
            switch (s->kind) {
            case SYM_STORAGE: add(p, p->storage, &c->storage_count, n, STORAGE_BYTES, true); break;
            case SYM_COUNTER: add(p, p->counters, &c->counter_count, n, COUNTER_BYTES, true); break;
            case SYM_BUFFER: case SYM_BUFFER4: case SYM_CBUFFER:
                add(p, p->constants, &c->constant_count, n, CONSTANT_BYTES, false);
                break;
            default: break;
            }
    }
}
