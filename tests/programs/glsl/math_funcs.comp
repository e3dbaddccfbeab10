//! F: sin cos tan asin acos atan exp log exp2 log2 sqrt inversesqrt floor ceil fract round trunc sign sinh cosh tanh asinh atanh
//! in s0=float,0.01,0.99,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = src[i];
    dst[i] = F(x) + 0.25 * F(x * 0.5);
}
