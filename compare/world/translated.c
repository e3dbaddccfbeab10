/* Programs as the driver gets them with --translate: shaders, in the place of what the script says. */
#include "compare/world/world.h"

#include <string.h>

struct translation {
    struct world *w;
    struct world_shader *shader;
    char why[400];
};

static bool take(void *user, const char *bytes, size_t size)
{
    struct translation *t = user;

    t->shader->text = arena_copy(&t->w->result->arena, bytes, size);
    t->shader->size = size;
    return t->shader->text != NULL;
}

static bool tell(void *user, const struct gp5_diagnostic *d)
{
    struct translation *t = user;
    const struct world_shader *s = t->shader;

    snprintf(t->why, sizeof t->why, "not translated: line %zu: %.300s", s->before + d->line, d->message);
    return true;
}

/* Rows of gp5_state are what nobody gives to the shader. */
static bool look(void *user, const struct gp5_interface_entry *e)
{
    struct translation *t = user;

    if (e->kind == GP5_INTERFACE_PARAMETER && !strcmp(e->name, "gp5_state"))
        snprintf(t->why, sizeof t->why, "not translated: %.100s is no built-in of GLSL", e->binding);
    return true;
}

/* Without a translation the driver does not run, and the test says why. */
static bool translate(struct world *w, const struct reference *r, struct world_shader *shader)
{
    struct translation t = {.w = w, .shader = shader};
    struct gp5_translate_options how = {.size = sizeof how, .to = w->options->language, .write = take, .each = tell,
                                        .entry = look, .user = &t};

    shader->before = r->before;
    enum gp5_translated answer = r->program ? gp5_translate(r->program, &how) : GP5_TRANSLATE_NO_MEMORY;
    if (answer == GP5_TRANSLATED && !*t.why)
        return true;
    if (answer == GP5_TRANSLATE_INVALID)
        snprintf(t.why, sizeof t.why, "not translated: the program is invalid");
    else if (!*t.why)
        snprintf(t.why, sizeof t.why, "not translated: out of memory");
    w->result->driver_note = world_keep(w, t.why);
    w->alive[DRIVER] = false;
    w->driver_skipped = true;
    return false;
}

void world_translate(struct world *w)
{
    bool ok = w->options->translate && w->alive[DRIVER];

    if (ok && !w->program->fixed)
        ok = translate(w, &w->reference, &w->shaders[w->program->stage]);
    for (int i = 0; ok && w->script->pipeline && i < DRIVER_STAGES; i++)
        if (w->script->stages[i].text)
            ok = translate(w, &w->stages[i], &w->shaders[i]);
}
