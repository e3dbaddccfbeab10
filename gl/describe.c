/* Who the driver is: strings, extensions, the limits that programs meet. */
#include <stdlib.h>

#include "gl/session.h"

struct limit {
    const char *name;
    GLenum pname;
    GLenum target;              /* of glGetProgramivARB, or 0 for glGetIntegerv */
    int index;                  /* of glGetIntegeri_v, or -1 */
};

#define WHOLE(n) { #n, n, 0, -1 }
#define AXIS(n, i) { #n "[" #i "]", n, 0, i }
#define PROGRAM(n, t, who) { #n " (" who ")", n, t, -1 }
#define PROGRAM_LIMITS(t, who) \
    PROGRAM(GL_MAX_PROGRAM_INSTRUCTIONS_ARB, t, who), PROGRAM(GL_MAX_PROGRAM_TEMPORARIES_ARB, t, who), \
    PROGRAM(GL_MAX_PROGRAM_NATIVE_INSTRUCTIONS_ARB, t, who), \
    PROGRAM(GL_MAX_PROGRAM_NATIVE_TEMPORARIES_ARB, t, who), \
    PROGRAM(GL_MAX_PROGRAM_PARAMETERS_ARB, t, who), PROGRAM(GL_MAX_PROGRAM_ATTRIBS_ARB, t, who), \
    PROGRAM(GL_MAX_PROGRAM_LOCAL_PARAMETERS_ARB, t, who), PROGRAM(GL_MAX_PROGRAM_ENV_PARAMETERS_ARB, t, who)

/* A driver that does not know one of them gives an error, and the limit is left out. */
static const struct limit limits[] = {
    PROGRAM_LIMITS(GL_VERTEX_PROGRAM_ARB, "vertex"), PROGRAM_LIMITS(GL_FRAGMENT_PROGRAM_ARB, "fragment"),
    PROGRAM_LIMITS(GL_GEOMETRY_PROGRAM_NV, "geometry"),
    PROGRAM_LIMITS(GL_TESS_CONTROL_PROGRAM_NV, "tessellation control"),
    PROGRAM_LIMITS(GL_TESS_EVALUATION_PROGRAM_NV, "tessellation evaluation"),
    PROGRAM_LIMITS(GL_COMPUTE_PROGRAM_NV, "compute"),
    WHOLE(GL_MAX_PROGRAM_PARAMETER_BUFFER_BINDINGS_NV), WHOLE(GL_MAX_PROGRAM_PARAMETER_BUFFER_SIZE_NV),
    WHOLE(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS), WHOLE(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
    WHOLE(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS), WHOLE(GL_MAX_SHADER_STORAGE_BLOCK_SIZE),
    WHOLE(GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS), WHOLE(GL_MAX_ATOMIC_COUNTER_BUFFER_SIZE),
    WHOLE(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS), WHOLE(GL_MAX_IMAGE_UNITS), WHOLE(GL_MAX_TEXTURE_LOD_BIAS),
    WHOLE(GL_MAX_TEXTURE_SIZE), WHOLE(GL_MAX_TEXTURE_BUFFER_SIZE),
    AXIS(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0), AXIS(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 1),
    AXIS(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 2), AXIS(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 0),
    AXIS(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 1), AXIS(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 2),
    AXIS(GL_MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, 0), AXIS(GL_MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, 1),
    AXIS(GL_MAX_COMPUTE_VARIABLE_GROUP_SIZE_ARB, 2), WHOLE(GL_MAX_COMPUTE_VARIABLE_GROUP_INVOCATIONS_ARB),
    WHOLE(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS), WHOLE(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE),
    WHOLE(GL_MAX_DRAW_BUFFERS), WHOLE(GL_MAX_RENDERBUFFER_SIZE), WHOLE(GL_NUM_PROGRAM_BINARY_FORMATS),
    WHOLE(GL_WARP_SIZE_NV), WHOLE(GL_WARPS_PER_SM_NV), WHOLE(GL_SM_COUNT_NV),
};

static bool ask(const struct limit *l, GLint64 *value)
{
    GLint v = 0;
    GLint64 wide = 0;
    if (l->target) {
        glGetProgramivARB(l->target, l->pname, &v);
        wide = v;
    } else if (l->index >= 0) {
        glGetIntegeri_v(l->pname, (GLuint)l->index, &v);
        wide = v;
    } else if (GLEW_VERSION_3_2) {
        glGetInteger64v(l->pname, &wide);
    } else {
        glGetIntegerv(l->pname, &v);
        wide = v;
    }
    *value = wide;
    return gl_take_error() == GL_NO_ERROR;
}

static const char *string(GLenum name)
{
    const char *s = (const char *)glGetString(name);
    return s ? s : "";
}

bool gl_describe(struct driver_description *d, const char *context_name)
{
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    const char **extensions = calloc(count > 0 ? (size_t)count : 1, sizeof *extensions);
    struct driver_limit *values = calloc(sizeof limits / sizeof *limits, sizeof *values);
    *d = (struct driver_description){
        .context = context_name, .vendor = string(GL_VENDOR), .renderer = string(GL_RENDERER),
        .version = string(GL_VERSION), .glsl_version = string(GL_SHADING_LANGUAGE_VERSION),
        .extensions = extensions, .limits = values
    };
    if (!extensions || !values)
        return false;
    for (GLint i = 0; i < count; i++)
        extensions[d->extension_count++] = (const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        GLint64 value;
        if (!ask(&limits[i], &value))
            continue;
        values[d->limit_count].name = limits[i].name;
        values[d->limit_count++].value = value;
    }
    return true;
}
