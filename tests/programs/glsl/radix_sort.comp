//! BITS: 1 2 4
//! N: 32 64
//! TOP: 8 16
//! in s0=word,64 s1=zero,64
#version 460
layout(local_size_x = N) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
shared uint keys[N];
shared uint count[1 << BITS];
void main() {
    uint i = gl_LocalInvocationIndex;
    keys[i] = src[i] & ((1u << TOP) - 1u);
    barrier();
    for (uint shift = 0; shift < TOP; shift += BITS) {
        uint key = keys[i], digit = (key >> shift) & ((1u << BITS) - 1u);
        if (i < (1u << BITS))
            count[i] = 0;
        barrier();
        atomicAdd(count[digit], 1u);
        barrier();
        uint before = 0;
        for (uint d = 0; d < digit; d++)
            before += count[d];
        for (uint j = 0; j < i; j++)
            if (((keys[j] >> shift) & ((1u << BITS) - 1u)) == digit)
                before++;
        barrier();
        keys[before] = key;
        barrier();
    }
    dst[i] = keys[i];
}
