/* Runs the compute cases of a batch through the evaluator and compares with what a driver brought back, word by word.
 *
 *     gp5-batch --raw=RAW CASES.jsonl >RESULTS.jsonl
 *     build/experiments/batch_check CASES.jsonl RESULTS.jsonl RAW [FILTER [SHOW]]
 *
 * Files that cases name are looked for beside CASES.jsonl. FILTER is a part of the name; SHOW, how many words of each
 * case that differ are printed. One line a case that differs or does not run; the status is 1 where one did. */
#include "include/gp5.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 8, VECTORS = 64 };

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "batch_check: %s\n", what);
    exit(2);
}

static void *allocate(size_t size)
{
    void *p = aligned_alloc(64, (size + 127) / 64 * 64);
    if (p == NULL)
        fail("out of memory");
    return memset(p, 0, (size + 127) / 64 * 64);
}

static void *from_file(const char *folder, const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        fail(path);
    *size = (size_t)ftell(f);
    rewind(f);
    void *data = allocate(*size);
    if (fread(data, 1, *size, f) != *size)
        fail(path);
    fclose(f);
    return data;
}

static void *from_seed(uint64_t state, size_t size)
{
    uint8_t *data = allocate(size);
    for (size_t i = 0; i < size; i++) {
        static uint64_t z;
        if (i % 8 == 0) {
            z = (state += 0x9e3779b97f4a7c15u);
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
            z ^= z >> 31;
        }
        data[i] = (uint8_t)(z >> i % 8 * 8);
    }
    return data;
}

static void *data_of(const char *folder, const json_t *o, size_t *size)
{
    const json_t *v;
    if ((v = json_object_get(o, "file")))
        return from_file(folder, json_string_value(v), size);
    if ((v = json_object_get(o, "random"))) {
        *size = (size_t)json_integer_value(json_array_get(v, 1));
        return from_seed((uint64_t)json_integer_value(json_array_get(v, 0)), *size);
    }
    if ((v = json_object_get(o, "words"))) {
        *size = json_array_size(v) * 4;
        uint8_t *data = allocate(*size);
        for (size_t i = 0; i < *size; i++)
            data[i] = (uint8_t)((uint64_t)json_integer_value(json_array_get(v, i / 4)) >> i % 4 * 8);
        return data;
    }
    if (!(v = json_object_get(o, "zero")))
        fail("data wants file, random, words or zero");
    *size = (size_t)json_integer_value(v);
    return allocate(*size);
}

struct check {
    const char *folder, *filter;
    const uint8_t *raw;
    size_t raw_size;
    unsigned show, equal, differing, refused;
};

struct job {
    struct gp5_buffer buffers[MOST_BUFFERS];
    struct gp5_parameter vectors[2][VECTORS];
    struct gp5_launch launch;
    size_t nbuffers;
};

static void load_vectors(struct job *j, const char *folder, const json_t *test)
{
    static const char *const names[] = {"env", "local"};
    size_t count[2] = {0, 0}, i, size;
    for (unsigned k = 0; k < 2; k++) {
        const json_t *list = json_object_get(test, names[k]), *item;
        json_array_foreach(list, i, item) {
            void *data = data_of(folder, item, &size);
            if (count[k] == VECTORS || size != 16)
                fail("too many parameters, or one that has not 16 bytes");
            j->vectors[k][count[k]].index = (uint32_t)json_integer_value(json_object_get(item, "index"));
            memcpy(j->vectors[k][count[k]++].word, data, 16);
            free(data);
        }
    }
    j->launch.env = j->vectors[0];
    j->launch.local = j->vectors[1];
    j->launch.nenv = count[0];
    j->launch.nlocal = count[1];
}

static void load(struct job *j, const char *folder, const json_t *test)
{
    const json_t *list = json_object_get(test, "storage"), *item;
    size_t i;
    memset(j, 0, sizeof *j);
    if (json_array_size(list) > MOST_BUFFERS)
        fail("too many buffers");
    json_array_foreach(list, i, item) {
        struct gp5_buffer *b = &j->buffers[j->nbuffers++];
        b->binding = (uint32_t)json_integer_value(json_object_get(item, "binding"));
        b->data = data_of(folder, item, &b->size);
    }
    for (unsigned k = 0; k < 3; k++)
        j->launch.groups[k] = (uint32_t)json_integer_value(json_array_get(json_object_get(test, "groups"), k));
    j->launch.storage = j->buffers;
    j->launch.nstorage = j->nbuffers;
    load_vectors(j, folder, test);
}

static bool run(struct job *j, const char *name, const char *text)
{
    struct gp5_run_options options = {.semantics = GP5_SEMANTICS_NVIDIA};
    struct gp5_report report = {0};
    char *message = NULL;
    size_t offset = 0;
    gp5_program *program = gp5_parse(text, strlen(text));
    gp5_executable *x = program ? gp5_prepare(program, &options, &message, &offset) : NULL;
    bool ok = x && gp5_execute(x, &j->launch, &options, &report) == GP5_RUN_OK;
    if (!ok)
        printf("REFUSED %s: %s\n", name, message ? message : report.message ? report.message : "");
    gp5_report_free(&report);
    gp5_executable_free(x);
    gp5_program_free(program);
    gp5_text_free(message);
    return ok;
}

static void compare(struct check *c, const char *name, const struct job *j, const json_t *result)
{
    const json_t *list = json_object_get(result, "storage"), *item;
    size_t k, words = 0, differ = 0, shown = 0;
    char lines[16384] = "";
    json_array_foreach(list, k, item) {
        size_t at = (size_t)json_integer_value(json_object_get(item, "offset"));
        size_t size = (size_t)json_integer_value(json_object_get(item, "size"));
        uint32_t binding = (uint32_t)json_integer_value(json_object_get(item, "binding"));
        for (size_t b = 0; b < j->nbuffers; b++) {
            if (j->buffers[b].binding != binding)
                continue;
            if (size != j->buffers[b].size || at + size > c->raw_size)
                fail("results of another size than the buffer's");
            for (size_t i = 0; i + 4 <= size; i += 4, words++) {
                uint32_t want, got;
                memcpy(&want, c->raw + at + i, 4);
                memcpy(&got, (const uint8_t *)j->buffers[b].data + i, 4);
                differ += want != got;
                if (want != got && shown < c->show && strlen(lines) + 80 < sizeof lines)
                    shown++, sprintf(lines + strlen(lines), "    record %zu word %zu: got %08x want %08x\n", i / 16,
                                     i / 4 % 4, got, want);
            }
        }
    }
    if (differ == 0) {
        c->equal++;
    } else {
        c->differing++;
        printf("DIFFERS %s: %zu of %zu\n%s", name, differ, words, lines);
    }
}

static void one(struct check *c, const json_t *test, const json_t *result)
{
    const char *name = json_string_value(json_object_get(test, "name")),
               *other = json_string_value(json_object_get(result, "name"));
    const char *status = json_string_value(json_object_get(result, "status"));
    struct job j;
    if (!name || !other || !status || strcmp(name, other) != 0)
        fail("the results are not in the order of the cases");
    if (strcmp(status, "ran") != 0 || (c->filter && !strstr(name, c->filter)))
        return;
    load(&j, c->folder, test);
    if (run(&j, name, json_string_value(json_object_get(test, "program"))))
        compare(c, name, &j, result);
    else
        c->refused++;
    for (size_t i = 0; i < j.nbuffers; i++)
        free(j.buffers[i].data);
}

int main(int argc, char **argv)
{
    char folder[4096] = ".", *line[2] = {NULL, NULL}, *slash;
    size_t capacity[2] = {0, 0};
    if (argc < 4)
        fail("usage: batch_check CASES.jsonl RESULTS.jsonl RAW [FILTER [SHOW]]");
    snprintf(folder, sizeof folder, "%s", argv[1]);
    slash = strrchr(folder, '/');
    snprintf(slash ? slash : folder, 2, "%s", slash ? "" : ".");
    FILE *cases = fopen(argv[1], "r"), *results = fopen(argv[2], "r");
    struct check c = {
        .folder = folder, .filter = argc > 4 ? argv[4] : NULL, .show = argc > 5 ? (unsigned)atoi(argv[5]) : 0};
    if (cases == NULL || results == NULL)
        fail("cannot open the cases or the results");
    c.raw = from_file(argv[3][0] == '/' ? "" : ".", argv[3], &c.raw_size);
    while (getline(&line[0], &capacity[0], cases) > 0 && getline(&line[1], &capacity[1], results) > 0) {
        json_t *test = json_loads(line[0], 0, NULL), *result = json_loads(line[1], 0, NULL);
        one(&c, test, result);
        json_decref(test);
        json_decref(result);
    }
    printf("%u as the driver, %u differ, %u not evaluated\n", c.equal, c.differing, c.refused);
    return c.differing + c.refused > 0;
}
