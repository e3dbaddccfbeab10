//! N: 4 8
//! ACC: float half
//! in s0=half,256 s1=half,8 s2=zero,32
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint rows[]; };
layout(std430, binding = 1) buffer Buffer1 { uint vec[]; };
layout(std430, binding = 2) buffer Buffer2 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    float sum = 0.0;
    for (uint k = 0; k < N; k++) {
        sum += dot(unpackHalf2x16(rows[i * N + k]), unpackHalf2x16(vec[k]));
//! if ACC==half
        sum = unpackHalf2x16(packHalf2x16(vec2(sum, 0.0))).x;
//! end
    }
    dst[i] = packHalf2x16(vec2(sum, sum * 0.5));
}
