/* gp5 info: the contexts that open here. */
#include <getopt.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "compare/driver/info.h"

int cli_info(int argc, char **argv);

static const char usage[] =
    "usage: gp5 info [--json]\n"
    "\n"
    "Lists the GL contexts that open on this machine, their drivers, which of the extensions that assembly\n"
    "programs need each has, and the limits that programs meet.\n"
    "Exit status: 0, or 77 when no context opens.\n"
    "\n"
    "  --json    one JSON object\n";

int cli_info(int argc, char **argv)
{
    static const struct option options[] = {
        { "json", no_argument, NULL, 'j' }, { "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 }
    };
    bool json = false;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1; ) {
        if (o == 'h')
            return cli_help(usage);
        if (o != 'j')
            return cli_option_error(argv, o, usage);
        json = true;
    }
    if (optind < argc)
        return cli_usage_error("info", usage, "it takes no files");
    char *reason;
    switch (info_write(stdout, json, &reason)) {
    case INFO_SOME:
        return CLI_YES;
    case INFO_NONE:
        fputs("gp5 info: no GL context opens here\n", stderr);
        return CLI_SKIPPED;
    default:
        fprintf(stderr, "gp5 info: %s\n", reason ? reason : "no memory");
        free(reason);
        return CLI_TROUBLE;
    }
}
