//! V,D: vec2;float,-1,1,128 vec3;float,-1,1,256 vec4;float,-1,1,256
//! E: normalize(a)*length(b) reflect(a,normalize(b)) refract(normalize(a),normalize(b),0.7) faceforward(a,b,a) mix(a,b,step(a,b)) smoothstep(V(-1),V(1),a)*b mod(a,abs(b)+0.1) clamp(a,-abs(b),abs(b)) a*distance(a,b)
//! in s0=D s1=D s2=zero,256
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { V sa[]; };
layout(std430, binding = 1) buffer Buffer1 { V sb[]; };
layout(std430, binding = 2) buffer Buffer2 { V dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    V a = sa[i], b = sb[i];
    dst[i] = E;
}
