//! T: uint float vec2
//! N: 4 8
//! INDEX: src[i]%N (src[i]>>k)%N (N-1u)-k%N
//! in s0=word,64 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Src { uint src[]; };
layout(std430, binding = 1) buffer Dst { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    T a[N];
    for (uint k = 0; k < N; k++)
        a[k] = T(k * k + 1u);
    for (uint k = 0; k < N; k++) {
        uint at = INDEX;
        a[at] += a[k] * T(2);
    }
    T sum = T(0);
    for (uint k = 0; k < N; k++)
        sum += a[k];
    dst[i] = sum + a[src[i] & 3u];
}
