/* Where a driver's results come from: a live driver, a recording, or nowhere. */
#ifndef GP5_COMPARE_SOURCE_H
#define GP5_COMPARE_SOURCE_H

#include "compare/record/recording.h"

#include <pthread.h>

enum source_kind { SOURCE_NONE, SOURCE_LIVE, SOURCE_RECORDING };

struct source {
    enum source_kind kind;
    const char *reason;             /* SOURCE_NONE: why there is none, or NULL when none was asked for */
    struct driver *driver;          /* borrowed */
    pthread_mutex_t *turn;          /* of a driver that several threads ask, one at a time; NULL: it is one thread's */
    const struct recording *recording;
    const struct driver_description *description;   /* of the driver; NULL for SOURCE_NONE */
};

void source_run(const struct source *s, const struct driver_case *c, struct outcome *o);

#endif
