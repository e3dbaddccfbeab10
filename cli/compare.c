/* gp5 compare: the evaluator against a driver or a recording. */
#include "compare/driver/reference.h"
#include "cli/compare.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int cli_compare(int argc, char **argv);

static const char usage[] =
    "usage: gp5 compare [OPTION...] TEST...\n"
    "\n"
    "Runs test scripts on the reference evaluator and on a driver and says where they differ.\n"
    "\n"
    "  --driver=KIND                which driver: auto (the default), egl (egl-device and then egl-surfaceless),\n"
    "                               egl-device, egl-device:N (the Nth), egl-surfaceless, glfw; none: the reference's\n"
    "                               probes alone\n"
    "  --replay=FILE                compare with what was recorded in FILE instead of a driver\n"
    "  --record=FILE                keep what the driver gave in FILE\n"
    "  --semantics=nvidia|spec|ideal  the evaluator's reading (default nvidia; of draws beside other drivers spec);\n"
    "                               ideal: the text, with functions as exact mathematics has them\n"
    "  --model=list|none|noPASS[,noPASS...]  passes of NVIDIA's compiler that are foreseen: print them, or switch them "
    "off\n"
    "  --translate=LANGUAGE         the driver gets the programs as gp5 translate writes them: glsl120, glsl450compat\n"
    "  --ulp=N                      compare floats to N units in the last place, whatever a test says\n"
    "  --strict                     fail a test that compares undefined components\n"
    "  --json | --tap               one object a test, or TAP, on standard output\n"
    "  --junit=FILE                 a JUnit report besides\n"
    "  --html=DIR                   a page with pictures of both sides, DIR/index.html\n"
    "  -j N                         threads of the evaluator (0, the default: one a processor): of one test, over its "
    "groups;\n"
    "                               of several, tests at a time, each beside a driver's process of its own;\n"
    "                               without -j two tests take turns at one\n"
    "  --files-from=LIST            these tests as well: a name a line, or a NUL behind each; '-' is standard input\n"
    "  --shard=I/N                  of the tests the I-th, the I+N-th ...: one of N machines takes these\n"
    "  -v, --verbose                lane tables\n"
    "\n"
    "Exit status: 0 all agree, 1 a difference, 2 wrong usage, file or script, 77 skipped.\n";

/* ---- the command line ---------------------------------------------------------------------------------- */

/* What a script draws has the fixed function before and behind it, and its state. */
static bool links_with_fixed_function(const char *word, enum gp5_language *language)
{
    static const enum gp5_language languages[] = { GP5_TO_GLSL120, GP5_TO_GLSL450COMPAT };
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(word, gp5_language_name(languages[i]))) {
            *language = languages[i];
            return true;
        }
    return false;
}

static int take_option(void *user, int c, const char *word)
{
    struct compare_arguments *a = user;
    unsigned long long value;
    int status;
    switch (c) {
    case 'd': a->driver = word; return CLI_YES;
    case 'r': a->record = word; return CLI_YES;
    case 'p': a->replay = word; return CLI_YES;
    case 'x': a->junit = word; return CLI_YES;
    case 'H': a->html = word; return CLI_YES;
    case 'S': a->test.strict = true; return CLI_YES;
    case 'J': a->format = FORMAT_JSON; return CLI_YES;
    case 'T': a->format = FORMAT_TAP; return CLI_YES;
    case 'v': a->verbose = true; return CLI_YES;
    case 's':
        a->test.semantics_chosen = true;
        return reference_find_semantics(word, &a->test.run.semantics)
                   ? CLI_YES
                   : cli_usage_error("compare", usage, "the semantics are nvidia, spec or ideal, not '%s'", word);
    case 'M':
        if ((status = cli_model("compare", usage, word)) == CLI_YES)
            a->test.run.model = word;
        return status;
    case 't':
        a->test.translate = true;
        return links_with_fixed_function(word, &a->test.language)
                   ? CLI_YES
                   : cli_usage_error("compare", usage, "the language is glsl120 or glsl450compat, not '%s'", word);
    case 'u':
        if (!cli_number(word, 0, UINT64_MAX, &value))
            return cli_usage_error("compare", usage, "--ulp needs a whole number, not '%s'", word);
        a->test.has_ulp = true;
        a->test.ulps = value;
        return CLI_YES;
    default: return CLI_GO_ON;
    }
}

static int parse(int argc, char **argv, struct compare_arguments *a, struct cli_batch *batch)
{
    static const struct option options[] = {
        { "driver", required_argument, NULL, 'd' }, { "record", required_argument, NULL, 'r' },
        { "replay", required_argument, NULL, 'p' }, { "semantics", required_argument, NULL, 's' },
        { "model", required_argument, NULL, 'M' },
        { "translate", required_argument, NULL, 't' },
        { "ulp", required_argument, NULL, 'u' }, { "strict", no_argument, NULL, 'S' },
        { "json", no_argument, NULL, 'J' }, { "tap", no_argument, NULL, 'T' },
        { "junit", required_argument, NULL, 'x' }, { "html", required_argument, NULL, 'H' },
        { "verbose", no_argument, NULL, 'v' },
        CLI_BATCH_OPTIONS, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
    };
    int status = cli_batch_options(batch, argc, argv, ":j:vh", options, take_option, a);
    if (status != CLI_GO_ON)
        return status;
    if (cli_model_lists(a->test.run.model))
        return cli_model_list();
    if (a->replay && (a->record || a->driver))
        return cli_usage_error("compare", usage, "--replay takes the place of a driver");
    if (a->driver && strcmp(a->driver, "auto") && strncmp(a->driver, "egl", 3) && strcmp(a->driver, "glfw") &&
        strcmp(a->driver, "none"))
        return cli_usage_error("compare", usage,
                               "the driver is auto, egl, egl-device[:N], egl-surfaceless, glfw or none, not '%s'",
                               a->driver);
    if (a->record && a->driver && !strcmp(a->driver, "none"))
        return cli_usage_error("compare", usage, "--record needs a driver");
    status = cli_batch_files(batch, argv + optind);
    return status == CLI_YES ? CLI_GO_ON : status;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static struct report_context context_of(const struct compare_session *s)
{
    return (struct report_context){ .source = &s->seats[0].source, .semantics = s->arguments.test.run.semantics,
                                    .colour = cli_colour(stdout), .tables = s->arguments.verbose };
}

static int take_result(struct compare_session *s, const struct script *script, const struct script_program *program,
                       const struct test_result *r)
{
    const struct report_context context = context_of(s);
    cli_progress_hide(&s->batch.progress);
    s->count++;
    s->by_status[r->status]++;
    switch (s->arguments.format) {
    case FORMAT_TEXT: report_text(stdout, &context, r); break;
    case FORMAT_JSON: report_json(stdout, &context, r); break;
    case FORMAT_TAP: report_tap(stdout, r, s->count); break;
    }
    fflush(stdout);
    if (s->arguments.html)
        html_add(&s->html, &context, script, program, r);
    return test_exit_status(r->status);
}

/* A script and what its programs gave; results point into it. */
struct answers {
    struct script script;
    struct test_result *results;
    size_t count;
};

static int take_answer(struct compare_session *s, const struct answers *a, size_t i)
{
    return take_result(s, &a->script, a->script.status == SCRIPT_OK ? vec_at(&a->script.programs, i) : NULL,
                       &a->results[i]);
}

static void free_answers(struct answers *a)
{
    for (size_t i = 0; a && i < a->count; i++)
        test_result_free(&a->results[i]);
    if (a) {
        free(a->results);
        script_free(&a->script);
    }
    free(a);
}

/* A signal ends the waiting for a pipe, too. */
static void load(struct script *script, const struct cli_task *task)
{
    struct cli_file file;
    const char *error = cli_read_told(&task->io, task->path, &file);
    if (error)
        script_unreadable(script, task->path, error);
    else
        script_parse(script, task->path, file.bytes, file.size);
    cli_close(&file);
}

/* Of a single script each program is told of as it ends. */
static int run_script(struct compare_session *s, struct cli_task *task, struct answers *a)
{
    struct test_options options = s->arguments.test;
    bool alone = !s->batch.several;
    int worst = CLI_YES;
    options.source = &s->seats[task->thread].source;
    options.run.progress = cli_progress_continues;     /* commands are what is counted */
    options.run.progress_user = &s->batch.progress;
    options.go_on = cli_progress_groups;
    options.user = &s->batch.progress;
    load(&a->script, task);
    size_t programs = a->script.status == SCRIPT_OK ? a->script.programs.count : 1;
    a->results = calloc(programs ? programs : 1, sizeof *a->results);
    if (!a->results)
        return cli_error_on(&task->io, task->path, "out of memory");
    while (a->count < programs && !cli_progress_stopped(&s->batch.progress)) {
        struct test_result *r = &a->results[a->count++];
        if (a->script.status == SCRIPT_OK) {
            test_run(&a->script, vec_at(&a->script.programs, a->count - 1), &options, r);
        } else {
            script_print_problem(&a->script, task->io.err, task->io.colour[1]);
            test_refuse(&a->script, r);
            if (s->arguments.format == FORMAT_TEXT && !s->arguments.junit && !s->arguments.html)
                r->message = NULL;      /* it has just been told, with its place */
        }
        if (alone)
            worst = cli_worst(worst, take_answer(s, a, a->count - 1));
    }
    return worst;
}

static int work(void *user, struct cli_task *task)
{
    struct answers *a = task->result = calloc(1, sizeof *a);
    if (!a)
        return cli_error_on(&task->io, task->path, "out of memory");
    return run_script(user, task, a);
}

static int done(void *user, struct cli_task *task, int status)
{
    struct compare_session *s = user;
    struct answers *a = task->result;
    for (size_t i = 0; a && s->batch.several && i < a->count; i++)
        status = cli_worst(status, take_answer(s, a, i));
    if (a && s->arguments.junit) {
        size_t index = vec_grow(&s->kept);
        if (index != SIZE_MAX) {
            *(struct answers **)vec_at(&s->kept, index) = a;
            return status;
        }
        status = cli_error(task->path, "out of memory");
    }
    free_answers(a);
    return status;
}

/* All results in a row, which belong to those kept. */
static int write_junit(struct compare_session *s)
{
    const char *path = s->arguments.junit;
    const struct report_context context = context_of(s);
    struct test_result *all = malloc((s->count + 1) * sizeof *all);
    size_t count = 0;
    if (!all)
        return cli_error(path, "out of memory");
    for (size_t i = 0; i < s->kept.count; i++) {
        const struct answers *a = *(struct answers **)vec_at(&s->kept, i);
        for (size_t k = 0; k < a->count; k++)
            all[count++] = a->results[k];
    }
    FILE *f = fopen(path, "w");
    if (f)
        report_junit(f, &context, all, count);
    int status = !f || fclose(f) ? cli_error(path, "%s", strerror(errno)) : CLI_YES;
    free(all);
    return status;
}

static int write_html(struct compare_session *s)
{
    const struct report_context context = context_of(s);
    struct html *h = &s->html;
    html_close(h, &context);
    if (h->error)
        return cli_error(s->arguments.html, "%s%s%s", h->place, *h->place ? ": " : "", h->error);
    return CLI_YES;
}

static int run_tests(struct compare_session *s)
{
    if (s->arguments.junit && cli_writable(s->arguments.junit) != CLI_YES)
        return CLI_TROUBLE;
    if (s->arguments.html)
        html_open(&s->html, s->arguments.html);
    if (s->html.error)
        return write_html(s);
    s->html.everything = s->arguments.verbose;
    const struct cli_work all = { .work = work, .done = done, .user = s, .unit = "commands" };
    int worst = cli_batch_run(&s->batch, &all);
    if (s->arguments.format == FORMAT_TAP)
        report_tap_plan(stdout, s->count);
    else if (s->arguments.format == FORMAT_TEXT && s->count > 1)
        printf("%zu passed, %zu failed, %zu skipped, %zu errors\n", s->by_status[TEST_PASSED],
               s->by_status[TEST_FAILED], s->by_status[TEST_SKIPPED], s->by_status[TEST_ERROR]);
    if (s->arguments.junit)
        worst = cli_worst(worst, write_junit(s));
    if (s->arguments.html)
        worst = cli_worst(worst, write_html(s));
    for (size_t i = 0; i < s->kept.count; i++)
        free_answers(*(struct answers **)vec_at(&s->kept, i));
    return worst;
}

int cli_compare(int argc, char **argv)
{
    struct compare_session s = { .arguments = { .test = { .run = { .track_undefined = true } } },
                                 .batch = { .command = "compare", .usage = usage } };
    vec_init(&s.kept, sizeof(struct answers *));
    int status = parse(argc, argv, &s.arguments, &s.batch);
    if (status == CLI_GO_ON) {
        s.arguments.test.tables = s.arguments.verbose || s.arguments.html;
        s.arguments.test.maps = s.arguments.html != NULL;
        s.arguments.test.windows = s.arguments.format == FORMAT_TEXT || s.arguments.html;
        status = compare_open(&s);
        if (status == CLI_YES)
            status = run_tests(&s);
        status = compare_close(&s, status);
    }
    vec_free(&s.kept);
    cli_batch_free(&s.batch);
    return status;
}
