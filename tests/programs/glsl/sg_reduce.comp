//! OP: subgroupAdd subgroupMul subgroupMin subgroupMax subgroupAnd subgroupOr subgroupXor
//! T,D: uint;word,64 int;int,-99,99,64 uvec2;word,128
//! in s0=D s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    T v = OP(src[i]);
    dst[i] = subgroupElect() ? v : src[i] ^ v;
}
