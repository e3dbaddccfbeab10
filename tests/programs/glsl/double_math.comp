//! EXPR: sqrt(abs(x))+y floor(x*7.0LF)-ceil(y) fract(x)*mod(y,0.3LF) max(x,y)-min(x,y) mix(x,y,0.25LF) fma(x,y,x)-x*y double(float(x))-x x/y clamp(x*2.0LF,-1.0LF,1.0LF) double(int(x*100.0LF))+y
//! in s0=double,-2,2,64 s1=zero,64
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { double src[]; };
layout(std430, binding = 1) buffer Buffer1 { double dst[]; };
void main() {
    double x = src[gl_GlobalInvocationID.x], y = src[gl_GlobalInvocationID.x + 32];
    dst[gl_GlobalInvocationID.x] = EXPR;
}
