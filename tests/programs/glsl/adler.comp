//! N: 8 16
//! in s0=word,1024 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint a = 1, b = 0, base = gl_GlobalInvocationID.x * N;
    for (uint i = 0; i < N; i++)
        for (uint k = 0; k < 4; k++) {
            a = (a + bitfieldExtract(src[base + i], int(8 * k), 8)) % 65521u;
            b = (b + a) % 65521u;
        }
    dst[gl_GlobalInvocationID.x] = b << 16 | a;
}
