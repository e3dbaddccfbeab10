/* One case from the program's text to the message with its result. */
#include "gl/session.h"

static bool dispatch(const struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    if (!c->groups[0] || !c->groups[1] || !c->groups[2])
        return true;            /* nothing to run is a run */
    if (c->language == DRIVER_ASSEMBLY)
        glEnable(GL_COMPUTE_PROGRAM_NV);
    else
        glUseProgram(s->program.name);
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
    if (!gl_framebuffer_bind(s, &c->raster, r))
        return false;
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    bool ok = gl_feeder_draw(s, &c->raster, r);
    if (s->barriers)
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glFinish();
    return gl_went_well(r, "drawing") && ok;
}

static bool run(struct gl_session *s, const struct driver_case *c, struct driver_result *r)
{
    switch (c->stage) {
    case DRIVER_COMPUTE:
        return dispatch(s, c, r);
    case DRIVER_FRAGMENT:
        return draw(s, c, r);
    default:
        gl_fail(r, DRIVER_UNSUPPORTED, "programs of this stage are loaded and not run yet");
        return false;
    }
}

static bool put_outputs(struct gl_session *s, const struct driver_case *c, const struct gl_buffers *b,
                        struct wire_out *out, struct driver_result *r)
{
    protocol_put_result_head(out, r);
    if (!gl_buffers_put(c, b, out, r))
        return false;
    if (c->stage == DRIVER_FRAGMENT)
        return gl_framebuffer_put(s, &c->raster, out, r);
    wire_put_u32(out, 0);
    wire_put_bytes(out, NULL, 0);
    wire_put_bytes(out, NULL, 0);
    return true;
}

static bool load_and_run(struct gl_session *s, const struct driver_case *c, struct wire_out *out,
                         struct driver_result *r)
{
    struct gl_buffers b;
    if (!gl_program_load(s, c, r))
        return false;
    gl_set_parameters(s, c);
    bool ok = gl_went_well(r, "setting parameters");
    if (ok) {
        ok = gl_buffers_bind(s, c, &b, r) && run(s, c, r) && put_outputs(s, c, &b, out, r);
        gl_buffers_free(s, c, &b);
    }
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
    wire_begin(out, MESSAGE_RESULT, sequence);
    protocol_put_result(out, &r);
    wire_end(out);
}
