//! RULE: life highlife seeds
//! STEPS: 1 4
//! EDGE: wrap dead
//! in s0=int,0,1,128 s1=zero,128
#version 460
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) buffer Buffer0 { uint src[]; };
layout(std430, binding = 1) buffer Buffer1 { uint dst[]; };
shared uint grid[2][8][16];
void main() {
    int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y), now = 0;
    grid[0][y][x] = src[y * 16 + x];
    for (int s = 0; s < STEPS; s++) {
        barrier();
        uint n = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                if (dx == 0 && dy == 0) continue;
//! if EDGE==wrap
                n += grid[now][(y + dy) & 7][(x + dx) & 15];
//! end
//! if EDGE==dead
                if (x + dx >= 0 && x + dx < 16 && y + dy >= 0 && y + dy < 8)
                    n += grid[now][y + dy][x + dx];
//! end
            }
        uint c = grid[now][y][x];
//! if RULE==life
        grid[1 - now][y][x] = uint(n == 3 || (c == 1 && n == 2));
//! end
//! if RULE==highlife
        grid[1 - now][y][x] = uint(n == 3 || (c == 0 && n == 6) || (c == 1 && n == 2));
//! end
//! if RULE==seeds
        grid[1 - now][y][x] = uint(c == 0 && n == 2);
//! end
        now = 1 - now;
    }
    barrier();
    dst[y * 16 + x] = grid[now][y][x];
}
