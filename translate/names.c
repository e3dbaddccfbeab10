/* Names in the output: those of the program where GLSL has them free. */
#include "translate/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tr_taken;
#define uthash_malloc(size) gp5_malloc(size)
#define uthash_free(p, size) gp5_free(p)
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->lost = true)
#include <uthash.h>

struct tr_taken {
    const char *name;
    unsigned next;              /* the number that a second one gets */
    bool lost;
    UT_hash_handle hh;
};

struct tr_names {
    struct tr_taken *all;
};

/* Words of any version that is written, and functions that are called by their names. In order. */
static const char *const reserved[] = {
    "abs", "acos", "active", "all", "any", "asin", "asm", "atan", "atomic_uint", "attribute", "bitCount", "bool",
    "break", "buffer", "bvec2", "bvec3", "bvec4", "case", "cast", "ceil", "centroid", "clamp", "class", "coherent",
    "common", "const", "continue", "cos", "cross", "dFdx", "dFdy", "default", "degrees", "discard", "distance", "dmat2",
    "dmat3", "dmat4", "do", "dot", "double", "dvec2", "dvec3", "dvec4", "else", "enum", "equal", "exp", "exp2",
    "extern", "external", "faceforward", "false", "filter", "findLSB", "findMSB", "fixed", "flat", "float", "floor",
    "fma", "for", "fract", "ftransform", "fvec2", "fvec3", "fvec4", "fwidth", "goto", "greaterThan",
    "greaterThanEqual", "half", "highp", "hvec2", "hvec3", "hvec4", "i64vec2", "i64vec3", "i64vec4", "if", "image1D",
    "image2D", "image3D", "imageBuffer", "imageCube", "in", "inline", "inout", "input", "int", "int64_t", "interface",
    "invariant", "inverse", "inversesqrt", "isinf", "isnan", "isolate", "ivec2", "ivec3", "ivec4", "layout", "length",
    "lessThan", "lessThanEqual", "log", "log2", "long", "lowp", "main", "mat2", "mat3", "mat4", "max", "mediump", "min",
    "mix", "mod", "modf", "namespace", "noinline", "noise1", "noise2", "noise3", "noise4", "noperspective",
    "normalize", "not", "notEqual", "out", "output", "outerProduct", "packed", "partition", "patch", "pow", "precise",
    "precision", "public", "radians", "readonly", "reflect", "refract", "resource", "restrict", "return", "round",
    "roundEven", "row_major", "sample", "sampler1D", "sampler1DShadow", "sampler2D", "sampler2DRect",
    "sampler2DRectShadow", "sampler2DShadow", "sampler3D", "sampler3DRect", "samplerBuffer", "samplerCube", "shadow1D",
    "shadow2D", "shared", "short", "sign", "sin", "sizeof", "smooth", "smoothstep", "sqrt", "static", "step", "struct",
    "subroutine", "superp", "switch", "tan", "template", "texelFetch", "texture", "texture1D", "texture2D",
    "texture2DRect", "texture3D", "textureCube", "textureGrad", "textureLod", "textureProj", "textureSize", "this",
    "transpose", "true", "trunc", "typedef", "u64vec2", "u64vec3", "u64vec4", "uint", "uint64_t", "uniform", "union",
    "unsigned", "using", "uvec2", "uvec3", "uvec4", "varying", "vec2", "vec3", "vec4", "void", "volatile", "while",
    "writeonly"};

static int by_text(const void *key, const void *word)
{
    return strcmp(key, *(const char *const *)word);
}

static bool starts(const char *name, const char *with)
{
    return name[0] == with[0] && strncmp(name, with, strlen(with)) == 0;
}

/* Functions that come as families, and what a prefix makes the implementation's. */
static bool is_reserved(const char *name)
{
    static const char *const families[] = {
        "gl_", "GL_", "gp5_", "_", "image", "sampler", "isampler", "usampler", "iimage", "uimage", "texture", "shadow",
        "atomic", "interpolate", "pack", "unpack", "bitfield", "floatBits", "intBits", "uintBits", "double",
        "memoryBarrier", "group", "dFd", "fwidth", "mat", "dmat", "Emit", "End", "barrier", "texel", "uadd", "usub",
        "umul", "imul", "subgroup", "ldexp", "frexp", "int8", "int16", "int32", "float16", "float32", "float64", "uint",
        "any", "all", "helper"};

    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (starts(name, families[i]))
            return true;
    return strstr(name, "__") || bsearch(name, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, by_text);
}

static struct tr_taken *find(struct tr *t, const char *name)
{
    struct tr_taken *found = NULL;

    if (t->names)
        HASH_FIND_STR(t->names->all, name, found);
    return found;
}

static void take(struct tr *t, const char *name)
{
    struct tr_taken *taken = arena_alloc(&t->arena, sizeof *taken);

    if (!t->names)
        t->names = arena_alloc(&t->arena, sizeof *t->names);
    if (!taken || !t->names)
        return;
    taken->name = name;
    taken->next = 2;
    HASH_ADD_KEYPTR(hh, t->names->all, name, strlen(name), taken);
    if (taken->lost)
        t->arena.failed = true;
}

const char *tr_name(struct tr *t, const char *name)
{
    bool digit = name[0] >= '0' && name[0] <= '9';     /* names of !!FP1.0 may begin with one */
    bool plain = !digit && !is_reserved(name) && !starts(name, t->own_prefix) && !strchr(name, '$') &&
                 strlen(name) < 200;
    size_t length = strlen(name), room = length + 32;
    char *text = arena_alloc(&t->arena, room);

    if (!text)
        return "";
    snprintf(text, room, "%s%.*s", plain ? "" : "gp5_n_", 200, name + (!plain && name[0] == '_'));
    for (char *c = text; *c; c++)
        if (*c == '$' || (*c == '_' && c[1] == '_'))
            *c = 'S';
    struct tr_taken *before = find(t, text);
    if (before) {
        size_t end = strlen(text);
        do
            snprintf(text + end, room - end, "_v%u", before->next++);
        while (find(t, text));
    }
    take(t, text);
    return text;
}

void tr_names_free(struct tr *t)
{
    if (t->names)
        HASH_CLEAR(hh, t->names->all);
    t->names = NULL;
}
