//! T,D: float;float,-1,1,512 double;double,-1,1,512
//! WAY: kahan neumaier plain pairwise
//! N: 4 8
//! in s0=D s1=zero,128
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { T src[]; };
layout(std430, binding = 1) buffer Buffer1 { T dst[]; };
void main() {
    uint base = gl_GlobalInvocationID.x * N;
    precise T sum = T(0), c = T(0);
//! if WAY==pairwise
    T v[N];
    for (int k = 0; k < N; k++) v[k] = src[base + k] * T(1.5);
    for (int n = N / 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++) v[k] += v[k + n];
    sum = v[0];
//! end
//! if WAY!=pairwise
    for (int k = 0; k < N; k++) {
        T x = src[base + k] * T(3.7);
//! if WAY==kahan
        precise T y = x - c, t = sum + y;
        c = (t - sum) - y;
        sum = t;
//! end
//! if WAY==neumaier
        precise T t = sum + x;
        c += abs(sum) >= abs(x) ? (sum - t) + x : (x - t) + sum;
        sum = t;
//! end
//! if WAY==plain
        sum += x;
//! end
//! if WAY!=pairwise
    }
//! end
//! if WAY==neumaier
    sum += c;
//! end
    dst[gl_GlobalInvocationID.x] = sum;
}
