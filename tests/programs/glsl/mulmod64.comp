//! STEPS: 8 24
//! MOD: 1000000007ul 0xfffffffbul
//! in s0=word,64 s1=zero,64
#version 460
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint64_t base = uint64_t(src[i]) % MOD, r = 1ul;
    uint e = src[i + 32];
    for (int k = 0; k < STEPS; k++) {
        if ((e & 1u) != 0u)
            r = r * base % MOD;
        base = base * base % MOD;
        e >>= 1;
    }
    dst[i] = uint(r);
}
