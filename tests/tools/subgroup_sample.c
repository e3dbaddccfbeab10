/* What tests of the subgroup operations try: groups, operands, values of all kinds. */
#include "tests/tools/subgroup_sample.h"

#include <string.h>

enum { MAX = GP5_SUBGROUP_MAX_SIZE };

static uint64_t state = 0x9e3779b97f4a7c15;

uint64_t sample_chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned sample_below(unsigned n)
{
    return (unsigned)((sample_chance() >> 32) % n);
}

bool sample_active(const struct gp5_subgroup *g, unsigned lane)
{
    return g->active.word[lane / 32] >> lane % 32 & 1;
}

void sample_activate(struct gp5_subgroup *g, unsigned lane)
{
    g->active.word[lane / 32] |= UINT32_C(1) << lane % 32;
}

void sample_group(struct sample *s, unsigned size, unsigned round)
{
    unsigned kind = round < 3 ? round : sample_below(8), lanes;

    memset(&s->group, 0, sizeof s->group);
    s->group.size = size;
    s->group.lanes = sample_below(6) ? 0 : 1 + sample_below(size);
    lanes = s->group.lanes ? s->group.lanes : size;
    for (unsigned i = 0; i < lanes; i++) {
        bool on = kind == 0 || kind == 3 ? true                /* all */
                  : kind == 1            ? sample_below(2)            /* about half */
                  : kind == 2            ? i == lanes - 1      /* one */
                  : kind == 4            ? i % 2 == 1
                  : kind == 5            ? i >= lanes / 2
                  : kind == 6            ? sample_below(8) != 0
                                         : sample_below(8) == 0;
        if (on)
            sample_activate(&s->group, i);
    }
    s->group.count = sample_below(9);
    s->group.id = s->group.count ? sample_below(s->group.count) : 0;
    if (!sample_below(4))
        for (s->group.max_size = size; s->group.max_size < MAX && sample_below(2);)
            s->group.max_size *= 2;
}

uint64_t sample_nasty_float(enum gp5_subgroup_type type)
{
    static const double numbers[] = { 0, -0.0, 1, -1, 1.5, 3, 1e-3, 1024, 65504, 1e-7, 3e38, -3e38, 1e-40, 1e300,
     5e-324 };
    double x = sample_below(3) ? numbers[sample_below(sizeof numbers / sizeof *numbers)]
                               : (double)(int)(sample_below(2001) - 1000) / 8;
    float f = (float)x;
    uint64_t bits = sample_chance();
    uint32_t word;

    if (!sample_below(3))
        return bits;
    if (!sample_below(12))
        return type == GP5_SUBGROUP_F16 ? 0x7e01 : type == GP5_SUBGROUP_F32 ? 0x7fc00001 : 0xfff8000000000002;
    if (!sample_below(12))
        return type == GP5_SUBGROUP_F16 ? 0xfc00 : type == GP5_SUBGROUP_F32 ? 0x7f800000 : 0xfff0000000000000;
    if (type == GP5_SUBGROUP_F64) {
        memcpy(&bits, &x, 8);
        return bits;
    }
    memcpy(&word, &f, 4);
    return type == GP5_SUBGROUP_F32 ? word : (word >> 16 & 0x8000) | (word >> 13 & 0x3fff);
}

void sample_put(void *array, size_t bytes, size_t at, uint64_t v)
{
    uint8_t b = (uint8_t)v;
    uint16_t h = (uint16_t)v;
    uint32_t w = (uint32_t)v;
    const void *from = bytes == 1   ? (const void *)&b
                       : bytes == 2 ? (const void *)&h
                       : bytes == 4 ? (const void *)&w
                                    : &v;
    memcpy((uint8_t *)array + at * bytes, from, bytes);
}

uint64_t sample_get(const void *array, size_t bytes, size_t at)
{
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t d;
    const uint8_t *from = (const uint8_t *)array + at * bytes;
    switch (bytes) {
    case 1: memcpy(&b, from, 1); return b;
    case 2: memcpy(&h, from, 2); return h;
    case 4: memcpy(&w, from, 4); return w;
    default: memcpy(&d, from, 8); return d;
    }
}

void sample_values(struct sample *s, enum gp5_subgroup_type type)
{
    size_t bytes = gp5_subgroup_type_size(type);
    unsigned kind = sample_below(5);
    uint64_t few[3];

    s->in.type = type;
    s->in.components = sample_below(3) ? 0 : 1 + sample_below(4);
    s->in.value = s->value;
    s->in.order = sample_below(3) ? GP5_SUBGROUP_SEQUENTIAL : GP5_SUBGROUP_DOUBLING;
    for (int i = 0; i < 3; i++)
        few[i] = type >= GP5_SUBGROUP_F16 ? sample_nasty_float(type) : sample_chance();
    for (unsigned i = 0; i < (s->in.components ? s->in.components : 1) * s->group.size; i++)
        sample_put(s->value, bytes, i,
            kind == 0   ? few[sample_below(3)]         /* several lanes alike */
            : kind == 1 ? few[0]
            : kind == 2 ? sample_below(3)
            : type >= GP5_SUBGROUP_F16 ? sample_nasty_float(type)
                        : sample_chance() >> sample_below(64));
}

void sample_index(struct sample *s)
{
    unsigned kind = sample_below(6), size = s->group.size;
    uint64_t one = sample_below(3)   ? sample_below(size)
                   : sample_below(2) ? sample_below(2 * size + 2)
                                     : sample_chance() >> sample_below(64);

    if (!sample_below(8))
        one = UINT64_MAX - sample_below(size);     /* sums that wrap */
    s->in.index = s->index;
    for (unsigned i = 0; i < size; i++)
        s->index[i] = kind < 3    ? one
                      : kind == 3 ? sample_below(size)
                      : kind == 4 ? sample_below(2 * size + 2)
                                  : sample_chance() >> sample_below(64);
    if (kind == 0)      /* what lanes that are not active hold does not matter */
        for (unsigned i = 0; i < size; i++)
            if (!sample_active(&s->group, i))
                s->index[i] = sample_chance();
}

void sample_ballots(struct sample *s)
{
    unsigned kind = sample_below(8), size = s->group.size, lanes = s->group.lanes ? s->group.lanes : size;
    unsigned label[MAX], labels = 1 + sample_below(sample_below(2) ? 3 : size);
    struct gp5_ballot any = {
        {(uint32_t)sample_chance(), (uint32_t)sample_chance(), (uint32_t)sample_chance(), (uint32_t)sample_chance()}};

    s->in.ballot = s->ballot;
    memset(s->ballot, 0, sizeof s->ballot);
    if (!sample_below(6))
        memset(&any, 0, sizeof any);
    for (unsigned i = 0; i < lanes; i++)
        label[i] = sample_below(labels);
    for (unsigned i = 0; i < size; i++) {
        if (kind == 0)
            s->ballot[i] = any;         /* the same everywhere */
        else if (kind == 1)
            for (int w = 0; w < 4; w++)
                s->ballot[i].word[w] = (uint32_t)sample_chance();
        else        /* a partition by labels; lanes that are not active may be named or not, all members agree on it */
            for (unsigned j = 0; i < lanes && j < lanes; j++)
                if (label[i] == label[j] && (sample_active(&s->group, j) || kind % 2))
                    s->ballot[i].word[j / 32] |= UINT32_C(1) << j % 32;
    }
    if (kind == 2) {        /* one bit wrong */
        unsigned bit = sample_below(size);
        s->ballot[sample_below(size)].word[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
    if (kind == 3 && lanes < MAX) {     /* bits that stand for no invocation */
        unsigned bit = lanes + sample_below(MAX - lanes);
        s->ballot[sample_below(size)].word[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
}

void sample_rest(struct sample *s)
{
    unsigned size = s->group.size;
    s->in.width = s->width;
    s->in.cluster = sample_below(4)   ? UINT64_C(1) << sample_below(8)
                    : sample_below(2) ? sample_below(size + 2)
                                      : sample_chance();
    for (unsigned i = 0; i < size; i++)
        s->width[i] = sample_below(6)   ? UINT64_C(2) << sample_below(5)
                      : sample_below(2) ? sample_below(70)
                                        : sample_chance();
    if (sample_below(2))
        for (unsigned i = 1; i < size; i++)
            s->width[i] = s->width[0];
}

struct gp5_subgroup sample_whole(unsigned size)
{
    struct gp5_subgroup g = { .size = size };
    for (unsigned i = 0; i < size; i++)
        sample_activate(&g, i);
    return g;
}
