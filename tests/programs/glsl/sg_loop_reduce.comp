//! EXIT: v<8u lane<r*4u (v&r)==0u
//! OP: subgroupAdd(v) subgroupMin(v) subgroupExclusiveAdd(v) subgroupOr(v)
//! in s0=int,0,999,64 s1=zero,64
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, v = src[i], acc = 0;
    for (uint r = 1; r <= 12; r++) {
        if (EXIT)
            break;
        acc = acc * 5u + OP;
        if ((lane & 1u) == 1u)
            continue;
        v -= v >> 2;
    }
    dst[i] = acc;
}
