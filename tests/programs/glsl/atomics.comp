//! OP: atomicAdd atomicMin atomicMax atomicAnd atomicOr atomicXor
//! T: uint int
//! WHERE: shared storage
//! in groups=2 s0=word,128 s1=word,8
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
shared T acc[4];
void main() {
    uint i = gl_LocalInvocationIndex;
//! if WHERE==shared
    if (i < 4)
        acc[i] = dst[i];
    barrier();
    OP(acc[i & 3], src[i]);
    barrier();
    if (i < 4 && gl_WorkGroupID.x == 0)
        dst[4 + i] = acc[i];
//! end
//! if WHERE==storage
    OP(dst[i & 7], src[gl_GlobalInvocationID.x]);
//! end
}
