#include "compare/script/sampler.h"

#include "compare/script/number.h"
#include "compare/driver/texture_words.h"

#include <string.h>

struct request {
    struct gp5_sampler *s;
    char *const *words;
    size_t count, *wrong;
};

static const char *word_at(struct request *r, size_t at, enum texture_word what, unsigned limit, uint8_t *to)
{
    int found = at < r->count ? texture_word_find(what, r->words[at], strlen(r->words[at])) : -1;
    *r->wrong = at;
    if (found < 0 || (unsigned)found >= limit)
        return at < r->count ? "no such word for a sampler" : "a word is missing here";
    *to = (uint8_t)found;
    return NULL;
}

static const char *bits_at(struct request *r, size_t at, uint32_t *bits)
{
    uint64_t value;
    *r->wrong = at;
    if (at >= r->count)
        return "a number is missing here";
    if (!number_parse(NUMBER_F32, r->words[at], &value))
        return "expected a number";
    *bits = (uint32_t)value;
    return NULL;
}

static const char *float_at(struct request *r, size_t at, float *to)
{
    uint32_t bits = 0;
    const char *error = bits_at(r, at, &bits);
    if (!error)
        memcpy(to, &bits, sizeof *to);
    return error;
}

static const char *no_more(struct request *r, size_t count)
{
    *r->wrong = count;
    return r->count > count ? "nothing more is expected here" : NULL;
}

/* One word for all directions, or one for each. */
static const char *set_wrap(struct request *r)
{
    size_t given = r->count > 2 ? 3 : 1;
    for (size_t i = 0; i < 3; i++) {
        const char *error = word_at(r, given == 3 ? 1 + i : 1, TEXTURE_WRAP, GP5_WRAPS, &r->s->wrap[i]);
        if (error)
            return error;
    }
    return no_more(r, 1 + given);
}

static const char *set_border(struct request *r)
{
    for (size_t i = 0; i < 4; i++) {
        const char *error = bits_at(r, 1 + i, &r->s->border[i]);
        if (error)
            return error;
    }
    return no_more(r, 5);
}

/* Luminance is (d, d, d, 1), intensity (d, d, d, d). */
static const char *set_depth_mode(struct request *r)
{
    const char *word = r->count > 1 ? r->words[1] : "";
    *r->wrong = 1;
    if (strcmp(word, "luminance") && strcmp(word, "intensity"))
        return "expected luminance or intensity";
    r->s->intensity = !strcmp(word, "intensity");
    return no_more(r, 2);
}

static const char *set_seamless(struct request *r)
{
    const char *word = r->count > 1 ? r->words[1] : "";
    *r->wrong = 1;
    if (strcmp(word, "on") && strcmp(word, "off"))
        return "expected on or off";
    r->s->seamless = !strcmp(word, "on");
    return no_more(r, 2);
}

const char *sampler_set(struct gp5_sampler *s, char *const *words, size_t count, size_t *wrong)
{
    struct request r = { s, words, count, wrong };
    const char *name = count ? words[0] : "", *error;
    static const char axes[] = "str";
    if (!strcmp(name, "min"))
        error = word_at(&r, 1, TEXTURE_FILTER, GP5_FILTERS, &s->min_filter);
    else if (!strcmp(name, "mag"))
        error = word_at(&r, 1, TEXTURE_FILTER, GP5_FILTER_LINEAR + 1, &s->mag_filter);
    else if (!strcmp(name, "compare"))
        error = word_at(&r, 1, TEXTURE_COMPARE, GP5_COMPARES, &s->compare);
    else if (!strcmp(name, "depth_mode"))
        return set_depth_mode(&r);
    else if (!strcmp(name, "min_lod"))
        error = float_at(&r, 1, &s->min_lod);
    else if (!strcmp(name, "max_lod"))
        error = float_at(&r, 1, &s->max_lod);
    else if (!strcmp(name, "bias"))
        error = float_at(&r, 1, &s->bias);
    else if (!strncmp(name, "wrap_", 5) && name[5] && strchr(axes, name[5]) && !name[6])
        error = word_at(&r, 1, TEXTURE_WRAP, GP5_WRAPS, &s->wrap[strchr(axes, name[5]) - axes]);
    else if (!strcmp(name, "wrap"))
        return set_wrap(&r);
    else if (!strcmp(name, "border"))
        return set_border(&r);
    else if (!strcmp(name, "seamless"))
        return set_seamless(&r);
    else {
        *wrong = 0;
        return "expected min, mag, wrap, compare, depth_mode, border, min_lod, max_lod, bias or seamless";
    }
    return error ? error : no_more(&r, 2);
}
