/* The generator's instructions. */
#include "compare/fuzz/internal.h"

#define ARBV (FUZZ_IN(FUZZ_AVP) | VP2UP)
#define VP2UP (FUZZ_IN(FUZZ_AVP2) | VP3)
#define VP3 FUZZ_IN(FUZZ_AVP3)
#define ARBF (FUZZ_IN(FUZZ_AFP) | FP1UP)
#define FP1UP (FUZZ_IN(FUZZ_AFP1) | FP2)
#define FP2 FUZZ_IN(FUZZ_AFP2)
#define NV4 (FUZZ_IN(FUZZ_VP4) | FUZZ_IN(FUZZ_GP4) | FUZZ_IN(FUZZ_FP4))
#define NV5 (FUZZ_IN(FUZZ_VP5) | FUZZ_IN(FUZZ_TCP5) | FUZZ_IN(FUZZ_TEP5) | FUZZ_IN(FUZZ_GP5) | FUZZ_IN(FUZZ_FP5) | FUZZ_IN(FUZZ_CP5))

const struct fuzz_opcode fuzz_opcodes[] = {
#define OP(name, shape, flags, profiles, option) {#name, shape, flags, profiles, option},
#include "compare/fuzz/opcodes.def"
#undef OP
};
const size_t fuzz_opcode_count = sizeof fuzz_opcodes / sizeof *fuzz_opcodes;
