/* What gp5 check says, as the protocol's diagnostics. */
#include "lsp/features.h"

#include "asm/arena.h"

#include <stdio.h>
#include <string.h>

struct list {
    json_t *array;
    const struct document *d;
    const struct region *r;
};

/* An empty span stands in front of something: one character of it is marked, so that there is something to see. */
static bool add(void *user, const struct gp5_diagnostic *g)
{
    static const int severities[] = {1, 2, 3};  /* Error, Warning, Information */
    struct list *list = user;
    size_t offset = list->r->offset + g->offset, length = g->length;
    char *both = NULL;
    json_t *one;

    if (!length && offset < list->d->size && list->d->text[offset] != '\n')
        length = 1;
    if (g->hint) {
        size_t size = strlen(g->message) + strlen(g->hint) + 8;
        both = gp5_malloc(size);
        if (both)
            snprintf(both, size, "%s\n%s", g->message, g->hint);
    }
    one = json_pack("{s:o, s:i, s:s, s:o}", "range", document_range(list->d, offset, length), "severity",
                    severities[g->severity], "source", "gp5", "message", lsp_text(both ? both : g->message));
    gp5_free(both);
    return one && json_array_append_new(list->array, one) == 0;
}

json_t *lsp_diagnostics(const struct document *d, enum gp5_target target)
{
    struct list list = {json_array(), d, NULL};

    for (size_t i = 0; list.array && i < d->nregions; i++) {
        list.r = &d->regions[i];
        gp5_diagnostics(list.r->program, target, add, &list);
    }
    return list.array;
}
