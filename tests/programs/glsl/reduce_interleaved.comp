//! T,D: uint;word,128 float;float,-1,1,128 vec2;float,-1,1,256 uvec4;word,512
//! N: 64 128
//! in s0=D s1=zero,4
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T part[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    part[i] = src[i];
    barrier();
    for (uint s = 1; s < N; s *= 2) {
        if (i % (2 * s) == 0)
            part[i] += part[i + s];
        barrier();
    }
    if (i == 0)
        dst[0] = part[0];
}
