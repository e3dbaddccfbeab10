//! OCTAVES: 1 3 5
//! EASE: t*t*(3.0-2.0*t) t*t*t*(t*(t*6.0-15.0)+10.0) t
//! in s0=float,-8,8,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float ease(float t) { return EASE; }
float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    float x = ease(f.x), y = ease(f.y);
    return mix(mix(hash(i), hash(i + vec2(1, 0)), x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), x), y);
}
void main() {
    vec2 p = src[gl_GlobalInvocationID.x];
    float sum = 0.0, amp = 0.5;
    for (int o = 0; o < OCTAVES; o++) {
        sum += amp * noise(p);
        p = p * 2.03 + 1.7;
        amp *= 0.5;
    }
    dst[gl_GlobalInvocationID.x] = sum;
}
