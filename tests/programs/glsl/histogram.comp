//! BINS: 16 64
//! WAY: global shared private
//! in groups=2 s0=word,128 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint bins[]; };
//! if WAY==shared
shared uint part[BINS];
//! end
void main() {
    uint i = gl_GlobalInvocationID.x, b = src[i] % BINS;
//! if WAY==global
    atomicAdd(bins[b], 1u);
//! end
//! if WAY==shared
    if (gl_LocalInvocationIndex < BINS)
        part[gl_LocalInvocationIndex] = 0;
    barrier();
    atomicAdd(part[b], 1u);
    barrier();
    if (gl_LocalInvocationIndex < BINS)
        atomicAdd(bins[gl_LocalInvocationIndex], part[gl_LocalInvocationIndex]);
//! end
//! if WAY==private
    if (i < BINS) {
        uint n = 0;
        for (uint j = 0; j < 128; j++)
            n += uint(src[j] % BINS == i);
        bins[i] = n;
    }
//! end
}
