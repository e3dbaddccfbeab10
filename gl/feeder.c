/* Where fragments come from: a quad or points over the viewport, and a vertex program that only passes
 * attributes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

enum { LINE = 64, MAX_LINES = 20 };

static void pass_on(char *text, size_t size, const struct driver_attribute *a, size_t attribute)
{
    static const char *const results[DRIVER_ATTRIBUTE_KINDS] = {
        [DRIVER_TEXCOORD] = "texcoord[%u]", [DRIVER_GENERIC] = "attrib[%u]", [DRIVER_FOGCOORD] = "fogcoord"
    };
    char result[24];
    if (a->kind == DRIVER_COLOR)
        snprintf(result, sizeof result, a->index ? "color.secondary" : "color");
    else
        snprintf(result, sizeof result, results[a->kind], (unsigned)a->index);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "MOV result.%s, vertex.attrib[%u];\n", result, (unsigned)attribute);
}

/* Attribute 0 is the position, then the case's in its order. Only a program of NV_gpu_program4 has generic
 * results. */
static void write_program(char *text, size_t size, const struct driver_raster *f)
{
    bool generic = false;
    for (size_t i = 0; i < f->attribute_count; i++)
        generic |= f->attributes[i].kind == DRIVER_GENERIC;
    snprintf(text, size, "%s\nMOV result.position, vertex.attrib[0];\n",
             generic ? "!!NVvp4.0" : "!!ARBvp1.0");
    for (size_t i = 0; i < f->attribute_count; i++)
        pass_on(text, size, &f->attributes[i], i + 1);
    size_t used = strlen(text);
    snprintf(text + used, size - used, "END\n");
}

static bool bind_program(struct gl_session *s, const struct driver_raster *f, struct driver_result *r)
{
    char text[LINE * MAX_LINES];
    write_program(text, sizeof text, f);
    struct gl_feeder *p = &s->feeder;
    if (p->text && !strcmp(p->text, text)) {
        glBindProgramARB(GL_VERTEX_PROGRAM_ARB, p->program);
        return true;
    }
    glDeleteProgramsARB(1, &p->program);
    free(p->text);
    *p = (struct gl_feeder){0};
    glGenProgramsARB(1, &p->program);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, p->program);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
    if (gl_take_error() != GL_NO_ERROR) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no vertex program that can pass these attributes on");
        return false;
    }
    p->text = malloc(strlen(text) + 1);
    if (p->text)
        strcpy(p->text, text);
    return true;
}

static float from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void place(float *at, const struct driver_raster *f, size_t count)
{
    float z = 2 * from_bits(f->depth_bits) - 1;
    for (size_t i = 0; i < count; i++, at += 4) {
        if (f->primitive == DRIVER_QUAD) {
            at[0] = i & 1 ? 1 : -1;
            at[1] = i & 2 ? 1 : -1;
        } else {
            at[0] = (float)((2.0 * (double)(i % f->width) + 1) / f->width - 1);
            at[1] = (float)((2.0 * (double)(i / f->width) + 1) / f->height - 1);
        }
        at[2] = z;
        at[3] = 1;
    }
}

/* The buffer holds one array after the other: positions, then each attribute. */
static bool upload(struct gl_session *s, const struct driver_raster *f, size_t count, struct driver_result *r)
{
    size_t array = count * 16;
    float *positions = malloc(array);
    if (!positions) {
        gl_fail(r, DRIVER_OUT_OF_MEMORY, "placing the pixels");
        return false;
    }
    place(positions, f, count);
    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(array * (f->attribute_count + 1)), NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)array, positions);
    free(positions);
    for (size_t i = 0; i < f->attribute_count; i++)
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)(array * (i + 1)), (GLsizeiptr)array,
                        f->attributes[i].values);
    return gl_went_well(r, "filling the vertices");
}

bool gl_feeder_draw(struct gl_session *s, const struct driver_raster *f, bool fed, struct driver_result *r)
{
    size_t count = f->primitive == DRIVER_QUAD ? 4 : (size_t)f->width * f->height;
    if ((!fed && !bind_program(s, f, r)) || !upload(s, f, count, r))
        return false;
    if (!fed)
        glEnable(GL_VERTEX_PROGRAM_ARB);
    for (size_t i = 0; i <= f->attribute_count; i++) {
        glVertexAttribPointer((GLuint)i, 4, GL_FLOAT, GL_FALSE, 0, (const void *)(uintptr_t)(count * 16 * i));
        glEnableVertexAttribArray((GLuint)i);
    }
    glDrawArrays(f->primitive == DRIVER_QUAD ? GL_TRIANGLE_STRIP : GL_POINTS, 0, (GLsizei)count);
    for (size_t i = 0; i <= f->attribute_count; i++)
        glDisableVertexAttribArray((GLuint)i);
    glDisable(GL_VERTEX_PROGRAM_ARB);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return gl_went_well(r, "drawing");
}
