/* Test scripts evaluated without a driver: of gp5 run and gp5 debug. */
#ifndef GP5_CLI_SCRIPT_H
#define GP5_CLI_SCRIPT_H

#include "cli/launch.h"
#include "compare/debug/watch.h"

bool cli_is_script(const struct cli_file *file);

/* Evaluates each program of a script and tells what its probes gave, as text or JSON. `watch` looks on, or is NULL;
 * `picture` is given what was drawn, or is NULL. The exit status. */
int cli_script_evaluate(struct cli_launch *launch, const struct cli_io *io, const char *path,
                        const struct cli_file *file, struct watch *watch, bool json,
                        bool (*picture)(void *user, const struct picture *picture), void *user);

#endif
