//! WAY: invert sum gradient
//! FMT,V,IN: rgba8;vec4;word r32ui;uvec4;word r32f;vec4;float,0,1 rgba32f;vec4;float,0,1
//! in t0=FMT,8,8,nearest,IN i0=FMT,0 t1=FMT,8,8,nearest,zero i1=FMT,1 h0=i0 h1=i1
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
//! if FMT==r32ui
layout(FMT, binding = 0) uniform uimage2D from;
layout(FMT, binding = 1) uniform uimage2D to;
//! end
//! if FMT!=r32ui
layout(FMT, binding = 0) uniform image2D from;
layout(FMT, binding = 1) uniform image2D to;
//! end
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    V v = imageLoad(from, p);
//! if WAY==invert
    v = V(1) - v;
//! end
//! if WAY==sum
    for (int d = 1; d < 3; d++)
        v += imageLoad(from, (p + d) & 7);
//! end
//! if WAY==gradient
    v = imageLoad(from, min(p + ivec2(1, 0), 7)) - v;
//! end
    imageStore(to, p, v);
}
