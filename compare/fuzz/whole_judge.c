#include "compare/fuzz/whole_judge.h"

#include <jansson.h>
#include <string.h>

#include "compare/driver/sha256.h"

static bool other(struct whole_judge *j, const struct whole_case *c, uint64_t number, struct whole_answer *a)
{
    return j->driver ? whole_driver_run(j->driver, c, a) : whole_peer_run(j->peer, c, number, j->semantics, a);
}

static void count_open(struct whole_judge *j, const struct whole_case *c, const struct whole_answer *a)
{
    for (unsigned i = 0; i < WHOLE_PLACES; i++)
        for (size_t w = 0; w < c->size[i] / 4; w++)
            j->open_words += a->open[i][w];
}

/* Both answers; false when nothing can go on. */
static bool judge(struct whole_judge *j, const struct whole_case *c, uint64_t number, FILE *record,
                  enum whole_verdict *verdict, char why[WHOLE_WHY])
{
    struct whole_answer a = {0}, b = {0};
    bool ok = whole_evaluate_with(c, j->semantics, j->model, &a);
    if (ok && j->recording) {
        ok = whole_recording_compare(j->recording, c, number, &a, verdict, why);
        if (ok && record)
            ok = whole_record_again(record, j->recording, c, number, *verdict, &a);
    } else if (ok) {
        ok = other(j, c, number, &b);
        if (ok)
            *verdict = whole_compare(c, &a, &b, why);
        if (ok && record)
            ok = whole_record(record, c, number, *verdict, &a, &b);
    }
    if (ok && *verdict == WHOLE_SAME)
        count_open(j, c, &a);
    whole_answer_free(&a);
    whole_answer_free(&b);
    return ok;
}

/* What kind of difference it is: one of values, of what is undefined, or neither. */
static char kind_of(const char *why)
{
    return strstr(why, ": gp5 0x") ? 'v' : strstr(why, ": gp5 says") ? 'u' : why[0];
}

/* A driver is not asked about what gp5 itself refuses: most of what is tried is no program any more. */
static bool still_fails(void *user, const struct whole_case *c)
{
    struct whole_judge *j = user;
    struct whole_answer a = {0}, b = {0};
    char why[WHOLE_WHY];
    bool stopped = j->stopped && j->stopped(j->user);
    bool fails = j->tries && !stopped && whole_evaluate_with(c, j->semantics, j->model, &a) && a.status == WHOLE_RAN;
    if (fails) {
        j->tries--;
        fails = other(j, c, 0, &b) && whole_compare(c, &a, &b, why) == WHOLE_DIFFERENT && kind_of(why) == j->kind &&
                !whole_races(c, j->semantics);
    }
    whole_answer_free(&a);
    whole_answer_free(&b);
    return fails;
}

static bool tell(struct whole_judge *j, struct whole_case *c, uint64_t number, char why[WHOLE_WHY])
{
    enum whole_verdict verdict;
    j->kind = kind_of(why);
    j->tries = j->shrink;
    if (j->shrink && !j->recording && whole_shrink(c, still_fails, j) && !judge(j, c, number, NULL, &verdict, why))
        return false;
    json_t *o = json_pack("{s:I, s:I, s:s, s:s%}", "seed", (json_int_t)j->settings.seed, "number", (json_int_t)number,
                          "difference", why, "program", c->program.bytes, c->program.size);
    if (j->telling)
        j->telling(j->user);
    bool ok = o && json_dumpf(o, j->out, JSON_COMPACT) == 0 && fputc('\n', j->out) != EOF && fflush(j->out) == 0;
    json_decref(o);
    return ok;
}

static bool left_out(const struct whole_judge *j, uint64_t number)
{
    for (size_t i = 0; i < j->nexcept; i++)
        if (j->except[i] == number)
            return true;
    return false;
}

bool whole_judge(struct whole_judge *j, uint64_t number)
{
    struct whole_case c = {0};
    enum whole_verdict verdict = WHOLE_SAME;
    char why[WHOLE_WHY] = "";
    if (left_out(j, number))
        return true;
    bool ok = true;
    if (j->recording && !whole_recording_has(j->recording, number)) {   /* then there is no need to make it */
        verdict = WHOLE_NOT_EVALUATED;
        snprintf(why, sizeof why, "not in the recording");
    } else {
        ok = whole_grow(&j->settings, number, &c) && judge(j, &c, number, j->record, &verdict, why);
    }
    if (ok) {
        j->programs++;
        j->same += verdict == WHOLE_SAME;
        j->different += verdict == WHOLE_DIFFERENT;
        j->decided += verdict == WHOLE_DECIDED_BY_UNDEFINED;
        j->not_evaluated += verdict == WHOLE_NOT_EVALUATED;
        if (verdict == WHOLE_NOT_EVALUATED && !j->first_refusal[0])
            snprintf(j->first_refusal, sizeof j->first_refusal, "program %llu: %.200s", (unsigned long long)number,
                     why);
        if (verdict == WHOLE_DIFFERENT)
            ok = tell(j, &c, number, why);
    }
    whole_free(&c);
    return ok;
}

/* ---- digests ----------------------------------------------------------------------------------------------------- */

static void mask(const struct whole_case *c, const struct whole_answer *gp5, struct whole_answer *a)
{
    for (unsigned i = 0; i < WHOLE_PLACES; i++)
        for (size_t w = 0; w < c->size[i] / 4; w++)
            if (gp5->open[i][w] || gp5->uses)
                memset(a->data[i] + w * 4, 0, 4);
}

static bool one(struct whole_judge *j, uint64_t number, struct sha256 *sum)
{
    struct whole_case c = {0};
    struct whole_answer a = {0}, b = {0};
    bool ok = whole_grow(&j->settings, number, &c) && whole_evaluate_with(&c, j->semantics, j->model, &a) &&
              a.status == WHOLE_RAN;
    if (ok && j->driver)
        ok = other(j, &c, number, &b) && b.status == WHOLE_RAN;
    if (ok) {
        struct whole_answer *from = j->driver ? &b : &a;
        mask(&c, &a, from);
        sha256_add(sum, c.program.bytes, c.program.size);
        for (unsigned i = 1; i < WHOLE_PLACES; i++)
            sha256_add(sum, from->data[i], c.size[i]);
    }
    whole_answer_free(&a);
    whole_answer_free(&b);
    whole_free(&c);
    return ok;
}

bool whole_digest(struct whole_judge *j, uint64_t first, uint64_t count, char hex[65])
{
    struct sha256 sum;
    uint8_t digest[SHA256_BYTES];
    sha256_start(&sum);
    for (uint64_t i = 0; i < count; i++)
        if (!left_out(j, first + i) && !one(j, first + i, &sum))
            return false;
    sha256_end(&sum, digest);
    sha256_print(digest, hex);
    return true;
}
