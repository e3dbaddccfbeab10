#include "tests/tools/operands.h"
#include "tests/tools/program_text.h"

#include <stdarg.h>
#include <stdio.h>

void program_text_put(struct program_text *t, const char *format, ...)
{
    va_list args;
    int n;

    if (t->full)
        return;
    va_start(args, format);
    n = vsnprintf(t->text + t->length, t->size - t->length, format, args);
    va_end(args);
    t->full = n < 0 || (size_t)n >= t->size - t->length;
    t->length += t->full ? 0 : (size_t)n;
}

unsigned program_flow_chance(const struct program_flow *f, unsigned n)
{
    return (unsigned)(operand_random(f->state) % n);
}

const char *program_flow_rule(const struct program_flow *f)
{
    return program_flow_chance(f, 2) ? "NE" : "EQ";
}

void program_flow_choice(const struct program_flow *f, unsigned depth, bool in_loop, unsigned otherwise)
{
    f->condition(f->user);
    program_text_put(f->out, "IF %s.z;\n", program_flow_rule(f));
    f->block(f->user, depth + 1, in_loop);
    if (program_flow_chance(f, otherwise) == 0) {
        program_text_put(f->out, "ELSE;\n");
        f->block(f->user, depth + 1, in_loop);
    }
    program_text_put(f->out, "ENDIF;\n");
}

void program_flow_jump(const struct program_flow *f, const char *how)
{
    f->condition(f->user);
    program_text_put(f->out, "%s (%s.z);\n", how, program_flow_rule(f));
}
