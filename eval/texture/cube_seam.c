/* Over the edges of a cube's face: the texel that a filter takes there when the cube is seamless. */
#include "eval/texture/sample.h"

#include <stdlib.h>

/* Where a texel of a face stands around the middle of the cube, in half texels: `n` along the axis of the face. */
static void to_space(uint32_t face, int64_t s, int64_t t, int64_t n, int64_t at[3])
{
    const int64_t places[6][3] = {{n, -t, -s}, {-n, -t, s}, {s, n, t}, {s, -n, -t}, {s, -t, n}, {-s, -t, -n}};

    for (unsigned i = 0; i < 3; i++)
        at[i] = places[face][i];
}

static void to_face(const int64_t at[3], unsigned axis, uint32_t *face, int64_t *s, int64_t *t)
{
    bool negative = at[axis] < 0;

    *face = 2 * axis + negative;
    *s = axis == 0 ? (negative ? at[2] : -at[2]) : axis == 1 ? at[0] : negative ? -at[0] : at[0];
    *t = axis == 1 ? (negative ? -at[2] : at[2]) : -at[1];
}

bool eval_over_seam(uint32_t *face, int64_t texel[2], int64_t size)
{
    int64_t s = 2 * texel[0] + 1 - size, t = 2 * texel[1] + 1 - size, at[3];
    unsigned major = *face / 2, beyond = major;

    if (llabs(s) > size && llabs(t) > size)
        return false;
    to_space(*face, s, t, size, at);
    for (unsigned i = 0; i < 3; i++)
        if (i != major && llabs(at[i]) > size)
            beyond = i;
    if (beyond == major)
        return true;
    /* What stands out of one face goes down on the other by as much, where an offset leads further to its end. */
    int64_t out = llabs(at[beyond]) - size;
    at[major] = (at[major] < 0 ? -1 : 1) * (size - (out < 2 * size ? out : 2 * size - 1));
    at[beyond] = at[beyond] < 0 ? -size : size;
    to_face(at, beyond, face, &s, &t);
    texel[0] = (s + size - 1) / 2;
    texel[1] = (t + size - 1) / 2;
    return true;
}
