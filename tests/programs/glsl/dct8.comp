//! WAY: forward inverse
//! SCALE: 1.0 0.125
//! in s0=float,-128,127,256 s1=zero,256
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
shared float block[8][8];
void main() {
    uint u = gl_LocalInvocationID.x, v = gl_LocalInvocationID.y;
    block[v][u] = src[v * 8 + u];
    barrier();
    float sum = 0.0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
//! if WAY==forward
            sum += block[y][x] * cos(float(2 * x + 1) * float(u) * 0.19634954) * cos(float(2 * y + 1) * float(v) * 0.19634954);
//! end
//! if WAY==inverse
            float cx = x == 0 ? 0.70710678 : 1.0, cy = y == 0 ? 0.70710678 : 1.0;
            sum += cx * cy * block[y][x] * cos(float(2 * u + 1) * float(x) * 0.19634954) * cos(float(2 * v + 1) * float(y) * 0.19634954);
//! end
        }
    dst[v * 8 + u] = sum * 0.25 * SCALE;
}
