//! N: 32 64
//! KEY: float uint
//! in s0=float,0,100,128 s1=zero,128
#version 460
layout(local_size_x = N) in;
struct Pair { KEY key; uint value; };
layout(std430, binding = 0) buffer Src { KEY src[]; };
layout(std430, binding = 1) buffer Dst { Pair dst[]; };
shared Pair item[N];
void main() {
    uint i = gl_LocalInvocationIndex;
    item[i] = Pair(src[i], i);
    barrier();
    for (uint k = 2; k <= N; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint l = i ^ j;
            if (l > i && (item[i].key > item[l].key) == ((i & k) == 0)) {
                Pair t = item[i];
                item[i] = item[l];
                item[l] = t;
            }
            barrier();
        }
    dst[i] = item[i];
}
