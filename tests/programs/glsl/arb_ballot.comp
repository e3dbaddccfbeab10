//! TEST: (v&1u)==0u v>20u
//! GIVE: bits rank read first
//! in s0=int,0,40,64 s1=zero,64
#version 460
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, v = src[i], r = 0;
    uint64_t m = ballotARB(TEST);
    uvec2 b = unpackUint2x32(m);
//! if GIVE==bits
    r = b.x ^ b.y;
//! end
//! if GIVE==rank
    r = uint(bitCount(b.x & unpackUint2x32(gl_SubGroupLtMaskARB).x));
//! end
//! if GIVE==read
    r = readInvocationARB(v, 5u) * 3u + v;
//! end
//! if GIVE==first
    if (TEST)
        r = readFirstInvocationARB(v) + gl_SubGroupInvocationARB;
    else
        r = readFirstInvocationARB(v * 2u);
//! end
    dst[i] = r;
}
