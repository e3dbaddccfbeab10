/* gp5 run: evaluate one program, or a test script's probes. */
#include "cli/cli.h"

#include "asm/arena.h"
#include "compare/evaluate.h"
#include "compare/report.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int cli_run(int argc, char **argv);

static const char usage[] =
    "usage: gp5 run [OPTION...] FILE\n"
    "\n"
    "Evaluates a program lane by lane, or a test script without a driver, and prints what it wrote.\n"
    "\n"
    "  --groups=X[,Y[,Z]]                    work groups of a compute program (default 1)\n"
    "  --size=WIDTH,HEIGHT                   fragments of a fragment program (default 4,4)\n"
    "  --storage=N=FILE | --storage=N=zero:BYTES    program.storage[N] at the start\n"
    "  --cbuffer=N=FILE | --cbuffer=N=zero:BYTES    program.buffer[N]\n"
    "  --env=I=x,y,z,w | --local=I=x,y,z,w   program.env[I], program.local[I]; 0x and eight digits are raw "
    "bits\n"
    "  --dump-storage=N=FILE                 write program.storage[N] there after the run, raw\n"
    "  --semantics=nvidia|spec               as the driver was measured, or as the text reads (default "
    "nvidia)\n"
    "  --undefined=on|off                    follow undefined values (default on)\n"
    "  --races=on|off                        look for races (default off)\n"
    "  --strict                              an undefined value in memory, a result or a branch is an error\n"
    "  --trace[=FILE]                        every instruction, its lanes and what it changed; on one "
    "thread\n"
    "  -j N                                  threads (0, the default: one a processor)\n"
    "  --warp=1..32                          lanes that exist in a warp (default 32)\n"
    "  --max-instructions=N                  a warp that executes more is stopped\n"
    "\n"
    "Exit status: 0, 1 invalid or not ended well, 2 wrong usage or file, 77 not evaluated yet.\n";

struct dump {
    uint32_t binding;
    const char *path;
    bool done;
};

struct arguments {
    struct arena arena;
    struct vec storage, constants;      /* struct driver_buffer */
    struct vec env, local;              /* struct driver_parameter */
    struct vec dumps;
    uint32_t groups[3], size[2];
    bool traced;
    const char *trace;                  /* a file, or NULL for standard output */
    struct gp5_run_options run;
};

/* ---- words of options ---------------------------------------------------------------------------------- */

static int bad(const char *text, const char *word)
{
    return cli_usage_error("run", usage, "%s: '%s'", text, word);
}

/* Up to `most` whole numbers with commas between them; how many, 0 when something else stands there. */
static size_t numbers(const char *word, uint32_t *values, size_t most, unsigned long long limit)
{
    char part[24];
    size_t count = 0;
    for (;;) {
        size_t length = strcspn(word, ",");
        unsigned long long value;
        if (count == most || length >= sizeof part)
            return 0;
        memcpy(part, word, length);
        part[length] = 0;
        if (!cli_number(part, 0, limit, &value))
            return 0;
        values[count++] = (uint32_t)value;
        if (!word[length])
            return count;
        word += length + 1;
    }
}

/* "N=REST": the number, and where the rest begins. */
static const char *numbered(const char *word, uint32_t *number)
{
    char part[24];
    size_t length = strcspn(word, "=");
    unsigned long long value;
    if (!word[length] || length >= sizeof part)
        return NULL;
    memcpy(part, word, length);
    part[length] = 0;
    if (!cli_number(part, 0, SCRIPT_BINDING_LIMIT - 1, &value))
        return NULL;
    *number = (uint32_t)value;
    return word + length + 1;
}

static int no_memory(void)
{
    return cli_error("run", "out of memory");
}

static int add_buffer(struct arguments *a, struct vec *list, const char *word)
{
    uint32_t binding;
    unsigned long long size = 0;
    const char *rest = numbered(word, &binding);
    struct cli_file file = { NULL, 0 };
    char *data;
    if (!rest)
        return bad("expected N=FILE or N=zero:BYTES", word);
    for (size_t i = 0; i < list->count; i++)
        if (((struct driver_buffer *)vec_at(list, i))->binding == binding)
            return bad("this number is given twice", word);
    if (!strncmp(rest, "zero:", 5)) {
        if (!cli_number(rest + 5, 0, DATA_LIMIT, &size))
            return bad("expected a size of at most 256 MiB", word);
        data = arena_alloc(&a->arena, (size_t)size + 1);
    } else {
        if (!cli_read(rest, &file))
            return CLI_TROUBLE;
        size = file.size;
        data = size <= DATA_LIMIT ? arena_copy(&a->arena, file.bytes, file.size) : NULL;
        cli_close(&file);
        if (size > DATA_LIMIT)
            return bad("larger than 256 MiB", word);
    }
    size_t index = data ? vec_grow(list) : SIZE_MAX;
    if (index == SIZE_MAX)
        return no_memory();
    *(struct driver_buffer *)vec_at(list, index) =
        (struct driver_buffer){ .binding = binding, .data = data, .size = (size_t)size, .bring_back = true };
    return CLI_YES;
}

static int add_parameter(struct vec *list, const char *word)
{
    struct driver_parameter p = { 0 };
    const char *rest = numbered(word, &p.index);
    char part[40];
    for (int i = 0; i < 4; i++) {
        size_t length = rest ? strcspn(rest, ",") : 0;
        uint64_t bits;
        if (!length || length >= sizeof part || (i < 3) != (rest[length] == ','))
            return bad("expected I=x,y,z,w", word);
        memcpy(part, rest, length);
        part[length] = 0;
        if (!number_parse(NUMBER_F32, part, &bits))
            return bad("expected I=x,y,z,w", word);
        p.bits[i] = (uint32_t)bits;
        rest += length + (i < 3);
    }
    size_t index = vec_grow(list);
    if (index == SIZE_MAX)
        return no_memory();
    *(struct driver_parameter *)vec_at(list, index) = p;
    return CLI_YES;
}

static int add_dump(struct arguments *a, const char *word)
{
    struct dump d = { 0 };
    d.path = numbered(word, &d.binding);
    if (!d.path || !*d.path)
        return bad("expected N=FILE", word);
    size_t index = vec_grow(&a->dumps);
    if (index == SIZE_MAX)
        return no_memory();
    *(struct dump *)vec_at(&a->dumps, index) = d;
    return CLI_YES;
}

static int on_off(const char *word, bool *value)
{
    if (strcmp(word, "on") && strcmp(word, "off"))
        return bad("expected on or off", word);
    *value = !strcmp(word, "on");
    return CLI_YES;
}

static int take_option(struct arguments *a, int c, const char *word)
{
    unsigned long long value;
    switch (c) {
    case 'g':
        a->groups[0] = a->groups[1] = a->groups[2] = 1;
        return numbers(word, a->groups, 3, 65535) ? CLI_YES : bad("expected X[,Y[,Z]] groups", word);
    case 'z':
        return numbers(word, a->size, 2, 4096) == 2 && a->size[0] && a->size[1]
                   ? CLI_YES
                   : bad("expected WIDTH,HEIGHT", word);
    case 's': return add_buffer(a, &a->storage, word);
    case 'c': return add_buffer(a, &a->constants, word);
    case 'e': return add_parameter(&a->env, word);
    case 'l': return add_parameter(&a->local, word);
    case 'd': return add_dump(a, word);
    case 'u': return on_off(word, &a->run.track_undefined);
    case 'r': return on_off(word, &a->run.track_races);
    case 'S': a->run.strict = true; return CLI_YES;
    case 't':
        a->traced = true;
        a->trace = word;
        return CLI_YES;
    case 'm':
        if (strcmp(word, "nvidia") && strcmp(word, "spec"))
            return bad("the semantics are nvidia or spec", word);
        a->run.semantics = *word == 's' ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA;
        return CLI_YES;
    case 'j':
        if (!cli_number(word, 0, 1024, &value))
            return bad("expected a number of threads", word);
        a->run.jobs = (unsigned)value;
        return CLI_YES;
    case 'w':
        if (!cli_number(word, 1, 32, &value))
            return bad("a warp has 1 to 32 lanes", word);
        a->run.warp = (unsigned)value;
        return CLI_YES;
    default:
        if (!cli_number(word, 1, UINT64_MAX, &value))
            return bad("expected a number of instructions", word);
        a->run.max_instructions = value;
        return CLI_YES;
    }
}

static int parse(int argc, char **argv, struct arguments *a)
{
    static const struct option options[] = {
        { "groups", required_argument, NULL, 'g' },
        { "size", required_argument, NULL, 'z' },
        { "storage", required_argument, NULL, 's' },
        { "cbuffer", required_argument, NULL, 'c' },
        { "env", required_argument, NULL, 'e' },
        { "local", required_argument, NULL, 'l' },
        { "dump-storage", required_argument, NULL, 'd' },
        { "semantics", required_argument, NULL, 'm' },
        { "undefined", required_argument, NULL, 'u' },
        { "races", required_argument, NULL, 'r' },
        { "strict", no_argument, NULL, 'S' },
        { "trace", optional_argument, NULL, 't' },
        { "warp", required_argument, NULL, 'w' },
        { "max-instructions", required_argument, NULL, 'x' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    int c, status;
    opterr = 0;
    optind = 1;
    while ((c = getopt_long(argc, argv, ":j:h", options, NULL)) != -1) {
        if (c == 'h')
            return cli_help(usage);
        if (c == '?' || c == ':')
            return cli_option_error(argv, c, usage);
        if ((status = take_option(a, c, optarg)) != CLI_YES)
            return status;
    }
    if (argc - optind != 1)
        return cli_usage_error("run", usage, argc == optind ? "no file is named" : "one file at a time");
    if (a->run.strict && !a->run.track_undefined)
        return cli_usage_error("run", usage, "--strict needs undefined values to be followed");
    return -1;
}

/* ---- a program ----------------------------------------------------------------------------------------- */

static bool write_dump(struct dump *d, const uint8_t *data, size_t size)
{
    bool standard_output = !strcmp(d->path, "-");
    FILE *f = standard_output ? stdout : fopen(d->path, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    int error = errno;
    if (f && !standard_output && fclose(f))
        ok = false;
    if (!ok)
        cli_error(d->path, "%s", strerror(error));
    d->done = true;
    return ok;
}

static bool take_storage(void *user, uint32_t binding, const uint8_t *data, size_t size)
{
    struct arguments *a = user;
    for (size_t i = 0; i < a->dumps.count; i++) {
        struct dump *d = vec_at(&a->dumps, i);
        if (d->binding == binding && !write_dump(d, data, size))
            return false;
    }
    return true;
}

static int run_program(struct arguments *a, const char *path, const struct cli_file *file)
{
    bool *quiet = arena_alloc(&a->arena, a->storage.count + 1);
    if (!quiet)
        return no_memory();
    for (size_t i = 0; i < a->dumps.count; i++) {
        struct dump *d = vec_at(&a->dumps, i);
        bool given = false;
        for (size_t j = 0; j < a->storage.count; j++)
            if (((struct driver_buffer *)vec_at(&a->storage, j))->binding == d->binding)
                quiet[j] = given = true;
        if (!given)
            return cli_usage_error("run", usage, "--dump-storage=%u=...: there is no --storage=%u",
                                   d->binding, d->binding);
    }
    struct evaluation e = {
        .file = path,
        .text = file->bytes,
        .size = file->size,
        .colour = cli_colour(stderr),
        .groups = { a->groups[0], a->groups[1], a->groups[2] },
        .width = a->size[0],
        .height = a->size[1],
        .storage = a->storage.data,
        .storage_count = a->storage.count,
        .constants = a->constants.data,
        .constant_count = a->constants.count,
        .env = a->env.data,
        .env_count = a->env.count,
        .local = a->local.data,
        .local_count = a->local.count,
        .run = a->run,
        .quiet = quiet,
        .after = take_storage,
        .user = a,
    };
    if (a->traced && !(e.trace = a->trace ? fopen(a->trace, "w") : stdout))
        return cli_error(a->trace, "%s", strerror(errno));
    int status = evaluate(&e, stdout, stderr);
    if (a->trace && fclose(e.trace))
        status = cli_error(a->trace, "%s", strerror(errno));
    return status;
}

/* ---- a script ------------------------------------------------------------------------------------------ */

static bool is_script(const struct cli_file *file)
{
    if (!strncmp(file->bytes, "!!", 2))
        return false;
    return !strncmp(file->bytes, "[test]", 6) || strstr(file->bytes, "\n[test]") ||
           strstr(file->bytes, "\n[require]");
}

static int run_script(struct arguments *a, const char *path, const struct cli_file *file)
{
    struct source none = { .kind = SOURCE_NONE };
    struct test_options options = { .run = a->run, .source = &none, .strict = a->run.strict, .tables = true };
    struct report_context context = { .source = &none,
                                      .semantics = a->run.semantics,
                                      .colour = cli_colour(stdout) };
    struct script script;
    struct test_result result;
    int worst = CLI_YES;
    if (a->storage.count || a->constants.count || a->env.count || a->local.count || a->dumps.count ||
        a->traced)
        return cli_usage_error("run", usage, "a test script has its own inputs, and is not traced yet");
    options.run.strict = false;
    script_parse(&script, path, file->bytes, file->size);
    if (script.status != SCRIPT_OK) {
        script_print_problem(&script, stderr, cli_colour(stderr));
        worst = script.status == SCRIPT_SKIP ? CLI_SKIPPED : CLI_TROUBLE;
    }
    for (size_t i = 0; script.status == SCRIPT_OK && i < script.programs.count; i++) {
        test_run(&script, vec_at(&script.programs, i), &options, &result);
        report_text(stdout, &context, &result);
        worst = cli_worst(worst, test_exit_status(result.status));
        test_result_free(&result);
    }
    script_free(&script);
    return worst;
}

int cli_run(int argc, char **argv)
{
    struct arguments a = { .groups = { 1, 1, 1 }, .size = { 4, 4 }, .run = { .track_undefined = true } };
    struct cli_file file;
    arena_init(&a.arena);
    vec_init(&a.storage, sizeof(struct driver_buffer));
    vec_init(&a.constants, sizeof(struct driver_buffer));
    vec_init(&a.env, sizeof(struct driver_parameter));
    vec_init(&a.local, sizeof(struct driver_parameter));
    vec_init(&a.dumps, sizeof(struct dump));
    int status = parse(argc, argv, &a);
    if (status < 0) {
        const char *path = argv[optind];
        if (!cli_read(path, &file)) {
            status = CLI_TROUBLE;
        } else {
            status = is_script(&file) ? run_script(&a, path, &file) : run_program(&a, path, &file);
            cli_close(&file);
        }
    }
    vec_free(&a.storage);
    vec_free(&a.constants);
    vec_free(&a.env);
    vec_free(&a.local);
    vec_free(&a.dumps);
    arena_free(&a.arena);
    return status;
}
