//! F: shuffleNV shuffleUpNV shuffleDownNV shuffleXorNV
//! WIDTH: 4u 8u 16u 32u
//! T,D: uint;word,64 float;float,-2,2,64 ivec2;word,128
//! in s0=D s1=zero,128
#version 460
#extension GL_NV_shader_thread_group : require
#extension GL_NV_shader_thread_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    bool ok;
    T got = F(src[i], (gl_ThreadInWarpNV * 3u + 1u) & 7u, WIDTH, ok);
    dst[i] = ok ? got : -got;
}
