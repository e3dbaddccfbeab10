/* gp5 debug --tui: the debugger on a whole terminal. */
#ifndef GP5_CLI_SCREEN_H
#define GP5_CLI_SCREEN_H

#include "compare/debug/debugger.h"

#include <stdbool.h>

struct screen;

/* Takes the terminal, and the debugger's commands and answers; what is written to stdout and stderr meanwhile comes
 * when it is closed. NULL with one line on stderr: there is no terminal, or no ncurses. */
struct screen *screen_open(struct debugger *d);
void screen_close(struct screen *s);

#endif
