//! M: mat2 mat3 mat4
//! V,W: v*m;m*v m*v;v*m
//! K: 1 3
//! in s0=float,-1,1,1024 s1=float,-1,1,256 s2=zero,256
#version 460
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Mats { M mats[]; };
layout(std430, binding = 1) buffer Vecs { vec4 vecs[]; };
layout(std430, binding = 2) buffer Outs { vec4 outs[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    M m = mats[i];
//! if M==mat2
    vec2 v = vecs[i].xy;
    for (int k = 0; k < K; k++) v = V + W;
    outs[i] = vec4(v, determinant(m), (transpose(m) * v).y);
//! end
//! if M==mat3
    vec3 v = vecs[i].xyz;
    for (int k = 0; k < K; k++) v = V + W;
    outs[i] = vec4(v, determinant(m));
//! end
//! if M==mat4
    vec4 v = vecs[i];
    for (int k = 0; k < K; k++) v = V - W;
    outs[i] = v;
//! end
}
