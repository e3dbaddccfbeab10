/* What the tests of the approximated functions and the tools around their recordings share. */
#ifndef GP5_TESTS_SFU_SWEEP_H
#define GP5_TESTS_SFU_SWEEP_H

#include <stddef.h>
#include <stdint.h>

enum { SFU_FUNCTIONS = 12, SFU_SWEPT = 6, SFU_BLOCK = 1 << 16, SFU_OPERANDS = 4096 };

struct sfu_function {
    const char *name, *opcode;
    double (*exact)(double);                                        /* NULL for half precision */
    uint32_t (*model)(uint32_t word);
    void (*range)(uint32_t *out, uint32_t start, size_t count);     /* the model on consecutive words */
};
extern const struct sfu_function sfu_functions[SFU_FUNCTIONS];      /* those that are swept first */

const struct sfu_function *sfu_function_named(const char *name);    /* or NULL */

/* FNV-1a with 64 bits over words as units. */
uint64_t sfu_hash(const uint32_t *words, size_t count);

/* The operands a of SET_F32U (tests/tools/operands.h), one function's worth. */
void sfu_operands(uint32_t out[SFU_OPERANDS]);

/* Some words whose sign and exponent are `top`: all over the fractions, and around the borders of the tables' segments;
 * filled up to a multiple of `group`. How many. */
size_t sfu_some_of(uint32_t top, size_t group, uint32_t *out);

#endif
