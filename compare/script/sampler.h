/* Samplers in words: what `sampler` of a test script and --texture say of one. */
#ifndef GP5_COMPARE_SAMPLER_H
#define GP5_COMPARE_SAMPLER_H

#include "gp5_texture.h"

/* Sets what the words say: `min linear`, `mag nearest`, `wrap repeat` (or three, or wrap_s, wrap_t, wrap_r), `compare
 * lequal`, `border R G B A` (floats or raw bits), `min_lod X`, `max_lod X`, `bias X`, `seamless on`. Returns NULL, or
 * the message about word *wrong. */
const char *sampler_set(struct gp5_sampler *s, char *const *words, size_t count, size_t *wrong);

#endif
