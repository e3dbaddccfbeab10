//! CASES: 3 6
//! FALL: 0 1
//! T: int float
//! in s0=int,0,7,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Src { int src[]; };
layout(std430, binding = 1) buffer Dst { T dst[]; };
T f(T x) { if (x > T(20)) return x - T(20); return x * T(3) + T(1); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    T v = T(src[i] * 5);
    for (int k = 0; k < 4; k++) {
        switch ((src[i] + k) % CASES) {
        case 0: v = f(v); break;
        case 1: v += T(7);
//! if FALL==0
            break;
//! end
        case 2: v = v / T(2); break;
        case 4: continue;
        default: v -= T(k);
        }
        if (v > T(100)) break;
    }
    dst[i] = v;
}
