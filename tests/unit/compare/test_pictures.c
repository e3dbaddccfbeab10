/* Pictures: what a PNG file holds is what was drawn, rows from above; masks, differences, letters. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>

#include "compare/report/picture_file.h"

/* 3 x 2 pixels; the lower row first. */
static const float colors[] = {
    0, 0.5f, 1, 1,          0.25f, 0, 0, 0,     -1, 2, NAN, 1,
    1, 1, 1, 1,             0, 0, 0, 1,         1, 0, 0.002f, 1,
};
static const uint32_t undefined[24] = {[4 * 1 + 3] = 7, [4 * 4 + 0] = 1};
static const uint8_t covered[] = {1, 1, 1, 1, 0, 1};
static const struct picture picture = {3, 2, colors, undefined, covered};

/* The file's pixels, six times red, green and blue from above. */
static void read_back(const struct picture *p, const struct picture *other, enum picture_kind kind,
                      unsigned char rgb[18])
{
    char path[] = "/tmp/gp5-picture-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_null(picture_write(p, other, kind, path));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    unlink(path);
}

static void test_colors(void **state)
{
    static const unsigned char expected[] = {255, 255, 255, 0, 0, 0, 255, 0, 1, 0, 128, 255, 64, 0, 0, 0, 255, 0};
    unsigned char rgb[18];
    (void)state;
    read_back(&picture, NULL, PICTURE_COLORS, rgb);
    assert_memory_equal(rgb, expected, sizeof rgb);
}

static void test_masks(void **state)
{
    static const unsigned char open[] = {255, 255, 255, 128, 128, 128, 255, 255, 255, 255, 255, 255, 220, 0, 0, 255,
                                         255, 255};
    static const unsigned char drawn[] = {255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                          255};
    unsigned char rgb[18];
    (void)state;
    read_back(&picture, NULL, PICTURE_UNDEFINED, rgb);
    assert_memory_equal(rgb, open, sizeof rgb);
    read_back(&picture, NULL, PICTURE_COVERED, rgb);
    assert_memory_equal(rgb, drawn, sizeof rgb);
}

/* One unit in the last place is to be seen, a NaN is no difference from a NaN, and what is undefined is none. */
static void test_differences(void **state)
{
    float others[24];
    unsigned char rgb[18];
    uint8_t all[6] = {1, 1, 1, 1, 1, 1};
    struct picture other = {3, 2, others, NULL, all};
    (void)state;
    memcpy(others, colors, sizeof others);
    others[1] = nextafterf(0.5f, 1);
    others[4 * 1 + 3] = 9;
    others[12] = 0;
    assert_true(picture_distance(&picture, &other, 0) > 0);
    assert_true(picture_distance(&picture, &other, 1) == 0);
    assert_true(picture_distance(&picture, &other, 2) == 0);
    assert_true(picture_distance(&picture, &other, 3) == 1);
    assert_true(isinf(picture_distance(&picture, &other, 4)));
    others[4 * 2 + 2] = 0;
    assert_true(isinf(picture_distance(&picture, &other, 2)));
    read_back(&picture, &other, PICTURE_DIFFERENCE, rgb);
    static const unsigned char white[3] = {255, 255, 255}, black[3] = {0, 0, 0};
    assert_memory_equal(rgb, white, 3);
    assert_memory_equal(rgb + 3, white, 3);
    assert_memory_equal(rgb + 6, black, 3);
    assert_true(rgb[9 + 2] >= 60);
    assert_memory_equal(rgb + 12, black, 3);
    assert_memory_equal(rgb + 15, white, 3);
}

static void test_letters(void **state)
{
    char *text = NULL;
    size_t size = 0;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    picture_text(f, "> ", &picture, NULL);
    fclose(f);
    assert_ptr_equal(strstr(text, "> |@ -|\n> |=?"), text);
    assert_non_null(strstr(text, "a letter is 1 x 1 pixels"));
    free(text);

    /* Large ones have no more letters. */
    enum { W = 1000, H = 333 };
    float *large = calloc(4 * W * H, sizeof *large);
    assert_non_null(large);
    const struct picture p = {W, H, large, NULL, NULL};
    f = open_memstream(&text, &size);
    picture_text(f, "", &p, &p);
    fclose(f);
    assert_true(size < 26 * 70 + 200);
    assert_non_null(strchr(text, '.'));
    assert_null(memchr(text, '#', (size_t)(strstr(text, "a letter") - text)));
    large[4 * (W * (H - 1) + W - 1)] = 1;
    free(text);
    struct picture q = p;
    float *zeros = calloc(4 * W * H, sizeof *zeros);
    assert_non_null(zeros);
    q.colors = zeros;
    f = open_memstream(&text, &size);
    picture_text(f, "", &p, &q);
    fclose(f);
    assert_ptr_equal(strchr(text, '#'), strchr(text + 1, '|') - 1);     /* the first row's last */
    free(text);
    free(large);
    free(zeros);
}

static void test_no_file(void **state)
{
    (void)state;
    assert_string_equal(picture_write(&picture, NULL, PICTURE_COLORS, "/nowhere/picture.png"), strerror(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colors), cmocka_unit_test(test_masks), cmocka_unit_test(test_differences),
        cmocka_unit_test(test_letters), cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
