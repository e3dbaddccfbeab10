#include "tests/sfu_sweep.h"

#include "eval/numeric/sfu.h"
#include "tests/operands.h"

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

RANGE(rcp)
RANGE(rsq)
RANGE(ex2)
RANGE(lg2)
RANGE(sin)
RANGE(cos)

const struct sfu_function sfu_functions[SFU_FUNCTIONS] = {
    {"RCP", exact_rcp, eval_sfu_rcp, range_rcp}, {"RSQ", exact_rsq, eval_sfu_rsq, range_rsq},
    {"EX2", exp2, eval_sfu_ex2, range_ex2},      {"LG2", log2, eval_sfu_lg2, range_lg2},
    {"SIN", sin, eval_sfu_sin, range_sin},       {"COS", cos, eval_sfu_cos, range_cos},
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
