//! COND: lane<16u (lane&1u)==0u (src[i]&4u)!=0u lane%3u!=1u
//! MASK: 1u 2u
//! in s0=int,0,31,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, v = src[i] * 11u + lane;
    if (COND) {
        uint other = lane ^ MASK;
        uint got = subgroupShuffle(v, other);
        uvec4 live = subgroupBallot(true);
        v = subgroupBallotBitExtract(live, other) ? got + 1000u : subgroupBallotBitCount(live);
    } else {
        v = subgroupBroadcastFirst(v) - v;
    }
    dst[i] = v + subgroupBallot(v > 500u).x;
}
