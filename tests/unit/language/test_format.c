/* The canonical text: what it looks like, that formatting it again changes nothing, and that it is the same program;
 * also for programs that a seeded random walk bends, under which nothing may crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "asm/text/print.h"
#include "gp5.h"
#include "tests/unit/sample.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPUTE "!!NVcp5.0\nGROUP_SIZE 32;\nTEMP a, b, c, m[4];\n"

/* ---- what it looks like ------------------------------------------------------------------------------------------ */

struct example {
    const char *before, *after;
};

static const struct example examples[] = {
    {"!!ARBfp1.0 TEMP a;MOV a,a;END", "!!ARBfp1.0\nTEMP a;\nMOV a, a;\nEND\n"},
    {"!!ARBfp1.0# one\nTEMP a ;# two\n# three\r\n\r\n\n\nMOV a\n , a;END # four",
     "!!ARBfp1.0  # one\nTEMP a;  # two\n# three\n\nMOV a, a;\nEND  # four\n"},
    {"!!ARBfp1.0\nTEMP a;\nMOV a, # in the middle\na;\nEND\n\n\n",
     "!!ARBfp1.0\nTEMP a;\n# in the middle\nMOV a, a;\nEND\n"},
    {"!!ARBfp1.0\n\n\n# c  \nPARAM p[2]={program . local[0 .. 1]};PARAM q={1,- 2 ,+3};\n"
     "PARAM r=-1e-5;PARAM s[]={{1,2},3};END",
     "!!ARBfp1.0\n\n# c\nPARAM p[2] = { program.local[0..1] };\nPARAM q = {1, -2, +3};\nPARAM r = -1e-5;\n"
     "PARAM s[] = { {1, 2}, 3 };\nEND\n"},
    {"!!ARBfp1.0\nTEMP a;\nSWZ a,a,0,-1,x,-y;TEX a,a,texture[0],2D;MOV_SAT a.xy,-|a|.x;END", NULL},
    {"!!ARBfp1.0\nTEMP a;\nSWZ a,a,0,-1,x,-y;TEX a,a,texture[0],2D;MOV_SAT a.xy,-a . x;END",
     "!!ARBfp1.0\nTEMP a;\nSWZ a, a, 0, -1, x, -y;\nTEX a, a, texture[0], 2D;\nMOV_SAT a.xy, -a.x;\nEND\n"},
    {COMPUTE "IF NE.x;MOV.CC.U a(GT1.x),m[ a.x+1 ];REP;BRK(TR);ENDREP;ELSE;ADD.F a,-| - b|,{1,2}.x;ENDIF;END",
     COMPUTE "IF NE.x;\n    MOV.U.CC a (GT1.x), m[a.x + 1];\n    REP;\n        BRK (TR);\n    ENDREP;\nELSE;\n"
             "    ADD.F a, -|-b|, {1, 2}.x;\nENDIF;\nEND\n"},
    {COMPUTE "CVT.ROUND.S32.F32 a, b;MUL.HI.S a,b,c;MOV .U a, m[a.x-0];\nf :RET;CAL f(EQ.x);END",
     COMPUTE "CVT.S32.F32.ROUND a, b;\nMUL.S.HI a, b, c;\nMOV.U a, m[a.x - 0];\nf:\nRET;\nCAL f (EQ.x);\nEND\n"},
    {"!!NVcp5.0\nGROUP_SIZE 8 4   2;\nSHARED_MEMORY 64;SHORT  TEMP h;LONG TEMP d;SHARED s[]={program.sharedmem};END",
     "!!NVcp5.0\nGROUP_SIZE 8 4 2;\nSHARED_MEMORY 64;\nSHORT TEMP h;\nLONG TEMP d;\n"
     "SHARED s[] = { program.sharedmem };\nEND\n"},
    {COMPUTE "SUBROUTINETYPE T{f,g};SUBROUTINE T v=program.subroutine[0];SUBROUTINE T w[]={program.subroutine[1..2]};\n"
             "CALI v;CALI w[a.x](NE.x);f SUBROUTINENUM( 3 ):RET;g:RET;END",
     COMPUTE "SUBROUTINETYPE T { f, g };\nSUBROUTINE T v = program.subroutine[0];\n"
             "SUBROUTINE T w[] = { program.subroutine[1..2] };\nCALI v;\nCALI w[a.x] (NE.x);\nf SUBROUTINENUM(3):\n"
             "RET;\ng:\nRET;\nEND\n"},
    {"!!NVcp5.0\nGROUP_SIZE 1;\nTEMP a;\nMOV a, b;\nEND\n", NULL},
};

static void test_examples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        gp5_program *program = gp5_parse(examples[i].before, strlen(examples[i].before));
        size_t size = 1;
        char *text = gp5_format(program, &size);
        if (!examples[i].after) {
            assert_null(text);
        } else {
            if (!text)
                fail_msg("%s: %s", examples[i].before, program->diags.list[0].message);
            assert_string_equal(text, examples[i].after);
            assert_int_equal(size, strlen(text));
        }
        gp5_text_free(text);
        gp5_program_free(program);
    }
}

static void test_long_lists(void **state)
{
    (void)state;
    char text[4096] = "!!NVcp5.0\nGROUP_SIZE 1;\nTEMP r0";
    for (int i = 1; i < 200; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",r%d", i);
    strcat(text, ";END");
    gp5_program *program = gp5_parse(text, strlen(text));
    char *formatted = gp5_format(program, NULL);
    assert_non_null(formatted);
    for (const char *line = formatted, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line < 100);
    gp5_text_free(formatted);
    gp5_program_free(program);
}

/* ---- programs from files, whole and bent ------------------------------------------------------------------------- */

/* The three laws, for a program that some target takes. Who takes it takes it formatted; Mesa then even takes R0. x. */
static bool obeys(const gp5_program *program)
{
    size_t size, again_size = 0;
    char *text = gp5_format(program, &size);
    if (!text)
        return !gp5_valid(program, GP5_TARGET_NVIDIA) && !gp5_valid(program, GP5_TARGET_MESA) &&
               !gp5_valid(program, GP5_TARGET_SPEC);
    gp5_program *again = gp5_parse(text, size);
    char *again_text = again ? gp5_format(again, &again_size) : NULL;
    bool good =
        again_text && size == again_size && memcmp(text, again_text, size) == 0 && asm_program_equal(program, again);
    for (int target = GP5_TARGET_NVIDIA; good && target <= GP5_TARGET_SPEC; target++)
        good = !gp5_valid(program, (enum gp5_target)target) || gp5_valid(again, (enum gp5_target)target);
    gp5_text_free(text);
    gp5_text_free(again_text);
    gp5_program_free(again);
    return good;
}

enum { MOST_TEXTS = 64, LARGEST_TEXT = 1 << 16 };

struct texts {
    char *text[MOST_TEXTS];
    size_t size[MOST_TEXTS];
    unsigned count;
};

static void add_text(struct texts *t, const char *bytes, size_t size)
{
    assert_true(t->count < MOST_TEXTS);
    t->text[t->count] = malloc(size + 1);
    assert_non_null(t->text[t->count]);
    memcpy(t->text[t->count], bytes, size);
    t->size[t->count++] = size;
}

static void read_texts(struct texts *t)
{
    static char buffer[LARGEST_TEXT];
    DIR *folder = opendir("tests/corpus/asm");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        if (!strstr(entry->d_name, ".cp"))
            continue;
        snprintf(path, sizeof path, "tests/corpus/asm/%s", entry->d_name);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        add_text(t, buffer, fread(buffer, 1, sizeof buffer, file));
        fclose(file);
    }
    closedir(folder);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        add_text(t, examples[i].before, strlen(examples[i].before));
}

static void free_texts(struct texts *t)
{
    for (unsigned i = 0; i < t->count; i++)
        free(t->text[i]);
}

static void test_driver_programs(void **state)
{
    (void)state;
    struct texts t = {.count = 0};
    read_texts(&t);
    for (unsigned i = 0; i < t.count; i++) {
        gp5_program *program = gp5_parse(t.text[i], t.size[i]);
        assert_true(obeys(program));
        gp5_program_free(program);
    }
    free_texts(&t);
}

static uint32_t random_state;

static unsigned pick(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (unsigned)((uint64_t)(random_state >> 8) * below >> 24);
}

/* One change: bytes lost, doubled, overwritten, swapped, or a word from elsewhere put in. */
static size_t bend(char *text, size_t size, size_t room)
{
    static const char *const words[] = {
        ";", ",", ".", "{", "}", "[", "]", "(", ")", "|", "-", "+", "..", ":", "=", "#", "\n", "\r\n", "\r", " ", "0",
        "1.", "0x",
        "1e5", "99999999999", "END", "TEMP ", "MOV ", "IF ", "ENDIF;", "REP;", "ENDREP;", "ELSE;", ".x", ".xyzw", ".U",
        ".CC",
        "texture[0]", ", 2D", "handle(a.x)", "offset(a)", "state.matrix.mvp.row[0]", "program.local[0]", "a", "R0",
        "(NE.x)",
        "{1,2}", "!!NVcp5.0", "OPTION NV_internal;", "PARAM p[2]={1,2};", "CAL f;", "f:", "SUBROUTINETYPE T {f};",
        "ALIAS z = a;", "TEX a, a, texture[0], 2D;", "\0\0", "\xff", "SHARED_MEMORY 4;"};
    size_t at = size ? pick((unsigned)size) : 0, length = 1 + pick(8);
    if (length > size - at)
        length = size - at;
    switch (pick(5)) {
    case 0:
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 1:
        if (size + length > room)
            return size;
        memmove(text + at + length, text + at, size - at);
        return size + length;
    case 2:
        if (size)
            text[at] = (char)pick(256);
        return size;
    case 3:
        if (size) {
            size_t other = pick((unsigned)size);
            char c = text[at];
            text[at] = text[other];
            text[other] = c;
        }
        return size;
    default: {
        const char *word = words[pick(sizeof words / sizeof *words)];
        size_t n = strlen(word) + (word[0] == '\0');
        if (size + n > room)
            return size;
        memmove(text + at + n, text + at, size - at);
        memcpy(text + at, word, n);
        return size + n;
    }
    }
}

static void test_bent_programs(void **state)
{
    (void)state;
    const unsigned long wanted = 200000 / sample_step(40);
    struct texts t = {.count = 0};
    static char text[LARGEST_TEXT * 2];
    unsigned long tried = 0, taken = 0;
    read_texts(&t);
    random_state = 5;
    while (tried < wanted) {
        unsigned i = pick(t.count), changes = 1 + pick(3);
        size_t size = t.size[i];
        memcpy(text, t.text[i], size);
        while (changes-- > 0)
            size = bend(text, size, sizeof text);
        char *exact = malloc(size ? size : 1);      /* so that a sanitizer sees a read beyond the end */
        assert_non_null(exact);
        memcpy(exact, text, size);
        gp5_program *program = gp5_parse(exact, size);
        assert_non_null(program);
        bool good = obeys(program);
        int64_t position = gp5_error_position(program, GP5_TARGET_NVIDIA);
        good = good && position <= (int64_t)size && memcmp(program->text, text, size) == 0;
        taken += position < 0;
        tried++;
        if (!good) {
            FILE *file = fopen("bent-program.txt", "wb");
            if (file) {
                fwrite(exact, 1, size, file);
                fclose(file);
            }
            fail_msg("program %lu, kept in bent-program.txt", tried);
        }
        gp5_program_free(program);
        free(exact);
    }
    free_texts(&t);
    print_message("%lu programs, %lu of them valid\n", tried, taken);
    assert_true(taken > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_long_lists),
        cmocka_unit_test(test_driver_programs),
        cmocka_unit_test(test_bent_programs),
    };
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
