/* Patches to points, lines and triangles. */
#include "raster/internal.h"

bool pipeline_tessellate(struct pipeline *p, struct vertices *v, struct primitives *list)
{
    (void)v;
    (void)list;
    return pipeline_fail(p, RASTER_PLACES, "tessellation is not drawn yet");
}
