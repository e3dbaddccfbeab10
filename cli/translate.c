/* gp5 translate: a program in another language. */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "asm/diag.h"
#include "asm/program.h"
#include "cli/cli.h"
#include "compare/report/translation.h"
#include "gp5.h"

static const char usage[] =
    "usage: gp5 translate --to=LANGUAGE [OPTION...] PROGRAM\n"
    "\n"
    "Writes the program in another language, on standard output.\n"
    "Exit status: 0, 1 the program is invalid or something in it cannot be said, 2 a file could not be read or\n"
    "written.\n"
    "\n"
    "  --to=LANGUAGE           glsl120 glsl330 glsl450 glsl450compat es300 spirv arb\n"
    "  --interface=FILE.json   what the application is to give to it, entry by entry\n"
    "  --half=round            results of half precision are rounded; single (the default): they are singles\n"
    "  --prefix=NAME           what parameters and samplers begin with in glsl120 and glsl450compat (gp5_)\n"
    "  --image-format=BINDING=FORMAT   what an image that is read is bound as: image[3]=rgba8,\n"
    "                          program.local[7].xy=r32ui for a handle; up to 64 of them\n"
    "  -o FILE                 write there; '-' is standard output, of the interface as well\n";

struct translation {
    const char *name;
    const gp5_program *program;
    enum gp5_language to;
    const char *path;           /* NULL: standard output */
    FILE *out;                  /* opened when there is something to write: what is refused leaves the file alone */
    json_t *entries;            /* or NULL */
    bool lost;                  /* of the entries, for lack of memory */
    char why[600];
    const char *formats[64];    /* BINDING=FORMAT */
    size_t nformats;
};

static const char *image_format(void *user, const char *binding)
{
    const struct translation *t = user;
    size_t n = strlen(binding);

    for (size_t i = t->nformats; i-- > 0;)
        if (!strncmp(t->formats[i], binding, n) && t->formats[i][n] == '=')
            return t->formats[i] + n + 1;
    return NULL;
}

static bool write_out(void *user, const char *bytes, size_t size)
{
    struct translation *t = user;

    if (!t->out && !(t->out = fopen(t->path, "wb")))
        return false;
    if (t->to == GP5_TO_SPIRV)
        return translation_compile(bytes, size, gp5_stage(t->program), t->out, t->why, sizeof t->why);
    return fwrite(bytes, 1, size, t->out) == size && fflush(t->out) == 0;
}

static bool tell(void *user, const struct gp5_diagnostic *d)
{
    struct translation *t = user;

    diag_put_name(stderr, t->name);
    fprintf(stderr, ":%u:%u: error: not translated: %s\n", d->line, d->column, d->message);
    return true;
}

static bool keep(void *user, const struct gp5_interface_entry *e)
{
    struct translation *t = user;
    json_t *entry = t->entries ? translation_entry(e) : NULL;

    if (t->entries && (!entry || json_array_append_new(t->entries, entry) != 0))
        t->lost = true;
    return !t->lost;
}

static int finish(struct translation *t, enum gp5_translated answer, const char *to)
{
    switch (answer) {
    case GP5_TRANSLATED: return t->lost ? cli_error(t->name, "no memory") : CLI_YES;
    case GP5_TRANSLATE_REFUSED: return CLI_NO;
    case GP5_TRANSLATE_INVALID:
        diags_print(stderr, cli_colour(stderr), t->name, t->program->text, t->program->size, &t->program->diags,
                    FOR_NVIDIA);
        return CLI_NO;
    case GP5_TRANSLATE_NOT_WRITTEN:
        return cli_error(to ? to : "standard output", "%s", *t->why ? t->why : strerror(errno));
    case GP5_TRANSLATE_NO_MEMORY: break;
    }
    return cli_error(t->name, "no memory");
}

static int write_table(struct translation *t, const char *path)
{
    json_t *table = translation_table(t->program, t->to, t->entries);
    int status = CLI_YES;

    t->entries = NULL;          /* the table's now */
    FILE *f = strcmp(path, "-") ? fopen(path, "w") : stdout;
    bool written = table && f && json_dumpf(table, f, JSON_INDENT(2)) == 0 && fputc('\n', f) != EOF && !fflush(f);
    if (!written)
        status = cli_error(path, "%s", strerror(errno));
    if (f && f != stdout && fclose(f) != 0 && written)
        status = cli_error(path, "%s", strerror(errno));
    json_decref(table);
    return status;
}

static int translate(struct translation t, const char *to, const char *interface,
                     struct gp5_translate_options *options)
{
    const char *name = t.name;
    struct cli_file file;
    int status = CLI_TROUBLE;

    t.to = options->to;
    t.entries = interface ? json_array() : NULL;
    options->image_format = image_format;
    if (to && !strcmp(to, "-"))
        to = NULL;
    if (!cli_read(name, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    t.program = program;
    options->write = write_out;
    options->each = tell;
    options->entry = keep;
    options->user = &t;
    t.path = to;
    t.out = to ? NULL : stdout;
    if (!program || (interface && !t.entries))
        status = cli_error(name, "no memory");
    else
        status = finish(&t, gp5_translate(program, options), to);
    if (t.out && t.out != stdout && fclose(t.out) != 0)
        status = cli_error(to, "%s", strerror(errno));
    if (status == CLI_YES && interface)
        status = write_table(&t, interface);
    json_decref(t.entries);
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

struct arguments {
    struct gp5_translate_options how;
    const char *to, *interface;
    struct translation t;
};

static int take_option(void *user, int option, const char *word)
{
    struct arguments *a = user;

    switch (option) {
    case 'o':
        a->to = word;
        return CLI_YES;
    case 'i':
        a->interface = word;
        return CLI_YES;
    case 'p':
        a->how.prefix = word;
        return CLI_YES;
    case 'r':
        a->how.round_halves = !strcmp(word, "round");
        if (a->how.round_halves || !strcmp(word, "single"))
            return CLI_YES;
        break;
    case 'f':
        if (strchr(word, '=') && a->t.nformats < sizeof a->t.formats / sizeof *a->t.formats) {
            a->t.formats[a->t.nformats++] = word;
            return CLI_YES;
        }
        break;
    case 't':
        if (find_language(word, &a->how.to))
            return CLI_YES;
        break;
    }
    return cli_usage_error("translate", usage, "there is no '%s'", word);
}

int cli_translate(int argc, char **argv)
{
    static const struct option options[] = {{"to", required_argument, NULL, 't'},
                                            {"interface", required_argument, NULL, 'i'},
                                            {"half", required_argument, NULL, 'r'},
                                            {"prefix", required_argument, NULL, 'p'},
                                            {"image-format", required_argument, NULL, 'f'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct arguments a = {.how = {.size = sizeof a.how, .to = GP5_LANGUAGES}};
    int status = cli_options(argc, argv, usage, ":o:", options, take_option, &a);

    if (status != CLI_GO_ON)
        return status;
    if (a.how.to == GP5_LANGUAGES)
        return cli_usage_error("translate", usage, "--to says which language");
    if (optind + 1 != argc)
        return cli_usage_error("translate", usage, "one file at a time");
    if (a.how.to == GP5_TO_SPIRV && a.interface && !strcmp(a.interface, "-") && (!a.to || !strcmp(a.to, "-")))
        return cli_usage_error("translate", usage, "SPIR-V is binary, and --interface is JSON: standard output is for "
                               "one of them");
    a.t.name = argv[optind];
    return translate(a.t, a.to, a.interface, &a.how);
}
