//! WAY: rgb2hsv hsv2rgb both hsl
//! SHIFT: 0.0 0.25 0.6
//! in s0=float,0,1,192 s1=zero,192
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
vec3 rgb2hsv(vec3 c) {
    vec4 k = vec4(0.0, -1.0 / 3.0, 2.0 / 3.0, -1.0);
    vec4 p = mix(vec4(c.bg, k.wz), vec4(c.gb, k.xy), step(c.b, c.g));
    vec4 q = mix(vec4(p.xyw, c.r), vec4(c.r, p.yzx), step(p.x, c.r));
    float d = q.x - min(q.w, q.y);
    return vec3(abs(q.z + (q.w - q.y) / (6.0 * d + 1e-10)), d / (q.x + 1e-10), q.x);
}
vec3 hsv2rgb(vec3 c) {
    vec3 p = abs(fract(c.xxx + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
    return c.z * mix(vec3(1.0), clamp(p - 1.0, 0.0, 1.0), c.y);
}
vec3 hsl(vec3 c) {
    float hi = max(c.r, max(c.g, c.b)), lo = min(c.r, min(c.g, c.b)), l = (hi + lo) * 0.5, d = hi - lo, h;
    if (d == 0.0)
        return vec3(0.0, 0.0, l);
    if (hi == c.r) h = mod((c.g - c.b) / d, 6.0);
    else if (hi == c.g) h = (c.b - c.r) / d + 2.0;
    else h = (c.r - c.g) / d + 4.0;
    return vec3(h / 6.0, d / (1.0 - abs(2.0 * l - 1.0)), l);
}
void main() {
    uint i = gl_GlobalInvocationID.x * 3;
    vec3 c = vec3(src[i], src[i + 1], src[i + 2]);
    c.x = fract(c.x + SHIFT);
//! if WAY==rgb2hsv
    c = rgb2hsv(c);
//! end
//! if WAY==hsv2rgb
    c = hsv2rgb(c);
//! end
//! if WAY==both
    c = hsv2rgb(rgb2hsv(c));
//! end
//! if WAY==hsl
    c = hsl(c);
//! end
    dst[i] = c.x;
    dst[i + 1] = c.y;
    dst[i + 2] = c.z;
}
