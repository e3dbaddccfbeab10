/* gp5 capture: GLSL in, the driver's assembly out. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "asm/diag.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "compare/driver/capture.h"

int cli_capture(int argc, char **argv);

static const char usage[] =
    "usage: gp5 capture [--driver=KIND] [--link] FILE.{vert,tesc,tese,geom,frag,comp}...\n"
    "\n"
    "Compiles GLSL with the machine's GL driver, each file alone as a separable program, and writes the\n"
    "assembly that the driver keeps in the program binary (NVIDIA). Exit status: 0, 1 when a file does not\n"
    "compile or link, 77 when no driver here gives assembly.\n"
    "\n"
    "  --link           the files are the shaders of one program; comments say where its attributes,\n"
    "                   uniforms and blocks of uniforms stand\n"
    "  --driver=KIND    auto, egl, egl-device[:N], egl-surfaceless or glfw\n";

/* One program stands alone, so that its header is the first byte; several have a line between them that names
 * each. */
static size_t write_programs(const char *path, const struct capture_result *r, bool alone)
{
    const char *program;
    size_t size, offset = 0, count = 0;
    bool several = capture_next(r->blob, r->blob_size, &offset, &program, &size)
        && capture_next(r->blob, r->blob_size, &offset, &program, &size);
    for (offset = 0; capture_next(r->blob, r->blob_size, &offset, &program, &size); ) {
        count++;
        if (!alone || several)
            printf("# %s, program %zu\n", path, count);
        fwrite(program, 1, size, stdout);
        if (size && program[size - 1] != '\n')
            putchar('\n');
    }
    return count;
}

static int judge(const char *path, const struct driver_description *d, const struct capture_result *r,
                 bool alone)
{
    if (*r->log) {
        diag_put_name(stderr, path);
        fprintf(stderr, ":\n%s%s", r->log, r->log[strlen(r->log) - 1] == '\n' ? "" : "\n");
    }
    switch (r->status) {
    case CAPTURE_LINKED:
        if (write_programs(path, r, alone))
            return CLI_YES;
        cli_error(path, "the program binary of %s holds no assembly", d->renderer);
        return CLI_SKIPPED;
    case CAPTURE_NO_BINARY:
        cli_error(path, "%s gives no program binary", d->renderer);
        return CLI_SKIPPED;
    case CAPTURE_NOT_COMPILED:
        cli_error(path, "does not compile");
        return CLI_NO;
    case CAPTURE_NOT_LINKED:
        cli_error(path, "does not link");
        return CLI_NO;
    default:
        cli_error(path, "%s", r->detail);
        return CLI_NO;
    }
}

static int read_source(const char *path, struct cli_file *file, struct capture_source *source)
{
    if (!capture_stage(path, &source->stage))
        return cli_error(path, "its name ends with none of .vert .tesc .tese .geom .frag .comp");
    if (!cli_read(path, file))
        return CLI_TROUBLE;
    source->text = file->bytes;
    source->size = file->size;
    return CLI_YES;
}

static int capture_file(struct driver *driver, const char *path, bool alone, struct cli_progress *progress)
{
    struct capture_program program = { .count = 1 };
    struct capture_result result;
    struct cli_file file;
    int status = read_source(path, &file, &program.sources[0]);
    if (status != CLI_YES)
        return status;
    driver_capture(driver, &program, &result);
    cli_progress_hide(progress);
    status = judge(path, driver_describe(driver), &result, alone);
    cli_close(&file);
    return status;
}

static void write_names(const char *names)
{
    for (size_t size; *names; names += size + (names[size] != '\0')) {
        size = strcspn(names, "\n");
        printf("# %.*s\n", (int)size, names);
    }
}

static int capture_linked(struct driver *driver, char **paths, int count)
{
    struct capture_program program = {0};
    struct capture_result result;
    struct cli_file files[CAPTURE_SOURCES];
    int status = CLI_YES;
    if (count > CAPTURE_SOURCES)
        return cli_error(paths[CAPTURE_SOURCES], "more than %d files of one program", CAPTURE_SOURCES);
    for (int i = 0; status == CLI_YES && i < count; i++) {
        status = read_source(paths[i], &files[i], &program.sources[i]);
        program.count += status == CLI_YES;
    }
    if (status == CLI_YES) {
        driver_capture(driver, &program, &result);
        if (result.status == CAPTURE_LINKED)
            write_names(result.names);
        status = judge(paths[0], driver_describe(driver), &result, count == 1);
    }
    for (uint32_t i = 0; i < program.count; i++)
        cli_close(&files[i]);
    return status;
}

static int no_driver(enum driver_open_status status, char *reason)
{
    fprintf(stderr, "gp5 capture: %s\n", reason ? reason : "no memory");
    free(reason);
    return status == DRIVER_NO_CONTEXT ? CLI_SKIPPED : CLI_TROUBLE;
}

int cli_capture(int argc, char **argv)
{
    static const struct option options[] = {
        { "driver", required_argument, NULL, 'd' }, { "link", no_argument, NULL, 'l' },
        { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 }
    };
    struct driver_options how = {0};
    bool linked = false;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1; ) {
        if (o == 'h')
            return cli_help(usage);
        if (o == 'l')
            linked = true;
        else if (o == 'd')
            how.context = optarg;
        else
            return cli_option_error(argv, o, usage);
    }
    if (optind == argc)
        return cli_usage_error("capture", usage, "no file");
    struct driver *driver;
    char *reason;
    enum driver_open_status s = driver_open(&how, &driver, &reason);
    if (s != DRIVER_OPENED)
        return no_driver(s, reason);
    struct cli_progress progress;
    uint64_t done = 0, files = (uint64_t)(argc - optind);
    int status = CLI_YES;
    cli_progress_begin(&progress, "capture", "files", files);
    if (linked)
        status = capture_linked(driver, argv + optind, argc - optind);
    for (; !linked && cli_progress_at(&progress, done, files) && done < files; done++)
        status = cli_worst(status, capture_file(driver, argv[optind + (int)done], files == 1, &progress));
    driver_close(driver);
    return cli_progress_end(&progress, status);
}
