/* The indices of bindings: how many lights, units, rows and parameters there are. */
#include "asm/check_internal.h"

#include <string.h>

/* What OpenGL drivers of today have; the specifications only promise less. `first` and `second` are the indices of a binding
 * for NVIDIA's driver, `mesa` the first for Mesa; the row of a matrix counts against 4. */
struct limit {
    const char *words;
    uint32_t first, second, mesa;
    const char *what;
};

static const struct limit limits[] = {
    {"fragment.attrib", 32, 0, 0, "attributes"},
    {"fragment.clip", 8, 0, 0, "clip distances"},
    {"state.clip", 8, 0, 8, "clip planes"},
    {"state.texgen", 8, 0, 8, "texture coordinate sets"},
    {"fragment.texcoord", 8, 0, 8, "texture coordinate sets"},
    {"result.color", 8, 0, 8, "colours"},
    {"program.env", 256, 0, 256, "environment parameters"},
    {"program.local", 1024, 0, 2048, "local parameters"},
    {"program.buffer", 14, 0, 0, "constant buffers"},
    {"program.storage", 16, 0, 0, "storage buffers"},
    {"program.counter", 8, 16384, 0, "counters"},
    {"texture", 192, 0, 32, "texture image units"},
    {"image", 8, 0, 0, "image units"},
    {"state.light", 8, 0, 8, "lights"},
    {"state.lightprod", 8, 0, 8, "lights"},
    {"state.texenv", 8, 0, 8, "texture environments"},
    {"state.matrix.modelview", 1, 0, 1, "modelview matrices"},
    {"state.matrix.texture", 8, 0, 8, "texture matrices"},
    {"state.matrix.palette", 0, 0, 0, "palette matrices"},
    {"state.matrix.program", 8, 0, 8, "program matrices"},
};

/* Compute programs have fewer local parameters. */
static uint32_t first_limit(const struct checker *c, const struct limit *limit, const struct binding *b)
{
    return b->kind == BIND_PROGRAM_LOCAL && c->profile == PROFILE_NVCP5 ? 512 : limit->first;
}

/* Of ARB programs and the older ones; their names mean more elsewhere. */
static const struct limit arb_limits[] = {
    {"vertex.attrib", 16, 0, 16, "vertex attributes"},
    {"vertex.texcoord", 8, 0, 8, "texture coordinate sets"},
    {"result.texcoord", 8, 0, 8, "texture coordinate sets"},
};

static const struct limit *find_limit(const struct checker *c, const struct binding *b)
{
    const char *words = binding_table[b->kind].words;
    size_t length = strcspn(words, "[");
    for (size_t i = 0; !c->typed && i < sizeof arb_limits / sizeof *arb_limits; i++)
        if (strlen(arb_limits[i].words) == length && memcmp(arb_limits[i].words, words, length) == 0)
            return &arb_limits[i];
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
    if (!limit && targets & FOR_DRIVER) {       /* it is the word before the brackets that the driver does not know */
        uint32_t word = b->index_span[i].offset - 1;
        while (word > b->span.offset && c->program->text[word - 1] != '.')
            word--;
        check_position(d, word);
    }
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

/* Inputs and results that an address register may index. */
static bool may_be_relative(const struct checker *c, const struct binding *b)
{
    return profile_in(c->profile, AVP3) ? b->kind == BIND_VERTEX_ATTRIB || b->kind == BIND_VERTEX_TEXCOORD ||
                                              b->kind == BIND_RESULT_TEXCOORD
                                        : c->profile == PROFILE_ARBFP2 && b->kind == BIND_FRAGMENT_TEXCOORD;
}

/* state.light[0..7]: only parameters and rows have ranges. */
static bool not_a_range(struct checker *c, const struct binding *b)
{
    for (unsigned i = 0; i < b->nindices; i++)
        if (b->range[i] && b->kind != BIND_PROGRAM_ENV && b->kind != BIND_PROGRAM_LOCAL &&
            !(has_row(b) && i + 1 == b->nindices) && binding_table[b->kind].class == BC_PARAM) {
            const char *dots = memchr(check_text(c, b->index_span[i]), '.', b->index_span[i].length);
            struct diag *d = check_error(c, FOR_ALL, b->index_span[i], "only parameters and rows of matrices have ranges");
            if (dots)
                check_position(d, (uint32_t)(dots - c->program->text));
            return true;
        }
    return false;
}

/* What Mesa's grammar lacks or does not support; false, since the others go on. */
static bool not_in_mesa(struct checker *c, const struct binding *b)
{
    if (b->kind == BIND_RESULT_CLIP)
        check_position(check_error(c, FOR_MESA, b->span, "Mesa has no result.clip"),
                       b->span.offset + (uint32_t)strlen("result"));
    return false;
}

void check_binding_indices(struct checker *c, const struct binding *b)
{
    if (b->nindices == 0)
        return;
    const struct limit *limit = find_limit(c, b);
    bool row = has_row(b);
    unsigned last = b->nindices - 1u;
    bool only_row = row && b->nindices == 1;
    if (b->relative && !c->typed && (may_be_relative(c, b) || b->nindices == 1)) {
        check_address_index(c, program_index(c->program, b->index), may_be_relative(c, b),
                            c->profile == PROFILE_ARBFP2 ? 0 : b->kind == BIND_VERTEX_ATTRIB ? 16 : 8);
        return;
    }
    for (unsigned i = 0; i < b->nindices; i++)
        if (b->not_constant[i]) {
            struct diag *d = check_error(c, FOR_ALL, b->index_span[i], "a number is expected here");
            check_position(d, check_next_token(c, b->index_span[i].offset));
            return;
        }
    if (!c->typed && (not_a_range(c, b) || not_in_mesa(c, b)))
        return;
    uint32_t compute = c->profile != PROFILE_NVCP5 ? 0 : b->kind == BIND_PROGRAM_LOCAL ? 512 : b->kind == BIND_TEXTURE ? 192 : 0;
    if (compute) {
        if (largest(b, 0) >= compute)
            too_large(c, FOR_NVIDIA, b, 0, compute, limit->what);
    } else if (limit && !only_row) {
        uint32_t first = first_limit(c, limit, b);
        if (largest(b, 0) >= first)
            too_large(c, FOR_NVIDIA | FOR_SPEC, b, 0, first, limit->what);
        if (limit->second && b->nindices > 1 && largest(b, 1) >= limit->second)
            too_large(c, FOR_NVIDIA | FOR_SPEC, b, 1, limit->second, limit->what);
        if (largest(b, 0) >= limit->mesa)
            too_large(c, FOR_MESA, b, 0, limit->mesa, limit->what);
    }
    if (row && largest(b, last) >= 4)
        too_large(c, FOR_ALL, b, last, 4, "rows");
}

static bool is_matrix(const struct binding *b)
{
    return strncmp(binding_table[b->kind].words, "state.matrix", 12) == 0;
}

/* The dots of 1..2 between brackets. */
static uint32_t dots_of(const struct checker *c, struct span index)
{
    const char *dots = memchr(check_text(c, index), '.', index.length);
    return dots ? (uint32_t)(dots - c->program->text) : index.offset;
}

bool check_whole_binding(struct checker *c, const struct binding *b, struct span path)
{
    if (is_matrix(b) && b->nindices && !b->range[0])    /* which matrix comes before which row */
        check_binding_indices(c, b);
    for (unsigned i = 0; i < b->nindices; i++)
        if (b->range[i]) {
            struct diag *d = check_error(c, FOR_ALL, b->index_span[i], "one element is meant here, and not a range of them");
            check_position(d, dots_of(c, b->index_span[i]));
            return true;
        }
    if (!is_matrix(b) || has_row(b))
        return false;
    struct span suffix = {span_end(path), 0};
    if (span_end(b->span) < span_end(path) || program_suffix(c->program, path).length <= 4)
        suffix = program_suffix(c->program, path);
    bool letters = suffix.length > 0 && suffix.length <= 4 && strspn(check_text(c, suffix), "xyzwrgba") >= suffix.length;
    struct diag *d = check_error(c, FOR_ALL, path, "a matrix has four rows, and one is meant here");
    check_position(d, letters ? suffix.offset : check_next_token(c, span_end(path)));
    diag_hint(d, "add .row[0] or another");
    return true;
}

void check_result_binding(struct checker *c, const struct binding *b)
{
    bool invariant = has_option(c, OPTION_ARB_position_invariant) || has_option(c, OPTION_NV_position_invariant);
    if (b->kind == BIND_RESULT_POSITION && invariant && !c->typed) {
        check_error(c, FOR_MESA, b->span, "the position is computed for a position-invariant program: it cannot write one");
        struct diag *d = check_error(c, FOR_ALL, b->span, "the position is computed for a position-invariant program: "
                                                          "it cannot write one");
        const char *word = memchr(check_text(c, b->span), profile_in(c->profile, OLD_ALL) ? '[' : '.', b->span.length);
        if (word)
            check_position(d, check_next_token(c, (uint32_t)(word - c->program->text) + 1));
        return;
    }
    check_binding_indices(c, b);
}
