#!/bin/sh
# glShadeModel(GL_FLAT) has no effect in Mesa while an ARB fragment program reads fragment.color: it gets the
# interpolated color. Without a fragment program the same triangles are flat. ARB_fragment_program has its color
# "flat or smooth" by the shade model, like fixed function. Expected: the provoking vertex's color in both.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'a strip whose provoking vertices are blue and white, at (4, 4)' 'fixed function: 0 0 1
MOV result.color, fragment.color: 0.4375 0.28125 0.28125' "$(gl flat <<'C'
#include "gl.h"

static void strip(const char *what)
{
    float rgba[4];

    glBegin(GL_TRIANGLE_STRIP);
    glColor3f(1, 0, 0), glVertex2f(-1, -1);
    glColor3f(0, 1, 0), glVertex2f(1, -1);
    glColor3f(0, 0, 1), glVertex2f(-1, 1);
    glColor3f(1, 1, 1), glVertex2f(1, 1);
    glEnd();
    pixel(4, 4, rgba);
    printf("%s: %g %g %g\n", what, rgba[0], rgba[1], rgba[2]);
}

int main(void)
{
    open_context();
    glShadeModel(GL_FLAT);
    strip("fixed function");
    if (load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0 MOV result.color, fragment.color; END") >= 0)
        return 1;
    strip("MOV result.color, fragment.color");
    return 0;
}
C
)"
