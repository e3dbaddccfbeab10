/* What the files of gp5's commands share. A command is `int cli_NAME(int argc, char **argv)` in cli/NAME.c; argv[0] is
 * its name, and what it returns is the exit status. It answers --help itself, with cli_help. */
#ifndef GP5_CLI_H
#define GP5_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gp5.h"

enum cli_status {
    CLI_YES = 0,
    CLI_NO = 1,         /* invalid, mismatch, not formatted */
    CLI_TROUBLE = 2,    /* usage or input and output */
    CLI_SKIPPED = 77,   /* nothing to run it on; 128 and more: a signal ended it */
    CLI_GO_ON = -1      /* nothing ends the command yet; of an option: it is another's */
};

int cli_check(int argc, char **argv);
int cli_fmt(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_capture(int argc, char **argv);
int cli_translate(int argc, char **argv);
int cli_lower(int argc, char **argv);
int cli_stats(int argc, char **argv);
int cli_debug(int argc, char **argv);
int cli_reduce(int argc, char **argv);
int cli_lsp(int argc, char **argv);
int cli_fuzz(int argc, char **argv);
int cli_fuzz_eval(int argc, char **argv);       /* with --eval */
extern const char cli_fuzz_usage[];

/* Of two files' answers the one that the command ends with: that of a signal, 2, then 1, then 77, then 0. */
int cli_worst(int a, int b);

/* A whole file, with a NUL behind it. */
struct cli_file {
    char *bytes;
    size_t size;
};

/* Reads a file, or standard input for "-". On failure one line on stderr says why, and the answer is false. */
bool cli_read(const char *path, struct cli_file *file);
void cli_close(struct cli_file *file);

/* One line on stderr, "gp5: PATH: TEXT". Both return CLI_TROUBLE. */
#if defined(__GNUC__)
#define CLI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CLI_PRINTF(f, a)
#endif
int cli_error(const char *path, const char *format, ...) CLI_PRINTF(2, 3);

/* Where a command writes: standard output and standard error, or what is shown there later; and whether in colour. */
struct cli_progress;
struct cli_io {
    FILE *out, *err;
    bool colour[2];
    const struct cli_progress *progress;        /* whose signals end what waits for a file; or NULL */
};
struct cli_io cli_standard(void);
int cli_error_on(const struct cli_io *io, const char *path, const char *format, ...) CLI_PRINTF(3, 4);
/* A pipe that nobody writes to is waited for until a signal is noted: then the answer is false, and nothing is told. */
bool cli_read_on(const struct cli_io *io, const char *path, struct cli_file *file);
/* Likewise, but what went wrong is given back, NULL for nothing. */
const char *cli_read_told(const struct cli_io *io, const char *path, struct cli_file *file);

/* Whether a file can be written, before there is anything to write: it is not changed, and none is left behind. */
int cli_writable(const char *path);

/* A file's new text, which replaces the old one at once. */
int cli_rewrite(const struct cli_io *io, const char *name, const char *bytes, size_t size);

/* The command line is wrong: "gp5 COMMAND: TEXT", the first lines of the usage and where the rest is, on stderr. */
int cli_usage_error(const char *command, const char *usage, const char *format, ...) CLI_PRINTF(3, 4);

/* The same after getopt_long (with opterr = 0) returned '?' or ':': names the option that it did not like. */
int cli_option_error(char **argv, int returned, const char *usage);

/* The options of a command line, each handed to `take` with its word, which answers CLI_YES or the status to end with.
 * --help and wrong options are answered here. CLI_GO_ON, or the status to end with. */
struct option;
typedef int cli_take(void *user, int option, const char *word);
int cli_options(int argc, char **argv, const char *usage, const char *letters, const struct option *options,
                cli_take *take, void *user);

/* Whether a stream is a terminal that takes colour (NO_COLOR and TERM=dumb say no). */
bool cli_colour(FILE *stream);

/* The usage, on stdout. Returns CLI_YES. */
int cli_help(const char *usage);

/* A file's name for JSON, which is UTF-8: a name that is not shows its strange bytes as question marks. NULL without
 * memory. */
struct json_t *cli_json_name(const char *path);

/* The word of --model: CLI_YES, or the status to end with when it is wrong. `list` is a word too: the command prints
 * the table of passes, with cli_model_list, and ends. */
int cli_model(const char *command, const char *usage, const char *word);
bool cli_model_lists(const char *word);
int cli_model_list(void);

/* Whose judgement a word names: nvidia, mesa, spec or gp5. */
bool cli_target(const char *word, enum gp5_target *target);

/* Lines that say what gp5 translate makes of a program that Mesa does not take. */
struct gp5_program;
void cli_way_out(FILE *out, const char *name, const struct gp5_program *program);

/* A decimal or 0x number within bounds, the whole word; false otherwise. */
bool cli_number(const char *word, unsigned long long least, unsigned long long most, unsigned long long *value);

#endif
