//! WAY: euclid binary prime totient isqrt
//! in s0=int,1,3000,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, a = src[i], b = src[i + 64], r = 0;
//! if WAY==euclid
    while (b != 0u) { uint t = a % b; a = b; b = t; }
    r = a;
//! end
//! if WAY==binary
    uint k = 0;
    while (((a | b) & 1u) == 0u) { a >>= 1; b >>= 1; k++; }
    while ((a & 1u) == 0u) a >>= 1;
    do {
        while ((b & 1u) == 0u) b >>= 1;
        if (a > b) { uint t = a; a = b; b = t; }
        b -= a;
    } while (b != 0u);
    r = a << k;
//! end
//! if WAY==prime
    bool prime = a > 1u;
    for (uint d = 2; d * d <= a; d++)
        if (a % d == 0u) { prime = false; break; }
    r = uint(prime);
//! end
//! if WAY==totient
    r = a;
    for (uint p = 2; p * p <= a; p++) {
        if (a % p != 0u) continue;
        while (a % p == 0u) a /= p;
        r -= r / p;
    }
    if (a > 1u) r -= r / a;
//! end
//! if WAY==isqrt
    uint x = a * b, bit = 1u << 30;
    while (bit > x) bit >>= 2;
    while (bit != 0u) {
        if (x >= r + bit) { x -= r + bit; r = (r >> 1) + bit; } else r >>= 1;
        bit >>= 2;
    }
//! end
    dst[i] = r;
}
