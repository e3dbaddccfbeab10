#include "compare/driver/deviations.h"

#include <string.h>

static const struct { const char *name, *who, *what; } deviations[DRIVER_DEVIATIONS] = {
#define DEVIATION(name, who, what) { #name, who, what },
#include "compare/driver/deviations.def"
#undef DEVIATION
};

uint32_t driver_deviations(const struct driver_description *d)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < DRIVER_DEVIATIONS; i++)
        if (strstr(d->renderer, deviations[i].who) || strstr(d->version, deviations[i].who))
            bits |= 1u << i;
    return bits;
}

const char *driver_deviation_name(enum driver_deviation which)
{
    return deviations[which].name;
}

const char *driver_deviation_what(enum driver_deviation which)
{
    return deviations[which].what;
}
