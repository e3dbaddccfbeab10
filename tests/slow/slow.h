/* The second evaluator: one lane at a time, from the specifications and docs/semantics.md, slowly.
 *
 * It reads a parsed program as it stands: nothing is decoded beforehand, nothing is vectorised. A lane runs by itself until
 * it comes to an instruction that looks at other lanes. When all lanes of a warp wait, those at the earliest place of the
 * program's run (the earliest iteration of the outermost loop, and so on inwards) are together, and execute it.
 * It shares no code with eval/ but the tables of the approximated functions (eval/numeric/sfu.h), which have tests of their own
 * against recordings and MPFR; other arithmetic is that of tests/scalar_model.c, in integers. */
#ifndef GP5_TESTS_SLOW_SLOW_H
#define GP5_TESTS_SLOW_SLOW_H

#include "gp5.h"

struct slow_buffer {
    uint32_t binding;
    uint8_t *data;
    size_t size;
    bool *open;                 /* a word each: undefined; size / 4, rounded up */
};

/* `texture.undefined` is not used: `open` has a word each. */
struct slow_texture {
    struct gp5_texture texture;
    bool *open;
};

struct slow_launch {
    uint32_t groups[3];
    struct slow_buffer *storage, *constants;
    size_t nstorage, nconstants;
    const struct gp5_parameter *env, *local;
    size_t nenv, nlocal;
    struct slow_buffer *counters;
    size_t ncounters;
    const struct gp5_address_range *addresses;
    size_t naddresses;
    const uint32_t *subroutines;
    size_t nsubroutines;
    uint32_t group_size[3];     /* where the program has none; 0 counts as 1 */
    struct slow_texture *textures;
    const struct gp5_image *images;
    size_t ntextures, nimages;
};

enum slow_status {
    SLOW_RAN,
    SLOW_NOT_EVALUATED,         /* something that it does not have */
    SLOW_LIMIT,                 /* too many instructions in a lane */
    SLOW_STUCK,                 /* BAR that not all lanes come to */
    SLOW_NO_MEMORY
};

struct slow_outcome {
    enum slow_status status;
    uint64_t uses;              /* undefined values that decided a branch, an address or an index */
    char message[160];
};

/* The program must be valid for the NVIDIA target. */
void slow_run(const gp5_program *program, enum gp5_semantics semantics, const struct slow_launch *launch,
              struct slow_outcome *outcome);

#endif
