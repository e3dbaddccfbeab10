//! N: 2 3 4
//! WAY: naive early hash
//! in s0=int,0,2,96 s1=int,0,2,4 s2=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint text[]; };
layout(std430, binding = 1) buffer Buffer1 { uint word[]; };
layout(std430, binding = 2) buffer Buffer2 { uint dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    bool found = true;
//! if WAY==naive
    for (uint k = 0; k < N; k++)
        found = found && text[i + k] == word[k];
//! end
//! if WAY==early
    uint k = 0;
    while (k < N && text[i + k] == word[k]) k++;
    found = k == N;
//! end
//! if WAY==hash
    uint h = 0, want = 0;
    for (uint k = 0; k < N; k++) { h = h * 257u + text[i + k]; want = want * 257u + word[k]; }
    found = h == want;
//! end
    dst[i] = found ? i : ~0u;
}
