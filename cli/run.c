/* gp5 run: evaluate one program, or a test script's probes. */
#include "cli/batch.h"
#include "cli/launch.h"
#include "cli/script.h"
#include "cli/stage.h"
#include "compare/report/picture_file.h"

#include <errno.h>
#include <string.h>

int cli_run(int argc, char **argv);

static const char usage[] =
    "usage: gp5 run [OPTION...] FILE...\n"
    "\n"
    "Evaluates programs lane by lane, or test scripts without a driver, and prints what they wrote.\n"
    "\n"
    "  --groups=X[,Y[,Z]]                    work groups of a compute program (default 1)\n"
    "  --size=WIDTH,HEIGHT                   fragments of a fragment program (default 4,4)\n"
    "  --points                              fragments: each is a quad of its own, with three helpers\n"
    "  --count=N                             vertices, primitives or patches of the other graphics stages\n"
    "  --instances=N                         instances of the vertices (default 1)\n"
    "  --patch-vertices=N                    vertices of an input patch (default 3)\n"
    "  --input=BINDING=FILE                  vertex.position=FILE: four 32-bit words an element; what is not given has "
    "GL's\n"
    "                                        default\n"
    "  --output=BINDING=FILE                 result.position=FILE likewise; coverage, a byte a fragment; of geometry "
    "programs\n"
    "                                        BINDING@STREAM\n"
    "  --state=FILE.json                     matrices, lights, materials, fog ... behind state.*\n"
    "  --storage=N=FILE | --storage=N=zero:BYTES    program.storage[N] at the start\n"
    "  --cbuffer=N=FILE | --cbuffer=N=zero:BYTES    program.buffer[N]\n"
    "  --counter=N=FILE | --counter=N=zero:BYTES    program.counter[N][]\n"
    "  --texture=N=KIND,FORMAT,SIZE[,...][=FILE]    texture[N]: 2D,RGBA8,64x64; levels:N, min:linear ... behind it; "
    "raw texels\n"
    "  --image=N=TEXTURE,FORMAT[,level:N][,layer:N] image[N] is a level of one of the textures\n"
    "  --pointer=PLACE:N:BYTE=WHAT:N         64 bits of a buffer, env or local are the address of a storage buffer, "
    "or the\n"
    "                                        handle of a texture or an image\n"
    "  --subroutine=N[,N...]                 what program.subroutine[0], [1] ... stand for\n"
    "  --group-size=X[,Y[,Z]]                with OPTION ARB_compute_variable_group_size\n"
    "  --env=I=x,y,z,w | --local=I=x,y,z,w   program.env[I], program.local[I]; 0x and eight digits are raw "
    "bits\n"
    "  --dump-storage=N=FILE                 write program.storage[N] there after the run, raw; --dump-counter and\n"
    "                                        --dump-texture likewise\n"
    "  --png=FILE                            what fragments drew, as a picture\n"
    "  --png-undefined=FILE                  a mask: red where a component is undefined, grey where nothing is drawn\n"
    "  --png-covered=FILE                    a mask: white where something is drawn\n"
    "  --semantics=nvidia|spec|ideal         as the driver was measured, as the text reads, or that with exact\n"
    "                                        functions (default nvidia)\n"
    "  --model=list|none|noPASS[,noPASS...]  passes of NVIDIA's compiler that are foreseen: print them, or switch them "
    "off\n"
    "  --undefined=on|off                    follow undefined values (default on)\n"
    "  --races=on|off                        look for races (default off)\n"
    "  --strict                              an undefined value in memory, a result or a branch is an error\n"
    "  --trace[=FILE]                        every instruction, its lanes and what it changed; on one "
    "thread\n"
    "  --json                                what came out, and the trace, as JSON, an object a line\n"
    "  -j N                                  threads (0, the default: one a processor): of one file, over its groups; "
    "of\n"
    "                                        several, files at a time\n"
    "  --files-from=LIST                     these files as well: a name a line, or a NUL behind each; '-' is standard "
    "input\n"
    "  --shard=I/N                           of the files the I-th, the I+N-th ...: one of N machines takes these\n"
    "  --warp=1..32                          lanes that exist in a warp (default 32)\n"
    "  --max-instructions=N                  a warp that executes more is stopped\n"
    "\n"
    "Exit status: 0, 1 invalid or not ended well, 2 wrong usage or file, 77 not evaluated yet.\n";

struct dump {
    enum output_kind kind;
    uint32_t binding;
    const char *path;
    bool done;
};

enum { OPTION_PNG = 0x300, OPTION_PNG_UNDEFINED, OPTION_PNG_COVERED, PICTURES = 3 };

struct arguments {
    struct cli_batch batch;
    struct cli_launch launch;
    struct cli_stage stage;
    struct vec dumps;
    bool traced, json;
    const char *pictures[PICTURES];     /* by enum picture_kind; NULL: none */
    bool pictured;
    const char *trace;                  /* a file, or NULL for standard output */
};

/* ---- words of options ---------------------------------------------------------------------------------- */

static int no_memory(void)
{
    return cli_error("run", "out of memory");
}

static int add_dump(struct arguments *a, enum output_kind kind, const char *word)
{
    struct dump d = { .kind = kind };
    d.path = cli_launch_numbered(word, &d.binding);
    if (!d.path || !*d.path)
        return cli_launch_bad(&a->launch, "expected N=FILE", word);
    size_t index = vec_grow(&a->dumps);
    if (index == SIZE_MAX)
        return no_memory();
    *(struct dump *)vec_at(&a->dumps, index) = d;
    return CLI_YES;
}

static int take_option(void *user, int c, const char *word)
{
    struct arguments *a = user;
    switch (c) {
    case 'd': return add_dump(a, OUTPUT_STORAGE, word);
    case 'k': return add_dump(a, OUTPUT_COUNTER, word);
    case 'y': return add_dump(a, OUTPUT_TEXTURE, word);
    case 'J': a->json = true; return CLI_YES;
    case 't':
        a->traced = true;
        a->trace = word;
        return CLI_YES;
    case OPTION_PNG:
    case OPTION_PNG_UNDEFINED:
    case OPTION_PNG_COVERED: a->pictures[c - OPTION_PNG] = word; return CLI_YES;
    case CLI_FILES_FROM:
    case CLI_SHARD: return cli_batch_option(&a->batch, c, word);
    default: return cli_stage_option(&a->stage, c, word);
    }
}

static bool has_pictures(const struct arguments *a)
{
    return a->pictures[PICTURE_COLORS] || a->pictures[PICTURE_UNDEFINED] || a->pictures[PICTURE_COVERED];
}

/* What is written in one place is of one file. */
static int check_several(struct arguments *a)
{
    const char *option = a->dumps.count ? "--dump-storage and its like" : a->stage.outputs.count ? "--output"
                         : a->trace ? "--trace=FILE" : has_pictures(a) ? "--png and its like" : NULL;
    if (a->batch.several && option)
        return cli_usage_error("run", usage, "%s would be written by several files", option);
    return CLI_YES;
}

static int parse(int argc, char **argv, struct arguments *a)
{
    static const struct option options[] = {
        CLI_LAUNCH_OPTIONS,
        CLI_STAGE_OPTIONS,
        CLI_BATCH_OPTIONS,
        { "dump-storage", required_argument, NULL, 'd' },
        { "dump-counter", required_argument, NULL, 'k' },
        { "dump-texture", required_argument, NULL, 'y' },
        { "trace", optional_argument, NULL, 't' },
        { "png", required_argument, NULL, OPTION_PNG },
        { "png-undefined", required_argument, NULL, OPTION_PNG_UNDEFINED },
        { "png-covered", required_argument, NULL, OPTION_PNG_COVERED },
        { "json", no_argument, NULL, 'J' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    int status = cli_options(argc, argv, usage, ":j:h", options, take_option, a);
    if (status != CLI_GO_ON)
        return status;
    if (cli_model_lists(a->launch.run.model))
        return cli_model_list();
    if (a->launch.run.strict && !a->launch.run.track_undefined)
        return cli_usage_error("run", usage, "--strict needs undefined values to be followed");
    status = cli_batch_files(&a->batch, argv + optind);
    if (status == CLI_YES)
        status = check_several(a);
    return status == CLI_YES ? CLI_GO_ON : status;
}

/* ---- a program ----------------------------------------------------------------------------------------- */

static bool write_dump(struct dump *d, const uint8_t *data, size_t size)
{
    bool standard_output = !strcmp(d->path, "-");
    FILE *f = standard_output ? stdout : fopen(d->path, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    int error = errno;
    if (f && !standard_output && fclose(f) && ok) {
        ok = false;
        error = errno;
    }
    if (!ok)
        cli_error(d->path, "%s", strerror(error));
    d->done = true;
    return ok;
}

static bool take_output(void *user, enum output_kind kind, uint32_t binding, const uint8_t *data, size_t size)
{
    struct arguments *a = user;
    for (size_t i = 0; i < a->dumps.count; i++) {
        struct dump *d = vec_at(&a->dumps, i);
        if (d->kind == kind && d->binding == binding && !write_dump(d, data, size))
            return false;
    }
    return true;
}

static bool is_dumped(void *user, enum output_kind kind, uint32_t binding)
{
    struct arguments *a = user;
    for (size_t i = 0; i < a->dumps.count; i++) {
        const struct dump *d = vec_at(&a->dumps, i);
        if (d->kind == kind && d->binding == binding)
            return true;
    }
    return false;
}

static bool is_given(struct arguments *a, const struct dump *d)
{
    struct vec *list = d->kind == OUTPUT_COUNTER ? &a->launch.counters : &a->launch.storage;
    if (d->kind == OUTPUT_TEXTURE)
        list = &a->launch.textures;
    for (size_t i = 0; i < list->count; i++)
        if ((d->kind == OUTPUT_TEXTURE ? ((struct driver_texture *)vec_at(list, i))->texture.unit
                                       : ((struct driver_buffer *)vec_at(list, i))->binding) == d->binding)
            return true;
    return false;
}

static int check_dumps(struct arguments *a)
{
    for (size_t i = 0; i < a->dumps.count; i++) {
        struct dump *d = vec_at(&a->dumps, i);
        const char *name = output_kind_name(d->kind);
        if (!is_given(a, d))
            return cli_usage_error("run", usage, "--dump-%s=%u=...: there is no --%s=%u", name, d->binding, name,
                                   d->binding);
        /* A run is not made for nothing; what stands there is kept until it has ended. */
        if (cli_writable(d->path) != CLI_YES)
            return CLI_TROUBLE;
    }
    return CLI_YES;
}

/* A run is not made for nothing. */
static int check_written(const struct arguments *a)
{
    for (size_t i = 0; i < a->stage.outputs.count; i++) {
        const struct stage_file *f = (const struct stage_file *)a->stage.outputs.data + i;
        if (cli_writable(f->path) != CLI_YES)
            return CLI_TROUBLE;
    }
    for (int kind = 0; kind < PICTURES; kind++)
        if (a->pictures[kind] && cli_writable(a->pictures[kind]) != CLI_YES)
            return CLI_TROUBLE;
    return CLI_YES;
}

static bool take_picture(void *user, const struct picture *picture)
{
    struct arguments *a = user;
    if (a->pictured && has_pictures(a)) {
        cli_error("run", "several programs would write the same picture");
        return false;
    }
    a->pictured = true;
    for (int kind = 0; kind < PICTURES; kind++) {
        const char *path = a->pictures[kind];
        const char *error = path ? picture_write(picture, NULL, (enum picture_kind)kind, path) : NULL;
        if (error) {
            cli_error(path, "%s", error);
            return false;
        }
    }
    return true;
}

/* Who is asked while a program runs. */
static void follow(struct arguments *a, struct gp5_run_options *run)
{
    run->progress = cli_progress_groups;
    run->progress_user = &a->batch.progress;
}

static int run_program(struct arguments *a, const struct cli_task *task, const struct cli_file *file,
                       struct watch *watch)
{
    struct evaluation e = cli_launch_evaluation(&a->launch, task->path, file);
    e.colour = task->io.colour[1];
    e.quiet = is_dumped;
    e.after = take_output;
    e.picture = take_picture;
    e.user = a;
    e.json = a->json;
    e.watch = watch;
    return evaluate(&e, task->io.out, task->io.err);
}

/* ---- a program or a script --------------------------------------------------------------------------------- */

static int run(struct arguments *a, const struct cli_task *task, const struct cli_file *file)
{
    struct watch trace = { .json = a->json }, *watch = a->traced ? &trace : NULL;
    const char *path = task->path;
    bool script = cli_is_script(file);
    if (script && !a->batch.several)
        a->batch.progress.unit = "commands";
    if (script && (a->stage.asked || cli_launch_given(&a->launch) || a->dumps.count))
        return cli_error_on(&task->io, path, "a test script has its own inputs and outputs");
    struct cli_stage stage_run = a->stage;
    bool stage = !script && (a->stage.asked || stage_run_needed(file->bytes, file->size));
    int status = script ? CLI_YES : check_dumps(a);
    if (status == CLI_YES)
        status = check_written(a);
    if (status != CLI_YES)
        return status;
    if (a->traced && !(trace.trace = a->trace ? fopen(a->trace, "w") : task->io.out))
        return cli_error(a->trace, "%s", strerror(errno));
    stage_run.watch = watch;
    stage_run.after = take_output;
    status = script ? cli_script_evaluate(&a->launch, &task->io, path, file, watch, a->json,
                                          has_pictures(a) ? take_picture : NULL, a)
             : stage ? cli_stage_run(&stage_run, &task->io, path, file, a->json, has_pictures(a) ? take_picture : NULL,
                                     a)
                    : run_program(a, task, file, watch);
    if (a->trace && fclose(trace.trace))
        status = cli_error(a->trace, "%s", strerror(errno));
    return status;
}

static int run_file(void *user, struct cli_task *task)
{
    struct arguments *a = user;
    struct cli_file file;
    if (!cli_read_on(&task->io, task->path, &file))
        return CLI_TROUBLE;
    int status = run(a, task, &file);
    cli_close(&file);
    if ((status == CLI_YES || status == CLI_NO) && has_pictures(a) && !a->pictured)
        status = cli_error_on(&task->io, task->path, "there is no picture: it draws no fragments");
    return status;
}

/* Threads that files do not take go to groups. */
static int run_files(struct arguments *a)
{
    unsigned *jobs = &a->launch.run.jobs;
    a->batch.jobs = *jobs;
    follow(a, &a->launch.run);
    if (a->batch.several)
        *jobs = cli_batch_threads_left(&a->batch);
    return cli_batch_run(&a->batch, &(struct cli_work){ .work = run_file, .user = a, .unit = "groups" });
}

int cli_run(int argc, char **argv)
{
    struct arguments a = { .batch = { .command = "run", .usage = usage } };
    cli_launch_init(&a.launch, "run", usage);
    cli_stage_init(&a.stage, &a.launch);
    vec_init(&a.dumps, sizeof(struct dump));
    int status = parse(argc, argv, &a);
    if (status == CLI_GO_ON)
        status = run_files(&a);
    vec_free(&a.dumps);
    cli_stage_free(&a.stage);
    cli_launch_free(&a.launch);
    cli_batch_free(&a.batch);
    return status;
}
