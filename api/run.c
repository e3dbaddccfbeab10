/* Preparing and running as gp5.h has it: options that are not given have their defaults, and structures of older
 * callers are shorter. */
#include "api/step.h"
#include "gp5.h"

#include <stddef.h>
#include <string.h>

/* What a size of 0 stands for: the structure as version 0.1 has it, up to its last field then. */
#define FIRST(type, last) (offsetof(type, last) + sizeof ((type *)NULL)->last)

static void take(void *to, size_t room, const void *from, size_t given, size_t first)
{
    size_t size = given ? given : first;

    memset(to, 0, room);
    memcpy(to, from, size < room ? size : room);
}

static struct gp5_run_options take_options(const struct gp5_run_options *given)
{
    struct gp5_run_options options;

    take(&options, sizeof options, given, given->size, FIRST(struct gp5_run_options, observer));
    options.size = sizeof options;
    return options;
}

gp5_executable *gp5_prepare(const gp5_program *program, const struct gp5_run_options *options, char **message,
                            size_t *offset)
{
    struct gp5_run_options taken = {.size = sizeof taken};
    char *why = NULL;
    size_t where = 0;

    if (options)
        taken = take_options(options);
    gp5_executable *x = eval_prepare(program, &taken, eval_best_level(), &why, &where);
    if (message)
        *message = why;
    else
        gp5_text_free(why);
    if (offset)
        *offset = where;
    return x;
}

enum gp5_run_status gp5_execute(const gp5_executable *executable, const struct gp5_launch *launch,
                                const struct gp5_run_options *options, struct gp5_report *report)
{
    struct gp5_run_options taken = options ? take_options(options) : executable->options;
    struct gp5_launch one;
    struct gp5_report unwanted;
    struct step_watch watch;
    const struct eval_observer *observer = NULL;

    take(&one, sizeof one, launch, launch->size, FIRST(struct gp5_launch, undefined));
    if (taken.observer) {
        struct gp5_observer given;
        take(&given, sizeof given, taken.observer, taken.observer->size, FIRST(struct gp5_observer, after));
        observer = step_watch(&watch, &given);
    }
    if (!report)
        report = &unwanted;
    enum gp5_run_status status = eval_execute(executable, &one, &taken, observer, report);
    if (report == &unwanted)
        gp5_report_free(report);
    return status;
}
