/* Messages of the protocol's base: a header with Content-Length, an empty line, JSON. */
#ifndef GP5_LSP_TRANSPORT_H
#define GP5_LSP_TRANSPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum lsp_read { LSP_MESSAGE, LSP_NO_JSON, LSP_END };

/* The next message, the caller's to json_decref. LSP_NO_JSON: there was one, but it is no JSON, or too long (more than
 * 64 MiB): it was passed over. LSP_END: the stream ended, or what stands there is no header. */
enum lsp_read lsp_read(FILE *in, json_t **message);

/* Writes one and takes it (NULL: nothing is written, as when memory ran out while it was made). */
void lsp_write(FILE *out, json_t *message);

#endif
