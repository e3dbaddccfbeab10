//! OUTER: (v&1u)==0u lane<20u
//! INNER: (v&2u)==0u lane>9u v>40u
//! OP: subgroupAdd(v) subgroupMax(v) subgroupBallot(true).x subgroupInclusiveAdd(1u)
//! in s0=int,0,99,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, v = src[i], r = 0;
    if (OUTER) {
        r = OP;
        if (INNER)
            r ^= OP << 1;
        else
            r += OP * 7u;
    } else if (INNER) {
        r = OP + 5u;
    }
    dst[i] = r + OP;
}
