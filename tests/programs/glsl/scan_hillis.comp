//! T,D: uint;word,128 int;int,-9,9,128 float;float,0,1,128
//! N: 32 64 128
//! KIND: inclusive exclusive
//! in s0=D s1=zero,128
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T line[2][N];
void main() {
    uint i = gl_LocalInvocationIndex, from = 0;
    line[0][i] = src[i];
    barrier();
    for (uint step = 1; step < N; step <<= 1) {
        uint to = 1 - from;
        line[to][i] = i >= step ? line[from][i] + line[from][i - step] : line[from][i];
        from = to;
        barrier();
    }
//! if KIND==inclusive
    dst[i] = line[from][i];
//! end
//! if KIND==exclusive
    dst[i] = i > 0 ? line[from][i - 1] : T(0);
//! end
}
