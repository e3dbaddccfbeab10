/* The language server: what `gp5 lsp` answers over a stream. */
#ifndef GP5_LSP_LSP_H
#define GP5_LSP_LSP_H

#include <stdio.h>

#include "gp5.h"

/* Serves one client until it says exit or its stream ends. `target` is the judge unless the client's
 * initializationOptions name another. The answer is the process's status: 0 when the client said shutdown before. */
int lsp_serve(FILE *in, FILE *out, enum gp5_target target);

#endif
