//! WORDS: 2 4 8
//! OP: add mul sub shift
//! in s0=word,512 s1=zero,512
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint base = gl_GlobalInvocationID.x * WORDS, a[WORDS], b[WORDS], r[WORDS];
    for (int k = 0; k < WORDS; k++) {
        a[k] = src[base + k];
        b[k] = src[base + 256 - k - 1];
        r[k] = 0;
    }
    uint carry = 0;
//! if OP==add
    for (int k = 0; k < WORDS; k++) {
        uint c1, c2;
        uint t = uaddCarry(a[k], b[k], c1);
        r[k] = uaddCarry(t, carry, c2);
        carry = c1 + c2;
    }
//! end
//! if OP==sub
    for (int k = 0; k < WORDS; k++) {
        uint c1, c2;
        uint t = usubBorrow(a[k], b[k], c1);
        r[k] = usubBorrow(t, carry, c2);
        carry = c1 | c2;
    }
//! end
//! if OP==mul
    for (int i = 0; i < WORDS; i++) {
        carry = 0;
        for (int j = 0; i + j < WORDS; j++) {
            uint hi, lo, c1, c2;
            umulExtended(a[i], b[j], hi, lo);
            lo = uaddCarry(lo, r[i + j], c1);
            r[i + j] = uaddCarry(lo, carry, c2);
            carry = hi + c1 + c2;
        }
    }
//! end
//! if OP==shift
    uint n = b[0] & 31u;
    for (int k = WORDS - 1; k >= 0; k--)
        r[k] = n == 0u ? a[k] : (a[k] << n) | (k > 0 ? a[k - 1] >> (32u - n) : 0u);
//! end
    for (int k = 0; k < WORDS; k++)
        dst[base + k] = r[k];
}
