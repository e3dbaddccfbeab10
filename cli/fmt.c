/* gp5 fmt: programs in the canonical form. */
#define _XOPEN_SOURCE 700      /* realpath */

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/program.h"
#include "cli/cli.h"
#include "gp5.h"

int cli_fmt(int argc, char **argv);

static const char usage[] =
    "usage: gp5 fmt [--check] [-i] FILE...\n"
    "\n"
    "Writes each program in the canonical form, on standard output: one statement a line, blocks indented,\n"
    "comments kept. The program stays the same.\n"
    "Exit status: 0, 1 a program is invalid or (--check) not in this form, 2 a file could not be read or written.\n"
    "\n"
    "  --check           write nothing but the names of the files that would change\n"
    "  -i, --in-place    rewrite the files; one that has this form already is not touched\n";

struct settings {
    bool check, in_place;
};

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* The new text stands in a file beside the old one, which it then replaces at once: there is no moment at which half of
 * it is there. `path` is no symbolic link any more. */
static int replace(const char *name, const char *path, const char *bytes, size_t size)
{
    struct stat old;
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof ".XXXXXX");
    if (!temporary)
        return cli_error(name, "no memory");
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int status = CLI_YES;
    int fd = stat(path, &old) == 0 ? mkstemp(temporary) : -1;
    if (fd < 0) {
        status = cli_error(name, "cannot be rewritten: %s", strerror(errno));
        free(temporary);
        return status;
    }
    bool written = write_all(fd, bytes, size) && fchmod(fd, old.st_mode & 07777) == 0 && fsync(fd) == 0;
    written = close(fd) == 0 && written;
    if (!written || rename(temporary, path) != 0) {
        status = cli_error(name, "cannot be rewritten: %s", strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    return status;
}

static int rewrite(const char *name, const char *bytes, size_t size)
{
    char *path = realpath(name, NULL);
    if (!path)
        return cli_error(name, "%s", strerror(errno));
    int status = replace(name, path, bytes, size);
    free(path);
    return status;
}

static int give_out(const char *name, const struct cli_file *file, const char *text, size_t size,
                    const struct settings *settings)
{
    bool same = size == file->size && memcmp(text, file->bytes, size) == 0;
    if (settings->check) {
        if (!same)
            puts(name);
        return same ? CLI_YES : CLI_NO;
    }
    if (settings->in_place)
        return same ? CLI_YES : rewrite(name, text, size);
    return fwrite(text, 1, size, stdout) == size ? CLI_YES : CLI_TROUBLE;
}

static int format_file(const char *name, const struct settings *settings)
{
    struct cli_file file;
    if (!cli_read(name, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    size_t size = 0;
    char *text = program ? gp5_format(program, &size) : NULL;
    int status;
    if (text) {
        status = give_out(name, &file, text, size, settings);
    } else if (program && !gp5_valid(program, GP5_TARGET_GP5)) {
        diags_print(stderr, cli_colour(stderr), name, program->text, program->size, &program->diags, FOR_GP5);
        status = CLI_NO;
    } else {
        status = cli_error(name, "no memory");
    }
    gp5_text_free(text);
    gp5_program_free(program);
    cli_close(&file);
    return status;
}

int cli_fmt(int argc, char **argv)
{
    static const struct option options[] = {
        {"check", no_argument, NULL, 'c'}, {"in-place", no_argument, NULL, 'i'}, {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    struct settings settings = {false, false};
    int status = CLI_YES;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":i", options, NULL)) != -1;) {
        if (o == 'h')
            return cli_help(usage);
        if (o == 'c')
            settings.check = true;
        else if (o == 'i')
            settings.in_place = true;
        else
            return cli_option_error(argv, o, usage);
    }
    if (optind == argc)
        return cli_usage_error("fmt", usage, "no file is named");
    if (settings.check && settings.in_place)
        return cli_usage_error("fmt", usage, "--check writes nothing, -i does");
    for (int i = optind; i < argc; i++)
        if (settings.in_place && strcmp(argv[i], "-") == 0)
            return cli_usage_error("fmt", usage, "standard input cannot be rewritten");
    for (int i = optind; i < argc; i++)
        status = cli_worst(status, format_file(argv[i], &settings));
    return status;
}
