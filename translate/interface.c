/* What an application is to give to a translation and to take from it, entry by entry. */
#include "translate/translate.h"

#include <stdio.h>
#include <string.h>

/* state.matrix.mvp.inverse.row[2] of its words, a number and a row. */
static const char *binding_text(struct tr *t, const struct tr_row *r)
{
    const char *words = binding_table[r->kind].words;
    bool matrix = strncmp(words, "state.matrix.", 13) == 0;
    const char *bracket = strchr(words, '[');
    const char *text = words;

    if (bracket)
        text = tr_text(t, "%.*s[%u]%s", (int)(bracket - words), words, r->number, strchr(bracket, ']') + 1);
    return matrix ? tr_text(t, "%s.row[%u]", text, r->row) : text;
}

static void give(struct tr *t, const struct gp5_translate_options *options, struct gp5_interface_entry e)
{
    if (t->more)
        t->more = options->entry(options->user, &e);
}

static void parameters(struct tr *t, const struct gp5_translate_options *options, const char *what, uint32_t count,
                       unsigned binding)
{
    bool blocks = !tr_has(t, HAS_COMPAT);

    for (uint32_t i = 0; i < count; i++) {
        const struct tr_row *r = vec_at(&t->state, i);
        const char *text = strcmp(what, "state") == 0 ? binding_text(t, r) : tr_text(t, "program.%s[%u]", what, i);
        give(t, options, (struct gp5_interface_entry){
            .kind = GP5_INTERFACE_PARAMETER, .binding = text, .name = tr_text(t, "%s%s", t->prefix, what),
            .block = blocks ? tr_text(t, "%sblock_%s", t->prefix, what) : NULL, .type = "vec4", .element = i,
            .offset = 16 * i, .point = blocks && tr_has(t, HAS_LOCATIONS) ? (int)binding : -1});
    }
}

/* What a handle stood for is told by the parameter that it stood in. */
static void sampler(struct tr *t, const struct gp5_translate_options *options, const struct tr_sampler *s)
{
    const char *binding = tr_resource_binding(t, s->image, s->handle, s->unit);

    give(t, options, (struct gp5_interface_entry){.kind = s->image ? GP5_INTERFACE_IMAGE : GP5_INTERFACE_TEXTURE,
                                                  .binding = binding,
                                                  .name = s->name,
                                                  .block = s->image ? s->format : NULL,
                                                  .type = target_table[s->target].text,
                                                  .point = (int)s->point});
}

static void memory(struct tr *t, const struct gp5_translate_options *options, const struct tr_memory *m)
{
    static const char *const words[] = {"storage", "buffer", "counter"};
    const char *name = tr_memory_name(t, (enum tr_space)m->space, m->number);
    const char *block = m->space == SPACE_STORAGE    ? tr_text(t, "gp5_block_storage%u", m->number)
                        : m->space == SPACE_CONSTANT ? tr_text(t, "%sblock_buffer%u", t->stage_prefix, m->number)
                                                     : NULL;

    give(t, options, (struct gp5_interface_entry){.kind = GP5_INTERFACE_BUFFER,
                                                  .binding = tr_text(t, "program.%s[%u]", words[m->space], m->number),
                                                  .name = name, .block = block, .type = "uint",
                                                  .point = tr_memory_point(t, m)});
}

void tr_tell_interface(struct tr *t, const struct gp5_translate_options *options)
{
    unsigned first = 3u * (t->stage - 1u);

    if (!options->entry)
        return;
    t->more = true;
    parameters(t, options, "state", (uint32_t)t->state.count, first);
    parameters(t, options, "env", t->env, first + 1);
    parameters(t, options, "local", t->local, first + 2);
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (t->symbols[i].uniform)
            give(t, options, (struct gp5_interface_entry){.kind = GP5_INTERFACE_PARAMETER,
                                                          .binding = program_symbol(t->p, i)->name,
                                                          .name = t->symbols[i].name,
                                                          .type = "vec4",
                                                          .point = -1});
    for (uint32_t i = 0; i < t->subroutines; i++)
        give(t, options, (struct gp5_interface_entry){.kind = GP5_INTERFACE_PARAMETER,
                                                      .binding = tr_text(t, "program.subroutine[%u]", i),
                                                      .name = tr_text(t, "%ssubroutine", t->stage_prefix),
                                                      .type = "int",
                                                      .element = i,
                                                      .offset = 4 * i,
                                                      .point = -1});
    for (size_t i = 0; i < t->samplers.count; i++)
        sampler(t, options, vec_at(&t->samplers, i));
    for (size_t i = 0; i < t->memory.count; i++)
        memory(t, options, vec_at(&t->memory, i));
    for (size_t i = 0; i < t->ports.count; i++) {
        const struct tr_port *p = vec_at(&t->ports, i);
        if (p->name)
            give(t, options, tr_port_entry(t, p));
    }
}
