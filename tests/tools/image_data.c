/* Operands, coordinates and texels of tests/tools/image_cases.h, and the evaluator's answers. */
#include "tests/tools/image_cases.h"
#include "tests/tools/operands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const image_data_names[IMAGE_DATA_COUNT] = {"floats", "integers", "coordinates", "codes"};

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((operand_random(state) >> 32) * n >> 32);
}

static uint32_t bits_of(float f)
{
    uint32_t word;

    memcpy(&word, &f, sizeof word);
    return word;
}

/* A middle between two codes of a normalised or small float format, or a float next to it. */
static uint32_t middle(uint64_t *state)
{
    static const int most[] = {255, 127, 65535, 32767, 1023, 3};
    uint32_t which = below(state, 9), word, sign = below(state, 4) ? 0 : 0x80000000;

    if (which < 6) {
        int n = (int)below(state, (uint32_t)most[which]);
        word = bits_of((float)((n + 0.5) / most[which]));
    } else {        /* halves and floats of 11 and 10 bits: where their last bits are cut off */
        unsigned cut = which == 6 ? 13 : which == 7 ? 17 : 18;
        word = ((below(state, 34u << (23 - cut)) + (110u << (23 - cut))) << cut) | 1u << (cut - 1);
        if (below(state, 4) == 0) {     /* denormal ones */
            unsigned down = 1 + below(state, 12);
            word = bits_of(ldexpf(1.0f, -14 - (int)down) * (float)(1 + below(state, 16) * 0.125));
        }
    }
    return (word + below(state, 3) - 1) | sign;
}

static uint32_t nasty_float(uint64_t *state)
{
    static const uint32_t list[] = {
        0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
        0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
        0xbf7fffff, 0x3f000000, 0xbf000000, 0x477fe000, 0x477fefff, 0x477ff000, 0x477ff001, 0x47800000, 0xc77ff000,
        0x477e0000, 0x477e8000, 0x477f0000, 0x477effff, 0x477c0000, 0x33000000, 0x33000001, 0x33800000, 0x38800000,
        0x387fffff, 0x35800000, 0x35000000, 0x35000001, 0x36000000, 0x35ffffff, 0x437f0000, 0x42fe0000, 0xb33fffff};

    switch (below(state, 4)) {
    case 0: return list[below(state, sizeof list / sizeof *list)];
    case 1: return (uint32_t)operand_random(state);
    case 2: return bits_of((float)((double)(int32_t)operand_random(state) / 1.6e9));
    default: return middle(state);
    }
}

static uint32_t nasty_integer(uint64_t *state)
{
    static const uint32_t list[] = {0, 1, 2, 3, 4, 127, 128, 129, 254, 255, 256, 257, 32767, 32768, 65535, 65536, 1023,
     1024, 0x7fffffff, 0x80000000,
                                    0xffffffff, 0xffffff80, 0xffffff7f, 0xffffff81, 0xffff8000, 0xffff7fff, 0xfffffffe};

    uint32_t word;

    switch (below(state, 3)) {
    case 0: return list[below(state, sizeof list / sizeof *list)];
    case 1: word = (uint32_t)operand_random(state); return word >> below(state, 32);
    default: return (uint32_t)operand_random(state);
    }
}

static uint32_t coordinate(uint64_t *state)
{
    static const uint32_t list[] = {0x80000000, 0xffffffff, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 11, 12, 13, 16383,
     16384, 32768, 65535, 65536,
                                    0x10000000, 0x40000000, 0x7fffffff};

    return list[below(state, sizeof list / sizeof *list)];
}

size_t image_data_size(enum image_data which)
{
    return which == IMAGE_DATA_CODES ? IMAGE_CODES_BYTES : IMAGE_INPUT_BYTES;
}

void image_data(enum image_data which, uint8_t *bytes)
{
    uint64_t state = 100 + (uint64_t)which;

    for (size_t i = 0; i < image_data_size(which) / 4; i++) {
        uint32_t word = which == IMAGE_DATA_FLOATS        ? nasty_float(&state)
                        : which == IMAGE_DATA_INTEGERS    ? nasty_integer(&state)
                        : which == IMAGE_DATA_COORDINATES ? coordinate(&state)
                                                          : (uint32_t)(2 * i | (2 * i + 1) << 16);
        memcpy(bytes + 4 * i, &word, 4);
    }
}

void image_case_fill(const struct image_case *c, uint8_t *bytes)
{
    uint64_t state = c->seed;

    if (c->fill != IMAGE_DATA_RANDOM) {
        uint8_t *data = malloc(image_data_size(c->fill));
        if (!data)
            abort();
        image_data(c->fill, data);
        memcpy(bytes, data, c->texture.bytes < image_data_size(c->fill) ? c->texture.bytes : image_data_size(c->fill));
        free(data);
        return;
    }
    for (size_t at = 0; at < c->texture.bytes; at += 8) {
        uint64_t word = operand_random(&state);
        memcpy(bytes + at, &word, c->texture.bytes - at < 8 ? c->texture.bytes - at : 8);
    }
}

uint64_t image_hash(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* ---- the evaluator ----------------------------------------------------------------------------------------------- */

static void *buffer(size_t size)
{
    void *p = aligned_alloc(64, (size + 127) & ~(size_t)63);

    if (!p)
        abort();
    memset(p, 0, (size + 127) & ~(size_t)63);
    return p;
}

static char *copy(const char *text)
{
    char *to = text ? malloc(strlen(text) + 1) : NULL;

    return to ? strcpy(to, text) : NULL;
}

static bool execute(const struct image_case *c, const gp5_executable *x, const struct gp5_run_options *options,
                    struct image_answer *a, char **message)
{
    uint8_t *input = buffer(IMAGE_INPUT_BYTES);
    struct gp5_texture texture = c->texture;
    struct gp5_image images[IMAGE_CASE_IMAGES];
    struct gp5_parameter local = {.word = {(uint32_t)IMAGE_CASE_HANDLE, (uint32_t)(IMAGE_CASE_HANDLE >> 32)}};
    struct gp5_buffer storage[2] = {{.data = input, .size = IMAGE_INPUT_BYTES},
                                    {.binding = 1, .data = a->output, .size = c->output,
                                     .undefined = a->output_undefined}};
    struct gp5_launch launch = {.groups = {c->groups, 1, 1},
                                .storage = storage,
                                .nstorage = 2,
                                .textures = &texture,
                                .ntextures = 1,
                                .images = images,
                                .nimages = c->images,
                                .local = &local,
                                .nlocal = 1};
    struct gp5_report report;
    bool ok;

    image_data(c->input, input);
    texture.data = a->texture;
    texture.undefined = a->texture_undefined;
    memcpy(images, c->image, sizeof images);
    images[0].handle = c->handle ? IMAGE_CASE_HANDLE : 0;
    ok = gp5_execute(x, &launch, options, &report) == GP5_RUN_OK;
    a->uses = report.undefined_uses;
    if (!ok)
        *message = copy(report.message);
    gp5_report_free(&report);
    free(input);
    return ok;
}

bool image_case_evaluate(const struct image_case *c, enum gp5_semantics semantics, struct image_answer *a,
                         char **message)
{
    struct gp5_run_options options = {.semantics = semantics, .track_undefined = true, .jobs = 1};
    gp5_program *program = gp5_parse(c->program, strlen(c->program));
    gp5_executable *x;
    char *why = NULL;
    size_t offset;
    bool ok = false;

    *message = NULL;
    if (!program)
        abort();
    a->output = buffer(c->output);
    a->output_undefined = buffer(c->output);
    a->texture = buffer(c->texture.bytes);
    a->texture_undefined = buffer(c->texture.bytes);
    image_case_fill(c, a->texture);
    x = gp5_prepare(program, &options, &why, &offset);
    if (x)
        ok = execute(c, x, &options, a, message);
    else
        *message = copy(why);
    gp5_text_free(why);
    gp5_executable_free(x);
    gp5_program_free(program);
    return ok;
}

void image_answer_free(struct image_answer *a)
{
    free(a->output);
    free(a->texture);
    free(a->output_undefined);
    free(a->texture_undefined);
    *a = (struct image_answer){0};
}

void image_answer_mask(const struct image_case *c, const struct image_answer *a, uint8_t *output, uint8_t *texture)
{
    for (size_t i = 0; i < c->output; i++)
        if (a->output_undefined[i / 4])
            output[i] = 0;
    for (size_t i = 0; i < c->texture.bytes; i++)
        if (a->texture_undefined[i / 4])
            texture[i] = 0;
}
