//! OP: add mul div
//! in s0=float,-1,1,256 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 src[]; };
layout(std430, binding = 1) buffer Buffer1 { vec2 dst[]; };
vec2 two_sum(float a, float b) {
    precise float s = a + b, bb = s - a, e = (a - (s - bb)) + (b - bb);
    return vec2(s, e);
}
vec2 two_prod(float a, float b) {
    precise float p = a * b, e = fma(a, b, -p);
    return vec2(p, e);
}
void main() {
    vec4 v = src[gl_GlobalInvocationID.x] * vec4(1.0, 1e-8, 1.0, 1e-8);
//! if OP==add
    vec2 s = two_sum(v.x, v.z);
    precise float lo = s.y + (v.y + v.w);
    dst[gl_GlobalInvocationID.x] = two_sum(s.x, lo);
//! end
//! if OP==mul
    vec2 p = two_prod(v.x, v.z);
    precise float lo = p.y + (v.x * v.w + v.y * v.z);
    dst[gl_GlobalInvocationID.x] = two_sum(p.x, lo);
//! end
//! if OP==div
    precise float q = v.x / v.z;
    vec2 p = two_prod(q, v.z);
    precise float r = ((v.x - p.x) - p.y) / v.z;
    dst[gl_GlobalInvocationID.x] = two_sum(q, r);
//! end
}
