/* The programs of a pipeline: made ready when a test begins, given back at its end. */
#include "compare/world/world.h"

#include <string.h>

/* The script's programs of the other stages; without a vertex program the fixed function's. */
void draw_open(struct world *w)
{
    for (int i = 0; w->script->pipeline && i < DRIVER_STAGES; i++) {
        const struct script_program *p = &w->script->stages[i];
        bool fixed = i == DRIVER_VERTEX && !p->text;
        if (!p->text && !fixed)
            continue;
        reference_open(&w->stages[i], fixed ? reference_fixed_vertex : p->text,
                       fixed ? strlen(reference_fixed_vertex) : p->size, &w->options->run);
        w->stages[i].before = p->line;
        w->has_stage[i] = true;
        w->result->not_modelled |= reference_not_modelled(&w->stages[i]);
    }
    if (w->alive[DRIVER] && w->script->pipeline && !w->program->fixed && reference_seen(&w->reference, &w->seen))
        reference_open(&w->seen_program, w->seen.text, strlen(w->seen.text), &w->options->run);
    else
        w->seen.count = 0;
}

void draw_stages(const struct world *w, const struct reference *stages[DRIVER_STAGES])
{
    for (int i = 0; i < DRIVER_STAGES; i++)
        stages[i] = i == DRIVER_FRAGMENT ? &w->reference : w->has_stage[i] ? &w->stages[i] : NULL;
}

void draw_close(struct world *w)
{
    for (int i = 0; i < DRIVER_STAGES; i++)
        if (w->has_stage[i])
            reference_close(&w->stages[i]);
    if (w->seen.count)
        reference_close(&w->seen_program);
}
