/* Draws with a pipeline of programs: what a script's draw needs of the GL, and nothing of it left behind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/session.h"

/* ---- programs ---------------------------------------------------------------------------------------------- */

static const char *last_line(const char *text, size_t position, unsigned *line)
{
    *line = 1;
    for (size_t i = 0; i < position && text[i]; i++)
        *line += text[i] == '\n';
    return text;
}

/* The driver's words about a program that is not the case's own, with its stage and line. */
static bool reject(struct gl_session *s, const struct driver_program *p, GLint position, struct driver_result *r)
{
    const char *message = (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB);
    unsigned line;

    last_line(p->text, position > 0 ? (size_t)position : 0, &line);
    snprintf(s->message, sizeof s->message, "%s program, line %u: %.400s", driver_stage_name(p->stage), line,
             message ? message : "");
    r->message = s->message;
    r->position = -1;
    gl_fail(r, DRIVER_REJECTED, "");
    return false;
}

/* The program of a stage, kept because the next draw often has the same one. */
static bool load(struct gl_session *s, const struct driver_program *p, struct driver_result *r)
{
    struct gl_beside *b = &s->beside[p->stage];
    GLenum target = s->stages[p->stage].target;
    GLint position = -1;

    if (!target) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no assembly programs for a stage of the pipeline");
        return false;
    }
    if (b->name && b->size == p->size && b->text && !memcmp(b->text, p->text, p->size)) {
        glBindProgramARB(target, b->name);
        return true;
    }
    gl_beside_forget(s, p->stage);
    glGenProgramsARB(1, &b->name);
    glBindProgramARB(target, b->name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)p->size, p->text);
    GLenum error = gl_take_error();
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &position);
    if (error != GL_NO_ERROR || position != -1)
        return reject(s, p, position, r);
    b->text = malloc(p->size + 1);
    if (b->text)
        memcpy(b->text, p->text, p->size);
    b->size = p->size;
    return true;
}

void gl_beside_forget(struct gl_session *s, enum driver_stage stage)
{
    struct gl_beside *b = &s->beside[stage];

    if (b->name)
        glDeleteProgramsARB(1, &b->name);
    free(b->text);
    *b = (struct gl_beside){0};
}

static bool load_all(struct gl_session *s, const struct driver_draw *d, struct driver_result *r)
{
    for (size_t i = 0; i < d->program_count; i++) {
        const struct driver_program *p = &d->programs[i];
        if (!load(s, p, r)) {
            gl_beside_forget(s, p->stage);
            return false;
        }
        gl_put_parameters(s, p->stage, p->env, p->env_count, p->local, p->local_count, false);
    }
    return gl_went_well(r, "loading the programs of a pipeline");
}

static void switch_programs(const struct gl_session *s, const struct driver_draw *d, bool on)
{
    for (size_t i = 0; i < d->program_count; i++) {
        const struct driver_program *p = &d->programs[i];
        if (on) {
            glEnable(s->stages[p->stage].target);
            continue;
        }
        glDisable(s->stages[p->stage].target);
        gl_put_parameters(s, p->stage, p->env, p->env_count, p->local, p->local_count, true);
    }
}

/* ---- vertices ---------------------------------------------------------------------------------------------- */

static bool set_current(const char *binding, const void *data)
{
    GLfloat v[4];
    unsigned n;

    memcpy(v, data, sizeof v);
    if (!strcmp(binding, "vertex.color"))
        glColor4fv(v);
    else if (!strcmp(binding, "vertex.color.secondary"))
        glSecondaryColor3fv(v);
    else if (!strcmp(binding, "vertex.normal"))
        glNormal3fv(v);
    else if (!strcmp(binding, "vertex.fogcoord"))
        glFogCoordf(v[0]);
    else if (sscanf(binding, "vertex.texcoord[%u]", &n) == 1 && n < 8)
        glMultiTexCoord4fv(GL_TEXTURE0 + n, v);
    else if (sscanf(binding, "vertex.attrib[%u]", &n) == 1 && n < 16)
        glVertexAttrib4fv(n, v);
    else
        return false;
    return true;
}

static bool give_inputs(const struct gl_session *s, const struct driver_draw *d, struct driver_result *r)
{
    size_t room = 0, at = 0;
    bool ok = true;

    for (size_t i = 0; i < d->input_count; i++)
        room += d->inputs[i].size;
    glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(room + 16), NULL, GL_STREAM_DRAW);
    for (size_t i = 0; ok && i < d->input_count; i++) {
        const struct driver_array *a = &d->inputs[i];
        if (a->size == 16 && d->first + d->count != 1) {
            ok = set_current(a->binding, a->data);
            continue;
        }
        glBufferSubData(GL_ARRAY_BUFFER, (GLintptr)at, (GLsizeiptr)a->size, a->data);
        ok = gl_point_to(a->binding, (const void *)(uintptr_t)at);
        at += a->size;
    }
    if (!ok) {
        gl_fail(r, DRIVER_UNSUPPORTED, "an input that no array of the GL is");
        return false;
    }
    return gl_went_well(r, "giving the vertices");
}

/* ---- state ------------------------------------------------------------------------------------------------- */

static void set(GLenum what, bool on)
{
    if (on)
        glEnable(what);
    else
        glDisable(what);
}

static void load_matrices(const float *projection, const float *modelview)
{
    static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(projection ? projection : identity);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(modelview ? modelview : identity);
}

static void set_planes(const struct driver_draw *d, unsigned enabled)
{
    for (unsigned i = 0; i < 8; i++) {
        GLdouble plane[4];
        set(GL_CLIP_PLANE0 + i, enabled >> i & 1);
        for (unsigned k = 0; k < 4; k++)
            plane[k] = d->gl->clip_plane[i][k];
        if (enabled >> i & 1)
            glClipPlane(GL_CLIP_PLANE0 + i, plane);     /* the modelview matrix is the identity here */
    }
}

static void set_sprites(bool on)
{
    set(GL_POINT_SPRITE, on);
    for (unsigned i = 0; i < 8; i++) {
        glActiveTexture(GL_TEXTURE0 + i);
        glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, on);
    }
    glActiveTexture(GL_TEXTURE0);
}

/* What the depth buffer holds before the draw. */
static void fill_depth(const struct driver_raster *f)
{
    const struct driver_draw *d = f->draw;

    if (!d->depth || gl_planes_are(f)) {
        if (d->depth)
            return;             /* that was done before */
        glClearBufferfv(GL_DEPTH, 0, &d->clear_depth);
        return;
    }
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glStencilMask(0);
    glDepthFunc(GL_ALWAYS);
    glWindowPos2i(0, 0);
    glDrawPixels((GLsizei)f->width, (GLsizei)f->height, GL_DEPTH_COMPONENT, GL_FLOAT, d->depth);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilMask(0xff);
}

static void set_state(const struct driver_raster *f)
{
    const struct driver_draw *d = f->draw;
    const struct raster_state *s = &d->state;

    load_matrices(NULL, NULL);
    fill_depth(f);
    for (GLuint i = 0; d->viewports && i < RASTER_VIEWPORTS; i++)
        glViewportIndexedfv(i, d->viewports[i].at);
    set_planes(d, s->clip_planes);
    load_matrices(d->gl->projection, d->gl->modelview);
    glShadeModel(s->flat ? GL_FLAT : GL_SMOOTH);
    if (GLEW_ARB_provoking_vertex)
        glProvokingVertex(s->first_vertex ? GL_FIRST_VERTEX_CONVENTION : GL_LAST_VERTEX_CONVENTION);
    set(GL_VERTEX_PROGRAM_TWO_SIDE, s->two_side);
    set(GL_VERTEX_PROGRAM_POINT_SIZE, s->program_point_size);
    set_sprites(s->point_sprite);
    glPointSize(d->gl->point_size);
    glDepthRange(d->gl->depth_range[0], d->gl->depth_range[1]);
    set(GL_DEPTH_CLAMP, s->depth_clamp);
    set(GL_DEPTH_TEST, s->depth_test);
    glDepthFunc(GL_NEVER + s->depth_func);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glClampColor(GL_CLAMP_VERTEX_COLOR, d->gl->clamp_vertex_color);
    glColorMask(s->color_mask & 1, s->color_mask >> 1 & 1, s->color_mask >> 2 & 1, s->color_mask >> 3 & 1);
}

static void reset_state(const struct driver_draw *d)
{
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    load_matrices(NULL, NULL);
    set_planes(d, 0);
    glShadeModel(GL_SMOOTH);
    if (GLEW_ARB_provoking_vertex)
        glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glDisable(GL_VERTEX_PROGRAM_TWO_SIDE);
    glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
    set_sprites(false);
    glPointSize(1);
    glDepthRange(0, 1);
    glDisable(GL_DEPTH_CLAMP);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
}

/* ---- the draw ---------------------------------------------------------------------------------------------- */

static void draw(const struct driver_draw *d)
{
    GLenum mode = d->mode == RASTER_PATCHES ? GL_PATCHES : d->mode;

    if (mode == GL_PATCHES) {
        glPatchParameteri(GL_PATCH_VERTICES, (GLint)d->patch_vertices);
        glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, d->levels);
        glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, d->levels + 4);
    }
    if (d->instances != 1)
        glDrawArraysInstanced(mode, (GLint)d->first, (GLsizei)d->count, (GLsizei)d->instances);
    else
        glDrawArrays(mode, (GLint)d->first, (GLsizei)d->count);
}

/* NVIDIA's driver (580.159.04) forgets the storage buffers of a fragment program when programs of other stages are
 * loaded behind their binding, until they are bound again. */
static void bind_storage_again(const struct gl_session *s)
{
    GLint most = 0, name;

    if (s->storage)
        glGetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &most);
    for (GLint i = 0; i < most; i++) {
        glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, (GLuint)i, &name);
        if (name)
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)i, (GLuint)name);
    }
}

/* With a fragment program bound, or the fixed function; `shaders` are in the place of the programs before it, or of
 * all. */
static bool draw_once(struct gl_session *s, const struct driver_raster *f, bool program, GLuint shaders,
                      struct driver_result *r)
{
    if (f->draw->viewports && !GLEW_VERSION_4_1) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no viewports but one");
        return false;
    }
    if (!gl_framebuffer_bind(s, f, r))
        return false;
    if (f->draw->depth && gl_planes_are(f) && (!gl_planes_fill_depth(s, f, r) || !gl_framebuffer_again(s, f, r)))
        return false;
    bool ok = (shaders || load_all(s, f->draw, r)) && give_inputs(s, f->draw, r);
    if (ok) {
        set_state(f);
        if (shaders)
            glUseProgram(shaders);
        else
            switch_programs(s, f->draw, true);
        set(GL_FRAGMENT_PROGRAM_ARB, program);
        bind_storage_again(s);
        draw(f->draw);
        if (s->barriers)
            glMemoryBarrier(GL_ALL_BARRIER_BITS);
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
        ok = gl_went_well(r, "drawing");
    }
    if (shaders)
        glUseProgram(0);
    else
        switch_programs(s, f->draw, false);
    reset_state(f->draw);
    gl_take_inputs_back();
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    gl_take_error();
    return ok;
}

bool gl_draw_run(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (gl_stages_are(c))
        return draw_once(s, &c->raster, false, s->linked.all, r);
    return draw_once(s, &c->raster, c->program_size != 0, 0, r);
}

/* ---- what fragments had ------------------------------------------------------------------------------------ */

static bool load_seen(struct gl_session *s, const struct driver_draw *d)
{
    struct driver_program p = { .stage = DRIVER_FRAGMENT, .text = d->seen, .size = d->seen_size };
    struct driver_result r = {0};
    return load(s, &p, &r);
}

/* The same draw with a program that only gives the inputs of fragments as colours. Where the driver does not take it
 * there is none of it: that takes nothing from the draw itself. */
bool gl_draw_put_seen(struct gl_session *s, const struct driver_case *c, struct wire_out *out, struct driver_result *r)
{
    const struct driver_draw *d = c->raster.draw;
    struct driver_raster f = c->raster;
    struct driver_draw whole = *d;      /* inputs are there under any mask */
    struct gl_framebuffer first = s->framebuffer;
    size_t pixels = driver_pixels(&f);
    struct driver_result ignored = {0};

    whole.state.color_mask = 15;
    f.draw = &whole;
    f.color_outputs = d->seen_count;
    s->framebuffer = s->seen;
    bool ok = load_seen(s, d) && draw_once(s, &f, true, gl_stages_are(c) ? s->linked.front : 0, &ignored);
    wire_put_u32(out, ok ? d->seen_count + 1 : 0);
    for (uint32_t i = 0; ok && i <= d->seen_count; i++) {
        wire_put_u32(out, i);
        void *space = wire_put_space(out, i < d->seen_count ? pixels * 16 : pixels);
        if (!space)
            break;
        if (!gl_framebuffer_read(s, &f, i < d->seen_count ? GL_PLANE_COLOR : GL_PLANE_COUNT, i, space, r))
            return false;
    }
    s->seen = s->framebuffer;
    s->framebuffer = first;
    return gl_went_well(r, "reading the fragments' inputs back");
}
