//! R: 1 2
//! T,D: vec4;float,0,1,1024 vec3;float,0,1,1024
//! in s0=D s1=zero,512
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T tile[8][8];
void main() {
    ivec2 p = ivec2(gl_LocalInvocationID.xy);
    tile[p.y][p.x] = src[p.y * 8 + p.x];
    barrier();
    T sum = T(0.0);
    int n = 0;
    for (int y = max(p.y - R, 0); y <= min(p.y + R, 7); y++)
        for (int x = max(p.x - R, 0); x <= min(p.x + R, 7); x++, n++)
            sum += tile[y][x];
    dst[p.y * 8 + p.x] = sum / float(n);
}
