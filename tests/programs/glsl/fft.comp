//! N,LOG: 8;3 16;4 32;5 64;6
//! SIGN: 1.0 -1.0
//! in s0=float,-1,1,128 s1=zero,128
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { vec2 dst[]; };
shared vec2 data[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    data[bitfieldReverse(i) >> (32 - LOG)] = src[i];
    barrier();
    for (uint half_size = 1; half_size < N; half_size <<= 1) {
        vec2 a, b;
        uint k = i & (half_size - 1), top = ((i - k) << 1) + k;
        if (i < N / 2) {
            float angle = SIGN * 3.14159265 * float(k) / float(half_size);
            vec2 w = vec2(cos(angle), sin(angle)), t = data[top + half_size];
            a = data[top];
            b = vec2(w.x * t.x - w.y * t.y, w.x * t.y + w.y * t.x);
        }
        barrier();
        if (i < N / 2) {
            data[top] = a + b;
            data[top + half_size] = a - b;
        }
        barrier();
    }
    dst[i] = data[i];
}
