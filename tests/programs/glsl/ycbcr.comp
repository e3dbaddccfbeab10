//! STD,KR,KB: bt601;0.299;0.114 bt709;0.2126;0.0722 bt2020;0.2627;0.0593
//! WAY: encode decode round
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
const float kr = KR, kb = KB, kg = 1.0 - kr - kb;
vec3 encode(vec3 c) {
    float y = kr * c.r + kg * c.g + kb * c.b;
    return vec3(y, (c.b - y) / (2.0 * (1.0 - kb)) + 0.5, (c.r - y) / (2.0 * (1.0 - kr)) + 0.5);
}
vec3 decode(vec3 c) {
    float cb = c.y - 0.5, cr = c.z - 0.5;
    float r = c.x + 2.0 * (1.0 - kr) * cr, b = c.x + 2.0 * (1.0 - kb) * cb;
    return vec3(r, (c.x - kr * r - kb * b) / kg, b);
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 c = unpackUnorm4x8(src[i]);
//! if WAY==encode
    c.rgb = encode(c.rgb);
//! end
//! if WAY==decode
    c.rgb = decode(c.rgb);
//! end
//! if WAY==round
    c.rgb = decode(floor(encode(c.rgb) * 255.0 + 0.5) / 255.0);
//! end
    dst[i] = packUnorm4x8(clamp(c, 0.0, 1.0));
}
