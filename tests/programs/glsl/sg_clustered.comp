//! OP: subgroupClusteredAdd subgroupClusteredMin subgroupClusteredMax subgroupClusteredXor
//! SIZE: 2 4 8 16 32
//! T,D: uint;word,64 int;int,-50,50,64
//! in s0=D s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    T v = OP(src[i], SIZE);
    if ((i & 1) == 1)
        v += OP(v, 4);
    dst[i] = v;
}
