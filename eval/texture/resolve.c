/* Which texture of the launch a lane reaches. */
#include "eval/texture/sample.h"

#include <string.h>

void eval_texture_look(struct texture_view *v, const struct gp5_texture *texture)
{
    memset(v, 0, sizeof *v);
    v->texture = texture;
    for (uint32_t level = 0; level < texture->levels && level < MAX_TEXTURE_LEVELS; level++)
        eval_texel_level(texture, level, &v->level[level]);
    eval_texture_note_plain(v);
}

bool eval_textures_map(struct run *run)
{
    const struct gp5_launch *launch = run->launch;

    run->sampled = gp5_malloc((launch->ntextures + 1) * sizeof *run->sampled);
    if (!run->sampled)
        return false;
    for (size_t i = 0; i < launch->ntextures; i++) {
        eval_texture_look(&run->sampled[i], &launch->textures[i]);
        run->sampled[i].memory = run->textures[i];
    }
    return true;
}

static const struct texture_view *by_handle(const struct warp *w, const struct texture_call *t, unsigned lane)
{
    const struct run *run = w->worker->run;
    uint64_t handle = PLANE(w->base, t->handle)[lane] | (uint64_t)PLANE(w->base, t->handle + 1)[lane] << 32;

    for (size_t i = 0; i < run->launch->ntextures; i++)
        if (handle && run->launch->textures[i].handle == handle)
            return &run->sampled[i];
    return NULL;
}

/* A unit has a texture of each kind: another kind's is not seen. */
static const struct texture_view *by_unit(const struct warp *w, const struct texture_call *t, unsigned lane,
                                          enum texture_fault *fault)
{
    const struct run *run = w->worker->run;
    int64_t n = t->unit_offset;

    if (t->unit_index != NO_PLANE)
        n += (int32_t)PLANE(w->base, t->unit_index)[lane];
    if (n < 0 || n >= t->nunits) {              /* the driver takes the last one */
        *fault = TEXTURE_BEYOND_ARRAY;
        n = t->nunits - 1;
    }
    for (size_t i = 0; i < run->launch->ntextures; i++)
        if (run->launch->textures[i].unit == w->x->units[t->units + (uint64_t)n])
            return &run->sampled[i];
    *fault = TEXTURE_UNBOUND;
    return NULL;
}

/* An instruction that samples against what the texture is. */
static enum texture_fault compare(const struct texture_call *t, const struct gp5_texture *have)
{
    bool is_float = eval_format_is_float(have->format), depth = have->format == GP5_FORMAT_DEPTH32F;
    const struct gp5_format_info *info = gp5_format_info(have->format);

    if (t->op == OP_TXQ || t->op == OP_TXQS || t->op == OP_LOD)
        return TEXTURE_FINE;
    if (is_float != (t->type == DT_F32) || (!is_float && (t->type == DT_S32) != (info->kind == GP5_KIND_SINT)))
        return TEXTURE_OTHER_NUMBERS;
    if (t->op == OP_TXF || t->op == OP_TXFMS)
        return TEXTURE_FINE;
    if (!is_float && eval_mixes_texels(&have->sampler))
        return TEXTURE_INTEGER_FILTER;
    if (t->shadow && (!depth || !have->sampler.compare))
        return TEXTURE_NO_COMPARISON;
    return !t->shadow && depth && have->sampler.compare ? TEXTURE_COMPARISON : TEXTURE_FINE;
}

const struct texture_view *eval_texture_reach(const struct warp *w, const struct texture_call *t, unsigned lane,
                                              enum texture_fault *fault)
{
    const struct texture_view *v;

    *fault = TEXTURE_FINE;
    if (t->handle != NO_PLANE) {
        v = by_handle(w, t, lane);
        *fault = v ? TEXTURE_FINE : TEXTURE_NO_HANDLE;
    } else {
        v = by_unit(w, t, lane, fault);
    }
    if (v && v->texture->kind != t->kind) {
        *fault = t->handle == NO_PLANE ? TEXTURE_OTHER_TARGET : TEXTURE_NO_HANDLE;
        return NULL;
    }
    return v;
}

const struct texture_view *eval_texture_find(const struct warp *w, const struct texture_call *t, unsigned lane,
                                             enum texture_fault *fault)
{
    const struct texture_view *v = eval_texture_reach(w, t, lane, fault);

    if (v && *fault == TEXTURE_FINE)
        *fault = compare(t, v->texture);
    return v;
}

bool eval_texture_fault_is_open(const struct warp *w, const struct texture_call *t, enum texture_fault fault)
{
    switch (fault) {
    case TEXTURE_FINE: return false;
    case TEXTURE_NO_HANDLE: case TEXTURE_QUAD: return true;
    case TEXTURE_UNBOUND: case TEXTURE_OTHER_TARGET: return !w->worker->run->flush && !t->arb;
    default: return !w->worker->run->flush;     /* measured */
    }
}

const char *eval_texture_reason(enum texture_fault fault)
{
    switch (fault) {
    case TEXTURE_NO_HANDLE: return "the handle is none of a texture of this kind";
    case TEXTURE_BEYOND_ARRAY: return "the index is beyond the array of textures";
    case TEXTURE_UNBOUND: return "nothing is bound to the unit";
    case TEXTURE_OTHER_TARGET: return "the texture is of another kind than the target";
    case TEXTURE_OTHER_NUMBERS: return "the texture's numbers are not of the instruction's type";
    case TEXTURE_INTEGER_FILTER: return "integers with a filter that mixes texels";
    case TEXTURE_NO_COMPARISON: return "a SHADOW target and a texture that compares nothing";
    case TEXTURE_COMPARISON: return "a texture that compares and a target without SHADOW";
    case TEXTURE_OFFSET: return "the offset is beyond the texels that there may be";
    case TEXTURE_OUTSIDE: return "the texel is outside of the texture";
    case TEXTURE_LEVEL: return "the texture has no such level";
    case TEXTURE_SAMPLE: return "the texel has no such sample";
    case TEXTURE_QUAD: return "not every lane of the quad is active";
    default: return "";
    }
}
