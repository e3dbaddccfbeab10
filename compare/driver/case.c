/* What every case and every result must fulfil, whoever made it; and the words for what they hold. */
#include <string.h>

#include "compare/driver/protocol_parts.h"

uint32_t driver_planes(const struct driver_raster *f)
{
    return (f->layers ? f->layers : 1) * (f->samples ? f->samples : 1);
}

size_t driver_pixels(const struct driver_raster *f)
{
    return (size_t)f->width * f->height * driver_planes(f);
}

static bool size_is(size_t size, uint64_t count, uint64_t element)
{
    return size % element == 0 && size / element == count;
}

static const char *check_programs(const struct driver_draw *d)
{
    for (size_t i = 0; i < d->program_count; i++) {
        if (d->programs[i].stage >= DRIVER_FRAGMENT)
            return "a program beside a draw's fragment program is of a stage before it";
        for (size_t k = 0; k < i; k++)
            if (d->programs[i].stage == d->programs[k].stage)
                return "two programs of one stage";
    }
    return NULL;
}

static const char *check_draw(const struct driver_draw *d, uint64_t pixels)
{
    if (!d)
        return "a draw without what is drawn";
    if (d->mode >= RASTER_MODES || d->patch_vertices > 32)
        return "no such primitive, or a patch of more than 32 vertices";
    if (d->first > 1u << 24 || d->count > 1u << 24 || d->instances > 1u << 16)
        return "more than 16777216 vertices or 65536 instances";
    if (d->program_count > DRIVER_FRAGMENT || d->input_count > 32 || d->seen_count > 8)
        return "more programs, inputs or colours than a draw has";
    for (size_t i = 0; i < d->input_count; i++)
        if (d->inputs[i].size != 16 && !size_is(d->inputs[i].size, (uint64_t)d->first + d->count, 16))
            return "an input has not four words for each vertex, or four alone";
    if (d->depth && !size_is(d->depth_size, pixels, 4))
        return "a draw's depths are not those of its window";
    return check_programs(d);
}

/* Layers and samples. */
static const char *check_planes(const struct driver_raster *f)
{
    if (f->layers > 2048 || f->samples > RASTER_SAMPLES || (f->layers > 1 && !f->layered))
        return "a framebuffer has 1 to 2048 layers and 1 to 16 samples";
    if (driver_planes(f) > 1 && (!f->draw || driver_pixels(f) > 1u << 24))
        return "a framebuffer of layers and samples is for draws, and has 16777216 of them in all";
    for (size_t i = 0; f->draw && f->draw->viewports && i < RASTER_VIEWPORTS * 4; i++)
        if (!(f->draw->viewports[i / 4].at[i % 4] >= (i % 4 < 2 ? -32768 : 0) &&
              f->draw->viewports[i / 4].at[i % 4] <= 32768))
            return "a viewport of no size, or beyond 32768 pixels";
    return NULL;
}

static const char *check_raster(const struct driver_raster *f)
{
    if (!f->width || !f->height || f->width > 32768 || f->height > 32768)
        return "a framebuffer has 1 to 32768 pixels in each direction";
    if (check_planes(f))
        return check_planes(f);
    if (!f->color_outputs || f->color_outputs > 8)
        return "a framebuffer has 1 to 8 colour outputs";
    uint64_t values = f->primitive == DRIVER_QUAD ? 4 : (uint64_t)f->width * f->height;
    static const uint32_t indices[DRIVER_ATTRIBUTE_KINDS] = {
        [DRIVER_TEXCOORD] = 8, [DRIVER_COLOR] = 2, [DRIVER_FOGCOORD] = 1, [DRIVER_GENERIC] = 32
    };
    if ((f->primitive == DRIVER_DRAW) != (f->draw != NULL))
        return "a draw is of the primitive of draws";
    if (f->draw && f->attribute_count)
        return "a draw has no attributes but its inputs";
    const char *wrong = f->draw ? check_draw(f->draw, driver_pixels(f)) : NULL;
    if (wrong)
        return wrong;
    if (f->attribute_count > 15)
        return "more than 15 attributes besides the position";
    for (size_t i = 0; i < f->attribute_count; i++) {
        const struct driver_attribute *a = &f->attributes[i];
        if (a->index >= indices[a->kind])
            return "an attribute's index is out of range";
        if (!size_is(a->size, values, 16))
            return "an attribute has not four floats for each corner (quad) or each pixel (points)";
        for (size_t k = 0; k < i; k++)
            if (f->attributes[k].kind == a->kind && f->attributes[k].index == a->index)
                return "an attribute is given twice";
    }
    return NULL;
}

static const char *check_buffers(const struct driver_buffer *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (b[i].binding == b[k].binding)
                return "two buffers have the same binding";
    return NULL;
}

static const char *check_shader(const struct driver_case *c)
{
    if ((c->stage == DRIVER_FRAGMENT || c->stage == DRIVER_VERTEX) && c->language == DRIVER_GLSL && !c->load_only)
        return NULL;            /* a translation, which has parameters by its names */
    if (c->stage != DRIVER_COMPUTE)
        return "shaders are taken for the compute stage, vertices and what is drawn";
    if (!c->load_only && (c->constant_count || c->env_count || c->local_count))
        return "a shader has neither parameters nor constant buffers";
    if (c->language == DRIVER_SPIRV && (c->program_size % 4 || c->program_size < 20))
        return "a SPIR-V module is whole words, five at least";
    return NULL;
}

static const char *check_vertices(const struct driver_case *c)
{
    const struct driver_vertices *v = &c->vertices;
    if (!v->count)
        return NULL;
    if (c->stage >= DRIVER_FRAGMENT || (c->language != DRIVER_ASSEMBLY && c->stage != DRIVER_VERTEX))
        return "vertices are what an assembly program of a stage before the rasteriser is run on";
    if (c->stage != DRIVER_VERTEX && (!v->most || !v->beside[DRIVER_VERTEX]))
        return "a program behind the vertices needs a vertex program, and a bound of what it makes";
    if (v->most > 1u << 22 || v->captured > DRIVER_VERTEX_TRIANGLES || v->assembly >= DRIVER_ASSEMBLIES)
        return "points, lines or triangles are captured, 4194304 vertices of them at most";
    if (v->count > 1u << 20 || v->input_count > 16 || !v->result_count || v->result_count > 16)
        return "1 to 1048576 vertices with 16 inputs and 1 to 16 results";
    for (size_t i = 0; i < v->input_count; i++)
        if (!size_is(v->inputs[i].size, v->count, 16))
            return "an input has not four words for each vertex";
    return NULL;
}

const char *driver_case_check(const struct driver_case *c)
{
    const char *wrong = c->language == DRIVER_ASSEMBLY ? NULL : check_shader(c);
    if (c->load_only || wrong)
        return wrong;
    if (c->storage_count > 1024 || c->constant_count > 1024)
        return "more than 1024 buffers";
    const char *error = check_buffers(c->storage, c->storage_count);
    if (!error)
        error = check_buffers(c->constants, c->constant_count);
    if (!error && c->stage == DRIVER_FRAGMENT)
        error = check_raster(&c->raster);
    if (!error)
        error = check_vertices(c);
    return error ? error : driver_case_check_extras(c);
}

/* The outputs of buffers or textures that are brought back, in the order of the case. */
static const char *check_returned(const struct driver_output *got, size_t count, const struct driver_buffer *b,
                                  size_t buffers, bool ran, const char *others, const char *more)
{
    size_t n = 0;
    for (size_t i = 0; ran && i < buffers; i++) {
        if (!b[i].bring_back)
            continue;
        if (n >= count || got[n].binding != b[i].binding || got[n].size != b[i].size)
            return others;
        n++;
    }
    return count == n ? NULL : more;
}

static const char *check_returned_textures(const struct driver_case *c, const struct driver_result *r, bool ran)
{
    size_t n = 0;
    for (size_t i = 0; ran && i < c->texture_count; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        if (!c->textures[i].bring_back)
            continue;
        if (n >= r->texture_count || r->textures[n].binding != t->unit || r->textures[n].size != t->bytes)
            return "its textures are not those that the case brings back";
        n++;
    }
    return r->texture_count == n ? NULL : "it brings textures that nobody asked for";
}

static const char *check_pixels(const struct driver_case *c, const struct driver_result *r, bool outputs)
{
    const struct driver_raster *f = &c->raster;
    outputs = outputs && c->stage == DRIVER_FRAGMENT;
    uint64_t pixels = outputs ? driver_pixels(f) : 0;
    if (r->color_count != (outputs ? f->color_outputs : 0))
        return "the number of its colour outputs is wrong";
    for (size_t i = 0; i < r->color_count; i++)
        if (r->colors[i].binding != i || !size_is(r->colors[i].size, pixels, 16))
            return "a colour output has not the size of the framebuffer";
    if (!size_is(r->coverage_size, pixels, 1))
        return "its coverage has not the size of the framebuffer";
    if (!size_is(r->depth_size, outputs && f->bring_depth ? pixels : 0, 4))
        return "its depth has not the size of the framebuffer";
    return NULL;
}

/* What was seen is there for all inputs or for none. */
static const char *check_draw_result(const struct driver_case *c, const struct driver_result *r, bool outputs)
{
    uint64_t pixels = driver_pixels(&c->raster);
    uint32_t seen = outputs ? c->raster.draw->seen_count : 0;
    if (r->vertex_count && (!seen || r->vertex_count != seen + 1))
        return "the number of the inputs that it saw is wrong";
    for (size_t i = 0; i < r->vertex_count; i++)
        if (r->vertices[i].binding != i || !size_is(r->vertices[i].size, pixels, i < seen ? 16 : 1))
            return "an input that it saw has not the size of the framebuffer";
    return check_pixels(c, r, outputs);
}

const char *driver_result_check(const struct driver_case *c, const struct driver_result *r)
{
    bool outputs = r->status == DRIVER_RAN && !c->load_only;
    const char *error = check_returned(r->storage, r->storage_count, c->storage, c->storage_count, outputs,
                                       "its storage buffers are not those that the case brings back",
                                       "it brings storage buffers that nobody asked for");
    if (!error)
        error = check_returned(r->counters, r->counter_count, c->counters, c->counter_count, outputs,
                               "its counters are not those that the case brings back",
                               "it brings counters that nobody asked for");
    if (!error)
        error = check_returned_textures(c, r, outputs);
    if (error)
        return error;
    if (c->raster.draw)
        return check_draw_result(c, r, outputs);
    if (r->vertex_count != (outputs ? c->vertices.count ? c->vertices.result_count : 0 : 0))
        return "the number of its vertices' results is wrong";
    for (size_t i = 0; i < r->vertex_count; i++)
        if (r->vertices[i].binding != i || r->vertices[i].size != r->vertices[0].size ||
            (c->vertices.most ? r->vertices[i].size % 16 || r->vertices[i].size / 16 > c->vertices.most
                              : !size_is(r->vertices[i].size, c->vertices.count, 16)))
            return "a result has not four words for each vertex";

    return check_pixels(c, r, outputs);
}

bool driver_has_extension(const struct driver_description *d, const char *name)
{
    for (size_t i = 0; i < d->extension_count; i++)
        if (!strcmp(d->extensions[i], name))
            return true;
    return false;
}

const char *driver_status_name(enum driver_status status)
{
    static const char *const names[DRIVER_STATUSES] = {
        [DRIVER_RAN] = "ran", [DRIVER_REJECTED] = "rejected", [DRIVER_CRASHED] = "crashed",
        [DRIVER_HUNG] = "hung", [DRIVER_UNSUPPORTED] = "unsupported", [DRIVER_GL_ERROR] = "gl error",
        [DRIVER_OUT_OF_MEMORY] = "out of memory", [DRIVER_GARBLED] = "garbled", [DRIVER_NOT_RUN] = "not run"
    };
    return (unsigned)status < DRIVER_STATUSES ? names[status] : "unknown";
}

const char *driver_stage_name(enum driver_stage stage)
{
    static const char *const names[DRIVER_STAGES] = {
        [DRIVER_VERTEX] = "vertex", [DRIVER_TESS_CONTROL] = "tessellation control",
        [DRIVER_TESS_EVALUATION] = "tessellation evaluation", [DRIVER_GEOMETRY] = "geometry",
        [DRIVER_FRAGMENT] = "fragment", [DRIVER_COMPUTE] = "compute"
    };
    return (unsigned)stage < DRIVER_STAGES ? names[stage] : "unknown";
}

const char *driver_language_name(enum driver_language language)
{
    static const char *const names[DRIVER_LANGUAGES] = {
        [DRIVER_ASSEMBLY] = "assembly", [DRIVER_GLSL] = "GLSL", [DRIVER_SPIRV] = "SPIR-V"
    };
    return (unsigned)language < DRIVER_LANGUAGES ? names[language] : "unknown";
}
