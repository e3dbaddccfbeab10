#!/bin/sh
# vs_1_1 writes its address register by mov. MojoShader's arb1 profile keeps the opcode, and ARB_vertex_program lets
# nothing but ARL write an ADDRESS, so that a vs_1_1 shader that uses a0 does not load. vs_2_0's mova becomes a
# later ARL, of a rounded temporary. Expected: ARL for both.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_1_1, mov a0.x, v0.x' 'ADDRESS a0;
MOV a0.x, v0.x;' "$(translate arb1 <<'A' | grep a0
vs_1_1
dcl_position v0
mov a0.x, v0.x
mov oPos, v0
A
)"
