#include "lsp/transport.h"

#include "asm/arena.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_HEADER = 1024, LONGEST_MESSAGE = 64 << 20 };

/* The number behind Content-Length, of the lines up to an empty one; -1 at the end of the stream or without it. */
static long read_header(FILE *in)
{
    char line[LONGEST_HEADER];
    long length = -1;

    while (fgets(line, sizeof line, in)) {
        static const char name[] = "Content-Length:";
        if (strcmp(line, "\r\n") == 0 || strcmp(line, "\n") == 0)
            return length;
        if (!strchr(line, '\n'))
            return -1;
        if (strncasecmp(line, name, sizeof name - 1) == 0) {
            char *end;
            length = strtol(line + sizeof name - 1, &end, 10);
            if (end == line + sizeof name - 1 || length < 0)
                return -1;
        }
    }
    return -1;
}

static void pass_over(FILE *in, long length)
{
    while (length-- > 0 && getc(in) != EOF)
        ;
}

enum lsp_read lsp_read(FILE *in, json_t **message)
{
    long length = read_header(in);
    char *bytes;

    *message = NULL;
    if (length < 0)
        return LSP_END;
    if (length > LONGEST_MESSAGE || !(bytes = gp5_malloc((size_t)length + 1))) {
        pass_over(in, length);
        return LSP_NO_JSON;
    }
    if (fread(bytes, 1, (size_t)length, in) != (size_t)length) {
        gp5_free(bytes);
        return LSP_END;
    }
    *message = json_loadb(bytes, (size_t)length, JSON_ALLOW_NUL, NULL);
    gp5_free(bytes);
    return *message ? LSP_MESSAGE : LSP_NO_JSON;
}

void lsp_write(FILE *out, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;

    if (text)
        fprintf(out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(out);
    free(text);
    json_decref(message);
}
