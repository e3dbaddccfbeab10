//! T,D: uint;word,64 int;int,-50,50,64 float;float,-1,1,64
//! WIDTH: 4 8 16 32
//! in s0=D s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint lane = gl_SubgroupInvocationID;
    T v = src[gl_GlobalInvocationID.x];
    for (uint k = 2; k <= WIDTH; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            T other = subgroupShuffleXor(v, j);
            bool up = (lane & k) == 0, low = (lane & j) == 0;
            v = up == low ? min(v, other) : max(v, other);
        }
    dst[gl_GlobalInvocationID.x] = v;
}
