//! T,D: float;float,-1,1,256 int;int,-9,9,256 uint;word,256
//! N: 4 8 16
//! in s0=D s1=D s2=zero,256
#version 460
layout(local_size_x = N, local_size_y = N) in;
layout(std430, binding = 0) buffer Buffer0 { T a[]; };
layout(std430, binding = 1) buffer Buffer1 { T b[]; };
layout(std430, binding = 2) buffer Buffer2 { T c[]; };
shared T ta[N][N], tb[N][N];
void main() {
    uvec2 p = gl_LocalInvocationID.xy;
    ta[p.y][p.x] = a[p.y * N + p.x];
    tb[p.y][p.x] = b[p.y * N + p.x];
    barrier();
    T sum = T(0);
    for (uint k = 0; k < N; k++)
        sum += ta[p.y][k] * tb[k][p.x];
    c[p.y * N + p.x] = sum;
}
