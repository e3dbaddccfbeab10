/* The oracle, a second evaluator: one lane at a time, from the specifications and docs/semantics.md, slowly. It runs a
 * program as the text has it, with the numbers of the specifications or of NVIDIA's driver, and knows nothing of that
 * driver's compiler.
 *
 * It reads a parsed program as it stands: nothing is decoded beforehand, nothing is vectorised. A lane runs by itself
 * until it comes to an instruction that looks at other lanes. When all lanes of a warp wait, those at the earliest
 * place of the program's run (the earliest iteration of the outermost loop, and so on inwards) are together, and
 * execute it. It shares no code with eval/ but the tables of the approximated functions (eval/numeric/sfu.h), which
 * have tests of their own against recordings and MPFR; other arithmetic is that of tests/oracle/scalar_model.c, in
 * integers.
 */
#ifndef GP5_TESTS_ORACLE_ORACLE_H
#define GP5_TESTS_ORACLE_ORACLE_H

#include "gp5.h"

struct oracle_buffer {
    uint32_t binding;
    uint8_t *data;
    size_t size;
    bool *undef;                 /* a word each: undefined; size / 4, rounded up */
};

/* `texture.undefined` is not used: `undef` has a word each. */
struct oracle_texture {
    struct gp5_texture texture;
    bool *undef;
};

struct oracle_launch {
    uint32_t groups[3];
    struct oracle_buffer *storage, *constants;
    size_t nstorage, nconstants;
    const struct gp5_parameter *env, *local;
    size_t nenv, nlocal;
    struct oracle_buffer *counters;
    size_t ncounters;
    const struct gp5_address_range *addresses;
    size_t naddresses;
    const uint32_t *subroutines;
    size_t nsubroutines;
    uint32_t group_size[3];     /* where the program has none; 0 counts as 1 */
    struct oracle_texture *textures;
    const struct gp5_image *images;
    size_t ntextures, nimages;
};

enum oracle_status {
    ORACLE_RAN,
    ORACLE_NOT_EVALUATED,         /* something that it does not have */
    ORACLE_TOO_LONG,              /* too many instructions */
    ORACLE_STUCK,                 /* BAR that not all lanes come to */
    ORACLE_NO_MEMORY
};

struct oracle_outcome {
    enum oracle_status status;
    uint64_t uses;              /* undefined values that decided a branch, an address or an index */
    char message[160];
};

/* The program must be valid for the NVIDIA target. */
void oracle_run(const gp5_program *program, enum gp5_semantics semantics, const struct oracle_launch *launch,
              struct oracle_outcome *outcome);

#endif
