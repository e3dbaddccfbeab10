/* Instructions of every graphics stage on a driver, or in a recording of one, and on the reference, word by word.
 *
 *   stage_sweep [--driver=KIND] [--dialect=avp|afp|vp10|... ] [--count=N] [--seed=N] [--record=FILE] [-v]
 *   stage_sweep --replay=FILE ...           what a driver gave then, instead of one
 *   stage_sweep --replay=FILE --digests=FILE ...    the same, and writes what of it is kept: a digest of each
 *   stage_sweep --check=FILE [--every=N]    the reference alone beside such digests
 *   stage_sweep --list ...                  the programs, a zero byte behind each
 *
 * A program of a few instructions by chance (stage_programs.h) runs on 64 elements, half of which are nasty words:
 * zeros, denormals, infinities, NaNs, whole numbers, halves. Undefined words are not compared. Where the driver is not
 * NVIDIA's, denormals of the same sign and zeros are alike, NaNs whatever their bits, and approximated functions are
 * compared by bounds (docs/numbers.md). Without --dialect all of them. The last line of each counts. */
#include "tests/tools/stage_programs.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 256 };

struct sweep {
    const struct dialect *d;
    struct program *programs;
    FILE *record, *replay, *digests;
    bool nvidia, verbose, list, ended;
    uint64_t cases, compared, undefined, different, refused;
};

static bool alike(const void *user, const struct subject_difference *d)
{
    const struct program *p = user;
    float x, y;

    if (subject_same(NULL, d))
        return true;
    memcpy(&x, &d->ours, 4);
    memcpy(&y, &d->theirs, 4);
    if (fabsf(x) < 1.2e-38f && fabsf(y) < 1.2e-38f)
        return true;
    return p->rough ? fabsf(x - y) <= 1e-4f * fmaxf(fabsf(x), fabsf(y)) + 1e-5f || (isinf(x) && isinf(y)) ||
                          isnan(x) != isnan(y)
                    : fabsf(x - y) <= 4e-7f * fmaxf(fabsf(x), fabsf(y)) + 1e-30f;
}

static void show(const struct program *p, const struct subject_verdict *v)
{
    printf("%s", p->text);
    if (*v->message)
        printf("%s\n", v->message);
    for (unsigned i = 0; i < 3 && i < v->different && v->first[i].binding; i++) {
        const struct subject_difference *f = &v->first[i];
        printf("%s.%c [%zu]: %08x, the driver %08x; of", f->binding, "xyzw"[f->component % 4], f -> element, f -> ours,
               f -> theirs);
        for (unsigned m = 0; m < PROGRAM_INPUTS && f->element < PROGRAM_ELEMENTS; m++)
            printf(" (%08x %08x %08x %08x)", p->words[m][f->element * 4], p->words[m][f->element * 4 + 1],
                   p->words[m][f->element * 4 + 2], p->words[m][f->element * 4 + 3]);
        puts("");
    }
}

/* One that is kept: its digest, and '=' where the reference gives the same, 'x' where it is known not to, '-' where the
 * driver did not run it. */
static void keep(struct sweep *s, const struct program *p, const struct subject_got *got, char mark)
{
    uint32_t digest = mark == '-' ? 0 : subject_digest(&p->subject, got);

    if (!s->digests)
        return;
    if (mark == '=' && digest != subject_own_digest(&p->subject, GP5_SEMANTICS_NVIDIA))
        mark = 'x';             /* other points of a tessellated patch */
    fwrite(&digest, sizeof digest, 1, s->digests);
    fputc(mark, s->digests);
}

static void judge(struct sweep *s, const struct program *p, const struct subject_got *got, const char *said)
{
    struct subject_verdict v;

    s->cases++;
    if (got->status != DRIVER_RAN) {
        s->refused++;
        if (s->verbose)
            printf("%s%s: %s\n", p->text, driver_status_name(got->status), said);
        keep(s, p, got, '-');
        return;
    }
    subject_compare(&p->subject, s->nvidia ? GP5_SEMANTICS_NVIDIA : GP5_SEMANTICS_SPEC, got,
                    s->nvidia ? subject_same : alike, p, &v);
    s->compared += v.compared;
    s->undefined += v.undefined;
    keep(s, p, got, v.ran && !v.different ? '=' : 'x');
    if (v.ran && !v.different)
        return;
    s->different++;
    show(p, &v);
}

static bool compare(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct sweep *s = user;
    struct subject_got got;

    (void)c;
    subject_take(&s->programs[index].subject, r, &got);
    if (s->record) {
        subject_write(s->record, &s->programs[index].subject, &got);
        if (got.status != DRIVER_RAN)
            fprintf(stderr, "%s%s: %s %s\n", s->programs[index].text, driver_status_name(r->status), r->message,
                    r->detail);
    } else {
        judge(s, &s->programs[index], &got, *r->message ? r->message : r->detail);
    }
    return true;
}

static bool replay(struct sweep *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct subject_got got;
        uint32_t hash;
        uint8_t *data = subject_read(s->replay, &hash, &got);

        if (!data || hash != subject_hash(&s->programs[i].subject)) {
            fprintf(stderr, "the recording is not of these programs, or at its end\n");
            free(data);
            s->ended = true;
            return false;
        }
        judge(s, &s->programs[i], &got, "");
        free(data);
    }
    return true;
}

static bool batch(struct sweep *s, struct driver *driver, struct random *r, size_t n)
{
    struct driver_case *cases = calloc(n, sizeof *cases);
    bool ok = cases != NULL;

    for (size_t i = 0; ok && i < n; i++) {
        program_make(&s->programs[i], r, s->d, !s->nvidia);
        cases[i] = s->programs[i].subject.c;
        if (s->list)
            fwrite(s->programs[i].text, 1, s->programs[i].size + 1, stdout);
    }
    ok = ok && (s->list || (s->replay ? replay(s, n) : driver_run(driver, cases, n, compare, s)));
    free(cases);
    return ok;
}

static bool sweep(struct sweep *s, struct driver *driver, uint64_t seed, size_t count)
{
    struct random r = {seed};

    s->cases = s->compared = s->undefined = s->different = s->refused = 0;
    if (s->digests)
        fprintf(s->digests, "%s %llu %zu\n", dialect_name(s->d), (unsigned long long)seed, count);
    for (size_t done = 0; done < count && !s->ended; done += BATCH)
        if (!batch(s, driver, &r, count - done < BATCH ? count - done : BATCH) && !(s->ended && s->cases))
            return false;
    if (s->list)
        return true;
    printf("%s: %llu cases, %llu words compared, %llu undefined, %llu different, %llu refused\n", dialect_name(s->d),
           (unsigned long long)s->cases, (unsigned long long)s->compared, (unsigned long long)s->undefined,
           (unsigned long long)s->different, (unsigned long long)s->refused);
    return true;
}

/* Of a file of digests: for each dialect a line, "avp 101 2000" (its seed, how many), and digests with their marks. */
static int check_digests(const char *path, size_t every)
{
    FILE *in = fopen(path, "rb");
    struct program *p = malloc(sizeof *p);
    char name[16];
    unsigned long long seed;
    size_t count, wrong = 0, checked = 0, known = 0;

    while (in && p && fscanf(in, "%15s %llu %zu", name, &seed, &count) == 3 && fgetc(in) == '\n') {
        const struct dialect *d = dialect_find(name);
        struct random r = {seed};
        for (size_t i = 0; d && i < count; i++) {
            uint32_t digest;
            program_make(p, &r, d, false);
            if (fread(&digest, sizeof digest, 1, in) != 1)
                return 2;
            int mark = fgetc(in);
            known += mark == 'x';
            if (mark == '-' || i % every)
                continue;
            bool same = subject_own_digest(&p->subject, GP5_SEMANTICS_NVIDIA) == digest;
            checked++;
            if (same == (mark == '='))
                continue;
            wrong++;
            printf("%s %zu: %s\n%s", name, i, same ? "is the driver's now" : "is not the driver's", p->text);
        }
    }
    bool ended = in && feof(in);
    if (in)
        fclose(in);
    free(p);
    printf("%zu checked, %zu known to differ, %zu wrong\n", checked, known, wrong);
    return !ended || !checked ? 2 : wrong != 0;
}

static bool open_driver(struct sweep *s, const struct driver_options *open, struct driver **driver, int *status)
{
    char *reason;
    enum driver_open_status opened = driver_open(open, driver, &reason);

    if (opened != DRIVER_OPENED) {
        fprintf(stderr, "%s\n", reason);
        *status = opened == DRIVER_NO_CONTEXT ? 77 : 2;
        return false;
    }
    s->nvidia = strstr(driver_describe(*driver)->vendor, "NVIDIA") != NULL;
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"driver", required_argument, NULL, 'd'},
                                            {"dialect", required_argument, NULL, 'p'},
                                            {"count", required_argument, NULL, 'n'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"record", required_argument, NULL, 'r'},
                                            {"replay", required_argument, NULL, 'R'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"digests", required_argument, NULL, 'D'},
                                            {"check", required_argument, NULL, 'c'},
                                            {"every", required_argument, NULL, 'e'},
                                            {0}};
    struct driver_options open = {.context = NULL};
    struct sweep s = {.nvidia = true};
    struct driver *driver = NULL;
    const char *dialect = NULL, *record = NULL, *replayed = NULL, *digests = NULL, *check = NULL;
    uint64_t seed = 1, different = 0;
    size_t count = 1000, every = 1;
    int c, status = 0;

    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1)
        switch (c) {
        case 'd': open.context = optarg; break;
        case 'p': dialect = optarg; break;
        case 'n': count = strtoul(optarg, NULL, 10); break;
        case 's': seed = strtoul(optarg, NULL, 10); break;
        case 'r': record = optarg; break;
        case 'R': replayed = optarg; break;
        case 'D': digests = optarg; break;
        case 'c': check = optarg; break;
        case 'e': every = strtoul(optarg, NULL, 10); break;
        case 'l': s.list = true; break;
        case 'v': s.verbose = true; break;
        default: return 2;
        }
    if (check)
        return check_digests(check, every ? every : 1);
    s.digests = digests ? fopen(digests, "ab") : NULL;
    s.programs = calloc(BATCH, sizeof *s.programs);
    s.record = record ? fopen(record, "wb") : NULL;
    s.replay = replayed ? fopen(replayed, "rb") : NULL;
    if (!s.programs || (dialect && !dialect_find(dialect)) || (record && !s.record) || (replayed && !s.replay) ||
        (!replayed && !s.list && !open_driver(&s, &open, &driver, &status)))
        return status ? status : 2;
    for (size_t i = 0; (s.d = dialect_at(i)) && status != 2; i++) {
        if (dialect && s.d != dialect_find(dialect))
            continue;
        if (!sweep(&s, driver, seed, count))
            status = 2;
        different += s.different;
    }
    if ((s.record && fclose(s.record)) || (s.digests && fclose(s.digests)) || (s.replay && fclose(s.replay)))
        status = 2;
    driver_close(driver);
    free(s.programs);
    return status ? status : different != 0;
}
