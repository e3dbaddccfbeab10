#!/bin/sh
# glslang folds a division of constants by -0.0 as if by 0.0: 1.0 / -0.0 is +Inf in its SPIR-V, although the constant
# -0.0 itself keeps its sign. spirv-opt folds the same OpFDiv to -Inf, so that what a shader computes hangs on which
# of the two folds first. Expected: -Inf.
. "$(dirname "$0")/common.inc"
package glslang-tools=12.0.0-2 spirv-tools=2023.1-2

cat >"$work/a.comp" <<'C'
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { float f[]; };
void main()
{
    f[0] = -0.0;
    f[1] = 1.0 / -0.0;
    f[2] = -1.0 / -0.0;
}
C
"$work/usr/bin/glslangValidator" -V "$work/a.comp" -o "$work/a.spv" >/dev/null
seen 'glslang: -0.0, 1.0 / -0.0, -1.0 / -0.0' '%float_n0
%float_0x1p_128
%float_n0x1p_128' "$("$work/usr/bin/spirv-dis" "$work/a.spv" | awk '/OpStore/ {print $3}')"

cat >"$work/b.spvasm" <<'C'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%p = OpTypePointer Output %float
%out = OpVariable %p Output
%one = OpConstant %float 1
%minus = OpConstant %float -0.0
%main = OpFunction %void None %fn
%l = OpLabel
%d = OpFDiv %float %one %minus
OpStore %out %d
OpReturn
OpFunctionEnd
C
"$work/usr/bin/spirv-as" "$work/b.spvasm" -o "$work/b.spv"
"$work/usr/bin/spirv-opt" -O "$work/b.spv" -o "$work/c.spv"
seen 'spirv-opt -O: 1.0 / -0.0' '%float_n0x1p_128' "$("$work/usr/bin/spirv-dis" "$work/c.spv" |
    awk '/OpStore/ {print $3}')"
