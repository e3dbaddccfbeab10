#!/bin/sh
# _sat on an output of a vertex shader: ARB_vertex_program has no _SAT, and MojoShader clamps by MIN and MAX on the
# output itself. Results of ARB vertex programs cannot be read, so GL refuses the program. Expected: a temporary.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'vs_2_0, mov_sat oD0, v0' 'OUTPUT oD0 = result.color.primary;
MOV oD0, v0;
MIN oD0, oD0, 1.0;
MAX oD0, oD0, 0.0;' "$(translate arb1 <<'A' | grep oD0
vs_2_0
dcl_position v0
mov oPos, v0
mov_sat oD0, v0
A
)"
