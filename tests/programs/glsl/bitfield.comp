//! EXPR: bitfieldExtract(v,o,n) bitfieldInsert(v,w,o,n) bitfieldReverse(v)>>o findMSB(v)+findLSB(w) bitCount(v&w)<<o (v>>o)&((1<<n)-1)
//! T: int uint
//! in s0=word,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    T v = src[i], w = src[i + 64];
    int o = int(i) & 15, n = (int(i) >> 2) & 15;
    dst[i] = T(EXPR);
}
