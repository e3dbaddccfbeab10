/* gp5: finds the command and calls it. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

#include "gp5.h"

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
};

/* A row a command that works: nothing else shows. */
static const struct command commands[] = {
    {"check", cli_check, "say whether programs are valid, and where not"},
    {"fmt", cli_fmt, "write programs in the canonical form"},
    {"run", cli_run, "evaluate a program, lane by lane"},
    {"debug", cli_debug, "evaluate a program step by step"},
    {"compare", cli_compare, "compare the evaluator with a driver or a recording"},
    {"info", cli_info, "list the GL contexts that open here and what they can do"},
    {"capture", cli_capture, "compile GLSL with the driver and write its assembly"},
    {"translate", cli_translate, "write a program in another language"},
    {"lower", cli_lower, "write subgroup instructions as ones that drivers have"},
    {"stats", cli_stats, "count what programs consist of, and compare two"},
    {"reduce", cli_reduce, "make the smallest program or test that fails in the same way"},
    {"lsp", cli_lsp, "serve an editor: errors, hover, completion, names"},
    {"fuzz", cli_fuzz, "make programs by chance and have them judged"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void put_usage(FILE *out)
{
    fputs("usage: gp5 COMMAND [OPTION...] FILE...\n"
          "       gp5 help COMMAND\n"
          "       gp5 --help | --version\n"
          "\n"
          "Checks, formats, evaluates and compares OpenGL assembly programs.\n"
          "\n", out);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].help);
    fputs("\n"
          "The FILE '-' is standard input. Exit status: 0 yes, 1 no, 2 wrong usage or unreadable file, 77 skipped.\n",
          out);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

enum { LONGEST_GUESS = 16 };

/* How many letters to insert, drop, change or swap with a neighbour to make one word of the other. */
static int distance(const char *a, const char *b)
{
    int la = (int)strlen(a), lb = (int)strlen(b), d[LONGEST_GUESS + 1][LONGEST_GUESS + 1];
    if (la > LONGEST_GUESS || lb > LONGEST_GUESS)
        return LONGEST_GUESS;
    for (int i = 0; i <= la; i++)
        for (int j = 0; j <= lb; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = smaller(change, smaller(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[la][lb];
}

static int unknown_command(const char *name)
{
    const struct command *nearest = NULL;
    int least = 3;
    for (int i = 0; i < COMMANDS; i++) {
        int far = distance(name, commands[i].name);
        if (far < least) {
            least = far;
            nearest = &commands[i];
        }
    }
    fprintf(stderr, "gp5: there is no command '%s'", name);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest->name);
    fputs("\nTry 'gp5 --help'.\n", stderr);
    return CLI_TROUBLE;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        put_usage(stdout);
        return CLI_YES;
    }
    const struct command *command = find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    char option[] = "--help";
    char *words[] = {argv[1], option, NULL};
    return command->run(2, words);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        put_usage(stderr);
        return CLI_TROUBLE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(word, "--version") == 0) {
        printf("gp5 %s\n", GP5_VERSION);
        return CLI_YES;
    }
    if (word[0] == '-') {
        fprintf(stderr, "gp5: unknown option '%s'\n", word);
        put_usage(stderr);
        return CLI_TROUBLE;
    }
    const struct command *command = find_command(word);
    return command ? command->run(argc - 1, argv + 1) : unknown_command(word);
}

int main(int argc, char **argv)
{
    int status = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_error("standard output", "%s", strerror(errno));
    return status;
}
