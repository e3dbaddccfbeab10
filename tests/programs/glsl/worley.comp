//! METRIC: dot(d,d) abs(d.x)+abs(d.y) max(abs(d.x),abs(d.y))
//! PICK: first second gap
//! in s0=float,0,9,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec2 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
vec2 feature(ivec2 c) {
    uint h = uint(c.x) * 1597334677u ^ uint(c.y) * 3812015801u;
    h *= 1597334677u;
    return vec2(h & 65535u, h >> 16) / 65535.0;
}
void main() {
    vec2 p = src[gl_GlobalInvocationID.x];
    ivec2 cell = ivec2(floor(p));
    float f1 = 1e9, f2 = 1e9;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            ivec2 c = cell + ivec2(x, y);
            vec2 d = vec2(c) + feature(c) - p;
            float m = METRIC;
            if (m < f1) { f2 = f1; f1 = m; }
            else if (m < f2) f2 = m;
        }
//! if PICK==first
    dst[gl_GlobalInvocationID.x] = sqrt(f1);
//! end
//! if PICK==second
    dst[gl_GlobalInvocationID.x] = f2;
//! end
//! if PICK==gap
    dst[gl_GlobalInvocationID.x] = f2 - f1;
//! end
}
