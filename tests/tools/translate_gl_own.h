/* What the files of translate_gl share. */
#ifndef TESTS_TRANSLATE_GL_OWN_H
#define TESTS_TRANSLATE_GL_OWN_H

#include <GL/gl.h>
#include <GL/glext.h>

#include "tests/tools/translate_gl.h"

enum { TG_SIDE = 16, TG_ARRAYS = 13 + 16, TG_PLACE = 15 /* the attribute that says where a fragment is */ };
#define TG_NOWHERE (-7777.0f)       /* what stands where nothing is drawn */

/* ---- translate_gl.c */
void tg_make_framebuffer(void);
/* Words of the program and of its translation. */
void tg_compare(struct tg_answer *a, uint32_t x, uint32_t y, const char *what, unsigned component, unsigned round,
                unsigned k);

/* ---- translate_gl_inputs.c: what both are given */
struct tg_given {
    float env[TG_PARAMETERS][4], local[TG_PARAMETERS][4];
    float values[TG_ARRAYS][TG_COUNT][4];
    const struct hidden_constants *constants;   /* of the case at hand */
    GLuint vertices;                            /* the buffer of `values` */
};
struct tg_given *tg_given(void);
void tg_begin_numbers(uint64_t from);
float tg_of_bits(uint32_t bits);
bool tg_is_nan(uint32_t w);
void tg_set_parameters(GLenum target);
void tg_set_state(void);
void tg_give_arrays(void);
/* Where the arrays of a core translation's inputs are: what no location has of its own. */
void tg_give_core_arrays(const struct tg_case *c);
void tg_set_textures(const struct gp5_program *p);

/* ---- translate_gl_shader.c */
void tg_say(struct tg_answer *a, int verdict, const char *format, ...);
GLuint tg_compile(GLenum stage, const char *text, size_t size, struct tg_answer *a);
GLuint tg_specialize(GLenum stage, const char *text, size_t size, struct tg_answer *a);
/* One or the other, as the case is; without a case the first. */
GLuint tg_shader(const struct tg_case *c, GLenum stage, const char *text, size_t size, struct tg_answer *a);
struct tg_parts {
    GLuint shaders[2];
    bool separable;
    const struct tg_case *inputs;       /* whose locations it gets, or NULL */
    const char *const *varyings;        /* that are captured */
    size_t nvaryings;
};
/* 0 where it does not link. The shaders stay the caller's. */
GLuint tg_make_program(const struct tg_parts *p, struct tg_answer *a);
GLuint tg_load_arb(GLenum target, const char *text, size_t size, struct tg_answer *a);
void tg_set_uniforms(const struct tg_case *c, GLuint program);
size_t tg_declare_port(const struct tg_case *c, const char *direction, const char *name, const char *type,
                       const char *brackets, char *text, size_t size);

/* ---- translate_gl_vertex.c, translate_gl_fragment.c */
/* The driver's own value of a parameter, by a program that does nothing but read it. */
bool tg_ask(const char *binding, float value[4]);
void tg_run_vertex(const struct tg_case *c, struct tg_answer *a);
void tg_run_fragment(const struct tg_case *c, struct tg_answer *a);

/* ---- translate_gl_open.c: which words of results are undefined */
enum { TG_OPEN_IF_DRAWN = 0x7fffffff };
bool tg_find_undefined(const struct gp5_program *p, const char *const *results, size_t n, uint32_t *marks);

#endif
