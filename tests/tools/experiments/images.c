/* The programs of tests/tools/image_cases.h on a driver, from the top folder:
 *
 *   images batch DIR           DIR/images.jsonl for gp5-batch, and the data it names
 *   images check OUT RAW       what gp5-batch printed (OUT) and kept (RAW) beside the evaluator's results
 *   images digest OUT RAW      tests/recordings/images.txt
 *   images text NAME           the program of a case */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/image_cases.h"

enum { SHOWN = 6 };

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "images: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, mode);
    if (!f)
        fail("cannot open", path);
    return f;
}

/* ---- batch ------------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {"1D", "2D", "3D", "CUBE", "RECT", "ARRAY1D", "ARRAY2D", "ARRAYCUBE", "BUFFER"};

static json_t *texture(const struct image_case *c)
{
    const struct gp5_texture *t = &c->texture;
    json_t *o = json_pack("{s:i, s:s, s:s, s:[i,i,i], s:i, s:b}", "unit", 0, "kind", kinds[t->kind], "format",
                          gp5_format_info(t->format)->name, "size", (int)t->size[0], (int)t->size[1], (int)t->size[2],
                          "levels", (int)t->levels, "return", c->returns);
    if (t->kind == GP5_TEXTURE_RECT)
        json_object_set_new(o, "wrap", json_string("clamp_to_edge"));
    json_object_set_new(o, "file", json_sprintf("%s.bin", c->name));
    return o;
}

static json_t *images(const struct image_case *c)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < c->images; i++) {
        const struct gp5_image *image = &c->image[i];
        json_t *o = json_pack("{s:i, s:i, s:i, s:s}", "unit", (int)image->unit, "texture", 0, "level",
                              (int)image->level, "format", gp5_format_info(image->format)->name);
        if (!image->layered)
            json_object_set_new(o, "layer", json_integer((json_int_t)image->layer));
        json_array_append_new(list, o);
    }
    return list;
}

struct writer {
    FILE *lines;
    const char *folder;
};

static void write_case(void *user, const struct image_case *c)
{
    struct writer *w = user;
    char name[128];
    uint8_t *bytes = calloc(c->texture.bytes + 8, 1);
    json_t *o = json_pack("{s:s, s:s, s:[i,i,i], s:[{s:i, s:s}, {s:i, s:i, s:b}], s:[o], s:o}", "name", c->name,
                          "program", c->program, "groups", (int)c->groups, 1, 1, "storage", "binding", 0, "file",
                          c->input == IMAGE_DATA_FLOATS     ? "floats.bin"
                          : c->input == IMAGE_DATA_INTEGERS ? "integers.bin"
                                                            : "coordinates.bin",
                          "binding", 1, "zero", c->output ? (int)c->output : 16, "return", c->output > 0, "textures",
                          texture(c), "images", images(c));
    if (c->handle) {
        json_object_set_new(o, "local", json_pack("[{s:i, s:[i,i,i,i]}]", "index", 0, "words", 0, 0, 0, 0));
        json_object_set_new(o, "pointers", json_pack("[{s:i, s:i, s:i}]", "image", 0, "local", 0, "offset", 0));
    }
    if (!o || !bytes || json_dumpf(o, w->lines, JSON_COMPACT) || fputc('\n', w->lines) == EOF)
        fail("cannot write", c->name);
    json_decref(o);
    image_case_fill(c, bytes);
    snprintf(name, sizeof name, "%s.bin", c->name);
    FILE *f = open_in(w->folder, name, "wb");
    if (fwrite(bytes, 1, c->texture.bytes, f) != c->texture.bytes || fclose(f))
        fail("cannot write the texture of", c->name);
    free(bytes);
}

static void write_batch(const char *folder)
{
    static uint8_t bytes[IMAGE_CODES_BYTES];
    struct writer w = {.lines = open_in(folder, "images.jsonl", "w"), .folder = folder};
    for (unsigned i = 0; i < IMAGE_DATA_CODES; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.bin", image_data_names[i]);
        FILE *f = open_in(folder, name, "wb");
        image_data((enum image_data)i, bytes);
        if (fwrite(bytes, 1, IMAGE_INPUT_BYTES, f) != IMAGE_INPUT_BYTES || fclose(f))
            fail("cannot write", name);
    }
    image_cases(write_case, &w);
    if (fclose(w.lines))
        fail("cannot write the cases", NULL);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

struct reader {
    FILE *lines, *raw;
    bool digest;
    unsigned ran, rejected, failed, same, different, not_evaluated, open;
};

/* The bytes of the first thing in a list that came back, or NULL. */
static uint8_t *came_back(const struct reader *r, const json_t *o, const char *list, size_t size)
{
    const json_t *first = json_array_get(json_object_get(o, list), 0);
    uint8_t *bytes = calloc(size + 8, 1);
    if (!bytes)
        fail("out of memory", NULL);
    if (first && ((size_t)json_integer_value(json_object_get(first, "size")) != size ||
                  fseek(r->raw, (long)json_integer_value(json_object_get(first, "offset")), SEEK_SET) ||
                  fread(bytes, 1, size, r->raw) != size))
        fail("the results are too short", NULL);
    return bytes;
}

static unsigned tell(const struct image_case *c, const char *where, const uint8_t *driver, const uint8_t *gp5,
                     size_t size)
{
    unsigned n = 0;
    for (size_t i = 0; i + 4 <= size + 3; i += 4) {
        size_t bytes = size - i < 4 ? size - i : 4;
        uint32_t a = 0, b = 0;
        memcpy(&a, driver + i, bytes);
        memcpy(&b, gp5 + i, bytes);
        if (a != b && n++ < SHOWN)
            printf("%s: %s word %zu: driver %08" PRIx32 ", gp5 %08" PRIx32 "\n", c->name, where, i / 4, a, b);
    }
    if (n)
        printf("%s: %s: %u of %zu words differ\n", c->name, where, n, size / 4);
    return n;
}

static void judge(struct reader *r, const struct image_case *c, const json_t *o)
{
    uint8_t *output = came_back(r, o, "storage", c->output), *texture = came_back(r, o, "textures", c->texture.bytes);
    struct image_answer a = {0};
    char *message = NULL;
    bool ok = !r->digest && image_case_evaluate(c, GP5_SEMANTICS_NVIDIA, &a, &message);
    if (r->digest) {
        printf("%s %016" PRIx64 " %016" PRIx64 "\n", c->name, image_hash(output, c->output),
               c->returns ? image_hash(texture, c->texture.bytes) : 0);
    } else if (!ok) {
        r->not_evaluated++;
        printf("%s: %s\n", c->name, message ? message : "no memory");
    } else {
        image_answer_mask(c, &a, output, texture);
        image_answer_mask(c, &a, a.output, a.texture);
        for (size_t i = 0; i < c->output / 4; i++)
            r->open += a.output_undefined[i] != 0;
        unsigned n = tell(c, "output", output, a.output, c->output);
        if (c->returns)
            n += tell(c, "texture", texture, a.texture, c->texture.bytes);
        r->different += n > 0;
        r->same += n == 0;
    }
    image_answer_free(&a);
    free(message);
    free(output);
    free(texture);
}

static void read_case(void *user, const struct image_case *c)
{
    struct reader *r = user;
    json_t *o = json_loadf(r->lines, JSON_DISABLE_EOF_CHECK, NULL);
    const char *name = json_string_value(json_object_get(o, "name")),
               *status = json_string_value(json_object_get(o, "status"));
    if (!name || !status || strcmp(name, c->name))
        fail("the results are of other cases", name);
    if (!strcmp(status, "ran")) {
        r->ran++;
        judge(r, c, o);
    } else {
        r->rejected += !strcmp(status, "rejected");
        r->failed += strcmp(status, "rejected") != 0;
        if (r->digest)
            printf("%s %s\n", c->name, status);
        else
            printf("%s: %s: %s\n", c->name, status, json_string_value(json_object_get(o, "message")));
    }
    json_decref(o);
}

static int read_results(const char *lines, const char *raw, bool digest)
{
    struct reader r = {.lines = fopen(lines, "r"), .raw = fopen(raw, "rb"), .digest = digest};
    if (!r.lines || !r.raw)
        fail("cannot open the results", NULL);
    image_cases(read_case, &r);
    fprintf(stderr, "%u ran, %u rejected, %u failed; %u same, %u different, %u not evaluated; %u words undefined\n",
            r.ran, r.rejected, r.failed, r.same, r.different, r.not_evaluated, r.open);
    return r.different > 0;
}

static void print_text(void *user, const struct image_case *c)
{
    if (!strcmp(c->name, user))
        fputs(c->program, stdout);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "batch"))
        write_batch(argv[2]);
    else if (argc == 3 && !strcmp(argv[1], "text"))
        image_cases(print_text, argv[2]);
    else if (argc == 4 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "digest")))
        return read_results(argv[2], argv[3], argv[1][0] == 'd');
    else
        fail("usage: images batch DIR | check OUT RAW | digest OUT RAW | text NAME", NULL);
    return 0;
}
