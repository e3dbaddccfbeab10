//! OP: rotate mul slerp axis matrix
//! NORM: 0 1
//! in s0=float,-1,1,256 s1=float,-1,1,256 s2=zero,256
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { vec4 a[]; };
layout(std430, binding = 1) buffer Buffer1 { vec4 b[]; };
layout(std430, binding = 2) buffer Buffer2 { vec4 dst[]; };
vec4 qmul(vec4 p, vec4 q) { return vec4(p.w * q.xyz + q.w * p.xyz + cross(p.xyz, q.xyz), p.w * q.w - dot(p.xyz, q.xyz)); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 p = a[i], q = b[i];
    if (NORM == 1) { p = normalize(p); q = normalize(q); }
//! if OP==rotate
    vec3 t = 2.0 * cross(p.xyz, q.xyz);
    dst[i] = vec4(q.xyz + p.w * t + cross(p.xyz, t), 0.0);
//! end
//! if OP==mul
    dst[i] = qmul(qmul(p, q), vec4(-p.xyz, p.w));
//! end
//! if OP==slerp
    float d = dot(p, q), s = 1.0;
    if (d < 0.0) { d = -d; s = -1.0; }
    if (d > 0.9995)
        dst[i] = normalize(mix(p, s * q, 0.3));
    else {
        float w = acos(min(d, 1.0)), inv = 1.0 / sin(w);
        dst[i] = p * (sin(0.7 * w) * inv) + q * (s * sin(0.3 * w) * inv);
    }
//! end
//! if OP==axis
    float angle = 2.0 * acos(clamp(p.w, -1.0, 1.0)), s = sqrt(max(1.0 - p.w * p.w, 0.0));
    dst[i] = s < 0.001 ? vec4(1.0, 0.0, 0.0, angle) : vec4(p.xyz / s, angle);
//! end
//! if OP==matrix
    mat3 m = mat3(1.0 - 2.0 * (p.y * p.y + p.z * p.z), 2.0 * (p.x * p.y + p.z * p.w), 2.0 * (p.x * p.z - p.y * p.w),
                  2.0 * (p.x * p.y - p.z * p.w), 1.0 - 2.0 * (p.x * p.x + p.z * p.z), 2.0 * (p.y * p.z + p.x * p.w),
                  2.0 * (p.x * p.z + p.y * p.w), 2.0 * (p.y * p.z - p.x * p.w), 1.0 - 2.0 * (p.x * p.x + p.y * p.y));
    dst[i] = vec4(m * q.xyz, m[1][2]);
//! end
}
