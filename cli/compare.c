/* gp5 compare: the evaluator against a driver or a recording. */
#include "cli/cli.h"

#include "compare/report/report.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: gp5 compare [OPTION...] TEST...\n"
    "\n"
    "Runs test scripts on the reference evaluator and on a driver and says where they differ.\n"
    "\n"
    "  --driver=auto|egl|glfw|none  which driver (default auto); none: the reference's probes alone\n"
    "  --replay=FILE                compare with what was recorded in FILE instead of a driver\n"
    "  --record=FILE                keep what the driver gave in FILE\n"
    "  --semantics=nvidia|spec      the evaluator's reading (default nvidia)\n"
    "  --model=list|none|noPASS[,noPASS...]  passes of NVIDIA's compiler that are foreseen: print them, or switch them "
    "off\n"
    "  --ulp=N                      compare floats to N units in the last place, whatever a test says\n"
    "  --strict                     fail a test that compares undefined components\n"
    "  --json | --tap               one object a test, or TAP, on standard output\n"
    "  --junit=FILE                 a JUnit report besides\n"
    "  -j N                         threads of the evaluator (0, the default: one a processor)\n"
    "  -v, --verbose                lane tables\n"
    "\n"
    "Exit status: 0 all agree, 1 a difference, 2 wrong usage, file or script, 77 skipped.\n";

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_TAP };

struct arguments {
    const char *driver, *record, *replay, *junit;
    enum format format;
    struct test_options test;
    bool verbose;
};

struct session {
    struct arguments arguments;
    struct source source;
    struct recording recording;
    struct driver_description recorded;
    struct driver *driver;
    struct recorder recorder;
    char *reason;
    bool has_recording, has_recorder;
    struct test_result *results;    /* kept for JUnit */
    size_t count, passed[4];
};

/* ---- the command line ---------------------------------------------------------------------------------- */

static int parse(int argc, char **argv, struct arguments *a)
{
    static const struct option options[] = {
        { "driver", required_argument, NULL, 'd' }, { "record", required_argument, NULL, 'r' },
        { "replay", required_argument, NULL, 'p' }, { "semantics", required_argument, NULL, 's' },
        { "model", required_argument, NULL, 'M' },
        { "ulp", required_argument, NULL, 'u' }, { "strict", no_argument, NULL, 'S' },
        { "json", no_argument, NULL, 'J' }, { "tap", no_argument, NULL, 'T' },
        { "junit", required_argument, NULL, 'x' }, { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
    };
    unsigned long long value;
    int c, status;
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":j:vh", options, NULL)) != -1) {
        switch (c) {
        case 'd': a->driver = optarg; break;
        case 'r': a->record = optarg; break;
        case 'p': a->replay = optarg; break;
        case 'x': a->junit = optarg; break;
        case 'S': a->test.strict = true; break;
        case 'J': a->format = FORMAT_JSON; break;
        case 'T': a->format = FORMAT_TAP; break;
        case 'v': a->verbose = true; break;
        case 'h': return cli_help(usage);
        case 's':
            if (strcmp(optarg, "nvidia") && strcmp(optarg, "spec"))
                return cli_usage_error("compare", usage, "the semantics are nvidia or spec, not '%s'",
                                       optarg);
            a->test.run.semantics = *optarg == 's' ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA;
            break;
        case 'M':
            if ((status = cli_model("compare", usage, optarg)) != CLI_YES)
                return status;
            a->test.run.model = optarg;
            break;
        case 'u':
            if (!cli_number(optarg, 0, UINT64_MAX, &value))
                return cli_usage_error("compare", usage, "--ulp needs a whole number, not '%s'", optarg);
            a->test.has_ulp = true;
            a->test.ulps = value;
            break;
        case 'j':
            if (!cli_number(optarg, 0, 1024, &value))
                return cli_usage_error("compare", usage, "-j needs a number of threads, not '%s'", optarg);
            a->test.run.jobs = (unsigned)value;
            break;
        default: return cli_option_error(argv, c, usage);
        }
    }
    if (cli_model_lists(a->test.run.model))
        return cli_model_list();
    if (optind == argc)
        return cli_usage_error("compare", usage, "no test is named");
    if (a->replay && (a->record || a->driver))
        return cli_usage_error("compare", usage, "--replay takes the place of a driver");
    if (a->driver && strcmp(a->driver, "auto") && strncmp(a->driver, "egl", 3) && strcmp(a->driver, "glfw") &&
        strcmp(a->driver, "none"))
        return cli_usage_error("compare", usage, "the driver is auto, egl, glfw or none, not '%s'",
                               a->driver);
    if (a->record && a->driver && !strcmp(a->driver, "none"))
        return cli_usage_error("compare", usage, "--record needs a driver");
    return -1;
}

/* ---- where results come from --------------------------------------------------------------------------- */

static int open_recording(struct session *s, const char *path)
{
    char *error = recording_load(&s->recording, path);
    s->has_recording = true;
    if (error) {
        fprintf(stderr, "gp5: %s\n", error);
        gp5_free(error);
        return CLI_TROUBLE;
    }
    s->recorded = (struct driver_description){
        .context = s->recording.context, .vendor = s->recording.vendor, .renderer = s->recording.renderer,
        .version = s->recording.version, .glsl_version = "" };
    s->source.kind = SOURCE_RECORDING;
    s->source.recording = &s->recording;
    s->source.description = &s->recorded;
    return CLI_YES;
}

static int open_driver(struct session *s, const char *kind)
{
    struct driver_options options = { .context = kind };
    switch (driver_open(&options, &s->driver, &s->reason)) {
    case DRIVER_OPENED:
        s->source.kind = SOURCE_LIVE;
        s->source.driver = s->driver;
        s->source.description = driver_describe(s->driver);
        return CLI_YES;
    case DRIVER_NO_WORKER:
        if (kind && strcmp(kind, "auto"))
            return cli_error("compare", "%s", s->reason ? s->reason : "no worker");
        s->source.reason = s->reason ? s->reason : "the GL worker does not start";
        return CLI_YES;
    case DRIVER_NO_CONTEXT:
        s->source.reason = s->reason ? s->reason : "no context opens here";
        return CLI_YES;
    case DRIVER_BAD_OPTION:
        break;
    }
    return cli_usage_error("compare", usage, "%s", s->reason ? s->reason : "no such driver");
}

static int open_source(struct session *s)
{
    struct arguments *a = &s->arguments;
    bool wanted = a->replay || !a->driver || strcmp(a->driver, "none");
    int status = a->replay ? open_recording(s, a->replay) : wanted ? open_driver(s, a->driver) : CLI_YES;
    a->test.driver_wanted = wanted;
    a->test.source = &s->source;
    if (status != CLI_YES || !a->record)
        return status;
    if (s->source.kind != SOURCE_LIVE) {
        fprintf(stderr, "gp5: nothing to record: %s\n", s->source.reason);
        return CLI_SKIPPED;
    }
    const char *error = recorder_open(&s->recorder, a->record, s->source.description);
    s->has_recorder = true;
    a->test.recorder = &s->recorder;
    return error ? cli_error(a->record, "%s", error) : CLI_YES;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static int take_result(struct session *s, struct test_result *r)
{
    struct report_context context = { .source = &s->source, .semantics = s->arguments.test.run.semantics,
                                      .colour = cli_colour(stdout) };
    int status = test_exit_status(r->status);
    s->count++;
    s->passed[r->status]++;
    switch (s->arguments.format) {
    case FORMAT_TEXT: report_text(stdout, &context, r); break;
    case FORMAT_JSON: report_json(stdout, &context, r); break;
    case FORMAT_TAP: report_tap(stdout, r, s->count); break;
    }
    fflush(stdout);
    struct test_result *more = s->arguments.junit ? realloc(s->results, s->count * sizeof *more) : NULL;
    if (more) {
        s->results = more;
        s->results[s->count - 1] = *r;
    } else if (s->arguments.junit) {
        status = cli_error(r->file, "out of memory");
    }
    return status;
}

static int run_script(struct session *s, struct script *script)
{
    int worst = CLI_YES;
    struct test_result result;
    if (script->status != SCRIPT_OK) {
        script_print_problem(script, stderr, cli_colour(stderr));
        test_refuse(script, &result);
        worst = take_result(s, &result);
        if (!s->arguments.junit)
            test_result_free(&result);
    }
    for (size_t i = 0; script->status == SCRIPT_OK && i < script->programs.count; i++) {
        test_run(script, vec_at(&script->programs, i), &s->arguments.test, &result);
        worst = cli_worst(worst, take_result(s, &result));
        if (!s->arguments.junit)
            test_result_free(&result);
    }
    return worst;
}

static int run_tests(struct session *s, char **paths)
{
    int worst = CLI_YES;
    size_t files = 0;
    while (paths[files])
        files++;
    struct script *scripts = calloc(files, sizeof *scripts);   /* results point into them */
    if (!scripts)
        return cli_error(paths[0], "out of memory");
    for (size_t i = 0; i < files; i++) {
        script_load(&scripts[i], paths[i]);
        worst = cli_worst(worst, run_script(s, &scripts[i]));
        if (!s->arguments.junit)
            script_free(&scripts[i]);
    }
    if (s->arguments.format == FORMAT_TAP)
        report_tap_plan(stdout, s->count);
    else if (s->arguments.format == FORMAT_TEXT && s->count > 1)
        printf("%zu passed, %zu failed, %zu skipped, %zu errors\n", s->passed[TEST_PASSED],
               s->passed[TEST_FAILED], s->passed[TEST_SKIPPED], s->passed[TEST_ERROR]);
    if (s->arguments.junit) {
        struct report_context context = { .source = &s->source,
                                          .semantics = s->arguments.test.run.semantics };
        FILE *f = fopen(s->arguments.junit, "w");
        if (f)
            report_junit(f, &context, s->results, s->count);
        if (!f || fclose(f))
            worst = cli_error(s->arguments.junit, "%s", strerror(errno));
        for (size_t i = 0; i < s->count; i++)
            test_result_free(&s->results[i]);
        for (size_t i = 0; i < files; i++)
            script_free(&scripts[i]);
    }
    free(s->results);
    free(scripts);
    return worst;
}

static int close_recorder(struct session *s, int status)
{
    size_t cases = s->recorder.cases;
    const char *error = recorder_close(&s->recorder, status != CLI_TROUBLE && cases);
    if (error)
        return cli_error(s->arguments.record, "%s", error);
    if (!cases)
        fprintf(stderr, "gp5: %s: nothing was recorded\n", s->arguments.record);
    return status;
}

int cli_compare(int argc, char **argv);

int cli_compare(int argc, char **argv)
{
    struct session s = { .arguments = { .test = { .run = { .track_undefined = true } } } };
    int status = parse(argc, argv, &s.arguments);
    if (status >= 0)
        return status;
    s.arguments.test.tables = s.arguments.verbose;
    status = open_source(&s);
    if (status == CLI_YES)
        status = run_tests(&s, argv + optind);
    if (s.has_recorder)
        status = close_recorder(&s, status);
    if (s.has_recording)
        recording_free(&s.recording);
    driver_close(s.driver);
    free(s.reason);
    return status;
}
