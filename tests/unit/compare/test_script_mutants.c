/* cost: 12
 * Test scripts with something gone wrong: a word, a number, a line or a byte. Each is read and, where it can still be,
 * run by the reference; it comes to an end, and whatever refuses it names a line of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <glob.h>

#include "asm/diag.h"
#include "compare/world/test.h"
#include "tests/unit/sample.h"

enum { MUTANTS = 10000, EVERY = 11, LARGEST = 1 << 16, MOST_COMMANDS = 400 };

static uint64_t state;

static uint32_t chance(uint32_t below)
{
    return (uint32_t)(data_random(state++, 7) >> 33) % below;
}

struct text {
    char bytes[LARGEST];
    size_t size;
};

/* ---- mutations --------------------------------------------------------------------------------------------- */

static void replace(struct text *t, size_t at, size_t drop, const char *with)
{
    size_t n = strlen(with);
    if (t->size - drop + n > LARGEST)
        return;
    memmove(t->bytes + at + n, t->bytes + at + drop, t->size - at - drop);
    memcpy(t->bytes + at, with, n);
    t->size += n - drop;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == ',' || c == ';' || c == '(' || c == ')';
}

/* A word somewhere: from *at on. */
static size_t word(const struct text *t, size_t *at)
{
    size_t end;
    *at = chance((uint32_t)t->size);
    while (*at < t->size && is_blank(t->bytes[*at]))
        ++*at;
    while (*at && !is_blank(t->bytes[*at - 1]))
        --*at;
    for (end = *at; end < t->size && !is_blank(t->bytes[end]); end++)
        ;
    return end - *at;
}

static size_t line(const struct text *t, size_t *at)
{
    size_t end;
    *at = chance((uint32_t)t->size);
    while (*at && t->bytes[*at - 1] != '\n')
        --*at;
    for (end = *at; end < t->size && t->bytes[end] != '\n'; end++)
        ;
    return end - *at + (end < t->size);
}

static void mutate(struct text *t, const struct text *other)
{
    static const char *const words[] = {
        "-1", "0", "1", "2", "255", "65536", "4294967295", "1e30", "inf", "nan", "0x7f800001", "(", "all", "draw",
        "probe", "GL_PATCHES", "GL_LINE_LOOP", "GL_TRIANGLE_STRIP_ADJACENCY", "[test]", "[vertex data]", "END",
        "vertex.color/float/4",
        "enable GL_CLIP_PLANE7\n", "draw arrays GL_QUADS 0 7\n", "provoking vertex first\n", "[geometry program]\n",
        "fb ms GL_RGBA8 9 7 4\n", "fb tex layered 0\n", "fb tex 2d 0 -1 1\n", "fb tex slice 2D 0 1 0\n", "fb winsys\n",
        "fb draw winsys\nblit color linear\n", "read sample 3\n", "read layer 1\n", "viewport indexed 1 -3 2 7.5 4\n",
        "depthfunc GL_EQUAL\n", "patch parameter vertices 1\n", "clear\n", "texture miptree 0\n", "SIZE 3 5\n",
    };
    char copy[512] = "", byte[2] = { (char)(1 + chance(255)), 0 };
    size_t at, n, from;

    switch (chance(8)) {
    case 0: n = word(t, &at); replace(t, at, n, ""); break;
    case 1: n = word(t, &at); replace(t, at, n, words[chance(sizeof words / sizeof *words)]); break;
    case 2: word(t, &at); replace(t, at, 0, words[chance(sizeof words / sizeof *words)]); break;
    case 3: n = line(t, &at); replace(t, at, n, ""); break;
    case 4: case 5:
        n = line(other, &from);
        memcpy(copy, other->bytes + from, n < sizeof copy - 1 ? n : 0);
        line(t, &at);
        replace(t, at, 0, copy);
        break;
    case 6: replace(t, chance((uint32_t)t->size), 1, byte); break;
    default: t->size = chance((uint32_t)t->size) + 1; break;
    }
    if (!t->size)
        replace(t, 0, 0, "\n");
}

/* ---- what becomes of one ------------------------------------------------------------------------------------ */

static bool go_on(void *user, uint64_t done, uint64_t commands)
{
    (void)user;
    (void)commands;
    return done < MOST_COMMANDS;
}

/* Numbers gone wrong make work without end, which is not what is asked here. */
static bool is_small(const struct script *s)
{
    uint64_t work = (uint64_t)s->width * s->height > 250 * 250 ? UINT64_MAX / 2 : 0;
    for (size_t i = 0; i < s->ops.count; i++) {
        const struct op *op = vec_at((struct vec *)&s->ops, i);
        const struct op_dispatch *d = &op->u.dispatch;
        if (op->kind == OP_COMPUTE)
            work += (uint64_t)d->groups[0] * d->groups[1] * d->groups[2] * (d->group_size[0] ? d->group_size[0] : 1) *
                    (d->group_size[1] ? d->group_size[1] : 1) * (d->group_size[2] ? d->group_size[2] : 1);
        if (op->kind == OP_DRAW)
            work += 1 + 100 * (uint64_t)op->u.draw.instances;
        if (op->kind == OP_BUFFER)
            work += op->u.buffer.data.size / 1024;
        if (op->kind == OP_TEXTURE)
            work += op->u.texture.texture.bytes / 256;
        if (op->kind == OP_FRAMEBUFFER)
            work += 1 + (uint64_t)op->u.framebuffer.width * op->u.framebuffer.height * op->u.framebuffer.samples / 256;
        if (op->kind == OP_PROBE_PIXELS || op->kind == OP_BLIT)
            work += 1;
    }
    return work < 3000;
}

static void run(const struct script *s, const struct script_program *program)
{
    static const struct source none = { .kind = SOURCE_NONE };
    struct test_options options = { .source = &none, .go_on = go_on,
                                    .run = { .track_undefined = true, .jobs = 1, .max_instructions = 20000 } };
    struct test_result r;

    test_run(s, program, &options, &r);
    if (r.status == TEST_ERROR && strncmp(r.message, "line ", 5))
        fail_msg("%s\nan error without a line: %s", s->text, r.message);
    if (r.status == TEST_SKIPPED && !r.interrupted && strncmp(r.message, "line ", 5) &&
        strncmp(r.message, "nothing to check", 16) && r.message != r.not_compared_reason)
        fail_msg("%s\na command that is skipped without a line: %s", s->text, r.message);
    for (size_t i = 0; i < r.findings.count; i++)
        if (!((struct finding *)vec_at(&r.findings, i))->line)
            fail_msg("%s\na finding without a line", s->text);
    test_result_free(&r);
}

static void judge(const struct text *t, uint64_t counts[4])
{
    struct script s;

    script_parse(&s, "tests/suites/draw/mutant.shader_test", t->bytes, t->size);
    counts[s.status]++;
    if (s.status != SCRIPT_OK) {
        assert_true(s.status == SCRIPT_SKIP || s.status == SCRIPT_ERROR);
        assert_non_null(s.message);
        assert_true(s.offset <= s.size && diag_locate(s.text, s.size, s.offset).line);
    } else if (is_small(&s)) {
        for (size_t i = 0; i < s.programs.count; i++)
            run(&s, vec_at(&s.programs, i));
    }
    script_free(&s);
}

static void read_text(const char *path, struct text *t)
{
    const char *error = NULL;
    char *bytes = data_read_file(path, LARGEST, &t->size, &error);
    if (!bytes)
        fail_msg("%s: %s", path, error);
    memcpy(t->bytes, bytes, t->size);
    gp5_free(bytes);
}

static void test_mutants(void **unused)
{
    static struct text script, other;
    uint64_t counts[4] = { 0 };
    glob_t found;
    (void)unused;
    assert_int_equal(glob("tests/suites/*/*.shader_test", 0, NULL, &found), 0);
    glob("tests/suites/draw/*.vpfp", GLOB_APPEND, NULL, &found);
    glob("examples/*.shader_test", GLOB_APPEND, NULL, &found);
    assert_true(found.gl_pathc > 40);
    for (size_t i = 0; i < MUTANTS; i += sample_step(EVERY)) {
        state = i << 16;
        read_text(found.gl_pathv[chance((uint32_t)found.gl_pathc)], &script);
        read_text(found.gl_pathv[chance((uint32_t)found.gl_pathc)], &other);
        for (uint32_t n = 1 + chance(4); n; n--)
            mutate(&script, &other);
        judge(&script, counts);
    }
    read_text(found.gl_pathv[0], &script);      /* one that is skipped for certain */
    memcpy(script.bytes + script.size, "\nhint\n", 6);
    script.size += 6;
    judge(&script, counts);
    globfree(&found);
    assert_true(counts[SCRIPT_OK] && counts[SCRIPT_SKIP] && counts[SCRIPT_ERROR]);
    print_message("# %llu run, %llu skipped, %llu refused\n", (unsigned long long)counts[SCRIPT_OK],
                  (unsigned long long)counts[SCRIPT_SKIP], (unsigned long long)counts[SCRIPT_ERROR]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_mutants) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
