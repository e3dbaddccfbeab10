/* Files that a command rewrites in place. */
#define _XOPEN_SOURCE 700      /* realpath */

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* The new text stands in a file beside the old one, which it then replaces at once: there is no moment at which half of
 * it is there. `path` is no symbolic link any more. */
static int replace(const struct cli_io *io, const char *name, const char *path, const char *bytes, size_t size)
{
    struct stat old;
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof ".XXXXXX");
    if (!temporary)
        return cli_error_on(io, name, "no memory");
    memcpy(temporary, path, length);
    memcpy(temporary + length, ".XXXXXX", sizeof ".XXXXXX");
    int status = CLI_YES;
    int fd = stat(path, &old) == 0 ? mkstemp(temporary) : -1;
    if (fd < 0) {
        status = cli_error_on(io, name, "cannot be rewritten: %s", strerror(errno));
        free(temporary);
        return status;
    }
    bool written = write_all(fd, bytes, size) && fchmod(fd, old.st_mode & 07777) == 0 && fsync(fd) == 0;
    written = close(fd) == 0 && written;
    if (!written || rename(temporary, path) != 0) {
        status = cli_error_on(io, name, "cannot be rewritten: %s", strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    return status;
}

int cli_rewrite(const struct cli_io *io, const char *name, const char *bytes, size_t size)
{
    char *path = realpath(name, NULL);
    if (!path)
        return cli_error_on(io, name, "%s", strerror(errno));
    struct stat old;
    int status = stat(path, &old) == 0 && !S_ISREG(old.st_mode)
        ? cli_error_on(io, name, "cannot be rewritten: no regular file")
        : replace(io, name, path, bytes, size);
    free(path);
    return status;
}
