//! HASH: pcg wang xorshift jenkins thomas fmix splitmix lowbias
//! ROUNDS: 1 2 4 7 13
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
uint pcg(uint v) { uint s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u; return (w >> 22u) ^ w; }
uint wang(uint x) { x = (x ^ 61u) ^ (x >> 16u); x *= 9u; x ^= x >> 4u; x *= 0x27d4eb2du; return x ^ (x >> 15u); }
uint xorshift(uint x) { x ^= x << 13; x ^= x >> 17; return x ^ (x << 5); }
uint jenkins(uint a) { a = (a + 0x7ed55d16u) + (a << 12); a = (a ^ 0xc761c23cu) ^ (a >> 19); a = (a + 0x165667b1u) + (a << 5); a = (a + 0xd3a2646cu) ^ (a << 9); a = (a + 0xfd7046c5u) + (a << 3); return (a ^ 0xb55a4f09u) ^ (a >> 16); }
uint thomas(uint k) { k = ~k + (k << 15); k ^= k >> 12; k += k << 2; k ^= k >> 4; k *= 2057u; return k ^ (k >> 16); }
uint fmix(uint h) { h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; return h ^ (h >> 16); }
uint splitmix(uint x) { x += 0x9e3779b9u; x = (x ^ (x >> 16)) * 0x21f0aaadu; x = (x ^ (x >> 15)) * 0x735a2d97u; return x ^ (x >> 15); }
uint lowbias(uint x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ (x >> 16); }
void main() {
    uint i = gl_GlobalInvocationID.x, h = src[i];
    for (int r = 0; r < ROUNDS; r++)
        h = HASH(h + uint(r));
    dst[i] = h;
}
