/* Cubes: the face of a direction, and the way over a face's edges. OpenGL's table of faces: the axis that a face stands
 * across, and which way its s and t go. */
#include "tests/oracle/sample.h"

#include <math.h>
#include <stdlib.h>

static const int8_t axes[6][3][3] = {       /* out of the face, s, t */
    {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
    {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};

static double along(const int8_t axis[3], const double v[3])
{
    for (unsigned k = 0; k < 3; k++)
        if (axis[k])
            return axis[k] * v[k];
    return 0;
}

/* NaN is the least; z goes before x and y that are as great, y before x. */
void oracle_face(const uint32_t direction[3], uint32_t *face, double at[2])
{
    double v[3], size[3];
    unsigned major = 2;
    for (unsigned k = 0; k < 3; k++) {
        v[k] = oracle_float(direction[k]);
        size[k] = isnan(v[k]) ? -1 : fabs(v[k]);
    }
    if (size[2] < size[0] || size[2] < size[1])
        major = size[0] > size[1] ? 0 : 1;
    *face = 2 * major + (v[major] < 0);
    for (unsigned k = 0; k < 2; k++) {
        double x = along(axes[*face][1 + k], v);
        x = x > 1 ? 1 : x < -1 ? -1 : x;        /* a direction whose reciprocal is infinite */
        at[k] = isnan(x) ? 0.5 : (ldexp(floor(ldexp(x, 22)), -22) + 1) / 2;     /* cut to 22 bits */
    }
}

/* What stands out of one face goes down on the next one by as much, at the most to its end. */
bool oracle_beyond_edge(uint32_t *face, int64_t texel[2], int64_t size)
{
    int64_t from[2], at[3], out[2];
    unsigned next, k;
    for (k = 0; k < 2; k++) {       /* in halves of a texel about the middle */
        from[k] = 2 * texel[k] + 1 - size;
        out[k] = llabs(from[k]) - size;
    }
    if (out[0] > 0 && out[1] > 0)
        return false;
    if (out[0] <= 0 && out[1] <= 0)
        return true;
    k = out[1] > 0;
    out[k] = out[k] < 2 * size ? out[k] : 2 * size - 1;
    for (unsigned i = 0; i < 3; i++)
        at[i] = axes[*face][0][i] * (size - out[k]) + axes[*face][1 + k][i] * (from[k] < 0 ? -size : size) +
                axes[*face][2 - k][i] * from[1 - k];
    for (next = 0; next < 6; next++) {
        int64_t across = 0;
        for (unsigned i = 0; i < 3; i++)
            across += axes[next][0][i] * axes[*face][1 + k][i] * (from[k] < 0 ? -1 : 1);
        if (across == 1)
            break;
    }
    for (unsigned j = 0; j < 2; j++) {
        int64_t place = 0;
        for (unsigned i = 0; i < 3; i++)
            place += axes[next][1 + j][i] * at[i];
        texel[j] = (place + size - 1) / 2;
    }
    *face = next;
    return true;
}
