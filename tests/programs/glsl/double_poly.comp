//! DEG: 3 6 9
//! FORM: horner estrin
//! V: double dvec2
//! in s0=double,-1,1,64 s1=zero,128
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { V src[]; };
layout(std430, binding = 1) buffer Buffer1 { V dst[]; };
void main() {
    V x = src[gl_GlobalInvocationID.x];
//! if FORM==horner
    V r = V(1.0LF / double(DEG));
    for (int k = DEG - 1; k > 0; k--)
        r = r * x + V(1.0LF / double(k));
//! end
//! if FORM==estrin
    V p = V(1.0LF), r = V(0.0LF), x2 = x * x;
    for (int k = 0; k < DEG; k += 2) {
        r += p * (V(1.0LF / double(k + 1)) + x * V(1.0LF / double(k + 2)));
        p *= x2;
    }
//! end
    dst[gl_GlobalInvocationID.x] = r;
}
