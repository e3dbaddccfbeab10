/* What the files of texture instructions share (texture.c, gather.c). */
#ifndef GP5_TRANSLATE_TEXTURE_H
#define GP5_TRANSLATE_TEXTURE_H

#include "translate/translate.h"

/* What GLSL calls a target: its sampler, the functions before 1.30, and the components that a coordinate has, with a
 * layer and what depth is compared with. */
struct target {
    const char *sampler, *old;
    uint8_t components[4], n;
    uint8_t gradient;           /* components of a derivative */
    bool shadow;
    uint32_t needs;
};

/* The operands of a texture instruction, as GLSL takes them. */
struct call {
    const struct target *target;
    const char *at;             /* coordinates */
    const char *offset;         /* ", ivec2(...)", or "" */
    bool constant;              /* it is one that GLSL takes everywhere */
    const struct operand *second;       /* the second vector, or NULL */
};

const char *tr_vector(struct tr *t, const struct operand *o, enum tr_type type, uint8_t component);
/* TXG, TXGO, LOD, TXQ, TXQS of a sampler. */
const char *tr_gather(struct tr *t, const struct call *c, const char *s);
const char *tr_query(struct tr *t, const struct call *c, const char *s, const uint8_t *components, unsigned n);

#endif
