/* One case from the program's text to the message with its result. */
#include "gl/session.h"

static bool dispatch(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    const uint32_t *size = c->group_size;
    bool variable = size[0] || size[1] || size[2];
    if (variable && !s->variable_groups) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no ARB_compute_variable_group_size");
        return false;
    }
    if (!c->groups[0] || !c->groups[1] || !c->groups[2])
        return true;            /* nothing to run is a run */
    if (c->language == DRIVER_ASSEMBLY)
        glEnable(GL_COMPUTE_PROGRAM_NV);
    else
        glUseProgram(s->program.name);
    if (variable)
        glDispatchComputeGroupSizeARB(c->groups[0], c->groups[1], c->groups[2], size[0] ? size[0] : 1,
                                      size[1] ? size[1] : 1, size[2] ? size[2] : 1);
    else
        glDispatchCompute(c->groups[0], c->groups[1], c->groups[2]);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    if (c->language == DRIVER_ASSEMBLY)
        glDisable(GL_COMPUTE_PROGRAM_NV);
    else
        glUseProgram(0);
    glFinish();
    return gl_went_well(r, "dispatching the program");
}

static bool draw(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (c->raster.primitive == DRIVER_DRAW)
        return gl_draw_run(s, c, r);
    if (!gl_framebuffer_bind(s, &c->raster, r))
        return false;
    if (gl_stages_are(c))
        glUseProgram(s->linked.all);
    else
        glEnable(GL_FRAGMENT_PROGRAM_ARB);
    bool ok = gl_feeder_draw(s, &c->raster, gl_stages_feed(c), r);
    if (s->barriers)
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    if (gl_stages_are(c))
        glUseProgram(0);
    glFinish();
    return gl_went_well(r, "drawing") && ok;
}

static bool run(struct gl_session *s, const struct driver_case *c, struct gl_vertices *v, struct driver_result *r)
{
    switch (c->stage) {
    case DRIVER_COMPUTE:
        return dispatch(s, c, r);
    case DRIVER_FRAGMENT:
        return draw(s, c, r);
    default:
        if (c->vertices.count)
            return gl_vertices_draw(s, c, v, r);
        break;
    }
    gl_fail(r, DRIVER_UNSUPPORTED, "a program of this stage runs on vertices, and there are none");
    return false;
}

static bool put_outputs(struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                        const struct gl_textures *t, const struct gl_vertices *v, struct wire_out *out,
                        struct driver_result *r)
{
    bool seen = c->raster.draw && c->raster.draw->seen_count;
    r->has_vertices = c->vertices.count != 0 || seen;
    r->has_extras = driver_case_returns_extras(c);
    protocol_put_result_head(out, r);
    if (!gl_buffers_put(c, b, out, r))
        return false;
    if (c->stage == DRIVER_FRAGMENT) {
        if (!gl_framebuffer_put(s, &c->raster, out, r))
            return false;
    } else {
        wire_put_u32(out, 0);
        wire_put_bytes(out, NULL, 0);
        wire_put_bytes(out, NULL, 0);
    }
    return (!r->has_extras || (gl_counters_put(c, b, out, r) && gl_textures_put(c, t, out, r))) &&
           (!r->has_vertices || (seen ? gl_draw_put_seen(s, c, out, r) : gl_vertices_put(c, v, out, r)));
}

static bool set_subroutines(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (!c->subroutine_count)
        return true;
    if (!s->set_subroutines) {
        gl_fail(r, DRIVER_UNSUPPORTED, "this driver has no glProgramSubroutineParametersuivNV");
        return false;
    }
    s->set_subroutines(s->stages[c->stage].target, (GLsizei)c->subroutine_count, c->subroutines);
    return gl_went_well(r, "choosing subroutines");
}

static bool load_and_run(struct gl_session *s, const struct driver_case *c, struct wire_out *out,
                         struct driver_result *r)
{
    struct gl_buffers b = {0};
    struct gl_textures t = {0};
    struct gl_vertices v = {0};
    bool shaders = gl_stages_are(c);
    if (shaders ? !gl_stages_load(s, c, r)
                : !(c->raster.draw && !c->program_size) && !gl_program_load(s, c, r))
        return false;           /* a draw without a fragment program has the fixed function */
    if (!shaders)
        gl_set_parameters(s, c);
    bool ok = gl_went_well(r, "setting parameters");
    if (ok) {
        ok = gl_buffers_bind(s, c, &b, r) && gl_textures_bind(s, c, &t, r) && gl_pointers_put(s, c, &b, &t, r) &&
             set_subroutines(s, c, r) && run(s, c, &v, r) && put_outputs(s, c, &b, &t, &v, out, r);
        gl_textures_free(c, &t);
        gl_vertices_free(&v);
        gl_buffers_free(s, c, &b);
    }
    if (!shaders)
        gl_reset_parameters(s, c);
    gl_take_error();
    return ok;
}

void gl_run(struct gl_session *s, const struct driver_case *c, uint32_t sequence, struct wire_out *out)
{
    struct driver_result r = {
        .status = DRIVER_RAN, .position = -1, .native = -1, .message = "", .detail = ""
    };
    wire_begin(out, MESSAGE_RESULT, sequence);
    if (!c->load_only && load_and_run(s, c, out, &r) && wire_end(out))
        return;
    if (c->load_only)
        gl_load_only(s, c, &r);
    else if (r.status == DRIVER_RAN)
        gl_fail(&r, DRIVER_OUT_OF_MEMORY,
                "the results are larger than memory or than a message may be (1 GiB)");
    r.has_extras = r.has_vertices = false;
    wire_begin(out, MESSAGE_RESULT, sequence);
    protocol_put_result(out, &r);
    wire_end(out);
}
