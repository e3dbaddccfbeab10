/* Programs with the words that a driver gave, from standard input: JSON lines (tests/recordings/README.md, "Words").
 * Where a line says "unlike" the evaluator is known to give other words, and must. Prints TAP; with --mark the lines
 * again, "unlike" where it is so; with --list a line a program, "equal NAME" or "unlike NAME". --model=WORD switches
 * passes of the driver's compiler off, as that of gp5 run. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gp5.h"
#include "tests/tools/hex.h"

enum { BUFFERS = 4, PARAMETERS = 8, TOLD = 10 };

struct buffers {
    size_t n;
    uint32_t binding[BUFFERS];
    uint8_t *data[BUFFERS];
    size_t size[BUFFERS];
    uint32_t *open[BUFFERS];
};

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "replay_words: %s\n", what);
    exit(2);
}

static void from_hex(const json_t *v, uint8_t *to, size_t size)
{
    const char *hex = json_string_value(v);
    if (!hex || json_string_length(v) != 2 * size)
        die("data of another size");
    if (!hex_bytes(hex, size, to))
        die("no hex digit");
}

/* Buffers of a list: {"binding", "hex"} or {"binding", "zero"}. */
static void get_buffers(const json_t *list, struct buffers *b)
{
    b->n = json_array_size(list);
    if (b->n > BUFFERS)
        die("too many buffers");
    for (size_t i = 0; i < b->n; i++) {
        const json_t *o = json_array_get(list, i), *hex = json_object_get(o, "hex");
        b->binding[i] = (uint32_t)json_integer_value(json_object_get(o, "binding"));
        b->size[i] = hex ? json_string_length(hex) / 2 : (size_t)json_integer_value(json_object_get(o, "zero"));
        b->data[i] = aligned_alloc(16, (b->size[i] + 31) & ~(size_t)15);
        b->open[i] = calloc(b->size[i] / 4 + 1, sizeof *b->open[i]);
        if (!b->data[i] || !b->open[i])
            die("no memory");
        memset(b->data[i], 0, b->size[i]);
        if (hex)
            from_hex(hex, b->data[i], b->size[i]);
    }
}

static void free_buffers(struct buffers *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->data[i]);
        free(b->open[i]);
    }
}

static size_t get_local(const json_t *list, struct gp5_parameter local[PARAMETERS])
{
    size_t n = json_array_size(list);
    if (n > PARAMETERS)
        die("too many parameters");
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        local[i].index = (uint32_t)json_integer_value(json_object_get(o, "index"));
        from_hex(json_object_get(o, "hex"), (uint8_t *)local[i].word, 16);
    }
    return n;
}

/* False where it is not evaluated. */
static bool run(const gp5_program *p, const char *model, const uint32_t groups[3], struct buffers *storage,
                struct buffers *constants, const struct gp5_parameter *local, size_t nlocal)
{
    struct gp5_run_options options = {.model = model, .track_undefined = true, .jobs = 1};
    struct gp5_buffer to[BUFFERS], from[BUFFERS];
    struct gp5_report report = {0};
    char *message = NULL;
    size_t offset = 0;
    gp5_executable *x = gp5_prepare(p, &options, &message, &offset);
    bool ran = false;
    gp5_text_free(message);
    if (!x)
        return false;
    for (size_t i = 0; i < storage->n; i++)
        to[i] = (struct gp5_buffer){.binding = storage->binding[i],
                                    .data = storage->data[i],
                                    .size = storage->size[i],
                                    .undefined = storage->open[i]};
    for (size_t i = 0; i < constants->n; i++)
        from[i] = (struct gp5_buffer){
            .binding = constants->binding[i], .data = constants->data[i], .size = constants->size[i]};
    struct gp5_launch launch = {.groups = {groups[0], groups[1], groups[2]},
                                .storage = to,
                                .nstorage = storage->n,
                                .cbuffers = from,
                                .ncbuffers = constants->n,
                                .local = local,
                                .nlocal = nlocal};
    ran = gp5_execute(x, &launch, &options, &report) == GP5_RUN_OK;
    gp5_report_free(&report);
    gp5_executable_free(x);
    return ran;
}

/* Whether all words are the driver's that are defined. */
static bool as_recorded(const struct buffers *storage, const json_t *answer)
{
    for (size_t k = 0; k < json_array_size(answer); k++) {
        const json_t *o = json_array_get(answer, k);
        for (size_t i = 0; i < storage->n; i++) {
            if (storage->binding[i] != (uint32_t)json_integer_value(json_object_get(o, "binding")))
                continue;
            uint8_t *words = calloc(storage->size[i] + 1, 1);
            bool same = true;
            if (!words)
                die("no memory");
            from_hex(json_object_get(o, "hex"), words, storage->size[i]);
            for (size_t w = 0; w < storage->size[i] / 4; w++)
                same &= storage->open[i][w] || !memcmp(words + 4 * w, storage->data[i] + 4 * w, 4);
            free(words);
            if (!same)
                return false;
        }
    }
    return true;
}

struct tally {
    unsigned cases, unlike, wrong;
    bool marks, list;
    const char *model;
};

static void mark(json_t *o, const char *name, bool so)
{
    if (so)
        json_object_set_new(o, name, json_true());
    else
        json_object_del(o, name);
}

static void judge(json_t *o, const json_t *inputs, struct tally *t)
{
    const char *text = json_string_value(json_object_get(o, "program")),
               *name = json_string_value(json_object_get(o, "case"));
    const json_t *answer = json_object_get(o, "answer"),
                 *from = json_object_get(inputs, json_string_value(json_object_get(o, "inputs")));
    bool unlike = json_is_true(json_object_get(o, "unlike")), same;
    struct gp5_parameter local[PARAMETERS] = {{0}};
    struct buffers storage, constants;
    uint32_t groups[3];
    gp5_program *p = text ? gp5_parse(text, strlen(text)) : NULL;
    if (!p || !name || !from)
        die("no case");
    size_t nlocal = get_local(json_object_get(from, "local"), local);
    for (size_t i = 0; i < 3; i++)
        groups[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(from, "groups"), i));
    get_buffers(json_object_get(from, "storage"), &storage);
    get_buffers(json_object_get(from, "constants"), &constants);
    same = run(p, t->model, groups, &storage, &constants, local, nlocal) && as_recorded(&storage, answer);
    free_buffers(&constants);
    free_buffers(&storage);
    t->cases++;
    t->unlike += unlike;
    if (t->marks)
        mark(o, "unlike", !same);
    if (t->list)
        printf("%s %s\n", same ? "equal" : "unlike", name);
    if (!t->marks && !t->list && same == unlike) {
        printf("# %s: %s\n", name, unlike ? "is the driver's now" : "is not the driver's");
        t->wrong++;
    }
    gp5_program_free(p);
}

int main(int argc, char **argv)
{
    json_t *inputs = json_object();
    struct tally t = {0};
    char *line = NULL;
    size_t capacity = 0;
    for (int i = 1; i < argc; i++) {
        t.marks |= !strcmp(argv[i], "--mark");
        t.list |= !strcmp(argv[i], "--list");
        t.model = strncmp(argv[i], "--model=", 8) ? t.model : argv[i] + 8;
    }
    while (getline(&line, &capacity, stdin) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        const char *name = json_string_value(json_object_get(o, "inputs"));
        if (!json_is_object(o))
            die("a line is an object");
        if (json_object_get(o, "case"))
            judge(o, inputs, &t);
        else if (name)
            json_object_set(inputs, name, o);
        if (t.marks && json_dumpf(o, stdout, JSON_COMPACT) == 0)
            putchar('\n');
        json_decref(o);
    }
    free(line);
    json_decref(inputs);
    if (t.marks || t.list)
        return 0;
    printf("# %u programs, %u known to differ\n", t.cases, t.unlike);
    printf("%s 1 - the evaluator gives what was recorded\n1..1\n", t.cases && !t.wrong ? "ok" : "not ok");
    return t.wrong || !t.cases;
}
