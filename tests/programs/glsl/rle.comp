//! N: 32 64
//! in s0=int,0,2,64 s1=zero,136
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
shared uint starts[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    bool first = i == 0 || src[i] != src[i - 1];
    starts[i] = first ? 1u : 0u;
    barrier();
    for (uint d = 1; d < N; d <<= 1) {
        uint v = i >= d ? starts[i - d] : 0u;
        barrier();
        starts[i] += v;
        barrier();
    }
    uint slot = starts[i] - 1;
    if (first)
        dst[2 * slot] = src[i];
    atomicAdd(dst[2 * slot + 1], 1u);
    if (i == N - 1)
        dst[2 * N] = slot + 1;
}
