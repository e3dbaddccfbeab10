/* gp5 lsp: the language server, on standard input and output. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdio.h>

#include "lsp/lsp.h"

static const char usage[] =
    "usage: gp5 lsp [--target=nvidia|mesa|spec|gp5]\n"
    "\n"
    "Answers an editor that speaks the Language Server Protocol on standard input and output: errors while one types,\n"
    "what opcodes do, completion, declarations and uses of names, renaming, the outline, formatting.\n"
    "\n"
    "  --target=TARGET   whose rules (default nvidia); the client's initializationOptions.target goes before\n"
    "  --stdio           nothing: it is what the server does\n";

int cli_lsp(int argc, char **argv)
{
    static const struct option options[] = {{"target", required_argument, NULL, 't'}, {"stdio", no_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    enum gp5_target target = GP5_TARGET_NVIDIA;

    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;)
        switch (c) {
        case 't':
            if (!cli_target(optarg, &target))
                return cli_usage_error("lsp", usage, "there is no target '%s'", optarg);
            break;
        case 's': break;
        case 'h': return cli_help(usage);
        default: return cli_option_error(argv, c, usage);
        }
    if (optind < argc)
        return cli_usage_error("lsp", usage, "it takes no files: an editor sends them");
    return lsp_serve(stdin, stdout, target) ? CLI_NO : CLI_YES;
}
