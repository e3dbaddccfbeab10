/* gp5 lower: subgroup instructions to plain NV_gpu_program5. */
#include <getopt.h>

#include "asm/program.h"
#include "cli/cli.h"
#include "gp5.h"

static const char usage[] =
    "usage: gp5 lower [--allow-internal] FILE\n"
    "\n"
    "Writes the program with each instruction of OPTION GP5_subgroup replaced by instructions that drivers have,\n"
    "on standard output. All else stays as it is written.\n"
    "Exit status: 0, 1 the program is invalid or something in it cannot be lowered, 2 the file could not be read.\n"
    "\n"
    "  --allow-internal    use what needs OPTION NV_internal: MATCH\n";

static int lower_file(const char *name, unsigned flags)
{
    struct cli_file file;
    if (!cli_read(name, &file))
        return CLI_TROUBLE;
    gp5_program *program = gp5_parse(file.bytes, file.size);
    char *message = NULL, *text = NULL;
    size_t size = 0;
    int status = CLI_YES;
    if (program && !gp5_valid(program, GP5_TARGET_GP5)) {
        diags_print(stderr, cli_colour(stderr), name, program->text, program->size, &program->diags, FOR_GP5);
        status = CLI_NO;
    } else if (program && (text = gp5_lower(program, flags, &size, &message))) {
        status = fwrite(text, 1, size, stdout) == size ? CLI_YES : CLI_TROUBLE;
    } else {
        cli_error(name, "%s", message ? message : "no memory");
        status = message ? CLI_NO : CLI_TROUBLE;
    }
    gp5_text_free(text);
    gp5_text_free(message);
    gp5_program_free(program);
    cli_close(&file);
    return status;
}

int cli_lower(int argc, char **argv)
{
    static const struct option options[] = {
        {"allow-internal", no_argument, NULL, 'i'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    unsigned flags = 0;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (o == 'h')
            return cli_help(usage);
        if (o != 'i')
            return cli_option_error(argv, o, usage);
        flags |= GP5_LOWER_ALLOW_INTERNAL;
    }
    if (optind == argc)
        return cli_usage_error("lower", usage, "no file is named");
    if (optind + 1 < argc)
        return cli_usage_error("lower", usage, "one file at a time");
    return lower_file(argv[optind], flags);
}
