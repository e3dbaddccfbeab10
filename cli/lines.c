#include "cli/lines.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* dlsym gives a pointer to an object, which C does not let become one to a function but by its bytes. */
static void find(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
}

void cli_lines_open(struct cli_lines *l)
{
    *l = (struct cli_lines){.terminal = isatty(0) && isatty(1)};
    if (!l->terminal)
        return;
    l->library = dlopen("libedit.so.2", RTLD_NOW);
    if (!l->library)
        l->library = dlopen("libedit.so.0", RTLD_NOW);
    if (!l->library)
        return;
    find(l->library, "readline", &l->edit, sizeof l->edit);
    find(l->library, "add_history", &l->remember, sizeof l->remember);
}

void cli_lines_close(struct cli_lines *l)
{
    free(l->line);
    free(l->last);
    if (l->library)
        dlclose(l->library);
}

/* A plain line; what comes from a file is shown, so that the answers make sense. */
static const char *plain(struct cli_lines *l, const char *prompt)
{
    ssize_t n;
    fputs(prompt, stdout);
    fflush(stdout);
    errno = 0;
    n = getline(&l->line, &l->capacity, stdin);
    if (n < 0 && errno == EINTR) {      /* Ctrl-C where a command is awaited: another line */
        clearerr(stdin);
        putchar('\n');
        return "";
    }
    if (n < 0) {
        putchar('\n');
        return NULL;
    }
    if (n && l->line[n - 1] == '\n')
        l->line[n - 1] = 0;
    if (!l->terminal)
        puts(l->line);
    return l->line;
}

const char *cli_lines_read(void *user, const char *prompt)
{
    struct cli_lines *l = user;
    if (!l->edit)
        return plain(l, prompt);
    free(l->line);
    l->line = l->edit(prompt);
    if (!l->line || !*l->line)
        return l->line && l->last ? l->last : l->line;
    if (l->remember)
        l->remember(l->line);
    free(l->last);
    l->last = strdup(l->line);
    return l->line;
}
