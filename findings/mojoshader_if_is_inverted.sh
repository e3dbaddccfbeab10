#!/bin/sh
# if_gt in the profiles with structured flow (nv4, and nv2 for pixel shaders): MojoShader sets flags by SGTC, which
# gives 1 where the comparison holds, and then writes IF EQ, which is taken where the result is 0. The two sides are
# exchanged. The profiles that jump (nv2 for vertex shaders) test the same flags by BRA EQ over the first side, which
# is right: the test was carried over without turning it. Expected: IF NE.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_3_0, if_gt as nv4: the side of "greater" adds' 'SGTC scratch0.x, v0, v0;
IF EQ.x;
ADD r0, r0, v0;
ELSE;
MUL r0, r0, v0;
ENDIF;' "$(translate nv4 <<'A' | sed -n '/SGTC/,/ENDIF/p'
vs_3_0
dcl_position v0
dcl_position o0
mov r0, v0
if_gt v0.x, v0.y
add r0, r0, v0
else
mul r0, r0, v0
endif
mov o0, r0
A
)"
seen 'vs_2_0, if_gt as nv2' 'SGTC scratch0.x, v0, v0;
BRA branch_label0 (EQ.x);
ADD r0, r0, v0;' "$(translate nv2 <<'A' | sed -n '/SGTC/,/ADD/p'
vs_2_0
dcl_position v0
mov r0, v0
if_gt v0.x, v0.y
add r0, r0, v0
else
mul r0, r0, v0
endif
mov oPos, r0
A
)"
