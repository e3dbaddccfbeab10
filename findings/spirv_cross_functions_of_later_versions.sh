#!/bin/sh
# SPIRV-Cross for --version 330 adds an #extension for bindings of blocks, and none for functions that GLSL 3.30
# has not: bitCount, bitfieldReverse and unpackHalf2x16 are written as they are, and the text does not compile. fma is
# written out as a product and a sum, so the newer functions are not left to the driver as a rule. For --es
# --version 300 it is the same with bitCount. Expected: an error, as for integers in version 120.
. "$(dirname "$0")/common.inc"
package glslang-tools=12.0.0-2 spirv-cross=2021.01.15+1.3.239.0-1

cat >"$work/a.frag" <<'C'
#version 450
layout(location = 0) flat in uint n;
layout(location = 1) in vec4 c;
layout(location = 0) out vec4 o;
void main()
{
    o = fma(c, c, c) + vec4(unpackHalf2x16(n), float(bitCount(n)), float(bitfieldReverse(n)));
}
C
"$work/usr/bin/glslangValidator" -V "$work/a.frag" -o "$work/a.spv" >/dev/null
"$work/usr/bin/spirv-cross" "$work/a.spv" --version 330 >"$work/b.frag"
seen '--version 330' 'o = (c * c + c) + vec4(unpackHalf2x16(n), float(bitCount(n)), float(bitfieldReverse(n)));' \
    "$(grep 'o =' "$work/b.frag" | sed 's/^ *//')"
seen 'glslang about that' "'unpackHalf2x16' : required extension not requested: GL_ARB_shading_language_packing" \
    "$("$work/usr/bin/glslangValidator" "$work/b.frag" | sed -n "s/^ERROR: [0-9:]* \('unpack.*\)/\1/p")"
"$work/usr/bin/spirv-cross" "$work/a.spv" --es --version 300 >"$work/c.frag"
seen '--es --version 300, and glslang about it' "'bitCount' : no matching overloaded function found" \
    "$("$work/usr/bin/glslangValidator" "$work/c.frag" | sed -n "s/^ERROR: [0-9:]* \('bitC.*found\).*/\1/p")"
seen '--version 120' 'Unsigned integers are not supported on legacy targets.' \
    "$("$work/usr/bin/spirv-cross" "$work/a.spv" --version 120 2>&1 | sed -n 's/.*exception: //p')"
