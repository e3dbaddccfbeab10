/* gp5-batch: runs cases from JSON lines on a driver and writes one JSON line a result. For experiments with
 * thousands of cases; see docs/drivers.md for the fields.
 *
 *   gp5-batch [--driver=KIND] [--worker=PATH] [--log=FILE] [--timeout=MS] [--raw=FILE] [FILE] */
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compare/report/json_text.h"
#include "tests/tools/batch_json.h"
#include "tests/tools/hex.h"

struct batch {
    struct driver *driver;
    FILE *raw;
    long long raw_size;
    const char *name;           /* of the case that runs */
    unsigned long cases, statuses[DRIVER_STATUSES];
};

_Noreturn void batch_die(unsigned long line, const char *what)
{
    fprintf(stderr, "gp5-batch: line %lu: %s\n", line, what);
    exit(2);
}

void *batch_keep(struct batch_memory *m, size_t size)
{
    void *p = m->count < sizeof m->blocks / sizeof *m->blocks ? calloc(size ? size : 1, 1) : NULL;
    if (!p)
        batch_die(0, "out of memory");
    return m->blocks[m->count++] = p;
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static void *from_hex(struct batch_memory *m, const char *hex, size_t *size, unsigned long line)
{
    *size = strlen(hex) / 2;
    uint8_t *data = batch_keep(m, *size);
    if (strlen(hex) % 2)
        batch_die(line, "an odd number of hex digits");
    if (!hex_bytes(hex, *size, data))
        batch_die(line, "no hex digit");
    return data;
}

static void *from_file(struct batch_memory *m, const char *path, size_t *size, unsigned long line)
{
    FILE *f = fopen(path, "rb");
    long end = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    if (end < 0)
        batch_die(line, strerror(errno));
    rewind(f);
    void *data = batch_keep(m, (size_t)end);
    *size = fread(data, 1, (size_t)end, f);
    fclose(f);
    return data;
}

/* SplitMix64, its words little-endian one after the other. */
static void *from_seed(struct batch_memory *m, uint64_t seed, size_t size)
{
    uint8_t *data = batch_keep(m, size);
    uint64_t word = 0;
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0) {
            seed += 0x9e3779b97f4a7c15u;
            word = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
            word = (word ^ word >> 27) * 0x94d049bb133111ebu;
            word ^= word >> 31;
        }
        data[i] = (uint8_t)(word >> i % 8 * 8);
    }
    return data;
}

static void *from_words(struct batch_memory *m, const json_t *list, bool floats, size_t *size)
{
    *size = json_array_size(list) * 4;
    uint32_t *words = batch_keep(m, *size);
    for (size_t i = 0; i < *size / 4; i++) {
        const json_t *v = json_array_get(list, i);
        float f = (float)json_number_value(v);
        if (floats)
            memcpy(&words[i], &f, 4);
        else
            words[i] = (uint32_t)json_integer_value(v);
    }
    return words;
}

const void *batch_data(struct batch_memory *m, const json_t *o, size_t *size, unsigned long line)
{
    const json_t *v;
    if ((v = json_object_get(o, "hex")))
        return from_hex(m, json_string_value(v) ? json_string_value(v) : "?", size, line);
    if ((v = json_object_get(o, "file")))
        return from_file(m, json_string_value(v) ? json_string_value(v) : "", size, line);
    if ((v = json_object_get(o, "floats")))
        return from_words(m, v, true, size);
    if ((v = json_object_get(o, "words")))
        return from_words(m, v, false, size);
    if ((v = json_object_get(o, "random"))) {
        *size = (size_t)json_integer_value(json_array_get(v, 1));
        return from_seed(m, (uint64_t)json_integer_value(json_array_get(v, 0)), *size);
    }
    if (!(v = json_object_get(o, "zero")) || json_integer_value(v) < 0)
        batch_die(line, "data wants hex, file, floats, words, random or zero");
    *size = (size_t)json_integer_value(v);
    return NULL;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

size_t batch_items(const json_t *list, unsigned long line)
{
    if (list && !json_is_array(list))
        batch_die(line, "that is no list");
    if (json_array_size(list) > BATCH_ITEMS)
        batch_die(line, "a list is too long");
    return json_array_size(list);
}

const struct driver_buffer *batch_buffers(struct batch_memory *m, const json_t *list, size_t *count,
                                          unsigned long line)
{
    *count = batch_items(list, line);
    struct driver_buffer *b = batch_keep(m, *count * sizeof *b);
    for (size_t i = 0; i < *count; i++) {
        const json_t *o = json_array_get(list, i);
        b[i].binding = (uint32_t)json_integer_value(json_object_get(o, "binding"));
        b[i].bring_back = json_is_true(json_object_get(o, "return"));
        b[i].data = batch_data(m, o, &b[i].size, line);
    }
    return b;
}

static const struct driver_parameter *get_parameters(struct batch_memory *m, const json_t *list, size_t *count,
                                                     unsigned long line)
{
    *count = batch_items(list, line);
    struct driver_parameter *p = batch_keep(m, *count * sizeof *p);
    for (size_t i = 0; i < *count; i++) {
        const json_t *o = json_array_get(list, i);
        size_t size;
        const void *data = batch_data(m, o, &size, line);
        if (size != sizeof p[i].bits)
            batch_die(line, "a parameter has four words");
        p[i].index = (uint32_t)json_integer_value(json_object_get(o, "index"));
        if (data)
            memcpy(p[i].bits, data, size);
    }
    return p;
}

uint32_t batch_number(const json_t *o, const char *name, uint32_t otherwise)
{
    const json_t *v = json_object_get(o, name);
    return v ? (uint32_t)json_integer_value(v) : otherwise;
}

static enum driver_attribute_kind get_kind(const char *name, unsigned long line)
{
    static const char *const names[DRIVER_ATTRIBUTE_KINDS] = { "texcoord", "color", "fogcoord", "generic" };
    for (int i = 0; name && i < DRIVER_ATTRIBUTE_KINDS; i++)
        if (!strcmp(name, names[i]))
            return (enum driver_attribute_kind)i;
    batch_die(line, "no such kind of attribute");
}

static void get_raster(struct batch_memory *m, const json_t *o, struct driver_raster *f, unsigned long line)
{
    const char *primitive = json_string_value(json_object_get(o, "primitive"));
    float depth = (float)json_number_value(json_object_get(o, "depth"));
    memcpy(&f->depth_bits, &depth, 4);
    f->primitive = primitive && !strcmp(primitive, "points") ? DRIVER_POINTS : DRIVER_QUAD;
    f->width = batch_number(o, "width", 1);
    f->height = batch_number(o, "height", 1);
    f->color_outputs = batch_number(o, "outputs", 1);
    f->bring_depth = json_is_true(json_object_get(o, "return_depth"));
    for (int k = 0; k < 4; k++)
        f->clear_bits[k] =
            (uint32_t)json_integer_value(json_array_get(json_object_get(o, "clear"), (size_t)k));
    const json_t *list = json_object_get(o, "attributes");
    f->attribute_count = batch_items(list, line);
    struct driver_attribute *a = batch_keep(m, f->attribute_count * sizeof *a);
    f->attributes = a;
    for (size_t i = 0; i < f->attribute_count; i++, a++) {
        const json_t *v = json_array_get(list, i);
        a->kind = get_kind(json_string_value(json_object_get(v, "kind")), line);
        a->index = batch_number(v, "index", 0);
        a->values = batch_data(m, v, &a->size, line);
        if (!a->values)
            a->values = batch_keep(m, a->size);
    }
}

static void get_case(struct batch_memory *m, const json_t *o, struct driver_case *c, unsigned long line)
{
    const char *stage = json_string_value(json_object_get(o, "stage"));
    const json_t *program = json_object_get(o, "program"), *glsl = json_object_get(o, "glsl"),
                 *groups = json_object_get(o, "groups");
    *c = (struct driver_case){ .stage = DRIVER_COMPUTE,
                               .load_only = json_is_true(json_object_get(o, "load_only")) };
    for (int i = 0; stage && i < DRIVER_STAGES; i++)
        if (!strcmp(stage, driver_stage_name((enum driver_stage)i)))
            c->stage = (enum driver_stage)i;
    if (program) {
        c->program = json_string_value(program);
        c->program_size = json_string_length(program);
    } else if (glsl) {
        c->language = DRIVER_GLSL;
        c->program = json_string_value(glsl);
        c->program_size = json_string_length(glsl);
    } else if (json_object_get(o, "spirv")) {
        c->language = DRIVER_SPIRV;
        c->program = batch_data(m, json_object_get(o, "spirv"), &c->program_size, line);
    } else {
        c->program = batch_data(m, o, &c->program_size, line);
    }
    if (!c->program)
        batch_die(line, "no program");
    for (size_t k = 0; k < 3; k++)
        c->groups[k] =
            json_array_size(groups) > k ? (uint32_t)json_integer_value(json_array_get(groups, k)) : 1;
    c->storage = batch_buffers(m, json_object_get(o, "storage"), &c->storage_count, line);
    c->constants = batch_buffers(m, json_object_get(o, "constants"), &c->constant_count, line);
    c->env = get_parameters(m, json_object_get(o, "env"), &c->env_count, line);
    c->local = get_parameters(m, json_object_get(o, "local"), &c->local_count, line);
    if (c->stage == DRIVER_FRAGMENT)
        get_raster(m, json_object_get(o, "raster"), &c->raster, line);
    batch_extras(m, o, c, line);
}

/* ---- results ------------------------------------------------------------------------------------------- */

static json_t *bytes(struct batch *b, const uint8_t *data, size_t size)
{
    if (b->raw) {
        if (fwrite(data, 1, size, b->raw) != size)
            batch_die(0, "the raw file can't be written");
        b->raw_size += (long long)size;
        return json_pack("{s:I, s:I}", "offset", (json_int_t)(b->raw_size - (long long)size), "size",
                         (json_int_t)size);
    }
    char *hex = malloc(2 * size + 1);
    if (!hex)
        batch_die(0, "out of memory");
    for (size_t i = 0; i < size; i++) {
        hex[2 * i] = "0123456789abcdef"[data[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[data[i] & 15];
    }
    json_t *o = json_object();
    json_object_set_new(o, "hex", json_stringn(hex, 2 * size));
    free(hex);
    return o;
}

static void add_outputs(struct batch *b, json_t *o, const char *name, const struct driver_output *list,
                        size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *v = bytes(b, list[i].data, list[i].size);
        json_object_set_new(v, "binding", json_integer(list[i].binding));
        json_array_append_new(array, v);
    }
    if (count)
        json_object_set(o, name, array);
    json_decref(array);
}

/* Error strings are text of a driver. */
static json_t *text(const char *s)
{
    json_t *v = cmp_json_bytes(s, strlen(s));

    if (!v)
        batch_die(0, "out of memory");
    return v;
}

static bool write_result(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    (void)index;
    (void)c;
    struct batch *b = user;
    b->statuses[r->status]++;
    json_t *o = json_pack("{s:s, s:s, s:I}", "name", b->name, "status", driver_status_name(r->status),
                          "position", (json_int_t)r->position);
    if (*r->message)
        json_object_set_new(o, "message", text(r->message));
    if (*r->detail)
        json_object_set_new(o, "detail", text(r->detail));
    if (r->gl_error)
        json_object_set_new(o, "gl_error", json_integer(r->gl_error));
    if (r->signal)
        json_object_set_new(o, "signal", json_integer(r->signal));
    if (r->attempts > 1)
        json_object_set_new(o, "attempts", json_integer(r->attempts));
    if (r->native >= 0)
        json_object_set_new(o, "native", json_integer(r->native));
    add_outputs(b, o, "storage", r->storage, r->storage_count);
    add_outputs(b, o, "counters", r->counters, r->counter_count);
    add_outputs(b, o, "textures", r->textures, r->texture_count);
    add_outputs(b, o, "colors", r->colors, r->color_count);
    if (r->coverage_size)
        json_object_set_new(o, "coverage", bytes(b, r->coverage, r->coverage_size));
    if (r->depth_size)
        json_object_set_new(o, "depth", bytes(b, r->depth, r->depth_size));
    json_dumpf(o, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(o);
    return true;
}

static void run_line(struct batch *b, const char *line, unsigned long number)
{
    struct batch_memory m;
    json_error_t error;
    m.count = 0;
    json_t *o = json_loads(line, JSON_ALLOW_NUL, &error);
    if (!json_is_object(o))
        batch_die(number, o ? "a case is an object" : error.text);
    struct driver_case c;
    const char *name = json_string_value(json_object_get(o, "name"));
    b->name = name ? name : "";
    get_case(&m, o, &c, number);
    if (!driver_run(b->driver, &c, 1, write_result, b))
        batch_die(number, "the driver can't go on");
    b->cases++;
    json_decref(o);
    while (m.count)
        free(m.blocks[--m.count]);
}

static void run_all(struct batch *b, FILE *in)
{
    char *line = NULL;
    size_t capacity = 0;
    unsigned long number = 0;
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    while (getline(&line, &capacity, in) > 0) {
        number++;
        if (line[strspn(line, " \t\r\n")])
            run_line(b, line, number);
    }
    free(line);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    fprintf(stderr, "gp5-batch: %lu cases in %.3f s (%.0f a second)", b->cases, seconds,
            (double)b->cases / seconds);
    for (int i = 0; i < DRIVER_STATUSES; i++)
        if (b->statuses[i])
            fprintf(stderr, ", %lu %s", b->statuses[i], driver_status_name((enum driver_status)i));
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "driver", required_argument, NULL, 'd' }, { "worker", required_argument, NULL, 'w' },
        { "log", required_argument, NULL, 'l' }, { "timeout", required_argument, NULL, 't' },
        { "raw", required_argument, NULL, 'r' }, { NULL, 0, NULL, 0 }
    };
    struct driver_options how = {0};
    struct batch b = {0};
    const char *raw = NULL;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1; ) {
        switch (o) {
        case 'd': how.context = optarg; break;
        case 'w': how.worker = optarg; break;
        case 'l': how.log = optarg; break;
        case 't': how.timeout_ms = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'r': raw = optarg; break;
        default: return 2;
        }
    }
    FILE *in = optind < argc ? fopen(argv[optind], "r") : stdin;
    b.raw = raw ? fopen(raw, "wb") : NULL;
    if (!in || (raw && !b.raw))
        batch_die(0, strerror(errno));
    char *reason;
    enum driver_open_status s = driver_open(&how, &b.driver, &reason);
    if (s != DRIVER_OPENED) {
        fprintf(stderr, "gp5-batch: no driver: %s\n", reason ? reason : "no memory");
        free(reason);
        return s == DRIVER_NO_CONTEXT ? 77 : 2;
    }
    const struct driver_description *d = driver_describe(b.driver);
    fprintf(stderr, "gp5-batch: %s: %s, %s, %s\n", d->context, d->vendor, d->renderer, d->version);
    run_all(&b, in);
    driver_close(b.driver);
    bool written = !fflush(stdout) && (!b.raw || !fclose(b.raw));
    if (!written)
        fputs("gp5-batch: the results can't be written\n", stderr);
    return written ? 0 : 2;
}
