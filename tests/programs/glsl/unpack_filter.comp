//! FUNC: 0.299 0.2126
//! GAMMA: none srgb pow
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
vec3 decode(vec3 c) {
//! if GAMMA==none
    return c;
//! end
//! if GAMMA==srgb
    return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
//! end
//! if GAMMA==pow
    return pow(c, vec3(2.2));
//! end
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 c = unpackUnorm4x8(src[i]);
    vec3 lin = decode(c.rgb);
    float grey = dot(lin, vec3(FUNC, 0.587, 0.114));
    dst[i] = packUnorm4x8(vec4(mix(lin, vec3(grey), 0.5), c.a));
}
