//! WORDS: 1 4 8
//! SEED: 0u 0x9747b28cu
//! in s0=word,512 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
uint rotl(uint x, int r) { return (x << r) | (x >> (32 - r)); }
void main() {
    uint i = gl_GlobalInvocationID.x, h = SEED;
    for (uint k = 0; k < WORDS; k++) {
        uint w = src[i * WORDS + k] * 0xcc9e2d51u;
        h ^= rotl(w, 15) * 0x1b873593u;
        h = rotl(h, 13) * 5u + 0xe6546b64u;
    }
    h ^= uint(WORDS) * 4u;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    dst[i] = h ^ (h >> 16);
}
