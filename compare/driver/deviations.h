/* Drivers' deviations: one table (deviations.def), which comparisons ask. */
#ifndef GP5_COMPARE_DEVIATIONS_H
#define GP5_COMPARE_DEVIATIONS_H

#include "compare/driver/driver.h"

enum driver_deviation {
#define DEVIATION(name, who, what) DEVIATES_##name,
#include "compare/driver/deviations.def"
#undef DEVIATION
    DRIVER_DEVIATIONS
};

/* Those of a driver: a bit each. */
uint32_t driver_deviations(const struct driver_description *d);
const char *driver_deviation_name(enum driver_deviation which);
const char *driver_deviation_what(enum driver_deviation which);

#endif
