#!/bin/sh
# sincos in a vs_2_0 shader: for lack of SCS, MojoShader's arb1 profile writes a parabola through v0.x. It makes the
# angle of the cosine in scratch0.x, and then computes the second result from v0.x again: r0.y is the sine, and r0.x,
# which Direct3D wants to be the cosine, is left with an intermediate product, -0.405 |v0.x|. Expected: the last four
# instructions read scratch0 and write r0.x.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_2_0, sincos r0.xy, v0.x' 'ADD scratch0.x, v0.x, 1.57079637050628662109375;
SGE scratch0.y, scratch0.x, 3.1415927410125732421875;
MAD scratch0.x, scratch0.y, -6.283185482025146484375, scratch0.x;
ABS r0.x, v0.x;
MUL r0.x, r0.x, -0.40528473456935108577551785283891;
MUL scratch0.x, v0.x, 1.2732395447351626861510701069801;
MAD r0.y, r0.x, v0.x, scratch0.x;
MOV oPos, r0;' "$(translate arb1 <<'A' | sed -n '/^ADD/,/^MOV/p'
vs_2_0
dcl_position v0
mov r0, v0
sincos r0.xy, v0.x, c1, c2
mov oPos, r0
A
)"
