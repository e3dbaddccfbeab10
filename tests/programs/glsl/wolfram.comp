//! RULE: 30u 90u 110u
//! STEPS: 1 8
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint c = src[gl_GlobalInvocationID.x];
    for (int s = 0; s < STEPS; s++) {
        uint next = 0;
        for (int b = 0; b < 32; b++) {
            uint hood = ((c >> ((b + 1) & 31)) & 1u) << 2 | ((c >> b) & 1u) << 1 | ((c >> ((b + 31) & 31)) & 1u);
            next |= ((RULE >> hood) & 1u) << b;
        }
        c = next;
    }
    dst[gl_GlobalInvocationID.x] = c;
}
