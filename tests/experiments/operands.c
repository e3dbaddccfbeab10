/* Operand words for experiments: operands mid|nasty|words COUNT SEED > FILE
 *   mid    floats of either sign in [0.5, 2): every rounding shows
 *   nasty  a table of edge values, and random words
 *   words  random words
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: small, seeded, the same everywhere. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const uint32_t nasty[] = {
    0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x807fffff, 0x800000, 0x80800000, 0x800001, 0x3f800000, 0xbf800000,
    0x3f7fffff, 0x3f800001, 0x3f000000, 0x40000000, 0xc0000000, 0x40400000, 0x4b000000, 0x4b800000, 0xcb800001,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 0x7fc12345, 2, 31, 32, 33,
    255, 256, 65535, 65536, 0x7ffffffe, 0x80000002, 0xfffffffe, 0x38800000, 0x387fffff, 0x477fe000, 0x477ff000,
    0x33000000, 0x33000001, 0x3effffff, 0x3fc00000, 0x40200000, 0xbf000000, 0xbfc00000, 0x0d800000, 0x20000000,
};

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: operands mid|nasty|words COUNT SEED\n");
        return 2;
    }
    uint64_t state = strtoull(argv[3], NULL, 0);
    for (unsigned long i = strtoul(argv[2], NULL, 0); i; i--) {
        uint64_t z = next(&state);
        uint32_t word = (uint32_t)z;
        if (!strcmp(argv[1], "mid"))
            word = 0x3f000000u + (word & 0xffffffu) + ((uint32_t)(z >> 32) & 0x80000000u);
        else if (!strcmp(argv[1], "nasty") && z >> 62)
            word = nasty[word % (sizeof nasty / sizeof *nasty)];
        fwrite(&word, 4, 1, stdout);
    }
    return fflush(stdout) ? 2 : 0;
}
