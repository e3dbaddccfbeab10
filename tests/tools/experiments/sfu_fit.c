/* Fits the tables of the approximated functions (eval/numeric/sfu_rcp.def and its like) to dense sweeps of a driver.
 *
 *   sfu_fit TABLE FUNCTION START RAW [FUNCTION START RAW ...]
 *
 * RAW holds the result words for the floats whose bits are START, START + 1 ... Each FUNCTION is the
 * TABLE's own, but the SIN table takes COS as well.
 *
 * Each result of the driver bounds the polynomial at one place:
 *
 *   low <= c0 * scale + bias + c1 * x + c2 * square <= high
 *
 * For each segment every pair (c1, c2) near the parabola through three of its places is tried over all of its
 * results; what remains of the bounds is the interval of c0 * scale + bias. One bias has to serve all the
 * segments: the middle of the longest run of such is taken. Of the rows that fit, the one with the widest
 * interval is printed: they would all give the same results, as a sweep holds every place of a segment. */
#include "eval/numeric/sfu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { C1_REACH = 8, C2_REACH = 12 };

static const struct shape {
    const char *name, *array;
    unsigned segments, places;      /* places a segment */
    uint32_t scale;                 /* the weight of the unit of c0 */
    unsigned square_shift, x_shift; /* of the square; of x before squaring */
} shapes[] = {
    { "RCP", "rcp", 128, 1 << 16, 1 << 13, 0, 1 },
    { "RSQ", "rsq", 128, 1 << 17, 1 << 14, 2, 0 },
    { "EX2", "ex2", 64, 1 << 17, 1 << 13, 0, 0 },
    { "SIN", "sin", 64, 1 << 17, 1 << 11, 0, 0 },
    { "LG2", "lg2", 64, 1 << 17, 1 << 12, 1, 0 },
    { "SQRT", "sqrt", 128, 1 << 17, 1 << 14, 0, 0 },
};

struct bounds {
    int64_t low, high;
};

struct candidate {
    int32_t c1, c2;
    struct bounds constant;
};

struct candidates {
    struct candidate *items;
    size_t count;
};

/* ---- results to bounds --------------------------------------------------------------------------------- */

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fprintf(stderr, "sfu_fit: out of memory\n");
        exit(2);
    }
    return p;
}

static void narrow(struct bounds *b, int64_t low, int64_t high)
{
    b->low = low > b->low ? low : b->low;
    b->high = high < b->high ? high : b->high;
}

/* The fixed-point numbers of `point` fraction bits that are cut off to the magnitude of `word`. */
static struct bounds cut_to(uint32_t word, int point)
{
    int64_t m = (word & 0x7fffff) | 0x800000;
    int shift = (int)(word >> 23 & 255) - 150 + point;
    if ((word & ~SIGN32) == 0)
        return (struct bounds){ 0, 0 };
    if (shift < 0)
        return (struct bounds){ m >> -shift, m >> -shift };
    return (struct bounds){ m << shift, ((m + 1) << shift) - 1 };
}

static void take_rcp(struct bounds *all, uint32_t w, uint32_t result)
{
    int64_t f = (int64_t)result - (252 - (w >> 23)) * 0x800000ll;
    narrow(&all[w & 0x7fffff], f << 15, (f << 15) + 0x7fff);
}

static void take_rsq(struct bounds *all, uint32_t w, uint32_t result)
{
    uint32_t e = w >> 23, m = (w & 0x7fffff) | (~e & 1) << 23;
    int64_t f = (int64_t)result - (189 - ((e + 1) >> 1)) * 0x800000ll;
    if (m)
        narrow(&all[m], f << 16, (f << 16) + 0xffff);
}

/* Of [1, 2) only, where the fixed-point number holds every bit of the operand. */
static void take_ex2(struct bounds *all, uint32_t w, uint32_t result)
{
    int64_t f = (int64_t)result - 127 * 0x800000ll;
    if (w >> 23 == 127)
        narrow(&all[w & 0x7fffff], f << 15, (f << 15) + 0x7fff);
}

/* Of [2^-7, 2) only: there no two operands are further apart than the fixed-point numbers. */
static void take_sin_cos(struct bounds *all, uint32_t w, uint32_t result, uint32_t quarters)
{
    uint32_t e = w >> 23 & 255;
    uint64_t product = (uint64_t)((w & 0x7fffff) | 0x800000) * 0xa2f983;
    struct bounds b = cut_to(result, 37);
    if (e < 120 || e > 127)
        return;
    uint32_t fixed = (uint32_t)(product >> (151 - e)) + quarters * 0x800000;
    fixed = fixed & 0x800000 ? ~fixed : fixed;
    narrow(&all[fixed & 0x7fffff], b.low, b.high);
}

static void take_sin(struct bounds *all, uint32_t w, uint32_t result)
{
    take_sin_cos(all, w, result, 0);
}

static void take_cos(struct bounds *all, uint32_t w, uint32_t result)
{
    take_sin_cos(all, w, result, 1);
}

static void take_lg2(struct bounds *all, uint32_t w, uint32_t result)
{
    struct bounds b = cut_to(result, 36);
    if (result >> 31)
        b = (struct bounds){ ~b.high, ~b.low };
    int64_t integer = ((int64_t)(w >> 23) - 127) * (1ll << 36);
    if (w != ONE32)
        narrow(&all[w & 0x7fffff], (b.low - integer) * 4, (b.high - integer) * 4 + 3);
}

/* Of [1, 4) only. */
static void take_sqrt(struct bounds *all, uint32_t w, uint32_t result)
{
    uint32_t m = (w & 0x7fffff) | (~(w >> 23) & 1) << 23;
    int64_t f = (int64_t)result - 126 * 0x800000ll;
    if (m)
        narrow(&all[m], f << 17, (f << 17) + 0x1ffff);
}

typedef void taker(struct bounds *all, uint32_t w, uint32_t result);

static const struct {
    const char *function, *table;
    taker *take;
} takers[] = {
    { "RCP", "RCP", take_rcp }, { "RSQ", "RSQ", take_rsq }, { "EX2", "EX2", take_ex2 },
    { "SIN", "SIN", take_sin }, { "COS", "SIN", take_cos }, { "LG2", "LG2", take_lg2 },
    { "SQRT", "SQRT", take_sqrt },
};

static taker *taker_of(const char *function, const char *table)
{
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        if (!strcmp(function, takers[i].function) && !strcmp(table, takers[i].table))
            return takers[i].take;
    }
    return NULL;
}

static int read_sweep(taker *take, struct bounds *all, uint32_t start, const char *path)
{
    FILE *f = fopen(path, "rb");
    uint32_t word;
    if (!f) {
        perror(path);
        return 2;
    }
    for (uint32_t w = start; fread(&word, 4, 1, f) == 1; w++)
        take(all, w, word);
    fclose(f);
    return 0;
}

/* ---- one segment --------------------------------------------------------------------------------------- */

static struct bounds constant_of(const struct bounds *b, const int32_t *square, unsigned places, int64_t c1,
                                 int64_t c2)
{
    struct bounds constant = { INT64_MIN, INT64_MAX };
    for (unsigned chunk = 0; chunk < places && constant.low <= constant.high; chunk += 1024) {
        for (unsigned x = chunk; x < chunk + 1024; x++) {
            int64_t p = c1 * x + c2 * square[x];
            narrow(&constant, b[x].low - p, b[x].high - p);
        }
    }
    return constant;
}

/* The places that no result bounds stay within +-2^60, so that no sum overflows. */
static int bounded(const struct bounds *b)
{
    return b->low > -(1ll << 59) && b->high < 1ll << 59;
}

static struct candidates fit_segment(const struct bounds *b, const int32_t *square, unsigned places)
{
    struct candidates found = { allocate((2 * C1_REACH + 1) * (2 * C2_REACH + 1), sizeof *found.items), 0 };
    unsigned at[3] = { 1, places / 2, places - 1 };
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = bounded(&b[at[k]]) ? ((double)b[at[k]].low + (double)b[at[k]].high) / 2 : NAN;
    double slope1 = (p[1] - p[0]) / (at[1] - at[0]), slope2 = (p[2] - p[1]) / (at[2] - at[1]);
    double bend1 = (double)(square[at[1]] - square[at[0]]) / (at[1] - at[0]);
    double bend2 = (double)(square[at[2]] - square[at[1]]) / (at[2] - at[1]);
    double middle2 = (slope2 - slope1) / (bend2 - bend1);
    if (isnan(middle2))
        return found;
    int64_t first2 = llrint(middle2) - C2_REACH;
    for (int64_t c2 = first2; c2 <= first2 + 2 * C2_REACH; c2++) {
        double rise = p[2] - p[0] - (double)c2 * (square[at[2]] - square[at[0]]);
        int64_t first1 = llrint(rise / (at[2] - at[0])) - C1_REACH;
        for (int64_t c1 = first1; c1 <= first1 + 2 * C1_REACH; c1++) {
            struct bounds constant = constant_of(b, square, places, c1, c2);
            if (constant.low <= constant.high)
                found.items[found.count++] = (struct candidate){ (int32_t)c1, (int32_t)c2, constant };
        }
    }
    return found;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static int64_t width(struct bounds b)
{
    return b.high - b.low;
}

static int64_t floor_to(int64_t value, int64_t scale)
{
    return value - ((value % scale) + scale) % scale;
}

/* The least constant of the interval that is c0 * scale + bias, or high + 1. */
static int64_t with_bias(struct bounds constant, int64_t scale, int64_t bias)
{
    int64_t value = floor_to(constant.low - bias + scale - 1, scale) + bias;
    return value <= constant.high ? value : constant.high + 1;
}

static int serves(const struct candidates *c, int64_t scale, int64_t bias)
{
    for (size_t i = 0; i < c->count; i++) {
        if (with_bias(c->items[i].constant, scale, bias) <= c->items[i].constant.high)
            return 1;
    }
    return 0;
}

static int64_t choose_bias(const struct shape *s, const struct candidates *all)
{
    int64_t best = -1, length = 0, total = 0, run = 0;
    for (int64_t bias = 0; bias < s->scale; bias++) {
        unsigned i = 0;
        while (i < s->segments && serves(&all[i], s->scale, bias))
            i++;
        run = i == s->segments ? run + 1 : 0;
        total += run > 0;
        if (run > length) {
            length = run;
            best = bias - run / 2;
        }
    }
    printf("/* bias 0x%" PRIx64 ", 1 of %" PRId64 " that serve */\n", best, total);
    return best;
}

static void print_row(const struct candidates *c, int64_t scale, int64_t bias)
{
    const struct candidate *best = NULL;
    int64_t constant = 0;
    for (size_t i = 0; i < c->count; i++) {
        const struct candidate *item = &c->items[i];
        int64_t value = with_bias(item->constant, scale, bias);
        if (value <= item->constant.high && (!best || width(item->constant) > width(best->constant))) {
            best = item;
            constant = value + floor_to((item->constant.high - value) / 2, scale);
        }
    }
    printf("ROW(%" PRId64 ", %d, %d)\n", (constant - bias) / scale, best->c1, best->c2);
}

static int fit(const struct shape *s, const struct bounds *all)
{
    int32_t *square = allocate(s->places, sizeof *square);
    struct candidates *found = allocate(s->segments, sizeof *found);
    size_t least = SIZE_MAX, most = 0;
    int status = 0;
    for (unsigned x = 0; x < s->places; x++)
        square[x] = (int32_t)(sfu_square(x << s->x_shift) << s->square_shift);
    for (unsigned i = 0; i < s->segments; i++) {
        found[i] = fit_segment(all + (size_t)i * s->places, square, s->places);
        least = found[i].count < least ? found[i].count : least;
        most = found[i].count > most ? found[i].count : most;
        if (!found[i].count) {
            fprintf(stderr, "sfu_fit: %s: no row fits segment %u\n", s->name, i);
            status = 1;
        }
    }
    if (!status) {
        printf("/* %s: %zu to %zu pairs (c1, c2) fit a segment */\n", s->name, least, most);
        int64_t bias = choose_bias(s, found);
        status = bias < 0;
        for (unsigned i = 0; i < s->segments && !status; i++)
            print_row(&found[i], s->scale, bias);
    }
    for (unsigned i = 0; i < s->segments; i++)
        free(found[i].items);
    free(found);
    free(square);
    return status;
}

static int usage(void)
{
    fprintf(stderr, "usage: sfu_fit RCP|RSQ|EX2|SIN|LG2|SQRT FUNCTION START RAW [FUNCTION START RAW ...]\n");
    return 2;
}

int main(int argc, char **argv)
{
    const struct shape *s = NULL;
    for (size_t i = 0; argc > 4 && argc % 3 == 2 && i < sizeof shapes / sizeof *shapes; i++) {
        if (!strcmp(argv[1], shapes[i].name))
            s = &shapes[i];
    }
    if (!s)
        return usage();
    size_t count = (size_t)s->segments * s->places;
    struct bounds *all = allocate(count, sizeof *all);
    int status = 0;
    for (size_t i = 0; i < count; i++)
        all[i] = (struct bounds){ -(1ll << 60), 1ll << 60 };
    for (int i = 2; i < argc && !status; i += 3) {
        taker *take = taker_of(argv[i], s->name);
        status = take ? read_sweep(take, all, (uint32_t)strtoul(argv[i + 1], NULL, 0), argv[i + 2]) : usage();
    }
    if (!status)
        status = fit(s, all);
    free(all);
    return status;
}
