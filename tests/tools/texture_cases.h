/* Texture instructions on every target, format, wrap mode and filter: programs, textures and coordinates that a driver
 * was recorded with (tests/recordings/textures.txt) and the evaluator is held to. */
#ifndef GP5_TESTS_TEXTURE_CASES_H
#define GP5_TESTS_TEXTURE_CASES_H

#include "gp5.h"

enum { TEXTURE_LANES = 512, TEXTURE_RECORD = 48, TEXTURE_RESULTS = TEXTURE_LANES * 16 };

/* What the three vectors of a lane are. */
enum texture_places {
    PLACES_NORMAL,      /* coordinates around 0 ... 1, a level; a reference; offsets */
    PLACES_TEXELS,      /* the same in texels, for rectangles */
    PLACES_DIVIDED,     /* a divisor in w */
    PLACES_NUMBERS,     /* whole texels and levels; numbers of layers */
    PLACES_SLOPES,      /* a place and two derivatives */
    PLACES_COUNT
};

struct texture_case {
    char name[96], program[1024];
    enum texture_places places;
    struct gp5_texture texture;     /* its data is texture_fill's */
    bool levels;                    /* results are levels of detail: recorded one by one, equal within 2/256 */
};

extern const char *const texture_places_names[PLACES_COUNT];

/* Calls `each` for every case, in an order that stays. */
void texture_cases(void (*each)(void *user, const struct texture_case *c), void *user);

/* The texels of a case: texture.bytes of them. */
void texture_fill(const struct texture_case *c, uint8_t *data);

/* The vectors of all lanes: TEXTURE_LANES * TEXTURE_RECORD bytes. */
void texture_places(enum texture_places places, uint8_t *data);

/* FNV-1a with 64 bits over the words of results. */
uint64_t texture_digest(const uint8_t *results);

#endif
