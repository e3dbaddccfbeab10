#!/bin/sh
# User clip planes are off under a vertex program that is not position invariant (ARB_vertex_program: "treated as
# disabled"). Mesa clips by them all the same, by the position that the program wrote. Expected: both halves drawn.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'clip plane x >= 0' 'result.position written by the program: left clipped, right drawn
OPTION ARB_position_invariant: left clipped, right drawn' "$(gl clip <<'C'
#include "gl.h"

static void draw(const char *what, const char *text)
{
    float left[4], right[4];

    if (load(GL_VERTEX_PROGRAM_ARB, text) >= 0)
        exit(1);
    glClear(GL_COLOR_BUFFER_BIT);
    glRectf(-1, -1, 1, 1);
    pixel(4, 8, left);
    pixel(12, 8, right);
    printf("%s: left %s, right %s\n", what, left[0] > 0 ? "drawn" : "clipped", right[0] > 0 ? "drawn" : "clipped");
}

int main(void)
{
    static const double plane[4] = {1, 0, 0, 0};

    open_context();
    glClipPlane(GL_CLIP_PLANE0, plane);
    glEnable(GL_CLIP_PLANE0);
    draw("result.position written by the program",
         "!!ARBvp1.0 MOV result.position, vertex.position; MOV result.color, 1; END");
    draw("OPTION ARB_position_invariant", "!!ARBvp1.0 OPTION ARB_position_invariant; MOV result.color, 1; END");
    return 0;
}
C
)"
