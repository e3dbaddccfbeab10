/* gp5 debug: a program lane by lane, with stops and questions. */
#include "cli/launch.h"
#include "cli/lines.h"
#include "cli/screen.h"
#include "cli/script.h"
#include "cli/stage.h"

#include <signal.h>
#include <string.h>

int cli_debug(int argc, char **argv);

static const char usage[] =
    "usage: gp5 debug [OPTION...] FILE\n"
    "\n"
    "Evaluates a program, or a test script without a driver, and stops: at its first instruction, at lines and\n"
    "labels, where a register changes, at Ctrl-C. Shows registers, inputs, state and results across lanes, masks,\n"
    "open blocks, condition codes, warps and shared memory. Commands come from standard input, with line editing on\n"
    "a terminal; help lists them. Runs on one thread.\n"
    "\n"
    "  --tui                                 a full screen: the program, the lanes, registers across them, what "
    "changed\n"
    "  --groups=X[,Y[,Z]]                    work groups of a compute program (default 1)\n"
    "  --size=WIDTH,HEIGHT                   fragments of a fragment program (default 4,4)\n"
    "  --storage=N=FILE | --storage=N=zero:BYTES    program.storage[N] at the start\n"
    "  --cbuffer=N=FILE | --cbuffer=N=zero:BYTES    program.buffer[N]\n"
    "  --count, --instances, --patch-vertices, --points, --input, --output, --state    of graphics programs, as of gp5 "
    "run\n"
    "  --counter, --texture, --image, --pointer, --subroutine, --group-size    as of gp5 run\n"
    "  --env=I=x,y,z,w | --local=I=x,y,z,w   program.env[I], program.local[I]; 0x and eight digits are raw bits\n"
    "  --semantics=nvidia|spec|ideal         as the driver was measured, as the text reads, or that with exact\n"
    "                                        functions (default nvidia)\n"
    "  --model=list|none|noPASS[,noPASS...]  passes of NVIDIA's compiler that are foreseen: print them, or switch them "
    "off\n"
    "  --undefined=on|off                    follow undefined values (default on)\n"
    "  --races=on|off                        look for races (default off)\n"
    "  --strict                              an undefined value in memory, a result or a branch is an error\n"
    "  --warp=1..32                          lanes that exist in a warp (default 32)\n"
    "  --max-instructions=N                  a warp that executes more is stopped\n"
    "\n"
    "Exit status: 0, 1 invalid or not ended well, 2 wrong usage or file, 77 not evaluated yet.\n";

struct arguments {
    struct cli_launch launch;
    struct cli_stage stage;
    bool full;                  /* the screen */
};

static int take_option(void *user, int c, const char *word)
{
    struct arguments *a = user;
    if (c != 'F')
        return cli_stage_option(&a->stage, c, word);
    a->full = true;
    return CLI_YES;
}

static int parse(int argc, char **argv, struct arguments *a)
{
    static const struct option options[] = {
        CLI_LAUNCH_OPTIONS,
        CLI_STAGE_OPTIONS,
        { "tui", no_argument, NULL, 'F' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    const struct gp5_run_options *run = &a->launch.run;
    int status = cli_options(argc, argv, usage, ":h", options, take_option, a);
    if (status != CLI_GO_ON)
        return status;
    if (cli_model_lists(run->model))
        return cli_model_list();
    if (argc - optind != 1)
        return cli_usage_error("debug", usage, argc == optind ? "no file is named" : "one file at a time");
    if (!strcmp(argv[optind], "-") && !a->full)
        return cli_usage_error("debug", usage, "standard input is for commands");
    if (run->strict && !run->track_undefined)
        return cli_usage_error("debug", usage, "--strict needs undefined values to be followed");
    return CLI_GO_ON;
}

/* A signal has nobody to hand its word to: the one variable of this command that is not a caller's. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int debug(struct arguments *a, const char *path)
{
    struct cli_launch *l = &a->launch;
    struct cli_stage *s = &a->stage;
    struct cli_file file;
    struct cli_lines lines;
    struct debugger debugger = { .read = cli_lines_read, .user = &lines, .out = stdout, .file = path,
                                 .interrupt = &interrupted };
    struct sigaction action = { .sa_handler = interrupt }, old;
    struct screen *screen = NULL;
    int status;
    if (!cli_read(path, &file))
        return CLI_TROUBLE;
    if (a->full && !(screen = screen_open(&debugger))) {
        cli_close(&file);
        return CLI_TROUBLE;
    }
    struct evaluation e = cli_launch_evaluation(l, path, &file);
    struct watch watch = { .debugger = &debugger };
    s->watch = e.watch = &watch;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);      /* who reads along sees what was done */
    sigaction(SIGINT, &action, &old);
    cli_lines_open(&lines);
    const struct cli_io io = cli_standard();
    if (cli_is_script(&file))
        status = cli_script_evaluate(l, &io, path, &file, &watch, false, NULL, NULL);
    else if (s->asked || stage_run_needed(file.bytes, file.size))
        status = cli_stage_run(s, &io, path, &file, false, NULL, NULL);
    else
        status = evaluate(&e, stdout, stderr);
    cli_lines_close(&lines);
    screen_close(screen);
    sigaction(SIGINT, &old, NULL);
    cli_close(&file);
    return status;
}

int cli_debug(int argc, char **argv)
{
    struct arguments a = {.full = false};
    cli_launch_init(&a.launch, "debug", usage);
    cli_stage_init(&a.stage, &a.launch);
    int status = parse(argc, argv, &a);
    if (status == CLI_GO_ON)
        status = debug(&a, argv[optind]);
    cli_stage_free(&a.stage);
    cli_launch_free(&a.launch);
    return status;
}
