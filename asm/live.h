/* How many components of registers hold a value that is still wanted: what a register allocator would have to find room
 * for. */
#ifndef GP5_ASM_LIVE_H
#define GP5_ASM_LIVE_H

#include "asm/program.h"

enum live_status { LIVE_COUNTED, LIVE_TOO_LARGE, LIVE_NO_MEMORY };

/* The most components of temporaries (arrays aside) that are alive before some instruction, and the first such
 * instruction. A program for whose sets there is no room within reason is not counted. */
enum live_status asm_live(const struct gp5_program *program, uint32_t *components, uint32_t *insn);

#endif
