/* gp5 check: whether programs are valid, and where not. */
#include <getopt.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "asm/program.h"
#include "cli/cli.h"
#include "gp5.h"

int cli_check(int argc, char **argv);

static const char usage[] =
    "usage: gp5 check [--target=nvidia|mesa|spec|gp5] [--json] FILE...\n"
    "\n"
    "Says whether each program is valid, and for each error where it is and why it is one.\n"
    "Exit status: 0 all are valid, 1 one is not, 2 one could not be read.\n"
    "\n"
    "  --target=WHOSE    whose judgement: NVIDIA's driver (the default), Mesa's parser, the specifications, or gp5's own\n"
    "  --json            one JSON object a file and line, on standard output\n";

struct settings {
    enum gp5_target target;
    bool json;
};

static const unsigned target_bits[] = {
    [GP5_TARGET_NVIDIA] = FOR_NVIDIA, [GP5_TARGET_MESA] = FOR_MESA, [GP5_TARGET_SPEC] = FOR_SPEC,
    [GP5_TARGET_GP5] = FOR_GP5};

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static bool add_diagnostic(void *user, const struct gp5_diagnostic *d)
{
    static const char *const severities[] = {
        [GP5_ERROR] = "error", [GP5_WARNING] = "warning", [GP5_NOTE] = "note"};
    json_t *one = json_pack("{s:s, s:I, s:I, s:i, s:i, s:s, s:s?}", "severity", severities[d->severity], "offset",
                            (json_int_t)d->offset, "length", (json_int_t)d->length, "line", (int)d->line, "column",
                            (int)d->column, "message", d->message, "hint", d->hint);
    return one && json_array_append_new(user, one) == 0;
}

/* The message of the error at the position: the first one that the target has. */
static bool find_first(void *user, const struct gp5_diagnostic *d)
{
    const char **message = user;
    if (d->severity == GP5_ERROR)
        *message = d->message;
    return *message == NULL;
}

static bool put_json(const char *path, const gp5_program *program, enum gp5_target target)
{
    int64_t position = gp5_error_position(program, target);
    unsigned line = 0, column = 0;
    const char *message = NULL;
    if (position >= 0) {
        gp5_locate(program, (size_t)position, &line, &column);
        gp5_diagnostics(program, target, find_first, &message);
    }
    json_t *list = json_array();
    if (list)
        gp5_diagnostics(program, target, add_diagnostic, list);
    json_t *object = json_pack("{s:o, s:b, s:I, s:i, s:i, s:s?, s:o}", "file", cli_json_name(path), "valid", position < 0,
                               "position", (json_int_t)position, "line", (int)line, "column", (int)column, "message",
                               message, "diagnostics", list);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text)
        return false;
    puts(text);
    free(text);
    return true;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int check_file(const char *path, const struct settings *settings)
{
    struct cli_file file;
    if (!cli_read(path, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    cli_close(&file);
    if (!program)
        return cli_error(path, "no memory");
    int status = gp5_valid(program, settings->target) ? CLI_YES : CLI_NO;
    if (!settings->json)
        diags_print(stderr, cli_colour(stderr), path, program->text, program->size, &program->diags,
                    target_bits[settings->target]);
    else if (!put_json(path, program, settings->target))
        status = cli_error(path, "no memory");
    gp5_program_free(program);
    return status;
}

static bool find_target(const char *word, enum gp5_target *target)
{
    static const char *const words[] = {
        [GP5_TARGET_NVIDIA] = "nvidia", [GP5_TARGET_MESA] = "mesa", [GP5_TARGET_SPEC] = "spec",
        [GP5_TARGET_GP5] = "gp5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) {
            *target = (enum gp5_target)i;
            return true;
        }
    return false;
}

int cli_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"target", required_argument, NULL, 't'}, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    struct settings settings = {GP5_TARGET_NVIDIA, false};
    int status = CLI_YES;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (o == 'h')
            return cli_help(usage);
        if (o == 'j')
            settings.json = true;
        else if (o != 't')
            return cli_option_error(argv, o, usage);
        else if (!find_target(optarg, &settings.target))
            return cli_usage_error("check", usage, "there is no target '%s'", optarg);
    }
    if (optind == argc)
        return cli_usage_error("check", usage, "no file is named");
    for (int i = optind; i < argc; i++)
        status = cli_worst(status, check_file(argv[i], &settings));
    return status;
}
