//! T,D,V: float;float,-2,1,128;vec2 double;double,-2,1,128;dvec2
//! LIMIT: 20 50
//! SET: mandel julia ship
//! in s0=D s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { V src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    V c = src[gl_GlobalInvocationID.x], z = V(0);
//! if SET==julia
    z = c;
    c = V(-0.8, 0.156);
//! end
    uint n = 0;
    for (; n < LIMIT; n++) {
//! if SET==ship
        z = abs(z);
//! end
        T x = z.x * z.x - z.y * z.y + c.x;
        z.y = T(2) * z.x * z.y + c.y;
        z.x = x;
        if (z.x * z.x + z.y * z.y > T(4))
            break;
    }
    dst[gl_GlobalInvocationID.x] = n;
}
