//! OP: subgroupInclusiveAdd subgroupExclusiveAdd subgroupInclusiveMin subgroupExclusiveMax subgroupInclusiveXor subgroupExclusiveOr
//! T: uint int uvec4
//! COND: (i&3u)!=0u src[i]!=src[0] i<20u
//! in s0=int,0,1000,256 s1=zero,256
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (COND)
        dst[i] = OP(src[i]);
    else
        dst[i] = subgroupMax(src[i]);
}
