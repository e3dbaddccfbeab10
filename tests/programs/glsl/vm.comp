//! LEN: 6 12
//! REGS: 2 4
//! in s0=word,768 s1=zero,64
#version 460
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Buffer0 { uint code[]; };
layout(std430, binding = 1) buffer Buffer1 { int dst[]; };
void main() {
    uint base = gl_GlobalInvocationID.x * LEN;
    int r[REGS];
    for (int k = 0; k < REGS; k++) r[k] = int(gl_GlobalInvocationID.x) + k;
    uint pc = 0, fuel = 40;
    while (pc < LEN && fuel-- > 0u) {
        uint op = code[base + pc];
        uint a = (op >> 8) % REGS, b = (op >> 16) % REGS;
        int imm = int(op) >> 24;
        pc++;
        switch (op & 7u) {
        case 0: r[a] += r[b]; break;
        case 1: r[a] -= imm; break;
        case 2: r[a] *= r[b] | 1; break;
        case 3: if (r[a] > r[b]) pc++; break;
        case 4: r[a] = r[b] ^ imm; break;
        case 5: r[a] = r[a] >> (imm & 7); break;
        case 6: if (r[a] < 0) { pc = (pc + 2u) % LEN; } break;
        default: r[a] = max(r[a], r[b]); 
        }
    }
    int h = int(fuel);
    for (int k = 0; k < REGS; k++) h = h * 31 + r[k];
    dst[gl_GlobalInvocationID.x] = h;
}
