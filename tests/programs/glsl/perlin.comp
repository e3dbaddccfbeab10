//! DIM: 2 3
//! OCTAVES: 1 4
//! RIDGE: 0 1
//! in s0=float,-6,6,256 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
uint hash(uvec3 p) {
    uint h = p.x * 374761393u + p.y * 668265263u + p.z * 2147483647u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return h ^ (h >> 16);
}
float grad(ivec3 i, vec3 f) {
    uint h = hash(uvec3(i)) & 15u;
    float u = h < 8u ? f.x : f.y, v = h < 4u ? f.y : (h == 12u || h == 14u ? f.x : f.z);
    return ((h & 1u) == 0u ? u : -u) + ((h & 2u) == 0u ? v : -v);
}
float perlin(vec3 p) {
    ivec3 i = ivec3(floor(p));
    vec3 f = p - vec3(i), w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float r[2];
    for (int z = 0; z < DIM - 1; z++)
        r[z] = mix(mix(grad(i + ivec3(0, 0, z), f - vec3(0, 0, z)), grad(i + ivec3(1, 0, z), f - vec3(1, 0, z)), w.x),
                   mix(grad(i + ivec3(0, 1, z), f - vec3(0, 1, z)), grad(i + ivec3(1, 1, z), f - vec3(1, 1, z)), w.x), w.y);
    return DIM == 3 ? mix(r[0], r[DIM - 2], w.z) : r[0];
}
void main() {
    vec3 p = src[gl_GlobalInvocationID.x].xyz;
    if (DIM == 2)
        p.z = 0.0;
    float sum = 0.0, amp = 1.0;
    for (int o = 0; o < OCTAVES; o++) {
        float n = perlin(p);
        sum += amp * (RIDGE == 1 ? 1.0 - abs(n) : n);
        p *= 2.0;
        amp *= 0.5;
    }
    dst[gl_GlobalInvocationID.x] = sum;
}
