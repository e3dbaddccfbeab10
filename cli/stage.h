/* The options of gp5 run that launch one stage of a graphics program. */
#ifndef GP5_CLI_STAGE_H
#define GP5_CLI_STAGE_H

#include "cli/launch.h"
#include "compare/report/stage_run.h"

struct cli_stage {
    struct cli_launch *launch;
    struct vec inputs, outputs; /* struct stage_file */
    uint32_t count, instances, patch_vertices;
    bool has_count, points, asked;
    struct gp5_state state;
    bool has_state;
    struct watch *watch;        /* looks on, or NULL */
    bool (*after)(void *user, enum output_kind kind, uint32_t binding, const uint8_t *data, size_t size);
};

#define CLI_STAGE_OPTIONS                                                                                    \
    { "count", required_argument, NULL, 'n' }, { "instances", required_argument, NULL, 'N' },                \
    { "input", required_argument, NULL, 'i' }, { "output", required_argument, NULL, 'o' },                   \
    { "state", required_argument, NULL, 'q' }, { "points", no_argument, NULL, 'p' },                         \
    { "patch-vertices", required_argument, NULL, 'v' }

void cli_stage_init(struct cli_stage *s, struct cli_launch *launch);
void cli_stage_free(struct cli_stage *s);

/* As cli_launch_option. */
int cli_stage_option(struct cli_stage *s, int c, const char *word);

int cli_stage_run(struct cli_stage *s, const struct cli_io *io, const char *path,
                  const struct cli_file *file, bool json,
                  bool (*picture)(void *user, const struct picture *picture), void *user);

#endif
