/* Files, messages and words of the command line (cli/cli.h). */
#include "asm/diag.h"
#include "cli/cli.h"
#include "cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than any program, recording or buffer that anybody has; a text's offsets have 32 bits. */
static const size_t LARGEST_FILE = (size_t)1 << 30;

int cli_worst(int a, int b)
{
    if (a >= 128 || b >= 128)
        return a > b ? a : b;
    static const int order[] = {CLI_TROUBLE, CLI_NO, CLI_SKIPPED};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return CLI_YES;
}

struct cli_io cli_standard(void)
{
    return (struct cli_io){stdout, stderr, {cli_colour(stdout), cli_colour(stderr)}, NULL};
}

static int put_error(FILE *out, FILE *err, const char *path, const char *format, va_list args)
{
    fflush(out);
    diag_put_head(err, path);
    vfprintf(err, format, args);
    fputc('\n', err);
    return CLI_TROUBLE;
}

int cli_error(const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int status = put_error(stdout, stderr, path, format, args);
    va_end(args);
    return status;
}

int cli_error_on(const struct cli_io *io, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int status = put_error(io->out, io->err, path, format, args);
    va_end(args);
    return status;
}

int cli_usage_error(const char *command, const char *usage, const char *format, ...)
{
    va_list args;
    const char *rest = strstr(usage, "\n\n");
    fflush(stdout);
    fprintf(stderr, "gp5 %s: ", command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n%.*s\ngp5 %s --help says more\n", (int)(rest ? (size_t)(rest - usage) : strcspn(usage, "\n")),
            usage, command);
    return CLI_TROUBLE;
}

/* The options of a usage that begin with this word: ` --size, --storage`. */
static unsigned find_candidates(const char *usage, const char *word, char *found, size_t size)
{
    size_t length = strcspn(word, "="), used = 0;
    unsigned n = 0;
    found[0] = 0;
    for (const char *at = usage; length > 2 && (at = strstr(at, "--")); at += 2) {
        size_t all = 2 + strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");
        char name[40];
        if (all < length || strncmp(at, word, length) || all >= sizeof name || (at > usage && at[-1] != ' '))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)all, at);
        const char *old = strstr(found, name);
        if ((old && (old[all] == ',' || !old[all])) || used + all + 3 > size)
            continue;
        used += (size_t)snprintf(found + used, size - used, "%s %s", n++ ? "," : "", name);
    }
    return n;
}

int cli_option_error(char **argv, int returned, const char *usage)
{
    /* getopt leaves the letter in optopt for a short option; for a long one that it does not know, 0. */
    const char *word = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, 0};
    bool is_long = strncmp(word, "--", 2) == 0;
    if (!is_long && optopt)
        word = letter;
    if (returned == ':')
        return cli_usage_error(argv[0], usage, "the option '%s' needs a value", word);
    if (is_long && optopt)
        return cli_usage_error(argv[0], usage, "the option '%.*s' takes no value", (int)strcspn(word, "="), word);
    char found[400];
    unsigned candidates = is_long ? find_candidates(usage, word, found, sizeof found) : 0;
    if (candidates)
        return cli_usage_error(argv[0], usage, "the option '%s' could be%s", word, found);
    return cli_usage_error(argv[0], usage, "there is no option '%s'", word);
}

int cli_options(int argc, char **argv, const char *usage, const char *letters, const struct option *options,
                cli_take *take, void *user)
{
    opterr = 0;
    optind = 1;
    for (int c, status; (c = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
        if (c == 'h')
            return cli_help(usage);
        if (c == '?' || c == ':')
            return cli_option_error(argv, c, usage);
        if ((status = take(user, c, optarg)) != CLI_YES)
            return status;
    }
    return CLI_GO_ON;
}

int cli_help(const char *usage)
{
    fputs(usage, stdout);
    return CLI_YES;
}

bool cli_colour(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && *no_color)
        return false;
    if (term && strcmp(term, "dumb") == 0)
        return false;
    return isatty(fileno(stream)) == 1;
}

bool cli_number(const char *word, unsigned long long least, unsigned long long most, unsigned long long *value)
{
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char *digits = hex ? word + 2 : word;
    if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
        return false;
    errno = 0;
    unsigned long long number = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno || number < least || number > most)
        return false;
    *value = number;
    return true;
}

json_t *cli_json_name(const char *path)
{
    json_t *name = json_string(path);
    if (name)
        return name;
    char *copy = strdup(path);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    name = copy ? json_string(copy) : NULL;
    free(copy);
    return name;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Makes room for at least one more byte and the NUL. */
static bool make_room(struct cli_file *file, size_t *capacity)
{
    if (file->size + 1 < *capacity)
        return true;
    size_t larger = *capacity ? *capacity * 2 : 1 << 16;
    char *bytes = realloc(file->bytes, larger);
    if (!bytes)
        return false;
    file->bytes = bytes;
    *capacity = larger;
    return true;
}

static bool interrupted(const struct cli_io *io)
{
    return io->progress && cli_progress_stopped(io->progress);
}

enum { ASKED_EVERY = 50 };      /* milliseconds */

/* Until something can be read, or the end has come. False when it is to end before: whose signals are only noted does
 * not wake up from them. */
static bool wait_for_bytes(const struct cli_io *io, int fd)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    int ready = 0;
    while (!interrupted(io)) {
        ready = poll(&one, 1, io->progress ? ASKED_EVERY : -1);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
    return false;
}

/* NULL, or what went wrong. `at_once`: it is a regular file. */
static const char *read_all(const struct cli_io *io, int fd, bool at_once, size_t expected, struct cli_file *file)
{
    size_t capacity = expected + 2;
    file->bytes = malloc(capacity);
    if (!file->bytes)
        return "not enough memory to read it";
    for (;;) {
        if (!make_room(file, &capacity))
            return "not enough memory to read it";
        if (!at_once && !wait_for_bytes(io, fd))
            return "interrupted";
        ssize_t got = read(fd, file->bytes + file->size, capacity - file->size - 1);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0)
            return strerror(errno);
        if (got == 0)
            break;
        file->size += (size_t)got;
        if (file->size > LARGEST_FILE)
            return "larger than 1 GiB";
    }
    file->bytes[file->size] = 0;
    return NULL;
}

bool cli_read(const char *path, struct cli_file *file)
{
    const struct cli_io io = {stdout, stderr, {false, false}, NULL};
    return cli_read_on(&io, path, file);
}

const char *cli_read_told(const struct cli_io *io, const char *path, struct cli_file *file)
{
    *file = (struct cli_file){NULL, 0};
    bool standard_input = strcmp(path, "-") == 0;
    /* To open a pipe does not wait for who writes. */
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    const char *trouble = NULL;
    if (fd < 0 || fstat(fd, &st) < 0)
        trouble = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        trouble = "is a directory";
    else if (S_ISREG(st.st_mode) && (unsigned long long)st.st_size > LARGEST_FILE)
        trouble = "larger than 1 GiB";
    else
        trouble = read_all(io, fd, S_ISREG(st.st_mode), S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, file);
    if (fd >= 0 && !standard_input)
        close(fd);
    if (trouble)
        cli_close(file);
    return trouble;
}

bool cli_read_on(const struct cli_io *io, const char *path, struct cli_file *file)
{
    const char *trouble = cli_read_told(io, path, file);
    if (trouble && !interrupted(io))
        cli_error_on(io, strcmp(path, "-") ? path : "standard input", "%s", trouble);
    return !trouble;
}

int cli_writable(const char *path)
{
    if (!strcmp(path, "-"))
        return CLI_YES;
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && S_ISFIFO(st.st_mode))          /* to open it would wait for who reads */
        return CLI_YES;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return cli_error(path, "%s", strerror(errno));
    close(fd);
    if (!there)
        unlink(path);
    return CLI_YES;
}

void cli_close(struct cli_file *file)
{
    free(file->bytes);
    *file = (struct cli_file){NULL, 0};
}
