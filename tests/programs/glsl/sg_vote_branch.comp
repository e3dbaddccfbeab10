//! TEST: v<0.0 v>0.9 fract(v*3.0)<0.5
//! HOW: subgroupAny subgroupAll
//! in s0=float,-1,1,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float v = src[i];
    if (HOW(TEST))
        v = sqrt(abs(v));
    else
        v = v * v + 1.0;
    if ((i & 1) == 0 && HOW(TEST))
        v -= 10.0;
    dst[i] = v;
}
