#!/bin/sh
# glslang gives every texture fetch outside of fragment shaders a level, 0. Rectangles have no levels: GLSL takes
# texture() and textureProj() of sampler2DRect in a vertex shader, and what glslang makes of them is SPIR-V that
# spirv-val refuses, since Lod wants 1D, 2D, 3D or Cube. The same fetch in a fragment shader is valid, and so is
# texelFetch() in a vertex shader. Expected: a valid module from a shader that is one.
. "$(dirname "$0")/common.inc"
package glslang-tools=12.0.0-2 spirv-tools=2023.1-2

# verdict STAGE EXPRESSION: what spirv-val says of a shader that reads a rectangle so
verdict()
{
    cat >"$work/a.$1" <<C
#version 330
uniform sampler2DRect t;
in vec3 p;
out vec4 c;
void main()
{
    c = $2;
}
C
    "$work/usr/bin/glslangValidator" -G --aml "$work/a.$1" -o "$work/a.spv" >/dev/null
    "$work/usr/bin/spirv-val" --target-env opengl4.5 "$work/a.spv" 2>&1 | sed -n '1s/^error: line [0-9]*: //p'
}

refused="Image Operand Lod requires 'Dim' parameter to be 1D, 2D, 3D or Cube"
seen 'vertex, texture(t, p.xy)' "$refused" "$(verdict vert 'texture(t, p.xy)')"
seen 'vertex, textureProj(t, p)' "$refused" "$(verdict vert 'textureProj(t, p)')"
seen 'vertex, texelFetch(t, ivec2(p.xy))' '' "$(verdict vert 'texelFetch(t, ivec2(p.xy))')"
seen 'fragment, textureProj(t, p)' '' "$(verdict frag 'textureProj(t, p)')"
