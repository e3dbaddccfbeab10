/* Why a value is undefined, in words. */
#ifndef GP5_EVAL_REASONS_H
#define GP5_EVAL_REASONS_H

#include "eval/machine/warp_state.h"

/* What tells one origin from another. */
struct origin_key { uint32_t insn, kind, detail; };

struct origin_record {
    struct origin_key key;
    uint32_t group, warp, lane, other;  /* where it happened first */
};

void eval_reason(const struct gp5_executable *x, const struct origin_record *r, char *text, size_t size);
uint32_t eval_origin_component(const struct gp5_executable *x, const struct origin_record *r);

/* "vertex[2].attrib[1]": the words of a binding with the numbers of what a source is. */
void eval_source_name(const struct plane_source *source, char *text, size_t size);

/* Whether an input leaves this component open; its plane then starts with a mark. */
bool eval_source_is_open(const struct gp5_executable *x, const struct plane_source *source);

#endif
