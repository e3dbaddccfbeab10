/* What gp5 run says of a plain program: for people (evaluate_text.c) and as JSON (evaluate_json.c). */
#ifndef GP5_COMPARE_EVALUATE_PRINT_H
#define GP5_COMPARE_EVALUATE_PRINT_H

#include "compare/report/evaluate.h"
#include "compare/world/world.h"

/* Counts, tables of what was written, what is undefined and why, races. */
void evaluate_text(const struct evaluation *e, struct world *w, const struct driver_case *c, const struct outcome *o,
                   FILE *out);

/* The accesses to memory that race. */
void evaluate_print_races(const struct evaluation *e, const struct gp5_report *r, FILE *out);

/* The same as one object on one line; gp5-run(1) has its members. False when memory ran out, with nothing more to rely
 * on. */
bool evaluate_json(const struct evaluation *e, const struct world *w, const struct driver_case *c,
                   const struct outcome *o, FILE *out);
/* And of a run that did not end well. */
void evaluate_json_failure(const struct evaluation *e, const struct outcome *o, FILE *out);

/* Whether the bytes of an output are what they were before, all of them defined. */
bool evaluate_unchanged(const struct driver_case *c, const struct output *output);

#endif
