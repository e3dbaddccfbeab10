/* Running with somebody looking on (launch.c). */
#ifndef GP5_EVAL_LAUNCH_H
#define GP5_EVAL_LAUNCH_H

#include "eval/machine/warp_state.h"

/* gp5_execute with somebody looking on; then on one thread. */
enum gp5_run_status eval_execute(const gp5_executable *executable, const struct gp5_launch *launch,
                                 const struct gp5_run_options *options, const struct eval_observer *observer,
                                 struct gp5_report *report);

#endif
