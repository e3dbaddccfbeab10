//! WINDOW: 8 16
//! MIN: 2 3
//! in s0=int,0,3,96 s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    int i = int(gl_GlobalInvocationID.x), best = 0, where = 0;
    for (int back = 1; back <= WINDOW && back <= i; back++) {
        int n = 0;
        while (n < 15 && i + n < 96 && src[i + n] == src[i + n - back])
            n++;
        if (n > best) {
            best = n;
            where = back;
        }
    }
    if (best >= MIN) {
        dst[2 * i] = uint(best);
        dst[2 * i + 1] = uint(where);
    } else {
        dst[2 * i] = 0u;
        dst[2 * i + 1] = src[i];
    }
}
