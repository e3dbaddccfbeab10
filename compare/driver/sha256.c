#include "compare/driver/sha256.h"

#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

/* One of the rounds, each of which gives the eight words of the state the next one's places: `d` and `h` get new
 * values. */
static inline void turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                        uint32_t *h, uint32_t word)
{
    uint32_t t = *h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + word;

    *d += t;
    *h = t + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void compress(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
                    h = state[7];

    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    for (int i = 0; i < 64; i += 8) {
        const uint32_t *k = round_constants + i, *v = w + i;
        turn(a, b, c, &d, e, f, g, &h, k[0] + v[0]);
        turn(h, a, b, &c, d, e, f, &g, k[1] + v[1]);
        turn(g, h, a, &b, c, d, e, &f, k[2] + v[2]);
        turn(f, g, h, &a, b, c, d, &e, k[3] + v[3]);
        turn(e, f, g, &h, a, b, c, &d, k[4] + v[4]);
        turn(d, e, f, &g, h, a, b, &c, k[5] + v[5]);
        turn(c, d, e, &f, g, h, a, &b, k[6] + v[6]);
        turn(b, c, d, &e, f, g, h, &a, k[7] + v[7]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void sha256_start(struct sha256 *h)
{
    static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memcpy(h->state, start, sizeof start);
    h->size = 0;
}

void sha256_add(struct sha256 *h, const void *data, size_t size)
{
    const uint8_t *p = data;
    size_t have = h->size % 64;
    h->size += size;
    if (have) {
        size_t take = size < 64 - have ? size : 64 - have;
        if (take)
            memcpy(h->block + have, p, take);
        p += take;
        size -= take;
        if (have + take < 64)
            return;
        compress(h->state, h->block);
    }
    for (; size >= 64; p += 64, size -= 64)
        compress(h->state, p);
    if (size)
        memcpy(h->block, p, size);
}

void sha256_end(struct sha256 *h, uint8_t digest[SHA256_BYTES])
{
    static const uint8_t padding[64] = { 0x80 };
    uint64_t bits = h->size * 8;
    size_t have = h->size % 64;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(h, padding, have < 56 ? 56 - have : 120 - have);
    sha256_add(h, length, sizeof length);
    for (int i = 0; i < SHA256_BYTES; i++)
        digest[i] = (uint8_t)(h->state[i / 4] >> (24 - i % 4 * 8));
}

void sha256_of(const void *data, size_t size, uint8_t digest[SHA256_BYTES])
{
    struct sha256 h;
    sha256_start(&h);
    sha256_add(&h, data, size);
    sha256_end(&h, digest);
}

const char *sha256_print(const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT])
{
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < SHA256_BYTES; i++) {
        text[2 * i] = hex[digest[i] >> 4];
        text[2 * i + 1] = hex[digest[i] & 15];
    }
    text[SHA256_TEXT - 1] = 0;
    return text;
}
