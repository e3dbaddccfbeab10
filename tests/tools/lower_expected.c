/* What the reference says of an instruction and its lanes. */
#include "asm/program.h"
#include "tests/unit/eval/evaluate.h"
#include "tests/tools/lower_subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t half_word(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 0x3ff;
    float f = exponent == 31 ? (fraction ? __builtin_nanf("") : __builtin_inff())
              : exponent     ? __builtin_ldexpf((float)(fraction + 1024), exponent - 25)
                             : __builtin_ldexpf((float)fraction, -24);
    uint32_t word;
    f = half & 0x8000 ? -f : f;
    memcpy(&word, &f, sizeof word);
    return word;
}

static uint16_t word_half(uint32_t word)
{
    /* The nearest of all halves, the even one of two: slow, and plain. */
    float f;
    uint32_t magnitude = word & 0x7fffffff;
    uint16_t best = 0, sign = (uint16_t)(word >> 16 & 0x8000);
    memcpy(&f, &magnitude, sizeof f);
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (f >= 65520.0f)
        return sign | 0x7c00;
    unsigned low = 0, high = 0x7bff;
    while (low < high) {
        unsigned middle = (low + high + 1) / 2;
        uint32_t w = half_word((uint16_t)middle);
        float g;
        memcpy(&g, &w, sizeof g);
        if (g <= f)
            low = middle;
        else
            high = middle - 1;
    }
    best = (uint16_t)low;
    uint32_t a = half_word(best), c = half_word((uint16_t)(low < 0x7bff ? low + 1 : low));
    float below, above;
    memcpy(&below, &a, sizeof below);
    memcpy(&above, &c, sizeof above);
    if (low == 0x7bff)
        above = 65536.0f;
    if (f - below > above - f || (f - below == above - f && low & 1))
        best++;
    return sign | best;
}

static bool is_boolean(const struct subject *s)
{
    return s->info->types == GP5_SUBGROUP_BOOLS;
}

/* What is only moved is moved as a word, whatever stands in it. */
enum gp5_subgroup_type subject_reference_type(const struct subject *s)
{
    bool looked_at = s->operation >= 0 || s->op == GP5_SUBGROUP_DO_ALL_EQUAL || s->op == GP5_SUBGROUP_DO_PARTITION;
    if (is_boolean(s))
        return GP5_SUBGROUP_BOOL;
    return s->kind->group & (HALVES | SHORTS) && !looked_at ? GP5_SUBGROUP_U32 : s->kind->type;
}

void subject_put_operands(const struct subject *s, const struct lane_in *warp, struct operands *o)
{
    enum gp5_subgroup_type type = subject_reference_type(s);
    memset(o, 0, sizeof *o);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t word = warp[lane].value[0], magnitude = word & 0x7fffffff;
        bool zero = s->kind->is_float ? magnitude < 0x00800000 || magnitude > 0x7f800000 : word == 0;
        o->word[lane] = word;
        o->wide[lane] = (uint64_t)warp[lane].value[1] << 32 | word;
        o->half[lane] = word_half(word);
        o->low16[lane] = (uint16_t)word;
        o->low8[lane] = (uint8_t)word;
        o->truth[lane] = !zero;
        o->index[lane] = warp[lane].index;
        o->width[lane] = warp[lane].width;
        o->ballot[lane].word[0] = warp[lane].ballot;
    }
    const void *value = o->word;
    switch (type) {
    case GP5_SUBGROUP_BOOL: value = o->truth; break;
    case GP5_SUBGROUP_F16: value = o->half; break;
    case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8: value = o->low8; break;
    case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16: value = o->low16; break;
    default: value = subject_is_wide(s->kind) ? (const void *)o->wide : o->word; break;
    }
    o->in = (struct gp5_subgroup_operands){.type = type, .components = 1, .value = value, .index = o->index,
                                           .ballot = o->ballot, .width = o->width, .cluster = s->cluster,
                                           .order = GP5_SUBGROUP_DOUBLING};
}

/* A lane's answer in the layout of the reference, from the four words that the program stored. */
void subject_take_answer(const struct subject *s, const uint32_t *got, unsigned lane, struct expected *e)
{
    switch (s->info->answer) {
    case GP5_SUBGROUP_A_VALUE:
        switch (subject_reference_type(s)) {
        case GP5_SUBGROUP_F16: ((uint16_t *)e->value)[lane] = word_half(got[1]); break;
        case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8: ((uint8_t *)e->value)[lane] = (uint8_t)got[1]; break;
        case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16: ((uint16_t *)e->value)[lane] = (uint16_t)got[1]; break;
        case GP5_SUBGROUP_BOOL: ((uint8_t *)e->value)[lane] = got[1] != 0; break;
        default:
            if (subject_is_wide(s->kind))
                e->value[lane] = (uint64_t)got[1] << 32 | got[0];
            else
                ((uint32_t *)e->value)[lane] = got[1];
        }
        break;
    case GP5_SUBGROUP_A_BOOL:
        ((uint8_t *)e->value)[lane] = got[1] != 0;
        break;
    case GP5_SUBGROUP_A_BALLOT:
        e->ballot[lane] = (struct gp5_ballot){{got[0], 0, 0, 0}};
        break;
    default:
        ((uint32_t *)e->value)[lane] = got[1];
    }
}

void *subject_values_of(const struct subject *s, struct expected *e)
{
    return s->info->answer == GP5_SUBGROUP_A_BALLOT ? (void *)e->ballot : (void *)e->value;
}

/* Short integers come with their sign or zeros above them, booleans as all ones or none. */
bool subject_is_extended(const struct subject *s, uint32_t word)
{
    if (s->info->answer != GP5_SUBGROUP_A_VALUE)
        return true;
    switch (subject_reference_type(s)) {
    case GP5_SUBGROUP_I8: return word == (uint32_t)(int32_t)(int8_t)word;
    case GP5_SUBGROUP_U8: return word == (uint8_t)word;
    case GP5_SUBGROUP_I16: return word == (uint32_t)(int32_t)(int16_t)word;
    case GP5_SUBGROUP_U16: return word == (uint16_t)word;
    case GP5_SUBGROUP_BOOL: return word + 1 < 2;
    default: return true;
    }
}
