//! T,D: uint;int,0,7,256 int;int,-100,100,256 float;float,-1,1,256
//! HALF,N: 16;32 32;64 64;128
//! in s0=D s1=zero,256
#version 460
layout(local_size_x = HALF) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T tree[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    tree[2 * i] = src[2 * i];
    tree[2 * i + 1] = src[2 * i + 1];
    uint offset = 1;
    for (uint d = N >> 1; d > 0; d >>= 1) {
        barrier();
        if (i < d) {
            uint a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
            tree[b] += tree[a];
        }
        offset *= 2;
    }
    if (i == 0)
        tree[N - 1] = T(0);
    for (uint d = 1; d < N; d *= 2) {
        offset >>= 1;
        barrier();
        if (i < d) {
            uint a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1;
            T t = tree[a];
            tree[a] = tree[b];
            tree[b] += t;
        }
    }
    barrier();
    dst[2 * i] = tree[2 * i];
    dst[2 * i + 1] = tree[2 * i + 1];
}
