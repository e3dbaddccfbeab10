//! CULL: 0 1
//! GIVE: t u v hit
//! in s0=float,-1,1,1024 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
vec3 get(uint at) { return vec3(src[at], src[at + 1], src[at + 2]); }
void main() {
    uint i = gl_GlobalInvocationID.x * 15;
    vec3 a = get(i), e1 = get(i + 3) - a, e2 = get(i + 6) - a, o = get(i + 9) - vec3(0, 0, 3), d = normalize(get(i + 12) + vec3(0, 0, 2));
    vec3 p = cross(d, e2);
    float det = dot(e1, p), r = -1.0;
    if (CULL == 1 ? det > 1e-6 : abs(det) > 1e-6) {
        float inv = 1.0 / det;
        vec3 s = o - a, q = cross(s, e1);
        float u = dot(s, p) * inv, v = dot(d, q) * inv, t = dot(e2, q) * inv;
        float hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 ? 1.0 : 0.0;
        r = GIVE;
    }
    dst[gl_GlobalInvocationID.x] = r;
}
