//! ROUNDS: 8 32
//! WAY: encrypt decrypt
//! in s0=word,128 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uvec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { uvec2 dst[]; };
const uint key[4] = uint[4](0x01234567u, 0x89abcdefu, 0xfedcba98u, 0x76543210u);
void main() {
    uvec2 v = src[gl_GlobalInvocationID.x];
    const uint delta = 0x9e3779b9u;
//! if WAY==encrypt
    uint sum = 0u;
    for (int i = 0; i < ROUNDS; i++) {
        v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + key[sum & 3u]);
        sum += delta;
        v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + key[(sum >> 11) & 3u]);
    }
//! end
//! if WAY==decrypt
    uint sum = delta * uint(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
        v.y -= (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + key[(sum >> 11) & 3u]);
        sum -= delta;
        v.x -= (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + key[sum & 3u]);
    }
//! end
    dst[gl_GlobalInvocationID.x] = v;
}
