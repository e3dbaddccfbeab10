//! HOW: texelFetch(tex,ivec2(i&7u,i>>3),0) textureLod(tex,vec2(i&7u,i>>3)/8.0,0.0) textureLod(tex,uv[i],0.0) textureGather(tex,uv[i]) textureLodOffset(tex,uv[i],0.0,ivec2(1,-1))
//! FILTER: nearest linear
//! in s0=float,0,2,128 s1=zero,256 t0=RGBA8,8,8,FILTER,word h0=t0
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D tex;
layout(std430, binding = 0) buffer Src { vec2 uv[]; };
layout(std430, binding = 1) buffer Dst { vec4 dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    dst[i] = HOW;
}
