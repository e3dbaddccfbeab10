//! SYSTEM: lorenz vanderpol pendulum
//! STEPS: 5 20
//! T,V,D: float;vec3;float,-1,1,192 double;dvec3;double,-1,1,192
//! in s0=D s1=zero,384
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
V slope(V s) {
//! if SYSTEM==lorenz
    return V(T(10) * (s.y - s.x), s.x * (T(28) - s.z) - s.y, s.x * s.y - s.z * T(8) / T(3));
//! end
//! if SYSTEM==vanderpol
    return V(s.y, T(1.5) * (T(1) - s.x * s.x) * s.y - s.x, T(0));
//! end
//! if SYSTEM==pendulum
    return V(s.y, s.x * s.x * s.x / T(6) - s.x - T(0.1) * s.y, T(1));
//! end
}
void main() {
    uint i = gl_GlobalInvocationID.x * 3;
    V s = V(src[i], src[i + 1], src[i + 2]);
    const T h = T(0.01);
    for (int n = 0; n < STEPS; n++) {
        V k1 = slope(s), k2 = slope(s + k1 * (h / T(2))), k3 = slope(s + k2 * (h / T(2))), k4 = slope(s + k3 * h);
        s += (k1 + T(2) * k2 + T(2) * k3 + k4) * (h / T(6));
    }
    dst[i] = s.x;
    dst[i + 1] = s.y;
    dst[i + 2] = s.z;
}
