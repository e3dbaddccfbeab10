//! POWER: 3 4 5
//! STEPS: 8 20
//! in s0=float,-2,2,128 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { vec2 dst[]; };
vec2 mul(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
vec2 div(vec2 a, vec2 b) { return vec2(dot(a, b), a.y * b.x - a.x * b.y) / dot(b, b); }
void main() {
    vec2 z = src[gl_GlobalInvocationID.x];
    for (int i = 0; i < STEPS; i++) {
        vec2 p = z;
        for (int k = 2; k < POWER; k++)
            p = mul(p, z);
        vec2 d = div(mul(p, z) - vec2(1.0, 0.0), float(POWER) * p);
        z -= d;
        if (dot(d, d) < 1e-12)
            break;
    }
    dst[gl_GlobalInvocationID.x] = z;
}
