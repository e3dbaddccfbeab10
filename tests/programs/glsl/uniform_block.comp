//! T: vec4 uvec4
//! WAY: direct indexed loop
//! in s0=int,0,3,64 s1=zero,256 c0=float,0,9,16
#version 460
layout(local_size_x = 64) in;
layout(std140, binding = 0) uniform Params { T p[4]; };
layout(std430, binding = 0) buffer Src { uint src[]; };
layout(std430, binding = 1) buffer Dst { T dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
//! if WAY==direct
    dst[i] = p[0] + p[3] * T(src[i]);
//! end
//! if WAY==indexed
    dst[i] = p[src[i]];
//! end
//! if WAY==loop
    T sum = T(0);
    for (uint k = 0; k <= src[i]; k++) sum += p[k];
    dst[i] = sum;
//! end
}
