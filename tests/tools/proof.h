/* Translations of programs that no driver at hand takes, beside the evaluator: what translate_proof.c is made of. */
#ifndef GP5_TESTS_PROOF_H
#define GP5_TESTS_PROOF_H

#include "asm/program.h"
#include "tests/tools/stage_subject.h"

#include <stdlib.h>

enum { PROOF_SIDE = 16, PROOF_ELEMENTS = PROOF_SIDE * PROOF_SIDE };
enum { PROOF_PARAMETERS = 256, PROOF_TEXTURES = 32, PROOF_BUFFERS = 16 };

/* A program with what it is run on: of the reference in `subject`, of the driver, which gets the translation, in
 * `driver`. */
struct proof {
    struct subject subject;
    struct driver_case driver;
    const char *why;        /* it cannot be run like this, or NULL */
    bool whole, only_whole; /* it computes with whole numbers: small bits are no small floats */
    bool small;             /* it is given no angles that only exact mathematics can turn back */
    bool unordered;         /* lanes change memory that they share: that alone is compared */
    bool reflects;          /* what cancels out is as exact as what it is made of */
    bool functions;         /* it has some that drivers approximate */
    uint32_t words[SUBJECT_ARRAYS][PROOF_ELEMENTS * 4]; /* of inputs */
    uint32_t corners[SUBJECT_ARRAYS][4][4];             /* of a quad, where neighbours count */
    unsigned components[SUBJECT_ARRAYS];
    struct driver_array inputs[SUBJECT_ARRAYS];
    struct driver_attribute attributes[SUBJECT_ARRAYS], at_corners[SUBJECT_ARRAYS];
    struct driver_parameter env[PROOF_PARAMETERS], local[PROOF_PARAMETERS];
    struct driver_texture textures[PROOF_TEXTURES];
    struct driver_buffer storage[PROOF_BUFFERS], constants[PROOF_BUFFERS], counters[PROOF_BUFFERS];
    const char *results[SUBJECT_ARRAYS];
    char reads[SUBJECT_ARRAYS][40], names[SUBJECT_ARRAYS][40], writes[SUBJECT_ARRAYS][40];
};

/* From the program, with the numbers of this round. `small`: nothing that breaks things. `subgroup`: lanes of the
 * driver's, which warps are then as large as. */
void proof_make(struct proof *p, const struct gp5_program *program, const char *text, size_t size, unsigned round,
                bool small, unsigned subgroup);
void proof_add_texture(struct proof *p, const struct gp5_program *program, const struct insn *insn);
void proof_add_buffers(struct proof *p, const struct gp5_program *program, const struct symbol *s);

/* The program with values in variables that it reads before it writes them, and, where it has no results, with some
 * before its END: its variables, a parameter that an address chooses, one that a condition code decides about. NULL
 * where it needs none of that. To be freed. */
char *proof_complete(const struct gp5_program *program, const char *text, size_t size, size_t *size_of);

/* Leaves out the result of which a linker says that nothing that runs writes it; false where it says no such thing. */
bool proof_drop(struct proof *p, const char *log);

/* The shader with state that no built-in of GLSL is as numbers of its own: `rows` says of each element of gp5_state
 * which row of a matrix it is. Such matrices are what nobody has set. To be freed. */
char *proof_with_state(const char *text, size_t size, const uint8_t *rows, size_t *room);

/* The shader with functions of its own in the place of the driver's; to be freed. */
char *proof_with_functions(const char *text, size_t size, size_t *room);

#endif
