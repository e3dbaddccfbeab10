#include "compare/driver/info.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "compare/driver/driver.h"

const char *const info_extensions[] = {
    "ARB_vertex_program", "ARB_fragment_program", "ARB_fragment_program_shadow", "ARB_draw_buffers",
    "ARB_fragment_coord_conventions", "ATI_draw_buffers", "EXT_gpu_program_parameters",
    "EXT_direct_state_access", "NV_vertex_program", "NV_vertex_program1_1", "NV_vertex_program2",
    "NV_vertex_program2_option", "NV_vertex_program3", "NV_vertex_program4", "NV_fragment_program",
    "NV_fragment_program_option", "NV_fragment_program2", "NV_fragment_program4", "NV_geometry_program4",
    "NV_gpu_program4", "NV_gpu_program4_1", "NV_gpu_program5", "NV_gpu_program5_mem_extended",
    "NV_gpu_program_fp64", "NV_tessellation_program5", "NV_compute_program5",
    "NV_parameter_buffer_object", "NV_parameter_buffer_object2", "NV_transform_feedback",
    "NV_shader_buffer_load", "NV_shader_buffer_store", "NV_shader_storage_buffer_object",
    "NV_shader_atomic_counters", "NV_shader_atomic_float", "NV_shader_atomic_float64",
    "NV_shader_atomic_fp16_vector", "NV_shader_atomic_int64", "NV_bindless_texture",
    "NV_texture_multisample", "NV_explicit_multisample", "NV_vertex_attrib_integer_64bit",
    "NV_viewport_array2", "NV_geometry_shader_passthrough", "NV_stereo_view_rendering",
    "NV_fragment_shader_interlock", "NV_conservative_raster_underestimation", "NV_shader_thread_group",
    "NV_shader_thread_shuffle", "NV_shader_subgroup_partitioned", "KHR_shader_subgroup",
    "KHR_shader_subgroup_rotate", "ARB_shader_ballot", "ARB_shader_group_vote",
    "ARB_shader_storage_buffer_object", "ARB_compute_shader", "ARB_compute_variable_group_size",
    "ARB_get_program_binary", NULL
};

static bool has(const struct driver_description *d, const char *name)
{
    char full[80];
    snprintf(full, sizeof full, "GL_%s", name);
    return driver_has_extension(d, full);
}

/* ---- as text ------------------------------------------------------------------------------------------- */

static void write_extensions(FILE *out, const struct driver_description *d, bool those_it_has)
{
    const int indent = 14;
    int column = 0;
    for (size_t i = 0; info_extensions[i]; i++) {
        int length = (int)strlen(info_extensions[i]);
        if (has(d, info_extensions[i]) != those_it_has)
            continue;
        if (!column)
            fprintf(out, "    %-10s", those_it_has ? "has" : "lacks");
        else if (column + 1 + length > 110)
            fprintf(out, "\n%*s", indent, "");
        else
            fputc(' ', out);
        column = !column || column + 1 + length > 110 ? indent + length : column + 1 + length;
        fputs(info_extensions[i], out);
    }
    if (column)
        fputc('\n', out);
}

static void write_text(FILE *out, const struct driver_description *d)
{
    fprintf(out, "%s\n    vendor    %s\n    renderer  %s\n    version   %s\n    GLSL      %s\n", d->context,
            d->vendor, d->renderer, d->version, d->glsl_version);
    write_extensions(out, d, true);
    write_extensions(out, d, false);
    for (size_t i = 0; i < d->limit_count; i++)
        fprintf(out, "    %-10s%s = %lld\n", i ? "" : "limits", d->limits[i].name,
                (long long)d->limits[i].value);
    for (size_t i = 0; i < d->samples_count; i++) {
        fprintf(out, "    samples   %u at", (unsigned)d->samples[i].count);
        for (uint32_t k = 0; k < d->samples[i].count; k++)
            fprintf(out, " %g,%g", (double)d->samples[i].at[k][0], (double)d->samples[i].at[k][1]);
        fputc('\n', out);
    }
}

/* ---- as JSON ------------------------------------------------------------------------------------------- */

/* A driver's text; where it is no UTF-8, each of its odd bytes becomes a question mark. */
static json_t *text(const char *s)
{
    json_t *v = json_string(s);
    char *plain = v ? NULL : malloc(strlen(s) + 1);
    if (!plain)
        return v ? v : json_null();
    strcpy(plain, s);
    for (char *at = plain; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    v = json_string(plain);
    free(plain);
    return v;
}

static json_t *samples_of(const struct driver_description *d)
{
    json_t *o = json_object();
    for (size_t i = 0; i < d->samples_count; i++) {
        json_t *list = json_array();
        char count[16];
        for (uint32_t k = 0; k < d->samples[i].count; k++)
            json_array_append_new(list, json_pack("[ff]", (double)d->samples[i].at[k][0],
                                                  (double)d->samples[i].at[k][1]));
        snprintf(count, sizeof count, "%u", (unsigned)d->samples[i].count);
        json_object_set_new(o, count, list);
    }
    return o;
}

static json_t *as_json(const struct driver_description *d)
{
    json_t *o = json_object(), *extensions = json_object(), *limits = json_object();
    json_object_set_new(o, "context", text(d->context));
    json_object_set_new(o, "opens", json_true());
    json_object_set_new(o, "vendor", text(d->vendor));
    json_object_set_new(o, "renderer", text(d->renderer));
    json_object_set_new(o, "version", text(d->version));
    json_object_set_new(o, "glsl", text(d->glsl_version));
    for (size_t i = 0; info_extensions[i]; i++)
        json_object_set_new(extensions, info_extensions[i], json_boolean(has(d, info_extensions[i])));
    for (size_t i = 0; i < d->limit_count; i++)
        json_object_set_new(limits, d->limits[i].name, json_integer(d->limits[i].value));
    json_object_set_new(o, "extensions", extensions);
    json_object_set_new(o, "limits", limits);
    json_object_set_new(o, "samples", samples_of(d));
    return o;
}

/* ---- each kind ----------------------------------------------------------------------------------------- */

struct kind {
    const char *context;
    bool quiet;                 /* that it does not open is no news: there are fewer devices */
};

static const struct kind kinds[] = {
    { "egl-device:0", false }, { "egl-device:1", true }, { "egl-device:2", true }, { "egl-device:3", true },
    { "egl-device:4", true }, { "egl-device:5", true }, { "egl-device:6", true }, { "egl-device:7", true },
    { "egl-surfaceless", false }, { "glfw", false }
};

struct report {
    FILE *out;
    json_t *list;               /* NULL: text */
    size_t opened;
};

static void opened(struct report *r, const struct driver_description *d)
{
    if (r->list) {
        json_array_append_new(r->list, as_json(d));
    } else {
        if (r->opened)
            fputc('\n', r->out);
        write_text(r->out, d);
    }
    r->opened++;
}

/* A reason names the kind of context that it is about; behind that name it need not. */
static const char *shortened(const char *reason, const char *context)
{
    const char *colon = strchr(reason, ':');
    size_t n = colon ? (size_t)(colon - reason) : 0;
    return n && !strncmp(reason, context, n) && colon[1] == ' ' && !strchr(reason, ';') ? colon + 2 : reason;
}

static void not_opened(struct report *r, const struct kind *kind, const char *reason)
{
    reason = shortened(reason, kind->context);
    if (!r->list) {
        fprintf(r->out, "%s%s does not open: %s\n", r->opened ? "\n" : "", kind->context, reason);
        return;
    }
    json_t *o = json_object();
    json_object_set_new(o, "context", text(kind->context));
    json_object_set_new(o, "opens", json_false());
    json_object_set_new(o, "reason", text(reason));
    json_array_append_new(r->list, o);
}

/* False when the worker itself is the trouble: missing, or dead before it could say what opens. */
static bool try_kind(struct report *r, const struct kind *kind, char **reason)
{
    struct driver_options options = { .context = kind->context };
    struct driver *driver;
    enum driver_open_status s = driver_open(&options, &driver, reason);
    if (s == DRIVER_OPENED)
        opened(r, driver_describe(driver));
    else if (!kind->quiet)
        not_opened(r, kind, *reason ? *reason : "no memory");
    driver_close(driver);
    return s == DRIVER_OPENED || s == DRIVER_NO_CONTEXT;
}

enum info_status info_write(FILE *out, bool json, char **reason)
{
    struct report r = { .out = out, .list = json ? json_array() : NULL };
    size_t trouble = 0;
    *reason = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        free(*reason);
        trouble += !try_kind(&r, &kinds[i], reason);
    }
    if (json) {
        json_t *all = json_pack("{s:o}", "contexts", r.list);
        json_dumpf(all, out, JSON_COMPACT);
        fputc('\n', out);
        json_decref(all);
    }
    if (trouble && !r.opened)
        return INFO_TROUBLE;
    free(*reason);
    *reason = NULL;
    return r.opened ? INFO_SOME : INFO_NONE;
}
