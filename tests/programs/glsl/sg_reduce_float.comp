//! OP: subgroupAdd subgroupMul subgroupMin subgroupMax subgroupInclusiveAdd subgroupExclusiveAdd subgroupInclusiveMax
//! T,D: float;float,0.5,1.5,64 vec2;float,-1,1,128 double;double,-1,1,64
//! in s0=D s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    dst[i] = OP(src[i]);
}
