#include "cli/progress.h"
#include "cli/script.h"
#include "compare/report/report.h"

#include <string.h>

bool cli_is_script(const struct cli_file *file)
{
    if (script_is_vpfp(file->bytes, file->size))
        return true;
    if (!strncmp(file->bytes, "!!", 2))
        return false;
    return !strncmp(file->bytes, "[test]", 6) || strstr(file->bytes, "\n[test]") || strstr(file->bytes, "\n[require]");
}

int cli_script_evaluate(struct cli_launch *launch, const struct cli_io *io, const char *path,
                        const struct cli_file *file, struct watch *watch, bool json,
                        bool (*picture)(void *user, const struct picture *picture), void *user)
{
    struct source none = { .kind = SOURCE_NONE };
    struct test_options options = {
        .run = launch->run, .source = &none, .strict = launch->run.strict, .tables = true, .watch = watch,
        .go_on = launch->run.progress, .user = launch->run.progress_user,
        .windows = picture != NULL};
    struct report_context context = {.source = &none, .semantics = launch->run.semantics, .colour = io->colour[0],
                                     .tables = true};
    struct script script;
    struct test_result result;
    struct picture drawn;
    int worst = CLI_YES;

    if (cli_launch_given(launch))
        return cli_usage_error(launch->command, launch->usage, "a test script has its own inputs");
    options.run.strict = false;
    if (launch->run.progress)
        options.run.progress = cli_progress_continues;      /* commands are what is counted */
    script_parse(&script, path, file->bytes, file->size);
    if (script.status != SCRIPT_OK) {
        script_print_problem(&script, io->err, io->colour[1]);
        worst = script.status == SCRIPT_SKIP ? CLI_SKIPPED : CLI_TROUBLE;
    }
    for (size_t i = 0; script.status == SCRIPT_OK && i < script.programs.count; i++) {
        if (launch->run.progress && !cli_progress_continues(launch->run.progress_user, 0, 0))
            break;
        test_run(&script, vec_at(&script.programs, i), &options, &result);
        if (watch && watch_quit(watch)) {
            test_result_free(&result);
            break;
        }
        if (json)
            report_json(io->out, &context, &result);
        else
            report_text(io->out, &context, &result);
        worst = cli_worst(worst, test_exit_status(result.status));
        if (picture && test_picture(&result, 0, result.shown, &drawn) && !picture(user, &drawn))
            worst = CLI_TROUBLE;
        test_result_free(&result);
    }
    script_free(&script);
    return worst;
}
