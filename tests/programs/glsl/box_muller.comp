//! PAIRS: 1 4
//! in s0=word,128 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uvec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { vec2 dst[]; };
void main() {
    uvec2 s = src[gl_GlobalInvocationID.x];
    vec2 sum = vec2(0.0);
    for (int k = 0; k < PAIRS; k++) {
        s = s * 1103515245u + 12345u;
        vec2 u = (vec2(s >> 9) + 0.5) / 8388608.0;
        float r = sqrt(-2.0 * log(u.x)), a = 6.28318531 * u.y;
        sum += r * vec2(cos(a), sin(a));
    }
    dst[gl_GlobalInvocationID.x] = sum / sqrt(float(PAIRS));
}
