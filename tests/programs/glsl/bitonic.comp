//! T,D: uint;word,128 int;int,-1000,1000,128 float;float,-10,10,128
//! N: 32 64 128
//! UP: < >
//! in s0=D s1=zero,128
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T key[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    key[i] = src[i];
    barrier();
    for (uint k = 2; k <= N; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint other = i ^ j;
            if (other > i) {
                bool up = (i & k) == 0;
                T a = key[i], b = key[other];
                if ((b UP a) == up) {
                    key[i] = b;
                    key[other] = a;
                }
            }
            barrier();
        }
    dst[i] = key[i];
}
