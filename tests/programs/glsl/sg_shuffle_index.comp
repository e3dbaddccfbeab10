//! INDEX: src[i]&31u (lane*5u+3u)&31u 31u-lane lane^src[i]&7u
//! T: uint float ivec2
//! in s0=int,0,31,64 s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Src { uint src[]; };
layout(std430, binding = 1) buffer Dst { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
    T v = T(src[i] * 3u + lane);
    dst[i] = subgroupShuffle(v, INDEX);
}
