#!/bin/sh
# A number without a point in an ARB program is read by Mesa as an int of 32 bits, whatever is above bit 31 is lost, and
# what is left has a sign; no error is given. 2147483648 is -2147483648, and 4294967297 is 1. With a point behind it
# each is what it says. Expected: the nearest float, as the grammar makes no difference between the two forms.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'literals in MOV' '2147483647: 2147483648
2147483648: -2147483648
4294967296: 0
4294967297: 1
99999999999: 1215752192
99999999999.: 99999997952' "$(gl literals <<'C'
#include "gl.h"

int main(void)
{
    static const char *const literals[] = {"2147483647", "2147483648", "4294967296", "4294967297", "99999999999",
                                           "99999999999."};
    open_context();
    for (unsigned i = 0; i < sizeof literals / sizeof *literals; i++) {
        char text[128];
        float rgba[4];
        snprintf(text, sizeof text, "!!ARBfp1.0 MOV result.color, %s; END", literals[i]);
        if (load(GL_FRAGMENT_PROGRAM_ARB, text) >= 0)
            return 1;
        glRectf(-1, -1, 1, 1);
        pixel(8, 8, rgba);
        printf("%s: %.0f\n", literals[i], rgba[0]);
    }
    return 0;
}
C
)"
