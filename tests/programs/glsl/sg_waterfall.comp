//! KEY: src[i]&3u src[i]>>4 i%6u
//! BODY: sum count weight
//! in s0=int,0,63,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, key = KEY, r = 0;
    for (uint guard = 0; guard < 32; guard++) {
        uint now = subgroupBroadcastFirst(key);
        if (now == key) {
//! if BODY==sum
            r = subgroupAdd(src[i]) + guard;
//! end
//! if BODY==count
            r = subgroupBallotBitCount(subgroupBallot(true)) * 100u + guard;
//! end
//! if BODY==weight
            r = subgroupExclusiveAdd(src[i] * 2u) ^ now;
//! end
            break;
        }
    }
    dst[i] = r;
}
