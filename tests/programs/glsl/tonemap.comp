//! CURVE: reinhard aces filmic hejl
//! EXPOSURE: 0.5 1.0 4.0
//! in s0=float,0,8,192 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
vec3 curve(vec3 x) {
//! if CURVE==reinhard
    return x / (1.0 + x);
//! end
//! if CURVE==aces
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
//! end
//! if CURVE==filmic
    return ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06)) - 0.02 / 0.30;
//! end
//! if CURVE==hejl
    x = max(vec3(0.0), x - 0.004);
    return (x * (6.2 * x + 0.5)) / (x * (6.2 * x + 1.7) + 0.06);
//! end
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 c = curve(vec3(src[3 * i], src[3 * i + 1], src[3 * i + 2]) * EXPOSURE);
    dst[i] = packUnorm4x8(vec4(pow(max(c, 0.0), vec3(1.0 / 2.2)), 1.0));
}
