#!/bin/sh
# GL_PROGRAM_ERROR_POSITION_ARB is the byte offset of the error, says ARB_vertex_program. Mesa's number leaves out the
# header and counts each line feed twice: an error at byte 32 is at 24 on one line and at 25 behind a line feed, one
# at byte 36 behind five line feeds at 33. The message beside it has the line and the character, counted from 1, and is
# right. Expected: the byte.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'the x that nobody declared' 'byte 32: Mesa says 24, line 1, char 33
byte 32: Mesa says 25, line 2, char 22
byte 36: Mesa says 33, line 6, char 22' "$(gl position <<'C'
#include "gl.h"

static void ask(const char *text)
{
    int at = load(GL_VERTEX_PROGRAM_ARB, text);
    const char *message = (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB);

    printf("byte %d: Mesa says %d, %.*s\n", (int)(strstr(text, "x;") - text), at,
           (int)strcspn(message, ":"), message);
}

int main(void)
{
    open_context();
    ask("!!ARBvp1.0 MOV result.position, x; END");
    ask("!!ARBvp1.0\nMOV result.position, x; END");
    ask("!!ARBvp1.0\n\n\n\n\nMOV result.position, x; END");
    return 0;
}
C
)"
