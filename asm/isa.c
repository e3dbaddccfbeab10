/* The tables of asm/isa.h, filled from the .def files, and their look-ups by name. */
#include "asm/isa.h"
#include "asm/program.h"

#include <stdio.h>
#include <string.h>

/* The names of stages, as messages say them. */
#define NAME_NONE ""
#define NAME_VERTEX "vertex"
#define NAME_CONTROL "tessellation control"
#define NAME_EVALUATION "tessellation evaluation"
#define NAME_GEOMETRY "geometry"
#define NAME_FRAGMENT "fragment"
#define NAME_COMPUTE "compute"

const struct profile_info profile_table[PROFILE_COUNT] = {
    [PROFILE_NONE] = {"", "", "", OPTION_NONE, STAGE_NONE, GEN_NONE, false},
#define PROFILE(id, bit, name, header, option, stage, generation)                                   \
    [PROFILE_##id] = {name, header, NAME_##stage, OPTION_##option, STAGE_##stage, GEN_##generation, \
                      GEN_##generation >= GEN_NV4},
#include "asm/profiles.def"
#undef PROFILE
};

enum gp5_profile asm_find_profile(const char *text, size_t size)
{
    for (int profile = PROFILE_NONE + 1; profile < PROFILE_COUNT; profile++) {
        size_t length = strlen(profile_table[profile].header);
        if (size >= length && memcmp(text, profile_table[profile].header, length) == 0)
            return (enum gp5_profile)profile;
    }
    return PROFILE_NONE;
}

enum gp5_profile asm_find_late_profile(const char *text, size_t size, size_t *header)
{
    size_t at = 0;
    while (at < size && strchr(" \t\r\n#", text[at]) && text[at]) {
        if (text[at] == '#')
            while (at < size && text[at] != '\n' && text[at] != '\r')
                at++;
        else
            at++;
    }
    enum gp5_profile profile = at ? asm_find_profile(text + at, size - at) : PROFILE_NONE;
    *header = at;
    return profile_in(profile, ARB_ALL) ? profile : PROFILE_NONE;
}

enum gp5_profile asm_profile_with(enum gp5_profile profile, unsigned option)
{
    if (option == OPTION_NONE || profile_table[profile].option != OPTION_NONE)
        return profile;
    const struct profile_info *mine = &profile_table[profile];
    for (int i = PROFILE_NONE + 1; i < PROFILE_COUNT; i++) {
        const struct profile_info *other = &profile_table[i];
        /* Of a typed program NVIDIA's driver makes an ARB program by such an option. */
        if (other->option == option && other->stage_id == mine->stage_id &&
            (mine->typed || !strcmp(other->header, mine->header)))
            return (enum gp5_profile)i;
    }
    return profile;
}

const struct type_info type_table[DT_COUNT] = {
    [DT_NONE] = {"none", 4, false, false},
    [DT_F16] = {"F16", 2, true, true},   [DT_F32] = {"F32", 4, true, true},   [DT_F64] = {"F64", 8, true, true},
    [DT_S8] = {"S8", 1, false, true},    [DT_S16] = {"S16", 2, false, true},  [DT_S32] = {"S32", 4, false, true},
    [DT_S64] = {"S64", 8, false, true},  [DT_U8] = {"U8", 1, false, false},   [DT_U16] = {"U16", 2, false, false},
    [DT_U32] = {"U32", 4, false, false}, [DT_U64] = {"U64", 8, false, false},
};

const struct modifier_info modifier_table[MOD_COUNT] = {
    [MOD_NONE] = {"", 0, 0},
#define MODIFIER(id, text, class, value) [MOD_##id] = {text, MC_##class, value},
#include "asm/modifiers.def"
#undef MODIFIER
    [MOD_UNKNOWN] = {"", 0, 0},
};

#define SHAPE(id, result, n, a, b, c, d) [SHAPE_##id] = {RC_##result, n, {OC_##a, OC_##b, OC_##c, OC_##d}},
const struct shape_info shape_table[SHAPE_COUNT] = {GP5_SHAPES(SHAPE)};
#undef SHAPE

/* isa.def's column of default types. */
enum { DEFAULT_NONE = DT_NONE, DEFAULT_F = DT_F32, DEFAULT_S = DT_S32, DEFAULT_U = DT_U32 };

const struct op_info op_table[OP_COUNT] = {
#define OP(name, shape, numbers, types, type, mods, profiles, gated, option, kind, traits, data, gives, cost, folds,   \
           meaning, spec) \
    [OP_##name] = {#name, numbers, SHAPE_##shape, types, DEFAULT_##type, mods, profiles, gated, OPTION_##option, \
                   cost, folds, GIVES_##gives, K_##kind, traits, DATA_##data, meaning, spec},
#include "asm/isa.def"
#undef OP
};

const struct option_info option_table[OPTION_COUNT] = {
    [OPTION_NONE] = {"", 0, ""},
#define OPTION(id, profiles, meaning) [OPTION_##id] = {#id, profiles, meaning},
#include "asm/options.def"
#undef OPTION
};

/* bindings.def's column of types. */
enum { TYPE_CHAR_F = 'F', TYPE_CHAR_S = 'S', TYPE_CHAR_U = 'U', TYPE_CHAR_N = 'N' };

const struct binding_info binding_table[BIND_COUNT] = {
#define BINDING(id, words, class, components, type, profiles, option) \
    [BIND_##id] = {words, BC_##class, components, TYPE_CHAR_##type, profiles, OPTION_##option},
#include "asm/bindings.def"
#undef BINDING
};

const char *const cc_rule_names[CC_COUNT] = {
    [CC_NONE] = "",
#define RULE(id, meaning) [CC_##id] = #id,
    GP5_CC_RULES(RULE)
#undef RULE
};

const struct target_info target_table[TARGET_COUNT] = {
    [TARGET_NONE] = {"", 0},
#define TARGET(id, text, coordinates) [TARGET_##id] = {text, coordinates},
    GP5_TEXTURE_TARGETS(TARGET)
#undef TARGET
};

static bool is_word(const char *word, const char *text, size_t length)
{
    return strncmp(word, text, length) == 0 && word[length] == '\0';
}

enum gp5_op asm_find_op(const char *name, size_t length)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (is_word(op_table[op].name, name, length))
            return (enum gp5_op)op;
    return OP_UNKNOWN;
}

static const char *const class_words[] = {
    [OC_NONE] = "",
    [OC_VECTOR] = "vector",
    [OC_SCALAR] = "scalar",
    [OC_EXTENDED] = "operand, x, y, z, w",
    [OC_STORAGE] = "storage[offset]",
    [OC_SHARED] = "shared[offset]",
    [OC_CBUFFER] = "cbuffer[offset]",
    [OC_COUNTER] = "counter",
    [OC_THREAD] = "thread memory[offset]",
    [OC_TEXTURE] = "texture[unit], target",
    [OC_IMAGE] = "image[unit]",
    [OC_CONDITION] = "test",
    [OC_OPTIONAL_CONDITION] = "[(test)]",
    [OC_LABEL] = "label [(test)]",
    [OC_SUBROUTINE] = "subroutine [(test)]",
    [OC_OPTIONAL_VECTOR] = "[vector]",
    [OC_KILL] = "vector",
    [OC_ADDRESS] = "address",
};

void asm_describe_op(enum gp5_op op, char *text, size_t size)
{
    const struct shape_info *shape = &shape_table[op_table[op].shape];
    const char *comma = " ";
    bool image = false;
    size_t n = (size_t)snprintf(text, size, "%s", op_table[op].name);
    if (shape->result != RC_NONE && n < size) {
        n += (size_t)snprintf(text + n, size - n, " result");
        comma = ", ";
    }
    static const char *const shuffle[] = {"value", "index", "mask"};
    bool shuffles = op_is(op, K_SHUFFLE);
    for (unsigned i = 0; i < shape->nsrc && n < size; i++, comma = ", ") {
        const char *word = shuffles && i < 3 ? shuffle[i] : class_words[shape->src[i]];
        n += (size_t)snprintf(text + n, size - n, "%s%s", comma, word);
        image |= shape->src[i] == OC_IMAGE;
    }
    if (image && n < size)
        snprintf(text + n, size - n, ", target");
}

enum gp5_option asm_find_option(const char *name, size_t length)
{
    for (int option = OPTION_NONE + 1; option < OPTION_COUNT; option++)
        if (is_word(option_table[option].name, name, length))
            return (enum gp5_option)option;
    return OPTION_UNKNOWN;
}

enum cc_rule asm_find_cc_rule(const char *text, size_t length, unsigned *cc, bool *cc_written)
{
    size_t letters = length;
    *cc = 0;
    *cc_written = length > 0 && (text[length - 1] == '0' || text[length - 1] == '1');
    if (*cc_written) {
        *cc = (unsigned)(text[length - 1] - '0');
        letters--;
    }
    for (int rule = CC_NONE + 1; rule < CC_COUNT; rule++)
        if (is_word(cc_rule_names[rule], text, letters))
            return *cc_written && rule >= CC_RESIDENT ? CC_NONE : (enum cc_rule)rule;
    return CC_NONE;
}

enum gp5_texture_target asm_find_target(const char *text, size_t length)
{
    for (int target = TARGET_NONE + 1; target < TARGET_COUNT; target++)
        if (is_word(target_table[target].text, text, length))
            return (enum gp5_texture_target)target;
    return TARGET_NONE;
}
