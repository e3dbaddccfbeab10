//! TEST: (v&1u)==0u v%3u==0u v>0x80000000u
//! N: 32 64
//! in s0=word,64 s1=zero,65
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
shared uint sums[N];
void main() {
    uint i = gl_LocalInvocationIndex, v = src[i];
    bool keep = TEST;
    sums[i] = uint(keep);
    barrier();
    for (uint d = 1; d < N; d *= 2) {
        uint add = i >= d ? sums[i - d] : 0u;
        barrier();
        sums[i] += add;
        barrier();
    }
    if (keep)
        dst[sums[i]] = v;
    if (i == N - 1)
        dst[0] = sums[i];
}
