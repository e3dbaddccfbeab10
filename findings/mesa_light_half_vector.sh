#!/bin/sh
# state.light[n].half is zero in Mesa while the light stands where GL puts it at first, (0, 0, 1, 0), also when an
# application sets that very position and lighting is on; state.light[n].position is right all the time. Any other
# position gives the half vector, and so does the first one again after that. Expected: (0, 0, 1) throughout.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'state.light[0].half' 'at first: 0 0 0
lighting on: 0 0 0
set to (0, 0, 1, 0): 0 0 0
set to (1, 0, 0, 0): 0.707107 0 0.707107
set to (0, 0, 1, 0): 0 0 1' "$(gl half <<'C'
#include "gl.h"

static void show(const char *what, const float *position)
{
    float rgba[4];

    if (position)
        glLightfv(GL_LIGHT0, GL_POSITION, position);
    glRectf(-1, -1, 1, 1);
    pixel(8, 8, rgba);
    printf("%s: %g %g %g\n", what, rgba[0], rgba[1], rgba[2]);
}

int main(void)
{
    static const float first[4] = {0, 0, 1, 0}, side[4] = {1, 0, 0, 0};

    open_context();
    if (load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0 MOV result.color, state.light[0].half; END") >= 0)
        return 1;
    show("at first", NULL);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    show("lighting on", NULL);
    show("set to (0, 0, 1, 0)", first);
    show("set to (1, 0, 0, 0)", side);
    show("set to (0, 0, 1, 0)", first);
    return 0;
}
C
)"
