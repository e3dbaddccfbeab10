/* gp5 fmt: programs in the canonical form. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "asm/program.h"
#include "cli/batch.h"
#include "gp5.h"

int cli_fmt(int argc, char **argv);

static const char usage[] =
    "usage: gp5 fmt [--check] [-i] [-j N] FILE...\n"
    "\n"
    "Writes each program in the canonical form, on standard output: one statement a line, blocks indented,\n"
    "comments kept. The program stays the same.\n"
    "Exit status: 0, 1 a program is invalid or (--check) not in this form, 2 a file could not be read or written.\n"
    "\n"
    "  --check           write nothing but the names of the files that would change\n"
    "  -i, --in-place    rewrite the files; one that has this form already is not touched\n"
    CLI_BATCH_USAGE;

struct settings {
    bool check, in_place;
};

static int give_out(const struct cli_io *io, const char *name, const struct cli_file *file, const char *text,
                    size_t size, const struct settings *settings)
{
    bool same = size == file->size && memcmp(text, file->bytes, size) == 0;
    if (settings->check) {
        if (!same)
            fprintf(io->out, "%s\n", name);
        return same ? CLI_YES : CLI_NO;
    }
    if (settings->in_place)
        return same ? CLI_YES : cli_rewrite(io, name, text, size);
    return fwrite(text, 1, size, io->out) == size ? CLI_YES : CLI_TROUBLE;
}

static int format_file(void *user, struct cli_task *task)
{
    const struct settings *settings = user;
    const struct cli_io *io = &task->io;
    const char *name = task->path;
    struct cli_file file;
    if (!cli_read_on(io, name, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    size_t size = 0;
    char *text = program ? gp5_format(program, &size) : NULL;
    int status;
    if (text) {
        status = give_out(io, name, &file, text, size, settings);
    } else if (program && !gp5_valid(program, GP5_TARGET_GP5)) {
        diags_print(io->err, io->colour[1], name, program->text, program->size, &program->diags, FOR_GP5);
        status = CLI_NO;
    } else {
        status = cli_error_on(io, name, "no memory");
    }
    gp5_text_free(text);
    gp5_program_free(program);
    cli_close(&file);
    return status;
}

static int take_option(void *user, int c, const char *word)
{
    struct settings *settings = user;
    (void)word;
    switch (c) {
    case 'c': settings->check = true; return CLI_YES;
    case 'i': settings->in_place = true; return CLI_YES;
    default: return CLI_GO_ON;
    }
}

int cli_fmt(int argc, char **argv)
{
    static const struct option options[] = {
        {"check", no_argument, NULL, 'c'}, {"in-place", no_argument, NULL, 'i'}, CLI_BATCH_OPTIONS,
        {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct settings settings = {false, false};
    struct cli_batch batch = {.command = "fmt", .usage = usage};
    int status = cli_batch_options(&batch, argc, argv, ":ij:", options, take_option, &settings);
    if (status != CLI_GO_ON)
        return status;
    if (settings.check && settings.in_place)
        return cli_usage_error("fmt", usage, "--check writes nothing, -i does");
    return cli_batch_all(&batch, argv + optind, settings.in_place,
                         &(struct cli_work){.work = format_file, .user = &settings});
}
