//! T,D: uint;iota,64 float;float,0,1,64
//! N: 16 32
//! in s0=D s1=D s2=zero,128
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T a[]; };
layout(std430, binding = 1) buffer Buffer1 { T b[]; };
layout(std430, binding = 2) buffer Buffer2 { T dst[]; };
shared T left[N], right[N];
void order(inout T x[4]) { for (int i = 1; i < 4; i++) for (int j = i; j > 0 && x[j - 1] > x[j]; j--) { T t = x[j]; x[j] = x[j - 1]; x[j - 1] = t; } }
void main() {
    uint i = gl_LocalInvocationIndex;
    T window[4] = T[4](a[i & ~3u], a[(i & ~3u) + 1], a[(i & ~3u) + 2], a[(i & ~3u) + 3]);
    order(window);
    left[i] = window[i & 3];
    right[i] = b[i];
    barrier();
    T mine = left[i];
    uint lo = 0, hi = N;
    while (lo < hi) {
        uint mid = (lo + hi) / 2;
        if (right[mid] < mine) lo = mid + 1; else hi = mid;
    }
    dst[i] = mine + T(lo);
    dst[N + i] = right[min(lo, N - 1u)];
}
