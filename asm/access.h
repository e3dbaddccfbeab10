/* What an instruction reads and writes, component by component: for warnings and counts. */
#ifndef GP5_ASM_ACCESS_H
#define GP5_ASM_ACCESS_H

#include "asm/program.h"

/* A variable that an instruction touches. `mask` has a bit a component of the register; of an array it is about the
 * element that `element` says, or about any of them. */
struct access {
    uint32_t symbol;
    uint8_t mask;
    bool any_element;           /* the index is not a number */
    uint32_t element;
    struct span span;
};

enum { MOST_READS = 16 };

/* What is read: operands, the registers of their indices and of the result's. Fills up to MOST_READS and gives their
 * number. Where the tables do not say which components an operation needs, all four are taken for needed. */
unsigned asm_reads(const struct gp5_program *program, const struct insn *insn, struct access reads[MOST_READS]);

/* What is written; false when it is no variable. `always` says that the old value is gone: no test and no index
 * decides. */
bool asm_writes(const struct gp5_program *program, const struct insn *insn, struct access *write, bool *always);

/* Whether something else than the result comes of it: memory, a condition code, the flow. */
bool asm_has_effect(const struct insn *insn);

#endif
