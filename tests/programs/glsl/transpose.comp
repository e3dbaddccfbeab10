//! T,D: uint;word,256 float;float,-1,1,256 vec2;float,-1,1,512
//! N: 8 16
//! PAD: 0 1
//! in s0=D s1=zero,256
#version 460
layout(local_size_x = N, local_size_y = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T tile[N][N + PAD];
void main() {
    uvec2 p = gl_LocalInvocationID.xy;
    tile[p.y][p.x] = src[p.y * N + p.x];
    barrier();
    dst[p.y * N + p.x] = tile[p.x][p.y];
}
