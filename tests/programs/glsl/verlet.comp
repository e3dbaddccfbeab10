//! STEPS: 4 16
//! DT: 0.01 0.1
//! FIELD: spring gravity drag
//! in s0=float,-1,1,256 s1=zero,256
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 src[]; };
layout(std430, binding = 1) buffer Buffer1 { vec4 dst[]; };
vec2 force(vec2 p, vec2 v) {
//! if FIELD==spring
    return -4.0 * p - 0.1 * v;
//! end
//! if FIELD==gravity
    float r2 = dot(p, p) + 0.05;
    return -p / (r2 * sqrt(r2));
//! end
//! if FIELD==drag
    return vec2(0.0, -9.81) - 0.3 * v * length(v);
//! end
}
void main() {
    vec4 s = src[gl_GlobalInvocationID.x];
    vec2 p = s.xy, v = s.zw;
    for (int i = 0; i < STEPS; i++) {
        vec2 h = v + force(p, v) * (0.5 * DT);
        p += h * DT;
        v = h + force(p, h) * (0.5 * DT);
        if (p.y < -1.0) {
            p.y = -2.0 - p.y;
            v.y = -0.8 * v.y;
        }
    }
    dst[gl_GlobalInvocationID.x] = vec4(p, v);
}
