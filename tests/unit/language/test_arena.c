/* Arenas, growing arrays, and what happens when memory is out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/arena.h"
#include "asm/diag.h"

/* The library's allocator, replaced: the nth call from now fails, and so do all after it. */
static size_t calls_left = SIZE_MAX, blocks;

void *gp5_malloc(size_t size)
{
    if (calls_left == 0)
        return NULL;
    calls_left--;
    blocks++;
    return malloc(size ? size : 1);
}

void *gp5_realloc(void *p, size_t size)
{
    if (calls_left == 0)
        return NULL;
    calls_left--;
    blocks += !p;
    return realloc(p, size ? size : 1);
}

void gp5_free(void *p)
{
    blocks -= p != NULL;
    free(p);
}

static int reset(void **state)
{
    (void)state;
    calls_left = SIZE_MAX;
    blocks = 0;
    return 0;
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    static const size_t sizes[] = {0, 1, 7, 8, 24, 4095, 4096, 100000, 300000, 5000000, 3};
    unsigned char *last = NULL;
    for (int round = 0; round < 50; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            unsigned char *p = arena_alloc(&a, sizes[i]);
            assert_non_null(p);
            assert_ptr_not_equal(p, last);
            assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
            for (size_t b = 0; b < sizes[i]; b += 1 + sizes[i] / 64)
                assert_int_equal(p[b], 0);
            memset(p, 0xff, sizes[i]);
            last = p;
            if (sizes[i] == 5000000 && round > 1)
                break;
        }
    assert_false(a.failed);
    arena_free(&a);
    assert_int_equal(blocks, 0);
}

static void a_large_block_leaves_the_small_one_in_use(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    char *first = arena_alloc(&a, 16);
    assert_non_null(arena_alloc(&a, 1 << 20));
    assert_ptr_equal(arena_alloc(&a, 16), first + 16);
    arena_free(&a);
    assert_int_equal(blocks, 0);
}

static void copies_end_with_nul(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    char *copy = arena_copy(&a, "a\0b", 3);
    assert_memory_equal(copy, "a\0b", 4);
    assert_string_equal(arena_copy(&a, NULL, 0), "");
    assert_null(arena_copy(&a, "x", SIZE_MAX));
    assert_true(a.failed);
    arena_free(&a);
}

static void impossible_sizes_fail(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 15, SIZE_MAX - 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct arena a;
        arena_init(&a);
        calls_left = 0; /* nobody may even ask for so much and get it */
        assert_null(arena_alloc(&a, sizes[i]));
        assert_true(a.failed);
        arena_free(&a);
        assert_false(a.failed);
    }
}

static void failure_stays_noted(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    calls_left = 0;
    assert_null(arena_alloc(&a, 10));
    calls_left = SIZE_MAX;
    assert_non_null(arena_alloc(&a, 10));
    assert_true(a.failed);
    arena_free(&a);
}

static void vec_grows_zeroed(void **state)
{
    (void)state;
    struct vec v;
    vec_init(&v, sizeof(uint64_t));
    for (size_t i = 0; i < 10000; i++) {
        assert_int_equal(vec_grow(&v), i);
        uint64_t *p = vec_at(&v, i);
        assert_int_equal(*p, 0);
        *p = i * i + 1;
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(*(uint64_t *)vec_at(&v, i), i * i + 1);
    vec_free(&v);
    assert_int_equal(v.count, 0);
    assert_int_equal(blocks, 0);
}

static void vec_survives_failure(void **state)
{
    (void)state;
    struct vec v;
    vec_init(&v, 4);
    calls_left = 0;
    assert_true(vec_grow(&v) == SIZE_MAX);
    calls_left = SIZE_MAX;
    assert_int_equal(vec_grow(&v), 0);
    *(uint32_t *)vec_at(&v, 0) = 77;
    while (v.count < v.capacity)
        vec_grow(&v);
    size_t count = v.count;
    calls_left = 0;
    assert_true(vec_grow(&v) == SIZE_MAX);
    assert_int_equal(v.count, count);
    assert_int_equal(*(uint32_t *)vec_at(&v, 0), 77);

    size_t full = v.count;
    v.count = v.capacity = UINT32_MAX;  /* as if it held so many: one more would not fit an index */
    assert_true(vec_grow(&v) == SIZE_MAX);
    v.count = v.capacity = full;
    vec_free(&v);
    assert_int_equal(blocks, 0);
}

/* Every single allocation of a run of diagnostics fails once: nothing crashes, nothing leaks, and the loss is noted. */
static void diagnostics_survive_every_failure(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 0;; n++) {
        struct diags d;
        diags_init(&d);
        calls_left = n;
        for (uint32_t i = 0; i < 60; i++)
            diag_hint(diag_add(&d, DIAG_ERROR, FOR_ALL, (struct span){60 - i, 1}, "error %u", (unsigned)i), "hint");
        diags_sort(&d);
        bool ran_out = calls_left == 0;
        if (d.failed)
            failures++;
        else
            assert_int_equal(d.count, d.limit + 1);
        diags_free(&d);
        assert_int_equal(blocks, 0);
        if (!ran_out)
            break;
        assert_true(n < 1000);
    }
    assert_in_range(failures, 20, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arena_gives_zeroed_aligned_memory, reset),
        cmocka_unit_test_setup(a_large_block_leaves_the_small_one_in_use, reset),
        cmocka_unit_test_setup(copies_end_with_nul, reset),
        cmocka_unit_test_setup(impossible_sizes_fail, reset),
        cmocka_unit_test_setup(failure_stays_noted, reset),
        cmocka_unit_test_setup(vec_grows_zeroed, reset),
        cmocka_unit_test_setup(vec_survives_failure, reset),
        cmocka_unit_test_setup(diagnostics_survive_every_failure, reset),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
