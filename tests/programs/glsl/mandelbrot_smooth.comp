//! LIMIT: 16 40
//! PREC: 0 1
//! in s0=float,-1.8,0.6,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    vec2 c = src[gl_GlobalInvocationID.x];
    vec2 z = vec2(0.0);
    int n = 0;
    while (n < LIMIT && dot(z, z) < 256.0) {
//! if PREC==1
        precise vec2 w = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        z = w;
//! end
//! if PREC==0
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
//! end
        n++;
    }
    dst[gl_GlobalInvocationID.x] = n == LIMIT ? -1.0 : float(n) - log2(log2(dot(z, z))) + 4.0;
}
