/* What a stage declares behind the options: which words and numbers, how often, and what must not be missing. */
#include "asm/check/check_internal.h"
#include "asm/stage.h"
#include "asm/words.h"

#include <string.h>

/* Where the nth word or number behind the keyword stands. */
static uint32_t value_of(const struct checker *c, struct span span, uint32_t n)
{
    uint32_t at = span.offset;
    for (uint32_t i = 0; i <= n && at < span_end(span); i++) {
        while (at < span_end(span) && (c->program->text[at] > ' '))
            at++;
        at = check_next_token(c, at);
    }
    return at;
}

static bool is_declared(const struct checker *c, enum keyword key)
{
    return c->declared >> key & 1;
}

/* ---- compute ----------------------------------------------------------------------------------------------------- */

static void check_group_size(struct checker *c, const struct statement *s)
{
    static const uint32_t most[] = {1024, 1024, 64};
    const uint32_t *size = c->program->group_size;
    uint64_t all = 1;
    if (has_option(c, OPTION_ARB_compute_variable_group_size)) {
        diag_hint(check_error(c, FOR_ALL, s->span,
                              "with ARB_compute_variable_group_size the dispatch gives the group's size: "
                              "there is no GROUP_SIZE"),
                  "remove this line, or the option");
        return;
    }
    for (uint32_t i = 0; i < s->count && i < 3; i++) {
        all *= size[i];
        if (size[i] == 0)
            check_error(c, FOR_SPEC, s->span, "a group has one invocation at least in every direction");
        if (size[i] > most[i])
            check_position(
                check_error(c, FOR_NVIDIA, s->span, "a group has %u invocations at most in this direction", most[i]),
                value_of(c, s->span, i));
    }
    if (all > 1024)
        check_position(check_error(c, FOR_NVIDIA, s->span, "a group has 1024 invocations at most"),
                       check_next_token(c, span_end(s->span)));
}

static void check_shared_memory(struct checker *c, const struct statement *s)
{
    if (c->program->shared_memory > 49152)
        check_position(check_error(c, FOR_NVIDIA, s->span, "a group shares 49152 bytes at most"),
                       value_of(c, s->span, 0));
}

/* ---- primitives and tessellation --------------------------------------------------------------------------------- */

#define W(name) (UINT32_C(1) << STAGE_WORD_##name)

/* The words that a declaration takes. */
static const struct {
    uint8_t key;
    uint32_t words;
} takes[] = {
    {KEY_PRIMITIVE_IN, W(POINTS) | W(LINES) | W(LINES_ADJACENCY) | W(TRIANGLES) | W(TRIANGLES_ADJACENCY) | W(PATCHES)},
    {KEY_PRIMITIVE_OUT, W(POINTS) | W(LINE_STRIP) | W(TRIANGLE_STRIP)},
    {KEY_TESS_MODE, W(TRIANGLES) | W(QUADS) | W(ISOLINES)},
    {KEY_TESS_SPACING, W(EQUAL) | W(FRACTIONAL_ODD) | W(FRACTIONAL_EVEN)},
    {KEY_TESS_VERTEX_ORDER, W(CW) | W(CCW)},
};

/* The greatest number that a declaration takes; 1 is the smallest. */
static uint32_t most_of(const struct checker *c, enum keyword key)
{
    if (key == KEY_VERTICES_OUT)
        return profile_table[c->profile].stage_id == STAGE_CONTROL ? 32 : 1024;
    return key == KEY_INVOCATIONS ? 32 : UINT32_MAX;
}

static void check_word(struct checker *c, const struct statement *s, uint32_t words)
{
    struct span span = s->span;
    const char *keyword = keyword_table[s->ref].name;
    char list[160] = "";
    span.offset = value_of(c, s->span, 0);
    span.length = span_end(s->span) - span.offset;
    if (s->count < STAGE_WORD_COUNT && words >> s->count & 1)
        return;
    for (unsigned word = 1; word < STAGE_WORD_COUNT; word++)
        if (words >> word & 1)
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", asm_stage_word(word));
    diag_hint(check_error(c, FOR_ALL, span, "%.*s is nothing that %s takes", check_length(span), check_text(c, span),
                          keyword),
              "it takes%s", list);
}

static void check_value(struct checker *c, const struct statement *s)
{
    enum keyword key = (enum keyword)s->ref;
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        if (takes[i].key == key) {
            check_word(c, s, generation_of(c) < GEN_NV5 ? takes[i].words & ~W(PATCHES) : takes[i].words);
            return;
        }
    uint32_t most = most_of(c, key);
    if (key != KEY_TESS_POINT_MODE && most != UINT32_MAX && (s->count == 0 || s->count > most || s->trailing))
        check_position(
            check_error(c, FOR_ALL, s->span, "%s takes a number from 1 to %u", keyword_table[key].name, most),
            key == KEY_VERTICES_OUT ? check_next_token(c, span_end(s->span)) : value_of(c, s->span, 0));
}

static void check_passthrough(struct checker *c, const struct statement *s)
{
    uint32_t at = value_of(c, s->span, 0);
    struct span span = {at, span_end(s->span) - at};
    const struct binding *b = s->ref == NO_INDEX ? NULL : program_binding(c->program, s->ref);
    if (!b && s->trailing)
        c->reported = FOR_ALL;
    else if (!b || binding_table[b->kind].class != BC_RESULT)
        check_error(c, FOR_ALL, span, "PASSTHROUGH takes a result, such as result.position");
    else if (b->kind == BIND_RESULT_PRIMID || b->kind == BIND_RESULT_LAYER || b->kind == BIND_RESULT_VIEWPORT ||
             b->kind == BIND_RESULT_VIEWPORTMASK)
        check_position(check_error(c, FOR_ALL, span, "what a primitive has as a whole does not pass through: %.*s",
                                   check_length(span), check_text(c, span)),
                       check_next_token(c, span_end(s->span)));
    else
        check_binding_indices(c, b);
}

/* With NV_geometry_shader_passthrough what goes in comes out. Returns whether something is wrong. */
static bool check_passes(struct checker *c, const struct statement *s, enum keyword key)
{
    if (!has_option(c, OPTION_NV_geometry_shader_passthrough))
        return false;
    if (key == KEY_PRIMITIVE_OUT || key == KEY_VERTICES_OUT || key == KEY_INVOCATIONS) {
        struct diag *d = check_error(c, FOR_ALL, s->span, "with NV_geometry_shader_passthrough there is no %s",
                                     keyword_table[key].name);
        if (key == KEY_PRIMITIVE_OUT)
            check_position(d, value_of(c, s->span, 0));
        return true;
    }
    if (key != KEY_PRIMITIVE_IN || s->count == STAGE_WORD_POINTS || s->count == STAGE_WORD_LINES ||
        s->count == STAGE_WORD_TRIANGLES)
        return false;
    check_position(check_error(c, FOR_ALL, s->span,
                               "with NV_geometry_shader_passthrough PRIMITIVE_IN is POINTS, LINES or TRIANGLES"),
                   value_of(c, s->span, 0));
    return true;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static enum keyword key_of(const struct statement *s)
{
    switch ((enum statement_kind)s->kind) {
    case STMT_GROUP_SIZE: return KEY_GROUP_SIZE;
    case STMT_SHARED_MEMORY: return KEY_SHARED_MEMORY;
    case STMT_PASSTHROUGH: return KEY_PASSTHROUGH;
    default: return (enum keyword)s->ref;
    }
}

static void check_again(struct checker *c, const struct statement *s, enum keyword key)
{
    struct diag *d = check_error(c, FOR_ALL, s->span, "%s is declared already", keyword_table[key].name);
    if (key == KEY_PRIMITIVE_IN || key == KEY_PRIMITIVE_OUT)
        check_position(d, value_of(c, s->span, 0));
}

void check_stage_statement(struct checker *c, const struct statement *s, enum part part)
{
    enum keyword key = key_of(s);
    if (part == IN_STATEMENTS) {
        check_error(c, FOR_ALL, s->span, "invalid statement: %s stands behind the options and before all else",
                    keyword_table[key].name);
        return;
    }
    if (is_declared(c, key) && key != KEY_PASSTHROUGH)
        check_again(c, s, key);
    else if (check_passes(c, s, key))
        ;
    else if (key == KEY_GROUP_SIZE)
        check_group_size(c, s);
    else if (key == KEY_SHARED_MEMORY)
        check_shared_memory(c, s);
    else if (key == KEY_PASSTHROUGH)
        check_passthrough(c, s);
    else
        check_value(c, s);
    if (key == KEY_PRIMITIVE_IN && !is_declared(c, key))
        c->primitive = s->count;
    if (key == KEY_PRIMITIVE_OUT && !is_declared(c, key))
        c->primitive_out = s->count;
    if (key == KEY_VERTICES_OUT && !is_declared(c, key))
        c->vertices_out = s->count;
    c->declared |= UINT64_C(1) << key;
}

static void missing(struct checker *c, enum keyword key, const char *example, uint32_t position)
{
    struct diag *d = check_error(c, FOR_ALL, (struct span){position, 0}, "the program has no %s declaration",
                                 keyword_table[key].name);
    diag_hint(d, "add one behind the options, as in %s;", example);
}

/* What a stage cannot do without, in the order in which the driver looks for it. */
static const struct {
    uint32_t profiles;
    uint8_t key;
    const char *example;
} required[] = {
    {CP5, KEY_GROUP_SIZE, "GROUP_SIZE 32"},
    {NV_GP, KEY_PRIMITIVE_IN, "PRIMITIVE_IN TRIANGLES"},
    {NV_GP, KEY_PRIMITIVE_OUT, "PRIMITIVE_OUT TRIANGLE_STRIP"},
    {NV_GP | TCP5, KEY_VERTICES_OUT, "VERTICES_OUT 3"},
    {TEP5, KEY_TESS_MODE, "TESS_MODE TRIANGLES"},
};

static void check_required(struct checker *c, uint32_t position)
{
    bool passes = has_option(c, OPTION_NV_geometry_shader_passthrough);
    bool variable = has_option(c, OPTION_ARB_compute_variable_group_size);
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        enum keyword key = (enum keyword)required[i].key;
        if (!(required[i].profiles >> c->profile & 1))
            continue;
        if (variable && key == KEY_GROUP_SIZE)
            continue;
        if (passes && key != KEY_PRIMITIVE_IN)
            continue;
        if (!is_declared(c, key) && !(c->broken >> key & 1))
            missing(c, key, required[i].example, position);
    }
    if (has_option(c, OPTION_EXT_post_depth_coverage) && !has_option(c, OPTION_NV_early_fragment_tests))
        diag_hint(check_error(c, FOR_ALL, (struct span){position, 0},
                              "EXT_post_depth_coverage needs OPTION NV_early_fragment_tests"),
                  "add OPTION NV_early_fragment_tests;");
    c->reported = 0;
}

void check_part(struct checker *c, enum part *part, enum part now, uint32_t position)
{
    if (now == IN_STATEMENTS && *part != IN_STATEMENTS)
        check_required(c, position);
    if (now > *part)
        *part = now;
}

bool check_stands_early(struct checker *c, struct span span)
{
    const char *text = check_text(c, span);
    uint32_t length = 0;
    while (length < span.length && (text[length] == '_' || (text[length] >= 'A' && text[length] <= 'Z')))
        length++;
    for (unsigned key = 0; key < KEY_COUNT; key++)
        if (strlen(keyword_table[key].name) == length && memcmp(keyword_table[key].name, text, length) == 0) {
            c->broken |= UINT64_C(1) << key;
            return key == KEY_OPTION || (key >= KEY_GROUP_SIZE && words_open(OP_COUNT + key, c->profile, c->options));
        }
    return false;
}
