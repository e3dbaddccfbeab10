//! N: 16 64 128
//! in s0=int,-20,20,128 s1=zero,128
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { int src[]; };
layout(std430, binding = 1) buffer Buffer1 { int dst[]; };
shared int v[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i] = src[i];
    barrier();
    for (uint h = 1; h < N; h <<= 1) {
        int a = v[i], b = v[i ^ h];
        barrier();
        v[i] = (i & h) == 0 ? a + b : b - a;
        barrier();
    }
    dst[i] = v[i];
}
