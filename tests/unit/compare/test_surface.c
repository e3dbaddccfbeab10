/* What draws go into: texels of its formats there and back, what probes see of samples and layers, copies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compare/script/pixel.h"
#include "compare/world/surface.h"

static const struct {
    enum gp5_format format;
    float color[4];
    uint8_t bytes[16];
    float back[4];
} pixels[] = {
    { GP5_FORMAT_RGBA8, { 0.5f, -1, 2, NAN }, { 128, 0, 255, 0 }, { 128 / 255.0f, 0, 1, 0 } },
    { GP5_FORMAT_R8, { 0.2f, 9, 9, 9 }, { 51 }, { 51 / 255.0f, 0, 0, 1 } },
    { GP5_FORMAT_RG16, { 1, 0.25f, 9, 9 }, { 0xff, 0xff, 0x00, 0x40 }, { 1, 16384 / 65535.0f, 0, 1 } },
    { GP5_FORMAT_RGBA8_SNORM, { -1, -0.5f, 0.5f, -3 }, { 0x81, 0xc0, 0x40, 0x81 },
      { -1, -64 / 127.0f, 64 / 127.0f, -1 } },
    { GP5_FORMAT_R16_SNORM, { -0.25f, 9, 9, 9 }, { 0x00, 0xe0 }, { -8192 / 32767.0f, 0, 0, 1 } },
    { GP5_FORMAT_RG16F, { -2, 65504, 9, 9 }, { 0x00, 0xc0, 0xff, 0x7b }, { -2, 65504, 0, 1 } },
    { GP5_FORMAT_R32F, { 1e30f, 9, 9, 9 }, { 0xca, 0xf2, 0x49, 0x71 }, { 1e30f, 0, 0, 1 } },
};

static void test_pixels(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
        const struct gp5_format_info *info = gp5_format_info(pixels[i].format);
        uint8_t bytes[16] = { 0 };
        float back[4];
        assert_true(pixel_is_color(info));
        pixel_put(info, pixels[i].color, bytes);
        assert_memory_equal(bytes, pixels[i].bytes, sizeof bytes);
        pixel_get(info, bytes, back);
        assert_memory_equal(back, pixels[i].back, sizeof back);
    }
    float least[4];
    pixel_get(gp5_format_info(GP5_FORMAT_R8_SNORM), (const uint8_t[]){ 0x80 }, least);
    assert_true(least[0] == -1);        /* there are two of them */
    assert_false(pixel_is_color(gp5_format_info(GP5_FORMAT_RGBA8UI)));
    assert_false(pixel_is_color(gp5_format_info(GP5_FORMAT_RGB10_A2)));
}

static void set(struct surface *s, size_t pixel, float v, bool covered)
{
    for (int side = 0; side < SURFACE_SIDES; side++) {
        s->colors[side][4 * pixel] = v + (float)side;
        s->covered[side][pixel] = covered;
    }
}

/* Two layers of 2 x 1 pixels of two samples each. */
static struct surface samples(bool keeps)
{
    struct surface s = { .width = 2, .height = 1, .layers = 2, .samples = 2, .layered = true, .keeps = keeps,
                         .buffers = 1, .drawn = 1, .read_sample = -1 };
    assert_true(surface_make(&s));
    for (size_t plane = 0; plane < 4; plane++)
        for (size_t x = 0; x < 2; x++)
            set(&s, 2 * plane + x, (float)(10 * plane + x), plane == 3 && x);
    s.undefined[4 * (2 * 3 + 1)] = 7;
    return s;
}

static void test_samples(void **state)
{
    struct surface s = samples(true);
    (void)state;
    assert_true(surface_value(&s, 0, 1, 0, 0) == 6 && surface_value(&s, 1, 1, 0, 0) == 7);
    assert_false(surface_covered(&s, 0, 1, 0));
    s.read_layer = 1;
    assert_true(surface_value(&s, 0, 1, 0, 0) == 26);
    assert_int_equal(surface_undefined(&s, 1, 0, 0), 7);
    assert_int_equal(surface_undefined(&s, 0, 0, 0), 0);
    assert_true(surface_covered(&s, 0, 1, 0));
    s.read_sample = 0;
    assert_true(surface_value(&s, 0, 1, 0, 0) == 21);
    assert_false(surface_covered(&s, 0, 1, 0));
    surface_free(&s);
    s = samples(false);
    assert_true(surface_value(&s, 0, 0, 0, 0) == 0.5f);         /* each sample is clamped, then comes the mean */
    surface_clear(&s, (const float[]){ 0.25f, 0, 0, 1 }, 0.5f);
    assert_true(surface_value(&s, 0, 0, 0, 0) == 0.25f && surface_depth(&s, 1, 1, 0) == 0.5f);
    surface_free(&s);
}

/* From two pixels to four: the nearest one's value, or the mean by distance; both samples get it. */
static void test_copies(void **state)
{
    static const float nearest[] = { 5, 5, 6, 6 }, linear[] = { 5, 5.25f, 5.75f, 6 };
    struct surface from = samples(true), to = { .width = 4, .height = 2, .layers = 1, .samples = 2, .keeps = true,
                                                .buffers = 2, .drawn = 1, .read_sample = -1 };
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        surface_free(&to);
        assert_true(surface_make(&to));
        surface_copy(&from, &to, smooth);
        for (uint32_t i = 0; i < 16; i++) {
            to.read_sample = (int32_t)i / 8;
            assert_true(surface_value(&to, 0, i % 4, i / 4 % 2, 0) == (smooth ? linear : nearest)[i % 4]);
        }
        to.read = 1;                    /* which is not drawn */
        assert_true(surface_value(&to, 0, 0, 0, 0) == 0);
        to.read = 0;
    }
    surface_free(&from);
    surface_free(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pixels), cmocka_unit_test(test_samples),
                                        cmocka_unit_test(test_copies) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
