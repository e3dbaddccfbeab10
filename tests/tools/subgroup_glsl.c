#include "tests/tools/subgroup_glsl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Extensions are enabled, not required: of those that a driver lacks it warns, and rejects the shader that needs them.
 */
static const char *const extensions[] = {
    "KHR_shader_subgroup_basic", "KHR_shader_subgroup_vote", "KHR_shader_subgroup_ballot",
    "KHR_shader_subgroup_arithmetic",
    "KHR_shader_subgroup_shuffle", "KHR_shader_subgroup_shuffle_relative", "KHR_shader_subgroup_clustered",
    "KHR_shader_subgroup_quad", "ARB_gpu_shader_int64",
};
static const char *const extended[] = {
    "NV_gpu_shader5", "AMD_gpu_shader_half_float", "AMD_gpu_shader_int16", "EXT_shader_explicit_arithmetic_types",
    "EXT_shader_subgroup_extended_types_int8", "EXT_shader_subgroup_extended_types_int16",
    "EXT_shader_subgroup_extended_types_int64", "EXT_shader_subgroup_extended_types_float16",
};

/* A type: its names, how a component is made from the words a and a1, and how the words o and o1 are made from it. */
struct glsl_type {
    const char *scalar, *vector, *from, *to, *to_high;
};

static const struct glsl_type types[GP5_SUBGROUP_TYPE_COUNT] = {
    [GP5_SUBGROUP_BOOL] = {"bool", "bvec", "(%s != 0u)", "(%s ? 1u : 0u)", "0u"},
    [GP5_SUBGROUP_I8] = {"int8_t", "i8vec", "int8_t(int(%s) << 24 >> 24)", "uint(int(%s)) & 0xffu", "0u"},
    [GP5_SUBGROUP_U8] = {"uint8_t", "u8vec", "uint8_t(%s)", "uint(%s)", "0u"},
    [GP5_SUBGROUP_I16] = {"int16_t", "i16vec", "int16_t(int(%s) << 16 >> 16)", "uint(int(%s)) & 0xffffu", "0u"},
    [GP5_SUBGROUP_U16] = {"uint16_t", "u16vec", "uint16_t(%s)", "uint(%s)", "0u"},
    [GP5_SUBGROUP_I32] = {"int", "ivec", "int(%s)", "uint(%s)", "0u"},
    [GP5_SUBGROUP_U32] = {"uint", "uvec", "%s", "%s", "0u"},
    [GP5_SUBGROUP_I64] = {"int64_t", "i64vec", "packInt2x32(ivec2(%s, %s))", "uint(unpackInt2x32(%s).x)",
     "uint(unpackInt2x32(%s).y)"},
    [GP5_SUBGROUP_U64] = {"uint64_t", "u64vec", "packUint2x32(uvec2(%s, %s))", "unpackUint2x32(%s).x",
     "unpackUint2x32(%s).y"},
    [GP5_SUBGROUP_F16] = {"float16_t", "f16vec", "unpackFloat2x16(%s).x", "packFloat2x16(f16vec2(%s, float16_t(0.0)))",
     "0u"},
    [GP5_SUBGROUP_F32] = {"float", "vec", "uintBitsToFloat(%s)", "floatBitsToUint(%s)", "0u"},
    [GP5_SUBGROUP_F64] = {"double", "dvec", "packDouble2x32(uvec2(%s, %s))", "unpackDouble2x32(%s).x",
     "unpackDouble2x32(%s).y"},
};

struct text {
    char *at;
    size_t left;
};

static void add(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->at, t->left, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < t->left) {
        t->at += n;
        t->left -= (size_t)n;
    }
}

static bool is_extended(const struct subgroup_case *c)
{
    return c->type != GP5_SUBGROUP_BOOL && c->type != GP5_SUBGROUP_I32 && c->type != GP5_SUBGROUP_U32 &&
           c->type != GP5_SUBGROUP_F32 && c->type != GP5_SUBGROUP_F64;
}

static void add_extensions(struct text *t, const struct subgroup_case *c)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    add(t, "#version 450\n");
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        add(t, "#extension GL_%s : enable\n", extensions[i]);
    if (strstr(info->glsl, "ARB"))
        add(t, "#extension GL_ARB_shader_%s : enable\n", info->group == GP5_SUBGROUP_VOTE ? "group_vote" : "ballot");
    if (strstr(info->glsl, "artition"))
        add(t, "#extension GL_NV_shader_subgroup_partitioned : enable\n");
    if (info->group == GP5_SUBGROUP_SHUFFLES_NV)
        add(t, "#extension GL_NV_shader_thread_shuffle : enable\n");
    for (size_t i = 0; is_extended(c) && i < sizeof extended / sizeof *extended; i++)
        add(t, "#extension GL_%s : enable\n", extended[i]);
}

/* "vec3" */
static void type_name(enum gp5_subgroup_type type, unsigned components, char name[16])
{
    if (components > 1)
        snprintf(name, 16, "%s%u", types[type].vector, components);
    else
        snprintf(name, 16, "%s", types[type].scalar);
}

static void result_name(const struct subgroup_case *c, char name[16])
{
    switch (gp5_subgroup_info(c->op)->answer) {
    case GP5_SUBGROUP_A_BOOL: type_name(GP5_SUBGROUP_BOOL, 1, name); break;
    case GP5_SUBGROUP_A_UINT: type_name(GP5_SUBGROUP_U32, 1, name); break;
    case GP5_SUBGROUP_A_BALLOT: type_name(GP5_SUBGROUP_U32, 4, name); break;
    case GP5_SUBGROUP_A_UINT64: type_name(GP5_SUBGROUP_U64, 1, name); break;
    default: type_name(c->type, c->components, name);
    }
}

static void add_value(struct text *t, const struct subgroup_case *c)
{
    char name[16];
    type_name(c->type, c->components, name);
    add(t, "    %s v = %s(", name, name);
    for (unsigned k = 0; k < c->components; k++) {
        char low[16], high[16];
        snprintf(low, sizeof low, "a[r + %uu]", 2 * k);
        snprintf(high, sizeof high, "a[r + %uu]", 2 * k + 1);
        add(t, k ? ", " : "");
        add(t, types[c->type].from, low, high);
    }
    add(t, ");\n");
}

/* A barrier's value goes through memory; in all other calls it is a matter of arguments. */
static void add_barrier_call(struct text *t, const struct subgroup_case *c, const char *mark)
{
    bool shared = c->op != GP5_SUBGROUP_DO_MEMORY_BARRIER_BUFFER;
    const char *cell = shared ? "s[%s]" : "b[(first + %s) * 16u + 15u]";
    char own[64], other[64];
    snprintf(own, sizeof own, cell, "gl_LocalInvocationID.x");
    snprintf(other, sizeof other, cell, "base + index");
    add(t, "{ %s = a[r]; ", own);
    if (c->op != GP5_SUBGROUP_DO_BARRIER)
        add(t, "%s(); ", gp5_subgroup_info(c->op)->glsl);
    add(t, "subgroupBarrier(); if (base + index < gl_WorkGroupSize.x) x = %s; mark = %s; subgroupBarrier(); }\n", other,
        mark);
}

static void add_call(struct text *t, const struct subgroup_case *c, const char *mark)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    const char *comma = "";
    if (subgroup_case_is_barrier(c)) {
        add_barrier_call(t, c, mark);
        return;
    }
    add(t, "{ x = %s", info->glsl);
    if (info->group != GP5_SUBGROUP_VARIABLE) {
        add(t, "(");
        if (info->operands & GP5_SUBGROUP_TAKES_VALUE) {
            add(t, "v");
            comma = ", ";
        }
        if (info->operands & GP5_SUBGROUP_TAKES_BALLOT) {
            add(t, "%sballot", comma);
            comma = ", ";
        }
        if (info->operands & GP5_SUBGROUP_TAKES_INDEX) {
            if (c->constant == NO_CONSTANT)
                add(t, "%sindex", comma);
            else
                add(t, "%s%uu", comma, (unsigned)c->constant);
        }
        if (info->operands & GP5_SUBGROUP_TAKES_CLUSTER)
            add(t, "%s%uu", comma, c->cluster);
        if (info->operands & GP5_SUBGROUP_TAKES_WIDTH)
            add(t, ", width, valid");
        add(t, ")");
    }
    add(t, "; mark = %s; }\n", mark);
}

static void add_flow(struct text *t, const struct subgroup_case *c)
{
    char marks[3][16];
    for (unsigned i = 0; i < 3; i++)
        snprintf(marks[i], sizeof marks[i], "%uu", SUBGROUP_MARK + i);
    switch (c->form) {
    case FORM_IF:
        add(t, "    if ((control & 1u) != 0u)\n        ");
        add_call(t, c, marks[0]);
        break;
    case FORM_NESTED:
        add(t, "    if ((control & 1u) != 0u) {\n        if ((control & 2u) != 0u)\n            ");
        add_call(t, c, marks[0]);
        add(t, "        else\n            ");
        add_call(t, c, marks[1]);
        add(t, "    } else {\n        if ((control & 2u) != 0u)\n            ");
        add_call(t, c, marks[2]);
        add(t, "    }\n");
        break;
    case FORM_LOOP:
        add(t, "    for (uint i = 0u; i < (control >> 2 & 3u); i++)\n        ");
        snprintf(marks[0], sizeof marks[0], "%uu + i", SUBGROUP_MARK);
        add_call(t, c, marks[0]);
        break;
    default:
        add(t, "    ");
        add_call(t, c, marks[0]);
    }
}

static void add_result(struct text *t, const struct subgroup_case *c)
{
    enum gp5_subgroup_type type = c->type;
    unsigned components = 1;
    switch (gp5_subgroup_info(c->op)->answer) {
    case GP5_SUBGROUP_A_BALLOT:
        for (unsigned i = 0; i < 4; i++)
            add(t, "        b[r + %uu] = x[%u];\n", 4 + i, i);
        return;
    case GP5_SUBGROUP_A_BOOL: type = GP5_SUBGROUP_BOOL; break;
    case GP5_SUBGROUP_A_UINT: type = GP5_SUBGROUP_U32; break;
    case GP5_SUBGROUP_A_UINT64: type = GP5_SUBGROUP_U64; break;
    default: components = c->components;
    }
    for (unsigned k = 0; k < components; k++) {
        char x[16] = "x";
        if (components > 1)
            snprintf(x, sizeof x, "x[%u]", k);
        add(t, "        b[r + %uu] = ", 4 + 2 * k);
        add(t, types[type].to, x);
        add(t, ";\n        b[r + %uu] = ", 5 + 2 * k);
        add(t, types[type].to_high, x);
        add(t, ";\n");
    }
}

bool subgroup_glsl(const struct subgroup_case *c, char text[SUBGROUP_GLSL_SIZE])
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info(c->op);
    struct text t = {text, SUBGROUP_GLSL_SIZE};
    char name[16];
    *text = '\0';
    if (info->group == GP5_SUBGROUP_ROTATION)
        return false;
    result_name(c, name);
    add_extensions(&t, c);
    add(&t, "layout(local_size_x = %u) in;\nlayout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
        "layout(std430, binding = 1) coherent buffer B { uint b[]; };\nshared uint s[%u];\n",
        subgroup_case_local(c), subgroup_case_local(c));
    add(&t,
        "void main()\n{\n    uint r = gl_GlobalInvocationID.x * 16u, first = gl_WorkGroupID.x * gl_WorkGroupSize.x;\n"
        "    uint index = a[r + 8u], width = a[r + 9u], control = a[r + 10u], mark = 0u;\n"
        "    uint base = gl_LocalInvocationID.x - gl_SubgroupInvocationID;\n"
        "    uvec4 ballot = uvec4(a[r + 12u], a[r + 13u], a[r + 14u], a[r + 15u]);\n    bool valid = false;\n");
    add_value(&t, c);
    add(&t, "    %s x = %s(0);\n", name, name);
    add_flow(&t, c);
    add(&t, "    if (mark != 0u) {\n        b[r] = mark;\n        b[r + 1u] = gl_SubgroupSize | "
            "gl_SubgroupInvocationID << 8 | "
            "gl_SubgroupID << 16 | gl_NumSubgroups << 24;\n        b[r + 2u] = valid ? 1u : 0u;\n");
    add_result(&t, c);
    add(&t, "    }\n}\n");
    return t.left > 1;
}
