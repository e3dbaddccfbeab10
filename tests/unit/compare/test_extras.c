/* What a case may have besides buffers and parameters, on its way to a driver and back: counters, textures, images,
 * pointers, subroutines, group sizes. A driver that lies about them is found out; a case that contradicts itself
 * reaches none; each of them is part of what a recording names its cases by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/script/data.h"
#include "compare/driver/outcome.h"
#include "compare/driver/protocol.h"
#include "compare/record/recording.h"
#include "compare/driver/texture_words.h"

enum { COUNTERS = 2, TEXTURES = 3, IMAGES = 2, POINTERS = 3, SUBROUTINES = 2 };

static const uint8_t bytes[256] = "what stands in buffers and textures";

/* A case with one of everything, each part of which a test may change. */
struct sample {
    struct driver_case c;
    struct driver_buffer storage[1], constants[1], counters[COUNTERS];
    struct driver_parameter env[1];
    struct driver_texture textures[TEXTURES];
    struct gp5_image images[IMAGES];
    struct driver_pointer pointers[POINTERS];
    uint32_t subroutines[SUBROUTINES];
};

static struct gp5_texture texture(unsigned kind, uint32_t unit, unsigned format, uint32_t w, uint32_t h, uint32_t d,
                                  uint32_t levels)
{
    struct gp5_texture t;
    texture_begin(&t, kind);
    t.unit = unit;
    t.format = (uint8_t)format;
    t.size[0] = w;
    t.size[1] = h;
    t.size[2] = d;
    t.levels = levels;
    texture_measure(&t);
    assert_true(t.bytes && t.bytes <= sizeof bytes);
    t.data = (uint8_t *)bytes;
    return t;
}

static void make(struct sample *s, const char *program)
{
    memset(s, 0, sizeof *s);
    s->storage[0] = (struct driver_buffer){ .binding = 3, .data = bytes, .size = 16, .bring_back = true };
    s->constants[0] = (struct driver_buffer){ .binding = 1, .data = bytes, .size = 24 };
    s->counters[0] = (struct driver_buffer){ .binding = 0, .data = bytes, .size = 8, .bring_back = true };
    s->counters[1] = (struct driver_buffer){ .binding = 4, .data = bytes, .size = 12 };
    s->env[0] = (struct driver_parameter){ .index = 2, .bits = { 1, 2, 3, 4 } };
    s->textures[0].texture = texture(GP5_TEXTURE_ARRAY2D, 5, GP5_FORMAT_R16UI, 4, 3, 2, 3);
    s->textures[0].bring_back = true;
    s->textures[1].texture = texture(GP5_TEXTURE_CUBE, 0, GP5_FORMAT_R8, 2, 2, 6, 1);
    s->textures[2].texture = texture(GP5_TEXTURE_RECT, 7, GP5_FORMAT_RGBA8, 5, 3, 1, 1);
    s->textures[2].bring_back = true;
    s->images[0] = (struct gp5_image){ .unit = 1, .texture = 5, .level = 1, .layer = 1, .format = GP5_FORMAT_R16I };
    s->images[1] = (struct gp5_image){ .unit = 0, .texture = 7, .layered = true, .format = GP5_FORMAT_R32UI };
    s->pointers[0] = (struct driver_pointer){ POINTER_STORAGE, 3, POINTER_IN_CONSTANTS, 1, 16 };
    s->pointers[1] = (struct driver_pointer){ POINTER_TEXTURE, 5, POINTER_IN_ENV, 2, 0 };
    s->pointers[2] = (struct driver_pointer){ POINTER_IMAGE, 1, POINTER_IN_ENV, 2, 8 };
    s->subroutines[0] = 3;
    s->c = (struct driver_case){ .stage = DRIVER_COMPUTE,
                                 .program = program,
                                 .program_size = strlen(program),
                                 .groups = { 1, 1, 1 },
                                 .storage = s->storage,
                                 .storage_count = 1,
                                 .constants = s->constants,
                                 .constant_count = 1,
                                 .env = s->env,
                                 .env_count = 1,
                                 .group_size = { 8, 2, 1 },
                                 .counters = s->counters,
                                 .counter_count = COUNTERS,
                                 .textures = s->textures,
                                 .texture_count = TEXTURES,
                                 .images = s->images,
                                 .image_count = IMAGES,
                                 .pointers = s->pointers,
                                 .pointer_count = POINTERS,
                                 .subroutines = s->subroutines,
                                 .subroutine_count = SUBROUTINES };
}

/* ---- a driver ------------------------------------------------------------------------------------------ */

static struct driver *liar(void)
{
    static char path[4200];
    struct driver *d;
    char *reason;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    assert_true(n > 0);
    path[n] = 0;
    strcpy(strrchr(path, '/') + 1, "liar");
    struct driver_options o = { .context = "test", .worker = path, .timeout_ms = 600000 };
    assert_int_equal(driver_open(&o, &d, &reason), DRIVER_OPENED);
    return d;
}

struct seen {
    enum driver_status status;
    char detail[256];
    size_t counters, textures;
};

static void expect_flipped(const struct driver_output *o, uint32_t binding, size_t size)
{
    assert_int_equal(o->binding, binding);
    assert_int_equal(o->size, size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(o->data[i], bytes[i] ^ 0x5a);
}

static bool look(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct seen *s = user;
    (void)index;
    (void)c;
    s->status = r->status;
    s->counters = r->counter_count;
    s->textures = r->texture_count;
    snprintf(s->detail, sizeof s->detail, "%s", r->detail);
    if (r->status != DRIVER_RAN)
        return true;
    expect_flipped(&r->counters[0], 0, 8);
    expect_flipped(&r->textures[0], 5, 2 * (24 + 4 + 2));
    expect_flipped(&r->textures[1], 7, 60);
    return true;
}

static void test_there_and_back(void **state)
{
    static const struct { const char *program, *detail; } lies[] = {
        { "liar: counter-size\n", "counters are not those" }, { "liar: counter-missing\n", "counters are not those" },
        { "liar: texture-size\n", "textures are not those" }, { "liar: texture-unit\n", "textures are not those" },
        { "liar: texture-extra\n", "textures that nobody asked for" },
        { "liar: extras-missing\n", "counters are not those" },
    };
    struct driver *d = liar();
    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct sample s;
        struct seen seen = { .status = DRIVER_NOT_RUN };
        make(&s, lies[i].program);
        assert_true(driver_run(d, &s.c, 1, look, &seen));
        if (seen.status != DRIVER_GARBLED || !strstr(seen.detail, lies[i].detail))
            fail_msg("%s: %s, %s", lies[i].program, driver_status_name(seen.status), seen.detail);
        make(&s, "honest\n");
        assert_true(driver_run(d, &s.c, 1, look, &seen));
        assert_int_equal(seen.status, DRIVER_RAN);
        assert_int_equal(seen.counters, 1);
        assert_int_equal(seen.textures, 2);
    }
    driver_close(d);
}

/* ---- contradictions ------------------------------------------------------------------------------------ */

static void same_counter(struct sample *s) { s->counters[1].binding = 0; }
static void same_unit(struct sample *s) { s->textures[1].texture.unit = 5; }
static void far_unit(struct sample *s) { s->textures[1].texture.unit = 192; }
static void no_kind(struct sample *s) { s->textures[0].texture.kind = GP5_TEXTURE_KINDS; }
static void no_format(struct sample *s) { s->textures[0].texture.format = GP5_FORMAT_NONE; }
static void wrong_size(struct sample *s) { s->textures[0].texture.bytes--; }
static void five_faces(struct sample *s) { s->textures[1].texture.size[2] = 5; }
static void deep_rectangle(struct sample *s) { s->textures[2].texture.size[2] = 2; }
static void many_levels(struct sample *s) { s->textures[0].texture.levels = 4; }
static void samples_of_one(struct sample *s) { s->textures[0].texture.samples = 2; }
static void no_samples(struct sample *s)
{
    s->textures[1].texture = texture(GP5_TEXTURE_2DMS, 0, GP5_FORMAT_R8, 2, 2, 1, 1);
    s->textures[1].texture.samples = 0;
}
static void rectangle_levels(struct sample *s) { s->textures[2].texture.levels = 2; }
static void rectangle_repeats(struct sample *s) { s->textures[2].texture.sampler.wrap[1] = GP5_WRAP_REPEAT; }
static void rectangle_mipmaps(struct sample *s)
{
    s->textures[2].texture.sampler.min_filter = GP5_FILTER_NEAREST_MIPMAP_LINEAR;
}
static void rectangle_lods(struct sample *s) { s->textures[2].texture.sampler.max_lod = 3; }
static void no_wrap(struct sample *s) { s->textures[0].texture.sampler.wrap[2] = GP5_WRAPS; }
static void no_filter(struct sample *s)
{
    s->textures[0].texture.sampler.mag_filter = GP5_FILTER_NEAREST_MIPMAP_NEAREST;
}
static void two_switches(struct sample *s)
{
    s->textures[0].texture = texture(GP5_TEXTURE_CUBE, 5, GP5_FORMAT_R8, 2, 2, 6, 2);
    s->textures[0].texture.sampler.seamless = true;
}
static void image_of_nothing(struct sample *s) { s->images[0].texture = 6; }
static void image_level(struct sample *s) { s->images[0].level = 3; }
static void image_layer(struct sample *s) { s->images[0].layer = 2; }
static void image_format(struct sample *s) { s->images[0].format = GP5_FORMAT_R32UI; }
static void image_twice(struct sample *s) { s->images[1].unit = 1; }
static void to_no_storage(struct sample *s) { s->pointers[0].of = 2; }
static void to_no_texture(struct sample *s) { s->pointers[1].of = 6; }
static void to_no_image(struct sample *s) { s->pointers[2].of = 2; }
static void in_no_constants(struct sample *s) { s->pointers[0].index = 0; }
static void past_constants(struct sample *s) { s->pointers[0].offset = 17; }
static void in_no_parameter(struct sample *s) { s->pointers[1].index = 1; }
static void crooked(struct sample *s) { s->pointers[1].offset = 2; }
static void past_parameter(struct sample *s) { s->pointers[1].offset = 12; }
static void shader_pointers(struct sample *s)
{
    s->c.language = DRIVER_GLSL;
    s->c.constant_count = s->c.env_count = 0;
}

static const struct {
    void (*change)(struct sample *s);
    const char *detail;
} contradictions[] = {
    { same_counter, "same binding" }, { same_unit, "same unit" }, { far_unit, "below 192" },
    { no_kind, "no such kind or format" }, { no_format, "no such kind or format" }, { wrong_size, "not as large" },
    { five_faces, "not one of its kind" }, { deep_rectangle, "not one of its kind" },
    { many_levels, "down to one texel" }, { rectangle_levels, "one level" }, { samples_of_one, "no samples" },
    { no_samples, "1 to 32 samples" },
    { rectangle_repeats, "clamped" }, { rectangle_mipmaps, "no mipmaps" }, { rectangle_lods, "min_lod" },
    { no_wrap, "wrap mode" },
    { no_filter, "no such filter" }, { two_switches, "all or none" }, { image_of_nothing, "level of one" },
    { image_level, "level of one" }, { image_layer, "layer of one" }, { image_format, "format has the size" },
    { image_twice, "same unit" }, { to_no_storage, "goes to" }, { to_no_texture, "goes to" },
    { to_no_image, "goes to" },
    { in_no_constants, "stands in" }, { past_constants, "stands in" }, { in_no_parameter, "stands in" },
    { crooked, "0, 4 or 8" }, { past_parameter, "0, 4 or 8" }, { shader_pointers, "shader" },
};

static void test_contradictions(void **state)
{
    struct driver *d = liar();
    (void)state;
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        struct sample s;
        struct seen seen = { .status = DRIVER_NOT_RUN };
        make(&s, "honest\n");
        assert_null(driver_case_check(&s.c));
        contradictions[i].change(&s);
        const char *wrong = driver_case_check(&s.c);
        if (!wrong || !strstr(wrong, contradictions[i].detail))
            fail_msg("%zu: %s, and not %s", i, wrong ? wrong : "nothing", contradictions[i].detail);
        assert_true(driver_run(d, &s.c, 1, look, &seen));
        assert_int_equal(seen.status, DRIVER_UNSUPPORTED);
        assert_string_equal(seen.detail, wrong);
    }
    driver_close(d);
}

/* ---- recordings ---------------------------------------------------------------------------------------- */

static const struct driver_description description = {
    .context = "test", .vendor = "v", .renderer = "r", .version = "4.6"};

static char *record(const struct driver_case *c, size_t block, size_t *size)
{
    char path[64];
    uint8_t texels[60];
    struct recorder r;
    struct outcome o;
    const char *error = NULL;
    snprintf(path, sizeof path, "/tmp/gp5-extras-%ld", (long)getpid());
    for (size_t i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i * 7);
    assert_null(recorder_open(&r, path, &description));
    outcome_init(&o);
    outcome_add(&o, OUTPUT_STORAGE, 3, bytes, 16);
    outcome_add(&o, OUTPUT_COUNTER, 0, texels, 8);
    outcome_add(&o, OUTPUT_TEXTURE, 5, texels, 60);
    outcome_add(&o, OUTPUT_TEXTURE, 7, bytes, 60);
    assert_true(recorder_add(&r, "everything", c, &o, block));
    outcome_free(&o);
    assert_null(recorder_close(&r, true));
    char *text = data_read_file(path, 1 << 20, size, &error);
    assert_non_null(text);
    unlink(path);
    return text;
}

static void test_recorded(void **state)
{
    struct sample s;
    struct recording r;
    struct outcome o;
    size_t size;
    (void)state;
    make(&s, "!!NVcp5.0\n");
    char *text = record(&s.c, 0, &size);
    assert_non_null(strstr(text, "counter 0 words 8\n150e0700 312a231c\n"));
    assert_non_null(strstr(text, "texture 5 words 60\n"));
    assert_non_null(strstr(text, "texture 7 unchanged 60\n"));
    assert_null(recording_parse(&r, "r", text, size));
    outcome_init(&o);
    recording_run(&r, &s.c, &o);
    assert_int_equal(o.status, OUTCOME_RAN);
    assert_int_equal(o.count, 4);
    assert_int_equal(outcome_find(&o, OUTPUT_COUNTER, 0)->data[7], 49);
    assert_int_equal(outcome_find(&o, OUTPUT_TEXTURE, 5)->data[59], (uint8_t)(59 * 7));
    assert_memory_equal(outcome_find(&o, OUTPUT_TEXTURE, 7)->data, bytes, 60);
    outcome_free(&o);
    recording_free(&r);
    gp5_free(text);
    text = record(&s.c, 32, &size);
    assert_non_null(strstr(text, "texture 5 digest 60 32\n"));
    assert_null(recording_parse(&r, "r", text, size));
    recording_free(&r);
    gp5_free(text);
}

static const uint8_t others[sizeof bytes] = "something else";

static void h_group(struct sample *s) { s->c.group_size[2] = 2; }
static void h_counter(struct sample *s) { s->counters[0].data = others; }
static void h_counters(struct sample *s) { s->c.counter_count = 1; }
static void h_texels(struct sample *s) { s->textures[1].texture.data = (uint8_t *)others; }
static void h_unit(struct sample *s) { s->textures[1].texture.unit = 1; }
static void h_format(struct sample *s) { s->textures[1].texture.format = GP5_FORMAT_R8_SNORM; }
static void h_min(struct sample *s) { s->textures[0].texture.sampler.min_filter = GP5_FILTER_LINEAR; }
static void h_mag(struct sample *s) { s->textures[0].texture.sampler.mag_filter = GP5_FILTER_LINEAR; }
static void h_wrap(struct sample *s) { s->textures[0].texture.sampler.wrap[2] = GP5_WRAP_CLAMP_TO_EDGE; }
static void h_compare(struct sample *s) { s->textures[0].texture.sampler.compare = GP5_COMPARE_LESS; }
static void h_seamless(struct sample *s) { s->textures[1].texture.sampler.seamless = true; }
static void h_border(struct sample *s) { s->textures[0].texture.sampler.border[3] = 1; }
static void h_lod(struct sample *s) { s->textures[0].texture.sampler.min_lod = 0; }
static void h_bias(struct sample *s) { s->textures[0].texture.sampler.bias = 0.5f; }
static void h_image(struct sample *s) { s->images[0].unit = 2; s->pointers[2].of = 2; }
static void h_level(struct sample *s) { s->images[0].level = 0; }
static void h_layer(struct sample *s) { s->images[0].layer = 0; }
static void h_layered(struct sample *s) { s->images[0].layered = true; }
static void h_image_format(struct sample *s) { s->images[0].format = GP5_FORMAT_R16UI; }
static void h_pointer(struct sample *s) { s->pointers[0].offset = 8; }
static void h_pointers(struct sample *s) { s->c.pointer_count = 2; }
static void h_kind(struct sample *s)
{
    s->pointers[2] = (struct driver_pointer){POINTER_TEXTURE, 5, POINTER_IN_ENV, 2, 8};
}
static void h_subroutine(struct sample *s) { s->subroutines[1] = 1; }
static void h_subroutines(struct sample *s) { s->c.subroutine_count = 1; }
static void h_none(struct sample *s)
{
    memset(s->c.group_size, 0, sizeof s->c.group_size);
    s->c.counter_count = s->c.texture_count = s->c.image_count = s->c.pointer_count = s->c.subroutine_count = 0;
}

static void test_hashed(void **state)
{
    static void (*const changes[])(struct sample *s) = {
        h_group, h_counter, h_counters, h_texels, h_unit, h_format, h_min, h_mag, h_wrap, h_compare, h_seamless,
        h_border, h_lod, h_bias, h_image, h_level, h_layer, h_layered, h_image_format, h_pointer, h_pointers, h_kind,
        h_subroutine, h_subroutines, h_none
    };
    enum { CHANGES = sizeof changes / sizeof *changes };
    uint8_t hash[CHANGES + 1][SHA256_BYTES];
    struct sample s;
    (void)state;
    for (size_t i = 0; i <= CHANGES; i++) {
        make(&s, "x");
        if (i < CHANGES)
            changes[i](&s);
        assert_null(driver_case_check(&s.c));
        case_input_hash(&s.c, hash[i]);
        for (size_t k = 0; k < i; k++)
            if (!memcmp(hash[i], hash[k], SHA256_BYTES))
                fail_msg("changes %zu and %zu have one hash", k, i);
    }
    /* What is brought back is no input. */
    make(&s, "x");
    s.textures[0].bring_back = s.counters[0].bring_back = false;
    case_input_hash(&s.c, hash[0]);
    assert_memory_equal(hash[0], hash[CHANGES], SHA256_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_recorded), cmocka_unit_test(test_hashed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
