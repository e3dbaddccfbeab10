/* What the texts of tests/corpus/stages.tar.xz declare, for translate_pairs.c: NVIDIA's compiler puts what goes from
 * stage to stage into attrib[] in the order of the names, blocks behind them; uniforms into program.local, arrays
 * first. */
#include "tests/tools/translate_pairs.h"

#include <string.h>

/* ---- what the texts declare ------------------------------------------------------------------------------------- */

#define END          \
    {                \
        .name = NULL \
    }

static const struct tp_port vertex_in[] = {{.name = "va", .type = "vec4", .slot = 1},
                                           {.name = "vb", .type = "ivec4", .slot = 2},
                                           END},
                            in[] = {{.name = "va", .type = "vec4", .slot = 0},
                                    {.name = "vb", .type = "ivec4", .slot = 1, .qualifier = "flat "},
                                    END},
                            out[] = {{.name = "o", .type = "vec4", .slot = 0}, END},
                            one[] = {{.name = "a", .type = "vec4", .slot = 0}, END}, none[] = {END};

static const struct tp_port v_attribs_in[] = {{.name = "d", .type = "dvec3", .slot = 0},
                                              {.name = "dm", .type = "dmat2", .slot = 1},
                                              {.name = "f", .type = "float", .slot = 3},
                                              {.name = "i", .type = "ivec3", .slot = 4},
                                              {.name = "k", .type = "i64vec3", .slot = 5},
                                              {.name = "l", .type = "u64vec2", .slot = 6},
                                              {.name = "m", .type = "mat3", .slot = 7},
                                              {.name = "u", .type = "uvec2", .slot = 10},
                                              END};
static const struct tp_port v_attribs_out[] = {{.name = "oa", .type = "vec4", .slot = 0, .count = 2},
                                               {.name = "oc", .type = "vec2", .slot = 3},
                                               {.name = "od", .type = "dvec2", .slot = 4},
                                               {.name = "of", .type = "float", .slot = 5},
                                               {.name = "oi", .type = "ivec3", .slot = 6},
                                               {.name = "ol", .type = "u64vec2", .slot = 7},
                                               {.name = "om", .type = "mat3", .slot = 8},
                                               {.name = "on", .type = "vec2", .slot = 11},
                                               {.name = "os", .type = "vec3", .slot = 12},
                                               {.name = "ov", .type = "vec4", .slot = 13},
                                               {.name = "x", .type = "vec4", .block = "Blk", .slot = 14},
                                               {.name = "y", .type = "int", .block = "Blk", .slot = 15},
                                               END};
static const struct tp_port v_xfb_out[] = {
    {.name = "o", .type = "vec4", .slot = 0}, {.name = "p", .type = "vec2", .slot = 1}, END};

static const struct tp_port g_in[] = {{.name = "a", .type = "vec4", .slot = 0},
                                      {.name = "x", .type = "vec4", .block = "Blk", .slot = 1, .count = 2},
                                      {.name = "y", .type = "int", .block = "Blk", .slot = 3, .qualifier = "flat "},
                                      END},
                            g_out[] = {{.name = "f", .type = "int", .slot = 0},
                                       {.name = "np", .type = "vec2", .slot = 1},
                                       {.name = "o", .type = "vec4", .slot = 2},
                                       END},
                            g_streams_out[] = {{.name = "o", .type = "vec4", .slot = 0},
                                               {.name = "p", .type = "vec4", .slot = 0, .stream = 1},
                                               {.name = "q", .type = "float", .slot = 0, .stream = 2},
                                               END};

static const struct tp_port te_in[] = {{.name = "a", .type = "vec4", .slot = 0},
                                       {.name = "p", .type = "vec4", .slot = 0, .patch = true},
                                       {.name = "q", .type = "vec4", .slot = 1, .count = 3, .patch = true},
                                       END},
                            te_out[] = {{.name = "n", .type = "int", .slot = 0},
                                        {.name = "o", .type = "vec4", .slot = 1},
                                        {.name = "z[1]", .type = "vec2", .block = "Blk", .slot = 3},
                                        END};

static const struct tp_port tc_builtin_in[] = {{.name = "a", .type = "vec4", .slot = 0},
                                               {.name = "x", .type = "vec4", .block = "Bi", .slot = 1},
                                               END},
                            tc_builtin_out[] =
                                {{.name = "o", .type = "vec4", .slot = 0},
                                 {.name = "p", .type = "vec4", .slot = 0, .patch = true},
                                 {.name = "q", .type = "vec4", .slot = 1, .count = 3, .patch = true},
                                 {.name = "gl_TessLevelOuter[0]", .type = "float", .slot = 100, .patch = true},
                                 {.name = "gl_TessLevelOuter[3]", .type = "float", .slot = 101, .patch = true},
                                 {.name = "gl_TessLevelInner[1]", .type = "float", .slot = 102, .patch = true},
                                 END},
                            tc_dyn_in[] = {{.name = "a", .type = "vec4", .slot = 0},
                                           {.name = "d", .type = "dvec2", .slot = 1, .qualifier = "flat "},
                                           END},
                            tc_out[] = {{.name = "o", .type = "vec4", .slot = 0},
                                        {.name = "gl_TessLevelOuter[0]", .type = "float", .slot = 100, .patch = true},
                                        {.name = "gl_TessLevelInner[0]", .type = "float", .slot = 101, .patch = true},
                                        END};

static const struct tp_port f_interp_in[] = {
    {.name = "a", .type = "vec4", .slot = 0},
    {.name = "arr", .type = "vec4", .slot = 1, .count = 4},
    {.name = "b", .type = "vec4", .slot = 5, .qualifier = "flat "},
    {.name = "c", .type = "vec4", .slot = 6, .qualifier = "noperspective "},
    {.name = "d", .type = "vec4", .slot = 7, .qualifier = "centroid "},
    {.name = "e", .type = "vec4", .slot = 8, .qualifier = "sample "},
    {.name = "f", .type = "vec2", .slot = 9, .qualifier = "centroid noperspective "},
    {.name = "g", .type = "ivec3", .slot = 10, .qualifier = "flat "},
    {.name = "h", .type = "dvec2", .slot = 11, .qualifier = "flat "},
    {.name = "l", .type = "u64vec2", .slot = 12, .qualifier = "flat "},
    {.name = "sn", .type = "float", .slot = 13, .qualifier = "sample noperspective "},
    {.name = "x", .type = "vec4", .block = "Blk", .slot = 14},
    {.name = "y", .type = "uint", .block = "Blk", .slot = 15, .qualifier = "flat "},
    {.name = "z", .type = "vec2", .block = "Blk", .slot = 16, .qualifier = "centroid "},
    END};
static const struct tp_port f_interpat_in[] = {{.name = "a", .type = "vec4", .slot = 0},
                                               {.name = "arr", .type = "vec4", .slot = 1, .count = 3},
                                               {.name = "b", .type = "vec2", .slot = 4},
                                               {.name = "c", .type = "vec3", .slot = 5, .qualifier = "sample "},
                                               {.name = "i", .type = "int", .slot = 6, .qualifier = "flat "},
                                               {.name = "np", .type = "vec4", .slot = 7, .qualifier = "noperspective "},
                                               END};
static const struct tp_port f_builtin_out[] = {{.name = "o", .type = "vec4", .slot = 0, .count = 3}, END},
                            f_intout_out[] = {{.name = "i", .type = "ivec4", .slot = 0},
                                              {.name = "u", .type = "uvec2", .slot = 1},
                                              {.name = "v", .type = "vec3", .slot = 2},
                                              {.name = "f", .type = "float", .slot = 4},
                                              END},
                            f_dual_out[] = {{.name = "o", .type = "vec4", .slot = 0},
                                            {.name = "p", .type = "vec4", .slot = 0, .stream = 1},
                                            END},
                            f_data_out[] = {{.name = "gl_FragData[0]", .type = "vec4", .slot = 0},
                                            {.name = "gl_FragData[3]", .type = "vec4", .slot = 3},
                                            END};

static const struct tp_uniform consts[] = {{"A[0]", "vec4", 0},    {"A[1]", "vec4", 1},     {"A[2]", "vec4", 2},
                                           {"A[3]", "vec4", 3},    {"s.f[2]", "float", 10}, {"t[0].v", "vec4", 11},
                                           {"t[1].v", "vec4", 16}, {"t[2].v", "vec4", 21},  {"t[1].i", "ivec2", 20},
                                           {"B", "bool", 26},      {"I", "ivec4", 27},      {"U", "uvec4", 28},
                                           {"s.v", "vec4", 29},    {"s.i", "ivec2", 30},    END};
static const struct tp_uniform matrix[] = {{"M", "mat4", 0}, {"N", "mat3", 4}, {"P", "mat2x3", 7}, END},
                               doubles[] = {{"D", "dvec4", 6}, {"E", "dmat3", 0}, END},
                               longs[] = {{"L", "i64vec4", 0}, {"U", "u64vec4", 2}, END};

static const struct tp_block io[] = {{"Io", 0, true, 'o'}, END}, c_flow[] = {{"B", 0, true, 'i'}, END},
                             c_shared[] = {{"B", 0, true, 'f'}, END},
                             ubo[] = {{"Bk", 0, false, 'f'},    {"Ba[0]", 1, false, 'f'}, {"Ba[1]", 2, false, 'f'},
                                      {"Ba[2]", 3, false, 'f'}, {"Bs", 4, false, 'f'},    END},
                             ubo_cp[] = {{"Io", 0, true, 'o'},
                                         {"Bk", 0, false, 'f'},
                                         {"Ba[0]", 1, false, 'f'},
                                         {"Ba[1]", 2, false, 'f'},
                                         {"Ba[2]", 3, false, 'f'},
                                         {"Bs", 4, false, 'f'},
                                         END};

/* The longest name that a pair's begins with decides. */
static const struct tp_special specials[] = {
    {.name = "consts", .uniforms = consts, .high = 2, .ints = true},
    {.name = "matrix", .uniforms = matrix},
    {.name = "double", .uniforms = doubles, .ints = true},
    {.name = "int64", .uniforms = longs, .ints = true},
    {.name = "ubo", .high = 2, .ints = true},
    {.name = "int", .ints = true},
    {.name = "bits", .ints = true},
    {.name = "loop", .ints = true},
    {.name = "func", .ints = true},
    {.name = "switch", .ints = true},
    {.name = "gather", .ints = true},
    {.name = "image", .ints = true},
    {.name = "image2", .high = 1, .ints = true},
    /* Of two samplers of one array llvmpipe takes a wrong alpha. All whole numbers are 1. */
    {.name = "tex",
     .high = 1,
     .ints = true,
     .instead = {{"textureLod(arr[b.x&3],a.xy,0)", "textureLod(arr[1],a.xy,0)"}}},
    {.name = "texoff", .high = 2, .ints = true},
    {.name = "shadow", .ints = true},
    {.name = "array", .ints = true},
    {.name = "subroutine", .high = 2, .ints = true},
    /* What nobody writes is open. */
    {.name = "c_shared", .instead = {{"uint i=", "q.i=0; uint i="}}, .first = "void main()\n{ gp5_shared[8] = 0u;"},
    {.name = "c_flow", .ints = true, .high = 9},
    {.name = "v_attribs", .in = v_attribs_in, .out = v_attribs_out, .high = 1, .builtins = ""},
    /* Beside gl_ModelViewMatrixInverseTranspose it is another matrix. */
    {.name = "ff", .instead = {{"gl_NormalMatrix*a.xyz", "(gl_ModelViewMatrixInverseTranspose*vec4(a.xyz,0)).xyz"}}},
    {.name = "v_xfb",
     .in = one,
     .out = v_xfb_out,
     .instead = {{"layout(xfb_buffer=1,xfb_stride=32) out;", ""},
                 {"layout(xfb_offset=0)", ""},
                 {"layout(xfb_offset=16)", ""}}},
    {.name = "g_",
     .in = g_in,
     .out = g_out,
     .builtins = "gl_Position gl_PointSize gl_PrimitiveID gl_Layer gl_ViewportIndex"},
    {.name = "g_streams",
     .in = one,
     .out = g_streams_out,
     .builtins = "",
     .instead = {{",xfb_buffer=1,xfb_offset=0", ""}}},
    {.name = "te_", .in = te_in, .out = te_out, .patch = 4, .builtins = "gl_Position gl_PointSize"},
    {.name = "te_layer", .in = none, .out = none, .patch = 4, .builtins = "gl_Position gl_Layer gl_ViewportIndex"},
    {.name = "tc_builtin",
     .in = tc_builtin_in,
     .out = tc_builtin_out,
     .patch = 5,
     .builtins = "gl_Position gl_PointSize gl_ClipDistance[1]"},
    {.name = "tc_dyn", .in = tc_dyn_in, .out = out, .patch = 32, .builtins = ""},
    {.name = "f_", .in = one, .out = out},
    {.name = "f_builtin", .in = none, .out = f_builtin_out, .builtins = "gl_FragDepth gl_SampleMask[0]"},
    {.name = "f_data", .in = one, .out = f_data_out, .builtins = "gl_FragDepth"},
    {.name = "f_depth", .in = one, .out = out}, /* of depths that a layout promises too much of */
    {.name = "f_depth_any", .in = one, .out = out, .builtins = "gl_FragDepth"},
    {.name = "f_dual", .in = one, .out = f_dual_out},
    {.name = "f_intout", .in = one, .out = f_intout_out},
    {.name = "f_interp", .in = f_interp_in, .out = out, .high = 3},
    {.name = "f_interpat", .in = f_interpat_in, .out = out, .zero = true}, /* the sample that there is */
    {.name = "f_origin", .in = none, .out = out},
    {.name = "f_postdepth", .in = none, .out = out},
};

const struct tp_special *tp_special_of(const char *name)
{
    static const struct tp_special plain = {.name = ""};
    const struct tp_special *found = &plain;

    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (!strncmp(name, specials[i].name, strlen(specials[i].name)) &&
            strlen(specials[i].name) > strlen(found->name))
            found = &specials[i];
    return found;
}

/* What most of them have. */
void tp_usual(struct tp_case *c)
{
    bool vertex = c->stage == TP_VERTEX, compute = c->stage == TP_COMPUTE;

    c->inputs = vertex ? vertex_in : compute ? none : in;
    c->outputs = compute ? none : c->stage == TP_CONTROL ? tc_out : out;
    c->blocks = compute ? io : NULL;
    c->builtins = c->stage == TP_FRAGMENT || compute ? "" : "gl_Position";
    c->low = 1;
    c->high = 7;
    c->patch = 3;
}

/* Buffers besides those. */
const struct tp_block *tp_blocks_of(const char *name, enum tp_stage stage)
{
    if (!strncmp(name, "ubo", 3))
        return stage == TP_COMPUTE ? ubo_cp : ubo;
    return !strcmp(name, "c_flow") ? c_flow : !strcmp(name, "c_shared") ? c_shared : NULL;
}
