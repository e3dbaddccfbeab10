//! VOTE: anyInvocationARB allInvocationsARB allInvocationsEqualARB
//! TEST: v>30 (v&1)==0 v<0
//! in s0=int,-5,40,64 s1=zero,64
#version 460
#extension GL_ARB_shader_group_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { int src[]; };
layout(std430, binding = 1) buffer Buffer1 { int dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    int v = src[i], n = 0;
    for (int k = 0; k < 6; k++) {
        if (VOTE(TEST))
            n += 1 << k;
        if (v > 10)
            v -= 9;
        else
            v += 3;
    }
    dst[i] = n;
}
