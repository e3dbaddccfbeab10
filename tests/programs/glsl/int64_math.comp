//! T: int64_t uint64_t
//! EXPR: a*b+T(c) a/(b|T(1)) a%(b|T(1)) (a<<5)^(b>>9) a>b?a-b:b-a max(a,b)-T(c) ~a&b T(int(a))+b
//! in s0=word,256 s1=zero,128
#version 460
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    T a = src[i], b = src[i + 32] >> (i & 31), r;
    int c = int(i) - 7;
    r = EXPR;
    dst[i] = r;
}
