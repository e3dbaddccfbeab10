//! VOTE: subgroupAny(v>100u) subgroupAll(v>10u) subgroupAllEqual(v>>4) !subgroupAll(v<50u)
//! MAXN: 8 20
//! in s0=int,1,400,64 s1=zero,128
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uvec2 dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, v = src[i], n = 0;
    for (; n < MAXN; n++) {
        if (!(VOTE))
            break;
        v = v / 2u + (i & 1u);
    }
    dst[i] = uvec2(n, v);
}
