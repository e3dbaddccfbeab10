/* One open context and what cases share in it: the description, the last program, the last framebuffer. */
#ifndef GP5_GL_SESSION_H
#define GP5_GL_SESSION_H

#include <GL/glew.h>
#include <stdbool.h>

#include "compare/driver/protocol.h"
#include "gl/context.h"

struct gl_stage {
    GLenum target;              /* of the ARB program calls; 0: this driver has no such programs */
    GLenum constants;           /* of program.buffer[] */
};

/* A program that loaded, kept because the next case often has the same one with other data. */
struct gl_program {
    GLuint name;
    enum driver_stage stage;
    enum driver_language language;
    char *text, *message;
    size_t size;
    GLint native;
};

struct gl_framebuffer {
    GLuint name, colors[8], depth_stencil;
    uint32_t width, height, layers, samples, color_count;
    bool layered;
    bool planes;                /* the names are those of textures: gl/planes.c */
};

enum gl_plane_shader { GL_PLANE_VALUES, GL_PLANE_COUNTS, GL_PLANE_DEPTHS, GL_PLANE_SHADERS };
enum gl_plane_kind { GL_PLANE_COLOR, GL_PLANE_COUNT, GL_PLANE_DEPTH };
enum { GL_PLANE_PATTERNS = 4 };

/* The vertex program that passes a set of attributes on. */
struct gl_feeder {
    GLuint program;
    char *text;
};

/* A program of a pipeline besides the case's own. */
struct gl_beside {
    GLuint name;
    char *text;
    size_t size;
};

/* The shaders of a draw: all of them, and those before the fragments (0: none). */
struct gl_linked {
    GLuint all, front;
    char *text;                 /* of all stages; NULL: not known */
    size_t size;
};

struct gl_session {
    struct gl_stage stages[DRIVER_STAGES];
    /* GLEW's own flags follow the functions that it finds, and a dispatching libGL has every function: these
     * follow the driver's word. */
    bool integer_parameters;    /* NV_gpu_program4's calls, which take raw bits */
    bool storage, constants, barriers, binaries, shaders, spirv;
    bool counters, images, cube_arrays, bindless, variable_groups;
    bool addresses;             /* NV_shader_buffer_load */
    bool stages_in_glsl;        /* shaders beside the built-ins of the fixed functions */
    bool multisample;           /* textures with samples, and all that it takes to fill one */
    /* glProgramSubroutineParametersuivNV, which GLEW does not have; NULL without it */
    void (*set_subroutines)(GLenum target, GLsizei count, const GLuint *numbers);
    struct gl_program program;
    struct gl_framebuffer framebuffer, seen;    /* of draws, and of what their fragments had */
    struct gl_beside beside[DRIVER_STAGES];
    struct gl_linked linked;
    char message[600];
    struct gl_feeder feeder;
    GLuint vertices;            /* a buffer object */
    GLuint filler;              /* the shader that fills multisample textures; 0: not needed yet */
    GLuint plane_shaders[GL_PLANE_SHADERS];     /* likewise, of framebuffers with samples */
    struct driver_samples samples[GL_PLANE_PATTERNS];
    struct driver_description description;
};

/* Takes the current context. False: no memory. */
bool gl_session_open(struct gl_session *s, const char *context_name, gl_find_fn *find);

bool gl_has(const struct gl_session *s, const char *extension);

/* The first error since the last call, GL_NO_ERROR if none. A lost context ends the process: nothing that it
 * would say could be believed. */
GLenum gl_take_error(void);

/* "GL_INVALID_VALUE" or its like. */
const char *gl_error_name(GLenum error);

/* Fills status, gl_error and detail from what glGetError says; false when there was an error. */
bool gl_went_well(struct driver_result *r, const char *doing);
void gl_fail(struct driver_result *r, enum driver_status status, const char *detail);

/* ---- describe.c: strings, extensions, limits */
bool gl_describe(struct driver_description *d, const char *context_name);

/* ---- program.c: the parser's verdict and the parameters */
bool gl_program_load(struct gl_session *s, const struct driver_case *c, struct driver_result *r);
void gl_program_forget(struct gl_session *s);
void gl_load_only(struct gl_session *s, const struct driver_case *c, struct driver_result *r);
void gl_set_parameters(struct gl_session *s, const struct driver_case *c);
void gl_reset_parameters(struct gl_session *s, const struct driver_case *c);
/* Of any stage; with `zero` they become what they are without anybody. */
void gl_put_parameters(const struct gl_session *s, enum driver_stage stage, const struct driver_parameter *env,
                       size_t env_count, const struct driver_parameter *local, size_t local_count, bool zero);

/* ---- shader.c: compute shaders, from GLSL or SPIR-V. The log goes into *log, to be freed, when there is memory for
 * it. */
bool gl_shader_load(const struct gl_session *s, const struct driver_case *c, GLuint *name, char **log,
                    struct driver_result *r);
bool gl_shader_compile(GLuint shader, const char *text, size_t size);
/* A program that draws one triangle of three vertices over the whole viewport by a fragment shader; 0 where the driver
 * does not take it. The caller's. */
GLuint gl_shader_over_viewport(const char *fragment);
char *gl_shader_log(GLuint shader);
char *gl_shader_program_log(GLuint program);

/* ---- stages.c: shaders that stand for the programs of a draw */
bool gl_stages_are(const struct driver_case *c);
bool gl_stages_load(struct gl_session *s, const struct driver_case *c, struct driver_result *r);
/* Whether a shader gives the fragments their attributes: generic ones go from shader to shader alone. */
bool gl_stages_feed(const struct driver_case *c);
void gl_stages_bind_constants(const struct gl_session *s, const struct driver_case *c, GLuint number, GLuint buffer);
void gl_stages_forget(struct gl_session *s);
/* Inputs of whole numbers are pointed to anew, where the arrays are given. */
bool gl_stages_point(const struct gl_session *s, const struct driver_vertices *v, struct driver_result *r);

/* ---- buffers.c: storage, constants, counters: in this order */
struct gl_buffers {
    GLuint *names;
    size_t count;
};
bool gl_buffers_bind(struct gl_session *s, const struct driver_case *c, struct gl_buffers *b,
                     struct driver_result *r);
bool gl_buffers_put(const struct driver_case *c, const struct gl_buffers *b, struct wire_out *out,
                    struct driver_result *r);
bool gl_counters_put(const struct driver_case *c, const struct gl_buffers *b, struct wire_out *out,
                     struct driver_result *r);
void gl_buffers_free(struct gl_session *s, const struct driver_case *c, struct gl_buffers *b);

/* ---- vertices.c: what a program of a stage before the rasteriser makes of arrays */
struct gl_vertices {
    GLuint buffer;
    uint32_t words;             /* a vertex */
    uint32_t count;             /* vertices */
    uint8_t components[16];     /* of each result */
};
bool gl_point_to(const char *binding, const void *at);   /* the array of an input, by its name */
void gl_take_inputs_back(void);
bool gl_vertices_names(const struct driver_case *c, const char *names[16], struct driver_result *r);
bool gl_vertices_draw(struct gl_session *s, const struct driver_case *c, struct gl_vertices *out,
                      struct driver_result *r);
bool gl_vertices_put(const struct driver_case *c, const struct gl_vertices *got, struct wire_out *out,
                     struct driver_result *r);
void gl_vertices_free(struct gl_vertices *v);

/* ---- textures.c, formats.c: textures and image units */
struct gl_textures {
    GLuint *names, *buffers;    /* in the order of the case; the buffers of buffer textures */
    size_t count;
};
bool gl_textures_bind(struct gl_session *s, const struct driver_case *c, struct gl_textures *t,
                      struct driver_result *r);
bool gl_textures_put(const struct driver_case *c, const struct gl_textures *t, struct wire_out *out,
                     struct driver_result *r);
void gl_textures_free(const struct driver_case *c, struct gl_textures *t);
uint64_t gl_texture_handle(const struct gl_session *s, const struct driver_case *c, const struct gl_textures *t,
                           const struct driver_pointer *p, struct driver_result *r);

/* ---- pointers.c: addresses and handles, where the program reads them */
bool gl_pointers_put(struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                     const struct gl_textures *t, struct driver_result *r);

/* ---- framebuffer.c, feeder.c: where fragments go, and where they come from */
bool gl_framebuffer_bind(struct gl_session *s, const struct driver_raster *f, struct driver_result *r);
bool gl_framebuffer_again(struct gl_session *s, const struct driver_raster *f, struct driver_result *r);
bool gl_framebuffer_put(struct gl_session *s, const struct driver_raster *f, struct wire_out *out,
                        struct driver_result *r);
/* Of the session's framebuffer, all planes. */
bool gl_framebuffer_read(struct gl_session *s, const struct driver_raster *f, enum gl_plane_kind kind, uint32_t color,
                         void *to, struct driver_result *r);

/* ---- planes.c: framebuffers of layers and samples */
bool gl_planes_are(const struct driver_raster *f);
bool gl_planes_make(struct gl_session *s, struct gl_framebuffer *b, const struct driver_raster *f,
                    struct driver_result *r);
bool gl_planes_read(struct gl_session *s, const struct driver_raster *f, enum gl_plane_kind kind, uint32_t color,
                    void *to, struct driver_result *r);
bool gl_planes_fill_depth(struct gl_session *s, const struct driver_raster *f, struct driver_result *r);
size_t gl_planes_positions(struct driver_samples to[GL_PLANE_PATTERNS]);    /* how many of them */

/* `fed`: the program at hand has a vertex shader that gives the attributes. */
bool gl_feeder_draw(struct gl_session *s, const struct driver_raster *f, bool fed, struct driver_result *r);

/* ---- draw.c: a pipeline of programs */
bool gl_draw_run(struct gl_session *s, const struct driver_case *c, struct driver_result *r);
bool gl_draw_put_seen(struct gl_session *s, const struct driver_case *c, struct wire_out *out, struct driver_result *r);
void gl_beside_forget(struct gl_session *s, enum driver_stage stage);

/* ---- run.c: a whole case; the finished message is in `out` */
void gl_run(struct gl_session *s, const struct driver_case *c, uint32_t sequence, struct wire_out *out);

/* ---- capture.c, names.c: GLSL to a program binary; what the result points to is in `made` */
struct gl_captured {
    char *log, *names;
    void *blob;
};
void gl_capture(const struct gl_session *s, const struct capture_program *program, struct capture_result *r,
                struct gl_captured *made);
void gl_captured_free(struct gl_captured *made);
char *gl_program_names(GLuint program);

#endif
