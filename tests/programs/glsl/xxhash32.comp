//! WORDS: 4 5 8 11
//! in s0=word,704 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
const uint P1 = 2654435761u, P2 = 2246822519u, P3 = 3266489917u, P4 = 668265263u, P5 = 374761393u;
uint rotl(uint x, uint r) { return (x << r) | (x >> (32u - r)); }
uvec4 rotl4(uvec4 x, uint r) { return (x << r) | (x >> (32u - r)); }
void main() {
    uint base = gl_GlobalInvocationID.x * WORDS, k = 0;
    uvec4 v = uvec4(P1 + P2, P2, 0u, 0u - P1);
    for (; k + 4 <= WORDS; k += 4)
        v = rotl4(v + uvec4(src[base + k], src[base + k + 1], src[base + k + 2], src[base + k + 3]) * P2, 13u) * P1;
    uint h = rotl(v.x, 1u) + rotl(v.y, 7u) + rotl(v.z, 12u) + rotl(v.w, 18u) + uint(WORDS) * 4u;
    for (; k < WORDS; k++)
        h = rotl(h + src[base + k] * P3, 17u) * P4;
    h = (h ^ (h >> 15)) * P2;
    h = (h ^ (h >> 13)) * P3;
    dst[gl_GlobalInvocationID.x] = h ^ (h >> 16);
}
