//! C: 1 2
//! D: 2 4
//! in s0=word,128 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uvec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { uvec2 dst[]; };
uvec2 add(uvec2 a, uvec2 b) { uint c; uint lo = uaddCarry(a.x, b.x, c); return uvec2(lo, a.y + b.y + c); }
uvec2 rotl(uvec2 a, int r) {
    if (r >= 32) { a = a.yx; r -= 32; }
    return r == 0 ? a : uvec2((a.x << r) | (a.y >> (32 - r)), (a.y << r) | (a.x >> (32 - r)));
}
uvec2 v0, v1, v2, v3;
void sipround() {
    v0 = add(v0, v1); v1 = rotl(v1, 13); v1 ^= v0; v0 = v0.yx;
    v2 = add(v2, v3); v3 = rotl(v3, 16); v3 ^= v2;
    v0 = add(v0, v3); v3 = rotl(v3, 21); v3 ^= v0;
    v2 = add(v2, v1); v1 = rotl(v1, 17); v1 ^= v2; v2 = v2.yx;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uvec2 k0 = uvec2(0x03020100u, 0x07060504u), k1 = uvec2(0x0b0a0908u, 0x0f0e0d0cu), m = src[i];
    v0 = k0 ^ uvec2(0x70736575u, 0x736f6d65u);
    v1 = k1 ^ uvec2(0x6e646f6du, 0x646f7261u);
    v2 = k0 ^ uvec2(0x6e657261u, 0x6c796765u);
    v3 = k1 ^ uvec2(0x79746573u, 0x74656462u);
    v3 ^= m;
    for (int r = 0; r < C; r++) sipround();
    v0 ^= m;
    v2 ^= uvec2(0xffu, 0u);
    for (int r = 0; r < D; r++) sipround();
    dst[i] = v0 ^ v1 ^ v2 ^ v3;
}
