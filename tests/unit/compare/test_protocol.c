/* Messages between client and worker: each survives the round trip bit for bit, and none that was cut or
 * changed anywhere is believed or does harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/driver/protocol.h"
#include "compare/driver/wire_runs.h"
#include "compare/script/data.h"

/* ---- samples: every field different from zero ---------------------------------------------------------- */

static const uint8_t bytes[64] = "bytes \0 with \xff anything in them";
static const float corners[4][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } };
static const struct driver_buffer storage[] = {
    { .binding = 7, .data = bytes, .size = 33, .bring_back = true }, { .binding = 0, .size = 1u << 20 },
    { .binding = 2, .data = bytes, .size = 0, .bring_back = true }
};
static const struct driver_buffer constants[] = { { .binding = 1, .data = bytes, .size = 16 } };
static const struct driver_parameter env[] = { { 3, { 1, 0x7fc00001, 0x80000000, 0xffffffff } },
                                               { 0, { 0, 0, 0, 0 } } };
static const struct driver_parameter local[] = { { 9, { 5, 6, 7, 8 } } };
static const struct driver_attribute attributes[] = {
    { DRIVER_TEXCOORD, 7, corners, sizeof corners }, { DRIVER_COLOR, 1, corners, sizeof corners },
    { DRIVER_FOGCOORD, 0, corners, sizeof corners }, { DRIVER_GENERIC, 31, corners, sizeof corners }
};
static const char program[] = "!!ARBfp1.0\nMOV result.color, {0};\nEND\0after";

static struct driver_case sample_case(enum driver_stage stage, bool load_only)
{
    return (struct driver_case){ .stage = stage,
                                 .load_only = load_only,
                                 .program = program,
                                 .program_size = sizeof program,
                                 .groups = { 1, 2, 0xffffffff },
                                 .storage = storage,
                                 .storage_count = 3,
                                 .constants = constants,
                                 .constant_count = 1,
                                 .env = env,
                                 .env_count = 2,
                                 .local = local,
                                 .local_count = 1,
                                 .raster = { .primitive = DRIVER_QUAD,
                                             .width = 3,
                                             .height = 5,
                                             .color_outputs = 2,
                                             .bring_depth = true,
                                             .depth_bits = 0x3f000000,
                                             .clear_bits = { 1, 2, 3, 4 },
                                             .attributes = attributes,
                                             .attribute_count = 4 } };
}

static const struct driver_texture textures[] = {
    { .texture = { .unit = 3, .kind = GP5_TEXTURE_ARRAY2D, .format = GP5_FORMAT_RG8, .size = { 2, 3, 2 }, .levels = 2,
                   .sampler = { 5, 1, { 1, 2, 3 }, 4, false, true, { 1, 2, 3, 4 }, -1.5f, 2.5f, 0.25f },
                   .data = (uint8_t *)bytes, .bytes = 28 }, .bring_back = true },
    { .texture = { .unit = 0, .kind = GP5_TEXTURE_CUBE, .format = GP5_FORMAT_R32F, .size = { 1, 1, 6 }, .levels = 1,
                   .sampler = { .seamless = true }, .bytes = 24 } }
};
static const struct gp5_image images[] = {
    { .unit = 2, .texture = 3, .level = 1, .layered = false, .layer = 1, .format = GP5_FORMAT_R16UI },
    { .unit = 0, .texture = 0, .layered = true, .format = GP5_FORMAT_R32I }
};
static const struct driver_pointer pointers[] = {
    { POINTER_STORAGE, 7, POINTER_IN_CONSTANTS, 1, 8 }, { POINTER_TEXTURE, 3, POINTER_IN_ENV, 3, 4 },
    { POINTER_IMAGE, 2, POINTER_IN_LOCAL, 9, 0 }
};
static const uint32_t subroutines[] = { 7, 0, 9 };

static const struct driver_output outputs[] = { { 7, bytes, 33 }, { 2, bytes, 0 } };
static const struct driver_result sample_result = { .status = DRIVER_GL_ERROR,
                                                    .gl_error = 0x502,
                                                    .position = 1234567890123,
                                                    .message = "line 1, column 2:  error: no",
                                                    .native = -1,
                                                    .detail = "dispatching",
                                                    .storage = outputs,
                                                    .storage_count = 2,
                                                    .colors = outputs,
                                                    .color_count = 1,
                                                    .coverage = bytes,
                                                    .coverage_size = 15,
                                                    .depth = bytes,
                                                    .depth_size = 60 };
static const char *const extensions[] = { "GL_ONE", "", "GL_THREE" };
static const struct driver_limit limits[] = { { "least", INT64_MIN }, { "most", INT64_MAX } };
static const struct driver_description sample_description = { .context = "egl-device:0",
                                                              .vendor = "vendor",
                                                              .renderer = "renderer",
                                                              .version = "4.6",
                                                              .glsl_version = "4.60",
                                                              .extensions = extensions,
                                                              .extension_count = 3,
                                                              .limits = limits,
                                                              .limit_count = 2 };
static const struct capture_program sample_source = { 2, { { DRIVER_VERTEX, "#version 430\n", 13 },
                                                           { DRIVER_FRAGMENT, "void", 4 } } };
static const struct capture_result sample_capture = { .status = CAPTURE_NOT_LINKED,
                                                      .log = "log",
                                                      .detail = "detail",
                                                      .format = 0x8e21,
                                                      .blob = bytes,
                                                      .blob_size = 40,
                                                      .names = "attribute 0 a" };

/* ---- each message: written, and read and written again ------------------------------------------------- */

static void put_sample_case(struct wire_out *w, enum driver_stage stage, bool load_only)
{
    struct driver_case c = sample_case(stage, load_only);
    protocol_put_case(w, &c);
}

static void put_compute(struct wire_out *w) { put_sample_case(w, DRIVER_COMPUTE, false); }
static void put_fragment(struct wire_out *w) { put_sample_case(w, DRIVER_FRAGMENT, false); }
static void put_draw(struct wire_out *w)
{
    static const struct driver_program programs[] = {
        { DRIVER_VERTEX, program, 20, env, local, 2, 1 }, { .stage = DRIVER_GEOMETRY, .text = program, .size = 7 } };
    static const struct driver_array inputs[] = { { "vertex.position", corners, 48 }, { "vertex.color", corners, 16 } };
    static struct gp5_state gl;
    gl.point_size = 3;
    gl.projection[5] = -2;
    gl.clamp_vertex_color = true;
    struct driver_draw draw = { .programs = programs, .program_count = 2, .mode = RASTER_TRIANGLE_STRIP, .first = 1,
                                .count = 2, .instances = 4, .patch_vertices = 5, .inputs = inputs, .input_count = 2,
                                .state = { 1, 0, 1, 1, 0, 1, 0, RASTER_GEQUAL, 0x81, 15 }, .gl = &gl,
                                .depth = (const float *)(const void *)corners, .depth_size = 60, .clear_depth = 0.5f,
                                .seen = program, .seen_size = 12, .seen_count = 3 };
    struct driver_case c = sample_case(DRIVER_FRAGMENT, false);
    c.raster.primitive = DRIVER_DRAW;
    c.raster.attributes = NULL;
    c.raster.attribute_count = 0;
    c.raster.draw = &draw;
    protocol_put_case(w, &c);
}

static void put_shader(struct wire_out *w)
{
    struct driver_case c = sample_case(DRIVER_COMPUTE, false);
    c.language = DRIVER_SPIRV;
    c.program_size = 40;
    c.constant_count = c.env_count = c.local_count = 0;
    protocol_put_case(w, &c);
}

static struct driver_case sample_extras(void)
{
    struct driver_case c = sample_case(DRIVER_COMPUTE, false);
    memcpy(c.group_size, (const uint32_t[3]){ 4, 0, 2 }, sizeof c.group_size);
    c.counters = storage;
    c.counter_count = 3;
    c.textures = textures;
    c.texture_count = 2;
    c.images = images;
    c.image_count = 2;
    c.pointers = pointers;
    c.pointer_count = 3;
    c.subroutines = subroutines;
    c.subroutine_count = 3;
    return c;
}

static void put_extras(struct wire_out *w)
{
    struct driver_case c = sample_extras();
    protocol_put_case(w, &c);
}

static void put_result_extras(struct wire_out *w)
{
    struct driver_result r = sample_result;
    r.has_extras = true;
    r.counters = r.textures = outputs;
    r.counter_count = 2;
    r.texture_count = 1;
    protocol_put_result(w, &r);
}

static void put_load(struct wire_out *w) { put_sample_case(w, DRIVER_GEOMETRY, true); }
static void put_result(struct wire_out *w) { protocol_put_result(w, &sample_result); }
static void put_welcome(struct wire_out *w) { protocol_put_welcome(w, &sample_description); }
static void put_refused(struct wire_out *w) { protocol_put_refused(w, DRIVER_NO_CONTEXT, "no"); }
static void put_hello(struct wire_out *w) { protocol_put_hello(w, "auto", 10000); }
static void put_capture(struct wire_out *w) { protocol_put_capture(w, &sample_source); }
static void put_captured(struct wire_out *w) { protocol_put_captured(w, &sample_capture); }

static const char *copy_case(const struct wire_in *in, struct wire_out *w)
{
    struct driver_case c;
    const char *error = protocol_get_case(in, &c);
    if (!error)
        protocol_put_case(w, &c);
    protocol_free_case(&c);
    return error;
}

static const char *copy_result(const struct wire_in *in, struct wire_out *w)
{
    struct driver_result r;
    const char *error = protocol_get_result(in, &r);
    if (!error)
        protocol_put_result(w, &r);
    protocol_free_result(&r);
    return error;
}

static const char *copy_welcome(const struct wire_in *in, struct wire_out *w)
{
    struct driver_description d;
    const char *error = protocol_get_welcome(in, &d);
    if (!error)
        protocol_put_welcome(w, &d);
    protocol_free_welcome(&d);
    return error;
}

static const char *copy_refused(const struct wire_in *in, struct wire_out *w)
{
    enum driver_open_status status;
    const char *reason, *error = protocol_get_refused(in, &status, &reason);
    if (!error)
        protocol_put_refused(w, status, reason);
    return error;
}

static const char *copy_hello(const struct wire_in *in, struct wire_out *w)
{
    uint32_t timeout;
    const char *context, *error = protocol_get_hello(in, &context, &timeout);
    if (!error)
        protocol_put_hello(w, context, timeout);
    return error;
}

static const char *copy_capture(const struct wire_in *in, struct wire_out *w)
{
    struct capture_program s;
    const char *error = protocol_get_capture(in, &s);
    if (!error)
        protocol_put_capture(w, &s);
    return error;
}

static const char *copy_captured(const struct wire_in *in, struct wire_out *w)
{
    struct capture_result r;
    const char *error = protocol_get_captured(in, &r);
    if (!error)
        protocol_put_captured(w, &r);
    return error;
}

static const struct message {
    const char *name;
    void (*put)(struct wire_out *w);
    const char *(*copy)(const struct wire_in *in, struct wire_out *w);
} messages[] = {
    { "compute case", put_compute, copy_case }, { "fragment case", put_fragment, copy_case },
    { "draw case", put_draw, copy_case },
    { "load only", put_load, copy_case }, { "result", put_result, copy_result },
    { "welcome", put_welcome, copy_welcome }, { "refused", put_refused, copy_refused },
    { "hello", put_hello, copy_hello }, { "capture", put_capture, copy_capture },
    { "captured", put_captured, copy_captured }, { "shader case", put_shader, copy_case },
    { "case with extras", put_extras, copy_case }, { "result with extras", put_result_extras, copy_result }
};
enum { MESSAGES = sizeof messages / sizeof *messages };

static void encode(const struct message *m, struct wire_out *w)
{
    wire_begin(w, 1, 1);
    m->put(w);
    assert_true(wire_end(w));
}

/* The payload alone, in memory of exactly its size, so that a sanitizer sees each byte read too many. */
static struct wire_in payload(const struct wire_out *w, size_t size)
{
    struct wire_in in = { .data = malloc(size ? size : 1), .size = size };
    assert_non_null(in.data);
    memcpy(in.data, w->data + WIRE_HEADER, size);
    return in;
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < MESSAGES; i++) {
        struct wire_out a = {0}, b = {0};
        encode(&messages[i], &a);
        struct wire_in in = payload(&a, a.size - WIRE_HEADER);
        wire_begin(&b, 1, 1);
        const char *error = messages[i].copy(&in, &b);
        if (error)
            fail_msg("%s: %s", messages[i].name, error);
        assert_true(wire_end(&b));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        wire_in_free(&in);
        wire_out_free(&a);
        wire_out_free(&b);
    }
}

static void test_truncated(void **state)
{
    (void)state;
    for (size_t i = 0; i < MESSAGES; i++) {
        struct wire_out a = {0}, b = {0};
        encode(&messages[i], &a);
        for (size_t size = 0; size < a.size - WIRE_HEADER; size++) {
            struct wire_in in = payload(&a, size);
            wire_begin(&b, 1, 1);
            if (!messages[i].copy(&in, &b))
                fail_msg("%s cut to %zu bytes is believed", messages[i].name, size);
            wire_in_free(&in);
        }
        wire_out_free(&a);
        wire_out_free(&b);
    }
}

static void test_longer(void **state)
{
    (void)state;
    for (size_t i = 0; i < MESSAGES; i++) {
        struct wire_out a = {0}, b = {0};
        encode(&messages[i], &a);
        wire_put_u8(&a, 0);
        struct wire_in in = payload(&a, a.size - WIRE_HEADER);
        wire_begin(&b, 1, 1);
        assert_string_equal(messages[i].copy(&in, &b), "bytes are left over");
        wire_in_free(&in);
        wire_out_free(&a);
        wire_out_free(&b);
    }
}

/* Every byte of every message set to values that sizes and counts choke on. What is still believed must be a
 * message that writes itself back as it was read. */
static void test_changed(void **state)
{
    (void)state;
    static const uint8_t values[] = { 0x00, 0x01, 0x02, 0x7f, 0x80, 0xff };
    size_t refused = 0;
    for (size_t i = 0; i < MESSAGES; i++) {
        struct wire_out a = {0}, b = {0};
        encode(&messages[i], &a);
        for (size_t at = WIRE_HEADER; at < a.size; at++) {
            uint8_t was = a.data[at];
            for (size_t v = 0; v < sizeof values; v++) {
                a.data[at] = values[v];
                struct wire_in in = payload(&a, a.size - WIRE_HEADER);
                wire_begin(&b, 1, 1);
                if (messages[i].copy(&in, &b)) {
                    refused++;
                } else {
                    assert_int_equal(b.size, a.size);
                    assert_memory_equal(b.data + WIRE_HEADER, in.data, in.size);
                }
                wire_in_free(&in);
            }
            a.data[at] = was;
        }
        wire_out_free(&a);
        wire_out_free(&b);
    }
    assert_true(refused > 1000);
}

/* ---- frames -------------------------------------------------------------------------------------------- */

/* Sends `size` bytes of a frame through a pipe, closes it, and receives. */
static enum wire_status through_pipe(const uint8_t *data, size_t size, struct wire_in *in, bool close_it)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], data, size), (ssize_t)size);
    if (close_it)
        close(ends[1]);
    enum wire_status s = wire_receive(ends[0], in, wire_now() + (close_it ? 60000 : 20));
    close(ends[0]);
    if (!close_it)
        close(ends[1]);
    return s;
}

static void test_frames(void **state)
{
    (void)state;
    struct wire_out a = {0};
    struct wire_in in = {0};
    encode(&messages[3], &a);
    assert_int_equal(through_pipe(a.data, a.size, &in, true), WIRE_OK);
    assert_int_equal(in.size, a.size - WIRE_HEADER);
    assert_memory_equal(in.data, a.data + WIRE_HEADER, in.size);
    assert_int_equal(in.header.type, 1);
    for (size_t size = 0; size < a.size; size++)
        assert_int_equal(through_pipe(a.data, size, &in, true), WIRE_CLOSED);
    assert_int_equal(through_pipe(a.data, 0, &in, false), WIRE_TIMEOUT);
    assert_int_equal(through_pipe(a.data, WIRE_HEADER + 1, &in, false), WIRE_TIMEOUT);
    for (size_t at = WIRE_HEADER; at < a.size; at++) {
        a.data[at] ^= 0x10;
        assert_int_equal(through_pipe(a.data, a.size, &in, true), WIRE_BROKEN);
        a.data[at] ^= 0x10;
    }
    wire_out_free(&a);
    wire_in_free(&in);
}

/* A header that promises a gibibyte gets no more memory than what comes. */
static void test_promise(void **state)
{
    (void)state;
    struct wire_out a = {0};
    struct wire_in in = {0};
    encode(&messages[3], &a);
    memcpy(a.data + 12, "\0\0\0\x40", 4);
    assert_int_equal(through_pipe(a.data, a.size, &in, true), WIRE_CLOSED);
    assert_true(in.capacity <= 2u << 20);
    memcpy(a.data + 12, "\1\0\0\x40", 4);
    assert_int_equal(through_pipe(a.data, a.size, &in, true), WIRE_BROKEN);
    assert_string_equal(in.error, "it says that it is larger than a message may be");
    wire_out_free(&a);
    wire_in_free(&in);
}

/* Bytes by chance with stretches that repeat, packed and unpacked; and packed ones that were changed. */
static void test_packed(void **state)
{
    (void)state;
    uint8_t data[3000], packed[4000], *to = NULL;
    size_t capacity = 0, got, refused = 0;
    for (uint64_t n = 0; n < 2000; n++) {
        size_t size = data_random(1, n) % sizeof data, at = 0;
        while (at < size) {
            uint64_t word = data_random(2, n * 4096 + at);
            size_t piece = word % 300 < size - at ? word % 300 : size - at;
            for (size_t i = 0; i < piece; i++, at++)
                data[at] = word >> 20 & 1 && at >= 16 ? data[at - 16] : (uint8_t)data_random(word, i);
            data[at] = 0;
            at += at < size;
        }
        size_t short_one = wire_pack(data, size, packed, sizeof packed);
        assert_true(short_one);
        assert_true(!wire_pack(data, size, packed, short_one - 1));
        wire_pack(data, size, packed, sizeof packed);
        assert_null(wire_unpack(packed, short_one, &to, &capacity, &got));
        assert_int_equal(got, size);
        assert_memory_equal(to, data, size);
        refused += wire_unpack(packed, data_random(3, n) % short_one, &to, &capacity, &got) != NULL;
        packed[data_random(4, n) % short_one] ^= 0x81;
        if (!wire_unpack(packed, short_one, &to, &capacity, &got))
            assert_int_equal(got, size);        /* a byte of the payload was changed */
    }
    assert_int_equal(refused, 2000);
    memset(data, 0, sizeof data);
    assert_true(wire_pack(data, sizeof data, packed, sizeof packed) < 64);
    free(to);
}

static void test_check_sees_every_bit(void **state)
{
    (void)state;
    uint8_t data[41];
    for (size_t size = 0; size <= sizeof data; size++) {
        memset(data, 0, sizeof data);
        uint64_t check = wire_check(data, size);
        assert_true(size == 0 || wire_check(data, size - 1) != check);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_true(wire_check(data, size) != check);
            data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_truncated), cmocka_unit_test(test_longer),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_frames), cmocka_unit_test(test_promise),
        cmocka_unit_test(test_check_sees_every_bit), cmocka_unit_test(test_packed)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
