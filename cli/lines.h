/* Commands line by line: with editing and a history on a terminal, from a file or a pipe otherwise. */
#ifndef GP5_CLI_LINES_H
#define GP5_CLI_LINES_H

#include <stddef.h>

/* libedit is loaded when a terminal asks for it: nothing else of gp5 needs it. */
struct cli_lines {
    void *library;
    char *(*edit)(const char *prompt);
    int (*remember)(const char *line);
    char *line, *last;
    size_t capacity;
    int terminal;
};

void cli_lines_open(struct cli_lines *l);
void cli_lines_close(struct cli_lines *l);

/* The next line without its newline, good until the next call; NULL at the end. `user` is the struct cli_lines. On a
 * terminal an empty line is the one before it again. */
const char *cli_lines_read(void *user, const char *prompt);

#endif
