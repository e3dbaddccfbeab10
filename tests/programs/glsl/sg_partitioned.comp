//! OP: subgroupPartitionedAddNV subgroupPartitionedMinNV subgroupPartitionedInclusiveAddNV subgroupPartitionedExclusiveAddNV
//! KEY: src[i]&3u src[i]%5u i/8u
//! in s0=int,0,50,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_NV_shader_subgroup_partitioned : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec4 same = subgroupPartitionNV(KEY);
    dst[i] = OP(src[i], same);
}
