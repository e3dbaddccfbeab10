/* The recorded run of GLSL's subgroup built-ins, again: reads tests/recordings/subgroup_glsl.digest from standard
 * input, makes each case's inputs, lets the reference answer, changes in that what the recording says was different,
 * and compares the hash of all with the driver's: so every bit of the recording is accounted for, and judged again.
 * Prints a line a case as subgroup_spirv_run does; exit status 1 when a line is not what the reference and its own
 * differences make of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/subgroup_glsl.h"

enum { SIZE = 32, FIELDS = 6 };

struct replay {
    char *line, *field[FIELDS];
    size_t capacity;
    unsigned failures;
};

/* The recorded differences, in order of their places: "[!]PLACE=WORD ...". */
struct changes {
    const char *at;
    enum gp5_subgroup_op op;
};

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "subgroup_glsl_replay: %s%s%s\n", what, which ? ": " : "", which ? which : "");
    exit(2);
}

static uint32_t *records_of(const struct subgroup_case *c)
{
    uint32_t *r = calloc(subgroup_case_records(c), SUBGROUP_RECORD * sizeof *r);
    if (!r)
        fail("out of memory", NULL);
    return r;
}

static bool read_line(struct replay *r)
{
    if (getline(&r->line, &r->capacity, stdin) <= 0)
        return false;
    char *at = r->line;
    at[strcspn(at, "\n")] = '\0';
    for (int i = 0; i < FIELDS; i++) {
        r->field[i] = at;
        at += strcspn(at, "\t");
        if (*at)
            *at++ = '\0';
        else if (i + 1 < FIELDS)
            fail("a line has too few fields", r->line);
    }
    return true;
}

/* threadIdValid as the hardware has it, where only shuffles at or beyond the width differ: those by index stay in the
 * segment, those by exclusive or are held to its upper end. */
static bool valid_in_hardware(enum gp5_subgroup_op op, unsigned lane, const uint32_t *record)
{
    unsigned index = record[8] & 31, width = record[9];
    return op == GP5_SUBGROUP_DO_SHUFFLE_NV || (lane ^ index) <= (lane | (width - 1));
}

static void change(void *user, size_t place, unsigned lane, const uint32_t *record, uint64_t *word, uint8_t *valid)
{
    struct changes *d = user;
    char *end;
    if (d->op == GP5_SUBGROUP_DO_SHUFFLE_NV || d->op == GP5_SUBGROUP_DO_SHUFFLE_XOR_NV)
        *valid = valid_in_hardware(d->op, lane, record);
    if (*d->at == '-' || strtoull(d->at + (*d->at == '!'), &end, 10) != place || *end != '=')
        return;
    *word = strtoull(end + 1, &end, 16);
    d->at = end + (*end == ' ');
}

static void print_case(const struct subgroup_case *c, const struct subgroup_tally *t, const char *status)
{
    char name[SUBGROUP_CASE_NAME], *type, *rest;
    unsigned defined = t->same + t->allowed + t->wrong;
    bool sequential = t->sequential_value == defined, doubling = t->doubling_value == defined;
    subgroup_case_name(c, name);
    type = strchr(name, '/');
    rest = strchr(type + 1, '/');
    *type = *rest = '\0';
    printf("%s\t%s\t%s\t%s\t%u\t%u\t%u\t%u\t%u\t%u\t%s\t%s\n", name, type + 1, rest + 1, status, t->same, t->allowed,
           t->undefined, t->wrong, t->misplaced, t->layout,
           !t->inexact              ? "-"
           : sequential && doubling ? "both"
           : sequential             ? "sequential"
           : doubling               ? "doubling"
                                    : "neither",
           t->first);
}

static void replay_run(struct replay *r, const struct subgroup_case *c)
{
    enum gp5_subgroup_order order = strcmp(r->field[4], "doubling") ? GP5_SUBGROUP_SEQUENTIAL : GP5_SUBGROUP_DOUBLING;
    unsigned flags = c->type == GP5_SUBGROUP_F32 || c->type == GP5_SUBGROUP_F16 ? GP5_SUBGROUP_MAY_FLUSH : 0;
    struct changes d = {.at = r->field[5], .op = c->op};
    struct subgroup_tally t;
    uint32_t *in = records_of(c), *out = records_of(c);
    char counts[80], hash[20];
    subgroup_case_fill(c, in);
    subgroup_case_answer(c, in, order, out, change, &d);
    subgroup_case_judge(c, in, out, flags, &t, NULL, NULL);
    snprintf(counts, sizeof counts, "%u %u %u %u %u %u", t.same, t.allowed, t.undefined, t.wrong, t.misplaced,
             t.layout);
    snprintf(hash, sizeof hash, "%016" PRIx64, t.hash);
    if (strcmp(counts, r->field[3]) || strcmp(hash, r->field[2]) || (*d.at && *d.at != '-')) {
        r->failures++;
        fprintf(stderr, "%s: recorded %s, %s; replayed %s, %s%s\n", r->field[0], r->field[3], r->field[2], counts, hash,
                *d.at && *d.at != '-' ? "; differences are left over" : "");
    }
    print_case(c, &t, t.wrong + t.misplaced + t.layout ? "wrong" : "right");
    free(in);
    free(out);
}

static void replay_case(void *user, const struct subgroup_case *c)
{
    struct replay *r = user;
    char text[SUBGROUP_GLSL_SIZE], name[SUBGROUP_CASE_NAME];
    if (!subgroup_glsl(c, text))
        return;
    subgroup_case_name(c, name);
    if (!read_line(r))
        fail("the recording ends before", name);
    if (strcmp(r->field[0], name))
        fail("the recording has other cases, at", name);
    if (!strcmp(r->field[1], "ran"))
        replay_run(r, c);
    else
        print_case(c, &(struct subgroup_tally){.same = 0}, r->field[1]);
}

int main(void)
{
    struct replay r = {0};
    printf("driver\trecorded\n");
    subgroup_cases(SIZE, replay_case, &r);
    if (read_line(&r))
        fail("the recording has more cases, from", r.field[0]);
    free(r.line);
    return fflush(stdout) ? 2 : r.failures != 0;
}
