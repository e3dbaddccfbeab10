/* gp5 translate: a program in another language. */
#include <getopt.h>
#include <string.h>

#include "asm/program.h"
#include "cli/cli.h"
#include "gp5.h"

static const char usage[] =
    "usage: gp5 translate --to=LANGUAGE [--half=round|single] [-o FILE] PROGRAM\n"
    "\n"
    "Writes the program in another language, on standard output.\n"
    "Exit status: 0, 1 the program is invalid or something in it cannot be said, 2 a file could not be read or\n"
    "written.\n"
    "\n"
    "  --to=LANGUAGE       glsl120 glsl450compat\n"
    "  --half=round        results of half precision are rounded; single (the default): they are singles\n"
    "  -o FILE             write there\n";

struct translation {
    const char *name;
    FILE *out;
};

static bool write_out(void *user, const char *bytes, size_t size)
{
    struct translation *t = user;

    return fwrite(bytes, 1, size, t->out) == size && fflush(t->out) == 0;
}

static bool tell(void *user, const struct gp5_diagnostic *d)
{
    struct translation *t = user;

    fprintf(stderr, "%s:%u:%u: error: not translated: %s\n", t->name, d->line, d->column, d->message);
    return true;
}

static int translate(const char *name, const char *to, struct gp5_translate_options *options)
{
    struct translation t = {.name = name, .out = stdout};
    struct cli_file file;
    int status = CLI_TROUBLE;

    if (!cli_read(name, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    options->write = write_out;
    options->each = tell;
    options->user = &t;
    if (to && !(t.out = fopen(to, "wb")))
        status = cli_error(to, "it cannot be written");
    else if (!program)
        status = cli_error(name, "no memory");
    else
        switch (gp5_translate(program, options)) {
        case GP5_TRANSLATED: status = CLI_YES; break;
        case GP5_TRANSLATE_REFUSED: status = CLI_NO; break;
        case GP5_TRANSLATE_INVALID:
            diags_print(stderr, cli_colour(stderr), name, program->text, program->size, &program->diags, FOR_NVIDIA);
            status = CLI_NO;
            break;
        case GP5_TRANSLATE_NOT_WRITTEN: status = cli_error(to ? to : "-", "it cannot be written"); break;
        case GP5_TRANSLATE_NO_MEMORY: status = cli_error(name, "no memory"); break;
        }
    if (t.out && t.out != stdout && fclose(t.out) != 0)
        status = cli_error(to, "it cannot be written");
    gp5_program_free(program);
    cli_close(&file);
    return status;
}

static bool find_language(const char *name, enum gp5_language *language)
{
    for (unsigned i = 0; i < GP5_LANGUAGES; i++)
        if (strcmp(gp5_language_name((enum gp5_language)i), name) == 0) {
            *language = (enum gp5_language)i;
            return true;
        }
    return false;
}

int cli_translate(int argc, char **argv)
{
    static const struct option options[] = {{"to", required_argument, NULL, 't'},
                                            {"half", required_argument, NULL, 'r'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct gp5_translate_options how = {.size = sizeof how, .to = GP5_LANGUAGES};
    const char *to = NULL;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        if (o == 'h')
            return cli_help(usage);
        if (o == 'o')
            to = optarg;
        else if (o == 'r' && (!strcmp(optarg, "round") || !strcmp(optarg, "single")))
            how.round_halves = !strcmp(optarg, "round");
        else if (o == 't' && find_language(optarg, &how.to))
            continue;
        else if (o == 't' || o == 'r')
            return cli_usage_error("translate", usage, "there is no '%s'", optarg);
        else
            return cli_option_error(argv, o, usage);
    }
    if (how.to == GP5_LANGUAGES)
        return cli_usage_error("translate", usage, "--to says which language");
    if (optind + 1 != argc)
        return cli_usage_error("translate", usage, "one file at a time");
    return translate(argv[optind], to, &how);
}
