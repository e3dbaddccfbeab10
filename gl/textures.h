/* What the files about textures share. */
#ifndef GP5_GL_TEXTURES_H
#define GP5_GL_TEXTURES_H

#include "gl/session.h"

struct gl_format {
    GLenum internal, external, type;    /* the last two as the texels stand in our memory */
};
const struct gl_format *gl_format(unsigned format);     /* enum gp5_format */
GLenum gl_texture_target(unsigned kind);                /* enum gp5_texture_kind */
/* Parameters of the texture that is bound. */
void gl_set_sampler(const struct gp5_texture *texture);

/* ---- multisample.c
 * Makes the storage of a multisample texture, whose name has no target yet, and fills it sample by sample. */
bool gl_multisample_make(struct gl_session *s, const struct gp5_texture *t, const uint8_t *data, GLuint name,
                         struct driver_result *r);

#endif
