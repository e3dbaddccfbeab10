/* Assembly cut out of program binaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "compare/driver/capture.h"

static const struct {
    const char *why, *blob;
    size_t size;
    const char *programs[3];
} blobs[] = {
#define BLOB(s) s, sizeof s - 1
    { "text alone", BLOB("!!NVcp5.0\nEND\n"), { "!!NVcp5.0\nEND\n" } },
    { "between other bytes",
      BLOB("\x7f"
           "ELF\0\0!!NVfp5.0\nMOV R0, R1;\nEND\n\0\0junk"),
      { "!!NVfp5.0\nMOV R0, R1;\nEND\n" } },
    { "a NUL behind END", BLOB("!!NVcp5.0\nEND\0!!"), { "!!NVcp5.0\nEND" } },
    { "the blob ends with END", BLOB("xx!!NVcp5.0\nEND"), { "!!NVcp5.0\nEND" } },
    { "DOS line ends", BLOB("!!NVcp5.0\r\nEND\r\n\1"), { "!!NVcp5.0\r\nEND\r\n" } },
    { "ENDIF and ENDREP are not the end",
      BLOB("!!NVcp5.0\nIF NE.x;\nENDIF;\nREP;\nENDREP;\nEND\n"),
      { "!!NVcp5.0\nIF NE.x;\nENDIF;\nREP;\nENDREP;\nEND\n" } },
    { "two programs",
      BLOB("\1!!NVvp5.0\nEND\n\2\3!!NVfp5.0\nEND\n\4"),
      { "!!NVvp5.0\nEND\n", "!!NVfp5.0\nEND\n" } },
    { "no end", BLOB("!!NVcp5.0\nMOV R0, R1;\n"), { NULL } },
    { "an end of another line", BLOB("!!NVcp5.0\n END\nENDING\n"), { NULL } },
    { "no program", BLOB("!!ARBfp1.0\nEND\n"), { NULL } },
    { "half a header", BLOB("!!N"), { NULL } },
    { "nothing", BLOB(""), { NULL } },
#undef BLOB
};

static void test_blobs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof blobs / sizeof *blobs; i++) {
        /* Memory of exactly this size, so that a sanitizer sees a look behind it. */
        uint8_t *blob = malloc(blobs[i].size ? blobs[i].size : 1);
        const char *program;
        size_t size, offset = 0, count = 0;
        assert_non_null(blob);
        memcpy(blob, blobs[i].blob, blobs[i].size);
        for (; capture_next(blob, blobs[i].size, &offset, &program, &size); count++) {
            const char *expected = count < 3 ? blobs[i].programs[count] : NULL;
            if (!expected || size != strlen(expected) || memcmp(program, expected, size))
                fail_msg("%s: program %zu is \"%.*s\"", blobs[i].why, count, (int)size, program);
        }
        if (count < 3 && blobs[i].programs[count])
            fail_msg("%s: program %zu is missing", blobs[i].why, count);
        assert_int_equal(offset, blobs[i].size);
        free(blob);
    }
}

static void test_stages(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int stage;
    } paths[] = {
        { "a.vert", DRIVER_VERTEX }, { "a.tesc", DRIVER_TESS_CONTROL }, { "a.tese", DRIVER_TESS_EVALUATION },
        { "/x.y/a.geom", DRIVER_GEOMETRY }, { "a.vert.frag", DRIVER_FRAGMENT }, { ".comp", DRIVER_COMPUTE },
        { "a.comp.txt", -1 }, { "comp", -1 }, { "dir.comp/file", -1 }, { "", -1 }, { "a.", -1 }
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        enum driver_stage stage;
        bool known = capture_stage(paths[i].path, &stage);
        assert_int_equal(known, paths[i].stage >= 0);
        if (known)
            assert_int_equal(stage, paths[i].stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_blobs), cmocka_unit_test(test_stages) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
