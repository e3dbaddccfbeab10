//! R: 1 2
//! SIGMA: 0.1 0.4 1.0
//! in s0=float,0,1,128 s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    float mid = src[p.y * 16 + p.x], sum = 0.0, norm = 0.0;
    for (int y = -R; y <= R; y++)
        for (int x = -R; x <= R; x++) {
            ivec2 q = p + ivec2(x, y);
            if (q.x < 0 || q.y < 0 || q.x > 15 || q.y > 7)
                continue;
            float v = src[q.y * 16 + q.x], d = v - mid;
            float w = exp(-0.5 * float(x * x + y * y) - d * d / (2.0 * SIGMA * SIGMA));
            sum += w * v;
            norm += w;
        }
    dst[p.y * 16 + p.x] = sum / norm;
}
