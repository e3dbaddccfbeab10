//! GEN: lcg xorshift mwc taus
//! STEPS: 16 64
//! OUT: float uint
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { OUT dst[]; };
uint state, carry;
uint lcg() { return state = state * 1664525u + 1013904223u; }
uint xorshift() { state ^= state << 13; state ^= state >> 17; state ^= state << 5; return state; }
uint mwc() { uint hi, lo; umulExtended(state, 4294957665u, hi, lo); uint c; lo = uaddCarry(lo, carry, c); carry = hi + c; return state = lo; }
uint taus() { uint b = ((state << 13) ^ state) >> 19; return state = ((state & 4294967294u) << 12) ^ b ^ lcg(); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    state = src[i] | 1u;
    carry = i;
    uint inside = 0;
    for (int s = 0; s < STEPS; s++) {
        float x = float(GEN() >> 8) / 16777216.0, y = float(GEN() >> 8) / 16777216.0;
        if (x * x + y * y <= 1.0)
            inside++;
    }
//! if OUT==float
    dst[i] = 4.0 * float(inside) / float(STEPS);
//! end
//! if OUT==uint
    dst[i] = inside ^ state;
//! end
}
