//! OP: + *
//! T,D: uint;int,1,5,64 float;float,0.5,1.5,64
//! WIDTH: 8u 16u 32u
//! in s0=D s1=zero,64
#version 460
#extension GL_NV_shader_thread_group : require
#extension GL_NV_shader_thread_shuffle : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    T v = src[gl_GlobalInvocationID.x];
    for (uint d = 1u; d < WIDTH; d <<= 1) {
        bool ok;
        T below = shuffleUpNV(v, d, WIDTH, ok);
        if (ok)
            v = v OP below;
    }
    dst[gl_GlobalInvocationID.x] = v;
}
