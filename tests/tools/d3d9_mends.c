/* See d3d9_mends.h. */
#include "tests/tools/d3d9_mends.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool d3d9_append(struct d3d9_text *t, const char *bytes, size_t size)
{
    if (t->size + size + 1 > t->room) {
        size_t room = t->room * 2 + size + 1024;
        char *grown = realloc(t->bytes, room);
        if (!grown)
            return false;
        t->bytes = grown;
        t->room = room;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = 0;
    return true;
}

void d3d9_print(struct d3d9_text *t, const char *format, ...)
{
    char *line = NULL;
    va_list list;

    va_start(list, format);
    int size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    line = size < 0 ? NULL : malloc((size_t)size + 1);
    if (!line)
        return;
    va_start(list, format);
    vsnprintf(line, (size_t)size + 1, format, list);
    va_end(list);
    d3d9_append(t, line, (size_t)size);
    free(line);
}

/* ---- what is mended ---------------------------------------------------------------------------------------------- */

/* GLSL's own functions by others of the same name, in the shader. */
static const char in_order[] =
    "float gp5_dot(vec2 a, vec2 b) { precise float s = a.x * b.x + a.y * b.y; return s; }\n"
    "float gp5_dot(vec3 a, vec3 b) { precise float s = a.x * b.x + a.y * b.y + a.z * b.z; return s; }\n"
    "float gp5_dot(vec4 a, vec4 b) { precise float s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; return s; }\n"
    "#define dot gp5_dot\n";

#define MIXED(type) \
    type " gp5_mix(" type " a, " type " b, " type " c) { precise " type " r = (b - a) * c + a; return r; }\n"
static const char mixed[] = MIXED("float") MIXED("vec2") MIXED("vec3") MIXED("vec4") "#define mix gp5_mix\n";

/* Of two zeros they may give either. */
#define CHOOSE(f, test)                                                                               \
    "float gp5_" f "(float a, float b) { return a " test " b ? a : b; }\n"                            \
    "vec2 gp5_" f "(vec2 a, vec2 b) { return vec2(gp5_" f "(a.x, b.x), gp5_" f "(a.y, b.y)); }\n"     \
    "vec3 gp5_" f "(vec3 a, vec3 b) { return vec3(gp5_" f "(a.xy, b.xy), gp5_" f "(a.z, b.z)); }\n"   \
    "vec4 gp5_" f "(vec4 a, vec4 b) { return vec4(gp5_" f "(a.xy, b.xy), gp5_" f "(a.zw, b.zw)); }\n" \
    "#define " f " gp5_" f "\n"

#define UNFOLDED_FUNCTIONS                                                                                       \
    CHOOSE("min", "<")                                                                                           \
    CHOOSE("max",                                                                                                \
           ">") "uniform vec4 gp5_zero;\n"                                                                       \
                "vec3 gp5_cross(vec3 a, vec3 b) { precise vec3 r = a.yzx * b.zxy - a.zxy * b.yzx; return r; }\n" \
                "#define cross gp5_cross\n"
static const char in_range[] = "#define clamp(x, low, high) max(min(x, high), low)\n";

#define NORMALIZED(three, w)                               \
    "vec3 gp5_normalize(vec3 a) { return " three "; }\n"   \
    "vec4 gp5_normalize(vec4 a) { return vec4(" w "); }\n" \
    "#define normalize gp5_normalize\n"

static const char as_nrm[] = NORMALIZED("a * inversesqrt(dot(a, a))", "gp5_normalize(a.xyz), 1.0");
static const char as_mul[] = "float gp5_length(vec4 a) { precise float s = a.x * a.x + a.y * a.y + a.z * a.z; return "
                             "inversesqrt(s); }\n" NORMALIZED("a * gp5_length(vec4(a, 0.0))", "a * gp5_length(a)");
static const char as_plain_mul[] = NORMALIZED("a * inversesqrt(dot(a, a))", "a * inversesqrt(dot(a.xyz, a.xyz))");

static const char lit[] =
    "vec4 gp5_lit(vec4 v)\n{\n    float p = v.w == 0.0 ? 1.0 : pow(max(v.y, 0.0), clamp(v.w, -128.0, 128.0));\n"
    "    return vec4(1.0, max(v.x, 0.0), v.x > 0.0 ? p : 0.0, 1.0);\n}\n";
static const char plain_lit[] =
    "vec4 gp5_lit(vec4 v)\n{\n    float p = pow(max(v.y, 0.0), max(min(v.w, 128.0), -128.0));\n"
    "    return vec4(1.0, max(v.x, 0.0), v.x <= 0.0 ? 0.0 : p, 1.0);\n}\n";

struct change {
    const char *from, *to;
};

/* The n-th comparison of the shader is the n-th of the assembly, "SGTC scratch0.x, r0, c3;", in the order of the text:
 * that one anew, with the shader's operator or with its operands. */
static bool mend_comparisons(char **shader, char **assembly, bool operators)
{
    static const char *const ops[][2] = {{">=", "GE"}, {"<=", "LE"}, {"==", "EQ"},
                                         {"!=", "NE"}, {">", "GT"},  {"<", "LT"}};
    struct d3d9_text out = {0};
    const char *at = strstr(*shader, "void main()");
    bool any = false;

    for (const char *line = *assembly; *line;) {
        int size = (int)strcspn(line, "\n"), k = 0;
        char was[3], scratch[20], rest[80], left[40], op[3], right[40], *names[2] = {left, right};
        if (sscanf(line, "S%2[A-Z]C %19[a-z0-9.], %79[^;\n];", was, scratch, rest) == 3 && strcmp(was, "UB")) {
            while ((at = strstr(at, "if (")) && sscanf(at, "if (%39s %2[<>=!] %39[^() ])", left, op, right) != 3)
                at++;
            if (!at)
                break;
            at++;
            while (strcmp(ops[k][0], op))
                k++;
            for (unsigned i = 0; i < 2; i++) { /* -vs_r0.x is -r0.x */
                char *prefix = names[i] + (*names[i] == '-');
                memmove(prefix, prefix + 3, strlen(prefix + 3) + 1);
            }
            size_t before = out.size;
            if (operators)
                d3d9_print(&out, "S%sC %s, %s;\n", ops[k][1], scratch, rest);
            else
                d3d9_print(&out, "S%sC %s, %s, %s;\n", was, scratch, left, right);
            any |= strncmp(out.bytes + before, line, (size_t)size) != 0;
        } else {
            d3d9_print(&out, "%.*s\n", size, line);
        }
        line += size + (line[size] == '\n');
    }
    if (!at || !any) {
        free(out.bytes);
        return false;
    }
    free(*assembly);
    *assembly = out.bytes;
    return true;
}

static bool mend_swizzles(char **shader, char **assembly)
{
    return mend_comparisons(shader, assembly, false);
}

static bool mend_less(char **shader, char **assembly)
{
    return mend_comparisons(shader, assembly, true);
}

#define OPTIONS "^(!!NV|OPTION NV)"
#define PLAIN "^!!ARB.p1\\.0\n[^O]" /* a program of the extensions of ARB alone */

#define OWN_LIT                      \
    {                                \
        {                            \
            "= LIT\\(", "= gp5_lit(" \
        }                            \
    }
#define UNFOLDED                                                                \
    {                                                                           \
        {"^vec4 (.s_r[0-9]+;)", "precise vec4 \\1"},                            \
        {                                                                       \
            "^const vec4 (.s_c[0-9]+ = [^;]*);", "precise vec4 \\1 + gp5_zero;" \
        }                                                                       \
    }

/* (X == 0.0) ? FLT_MAX : 1.0 / X, and the same of a root. */
#define GUARDED                                \
    "\\(\\([^()=]* == 0\\.0\\) \\? FLT_MAX : " \
    "(1\\.0 / [^()]*|inversesqrt\\([^()]*\\)|inversesqrt\\(abs\\([^()]*\\)\\))\\)"

/* In the order in which they are tried: what GLSL leaves to its compilers, what the two texts say in different ways,
 * mistakes in the shader and in the assembly. Those of one name are one. */
static const struct mend {
    const char *name;
    const char *in_shader, *in_assembly; /* patterns of where it is to be done, or NULL */
    const char *before;                  /* stands before the shader */
    struct change shader[3], assembly[4];
    bool (*by_hand)(char **shader, char **assembly); /* instead of these */
} mends[] = {
    {.name = "the order of dot()'s sum", .in_shader = "dot\\(", .in_assembly = OPTIONS, .before = in_order},
    {.name = "what a compiler folds", .in_assembly = OPTIONS, .before = UNFOLDED_FUNCTIONS, .shader = UNFOLDED},
    {.name = "what a compiler folds", .in_assembly = PLAIN, .before = UNFOLDED_FUNCTIONS, .shader = UNFOLDED},
    {.name = "_sat as MIN and MAX",
     .in_shader = "clamp\\(",
     .in_assembly = "^MIN [a-z0-9]+(\\.[xyzw]+)?, [a-z0-9]+, 1\\.0;",
     .before = in_range},
    {.name = "lrp as SUB and MAD", .in_shader = "mix\\(", .in_assembly = "^SUB", .before = mixed},
    {.name = "nrm as NRM", .in_shader = "normalize\\(", .in_assembly = "^NRM", .before = as_nrm},
    {.name = "nrm as DP3, RSQ and MUL",
     .in_shader = "normalize\\(",
     .in_assembly = "^OPTION NV(.|\n)*\nDP3 scratch",
     .before = as_mul},
    {.name = "nrm as DP3, RSQ and MUL",
     .in_shader = "normalize\\(",
     .in_assembly = PLAIN "(.|\n)*\nDP3 scratch",
     .before = as_plain_mul},
    {.name = "lit", .in_shader = "= LIT\\(", .in_assembly = OPTIONS, .before = lit, .shader = OWN_LIT},
    {.name = "lit", .in_shader = "= LIT\\(", .in_assembly = PLAIN, .before = plain_lit, .shader = OWN_LIT},
    {.name = "1 / 0 is 1e38 in GLSL", .in_shader = "FLT_MAX", .shader = {{GUARDED, "(\\1)"}}},
    {.name = "log of a negative number is NaN in GLSL",
     .in_shader = "log2\\(",
     .shader = {{"log2\\(([^()]*)\\)", "log2(abs(\\1))"}}},
    {.name = "oFog and oPts: names, and four components",
     .shader = {{"gl_PointSize2", "gl_PointSize"}, {"^\t(vs_oPts|vs_oFog) = ([^;]*);", "\t\\1 = vec4(\\2).x;"}},
     .assembly = {{"result\\.fogcoord1", "result.fogcoord"}, {"result\\.pointsize2", "result.pointsize"}}},
    {.name = "dst under a mask has four components in GLSL",
     .shader = {{"\\.([xyzw]{1,3}) = (vec4\\(1\\.0, [^;]*);", ".\\1 = \\2.\\1;"},
                {"\\.([xyzw]{1,3}) = clamp\\((vec4\\(1\\.0, [^()]*\\)), ", ".\\1 = clamp(\\2.\\1, "}}},
    {.name = "IF with its sides exchanged", .in_assembly = "^IF EQ", .assembly = {{"^IF EQ", "IF NE"}}},
    {.name = "an IF's comparison without its swizzles",
     .in_assembly = "^S[A-Z][A-Z]C scratch",
     .by_hand = mend_swizzles},
    {.name = "IF of less is one of greater", .in_assembly = "^SGTC ", .by_hand = mend_less},
    {.name = "REP's counter has another's number",
     .assembly = {{"^MOVC rep1\\.", "MOVC rep0."}, {"^MOVC rep2\\.", "MOVC rep1."}, {"^MOVC rep3\\.", "MOVC rep2."}}},
};
_Static_assert(sizeof mends / sizeof *mends == D3D9_MENDS, "d3d9_mends.h");

const char *d3d9_mend_name(unsigned i)
{
    return mends[i].name;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t compiled;

    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE))
        return false;
    bool found = !regexec(&compiled, text, 0, NULL, 0);
    regfree(&compiled);
    return found;
}

/* All of it, with \1 to \9 of the pattern; false where there is none. */
static bool replace(char **text, const char *pattern, const char *with)
{
    struct d3d9_text out = {0};
    regmatch_t found[10];
    regex_t compiled;
    const char *at = *text;
    bool any = false;

    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE))
        return false;
    while (*at && !regexec(&compiled, at, 10, found, at == *text ? 0 : REG_NOTBOL) && found[0].rm_eo > found[0].rm_so) {
        d3d9_append(&out, at, (size_t)found[0].rm_so);
        for (const char *w = with; *w; w++)
            if (*w == '\\' && w[1] >= '1' && w[1] <= '9') {
                const regmatch_t *m = &found[*++w - '0'];
                if (m->rm_so >= 0)
                    d3d9_append(&out, at + m->rm_so, (size_t)(m->rm_eo - m->rm_so));
            } else {
                d3d9_append(&out, w, 1);
            }
        at += found[0].rm_eo;
        any = true;
    }
    d3d9_append(&out, at, strlen(at));
    regfree(&compiled);
    if (!any || !out.bytes) {
        free(out.bytes);
        return false;
    }
    free(*text);
    *text = out.bytes;
    return true;
}

bool d3d9_mend_ours(unsigned i, char **translation)
{
    if (strcmp(mends[i].name, "what a compiler folds"))
        return false;
    replace(translation, "^vec4 ([a-z0-9]+ = vec4\\(0\\.0\\);)", "precise vec4 \\1");
    replace(translation, "^const vec4 (c[0-9]+ = [^;]*);", "precise vec4 \\1 + gp5_zero;");
    return replace(translation, "^#version 450 compatibility\n", "#version 450 compatibility\n" UNFOLDED_FUNCTIONS);
}

bool d3d9_mend(unsigned i, char **shader, char **assembly)
{
    const struct mend *m = &mends[i];
    bool any = m->before != NULL;

    if ((m->in_shader && !matches(*shader, m->in_shader)) || (m->in_assembly && !matches(*assembly, m->in_assembly)))
        return false;
    if (m->by_hand)
        return m->by_hand(shader, assembly);
    for (unsigned k = 0; k < sizeof m->shader / sizeof *m->shader && m->shader[k].from; k++)
        any |= replace(shader, m->shader[k].from, m->shader[k].to);
    for (unsigned k = 0; k < sizeof m->assembly / sizeof *m->assembly && m->assembly[k].from; k++)
        any |= replace(assembly, m->assembly[k].from, m->assembly[k].to);
    if (m->before) {
        struct d3d9_text out = {0};
        d3d9_print(&out, "%s%s", m->before, *shader);
        free(*shader);
        *shader = out.bytes;
    }
    return any;
}
