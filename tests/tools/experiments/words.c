/* Programs that a driver is asked about, and its answers to them: the recordings of tests/recordings/README.md,
 * "Words".
 *
 *     build/experiments/words batch CASES.jsonl >BATCH.jsonl
 *     gp5-batch --raw=RAW BATCH.jsonl >RESULTS.jsonl
 *     build/experiments/words fold CASES.jsonl RESULTS.jsonl RAW >WORDS.jsonl
 *
 * Each case names the inputs that a line before it brings: `batch` puts them together, `fold` puts what came back as
 * "answer" to the case. A case without an answer is left out and named on standard error; the status is 1 where there
 * was one. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/hex.h"

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "words: %s\n", what);
    exit(2);
}

static FILE *open_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail(path);
    return f;
}

/* A file of objects, one a line. */
struct objects {
    FILE *file;
    char *line;
    size_t capacity;
};

/* The next one, which is to be freed; NULL at the end, where the file is closed. */
static json_t *next_object(struct objects *all)
{
    json_t *o = NULL;
    if (getline(&all->line, &all->capacity, all->file) <= 0) {
        free(all->line);
        fclose(all->file);
        return NULL;
    }
    o = json_loads(all->line, 0, NULL);
    if (!json_is_object(o))
        fail("a line holds no object, or is cut short");
    return o;
}

static void put_line(const json_t *o)
{
    if (json_dumpf(o, stdout, JSON_COMPACT) != 0 || putchar('\n') == EOF)
        fail("standard output");
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* Every buffer but the first comes back. */
static json_t *storage_of(const json_t *inputs)
{
    json_t *list = json_deep_copy(json_object_get(inputs, "storage")), *buffer;
    size_t i;
    json_array_foreach(list, i, buffer)
        if (json_integer_value(json_object_get(buffer, "binding")) > 0)
            json_object_set_new(buffer, "return", json_true());
    return list;
}

static void ask(const json_t *one, const json_t *inputs)
{
    static const char *const shared[] = {"groups", "local", "constants"};
    json_t *o = json_object(), *storage = storage_of(inputs);
    if (!o || !inputs || !storage)
        fail("a case without its inputs");
    json_object_set(o, "name", json_object_get(one, "case"));
    json_object_set(o, "program", json_object_get(one, "program"));
    json_object_set_new(o, "storage", storage);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (json_object_get(inputs, shared[i]))
            json_object_set(o, shared[i], json_object_get(inputs, shared[i]));
    put_line(o);
    json_decref(o);
}

static void batch(const char *path)
{
    struct objects cases = {.file = open_file(path)};
    json_t *inputs = json_object(), *o;
    while ((o = next_object(&cases))) {
        const char *named = json_string_value(json_object_get(o, "inputs"));
        if (json_object_get(o, "case"))
            ask(o, named ? json_object_get(inputs, named) : NULL);
        else if (named)
            json_object_set(inputs, named, o);
        json_decref(o);
    }
    json_decref(inputs);
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static json_t *read_results(const char *path)
{
    struct objects lines = {.file = open_file(path)};
    json_t *results = json_object(), *o;
    while ((o = next_object(&lines))) {
        const char *name = json_string_value(json_object_get(o, "name"));
        if (name)
            json_object_set(results, name, o);
        json_decref(o);
    }
    return results;
}

/* Bytes of the file that holds all that came back, as hex. */
static json_t *bytes_of(FILE *raw, long long offset, long long size)
{
    static const char digits[] = "0123456789abcdef";
    if (offset < 0 || size < 0 || size > 1 << 28 || fseek(raw, (long)offset, SEEK_SET) != 0)
        fail("a result is out of range");
    unsigned char *bytes = malloc((size_t)size + 1);
    char *hex = malloc(2 * (size_t)size + 1);
    if (!bytes || !hex || fread(bytes, 1, (size_t)size, raw) != (size_t)size)
        fail("what came back is cut short");
    for (long long i = 0; i < size; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    json_t *text = json_stringn(hex, 2 * (size_t)size);
    free(bytes);
    free(hex);
    return text;
}

static json_t *answer_of(const json_t *result, FILE *raw)
{
    json_t *answer = json_array(), *buffer, *storage = json_object_get(result, "storage");
    size_t i;
    json_array_foreach(storage, i, buffer) {
        json_t *o = json_object();
        json_object_set(o, "binding", json_object_get(buffer, "binding"));
        json_object_set_new(o, "hex",
                            bytes_of(raw, json_integer_value(json_object_get(buffer, "offset")),
                                     json_integer_value(json_object_get(buffer, "size"))));
        json_array_append_new(answer, o);
    }
    return answer;
}

static int fold(const char *cases_path, const char *results_path, const char *raw_path)
{
    struct objects cases = {.file = open_file(cases_path)};
    FILE *raw = open_file(raw_path);
    json_t *results = read_results(results_path), *o;
    size_t missing = 0;
    while ((o = next_object(&cases))) {
        const char *name = json_string_value(json_object_get(o, "case"));
        const json_t *result = name ? json_object_get(results, name) : NULL;
        bool answered = json_array_size(json_object_get(result, "storage")) > 0;
        if (name && answered)
            json_object_set_new(o, "answer", answer_of(result, raw));
        if (!name || answered)
            put_line(o);
        else if (++missing)
            fprintf(stderr, "words: %s: %s\n", name,
                    result ? json_string_value(json_object_get(result, "status")) : "no result");
        json_decref(o);
    }
    json_decref(results);
    fclose(raw);
    return missing > 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "batch") == 0)
        return batch(argv[2]), 0;
    if (argc == 5 && strcmp(argv[1], "fold") == 0)
        return fold(argv[2], argv[3], argv[4]);
    fail("batch CASES, or fold CASES RESULTS RAW");
}
