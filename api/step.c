/* Looking on: an observer's calls, and what they read of a warp. */
#include "api/step.h"

#include <string.h>

struct gp5_step {
    const struct warp *warp;
    uint32_t insn;
};

static void tell(struct step_watch *watch, bool (*call)(void *, const gp5_step *), const struct warp *w, uint32_t insn)
{
    struct gp5_step step = {w, insn};

    if (call && !watch->stop && !call(watch->given.user, &step))
        watch->stop = true;
}

static void before(void *user, const struct warp *w, uint32_t insn)
{
    struct step_watch *watch = user;
    tell(watch, watch->given.before, w, insn);
}

static void after(void *user, const struct warp *w, uint32_t insn)
{
    struct step_watch *watch = user;
    tell(watch, watch->given.after, w, insn);
}

const struct eval_observer *step_watch(struct step_watch *watch, const struct gp5_observer *given)
{
    watch->given = *given;
    watch->stop = false;
    watch->observer = (struct eval_observer){.user = watch, .before = before, .after = after, .stop = &watch->stop};
    return &watch->observer;
}

void gp5_step_place(const gp5_step *step, struct gp5_step_place *out)
{
    const struct warp *w = step->warp;

    *out = (struct gp5_step_place){.instruction = step->insn, .group = w->worker->group, .warp = w->index,
                                   .exist = w->exist, .live = w->live, .active = w->active, .executed = w->executed};
}

static bool is_component(const struct plane_name *name, size_t symbol, uint32_t element, unsigned component)
{
    return name->symbol != NO_INDEX && name->symbol == symbol && name->element == element &&
           name->component == component;
}

bool gp5_step_read(const gp5_step *step, size_t symbol, uint32_t element, unsigned component, uint32_t words[32],
                   uint32_t high[32], uint32_t *undefined)
{
    const struct warp *w = step->warp;
    const struct gp5_executable *x = w->x;
    size_t size = WARP_LANES * sizeof *words;

    for (uint32_t plane = 0; plane < x->nplanes; plane++) {
        if (!is_component(&x->names[plane], symbol, element, component))
            continue;
        /* One of 64 bits has two planes of one name, the low half first. */
        bool wide = plane + 1 < x->nplanes && is_component(&x->names[plane + 1], symbol, element, component);
        memcpy(words, PLANE(w->base, plane), size);
        if (high && wide)
            memcpy(high, PLANE(w->base, plane + 1), size);
        else if (high)
            memset(high, 0, size);
        if (undefined)
            *undefined = w->shadow ? x->planes->nonzero(PLANE(w->shadow, plane), NULL) & w->exist : 0;
        return true;
    }
    return false;
}

bool gp5_step_condition(const gp5_step *step, unsigned code, unsigned component, struct gp5_condition *out)
{
    if (code > 1 || component > 3)
        return false;
    const struct flags *f = &step->warp->cc[code];
    *out = (struct gp5_condition){f->s[component], f->z[component], f->c[component], f->o[component]};
    return true;
}

const uint8_t *gp5_step_shared(const gp5_step *step, size_t *size)
{
    const struct memory *m = &step->warp->worker->shared;

    *size = m->size;
    return m->size ? m->data : NULL;
}
