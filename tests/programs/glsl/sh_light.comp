//! BANDS: 1 2 3
//! in s0=float,-1,1,192 s1=float,0,1,27 s2=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { float dir[]; };
layout(std430, binding = 1) buffer Buffer1 { float coeff[]; };
layout(std430, binding = 2) buffer Buffer2 { float dst[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 n = normalize(vec3(dir[3 * i], dir[3 * i + 1], dir[3 * i + 2]));
    float r = 0.282095 * coeff[0];
    if (BANDS > 1)
        r += 0.488603 * (n.y * coeff[1] + n.z * coeff[2] + n.x * coeff[3]);
    if (BANDS > 2)
        r += 1.092548 * (n.x * n.y * coeff[4] + n.y * n.z * coeff[5] + n.x * n.z * coeff[7]) + 0.315392 * (3.0 * n.z * n.z - 1.0) * coeff[6] + 0.546274 * (n.x * n.x - n.y * n.y) * coeff[8];
    dst[i] = r;
}
