/* The faces of a cube. The direction has been divided by its greatest component. */
#include "eval/texture/sample.h"

#include <math.h>

/* Whether z is the greatest component, as the driver chooses: it goes before one that is as great. */
static bool is_z(float x, float y, float z)
{
    return isnan(z) ? isnan(x) && isnan(y) : !(z < x) && !(z < y);
}

/* From -1 ... 1 to 0 ... 1. Of 22 bits, cut: no sum here rounds. NaN is the middle; of a direction so short that its
 * reciprocal is infinite the edge. */
static double on_face(float s)
{
    s = s > 1 ? 1 : s < -1 ? -1 : s;
    return isnan(s) ? 0.5 : (ldexp(floor(ldexp(s, 22)), -22) + 1) / 2;
}

void eval_cube_face(const float direction[3], uint32_t *face, double st[2])
{
    float x = direction[0], y = direction[1], z = direction[2], s, t;
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);

    if (is_z(ax, ay, az)) {
        *face = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x;
        t = -y;
    } else if (!isnan(x) && !(ay >= ax)) {
        *face = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z;
        t = -y;
    } else {
        *face = y < 0 ? 3 : 2;
        s = x;
        t = y < 0 ? -z : z;
    }
    st[0] = on_face(s);
    st[1] = on_face(t);
}
