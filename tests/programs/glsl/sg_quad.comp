//! OP: subgroupQuadSwapHorizontal(v) subgroupQuadSwapVertical(v) subgroupQuadSwapDiagonal(v) subgroupQuadBroadcast(v,2u)
//! T,D: float;float,-4,4,64 uint;word,64 vec2;float,-1,1,128
//! in s0=D s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    T v = src[i];
    T w = OP;
    dst[i] = v - w;
}
