//! T,D: float;float,-2,2,256 vec2;float,-1,1,512 vec4;float,-1,1,1024 double;double,-1,1,256
//! N: 4 7 8
//! FORM: sum fma
//! in s0=D s1=D s2=zero,512
#version 460
layout(local_size_x = N, local_size_y = N) in;
layout(std430, binding = 0) buffer Buffer0 { T a[]; };
layout(std430, binding = 1) buffer Buffer1 { T b[]; };
layout(std430, binding = 2) buffer Buffer2 { T c[]; };
void main() {
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    T sum = T(0);
    for (uint k = 0; k < N; ++k)
//! if FORM==sum
        sum += a[y * N + k] * b[k * N + x];
//! end
//! if FORM==fma
        sum = fma(a[y * N + k], b[k * N + x], sum);
//! end
    c[y * N + x] = sum;
}
