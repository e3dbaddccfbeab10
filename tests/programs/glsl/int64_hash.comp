//! HASH: fnv splitmix xxh murmur
//! ROUNDS: 1 3
//! in s0=word,128 s1=zero,128
#version 460
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint64_t src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint64_t dst[]; };
void main() {
    uint64_t h = src[gl_GlobalInvocationID.x];
    for (int r = 0; r < ROUNDS; r++) {
//! if HASH==fnv
        uint64_t v = h;
        h = 0xcbf29ce484222325ul;
        for (int k = 0; k < 8; k++)
            h = (h ^ ((v >> (8 * k)) & 255ul)) * 0x100000001b3ul;
//! end
//! if HASH==splitmix
        h += 0x9e3779b97f4a7c15ul;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ul;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebul;
        h ^= h >> 31;
//! end
//! if HASH==xxh
        h = ((h * 14029467366897019727ul << 31) | (h >> 33)) * 11400714785074694791ul;
        h ^= h >> 29;
//! end
//! if HASH==murmur
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdul;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ul;
        h ^= h >> 33;
//! end
    }
    dst[gl_GlobalInvocationID.x] = h;
}
