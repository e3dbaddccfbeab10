/* gp5 fuzz --eval: whole programs by chance, for two evaluators, or an evaluator and a driver, to run. */
#include "cli/cli.h"
#include "cli/progress.h"

#include "compare/fuzz/whole_judge.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const usage = cli_fuzz_usage;

struct settings {
    struct whole_judge judge;
    unsigned long long first, count, block;
    struct cli_progress progress;
    const char *against, *driver, *except, *record, *replay;
    struct whole_recording *recording;
    uint64_t *excepted;
    bool jsonl;
};

static bool parse_semantics(const char *word, struct settings *s)
{
    s->judge.semantics = strcmp(word, "spec") ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC;
    s->judge.settings.spec = s->judge.semantics == GP5_SEMANTICS_SPEC;
    return !strcmp(word, "spec") || !strcmp(word, "nvidia");
}

/* -1: go on; otherwise the status to end with. */
static int parse(int argc, char **argv, struct settings *s)
{
    static const struct option options[] = {
        {"eval", no_argument, NULL, 'e'}, {"seed", required_argument, NULL, 's'},
        {"first", required_argument, NULL, 'f'},
        {"count", required_argument, NULL, 'c'}, {"statements", required_argument, NULL, 'n'},
        {"semantics", required_argument, NULL, 'm'}, {"model", required_argument, NULL, 'M'},
        {"against", required_argument, NULL, 'a'},
        {"driver", required_argument, NULL, 'd'}, {"shrink", optional_argument, NULL, 'k'},
        {"contract", no_argument, NULL, 'o'}, {"plain", no_argument, NULL, 'p'}, {"wider", no_argument, NULL, 'w'},
        {"halves", no_argument, NULL, 'v'}, {"forms", no_argument, NULL, 'q'},
        {"rare", no_argument, NULL, 't'}, {"dense", no_argument, NULL, 'z'}, {"table", no_argument, NULL, 'b'},
        {"except", required_argument, NULL, 'x'}, {"jsonl", no_argument, NULL, 'j'},
        {"digest", required_argument, NULL, 'g'}, {"record", required_argument, NULL, 'r'},
        {"literals", required_argument, NULL, 'l'}, {"products", no_argument, NULL, 'u'},
        {"images", no_argument, NULL, 'i'}, {"replay", required_argument, NULL, 'y'}, {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    unsigned long long n = 0;
    int status;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        bool fits = true;
        switch (o) {
        case 'h': return cli_help(usage);
        case 'e': break;
        case 's': fits = cli_number(optarg, 0, INT64_MAX, &n); s->judge.settings.seed = n; break;
        case 'f': fits = cli_number(optarg, 0, INT64_MAX / 2, &s->first); break;
        case 'c': fits = cli_number(optarg, 1, INT64_MAX / 2, &s->count); break;
        case 'n': fits = cli_number(optarg, 1, 1000, &n); s->judge.settings.statements = (unsigned)n; break;
        case 'm': fits = parse_semantics(optarg, s); break;
        case 'M':
            if ((status = cli_model("fuzz", usage, optarg)) != CLI_YES)
                return status;
            s->judge.model = optarg;
            break;
        case 'a': s->against = optarg; break;
        case 'd': s->driver = optarg; s->judge.settings.driver = true; break;
        case 'x': s->except = optarg; break;
        case 'l':
            fits = cli_number(optarg, 0, 100, &n);
            s->judge.settings.literals = (unsigned)n;
            s->judge.settings.says_literals = true;
            break;
        case 'u': s->judge.settings.products = true; break;
        case 'i': s->judge.settings.images = true; break;
        case 'r': s->record = optarg; break;
        case 'y': s->replay = optarg; break;
        case 'p': s->judge.settings.driver = true; break;
        case 'o': s->judge.settings.contract = true; break;
        case 'w': s->judge.settings.wider = true; break;
        case 'v': s->judge.settings.halves = true; break;
        case 'q': s->judge.settings.forms = true; break;
        case 't': s->judge.settings.rare = true; break;
        case 'z': s->judge.settings.dense = true; break;
        case 'b': s->judge.settings.table = true; break;
        case 'k':
            n = ULONG_MAX;
            fits = !optarg || cli_number(optarg, 1, ULONG_MAX, &n);
            s->judge.shrink = (unsigned long)n;
            break;
        case 'j': s->jsonl = true; break;
        case 'g': fits = cli_number(optarg, 1, 1000000, &s->block); break;
        default: return cli_option_error(argv, o, usage);
        }
        if (!fits)
            return cli_usage_error("fuzz", usage, "%s: '%s' is not in range", argv[optind - 1], optarg);
    }
    if (cli_model_lists(s->judge.model))
        return cli_model_list();
    if (optind < argc)
        return cli_usage_error("fuzz", usage, "it takes no files");
    if ((s->against != NULL) + (s->driver != NULL) + (s->replay != NULL) + s->jsonl > 1 ||
        (s->block && (s->against || s->replay || s->jsonl)))
        return cli_usage_error(
            "fuzz", usage,
            "--against, --driver, --replay and --jsonl exclude each other, and --digest goes with --driver alone");
    if (s->record && ((!s->driver && !s->against && !s->replay) || s->block))
        return cli_usage_error("fuzz", usage, "--record goes with --driver, --against or --replay");
    if (s->count > 1 && !s->against && !s->driver && !s->replay && !s->jsonl && !s->block)
        return cli_usage_error("fuzz", usage,
                               "several programs need --against, --driver, --replay, --jsonl or --digest");
    return -1;
}

/* ---- what there is to do with them ------------------------------------------------------------------------------- */

static int write_cases(struct settings *s)
{
    struct whole_case c = {0};
    bool ok = true;
    for (unsigned long long i = 0; ok && cli_progress_at(&s->progress, i, s->count) && i < s->count; i++) {
        cli_progress_hide_for_output(&s->progress);
        ok = whole_grow(&s->judge.settings, s->first + i, &c);
        if (ok && s->jsonl)
            ok = whole_put_case(stdout, &c, s->first + i, s->judge.semantics);
        else if (ok)
            ok = fwrite(c.program.bytes, 1, c.program.size, stdout) == c.program.size;
    }
    whole_free(&c);
    return ok && fflush(stdout) == 0 ? CLI_YES : cli_error("standard output", "%s", strerror(errno));
}

static int write_digests(struct settings *s)
{
    char hex[65];
    for (unsigned long long i = 0; cli_progress_at(&s->progress, i, s->count) && i < s->count; i += s->block) {
        unsigned long long n = s->count - i < s->block ? s->count - i : s->block;
        if (!whole_digest(&s->judge, s->first + i, n, hex))
            return cli_error("fuzz", "one of the programs from %llu on has no result", s->first + i);
        cli_progress_hide_for_output(&s->progress);
        printf("%llu %llu %s\n", s->first + i, n, hex);
    }
    return fflush(stdout) == 0 ? CLI_YES : cli_error("standard output", "%s", strerror(errno));
}

static int judge_all(struct settings *s)
{
    struct whole_judge *j = &s->judge;
    for (unsigned long long i = 0; cli_progress_at(&s->progress, i, s->count) && i < s->count; i++)
        if (!whole_judge(j, s->first + i))
            return cli_error("fuzz", "program %llu has no answer", s->first + i);
    cli_progress_hide(&s->progress);
    fprintf(
        stderr,
        "%lu programs, %lu the same (%lu words of them undefined), %lu different, %lu decided by an undefined value, "
        "%lu not evaluated\n",
        j->programs, j->same, j->open_words, j->different, j->decided, j->not_evaluated);
    if (j->not_evaluated)
        fprintf(stderr, "not evaluated: %s\n", j->first_refusal);
    return j->different ? CLI_NO : CLI_YES;
}

/* Numbers, whatever stands between them. */
static int read_except(struct settings *s)
{
    struct cli_file file;
    size_t n = 0;
    if (!cli_read(s->except, &file))
        return CLI_TROUBLE;
    s->excepted = malloc((file.size / 2 + 1) * sizeof *s->excepted);
    for (const char *at = file.bytes; s->excepted && *at;) {
        char *end;
        uint64_t number = strtoull(at, &end, 10);
        if (end == at) {
            at++;
        } else {
            s->excepted[n++] = number;
            at = end;
        }
    }
    cli_close(&file);
    s->judge.except = s->excepted;
    s->judge.nexcept = n;
    return s->excepted ? CLI_YES : cli_error("fuzz", "no memory");
}

static int open_driver(struct settings *s)
{
    struct driver_options how = {.context = s->driver};
    char *reason = NULL;
    enum driver_open_status status = driver_open(&how, &s->judge.driver, &reason);
    if (status != DRIVER_OPENED)
        fprintf(stderr, "gp5 fuzz: %s\n", reason ? reason : "no memory");
    free(reason);
    if (status == DRIVER_OPENED && !driver_has_extension(driver_describe(s->judge.driver), "GL_NV_compute_program5")) {
        fprintf(stderr, "gp5 fuzz: %s has no GL_NV_compute_program5\n", driver_describe(s->judge.driver)->renderer);
        return CLI_SKIPPED;
    }
    return status == DRIVER_OPENED ? CLI_YES : status == DRIVER_NO_CONTEXT ? CLI_SKIPPED : CLI_TROUBLE;
}

static int open_files(struct settings *s)
{
    struct cli_file file;
    if (s->record && !(s->judge.record = fopen(s->record, "w")))
        return cli_error(s->record, "%s", strerror(errno));
    if (!s->replay)
        return CLI_YES;
    if (!cli_read(s->replay, &file))
        return CLI_TROUBLE;
    s->judge.recording = s->recording = whole_recording_read(file.bytes, file.size);
    cli_close(&file);
    return s->recording ? CLI_YES : cli_error("fuzz", "no memory");
}

static bool stopped(const void *user)
{
    return cli_progress_stopped(user);
}

int cli_fuzz_eval(int argc, char **argv)
{
    struct settings s = {.count = 1, .judge = {.out = stdout}};
    int status = parse(argc, argv, &s);
    if (status >= 0)
        return status;
    cli_progress_begin(&s.progress, "fuzz", "programs", s.count);    /* who is started below inherits what is blocked */
    s.judge.telling = cli_progress_hide;
    s.judge.stopped = stopped;
    s.judge.user = &s.progress;
    status = s.except ? read_except(&s) : CLI_YES;
    if (status == CLI_YES)
        status = open_files(&s);
    if (status == CLI_YES && s.driver)
        status = open_driver(&s);
    if (status == CLI_YES && s.against && !(s.judge.peer = whole_peer_start(s.against)))
        status = cli_error(s.against, "%s", strerror(errno));
    if (status == CLI_YES)
        status = s.block                                         ? write_digests(&s)
                 : s.judge.driver || s.judge.peer || s.recording ? judge_all(&s)
                                                                 : write_cases(&s);
    whole_peer_stop(s.judge.peer);
    driver_close(s.judge.driver);
    whole_recording_free(s.recording);
    if (s.judge.record && fclose(s.judge.record) != 0 && status != CLI_TROUBLE)
        status = cli_error(s.record, "%s", strerror(errno));
    free(s.excepted);
    return cli_progress_end(&s.progress, status);
}
