//! T,D: uint;word,64 float;float,-3,3,64 int;word,64
//! N: 32 64
//! in s0=D s1=zero,64
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, rank = 0;
    T mine = src[i];
    for (uint j = 0; j < N; j++) {
        T other = src[j];
        if (other < mine || (other == mine && j < i))
            rank++;
    }
    dst[rank] = mine;
}
