/* Colours that a fragment program does not write: undefined (ARB_fragment_program 3.11.4.2); what a driver leaves in
 * their place differs. */
#ifndef GP5_COMPARE_OPEN_COLORS_H
#define GP5_COMPARE_OPEN_COLORS_H

#include "compare/driver/outcome.h"

/* After a run of the reference: where the program names no colour, every word of it is undefined, and the report's
 * origins have one more. False without memory. */
bool reference_open_colors(const gp5_program *program, struct outcome *o);

#endif
