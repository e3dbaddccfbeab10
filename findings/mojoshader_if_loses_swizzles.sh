#!/bin/sh
# if_ge r0.y, r1.z in the nv profiles: the comparison becomes SGEC scratch0.x, r0, r1, which compares x with x whatever
# the shader compares; and if_lt becomes SGTC, as if_gt does. The glsl profile has both right. Expected: SGEC
# scratch0.x, r0.y, r1.z, and SLTC.
. "$(dirname "$0")/common.inc"
. "$here/mojoshader.inc"

shader()
{
    printf '%s\n' vs_2_x 'dcl_position v0' 'mov r0, v0' 'mov r1, v0' "if_$1 r0.y, r1.z" 'add r0, r0, r1' endif \
        'mov oPos, r0'
}

seen 'if_ge as nv4' 'SGEC scratch0.x, r0, r1;' "$(shader ge | translate nv4 | grep '^S')"
seen 'if_lt as nv4' 'SGTC scratch0.x, r0, r1;' "$(shader lt | translate nv4 | grep '^S')"
seen 'if_lt as nv3' 'SGTC scratch0.x, r0, r1;' "$(shader lt | translate nv3 | grep '^S')"
seen 'if_lt as GLSL' 'if (vs_r0.y < vs_r1.z) {' "$(shader lt | translate glsl | grep 'if ' | tr -d '\t')"
