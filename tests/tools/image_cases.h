/* Programs on images, one question each, that a driver and the evaluator answer: every format loaded and stored, every
 * size of access, coordinates inside and outside of every kind of texture, atomic operations, sizes, handles. Recorded
 * from a driver in tests/recordings/images.txt. */
#ifndef GP5_TESTS_IMAGE_CASES_H
#define GP5_TESTS_IMAGE_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gp5.h"

enum { IMAGE_CASE_IMAGES = 4, IMAGE_INPUT_BYTES = 4096 * 16, IMAGE_CODES_BYTES = 65536 * 2 };

/* What storage[0] holds, 16 bytes an invocation; or a texture is filled with. */
enum image_data {
    IMAGE_DATA_FLOATS,
    IMAGE_DATA_INTEGERS,
    IMAGE_DATA_COORDINATES,
    IMAGE_DATA_CODES,
    IMAGE_DATA_COUNT,
    IMAGE_DATA_RANDOM
};
extern const char *const image_data_names[IMAGE_DATA_COUNT];

struct image_case {
    char name[96], program[3072];
    uint32_t groups, output;    /* bytes of storage[1] */
    uint8_t input, fill;        /* enum image_data, of storage[0] and of the texture */
    uint32_t seed;              /* RANDOM */
    struct gp5_texture texture; /* unit 0; without data */
    struct gp5_image image[IMAGE_CASE_IMAGES];
    unsigned images;
    bool handle;                /* program.local[0].xy is the handle of image 0 */
    bool returns;               /* the texture is a result too */
};

#define IMAGE_CASE_HANDLE 0x4200000017ull

void image_cases(void (*each)(void *user, const struct image_case *c), void *user);
/* Bytes of a piece of data; those of an input are IMAGE_INPUT_BYTES, of codes IMAGE_CODES_BYTES. */
void image_data(enum image_data which, uint8_t *bytes);
size_t image_data_size(enum image_data which);
/* What the texture of a case starts with: SplitMix64's words, or data over and over. */
void image_case_fill(const struct image_case *c, uint8_t *bytes);

/* The evaluator's answer. Words that it calls undefined are counted, and 0 in both if `mask`. */
struct image_answer {
    uint8_t *output, *texture;  /* malloc */
    uint32_t *output_undefined, *texture_undefined;
    uint64_t uses;
};
/* False with a message (from malloc, or NULL). */
bool image_case_evaluate(const struct image_case *c, enum gp5_semantics semantics, struct image_answer *a,
                         char **message);
void image_answer_free(struct image_answer *a);
/* Words that nobody may compare become 0. */
void image_answer_mask(const struct image_case *c, const struct image_answer *a, uint8_t *output, uint8_t *texture);
uint64_t image_hash(const uint8_t *bytes, size_t size);

#endif
