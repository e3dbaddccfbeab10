/* Formatting: each program that has no syntax error as gp5 fmt writes it. */
#include "lsp/features.h"

#include <string.h>

static bool add_edit(json_t *edits, const struct document *d, const struct region *r)
{
    size_t size;
    char *text = gp5_format(r->program, &size);
    bool ok = true;

    if (!text)
        return true;        /* has errors: it stays */
    if (d->script && size && text[size - 1] == '\n')
        size--;             /* what stands behind END is the script's */
    if (size != r->length || memcmp(text, d->text + r->offset, size) != 0) {
        json_t *edit = json_pack("{s:o, s:s%}", "range", document_range(d, r->offset, r->length), "newText", text,
                                 size);
        ok = edit && json_array_append_new(edits, edit) == 0;
    }
    gp5_text_free(text);
    return ok;
}

json_t *lsp_format(const struct document *d)
{
    json_t *edits = json_array();

    for (size_t i = 0; edits && i < d->nregions; i++)
        if (!add_edit(edits, d, &d->regions[i])) {
            json_decref(edits);
            return NULL;
        }
    return edits;
}
