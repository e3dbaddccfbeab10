#!/bin/sh
# glslang computes with constants of GLSL in double precision, and takes their literals so: fract(1.344) is the single
# 0x3eb020c5 in its module. 1.344 as a single is 0x3fac0831, of which fract() leaves 0x3eb020c4, as a driver gives it
# that is told the number. What goes through uintBitsToFloat() glslang does not compute with.
# Expected: 0.343999982, which is 0x3eb020c4.
. "$(dirname "$0")/common.inc"
package glslang-tools=12.0.0-2 spirv-tools=2023.1-2

# folded NUMBER: the constants of a shader that gives fract(NUMBER), and whether it calls Fract
folded()
{
    printf '#version 450\nlayout(location = 0) out float o;\nvoid main() { o = fract(%s); }\n' "$1" >"$work/a.frag"
    "$work/usr/bin/glslangValidator" -G "$work/a.frag" -o "$work/a.spv" >/dev/null
    "$work/usr/bin/spirv-dis" --raw-id "$work/a.spv" | sed -n 's/.* OpConstant %6 /constant /p; s/.* Fract .*/Fract/p'
}

seen 'fract(1.344)' 'constant 0.344000012' "$(folded 1.344)"
seen 'of the same bits' Fract "$(folded 'uintBitsToFloat(0x3fac0831u)')"
