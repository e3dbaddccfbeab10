#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/compare/gl_driver.h"

int gl_driver_open(void **state, const char *context)
{
    struct driver_options o = {.context = context};
    struct driver *d;
    char *reason;
    enum driver_open_status s = driver_open(&o, &d, &reason);

    if (s == DRIVER_OPENED) {
        const struct driver_description *w = driver_describe(d);
        printf("# %s: %s, %s\n", w->context, w->renderer, w->version);
    } else {
        printf("# no context: %s\n", reason ? reason : "no memory");
        free(reason);
    }
    *state = d;
    return s == DRIVER_OPENED || s == DRIVER_NO_CONTEXT ? 0 : 1;
}

int gl_driver_close(void **state)
{
    driver_close(*state);
    return 0;
}

struct driver *gl_driver(void **state)
{
    if (!*state)
        skip();
    return *state;
}
