//! F: sqrt cbrt rcp rsqrt
//! STEPS: 2 4
//! in s0=double,0.5,4,32 s1=zero,64
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { double src[]; };
layout(std430, binding = 1) buffer Buffer1 { double dst[]; };
void main() {
    double a = src[gl_GlobalInvocationID.x];
//! if F==sqrt
    double x = double(sqrt(float(a)));
    for (int k = 0; k < STEPS; k++) x = 0.5LF * (x + a / x);
//! end
//! if F==cbrt
    double x = double(pow(float(a), 1.0 / 3.0));
    for (int k = 0; k < STEPS; k++) x = (2.0LF * x + a / (x * x)) / 3.0LF;
//! end
//! if F==rcp
    double x = double(1.0 / float(a));
    for (int k = 0; k < STEPS; k++) x = x * (2.0LF - a * x);
//! end
//! if F==rsqrt
    double x = double(inversesqrt(float(a)));
    for (int k = 0; k < STEPS; k++) x = x * (1.5LF - 0.5LF * a * x * x);
//! end
    dst[gl_GlobalInvocationID.x] = x;
}
