//! COUNT: 1 4 8
//! SHADE: distance lambert reflect
//! in s0=float,-1,1,256 s1=float,-2,2,32 s2=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 rays[]; };
layout(std430, binding = 1) buffer Buffer1 { vec4 spheres[]; };
layout(std430, binding = 2) buffer Buffer2 { float dst[]; };
void main() {
    vec3 o = vec3(rays[gl_GlobalInvocationID.x].xy * 2.0, -5.0), d = normalize(vec3(rays[gl_GlobalInvocationID.x].zw * 0.3, 1.0));
    float best = 1e30;
    int which = -1;
    for (int i = 0; i < COUNT; i++) {
        vec3 c = spheres[i].xyz, oc = o - c;
        float r = 0.5 + 0.25 * abs(spheres[i].w), b = dot(oc, d), q = b * b - (dot(oc, oc) - r * r);
        if (q < 0.0)
            continue;
        float t = -b - sqrt(q);
        if (t > 0.001 && t < best) { best = t; which = i; }
    }
    float v = -1.0;
    if (which >= 0) {
        vec3 p = o + d * best, n = normalize(p - spheres[which].xyz);
//! if SHADE==distance
        v = best;
//! end
//! if SHADE==lambert
        v = 0.1 + 0.9 * max(dot(n, normalize(vec3(0.3, 0.8, -0.5))), 0.0);
//! end
//! if SHADE==reflect
        v = pow(max(reflect(d, n).y, 0.0), 16.0);
//! end
    }
    dst[gl_GlobalInvocationID.x] = v;
}
