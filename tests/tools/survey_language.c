/* The survey: options, declarations, bindings, limits. */
#include <string.h>

#include "tests/tools/survey.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const char *const option_forms[] = {
    "OPTION @;\n", "OPTION @;\nOPTION @;\n", "OPTION @;\nOPTION NV_internal;\n", "OPTION NV_internal;\nOPTION @;\n",
};

void survey_options(struct survey *s)
{
    const struct survey_profile *p = s->profile;
    char head[SURVEY_TEXT], body[SURVEY_TEXT];
    snprintf(head, sizeof head, "%s\n%s", p->header, p->options);
    for (size_t i = 0; survey_option_names[i]; i++)
        for (size_t k = 0; k < COUNT(option_forms); k++) {
            size_t n = survey_put(body, sizeof body, option_forms[k], '@', survey_option_names[i]) ? strlen(body) : 0;
            snprintf(body + n, sizeof body - n, "%s", p->needs);
            if (!survey_ask(s, head, body, "option/%s/%zu", survey_option_names[i], k))
                break;
        }
}

/* ---- declarations ------------------------------------------------------------------------------------------------ */

/* A is the profile's attribute, O its result. */
static const char *const declaration_forms[] = {
    "TEMP a;", "TEMP a, b, c;", "TEMP a[4];", "TEMP a[4], b, c[2];", "TEMP a[];", "TEMP a[0];", "TEMP a[1];", "TEMP;",
    "TEMP a b;", "TEMP a,;", "TEMP a", "TEMP R0;", "TEMP a; TEMP a;", "TEMP 1D;", "TEMP MOV;", "TEMP ADD, TEX, END;",
    "TEMP EQ;", "TEMP x;", "TEMP xyzw;", "TEMP CC;", "TEMP RC, HC;", "TEMP vertex;", "TEMP fragment;", "TEMP program;",
    "TEMP result;", "TEMP state;", "TEMP texture;", "TEMP primitive;", "TEMP image;", "TEMP handle;", "TEMP offset;",
    "TEMP invocation;", "TEMP TEMP;", "TEMP PARAM;", "TEMP OPTION;", "TEMP END;", "TEMP ALIAS;", "TEMP $a;", "TEMP _a;",
    "TEMP a$1;", "TEMP a.b;", "TEMP main;", "TEMP CBUFFER, SHARED, STORAGE;", "TEMP SHORT;", "TEMP INT;", "TEMP FLAT;",
    "TEMP ABSX;", "TEMP MOVC, MOVH, MOVR, MOV_SAT;", "TEMP IF;", "TEMP inverse, row, color, local, env;", "TEMP F, U;",
    "TEMP POINTS, TRIANGLES;", "TEMP 2a;", "TEMP e1;", "TEMP a-b;", "TEMP a\xc3\xa4;", "temp a;", "Temp a;",
    "ADDRESS a;", "ADDRESS a, b;", "ADDRESS a[2];", "SHORT ADDRESS a;", "ADDRESS a; ADDRESS a;",
    "ATTRIB a = @;", "ATTRIB a[] = { @ };", "ATTRIB a[1] = { @ };", "ATTRIB a[2] = { @ };", "ATTRIB a[] = { @, @ };",
    "ATTRIB a;", "ATTRIB a = @.x;", "ATTRIB a = @.xyzw;", "ATTRIB a = { @ };", "ATTRIB a, b = @;",
    "ATTRIB a = @, b = @;",
    "ATTRIB a = @; ATTRIB a = @;", "ATTRIB a = @; ATTRIB b = @;", "ATTRIB a = -@;", "ATTRIB a[] = @;",
    "ATTRIB a[] = {};",
    "ATTRIB a = program.local[0];", "ATTRIB a = ~;", "ATTRIB = @;", "ATTRIB a @;", "ATTRIB a == @;", "ATTRIB a = @",
    "OUTPUT o = ~;", "OUTPUT o[] = { ~ };", "OUTPUT o[1] = { ~ };", "OUTPUT o[2] = { ~ };", "OUTPUT o;",
    "OUTPUT o = ~.x;",
    "OUTPUT o = ~; OUTPUT q = ~;", "OUTPUT o = @;", "RESULT o = ~;", "OUTPUT o = { ~ };", "OUTPUT o = ~; ALIAS q = o;",
    "PARAM p = program.local[0];", "PARAM p = program.env[0];", "PARAM p[] = { program.local[0..3] };",
    "PARAM p[4] = { program.local[0..3] };", "PARAM p[3] = { program.local[0..3] };",
    "PARAM p[5] = { program.local[0..3] };",
    "PARAM p[] = { program.local[0..3], program.env[0..1], {1, 2, 3, 4}, 1.0 };", "PARAM p[2] = { {1, 2}, 3 };",
    "PARAM p[] = { program.local[3..0] };", "PARAM p[] = { program.local[2..2] };", "PARAM p[] = program.local[0..3];",
    "PARAM p[4] = program.local[0..3];", "PARAM p = program.local[0..0];", "PARAM p = program.local[0..1];",
    "PARAM p = program.local;", "PARAM p[] = { program.local };", "PARAM p[] = { program.env };", "PARAM p[] = {};",
    "PARAM p[0] = {};", "PARAM p;", "PARAM p[4];", "PARAM p = 1;", "PARAM p = 1.0;", "PARAM p = -1;", "PARAM p = +1.5;",
    "PARAM p = { 1 };", "PARAM p = { 1, 2 };", "PARAM p = { 1, 2, 3 };", "PARAM p = { 1, 2, 3, 4 };",
    "PARAM p = { 1, 2, 3, 4, 5 };", "PARAM p = {};", "PARAM p = { -1, +2, -3.5e2, 4. };", "PARAM p = { .5 };",
    "PARAM p = { 1e5 };", "PARAM p = { 1e400 };", "PARAM p = { 1e39 };", "PARAM p = { 1e-400 };", "PARAM p = { 0x10 };",
    "PARAM p = { 4294967295 };", "PARAM p = { 4294967296 };", "PARAM p = { 99999999999999999999999 };",
    "PARAM p = { 2147483648 };", "PARAM p = { inf };", "PARAM p = { nan };", "PARAM p = { -inf };", "PARAM p = { 1f };",
    "PARAM p = { 1.0f };", "PARAM p = { 1.e };", "PARAM p = { 1e };", "PARAM p = { 1e+ };", "PARAM p = { . };",
    "PARAM p = { 1 2 };", "PARAM p = { 1, };", "PARAM p = { - 1 };", "PARAM p = { --1 };", "PARAM p = { 08 };",
    "PARAM p = { 0x };", "PARAM p = { 0xFFFFFFFF };", "PARAM p = { 0x1FFFFFFFF };", "PARAM p = { 0X1F };",
    "INT PARAM p = 1.5;", "INT PARAM p = 1;", "INT PARAM p = -1;", "INT PARAM p = { 1, -2, 3, 4 };",
    "UINT PARAM p = 1;",
    "UINT PARAM p = -1;", "UINT PARAM p = 4294967295;", "INT PARAM p = 4294967295;", "INT PARAM p = 2147483648;",
    "UINT PARAM p = 4294967296;", "FLOAT PARAM p = 1;", "FLOAT PARAM p = 1.5;", "LONG PARAM p = program.local[0];",
    "LONG PARAM p = 1.5;", "LONG PARAM p = 0x123456789ABCDEF;", "SHORT PARAM p = 1.0;", "UINT PARAM p = 1.5;",
    "PARAM p = program.local[0]; PARAM q = program.local[0];", "PARAM p = program.local[0]; PARAM p = 1;",
    "PARAM p = state.matrix.mvp;", "PARAM p[4] = { state.matrix.mvp };", "PARAM p[] = { state.matrix.mvp };",
    "PARAM p[2] = { state.matrix.mvp.row[0..1] };", "PARAM p[3] = { state.matrix.mvp.row[0..1] };",
    "PARAM p = state.matrix.mvp.row[3];", "PARAM p = state.matrix.mvp.row[4];", "PARAM p = program.local[0].x;",
    "PARAM p = a;", "PARAM p = @;", "PARAM p[-1] = { 1 };", "PARAM p[1.0] = { 1 };", "PARAM p[0x1] = { 1 };",
    "ALIAS b = R0;", "ALIAS b = nothing;", "ALIAS b = b;", "ALIAS b = R0; ALIAS c = b;", "ALIAS R1 = R0;", "ALIAS b;",
    "ALIAS b = P;", "ALIAS b = @;", "ALIAS b = R0.x;", "ALIAS b = P[0];", "ALIAS MOV = R0;", "ALIAS b = R0, c = R1;",
    "BUFFER b = program.buffer[0][0];", "BUFFER b[] = { program.buffer[0] };",
    "BUFFER b[4] = { program.buffer[0][0..3] };",
    "BUFFER b[] = { program.buffer[0][0..3] };", "BUFFER b[] = program.buffer[0];", "BUFFER b = program.buffer[0];",
    "BUFFER b[] = { program.buffer[0][0] };", "BUFFER b[] = { program.buffer[0][1], program.buffer[0][2] };",
    "BUFFER b[][] = { program.buffer[0..1] };", "BUFFER b[2][] = { program.buffer[0..1] };",
    "BUFFER4 b[] = { program.buffer[0] };",
    "BUFFER4 b = program.buffer[0][0];", "BUFFER4 b[][] = { program.buffer[0..1] };",
    "BUFFER b = = program.buffer[0][0];",
    "BUFFER a[] = { program.buffer[0] }; BUFFER4 b[] = { program.buffer[0] };",
    "BUFFER a[] = { program.buffer[0] }; CBUFFER b[] = { program.buffer[0] };",
    "BUFFER a[] = { program.buffer[0] }; BUFFER b[] = { program.buffer[0] };",
    "BUFFER b[] = { program.buffer[0][3..2] };",
    "INT BUFFER b[] = { program.buffer[0] };", "LONG BUFFER b[] = { program.buffer[0] };",
    "CBUFFER c[] = { program.buffer[0] };", "CBUFFER c = program.buffer[0];", "CBUFFER c[4] = { program.buffer[0] };",
    "CBUFFER c[] = { program.buffer[0][0..15] };", "CBUFFER c = program.buffer[0][0];",
    "CBUFFER c[][] = { program.buffer[0..1] };",
    "CBUFFER c[2][] = { program.buffer[0..1] };", "CBUFFER c[] = { program.buffer[0], program.buffer[1] };",
    "CBUFFER c[] = program.buffer[0];", "CBUFFER c[][2] = { program.buffer[0..1] };",
    "INT CBUFFER c[] = { program.buffer[0] };",
    "STORAGE c[] = { program.storage[0] };", "STORAGE c = program.storage[0];",
    "STORAGE c[4] = { program.storage[0] };",
    "STORAGE c[] = { program.storage[0][0..15] };", "STORAGE c[][] = { program.storage[0..1] };",
    "STORAGE c = program.storage[0][0];",
    "STORAGE c[2][] = { program.storage[0..1] };", "STORAGE c[] = { program.storage[0], program.storage[1] };",
    "STORAGE a[] = { program.storage[0] }; STORAGE b[] = { program.storage[0] };",
    "INT STORAGE c[] = { program.storage[0] };",
    "COUNTER c = program.counter[0][0];", "COUNTER c { program.counter[0] };", "COUNTER c[] = { program.counter[0] };",
    "COUNTER c[] = { program.counter[0][0..3] };", "COUNTER c[4] = { program.counter[0][0..3] };",
    "COUNTER c = program.counter[0];",
    "COUNTER c program.counter[0];", "COUNTER c[] { program.counter[0] };", "COUNTER c = program.counter[0][4];",
    "COUNTER c = program.counter[0][2];", "COUNTER c[] = { program.counter[0][0..12] };", "COUNTER c;",
    "SHARED_MEMORY 64;", "SHARED_MEMORY 0;", "SHARED_MEMORY 64; SHARED_MEMORY 64;", "SHARED_MEMORY;",
    "SHARED_MEMORY 64",
    "SHARED_MEMORY = 64;", "SHARED_MEMORY -1;", "SHARED_MEMORY 64; SHARED c[] = { program.sharedmem };",
    "SHARED c[] = { program.sharedmem };", "SHARED_MEMORY 64; SHARED c = program.sharedmem;",
    "SHARED_MEMORY 64; SHARED c[] = { program.sharedmem[0..63] };",
    "SHARED_MEMORY 64; SHARED c[64] = { program.sharedmem[0..63] };",
    "SHARED_MEMORY 64; SHARED c = program.sharedmem[0];", "SHARED_MEMORY 64; SHARED c[] = { program.sharedmem[0] };",
    "SHARED_MEMORY 64; SHARED c[] = { program.sharedmem[0..64] };",
    "SHARED c[] = { program.sharedmem }; SHARED_MEMORY 64;",
    "SHARED_MEMORY 64; SHARED c[] = { program.sharedmem }; SHARED d[] = { program.sharedmem };",
    "TEXTURE t = texture[0];", "TEXTURE t = texture;", "TEXTURE t[] = { texture[0..3] };",
    "TEXTURE t[4] = { texture[0..3] };",
    "TEXTURE t[] = { texture[0], texture[2] };", "TEXTURE t[3] = { texture[0..3] };", "TEXTURE t;",
    "TEXTURE t[] = texture[0..3];",
    "TEXTURE t = image[0];", "TEXTURE t = texture[0]; TEXTURE u = texture[0];", "TEXTURE t[][] = { texture[0..3] };",
    "IMAGE t = image[0];", "IMAGE t = image;", "IMAGE t[] = { image[0..3] };", "IMAGE t[4] = { image[0..3] };",
    "IMAGE t;",
    "IMAGE t = texture[0];", "IMAGE t[] = { image[0], image[2] };", "INT TEXTURE t = texture[0];",
    "INT IMAGE t = image[0];",
    "GROUP_SIZE 8 8 8;", "GROUP_SIZE 8, 8;", "GROUP_SIZE 32", "GROUP_SIZE 32; GROUP_SIZE 32;", "GROUP_SIZE 0;",
    "PRIMITIVE_IN POINTS;", "PRIMITIVE_IN LINES;", "PRIMITIVE_IN LINES_ADJACENCY;", "PRIMITIVE_IN TRIANGLES;",
    "PRIMITIVE_IN TRIANGLES_ADJACENCY;", "PRIMITIVE_IN PATCHES;", "PRIMITIVE_IN QUADS;", "PRIMITIVE_OUT POINTS;",
    "PRIMITIVE_OUT LINE_STRIP;", "PRIMITIVE_OUT TRIANGLE_STRIP;", "PRIMITIVE_OUT TRIANGLES;", "VERTICES_OUT 4;",
    "VERTICES_OUT 0;", "INVOCATIONS 4;", "INVOCATIONS 0;", "INVOCATIONS 4; INVOCATIONS 4;", "TESS_MODE TRIANGLES;",
    "TESS_MODE QUADS;", "TESS_MODE ISOLINES;", "TESS_SPACING EQUAL;", "TESS_SPACING FRACTIONAL_ODD;",
    "TESS_SPACING FRACTIONAL_EVEN;", "TESS_SPACING ODD;", "TESS_VERTEX_ORDER CW;", "TESS_VERTEX_ORDER CCW;",
    "TESS_POINT_MODE;", "TESS_POINT_MODE 1;", "PASSTHROUGH result.position;", "SECONDARY_VIEW_LAYER_OFFSET 1;",
    "NV_SECONDARY_VIEW_LAYER_OFFSET 1;", "SECONDARY_VIEW_LAYER_OFFSET -1;", "THREAD_MEMORY 64;", "LOCAL_MEMORY 64;",
    "LMEM 64;", "NUM_VIEWS 2;", "SCRATCH 64;", "MAX_VERTICES 4;", "EARLY_FRAGMENT_TESTS;", "DEPTH_LAYOUT ANY;",
    "SUBROUTINETYPE T;", "SUBROUTINETYPE T { L };", "SUBROUTINETYPE T { };", "SUBROUTINE T v = program.subroutine[0];",
    "lmem[16];", "TEMP lmem[16];", "LOCAL lmem[16];", "MEMORY lmem[64];", "LMEM lmem[64];", "THREAD_MEMORY lmem[64];",
    "THREAD_MEMORY 64; TEMP lmem[4];", "THREAD lmem[] = { program.threadmem };", "DEFINE a = 1.0;", "DECLARE a = 1.0;",
    "DEFINE a = {1, 2, 3, 4};", "DECLARE a;", "OPTION NV_internal;", "OPTION ARB_position_invariant;", ";", ";;",
    "END;",
    "VERTEXATTRIB a;", "UNIFORM a;", "CONST a = 1;", "CONSTANT a = 1;", "INCLUDE a;", "#comment", "# c\r", "#",
    "/* c */",
    "// c", "NOPERSPECTIVE;", "VIEWPORT 1;", "LAYER_OFFSET 1;", "GROUP_SIZE_HINT 32;", "WARP_SIZE 32;", "REGISTERS 32;",
};

static const char *const variable_modifiers[] = {
    "SHORT", "LONG", "INT", "UINT", "FLOAT", "FLAT", "CENTROID", "NOPERSPECTIVE", "SAMPLE", "PATCH", "PRECISE", "HALF",
    "DOUBLE", "BOOL", "SHORT INT", "INT SHORT", "LONG UINT", "UINT LONG", "LONG LONG", "INT INT", "INT UINT",
    "SHORT LONG",
    "SHORT FLOAT", "FLAT INT", "INT FLAT", "FLAT UINT", "FLAT FLOAT", "FLAT CENTROID", "FLAT NOPERSPECTIVE",
    "CENTROID NOPERSPECTIVE", "NOPERSPECTIVE CENTROID", "CENTROID SAMPLE", "SAMPLE NOPERSPECTIVE", "FLAT SAMPLE",
    "FLAT FLAT", "CENTROID CENTROID", "FLAT LONG", "FLAT SHORT", "FLAT INT SHORT", "CENTROID FLOAT SHORT",
};

static const char *const modified_declarations[] = {
    "@ TEMP v;", "@ ATTRIB v = *;", "@ OUTPUT v = ~;", "@ PARAM v = program.local[0];", "@ ALIAS v = R0;",
    "@ BUFFER v[] = { program.buffer[0] };", "@ BUFFER4 v[] = { program.buffer[0] };",
    "@ CBUFFER v[] = { program.buffer[0] };", "@ STORAGE v[] = { program.storage[0] };", "@ TEXTURE v = texture[0];",
    "@ IMAGE v = image[0];", "@ COUNTER v = program.counter[0][0];", "@ SHARED v[] = { program.sharedmem };",
    "@ ADDRESS v;", "TEMP @ v;",
};

static const char *interpolated(const struct survey *s)
{
    if (s->profile->stage != DRIVER_FRAGMENT)
        return s->profile->attribute;
    return s->profile->family == SURVEY_ARB ? "fragment.texcoord[0]" : "fragment.attrib[0]";
}

static void fill(char *body, size_t size, const struct survey *s, const char *form, const char *word)
{
    char a[512], b[512], c[512];
    if (!survey_put(a, sizeof a, form, '*', interpolated(s)) || !survey_put(b, sizeof b, a, '~', s->profile->result)
        || !survey_put(c, sizeof c, b, '@', word))
        c[0] = 0;
    snprintf(body, size, "%s\n", c);
}

/* Without the temporaries, and without what the stage must declare: where stage declarations may stand. */
static void ask_early(struct survey *s, const char *body, size_t i)
{
    char head[SURVEY_TEXT];
    const struct survey_profile *p = s->profile;
    snprintf(head, sizeof head, "%s\n%s%s", p->header, p->options, p->needs);
    survey_ask(s, head, body, "declare/head/%zu", i);
    if (!*p->needs)
        return;
    snprintf(head, sizeof head, "%s\n%s", p->header, p->options);
    survey_ask(s, head, body, "declare/bare/%zu", i);
    snprintf(head, sizeof head, "%s\n%s%s%.*s", p->header, p->options, body, SURVEY_TEXT / 2, p->needs);
    survey_ask(s, head, "", "declare/before/%zu", i);
}

void survey_declarations(struct survey *s)
{
    char body[SURVEY_TEXT / 4];
    for (size_t i = 0; i < COUNT(declaration_forms); i++) {
        fill(body, sizeof body, s, declaration_forms[i], s->profile->attribute);
        survey_ask(s, s->plain, body, "declare/plain/%zu", i);
        survey_ask(s, s->rich, body, "declare/rich/%zu", i);
        ask_early(s, body, i);
    }
    for (size_t i = 0; i < COUNT(variable_modifiers); i++)
        for (size_t k = 0; k < COUNT(modified_declarations); k++) {
            fill(body, sizeof body, s, modified_declarations[k], variable_modifiers[i]);
            survey_ask(s, s->rich, body, "variable/%s/%zu", variable_modifiers[i], k);
        }
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

static const char *const binding_uses[] = {
    "MOV R0, @;", "ATTRIB q = @;", "PARAM q = @;", "OUTPUT q = @;", "ATTRIB q[] = { @ };", "PARAM q[] = { @ };",
    "OUTPUT q[] = { @ };", "MOV @, R0;", "MOV R0, @.x;", "MOV @.x, R0;", "MOV R0, -@.wzyx;",
};

static const char *const interpolations[] = {"FLAT", "CENTROID", "NOPERSPECTIVE", "SAMPLE", "FLAT INT", "INT", "LONG"};

/* Indices in the place of n, o, m, a, b, c and d that stand alone between brackets and dots. */
static void number(char *to, size_t size, const char *form)
{
    size_t n = 0;
    for (const char *c = form; *c && n + 2 < size; c++) {
        bool alone = c > form && (c[-1] == '[' || c[-1] == '.') && (c[1] == ']' || (c[1] == '.' && c[2] == '.'));
        const char *at = alone ? strchr("n1o2m0a1b2c0d3", *c) : NULL;
        to[n++] = at ? at[1] : *c;
    }
    to[n] = 0;
}

static void ask_binding(struct survey *s, const char *form)
{
    char binding[256], body[512];
    bool attribute = false;
    number(binding, sizeof binding, form);
    for (size_t k = 0; k < COUNT(binding_uses); k++) {
        if (survey_put(body, sizeof body, binding_uses[k], '@', binding)
            && survey_ask(s, s->rich, body, "binding/%s/%zu", form, k) && k == 1)
            attribute = true;
    }
    for (size_t k = 0; attribute && s->profile->stage == DRIVER_FRAGMENT && k < COUNT(interpolations); k++) {
        snprintf(body, sizeof body, "%s ATTRIB q = %s;", interpolations[k], binding);
        survey_ask(s, s->rich, body, "interpolate/%s/%s", form, interpolations[k]);
    }
}

/* Which option a binding is for: asked of those that the rich preamble accepts and the plain one does not. */
static void ask_option(struct survey *s, const char *form)
{
    char binding[256], body[512], head[SURVEY_TEXT];
    const struct survey_profile *p = s->profile;
    number(binding, sizeof binding, form);
    for (size_t use = 0; use < 4; use++) {
        if (!survey_put(body, sizeof body, binding_uses[use], '@', binding)
            || survey_ask(s, s->plain, body, "plainbinding/%s/%zu", form, use)
            || !survey_ask(s, s->rich, body, "binding/%s/%zu", form, use))
            continue;
        for (size_t i = 0; survey_option_names[i]; i++) {
            snprintf(head, sizeof head, "%s\n%sOPTION %s;\n%sTEMP R0, R1;\n", p->header, p->options,
                     survey_option_names[i], p->needs);
            survey_ask(s, head, body, "optionbinding/%s/%s", form, survey_option_names[i]);
        }
    }
}

static const char *const stage_options[] = {
    "NV_viewport_array2", "NV_layer_viewport_relative", "NV_stereo_view_rendering", "ARB_viewport_array",
    "ARB_cull_distance",
    "ARB_blend_func_extended", "ARB_fragment_layer_viewport", "NV_conservative_raster_underestimation",
    "NV_early_fragment_tests", "ARB_draw_buffers", "ATI_draw_buffers", "ARB_shader_draw_parameters",
    "NV_sample_mask_override_coverage",
    "ARB_post_depth_coverage", "NV_geometry_shader_passthrough", "ARB_position_invariant",
    "ARB_compute_variable_group_size",
    "ARB_fog_exp", "NV_fragment_shader_barycentric", "NV_shading_rate_image", "NV_pixel_interlock_ordered",
};

void survey_bindings(struct survey *s)
{
    char binding[256], body[512], head[SURVEY_TEXT];
    const struct survey_profile *p = s->profile;
    for (size_t i = 0; survey_binding_forms[i]; i++)
        ask_binding(s, survey_binding_forms[i]);
    for (size_t i = 0; survey_binding_forms[i]; i++)
        if (strstr(survey_binding_forms[i], "thread") || strstr(survey_binding_forms[i], "warp")
            || strstr(survey_binding_forms[i], "smid") || strstr(survey_binding_forms[i], "helper"))
            ask_option(s, survey_binding_forms[i]);
    if (p->family == SURVEY_OLD)
        return;
    for (size_t k = 0; k < COUNT(stage_options); k++) {
        snprintf(head, sizeof head, "%s\n%sOPTION %s;\n%sTEMP R0, R1;\n", p->header, p->options, stage_options[k],
                 p->needs);
        if (!survey_ask(s, head, "", "stageoption/%s", stage_options[k]))
            continue;
        for (size_t i = 0; survey_binding_forms[i]; i++) {
            const char *form = survey_binding_forms[i];
            if (strncmp(form, "state.", 6) == 0 || strncmp(form, "program.", 8) == 0)
                continue;
            number(binding, sizeof binding, form);
            for (size_t use = 0; use < 8; use += 7)
                if (survey_put(body, sizeof body, binding_uses[use], '@', binding))
                    survey_ask(s, head, body, "stagebinding/%s/%s/%zu", stage_options[k], form, use);
        }
    }
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *form;
    long least, most;
} limits[] = {
    {"MOV R0, program.local[@];", 0, 100000}, {"MOV R0, program.env[@];", 0, 100000},
    {"PARAM q[] = { program.local[0..@] };\nMOV R0, q[R1.x];", 0, 100000},
    {"PARAM q[] = { program.env[0..@] };", 0, 100000}, {"MOV R0, vertex.attrib[@];", 0, 1000},
    {"MOV R0, vertex.texcoord[@];", 0, 1000}, {"MOV R0, fragment.texcoord[@];", 0, 1000},
    {"MOV R0, fragment.attrib[@];", 0, 1000}, {"MOV R0, fragment.clip[@];", 0, 1000},
    {"MOV result.texcoord[@], R0;", 0, 1000}, {"MOV result.attrib[@], R0;", 0, 1000},
    {"MOV result.clip[@].x, R0;", 0, 1000}, {"MOV result.color[@], R0;", 0, 1000},
    {"MOV result.patch.attrib[@], R0;", 0, 1000}, {"MOV result.patch.tessouter[@].x, R0;", 0, 1000},
    {"MOV result.patch.tessinner[@].x, R0;", 0, 1000}, {"MOV result.viewportmask[@].x, R0;", 0, 1000},
    {"MOV result.samplemask[@].x, R0;", 0, 1000}, {"MOV R0, fragment.samplemask[@];", 0, 1000},
    {"MOV R0, vertex[@].position;", 0, 1000}, {"MOV R0, vertex[0].attrib[@];", 0, 1000},
    {"MOV R0, vertex[0].texcoord[@];", 0, 1000}, {"MOV R0, vertex[0].clip[@];", 0, 1000},
    {"MOV R0, primitive.patch.attrib[@];", 0, 1000}, {"MOV R0, primitive.tessouter[@];", 0, 1000},
    {"MOV R0, primitive.tessinner[@];", 0, 1000}, {"MOV R0, state.light[@].ambient;", 0, 1000},
    {"MOV R0, state.clip[@].plane;", 0, 1000}, {"MOV R0, state.texgen[@].eye.s;", 0, 1000},
    {"MOV R0, state.texenv[@].color;", 0, 1000}, {"MOV R0, state.matrix.modelview[@].row[0];", 0, 1000},
    {"MOV R0, state.matrix.texture[@].row[0];", 0, 1000}, {"MOV R0, state.matrix.program[@].row[0];", 0, 1000},
    {"MOV R0, state.matrix.palette[@].row[0];", 0, 1000}, {"MOV R0, state.matrix.mvp.row[@];", 0, 1000},
    {"TEX R0, R1, texture[@], 2D;", 0, 1000}, {"TEXTURE q = texture[@];", 0, 1000},
    {"TEXTURE q[] = { texture[0..@] };", 0, 1000}, {"LOADIM.U32 R0, R1, image[@], 2D;", 0, 1000},
    {"IMAGE q[] = { image[0..@] };", 0, 1000}, {"CBUFFER q[] = { program.buffer[@] };", 0, 1000},
    {"CBUFFER q[][] = { program.buffer[0..@] };", 0, 1000}, {"BUFFER q = program.buffer[0][@];", 0, 1000000},
    {"BUFFER4 q = program.buffer[0][@];", 0, 1000000}, {"MOV R0, bf[@];", 0, 1000000}, {"MOV R0, bs[@];", 0, 1000000},
    {"LDC.F32 R0, cb[@];", 0, 1000000}, {"LDC.F32X4 R0, cb[@];", 0, 1000000}, {"LDC.F32 R0, cb[R1.x+@];", 0, 1000000},
    {"STORAGE q[] = { program.storage[@] };", 0, 1000}, {"STORAGE q[][] = { program.storage[0..@] };", 0, 1000},
    {"LDB.F32 R0, sb[@];", 0, 0x7fffffff}, {"LDB.F32 R0, sb[R1.x+@];", 0, 0x7fffffff}, {"LDS.F32 R0, sm[@];", 0, 5000},
    {"LDS.F32X4 R0, sm[@];", 0, 5000}, {"LDS.F32 R0, sm[R1.x+@];", 0, 5000},
    {"SHARED q[] = { program.sharedmem[0..@] };", 0, 5000},
    {"COUNTER q = program.counter[@][0];", 0, 1000}, {"COUNTER q = program.counter[0][@];", 0, 100000},
    {"MOV R0, P[R1.x+@];", 0, 100000}, {"MOV R0, P[R1.x-@];", 0, 100000}, {"MOV R0, P[A0.x+@];", 0, 100000},
    {"MOV R0, P[A0.x-@];", 0, 100000}, {"MOV R0, P[@];", 0, 1000}, {"MOV R0, arr[@];", 0, 1000},
    {"MOV arr[@], R0;", 0, 1000},
    {"MOV arr[R1.x+@], R0;", 0, 1000}, {"MOV arr[R1.x-@], R0;", 0, 1000},
    {"TEMP q[@];\nMOV q[R1.x], R0;\nMOV R0, q[R1.y];", 1, 100000},
    {"TEMP q[@];", 1, 1000000}, {"TEX R0, R1, texture[0], 2D, (@, 0);", 0, 1000},
    {"TEX R0, R1, texture[0], 2D, (-@, 0);", 0, 1000},
    {"TXG R0, R1, texture[0], 2D, (@, 0);", 0, 1000}, {"TXG R0, R1, texture[0], 2D, (-@, 0);", 0, 1000},
    {"MUL.U R0, R1, @;", 0, 99999999999}, {"MUL.S R0, R1, @;", 0, 99999999999}, {"MUL.S R0, R1, {@};", 0, 99999999999},
    {"MUL.S R0, R1, {-@};", 0, 99999999999}, {"MUL.F R0, R1, @;", 0, 99999999999}, {"SHL.U R0, R1, @;", 0, 1000},
    {"PARAM q = program.subroutine[@];", 0, 1000}, {"EMITS @;", 0, 1000}, {"REP {@};\nBRK (TR);\nENDREP;", 1, 10000000},
    {"LABEL@:", 0, 10}, {"MOV R0, invocation.localid[@];", 0, 3}, {"SHARED_MEMORY @;", 0, 1000000},
};

static const struct {
    const char *form;           /* whole programs but for the header */
    long most;
} declared_limits[] = {
    {"GROUP_SIZE @;\n", 5000}, {"GROUP_SIZE 1 @;\n", 5000}, {"GROUP_SIZE 1 1 @;\n", 5000}, {"GROUP_SIZE 32 @;\n", 5000},
    {"GROUP_SIZE 16 8 @;\n", 5000}, {"GROUP_SIZE 1;\nSHARED_MEMORY @;\n", 1000000}, {"VERTICES_OUT @;\n", 5000},
    {"PRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT @;\n", 5000},
    {"PRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nINVOCATIONS @;\n", 5000},
    {"PRIMITIVE_IN POINTS;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nMOV R0, vertex[@].position;\n", 50},
    {"PRIMITIVE_IN LINES;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nTEMP R0;\nMOV R0, vertex[@].position;\n", 50},
    {"PRIMITIVE_IN LINES_ADJACENCY;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nTEMP R0;\nMOV R0, vertex[@].position;\n",
     50},
    {"PRIMITIVE_IN TRIANGLES;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nTEMP R0;\nMOV R0, vertex[@].position;\n", 50},
    {"PRIMITIVE_IN TRIANGLES_ADJACENCY;\nPRIMITIVE_OUT POINTS;\nVERTICES_OUT 1;\nTEMP R0;\n"
     "MOV R0, vertex[@].position;\n", 50},
};

/* Depths: `open` and `close` repeated so often. */
static const struct {
    const char *name, *open, *middle, *close;
    long most;
} depths[] = {
    {"if", "IF NE.x;\n", "MOV R0, R1;\n", "ENDIF;\n", 300},
    {"rep", "REP R1.x;\n", "MOV R0, R1;\n", "ENDREP;\n", 100},
    {"rep-brk", "REP;\nBRK (NE.x);\n", "MOV R0, R1;\n", "ENDREP;\n", 100},
    {"loop", "LOOP P[0];\n", "MOV R0, R1;\n", "ENDLOOP;\n", 100},
    {"repc", "REP P[0];\n", "MOV R0, R1;\n", "ENDREP;\n", 100},
    {"mov", "MOV R0, R1;\n", "", "", 3000},
    {"tex", "TEX R0, R0, texture[0], 2D;\n", "", "", 1500},
};

static bool ask_depth(struct survey *s, size_t k, long n)
{
    char body[60000];
    size_t at = 0;
    for (long i = 0; i < n; i++)
        at += (size_t)snprintf(body + at, sizeof body - at, "%s", depths[k].open);
    at += (size_t)snprintf(body + at, sizeof body - at, "%s", depths[k].middle);
    for (long i = 0; i < n; i++)
        at += (size_t)snprintf(body + at, sizeof body - at, "%s", depths[k].close);
    return survey_ask(s, s->plain, body, "depth/%s/%ld", depths[k].name, n);
}

static void ask_depths(struct survey *s)
{
    for (size_t k = 0; k < COUNT(depths); k++) {
        long yes = 1, no = depths[k].most;
        if (!ask_depth(s, k, 1) || ask_depth(s, k, no))
            continue;
        while (no - yes > 1) {
            long middle = yes + (no - yes) / 2;
            if (ask_depth(s, k, middle))
                yes = middle;
            else
                no = middle;
        }
    }
}

void survey_limits(struct survey *s)
{
    char name[160], head[SURVEY_TEXT];
    for (size_t i = 0; i < COUNT(limits); i++) {
        snprintf(name, sizeof name, "limit/%.120s", limits[i].form);
        name[6 + strcspn(name + 6, "\n")] = 0;
        survey_limit(s, s->rich, limits[i].form, limits[i].least, limits[i].most, name);
    }
    snprintf(head, sizeof head, "%s\n%s", s->profile->header, s->profile->options);
    for (size_t i = 0; i < COUNT(declared_limits); i++) {
        snprintf(name, sizeof name, "declared/%zu", i);
        survey_limit(s, head, declared_limits[i].form, 1, declared_limits[i].most, name);
    }
    ask_depths(s);
}
