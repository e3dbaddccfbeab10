//! TRICK: popcount parity reverse morton demorton nextpow2 gray ungray isolate ffs clz rotate
//! MIX: 0 1
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
uint popcount(uint x) { x -= (x >> 1) & 0x55555555u; x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u); return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24; }
uint parity(uint x) { x ^= x >> 16; x ^= x >> 8; x ^= x >> 4; return (0x6996u >> (x & 15u)) & 1u; }
uint reverse(uint x) { x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1); x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2); x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4); x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8); return (x >> 16) | (x << 16); }
uint spread(uint x) { x &= 0xffffu; x = (x | x << 8) & 0x00ff00ffu; x = (x | x << 4) & 0x0f0f0f0fu; x = (x | x << 2) & 0x33333333u; return (x | x << 1) & 0x55555555u; }
uint morton(uint x) { return spread(x) | spread(x >> 16) << 1; }
uint squash(uint x) { x &= 0x55555555u; x = (x | x >> 1) & 0x33333333u; x = (x | x >> 2) & 0x0f0f0f0fu; x = (x | x >> 4) & 0x00ff00ffu; return (x | x >> 8) & 0xffffu; }
uint demorton(uint x) { return squash(x) | squash(x >> 1) << 16; }
uint nextpow2(uint x) { x--; x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16; return x + 1; }
uint gray(uint x) { return x ^ (x >> 1); }
uint ungray(uint x) { for (uint m = x >> 1; m != 0u; m >>= 1) x ^= m; return x; }
uint isolate(uint x) { return x & (0u - x); }
uint ffs(uint x) { return uint(findLSB(x) + 1); }
uint clz(uint x) { return uint(31 - findMSB(x >> (x & 15u))); }
uint rotate(uint x) { uint n = x & 31u; return n == 0u ? x : x << n | x >> (32u - n); }
void main() {
    uint i = gl_GlobalInvocationID.x, v = TRICK(src[i]);
    if (MIX == 1)
        v ^= TRICK(src[i] * 2654435761u) + uint(bitCount(v));
    dst[i] = v;
}
