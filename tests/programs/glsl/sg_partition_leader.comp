//! T,D: uint;int,0,3,64 float;int,0,2,64 ivec2;int,0,1,128
//! in s0=D s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_NV_shader_subgroup_partitioned : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { uvec2 dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 same = subgroupPartitionNV(src[i]);
    uint leader = subgroupBallotFindLSB(same);
    dst[i] = uvec2(leader == gl_SubgroupInvocationID ? subgroupBallotBitCount(same) : 0u, same.x);
}
