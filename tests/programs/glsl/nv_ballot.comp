//! TEST: (v&1u)==0u v>gl_ThreadInWarpNV
//! BITS: gl_ThreadLtMaskNV gl_ThreadGeMaskNV gl_ThreadEqMaskNV
//! LOOP: 0 1
//! in s0=int,0,40,64 s1=zero,64
#version 460
#extension GL_NV_shader_thread_group : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, v = src[i], r = 0;
//! if LOOP==0
    r = bitCount(ballotThreadNV(TEST) & BITS) + gl_WarpSizeNV;
//! end
//! if LOOP==1
    while (v > 3u) {
        r = r * 3u + uint(bitCount(ballotThreadNV(TEST) & BITS));
        v = v * 2u / 3u;
    }
//! end
    dst[i] = r;
}
