/* cmocka's group fixtures of the tests that talk to the driver of this machine: *state is a struct driver, or NULL
 * where no context opens. */
#ifndef GP5_TESTS_GL_DRIVER_H
#define GP5_TESTS_GL_DRIVER_H

#include "compare/driver/driver.h"

/* context: as in struct driver_options. */
int gl_driver_open(void **state, const char *context);
int gl_driver_close(void **state);

/* Skips the test that calls it where there is none. */
struct driver *gl_driver(void **state);

#endif
