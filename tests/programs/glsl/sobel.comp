//! KERNEL: sobel scharr prewitt
//! MODE: length abs square
//! in s0=float,0,1,128 s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { float src[]; };
layout(std430, binding = 1) buffer Buffer1 { float dst[]; };
float at(int x, int y) { return src[clamp(y, 0, 7) * 16 + clamp(x, 0, 15)]; }
void main() {
    int x = int(gl_GlobalInvocationID.x), y = int(gl_GlobalInvocationID.y);
//! if KERNEL==sobel
    const float a = 1.0, b = 2.0;
//! end
//! if KERNEL==scharr
    const float a = 3.0, b = 10.0;
//! end
//! if KERNEL==prewitt
    const float a = 1.0, b = 1.0;
//! end
    float gx = a * (at(x + 1, y - 1) - at(x - 1, y - 1)) + b * (at(x + 1, y) - at(x - 1, y)) + a * (at(x + 1, y + 1) - at(x - 1, y + 1));
    float gy = a * (at(x - 1, y + 1) - at(x - 1, y - 1)) + b * (at(x, y + 1) - at(x, y - 1)) + a * (at(x + 1, y + 1) - at(x + 1, y - 1));
//! if MODE==length
    dst[y * 16 + x] = length(vec2(gx, gy));
//! end
//! if MODE==abs
    dst[y * 16 + x] = abs(gx) + abs(gy);
//! end
//! if MODE==square
    dst[y * 16 + x] = gx * gx + gy * gy;
//! end
}
