//! A: 3 5
//! B: src[i] a+1 4
//! EXIT: break continue return
//! in s0=int,0,5,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { int src[]; };
layout(std430, binding = 1) buffer Buffer1 { int dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    int n = 0;
    for (int a = 0; a < A; a++) {
        for (int b = 0; b < B; b++) {
            n += a * 10 + b;
            if (((n + src[i]) & 3) == 3) {
                dst[i] = -n;
                EXIT;
            }
            n ^= b;
        }
        if (n > 90) break;
    }
    dst[i] += n * 2;
}
