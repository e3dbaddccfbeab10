/* Declarations: what keywords, sizes and bindings may say together. */
#include "asm/check/check_internal.h"
#include "asm/words.h"

#include <string.h>

/* The word that declares a kind of variable. */
static const uint8_t kind_keys[] = {
    [SYM_TEMP] = KEY_TEMP,
    [SYM_ATTRIB] = KEY_ATTRIB,
    [SYM_PARAM] = KEY_PARAM,
    [SYM_OUTPUT] = KEY_OUTPUT,
    [SYM_ADDRESS] = KEY_ADDRESS,
    [SYM_BUFFER] = KEY_BUFFER,
    [SYM_BUFFER4] = KEY_BUFFER4,
    [SYM_CBUFFER] = KEY_CBUFFER,
    [SYM_STORAGE] = KEY_STORAGE,
    [SYM_SHARED] = KEY_SHARED,
    [SYM_TEXTURE] = KEY_TEXTURE,
    [SYM_IMAGE] = KEY_IMAGE,
    [SYM_COUNTER] = KEY_COUNTER,
    [SYM_SUBROUTINE_TYPE] = KEY_SUBROUTINETYPE,
    [SYM_SUBROUTINE] = KEY_SUBROUTINE,
    [SYM_LABEL] = KEY_NONE,
    [SYM_ALIAS] = KEY_ALIAS,
};

static const struct keyword_info *kind_info(unsigned kind)
{
    return &keyword_table[kind_keys[kind]];
}

/* The class of bindings that a kind of variable takes. */
static bool takes_binding(enum symbol_kind kind, const struct binding *b)
{
    uint8_t class = binding_table[b->kind].class;
    switch (kind) {
    case SYM_ATTRIB: return class == BC_ATTRIB || class == BC_VERTEX;
    case SYM_PARAM: return class == BC_PARAM;
    case SYM_OUTPUT: return class == BC_RESULT;
    case SYM_BUFFER:
    case SYM_BUFFER4:
    case SYM_CBUFFER: return class == BC_BUFFER;
    case SYM_STORAGE: return class == BC_STORAGE;
    case SYM_SHARED: return class == BC_SHARED;
    case SYM_TEXTURE: return class == BC_TEXTURE;
    case SYM_IMAGE: return class == BC_IMAGE;
    case SYM_COUNTER: return class == BC_COUNTER;
    case SYM_SUBROUTINE: return class == BC_SUBROUTINE;
    default: return false;
    }
}

/* Behind `program.` */
static uint32_t behind_word(const struct checker *c, struct span span)
{
    const char *dot = memchr(check_text(c, span), '.', span.length);
    return dot ? (uint32_t)(dot - c->program->text) + 1 : span.offset;
}

/* Arrays of attributes and of results are of those that have numbers; of fragments' results also of what has none. */
static bool is_numbered(const struct checker *c, const struct binding *b)
{
    static const char *const numbered[] = {".attrib", ".texcoord", ".clip", ".cull", ".tess", ".viewportmask"};
    const struct binding_info *info = &binding_table[b->kind];
    if (info->class == BC_RESULT && in_stage(c, STAGE_FRAGMENT))
        return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (strstr(info->words, numbered[i]))
            return strcmp(info->words, "vertex.tesscoord") != 0;
    return false;
}

/* Every name of an attribute has it interpolated in the same way. */
static void check_agreement(struct checker *c, const struct symbol *s, const struct binding *b)
{
    if (s->kind != SYM_ATTRIB || b->kind != BIND_FRAGMENT_ATTRIB || b->nindices == 0)
        return;
    for (uint32_t n = b->first[0]; n < MAX_ATTRIBUTES && n <= (b->range[0] ? b->last[0] : b->first[0]); n++) {
        uint8_t *before = &c->attribute_interpolation[n];
        if (*before && *before != s->interpolation + 1u) {
            struct diag *d =
                check_error(c, FOR_NVIDIA | FOR_SPEC, b->span,
                            "fragment.attrib[%u] is interpolated in another way by a declaration before", n);
            check_position(d, check_next_token(c, span_end(b->span)));
            return;
        }
        *before = (uint8_t)(s->interpolation + 1u);
    }
}

static void check_bindings(struct checker *c, const struct symbol *s)
{
    if (s->kind == SYM_SUBROUTINE_TYPE)
        return;         /* it has labels */
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (!takes_binding((enum symbol_kind)s->kind, b)) {
            struct diag *d = check_error(c, FOR_ALL, b->span, "a name declared with %s cannot stand for this",
                                         kind_info(s->kind)->name);
            if (s->kind == SYM_PARAM && strncmp(binding_table[b->kind].words, "program.", 8) == 0)
                check_position(d, check_next_token(c, behind_word(c, b->span)));
        } else if (c->typed && s->array && (s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT) && !is_numbered(c, b)) {
            check_position(check_error(c, FOR_ALL, b->span, "%.*s has no number: there are no arrays of it",
                                       check_length(b->span), check_text(c, b->span)),
                           check_next_token(c, span_end(b->span)));
        } else if (b->range[0] && b->last[0] < b->first[0]) {
            check_binding_indices(c, b);
            struct diag *d = check_error(c, FOR_ALL, b->span, "a range ends behind its beginning");
            bool bracket = c->typed && s->kind != SYM_PARAM;
            check_position(d, bracket ? span_end(b->index_span[0]) : check_next_token(c, span_end(b->span)));
        } else if (s->kind == SYM_SHARED && c->program->shared_memory == 0) {
            struct diag *d = check_error(c, FOR_ALL, b->span, "the program has no shared memory");
            check_position(d, check_next_token(c, span_end(b->span)));
            diag_hint(d, "declare it behind GROUP_SIZE, as in SHARED_MEMORY 1024;");
        } else if (s->kind == SYM_SHARED && !s->array && b->nindices == 0) {
            struct diag *d = check_error(c, FOR_NVIDIA, b->span, "all of the shared memory is an array: %s[]", s->name);
            check_position(d, check_next_token(c, span_end(b->span)));
        } else if (!s->array && check_whole_binding(c, b, b->span)) {
            return;
        } else if (s->kind == SYM_OUTPUT) {
            check_result_binding(c, b);
        } else {
            check_binding_indices(c, b);
            check_agreement(c, s, b);
        }
    }
}

/* A buffer is one of words or one of vectors. */
static void check_elements(struct checker *c, const struct symbol *s, const struct binding *b)
{
    bool vectors = s->kind == SYM_BUFFER4;
    for (uint32_t n = b->first[0]; b->nindices && n <= b->last[0] && n < 32; n++) {
        if (c->buffers[!vectors] >> n & 1) {
            struct diag *d = check_error(c, FOR_NVIDIA | FOR_SPEC, b->span,
                                         "program.buffer[%u] is in BUFFER and BUFFER4 declarations", n);
            check_position(d, check_next_token(c, span_end(b->index_span[0])));
            return;
        }
        c->buffers[vectors] |= 1u << n;
    }
}

/* A buffer that is not named by a place in it has as many elements as it has; a place is within what a buffer may
 * hold. */
static void check_buffer(struct checker *c, const struct symbol *s)
{
    uint32_t most = s->kind == SYM_BUFFER4 ? 4096 : s->kind == SYM_BUFFER ? 16384 : 65536;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (b->kind != BIND_PROGRAM_BUFFER)
            continue;
        if (s->kind != SYM_CBUFFER)
            check_elements(c, s, b);
        if (b->nindices < 2 && (!s->array || s->size_written) && !s->two_indices) {
            struct diag *d =
                check_error(c, FOR_NVIDIA, b->span, "a whole buffer is an array of its own length: %s[]", s->name);
            check_position(d, check_next_token(c, span_end(b->span)));
        } else if (b->nindices > 1 && (b->first[1] >= most || b->last[1] >= most)) {
            struct span span = b->index_span[1];
            struct diag *d = check_error(c, FOR_NVIDIA, span, "a buffer holds %u elements here", most);
            const char *dots = b->range[1] && b->first[1] < most ? memchr(check_text(c, span), '.', span.length) : NULL;
            check_position(d, check_next_token(c, dots ? (uint32_t)(dots - c->program->text) + 2 : span.offset));
        }
    }
}

/* The elements of all arrays but PARAM follow each other, as in { texture[0], texture[1] }. */
static void check_contiguous(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    for (uint32_t i = 1; i < s->nbindings && s->kind != SYM_PARAM; i++) {
        const struct binding *before = program_binding(c->program, s->binding + i - 1);
        const struct binding *b = program_binding(c->program, s->binding + i);
        unsigned n = b->nindices ? b->nindices - 1u : 0;
        uint32_t last = before->range[n] ? before->last[n] : before->first[n];
        if (b->nindices == 0 || before->nindices != b->nindices)
            continue;
        if ((n && b->first[0] != before->first[0]) || b->first[n] != last + 1 ||
            (s->kind == SYM_CBUFFER && n == 0)) {
            struct diag *d =
                check_error(c, FOR_NVIDIA | FOR_SPEC, b->span, "the elements of %s do not follow each other", s->name);
            check_position(d, span_end(statement->span) - 1);
            return;
        }
    }
}

/* INT PARAM p = 1.5; */
static void check_integers(struct checker *c, const struct symbol *s)
{
    for (uint32_t i = 0; i < s->nbindings && (s->type == TYPE_INT || s->type == TYPE_UINT); i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        const struct constant *constant = b->constant == NO_INDEX ? NULL : program_constant(c->program, b->constant);
        for (unsigned k = 0; constant && k < constant->count; k++)
            if (!(constant->is_integer >> k & 1)) {
                struct span span = check_number_span(c, b->span, k);
                check_error(c, FOR_NVIDIA | FOR_SPEC, span, "%.*s is no integer, and %s is declared with %s",
                            check_length(span), check_text(c, span), s->name, s->type == TYPE_INT ? "INT" : "UINT");
                return;
            }
    }
}

/* How many variables Mesa has. */
static void check_number_of(struct checker *c, const struct symbol *s)
{
    enum { MESA_ADDRESSES = 1, MESA_TEMPORARIES = 4096, MESA_PARAMETERS = 2048 };
    if (s->kind == SYM_ADDRESS && ++c->addresses > MESA_ADDRESSES)
        check_error(c, FOR_MESA, s->span, "Mesa has one address register");
    else if (s->kind == SYM_TEMP && ++c->temporaries > MESA_TEMPORARIES)
        check_error(c, FOR_MESA, s->span, "Mesa has %d temporaries", MESA_TEMPORARIES);
    else if (s->kind == SYM_PARAM && s->size_written && s->array_size > MESA_PARAMETERS)
        check_error(c, FOR_MESA, s->size_span, "an array of parameters has %d elements at most in Mesa",
                    MESA_PARAMETERS);
}

static void check_size(struct checker *c, const struct statement *statement, const struct symbol *s)
{
    if (!s->size_written)
        return;
    if (s->array_size == 0)
        check_error(c, FOR_ALL, s->size_span, "an array has one element at least");
    else if (!s->broken && s->nbindings && s->kind == SYM_PARAM && s->elements != s->array_size)
        for (int mesa = 0; mesa < 2; mesa++) {      /* Mesa points at the size, the others at the closing brace */
            struct diag *d = check_error(c, mesa ? FOR_MESA : FOR_NVIDIA | FOR_SPEC, s->size_span,
                                         "%s is declared with %u elements and bound to %u", s->name, s->array_size,
                                         s->elements);
            if (!mesa)
                check_position(d, span_end(statement->span) - 1);
        }
    else if (s->kind == SYM_TEMP && s->array_size > 4096)
        check_error(c, FOR_NVIDIA, s->size_span, "an array of temporaries has 4096 elements at most");
}

/* Where the keyword of a declaration stands, and the first prefix that says how an input is interpolated, if there is
 * one. */
static struct span find_keyword(const struct checker *c, const char *word, const struct statement *statement,
                                struct span *interpolation)
{
    const char *text = c->program->text;
    uint32_t at = statement->span.offset, end = span_end(statement->span);
    interpolation->length = 0;
    while (at < end) {
        uint32_t length = 0;
        while (at + length < end && text[at + length] >= 'A' && text[at + length] <= 'Z')
            length++;
        struct span span = {at, length};
        if (length == 0 || (strlen(word) == length && memcmp(word, text + at, length) == 0))
            break;
        bool interpolates =
            strchr("NC", text[at]) || (text[at] == 'F' && length == 4) || (text[at] == 'S' && length == 6);
        if (interpolates && interpolation->length == 0)
            *interpolation = span;
        at = check_next_token(c, at + length);
    }
    return (struct span){at, (uint32_t)strlen(word)};
}

/* What is the same for the whole primitive, or belongs to the sample. */
static bool is_interpolated(const struct symbol *s, const struct binding *b)
{
    switch (b->kind) {
    case BIND_FRAGMENT_FACING:
    case BIND_FRAGMENT_SAMPLEID:
    case BIND_FRAGMENT_THREADGTMASK:
    case BIND_FRAGMENT_THREADLEMASK:
    case BIND_PRIMITIVE_ID: return false;
    case BIND_FRAGMENT_POSITION: return !(s->interpolation & (INTERP_FLAT | INTERP_NOPERSPECTIVE));
    default: return true;
    }
}

/* Inputs of fragment programs: integers come unchanged, and some inputs in no other way. */
static bool check_interpolation(struct checker *c, const struct symbol *s, struct span keyword, const char *word)
{
    bool integer = s->type == TYPE_INT || s->type == TYPE_UINT;
    if (s->interpolation && s->kind != SYM_ATTRIB)
        return !check_error(c, FOR_NVIDIA | FOR_SPEC, keyword, "only inputs are interpolated: ATTRIB, and not %s",
                            word);
    if (s->kind != SYM_ATTRIB || s->size != SIZE_DEFAULT)
        return true;
    if (integer && !(s->interpolation & INTERP_FLAT)) {
        struct diag *d = check_error(c, FOR_NVIDIA | FOR_SPEC, keyword, "an input of integers is not interpolated");
        diag_hint(d, "add FLAT");
        return !d;
    }
    if (s->interpolation & INTERP_SAMPLE && s->interpolation & (INTERP_FLAT | INTERP_CENTROID))
        return !check_error(c, FOR_NVIDIA | FOR_SPEC, keyword, "SAMPLE goes with neither FLAT nor CENTROID");
    for (uint32_t i = 0; s->interpolation && i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        struct diag *d = is_interpolated(s, b)
                             ? NULL
                             : check_error(c, FOR_NVIDIA, b->span, "%.*s is not interpolated in this way",
                                           check_length(b->span), check_text(c, b->span));
        check_position(d, check_next_token(c, span_end(b->span)));
    }
    return true;
}

/* SHORT and LONG go with TEMP and OUTPUT, LONG also with the inputs of !!NVvp5.0; INT, UINT and FLOAT with what holds
 * numbers; the rest with the inputs of fragment programs. */
static bool check_prefixes(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    const char *word = kind_info(s->kind)->name;
    struct span interpolation, keyword = find_keyword(c, word, statement, &interpolation);
    if (interpolation.length && c->profile == PROFILE_NVCP5)
        return !check_error(c, FOR_NVIDIA, interpolation,
                            "compute programs interpolate nothing: %.*s has no place here", check_length(interpolation),
                            check_text(c, interpolation));
    bool numbers = s->kind == SYM_TEMP || s->kind == SYM_ATTRIB || s->kind == SYM_PARAM || s->kind == SYM_BUFFER ||
                   s->kind == SYM_BUFFER4 || s->kind == SYM_CBUFFER || s->kind == SYM_OUTPUT;
    if (c->typed && in_stage(c, STAGE_FRAGMENT) && !check_interpolation(c, s, keyword, word))
        return false;
    bool long_input = s->kind == SYM_ATTRIB && s->size == SIZE_LONG && c->profile == PROFILE_NVVP5;
    if (s->size != SIZE_DEFAULT && s->kind != SYM_TEMP && s->kind != SYM_OUTPUT && !long_input)
        return !check_error(c, FOR_NVIDIA | FOR_SPEC, keyword,
                            "SHORT and LONG go with TEMP and OUTPUT, and not with %s", word);
    if (s->type != TYPE_NONE && !numbers)
        return !check_error(c, FOR_NVIDIA, keyword, "%s variables have no type", word);
    return true;
}

void check_declaration(struct checker *c, const struct statement *statement)
{
    for (uint32_t i = 0; i < statement->count; i++) {
        struct symbol *s = program_symbol(c->program, statement->ref + i);
        if (s->kind >= sizeof kind_keys || s->kind == SYM_LABEL)
            continue;
        if (i == 0 && (s->size || s->type || s->interpolation) && !check_prefixes(c, s, statement))
            return;
        if (profile_table[c->profile].generation == GEN_ARB)
            check_number_of(c, s);
        check_size(c, statement, s);
        check_bindings(c, s);
        if (c->typed && s->nbindings) {
            if (s->kind == SYM_BUFFER || s->kind == SYM_BUFFER4 || s->kind == SYM_CBUFFER)
                check_buffer(c, s);
            if (s->array && s->kind != SYM_SUBROUTINE_TYPE)
                check_contiguous(c, s, statement);
            check_integers(c, s);
        }
        if (c->typed)
            check_typed_declaration(c, s, statement);
        check_plain_symbol(c, s);
    }
}
