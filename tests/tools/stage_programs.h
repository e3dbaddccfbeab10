/* Programs of a few instructions by chance, in the dialects of the graphics stages: operands with swizzles, signs,
 * masks, saturation, on 64 vertices or fragments, half of which have nasty words. */
#ifndef GP5_TESTS_STAGE_PROGRAMS_H
#define GP5_TESTS_STAGE_PROGRAMS_H

#include "tests/tools/stage_subject.h"

enum { PROGRAM_INPUTS = 3, PROGRAM_ELEMENTS = 64, PROGRAM_TEXT = 4096, PROGRAM_MOST = 512 };

struct random { uint64_t state; };
uint32_t random_next(struct random *r);
uint32_t random_below(struct random *r, uint32_t n);

struct dialect;
const struct dialect *dialect_find(const char *name);
const struct dialect *dialect_at(size_t index);         /* NULL beyond the last */
const char *dialect_name(const struct dialect *d);

struct program {
    char text[PROGRAM_TEXT];
    size_t size;
    bool rough;                 /* an approximation is in it */
    uint32_t words[PROGRAM_INPUTS][PROGRAM_ELEMENTS * 4];
    char behind[PROGRAM_TEXT];  /* the tessellation evaluation program that passes things on */
    struct driver_array arrays[PROGRAM_INPUTS + 1];
    struct driver_attribute attributes[PROGRAM_INPUTS];
    const char *results[SUBJECT_ARRAYS];
    struct subject subject;     /* which points into the above: it is not to be copied */
};

/* `tame`: words alone that every driver takes as they are. */
void program_make(struct program *p, struct random *r, const struct dialect *d, bool tame);

#endif
