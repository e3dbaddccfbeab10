//! STEP: v>>=1 v-=v/3u+1u v=v&(v-1u)
//! GIVE: ballot rank first
//! in s0=int,1,500,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, v = src[i], acc = 0;
    while (v != 0u) {
        uvec4 live = subgroupBallot(true);
//! if GIVE==ballot
        acc = acc * 31u + live.x;
//! end
//! if GIVE==rank
        acc += subgroupBallotExclusiveBitCount(live);
//! end
//! if GIVE==first
        acc ^= subgroupBroadcastFirst(v) << (acc & 7u);
//! end
        STEP;
    }
    dst[i] = acc;
}
