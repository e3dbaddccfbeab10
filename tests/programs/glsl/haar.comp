//! N: 16 32 64
//! T,D: float;float,-1,1,64 int;int,-99,99,64
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
    for (uint n = N; n > 1; n /= 2) {
        T s = T(0), d = T(0);
        if (i < n / 2) {
            s = (v[2 * i] + v[2 * i + 1]) / T(2);
            d = v[2 * i] - v[2 * i + 1];
        }
        barrier();
        if (i < n / 2) {
            v[i] = s;
            v[n / 2 + i] = d;
        }
        barrier();
    }
    dst[i] = v[i];
}
