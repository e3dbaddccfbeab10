//! T,D: uint;int,0,500,64 float;float,-5,5,64
//! N: 16 32 64
//! in s0=D s1=zero,64
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T v[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i] = src[i];
    barrier();
    for (uint round = 0; round < N; round++) {
        uint a = 2 * i + (round & 1);
        if (a + 1 < N) {
            T x = v[a], y = v[a + 1];
            if (x > y) { v[a] = y; v[a + 1] = x; }
        }
        barrier();
    }
    dst[i] = v[i];
}
