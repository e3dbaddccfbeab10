/* Bindings by name: the words of bindings.def with numbers in their brackets, and the names in brackets of
 * registers.def. */
#include "asm/binding_name.h"

#include <stdlib.h>
#include <string.h>

const struct named_binding named_bindings[] = {
#define NAMED(profiles, letter, name, binding, index) {profiles, letter, name, BIND_##binding, index},
#include "asm/registers.def"
};
const size_t named_binding_count = sizeof named_bindings / sizeof *named_bindings;

static uint32_t profiles_of(enum program_stage stage)
{
    uint32_t profiles = 0;

    for (unsigned p = PROFILE_NONE + 1; p < PROFILE_COUNT; p++)
        if (profile_table[p].stage_id == stage)
            profiles |= 1u << p;
    return profiles;
}

/* A number up to the bracket that ends it; where that is, or NULL. */
static const char *number(const char *text, uint32_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return NULL;
    unsigned long n = strtoul(text, &end, 10);
    if (*end != ']' || end - text > 4)
        return NULL;
    *value = (uint32_t)n;
    return end + 1;
}

/* Whether a text is a row's words, where [] is a number and [?] a number that may be left out. */
static bool matches(const char *words, const char *text, struct binding_name *name)
{
    name->nindices = 0;
    name->index[0] = name->index[1] = 0;
    while (*words) {
        bool optional = !strncmp(words, "[?]", 3);
        if (*words != '[') {
            if (*words++ != *text++)
                return false;
            continue;
        }
        words += optional ? 3 : 2;
        if (*text == '[') {
            text = number(text + 1, &name->index[name->nindices]);
            if (!text)
                return false;
        } else if (!optional) {
            return false;
        }
        name->nindices++;
    }
    return !*text;
}

/* v[OPOS], v[3], o[TEX1] ... */
static bool matches_named(const struct named_binding *n, const char *text, struct binding_name *name)
{
    size_t length = strlen(text), rest = strlen(n->name);
    uint32_t digit = 0;

    if (length < 4 || text[0] != n->letter || text[1] != '[' || text[length - 1] != ']')
        return false;
    *name = (struct binding_name){.kind = n->binding, .nindices = n->index >= 0};
    if (n->name[0] == '@') {
        if (!number(text + 2, &name->index[0]) || name->index[0] >= (uint32_t)n->index)
            return false;
        return true;
    }
    if (n->name[rest - 1] == '#') {
        if (strncmp(text + 2, n->name, rest - 1) || !number(text + 1 + rest, &digit) || digit > 7)
            return false;
    } else if (length != rest + 3 || strncmp(text + 2, n->name, rest)) {
        return false;
    }
    name->index[0] = n->index >= 0 ? (uint32_t)n->index + digit : 0;
    return true;
}

/* A patch's results by the names that its control program has for them. */
static uint16_t read_from_patch(uint16_t kind)
{
    switch (kind) {
    case BIND_RESULT_PATCH_ATTRIB: return BIND_PRIMITIVE_PATCH_ATTRIB;
    case BIND_RESULT_PATCH_TESSOUTER: return BIND_PRIMITIVE_TESSOUTER;
    case BIND_RESULT_PATCH_TESSINNER: return BIND_PRIMITIVE_TESSINNER;
    default: return kind;
    }
}

bool asm_find_binding(enum program_stage stage, const char *text, struct binding_name *name)
{
    uint32_t profiles = profiles_of(stage);

    if (stage == STAGE_EVALUATION && !strncmp(text, "result.patch.", 13)) {
        bool found = asm_find_binding(STAGE_CONTROL, text, name);
        name->kind = found ? read_from_patch(name->kind) : name->kind;
        return found;
    }

    for (unsigned kind = 0; kind < BIND_COUNT; kind++)
        if (binding_table[kind].profiles & profiles && matches(binding_table[kind].words, text, name)) {
            name->kind = (uint16_t)kind;
            return true;
        }
    for (size_t i = 0; i < named_binding_count; i++)
        if (named_bindings[i].profiles & profiles && matches_named(&named_bindings[i], text, name))
            return true;
    return false;
}

/* The rows of what one vertex of a primitive has stand in one order, whoever's it is. */
#define FOLLOWS(a, b) (BIND_##a##_ALL - BIND_VERTEX_POSITION_ALL == BIND_##b - BIND_VERTEX_N_POSITION)
_Static_assert(FOLLOWS(VERTEX_COLOR_BACK_SECONDARY, VERTEX_N_COLOR_BACK_SECONDARY) &&
                   FOLLOWS(VERTEX_ATTRIB, VERTEX_N_ATTRIB) && FOLLOWS(VERTEX_CLIP, VERTEX_N_CLIP) &&
                   FOLLOWS(VERTEX_SECONDARYPOSITION, VERTEX_N_SECONDARYPOSITION),
               "as bindings.def has them");
_Static_assert(BIND_VERTEX_IN_ATTRIB - BIND_VERTEX_IN_POSITION == BIND_VERTEX_N_ATTRIB - BIND_VERTEX_N_POSITION &&
                   BIND_VERTEX_IN_ATTRIB_ALL - BIND_VERTEX_IN_POSITION_ALL ==
                       BIND_VERTEX_N_ATTRIB - BIND_VERTEX_N_POSITION &&
                   BIND_VERTEX_OUT_CLIP_ALL - BIND_VERTEX_OUT_POSITION_ALL ==
                       BIND_VERTEX_OUT_CLIP - BIND_VERTEX_OUT_POSITION,
               "likewise");

/* vertex.X and vertex.in[].X are vertex[].X; vertex.out.X is vertex.out[].X. */
static uint16_t of_one_vertex(uint16_t kind)
{
    if (kind >= BIND_VERTEX_POSITION_ALL && kind <= BIND_VERTEX_SECONDARYPOSITION_ALL)
        return (uint16_t)(kind - BIND_VERTEX_POSITION_ALL + BIND_VERTEX_N_POSITION);
    if (kind >= BIND_VERTEX_IN_POSITION && kind <= BIND_VERTEX_IN_ATTRIB)
        return (uint16_t)(kind - BIND_VERTEX_IN_POSITION + BIND_VERTEX_N_POSITION);
    if (kind >= BIND_VERTEX_IN_POSITION_ALL && kind <= BIND_VERTEX_IN_ATTRIB_ALL)
        return (uint16_t)(kind - BIND_VERTEX_IN_POSITION_ALL + BIND_VERTEX_N_POSITION);
    if (kind == BIND_VERTEX_IN_CLIP || kind == BIND_VERTEX_IN_CLIP_ALL)
        return BIND_VERTEX_N_CLIP;
    if (kind >= BIND_VERTEX_OUT_POSITION_ALL && kind <= BIND_VERTEX_OUT_CLIP_ALL)
        return (uint16_t)(kind - BIND_VERTEX_OUT_POSITION_ALL + BIND_VERTEX_OUT_POSITION);
    return kind;
}

bool asm_is_of_vertex(uint16_t kind)
{
    return kind >= BIND_VERTEX_N_POSITION && kind <= BIND_VERTEX_N_SECONDARYPOSITION;
}

bool asm_is_of_output_vertex(uint16_t kind)
{
    return kind >= BIND_VERTEX_OUT_POSITION && kind <= BIND_VERTEX_OUT_CLIP;
}

/* Rows of the results in the order of those of one vertex. */
uint16_t asm_result_of_output(uint16_t kind)
{
    static const uint16_t results[] = {BIND_RESULT_POSITION,
                                       BIND_RESULT_COLOR,
                                       BIND_RESULT_COLOR,
                                       BIND_RESULT_COLOR_SECONDARY,
                                       BIND_RESULT_COLOR,
                                       BIND_RESULT_COLOR,
                                       BIND_RESULT_COLOR_SECONDARY,
                                       BIND_RESULT_COLOR_BACK,
                                       BIND_RESULT_COLOR_BACK,
                                       BIND_RESULT_COLOR_BACK_SECONDARY,
                                       BIND_RESULT_FOGCOORD,
                                       BIND_RESULT_POINTSIZE,
                                       BIND_RESULT_ID,
                                       BIND_RESULT_TEXCOORD,
                                       BIND_RESULT_ATTRIB,
                                       BIND_RESULT_CLIP};

    switch (kind) {
    case BIND_PRIMITIVE_OUT_PATCH_ATTRIB: return BIND_RESULT_PATCH_ATTRIB;
    case BIND_PRIMITIVE_OUT_TESSOUTER: return BIND_RESULT_PATCH_TESSOUTER;
    case BIND_PRIMITIVE_OUT_TESSINNER: return BIND_RESULT_PATCH_TESSINNER;
    default: break;
    }
    return asm_is_of_output_vertex(kind) ? results[kind - BIND_VERTEX_OUT_POSITION] : kind;
}

bool asm_is_of_patch(uint16_t kind)
{
    return kind == BIND_RESULT_PATCH_ATTRIB || kind == BIND_RESULT_PATCH_TESSOUTER ||
           kind == BIND_RESULT_PATCH_TESSINNER;
}

uint16_t asm_canonical_binding(uint16_t kind)
{
    kind = of_one_vertex(kind);
    switch (kind) {
    case BIND_VERTEX_N_COLOR_PRIMARY: case BIND_VERTEX_N_COLOR_FRONT: case BIND_VERTEX_N_COLOR_FRONT_PRIMARY:
        return BIND_VERTEX_N_COLOR;
    case BIND_VERTEX_N_COLOR_FRONT_SECONDARY: return BIND_VERTEX_N_COLOR_SECONDARY;
    case BIND_VERTEX_N_COLOR_BACK_PRIMARY: return BIND_VERTEX_N_COLOR_BACK;
    case BIND_VERTEX_N_ATTRIB_FP: return BIND_VERTEX_N_ATTRIB;
    case BIND_PRIMITIVE_IN_ID: return BIND_PRIMITIVE_ID;
    case BIND_PRIMITIVE_IN_INVOCATION: return BIND_PRIMITIVE_INVOCATION;
    case BIND_PRIMITIVE_IN_VERTEXCOUNT: return BIND_PRIMITIVE_VERTEXCOUNT;
    /* What a control program leaves for a patch is what its evaluation program reads. */
    case BIND_PRIMITIVE_IN_PATCH_ATTRIB: case BIND_PRIMITIVE_PATCH_ATTRIB_GP: return BIND_PRIMITIVE_PATCH_ATTRIB;
    case BIND_PRIMITIVE_IN_TESSOUTER: case BIND_PRIMITIVE_TESSOUTER_GP: return BIND_PRIMITIVE_TESSOUTER;
    case BIND_PRIMITIVE_IN_TESSINNER: case BIND_PRIMITIVE_TESSINNER_GP: return BIND_PRIMITIVE_TESSINNER;
    case BIND_FRAGMENT_COLOR: return BIND_FRAGMENT_COLOR_PRIMARY;
    case BIND_VERTEX_COLOR: return BIND_VERTEX_COLOR_PRIMARY;
    case BIND_RESULT_COLOR_N: case BIND_RESULT_COLOR_ATI: case BIND_RESULT_COLOR_PRIMARY: case BIND_RESULT_COLOR_FRONT:
    case BIND_RESULT_COLOR_FRONT_PRIMARY: case BIND_RESULT_COLOR_PRIMARY_FRAGMENT: case BIND_RESULT_COLOR_N_PRIMARY:
        return BIND_RESULT_COLOR;
    case BIND_RESULT_COLOR_N_SECONDARY: return BIND_RESULT_COLOR_SECONDARY_FRAGMENT;
    case BIND_RESULT_COLOR_FRONT_SECONDARY: return BIND_RESULT_COLOR_SECONDARY;
    case BIND_RESULT_COLOR_BACK_PRIMARY: return BIND_RESULT_COLOR_BACK;
    case BIND_RESULT_ATTRIB_FIRST: return BIND_RESULT_ATTRIB;
    case BIND_RESULT_LAYER_ANY: case BIND_RESULT_LAYER_RELATIVE: return BIND_RESULT_LAYER;
    case BIND_RESULT_VIEWPORT_ANY: case BIND_RESULT_VIEWPORT_RELATIVE: return BIND_RESULT_VIEWPORT;
    default: return kind;
    }
}
