#include "compare/script/data.h"

#include "compare/script/line.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files --------------------------------------------------------------------------------------------- */

static char *read_stream(FILE *f, size_t limit, size_t *size, const char **error)
{
    size_t have = 0, room = 65536;
    char *bytes = gp5_malloc(room + 1);
    while (bytes) {
        have += fread(bytes + have, 1, room - have, f);
        if (have < room || have > limit)
            break;
        room *= 2;
        char *more = gp5_realloc(bytes, room + 1);
        if (!more)
            gp5_free(bytes);
        bytes = more;
    }
    if (!bytes) {
        *error = "out of memory";
    } else if (ferror(f)) {
        *error = strerror(errno);
    } else if (have > limit) {
        *error = "the file is too large";
    } else {
        bytes[have] = 0;
        *size = have;
        return bytes;
    }
    gp5_free(bytes);
    return NULL;
}

char *data_read_file(const char *path, size_t limit, size_t *size, const char **error)
{
    struct stat st;
    if (!strcmp(path, "-"))
        return read_stream(stdin, limit, size, error);
    FILE *f = fopen(path, "rb");
    if (!f) {
        *error = strerror(errno);
        return NULL;
    }
    char *bytes = NULL;
    if (!fstat(fileno(f), &st) && S_ISDIR(st.st_mode))
        *error = "is a directory";
    else
        bytes = read_stream(f, limit, size, error);
    fclose(f);
    return bytes;
}

/* ---- generators ---------------------------------------------------------------------------------------- */

uint64_t data_random(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static const uint32_t nasty32[] = {
    /* integers at the edges of signs, shifts, fields and halves */
    0, 1, 2, 3, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7ffffffe,
    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa, 0x0000ffff,
    0xffff0000, 0x00ff00ff, 0x01010101, 0xdeadbeef, 0xffffff80, 0xffff8000,
    /* floats */
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40490fdb, 0x4b000000, 0x4f000000, 0x4f800000,
    0xcf000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
    0x00800000, 0x80800000, 0x007fffff, 0x807fffff, 0x00000001, 0x80000001, 0x477fe000, 0x477ff000,
    0x33800000, 0x387fc000,
};

static const uint32_t nasty_f32[] = {
    0x00000000, 0x80000000,                                             /* zeros */
    0x00000001, 0x80000001, 0x00400000, 0x007fffff, 0x807fffff,         /* denormals */
    0x00800000, 0x80800000, 0x00800001, 0x01000000,                     /* the smallest normals */
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0xbf7fffff,         /* about one */
    0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0x40200000, 0xbfc00000, /* ties of rounding */
    0x40000000, 0x40400000, 0x40490fdb, 0x3fc90fdb, 0xc0490fdb, 0x42c80000, 0x461c4000,
    0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33800000, 0x387fc000, 0x38800000, /* edges of half */
    0x4afffffe, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff,
    0x4f800000,
    0xcf000000, 0xcf000001, 0x5effffff, 0x5f000000, 0x5f800000, 0xdf000000,     /* edges of the integers */
    0x7e800000, 0x7effffff, 0x7f000000, 0x7f7fffff, 0xff7fffff,         /* the largest */
    0x7f800000, 0xff800000,                                             /* infinities */
    0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0xff800001,         /* NaN, quiet and signalling */
};

static const uint16_t nasty_f16[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x0200, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401, 0x3c00, 0xbc00, 0x3bff,
    0x3c01, 0x3800, 0x4000, 0x4200, 0x4248, 0x6400, 0x6800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00,
    0x7c01, 0x7fff,
};

static const uint64_t nasty_f64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x0010000000000001, 0x3ff0000000000000, 0xbff0000000000000,
    0x3fefffffffffffff, 0x3ff0000000000001, 0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000,
    0x400921fb54442d18, 0x36a0000000000000, 0x380fffffe0000000, 0x3810000000000000, 0x47efffffe0000000,
    0x47effffff0000000, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000,
    0x41f0000000000000, 0x4330000000000000, 0x4340000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0xc3e0000000000000, 0x43f0000000000000, 0x7fe0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001,
};

static const uint64_t nasty64[] = {
    0, 1, 2, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x100000001,
    0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff,
    0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x00000000ffff0000, 0xffffffff00000000, 0xffffffff80000000,
    0x0123456789abcdef,
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

size_t data_nasty_count(enum number_type type)
{
    switch (type) {
    case NUMBER_F16: return COUNT(nasty_f16);
    case NUMBER_F32: return COUNT(nasty_f32);
    case NUMBER_F64: return COUNT(nasty_f64);
    case NUMBER_U64: case NUMBER_S64: return COUNT(nasty64);
    default: return COUNT(nasty32);
    }
}

uint64_t data_nasty(enum number_type type, size_t index)
{
    switch (type) {
    case NUMBER_F16: return nasty_f16[index];
    case NUMBER_F32: return nasty_f32[index];
    case NUMBER_F64: return nasty_f64[index];
    case NUMBER_U64: case NUMBER_S64: return nasty64[index];
    default: return nasty32[index];             /* narrower types take its low bits */
    }
}

/* ---- commands ------------------------------------------------------------------------------------------ */

struct request {
    struct arena *arena;
    char *const *words;
    size_t count, *wrong;
    struct data *data;
};

static const char *make_room(struct request *r, uint64_t size)
{
    if (size > DATA_LIMIT)
        return "more than 256 MiB in one buffer";
    r->data->size = (size_t)size;
    r->data->bytes = arena_alloc(r->arena, (size_t)size + 1);
    return r->data->bytes ? NULL : "out of memory";
}

static const char *integer_at(struct request *r, size_t index, int64_t low, int64_t high, int64_t *value)
{
    *r->wrong = index;
    if (index >= r->count)
        return "a number is missing here";
    return line_integer(r->words[index], low, high, value) ? NULL : line_range(r->arena, low, high);
}

/* TYPE and COUNT, the words 1 and 2 of every generator; makes room. */
static const char *type_and_count(struct request *r, enum number_type *type, size_t *count)
{
    int64_t n = 0;
    *r->wrong = 1;
    if (r->count < 2 || !number_type_named(r->words[1], type))
        return "expected a type: u8 s8 u16 s16 f16 u32 s32 f32 u64 s64 f64 hex";
    const char *error = integer_at(r, 2, 0, DATA_LIMIT, &n);
    if (error)
        return error;
    *count = (size_t)n;
    return make_room(r, (uint64_t)n * number_types[*type].bytes);
}

static const char *too_many(struct request *r, size_t most)
{
    *r->wrong = most;
    return r->count > most ? "nothing more is expected here" : NULL;
}

static const char *make_zero(struct request *r)
{
    int64_t size = 0;
    const char *error = integer_at(r, 1, 0, DATA_LIMIT, &size);
    r->data->size = (size_t)size;
    return error ? error : too_many(r, 2);
}

static const char *make_list(struct request *r, enum number_type type)
{
    const char *error = make_room(r, (uint64_t)(r->count - 1) * number_types[type].bytes);
    for (size_t i = 1; !error && i < r->count; i++) {
        uint64_t bits;
        *r->wrong = i;
        if (!number_parse(type, r->words[i], &bits))
            error = "no number of this type";
        else
            number_store(type, bits, r->data->bytes + (i - 1) * number_types[type].bytes);
    }
    return error;
}

static uint64_t from_double(enum number_type type, double v)
{
    uint64_t bits = 0;
    float f = (float)v;
    switch (type) {
    case NUMBER_F16: return number_to_half(v);
    case NUMBER_F32: memcpy(&bits, &f, sizeof f); return bits;
    default: memcpy(&bits, &v, sizeof v); return bits;
    }
}

/* Two optional numbers behind the fixed words: START and STEP, LOW and HIGH. */
static const char *two_numbers(struct request *r, size_t at, enum number_type type, uint64_t bits[2])
{
    for (size_t i = 0; i < 2 && at + i < r->count; i++) {
        *r->wrong = at + i;
        if (!number_parse(type, r->words[at + i], &bits[i]))
            return "no number of this type";
    }
    return too_many(r, at + 2);
}

static const char *make_ramp(struct request *r)
{
    enum number_type type = NUMBER_U32;
    size_t count = 0;
    const char *error = type_and_count(r, &type, &count);
    if (error)
        return error;
    bool is_float = number_types[type].is_float;
    uint64_t from[2] = { 0, is_float ? from_double(type, 1) : 1 };
    if ((error = two_numbers(r, 3, type, from)) != NULL)
        return error;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = from[0] + (uint64_t)i * from[1];
        if (is_float)
            bits = from_double(type, number_value(type, from[0]) + (double)i * number_value(type, from[1]));
        number_store(type, bits, r->data->bytes + i * number_types[type].bytes);
    }
    return NULL;
}

static uint64_t in_range(enum number_type type, uint64_t random, const uint64_t range[2])
{
    if (number_types[type].is_float) {
        double u = (double)(random >> 11) * 0x1p-53;
        double low = number_value(type, range[0]), high = number_value(type, range[1]);
        return from_double(type, low + (high - low) * u);
    }
    uint64_t mask = UINT64_MAX >> (64 - 8 * number_types[type].bytes);
    uint64_t span = ((range[1] - range[0]) & mask) + 1;     /* 0: all of 64 bits */
    return range[0] + (span ? random % span : random);
}

static const char *make_random(struct request *r)
{
    enum number_type type = NUMBER_U32;
    size_t count = 0;
    int64_t seed = 0;
    uint64_t range[2] = { 0, 0 };
    const char *error = type_and_count(r, &type, &count);
    if (error || (error = integer_at(r, 3, 0, INT64_MAX, &seed)) != NULL)
        return error;
    bool limited = r->count > 4;
    if ((error = two_numbers(r, 4, type, range)) != NULL)
        return error;
    *r->wrong = 5;
    if (r->count == 5)
        return "a range needs LOW and HIGH";
    bool turned = number_types[type].is_signed ? number_value(type, range[0]) > number_value(type, range[1])
                                               : range[0] > range[1];
    if (limited && (turned || number_is_nan(type, range[0]) || number_is_nan(type, range[1])))
        return "HIGH is below LOW";
    unsigned bytes = number_types[type].bytes;
    for (size_t i = 0; i < count; i++) {
        uint64_t random = data_random((uint64_t)seed, i);
        number_store(type, limited ? in_range(type, random, range) : random >> (64 - 8 * bytes),
                     r->data->bytes + i * bytes);
    }
    return NULL;
}

static const char *make_nasty(struct request *r)
{
    enum number_type type = NUMBER_U32;
    size_t count = 0;
    int64_t seed = 0;
    const char *error = type_and_count(r, &type, &count);
    if (error || (error = integer_at(r, 3, 0, INT64_MAX, &seed)) != NULL || (error = too_many(r, 4)) != NULL)
        return error;
    /* The whole table once, in order, so that nothing is left to chance; then picks from it. */
    size_t table = data_nasty_count(type);
    for (size_t i = 0; i < count; i++) {
        size_t pick = i < table ? i : (size_t)((data_random((uint64_t)seed, i) >> 32) % table);
        number_store(type, data_nasty(type, pick), r->data->bytes + i * number_types[type].bytes);
    }
    return NULL;
}

static const char *make_file(struct request *r, const char *folder)
{
    char path[4096];
    size_t size = 0;
    const char *error = NULL;
    *r->wrong = 1;
    if (r->count < 2)
        return "a file name is missing here";
    if (snprintf(path, sizeof path, "%s%s", r->words[1][0] == '/' ? "" : folder, r->words[1]) >=
        (int)sizeof path)
        return "the file name is too long";
    char *bytes = data_read_file(path, DATA_LIMIT, &size, &error);
    if (!bytes)
        return arena_copy(r->arena, error, strlen(error));
    r->data->bytes = (uint8_t *)arena_copy(r->arena, bytes, size);
    r->data->size = size;
    gp5_free(bytes);
    return r->data->bytes ? too_many(r, 2) : "out of memory";
}

const char *data_parse(struct arena *a, const char *folder, char *const *words, size_t count,
                       struct data *data, size_t *wrong)
{
    struct request r = { a, words, count, wrong, data };
    enum number_type type;
    memset(data, 0, sizeof *data);
    *wrong = 0;
    if (!count)
        return "expected zero, file, ramp, random, nasty or a type with values";
    if (!strcmp(words[0], "zero"))
        return make_zero(&r);
    if (!strcmp(words[0], "ramp"))
        return make_ramp(&r);
    if (!strcmp(words[0], "random"))
        return make_random(&r);
    if (!strcmp(words[0], "nasty"))
        return make_nasty(&r);
    if (!strcmp(words[0], "file"))
        return make_file(&r, folder);
    if (number_type_named(words[0], &type))
        return make_list(&r, type);
    return "expected zero, file, ramp, random, nasty or a type with values";
}
