/* SHA-256 (FIPS 180-4): names the programs, inputs and results of a recording. */
#ifndef GP5_COMPARE_SHA256_H
#define GP5_COMPARE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_TEXT = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64];
};

void sha256_start(struct sha256 *h);
void sha256_add(struct sha256 *h, const void *data, size_t size);
void sha256_end(struct sha256 *h, uint8_t digest[SHA256_BYTES]);

void sha256_of(const void *data, size_t size, uint8_t digest[SHA256_BYTES]);
const char *sha256_print(const uint8_t digest[SHA256_BYTES], char text[SHA256_TEXT]);   /* lower-case hex */

#endif
