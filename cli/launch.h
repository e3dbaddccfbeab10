/* The options that say what a program is launched with, for the commands that run one. */
#ifndef GP5_CLI_LAUNCH_H
#define GP5_CLI_LAUNCH_H

#include "asm/arena.h"
#include "cli/cli.h"
#include "compare/report/evaluate.h"
#include "compare/report/report.h"

#include <getopt.h>

struct cli_launch {
    const char *command, *usage;
    struct arena arena;
    struct vec storage, constants;      /* struct driver_buffer */
    struct vec env, local;              /* struct driver_parameter */
    struct vec counters;                /* struct driver_buffer */
    struct vec textures;                /* struct driver_texture */
    struct vec images;                  /* struct gp5_image */
    struct vec pointers;                /* struct driver_pointer */
    struct vec subroutines;             /* uint32_t */
    uint32_t groups[3], group_size[3], size[2];
    bool has_groups, has_size;
    struct gp5_run_options run;
};

enum { CLI_LAUNCH_OTHER = -1 };

/* Rows for getopt_long; -j N is 'j'. */
#define CLI_LAUNCH_OPTIONS                                                                                   \
    { "groups", required_argument, NULL, 'g' }, { "size", required_argument, NULL, 'z' },                    \
    { "storage", required_argument, NULL, 's' }, { "cbuffer", required_argument, NULL, 'c' },                \
    { "counter", required_argument, NULL, 'C' }, { "texture", required_argument, NULL, 'T' },                \
    { "image", required_argument, NULL, 'I' }, { "pointer", required_argument, NULL, 'P' },                  \
    { "subroutine", required_argument, NULL, 'R' }, { "group-size", required_argument, NULL, 'G' },          \
    { "env", required_argument, NULL, 'e' }, { "local", required_argument, NULL, 'l' },                      \
    { "semantics", required_argument, NULL, 'm' }, { "model", required_argument, NULL, 'M' },                \
    { "undefined", required_argument, NULL, 'u' }, { "races", required_argument, NULL, 'r' },                \
    { "strict", no_argument, NULL, 'S' },                                                                    \
    { "warp", required_argument, NULL, 'w' }, { "max-instructions", required_argument, NULL, 'x' }

void cli_launch_init(struct cli_launch *l, const char *command, const char *usage);
void cli_launch_free(struct cli_launch *l);

/* One of those options; the status to end with when its word is wrong, CLI_YES when all is well, CLI_LAUNCH_OTHER when
 * it is no option of these. */
int cli_launch_option(struct cli_launch *l, int c, const char *word);
int cli_launch_bad(const struct cli_launch *l, const char *text, const char *word);
/* "N=REST": the number, and where the rest begins; NULL when it is none. */
const char *cli_launch_numbered(const char *word, uint32_t *number);

/* launch_inputs.c: one option each. */
int cli_launch_texture(struct cli_launch *l, const char *word);
int cli_launch_image(struct cli_launch *l, const char *word);
int cli_launch_pointer(struct cli_launch *l, const char *word);
int cli_launch_subroutine(struct cli_launch *l, const char *word);

/* Whether there are inputs. */
bool cli_launch_given(const struct cli_launch *l);
struct evaluation cli_launch_evaluation(const struct cli_launch *l, const char *path, const struct cli_file *file);

#endif
