/* Every case of tests/recordings/patterns/questions_cases.txt: what the documents say of a question (Q14), seen in a
 * program or named in a recording. The head of the table says what its lines mean. Each question stands in a document;
 * one that is not among the open ones of docs/semantics.md has a case. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gp5.h"

enum { BLOCKS = 40, BLOCK_TEXT = 4096, LINE = 4096, PROGRAM = 16384, LANES = 32, QUESTIONS = 176 };

static const char table[] = "tests/recordings/patterns/questions_cases.txt";
/* Of the graphics stages. */
static const char *const answers[] = {"tests/unit/eval/test_stage_answers.c", "tests/suites/draw/helpers.shader_test"};
static const char *const pages[] = {"docs/semantics.md", "docs/numbers.md", "docs/language.md"};

/* A text that cases have in common: what a profile's programs begin with. */
struct block { char name[16], text[BLOCK_TEXT]; };

struct run_case { unsigned lane; const char *words, *spec; };

struct cases {
    struct block blocks[BLOCKS];
    size_t nblocks;
    unsigned line, wrong, judged, run, unlike;
    unsigned seen[QUESTIONS + 1];
};

static const char *block(const struct cases *c, const char *name)
{
    for (size_t i = 0; i < c->nblocks; i++)
        if (!strcmp(c->blocks[i].name, name))
            return c->blocks[i].text;
    fail_msg("%s:%u: no block '%s'", table, c->line, name);
    return "";
}

static void wrong(struct cases *c, const char *what, const char *expected, const char *got)
{
    print_message("# %s:%u: %s: expected %s, got %s\n", table, c->line, what, expected, got);
    c->wrong++;
}

/* Appends; with escapes, \n \r \t \\ \xHH stand for their bytes. */
static void append(struct cases *c, char program[PROGRAM], size_t *size, const char *text, bool escapes)
{
    for (; *text; text++) {
        char byte = *text;
        if (escapes && byte == '\\' && text[1]) {
            const char *known = strchr("nrt\\", *++text);
            byte = known ? "\n\r\t\\"[known - "nrt\\"] : '?';
            if (*text == 'x') {
                char digits[3] = {text[1], text[1] ? text[2] : 0, 0};
                assert_true(isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]));
                byte = (char)strtoul(digits, NULL, 16);
                text += 2;
            }
        }
        if (*size + 1 >= PROGRAM)
            fail_msg("%s:%u: the program is too long", table, c->line);
        program[(*size)++] = byte;
    }
    program[*size] = 0;
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static void judge(struct cases *c, const char *profile, char *verdicts, const char *body)
{
    static const char *const names[] = {"nvidia", "spec", "mesa"};
    static const enum gp5_target targets[] = {GP5_TARGET_NVIDIA, GP5_TARGET_SPEC, GP5_TARGET_MESA};
    char program[PROGRAM];
    size_t size = 0, n = 0;
    gp5_program *p;

    if (strcmp(profile, "whole"))
        append(c, program, &size, block(c, profile), false);
    append(c, program, &size, body, true);
    if (strcmp(profile, "whole"))
        append(c, program, &size, "\nEND\n", false);
    p = gp5_parse(program, size);
    assert_non_null(p);
    for (char *word = strtok(verdicts, "/"); word && n < 3; word = strtok(NULL, "/"), n++) {
        const char *got = gp5_valid(p, targets[n]) ? "yes" : "no";
        size_t length = strcspn(word, "~");
        bool same = length == strlen(got) && !strncmp(word, got, length);
        if (word[length])
            c->unlike += !same;
        else if (strcmp(word, "-") && !same)
            wrong(c, names[n], word, got);
    }
    gp5_program_free(p);
    c->judged++;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* What lane `lane` has in R0: four words, or how the run ended. Undefined ones are "?" in spec, and the value in
 * nvidia. */
static void results(const char *program, enum gp5_semantics semantics, unsigned lane, char out[96])
{
    static _Alignas(64) uint8_t data[4096], constants[256];
    static uint32_t undefined[1024];
    struct gp5_run_options options = {
        .semantics = semantics, .jobs = 1, .track_undefined = true, .max_instructions = 100000};
    struct gp5_buffer buffer = {.binding = 0, .data = data, .size = sizeof data, .undefined = undefined},
                      cbuffer = {.binding = 0, .data = constants, .size = sizeof constants};
    struct gp5_launch launch = {
        .groups = {1, 1, 1}, .storage = &buffer, .nstorage = 1, .cbuffers = &cbuffer, .ncbuffers = 1};
    struct gp5_report report = {0};
    char *message = NULL;
    gp5_program *p = gp5_parse(program, strlen(program));
    gp5_executable *e = p ? gp5_prepare(p, &options, &message, &(size_t){0}) : NULL;

    memset(data, 0, sizeof data);
    memset(undefined, 0, sizeof undefined);
    for (size_t i = 0; i < sizeof constants; i++)
        constants[i] = (uint8_t)i;
    snprintf(out, 96, "%s", e ? "stops" : "invalid");
    if (e && gp5_execute(e, &launch, &options, &report) == GP5_RUN_OK) {
        size_t length = 0;
        for (unsigned i = 4 * lane; i < 4 * lane + 4; i++) {
            uint32_t word;
            memcpy(&word, data + 4 * i, 4);
            if (semantics == GP5_SEMANTICS_SPEC && undefined[i])
                length += (size_t)snprintf(out + length, 96 - length, "?,");
            else
                length += (size_t)snprintf(out + length, 96 - length, "%x,", (unsigned)word);
        }
        out[length - 1] = 0;
    }
    if (!e)
        print_message("# %s\n", message ? message : "not prepared");
    gp5_text_free(message);
    gp5_report_free(&report);
    gp5_executable_free(e);
    gp5_program_free(p);
}

static void run(struct cases *c, const struct run_case *what, const char *body)
{
    char program[PROGRAM], before[LINE], got[96];
    const char *at = strchr(body, '@');
    size_t size = 0;

    snprintf(before, sizeof before, "%.*s", at ? (int)(at - body) : (int)strlen(body), body);
    append(c, program, &size, block(c, "declarations"), false);
    append(c, program, &size, at ? "main:\n" : "", false);
    append(c, program, &size, block(c, "first"), false);
    append(c, program, &size, before, true);
    append(c, program, &size, "\n", false);
    append(c, program, &size, block(c, "last"), false);
    append(c, program, &size, at ? "RET;\n" : "", false);
    append(c, program, &size, at ? at + 1 : "", true);
    append(c, program, &size, "\nEND\n", false);
    results(program, GP5_SEMANTICS_NVIDIA, what->lane, got);
    if (strcmp(got, what->words))
        wrong(c, "nvidia", what->words, got);
    results(program, GP5_SEMANTICS_SPEC, what->lane, got);
    if (strcmp(got, what->spec))
        wrong(c, "spec", what->spec, got);
    c->run++;
}

/* A row of a recording, or the recording alone where it is packed (ROW is -). */
static void recorded(struct cases *c, const char *where, const char *row)
{
    char path[128], line[LINE];
    bool found = !strcmp(row, "-");
    FILE *f;

    snprintf(path, sizeof path, "tests/%s", where);
    f = fopen(path, "r");
    if (!f)
        fail_msg("%s:%u: no %s", table, c->line, path);
    while (!found && fgets(line, sizeof line, f))
        found = !strncmp(line, row, strlen(row));
    fclose(f);
    if (!found)
        wrong(c, path, row, "no such row");
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void one(struct cases *c, char *line)
{
    char *body = strstr(line, ": "), kind[8], where[64], expected[128], *slash;
    unsigned question;

    assert_non_null(body);
    *body = 0;
    if (sscanf(line, "%u %7s %63s %127s", &question, kind, where, expected) != 4 || !question || question > QUESTIONS)
        fail_msg("%s:%u: not a case", table, c->line);
    c->seen[question]++;
    if (!strcmp(kind, "load")) {
        judge(c, where, expected, body + 2);
        return;
    }
    if (!strcmp(kind, "see")) {
        recorded(c, where, expected);
        return;
    }
    assert_string_equal(kind, "run");
    slash = strchr(expected, '/');
    if (slash)
        *slash = 0;
    run(c, &(struct run_case){(unsigned)strtoul(where, NULL, 10) % LANES, expected, slash ? slash + 1 : expected},
        body + 2);
}

static void cases_hold(void **state)
{
    struct cases *c = *state;
    FILE *f = fopen(table, "r");
    struct block *b = NULL;
    char line[LINE];

    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        c->line++;
        if (line[0] == '=') {
            assert_true(c->nblocks < BLOCKS);
            line[strcspn(line, "\n")] = 0;
            b = line[1] ? &c->blocks[c->nblocks++] : NULL;
            if (b)
                snprintf(b->name, sizeof b->name, "%.15s", line + 1);
        } else if (b) {
            assert_true(strlen(b->text) + strlen(line) < sizeof b->text);
            strcat(b->text, line);
        } else if (line[0] != '#' && line[0] != '\n') {
            line[strcspn(line, "\n")] = 0;
            one(c, line);
        }
    }
    fclose(f);
    print_message("# %u programs judged, %u run; %u verdicts are the driver's and not the checker's yet\n", c->judged,
                  c->run, c->unlike);
    assert_int_equal(c->wrong, 0);
}

/* The questions that a line names: Q and a number. */
static void named(const char *line, bool of[QUESTIONS + 1])
{
    for (const char *at = line; (at = strchr(at, 'Q')); at++) {
        unsigned question = isdigit((unsigned char)at[1]) && (at == line || !isalnum((unsigned char)at[-1]))
                                ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
        if (question && question <= QUESTIONS)
            of[question] = true;
    }
}

static void documented(void **state)
{
    struct cases *c = *state;
    static bool told[QUESTIONS + 1], open[QUESTIONS + 1], answered[QUESTIONS + 1];
    char line[LINE];
    unsigned wanting = 0, nopen = 0, sections = 0;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        FILE *f = fopen(pages[i], "r");
        bool rows = false;
        assert_non_null(f);
        while (fgets(line, sizeof line, f)) {
            if (!strncmp(line, "## ", 3))
                sections += rows = !strcmp(line, "## Open questions\n");
            named(line, rows && line[0] == '|' ? open : told);
        }
        fclose(f);
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        FILE *f = fopen(answers[i], "r");
        assert_non_null(f);
        while (fgets(line, sizeof line, f))
            named(line, answered);
        fclose(f);
    }
    for (unsigned q = 1; q <= QUESTIONS; q++) {
        nopen += open[q];
        if ((told[q] || open[q]) && (open[q] || c->seen[q] || answered[q]))
            continue;
        print_message("# question %u %s\n", q, told[q] ? "has no case" : "is in no document");
        wanting++;
    }
    assert_int_equal(sections, 1);
    assert_in_range(nopen, 0, QUESTIONS / 4);
    assert_int_equal(wanting, 0);
}

int main(void)
{
    static struct cases cases;
    const struct CMUnitTest tests[] = {
        {"cases hold", cases_hold, NULL, NULL, &cases},
        {"every question is documented", documented, NULL, NULL, &cases},
    };

    return cmocka_run_group_tests_name("questions", tests, NULL, NULL);
}
