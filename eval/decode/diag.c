/* What every part of decoding uses: refusals, lists, steps. */
#include "eval/decode/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool eval_refuse(struct decoder *d, struct span where, const char *format, ...)
{
    struct place place = diag_locate(d->p->text, d->p->size, where.offset);
    char what[160];
    va_list args;

    if (d->failed)
        return false;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(d->message, sizeof d->message, "not evaluated yet: %s at line %u, column %u", what, place.line,
             place.column);
    d->offset = where.offset;
    d->failed = true;
    return false;
}

bool eval_out_of_memory(struct decoder *d)
{
    if (d->layout.full && !d->layout.failed && !d->no_memory) {
        const struct insn *insn = d->insn < d->p->insns.count ? program_insn(d->p, d->insn) : NULL;
        return eval_refuse(d, insn ? insn->span : (struct span){0, 0}, "more than %u registers a lane",
                           MAX_PLANES);
    }
    d->no_memory = d->failed = true;
    snprintf(d->message, sizeof d->message, "out of memory");
    return false;
}

uint32_t eval_push(struct decoder *d, struct vec *v, const void *element)
{
    size_t at = vec_grow(v);

    if (at == SIZE_MAX) {
        eval_out_of_memory(d);
        return NO_INDEX;
    }
    memcpy(vec_at(v, at), element, v->element);
    return (uint32_t)at;
}

struct step *eval_step(struct decoder *d, uint8_t kind)
{
    uint32_t origin = d->model.unrolled.used && d->insn < d->model.unrolled.origin.count
                          ? *(uint32_t *)vec_at(&d->model.unrolled.origin, d->insn)
                          : d->insn;
    struct step s = {.kind = kind, .quick = kind, .counts = d->first_step, .insn = origin, .target = NO_STEP};
    uint32_t at = eval_push(d, &d->steps, &s);

    d->first_step = false;
    return at == NO_INDEX ? NULL : vec_at(&d->steps, at);
}

bool eval_push_gather(struct decoder *d, const struct gather *g)
{
    struct step *s = eval_step(d, STEP_GATHER);

    if (!s)
        return false;
    s->ref = (uint32_t)d->gathers.count;
    return eval_push(d, &d->gathers, g) != NO_INDEX;
}
