//! TEST: (v&1u)!=0u v>gl_SubgroupInvocationID v%7u<3u
//! GIVE: subgroupBallotExclusiveBitCount(m) subgroupBallotInclusiveBitCount(m) subgroupBallotBitCount(m) subgroupBallotFindLSB(m) subgroupBallotFindMSB(m)
//! in s0=int,0,63,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, v = src[i];
    uvec4 m = subgroupBallot(TEST);
    dst[i] = m.x == 0u ? 77u : GIVE;
}
