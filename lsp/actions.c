/* Code actions: hints that are safe to follow, as edits. */
#include "lsp/features.h"

#include <stdio.h>
#include <string.h>

#include "asm/arena.h"

struct wanted {
    json_t *array;
    const struct document *d;
    const struct region *r;
    size_t from, to;            /* the client's range in the document */
};

static char *title_of(const struct gp5_diagnostic *g, const char *text)
{
    size_t size = strlen(g->fix) + g->fix_length + 32;
    char *title = gp5_malloc(size);

    if (title && g->fix_length)
        snprintf(title, size, "replace %.*s by %s", (int)g->fix_length, text, g->fix);
    else if (title)
        snprintf(title, size, "insert %s", g->fix);
    for (char *c = title; c && *c; c++)
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    return title;
}

static bool add(void *user, const struct gp5_diagnostic *g)
{
    struct wanted *w = user;
    size_t offset = w->r->offset + g->offset, at = w->r->offset + g->fix_offset;
    json_t *edit, *changes, *one;
    char *title;

    if (!g->fix || offset > w->to || offset + g->length < w->from)
        return true;
    title = title_of(g, w->d->text + at);
    edit = json_pack("{s:o, s:s}", "range", document_range(w->d, at, g->fix_length), "newText", g->fix);
    changes = json_object();
    if (!title || !edit || !changes || json_object_set_new(changes, w->d->uri, json_pack("[o]", edit)) != 0) {
        gp5_free(title);
        json_decref(changes);
        return false;
    }
    one = json_pack("{s:o, s:s, s:b, s:{s:o}}", "title", lsp_text(title), "kind", "quickfix", "isPreferred", 1, "edit",
                    "changes", changes);
    gp5_free(title);
    return one && json_array_append_new(w->array, one) == 0;
}

json_t *lsp_actions(const struct document *d, enum gp5_target target, size_t from, size_t to)
{
    struct wanted w = {json_array(), d, NULL, from, to};

    for (size_t i = 0; w.array && i < d->nregions; i++) {
        w.r = &d->regions[i];
        gp5_diagnostics(w.r->program, target, add, &w);
    }
    return w.array;
}
