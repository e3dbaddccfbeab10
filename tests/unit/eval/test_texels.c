/* Texels: every code of the small formats is read as the exact value rounded once, and written back; stores round as
 * the driver was measured to do (tests/recordings/images.txt). What is expected comes from doubles and the definition
 * of the formats, not from eval/texture/texel.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/texture/texel.h"

static uint32_t bits_of(float f)
{
    uint32_t word;

    memcpy(&word, &f, sizeof word);
    return word;
}

static float float_of(uint32_t word)
{
    float f;

    memcpy(&f, &word, sizeof f);
    return f;
}

static void put(uint8_t *p, uint32_t word, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        p[i] = (uint8_t)(word >> (8 * i));
}

static uint32_t get(const uint8_t *p, unsigned bytes)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < bytes; i++)
        word |= (uint32_t)p[i] << (8 * i);
    return word;
}

static uint32_t read_first(unsigned format, uint32_t code)
{
    uint8_t texel[16] = {0};
    uint32_t word[4];

    put(texel, code, 4);
    eval_texel_read(texel, format, word);
    return word[0];
}

static uint32_t write_first(unsigned format, uint32_t word, bool sign)
{
    uint8_t texel[16] = {0};
    uint32_t words[4] = {word, 0, 0, 0};

    eval_texel_write(texel, format, sign, words);
    return get(texel, 4);
}

/* ---- normalised numbers ------------------------------------------------------------------------------------------ */

struct normal {
    unsigned format, mask;
    int most;
    bool sign;
};

static const struct normal normals[] = {
    {GP5_FORMAT_R8, 0xff, 255, false},
    {GP5_FORMAT_R16, 0xffff, 65535, false},
    {GP5_FORMAT_R8_SNORM, 0xff, 127, true},
    {GP5_FORMAT_R16_SNORM, 0xffff, 32767, true},
    {GP5_FORMAT_RGB10_A2, 0x3ff, 1023, false},
};

static void test_normals_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof normals / sizeof *normals; k++) {
        const struct normal *f = &normals[k];
        for (int n = f->sign ? -f->most - 1 : 0; n <= f->most; n++) {
            double exact = n < -f->most ? -1.0 : (double)n / f->most;
            uint32_t word = read_first(f->format, (uint32_t)n & f->mask);
            assert_int_equal(word, bits_of((float)exact));
            if (n >= -f->most)
                assert_int_equal(write_first(f->format, word, false), (uint32_t)n & f->mask);
        }
    }
}

/* The floats around each (n + 1/2) / most, and a sixteenth of a step further on: what the driver was measured to do, in
 * doubles, where all of it is exact. */
static void test_normals_written(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof normals / sizeof *normals; k++) {
        const struct normal *f = &normals[k];
        double steps = 16.0 * (f->most + 1);
        for (int n = 0; n < 2 * f->most; n++) {
            float x = (float)((n / 2 + (n & 1 ? 0.5625 : 0.5)) / f->most);
            float near[3] = {nextafterf(x, 0), x, nextafterf(x, 2)};
            for (unsigned i = 0; i < 3 && near[i] < 1; i++) {
                int want = (int)ceil(floor(near[i] * steps) * f->most / steps - 0.5);
                assert_int_equal(write_first(f->format, bits_of(near[i]), false), want);
                if (f->sign)
                    assert_int_equal(write_first(f->format, bits_of(-near[i]), false), (uint32_t)-want & f->mask);
            }
        }
    }
}

static void test_normals_are_clamped(void **state)
{
    static const float above[] = {1.0f, 1.0000001f, 255.0f, 3e38f, INFINITY};
    static const float below[] = {0.0f, 1e-45f, 1e-38f, 1e-9f};

    (void)state;
    for (size_t k = 0; k < sizeof normals / sizeof *normals; k++) {
        const struct normal *f = &normals[k];
        for (unsigned i = 0; i < sizeof above / sizeof *above; i++) {
            assert_int_equal(write_first(f->format, bits_of(above[i]), false), f->most);
            assert_int_equal(write_first(f->format, bits_of(-above[i]), false),
                             f->sign ? (uint32_t)-f->most & f->mask : 0);
        }
        for (unsigned i = 0; i < sizeof below / sizeof *below; i++) {
            assert_int_equal(write_first(f->format, bits_of(below[i]), false), 0);
            assert_int_equal(write_first(f->format, bits_of(-below[i]), false), 0);
        }
        assert_int_equal(write_first(f->format, 0x7fffffff, false), 0);
        assert_int_equal(write_first(f->format, 0xffc00000, false), 0);
    }
}

/* ---- small floats ------------------------------------------------------------------------------------------------ */

/* One field of a format: exponents of five bits. */
struct small {
    unsigned format, at, bits, fraction;
    bool sign;
};

static const struct small smalls[] = {
    {GP5_FORMAT_R16F, 0, 16, 10, true},
    {GP5_FORMAT_R11F_G11F_B10F, 0, 11, 6, false},
    {GP5_FORMAT_R11F_G11F_B10F, 11, 11, 6, false},
    {GP5_FORMAT_R11F_G11F_B10F, 22, 10, 5, false},
};

static unsigned field_of(const struct small *f)
{
    return f->at ? f->at / 11u : 0;
}

static uint32_t read_small(const struct small *f, uint32_t code)
{
    uint8_t texel[16] = {0};
    uint32_t word[4];

    put(texel, code << f->at, 4);
    eval_texel_read(texel, f->format, word);
    return word[field_of(f)];
}

static uint32_t write_small(const struct small *f, float x)
{
    uint8_t texel[16] = {0};
    uint32_t word[4] = {0};

    word[field_of(f)] = bits_of(x);
    eval_texel_write(texel, f->format, false, word);
    return get(texel, 4) >> f->at & ((1u << f->bits) - 1);
}

/* The value of a code without its sign, 31 << fraction and beyond left out. */
static double value_of(const struct small *f, uint32_t code)
{
    uint32_t exponent = code >> f->fraction & 31, fraction = code & ((1u << f->fraction) - 1);

    return exponent ? ldexp(1.0 + ldexp(fraction, -(int)f->fraction), (int)exponent - 15)
                    : ldexp(fraction, -14 - (int)f->fraction);
}

static void test_small_floats_read(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof smalls / sizeof *smalls; k++) {
        const struct small *f = &smalls[k];
        uint32_t infinite = 31u << f->fraction;
        for (uint32_t code = 0; code < 1u << f->bits; code++) {
            uint32_t magnitude = f->sign ? code & 0x7fff : code;
            float x = float_of(read_small(f, code));
            if (magnitude > infinite)       /* with the bits that there are */
                assert_int_equal(bits_of(x), (code != magnitude ? 0xff800000u : 0x7f800000u) |
                                                 (magnitude - infinite) << (23 - f->fraction));
            else if (magnitude == infinite)
                assert_true(isinf(x) && !!signbit(x) == (code != magnitude));
            else
                assert_int_equal(
                    bits_of(x), bits_of((float)(code != magnitude ? -value_of(f, magnitude) : value_of(f, magnitude))));
            assert_int_equal(write_small(f, x), code);
        }
    }
}

/* Cut off: the float below the next code is this one. */
static void test_small_floats_written(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof smalls / sizeof *smalls; k++) {
        const struct small *f = &smalls[k];
        uint32_t infinite = 31u << f->fraction;
        for (uint32_t code = 0; code < infinite; code++) {
            double next = code + 1 < infinite ? value_of(f, code + 1) : 1e30;
            float x = nextafterf((float)next, 0);
            assert_int_equal(write_small(f, x), code);
            assert_int_equal(write_small(f, -x), f->sign ? code | 0x8000 : 0);
        }
        assert_int_equal(write_small(f, INFINITY), infinite);
        assert_int_equal(write_small(f, -INFINITY), f->sign ? infinite | 0x8000 : 0);
        assert_int_equal(write_small(f, float_of(0x7f800001)), infinite | 1);
        assert_int_equal(write_small(f, float_of(0x7fffffff)), infinite | ((1u << f->fraction) - 1));
        assert_int_equal(write_small(f, float_of(0xffc00000)),
                         infinite | 1u << (f->fraction - 1) | (f->sign ? 0x8000 : 0));
    }
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void test_integers(void **state)
{
    static const struct { unsigned format; bool sign; uint32_t word, code; } cases[] = {
        {GP5_FORMAT_R8UI, false, 255, 255}, {GP5_FORMAT_R8UI, false, 256, 255}, {GP5_FORMAT_R8UI, true, 0xffffffff, 0},
        {GP5_FORMAT_R8UI, false, 0xffffffff, 255}, {GP5_FORMAT_R8I, true, 127, 127}, {GP5_FORMAT_R8I, true, 128, 127},
        {GP5_FORMAT_R8I, true, 0xffffff80, 0x80}, {GP5_FORMAT_R8I, true, 0xffffff7f, 0x80},
        {GP5_FORMAT_R8I, false, 0x80000000, 127},
        {GP5_FORMAT_R16UI, true, 65536, 65535}, {GP5_FORMAT_R16I, true, 0x80000000, 0x8000},
        {GP5_FORMAT_R16I, true, 40000, 32767},
        {GP5_FORMAT_R32UI, true, 0x80000001, 0x80000001}, {GP5_FORMAT_R32I, false, 0xfffffffe, 0xfffffffe},
        {GP5_FORMAT_RGB10_A2UI, false, 1024, 1023}, {GP5_FORMAT_RGB10_A2UI, true, 0xffffffff, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(write_first(cases[i].format, cases[i].word, cases[i].sign), cases[i].code);
    assert_int_equal(read_first(GP5_FORMAT_R8I, 0x80), 0xffffff80);
    assert_int_equal(read_first(GP5_FORMAT_R8UI, 0x80), 0x80);
    assert_int_equal(read_first(GP5_FORMAT_R16I, 0xffff), 0xffffffff);
    assert_int_equal(read_first(GP5_FORMAT_R32I, 0x80000000), 0x80000000);
}

/* Which word a byte or field comes from, and what fills the rest. */
static void test_components(void **state)
{
    static const uint8_t texel[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const struct { unsigned format; uint32_t word[4]; } cases[] = {
        {GP5_FORMAT_R8UI, {1, 0, 0, 1}}, {GP5_FORMAT_RG8UI, {1, 2, 0, 1}}, {GP5_FORMAT_RGBA8UI, {1, 2, 3, 4}},
        {GP5_FORMAT_RG16I, {0x201, 0x403, 0, 1}}, {GP5_FORMAT_RGBA16UI, {0x201, 0x403, 0x605, 0x807}},
        {GP5_FORMAT_RG32UI, {0x4030201, 0x8070605, 0, 1}}, {GP5_FORMAT_R32F, {0x4030201, 0, 0, 0x3f800000}},
        {GP5_FORMAT_RGBA32F, {0x4030201, 0x8070605, 0xc0b0a09, 0x100f0e0d}},
        {GP5_FORMAT_RGB10_A2UI, {0x201, 0x0c0, 0x040, 0}}, {GP5_FORMAT_DEPTH32F, {0x4030201, 0, 0, 0x3f800000}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t back[16] = {0};
        uint32_t word[4];
        unsigned bytes = gp5_format_info(cases[i].format)->bytes;
        eval_texel_read(texel, cases[i].format, word);
        assert_memory_equal(word, cases[i].word, sizeof word);
        eval_texel_write(back, cases[i].format, false, word);
        assert_memory_equal(back, texel, bytes);
        for (unsigned k = bytes; k < sizeof back; k++)
            assert_int_equal(back[k], 0);
    }
}

/* Levels and layers follow each other without gaps, in every kind. */
static void test_levels(void **state)
{
    static const struct { uint8_t kind; uint32_t size[3], levels; } cases[] = {
        {GP5_TEXTURE_1D, {7, 1, 1}, 3},      {GP5_TEXTURE_2D, {5, 9, 1}, 4},       {GP5_TEXTURE_3D, {4, 3, 9}, 4},
        {GP5_TEXTURE_CUBE, {4, 4, 6}, 3},    {GP5_TEXTURE_RECT, {5, 3, 1}, 1},     {GP5_TEXTURE_ARRAY1D, {6, 1, 5}, 3},
        {GP5_TEXTURE_ARRAY2D, {6, 2, 5}, 3}, {GP5_TEXTURE_ARRAYCUBE, {2, 2, 12}, 2},
        {GP5_TEXTURE_BUFFER, {11, 1, 1}, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp5_texture t = {.kind = cases[i].kind, .format = GP5_FORMAT_RG8, .levels = cases[i].levels};
        uint64_t at = 0;
        uint8_t *data;
        struct texel_level l;
        memcpy(t.size, cases[i].size, sizeof t.size);
        t.bytes = (size_t)gp5_texture_bytes(&t, t.levels);
        t.data = data = malloc(t.bytes);
        assert_non_null(data);
        assert_null(gp5_texture_check(&t));
        for (uint32_t level = 0; level < t.levels; level++) {
            assert_true(eval_texel_level(&t, level, &l));
            for (uint32_t z = 0; z < l.size[2]; z++)
                for (uint32_t y = 0; y < l.size[1]; y++)
                    for (uint32_t x = 0; x < l.size[0]; x++, at += 2) {
                        assert_int_equal(l.start + eval_texel_offset(&l, x, y, z), at);
                        assert_ptr_equal(l.data + eval_texel_offset(&l, x, y, z), data + at);
                    }
        }
        assert_int_equal(at, t.bytes);
        assert_false(eval_texel_level(&t, t.levels, &l));
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normals_read),      cmocka_unit_test(test_normals_written),
        cmocka_unit_test(test_normals_are_clamped), cmocka_unit_test(test_small_floats_read),
        cmocka_unit_test(test_small_floats_written), cmocka_unit_test(test_integers),
        cmocka_unit_test(test_components),        cmocka_unit_test(test_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
