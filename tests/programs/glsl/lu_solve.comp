//! N: 3 4 5
//! PIVOT: 0 1
//! in s0=float,-3,3,1024 s1=zero,256
#version 460
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
void main() {
    uint base = gl_GlobalInvocationID.x * N * (N + 1);
    float a[N][N + 1];
    for (int r = 0; r < N; r++)
        for (int c = 0; c <= N; c++)
            a[r][c] = src[base + r * (N + 1) + c];
    for (int k = 0; k < N; k++) {
        if (PIVOT == 1) {
            int best = k;
            for (int r = k + 1; r < N; r++)
                if (abs(a[r][k]) > abs(a[best][k]))
                    best = r;
            if (best != k)
                for (int c = 0; c <= N; c++) {
                    float t = a[k][c];
                    a[k][c] = a[best][c];
                    a[best][c] = t;
                }
        }
        for (int r = k + 1; r < N; r++) {
            float f = a[r][k] / a[k][k];
            for (int c = k; c <= N; c++)
                a[r][c] -= f * a[k][c];
        }
    }
    float x[N];
    for (int r = N - 1; r >= 0; r--) {
        float s = a[r][N];
        for (int c = r + 1; c < N; c++)
            s -= a[r][c] * x[c];
        x[r] = s / a[r][r];
    }
    for (int r = 0; r < N; r++)
        dst[gl_GlobalInvocationID.x * N + r] = x[r];
}
