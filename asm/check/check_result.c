/* Results and their masks, and the suffixes that are none. */
#include "asm/check/check_internal.h"

#include <string.h>

/* Mesa's scanner takes as much of a suffix as is a mask or a swizzle, and its parser stumbles over what is left, or
 * over the dot when a suffix of that length cannot stand here. */
static uint32_t mesa_position(const struct checker *c, struct span letters, unsigned accepted)
{
    static const char xyzw[] = "xyzw", rgba[] = "rgba";
    const char *text = c->program->text + letters.offset;
    const char *set = letters.length && strchr(rgba, text[0]) ? rgba : xyzw;
    uint32_t taken = 0, rising = 0;
    while (taken < letters.length && taken < 4 && strchr(set, text[taken]))
        taken++;
    while (rising < taken && (rising == 0 || strchr(set, text[rising]) > strchr(set, text[rising - 1])))
        rising++;
    bool mask = taken < 4 || rising == 4;
    if (taken < 4)
        taken = rising;
    if (taken > 0 && accepted >> taken & 1 && (mask || accepted & SUFFIX_SWIZZLE))
        return letters.offset + taken;
    uint32_t dot = letters.offset;
    while (dot > 0 && c->program->text[dot] != '.')
        dot--;
    return dot;
}

struct diag *check_suffix(struct checker *c, unsigned accepted, struct span letters, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    struct diag *d = check_error(c, FOR_MESA, letters, "%s", message);
    check_position(d, mesa_position(c, letters, accepted));
    return check_error(c, FOR_NVIDIA | FOR_SPEC, letters, "%s", message);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* R0.x.x: the driver takes .x, and misses what should follow. Where the second dot stands, if the first suffix is a
 * good one. */
void check_second_dot(const struct checker *c, struct diag *d, struct span suffix, bool mask)
{
    const char *text = c->program->text;
    if (suffix.offset < 3 || text[suffix.offset - 1] != '.')
        return;
    uint32_t dot = suffix.offset - 1, first = dot;
    while (first > 0 && dot - first < 5 && strchr("xyzwrgba", text[first - 1]))
        first--;
    uint32_t length = dot - first;
    if (first > 0 && text[first - 1] == '.' && (length == 1 || length == 4 || (mask && length > 1 && length < 4)))
        check_position(d, dot);
}

static void check_mask(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    if (r->mask_written)
        check_glued(c, program_suffix(c->program, check_result_span(c, insn)));
    bool colours = r->rgba && !c->typed && !profile_in(c->profile, COLOURS);
    if (!r->bad_mask && !colours)
        return;
    struct span mask = program_suffix(c->program, check_result_span(c, insn));
    if (!r->bad_mask) {
        check_colours(c, mask, "masks");
        return;
    }
    struct diag *d = check_suffix(c, SUFFIX_MASK, mask, "%.*s is no write mask: xyzw in this order, each once at most",
                                  check_length(mask), check_text(c, mask));
    check_second_dot(c, d, mask, true);
}

static void check_result_symbol(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    struct symbol *s = program_symbol(c->program, r->ref);
    s->written = true;
    if (s->kind != SYM_TEMP && s->kind != SYM_OUTPUT) {
        check_error(c, FOR_ALL, check_result_span(c, insn), "%s cannot be written: only a TEMP%s can", s->name,
                    c->profile == PROFILE_NVCP5 ? "" : " or an OUTPUT");
        return;
    }
    check_result_type(c, insn);
    if (s->array || r->nindices)
        check_indices(c, s, NULL, insn);
}

/* CC, RC and HC: condition codes are written and nothing else. The specifications have them in more dialects. */
static bool has_cc(struct checker *c, const struct insn *insn)
{
    struct span place = check_result_span(c, insn);
    char letter = check_text(c, place)[0];
    if (letter == 'C' ? c->profile == PROFILE_VP20 : c->profile == PROFILE_FP10)
        return true;
    if (!profile_in(c->profile, letter == 'C' ? AVP2 | AVP3 : AFP1 | AFP2))
        return false;
    check_error(c, FOR_NVIDIA | FOR_MESA, place, "the driver does not know %.*s", check_length(place),
                check_text(c, place));
    return true;
}

static void check_bound_result(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct binding *b = program_binding(c->program, r->ref);
    struct span place = check_result_span(c, insn);
    if (binding_table[b->kind].class != BC_RESULT)
        check_error(c, FOR_ALL, place, "%.*s cannot be written", check_length(place), check_text(c, place));
    else if (r->nindices)
        check_position(check_error(c, FOR_ALL, place, "%.*s has one index too many", check_length(place),
                                   check_text(c, place)),
                       program_index(c->program, r->index)->span.offset - 1);
    else if (!(c->typed && check_whole_binding(c, program_binding(c->program, r->ref), place)))
        check_result_binding(c, program_binding(c->program, r->ref));
}

void check_result(struct checker *c, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    if (!r->written)
        return;
    if (r->kind == OPND_NONE && r->reported)
        c->reported = FOR_ALL;
    else if (shape_table[op_table[insn->op].shape].result == RC_ADDRESS)
        check_address_result(c, insn);
    else if (r->kind == OPND_NONE || (r->kind == OPND_CC && !has_cc(c, insn)))
        check_unknown_name(c, check_result_span(c, insn), "destination");
    else if (r->kind == OPND_SYMBOL)
        check_result_symbol(c, insn);
    else if (r->kind == OPND_BINDING)
        check_bound_result(c, insn);
    check_mask(c, insn);
    if (r->condition.written) {
        if (!profile_in(c->profile, CONDITIONS)) {
            struct span test = program_test_span(c->program, insn);
            uint32_t open = test.offset;
            while (open > 0 && c->program->text[open] != '(')
                open--;
            check_position(check_error(c, FOR_ALL, test, "%s programs have no condition codes",
                                       profile_table[c->profile].stage),
                           open);
        } else
            check_condition(c, insn, &r->condition);
    }
}
