//! N: 4 6 8
//! in s0=int,0,3,512 s1=zero,32
#version 460
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
void main() {
    uint a = gl_GlobalInvocationID.x * 16, row[N + 1];
    for (uint j = 0; j <= N; j++) row[j] = j;
    for (uint i = 1; i <= N; i++) {
        uint diag = row[0];
        row[0] = i;
        for (uint j = 1; j <= N; j++) {
            uint up = row[j];
            row[j] = min(min(up, row[j - 1]) + 1, diag + (src[a + i - 1] == src[a + 8 + j - 1] ? 0u : 1u));
            diag = up;
        }
    }
    dst[gl_GlobalInvocationID.x] = row[N];
}
