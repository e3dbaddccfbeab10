/* link: mpfr gmp */
/* gp5-oracle: the second evaluator, tests/oracle, behind pipes. Reads cases as JSON lines, as gp5-batch does, and
 * answers each with one:
 * {"name", "status", "message", "uses", "storage": [{"binding", "hex", "undefined"}], "textures": [{"unit", "hex",
 * "undefined"}]}; a byte of `undefined` is eight words. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/driver/texture_words.h"
#include "tests/tools/hex.h"
#include "tests/oracle/oracle.h"

enum { MAX_BUFFERS = 8, MAX_TEXTURES = 8, MAX_IMAGES = 8 };

struct oracle_case {
    gp5_program *program;
    enum gp5_semantics semantics;
    struct oracle_buffer storage[MAX_BUFFERS], constants[MAX_BUFFERS], counters[MAX_BUFFERS];
    struct gp5_address_range addresses[MAX_BUFFERS];
    uint32_t subroutines[MAX_BUFFERS];
    struct gp5_parameter local[MAX_BUFFERS];
    struct oracle_texture textures[MAX_TEXTURES];
    struct gp5_image images[MAX_IMAGES];
    struct oracle_launch launch;
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "gp5-oracle: %s\n", what);
    exit(2);
}

static uint8_t *from_hex(const json_t *v, size_t *size)
{
    const char *hex = json_string_value(v);
    size_t n = json_string_length(v) / 2;
    uint8_t *data = calloc(n + 1, 1);
    if (!hex || !data)
        die("no data");
    if (!hex_bytes(hex, n, data))
        die("no hex digit");
    *size = n;
    return data;
}

static size_t get_buffers(const json_t *list, struct oracle_buffer *to)
{
    size_t n = json_array_size(list);
    if (n > MAX_BUFFERS)
        die("too many buffers");
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        to[i].binding = (uint32_t)json_integer_value(json_object_get(o, "binding"));
        to[i].data = from_hex(json_object_get(o, "hex"), &to[i].size);
        to[i].undef = calloc(to[i].size / 4 + 1, sizeof *to[i].undef);
        if (!to[i].undef)
            die("no memory");
    }
    return n;
}

static size_t get_list(const json_t *list)
{
    size_t n = json_array_size(list);
    if (n > MAX_BUFFERS)
        die("a list is too long");
    return n;
}

/* What a launch has besides buffers and parameters. */
static void get_launch(const json_t *o, struct oracle_case *c)
{
    const json_t *addresses = json_object_get(o, "addresses"), *subroutines = json_object_get(o, "subroutines");
    c->launch.counters = c->counters;
    c->launch.ncounters = get_buffers(json_object_get(o, "counters"), c->counters);
    c->launch.addresses = c->addresses;
    c->launch.naddresses = get_list(addresses);
    for (size_t i = 0; i < c->launch.naddresses; i++) {
        const json_t *a = json_array_get(addresses, i);
        c->addresses[i] =
            (struct gp5_address_range){.address = (uint64_t)json_integer_value(json_object_get(a, "at")),
                                       .binding = (uint32_t)json_integer_value(json_object_get(a, "storage"))};
    }
    c->launch.subroutines = c->subroutines;
    c->launch.nsubroutines = get_list(subroutines);
    for (size_t i = 0; i < c->launch.nsubroutines; i++)
        c->subroutines[i] = (uint32_t)json_integer_value(json_array_get(subroutines, i));
    for (size_t i = 0; i < 3; i++)
        c->launch.group_size[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(o, "group_size"), i));
}

static uint8_t word_of(const json_t *o, const char *name, enum texture_word what)
{
    const json_t *v = json_object_get(o, name);
    int n = json_is_string(v) ? texture_word_find(what, json_string_value(v), json_string_length(v)) : -1;
    if (n < 0)
        die("no such kind or format");
    return (uint8_t)n;
}

static uint32_t number_of(const json_t *o, const char *name)
{
    return (uint32_t)json_integer_value(json_object_get(o, name));
}

static uint8_t word_or(const json_t *o, const char *name, enum texture_word what, uint8_t otherwise)
{
    return json_object_get(o, name) ? word_of(o, name, what) : otherwise;
}

static float float_or(const json_t *o, const char *name, float otherwise)
{
    const json_t *v = json_object_get(o, name);
    return v ? (float)json_number_value(v) : otherwise;
}

static void get_sampler(const json_t *o, struct gp5_sampler *s)
{
    const json_t *wrap = json_object_get(o, "wrap"), *border = json_object_get(json_object_get(o, "border"), "hex");
    s->min_filter = word_or(o, "min", TEXTURE_FILTER, s->min_filter);
    s->mag_filter = word_or(o, "mag", TEXTURE_FILTER, s->mag_filter);
    s->compare = word_or(o, "compare", TEXTURE_COMPARE, s->compare);
    for (size_t k = 0; k < json_array_size(wrap) && k < 3; k++) {
        const char *word = json_string_value(json_array_get(wrap, k));
        int n = word ? texture_word_find(TEXTURE_WRAP, word, strlen(word)) : -1;
        if (n < 0)
            die("no such wrap mode");
        s->wrap[k] = (uint8_t)n;
    }
    s->seamless = json_is_true(json_object_get(o, "seamless"));
    s->min_lod = float_or(o, "min_lod", s->min_lod);
    s->max_lod = float_or(o, "max_lod", s->max_lod);
    s->bias = float_or(o, "bias", s->bias);
    if (border) {
        size_t size;
        uint8_t *data = from_hex(border, &size);
        if (size != sizeof s->border)
            die("a border colour has four words");
        memcpy(s->border, data, size);
        free(data);
    }
}

static void get_textures(const json_t *list, struct oracle_case *c)
{
    c->launch.ntextures = json_array_size(list);
    if (c->launch.ntextures > MAX_TEXTURES)
        die("too many textures");
    for (size_t i = 0; i < c->launch.ntextures; i++) {
        const json_t *o = json_array_get(list, i), *size = json_object_get(o, "size");
        struct gp5_texture *t = &c->textures[i].texture;
        texture_begin(t, word_of(o, "kind", TEXTURE_KIND));
        t->unit = number_of(o, "unit");
        t->format = word_of(o, "format", TEXTURE_FORMAT);
        t->levels = number_of(o, "levels");
        get_sampler(o, &t->sampler);
        for (size_t k = 0; k < 3; k++)
            t->size[k] = (uint32_t)json_integer_value(json_array_get(size, k));
        t->data = from_hex(json_object_get(o, "hex"), &t->bytes);
        c->textures[i].undef = calloc(t->bytes / 4 + 1, sizeof *c->textures[i].undef);
        if (!c->textures[i].undef || gp5_texture_check(t))
            die("no such texture");
    }
}

static void get_images(const json_t *list, struct oracle_case *c)
{
    c->launch.nimages = json_array_size(list);
    if (c->launch.nimages > MAX_IMAGES)
        die("too many images");
    for (size_t i = 0; i < c->launch.nimages; i++) {
        const json_t *o = json_array_get(list, i);
        c->images[i] = (struct gp5_image){.unit = number_of(o, "unit"),
                                          .texture = number_of(o, "texture"),
                                          .level = number_of(o, "level"),
                                          .layered = !json_object_get(o, "layer"),
                                          .layer = number_of(o, "layer"),
                                          .format = word_of(o, "format", TEXTURE_FORMAT)};
    }
}

static void get_case(const json_t *o, struct oracle_case *c)
{
    const json_t *program = json_object_get(o, "program"), *groups = json_object_get(o, "groups"),
                 *local = json_object_get(o, "local");
    const char *semantics = json_string_value(json_object_get(o, "semantics"));
    *c = (struct oracle_case){.semantics =
                                  semantics && !strcmp(semantics, "spec") ? GP5_SEMANTICS_SPEC : GP5_SEMANTICS_NVIDIA};
    if (!json_is_string(program) || !(c->program = gp5_parse(json_string_value(program), json_string_length(program))))
        die("no program");
    for (size_t i = 0; i < 3; i++)
        c->launch.groups[i] = (uint32_t)json_integer_value(json_array_get(groups, i));
    c->launch.storage = c->storage;
    c->launch.constants = c->constants;
    c->launch.local = c->local;
    c->launch.nstorage = get_buffers(json_object_get(o, "storage"), c->storage);
    c->launch.nconstants = get_buffers(json_object_get(o, "constants"), c->constants);
    get_launch(o, c);
    get_textures(json_object_get(o, "textures"), c);
    get_images(json_object_get(o, "images"), c);
    c->launch.textures = c->textures;
    c->launch.images = c->images;
    c->launch.nlocal = json_array_size(local);
    if (c->launch.nlocal > MAX_BUFFERS)
        die("too many parameters");
    for (size_t i = 0; i < c->launch.nlocal; i++) {
        const json_t *p = json_array_get(local, i);
        size_t size;
        uint8_t *data = from_hex(json_object_get(p, "hex"), &size);
        c->local[i].index = (uint32_t)json_integer_value(json_object_get(p, "index"));
        memcpy(c->local[i].word, data, size < 16 ? size : 16);
        free(data);
    }
}

static void free_case(struct oracle_case *c)
{
    for (size_t i = 0; i < MAX_BUFFERS; i++) {
        free(c->storage[i].data);
        free(c->storage[i].undef);
        free(c->constants[i].data);
        free(c->counters[i].data);
        free(c->counters[i].undef);
        free(c->constants[i].undef);
    }
    for (size_t i = 0; i < MAX_TEXTURES; i++) {
        free(c->textures[i].texture.data);
        free(c->textures[i].undef);
    }
    gp5_program_free(c->program);
}

static json_t *hex_of(const uint8_t *data, size_t size)
{
    char *hex = malloc(2 * size + 1);
    json_t *v;
    if (!hex)
        die("no memory");
    for (size_t i = 0; i < size; i++) {
        hex[2 * i] = "0123456789abcdef"[data[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[data[i] & 15];
    }
    v = json_stringn(hex, 2 * size);
    free(hex);
    return v;
}

static json_t *open_of(const bool *open, size_t size)
{
    size_t words = size / 4;
    uint8_t *bits = calloc(words / 8 + 1, 1);
    json_t *v;
    if (!bits)
        die("no memory");
    for (size_t i = 0; i < words; i++)
        bits[i / 8] |= (uint8_t)(open[i] << i % 8);
    v = hex_of(bits, (words + 7) / 8);
    free(bits);
    return v;
}

static void answer(const char *name, struct oracle_case *c)
{
    static const char *const status[] = {"ran", "rejected", "limit", "stuck", "no memory"};
    struct oracle_outcome outcome = {.status = ORACLE_NOT_EVALUATED, .message = "the program is invalid"};
    json_t *storage = json_array(), *textures = json_array(), *o;
    if (gp5_valid(c->program, GP5_TARGET_NVIDIA) || gp5_valid(c->program, GP5_TARGET_GP5))
        oracle_run(c->program, c->semantics, &c->launch, &outcome);
    for (size_t i = 0; outcome.status == ORACLE_RAN && i < c->launch.nstorage; i++)
        json_array_append_new(storage, json_pack("{s:i, s:o, s:o}", "binding", (int)c->storage[i].binding, "hex",
                                                 hex_of(c->storage[i].data, c->storage[i].size), "undefined",
                                                 open_of(c->storage[i].undef, c->storage[i].size)));
    for (size_t i = 0; outcome.status == ORACLE_RAN && i < c->launch.ntextures; i++)
        json_array_append_new(textures,
                              json_pack("{s:i, s:o, s:o}", "unit", (int)c->textures[i].texture.unit, "hex",
                                        hex_of(c->textures[i].texture.data, c->textures[i].texture.bytes), "undefined",
                                        open_of(c->textures[i].undef, c->textures[i].texture.bytes)));
    o = json_pack("{s:s, s:s, s:s, s:I, s:o, s:o}", "name", name, "status", status[outcome.status], "message",
                  outcome.message, "uses", (json_int_t)outcome.uses, "storage", storage, "textures", textures);
    if (!o || json_dumpf(o, stdout, JSON_COMPACT) != 0)
        die("the answer can't be written");
    putchar('\n');
    fflush(stdout);
    json_decref(o);
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        struct oracle_case c;
        json_t *o = json_loads(line, 0, NULL);
        const char *name = json_string_value(json_object_get(o, "name"));
        if (!json_is_object(o))
            die("a case is an object");
        get_case(o, &c);
        answer(name ? name : "", &c);
        free_case(&c);
        json_decref(o);
    }
    free(line);
    return 0;
}
