/* What parsing and checking costs grows with the text and not faster: memory, counted where it is taken, and
 * instructions of the processor, where the system lets a process count its own. Nothing here is timed. */
#define _GNU_SOURCE     /* syscall */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/arena.h"
#include "gp5.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* ---- memory: the most that is held at once ---------------------------------------------------------------------- */

enum { BEFORE = 16 };           /* the size stands before each block */

static size_t held, most;

static void *note(void *block, size_t size)
{
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    held += size;
    if (held > most)
        most = held;
    return (char *)block + BEFORE;
}

static size_t forget(void *p)
{
    size_t size = 0;
    if (p)
        memcpy(&size, (char *)p - BEFORE, sizeof size);
    held -= size;
    return size;
}

void *gp5_malloc(size_t size)
{
    return note(malloc(size + BEFORE), size);
}

void *gp5_realloc(void *old, size_t size)
{
    size_t before = old ? forget(old) : 0;
    void *block = realloc(old ? (char *)old - BEFORE : NULL, size + BEFORE);
    if (!block && old)
        held += before;
    return note(block, size);
}

void gp5_free(void *p)
{
    forget(p);
    free(p ? (char *)p - BEFORE : NULL);
}

/* ---- instructions of the processor ------------------------------------------------------------------------------- */

static int counter = -1;

static void open_counter(void)
{
#ifdef __linux__
    struct perf_event_attr how = {.type = PERF_TYPE_HARDWARE, .size = sizeof how, .config = PERF_COUNT_HW_INSTRUCTIONS,
                                  .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1};
    counter = (int)syscall(SYS_perf_event_open, &how, 0, -1, -1, 0);
#endif
}

static void start_counter(void)
{
#ifdef __linux__
    if (counter >= 0) {
        ioctl(counter, PERF_EVENT_IOC_RESET, 0);
        ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
    }
#endif
}

/* 0 where they cannot be counted. */
static uint64_t stop_counter(void)
{
    uint64_t count = 0;
#ifdef __linux__
    if (counter >= 0) {
        ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
        if (read(counter, &count, sizeof count) != (ssize_t)sizeof count)
            count = 0;
    }
#endif
    return count;
}

/* ---- texts of any size ------------------------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t size, room;
};

static void add(struct text *t, const char *format, ...)
{
    va_list args;
    if (t->room - t->size < 4096) {
        t->room = t->room ? t->room * 2 : 1 << 16;
        t->bytes = realloc(t->bytes, t->room);
        assert_non_null(t->bytes);
    }
    va_start(args, format);
    t->size += (size_t)vsnprintf(t->bytes + t->size, t->room - t->size, format, args);
    va_end(args);
}

#define HEAD                                                                                                          \
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };\nTEMP a, b, " \
    "c;\n"

/* Each shape makes one more piece of a program, the nth. */
static void straight(struct text *t, unsigned n)
{
    add(t, "MAD.F a.xyz, b.wzyx, {1, 2, %u, 4}, -|c|;\nSTB.U32 b.x, s[a.x + %u];  # %u\n", n, n % 64 * 4, n);
}

static void names(struct text *t, unsigned n)
{
    add(t, "TEMP t%u;\nMOV t%u, a;\nADD.U b, t%u, t%u;\n", n, n, n / 2, n);
}

static void long_names(struct text *t, unsigned n)
{
    add(t, "TEMP a_name_that_is_much_longer_than_eight_letters_and_ends_with_%u;\n", n);
}

static void blocks(struct text *t, unsigned n)
{
    add(t, "IF NE.x;\nREP 2;\nADD.U b.x, b.x, %u;\nBRK (EQ.x);\nENDREP;\nELSE;\nMOV a, b;\nENDIF;\n", n);
}

static void labels(struct text *t, unsigned n)
{
    add(t, "CAL f%u (LT.x);\nf%u: MOV.U a.x, %u;\n", n / 3, n, n);
}

static void parameters(struct text *t, unsigned n)
{
    add(t, "PARAM p%u[2] = { program.local[%u..%u] };\nMOV a, p%u[1];\n", n, n % 100, n % 100 + 1, n);
}

static void unused(struct text *t, unsigned n)
{
    add(t, "TEMP u%u;\nMOV.U u%u, %u;\n", n, n, n);
}

static void undeclared(struct text *t, unsigned n)
{
    add(t, "ADD.U a, x%u, y%u;\n", n, n);
}

static void broken(struct text *t, unsigned n)
{
    add(t, "MOV.Q a b %u;\nMUV a, {1, ;\n", n);
}

static void open_comments(struct text *t, unsigned n)
{
    add(t, "TEMP r%u /* ;\n", n);
}

static void comments(struct text *t, unsigned n)
{
    add(t, "# %u; a comment that goes on for a while and says MOV a, b;\n\n\n", n);
}

static void dots(struct text *t, unsigned n)
{
    (void)n;
    add(t, "..");
}

static const struct shape {
    const char *name;
    void (*piece)(struct text *t, unsigned n);
} shapes[] = {
    {"straight code", straight}, {"names", names}, {"long names", long_names}, {"blocks", blocks}, {"labels", labels},
    {"parameters", parameters}, {"values that nobody reads", unused}, {"names that nobody declared", undeclared},
    {"syntax errors", broken}, {"comments of C without an end", open_comments}, {"comments", comments}, {"dots", dots},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- growth ------------------------------------------------------------------------------------------------------ */

enum { SMALL = 200000, TIMES = 8 };

struct cost {
    double memory, instructions;        /* a byte of text */
};

static struct text text_of(const struct shape *shape, size_t size)
{
    struct text t = {NULL, 0, 0};
    add(&t, HEAD);
    for (unsigned n = 0; t.size < size; n++)
        shape->piece(&t, n);
    add(&t, "\nEND\n");
    return t;
}

static struct cost cost_of(const struct shape *shape, size_t size)
{
    struct text t = text_of(shape, size);
    held = most = 0;
    start_counter();
    gp5_program *program = gp5_parse(t.bytes, t.size);
    uint64_t instructions = stop_counter();
    struct cost cost = {(double)most / (double)t.size, (double)instructions / (double)t.size};
    assert_non_null(program);
    gp5_program_free(program);
    assert_int_equal(held, 0);
    free(t.bytes);
    return cost;
}

/* Eight times the text: memory may be half as much more a byte (arrays double as they grow), instructions a quarter
 * (what hashes miss in larger tables). A cost that is quadratic would be eight times as much. */
static void test_growth(void **state)
{
    (void)state;
    open_counter();
    for (int i = 0; i < SHAPES; i++) {
        struct cost small = cost_of(&shapes[i], SMALL), large = cost_of(&shapes[i], (size_t)SMALL * TIMES);
        print_message("%s: %.1f and %.1f bytes, %.0f and %.0f instructions a byte\n", shapes[i].name, small.memory,
                      large.memory, small.instructions, large.instructions);
        if (large.memory > small.memory * 1.5 || large.memory > 64)
            fail_msg("%s: %.1f bytes of memory a byte, and %.1f in a text %d times as long", shapes[i].name,
                     small.memory, large.memory, TIMES);
        if (large.instructions > small.instructions * 1.25)
            fail_msg("%s: %.0f instructions a byte, and %.0f in a text %d times as long", shapes[i].name,
                     small.instructions, large.instructions, TIMES);
    }
    if (counter < 0)
        print_message("instructions: this system does not count them\n");
}

/* A size beyond what offsets can hold is refused before the text is looked at. */
static bool keep_message(void *user, const struct gp5_diagnostic *d)
{
    *(const char **)user = d->message;
    return false;
}

static void test_too_large(void **state)
{
    (void)state;
    static const size_t sizes[] = {(size_t)INT32_MAX, (size_t)INT32_MAX + 1, UINT32_MAX, (size_t)UINT32_MAX + 2,
     SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *message = NULL;
        gp5_program *program = gp5_parse("!!ARBfp1.0\nEND\n", sizes[i]);
        assert_non_null(program);
        assert_false(gp5_valid(program, GP5_TARGET_NVIDIA));
        gp5_diagnostics(program, GP5_TARGET_NVIDIA, keep_message, &message);
        assert_string_equal(message, "a program is smaller than 2 GB");
        gp5_program_free(program);
    }
}

/* For tests/cli/linear.sh: `test_linear SHAPE SIZE` writes such a text, SHAPE a number from 0. */
int main(int argc, char **argv)
{
    if (argc == 3) {
        unsigned long shape = strtoul(argv[1], NULL, 10);
        if (shape >= SHAPES)
            return 1;
        struct text t = text_of(&shapes[shape], strtoul(argv[2], NULL, 10));
        bool written = fwrite(t.bytes, 1, t.size, stdout) == t.size && fflush(stdout) == 0;
        free(t.bytes);
        return written ? 0 : 2;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_too_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
