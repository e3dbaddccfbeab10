#!/bin/sh
# MojoShader's arb1 profile numbers the fog and point size outputs of a vs_1_1 or vs_2_0 shader by their place in
# Direct3D's register file: oFog becomes result.fogcoord1, oPts result.pointsize2. ARB_vertex_program has neither name,
# so every vertex shader with fog that is older than vs_3_0 is refused by GL. Expected: result.fogcoord and
# result.pointsize, which is what the same profile writes for vs_3_0's dcl_fog and dcl_psize.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_2_0, oFog and oPts' 'OUTPUT oFog = result.fogcoord1;
OUTPUT oPts = result.pointsize2;' "$(translate arb1 <<'A' | grep -E 'oFog =|oPts ='
vs_2_0
dcl_position v0
mov oPos, v0
mov oFog, v0.x
mov oPts, v0.y
A
)"
seen 'vs_3_0, dcl_fog and dcl_psize' 'OUTPUT o1 = result.fogcoord;
OUTPUT o2 = result.pointsize;' "$(translate arb1 <<'A' | grep -E 'o[12] ='
vs_3_0
dcl_position v0
dcl_position o0
dcl_fog o1
dcl_psize o2
mov o0, v0
mov o1, v0.x
mov o2, v0.y
A
)"
