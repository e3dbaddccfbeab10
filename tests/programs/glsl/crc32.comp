//! POLY: 0xedb88320u 0x82f63b78u
//! WORDS: 1 3
//! WAY: bits table
//! in s0=word,192 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
//! if WAY==table
shared uint table[256];
//! end
uint shift8(uint c) {
    for (int i = 0; i < 8; i++)
        c = (c & 1u) != 0u ? (c >> 1) ^ POLY : c >> 1;
    return c;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
//! if WAY==table
    for (uint n = i; n < 256; n += 64)
        table[n] = shift8(n);
    barrier();
//! end
    uint crc = ~0u;
    for (uint w = 0; w < WORDS; w++)
        for (int b = 0; b < 32; b += 8) {
            uint byte = (src[i * WORDS + w] >> b) & 255u;
//! if WAY==bits
            crc = shift8(crc ^ byte);
//! end
//! if WAY==table
            crc = (crc >> 8) ^ table[(crc ^ byte) & 255u];
//! end
        }
    dst[i] = ~crc;
}
