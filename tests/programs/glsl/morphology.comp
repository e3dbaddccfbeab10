//! OP: max min
//! SHAPE: cross square disc
//! in s0=int,0,255,128 s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    uint v = src[p.y * 16 + p.x];
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
//! if SHAPE==cross
            if (x != 0 && y != 0) continue;
//! end
//! if SHAPE==disc
            if (x * x + y * y > 4) continue;
//! end
            ivec2 q = p + ivec2(x, y);
            if (q.x >= 0 && q.x < 16 && q.y >= 0 && q.y < 8)
                v = OP(v, src[q.y * 16 + q.x]);
        }
    dst[p.y * 16 + p.x] = v;
}
