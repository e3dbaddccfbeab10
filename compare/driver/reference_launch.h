/* A case as the evaluator's launch; inside of the reference. */
#ifndef GP5_COMPARE_REFERENCE_LAUNCH_H
#define GP5_COMPARE_REFERENCE_LAUNCH_H

#include "compare/driver/outcome.h"

struct reference_launch {
    struct gp5_launch gl;
    struct gp5_buffer *buffers;             /* storage, counters, constants */
    struct gp5_parameter *parameters;       /* env, then local */
    struct gp5_interpolant *interpolants;
    struct gp5_texture *textures;
    struct gp5_image *images;
    struct gp5_address_range *addresses;    /* of the storage buffers that pointers go to */
    uint8_t **pointed;                      /* constant buffers with pointers put in; NULL where there are none */
    size_t npointed;
};

/* Fills the launch, and the outcome with what it writes: buffers and textures are changed there in place. False, with
 * the outcome failed, when that cannot be. Either way reference_launch_free takes it. */
bool reference_launch(struct reference_launch *l, const struct driver_case *c, bool track_undefined, struct outcome *o);
void reference_launch_free(struct reference_launch *l);

#endif
