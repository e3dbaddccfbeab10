//! TEST: v>50u (v&3u)==1u
//! ELECT: subgroupElect() gl_SubgroupInvocationID==subgroupBallotFindLSB(m)
//! in s0=int,0,99,64 s1=zero,65
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    for (uint half_index = 0; half_index < 2; half_index++) {
        uint v = src[half_index * 32 + gl_LocalInvocationIndex];
        if (TEST) {
            uvec4 m = subgroupBallot(true);
            uint base = 0;
            if (ELECT)
                base = atomicAdd(dst[64], subgroupBallotBitCount(m));
            base = subgroupBroadcastFirst(base);
            dst[base + subgroupBallotExclusiveBitCount(m)] = v;
        }
    }
}
