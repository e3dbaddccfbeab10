//! ROUNDS: 8 12 20
//! in groups=1 s0=word,12 s1=zero,128
#version 460
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Buffer0 { uint key[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
uint rotl(uint x, int r) { return (x << r) | (x >> (32 - r)); }
uint s[16];
void quarter(int a, int b, int c, int d) {
    s[a] += s[b]; s[d] = rotl(s[d] ^ s[a], 16);
    s[c] += s[d]; s[b] = rotl(s[b] ^ s[c], 12);
    s[a] += s[b]; s[d] = rotl(s[d] ^ s[a], 8);
    s[c] += s[d]; s[b] = rotl(s[b] ^ s[c], 7);
}
void main() {
    uint x[16];
    x[0] = 0x61707865u; x[1] = 0x3320646eu; x[2] = 0x79622d32u; x[3] = 0x6b206574u;
    for (int i = 0; i < 12; i++)
        x[4 + i] = key[i];
    x[12] += gl_GlobalInvocationID.x;
    s = x;
    for (int r = 0; r < ROUNDS; r += 2) {
        quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++)
        dst[gl_GlobalInvocationID.x * 16 + i] = s[i] + x[i];
}
