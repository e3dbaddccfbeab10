#!/bin/sh
# A fragment program with a fog option and ARB_draw_buffers: Mesa applies no fog to result.color[0], which is the colour
# that result.color names, and clamps nothing. Without ARB_draw_buffers it does both, alpha's clamp included.
# Expected: the same colour from both.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'colours of 3.5 under linear fog that hides all' 'result.color: 0.25 0.5 0.75 1
result.color[0]: 3.5 3.5 3.5 3.5' "$(gl fog <<'C'
#include "gl.h"

static void draw(const char *what, const char *text)
{
    float rgba[4], color[4] = {0.25f, 0.5f, 0.75f, 1};

    if (load(GL_FRAGMENT_PROGRAM_ARB, text) >= 0)
        exit(1);
    glFogfv(GL_FOG_COLOR, color);
    glFogf(GL_FOG_START, -1);
    glFogf(GL_FOG_END, 0);
    glFogi(GL_FOG_COORD_SRC, GL_FOG_COORD);
    glRectf(-1, -1, 1, 1);
    pixel(8, 8, rgba);
    printf("%s: %g %g %g %g\n", what, rgba[0], rgba[1], rgba[2], rgba[3]);
}

int main(void)
{
    open_context();
    draw("result.color", "!!ARBfp1.0 OPTION ARB_fog_linear; MOV result.color, 3.5; END");
    draw("result.color[0]", "!!ARBfp1.0 OPTION ARB_fog_linear; OPTION ARB_draw_buffers; MOV result.color[0], 3.5; END");
    return 0;
}
C
)"
