/* What the measurements share: time, repetitions, and the table that they print. docs/performance.md says
 * what is measured.
 *
 * A program compares contestants: each does the same work once a call. They take turns, so that a machine
 * that is slower for a moment is slower for all of them, and each one's median counts. */
#ifndef GP5_TESTS_BENCH_H
#define GP5_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>

enum bench_clock {
    BENCH_CPU, /* of all threads of this process: what one thread needs, whatever else the machine does */
    BENCH_WALL
};

struct bench_contestant {
    bool (*work)(void *user); /* once; false ends the measurement */
    void *user;               /* NULL: this one is not there */
    double seconds;           /* out: the median, of one call; 0 when it is not there */
};

/* Repeats `rounds` (at most 64) times; a call that is shorter than `least` seconds is made several times a
 * round. False when a contestant's work failed. */
bool bench_run(struct bench_contestant *contestants, size_t count, enum bench_clock clock, unsigned rounds,
               double least);

/* ---- the table ----------------------------------------------------------------------------------------- */

enum { BENCH_COLUMNS = 5 };

struct bench_table {
    bool json;
    const char *part; /* "parse" */
    struct {
        const char *heading, *key; /* key: its name in JSON */
    } column[BENCH_COLUMNS];       /* NULL after the last */
};

/* Takes the program's arguments: --json is all that there may be. Exits with 2 otherwise. */
void bench_arguments(int argc, char **argv, struct bench_table *table);

void bench_head(const struct bench_table *table, const char *title);

/* One line; a value that is negative was not measured: it is printed as `-` (json: null). `note` may be NULL.
 */
void bench_row(const struct bench_table *table, const char *name, const double *values, const char *note);

/* A line of text below the table (json: an object with the part and the note). */
void bench_note(const struct bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

double bench_now(enum bench_clock clock);

#endif
