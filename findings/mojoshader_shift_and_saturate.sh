#!/bin/sh
# ps_1_1's result shifts come before its clamp: mul_d2_sat is clamp(a b / 2). MojoShader's arb1 profile clamps twice,
# and the first time before the shift, so that a product of 1.5 gives 0.5 and not 0.75. Expected: the first MUL has no
# _SAT.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

seen 'ps_1_1, mul_d2_sat r0, v0, c0' 'MUL_SAT r0, v0, c0;
MUL_SAT r0, r0, 0.5;' "$(translate arb1 <<'A' | grep MUL
ps_1_1
mul_d2_sat r0, v0, c0
A
)"
