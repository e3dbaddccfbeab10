//! T,D: uint;int,0,99,256 int;int,-50,50,256 float;float,-2,2,256
//! JOIN: a+b max(a,b) min(a,b)
//! N: 32 64 128
//! in groups=2 s0=D s1=zero,2
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T part[N];
T join(T a, T b) { return JOIN; }
void main() {
    uint i = gl_LocalInvocationIndex;
    part[i] = src[gl_GlobalInvocationID.x];
    barrier();
    for (uint s = N / 2; s > 0; s >>= 1) {
        if (i < s)
            part[i] = join(part[i], part[i + s]);
        barrier();
    }
    if (i == 0)
        dst[gl_WorkGroupID.x] = part[0];
}
