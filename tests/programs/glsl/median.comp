//! T,D: float;float,0,1,128 uint;int,0,255,128
//! WAY: network insertion
//! in s0=D s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
#define SWAP(a, b) { T t = min(v[a], v[b]); v[b] = max(v[a], v[b]); v[a] = t; }
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    T v[9];
    int n = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            v[n++] = src[clamp(p.y + y, 0, 7) * 16 + clamp(p.x + x, 0, 15)];
//! if WAY==network
    SWAP(1, 2) SWAP(4, 5) SWAP(7, 8) SWAP(0, 1) SWAP(3, 4) SWAP(6, 7) SWAP(1, 2) SWAP(4, 5) SWAP(7, 8) SWAP(0, 3)
    SWAP(5, 8) SWAP(4, 7) SWAP(3, 6) SWAP(1, 4) SWAP(2, 5) SWAP(4, 7) SWAP(4, 2) SWAP(6, 4) SWAP(4, 2)
//! end
//! if WAY==insertion
    for (int i = 1; i < 9; i++) {
        T x = v[i];
        int j = i - 1;
        while (j >= 0 && v[j] > x) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = x;
    }
//! end
    dst[p.y * 16 + p.x] = v[4];
}
