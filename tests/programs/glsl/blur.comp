//! R: 1 2 3
//! EDGE: clamp wrap zero
//! AXIS: x y
//! in s0=float,0,1,256 s1=zero,256
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
const int W = 16, H = 8;
float texel(ivec2 p) {
//! if EDGE==clamp
    p = clamp(p, ivec2(0), ivec2(W - 1, H - 1));
//! end
//! if EDGE==wrap
    p = (p + ivec2(W, H)) & ivec2(W - 1, H - 1);
//! end
//! if EDGE==zero
    if (any(lessThan(p, ivec2(0))) || p.x >= W || p.y >= H)
        return 0.0;
//! end
    return src[p.y * W + p.x];
}
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    float sum = 0.0, total = 0.0;
    for (int d = -R; d <= R; d++) {
        float w = exp(-float(d * d) / float(R * R));
        ivec2 q = p;
        q.AXIS += d;
        sum += w * texel(q);
        total += w;
    }
    dst[p.y * W + p.x] = sum / total;
}
