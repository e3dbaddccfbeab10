//! LIMIT: 20 60
//! GIVE: steps peak
//! STRIDE: 1u 3u
//! in s0=int,1,200,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint n = src[gl_GlobalInvocationID.x] * STRIDE, peak = n, steps = 0;
    while (n != 1u) {
        n = (n & 1u) == 0u ? n >> 1 : 3u * n + 1u;
        peak = max(peak, n);
        if (++steps >= LIMIT) break;
    }
//! if GIVE==steps
    dst[gl_GlobalInvocationID.x] = steps;
//! end
//! if GIVE==peak
    dst[gl_GlobalInvocationID.x] = peak;
//! end
}
