#include "tests/tools/sfu_sweep.h"

#include "eval/numeric/sfu.h"
#include "tests/tools/operands.h"

#include <math.h>
#include <string.h>

static double exact_rcp(double x)
{
    return 1 / x;
}

static double exact_rsq(double x)
{
    return 1 / sqrt(x);
}

#define RANGE(name)                                                                                       \
    static void range_##name(uint32_t *out, uint32_t start, size_t count)                                 \
    {                                                                                                     \
        for (size_t i = 0; i < count; i++)                                                                \
            out[i] = eval_sfu_##name(start + (uint32_t)i);                                                \
    }

#define FUNCTION(name, function, exact) {name, name ".F", exact, eval_sfu_##function, range_##function}
#define HALF_FUNCTION(name, function) {name, name, NULL, eval_sfu_##function, range_##function}

RANGE(rcp)
RANGE(rsq)
RANGE(ex2)
RANGE(lg2)
RANGE(sin)
RANGE(cos)
RANGE(rcp_half)
RANGE(rsq_half)
RANGE(ex2_half)
RANGE(lg2_half)
RANGE(sin_half)
RANGE(cos_half)

const struct sfu_function sfu_functions[SFU_FUNCTIONS] = {
    FUNCTION("RCP", rcp, exact_rcp),
    FUNCTION("RSQ", rsq, exact_rsq),
    FUNCTION("EX2", ex2, exp2),
    FUNCTION("LG2", lg2, log2),
    FUNCTION("SIN", sin, sin),
    FUNCTION("COS", cos, cos),
    HALF_FUNCTION("RCP.F16", rcp_half),
    HALF_FUNCTION("RSQ.F16", rsq_half),
    HALF_FUNCTION("EX2.F16", ex2_half),
    HALF_FUNCTION("LG2.F16", lg2_half),
    HALF_FUNCTION("SIN.F16", sin_half),
    HALF_FUNCTION("COS.F16", cos_half),
};

const struct sfu_function *sfu_function_named(const char *name)
{
    for (size_t i = 0; i < SFU_FUNCTIONS; i++) {
        if (!strcmp(name, sfu_functions[i].name))
            return &sfu_functions[i];
    }
    return NULL;
}

uint64_t sfu_hash(const uint32_t *words, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}

void sfu_operands(uint32_t out[SFU_OPERANDS])
{
    static uint32_t records[SFU_OPERANDS / 4 * OPERAND_RECORD / 4];
    operand_set_fill(SET_F32U, (uint8_t *)records);
    for (size_t i = 0; i < SFU_OPERANDS; i++)
        out[i] = records[i / 4 * (OPERAND_RECORD / 4) + i % 4];
}

size_t sfu_some_of(uint32_t top, size_t group, uint32_t *out)
{
    size_t n = 0;

    for (uint32_t m = 0; m < 0x800000; m += 4093)
        out[n++] = top << 23 | m;
    for (uint32_t s = 0; s < 128; s++)
        for (int32_t d = -2; d <= 2; d++)
            out[n++] = top << 23 | (((s << 16) + (uint32_t)d) & 0x7fffff);
    while (n % group)
        out[n++] = top << 23;
    return n;
}
