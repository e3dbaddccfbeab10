//! STEPS: 1 4 8
//! K: 0.1 0.25
//! DIM: 1 2
//! in s0=float,0,1,64 s1=zero,64
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
shared float t[2][8][8];
void main() {
    ivec2 p = ivec2(gl_LocalInvocationID.xy);
    int now = 0;
    t[0][p.y][p.x] = src[p.y * 8 + p.x];
    barrier();
    for (int s = 0; s < STEPS; s++) {
        float c = t[now][p.y][p.x];
        float l = t[now][p.y][max(p.x - 1, 0)], r = t[now][p.y][min(p.x + 1, 7)];
        float sum = l + r - 2.0 * c;
        if (DIM == 2)
            sum += t[now][max(p.y - 1, 0)][p.x] + t[now][min(p.y + 1, 7)][p.x] - 2.0 * c;
        t[1 - now][p.y][p.x] = c + K * sum;
        now = 1 - now;
        barrier();
    }
    dst[p.y * 8 + p.x] = t[now][p.y][p.x];
}
