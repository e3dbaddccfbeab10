/* What the server answers about a document, each as the protocol's JSON; a new reference, json_null() for nothing, NULL
 * when memory ran out. `offset` is a byte of the document. */
#ifndef GP5_LSP_FEATURES_H
#define GP5_LSP_FEATURES_H

#include "lsp/document.h"

json_t *lsp_diagnostics(const struct document *d, enum gp5_target target);      /* an array */

json_t *lsp_hover(const struct document *d, size_t offset);
json_t *lsp_complete(const struct document *d, size_t offset);

json_t *lsp_definition(const struct document *d, size_t offset);
json_t *lsp_references(const struct document *d, size_t offset, bool declaration);
json_t *lsp_highlights(const struct document *d, size_t offset);
json_t *lsp_symbols(const struct document *d);          /* the outline */
json_t *lsp_can_rename(const struct document *d, size_t offset);
/* NULL with *why (a constant) for a name that cannot be the new one. */
json_t *lsp_rename(const struct document *d, size_t offset, const char *name, const char **why);

json_t *lsp_format(const struct document *d);
/* The safe fixes of what is wrong between two bytes. */
json_t *lsp_actions(const struct document *d, enum gp5_target target, size_t from, size_t to);

#endif
