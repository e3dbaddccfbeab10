/* --model: the passes of NVIDIA's compiler, for the commands that evaluate. */
#include "cli/cli.h"

#include "gp5.h"

#include <string.h>

bool cli_model_lists(const char *word)
{
    return word && !strcmp(word, "list");
}

int cli_model(const char *command, const char *usage, const char *word)
{
    char message[160];

    if (cli_model_lists(word) || gp5_model_valid(word, message, sizeof message))
        return CLI_YES;
    return cli_usage_error(command, usage, "--model: %s", message);
}

int cli_model_list(void)
{
    struct gp5_pass pass;

    for (size_t i = 0; gp5_pass_at(i, &pass); i++) {
        printf("%-16s%s%s (docs/%s)", pass.name, pass.dropped ? "dropped: " : "", pass.what, pass.document);
        if (*pass.needs)
            printf("; off without: %s", pass.needs);
        putchar('\n');
    }
    return fflush(stdout) == 0 ? CLI_YES : CLI_TROUBLE;
}
