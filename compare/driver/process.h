/* The worker as a process: started before any GL call, with one socket as its standard input and output. */
#ifndef GP5_COMPARE_PROCESS_H
#define GP5_COMPARE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
    pid_t pid;                  /* 0: none */
    int fd;                     /* both directions, non-blocking */
};

/* Zero, or an errno. Standard error goes to the end of the file `log`, or nowhere (NULL). */
int process_start(struct process *p, const char *path, const char *log);

/* Ends it: waits up to `grace_ms` for it to end by itself once the socket is closed, then kills it with
 * everything that it started. The wait status, or -1 when the system keeps it. */
int process_stop(struct process *p, int grace_ms);

/* Where the worker executable is: `name`, or $GP5_GL_WORKER, or the first of the usual places that has it. To
 * be freed; NULL when there is none. */
char *process_find_worker(const char *name);

#endif
