/* The indices of bindings: how many lights, units, rows and parameters there are. */
#include "asm/check/check_internal.h"
#include "asm/stage.h"

#include <string.h>

/* What OpenGL drivers of today have; the specifications only promise less. `words` are those before the bracket, where
 * [] stands for a bracket before it; the first row of these words and of the dialect counts. */
struct limit {
    const char *words;
    uint32_t profiles;
    uint32_t nvidia, mesa;
    const char *what;
};

static const struct limit limits[] = {
    {"fragment.texcoord", ANY_FP, 8, 8, "texture coordinate sets"},
    {"fragment.attrib", ANY_FP, 32, 0, "attributes"},
    {"fragment.clip", ANY_FP, 8, 0, "clip distances"},
    {"fragment.cull", ANY_FP, 8, 0, "cull distances"},
    {"vertex.attrib", ANY_VP, 16, 16, "attributes"},
    {"vertex.attrib", NV_ALL, 32, 0, "attributes"},
    {"vertex.texcoord", NV_ALL | ARB_VP, 8, 8, "texture coordinate sets"},
    {"vertex.clip", NV_ALL, 8, 0, "clip distances"},
    {"vertex.cull", NV_ALL, 8, 0, "cull distances"},
    {"primitive.patch.attrib", NV_TESS | GP5, 30, 0, "attributes of patches"},
    {"primitive.tessouter", NV_TESS | GP5, 4, 0, "outer tessellation levels"},
    {"primitive.tessinner", NV_TESS | GP5, 2, 0, "inner tessellation levels"},
    {"result.color", ANY_FP, 8, 8, "colours"},
    {"result.attrib", NV_ALL, 32, 0, "attributes"},
    {"result.texcoord", NV_ALL | ARB_VP, 8, 8, "texture coordinate sets"},
    {"result.clip", NV_ALL | ARB_VP, 8, 8, "clip distances"},
    {"result.cull", NV_ALL | ARB_VP, 8, 0, "cull distances"},
    {"result.patch.attrib", TCP5, 30, 0, "attributes of patches"},
    {"result.patch.tessouter", TCP5, 4, 0, "outer tessellation levels"},
    {"result.patch.tessinner", TCP5, 2, 0, "inner tessellation levels"},
    {"program.env", NV_ALL | ARB_ALL, 256, 256, "environment parameters"},
    {"program.local", NV_GP | NV_TESS | CP5, 512, 2048, "local parameters"},
    {"program.local", NV_ALL | ARB_ALL, 1024, 2048, "local parameters"},
    {"program.buffer", NV_ALL | ARB_ALL, 14, 0, "constant buffers"},
    {"program.storage", NV_ALL | ARB_ALL, 16, 0, "storage buffers"},
    {"program.counter", NV_ALL | ARB_ALL, 8, 0, "counter buffers"},
    {"program.counter[]", NV_ALL | ARB_ALL, 16384, 0, "counters"},
    {"program.subroutine", GPU5, 1024, 0, "subroutines that can be chosen"},
    {"texture", ARB_ALL | NV_ALL, 192, 32, "texture image units"},
    {"image", GPU5, 8, 0, "image units"},
    {"state.multisample.positions", FP5, 32, 0, "samples"},
    {"state.light", NV_ALL | ARB_ALL, 8, 8, "lights"},
    {"state.lightprod", NV_ALL | ARB_ALL, 8, 8, "lights"},
    {"state.texgen", NV_ALL | ARB_ALL, 8, 8, "texture coordinate sets"},
    {"state.texenv", NV_ALL | ARB_ALL, 4, 8, "texture environments"},
    {"state.clip", NV_ALL | ARB_ALL, 8, 8, "clip planes"},
    {"state.matrix.modelview", NV_ALL | ARB_ALL, 1, 1, "modelview matrices"},
    {"state.matrix.texture", NV_ALL | ARB_ALL, 8, 8, "texture matrices"},
    {"state.matrix.palette", NV_ALL | ARB_ALL, 0, 0, "palette matrices"},
    {"state.matrix.program", NV_ALL | ARB_ALL, 8, 8, "program matrices"},
};

/* The vertices of a primitive that a stage reads. */
static uint32_t vertices(const struct checker *c, bool out)
{
    if (in_stage(c, STAGE_CONTROL) && out)
        return c->vertices_out;
    switch (c->primitive) {
    case STAGE_WORD_POINTS: return 1;
    case STAGE_WORD_LINES: return 2;
    case STAGE_WORD_TRIANGLES: return 3;
    case STAGE_WORD_LINES_ADJACENCY: return 4;
    case STAGE_WORD_TRIANGLES_ADJACENCY: return 6;
    default: return in_stage(c, STAGE_FRAGMENT) ? 3 : 32;
    }
}

enum { WORDS_SIZE = 80 };

/* Which bracket of a row an index stands in: the ones that may be left out are, when there are fewer indices than
 * brackets. */
static const char *bracket_of(const struct binding *b, unsigned i)
{
    const char *words = binding_table[b->kind].words;
    unsigned brackets = 0;
    for (const char *at = strchr(words, '['); at; at = strchr(at + 1, '['))
        brackets++;
    for (const char *at = strchr(words, '['); at; at = strchr(at + 1, '[')) {
        if (b->nindices < brackets && at[1] == '?')
            continue;
        if (i-- == 0)
            return at;
    }
    return NULL;
}

/* The words before a bracket, without what says which vertices or which patch are meant. */
static void words_before(const char *row, const char *bracket, char *words)
{
    size_t n = 0;
    bool vertex = strncmp(row, "vertex", 6) == 0;
    for (const char *at = row; at < bracket && n + 1 < WORDS_SIZE; at++) {
        bool side = *at == '.' && (strncmp(at, ".in", 3) == 0 || strncmp(at, ".out", 4) == 0);
        size_t length = side ? strcspn(at + 1, ".[") + 1 : 0;
        if (side && length <= 4 && (vertex || at[length] == '.')) {
            at += length - 1;
        } else if (*at == '[' && vertex) {
            at = strchr(at, ']');
        } else if (*at != '?') {
            words[n++] = *at;
        }
    }
    words[n] = '\0';
}

/* How many there are; false where nothing is known. */
static bool find_limit(const struct checker *c, const struct binding *b, unsigned i, struct limit *limit)
{
    char words[WORDS_SIZE];
    const char *row = binding_table[b->kind].words, *bracket = bracket_of(b, i);
    if (!bracket)
        return false;
    words_before(row, bracket, words);
    if (strcmp(words, "vertex") == 0) {
        uint32_t n = vertices(c, strncmp(row, "vertex.out", 10) == 0);
        *limit = (struct limit){"vertex", NV_ALL, n, n, "vertices"};
        return true;
    }
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (limits[k].profiles >> c->profile & 1 && strcmp(limits[k].words, words) == 0) {
            *limit = limits[k];
            return true;
        }
    return false;
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
            struct diag *d =
                check_error(c, FOR_ALL, b->index_span[i], "only parameters and rows of matrices have ranges");
            if (dots)
                check_position(d, (uint32_t)(dots - c->program->text));
            return true;
        }
    return false;
}

/* What the specifications bring with an option or not at all, and NVIDIA's driver has all the same. */
static void not_in_text(struct checker *c, const struct binding *b)
{
    const char *words = binding_table[b->kind].words;
    bool vertex = profile_in(c->profile, ARB_VP);
    if (b->kind == BIND_RESULT_CLIP && c->profile == PROFILE_ARBVP)
        diag_hint(check_error(c, FOR_SPEC, b->span, "result.clip needs OPTION NV_vertex_program2"),
                  "add OPTION NV_vertex_program2;");
    else if (b->kind == BIND_RESULT_CLIP && vertex && !b->nindices)
        check_error(c, FOR_SPEC, b->span, "by the specifications result.clip has its plane: result.clip[0]");
    else if (b->kind == BIND_RESULT_SHADINGRATE)
        check_error(c, FOR_SPEC | FOR_MESA, b->span, "no specification has result.shadingrate");
    else if (vertex ? b->kind == BIND_STATE_TEXENV_COLOR || b->kind == BIND_STATE_DEPTH_RANGE
                    : b->kind == BIND_STATE_CLIP_PLANE || strncmp(words, "state.texgen", 12) == 0 ||
                          strncmp(words, "state.point", 11) == 0)
        check_error(c, FOR_SPEC, b->span, "by the specifications %s programs have no %.*s",
                    profile_table[c->profile].stage, check_length(b->span), check_text(c, b->span));
}

/* What Mesa's grammar lacks or does not support: its parser stops behind the first word. */
static void not_in_mesa(struct checker *c, const struct binding *b)
{
    uint32_t word = (uint32_t)strcspn(binding_table[b->kind].words, ".");
    if (b->kind == BIND_RESULT_CLIP || b->kind == BIND_VERTEX_WEIGHT)
        check_position(check_error(c, FOR_MESA, b->span, "Mesa has no %.*s", check_length(b->span),
                                   check_text(c, b->span)),
                       b->span.offset + word);
}

/* What a register indexes has a name: how it is declared. */
static void hint_array(struct diag *d, const struct binding *b)
{
    const struct binding_info *info = &binding_table[b->kind];
    const char *keyword = info->class == BC_PARAM ? "PARAM" : info->class == BC_RESULT ? "OUTPUT" : "ATTRIB";
    const char *bracket = strchr(info->words, '['), *rest = bracket ? strchr(bracket, ']') : NULL;
    if (!rest || (info->class != BC_PARAM && info->class != BC_RESULT && info->class != BC_ATTRIB))
        return;
    bool vertex = strncmp(info->words, "vertex[", 7) == 0;
    diag_hint(d, "declare an array, as in %s a[] = { %.*s%s%s }; and index that", keyword,
              (int)(bracket - info->words), info->words, vertex ? "" : "[0..3]", rest + 1);
}

static void judge(struct checker *c, const struct binding *b)
{
    if (!c->typed && !profile_in(c->profile, OLD_ALL)) {
        not_in_mesa(c, b);
        not_in_text(c, b);
    }
    if (c->typed)
        check_typed_binding(c, b);
    if (b->nindices == 0)
        return;
    if (b->relative && !c->typed && (may_be_relative(c, b) || b->nindices == 1)) {
        check_address_index(c, program_index(c->program, b->index), may_be_relative(c, b),
                            c->profile == PROFILE_ARBFP2 ? 0 : b->kind == BIND_VERTEX_ATTRIB ? 16 : 8);
        return;
    }
    for (unsigned i = 0; i < b->nindices; i++)
        if (b->not_constant[i]) {
            struct diag *d = check_error(c, FOR_ALL, b->index_span[i], "a number is expected here");
            check_position(d, check_next_token(c, b->index_span[i].offset));
            hint_array(d, b);
            return;
        }
    if (!c->typed && not_a_range(c, b))
        return;
    for (unsigned i = 0; i < b->nindices; i++) {
        struct limit limit;
        if (!find_limit(c, b, i, &limit))
            continue;
        if (largest(b, i) >= limit.nvidia)
            too_large(c, FOR_NVIDIA | FOR_SPEC, b, i, limit.nvidia, limit.what);
        if (largest(b, i) >= limit.mesa)
            too_large(c, FOR_MESA, b, i, limit.mesa, limit.what);
    }
    if (b->kind == BIND_RESULT_COLOR_N_SECONDARY && largest(b, 0))
        check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, b->span, "colour 0 alone has a secondary one"),
                       check_next_token(c, span_end(b->span)));
    if (has_row(b) && largest(b, b->nindices - 1u) >= 4)
        too_large(c, FOR_ALL, b, b->nindices - 1u, 4, "rows");
}

/* Where an index was right a smaller one is right as well. */
void check_binding_indices(struct checker *c, const struct binding *b)
{
    bool simple = b->nindices <= 1 && !b->range[0] && !b->relative && !b->not_constant[0] && b->first[0] < UINT16_MAX;
    uint16_t *right = b->nindices ? &c->right_below[b->kind] : &c->right_without[b->kind];
    uint32_t index = b->nindices ? b->first[0] : 0;
    size_t before = c->program->diags.count;
    if (simple && index < *right)
        return;
    judge(c, b);
    if (simple && c->program->diags.count == before && !c->reported)
        *right = (uint16_t)(index + 1);
}

uint32_t check_vertices(const struct checker *c, const struct binding *b)
{
    return vertices(c, strncmp(binding_table[b->kind].words, "vertex.out", 10) == 0);
}

static bool is_matrix(const struct binding *b)
{
    return b->kind != BIND_STATE_MATRIX_NORMALSCALE && strncmp(binding_table[b->kind].words, "state.matrix", 12) == 0;
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
            struct diag *d =
                check_error(c, FOR_ALL, b->index_span[i], "one element is meant here, and not a range of them");
            check_position(d, dots_of(c, b->index_span[i]));
            return true;
        }
    if (!is_matrix(b) || has_row(b))
        return false;
    struct span suffix = {span_end(path), 0};
    if (span_end(b->span) < span_end(path) || program_suffix(c->program, path).length <= 4)
        suffix = program_suffix(c->program, path);
    bool letters =
        suffix.length > 0 && suffix.length <= 4 && strspn(check_text(c, suffix), "xyzwrgba") >= suffix.length;
    struct diag *d = check_error(c, FOR_ALL, path, "a matrix has four rows, and one is meant here");
    check_position(d, letters ? suffix.offset : check_next_token(c, span_end(path)));
    diag_hint(d, "add .row[0] or another");
    return true;
}

void check_result_binding(struct checker *c, const struct binding *b)
{
    bool invariant = has_option(c, OPTION_ARB_position_invariant) || has_option(c, OPTION_NV_position_invariant);
    if (b->kind == BIND_RESULT_POSITION && invariant) {
        check_error(c, FOR_MESA, b->span,
                    "the position is computed for a position-invariant program: it cannot write one");
        struct diag *d = check_error(c, FOR_ALL, b->span, "the position is computed for a position-invariant program: "
                                                          "it cannot write one");
        const char *word = memchr(check_text(c, b->span), profile_in(c->profile, OLD_ALL) ? '[' : '.', b->span.length);
        if (word)
            check_position(d, check_next_token(c, (uint32_t)(word - c->program->text) + 1));
        return;
    }
    check_binding_indices(c, b);
}
