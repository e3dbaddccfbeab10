#!/bin/sh
# LIT in Mesa's software driver. ARB_vertex_program defines 0^0 as 1 for it, so that (1, 0, -, 0) gives z = 1: Mesa
# gives 0. And where x is NaN, which is not above 0, y is 0 as it should be, and z is the power all the same.
# Expected: z = 1, and z = 0.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'LIT' 'x 1, y 0, w 0: 1 1 0 1
x NaN, y 0.5, w 1: 1 0 0.5 1' "$(gl lit <<'C'
#include "gl.h"

static void lit(float x, float y, float w, const char *what)
{
    float rgba[4];

    local_parameter(GL_FRAGMENT_PROGRAM_ARB, 0, x, y, 0, w);
    glRectf(-1, -1, 1, 1);
    pixel(8, 8, rgba);
    printf("%s: %g %g %g %g\n", what, rgba[0], rgba[1], rgba[2], rgba[3]);
}

int main(void)
{
    open_context();
    if (load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0 LIT result.color, program.local[0]; END") >= 0)
        return 1;
    lit(1, 0, 0, "x 1, y 0, w 0");
    lit(0.0f / 0.0f, 0.5f, 1, "x NaN, y 0.5, w 1");
    return 0;
}
C
)"
