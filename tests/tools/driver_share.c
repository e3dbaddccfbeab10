/* How long gp5 compare takes for files beside what the driver takes for them:
 *
 *   driver_share GP5 KIND LIST [ROUNDS]      GP5: the command; KIND: as in --driver=KIND; LIST: a script's name a line
 *
 * Each round has two turns. In the first one the scripts run one by one, and only what passes between asking the driver
 * and its answer counts, and its start: the driver's own time. The second one is `GP5 compare` over all of them, its
 * start and end included. A line has the medians, on the clock and of a processor. */
#include "compare/driver/driver.h"
#include "compare/script/script.h"
#include "compare/world/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ROUNDS = 99 };

/* A driver whose time is taken. */
struct timed {
    struct driver base;
    struct driver *driver;
    double seconds;
};

struct times {
    double clock[MOST_ROUNDS], processor[MOST_ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of processes that have ended. */
static double processor(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static const struct driver_description *describe(struct driver *d)
{
    return driver_describe(((struct timed *)d)->driver);
}

static bool run(struct driver *d, const struct driver_case *cases, size_t count, driver_result_fn *result, void *user)
{
    struct timed *t = (struct timed *)d;
    double begin = now();
    bool good = driver_run(t->driver, cases, count, result, user);
    t->seconds += now() - begin;
    return good;
}

static void run_script(const char *path, const struct source *source)
{
    struct script script;
    struct test_options options = {
        .source = source, .run = {.track_undefined = true, .jobs = 1}, .driver_wanted = true};

    script_load(&script, path);
    for (size_t i = 0; script.status == SCRIPT_OK && i < script.programs.count; i++) {
        struct test_result result;
        test_run(&script, vec_at(&script.programs, i), &options, &result);
        test_result_free(&result);
    }
    script_free(&script);
}

static bool driver_turn(const char *kind, char **paths, size_t count, double *clock, double *used)
{
    static const struct driver_ops ops = {describe, run, NULL};
    struct driver_options options = {.context = kind};
    struct timed t = {.base = {&ops}};
    char *reason = NULL;
    double before = processor(), begin = now();

    if (driver_open(&options, &t.driver, &reason) != DRIVER_OPENED) {
        fprintf(stderr, "driver_share: no driver: %s\n", reason ? reason : kind);
        free(reason);
        return false;
    }
    t.seconds = now() - begin;
    struct source source = {.kind = SOURCE_LIVE, .driver = &t.base, .description = driver_describe(t.driver)};
    for (size_t i = 0; i < count; i++)
        run_script(paths[i], &source);
    driver_close(t.driver);
    *clock = t.seconds;
    *used = processor() - before;
    return true;
}

static bool command_turn(const char *gp5, const char *kind, const char *list, double *clock, double *used)
{
    char driver[64], files[4096];
    double before = processor(), begin = now();
    int status = 0;

    snprintf(driver, sizeof driver, "--driver=%s", kind);
    snprintf(files, sizeof files, "--files-from=%s", list);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, 1);
        execlp(gp5, gp5, "compare", driver, files, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 127) {
        fprintf(stderr, "driver_share: %s does not run\n", gp5);
        return false;
    }
    *clock = now() - begin;
    *used = processor() - before;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, by_size);
    return values[count / 2];
}

static char **read_list(const char *name, size_t *count)
{
    FILE *f = fopen(name, "r");
    char **paths = NULL, line[4096];
    size_t room = 0;

    *count = 0;
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (*count == room) {
            char **more = realloc(paths, (room = 2 * room + 64) * sizeof *paths);
            if (!more)
                break;
            paths = more;
        }
        paths[(*count)++] = strdup(line);
    }
    if (f)
        fclose(f);
    return paths;
}

int main(int argc, char **argv)
{
    struct times driver, command;
    size_t count;

    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: driver_share GP5 KIND LIST [ROUNDS]\n");
        return 2;
    }
    unsigned rounds = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 3;
    char **paths = read_list(argv[3], &count);
    if (!count || !rounds || rounds > MOST_ROUNDS) {
        fprintf(stderr, "driver_share: %s\n", count ? "1 to 99 rounds" : "no script is listed");
        return 2;
    }
    bool good = true;
    for (unsigned i = 0; i < rounds && good; i++)
        good = driver_turn(argv[2], paths, count, &driver.clock[i], &driver.processor[i]) &&
               command_turn(argv[1], argv[2], argv[3], &command.clock[i], &command.processor[i]);
    if (good) {
        double d = median(driver.clock, rounds), c = median(command.clock, rounds);
        printf("%zu files: the driver's own %.2f s, gp5 compare %.2f s (%.2f of a processor): %.2f times\n", count, d,
               c, median(command.processor, rounds), c / d);
    }
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    return good ? 0 : 1;
}
