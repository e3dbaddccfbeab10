//! WAY: subgroupShuffleXor subgroupShuffleDown
//! T,D: uint;word,64 float;float,-1,1,64 vec4;float,-1,1,256
//! FROM: 4 16
//! in s0=D s1=zero,256
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    T v = src[gl_GlobalInvocationID.x];
    for (uint d = FROM; d > 0; d /= 2)
        v += WAY(v, d);
//! if WAY==subgroupShuffleDown
    if (gl_SubgroupInvocationID % (2 * FROM) == 0)
//! end
    dst[gl_GlobalInvocationID.x] = v;
}
