/* gp5 reduce: the smallest program or test script that still fails in the same way. */
#include "asm/diag.h"
#include "cli/compare.h"
#include "cli/launch.h"
#include "cli/script.h"
#include "cli/stage.h"
#include "compare/reduce/test.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

int cli_reduce(int argc, char **argv);

static const char usage[] =
    "usage: gp5 reduce [--driver=KIND|--replay=FILE|--driver=none] [OPTION...] TEST\n"
    "       gp5 reduce --run [OPTION...] TEST|PROGRAM\n"
    "       gp5 reduce --check[=nvidia|mesa|spec|gp5] PROGRAM\n"
    "\n"
    "Writes the smallest test script that still differs, or whose probe still fails, in the same way: the same kind\n"
    "of difference, the same probe with the same value, beside the same driver or recording. --run: an evaluation\n"
    "that still ends for the same reason, or has an undefined value for the same reason. --check: a program that is\n"
    "still told the same.\n"
    "Statements, declarations, modifiers, operands, lines and words go; each program that is tried is parsed and\n"
    "checked first.\n"
    "\n"
    "  --driver=auto|egl|glfw|none  which driver (default auto); none: the reference's probes alone\n"
    "  --replay=FILE                a recording instead: it answers only for what was recorded\n"
    "  --ulp=N                      compare floats to N units in the last place, whatever a test says\n"
    "  --run                        evaluate alone; a program takes the options of gp5 run that say how\n"
    "  --check[=WHOSE]              judge alone (default nvidia)\n"
    "  -o FILE                      write it there, not on standard output\n"
    "  --tries=N                    try at most N smaller ones\n"
    "  --semantics, --model, --strict, --max-instructions, --groups, --storage, --count, --input ...\n"
    "                               as gp5 run has them\n"
    "\n"
    "Exit status: 0 it is written, 1 there is nothing wrong to keep, 2 wrong usage, file or script, 77 skipped.\n";

struct arguments {
    struct compare_session session;     /* the driver or the recording */
    struct cli_launch launch;
    struct cli_stage stage;
    bool run, check, driver;
    enum gp5_target target;
    const char *out, *path;
    struct reduction r;
    struct reduce_test test;
    char wanted[COMPLAINT_TEXT];        /* of a program: what it is told, without its numbers */
};

/* ---- the command line -------------------------------------------------------------------------------------------- */

static int take_option(void *user, int c, const char *word)
{
    struct arguments *a = user;
    unsigned long long n = 0;
    switch (c) {
    case 'd':
        a->session.arguments.driver = word;
        a->driver = true;
        return CLI_YES;
    case 'Y':
        a->session.arguments.replay = word;
        a->driver = true;
        return CLI_YES;
    case 'U':
        a->session.arguments.test.has_ulp = true;
        if (!cli_number(word, 0, UINT64_MAX, &n))
            return cli_usage_error("reduce", usage, "--ulp needs a whole number, not '%s'", word);
        a->session.arguments.test.ulps = n;
        return CLI_YES;
    case 'E':
        a->run = true;
        return CLI_YES;
    case 'K':
        a->check = true;
        return !word || cli_target(word, &a->target)
                   ? CLI_YES
                   : cli_usage_error("reduce", usage, "there is no target '%s'", word);
    case 'o':
        a->out = word;
        return CLI_YES;
    case 'L':
        if (!cli_number(word, 1, ULONG_MAX, &n))
            return cli_usage_error("reduce", usage, "--tries needs a number, not '%s'", word);
        a->r.most = (unsigned long)n;
        return CLI_YES;
    default: return cli_stage_option(&a->stage, c, word);
    }
}

static int parse(int argc, char **argv, struct arguments *a)
{
    static const struct option options[] = {
        CLI_LAUNCH_OPTIONS,
        { "count", required_argument, NULL, 'n' }, { "instances", required_argument, NULL, 'N' },
        { "input", required_argument, NULL, 'i' }, { "state", required_argument, NULL, 'q' },
        { "points", no_argument, NULL, 'p' }, { "patch-vertices", required_argument, NULL, 'v' },
        { "driver", required_argument, NULL, 'd' }, { "replay", required_argument, NULL, 'Y' },
        { "ulp", required_argument, NULL, 'U' }, { "run", no_argument, NULL, 'E' },
        { "check", optional_argument, NULL, 'K' }, { "tries", required_argument, NULL, 'L' },
        { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
    };
    int status = cli_options(argc, argv, usage, ":j:o:h", options, take_option, a);
    if (status != CLI_GO_ON)
        return status;
    if (cli_model_lists(a->launch.run.model))
        return cli_model_list();
    if (argc - optind != 1)
        return cli_usage_error("reduce", usage, argc == optind ? "no file is named" : "one file at a time");
    if (a->run + a->check + a->driver > 1)
        return cli_usage_error("reduce", usage, "--run, --check and a driver exclude each other");
    a->path = argv[optind];
    a->session.batch.jobs = a->launch.run.jobs;
    return cli_batch_files(&a->session.batch, argv + optind) == CLI_YES ? CLI_GO_ON : CLI_TROUBLE;
}

/* ---- a program that is judged ---------------------------------------------------------------------------------- */

static bool first_told(void *user, const struct gp5_diagnostic *d)
{
    char *said = user;
    snprintf(said, REPORT_LINE, "%s", d->message);
    return false;
}

static void judge(const struct arguments *a, const char *text, size_t size, char said[REPORT_LINE])
{
    gp5_program *p = gp5_parse(text, size);
    *said = 0;
    if (p)
        gp5_diagnostics(p, a->target, first_told, said);
    gp5_program_free(p);
}

/* Whether it is what is looked for, but for its numbers. */
static bool is_wanted(struct arguments *a, const char said[REPORT_LINE])
{
    char told[COMPLAINT_TEXT];
    reduce_plain(said, told);
    if (strcmp(told, a->wanted))
        return false;
    memcpy(a->test.said, said, REPORT_LINE);
    return true;
}

static bool told_same(void *user, const char *text, size_t size)
{
    char said[REPORT_LINE];
    judge(user, text, size, said);
    return is_wanted(user, said);
}

/* ---- a program that is evaluated --------------------------------------------------------------------------------- */

/* What gp5 run --json says of it: why it did not end well, or the first reason of an undefined value. */
static void read_answer(const char *json, size_t size, char said[REPORT_LINE])
{
    json_t *o = json_loadb(json, size, JSON_DISABLE_EOF_CHECK, NULL);
    const char *message = json_string_value(json_object_get(o, "message"));
    json_t *reason = json_array_get(json_object_get(o, "undefined"), 0);
    const char *status = json_string_value(json_object_get(o, "status"));
    if (message && strcmp(status ? status : "", "invalid"))
        snprintf(said, REPORT_LINE, "%s", message);
    else if (json_is_object(reason))
        snprintf(said, REPORT_LINE, "line %d: undefined: %s",
                 (int)json_integer_value(json_object_get(reason, "line")),
                 json_string_value(json_object_get(reason, "reason")));
    json_decref(o);
}

static void evaluate_one(struct arguments *a, const char *text, size_t size, char said[REPORT_LINE])
{
    struct cli_file file = { (char *)(uintptr_t)text, size };
    char *answer = NULL, *noise = NULL;
    size_t length = 0, noises = 0;
    FILE *out = open_memstream(&answer, &length), *err = open_memstream(&noise, &noises);
    const struct cli_io io = { out, err, { false, false }, NULL };
    *said = 0;
    if (out && err) {
        struct evaluation e = cli_launch_evaluation(&a->launch, a->path, &file);
        e.json = true;
        if (a->stage.asked || stage_run_needed(text, size))
            cli_stage_run(&a->stage, &io, a->path, &file, true, NULL, NULL);
        else
            evaluate(&e, out, err);
    }
    bool whole = out && !fclose(out);
    whole = err && !fclose(err) && whole;
    if (whole && answer)
        read_answer(answer, length, said);
    free(answer);
    free(noise);
}

static bool is_valid(const char *text, size_t size)
{
    gp5_program *p = gp5_parse(text, size);
    bool valid = p && gp5_valid(p, GP5_TARGET_GP5);
    gp5_program_free(p);
    return valid;
}

static bool evaluates_same(void *user, const char *text, size_t size)
{
    struct arguments *a = user;
    char said[REPORT_LINE];
    if (!is_valid(text, size))
        return false;
    evaluate_one(a, text, size, said);
    return is_wanted(a, said);
}

/* ---- the ways to look ------------------------------------------------------------------------------------------ */

static int nothing_wrong(const struct arguments *a, const char *why)
{
    diag_put_head(stderr, a->path);
    fprintf(stderr, "%s\n", why);
    return CLI_NO;
}

static int reduce_told(struct arguments *a)
{
    if (!a->check && !is_valid(a->r.text, a->r.size))
        return nothing_wrong(a, "the program is invalid: that is for --check");
    if (a->check)
        judge(a, a->r.text, a->r.size, a->test.said);
    else
        evaluate_one(a, a->r.text, a->r.size, a->test.said);
    reduce_plain(a->test.said, a->wanted);
    if (!*a->wanted)
        return nothing_wrong(a, a->check ? "nothing is said of it"
                                         : "it ends well and no value is undefined");
    a->r.user = a;
    a->r.still = a->check ? told_same : evaluates_same;
    reduce_program(&a->r);
    return CLI_YES;
}

/* What is wrong with its text stands with its place. */
static int check_script(const struct arguments *a)
{
    struct script script;
    script_parse(&script, a->path, a->r.text, a->r.size);
    int status = script.status == SCRIPT_OK ? CLI_YES : script.status == SCRIPT_SKIP ? CLI_SKIPPED : CLI_TROUBLE;
    if (status != CLI_YES)
        script_print_problem(&script, stderr, cli_colour(stderr));
    script_free(&script);
    return status;
}

static int reduce_test(struct arguments *a)
{
    static const struct source none = { .kind = SOURCE_NONE };
    struct reduce_test *t = &a->test;
    t->path = a->path;
    t->options = a->session.arguments.test;
    t->options.source = a->run ? &none : &a->session.seats[0].source;
    t->undefined = a->run;
    if (cli_launch_given(&a->launch) || a->stage.asked)
        return cli_error(a->path, "a test script has its own inputs and outputs");
    int status = check_script(a);
    if (status != CLI_YES)
        return status;
    switch (reduce_test_look(t, a->r.text, a->r.size)) {
    case TEST_FAILED: break;
    case TEST_PASSED: return nothing_wrong(a, "it passes");
    case TEST_SKIPPED: return cli_error(a->path, "skipped: %s", t->said), CLI_SKIPPED;
    case TEST_ERROR: return cli_error(a->path, "%s", t->said);
    }
    a->r.user = t;
    a->r.still = reduce_test_still;
    if (!a->r.still(t, a->r.text, a->r.size))
        return nothing_wrong(a, "it does not fail alike twice");
    reduce_test_inline(&a->r, a->path);
    reduce_script(&a->r);
    return CLI_YES;
}

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = size && text[size - 1] != '\n';
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

static int write_out(struct arguments *a, const struct cli_file *before)
{
    FILE *f = a->out && strcmp(a->out, "-") ? fopen(a->out, "wb") : stdout;
    if (!f)
        return cli_error(a->out, "%s", strerror(errno));
    bool good = fwrite(a->r.text, 1, a->r.size, f) == a->r.size;
    if (a->r.size && a->r.text[a->r.size - 1] != '\n')
        fputc('\n', f);
    good = (f == stdout ? fflush(f) : fclose(f)) == 0 && good;
    if (!good)
        return cli_error(a->out ? a->out : "standard output", "%s", strerror(errno));
    diag_put_head(stderr, a->path);
    fprintf(stderr, "%zu lines of %zu, %zu bytes of %zu, %lu tried%s\n%s\n",
            count_lines(a->r.text, a->r.size), count_lines(before->bytes, before->size), a->r.size, before->size,
            a->r.tried, a->r.most && a->r.tried >= a->r.most ? ", which is as many as --tries lets" : "", a->test.said);
    return CLI_YES;
}

static bool go_on(void *user, const struct reduction *r)
{
    return cli_progress_at(user, r->tried, r->most);
}

static int reduce_file(struct arguments *a)
{
    struct cli_progress *progress = &a->session.batch.progress;
    struct cli_file file;
    if (!cli_read(a->path, &file))
        return CLI_TROUBLE;
    bool script = cli_is_script(&file) && !a->check;
    int status = CLI_YES;
    a->r.size = file.size;
    a->r.text = gp5_malloc(file.size + 1);
    if (!a->r.text)
        status = cli_error(a->path, "out of memory");
    else
        memcpy(a->r.text, file.bytes, file.size + 1);
    if (status == CLI_YES && !script && !a->run && !a->check)
        status = cli_usage_error("reduce", usage, "%s: a program alone needs --run or --check", a->path);
    a->session.arguments.test.run = a->launch.run;
    a->session.arguments.test.strict = a->launch.run.strict;
    a->session.arguments.test.run.strict = false;
    cli_progress_begin(progress, "reduce", "smaller ones tried", a->r.most);
    a->r.go_on = go_on;
    a->r.go_on_user = progress;
    if (status == CLI_YES && script && !a->run)
        status = compare_open(&a->session);
    if (status == CLI_YES)
        status = script ? reduce_test(a) : reduce_told(a);
    if (status == CLI_YES && a->r.no_memory)
        status = cli_error(a->path, "out of memory");
    if (status == CLI_YES) {
        cli_progress_hide(progress);
        status = write_out(a, &file);
    }
    gp5_free(a->r.text);
    cli_close(&file);
    return cli_progress_end(progress, compare_close(&a->session, status));
}

int cli_reduce(int argc, char **argv)
{
    struct arguments a = { .target = GP5_TARGET_NVIDIA,
                           .session = { .batch = { .command = "reduce", .usage = usage } } };
    cli_launch_init(&a.launch, "reduce", usage);
    cli_stage_init(&a.stage, &a.launch);
    int status = parse(argc, argv, &a);
    if (status == CLI_GO_ON)
        status = reduce_file(&a);
    cli_stage_free(&a.stage);
    cli_launch_free(&a.launch);
    cli_batch_free(&a.session.batch);
    return status;
}
