#!/bin/sh
# What glGetProgramivARB counts in Mesa: END is an instruction, also a native one, and no program has a texture
# indirection, however its fetches hang on each other. Expected for three fetches, each by the result of the one
# before, and a MOV: 4 instructions, 3 of textures, 3 or 4 indirections (ARB_fragment_program: at least 1).
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"

seen 'three dependent TEX and a MOV' 'instructions 5, native 5
of arithmetic 1, of textures 3
texture indirections 0, native 0' "$(gl counts <<'C'
#include "gl.h"

static int count(GLenum what)
{
    GLint n;

    get_program(GL_FRAGMENT_PROGRAM_ARB, what, &n);
    return n;
}

int main(void)
{
    open_context();
    if (load(GL_FRAGMENT_PROGRAM_ARB, "!!ARBfp1.0 TEMP a; TEX a, fragment.texcoord[0], texture[0], 2D;"
                                      "TEX a, a, texture[0], 2D; TEX a, a, texture[0], 2D;"
                                      "MOV result.color, a; END") >= 0)
        return 1;
    printf("instructions %d, native %d\n", count(GL_PROGRAM_INSTRUCTIONS_ARB),
           count(GL_PROGRAM_NATIVE_INSTRUCTIONS_ARB));
    printf("of arithmetic %d, of textures %d\n", count(GL_PROGRAM_ALU_INSTRUCTIONS_ARB),
           count(GL_PROGRAM_TEX_INSTRUCTIONS_ARB));
    printf("texture indirections %d, native %d\n", count(GL_PROGRAM_TEX_INDIRECTIONS_ARB),
           count(GL_PROGRAM_NATIVE_TEX_INDIRECTIONS_ARB));
    return 0;
}
C
)"
