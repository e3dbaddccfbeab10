//! LEVELS: 2 4 16
//! N: 2 4 8
//! in s0=float,0,1,128 s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
float bayer(uint x, uint y) {
    uint v = 0;
    for (uint n = N; n > 1; n /= 2) {
        uint a = x & 1, b = y & 1;
        v = (v << 2) | ((a ^ b) << 1) | b;
        x >>= 1;
        y >>= 1;
    }
    return (float(v) + 0.5) / float(N * N);
}
void main() {
    uvec2 p = gl_GlobalInvocationID.xy;
    float v = src[p.y * 16 + p.x];
    dst[p.y * 16 + p.x] = clamp(floor(v * float(LEVELS - 1) + bayer(p.x, p.y)) / float(LEVELS - 1), 0.0, 1.0);
}
