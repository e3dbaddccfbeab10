/* What stops a script, and how it is told. */
#include "compare/script/script.h"

#include "asm/diag.h"

bool script_stop(struct script *s, enum script_status status, uint32_t offset, uint32_t length,
                 const char *message)
{
    if (s->status == SCRIPT_OK) {
        s->status = status;
        s->offset = offset;
        s->length = length;
        s->message = message;
    }
    return false;
}

void script_print_problem(const struct script *s, FILE *out, bool colour)
{
    struct diag diag = { .span = { s->offset, s->length },
                         .position = s->offset,
                         .message = (char *)s->message };
    if (!s->message)
        return;
    if (s->status == SCRIPT_UNREADABLE || !s->text) {
        diag_put_head(out, s->path);
        fprintf(out, "%s\n", s->message);
        return;
    }
    diag.severity = s->status == SCRIPT_SKIP ? DIAG_NOTE : DIAG_ERROR;
    diag_print(out, colour, s->path, s->text, s->size, &diag);
}
