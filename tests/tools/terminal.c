/* Runs a command on a terminal of its own, 80 columns wide, and copies what it writes there to standard output; its
 * standard output as well goes to the file of --output. With --type=TEXT=KEY the key (3 is Ctrl-C) is pressed once TEXT
 * was written, so often as there is such an option. The exit status is the command's, or 128 and the signal that killed
 * it.
 *
 *     terminal [--output=FILE] [--type=TEXT=KEY]... COMMAND ARGUMENT... */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct key {
    char *text;
    char key;
};

static int stop(const char *what)
{
    perror(what);
    return 2;
}

static void run(const char *terminal, const char *output, char **command)
{
    setsid();
    int fd = open(terminal, O_RDWR);
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || ioctl(fd, TIOCSWINSZ, &size))
        _exit(stop("terminal"));
    struct termios how;
    if (tcgetattr(fd, &how) == 0) {     /* else Ctrl-C also drops what is written while it is pressed */
        how.c_lflag |= NOFLSH;
        tcsetattr(fd, TCSANOW, &how);
    }
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    if (output) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (out < 0)
            _exit(stop(output));
        dup2(out, 1);
    }
    setenv("TERM", "xterm", 1);
    execvp(command[0], command);
    _exit(stop(command[0]));
}

/* Until the other side is closed. What was written is kept: a text may come in pieces. */
static int copy(int fd, const struct key *keys, size_t count)
{
    char *all = NULL;
    size_t size = 0, room = 0, pressed = 0, from = 0;
    for (;;) {
        if (room - size < 4097) {
            char *more = realloc(all, room = 2 * room + 8192);
            if (!more)
                return stop("memory");
            all = more;
        }
        ssize_t n = read(fd, all + size, 4096);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        fwrite(all + size, 1, (size_t)n, stdout);
        size += (size_t)n;
        all[size] = 0;
        char *found = pressed < count ? strstr(all + from, keys[pressed].text) : NULL;
        if (found) {
            from = (size_t)(found - all) + strlen(keys[pressed].text);
            if (write(fd, &keys[pressed++].key, 1) != 1)
                return stop("key");
        }
    }
    free(all);
    return fflush(stdout);
}

int main(int argc, char **argv)
{
    struct key keys[8];
    size_t count = 0;
    const char *output = NULL;
    int i = 1, status;
    for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
        char *last = strrchr(argv[i], '=');
        if (!strncmp(argv[i], "--output=", 9)) {
            output = argv[i] + 9;
        } else if (!strncmp(argv[i], "--type=", 7) && last > argv[i] + 6 && count < sizeof keys / sizeof *keys) {
            *last = 0;
            keys[count++] = (struct key){argv[i] + 7, (char)atoi(last + 1)};
        } else {
            fprintf(stderr, "terminal: %s?\n", argv[i]);
            return 2;
        }
    }
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (i == argc || fd < 0 || grantpt(fd) || unlockpt(fd))
        return stop("terminal");
    pid_t pid = fork();
    if (pid < 0)
        return stop("fork");
    if (!pid) {
        const char *name = ptsname(fd);
        close(fd);
        run(name, output, argv + i);
    }
    if (copy(fd, keys, count) || waitpid(pid, &status, 0) != pid)
        return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
