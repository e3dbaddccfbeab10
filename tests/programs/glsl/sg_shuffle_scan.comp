//! T,D: uint;int,0,9,64 float;float,0,1,64 double;double,0,1,64
//! OP: a+b max(a,b) a*b
//! in s0=D s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
T op(T a, T b) { return OP; }
void main() {
    T v = src[gl_GlobalInvocationID.x];
    for (uint d = 1; d < 32; d <<= 1) {
        T below = subgroupShuffleUp(v, d);
        if (gl_SubgroupInvocationID >= d)
            v = op(below, v);
    }
    dst[gl_GlobalInvocationID.x] = v;
}
