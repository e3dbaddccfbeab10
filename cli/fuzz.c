/* gp5 fuzz: programs by chance, for a parser or a driver to judge. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/check/suggest.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "compare/fuzz/judge.h"

int cli_fuzz(int argc, char **argv);

const char cli_fuzz_usage[] =
    "usage: gp5 fuzz --syntax [OPTION...] [FILE...]\n"
    "       gp5 fuzz --eval [OPTION...]\n"
    "\n"
    "Makes assembly programs by chance. Program N of a seed is always the same.\n"
    "--syntax: programs to load, valid ones, grown from tables, and broken ones. Writes them, or judges them: what gp5 "
    "finds\n"
    "valid must survive being printed, and with --driver both judge each program and every difference is one JSON "
    "line.\n"
    "With files: texts of theirs, each one broken in up to three places.\n"
    "--eval: whole compute programs with inputs, valid ones, in which no two lanes race and each shows all its "
    "registers at\n"
    "the end. Runs each by gp5's evaluator and by something else; every difference is one JSON line. Or writes them.\n"
    "Exit status: 0 written, or no difference; 1 there is a difference; 77 there is no such driver.\n"
    "\n"
    "  --seed=N           which programs (0)\n"
    "  --first=N          the first program's number (0)\n"
    "  --count=N          how many (1)\n"
    "  --jsonl            a JSON line each on standard output, as gp5-batch reads them\n"
    "  --driver=KIND      beside a driver: auto, egl, egl-device, egl-surfaceless, glfw\n"
    "programs to load:\n"
    "  --syntax\n"
    "  --broken=PERCENT   how many of a hundred are broken (50)\n"
    "  --profile=LIST     of these profiles alone: avp avp2 avp3 afp afp1 afp2 vp4 gp4 fp4 vp5 tcp5 tep5 gp5 fp5 cp5\n"
    "  --out=DIR          each program into a file of its own\n"
    "  --judge            judge by gp5 alone\n"
    "programs to run:\n"
    "  --eval\n"
    "  --semantics=nvidia|spec\n"
    "  --model=list|none|noPASS[,noPASS...]  passes of NVIDIA's compiler that are foreseen: print them, or switch them "
    "off\n"
    "  --against=PROGRAM  beside another evaluator, which reads cases as JSON lines and answers in JSON lines\n"
    "  --statements=N     at most so many statements in each (24)\n"
    "  --plain            only what the model of the driver is meant to get right; --driver makes such programs\n"
    "  --contract         float products without .PREC, which a driver may round together with the sums that they "
    "feed\n"
    "  --wider            GPU addresses, atomic counters, subroutines and sizes of groups that the launch gives as "
    "well\n"
    "  --forms            textures that are sampled, subgroup operations and the application's state as well\n"
    "  --halves           half arithmetic, SHORT variables and RSQ.F64 as well\n"
    "  --rare             loops without a count, BAR where lanes part, flow on known flags, odd addresses and more "
    "sizes of groups as well\n"
    "  --dense            what a compiler makes one instruction of, holds as something else or knows, over few "
    "registers\n"
    "  --table            for the most part every instruction that computes alike, as the table of opcodes has them\n"
    "  --except=FILE      without the programs whose numbers stand there\n"
    "  --shrink[=N]       make a program that differs as small as it gets, or as it gets by trying N programs\n"
    "  --literals=PERCENT of a hundred operands so many are literals (15; with --plain or --driver 4)\n"
    "  --images           with textures, which they load from and store to as images\n"
    "  --products         for the most part what multiplies, adds and copies, and what flow stands around it\n"
    "  --record=FILE      the driver's answers, to be judged again without it: a line a program\n"
    "  --replay=FILE      beside answers that were recorded\n"
    "  --digest=N         a digest of the results for each N programs: gp5's, or with --driver the driver's\n";
static const char *const usage = cli_fuzz_usage;

struct settings {
    struct fuzz_settings fuzz;
    unsigned long long first, count;
    const char *out, *driver;
    bool syntax, jsonl, judge;
    struct cli_file *files;     /* or NULL */
    struct fuzz_seed *seeds;
    size_t nseeds;
};

/* What there is instead: the nearest profile where that is one letter away, or all of them. */
static int no_profile(const char *name, size_t length)
{
    char all[160] = "";
    size_t n = 0;
    for (int i = 0; i < FUZZ_PROFILES; i++) {
        const char *known = fuzz_profile_name((enum fuzz_profile_id)i);
        if (asm_word_distance(name, length, known, strlen(known), 1) <= 1)
            return cli_usage_error("fuzz", usage, "--profile: there is no profile '%.*s'; did you mean '%s'?",
                                   (int)length, name, known);
        n += (size_t)snprintf(all + n, n < sizeof all ? sizeof all - n : 0, " %s", known);
    }
    return cli_usage_error("fuzz", usage, "--profile: there is no profile '%.*s'; there are%s", (int)length, name, all);
}

static int parse_profiles(const char *list, uint32_t *profiles)
{
    do {
        size_t n = strcspn(list, ",");
        enum fuzz_profile_id id = fuzz_profile_named(list, n);
        if (id == FUZZ_PROFILES)
            return no_profile(list, n < 40 ? n : 40);
        *profiles |= 1u << id;
        list += n + (list[n] == ',');
    } while (*list);
    return CLI_YES;
}

/* -1: go on; otherwise the status to end with. */
static int parse(int argc, char **argv, struct settings *s)
{
    static const struct option options[] = {
        {"syntax", no_argument, NULL, 'x'}, {"seed", required_argument, NULL, 's'},
        {"first", required_argument, NULL, 'f'},
        {"count", required_argument, NULL, 'c'}, {"broken", required_argument, NULL, 'b'},
        {"profile", required_argument, NULL, 'p'},
        {"out", required_argument, NULL, 'o'}, {"jsonl", no_argument, NULL, 'j'}, {"judge", no_argument, NULL, 'g'},
        {"driver", required_argument, NULL, 'd'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    unsigned long long n = 0;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        bool fits = true;
        switch (o) {
        case 'h': return cli_help(usage);
        case 'x': s->syntax = true; break;
        case 's': fits = cli_number(optarg, 0, UINT64_MAX, &n); s->fuzz.seed = n; break;
        case 'f': fits = cli_number(optarg, 0, UINT64_MAX / 2, &s->first); break;
        case 'c': fits = cli_number(optarg, 1, UINT64_MAX / 2, &s->count); break;
        case 'b': fits = cli_number(optarg, 0, 100, &n); s->fuzz.broken = (unsigned)n; break;
        case 'p':
            if (parse_profiles(optarg, &s->fuzz.profiles) != CLI_YES)
                return CLI_TROUBLE;
            break;
        case 'o': s->out = optarg; break;
        case 'j': s->jsonl = true; break;
        case 'g': s->judge = true; break;
        case 'd': s->driver = optarg; s->judge = true; break;
        default: return cli_option_error(argv, o, usage);
        }
        if (!fits)
            return cli_usage_error("fuzz", usage, "%s: '%s' is not in range", argv[optind - 1], optarg);
    }
    if (!s->syntax)
        return cli_usage_error("fuzz", usage, "--syntax or --eval says what kind of programs");
    if ((s->out != NULL) + s->jsonl + s->judge > 1)
        return cli_usage_error("fuzz", usage, "--out, --jsonl and --judge or --driver exclude each other");
    if (s->count > 1 && !s->out && !s->jsonl && !s->judge)
        return cli_usage_error("fuzz", usage, "several programs go into --out, --jsonl or --judge");
    return -1;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int write_file(const char *folder, uint64_t number, const struct fuzz_text *text, const struct fuzz_about *about)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%06llu.%s", folder, (unsigned long long)number,
                     fuzz_profile_name(about->profile));
    if (n < 0 || (size_t)n >= sizeof path)
        return cli_error(folder, "the name is too long");
    FILE *f = fopen(path, "wb");
    bool written = f && fwrite(text->bytes, 1, text->size, f) == text->size;
    return (f && fclose(f) != 0) || !written ? cli_error(path, "%s", strerror(errno)) : CLI_YES;
}

static int write_one(const struct settings *s, uint64_t number, const struct fuzz_text *text,
                     const struct fuzz_about *about)
{
    if (s->out)
        return write_file(s->out, number, text, about);
    bool written = s->jsonl ? fuzz_put_case(stdout, number, text, about)
                            : fwrite(text->bytes, 1, text->size, stdout) == text->size;
    return written ? CLI_YES : cli_error("standard output", "%s", strerror(errno));
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static int open_driver(const char *kind, struct driver **driver)
{
    struct driver_options how = {.context = kind};
    char *reason = NULL;
    enum driver_open_status status = driver_open(&how, driver, &reason);
    if (status == DRIVER_BAD_OPTION) {
        int answer = cli_usage_error("fuzz", usage, "%s", reason ? reason : "no such driver");
        free(reason);
        return answer;
    }
    if (status != DRIVER_OPENED)
        fprintf(stderr, "gp5 fuzz: %s\n", reason ? reason : "no memory");
    free(reason);
    return status == DRIVER_OPENED ? CLI_YES : status == DRIVER_NO_CONTEXT ? CLI_SKIPPED : CLI_TROUBLE;
}

static int sum_up(unsigned long long count, const struct fuzz_judge *j)
{
    const struct fuzz_tally *t = &j->tally;
    fprintf(stderr, "%llu programs, %lu valid, %lu not printed as they are\n", count, t->valid, t->misprinted);
    if (j->driver) {
        fprintf(stderr, "%lu judged by the driver too, %lu alike, %lu of them rejected", t->programs, t->verdicts,
                t->rejected);
        if (j->positions)
            fprintf(stderr, ", %lu of these at the same byte", t->positions);
        fprintf(stderr, "; %lu without a verdict, %lu of them its death\n", t->unanswered, t->deaths);
    }
    bool same = t->verdicts == t->programs && t->positions == t->rejected && t->misprinted == 0;
    return same ? CLI_YES : CLI_NO;
}

static int each(struct settings *s, struct fuzz_judge *judge, struct cli_progress *progress)
{
    struct fuzz_text text = {0};
    struct fuzz_about about;
    int status = CLI_YES;
    for (unsigned long long i = 0; cli_progress_at(progress, i, s->count) && i < s->count && status == CLI_YES; i++) {
        if (!s->judge && !s->out)
            cli_progress_hide_for_output(progress);
        if (s->nseeds ? !fuzz_mutant(&s->fuzz, s->seeds, s->nseeds, s->first + i, &text, &about)
                      : !fuzz_program(&s->fuzz, s->first + i, &text, &about))
            status = cli_error("fuzz", "no memory");
        else if (!s->judge)
            status = write_one(s, s->first + i, &text, &about);
        else if (!fuzz_judge(judge, s->first + i, &text, &about))
            status = cli_error("fuzz", "program %llu can't be judged", s->first + i);
    }
    fuzz_text_free(&text);
    return status;
}

static int read_seeds(struct settings *s, char **paths, size_t count)
{
    s->files = calloc(count + 1, sizeof *s->files);
    s->seeds = calloc(count + 1, sizeof *s->seeds);
    if (!s->files || !s->seeds)
        return cli_error("fuzz", "no memory");
    for (; s->nseeds < count; s->nseeds++) {
        struct cli_file *file = &s->files[s->nseeds];
        if (!cli_read(paths[s->nseeds], file))
            return CLI_TROUBLE;
        s->seeds[s->nseeds] = (struct fuzz_seed){file->bytes, file->size};
    }
    return CLI_YES;
}

static void free_seeds(struct settings *s)
{
    for (size_t i = 0; i < s->nseeds; i++)
        cli_close(&s->files[i]);
    free(s->files);
    free(s->seeds);
}

/* Whole programs have options of their own: cli/fuzz_eval.c. */
static bool wants_whole_programs(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--eval"))
            return true;
    return false;
}

int cli_fuzz(int argc, char **argv)
{
    if (wants_whole_programs(argc, argv))
        return cli_fuzz_eval(argc, argv);
    struct settings s = {.fuzz = {.broken = 50}, .count = 1};
    struct fuzz_judge judge;
    struct driver *driver = NULL;
    int status = parse(argc, argv, &s);
    if (status >= 0)
        return status;
    status = read_seeds(&s, argv + optind, (size_t)(argc - optind));
    if (status == CLI_YES && s.out && mkdir(s.out, 0777) != 0 && errno != EEXIST)
        status = cli_error(s.out, "%s", strerror(errno));
    if (status == CLI_YES && s.driver)
        status = open_driver(s.driver, &driver);
    if (status != CLI_YES) {
        free_seeds(&s);
        return status;
    }
    struct cli_progress progress;
    fuzz_judge_begin(&judge, driver, stdout);
    judge.telling = cli_progress_hide;
    judge.user = &progress;
    cli_progress_begin(&progress, "fuzz", "programs", s.count);
    status = each(&s, &judge, &progress);
    cli_progress_hide(&progress);
    if (status == CLI_YES && s.judge)
        status = sum_up(progress.done, &judge);
    status = cli_progress_end(&progress, status);
    driver_close(driver);
    free_seeds(&s);
    return status;
}
