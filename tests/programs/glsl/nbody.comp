//! N: 16 32 64
//! SOFT: 0.01 0.25
//! WAY: shared direct
//! in s0=float,-3,3,256 s1=zero,256
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 body[]; };
layout(std430, binding = 1) buffer Buffer1 { vec4 accel[]; };
//! if WAY==shared
shared vec4 cache[N];
//! end
void main() {
    uint i = gl_LocalInvocationIndex;
    vec4 me = body[i];
//! if WAY==shared
    cache[i] = me;
    barrier();
//! end
    vec3 a = vec3(0.0);
    for (uint j = 0; j < N; j++) {
//! if WAY==shared
        vec4 other = cache[j];
//! end
//! if WAY==direct
        vec4 other = body[j];
//! end
        vec3 d = other.xyz - me.xyz;
        float r2 = dot(d, d) + SOFT, inv = inversesqrt(r2);
        a += d * (abs(other.w) * inv * inv * inv);
    }
    accel[i] = vec4(a, length(a));
}
