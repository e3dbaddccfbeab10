/* Sorting, and searching what is sorted, by halves. */
#include "model/ir/bsearch.h"

uint32_t model_first_that(uint32_t count, search_test *holds, const void *user)
{
    uint32_t first = 0, last = count;

    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (holds(user, middle))
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

struct sorted {
    const uint32_t *list;
    uint32_t least;
};

static bool is_not_below(const void *user, uint32_t i)
{
    const struct sorted *s = user;

    return s->list[i] >= s->least;
}

uint32_t model_first_from(const uint32_t *list, uint32_t n, uint32_t least)
{
    return model_first_that(n, is_not_below, &(struct sorted){list, least});
}

uint32_t model_lengths_to_places(uint32_t *of, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t length = of[i + 1];
        of[i + 1] = sum;
        sum += length;
    }
    return sum;
}
