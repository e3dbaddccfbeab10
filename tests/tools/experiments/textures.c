/* Writes the cases of tests/tools/texture_cases.h for the batch runner, or what it brought back as a recording.
 *
 *     textures programs DIR      DIR/in_PLACES.bin and DIR/textures.jsonl, a line a case; run it in DIR
 *     textures digest OUT RAW    from the runner's lines and raw results, tests/recordings/textures.txt */
#include "tests/tools/texture_cases.h"

#include "compare/driver/texture_words.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
    fprintf(stderr, "textures: %s\n", what);
    exit(2);
}

static void *take(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        fail("out of memory");
    return p;
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f)
        fail("cannot write a file");
    return f;
}

static json_t *hex(const void *bytes, size_t size)
{
    const uint8_t *data = bytes;
    char *text = take(size * 2 + 1);

    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", data[i]);
    json_t *j = json_string(text);
    free(text);
    return j;
}

static json_t *texture(const struct texture_case *c)
{
    const struct gp5_texture *t = &c->texture;
    const struct gp5_sampler *s = &t->sampler;
    uint8_t *data = take(t->bytes);

    texture_fill(c, data);
    json_t *j = json_pack(
        "{s:i, s:s, s:s, s:[i,i,i], s:i, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:{s:o}}", "unit", 0, "kind",
        texture_word(TEXTURE_KIND, t->kind), "format", texture_word(TEXTURE_FORMAT, t->format), "size", (int)t->size[0],
        (int)t->size[1], (int)t->size[2], "levels", (int)t->levels, "min", texture_word(TEXTURE_FILTER, s->min_filter),
        "mag", texture_word(TEXTURE_FILTER, s->mag_filter), "wrap", texture_word(TEXTURE_WRAP, s->wrap[0]), "min_lod",
        (double)s->min_lod, "max_lod", (double)s->max_lod, "bias", (double)s->bias, "hex", hex(data, t->bytes),
        "border", "hex", hex(s->border, sizeof s->border));
    if (j && t->samples)
        json_object_set_new(j, "samples", json_integer(t->samples));
    if (j && s->compare)
        json_object_set_new(j, "compare", json_string(texture_word(TEXTURE_COMPARE, s->compare)));
    free(data);
    return j;
}

static void write_case(void *user, const struct texture_case *c)
{
    char in[64];
    snprintf(in, sizeof in, "in_%s.bin", texture_places_names[c->places]);
    json_t *line = json_pack("{s:s, s:s, s:[i,i,i], s:s, s:[{s:i,s:s},{s:i,s:i,s:b}], s:[o]}", "name", c->name, "stage",
                             "compute", "groups", TEXTURE_LANES / 64, 1, 1, "program", c->program, "storage", "binding",
                             0,
                             "file", in, "binding", 1, "zero", TEXTURE_RESULTS, "return", 1, "textures", texture(c));
    if (!line || json_dumpf(line, user, JSON_COMPACT) < 0)
        fail("cannot write a case");
    fputc('\n', user);
    json_decref(line);
}

static void write_programs(const char *folder)
{
    static uint8_t data[TEXTURE_LANES * TEXTURE_RECORD];

    for (unsigned p = 0; p < PLACES_COUNT; p++) {
        char name[64];
        snprintf(name, sizeof name, "in_%s.bin", texture_places_names[p]);
        FILE *f = open_in(folder, name);
        texture_places((enum texture_places)p, data);
        if (fwrite(data, 1, sizeof data, f) != sizeof data || fclose(f))
            fail("cannot write the places");
    }
    FILE *f = open_in(folder, "textures.jsonl");
    texture_cases(write_case, f);
    if (fclose(f))
        fail("cannot write the cases");
}

/* ---- what came back ---------------------------------------------------------------------------------------------- */

struct results { FILE *lines, *raw; };

/* The next line's results; false for a case that did not run. */
static bool next_result(struct results *r, const char *name, uint8_t *data)
{
    char *line = NULL;
    size_t size = 0;

    if (getline(&line, &size, r->lines) < 0)
        fail("fewer results than cases");
    json_t *j = json_loads(line, 0, NULL), *s = json_array_get(json_object_get(j, "storage"), 0);
    const char *of = json_string_value(json_object_get(j, "name")),
               *status = json_string_value(json_object_get(j, "status"));
    bool ran = status && !strcmp(status, "ran");
    if (!of || strcmp(of, name))
        fail("the results are not in the order of the cases");
    if (ran && (fseek(r->raw, (long)json_integer_value(json_object_get(s, "offset")), SEEK_SET) ||
                fread(data, 1, TEXTURE_RESULTS, r->raw) != TEXTURE_RESULTS))
        fail("the raw results cannot be read");
    json_decref(j);
    free(line);
    return ran;
}

static void write_digest(void *user, const struct texture_case *c)
{
    static uint8_t data[TEXTURE_RESULTS];

    if (!next_result(user, c->name, data)) {
        printf("%s refused\n", c->name);
        return;
    }
    if (!c->levels) {
        printf("%s %016" PRIx64 "\n", c->name, texture_digest(data));
        return;
    }
    printf("%s levels", c->name);
    for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
        float level;
        memcpy(&level, data + lane * 16, sizeof level);
        printf("%s%d", lane % 32 ? " " : "\n", (int)(level * 256));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "programs")) {
        write_programs(argv[2]);
        return 0;
    }
    if (argc != 4 || strcmp(argv[1], "digest"))
        fail("usage: textures programs DIR | digest OUT RAW");
    struct results r = {fopen(argv[2], "r"), fopen(argv[3], "rb")};
    if (!r.lines || !r.raw)
        fail("cannot open the results");
    texture_cases(write_digest, &r);
    return fflush(stdout) ? 2 : 0;
}
