//! OP: a+b a*b a*2.0-b max(a,b) sqrt(abs(a))
//! FORM: half unorm snorm
//! in s0=half,64 s1=zero,64
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
//! if FORM==half
vec2 get(uint w) { return unpackHalf2x16(w); }
uint put(vec2 v) { return packHalf2x16(v); }
//! end
//! if FORM==unorm
vec2 get(uint w) { return unpackUnorm2x16(w); }
uint put(vec2 v) { return packUnorm2x16(v); }
//! end
//! if FORM==snorm
vec2 get(uint w) { return unpackSnorm2x16(w); }
uint put(vec2 v) { return packSnorm2x16(v); }
//! end
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 a = get(src[i]), b = get(src[i + 32]);
    dst[i] = put(OP);
}
