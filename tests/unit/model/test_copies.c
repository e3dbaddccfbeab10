/* The programs of tests/recordings/patterns/copies.txt and products.txt leave what they left on a driver, but for
 * those that are known to differ; and those differ still. Every 5th of them, all with LONG=1.
 * cost: 6 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/fuzz/whole_run.h"
#include "tests/tools/packed.h"
#include "tests/unit/sample.h"

enum { LINE = 4096, PROGRAM = 16384, STEP = 5 };

/* Statements of a line, one below the other, up to the next part; returns what is behind. */
static const char *put_statements(const char *from, char *to, size_t size)
{
    size_t n = strcspn(from, "@\n"), at = strlen(to);

    assert_true(at + 2 * n + 8 < size);
    for (size_t i = 0; i < n; i++) {
        to[at++] = from[i];
        if (from[i] == ';') {
            to[at++] = '\n';
            i += from[i + 1] == ' ';
        }
    }
    to[at] = 0;
    return from + n;
}

/* The text that whole_around() made, with other subroutines. */
static void put_subroutines(struct whole_case *c, const char *parts)
{
    static char text[PROGRAM];
    char *at;

    assert_true(c->program.size + 64 < sizeof text);
    memcpy(text, c->program.bytes, c->program.size);
    text[c->program.size] = 0;
    at = strstr(text, "RET;\nsub1:");
    assert_non_null(at);
    at[5] = 0;
    for (int i = 1; i <= 3; i++) {
        char name[24];
        const char *part;
        snprintf(name, sizeof name, "@sub%d ", i);
        part = strstr(parts, name);
        snprintf(text + strlen(text), sizeof text - strlen(text), "sub%d:\n", i);
        if (part)
            put_statements(part + 6, text, sizeof text);
        assert_true(strlen(text) + 16 < sizeof text);
        strcat(text, "RET;\n");
    }
    strcat(text, "END\n");
    fuzz_text_free(&c->program);
    memset(&c->program, 0, sizeof c->program);
    fuzz_text_add(&c->program, text, strlen(text));
    assert_false(c->program.failed);
}

/* Undefined words as zeros. */
static uint64_t hash_of(const uint8_t *bytes, const uint8_t *open, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, sizeof word);
        word = open[i / 4] ? 0 : word;
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

struct tally { unsigned rows, programs, known, wrong; };

static void run_line(const char *line, uint64_t recorded, struct tally *t)
{
    char statements[LINE] = "";
    struct whole_case c;
    struct whole_answer a = {0};
    const char *body = strstr(line, ": "), *behind;
    bool differs = strstr(line, " differs: ") != NULL, alike;

    if (!body)
        fail_msg("no ':' stands before the statements: %s", line);
    behind = put_statements(body + 2, statements, sizeof statements);
    assert_true(whole_around(1, statements, &c));
    c.groups[0] = 1;
    put_subroutines(&c, behind);
    assert_true(whole_evaluate(&c, GP5_SEMANTICS_NVIDIA, &a));
    if (a.status != WHOLE_RAN)
        fail_msg("%.60s: %s", line, a.why);
    alike = hash_of(a.data[1], a.open[1], 48 * 256) == recorded;
    t->programs++;
    t->known += differs;
    if (alike == differs) {
        t->wrong++;
        printf("# %.60s%s\n", line, alike ? " is no longer otherwise" : " is otherwise");
    }
    whole_answer_free(&a);
    whole_free(&c);
}

static void run_file(const char *path, unsigned least)
{
    static char line[LINE];
    struct tally t = {0};
    FILE *f = packed_open(path);

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        unsigned long long hash;
        if (line[0] == '#')
            continue;
        assert_non_null(strchr(line, '\n'));
        assert_int_equal(sscanf(line, "%*s %llx", &hash), 1);
        if (sampled(t.rows++, STEP))
            run_line(line, hash, &t);
    }
    fclose(f);
    printf("# %u programs, of which %u are known to differ\n", t.programs, t.known);
    assert_int_equal(t.wrong, 0);
    assert_true(t.rows >= least && t.programs >= t.rows / sample_step(STEP));
}

static void copies(void **state)
{
    (void)state;
    run_file("tests/recordings/patterns/copies.txt", 5200);
}

static void products(void **state)
{
    (void)state;
    run_file("tests/recordings/patterns/products.txt", 1200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(products)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
