/* Where a diagnostic points, and how it looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/diag.h"

/* ---- places ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    uint32_t offset, line, column;
} places[] = {
    {"", 0, 1, 1},
    {"", 5, 1, 1},              /* beyond the end counts as the end */
    {"abc", 0, 1, 1},
    {"abc", 3, 1, 4},
    {"a\nb", 1, 1, 2},          /* the line end belongs to its line */
    {"a\nb", 2, 2, 1},
    {"a\n", 2, 2, 1},
    {"a\rb", 1, 1, 2},
    {"a\rb", 2, 2, 1},
    {"a\r", 2, 2, 1},
    {"a\r\nb", 1, 1, 2},
    {"a\r\nb", 2, 1, 3},        /* between CR and LF the line has not ended */
    {"a\r\nb", 3, 2, 1},
    {"a\r\n", 3, 2, 1},
    {"\n\n\n", 3, 4, 1},
    {"\r\r\r", 3, 4, 1},
    {"\r\n\r\n", 4, 3, 1},
    {"\n\r", 1, 2, 1},          /* LF CR is two ends */
    {"\n\r", 2, 3, 1},
    {"\r\r\n\n", 2, 2, 2},
    {"\r\r\n\n", 3, 3, 1},
    {"\r\r\n\n", 4, 4, 1},
    {"x\tyz", 3, 1, 4},         /* a column is a byte */
};

static void places_follow_every_line_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct place p = diag_locate(places[i].text, strlen(places[i].text), places[i].offset);
        if (p.line != places[i].line || p.column != places[i].column)
            fail_msg("row %zu: %u:%u instead of %u:%u", i, p.line, p.column, places[i].line, places[i].column);
    }
}

/* In any order of asking the locator says what a search from the start says. */
static void the_locator_agrees_with_a_fresh_search(void **state)
{
    (void)state;
    static const char letters[] = "ab\n\r";
    char text[200];
    uint32_t random = 1;
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = letters[random >> 30];
        }
        struct locator l = {.text = text, .size = sizeof text};
        for (int i = 0; i < 100; i++) {
            random = random * 1664525 + 1013904223;
            uint32_t offset = (random >> 8) % (sizeof text + 1);
            struct place fresh = diag_locate(text, sizeof text, offset);
            struct place next = diag_locate_next(&l, offset);
            assert_int_equal(next.line, fresh.line);
            assert_int_equal(next.column, fresh.column);
        }
    }
}

/* ---- print ------------------------------------------------------------------------------------------------------ */

static char *printed(bool colour, const char *text, size_t size, const struct diag *diag)
{
    char *out = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&out, &length);
    assert_non_null(f);
    diag_print(f, colour, "a.cp", text, size, diag);
    fclose(f);
    return out;
}

static const struct {
    const char *text;
    struct span span;
    const char *message, *hint, *expected;
} prints[] = {
    {"ADD R0, R1;\n", {8, 2}, "bad", NULL,
     "a.cp:1:9: error: bad\n"
     "  ADD R0, R1;\n"
     "          ^~\n"},
    {"one\r\ntwo\r\n", {5, 3}, "bad", "try three",
     "a.cp:2:1: error: bad\n"
     "  two\n"
     "  ^~~\n"
     "  hint: try three\n"},
    {"\tMOV\x01\xc3\xa9;", {4, 1}, "bad", NULL,
     "a.cp:1:5: error: bad\n"
     "   MOV...;\n"
     "      ^\n"},
    {"abc\ndef\n", {1, 100}, "runs over the line", NULL,
     "a.cp:1:2: error: runs over the line\n"
     "  abc\n"
     "   ^~\n"},
    {"abc\n", {3, 1}, "at the line end", NULL,
     "a.cp:1:4: error: at the line end\n"
     "  abc\n"
     "     ^\n"},
    {"abc\r\nx", {4, 1}, "between CR and LF", NULL,
     "a.cp:1:5: error: between CR and LF\n"
     "  abc\n"
     "     ^\n"},
    {"abc\n", {4, 0}, "at the end", NULL,
     "a.cp:2:1: error: at the end\n"
     "  \n"
     "  ^\n"},
    {"", {0, 0}, "empty", NULL,
     "a.cp:1:1: error: empty\n"
     "  \n"
     "  ^\n"},
    {"abc", {4000000000u, 4000000000u}, "beyond", NULL,
     "a.cp:1:4: error: beyond\n"
     "  abc\n"
     "     ^\n"},
    {"x", {0, 1}, "q\x1b[31m\xff", "h\n",
     "a.cp:1:1: error: q.[31m.\n"
     "  x\n"
     "  ^\n"
     "  hint: h.\n"},
};

static void prints_line_caret_and_hint(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) {
        struct diags d;
        diags_init(&d);
        struct diag *diag = diag_add(&d, DIAG_ERROR, FOR_ALL, prints[i].span, "%s", prints[i].message);
        if (prints[i].hint)
            diag_hint(diag, "%s", prints[i].hint);
        char *out = printed(false, prints[i].text, strlen(prints[i].text), diag);
        assert_string_equal(out, prints[i].expected);
        free(out);
        diags_free(&d);
    }
}

/* The caret stands under the right byte wherever in a long line it is, and no line is longer than the window. */
static void long_lines_are_cut_around_the_caret(void **state)
{
    (void)state;
    char text[1001];
    for (size_t i = 0; i < 1000; i++)
        text[i] = (char)('!' + i % 90);
    text[1000] = 0;
    for (uint32_t offset = 0; offset <= 1000; offset++) {
        struct diag diag = {.severity = DIAG_WARNING, .targets = FOR_ALL, .span = {offset, 300}, .position = offset,
                            .message = "m"};
        char *out = printed(false, text, 1000, &diag);
        char *line = strchr(out, '\n') + 1, *caret_line = strchr(line, '\n') + 1;
        size_t caret = strcspn(caret_line, "^"), width = (size_t)(caret_line - line) - 1;
        assert_in_range(width, 100, 108);
        if (offset < 1000)
            assert_int_equal(line[caret], text[offset]);
        assert_true(strcspn(caret_line, "\n") <= width + 1);
        assert_int_equal(memcmp(line, "  ...", 5) == 0, offset > 40);
        free(out);
    }
}

static void colour_only_when_asked(void **state)
{
    (void)state;
    struct diag diag = {.severity = DIAG_NOTE, .targets = FOR_ALL, .span = {0, 1}, .message = "m"};
    char *plain = printed(false, "x", 1, &diag), *coloured = printed(true, "x", 1, &diag);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strstr(coloured, "\033[1;36mnote:\033[0m m"));
    free(plain);
    free(coloured);
}

static void prints_those_of_the_target(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d);
    diag_add(&d, DIAG_ERROR, FOR_MESA, (struct span){0, 1}, "only there");
    diag_add(&d, DIAG_ERROR, FOR_NVIDIA | FOR_SPEC, (struct span){2, 1}, "here");
    char *out = NULL;
    size_t length;
    FILE *f = open_memstream(&out, &length);
    diags_print(f, false, "f", "a\nb", 3, &d, FOR_SPEC);
    fclose(f);
    assert_string_equal(out, "f:2:1: error: here\n  b\n  ^\n");
    free(out);
    diags_free(&d);
}

/* ---- the list ------------------------------------------------------------------------------------------------- */

static void position_is_the_first_error_of_the_target(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d);
    assert_true(diags_position(&d, FOR_ALL) == -1);
    diag_add(&d, DIAG_WARNING, FOR_ALL, (struct span){1, 1}, "a warning is no error");
    assert_true(diags_position(&d, FOR_ALL) == -1);
    diag_add(&d, DIAG_ERROR, FOR_NVIDIA, (struct span){50, 1}, "later");
    diag_add(&d, DIAG_ERROR, FOR_NVIDIA, (struct span){20, 1}, "first")->position = 30;
    diag_add(&d, DIAG_ERROR, FOR_MESA | FOR_SPEC, (struct span){10, 1}, "elsewhere");
    assert_true(diags_position(&d, FOR_NVIDIA) == 30);
    assert_true(diags_position(&d, FOR_MESA) == 10);
    assert_true(diags_position(&d, FOR_ALL) == 10);
    assert_int_equal(d.errors, 3);
    diags_free(&d);
}

static void sorting_is_stable(void **state)
{
    (void)state;
    struct diags d;
    uint32_t random = 7;
    for (size_t count = 0; count < 70; count++) {
        diags_init(&d);
        d.limit = 1000;
        for (size_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            diag_add(&d, DIAG_ERROR, FOR_ALL, (struct span){(random >> 16) % 9, (uint32_t)i}, "m");
        }
        diags_sort(&d);
        assert_int_equal(d.count, count);
        for (size_t i = 1; i < count; i++) {
            const struct diag *a = &d.list[i - 1], *b = &d.list[i];
            assert_true(a->position < b->position ||
                        (a->position == b->position && a->span.length < b->span.length));
        }
        diags_free(&d);
    }
}

static void the_limit_holds_for_each_target(void **state)
{
    (void)state;
    struct diags d;
    diags_init(&d);
    d.limit = 3;
    for (uint32_t i = 0; i < 100; i++)
        diag_add(&d, DIAG_ERROR, FOR_MESA, (struct span){i, 1}, "m");
    assert_int_equal(d.count, 4);
    assert_int_equal(d.errors, 100);
    assert_int_equal(d.dropped, 97);
    assert_non_null(diag_add(&d, DIAG_ERROR, FOR_SPEC, (struct span){7, 1}, "another reading"));
    assert_true(diags_position(&d, FOR_SPEC) == 7);
    assert_non_null(diag_add(&d, DIAG_WARNING, FOR_MESA, (struct span){5, 1}, "another severity"));
    diags_sort(&d);
    assert_int_equal(d.list[d.count - 1].severity, DIAG_NOTE);
    assert_int_equal(d.list[d.count - 1].targets, FOR_MESA);
    for (uint32_t i = 0; i < 10; i++)
        diag_add(&d, DIAG_ERROR, FOR_SPEC, (struct span){i, 1}, "m");
    assert_int_equal(d.list[5].severity, DIAG_NOTE);
    assert_int_equal(d.list[5].targets, FOR_MESA | FOR_SPEC);
    char *out = printed(false, "x", 1, &d.list[5]);
    assert_string_equal(out, "a.cp: note: there is more that is not shown\n");
    free(out);
    diags_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_follow_every_line_end),
        cmocka_unit_test(the_locator_agrees_with_a_fresh_search),
        cmocka_unit_test(prints_line_caret_and_hint),
        cmocka_unit_test(long_lines_are_cut_around_the_caret),
        cmocka_unit_test(colour_only_when_asked),
        cmocka_unit_test(prints_those_of_the_target),
        cmocka_unit_test(position_is_the_first_error_of_the_target),
        cmocka_unit_test(sorting_is_stable),
        cmocka_unit_test(the_limit_holds_for_each_target),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
