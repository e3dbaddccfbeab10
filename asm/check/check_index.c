/* Names that stand for nothing, and the indices of elements. */
#include "asm/check/fix.h"
#include "asm/check/check_internal.h"

#include <string.h>

/* ---- names that stand for nothing -------------------------------------------------------------------------------- */

struct span check_first_word(const struct checker *c, struct span span)
{
    const char *text = c->program->text + span.offset;
    uint32_t length = 0;
    while (length < span.length && text[length] != '.' && text[length] != '[' && text[length] != ' ')
        length++;
    return (struct span){span.offset, length};
}

static bool is_one_of(const struct checker *c, struct span word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == word.length && memcmp(words[i], check_text(c, word), word.length) == 0)
            return true;
    return false;
}

/* An input that is written, a result that is read: true if it said so. */
static bool check_direction(struct checker *c, struct span head, struct span span, const char *role)
{
    static const char *const inputs[] = {"fragment", "vertex", "primitive", "invocation"};
    static const char *const parameters[] = {"program", "state"}, *const results[] = {"result"};
    bool written = strcmp(role, "destination") == 0, read = strcmp(role, "operand") == 0;
    const char *what = NULL;
    if (written && is_one_of(c, head, inputs, sizeof inputs / sizeof *inputs))
        what = "an input: it is read and cannot be written";
    else if (written && is_one_of(c, head, parameters, sizeof parameters / sizeof *parameters))
        what = "a parameter: it is read and cannot be written";
    else if (read && is_one_of(c, head, results, sizeof results / sizeof *results))
        what = "a result: it is written and cannot be read";
    if (what)
        diag_hint(check_error(c, FOR_ALL, head, "%.*s is %s", check_length(span), check_text(c, span), what),
                  "keep it in a TEMP");
    return what;
}

void check_unknown_name(struct checker *c, struct span span, const char *role)
{
    struct span head = check_first_word(c, span);
    if (check_direction(c, head, span, role))
        return;
    struct diag *d = check_error(c, FOR_ALL, head, "the %s %.*s is not declared", role, check_length(head),
                                 check_text(c, head));
    bool only;
    const char *meant = asm_suggest_name(c->program, head, &only);
    fix_word(d, head, meant, only);
    if (meant)
        return;
    if (c->typed)
        diag_hint(d, "add TEMP %.*s;", check_length(head), check_text(c, head));
}

void check_unknown_operand(struct checker *c, const struct operand *o, const char *role)
{
    if (o->kind == OPND_NONE && o->reported)
        c->reported = FOR_ALL;      /* the parser said already what is wrong */
    else
        check_unknown_name(c, program_base(c->program, o), role);
}

/* ---- indices ----------------------------------------------------------------------------------------------------- */

/* A register of an index is a TEMP of integers, whole or with its component, and no element of an array. */
static bool check_index_symbol(struct checker *c, const struct index *index)
{
    const struct symbol *s = program_symbol(c->program, index->reg);
    if (s->kind != SYM_TEMP && s->kind != SYM_ADDRESS) {
        check_error(c, FOR_ALL, index->register_span, "%s cannot be an index: it is no register", s->name);
        return false;
    }
    if (s->type == TYPE_FLOAT) {
        check_error(c, FOR_ALL & ~(unsigned)FOR_GP5, index->register_span,
                    "%s holds floats, and an index is an integer", s->name);
        return false;
    }
    return true;
}

static void check_register(struct checker *c, const struct index *index)
{
    if (index->register_kind == OPND_NONE && index->reported) {
        c->reported = FOR_ALL;
        return;
    }
    if (index->register_kind == OPND_NONE) {
        check_unknown_name(c, index->register_span, "register");
        return;
    }
    if (index->register_kind == OPND_BINDING)
        check_error(c, FOR_NVIDIA, index->register_span, "%.*s cannot be an index: the driver takes a TEMP only",
                    check_length(index->register_span), check_text(c, index->register_span));
    else if (index->register_kind == OPND_SYMBOL && !check_index_symbol(c, index))
        return;
    if (index->element.used) {
        const char *bracket = memchr(check_text(c, index->register_span), '[', index->register_span.length);
        check_position(
            check_error(c, FOR_NVIDIA, index->register_span, "the register of an index is no element of an array"),
            bracket ? (uint32_t)(bracket - c->program->text) : index->register_span.offset);
    }
    if (!index->component_text) {
        struct diag *d = check_error(c, FOR_ALL, index->register_span, "an index is one component of a register");
        check_position(d, check_next_token(c, span_end(index->register_span)));
        diag_hint(d, "add its component: .x, .y, .z or .w");
    } else if (!index->component_written) {
        check_error(c, FOR_ALL, program_suffix(c->program, index->register_span),
                    "an index is one component of a register: x, y, z or w");
    }
}

/* How far the nth index may reach: elements of an array, bytes of memory; 0 where nothing bounds it. */
static uint64_t extent_of(const struct checker *c, const struct symbol *s, unsigned n)
{
    if (s->per_vertex && n == 0)
        return s->nbindings ? check_vertices(c, program_binding(c->program, s->binding)) : 0;
    if (s->array_size && n == s->per_vertex)
        return s->array_size;
    switch (s->kind) {
    case SYM_SHARED: return c->program->shared_memory;
    case SYM_CBUFFER: return 65536;
    case SYM_BUFFER: return 16384;
    case SYM_BUFFER4: return 4096;
    default: return 0;
    }
}

static void check_bounds(struct checker *c, const struct symbol *s, const struct index *index, unsigned n)
{
    uint64_t extent = extent_of(c, s, n);
    bool relative = index->mode == INDEX_RELATIVE;
    bool outside = index->offset < 0 || (extent && (uint64_t)index->offset >= extent);
    if (index->mode == INDEX_NONE || !outside || (extent == 0 && s->kind != SYM_STORAGE))
        return;
    struct diag *d;
    if (relative)
        d = check_error(c, FOR_ALL & ~(unsigned)FOR_GP5, index->span,
                        "the number beside a register is between 0 and the size less one");
    else if (s->per_vertex && n == 0)
        d = check_error(c, FOR_ALL, index->span, "a primitive has %u vertices here: the last is %s[%u]",
                        (unsigned)extent, s->name, (unsigned)extent - 1);
    else if (s->array_size && n == s->per_vertex)
        d = check_error(c, FOR_ALL, index->span, "%s has %u elements: the last is %s[%u]", s->name, s->array_size,
                        s->name, s->array_size - 1);
    else
        d = check_error(c, FOR_ALL, index->span, "%s has %u bytes or elements at most", s->name, (unsigned)extent);
    check_position(d, check_next_token(c, relative ? span_end(index->span) : index->span.offset));
}

static bool is_memory_symbol(const struct symbol *s)
{
    return s->kind == SYM_STORAGE || s->kind == SYM_SHARED || s->kind == SYM_CBUFFER;
}

/* `operand`, or the result of `writer`, is what the indices belong to. */
void check_indices(struct checker *c, const struct symbol *s, const struct operand *operand,
                          const struct insn *writer)
{
    uint32_t first = operand ? operand->index : writer->dst.index;
    unsigned count = operand ? operand->nindices : writer->dst.nindices;
    unsigned wanted = (s->two_indices ? 2u : s->array || is_memory_symbol(s) ? 1u : 0u) + s->per_vertex;
    for (unsigned i = 0; i < count; i++) {
        const struct index *index = program_index(c->program, first + i);
        if (i >= wanted) {
            if (!c->typed && s->kind != SYM_PARAM) {
                struct span base =
                    operand ? program_base(c->program, operand) : check_result_span(c, writer);
                check_error(c, FOR_MESA, base, "%s is no array", s->name);
            }
            struct diag *d = check_error(c, FOR_ALL, index->span, "%s is no array", s->name);
            check_position(d, index->span.offset - 1);
            return;
        }
        if (index->mode == INDEX_RELATIVE && !c->typed) {
            check_address_index(c, index, s->kind == SYM_PARAM && profile_in(c->profile, ARB_VP | OLD_VP), 0);
            continue;
        }
        if (index->mode == INDEX_RELATIVE)
            check_register(c, index);
        else if (index->mode == INDEX_NONE)
            check_position(check_error(c, FOR_ALL, index->span, "an element of %s is meant: which one?", s->name),
                           check_next_token(c, index->span.offset));
        check_bounds(c, s, index, i);
    }
    if (count < wanted) {
        struct span base = operand ? program_base(c->program, operand) : check_result_span(c, writer);
        uint32_t end = count ? span_end(program_index(c->program, first + count - 1)->span) + 1
                             : base.offset + (uint32_t)strlen(s->name);
        for (int mesa = 0; mesa < 2; mesa++) {      /* Mesa points at the name, the others at what should be a
                                                     * bracket */
            struct diag *d = check_error(c, mesa ? FOR_MESA : FOR_NVIDIA | FOR_SPEC, base,
                                         "%s is an array: an element needs an index", s->name);
            check_position(d, mesa ? base.offset : check_next_token(c, end));
            diag_hint(d, "as in %s[0]", s->name);
        }
    }
}

void check_element(struct checker *c, const struct operand *o)
{
    const struct symbol *s = program_symbol(c->program, o->ref);
    if (s->array || s->per_vertex || o->nindices)
        check_indices(c, s, o, NULL);
}
