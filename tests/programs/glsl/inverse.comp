//! M,V: mat2;vec2 mat3;vec3 mat4;vec4
//! CHECK: 0 1
//! in s0=float,-2,2,512 s1=zero,256
#version 460
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Mats { M mats[]; };
layout(std430, binding = 1) buffer Outs { M outs[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    M m = mats[i];
    M r = inverse(m);
    if (CHECK == 1)
        r = r * m - M(1.0);
    outs[i] = r;
}
