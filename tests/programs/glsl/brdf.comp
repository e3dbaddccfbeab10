//! D: ggx beckmann blinn
//! G: smith implicit
//! F: schlick fixed
//! in s0=float,0.05,1,256 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    vec4 p = src[gl_GlobalInvocationID.x];
    float nh = p.x, nl = p.y, nv = p.z, a = p.w * p.w, a2 = a * a, d, g = 1.0, f = 0.04;
//! if D==ggx
    float k = nh * nh * (a2 - 1.0) + 1.0;
    d = a2 / (3.14159265 * k * k);
//! end
//! if D==beckmann
    float c2 = nh * nh;
    d = exp((c2 - 1.0) / (a2 * c2)) / (3.14159265 * a2 * c2 * c2);
//! end
//! if D==blinn
    float e = 2.0 / a2 - 2.0;
    d = (e + 2.0) / 6.2831853 * pow(nh, max(e, 0.0));
//! end
//! if G==smith
    float r = (p.w + 1.0) * (p.w + 1.0) / 8.0;
    g = nl / (nl * (1.0 - r) + r) * (nv / (nv * (1.0 - r) + r));
//! end
//! if F==schlick
    f = 0.04 + 0.96 * pow(1.0 - nv, 5.0);
//! end
    dst[gl_GlobalInvocationID.x] = d * g * f / max(4.0 * nl * nv, 0.001);
}
