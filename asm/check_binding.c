/* The indices of bindings: how many lights, units, rows and parameters there are. */
#include "asm/check_internal.h"

#include <string.h>

/* What OpenGL drivers of today have; the specifications only promise less. The first index of a binding counts against
 * `first`, the second, a matrix row, against 4. */
struct limit {
    const char *words;
    uint32_t first, mesa;
    const char *what;
};

static const struct limit limits[] = {
    {"fragment.texcoord", 8, 8, "texture coordinate sets"},
    {"result.color", 8, 8, "colours"},
    {"program.env", 256, 256, "environment parameters"},
    {"program.local", 1024, 2048, "local parameters"},
    {"texture", 32, 32, "texture image units"},
    {"state.light", 8, 8, "lights"},
    {"state.lightprod", 8, 8, "lights"},
    {"state.texenv", 8, 8, "texture environments"},
    {"state.matrix.modelview", 32, 1, "modelview matrices"},
    {"state.matrix.texture", 8, 8, "texture matrices"},
    {"state.matrix.palette", 32, 0, "palette matrices"},
    {"state.matrix.program", 8, 8, "program matrices"},
};

static const struct limit *find_limit(const struct binding *b)
{
    const char *words = binding_table[b->kind].words;
    size_t length = strcspn(words, "[");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strlen(limits[i].words) == length && memcmp(limits[i].words, words, length) == 0)
            return &limits[i];
    return NULL;
}

static uint32_t largest(const struct binding *b, unsigned i)
{
    return b->last[i] > b->first[i] ? b->last[i] : b->first[i];
}

static void too_large(struct checker *c, unsigned targets, const struct binding *b, unsigned i, uint32_t limit,
                      const char *what)
{
    struct span span = b->index_span[i];
    uint32_t start = check_next_token(c, span.offset);
    span.length -= start - span.offset;
    span.offset = start;
    struct diag *d;
    if (limit)
        d = check_error(c, targets, span, "there are %u %s: the last is %u", limit, what, limit - 1);
    else
        d = check_error(c, targets, span, "there are no %s", what);
    if (b->range[i] && b->first[i] < limit) {      /* it is the second number that is too large */
        const char *dots = memchr(c->program->text + span.offset, '.', span.length);
        if (dots)
            check_position(d, check_next_token(c, (uint32_t)(dots - c->program->text) + 2));
    }
}

static bool has_row(const struct binding *b)
{
    return strstr(binding_table[b->kind].words, ".row[") != NULL;
}

void check_binding_indices(struct checker *c, const struct binding *b)
{
    if (b->nindices == 0)
        return;
    const struct limit *limit = find_limit(b);
    bool row = has_row(b);
    unsigned last = b->nindices - 1u;
    bool only_row = row && b->nindices == 1;
    for (unsigned i = 0; i < b->nindices; i++)
        if (b->not_constant[i]) {
            struct diag *d = check_error(c, FOR_ALL, b->index_span[i], "a number is expected here");
            check_position(d, check_next_token(c, b->index_span[i].offset));
            return;
        }
    uint32_t compute = c->profile != PROFILE_NVCP5 ? 0 : b->kind == BIND_PROGRAM_LOCAL ? 512 : b->kind == BIND_TEXTURE ? 192 : 0;
    if (compute) {
        if (largest(b, 0) >= compute)
            too_large(c, FOR_NVIDIA, b, 0, compute, limit->what);
    } else if (limit && !only_row) {
        if (largest(b, 0) >= limit->first)
            too_large(c, FOR_NVIDIA | FOR_SPEC, b, 0, limit->first, limit->what);
        if (largest(b, 0) >= limit->mesa)
            too_large(c, FOR_MESA, b, 0, limit->mesa, limit->what);
    }
    if (row && largest(b, last) >= 4)
        too_large(c, FOR_ALL, b, last, 4, "rows");
}
