#!/bin/sh
# What the glsl profile writes and no GLSL compiler takes: dst under a mask assigns four components to fewer, oFog and
# oPts of a shader older than vs_3_0 are a vector for a float and a variable of no such name. And what means another
# thing than the shader and than the nv profiles: nrm divides by the length of all four components, log is NaN of a
# negative number. Expected: components as the mask says, gl_PointSize, normalize() of xyz, log2(abs()).
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

statements()
{
    translate "$1" | sed -n '/main()/,$p; /^OUTPUT/,$p' | grep -E "$2" | tr -d '\t'
}
shader()
{
    printf 'vs_2_0\ndcl_position v0\nmov r0, v0\nmov r1, v0\n%s\nmov oPos, r0\n' "$1"
}

seen 'dst r0.xy, r0, r1' 'vs_r0.xy = vec4(1.0, vs_r0.y * vs_r1.y, vs_r0.z, vs_r1.w);' \
    "$(shader 'dst r0.xy, r0, r1' | statements glsl r0.xy)"
seen 'oPts' '#define vs_oPts gl_PointSize2' "$(shader 'mov oPts, r0.x' | translate glsl | grep 'define vs_oPts')"
seen 'nrm r0, r1' 'vs_r0 = normalize(vs_r1);' "$(shader 'nrm r0, r1' | statements glsl normalize)"
seen 'nrm r0, r1 as nv3' 'DP3 scratch0.w, r1, r1;' "$(shader 'nrm r0, r1' | statements nv3 DP3)"
seen 'log r0, -r1.x' 'vs_r0 = log2(-vs_r1.xxxx);' "$(shader 'log r0, -r1.x' | statements glsl log2)"
