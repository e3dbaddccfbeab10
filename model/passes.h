/* The passes of NVIDIA's compiler as a table (model/passes.def): which are on, and which of those that are not could
 * change a program. */
#ifndef GP5_MODEL_PASSES_H
#define GP5_MODEL_PASSES_H

#include "asm/program.h"

enum model_pass {
#define PASS(name, state, needs, applies, document, what) PASS_##name,
#include "model/passes.def"
#undef PASS
    PASS_COUNT
};
_Static_assert(PASS_COUNT <= 64, "a set of passes is a word");

static inline bool model_has(uint64_t passes, enum model_pass pass)
{
    return passes >> pass & 1;
}

/* The passes that are on with `--model=TEXT` (NULL: all there are); false and a message where TEXT names none. */
bool model_read(const char *text, uint64_t *passes, char *message, size_t size);
/* Those that look at no more than what stands between two places of flow. */
uint64_t model_without_blocks(uint64_t passes);
/* Of the passes that are not on, those that could change a result of this program: it is not modelled in them. A cheap
 * question that errs on the safe side. */
uint64_t model_missing(const struct gp5_program *p, uint64_t passes);

#endif
