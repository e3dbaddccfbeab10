#include "compare/driver/wire.h"

#include <string.h>

void wire_put_floats(struct wire_out *w, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        wire_put_u32(w, bits);
    }
}

void wire_get_floats(struct wire_reader *r, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = wire_get_u32(r);
        memcpy(&values[i], &bits, sizeof bits);
    }
}
