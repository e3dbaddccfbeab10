//! N: 1 4
//! in s0=float,-1,1,384 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x * 6;
    vec3 o = vec3(src[i], src[i + 1], src[i + 2]) * 3.0, d = normalize(vec3(src[i + 3], src[i + 4], src[i + 5]));
    float sum = 0.0;
    for (int k = 1; k <= N; k++) {
        vec3 inv = 1.0 / d, t0 = (vec3(-0.5 * float(k)) - o) * inv, t1 = (vec3(0.5 * float(k)) - o) * inv;
        vec3 lo = min(t0, t1), hi = max(t0, t1);
        float near = max(max(lo.x, lo.y), lo.z), far = min(min(hi.x, hi.y), hi.z);
        sum += near <= far && far >= 0.0 ? far - max(near, 0.0) : 0.0;
    }
    dst[gl_GlobalInvocationID.x] = sum;
}
