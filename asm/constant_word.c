/* Constants as bits of a type. */
#include "asm/facts.h"

#include <string.h>

static uint64_t float_bits(double value, uint8_t type)
{
    uint64_t bits;
    uint32_t word;
    float f = (float)value;

    if (type == DT_F64) {
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&word, &f, sizeof word);
    return word;
}

static uint64_t integer_bits(const struct constant *c, unsigned i)
{
    if (c->is_integer >> i & 1)
        return c->value[i].u;
    return c->value[i].f < 18446744073709551616.0 ? (uint64_t)c->value[i].f : UINT64_MAX;
}

uint64_t eval_constant_word(const struct constant *c, unsigned component, uint8_t type)
{
    unsigned i = c->scalar ? 0 : component;
    bool is_float = type_table[type].is_float;
    bool negative = c->negative >> i & 1;

    if (i >= c->count)
        return i < 3 ? 0 : is_float ? float_bits(1, type) : 1;
    if (is_float) {
        double value = c->is_integer >> i & 1 ? (double)c->value[i].u : c->value[i].f;
        return float_bits(negative ? -value : value, type);
    }
    uint64_t bits = integer_bits(c, i);
    return negative ? 0 - bits : bits;
}

uint64_t eval_literal_word(const struct gp5_program *p, const struct constant *c, unsigned component, uint8_t type)
{
    unsigned i = c->scalar ? 0 : component;

    if (type != DT_F64 || i >= c->count || c->is_integer >> i & 1 || !c->scaled)
        return eval_constant_word(c, component, type);
    double value = program_scaled(p, c->scaled - 1)->value[i];
    return float_bits(c->negative >> i & 1 ? -value : value, type);
}

uint8_t eval_constant_type(uint8_t symbol_type, bool wide)
{
    switch (symbol_type) {
    case TYPE_INT: return wide ? DT_S64 : DT_S32;
    case TYPE_UINT: return wide ? DT_U64 : DT_U32;
    default: return wide ? DT_F64 : DT_F32;
    }
}
