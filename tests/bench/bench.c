/* Time, repetitions and the table of the measurements: tests/bench/bench.h. */
#include "tests/bench/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 64, MOST_CALLS = 10000, NAME_WIDTH = 40, VALUE_WIDTH = 12 };

double bench_now(enum bench_clock clock)
{
    struct timespec t;
    clock_gettime(clock == BENCH_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of `calls` calls, negative when one failed. */
static double measure(const struct bench_contestant *c, enum bench_clock clock, unsigned calls)
{
    double start = bench_now(clock);
    for (unsigned i = 0; i < calls; i++)
        if (!c->work(c->user))
            return -1;
    return bench_now(clock) - start;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The first call warms caches and tells how many calls make a round. */
static unsigned calls_a_round(const struct bench_contestant *c, enum bench_clock clock, double least)
{
    double once = measure(c, clock, 1);
    if (once < 0)
        return 0;
    if (once >= least)
        return 1;
    double calls = once > 0 ? least / once + 1 : MOST_CALLS;
    return calls < MOST_CALLS ? (unsigned)calls : MOST_CALLS;
}

bool bench_run(struct bench_contestant *contestants, size_t count, enum bench_clock clock, unsigned rounds,
               double least)
{
    enum { MOST_CONTESTANTS = 4 };
    double seconds[MOST_CONTESTANTS][MOST_ROUNDS];
    unsigned calls[MOST_CONTESTANTS];
    if (count > MOST_CONTESTANTS || rounds < 1 || rounds > MOST_ROUNDS)
        return false;
    for (size_t i = 0; i < count; i++) {
        contestants[i].seconds = 0;
        if (contestants[i].user && !(calls[i] = calls_a_round(&contestants[i], clock, least)))
            return false;
    }
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            if (!contestants[i].user)
                continue;
            double s = measure(&contestants[i], clock, calls[i]);
            if (s < 0)
                return false;
            seconds[i][round] = s / calls[i];
        }
    for (size_t i = 0; i < count; i++)
        if (contestants[i].user)
            contestants[i].seconds = median(seconds[i], rounds);
    return true;
}

/* ---- the table ----------------------------------------------------------------------------------------- */

void bench_arguments(int argc, char **argv, struct bench_table *table)
{
    table->json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !table->json) {
        fprintf(stderr, "usage: %s [--json]\n", argv[0]);
        exit(2);
    }
}

void bench_head(const struct bench_table *table, const char *title)
{
    if (table->json)
        return;
    printf("%-*s", NAME_WIDTH, title);
    for (size_t i = 0; i < BENCH_COLUMNS && table->column[i].heading; i++)
        printf(" %*s", VALUE_WIDTH, table->column[i].heading);
    putchar('\n');
}

/* Three digits that count. */
static void print_value(double value)
{
    if (value < 0)
        printf(" %*s", VALUE_WIDTH, "-");
    else
        printf(" %*.*f", VALUE_WIDTH, value < 10 ? 2 : value < 100 ? 1 : 0, value);
}

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}

void bench_row(const struct bench_table *table, const char *name, const double *values, const char *note)
{
    if (table->json) {
        printf("{\"part\":\"%s\",\"name\":", table->part);
        print_string(name);
    } else {
        printf("%-*s", NAME_WIDTH, name);
    }
    for (size_t i = 0; i < BENCH_COLUMNS && table->column[i].heading; i++) {
        if (!table->json)
            print_value(values[i]);
        else if (values[i] < 0)
            printf(",\"%s\":null", table->column[i].key);
        else
            printf(",\"%s\":%.6g", table->column[i].key, values[i]);
    }
    if (table->json && note) {
        printf(",\"note\":");
        print_string(note);
    } else if (note) {
        printf("  %s", note);
    }
    puts(table->json ? "}" : "");
    fflush(stdout);
}

void bench_note(const struct bench_table *table, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (table->json) {
        printf("{\"part\":\"%s\",\"note\":", table->part);
        print_string(text);
        puts("}");
    } else {
        puts(text);
    }
    fflush(stdout);
}
