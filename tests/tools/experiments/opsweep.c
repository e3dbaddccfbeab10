/* Writes the programs of tests/tools/opsweep.h for the batch runner, or the digests of what it brought back.
 *
 *     cc -std=c11 -I. -o build/opsweep tests/tools/experiments/opsweep.c tests/tools/opsweep*.c tests/tools/operands.c
 * \ -ljansson build/opsweep programs DIR        DIR/in_SET.bin, DIR/ops0.jsonl ... ops5.jsonl: one line a program
 *     build/opsweep digest OUT RAW ...  from the runner's lines and raw results, tests/recordings/ops.txt */
#include "tests/tools/opsweep.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what)
{
    fprintf(stderr, "opsweep: %s\n", what);
    exit(2);
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, mode);
    if (f == NULL)
        fail("cannot open a file");
    return f;
}

static void write_case(void *user, const struct opsweep_case *c)
{
    FILE *batch = user;
    fprintf(batch,
            "{\"name\":\"%s\",\"stage\":\"compute\",\"groups\":[%u,1,1],\"storage\":[{\"binding\":0,\"file\":"
            "\"in_%s.bin\"},{\"binding\":1,\"zero\":%u,\"return\":true}],\"program\":\"", c->name, c->groups,
            operand_sets[c->set].name, c->bytes);
    for (size_t i = 0; i < c->size; i++) {
        if (c->program[i] == '\n')
            fputs("\\n", batch);
        else
            fputc(c->program[i], batch);
    }
    fputs("\"}\n", batch);
}

static void write_programs(const char *folder)
{
    static const char *const names[] = {"ops0.jsonl", "ops1.jsonl", "ops2.jsonl", "ops3.jsonl", "ops4.jsonl",
     "ops5.jsonl"};
    for (unsigned s = 0; s < SET_COUNT; s++) {
        char name[64];
        uint8_t *data = malloc((size_t)operand_sets[s].lanes * OPERAND_RECORD);
        if (data == NULL)
            fail("out of memory");
        operand_set_fill((enum operand_set)s, data);
        snprintf(name, sizeof name, "in_%s.bin", operand_sets[s].name);
        FILE *f = open_in(folder, name, "wb");
        if (fwrite(data, OPERAND_RECORD, operand_sets[s].lanes, f) != operand_sets[s].lanes || fclose(f) != 0)
            fail("cannot write an operand set");
        free(data);
    }
    for (unsigned part = 0; part < OPSWEEP_PARTS; part++) {
        FILE *f = open_in(folder, names[part], "w");
        opsweep((enum opsweep_part)part, write_case, f);
        if (fclose(f) != 0)
            fail("cannot write a batch");
    }
}

static uint64_t digest(FILE *raw, const char *name, long offset, long size)
{
    uint8_t *data = malloc((size_t)size + 1);
    if (data == NULL || fseek(raw, offset, SEEK_SET) != 0 || fread(data, 1, (size_t)size, raw) != (size_t)size)
        fail("cannot read the results");
    uint64_t hash = opsweep_digest(name, data, (size_t)size);
    free(data);
    return hash;
}

static void write_digests(const char *lines, const char *results)
{
    char line[1 << 16];
    FILE *out = fopen(lines, "r"), *raw = fopen(results, "rb");
    if (out == NULL || raw == NULL)
        fail("cannot open the results");
    while (fgets(line, sizeof line, out) != NULL) {
        json_t *j = json_loads(line, 0, NULL);
        const char *name = json_string_value(json_object_get(j, "name")),
            *status = json_string_value(json_object_get(j, "status"));
        if (name == NULL || status == NULL)
            fail("a line of results without name and status");
        if (strcmp(status, "ran") == 0) {
            json_t *s = json_array_get(json_object_get(j, "storage"), 0);
            printf("%s\tran\t%016" PRIx64 "\n", name,
                   digest(raw, name, (long)json_integer_value(json_object_get(s, "offset")),
                          (long)json_integer_value(json_object_get(s, "size"))));
        } else {
            printf("%s\t%s\t-\n", name, status);
        }
        json_decref(j);
    }
    fclose(raw);
    fclose(out);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "programs") == 0) {
        write_programs(argv[2]);
    } else if (argc >= 4 && argc % 2 == 0 && strcmp(argv[1], "digest") == 0) {
        for (int i = 2; i < argc; i += 2)
            write_digests(argv[i], argv[i + 1]);
    } else {
        fail("usage: opsweep programs DIR | digest OUT RAW ...");
    }
    return 0;
}
