/* What the files of a stage's run share: what fails, and which inputs were given. */
#include "asm/diag.h"
#include "compare/report/stage_context.h"

#include <stdarg.h>
#include <string.h>

bool stage_fail(struct stage_context *c, int status, const char *format, ...)
{
    va_list args;

    diag_put_head(c->err, c->s->e.file);
    va_start(args, format);
    vfprintf(c->err, format, args);
    va_end(args);
    fputc('\n', c->err);
    c->status = status;
    return false;
}

const struct stage_file *stage_find_input(const struct stage_context *c, const char *binding)
{
    for (size_t i = 0; i < c->s->input_count; i++)
        if (!strcmp(c->s->inputs[i].binding, binding))
            return &c->s->inputs[i];
    return NULL;
}

bool stage_is_special(const struct stage_file *f)
{
    return !strcmp(f->binding, "coverage") || !strcmp(f->binding, "vertex.tesscoord");
}
