/* Where samples stand in a pixel: the places that Direct3D prescribes and drivers of the GL give too, in 1/16 from its
 * upper left there and from its lower left here; of sixteen in the order that NVIDIA's driver has. */
#include "raster/raster.h"

#define AT(x, y) { (x) / 16.0f, (y) / 16.0f }

static const float one[][2] = { AT(8, 8) };
static const float two[][2] = { AT(12, 12), AT(4, 4) };
static const float four[][2] = { AT(6, 2), AT(14, 6), AT(2, 10), AT(10, 14) };
static const float eight[][2] = {
    AT(9, 5), AT(7, 11), AT(13, 9), AT(5, 3), AT(3, 13), AT(1, 7), AT(11, 15), AT(15, 1)
};
static const float sixteen[][2] = {
    AT(1, 0), AT(4, 2), AT(3, 6), AT(7, 5), AT(8, 1), AT(11, 3), AT(12, 7), AT(15, 4), AT(0, 8), AT(5, 10),
    AT(2, 12), AT(6, 14), AT(9, 9), AT(13, 11), AT(10, 13), AT(14, 15)
};

const float (*raster_samples(uint32_t samples))[2]
{
    switch (samples) {
    case 0:
    case 1: return one;
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    case 16: return sixteen;
    default: return NULL;
    }
}
