/* The profiles that programs are made for: headers, what a stage must declare, what it can read and write. */
#include <string.h>

#include "compare/fuzz/internal.h"

#define LIST(...) (const char *const[]){__VA_ARGS__, NULL}

#define VERTEX_RESULTS                                                                                  \
    "result.position", "result.color", "result.color.primary", "result.color.secondary",                \
    "result.color.front.primary", "result.color.back", "result.color.back.secondary", "result.texcoord", \
    "result.texcoord[#7]"
#define VERTEX_SCALARS "result.fogcoord.x", "result.pointsize.x"
#define NV_RESULTS VERTEX_RESULTS, "result.attrib[#9]", "result.clip[#5].x", VERTEX_SCALARS
#define VERTEX_ATTRIBUTES                                                                                \
    "vertex.position", "vertex.normal", "vertex.color", "vertex.color.primary", "vertex.color.secondary", \
    "vertex.fogcoord", "vertex.texcoord", "vertex.texcoord[#7]"
#define PER_VERTEX                                                                                       \
    "vertex[#2].position", "vertex[#2].color", "vertex[#2].color.front.secondary", "vertex[#2].fogcoord", \
    "vertex[#2].pointsize", "vertex[#2].texcoord[#7]", "vertex[#2].attrib[#9]", "vertex[#2].clip[#5]"
#define FRAGMENT_ATTRIBUTES                                                                          \
    "fragment.color", "fragment.color.primary", "fragment.color.secondary", "fragment.texcoord",     \
    "fragment.texcoord[#7]", "fragment.fogcoord", "fragment.position"
#define GEOMETRY                                                                     \
    "PRIMITIVE_IN TRIANGLES;|PRIMITIVE_IN TRIANGLES_ADJACENCY;",                     \
    "PRIMITIVE_OUT POINTS;|PRIMITIVE_OUT LINE_STRIP;|PRIMITIVE_OUT TRIANGLE_STRIP;", \
    "VERTICES_OUT 4;|VERTICES_OUT 1;|VERTICES_OUT 9;"

const struct fuzz_profile fuzz_profiles[FUZZ_PROFILES] = {
    [FUZZ_AVP] = {"avp", "vertex", "!!ARBvp1.0", NULL, FUZZ_ARB, false, LIST(NULL),
                  LIST(VERTEX_ATTRIBUTES, "vertex.attrib[#9]"), LIST(VERTEX_RESULTS, VERTEX_SCALARS), LIST(NULL)},
    [FUZZ_AVP2] = {"avp2", "vertex", "!!ARBvp1.0", "NV_vertex_program2", FUZZ_ARB, true, LIST(NULL),
                   LIST(VERTEX_ATTRIBUTES, "vertex.attrib[#9]"), LIST(VERTEX_RESULTS, VERTEX_SCALARS,
                   "result.clip[#5].x"),
                   LIST(NULL)},
    [FUZZ_AVP3] = {"avp3", "vertex", "!!ARBvp1.0", "NV_vertex_program3", FUZZ_ARB, true, LIST(NULL),
                   LIST(VERTEX_ATTRIBUTES, "vertex.attrib[#9]"), LIST(VERTEX_RESULTS, VERTEX_SCALARS,
                   "result.clip[#5].x"),
                   LIST(NULL)},
    [FUZZ_AFP] = {"afp", "fragment", "!!ARBfp1.0", NULL, FUZZ_ARB, false, LIST(NULL), LIST(FRAGMENT_ATTRIBUTES),
                  LIST("result.color", "result.depth.z", "result.color"), LIST(NULL)},
    [FUZZ_AFP1] = {"afp1", "fragment", "!!ARBfp1.0", "NV_fragment_program", FUZZ_ARB, true, LIST(NULL),
                   LIST(FRAGMENT_ATTRIBUTES), LIST("result.color", "result.depth.z", "result.color"), LIST(NULL)},
    [FUZZ_AFP2] = {"afp2", "fragment", "!!ARBfp1.0", "NV_fragment_program2", FUZZ_ARB, true, LIST(NULL),
                   LIST(FRAGMENT_ATTRIBUTES, "fragment.facing"), LIST("result.color", "result.depth.z", "result.color"),
                   LIST(NULL)},
    [FUZZ_VP4] = {"vp4", "vertex", "!!NVvp4.0", NULL, FUZZ_NV4, true, LIST(NULL),
                  LIST(VERTEX_ATTRIBUTES, "vertex.attrib[#9]", "vertex.id", "vertex.instance"), LIST(NV_RESULTS),
                  LIST("vertex.attrib[8..9]", "vertex.attrib[9..9]")},
    [FUZZ_GP4] = {"gp4", "geometry", "!!NVgp4.0", NULL, FUZZ_NV4, true, LIST(GEOMETRY), LIST(PER_VERTEX,
                  "primitive.id"),
                  LIST(NV_RESULTS, "result.layer.x", "result.primid.x"), LIST("vertex.attrib[0..3]",
                  "vertex.position")},
    [FUZZ_FP4] = {"fp4", "fragment", "!!NVfp4.0", NULL, FUZZ_NV4, true, LIST(NULL),
                  LIST(FRAGMENT_ATTRIBUTES, "fragment.attrib[#9]", "fragment.clip[#5]", "fragment.facing",
                  "primitive.id"),
                  LIST("result.color", "result.depth.z", "result.color"), LIST("fragment.attrib[0..3]",
                  "fragment.texcoord[0..7]")},
    [FUZZ_VP5] = {"vp5", "vertex", "!!NVvp5.0", NULL, FUZZ_NV5, true, LIST(NULL),
                  LIST(VERTEX_ATTRIBUTES, "vertex.attrib[#9]", "vertex.id", "vertex.instance"), LIST(NV_RESULTS),
                  LIST("vertex.attrib[8..9]", "vertex.attrib[9..9]")},
    [FUZZ_TCP5] = {"tcp5", "tessellation control", "!!NVtcp5.0", NULL, FUZZ_NV5, true,
                   LIST("VERTICES_OUT 4;|VERTICES_OUT 1;|VERTICES_OUT 32;"),
                   LIST(PER_VERTEX, "vertex.in[#2].position", "vertex.out[0].attrib[#9]", "primitive.id",
                   "primitive.invocation",
                        "primitive.vertexcount"),
                   LIST(NV_RESULTS, "result.patch.attrib[#9]", "result.patch.tessouter[#3].x",
                   "result.patch.tessinner[#1].x"),
                   LIST("vertex.attrib[0..3]", "vertex.position")},
    [FUZZ_TEP5] = {"tep5", "tessellation evaluation", "!!NVtep5.0", NULL, FUZZ_NV5, true,
                   LIST("TESS_MODE TRIANGLES;|TESS_MODE QUADS;|TESS_MODE ISOLINES;",
                   "TESS_SPACING EQUAL;|TESS_SPACING FRACTIONAL_ODD;|",
                        "TESS_VERTEX_ORDER CW;|", "TESS_POINT_MODE;|||"),
                   LIST(PER_VERTEX, "vertex.in[#2].position", "vertex.tesscoord", "primitive.id",
                   "primitive.vertexcount",
                        "primitive.tessouter[#3]", "primitive.tessinner[#1]", "primitive.patch.attrib[#9]"),
                   LIST(NV_RESULTS), LIST("vertex.attrib[0..3]", "vertex.position")},
    [FUZZ_GP5] = {"gp5", "geometry", "!!NVgp5.0", NULL, FUZZ_NV5, true, LIST(GEOMETRY, "INVOCATIONS 2;|||"),
                  LIST(PER_VERTEX, "primitive.id", "primitive.invocation"), LIST(NV_RESULTS, "result.layer.x",
                  "result.primid.x"),
                  LIST("vertex.attrib[0..3]", "vertex.position")},
    [FUZZ_FP5] = {"fp5", "fragment", "!!NVfp5.0", NULL, FUZZ_NV5, true, LIST(NULL),
                  LIST(FRAGMENT_ATTRIBUTES, "fragment.attrib[#9]", "fragment.clip[#5]", "fragment.facing",
                  "primitive.id",
                       "fragment.pointcoord", "fragment.samplemask", "fragment.sampleid"),
                  LIST("result.color", "result.depth.z", "result.color"), LIST("fragment.attrib[0..3]",
                  "fragment.texcoord[0..7]")},
    [FUZZ_CP5] = {"cp5", "compute", "!!NVcp5.0", NULL, FUZZ_NV5, true,
                  LIST("GROUP_SIZE 32;|GROUP_SIZE 8 8;|GROUP_SIZE 4 4 4;|GROUP_SIZE 64;"),
                  LIST("invocation.localid", "invocation.globalid", "invocation.groupid", "invocation.groupcount",
                       "invocation.groupsize", "invocation.localindex"),
                  LIST(NULL), LIST(NULL)},
};

const char *fuzz_profile_name(enum fuzz_profile_id id)
{
    return fuzz_profiles[id].name;
}

const char *fuzz_profile_stage(enum fuzz_profile_id id)
{
    return fuzz_profiles[id].stage;
}

enum fuzz_profile_id fuzz_profile_named(const char *name, size_t length)
{
    int i = 0;
    while (i < FUZZ_PROFILES &&
           (strlen(fuzz_profiles[i].name) != length || memcmp(fuzz_profiles[i].name, name, length) != 0))
        i++;
    return (enum fuzz_profile_id)i;
}
