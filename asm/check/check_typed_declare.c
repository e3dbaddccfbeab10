/* What the texts of NV_gpu_program4, NV_gpu_program5 and of their stages forbid in declarations and bindings, and
 * NVIDIA's driver takes. The rows are those of tests/cli/option_texts.txt. */
#include "asm/check/check_internal.h"
#include "asm/words.h"

#include <string.h>

/* ---- interpolation (NV_fragment_program4 2.X.3.1) ---------------------------------------------------------------- */

static const struct { const char *word; uint8_t bit; } modifiers[] = {
    {"FLAT", INTERP_FLAT}, {"NOPERSPECTIVE", INTERP_NOPERSPECTIVE}, {"CENTROID", INTERP_CENTROID},
    {"SAMPLE", INTERP_SAMPLE}};

/* SHORT, LONG, INT, UINT, FLOAT. */
static bool is_prefix(const struct checker *c, struct span word)
{
    static const char *const words[] = {"SHORT", "LONG", "INT", "UINT", "FLOAT"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == word.length && memcmp(words[i], check_text(c, word), word.length) == 0)
            return true;
    return false;
}

/* A modifier of interpolation that stands twice before the keyword; else *span is the keyword's. */
static bool find_repeated(const struct checker *c, const struct statement *statement, struct span *span)
{
    const char *text = c->program->text;
    uint32_t at = statement->span.offset, end = span_end(statement->span);
    unsigned seen = 0;

    while (at < end) {
        uint32_t length = 0;
        while (at + length < end && text[at + length] >= 'A' && text[at + length] <= 'Z')
            length++;
        unsigned bit = 0;
        for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
            if (strlen(modifiers[i].word) == length && memcmp(modifiers[i].word, text + at, length) == 0)
                bit = modifiers[i].bit;
        *span = (struct span){at, length};      /* the keyword, at last */
        if (seen & bit)
            return true;
        seen |= bit;
        if (length == 0 || (!bit && !is_prefix(c, *span)))
            return false;
        at = check_next_token(c, at + length);
    }
    return false;
}

/* What comes as it is. */
static bool takes_interpolation(const struct binding *b)
{
    switch (b->kind) {
    case BIND_FRAGMENT_POSITION:
    case BIND_FRAGMENT_FACING:
    case BIND_FRAGMENT_FOGCOORD:
    case BIND_FRAGMENT_CLIP:
    case BIND_PRIMITIVE_ID: return false;
    default: return true;
    }
}

static bool is_colour(const struct binding *b, bool *secondary)
{
    *secondary = b->kind == BIND_FRAGMENT_COLOR_SECONDARY;
    return *secondary || b->kind == BIND_FRAGMENT_COLOR || b->kind == BIND_FRAGMENT_COLOR_PRIMARY;
}

/* The colours are interpolated alike, where both are read. The driver says so at the end. */
void check_colours_used(struct checker *c)
{
    uint8_t used[2] = {0, 0};       /* primary, secondary: enum interpolation and 1 */

    for (uint32_t i = 0; i < c->program->operands.count; i++) {
        const struct operand *o = program_operand(c->program, i);
        const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(c->program, o->ref) : NULL;
        const struct binding *b = o->kind == OPND_BINDING ? program_binding(c->program, o->ref)
                                  : s && s->kind == SYM_ATTRIB && s->nbindings ? program_binding(c->program, s->binding)
                                                                               : NULL;
        bool secondary;
        if (!b || !is_colour(b, &secondary))
            continue;
        used[secondary] = (uint8_t)((s ? s->interpolation : c->colour_interpolation[secondary]) + 1u);
        if (!used[!secondary] || used[0] == used[1])
            continue;
        c->reported = 0;
        check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, b->span, "one colour is interpolated in another way"),
                       (uint32_t)c->program->size);
        return;
    }
}

static void check_interpolation_text(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    struct span span;

    if (s->interpolation && find_repeated(c, statement, &span))
        check_error(c, FOR_NVIDIA | FOR_SPEC, span, "%.*s stands twice", check_length(span), check_text(c, span));
    if (s->interpolation & INTERP_FLAT && s->interpolation & (INTERP_CENTROID | INTERP_NOPERSPECTIVE))
        check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, s->span,
                                   "FLAT goes with neither CENTROID nor NOPERSPECTIVE"),
                       span.offset);
    for (uint32_t i = 0; i < s->nbindings && s->kind == SYM_ATTRIB; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (s->interpolation && !takes_interpolation(b))
            check_error(c, FOR_SPEC, b->span, "by the specifications no interpolation is chosen for %.*s",
                        check_length(b->span), check_text(c, b->span));
        bool secondary;
        if (s->interpolation && is_colour(b, &secondary)) {
            c->colour_interpolation[secondary] = s->interpolation;
            c->colours_differ = true;
        }
    }
}

/* ---- sizes, elements, numbers ------------------------------------------------------------------------------------ */

/* SHORT is of temporaries and results, LONG of temporaries and, from 5.0 on, of the inputs of vertex programs. */
static void check_storage_size(struct checker *c, const struct symbol *s)
{
    bool input = s->kind == SYM_ATTRIB && c->profile == PROFILE_NVVP5;

    if (s->size == SIZE_LONG && s->kind != SYM_TEMP && !input)
        check_error(c, FOR_SPEC, s->span, "by the specifications LONG goes with TEMP alone%s",
                    generation_of(c) >= GEN_NV5 ? ", and in vertex programs with ATTRIB" : "");
    else if (s->size == SIZE_SHORT && s->kind != SYM_TEMP && s->kind != SYM_OUTPUT)
        check_error(c, FOR_SPEC, s->span, "by the specifications SHORT goes with TEMP and OUTPUT alone");
}

static void check_elements_text(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    const struct binding *first = s->nbindings ? program_binding(c->program, s->binding) : NULL;
    uint32_t whole = 0;

    if (s->kind == SYM_TEMP && s->array && !s->size_written)
        check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, s->span,
                                   "an array of temporaries has its size in its brackets"),
                       check_next_token(c, check_next_token(c, span_end(s->span)) + 1));
    if (s->kind == SYM_OUTPUT && s->array && in_stage(c, STAGE_FRAGMENT))
        check_error(c, FOR_SPEC, s->span, "by the specifications there are no arrays of fragments' results");
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (s->kind == SYM_OUTPUT && in_stage(c, STAGE_FRAGMENT) && b->range[0]) {
            const char *dots = memchr(check_text(c, b->index_span[0]), '.', b->index_span[0].length);
            check_position(check_error(c, FOR_NVIDIA, b->span, "there are no ranges of colours"),
                           dots ? (uint32_t)(dots - c->program->text) : b->index_span[0].offset);
        }
        whole += binding_table[b->kind].class == BC_BUFFER && b->nindices < 2;
        if (s->array && (s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT) && b->kind != first->kind)
            check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, b->span, "the elements of %s are of one kind",
                                       s->name),
                           span_end(statement->span) - 1);
    }
    bool counted = s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT || s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4;
    if (counted && s->size_written && !whole && !s->broken && s->elements && s->elements != s->array_size)
        check_position(check_error(c, FOR_NVIDIA | FOR_SPEC, s->size_span,
                                   "%s is declared with %u elements and bound to %u", s->name, s->array_size,
                                   s->elements),
                       check_next_token(c, span_end(statement->span)));
}

void check_number_text(struct checker *c, const struct constant *constant, struct span whole, bool is_unsigned)
{
    for (unsigned i = 0; i < constant->count; i++) {
        bool integer = constant->is_integer >> i & 1, negative = constant->negative >> i & 1;
        bool large = integer && constant->value[i].u > UINT32_MAX,
             below = integer && is_unsigned && negative && constant->value[i].u;
        if (!large && !below)
            continue;
        struct span span = check_number_span(c, whole, i);
        if (below)
            check_error(c, FOR_SPEC, span, "an unsigned integer has no minus");
        else
            check_error(c, FOR_SPEC, span, "%.*s is more than 32 bits hold", check_length(span), check_text(c, span));
    }
}

static void check_numbers_text(struct checker *c, const struct symbol *s)
{
    for (uint32_t i = 0; i < s->nbindings && (s->type == TYPE_INT || s->type == TYPE_UINT); i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (b->kind == BIND_CONSTANT && b->constant != NO_INDEX)
            check_number_text(c, program_constant(c->program, b->constant), b->span, s->type == TYPE_UINT);
    }
}

void check_typed_declaration(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    if (s->kind == SYM_ALIAS || s->kind == SYM_SUBROUTINE_TYPE || s->kind == SYM_SUBROUTINE)
        return;
    check_storage_size(c, s);
    check_elements_text(c, s, statement);
    check_numbers_text(c, s);
    if (in_stage(c, STAGE_FRAGMENT))
        check_interpolation_text(c, s, statement);
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

void check_typed_binding(struct checker *c, const struct binding *b)
{
    const char *words = binding_table[b->kind].words;
    unsigned brackets = 0;

    for (const char *at = strchr(words, '['); at; at = strchr(at + 1, '['))
        brackets++;
    bool numbered = strstr(words, ".clip[?]") || strstr(words, ".attrib[?]") || strstr(words, ".tess");
    if (b->kind == BIND_VERTEX_WEIGHT)
        check_error(c, FOR_SPEC, b->span, "NV_vertex_program4 has no vertex.weight");
    else if (b->kind == BIND_RESULT_ATTRIB_FIRST || (numbered && b->nindices < brackets))
        check_error(c, FOR_SPEC, b->span, "by the specifications %.*s has its number in brackets",
                    check_length(b->span), check_text(c, b->span));
    else if (b->kind == BIND_RESULT_ID && in_stage(c, STAGE_GEOMETRY))
        check_error(c, FOR_SPEC, b->span, "by the specifications geometry programs have no result.id");
}
