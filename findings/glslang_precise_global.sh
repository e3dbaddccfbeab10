#!/bin/sh
# A global variable of GLSL that is declared `precise`: glslang makes it a local one of the first function that touches
# it, and every other function then reads an identifier that its module defines elsewhere, which spirv-val refuses.
# Without the qualifier it is a private variable of the module, and all is well.
# Expected: the same module with NoContraction.
. "$(dirname "$0")/common.inc"
package glslang-tools=12.0.0-2 spirv-tools=2023.1-2

# verdict QUALIFIER BODY: what spirv-val says of a shader whose main has BODY and f() has `a = i * 2.0 + i;`
verdict()
{
    cat >"$work/a.frag" <<C
#version 450
layout(location = 0) in vec4 i;
layout(location = 0) out vec4 o;
$1 vec4 a;
void f()
{
    a = i * 2.0 + i;
}
void main()
{
    $2
    o = a;
}
C
    "$work/usr/bin/glslangValidator" -G --aml "$work/a.frag" -o "$work/a.spv" >/dev/null
    "$work/usr/bin/spirv-val" --target-env opengl4.5 "$work/a.spv" 2>&1 |
        sed -n "1s/^error: line [0-9]*: ID '[0-9]*/ID '/p"
}

seen 'no qualifier, f() assigns and main reads' '' "$(verdict '' 'f();')"
seen 'precise, f() assigns and main reads' "ID '[%a]' has not been defined" "$(verdict precise 'f();')"
seen 'a local of f()' '%_ptr_Function_v4float Function' "$("$work/usr/bin/spirv-dis" "$work/a.spv" |
    sed -n 's/^ *%a = OpVariable //p')"
