/* The fuzzer's way in (libFuzzer, and AFL++ by the same name): `make fuzz`. One input in sixteen is begun anew from
 * gp5's own generator, so that whole programs of every kind are among what it bends. */
#include "compare/fuzz/fuzz.h"
#include "tests/tools/fuzz_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *broken = fuzz_input(bytes, size);
    if (broken) {
        fprintf(stderr, "this does not hold: %s\n", broken);
        abort();
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    struct fuzz_settings settings = {.seed = seed, .broken = 40};
    struct fuzz_about about;
    struct fuzz_text text = {0};
    if (seed % 16 != 0)
        return LLVMFuzzerMutate(bytes, size, room);
    if (fuzz_program(&settings, seed / 16, &text, &about) && text.size <= room) {
        memcpy(bytes, text.bytes, text.size);
        size = text.size;
    }
    fuzz_text_free(&text);
    return size;
}
