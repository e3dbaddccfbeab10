#include "gl/session.h"

#include <stdio.h>
#include <stdlib.h>

bool gl_has(const struct gl_session *s, const char *extension)
{
    return driver_has_extension(&s->description, extension);
}

static const struct {
    enum driver_stage stage;
    const char *extension;
    struct gl_stage is;
} stages[] = {
    { DRIVER_VERTEX, "GL_ARB_vertex_program",
      { GL_VERTEX_PROGRAM_ARB, GL_VERTEX_PROGRAM_PARAMETER_BUFFER_NV } },
    { DRIVER_FRAGMENT, "GL_ARB_fragment_program",
      { GL_FRAGMENT_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_PARAMETER_BUFFER_NV } },
    { DRIVER_GEOMETRY, "GL_NV_geometry_program4",
      { GL_GEOMETRY_PROGRAM_NV, GL_GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV } },
    { DRIVER_GEOMETRY, "GL_NV_gpu_program4",
      { GL_GEOMETRY_PROGRAM_NV, GL_GEOMETRY_PROGRAM_PARAMETER_BUFFER_NV } },
    /* drivers have tessellation programs as part of NV_gpu_program5 without naming their extension */
    { DRIVER_TESS_CONTROL, "GL_NV_gpu_program5",
      { GL_TESS_CONTROL_PROGRAM_NV, GL_TESS_CONTROL_PROGRAM_PARAMETER_BUFFER_NV } },
    { DRIVER_TESS_EVALUATION, "GL_NV_gpu_program5",
      { GL_TESS_EVALUATION_PROGRAM_NV, GL_TESS_EVALUATION_PROGRAM_PARAMETER_BUFFER_NV } },
    { DRIVER_COMPUTE, "GL_NV_compute_program5",
      { GL_COMPUTE_PROGRAM_NV, GL_COMPUTE_PROGRAM_PARAMETER_BUFFER_NV } },
};

bool gl_session_open(struct gl_session *s, const char *context_name, gl_find_fn *find)
{
    *s = (struct gl_session){0};
    if (!gl_describe(&s->description, context_name))
        return false;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (gl_has(s, stages[i].extension))
            s->stages[stages[i].stage] = stages[i].is;
    s->integer_parameters = gl_has(s, "GL_NV_gpu_program4");
    s->storage = GLEW_VERSION_4_3 || gl_has(s, "GL_ARB_shader_storage_buffer_object");
    s->constants = gl_has(s, "GL_NV_parameter_buffer_object");
    s->barriers = GLEW_VERSION_4_2 || gl_has(s, "GL_ARB_shader_image_load_store");
    s->binaries = GLEW_VERSION_4_1 || gl_has(s, "GL_ARB_get_program_binary");
    s->shaders = GLEW_VERSION_4_3 || gl_has(s, "GL_ARB_compute_shader");
    s->spirv = s->shaders && (GLEW_VERSION_4_6 || gl_has(s, "GL_ARB_gl_spirv"));
    s->counters = GLEW_VERSION_4_2 || gl_has(s, "GL_ARB_shader_atomic_counters");
    s->images = s->barriers;
    s->cube_arrays = GLEW_VERSION_4_0 || gl_has(s, "GL_ARB_texture_cube_map_array");
    s->bindless = gl_has(s, "GL_NV_bindless_texture");
    if (gl_has(s, "GL_NV_gpu_program5"))
        s->set_subroutines = (void (*)(GLenum, GLsizei, const GLuint *))find("glProgramSubroutineParametersuivNV");
    s->variable_groups = gl_has(s, "GL_ARB_compute_variable_group_size");
    s->addresses = gl_has(s, "GL_NV_shader_buffer_load");
    s->stages_in_glsl = GLEW_VERSION_2_0;
    s->multisample = GLEW_VERSION_4_3;      /* multisample textures, storage, views of another format */
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGenBuffers(1, &s->vertices);
    s->description.samples = s->samples;
    s->description.samples_count = gl_planes_positions(s->samples);
    return gl_take_error() == GL_NO_ERROR;
}

GLenum gl_take_error(void)
{
    GLenum first = glGetError();
    GLenum next = first;
    for (int i = 0; next != GL_NO_ERROR && next != GL_CONTEXT_LOST && i < 32; i++)
        next = glGetError();
    if (next == GL_CONTEXT_LOST || (GLEW_VERSION_4_5 && glGetGraphicsResetStatus() != GL_NO_ERROR))
        exit(PROTOCOL_EXIT_LOST);
    return first;
}

const char *gl_error_name(GLenum error)
{
    switch (error) {
    case GL_NO_ERROR: return "no error";
    case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
    case GL_STACK_OVERFLOW: return "GL_STACK_OVERFLOW";
    case GL_STACK_UNDERFLOW: return "GL_STACK_UNDERFLOW";
    default: return "an unknown GL error";
    }
}

void gl_fail(struct driver_result *r, enum driver_status status, const char *detail)
{
    r->status = status;
    r->detail = detail;
}

bool gl_went_well(struct driver_result *r, const char *doing)
{
    GLenum error = gl_take_error();
    if (error == GL_NO_ERROR)
        return true;
    r->gl_error = error;
    gl_fail(r, error == GL_OUT_OF_MEMORY ? DRIVER_OUT_OF_MEMORY : DRIVER_GL_ERROR, doing);
    return false;
}
