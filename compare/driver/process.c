#include "compare/driver/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef GP5_LIBEXECDIR
#define GP5_LIBEXECDIR "/usr/local/libexec/gp5"
#endif

extern char **environ;

/* ---- start --------------------------------------------------------------------------------------------- */

static int redirect(posix_spawn_file_actions_t *actions, int fd, const char *log)
{
    int error = posix_spawn_file_actions_adddup2(actions, fd, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, fd, 1);
    if (!error)
        error = posix_spawn_file_actions_addopen(actions, 2, log ? log : "/dev/null",
                                                 O_WRONLY | O_CREAT | O_APPEND, 0666);
    return error;
}

/* Its own group, so that it dies with what it started; no signal blocked or ignored that its client did. */
static int isolate(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error)
        error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
                                                     | POSIX_SPAWN_SETSIGDEF);
    return error;
}

static int spawn(pid_t *pid, const char *path, int fd, const char *log)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        char *argv[] = { (char *)path, NULL };
        error = redirect(&actions, fd, log);
        if (!error)
            error = isolate(&attributes);
        if (!error)
            error = posix_spawn(pid, path, &actions, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int process_start(struct process *p, const char *path, const char *log)
{
    int ends[2];
    *p = (struct process){ .fd = -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return errno;
    int error = fcntl(ends[0], F_SETFL, O_NONBLOCK) ? errno : 0;
    if (!error)
        error = spawn(&p->pid, path, ends[1], log);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        p->pid = 0;
        return error;
    }
    p->fd = ends[0];
    return 0;
}

/* ---- stop ---------------------------------------------------------------------------------------------- */

/* Waits at most so long: a process that hangs in a driver's kernel part may take its time even when killed.
 * What ended stays a zombie, so that its number still means it and its group. */
static bool ended(pid_t pid, int ms)
{
    const struct timespec nap = { .tv_nsec = 1000000 };
    for (;; ms--) {
        siginfo_t info = { .si_pid = 0 };
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ? errno != EINTR
                                                                         : info.si_pid == pid)
            return true;
        if (ms <= 0)
            return false;
        nanosleep(&nap, NULL);
    }
}

int process_stop(struct process *p, int grace_ms)
{
    int status = -1;
    if (!p->pid)
        return status;
    close(p->fd);
    bool gone = ended(p->pid, grace_ms);
    kill(-p->pid, SIGKILL);
    if ((gone || ended(p->pid, 5000)) && waitpid(p->pid, &status, WNOHANG) != p->pid)
        status = -1;
    *p = (struct process){ .fd = -1 };
    return status;
}

/* ---- find ---------------------------------------------------------------------------------------------- */

static char *joined(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool own_folder(char *folder, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    if (n <= 0 || (size_t)n >= size - 1)
        return false;
    folder[n] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash != NULL;
}

char *process_find_worker(const char *name)
{
    const char *given = name ? name : getenv("GP5_GL_WORKER");
    if (given && *given)
        return joined(*given == '/' ? "" : ".", given);
    static const char *const places[] = { "gp5-gl-worker", "../gp5-gl-worker",
                                          "../libexec/gp5/gp5-gl-worker" };
    char folder[4096];
    bool known = own_folder(folder, sizeof folder);
    for (size_t i = 0; known && i < sizeof places / sizeof *places; i++) {
        char *path = joined(folder, places[i]);
        if (!path || !access(path, X_OK))
            return path;
        free(path);
    }
    char *path = joined(GP5_LIBEXECDIR, "gp5-gl-worker");
    if (path && access(path, X_OK)) {
        free(path);
        path = NULL;
    }
    return path;
}
