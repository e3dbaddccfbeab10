/* Images: which texel of which level an access goes to, and what is moved. */
#ifndef GP5_EVAL_IMAGES_H
#define GP5_EVAL_IMAGES_H

#include "eval/numeric/read_value.h"
#include "eval/machine/warp_state.h"
#include "eval/texture/texel.h"

/* An image of the launch as a program sees it. */
struct image_view {
    const struct gp5_image *image;
    struct memory memory;       /* the whole texture */
    struct texel_level level;   /* its format is the image's */
    uint8_t whole, kind;        /* enum gp5_texture_kind of the texture, and that the program must say: for a single
                                 * layer one without layers */
    bool usable;                /* there is such a level and layer, and the formats go together */
    uint32_t layer;             /* that z counts from */
    uint32_t samples;           /* of a multisample texture, else 0 */
    uint32_t size[3];           /* of what can be reached */
};

/* Why an access reaches no texel. */
enum image_fault {
    IMAGE_FINE,
    IMAGE_NO_HANDLE,            /* the handle is none of an image's */
    IMAGE_BEYOND_ARRAY,         /* the index is beyond an array of images */
    IMAGE_OTHER_TARGET,         /* the image is of another kind than the instruction says */
    IMAGE_OTHER_NUMBERS,        /* floats to an image of integers, or the other way */
    IMAGE_UNBOUND,              /* nothing is bound to the unit, or no level or format that fits */
    IMAGE_OTHER_SIZE,           /* the instruction moves more or less than a texel */
    IMAGE_OUTSIDE,              /* the coordinates are outside */
    IMAGE_NO_SAMPLE             /* a texel has no such sample */
};

/* Whether textures and images of a launch go together: false with a reason. */
bool eval_images_check(const struct gp5_launch *launch, char *text, size_t size);
/* Fills views and unit_views; the textures stand. False without memory. */
bool eval_images_map(struct run *run);

/* NULL where an access has none; the reason is `fault`'s. */
const struct image_view *eval_image_view(const struct warp *w, const struct access *a, unsigned lane,
                                         enum image_fault *fault);
enum image_fault eval_image_fault(const struct warp *w, const struct access *a, unsigned lane);
/* Whether a fault makes the values of a load undefined (else they are measured or stated), and a store a use. */
bool eval_image_is_open(const struct warp *w, enum image_fault fault, bool load);
/* The texture, or nothing where the access reaches no texel; and the texel in it. */
struct memory eval_image_memory(const struct warp *w, const struct access *a, unsigned lane);
uint32_t eval_image_offset(const struct warp *w, const struct access *a, unsigned lane);
/* The bytes of the texel that component c of a load or store is made of, counted from the texel; false when there are
 * none. */
bool eval_image_component(const struct image_view *v, const struct access *a, unsigned c, uint32_t *at,
                          uint32_t *bytes);

void eval_image_load(struct warp *w, const struct access *a);
void eval_image_store(struct warp *w, const struct access *a);
/* The bytes that a store of values writes in a lane; how many. */
uint32_t eval_image_texel(const struct warp *w, const struct access *a, const struct image_view *v, unsigned lane,
                          uint8_t texel[16]);

/* memory.c: a value in memory as the bits of its register. */

#endif
