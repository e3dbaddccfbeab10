/* What becomes wanted in a block that is looked at again: from each variable that is wanted behind it now to what wrote
 * it last, and so on from what that reads. What an instruction needs for several variables is what it needs for each of
 * them. */
#include "model/analysis/liveness_delta.h"

#include "model/analysis/liveness_solve.h"

#include <string.h>

static void list_one(void *user, uint32_t i, uint32_t variable)
{
    model_list_variable(user, i, variable);
}

static void add_writes(struct list_filling *f, const struct liveness *l, uint32_t i)
{
    model_live_each_written(l, i, list_one, f);
}

bool model_live_more_begin(struct live_more *m, struct liveness *l)
{
    size_t n = l->p->insns.count + (size_t)1;

    *m = (struct live_more){.l = l, .here = gp5_malloc(n * sizeof *m->here)};
    vec_init(&m->open, sizeof(struct live_place));
    vec_init(&m->added, sizeof(uint32_t));
    if (m->here)
        memset(m->here, 0, n * sizeof *m->here);
    return m->here != NULL;
}

void model_live_more_end(struct live_more *m)
{
    model_list_free(&m->writes);
    gp5_free(m->here);
    vec_free(&m->open);
    vec_free(&m->added);
}

static void open_place(struct live_more *m, uint32_t variable, uint32_t before)
{
    size_t at = vec_grow(&m->open);

    if (at == SIZE_MAX)
        m->l->failed = true;
    else
        *(struct live_place *)vec_at(&m->open, at) = (struct live_place){variable, before};
}

struct adding {
    struct live_more *m;
    size_t most;
};

static bool add_variable(void *user, uint32_t variable)
{
    const struct adding *a = user;
    size_t at = a->m->added.count < a->most ? vec_grow(&a->m->added) : SIZE_MAX;

    if (at == SIZE_MAX)
        return false;
    *(uint32_t *)vec_at(&a->m->added, at) = variable;
    return true;
}

/* One variable before a place in a block that begins there: false where an instruction reads too much to say it in
 * short. */
static bool come_to(struct live_more *m, struct live_place at, uint32_t first, struct shared_bits *begin)
{
    struct liveness *l = m->l;
    uint32_t i = model_last_before(&m->writes, at.variable, at.before);
    struct wanted w = {.few = {at.variable}, .n = 1};
    uint8_t useful;

    if (i == NO_INDEX || i < first) {
        shared_bits_add(begin, at.variable);
        return true;
    }
    useful = model_live_before(l, i, &w);
    if (w.more)
        return false;
    if (w.here && !(w.here & ~m->here[i]))
        return true;            /* it came here before */
    m->here[i] |= w.here;
    l->flags[i] |= w.flags;
    for (unsigned k = 0; k < w.n; k++)
        if (w.few[k] == at.variable || useful & ~l->useful[i])
            open_place(m, w.few[k], i);
    l->useful[i] |= useful;
    return true;
}

bool model_live_more(struct live_more *m, uint32_t block, const struct shared_bits *before,
                     const struct shared_bits *now, struct shared_bits *begin)
{
    struct liveness *l = m->l;
    uint32_t first = l->start[block], end = l->start[block + 1];
    struct adding a = {m, end - first};
    bool ok;

    if (!m->writes.list && !model_fill_list(l, &m->writes, add_writes)) {
        l->failed = true;
        return false;
    }
    m->added.count = m->open.count = 0;
    ok = shared_bits_each_more(now, before, add_variable, &a);
    for (size_t k = 0; ok && k < m->added.count; k++) {
        open_place(m, *(uint32_t *)vec_at(&m->added, k), end);
        while (ok && m->open.count && !l->failed)
            ok = come_to(m, *(struct live_place *)vec_at(&m->open, --m->open.count), first, begin);
    }
    return ok;
}
