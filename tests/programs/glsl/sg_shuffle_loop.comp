//! COUNT: src[i]&7u lane>>2u 5u
//! STEP: subgroupShuffleUp(v,1u) subgroupShuffleXor(v,r+1u) subgroupBroadcastFirst(v) subgroupShuffle(v,0u)
//! in s0=int,0,99,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, v = src[i], n = COUNT, sum = 0;
    for (uint r = 0; r < n; r++) {
        uint live = subgroupBallot(true).x, got = STEP;
//! if STEP==subgroupShuffleUp(v,1u)
        if (lane > 0u && (live & (1u << (lane - 1u))) != 0u)
//! end
//! if STEP==subgroupShuffleXor(v,r+1u)
        if ((live & (1u << (lane ^ (r + 1u)))) != 0u)
//! end
//! if STEP==subgroupShuffle(v,0u)
        if ((live & 1u) != 0u)
//! end
            sum += got;
        v = v * 3u + 1u;
    }
    dst[i] = sum;
}
