#!/bin/sh
# A rep block in a vs_2_0 shader: MojoShader's nv2 profile loads the count into rep1 and counts rep0 down, and declares
# rep0 alone. GL refuses the program for the name that nobody declared; with both declared it would count what nothing
# has written. Expected: one register for both.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_2_0, rep i0 as nv2' 'TEMP rep0;
MOVC rep1.x, i0;
SUBC rep0.x, rep0.x, 1.0;' "$(translate nv2 <<'A' | grep rep
vs_2_0
defi i0, 4, 0, 1, 0
dcl_position v0
mov r0, v0
rep i0
add r0, r0, v0
endrep
mov oPos, r0
A
)"
