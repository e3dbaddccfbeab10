/* Levels of detail from derivatives, as the driver was measured to compute them (docs/numbers.md, "Textures"): about
 * the length of vectors (lod.h), a table of logarithms. */
#include "eval/numeric/lod.h"
#include "eval/numeric/sfu.h"
#include "eval/numeric/words.h"
#include "eval/texture/sample.h"

#include <math.h>
#include <string.h>

/* log2(1 + (i + 1/2) / 256) in units of 1/256, but where the driver says one less. */
static lod_t logarithm_of(unsigned i)
{
    static const uint8_t table[256] = {
        0, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 32, 34, 35, 36, 38, 39,
        40, 42, 43, 44, 45, 47, 48, 49, 50, 52, 53, 54, 55, 57, 58, 59, 60, 62, 63, 64, 65, 66, 68, 69, 70, 71, 72,
        74, 75, 76, 77, 78, 79, 81, 82, 83, 84, 85, 86, 88, 89, 90, 91, 92, 93, 94, 95, 97, 98, 99, 100, 101, 102,
        103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125,
        126, 127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147,
        148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168,
        169, 170, 171, 172, 173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186, 187, 188,
        188, 189, 190, 191, 192, 193, 194, 195, 195, 196, 197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206,
        207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218, 218, 219, 220, 221, 222, 222, 223, 224,
        225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241,
        242, 242, 243, 244, 245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253, 253, 254, 255, 255
    };
    return table[i];
}

lod_t eval_lod_of_rho(double rho)
{
    uint64_t word = num_word64(rho);

    if (!(rho < 0x1p100))
        return MOST_LOD;
    if (rho < 0x1p-100)
        return -MOST_LOD;
    return ((lod_t)(word >> 52) - 1023) * ONE_LEVEL + logarithm_of(word >> 44 & 255);
}

static double in_texels(double derivative, uint32_t size)
{
    return lod_in_texels(derivative, size, lod_power(size));
}

lod_t eval_lod_of_derivatives(const float dx[3], const float dy[3], const uint32_t size[3], unsigned n)
{
    double x[3] = {0}, y[3] = {0};

    for (unsigned i = 0; i < n; i++) {
        x[i] = in_texels(dx[i], size[i]);
        y[i] = in_texels(dy[i], size[i]);
    }
    return eval_lod_of_rho(lod_rho(x, y, n, true));
}

/* ---- cubes -------------------------------------------------------------------------------------------------- */

/* A direction divided by its greatest component: which one that is, and on which side. NaN is the least, and nothing on
 * the way. */
struct ray {
    float at[3];
    unsigned axis;
    bool negative;
};

/* A coordinate on a face, of 24 bits. */
static float on_face(float x)
{
    if (isnan(x))
        return 0;
    return x >= 1 ? 1 : x <= -1 ? -1 : (float)ldexp(trunc(ldexp(x, 24)), -24);
}

static struct ray ray_of(const float d[3])
{
    struct ray r;
    float greatest = 0, scale, size[3];

    for (unsigned i = 0; i < 3; i++)
        greatest = fabsf(d[i]) > greatest ? fabsf(d[i]) : greatest;
    scale = num_float(eval_sfu_rcp(num_word(greatest)));
    for (unsigned i = 0; i < 3; i++) {
        r.at[i] = d[i] * scale;
        size[i] = isnan(r.at[i]) ? -1 : fabsf(r.at[i]);
    }
    r.axis = size[2] >= size[0] && size[2] >= size[1] ? 2 : size[1] >= size[0] ? 1 : 0;
    r.negative = r.at[r.axis] < 0;
    for (unsigned i = 0; i < 3; i++)
        r.at[i] = on_face(r.at[i]);
    return r;
}

/* Of a way over a face, which goes from -1 to 1. */
static double part_in_texels(double way, uint32_t size)
{
    return lod_cut(in_texels(way / 2, size), 10);
}

/* How far it is from one direction to another in texels, along the two axes of the first one's face. Beyond its edge
 * the other face goes on, unfolded: what lies on each of the two is cut by itself. The opposite face is one size away.
 * Returns whether both are on one face. */
static bool differences(const struct ray *from, const struct ray *to, uint32_t size, double out[3])
{
    unsigned n = 0, k = from->axis, j = to->axis;

    for (unsigned axis = 0; axis < 3; axis++) {
        double a = from->at[axis], b = to->at[axis], side = to->negative ? -1 : 1;
        if (axis == k)
            continue;
        if (j != k && axis == j)    /* to the edge, and from there on */
            out[n++] = side * (part_in_texels(1 - side * a, size) +
                               part_in_texels(1 - (from->negative ? -1 : 1) * (double)to->at[k], size));
        else
            out[n++] = in_texels((b - a) / 2, size);
    }
    out[2] = j == k && from->negative != to->negative ? size : 0;
    return j == k && from->negative == to->negative;
}

lod_t eval_lod_of_cube(const float at[3], const float right[3], const float down[3], uint32_t size)
{
    double dx[3] = {0}, dy[3] = {0};
    struct ray here = ray_of(at), x = ray_of(right), y = ray_of(down);
    bool one = differences(&here, &x, size, dx), other = differences(&here, &y, size, dy);

    return eval_lod_of_rho(lod_rho(dx, dy, 3, one && other));
}
