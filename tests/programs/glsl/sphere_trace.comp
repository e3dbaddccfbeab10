//! SHAPE: sphere box torus union
//! STEPS: 16 32
//! in s0=float,-0.6,0.6,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
float sphere(vec3 p, float r) { return length(p) - r; }
float box(vec3 p, vec3 b) { vec3 q = abs(p) - b; return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0); }
float torus(vec3 p, vec2 t) { return length(vec2(length(p.xz) - t.x, p.y)) - t.y; }
float scene(vec3 p) {
//! if SHAPE==sphere
    return sphere(p, 1.0);
//! end
//! if SHAPE==box
    return box(p, vec3(0.7, 0.5, 0.9));
//! end
//! if SHAPE==torus
    return torus(p, vec2(0.8, 0.3));
//! end
//! if SHAPE==union
    float a = sphere(p, 0.8), b = box(p - vec3(0.4, 0.2, 0.0), vec3(0.5)), h = clamp(0.5 + 0.5 * (b - a) / 0.2, 0.0, 1.0);
    return mix(b, a, h) - 0.2 * h * (1.0 - h);
//! end
}
void main() {
    vec2 uv = src[gl_GlobalInvocationID.x];
    vec3 ro = vec3(0.0, 0.0, -3.0), rd = normalize(vec3(uv, 1.5));
    float t = 0.0;
    bool hit = false;
    for (int i = 0; i < STEPS && t < 10.0; i++) {
        float d = scene(ro + rd * t);
        if (d < 0.001) { hit = true; break; }
        t += d;
    }
    if (!hit) { dst[gl_GlobalInvocationID.x] = -1.0; return; }
    vec3 p = ro + rd * t;
    vec2 e = vec2(0.01, 0.0);
    vec3 n = normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy), scene(p + e.yyx) - scene(p - e.yyx)));
    dst[gl_GlobalInvocationID.x] = max(dot(n, normalize(vec3(1.0, 2.0, -1.0))), 0.0);
}
