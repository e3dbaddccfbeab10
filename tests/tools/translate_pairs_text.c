/* Texts for translate_pairs_gl.c: what stands before the tested stage, made up from its inputs, and what it writes into
 * a buffer at its end where results cannot be captured. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/translate_pairs_gl.h"

/* ---- numbers and texts ------------------------------------------------------------------------------------------ */

uint32_t tp_hash(unsigned seed, uint32_t v, uint32_t slot, uint32_t k)
{
    uint32_t z = v * 0x9e3779b9u + slot * 0x85ebca6bu + k * 0xc2b2ae35u + seed;

    z = (z ^ z >> 16) * 0x7feb352du;
    z = (z ^ z >> 15) * 0x846ca68bu;
    return z ^ z >> 16;
}

/* Every other vertex has numbers between 0 and 1, for functions that take no others. */
float tp_float(unsigned seed, uint32_t v, uint32_t slot, uint32_t k)
{
    uint32_t h = tp_hash(seed, v, slot, k);

    return v & 1 ? (float)(h % 1000 + 1) / 1024.0f : (float)((int)(h % 2049u) - 1024) / 256.0f;
}

int tp_int(const struct tp_case *c, uint32_t v, uint32_t slot, uint32_t k)
{
    return c->low + (int)(tp_hash(c->seed, v, slot, k) % (uint32_t)(c->high - c->low + 1));
}

void tp_say(struct tp_text *t, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = vsnprintf(t->bytes + t->size, sizeof t->bytes - t->size, format, list);
    va_end(list);
    t->size += n > 0 && (size_t)n < sizeof t->bytes - t->size ? (size_t)n : 0;
}

void tp_functions(struct tp_text *t, const struct tp_case *c, const struct tp_side *side)
{
    tp_say(t, "#version 450 %s\n#extension GL_ARB_gpu_shader_int64 : enable\n", side->core ? "core" : "compatibility");
    tp_say(t,
           "uint gp5_h(uint v, uint s, uint k) { uint z = v * 0x9e3779b9u + s * 0x85ebca6bu + k * 0xc2b2ae35u + "
           "%uu; z = (z ^ z >> 16) * 0x7feb352du; z = (z ^ z >> 15) * 0x846ca68bu; return z ^ z >> 16; }\n"
           "float gp5_f(uint v, uint s, uint k) { uint h = gp5_h(v, s, k); return (v & 1u) != 0u ? "
           "float(h %% 1000u + 1u) / 1024.0 : float(int(h %% 2049u) - 1024) / 256.0; }\n"
           "int gp5_i(uint v, uint s, uint k) { return %d + int(gp5_h(v, s, k) %% %uu); }\n",
           c->seed, c->low, (unsigned)(c->high - c->low + 1));
}

struct tp_shape tp_shape(const char *type)
{
    struct tp_shape s = {.kind = 'f', .components = 1, .columns = 1};
    size_t n = strlen(type);

    if (type[0] == 'i' || !strncmp(type, "uint", 4) || type[0] == 'u')
        s.kind = type[0];
    if (!strncmp(type, "d", 1))
        s.kind = 'd';
    if (!strncmp(type, "i64", 3) || !strncmp(type, "u64", 3))
        s.kind = 'q';
    if (strstr(type, "vec"))
        s.components = (unsigned)(type[n - 1] - '0');
    if (strstr(type, "mat")) {
        s.components = (unsigned)(type[n - 1] - '0');
        s.columns = type[n - 2] == 'x' ? (unsigned)(type[n - 3] - '0') : s.components;
    }
    s.slots = s.kind == 'd' || s.kind == 'q' ? (s.components + 1) / 2 : 1;
    return s;
}

unsigned tp_elements(const struct tp_port *p)
{
    return (p->count ? p->count : 1) * tp_shape(p->type).columns;
}

/* Component k of a slot, as GLSL of the type. */
static void number(struct tp_text *t, char kind, const char *v, unsigned slot, unsigned k)
{
    tp_say(t,
           kind == 'f' || kind == 'd' ? "gp5_f(%s, %uu, %uu)"
           : kind == 'u'              ? "uint(gp5_i(%s, %uu, %uu))"
                                      : "gp5_i(%s, %uu, %uu)",
           v, slot, k);
}

/* ---- what stands before the tested stage ------------------------------------------------------------------------ */

static void declare_original(struct tp_text *t, const struct tp_port *ports, bool arrays)
{
    for (const struct tp_port *p = ports; p->name; p++) {
        const char *prefix = p->patch ? "patch " : "", *q = p->qualifier ? p->qualifier : "";
        bool first = p == ports || !p[-1].block || !p->block || strcmp(p[-1].block, p->block);
        if (p->block && first) {
            tp_say(t, "out %s {", p->block);
            for (const struct tp_port *m = p; m->name && m->block && !strcmp(m->block, p->block); m++) {
                tp_say(t, " %s%s %s", m->qualifier ? m->qualifier : "", m->type, m->name);
                tp_say(t, m->count ? "[%u];" : ";", m->count);
            }
            tp_say(t, " } gp5_b_%s%s;\n", p->block, arrays ? "[]" : "");
        } else if (!p->block) {
            tp_say(t, "%s%sout %s %s%s", prefix, q, p->type, p->name, arrays && !p->patch ? "[]" : "");
            tp_say(t, p->count ? "[%u];\n" : ";\n", p->count);
        }
    }
}

static void give_original(struct tp_text *t, const struct tp_port *ports, bool arrays, const char *v)
{
    for (const struct tp_port *p = ports; p->name; p++) {
        struct tp_shape s = tp_shape(p->type);
        for (unsigned e = 0; e < tp_elements(p); e++) {
            const char *own = arrays && !p->patch ? "[gl_InvocationID]" : "", *at = p->patch ? "0u" : v;
            if (p->block)
                tp_say(t, "gp5_b_%s%s.%s", p->block, own, p->name);
            else
                tp_say(t, "%s%s", p->name, own);
            if (p->count || s.columns > 1)
                tp_say(t, "[%u]", e);
            if (s.columns > 1)
                tp_say(t, " = vec%u(", s.components);
            else
                tp_say(t, " = %s(", p->type);
            for (unsigned k = 0; k < s.components; k++) {
                tp_say(t, k ? ", " : "");
                number(t, s.kind, at, p->slot + e * s.slots, k);
            }
            tp_say(t, ");\n");
        }
    }
}

/* A translation has vectors of four floats at each slot, whatever bits are in it. */
static void declare_translated(struct tp_text *t, const struct tp_port *ports, bool arrays)
{
    for (const struct tp_port *p = ports; p->name; p++)
        for (unsigned e = 0; e < tp_elements(p) * tp_shape(p->type).slots; e++) {
            unsigned slot = p->slot + e;
            if (p->patch)
                tp_say(t, "layout(location = %u) patch out vec4 gp5_patch%u;\n", 31 - slot, slot);
            else
                tp_say(t, "layout(location = %u) %sout vec4 gp5_attrib%u%s;\n", 13 + slot,
                       p->qualifier ? p->qualifier : "", slot, arrays ? "[]" : "");
        }
}

static void give_translated(struct tp_text *t, const struct tp_port *ports, bool arrays, const char *v)
{
    for (const struct tp_port *p = ports; p->name; p++) {
        struct tp_shape s = tp_shape(p->type);
        for (unsigned e = 0; e < tp_elements(p); e++)
            for (unsigned k = 0; k < s.components; k++) {
                bool wide = s.slots > 1 || s.kind == 'd' || s.kind == 'q';
                unsigned slot = p->slot + e * s.slots, at = wide ? slot + k / 2 : slot;
                const char *own = arrays && !p->patch ? "[gl_InvocationID]" : "", *vertex = p->patch ? "0u" : v;
                tp_say(t, "gp5_%s%u%s.%s = ", p->patch ? "patch" : "attrib", at, own,
                       wide ? k % 2 ? "zw" : "xy" : (const char *[]){"x", "y", "z", "w"}[k]);
                tp_say(t, s.kind == 'd'   ? "uintBitsToFloat(unpackDouble2x32(double("
                          : s.kind == 'q' ? "uintBitsToFloat(unpackUint2x32(uint64_t("
                          : s.kind == 'f' ? "((("
                                          : "intBitsToFloat(int((");
                number(t, s.kind, vertex, slot, k);
                tp_say(t, ")));\n");
            }
    }
}

/* "{ vec4 gl_Position; ... }" of the built-in block that the tested stage takes or gives; NULL where it does not say.
 */
static const char *block_of(const char *text, const char *direction, int *n)
{
    char words[32];

    snprintf(words, sizeof words, "%s gl_PerVertex {", direction);
    const char *at = strstr(text, words), *end = at ? strchr(at, '}') : NULL;
    if (!end)
        return NULL;
    at = strchr(at, '{');
    *n = (int)(end + 1 - at);
    return at;
}

/* Consecutive stages are to declare it alike. */
void tp_redeclare(struct tp_text *t, const char *direction, const struct tp_side *side, const char *of,
                  const char *name)
{
    int n;
    const char *block = block_of(side->text, of, &n);

    if (block)
        tp_say(t, "%s gl_PerVertex %.*s%s;\n", direction, n, block, name);
}

static bool has(const struct tp_side *side, const char *member)
{
    int n;
    const char *block = block_of(side->text, "in", &n), *at = block ? strstr(block, member) : NULL;

    if (!block)
        return strstr(side->text, member) != NULL;
    return at && at < block + n;
}

static void builtins(struct tp_text *t, const struct tp_side *side, const char *out, const char *v)
{
    tp_say(t, "%sgl_Position = vec4(gp5_f(%s, 90u, 0u), gp5_f(%s, 90u, 1u), gp5_f(%s, 90u, 2u), 1.0);\n", out, v, v, v);
    if (has(side, "gl_PointSize"))
        tp_say(t, "%sgl_PointSize = 1.0 + abs(gp5_f(%s, 91u, 0u));\n", out, v);
    /* Of implicit arrays both stages are to have the same size. */
    unsigned clips = 0;
    for (const char *at = side->text; (at = strstr(at, "gl_ClipDistance[")) != NULL; at++)
        if ((unsigned)atoi(at + 16) >= clips)
            clips = (unsigned)atoi(at + 16) + 1;
    for (unsigned i = 0; has(side, "gl_ClipDistance") && i < (side->translated ? clips : 4); i++)
        tp_say(t, "%sgl_ClipDistance[%u] = 4.5 + gp5_f(%s, 92u, %uu);\n", out, i, v, i);
    if (has(side, "gl_CullDistance"))
        for (unsigned i = 0; i < (side->translated ? 4 : 2); i++)
            tp_say(t, "%sgl_CullDistance[%u] = 1.25;\n", out, i);
}

void tp_before(struct tp_text *t, const struct tp_case *c, const struct tp_side *side)
{
    bool last = c->stage != TP_EVALUATION;

    tp_functions(t, c, side);
    if (last)
        tp_redeclare(t, "out", side, "in", "");
    if (last)
        (side->translated ? declare_translated : declare_original)(t, c->inputs, false);
    tp_say(t, "void main() {\nuint v = uint(gl_VertexID);\n");
    if (last)
        builtins(t, side, "", "v");
    if (c->stage == TP_FRAGMENT)
        tp_say(t, "gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.25, 1.0);\n");
    if (last)
        (side->translated ? give_translated : give_original)(t, c->inputs, false, "v");
    tp_say(t, "}\n");
}

void tp_control(struct tp_text *t, const struct tp_case *c, const struct tp_side *side)
{
    tp_functions(t, c, side);
    tp_say(t, "layout(vertices = %u) out;\n", c->patch);
    tp_redeclare(t, "out", side, "in", " gl_out[]");
    (side->translated ? declare_translated : declare_original)(t, c->inputs, true);
    tp_say(t, "void main() {\nuint v = uint(gl_PrimitiveID * %u + gl_InvocationID);\n", c->patch);
    builtins(t, side, "gl_out[gl_InvocationID].", "v");
    (side->translated ? give_translated : give_original)(t, c->inputs, true, "v");
    for (unsigned i = 0; i < 4; i++)
        tp_say(t, "gl_TessLevelOuter[%u] = %u.0;\n", i, 2 + (i & 1));
    tp_say(t, "gl_TessLevelInner[0] = 2.0; gl_TessLevelInner[1] = 3.0;\n}\n");
}

/* ---- what it writes at its end ---------------------------------------------------------------------------------- */

static const char letters[] = "xyzw";

static void write_word(struct tp_text *t, unsigned *at, const char *format, ...)
{
    va_list list;

    tp_say(t, "gp5_out[gp5_at + %uu] = ", (*at)++);
    va_start(list, format);
    int n = vsnprintf(t->bytes + t->size, sizeof t->bytes - t->size, format, list);
    va_end(list);
    t->size += n > 0 ? (size_t)n : 0;
    tp_say(t, ";\n");
}

/* The components of a result, as uints. */
static void write_port(struct tp_text *t, const struct tp_side *side, const struct tp_port *p, bool control_stage,
                       unsigned *at)
{
    struct tp_shape s = tp_shape(p->type);
    const char *own = control_stage && !p->patch ? "[gl_InvocationID]" : "";

    for (unsigned e = 0; e < tp_elements(p); e++)
        for (unsigned k = 0; k < s.components; k++) {
            if (side->translated && control_stage) {
                write_word(t, at, "floatBitsToUint(gp5_%s%u%s.%c)", p->patch ? "patch" : "attrib", p->slot + e, own,
                           letters[k]);
            } else {
                const char *name = p->name;
                char element[80], translated[40];
                if (side->translated) { /* the colours of fragments */
                    snprintf(translated, sizeof translated, "%s%u", "gp5_out_color", p->slot + e);
                    if (!strstr(side->text, translated))
                        snprintf(translated, sizeof translated,
                                 strstr(side->text, "gl_FragData[") ? "gl_FragData[%u]" : "gl_FragColor", p->slot + e);
                    if (p->stream)
                        snprintf(translated, sizeof translated, "gp5_out_second");
                    name = translated;
                }
                snprintf(element, sizeof element, p->count && !side->translated ? "%s%s%s[%u]" : "%s%s%s",
                         p->block ? p->block : "", p->block ? "." : "", name, e);
                write_word(t, at, s.kind == 'f' ? "floatBitsToUint(%s%s%s%c)" : "uint(%s%s%s%c)", element, own,
                           s.components > 1 || side->translated ? "." : "",
                           s.components > 1 || side->translated ? letters[k] : ' ');
            }
        }
}

/* The tested program with what it writes. */
void tp_tested(struct tp_text *t, const struct tp_case *c, const struct tp_side *side, unsigned *words)
{
    const char *text = side->text, *end = strrchr(text, '}'), *body = strstr(text, "void main(");
    unsigned at = 0;

    if (c->stage != TP_CONTROL && c->stage != TP_FRAGMENT) {
        tp_say(t, "%s", text);
        return;
    }
    tp_say(t, "%.*slayout(std430, binding = 60) buffer gp5_block_out { uint gp5_out[]; };\n", (int)(body - text), text);
    if (c->stage == TP_CONTROL) {
        tp_say(t, "%.*s", (int)(end - body), body);
        tp_say(t, "{ uint gp5_at = uint(gl_PrimitiveID * 32 + gl_InvocationID) * 64u;\n");
        for (const struct tp_port *p = c->outputs; p->name; p++)
            if (!p->patch)
                write_port(t, side, p, true, &at);
        for (const char *b = c->builtins; b && *b; b += strcspn(b, " "), b += *b == ' ') {
            int n = (int)strcspn(b, " ");
            if (strncmp(b, "gl_Position", 11)) {
                write_word(t, &at, "floatBitsToUint(gl_out[gl_InvocationID].%.*s)", n, b);
            } else {
                for (unsigned k = 0; k < 4; k++)
                    write_word(t, &at, "floatBitsToUint(gl_out[gl_InvocationID].gl_Position.%c)", letters[k]);
            }
        }
        tp_say(t, "barrier(); if (gl_InvocationID == 0) {\n");
        for (const struct tp_port *p = c->outputs; p->name; p++)
            if (p->patch && p->slot < 100)
                write_port(t, side, p, true, &at);
        for (const struct tp_port *p = c->outputs; p->name; p++)
            if (p->patch && p->slot >= 100)
                write_word(t, &at, "floatBitsToUint(%s)", p->name);
        tp_say(t, "} }\n}\n");
        *words = 64;
        return;
    }
    tp_say(t,
           "#define main gp5_tested\n%s\n#undef main\nvoid main() { gp5_tested();\n"
           "uint gp5_at = uint(int(gl_FragCoord.y) * %d + int(gl_FragCoord.x)) * 32u;\n",
           body, TP_SIDE);
    for (const struct tp_port *p = c->outputs; p->name; p++)
        write_port(t, side, p, false, &at);
    for (const char *b = c->builtins; b && *b; b += strcspn(b, " "), b += *b == ' ')
        write_word(t, &at, !strncmp(b, "gl_SampleMask", 13) ? "uint(%.*s)" : "floatBitsToUint(%.*s)",
                   (int)strcspn(b, " "), b);
    tp_say(t, "}\n");
    *words = 32;
}
